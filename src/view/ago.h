/* ago.h - times and long texts in few words
 *
 *     char text[FG_AGO_TEXT];
 *     fg_ago(text, now, last_visit)     "3m ago" */
#ifndef FG_VIEW_AGO_H
#define FG_VIEW_AGO_H

#include "base/arena.h"
#include "base/time.h"

/* "3m ago", "in 2h", "never"; a span alone is "1h20m". Of the units the two largest. */
#define FG_AGO_TEXT 48
const char *fg_ago(char out[static FG_AGO_TEXT], fg_time now, fg_time time);
/* The same of what is to come: "due now" once its time has passed. */
const char *fg_until(char out[static FG_AGO_TEXT], fg_time now, fg_time time);
const char *fg_span_short(char out[static FG_AGO_TEXT], fg_time span);
/* The same for spans that may be below a second: "0.3s", "1.25s", "2m". */
const char *fg_gap_short(char out[static FG_AGO_TEXT], fg_time gap);
/* Of what has happened: "3m ago", never "in 2h"; a clock that is behind is named. */
const char *fg_past(char out[static FG_AGO_TEXT], fg_time now, fg_time time);

/* "2026-11-15T21:02:18Z", without a fraction. */
const char *fg_when(char out[static FG_TIME_TEXT], fg_time time);

/* The beginning of a text of any length on one line and, if that is not all, how much
 * there is besides; "nothing" if it is empty. `is_cut`: it goes on beyond what is given.
 */
struct fg_str fg_beginning(struct fg_arena *arena, struct fg_str text, bool is_cut);

#endif
