/* date.h - dates as the web writes them
 *
 *     fg_time when = fg_date_parse(FG_STR("Thu, 01 Jan 04 19:48 EST"));
 *     if (when == FG_NEVER) ...not a date...
 *
 * Read are RFC 822 and its successors (two-digit years, named zones, no seconds, no
 * weekday or a wrong one, comments), the three forms of HTTP, ISO 8601 in the calendar,
 * ordinal and week forms, extended and basic, RFC 3339 and W3CDTF as parts of it, and
 * what blogs made of them: a blank for the T, month names of several languages, AM and
 * PM. A time without a zone is taken as UTC, a date without a time as its first moment.
 * A day that the month does not have is no date. No locale is asked. */
#ifndef FG_NET_DATE_H
#define FG_NET_DATE_H

#include "base/str.h"
#include "base/time.h"

/* Longer texts are not dates. */
#define FG_DATE_MAX 160

/* Any date; FG_NEVER if it is none. Two-digit years 00 to 49 are of this century, as in
 * RFC 2822; military zones count as UTC for the reason given there. */
fg_time fg_date_parse(struct fg_str text);

/* The same; `is_local` is set if it has a time of day and no zone. Then, as with a day,
 * the moment may be so much earlier or later than it says in UTC. */
fg_time fg_date_parse_zoned(struct fg_str text, bool *is_local);
#define FG_MOST_EAST (14 * FG_HOUR)
#define FG_MOST_WEST (12 * FG_HOUR)

/* A date of an HTTP header in one of the three forms of RFC 9110, and nothing else. */
fg_time fg_date_parse_http(struct fg_str text);

/* Which standard a text keeps to the letter: for telling an author, not for reading.
 * `time` is what fg_date_parse made of it. */
enum fg_date_form {
    FG_DATE_OTHER,
    FG_DATE_RFC3339,   /* with seconds, a zone, and capital T and Z, as Atom asks */
    FG_DATE_RFC822,    /* four-digit year, and the weekday, if given, is the right one */
    FG_DATE_RFC822_OLD /* the same with a two-digit year or a military zone */
};
enum fg_date_form fg_date_form(struct fg_str text, fg_time time);

#endif
