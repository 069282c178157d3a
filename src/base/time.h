/* time.h - moments and spans
 *
 * A moment is microseconds since 1970-01-01 UTC; a span is microseconds. `now` is asked
 * once per turn of the outermost loop and handed down as an argument: nothing below
 * `crawl` reads a clock. */
#ifndef FG_BASE_TIME_H
#define FG_BASE_TIME_H

#include "base/str.h"

#include <stdint.h>

typedef int64_t fg_time;

#define FG_MILLISECOND INT64_C(1000)
#define FG_SECOND      (1000 * FG_MILLISECOND)
#define FG_MINUTE      (60 * FG_SECOND)
#define FG_HOUR        (60 * FG_MINUTE)
#define FG_DAY         (24 * FG_HOUR)

/* No time known. */
#define FG_NEVER INT64_MIN

fg_time fg_time_now(void);       /* the clock on the wall; may step */
fg_time fg_time_monotonic(void); /* for measuring; never steps back */
fg_time fg_time_worked(void);    /* processor time of this thread: other work on the
                                    machine does not count */

static inline double fg_seconds(fg_time span)
{
    return (double)span / (double)FG_SECOND;
}
static inline double fg_hours(fg_time span)
{
    return (double)span / (double)FG_HOUR;
}
static inline double fg_days(fg_time span)
{
    return (double)span / (double)FG_DAY;
}

/* 0 to 23, UTC; also before 1970. */
static inline size_t fg_hour_of_day(fg_time time)
{
    fg_time in_day = time % FG_DAY;
    return (size_t)((in_day < 0 ? in_day + FG_DAY : in_day) / FG_HOUR);
}

/* A day of the proleptic Gregorian calendar as days since 1970-01-01; month 1 to 12. */
int64_t fg_days_from_date(int64_t year, int month, int day);
void fg_date_from_days(int64_t days, int64_t *year, int *month, int *day);

/* "2026-11-15T21:02:18Z" with as many digits of fraction as are needed (0, 3 or 6).
 * Writes at most FG_TIME_TEXT bytes, the NUL included, and returns `out`. Years before 0
 * and after 9999 are clamped. */
#define FG_TIME_TEXT 32
char *fg_time_format(char out[static FG_TIME_TEXT], fg_time time);

/* A span with its unit: "250ms", "15m", "1h30m", "2d", "1w". The unit is not optional,
 * except for 0. Fractions are allowed ("1.5h"). False if it is anything else. */
bool fg_span_parse(struct fg_str text, fg_time *span);

/* The same back, exact and as short as it goes: 5400 s is "1h30m". */
#define FG_SPAN_TEXT 64
char *fg_span_format(char out[static FG_SPAN_TEXT], fg_time span);

#endif
