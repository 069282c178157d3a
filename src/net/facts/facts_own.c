/* facts_own.c - links of a page that lead to the page itself
 *
 * Either by their address (net/facts/kind_view.c), or because they name a place that is
 * on this page: forums link each post as "viewtopic.php?p=1800#p1800". Few links can be
 * either, and only those are resolved. */
#include "net/facts/facts_parts.h"
#include "net/facts/kind.h"

/* Each link takes as much time as its base is long. */
enum { LONGEST_BASE = 2048 };

void fg_own_links_init(struct fg_own_links *own, struct fg_arena *arena,
                       struct fg_str url, struct fg_str base)
{
    *own = (struct fg_own_links){.url = url};
    own->has_base = url.len && fg_url_parse(&own->page, arena, url, NULL) &&
                    fg_url_is_http(&own->page);
    own->base = own->page;
    struct fg_url url_of_base;
    if (own->has_base && base.len && base.len <= LONGEST_BASE &&
        fg_url_parse(&url_of_base, arena, base, &own->page) &&
        fg_url_is_http(&url_of_base))
        own->base = url_of_base;
}

void fg_own_links_clear(struct fg_own_links *own)
{
    fg_arena_clear(&own->scratch);
}

void fg_own_links_add_anchor(struct fg_own_links *own, struct fg_str id)
{
    uint64_t hash = fg_str_hash(id);
    own->anchors[hash % FG_ANCHORS_KEPT] = hash;
}

static bool has_anchor(const struct fg_own_links *own, struct fg_str href)
{
    size_t at = fg_str_chr(href, '#');
    if (at == FG_NOT_FOUND || at + 1 >= href.len)
        return false;
    uint64_t hash = fg_str_hash(fg_str_skip(href, at + 1));
    return own->anchors[hash % FG_ANCHORS_KEPT] == hash;
}

/* The end of the path and the values of the query are what such a link has in common with
 * the page. */
static bool may_be_own(const struct fg_own_links *own, struct fg_str href)
{
    struct fg_str path = fg_url_pathname(&own->page), query = fg_url_search(&own->page);
    if (href.at[0] == '?' || href.at[0] == '.')
        return true;
    if (path.len > 1) {
        size_t end = path.len - (path.at[path.len - 1] == '/'), first = end;
        while (first > 0 && path.at[first - 1] != '/')
            first--;
        if (fg_str_find(href, fg_str_sub(path, first, end)) != FG_NOT_FOUND)
            return true;
    }
    struct fg_str part;
    for (query = fg_str_skip(query, 1); fg_str_cut(&query, '&', &part);) {
        struct fg_str value = fg_str_skip(part, fg_str_chr(part, '=') + 1);
        if (value.len && value.len < part.len && fg_str_find(href, value) != FG_NOT_FOUND)
            return true;
    }
    return false;
}

bool fg_own_links_has(struct fg_own_links *own, struct fg_str href)
{
    struct fg_url url;
    fg_arena_reset(&own->scratch);
    href = fg_str_trim(href);
    if (!own->has_base || !href.len || href.at[0] == '#' || !may_be_own(own, href))
        return false;
    href = fg_html_decode(&own->scratch, href, FG_HTML_VALUE);
    if (!fg_url_parse(&url, &own->scratch, href, &own->base) || !fg_url_is_http(&url))
        return false;
    return fg_address_is_view_of(url.href, own->page.href) ||
           (has_anchor(own, href) &&
            fg_str_eq(fg_url_pathname(&url), fg_url_pathname(&own->page)));
}
