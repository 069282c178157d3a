/* price.h - one price for all fetches, so that a day's budget is spent where it is worth
 * most
 *
 *     struct fg_pricing price;
 *     fg_price_start(&price);
 *     each tick:
 *         fg_price_tick(&price, now, tick, a_day);
 *         ...fetch what cannot wait, fg_price_most(&price) at most...
 *         fg_price_commit(&price, spent);
 *         ...sort what may be fetched now by its index, best first, into `bids`...
 *         size_t n = fg_price_take(&price, bids, n_bids);
 *         ...fetch the first n, or fewer...
 *         fg_price_pay(&price, spent on all of it);
 *
 * Every candidate for a fetch has an index: what fetching it now gains, and not later,
 * per unit of cost. What is above the price is fetched. The price follows a plan of how
 * the day's budget goes over its hours; the plan follows the price from day to day: hours
 * in which the price was above the day's mean get more. At rest the price is the same at
 * every hour, which is the condition for the best use of a budget, and the spending is as
 * uneven as the demand. Never more than three times the plan of an hour, nor four mean
 * hours, nor what is left of the day; in the last eighth of a day what is left is bought
 * even below the price. What cannot wait is part of it, and has no index: it leaves less
 * for the rest, whose price is so much higher.
 *
 * When all that there is lies above the price and could be bought (an outage, or more
 * budget than web) the price tells nothing, and such ticks are left out of what is
 * learnt. The first three days are spent evenly, for there is no price yet.
 *
 * It holds no pointers: it is saved as it stands. Days are days of UTC; days and nights,
 * weekdays and weekends have plans of their own. docs/policies.md has the figures. */
#ifndef FG_POLICY_PRICE_H
#define FG_POLICY_PRICE_H

#include "base/time.h"

#include <stdbool.h>
#include <stddef.h>

enum { FG_PRICE_CELLS = 24, FG_PRICE_EVEN_DAYS = 3 };

/* A fetch that could be made: what a unit of its cost gains, and its cost. */
struct fg_bid {
    float index, cost;
};

struct fg_pricing {
    double budget;                                /* a day */
    double spent;                                 /* of it, so far */
    double level;                                 /* logarithm of the price */
    double day_level[2], plan[2][FG_PRICE_CELLS]; /* on weekdays, at weekends */
    double planned;                               /* share of the day's, so far */
    double wanted; /* what would have been bought today at the price */
    double sum[FG_PRICE_CELLS], ticks[FG_PRICE_CELLS]; /* of levels today, by hour */
    double first_sum, first_ticks; /* of the first indices not taken */
    double in_cell;                /* spent in this hour */
    double must, taken;            /* in this tick: what could not wait; all of it */
    double held;                   /* and what was above the price, but too far ahead */
    int64_t day;                   /* since 1970 */
    fg_time began;                 /* of the first day, where it began */
    fg_time now, tick;
    unsigned days; /* that are over; none counts before it is known what to do */
    unsigned cell; /* the hour */
    bool is_known; /* there is a price */
    bool was_dry;  /* all there was lay above the price, and was bought */
};

void fg_price_start(struct fg_pricing *price);

/* A tick of this length begins; `a_day` may change at any time, and counts at once. */
void fg_price_tick(struct fg_pricing *price, fg_time now, fg_time tick, double a_day);

/* What this tick may cost at most, if it is all for what cannot wait. */
double fg_price_most(const struct fg_pricing *price);

/* So much of it goes for what cannot wait: said once, before what is worth its price is
 * chosen. */
void fg_price_commit(struct fg_pricing *price, double cost);

/* How many of these, the best first, are to be fetched in this tick. */
size_t fg_price_take(struct fg_pricing *price, const struct fg_bid *bids, size_t n);

/* What was spent: on those, and on whatever else had to be fetched. It ends the tick. */
void fg_price_pay(struct fg_pricing *price, double spent);

/* The price of a unit of cost; 0 as long as there is none. */
double fg_price_now(const struct fg_pricing *price);

/* Whether these bytes, read from somewhere, can be a price. */
bool fg_price_is_sound(const struct fg_pricing *price);

#endif
