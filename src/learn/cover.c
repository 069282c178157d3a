#include "learn/cover.h"

#include "base/err.h"
#include "base/memory.h"

#include <stdlib.h>

static bool is_better(struct fg_cover_gain a, struct fg_cover_gain b)
{
    return a.gain != b.gain ? a.gain > b.gain : a.set < b.set;
}

static void sink(struct fg_cover_gain *heap, size_t n, size_t at)
{
    struct fg_cover_gain gain = heap[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && is_better(heap[child + 1], heap[child]))
            child++;
        if (!is_better(heap[child], gain))
            break;
        heap[at] = heap[child];
    }
    heap[at] = gain;
}

static void rise(struct fg_cover_gain *heap, size_t at)
{
    struct fg_cover_gain gain = heap[at];
    for (; at && is_better(gain, heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = gain;
}

static void drop_top(struct fg_cover *cover)
{
    cover->heap[0] = cover->heap[--cover->n];
    if (cover->n)
        sink(cover->heap, cover->n, 0);
}

void fg_cover_start(struct fg_cover *cover, const struct fg_cover_sets *sets)
{
    fg_map_clear(&cover->covered);
    free(cover->is_covered);
    cover->is_covered = sets->below ? calloc(sets->below, 1) : NULL;
    if (sets->below && !cover->is_covered)
        fg_out_of_memory();
    cover->sets = *sets;
    cover->n = cover->size = 0;
}

void fg_cover_clear(struct fg_cover *cover)
{
    fg_map_clear(&cover->covered);
    free(cover->is_covered);
    free(cover->heap);
    *cover = (struct fg_cover){0};
}

void fg_cover_offer(struct fg_cover *cover, size_t set)
{
    const uint64_t *items;
    size_t n = cover->sets.items(cover->sets.context, set, &items);
    if (!n)
        return;
    if (cover->n == cover->room) {
        cover->room = cover->room ? cover->room * 2 : 64;
        cover->heap = fg_resized(cover->heap, cover->room, sizeof *cover->heap);
    }
    cover->heap[cover->n] = (struct fg_cover_gain){(uint32_t)set, (uint32_t)n};
    rise(cover->heap, cover->n++);
}

static uint32_t count_uncovered(const struct fg_cover *cover, size_t set)
{
    const uint64_t *items;
    size_t n = cover->sets.items(cover->sets.context, set, &items);
    uint32_t uncovered = 0;
    if (cover->is_covered) {
        for (size_t i = 0; i < n; i++)
            uncovered += !cover->is_covered[items[i]];
        return uncovered;
    }
    for (size_t i = 0; i < n; i++)
        uncovered += !fg_map_get(&cover->covered, items[i]);
    return uncovered;
}

bool fg_cover_next(struct fg_cover *cover, size_t *set, size_t *gain)
{
    while (cover->n) {
        struct fg_cover_gain best = cover->heap[0];
        uint32_t now = count_uncovered(cover, best.set);
        if (now == best.gain) {
            *set = best.set;
            *gain = now;
            drop_top(cover);
            return true;
        }
        cover->heap[0].gain = now;
        if (now)
            sink(cover->heap, cover->n, 0);
        else
            drop_top(cover);
    }
    return false;
}

void fg_cover_take(struct fg_cover *cover, size_t set)
{
    const uint64_t *items;
    size_t n = cover->sets.items(cover->sets.context, set, &items);
    for (size_t i = 0; cover->is_covered && i < n; i++) {
        cover->size += !cover->is_covered[items[i]];
        cover->is_covered[items[i]] = 1;
    }
    for (size_t i = 0; !cover->is_covered && i < n; i++)
        fg_map_put(&cover->covered, items[i]);
    if (!cover->is_covered)
        cover->size = fg_map_len(&cover->covered);
}
