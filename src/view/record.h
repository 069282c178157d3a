/* record.h - how well a crawl did lately, as far as it can know itself
 *
 *     struct fg_records records = {0};
 *     fg_records_gather(&records, store, &scope, err);
 *     records.all.delay_p50 ...
 *     fg_records_clear(&records);
 *
 * From the store alone: what was told, and what became of those pages since; pages that
 * say when they were published, and whether they were told; pages that were found and not
 * told, each once, by what speaks against it now; the requests made. What the
 * crawl never saw it cannot count: recall here is that of pages it has met, one way or
 * the other, and precision does not know what a reader thinks of a page. */
#ifndef FG_VIEW_RECORD_H
#define FG_VIEW_RECORD_H

#include "crawl/sites/site_rules.h"
#include "crawl/sources/guard.h"
#include "store/store.h"

/* Why a page that was found and read was not reported. */
enum fg_not_told {
    FG_NOT_OLD,      /* dated before the watch */
    FG_NOT_UNPROVEN, /* nothing shows that it is new */
    FG_NOT_COPY,
    FG_NOT_NOINDEX,
    FG_NOT_LIST,
    FG_NOT_ACTION,
    FG_NOT_ERROR,      /* it could not be fetched, or is gone */
    FG_NOT_EMPTY,      /* an error page, or one without text of its own */
    FG_NOT_IRRELEVANT, /* in a focused crawl */
    FG_NOT_TOLD
};
const char *fg_not_told_name(enum fg_not_told reason);

struct fg_record {
    uint64_t told;      /* new pages reported */
    uint64_t wrong;     /* of them, those that proved to be copies, aliases, gone or
                           excluded */
    uint64_t published; /* pages to be told, dated since then and since the watch began */
    uint64_t published_told;
    uint64_t not_told[FG_NOT_TOLD]; /* pages found since then, by enum fg_not_told */
    uint64_t dated; /* told ones that say when they were published, to the minute */
    uint64_t late;  /* of them, those told more than an hour after */
    fg_time delay_p50, delay_p90; /* from publication to report; FG_NEVER: not known */
    uint64_t requests;
    fg_site_id site; /* 0: of all */
};

/* Shares, NaN where nothing was counted. */
double fg_record_precision(const struct fg_record *record);
double fg_record_recall(const struct fg_record *record);
double fg_record_requests_each(const struct fg_record *record);

struct fg_records {
    struct fg_record *sites; /* in order of their ids */
    size_t n_sites;
    struct fg_record all;
};

/* A site as far as it is of interest here. */
struct fg_record_site {
    fg_time watching;                  /* since when it is watched; FG_NEVER: it is not */
    const struct fg_site_rules *rules; /* NULL: none */
    fg_site_id site;
};

struct fg_record_scope {
    const struct fg_record_site *sites; /* in order of their ids */
    size_t n_sites;
    fg_time since;
    struct fg_guard_rules guard; /* what the settings keep out */
    bool is_focused;             /* only relevant pages are told */
};

enum fg_status fg_records_gather(struct fg_records *records, struct fg_store *store,
                                 const struct fg_record_scope *scope, struct fg_err *err);
/* Of a site; NULL if it is not among them. */
struct fg_record *fg_records_find(const struct fg_records *records, fg_site_id site);
void fg_records_clear(struct fg_records *records);

#endif
