/* filter.h - which events a feed or a webhook is about
 *
 *     struct fg_filter filter;
 *     fg_filter_parse(&filter, arena, FG_STR("tag=shop kind=changed"), err);
 *     if (fg_filter_takes(&filter, &news, tags, title)) ...
 *
 * Conditions are words, key=value; a value with blanks in it is quoted, title="of use".
 *
 *     site=HOST     of this site: its host name, or its address with scheme and port
 *     tag=TAG       of a site with this tag
 *     path=GLOB     whose path and query match; without a * it is a beginning
 *     url=GLOB      whose whole address matches
 *     title=WORDS   whose title, or the link to it, has these words in it
 *     kind=KIND     new (or discovery), changed, or alarm
 *
 * Of several conditions with one key one must hold; of different keys, all. Nothing asks
 * for nothing: it takes every event. */
#ifndef FG_CRAWL_OUTPUT_FILTER_H
#define FG_CRAWL_OUTPUT_FILTER_H

#include "base/arena.h"
#include "base/err.h"
#include "crawl/output/news.h"

enum fg_filter_key {
    FG_FILTER_SITE,
    FG_FILTER_TAG,
    FG_FILTER_PATH,
    FG_FILTER_URL,
    FG_FILTER_TITLE,
    FG_FILTER_KIND,
    FG_FILTER_KEYS,
};

struct fg_filter_condition {
    enum fg_filter_key key;
    struct fg_str value;
};

struct fg_filter {
    struct fg_filter_condition *at; /* in the arena */
    size_t n;
};

/* The next word of a text, its quotes taken off; false at the end. In the arena. */
bool fg_filter_word(struct fg_str *rest, struct fg_arena *arena, struct fg_str *word);
/* Is it a name for conditions: letters, digits, "-" and "_"? */
bool fg_filter_is_name(struct fg_str name);
/* One condition; FG_ECONFIG if it is none. */
enum fg_status fg_filter_add(struct fg_filter *filter, struct fg_arena *arena,
                             struct fg_str word, struct fg_err *err);
enum fg_status fg_filter_parse(struct fg_filter *filter, struct fg_arena *arena,
                               struct fg_str text, struct fg_err *err);

/* `tags` are those of the event's site, with commas between them; `page_title` is what
 * the page is called now, or empty. */
bool fg_filter_takes(const struct fg_filter *filter, const struct fg_news *news,
                     struct fg_str tags, struct fg_str page_title);

/* Is "https://example.org:8443" the site that "example.org", "example.org:8443" or the
 * key itself name? */
bool fg_site_is_named(struct fg_str key, struct fg_str name);

#endif
