#include "lab/joint/joint_run.h"

#include "base/memory.h"
#include "base/variate.h"
#include "lab/refresh/replay.h"
#include "lab/replay.h"
#include "policy/metrics.h"
#include "policy/mind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE, FIRST, DOCUMENT, KINDS };
enum { EARLY_TICKS = 4, GIVEN_UP_HOURS = 96 };

struct waiting {
    uint32_t target;
    float weight;
    fg_time appeared;
};

struct crawl {
    const struct fg_joint_world *world;
    const struct fg_joint_rules *rules;
    struct fg_joint_run *run;
    struct fg_replay_outcome found;
    struct fg_refresh_outcome kept;
    struct fg_replaying *sources;
    struct fg_refreshing *documents; /* NULL: none */
    FG_VEC(struct waiting) waiting;
    struct fg_joint joint;
    struct fg_pricing price;
    struct fg_pick *looks, *visits;
    double credit[KINDS];
    double day_spent;
    size_t days;
    fg_time now;
};

static size_t week_of(const struct crawl *c, fg_time time)
{
    fg_time week = time < c->world->judged_from
                       ? FG_JOINT_WEEKS
                       : (time - c->world->judged_from) / (7 * FG_DAY);
    return week < FG_JOINT_WEEKS ? (size_t)week : FG_JOINT_WEEKS;
}

static fg_time time_of(const struct crawl *c, size_t step)
{
    const struct fg_site_facts *facts = &c->world->site->facts;
    return facts->start + (fg_time)step * facts->step;
}

/* Known from the link: lognormal, with a mean of 1. */
static double weight_of(uint64_t target)
{
    struct fg_rng rng = fg_rng_from_seed(target * 2654435761u + 1);
    return exp(fg_rng_normal(&rng) - 0.5);
}

/* --- the three kinds of fetches --- */

static void look(struct crawl *c, size_t source)
{
    const uint64_t *fresh;
    fg_replay_look(c->sources, source);
    size_t n = fg_replay_fresh(c->sources, &fresh);
    for (size_t i = 0; c->world->wants.content > 0 && i < n; i++) {
        struct waiting page = {(uint32_t)fresh[i], (float)weight_of(fresh[i]),
                               time_of(c, c->world->site->appeared[fresh[i]])};
        fg_vec_push(&c->waiting, page);
    }
    c->run->looks += week_of(c, c->now) < FG_JOINT_WEEKS;
}

static double worth_of(const struct crawl *c, const struct waiting *page)
{
    const struct fg_wants *wants = &c->world->wants;
    return wants->content * (double)page->weight *
           fg_wants_page(wants, fg_hours(c->now - page->appeared));
}

static void fetch_first(struct crawl *c, size_t at)
{
    struct waiting *page = &c->waiting.at[at];
    size_t week = week_of(c, page->appeared);
    if (week < FG_JOINT_WEEKS)
        c->run->content.had[week] += worth_of(c, page);
    c->run->firsts += week_of(c, c->now) < FG_JOINT_WEEKS;
    page->weight = -1; /* done */
}

static void drop_done(struct crawl *c)
{
    size_t left = 0;
    for (size_t i = 0; i < c->waiting.len; i++) {
        const struct waiting *page = &c->waiting.at[i];
        if (page->weight >= 0 && c->now - page->appeared < GIVEN_UP_HOURS * FG_HOUR)
            c->waiting.at[left++] = *page;
    }
    c->waiting.len = left;
}

static void visit(struct crawl *c, size_t row)
{
    fg_refresh_visit(c->documents, row, c->now);
    c->run->visits += week_of(c, c->now) < FG_JOINT_WEEKS;
}

/* --- one price --- */

static void offer(struct crawl *c, double index, uint32_t kind, size_t which)
{
    fg_joint_offer(&c->joint, &(struct fg_contender){.bid = {(float)index, 1},
                                                     .kind = kind,
                                                     .which = (uint32_t)which});
}

static void offer_all(struct crawl *c, size_t most)
{
    const struct fg_wants *wants = &c->world->wants;
    struct fg_mind *mind = fg_replay_mind(c->sources);
    const struct fg_world *world = fg_mind_world(mind);
    size_t n = fg_mind_choose(mind, c->now, most < world->n ? most : world->n, c->looks);
    double unit = fg_mind_unit(mind) * fg_wants_link(wants);
    fg_joint_clear_offers(&c->joint);
    for (size_t i = 0; i < n; i++) {
        bool is_new = world->last_visit[c->looks[i].page] == FG_NEVER;
        offer(c, is_new ? INFINITY : (double)c->looks[i].score * unit, SOURCE, i);
    }
    for (size_t i = 0; i < c->waiting.len; i++)
        offer(c, worth_of(c, &c->waiting.at[i]), FIRST, i);
    if (!c->documents)
        return;
    mind = fg_refresh_mind(c->documents);
    n = fg_mind_world(mind)->n;
    n = fg_mind_choose(mind, c->now, most < n ? most : n, c->visits);
    unit = fg_mind_unit(mind) * wants->fresh;
    for (size_t i = 0; i < n; i++)
        offer(c, (double)c->visits[i].score * unit, DOCUMENT, i);
}

static double tick_at_price(struct crawl *c)
{
    double budget = c->rules->budget;
    size_t never_seen = 0;
    fg_price_tick(&c->price, c->now, FG_HOUR, budget);
    offer_all(c, (size_t)ceil(budget / 6) + 2);
    size_t n = fg_joint_choose(&c->joint, &c->price);
    while (never_seen < c->joint.offers.len &&
           isinf(c->joint.offers.at[never_seen].bid.index))
        never_seen++;
    n = n > never_seen ? n : never_seen;
    for (size_t i = 0; i < n; i++) {
        const struct fg_contender *o = &c->joint.offers.at[i];
        if (o->kind == SOURCE)
            look(c, c->looks[o->which].page);
        else if (o->kind == FIRST)
            fetch_first(c, o->which);
        else
            visit(c, c->visits[o->which].page);
    }
    fg_price_pay(&c->price, (double)n);
    return (double)n;
}

/* --- fixed shares --- */

static size_t credit(struct crawl *c, size_t kind, double share)
{
    c->credit[kind] += c->rules->budget / 24 * share;
    double whole = floor(c->credit[kind] + 1e-9);
    c->credit[kind] -= whole;
    return (size_t)whole;
}

struct ranked {
    double worth;
    size_t at;
};

static int by_worth(const void *a, const void *b)
{
    double x = ((const struct ranked *)a)->worth, y = ((const struct ranked *)b)->worth;
    return x > y ? -1 : x < y;
}

static size_t fetch_best(struct crawl *c, size_t most)
{
    size_t n = c->waiting.len;
    struct ranked *ranked = fg_zeroed(n + 1, sizeof *ranked);
    for (size_t i = 0; i < n; i++)
        ranked[i] = (struct ranked){worth_of(c, &c->waiting.at[i]), i};
    qsort(ranked, n, sizeof *ranked, by_worth);
    most = most < n ? most : n;
    for (size_t i = 0; i < most; i++)
        fetch_first(c, ranked[i].at);
    free(ranked);
    return most;
}

static double tick_by_shares(struct crawl *c)
{
    const struct fg_joint_rules *rules = c->rules;
    double first = c->world->wants.content > 0 ? rules->first : 0;
    double sources = (1 - first) * (c->documents ? rules->sources : 1);
    struct fg_mind *mind = fg_replay_mind(c->sources);
    size_t most = credit(c, SOURCE, sources), n = fg_mind_world(mind)->n, spent = 0;
    n = fg_mind_choose(mind, c->now, most < n ? most : n, c->looks);
    for (size_t i = 0; i < n; i++)
        look(c, c->looks[i].page);
    spent += n + fetch_best(c, credit(c, FIRST, first));
    if (!c->documents)
        return (double)spent;
    mind = fg_refresh_mind(c->documents);
    most = credit(c, DOCUMENT, 1 - first - sources);
    n = fg_mind_world(mind)->n;
    n = fg_mind_choose(mind, c->now, most < n ? most : n, c->visits);
    for (size_t i = 0; i < n; i++)
        visit(c, c->visits[i].page);
    return (double)(spent + n);
}

/* --- the whole --- */

static void crawl_early(struct crawl *c)
{
    const struct fg_timeline *t = c->world->timeline;
    struct fg_mind *mind = fg_refresh_mind(c->documents);
    double credit = 0;
    fg_mind_budget(mind, c->rules->budget / 2 / 24);
    for (size_t tick = 0;; tick++) {
        c->now = t->crawled_from + (fg_time)tick * FG_HOUR;
        if (c->now >= c->world->site->facts.start)
            return;
        fg_refresh_pass(c->documents, c->now);
        credit += c->rules->budget / 2 / 24;
        if (tick % EARLY_TICKS)
            continue;
        size_t n = fg_mind_world(mind)->n, most = (size_t)credit;
        credit -= (double)most;
        n = fg_mind_choose(mind, c->now, most < n ? most : n, c->visits);
        for (size_t i = 0; i < n; i++)
            fg_refresh_visit(c->documents, c->visits[i].page, c->now);
    }
}

static void count_day(struct crawl *c, double spent)
{
    fg_time next = c->now + FG_HOUR;
    c->day_spent += spent;
    c->run->busiest = fmax(c->run->busiest, spent / (c->rules->budget / 24));
    if (next % FG_DAY)
        return;
    double error = fabs(c->day_spent / c->rules->budget - 1);
    if (c->days > FG_PRICE_EVEN_DAYS) {
        c->run->worst_day = fmax(c->run->worst_day, error);
        c->run->days_off += error > 0.01;
    }
    if (!c->days)
        c->run->busiest = 0; /* all sources are looked at for the first time */
    c->days++;
    c->day_spent = 0;
}

static void crawl_all(struct crawl *c)
{
    const struct fg_site_facts *facts = &c->world->site->facts;
    if (c->documents)
        crawl_early(c);
    fg_price_start(&c->price);
    for (size_t step = 0; step < facts->steps; step++) {
        c->now = time_of(c, step);
        fg_replay_pass(c->sources, step);
        if (c->documents)
            fg_refresh_pass(c->documents, c->now);
        count_day(c, c->rules->is_priced ? tick_at_price(c) : tick_by_shares(c));
        drop_done(c);
    }
    if (c->documents)
        fg_refresh_finish(c->documents);
}

static void judge_links(struct crawl *c)
{
    const struct fg_site *site = c->world->site;
    const uint32_t *found = fg_replay_found(c->sources);
    const struct fg_wants *wants = &c->world->wants;
    uint32_t *delays = fg_zeroed(site->facts.steps + 1, sizeof *delays);
    for (size_t v = 0; v < site->targets; v++) {
        size_t week = site->appeared[v] == FG_SITE_NO_STEP
                          ? FG_JOINT_WEEKS
                          : week_of(c, time_of(c, site->appeared[v]));
        if (week >= FG_JOINT_WEEKS)
            continue;
        c->run->links.there[week]++;
        c->run->found.there[week]++;
        if (wants->content > 0)
            c->run->content.there[week] += wants->content * weight_of(v);
        if (found[v] == FG_SITE_NO_STEP)
            continue;
        size_t waited = found[v] - site->appeared[v];
        c->run->found.had[week]++;
        c->run->links.had[week] += fg_wants_page(wants, (double)waited);
        delays[waited]++;
    }
    c->run->delay_p90 = fg_quantile_of_counts(delays, site->facts.steps, 0.9);
    free(delays);
}

static void judge_documents(struct crawl *c)
{
    const struct fg_refresh_outcome *o = &c->kept;
    for (size_t i = 0; i < o->n_days; i++) {
        fg_time day = c->world->timeline->from + (fg_time)(o->first_day + i) * FG_DAY;
        size_t week = week_of(c, day);
        if (week >= FG_JOINT_WEEKS)
            continue;
        double there = o->days[i].weight * 24, stale = o->days[i].stale * 24;
        c->run->fresh.there[week] += there;
        c->run->fresh.had[week] += there - stale;
        c->run->documents.there[week] += c->world->wants.fresh * there;
        c->run->documents.had[week] += c->world->wants.fresh * (there - stale);
    }
}

/* The last week counts if it is whole. */
static double whole_weeks(const struct crawl *c)
{
    const struct fg_site_facts *facts = &c->world->site->facts;
    fg_time span = time_of(c, facts->steps) - c->world->judged_from;
    double weeks = floor(fg_days(span) / 7);
    return weeks < 1 ? 1 : weeks > FG_JOINT_WEEKS ? FG_JOINT_WEEKS : weeks;
}

enum fg_status fg_joint_run(struct fg_joint_run *run, const struct fg_joint_world *world,
                            const struct fg_joint_rules *rules, struct fg_err *err)
{
    struct crawl c = {.world = world, .rules = rules, .run = run};
    struct fg_knob knobs[] = {{"keeps", world->wants.keeps},
                              {"loses", world->wants.loses}};
    bool is_exact = rules->discovery->index.unit != NULL;
    struct fg_replay_rules of_sources = {
        .seed = rules->seed, .knobs = knobs, .n_knobs = is_exact ? 2 : 0};
    struct fg_refresh_rules of_documents = {.seed = rules->seed};
    *run = (struct fg_joint_run){0};
    enum fg_status st = fg_replay_open(&c.sources, &c.found, world->site,
                                       rules->discovery, &of_sources, err);
    if (!st && world->timeline)
        st = fg_refresh_open(&c.documents, &c.kept, world->timeline, rules->refresh,
                             &of_documents, err);
    if (!st) {
        c.looks = fg_zeroed(world->site->facts.sources, sizeof *c.looks);
        c.visits = fg_zeroed(world->timeline ? world->timeline->n : 1, sizeof *c.visits);
        crawl_all(&c);
        judge_links(&c);
        if (c.documents)
            judge_documents(&c);
        run->weeks = whole_weeks(&c);
        fg_replay_outcome_clear(&c.found);
        if (c.documents)
            fg_refresh_outcome_clear(&c.kept);
    }
    if (c.documents)
        fg_refresh_close(c.documents);
    if (c.sources)
        fg_replay_close(c.sources);
    free(c.looks);
    free(c.visits);
    fg_vec_clear(&c.waiting);
    fg_joint_clear(&c.joint);
    return st;
}
