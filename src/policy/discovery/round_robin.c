/* round_robin.c - visit first the page that has waited longest
 *
 * The baseline every crawler has: a page that was never tried comes first, then the one
 * whose last try lies furthest back. It learns nothing, needs nothing, starves nobody,
 * and is hard to beat where all pages are alike. Pham et al. (WSDM 2018) and Schulam &
 * Muslea (WWW 2023) measure against it. */
#include "policy/policy.h"

static void score(struct fg_brain *brain, fg_time now, size_t first, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = fg_world_waited(brain->world, first + i, now);
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    *reason =
        (struct fg_reason){.score = (double)fg_world_waited(brain->world, page, now),
                           .rate_unit = "hours waited"};
}

static const struct fg_param params[] = {{0}};
static const struct fg_column columns[] = {{0}};

const struct fg_policy fg_policy_round_robin = {
    .name = "round-robin",
    .summary = "the page that has waited longest",
    .tasks = FG_DISCOVERY | FG_REFRESH,
    .is_steady = true,
    .params = params,
    .columns = columns,
    .score = score,
    .explain = explain,
};
