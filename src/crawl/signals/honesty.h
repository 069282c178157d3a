/* honesty.h - how far those who tell of changes are to be believed
 *
 *     if (fg_honesty_heeds(&honesty, now)) ...look whether it is true...
 *     fg_honesty_check(&honesty, has_changed);
 *     fg_honesty_miss(&honesty);             (it happened, and nobody told)
 *     fg_time rest = fg_honesty_rest(&honesty, FG_HOUR);
 *
 * Whoever tells is heeded at first. If after six checks fewer than one in four was true,
 * only one an hour is heeded, so that who mends his ways is found out. The other half of
 * honesty is to tell of everything: polling rests the longer the more pushes in a row
 * have proved true with none missing,
 *
 *     rest = most * min(streak / 8, 1) * proved / told,  none below a streak of 3,
 *
 * and a single miss ends the streak, so that polling is back at once. Old evidence fades:
 * above 64 checks all counts are halved. */
#ifndef FG_CRAWL_HONESTY_H
#define FG_CRAWL_HONESTY_H

#include "base/time.h"

#include <stdbool.h>
#include <stdint.h>

struct fg_honesty {
    double told, proved; /* checked, and of them those that were true */
    double missed;       /* what happened untold */
    uint32_t streak;     /* proved in a row, none missing */
    fg_time tried;       /* when one was last heeded */
};

/* Is one that is told now to be heeded? Then it is noted as tried. */
bool fg_honesty_heeds(struct fg_honesty *honesty, fg_time now);
void fg_honesty_check(struct fg_honesty *honesty, bool is_true);
void fg_honesty_miss(struct fg_honesty *honesty);
/* It can tell nothing any more: a hub is dead, a lease has ended. */
void fg_honesty_silence(struct fg_honesty *honesty);

/* As it was read from a store that somebody may have written into: counts that
 * cannot be become the nearest that can. */
void fg_honesty_put_right(struct fg_honesty *honesty);

bool fg_honesty_is_believed(const struct fg_honesty *honesty);
/* How long polling may rest, at most `most`; 0: not at all. */
fg_time fg_honesty_rest(const struct fg_honesty *honesty, fg_time most);

#endif
