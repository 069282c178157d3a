#include "lab/ads/replay.h"

#include "base/buf.h"
#include "base/memory.h"
#include "base/variate.h"
#include "lab/experiment.h"
#include "lab/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum fg_status fg_ads_entrant_check(const struct fg_entrant *entrant, struct fg_err *err)
{
    const struct fg_ads_policy *policy = fg_ads_policy_find(fg_str_from(entrant->policy));
    struct fg_market market;
    enum fg_status st = FG_OK;
    if (!policy) {
        struct fg_buf list;
        fg_buf_init(&list, 400);
        for (size_t i = 0; fg_ads_policies[i]; i++)
            fg_buf_printf(&list, "%s%s", i ? ", " : "", fg_ads_policies[i]->name);
        st =
            fg_fail(err, FG_ECONFIG, "no policy for advertisements '%s'; there are: %.*s",
                    entrant->policy, FG_ARG(fg_buf_str(&list)));
        fg_buf_clear(&list);
        return st;
    }
    fg_market_init(&market, policy, 0);
    for (size_t i = 0; !st && i < entrant->n_knobs; i++)
        if (!fg_market_set(&market, fg_str_from(entrant->knobs[i].name),
                           entrant->knobs[i].value))
            st = fg_fail(err, FG_ECONFIG, "'%s' has no knob '%s' that may be %g",
                         policy->name, entrant->knobs[i].name, entrant->knobs[i].value);
    fg_market_clear(&market);
    return st;
}

struct player {
    struct fg_ads_world *world;
    struct fg_market market;
    struct fg_rng clicks, lives;
    uint32_t *order, *ends; /* ends: by ad, the day it is revoked */
    size_t shown;
};

static uint32_t draw_life(struct player *p)
{
    uint64_t days = fg_rng_poisson(&p->lives, p->world->options.lifetime);
    return days < 1 ? 1 : (uint32_t)days;
}

static void fill_market(struct player *p)
{
    const struct fg_ads_world *w = p->world;
    for (size_t i = 0; i < w->advertisers; i++)
        fg_market_add_advertiser(&p->market, w->budget[i]);
    for (size_t j = 0; j < w->phrases; j++) {
        fg_market_add_phrase(&p->market);
        for (size_t a = w->first[j]; a < w->first[j + 1]; a++)
            fg_market_add(&p->market, j, &w->ad[a]);
    }
    p->market.mean_queries = (double)w->n_order / (double)w->phrases;
    p->market.horizon_days = w->options.lifetime;
    if (!(w->options.lifetime > 0))
        return;
    p->ends = fg_zeroed(w->ads, sizeof *p->ends);
    for (size_t a = 0; a < w->ads; a++)
        p->ends[a] = 1 + (uint32_t)fg_rng_below(&p->lives, draw_life(p));
}

/* What has ended is revoked and submitted anew, without its history. */
static void renew_ads(struct player *p, size_t day)
{
    const struct fg_ads_world *w = p->world;
    for (size_t j = 0; p->ends && j < w->phrases; j++)
        for (size_t a = w->first[j]; a < w->first[j + 1]; a++)
            if (p->ends[a] <= day) {
                fg_market_remove(&p->market, j, w->ad[a].id);
                fg_market_add(&p->market, j, &w->ad[a]);
                p->ends[a] = (uint32_t)day + draw_life(p);
            }
}

static void play_query(struct player *p, struct fg_ads_run *run, size_t day,
                       uint32_t phrase)
{
    uint32_t places[FG_ADS_SHOWN_MOST];
    struct fg_market *m = &p->market;
    size_t n = fg_market_query(m, phrase, p->shown, places);
    for (size_t k = 0; k < n; k++) {
        struct fg_ad_before before = fg_market_show(m, phrase, places[k]);
        if (fg_rng_unit(&p->clicks) >= (double)m->ctr[places[k]])
            continue;
        run->revenue[day] += fg_market_click(m, phrase, places[k], before);
        run->clicks++;
    }
    run->displays += (double)n;
}

static void check_budgets(const struct player *p, struct fg_ads_run *run)
{
    for (size_t i = 0; i < p->market.advertisers.n; i++)
        run->overspent = fmax(run->overspent, -p->market.advertisers.purse[i].remaining);
}

static void play_day(struct player *p, struct fg_ads_run *run, size_t day)
{
    const struct fg_ads_world *w = p->world;
    size_t n = w->n_order, slice = 1;
    struct fg_rng shuffle = fg_rng_from_seed(w->options.seed);
    shuffle = fg_rng_split(&shuffle, 1000 + day);
    if (!w->is_fixed && !w->options.is_block)
        fg_rng_shuffle(&shuffle, p->order, n, sizeof *p->order);
    fg_market_day(&p->market);
    for (size_t q = 0; q < n; q++) {
        p->market.days = (double)day + (double)q / (double)n;
        play_query(p, run, day, p->order[q]);
        if (q + 1 == n * slice / FG_ADS_SLICES && slice < FG_ADS_SLICES) {
            fg_market_slice(&p->market, 1 - (double)slice / FG_ADS_SLICES);
            slice++;
        }
    }
    check_budgets(p, run);
    run->queries += (double)n;
}

/* The phrases in a row, but another order of phrases each day. */
static void order_blocks(struct player *p, size_t day)
{
    const struct fg_ads_world *w = p->world;
    struct fg_rng rng = fg_rng_from_seed(w->options.seed);
    uint32_t *phrases = fg_zeroed(w->phrases, sizeof *phrases);
    size_t at = 0;
    rng = fg_rng_split(&rng, 1000 + day);
    for (size_t j = 0; j < w->phrases; j++)
        phrases[j] = (uint32_t)j;
    fg_rng_shuffle(&rng, phrases, w->phrases, sizeof *phrases);
    for (size_t j = 0; j < w->phrases; j++)
        for (size_t q = 0; q < w->queries[phrases[j]]; q++)
            p->order[at++] = phrases[j];
    free(phrases);
}

void fg_ads_replay(struct fg_ads_run *run, struct fg_ads_world *world,
                   const struct fg_entrant *entrant, size_t shown, uint64_t seed)
{
    struct fg_rng root = fg_rng_from_seed(seed);
    struct player p = {.world = world,
                       .clicks = fg_rng_split(&root, 1),
                       .lives = fg_rng_split(&root, 2),
                       .shown = shown};
    *run = (struct fg_ads_run){.bound = fg_ads_bound(world, shown),
                               .days = (double)world->options.days,
                               .first_day = (double)world->options.first_day};
    fg_market_init(&p.market, fg_ads_policy_find(fg_str_from(entrant->policy)), seed);
    for (size_t i = 0; i < entrant->n_knobs; i++)
        fg_market_set(&p.market, fg_str_from(entrant->knobs[i].name),
                      entrant->knobs[i].value);
    fill_market(&p);
    p.order = fg_zeroed(world->n_order, sizeof *p.order);
    memcpy(p.order, world->order, world->n_order * sizeof *p.order);
    for (size_t day = 0; day < world->options.days; day++) {
        renew_ads(&p, day);
        if (world->options.is_block && !world->is_fixed)
            order_blocks(&p, day);
        play_day(&p, run, day);
    }
    fg_market_clear(&p.market);
    free(p.order);
    free(p.ends);
}

double fg_ads_run_share(const struct fg_ads_run *run)
{
    double sum = 0, n = run->days - run->first_day;
    for (size_t day = (size_t)run->first_day; (double)day < run->days; day++)
        sum += run->revenue[day];
    return n > 0 && run->bound > 0 ? sum / (n * run->bound) : NAN;
}
