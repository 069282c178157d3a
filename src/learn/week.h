/* week.h - how much comes in each hour of the week
 *
 *     struct fg_week week = {0};
 *     fg_week_add(&week, before, now, 3);         (3 came between two looks at a source)
 *     fg_week_done(&week);
 *     expected = fg_week_rate(&week, n, span) * week.shape[fg_week_hour(time)];
 *
 * The shape is that of all that was added: for each hour of the week how much more came
 * than in the mean hour. What is known of an hour is drawn to what is known of that hour
 * on all days, and this to 1, by a few things that are thought to have come: with c
 * things in e hours of watching and m things an hour in all,
 *
 *     of the day   d = (c + 6) / (e m + 6)
 *     of the week  w = (c + 6 d) / (e m + 6)
 *
 * scaled to a mean of 1. What came between two looks is spread evenly over the time
 * between them. Hour 0 is Monday 0:00 to 1:00 UTC. */
#ifndef FG_LEARN_WEEK_H
#define FG_LEARN_WEEK_H

#include "base/time.h"

#include <stddef.h>

enum { FG_WEEK_HOURS = 168 };

struct fg_week {
    double came[FG_WEEK_HOURS], hours[FG_WEEK_HOURS]; /* watched, of all sources */
    double a_source_hour;                             /* things, mean */
    double shape[FG_WEEK_HOURS];                      /* set by fg_week_done */
};

unsigned fg_week_hour(fg_time time);
void fg_week_add(struct fg_week *week, fg_time from, fg_time to, double came);
void fg_week_done(struct fg_week *week);
/* Of one source of them that showed so many in that span: things an hour, drawn to the
 * mean of all as if it had shown half a thing at their pace. */
double fg_week_rate(const struct fg_week *week, double came, fg_time span);

#endif
