/* fetch_parts.h - a fetcher's inside, for fetch.c and fetch_request.c */
#ifndef FG_NET_FETCH_PARTS_H
#define FG_NET_FETCH_PARTS_H

#include "base/vec.h"
#include "net/http/fetch.h"
#include "net/http/proxy.h"
#include "net/http/turn.h"

#include <curl/curl.h>

struct event;
struct sockaddr;

struct tried_address {
    const char *refusal; /* of the one tried last; NULL: it was not refused */
    char first[46];      /* that would have been tried */
};

struct transfer {
    struct fg_fetcher *fetcher;
    CURL *easy;
    struct fg_request request; /* its url points to `url` */
    struct fg_buf url;
    struct fg_fetch_room own, *room; /* that of the request, or its own */
    struct curl_slist *header_list;
    size_t max_body, header_bytes;
    unsigned status;   /* of the answer whose headers are coming in */
    bool is_proxied;   /* the address connected to is a proxy's */
    bool asks_plainly; /* the header list is that of any page, without conditions */
    bool is_bad_url;   /* not even tried */
    bool has_headers;  /* those of the final answer are complete */
    bool has_posted;   /* its last request had a body */
    struct tried_address address;
    bool too_many_headers, is_truncated, is_in_flight;
    bool was_sent;   /* once, and not again */
    bool was_shut;   /* it held up the thread: see turn.h */
    fg_time held_up; /* by the longest turn with its socket */
    int trouble;     /* errno of a socket that we could not open; 0: none */
    uint64_t number; /* of the request, counted from 1 */
    char words[CURL_ERROR_SIZE];
};

/* A socket in the event loop. */
struct watch {
    struct event *event;
    short what;     /* it is watched for, as the kernel knows */
    bool is_ours;   /* opened and closed through us */
    bool is_wanted; /* by curl */
    struct transfer *transfer;
    uint64_t number; /* of its request, */
    uint64_t before; /* and the bytes that had come in until then */
};

struct fg_fetcher {
    CURLM *multi;
    struct event_base *loop;
    struct event *timer;
    struct fg_fetch_options options;
    char *user_agent, *ca_file, *from_line;
    struct fg_proxies proxies;
    uint64_t requests;
    FG_VEC(struct transfer *) all, idle;
    FG_VEC(struct watch) watches; /* by descriptor */
    struct fg_turn turn;
    size_t in_flight;
    bool is_in_timer; /* its event is being handled */
};

/* Address, method and headers of what is to be asked. */
void fetch_prepare(struct transfer *transfer, const struct fg_request *request);

/* NULL if it may be connected to, else why not. */
const char *fetch_refusal(const struct fg_fetch_options *options,
                          const struct sockaddr *address);

#endif
