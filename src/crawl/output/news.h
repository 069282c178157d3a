/* news.h - an event of the outbox, read back for people
 *
 *     struct fg_news news;
 *     fg_news_read(&news, &event);
 *     struct fg_feed_entry entry = fg_news_entry(&arena, &news, page_title);
 *     fg_news_clear(&news);
 *
 * What crawl/sites/pages.c and crawl/documents/document.c have written as a line of JSON.
 */
#ifndef FG_CRAWL_OUTPUT_NEWS_H
#define FG_CRAWL_OUTPUT_NEWS_H

#include "base/arena.h"
#include "net/feed/feed_write.h"
#include "store/store.h"

#include <jansson.h>
#include <stdbool.h>

#define FG_NEWS_DISCOVERY "discovery"
#define FG_NEWS_CHANGED   "changed"
#define FG_NEWS_ALARM     "alarm"
/* An alarm that is over. Who asks for alarms gets these as well. */
#define FG_NEWS_ALARM_CLEARED "alarm-cleared"

enum fg_news_kind { FG_KIND_NEW, FG_KIND_CHANGED, FG_KIND_ALARM, FG_KINDS };
/* Of the kind of an event, or of what a user calls it ("new"); both of alarms are
 * FG_KIND_ALARM. FG_KINDS: of none that is known. */
enum fg_news_kind fg_news_kind(struct fg_str name);
/* What is wrong with the name of a kind, or NULL: for the table of settings. "new" is
 * another word for a discovery. */
const char *fg_news_refuse_kind(struct fg_str kind);

struct fg_news {
    json_t *root; /* private: the texts below are its */
    uint64_t number, id;
    fg_site_id site_id;
    fg_page_id page;
    enum fg_news_kind kind;
    bool is_cleared;      /* an alarm that is over */
    bool is_pushed;       /* found because somebody told us */
    fg_time found, dated; /* dated: as the page or a feed says, if that may be; or
                             FG_NEVER */
    fg_time published;    /* likewise, as the page itself says */
    struct fg_str url, site, found_on, words, title;
    struct fg_str excerpt, language;   /* of a new page that was read */
    struct fg_str before, after, diff; /* of a change */
    struct fg_str text, advice;        /* of an alarm */
};

/* A line that makes no sense has no url. */
void fg_news_read(struct fg_news *news, const struct fg_event_row *event);
void fg_news_clear(struct fg_news *news);

/* What the page itself says is better than the words of the link to it: `page_title`, if
 * it is known by now, is what it is called. */
struct fg_str fg_news_name(const struct fg_news *news, struct fg_str page_title);
/* "Lamp: 19.90 EUR -> 17.50 EUR", "Terms of use: changed"; in the arena. */
struct fg_str fg_news_title(struct fg_arena *arena, const struct fg_news *news,
                            struct fg_str page_title);
struct fg_feed_entry fg_news_entry(struct fg_arena *arena, const struct fg_news *news,
                                   struct fg_str page_title);
/* "published 2026-11-16T09:00:00Z, in en, found on https://..." as far as it is known; in
 * the arena. */
struct fg_str fg_news_origin(struct fg_arena *arena, const struct fg_news *news);
/* The title that the page has now, "" if it is not known. */
struct fg_str fg_news_page_title(struct fg_arena *arena, struct fg_store *store,
                                 const struct fg_news *news);

#endif
