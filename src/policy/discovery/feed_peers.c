/* feed_peers.c - how Miniflux and CommaFeed decide when to look at a feed again
 *
 * Both go by how far apart the entries of a feed lie.
 *   miniflux-frequency   entry_frequency of Miniflux: n = ceil(7 days / mean gap of the
 *                        entries of the last 7 days), 0 if they are fewer than two or all
 *                        of one moment; wait 7 days / (n factor), between 5 minutes and a
 *                        day; a day for n = 0. At factor 1 an entry waits for one whole
 *                        gap in the worst case.
 *   commafeed-empirical  CommaFeed's default since 2025: with the last entry 30 days old
 *                        wait the maximum, with 14 days half of it, with 7 days a
 * quarter, else half the mean gap, between 5 minutes and a quarter of it; the maximum (4
 * hours) as long as no gap is known.
 *
 * A feed dates its entries. A page of links does not, so an entry is dated by the visit
 * that saw it first, and what the very first visit finds has no date. All links that one
 * visit finds share its date: the mean gap is right on the whole, but a page that is
 * never visited twice in a week never has one. CommaFeed takes the gaps of what the feed
 * shows now; we take those of the last week, beyond which it does not ask for them.
 * What the server says about expiry is not known here and left out.
 *
 * Memory: the week is kept in parts of six hours, each with its first date and how many
 * entries fell into it; a part that began over a week ago is left out whole. */
#include "policy/discovery/due.h"

#include <math.h>

enum { PARTS = 28, PART_MINUTES = 360, WEEK_MINUTES = PARTS * PART_MINUTES };

enum { WAIT = FG_DUE_WAIT, BEGAN, ENTRIES, LAST };
static const struct fg_column columns[] = {
    FG_DUE_COLUMN,
    [BEGAN] = {"began", FG_U32, PARTS}, /* first date of the part, minutes since 1970 */
    [ENTRIES] = {"entries", FG_U32, PARTS},
    [LAST] = {"last", FG_U32, 0}, /* date of the last entry, 0 for none */
    {0},
};

static uint32_t minutes(fg_time time)
{
    fg_time since = time / FG_MINUTE;
    return since < 1 ? 1 : since < UINT32_MAX ? (uint32_t)since : UINT32_MAX;
}

static void add_entries(struct fg_brain *brain, const struct fg_visit *visit)
{
    size_t n = visit->n_added > visit->n_fresh ? visit->n_added : visit->n_fresh;
    if (n == 0 || visit->previous == FG_NEVER)
        return;
    uint32_t now = minutes(visit->now);
    size_t part = visit->page * PARTS + now / PART_MINUTES % PARTS;
    if (brain->u32[BEGAN][part] / PART_MINUTES != now / PART_MINUTES) {
        brain->u32[BEGAN][part] = now;
        brain->u32[ENTRIES][part] = 0;
    }
    brain->u32[ENTRIES][part] += n < 1000000 ? (uint32_t)n : 1000000;
    brain->u32[LAST][visit->page] = now;
}

/* Hours between the entries of the last week; 0 if there are no two dates. */
static double mean_gap(const struct fg_brain *brain, size_t page, fg_time time)
{
    uint32_t now = minutes(time), first = now;
    double n = 0;
    for (size_t i = page * PARTS; i < (page + 1) * PARTS; i++) {
        uint32_t began = brain->u32[BEGAN][i];
        if (brain->u32[ENTRIES][i] == 0 || began > now || now - began > WEEK_MINUTES)
            continue;
        n += (double)brain->u32[ENTRIES][i];
        first = began < first ? began : first;
    }
    uint32_t last = brain->u32[LAST][page];
    return n >= 2 && last > first ? (double)(last - first) / 60 / (n - 1) : 0;
}

/* miniflux-frequency */

enum { M_FACTOR = FG_DUE_KNOBS, M_MIN, M_MAX };
static const struct fg_param miniflux_params[] = {
    FG_DUE_PARAM,
    [M_FACTOR] = {"factor", 1, 0.01, 100, "visits for each entry expected"},
    [M_MIN] = {"min", 5.0 / 60, 1e-3, 8760, "least hours between visits"},
    [M_MAX] = {"max", 24, 1e-3, 8760, "most hours between visits"},
    {0},
};

static void miniflux_observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    const double *knob = brain->knob;
    double wait = knob[M_MAX];
    if (visit->ok)
        add_entries(brain, visit);
    double gap = mean_gap(brain, visit->page, visit->now);
    if (gap > 0) {
        double a_week = ceil(168 / gap);
        wait = fg_due_clamp(168 / (a_week * knob[M_FACTOR]), knob[M_MIN], knob[M_MAX]);
    }
    brain->f32[WAIT][visit->page] = (float)wait;
}

const struct fg_policy fg_policy_miniflux_frequency = {
    .name = "miniflux-frequency",
    .summary = "Miniflux's schedule: as often as entries come",
    .tasks = FG_DISCOVERY,
    .params = miniflux_params,
    .columns = columns,
    .observe = miniflux_observe,
    .score = fg_due_score,
    .explain = fg_due_explain,
};

/* commafeed-empirical */

enum { C_MIN = FG_DUE_KNOBS, C_MAX };
static const struct fg_param commafeed_params[] = {
    FG_DUE_PARAM,
    [C_MIN] = {"min", 5.0 / 60, 1e-3, 8760, "least hours between visits"},
    [C_MAX] = {"max", 4, 1e-3, 8760, "most hours between visits"},
    {0},
};

static double commafeed_wait(const struct fg_brain *brain, size_t page, fg_time now)
{
    double least = brain->knob[C_MIN], most = brain->knob[C_MAX];
    uint32_t last = brain->u32[LAST][page];
    if (last == 0)
        return most;
    double quiet_days = ((double)minutes(now) - (double)last) / 1440;
    if (quiet_days >= 30)
        return most;
    if (quiet_days >= 14)
        return most / 2;
    if (quiet_days >= 7)
        return most / 4;
    double gap = mean_gap(brain, page, now);
    return gap > 0 ? fg_due_clamp(gap / 2, least, most / 4) : most;
}

static void commafeed_observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    double wait = brain->knob[C_MIN]; /* a failure is tried again as soon as may be */
    if (visit->ok) {
        add_entries(brain, visit);
        wait = commafeed_wait(brain, visit->page, visit->now);
    }
    wait = fg_due_clamp(wait, brain->knob[C_MIN], brain->knob[C_MAX]);
    brain->f32[WAIT][visit->page] = (float)wait;
}

const struct fg_policy fg_policy_commafeed_empirical = {
    .name = "commafeed-empirical",
    .summary = "CommaFeed's schedule: half the mean gap between entries",
    .tasks = FG_DISCOVERY,
    .params = commafeed_params,
    .columns = columns,
    .observe = commafeed_observe,
    .score = fg_due_score,
    .explain = fg_due_explain,
};
