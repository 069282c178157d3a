/* glob.h - patterns with "*" for any run of bytes and "?" for one */
#ifndef FG_BASE_GLOB_H
#define FG_BASE_GLOB_H

#include "base/str.h"

/* Over all of `text`, without backtracking beyond the last star: the time is at most the
 * product of the lengths, both bounded by the caller. */
bool fg_glob_matches(struct fg_str pattern, struct fg_str text);

#endif
