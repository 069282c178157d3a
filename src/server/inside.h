/* inside.h - what the files of the server share; for them only */
#ifndef FG_SERVER_INSIDE_H
#define FG_SERVER_INSIDE_H

#include "server/listen.h"
#include "server/request.h"
#include "server/server.h"
#include "server/token.h"

#include <pthread.h>
#include <stdatomic.h>

struct fg_scheduling;
struct fg_http;    /* http.c */
struct fg_stream;  /* stream.c */
struct fg_watched; /* watched.h */
struct fg_memory;  /* change.c: answers to requests that came with a key */
struct fg_server_lab;
struct fg_server_counts {
    atomic_uint_least64_t requests[6]; /* by the first digit of the status */
    atomic_uint_least64_t refused;     /* at the gate */
    atomic_uint_least64_t pushed, push_refused, forged; /* push.c */
    atomic_size_t connections;
};

/* lab.c */

struct fg_server {
    struct fg_server_place place;
    struct fg_arena arena; /* as long as the server; not after it has started */
    struct fg_listen at;
    struct fg_door door;
    bool needs_token;
    struct fg_store *store; /* only read */
    struct fg_routes routes;
    struct fg_http *http;
    struct fg_stream *stream;
    struct fg_memory *memory;
    uint64_t audited;   /* number of the last change written down; 0: not known. While the
                           memory answers */
    struct fg_ads *ads; /* from the first search on, if there are any */
    pthread_mutex_t ads_lock;
    struct fg_scheduling *scheduling; /* from the first use on */
    pthread_mutex_t scheduling_lock;
    struct fg_quota *quota; /* quota.h */
    struct fg_server_lab *lab;
    struct fg_meter *meter;     /* meter.h; of what strangers push */
    struct fg_watched *watched; /* likewise for them */
    pthread_t keeper;
    bool has_keeper;
    atomic_bool is_stopping;
    const char *address;
    fg_time started; /* monotonic */
    struct fg_server_counts counts;
};

/* --- ads.c --- */
/* The handle of advertisements, which all requests share one after the other: opening it
 * costs more than a search. To be let go whatever comes back; NULL after a failure. */
enum fg_status fg_server_hold_ads(struct fg_ads **ads, struct fg_http_request *request,
                                  struct fg_err *err);
void fg_server_let_ads_go(struct fg_http_request *request);
/* A click of the client of the request. */
enum fg_status fg_server_take_click(struct fg_ads_taken *taken,
                                    struct fg_http_request *request, struct fg_str token,
                                    struct fg_err *err);

/* --- http.c --- */
enum fg_status fg_http_start(struct fg_server *server, int fd, struct fg_err *err);
void fg_http_stop(struct fg_server *server);
/* Every second: whoever is too slow is sent away. */
void fg_http_keep(struct fg_server *server);

/* --- lab.c --- */
struct fg_server_lab *fg_server_lab_new(void);
void fg_server_lab_free(struct fg_server_lab *lab); /* stops what runs; NULL is fine */

/* --- change.c --- */
struct fg_memory *fg_memory_new(void);
void fg_memory_free(struct fg_memory *memory);
/* What a change was answered with before, if this one is the same again: then `answer` is
 * not called. */
enum fg_status fg_memory_answer(struct fg_reply *reply, struct fg_http_request *request,
                                fg_answer_fn *answer, struct fg_err *err);

#endif
