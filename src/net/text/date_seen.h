/* date_seen.h - dates as pages write them for people, within a line of text
 *
 *     struct fg_date_seen date;
 *     struct fg_date_reader reader = {.now = now, .language = page->language};
 *     if (fg_date_find(&date, &reader, line, 0)) ...it is in line[date.at, date.end)...
 *
 * Days with a year of four digits: "September 23, 2024", "23.09.2024", "2024/09/23",
 * "23 de septiembre de 2024", "2024年9月23日", and what counts back from now: "3 hours
 * ago", "vor 2 Tagen". A clock beside it is not read: it has no zone, mostly. Of
 * "03/04/2024" the language says which is the month, and where it cannot, a reading that
 * would be to come falls out; if two are left both count, and all between. */
#ifndef FG_NET_DATE_SEEN_H
#define FG_NET_DATE_SEEN_H

#include "base/str.h"
#include "base/time.h"

#include <stdbool.h>

struct fg_date_reader {
    fg_time now;            /* FG_NEVER: unknown, and nothing counts back from it */
    struct fg_str language; /* "en-US"; may be empty */
};

struct fg_date_seen {
    fg_time from, until; /* it lies within; `until` is later than it */
    fg_time time;        /* the day, or the moment counted back to; FG_NEVER if unclear */
    bool is_day;         /* `time` is one */
    size_t at, end;      /* bytes of the line */
};

/* The first one that starts at `first` or later, from 1990 to the day after `now`. */
bool fg_date_find(struct fg_date_seen *date, const struct fg_date_reader *reader,
                  struct fg_str line, size_t first);

#endif
