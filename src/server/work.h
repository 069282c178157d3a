/* work.h - threads that do what takes its time, so that those that serve do not
 *
 *     struct fg_work *work = fg_work_new(2, 256);
 *     if (!fg_work_add(work, run, context)) ...there is too much to do...
 *     fg_work_end(work);            (what waits is run; nothing more is taken)
 *     fg_work_free(work); */
#ifndef FG_SERVER_WORK_H
#define FG_SERVER_WORK_H

#include <stdbool.h>
#include <stddef.h>

struct fg_work;

/* NULL if not one thread can be had. They have the signals and the niceness of the
 * caller. */
struct fg_work *fg_work_new(size_t threads, size_t most_waiting);
bool fg_work_add(struct fg_work *work, void (*run)(void *context), void *context);
void fg_work_end(struct fg_work *work);
void fg_work_free(struct fg_work *work); /* NULL is fine */

#endif
