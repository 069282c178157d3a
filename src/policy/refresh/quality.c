/* quality.c - the page whose fetch is expected to change most for those who search
 *
 * Pandey's thesis, 4.5.2 and 4.7.1. Whenever a page is fetched, what that changed for
 * searchers is measured (dQ, search/quality.h). The rate delta of a page is the mean of
 * dQ over the time since the fetch before, and its priority
 *
 *     P(p, t) = delta(p) (t - last fetch)
 *
 * Negative measurements count as 0. A page never measured comes first.
 *
 * As printed it starves pages: one whose first measured dQ is 0 has priority 0 for good,
 * unless the budget is not used up by others. And intervals of 1/delta are not the best:
 * where a loss grows linearly they are 1/sqrt(delta). `stake` has the cures. The knobs
 * repair what can be without: rates of sums, an estimate for pages never measured, and a
 * share of the budget for the oldest copies. */
#include "policy/policy.h"

#include <math.h>

enum { GAINED, SPAN, RATES, MEASURED };
static const struct fg_column columns[] = {
    [GAINED] = {"gained", FG_F64, 0},
    [SPAN] = {"span", FG_F64, 0},
    [RATES] = {"rates", FG_F64, 0},
    [MEASURED] = {"measured", FG_U32, 0},
    {0},
};

enum { SUMS, MEAN_FIRST, OLDEST, QUERIES, KNOWN };
static const struct fg_param params[] = {
    [SUMS] = {"sums", 0, 0, 1, "1: sum of gains over sum of times; 0: mean, as printed"},
    [MEAN_FIRST] = {"mean-first", 0, 0, 1,
                    "1: a page never measured has the mean rate; 0: it comes first"},
    [OLDEST] = {"oldest", 0, 0, 1, "share of the budget for the oldest copies"},
    [QUERIES] = {"queries", 0, 0, 1,
                 "1: gains measured by queries; 0: by single terms, as printed"},
    [KNOWN] = {"known", 0, 0, 1, "1: rates from the whole history, where the lab has it"},
    {0},
};

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    size_t page = visit->page;
    if (!visit->ok || visit->previous == FG_NEVER || visit->now <= visit->previous)
        return;
    /* where nobody measures, one change is like another */
    float measured = brain->knob[QUERIES] > 0 ? visit->gain : visit->gain_printed;
    double gain = !visit->changed ? 0 : visit->is_measured ? (double)measured : 1;
    double days = fg_days(visit->now - visit->previous);
    brain->f64[GAINED][page] += fmax(gain, 0);
    brain->f64[SPAN][page] += days;
    brain->f64[RATES][page] += fmax(gain, 0) / days;
    brain->u32[MEASURED][page]++;
}

static double known_rate(const struct fg_brain *brain, size_t page)
{
    enum fg_foreknown what = brain->knob[QUERIES] > 0 ? FG_KNOWN_GAIN_QUERIES
                             : brain->knob[SUMS] > 0  ? FG_KNOWN_GAIN
                                                      : FG_KNOWN_GAIN_MEAN;
    return brain->foresight->known(brain->foresight->context, page, what, 0);
}

/* Of a page that was measured, or is known. */
static double rate_of(const struct fg_brain *brain, size_t page)
{
    if (brain->knob[KNOWN] > 0 && brain->foresight && brain->foresight->known)
        return known_rate(brain, page);
    if (brain->knob[SUMS] > 0)
        return brain->f64[GAINED][page] / brain->f64[SPAN][page];
    return brain->f64[RATES][page] / brain->u32[MEASURED][page];
}

static double mean_rate(const struct fg_brain *brain)
{
    double sum = 0, n = 0;
    for (size_t page = 0; page < brain->world->n; page++)
        if (brain->u32[MEASURED][page]) {
            sum += rate_of(brain, page);
            n++;
        }
    return n > 0 ? sum / n : 1;
}

/* Pages of priority 0 are ordered by age, below all others; so are those before all
 * others. */
static float priority(const struct fg_brain *brain, size_t page, fg_time now, double mean)
{
    bool is_known = brain->knob[KNOWN] > 0 && brain->foresight && brain->foresight->known;
    if (brain->world->last_visit[page] == FG_NEVER)
        return INFINITY;
    double age = fg_days(now - brain->world->last_visit[page]);
    if (!is_known && !brain->u32[MEASURED][page] && !(brain->knob[MEAN_FIRST] > 0))
        return (float)(1e30 * (1 + age));
    double rate = is_known || brain->u32[MEASURED][page] ? rate_of(brain, page) : mean;
    return rate > 0 ? (float)fmax(rate * age, 1e-28) : (float)(1e-36 * (1 + age));
}

/* The oldest copies, and then by priority. */
static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    size_t oldest = (size_t)floor(brain->knob[OLDEST] * (double)budget + 1e-9);
    double mean = brain->knob[MEAN_FIRST] > 0 ? mean_rate(brain) : 0;
    for (size_t page = 0; oldest && page < brain->world->n; page++)
        brain->scores[page] = fg_world_waited(brain->world, page, now);
    size_t taken = oldest ? fg_brain_take_best(brain, brain->scores, oldest, out) : 0;
    for (size_t i = 0; i < taken; i++)
        out[i].explored = true;
    for (size_t page = 0; page < brain->world->n; page++)
        brain->scores[page] = priority(brain, page, now, mean);
    return taken + fg_brain_take_best(brain, brain->scores, budget - taken, out + taken);
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    double rate = brain->u32[MEASURED][page] ? rate_of(brain, page) : 0;
    *reason =
        (struct fg_reason){.score = (double)priority(brain, page, now, mean_rate(brain)),
                           .rate = rate,
                           .low = rate,
                           .high = rate,
                           .rate_unit = "change of quality a day",
                           .observations = brain->u32[MEASURED][page]};
}

const struct fg_policy fg_policy_quality = {
    .name = "quality",
    .summary = "the page whose fetch changes most for those who search",
    .paper = "Pandey & Olston, WWW 2005; Pandey's thesis, chapter 4",
    .tasks = FG_REFRESH,
    .is_steady = true,
    .measures = true,
    .measures_terms = true,
    .params = params,
    .columns = columns,
    .select = choose,
    .explain = explain,
    .observe = observe,
};
