/* stake.c - visit the page whose searchers have, by now, most to miss
 *
 * Two questions are kept apart. How fast does the text of a page turn over? Every visit
 * tells, and pages of a site are alike. And what would searchers miss if it had turned
 * over? Only visits that found a change tell, as dQ (search/quality.h); but the page's
 * present place in the results is a good first guess. With n the text turned over (a
 * visit that finds a share d replaced adds -ln(1-d)) in e weeks, the rate of turnover is
 * believed to be gamma with
 *
 *     a = 1 + n,   b = 1/mu + e,   mu the rate of the site
 *
 * so that the share of a copy of age k that is still right is Sv(k) = (b/(b+k))^a, and
 * the loss of the copy G (1 - Sv(k)). What is at stake, G, is the mean of what changes
 * were worth (S, over shares Y replaced) and of the prior worth E by exposure, scaled by
 * the site's kappa: G = (kappa E + S)/(1 + Y). The worth of a visit is lomax's index with
 * that weight (lomax.c): the price at which visiting every k and every k+1 ticks cost the
 * same,
 *
 *     W = G (sum_{j<k} Sv(j) - k Sv(k))
 *
 * Exploring needs no share of the budget: with a = 1 the index has no upper limit, so a
 * page never seen to change is visited again, later and later, and a measured dQ of 0
 * lowers G only by Y. Site sums are gathered from the pages in each tick: a page that
 * goes takes its evidence with it.
 *
 * Where nobody compared texts, a change counts as half of the text and its worth is not
 * learnt. Tried and dropped: a gain that is linear in age (it runs after pages that turn
 * over every week), changes counted yes or no (a ticker is as urgent as a rewrite),
 * exposure as the whole weight. docs/quality.md has the figures. */
#include "base/memory.h"
#include "policy/refresh/lomax.h"
#include "policy/refresh/lomax_index.h"

#include <math.h>
#include <stdlib.h>

enum { TURNED, WEEKS, GAINED, REPLACED, WORTH, EXPECTED };
static const struct fg_column columns[] = {
    [TURNED] = {"turned", FG_F32, 0},
    [WEEKS] = {"weeks", FG_F32, 0},
    [GAINED] = {"gained", FG_F32, 0},
    [REPLACED] = {"replaced", FG_F32, 0},
    [WORTH] = {"worth", FG_F32, 0},
    [EXPECTED] = {"expected", FG_F32, 0},
    {0},
};

enum { EXPONENT };
static const struct fg_param params[] = {
    [EXPONENT] = {"exponent", 0.8, 0.1, 1, "of exposure, as the first guess of worth"},
    {0},
};

/* Pseudo-observations: of the rate of all (turnovers, weeks), of a site's rate (weeks)
 * and of what exposure is worth on it; and the worth of a page without exposure. */
static const double all_turned = 0.2, all_weeks = 20, site_weeks = 100,
                    site_expected = 10;
static const double least_worth = 0.02, most_turned = 3, unmeasured = 0.5;

#define WEEK (7 * FG_DAY)

/* What is known of a site: its rate of turnover a week, and what exposure is worth. */
struct pool {
    double turned, weeks, gained, expected;
    double rate, kappa;
};

/* It is made anew in each tick; the day is when worths were last looked at. */
struct self {
    int64_t day;
    double mean;        /* exposure^exponent, over the pages */
    struct pool *pools; /* by site; NULL before the first tick */
    size_t sites;
};

static double weeks_of(fg_time span)
{
    return (double)span / (double)WEEK;
}

/* --- learning --- */

static void added(struct fg_brain *brain, size_t first)
{
    for (size_t page = first; page < brain->world->n; page++)
        brain->f32[WORTH][page] = (float)(1 + least_worth);
}

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    size_t page = visit->page;
    if (!visit->ok || visit->previous == FG_NEVER || visit->now <= visit->previous)
        return;
    double d = !visit->changed      ? 0
               : visit->is_measured ? (double)visit->distance
                                    : unmeasured;
    double turned = d < 1 ? fmin(-log1p(-d), most_turned) : most_turned;
    double replaced = -expm1(-turned);
    brain->f32[TURNED][page] += (float)turned;
    brain->f32[WEEKS][page] += (float)weeks_of(visit->now - visit->previous);
    if (!visit->changed || !visit->is_measured)
        return;
    brain->f32[GAINED][page] += fmaxf(visit->gain, 0);
    brain->f32[REPLACED][page] += (float)replaced;
    brain->f32[EXPECTED][page] += (float)((double)brain->f32[WORTH][page] * replaced);
}

/* --- what a page is worth before its changes have told --- */

static double exposure_of(const struct fg_brain *brain, size_t page)
{
    float told = fg_world_told(brain->world, FG_TOLD_EXPOSURE, page);
    return told > 0 ? pow((double)told, brain->knob[EXPONENT]) : 0;
}

/* Every day. Where nothing was told of any page, all are worth the same. */
static void look_at_worths(struct fg_brain *brain, fg_time now)
{
    struct self *self = brain->self;
    size_t n = brain->world->n;
    int64_t day = now / FG_DAY + 1;
    if (day == self->day || !brain->world->told[FG_TOLD_EXPOSURE])
        return;
    double sum = 0;
    for (size_t page = 0; page < n; page++)
        sum += exposure_of(brain, page);
    self->mean = sum / (double)n;
    if (sum > 0)
        self->day = day;
    for (size_t page = 0; page < n && sum > 0; page++)
        brain->f32[WORTH][page] =
            (float)(exposure_of(brain, page) / self->mean + least_worth);
}

/* --- pools --- */

static void gather(struct fg_brain *brain)
{
    struct self *self = brain->self;
    const struct fg_world *world = brain->world;
    struct pool all = {0};
    if (world->sites > self->sites)
        self->pools = fg_resized(self->pools, world->sites, sizeof *self->pools);
    self->sites = world->sites > self->sites ? world->sites : self->sites;
    for (size_t s = 0; s < self->sites; s++)
        self->pools[s] = (struct pool){0};
    for (size_t page = 0; page < world->n; page++) {
        struct pool *pool = &self->pools[world->site[page]];
        pool->turned += (double)brain->f32[TURNED][page];
        pool->weeks += (double)brain->f32[WEEKS][page];
        pool->gained += (double)brain->f32[GAINED][page];
        pool->expected += (double)brain->f32[EXPECTED][page];
    }
    for (size_t s = 0; s < self->sites; s++) {
        all.turned += self->pools[s].turned;
        all.weeks += self->pools[s].weeks;
        all.gained += self->pools[s].gained;
        all.expected += self->pools[s].expected;
    }
    all.rate = (all.turned + all_turned) / (all.weeks + all_weeks);
    /* While nothing was worth anything, any kappa orders the pages alike but 0. */
    all.kappa = all.gained > 0 && all.expected > 0 ? all.gained / all.expected : 1;
    for (size_t s = 0; s < self->sites; s++) {
        struct pool *pool = &self->pools[s];
        pool->rate = (pool->turned + site_weeks * all.rate) / (pool->weeks + site_weeks);
        pool->kappa =
            (pool->gained + site_expected * all.kappa) / (pool->expected + site_expected);
    }
}

/* --- the index --- */

static double stake_of(const struct fg_brain *brain, size_t page)
{
    const struct self *self = brain->self;
    const struct pool *pool = &self->pools[brain->world->site[page]];
    return (pool->kappa * (double)brain->f32[WORTH][page] +
            (double)brain->f32[GAINED][page]) /
           (1 + (double)brain->f32[REPLACED][page]);
}

static double worth_of(const struct fg_brain *brain, size_t page, fg_time now)
{
    const struct self *self = brain->self;
    const struct fg_world *world = brain->world;
    if (fg_lomax_rest(world, page, now) > 0)
        return -INFINITY;
    if (world->last_visit[page] == FG_NEVER)
        return INFINITY; /* there is no copy */
    double rate = self->pools[world->site[page]].rate;
    double a = 1 + (double)brain->f32[TURNED][page];
    double b = 1 / rate + (double)brain->f32[WEEKS][page];
    double step = world->tick > 0 ? weeks_of(world->tick) : 1;
    return stake_of(brain, page) *
           fg_lomax_gain_at_ticks((struct fg_gamma_rate){a, b},
                                  weeks_of(now - world->last_visit[page]), step);
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    look_at_worths(brain, now);
    gather(brain);
    for (size_t page = 0; page < brain->world->n; page++)
        brain->scores[page] = (float)worth_of(brain, page, now);
    return fg_brain_take_best(brain, brain->scores, budget, out);
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    gather(brain);
    const struct self *self = brain->self;
    double a = 1 + (double)brain->f32[TURNED][page];
    double b =
        1 / self->pools[brain->world->site[page]].rate + (double)brain->f32[WEEKS][page];
    *reason = (struct fg_reason){.score = worth_of(brain, page, now),
                                 .rate = a / b,
                                 .low = a / b,
                                 .high = a / b,
                                 .rate_unit = "of its text replaced a week",
                                 .observations = (double)brain->f32[WEEKS][page]};
}

/* --- keeping --- */

static void save(struct fg_brain *brain, struct fg_buf *out)
{
    const struct self *self = brain->self;
    fg_buf_add(out, (struct fg_str){(const char *)&self->day, sizeof self->day});
}

static bool load(struct fg_brain *brain, struct fg_str bytes)
{
    struct self *self = brain->self;
    if (bytes.len != sizeof self->day)
        return false;
    memcpy(&self->day, bytes.at, sizeof self->day);
    return true;
}

static void clear(struct fg_brain *brain)
{
    struct self *self = brain->self;
    free(self->pools);
    self->pools = NULL;
    self->sites = 0;
}

/* Weeks; what is at stake has a mean of 1. */
static double unit(const struct fg_brain *brain)
{
    (void)brain;
    return 7 * 24;
}

const struct fg_policy fg_policy_stake = {
    .name = "stake",
    .summary = "the page whose searchers have most to miss",
    .tasks = FG_REFRESH,
    .index.unit = unit,
    .is_steady = true,
    .measures = true,
    .params = params,
    .columns = columns,
    .self_size = sizeof(struct self),
    .added = added,
    .observe = observe,
    .select = choose,
    .explain = explain,
    .save = save,
    .load = load,
    .clear = clear,
};
