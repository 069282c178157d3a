/* outlook_days.h - what the store says of documents, day by day; private to outlook*.c */
#ifndef FG_CRAWL_OUTLOOK_DAYS_H
#define FG_CRAWL_OUTLOOK_DAYS_H

#include "learn/forecast.h"
#include "store/store.h"

#include <stdatomic.h>

/* Days back from today of which visits are read. */
enum { OUTLOOK_CHANGE_DAYS = 31 };

/* A site that has documents; its counts. */
struct outlook_host {
    fg_site_id site;
    int64_t first, end; /* days that it has counts of */
};

struct outlook_days {
    struct fg_store *store;
    size_t n;
    uint64_t *id;
    uint32_t *host;   /* of each, in `hosts` */
    uint32_t *fields; /* FG_OFFER_IDS each */
    struct outlook_host *hosts;
    size_t n_hosts;
    size_t read; /* documents that have been read, so that it is known what they are */
    int64_t today;
    uint8_t *changes; /* OUTLOOK_CHANGE_DAYS each; 255: not known */
    float *day[3];    /* changes, clicks, impressions of one day */
};

enum fg_status outlook_days_open(struct outlook_days *days, struct fg_store *store,
                                 const uint64_t *ids, size_t n, int64_t today,
                                 const atomic_bool *stop, struct fg_err *err);
void outlook_days_clear(struct outlook_days *days);

/* The first day of which anything is known; today if there is none. */
int64_t outlook_days_first(const struct outlook_days *days);
/* The day after the last that has counts; INT64_MIN if there are none. */
int64_t outlook_days_counted(const struct outlook_days *days);

/* What came on a day; arrays that hold until the next call, NULL where nothing is known.
 */
enum fg_status outlook_days_read(struct outlook_days *days, int64_t day,
                                 struct fg_offer_counts *counts, struct fg_err *err);

#endif
