/* libcurl's multi interface driven by libevent: curl tells which sockets to watch and
 * when to be woken, we tell it what happened. Easy handles are set up once and reused, so
 * that a request costs setting its URL and little more.
 *
 * Between two requests on one connection curl does not want its socket watched. We leave
 * it with the kernel all the same, since nothing comes from it as a rule, and save two
 * system calls a request. That needs to know when a socket is closed, so it is done for
 * those that we opened for curl and no others, and only while some request is open: a
 * loop without requests must be able to end. */
#include "net/http/fetch_parts.h"

#include "base/buf.h"
#include "base/memory.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/event.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Servers close an idle connection after five seconds, many of them; a request that meets
 * that moment is lost. */
enum { URL_ROOM = 1 << 16, SLOW_SECONDS = 10, IDLE_SECONDS = 4, OVERHEAD = 1 << 18 };

/* --- what curl calls while a transfer runs --- */

static size_t take_body(char *data, size_t size, size_t n, void *context)
{
    struct transfer *transfer = context;
    size_t bytes = size * n, room = transfer->max_body - transfer->room->body.len;
    if (bytes > room) {
        fg_buf_add(&transfer->room->body, (struct fg_str){data, room});
        transfer->is_truncated = true;
        return 0; /* ends the transfer; finish() knows why */
    }
    fg_buf_add(&transfer->room->body, (struct fg_str){data, bytes});
    atomic_fetch_add_explicit(&transfer->fetcher->turn.content, bytes,
                              memory_order_relaxed);
    return bytes;
}

static int take_wire(CURL *easy, curl_infotype type, char *data, size_t n, void *context)
{
    (void)easy;
    struct transfer *transfer = context;
    struct fg_str bytes = {data, n};
    if (type == CURLINFO_HEADER_OUT)
        fg_wire_sent(&transfer->room->wire, bytes);
    else if (type == CURLINFO_DATA_IN && transfer->has_headers &&
             fg_wire_needs(fg_buf_str(&transfer->room->headers)))
        fg_wire_came(&transfer->room->wire, bytes);
    return 0;
}

static size_t take_header(char *data, size_t size, size_t n, void *context)
{
    struct transfer *transfer = context;
    struct fg_str line = {data, size * n};
    /* Counted over all answers to this request: a flood of 1xx answers is a flood too. */
    transfer->header_bytes += line.len;
    if (transfer->header_bytes > transfer->fetcher->options.max_headers) {
        transfer->too_many_headers = true;
        return 0;
    }
    if (transfer->has_headers)
        return line.len; /* trailers: too late to change what the answer means */
    if (fg_str_starts_nocase(line, FG_STR("HTTP/"))) {
        fg_buf_reset(&transfer->room->headers);
        fg_wire_status(&transfer->room->wire, line);
        long status = 0;
        curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
        transfer->status = (unsigned)status;
    } else if (fg_str_trim(line).len) {
        fg_buf_add(&transfer->room->headers, line);
    } else if (transfer->status >= 200) {
        transfer->has_headers = true;
        /* From here on it must keep a certain speed; until now it may have been thinking.
         */
        curl_easy_setopt(transfer->easy, CURLOPT_LOW_SPEED_TIME, (long)SLOW_SECONDS);
    }
    return line.len;
}

static struct watch *watch_of(struct fg_fetcher *fetcher, curl_socket_t fd)
{
    while (fetcher->watches.len <= (size_t)fd)
        fg_vec_push(&fetcher->watches, (struct watch){0});
    return &fetcher->watches.at[fd];
}

static void unwatch(struct watch *watch)
{
    if (watch->what)
        event_del(watch->event);
    watch->what = 0;
}

static void note_address(struct transfer *transfer, const struct sockaddr *address)
{
    const void *at =
        address->sa_family == AF_INET6
            ? (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr
            : (const void *)&((const struct sockaddr_in *)address)->sin_addr;
    inet_ntop(address->sa_family, at, transfer->address.first,
              sizeof transfer->address.first);
}

/* The address guard: asked with the address that is about to be connected to. */
static curl_socket_t open_socket(void *context, curlsocktype purpose,
                                 struct curl_sockaddr *address)
{
    struct transfer *transfer = context;
    bool is_theirs = purpose == CURLSOCKTYPE_IPCXN && !transfer->is_proxied;
    if (is_theirs)
        transfer->address.refusal =
            fetch_refusal(&transfer->fetcher->options, &address->addr);
    if (is_theirs && !*transfer->address.first)
        note_address(transfer, &address->addr);
    if (transfer->address.refusal || transfer->request.only_looks_up)
        return CURL_SOCKET_BAD;
    int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (fd >= 0) {
        watch_of(transfer->fetcher, fd)->is_ours = true;
        fg_turn_opened(&transfer->fetcher->turn, fd);
    } else if (errno != EAFNOSUPPORT)
        transfer->trouble = errno;
    return fd;
}

static int close_socket(void *context, curl_socket_t fd)
{
    struct fg_fetcher *fetcher = context;
    struct watch *watch = watch_of(fetcher, fd);
    unwatch(watch);
    if (watch->is_ours)
        fg_turn_closing(&fetcher->turn, fd);
    watch->is_ours = false;
    return close(fd);
}

/* A connection that closes, or a stream that is refused, makes curl ask again by itself:
 * a request that nobody paced and nobody wrote down. */
static int send_once(void *context, char *ip, char *own_ip, int port, int own_port)
{
    (void)ip, (void)own_ip, (void)port, (void)own_port;
    struct transfer *transfer = context;
    bool is_again = transfer->was_sent || transfer->request.only_looks_up;
    transfer->was_sent = true;
    return is_again ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

/* --- results --- */

static enum fg_outcome outcome_of(const struct transfer *transfer, CURLcode code)
{
    if (transfer->was_shut)
        return FG_FETCH_BROKEN;
    if (transfer->too_many_headers)
        return FG_FETCH_HEADERS;
    if (transfer->is_truncated)
        return FG_FETCHED;
    if (transfer->is_bad_url)
        return transfer->address.refusal ? FG_FETCH_FORBIDDEN : FG_FETCH_BAD_URL;
    switch (code) {
    case CURLE_OK:
        /* curl takes an end within the headers for the end of the answer. For us half a
         * head is no answer: a robots.txt cut there would forbid nothing. */
        return transfer->has_headers ? FG_FETCHED : FG_FETCH_BROKEN;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
        return FG_FETCH_DNS;
    case CURLE_COULDNT_CONNECT:
        return transfer->address.refusal ? FG_FETCH_FORBIDDEN
               : transfer->trouble       ? FG_FETCH_HERE
                                         : FG_FETCH_CONNECT;
    case CURLE_PROXY:
        return FG_FETCH_CONNECT;
    case CURLE_OPERATION_TIMEDOUT:
        return FG_FETCH_TIMEOUT;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_CACERT_BADFILE:
        return FG_FETCH_TLS;
    case CURLE_URL_MALFORMAT:
        return FG_FETCH_BAD_URL;
    case CURLE_OUT_OF_MEMORY: /* what curl says of one header line beyond 100 KB */
        return FG_FETCH_HEADERS;
    default:
        return FG_FETCH_BROKEN;
    }
}

static const char *why_of(const struct transfer *transfer, enum fg_outcome outcome,
                          CURLcode code)
{
    if (transfer->was_shut)
        return "the server sent an endless stream that is not a page";
    if (outcome == FG_FETCH_FORBIDDEN)
        return transfer->address.refusal;
    if (outcome == FG_FETCH_HERE)
        return strerror(transfer->trouble);
    if (outcome == FG_FETCH_HEADERS)
        return "more headers than allowed";
    if (outcome == FG_FETCH_BAD_URL)
        return "the address makes no sense";
    if (code == CURLE_OK && outcome == FG_FETCH_BROKEN)
        return "the answer ended within its headers";
    if (code == CURLE_ABORTED_BY_CALLBACK)
        return "the server closed the connection instead of answering";
    return transfer->words[0] ? transfer->words : curl_easy_strerror(code);
}

static int version_of(CURL *easy)
{
    long version = 0;
    curl_easy_getinfo(easy, CURLINFO_HTTP_VERSION, &version);
    return version == CURL_HTTP_VERSION_2_0   ? 20
           : version == CURL_HTTP_VERSION_1_0 ? 10
                                              : 11;
}

static struct fg_response response_of(struct transfer *transfer, enum fg_outcome outcome,
                                      const char *why)
{
    long status = 0;
    curl_off_t wire = 0, took = 0, sent = 0, first = 0;
    char *ip = NULL;
    curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(transfer->easy, CURLINFO_SIZE_DOWNLOAD_T, &wire);
    curl_easy_getinfo(transfer->easy, CURLINFO_TOTAL_TIME_T, &took);
    curl_easy_getinfo(transfer->easy, CURLINFO_PRETRANSFER_TIME_T, &sent);
    curl_easy_getinfo(transfer->easy, CURLINFO_STARTTRANSFER_TIME_T, &first);
    curl_easy_getinfo(transfer->easy, CURLINFO_PRIMARY_IP, &ip);
    struct fg_response response = {
        .outcome = outcome,
        .why = outcome == FG_FETCHED ? "" : why,
        .status = (unsigned)status,
        .truncated = transfer->is_truncated,
        .url = transfer->request.url,
        .headers = fg_buf_str(&transfer->room->headers),
        .body = fg_buf_str(&transfer->room->body),
        .wire_bytes = (uint64_t)wire + transfer->header_bytes,
        .took = took,
        .first_byte = first > sent ? first - sent : 0,
        .http_version = version_of(transfer->easy),
        .has_head = transfer->has_headers,
        .is_proxied = transfer->is_proxied,
        .was_shut = transfer->was_shut,
        .held_up = transfer->held_up,
    };
    if (transfer->request.only_looks_up)
        ip = transfer->address.first;
    if (ip)
        memcpy(response.ip, ip, strnlen(ip, sizeof response.ip - 1));
    return response;
}

static void unwatch_idle(struct fg_fetcher *fetcher)
{
    for (size_t i = 0; i < fetcher->watches.len; i++)
        if (!fetcher->watches.at[i].is_wanted)
            unwatch(&fetcher->watches.at[i]);
}

static void finish(struct transfer *transfer, enum fg_outcome outcome, const char *why)
{
    struct fg_fetcher *fetcher = transfer->fetcher;
    struct fg_response response = response_of(transfer, outcome, why);
    struct fg_request request = transfer->request;
    struct fg_fetch_room *room = transfer->room;
    curl_multi_remove_handle(fetcher->multi, transfer->easy);
    transfer->is_in_flight = false;
    fetcher->in_flight--;
    if (fetcher->options.keeps_wire) {
        room->seen = fg_wire_end(&room->wire, response.headers, response.body);
        response.wire = &room->seen;
        response.note = request.note;
    }
    request.done(request.context, &response);
    fg_fetch_room_reset(&transfer->own);
    fg_vec_push(&fetcher->idle, transfer);
    if (!fetcher->in_flight)
        unwatch_idle(fetcher);
}

static void finish_done_transfers(struct fg_fetcher *fetcher)
{
    CURLMsg *message;
    int waiting;
    while ((message = curl_multi_info_read(fetcher->multi, &waiting))) {
        if (message->msg != CURLMSG_DONE)
            continue;
        struct transfer *transfer;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
        CURLcode code = message->data.result;
        enum fg_outcome outcome = outcome_of(transfer, code);
        finish(transfer, outcome, why_of(transfer, outcome, code));
    }
}

/* --- the event loop's side --- */

/* All that has come in, with whatever surrounds the bodies. */
static uint64_t bytes_of(curl_socket_t fd)
{
    struct tcp_info info = {0};
    socklen_t len = sizeof info;
    return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) ? 0
                                                              : info.tcpi_bytes_received;
}

/* What is no body (endless chunk extensions, compressed nothing, empty frames) counts as
 * well: an answer must not take more than it could need. */
static void end_if_too_much(const struct watch *watch, curl_socket_t fd)
{
    struct transfer *transfer = watch->transfer;
    if (!transfer || !transfer->is_in_flight || transfer->number != watch->number)
        return;
    uint64_t most = 2 * (uint64_t)transfer->max_body +
                    transfer->fetcher->options.max_headers + OVERHEAD;
    if (bytes_of(fd) - watch->before > most)
        finish(transfer, FG_FETCH_BROKEN, "more bytes than a page may have");
}

/* Once it is in there curl may stay for as long as a server sends, so somebody watches.
 * In a turn that was for no socket, who is to blame is known only if one was shut. */
static void act(struct fg_fetcher *fetcher, curl_socket_t fd, int action)
{
    int running;
    fg_turn_begin(&fetcher->turn, fd == CURL_SOCKET_TIMEOUT ? -1 : fd);
    curl_multi_socket_action(fetcher->multi, fd, action, &running);
    int shut = fg_turn_end(&fetcher->turn);
    fg_time took = fg_turn_took(&fetcher->turn);
    int served = shut >= 0 ? shut : fd == CURL_SOCKET_TIMEOUT ? -1 : fd;
    struct transfer *transfer = served < 0 ? NULL : watch_of(fetcher, served)->transfer;
    if (!transfer || transfer->number != watch_of(fetcher, served)->number)
        return;
    if (took > transfer->held_up)
        transfer->held_up = took;
    transfer->was_shut |= shut >= 0;
}

static void on_socket(evutil_socket_t fd, short what, void *context)
{
    struct fg_fetcher *fetcher = context;
    struct watch *watch = watch_of(fetcher, fd);
    if (!watch->is_wanted) { /* closed while idle, most likely: curl will find out */
        unwatch(watch);
        return;
    }
    int action =
        (what & EV_READ ? CURL_CSELECT_IN : 0) | (what & EV_WRITE ? CURL_CSELECT_OUT : 0);
    act(fetcher, fd, action);
    finish_done_transfers(fetcher);
    end_if_too_much(watch_of(fetcher, fd), fd);
}

static void on_timer(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct fg_fetcher *fetcher = context;
    fetcher->is_in_timer = true;
    act(fetcher, CURL_SOCKET_TIMEOUT, 0);
    fetcher->is_in_timer = false;
    finish_done_transfers(fetcher);
}

static void note_transfer(struct watch *watch, CURL *easy, curl_socket_t fd)
{
    struct transfer *transfer = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&transfer);
    if (!transfer || watch->number == transfer->number)
        return;
    watch->transfer = transfer;
    watch->number = transfer->number;
    watch->before = bytes_of(fd);
}

static int watch_socket(CURL *easy, curl_socket_t fd, int action, void *context,
                        void *unused)
{
    (void)unused;
    struct fg_fetcher *fetcher = context;
    struct watch *watch = watch_of(fetcher, fd);
    short what = action == CURL_POLL_REMOVE
                     ? 0
                     : (short)(EV_PERSIST | (action & CURL_POLL_IN ? EV_READ : 0) |
                               (action & CURL_POLL_OUT ? EV_WRITE : 0));
    watch->is_wanted = what;
    if (what)
        note_transfer(watch, easy, fd);
    bool may_stay = watch->is_ours && watch->what == (EV_PERSIST | EV_READ);
    if (watch->what == what || (!what && may_stay))
        return 0;
    unwatch(watch);
    if (!what)
        return 0;
    if (!watch->event)
        watch->event = event_new(fetcher->loop, fd, what, on_socket, fetcher);
    else
        event_assign(watch->event, fetcher->loop, fd, what, on_socket, fetcher);
    if (!watch->event)
        fg_out_of_memory();
    watch->what = what;
    event_add(watch->event, NULL);
    return 0;
}

static int set_timer(CURLM *multi, long after_ms, void *context)
{
    (void)multi;
    struct fg_fetcher *fetcher = context;
    if (after_ms < 0) {
        event_del(fetcher->timer);
        return 0;
    }
    /* In this turn of the loop, behind what is due already; but a transfer that always
     * wants another go waits for the next turn, or there would be none. */
    if (!after_ms && !fetcher->is_in_timer) {
        event_active(fetcher->timer, EV_TIMEOUT, 0);
        return 0;
    }
    struct timeval after = {after_ms / 1000, after_ms % 1000 * 1000};
    event_add(fetcher->timer, &after);
    return 0;
}

/* --- transfers --- */

static void set_up(struct transfer *transfer)
{
    const struct fg_fetch_options *o = &transfer->fetcher->options;
    CURL *easy = transfer->easy;
    curl_easy_setopt(easy, CURLOPT_PRIVATE, (char *)transfer);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, transfer->fetcher);
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, send_once);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_MAXAGE_CONN, (long)IDLE_SECONDS);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->words);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 0L);
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 128L * 1024);
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, transfer->fetcher->user_agent);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)(o->timeout / FG_MILLISECOND));
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                     (long)(o->connect_timeout / FG_MILLISECOND));
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, (long)o->least_bytes_per_s);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, ""); /* what the environment says is ours */
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION,
                     o->http2 ? (long)CURL_HTTP_VERSION_2TLS
                              : (long)CURL_HTTP_VERSION_1_1);
    if (transfer->fetcher->ca_file)
        curl_easy_setopt(easy, CURLOPT_CAINFO, transfer->fetcher->ca_file);
    if (!o->keeps_wire)
        return;
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
    curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, take_wire);
    curl_easy_setopt(easy, CURLOPT_DEBUGDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L); /* or it would not be called */
}

static struct transfer *transfer_new(struct fg_fetcher *fetcher)
{
    struct transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer || !(transfer->easy = curl_easy_init()))
        fg_out_of_memory();
    transfer->fetcher = fetcher;
    fg_buf_init(&transfer->url, URL_ROOM);
    fg_fetch_room_init(&transfer->own);
    set_up(transfer);
    fg_vec_push(&fetcher->all, transfer);
    return transfer;
}

static void transfer_free(struct transfer *transfer)
{
    curl_easy_cleanup(transfer->easy);
    curl_slist_free_all(transfer->header_list);
    fg_buf_clear(&transfer->url);
    fg_fetch_room_clear(&transfer->own);
    free(transfer);
}

void fg_fetcher_start(struct fg_fetcher *fetcher, const struct fg_request *request)
{
    struct transfer *transfer =
        fetcher->idle.len ? fetcher->idle.at[--fetcher->idle.len] : transfer_new(fetcher);
    transfer->room = request->room ? request->room : &transfer->own;
    fg_fetch_room_reset(transfer->room);
    transfer->request = *request;
    transfer->max_body =
        request->max_body ? request->max_body : fetcher->options.max_body;
    fg_wire_begin(&transfer->room->wire, 2 * transfer->max_body);
    transfer->header_bytes = 0;
    transfer->status = 0;
    transfer->has_headers = transfer->too_many_headers = transfer->is_truncated = false;
    transfer->was_sent = transfer->was_shut = false;
    transfer->address.first[0] = '\0';
    transfer->held_up = 0;
    transfer->trouble = 0;
    transfer->words[0] = '\0';
    transfer->number = ++fetcher->requests;
    curl_easy_setopt(transfer->easy, CURLOPT_LOW_SPEED_TIME, 0L);
    fetch_prepare(transfer, request);
    transfer->is_in_flight = true;
    fetcher->in_flight++;
    curl_multi_add_handle(fetcher->multi, transfer->easy);
}

/* --- the fetcher --- */

static bool set_up_multi(struct fg_fetcher *fetcher)
{
    long connections = (long)fetcher->options.max_connections;
    long idle = (long)fetcher->options.max_idle;
    fetcher->multi = curl_multi_init();
    fetcher->timer = evtimer_new(fetcher->loop, on_timer, fetcher);
    if (!fetcher->multi || !fetcher->timer)
        return false;
    curl_multi_setopt(fetcher->multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
    curl_multi_setopt(fetcher->multi, CURLMOPT_SOCKETDATA, fetcher);
    curl_multi_setopt(fetcher->multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(fetcher->multi, CURLMOPT_TIMERDATA, fetcher);
    curl_multi_setopt(fetcher->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections + idle);
    curl_multi_setopt(fetcher->multi, CURLMOPT_MAXCONNECTS, idle ? idle : connections);
    return true;
}

static bool is_header_value(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7F)
            return false;
    return true;
}

static char *copy_of(const char *text)
{
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy)
        fg_out_of_memory();
    return copy;
}

static enum fg_status check_options(const struct fg_fetch_options *options,
                                    struct fg_err *err)
{
    if (!options->user_agent || !*options->user_agent)
        return fg_fail(err, FG_ECONFIG,
                       "a crawler must say who it is: no user agent is set");
    if (!is_header_value(options->user_agent) ||
        (options->from && !is_header_value(options->from)))
        return fg_fail(err, FG_ECONFIG,
                       "the operator's name, contact and user agent go into a header: "
                       "no line breaks or control characters");
    if (options->ca_file && access(options->ca_file, R_OK) != 0)
        return fg_fail(err, FG_ECONFIG, "cannot read the certificates in '%s'",
                       options->ca_file);
    return FG_OK;
}

enum fg_status fg_fetcher_new(struct fg_fetcher **fetcher, struct event_base *loop,
                              const struct fg_fetch_options *options, struct fg_err *err)
{
    *fetcher = NULL;
    enum fg_status st = check_options(options, err);
    if (st)
        return st;
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return fg_fail(err, FG_EIO, "libcurl does not start");
    struct fg_fetcher *made = fg_zeroed(1, sizeof *made);
    made->loop = loop;
    made->options = *options;
    fg_turn_init(&made->turn);
    made->user_agent = copy_of(options->user_agent);
    made->ca_file = copy_of(options->ca_file);
    fg_proxies_init(&made->proxies);
    if (options->from && asprintf(&made->from_line, "From: %s", options->from) < 0)
        fg_out_of_memory();
    if (!set_up_multi(made)) {
        fg_fetcher_free(made);
        return fg_fail(err, FG_EIO, "libcurl or libevent does not start");
    }
    *fetcher = made;
    return FG_OK;
}

void fg_fetcher_free(struct fg_fetcher *fetcher)
{
    if (!fetcher)
        return;
    for (size_t i = 0; i < fetcher->all.len; i++) {
        if (fetcher->all.at[i]->is_in_flight)
            curl_multi_remove_handle(fetcher->multi, fetcher->all.at[i]->easy);
        transfer_free(fetcher->all.at[i]);
    }
    curl_multi_cleanup(fetcher->multi);
    for (size_t i = 0; i < fetcher->watches.len; i++)
        if (fetcher->watches.at[i].event)
            event_free(fetcher->watches.at[i].event);
    if (fetcher->timer)
        event_free(fetcher->timer);
    fg_vec_clear(&fetcher->watches);
    fg_vec_clear(&fetcher->all);
    fg_vec_clear(&fetcher->idle);
    free(fetcher->user_agent);
    free(fetcher->ca_file);
    free(fetcher->from_line);
    fg_proxies_clear(&fetcher->proxies);
    fg_turn_clear(&fetcher->turn);
    free(fetcher);
}

void fg_fetcher_stop(struct fg_fetcher *fetcher)
{
    uint64_t last = fetcher->requests;
    for (size_t i = 0; i < fetcher->all.len; i++) {
        struct transfer *transfer = fetcher->all.at[i];
        if (transfer->is_in_flight && transfer->number <= last)
            finish(transfer, FG_FETCH_STOPPED, "stopped");
    }
}

size_t fg_fetcher_room(const struct fg_fetcher *fetcher)
{
    size_t most = fetcher->options.max_connections;
    return most > fetcher->in_flight ? most - fetcher->in_flight : 0;
}

size_t fg_fetcher_in_flight(const struct fg_fetcher *fetcher)
{
    return fetcher->in_flight;
}

struct fg_turn *fg_fetcher_turn(struct fg_fetcher *fetcher)
{
    return &fetcher->turn;
}
