/* The lab and the decisions of a tick, on one core.
 *
 * Replay: a site of 77 sources with about 125 links each, every source visited at every
 * step, so that each link observation there is is shown to the policy. Decision: thompson
 * over a million sources, beside the program of Figure 1 in Schulam & Muslea (WWW 2023)
 * in numpy and scipy on the same inputs. */
#include "bench.h"

#include "base/rng.h"
#include "base/variate.h"
#include "base/vec.h"
#include "lab/replay.h"
#include "policy/mind.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { SOURCES = 77, LENGTH = 125, STEPS = 1176 };

/* Lists that push out their oldest entry; a third of the entries stand on two lists. */
static struct fg_site *make_site(void)
{
    static uint32_t entered[SOURCES][LENGTH], target[SOURCES][LENGTH];
    static size_t oldest[SOURCES];
    FG_VEC(struct fg_stay) stays = {0};
    struct fg_rng rng = fg_rng_from_seed(1);
    uint32_t targets = SOURCES * LENGTH;
    for (uint32_t u = 0; u < SOURCES; u++)
        for (uint32_t i = 0; i < LENGTH; i++)
            target[u][i] = u * LENGTH + i;
    for (uint32_t step = 1; step < STEPS; step++)
        for (uint32_t u = 0; u < SOURCES; u++)
            for (uint64_t n = fg_rng_poisson(&rng, 20.0 / (double)(u + 5)); n > 0; n--) {
                uint32_t on[2] = {u, (u + 7) % SOURCES};
                for (size_t j = 0; j < (targets % 3 == 0 ? 2 : 1); j++) {
                    size_t *at = &oldest[on[j]];
                    fg_vec_push(&stays, (struct fg_stay){on[j], target[on[j]][*at],
                                                         entered[on[j]][*at], step - 1});
                    target[on[j]][*at] = targets;
                    entered[on[j]][*at] = step;
                    *at = (*at + 1) % LENGTH;
                }
                targets++;
            }
    for (uint32_t u = 0; u < SOURCES; u++)
        for (size_t i = 0; i < LENGTH; i++)
            fg_vec_push(&stays, (struct fg_stay){u, target[u][i], entered[u][i], STEPS});
    struct fg_site_facts facts = {
        .name = "bench", .sources = SOURCES, .steps = STEPS, .step = FG_HOUR};
    struct fg_site *site = fg_site_new(&facts, stays.at, stays.len);
    fg_vec_clear(&stays);
    return site;
}

/* CPU seconds of one replay, the best of three. */
static double replay_seconds(const struct fg_site *site, const char *name, size_t budget,
                             uint64_t *shown)
{
    const struct fg_policy *policy = fg_policy_find(fg_str_from(name), FG_DISCOVERY);
    struct fg_replay_rules rules = {.budget = budget, .seed = 1, .warm_up = 168};
    double best = 1e9;
    for (int round = 0; policy && round < 3; round++) {
        struct fg_replay_outcome outcome;
        struct fg_err err;
        double start = bench_cpu_seconds();
        if (fg_replay(&outcome, site, policy, &rules, &err))
            return 0;
        double took = bench_cpu_seconds() - start;
        best = took < best ? took : best;
        *shown = outcome.shown;
        fg_replay_outcome_clear(&outcome);
    }
    return policy ? best : 0;
}

static void asked(const char *what, double value, const char *unit, double most)
{
    printf("%-44s %9.1f %s (asked at most %g: %s)\n", what, value, unit, most,
           value <= most ? "reached" : "NOT reached");
}

static void bench_replay(void)
{
    struct fg_site *site = make_site();
    uint64_t shown = 0;
    double seconds = replay_seconds(site, "round-robin", SOURCES, &shown);
    bench_rate("replay, link observations shown", (double)shown / seconds,
               "observations");
    bench_ratio("replay", "the rate asked for (50 M/s)", (double)shown / seconds / 50e6,
                1);
    static const char *const names[] = {"round-robin", "thompson", "exposure",
                                        "link-types", "forage"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char what[80];
        seconds = replay_seconds(site, names[i], 5, &shown);
        snprintf(what, sizeof what, "%s, a site-hour, 77 sources, k = 5", names[i]);
        if (seconds > 0)
            asked(what, seconds / STEPS * 1e6, "us", 250);
    }
    fg_site_free(site);
}

/* --- a decision over a million sources --- */

enum { MANY = 1000000, BUDGET = 1000 };

static void decide(void *context)
{
    struct fg_pick *picks = malloc(BUDGET * sizeof *picks);
    bench_use(fg_mind_choose(context, 9 * FG_HOUR, BUDGET, picks));
    free(picks);
}

/* Seconds of Figure 1's decision on the sums and counts in the file; 0 if there is no
 * scipy. */
static double figure_1_seconds(const char *path)
{
    char program[1200];
    snprintf(program, sizeof program,
             "import numpy as np, time\n"
             "from scipy.stats import gamma\n"
             "s, n = np.fromfile(\"%s\", dtype=np.float64).reshape(2, -1)\n"
             "s = np.repeat(s[:, None], 24, axis=1)\n"
             "n = np.repeat(n[:, None], 24, axis=1)\n"
             "best, k, h = 1e9, %d, 9\n"
             "for i in range(5):\n"
             "    start = time.process_time()\n"
             "    a = s[:, h] + 1.0\n"
             "    b = n[:, h] + 1.0\n"
             "    y_hat = gamma.rvs(a, scale=1.0/b)\n"
             "    srcs = np.argsort(y_hat)[-k:]\n"
             "    best = min(best, time.process_time() - start)\n"
             "print(best)",
             path, BUDGET);
    return bench_python(program);
}

static struct fg_mind *make_mind(FILE *inputs)
{
    struct fg_mind *mind =
        fg_mind_new(fg_policy_find(FG_STR("thompson"), FG_DISCOVERY), 1);
    struct fg_rng rng = fg_rng_from_seed(2);
    double *found = calloc(MANY, sizeof *found), *visits = calloc(MANY, sizeof *visits);
    for (size_t i = 0; found && visits && i < MANY; i++) {
        fg_mind_add(mind, i, 0, 0);
        for (uint64_t n = fg_rng_poisson(&rng, 2.0); n > 0; n--) {
            uint64_t fresh = fg_rng_poisson(&rng, 3.0 / (double)(1 + i % 20));
            fg_mind_observe(
                mind, &(struct fg_visit){
                          .page = i, .now = 9 * FG_HOUR, .ok = true, .n_fresh = fresh});
            found[i] += (double)fresh;
            visits[i]++;
        }
    }
    fwrite(found, sizeof *found, MANY, inputs);
    fwrite(visits, sizeof *visits, MANY, inputs);
    free(found);
    free(visits);
    return mind;
}

static void bench_decision(void)
{
    char path[] = "/tmp/forage-bench-XXXXXX";
    int fd = mkstemp(path);
    FILE *inputs = fd < 0 ? NULL : fdopen(fd, "w");
    if (!inputs)
        return;
    struct fg_mind *mind = make_mind(inputs);
    fclose(inputs);
    double ours = bench_seconds(decide, mind), theirs = figure_1_seconds(path);
    asked("thompson, a million sources, a source", ours / MANY * 1e9, "ns", 20);
    if (theirs > 0)
        bench_ratio("thompson, a million sources", "Figure 1 in numpy and scipy",
                    theirs / ours, 10);
    else
        printf("scipy is not installed: no ratio to Figure 1\n");
    unlink(path);
    fg_mind_free(mind);
}

int main(void)
{
    bench_replay();
    bench_decision();
    return 0;
}
