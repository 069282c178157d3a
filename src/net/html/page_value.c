/* Small languages within attributes: rel, the types of feeds, refresh. */
#include "net/html/page.h"

struct word {
    struct fg_str text;
    unsigned rel;
};

#define WORD(text, rel)                   \
    {                                     \
        {(text), sizeof(text) - 1}, (rel) \
    }
static const struct word words[] = {
    WORD("nofollow", FG_REL_NOFOLLOW),
    WORD("ugc", FG_REL_UGC),
    WORD("sponsored", FG_REL_SPONSORED),
    WORD("alternate", FG_REL_ALTERNATE),
    WORD("canonical", FG_REL_CANONICAL),
    WORD("next", FG_REL_NEXT),
    WORD("prev", FG_REL_PREV),
    WORD("previous", FG_REL_PREV),
    WORD("amphtml", FG_REL_AMPHTML),
    WORD("icon", FG_REL_ICON),
    WORD("apple-touch-icon", FG_REL_ICON),
    WORD("apple-touch-icon-precomposed", FG_REL_ICON),
    WORD("mask-icon", FG_REL_ICON),
    WORD("stylesheet", FG_REL_STYLESHEET),
    WORD("feed", FG_REL_FEED),
    WORD("hub", FG_REL_HUB),
    WORD("self", FG_REL_SELF),
    WORD("shortlink", FG_REL_SHORTLINK),
    WORD("tag", FG_REL_TAG),
    WORD("author", FG_REL_AUTHOR),
    WORD("license", FG_REL_LICENSE),
    WORD("dns-prefetch", FG_REL_HINT),
    WORD("preconnect", FG_REL_HINT),
    WORD("prefetch", FG_REL_HINT),
    WORD("preload", FG_REL_HINT),
    WORD("prerender", FG_REL_HINT),
    WORD("modulepreload", FG_REL_HINT),
};

static struct fg_str skip_space(struct fg_str s)
{
    size_t n = 0;
    while (n < s.len && fg_is_space(s.at[n]))
        n++;
    return fg_str_skip(s, n);
}

static unsigned rel_of(struct fg_str word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fg_str_eq_nocase(word, words[i].text))
            return words[i].rel;
    return 0;
}

unsigned fg_rel_parse(struct fg_str rel)
{
    unsigned found = 0;
    for (rel = skip_space(rel); rel.len; rel = skip_space(rel)) {
        size_t n = 0;
        while (n < rel.len && !fg_is_space(rel.at[n]))
            n++;
        found |= rel_of(fg_str_sub(rel, 0, n));
        rel = fg_str_skip(rel, n);
    }
    return found;
}

/* Plain XML types count, since nearly every alternate that is "text/xml" is a feed; JSON
 * alone does not, since nearly every one of those is an interface for programs. */
static bool is_feed_type(struct fg_str type)
{
    static const struct fg_str types[] = {
        {"application/rss+xml", 19},    {"application/atom+xml", 20},
        {"application/feed+json", 21},  {"application/rdf+xml", 19},
        {"application/x.atom+xml", 22}, {"application/x-atom+xml", 22},
        {"application/xml", 15},        {"text/xml", 8},
        {"text/rss+xml", 12},           {"text/rss", 8},
    };
    size_t end = fg_str_chr(type, ';');
    type = fg_str_trim(end == FG_NOT_FOUND ? type : fg_str_sub(type, 0, end));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (fg_str_eq_nocase(type, types[i]))
            return true;
    return false;
}

bool fg_link_is_feed(const struct fg_link *link)
{
    if (link->from != FG_FROM_LINK || !link->href.len || link->rel & FG_REL_STYLESHEET)
        return false;
    if (link->rel & FG_REL_FEED)
        return !link->type.len || is_feed_type(link->type);
    return link->rel & FG_REL_ALTERNATE && is_feed_type(link->type);
}

/* Without the tabs and line ends that URL parsing would drop. */
static struct fg_str drop_line_ends(struct fg_arena *arena, struct fg_str s)
{
    s = fg_str_trim(s);
    size_t n = 0;
    char *out = fg_arena_bytes(arena, s.len + 1);
    for (size_t i = 0; i < s.len; i++)
        if (s.at[i] != '\t' && s.at[i] != '\n' && s.at[i] != '\r')
            out[n++] = s.at[i];
    return (struct fg_str){out, n};
}

/* "url = ", in any case and with white space: what is behind it, else `s` as it was. */
static struct fg_str skip_url_equals(struct fg_str s)
{
    if (!fg_str_starts_nocase(s, FG_STR("url")))
        return s;
    struct fg_str rest = skip_space(fg_str_skip(s, 3));
    return rest.len && rest.at[0] == '=' ? skip_space(fg_str_skip(rest, 1)) : s;
}

/* A quote in front, of what was left by skip_url_equals, up to its fellow. */
static struct fg_str unquote(struct fg_str s)
{
    if (!s.len || (s.at[0] != '"' && s.at[0] != '\''))
        return s;
    struct fg_str inner = fg_str_skip(s, 1);
    return fg_str_sub(inner, 0, fg_str_chr(inner, s.at[0]));
}

bool fg_refresh_parse(struct fg_refresh *refresh, struct fg_arena *arena,
                      struct fg_str content)
{
    struct fg_str s = skip_space(content);
    uint64_t seconds = 0;
    size_t n = 0;
    for (; n < s.len && fg_is_digit(s.at[n]); n++)
        if (seconds < UINT32_MAX)
            seconds = seconds * 10 + (uint64_t)(s.at[n] - '0');
    if (n == 0 && (!s.len || s.at[0] != '.'))
        return false;
    while (n < s.len && (fg_is_digit(s.at[n]) || s.at[n] == '.'))
        n++;
    s = fg_str_skip(s, n);
    if (s.len && s.at[0] != ';' && s.at[0] != ',' && !fg_is_space(s.at[0]))
        return false;
    s = skip_space(s);
    if (s.len && (s.at[0] == ';' || s.at[0] == ','))
        s = skip_space(fg_str_skip(s, 1));
    *refresh = (struct fg_refresh){.seconds = seconds < UINT32_MAX ? (uint32_t)seconds
                                                                   : UINT32_MAX};
    if (s.len)
        refresh->url = drop_line_ends(arena, unquote(skip_url_equals(s)));
    return true;
}
