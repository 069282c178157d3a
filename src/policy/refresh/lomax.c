/* lomax.c - visit the page whose copy has, by now, most to gain from it
 *
 * A page's rate of change is not known; what we believe of it is a gamma distribution,
 * and a visit that finds a change or none moves it (learn/change_rate.h). Under such a
 * belief the chance that a copy is still fresh falls off as a Lomax tail, and from that
 * follows what a visit is worth at any moment: see lomax_index.h. The best worth are
 * visited. Nothing is drawn and nothing is explored for its own sake: a page of which
 * little is known is worth more and more as time passes, and one that changes too often
 * to be kept fresh is given up by itself.
 *
 * The gamma that pages start from is learnt from all of them (lomax_prior.h), with a
 * factor for each group of siblings; what was seen is forgotten with a half-life of a
 * year. Time is not plain: it runs faster where siblings were found changed
 * (lomax_clocks.h), after changes or before them (lomax_burst.h), and where somebody has
 * signalled a change (lomax_signals.h). Only the index sees that time. Beliefs are learnt
 * in plain time; otherwise a suspicion feeds on the finds it has caused.
 *
 * A page never visited has no copy: a visit gains the fresh time of a whole horizon.
 * Pages count by their weight, or by clicks mixed with alpha, which says how much every
 * page counts as such. A change's date, where a server tells it, is used; a date younger
 * than a hundredth of the interval is likely that of the answer, and is not.
 *
 * Up to 100,000 pages all are scored in each tick, beyond that the calendar of
 * lomax_queue.c chooses. The idea of the index is Whittle's (1988), for pages Nino-Mora's
 * (2014); the rest was found on recorded histories. docs/policies.md says what was tried
 * and dropped. */
#include "policy/refresh/lomax.h"

#include "base/elementary.h"

#include <stdlib.h>
#include <string.h>

static const struct fg_column columns[] = {
    [LOMAX_CHANGES] = {"changes", FG_F32, 0},
    [LOMAX_EXPOSURE] = {"exposure", FG_F32, 0},
    [LOMAX_LAST_CHANGE] = {"last-change", FG_U32, 0},
    [LOMAX_TOLD] = {"told", FG_F32, 0},
    [LOMAX_DUE] = {"due", FG_U32, 0},
    [LOMAX_SIGNALS] = {"signals", FG_U8, 0},
    [LOMAX_STAKE] = {"stake", FG_U8, 0},
    [LOMAX_COST] = {"cost", FG_U8, 0},
    {0},
};
static const struct fg_param params[] = {
    [LOMAX_EXACT] = {"exact", -1, -1, 1,
                     "1: score all pages each tick; 0: choose by the calendar; -1: all "
                     "up to 100,000"},
    [LOMAX_OWN] = {"own", 1, 0, 1,
                   "1: told change rates are where learning starts; 0: they are believed "
                   "each day anew"},
    [LOMAX_ALPHA] = {"alpha", -1, -1, 1,
                     "how much every page counts beside its clicks; -1: by the budget if "
                     "clicks are told, else 0"},
    [LOMAX_SHAPE] = {"shape", 3, 0.1, 400, "certainty of told change rates if own is 0"},
    [LOMAX_HALF_LIFE] = {"half-life", 365, 1, 36500, "of what visits saw, in days"},
    [LOMAX_HORIZON] = {"horizon", 90, 1, 3650,
                       "days of freshness that a page's first visit is worth"},
    [LOMAX_SHRINKAGE] = {"shrinkage", 30, 1, 1e6,
                         "changes in a day that a group's clock hesitates for"},
    [LOMAX_SIBLINGS] = {"siblings", 3, 0, 1e6,
                        "shrinkage of how often a group's pages change; 0: all groups "
                        "are alike"},
    [LOMAX_CLOCKS] = {"clocks", 1, 0, 1, "siblings change together"},
    [LOMAX_BURSTS] = {"bursts", 1, 0, 1, "changes come in bursts"},
    [LOMAX_PROFILE] = {"profile", 1, 0, 1,
                       "hours of weekdays and weekends, at a visit a day or more"},
    [LOMAX_AT_TICKS] = {"at-ticks", 0, 0, 1,
                        "1: changes come at ticks and not between them, as in snapshots"},
    {0},
};

enum { SCANNED = 100000, REVIEWED = 65536, CLOCKS = 2048, PAGES_A_CLOCK = 4000 };
#define NO_DAY INT64_MIN

/* Told rates are relative to what they say; else a page is first taken to change every
 * 20 days. */
static const double first_rate = 1.0 / 20, told_rate = 1;
static const double least_share = 1e-6; /* of the mean weight, for pages without any */
static const double hourly_from = 0.9, daily_from = 0.7; /* visits a page and day */

static void init(struct fg_brain *brain)
{
    struct fg_lomax *self = brain->self;
    fg_lomax_prior_start(&self->prior, first_rate);
    fg_lomax_prior_start(&self->told_prior, told_rate);
    fg_lomax_clocks_init(&self->clocks);
    self->day = NO_DAY;
    fg_lomax_burst_start(&self->burst);
}

static void clear(struct fg_brain *brain)
{
    struct fg_lomax *self = brain->self;
    fg_lomax_clocks_clear(&self->clocks);
    fg_lomax_signals_clear(&self->signals);
    fg_lomax_queue_stop(&self->queue);
    free(self->group);
    free(self->groups_then);
    self->group = NULL;
    self->groups_then = NULL;
    self->groups = self->pages_then = 0;
}

static void added(struct fg_brain *brain, size_t first)
{
    fg_lomax_groups_added(brain->self, first);
    fg_lomax_queue_added(brain, first);
}

static void moved(struct fg_brain *brain, size_t from, size_t to)
{
    fg_lomax_groups_moved(brain->self, from, to);
    fg_lomax_queue_moved(brain, from, to);
}

/* --- learning from a visit --- */

/* Of a change that the server dates: its age in days, or a negative number. */
static double age_of_change(const struct fg_visit *visit, double span)
{
    if (visit->modified == FG_NEVER || visit->modified <= visit->previous ||
        visit->modified > visit->now)
        return -1;
    double age = fg_days(visit->now - visit->modified);
    return age > span / 100 ? age : -1;
}

static struct fg_gamma_rate learn(struct fg_gamma_rate rate, const struct fg_visit *visit,
                                  double span, bool is_signalled)
{
    if (!(rate.a > 0 && rate.b > 0)) /* of a state that somebody wrote into */
        return rate;
    double age = visit->changed ? age_of_change(visit, span) : -1;
    if (age >= 0)
        return (struct fg_gamma_rate){rate.a + 1, rate.b + age};
    if (visit->changed && is_signalled) /* the visit came for the change's sake */
        return (struct fg_gamma_rate){rate.a + 1, rate.b + span};
    struct fg_gamma_rate learnt = fg_rate_learn(rate, span, visit->changed);
    if (learnt.a > rate.a + 1) /* no visit can tell more than one exact time */
        learnt = (struct fg_gamma_rate){rate.a + 1, (rate.a + 1) * learnt.b / learnt.a};
    return learnt;
}

static void learn_rate(struct fg_brain *brain, const struct fg_visit *visit, double span)
{
    float *changes = &brain->f32[LOMAX_CHANGES][visit->page];
    float *exposure = &brain->f32[LOMAX_EXPOSURE][visit->page];
    struct fg_gamma_rate prior = fg_lomax_prior_of(brain, visit->page);
    double kept = fg_exp(-0.6931471805599453 * span / brain->knob[LOMAX_HALF_LIFE]);
    struct fg_gamma_rate rate = {prior.a + (double)*changes * kept,
                                 prior.b + (double)*exposure * kept};
    rate = learn(rate, visit, span, brain->u8[LOMAX_SIGNALS][visit->page] > 0);
    *changes = (float)fmax(rate.a - prior.a, 0);
    *exposure = (float)fmax(rate.b - prior.b, 0);
}

static void learn_interval(struct fg_brain *brain, const struct fg_visit *visit)
{
    struct fg_lomax *self = brain->self;
    size_t page = visit->page;
    double span = fg_days(visit->now - visit->previous);
    struct fg_gamma_rate rate = fg_lomax_rate(brain, page);
    if (brain->knob[LOMAX_CLOCKS] > 0 && !self->groups_then)
        fg_lomax_clocks_learn(&self->clocks, brain->world->group[page], rate,
                              visit->previous, visit->now, visit->changed);
    fg_lomax_burst_learn(&self->burst, rate,
                         fg_lomax_since_change(brain, page, visit->previous), span,
                         visit->changed);
    fg_lomax_signals_learn(&self->signals, brain->world->site[page],
                           brain->u8[LOMAX_SIGNALS][page], span, visit->changed);
    learn_rate(brain, visit, span);
}

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    size_t page = visit->page;
    bool is_first = visit->previous == FG_NEVER;
    if (visit->ok && is_first) {
        float told = fg_world_told(brain->world, FG_TOLD_CHANGES_MODEL, page);
        brain->f32[LOMAX_TOLD][page] = told > 0 ? told : 0;
    } else if (visit->ok && visit->now > visit->previous) {
        learn_interval(brain, visit);
    }
    if (visit->ok) {
        fg_cost_learn(&brain->u8[LOMAX_COST][page], visit->cost);
        brain->u8[LOMAX_SIGNALS][page] = 0;
        if (visit->changed || is_first)
            brain->u32[LOMAX_LAST_CHANGE][page] = (uint32_t)(visit->now / FG_SECOND);
    }
    fg_lomax_queue_observe(brain, visit);
}

static void on_signal(struct fg_brain *brain, size_t page, fg_time now)
{
    struct fg_lomax *self = brain->self;
    uint8_t *signals = &brain->u8[LOMAX_SIGNALS][page];
    fg_lomax_signals_saw(&self->signals, brain->world->site[page]);
    if (*signals < UINT8_MAX)
        ++*signals;
    fg_lomax_queue_signal(brain, page, now);
}

/* --- the daily review --- */

/* Every `stride`th page, others each day; what is known of groups fades accordingly. */
static void learn_priors(struct fg_brain *brain, size_t stride)
{
    struct fg_lomax *self = brain->self;
    const struct fg_world *world = brain->world;
    struct fg_lomax_sum sum = {0}, told_sum = {0};
    fg_lomax_grow_groups(self, world->groups);
    float kept = 1 - 1 / (float)stride;
    for (size_t i = 0; i < self->groups; i++) {
        self->group[i].found *= kept;
        self->group[i].expected *= kept;
    }
    for (size_t page = (size_t)self->day % stride; page < world->n; page += stride) {
        double changes = (double)brain->f32[LOMAX_CHANGES][page];
        double exposure = (double)brain->f32[LOMAX_EXPOSURE][page];
        double told = (double)brain->f32[LOMAX_TOLD][page];
        struct fg_lomax_group *group = &self->group[world->group[page]];
        if (!(exposure > 0) && !(changes > 0))
            continue; /* visited once at most */
        if (told > 0) {
            fg_lomax_sum_add(&told_sum, &self->told_prior, changes, exposure, told);
        } else {
            fg_lomax_sum_add(&sum, &self->prior, changes, exposure, (double)group->rate);
            fg_lomax_group_add(group, &self->prior, changes, exposure);
        }
    }
    double shrinkage = brain->knob[LOMAX_SIBLINGS];
    for (size_t i = 0; shrinkage > 0 && i < self->groups; i++)
        fg_lomax_group_learn(&self->group[i], &self->prior, shrinkage);
    fg_lomax_prior_learn(&self->prior, &sum);
    fg_lomax_prior_learn(&self->told_prior, &told_sum);
}

/* .1 from 10 % of the pages a day on, .25 at 1 %, .8 at .1 %: with few visits, clicks
 * alone would leave most pages without a copy. */
static double alpha_for(double visits_a_day)
{
    double decades = fmin(fmax(-log10(visits_a_day), 1), 3);
    return decades < 2 ? 0.1 + 0.15 * (decades - 1) : 0.25 + 0.55 * (decades - 2);
}

static void weigh(struct fg_brain *brain, size_t stride)
{
    struct fg_lomax *self = brain->self;
    const struct fg_world *world = brain->world;
    double sum = 0, seen = 0;
    for (size_t page = (size_t)self->day % stride; page < world->n; page += stride) {
        sum += fmax(fg_lomax_importance(world, page), 0);
        seen++;
    }
    self->least_weight = sum > 0 ? least_share * sum / seen : 1;
    self->mean_weight = sum > 0 ? sum / seen : 1;
    bool has_clicks =
        world->told[FG_TOLD_CLICKS_SMOOTH] || world->told[FG_TOLD_CLICKS_MODEL];
    self->alpha = brain->knob[LOMAX_ALPHA];
    if (self->alpha < 0)
        self->alpha = has_clicks ? alpha_for(self->visits_a_day) : 0;
    if (!(self->alpha > 0) && !world->told[FG_TOLD_MISSED])
        return;
    double all = 0;
    for (size_t page = 0; page < world->n; page++)
        all += fmax(fg_lomax_importance(world, page), 0);
    self->mean_importance = all > 0 ? all / (double)world->n : 1;
    self->queue.streamed += world->n;
}

static void review(struct fg_brain *brain, fg_time now, size_t budget)
{
    struct fg_lomax *self = brain->self;
    const struct fg_world *world = brain->world;
    double picks = world->budget > 0 ? world->budget : self->mean_budget;
    self->mean_budget +=
        (self->mean_budget > 0 ? 0.01 : 1) * ((double)budget - self->mean_budget);
    int64_t day = now / FG_DAY;
    if (day == self->day)
        return;
    self->day = day;
    picks = picks > 0 ? picks : (double)budget;
    self->visits_a_day = picks / fg_days(world->tick) / (double)world->n;
    bool is_hourly =
        self->visits_a_day >= (self->clocks.has_profile ? daily_from : hourly_from);
    fg_time bin = is_hourly && brain->knob[LOMAX_PROFILE] > 0 ? FG_HOUR : FG_DAY;
    if (bin != self->clocks.bin)
        fg_lomax_clocks_restart(&self->clocks, bin);
    size_t most = world->n / PAGES_A_CLOCK;
    fg_lomax_clocks_fade(&self->clocks, most > CLOCKS ? most : CLOCKS);
    fg_lomax_burst_fade(&self->burst);
    size_t stride = world->n / REVIEWED;
    stride = stride < 1 ? 1 : stride < 64 ? stride : 64;
    learn_priors(brain, stride);
    weigh(brain, stride);
}

/* --- choosing --- */

static bool is_exact(const struct fg_brain *brain)
{
    const struct fg_lomax *self = brain->self;
    size_t n = brain->world->n;
    if (brain->knob[LOMAX_EXACT] >= 0)
        return brain->knob[LOMAX_EXACT] > 0;
    if (brain->knob[LOMAX_AT_TICKS] > 0) /* the calendar knows nothing of it */
        return true;
    /* Nor does the calendar save anything where a page is due every few ticks. */
    double each = self->visits_a_day * fg_days(brain->world->tick);
    return n < (self->queue.is_on ? SCANNED / 2 : SCANNED) || each > 1.0 / 20;
}

static void score(struct fg_brain *brain, fg_time now, size_t first, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) {
        struct fg_lomax_page page = fg_lomax_page(brain, first + i);
        out[i] = fg_lomax_rest(brain->world, first + i, now) > 0
                     ? -INFINITY
                     : (float)fg_lomax_worth(brain, &page, now);
    }
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    struct fg_lomax *self = brain->self;
    fg_lomax_renumber(brain);
    review(brain, now, budget);
    self->clocks.shrinkage = brain->knob[LOMAX_SHRINKAGE];
    fg_lomax_clocks_update(&self->clocks, now);
    if (!is_exact(brain))
        return fg_lomax_queue_select(brain, now, budget, out);
    if (self->queue.is_on)
        fg_lomax_queue_stop(&self->queue);
    score(brain, now, 0, brain->world->n, brain->scores);
    size_t n = fg_brain_take_best(brain, brain->scores, budget, out);
    for (size_t i = 0; i < n; i++)
        out[i].probability = 1;
    return n;
}

/* Wilson and Hilferty (1931): the cube root of a gamma variate is nearly normal. Of small
 * shapes the lower tail is x^a / Gamma(a + 1). */
static double quantile(struct fg_gamma_rate rate, double z, double chance)
{
    if (rate.a < 2 && z < 0)
        return fg_exp((fg_log(chance) + lgamma(rate.a + 1)) / rate.a) / rate.b;
    double root = 1 - 1 / (9 * rate.a) + z / (3 * sqrt(rate.a));
    return root > 0 ? rate.a * root * root * root / rate.b : 0;
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    struct fg_lomax_page known = fg_lomax_page(brain, page);
    *reason = (struct fg_reason){
        .score = fg_lomax_worth(brain, &known, now),
        .rate = known.rate.a / known.rate.b,
        .low = quantile(known.rate, -1.96, 0.025),
        .high = quantile(known.rate, 1.96, 0.975),
        .rate_unit = "changes a day",
        .observations = (double)brain->f32[LOMAX_EXPOSURE][page],
    };
}

static double cost(const struct fg_brain *brain, size_t page)
{
    return fg_from_octaves(brain->u8[LOMAX_COST][page]);
}

/* Days for which a copy of weight 1 is fresh; weights have a mean of 1 if they are mixed
 * with alpha. */
static double unit(const struct fg_brain *brain)
{
    const struct fg_lomax *self = brain->self;
    if (self->alpha > 0 || !(self->mean_weight > 0))
        return 24;
    return 24 / self->mean_weight;
}

const struct fg_policy fg_policy_lomax = {
    .name = "lomax",
    .summary = "the copy that has most to gain, from a learnt posterior of its rate",
    .tasks = FG_REFRESH,
    .index.unit = unit,
    .index.cost = cost,
    .is_steady = true,
    .params = params,
    .columns = columns,
    .self_size = sizeof(struct fg_lomax),
    .init = init,
    .clear = clear,
    .added = added,
    .moved = moved,
    .observe = observe,
    .signal = on_signal,
    .select = choose,
    .explain = explain,
    .save = fg_lomax_save,
    .load = fg_lomax_load,
    .site.save = fg_lomax_save_site,
    .site.load = fg_lomax_load_site,
};
