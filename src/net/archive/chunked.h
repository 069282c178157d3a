/* chunked.h - the chunked transfer coding taken off, a piece at a time (RFC 9112, 7.1)
 *
 *     struct fg_chunked chunked = {0};
 *     while (fg_chunked_next(&chunked, &bytes, &data)) ...a piece of what was sent...
 *     if (chunked.state == FG_CHUNKED_BROKEN) ...it is not chunked...
 *
 * Bytes may come in any pieces. Extensions of chunks and trailers are passed over. */
#ifndef FG_NET_CHUNKED_H
#define FG_NET_CHUNKED_H

#include "base/str.h"

enum fg_chunked_state {
    FG_CHUNKED_SIZE, /* within the line that has the size of a chunk */
    FG_CHUNKED_EXTENSION,
    FG_CHUNKED_DATA,
    FG_CHUNKED_AFTER,   /* the line end behind the data */
    FG_CHUNKED_TRAILER, /* at the start of a line of it */
    FG_CHUNKED_TRAILER_LINE,
    FG_CHUNKED_DONE,
    FG_CHUNKED_BROKEN
};

struct fg_chunked {
    enum fg_chunked_state state;
    uint64_t left;   /* of the data of the chunk at hand */
    unsigned digits; /* of its size, so far */
};

/* Takes bytes from `in`. True with the next piece of data, a part of `in`; false when all
 * of `in` is used up, or at the end, or where it is broken: what is left stays in `in`.
 */
bool fg_chunked_next(struct fg_chunked *chunked, struct fg_str *in, struct fg_str *data);

#endif
