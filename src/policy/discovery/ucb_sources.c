/* ucb_sources.c - UCB1 over sources: visit those that could plausibly yield the most
 *
 * Schulam and Muslea (WWW 2023 Companion, 2.2.1 and 2.4): a crawler that keeps, for each
 * source and hour of day, the number of visits n and the new links s they found has all
 * that UCB1 needs as well. They chose Thompson sampling over it because it "has been
 * shown to perform better in practice"; here is the other one, for whoever wants to see.
 * At tick t the k sources with the highest
 *
 *     s / n + scale sqrt(2 ln (t - 1) / n)
 *
 * are visited; a source without a visit in this cell comes first, those that waited
 * longest before others. UCB1 is made for rewards between 0 and 1: `scale` stretches the
 * second term to the range of yields. With `by-hour` 0 there is one cell a source.
 *
 * As in `thompson`, a cell knows nothing of how long its source has waited, and k arms
 * are played at once. */
#include "learn/ucb.h"
#include "policy/policy.h"

#include <math.h>

enum { HOURS = 24 };

enum { FOUND, VISITS };
static const struct fg_column columns[] = {
    [FOUND] = {"found", FG_F32, HOURS, .is_planar = true},
    [VISITS] = {"visits", FG_F32, HOURS, .is_planar = true},
    {0},
};

enum { SCALE, BY_HOUR };
static const struct fg_param params[] = {
    [SCALE] = {"scale", 1, 0, 1e6, "new links that count as the reward 1 of UCB1"},
    [BY_HOUR] = {"by-hour", 1, 0, 1, "1: a cell for each hour of day; 0: one a source"},
    {0},
};

struct self {
    double ticks; /* choices made */
};

static size_t cell_of(const struct fg_brain *brain, size_t page, fg_time now)
{
    size_t hour = brain->knob[BY_HOUR] > 0.5 ? fg_hour_of_day(now) : 0;
    return hour * brain->room + page;
}

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    if (!visit->ok)
        return;
    size_t cell = cell_of(brain, visit->page, visit->now);
    brain->f32[FOUND][cell] += (float)visit->n_fresh;
    brain->f32[VISITS][cell] += 1;
}

static double mean_of(const struct fg_brain *brain, size_t cell)
{
    double n = (double)brain->f32[VISITS][cell];
    return n > 0 ? (double)brain->f32[FOUND][cell] / n : 0;
}

/* Infinite for a cell without visits. */
static double index_of(const struct fg_brain *brain, size_t cell)
{
    const struct self *self = brain->self;
    double n = (double)brain->f32[VISITS][cell], mean = mean_of(brain, cell);
    double bonus = fg_ucb1_index(0, n, self->ticks - 1);
    return mean + (isinf(bonus) ? bonus : brain->knob[SCALE] * bonus);
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    enum { UNTRIED = 1 << 24 };
    struct self *self = brain->self;
    self->ticks++;
    for (size_t i = 0; i < brain->world->n; i++) {
        double index = index_of(brain, cell_of(brain, i, now));
        float waited = fminf(fg_world_waited(brain->world, i, now), UNTRIED);
        brain->scores[i] = isinf(index) ? UNTRIED + waited : (float)index;
    }
    size_t n = fg_brain_take_best(brain, brain->scores, budget, out);
    for (size_t i = 0; i < n; i++) {
        size_t cell = cell_of(brain, out[i].page, now);
        double mean = mean_of(brain, cell);
        out[i].probability = 1;
        out[i].explored = index_of(brain, cell) > 2 * mean;
        out[i].score = (float)mean;
    }
    return n;
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    size_t cell = cell_of(brain, page, now);
    double mean = mean_of(brain, cell), n = (double)brain->f32[VISITS][cell];
    double spread = n > 0 ? 1.96 * sqrt(mean / n) : 0, index = index_of(brain, cell);
    *reason = (struct fg_reason){
        .score = isinf(index) ? mean : index,
        .rate = mean,
        .low = mean > spread ? mean - spread : 0,
        .high = mean + spread,
        .rate_unit = "new links a visit at this hour",
        .observations = n,
    };
}

const struct fg_policy fg_policy_ucb_sources = {
    .name = "ucb-sources",
    .summary = "UCB1 over sources at this hour of day",
    .paper = "Schulam & Muslea, WWW 2023 Companion, 2.2.1; Auer et al., 2002",
    .tasks = FG_DISCOVERY,
    .is_steady = true,
    .params = params,
    .columns = columns,
    .self_size = sizeof(struct self),
    .observe = observe,
    .select = choose,
    .explain = explain,
};
