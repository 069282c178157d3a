/* popular.h - how often an offer is clicked, from few clicks
 *
 *     struct fg_popular popular = {0};
 *     fg_popular_resize(&popular, n);
 *     each day: fg_popular_add(&popular, clicks, impressions);
 *     fg_popular_rates(&popular, host, n_hosts, rates);
 *     fg_popular_clear(&popular);
 *
 * Counts are discounted with a half-life of 14 days and shrunk twice: impressions to the
 * mean of the offer's host, clicks to what its impressions make one expect.
 *
 *     shown  = (2 mean shown of the host + I) / (2 + N)
 *     clicks = (6 ctr shown + C) / (6 + N)
 *
 * with C, I, N the discounted clicks, impressions and days. This is FG_TOLD_CLICKS_SMOOTH
 * of policy.h. */
#ifndef FG_LEARN_POPULAR_H
#define FG_LEARN_POPULAR_H

#include <stddef.h>
#include <stdint.h>

struct fg_popular {
    size_t n, room;
    float *clicks, *impressions, *days; /* discounted, one a row */
};

/* Rows that are new start without any counts; rows beyond `n` are forgotten. */
void fg_popular_resize(struct fg_popular *popular, size_t n);
void fg_popular_clear(struct fg_popular *popular);

/* One day of all rows. NaN: nothing is known of that offer's day, and nothing happens to
 * its counts but the discount. A NULL array: of none. */
void fg_popular_add(struct fg_popular *popular, const float *clicks,
                    const float *impressions);

/* Clicks a day to be expected of each row; host[i] < n_hosts. */
void fg_popular_rates(const struct fg_popular *popular, const uint32_t *host,
                      size_t n_hosts, float *out);

#endif
