/* markup.h - text and numbers as they may stand in a page
 *
 *     fg_markup_in(out, "<td>", row->policy, "</td>");
 *
 * What is written is well-formed both as HTML and as XML. Names come from configuration
 * files and recordings, so nothing in them is trusted: they can neither end an element or
 * an attribute nor turn the direction of the text around them. */
#ifndef FG_LAB_MARKUP_H
#define FG_LAB_MARKUP_H

#include "base/buf.h"

/* Our own markup, as it is. */
void fg_markup_put(struct fg_buf *out, const char *markup);

/* Foreign text, escaped, for content and attributes alike. What no page may hold (broken
 * UTF-8, control characters, bidirectional overrides) becomes U+FFFD; NULL is nothing. */
void fg_markup_text(struct fg_buf *out, const char *text);

/* Foreign text between our own markup. */
void fg_markup_in(struct fg_buf *out, const char *before, const char *text,
                  const char *after);

/* "1,234.5", with a true minus sign; a dash for NaN. Plain UTF-8, nothing to escape. */
void fg_markup_number(struct fg_buf *out, double value, int digits);
/* The same with "+" before what is not negative: for differences. */
void fg_markup_signed(struct fg_buf *out, double value, int digits);
/* Four significant digits, as few behind the point as will do. */
void fg_markup_short(struct fg_buf *out, double value);

#endif
