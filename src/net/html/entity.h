/* entity.h - character references: what "&eacute;" and "&#233;" stand for
 *
 *     char out[FG_ENTITY_MAX];
 *     size_t n;
 *     size_t used = fg_entity_take(p + 1, end, FG_ENTITY_TEXT, out, &n);
 *     if (used) ...append n bytes of out, go on behind p + 1 + used...
 *
 * The rules are those of the HTML standard, with all of its 2231 names: the longest name
 * wins, a few old names need no semicolon, and numbers are repaired as browsers do. */
#ifndef FG_NET_ENTITY_H
#define FG_NET_ENTITY_H

#include "base/str.h"

/* In an attribute, "&copy=1" in a query stays what it is. */
enum fg_entity_place { FG_ENTITY_TEXT, FG_ENTITY_ATTRIBUTE };

/* Two code points of three bytes each; a reference never grows by more than one byte. */
#define FG_ENTITY_MAX 6

/* The reference that starts behind an ampersand, at [at, end). Returns how many bytes it
 * takes there, 0 if it is none, and writes `*n` bytes of UTF-8 to `out`. */
size_t fg_entity_take(const char *at, const char *end, enum fg_entity_place place,
                      char out[static FG_ENTITY_MAX], size_t *n);

#endif
