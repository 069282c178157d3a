/* generate.c - the markets A and B, and their relatives */
#include "lab/ads/world.h"

#include "base/alias.h"
#include "base/memory.h"
#include "base/variate.h"
#include "search/ads/formulas.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    PHRASES = 85000,
    QUERIES = 2000000,
    ADS_MOST = 150, /* a phrase */
    CLUSTERS = 200,
    CLUSTERS_MOST = 4, /* a phrase */
    NEIGHBOURS = 10    /* on either side, that ads are broadened from */
};
#define MEAN_QUERIES ((double)QUERIES / PHRASES)

/* What is common to all ads of a phrase, an advertiser or a cluster, and the streams. */
struct maker {
    struct fg_ads_world *world;
    struct fg_arena arena;
    struct fg_alias appetite;
    double *phrase_bid, *who_bid; /* normal variates */
    double *phrase_ctr, *who_ctr, *cluster_ctr;
    bool *is_there; /* by advertiser: has an ad on this phrase */
    size_t room;
    struct fg_rng queries, counts, choice, bids, rates, budgets, priors;
};

static double *normals(struct maker *m, struct fg_rng rng, size_t n)
{
    double *at = FG_NEW(&m->arena, double, n);
    for (size_t i = 0; i < n; i++)
        at[i] = fg_rng_normal(&rng);
    return at;
}

static void count_queries(struct maker *m)
{
    struct fg_ads_world *w = m->world;
    double all = 0, stride = (double)PHRASES / (double)w->phrases;
    for (size_t j = 1; j <= PHRASES; j++)
        all += fg_exp(-w->options.zipf * fg_log((double)j + 5));
    for (size_t k = 0; k < w->phrases; k++) {
        double j = 1 + (double)(size_t)(((double)k + 0.5) * stride);
        double mean = QUERIES * fg_exp(-w->options.zipf * fg_log(j + 5)) / all;
        double whole = (double)(uint64_t)mean;
        whole += fg_rng_unit(&m->queries) < mean - whole;
        w->queries[k] = whole < 1 ? 1 : (uint32_t)whole;
    }
}

static size_t count_ads(struct maker *m, size_t phrase)
{
    double n = m->world->options.ads * fg_exp(0.9 * fg_rng_normal(&m->counts)) *
               fg_exp(0.15 * fg_log(m->world->queries[phrase] / MEAN_QUERIES));
    double most = (double)(m->world->advertisers < ADS_MOST ? m->world->advertisers
                                                            : (size_t)ADS_MOST);
    n = (double)(int64_t)(n + 0.5);
    return (size_t)(n < 1 ? 1 : n > most ? most : n);
}

static int32_t to_bid(double units)
{
    double hundredths = (double)(int64_t)(units * 100 + 0.5);
    return (int32_t)(hundredths < 5 ? 5 : hundredths > 2000 ? 2000 : hundredths);
}

static float to_ctr(double rate)
{
    return (float)(rate < 0.0005 ? 0.0005 : rate > 0.5 ? 0.5 : rate);
}

static double rate_of(struct maker *m, size_t phrase, const struct fg_ad *ad)
{
    bool is_a = m->world->options.kind == FG_ADS_MARKET_A;
    double dep = m->world->options.related;
    double z = sqrt(1 - dep) * fg_rng_normal(&m->rates) +
               sqrt(dep / 2) * m->who_ctr[ad->advertiser] +
               sqrt(dep / 4) * m->phrase_ctr[phrase] +
               sqrt(dep / 4) * m->cluster_ctr[ad->cluster];
    return (is_a ? 0.05 : 0.015) * fg_exp((is_a ? 1.0 : 1.1) * z);
}

/* The mean of the prior is drawn around the rate, and its variance follows (6.8.1). */
static void give_prior(struct maker *m, struct fg_ad *ad)
{
    const struct fg_ads_options *o = &m->world->options;
    double coin = fg_rng_unit(&m->priors), c = ad->ctr;
    double k = fg_ads_prior_weight(c, o->prior_quality);
    if (coin >= o->prior_share)
        return;
    double mean = fg_rng_beta(&m->priors, c * k, (1 - c) * k);
    mean = mean < 1e-6 ? 1e-6 : mean > 0.8 ? 0.8 : mean;
    double weight = fg_ads_prior_weight(mean, o->prior_quality);
    ad->alpha = (float)(mean * weight);
    ad->beta = (float)((1 - mean) * weight);
}

static struct fg_ad *push_ad(struct maker *m)
{
    struct fg_ads_world *w = m->world;
    if (w->ads == m->room) {
        m->room *= 2;
        w->ad = fg_resized(w->ad, m->room, sizeof *w->ad);
    }
    struct fg_ad *ad = &w->ad[w->ads];
    *ad = (struct fg_ad){.id = (uint32_t)w->ads++};
    return ad;
}

static void make_ads(struct maker *m, size_t phrase)
{
    struct fg_ads_world *w = m->world;
    uint16_t cluster[CLUSTERS_MOST];
    size_t n = count_ads(m, phrase), from = w->ads;
    size_t n_clusters = 1 + fg_rng_below(&m->choice, CLUSTERS_MOST);
    for (size_t i = 0; i < n_clusters; i++)
        cluster[i] = (uint16_t)fg_rng_below(&m->choice, CLUSTERS);
    w->first[phrase] = (uint32_t)w->ads;
    for (size_t i = 0; i < n; i++) {
        size_t who;
        do
            who = fg_alias_draw(&m->appetite, &m->choice);
        while (m->is_there[who]);
        m->is_there[who] = true;
        struct fg_ad *ad = push_ad(m);
        ad->advertiser = (uint32_t)who;
        ad->cluster = cluster[fg_rng_below(&m->choice, n_clusters)];
        ad->bid =
            to_bid(0.25 * fg_exp(0.6 * m->phrase_bid[phrase] + 0.5 * m->who_bid[who] +
                                 0.4 * fg_rng_normal(&m->bids)));
        ad->ctr = to_ctr(rate_of(m, phrase, ad));
        give_prior(m, ad);
    }
    for (size_t i = from; i < w->ads; i++)
        m->is_there[w->ad[i].advertiser] = false;
}

/* As many ads again, of advertisers that have none here, from phrases close by. The ads
 * as they are are kept aside: nothing is broadened twice. */
static void broaden(struct maker *m)
{
    struct fg_ads_world *w = m->world;
    struct fg_ad *exact = w->ad;
    uint32_t *first = fg_zeroed(w->phrases + 1, sizeof *first);
    struct fg_rng rng = m->choice;
    memcpy(first, w->first, (w->phrases + 1) * sizeof *first);
    m->room = 2 * w->ads;
    w->ad = fg_zeroed(m->room, sizeof *w->ad);
    w->ads = 0;
    for (size_t j = 0; j < w->phrases; j++) {
        size_t n = first[j + 1] - first[j], from = w->ads;
        w->first[j] = (uint32_t)from;
        size_t low = j > NEIGHBOURS ? j - NEIGHBOURS : 0;
        size_t high = j + NEIGHBOURS < w->phrases ? j + NEIGHBOURS : w->phrases - 1;
        for (size_t i = 0; i < n; i++) {
            uint32_t id = push_ad(m)->id;
            w->ad[id] = exact[first[j] + i];
            w->ad[id].id = id;
            m->is_there[w->ad[id].advertiser] = true;
        }
        for (size_t tries = 0, more = 0; more < n && tries < 20 * n; tries++) {
            size_t other = first[low] + fg_rng_below(&rng, first[high + 1] - first[low]);
            if (m->is_there[exact[other].advertiser])
                continue;
            uint32_t id = push_ad(m)->id;
            w->ad[id] = exact[other];
            w->ad[id].id = id;
            w->ad[id].ctr = to_ctr((double)exact[other].ctr * 0.4 *
                                   fg_exp(0.5 * fg_rng_normal(&rng)));
            m->is_there[w->ad[id].advertiser] = true;
            more++;
        }
        for (size_t i = from; i < w->ads; i++)
            m->is_there[w->ad[i].advertiser] = false;
    }
    w->first[w->phrases] = (uint32_t)w->ads;
    free(first);
    free(exact);
}

/* What an advertiser could spend: the queries of its phrases, shared out by v^2. */
static void make_budgets(struct maker *m)
{
    struct fg_ads_world *w = m->world;
    const struct fg_ads_options *o = &w->options;
    double *pot = FG_NEW(&m->arena, double, w->advertisers);
    int32_t *highest = FG_NEW(&m->arena, int32_t, w->advertisers);
    for (size_t j = 0; j < w->phrases; j++) {
        double squares = 0;
        for (size_t a = w->first[j]; a < w->first[j + 1]; a++) {
            double v = w->ad[a].bid * (double)w->ad[a].ctr;
            squares += v * v;
        }
        for (size_t a = w->first[j]; a < w->first[j + 1]; a++) {
            size_t who = w->ad[a].advertiser;
            double v = w->ad[a].bid * (double)w->ad[a].ctr;
            pot[who] += w->queries[j] * v * v * v / squares;
            highest[who] = w->ad[a].bid > highest[who] ? w->ad[a].bid : highest[who];
        }
    }
    for (size_t i = 0; i < w->advertisers; i++) {
        double coin = fg_rng_unit(&m->budgets);
        double size = o->budget_size * fg_exp(0.8 * fg_rng_normal(&m->budgets)) * pot[i];
        double floor_size = o->budget_floor * highest[i];
        size = size < floor_size ? floor_size : size;
        w->budget[i] = coin < o->budgeted ? (int32_t)size : FG_NO_BUDGET;
    }
}

static void fill_order(struct fg_ads_world *w)
{
    for (size_t j = 0; j < w->phrases; j++)
        w->n_order += w->queries[j];
    w->order = fg_zeroed(w->n_order, sizeof *w->order);
    size_t at = 0;
    for (size_t j = 0; j < w->phrases; j++)
        for (size_t q = 0; q < w->queries[j]; q++)
            w->order[at++] = (uint32_t)j;
}

struct fg_ads_world *fg_ads_market_new(const struct fg_ads_options *options)
{
    size_t phrases = (size_t)(PHRASES * options->scale + 0.5);
    phrases = phrases < 10 ? 10 : phrases;
    size_t advertisers = (size_t)(0.35 * (double)phrases);
    struct fg_rng seed = fg_rng_from_seed(options->seed);
    struct maker m = {.room = 8 * phrases};
    struct fg_ads_world *w =
        fg_ads_world_empty(options, phrases, advertisers < 20 ? 20 : advertisers, m.room);
    m.world = w;
    struct fg_rng *streams[] = {&m.queries, &m.counts,  &m.choice, &m.bids,
                                &m.rates,   &m.budgets, &m.priors};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        *streams[i] = fg_rng_split(&seed, i);
    double *weights = FG_NEW(&m.arena, double, w->advertisers);
    for (size_t i = 0; i < w->advertisers; i++)
        weights[i] =
            fg_exp(-0.8 * fg_log((double)i + 1 + 0.001 * (double)w->advertisers));
    struct fg_err err;
    enum fg_status st =
        fg_alias_build(&m.appetite, &m.arena, weights, w->advertisers, &err);
    assert(!st);
    (void)st;
    m.phrase_bid = normals(&m, fg_rng_split(&seed, 10), w->phrases);
    m.who_bid = normals(&m, fg_rng_split(&seed, 11), w->advertisers);
    m.phrase_ctr = normals(&m, fg_rng_split(&seed, 12), w->phrases);
    m.who_ctr = normals(&m, fg_rng_split(&seed, 13), w->advertisers);
    m.cluster_ctr = normals(&m, fg_rng_split(&seed, 14), CLUSTERS);
    m.is_there = FG_NEW(&m.arena, bool, w->advertisers);
    count_queries(&m);
    for (size_t j = 0; j < w->phrases; j++)
        make_ads(&m, j);
    w->first[w->phrases] = (uint32_t)w->ads;
    if (options->is_broad)
        broaden(&m);
    make_budgets(&m);
    fill_order(w);
    fg_arena_clear(&m.arena);
    return w;
}
