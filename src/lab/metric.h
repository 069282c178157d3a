/* metric.h - the names of the figures of merit; score.h says what each means */
#ifndef FG_LAB_METRIC_H
#define FG_LAB_METRIC_H

enum fg_metric {
    FG_COVERAGE,
    FG_OVERHEAD,
    FG_HTD_P50,
    FG_HTD_P90,
    FG_REGRET,
    FG_COVERAGE_ALL,
    FG_COVERAGE_LATE,
    FG_REGRET_LATE,
    FG_FOUND, /* how many that appeared late */
    FG_METRICS
};

/* "coverage", "htd_p90", ... as in JSON. */
extern const char *const fg_metric_names[FG_METRICS];

#endif
