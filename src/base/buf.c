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

size_t fg_utf8_put(char *out, uint32_t c)
{
    if (c >= 0xD800 && (c <= 0xDFFF || c > 0x10FFFF))
        c = 0xFFFD;
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

/* The first continuation byte has a narrower range after E0, ED, F0 and F4: that is what
 * keeps out overlong forms, surrogates and what lies beyond U+10FFFF. A byte out of range
 * is not consumed, so it can start the next character. */
uint32_t fg_utf8_take(const char **at, const char *end)
{
    const unsigned char *p = (const unsigned char *)*at;
    unsigned char lead = *p++;
    *at = (const char *)p;
    if (lead < 0x80)
        return lead;
    if (lead < 0xC2 || lead > 0xF4)
        return 0xFFFD;
    int more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    uint32_t c = lead & (0x3Fu >> more);
    unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    for (; more; more--, low = 0x80, high = 0xBF) {
        if ((const char *)p == end || *p < low || *p > high)
            return 0xFFFD;
        c = c << 6 | (*p++ & 0x3F);
        *at = (const char *)p;
    }
    return c;
}
