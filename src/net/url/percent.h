/* percent.h - percent-encoding, by the sets of the URL standard
 *
 *     fg_percent_encode(&out, FG_STR("a b"), FG_PERCENT_PATH);     "a%20b"
 *     fg_percent_decode(&out, FG_STR("a%20b%2"));                  "a b%2"
 *
 * Each part of a URL has its own set of characters that must be written as %XX. A set
 * is a bit of the table below, so asking is one load and one test. */
#ifndef FG_NET_PERCENT_H
#define FG_NET_PERCENT_H

#include "base/buf.h"
#include "base/str.h"

#include <stdint.h>

enum fg_percent_set {
    FG_PERCENT_CONTROL = 1,
    FG_PERCENT_FRAGMENT = 2,
    FG_PERCENT_QUERY = 4,
    FG_PERCENT_SPECIAL_QUERY = 8, /* of http and the like: the apostrophe too */
    FG_PERCENT_PATH = 16,
    FG_PERCENT_USERINFO = 32
};

/* Which sets a byte is in. All bytes from 0x80 up are in all of them. */
extern const uint8_t fg_percent_sets[256];

/* Add `text`, taken as UTF-8 with U+FFFD for broken bytes, encoding what is in `set`. */
void fg_percent_encode(struct fg_buf *out, struct fg_str text, enum fg_percent_set set);

/* The same for the bytes of any encoding. */
void fg_percent_encode_bytes(struct fg_buf *out, struct fg_str bytes,
                             enum fg_percent_set set);

/* "%" and two upper-case digits. */
void fg_percent_add(struct fg_buf *out, unsigned char byte);

/* Add `text` with each %XX turned back into its byte; any other "%" stays. */
void fg_percent_decode(struct fg_buf *out, struct fg_str text);

/* The byte that `text` starts with as %XX, or -1. */
static inline int fg_percent_byte(struct fg_str text)
{
    if (text.len < 3 || text.at[0] != '%')
        return -1;
    int high = fg_hex(text.at[1]), low = fg_hex(text.at[2]);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
}

#endif
