/* buf.h - bytes that grow up to a stated maximum
 *
 *     struct fg_buf body;
 *     fg_buf_init(&body, 10 << 20);
 *     if (!fg_buf_add(&body, chunk)) ...the body is larger than we take...
 *     fg_buf_clear(&body);
 *
 * Every buffer has a maximum, so that what comes from the web cannot fill the memory.
 * What would pass it is refused whole, and `full` stays set until fg_buf_reset: a writer
 * may add many pieces and ask once at the end. */
#ifndef FG_BASE_BUF_H
#define FG_BASE_BUF_H

#include "base/str.h"
#include "base/utf8.h"

struct fg_buf {
    char *at;
    size_t len, capacity, max;
    bool full; /* something did not fit */
};

void fg_buf_init(struct fg_buf *buf, size_t max_bytes);
void fg_buf_clear(struct fg_buf *buf);
void fg_buf_reset(struct fg_buf *buf); /* empty, keeping the memory */

bool fg_buf_add(struct fg_buf *buf, struct fg_str s);
bool fg_buf_add_char(struct fg_buf *buf, char c);
bool fg_buf_add_utf8(struct fg_buf *buf, uint32_t code_point);
bool fg_buf_printf(struct fg_buf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Room for `n` more bytes to be written at `at + len` by the caller, who then raises
 * `len`; NULL if they do not fit. */
char *fg_buf_reserve(struct fg_buf *buf, size_t n);

static inline struct fg_str fg_buf_str(const struct fg_buf *buf)
{
    return (struct fg_str){buf->at, buf->len};
}

#endif
