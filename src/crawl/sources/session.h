/* session.h - parameters that name the visit
 *
 * Where a site writes a session into every address, each look at a list shows pages that
 * nobody has seen before. The same list seen twice tells: the links of each look have a
 * parameter with one value in common, another one each time, and without it they are the
 * same. */
#ifndef FG_CRAWL_SESSION_H
#define FG_CRAWL_SESSION_H

#include "base/arena.h"
#include "base/str.h"

/* The name of that parameter, a view of an address; empty if there is none. */
struct fg_str fg_session_key(struct fg_arena *arena, const struct fg_str *before,
                             size_t n_before, const struct fg_str *now, size_t n_now);

#endif
