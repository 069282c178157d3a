/* lomax_clocks.h - siblings that change together: a clock for each group of pages
 *
 *     fg_lomax_clocks_init(&clocks);
 *     fg_lomax_clocks_update(&clocks, now);                        before each choice
 *     double z = fg_lomax_clocks_between(&clocks, group, visited, now);
 *     fg_lomax_clocks_learn(&clocks, group, rate, visited, now, changed);
 *
 * In some days a site changes at many pages at once: a release, a new template, a sale.
 * For every group and every day we count the changes that visits found and those that
 * they were expected to find; where a visit cannot tell on which day of its interval the
 * change was, it is spread over them as they are likely. The ratio, shrunk to 1, is how
 * fast the group's clock ran on that day. Most days are calm, and a ratio near 1 is taken
 * for chance; but some are storms, with a heavy tail of speeds, and whether a day was one
 * is judged by how much better that explains its finds. It reaches back: a change found
 * today on one page speeds up the days since its last visit, and so makes its siblings'
 * past suspect that were not visited since.
 *
 * Where pages are visited about daily, bins are hours instead of days, and all clocks run
 * to a common profile of the hours of weekdays and of weekends.
 *
 * The last 400 bins are kept; time before them runs plainly. Clocks take 10 kB each, so
 * there is a limit to them: groups get one when they are first visited, and when all are
 * given away those that are visited least lose theirs. */
#ifndef FG_POLICY_REFRESH_LOMAX_CLOCKS_H
#define FG_POLICY_REFRESH_LOMAX_CLOCKS_H

#include "base/buf.h"
#include "base/time.h"
#include "learn/change_rate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FG_CLOCK_BINS = 400, FG_PROFILE_HOURS = 48 };

struct fg_lomax_clock {
    uint32_t group;
    int64_t last;  /* the newest bin it has */
    int64_t stale; /* from this bin on `time` must be summed up anew */
    double visits; /* faded; for who keeps a clock */
    double ahead;  /* of plain time, when somebody last acted on it */
    double shown;  /* days, at the last update */
    float found[FG_CLOCK_BINS], expected[FG_CLOCK_BINS];
    struct {
        double time; /* what it shows at the start of the bin, in days */
        float speed;
    } bin[FG_CLOCK_BINS];
};

struct fg_lomax_clocks {
    fg_time bin, now; /* now: of the last update */
    double shrinkage; /* changes assumed as found and as expected in a bin */
    struct fg_lomax_clock *at;
    size_t n, capacity, most;
    uint32_t *of_group; /* its clock's place + 1, or 0 */
    size_t groups;
    bool has_profile;
    double hour_found[FG_PROFILE_HOURS], hour_expected[FG_PROFILE_HOURS];
    double profile[FG_PROFILE_HOURS];
};

void fg_lomax_clocks_init(struct fg_lomax_clocks *clocks);
void fg_lomax_clocks_clear(struct fg_lomax_clocks *clocks);

/* Bins of another length: forgets all clocks, but not the profile. */
void fg_lomax_clocks_restart(struct fg_lomax_clocks *clocks, fg_time bin);

/* Bring all clocks up to `now`. */
void fg_lomax_clocks_update(struct fg_lomax_clocks *clocks, fg_time now);
/* Once a day. There is room for `most` clocks. */
void fg_lomax_clocks_fade(struct fg_lomax_clocks *clocks, size_t most);

/* Days that passed on the group's clock. */
double fg_lomax_clocks_between(const struct fg_lomax_clocks *clocks, uint32_t group,
                               fg_time from, fg_time to);

/* It will be asked for soon. */
void fg_lomax_clocks_fetch(const struct fg_lomax_clocks *clocks, uint32_t group,
                           fg_time from);

/* A visit at `to`, the one before having been at `from`; `rate` is what was believed
 * before it. */
void fg_lomax_clocks_learn(struct fg_lomax_clocks *clocks, uint32_t group,
                           struct fg_gamma_rate rate, fg_time from, fg_time to,
                           bool changed);

/* The clock of a group, or NULL. */
struct fg_lomax_clock *fg_lomax_clocks_of(const struct fg_lomax_clocks *clocks,
                                          uint32_t group);

/* How many days it is ahead of plain time, counted from no particular moment. */
double fg_lomax_clock_ahead(const struct fg_lomax_clocks *clocks,
                            const struct fg_lomax_clock *clock, fg_time now);

void fg_lomax_clocks_save(const struct fg_lomax_clocks *clocks, struct fg_buf *out);
/* All of them follow in a former state; else there is room for at most so many, and each
 * comes by itself, at the place that it had. */
bool fg_lomax_clocks_load(struct fg_lomax_clocks *clocks, struct fg_str *bytes,
                          bool is_former, uint64_t most);
/* That of a group, if it has one; and any, off the front of the bytes. */
void fg_lomax_clock_save(const struct fg_lomax_clocks *clocks, uint32_t group,
                         struct fg_buf *out);
bool fg_lomax_clock_load(struct fg_lomax_clocks *clocks, struct fg_str *bytes);
/* Group i has become to[i], or UINT32_MAX for none; to be called after a load. */
void fg_lomax_clocks_renumber(struct fg_lomax_clocks *clocks, const uint32_t *to,
                              size_t groups);

#endif
