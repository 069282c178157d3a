#include "cli/why.h"

#include "cli/standing.h"
#include "crawl/control.h"
#include "crawl/cut.h"
#include "crawl/robots_copy.h"
#include "crawl/site_rules.h"
#include "learn/change_rate.h"
#include "net/canonical.h"
#include "net/rules.h"

#include <math.h>
#include <stdlib.h>

/* --- ranks --- */

static int best_first(const void *a, const void *b)
{
    const struct fg_rival *x = a, *y = b;
    return x->score != y->score ? (x->score < y->score ? 1 : -1) : x->id > y->id ? 1 : -1;
}

static uint64_t id_of(const struct fg_page_row *page)
{
    return (uint64_t)page->site << 32 | page->page;
}

static double score_of(struct fg_mind *mind, fg_time now, size_t row)
{
    struct fg_reason reason = {0};
    fg_mind_explain(mind, now, row, &reason);
    return reason.score;
}

static void rank(struct fg_why *v)
{
    uint64_t own = id_of(&v->page);
    size_t row = fg_mind_row(v->mind, own);
    v->is_known = row != FG_NO_ROW;
    if (!v->is_known) /* admitted after the state was saved: as the policy will see it */
        row = fg_mind_add(v->mind, own, v->page.site, v->page.first_seen);
    fg_mind_explain(v->mind, v->look->now, row, &v->reason);
    const struct fg_world *world = fg_mind_world(v->mind);
    v->rank_all = 1;
    v->rivals_all = world->n;
    for (size_t i = 0; i < world->n; i++) {
        struct fg_rival rival = {world->id[i], score_of(v->mind, v->look->now, i)};
        v->rank_all += rival.score > v->reason.score;
        if (world->site[i] == v->page.site)
            fg_vec_push_in(v->look->cli->arena, &v->site, rival);
    }
    qsort(v->site.at, v->site.len, sizeof *v->site.at, best_first);
    v->rivals = v->site.len;
    for (size_t i = 0; i < v->site.len; i++)
        if (v->site.at[i].id == own)
            v->rank = i + 1;
}

/* --- when --- */

enum { LATELY = 11 };

struct lately {
    fg_time at[LATELY];
    size_t n;
    fg_time answered; /* the last time it was, or FG_NEVER */
    FG_VEC(struct fg_interval) intervals;
};

static bool take_visit(void *context, const struct fg_visit_row *visit)
{
    struct lately *lately = context;
    lately->at[lately->n++ % LATELY] = visit->time;
    if (visit->failure || visit->status < 200 || visit->status > 399)
        return true;
    if (lately->answered != FG_NEVER)
        fg_vec_push(
            &lately->intervals,
            (struct fg_interval){.length = fg_days(visit->time - lately->answered),
                                 .changed = visit->changed,
                                 .age = -1});
    lately->answered = visit->time;
    return true;
}

/* From the visits alone. A policy's belief starts from a prior, and one that is worth
 * weeks of watching outweighs a page that changes every minute for days. */
static void measure(struct fg_seen_changes *seen, const struct lately *lately)
{
    seen->visits = lately->intervals.len;
    for (size_t i = 0; i < seen->visits; i++)
        seen->changed += lately->intervals.at[i].changed;
    seen->rate = fg_rate_likeliest(lately->intervals.at, seen->visits);
    fg_rate_interval(lately->intervals.at, seen->visits, &seen->low, &seen->high);
}

/* No policy promises a time. What the last visits did is the best guess there is. */
static enum fg_status expect(struct fg_why *v, struct fg_err *err)
{
    struct lately lately = {.answered = FG_NEVER};
    v->usual_gap = v->expected = FG_NEVER;
    enum fg_status st = fg_store_visits(v->look->store, v->page.site, v->page.page,
                                        FG_NEVER, take_visit, &lately, err);
    measure(&v->seen, &lately);
    fg_vec_clear(&lately.intervals);
    size_t n = lately.n < LATELY ? lately.n : LATELY;
    if (st || n < 2)
        return st;
    fg_time last = lately.at[(lately.n - 1) % LATELY];
    fg_time first = lately.at[lately.n <= LATELY ? 0 : lately.n % LATELY];
    v->usual_gap = (last - first) / (fg_time)(n - 1);
    v->expected = last + v->usual_gap;
    return FG_OK;
}

/* --- why not --- */

static void because(struct fg_why *v, const char *cause, struct fg_str words)
{
    v->cause = cause;
    v->words = words;
}

static void because_excluded(struct fg_why *v)
{
    const struct fg_site_row *site = fg_look_site(v->look, v->page.site);
    struct fg_arena *arena = v->look->cli->arena;
    struct fg_rule rule = {0};
    if (site && site->robots.len) {
        const struct fg_robots *robots = fg_robots_parse(
            arena, site->robots, v->look->cli->settings.crawl.robots_token);
        if (!fg_robots_explain(&rule, arena, robots, fg_robots_path(v->page.url))) {
            because(v, "robots",
                    fg_arena_printf(arena, "robots.txt of its site forbids it: \"%.*s\"",
                                    FG_ARG(fg_str_sub(rule.pattern, 0, 100))));
            return;
        }
    }
    because(v, "rules",
            FG_STR("a rule keeps us away: robots.txt when it was asked for, or "
                   "crawl.exclude, or where its redirect leads"));
}

static bool take_last(void *context, const struct fg_visit_row *visit)
{
    *(struct fg_visit_row *)context = *visit;
    return true;
}

static const char *meaning_of(unsigned status)
{
    return status == 401 || status == 407 ? "a login is asked for"
           : status == 403                ? "its server refuses us"
           : status == 429                ? "its server asks us to slow down"
           : status == 451                ? "its server may not show it"
           : status >= 500                ? "its server fails"
                                          : "its server does not give it to us";
}

/* Why its host was not asked. */
static const char *held_words(const struct fg_why *v)
{
    const struct fg_site_row *site = fg_look_site(v->look, v->page.site);
    if (site && fg_site_is_held(site))
        return "robots.txt of its host could not be fetched; it is tried again";
    return "its host was backing off after errors or at its own request; it is tried "
           "again";
}

/* Its last visits failed, whatever it was before. */
static void because_failing(struct fg_why *v)
{
    struct fg_arena *arena = v->look->cli->arena;
    struct fg_visit_row last = {0};
    unsigned n = v->page.failures;
    fg_store_visits(v->look->store, v->page.site, v->page.page, FG_NEVER, take_last,
                    &last, NULL);
    const char *failure = fg_visit_failure_name(last.failure);
    unsigned status = last.status ? last.status : v->page.status;
    const char *was = v->page.flags & FG_PAGE_RETIRED ? "; it was a source" : "";
    if (failure && strcmp(failure, "held") == 0)
        because(v, "failing",
                fg_arena_printf(arena, "no request was made: %s%s", held_words(v), was));
    else if (failure)
        because(v, "failing",
                fg_arena_printf(arena, "it could not be fetched: %s, %u %s%s", failure, n,
                                n == 1 ? "time" : "times in a row", was));
    else
        because(v, status >= 500 ? "server-error" : "refused",
                fg_arena_printf(arena, "%s: status %u, %u %s%s", meaning_of(status),
                                status, n, n == 1 ? "time" : "times in a row", was));
}

static void because_unfetched(struct fg_why *v, const struct fg_site_row *site)
{
    struct fg_standing standing;
    fg_standing_read(&standing, v->look, site, v->page.url, &v->page);
    if (standing.unfetched.word)
        because(v, standing.unfetched.word, standing.unfetched.words);
    else
        because(v, "waiting", FG_STR("it waits for its first fetch"));
}

static void because_waiting(struct fg_why *v)
{
    const struct fg_site_row *site = fg_look_site(v->look, v->page.site);
    struct fg_arena *arena = v->look->cli->arena;
    char ago[FG_AGO_TEXT];
    if (site && site->backoff_until != FG_NEVER && site->backoff_until > v->look->now)
        because(
            v, "backoff",
            fg_arena_printf(arena,
                            "it waits for its first fetch, and its host is backing off; "
                            "next request %s",
                            fg_ago(ago, v->look->now, site->backoff_until)));
    else if (site && fg_site_is_held(site))
        because(v, "robots",
                fg_arena_printf(arena,
                                "no request is made to its site: its robots.txt could "
                                "not be fetched ('forage fetch' tells why); next try %s",
                                fg_until(ago, v->look->now, site->robots_expires)));
    else
        because_unfetched(v, site);
}

static void because_alias(struct fg_why *v)
{
    v->leads_to = fg_look_target(v->look, &v->page, &v->target);
    because(v, "alias",
            v->leads_to.len
                ? fg_arena_printf(v->look->cli->arena, "it leads to %.*s%s",
                                  FG_ARG(v->leads_to),
                                  v->target.site ? "" : ", which is not watched")
                : FG_STR("it leads to a page that is not watched"));
}

static void because_cut(struct fg_why *v)
{
    struct fg_arena *arena = v->look->cli->arena;
    struct fg_cut cut;
    fg_cut_read(&cut, v->look->store, v->page.site, v->page.page);
    because(v, "cut",
            fg_arena_printf(arena,
                            "of its links were left out: %.*s; the others are too few "
                            "beyond those that every page of its site has",
                            FG_ARG(fg_cut_words(arena, cut))));
}

static void why_not(struct fg_why *v)
{
    const struct fg_page_row *page = &v->page;
    struct fg_arena *arena = v->look->cli->arena;
    struct fg_str other = fg_look_url(v->look, arena, page->site, page->alias_of);
    if (page->flags & FG_PAGE_ALIAS)
        because_alias(v);
    else if (page->flags & FG_PAGE_EXCLUDED)
        because_excluded(v);
    else if (page->flags & FG_PAGE_GONE)
        because(
            v, "gone",
            fg_arena_printf(arena, "it is gone: its last answer was %u", page->status));
    else if (page->failures)
        because_failing(v);
    else if (page->flags & FG_PAGE_NOFOLLOW)
        because(v, "nofollow",
                FG_STR("it asks that its links be not followed (nofollow), so it cannot "
                       "lead to new pages"));
    else if (page->flags & FG_PAGE_RETIRED)
        because(v, "retired",
                FG_STR("it was a source and was retired: its visits led to nothing new "
                       "for long, or it proved not to be a list of pages"));
    else if (page->flags & FG_PAGE_CANDIDATE)
        because(v, "candidate",
                FG_STR("it lists pages, but its site has as many sources as "
                       "crawl.max-sources allows; it waits for one to be retired"));
    else if (!page->visits)
        because_waiting(v);
    else if (page->flags & FG_PAGE_DUPLICATE)
        because(v, "duplicate",
                fg_arena_printf(arena, "its text is nearly that of %.*s",
                                FG_ARG(other.len ? other : FG_STR("another page"))));
    else if (page->flags & FG_PAGE_CUT)
        because_cut(v);
    else
        because(v, "article",
                FG_STR("it was read once, and shows too few links beyond those that "
                       "every page of its site has to be a list of pages"));
}

/* --- what the user said --- */

/* True if nothing is asked of it. */
static bool is_taken_back(struct fg_why *v)
{
    const struct fg_site_row *site = fg_look_site(v->look, v->page.site);
    if (site && fg_site_is_removed(site))
        because(v, "removed", FG_STR("its site was removed; 'forage add' begins anew"));
    else if (v->page.flags & FG_PAGE_REMOVED)
        because(v, "removed", FG_STR("it was removed; 'forage add' undoes that"));
    else if (site && fg_site_is_paused(site))
        because(v, "paused", FG_STR("its site is paused until 'forage resume'"));
    else if (v->page.flags & FG_PAGE_PAUSED)
        because(v, "paused", FG_STR("it is paused until 'forage resume'"));
    return v->cause != NULL;
}

/* As crawl/promise.c has it. */
static enum fg_status read_promise(struct fg_why *v, struct fg_err *err)
{
    const struct fg_site_row *site = fg_look_site(v->look, v->page.site);
    struct fg_site_rules rules = {0};
    fg_time own;
    v->promise = FG_NEVER;
    enum fg_status st =
        fg_store_promise(v->look->store, &own, v->page.site, v->page.page, err);
    bool is_feed = v->page.flags & FG_PAGE_FEED && v->page.flags & FG_PAGE_SOURCE;
    bool is_meant = is_feed || v->page.flags & (FG_PAGE_SEED | FG_PAGE_DOCUMENT);
    if (site)
        fg_site_rules_read(&rules, v->look->cli->arena, site->settings);
    fg_time all = v->look->cli->settings.crawl.at_least;
    if (st || (!own && !is_meant))
        return st;
    v->promise_by = own              ? "was promised for this page"
                    : rules.at_least ? "was promised for its site"
                                     : "by crawl.at-least";
    fg_time span = own ? own : rules.at_least ? rules.at_least : all;
    v->promise = span > 0 ? span : FG_NEVER;
    return FG_OK;
}

/* --- showing --- */

static double budget_a_tick(const struct fg_why *v)
{
    const json_t *status = v->look->status;
    const struct fg_crawl_options *settings = &v->look->cli->settings.crawl;
    double an_hour =
        status ? fg_look_number(status, "budget_per_hour") : settings->budget_per_hour;
    double tick = status ? fg_look_number(status, "tick_s") : fg_seconds(settings->tick);
    return an_hour * tick / 3600;
}

static void print_when(struct fg_why *v)
{
    struct fg_out *out = &v->look->cli->out;
    char a[FG_AGO_TEXT], b[FG_AGO_TEXT];
    fg_out_printf(out, "last visit     %s\n",
                  fg_ago(a, v->look->now, v->page.last_visit));
    fg_time tick =
        v->look->writer >= 0 ? fg_look_time(v->look->status, "next_tick") : FG_NEVER;
    if (v->expected != FG_NEVER && v->expected <= v->look->now)
        fg_out_printf(out, "next visit     due; every %s lately",
                      fg_gap_short(b, v->usual_gap));
    else if (v->expected != FG_NEVER)
        fg_out_printf(out, "next visit     %s, if it goes on as lately: every %s",
                      fg_ago(a, v->look->now, v->expected),
                      fg_gap_short(b, v->usual_gap));
    else
        fg_out_puts(out, "next visit     not known yet: it was visited less than twice");
    if (tick != FG_NEVER)
        fg_out_printf(out, "; the next tick is %s", fg_until(a, v->look->now, tick));
    fg_out_puts(out, "\n");
}

static void print_seen(struct fg_out *out, const struct fg_seen_changes *seen)
{
    if (!seen->visits)
        fg_out_puts(out, "rate           not known yet: it was read less than twice\n");
    else if (!seen->changed)
        fg_out_printf(out,
                      "rate           at most %.3g changes a day (95 %%): none of %zu "
                      "visits found one\n",
                      seen->high, seen->visits);
    else if (isinf(seen->high))
        fg_out_printf(out,
                      "rate           at least %.3g changes a day (95 %%): each of %zu "
                      "visits found one\n",
                      seen->low, seen->visits);
    else
        fg_out_printf(out,
                      "rate           %.4g changes a day (95 %%: %.3g to %.3g): %zu of "
                      "%zu visits found one\n",
                      seen->rate, seen->low, seen->high, seen->changed, seen->visits);
}

/* Is the rate that the policy speaks of how often the page changes? Then the visits
 * themselves are asked as well. */
static bool is_measured(const struct fg_why *v)
{
    return v->reason.rate_unit && strcmp(v->reason.rate_unit, "changes a day") == 0;
}

static void print_reason(struct fg_why *v)
{
    struct fg_out *out = &v->look->cli->out;
    const struct fg_reason *r = &v->reason;
    const struct fg_policy *policy = fg_mind_policy(v->mind);
    fg_out_printf(out, "policy         %s: %s\n", policy->name, policy->summary);
    if (policy->paper)
        fg_out_printf(out, "described in   %s\n", policy->paper);
    bool has_interval = r->high > r->low;
    bool is_rate = r->rate_unit && !has_interval && r->score == r->rate;
    fg_out_printf(out, "score          %.4g%s%s\n", r->score, is_rate ? " " : "",
                  is_rate ? r->rate_unit : "");
    if (is_measured(v)) {
        print_seen(out, &v->seen);
        fg_out_printf(out, "believed       %.4g changes a day, by the policy%s\n",
                      r->rate,
                      r->rate < v->seen.low || r->rate > v->seen.high
                          ? ": what it assumed at first still outweighs the visits"
                          : "");
    } else if (r->rate_unit && !has_interval && !is_rate)
        fg_out_printf(out, "rate           %.4g %s\n", r->rate, r->rate_unit);
    else if (has_interval)
        fg_out_printf(out, "rate           %.4g %s (95 %%: %.3g to %.3g)\n", r->rate,
                      r->rate_unit, r->low, r->high);
    bool is_weighted = r->observations != floor(r->observations);
    fg_out_printf(out, "observations   %.3g%s%s\n", r->observations,
                  is_weighted ? ", where older visits count less" : "",
                  v->is_known ? "" : " (the policy has not seen it yet)");
    print_when(v);
    fg_out_printf(out, "rank           %zu of %zu on its site, %zu of %zu in all",
                  v->rank, v->rivals, v->rank_all, v->rivals_all);
    if (v->picks > 0)
        fg_out_printf(out, "; a tick is good for %.3g requests", v->picks);
    fg_out_puts(out, "\n");
}

static void shown_range(const struct fg_why *v, size_t *first, size_t *end)
{
    size_t around = v->around;
    *first = v->rank > around + 1 ? v->rank - 1 - around : 0;
    *end = v->rank + around < v->site.len ? v->rank + around : v->site.len;
}

static struct fg_str url_of(const struct fg_why *v, struct fg_arena *arena, uint64_t id)
{
    return fg_look_url(v->look, arena, (fg_site_id)(id >> 32), (fg_page_id)id);
}

static void print_rivals(struct fg_why *v)
{
    struct fg_out *out = &v->look->cli->out;
    size_t first, end;
    shown_range(v, &first, &end);
    if (end - first < 2)
        return;
    fg_out_puts(out, "\ncompetes with\n");
    for (size_t i = first; i < end; i++) {
        fg_out_printf(out, "%s%4zu  %8.4g  ", i + 1 == v->rank ? " >" : "  ", i + 1,
                      v->site.at[i].score);
        struct fg_arena arena = {0};
        fg_out_text(out, url_of(v, &arena, v->site.at[i].id));
        fg_arena_clear(&arena);
        fg_out_puts(out, "\n");
    }
}

static const char *neither_words(const struct fg_page_row *page)
{
    const uint32_t ended = FG_PAGE_ALIAS | FG_PAGE_GONE | FG_PAGE_EXCLUDED |
                           FG_PAGE_REMOVED | FG_PAGE_PAUSED;
    if (page->flags & FG_PAGE_SEED && page->failures && !(page->flags & ended))
        return "a seed that fails: tried again, at least once a day";
    if (!page->visits && !(page->flags & ended))
        return "not fetched yet";
    return "neither a source nor a document: not visited again";
}

void fg_why_print(struct fg_why *v)
{
    struct fg_out *out = &v->look->cli->out;
    fg_out_printf(out, "is             %s\n",
                  v->is_source ? "a source: looked at for new pages"
                  : v->mind    ? "a document: kept fresh for its own sake"
                               : neither_words(&v->page));
    char span[FG_SPAN_TEXT];
    if (v->promise != FG_NEVER)
        fg_out_printf(out, "promise        a visit at least every %s %s\n",
                      fg_span_format(span, v->promise), v->promise_by);
    if (!v->mind) {
        fg_out_puts(out, "because        ");
        fg_out_text(out, v->words);
        fg_out_puts(out, "\n");
        char ago[FG_AGO_TEXT];
        if (!v->target.site || v->page.last_visit != FG_NEVER)
            fg_out_printf(out, "last visit     %s\n",
                          fg_ago(ago, v->look->now, v->page.last_visit));
        return;
    }
    print_reason(v);
    print_rivals(v);
}

static void json_policy(struct fg_json *json, struct fg_why *v)
{
    const struct fg_policy *policy = fg_mind_policy(v->mind);
    fg_json_pair_cstr(json, "policy", policy->name);
    fg_json_pair_cstr(json, "paper", policy->paper);
    fg_json_pair_bool(json, "is_known_to_policy", v->is_known);
    fg_json_pair_double(json, "score", v->reason.score);
    bool of_visits = is_measured(v) && v->seen.visits;
    fg_json_pair_double(json, "rate", of_visits ? v->seen.rate : v->reason.rate);
    fg_json_pair_double(json, "rate_low", of_visits ? v->seen.low : v->reason.low);
    fg_json_pair_double(json, "rate_high", of_visits ? v->seen.high : v->reason.high);
    fg_json_pair_double(json, "believed_rate", v->reason.rate);
    fg_json_pair_cstr(json, "rate_unit", v->reason.rate_unit);
    fg_json_pair_double(json, "observations", v->reason.observations);
    fg_json_pair_uint(json, "rank", v->rank);
    fg_json_pair_uint(json, "of", v->rivals);
    fg_json_pair_uint(json, "rank_in_all", v->rank_all);
    fg_json_pair_uint(json, "of_all", v->rivals_all);
    fg_json_pair_double(json, "requests_a_tick", v->picks);
    fg_json_pair_time(json, "next_visit_expected", v->expected);
    fg_json_pair_double(json, "usual_gap_s",
                        v->usual_gap == FG_NEVER ? (double)NAN
                                                 : fg_seconds(v->usual_gap));
    size_t first, end;
    shown_range(v, &first, &end);
    fg_json_key(json, "competes_with");
    fg_json_array(json);
    for (size_t i = first; i < end; i++) {
        struct fg_arena arena = {0};
        if (i + 1 == v->rank)
            continue;
        fg_json_object(json);
        fg_json_pair_uint(json, "rank", i + 1);
        fg_json_pair_double(json, "score", v->site.at[i].score);
        fg_json_pair(json, "url", url_of(v, &arena, v->site.at[i].id));
        fg_json_end(json);
        fg_arena_clear(&arena);
    }
    fg_json_end(json);
}

void fg_why_json(struct fg_json *json, struct fg_why *v)
{
    fg_json_pair(json, "url", v->page.url);
    fg_json_pair_cstr(json, "is",
                      v->is_source ? "source"
                      : v->mind    ? "document"
                                   : "neither");
    fg_json_pair_cstr(json, "cause", v->cause);
    fg_json_pair(json, "because", v->words);
    fg_json_pair_flags(json, "flags", v->page.flags);
    fg_json_pair_time(json, "last_visit", v->page.last_visit);
    fg_json_pair_uint(json, "visits", v->page.visits);
    fg_json_pair_double(json, "promise_s",
                        v->promise == FG_NEVER ? (double)NAN : fg_seconds(v->promise));
    if (v->leads_to.len)
        fg_json_pair(json, "leads_to", v->leads_to);
    if (v->mind)
        json_policy(json, v);
}

/* `there` is the page that an alias leads to, or NULL. */
/* --- asking --- */

static enum fg_status consult(struct fg_why *v, struct fg_err *err)
{
    struct fg_cli *cli = v->look->cli;
    enum fg_status st = fg_crawl_recall_mind(&v->mind, v->look->store,
                                             &cli->settings.crawl, v->is_source, err);
    if (st == FG_ENOTFOUND)
        return fg_fail(
            err, st, "no policy has run on this workspace yet; 'forage run' starts one");
    if (st)
        return st;
    rank(v);
    v->picks = budget_a_tick(v);
    return expect(v, err);
}

enum fg_status fg_why_ask(struct fg_why *v, struct fg_err *err)
{
    enum fg_status st = read_promise(v, err);
    if (st || is_taken_back(v))
        return st;
    v->is_source = v->page.flags & FG_PAGE_SOURCE;
    if (v->is_source || (v->page.flags & FG_PAGE_DOCUMENT))
        return consult(v, err);
    why_not(v);
    return FG_OK;
}

void fg_why_clear(struct fg_why *v)
{
    fg_mind_free(v->mind);
    v->mind = NULL;
}
