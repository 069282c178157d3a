/* looked.h - what a crawl saw: when it looked at each source, and which links it was
 * shown
 *
 *     struct fg_looked looked;
 *     fg_looked_init(&looked, sources, from, to);
 *     fg_looked_look(&looked, source, time);
 *     fg_looked_sight(&looked, source, target, first, last);
 *     fg_looked_done(&looked);
 *     ...
 *     fg_looked_clear(&looked);
 *
 * A sight says that each look at a source from first to last showed the target. What was
 * there between looks nobody saw: the link came between `before` and `first`, and left
 * between `last` and `after`. The log of a live crawl has this for every source (tables
 * visits and links); in the lab a replay on a recording makes one. */
#ifndef FG_LAB_TWIN_LOOKED_H
#define FG_LAB_TWIN_LOOKED_H

#include "base/err.h"
#include "base/vec.h"
#include "lab/site.h"
#include "policy/policy.h"

struct fg_sight {
    uint32_t source, target;
    fg_time first, last;
    fg_time before; /* the look before the first; FG_NEVER: there was none */
    fg_time after;  /* the look that did not show it any more; FG_NEVER: none yet */
};

struct fg_looked_source {
    uint32_t site;
    fg_time began; /* what its first look shows came after this; 0: at any time */
    struct {
        fg_time *at; /* rising */
        size_t len, capacity;
    } looks;
};

struct fg_looked {
    fg_time from, to;
    size_t n_sources, n_targets;
    struct fg_looked_source *sources;
    FG_VEC(struct fg_sight) sights; /* by target, then source, then time */
};

void fg_looked_init(struct fg_looked *looked, size_t sources, fg_time from, fg_time to);
void fg_looked_clear(struct fg_looked *looked);
/* Looks and sights may come in any order. A sight with no look at its ends, or that lies
 * outside from .. to, is cut to the looks there are. */
void fg_looked_look(struct fg_looked *looked, size_t source, fg_time time);
void fg_looked_sight(struct fg_looked *looked, size_t source, size_t target,
                     fg_time first, fg_time last);
void fg_looked_done(struct fg_looked *looked);

/* The first look at the source at or after that time, or FG_NEVER. */
fg_time fg_looked_next(const struct fg_looked *looked, size_t source, fg_time time);
uint64_t fg_looked_count(const struct fg_looked *looked); /* looks at all sources */

/* What a crawl by this policy sees of a site, with so many looks a step. */
enum fg_status fg_looked_replay(struct fg_looked *looked, const struct fg_site *site,
                                const struct fg_policy *policy, double a_step,
                                uint64_t seed, struct fg_err *err);

#endif
