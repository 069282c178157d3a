/* out.h - standard output: counted, escaped, coloured on a terminal only
 *
 * Text gathers in a buffer and leaves it in large pieces. The first error is kept and
 * reported once, by fg_out_close: a full disk must not look like success, and a reader
 * that has gone away (`| head`) is no error at all. */
#ifndef FG_CLI_OUT_H
#define FG_CLI_OUT_H

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"

enum fg_color { FG_COLOR_AUTO, FG_COLOR_ALWAYS, FG_COLOR_NEVER };

struct fg_out {
    struct fg_buf buf;
    int fd;           /* standard output, or a file */
    const char *name; /* of the file */
    bool color;
    bool is_terminal; /* nothing from elsewhere may act on it */
    int error;        /* errno of the first write that failed */
};

void fg_out_open(struct fg_out *out);
/* A file instead, without colours; the descriptor stays the caller's. */
void fg_out_open_file(struct fg_out *out, int fd, const char *name);
/* NO_COLOR turns colours off when the choice is left to us (https://no-color.org). */
void fg_out_choose_color(struct fg_out *out, enum fg_color choice);

void fg_out_puts(struct fg_out *out, const char *text);
void fg_out_printf(struct fg_out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Text from elsewhere: nothing in it can act on the terminal or start a line. */
void fg_out_text(struct fg_out *out, struct fg_str text);
/* Bytes from elsewhere, as they are; but on a terminal lines of text that cannot act on
 * it. False if they are too many. */
bool fg_out_bytes(struct fg_out *out, struct fg_str bytes);
/* "title      The Daily Forager", or nothing if there is no value. */
void fg_out_field(struct fg_out *out, const char *name, struct fg_str value);
void fg_out_bold(struct fg_out *out, const char *text);
/* Break `text` into lines of at most 80 columns, each indented, a newline at the end.
 * `column` is where we stand now. */
void fg_out_wrap(struct fg_out *out, const char *text, size_t column, size_t indent);
/* Spaces up to a column, and at least one. */
void fg_out_pad(struct fg_out *out, size_t column, size_t up_to);

/* Hand what has gathered to the system; for long outputs, now and then. */
void fg_out_flush(struct fg_out *out);
enum fg_status fg_out_close(struct fg_out *out, struct fg_err *err);

#endif
