/* ledger.c - every request made to a host, as its owner may ask
 *
 * The rows are walked twice: once to add them up, once to show them. A name stands for
 * all sites on that host, http and https and every port, one after the other. */
#include "crawl/host/ledger.h"
#include "base/map.h"
#include "crawl/intake/control.h"
#include "net/url/canonical.h"
#include "view/ago.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>

enum { STATUSES = 600, RECENT = 11 };

struct sums {
    size_t n, robots, redirects, conditional, not_modified, unmodified_of_conditional,
        failures;
    uint64_t bytes;
    uint32_t by_status[STATUSES];
    FG_VEC(fg_time) gaps;
    size_t too_close; /* gaps below the delay that is promised */
    fg_time first, last;
    fg_time recent[RECENT];
};

struct asked {
    const struct fg_look *look;
    const struct fg_site_row *site;
    FG_VEC(const struct fg_site_row *) sites;
    fg_time since, delay;
    size_t last;
    struct fg_map listings; /* fingerprints of feeds (1) and sitemaps (2) */
    struct sums sums;
    /* of the second walk: */
    struct fg_put *put;
    size_t shown;
    fg_time previous;
    struct fg_arena scratch;
};

/* --- the first walk: adding up --- */

static bool is_redirect(const struct fg_request_row *row)
{
    return row->status >= 301 && row->status <= 308 && row->status != 304;
}

static bool add_up(void *context, const struct fg_request_row *row)
{
    struct asked *v = context;
    struct sums *s = &v->sums;
    if (s->n) {
        fg_time gap = row->time - s->last;
        fg_vec_push(&s->gaps, gap);
        s->too_close += gap < v->delay;
    } else {
        s->first = row->time;
    }
    s->last = row->time;
    s->recent[s->n++ % RECENT] = row->time;
    s->robots += row->purpose == FG_REQUEST_ROBOTS;
    s->redirects += is_redirect(row);
    s->conditional += row->conditional;
    s->not_modified += row->status == 304;
    s->unmodified_of_conditional += row->conditional && row->status == 304;
    s->failures += row->failure != 0;
    s->bytes += row->bytes;
    if (row->status < STATUSES)
        s->by_status[row->status]++;
    return true;
}

static int by_length(const void *a, const void *b)
{
    fg_time x = *(const fg_time *)a, y = *(const fg_time *)b;
    return (x > y) - (x < y);
}

/* FG_NEVER if there were not two requests. */
static fg_time gap_at(const struct sums *s, double share)
{
    size_t n = s->gaps.len;
    return n ? s->gaps.at[(size_t)(share * (double)(n - 1))] : FG_NEVER;
}

/* If it goes on as the last ten requests did, and not while the host wants none. */
static fg_time next_visit(const struct asked *v)
{
    const struct sums *s = &v->sums;
    size_t n = s->n < RECENT ? s->n : RECENT;
    if (n < 2)
        return FG_NEVER;
    fg_time first = s->recent[s->n <= RECENT ? 0 : s->n % RECENT];
    fg_time next = s->last + (s->last - first) / (fg_time)(n - 1);
    if (v->site->backoff_until != FG_NEVER && v->site->backoff_until > next)
        next = v->site->backoff_until;
    if (fg_site_is_held(v->site) && v->site->robots_expires > next)
        next = v->site->robots_expires;
    return next;
}

static bool take_listing(void *context, const struct fg_page_row *page)
{
    struct asked *v = context;
    if (page->flags & (FG_PAGE_FEED | FG_PAGE_SITEMAP))
        *fg_map_put(&v->listings, page->fingerprint) = page->flags & FG_PAGE_FEED ? 1 : 2;
    return true;
}

/* --- the second walk: showing --- */

struct request {
    struct fg_request_row row;
    struct fg_str url;
    const char *what, *mark, *purpose;
    fg_time gap;
};

#define R struct request
static const struct fg_field request_fields[] = {
    {"time", "time", FG_AS_TIME(R, row.time), .help = "when it was made"},
    {"url", NULL, FG_AS_URL(R, url)},
    {"status", "status", FG_AS_COUNT(R, row.status), .help = "HTTP; 0: see failure"},
    {NULL, "", FG_AS_WORD(R, mark)},
    {"failure", NULL, FG_AS_NAME(R, row.failure, fg_visit_failure_name)},
    {"what", "what", FG_AS_WORD(R, what), .help = "page, feed, sitemap, robots ..."},
    {"purpose", NULL, FG_AS_NAME(R, row.purpose, fg_request_purpose_name)},
    {NULL, "purpose", FG_AS_WORD(R, purpose)},
    {"hop", NULL, FG_AS_COUNT(R, row.hop), .help = "redirects that led here"},
    {"conditional", NULL, FG_AS_YES(R, row.conditional), .help = "for changes only"},
    {"bytes", "bytes", FG_AS_COUNT(R, row.bytes), .unit = "bytes"},
    {"took_ms", "ms", FG_AS_COUNT(R, row.took_ms), .unit = "ms"},
    {"gap_s", "gap", FG_AS_SPAN(R, gap), .unit = "s", .help = "since the one before"},
    {NULL, "path", FG_AS_TEXT(R, row.target)},
    {0},
};
#undef R

static const char *what_of(const struct asked *v, const struct fg_request_row *row,
                           struct fg_str url)
{
    static const char *const names[] = {"page", "feed", "sitemap"};
    const uint64_t *kind = fg_map_get(&v->listings, fg_canonical_fingerprint(url));
    return row->purpose == FG_REQUEST_ROBOTS   ? "robots"
           : row->purpose == FG_REQUEST_TDMREP ? "tdmrep"
           : is_redirect(row)                  ? "redirect"
                                               : names[kind ? *kind : 0];
}

static bool show(void *context, const struct fg_request_row *row)
{
    struct asked *v = context;
    if (v->shown == v->sums.n) /* made since they were added up */
        return false;
    fg_arena_reset(&v->scratch);
    struct fg_str url = fg_arena_printf(&v->scratch, "%.*s%.*s", FG_ARG(v->site->key),
                                        FG_ARG(row->target));
    const char *failure = fg_visit_failure_name(row->failure);
    struct request request = {.row = *row,
                              .url = url,
                              .what = what_of(v, row, url),
                              .mark = row->conditional ? "?" : "",
                              .purpose = failure ? failure
                                                 : fg_request_purpose_name(row->purpose),
                              .gap = v->shown++ ? row->time - v->previous : FG_NEVER};
    v->previous = row->time;
    return fg_put_row(v->put, &request);
}

static enum fg_status walk_requests(void *context, struct fg_put *put, struct fg_err *err)
{
    struct asked *v = context;
    v->put = put;
    v->shown = 0;
    return fg_store_requests(v->look->store, v->site->site, v->since, show, v, err);
}

/* --- sums --- */

struct host {
    struct fg_str site;
    const struct sums *sums;
    struct fg_pairs statuses;
    double not_modified_share;
    fg_time gap_least, gap_median, delay, first, last, next, backoff;
    struct fg_rows ledger;
    struct fg_str requests, not_modified, bytes, gaps, last_words, next_words;
};

#define S struct sums
static const struct fg_field sums_fields[] = {
    {"requests", NULL, FG_AS_COUNT(S, n)},
    {"robots", NULL, FG_AS_COUNT(S, robots), .help = "for robots.txt"},
    {"redirects", NULL, FG_AS_COUNT(S, redirects), .help = "answered with one"},
    {"failures", NULL, FG_AS_COUNT(S, failures), .help = "without an answer"},
    {"conditional", NULL, FG_AS_COUNT(S, conditional), .help = "for changes only"},
    {"not_modified", NULL, FG_AS_COUNT(S, not_modified), .help = "answered with 304"},
    {"bytes", NULL, FG_AS_COUNT(S, bytes), .unit = "bytes"},
    {"gaps_below_delay", NULL, FG_AS_COUNT(S, too_close), .help = "below the delay"},
    {0},
};
#undef S

#define H struct host
static const struct fg_field fields[] = {
    {"site", "", FG_AS_TEXT(H, site), .is_title = true, .help = "scheme, host and port"},
    {NULL, "", FG_AS_RECORD_AT(H, sums, sums_fields)},
    {NULL, "requests", FG_AS_TEXT(H, requests)},
    {"statuses", "answers", FG_AS_PAIRS(H, statuses), .help = "answers by HTTP status"},
    {"not_modified_share", NULL, FG_AS_SHARE(H, not_modified_share), .help = "of all"},
    {NULL, "not modified", FG_AS_TEXT(H, not_modified)},
    {NULL, "bytes", FG_AS_TEXT(H, bytes)},
    {"gap_least_s", NULL, FG_AS_SPAN(H, gap_least), .unit = "s"},
    {"gap_median_s", NULL, FG_AS_SPAN(H, gap_median), .unit = "s"},
    {"delay_promised_s", NULL, FG_AS_SPAN(H, delay), .unit = "s",
     .help = "ours, or that of robots.txt if it is longer"},
    {NULL, "gaps", FG_AS_TEXT(H, gaps)},
    {"first_request", NULL, FG_AS_TIME(H, first)},
    {"last_request", NULL, FG_AS_TIME(H, last)},
    {NULL, "last request", FG_AS_TEXT(H, last_words)},
    {"next_visit_expected", NULL, FG_AS_TIME(H, next), .help = "if it goes on as lately"},
    {NULL, "next visit", FG_AS_TEXT(H, next_words)},
    {"backoff_until", NULL, FG_AS_TIME(H, backoff), .help = "when it may be asked again"},
    {"ledger", "", FG_AS_ROWS(H, ledger, request_fields), .is_sheet = true,
     .help = "the requests, the newest last"},
    {0},
};
#undef H

static struct fg_pairs statuses_of(const struct asked *v)
{
    struct fg_arena *arena = v->look->texts;
    FG_VEC(struct fg_pair) pairs = {0};
    for (unsigned i = 0; i < STATUSES; i++)
        if (v->sums.by_status[i])
            fg_vec_push_in(arena, &pairs,
                           (struct fg_pair){fg_arena_printf(arena, "%u", i).at,
                                            {0},
                                            v->sums.by_status[i]});
    return (struct fg_pairs){pairs.at, pairs.len};
}

static struct fg_str gap_words(const struct asked *v)
{
    const struct sums *s = &v->sums;
    char promised[FG_SPAN_TEXT], least[FG_AGO_TEXT], median[FG_AGO_TEXT];
    if (!s->gaps.len)
        return FG_STR("");
    struct fg_str words = fg_arena_printf(
        v->look->texts, "least %s, median %s; promised are %s",
        fg_gap_short(least, gap_at(s, 0)), fg_gap_short(median, gap_at(s, 0.5)),
        fg_span_format(promised, v->delay));
    return s->too_close ? fg_arena_printf(v->look->texts, "%.*s, %zu %s closer together",
                                          FG_ARG(words), s->too_close,
                                          s->too_close == 1 ? "was" : "were")
                        : words;
}

static void say(struct host *host, const struct asked *v)
{
    const struct sums *s = &v->sums;
    struct fg_arena *arena = v->look->texts;
    char ago[FG_AGO_TEXT];
    host->requests = fg_arena_printf(
        arena, "%zu: %zu for robots.txt, %zu redirected, %zu %s", s->n, s->robots,
        s->redirects, s->failures, s->failures == 1 ? "failure" : "failures");
    if (!s->n)
        return;
    host->not_modified =
        fg_arena_printf(arena, "%.1f %% of all", 100 * host->not_modified_share);
    if (s->conditional)
        host->not_modified = fg_arena_printf(
            arena, "%.*s, %.1f %% of %zu that asked for changes only",
            FG_ARG(host->not_modified),
            100.0 * (double)s->unmodified_of_conditional / (double)s->conditional,
            s->conditional);
    host->bytes =
        fg_arena_printf(arena, "%llu, %llu an answer", (unsigned long long)s->bytes,
                        (unsigned long long)(s->bytes / s->n));
    host->gaps = gap_words(v);
    host->last_words =
        fg_arena_dup(arena, fg_str_from(fg_ago(ago, v->look->now, s->last)));
    if (v->look->writer < 0)
        host->next_words = FG_STR("when a crawl runs");
    else if (host->next != FG_NEVER)
        host->next_words = fg_arena_printf(arena, "%s, if it goes on as lately",
                                           fg_until(ago, v->look->now, host->next));
}

static bool put_host(struct asked *v, struct fg_put *put)
{
    const struct sums *s = &v->sums;
    struct host host = {
        .site = v->site->key,
        .sums = s,
        .statuses = statuses_of(v),
        .not_modified_share = s->n ? (double)s->not_modified / (double)s->n : 0,
        .gap_least = gap_at(s, 0),
        .gap_median = gap_at(s, 0.5),
        .delay = v->delay,
        .first = s->n ? s->first : FG_NEVER,
        .last = s->n ? s->last : FG_NEVER,
        .next = v->look->writer < 0 ? FG_NEVER : next_visit(v),
        .backoff = v->site->backoff_until,
        .ledger = {.walk = s->n ? walk_requests : NULL,
                   .context = v,
                   .skip = v->last && v->last < s->n ? s->n - v->last : 0}};
    say(&host, v);
    return fg_put_row(put, &host);
}

/* The one in force: what robots.txt asks for, or ours. */
static fg_time promised_delay(const struct asked *v)
{
    const json_t *told_s = json_object_get(v->look->status, "delay_s");
    fg_time own = json_is_number(told_s)
                      ? (fg_time)(json_number_value(told_s) * (double)FG_SECOND)
                      : v->look->place.settings->pace.delay;
    return v->site->crawl_delay > own ? v->site->crawl_delay : own;
}

static enum fg_status walk_hosts(void *context, struct fg_put *put, struct fg_err *err)
{
    struct asked *v = context;
    struct fg_store *store = v->look->store;
    enum fg_status st = FG_OK;
    bool goes_on = true;
    for (size_t i = 0; !st && goes_on && i < v->sites.len; i++) {
        v->site = v->sites.at[i];
        v->sums = (struct sums){0};
        v->delay = promised_delay(v);
        st = fg_store_requests(store, v->site->site, v->since, add_up, v, err);
        if (!st)
            st = fg_store_pages(store, v->site->site, take_listing, v, err);
        if (v->sums.gaps.len)
            qsort(v->sums.gaps.at, v->sums.gaps.len, sizeof *v->sums.gaps.at, by_length);
        if (!st)
            goes_on = put_host(v, put);
        fg_vec_clear(&v->sums.gaps);
        fg_map_clear(&v->listings);
    }
    fg_arena_clear(&v->scratch);
    return st;
}

/* --- the view --- */

struct question {
    int64_t last;
    struct fg_str since;
};

static const struct fg_opt question[] = {
    {"last", FG_INT(struct question, last), "20", .letter = 'n', .min = 0, .max = 1e9,
     .help = "requests listed for people, the newest; 0 for all"},
    {"since", FG_STRING(struct question, since), .letter = 's', .arg = "SPAN|DATE",
     .help = "requests made since then"},
    {0},
};

/* "example.org" is every port and scheme of that host; with a port or as a URL, one. */
static bool is_meant(const struct asked *v, struct fg_str name,
                     const struct fg_site_row *site)
{
    struct fg_url own, asked;
    struct fg_arena *arena = v->look->texts;
    if (!site->key.len || !fg_url_parse(&own, arena, site->key, NULL))
        return false;
    if (fg_url_parse(&asked, arena, name, NULL) && fg_url_is_http(&asked))
        return fg_str_eq(
            fg_canonical_site(fg_canonical_from(arena, &asked, v->look->keep)),
            site->key);
    return fg_str_eq_nocase(fg_url_hostname(&own), name) ||
           fg_str_eq_nocase(fg_url_host(&own), name);
}

static enum fg_status ask(const void **answer, const struct fg_asking *ask,
                          struct fg_err *err)
{
    const struct question *q = ask->question;
    const struct fg_look *look = ask->look;
    struct asked *v = FG_NEW(look->texts, struct asked, 1);
    struct fg_rows *hosts = FG_NEW(look->texts, struct fg_rows, 1);
    v->look = look;
    v->last = (size_t)q->last;
    *hosts = (struct fg_rows){.walk = walk_hosts, .context = v};
    *answer = hosts;
    for (size_t i = 0; i < look->n_sites; i++)
        if (is_meant(v, ask->subject, &look->sites[i]))
            fg_vec_push_in(look->texts, &v->sites, &look->sites[i]);
    if (!v->sites.len)
        return fg_fail(err, FG_ENOTFOUND,
                       "nothing was ever asked of '%.*s' in '%s'; 'forage status' lists "
                       "the sites",
                       FG_ARG(fg_str_sub(ask->subject, 0, 200)), look->place.folder.at);
    return fg_look_since(look, "--since", q->since, &v->since, err);
}

static const struct fg_view_example examples[] = {
    {"news.example", "what was asked of a host, and how politely"},
    {"https://news.example/ --since 1d --json", "for a script"},
    {"news.example --csv | head -n 3", "for its owner's spreadsheet"},
    {0},
};

const struct fg_view fg_view_ledger = {
    .name = "ledger",
    .subject = "HOST",
    .summary = "show every request made to a host: when, what for, status, bytes, gaps",
    .about =
        "Shows what the crawls of this workspace asked of a host: each request with its "
        "time, status, bytes and purpose, robots.txt and the steps of redirects among "
        "them; then how many were answered with 304, how far apart they were against "
        "the delay that is promised (fetch.delay, or the Crawl-delay of robots.txt if "
        "that is longer), and when the next is to be expected. A '?' behind the status "
        "marks a request that asked for changes only. Requests are kept for "
        "store.requests. One is written down when it has ended, so after a kill those "
        "that were open are missing. 'forage fetch' keeps no ledger.",
    .question = question,
    .question_size = sizeof(struct question),
    .settings = "workspace fetch.delay store.requests",
    .examples = examples,
    .answer = {FG_ROWS_OF(fields), .style = FG_ROWS_RECORDS, .is_lines = true},
    .ask = ask,
};
