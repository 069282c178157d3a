/* Random variates against numpy, if /usr/bin/python3 or python3 has it: the same shapes,
 * one core each, both filling an array that is already there, the best of several rounds.
 * numpy is called with out= where it can be, so that neither side allocates. Rounds are
 * short, half a millisecond, so that on a busy machine some go undisturbed. */
#include "bench.h"

#include "base/alias.h"
#include "base/fill.h"
#include "base/variate.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000 };
static double shape[N], rate[N], out[N];
static float shape_f32[N], rate_f32[N], out_f32[N];
static struct fg_rng rng;

static void fill_uniform(void *context)
{
    (void)context;
    fg_uniform_fill(&rng, 0, N, out);
}
static void draw_normal(void *context)
{
    (void)context;
    for (int i = 0; i < N; i++)
        out[i] = fg_rng_normal(&rng);
}
static void draw_exponential(void *context)
{
    (void)context;
    for (int i = 0; i < N; i++)
        out[i] = fg_rng_exponential(&rng);
}
static void fill_gamma(void *context)
{
    (void)context;
    fg_gamma_fill(&rng, 0, N, shape, NULL, out);
}
static void fill_gamma_rates(void *context)
{
    (void)context;
    fg_gamma_fill(&rng, 0, N, shape, rate, out);
}
static void fill_gamma_f32(void *context)
{
    (void)context;
    fg_gamma_fill_f32(&rng, 0, N, shape_f32, rate_f32, out_f32);
}
static void draw_gamma(void *context)
{
    (void)context;
    for (int i = 0; i < N; i++)
        out[i] = fg_rng_gamma(&rng, shape[i]);
}
static void draw_poisson(void *context)
{
    double mean = *(double *)context;
    for (int i = 0; i < N; i++)
        out[i] = (double)fg_rng_poisson(&rng, mean);
}
static void draw_binomial(void *context)
{
    double p = *(double *)context;
    for (int i = 0; i < N; i++)
        out[i] = (double)fg_rng_binomial(&rng, 1000, p);
}
static void draw_alias(void *context)
{
    uint64_t sum = 0;
    for (int i = 0; i < N; i++)
        sum += fg_alias_draw(context, &rng);
    bench_use(sum);
}

static void set_shapes(double low, double high)
{
    fg_uniform_fill(&rng, 0, N, shape);
    for (int i = 0; i < N; i++) {
        shape[i] = low + (high - low) * shape[i];
        rate[i] = 1 + (double)(i % 100);
        shape_f32[i] = (float)shape[i];
        rate_f32[i] = (float)rate[i];
    }
}

/* Seconds for N of `expression` in numpy, 0 if there is none. */
static double numpy_seconds(const char *expression)
{
    static const char script[] = "import numpy as np, time\n"
                                 "g = np.random.default_rng(1)\n"
                                 "n = %d\n"
                                 "out = np.empty(n)\n"
                                 "mixed = g.uniform(0.1, 50, n)\n"
                                 "small = g.uniform(0.05, 1, n)\n"
                                 "best = 9\n"
                                 "for i in range(1000):\n"
                                 "    start = time.perf_counter()\n"
                                 "    %s\n"
                                 "    best = min(best, time.perf_counter() - start)\n"
                                 "print(best)";
    char program[1024];
    snprintf(program, sizeof program, script, N, expression);
    return bench_python(program);
}

static void compare(const char *what, void (*work)(void *), void *context,
                    const char *expression, double asked)
{
    double ours = bench_seconds(work, context), theirs = numpy_seconds(expression);
    bench_rate(what, N / ours, "variates");
    if (theirs > 0)
        bench_ratio(what, "numpy", theirs / ours, asked);
}

int main(void)
{
    rng = fg_rng_from_seed(1);
    double means[] = {3, 100}, chances[] = {0.005, 0.3}, weights[1000];
    if (numpy_seconds("pass") == 0)
        printf("numpy is not installed: no ratios to it\n");

    set_shapes(2, 2);
    compare("gamma, shape 2", fill_gamma, NULL, "g.standard_gamma(2.0, out=out)", 2);
    set_shapes(0.1, 50);
    compare("gamma, shapes 0.1 to 50", fill_gamma, NULL,
            "g.standard_gamma(mixed, out=out)", 2);
    compare("gamma, the same, with rates", fill_gamma_rates, NULL,
            "g.gamma(mixed, 1.0 / mixed)", 2);
    bench_rate("gamma, the same, float32", N / bench_seconds(fill_gamma_f32, NULL),
               "variates");
    compare("gamma, the same, one by one", draw_gamma, NULL,
            "g.standard_gamma(mixed, out=out)", 0);
    set_shapes(0.05, 1);
    compare("gamma, shapes 0.05 to 1", fill_gamma, NULL,
            "g.standard_gamma(small, out=out)", 2);
    compare("uniform", fill_uniform, NULL, "g.random(out=out)", 0);
    compare("normal, one by one", draw_normal, NULL, "g.standard_normal(out=out)", 0);
    compare("exponential, one by one", draw_exponential, NULL,
            "g.standard_exponential(out=out)", 0);
    compare("Poisson, mean 3", draw_poisson, &means[0], "g.poisson(3, n)", 0);
    compare("Poisson, mean 100", draw_poisson, &means[1], "g.poisson(100, n)", 0);
    compare("binomial, n 1000, p 0.005", draw_binomial, &chances[0],
            "g.binomial(1000, 0.005, n)", 0);
    compare("binomial, n 1000, p 0.3", draw_binomial, &chances[1],
            "g.binomial(1000, 0.3, n)", 0);

    struct fg_arena arena = {0};
    struct fg_alias alias;
    for (int i = 0; i < 1000; i++)
        weights[i] = fg_rng_unit(&rng);
    if (!fg_alias_build(&alias, &arena, weights, 1000, NULL))
        bench_rate("choice among 1000 weights", N / bench_seconds(draw_alias, &alias),
                   "variates");
    fg_arena_clear(&arena);
    return 0;
}
