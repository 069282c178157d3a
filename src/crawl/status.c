/* What only the running crawl knows (its queue, its budget), written to the store every
 * few seconds as JSON under the name "crawl:status", so that `forage status` and others
 * can look without asking the process. Nothing is read back from it by the crawl. */
#include "crawl/output/output.h"
#include "crawl/people.h"
#include "crawl/sites/site.h"
#include "crawl/state.h"

#include "base/json.h"

#include <math.h>
#include <unistd.h>

enum { MOST_SITES = 1000 };
static const fg_time at_least_every = 30 * FG_SECOND;

static void put_settings(struct fg_json *json, const struct fg_crawl *crawl)
{
    const struct fg_crawl_options *o = &crawl->options;
    fg_json_pair_cstr(json, "discovery_policy", o->policies.discovery);
    fg_json_pair_cstr(json, "refresh_policy", o->policies.refresh);
    fg_json_pair_double(json, "budget_per_hour", o->budget.per_hour);
    fg_json_pair_cstr(json, "worth",
                      fg_worth_names[pricing_is_on(crawl) ? o->budget.worth : 0]);
    if (pricing_is_on(crawl)) {
        fg_json_pair_double(json, "price", fg_price_now(&crawl->pricing.price));
    }
    fg_json_pair_double(json, "tick_s", fg_seconds(o->budget.tick));
    fg_json_pair_double(json, "delay_s", fg_seconds(o->pace.delay));
    fg_json_pair_time(json, "tick_started", crawl->budget.tick_started);
    fg_json_pair_time(json, "next_tick", crawl->budget.tick_started + o->budget.tick);
    fg_json_pair_double(json, "budget_left", fmax(crawl->budget.all, 0));
}

static void put_counts(struct fg_json *json, const struct fg_crawl_counts *c)
{
    fg_json_pair_uint(json, "fetches", c->fetches);
    fg_json_pair_uint(json, "not_modified", c->not_modified);
    fg_json_pair_uint(json, "failures", c->failures);
    fg_json_pair_uint(json, "bytes", c->bytes);
    fg_json_pair_uint(json, "discovered", c->discovered);
    fg_json_pair_uint(json, "documents", c->documents);
    fg_json_pair_uint(json, "waiting", c->waiting);
    fg_json_pair_uint(json, "in_flight", c->in_flight);
}

/* Are we ourselves well? */
static void put_loops(struct fg_json *json, const struct fg_crawl *crawl)
{
    struct fg_workers_lag lag = fg_workers_lag(crawl->workers);
    fg_json_pair_double(json, "loop_latency_s", fg_seconds(lag.main));
    fg_json_pair_double(json, "worker_latency_s", fg_seconds(lag.workers));
    fg_json_pair_uint(json, "late_turns", lag.late);
    fg_json_pair_uint(json, "servers_cut_off", lag.shut);
    fg_json_pair_time(json, "nobody_answers_since", fg_polite_outage(crawl->polite));
}

static void put_not_told(struct fg_json *json, const uint64_t *counts)
{
    static const char *const reasons[] = {
        [NOT_OLD] = "old",
        [NOT_UNPROVEN] = "unproven",
        [NOT_COPY] = "copy",
        [NOT_NOINDEX] = "noindex",
        [NOT_LIST] = "list",
        [NOT_ACTION] = "action",
        [NOT_ERROR] = "error",
        [NOT_EMPTY] = "empty",
        [NOT_IRRELEVANT] = "irrelevant",
    };
    fg_json_key(json, "not_told");
    fg_json_object(json);
    for (int i = 0; i < NOT_TOLD; i++)
        fg_json_pair_uint(json, reasons[i], counts[i]);
    fg_json_end(json);
}

static void put_all_not_told(struct fg_json *json, const struct fg_crawl *crawl)
{
    uint64_t sum[NOT_TOLD] = {0};
    for (size_t i = 0; i < crawl->sites.all.len; i++)
        for (int reason = 0; reason < NOT_TOLD; reason++)
            sum[reason] += crawl->sites.all.at[i]->judging.turned_down[reason];
    put_not_told(json, sum);
}

static void put_sites(struct fg_json *json, const struct fg_crawl *crawl)
{
    fg_json_key(json, "sites");
    fg_json_array(json);
    for (size_t i = 0; i < fg_crawl_sites(crawl) && i < MOST_SITES; i++) {
        struct fg_site_view view = fg_crawl_site(crawl, i);
        fg_json_object(json);
        fg_json_pair_uint(json, "site", crawl->sites.all.at[i]->id);
        fg_json_pair_uint(json, "waiting", view.waiting);
        fg_json_pair_uint(json, "told", view.discovered);
        put_not_told(json, crawl->sites.all.at[i]->judging.turned_down);
        fg_json_pair_time(json, "next_request",
                          view.next_request == INT64_MAX ? FG_NEVER : view.next_request);
        fg_json_pair_time(json, "backoff_until", view.backoff_until);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void put_outputs(struct fg_json *json, const struct fg_crawl *crawl)
{
    struct fg_output_trouble trouble;
    fg_json_key(json, "outputs_waiting");
    fg_json_array(json);
    for (size_t i = 0; fg_outputs_trouble(crawl->keeping.outputs, i, &trouble); i++) {
        fg_json_object(json);
        fg_json_pair_cstr(json, "output", trouble.output);
        fg_json_pair_time(json, "since", trouble.since);
        fg_json_pair_cstr(json, "why", trouble.why);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void put_push(struct fg_json *json, const struct fg_crawl *crawl)
{
    fg_json_key(json, "push");
    fg_json_object(json);
    fg_json_pair_uint(json, "subscriptions", crawl->push.active);
    fg_json_pair_uint(json, "taken", crawl->push.pushes);
    fg_json_pair_uint(json, "proved", crawl->push.proved);
    fg_json_pair_uint(json, "refuted", crawl->push.refuted);
    fg_json_pair_uint(json, "missed", crawl->push.missed);
    fg_json_end(json);
}

static void put_status(struct fg_crawl *crawl, const struct fg_crawl_counts *counts,
                       const char *ended)
{
    struct fg_buf text;
    fg_buf_init(&text, 1 << 20);
    struct fg_json json = fg_json_to(&text);
    fg_json_object(&json);
    fg_json_pair_uint(&json, "process", (uint64_t)getpid());
    fg_json_pair_cstr(&json, "ended", ended);
    fg_json_pair_time(&json, "now", counts->now);
    fg_json_pair_time(&json, "real", fg_time_now());
    fg_json_pair_double(&json, "speed", crawl->clock->speed);
    fg_json_pair_time(&json, "started", crawl->run.started);
    put_settings(&json, crawl);
    put_counts(&json, counts);
    put_loops(&json, crawl);
    put_all_not_told(&json, crawl);
    put_outputs(&json, crawl);
    put_push(&json, crawl);
    put_sites(&json, crawl);
    fg_json_end(&json);
    struct fg_batch *batch = fg_batch_new(crawl->store);
    fg_batch_state(batch, 0, "crawl:status", fg_buf_str(&text));
    fg_store_submit(crawl->store, batch);
    fg_buf_clear(&text);
}

/* A crawl that sleeps until its next tick has nothing new to say, and lets the disk
 * sleep, too. */
static bool has_news(const struct fg_crawl *crawl, const struct fg_crawl_counts *counts)
{
    const struct fg_crawl_counts *told = &crawl->people.told;
    return counts->fetches != told->fetches || counts->waiting != told->waiting ||
           counts->in_flight != told->in_flight || counts->sites != told->sites ||
           counts->outputs_waiting != told->outputs_waiting ||
           fg_time_monotonic() - crawl->people.told_at >= at_least_every;
}

void crawl_tell_status(struct fg_crawl *crawl, const char *ended)
{
    struct fg_crawl_counts counts = fg_crawl_count(crawl);
    if (!ended && !has_news(crawl, &counts))
        return;
    crawl->people.told = counts;
    crawl->people.told_at = fg_time_monotonic();
    put_status(crawl, &counts, ended);
}

/* --- for those who look on --- */

/* INT64_MAX: nothing waits for its host. */
static fg_time next_request(const struct fg_crawl *crawl, const struct site *site)
{
    struct fg_host_view host;
    bool is_asked = site->stock.open_asks &&
                    fg_polite_view(crawl->polite, fg_str_from(site->key), &host) &&
                    host.waiting;
    return is_asked ? host.next_request : INT64_MAX;
}

static size_t count_waiting(const struct site *site)
{
    return site->stock.awaited.len + site->stock.missing.len + site->stock.eager.len +
           site->stock.patient.len + site->stock.aside.len;
}

struct fg_crawl_counts fg_crawl_count(const struct fg_crawl *crawl)
{
    struct fg_crawl_counts counts = crawl->counts;
    counts.now = fg_clock_now(crawl->clock);
    counts.ran = counts.now - crawl->run.started;
    counts.waiting = fg_polite_waiting(crawl->polite, (struct fg_str){0});
    counts.in_flight = fg_polite_in_flight(crawl->polite);
    counts.budget_left = crawl->budget.all;
    counts.is_stopping = crawl->run.is_stopping;
    counts.next_look = crawl->budget.tick_started + crawl->options.budget.tick;
    for (struct fg_output_trouble trouble;
         fg_outputs_trouble(crawl->keeping.outputs, counts.outputs_waiting, &trouble);)
        counts.outputs_waiting++;
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        const struct site *site = crawl->sites.all.at[i];
        counts.waiting += count_waiting(site);
        counts.sites += site->state != SITE_HOST_ONLY && !site_is_removed(site);
        counts.exploring += site->state == SITE_EXPLORING && site_is_asked(site);
        fg_time since, next = next_request(crawl, site);
        if (next < counts.next_look)
            counts.next_look = next;
        counts.alarms += site_is_asked(site) && health_alarm(site, &since);
    }
    return counts;
}

size_t fg_crawl_sites(const struct fg_crawl *crawl)
{
    return crawl->sites.all.len;
}

struct fg_site_view fg_crawl_site(const struct fg_crawl *crawl, size_t i)
{
    const struct site *site = crawl->sites.all.at[i];
    struct fg_site_view view = {
        .key = fg_str_from(site->key),
        .state = site_is_removed(site)  ? "removed"
                 : !site_is_asked(site) ? "paused"
                                        : fg_site_state_name(site->state),
        .known = site->counts.known,
        .sources = site->lists.sources.len,
        .fetches = site->counts.fetches,
        .discovered = site->counts.discovered,
        .failures = site->counts.failures,
        .waiting = count_waiting(site) + site->stock.open_asks,
        .next_request = FG_NEVER,
        .backoff_until = FG_NEVER,
        .last_discovery = site->counts.last_discovery,
    };
    struct fg_host_view host;
    if (fg_polite_view(crawl->polite, view.key, &host)) {
        view.next_request = host.next_request;
        view.backoff_until = host.backoff_until;
    }
    return view;
}
