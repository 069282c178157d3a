/* cover.h - few sets that together hold many items: the greedy cover
 *
 *     struct fg_cover cover = {0};
 *     fg_cover_start(&cover, &sets);
 *     fg_cover_offer(&cover, page);                        for each that may be taken
 *     while (n < budget && fg_cover_next(&cover, &page, &gain))
 *         take it: fg_cover_take(&cover, page);            or do not, and go on
 *     fg_cover_clear(&cover);
 *
 * Take the set with the most items that are not covered yet, and again. Finding the best
 * k sets is NP-hard; these k hold at least 1 - 1/e of what the best hold, and no
 * polynomial algorithm can promise more (Nemhauser, Wolsey and Fisher 1978; Feige 1998).
 * To cover a given share of the items with few sets the same order is used, and is within
 * a factor of ln n.
 *
 * Gains only fall while the cover grows, so a set whose gain, counted again, is still the
 * highest need not be compared with the rest (lazy evaluation, Minoux 1978). Of equal
 * gains the lower number goes first. */
#ifndef FG_LEARN_COVER_H
#define FG_LEARN_COVER_H

#include "base/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the items of a set are to be had; they are used before the next call. A set may
 * not hold an item twice. */
struct fg_cover_sets {
    void *context;
    size_t (*items)(void *context, size_t set, const uint64_t **items);
    size_t below; /* if all items are numbers below this, which is faster; else 0 */
};

struct fg_cover_gain {
    uint32_t set, gain;
};

struct fg_cover {
    struct fg_cover_sets sets;
    struct fg_map covered; /* items, or flags if they are small numbers */
    uint8_t *is_covered;
    size_t size;                /* items covered */
    struct fg_cover_gain *heap; /* the highest gain on top, as it was last counted */
    size_t n, room;
};

/* Nothing is covered, nothing is offered. */
void fg_cover_start(struct fg_cover *cover, const struct fg_cover_sets *sets);
void fg_cover_clear(struct fg_cover *cover);

/* All before the first fg_cover_next. A set without items is not a candidate. */
void fg_cover_offer(struct fg_cover *cover, size_t set);

/* The set that would add the most, and how much; it is no candidate any more. False if no
 * set would add anything. */
bool fg_cover_next(struct fg_cover *cover, size_t *set, size_t *gain);

/* Its items are covered from now on. */
void fg_cover_take(struct fg_cover *cover, size_t set);

#endif
