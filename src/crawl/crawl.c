#include "crawl/crawl.h"
#include "crawl/documents/appraising.h"

#include "base/log.h"
#include "base/slices.h"
#include "crawl/budget.h"
#include "crawl/documents/documents.h"
#include "crawl/host/shared_pace.h"
#include "crawl/intake/intake.h"
#include "crawl/judging/judging.h"
#include "crawl/keeping.h"
#include "crawl/minds.h"
#include "crawl/output/output.h"
#include "crawl/people.h"
#include "crawl/sites/lot.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/comers.h"
#include "crawl/sources/naming.h"
#include "crawl/sources/pattern.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"
#include "net/http/proxy.h"
#include "net/url/url.h"
#include "store/lots.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/event.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* Events are of the middle priority unless set otherwise; those of a lower one come when
 * no other is due. */
enum { N_PRIORITIES = 3, AFTER_ALL_ELSE = 2 };

/* Not while we stop: what waited was put aside then, and is there at the next start. */
static void end_exploring_if_done(struct fg_crawl *crawl, struct site *site)
{
    if (crawl->run.is_stopping || site->state != SITE_EXPLORING ||
        !explore_is_over(crawl, site))
        return;
    struct fg_batch *batch = fg_batch_new(crawl->store);
    fg_time now = fg_clock_now(crawl->clock);
    source_end_exploring(crawl, batch, site, now);
    crawl_try_sitemap(crawl, batch, site, now);
    crawl_put_site(batch, site);
    fg_store_submit(crawl->store, batch);
    crawl->minds.wants_saving = true;
    crawl_feed_site(crawl, site);
}

/* What is not saved is told from the log at the next start. Of very many sites it takes
 * long, and those that were added together have been explored together: it has a
 * twentieth of the time at most. */
static void save_minds_if_due(struct fg_crawl *crawl)
{
    enum { SHARE = 20 };
    static const fg_time at_least_every = 10 * FG_MINUTE;
    const struct crawl_minds *minds = &crawl->minds;
    bool is_old = fg_clock_now(crawl->clock) - minds->written >= at_least_every;
    fg_time rested = fg_time_monotonic() - minds->ended;
    if (is_old || (minds->wants_saving && rested >= SHARE * minds->took))
        crawl_save_minds(crawl);
}

/* Once for all answers of a turn of the loop. */
static void on_answers(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct fg_crawl *crawl = context;
    if (crawl->run.is_stopping || fg_slices_has_paused(crawl->run.slices))
        return;
    size_t n = crawl_feed_stirred(crawl);
    for (size_t i = 0; i < n; i++) {
        crawl->sites.stirred.at[i]->budget.is_stirred = false;
        end_exploring_if_done(crawl, crawl->sites.stirred.at[i]);
    }
    /* What was stirred meanwhile, or did not fit in, has its turn next: not in this turn
     * of the loop. */
    crawl->sites.stirred.len -= n;
    if (n)
        memmove(crawl->sites.stirred.at, crawl->sites.stirred.at + n,
                crawl->sites.stirred.len * sizeof *crawl->sites.stirred.at);
    if (crawl->sites.stirred.len)
        event_add(crawl->run.feeder, &(struct timeval){0});
    if (crawl->minds.wants_saving)
        save_minds_if_due(crawl);
    if (crawl->options.run.once && crawl_is_idle(crawl))
        crawl_wind_down(crawl, FG_CRAWL_DONE);
}

/* --- politeness wants something remembered --- */

static void save_host(void *context, const struct fg_host_state *state)
{
    struct fg_crawl *crawl = context;
    struct site *site = crawl_find_host(crawl, state->key);
    if (!site)
        site = crawl_new_site(crawl, state->key, (struct fg_str){0}, SITE_HOST_ONLY,
                              fg_clock_now(crawl->clock));
    bool first_robots = site->host.state.robots_fetched == FG_NEVER;
    crawl_set_host(site, state);
    health_of_robots(crawl, site);
    struct fg_batch *batch = fg_batch_new(crawl->store);
    crawl_put_site(batch, site);
    fg_ledger_write(&crawl->ledger, batch);
    if (first_robots && state->robots_fetched != FG_NEVER &&
        site->state == SITE_EXPLORING)
        crawl_add_sitemaps(crawl, batch, site);
    struct saving saving = {.number = fg_store_submit(crawl->store, batch),
                            .key = site->key};
    fg_vec_push(&crawl->sites.savings, saving);
    fg_store_hurry(crawl->store, saving.number); /* a request waits for it */
}

static void note_request(void *context, const struct fg_made *made)
{
    struct fg_crawl *crawl = context;
    const struct site *site = crawl_find_host(crawl, made->key);
    if (site && crawl->options.keeping.requests > 0)
        fg_ledger_note(&crawl->ledger, site->id, made);
}

/* What no result has taken along: of labels, and of asks that were stopped. */
static void write_ledger(struct fg_crawl *crawl)
{
    if (!crawl->ledger.rows.len)
        return;
    struct fg_batch *batch = fg_batch_new(crawl->store);
    fg_ledger_write(&crawl->ledger, batch);
    fg_store_submit(crawl->store, batch);
}

static void tell_saved(struct fg_crawl *crawl, uint64_t durable)
{
    size_t done = 0;
    while (done < crawl->sites.savings.len &&
           crawl->sites.savings.at[done].number <= durable)
        done++;
    if (!done)
        return;
    struct saving *told = malloc(done * sizeof *told);
    if (!told)
        fg_out_of_memory();
    memcpy(told, crawl->sites.savings.at, done * sizeof *told);
    crawl->sites.savings.len -= done;
    memmove(crawl->sites.savings.at, crawl->sites.savings.at + done,
            crawl->sites.savings.len * sizeof *crawl->sites.savings.at);
    for (size_t i = 0; i < done; i++)
        fg_polite_saved(crawl->polite, fg_str_from(told[i].key));
    free(told);
}

/* --- events of the loop --- */

/* What comes after the tick itself. */
static void end_tick(struct fg_crawl *crawl)
{
    if (crawl->run.is_stopping)
        return;
    if (crawl->sites.stirred.len)
        event_active(crawl->run.feeder, 0, 0);
    /* A kill may have come after the last answer of an exploration and before its end. */
    for (size_t i = 0; i < crawl->sites.all.len; i++)
        end_exploring_if_done(crawl, crawl->sites.all.at[i]);
    save_minds_if_due(crawl);
    crawl_sync_archive(crawl);
    if (crawl->options.run.once && crawl_is_idle(crawl))
        crawl_wind_down(crawl, FG_CRAWL_DONE);
}

static void work_tick(void *context)
{
    crawl_tick(context);
}

/* Asking for pages of very many sites takes long: a slice of it, and then a turn of the
 * loop for all others. */
static void on_slice(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct fg_crawl *crawl = context;
    if (!fg_slices_has_paused(crawl->run.slices))
        return;
    if (fg_slices_go_on(crawl->run.slices))
        end_tick(crawl);
    else
        event_add(crawl->run.goer, &(struct timeval){0});
}

static void tick(struct fg_crawl *crawl)
{
    enum { MANY = 500 };
    if (fg_slices_has_paused(crawl->run.slices))
        return; /* the last one is not over */
    bool is_over = crawl->sites.all.len < MANY;
    if (is_over)
        crawl_tick(crawl);
    else
        is_over = fg_slices_begin(crawl->run.slices, work_tick, crawl);
    if (is_over)
        end_tick(crawl);
    else
        event_add(crawl->run.goer, &(struct timeval){0});
}

/* --- a lot of a crawl of several processes --- */

static const fg_time lease_looks = 100 * FG_MILLISECOND;

static bool has_shared_budget(const struct fg_crawl *crawl)
{
    return crawl->options.lot.lease && crawl->options.lot.budget > 0;
}

/* None at all would be no limit. */
static double granted(const struct fg_crawl *crawl)
{
    static const double next_to_nothing = 1e-6;
    return fmax(fg_lease_granted(crawl->options.lot.lease), next_to_nothing);
}

/* What of the budget of all is ours until the next tick; and what we could use. */
static void share_budget(struct fg_crawl *crawl)
{
    struct fg_lot_options *lot = &crawl->options.lot;
    double hours = fg_hours(fg_clock_now(crawl->clock) - crawl->budget.tick_started);
    double spent = (double)crawl->counts.fetches - crawl->run.spent, all_sites = 0;
    if (!lot->lease)
        return;
    for (size_t i = 0; i < crawl->sites.all.len; i++)
        if (crawl->sites.all.at[i]->state != SITE_HOST_ONLY)
            all_sites += fmax(crawl->options.budget.site_per_hour, 1);
    spent = hours > 0 ? spent / hours : 0;
    crawl->run.spent = (double)crawl->counts.fetches;
    bool was_short = crawl->budget.all < 1 && all_sites > 0;
    double had = crawl->options.budget.per_hour;
    double price = pricing_is_on(crawl) ? fg_price_now(&crawl->pricing.price) : 0;
    if (has_shared_budget(crawl))
        crawl->options.budget.per_hour = granted(crawl);
    crawl->run.load += (spent - crawl->run.load) * fmin(hours, 1);
    fg_lease_tell(lot->lease, crawl->run.load,
                  fg_lot_asks(spent, was_short, all_sites, had, price),
                  crawl->options.budget.per_hour);
}

static void on_lease(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct fg_crawl *crawl = context;
    const struct fg_lot_options *lot = &crawl->options.lot;
    struct fg_err err;
    if (fg_lease_is_lost(lot->lease)) {
        fg_fail(&err, FG_EIO, "lot %u has another owner now", lot->lot);
        crawl_fail(crawl, &err);
        return;
    }
    bool is_held =
        !fg_lease_allows(lot->lease, crawl->options.fetch.timeout + 2 * lease_looks);
    if (is_held && !crawl->run.is_held)
        fg_log_warn("crawl", "waiting for the lease", FG_F("lot", lot->lot));
    else if (!is_held && crawl->run.is_held)
        fg_log_info("crawl", "the lease is renewed", FG_F("lot", lot->lot));
    crawl->run.is_held = is_held;
    crawl_wait_for_disk(crawl);
    /* The first grant is not waited for until the next tick. */
    if (has_shared_budget(crawl) && crawl->options.budget.per_hour < 1 &&
        granted(crawl) >= 1)
        event_active(crawl->run.ticker, EV_TIMEOUT, 1);
}

static void on_tick(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct fg_crawl *crawl = context;
    share_budget(crawl);
    if (!crawl->run.is_disk_full) /* else nothing is begun, lest it pile up in memory */
        tick(crawl);
    struct timeval next = fg_clock_real(crawl->clock, crawl->options.budget.tick);
    event_add(crawl->run.ticker, &next);
}

/* A full disk is waited for, and a database that is gone: what was found is in memory,
 * and the store tries again and again. False if it is some other trouble that does not
 * pass.
 */
static bool is_store_well(struct fg_crawl *crawl, struct fg_err *err)
{
    enum fg_status st = fg_store_health(crawl->store, err);
    bool was_full = crawl->run.is_disk_full;
    bool is_locked = st && fg_store_is_locked(crawl->store);
    bool was_locked = crawl->run.is_store_locked;
    crawl->run.is_disk_full = st == FG_EFULL || is_locked;
    crawl->run.is_store_locked = is_locked;
    if (is_locked && !was_locked)
        fg_log_error("store", "waiting", FG_F("why", err->text));
    else if (st == FG_EFULL && !was_full)
        fg_log_error("store", "waiting for room", FG_F("why", err->text));
    else if (was_locked && !st)
        fg_log_info("store", "writing again");
    else if (was_full && !st)
        fg_log_info("store", "there is room again");
    return !st || crawl->run.is_disk_full;
}

static void on_durable(evutil_socket_t fd, short what, void *context)
{
    (void)what;
    struct fg_crawl *crawl = context;
    struct fg_err err = {0};
    uint64_t count;
    ssize_t got = read(fd, &count, sizeof count);
    (void)got;
    if (!is_store_well(crawl, &err)) {
        crawl_fail(crawl, &err);
        return;
    }
    fg_outputs_poke(crawl->keeping.outputs);
    crawl_wait_for_disk(crawl);
    tell_saved(crawl, fg_store_durable(crawl->store));
    document_saved(crawl, fg_store_durable(crawl->store));
    appraising_durable(crawl, fg_store_durable(crawl->store));
    retention_go_on(crawl, fg_store_durable(crawl->store));
    crawl_clear_inbox(crawl, fg_store_durable(crawl->store));
    if (!crawl->run.is_stopping)
        notices_review(crawl, false);
}

static void on_beat(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct fg_crawl *crawl = context;
    fg_marks_beat(crawl->keeping.marks);
    if (crawl->run.is_disk_full)
        return;
    crawl_take_inbox(crawl);
    notices_review(crawl, true);
    websub_review(crawl);
    crawl_take_pushed(crawl);
    crawl_look_at_pushed(crawl);
    push_review(crawl);
    retention_review(crawl);
    if (!crawl->run.is_stopping)
        crawl_keep_promises(crawl, fg_clock_now(crawl->clock));
    health_review(crawl);
    milestones_tell(crawl);
    write_ledger(context);
    crawl_tell_status(context, NULL);
}

static void on_output_closed(void *context)
{
    crawl_wind_down(context, FG_CRAWL_UNHEARD);
}

static void on_report(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    crawl_show_progress(context);
}

static void on_deadline(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    crawl_wind_down(context, FG_CRAWL_TIME_LIMIT);
}

static void on_signal(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct fg_crawl *crawl = context;
    if (crawl->run.signals++ == 0) {
        crawl_wind_down(crawl, FG_CRAWL_INTERRUPTED);
        crawl->run.end = FG_CRAWL_INTERRUPTED;
        return;
    }
    crawl->run.end = FG_CRAWL_FORCED;
    event_base_loopbreak(crawl->run.loop);
}

static void on_hangup(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct fg_crawl *crawl = context;
    if (crawl->people.reload)
        crawl->people.reload(crawl->people.reload_context);
}

void fg_crawl_on_reload(struct fg_crawl *crawl, void (*reload)(void *context),
                        void *context)
{
    crawl->people.reload = reload;
    crawl->people.reload_context = context;
}

void fg_crawl_on_progress(struct fg_crawl *crawl, fg_time every,
                          void (*progress)(void *context, const struct fg_crawl *crawl),
                          void *context)
{
    crawl->people.progress = progress;
    crawl->people.progress_context = context;
    crawl->people.progress_every = every;
}

void fg_crawl_on_milestone(struct fg_crawl *crawl,
                           void (*say)(void *context, const char *text, bool is_logged),
                           void *context)
{
    crawl->people.say = say;
    crawl->people.say_context = context;
}

static void note_difference(void *context, const struct fg_opt *opt)
{
    (void)context;
    if (!opt->is_live)
        fg_log_warn("config", "not changed while running", FG_F("setting", opt->name));
}

void fg_crawl_retune(struct fg_crawl *crawl, const struct fg_crawl_options *fresh)
{
    struct fg_crawl_options *o = &crawl->options;
    fg_crawl_update(o, fresh, note_difference, NULL);
    if (has_shared_budget(crawl) || (o->lot.lease && o->budget.per_hour > 0)) {
        o->lot.budget = fresh->budget.per_hour;
        o->budget.per_hour = granted(crawl);
    }
    fg_pace_share_loopback(&o->pace);
    crawl_promises_changed(crawl);
    document_set_rule(crawl, o->documents.value_rule, NULL);
    crawl_set_noise(crawl, o);
    fg_mind_tick(crawl->minds.discovery, o->budget.tick);
    fg_mind_tick(crawl->minds.refresh, o->budget.tick);
    crawl->guard.rules = o->guard;
    crawl_set_focus(crawl, &o->focus);
    fg_polite_retune(crawl->polite, &o->pace);
    fg_naming_warn(o->naming.keep, fresh->naming.keep);
    fg_outputs_reload(crawl->keeping.outputs, &fresh->outputs, note_difference, NULL);
}

/* --- life --- */

static bool allows_hop(void *context, struct fg_str url)
{
    struct fg_crawl *crawl = context;
    return url.len <= crawl->options.guard.max_url && crawl_asks_host_of(crawl, url);
}

static bool asks_host(void *context, struct fg_str key)
{
    return crawl_asks_host_of(context, key);
}

/* Of another lot, unless it is one that is paused. */
static void robots_elsewhere(void *context, struct fg_str key, struct fg_str url)
{
    struct fg_crawl *crawl = context;
    if (!fg_lot_has(&crawl->options.lot, url))
        notices_write(crawl, &(struct fg_notice){.kind = FG_NOTICE_ROBOTS,
                                                 .url = url,
                                                 .host = key,
                                                 .dated = FG_NEVER});
}

static void set_up_events(struct fg_crawl *crawl)
{
    struct event_base *loop = crawl->run.loop;
    crawl->run.ticker = evtimer_new(loop, on_tick, crawl);
    crawl->run.beat = event_new(loop, -1, EV_PERSIST, on_beat, crawl);
    crawl->run.feeder = event_new(loop, -1, 0, on_answers, crawl);
    crawl->run.goer = evtimer_new(loop, on_slice, crawl);
    crawl->run.deadline = evtimer_new(loop, on_deadline, crawl);
    crawl->run.reporter = event_new(loop, -1, EV_PERSIST, on_report, crawl);
    crawl->run.waker = event_new(loop, fg_store_wakeup(crawl->store),
                                 EV_READ | EV_PERSIST, on_durable, crawl);
    crawl->run.interrupt = evsignal_new(loop, SIGINT, on_signal, crawl);
    crawl->run.terminate = evsignal_new(loop, SIGTERM, on_signal, crawl);
    crawl->run.hangup = evsignal_new(loop, SIGHUP, on_hangup, crawl);
    crawl->run.lease = event_new(loop, -1, EV_PERSIST, on_lease, crawl);
}

enum fg_status fg_crawl_new(struct fg_crawl **result, struct fg_store *store,
                            const struct fg_crawl_options *options, struct fg_err *err)
{
    *result = NULL;
    struct fg_crawl *crawl = calloc(1, sizeof *crawl);
    if (!crawl || !(crawl->run.loop = event_base_new()))
        fg_out_of_memory();
    crawl->options = *options;
    if (has_shared_budget(crawl))
        crawl->options.budget.per_hour = granted(crawl);
    crawl->run.slices = fg_slices_new();
    crawl->clock = &crawl->options.clock;
    crawl->store = store;
    crawl->budget.answered = crawl_on_answer;
    crawl->sites.by_key.arena = &crawl->arena;
    crawl->promises.next = crawl->promises.told = FG_NEVER;
    crawl->run.started = crawl->budget.tick_started = fg_clock_now(crawl->clock);
    crawl->options.fetch.is_anonymous = !options->who.is_given;
    fg_pace_share_loopback(&crawl->options.pace);
    crawl->options.fetch.keeps_wire = options->archive.dir != NULL;
    fg_guard_init(&crawl->guard, &options->guard);
    enum fg_status st = fg_marks_open(&crawl->keeping.marks, options->keeping.marks, err);
    if (!st)
        st = fg_workers_new(&crawl->workers, crawl->run.loop, options->workers.threads,
                            &crawl->options.fetch, crawl->keeping.marks, err);
    if (!st && options->workers.read_apart)
        st = fg_workers_read_apart(crawl->workers, err);
    if (!st && options->lot.lease)
        fg_workers_hold_to(crawl->workers, options->lot.lease, options->fetch.timeout);
    if (!st && options->lot.lease)
        st = fg_addresses_open(&crawl->run.addresses, options->lot.whole,
                               options->lot.lot, options->lot.lease, err);
    if (!st)
        st = crawl_set_up_minds(crawl, err);
    if (!st)
        pricing_recall(crawl);
    if (!st)
        st = document_set_rule(crawl, options->documents.value_rule, err);
    if (!st)
        crawl_set_noise(crawl, options);
    if (!st)
        st = fg_naming_settle(&crawl->options.naming.keep, store, options->naming.keep,
                              err);
    if (!st) {
        crawl->polite = fg_polite_new(
            crawl->workers, crawl->run.loop, crawl->clock,
            &(struct fg_polite_options){.rules = crawl->options.pace,
                                        .max_redirects = options->max_redirects,
                                        .patience = 2 * options->budget.tick,
                                        .robots_token = options->robots_token,
                                        .robots_lifetime = FG_DAY,
                                        .save = save_host,
                                        .allows = allows_hop,
                                        .asks = asks_host,
                                        .robots_elsewhere = robots_elsewhere,
                                        .made = note_request,
                                        .record = crawl_archive,
                                        .context = crawl,
                                        .is_taken_over = options->lot.lease != NULL,
                                        .addresses = crawl->run.addresses,
                                        .seed = options->policies.seed});
        set_up_events(crawl);
        crawl_set_focus(crawl, &options->focus);
        st = crawl_recall(crawl, err);
        retention_begin(crawl);
    }
    if (!st)
        st = crawl_open_outputs(crawl, on_output_closed, err);
    if (st) {
        fg_crawl_free(crawl);
        return st;
    }
    *result = crawl;
    return FG_OK;
}

static void free_site(struct site *site)
{
    free(site->stock.awaited.at);
    free(site->stock.missing.at);
    free(site->stock.eager.at);
    free(site->stock.patient.at);
    free(site->stock.aside.at);
    fg_vec_clear(&site->stock.last_pages);
    fg_vec_clear(&site->lists.sources);
    fg_vec_clear(&site->lists.candidates);
    free(site->host.robots);
    fg_patterns_free(site->patterns);
    fg_map_clear(&site->judging.tokens);
    fg_map_clear(&site->judging.titles);
    fg_map_clear(&site->stock.ended);
    fg_map_clear(&site->stock.held);
    fg_map_clear(&site->judging.numbered);
    health_free(site);
    push_free(site);
    fg_arena_clear(&site->tdm.arena);
    free(site);
}

void fg_crawl_free(struct fg_crawl *crawl)
{
    if (!crawl)
        return;
    fg_slices_free(crawl->run.slices);
    crawl->run.slices = NULL;
    if (crawl->polite) { /* what is still open comes back as stopped */
        fg_polite_wind_down(crawl->polite);
        fg_workers_stop(crawl->workers);
    }
    fg_workers_free(crawl->workers);
    fg_marks_close(crawl->keeping.marks);
    fg_polite_free(crawl->polite);
    fg_outputs_close(crawl->keeping.outputs);
    fg_ledger_clear(&crawl->ledger);
    crawl_end_telling(crawl);
    appraising_end(crawl);
    retention_end(crawl);
    fg_mind_free(crawl->minds.discovery);
    fg_mind_free(crawl->minds.refresh);
    fg_arms_clear(&crawl->minds.arms);
    pricing_clear(crawl);
    struct event *events[] = {
        crawl->run.ticker,    crawl->run.beat,   crawl->run.deadline,
        crawl->run.reporter,  crawl->run.waker,  crawl->run.interrupt,
        crawl->run.terminate, crawl->run.hangup, crawl->run.feeder,
        crawl->run.lease,     crawl->run.goer};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (events[i])
            event_free(events[i]);
    for (size_t i = 0; i < crawl->sites.all.len; i++)
        free_site(crawl->sites.all.at[i]);
    for (size_t i = 0; i < crawl->sources.all.len; i++) {
        free(crawl->sources.all.at[i].links);
        fg_comers_clear(&crawl->sources.all.at[i].comers);
    }
    fg_vec_clear(&crawl->sites.all);
    fg_vec_clear(&crawl->sites.stirred);
    fg_vec_clear(&crawl->sources.all);
    fg_vec_clear(&crawl->sites.savings);
    fg_vec_clear(&crawl->intake.taken);
    notices_end(crawl);
    fg_map_clear(&crawl->minds.row_by_id);
    fg_map_clear(&crawl->minds.stored);
    fg_map_clear(&crawl->sites.by_id);
    fg_known_clear(&crawl->known);
    fg_map_clear(&crawl->judging.row_by_identity);
    fg_map_clear(&crawl->judging.identity_by_row);
    fg_map_clear(&crawl->documents.changes_seen);
    fg_map_clear(&crawl->documents.signalled);
    sources_clear(crawl);
    listed_clear(crawl);
    judging_clear(crawl);
    fg_focus_free(crawl->focus);
    fg_map_clear(&crawl->documents.page_rules);
    fg_map_clear(&crawl->promises.by_row);
    fg_vec_clear(&crawl->sites.paused);
    fg_vec_clear(&crawl->intake.early);
    fg_vec_clear(&crawl->documents.own_rules);
    fg_map_clear(&crawl->documents.dated);
    fg_map_clear(&crawl->documents.unsaved);
    fg_siblings_clear(&crawl->documents.siblings);
    event_base_free(crawl->run.loop);
    fg_addresses_close(crawl->run.addresses);
    fg_arena_clear(&crawl->scratch);
    fg_arena_clear(&crawl->arena);
    free(crawl);
}

/* False if not all can be waited for: some would never come. */
static bool start_events(struct fg_crawl *crawl)
{
    struct timeval at_once = {0, 0}, beat = {2, 0}, lease = {0, (suseconds_t)lease_looks};
    struct timeval progress = {crawl->people.progress_every / FG_SECOND,
                               crawl->people.progress_every % FG_SECOND};
    if (event_add(crawl->run.waker, NULL) || event_add(crawl->run.interrupt, NULL) ||
        event_add(crawl->run.terminate, NULL) || event_add(crawl->run.hangup, NULL) ||
        event_add(crawl->run.ticker, &at_once) || event_add(crawl->run.beat, &beat))
        return false;
    if (crawl->options.lot.lease && event_add(crawl->run.lease, &lease))
        return false;
    if (crawl->people.progress)
        event_add(crawl->run.reporter, &progress);
    if (crawl->options.run.time_limit) {
        struct timeval limit = {crawl->options.run.time_limit / FG_SECOND,
                                crawl->options.run.time_limit % FG_SECOND};
        event_add(crawl->run.deadline, &limit);
    }
    return true;
}

/* Sites may have been added when somebody answered for the crawl who is not named now. */
static bool has_operator_if_needed(struct fg_crawl *crawl)
{
    struct fg_err err;
    for (size_t i = 0; i < crawl->sites.all.len && !crawl->options.who.is_given; i++) {
        const struct site *site = crawl->sites.all.at[i];
        struct fg_url url;
        fg_arena_reset(&crawl->scratch);
        if (site->state == SITE_HOST_ONLY || site_is_removed(site) ||
            (fg_url_parse(&url, &crawl->scratch, fg_str_from(site->key), NULL) &&
             fg_host_is_local(fg_url_hostname(&url))))
            continue;
        fg_fail(
            &err, FG_ECONFIG,
            "the crawl of '%s' needs somebody who answers for it: set operator.name or "
            "operator.contact, best in the workspace's forage.yaml",
            site->key);
        crawl_fail(crawl, &err);
        return false;
    }
    return true;
}

/* Sites may have been added since (enlist.h) whose robots.txt was known before. */
static void add_known_sitemaps(struct fg_crawl *crawl)
{
    struct fg_batch *batch = fg_batch_new(crawl->store);
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        struct site *site = crawl->sites.all.at[i];
        if (site->state == SITE_EXPLORING && site_is_asked(site) &&
            site->host.state.robots_fetched != FG_NEVER)
            crawl_add_sitemaps(crawl, batch, site);
    }
    fg_store_submit(crawl->store, batch);
}

enum fg_crawl_end fg_crawl_run(struct fg_crawl *crawl, struct fg_err *err)
{
    crawl->run.err = err;
    crawl->run.end = FG_CRAWL_DONE;
    if (!has_operator_if_needed(crawl) || !crawl_open_archive(crawl))
        return crawl->run.end;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is as good as a full disk */
    crawl_apply_site_rules(crawl);
    crawl_apply_control(crawl);
    add_known_sitemaps(crawl);
    health_recall(crawl);
    websub_recall(crawl);
    notices_recall(crawl);
    milestones_begin(crawl);
    crawl_take_inbox(crawl);
    crawl_tell_status(crawl, NULL);
    if (!start_events(crawl)) {
        struct fg_err why = {0};
        fg_fail(&why, FG_EIO, "cannot wait for events: %s", strerror(errno));
        crawl_fail(crawl, &why);
    }
    crawl_show_progress(crawl);
    fg_outputs_poke(crawl->keeping.outputs);
    while (!crawl_is_over(crawl) && event_base_loop(crawl->run.loop, EVLOOP_ONCE) == 0)
        ;
    fg_slices_finish(crawl->run.slices);
    if (crawl->run.end == FG_CRAWL_FORCED)
        fg_workers_stop(crawl->workers);
    crawl_close_archive(crawl);
    if (crawl->run.end == FG_CRAWL_FAILED)
        return crawl->run.end;
    crawl_save_minds(crawl);
    health_review(crawl);
    push_review(crawl);
    milestones_tell(crawl);
    write_ledger(crawl);
    crawl_tell_status(crawl, crawl_end_name(crawl->run.end));
    struct fg_err last = {0};
    struct fg_batch *nothing = fg_batch_new(crawl->store);
    uint64_t number = fg_store_submit(crawl->store, nothing);
    enum fg_status st = fg_store_flush(crawl->store, number, &last);
    if (!st) {
        crawl_clear_inbox(crawl, number);
        st = crawl_finish_outputs(crawl, &last);
    }
    if (st)
        crawl_fail(crawl, &last);
    return crawl->run.end;
}
