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

/* For what goes to a terminal and may hold sequences of our own: ASCII passes, but for
 * DEL. JSON stays JSON. */
void fg_plain_pass(struct fg_buf *out, struct fg_str text);

/* What a terminal acts on or a reader cannot see: C0 and C1 controls, the marks of the
 * bidirectional algorithm, line and paragraph separators, the byte order mark, and the
 * tags that spell hidden ASCII; and how it is written instead. */
bool fg_is_hidden(uint32_t c);
void fg_plain_escape(struct fg_buf *out, uint32_t c);

/* A text with parts of it that stand out. */
struct fg_mark {
    size_t from, to; /* bytes of the text */
};

struct fg_marked {
    struct fg_str text;
    struct fg_mark *marks; /* in order, and apart */
    size_t n_marks;
};

/* The same with something before and after each mark. */
void fg_plain_add_marked(struct fg_buf *out, const struct fg_marked *marked,
                         struct fg_str before, struct fg_str after);

#endif
