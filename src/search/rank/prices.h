/* prices.h - what a page gains by being known, against the prices of the places
 *
 *     fg_prices_settle(&prices);
 *     gain = fg_prices_gain(&prices, quality);       of one visit of anybody, at best
 *     fg_lessons_solve(&lessons, &prices, &law);
 *     key = fg_lessons_key(&lessons, seen, liked);   quality with the value of a lesson
 *
 * The price of a place is the key of the page that stands there. A page of known quality
 * Q takes the first place x whose price is below Q, and gains w_x Q - S_x over what stood
 * there, where w_x is the share of visits that x has and S_x what the pages from x on
 * lose by moving down. A page of unknown quality is worth W to its end of life; one more
 * vote changes what is known of it, so being shown at x is worth w_x (mu + rho (EW - W))
 * - S_x: the place to take is that of a page of quality mu + rho (EW - W), which is the
 * key. This is solved from many votes back to none. */
#ifndef FG_SEARCH_RANK_PRICES_H
#define FG_SEARCH_RANK_PRICES_H

#include <stddef.h>

struct fg_prices {
    size_t n;
    const double *share; /* of visits, by place; falling */
    double *at;          /* by place; falling */
    double *surplus;     /* S, by place */
};

/* Makes `surplus` of the rest. */
void fg_prices_settle(struct fg_prices *prices);
double fg_prices_gain(const struct fg_prices *prices, double quality);

/* A page that is expected to have quality `mean`, and to be worth `after` once the next
 * vote is in; rho is the chance that a visit brings that vote. `life` is the visits of
 * everybody in the life of a page. What it is worth now, and its key. */
struct fg_worth {
    double now, key;
};
struct fg_worth fg_prices_worth(const struct fg_prices *prices, double life, double mean,
                                double rho, double after);

/* By votes n and likes s of a page whose quality was drawn from Beta(alpha, beta). */
struct fg_lessons {
    double alpha, beta;
    double life;    /* visits of everybody in the life of a page */
    double watched; /* people, and their share of all */
    double watched_share;
    double patience; /* what is left of a life when a report is in */
    size_t n;        /* votes from which on no further lesson is reckoned with */
    double *key;     /* (n + 1) n / 2 states: that of n, s is n (n + 1) / 2 + s */
    double *worth;   /* (n + 1) (n + 2) / 2 of them */
};
enum { FG_LESSONS_MOST = 64 };

void fg_lessons_solve(struct fg_lessons *lessons, const struct fg_prices *prices);
static inline double fg_lessons_mean(const struct fg_lessons *l, double seen,
                                     double liked)
{
    return (l->alpha + liked) / (l->alpha + l->beta + seen);
}

#endif
