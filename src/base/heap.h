/* heap.h - things by priority: the highest first, then the one that came first
 *
 *     fg_heap_push(&heap, thing, priority);
 *     while (heap.len) use(fg_heap_pop(&heap));
 *     fg_heap_clear(&heap);
 *
 * A zeroed heap is empty. The things stay their owner's. */
#ifndef FG_BASE_HEAP_H
#define FG_BASE_HEAP_H

#include <stddef.h>
#include <stdint.h>

struct fg_heap {
    struct fg_heap_place {
        void *thing;
        uint64_t number;
        float priority;
    } * at; /* at[0] is the first */
    size_t len, capacity;
    uint64_t pushed;
};

void fg_heap_push(struct fg_heap *heap, void *thing, float priority);
/* The first one; there must be one. */
void *fg_heap_pop(struct fg_heap *heap);
void fg_heap_clear(struct fg_heap *heap);

#endif
