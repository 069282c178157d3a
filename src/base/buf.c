#include "base/buf.h"

#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void fg_buf_init(struct fg_buf *buf, size_t max_bytes)
{
    *buf = (struct fg_buf){.max = max_bytes};
}

void fg_buf_clear(struct fg_buf *buf)
{
    free(buf->at);
    *buf = (struct fg_buf){.max = buf->max};
}

void fg_buf_reset(struct fg_buf *buf)
{
    buf->len = 0;
    buf->full = false;
}

char *fg_buf_reserve(struct fg_buf *buf, size_t n)
{
    if (n > buf->max - buf->len) {
        buf->full = true;
        return NULL;
    }
    size_t needed = buf->len + n;
    if (needed > buf->capacity || !buf->at) {
        size_t capacity = buf->capacity ? buf->capacity : 64;
        while (capacity < needed)
            capacity *= 2;
        if (capacity > buf->max && buf->max >= 64)
            capacity = buf->max;
        char *moved = realloc(buf->at, capacity + 1); /* for the NUL of printf */
        if (!moved)
            fg_out_of_memory();
        buf->at = moved;
        buf->capacity = capacity;
    }
    return buf->at + buf->len;
}

bool fg_buf_add(struct fg_buf *buf, struct fg_str s)
{
    char *room = fg_buf_reserve(buf, s.len);
    if (!room)
        return false;
    if (s.len)
        memcpy(room, s.at, s.len);
    buf->len += s.len;
    return true;
}

bool fg_buf_add_char(struct fg_buf *buf, char c)
{
    return fg_buf_add(buf, (struct fg_str){&c, 1});
}

bool fg_buf_add_utf8(struct fg_buf *buf, uint32_t code_point)
{
    char bytes[4];
    return fg_buf_add(buf, (struct fg_str){bytes, fg_utf8_put(bytes, code_point)});
}

bool fg_buf_printf(struct fg_buf *buf, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *room = n < 0 ? NULL : fg_buf_reserve(buf, (size_t)n);
    if (n < 0)
        buf->full = true;
    if (room) {
        vsnprintf(room, (size_t)n + 1, format, again);
        buf->len += (size_t)n;
    }
    va_end(again);
    return room;
}
