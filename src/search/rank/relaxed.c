/* relaxed.c - pages that few have seen are promoted
 *
 * Future work of the thesis (5.7.2): a page stays in the pool until more than `few` of
 * those who are watched have seen it. */
#include "search/rank/rank.h"

static const struct fg_param params[] = {
    FG_RANK_DEGREE,
    FG_RANK_START,
    {"few", 2, 0, 1000, "people who may have seen a page that is promoted"},
    {0},
};

const struct fg_rank_policy fg_rank_relaxed = {
    .about = {.name = "relaxed",
              .summary = "the most popular first, with little seen pages promoted by "
                         "chance",
              .paper = "Pandey's thesis, 5.7.2",
              .tasks = FG_RANKING,
              .params = params,
              .columns = fg_rank_no_columns},
    .pool = FG_POOL_UNSEEN,
    .key = fg_rank_by_popularity,
};
