#include "lab/discovery/score.h"

#include "policy/metrics.h"

#include <math.h>

static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

double fg_regret(double found, double best)
{
    return best > 0 ? 100 * (best - found) / best : NAN;
}

struct fg_score fg_score(const struct fg_replay_outcome *o,
                         const struct fg_replay_outcome *oracle)
{
    struct fg_score score;
    score.at[FG_COVERAGE] = ratio((double)o->found_fresh, (double)o->there_late);
    score.at[FG_COVERAGE_ALL] = ratio((double)o->found, (double)o->there);
    score.at[FG_COVERAGE_LATE] = ratio((double)o->found_late, (double)o->there);
    score.at[FG_OVERHEAD] = ratio((double)o->visits_late, (double)o->found_late);
    score.at[FG_HTD_P50] = fg_quantile_of_counts(o->delay, o->steps, 0.5);
    score.at[FG_HTD_P90] = fg_quantile_of_counts(o->delay, o->steps, 0.9);
    score.at[FG_FOUND] = (double)o->found_fresh;
    score.at[FG_REGRET] =
        oracle ? fg_regret((double)o->found, (double)oracle->found) : NAN;
    score.at[FG_REGRET_LATE] =
        oracle ? fg_regret((double)o->found_fresh, (double)oracle->found_fresh) : NAN;
    return score;
}
