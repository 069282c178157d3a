/* A day of the default community (10,000 pages, 300 visits) under each policy, and the
 * table of slot prices: at most 150 us and 5 ms are asked for. */
#include "bench.h"

#include "lab/rank/community.h"
#include "search/rank/prices.h"

#include <stdio.h>

enum { DAYS = 500, PAGES = 10000 };

struct job {
    const struct fg_community_world *world;
    const struct fg_rank_policy *policy;
};

static void live(void *context)
{
    const struct job *job = context;
    struct fg_rank_setting setting = fg_community_setting(job->world, 0.1);
    struct fg_community_outcome outcome;
    double knob[FG_PARAMS_MAX];
    fg_rank_knobs(knob, job->policy);
    struct fg_ranker *ranker = fg_ranker_new(job->policy, knob, &setting);
    fg_community_run(&outcome, job->world, 0.1, ranker, 1);
    fg_ranker_free(ranker);
    bench_use((uint64_t)(outcome.quality * 1e9));
}

static double key[FG_LESSONS_MOST * (FG_LESSONS_MOST + 1) / 2];
static double worth[(FG_LESSONS_MOST + 1) * (FG_LESSONS_MOST + 2) / 2];
static double surplus[PAGES];

static void solve(void *context)
{
    struct fg_community_world *world = context;
    struct fg_prices prices = {PAGES, world->share, world->quality, surplus};
    struct fg_lessons lessons = {.alpha = 0.009,
                                 .beta = 9.08,
                                 .life = 547500,
                                 .watched = 100,
                                 .watched_share = 0.1,
                                 .patience = 1,
                                 .n = FG_LESSONS_MOST,
                                 .key = key,
                                 .worth = worth};
    fg_prices_settle(&prices);
    fg_lessons_solve(&lessons, &prices);
    bench_use((uint64_t)(key[0] * 1e9));
}

/* CPU time, the least of five rounds: the figure is of one core, however busy it is. */
static double cpu_seconds(void (*work)(void *context), void *context)
{
    double least = 1e9;
    for (size_t i = 0; i < 5; i++) {
        double before = bench_cpu_seconds();
        work(context);
        double took = bench_cpu_seconds() - before;
        least = took < least ? took : least;
    }
    return least;
}

int main(void)
{
    for (unsigned feedback = 0; feedback < 2; feedback++) {
        struct fg_community like = {
            .feedback = feedback, .days = DAYS / 2, .warm_up = DAYS / 2};
        struct fg_community_world *world = fg_community_new(&like);
        for (size_t i = 0; fg_rank_policies[i]; i++) {
            struct job job = {world, (const struct fg_rank_policy *)fg_rank_policies[i]};
            double day = cpu_seconds(live, &job) / DAYS;
            char what[100];
            snprintf(what, sizeof what, "a day of a community, %s, %s",
                     job.policy->about.name, feedback ? "votes" : "exact");
            bench_ratio(what, "150 us", 150e-6 / day, 1);
        }
        fg_community_free(world);
    }
    struct fg_community_world *world = fg_community_new(&(struct fg_community){0});
    bench_ratio("the table of slot prices", "5 ms", 5e-3 / cpu_seconds(solve, world), 1);
    fg_community_free(world);
    return 0;
}
