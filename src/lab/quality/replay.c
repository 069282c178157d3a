#include "lab/quality/replay.h"

#include "base/memory.h"
#include "lab/quality/foresee.h"
#include "lab/quality/repository.h"
#include "lab/replay.h"
#include "policy/mind.h"

#include <math.h>
#include <stdlib.h>

enum { REBUILT_EVERY = 4, TOLD_EVERY = 13 };
#define WEEK (7 * FG_DAY)

struct replay {
    const struct fg_corpus *corpus;
    const struct fg_quality_rules *rules;
    struct fg_quality_outcome *outcome;
    struct fg_repository *repository;
    struct fg_mind *mind;
    size_t *live; /* version by page, kept here so that the next is looked at only */
};

static fg_time time_of(size_t week)
{
    return (fg_time)week * WEEK;
}

static size_t page_at(const struct replay *r, size_t row)
{
    return (size_t)fg_mind_world(r->mind)->id[row];
}

/* --- what the policy is told --- */

/* Of the whole history, if it may see it. Ticks are weeks. */
static double known(void *context, size_t row, enum fg_foreknown what, double tau)
{
    const struct replay *r = context;
    const struct fg_corpus *c = r->corpus;
    size_t page = page_at(r, row);
    enum fg_measure measure =
        what == FG_KNOWN_GAIN_QUERIES ? FG_MEASURE_QUERIES : FG_MEASURE_PRINTED;
    switch (what) {
    case FG_KNOWN_GAIN:
    case FG_KNOWN_GAIN_QUERIES:
        return (double)(c->worth[measure][0][page] + c->worth[measure][1][page]) /
               (double)(c->weeks - 1);
    case FG_KNOWN_GAIN_MEAN:
        return (double)c->mean_rate[measure][page];
    case FG_KNOWN_CHANGES:
        return fg_corpus_changes(c, page, tau);
    case FG_KNOWN_RUINED:
        return fg_corpus_ruined(c, page, tau);
    case FG_KNOWN_INSPECTED:
        return (double)c->inspected[page];
    }
    return NAN;
}

static void tell_exposures(struct replay *r)
{
    for (size_t row = 0; row < r->corpus->n; row++) {
        float exposure = (float)fg_repository_exposure(r->repository, page_at(r, row));
        fg_mind_tell(r->mind, row, FG_TOLD_EXPOSURE, exposure);
        fg_mind_weigh(r->mind, row, exposure);
    }
}

static void visit(struct replay *r, size_t row, size_t week)
{
    size_t page = page_at(r, row), copy = fg_repository_copy(r->repository, page);
    size_t live = fg_repository_live(r->repository, page);
    struct fg_visit visit = {.page = row,
                             .now = time_of(week),
                             .ok = true,
                             .changed = week == 0 || copy != live,
                             .modified = FG_NEVER,
                             .cost = 1,
                             .is_measured = true};
    if (copy != live) {
        visit.distance = (float)fg_corpus_distance(r->corpus, copy, live);
        visit.gain =
            (float)fg_repository_measure(r->repository, page, FG_MEASURE_QUERIES);
        visit.gain_printed =
            (float)fg_repository_measure(r->repository, page, FG_MEASURE_PRINTED);
        fg_repository_fetch(r->repository, page);
        r->outcome->found++;
    }
    if (r->rules->fetched)
        r->rules->fetched[live] = true;
    fg_mind_observe(r->mind, &visit);
}

/* --- weeks --- */

struct turn {
    uint32_t page;
    uint64_t order, id;
};

static int by_order(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* The frame gives equal scores to the lower row: pages have rows in an order of their
 * own, lest it be that of sites. */
static void add_pages(struct replay *r)
{
    const struct fg_corpus *c = r->corpus;
    struct turn *turns = fg_zeroed(c->n, sizeof *turns);
    for (size_t page = 0; page < c->n; page++)
        turns[page] = (struct turn){(uint32_t)page, (uint64_t)c->id[page] * 7919 % 10007,
                                    c->id[page]};
    qsort(turns, c->n, sizeof *turns, by_order);
    for (size_t i = 0; i < c->n; i++)
        fg_mind_add(r->mind, turns[i].page, c->site[turns[i].page], 0);
    free(turns);
    fg_mind_tick(r->mind, WEEK);
    fg_mind_budget(r->mind, r->rules->share * (double)c->n);
    tell_exposures(r);
    for (size_t row = 0; row < c->n; row++)
        visit(r, row, 0);
}

static void change_pages(struct replay *r, size_t week)
{
    const struct fg_corpus *c = r->corpus;
    for (size_t page = 0; page < c->n; page++) {
        size_t next = r->live[page] + 1;
        if (next < c->first[page + 1] && c->week[next] == week) {
            r->live[page] = next;
            fg_repository_change(r->repository, page, next);
        }
    }
}

/* Of a budget B a week: floor(tB) in t weeks, but for rounding. */
static size_t visits_in(const struct replay *r, size_t week)
{
    double each = r->rules->share * (double)r->corpus->n;
    return (size_t)(floor((double)week * each + 1e-9) -
                    floor((double)(week - 1) * each + 1e-9));
}

static void run_week(struct replay *r, size_t week, struct fg_pick *picks)
{
    struct fg_quality_outcome *o = r->outcome;
    change_pages(r, week);
    if (week % REBUILT_EVERY == 0)
        fg_repository_rebuild(r->repository);
    if (week % TOLD_EVERY == 0)
        tell_exposures(r);
    size_t budget = visits_in(r, week);
    size_t n = budget ? fg_mind_choose(r->mind, time_of(week), budget, picks) : 0;
    for (size_t i = 0; i < n; i++) {
        o->choices = o->choices * 1000003 + page_at(r, picks[i].page) + 1;
        visit(r, picks[i].page, week);
    }
    o->visits += n;
    if (week >= r->rules->warm_up) {
        fg_repository_judge(r->repository);
        o->worth += fg_repository_worth(r->repository);
        o->perfect += r->corpus->perfect[week];
    }
}

static void run(struct replay *r)
{
    struct fg_pick *picks = fg_zeroed(r->corpus->n, sizeof *picks);
    add_pages(r);
    for (size_t week = 1; week < r->corpus->weeks; week++)
        run_week(r, week, picks);
    free(picks);
}

enum fg_status fg_quality_replay(struct fg_quality_outcome *outcome,
                                 const struct fg_corpus *corpus,
                                 const struct fg_policy *policy,
                                 const struct fg_quality_rules *rules, struct fg_err *err)
{
    *outcome = (struct fg_quality_outcome){0};
    struct replay r = {.corpus = corpus, .rules = rules, .outcome = outcome};
    r.mind = fg_mind_new(policy, rules->seed);
    enum fg_status st = fg_knobs_set(r.mind, rules->knobs, rules->n_knobs, err);
    struct fg_foresight foresight = {.context = &r, .known = known};
    if (!st) {
        fg_mind_foresee(r.mind, &foresight);
        r.repository = fg_repository_new(corpus, policy->measures_terms);
        r.live = fg_zeroed(corpus->n, sizeof *r.live);
        for (size_t page = 0; page < corpus->n; page++)
            r.live[page] = corpus->first[page];
        run(&r);
        fg_repository_free(r.repository);
        free(r.live);
    }
    fg_mind_free(r.mind);
    return st;
}
