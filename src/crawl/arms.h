/* arms.h - what chances the arms of the policies had, over time
 *
 *     struct fg_arms arms = {0};
 *     fg_arms_read(&arms, text);                       (as it was kept)
 *     fg_arms_note(&arms, now, FG_REFRESH, arm, n);    (at most once an hour)
 *     fg_arms_write(&text, &arms);
 *     fg_arms_clear(&arms);
 *
 * A policy that chooses between ways by chance (kab5, od-bandit ...) forgets how it came
 * to its chances. What they were is noted here, for who watches it learn. Of long ago
 * every second note is kept, so that no list grows without bound. */
#ifndef FG_CRAWL_ARMS_H
#define FG_CRAWL_ARMS_H

#include "base/buf.h"
#include "base/vec.h"
#include "policy/policy.h"

#define FG_ARMS_STATE "policy:arms" /* in the store's states of site 0 */

enum { FG_ARM_NAME = 24 };

struct fg_arms_row {
    fg_time time;
    enum fg_task task;
    char name[FG_ARM_NAME];
    double chance;
};

struct fg_arms {
    FG_VEC(struct fg_arms_row) rows; /* in order of time; those of one note together */
};

/* True if it was noted: not within an hour of the last time. */
bool fg_arms_note(struct fg_arms *arms, fg_time now, enum fg_task task,
                  const struct fg_arm *arm, size_t n);
void fg_arms_write(struct fg_buf *text, const struct fg_arms *arms);
void fg_arms_read(struct fg_arms *arms, struct fg_str text); /* what is damaged is left */
void fg_arms_clear(struct fg_arms *arms);
const char *fg_arms_task(enum fg_task task); /* "discovery", "refresh" */

#endif
