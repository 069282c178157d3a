/* utf8.h - is it UTF-8, and if not, what should it have been
 *
 *     struct fg_str text = fg_utf8_clean(arena, bytes);
 *
 * Valid means what the Unicode and Encoding Standards mean: no overlong forms, no
 * surrogates, nothing beyond U+10FFFF. Broken bytes become U+FFFD, one for each maximal
 * part of a character, so that the result is the same as in a browser. */
#ifndef FG_BASE_UTF8_H
#define FG_BASE_UTF8_H

#include "base/arena.h"
#include "base/str.h"

/* The text itself when it is valid; otherwise a repaired copy in `arena`, at most three
 * times as long. */
struct fg_str fg_utf8_clean(struct fg_arena *arena, struct fg_str bytes);

bool fg_utf8_is_valid(struct fg_str bytes);

/* How many bytes at the start are whole, valid characters. */
size_t fg_utf8_valid_len(struct fg_str bytes);

/* How many bytes at the start are below 0x80. */
size_t fg_ascii_len(struct fg_str bytes);

/* How many bytes anywhere are 0x80 or above: what a decoder needs to reserve room. */
size_t fg_ascii_misses(struct fg_str bytes);

/* Write a code point as UTF-8 to `out` (room for 4) and return its length. Surrogates and
 * what lies beyond U+10FFFF become U+FFFD. */
size_t fg_utf8_put(char *out, uint32_t code_point);

/* Read one code point from [at, end), at < end, and move `at` behind it. Broken bytes
 * give U+FFFD, as many as the Encoding Standard asks for. */
uint32_t fg_utf8_take(const char **at, const char *end);

#endif
