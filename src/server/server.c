#include "server/server.h"
#include "crawl/scheduling.h"
#include "server/meter.h"
#include "server/quota.h"
#include "server/watched.h"

#include "base/file.h"
#include "base/memory.h"
#include "server/inside.h"
#include "server/stream.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

const struct fg_opt fg_server_opts[] = {
    {"server.listen", FG_STRING(struct fg_server_settings, listen), "127.0.0.1:6724",
     .arg = "ADDRESS:PORT",
     .help =
         "where the dashboard is while a crawl runs, or on the next free port; or none"},
    {"server.hosts", FG_LIST(struct fg_server_settings, hosts), .arg = "NAME,...",
     .help =
         "names by which it may be called, beside localhost and addresses in numbers"},
    {"server.need-token", FG_BOOL(struct fg_server_settings, needs_token), "no",
     .help =
         "ask for the token on loopback, too: behind a proxy, or with other accounts"},
    {"server.behind-proxy", FG_BOOL(struct fg_server_settings, is_behind_proxy), "no",
     .help =
         "clients of a proxy on this machine are told apart by X-Forwarded-For, which "
         "it must set"},
    {"server.tls-certificate", FG_STRING(struct fg_server_settings, certificate),
     .arg = "FILE",
     .help = "speak TLS with this certificate, and those above it, in PEM"},
    {"server.tls-key", FG_STRING(struct fg_server_settings, key), .arg = "FILE",
     .help = "the private key of that certificate"},
    {"server.connections", FG_INT(struct fg_server_settings, connections), "2000",
     .min = 8, .max = 100000, .help = "most connections at a time"},
    {0},
};

bool fg_server_is_wanted(const struct fg_server_settings *settings)
{
    return settings->listen.len && !fg_str_eq(settings->listen, FG_STR("none"));
}

/* --- the keeper --- */

/* Our threads get a processor when nobody of the crawl wants it. In Linux a thread's
 * niceness is its own, and goes on to those it makes. */
static void give_way(void)
{
    enum { NICENESS = 10 };
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICENESS);
}

static void *keep(void *context)
{
    struct fg_server *server = context;
    struct timespec beat = {0, 200000000};
    give_way();
    for (unsigned i = 0; !server->is_stopping; i++) {
        nanosleep(&beat, NULL);
        fg_stream_keep(server->stream);
        if (i % 5 == 0)
            fg_http_keep(server);
        if (i % 5 == 0 && server->needs_token)
            fg_door_follow(&server->door);
    }
    return NULL;
}

/* Signals are for the thread that had them before. */
static bool start_thread(pthread_t *thread, void *(*run)(void *context), void *context)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(thread, NULL, run, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code == 0;
}

struct starting {
    struct fg_server *server;
    int fd;
    enum fg_status status;
    struct fg_err *err;
};

static void *start_http(void *context)
{
    struct starting *starting = context;
    give_way();
    starting->status = fg_http_start(starting->server, starting->fd, starting->err);
    return NULL;
}

/* --- starting --- */

/* A thousand readers of events need a thousand descriptors. */
static void make_room(int64_t connections)
{
    enum { FOR_OTHERS = 1024 };
    fg_files_allow((uint64_t)connections + FOR_OTHERS);
}

static enum fg_status check_token(struct fg_server *server, struct fg_err *err)
{
    const struct fg_server_settings *settings = server->place.settings;
    char text[FG_LISTEN_TEXT];
    enum fg_status st = fg_door_open(&server->door, server->place.workspace.at, err);
    server->needs_token = settings->needs_token || !server->at.is_loopback;
    if (!st && server->needs_token && !server->door.token.is_set)
        st = fg_fail(err, FG_ECONFIG,
                     "%s needs a token, which 'forage serve --new-token' makes",
                     server->at.is_loopback ? "server.need-token"
                                            : fg_listen_format(text, &server->at));
    return st;
}

static enum fg_status listen_and_serve(struct fg_server *server, struct fg_err *err)
{
    pthread_t starter;
    struct starting starting = {.server = server, .err = err};
    starting.fd = fg_listen_open(&server->at, err);
    if (starting.fd < 0)
        return err ? err->status : FG_EIO;
    if (!start_thread(&starter, start_http, &starting)) {
        close(starting.fd);
        return fg_fail(err, FG_EIO, "cannot start a thread for the server");
    }
    pthread_join(starter, NULL);
    if (starting.status)
        return starting.status;
    server->has_keeper = start_thread(&server->keeper, keep, server);
    return server->has_keeper
               ? FG_OK
               : fg_fail(err, FG_EIO, "cannot start a thread for the server");
}

enum fg_status fg_server_start(struct fg_server **out,
                               const struct fg_server_place *place, struct fg_err *err)
{
    struct fg_server *server = fg_zeroed(1, sizeof *server);
    const struct fg_server_settings *settings = place->settings;
    struct fg_store_options options = {.read_only = true, .body_depth = 1};
    char text[FG_LISTEN_TEXT];
    *out = NULL;
    server->place = *place;
    server->started = fg_time_monotonic();
    pthread_mutex_init(&server->door.lock, NULL);
    pthread_mutex_init(&server->ads_lock, NULL);
    pthread_mutex_init(&server->scheduling_lock, NULL);
    server->quota = fg_quota_new();
    server->lab = fg_server_lab_new();
    server->meter = fg_meter_new();
    server->watched = fg_watched_new();
    enum fg_status st = fg_listen_parse(&server->at, settings->listen, err);
    if (!st)
        st = check_token(server, err);
    if (!st && !settings->certificate.len != !settings->key.len)
        st = fg_fail(err, FG_ECONFIG,
                     "server.tls-certificate and server.tls-key need each other");
    if (!st)
        st = fg_store_open(&server->store, fg_server_store(place), &options, err);
    if (!st) {
        make_room(settings->connections);
        fg_routes_make(&server->routes, &server->arena);
        server->memory = fg_memory_new();
        server->stream = fg_stream_new(server);
        st = listen_and_serve(server, err);
    }
    if (st) {
        fg_server_stop(server);
        return st;
    }
    server->address = fg_arena_printf(&server->arena, "%s://%s/",
                                      settings->certificate.len ? "https" : "http",
                                      fg_listen_format(text, &server->at))
                          .at;
    *out = server;
    return FG_OK;
}

void fg_server_stop(struct fg_server *server)
{
    if (!server)
        return;
    server->is_stopping = true;
    if (server->has_keeper)
        pthread_join(server->keeper, NULL);
    if (server->stream)
        fg_stream_end(server->stream);
    if (server->http)
        fg_http_stop(server);
    fg_stream_free(server->stream);
    fg_memory_free(server->memory);
    fg_ads_close(server->ads);
    fg_scheduling_close(server->scheduling);
    fg_quota_free(server->quota);
    fg_server_lab_free(server->lab);
    fg_meter_free(server->meter);
    fg_watched_free(server->watched);
    if (server->store)
        fg_store_close(server->store, NULL);
    pthread_mutex_destroy(&server->ads_lock);
    pthread_mutex_destroy(&server->scheduling_lock);
    pthread_mutex_destroy(&server->door.lock);
    fg_arena_clear(&server->arena);
    free(server);
}

const char *fg_server_address(const struct fg_server *server)
{
    return server->address;
}

bool fg_server_asks_token(const struct fg_server *server)
{
    return server->needs_token;
}
