/* metric.h - the figures of merit by number; discovery/run.h says what those of discovery
 * mean, refresh/digest.h what those of refreshing do */
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

enum fg_refresh_metric {
    FG_CLICK_FRESHNESS,
    FG_PAGE_FRESHNESS,
    FG_STALE,
    FG_AGE,
    FG_REWARD,
    FG_REWARD_END,
    FG_STALE_EQUAL,
    FG_AGE_EQUAL,
    FG_AUC, /* of forecasts, not of policies */
    FG_REFRESH_METRICS
};

#endif
