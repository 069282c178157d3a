/* forecasts.c - how good the forecasts are that policies were told
 *
 * Table 4 of Han et al.: the AUC of three questions from three sets of features, the mean
 * over 20 parts of the test and their deviation; and whether one set is better than
 * another, part by part, which the table sets in bold and italics. */
#include "lab/interval.h"
#include "lab/metric.h"
#include "lab/refresh/digest.h"
#include "lab/refresh/offers.h"
#include "lab/refresh/refresh.h"
#include "lab/wilcoxon.h"
#include "learn/forecast.h"

#include <math.h>

/* Any run of the line has it. */
static const float *skill_of(const struct fg_findings *f, size_t line)
{
    const struct fg_budget *budgets;
    size_t n = fg_jobs_budgets(f->jobs, f->group, &budgets);
    for (size_t b = 0; b < n; b++)
        for (size_t e = 0; e < f->entrants->n; e++) {
            const struct fg_digest *run = fg_jobs_at(f->jobs, f->group, line, b, e, 0);
            if (run && run->n[FG_DIGEST_SKILL])
                return run->part[FG_DIGEST_SKILL];
        }
    return NULL;
}

/* Part by part, averaged over the lines of the group; false if there is nothing. */
static bool take_parts(const struct fg_findings *f, size_t which,
                       double parts[FG_SKILL_PARTS])
{
    size_t lines = f->items;
    for (size_t i = 0; i < FG_SKILL_PARTS; i++)
        parts[i] = 0;
    for (size_t line = 0; line < lines; line++) {
        const float *skill = skill_of(f, line);
        for (size_t i = 0; skill && i < FG_SKILL_PARTS; i++)
            parts[i] += (double)skill[which * FG_SKILL_PARTS + i] / (double)lines;
        if (!skill)
            return false;
    }
    return true;
}

static double deviation_of(const double *values, size_t n)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += values[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return sqrt(squares / (double)(n - 1));
}

static const char *name_of(struct fg_findings *f, size_t task, size_t model)
{
    return fg_arena_printf(f->arena, "%s from %s", fg_forecast_task_names[task],
                           fg_forecast_model_names[model])
        .at;
}

/* Of the same question, by the signed-rank test over the parts. */
static void add_pair(struct fg_findings *f, size_t task, size_t better, size_t worse)
{
    double a[FG_SKILL_PARTS], b[FG_SKILL_PARTS], apart[FG_SKILL_PARTS];
    if (!take_parts(f, task * FG_FORECAST_MODELS + better, a) ||
        !take_parts(f, task * FG_FORECAST_MODELS + worse, b))
        return;
    struct fg_pairing pair = {.workload = f->name,
                              .budget = f->budget_text,
                              .policy = name_of(f, task, better),
                              .reference = name_of(f, task, worse),
                              .metric = FG_AUC,
                              .published = NAN,
                              .sites = FG_SKILL_PARTS};
    for (size_t i = 0; i < FG_SKILL_PARTS; i++) {
        apart[i] = a[i] - b[i];
        pair.wins += a[i] > b[i];
    }
    struct fg_wilcoxon test = fg_wilcoxon(a, b, FG_SKILL_PARTS);
    pair.figure = fg_mean_interval(apart, FG_SKILL_PARTS);
    pair.has_p = !isnan(test.p);
    pair.p = test.p;
    if (!isnan(pair.figure.mean))
        fg_vec_push_in(f->arena, &f->pairings, pair);
}

static void add_task_pairs(struct fg_findings *f, size_t task)
{
    add_pair(f, task, FG_FORECAST_HISTORY, FG_FORECAST_METADATA);
    add_pair(f, task, FG_FORECAST_BOTH, FG_FORECAST_METADATA);
    add_pair(f, task, FG_FORECAST_BOTH, FG_FORECAST_HISTORY);
}

void fg_refresh_forecasts(struct fg_findings *f)
{
    struct fg_buf deviations;
    fg_buf_init(&deviations, 1 << 12);
    f->name = fg_arena_printf(f->arena, "%s, forecasts", f->name).at;
    f->budget_text = "none";
    for (size_t i = 0; i < FG_FORECAST_TASKS * FG_FORECAST_MODELS; i++) {
        double parts[FG_SKILL_PARTS];
        if (!take_parts(f, i, parts))
            break;
        const char *name = name_of(f, i / FG_FORECAST_MODELS, i % FG_FORECAST_MODELS);
        fg_findings_row(f, name, FG_OFFERS_CRAWLED_DAYS)->at[FG_AUC] =
            fg_mean_interval(parts, FG_SKILL_PARTS);
        double deviation = deviation_of(parts, FG_SKILL_PARTS);
        if (!isnan(deviation)) /* a part may have no click at all */
            fg_buf_printf(&deviations, "%s%s %.3f", deviations.len ? ", " : "", name,
                          deviation);
    }
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++)
        add_task_pairs(f, task);
    if (deviations.len)
        fg_findings_remark(f,
                           "Of %s, the test is cut into %d parts; the AUC deviates "
                           "between them by: %.*s.",
                           f->name, FG_SKILL_PARTS, FG_ARG(fg_buf_str(&deviations)));
    fg_buf_clear(&deviations);
}
