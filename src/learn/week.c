#include "learn/week.h"

enum { DAY_HOURS = 24 };
static const double thought = 6, thought_of_source = 0.5;

/* The first of January 1970 was a Thursday. */
unsigned fg_week_hour(fg_time time)
{
    fg_time hour = time / FG_HOUR - (time % FG_HOUR < 0);
    fg_time of_week = (hour + 3 * DAY_HOURS) % FG_WEEK_HOURS;
    return (unsigned)(of_week < 0 ? of_week + FG_WEEK_HOURS : of_week);
}

static void add_evenly(struct fg_week *week, double hours, double came)
{
    for (size_t h = 0; h < FG_WEEK_HOURS; h++) {
        week->hours[h] += hours / FG_WEEK_HOURS;
        week->came[h] += came / FG_WEEK_HOURS;
    }
}

void fg_week_add(struct fg_week *week, fg_time from, fg_time to, double came)
{
    if (to <= from)
        return;
    double hours = fg_hours(to - from);
    if (hours >= FG_WEEK_HOURS) {
        add_evenly(week, hours, came);
        return;
    }
    for (fg_time at = from, next; at < to; at = next) {
        next = at - at % FG_HOUR + FG_HOUR;
        next = next < to ? next : to;
        unsigned h = fg_week_hour(at);
        week->hours[h] += fg_hours(next - at);
        week->came[h] += came * fg_hours(next - at) / hours;
    }
}

void fg_week_done(struct fg_week *week)
{
    double came = 0, hours = 0, sum = 0, of_day[DAY_HOURS];
    for (size_t h = 0; h < FG_WEEK_HOURS; h++) {
        came += week->came[h];
        hours += week->hours[h];
    }
    double mean = hours > 0 ? came / hours : 0;
    for (size_t k = 0; k < DAY_HOURS; k++) {
        double c = 0, e = 0;
        for (size_t h = k; h < FG_WEEK_HOURS; h += DAY_HOURS) {
            c += week->came[h];
            e += week->hours[h];
        }
        of_day[k] = (c + thought) / (e * mean + thought);
    }
    for (size_t h = 0; h < FG_WEEK_HOURS; h++) {
        week->shape[h] = (week->came[h] + thought * of_day[h % DAY_HOURS]) /
                         (week->hours[h] * mean + thought);
        sum += week->shape[h];
    }
    for (size_t h = 0; h < FG_WEEK_HOURS; h++)
        week->shape[h] *= FG_WEEK_HOURS / sum;
    week->a_source_hour = mean;
}

double fg_week_rate(const struct fg_week *week, double came, fg_time span)
{
    if (week->a_source_hour <= 0)
        return 0;
    return (came + thought_of_source) /
           (fg_hours(span) + thought_of_source / week->a_source_hour);
}
