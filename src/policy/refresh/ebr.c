/* ebr.c - fewest clicks on results that are not what they seemed: embarrassment-based
 *
 * Wolf et al. (WWW 2002), as Pandey's thesis runs it (4.7.1): a stale copy embarrasses
 * when it is shown and a searcher looks at it. A page's weight is how often its results
 * are looked at, times the share of its changes that replaced tau or more of its
 * shingles, after which it is taken to be irrelevant to an average query; all changes
 * make the rate. What they share with `sbr` is in timetable.h. */
#include "policy/refresh/timetable.h"

enum { FOUND = FG_TIMETABLE_COLUMNS_USED, RUINED };
static const struct fg_column columns[] = {
    FG_TIMETABLE_COLUMNS,
    [FOUND] = {"found", FG_U32, 0},
    [RUINED] = {"ruined", FG_U32, 0},
    {0},
};
static const struct fg_param params[] = {FG_TIMETABLE_PARAMS, {0}};

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    if (!fg_timetable_observe(brain, visit, visit->changed) || !visit->changed)
        return;
    brain->u32[FOUND][visit->page]++;
    brain->u32[RUINED][visit->page] +=
        !visit->is_measured || (double)visit->distance >= brain->knob[FG_TIMETABLE_TAU];
}

static double ruined_share(const struct fg_brain *brain, size_t page)
{
    uint32_t found = brain->u32[FOUND][page];
    return found ? (double)brain->u32[RUINED][page] / found : 0.5;
}

static void weigh(struct fg_brain *brain)
{
    const struct fg_world *world = brain->world;
    double tau = brain->knob[FG_TIMETABLE_TAU];
    bool knows = fg_timetable_knows(brain);
    fg_timetable_rates(brain);
    for (size_t page = 0; page < world->n; page++) {
        float told = fg_world_told(world, FG_TOLD_EXPOSURE, page);
        double seen = isnan(told) ? (double)world->weight[page] : (double)told;
        double share = knows ? fg_timetable_known(brain, page, FG_KNOWN_RUINED, tau)
                             : ruined_share(brain, page);
        if (knows) {
            seen = fg_timetable_known(brain, page, FG_KNOWN_INSPECTED, tau);
            brain->f32[FG_TIMETABLE_RATE][page] =
                (float)fg_timetable_known(brain, page, FG_KNOWN_CHANGES, 0);
        }
        brain->f32[FG_TIMETABLE_WEIGHT][page] = (float)(share * seen);
    }
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    return fg_timetable_choose(brain, now, budget, out, weigh);
}

const struct fg_policy fg_policy_ebr = {
    .name = "ebr",
    .summary = "fewest looks at results that are not what they seemed",
    .paper = "Wolf et al., WWW 2002; Pandey's thesis, 4.7.1",
    .tasks = FG_REFRESH,
    .is_steady = true,
    .measures = true,
    .params = params,
    .columns = columns,
    .self_size = sizeof(struct fg_timetable),
    .observe = observe,
    .select = choose,
    .explain = fg_timetable_explain,
};
