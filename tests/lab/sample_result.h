/* sample_result.h - a made-up experiment with all that a report can hold
 *
 * Figures as they might be, from closed formulas, so that a test can work them out and a
 * person can judge the page by them (make_report.c). */
#ifndef FG_TESTS_SAMPLE_RESULT_H
#define FG_TESTS_SAMPLE_RESULT_H

#include "lab/result.h"

#include <math.h>

enum { SAMPLE_METRICS = 5, SAMPLE_POLICIES = 6, SAMPLE_BUDGETS = 3 };

static const struct fg_metric_info sample_metrics[SAMPLE_METRICS] = {
    {"coverage", "coverage", "%", 100, 1, false, NULL, NULL},
    {"overhead", "visits a find", "", 1, 2, true, NULL, NULL},
    {"htd_p50", "hours to discovery, half", "h", 1, 1, true, NULL, NULL},
    {"htd_p90", "hours to discovery, 90 %", "h", 1, 1, true, NULL, NULL},
    {"regret", "regret", "%", 1, 1, true, NULL, NULL},
};
static const char *const sample_policies[SAMPLE_POLICIES] = {
    "oracle", "exposure", "link-types", "thompson", "pham", "round-robin"};
static const char *const sample_budgets[SAMPLE_BUDGETS] = {"5", "10", "20"};

/* How much worse than the oracle, as a share. */
static const double sample_lack[SAMPLE_POLICIES] = {0, 0.012, 0.014, 0.07, 0.26, 0.21};

static inline double sample_coverage(size_t policy, size_t budget)
{
    static const double best[SAMPLE_BUDGETS] = {0.655, 0.80, 0.91};
    return best[budget] * (1 - sample_lack[policy] / (1 + (double)budget));
}

static inline struct fg_figure sample_figure(double mean, double width)
{
    return (struct fg_figure){mean, mean - width, mean + width * 0.9};
}

static inline void sample_rows(struct fg_result *result, const char *workload)
{
    for (size_t b = 0; b < SAMPLE_BUDGETS; b++)
        for (size_t p = 0; p < SAMPLE_POLICIES; p++) {
            struct fg_row *row = &result->rows[result->n_rows++];
            double lack = sample_lack[p] / (1 + (double)b);
            *row = (struct fg_row){.workload = workload,
                                   .budget = sample_budgets[b],
                                   .policy = sample_policies[p],
                                   .sites = 53};
            row->at = FG_NEW(&result->arena, struct fg_figure, SAMPLE_METRICS);
            row->published = FG_NEW(&result->arena, double, SAMPLE_METRICS);
            for (size_t m = 0; m < SAMPLE_METRICS; m++)
                row->published[m] = NAN;
            row->at[0] = sample_figure(sample_coverage(p, b), 0.021);
            row->at[1] = sample_figure(1.8 * (1 + (double)b) * (1 + lack), 0.12);
            row->at[2] = sample_figure(1.1 + 4 * lack, 0.2);
            row->at[3] = sample_figure(9 + 60 * lack, 1.1);
            row->at[4] = p ? sample_figure(100 * lack, 0.6) : (struct fg_figure){0};
            if (p == 3)
                row->published[0] = 0.65 + 0.1 * (double)b;
        }
}

static inline void sample_pairings(struct fg_result *result, const char *workload,
                                   size_t reference, bool is_ratio)
{
    for (size_t p = 1; p < SAMPLE_POLICIES; p++)
        for (size_t b = 0; b < SAMPLE_BUDGETS; b++) {
            if (p == reference)
                continue;
            double ours = sample_coverage(p, b), theirs = sample_coverage(reference, b);
            double value = is_ratio ? ours / theirs : ours - theirs;
            struct fg_pairing *pairing = &result->pairings[result->n_pairings++];
            *pairing = (struct fg_pairing){.workload = workload,
                                           .budget = sample_budgets[b],
                                           .policy = sample_policies[p],
                                           .reference = sample_policies[reference],
                                           .is_ratio = is_ratio,
                                           .figure = sample_figure(value, 0.03),
                                           .published = NAN,
                                           .sites = 53,
                                           .wins = 48};
            if (is_ratio && p == 3 && b == 0)
                pairing->published = 1.2;
        }
}

/* A curve with some weather in it. */
static inline double sample_noise(size_t policy, size_t i)
{
    double x = (double)i + 31.0 * (double)policy;
    return sin(x * 0.9) * 0.5 + sin(x * 2.3) * 0.3 + sin(x * 0.13);
}

static inline struct fg_series sample_curve(struct fg_arena *arena, size_t policy,
                                            size_t n, int shape)
{
    double *x = FG_NEW(arena, double, n), *y = FG_NEW(arena, double, n);
    double *low = FG_NEW(arena, double, n), *high = FG_NEW(arena, double, n);
    for (size_t i = 0; i < n; i++) {
        double t = n > 1 ? (double)i / (double)(n - 1) : 0;
        x[i] = shape == 2 ? (i ? pow(10, t * 2.6 - 0.5) : 0) : 1176 * t;
        double lack = sample_lack[policy];
        if (shape == 0) /* coverage over time */
            y[i] = 100 * (0.66 * (1 - lack) * (1 - exp(-9 * t))) +
                   0.5 * sample_noise(policy, i);
        else if (shape == 1) /* regret */
            y[i] = 100 * lack * (1 + 2 * exp(-12 * t)) + 0.2 * sample_noise(policy, i);
        else /* share found within x hours */
            y[i] = 100 * (1 - 0.8 * exp(-x[i] / (2 + 40 * lack)));
        low[i] = y[i] - 1.5 - 3 * lack;
        high[i] = y[i] + 1.5 + 3 * lack;
    }
    return (struct fg_series){sample_policies[policy], n, x, y, shape == 2 ? NULL : low,
                              shape == 2 ? NULL : high};
}

static inline void sample_chart(struct fg_result *result, const char *group, int shape,
                                size_t n)
{
    static const char *const titles[] = {"Coverage over time", "Regret over time",
                                         "How soon new pages are found"};
    static const char *const labels[] = {"coverage, %", "regret, %", "found, %"};
    struct fg_chart *chart = &result->charts[result->n_charts++];
    *chart =
        (struct fg_chart){.title = titles[shape],
                          .group = group,
                          .x_label = shape == 2 ? "hours since it appeared" : "hours",
                          .y_label = labels[shape],
                          .kind = shape == 2 ? FG_CHART_STEPS : FG_CHART_LINES,
                          .log_x = shape == 2,
                          .n_series = SAMPLE_POLICIES};
    chart->caption = shape == 1 ? "What the oracle finds and the policy does not; the "
                                  "first week is warm-up."
                                : NULL;
    chart->series = FG_NEW(&result->arena, struct fg_series, SAMPLE_POLICIES);
    for (size_t p = 0; p < SAMPLE_POLICIES; p++)
        chart->series[p] = sample_curve(&result->arena, p, n, shape);
}

static inline void sample_bars(struct fg_result *result, const char *group)
{
    static const char *const names[] = {"first week", "last week"};
    struct fg_chart *chart = &result->charts[result->n_charts++];
    *chart = (struct fg_chart){.title = "Arms chosen by the bandit",
                               .group = group,
                               .x_label = "share of exploitation",
                               .y_label = "share of choices, %",
                               .kind = FG_CHART_BARS,
                               .n_series = 2};
    chart->series = FG_NEW(&result->arena, struct fg_series, 2);
    for (size_t s = 0; s < 2; s++) {
        double *x = FG_NEW(&result->arena, double, 5),
               *y = FG_NEW(&result->arena, double, 5);
        double *low = FG_NEW(&result->arena, double, 5),
               *high = FG_NEW(&result->arena, double, 5);
        for (size_t i = 0; i < 5; i++) {
            x[i] = 0.6 + 0.1 * (double)i;
            y[i] = s ? 8 + 3.2 * (double)(i * i) / 1.3 : 20 + sample_noise(s, i) * 2;
            low[i] = y[i] - 3;
            high[i] = y[i] + 3;
        }
        chart->series[s] = (struct fg_series){names[s], 5, x, y, low, high};
    }
}

/* Clear its arena when done. */
static inline struct fg_result sample_result(size_t points)
{
    static const char *remarks[] = {
        "The pages of the 53 domains of the paper are not public: ours are generated "
        "with the shape of its Table 1.",
        "The published ordering of pham and round-robin does not come out here; "
        "the notes say why.",
    };
    static const char *const workloads[] = {"news", "volatile"};
    struct fg_result result = {
        .name = "thompson-2023",
        .title = "Finding new pages with Thompson sampling",
        .paper = "Schulam & Muslea, Improving the Exploration/Exploitation Trade-Off in "
                 "Web Content Discovery, WWW 2023",
        .remarks = remarks,
        .n_remarks = 2,
        .metrics = sample_metrics,
        .n_metrics = SAMPLE_METRICS,
        .command = "forage lab run experiments/thompson-2023.yaml --html report.html",
        .seconds = 252,
        .runs = 5724};
    result.rows = FG_NEW(&result.arena, struct fg_row, 64);
    result.pairings = FG_NEW(&result.arena, struct fg_pairing, 128);
    result.charts = FG_NEW(&result.arena, struct fg_chart, 16);
    for (size_t w = 0; w < 2; w++)
        sample_rows(&result, workloads[w]);
    sample_pairings(&result, "news", 5, true);
    sample_pairings(&result, "news", 5, false);
    sample_pairings(&result, "volatile", 5, true);
    sample_pairings(&result, "news", 3, true);
    for (int shape = 0; shape < 3; shape++)
        sample_chart(&result, "news, budget 5", shape, points);
    sample_bars(&result, "news, budget 5");
    for (int shape = 0; shape < 2; shape++)
        sample_chart(&result, "volatile, budget 5", shape, points);
    return result;
}

#endif
