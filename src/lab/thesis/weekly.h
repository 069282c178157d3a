/* weekly.h - the weekly setting of Pandey's thesis: old pages that cover the new ones
 *
 *     struct fg_week *week = fg_week_new(n_old, n_new, links, n);
 *     ...
 *     struct fg_weekly_rules rules = {.budgets = budgets, .n_budgets = 5, .every = 4};
 *     fg_weekly_run(tallies, &sites[0], policy, &rules, err);
 *
 * Chapter 3 of the thesis (Dasgupta et al., WWW 2007) looks at a site once a week. What
 * was there before are old pages, the rest is new; a new page is covered by an old one
 * that leads to it over new pages only, for those must be downloaded anyway. Each week a
 * policy picks at most k old pages, and what they cover is counted. A policy of the
 * chapter learns nothing from its own picks, but every so many weeks it is shown the
 * whole site. It is run by the same frame as in life (policy/mind.h).
 *
 * lab/thesis/snapshots.h makes such sites; thesis.c runs the whole chapter. */
#ifndef FG_LAB_THESIS_WEEKLY_H
#define FG_LAB_THESIS_WEEKLY_H

#include "base/err.h"
#include "lab/replay.h"
#include "policy/policy.h"

/* A link of the second of two snapshots to a page that the first had not. */
struct fg_week_link {
    uint32_t from, to; /* pages by number; `to` is a new one */
};

/* H_t: pages 0 .. n_old - 1 are old, the n_new numbers above them are new. Pages that
 * cover the same share one list. */
struct fg_week {
    uint32_t n_old, n_new;
    uint32_t there;  /* new pages that some old page covers; the others do not count */
    uint32_t direct; /* ... that an old page links to itself */
    size_t n_linking;
    uint32_t *linking; /* old pages that cover something, ascending, ... */
    uint32_t *set_of;  /* ... and the number of the set that each covers */
    size_t sets;
    size_t *set_at; /* set s is covered[set_at[s]] .. covered[set_at[s + 1]] */
    uint64_t *covered;
};

/* Links are sorted in place; those to pages that are not new are left out. */
struct fg_week *fg_week_new(uint32_t n_old, uint32_t n_new, struct fg_week_link *links,
                            size_t n);
void fg_week_free(struct fg_week *week);

/* A site over its snapshots. Week t + 1 has the old and new pages of week t as its old.
 */
struct fg_weekly_site {
    char name[FG_NAME_MAX];
    struct fg_week **week;
    size_t weeks;
};
void fg_weekly_site_clear(struct fg_weekly_site *site);

struct fg_weekly_rules {
    /* Ascending. The policy is asked once for the largest, and a smaller budget takes the
     * first of its picks: right for all that rank pages by what they knew before. */
    const size_t *budgets;
    size_t n_budgets;
    size_t every;     /* weeks from one whole look to the next, the first in week 0; 0:
                         none */
    bool tells_picks; /* the policy learns from what it picks, with the largest budget */
    uint64_t seed;
    const struct fg_knob *knobs;
    size_t n_knobs;
};

/* Summed over the weeks that were judged: those without a whole look, or all but week 0
 * if there is one every week; all for a policy that needs no history. */
struct fg_weekly_tally {
    uint64_t weeks;        /* with something new */
    uint64_t there, found; /* new pages, and those covered */
    uint64_t visits;       /* old pages picked */
    double positions;      /* (n - 1) / 2 for n picks: the mean place in the ranking */
    double yields;         /* found / picks, ... */
    uint64_t yielding;     /* ... over the weeks with picks */
};

/* One tally a budget; they are added to. */
enum fg_status fg_weekly_run(struct fg_weekly_tally *tallies,
                             const struct fg_weekly_site *site,
                             const struct fg_policy *policy,
                             const struct fg_weekly_rules *rules, struct fg_err *err);

#endif
