/* uniform.c - any page may be promoted
 *
 * Every page is in the pool with the chance `degree`, and each place from `start` on goes
 * to the pool with the same chance. Most of what it promotes is known already, so it
 * finds new pages slower than the selective rule (Figures 5.3 to 5.5). */
#include "search/rank/rank.h"

static const struct fg_param params[] = {FG_RANK_DEGREE, FG_RANK_START, {0}};

const struct fg_rank_policy fg_rank_uniform = {
    .about = {.name = "uniform",
              .summary = "the most popular first, with any page promoted by chance",
              .paper = "Pandey's thesis, 5.5",
              .tasks = FG_RANKING,
              .params = params,
              .columns = fg_rank_no_columns},
    .pool = FG_POOL_UNIFORM,
    .key = fg_rank_by_popularity,
};
