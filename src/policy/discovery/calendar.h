/* calendar.h - the day of a week, for policies that learn its rhythm */
#ifndef FG_POLICY_DISCOVERY_CALENDAR_H
#define FG_POLICY_DISCOVERY_CALENDAR_H

#include "base/time.h"

/* 0 to 6, Monday first: 1970 began with a Thursday. */
static inline size_t fg_day_of_week(fg_time time)
{
    fg_time in_week = (time + 3 * FG_DAY) % (7 * FG_DAY);
    return (size_t)((in_week < 0 ? in_week + 7 * FG_DAY : in_week) / FG_DAY);
}

#endif
