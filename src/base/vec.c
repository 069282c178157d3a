#include "base/vec.h"

#include "base/err.h"

void *fg_vec_grow(void *at, size_t size_bytes, size_t *capacity)
{
    size_t wider = *capacity ? *capacity * 2 : 8;
    void *moved = reallocarray(at, wider, size_bytes);
    if (!moved)
        fg_out_of_memory();
    *capacity = wider;
    return moved;
}
