/* listing.h - pages in order of their keys, kept so while a few of them change
 *
 *     fg_listing_init(&list, arena, n);
 *     fg_listing_touch(&list, page);              its key is another, or may be
 *     fg_listing_renew(&list, keys, births, is_in_pool);
 *     list.at[place].page, list.pool[i]
 *
 * Highest keys first; of equal keys the older page first, as in the live study (5.10).
 * Pages of the pool stand apart, in no order. A renewal sorts the touched pages; what
 * lies between their old and new places is moved in one piece, which is most of the
 * list: 10,000 pages with 70 touched take 12 us. Memory is the arena's. */
#ifndef FG_LAB_RANK_LISTING_H
#define FG_LAB_RANK_LISTING_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fg_listed {
    double key;
    int32_t birth; /* the day */
    uint32_t page;
};

struct fg_listing {
    size_t n;                     /* of all pages */
    struct fg_listed *at, *other; /* the list, and room for the next */
    size_t n_listed;
    uint32_t *pool;
    size_t n_pool;
    uint32_t *place_in_pool; /* by page; UINT32_MAX: not there */
    uint32_t *touched;
    size_t n_touched;
    bool *is_touched;
    struct fg_listed *was; /* by page, as it stands in the list; UINT32_MAX: not there */
    struct fg_listed *gone, *come;
};

/* All pages are touched, and none is listed yet. */
void fg_listing_init(struct fg_listing *list, struct fg_arena *arena, size_t n);

static inline void fg_listing_touch(struct fg_listing *list, uint32_t page)
{
    if (list->is_touched[page])
        return;
    list->is_touched[page] = true;
    list->touched[list->n_touched++] = page;
}

void fg_listing_touch_all(struct fg_listing *list);

/* Keys and births by page; is_pooled(context, page) says who belongs to the pool, NULL:
 * nobody. */
void fg_listing_renew(struct fg_listing *list, const double *keys, const int32_t *births,
                      bool (*is_pooled)(const void *context, uint32_t page),
                      const void *context);

/* The places from *first to before *end have the key of `place`. */
void fg_listing_equals(const struct fg_listing *list, size_t place, size_t *first,
                       size_t *end);

#endif
