/* date_names.h - months, weekdays and zones by name; part of date.c
 *
 * Names come in any case and in the languages that feeds were seen to use. */
#ifndef FG_NET_DATE_NAMES_H
#define FG_NET_DATE_NAMES_H

#include "base/str.h"

bool fg_date_month(struct fg_str word, int *month); /* 1 to 12 */
bool fg_date_is_weekday(struct fg_str word);        /* in English */
bool fg_date_zone(struct fg_str word, int *minutes);

#endif
