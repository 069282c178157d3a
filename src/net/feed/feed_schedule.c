/* feed_schedule.c - when a feed wants to be read again: ttl, skipHours, skipDays, sy: */
#include "net/feed/feed_parts.h"

void fg_feed_read_ttl(struct fg_feed_reader *reader, struct fg_str text)
{
    uint64_t minutes;
    if (fg_str_to_u64(text, &minutes) && minutes > 0 && minutes <= UINT32_MAX)
        reader->feed->ttl_minutes = (unsigned)minutes;
    else
        fg_feed_complain(reader->feed, reader->arena, FG_FEED_BAD_TTL, "ttl", text,
                         reader->frames[reader->depth].line);
}

/* A whole number from 0 to 23; 24 is an old way to say 0. */
void fg_feed_read_hour(struct fg_feed_reader *reader, struct fg_str text)
{
    uint64_t hour;
    uint32_t *hours = &reader->feed->skip_hours;
    bool ok = fg_str_to_u64(text, &hour) && hour <= 24;
    if (!ok || hour == 24 || (*hours >> hour & 1))
        fg_feed_complain(reader->feed, reader->arena, FG_FEED_BAD_SKIP_HOUR, "hour", text,
                         reader->frames[reader->depth].line);
    if (ok)
        *hours |= 1U << hour % 24;
}

void fg_feed_read_day(struct fg_feed_reader *reader, struct fg_str text)
{
    static const char *const names[] = {"monday", "tuesday",  "wednesday", "thursday",
                                        "friday", "saturday", "sunday"};
    uint32_t *days = &reader->feed->skip_days;
    for (unsigned i = 0; i < 7; i++)
        if (fg_str_eq_nocase(fg_str_from(names[i]), text) && !(*days >> i & 1)) {
            *days |= 1U << i;
            return;
        }
    fg_feed_complain(reader->feed, reader->arena, FG_FEED_BAD_SKIP_DAY, "day", text,
                     reader->frames[reader->depth].line);
}

void fg_feed_read_period(struct fg_feed_reader *reader, struct fg_str text)
{
    static const struct {
        const char *name;
        int hours;
    } periods[] = {{"hourly", 1},
                   {"daily", 24},
                   {"weekly", 168},
                   {"monthly", 730},
                   {"yearly", 8766}};
    for (size_t i = 0; i < sizeof periods / sizeof *periods; i++)
        if (fg_str_eq_nocase(fg_str_from(periods[i].name), text))
            reader->period = periods[i].hours * FG_HOUR;
}

void fg_feed_read_frequency(struct fg_feed_reader *reader, struct fg_str text)
{
    uint64_t times;
    if (fg_str_to_u64(text, &times) && times > 0 && times <= 1000)
        reader->frequency = (unsigned)times;
}
