#include "lab/rank/listing.h"

#include <stdlib.h>
#include <string.h>

void fg_listing_init(struct fg_listing *list, struct fg_arena *arena, size_t n)
{
    *list = (struct fg_listing){.n = n,
                                .at = FG_NEW(arena, struct fg_listed, n),
                                .other = FG_NEW(arena, struct fg_listed, n),
                                .pool = FG_NEW(arena, uint32_t, n),
                                .place_in_pool = FG_NEW(arena, uint32_t, n),
                                .touched = FG_NEW(arena, uint32_t, n),
                                .is_touched = FG_NEW(arena, bool, n),
                                .was = FG_NEW(arena, struct fg_listed, n),
                                .gone = FG_NEW(arena, struct fg_listed, n),
                                .come = FG_NEW(arena, struct fg_listed, n)};
    for (size_t i = 0; i < n; i++)
        list->was[i].page = UINT32_MAX;
    memset(list->place_in_pool, 0xff, n * sizeof *list->place_in_pool);
    fg_listing_touch_all(list);
}

void fg_listing_touch_all(struct fg_listing *list)
{
    for (size_t i = 0; i < list->n; i++)
        fg_listing_touch(list, (uint32_t)i);
}

static bool is_before(const struct fg_listed *a, const struct fg_listed *b)
{
    if (a->key != b->key)
        return a->key > b->key;
    return a->birth != b->birth ? a->birth < b->birth : a->page < b->page;
}

static int by_place(const void *a, const void *b)
{
    return is_before(a, b) ? -1 : is_before(b, a);
}

static void leave_pool(struct fg_listing *list, uint32_t page)
{
    uint32_t place = list->place_in_pool[page];
    if (place == UINT32_MAX)
        return;
    uint32_t last = list->pool[--list->n_pool];
    list->pool[place] = last;
    list->place_in_pool[last] = place;
    list->place_in_pool[page] = UINT32_MAX;
}

static void enter_pool(struct fg_listing *list, uint32_t page)
{
    if (list->place_in_pool[page] != UINT32_MAX)
        return;
    list->place_in_pool[page] = (uint32_t)list->n_pool;
    list->pool[list->n_pool++] = page;
}

/* The first place from `from` on whose page does not stand before this one. */
static size_t place_for(const struct fg_listing *list, size_t from,
                        const struct fg_listed *page)
{
    size_t to = list->n_listed;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (is_before(&list->at[middle], page))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Takes out what is gone and puts in what has come, both in order. */
static void merge(struct fg_listing *list, size_t n_gone, size_t n_come)
{
    size_t from = 0, n = 0, g = 0, c = 0;
    while (g < n_gone || c < n_come) {
        bool comes =
            c < n_come && (g == n_gone || is_before(&list->come[c], &list->gone[g]));
        const struct fg_listed *page = comes ? &list->come[c++] : &list->gone[g++];
        size_t place = place_for(list, from, page);
        memcpy(list->other + n, list->at + from, (place - from) * sizeof *list->at);
        n += place - from;
        from = place + !comes;
        if (comes)
            list->other[n++] = *page;
    }
    memcpy(list->other + n, list->at + from, (list->n_listed - from) * sizeof *list->at);
    n += list->n_listed - from;
    struct fg_listed *before = list->at;
    list->at = list->other;
    list->other = before;
    list->n_listed = n;
}

void fg_listing_renew(struct fg_listing *list, const double *keys, const int32_t *births,
                      bool (*is_pooled)(const void *context, uint32_t page),
                      const void *context)
{
    size_t n_gone = 0, n_come = 0;
    bool is_anew = list->n_touched == list->n;
    for (size_t i = 0; i < list->n_touched; i++) {
        uint32_t page = list->touched[i];
        struct fg_listed *was = &list->was[page];
        struct fg_listed is = {keys[page], births[page], page};
        list->is_touched[page] = false;
        if (is_pooled && is_pooled(context, page)) {
            enter_pool(list, page);
            is.page = UINT32_MAX;
        } else {
            leave_pool(list, page);
        }
        bool is_same =
            was->page == is.page && was->key == is.key && was->birth == is.birth;
        if (is_same && !is_anew)
            continue;
        if (was->page != UINT32_MAX && !is_anew)
            list->gone[n_gone++] = *was;
        if (is.page != UINT32_MAX)
            list->come[n_come++] = is;
        *was = is;
    }
    list->n_touched = 0;
    if (is_anew)
        list->n_listed = 0;
    qsort(list->gone, n_gone, sizeof *list->gone, by_place);
    qsort(list->come, n_come, sizeof *list->come, by_place);
    merge(list, n_gone, n_come);
}

/* The first place whose key is below the given one, or not above it. */
static size_t search(const struct fg_listing *list, double key, bool is_below)
{
    size_t from = 0, to = list->n_listed;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        double at = list->at[middle].key;
        if (at < key || (!is_below && at == key))
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

void fg_listing_equals(const struct fg_listing *list, size_t place, size_t *first,
                       size_t *end)
{
    double key = list->at[place].key;
    *first = place;
    *end = place + 1;
    if (place > 0 && list->at[place - 1].key == key)
        *first = search(list, key, false);
    if (*end < list->n_listed && list->at[*end].key == key)
        *end = search(list, key, true);
}
