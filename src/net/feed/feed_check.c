/* feed_check.c - what a careful author would want to know about a feed
 *
 * Reading is lenient; this is where we say what had to be forgiven. */
#include "net/feed/feed_parts.h"

#include "base/map.h"
#include "net/text/date.h"

enum { VALUE_BYTES = 120 }; /* as much of a value as a report needs */

void fg_feed_complain(struct fg_feed *feed, struct fg_arena *arena,
                      enum fg_feed_problem_kind kind, const char *element,
                      struct fg_str value, unsigned line)
{
    if (feed->n_problems == FG_FEED_PROBLEMS_MAX)
        return;
    if (feed->n_problems % 8 == 0)
        feed->problems = fg_arena_grow(arena, feed->problems, sizeof *feed->problems,
                                       feed->n_problems, feed->n_problems + 8);
    size_t n = value.len < VALUE_BYTES ? value.len : VALUE_BYTES;
    while (n < value.len && n && ((unsigned char)value.at[n] & 0xC0) == 0x80)
        n--;
    feed->problems[feed->n_problems++] =
        (struct fg_feed_problem){.kind = kind,
                                 .element = element,
                                 .value = fg_arena_dup(arena, fg_str_sub(value, 0, n)),
                                 .line = line};
}

const char *fg_feed_problem_text(enum fg_feed_problem_kind kind)
{
    static const char *const texts[FG_FEED_PROBLEM_KINDS] = {
        [FG_FEED_BAD_DATE] = "a date that is not in the form of the format",
        [FG_FEED_OLD_DATE] = "a date with a two-digit year or a military zone",
        [FG_FEED_IMPLAUSIBLE_DATE] = "a date too long ago or in the future",
        [FG_FEED_BAD_LINK] = "a link that is not a URL",
        [FG_FEED_RELATIVE_LINK] = "a relative link without a base",
        [FG_FEED_BLANK_ID] = "an empty id",
        [FG_FEED_BAD_ID] = "an id that should be a URL and is none",
        [FG_FEED_RELATIVE_ID] = "a relative id",
        [FG_FEED_UNUSUAL_ID] = "an id that is a URL in an unusual form",
        [FG_FEED_DUPLICATE_ID] = "an id that occurs twice",
        [FG_FEED_DUPLICATE_LINK] = "two alternates of the same type and language",
        [FG_FEED_BAD_TTL] = "a ttl that is not a positive number",
        [FG_FEED_BAD_SKIP_HOUR] = "an hour that is not 0 to 23, or twice",
        [FG_FEED_BAD_SKIP_DAY] = "a day that is not a weekday, or is listed twice",
        [FG_FEED_BAD_ENCLOSURE] = "an enclosure without a good url, length or type",
        [FG_FEED_BLANK_TITLE] = "an empty title",
        [FG_FEED_OTHER_SELF] = "a self link that leads elsewhere",
    };
    return texts[kind];
}

static void complain(struct fg_feed_reader *reader, enum fg_feed_problem_kind kind,
                     const char *element, struct fg_str value, unsigned line)
{
    fg_feed_complain(reader->feed, reader->arena, kind, element, value, line);
}

void fg_feed_check_date(struct fg_feed_reader *reader, const char *element,
                        const struct fg_feed_date *date, unsigned line, bool is_rss,
                        bool is_module)
{
    fg_time time = date->time;
    struct fg_str text = date->text;
    enum fg_date_form form = fg_date_form(text, time);
    /* Modules take any W3CDTF, which is what our reader takes that starts with a year. */
    bool ok = is_module ? time != FG_NEVER && text.len && fg_is_digit(text.at[0])
              : is_rss  ? form == FG_DATE_RFC822 || form == FG_DATE_RFC822_OLD
                        : form == FG_DATE_RFC3339;
    if (!ok)
        complain(reader, FG_FEED_BAD_DATE, element, text, line);
    else if (form == FG_DATE_RFC822_OLD)
        complain(reader, FG_FEED_OLD_DATE, element, text, line);
    if (time != FG_NEVER && reader->now && (time < 0 || time > reader->now + FG_DAY))
        complain(reader, FG_FEED_IMPLAUSIBLE_DATE, element, text, line);
}

/* A reference, relative or not, without the characters that none may have. */
static bool is_reference(struct fg_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.at[i] <= ' ' || strchr("<>\"{}|\\^`", s.at[i]))
            return false;
    return s.len > 0;
}

static bool is_absolute(struct fg_str s, struct fg_arena *arena)
{
    struct fg_url url;
    return is_reference(s) && fg_feed_has_scheme(s) && fg_url_parse(&url, arena, s, NULL);
}

/* A URL that software on its way would rewrite: capital letters in the host, dot
 * segments, needless or lower-case escapes. */
static bool is_unusual(struct fg_str s, struct fg_arena *arena)
{
    struct fg_url url;
    if (!fg_url_parse(&url, arena, s, NULL))
        return false;
    if (!fg_str_eq(url.href, s))
        return true;
    for (size_t i = 0; i + 2 < s.len; i++) {
        int high = fg_hex(s.at[i + 1]), low = fg_hex(s.at[i + 2]);
        if (s.at[i] != '%' || high < 0 || low < 0)
            continue;
        char c = (char)(high << 4 | low);
        bool is_lower = s.at[i + 1] >= 'a' || s.at[i + 2] >= 'a';
        if (is_lower || fg_is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~')
            return true;
    }
    return false;
}

/* Nobody can visit "tag:", so it is no permalink. */
static bool is_visitable(struct fg_str s, struct fg_arena *arena)
{
    struct fg_url url;
    return fg_url_parse(&url, arena, s, NULL) && fg_url_is_http(&url);
}

void fg_feed_check_id(struct fg_feed_reader *reader, const char *element,
                      struct fg_str id, unsigned line, bool is_rss)
{
    struct fg_arena *arena = reader->arena;
    if (!id.len)
        complain(reader, FG_FEED_BLANK_ID, element, id, line);
    else if (!is_rss && is_reference(id) && !fg_feed_has_scheme(id))
        complain(reader, FG_FEED_RELATIVE_ID, element, id, line);
    else if (!is_absolute(id, arena) || (is_rss && !is_visitable(id, arena)))
        complain(reader, FG_FEED_BAD_ID, element, id, line);
    else if (!is_rss && is_unusual(id, arena))
        complain(reader, FG_FEED_UNUSUAL_ID, element, id, line);
}

void fg_feed_check_link(struct fg_feed_reader *reader, const char *element,
                        struct fg_str href, const struct fg_url *base, unsigned line,
                        bool is_rss)
{
    bool is_relative = !href.len || (is_reference(href) && !fg_feed_has_scheme(href));
    if (is_relative && (!base || is_rss))
        complain(reader, FG_FEED_RELATIVE_LINK, element, href, line);
    else if (!is_relative && !is_absolute(href, reader->arena))
        complain(reader, FG_FEED_BAD_LINK, element, href, line);
}

void fg_feed_check_enclosure(struct fg_feed_reader *reader,
                             const struct fg_feed_link *link, unsigned line)
{
    uint64_t length;
    if (!is_absolute(link->written, reader->arena))
        complain(reader, FG_FEED_BAD_ENCLOSURE, "url", link->written, line);
    if (!fg_str_to_u64(fg_str_trim(link->length), &length))
        complain(reader, FG_FEED_BAD_ENCLOSURE, "length", link->length, line);
    size_t slash = fg_str_chr(link->type, '/');
    if (slash == FG_NOT_FOUND || slash == 0 || slash + 1 == link->type.len)
        complain(reader, FG_FEED_BAD_ENCLOSURE, "type", link->type, line);
}

static bool is_alternate(const struct fg_feed_link *link)
{
    return fg_str_eq(link->rel, FG_STR("alternate"));
}

static void check_links(struct fg_feed *feed, struct fg_arena *arena,
                        const struct fg_feed_item *item)
{
    for (size_t i = 1; i < item->n_links; i++)
        for (size_t k = 0; k < i; k++) {
            const struct fg_feed_link *a = &item->links[k], *b = &item->links[i];
            if (is_alternate(a) && is_alternate(b) && fg_str_eq(a->type, b->type) &&
                fg_str_eq(a->hreflang, b->hreflang)) {
                fg_feed_complain(feed, arena, FG_FEED_DUPLICATE_LINK, "link", b->written,
                                 item->line);
                return;
            }
        }
}

void fg_feed_check_whole(struct fg_feed *feed, struct fg_arena *arena,
                         const struct fg_feed_options *options)
{
    struct fg_names ids = {.arena = arena};
    bool is_atom = feed->kind == FG_FEED_ATOM;
    if (is_atom)
        check_links(feed, arena, &feed->about);
    if (feed->self.len && options->url.len && !fg_str_eq(feed->self, options->url))
        fg_feed_complain(feed, arena, FG_FEED_OTHER_SELF, "link", feed->self, 0);
    for (size_t i = 0; i < feed->n_entries; i++) {
        const struct fg_feed_item *entry = &feed->entries[i];
        if (is_atom)
            check_links(feed, arena, entry);
        if (!entry->id.len)
            continue;
        uint64_t *seen = fg_names_put(&ids, entry->id);
        if (*seen)
            fg_feed_complain(feed, arena, FG_FEED_DUPLICATE_ID, is_atom ? "id" : "guid",
                             entry->id, entry->line);
        *seen = 1;
    }
}
