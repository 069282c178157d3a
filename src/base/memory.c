#include "base/memory.h"

#include "base/err.h"

#include <stdlib.h>

void *fg_zeroed(size_t n, size_t size_bytes)
{
    void *at = calloc(n ? n : 1, size_bytes);
    if (!at)
        fg_out_of_memory();
    return at;
}

void *fg_resized(void *at, size_t n, size_t size_bytes)
{
    void *moved = reallocarray(at, n ? n : 1, size_bytes);
    if (!moved)
        fg_out_of_memory();
    return moved;
}
