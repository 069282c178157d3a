/* Choosing C of 1,000 candidate ads: the query, the choice, the displays, a click now and
 * then, and the new scores, for 4,000 such phrases in random order (64 MB), as a median
 * and the 99th percentile. Asked: at most 10 us median for C up to 8. Then ten days of 2
 * million queries on the market of the thesis, on one core; and live queries with ten
 * candidates, and clicks, against a store on disk. */
#include "bench.h"

#include "base/memory.h"
#include "base/rng.h"
#include "lab/ads/replay.h"
#include "lab/experiment.h"
#include "search/ads/live.h"
#include "search/ads/market.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { PHRASES = 4000, CANDIDATES = 1000, ADVERTISERS = 20000, QUERIES = 100000 };

static void fill(struct fg_market *m, const char *policy)
{
    struct fg_rng rng = fg_rng_from_seed(1);
    fg_market_init(m, fg_ads_policy_find(fg_str_from(policy)), 1);
    for (size_t i = 0; i < ADVERTISERS; i++)
        fg_market_add_advertiser(m, i % 5 < 3 ? 1000000 : FG_NO_BUDGET);
    for (uint32_t p = 0; p < PHRASES; p++) {
        fg_market_add_phrase(m);
        for (uint32_t i = 0; i < CANDIDATES; i++) {
            struct fg_ad ad = {.id = p * CANDIDATES + i,
                               .advertiser = (uint32_t)fg_rng_below(&rng, ADVERTISERS),
                               .bid = 5 + (int32_t)fg_rng_below(&rng, 95)};
            uint32_t place = fg_market_add(m, p, &ad);
            m->shown[place] = (uint32_t)fg_rng_below(&rng, 200);
            m->clicked[place] = (uint32_t)fg_rng_below(&rng, 1 + m->shown[place] / 10);
        }
        m->phrases.queries[p] =
            200000; /* so that whole phrases are renewed once, not always */
    }
    m->mean_queries = 1000;
    m->days = 10;
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void measure(struct fg_market *m, size_t shown)
{
    struct fg_rng rng = fg_rng_from_seed(2);
    double *took = fg_zeroed(QUERIES, sizeof *took);
    uint32_t places[FG_ADS_SHOWN_MOST];
    for (size_t q = 0; q < QUERIES; q++) {
        size_t phrase = fg_rng_below(&rng, PHRASES);
        double began = now_us();
        size_t n = fg_market_query(m, phrase, shown, places);
        for (size_t k = 0; k < n; k++) {
            struct fg_ad_before before = fg_market_show(m, phrase, places[k]);
            if (fg_rng_below(&rng, 20) == 0)
                fg_market_click(m, phrase, places[k], before);
        }
        took[q] = now_us() - began;
    }
    qsort(took, QUERIES, sizeof *took, by_time);
    printf("%-13s %zu of %d candidates: median %.1f us, 99 %% %.1f us (asked: 10)\n",
           m->policy->name, shown, CANDIDATES, took[QUERIES / 2],
           took[QUERIES * 99 / 100]);
    free(took);
}

static void run_market(const char *policy)
{
    struct fg_ads_options options = fg_ads_options_default();
    struct fg_ads_world *world = fg_ads_world_new(&options);
    struct fg_entrant entrant = {.policy = policy, .label = policy};
    struct fg_ads_run run;
    fg_ads_bound(world, 1);
    double began = bench_cpu_seconds();
    fg_ads_replay(&run, world, &entrant, 1, 1);
    printf("%-13s ten days of %.1f million queries, %zu ads: %.1f s of a core, %.3f of "
           "the bound (asked: 60 s)\n",
           policy, run.queries / run.days / 1e6, world->ads, bench_cpu_seconds() - began,
           fg_ads_run_share(&run));
    fg_ads_world_free(world);
}

static void open_live(struct fg_ads **ads, const char *folder, struct fg_err *err)
{
    struct fg_ads_settings settings = {.enabled = true,
                                       .policy = FG_STR("paced-index"),
                                       .shown = 2,
                                       .window = FG_HOUR,
                                       .per_advertiser = 1,
                                       .per_client = 1};
    struct fg_store *store;
    bench_must(
        fg_store_open(&store, folder, &(struct fg_store_options){.body_depth = 1}, err),
        err);
    bench_must(fg_store_close(store, err), err);
    bench_must(fg_ads_open(ads, folder, &settings, err), err);
}

static void run_live(void)
{
    enum { ASKED = 500 };
    char folder[] = "/tmp/forage-bench-ads-XXXXXX";
    struct fg_err err;
    struct fg_ads *ads;
    struct fg_arena arena = {0};
    struct fg_str tokens[ASKED];
    if (!mkdtemp(folder))
        return;
    open_live(&ads, folder, &err);
    for (int i = 0; i < 10; i++) {
        char name[] = {(char)('a' + (char)i), '\0'};
        int64_t number;
        bool is_new;
        struct fg_ads_campaign c = {.advertiser = fg_str_from(name),
                                    .phrase = FG_STR("mushroom"),
                                    .title = FG_STR("an ad"),
                                    .url = FG_STR("https://shop.example/"),
                                    .bid = 10,
                                    .budget = 100000,
                                    .is_broad = true};
        bench_must(fg_ads_add(ads, &c, FG_DAY, &number, &is_new, &err), &err);
    }
    double began = now_us();
    for (size_t i = 0; i < ASKED; i++) {
        struct fg_ads_shown shown;
        bench_must(fg_ads_for(ads, &shown, &arena, FG_STR("red mushrooms"),
                              FG_DAY + (fg_time)i * FG_SECOND, &err),
                   &err);
        tokens[i] = shown.at[0].token;
    }
    double asked = now_us();
    for (size_t i = 0; i < ASKED; i++) {
        struct fg_ads_taken taken;
        bench_must(fg_ads_click(ads, &taken, &arena, tokens[i], FG_STR(""),
                                FG_DAY + ASKED * FG_SECOND, &err),
                   &err);
    }
    printf("live: a query with 10 candidates %.2f ms, a click %.2f ms\n",
           (asked - began) / ASKED / 1e3, (now_us() - asked) / ASKED / 1e3);
    fg_ads_close(ads);
    fg_arena_clear(&arena);
    static const char *const files[] = {"forage.db", "forage.db-wal", "forage.db-shm",
                                        "forage.db.lock"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[96];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    rmdir(folder);
}

int main(void)
{
    run_live();
    static const char *const policies[] = {"paced-index", "bmix-et"};
    static const size_t shown[] = {1, 5, 8};
    for (size_t p = 0; p < 2; p++) {
        struct fg_market market;
        fill(&market, policies[p]);
        uint32_t places[1]; /* every phrase once, so that its scores are there */
        for (size_t i = 0; i < PHRASES; i++)
            fg_market_query(&market, i, 1, places);
        for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
            measure(&market, shown[i]);
        fg_market_clear(&market);
    }
    run_market("paced-index");
    run_market("bmix-et");
    return 0;
}
