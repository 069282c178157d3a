/* vec.h - arrays that grow
 *
 *     FG_VEC(struct fg_link) links = {0};
 *     fg_vec_push(&links, link);
 *     for (size_t i = 0; i < links.len; i++) use(&links.at[i]);
 *     fg_vec_clear(&links);
 *
 * For arrays that outlive a unit of work. Within one, fg_vec_push_in takes the memory
 * from an arena instead and nothing is to be cleared. */
#ifndef FG_BASE_VEC_H
#define FG_BASE_VEC_H

#include "base/arena.h"

#include <stddef.h>
#include <stdlib.h>

#define FG_VEC(type)          \
    struct {                  \
        type *at;             \
        size_t len, capacity; \
    }

#define fg_vec_push(vec, ...)                                                        \
    do {                                                                             \
        if ((vec)->len == (vec)->capacity)                                           \
            (vec)->at = fg_vec_grow((vec)->at, sizeof *(vec)->at, &(vec)->capacity); \
        (vec)->at[(vec)->len++] = (__VA_ARGS__);                                     \
    } while (0)

#define fg_vec_push_in(arena, vec, ...)                                      \
    do {                                                                     \
        if ((vec)->len == (vec)->capacity) {                                 \
            size_t wider_ = (vec)->capacity ? (vec)->capacity * 2 : 8;       \
            (vec)->at = fg_arena_grow((arena), (vec)->at, sizeof *(vec)->at, \
                                      (vec)->capacity, wider_);              \
            (vec)->capacity = wider_;                                        \
        }                                                                    \
        (vec)->at[(vec)->len++] = (__VA_ARGS__);                             \
    } while (0)

#define fg_vec_clear(vec)                 \
    do {                                  \
        free((vec)->at);                  \
        (vec)->at = NULL;                 \
        (vec)->len = (vec)->capacity = 0; \
    } while (0)

/* Doubles the capacity; never fails. */
void *fg_vec_grow(void *at, size_t size_bytes, size_t *capacity);

#endif
