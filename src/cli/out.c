#include "cli/out.h"

#include "base/plain.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS = 80, PIECE = 1 << 16 };

void fg_out_open(struct fg_out *out)
{
    fg_out_open_file(out, STDOUT_FILENO, NULL);
}

void fg_out_open_file(struct fg_out *out, int fd, const char *name)
{
    *out = (struct fg_out){.fd = fd, .name = name, .is_terminal = isatty(fd)};
    fg_buf_init(&out->buf, (size_t)1 << 30);
}

void fg_out_choose_color(struct fg_out *out, enum fg_color choice)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    bool dumb = !term || strcmp(term, "dumb") == 0;
    out->color = choice == FG_COLOR_ALWAYS ||
                 (choice == FG_COLOR_AUTO && !(no_color && *no_color) && !dumb &&
                  isatty(STDOUT_FILENO));
}

/* Feeds, sheets and what an older store has of events may hold marks that reorder text.
 */
static void make_harmless(struct fg_buf *text)
{
    struct fg_buf harmless;
    fg_buf_init(&harmless, SIZE_MAX);
    fg_plain_pass(&harmless, fg_buf_str(text));
    fg_buf_reset(text);
    fg_buf_add(text, fg_buf_str(&harmless));
    fg_buf_clear(&harmless);
}

void fg_out_flush(struct fg_out *out)
{
    if (out->is_terminal && out->buf.len)
        make_harmless(&out->buf);
    struct fg_str rest = fg_buf_str(&out->buf);
    while (rest.len && !out->error) {
        ssize_t n = write(out->fd, rest.at, rest.len);
        if (n >= 0)
            rest = fg_str_skip(rest, (size_t)n);
        else if (errno != EINTR)
            out->error = errno;
    }
    fg_buf_reset(&out->buf);
}

static void flush_when_large(struct fg_out *out)
{
    if (out->buf.len > PIECE)
        fg_out_flush(out);
}

void fg_out_puts(struct fg_out *out, const char *text)
{
    fg_buf_add(&out->buf, fg_str_from(text));
    flush_when_large(out);
}

void fg_out_printf(struct fg_out *out, const char *format, ...)
{
    char *text;
    va_list args;
    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    if (n < 0)
        fg_out_of_memory();
    fg_out_puts(out, text);
    free(text);
}

void fg_out_text(struct fg_out *out, struct fg_str text)
{
    fg_plain_add(&out->buf, text);
    flush_when_large(out);
}

bool fg_out_bytes(struct fg_out *out, struct fg_str bytes)
{
    if (!out->is_terminal)
        return fg_buf_add(&out->buf, bytes);
    while (bytes.len) {
        size_t n = 0;
        while (n < bytes.len && bytes.at[n] != '\n' && bytes.at[n] != '\t')
            n++;
        struct fg_str piece = fg_str_sub(bytes, 0, n), end = fg_str_sub(bytes, n, n + 1);
        if (fg_str_ends(piece, FG_STR("\r")) && fg_str_eq(end, FG_STR("\n")))
            piece.len--;
        fg_out_text(out, piece);
        fg_buf_add(&out->buf, end);
        bytes = fg_str_skip(bytes, n + end.len);
    }
    return !out->buf.full;
}

void fg_out_field(struct fg_out *out, const char *name, struct fg_str value)
{
    if (!value.len)
        return;
    fg_out_printf(out, "%-10s ", name);
    fg_out_text(out, value);
    fg_out_puts(out, "\n");
}

void fg_out_bold(struct fg_out *out, const char *text)
{
    fg_out_printf(out, out->color ? "\033[1m%s\033[0m" : "%s", text);
}

void fg_out_pad(struct fg_out *out, size_t column, size_t up_to)
{
    do
        fg_buf_add_char(&out->buf, ' ');
    while (++column < up_to);
}

void fg_out_wrap(struct fg_out *out, const char *text, size_t column, size_t indent)
{
    struct fg_str rest = fg_str_from(text), word;
    bool first = true;
    while (fg_str_cut(&rest, ' ', &word)) {
        if (!first && column + 1 + word.len > COLUMNS) {
            fg_out_puts(out, "\n");
            if (indent)
                fg_out_pad(out, 0, indent);
            column = indent;
        } else if (!first) {
            fg_buf_add_char(&out->buf, ' ');
            column++;
        }
        fg_buf_add(&out->buf, word);
        column += word.len;
        first = false;
    }
    fg_out_puts(out, "\n");
}

enum fg_status fg_out_close(struct fg_out *out, struct fg_err *err)
{
    bool lost = out->buf.full;
    fg_out_flush(out);
    fg_buf_clear(&out->buf);
    if (lost)
        return fg_fail(err, FG_ELIMIT, "the output is larger than 1GiB");
    if (!out->error || (out->error == EPIPE && !out->name))
        return FG_OK;
    bool full = out->error == ENOSPC || out->error == EDQUOT;
    return fg_fail(err, full ? FG_EFULL : FG_EIO, "cannot write to %s%s%s: %s",
                   out->name ? "'" : "", out->name ? out->name : "standard output",
                   out->name ? "'" : "", strerror(out->error));
}
