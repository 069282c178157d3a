/* memory.h - memory that is there, or the program ends
 *
 *     struct row *rows = fg_zeroed(n, sizeof *rows);
 *     rows = fg_resized(rows, 2 * n, sizeof *rows);
 *     free(rows);
 *
 * For arrays and objects that outlive a unit of work (arena.h has the rest) and do not
 * grow one by one (vec.h does). Nothing to check: see fg_out_of_memory. A count of 0
 * gives memory too, which is to be freed as any other. */
#ifndef FG_BASE_MEMORY_H
#define FG_BASE_MEMORY_H

#include <stddef.h>

void *fg_zeroed(size_t n, size_t size_bytes) __attribute__((malloc));

/* What is new in it is not zeroed. `at` may be NULL. */
void *fg_resized(void *at, size_t n, size_t size_bytes);

#endif
