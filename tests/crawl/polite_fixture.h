/* polite_fixture.h - asks against the server of support/server.h */
#ifndef FG_TESTS_CRAWL_POLITE_FIXTURE_H
#define FG_TESTS_CRAWL_POLITE_FIXTURE_H

#include "crawl/host/polite.h"

#include "base/vec.h"
#include "support/server.h"
#include "test.h"

#include <event2/event.h>

/* An answer that outlives its callback. */
struct told {
    struct asking *asking;
    unsigned calls, status, requests;
    enum fg_ask_end end;
    enum fg_outcome outcome;
    bool has_response;
    char url[512], first_hop[512];
    size_t n_hops;
    unsigned hop_status[32];
    fg_time held_until;
    char body[128];
    size_t order; /* among all answers */
};

struct asking {
    struct event_base *loop;
    struct fg_clock clock;
    struct fg_workers *workers;
    struct fg_polite *polite;
    size_t open, answers;
    /* What was to be saved, newest last. */
    FG_VEC(struct fg_host_state) saved;
    struct fg_arena arena;
    bool saves_late; /* fg_polite_saved is left to the test */
};

static inline struct fg_fetch_options asking_fetch_options(void)
{
    struct fg_fetch_options options = fg_fetch_defaults();
    options.user_agent = "forage-test";
    options.reach = FG_REACH_LOOPBACK;
    options.timeout = 10 * FG_SECOND;
    return options;
}

static inline void keep_state(void *context, const struct fg_host_state *state)
{
    struct asking *asking = context;
    struct fg_host_state copy = *state;
    copy.key = fg_arena_dup(&asking->arena, state->key);
    copy.robots = fg_arena_dup(&asking->arena, state->robots);
    fg_vec_push(&asking->saved, copy);
    if (!asking->saves_late)
        fg_polite_saved(asking->polite, copy.key);
}

/* `speed`: how many times faster than the wall. */
static inline void asking_start(struct asking *asking, double speed,
                                struct fg_polite_options options,
                                const struct fg_fetch_options *fetch)
{
    struct fg_fetch_options local = asking_fetch_options();
    struct fg_err err = {0};
    *asking = (struct asking){.loop = event_base_new()};
    asking->clock =
        speed == 1 ? fg_clock_wall() : fg_clock_simulated(fg_time_now(), speed);
    if (fg_workers_new(&asking->workers, asking->loop, 2, fetch ? fetch : &local, NULL,
                       &err))
        fail_msg("%s", err.text);
    options.robots_token = FG_STR("forage");
    options.save = keep_state;
    options.context = asking;
    if (!options.patience)
        options.patience = FG_HOUR;
    asking->polite =
        fg_polite_new(asking->workers, asking->loop, &asking->clock, &options);
}

static inline struct fg_polite_options quick(fg_time delay)
{
    struct fg_polite_options options = {.rules = fg_pace_defaults(), .max_redirects = 5};
    options.rules.delay = delay;
    options.rules.backoff_jitter = 0;
    return options;
}

static inline void asking_end(struct asking *asking)
{
    fg_workers_free(asking->workers);
    fg_polite_free(asking->polite);
    event_base_free(asking->loop);
    fg_vec_clear(&asking->saved);
    fg_arena_clear(&asking->arena);
}

static inline void told_take(void *context, const struct fg_answer *answer)
{
    struct told *told = context;
    told->calls++;
    told->end = answer->end;
    told->requests = answer->requests;
    told->n_hops = answer->n_hops;
    told->held_until = answer->held_until;
    told->has_response = answer->response != NULL;
    for (size_t i = 0; i < answer->n_hops; i++)
        told->hop_status[i] = answer->hops[i].status;
    if (answer->n_hops)
        snprintf(told->first_hop, sizeof told->first_hop, "%.*s",
                 FG_ARG(answer->hops[0].url));
    snprintf(told->url, sizeof told->url, "%.*s", FG_ARG(answer->url));
    if (answer->response) {
        told->outcome = answer->response->outcome;
        told->status = answer->response->status;
        snprintf(told->body, sizeof told->body, "%.*s", FG_ARG(answer->response->body));
    }
    told->order = told->asking->answers++;
    told->asking->open--;
}

static inline void ask_for(struct asking *asking, struct told *told, const char *url,
                           float priority)
{
    *told = (struct told){.asking = asking};
    asking->open++;
    fg_polite_ask(asking->polite, &(struct fg_ask){.url = fg_str_from(url),
                                                   .priority = priority,
                                                   .done = told_take,
                                                   .context = told});
    assert_int_equal(told->calls, 0);
}

static inline void asks_never_end(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what, (void)context;
    fail_msg("an ask does not end");
}

static inline void asking_run(struct asking *asking)
{
    struct timeval most = {60, 0};
    struct event *watchdog = evtimer_new(asking->loop, asks_never_end, NULL);
    event_add(watchdog, &most);
    while (asking->open)
        event_base_loop(asking->loop, EVLOOP_ONCE);
    event_free(watchdog);
}

/* Let the loop turn for a while. */
static inline void asking_turn(struct asking *asking, fg_time real)
{
    struct timeval span = {real / FG_SECOND, real % FG_SECOND};
    event_base_loopexit(asking->loop, &span);
    event_base_dispatch(asking->loop);
}

static inline struct told ask_one(struct asking *asking, const char *url)
{
    struct told told;
    ask_for(asking, &told, url, 0);
    asking_run(asking);
    assert_int_equal(told.calls, 1);
    return told;
}

#endif
