/* od_bandit.c - a bandit that comes to rest on the pages with the most new links
 *
 * Sketched in chapter 7.1 of Pandey's thesis: the policies of chapter 3 need recrawls of
 * the whole site and do not count what these cost, so let a bandit split the budget
 * between pages known to yield much and pages of unknown yield. Each page is an arm, and
 * the arrival of each new page is a step of time: page i pays if it leads to the new
 * page, with probability p_i. k arms are played at once, in batches. What a set of arms
 * pays is less than the sum, for they overlap; since OD-WIN does well all the same, the
 * bandit is built to come to rest on the k arms of highest p_i.
 *
 * A batch that found N new pages is N steps, each of which played all k pages; a page
 * that showed y of them has won y of N. Then UCB1 (Auer, Cesa-Bianchi and Fischer 2002;
 * learn/ucb.h) takes the k highest of
 *
 *     p_i + sqrt(2 ln t / n_i),    p_i = wins / n_i, n_i and t in steps.
 *
 * The thesis leaves the policy open ("various bandit policies can be used", [6] UCB1 and
 * [44] Gittins): with `gittins` 1 it takes the k highest Gittins indices of a beta belief
 * with one win and one loss assumed (learn/gittins.h), a step being a new page.
 *
 * Decided here, where the sketch is silent: N is what the batch found, since what it
 * missed is not known; a batch that found nothing counts as one step that nobody won;
 * a failed visit tells nothing of p_i, but it wears off the hope of learning something
 * there, or dead pages would be tried for ever. The thesis reports 64 % coverage from
 * early experiments, at the overhead of OD-WIN. */
#include "learn/gittins.h"
#include "learn/ucb.h"
#include "policy/policy.h"

#include <math.h>

enum { WON, SEEN, PLAYED, OPEN };
static const struct fg_column columns[] = {
    [WON] = {"won", FG_F64, 1},       /* new pages shown, ... */
    [SEEN] = {"seen", FG_F64, 1},     /* ... of so many that came */
    [PLAYED] = {"played", FG_F64, 1}, /* the same with failed visits */
    [OPEN] = {"open", FG_U32, 1},     /* in the open batch: see below */
    {0},
};
enum { GITTINS, DISCOUNT };
static const struct fg_param params[] = {
    [GITTINS] = {"gittins", 0, 0, 1, "0: UCB1; 1: Gittins indices"},
    [DISCOUNT] = {"discount", 0.999, 0.5, 0.999999,
                  "worth of the next new page beside this one, for Gittins indices"},
    {0},
};

/* Of OPEN: 0 for a page not tried in this batch, or one of these, or new links + SHOWN.
 */
enum { FAILED = 1, SHOWN = 2 };

struct self {
    uint64_t found, visits; /* in the open batch */
    double steps;           /* t */
};

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    struct self *self = brain->self;
    uint32_t *open = &brain->u32[OPEN][visit->page];
    self->visits++;
    if (visit->ok) {
        *open = (uint32_t)visit->n_fresh + (*open < SHOWN ? SHOWN : *open);
        self->found += visit->n_first;
    } else if (*open == 0) {
        *open = FAILED;
    }
}

static void close_batch(struct fg_brain *brain, struct self *self)
{
    if (!self->visits)
        return;
    double steps = self->found ? (double)self->found : 1;
    for (size_t i = 0; i < brain->world->n; i++) {
        uint32_t open = brain->u32[OPEN][i];
        if (!open)
            continue;
        brain->f64[PLAYED][i] += steps;
        if (open >= SHOWN) {
            brain->f64[SEEN][i] += steps;
            brain->f64[WON][i] += open - SHOWN;
        }
        brain->u32[OPEN][i] = 0;
    }
    self->steps += steps;
    self->found = self->visits = 0;
}

static double mean_of(const struct fg_brain *brain, size_t page)
{
    double seen = brain->f64[SEEN][page];
    return seen > 0 ? brain->f64[WON][page] / seen : 0;
}

static double index_of(const struct fg_brain *brain, size_t page)
{
    const struct self *self = brain->self;
    if (brain->knob[GITTINS] > 0.5) {
        double won = brain->f64[WON][page], played = brain->f64[PLAYED][page];
        return fg_gittins(1 + won, 1 + fmax(played - won, 0), brain->knob[DISCOUNT]);
    }
    return fg_ucb1_index(mean_of(brain, page), brain->f64[PLAYED][page], self->steps);
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    (void)now;
    close_batch(brain, brain->self);
    for (size_t i = 0; i < brain->world->n; i++)
        brain->scores[i] = (float)index_of(brain, i);
    size_t n = fg_brain_take_best(brain, brain->scores, budget, out);
    for (size_t i = 0; i < n; i++) {
        double mean = mean_of(brain, out[i].page);
        out[i].probability = 1;
        out[i].explored = index_of(brain, out[i].page) > 2 * mean;
        out[i].score = (float)mean;
    }
    return n;
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    (void)now;
    double mean = mean_of(brain, page), seen = brain->f64[SEEN][page];
    double index = index_of(brain, page);
    double spread = seen > 0 ? 1.96 * sqrt(mean * fmax(1 - mean, 0) / seen) : 0;
    *reason = (struct fg_reason){
        .score = isinf(index) ? 1 + sqrt(2) : index,
        .rate = mean,
        .low = fmax(mean - spread, 0),
        .high = mean + spread,
        .rate_unit = "of the new links found when it was visited",
        .observations = seen,
    };
}

const struct fg_policy fg_policy_od_bandit = {
    .name = "od-bandit",
    .summary = "UCB1 over pages: those that may lead to the largest share of what is new",
    .paper = "Pandey's thesis, chapter 7.1; UCB1 of Auer et al., Machine Learning 2002",
    .tasks = FG_DISCOVERY,
    .params = params,
    .columns = columns,
    .self_size = sizeof(struct self),
    .observe = observe,
    .select = choose,
    .explain = explain,
};
