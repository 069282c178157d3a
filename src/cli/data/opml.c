#include "cli/data/opml.h"

#include "base/map.h"
#include "crawl/intake/control.h"
#include "net/feed/feed_write.h"
#include "net/url/url.h"

#include <stdlib.h>

enum { MOST_FOLDERS = 32 };

struct entry {
    struct fg_str url, name, home, tags;
    bool is_feed;
    size_t number; /* in the order of the store */
};

struct writer {
    const struct fg_look *look;
    struct fg_out *out;
    struct fg_str tag;
    struct fg_arena arena;
    FG_VEC(struct entry) entries;
    struct fg_names homes; /* pages that stand with their feed */
};

/* --- gathering --- */

static bool is_feed(const struct fg_page_row *page)
{
    return page->flags & FG_PAGE_FEED && page->flags & (FG_PAGE_SOURCE | FG_PAGE_SEED);
}

static bool is_site(const struct fg_look *look, const struct fg_page_row *page)
{
    const struct fg_site_row *site = fg_look_site(look, page->site);
    uint32_t others = FG_PAGE_DOCUMENT | FG_PAGE_SITEMAP | FG_PAGE_FEED;
    return page->flags & FG_PAGE_SEED && !(page->flags & others) && site &&
           strcmp(fg_site_state_name(site->state), "pages") != 0;
}

static bool take_page(void *context, const struct fg_page_row *page)
{
    struct writer *w = context;
    uint32_t lost = FG_PAGE_ALIAS | FG_PAGE_GONE | FG_PAGE_EXCLUDED;
    const struct fg_site_row *site = fg_look_site(w->look, page->site);
    if (page->flags & lost || (site && fg_site_is_removed(site)) ||
        (!is_feed(page) && !is_site(w->look, page)))
        return true;
    struct fg_note_row note = {0};
    fg_store_note(w->look->store, &note, &w->arena, page->site, page->page, NULL);
    struct fg_str tags = fg_look_tags(w->look, &w->arena, page->site, page->page);
    if (w->tag.len && !fg_tags_have(tags, w->tag))
        return true;
    struct fg_str url = fg_arena_dup(&w->arena, page->url);
    struct entry entry = {
        .url = url,
        .name = note.name.len     ? note.name
                : page->title.len ? fg_arena_dup(&w->arena, page->title)
                                  : url,
        .home = note.home,
        .tags = tags,
        .is_feed = is_feed(page),
        .number = w->entries.len,
    };
    if (entry.is_feed && entry.home.len)
        *fg_names_put(&w->homes, entry.home) = 1;
    fg_vec_push_in(&w->arena, &w->entries, entry);
    return true;
}

static int by_tags(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = fg_str_cmp(x->tags, y->tags);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* --- writing --- */

static size_t split(struct fg_str folders[MOST_FOLDERS], struct fg_str tags)
{
    size_t n = 0;
    struct fg_str tag;
    while (n < MOST_FOLDERS && tags.len && fg_str_cut(&tags, ',', &tag))
        if (fg_str_trim(tag).len)
            folders[n++] = fg_str_trim(tag);
    return n;
}

static void indent(struct writer *w, size_t depth)
{
    fg_out_printf(w->out, "%*s", (int)(4 + 2 * depth), "");
}

static void attribute(struct writer *w, const char *name, struct fg_str value)
{
    fg_out_printf(w->out, " %s=\"", name);
    fg_xml_escape(&w->out->buf, value);
    fg_out_puts(w->out, "\"");
}

static void put_entry(struct writer *w, const struct entry *entry, size_t depth)
{
    indent(w, depth);
    fg_out_printf(w->out, "<outline type=\"%s\"", entry->is_feed ? "rss" : "link");
    attribute(w, "text", entry->name);
    attribute(w, "title", entry->name);
    if (entry->is_feed) {
        attribute(w, "xmlUrl", entry->url);
        if (entry->home.len)
            attribute(w, "htmlUrl", entry->home);
    } else {
        attribute(w, "url", entry->url);
    }
    fg_out_puts(w->out, "/>\n");
}

/* Close what this one is not in, open what it is. */
static void move(struct writer *w, struct fg_str from[MOST_FOLDERS], size_t *depth,
                 struct fg_str to[MOST_FOLDERS], size_t n)
{
    size_t same = 0;
    while (same < *depth && same < n && fg_str_eq(from[same], to[same]))
        same++;
    while (*depth > same) {
        indent(w, --*depth);
        fg_out_puts(w->out, "</outline>\n");
    }
    for (; *depth < n; ++*depth) {
        indent(w, *depth);
        fg_out_puts(w->out, "<outline");
        attribute(w, "text", to[*depth]);
        fg_out_puts(w->out, ">\n");
        from[*depth] = to[*depth];
    }
}

static void put_all(struct writer *w)
{
    struct fg_str open[MOST_FOLDERS], folders[MOST_FOLDERS];
    size_t depth = 0;
    fg_out_puts(w->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<opml version=\"2.0\">\n  <head>\n    <title>Forage</title>\n"
                        "  </head>\n  <body>\n");
    for (size_t i = 0; i < w->entries.len; i++) {
        const struct entry *entry = &w->entries.at[i];
        if (!entry->is_feed && fg_names_get(&w->homes, entry->url))
            continue;
        size_t n = split(folders, entry->tags);
        move(w, open, &depth, folders, n);
        put_entry(w, entry, depth);
    }
    move(w, open, &depth, folders, 0);
    fg_out_puts(w->out, "  </body>\n</opml>\n");
}

enum fg_status fg_opml_write(struct fg_out *out, const struct fg_look *look,
                             fg_site_id site, struct fg_str tag, struct fg_err *err)
{
    struct writer w = {.look = look, .out = out, .tag = tag};
    w.homes.arena = &w.arena;
    enum fg_status st = fg_store_pages(look->store, site, take_page, &w, err);
    if (w.entries.len)
        qsort(w.entries.at, w.entries.len, sizeof *w.entries.at, by_tags);
    if (!st)
        put_all(&w);
    fg_arena_clear(&w.arena);
    return st;
}
