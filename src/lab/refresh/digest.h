/* digest.h - what is kept of a refresh replay: some kilobytes, whatever the timeline
 *
 *     struct fg_digest digest;
 *     fg_digest_make(&digest, &outcome, timeline);
 *     ...
 *     fg_digest_clear(&digest);
 *
 * The figures of merit, all over the judged time:
 *   click_freshness  of a day: the share of clicks that meet a fresh copy (Han et al.,
 *                    equation 4), or of weight and time where there are no clicks
 *   page_freshness   of a day: the share of copies that are fresh at its end (equation 3)
 *   stale, age       the share of weighted time that copies are stale (of clicks, where
 *                    there are some), and their mean age in days; stale_equal and
 *                    age_equal count all pages alike
 *   reward           weight of pages found changed, a step (Avrachenkov et al., equation
 *                    3); reward_end the same over the last fifth of the steps. NaN unless
 *                    the timeline is about that
 *   arm_regret       of a policy that chooses among arms, the last point of that curve
 *   auc              of the forecasts that policies are told; no figure of a policy
 * Values by day are merged two by two, three by three, ... where there are more than
 * FG_DIGEST_DAYS. */
#ifndef FG_LAB_REFRESH_DIGEST_H
#define FG_LAB_REFRESH_DIGEST_H

#include "base/buf.h"
#include "base/str.h"
#include "lab/metric.h"
#include "lab/refresh/replay.h"

enum {
    FG_DIGEST_DAYS = 1000,
    FG_DIGEST_POINTS = 250, /* of the curves of reward */
    FG_DIGEST_WINDOW = 200, /* steps of the moving average, as published */
    FG_DIGEST_ARM_POINTS = 100,
    FG_DIGEST_RESAMPLES = 1000,
    FG_DIGEST_BLOCKS = 24,
    FG_DIGEST_NAME = 24,
};

enum fg_digest_part {
    FG_DIGEST_CLICK,     /* click_freshness by day */
    FG_DIGEST_PAGE,      /* page_freshness by day */
    FG_DIGEST_RUNNING,   /* mean reward of all steps up to a point */
    FG_DIGEST_MOVING,    /* ... of the last FG_DIGEST_WINDOW */
    FG_DIGEST_ARMS,      /* chances, by point * n_arms */
    FG_DIGEST_RESAMPLED, /* `stale`, had the pages been others: drawn again with
                            replacement; where there are clicks, the days; of few pages,
                            blocks of time. The same draws for every policy. */
    FG_DIGEST_REGRET, /* equation (1) of Han et al. up to a point of the arms, as a share
                         of what the best arm would have got by then */
    FG_DIGEST_SKILL,  /* of the timeline's forecasts */
    FG_DIGEST_PARTS
};

struct fg_digest {
    uint64_t steps, visits_late, found_late;
    double at[FG_REFRESH_METRICS]; /* click_ and page_freshness: the median day */
    size_t n[FG_DIGEST_PARTS];
    float *part[FG_DIGEST_PARTS]; /* within `values` */
    float *values;
    size_t n_arms;
    char arm_names[FG_ARMS_MAX][FG_DIGEST_NAME];
};

void fg_digest_make(struct fg_digest *digest, const struct fg_refresh_outcome *outcome,
                    const struct fg_timeline *timeline);
void fg_digest_clear(struct fg_digest *digest);

/* The step that a point of a curve is at the end of, counted from 1. */
size_t fg_digest_step(size_t steps, size_t points, size_t point);

/* As text for the journal: words, each with a blank before it. */
void fg_digest_write(const struct fg_digest *digest, struct fg_buf *out);
bool fg_digest_read(struct fg_digest *digest, struct fg_str text);

#endif
