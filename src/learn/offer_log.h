/* offer_log.h - what happened to each offer on each of the last 30 days
 *
 *     struct fg_offer_log log = {0};
 *     fg_offer_log_resize(&log, n_offers);
 *     each day, once its counts are complete:
 *         fg_offer_log_add(&log, &counts);
 *     fg_offer_log_history(&log, first, n, features);     as of the end of that day
 *     fg_offer_log_clear(&log);
 *
 * Offers are rows 0 .. n-1; who they are the caller knows. 150 bytes an offer. A day of
 * which nothing is known of an offer (not counted, or not there yet) is left out of its
 * averages; what was never known is NaN. */
#ifndef FG_LEARN_OFFER_LOG_H
#define FG_LEARN_OFFER_LOG_H

#include <stddef.h>
#include <stdint.h>

enum { FG_OFFER_LOG_DAYS = 30 };

/* The history features of Han et al. (WWW 2020), Table 3. All are a day; the average is
 * over the days known. */
enum fg_offer_history {
    FG_HISTORY_CHANGES,      /* last 30 days */
    FG_HISTORY_SINCE_CHANGE, /* days since the last change; 30 if it is longer ago */
    FG_HISTORY_CLICKS_1,     /* yesterday */
    FG_HISTORY_CLICKS_7,
    FG_HISTORY_CLICKS_14,
    FG_HISTORY_CLICKS_30,
    FG_HISTORY_IMPRESSIONS_1,
    FG_HISTORY_IMPRESSIONS_7,
    FG_HISTORY_IMPRESSIONS_14,
    FG_HISTORY_IMPRESSIONS_30,
    FG_OFFER_HISTORY /* how many there are */
};

/* One day of all rows. NaN: not known of that offer; a NULL array: of none. Changes above
 * 254 and counts above 65534 are kept as that. */
struct fg_offer_counts {
    const float *changes, *clicks, *impressions;
};

struct fg_offer_log {
    size_t n, room;
    uint32_t days;    /* added so far */
    uint8_t *changes; /* of day d in plane d % FG_OFFER_LOG_DAYS, `room` apart */
    uint16_t *clicks, *impressions;
};

/* Rows that are new know nothing; rows beyond `n` are forgotten. */
void fg_offer_log_resize(struct fg_offer_log *log, size_t n);
void fg_offer_log_clear(struct fg_offer_log *log);

void fg_offer_log_add(struct fg_offer_log *log, const struct fg_offer_counts *day);

/* FG_OFFER_HISTORY features each of rows first .. first + n, side by side. */
void fg_offer_log_history(const struct fg_offer_log *log, size_t first, size_t n,
                          float *out);

#endif
