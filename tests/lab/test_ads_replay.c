/* The lab's markets: every policy on one small market, to six digits, is its golden file.
 * After a change that is meant to move them:
 *
 *     FORAGE_GOLDEN=write build/asan/tests/lab/test_ads_replay */
#include "lab/ads/replay.h"
#include "lab/experiment.h"
#include "test.h"

static struct fg_ads_options small_options(void)
{
    struct fg_ads_options options = fg_ads_options_default();
    options.scale = 0.004;
    options.days = 4;
    options.seed = 5;
    return options;
}

static struct fg_ads_run run_of(struct fg_ads_world *world, const char *policy,
                                size_t shown)
{
    struct fg_ads_run run;
    struct fg_entrant entrant = {.policy = policy, .label = policy};
    fg_ads_replay(&run, world, &entrant, shown, 3);
    return run;
}

static void tell(const struct fg_ads_run *run, char *text, size_t size)
{
    snprintf(text, size, "share %.6g\nfirst_day %.6g\nlast_day %.6g\nclicks %.6g\n",
             fg_ads_run_share(run), run->revenue[0] / run->bound,
             run->revenue[(size_t)run->days - 1] / run->bound, run->clicks);
}

static void each_policy_does_what_its_golden_file_says(void **state)
{
    (void)state;
    const char *wish = getenv("FORAGE_GOLDEN");
    struct fg_ads_options options = small_options();
    struct fg_ads_world *world = fg_ads_world_new(&options);
    for (size_t i = 0; fg_ads_policies[i]; i++) {
        char path[128], now[256], was[256] = "";
        struct fg_ads_run run = run_of(world, fg_ads_policies[i]->name, 1);
        tell(&run, now, sizeof now);
        snprintf(path, sizeof path, "tests/golden/ads/%s.txt", fg_ads_policies[i]->name);
        if (wish && strcmp(wish, "write") == 0) {
            FILE *out = fopen(path, "w");
            assert_non_null(out);
            fputs(now, out);
            fclose(out);
        }
        FILE *f = fopen(path, "r");
        if (!f)
            fail_msg("%s is missing: a policy needs its golden file", path);
        was[fread(was, 1, sizeof was - 1, f)] = '\0';
        fclose(f);
        if (strcmp(was, now) != 0)
            fail_msg("%s was\n%sis\n%s", path, was, now);
        assert_true(run.overspent <= 0);
    }
    fg_ads_world_free(world);
}

static void order_of_the_thesis_comes_out(void **state)
{
    (void)state;
    static const char *const order[] = {"greedy", "bmix", "bmix-e", "paced-index",
                                        "known-paced"};
    double before = 0;
    struct fg_ads_options options = small_options();
    options.scale = 0.01;
    struct fg_ads_world *world = fg_ads_world_new(&options);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        struct fg_ads_run run = run_of(world, order[i], 1);
        if (fg_ads_run_share(&run) <= before)
            fail_msg("%s earns %g, not more than %g", order[i], fg_ads_run_share(&run),
                     before);
        before = fg_ads_run_share(&run);
    }
    assert_true(before < 1);
    fg_ads_world_free(world);
}

static void bound_falls_with_budgets_and_grows_with_ads(void **state)
{
    (void)state;
    struct fg_ads_options options = small_options();
    struct fg_ads_world *with = fg_ads_world_new(&options);
    options.budgeted = 0;
    struct fg_ads_world *without = fg_ads_world_new(&options);
    double most = 0; /* without budgets the bound is the best ad of each phrase */
    for (size_t j = 0; j < without->phrases; j++) {
        double best = 0;
        for (size_t a = without->first[j]; a < without->first[j + 1]; a++)
            best = fmax(best, without->ad[a].bid * (double)without->ad[a].ctr);
        most += best * without->queries[j];
    }
    assert_near(fg_ads_bound(without, 1) / most, 1, 1e-9);
    assert_true(fg_ads_bound(with, 1) < most);
    assert_true(fg_ads_bound(with, 2) > fg_ads_bound(with, 1));
    fg_ads_world_free(with);
    fg_ads_world_free(without);
}

/* Two queries, one advertiser that pays once (bid 1, budget 1, rate .5): .5 + .5 * .5. */
static void optimum_is_that_of_one_who_knows_the_order(void **state)
{
    (void)state;
    struct fg_ads_options options = fg_ads_options_default();
    struct fg_ads_world *w = fg_ads_world_empty(&options, 2, 2, 3);
    static uint32_t order[] = {0, 1};
    w->ad[0] = (struct fg_ad){.advertiser = 0, .bid = 1, .ctr = 0.5F};
    w->first[1] = 1;
    w->ad[1] = (struct fg_ad){.advertiser = 0, .bid = 1, .ctr = 0.5F};
    w->ad[2] = (struct fg_ad){.advertiser = 1, .bid = 2, .ctr = 0.125F};
    w->first[2] = 3;
    w->ads = 3;
    w->budget[0] = 1;
    w->budget[1] = 2;
    w->order = order;
    w->n_order = 2;
    /* clicked at first: advertiser 1 is left, .25; else advertiser 0 again, .5 */
    assert_near(fg_ads_optimum(w), 0.5 * (1 + 0.25) + 0.5 * 0.5, 1e-12);
    w->order = NULL;
    fg_ads_world_free(w);
}

static void nobody_falls_below_half_of_the_optimum(void **state)
{
    (void)state;
    static const char *const names[] = {"greedy", "bmix", "bmix-e", "bpol",
                                        "paced-index"};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct fg_ads_options options = fg_ads_options_default();
        options.kind = FG_ADS_RANDOM;
        options.queries = 60;
        options.seed = seed;
        struct fg_ads_world *world = fg_ads_world_new(&options);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            double sum = 0; /* the theorem is about means */
            struct fg_entrant entrant = {.policy = names[i], .label = names[i]};
            for (uint64_t run_seed = 1; run_seed <= 40; run_seed++) {
                struct fg_ads_run run;
                fg_ads_replay(&run, world, &entrant, 1, run_seed);
                sum += fg_ads_run_share(&run) / 40;
            }
            assert_true(sum > 0.5);
            assert_true(sum < 1.1);
        }
        fg_ads_world_free(world);
    }
}

static void priors_and_lifetimes_are_as_asked(void **state)
{
    (void)state;
    struct fg_ads_options options = small_options();
    options.prior_share = 0.5;
    options.lifetime = 1;
    struct fg_ads_world *world = fg_ads_world_new(&options);
    size_t with = 0;
    double gap = 0;
    for (size_t a = 0; a < world->ads; a++) {
        double weight = (double)(world->ad[a].alpha + world->ad[a].beta);
        with += weight > 0;
        if (weight > 0)
            gap += (double)world->ad[a].alpha / weight - (double)world->ad[a].ctr;
    }
    assert_near((double)with / (double)world->ads, 0.5, 0.05);
    assert_near(gap / (double)with, 0, 0.01); /* right on average */
    struct fg_ads_run short_lived = run_of(world, "paced-index", 1);
    fg_ads_world_free(world);
    options.lifetime = 0;
    world = fg_ads_world_new(&options);
    struct fg_ads_run steady = run_of(world, "paced-index", 1);
    assert_true(fg_ads_run_share(&steady) > fg_ads_run_share(&short_lived));
    fg_ads_world_free(world);
}

FG_TESTS(each_policy_does_what_its_golden_file_says, order_of_the_thesis_comes_out,
         bound_falls_with_budgets_and_grows_with_ads,
         optimum_is_that_of_one_who_knows_the_order,
         nobody_falls_below_half_of_the_optimum, priors_and_lifetimes_are_as_asked)
