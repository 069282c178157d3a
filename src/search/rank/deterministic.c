/* deterministic.c - the most popular first, whatever nobody has seen last
 *
 * What engines did before chapter 5: an unknown page stands at the end, where nobody
 * looks, and stays unknown. The thesis calls it the entrenchment effect. */
#include "search/rank/rank.h"

static const struct fg_param params[] = {{0}};

const struct fg_rank_policy fg_rank_deterministic = {
    .about = {.name = "deterministic",
              .summary = "the most popular first",
              .paper = "Pandey's thesis, 5.4",
              .tasks = FG_RANKING,
              .params = params,
              .columns = fg_rank_no_columns},
    .pool = FG_POOL_NONE,
    .key = fg_rank_by_popularity,
};
