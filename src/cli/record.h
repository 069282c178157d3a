/* record.h - how well a crawl did lately, as far as it can know itself
 *
 *     struct fg_records records = {0};
 *     fg_records_gather(&records, store, sites, n_sites, since, now, err);
 *     records.all.delay_p50 ...
 *     fg_records_clear(&records);
 *
 * From the store alone: what was told, and what became of those pages since; pages that
 * say when they were published, and whether they were told; the requests made. What the
 * crawl never saw it cannot count: recall here is that of pages it has met, one way or
 * the other, and precision does not know what a reader thinks of a page. */
#ifndef FG_CLI_RECORD_H
#define FG_CLI_RECORD_H

#include "base/vec.h"
#include "store/store.h"

struct fg_record {
    uint64_t told;      /* new pages reported */
    uint64_t wrong;     /* of them, those that proved to be copies, aliases, gone or
                           excluded */
    uint64_t published; /* pages dated since then, and since the site is watched */
    uint64_t published_told;
    uint64_t dated; /* told ones that say when they were published, to the minute */
    uint64_t late;  /* of them, those told more than an hour after */
    fg_time delay_p50, delay_p90; /* from publication to report; FG_NEVER: not known */
    uint64_t requests;
};

/* Shares, NaN where nothing was counted. */
double fg_record_precision(const struct fg_record *record);
double fg_record_recall(const struct fg_record *record);
double fg_record_requests_each(const struct fg_record *record);

struct fg_records {
    struct fg_record *sites; /* by id - 1 */
    size_t n_sites;
    struct fg_record all;
};

/* A site as far as it is of interest here. */
struct fg_record_site {
    fg_time watching; /* since when it is watched; FG_NEVER: it is not */
};

enum fg_status fg_records_gather(struct fg_records *records, struct fg_store *store,
                                 const struct fg_record_site *sites, size_t n_sites,
                                 fg_time since, struct fg_err *err);
void fg_records_clear(struct fg_records *records);

#endif
