/* What is known of one page, and what a visit of it is worth. */
#include "policy/refresh/lomax.h"
#include "policy/refresh/lomax_index.h"

static const double most_shape = 400; /* certainty has a limit: worlds change */
static const double rest_share = 1.0 / 8;

/* Clicks a day if they are told, otherwise the weight that the page was given. */
double fg_lomax_importance(const struct fg_world *world, size_t page)
{
    float clicks = fg_world_told(world, FG_TOLD_CLICKS_SMOOTH, page);
    if (!isnan(clicks))
        return (double)clicks;
    return fg_world_interest(world,
                             world->told_of[FG_TOLD_CLICKS_MODEL] ? FG_TOLD_CLICKS_MODEL
                                                                  : FG_TOLD_CLICKS_SMOOTH,
                             page);
}

/* Half of it is what searchers would miss, where that is told: its mean is 1. */
static double with_searchers(const struct fg_lomax *self, const struct fg_world *world,
                             size_t page, double importance)
{
    float missed = fg_world_told(world, FG_TOLD_MISSED, page);
    return isnan(missed) || !(self->mean_importance > 0)
               ? importance
               : (importance + self->mean_importance * (double)missed) / 2;
}

double fg_lomax_weight(const struct fg_brain *brain, size_t page)
{
    const struct fg_lomax *self = brain->self;
    double importance = fmax(fg_lomax_importance(brain->world, page), 0);
    importance = with_searchers(self, brain->world, page, importance);
    if (self->alpha <= 0)
        return fmax(importance, self->least_weight);
    return (1 - self->alpha) * importance / self->mean_importance + self->alpha;
}

double fg_lomax_value(const struct fg_brain *brain, size_t page)
{
    return fg_lomax_weight(brain, page) / fg_from_octaves(brain->u8[LOMAX_COST][page]);
}

double fg_lomax_since_change(const struct fg_brain *brain, size_t page, fg_time when)
{
    fg_time change = (fg_time)brain->u32[LOMAX_LAST_CHANGE][page] * FG_SECOND;
    return when > change ? fg_days(when - change) : 0;
}

/* As it is numbered now: between a load and the first choice, as it was then. */
static uint32_t group_of(const struct fg_brain *brain, size_t page)
{
    const struct fg_lomax *self = brain->self;
    if (!self->groups_then)
        return brain->world->group[page];
    return page < self->pages_then ? self->groups_then[page] : UINT32_MAX;
}

/* The prior it has, and what is expected of it beside that. */
static const struct fg_lomax_prior *prior_of(const struct fg_brain *brain, size_t page,
                                             double *scale)
{
    const struct fg_lomax *self = brain->self;
    double told = (double)brain->f32[LOMAX_TOLD][page];
    if (!(told > 0)) { /* not visited yet */
        float now = fg_world_told(brain->world, FG_TOLD_CHANGES_MODEL, page);
        told = brain->world->last_visit[page] == FG_NEVER && now > 0 ? (double)now : 0;
    }
    if (told > 0) {
        *scale = told;
        return &self->told_prior;
    }
    uint32_t group = group_of(brain, page);
    *scale = group < self->groups ? (double)self->group[group].rate : 1;
    return &self->prior;
}

struct fg_gamma_rate fg_lomax_prior_of(const struct fg_brain *brain, size_t page)
{
    double scale;
    const struct fg_lomax_prior *prior = prior_of(brain, page, &scale);
    return fg_lomax_belief(prior, 0, 0, scale);
}

struct fg_gamma_rate fg_lomax_rate(const struct fg_brain *brain, size_t page)
{
    float told = fg_world_told(brain->world, FG_TOLD_CHANGES_MODEL, page);
    if (brain->knob[LOMAX_OWN] <= 0 && told > 0) {
        double shape = brain->knob[LOMAX_SHAPE];
        return (struct fg_gamma_rate){shape, shape / (double)told};
    }
    double scale;
    const struct fg_lomax_prior *prior = prior_of(brain, page, &scale);
    struct fg_gamma_rate rate =
        fg_lomax_belief(prior, (double)brain->f32[LOMAX_CHANGES][page],
                        (double)brain->f32[LOMAX_EXPOSURE][page], scale);
    if (rate.a > most_shape)
        rate = (struct fg_gamma_rate){most_shape, rate.b * most_shape / rate.a};
    return rate;
}

struct fg_lomax_page fg_lomax_page(const struct fg_brain *brain, size_t page)
{
    const struct fg_lomax *self = brain->self;
    const struct fg_world *world = brain->world;
    fg_time visited = world->last_visit[page];
    return (struct fg_lomax_page){
        .rate = fg_lomax_rate(brain, page),
        .changes = (double)brain->f32[LOMAX_CHANGES][page],
        .value = fg_lomax_value(brain, page),
        .group = world->group[page],
        .visited = visited,
        .since_change = fg_lomax_since_change(brain, page, visited),
        .trust = fg_lomax_signals_trust(&self->signals, world->site[page]),
        .signals = brain->u8[LOMAX_SIGNALS][page],
    };
}

/* A page that could not be fetched is tried again after an eighth of the time since it
 * last could: the longer it fails, the less often it is asked for. */
double fg_lomax_rest(const struct fg_world *world, size_t page, fg_time now)
{
    fg_time tried = world->last_try[page], visited = world->last_visit[page];
    if (tried == FG_NEVER || tried == visited)
        return 0;
    fg_time since = visited == FG_NEVER ? world->added[page] : visited;
    return fmax(rest_share * fg_days(now - since) - fg_days(now - tried), 0);
}

static struct fg_lomax_factor factor_of(const struct fg_brain *brain,
                                        const struct fg_lomax_page *page, double span)
{
    const struct fg_lomax *self = brain->self;
    if (brain->knob[LOMAX_BURSTS] <= 0)
        return (struct fg_lomax_factor){1, 1};
    return fg_lomax_burst_factor(&self->burst, page->rate.a / page->rate.b, page->changes,
                                 page->since_change, span);
}

double fg_lomax_most_worth(const struct fg_brain *brain, const struct fg_lomax_page *page)
{
    if (page->visited == FG_NEVER)
        return page->value * fg_lomax_fresh_time(page->rate, brain->knob[LOMAX_HORIZON]);
    return page->value * fg_lomax_most_gain(page->rate);
}

struct fg_lomax_standing fg_lomax_stand(const struct fg_brain *brain,
                                        const struct fg_lomax_page *page, fg_time now)
{
    const struct fg_lomax *self = brain->self;
    if (now <= page->visited)
        return (struct fg_lomax_standing){0};
    double passed =
        fg_lomax_clocks_between(&self->clocks, page->group, page->visited, now);
    struct fg_lomax_factor burst = factor_of(brain, page, fg_days(now - page->visited));
    double unheard = passed * burst.mean, elasticity = 1;
    double z = fg_lomax_signalled(page->trust, page->rate.a / page->rate.b, page->signals,
                                  unheard);
    double gain = brain->knob[LOMAX_AT_TICKS] > 0 && brain->world->tick > 0
                      ? fg_lomax_gain_at_ticks(page->rate, z, fg_days(brain->world->tick))
                      : fg_lomax_gain_at(page->rate, z, &elasticity);
    return (struct fg_lomax_standing){
        .worth = page->value / burst.now * gain,
        .passed = passed,
        .power = elasticity * (1 - page->trust.recall) * unheard / z,
    };
}

double fg_lomax_worth(const struct fg_brain *brain, const struct fg_lomax_page *page,
                      fg_time now)
{
    if (page->visited == FG_NEVER)
        return fg_lomax_most_worth(brain, page);
    return fg_lomax_stand(brain, page, now).worth;
}

double fg_lomax_wait(const struct fg_brain *brain, const struct fg_lomax_page *page,
                     fg_time now, double price)
{
    const struct fg_lomax *self = brain->self;
    double wanted = price / page->value, mean = page->rate.a / page->rate.b;
    double passed =
        fg_lomax_clocks_between(&self->clocks, page->group, page->visited, now);
    struct fg_lomax_factor burst = factor_of(brain, page, passed);
    double signalled = fg_lomax_signalled(page->trust, mean, page->signals, 0);
    double heard = 1 - page->trust.recall, span = INFINITY;
    double z = signalled + heard * passed * burst.mean;
    /* How likely changes are just then depends on when it is: twice is close enough. */
    for (int i = 0; i < 2; i++) {
        double factor = burst.now;
        z = fg_lomax_crossing(page->rate, wanted * factor, z);
        if (isinf(z))
            break;
        span = (z - signalled) / heard / burst.mean;
        burst = factor_of(brain, page, fmax(span, 0));
        if (burst.now == factor) {
            span = (z - signalled) / heard / burst.mean;
            break;
        }
    }
    return fmax(span - passed, 0);
}
