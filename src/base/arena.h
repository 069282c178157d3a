/* arena.h - memory that goes all at once
 *
 *     struct fg_arena arena = {0};
 *     struct fg_link *links = FG_NEW(&arena, struct fg_link, n);
 *     ...
 *     fg_arena_clear(&arena);
 *
 * One arena per unit of work (one page, one request, one simulated run). What a function
 * makes goes into the arena it is given, so most code frees nothing. Memory comes zeroed
 * and aligned for any type; allocation never fails (see fg_out_of_memory). */
#ifndef FG_BASE_ARENA_H
#define FG_BASE_ARENA_H

#include "base/str.h"

#include <stddef.h>

struct fg_arena {
    struct fg_arena_block *block; /* the one being filled; older ones hang behind it */
    char *next, *end;             /* what is left of it */
    size_t used_bytes;            /* handed out since init or reset */
};

/* `n` zeroed objects of a type. */
#define FG_NEW(arena, type, n) ((type *)fg_arena_array((arena), sizeof(type), (n)))

void *fg_arena_alloc(struct fg_arena *arena, size_t size_bytes);
void *fg_arena_array(struct fg_arena *arena, size_t size_bytes, size_t n);

/* Room for bytes that the caller will overwrite at once: neither zeroed nor aligned. */
char *fg_arena_bytes(struct fg_arena *arena, size_t n);

struct fg_str fg_arena_dup(struct fg_arena *arena, struct fg_str s);
char *fg_arena_cstr(struct fg_arena *arena, struct fg_str s);
struct fg_str fg_arena_printf(struct fg_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Grow the array `at` of `n` objects to room for `capacity`, moving it if it must: the
 * last thing allocated grows in place. */
void *fg_arena_grow(struct fg_arena *arena, void *at, size_t size_bytes, size_t n,
                    size_t capacity);

/* Of the last thing allocated, `at` of `n` bytes, keep only the first `used`. For what is
 * written before its length is known; does nothing once something else was allocated. */
void fg_arena_trim(struct fg_arena *arena, char *at, size_t n, size_t used);

/* Forget everything but keep one block for the next unit of work. */
void fg_arena_reset(struct fg_arena *arena);
void fg_arena_clear(struct fg_arena *arena);

/* Memory that goes from one arena to another: forget everything, and hand over the block
 * that a reset would keep; NULL if it keeps none. */
struct fg_arena_block *fg_arena_take_block(struct fg_arena *arena);
/* The next allocations come from it; what the arena holds stays where it is. */
void fg_arena_add_block(struct fg_arena *arena, struct fg_arena_block *block);
void fg_arena_block_free(struct fg_arena_block *block); /* one that was taken */

#endif
