#include "base/memory.h"

#include "base/err.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Columns of many million pages are read here and there: with pages of 4 kB each such
 * read costs a walk through the tables of the processor as well. */
static const size_t large = (size_t)16 << 20, huge_page = (size_t)2 << 20;

static void *made_large(void *at, size_t n, size_t size_bytes)
{
    if (n && size_bytes && n >= large / size_bytes) {
        uintptr_t first = ((uintptr_t)at + huge_page - 1) & ~(huge_page - 1);
        uintptr_t end = ((uintptr_t)at + n * size_bytes) & ~(huge_page - 1);
        madvise((char *)at + (first - (uintptr_t)at), end - first, MADV_HUGEPAGE);
    }
    return at;
}

void *fg_zeroed(size_t n, size_t size_bytes)
{
    void *at = calloc(n ? n : 1, size_bytes);
    if (!at)
        fg_out_of_memory();
    return made_large(at, n, size_bytes);
}

void *fg_resized(void *at, size_t n, size_t size_bytes)
{
    void *moved = reallocarray(at, n ? n : 1, size_bytes);
    if (!moved)
        fg_out_of_memory();
    return made_large(moved, n, size_bytes);
}

/* The threshold of what is mapped by itself moves with what is freed, but no longer once
 * one of the others is set; so it is set as well. */
void fg_memory_keep(void)
{
    mallopt(M_TOP_PAD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 32 << 20);
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
}
