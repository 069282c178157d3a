/* feeds.h - a folder of feeds: of all sites, of each site, tag, query and named document
 *
 *     struct fg_feeds *feeds;
 *     fg_feeds_new(&feeds, store, &settings, "public/feeds", err);
 *     fg_feeds_update(feeds, err);       (what has come since the last time)
 *     fg_feeds_write(feeds, err);        (the feeds that are not what they were)
 *     fg_feeds_free(feeds);
 *
 * Each feed is three files, .rss, .atom and .json:
 *
 *     all              new pages of all sites        changes        of all documents
 *     sites/HOST       new pages of one site         tags/TAG       of sites with a tag
 *     queries/NAME     what the conditions take      pages/...      changes of one
 *                                                                   document, if the user
 *                                                                   named it
 *
 * A feed holds the newest events, and only numbers of them are kept in memory: the outbox
 * is read once, and from then on as far as it is new. A file is replaced as a whole, and
 * only if it would differ, so that readers may trust its date. The store is only read:
 * all of this may be done by another thread, or another process, than the crawl. */
#ifndef FG_CRAWL_OUTPUT_FEEDS_H
#define FG_CRAWL_OUTPUT_FEEDS_H

#include "base/err.h"
#include "base/opt.h"
#include "crawl/output/filter.h"
#include "crawl/output/output.h"
#include "store/store.h"

struct fg_feeds_settings {
    struct fg_str dir, url;
    int64_t items;
    fg_time every;
    struct fg_opt_list queries;
};

extern const struct fg_output_kind fg_output_feeds; /* publish.c; with these settings */

/* "prices tag=shop kind=changed": a name that can be part of a file's, and conditions. */
struct fg_query {
    struct fg_str name;
    struct fg_filter filter;
};
enum fg_status fg_query_parse(struct fg_query *query, struct fg_arena *arena,
                              struct fg_str text, struct fg_err *err);
/* All of feeds.queries; two of one name are refused. */
enum fg_status fg_queries_parse(struct fg_query **queries, struct fg_arena *arena,
                                const struct fg_opt_list *list, struct fg_err *err);

struct fg_feeds;

enum fg_status fg_feeds_new(struct fg_feeds **feeds, struct fg_store *store,
                            const struct fg_feeds_settings *settings, const char *folder,
                            struct fg_err *err);
void fg_feeds_free(struct fg_feeds *feeds);

enum fg_status fg_feeds_update(struct fg_feeds *feeds, struct fg_err *err);
enum fg_status fg_feeds_write(struct fg_feeds *feeds, struct fg_err *err);

struct fg_feeds_view {
    struct fg_str path; /* within the folder, without the suffix */
    struct fg_str title;
    size_t items;
    bool is_gone; /* with its site: its files are not there */
};
size_t fg_feeds_len(const struct fg_feeds *feeds);
struct fg_feeds_view fg_feeds_at(const struct fg_feeds *feeds, size_t i);

/* A name for a file from any text: letters, digits, dots, "-" and "_" stay; if something
 * had to go, a hash tells it from its like. In the arena. */
struct fg_str fg_feeds_file_name(struct fg_arena *arena, struct fg_str text);

#endif
