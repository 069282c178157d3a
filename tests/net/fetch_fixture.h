/* fetch_fixture.h - one request at a time against the server of support/server.h */
#ifndef FG_TESTS_NET_FETCH_FIXTURE_H
#define FG_TESTS_NET_FETCH_FIXTURE_H

#include "net/http/fetch.h"

#include "test.h"

#include <event2/event.h>

/* A response that outlives its callback. */
struct got {
    enum fg_outcome outcome;
    unsigned status, calls;
    bool truncated;
    int http_version;
    char why[256], ip[46];
    char *headers, *body;
    size_t body_len;
    uint64_t wire_bytes;
    fg_time took, first_byte;
};

static inline void got_clear(struct got *got)
{
    free(got->headers);
    free(got->body);
    *got = (struct got){0};
}

static inline char *got_copy(struct fg_str text)
{
    char *copy = malloc(text.len + 1);
    assert_non_null(copy);
    if (text.len)
        memcpy(copy, text.at, text.len);
    copy[text.len] = '\0';
    return copy;
}

static inline void got_take(void *context, const struct fg_response *response)
{
    struct got *got = context;
    unsigned calls = got->calls;
    got_clear(got);
    *got = (struct got){.outcome = response->outcome,
                        .status = response->status,
                        .calls = calls + 1,
                        .truncated = response->truncated,
                        .http_version = response->http_version,
                        .headers = got_copy(response->headers),
                        .body = got_copy(response->body),
                        .body_len = response->body.len,
                        .wire_bytes = response->wire_bytes,
                        .took = response->took,
                        .first_byte = response->first_byte};
    snprintf(got->why, sizeof got->why, "%s", response->why);
    snprintf(got->ip, sizeof got->ip, "%s", response->ip);
}

static inline struct fg_fetch_options local_options(void)
{
    struct fg_fetch_options options = fg_fetch_defaults();
    options.user_agent = "forage-test";
    options.reach = FG_REACH_LOOPBACK;
    options.timeout = 20 * FG_SECOND;
    return options;
}

struct fetching {
    struct event_base *loop;
    struct fg_fetcher *fetcher;
};

static inline struct fetching fetching_new(const struct fg_fetch_options *options)
{
    struct fetching f = {.loop = event_base_new()};
    struct fg_err err = {0};
    if (fg_fetcher_new(&f.fetcher, f.loop, options, &err))
        fail_msg("%s", err.text);
    return f;
}

static inline void fetching_end(struct fetching *f)
{
    fg_fetcher_free(f->fetcher);
    event_base_free(f->loop);
}

static inline void never_ends(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what, (void)context;
    fail_msg("a request does not end");
}

/* Until nothing is open; a request that never ends is a failure here, not a hang. */
static inline void fetching_run(struct fetching *f)
{
    struct timeval most = {120, 0};
    struct event *watchdog = evtimer_new(f->loop, never_ends, NULL);
    event_add(watchdog, &most);
    while (fg_fetcher_in_flight(f->fetcher))
        event_base_loop(f->loop, EVLOOP_ONCE);
    event_free(watchdog);
}

static inline void fetch_with(struct got *got, const struct fg_fetch_options *options,
                              const struct fg_request *request)
{
    struct fetching f = fetching_new(options);
    struct fg_request asked = *request;
    asked.done = got_take;
    asked.context = got;
    fg_fetcher_start(f.fetcher, &asked);
    assert_int_equal(got->calls, 0);
    fetching_run(&f);
    assert_int_equal(got->calls, 1);
    fetching_end(&f);
}

static inline struct got fetch_one(const struct fg_fetch_options *options,
                                   const char *url)
{
    struct got got = {0};
    fetch_with(&got, options, &(struct fg_request){.url = fg_str_from(url)});
    return got;
}

#endif
