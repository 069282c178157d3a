/* snapshot.c - look at everything now and then, and in between where most was new
 *
 * How chapter 3 of Pandey's thesis takes a crawler to work: the site is fully crawled
 * every Delta, and between these snapshots new pages are looked for on the old pages with
 * the highest out-degree (OD-WIN). The thesis does not charge for the snapshots; here
 * they are paid from the budget like any visit. When one is due, the pages not seen since
 * it began come first, those that waited longest before the others, over as many ticks as
 * it takes. So every page is seen once in `every` hours if the budget allows it, and a
 * page that wakes up is noticed, which od-win alone may never do.
 *
 * The estimate is that of od-win with alpha = 1, from all visits. */
#include "policy/discovery/degree.h"

#include <math.h>

static const struct fg_column columns[] = {FG_DEGREE_COLUMNS, {0}};

enum { EVERY };
static const struct fg_param params[] = {
    [EVERY] = {"every", 168, 0.01, 87600,
               "hours from one look at everything to the next"},
    {0},
};

struct self {
    struct fg_degree_round round;
    uint64_t has_begun; /* 1: it has */
    fg_time since;      /* the snapshot began */
};

static const struct fg_degree_rules rules = {.alpha = 1, .period_hours = 1};

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    struct self *self = brain->self;
    fg_degree_observe(brain, &self->round, &rules, visit);
}

static bool is_due(const struct fg_world *world, const struct self *self, size_t page)
{
    return world->last_try[page] == FG_NEVER || world->last_try[page] < self->since;
}

/* A snapshot that did not come to its end goes on rather than begin anew, or the pages at
 * the end of the queue would never be seen. */
static void begin_if_due(struct fg_brain *brain, fg_time now)
{
    struct self *self = brain->self;
    if (self->has_begun && fg_hours(now) - fg_hours(self->since) < brain->knob[EVERY])
        return;
    for (size_t i = 0; self->has_begun && i < brain->world->n; i++)
        if (is_due(brain->world, self, i) && !brain->world->is_blocked[i])
            return;
    self->has_begun = 1;
    self->since = now;
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    enum { FIRST = 1 << 24 }; /* above any degree; hours still count beside it */
    struct self *self = brain->self;
    const struct fg_world *world = brain->world;
    fg_degree_close(brain, &self->round, &rules);
    begin_if_due(brain, now);
    for (size_t i = 0; i < world->n; i++) {
        double score = fg_degree_mean(brain, i);
        if (world->last_try[i] == FG_NEVER)
            score = INFINITY;
        else if (is_due(world, self, i))
            score = FIRST + fmin(fg_hours(now - world->last_try[i]), FIRST);
        brain->scores[i] = (float)score;
    }
    size_t n = fg_brain_take_best(brain, brain->scores, budget, out);
    for (size_t i = 0; i < n; i++) {
        out[i].probability = 1;
        out[i].explored = is_due(world, self, out[i].page);
        out[i].score = (float)fg_degree_mean(brain, out[i].page);
    }
    return n;
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    (void)now;
    fg_degree_explain(brain, page, reason);
}

const struct fg_policy fg_policy_snapshot = {
    .name = "snapshot",
    .summary = "everything now and then, in between where most was new",
    .paper = "periodic full recrawls: Pandey's thesis, chapter 3.6.4",
    .tasks = FG_DISCOVERY,
    .params = params,
    .columns = columns,
    .self_size = sizeof(struct self),
    .observe = observe,
    .select = choose,
    .explain = explain,
};
