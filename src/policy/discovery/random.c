/* random.c - any sources, each as likely as the next
 *
 * The baseline below all baselines: every source is visited equally often in the long
 * run, but at irregular intervals, so a few wait very long. Whatever learns should beat
 * it, and round-robin mostly does, because links leave a page that waits too long. No
 * paper we follow measures it; it shows what choosing is worth at all. */
#include "policy/policy.h"

#include "base/fill.h"

enum { BLOCK = 256 };

static void score(struct fg_brain *brain, fg_time now, size_t first, size_t n, float *out)
{
    (void)now;
    double drawn[BLOCK];
    for (size_t done = 0; done < n; done += BLOCK) {
        size_t some = n - done < BLOCK ? n - done : BLOCK;
        fg_uniform_fill(&brain->rng, first + done, some, drawn);
        for (size_t i = 0; i < some; i++)
            out[done + i] = (float)drawn[i];
    }
}

static const struct fg_param params[] = {{0}};
static const struct fg_column columns[] = {{0}};

const struct fg_policy fg_policy_random = {
    .name = "random",
    .summary = "sources chosen uniformly at random",
    .tasks = FG_DISCOVERY | FG_REFRESH,
    .params = params,
    .columns = columns,
    .score = score,
};
