/* slices.h - a long piece of work, done a slice at a time between other things
 *
 *     bool is_over = fg_slices_begin(slices, work, context);
 *     while (!is_over) ...a turn of the loop..., is_over = fg_slices_go_on(slices);
 *
 *     in the work:  if (fg_slices_is_due(slices))
 *                       ...leave everything in order..., fg_slices_pause(slices);
 *
 * The work has a thread, but only for its stack: either it runs or the one who called it
 * waits, never both, so that what they share needs no lock. Without a thread to be had it
 * is done in one go. */
#ifndef FG_BASE_SLICES_H
#define FG_BASE_SLICES_H

#include <stdbool.h>

struct fg_slices;

struct fg_slices *fg_slices_new(void);
/* What has paused is done to its end first. */
void fg_slices_free(struct fg_slices *slices);

/* True: it is over; false: it has paused. One piece of work at a time. */
bool fg_slices_begin(struct fg_slices *slices, void (*work)(void *context),
                     void *context);
bool fg_slices_go_on(struct fg_slices *slices);
/* To its end, without another pause. */
void fg_slices_finish(struct fg_slices *slices);
/* Has a piece of work paused? */
bool fg_slices_has_paused(const struct fg_slices *slices);

/* Called by the work: has this slice lasted long enough? Never true for anybody else. */
bool fg_slices_is_due(const struct fg_slices *slices);
void fg_slices_pause(struct fg_slices *slices);

#endif
