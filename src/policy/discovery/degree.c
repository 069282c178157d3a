#include "policy/discovery/degree.h"

#include <math.h>

void fg_degree_observe(struct fg_brain *brain, struct fg_degree_round *round,
                       const struct fg_degree_rules *rules, const struct fg_visit *visit)
{
    if (!visit->ok)
        return;
    size_t page = visit->page;
    uint32_t *open = &brain->u32[FG_DEGREE_OPEN][page];
    if (visit->previous != FG_NEVER && rules->alpha < 1) {
        double age = fg_hours(visit->now - visit->previous) / rules->period_hours;
        double kept = pow(rules->alpha, age);
        brain->f64[FG_DEGREE_SUM][page] *= kept;
        brain->f64[FG_DEGREE_WEIGHT][page] *= kept;
    }
    *open += (uint32_t)visit->n_fresh + (*open == 0);
    round->found += visit->n_first;
    round->visits++;
}

void fg_degree_close(struct fg_brain *brain, struct fg_degree_round *round,
                     const struct fg_degree_rules *rules)
{
    if (!round->visits)
        return;
    double unit = rules->is_share && round->found ? (double)round->found : 1;
    uint32_t *open = brain->u32[FG_DEGREE_OPEN];
    for (size_t i = 0; i < brain->world->n; i++) {
        if (!open[i])
            continue;
        double degree = (open[i] - 1) / unit;
        brain->f64[FG_DEGREE_SUM][i] += degree;
        brain->f64[FG_DEGREE_WEIGHT][i] += 1;
        brain->f32[FG_DEGREE_LAST][i] = (float)degree;
        open[i] = 0;
    }
    *round = (struct fg_degree_round){0};
}

/* The interval is that of a Poisson mean known from this many looks. */
void fg_degree_account(const struct fg_brain *brain, struct fg_pick *picks, size_t n,
                       double (*worth)(const struct fg_brain *brain, size_t page))
{
    for (size_t i = 0; i < n; i++) {
        picks[i].probability = 1;
        picks[i].explored = isinf(picks[i].score);
        picks[i].score = (float)worth(brain, picks[i].page);
    }
}

void fg_degree_explain(const struct fg_brain *brain, size_t page,
                       struct fg_reason *reason)
{
    double mean = fg_degree_mean(brain, page);
    double looks = brain->f64[FG_DEGREE_WEIGHT][page];
    double spread = looks > 0 ? 1.96 * sqrt(mean / looks) : 0;
    *reason = (struct fg_reason){
        .score = mean,
        .rate = mean,
        .low = mean > spread ? mean - spread : 0,
        .high = mean + spread,
        .rate_unit = "new links a visit",
        .observations = looks,
    };
}
