/* cmd_ledger.c - forage ledger: every request made to a host, as its owner may ask
 *
 * The rows are walked twice: once to add them up, once to show them. A name stands for
 * all sites on that host, http and https and every port, one after the other. */
#include "base/map.h"
#include "cli/looking.h"
#include "cli/sheet.h"
#include "crawl/ledger.h"
#include "net/canonical.h"
#include "net/url.h"

#include <stdlib.h>

struct options {
    int64_t last;
    bool json, csv;
    struct fg_str since;
};

static const struct fg_opt options[] = {
    {"last", FG_INT(struct options, last), "20", .letter = 'n', .min = 0, .max = 1e9,
     .help = "requests listed for people, the newest; 0 for all"},
    {"since", FG_STRING(struct options, since), .letter = 's', .arg = "SPAN|DATE",
     .help = "requests made since then"},
    {"json", FG_BOOL(struct options, json), .letter = 'j',
     .help = "an object of JSON for each site, with every request"},
    {"csv", FG_BOOL(struct options, csv), .letter = 'c',
     .help = "every request as CSV with a head, without the sums"},
    {0},
};

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

struct view {
    struct fg_look look;
    const struct fg_site_row *site;
    struct fg_sheet sheet;
    fg_time since, delay;
    struct fg_map listings; /* fingerprints of feeds (1) and sitemaps (2) */
    struct sums sums;
    size_t shown, skipped; /* in the second walk */
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
    struct view *v = context;
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
static fg_time next_visit(const struct view *v)
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
    struct view *v = context;
    if (page->flags & (FG_PAGE_FEED | FG_PAGE_SITEMAP))
        *fg_map_put(&v->listings, page->fingerprint) = page->flags & FG_PAGE_FEED ? 1 : 2;
    return true;
}

/* --- the second walk: showing --- */

static struct fg_str url_of(struct view *v, const struct fg_request_row *row)
{
    struct fg_str url = fg_arena_printf(&v->scratch, "%.*s%.*s", FG_ARG(v->site->key),
                                        FG_ARG(row->target));
    return url;
}

static const char *what_of(const struct view *v, const struct fg_request_row *row,
                           struct fg_str url)
{
    static const char *const names[] = {"page", "feed", "sitemap"};
    const uint64_t *kind = fg_map_get(&v->listings, fg_canonical_fingerprint(url));
    return row->purpose == FG_REQUEST_ROBOTS   ? "robots"
           : row->purpose == FG_REQUEST_TDMREP ? "tdmrep"
           : is_redirect(row)                  ? "redirect"
                                               : names[kind ? *kind : 0];
}

static void put_cells(struct view *v, const struct fg_request_row *row, fg_time gap)
{
    struct fg_sheet *sheet = &v->sheet;
    bool is_head = sheet->is_head;
    struct fg_str url = is_head ? FG_STR("") : url_of(v, row);
    fg_sheet_time(sheet, "time", row->time);
    fg_sheet_text(sheet, "url", url);
    fg_sheet_uint(sheet, "status", row->status);
    fg_sheet_text(sheet, "failure", fg_str_from(fg_visit_failure_name(row->failure)));
    fg_sheet_text(sheet, "what", fg_str_from(is_head ? "" : what_of(v, row, url)));
    fg_sheet_text(sheet, "purpose", fg_str_from(fg_request_purpose_name(row->purpose)));
    fg_sheet_uint(sheet, "hop", row->hop);
    fg_sheet_bool(sheet, "conditional", row->conditional);
    fg_sheet_uint(sheet, "bytes", row->bytes);
    fg_sheet_uint(sheet, "took_ms", row->took_ms);
    if (gap == FG_NEVER)
        fg_sheet_text(sheet, "gap_s", (struct fg_str){0});
    else
        fg_sheet_double(sheet, "gap_s", fg_seconds(gap));
}

static void put_line(struct view *v, const struct fg_request_row *row, fg_time gap)
{
    struct fg_out *out = &v->look.cli->out;
    char time[FG_TIME_TEXT], between[FG_AGO_TEXT] = "";
    struct fg_str url = url_of(v, row);
    const char *failure = fg_visit_failure_name(row->failure);
    fg_time_format(time, row->time);
    if (gap != FG_NEVER)
        fg_gap_short(between, gap);
    fg_out_printf(out, "%.19sZ  %3u%c %-8s %-8s %9u %6ums %8s  ", time, row->status,
                  row->conditional ? '?' : ' ', what_of(v, row, url),
                  failure ? failure : fg_request_purpose_name(row->purpose), row->bytes,
                  row->took_ms, between);
    fg_out_text(out, row->target);
    fg_out_puts(out, "\n");
}

static bool show(void *context, const struct fg_request_row *row)
{
    struct view *v = context;
    const struct options *o = v->look.cli->options;
    if (v->shown == v->sums.n) /* made since they were added up */
        return false;
    fg_time gap = v->shown++ ? row->time - v->previous : FG_NEVER;
    v->previous = row->time;
    fg_arena_reset(&v->scratch);
    if (o->csv) {
        fg_sheet_begin(&v->sheet);
        put_cells(v, row, gap);
        fg_sheet_end(&v->sheet);
    } else if (o->json) { /* within the array of its site */
        fg_json_object(&v->sheet.json);
        put_cells(v, row, gap);
        fg_json_end(&v->sheet.json);
        fg_out_puts(&v->look.cli->out, "");
    } else if (v->shown > v->skipped) {
        put_line(v, row, gap);
    }
    return !v->look.cli->out.error;
}

/* --- sums for people, and for programs --- */

static void print_gaps(struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    const struct sums *s = &v->sums;
    char promised[FG_SPAN_TEXT], least[FG_AGO_TEXT], median[FG_AGO_TEXT];
    fg_span_format(promised, v->delay);
    if (!s->gaps.len)
        return;
    fg_out_printf(out, "gaps           least %s, median %s; promised are %s",
                  fg_gap_short(least, gap_at(s, 0)), fg_gap_short(median, gap_at(s, 0.5)),
                  promised);
    if (s->too_close)
        fg_out_printf(out, ", %zu %s closer together", s->too_close,
                      s->too_close == 1 ? "was" : "were");
    fg_out_puts(out, "\n");
}

static void print_sums(struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    const struct sums *s = &v->sums;
    char a[FG_AGO_TEXT];
    fg_out_text(out, v->site->key);
    fg_out_printf(
        out, "\nrequests       %zu: %zu for robots.txt, %zu redirected, %zu %s\n", s->n,
        s->robots, s->redirects, s->failures, s->failures == 1 ? "failure" : "failures");
    if (!s->n)
        return;
    fg_out_puts(out, "answers       ");
    for (unsigned i = 1; i < STATUSES; i++)
        if (s->by_status[i])
            fg_out_printf(out, " %u: %u", i, s->by_status[i]);
    fg_out_printf(out, "\nnot modified   %.1f %% of all",
                  100.0 * (double)s->not_modified / (double)s->n);
    if (s->conditional)
        fg_out_printf(out, ", %.1f %% of %zu that asked for changes only",
                      100.0 * (double)s->unmodified_of_conditional /
                          (double)s->conditional,
                      s->conditional);
    fg_out_printf(out, "\nbytes          %llu, %llu an answer\n",
                  (unsigned long long)s->bytes, (unsigned long long)(s->bytes / s->n));
    print_gaps(v);
    fg_out_printf(out, "last request   %s\n", fg_ago(a, v->look.now, s->last));
    if (v->look.writer < 0)
        fg_out_puts(out, "next visit     when a crawl runs\n");
    else if (next_visit(v) != FG_NEVER)
        fg_out_printf(out, "next visit     %s, if it goes on as lately\n",
                      fg_until(a, v->look.now, next_visit(v)));
}

static void pair_span(struct fg_json *json, const char *key, fg_time span)
{
    fg_json_key(json, key);
    if (span == FG_NEVER)
        fg_json_null(json);
    else
        fg_json_double(json, fg_seconds(span));
}

static void json_sums(struct fg_json *json, const struct view *v)
{
    const struct sums *s = &v->sums;
    fg_json_pair(json, "site", v->site->key);
    fg_json_pair_uint(json, "requests", s->n);
    fg_json_pair_uint(json, "robots", s->robots);
    fg_json_pair_uint(json, "redirects", s->redirects);
    fg_json_pair_uint(json, "failures", s->failures);
    fg_json_pair_uint(json, "conditional", s->conditional);
    fg_json_pair_uint(json, "not_modified", s->not_modified);
    fg_json_pair_double(json, "not_modified_share",
                        s->n ? (double)s->not_modified / (double)s->n : 0);
    fg_json_pair_uint(json, "bytes", s->bytes);
    fg_json_key(json, "statuses");
    fg_json_object(json);
    for (unsigned i = 0; i < STATUSES; i++) {
        char name[16];
        snprintf(name, sizeof name, "%u", i);
        if (s->by_status[i])
            fg_json_pair_uint(json, name, s->by_status[i]);
    }
    fg_json_end(json);
    pair_span(json, "gap_least_s", gap_at(s, 0));
    pair_span(json, "gap_median_s", gap_at(s, 0.5));
    pair_span(json, "delay_promised_s", v->delay);
    fg_json_pair_uint(json, "gaps_below_delay", s->too_close);
    fg_json_pair_time(json, "first_request", s->n ? s->first : FG_NEVER);
    fg_json_pair_time(json, "last_request", s->n ? s->last : FG_NEVER);
    fg_json_pair_time(json, "next_visit_expected",
                      v->look.writer < 0 ? FG_NEVER : next_visit(v));
    fg_json_pair_time(json, "backoff_until", v->site->backoff_until);
}

/* --- the command --- */

static enum fg_status show_rows(struct view *v, struct fg_err *err)
{
    const struct options *o = v->look.cli->options;
    v->skipped = o->last && (size_t)o->last < v->sums.n ? v->sums.n - (size_t)o->last : 0;
    v->shown = 0;
    return fg_store_requests(v->look.store, v->site->site, v->since, show, v, err);
}

static enum fg_status show_json(struct view *v, struct fg_err *err)
{
    struct fg_json *json = &v->sheet.json;
    *json = fg_json_to(&v->look.cli->out.buf);
    fg_json_object(json);
    json_sums(json, v);
    fg_json_key(json, "ledger");
    fg_json_array(json);
    enum fg_status st = show_rows(v, err);
    fg_json_end(json);
    fg_json_end(json);
    fg_out_puts(&v->look.cli->out, "\n");
    return st;
}

/* The one in force: what robots.txt asks for, or ours. */
static fg_time promised_delay(const struct view *v)
{
    double told_s = fg_look_number(v->look.status, "delay_s");
    fg_time own = told_s > 0 ? (fg_time)(told_s * (double)FG_SECOND)
                             : v->look.cli->settings.crawl.delay;
    return v->site->crawl_delay > own ? v->site->crawl_delay : own;
}

static enum fg_status show_site(struct view *v, struct fg_err *err)
{
    const struct options *o = v->look.cli->options;
    v->sums = (struct sums){0};
    v->delay = promised_delay(v);
    enum fg_status st =
        fg_store_requests(v->look.store, v->site->site, v->since, add_up, v, err);
    if (!st)
        st = fg_store_pages(v->look.store, v->site->site, take_listing, v, err);
    if (v->sums.gaps.len)
        qsort(v->sums.gaps.at, v->sums.gaps.len, sizeof *v->sums.gaps.at, by_length);
    if (!st && o->json) {
        st = show_json(v, err);
    } else if (!st) {
        if (!o->csv)
            print_sums(v);
        if (!o->csv && v->sums.n)
            fg_out_puts(&v->look.cli->out, "\n");
        st = show_rows(v, err);
    }
    fg_vec_clear(&v->sums.gaps);
    fg_map_clear(&v->listings);
    return st;
}

/* "example.org" is every port and scheme of that host; with a port or as a URL, one. */
static bool is_meant(const struct view *v, struct fg_str name,
                     const struct fg_site_row *site)
{
    struct fg_url own, asked;
    struct fg_arena *arena = v->look.cli->arena;
    if (!site->key.len || !fg_url_parse(&own, arena, site->key, NULL))
        return false;
    if (fg_url_parse(&asked, arena, name, NULL) && fg_url_is_http(&asked))
        return fg_str_eq(
            fg_canonical_site(fg_canonical_from(arena, &asked, v->look.keep)), site->key);
    return fg_str_eq_nocase(fg_url_hostname(&own), name) ||
           fg_str_eq_nocase(fg_url_host(&own), name);
}

static enum fg_status show_host(struct view *v, struct fg_err *err)
{
    struct fg_str name = fg_str_from(v->look.cli->words[0]);
    size_t found = 0;
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < v->look.n_sites; i++) {
        v->site = &v->look.sites[i];
        if (!is_meant(v, name, v->site))
            continue;
        const struct options *o = v->look.cli->options;
        if (found++ && !o->json && !o->csv)
            fg_out_puts(&v->look.cli->out, "\n");
        st = show_site(v, err);
    }
    if (!st && !found)
        st =
            fg_fail(err, FG_ENOTFOUND,
                    "nothing was ever asked of '%.*s' in '%s'; 'forage status' lists the "
                    "sites",
                    FG_ARG(fg_str_sub(name, 0, 200)), v->look.cli->settings.workspace.at);
    return st;
}

static void put_head(struct view *v)
{
    v->sheet.is_head = true;
    fg_sheet_begin(&v->sheet);
    put_cells(v, &(struct fg_request_row){0}, FG_NEVER);
    fg_sheet_end(&v->sheet);
    v->sheet.is_head = false;
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct view v = {.sheet = {.out = &cli->out, .is_csv = o->csv, .is_raw = true}};
    if (o->json && o->csv)
        return fg_fail(err, FG_ECONFIG, "--json and --csv cannot be combined");
    enum fg_status st = fg_cli_look(cli, &v.look, err);
    if (!st)
        st = fg_look_since(&v.look, "--since", o->since, &v.since, err);
    if (!st && o->csv)
        put_head(&v);
    if (!st)
        st = show_host(&v, err);
    fg_arena_clear(&v.scratch);
    fg_cli_look_close(&v.look);
    return st;
}

static const struct fg_example examples[] = {
    {"forage ledger news.example", "what was asked of a host, and how politely"},
    {"forage ledger https://news.example/ --since 1d --json", "for a script"},
    {"forage ledger news.example --csv | head -n 3", "for its owner's spreadsheet"},
    {0},
};

const struct fg_command fg_cmd_ledger = {
    .name = "ledger",
    .words = "HOST",
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
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace fetch.delay store.requests",
    .examples = examples,
    .only_looks = true,
    .run = run,
};
