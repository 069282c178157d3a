/* cmd_status.c - forage status: the crawl at a glance, live in a terminal
 *
 * Everything is read from the store: the figures of each site by one query, and what only
 * the running crawl knows (queue, budget) from the note it leaves there every few
 * seconds. The query reads every row once, so the table is made again at most as often as
 * costs a twentieth of the time. */
#include "cli/looking.h"

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
     .help = "also hosts that only redirects led to"},
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

struct view {
    struct fg_look look;
    FG_VEC(struct fg_site_summary) sites;
    struct fg_site_summary all; /* the sum */
    struct fg_store_counts counts;
    bool is_live;
    size_t height, width; /* of the terminal; 0: no terminal */
};

static bool take_site(void *context, const struct fg_site_summary *site)
{
    struct view *v = context;
    const struct options *o = v->look.cli->options;
    const struct fg_site_row *row = fg_look_site(&v->look, site->site);
    bool is_host = row && strcmp(fg_site_state_name(row->state), "host") == 0;
    if (!row || (is_host && !o->all))
        return true;
    fg_vec_push(&v->sites, *site);
    struct fg_site_summary *all = &v->all;
    all->known += site->known;
    all->sources += site->sources;
    all->documents += site->documents;
    all->gone += site->gone;
    all->waiting += site->waiting;
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

static enum fg_status gather(struct view *v, struct fg_err *err)
{
    enum fg_status st = fg_look_again(&v->look, err);
    v->sites.len = 0;
    v->all = (struct fg_site_summary){.last_visit = FG_NEVER, .last_event = FG_NEVER};
    v->counts = (struct fg_store_counts){0};
    if (!st)
        st = fg_store_summaries(v->look.store, v->look.now - FG_DAY,
                                v->look.now - FG_HOUR, take_site, v, err);
    if (!st)
        st = fg_store_count(v->look.store, &v->counts, err);
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
                  "kept     %llu documents; %llu looked at in the last day, %llu had "
                  "changed",
                  (unsigned long long)all->documents,
                  (unsigned long long)all->document_visits,
                  (unsigned long long)all->document_changes);
    end_line(v);
}

static void print_totals(struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    char a[FG_AGO_TEXT];
    fg_out_printf(out, "new      %llu in the last hour, %llu in the last day; last %s",
                  (unsigned long long)v->all.events_hour,
                  (unsigned long long)v->all.events_day,
                  fg_ago(a, v->look.now, v->all.last_event));
    end_line(v);
    fg_out_printf(
        out, "store    %llu pages, %llu visits, %llu links, %.1f MB",
        (unsigned long long)v->counts.pages, (unsigned long long)v->counts.visits,
        (unsigned long long)v->counts.links, (double)v->counts.file_bytes / 1e6);
    end_line(v);
}

static int key_width(const struct view *v)
{
    size_t width = 4, most = v->width > 110 ? v->width - 80 : 36;
    for (size_t i = 0; i < v->sites.len; i++) {
        size_t len = fg_look_site(&v->look, v->sites.at[i].site)->key.len;
        width = len > width ? len : width;
    }
    return (int)(width < most ? width : most);
}

static void print_row(struct view *v, const struct fg_site_summary *site, int width)
{
    struct fg_out *out = &v->look.cli->out;
    const struct fg_site_row *row = fg_look_site(&v->look, site->site);
    char a[FG_AGO_TEXT], b[FG_AGO_TEXT];
    fg_time backoff = backoff_of(v, row);
    fg_out_printf(
        out, "%-*.*s %-9s %7llu %7llu %7llu %7llu %6llu %6llu %6llu  %-11s", width,
        row->key.len < (size_t)width ? (int)row->key.len : width, row->key.at,
        fg_site_state_name(row->state), (unsigned long long)site->known,
        (unsigned long long)site->sources, (unsigned long long)site->waiting,
        (unsigned long long)site->visits, (unsigned long long)site->failures,
        (unsigned long long)site->events_hour, (unsigned long long)site->events_day,
        fg_ago(a, v->look.now, site->last_event));
    if (backoff != FG_NEVER)
        fg_out_printf(out, " rests, next %s", fg_ago(b, v->look.now, backoff));
    else if (fg_site_is_held(row))
        fg_out_printf(out, " no robots.txt to be had, next %s",
                      fg_until(b, v->look.now, row->robots_expires));
    end_line(v);
}

static void print_table(struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    int width = key_width(v);
    size_t above = (is_running(v) ? 9u : 6u) + (v->all.documents > 0);
    size_t shown = v->sites.len;
    if (!v->sites.len)
        return;
    if (v->is_live && v->height && shown + above > v->height)
        shown = v->height > above + 1 ? v->height - above - 1 : 1;
    end_line(v);
    fg_out_bold(out, fg_arena_printf(
                         &v->look.arena, "%-*s %-9s %7s %7s %7s %7s %6s %6s %6s  %-11s",
                         width, "site", "state", "known", "sources", "waiting", "fetched",
                         "failed", "new 1h", "new 1d", "last new")
                         .at);
    end_line(v);
    for (size_t i = 0; i < shown; i++)
        print_row(v, &v->sites.at[i], width);
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
    print_table(v);
}

/* --- JSON --- */

static void json_figures(struct fg_json *json, const struct fg_site_summary *site)
{
    fg_json_pair_uint(json, "known", site->known);
    fg_json_pair_uint(json, "sources", site->sources);
    fg_json_pair_uint(json, "documents", site->documents);
    fg_json_pair_uint(json, "gone", site->gone);
    fg_json_pair_uint(json, "waiting", site->waiting);
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

static void json_site(struct fg_json *json, const struct view *v,
                      const struct fg_site_summary *site)
{
    const struct fg_site_row *row = fg_look_site(&v->look, site->site);
    const json_t *live = is_running(v) ? live_site(v, site->site) : NULL;
    fg_json_object(json);
    fg_json_pair(json, "site", row->key);
    fg_json_pair_cstr(json, "state", fg_site_state_name(row->state));
    fg_json_pair(json, "tags", row->tags);
    fg_json_pair_time(json, "added", row->added);
    json_figures(json, site);
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
    fg_json_pair_uint(&json, "visits", v->counts.visits);
    fg_json_pair_uint(&json, "links", v->counts.links);
    fg_json_pair_uint(&json, "events", v->counts.events);
    fg_json_pair_uint(&json, "bodies", v->counts.bodies);
    fg_json_pair_uint(&json, "file_bytes", v->counts.file_bytes);
    fg_json_end(&json);
    fg_json_key(&json, "sites");
    fg_json_array(&json);
    for (size_t i = 0; i < v->sites.len; i++)
        json_site(&json, v, &v->sites.at[i]);
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
        return fg_fail(err, FG_ECONFIG, "--watch and --once exclude one another");
    enum fg_status st = fg_look_open(&v.look, cli, err);
    bool goes_on = o->watch || (isatty(STDOUT_FILENO) && !o->once && !o->json);
    if (!st && goes_on) {
        st = go_on(&v, err);
    } else if (!st) {
        st = gather(&v, err);
        if (!st)
            show(&v);
    }
    fg_vec_clear(&v.sites);
    fg_look_close(&v.look);
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
    .summary = "show the crawl at a glance: budget, queue, new pages, each site",
    .about = "Shows what the crawl of this workspace does and has done: its budget and "
             "queue while it runs, and for each site the pages known, the sources, the "
             "fetches and failures of the last day, and the new pages. In a terminal "
             "the table is kept up to date until Ctrl-C; into a pipe it is written once.",
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace color",
    .examples = examples,
    .run = run,
};
