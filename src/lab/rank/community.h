/* community.h - people who look for pages of one topic (Pandey's thesis, 5.7.1)
 *
 *     struct fg_community like = {.pages = 1000};          the rest as published
 *     struct fg_community_world *world = fg_community_new(&like);
 *     fg_community_run(&outcome, world, &people, ranker);  days, one after the other
 *     fg_community_free(world);
 *
 * Pages have qualities by a power law, that of PageRank; they die and are replaced by
 * unseen ones of equal quality. People look at places of the list with chances that go
 * with place^-1.5, and some of them are watched: the first look of a watched person at a
 * page is reported. A share of visits may be surfing instead (5.9).
 *
 * One day: pages die; reports that are due arrive; the list is put in order; watched
 * people look, then 200 more who are not, whose visits only count for the mean quality.
 * The merged list of a query is never built: the page at a place is drawn from the law of
 * the merge (search/rank/promote.h). A run is a function of world, people, ranker and
 * seed. */
#ifndef FG_LAB_RANK_COMMUNITY_H
#define FG_LAB_RANK_COMMUNITY_H

#include "base/alias.h"
#include "lab/rank/options.h"
#include "search/rank/rank.h"

struct fg_community_world {
    struct fg_community is; /* with nothing left open */
    double *quality;        /* by page, falling */
    double *share;          /* of visits, by place */
    struct fg_alias places; /* by these shares */
    double ideal;           /* mean quality of visits if all were known */
    struct fg_arena arena;
};

struct fg_community_world *fg_community_new(const struct fg_community *like);
void fg_community_free(struct fg_community_world *world); /* NULL is fine */

/* Watched people, and their visits a day. */
double fg_community_watched(const struct fg_community_world *world, double share);
double fg_community_watched_visits(const struct fg_community_world *world, double share);
/* What a policy may know of it. */
struct fg_rank_setting fg_community_setting(const struct fg_community_world *world,
                                            double watched_share);

/* Awareness in classes of 5 %; the last is of pages that all watched people know. */
enum { FG_AWARENESS_CLASSES = 21 };

struct fg_community_outcome {
    double quality;     /* mean over visits */
    double days_to_top; /* until more than 99 % know the best page, were it not to die */
    double days_if;     /* mean age of the best page when that happens, if it does */
    double liked_share; /* of reports */
    double share[FG_AWARENESS_CLASSES]; /* of days that the best page spent there */
    double reach[FG_AWARENESS_CLASSES]; /* days until it comes there, likewise */
    double visits, reports;
};

void fg_community_run(struct fg_community_outcome *outcome,
                      const struct fg_community_world *world, double watched_share,
                      struct fg_ranker *ranker, uint64_t seed);

#endif
