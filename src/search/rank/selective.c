/* selective.c - pages that nobody has seen are promoted
 *
 * The recipe that the thesis recommends (5.7.4): one place in ten, from the first or
 * second on, goes to a page that no watched person has seen. One look takes a page out of
 * the pool, whatever came of it. */
#include "search/rank/rank.h"

static const struct fg_param params[] = {FG_RANK_DEGREE, FG_RANK_START, {0}};

const struct fg_rank_policy fg_rank_selective = {
    .about = {.name = "selective",
              .summary = "the most popular first, with unseen pages promoted by chance",
              .paper = "Pandey's thesis, 5.5",
              .tasks = FG_RANKING,
              .params = params,
              .columns = fg_rank_no_columns},
    .pool = FG_POOL_UNSEEN,
    .key = fg_rank_by_popularity,
};
