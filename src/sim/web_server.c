#include "sim/web_server.h"

#include "base/memory.h"
#include "base/rng.h"
#include "base/vec.h"
#include "sim/web_model.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_BODY = 1 << 24, ORIGIN_TEXT = 40 };

struct served_site {
    struct fg_web_server *server;
    struct evhttp *http;
    unsigned number;
    char origin[ORIGIN_TEXT];
};

struct fg_web_server {
    const struct fg_web *web;
    struct fg_web_server_options options;
    struct event_base *loop;
    struct event *stopper;
    struct served_site *sites;
    unsigned n_sites;
    int stop_pipe[2];
    pthread_t thread;
    bool is_running;
    FILE *log;
    struct fg_buf body;
    struct fg_rng rng;
    atomic_uint_fast64_t requests;
};

static void log_request(struct fg_web_server *server, const struct served_site *site,
                        struct evhttp_request *request, unsigned status, size_t bytes)
{
    atomic_fetch_add(&server->requests, 1);
    if (!server->log)
        return;
    const char *agent =
        evhttp_find_header(evhttp_request_get_input_headers(request), "User-Agent");
    fprintf(server->log, "%" PRId64 " %u %s %u %zu %s\n", fg_time_now(), site->number,
            evhttp_request_get_uri(request), status, bytes, agent ? agent : "-");
    fflush(server->log);
}

/* Sets the validators; true if the request's own match them. */
static bool is_not_modified(struct evhttp_request *request,
                            const struct fg_web_page *page)
{
    struct evkeyvalq *out = evhttp_request_get_output_headers(request);
    const struct evkeyvalq *in = evhttp_request_get_input_headers(request);
    char text[64];
    bool same = false;
    if (page->version) {
        snprintf(text, sizeof text, "\"%" PRIx64 "\"", page->version);
        evhttp_add_header(out, "ETag", text);
        const char *match = evhttp_find_header(in, "If-None-Match");
        same = match && strcmp(match, text) == 0;
    }
    if (page->last_modified != FG_NEVER) {
        evhttp_add_header(out, "Last-Modified",
                          web_date_format(text, page->last_modified));
    }
    return same && page->status == 200;
}

static bool is_in_trouble(struct fg_web_server *server, struct evhttp_request *request)
{
    if (fg_rng_unit(&server->rng) >= server->options.trouble)
        return false;
    evhttp_add_header(evhttp_request_get_output_headers(request), "Retry-After", "120");
    evhttp_send_reply(request, 503, "Service Unavailable", NULL);
    return true;
}

/* Without a word, as servers do that have waited long enough for the next request. */
static void close_connection(struct evhttp_request *request)
{
    struct evhttp_connection *connection = evhttp_request_get_connection(request);
    struct bufferevent *stream =
        connection ? evhttp_connection_get_bufferevent(connection) : NULL;
    if (stream)
        shutdown(bufferevent_getfd(stream), SHUT_RDWR);
}

static void on_answered(struct evhttp_request *request, void *context)
{
    (void)context;
    close_connection(request);
}

static bool is_dropped(struct fg_web_server *server, const struct served_site *site,
                       struct evhttp_request *request)
{
    double chance = server->options.drops > 0 ? fg_rng_unit(&server->rng) : 1;
    if (chance < server->options.drops) {
        log_request(server, site, request, 0, 0);
        close_connection(request);
        evhttp_send_reply(request, 500, "Not Sent", NULL);
        return true;
    }
    if (chance < 2 * server->options.drops)
        evhttp_request_set_on_complete_cb(request, on_answered, NULL);
    return false;
}

/* In the web's own time: an article of today must not be one of tomorrow. */
static void tell_date(struct evhttp_request *request, fg_time now)
{
    char text[64];
    evhttp_add_header(evhttp_request_get_output_headers(request), "Date",
                      web_date_format(text, now));
}

static const char *reason(unsigned status)
{
    return status == 200 ? "OK" : status == 404 ? "Not Found" : "Moved";
}

static void answer(struct evhttp_request *request, void *context)
{
    struct served_site *site = context;
    struct fg_web_server *server = site->server;
    struct fg_str path = fg_str_from(evhttp_request_get_uri(request));
    bool is_robots = fg_str_eq(path, FG_STR("/robots.txt"));
    fg_time now = fg_clock_now(&server->options.clock);
    tell_date(request, now);
    if (is_dropped(server, site, request))
        return;
    if (!is_robots && is_in_trouble(server, request)) {
        log_request(server, site, request, 503, 0);
        return;
    }
    fg_buf_reset(&server->body);
    struct fg_web_page page = fg_web_render(
        server->web, site->number, path, fg_str_from(site->origin), now, &server->body);
    if (is_robots && server->options.crawl_delay_s)
        fg_buf_printf(&server->body, "Crawl-delay: %u\n", server->options.crawl_delay_s);
    evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Type",
                      page.content_type);
    if (is_not_modified(request, &page)) {
        evhttp_send_reply(request, 304, "Not Modified", NULL);
        log_request(server, site, request, 304, 0);
        return;
    }
    if (*page.location)
        evhttp_add_header(evhttp_request_get_output_headers(request), "Location",
                          page.location);
    struct evbuffer *body = evbuffer_new();
    evbuffer_add(body, server->body.at, server->body.len);
    evhttp_send_reply(request, (int)page.status, reason(page.status), body);
    evbuffer_free(body);
    log_request(server, site, request, page.status, server->body.len);
}

static void on_stop(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    event_base_loopbreak(context);
}

static void *serve(void *context)
{
    struct fg_web_server *server = context;
    event_base_dispatch(server->loop);
    return NULL;
}

static enum fg_status open_site(struct fg_web_server *server, unsigned number,
                                struct fg_err *err)
{
    struct served_site *site = &server->sites[number];
    *site = (struct served_site){.server = server, .number = number};
    site->http = evhttp_new(server->loop);
    if (!site->http)
        fg_out_of_memory();
    unsigned port = server->options.port ? server->options.port + number : 0;
    struct evhttp_bound_socket *bound =
        evhttp_bind_socket_with_handle(site->http, "127.0.0.1", (ev_uint16_t)port);
    if (!bound)
        return fg_fail(err, FG_EIO, "cannot listen on 127.0.0.1:%u: %s", port,
                       strerror(errno));
    struct sockaddr_in address = {0};
    socklen_t len = sizeof address;
    int fd = evhttp_bound_socket_get_fd(bound), on = 1;
    getsockname(fd, (struct sockaddr *)&address, &len);
    /* Connections inherit it. Without, an answer of two segments waits 40 ms for an
     * acknowledgement: minutes of a fast clock. */
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    snprintf(site->origin, sizeof site->origin, "http://127.0.0.1:%u",
             ntohs(address.sin_port));
    evhttp_set_allowed_methods(site->http, EVHTTP_REQ_GET | EVHTTP_REQ_HEAD);
    evhttp_set_gencb(site->http, answer, site);
    return FG_OK;
}

static enum fg_status open_log(struct fg_web_server *server, struct fg_err *err)
{
    if (!server->options.log)
        return FG_OK;
    server->log = fopen(server->options.log, "ae");
    if (!server->log)
        return fg_fail(err, FG_EIO, "cannot write '%s': %s", server->options.log,
                       strerror(errno));
    return FG_OK;
}

enum fg_status fg_web_server_start(struct fg_web_server **result,
                                   const struct fg_web *web,
                                   const struct fg_web_server_options *options,
                                   struct fg_err *err)
{
    *result = NULL;
    struct fg_web_server *server = fg_zeroed(1, sizeof *server);
    *server =
        (struct fg_web_server){.web = web, .options = *options, .stop_pipe = {-1, -1}};
    server->n_sites = fg_web_sites(web);
    server->loop = event_base_new();
    server->sites = calloc(server->n_sites, sizeof *server->sites);
    if (!server->loop || !server->sites)
        fg_out_of_memory();
    if (pipe2(server->stop_pipe, O_CLOEXEC) != 0) {
        int code = errno;
        event_base_free(server->loop);
        free(server->sites);
        free(server);
        return fg_fail(err, FG_EIO, "cannot make a pipe: %s", strerror(code));
    }
    server->rng = fg_rng_from_seed(1);
    fg_buf_init(&server->body, MOST_BODY);
    server->stopper =
        event_new(server->loop, server->stop_pipe[0], EV_READ, on_stop, server->loop);
    event_add(server->stopper, NULL);
    enum fg_status st = open_log(server, err);
    for (unsigned i = 0; !st && i < server->n_sites; i++)
        st = open_site(server, i, err);
    if (!st && pthread_create(&server->thread, NULL, serve, server) != 0)
        st = fg_fail(err, FG_EIO, "cannot start a thread");
    server->is_running = !st;
    if (st)
        fg_web_server_stop(server);
    else
        *result = server;
    return st;
}

void fg_web_server_stop(struct fg_web_server *server)
{
    if (!server)
        return;
    close(server->stop_pipe[1]);
    if (server->is_running)
        pthread_join(server->thread, NULL);
    for (unsigned i = 0; i < server->n_sites; i++)
        if (server->sites[i].http)
            evhttp_free(server->sites[i].http);
    event_free(server->stopper);
    event_base_free(server->loop);
    close(server->stop_pipe[0]);
    if (server->log)
        fclose(server->log);
    fg_buf_clear(&server->body);
    free(server->sites);
    free(server);
}

const char *fg_web_server_origin(const struct fg_web_server *server, unsigned site)
{
    return server->sites[site].origin;
}

uint64_t fg_web_server_requests(const struct fg_web_server *server)
{
    return atomic_load(&server->requests);
}
