/* server.h - a workspace over HTTP: dashboard, API, events, feeds, metrics
 *
 *     struct fg_server *server;
 *     struct fg_server_place place = {.workspace = folder, .settings = &settings.server,
 *                                     .crawl = &settings.crawl, .opts = &opts};
 *     st = fg_server_start(&server, &place, err);
 *     fg_server_address(server)                    "http://127.0.0.1:6724/"
 *     ...
 *     fg_server_stop(server);
 *
 * It has threads of its own, which give way to all others (nice), and only reads the
 * store, through connections of its own; what it is asked to change it leaves in the
 * store's command table, as any other process does. So no request can slow a crawl, and a
 * server that cannot start does not stop one. libmicrohttpd is known to http.c and
 * stream.c only: docs/server.md says why it was chosen. */
#ifndef FG_SERVER_SERVER_H
#define FG_SERVER_SERVER_H

#include "base/err.h"
#include "base/opt.h"
#include "crawl/crawl.h"
#include "search/ads/live.h"

struct fg_server;

struct fg_server_settings {
    struct fg_str listen;     /* "127.0.0.1:6724", "[::1]:6724", "none" */
    struct fg_opt_list hosts; /* names by which it may be called, beside addresses */
    bool needs_token;         /* also on loopback */
    bool is_behind_proxy;     /* whose X-Forwarded-For is believed */
    struct fg_str certificate, key; /* files; empty: no TLS */
    int64_t connections;
};
extern const struct fg_opt fg_server_opts[];

/* An experiment of the lab, for the list of them. */
struct fg_server_experiment {
    const char *name, *title, *path;
};

/* All of it is borrowed until the server stops. */
struct fg_server_place {
    struct fg_str workspace; /* ends in NUL */
    const char *store;       /* where it is; NULL: in the workspace */
    const struct fg_server_settings *settings;
    const struct fg_crawl_options *crawl;
    const struct fg_ads_settings *ads;
    const struct fg_opts *opts; /* all settings, with where each came from; or NULL */
    const struct fg_server_experiment *experiments; /* ends with a NULL name; or NULL */
};

static inline const char *fg_server_store(const struct fg_server_place *place)
{
    return place->store ? place->store : place->workspace.at;
}

/* The store must be there. If the port is taken, one of the next is used. An address that
 * is not of this machine alone needs a token (token.h) and is refused without. */
enum fg_status fg_server_start(struct fg_server **server,
                               const struct fg_server_place *place, struct fg_err *err);
void fg_server_stop(struct fg_server *server); /* NULL is fine */

const char *fg_server_address(const struct fg_server *server);
/* Everybody who can reach the port may try; a token is asked for. */
bool fg_server_asks_token(const struct fg_server *server);

/* Is it to be started at all? */
bool fg_server_is_wanted(const struct fg_server_settings *settings);

#endif
