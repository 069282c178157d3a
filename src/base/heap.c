#include "base/heap.h"

#include "base/vec.h"

static int goes_before(const struct fg_heap_place *a, const struct fg_heap_place *b)
{
    if (a->priority != b->priority)
        return a->priority > b->priority;
    return a->number < b->number;
}

static void swap(struct fg_heap_place *a, struct fg_heap_place *b)
{
    struct fg_heap_place held = *a;
    *a = *b;
    *b = held;
}

void fg_heap_push(struct fg_heap *heap, void *thing, float priority)
{
    fg_vec_push(heap, (struct fg_heap_place){thing, heap->pushed++, priority});
    for (size_t i = heap->len - 1; i > 0;) {
        size_t parent = (i - 1) / 2;
        if (!goes_before(&heap->at[i], &heap->at[parent]))
            break;
        swap(&heap->at[i], &heap->at[parent]);
        i = parent;
    }
}

void *fg_heap_pop(struct fg_heap *heap)
{
    void *first = heap->at[0].thing;
    size_t n = --heap->len;
    heap->at[0] = heap->at[n];
    for (size_t i = 0;;) {
        size_t best = i, left = 2 * i + 1;
        for (size_t child = left; child <= left + 1 && child < n; child++)
            if (goes_before(&heap->at[child], &heap->at[best]))
                best = child;
        if (best == i)
            break;
        swap(&heap->at[i], &heap->at[best]);
        i = best;
    }
    return first;
}

void fg_heap_clear(struct fg_heap *heap)
{
    fg_vec_clear(heap);
}
