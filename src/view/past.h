/* past.h - what a crawl has seen, out of its own log: what estimates of other policies
 * and budgets go by
 *
 *     struct fg_past past;
 *     st = fg_past_read(&past, look, &wish, err);
 *     ...past.looked, past.step...
 *     fg_past_clear(&past);
 *
 * Looks are the visits of sources that told something, links those that led to pages that
 * were reported as new. With very many sources some sites are taken, by chance. */
#ifndef FG_VIEW_PAST_H
#define FG_VIEW_PAST_H

#include "lab/twin/estimate.h"
#include "view/view.h"

struct fg_past_wish {
    struct fg_str site, tag; /* empty: all */
    fg_time span;            /* how far back */
    fg_time level;           /* the shortest delay that is asked about; 0: none is */
};

struct fg_past {
    struct fg_looked looked;
    size_t sites, sites_left; /* sites left out, where there are very many sources */
    uint64_t told, elsewhere; /* new pages; those that no look at a source showed */
    double a_step;            /* looks */
    double most;              /* ... that politeness and crawl.site-budget allow */
    fg_time step;             /* of the twins */
    size_t warm_up;           /* steps */
    const struct fg_policy *policy; /* that chooses sources in the crawl */
};

/* Fails if there is too little to go by. */
enum fg_status fg_past_read(struct fg_past *past, const struct fg_look *look,
                            const struct fg_past_wish *wish, struct fg_err *err);
void fg_past_clear(struct fg_past *past);

double fg_past_a_day(const struct fg_past *past, double a_step);
/* Things counted after the warm-up, by the day. */
double fg_past_daily(const struct fg_past *past, double count);

/* "2x", "0.5" or "200 %" as a factor. */
enum fg_status fg_past_factor(double *factor, struct fg_str text, struct fg_err *err);

/* What the log cannot tell, a sentence each, in the arena; `most` is the largest budget
 * that is asked about, as a factor. */
struct fg_texts fg_past_limits(const struct fg_past *past, struct fg_arena *arena,
                               double most);

#endif
