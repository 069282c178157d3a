/* wire.h - one exchange as it went over the wire, for those who archive it
 *
 *     struct fg_wire wire;
 *     fg_wire_init(&wire);
 *     fg_wire_begin(&wire, most);             (before each request)
 *     fg_wire_sent(&wire, bytes); fg_wire_status(&wire, line); fg_wire_came(&wire,
 * bytes); struct fg_wire_copy seen = fg_wire_end(&wire, headers, body);
 *     fg_wire_clear(&wire);
 *
 * What is kept of an answer is its content as the server coded it: with its content
 * coding, if it has one, but without the framing of chunks, which belongs to the one
 * connection it went over and which HTTP/2 does not have. */
#ifndef FG_NET_WIRE_H
#define FG_NET_WIRE_H

#include "base/buf.h"
#include "base/str.h"

struct fg_wire {
    struct fg_buf sent, status, came, content;
    size_t most;
};

struct fg_wire_copy {
    struct fg_str request; /* as it was sent; empty: it was not */
    struct fg_str status;  /* the line of the answer, without its end */
    struct fg_str content; /* as far as it came */
    bool is_cut;           /* more came than is kept */
};

void fg_wire_init(struct fg_wire *wire);
void fg_wire_clear(struct fg_wire *wire);

/* Of the content at most `most` bytes are kept. */
void fg_wire_begin(struct fg_wire *wire, size_t most);
/* Of several requests, to a proxy or on another connection, the last one counts. */
void fg_wire_sent(struct fg_wire *wire, struct fg_str bytes);
void fg_wire_status(struct fg_wire *wire, struct fg_str line);
/* Only needed where the answer has a content coding: see fg_wire_needs. */
void fg_wire_came(struct fg_wire *wire, struct fg_str bytes);

/* Does the body, decoded, not tell what came? */
bool fg_wire_needs(struct fg_str headers);

/* `headers` are the lines of the answer, `body` what was made of it. */
struct fg_wire_copy fg_wire_end(struct fg_wire *wire, struct fg_str headers,
                                struct fg_str body);

/* The nth (from 0) line of that name, trimmed; `at` is NULL if there is none. */
struct fg_str fg_header_in(struct fg_str headers, const char *name, unsigned nth);

#endif
