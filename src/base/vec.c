#include "base/vec.h"

#include "base/err.h"
#include "base/memory.h"

void *fg_vec_grow(void *at, size_t size_bytes, size_t *capacity)
{
    size_t wider = *capacity ? *capacity * 2 : 8;
    void *moved = fg_resized(at, wider, size_bytes);
    *capacity = wider;
    return moved;
}
