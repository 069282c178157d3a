/* Offers as Han et al. (WWW 2020) describe theirs, rebuilt from the figures they print.
 *
 * The logarithm of an offer's rate of change is a sum of what its merchant, category,
 * brand and country add and of its own part; so metadata explain most of it. Over time it
 * is multiplied by the merchant's sales and weekday, by two sales seasons of ten days for
 * some categories, and by the offer's own quiet and lively spells; within a day changes
 * come by the merchant's local time, many at midnight.
 *
 * Impressions are lognormal likewise, mostly of the offer's own, and wander slowly; on
 * each day they are gamma distributed around that and then Poisson. A click is an
 * impression with the offer's click-through rate. The head takes most: of 100,000 offers,
 * one in a hundred has two thirds of all clicks. */
#include "base/alias.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/variate.h"
#include "lab/refresh/offers_model.h"

#include <stdlib.h>

/* Streams of the seed. */
enum {
    FOR_OFFERS,
    FOR_MERCHANTS,
    FOR_BRANDS,
    FOR_CATEGORIES,
    FOR_COUNTRIES,
    FOR_CONSTANTS
};

const double offers_change_profile[OFFERS_STEPS] = {.28, .05, .04, .14, .10, .07,
                                                    .07, .06, .06, .05, .04, .04};
const double offers_click_profile[OFFERS_STEPS] = {.05, .02, .02, .04, .08, .10,
                                                   .11, .11, .11, .12, .14, .10};

static const double country_shares[OFFERS_COUNTRIES] = {.6,  .1,  .07, .06, .05,
                                                        .04, .03, .02, .02, .01};

const double offers_sale_starts = 1 / 60.0, offers_sale_ends = 1 / 6.0;
static const double favourite_factor = 3.5, weekend_factor = .5;
static const double seasonal_share = .4;

/* --- who is who --- */

static struct fg_alias zipf(struct fg_arena *arena, size_t n, double exponent)
{
    double *weights = FG_NEW(arena, double, n);
    for (size_t i = 0; i < n; i++)
        weights[i] = fg_exp(-exponent * fg_log((double)(i + 1)));
    struct fg_alias alias;
    fg_alias_build(&alias, arena, weights, n, NULL);
    return alias;
}

static void set_weekdays(struct offers_merchant *merchant, size_t favourite)
{
    double sum = 0;
    for (size_t day = 0; day < 7; day++) {
        merchant->weekday[day] =
            (day == favourite ? favourite_factor : 1) * (day >= 5 ? weekend_factor : 1);
        sum += merchant->weekday[day];
    }
    for (size_t day = 0; day < 7; day++)
        merchant->weekday[day] *= 7 / sum;
}

static void make_merchants(struct offers_world *world, const struct fg_rng *seed,
                           const struct fg_alias *countries)
{
    struct fg_rng all = fg_rng_split(seed, FOR_MERCHANTS);
    world->merchants = fg_zeroed(OFFERS_MERCHANTS, sizeof *world->merchants);
    for (size_t i = 0; i < OFFERS_MERCHANTS; i++) {
        struct offers_merchant *merchant = &world->merchants[i];
        merchant->rng = fg_rng_split(&all, i);
        merchant->change_effect = 2.15 * fg_rng_normal(&merchant->rng);
        merchant->shown_effect = .9 * fg_rng_normal(&merchant->rng);
        merchant->country = (uint8_t)fg_alias_draw(countries, &merchant->rng);
        set_weekdays(merchant, fg_rng_below(&merchant->rng, 7));
        double on_sale = offers_sale_starts / (offers_sale_starts + offers_sale_ends);
        merchant->is_on_sale = fg_rng_unit(&merchant->rng) < on_sale;
    }
}

static struct offers_effect *make_effects(struct fg_rng rng, size_t n, double change,
                                          double shown)
{
    struct offers_effect *effects = fg_zeroed(n, sizeof *effects);
    for (size_t i = 0; i < n; i++) {
        effects[i].change = change * fg_rng_normal(&rng);
        effects[i].shown = shown * fg_rng_normal(&rng);
    }
    return effects;
}

static void make_categories(struct offers_world *world, const struct fg_rng *seed)
{
    struct fg_rng rng = fg_rng_split(seed, FOR_CATEGORIES);
    struct fg_rng seasons = fg_rng_split(&rng, 0);
    world->categories = make_effects(rng, OFFERS_CATEGORIES, .65, .6);
    world->is_seasonal = fg_zeroed(OFFERS_CATEGORIES, sizeof *world->is_seasonal);
    for (size_t i = 0; i < OFFERS_CATEGORIES; i++)
        world->is_seasonal[i] = fg_rng_unit(&seasons) < seasonal_share;
}

/* Rates are still without their constants. */
static void make_offer(struct offers_offer *offer, const struct offers_world *world)
{
    const struct offers_merchant *merchant = &world->merchants[offer->merchant];
    const struct offers_effect *brand = &world->brands[offer->brand];
    const struct offers_effect *category = &world->categories[offer->category];
    struct fg_rng *rng = &offer->rng;
    double log_changes = merchant->change_effect + category->change + brand->change +
                         world->countries[merchant->country].change +
                         .75 * fg_rng_normal(rng) - (offer->condition ? .4 : 0);
    offer->changes = (float)fg_exp(log_changes);
    offer->log_shown = (float)(merchant->shown_effect + category->shown + brand->shown +
                               2.5 * fg_rng_normal(rng));
    offer->drift = (float)(OFFERS_DRIFT * fg_rng_normal(rng));
    offer->ctr = (float)fg_exp(.8 * fg_rng_normal(rng));
    offer->is_lively = fg_rng_unit(rng) < .5;
}

static void make_offers(struct offers_world *world, const struct fg_rng *seed,
                        struct fg_arena *arena)
{
    struct fg_rng all = fg_rng_split(seed, FOR_OFFERS);
    struct fg_alias merchants = zipf(arena, OFFERS_MERCHANTS, .9);
    struct fg_alias brands = zipf(arena, OFFERS_BRANDS, .8);
    struct fg_alias categories = zipf(arena, OFFERS_CATEGORIES, .6);
    struct fg_alias conditions = zipf(arena, OFFERS_CONDITIONS, 2);
    world->offers = fg_zeroed(world->n, sizeof *world->offers);
    for (size_t i = 0; i < world->n; i++) {
        struct offers_offer *offer = &world->offers[i];
        offer->rng = fg_rng_split(&all, i);
        offer->merchant = (uint16_t)fg_alias_draw(&merchants, &offer->rng);
        offer->brand = (uint16_t)fg_alias_draw(&brands, &offer->rng);
        offer->category = (uint16_t)fg_alias_draw(&categories, &offer->rng);
        offer->condition = (uint8_t)fg_alias_draw(&conditions, &offer->rng);
        make_offer(offer, world);
    }
}

struct offers_world *offers_world_new(size_t n, uint64_t seed)
{
    struct fg_rng rng = fg_rng_from_seed(seed);
    struct offers_world *world = fg_zeroed(1, sizeof *world);
    struct fg_arena arena = {0};
    struct fg_alias countries;
    fg_alias_build(&countries, &arena, country_shares, OFFERS_COUNTRIES, NULL);
    world->n = n;
    make_merchants(world, &rng, &countries);
    world->brands = make_effects(fg_rng_split(&rng, FOR_BRANDS), OFFERS_BRANDS, .5, .5);
    make_categories(world, &rng);
    world->countries =
        make_effects(fg_rng_split(&rng, FOR_COUNTRIES), OFFERS_COUNTRIES, .2, 0);
    make_offers(world, &rng, &arena);
    fg_arena_clear(&arena);
    world->changes = fg_zeroed(n, sizeof *world->changes);
    world->clicks = fg_zeroed(n, sizeof *world->clicks);
    world->impressions = fg_zeroed(n, sizeof *world->impressions);
    world->click_rate = fg_zeroed(n, sizeof *world->click_rate);
    struct fg_rng constants = fg_rng_split(&rng, FOR_CONSTANTS);
    offers_calibrate(world, &constants);
    return world;
}

void offers_world_free(struct offers_world *world)
{
    if (!world)
        return;
    void *arrays[] = {world->offers,     world->merchants, world->brands,
                      world->categories, world->countries, world->is_seasonal,
                      world->changes,    world->clicks,    world->impressions,
                      world->click_rate};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(world);
}

/* A low-discrepancy sequence: the shares come out to the offer. */
void offers_world_steady(struct offers_world *world, const struct fg_steady_rate *rates,
                         size_t n_rates, bool *is_lost)
{
    const double golden = 0.618033988749895;
    world->is_steady = true;
    for (size_t i = 0; i < world->n; i++) {
        double left = fmod(((double)i + 0.5) * golden, 1);
        size_t k = 0;
        while (k < n_rates && left >= rates[k].share)
            left -= rates[k++].share;
        is_lost[i] = k == n_rates;
        world->offers[i].changes = k < n_rates ? (float)rates[k].rate : 0;
    }
}
