#include "view/why.h"

#include "crawl/intake/control.h"
#include "crawl/pricing.h"
#include "crawl/reading/cut.h"
#include "crawl/sites/site_rules.h"
#include "learn/change_rate.h"
#include "net/facts/kind.h"
#include "net/robots/rules.h"
#include "net/url/canonical.h"
#include "policy/mind.h"
#include "store/visit.h"
#include "view/ago.h"
#include "view/standing.h"
#include "view/view.h"

#include <math.h>
#include <stdlib.h>

struct rival {
    uint64_t id;
    double score;
};

/* What the visits of a page say of its rate, whatever the policy believes. */
struct seen {
    size_t visits, changed; /* that could tell: all answered ones but the first */
    double rate, low, high; /* changes a day: likeliest, and 95 %; INFINITY: no bound */
};

struct asked {
    const struct fg_look *look;
    struct fg_page_row page;
    struct fg_mind *mind;     /* NULL: nobody chooses from this page */
    bool is_source, is_known; /* known to the policy */
    struct fg_reason reason;
    double worth, price, cost;   /* NaN where there are shares, or no price yet */
    struct seen seen;            /* of a document */
    size_t rank, rivals;         /* among those of its site, from 1 */
    size_t rank_all, rivals_all; /* among all */
    double picks;                /* pages that a tick's budget is good for; 0: all */
    FG_VEC(struct rival) site;   /* best first */
    fg_time usual_gap;           /* between two visits lately, or FG_NEVER */
    fg_time expected;            /* the next visit, or FG_NEVER */
    fg_time promise;             /* longest time between two visits, or FG_NEVER */
    const char *promise_by;      /* whose it is */
    struct fg_str leads_to;
    struct fg_page_row target;
    const char *cause;
    struct fg_str words;
    /* as shown: */
    const char *policy, *paper;
    struct seen shown;             /* the visits' rate, or the policy's */
    struct fg_rows others, around; /* those it competes with, without it and with it */
    struct fg_str policy_words, score_words, rate_words, believed_words,
        observations_words, last_visit, next_visit, rank_words;
};

/* --- ranks --- */

static int best_first(const void *a, const void *b)
{
    const struct rival *x = a, *y = b;
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

static void rank(struct asked *v)
{
    uint64_t own = id_of(&v->page);
    size_t row = fg_mind_row(v->mind, own);
    v->is_known = row != FG_NO_ROW;
    if (!v->is_known) /* admitted after the state was saved: as the policy will see it */
        row = fg_mind_add(v->mind, own, v->page.site, v->page.first_seen);
    fg_mind_explain(v->mind, v->look->now, row, &v->reason);
    v->cost = fg_mind_cost(v->mind, row);
    const struct fg_world *world = fg_mind_world(v->mind);
    v->rank_all = 1;
    v->rivals_all = world->n;
    for (size_t i = 0; i < world->n; i++) {
        struct rival rival = {world->id[i], score_of(v->mind, v->look->now, i)};
        v->rank_all += rival.score > v->reason.score;
        if (world->id[i] >> 32 == v->page.site)
            fg_vec_push_in(v->look->texts, &v->site, rival);
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
    if (fg_visit_failed(visit))
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
static void measure(struct seen *seen, const struct lately *lately)
{
    seen->visits = lately->intervals.len;
    for (size_t i = 0; i < seen->visits; i++)
        seen->changed += lately->intervals.at[i].changed;
    seen->rate = fg_rate_likeliest(lately->intervals.at, seen->visits);
    fg_rate_interval(lately->intervals.at, seen->visits, &seen->low, &seen->high);
}

/* No policy promises a time. What the last visits did is the best guess there is. */
static enum fg_status expect(struct asked *v, struct fg_err *err)
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

static void because(struct asked *v, const char *cause, struct fg_str words)
{
    v->cause = cause;
    v->words = words;
}

static void because_excluded(struct asked *v)
{
    const struct fg_site_row *site = fg_look_site(v->look, v->page.site);
    struct fg_arena *arena = v->look->texts;
    struct fg_rule rule = {0};
    if (site && site->robots.len) {
        const struct fg_robots *robots =
            fg_robots_parse(arena, site->robots, v->look->place.settings->robots_token);
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
static const char *held_words(const struct asked *v)
{
    const struct fg_site_row *site = fg_look_site(v->look, v->page.site);
    if (site && fg_site_is_held(site))
        return "robots.txt of its host could not be fetched; it is tried again";
    return "its host was backing off after errors or at its own request; it is tried "
           "again";
}

/* Its last visits failed, whatever it was before. */
static void because_failing(struct asked *v)
{
    struct fg_arena *arena = v->look->texts;
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

static void because_unfetched(struct asked *v, const struct fg_site_row *site)
{
    struct fg_standing standing;
    fg_standing_read(&standing, v->look, site, v->page.url, &v->page);
    if (standing.unfetched.word)
        because(v, standing.unfetched.word, standing.unfetched.words);
    else
        because(v, "waiting", FG_STR("it waits for its first fetch"));
}

static void because_waiting(struct asked *v)
{
    const struct fg_site_row *site = fg_look_site(v->look, v->page.site);
    struct fg_arena *arena = v->look->texts;
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

static void because_alias(struct asked *v)
{
    v->leads_to = fg_look_target(v->look, &v->page, &v->target);
    because(v, "alias",
            v->leads_to.len
                ? fg_arena_printf(v->look->texts, "it leads to %.*s%s",
                                  FG_ARG(v->leads_to),
                                  v->target.site ? "" : ", which is not watched")
                : FG_STR("it leads to a page that is not watched"));
}

static void because_cut(struct asked *v)
{
    struct fg_arena *arena = v->look->texts;
    struct fg_cut cut;
    fg_cut_read(&cut, v->look->store, v->page.site, v->page.page);
    because(v, "cut",
            fg_arena_printf(arena,
                            "of its links were left out: %.*s; the others are too few "
                            "beyond those that every page of its site has",
                            FG_ARG(fg_cut_words(arena, cut))));
}

/* A list like many others. True if it is one. */
static bool because_in_maze(struct asked *v)
{
    struct fg_standing standing;
    if (!(v->page.flags & FG_PAGE_LIST) || !v->page.visits)
        return false;
    fg_standing_read(&standing, v->look, fg_look_site(v->look, v->page.site), v->page.url,
                     &v->page);
    if (standing.is_in_maze)
        because(
            v, "maze",
            fg_arena_printf(v->look->texts,
                            "it is a list, and what the lists of its family (%s) show "
                            "others show as well",
                            standing.family.text));
    return standing.is_in_maze;
}

/* The conditions of source_consider, as far as they can be told afterwards. */
static void because_list(struct asked *v)
{
    fg_time span = 0, day = fg_address_date(v->page.url, &span);
    if (day != FG_NEVER && day + span <= v->page.first_seen)
        because(v, "archive",
                FG_STR("it is the archive of a time that was over when it was found"));
    else if (fg_address_is_continuation(v->page.url))
        because(v, "further",
                FG_STR("it is a further page of a list: what is new comes to the first"));
    else
        because(v, "list",
                FG_STR("it is a list, and what it shows is too little beyond what every "
                       "page of its site has, or is on another list that is watched"));
}

static void why_not(struct asked *v)
{
    const struct fg_page_row *page = &v->page;
    struct fg_arena *arena = v->look->texts;
    struct fg_str other = fg_look_url(v->look, arena, page->site, page->alias_of);
    if (page->flags & FG_PAGE_ALIAS)
        because_alias(v);
    else if (page->flags & FG_PAGE_EXCLUDED)
        because_excluded(v);
    else if (page->flags & FG_PAGE_GONE)
        because(
            v, "gone",
            fg_arena_printf(arena, "it is gone: its last answer was %u", page->status));
    else if (fg_canonical_is_part(page->url))
        because(v, "part",
                FG_STR("a feed names it as a part of another page: there is nothing of "
                       "its own to be fetched"));
    else if (page->failures)
        because_failing(v);
    else if (page->flags & FG_PAGE_NOFOLLOW)
        because(v, "nofollow",
                FG_STR("it asks that its links be not followed (nofollow), so it cannot "
                       "lead to new pages"));
    else if (because_in_maze(v))
        return;
    else if (page->flags & FG_PAGE_RETIRED)
        because(v, "retired",
                page->visits >= 48 /* as source_review has it */
                    ? FG_STR("it was a source and was retired: its visits led to nothing "
                             "new for long")
                    : FG_STR("it was taken for a list and given up: it shows fewer than "
                             "6 pages beyond what every page of its site has, or only "
                             "views of itself; 'forage add' has it watched"));
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
    else if (page->flags & FG_PAGE_LIST)
        because_list(v);
    else
        because(v, "article",
                FG_STR("it was read once, and shows too few links beyond those that "
                       "every page of its site has to be a list of pages"));
}

/* --- what the user said --- */

/* True if nothing is asked of it. */
static bool is_taken_back(struct asked *v)
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

/* As crawl/documents/promise.c has it. */
static enum fg_status read_promise(struct asked *v, struct fg_err *err)
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
        fg_site_rules_read(&rules, v->look->texts, site->settings);
    fg_time all = v->look->place.settings->budget.at_least;
    if (st || (!own && !is_meant))
        return st;
    v->promise_by = own              ? "was promised for this page"
                    : rules.at_least ? "was promised for its site"
                                     : "by crawl.at-least";
    fg_time span = own ? own : rules.at_least ? rules.at_least : all;
    v->promise = span > 0 ? span : FG_NEVER;
    return FG_OK;
}

/* --- fields --- */

struct competitor {
    const char *mark;
    size_t rank;
    double score;
    struct fg_str url;
};

#define C struct competitor
static const struct fg_field competitor_fields[] = {
    {NULL, "", FG_AS_WORD(C, mark)},
    {"rank", "rank", FG_AS_COUNT(C, rank), .help = "among those of its site, from 1"},
    {"score", "score", FG_AS_NUMBER(C, score), .help = "what the policy gives it"},
    {"url", "url", FG_AS_URL(C, url)},
    {0},
};
#undef C

#define O struct asked
static const struct fg_field policy_fields[] = {
    {"policy", NULL, FG_AS_WORD(O, policy), .help = "that chooses from pages like it"},
    {NULL, "policy", FG_AS_TEXT(O, policy_words)},
    {"paper", "described in", FG_AS_WORD(O, paper), .help = "where it is described"},
    {"is_known_to_policy", NULL, FG_AS_YES(O, is_known), .help = "it has seen the page"},
    {"score", NULL, FG_AS_NUMBER(O, reason.score), .help = "by which pages are ranked"},
    {NULL, "score", FG_AS_TEXT(O, score_words)},
    {"worth", "worth", FG_AS_NUMBER(O, worth), .help = "new pages; see crawl.worth"},
    {"price", "price", FG_AS_NUMBER(O, price), .help = "that its worth must reach"},
    {"cost", "cost", FG_AS_NUMBER(O, cost), .help = "of a fetch; see crawl.costs"},
    {"rate", NULL, FG_AS_NUMBER(O, shown.rate), .help = "of what `rate_unit` says"},
    {"rate_low", NULL, FG_AS_NUMBER(O, shown.low), .help = "95 % interval of the rate"},
    {"rate_high", NULL, FG_AS_NUMBER(O, shown.high), .help = "95 % interval of the rate"},
    {"believed_rate", NULL, FG_AS_NUMBER(O, reason.rate),
     .help = "the policy's, with its prior"},
    {"rate_unit", NULL, FG_AS_WORD(O, reason.rate_unit), .help = "such as changes a day"},
    {NULL, "rate", FG_AS_TEXT(O, rate_words)},
    {NULL, "believed", FG_AS_TEXT(O, believed_words)},
    {"observations", NULL, FG_AS_NUMBER(O, reason.observations),
     .help = "the evidence for it"},
    {NULL, "observations", FG_AS_TEXT(O, observations_words)},
    {NULL, "last visit", FG_AS_TEXT(O, last_visit)},
    {NULL, "next visit", FG_AS_TEXT(O, next_visit)},
    {"rank", NULL, FG_AS_COUNT(O, rank), .help = "on its site, from 1"},
    {"of", NULL, FG_AS_COUNT(O, rivals), .help = "pages of its site that compete"},
    {"rank_in_all", NULL, FG_AS_COUNT(O, rank_all), .help = "of all sites, from 1"},
    {"of_all", NULL, FG_AS_COUNT(O, rivals_all),
     .help = "pages of all sites that compete"},
    {"requests_a_tick", NULL, FG_AS_NUMBER(O, picks),
     .help = "that the budget allows; 0: any"},
    {NULL, "rank", FG_AS_TEXT(O, rank_words)},
    {"next_visit_expected", NULL, FG_AS_TIME(O, expected),
     .help = "if it goes on as lately"},
    {"usual_gap_s", NULL, FG_AS_SPAN(O, usual_gap), .unit = "s",
     .help = "between two visits lately"},
    {"competes_with", NULL, FG_AS_ROWS(O, others, competitor_fields),
     .help = "those before and behind it in rank"},
    {NULL, "competes with", FG_AS_ROWS(O, around, competitor_fields)},
    {0},
};
#undef O

#define W struct fg_why
const struct fg_field fg_why_fields[] = {
    {"url", NULL, FG_AS_URL(W, page.url), .help = "in its normal form"},
    {"is", NULL, FG_AS_WORD(W, is), .help = "source, document or neither"},
    {NULL, "is", FG_AS_WORD(W, is_words)},
    {NULL, "promise", FG_AS_TEXT(W, promise_words)},
    {"cause", NULL, FG_AS_WORD(W, cause),
     .help = "why nobody chooses from it, in a word"},
    {"because", "because", FG_AS_TEXT(W, words), .help = "the same in words"},
    {"flags", NULL, FG_AS_FLAGS(W, page.flags, fg_flag_word), .help = "what it is"},
    {"last_visit", NULL, FG_AS_TIME(W, page.last_visit)},
    {NULL, "last visit", FG_AS_TEXT(W, last_visit)},
    {"visits", NULL, FG_AS_COUNT(W, page.visits), .help = "so far"},
    {"promise_s", NULL, FG_AS_SPAN(W, promise), .unit = "s",
     .help = "longest time between two visits"},
    {"leads_to", NULL, FG_AS_URL(W, leads_to), .is_optional = true,
     .is_null_if_empty = true,
     .help = "where it redirects, or what it names as canonical"},
    {NULL, "", FG_AS_RECORD_AT(W, policy, policy_fields)},
    {0},
};
#undef W

/* --- words --- */

static double budget_a_tick(const struct asked *v)
{
    const json_t *status = v->look->status;
    const struct fg_crawl_options *settings = v->look->place.settings;
    double an_hour =
        status ? fg_look_number(status, "budget_per_hour") : settings->budget.per_hour;
    double tick =
        status ? fg_look_number(status, "tick_s") : fg_seconds(settings->budget.tick);
    return an_hour * tick / 3600;
}

static struct fg_str ago_of(const struct asked *v, fg_time time)
{
    char ago[FG_AGO_TEXT];
    return fg_arena_dup(v->look->texts, fg_str_from(fg_ago(ago, v->look->now, time)));
}

static struct fg_str next_visit_words(const struct asked *v)
{
    struct fg_arena *arena = v->look->texts;
    char a[FG_AGO_TEXT], b[FG_AGO_TEXT];
    fg_time tick =
        v->look->writer >= 0 ? fg_look_time(v->look->status, "next_tick") : FG_NEVER;
    struct fg_str words = FG_STR("not known yet: it was visited less than twice");
    if (v->expected != FG_NEVER && v->expected <= v->look->now)
        words =
            fg_arena_printf(arena, "due; every %s lately", fg_gap_short(b, v->usual_gap));
    else if (v->expected != FG_NEVER)
        words = fg_arena_printf(arena, "%s, if it goes on as lately: every %s",
                                fg_ago(a, v->look->now, v->expected),
                                fg_gap_short(b, v->usual_gap));
    if (tick != FG_NEVER)
        words = fg_arena_printf(arena, "%.*s; the next tick is %s", FG_ARG(words),
                                fg_until(a, v->look->now, tick));
    return words;
}

static struct fg_str seen_words(struct fg_arena *arena, const struct seen *seen)
{
    if (!seen->visits)
        return FG_STR("not known yet: it was read less than twice");
    if (!seen->changed)
        return fg_arena_printf(
            arena, "at most %.3g changes a day (95 %%): none of %zu visits found one",
            seen->high, seen->visits);
    if (isinf(seen->high))
        return fg_arena_printf(
            arena, "at least %.3g changes a day (95 %%): each of %zu visits found one",
            seen->low, seen->visits);
    return fg_arena_printf(arena,
                           "%.4g changes a day (95 %%: %.3g to %.3g): %zu of %zu visits "
                           "found one",
                           seen->rate, seen->low, seen->high, seen->changed,
                           seen->visits);
}

/* Is the rate that the policy speaks of how often the page changes? Then the visits
 * themselves are asked as well. */
static bool is_measured(const struct asked *v)
{
    return v->reason.rate_unit && strcmp(v->reason.rate_unit, "changes a day") == 0;
}

static void say_rate(struct asked *v)
{
    struct fg_arena *arena = v->look->texts;
    const struct fg_reason *r = &v->reason;
    bool has_interval = r->high > r->low;
    bool is_rate = r->rate_unit && !has_interval && r->score == r->rate;
    v->score_words = fg_arena_printf(arena, "%.4g%s%s", r->score, is_rate ? " " : "",
                                     is_rate ? r->rate_unit : "");
    if (is_measured(v)) {
        v->rate_words = seen_words(arena, &v->seen);
        v->believed_words =
            fg_arena_printf(arena, "%.4g changes a day, by the policy%s", r->rate,
                            r->rate < v->seen.low || r->rate > v->seen.high
                                ? ": what it assumed at first still outweighs the visits"
                                : "");
    } else if (r->rate_unit && !has_interval && !is_rate) {
        v->rate_words = fg_arena_printf(arena, "%.4g %s", r->rate, r->rate_unit);
    } else if (has_interval) {
        v->rate_words = fg_arena_printf(arena, "%.4g %s (95 %%: %.3g to %.3g)", r->rate,
                                        r->rate_unit, r->low, r->high);
    }
}

static void show_rivals(struct asked *v, size_t around)
{
    size_t first = v->rank > around + 1 ? v->rank - 1 - around : 0;
    size_t end = v->rank + around < v->site.len ? v->rank + around : v->site.len;
    FG_VEC(struct competitor) all = {0}, others = {0};
    struct fg_arena *arena = v->look->texts;
    for (size_t i = first; i < end; i++) {
        uint64_t id = v->site.at[i].id;
        bool is_own = i + 1 == v->rank;
        struct competitor one = {
            is_own ? ">" : "", i + 1, v->site.at[i].score,
            fg_look_url(v->look, arena, (fg_site_id)(id >> 32), (fg_page_id)id)};
        fg_vec_push_in(arena, &all, one);
        if (!is_own)
            fg_vec_push_in(arena, &others, one);
    }
    v->others = FG_ROWS_FROM(others);
    if (all.len > 1)
        v->around = FG_ROWS_FROM(all);
}

static void say_policy(struct asked *v, size_t around)
{
    struct fg_arena *arena = v->look->texts;
    const struct fg_policy *policy = fg_mind_policy(v->mind);
    const struct fg_reason *r = &v->reason;
    bool is_weighted = r->observations != floor(r->observations);
    v->policy = policy->name;
    v->paper = policy->paper;
    v->shown = is_measured(v) && v->seen.visits
                   ? v->seen
                   : (struct seen){.rate = r->rate, .low = r->low, .high = r->high};
    v->policy_words = fg_arena_printf(arena, "%s: %s", policy->name, policy->summary);
    v->observations_words =
        fg_arena_printf(arena, "%.3g%s%s", r->observations,
                        is_weighted ? ", where older visits count less" : "",
                        v->is_known ? "" : " (the policy has not seen it yet)");
    v->last_visit = ago_of(v, v->page.last_visit);
    v->next_visit = next_visit_words(v);
    v->rank_words = fg_arena_printf(arena, "%zu of %zu on its site, %zu of %zu in all",
                                    v->rank, v->rivals, v->rank_all, v->rivals_all);
    if (v->picks > 0)
        v->rank_words = fg_arena_printf(arena, "%.*s; a tick is good for %.3g requests",
                                        FG_ARG(v->rank_words), v->picks);
    v->worth = pricing_worth(v->look->place.settings, v->mind, v->is_source, r->score);
    v->price = fg_look_number(v->look->status, "price");
    v->price = v->price > 0 ? v->price : NAN;
    say_rate(v);
    show_rivals(v, around);
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

static const struct fg_why *show(struct asked *v, size_t around)
{
    struct fg_arena *arena = v->look->texts;
    struct fg_why *why = FG_NEW(arena, struct fg_why, 1);
    char span[FG_SPAN_TEXT];
    if (v->mind)
        say_policy(v, around);
    *why = (struct fg_why){
        .page = v->page,
        .is = v->is_source ? "source"
              : v->mind    ? "document"
                           : "neither",
        .is_words = v->is_source ? "a source: looked at for new pages"
                    : v->mind    ? "a document: kept fresh for its own sake"
                                 : neither_words(&v->page),
        .promise = v->promise,
        .cause = v->cause,
        .words = v->words,
        .leads_to = v->leads_to,
        .target = v->target,
        .policy = v->mind ? v : NULL,
    };
    if (v->promise != FG_NEVER)
        why->promise_words =
            fg_arena_printf(arena, "a visit at least every %s %s",
                            fg_span_format(span, v->promise), v->promise_by);
    if (!v->mind && (!v->target.site || v->page.last_visit != FG_NEVER))
        why->last_visit = ago_of(v, v->page.last_visit);
    return why;
}

/* --- asking --- */

static enum fg_status consult(struct asked *v, struct fg_err *err)
{
    enum fg_status st = fg_crawl_recall_mind(&v->mind, v->look->store,
                                             v->look->place.settings, v->is_source, err);
    if (st == FG_ENOTFOUND)
        return fg_fail(
            err, st, "no policy has run on this workspace yet; 'forage run' starts one");
    if (st)
        return st;
    rank(v);
    v->picks = budget_a_tick(v);
    return expect(v, err);
}

enum fg_status fg_why_read(const struct fg_why **why, const struct fg_look *look,
                           const struct fg_page_row *page, size_t around,
                           struct fg_err *err)
{
    struct asked *v = FG_NEW(look->texts, struct asked, 1);
    v->look = look;
    v->page = *page;
    v->worth = v->price = v->cost = NAN;
    enum fg_status st = read_promise(v, err);
    if (!st && !is_taken_back(v)) {
        v->is_source = page->flags & FG_PAGE_SOURCE;
        if (v->is_source || (page->flags & FG_PAGE_DOCUMENT))
            st = consult(v, err);
        else
            why_not(v);
    }
    if (!st)
        *why = show(v, around);
    fg_mind_free(v->mind);
    return st;
}

/* --- the view --- */

struct question {
    int64_t around;
};

static const struct fg_opt question[] = {
    {"around", FG_INT(struct question, around), "3", .letter = 'n', .min = 0, .max = 1e5,
     .help = "pages shown before and behind it in rank"},
    {0},
};

struct answer {
    const struct fg_why *why;
    const struct answer *target; /* what an alias leads to, or NULL */
};

static const struct fg_field why_fields[] = {
    {NULL, "", FG_AS_URL(struct fg_why, page.url), .is_title = true},
    {NULL, "", .of = fg_why_fields, .type = FG_FIELD_RECORD}, /* the same struct */
    {0},
};
static const struct fg_field fields[] = {
    {NULL, "", FG_AS_RECORD_AT(struct answer, why, why_fields)},
    {"target", "", FG_AS_RECORD_AT(struct answer, target, fields), .is_title = true,
     .is_optional = true, .help = "the same of the page that an alias leads to"},
    {0},
};

/* Of an alias, the page it leads to is what people want to know about. */
static enum fg_status ask(const void **answer, const struct fg_asking *ask,
                          struct fg_err *err)
{
    const struct question *q = ask->question;
    struct fg_page_row page;
    struct answer *made = FG_NEW(ask->look->texts, struct answer, 2);
    enum fg_status st = fg_look_find_page(ask->look, ask->subject, &page, err);
    if (!st)
        st = fg_why_read(&made[0].why, ask->look, &page, (size_t)q->around, err);
    if (!st && made[0].why->target.site) {
        made[0].target = &made[1];
        st = fg_why_read(&made[1].why, ask->look, &made[0].why->target, (size_t)q->around,
                         err);
    }
    *answer = made;
    return st;
}

static const struct fg_view_example examples[] = {
    {"https://news.example/politics/", "what the policy believes of it, and its rank"},
    {"https://news.example/private/x", "why a page is not looked at"},
    {"https://news.example/ --json", "for a script"},
    {0},
};

const struct fg_view fg_view_why = {
    .name = "why",
    .subject = "URL",
    .summary = "show why a page is, or is not, looked at again, and when",
    .about =
        "Asks the policy what it believes of a page: its score, the rate at which it "
        "leads to new pages, or as a document changes, with a 95 % interval, how much "
        "evidence that stands on, its rank among the sources or documents of its site "
        "and the ones it competes with. For "
        "a page that is not looked at again, the reason; for one that leads to another, "
        "the same of that page. Works while a crawl runs; "
        "the policy's state is then at most a tick old, and the visits since are "
        "added.",
    .question = question,
    .question_size = sizeof(struct question),
    .settings = "workspace policy crawl.budget crawl.tick crawl.worth crawl.fresh-hour",
    .examples = examples,
    .answer = FG_RECORD_OF(fields),
    .ask = ask,
};
