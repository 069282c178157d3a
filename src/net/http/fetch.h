/* fetch.h - HTTP requests on an event loop, each within stated limits
 *
 *     struct fg_fetcher *fetcher;
 *     fg_fetcher_new(&fetcher, loop, &options, err);
 *     fg_fetcher_start(fetcher, &(struct fg_request){.url = url, .done = done});
 *     event_base_dispatch(loop);          (done is called with each response)
 *
 * One request is one hop: redirects are not followed here, cookies are not kept. When a
 * host may be asked at all, and how often, is decided in crawl/host/polite.c. What goes
 * wrong is an outcome of the response, not a failure: servers do such things. libcurl is
 * known to fetch.c only.
 *
 * The address guard judges the address that is connected to. Where the environment names
 * a proxy (net/http/proxy.h) that is the proxy's business, which sees the name only; then
 * an address written out in a URL is judged here, and names are left to the proxy. */
#ifndef FG_NET_FETCH_H
#define FG_NET_FETCH_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/time.h"
#include "net/archive/wire.h"
#include "net/http/address.h"

#include <stdbool.h>
#include <stdint.h>

struct event_base;
struct fg_fetcher;
struct fg_response;

struct fg_fetch_options {
    const char *user_agent; /* required */
    const char *from;       /* From: header, or NULL */
    fg_time connect_timeout, timeout;
    unsigned least_bytes_per_s; /* a body slower than this for 10 s is given up */
    size_t max_body;            /* after decompression; what is beyond is cut off */
    size_t max_headers;
    unsigned max_connections; /* most requests open at once: see fg_fetcher_room */
    unsigned max_idle; /* connections kept for later requests; 0: none but of these */
    enum fg_reach reach;
    bool is_anonymous; /* nobody answers for this crawl: it may not leave this machine */
    const char *ca_file; /* NULL: the system's */
    bool http2;
    /* Responses have their `wire`, for those who archive them. Content codings that every
     * reader of archives knows are asked for, no others. */
    bool keeps_wire;
};

/* Sensible values for all but the user agent. */
struct fg_fetch_options fg_fetch_defaults(void);
/* Connections that all fetchers together may keep for later, which saves most of what a
 * request costs to a host that is asked every few seconds: as many as the open files of
 * the process allow, of which half are left to others, but no fewer than `least`. */
unsigned fg_fetch_most_idle(unsigned least);

enum fg_outcome {
    FG_FETCHED,         /* a whole answer; see its status */
    FG_FETCH_DNS,       /* the name does not resolve */
    FG_FETCH_CONNECT,   /* nobody listens, or no route */
    FG_FETCH_TLS,       /* no valid certificate or no common cipher */
    FG_FETCH_TIMEOUT,   /* too slow, in one of several ways */
    FG_FETCH_BROKEN,    /* the answer was cut short or is not HTTP */
    FG_FETCH_HEADERS,   /* more headers than we take */
    FG_FETCH_FORBIDDEN, /* the address is private; see address.h */
    FG_FETCH_BAD_URL,
    FG_FETCH_STOPPED, /* by fg_fetcher_stop */
    FG_FETCH_HERE, /* this machine has no more sockets or memory: not the host's fault */
    FG_FETCH_SET_ASIDE, /* it came, and is not to be read: see crawl/reading/marks.h */
    FG_OUTCOMES
};

/* "timeout", "tls", ...: for logs and the store. */
const char *fg_outcome_name(enum fg_outcome outcome);

/* Where a request comes from, for the record only. */
struct fg_request_note {
    fg_time started;           /* by the clock of the crawl */
    struct fg_str via;         /* the page that led there; empty: none, or not known */
    unsigned links, redirects; /* followed from a seed, and since then */
    bool is_prerequisite;      /* robots.txt */
};

struct fg_response {
    enum fg_outcome outcome;
    const char *why; /* words for a person; "" when fetched */
    unsigned status; /* HTTP, 0 without an answer */
    bool truncated;  /* the body was longer than max_body */
    struct fg_str url;
    struct fg_str headers; /* the lines of the final answer, "name: value\r\n" each */
    struct fg_str body;
    uint64_t wire_bytes; /* before decompression */
    fg_time took;
    fg_time first_byte; /* after the request had gone out: how fast the server is */
    char ip[46];
    bool is_proxied;  /* that is a proxy's */
    int http_version; /* 10, 11, 20 */
    bool was_shut;    /* it kept the thread at work without end: see turn.h */
    fg_time held_up;  /* the longest that it kept the thread at a time */
    bool has_head;    /* status and headers are whole */
    const struct fg_wire_copy *wire;    /* if they are kept; else NULL */
    const struct fg_request_note *note; /* likewise; that of the request */
};

/* The nth (from 0) header of a name, trimmed; at is NULL if there is none. */
struct fg_str fg_response_header(const struct fg_response *response, const char *name,
                                 unsigned nth);

/* Memory for one answer after the other. One huge body does not stay with it. */
struct fg_fetch_room {
    struct fg_buf headers, body;
    struct fg_wire wire;
    struct fg_wire_copy seen;
};
void fg_fetch_room_init(struct fg_fetch_room *room);
void fg_fetch_room_reset(struct fg_fetch_room *room);
void fg_fetch_room_clear(struct fg_fetch_room *room);

struct fg_request {
    struct fg_str url;                  /* http or https, canonical */
    struct fg_str etag, last_modified;  /* for a conditional request; may be empty */
    const char *accept;                 /* NULL: pages */
    size_t max_body;                    /* 0: that of the options */
    const struct fg_request_note *note; /* NULL: nothing is known; holds until `done` */
    /* With a body it is a POST; body and headers must hold until `done` is called. */
    struct fg_str body;
    const char *const *headers; /* further "Name: value" lines, ended by NULL; or NULL */
    /* Where the answer goes: its headers, body and wire hold as long as this does. NULL:
     * until `done` returns, as all else does. */
    struct fg_fetch_room *room;
    /* Nothing is connected to: `ip` of the response says where it would have gone first,
     * empty if that cannot be known or a proxy knows it. */
    bool only_looks_up;
    void (*done)(void *context, const struct fg_response *response);
    void *context;
};

enum fg_status fg_fetcher_new(struct fg_fetcher **fetcher, struct event_base *loop,
                              const struct fg_fetch_options *options, struct fg_err *err);

/* Open requests are dropped without a call to their `done`. */
void fg_fetcher_free(struct fg_fetcher *fetcher);

/* How many requests can start now without waiting for others to end. What is started
 * beyond that waits inside, its timeout running. */
size_t fg_fetcher_room(const struct fg_fetcher *fetcher);

/* Never calls `done` before it returns. `done` may start further requests. */
void fg_fetcher_start(struct fg_fetcher *fetcher, const struct fg_request *request);

/* End all open requests now; each `done` is called with FG_FETCH_STOPPED. Requests that
 * these start in turn go on. */
void fg_fetcher_stop(struct fg_fetcher *fetcher);

size_t fg_fetcher_in_flight(const struct fg_fetcher *fetcher);

/* For another thread to watch; it lives as long as the fetcher. */
struct fg_turn;
struct fg_turn *fg_fetcher_turn(struct fg_fetcher *fetcher);

#endif
