/* An ask travels: it is queued at its host; the host's turn comes when its robots.txt is
 * known, what must be remembered is on disk, and its pace allows; then it is one request.
 * The answer ends it, or is a redirect and queues it again, at the next hop's host. The
 * robots.txt of a host is an ask like any other, only first in the queue and unchecked.
 */
#include "crawl/host/polite_parts.h"

#include "base/log.h"
#include "base/memory.h"
#include "crawl/host/hop.h"
#include "net/robots/robots_fetch.h"
#include "net/url/canonical.h"
#include "net/url/url.h"

#include <event2/event.h>
#include <math.h>
#include <stdlib.h>

enum { ROBOTS_HOPS = 5 };

static void pump(struct host *host);

/* --- hosts --- */

static bool is_closed(const struct fg_polite *polite, struct fg_str key)
{
    return polite->options.asks && !polite->options.asks(polite->options.context, key);
}

static void on_timer(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    pump(context);
}

static struct host *host_of(struct fg_polite *polite, struct fg_str key)
{
    uint64_t *slot = fg_names_put(&polite->by_key, key);
    if (*slot)
        return polite->hosts.at[*slot - 1];
    struct host *host = fg_zeroed(1, sizeof *host);
    host->polite = polite;
    host->key = fg_arena_cstr(&polite->arena, key);
    host->timer = evtimer_new(polite->loop, on_timer, host);
    host->turn = FG_NEVER;
    polite_name_address(host);
    fg_lane_init(&host->lane, polite->workers, key);
    fg_robots_copy_init(&host->robots);
    fg_pace_init(&host->pace, &polite->options.rules, NULL, fg_clock_now(polite->clock),
                 polite->options.seed ^ fg_str_hash(key));
    fg_vec_push(&polite->hosts, host);
    *slot = polite->hosts.len;
    return host;
}

static void save(struct host *host)
{
    struct fg_polite *polite = host->polite;
    host->was_saved = true;
    if (!polite->options.save)
        return;
    host->savings++;
    /* What we refuse ourselves costs the host nothing: the next start tries again, for
     * net.allow-private may be another by then. */
    bool is_ours = host->robots.outcome == FG_FETCH_FORBIDDEN;
    struct fg_host_state state = {
        .key = fg_str_from(host->key),
        .memory = host->pace.memory,
        .robots_fetched = host->robots.fetched,
        .robots_expires = is_ours ? FG_NEVER : host->robots.expires,
        .robots_verdict = host->robots.use,
        .robots_failures = host->robots.failures,
        .robots = host->robots.text,
    };
    if (is_ours && host->robots.fetched == FG_NEVER)
        state.memory.last_request = FG_NEVER;       /* it was never asked */
    else if (state.memory.last_request == FG_NEVER) /* the one that waits for this */
        state.memory.last_request = fg_clock_now(polite->clock);
    polite->options.save(polite->options.context, &state);
}

void fg_polite_saved(struct fg_polite *polite, struct fg_str key)
{
    struct host *host = polite_find(polite, key);
    if (!host || !host->savings || --host->savings)
        return;
    pump(host);
}

void fg_polite_unsave(struct fg_polite *polite, struct fg_str key)
{
    struct host *host = polite_find(polite, key);
    if (host)
        host->was_saved = false;
}

void fg_polite_recall(struct fg_polite *polite, const struct fg_host_state *state)
{
    struct host *host = host_of(polite, state->key);
    fg_time now = fg_clock_now(polite->clock);
    struct fg_pace_memory memory = state->memory;
    if (polite->options.is_taken_over)
        memory.last_request = now;
    fg_pace_init(&host->pace, &polite->options.rules, &memory, now,
                 polite->options.seed ^ fg_str_hash(state->key));
    fg_robots_copy_recall(&host->robots, (enum fg_robots_use)state->robots_verdict,
                          state->robots, state->robots_fetched, state->robots_expires,
                          polite->options.robots_token, now);
    host->robots.failures = state->robots_failures;
    if (host->robots.is_known && !fg_robots_copy_holds(&host->robots))
        fg_outage_answers(&polite->outage, &host->outage);
    host->was_saved = true;
}

/* --- the queue of a host --- */

static void push(struct host *host, struct ask *ask)
{
    fg_heap_push(&host->queue, ask, ask->ask.priority);
    host->polite->waiting++;
}

static struct ask *pop(struct host *host)
{
    host->polite->waiting--;
    return fg_heap_pop(&host->queue);
}

/* --- the end of an ask --- */

static void release(struct ask *ask)
{
    struct fg_polite *polite = ask->polite;
    fg_workers_release(polite->workers, &ask->exchange);
    *ask = (struct ask){.polite = polite, .exchange = ask->exchange};
    fg_vec_push(&polite->idle, ask);
}

static void tell(struct ask *ask, enum fg_ask_end end, const struct fg_response *response)
{
    struct fg_answer answer = {
        .end = end,
        .asked = ask->ask.url,
        .url = ask->url.href,
        .hops = ask->hops,
        .n_hops = ask->n_hops,
        .response = response,
        .reading = response && ask->exchange.is_read ? &ask->exchange.reading : NULL,
        .held_until = end == FG_ASK_HELD ? ask->held_until : FG_NEVER,
        .started = ask->started,
        .requests = ask->requests,
    };
    ask->ask.done(ask->ask.context, &answer);
    release(ask);
}

static void on_deliver(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct fg_polite *polite = context;
    /* What is told may ask again; that is for the next turn. */
    size_t n = polite->ended.len;
    for (size_t i = 0; i < n; i++)
        tell(polite->ended.at[i], polite->ended.at[i]->end, NULL);
    memmove(polite->ended.at, polite->ended.at + n,
            (polite->ended.len - n) * sizeof *polite->ended.at);
    polite->ended.len -= n;
    if (polite->ended.len)
        event_active(polite->deliverer, 0, 0);
}

static void end_later(struct ask *ask, enum fg_ask_end end)
{
    ask->end = end;
    fg_vec_push(&ask->polite->ended, ask);
    event_active(ask->polite->deliverer, 0, 0);
}

static fg_time held_until(const struct host *host)
{
    fg_time until = host->pace.memory.backoff_until;
    bool is_longer = fg_robots_copy_holds(&host->robots) && host->robots.expires > until;
    return is_longer ? host->robots.expires : until;
}

/* The host wants no requests for now. */
static void end_held(struct host *host, struct ask *ask)
{
    ask->held_until = held_until(host);
    end_later(ask, FG_ASK_HELD);
}

/* --- robots.txt --- */

static void after_robots(void *context, const struct fg_answer *answer);

static struct ask *ask_new(struct fg_polite *polite, const struct fg_ask *wish)
{
    struct ask *ask = polite->idle.len ? polite->idle.at[--polite->idle.len] : NULL;
    if (!ask) {
        ask = fg_zeroed(1, sizeof *ask);
        fg_exchange_init(&ask->exchange);
        ask->polite = polite;
        fg_vec_push(&polite->all, ask);
    }
    ask->ask = *wish;
    ask->ask.url = fg_arena_dup(&ask->exchange.arena, wish->url);
    ask->ask.etag = fg_arena_dup(&ask->exchange.arena, wish->etag);
    ask->ask.last_modified = fg_arena_dup(&ask->exchange.arena, wish->last_modified);
    if (wish->form.len)
        ask->ask.form = fg_arena_dup(&ask->exchange.arena, wish->form);
    ask->exchange.note = wish->note;
    ask->exchange.note.via = fg_arena_dup(&ask->exchange.arena, wish->note.via);
    return ask;
}

static void ask_robots(struct host *host)
{
    struct fg_arena arena = {0};
    struct fg_str url = fg_arena_printf(&arena, "%s/robots.txt", host->key);
    struct ask *ask =
        ask_new(host->polite, &(struct fg_ask){.url = url,
                                               .accept = "text/plain,*/*;q=0.1",
                                               .max_body = FG_ROBOTS_MAX_BYTES,
                                               .note = {.is_prerequisite = true},
                                               .priority = 1e30f,
                                               .done = after_robots,
                                               .context = host});
    fg_arena_clear(&arena);
    host->robots_asked = true;
    ask->robots_of = host;
    ask->host = host;
    fg_url_parse(&ask->url, &ask->exchange.arena, ask->ask.url, NULL);
    push(host, ask);
}

static struct fg_robots_fetch robots_fetch(const struct fg_answer *answer, fg_time now)
{
    struct fg_robots_fetch fetch = {.max_age = FG_NEVER, .retry_after = FG_NEVER};
    const struct fg_response *response = answer->response;
    if (answer->end == FG_ASK_REDIRECTS) {
        fetch.status = 302;
    } else if (answer->end != FG_ASK_ANSWERED || response->outcome != FG_FETCHED) {
        fetch.broken = true;
    } else {
        fetch.status = (int)response->status;
        fetch.retry_after =
            fg_retry_after_parse(fg_response_header(response, "Retry-After", 0), now);
    }
    return fetch;
}

static void end_queue(struct host *host, enum fg_ask_end end)
{
    while (host->queue.len) {
        struct ask *ask = pop(host);
        if (end == FG_ASK_HELD)
            end_held(host, ask);
        else
            end_later(ask, end);
    }
}

static void judge_robots(struct host *host, struct fg_robots_fetch fetch,
                         struct fg_str body, fg_time now)
{
    const struct fg_polite_options *options = &host->polite->options;
    fg_robots_copy_judge(&host->robots, &fetch, body, options->robots_token,
                         options->robots_lifetime, now);
    /* While the file cannot be had, the delay it named before stands. */
    if (!fg_robots_copy_holds(&host->robots))
        host->pace.memory.crawl_delay = fg_robots_copy_delay(&host->robots);
}

/* It explains a crawl that does nothing. The waits between two such lines double. */
static void warn_of_hold(const struct host *host, const struct fg_answer *answer)
{
    char again[FG_TIME_TEXT], why[FG_ROBOTS_WHY];
    fg_log_warn("crawl", "nothing is asked of a host while its robots.txt cannot be had",
                FG_F("host", host->key),
                FG_F("why", fg_robots_why_held(why, answer->response)),
                FG_F("again", fg_time_format(again, host->robots.expires)));
}

static void after_robots(void *context, const struct fg_answer *answer)
{
    struct host *host = context;
    host->robots_asked = false;
    /* Held by its own host's back-off it was not even asked for, or nobody answers. */
    if (answer->end == FG_ASK_STOPPED ||
        (answer->end == FG_ASK_HELD && (!answer->n_hops || host->polite->outage.is_on))) {
        end_queue(host, answer->end);
        return;
    }
    fg_robots_copy_note(&host->robots, answer->response,
                        answer->end == FG_ASK_ANSWERED ? NULL
                                                       : fg_ask_end_name(answer->end));
    fg_time now = fg_clock_now(host->polite->clock);
    judge_robots(host, robots_fetch(answer, now),
                 answer->response ? answer->response->body : (struct fg_str){0}, now);
    save(host);
    if (fg_robots_copy_holds(&host->robots)) {
        warn_of_hold(host, answer);
        end_queue(host, FG_ASK_HELD);
    }
    pump(host);
}

void fg_polite_robots_came(struct fg_polite *polite, struct fg_str key, unsigned status,
                           struct fg_str body)
{
    struct host *host = polite_find(polite, key);
    struct fg_response response = {.outcome = FG_FETCHED, .status = status};
    struct fg_robots_fetch fetch = {
        .status = (int)status, .max_age = FG_NEVER, .retry_after = FG_NEVER};
    if (!host || host->robots_asked)
        return;
    fg_robots_copy_note(&host->robots, &response, NULL);
    judge_robots(host, fetch, body, fg_clock_now(polite->clock));
    save(host);
    pump(host);
}

/* --- a turn of a host --- */

static void start(struct host *host, struct ask *ask);
static void pump_line(struct fg_polite *polite);

/* Ends the ask if that needs no request. */
static bool refuse(struct host *host, struct ask *ask, fg_time now)
{
    fg_time backoff = host->pace.memory.backoff_until;
    bool is_judged = !ask->robots_of && !fg_robots_copy_is_due(&host->robots, now);
    bool is_held = is_judged && fg_robots_copy_holds(&host->robots);
    if (is_judged && !is_held &&
        !fg_robots_copy_allows(&host->robots, fg_url_target(&ask->url)))
        end_later(pop(host), FG_ASK_ROBOTS);
    else if (is_held ||
             (backoff != FG_NEVER && backoff > now + host->polite->options.patience))
        end_held(host, pop(host));
    else
        return false;
    return true;
}

static void wake_at(struct host *host, fg_time ready, fg_time now)
{
    struct timeval after = fg_clock_real(host->polite->clock, ready - now);
    if (++after.tv_usec >= 1000000) { /* never a moment too early */
        after.tv_usec = 0;
        after.tv_sec++;
    }
    event_add(host->timer, &after);
}

static void line_up(struct host *host)
{
    if (host->is_lined_up)
        return;
    host->is_lined_up = true;
    fg_vec_push(&host->polite->line, host);
}

static void on_looked_up(struct fg_exchange *exchange)
{
    struct ask *ask = (struct ask *)exchange;
    struct host *host = ask->host;
    struct fg_polite *polite = ask->polite;
    bool was_stopped = exchange->response.outcome == FG_FETCH_STOPPED;
    polite->in_flight--;
    host->is_being_looked_up = false;
    host->is_looked_up = !was_stopped;
    if (!was_stopped)
        polite_note_address(host, &exchange->response);
    else if (host->queue.len)
        end_later(pop(host), FG_ASK_STOPPED);
    release(ask);
    pump(host);
    pump_line(polite);
}

/* Which machine a name leads to, before anything is asked of it: the names of one would
 * all be asked at once otherwise. */
static void look_up(struct host *host, const struct ask *next)
{
    struct fg_polite *polite = host->polite;
    struct ask *ask = ask_new(polite, &(struct fg_ask){.url = next->url.href});
    struct fg_exchange *exchange = &ask->exchange;
    ask->host = host;
    host->is_being_looked_up = true;
    host->lookup = host->lane;
    polite->in_flight++;
    exchange->request = (struct fg_request){.url = ask->ask.url, .only_looks_up = true};
    exchange->lane = &host->lookup;
    exchange->gap = 0;
    exchange->prepare = NULL;
    exchange->is_to_be_read = false;
    exchange->done = on_looked_up;
    fg_workers_start(polite->workers, exchange);
}

/* Start what may start now; arm the timer for what may start later. */
static void pump(struct host *host)
{
    struct fg_polite *polite = host->polite;
    if (host->queue.len && is_closed(polite, fg_str_from(host->key)))
        end_queue(host, FG_ASK_STOPPED);
    while (host->queue.len && !host->savings && !polite->is_paused) {
        fg_time now = fg_clock_now(polite->clock);
        struct ask *next = host->queue.at[0].thing;
        if (refuse(host, next, now))
            continue;
        if (!next->robots_of && fg_robots_copy_is_due(&host->robots, now)) {
            if (host->robots_asked)
                return; /* its answer comes by here */
            ask_robots(host);
            continue;
        }
        fg_time ready = fg_pace_ready(&host->pace, now);
        if (ready == INT64_MAX)
            return;
        if (ready > now) {
            wake_at(host, ready, now);
            return;
        }
        if (!fg_workers_room(polite->workers)) {
            line_up(host);
            return;
        }
        if (!host->was_saved) {
            save(host); /* write-ahead: fg_polite_saved comes back here */
            continue;
        }
        if (!host->is_looked_up && polite->options.rules.address_delay > 0) {
            if (!host->is_being_looked_up)
                look_up(host, next);
            return;
        }
        if (host->turn == FG_NEVER)
            host->turn = polite_turn_of(host, now);
        if (host->turn > now) {
            wake_at(host, host->turn, now);
            return;
        }
        if (!polite_enter(host)) {
            host->turn = FG_NEVER;
            continue;
        }
        start(host, pop(host));
    }
}

/* A place among the workers has become free. */
static void pump_line(struct fg_polite *polite)
{
    while (polite->line.len && fg_workers_room(polite->workers)) {
        struct host *first = polite->line.at[0];
        memmove(polite->line.at, polite->line.at + 1,
                --polite->line.len * sizeof *polite->line.at);
        first->is_lined_up = false;
        pump(first);
    }
}

static struct fg_str host_key(struct ask *ask, const struct fg_url *url)
{
    return fg_canonical_site(
        fg_canonical_from(&ask->exchange.arena, url, FG_CANONICAL_DEFAULT));
}

static void queue_hop(struct ask *ask)
{
    struct fg_polite *polite = ask->polite;
    if (polite->is_winding_down) {
        end_later(ask, FG_ASK_STOPPED);
        return;
    }
    ask->host = host_of(polite, host_key(ask, &ask->url));
    push(ask->host, ask);
    pump(ask->host);
}

static bool was_there(const struct ask *ask, struct fg_str url)
{
    for (size_t i = 0; i < ask->n_hops; i++)
        if (fg_str_eq(ask->hops[i].url, url))
            return true;
    return fg_str_eq(ask->url.href, url);
}

/* Go to where the answer points. FG_ASK_ANSWERED: the ask is on its way again. */
static enum fg_ask_end follow(struct ask *ask, const struct fg_response *response)
{
    struct fg_polite *polite = ask->polite;
    struct fg_str location = fg_response_header(response, "Location", 0);
    struct fg_url next;
    unsigned most = ask->robots_of ? ROBOTS_HOPS : polite->options.max_redirects;
    /* Only these two mean that what was posted is to be posted there. */
    bool drops_form =
        ask->ask.form.len && response->status != 307 && response->status != 308;
    if (ask->n_hops >= most || ask->n_hops == MOST_HOPS || drops_form)
        return FG_ASK_REDIRECTS;
    if (!location.len || !fg_hop_follow(&next, &ask->exchange.arena, location, &ask->url))
        return FG_ASK_LOCATION;
    if (was_there(ask, next.href))
        return FG_ASK_REDIRECTS;
    /* That its host is not asked for now is no fault of the page. */
    const struct host *own = ask->robots_of ? ask->robots_of : ask->host;
    if (is_closed(polite, fg_str_from(own->key)))
        return FG_ASK_STOPPED;
    if (ask->robots_of && polite->options.robots_elsewhere &&
        is_closed(polite, host_key(ask, &next)))
        polite->options.robots_elsewhere(polite->options.context, fg_str_from(own->key),
                                         next.href);
    if (ask->robots_of ? is_closed(polite, host_key(ask, &next))
                       : polite->options.allows &&
                             !polite->options.allows(polite->options.context, next.href))
        return FG_ASK_RULES;
    ask->hops[ask->n_hops++] =
        (struct fg_hop){.url = ask->url.href, .status = response->status};
    ask->exchange.note.via = ask->url.href;
    ask->exchange.note.redirects++;
    ask->url = next;
    /* Validators belong to the first address only. */
    ask->ask.etag = ask->ask.last_modified = (struct fg_str){0};
    queue_hop(ask);
    return FG_ASK_ANSWERED;
}

static void note_made(const struct ask *ask, const struct fg_response *response)
{
    const struct fg_polite_options *options = &ask->polite->options;
    if (options->made)
        options->made(
            options->context,
            &(struct fg_made){.key = fg_str_from(ask->host->key),
                              .target = fg_url_target(&ask->url),
                              .started = ask->started,
                              .response = response,
                              .purpose = ask->ask.purpose,
                              .hop = (unsigned)ask->n_hops,
                              .is_conditional = ask->exchange.request.etag.len ||
                                                ask->exchange.request.last_modified.len,
                              .is_robots = ask->robots_of != NULL});
}

/* What could not be kept has not been asked for. */
static void record(struct ask *ask)
{
    const struct fg_polite_options *options = &ask->polite->options;
    struct fg_response *response = &ask->exchange.response;
    if (!options->record || !response->wire ||
        options->record(options->context, response))
        return;
    response->outcome = FG_FETCH_STOPPED;
    response->why = "it could not be archived";
}

/* The crawl's time of a moment in the past that a worker noted. */
static fg_time time_of(const struct fg_polite *polite, fg_time moment, fg_time now)
{
    double ago = (double)(fg_time_monotonic() - moment) * polite->clock->speed;
    return now - (fg_time)fmax(ago, 0);
}

/* It went out when the worker had time for it, which may be later than it was decided. */
static void note_times(struct ask *ask, fg_time now)
{
    fg_time sent = time_of(ask->polite, ask->exchange.sent, now);
    if (sent <= ask->started)
        return;
    ask->started = ask->exchange.note.started = sent;
    fg_pace_sent(&ask->host->pace, sent);
}

/* --- nobody answers --- */

static void forgive_all(struct fg_polite *polite, fg_time now)
{
    fg_log_info("crawl", "hosts answer again",
                FG_F("after_s", fg_seconds(now - polite->outage.since)));
    for (size_t i = 0; i < polite->hosts.len; i++) {
        struct host *host = polite->hosts.at[i];
        if (!fg_outage_covered(&polite->outage, &host->outage))
            continue;
        fg_pace_put_back(&host->pace, host->before);
        save(host);
        pump(host);
    }
}

/* Whose failure is it? True: ours. */
static bool note_silence(struct host *host, const struct fg_response *response,
                         fg_time now)
{
    struct fg_outage *outage = &host->polite->outage;
    if (response->status && fg_outage_answers(outage, &host->outage))
        forgive_all(host->polite, now);
    if (!fg_outage_is_silence(response))
        return false;
    if (!fg_outage_covers(outage, &host->outage))
        host->before = fg_pace_grudge(&host->pace);
    bool was_on = outage->is_on;
    if (fg_outage_fails(outage, &host->outage, now) && !was_on)
        fg_log_warn("crawl",
                    "no host answers: is the network gone? Asking again until "
                    "one does",
                    FG_F("host", host->key), FG_F("why", response->why));
    return outage->is_on;
}

static void on_response(struct fg_exchange *exchange)
{
    struct ask *ask = (struct ask *)exchange;
    struct host *host = ask->host;
    struct fg_polite *polite = ask->polite;
    const struct fg_response *response = &exchange->response;
    fg_time now = fg_clock_now(polite->clock);
    fg_time ended = time_of(polite, exchange->ended, now);
    polite->in_flight--;
    note_times(ask, now);
    record(ask);
    fg_addresses_leave(ask->address);
    ask->address = NULL;
    polite_note_address(host, response);
    host->bytes += response->wire_bytes;
    host->not_modified += response->status == 304;
    note_made(ask, response);
    struct fg_pace_answer answer = fg_pace_answer_of(response, ended);
    answer.announces = ask->ask.announces;
    answer.is_ours = note_silence(host, response, ended);
    if (fg_pace_finished(&host->pace, ended, &answer))
        save(host);
    enum fg_ask_end end = FG_ASK_ANSWERED;
    if (response->outcome == FG_FETCH_STOPPED || response->outcome == FG_FETCH_HERE)
        tell(ask, FG_ASK_STOPPED, NULL);
    else if (answer.is_ours) {
        ask->held_until = held_until(host);
        tell(ask, FG_ASK_HELD, NULL);
    } else if (!fg_hop_leads_on(response) ||
               (end = follow(ask, response)) != FG_ASK_ANSWERED)
        tell(ask, end, end == FG_ASK_STOPPED ? NULL : response);
    pump(host);
    pump_line(polite);
}

/* From the last line on it is the worker's. */
static void start(struct host *host, struct ask *ask)
{
    static const char *const of_form[] = {
        "Content-Type: application/x-www-form-urlencoded", NULL};
    struct fg_polite *polite = host->polite;
    struct fg_exchange *exchange = &ask->exchange;
    fg_time now = fg_clock_now(polite->clock);
    fg_pace_started(&host->pace, now);
    host->turn = FG_NEVER;
    ask->address = host->entered;
    host->entered = NULL;
    host->requests++;
    ask->requests++;
    ask->started = ask->exchange.note.started = now;
    if (!ask->robots_of)
        host->robots.is_unused = false;
    polite->in_flight++;
    exchange->request =
        (struct fg_request){.url = ask->url.href,
                            .etag = ask->ask.etag,
                            .last_modified = ask->ask.last_modified,
                            .accept = ask->ask.accept,
                            .max_body = ask->ask.max_body,
                            .body = ask->ask.form,
                            .headers = ask->ask.form.len ? of_form : NULL};
    exchange->lane = &host->lane;
    exchange->gap = (fg_time)((double)fg_pace_delay(&host->pace) / polite->clock->speed);
    exchange->prepare = ask->n_hops ? NULL : ask->ask.prepare;
    exchange->context = ask->ask.context;
    exchange->done = on_response;
    exchange->is_to_be_read =
        ask->ask.rules && ask->ask.rules(ask->ask.context, &exchange->rules);
    fg_workers_start(polite->workers, exchange);
}

/* --- from outside --- */

void fg_polite_ask(struct fg_polite *polite, const struct fg_ask *wish)
{
    struct ask *ask = ask_new(polite, wish);
    if (!fg_hop_parse(&ask->url, &ask->exchange.arena, ask->ask.url, NULL)) {
        end_later(ask, FG_ASK_LOCATION);
        return;
    }
    queue_hop(ask);
}

struct fg_polite *fg_polite_new(struct fg_workers *workers, struct event_base *loop,
                                struct fg_clock *clock,
                                const struct fg_polite_options *options)
{
    struct fg_polite *polite = fg_zeroed(1, sizeof *polite);
    polite->workers = workers;
    polite->loop = loop;
    polite->clock = clock;
    polite->options = *options;
    polite->options.robots_token = fg_arena_dup(&polite->arena, options->robots_token);
    polite->by_key.arena = polite->turns.arena = &polite->arena;
    polite->deliverer = event_new(loop, -1, 0, on_deliver, polite);
    polite_tell_delay(polite);
    return polite;
}

void fg_polite_retune(struct fg_polite *polite, const struct fg_pace_rules *rules)
{
    polite->options.rules = *rules; /* every host looks at these */
    polite_tell_delay(polite);
}

void fg_polite_free(struct fg_polite *polite)
{
    if (!polite)
        return;
    for (size_t i = 0; i < polite->hosts.len; i++) {
        struct host *host = polite->hosts.at[i];
        fg_heap_clear(&host->queue);
        event_free(host->timer);
        fg_robots_copy_clear(&host->robots);
        free(host);
    }
    for (size_t i = 0; i < polite->all.len; i++) {
        fg_exchange_clear(&polite->all.at[i]->exchange);
        free(polite->all.at[i]);
    }
    fg_vec_clear(&polite->hosts);
    fg_vec_clear(&polite->line);
    fg_vec_clear(&polite->ended);
    fg_vec_clear(&polite->all);
    fg_vec_clear(&polite->idle);
    event_free(polite->deliverer);
    fg_arena_clear(&polite->arena);
    free(polite);
}

void fg_polite_pause(struct fg_polite *polite)
{
    polite->is_paused = true;
}

void fg_polite_resume(struct fg_polite *polite)
{
    if (!polite->is_paused)
        return;
    polite->is_paused = false;
    for (size_t i = 0; i < polite->hosts.len; i++)
        pump(polite->hosts.at[i]);
}

static void withdraw_from(struct host *host,
                          bool (*leaves)(void *context, const struct fg_ask *ask),
                          void *context)
{
    if (is_closed(host->polite, fg_str_from(host->key)))
        end_queue(host, FG_ASK_STOPPED);
    size_t n = host->queue.len, for_robots = 0;
    struct ask **asks = fg_zeroed(n + 1, sizeof *asks);
    for (size_t i = 0; i < n; i++)
        asks[i] = pop(host);
    for (size_t i = 0; i < n; i++) {
        for_robots += asks[i]->robots_of == host;
        if (!asks[i]->robots_of && leaves(context, &asks[i]->ask))
            end_later(asks[i], FG_ASK_STOPPED);
        else
            push(host, asks[i]);
    }
    free(asks);
    if (host->queue.len == for_robots) /* nobody else needs it */
        end_queue(host, FG_ASK_STOPPED);
}

void fg_polite_withdraw(struct fg_polite *polite,
                        bool (*leaves)(void *context, const struct fg_ask *ask),
                        void *context)
{
    for (size_t i = 0; i < polite->hosts.len; i++)
        withdraw_from(polite->hosts.at[i], leaves, context);
}

void fg_polite_wind_down(struct fg_polite *polite)
{
    polite->is_winding_down = true;
    for (size_t i = 0; i < polite->hosts.len; i++)
        end_queue(polite->hosts.at[i], FG_ASK_STOPPED);
}
