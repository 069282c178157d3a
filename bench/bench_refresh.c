/* What deciding costs a page and tick, for lambda, for kab and for each of its arms, at
 * 10 million pages and 10 % of them a day in ticks of two hours; against a pass that
 * reads what the policy must read and writes a score. Rates are skewed as those of offers
 * are. The ticks go through the frame as they do in a crawl, picks and observations
 * included.
 */
#include "bench.h"

#include "base/variate.h"
#include "policy/mind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 10000000, TICKS = 12, STEP_HOURS = 2 };
static const size_t BUDGET = (size_t)(N * 0.1 / 12);

static struct fg_pick *picks;

static double bytes_a_page(const struct fg_policy *policy)
{
    static const size_t bytes[] = {[FG_F32] = 4, [FG_F64] = 8, [FG_U8] = 1,
                                   [FG_U16] = 2, [FG_U32] = 4, [FG_I64] = 8};
    size_t sum = 0;
    for (const struct fg_column *c = policy->columns; c->name; c++)
        sum += bytes[c->type] * (c->width ? c->width : 1);
    return (double)sum;
}

/* Changes of a median of .01 a day, clicks of .002, impressions of .02. */
static void tell_all(struct fg_mind *mind)
{
    static const struct {
        enum fg_told_rate kind;
        double median, spread;
    } told[] = {{FG_TOLD_CHANGES_MODEL, 0.01, 2.3},
                {FG_TOLD_CLICKS_MODEL, 0.002, 2.7},
                {FG_TOLD_IMPRESSIONS_MODEL, 0.02, 2.5}};
    struct fg_rng rng = fg_rng_from_seed(1);
    for (size_t k = 0; k < sizeof told / sizeof *told; k++) {
        struct fg_rng stream = fg_rng_split(&rng, k);
        for (size_t i = 0; i < N; i++)
            fg_mind_tell(
                mind, i, told[k].kind,
                (float)(told[k].median * exp(told[k].spread * fg_rng_normal(&stream))));
    }
}

static struct fg_mind *mind_of(const char *name, const char *arm, bool is_told)
{
    static const char *const arms[] = {"uniform", "change", "click", "impression",
                                       "lambda"};
    struct fg_err err;
    const struct fg_policy *policy = fg_policy_find(fg_str_from(name), FG_REFRESH);
    struct fg_mind *mind = fg_mind_new(policy, 1);
    for (size_t i = 0; arm && i < sizeof arms / sizeof *arms; i++)
        bench_must(fg_mind_set(mind, fg_str_from(arms[i]), !strcmp(arm, arms[i]), &err),
                   &err);
    fg_mind_tick(mind, STEP_HOURS * FG_HOUR);
    fg_mind_budget(mind, (double)BUDGET);
    for (size_t i = 0; i < N; i++)
        fg_mind_add(mind, i, (uint32_t)(i % 1000), 0);
    if (is_told)
        tell_all(mind);
    return mind;
}

/* CPU time of the fastest of the later ticks, a page; observing apart. */
static double decide(struct fg_mind *mind, double *slowest)
{
    double best = INFINITY;
    *slowest = 0;
    for (int tick = 0; tick < TICKS; tick++) {
        fg_time now = (tick + 1) * STEP_HOURS * FG_HOUR;
        double start = bench_cpu_seconds();
        size_t n = fg_mind_choose(mind, now, BUDGET, picks);
        double took = (bench_cpu_seconds() - start) / N * 1e9;
        if (tick > 1) {
            best = took < best ? took : best;
            *slowest = took > *slowest ? took : *slowest;
        }
        for (size_t i = 0; i < n; i++)
            fg_mind_observe(mind, &(struct fg_visit){.page = picks[i].page,
                                                     .now = now,
                                                     .ok = true,
                                                     .changed = picks[i].page % 7 == 0});
    }
    return best;
}

/* The least there is to do: read two arrays of told rates, write a score. */
static double stream(void)
{
    float *a = calloc(N, sizeof *a), *b = calloc(N, sizeof *b),
          *out = calloc(N, sizeof *out);
    double best = INFINITY;
    for (int round = 0; round < 7; round++) {
        double start = bench_cpu_seconds();
        for (size_t i = 0; i < N; i++)
            out[i] = a[i] * b[i];
        double took = (bench_cpu_seconds() - start) / N * 1e9;
        best = took < best ? took : best;
        bench_use((uint64_t)out[round]);
    }
    free(a);
    free(b);
    free(out);
    return best;
}

static void measure(const char *name, const char *arm, bool is_told, double limit)
{
    char what[96];
    struct fg_mind *mind = mind_of(name, arm, is_told);
    double slowest, ns = decide(mind, &slowest);
    snprintf(what, sizeof what, "%s%s%s, %s", name, arm ? ", arm " : "", arm ? arm : "",
             is_told ? "told rates" : "own visits");
    printf("%-44s %9.2f ns a page and tick, slowest %.2f; %g bytes a page\n", what, ns,
           slowest, bytes_a_page(fg_mind_policy(mind)));
    bench_ratio(what, "the time of a streaming pass", ns / limit, 0);
    bench_ratio(what, "as fast as 20 ns a page and tick", 20 / slowest, 1);
    fg_mind_free(mind);
}

int main(void)
{
    picks = calloc(BUDGET, sizeof *picks);
    double limit = stream();
    printf("%-44s %9.2f ns a page\n", "a streaming pass", limit);
    measure("lambda", NULL, true, limit);
    measure("lambda", NULL, false, limit);
    measure("kab5", NULL, true, limit);
    measure("kab", "change", true, limit);
    measure("kab", "lambda", true, limit);
    free(picks);
    return 0;
}
