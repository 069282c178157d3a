/* plain.h - showing foreign text without obeying it
 *
 * A page's title may hold an escape sequence that repaints the terminal, a newline that
 * forges a line of the log, or a mark that turns the direction of writing. Whatever a
 * person will read goes through here: control characters, the marks that reorder text and
 * the separators of lines become escapes in JSON's notation, broken UTF-8 becomes U+FFFD,
 * and everything else stays as it is. */
#ifndef FG_BASE_PLAIN_H
#define FG_BASE_PLAIN_H

#include "base/buf.h"

/* For a line of text: "a<ESC>[2Jb" is shown as "a\u001b[2Jb". Newlines and tabs are
 * escaped too. */
void fg_plain_add(struct fg_buf *out, struct fg_str text);

/* The same in double quotes, with quotes and backslashes escaped: a JSON string. */
void fg_plain_quote(struct fg_buf *out, struct fg_str text);

#endif
