/* listen.h - the socket that a server listens on
 *
 *     struct fg_listen at;
 *     st = fg_listen_parse(&at, FG_STR("127.0.0.1:6724"), err);
 *     int fd = fg_listen_open(&at, err);       (the next port if that one is taken) */
#ifndef FG_SERVER_LISTEN_H
#define FG_SERVER_LISTEN_H

#include "base/err.h"
#include "base/str.h"

#include <netinet/in.h>
#include <stdbool.h>

enum { FG_LISTEN_PORT = 6724, FG_LISTEN_NEXT = 200 };

struct fg_listen {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    };
    socklen_t len;
    bool is_loopback;
};

/* An address and a port: "127.0.0.1:6724", "[::1]:6724", "localhost", ":8000" (of this
 * machine alone), "0.0.0.0:80". No other names: what they stand for may change. */
enum fg_status fg_listen_parse(struct fg_listen *at, struct fg_str text,
                               struct fg_err *err);
unsigned fg_listen_port(const struct fg_listen *at);

/* A listening socket, or -1. If the port is taken, the next FG_LISTEN_NEXT are tried, and
 * then any that is free; `at` has the one that was found. Port 0 is any. */
int fg_listen_open(struct fg_listen *at, struct fg_err *err);

/* "127.0.0.1:6724", "[::1]:6724" */
#define FG_LISTEN_TEXT 64
const char *fg_listen_format(char out[static FG_LISTEN_TEXT], const struct fg_listen *at);

#endif
