/* status.c - the crawl at a glance
 *
 * Everything is read from the store: the figures of each site by one query, and what only
 * the running crawl knows (queue, budget) from the note it leaves there every few
 * seconds. The query reads every row once. */
#include "view/status.h"

#include "crawl/intake/control.h"
#include "crawl/sites/health.h"
#include "view/ago.h"
#include "view/standing.h"

#include <math.h>
#include <string.h>

/* An output that fails and is tried again, while the crawl runs. */
struct waiting {
    const char *output, *why;
    fg_time since;
};

struct asked {
    struct fg_look *look;
    bool all_sites;
    FG_VEC(struct fg_site_summary) sites;
    FG_VEC(struct fg_site_health) health; /* of the same sites */
    const struct fg_records *records;
    struct fg_site_summary all; /* the sum */
    struct fg_store_counts counts;
    size_t alarms;
    FG_VEC(struct waiting) waiting;
};

static const fg_time record_span = 7 * FG_DAY;

/* --- gathering --- */

static bool take_site(void *context, const struct fg_site_summary *site)
{
    struct asked *v = context;
    const struct fg_site_row *row = fg_look_site(v->look, site->site);
    bool is_host = row && strcmp(fg_site_state_name(row->state), "host") == 0;
    if (!row || ((is_host || fg_site_is_removed(row)) && !v->all_sites))
        return true;
    fg_vec_push_in(v->look->texts, &v->sites, *site);
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

static enum fg_status find_records(struct asked *v, struct fg_records *records,
                                   struct fg_err *err)
{
    struct fg_look *look = v->look;
    struct fg_record_site *sites =
        FG_NEW(look->texts, struct fg_record_site, look->n_sites + 1);
    struct fg_site_rules *rules =
        FG_NEW(look->texts, struct fg_site_rules, look->n_sites + 1);
    for (size_t i = 0; i < look->n_sites; i++) {
        fg_site_rules_read(&rules[i], look->texts, look->sites[i].settings);
        sites[i] = (struct fg_record_site){FG_NEVER, &rules[i], look->sites[i].site};
    }
    for (size_t i = 0; i < v->sites.len; i++) {
        const struct fg_site_row *row = fg_look_site(look, v->sites.at[i].site);
        sites[row - look->sites].watching =
            watched_since(row, &v->sites.at[i], &v->health.at[i]);
    }
    const struct fg_record_scope scope = {sites, look->n_sites, look->now - record_span,
                                          look->place.settings->guard,
                                          fg_standing_is_focused(look)};
    return fg_records_gather(records, look->store, &scope, err);
}

static enum fg_status gather_records(struct asked *v, struct fg_status_memo *memo,
                                     struct fg_err *err)
{
    fg_time now = fg_time_monotonic();
    v->records = &memo->records;
    if (memo->found && now - memo->found < FG_MINUTE)
        return FG_OK;
    memo->found = now;
    return find_records(v, &memo->records, err);
}

static void gather_health(struct asked *v)
{
    for (size_t i = 0; i < v->sites.len; i++) {
        struct fg_site_health health;
        fg_site_id site = v->sites.at[i].site;
        fg_site_health_read(&health, v->look->texts, v->look->store, site);
        if (fg_site_is_paused(fg_look_site(v->look, site)))
            health.alarm = FG_ALARM_NONE; /* nothing is expected of it */
        fg_vec_push_in(v->look->texts, &v->health, health);
        v->alarms += health.alarm != FG_ALARM_NONE;
    }
}

/* The clock of a simulated crawl is known from a note that is seconds old; at some speeds
 * what was found since is days later. */
static void catch_up(struct asked *v)
{
    double speed = fg_look_number(v->look->status, "speed");
    if (speed <= 1)
        return;
    if (v->all.last_visit > v->look->now)
        v->look->now = v->all.last_visit;
    if (v->all.last_event > v->look->now)
        v->look->now = v->all.last_event;
}

static enum fg_status gather(struct asked *v, struct fg_status_memo *memo,
                             struct fg_err *err)
{
    struct fg_store *store = v->look->store;
    v->all = (struct fg_site_summary){.last_visit = FG_NEVER, .last_event = FG_NEVER};
    enum fg_status st = fg_store_summaries(store, v->look->now - FG_DAY,
                                           v->look->now - FG_HOUR, take_site, v, err);
    catch_up(v);
    if (!st)
        st = fg_store_count(store, &v->counts, err);
    if (st)
        return st;
    gather_health(v);
    return gather_records(v, memo, err);
}

/* What the running crawl says of a site; NULL if nothing does. */
static const json_t *live_site(const struct asked *v, fg_site_id site)
{
    const json_t *sites = json_object_get(v->look->status, "sites"), *row;
    size_t i;
    json_array_foreach(sites, i, row) if ((fg_site_id)fg_look_number(row, "site") ==
                                          site) return row;
    return NULL;
}

static bool is_running(const struct asked *v)
{
    return v->look->writer >= 0 && v->look->status &&
           !fg_look_text(v->look->status, "ended");
}

static void gather_waiting(struct asked *v)
{
    const json_t *row;
    size_t i;
    if (!is_running(v))
        return;
    json_array_foreach(json_object_get(v->look->status, "outputs_waiting"), i, row)
        fg_vec_push_in(v->look->texts, &v->waiting,
                       (struct waiting){fg_look_text(row, "output"),
                                        fg_look_text(row, "why"),
                                        fg_look_time(row, "since")});
}

static fg_time backoff_of(const struct asked *v, const struct fg_site_row *row)
{
    fg_time until = row->backoff_until;
    return until != FG_NEVER && until > v->look->now ? until : FG_NEVER;
}

/* --- fields --- */

struct figures {
    struct fg_site_summary sum;
    uint64_t stock; /* of those that wait */
};

#define F struct figures
static const struct fg_field waiting_fields[] = {
    {"new", NULL, FG_AS_COUNT(F, sum.awaited), .help = "taken to be new"},
    {"named", NULL, FG_AS_COUNT(F, sum.named), .help = "seeds, feeds and sitemaps"},
    {"stock", NULL, FG_AS_COUNT(F, stock), .help = "old pages"},
    {0},
};
static const struct fg_field figures_fields[] = {
    {"known", "known", FG_AS_COUNT(F, sum.known), .help = "pages"},
    {"feeds", "feeds", FG_AS_COUNT(F, sum.feeds), .help = "of the sources"},
    {"sitemaps", "sitemaps", FG_AS_COUNT(F, sum.sitemaps), .help = "of the sources"},
    {"sources", "sources", FG_AS_COUNT(F, sum.sources),
     .help = "looked at for new pages"},
    {"documents", NULL, FG_AS_COUNT(F, sum.documents), .help = "kept fresh"},
    {"gone", NULL, FG_AS_COUNT(F, sum.gone), .help = "pages that are not there any more"},
    {"waiting", "waiting", FG_AS_COUNT(F, sum.waiting), .help = "never fetched"},
    {"waiting_as", NULL, .of = waiting_fields, .type = FG_FIELD_RECORD},
    {"cut", NULL, FG_AS_COUNT(F, sum.cut), .help = "pages of which links were left out"},
    {"fetches_24h", "fetched", FG_AS_COUNT(F, sum.visits), .help = "in the last day"},
    {"failures_24h", "failed", FG_AS_COUNT(F, sum.failures), .help = "in the last day"},
    {"bytes_24h", NULL, FG_AS_COUNT(F, sum.bytes), .unit = "bytes"},
    {"document_visits_24h", NULL, FG_AS_COUNT(F, sum.document_visits)},
    {"document_changes_24h", NULL, FG_AS_COUNT(F, sum.document_changes)},
    {"new_1h", "new 1h", FG_AS_COUNT(F, sum.events_hour), .help = "in the last hour"},
    {"new_24h", "new 1d", FG_AS_COUNT(F, sum.events_day), .help = "in the last day"},
    {"last_visit", NULL, FG_AS_TIME(F, sum.last_visit)},
    {"last_discovery", NULL, FG_AS_TIME(F, sum.last_event)},
    {0},
};
#undef F

struct week {
    struct fg_record record;
    double precision, recall, requests_each;
    struct fg_pairs not_told;
};

#define W struct week
static const struct fg_field week_fields[] = {
    {"told", NULL, FG_AS_COUNT(W, record.told), .help = "new pages reported"},
    {"wrong", NULL, FG_AS_COUNT(W, record.wrong), .help = "of them: gone, copies ..."},
    {"precision", NULL, FG_AS_SHARE(W, precision), .help = "of them, still valid"},
    {"published", NULL, FG_AS_COUNT(W, record.published), .help = "pages dated since"},
    {"published_told", NULL, FG_AS_COUNT(W, record.published_told), .help = "of them"},
    {"recall", NULL, FG_AS_SHARE(W, recall), .help = "of them, reported"},
    {"dated", NULL, FG_AS_COUNT(W, record.dated), .help = "reported with a time"},
    {"late", NULL, FG_AS_COUNT(W, record.late), .help = "more than an hour after it"},
    {"delay_p50_s", NULL, FG_AS_SPAN(W, record.delay_p50), .unit = "s",
     .help = "from publication to report, the median"},
    {"delay_p90_s", NULL, FG_AS_SPAN(W, record.delay_p90), .unit = "s",
     .help = "the 90th percentile"},
    {"requests", NULL, FG_AS_COUNT(W, record.requests), .help = "that were made"},
    {"requests_per_event", NULL, FG_AS_NUMBER(W, requests_each)},
    {0},
};
#undef W

struct alarm {
    const char *reason, *advice;
    struct fg_str text, url;
    fg_time since;
};
static const struct fg_field alarm_fields[] = {
    {"reason", NULL, FG_AS_WORD(struct alarm, reason), .help = "in a word"},
    {"text", NULL, FG_AS_TEXT(struct alarm, text), .help = "the same in words"},
    {"advice", NULL, FG_AS_WORD(struct alarm, advice), .help = "what to do"},
    {"url", NULL, FG_AS_URL(struct alarm, url), .help = "that it is about"},
    {"since", NULL, FG_AS_TIME(struct alarm, since)},
    {0},
};

struct site {
    struct fg_str key, tags;
    const char *state, *state_word, *last_new;
    fg_time added, watching, since, backoff, delay, next_request;
    const struct alarm *alarm;
    struct figures figures;
    struct week week;
    double told;
    struct fg_str note;
};

#define S struct site
static const struct fg_field site_fields[] = {
    {"site", "site", FG_AS_TEXT(S, key), .help = "scheme, host and port"},
    {"state", NULL, FG_AS_WORD(S, state), .help = "exploring, watched, paused ..."},
    {NULL, "state", FG_AS_WORD(S, state_word)},
    {"tags", NULL, FG_AS_TEXT(S, tags), .help = "the user's, with commas between"},
    {"added", NULL, FG_AS_TIME(S, added)},
    {"watching_since", NULL, FG_AS_TIME(S, watching), .help = "after its first look"},
    {NULL, "since", FG_AS_SPAN(S, since)},
    {"alarm", NULL, FG_AS_RECORD_AT(S, alarm, alarm_fields), .help = "nothing can come"},
    {NULL, "", FG_AS_RECORD(S, figures, figures_fields)},
    {NULL, "last new", FG_AS_WORD(S, last_new)},
    {"record_7d", NULL, FG_AS_RECORD(S, week, week_fields), .help = "of the last week"},
    {"told", NULL, FG_AS_NUMBER(S, told), .help = "new pages since the crawl began"},
    {"not_told", NULL, FG_AS_PAIRS(S, week.not_told), .help = "this week, by reason"},
    {"backoff_until", NULL, FG_AS_TIME(S, backoff), .help = "when it may be asked again"},
    {"crawl_delay_s", NULL, FG_AS_SPAN(S, delay), .unit = "s", .help = "of robots.txt"},
    {"next_request", NULL, FG_AS_TIME(S, next_request)},
    {NULL, "", FG_AS_TEXT(S, note)},
    {0},
};
#undef S

static const struct fg_field output_fields[] = {
    {"output", NULL, FG_AS_WORD(struct waiting, output), .help = "its name"},
    {"since", NULL, FG_AS_TIME(struct waiting, since)},
    {"why", NULL, FG_AS_WORD(struct waiting, why), .help = "the last failure"},
    {0},
};

struct totals {
    struct figures figures;
    size_t alarms;
    struct week week;
    double told;
    struct fg_store_counts counts;
};

#define T struct totals
static const struct fg_field totals_fields[] = {
    {NULL, NULL, FG_AS_RECORD(T, figures, figures_fields)},
    {"alarms", NULL, FG_AS_COUNT(T, alarms), .help = "sites that have one"},
    {"record_7d", NULL, FG_AS_RECORD(T, week, week_fields), .help = "of the last week"},
    {"told", NULL, FG_AS_NUMBER(T, told), .help = "new pages since the crawl began"},
    {"not_told", NULL, FG_AS_PAIRS(T, week.not_told), .help = "this week, by reason"},
    {"visits", NULL, FG_AS_COUNT(T, counts.visits), .help = "in the store"},
    {"links", NULL, FG_AS_COUNT(T, counts.links), .help = "in the store"},
    {"events", NULL, FG_AS_COUNT(T, counts.events), .help = "in the store"},
    {"bodies", NULL, FG_AS_COUNT(T, counts.bodies), .help = "in the store"},
    {"file_bytes", NULL, FG_AS_COUNT(T, counts.file_bytes), .unit = "bytes"},
    {0},
};
#undef T

struct answer {
    struct fg_str workspace;
    fg_time now;
    bool is_running;
    struct fg_texts lines; /* for people */
    struct fg_pairs crawl;
    struct fg_rows waiting;
    struct totals totals;
    struct fg_rows sites;
    struct fg_status_memo own; /* if the question has none */
};

#define A struct answer
static const struct fg_field fields[] = {
    {"workspace", NULL, FG_AS_TEXT(A, workspace), .help = "its folder"},
    {"now", NULL, FG_AS_TIME(A, now), .help = "by the crawl's clock"},
    {"is_running", NULL, FG_AS_YES(A, is_running), .help = "a crawl is at work"},
    {NULL, "", FG_AS_TEXTS(A, lines), .is_title = true},
    {"crawl", NULL, FG_AS_PAIRS(A, crawl), .is_null_if_empty = true,
     .help = "what it says of itself"},
    {"outputs_waiting", NULL, FG_AS_ROWS(A, waiting, output_fields),
     .help = "outputs that fail and are tried again"},
    {"totals", NULL, FG_AS_RECORD(A, totals, totals_fields), .help = "of all sites"},
    {"sites", "", FG_AS_ROWS(A, sites, site_fields), .is_sheet = true},
    {0},
};
#undef A

/* --- lines for people --- */

struct lines {
    struct fg_arena *arena;
    FG_VEC(struct fg_str) at;
};

static void add_line(struct lines *lines, struct fg_str line)
{
    if (line.len)
        fg_vec_push_in(lines->arena, &lines->at, line);
}
#define LINE(...) add_line(lines, fg_arena_printf(lines->arena, __VA_ARGS__))
#define N(count)  (unsigned long long)(count)

static void say_state(struct lines *lines, const struct asked *v)
{
    const struct fg_look *look = v->look;
    const json_t *status = look->status;
    char a[FG_AGO_TEXT], b[FG_AGO_TEXT], process[FG_PROCESS_TEXT];
    struct fg_str ended = {0}, state = FG_STR("no crawl is running");
    const char *how = fg_look_text(status, "ended");
    if (look->writer < 0 && status)
        ended = fg_arena_printf(lines->arena, "; the last one ended %s (%s)",
                                fg_ago(a, look->now, fg_look_time(status, "now")),
                                how ? how : "without a word");
    if (is_running(v))
        state = fg_arena_printf(lines->arena, "crawling since %s%s",
                                fg_ago(b, look->now, fg_look_time(status, "started")),
                                fg_process_words(process, look->writer));
    else if (look->writer >= 0)
        state = fg_arena_printf(lines->arena, "in use%s",
                                fg_process_words(process, look->writer));
    LINE("%.*s: %.*s%.*s", FG_ARG(look->place.folder), FG_ARG(state), FG_ARG(ended));
}

static void say_budget(struct lines *lines, const struct asked *v)
{
    const json_t *status = v->look->status;
    char a[FG_AGO_TEXT];
    if (!is_running(v))
        return;
    double budget = fg_look_number(status, "budget_per_hour");
    const char *tick = fg_until(a, v->look->now, fg_look_time(status, "next_tick"));
    if (budget > 0)
        LINE("budget   %g an hour, %.0f left in this tick; next tick %s", budget,
             fg_look_number(status, "budget_left"), tick);
    else
        LINE("budget   no limit; next tick %s", tick);
    const char *worth = fg_look_text(status, "worth");
    double price = fg_look_number(status, "price");
    if (worth && price > 0)
        LINE("price    a request must be worth %.3g new pages (%s)", price, worth);
    else if (worth && strcmp(worth, "shares") == 0)
        LINE("price    none: looks, documents and the stock have fixed shares");
    else if (worth)
        LINE("price    not known in the first days (%s)", worth);
    LINE("queue    %.0f waiting, %.0f in flight", fg_look_number(status, "waiting"),
         fg_look_number(status, "in_flight"));
    fg_time gone = fg_look_time(status, "nobody_answers_since");
    if (gone != FG_NEVER)
        LINE("network  no host answers since %s", fg_ago(a, v->look->now, gone));
    LINE("so far   %.0f fetched, %.0f unchanged, %.0f failed, %.0f new, %.1f MB",
         fg_look_number(status, "fetches"), fg_look_number(status, "not_modified"),
         fg_look_number(status, "failures"), fg_look_number(status, "discovered"),
         fg_look_number(status, "bytes") / 1e6);
}

static void say_totals(struct lines *lines, const struct asked *v)
{
    const struct fg_site_summary *all = &v->all;
    char a[FG_AGO_TEXT];
    if (all->documents)
        LINE(
            "kept     %llu document%s; %llu visit%s in the last day, %llu found a change",
            N(all->documents), all->documents == 1 ? "" : "s", N(all->document_visits),
            all->document_visits == 1 ? "" : "s", N(all->document_changes));
    LINE("new      %llu in the last hour, %llu in the last day; last new page %s",
         N(all->events_hour), N(all->events_day),
         fg_past(a, v->look->now, all->last_event));
    LINE("store    %llu pages, %llu visits, %llu links, %.1f MB", N(v->counts.pages),
         N(v->counts.visits), N(v->counts.links), (double)v->counts.file_bytes / 1e6);
}

static void say_record(struct lines *lines, const struct fg_record *r)
{
    char a[FG_AGO_TEXT], b[FG_AGO_TEXT];
    struct fg_str more = {0}, late = {0};
    if (!r->told)
        return;
    if (r->published)
        more = fg_arena_printf(lines->arena,
                               "; of %llu pages dated this week %.1f %% reported",
                               N(r->published), 100 * fg_record_recall(r));
    if (r->late)
        late =
            fg_arena_printf(lines->arena, "; %llu after more than an hour", N(r->late));
    LINE("week     %llu reported, %.1f %% still valid (not gone, moved, copies or "
         "excluded); %.3g requests each%.*s",
         N(r->told), 100 * fg_record_precision(r), fg_record_requests_each(r),
         FG_ARG(more));
    if (r->dated)
        LINE("delay    half within %s, 90 %% within %s of publication%.*s",
             fg_span_short(a, r->delay_p50), fg_span_short(b, r->delay_p90),
             FG_ARG(late));
}

/* Pages found this week that were read and not reported, by reason; and links. */
static void say_left_out(struct lines *lines, const struct asked *v)
{
    const uint64_t *counts = v->records->all.not_told;
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
    struct fg_str line = {0};
    for (int reason = 0; reason < FG_NOT_TOLD; reason++)
        if (counts[reason])
            line = fg_arena_printf(lines->arena, "%.*s%s%llu %s", FG_ARG(line),
                                   line.len ? ", " : "left out ", N(counts[reason]),
                                   words[reason]);
    add_line(lines, line);
    if (v->all.cut)
        LINE("links left out, too long or too many, of %llu page%s ('forage export "
             "--what pages' has the flag 'cut')",
             N(v->all.cut), v->all.cut == 1 ? "" : "s");
}

static void say_alarms(struct lines *lines, const struct asked *v)
{
    char span[FG_AGO_TEXT];
    for (size_t i = 0; i < v->health.len; i++) {
        const struct fg_site_health *health = &v->health.at[i];
        if (!health->alarm)
            continue;
        LINE("alarm    %.*s for %s: %.*s",
             FG_ARG(fg_look_site(v->look, v->sites.at[i].site)->key),
             fg_span_short(span, v->look->now - health->since), FG_ARG(health->text));
        LINE("         what to do: %s", fg_alarm_advice(health->alarm));
    }
}

static void say_outputs(struct lines *lines, const struct asked *v)
{
    char span[FG_AGO_TEXT];
    for (size_t i = 0; i < v->waiting.len; i++) {
        const struct waiting *waiting = &v->waiting.at[i];
        LINE("waiting  %s for %s: %s", waiting->output,
             fg_span_short(span, v->look->now - waiting->since),
             waiting->why ? waiting->why : "");
    }
}

static struct fg_texts lines_of(const struct asked *v)
{
    struct lines lines = {.arena = v->look->texts};
    say_state(&lines, v);
    say_budget(&lines, v);
    say_totals(&lines, v);
    say_record(&lines, &v->records->all);
    say_left_out(&lines, v);
    say_alarms(&lines, v);
    say_outputs(&lines, v);
    return (struct fg_texts){lines.at.at, lines.at.len};
}

/* --- showing --- */

static struct figures figures_of(const struct fg_site_summary *sum)
{
    return (struct figures){*sum, sum->waiting - sum->awaited - sum->named};
}

static struct week week_of(struct fg_arena *arena, const struct fg_record *record)
{
    struct fg_pair *pairs = FG_NEW(arena, struct fg_pair, FG_NOT_TOLD);
    for (int reason = 0; reason < FG_NOT_TOLD; reason++)
        pairs[reason] = (struct fg_pair){fg_not_told_name((enum fg_not_told)reason),
                                         {0},
                                         (double)record->not_told[reason]};
    return (struct week){.record = *record,
                         .precision = fg_record_precision(record),
                         .recall = fg_record_recall(record),
                         .requests_each = fg_record_requests_each(record),
                         .not_told = {pairs, FG_NOT_TOLD}};
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

static const struct alarm *alarm_of(struct fg_arena *arena,
                                    const struct fg_site_health *health)
{
    if (!health->alarm)
        return NULL;
    struct alarm *alarm = FG_NEW(arena, struct alarm, 1);
    *alarm = (struct alarm){fg_alarm_name(health->alarm), fg_alarm_advice(health->alarm),
                            health->text, health->url, health->since};
    return alarm;
}

/* Town councils and courts put their papers up as files, which are no pages to tell of:
 * who watches them waits for ever, unless told why. */
static bool is_of_files(const struct fg_record *record)
{
    enum { ENOUGH = 2 };
    return record && !record->told && record->not_told[FG_NOT_EMPTY] >= ENOUGH;
}

static struct fg_str note_of(const struct asked *v, const struct fg_site_row *row,
                             const struct fg_record *record, fg_time backoff)
{
    char ago[FG_AGO_TEXT];
    if (backoff != FG_NEVER)
        return fg_arena_printf(v->look->texts, "backing off, next request %s",
                               fg_ago(ago, v->look->now, backoff));
    if (fg_site_is_held(row) && row->robots_expires == FG_NEVER)
        return FG_STR("its address is not public, so it is not asked");
    if (fg_site_is_held(row))
        return fg_arena_printf(v->look->texts,
                               "robots.txt cannot be fetched, next try %s",
                               fg_until(ago, v->look->now, row->robots_expires));
    if (is_of_files(record))
        return FG_STR(
            "its lists lead to files: --crawl-report-kinds page,other reports them");
    return FG_STR("");
}

static struct site site_of(const struct asked *v, const struct fg_site_summary *sum,
                           const struct fg_site_health *health)
{
    /* It may have come since they were gathered. */
    static const struct fg_record none = {.delay_p50 = FG_NEVER, .delay_p90 = FG_NEVER};
    struct fg_arena *arena = v->look->texts;
    const struct fg_site_row *row = fg_look_site(v->look, sum->site);
    const struct fg_record *record = fg_records_find(v->records, sum->site);
    const json_t *live = live_site(v, sum->site);
    fg_time watched = watched_since(row, sum, health), backoff = backoff_of(v, row);
    char ago[FG_AGO_TEXT];
    return (struct site){
        .key = row->key,
        .tags = row->tags,
        .state = fg_site_shown_state(row),
        .state_word = state_word(row, sum, health),
        .last_new = fg_arena_cstr(
            arena, fg_str_from(fg_past(ago, v->look->now, sum->last_event))),
        .added = row->added,
        .watching = health->watching,
        .since = watched == FG_NEVER ? FG_NEVER : v->look->now - watched,
        .backoff = backoff,
        .delay = row->crawl_delay,
        .next_request = is_running(v) ? fg_look_time(live, "next_request") : FG_NEVER,
        .alarm = alarm_of(arena, health),
        .figures = figures_of(sum),
        .week = week_of(arena, record ? record : &none),
        .told = fg_look_number(live, "told"),
        .note = note_of(v, row, record, backoff),
    };
}

/* Its note as it stands, but for the sites, which are listed below. */
static struct fg_pairs crawl_of(const struct asked *v)
{
    struct fg_arena *arena = v->look->texts;
    FG_VEC(struct fg_pair) found = {0};
    const char *key;
    json_t *value;
    json_object_foreach(v->look->status, key, value)
    {
        const char *text = json_string_value(value);
        if (!json_is_array(value) && !json_is_object(value))
            fg_vec_push_in(arena, &found,
                           (struct fg_pair){key, fg_str_from(text),
                                            json_is_number(value)
                                                ? json_number_value(value)
                                                : (double)NAN});
    }
    return (struct fg_pairs){found.at, found.len};
}

static void show(struct answer *a, const struct asked *v)
{
    struct fg_arena *arena = v->look->texts;
    struct site *sites = FG_NEW(arena, struct site, v->sites.len);
    for (size_t i = 0; i < v->sites.len; i++)
        sites[i] = site_of(v, &v->sites.at[i], &v->health.at[i]);
    a->workspace = v->look->place.folder;
    a->now = v->look->now;
    a->is_running = is_running(v);
    a->lines = lines_of(v);
    a->crawl = crawl_of(v);
    a->waiting = FG_ROWS_FROM(v->waiting);
    a->totals =
        (struct totals){figures_of(&v->all), v->alarms, week_of(arena, &v->records->all),
                        fg_look_number(v->look->status, "discovered"), v->counts};
    a->sites = (struct fg_rows){.at = sites, .len = v->sites.len, .size = sizeof *sites};
}

/* --- the view --- */

static const struct fg_opt question[] = {
    {"all", FG_BOOL(struct fg_status_question, all), .letter = 'a',
     .help = "also removed sites, and hosts that only redirects led to"},
    {0},
};

static enum fg_status ask(const void **answer, const struct fg_asking *ask,
                          struct fg_err *err)
{
    const struct fg_status_question *q = ask->question;
    struct answer *made = FG_NEW(ask->look->texts, struct answer, 1);
    struct asked v = {.look = ask->look, .all_sites = q->all};
    *answer = made;
    gather_waiting(&v);
    enum fg_status st = gather(&v, q->memo ? q->memo : &made->own, err);
    if (!st)
        show(made, &v);
    return st;
}

static void clear(const void *answer)
{
    fg_records_clear(&((struct answer *)answer)->own.records);
}

static const struct fg_view_example examples[] = {
    {"--once", "budget, queue, new pages and errors, site by site"},
    {"--json", "for a script"},
    {0},
};

const struct fg_view fg_view_status = {
    .name = "status",
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
    .question = question,
    .question_size = sizeof(struct fg_status_question),
    .settings = "workspace color",
    .examples = examples,
    .answer = FG_RECORD_OF(fields),
    .ask = ask,
    .clear = clear,
};
