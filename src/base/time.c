#include "base/time.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

static fg_time read_clock(clockid_t id)
{
    struct timespec ts;
    clock_gettime(id, &ts);
    return (fg_time)ts.tv_sec * FG_SECOND + ts.tv_nsec / 1000;
}

fg_time fg_time_now(void)
{
    return read_clock(CLOCK_REALTIME);
}

fg_time fg_time_monotonic(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

fg_time fg_time_worked(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

/* Years are counted from March, so that the leap day is the last of its year; 400 years
 * always have 146097 days. */
int64_t fg_days_from_date(int64_t year, int month, int day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

void fg_date_from_days(int64_t days, int64_t *year, int *month, int *day)
{
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t day_of_era = days - era * 146097;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t shifted = (5 * day_of_year + 2) / 153;
    *day = (int)(day_of_year - (153 * shifted + 2) / 5 + 1);
    *month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
    *year = year_of_era + era * 400 + (*month <= 2);
}

char *fg_time_format(char out[static FG_TIME_TEXT], fg_time time)
{
    int64_t days = time / FG_DAY, rest = time % FG_DAY, year;
    if (rest < 0) {
        rest += FG_DAY;
        days--;
    }
    int month, day;
    fg_date_from_days(days, &year, &month, &day);
    if (year < 0 || year > 9999) {
        snprintf(out, FG_TIME_TEXT, "%s",
                 year < 0 ? "0000-01-01T00:00:00Z" : "9999-12-31T23:59:59Z");
        return out;
    }
    int n = snprintf(out, FG_TIME_TEXT, "%04d-%02d-%02dT%02d:%02d:%02d", (int)year, month,
                     day, (int)(rest / FG_HOUR), (int)(rest / FG_MINUTE % 60),
                     (int)(rest / FG_SECOND % 60));
    int micros = (int)(rest % FG_SECOND);
    char *tail = out + n;
    size_t room = FG_TIME_TEXT - (size_t)n;
    if (!micros)
        snprintf(tail, room, "Z");
    else if (micros % 1000 == 0)
        snprintf(tail, room, ".%03dZ", micros / 1000);
    else
        snprintf(tail, room, ".%06dZ", micros);
    return out;
}

static const struct unit {
    const char *name;
    fg_time span;
} units[] = {
    {"w", 7 * FG_DAY}, {"d", FG_DAY},          {"h", FG_HOUR}, {"m", FG_MINUTE},
    {"s", FG_SECOND},  {"ms", FG_MILLISECOND}, {"us", 1},
};
enum { UNITS = sizeof units / sizeof *units };

static const struct unit *unit_named(struct fg_str name)
{
    for (size_t i = 0; i < UNITS; i++)
        if (fg_str_eq(name, fg_str_from(units[i].name)))
            return &units[i];
    return NULL;
}

static size_t count_while(struct fg_str s, bool (*is)(char))
{
    size_t n = 0;
    while (n < s.len && is(s.at[n]))
        n++;
    return n;
}

static bool is_number_char(char c)
{
    return fg_is_digit(c) || c == '.';
}

bool fg_span_parse(struct fg_str text, fg_time *span)
{
    if (fg_str_eq(text, FG_STR("0"))) {
        *span = 0;
        return true;
    }
    if (!text.len)
        return false;
    double total = 0;
    while (text.len) {
        size_t digits = count_while(text, is_number_char);
        double number;
        if (!fg_str_to_double(fg_str_sub(text, 0, digits), &number))
            return false;
        text = fg_str_skip(text, digits);
        size_t letters = count_while(text, fg_is_alpha);
        const struct unit *unit = unit_named(fg_str_sub(text, 0, letters));
        if (!unit)
            return false;
        total += number * (double)unit->span;
        text = fg_str_skip(text, letters);
    }
    if (total > 9e15) /* 285 years; beyond 2^53 a double is no longer exact */
        return false;
    *span = (fg_time)(total + 0.5);
    return true;
}

char *fg_span_format(char out[static FG_SPAN_TEXT], fg_time span)
{
    size_t n = 0;
    uint64_t left = span < 0 ? 0 - (uint64_t)span : (uint64_t)span;
    if (span < 0)
        out[n++] = '-';
    if (span == 0)
        snprintf(out, FG_SPAN_TEXT, "0s");
    for (size_t i = 0; i < UNITS; i++) {
        uint64_t count = left / (uint64_t)units[i].span;
        if (!count)
            continue;
        left %= (uint64_t)units[i].span;
        n += (size_t)snprintf(out + n, FG_SPAN_TEXT - n, "%" PRIu64 "%s", count,
                              units[i].name);
    }
    return out;
}
