/* metrics.c - figures for Prometheus, and whether we are well
 *
 * Names follow Prometheus's own advice: base units, _total for what only grows. A site or
 * an address is never a label: a crawl of ten thousand sites would be ten thousand series
 * each. What only grows is counted by the crawl from its start, so it begins anew with
 * it, as counters do; what is told of a span of time is a gauge. Delays are a histogram
 * over the last day. */
#include "crawl/budget.h"
#include "server/ask.h"
#include "server/figures.h"
#include "server/inside.h"
#include "server/stream.h"
#include "view/render.h"
#include "view/status.h"

#include <math.h>

static void head(struct fg_buf *out, const char *name, const char *type, const char *help)
{
    fg_buf_printf(out, "# HELP forage_%s %s\n# TYPE forage_%s %s\n", name, help, name,
                  type);
}

static void number(struct fg_buf *out, const char *name, const char *labels, double value)
{
    if (isnan(value))
        fg_buf_printf(out, "forage_%s%s NaN\n", name, labels);
    else
        fg_buf_printf(out, "forage_%s%s %.17g\n", name, labels, value);
}

static void gauge(struct fg_buf *out, const char *name, double value, const char *help)
{
    head(out, name, "gauge", help);
    number(out, name, "", value);
}

static void counter(struct fg_buf *out, const char *name, double value, const char *help)
{
    head(out, name, "counter", help);
    number(out, name, "", value);
}

/* --- what the crawl counts --- */

static void put_crawl(struct fg_buf *out, const struct fg_look *look)
{
    static const struct {
        const char *key, *name, *help;
    } counters[] = {
        {"fetches", "fetches_total", "Requests for pages since the crawl began."},
        {"not_modified", "not_modified_total", "Of them, answered with 304."},
        {"failures", "failures_total", "Of them, those that failed."},
        {"bytes", "fetched_bytes_total", "Bytes of pages taken."},
        {"discovered", "discovered_total", "New pages reported."},
    };
    bool is_running = look->writer >= 0;
    gauge(out, "up", is_running, "A crawl runs on this workspace.");
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        counter(out, counters[i].name, fg_look_number(look->status, counters[i].key),
                counters[i].help);
    gauge(out, "queue_pages", fg_look_number(look->status, "waiting"),
          "Pages that wait to be asked for.");
    gauge(out, "in_flight_requests", fg_look_number(look->status, "in_flight"),
          "Requests that are on their way.");
    gauge(out, "loop_latency_seconds", fg_look_number(look->status, "loop_latency_s"),
          "Longest turn of the crawl's main loop within the last minute or two.");
    gauge(out, "worker_latency_seconds", fg_look_number(look->status, "worker_latency_s"),
          "The same of the threads that fetch.");
    counter(out, "late_turns_total", fg_look_number(look->status, "late_turns"),
            "Turns of a loop that lasted more than 250 ms.");
    counter(out, "servers_cut_off_total", fg_look_number(look->status, "servers_cut_off"),
            "Connections ended because they kept a thread at work.");
    gauge(out, "nobody_answers",
          fg_look_time(look->status, "nobody_answers_since") != FG_NEVER,
          "No host can be reached: the network is gone.");
    static const struct {
        const char *key, *name, *help;
    } pushes[] = {
        {"taken", "pushes_total", "Pushes that were taken since the crawl began."},
        {"proved", "pushes_proved_total", "Those that were found to be true."},
        {"refuted", "pushes_refuted_total", "Those that were not."},
        {"missed", "pushes_missed_total", "Changes that a push should have told of."},
    };
    const json_t *push = json_object_get(look->status, "push");
    for (size_t i = 0; i < sizeof pushes / sizeof *pushes; i++)
        counter(out, pushes[i].name, fg_look_number(push, pushes[i].key), pushes[i].help);
    gauge(out, "subscriptions_active", fg_look_number(push, "subscriptions"),
          "Pages whose hubs tell us of changes.");
    gauge(out, "budget_requests_per_hour",
          fg_look_number(look->status, "budget_per_hour"),
          "Requests an hour that the crawl may make; 0: no limit.");
    gauge(out, "budget_left_requests", fg_look_number(look->status, "budget_left"),
          "What is left of the budget of this tick.");
    gauge(out, "outputs_waiting",
          (double)json_array_size(json_object_get(look->status, "outputs_waiting")),
          "Outputs that fail and are tried again.");
}

/* --- sites --- */

struct sites {
    uint64_t by_state[3]; /* exploring, watched, other */
    uint64_t n, alarms, resting, blind;
};

static struct sites count_sites(const struct fg_look *look, const json_t *status)
{
    struct sites sites = {0};
    size_t i;
    const json_t *site;
    json_array_foreach(json_object_get(status, "sites"), i, site)
    {
        const char *state = fg_look_text(site, "state");
        const json_t *alarm = json_object_get(site, "alarm");
        fg_time backoff = fg_look_time(site, "backoff_until");
        bool is_watched = state && strcmp(state, "watched") == 0;
        fg_time last = fg_look_time(site, "last_visit");
        sites.n++;
        sites.by_state[state && strcmp(state, "exploring") == 0 ? 0
                       : is_watched                             ? 1
                                                                : 2]++;
        sites.alarms += json_is_object(alarm);
        sites.resting += backoff != FG_NEVER && backoff > look->now;
        /* Nobody has looked at it for a day, though it is watched. */
        sites.blind += json_is_object(alarm) ||
                       (is_watched && last != FG_NEVER && look->now - last > FG_DAY);
    }
    return sites;
}

static void put_sites(struct fg_buf *out, const struct fg_look *look,
                      const json_t *status)
{
    struct sites sites = count_sites(look, status);
    const json_t *totals = json_object_get(status, "totals"),
                 *week = json_object_get(totals, "record_7d");
    head(out, "sites", "gauge", "Sites by state.");
    number(out, "sites", "{state=\"exploring\"}", (double)sites.by_state[0]);
    number(out, "sites", "{state=\"watched\"}", (double)sites.by_state[1]);
    number(out, "sites", "{state=\"other\"}", (double)sites.by_state[2]);
    gauge(out, "sites_alarmed", (double)sites.alarms,
          "Sites from which nothing can come, as their alarm says.");
    gauge(out, "sites_blind", (double)sites.blind,
          "Sites with an alarm, and watched ones not looked at for a day.");
    gauge(out, "sites_backing_off", (double)sites.resting,
          "Sites that asked us to wait, or fail.");
    gauge(out, "pages", fg_look_number(totals, "known"), "Pages that are known.");
    gauge(out, "sources", fg_look_number(totals, "sources"),
          "Pages that are looked at for new ones.");
    gauge(out, "feeds", fg_look_number(totals, "feeds"), "Feeds among the sources.");
    gauge(out, "sitemaps", fg_look_number(totals, "sitemaps"),
          "Sitemaps among the sources.");
    gauge(out, "documents", fg_look_number(totals, "documents"),
          "Pages that are kept fresh for their own sake.");
    json_t *p50 = json_object_get(week, "delay_p50_s"),
           *p90 = json_object_get(week, "delay_p90_s"),
           *recall = json_object_get(week, "recall");
    gauge(out, "discovery_delay_p50_seconds",
          json_is_number(p50) ? json_number_value(p50) : (double)NAN,
          "Half of this week's new pages were reported sooner after publication.");
    gauge(out, "discovery_delay_p90_seconds",
          json_is_number(p90) ? json_number_value(p90) : (double)NAN,
          "Nine in ten of them were.");
    gauge(out, "discovery_recall_ratio",
          json_is_number(recall) ? json_number_value(recall) : (double)NAN,
          "Of pages dated this week and met in any way, those that were reported.");
}

/* --- freshness --- */

/* Of documents that are visited again and again, a visit finds a change in a share of
 * cases: then the copy was stale before it. What is seen is a lower bound of what is
 * missed, since two changes between visits are one. */
static void put_freshness(struct fg_buf *out, const json_t *status)
{
    const json_t *totals = json_object_get(status, "totals");
    double visits = fg_look_number(totals, "document_visits_24h"),
           changes = fg_look_number(totals, "document_changes_24h"),
           share = visits > 0 ? changes / visits : (double)NAN;
    gauge(out, "document_freshness_ratio", 1 - share,
          "Visits of documents in the last day that found the copy still true.");
    /* With changes at a steady rate, -ln(1 - p) of them come between two visits of which
     * a share p shows one: all but the last are missed. */
    double missed = share < 1 ? visits * (-log1p(-share) - share) : (double)NAN;
    gauge(out, "document_changes_missed_expected", visits > 0 ? missed : (double)NAN,
          "Changes of documents in the last day that no visit is expected to have seen.");
}

/* --- the last day --- */

static void put_delays(struct fg_buf *out, const struct fg_figures *f)
{
    char labels[40];
    uint64_t sum = 0;
    head(out, "discovery_delay_seconds", "histogram",
         "From publication to report, of pages of the last day that say when.");
    for (size_t i = 0; i < FG_DELAY_BUCKETS - 1; i++) {
        sum += f->delays[i];
        snprintf(labels, sizeof labels, "{le=\"%g\"}", fg_delay_bounds[i]);
        number(out, "discovery_delay_seconds_bucket", labels, (double)sum);
    }
    number(out, "discovery_delay_seconds_bucket", "{le=\"+Inf\"}", (double)f->dated);
    number(out, "discovery_delay_seconds_sum", "", f->delay_sum_s);
    number(out, "discovery_delay_seconds_count", "", (double)f->dated);
}

static void put_last_day(struct fg_buf *out, const struct fg_figures *f)
{
    char labels[40];
    head(out, "found_pages_last_day", "gauge", "New pages of the last day, by how.");
    for (unsigned i = 0; i < FG_WAYS; i++) {
        snprintf(labels, sizeof labels, "{by=\"%s\"}", fg_way_name(i));
        number(out, "found_pages_last_day", labels, (double)f->ways[i]);
    }
    uint64_t found = 0;
    for (unsigned i = 0; i < FG_WAYS; i++)
        found += f->ways[i];
    head(out, "found_pages_share_last_day", "gauge", "The same, of all of them.");
    for (unsigned i = 0; i < FG_WAYS; i++) {
        snprintf(labels, sizeof labels, "{by=\"%s\"}", fg_way_name(i));
        number(out, "found_pages_share_last_day", labels,
               found ? (double)f->ways[i] / (double)found : (double)NAN);
    }
    head(out, "spent_requests_last_day", "gauge",
         "Requests of the last day, by what they were for.");
    for (unsigned i = FIRST_FETCH; i <= DOCUMENT_REFRESH; i++) {
        snprintf(labels, sizeof labels, "{purpose=\"%s\"}", fg_visit_purpose_name(i));
        number(out, "spent_requests_last_day", labels, (double)f->fetches[i]);
    }
    gauge(out, "explored_requests_last_day", (double)f->explored,
          "Of them, those made to learn rather than to gain.");
    uint64_t last_hour = 0;
    for (size_t i = f->n_hours - 2; i < f->n_hours; i++)
        last_hour += f->hours[i].fetches;
    gauge(out, "spent_requests_last_hour", (double)last_hour,
          "Requests of the last hour.");
    put_delays(out, f);
}

static void put_server(struct fg_buf *out, struct fg_server *server)
{
    char labels[40];
    head(out, "http_requests_total", "counter",
         "Requests to this server, by the first digit of the status.");
    for (int i = 2; i < 6; i++) {
        snprintf(labels, sizeof labels, "{status=\"%dxx\"}", i);
        number(out, "http_requests_total", labels, (double)server->counts.requests[i]);
    }
    counter(out, "http_refused_total", (double)server->counts.refused,
            "Requests to this server that were not let in.");
    counter(out, "http_pushes_refused_total", (double)server->counts.push_refused,
            "Pushes of hubs and owners of sites that were not taken.");
    counter(out, "http_pushes_forged_total", (double)server->counts.forged,
            "Pushes whose signature was wrong.");
    gauge(out, "http_connections", (double)server->counts.connections,
          "Connections to this server.");
    gauge(out, "http_event_streams", (double)fg_stream_clients(server->stream),
          "Of them, those that read events.");
    gauge(out, "http_uptime_seconds", fg_seconds(fg_time_monotonic() - server->started),
          "Since this server was started.");
}

/* The status view once more, as JSON: its answer is private to it. */
static json_t *status_of(struct fg_look *look, struct fg_err *err)
{
    struct fg_status_question question = {0};
    struct fg_asking ask = {.look = look, .question = &question};
    struct fg_buf text;
    const void *answer = NULL;
    fg_buf_init(&text, FG_REPLY_MOST);
    struct fg_sink sink = {.buf = &text};
    enum fg_status st = fg_view_status.ask(&answer, &ask, err);
    if (!st)
        st = fg_render_json(&sink, &fg_view_status.answer, answer, err);
    fg_view_clear(&fg_view_status, answer);
    json_t *json = st ? NULL : json_loadb(text.at, text.len, 0, NULL);
    fg_buf_clear(&text);
    return json;
}

enum fg_status fg_answer_metrics(struct fg_reply *reply, struct fg_http_request *request,
                                 struct fg_err *err)
{
    struct fg_look look;
    enum fg_status st = fg_request_read(NULL, request, err);
    if (!st)
        st = fg_ask_open(&look, request, err);
    if (st)
        return st;
    json_t *status = status_of(&look, err);
    struct fg_figures *figures = fg_figures_new(FG_DAY, look.now);
    st = status ? fg_figures_gather(figures, &look, 0, err) : err->status;
    if (!st) {
        put_crawl(&reply->body, &look);
        put_sites(&reply->body, &look, status);
        put_freshness(&reply->body, status);
        put_last_day(&reply->body, figures);
        put_server(&reply->body, request->server);
    }
    fg_figures_free(figures);
    json_decref(status);
    fg_look_close(&look);
    return st;
}

/* --- are we well? --- */

enum fg_status fg_answer_health(struct fg_reply *reply, struct fg_http_request *request,
                                struct fg_err *err)
{
    (void)request;
    (void)err;
    fg_buf_add(&reply->body, FG_STR("ok\n"));
    return FG_OK;
}

static bool take_none(void *context, const struct fg_event_row *event)
{
    (void)context;
    (void)event;
    return false;
}

enum fg_status fg_answer_ready(struct fg_reply *reply, struct fg_http_request *request,
                               struct fg_err *err)
{
    if (fg_store_events(request->server->store, 0, 0, FG_NEVER, 1, take_none, NULL, err))
        fg_reply_problem(reply, 503, "the store cannot be read");
    else
        fg_buf_add(&reply->body, FG_STR("ready\n"));
    return FG_OK;
}
