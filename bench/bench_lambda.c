/* How often to fetch each of 10 million pages: the price found from nothing and from the
 * last price, and the rates written down; against the least that any method must do,
 * which is reading weights and change rates once. */
#include "bench.h"

#include "base/lanes.h"
#include "base/memory.h"
#include "base/variate.h"
#include "learn/lambda.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 10000000, SITES = 10000, BIG_SITES = 3 };

struct work {
    struct fg_lambda_pages pages;
    struct fg_lambda lambda;
    double budget, price; /* `price`: where to start; 0: cold */
    float *out;
};

/* The least of five rounds, in CPU time: others may be using the machine. */
static double cpu_seconds(void (*work)(void *context), void *context)
{
    double best = INFINITY;
    for (int i = 0; i < 5; i++) {
        double start = bench_cpu_seconds();
        work(context);
        best = fmin(best, bench_cpu_seconds() - start);
    }
    return best;
}

static void read_all(void *context)
{
    const struct work *work = context;
    f64x4 sum[4] = {{0}};
    for (size_t i = 0; i < N; i += 2 * LANES) {
        sum[0] += load_floats(work->pages.weight + i);
        sum[1] += load_floats(work->pages.change + i);
        sum[2] += load_floats(work->pages.weight + i + LANES);
        sum[3] += load_floats(work->pages.change + i + LANES);
    }
    sum[0] += sum[1] + sum[2] + sum[3];
    bench_use((uint64_t)sum[0][0]);
}

static void solve(void *context)
{
    struct work *work = context;
    work->lambda.price = work->price;
    bench_use((uint64_t)fg_lambda_solve(&work->lambda, &work->pages, work->budget));
}

static void write_rates(void *context)
{
    const struct work *work = context;
    fg_lambda_rates(&work->lambda, &work->pages, 0, N, work->out);
    bench_use((uint64_t)work->out[N / 2]);
}

static void report(const char *model, const char *start, double seconds, size_t passes,
                   double reading)
{
    char what[80];
    printf("%-10s %-8s %2zu passes %8.2f ns/page %6.2f ns/page and pass\n", model, start,
           passes, seconds / N * 1e9, seconds / N / (double)passes * 1e9);
    snprintf(what, sizeof what, "%s %s, passes", model, start);
    bench_ratio(what, "fewer than 20", 20 / (double)passes, 1);
    snprintf(what, sizeof what, "%s %s, a pass", model, start);
    bench_ratio(what, "reading once", (double)passes * reading / seconds, 0);
}

static void measure(const char *model, struct work *work, double reading)
{
    work->price = 0;
    double cold = cpu_seconds(solve, work);
    report(model, "cold", cold, work->lambda.passes, reading);
    /* The next tick: the same pages, a budget that differs by what was carried over. */
    work->price = work->lambda.price;
    work->budget *= 1.01;
    double warm = cpu_seconds(solve, work);
    report(model, "warm", warm, work->lambda.passes, reading);
    work->budget /= 1.01;
    printf("%-10s rates %8.2f ns/page\n", model,
           cpu_seconds(write_rates, work) / N * 1e9);
}

int main(void)
{
    static const struct {
        const char *name;
        enum fg_lambda_model model;
    } models[] = {{"Bernoulli", FG_LAMBDA_BERNOULLI},
                  {"Poisson", FG_LAMBDA_POISSON},
                  {"periodic", FG_LAMBDA_PERIODIC}};
    struct fg_rng weights = fg_rng_from_seed(1), changes = fg_rng_from_seed(2);
    float *weight = fg_zeroed(N, sizeof(float)), *change = fg_zeroed(N, sizeof(float));
    uint32_t *site = fg_zeroed(N, sizeof(uint32_t));
    double cap[SITES];
    for (size_t i = 0; i < N; i++)
        weight[i] = (float)exp(2.7 * fg_rng_normal(&weights));
    for (size_t i = 0; i < N; i++) {
        change[i] = (float)exp(-4.5 + 2.3 * fg_rng_normal(&changes));
        site[i] = (uint32_t)(fmod((double)i * 0.6180339887, 1) * SITES);
    }
    struct work work = {.pages = {.n = N, .weight = weight, .change = change},
                        .budget = 0.01 * N,
                        .out = fg_zeroed(N, sizeof(float))};
    for (size_t i = 0; i < SITES; i++)
        cap[i] = i % 50 == 0 ? 0.5 * work.budget / SITES : INFINITY;
    double reading = cpu_seconds(read_all, &work);
    printf("reading once %.2f ns/page\n", reading / N * 1e9);
    for (size_t i = 0; i < 3; i++) {
        work.lambda = (struct fg_lambda){.model = models[i].model, .most = 1};
        measure(models[i].name, &work, reading);
    }
    work.pages.site = site;
    work.pages.cap = cap;
    work.pages.sites = SITES;
    work.lambda = (struct fg_lambda){.model = FG_LAMBDA_POISSON, .most = 1};
    measure("capped", &work, reading);
    fg_lambda_clear(&work.lambda);
    /* Three sites that do not fit a cache, two of them at their caps. */
    work.pages.sites = BIG_SITES;
    for (size_t i = 0; i < N; i++)
        site[i] = (uint32_t)(i % BIG_SITES);
    for (size_t i = 0; i < BIG_SITES; i++)
        cap[i] = i ? 0.2 * work.budget : INFINITY;
    for (size_t i = 0; i < 3; i++) {
        char name[40];
        snprintf(name, sizeof name, "%s, big sites", models[i].name);
        work.lambda = (struct fg_lambda){.model = models[i].model, .most = 1};
        measure(name, &work, reading);
        fg_lambda_clear(&work.lambda);
    }
    free(weight);
    free(change);
    free(site);
    free(work.out);
    return 0;
}
