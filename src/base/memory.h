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

/* For a program that writes a store, once, before its first thread: what is freed is kept
 * for what comes next, up to 32 MB a thread, in place of being handed back at once. The
 * index frees some megabytes with every transaction and asks for them again with the
 * next: indexing takes a tenth less. */
void fg_memory_keep(void);

#endif
