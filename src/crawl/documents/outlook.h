/* outlook.h - what is to be expected of each document in the next day
 *
 *     struct fg_outlook *outlook = fg_outlook_new(store, &rules);
 *     fg_outlook_begin(outlook, ids, n, now, err);
 *     while ((step = fg_outlook_step(outlook, err)) < FG_OUTLOOK_DONE)
 *         if (step == FG_OUTLOOK_TRAIN)
 *             fg_outlook_train(outlook, now);
 *     fg_outlook_rates(outlook);
 *     const float *clicks = fg_outlook_told(outlook, FG_TOLD_CLICKS_SMOOTH);
 *     fg_outlook_free(outlook);
 *
 * Everything comes from the store: the visits of the last month say when a document
 * changed, the counts that were imported how often it was clicked and shown, its value
 * (store.h) what it is. From these come the rates that policy.h names: averages, smoothed
 * clicks (learn/popular.h), and forecasts (learn/forecast.h) by networks that are trained
 * on each day once the day after it is over as well; by then its counts are there and
 * most documents have been visited again. Until there are networks, smoothed clicks and
 * average impressions stand in for their words.
 *
 * A visit sees whether a document changed since the visit before, not on which day. Of an
 * interval that found a change each day gets one with the chance that it had one, given
 * the document's likeliest rate (learn/change_rate.h), drawn the same way each time.
 *
 * Once rules.stop is set, by another thread perhaps, reading fails and training ends.
 * Days are UTC, by the crawl's clock. */
#ifndef FG_CRAWL_OUTLOOK_H
#define FG_CRAWL_OUTLOOK_H

#include "learn/forecast.h"
#include "policy/policy.h"
#include "store/store.h"

struct fg_outlook;

/* With the forecasts that the store has, if they can be read. */
struct fg_outlook *fg_outlook_new(struct fg_store *store,
                                  const struct fg_forecast_rules *rules);
void fg_outlook_free(struct fg_outlook *outlook);
/* Forecasts for crawls: smaller steps than the lab takes, so that a day's is done in
 * seconds. */
struct fg_forecast_rules fg_outlook_rules(void);

/* Read what the visits say of these documents (site << 32 | page, in ascending order; the
 * array is copied). */
enum fg_status fg_outlook_begin(struct fg_outlook *outlook, const uint64_t *ids, size_t n,
                                fg_time now, struct fg_err *err);

enum fg_outlook_step {
    FG_OUTLOOK_DAY,   /* one more day was read */
    FG_OUTLOOK_TRAIN, /* time to train, then go on: the days to come are a test */
    FG_OUTLOOK_DONE,
    FG_OUTLOOK_FAILED
};
enum fg_outlook_step fg_outlook_step(struct fg_outlook *outlook, struct fg_err *err);

/* Something was learnt that the networks do not know yet. */
bool fg_outlook_has_news(const struct fg_outlook *outlook);
/* False if there was too little to train on. */
bool fg_outlook_train(struct fg_outlook *outlook, fg_time now);

/* Bring the rates up to date. One a document in the order of the ids, NaN where nothing
 * is known; NULL for a kind of which nothing is known at all. */
void fg_outlook_rates(struct fg_outlook *outlook);
const float *fg_outlook_told(const struct fg_outlook *outlook, enum fg_told_rate kind);
const uint64_t *fg_outlook_ids(const struct fg_outlook *outlook, size_t *n);

/* The forecasts themselves, when they were trained (FG_NEVER: not yet), and the last day
 * that they were given (INT64_MIN: none). */
const struct fg_forecast *fg_outlook_forecast(const struct fg_outlook *outlook,
                                              fg_time *trained);
int64_t fg_outlook_learnt(const struct fg_outlook *outlook);
/* Keep them in the store: the bytes are made here, and put into a batch later. */
void fg_outlook_save(const struct fg_outlook *outlook, struct fg_buf *out);
#define FG_OUTLOOK_STATE "forecast"

#endif
