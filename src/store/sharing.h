/* sharing.h - who is to have which lots, and how much of the budget
 *
 * Decided from what everybody can see (struct fg_lots_state), by functions that neither
 * wait nor write. Each worker decides for itself, and all come to the same: a lot that
 * nobody has is for the worker with the least to do; who has so much more than that one
 * that a lot of his would make the two more even gives it back.
 *
 * The budget is shared out by one of them, the chair: who has the first lot. Lots say how
 * many requests an hour they could use. Above a price of 1 each gets what it asked for
 * divided by the price; the price follows the ratio of what is asked to what there is, by
 * its square root, so that it does not swing. Three in a hundred are shared out evenly,
 * lest a lot that could use nothing never finds out that it could.
 *
 * It is never overspent: what a lot has taken over, and what it may take over at any
 * moment, count until it has been seen to make do with less. */
#ifndef FG_STORE_SHARING_H
#define FG_STORE_SHARING_H

#include "store/lots.h"

/* How much of all there is to do a lot, or a worker, has: all lots are 1 together. Half
 * of it by number, half by load. */
double fg_lot_weight(const struct fg_lots_state *state, size_t lot);
double fg_worker_weight(const struct fg_lots_state *state, struct fg_str worker);

/* Of those who are alive (by their place in state->workers), who has the least to do: the
 * place of the first such. FG_NOBODY: there is none. */
#define FG_NOBODY SIZE_MAX
size_t fg_least_worker(const struct fg_lots_state *state, const bool *is_alive);

/* A lot that this worker is to give back, or FG_NOBODY. By number alone, unless
 * `by_load`: that says more, but only of lots that have been where they are for a while.
 */
size_t fg_lot_to_give(const struct fg_lots_state *state, const bool *is_alive,
                      struct fg_str worker, bool by_load);

/* May a lot be taken that was watched like this? */
bool fg_lot_is_free(const struct fg_lots_state *state, size_t lot,
                    const struct fg_watch *watch, fg_time now, fg_time length);

/* Sets `granted` of all lots, the budget and the price. */
void fg_lots_share(struct fg_lots_state *state, double budget);

#endif
