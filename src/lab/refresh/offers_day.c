/* What a day brings to offers (offers_world.c): sales, seasons and spells, impressions,
 * clicks and changes. */
#include "base/elementary.h"
#include "base/variate.h"
#include "lab/refresh/offers_model.h"

#include <math.h>
#include <stdlib.h>

static const double sale_factor = 4.5, season_factor = 2.5;
static const double spell_ends = 1 / 25.0;
static const double reverts = .15;
static const double drift_keeps = .95;

size_t offers_weekday(size_t day)
{
    return (size_t)(OFFERS_FIRST_DATE + (int64_t)day + 3) % 7; /* day 0 was a Thursday */
}

size_t offers_shift(size_t country)
{
    return 5 * country % OFFERS_STEPS;
}

static bool is_season(size_t day)
{
    return (day >= 38 && day <= 47) || (day >= 128 && day <= 137);
}

static bool flips(struct fg_rng *rng, double chance)
{
    return fg_rng_unit(rng) < chance;
}

void offers_pass_merchants(struct offers_world *world, size_t day)
{
    for (size_t i = 0; day && i < OFFERS_MERCHANTS; i++) {
        struct offers_merchant *merchant = &world->merchants[i];
        if (flips(&merchant->rng,
                  merchant->is_on_sale ? offers_sale_ends : offers_sale_starts))
            merchant->is_on_sale = !merchant->is_on_sale;
    }
}

double offers_factor(const struct offers_world *world, const struct offers_offer *offer,
                     size_t day)
{
    const struct offers_merchant *merchant = &world->merchants[offer->merchant];
    double factor = merchant->weekday[offers_weekday(day)];
    if (merchant->is_on_sale)
        factor *= sale_factor;
    if (is_season(day) && world->is_seasonal[offer->category])
        factor *= season_factor;
    return factor;
}

static void show(struct offers_world *world, size_t i)
{
    struct offers_offer *offer = &world->offers[i];
    double shock = OFFERS_DRIFT * sqrt(1 - drift_keeps * drift_keeps);
    offer->drift =
        (float)(drift_keeps * (double)offer->drift + shock * fg_rng_normal(&offer->rng));
    double luck = fg_rng_gamma(&offer->rng, OFFERS_DAY_SHAPE) / OFFERS_DAY_SHAPE;
    double shown = fg_exp((double)offer->log_shown + (double)offer->drift) * luck;
    uint64_t impressions = fg_rng_poisson(&offer->rng, shown);
    world->impressions[i] = (float)impressions;
    world->clicks[i] =
        (float)fg_rng_binomial(&offer->rng, impressions, (double)offer->ctr);
    world->click_rate[i] = (float)(shown * (double)offer->ctr);
}

static void change_value(struct offers_offer *offer, bool is_steady)
{
    uint32_t now = offer->value;
    bool can_revert = offer->last > 0 && !is_steady;
    offer->value =
        can_revert && flips(&offer->rng, reverts) ? offer->before : ++offer->last;
    offer->before = now;
}

/* A moment of the day by the profile, in the world's time. */
static fg_time draw_moment(struct fg_rng *rng, size_t country)
{
    double u = fg_rng_unit(rng);
    size_t step = 0;
    while (step + 1 < OFFERS_STEPS && u >= offers_change_profile[step])
        u -= offers_change_profile[step++];
    step = (step + offers_shift(country)) % OFFERS_STEPS;
    fg_time length = FG_DAY / OFFERS_STEPS;
    return (fg_time)step * length + (fg_time)fg_rng_below(rng, (uint64_t)length);
}

static int by_time_then_page(const void *a, const void *b)
{
    const struct fg_change *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->page < y->page ? -1 : x->page > y->page;
}

static double rate_of(const struct offers_world *world, struct offers_offer *offer,
                      size_t day)
{
    if (world->is_steady)
        return (double)offer->changes;
    if (flips(&offer->rng, spell_ends))
        offer->is_lively = !offer->is_lively;
    return (double)offer->changes * offers_factor(world, offer, day) *
           (offer->is_lively ? OFFERS_LIVELY : OFFERS_QUIET);
}

/* Moments first, then values in the order of time. */
static void change(struct offers_world *world, size_t i, size_t day,
                   offers_changes *changes)
{
    struct offers_offer *offer = &world->offers[i];
    uint64_t n = fg_rng_poisson(&offer->rng, rate_of(world, offer, day));
    world->changes[i] = (float)n;
    if (!n)
        return;
    fg_time midnight = (OFFERS_FIRST_DATE + (fg_time)day) * FG_DAY;
    size_t first = changes->len, country = world->merchants[offer->merchant].country;
    for (uint64_t k = 0; k < n; k++) {
        fg_time moment = world->is_steady
                             ? (fg_time)fg_rng_below(&offer->rng, (uint64_t)FG_DAY)
                             : draw_moment(&offer->rng, country);
        fg_vec_push(changes, (struct fg_change){midnight + moment, (uint32_t)i, 0});
    }
    if (n > 1)
        qsort(changes->at + first, n, sizeof *changes->at, by_time_then_page);
    for (size_t k = first; k < changes->len; k++) {
        change_value(offer, world->is_steady);
        changes->at[k].value = offer->value;
    }
}

void offers_world_pass(struct offers_world *world, size_t day, offers_changes *changes)
{
    size_t first = changes->len;
    offers_pass_merchants(world, day);
    for (size_t i = 0; i < world->n; i++) {
        show(world, i);
        change(world, i, day, changes);
    }
    if (changes->len > first)
        qsort(changes->at + first, changes->len - first, sizeof *changes->at,
              by_time_then_page);
}
