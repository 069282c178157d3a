/* sitemap.c - sitemaps and indexes of them, as they arrive
 *
 *     bytes -> gunzip, up to twice -> XML or lines -> entries
 *
 * In XML only names count, not nesting: an entry is what stands between one <url> or
 * <loc> and the next, so a missing or doubled tag costs no more than the entry it is in.
 * That <image:loc> is no <loc> is told by its namespace. A root that is that of a feed
 * hands all events on to feed_reader.c. */
#include "net/feed/sitemap.h"

#include "base/err.h"
#include "base/memory.h"
#include "net/feed/feed_parts.h"
#include "net/feed/xml.h"
#include "net/http/gunzip.h"
#include "net/text/date.h"

#include <stdlib.h>

enum {
    PACKED_MAX = 2,       /* gzip within gzip: a packed file sent packed */
    FIELD_MAX = 2 * 4096, /* of any element, blanks included */
    LOOK_BYTES = 4096,    /* blanks before the first letter */
    HOPELESS_LINES = 100, /* lines of text without a URL, after which we give up */
};

enum format { UNDECIDED, MARKUP, LINES };

enum element {
    NOTHING,
    URL,
    SITEMAP,
    LOC,
    LASTMOD,
    CHANGEFREQ,
    PRIORITY,
    NEWS_TITLE,
    NEWS_DATE
};

struct fg_sitemap {
    void (*take)(void *context, const struct fg_sitemap_entry *entry);
    void *context;
    struct fg_sitemap_result result;
    struct fg_arena arena;   /* for the life of the whole */
    struct fg_arena scratch; /* for an entry */
    struct fg_url base;
    bool has_base, in_scope_only;
    bool is_done; /* no more input is wanted */
    bool is_full; /* no more entries either */
    size_t max_urls, max_bytes;
    struct fg_str charset;

    struct level {
        struct fg_sitemap *map;
        struct fg_gunzip *gunzip;
        bool is_decided;
        char first; /* a byte that is not enough to tell */
        bool has_first;
    } levels[PACKED_MAX + 1];

    enum format format;
    struct fg_buf hold; /* before the format is known; then the line or field */
    struct fg_buf bare; /* text in an entry but in no element: some forget the <loc> */
    struct fg_xml *xml;
    unsigned line, n_hopeless;
    unsigned depth, entry_depth, field_depth;
    enum element field;            /* whose text we collect */
    struct fg_sitemap_entry entry; /* being read */
    bool in_entry;                 /* an <url> is open, or a <loc> without one was seen */
    bool is_long;                  /* its loc did not fit */
    struct fg_feed_reader *feed;   /* if it is one */
};

static void complain(struct fg_sitemap *map, enum fg_sitemap_issue issue, unsigned line)
{
    if (map->result.issues[issue].count++ == 0)
        map->result.issues[issue].line = line;
}

/* --- entries --- */

/* How long the blank of Unicode at the start of `s` is, or at its end; 0 if none is. */
static size_t blank_at(struct fg_str s, bool at_end)
{
    static const char *const blanks[] = {
        "\u00A0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004",
        "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200A", "\u200B",
        "\u2028", "\u2029", "\u202F", "\u205F", "\u3000", "\uFEFF"};
    if (!s.len || (unsigned char)s.at[at_end ? s.len - 1 : 0] < 0x80)
        return 0;
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++) {
        struct fg_str blank = fg_str_from(blanks[i]);
        if (at_end ? fg_str_ends(s, blank) : fg_str_starts(s, blank))
            return blank.len;
    }
    return 0;
}

/* Some editors paste them around addresses. */
static struct fg_str trim(struct fg_str s)
{
    size_t n;
    s = fg_str_trim(s);
    while ((n = blank_at(s, false)))
        s = fg_str_trim(fg_str_skip(s, n));
    while ((n = blank_at(s, true)))
        s = fg_str_trim(fg_str_sub(s, 0, s.len - n));
    return s;
}

/* "www.example.org/page" is not meant as a folder of that name. */
static bool lacks_scheme(const struct fg_sitemap *map, struct fg_str loc)
{
    if (!map->has_base || fg_feed_has_scheme(loc) || loc.at[0] == '/')
        return false;
    struct fg_str host = fg_url_hostname(&map->base);
    bool is_host = fg_str_starts_nocase(loc, host) &&
                   (loc.len == host.len || strchr("/:?#", loc.at[host.len]));
    return is_host || fg_str_starts_nocase(loc, FG_STR("www."));
}

static bool resolve(struct fg_sitemap *map, struct fg_url *url, struct fg_str loc)
{
    if (lacks_scheme(map, loc)) {
        struct fg_str scheme = fg_url_protocol(&map->base);
        loc = fg_arena_printf(&map->scratch, "%.*s//%.*s", FG_ARG(scheme), FG_ARG(loc));
    }
    return fg_url_parse(url, &map->scratch, loc, map->has_base ? &map->base : NULL) &&
           fg_url_is_http(url);
}

bool fg_sitemap_in_scope(const struct fg_url *sitemap, const struct fg_url *url)
{
    struct fg_str folder = fg_url_pathname(sitemap);
    while (folder.len && folder.at[folder.len - 1] != '/')
        folder.len--;
    return sitemap->scheme == url->scheme &&
           fg_str_eq(fg_url_host(sitemap), fg_url_host(url)) &&
           fg_str_starts(fg_url_pathname(url), folder);
}

/* The entry is complete: check it and hand it over. */
static void give(struct fg_sitemap *map, struct fg_sitemap_entry *entry)
{
    struct fg_url url;
    if (map->is_full)
        return;
    if (entry->loc.len > FG_SITEMAP_LOC_MAX || map->is_long) {
        complain(map, FG_SITEMAP_LONG_LOC, entry->line);
    } else if (!entry->loc.len) {
        complain(map, FG_SITEMAP_NO_LOC, entry->line);
    } else if (!resolve(map, &url, entry->loc)) {
        complain(map, FG_SITEMAP_BAD_LOC, entry->line);
    } else if (map->in_scope_only && map->has_base &&
               !fg_sitemap_in_scope(&map->base, &url)) {
        complain(map, FG_SITEMAP_OUT_OF_SCOPE, entry->line);
    } else if (map->result.n_urls == map->max_urls) {
        complain(map, FG_SITEMAP_TOO_MANY_URLS, entry->line);
        map->is_full = map->is_done = true;
    } else {
        entry->url = &url;
        map->result.n_urls++;
        map->take(map->context, entry);
    }
}

static void begin_entry(struct fg_sitemap *map, unsigned line)
{
    fg_arena_reset(&map->scratch);
    map->entry = (struct fg_sitemap_entry){
        .lastmod = FG_NEVER, .news_date = FG_NEVER, .priority = -1, .line = line};
    map->in_entry = true;
    map->is_long = false;
    fg_buf_reset(&map->bare);
}

static void end_entry(struct fg_sitemap *map)
{
    if (!map->in_entry)
        return;
    map->in_entry = false;
    if (!map->entry.loc.len && !map->bare.full && !(map->xml && fg_xml_is_cut(map->xml)))
        map->entry.loc = trim(fg_buf_str(&map->bare));
    give(map, &map->entry);
}

/* --- fields --- */

static enum fg_changefreq read_changefreq(struct fg_str text)
{
    static const char *const names[] = {
        [FG_CHANGE_ALWAYS] = "always",   [FG_CHANGE_HOURLY] = "hourly",
        [FG_CHANGE_DAILY] = "daily",     [FG_CHANGE_WEEKLY] = "weekly",
        [FG_CHANGE_MONTHLY] = "monthly", [FG_CHANGE_YEARLY] = "yearly",
        [FG_CHANGE_NEVER] = "never"};
    for (int i = FG_CHANGE_ALWAYS; i <= FG_CHANGE_NEVER; i++)
        if (fg_str_eq_nocase(fg_str_from(names[i]), text))
            return (enum fg_changefreq)i;
    return FG_CHANGE_UNKNOWN;
}

/* "0.8" is by far the most common form, and strtod is slow. */
static double read_priority(struct fg_str text)
{
    double value;
    if (text.len == 3 && text.at[1] == '.' && fg_is_digit(text.at[2]) &&
        (text.at[0] == '0' || (text.at[0] == '1' && text.at[2] == '0')))
        return (text.at[0] - '0') + (text.at[2] - '0') / 10.0;
    return fg_str_to_double(text, &value) && value >= 0 && value <= 1 ? value : -1;
}

static fg_time read_date(struct fg_sitemap *map, struct fg_str text)
{
    bool is_local;
    fg_time time = fg_date_parse_zoned(text, &is_local);
    map->entry.is_local |= is_local;
    if (time == FG_NEVER && text.len)
        complain(map, FG_SITEMAP_BAD_LASTMOD, fg_xml_line(map->xml));
    return time;
}

static void end_field(struct fg_sitemap *map)
{
    struct fg_sitemap_entry *entry = &map->entry;
    struct fg_str text = trim(fg_buf_str(&map->hold));
    struct fg_str copy = fg_arena_dup(&map->scratch, text);
    switch (map->field) {
    case LOC:
        /* Half a URL is worse than none. */
        entry->loc = fg_xml_is_cut(map->xml) ? (struct fg_str){0} : copy;
        map->is_long =
            map->hold.full; /* longer than we look at, so longer than allowed */
        break;
    case LASTMOD:
        entry->lastmod_text = copy;
        entry->lastmod = read_date(map, text);
        break;
    case CHANGEFREQ:
        entry->changefreq = read_changefreq(text);
        if (entry->changefreq == FG_CHANGE_UNKNOWN && text.len)
            complain(map, FG_SITEMAP_BAD_CHANGEFREQ, fg_xml_line(map->xml));
        break;
    case PRIORITY:
        entry->priority = read_priority(text);
        if (entry->priority < 0)
            complain(map, FG_SITEMAP_BAD_PRIORITY, fg_xml_line(map->xml));
        break;
    case NEWS_TITLE:
        entry->news_title = copy;
        break;
    case NEWS_DATE:
        entry->news_date = read_date(map, text);
        break;
    case NOTHING:
    case URL:
    case SITEMAP:
        break;
    }
    map->field = NOTHING;
}

/* What an element is, by its length first: this is asked for every tag. */
static enum element element_named(enum fg_xml_ns ns, struct fg_str name)
{
    static const struct {
        struct fg_str name;
        enum fg_xml_ns ns;
        enum element element;
    } elements[] = {
        {{"url", 3}, FG_NS_SITEMAP, URL},
        {{"loc", 3}, FG_NS_SITEMAP, LOC},
        {{"lastmod", 7}, FG_NS_SITEMAP, LASTMOD},
        {{"changefreq", 10}, FG_NS_SITEMAP, CHANGEFREQ},
        {{"priority", 8}, FG_NS_SITEMAP, PRIORITY},
        {{"sitemap", 7}, FG_NS_SITEMAP, SITEMAP},
        {{"title", 5}, FG_NS_NEWS, NEWS_TITLE},
        {{"publication_date", 16}, FG_NS_NEWS, NEWS_DATE},
    };
    ns = ns == FG_NS_NONE ? FG_NS_SITEMAP : ns;
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (elements[i].name.len == name.len && elements[i].ns == ns &&
            fg_str_eq_nocase(elements[i].name, name))
            return elements[i].element;
    return NOTHING;
}

/* --- feeds --- */

/* A guid is better than nothing, whatever it says of itself. */
static void take_feed_entry(void *context, struct fg_feed_item *item)
{
    struct fg_sitemap *map = context;
    begin_entry(map, item->line);
    struct fg_sitemap_entry *entry = &map->entry;
    entry->loc = item->link.len ? item->link : item->id;
    const struct fg_feed_date *date = &item->dates[FG_FEED_UPDATED];
    if (date->time == FG_NEVER)
        date = &item->dates[FG_FEED_PUBLISHED];
    entry->lastmod = date->time;
    fg_date_parse_zoned(date->text, &entry->is_local);
    entry->lastmod_text = date->text;
    entry->news_title = item->texts[FG_FEED_TITLE].value;
    end_entry(map);
}

static void begin_feed(struct fg_sitemap *map, enum fg_feed_kind kind)
{
    struct fg_feed_options options = {.url = map->has_base ? map->base.href
                                                           : (struct fg_str){0}};
    map->result.kind = kind == FG_FEED_ATOM ? FG_SITEMAP_ATOM : FG_SITEMAP_RSS;
    map->feed = FG_NEW(&map->arena, struct fg_feed_reader, 1);
    fg_feed_reader_init(map->feed, &map->arena, &options);
    map->feed->on_entry = take_feed_entry;
    map->feed->context = map;
    map->feed->xml = map->xml;
}

/* --- markup --- */

static void begin_root(struct fg_sitemap *map, const struct fg_xml_tag *tag)
{
    enum fg_feed_kind kind = fg_feed_kind_of(tag->ns, tag->name);
    if (kind != FG_FEED_NONE)
        begin_feed(map, kind);
    else if (fg_str_eq_nocase(tag->name, FG_STR("urlset")))
        map->result.kind = FG_SITEMAP_URLS;
    else if (fg_str_eq_nocase(tag->name, FG_STR("sitemapindex")))
        map->result.kind = FG_SITEMAP_INDEX;
    else if (fg_str_eq_nocase(tag->name, FG_STR("html")))
        map->is_done = true;
}

static void on_start(void *context, const struct fg_xml_tag *tag)
{
    struct fg_sitemap *map = context;
    if (map->depth++ == 0)
        begin_root(map, tag);
    if (map->feed) {
        fg_feed_reader_start(map->feed, tag);
        return;
    }
    if (map->field != NOTHING)
        return;
    enum element element = element_named(tag->ns, tag->name);
    if (element == URL || element == SITEMAP) {
        end_entry(map);
        begin_entry(map, fg_xml_line(map->xml));
        map->entry_depth = map->depth;
        if (map->result.kind == FG_SITEMAP_NONE)
            map->result.kind = element == URL ? FG_SITEMAP_URLS : FG_SITEMAP_INDEX;
        return;
    }
    if (element == LOC && (!map->in_entry || map->entry.loc.len)) {
        end_entry(map);
        begin_entry(map, fg_xml_line(map->xml));
    }
    if (element == NOTHING || !map->in_entry)
        return;
    map->field = element;
    map->field_depth = map->depth;
    fg_buf_reset(&map->hold);
}

static void on_end(void *context)
{
    struct fg_sitemap *map = context;
    if (map->feed) {
        fg_feed_reader_end(map->feed);
    } else if (map->field != NOTHING && map->depth == map->field_depth) {
        end_field(map);
    } else if (map->depth <= map->entry_depth || map->depth == 1) {
        end_entry(map);
        map->entry_depth = 0;
    }
    map->depth--;
}

static void on_text(void *context, struct fg_str text)
{
    struct fg_sitemap *map = context;
    if (map->feed)
        fg_feed_reader_text(map->feed, text);
    else if (map->field != NOTHING)
        fg_buf_add(&map->hold, text);
    else if (map->in_entry && map->depth == map->entry_depth && !map->entry.loc.len &&
             (map->bare.len || fg_str_trim(text).len))
        fg_buf_add(&map->bare, text);
}

/* --- lines --- */

static void end_line(struct fg_sitemap *map)
{
    struct fg_url url;
    begin_entry(map, map->line);
    struct fg_str line = trim(fg_utf8_clean(&map->scratch, fg_buf_str(&map->hold)));
    map->in_entry = false;
    if (map->hold.full) {
        complain(map, FG_SITEMAP_LONG_LOC, map->line);
    } else if (line.len &&
               !(fg_url_parse(&url, &map->scratch, line, NULL) && fg_url_is_http(&url))) {
        complain(map, FG_SITEMAP_BAD_LOC, map->line);
        if (++map->n_hopeless >= HOPELESS_LINES && map->result.n_urls == 0)
            map->is_done = true;
    } else if (line.len) {
        map->entry.loc = line;
        give(map, &map->entry);
    }
    fg_buf_reset(&map->hold);
}

static void feed_lines(struct fg_sitemap *map, struct fg_str bytes)
{
    while (bytes.len && !map->is_done) {
        size_t n = 0;
        while (n < bytes.len && bytes.at[n] != '\n' && bytes.at[n] != '\r')
            n++;
        fg_buf_add(&map->hold, fg_str_sub(bytes, 0, n));
        if (n == bytes.len)
            return;
        end_line(map);
        map->line += bytes.at[n] == '\n';
        bytes = fg_str_skip(bytes, n + 1);
    }
}

/* --- from bytes to markup or lines --- */

static void begin_format(struct fg_sitemap *map, enum format format)
{
    static const struct fg_xml_handler handler = {on_start, on_end, on_text};
    struct fg_str held = fg_arena_dup(&map->arena, fg_buf_str(&map->hold));
    fg_buf_reset(&map->hold);
    map->format = format;
    if (format == MARKUP) {
        map->xml = fg_xml_new(&handler, map, map->charset);
        fg_xml_feed(map->xml, held);
    } else {
        feed_lines(map, held);
    }
}

/* Markup starts with "<", behind blanks and a byte order mark; NULs are half of UTF-16.
 */
static void decide_format(struct fg_sitemap *map, struct fg_str bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        char c = bytes.at[i];
        bool is_mark =
            strchr("\xEF\xBB\xBF\xFE\xFF", c) != NULL; /* NUL is found as well */
        if (fg_is_space(c) || is_mark)
            continue;
        begin_format(map, c == '<' ? MARKUP : LINES);
        return;
    }
}

static void feed_plain(struct fg_sitemap *map, struct fg_str bytes)
{
    size_t room = map->max_bytes - map->result.unpacked_bytes;
    if (bytes.len > room) {
        complain(map, FG_SITEMAP_TOO_LARGE, 0);
        bytes.len = room;
    }
    map->result.unpacked_bytes += bytes.len;
    if (map->format == UNDECIDED) {
        struct fg_str look = fg_str_sub(bytes, 0, LOOK_BYTES - map->hold.len);
        fg_buf_add(&map->hold, look);
        bytes = fg_str_skip(bytes, look.len);
        decide_format(map, fg_buf_str(&map->hold));
        if (map->format == UNDECIDED && map->hold.len == LOOK_BYTES)
            begin_format(map, LINES);
    }
    if (map->format == MARKUP && bytes.len)
        fg_xml_feed(map->xml, bytes);
    else if (map->format == LINES)
        feed_lines(map, bytes);
    map->is_done |= map->result.unpacked_bytes == map->max_bytes;
}

static void feed_level(void *context, struct fg_str bytes);

static void feed_gunzip(struct fg_sitemap *map, struct level *level, struct fg_str bytes)
{
    switch (fg_gunzip_feed(level->gunzip, bytes)) {
    case FG_GUNZIP_OK:
        return;
    case FG_GUNZIP_BROKEN:
        complain(map, FG_SITEMAP_BROKEN_GZIP, 0);
        break;
    case FG_GUNZIP_CUT:
        complain(map, FG_SITEMAP_CUT_GZIP, 0);
        break;
    case FG_GUNZIP_TOO_LARGE:
        complain(map, FG_SITEMAP_TOO_LARGE, 0);
        break;
    case FG_GUNZIP_BOMB:
        complain(map, FG_SITEMAP_BOMB, 0);
        break;
    }
    map->is_done = true;
}

/* The last level takes what comes as it is. */
static void decide_level(struct fg_sitemap *map, struct level *level, struct fg_str bytes)
{
    level->is_decided = true;
    bool is_last = level == &map->levels[PACKED_MAX];
    if (!fg_gunzip_is_gzip(bytes))
        return;
    if (is_last) {
        complain(map, FG_SITEMAP_BOMB, 0);
        map->is_done = true;
        return;
    }
    level->gunzip = fg_gunzip_new(map->max_bytes, feed_level, level + 1);
}

static void feed_decided(struct fg_sitemap *map, struct level *level, struct fg_str bytes)
{
    if (level->gunzip)
        feed_gunzip(map, level, bytes);
    else
        feed_plain(map, bytes);
}

static void feed_level(void *context, struct fg_str bytes)
{
    struct level *level = context;
    struct fg_sitemap *map = level->map;
    if (map->is_done || !bytes.len)
        return;
    if (!level->is_decided) {
        if (!level->has_first && bytes.len == 1) {
            level->first = bytes.at[0];
            level->has_first = true;
            return;
        }
        char two[2] = {level->has_first ? level->first : bytes.at[0],
                       level->has_first ? bytes.at[0] : bytes.at[1]};
        decide_level(map, level, (struct fg_str){two, 2});
        if (level->has_first && !map->is_done)
            feed_decided(map, level, (struct fg_str){two, 1});
    }
    if (!map->is_done)
        feed_decided(map, level, bytes);
}

/* --- life --- */

struct fg_sitemap *fg_sitemap_new(const struct fg_sitemap_options *options,
                                  void (*take)(void *context,
                                               const struct fg_sitemap_entry *entry),
                                  void *context)
{
    struct fg_sitemap *map = fg_zeroed(1, sizeof *map);
    map->take = take;
    map->context = context;
    map->line = 1;
    map->in_scope_only = options->in_scope_only;
    map->max_urls = options->max_urls ? options->max_urls : FG_SITEMAP_URLS_MAX;
    map->max_bytes = options->max_bytes ? options->max_bytes : FG_SITEMAP_BYTES_MAX;
    map->charset = fg_arena_dup(&map->arena, options->charset);
    map->has_base = fg_url_parse(&map->base, &map->arena, options->url, NULL);
    fg_buf_init(&map->hold, FIELD_MAX);
    fg_buf_init(&map->bare, FIELD_MAX);
    for (size_t i = 0; i <= PACKED_MAX; i++)
        map->levels[i].map = map;
    return map;
}

void fg_sitemap_free(struct fg_sitemap *map)
{
    if (!map)
        return;
    if (map->feed)
        fg_feed_reader_clear(map->feed);
    for (size_t i = 0; i <= PACKED_MAX; i++)
        fg_gunzip_free(map->levels[i].gunzip);
    fg_xml_free(map->xml);
    fg_buf_clear(&map->hold);
    fg_buf_clear(&map->bare);
    fg_arena_clear(&map->scratch);
    fg_arena_clear(&map->arena);
    free(map);
}

bool fg_sitemap_feed(struct fg_sitemap *map, struct fg_str bytes)
{
    feed_level(&map->levels[0], bytes);
    return !map->is_done;
}

const struct fg_sitemap_result *fg_sitemap_finish(struct fg_sitemap *map)
{
    struct fg_sitemap_result *result = &map->result;
    for (size_t i = 0; i < PACKED_MAX && map->levels[i].gunzip && !map->is_done; i++)
        if (fg_gunzip_finish(map->levels[i].gunzip) == FG_GUNZIP_CUT)
            complain(map, FG_SITEMAP_CUT_GZIP, 0);
    if (map->format == MARKUP) {
        bool was_done = map->is_done;
        fg_xml_finish(map->xml);
        result->xml = *fg_xml_problems(map->xml);
        result->well_formed = fg_xml_is_well_formed(map->xml);
        if (was_done) /* it was us who cut it short */
            result->xml.line[FG_XML_TRUNCATED] = 0;
        if (map->feed && map->feed->feed->cut)
            complain(map, FG_SITEMAP_TOO_LARGE, 0);
    } else if (map->format == LINES) {
        /* Half a URL is worse than none. */
        bool is_half = result->issues[FG_SITEMAP_CUT_GZIP].count > 0;
        if (map->hold.len && !map->is_done && !is_half)
            end_line(map);
        result->kind = result->n_urls ? FG_SITEMAP_TEXT : FG_SITEMAP_NONE;
        result->well_formed = result->n_urls > 0;
    }
    if (result->kind == FG_SITEMAP_NONE)
        complain(map, FG_SITEMAP_UNRECOGNISED, 1);
    return result;
}

const char *fg_sitemap_kind_name(enum fg_sitemap_kind kind)
{
    static const char *const names[] = {"none", "urlset", "index", "text", "rss", "atom"};
    return names[kind];
}

const char *fg_sitemap_issue_text(enum fg_sitemap_issue issue)
{
    static const char *const texts[FG_SITEMAP_ISSUES] = {
        [FG_SITEMAP_BAD_LOC] = "a loc that is not an http or https URL",
        [FG_SITEMAP_LONG_LOC] = "a loc that is too long",
        [FG_SITEMAP_NO_LOC] = "an entry without a loc",
        [FG_SITEMAP_BAD_LASTMOD] = "a lastmod that is not a date",
        [FG_SITEMAP_BAD_CHANGEFREQ] = "an unknown changefreq",
        [FG_SITEMAP_BAD_PRIORITY] = "a priority that is not between 0 and 1",
        [FG_SITEMAP_OUT_OF_SCOPE] = "a URL outside the folder of the sitemap",
        [FG_SITEMAP_TOO_MANY_URLS] = "more URLs than allowed",
        [FG_SITEMAP_TOO_LARGE] = "more bytes than allowed",
        [FG_SITEMAP_BOMB] = "packed too well to be a sitemap",
        [FG_SITEMAP_BROKEN_GZIP] = "broken gzip",
        [FG_SITEMAP_CUT_GZIP] = "gzip that ends in the middle",
        [FG_SITEMAP_UNRECOGNISED] = "not a sitemap",
    };
    return texts[issue];
}
