/* http.c - the HTTP of the server: libmicrohttpd, and what it does not do itself
 *
 * Two threads have an epoll each; nobody has a thread of his own, so ten thousand idle
 * connections cost descriptors and little else. Of what makes a server weak the library
 * bounds the size of a request's head, the number of connections and their idleness. But
 * idleness is not slowness: a head that comes a byte a minute is never idle. So each
 * connection has deadlines for the whole of a head, of a body and of an answer, which the
 * keeper holds it to; and when nine in ten places are taken, those who have waited
 * longest without asking anything lose theirs.
 *
 * What has to be looked up is done by threads of its own (work.h), the connection being
 * suspended meanwhile: those that serve never wait for the disk.
 *
 * An answer that was worked out is kept (kept.h) for twenty times the time that took, and
 * whoever asks the same meanwhile gets the same: however many ask, what can be asked for
 * takes one processor a twentieth of the time. */
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "server/gate.h"
#include "server/inside.h"
#include "server/kept.h"
#include "server/stream.h"
#include "server/work.h"

#include <microhttpd.h>
#include <netinet/in.h>
#include <openssl/crypto.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { THREADS = 2, HEAD_BYTES = 32 << 10, IDLE_S = 60, MOST_ARGS = 32 };
enum { WORKERS = 2, MOST_WAITING = 512, MOST_ERRANDS = 4 };
static const fg_time head_time = 20 * FG_SECOND, body_time = 20 * FG_SECOND,
                     answer_time = 2 * FG_MINUTE, crowded_time = 2 * FG_SECOND;

/* --- connections --- */

enum phase { ASKING, SENDING_BODY, WORKED_ON, ANSWERED, STREAMING };

struct client {
    struct client *next, *before;
    int fd;
    enum phase phase;
    bool has_nul;  /* in the address of its request; of the thread that serves it */
    fg_time since; /* monotonic; when the phase began */
};

struct fg_http {
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock; /* of the three below */
    struct client *clients;
    size_t n_clients, most;
    struct fg_kept *kept; /* has a lock of its own */
    struct fg_arena arena;
    struct fg_work *work, *errands; /* what is looked up here; what is asked elsewhere */
};

/* What is between the calls of the library for one request. */
struct asked {
    struct fg_http_request request;
    struct fg_arena arena;
    struct fg_buf body;
    struct fg_named args[MOST_ARGS];
    bool has_too_many, has_nul, is_done, has_waited;
    size_t dropped;  /* bytes of a body that is too large */
    bool is_awaited; /* others may wait for what comes of it: fg_kept_done */
    struct MHD_Connection *connection;
    struct fg_reply reply;
    uint64_t question;
    fg_time took;
    const char *method;
};

static void enter(struct client *client, enum phase phase)
{
    client->phase = phase;
    client->since = fg_time_monotonic();
}

static struct client *client_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static void change_phase(struct fg_server *server, struct MHD_Connection *connection,
                         enum phase phase)
{
    struct client *client = client_of(connection);
    pthread_mutex_lock(&server->http->lock);
    if (client)
        enter(client, phase);
    pthread_mutex_unlock(&server->http->lock);
}

static void on_connection(void *context, struct MHD_Connection *connection,
                          void **socket_context, enum MHD_ConnectionNotificationCode what)
{
    struct fg_server *server = context;
    struct fg_http *http = server->http;
    struct client *client = *socket_context;
    pthread_mutex_lock(&http->lock);
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        client = fg_zeroed(1, sizeof *client);
        client->fd = info ? info->connect_fd : -1;
        client->next = http->clients;
        if (client->next)
            client->next->before = client;
        http->clients = client;
        http->n_clients++;
        enter(client, ASKING);
        *socket_context = client;
    } else if (client) {
        if (client->before)
            client->before->next = client->next;
        else
            http->clients = client->next;
        if (client->next)
            client->next->before = client->before;
        http->n_clients--;
        free(client);
        *socket_context = NULL;
    }
    server->counts.connections = http->n_clients;
    pthread_mutex_unlock(&http->lock);
}

static fg_time time_for(const struct fg_http *http, const struct client *client)
{
    bool is_crowded = http->n_clients > http->most - http->most / 10;
    switch (client->phase) {
    case ASKING:
        return is_crowded ? crowded_time : head_time;
    case SENDING_BODY:
        return body_time;
    case ANSWERED:
        return answer_time;
    default:
        return INT64_MAX;
    }
}

/* The library notices the end of a connection that is shut down, and closes it; until it
 * has, and says so under the same lock, the descriptor is nobody else's. */
void fg_http_keep(struct fg_server *server)
{
    struct fg_http *http = server->http;
    fg_time now = fg_time_monotonic();
    pthread_mutex_lock(&http->lock);
    for (struct client *client = http->clients; client; client = client->next)
        if (now - client->since > time_for(http, client) && client->fd >= 0)
            shutdown(client->fd, SHUT_RDWR);
    pthread_mutex_unlock(&http->lock);
}

/* --- answering --- */

static void add_headers(struct MHD_Response *response, const struct fg_reply *reply,
                        const char *etag)
{
    static const char *const always[][2] = {
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
        {"Vary", "Authorization, Cookie"},
    };
    char seconds[16], policy[400];
    snprintf(policy, sizeof policy,
             "default-src 'none'; script-src 'self'; style-src 'self'%s%s%s; img-src "
             "'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; "
             "base-uri 'none'",
             reply->style_hash ? " 'sha256-" : "",
             reply->style_hash ? reply->style_hash : "", reply->style_hash ? "'" : "");
    MHD_add_response_header(response, "Content-Security-Policy", policy);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        MHD_add_response_header(response, always[i][0], always[i][1]);
    MHD_add_response_header(response, "Cache-Control",
                            etag ? "private, no-cache" : "no-store");
    MHD_add_response_header(response, "Content-Type", reply->type);
    if (etag)
        MHD_add_response_header(response, "ETag", etag);
    if (reply->location)
        MHD_add_response_header(response, "Location", reply->location);
    if (reply->cookie)
        MHD_add_response_header(response, "Set-Cookie", reply->cookie);
    if (reply->link)
        MHD_add_response_header(response, "Link", reply->link);
    if (reply->allow)
        MHD_add_response_header(response, "Allow", reply->allow);
    if (reply->is_last)
        MHD_add_response_header(response, "Connection", "close");
    if (reply->status == 401)
        MHD_add_response_header(response, "WWW-Authenticate", "Bearer realm=\"forage\"");
    if (reply->retry_after_s) {
        snprintf(seconds, sizeof seconds, "%u", reply->retry_after_s);
        MHD_add_response_header(response, "Retry-After", seconds);
    }
}

static enum MHD_Result queue(struct fg_server *server, struct MHD_Connection *connection,
                             unsigned status, struct MHD_Response *response)
{
    change_phase(server, connection, ANSWERED);
    pthread_mutex_lock(&server->http->lock);
    server->counts.requests[status / 100 % 6]++;
    enum MHD_Result done = MHD_queue_response(connection, status, response);
    pthread_mutex_unlock(&server->http->lock);
    return done;
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* One of a list of tags, or "*"; what is weak there is as good. */
static bool has_tag(struct MHD_Connection *connection, const char *etag)
{
    struct fg_str rest = fg_str_from(header(connection, "If-None-Match")), tag;
    while (rest.len && fg_str_cut(&rest, ',', &tag)) {
        tag = fg_str_trim(tag);
        if (fg_str_starts(tag, FG_STR("W/")))
            tag = fg_str_skip(tag, 2);
        if (fg_str_eq(tag, fg_str_from(etag)) || fg_str_eq(tag, FG_STR("*")))
            return true;
    }
    return false;
}

static enum MHD_Result not_modified(struct fg_server *server,
                                    struct MHD_Connection *connection, const char *etag)
{
    struct MHD_Response *empty =
        MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(empty, "ETag", etag);
    MHD_add_response_header(empty, "Cache-Control", "private, no-cache");
    MHD_add_response_header(empty, "Vary", "Authorization, Cookie");
    enum MHD_Result done = queue(server, connection, 304, empty);
    MHD_destroy_response(empty);
    return done;
}

/* Nobody waits any more for what comes of it. */
static void tell(struct fg_server *server, struct asked *asked,
                 struct MHD_Response *response, const char *etag, fg_time fresh)
{
    asked->is_awaited = false;
    fg_kept_done(server->http->kept, asked->question, response, etag, fresh);
}

/* `question`: 0 if it may be given to nobody else. `asked`: NULL, or whom others may wait
 * for; `fresh`: how long they are given the same. The body goes with the response. */
static enum MHD_Result send_reply(struct fg_server *server,
                                  struct MHD_Connection *connection,
                                  struct fg_reply *reply, uint64_t question,
                                  struct asked *asked, fg_time fresh)
{
    char etag[FG_KEPT_ETAG];
    bool has_etag = reply->status == 200 && question;
    snprintf(etag, sizeof etag, "\"%016llx\"",
             (unsigned long long)fg_str_hash(fg_buf_str(&reply->body)));
    size_t bytes = reply->body.len;
    struct MHD_Response *response = MHD_create_response_from_buffer(
        bytes, reply->body.at,
        reply->body.at ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (!response) {
        fg_buf_clear(&reply->body);
        return MHD_NO;
    }
    add_headers(response, reply, has_etag ? etag : NULL);
    enum MHD_Result done = has_etag && has_tag(connection, etag)
                               ? not_modified(server, connection, etag)
                               : queue(server, connection, reply->status, response);
    if (asked && asked->is_awaited && has_etag && bytes <= FG_KEPT_BYTES)
        tell(server, asked, response, etag, fresh);
    else
        MHD_destroy_response(response);
    return done;
}

struct sending {
    struct fg_server *server;
    struct MHD_Connection *connection;
    enum MHD_Result done;
};

static void send_kept(void *context, struct MHD_Response *response, const char *etag)
{
    struct sending *to = context;
    to->done = has_tag(to->connection, etag)
                   ? not_modified(to->server, to->connection, etag)
                   : queue(to->server, to->connection, 200, response);
}

/* `reply` has further headers. */
static enum MHD_Result refuse_with(struct fg_server *server,
                                   struct MHD_Connection *connection,
                                   struct fg_reply *reply, unsigned status,
                                   const char *detail)
{
    server->counts.refused++;
    fg_buf_init(&reply->body, FG_REPLY_MOST);
    fg_reply_problem(reply, status, detail);
    return send_reply(server, connection, reply, 0, NULL, 0);
}

static enum MHD_Result refuse(struct fg_server *server, struct MHD_Connection *connection,
                              unsigned status, const char *detail, unsigned retry_after_s)
{
    struct fg_reply reply = {.retry_after_s = retry_after_s};
    return refuse_with(server, connection, &reply, status, detail);
}

/* --- the gate --- */

static uint64_t who_asks(const struct fg_server *server,
                         struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return fg_gate_client(info ? info->client_addr : NULL,
                          server->place.settings->is_behind_proxy,
                          fg_str_from(header(connection, "X-Forwarded-For")));
}

static struct fg_gate_request gate_request(struct MHD_Connection *connection,
                                           const char *method)
{
    const char *length = header(connection, "Content-Length");
    return (struct fg_gate_request){
        .host = fg_str_from(header(connection, "Host")),
        .origin = fg_str_from(header(connection, "Origin")),
        .fetch_site = fg_str_from(header(connection, "Sec-Fetch-Site")),
        .content_type = fg_str_from(header(connection, "Content-Type")),
        .authorization = fg_str_from(header(connection, "Authorization")),
        .cookie = fg_str_from(header(connection, "Cookie")),
        .is_changing = strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0,
        .has_body = (length && strcmp(length, "0") != 0) ||
                    header(connection, "Transfer-Encoding"),
    };
}

static bool is_glance(struct MHD_Connection *connection, const char *method)
{
    static const char *const names[] = {"Sec-Purpose", "Purpose", "X-Moz"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fg_str_starts_nocase(fg_str_from(header(connection, names[i])),
                                 FG_STR("prefetch")))
            return true;
    return strcmp(method, "HEAD") == 0;
}

/* Two lengths of one body, or two names of ours: a proxy may believe the one, and we the
 * other. Likewise a header whose name ends in a blank, which is one to some and none to
 * others, and a body whose end only its encoding knows. */
struct framing {
    unsigned lengths, encodings, hosts, blanks, unknown;
};

static enum MHD_Result count_framing(void *context, enum MHD_ValueKind kind,
                                     const char *name, const char *value)
{
    struct framing *framing = context;
    (void)kind;
    framing->blanks += strpbrk(name, " \t") != NULL;
    framing->lengths +=
        fg_str_eq_nocase(fg_str_from(name), FG_STR(MHD_HTTP_HEADER_CONTENT_LENGTH));
    framing->encodings +=
        fg_str_eq_nocase(fg_str_from(name), FG_STR(MHD_HTTP_HEADER_TRANSFER_ENCODING));
    framing->unknown +=
        fg_str_eq_nocase(fg_str_from(name), FG_STR(MHD_HTTP_HEADER_TRANSFER_ENCODING)) &&
        !fg_str_eq_nocase(fg_str_from(value), FG_STR("chunked"));
    framing->hosts += fg_str_eq_nocase(fg_str_from(name), FG_STR(MHD_HTTP_HEADER_HOST));
    return MHD_YES;
}

/* NULL: it can be understood in one way only. */
static const char *ambiguity(struct MHD_Connection *connection)
{
    struct framing framing = {0};
    MHD_get_connection_values(connection, MHD_HEADER_KIND, count_framing, &framing);
    if (framing.lengths + framing.encodings > 1)
        return "the length of the body is given twice";
    if (framing.unknown)
        return "the body has a Transfer-Encoding other than chunked";
    if (framing.blanks)
        return "there is a blank in the name of a header";
    return framing.hosts > 1 ? "there are two Host headers" : NULL;
}

static const char too_large[] = "the body is larger than 1 MiB";

/* If it is, it was answered. */
static bool is_refused(struct fg_server *server, struct asked *asked,
                       struct MHD_Connection *connection, enum MHD_Result *done)
{
    struct fg_gate_request gate = gate_request(connection, asked->method);
    const struct fg_route *route = asked->request.route;
    bool is_public = route && route->is_public;
    const char *why =
        is_public ? NULL : fg_gate_refuses(&gate, &server->place.settings->hosts);
    const char *length = header(connection, "Content-Length");
    uint64_t bytes = 0;
    unsigned wait_s = 0;
    asked->request.client = who_asks(server, connection);
    asked->request.is_glance = is_glance(connection, asked->method);
    if (why) {
        *done = refuse(server, connection, 403, why, 0);
        return true;
    }
    why = ambiguity(connection);
    if (!why && asked->has_nul)
        why = "there is a NUL in the address (%00)";
    if (why) { /* what comes after it may be of its body */
        *done = refuse_with(server, connection, &(struct fg_reply){.is_last = true}, 400,
                            why);
        return true;
    }
    if (length && (!fg_str_to_u64(fg_str_from(length), &bytes) || bytes > FG_BODY_MOST)) {
        *done = refuse(server, connection, 413, too_large, 0);
        return true;
    }
    if (!server->needs_token || is_public || (route && route->is_open))
        return false;
    char room[512];
    struct fg_str given = fg_gate_token(&gate, room, sizeof room);
    unsigned status = fg_door_try(&server->door, asked->request.client, given,
                                  fg_time_monotonic(), &wait_s, &asked->request.turn);
    if (status)
        *done = refuse(server, connection, status,
                       status == 429 ? "too many wrong tokens; wait"
                                     : "a token is needed: Authorization: Bearer TOKEN",
                       wait_s);
    return status != 0;
}

/* --- requests --- */

/* Texts end at their first NUL, for the library's callers too, so one that is within an
 * address would cut it: such a request is refused when it begins. */
static size_t unescape(void *context, struct MHD_Connection *connection, char *text)
{
    struct client *client = client_of(connection);
    (void)context;
    if (client && strstr(text, "%00"))
        client->has_nul = true;
    return MHD_http_unescape(text);
}

static bool take_nul(struct MHD_Connection *connection)
{
    struct client *client = client_of(connection);
    bool has_nul = client && client->has_nul;
    if (client)
        client->has_nul = false;
    return has_nul;
}

static enum MHD_Result take_arg(void *context, enum MHD_ValueKind kind, const char *name,
                                const char *value)
{
    struct asked *asked = context;
    (void)kind;
    asked->has_too_many |= asked->request.n_args == MOST_ARGS;
    if (!asked->has_too_many)
        asked->args[asked->request.n_args++] =
            (struct fg_named){fg_str_from(name), fg_str_from(value ? value : "")};
    return MHD_YES;
}

static struct asked *asked_new(struct fg_server *server,
                               struct MHD_Connection *connection, const char *path,
                               const char *method)
{
    struct asked *asked = fg_zeroed(1, sizeof *asked);
    struct fg_http_request *request = &asked->request;
    const char *proxied = header(connection, "X-Forwarded-Proto");
    asked->method = method;
    asked->connection = connection;
    asked->has_nul = take_nul(connection);
    *request = (struct fg_http_request){
        .server = server,
        .path = fg_str_from(fg_arena_cstr(&asked->arena, fg_str_from(path))),
        .key = fg_str_from(header(connection, "Idempotency-Key")),
        .last_event = fg_str_from(header(connection, "Last-Event-ID")),
        .signature = fg_str_from(header(connection, "X-Hub-Signature")),
        .host = fg_str_from(header(connection, "Host")),
        .is_secure = server->place.settings->certificate.len ||
                     (proxied && strcmp(proxied, "https") == 0),
        .arena = &asked->arena,
        .args = asked->args,
    };
    MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, take_arg, asked);
    fg_buf_init(&asked->body, FG_BODY_MOST + 1);
    return asked;
}

static void asked_free(struct fg_server *server, struct asked *asked)
{
    if (!asked)
        return;
    if (asked->is_awaited) /* who asked has gone before the answer */
        tell(server, asked, NULL, "", 0);
    fg_buf_clear(&asked->body);
    fg_buf_clear(&asked->reply.body);
    fg_arena_clear(&asked->arena);
    free(asked);
}

/* Stands for all that the answer depends on; 0: it must not be kept. */
static uint64_t question_of(const struct asked *asked)
{
    const struct fg_http_request *request = &asked->request;
    uint64_t hash = fg_str_hash(request->path);
    if (strcmp(request->route->method, "GET") != 0)
        return 0;
    for (size_t i = 0; i < request->n_args; i++) {
        hash = hash * 31 + fg_str_hash(request->args[i].name);
        hash = hash * 31 + fg_str_hash(request->args[i].value);
    }
    hash = hash * 31 + fg_str_hash(request->host); /* feeds name their own address */
    return hash | 1;
}

static void work_out(struct asked *asked)
{
    struct fg_http_request *request = &asked->request;
    struct fg_reply *reply = &asked->reply;
    struct fg_err err = {0};
    bool is_change = !asked->question && !request->route->changes_nothing &&
                     !request->route->is_public;
    *reply = (struct fg_reply){.status = 200, .type = "application/json"};
    fg_buf_init(&reply->body, FG_REPLY_MOST);
    if (request->route->type)
        reply->type = request->route->type;
    request->body = fg_buf_str(&asked->body);
    fg_time began = fg_time_monotonic();
    enum fg_status st =
        is_change ? fg_memory_answer(reply, request, request->route->answer, &err)
                  : request->route->answer(reply, request, &err);
    asked->took = fg_time_monotonic() - began;
    if (!st && reply->body.full)
        st = fg_fail(&err, FG_ELIMIT, "the answer is larger than 64 MiB; ask for less");
    if (st)
        fg_reply_problem(reply, fg_reply_status(st), err.text);
    asked->is_done = true;
}

static void work_out_and_resume(void *context)
{
    struct asked *asked = context;
    struct MHD_Connection *connection = asked->connection;
    work_out(asked);
    MHD_resume_connection(connection);
}

static enum MHD_Result send_worked_out(struct fg_server *server, struct asked *asked,
                                       struct MHD_Connection *connection)
{
    struct fg_reply reply = asked->reply;
    fg_time least = 30 * FG_MILLISECOND,
            fresh = reply.is_fixed ? FG_HOUR : 20 * asked->took;
    asked->reply.body = (struct fg_buf){0}; /* it goes with the response */
    enum MHD_Result done =
        send_reply(server, connection, &reply, reply.is_for_one ? 0 : asked->question,
                   asked, fresh < least ? least : fresh);
    if (asked->is_awaited) /* it is nothing to be kept */
        tell(server, asked, NULL, "", 0);
    if (asked->request.is_audited)
        fg_kept_forget(server->http->kept);
    return done;
}

static enum MHD_Result answer(struct fg_server *server, struct asked *asked,
                              struct MHD_Connection *connection)
{
    const struct fg_route *route = asked->request.route;
    struct sending to = {.server = server, .connection = connection};
    enum fg_kept_found found = FG_KEPT_NOTHING;
    asked->question = question_of(asked);
    if (asked->question)
        found = fg_kept_ask(server->http->kept, asked->question, connection,
                            !route->is_open && !asked->has_waited, send_kept, &to);
    asked->is_awaited = found == FG_KEPT_OURS;
    asked->has_waited |= found == FG_KEPT_AWAITED;
    if (found == FG_KEPT_SENT)
        return to.done;
    if (found == FG_KEPT_AWAITED) {
        change_phase(server, connection, WORKED_ON);
        return MHD_YES;
    }
    if (route->is_open) { /* these are quick, and must answer when nothing else does */
        work_out(asked);
        return send_worked_out(server, asked, connection);
    }
    struct fg_work *work =
        route->changes_nothing ? server->http->errands : server->http->work;
    change_phase(server, connection, WORKED_ON);
    MHD_suspend_connection(connection);
    if (fg_work_add(work, work_out_and_resume, asked))
        return MHD_YES;
    asked->reply = (struct fg_reply){.retry_after_s = 2};
    fg_buf_init(&asked->reply.body, FG_REPLY_MOST);
    fg_reply_problem(&asked->reply, 503, "there is too much to do; ask again");
    asked->is_done = true;
    MHD_resume_connection(connection);
    return MHD_YES;
}

static enum MHD_Result begin(struct fg_server *server, struct asked *asked,
                             struct MHD_Connection *connection)
{
    struct fg_str allowed;
    struct fg_http_request *request = &asked->request;
    enum MHD_Result done;
    request->route = fg_routes_find(
        &server->routes, strcmp(asked->method, "HEAD") == 0 ? "GET" : asked->method,
        request->path, &allowed, request->arena);
    if (is_refused(server, asked, connection, &done))
        return done;
    if (!request->route && !allowed.len)
        return refuse(server, connection, 404, "there is nothing of this name", 0);
    if (!request->route) {
        struct fg_str words =
            fg_arena_printf(request->arena, "this takes %.*s only", FG_ARG(allowed));
        return refuse_with(server, connection, &(struct fg_reply){.allow = allowed.at},
                           405, words.at);
    }
    if (asked->has_too_many)
        return refuse(server, connection, 400, "there are more than 32 parameters", 0);
    change_phase(server, connection, SENDING_BODY);
    return MHD_YES;
}

/* The library takes no answer while a body comes. Of one in chunks that is too large the
 * rest is dropped, so that it can be said; who sends on and on is not heard to the end.
 */
static enum MHD_Result take_body(struct asked *asked, struct fg_str bytes)
{
    enum { MOST_DROPPED = 64 << 20 };
    if (asked->body.len + bytes.len > FG_BODY_MOST)
        asked->dropped += bytes.len;
    if (asked->dropped)
        return asked->dropped <= MOST_DROPPED ? MHD_YES : MHD_NO;
    return fg_buf_add(&asked->body, bytes) ? MHD_YES : MHD_NO;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection,
                                  const char *path, const char *method,
                                  const char *version, const char *upload,
                                  size_t *upload_bytes, void **memory)
{
    struct fg_server *server = context;
    struct asked *asked = *memory;
    (void)version;
    if (!asked) {
        *memory = asked = asked_new(server, connection, path, method);
        return begin(server, asked, connection);
    }
    if (*upload_bytes) {
        enum MHD_Result done = take_body(asked, (struct fg_str){upload, *upload_bytes});
        *upload_bytes = 0;
        return done;
    }
    if (asked->dropped)
        return refuse(server, connection, 413, too_large, 0);
    if (asked->is_done)
        return send_worked_out(server, asked, connection);
    fg_buf_add_char(&asked->body, '\0');
    asked->body.len--;
    if (!asked->request.route->is_stream)
        return answer(server, asked, connection);
    struct fg_err err = {0};
    struct MHD_Response *stream =
        fg_stream_response(server->stream, connection, &asked->request, &err);
    if (!stream)
        return err.status
                   ? refuse(server, connection, fg_reply_status(err.status), err.text, 0)
                   : refuse(server, connection, 503, "too many read events already", 10);
    struct fg_reply reply = {.status = 200, .type = "text/event-stream"};
    add_headers(stream, &reply, NULL);
    enum MHD_Result done = queue(server, connection, 200, stream);
    change_phase(server, connection, STREAMING);
    MHD_destroy_response(stream);
    return done;
}

static void on_completed(void *context, struct MHD_Connection *connection, void **memory,
                         enum MHD_RequestTerminationCode why)
{
    (void)why;
    asked_free(context, *memory);
    *memory = NULL;
    change_phase(context, connection, ASKING);
}

/* --- starting --- */

static size_t most_connections(const struct fg_server *server)
{
    size_t most = (size_t)server->place.settings->connections;
    uint64_t half = fg_files_allow(0) / 2; /* the crawl needs the others */
    if (half < most)
        most = half;
    return most < THREADS ? THREADS : most;
}

static enum fg_status read_pem(const char **text, struct fg_arena *arena,
                               struct fg_str path, struct fg_err *err)
{
    struct fg_str bytes;
    enum fg_status st = fg_file_read(&bytes, arena, path.at, 1 << 20, err);
    *text = bytes.at;
    return st;
}

enum fg_status fg_http_start(struct fg_server *server, int fd, struct fg_err *err)
{
    const struct fg_server_settings *settings = server->place.settings;
    struct fg_http *http = fg_zeroed(1, sizeof *http);
    struct MHD_OptionItem tls[3] = {{MHD_OPTION_END, 0, NULL}};
    unsigned flags =
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC;
    server->http = http;
    pthread_mutex_init(&http->lock, NULL);
    http->most = most_connections(server);
    http->kept = fg_kept_new();
    if (settings->certificate.len) {
        const char *certificate, *key;
        enum fg_status st =
            read_pem(&certificate, &http->arena, settings->certificate, err);
        if (!st)
            st = read_pem(&key, &http->arena, settings->key, err);
        if (st) {
            close(fd);
            return st;
        }
        flags |= MHD_USE_TLS;
        tls[0] =
            (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate};
        tls[1] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key};
        tls[2] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    }
    http->work = fg_work_new(WORKERS, MOST_WAITING);
    http->errands = fg_work_new(1, MOST_ERRANDS);
    if (!http->work || !http->errands) {
        close(fd);
        return fg_fail(err, FG_EIO, "cannot start a thread for the server");
    }
    http->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, on_request, server, MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)http->most, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD_BYTES,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S, MHD_OPTION_NOTIFY_COMPLETED,
        on_completed, server, MHD_OPTION_NOTIFY_CONNECTION, on_connection, server,
        MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
    if (http->daemon)
        return FG_OK;
    close(fd);
    return fg_fail(err, FG_EIO, "the server cannot be started%s",
                   settings->certificate.len
                       ? "; see whether server.tls-certificate and server.tls-key fit"
                       : "");
}

void fg_http_stop(struct fg_server *server)
{
    struct fg_http *http = server->http;
    /* First: whoever waits for an answer is resumed with it. */
    if (http->work)
        fg_work_end(http->work);
    if (http->errands)
        fg_work_end(http->errands);
    if (http->daemon)
        MHD_stop_daemon(http->daemon);
    fg_work_free(http->work);
    fg_work_free(http->errands);
    fg_kept_free(http->kept);
    pthread_mutex_destroy(&http->lock);
    fg_arena_clear(&http->arena);
    free(http);
    server->http = NULL;
}
