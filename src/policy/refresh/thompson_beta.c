/* thompson_beta.c - draw a plausible chance of a change for each arm, play the highest
 *
 * The Thompson sampling that Avrachenkov et al. (ICC 2021, section IV.A) compare with: an
 * arm is a Bernoulli bandit with a Beta(1, 1) prior, a success is a visit that found the
 * page changed, and the arm with the highest draw is played. As printed, importance is no
 * part of the draw: it comes in with the reward only. Figures agree with that reading
 * (1.88 in their first experiment, where draws times importance give 2.26, all there is
 * to gain), so it is the default; `weighted` has the other.
 *
 * The chance of finding a change grows with the time waited, and a Beta knows nothing of
 * time: it learns what its own schedule happens to find. Arms are pages, or groups of
 * pages with a round inside. With several picks a tick, pages are the best of one draw
 * each; groups are drawn anew for every pick. */
#include "policy/policy.h"

#include "base/fill.h"
#include "base/memory.h"
#include "base/variate.h"
#include "policy/refresh/groups.h"

#include <stdlib.h>

enum { FOUND, MISSED };
static const struct fg_column columns[] = {
    [FOUND] = {"found-changed", FG_F32},
    [MISSED] = {"found-unchanged", FG_F32},
    {0},
};
enum { WEIGHTED, GROUPS };
static const struct fg_param params[] = {
    [WEIGHTED] = {"weighted", 0, 0, 1, "1: draws count times the weight of the page"},
    [GROUPS] = FG_GROUPS_PARAM,
    {0},
};
enum { BLOCK = 256 };

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    if (visit->ok && visit->previous != FG_NEVER)
        brain->f32[visit->changed ? FOUND : MISSED][visit->page] += 1;
}

/* One draw for each page, x / (x + y) with two gamma variates. */
static void draw_pages(struct fg_brain *brain, float *out)
{
    struct fg_rng found = fg_rng_split(&brain->rng, FOUND),
                  missed = fg_rng_split(&brain->rng, MISSED);
    float a[BLOCK], b[BLOCK], x[BLOCK], y[BLOCK];
    for (size_t first = 0; first < brain->world->n; first += BLOCK) {
        size_t left = brain->world->n - first, n = left < BLOCK ? left : BLOCK;
        for (size_t i = 0; i < n; i++) {
            a[i] = 1 + brain->f32[FOUND][first + i];
            b[i] = 1 + brain->f32[MISSED][first + i];
        }
        fg_gamma_fill_f32(&found, first, n, a, NULL, x);
        fg_gamma_fill_f32(&missed, first, n, b, NULL, y);
        for (size_t i = 0; i < n; i++)
            out[first + i] = x[i] / (x[i] + y[i]);
    }
}

static size_t choose_pages(struct fg_brain *brain, size_t budget, struct fg_pick *out)
{
    draw_pages(brain, brain->scores);
    for (size_t i = 0; brain->knob[WEIGHTED] != 0 && i < brain->world->n; i++)
        brain->scores[i] *= brain->world->weight[i];
    return fg_brain_take_best(brain, brain->scores, budget, out);
}

/* What the visits of a group's pages found, all together, and their mean weight. */
struct arm {
    double found, missed, weight;
};

static struct arm arm_of(const struct fg_brain *brain, const struct fg_groups *groups,
                         size_t group)
{
    struct arm arm = {0};
    size_t first = groups->first[group], n = fg_groups_size(groups, group);
    for (size_t i = first; i < first + n; i++) {
        arm.found += (double)brain->f32[FOUND][groups->pages[i]];
        arm.missed += (double)brain->f32[MISSED][groups->pages[i]];
        arm.weight += (double)brain->world->weight[groups->pages[i]];
    }
    arm.weight = n && brain->knob[WEIGHTED] != 0 ? arm.weight / (double)n : 1;
    return arm;
}

static size_t best_draw(struct fg_brain *brain, const struct fg_groups *groups,
                        const struct arm *arms, double *score)
{
    size_t best = groups->n;
    *score = -INFINITY;
    for (size_t g = 0; g < groups->n; g++) {
        double drawn = fg_rng_beta(&brain->rng, 1 + arms[g].found, 1 + arms[g].missed) *
                       arms[g].weight;
        if (groups->share[g] > 0 && drawn > *score) {
            best = g;
            *score = drawn;
        }
    }
    return best;
}

static size_t choose_groups(struct fg_brain *brain, size_t budget, struct fg_pick *out)
{
    struct fg_groups groups;
    fg_groups_gather(&groups, brain);
    struct arm *arms = fg_zeroed(groups.n, sizeof *arms);
    for (size_t g = 0; g < groups.n; g++) {
        arms[g] = arm_of(brain, &groups, g);
        groups.share[g] = fg_groups_size(&groups, g) > 0;
    }
    size_t taken = 0, arm;
    double score;
    while (taken < budget && (arm = best_draw(brain, &groups, arms, &score)) < groups.n)
        if (fg_groups_take(&groups, brain, arm, &out[taken]))
            out[taken++].score = (float)score;
        else
            groups.share[arm] = 0; /* nothing left in it */
    free(arms);
    fg_groups_clear(&groups);
    return taken;
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    (void)now;
    return (brain->knob[GROUPS] != 0 ? choose_groups : choose_pages)(brain, budget, out);
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    (void)now;
    double a = 1 + (double)brain->f32[FOUND][page],
           b = 1 + (double)brain->f32[MISSED][page], mean = a / (a + b);
    double spread = 1.96 * sqrt(mean * (1 - mean) / (a + b + 1));
    *reason = (struct fg_reason){
        .score =
            mean * (brain->knob[WEIGHTED] != 0 ? (double)brain->world->weight[page] : 1),
        .rate = mean,
        .low = fmax(0, mean - spread),
        .high = fmin(1, mean + spread),
        .rate_unit = "changes found a visit",
        .observations = a + b - 2,
    };
}

const struct fg_policy fg_policy_thompson_beta = {
    .name = "thompson-beta",
    .summary = "a draw from what is believed of each page's chance of a change",
    .paper = "Avrachenkov, Borkar & Patil, ICC 2021",
    .tasks = FG_REFRESH,
    .params = params,
    .columns = columns,
    .observe = observe,
    .select = choose,
    .explain = explain,
};
