/* metric.h - the figures of merit by number; discovery/run.h says what those of discovery
 * mean, refresh/digest.h what those of refreshing do, quality/study.h those of quality */
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
    FG_OVERHEAD_NEW,
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
    FG_ARM_REGRET,
    FG_REFRESH_METRICS
};

enum fg_quality_metric {
    FG_LOST,        /* 1 - Q */
    FG_FOUND_SHARE, /* of fetches that found a change */
    /* of measures and forecasts, not of policies */
    FG_BIAS,
    FG_LINEAR,
    FG_BY_RANK,
    FG_NEGATIVE,
    FG_MICROSECONDS,
    FG_ONE_HALF,
    FG_WITHIN_2,
    FG_TOP,
    FG_HELD,
    FG_QUALITY_METRICS
};

#endif
