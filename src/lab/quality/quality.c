/* quality.c - experiments about refreshing for people who search: Pandey's thesis,
 * chapter 4
 *
 * A figure is that of the whole set. Its interval runs over two standard deviations of
 * its logarithm over halves of the pages, every policy on the same half: it stands for
 * the choice of pages. Where there are no halves but runs, figures are means over runs.
 * SBR and EBR take part with several thresholds, and the best of each cell is reported as
 * well, as the thesis does: with hindsight, in their favour. */
#include "lab/findings.h"
#include "lab/interval.h"
#include "lab/metric.h"
#include "lab/quality/replay.h"
#include "lab/quality/searched.h"
#include "lab/replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct run {
    double lost, found_share;
    uint64_t has_study;
    struct fg_study study;
};

static const struct fg_metric_info infos[FG_QUALITY_METRICS] = {
    [FG_LOST] = {"lost", "lost quality", "%", 100, 4, true, NULL},
    [FG_FOUND_SHARE] = {"found", "fetches that found a change", "%", 100, 1, false, NULL},
    [FG_BIAS] = {"bias", "sum over true sum", "", 1, 2, false, NULL},
    [FG_LINEAR] = {"linear", "correlation", "", 1, 2, false, NULL},
    [FG_BY_RANK] = {"by_rank", "rank correlation", "", 1, 2, false, NULL},
    [FG_NEGATIVE] = {"negative", "below 0", "", 1, 2, true, NULL},
    [FG_MICROSECONDS] = {"microseconds", "us a changed page", "", 1, 0, true, NULL},
    [FG_ONE_HALF] = {"one_half", "in one half only", "", 1, 2, true, NULL},
    [FG_WITHIN_2] = {"within_2", "within a factor of 2", "", 1, 2, false, NULL},
    [FG_TOP] = {"top", "top 5 % again", "", 1, 2, false, NULL},
    [FG_HELD] = {"held", "held by the top 5 %", "", 1, 2, false, NULL},
};

static const struct fg_wording wording = {
    .figures = "Lost quality, 1 - Q, pooled over the weeks after the warm-up",
    .interval = "interval",
    .unit = "set",
    .units = "sets",
    .pairs = "sets",
    .made = "two standard deviations of the logarithm over halves of the pages; of runs, "
            "Student's 95 %",
};

/* --- runs --- */

static enum fg_status run(void *into, const struct fg_job *job, struct fg_err *err)
{
    const struct fg_searched *searched = job->item;
    size_t weeks = searched->corpus->weeks, warm_up = job->experiment->warm_up;
    struct fg_quality_rules rules = {.share = job->budget->value,
                                     .warm_up = warm_up < weeks ? warm_up : weeks / 3,
                                     .seed = job->seed,
                                     .knobs = job->entrant->knobs,
                                     .n_knobs = job->entrant->n_knobs};
    struct fg_quality_outcome outcome;
    if (!job->budget->is_share)
        rules.share /= (double)searched->corpus->n;
    enum fg_status st =
        fg_quality_replay(&outcome, searched->corpus, job->policy, &rules, err);
    *(struct run *)into = (struct run){
        .lost = 1 - outcome.worth / outcome.perfect,
        .found_share =
            outcome.visits ? (double)outcome.found / (double)outcome.visits : NAN,
        .has_study = searched->has_study,
        .study = searched->study};
    return st;
}

static void free_searched(void *searched)
{
    fg_searched_free(searched);
}

/* --- figures --- */

static double value_of(const struct fg_findings *f, size_t item, size_t entrant,
                       size_t metric)
{
    const struct run *r = fg_findings_run(f, item, entrant, 0);
    if (!r || metric > FG_FOUND_SHARE)
        return NAN;
    return metric == FG_LOST ? r->lost : r->found_share;
}

static bool has_halves(const struct fg_findings *f)
{
    return f->supply->groups.at[f->group].workload->quality.halves > 0;
}

/* Of the first value, by how the logarithms of the others spread. */
static struct fg_figure spread(const double *values, size_t n)
{
    double mean = 0, squares = 0, others = (double)n - 1;
    struct fg_figure figure = {values[0], values[0], values[0]};
    for (size_t i = 1; i < n; i++)
        mean += log(values[i]) / others;
    for (size_t i = 1; i < n; i++)
        squares += (log(values[i]) - mean) * (log(values[i]) - mean);
    double factor = n > 2 ? exp(2 * sqrt(squares / (others - 1))) : 1;
    if (isfinite(factor) && values[0] > 0) {
        figure.lo = values[0] / factor;
        figure.hi = values[0] * factor;
    }
    return figure;
}

static struct fg_figure summed_up(const struct fg_findings *f, const double *values)
{
    if (f->items == 1)
        return (struct fg_figure){values[0], values[0], values[0]};
    return has_halves(f) ? spread(values, f->items) : fg_mean_interval(values, f->items);
}

static size_t count(const struct fg_findings *f, size_t entrant)
{
    (void)entrant;
    return f->items;
}

static struct fg_figure figure(struct fg_findings *f, size_t entrant, size_t metric)
{
    double *values = FG_NEW(&f->scratch, double, f->items);
    for (size_t i = 0; i < f->items; i++)
        values[i] = value_of(f, i, entrant, metric);
    return isnan(values[0]) ? (struct fg_figure){NAN, NAN, NAN} : summed_up(f, values);
}

static bool compare(struct fg_findings *f, struct fg_pairing *pair, size_t a, size_t b)
{
    double *ratios = FG_NEW(&f->scratch, double, f->items);
    pair->is_ratio = true;
    pair->sites = f->items;
    for (size_t i = 0; i < f->items; i++) {
        double ours = value_of(f, i, a, pair->metric),
               theirs = value_of(f, i, b, pair->metric);
        ratios[i] = ours / theirs;
        pair->wins += infos[pair->metric].less_is_better ? ours < theirs : ours > theirs;
    }
    pair->figure = summed_up(f, ratios);
    return !isnan(pair->figure.mean);
}

/* --- the best threshold --- */

static double knob_of(const struct fg_entrant *entrant, const char *name)
{
    for (size_t i = 0; i < entrant->n_knobs; i++)
        if (strcmp(entrant->knobs[i].name, name) == 0)
            return entrant->knobs[i].value;
    return NAN;
}

/* The same policy, told the same, with another threshold. */
static bool are_family(const struct fg_entrant *a, const struct fg_entrant *b)
{
    return strcmp(a->policy, b->policy) == 0 && !isnan(knob_of(a, "tau")) &&
           !isnan(knob_of(b, "tau")) &&
           (knob_of(a, "known") > 0) == (knob_of(b, "known") > 0);
}

/* The entrant of the family of `e` that lost least in the cell at hand; SIZE_MAX if `e`
 * is not the first of a family. */
static size_t best_of_family(const struct fg_findings *f, size_t e)
{
    const struct fg_entrant *at = f->entrants->at;
    size_t best = SIZE_MAX, n = 0;
    for (size_t i = 0; i < f->entrants->n; i++) {
        if (!are_family(&at[e], &at[i]) || !fg_findings_wants(f, i))
            continue;
        if (i < e)
            return SIZE_MAX;
        n++;
        if (best == SIZE_MAX ||
            value_of(f, 0, i, FG_LOST) < value_of(f, 0, best, FG_LOST))
            best = i;
    }
    return n > 1 ? best : SIZE_MAX;
}

static const char *family_name(const struct fg_findings *f, size_t e)
{
    const struct fg_entrant *entrant = &f->entrants->at[e];
    return fg_arena_printf(f->arena, "%s%s, best tau", entrant->policy,
                           knob_of(entrant, "known") > 0 ? " known" : "")
        .at;
}

static void pair_with_best(struct fg_findings *f, size_t family, size_t best)
{
    for (size_t i = 0; i < f->experiment->n_comparisons; i++) {
        const struct fg_comparison *c = &f->experiment->comparisons[i];
        size_t a = fg_entrants_named(f->entrants, c->policy);
        bool is_with = false;
        for (size_t j = 0; j < c->n_with; j++)
            is_with |=
                are_family(&f->entrants->at[family],
                           &f->entrants->at[fg_entrants_named(f->entrants, c->with[j])]);
        if (!is_with || !fg_findings_wants(f, a))
            continue;
        struct fg_pairing pair = {.workload = f->name,
                                  .budget = f->budget_text,
                                  .policy = fg_findings_keep(f, c->policy),
                                  .reference = family_name(f, family),
                                  .metric = FG_LOST,
                                  .published = NAN,
                                  .chosen = f->entrants->at[best].label};
        if (compare(f, &pair, a, best))
            fg_vec_push_in(f->arena, &f->pairings, pair);
    }
}

static void tell_cell(struct fg_findings *f)
{
    for (size_t e = 0; e < f->entrants->n; e++) {
        size_t best = fg_findings_wants(f, e) ? best_of_family(f, e) : SIZE_MAX;
        if (best == SIZE_MAX)
            continue;
        struct fg_row *row = fg_findings_row(f, family_name(f, e), f->items);
        row->at[FG_LOST] = figure(f, best, FG_LOST);
        row->at[FG_FOUND_SHARE] = figure(f, best, FG_FOUND_SHARE);
        pair_with_best(f, e, best);
    }
}

/* --- resources for a level of quality --- */

static double lost_at(const struct fg_findings *f, const char *policy, const char *budget)
{
    for (size_t i = 0; i < f->rows.len; i++)
        if (strcmp(f->rows.at[i].workload, f->name) == 0 &&
            strcmp(f->rows.at[i].policy, policy) == 0 &&
            strcmp(f->rows.at[i].budget, budget) == 0)
            return f->rows.at[i].at[FG_LOST].mean;
    return NAN;
}

/* The least share of the pages a week that loses no more, on lines between budgets in
 * logarithms; NaN if none of those run does. */
static double needed(const struct fg_findings *f, const char *policy, double lost)
{
    const struct fg_budget *budgets;
    size_t n = fg_jobs_budgets(f->jobs, f->group, &budgets);
    for (size_t b = 0; b < n; b++) {
        double is = lost_at(f, policy, budgets[b].text);
        if (!(is <= lost))
            continue;
        double was = b ? lost_at(f, policy, budgets[b - 1].text) : NAN;
        if (!(was > is))
            return budgets[b].value;
        double least = fmax(is, 1e-6); /* nothing may be lost */
        double part = (log(was) - log(lost)) / (log(was) - log(least));
        return exp(log(budgets[b - 1].value) +
                   part * log(budgets[b].value / budgets[b - 1].value));
    }
    return NAN;
}

static void say_needed(struct fg_findings *f, const char *policy)
{
    static const double levels[] = {0.02, 0.01, 0.005};
    char text[3][32];
    for (size_t i = 0; i < 3; i++) {
        double share = needed(f, policy, levels[i]);
        snprintf(text[i], sizeof text[i], "%.1f %%", 100 * share);
        if (isnan(share))
            snprintf(text[i], sizeof text[i], "more than was run");
    }
    fg_findings_remark(f,
                       "On %s, %s needs %s, %s and %s of the pages a week for a quality "
                       "of 98, 99 and 99.5 %%.",
                       f->name, policy, text[0], text[1], text[2]);
}

static void draw_series(struct fg_findings *f, struct fg_chart *chart, const char *policy)
{
    const struct fg_budget *budgets;
    size_t n = fg_jobs_budgets(f->jobs, f->group, &budgets);
    struct fg_curve curve = fg_curve_new(f, n);
    for (size_t b = 0; b < n; b++) {
        double lost = lost_at(f, policy, budgets[b].text), share = 100 * budgets[b].value;
        if (!isnan(lost))
            fg_curve_add(&curve, 100 * (1 - lost),
                         (struct fg_figure){share, share, share}, 1);
    }
    if (curve.n)
        fg_chart_add(chart, policy, &curve, false);
}

/* Figure 4.4; of families the best threshold alone. */
static void draw_resources(struct fg_findings *f)
{
    struct fg_chart like = {.title = "Resources for a level of quality",
                            .group = f->name,
                            .x_label = "repository quality, %",
                            .y_label = "pages fetched a week, %",
                            .caption = "Figure 4.4 of the thesis: lower is better."};
    struct fg_chart *chart = fg_findings_chart(f, &like, f->entrants->n);
    for (size_t e = 0; e < f->entrants->n; e++) {
        const struct fg_entrant *entrant = &f->entrants->at[e];
        bool is_family = best_of_family(f, e) != SIZE_MAX;
        if (!fg_findings_wants(f, e) || (!isnan(knob_of(entrant, "tau")) && !is_family))
            continue;
        const char *name =
            is_family ? family_name(f, e) : fg_findings_keep(f, entrant->label);
        draw_series(f, chart, name);
        say_needed(f, name);
    }
}

/* --- measures and forecasts --- */

static const struct fg_study *study_of(const struct fg_findings *f)
{
    for (size_t e = 0; e < f->entrants->n; e++) {
        const struct run *r = fg_findings_run(f, 0, e, 0);
        if (r && r->has_study)
            return &r->study;
    }
    return NULL;
}

struct value {
    size_t metric;
    double is;
};

static void add_row(struct fg_findings *f, const char *name, const struct value *values,
                    size_t n)
{
    struct fg_row *row = fg_findings_row(f, name, 1);
    for (size_t i = 0; i < n; i++)
        row->at[values[i].metric] =
            (struct fg_figure){values[i].is, values[i].is, values[i].is};
}

static void tell_study(struct fg_findings *f)
{
    static const char *const names[FG_MEASURES] = {
        [FG_MEASURE_EXACT] = "exact lists",
        [FG_MEASURE_QUERIES] = "8 buckets a query",
        [FG_MEASURE_PRINTED] = "3 buckets a term, as printed",
        [FG_MEASURE_TERMS] = "3 buckets a term"};
    const struct fg_study *study = study_of(f);
    if (!study)
        return;
    fg_findings_remark(f, "On %s, measures are of %.0f fetches that found a change.",
                       f->name, study->changed);
    f->budget_text = "measures of dQ";
    for (size_t m = 0; m < FG_MEASURES; m++) {
        const struct fg_measure_study *is = &study->measure[m];
        struct value values[] = {{FG_BIAS, is->bias},
                                 {FG_LINEAR, is->linear},
                                 {FG_BY_RANK, is->by_rank},
                                 {FG_NEGATIVE, is->negative},
                                 {FG_MICROSECONDS, is->microseconds}};
        add_row(f, names[m], values, sizeof values / sizeof *values);
    }
    f->budget_text = "forecasts of dQ";
    for (size_t m = 0; m < FG_FORESEEN; m++) {
        const struct fg_forecast_study *is = &study->forecast[m];
        struct value values[] = {{FG_BY_RANK, is->by_rank},
                                 {FG_ONE_HALF, is->one_half},
                                 {FG_WITHIN_2, is->within_2},
                                 {FG_TOP, is->top},
                                 {FG_HELD, is->held}};
        add_row(f, names[m], values, sizeof values / sizeof *values);
    }
}

static void tell_group(struct fg_findings *f)
{
    draw_resources(f);
    tell_study(f);
}

static void tell_end(struct fg_findings *f)
{
    (void)f;
}

/* --- the kind --- */

static const size_t compared[] = {FG_LOST};
static const char *const charts[] = {"resources", NULL};

const struct fg_experiment_kind fg_experiment_quality = {
    .name = "quality",
    .task = FG_REFRESH,
    .workload_keys = fg_workload_searched_keys,
    .source = "a workload has one of generate and versions",
    .budget = "a budget is fetches a week, such as 50, or a share of the pages, such as "
              "5 %",
    .most_percent = 100,
    FG_COMPARED(compared),
    .charts = charts,
    .record = "set of versions",
    .records = "sets of versions",
    .add = fg_searched_add,
    .free_item = free_searched,
    .runs.bytes = sizeof(struct run),
    .runs.run = run,
    .metrics.info = infos,
    .metrics.n = FG_QUALITY_METRICS,
    .metrics.n_main = FG_FOUND_SHARE + 1,
    .metrics.of_workload = ~0U << FG_BIAS,
    .wording = &wording,
    .findings.count = count,
    .findings.figure = figure,
    .findings.compare = compare,
    .findings.tell_cell = tell_cell,
    .findings.tell_group = tell_group,
    .findings.tell_end = tell_end,
};
