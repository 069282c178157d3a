/* degree.h - how many new links a page has shown when it was looked at
 *
 * The estimate p_i behind OD and CLIQ of chapter 3 of Pandey's thesis:
 *
 *     p_i = sum over looks of alpha^(age of the look) y  /  sum of alpha^(age)
 *
 * where y is the number of new links of that look, |N(i)|, or with `is_share` its share
 * |N(i)| / N of all N that were found in the same round. The looks are those of the page:
 * where every recrawl is complete, they are the recrawls since it is there. Age is in
 * units of `period_hours`, so the length of a tick does not matter.
 *
 * A round is what is visited between two choices. It is closed by the next choice, when N
 * is known. A policy puts FG_DEGREE_COLUMNS first in its table of columns. */
#ifndef FG_POLICY_DISCOVERY_DEGREE_H
#define FG_POLICY_DISCOVERY_DEGREE_H

#include "policy/policy.h"

enum {
    FG_DEGREE_SUM,    /* of y, weighted */
    FG_DEGREE_WEIGHT, /* of the looks; 0: never looked at */
    FG_DEGREE_LAST,   /* y of the last look */
    FG_DEGREE_OPEN,   /* new links in the open round, plus 1; 0: not visited in it */
    FG_DEGREE_COLUMN_COUNT
};

/* clang-format off */
#define FG_DEGREE_COLUMNS                                \
    [FG_DEGREE_SUM] = {"degree-sum", FG_F64, 1},         \
    [FG_DEGREE_WEIGHT] = {"degree-weight", FG_F64, 1},   \
    [FG_DEGREE_LAST] = {"degree-last", FG_F32, 1},       \
    [FG_DEGREE_OPEN] = {"degree-open", FG_U32, 1}
/* clang-format on */

struct fg_degree_rules {
    double alpha, period_hours;
    bool is_share;
};

/* Part of the policy's self, starting as zero: plain bytes. */
struct fg_degree_round {
    uint64_t found;  /* different new links in the open round */
    uint64_t visits; /* that told something */
};

void fg_degree_observe(struct fg_brain *brain, struct fg_degree_round *round,
                       const struct fg_degree_rules *rules, const struct fg_visit *visit);

/* At the start of a choice. */
void fg_degree_close(struct fg_brain *brain, struct fg_degree_round *round,
                     const struct fg_degree_rules *rules);

/* p_i; 0 for a page that was never looked at. */
static inline double fg_degree_mean(const struct fg_brain *brain, size_t page)
{
    double weight = brain->f64[FG_DEGREE_WEIGHT][page];
    return weight > 0 ? brain->f64[FG_DEGREE_SUM][page] / weight : 0;
}

/* Picks that were ranked by other scores, such as INFINITY for pages to be tried: say of
 * each whether it was, and what the page is worth. */
void fg_degree_account(const struct fg_brain *brain, struct fg_pick *picks, size_t n,
                       double (*worth)(const struct fg_brain *brain, size_t page));

/* What there is to say about a page to a person. */
void fg_degree_explain(const struct fg_brain *brain, size_t page,
                       struct fg_reason *reason);

#endif
