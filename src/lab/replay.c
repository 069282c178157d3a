/* How it is cheap: nothing is done for a link that stays where it is. Each source has the
 * list of what it shows now, and a log of the pairs that came or went since the policy's
 * last visit; a visit settles the log against what that visit had shown. So a replay
 * costs a few nanoseconds an arrival or departure, and nothing an observation. */
#include "lab/replay.h"

#include "base/memory.h"

#include "policy/mind.h"

#include <stdlib.h>
#include <string.h>

/* What a source shows now, and which of its pairs were touched since its last visit. */
struct page {
    uint64_t *link; /* target numbers */
    uint32_t *pair; /* the pair behind each */
    size_t n, room;
    uint32_t *touched;
    size_t n_touched, touched_room;
};

enum { SHOWN = 1, TOUCHED = 2 }; /* flags of a pair */

struct fg_replaying {
    const struct fg_site *site;
    const struct fg_replay_rules *rules;
    struct fg_replay_outcome *outcome;
    struct fg_mind *mind;
    struct fg_foresight foresight;
    struct page *pages;
    uint32_t *place;                /* by pair: where in its page's list, or UINT32_MAX */
    uint8_t *flags;                 /* by pair */
    uint32_t *found_at;             /* by target: the step, or FG_SITE_NO_STEP */
    uint64_t *added, *fresh, *gone; /* of the visit at hand */
    size_t changes_room;
    uint64_t *unknown; /* what foresight last told */
    size_t unknown_room;
    uint32_t found;
    size_t step, n_first;
};

static void *grown(void *at, size_t *room, size_t wanted, size_t bytes)
{
    if (wanted <= *room)
        return at;
    size_t wider = *room ? *room * 2 : 16;
    wider = wider < wanted ? wanted : wider;
    void *moved = fg_resized(at, wider, bytes);
    *room = wider;
    return moved;
}

/* --- the site moves on --- */

static void arrive(struct fg_replaying *r, struct page *page, uint32_t pair)
{
    if (page->n == page->room) {
        size_t room = page->room;
        page->link = grown(page->link, &room, page->n + 1, sizeof *page->link);
        page->pair = grown(page->pair, &page->room, page->n + 1, sizeof *page->pair);
    }
    page->link[page->n] = r->site->pair_target[pair];
    page->pair[page->n] = pair;
    r->place[pair] = (uint32_t)page->n++;
}

static void depart(struct fg_replaying *r, struct page *page, uint32_t pair)
{
    uint32_t gap = r->place[pair];
    size_t last = --page->n;
    page->link[gap] = page->link[last];
    page->pair[gap] = page->pair[last];
    r->place[page->pair[last]] = gap;
    r->place[pair] = UINT32_MAX;
}

static void advance(struct fg_replaying *r)
{
    const struct fg_site *site = r->site;
    for (size_t i = site->event_at[r->step]; i < site->event_at[r->step + 1]; i++) {
        uint32_t pair = site->event[i] >> 1;
        struct page *page = &r->pages[site->pair_source[pair]];
        if (site->event[i] & 1)
            arrive(r, page, pair);
        else
            depart(r, page, pair);
        if (!(r->flags[pair] & TOUCHED)) {
            r->flags[pair] |= TOUCHED;
            page->touched = grown(page->touched, &page->touched_room, page->n_touched + 1,
                                  sizeof *page->touched);
            page->touched[page->n_touched++] = pair;
        }
    }
}

/* --- a visit --- */

static bool counts(const struct fg_replaying *r, uint32_t target)
{
    return !r->rules->focused || !r->site->is_relevant || r->site->is_relevant[target];
}

static void find(struct fg_replaying *r, uint32_t target)
{
    struct fg_replay_outcome *o = r->outcome;
    size_t appeared = r->site->appeared[target];
    r->found_at[target] = (uint32_t)r->step;
    r->found++;
    o->found_late += r->step >= r->rules->warm_up;
    if (appeared >= r->rules->warm_up) {
        o->found_fresh++;
        o->delay[r->step - appeared]++;
    }
}

/* The new links of a visit, those found by it first. */
static void sort_fresh(struct fg_replaying *r, struct fg_visit *visit)
{
    size_t first = 0, also = 0;
    for (size_t i = 0; i < visit->n_added; i++) {
        uint32_t target = (uint32_t)r->added[i];
        if (counts(r, target) && r->found_at[target] == FG_SITE_NO_STEP) {
            find(r, target);
            r->fresh[first++] = target;
        } else if (r->found_at[target] == r->step) {
            r->gone[also++] = target; /* room that the departures fill afterwards */
        }
    }
    if (also)
        memcpy(r->fresh + first, r->gone, also * sizeof *r->fresh);
    visit->n_first = r->n_first = first;
    visit->n_fresh = first + also;
}

static void settle(struct fg_replaying *r, struct page *page, struct fg_visit *visit)
{
    size_t room = r->changes_room;
    r->added = grown(r->added, &room, page->n_touched, sizeof *r->added);
    room = r->changes_room;
    r->fresh = grown(r->fresh, &room, page->n_touched, sizeof *r->fresh);
    r->gone = grown(r->gone, &r->changes_room, page->n_touched, sizeof *r->gone);
    for (size_t i = 0; i < page->n_touched; i++) {
        uint32_t pair = page->touched[i];
        if (r->place[pair] != UINT32_MAX && !(r->flags[pair] & SHOWN))
            r->added[visit->n_added++] = r->site->pair_target[pair];
    }
    sort_fresh(r, visit);
    for (size_t i = 0; i < page->n_touched; i++) {
        uint32_t pair = page->touched[i];
        bool is_there = r->place[pair] != UINT32_MAX;
        if (!is_there && (r->flags[pair] & SHOWN))
            r->gone[visit->n_gone++] = r->site->pair_target[pair];
        r->flags[pair] = is_there ? SHOWN : 0;
    }
    page->n_touched = 0;
}

static void visit_source(struct fg_replaying *r, size_t source, fg_time now)
{
    const struct fg_site *site = r->site;
    struct page *page = &r->pages[source];
    struct fg_visit visit = {.page = source, .now = now, .cost = 1};
    r->outcome->visits++;
    r->outcome->visits_late += r->step >= r->rules->warm_up;
    r->outcome->visits_of[source]++;
    visit.ok =
        !site->is_missing || !site->is_missing[r->step * site->facts.sources + source];
    r->outcome->failed += !visit.ok;
    r->n_first = 0;
    if (visit.ok) {
        settle(r, page, &visit);
        visit.seen = page->link;
        visit.n_seen = page->n;
        visit.added = r->added;
        visit.fresh = r->fresh;
        visit.gone = r->gone;
        visit.complete = true;
        visit.changed = visit.n_added || visit.n_gone;
        r->outcome->shown += visit.n_seen;
    }
    fg_mind_observe(r->mind, &visit);
}

/* --- foresight --- */

static size_t unknown(void *context, size_t source, const uint64_t **links)
{
    struct fg_replaying *r = context;
    const struct fg_site *site = r->site;
    const struct page *page = &r->pages[source];
    size_t n = 0;
    r->unknown = grown(r->unknown, &r->unknown_room, page->n, sizeof *r->unknown);
    bool is_missing =
        site->is_missing && site->is_missing[r->step * site->facts.sources + source];
    for (size_t i = 0; !is_missing && i < page->n; i++) {
        uint32_t target = (uint32_t)page->link[i];
        if (r->found_at[target] == FG_SITE_NO_STEP && counts(r, target))
            r->unknown[n++] = target;
    }
    *links = r->unknown;
    return n;
}

/* --- the whole --- */

static void count_targets(struct fg_replaying *r)
{
    struct fg_replay_outcome *o = r->outcome;
    for (size_t v = 0; v < r->site->targets; v++) {
        uint32_t step = r->site->appeared[v];
        if (step == FG_SITE_NO_STEP)
            continue;
        o->arrived[step]++;
        if (!counts(r, (uint32_t)v))
            continue;
        o->there++;
        o->there_by[step]++;
        o->there_late += step >= r->rules->warm_up;
    }
    for (size_t step = 1; step < o->steps; step++)
        o->there_by[step] += o->there_by[step - 1];
}

static void set_up(struct fg_replaying *r)
{
    const struct fg_site *site = r->site;
    struct fg_replay_outcome *o = r->outcome;
    *o = (struct fg_replay_outcome){.steps = site->facts.steps,
                                    .sources = site->facts.sources};
    o->found_by = fg_zeroed(o->steps, sizeof *o->found_by);
    o->there_by = fg_zeroed(o->steps, sizeof *o->there_by);
    o->arrived = fg_zeroed(o->steps, sizeof *o->arrived);
    o->delay = fg_zeroed(o->steps, sizeof *o->delay);
    o->visits_of = fg_zeroed(o->sources, sizeof *o->visits_of);
    r->pages = fg_zeroed(o->sources, sizeof *r->pages);
    r->place = fg_zeroed(site->pairs, sizeof *r->place);
    memset(r->place, 0xff, site->pairs * sizeof *r->place);
    r->flags = fg_zeroed(site->pairs, sizeof *r->flags);
    r->found_at = fg_zeroed(site->targets, sizeof *r->found_at);
    memset(r->found_at, 0xff, site->targets * sizeof *r->found_at);
    count_targets(r);
}

void fg_replay_close(struct fg_replaying *r)
{
    for (size_t i = 0; i < r->site->facts.sources; i++) {
        free(r->pages[i].link);
        free(r->pages[i].pair);
        free(r->pages[i].touched);
    }
    void *arrays[] = {r->pages, r->place, r->flags, r->found_at,
                      r->added, r->fresh, r->gone,  r->unknown};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    fg_mind_free(r->mind);
    free(r);
}

static void run(struct fg_replaying *r)
{
    const struct fg_site_facts *facts = &r->site->facts;
    struct fg_pick *picks = fg_zeroed(r->rules->budget, sizeof *picks);
    for (r->step = 0; r->step < facts->steps; r->step++) {
        fg_time now = facts->start + (fg_time)r->step * facts->step;
        advance(r);
        size_t n = fg_mind_choose(r->mind, now, r->rules->budget, picks);
        for (size_t i = 0; i < n; i++)
            visit_source(r, picks[i].page, now);
        r->outcome->found_by[r->step] = r->found;
    }
    r->outcome->found = r->found;
    free(picks);
}

enum fg_status fg_knobs_set(struct fg_mind *mind, const struct fg_knob *knobs, size_t n,
                            struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < n; i++)
        st = fg_mind_set(mind, fg_str_from(knobs[i].name), knobs[i].value, err);
    return st;
}

enum fg_status fg_replay_open(struct fg_replaying **replaying,
                              struct fg_replay_outcome *outcome,
                              const struct fg_site *site, const struct fg_policy *policy,
                              const struct fg_replay_rules *rules, struct fg_err *err)
{
    struct fg_replaying *r = fg_zeroed(1, sizeof *r);
    *r = (struct fg_replaying){.site = site, .rules = rules, .outcome = outcome};
    r->foresight = (struct fg_foresight){.context = r, .unknown = unknown};
    set_up(r);
    r->mind = fg_mind_new(policy, rules->seed);
    fg_mind_tick(r->mind, site->facts.step);
    if (policy->needs_foresight)
        fg_mind_foresee(r->mind, &r->foresight);
    enum fg_status st = fg_knobs_set(r->mind, rules->knobs, rules->n_knobs, err);
    for (size_t i = 0; !st && i < site->facts.sources; i++)
        fg_mind_add(r->mind, i, site->site_of ? site->site_of[i] : 0, site->facts.start);
    *replaying = r;
    if (!st)
        return FG_OK;
    fg_replay_close(r);
    fg_replay_outcome_clear(outcome);
    *replaying = NULL;
    return st;
}

struct fg_mind *fg_replay_mind(struct fg_replaying *replaying)
{
    return replaying->mind;
}

void fg_replay_pass(struct fg_replaying *replaying, size_t step)
{
    replaying->step = step;
    advance(replaying);
}

void fg_replay_look(struct fg_replaying *replaying, size_t source)
{
    const struct fg_site_facts *facts = &replaying->site->facts;
    visit_source(replaying, source,
                 facts->start + (fg_time)replaying->step * facts->step);
}

size_t fg_replay_fresh(const struct fg_replaying *replaying, const uint64_t **targets)
{
    *targets = replaying->fresh;
    return replaying->n_first;
}

const uint32_t *fg_replay_found(const struct fg_replaying *replaying)
{
    return replaying->found_at;
}

enum fg_status fg_replay(struct fg_replay_outcome *outcome, const struct fg_site *site,
                         const struct fg_policy *policy,
                         const struct fg_replay_rules *rules, struct fg_err *err)
{
    struct fg_replaying *r;
    enum fg_status st = fg_replay_open(&r, outcome, site, policy, rules, err);
    if (st)
        return st;
    run(r);
    fg_replay_close(r);
    return FG_OK;
}

void fg_replay_outcome_clear(struct fg_replay_outcome *outcome)
{
    free(outcome->found_by);
    free(outcome->there_by);
    free(outcome->arrived);
    free(outcome->delay);
    free(outcome->visits_of);
    *outcome = (struct fg_replay_outcome){0};
}
