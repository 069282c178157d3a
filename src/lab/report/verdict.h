/* verdict.h - what an experiment says in a sentence
 *
 *     struct fg_verdict verdict = fg_verdict_of(result, workload, budget);
 *     fg_verdict_say(result, &verdict, out);
 *
 * The best policy of a workload and a budget, and what it gains over the reference: the
 * one that the experiment's pairings name first, or else the first policy. Oracles do not
 * compete. Sites differ more than policies do, so where two policies were compared on the
 * same sites the paired interval decides whether there is a difference; where they were
 * not, overlapping intervals are called what they are: undecided. */
#ifndef FG_LAB_VERDICT_H
#define FG_LAB_VERDICT_H

#include "lab/result.h"

struct fg_verdict {
    size_t metric;             /* the one that the experiment's pairings name first */
    const struct fg_row *best; /* by mean; NULL if nobody has one, and then all are */
    const struct fg_row *next; /* the second best */
    const struct fg_row *reference;
    /* The best against either of them on the same sites, as a ratio if there is one. */
    const struct fg_pairing *to_next, *to_reference;
};

struct fg_verdict fg_verdict_of(const struct fg_result *result, const char *workload,
                                const char *budget);

/* The best is better than the reference, and not by chance: the interval says so. */
bool fg_verdict_is_clear(const struct fg_verdict *verdict);

/* One to three sentences of plain UTF-8, not escaped, each on a line of its own. */
void fg_verdict_say(const struct fg_result *result, const struct fg_verdict *verdict,
                    struct fg_buf *out);

/* "71.2 % [69.0, 73.1]"; without an interval where that has no width. */
void fg_figure_say(struct fg_figure figure, const struct fg_metric_info *metric,
                   struct fg_buf *out);
/* The same for a pairing: "1.196 [1.152, 1.240]", "+11.4 points [+9.0, +13.7]". */
void fg_pairing_say(const struct fg_pairing *pairing, const struct fg_metric_info *metric,
                    struct fg_buf *out);

enum { FG_RATIO_DIGITS = 3 };
/* What differences are in: between per cents, points. */
const char *fg_difference_unit(const struct fg_metric_info *metric);

/* An interval that no other can be compared with: of one site, or none. */
bool fg_figure_is_bare(struct fg_figure figure);
bool fg_figures_overlap(struct fg_figure a, struct fg_figure b);
/* The interval holds 1 (of a ratio) or 0 (of a difference), or has no width. */
bool fg_pairing_is_open(const struct fg_pairing *pairing);

static inline bool fg_same(const char *a, const char *b)
{
    return fg_str_eq(fg_str_from(a), fg_str_from(b));
}
bool fg_row_is_at(const struct fg_row *row, const char *workload, const char *budget);

/* A policy that sees the future competes with nobody. */
bool fg_policy_is_oracle(const char *name);
/* `a` is a better value of the metric than `b`; NaN is worse than any. */
bool fg_metric_prefers(const struct fg_metric_info *metric, double a, double b);

#endif
