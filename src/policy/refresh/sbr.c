/* sbr.c - as many copies as can be are not stale: staleness-based refreshing
 *
 * Cho and Garcia-Molina (SIGMOD 2000), as Pandey's thesis runs it (4.7.1): a copy is
 * stale when more than a share tau of its shingles differ from the page's, every page
 * counts the same, and changes are a Poisson process. What they share with `ebr` is in
 * timetable.h. */
#include "policy/refresh/timetable.h"

static const struct fg_column columns[] = {FG_TIMETABLE_COLUMNS, {0}};
static const struct fg_param params[] = {FG_TIMETABLE_PARAMS, {0}};

/* At tau = 1 nothing could exceed it. Where nobody compared texts, a change is one. */
static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    double tau = brain->knob[FG_TIMETABLE_TAU], least = tau < 1 ? tau : 0.99;
    bool counts = visit->changed &&
                  (!visit->is_measured || !(tau > 0) || (double)visit->distance > least);
    fg_timetable_observe(brain, visit, counts);
}

static void weigh(struct fg_brain *brain)
{
    fg_timetable_rates(brain);
    for (size_t page = 0; page < brain->world->n; page++) {
        brain->f32[FG_TIMETABLE_WEIGHT][page] = 1;
        if (fg_timetable_knows(brain))
            brain->f32[FG_TIMETABLE_RATE][page] = (float)fg_timetable_known(
                brain, page, FG_KNOWN_CHANGES, brain->knob[FG_TIMETABLE_TAU]);
    }
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    return fg_timetable_choose(brain, now, budget, out, weigh);
}

const struct fg_policy fg_policy_sbr = {
    .name = "sbr",
    .summary = "fewest copies of which more than tau is stale",
    .paper = "Cho & Garcia-Molina, SIGMOD 2000; Pandey's thesis, 4.7.1",
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
