/* Blocks double from 4 KiB to 1 MiB, so that a tiny unit of work stays tiny and a large
 * one makes few calls to malloc. A request larger than that gets a block of its own. */
#include "base/arena.h"

#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#endif
#endif
#ifndef ASAN_POISON_MEMORY_REGION
#define ASAN_POISON_MEMORY_REGION(at, n)   ((void)(at), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(at, n) ((void)(at), (void)(n))
#endif

enum { ALIGN = 16, FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

struct fg_arena_block {
    struct fg_arena_block *older;
    size_t size_bytes; /* of `room` */
    _Alignas(ALIGN) char room[];
};

static size_t next_block_bytes(const struct fg_arena *arena, size_t wanted)
{
    size_t n = arena->block ? arena->block->size_bytes * 2 : FIRST_BLOCK;
    if (n > LARGEST_BLOCK)
        n = LARGEST_BLOCK;
    return n > wanted ? n : wanted;
}

/* All of it is free. */
static void use(struct fg_arena *arena, struct fg_arena_block *block)
{
    arena->block = block;
    arena->next = block->room;
    arena->end = block->room + block->size_bytes;
    ASAN_POISON_MEMORY_REGION(block->room, block->size_bytes);
}

void fg_arena_add_block(struct fg_arena *arena, struct fg_arena_block *block)
{
    block->older = arena->block;
    use(arena, block);
}

static void grow(struct fg_arena *arena, size_t wanted)
{
    size_t n = next_block_bytes(arena, wanted);
    struct fg_arena_block *block =
        n <= SIZE_MAX - sizeof *block ? malloc(sizeof *block + n) : NULL;
    if (!block)
        fg_out_of_memory();
    block->size_bytes = n;
    fg_arena_add_block(arena, block);
}

static char *take(struct fg_arena *arena, size_t n, size_t align)
{
    size_t gap = (size_t)(-(uintptr_t)arena->next & (align - 1));
    if (!arena->next || (size_t)(arena->end - arena->next) < gap ||
        (size_t)(arena->end - arena->next) - gap < n) {
        grow(arena, n);
        gap = 0;
    }
    char *at = arena->next + gap;
    arena->next = at + n;
    arena->used_bytes += n;
    ASAN_UNPOISON_MEMORY_REGION(at, n);
    return at;
}

void *fg_arena_alloc(struct fg_arena *arena, size_t size_bytes)
{
    return memset(take(arena, size_bytes, ALIGN), 0, size_bytes);
}

void *fg_arena_array(struct fg_arena *arena, size_t size_bytes, size_t n)
{
    size_t total;
    if (__builtin_mul_overflow(size_bytes, n, &total))
        fg_out_of_memory();
    return fg_arena_alloc(arena, total);
}

char *fg_arena_bytes(struct fg_arena *arena, size_t n)
{
    return take(arena, n, 1);
}

struct fg_str fg_arena_dup(struct fg_arena *arena, struct fg_str s)
{
    return (struct fg_str){fg_arena_cstr(arena, s), s.len};
}

char *fg_arena_cstr(struct fg_arena *arena, struct fg_str s)
{
    char *copy = take(arena, s.len + 1, 1);
    if (s.len)
        memcpy(copy, s.at, s.len);
    copy[s.len] = '\0';
    return copy;
}

struct fg_str fg_arena_printf(struct fg_arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    size_t len = n > 0 ? (size_t)n : 0;
    char *text = take(arena, len + 1, 1);
    vsnprintf(text, len + 1, format, again);
    va_end(again);
    return (struct fg_str){text, len};
}

void *fg_arena_grow(struct fg_arena *arena, void *at, size_t size_bytes, size_t n,
                    size_t capacity)
{
    size_t old = size_bytes * n, wanted;
    if (__builtin_mul_overflow(size_bytes, capacity, &wanted))
        fg_out_of_memory();
    char *bytes = at;
    if (bytes && bytes + old == arena->next &&
        (size_t)(arena->end - arena->next) >= wanted - old) {
        ASAN_UNPOISON_MEMORY_REGION(arena->next, wanted - old);
        memset(arena->next, 0, wanted - old);
        arena->next += wanted - old;
        arena->used_bytes += wanted - old;
        return at;
    }
    void *moved = fg_arena_alloc(arena, wanted);
    if (at && old)
        memcpy(moved, at, old);
    return moved;
}

void fg_arena_trim(struct fg_arena *arena, char *at, size_t n, size_t used)
{
    if (at + n != arena->next)
        return;
    arena->next = at + used;
    arena->used_bytes -= n - used;
    ASAN_POISON_MEMORY_REGION(arena->next, n - used);
}

static void free_blocks(struct fg_arena_block *block)
{
    while (block) {
        struct fg_arena_block *older = block->older;
        free(block);
        block = older;
    }
}

void fg_arena_reset(struct fg_arena *arena)
{
    struct fg_arena_block *block = arena->block;
    arena->used_bytes = 0;
    if (!block)
        return;
    free_blocks(block->older);
    block->older = NULL;
    if (block->size_bytes > LARGEST_BLOCK) { /* one huge page must not stay with us */
        fg_arena_clear(arena);
        return;
    }
    use(arena, block);
}

struct fg_arena_block *fg_arena_take_block(struct fg_arena *arena)
{
    fg_arena_reset(arena);
    struct fg_arena_block *block = arena->block;
    *arena = (struct fg_arena){0};
    return block;
}

void fg_arena_block_free(struct fg_arena_block *block)
{
    free(block);
}

void fg_arena_clear(struct fg_arena *arena)
{
    free_blocks(arena->block);
    *arena = (struct fg_arena){0};
}
