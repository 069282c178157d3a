/* server.h - a web server that does what a script says, however rude
 *
 *     static bool rude(struct client *client) { return client_puts(client, "HTTP/1.1 2");
 * } static const struct route routes[] = {
 *         {"/", .raw = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"},
 *         {"/rude", .serve = rude},
 *         {"/cal*", .serve = calendar}, {0}};
 *     struct server *server = server_start(routes, NULL);
 *     ...fetch server_url(server, "/rude")...
 *     server_stop(server);
 *
 * It listens on a free port of 127.0.0.1, with a thread for each connection. Every
 * request is logged with the time it came, which is the other side's view of a crawler. A
 * path that no route has is 404. Whatever a script does, server_stop ends it. */
#ifndef FG_TESTS_SUPPORT_SERVER_H
#define FG_TESTS_SUPPORT_SERVER_H

#include "base/str.h"
#include "base/time.h"

#include <stdbool.h>
#include <stddef.h>

struct server;

struct client {
    struct server *server;
    int fd;
    const char *path; /* with the query */
    const char *head; /* the whole request */
    const char *host; /* the Host header, or "" */
    void *context;    /* that of server_start */
    unsigned number;  /* of the request on this server, from 0 */
};

struct route {
    const char *path; /* "*" at its end: whatever begins like this */
    const char *raw;  /* sent as it stands; the connection stays open */
    bool (*serve)(struct client *client); /* or this; false closes the connection */
};

/* The routes end with a NULL path and must stay where they are. */
struct server *server_start(const struct route *routes, void *context);
/* On a port that an earlier one had. */
struct server *server_start_at(unsigned port, const struct route *routes, void *context);
void server_stop(struct server *server);

unsigned server_port(const struct server *server);
const char *server_origin(const struct server *server); /* "http://127.0.0.1:PORT" */
/* Origin and path; the last sixteen results hold. */
const char *server_url(const struct server *server, const char *path);

/* False once the client has gone or the server stops. */
bool client_send(struct client *client, struct fg_str bytes);
bool client_puts(struct client *client, const char *text);
bool client_printf(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool client_wait(struct client *client, fg_time span);
/* 200 with its length. */
bool client_page(struct client *client, const char *type, struct fg_str body);

struct hit {
    fg_time at;     /* monotonic, when the request was complete */
    char path[256]; /* cut */
    char host[64];
    char head[1024]; /* cut */
};
size_t server_hits(struct server *server);
struct hit server_hit(struct server *server, size_t i);
/* How many requests for a path came, and when (-1: never) the nth from 0. */
size_t server_count(struct server *server, const char *path);
/* Connections accepted, with or without a request. */
size_t server_connections(struct server *server);
/* The least time between the beginnings of two requests in a row; of all paths. */
fg_time server_least_gap(struct server *server);

#endif
