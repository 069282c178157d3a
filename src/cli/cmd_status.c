/* cmd_status.c - forage status: the crawl at a glance, live in a terminal
 *
 * Everything is read from the store: the figures of each site by one query, and what only
 * the running crawl knows (queue, budget) from the note it leaves there every few
 * seconds. The query reads every row once, so the table is made again at most as often as
 * costs a twentieth of the time. */
#include "cli/looking.h"
#include "crawl/control.h"
#include "crawl/health.h"
#include "view/record.h"
#include "view/standing.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

struct options {
    bool json, watch, once, all;
    fg_time every;
};

static const struct fg_opt options[] = {
    {"watch", FG_BOOL(struct options, watch),
     .help = "go on showing it; in a terminal that is the default"},
    {"once", FG_BOOL(struct options, once), .letter = '1', .help = "show it once"},
    {"every", FG_SPAN(struct options, every), "2s", .min = 100 * (double)FG_MILLISECOND,
     .max = (double)FG_DAY, .help = "time between two looks"},
    {"all", FG_BOOL(struct options, all), .letter = 'a',
     .help = "also removed sites, and hosts that only redirects led to"},
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

struct view {
    struct fg_look look;
    FG_VEC(struct fg_site_summary) sites;
    FG_VEC(struct fg_site_health) health; /* of the same sites; texts are the look's */
    struct fg_records records;
    fg_time recorded;           /* when they were gathered, monotonic; 0: not yet */
    struct fg_site_summary all; /* the sum */
    struct fg_store_counts counts;
    size_t alarms;
    bool is_live;
    size_t height, width; /* of the terminal; 0: no terminal */
};

static const fg_time record_span = 7 * FG_DAY;

static bool take_site(void *context, const struct fg_site_summary *site)
{
    struct view *v = context;
    const struct options *o = v->look.cli->options;
    const struct fg_site_row *row = fg_look_site(&v->look, site->site);
    bool is_host = row && strcmp(fg_site_state_name(row->state), "host") == 0;
    if (!row || ((is_host || fg_site_is_removed(row)) && !o->all))
        return true;
    fg_vec_push(&v->sites, *site);
    struct fg_site_summary *all = &v->all;
    all->known += site->known;
    all->sources += site->sources;
    all->documents += site->documents;
    all->gone += site->gone;
    all->feeds += site->feeds;
    all->sitemaps += site->sitemaps;
    all->waiting += site->waiting;
    all->awaited += site->awaited;
    all->named += site->named;
    all->cut += site->cut;
    all->visits += site->visits;
    all->failures += site->failures;
    all->bytes += site->bytes;
    all->document_visits += site->document_visits;
    all->document_changes += site->document_changes;
    all->events_day += site->events_day;
    all->events_hour += site->events_hour;
    if (site->last_visit > all->last_visit)
        all->last_visit = site->last_visit;
    if (site->last_event > all->last_event)
        all->last_event = site->last_event;
    return true;
}

/* A feed that is followed alone is watched from the start, as is a site of which no time
 * was noted. */
static fg_time watched_since(const struct fg_site_row *row,
                             const struct fg_site_summary *site,
                             const struct fg_site_health *health)
{
    const char *state = fg_site_state_name(row->state);
    bool is_watched = strcmp(state, "pages") == 0 ||
                      (strcmp(state, "watched") == 0 && site->sources > 0);
    return health->watching == FG_NEVER && is_watched ? row->added : health->watching;
}

/* How it did lately changes slowly, and costs a walk over all pages. */
static enum fg_status gather_records(struct view *v, struct fg_err *err)
{
    fg_time now = fg_time_monotonic();
    if (v->recorded && now - v->recorded < FG_MINUTE)
        return FG_OK;
    v->recorded = now;
    struct fg_cli *cli = v->look.cli;
    struct fg_crawl_options crawl;
    enum fg_status st =
        fg_crawl_options_from(&crawl, cli->arena, &cli->settings.crawl,
                              cli->settings.token, cli->settings.max_body, err);
    if (st)
        return st;
    struct fg_record_site *sites =
        FG_NEW(&v->look.arena, struct fg_record_site, v->look.n_sites + 1);
    struct fg_site_rules *rules =
        FG_NEW(&v->look.arena, struct fg_site_rules, v->look.n_sites + 1);
    for (size_t i = 0; i < v->look.n_sites; i++) {
        fg_site_rules_read(&rules[i], &v->look.arena, v->look.sites[i].settings);
        sites[i] = (struct fg_record_site){FG_NEVER, &rules[i]};
    }
    for (size_t i = 0; i < v->sites.len; i++)
        sites[v->sites.at[i].site - 1].watching =
            watched_since(fg_look_site(&v->look, v->sites.at[i].site), &v->sites.at[i],
                          &v->health.at[i]);
    const struct fg_record_scope scope = {sites, v->look.n_sites,
                                          v->look.now - record_span, crawl.guard,
                                          fg_standing_is_focused(&v->look)};
    return fg_records_gather(&v->records, v->look.store, &scope, err);
}

static void gather_health(struct view *v)
{
    v->health.len = v->alarms = 0;
    for (size_t i = 0; i < v->sites.len; i++) {
        struct fg_site_health health;
        fg_site_health_read(&health, &v->look.arena, v->look.store, v->sites.at[i].site);
        fg_vec_push(&v->health, health);
        v->alarms += health.alarm != FG_ALARM_NONE;
    }
}

/* The clock of a simulated crawl is known from a note that is seconds old; at some speeds
 * what was found since is days later. */
static void catch_up(struct view *v)
{
    double speed = fg_look_number(v->look.status, "speed");
    if (speed <= 1)
        return;
    if (v->all.last_visit > v->look.now)
        v->look.now = v->all.last_visit;
    if (v->all.last_event > v->look.now)
        v->look.now = v->all.last_event;
}

static enum fg_status gather(struct view *v, struct fg_err *err)
{
    enum fg_status st = fg_look_again(&v->look, err);
    v->sites.len = 0;
    v->all = (struct fg_site_summary){.last_visit = FG_NEVER, .last_event = FG_NEVER};
    v->counts = (struct fg_store_counts){0};
    if (!st)
        st = fg_store_summaries(v->look.store, v->look.now - FG_DAY,
                                v->look.now - FG_HOUR, take_site, v, err);
    catch_up(v);
    if (!st)
        st = fg_store_count(v->look.store, &v->counts, err);
    if (!st) {
        gather_health(v);
        st = gather_records(v, err);
    }
    return st;
}

/* What the running crawl says of a site; NULL if nothing does. */
static const json_t *live_site(const struct view *v, fg_site_id site)
{
    const json_t *sites = json_object_get(v->look.status, "sites"), *row;
    size_t i;
    json_array_foreach(sites, i, row) if ((fg_site_id)fg_look_number(row, "site") ==
                                          site) return row;
    return NULL;
}

static bool is_running(const struct view *v)
{
    return v->look.writer >= 0 && v->look.status &&
           !fg_look_text(v->look.status, "ended");
}

static fg_time backoff_of(const struct view *v, const struct fg_site_row *row)
{
    fg_time until = row->backoff_until;
    return until != FG_NEVER && until > v->look.now ? until : FG_NEVER;
}

/* --- text --- */

/* In a live table every line erases what stood there before. */
static void end_line(struct view *v)
{
    fg_out_puts(&v->look.cli->out, v->is_live ? "\033[K\n" : "\n");
}

static void print_state(struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    const json_t *status = v->look.status;
    char a[FG_AGO_TEXT];
    fg_out_text(out, v->look.cli->settings.workspace);
    if (is_running(v))
        fg_out_printf(out, ": crawling since %s (process %lld)",
                      fg_ago(a, v->look.now, fg_look_time(status, "started")),
                      (long long)v->look.writer);
    else if (v->look.writer >= 0)
        fg_out_printf(out, ": in use by process %lld", (long long)v->look.writer);
    else
        fg_out_puts(out, ": no crawl is running");
    const char *ended = fg_look_text(status, "ended");
    if (v->look.writer < 0 && status)
        fg_out_printf(out, "; the last one ended %s (%s)",
                      fg_ago(a, v->look.now, fg_look_time(status, "now")),
                      ended ? ended : "without a word");
    end_line(v);
}

static void print_budget(struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    const json_t *status = v->look.status;
    char a[FG_AGO_TEXT];
    if (!is_running(v))
        return;
    double budget = fg_look_number(status, "budget_per_hour");
    if (budget > 0)
        fg_out_printf(out, "budget   %g an hour, %.0f left in this tick", budget,
                      fg_look_number(status, "budget_left"));
    else
        fg_out_puts(out, "budget   no limit");
    fg_out_printf(out, "; next tick %s",
                  fg_until(a, v->look.now, fg_look_time(status, "next_tick")));
    end_line(v);
    fg_out_printf(out, "queue    %.0f waiting, %.0f in flight",
                  fg_look_number(status, "waiting"), fg_look_number(status, "in_flight"));
    end_line(v);
    fg_out_printf(
        out, "so far   %.0f fetched, %.0f unchanged, %.0f failed, %.0f new, %.1f MB",
        fg_look_number(status, "fetches"), fg_look_number(status, "not_modified"),
        fg_look_number(status, "failures"), fg_look_number(status, "discovered"),
        fg_look_number(status, "bytes") / 1e6);
    end_line(v);
}

static void print_documents(struct view *v)
{
    const struct fg_site_summary *all = &v->all;
    if (!all->documents)
        return;
    fg_out_printf(&v->look.cli->out,
                  "kept     %llu document%s; %llu visit%s in the last day, %llu found a "
                  "change",
                  (unsigned long long)all->documents, all->documents == 1 ? "" : "s",
                  (unsigned long long)all->document_visits,
                  all->document_visits == 1 ? "" : "s",
                  (unsigned long long)all->document_changes);
    end_line(v);
}

static void print_totals(struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    char a[FG_AGO_TEXT];
    fg_out_printf(
        out, "new      %llu in the last hour, %llu in the last day; last new page %s",
        (unsigned long long)v->all.events_hour, (unsigned long long)v->all.events_day,
        fg_past(a, v->look.now, v->all.last_event));
    end_line(v);
    fg_out_printf(
        out, "store    %llu pages, %llu visits, %llu links, %.1f MB",
        (unsigned long long)v->counts.pages, (unsigned long long)v->counts.visits,
        (unsigned long long)v->counts.links, (double)v->counts.file_bytes / 1e6);
    end_line(v);
}

static void print_record(struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    const struct fg_record *r = &v->records.all;
    char a[FG_AGO_TEXT], b[FG_AGO_TEXT];
    if (!r->told)
        return;
    fg_out_printf(
        out,
        "week     %llu reported, %.1f %% still valid (not gone, moved, copies or "
        "excluded); %.3g requests each",
        (unsigned long long)r->told, 100 * fg_record_precision(r),
        fg_record_requests_each(r));
    if (r->published)
        fg_out_printf(out, "; of %llu pages dated this week %.1f %% reported",
                      (unsigned long long)r->published, 100 * fg_record_recall(r));
    end_line(v);
    if (!r->dated)
        return;
    fg_out_printf(out, "delay    half within %s, 90 %% within %s of publication",
                  fg_span_short(a, r->delay_p50), fg_span_short(b, r->delay_p90));
    if (r->late)
        fg_out_printf(out, "; %llu after more than an hour", (unsigned long long)r->late);
    end_line(v);
}

/* Pages found this week that were read and not reported, by reason. */
static void print_not_told(struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    const uint64_t *counts = v->records.all.not_told;
    static const char *const words[] = {
        [FG_NOT_OLD] = "dated before the watch",
        [FG_NOT_UNPROVEN] = "not shown to be new",
        [FG_NOT_COPY] = "copied from others",
        [FG_NOT_NOINDEX] = "marked noindex",
        [FG_NOT_LIST] = "that list pages",
        [FG_NOT_ACTION] = "that are actions",
        [FG_NOT_ERROR] = "not fetched",
        [FG_NOT_EMPTY] = "without text",
        [FG_NOT_IRRELEVANT] = "irrelevant",
    };
    bool has_any = false;
    for (int reason = 0; reason < FG_NOT_TOLD; reason++) {
        if (!counts[reason])
            continue;
        fg_out_printf(out, "%s%llu %s", has_any ? ", " : "left out ",
                      (unsigned long long)counts[reason], words[reason]);
        has_any = true;
    }
    if (has_any)
        end_line(v);
}

static void print_cut(struct view *v)
{
    if (!v->all.cut)
        return;
    fg_out_printf(&v->look.cli->out,
                  "links left out, too long or too many, of %llu page%s ('forage export "
                  "--what pages' has the flag 'cut')",
                  (unsigned long long)v->all.cut, v->all.cut == 1 ? "" : "s");
    end_line(v);
}

static void print_alarms(struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    enum { MOST_LIVE = 5 };
    size_t left = v->is_live ? MOST_LIVE : SIZE_MAX;
    char ago[FG_AGO_TEXT];
    for (size_t i = 0; i < v->health.len && left; i++) {
        const struct fg_site_health *health = &v->health.at[i];
        if (!health->alarm)
            continue;
        left--;
        fg_out_printf(out, "alarm    ");
        fg_out_text(out, fg_look_site(&v->look, v->sites.at[i].site)->key);
        fg_out_printf(out, " for %s: ", fg_span_short(ago, v->look.now - health->since));
        fg_out_text(out, health->text);
        end_line(v);
        fg_out_printf(out, "         what to do: %s", fg_alarm_advice(health->alarm));
        end_line(v);
    }
}

static int key_width(const struct view *v)
{
    size_t width = 4, most = v->width > 130 ? v->width - 100 : 36;
    for (size_t i = 0; i < v->sites.len; i++) {
        size_t len = fg_look_site(&v->look, v->sites.at[i].site)->key.len;
        width = len > width ? len : width;
    }
    return (int)(width < most ? width : most);
}

/* In a word of at most nine letters. */
static const char *state_word(const struct fg_site_row *row,
                              const struct fg_site_summary *site,
                              const struct fg_site_health *health)
{
    const char *state = fg_site_shown_state(row);
    if (health->alarm)
        return "ALARM";
    if (strcmp(state, "exploring") == 0 && !site->visits &&
        site->last_visit == FG_NEVER && row->robots_fetched == FG_NEVER)
        return "not begun";
    if (strcmp(state, "watched") == 0 && !site->sources)
        return "no source";
    return state;
}

static void print_row(struct view *v, const struct fg_site_summary *site,
                      const struct fg_site_health *health, int width)
{
    struct fg_out *out = &v->look.cli->out;
    const struct fg_site_row *row = fg_look_site(&v->look, site->site);
    char a[FG_AGO_TEXT], b[FG_AGO_TEXT], since[FG_AGO_TEXT] = "-";
    fg_time backoff = backoff_of(v, row);
    fg_time watched = watched_since(row, site, health);
    if (watched != FG_NEVER)
        fg_span_short(since, v->look.now - watched);
    fg_out_printf(
        out,
        "%-*.*s %-9s %7s %7llu %5llu %8llu %7llu %7llu %7llu %6llu %6llu %6llu  %-11s",
        width, row->key.len < (size_t)width ? (int)row->key.len : width, row->key.at,
        state_word(row, site, health), since, (unsigned long long)site->known,
        (unsigned long long)site->feeds, (unsigned long long)site->sitemaps,
        (unsigned long long)site->sources, (unsigned long long)site->waiting,
        (unsigned long long)site->visits, (unsigned long long)site->failures,
        (unsigned long long)site->events_hour, (unsigned long long)site->events_day,
        fg_past(a, v->look.now, site->last_event));
    if (backoff != FG_NEVER)
        fg_out_printf(out, " backing off, next request %s",
                      fg_ago(b, v->look.now, backoff));
    else if (fg_site_is_held(row))
        fg_out_printf(out, " robots.txt cannot be fetched, next try %s",
                      fg_until(b, v->look.now, row->robots_expires));
    end_line(v);
}

static void print_table(struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    int width = key_width(v);
    size_t above = (is_running(v) ? 9u : 6u) + (size_t)(v->all.documents > 0) +
                   2 * (size_t)(v->records.all.told > 0) +
                   2 * (v->alarms < 5 ? v->alarms : 5);
    size_t shown = v->sites.len;
    if (!v->sites.len)
        return;
    if (v->is_live && v->height && shown + above > v->height)
        shown = v->height > above + 1 ? v->height - above - 1 : 1;
    end_line(v);
    fg_out_bold(
        out,
        fg_arena_printf(&v->look.arena,
                        "%-*s %-9s %7s %7s %5s %8s %7s %7s %7s %6s %6s %6s  %-11s", width,
                        "site", "state", "since", "known", "feeds", "sitemaps", "sources",
                        "waiting", "fetched", "failed", "new 1h", "new 1d", "last new")
            .at);
    end_line(v);
    for (size_t i = 0; i < shown; i++)
        print_row(v, &v->sites.at[i], &v->health.at[i], width);
    if (shown < v->sites.len) {
        fg_out_printf(out, "and %zu more", v->sites.len - shown);
        end_line(v);
    }
}

static void print_text(struct view *v)
{
    print_state(v);
    print_budget(v);
    print_documents(v);
    print_totals(v);
    print_record(v);
    print_not_told(v);
    print_cut(v);
    print_alarms(v);
    print_table(v);
}

/* --- JSON --- */

/* What pages never fetched wait for. */
static void json_waiting(struct fg_json *json, const struct fg_site_summary *site)
{
    fg_json_key(json, "waiting_as");
    fg_json_object(json);
    fg_json_pair_uint(json, "new", site->awaited);
    fg_json_pair_uint(json, "named", site->named);
    fg_json_pair_uint(json, "stock", site->waiting - site->awaited - site->named);
    fg_json_end(json);
}

static void json_figures(struct fg_json *json, const struct fg_site_summary *site)
{
    fg_json_pair_uint(json, "known", site->known);
    fg_json_pair_uint(json, "sources", site->sources);
    fg_json_pair_uint(json, "documents", site->documents);
    fg_json_pair_uint(json, "gone", site->gone);
    fg_json_pair_uint(json, "feeds", site->feeds);
    fg_json_pair_uint(json, "sitemaps", site->sitemaps);
    fg_json_pair_uint(json, "waiting", site->waiting);
    json_waiting(json, site);
    fg_json_pair_uint(json, "cut", site->cut);
    fg_json_pair_uint(json, "fetches_24h", site->visits);
    fg_json_pair_uint(json, "failures_24h", site->failures);
    fg_json_pair_uint(json, "bytes_24h", site->bytes);
    fg_json_pair_uint(json, "document_visits_24h", site->document_visits);
    fg_json_pair_uint(json, "document_changes_24h", site->document_changes);
    fg_json_pair_uint(json, "new_1h", site->events_hour);
    fg_json_pair_uint(json, "new_24h", site->events_day);
    fg_json_pair_time(json, "last_visit", site->last_visit);
    fg_json_pair_time(json, "last_discovery", site->last_event);
}

static double span_of(fg_time span)
{
    return span == FG_NEVER ? (double)NAN : fg_seconds(span);
}

static void json_record(struct fg_json *json, const struct fg_record *r)
{
    fg_json_key(json, "record_7d");
    fg_json_object(json);
    fg_json_pair_uint(json, "told", r->told);
    fg_json_pair_uint(json, "wrong", r->wrong);
    fg_json_pair_double(json, "precision", fg_record_precision(r));
    fg_json_pair_uint(json, "published", r->published);
    fg_json_pair_uint(json, "published_told", r->published_told);
    fg_json_pair_double(json, "recall", fg_record_recall(r));
    fg_json_pair_uint(json, "dated", r->dated);
    fg_json_pair_uint(json, "late", r->late);
    fg_json_pair_double(json, "delay_p50_s", span_of(r->delay_p50));
    fg_json_pair_double(json, "delay_p90_s", span_of(r->delay_p90));
    fg_json_pair_uint(json, "requests", r->requests);
    fg_json_pair_double(json, "requests_per_event", fg_record_requests_each(r));
    fg_json_end(json);
}

static void json_alarm(struct fg_json *json, const struct fg_site_health *health)
{
    fg_json_key(json, "alarm");
    if (!health->alarm) {
        fg_json_null(json);
        return;
    }
    fg_json_object(json);
    fg_json_pair_cstr(json, "reason", fg_alarm_name(health->alarm));
    fg_json_pair(json, "text", health->text);
    fg_json_pair_cstr(json, "advice", fg_alarm_advice(health->alarm));
    fg_json_pair(json, "url", health->url);
    fg_json_pair_time(json, "since", health->since);
    fg_json_end(json);
}

/* `told` since the crawl began, as its note says; the rest of the week. */
static void json_told(struct fg_json *json, double told, const struct fg_record *record)
{
    fg_json_pair_double(json, "told", told);
    fg_json_key(json, "not_told");
    fg_json_object(json);
    for (int reason = 0; reason < FG_NOT_TOLD; reason++)
        fg_json_pair_uint(json, fg_not_told_name((enum fg_not_told)reason),
                          record->not_told[reason]);
    fg_json_end(json);
}

static void json_site(struct fg_json *json, const struct view *v,
                      const struct fg_site_summary *site,
                      const struct fg_site_health *health)
{
    const struct fg_site_row *row = fg_look_site(&v->look, site->site);
    const json_t *live = is_running(v) ? live_site(v, site->site) : NULL;
    fg_json_object(json);
    fg_json_pair(json, "site", row->key);
    fg_json_pair_cstr(json, "state", fg_site_shown_state(row));
    fg_json_pair(json, "tags", row->tags);
    fg_json_pair_time(json, "added", row->added);
    fg_json_pair_time(json, "watching_since", health->watching);
    json_alarm(json, health);
    json_figures(json, site);
    json_record(json, &v->records.sites[site->site - 1]);
    json_told(json, fg_look_number(live_site(v, site->site), "told"),
              &v->records.sites[site->site - 1]);
    fg_json_pair_time(json, "backoff_until", backoff_of(v, row));
    fg_json_pair_double(json, "crawl_delay_s", fg_seconds(row->crawl_delay));
    fg_json_pair_time(json, "next_request", fg_look_time(live, "next_request"));
    fg_json_end(json);
}

/* Its note as it stands, but for the sites, which are listed below. */
static void json_crawl(struct fg_json *json, const struct view *v)
{
    const char *key;
    json_t *value;
    fg_json_key(json, "crawl");
    if (!v->look.status) {
        fg_json_null(json);
        return;
    }
    fg_json_object(json);
    json_object_foreach(v->look.status, key, value)
    {
        if (json_is_array(value) || json_is_object(value))
            continue;
        fg_json_key(json, key);
        if (json_is_string(value))
            fg_json_cstr(json, json_string_value(value));
        else if (json_is_number(value))
            fg_json_double(json, json_number_value(value));
        else
            fg_json_null(json);
    }
    fg_json_end(json);
}

static void print_json(const struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    struct fg_json json = fg_json_to(&out->buf);
    fg_json_object(&json);
    fg_json_pair(&json, "workspace", v->look.cli->settings.workspace);
    fg_json_pair_time(&json, "now", v->look.now);
    fg_json_pair_bool(&json, "is_running", is_running(v));
    json_crawl(&json, v);
    fg_json_key(&json, "totals");
    fg_json_object(&json);
    json_figures(&json, &v->all);
    fg_json_pair_uint(&json, "alarms", v->alarms);
    json_record(&json, &v->records.all);
    json_told(&json, fg_look_number(v->look.status, "discovered"), &v->records.all);
    fg_json_pair_uint(&json, "visits", v->counts.visits);
    fg_json_pair_uint(&json, "links", v->counts.links);
    fg_json_pair_uint(&json, "events", v->counts.events);
    fg_json_pair_uint(&json, "bodies", v->counts.bodies);
    fg_json_pair_uint(&json, "file_bytes", v->counts.file_bytes);
    fg_json_end(&json);
    fg_json_key(&json, "sites");
    fg_json_array(&json);
    for (size_t i = 0; i < v->sites.len; i++)
        json_site(&json, v, &v->sites.at[i], &v->health.at[i]);
    fg_json_end(&json);
    fg_json_end(&json);
    fg_out_puts(out, "\n");
}

/* --- the command --- */

static volatile sig_atomic_t is_over;

static void on_signal(int signal)
{
    (void)signal;
    is_over = 1;
}

static void measure_terminal(struct view *v)
{
    struct winsize size = {0};
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
        v->height = size.ws_row;
        v->width = size.ws_col;
    }
}

static void show(struct view *v)
{
    const struct options *o = v->look.cli->options;
    struct fg_out *out = &v->look.cli->out;
    measure_terminal(v);
    if (v->is_live)
        fg_out_puts(out, "\033[H");
    if (o->json)
        print_json(v);
    else
        print_text(v);
    if (v->is_live)
        fg_out_puts(out, "\033[J");
    fg_out_flush(out);
}

static enum fg_status go_on(struct view *v, struct fg_err *err)
{
    const struct options *o = v->look.cli->options;
    struct fg_out *out = &v->look.cli->out;
    struct sigaction stop = {.sa_handler = on_signal};
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
    v->is_live = isatty(STDOUT_FILENO) && !o->json;
    fg_out_puts(out, v->is_live ? "\033[?1049h\033[?25l" : "");
    enum fg_status st = FG_OK;
    while (!st && !is_over && !out->error) {
        fg_time before = fg_time_monotonic();
        st = gather(v, err);
        if (!st)
            show(v);
        fg_time took = fg_time_monotonic() - before;
        fg_time wait = 20 * took > o->every ? 20 * took : o->every;
        struct timespec span = {wait / FG_SECOND, wait % FG_SECOND * 1000};
        if (!st && !is_over)
            nanosleep(&span, NULL);
    }
    if (v->is_live) {
        fg_out_puts(out, "\033[?25h\033[?1049l");
        v->is_live = false;
        if (!st)
            show(v); /* what stays on the screen */
    }
    return st;
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct view v = {0};
    if (o->watch && o->once)
        return fg_fail(err, FG_ECONFIG, "--watch and --once cannot be combined");
    enum fg_status st = fg_cli_look(cli, &v.look, err);
    bool goes_on = o->watch || (isatty(STDOUT_FILENO) && !o->once && !o->json);
    if (!st && goes_on) {
        st = go_on(&v, err);
    } else if (!st) {
        st = gather(&v, err);
        if (!st)
            show(&v);
    }
    fg_vec_clear(&v.sites);
    fg_vec_clear(&v.health);
    fg_records_clear(&v.records);
    fg_cli_look_close(&v.look);
    return st;
}

static const struct fg_example examples[] = {
    {"forage status --once", "budget, queue, new pages and errors, site by site"},
    {"forage status --json", "for a script"},
    {0},
};

const struct fg_command fg_cmd_status = {
    .name = "status",
    .words = "",
    .summary = "show the crawl at a glance: budget, new pages, alarms, each site",
    .about =
        "Shows what the crawl of this workspace does and has done: its budget and "
        "queue while it runs, and for each site since when it is watched, the pages "
        "known, feeds and sitemaps, the sources, the fetches and failures of the "
        "last day, and the new pages. A site from which nothing can come is an "
        "alarm, with the reason and what to do. Of the last week it tells how many "
        "of the pages reported are still valid, how many pages dated since then were "
        "reported, what was found and left out, how long after their publication, and "
        "what each cost in requests, "
        "as far as a crawl can know. In a terminal the table is kept up to date "
        "until Ctrl-C; into a pipe it is written once.",
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace color",
    .examples = examples,
    .only_looks = true,
    .run = run,
};
