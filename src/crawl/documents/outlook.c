/* Documents are rows in the order of their ids. Days are played from the oldest counts
 * that are kept to yesterday: for each, the history up to it is described, the forecast
 * is given what came on it, and the log takes it in. Nothing but the forecast is kept
 * between two looks; the store has the rest. */
#include "crawl/documents/outlook.h"

#include "base/memory.h"
#include "base/vec.h"
#include "crawl/documents/outlook_days.h"
#include "learn/popular.h"

#include <stdlib.h>

enum { MOST_HELD_OUT = 7 }; /* days */

/* In front of the forecast's own bytes. */
struct saved {
    int64_t learnt, counted;
    fg_time trained;
};

struct fg_outlook {
    struct fg_store *store;
    struct fg_forecast *forecast;
    struct fg_forecast_rules rules;
    int64_t learnt;  /* the last day whose changes the forecast was given ... */
    int64_t counted; /* ... and whose counts; INT64_MIN: none */
    fg_time trained; /* or FG_NEVER */
    bool has_news, has_counts, has_clicks;

    struct outlook_days days;
    int64_t today, next, test; /* test: from this day on, once, nothing is trained on */
    struct fg_offer_log log;
    struct fg_popular popular;
    float *history;
    float *told[FG_TOLD_KINDS];
};

static int64_t day_of(fg_time time)
{
    return time / FG_DAY - (time % FG_DAY < 0);
}

static float *floats(size_t n)
{
    return fg_zeroed(n + 1, sizeof(float));
}

/* --- life --- */

struct fg_forecast_rules fg_outlook_rules(void)
{
    struct fg_forecast_rules rules = fg_forecast_defaults();
    rules.examples = 30000;
    rules.epochs = 8;
    return rules;
}

static void load(struct fg_outlook *outlook)
{
    struct fg_arena arena = {0};
    struct fg_str bytes;
    struct saved saved;
    if (!fg_store_state(outlook->store, &bytes, &arena, 0, FG_OUTLOOK_STATE, NULL) &&
        bytes.len > sizeof saved &&
        !fg_forecast_load(outlook->forecast, fg_str_skip(bytes, sizeof saved), NULL)) {
        memcpy(&saved, bytes.at, sizeof saved);
        outlook->learnt = saved.learnt;
        outlook->counted = saved.counted;
        outlook->trained = saved.trained;
    }
    fg_arena_clear(&arena);
}

struct fg_outlook *fg_outlook_new(struct fg_store *store,
                                  const struct fg_forecast_rules *rules)
{
    struct fg_outlook *outlook = fg_zeroed(1, sizeof *outlook);
    outlook->store = store;
    outlook->rules = *rules;
    outlook->forecast = fg_forecast_new(rules);
    outlook->learnt = outlook->counted = INT64_MIN;
    outlook->trained = FG_NEVER;
    load(outlook);
    return outlook;
}

void fg_outlook_save(const struct fg_outlook *outlook, struct fg_buf *out)
{
    struct saved saved = {outlook->learnt, outlook->counted, outlook->trained};
    fg_buf_add(out, (struct fg_str){(const char *)&saved, sizeof saved});
    fg_forecast_save(outlook->forecast, out);
}

static void forget(struct fg_outlook *outlook)
{
    outlook_days_clear(&outlook->days);
    fg_offer_log_clear(&outlook->log);
    fg_popular_clear(&outlook->popular);
    free(outlook->history);
    outlook->history = NULL;
    for (size_t kind = 0; kind < FG_TOLD_KINDS; kind++) {
        free(outlook->told[kind]);
        outlook->told[kind] = NULL;
    }
    outlook->has_counts = outlook->has_clicks = false;
}

void fg_outlook_free(struct fg_outlook *outlook)
{
    if (!outlook)
        return;
    forget(outlook);
    fg_forecast_free(outlook->forecast);
    free(outlook);
}

/* --- day by day --- */

static bool can_anything(const struct fg_forecast *forecast)
{
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++)
        for (size_t model = 0; model < FG_FORECAST_MODELS; model++)
            if (fg_forecast_can(forecast, (enum fg_forecast_task)task,
                                (enum fg_forecast_model)model))
                return true;
    return false;
}

/* Of the first days that come in one go a third, at most seven, is held out once, so that
 * there is a figure from the start. */
static int64_t first_test_day(const struct fg_outlook *outlook)
{
    int64_t end = outlook->today - 1, first = outlook_days_first(&outlook->days);
    int64_t held_out = (end - first) / 3;
    if (can_anything(outlook->forecast) || held_out < 1)
        return INT64_MAX;
    return end - (held_out < MOST_HELD_OUT ? held_out : MOST_HELD_OUT);
}

/* Counts have come for the first time: the days that were learnt without them are learnt
 * again. */
static void start_over_with_counts(struct fg_outlook *outlook)
{
    if (outlook_days_counted(&outlook->days) == INT64_MIN ||
        outlook->learnt == INT64_MIN || outlook->counted != INT64_MIN)
        return;
    fg_forecast_free(outlook->forecast);
    outlook->forecast = fg_forecast_new(&outlook->rules);
    outlook->learnt = outlook->counted = INT64_MIN;
    outlook->trained = FG_NEVER;
}

enum fg_status fg_outlook_begin(struct fg_outlook *outlook, const uint64_t *ids, size_t n,
                                fg_time now, struct fg_err *err)
{
    forget(outlook);
    outlook->today = day_of(now);
    outlook->next = outlook->today - FG_DAILY_KEPT;
    enum fg_status st = outlook_days_open(&outlook->days, outlook->store, ids, n,
                                          outlook->today, outlook->rules.stop, err);
    if (st)
        return st;
    start_over_with_counts(outlook);
    outlook->test = first_test_day(outlook);
    fg_offer_log_resize(&outlook->log, n);
    fg_popular_resize(&outlook->popular, n);
    outlook->history = fg_zeroed(n * FG_OFFER_HISTORY + 1, sizeof *outlook->history);
    return FG_OK;
}

static void to_label(float *label, const float *counts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        label[i] = isnan(counts[i]) ? NAN : counts[i] > 0;
}

static void learn(struct fg_outlook *outlook, const struct fg_offer_counts *counts)
{
    size_t n = outlook->days.n;
    const float *came[FG_FORECAST_TASKS] = {counts->changes, counts->clicks,
                                            counts->impressions};
    float *label[FG_FORECAST_TASKS] = {0};
    struct fg_offer_day day = {.n = n,
                               .day = outlook->next,
                               .offer = outlook->days.id,
                               .history = outlook->history,
                               .ids = outlook->days.fields};
    fg_offer_log_history(&outlook->log, 0, n, outlook->history);
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++) {
        if (!came[task])
            continue;
        label[task] = floats(n);
        to_label(label[task], came[task], n);
        day.label[task] = label[task];
    }
    fg_forecast_add(outlook->forecast, &day);
    if (counts->changes)
        outlook->learnt = outlook->next;
    if (counts->clicks || counts->impressions)
        outlook->counted = outlook->next;
    outlook->has_news = true;
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++)
        free(label[task]);
}

/* Yesterday is not over for us. A day's changes do not wait for its counts, which may
 * have been imported for once and never come: they are learnt from when they are there,
 * as if it were another day. */
static void learn_what_is_new(struct fg_outlook *outlook,
                              const struct fg_offer_counts *counts)
{
    struct fg_offer_counts unlearnt = *counts;
    if (outlook->next >= outlook->today - 1 || 2 * outlook->days.read < outlook->days.n)
        return;
    if (outlook->next <= outlook->learnt)
        unlearnt.changes = NULL;
    if (outlook->next <= outlook->counted)
        unlearnt.clicks = unlearnt.impressions = NULL;
    if (unlearnt.changes || unlearnt.clicks || unlearnt.impressions)
        learn(outlook, &unlearnt);
}

enum fg_outlook_step fg_outlook_step(struct fg_outlook *outlook, struct fg_err *err)
{
    struct fg_offer_counts counts;
    if (outlook->rules.stop && atomic_load(outlook->rules.stop))
        return FG_OUTLOOK_FAILED;
    if (outlook->next >= outlook->today)
        return FG_OUTLOOK_DONE;
    if (outlook->next >= outlook->test && outlook->has_news) {
        outlook->test = INT64_MAX;
        return FG_OUTLOOK_TRAIN;
    }
    if (outlook_days_read(&outlook->days, outlook->next, &counts, err))
        return FG_OUTLOOK_FAILED;
    learn_what_is_new(outlook, &counts);
    fg_offer_log_add(&outlook->log, &counts);
    /* Where nobody counts impressions, clicks are shrunk to those of the host. */
    fg_popular_add(&outlook->popular, counts.clicks,
                   counts.impressions ? counts.impressions : counts.clicks);
    outlook->has_counts |= counts.clicks || counts.impressions;
    outlook->has_clicks |= counts.clicks != NULL;
    outlook->next++;
    return FG_OUTLOOK_DAY;
}

bool fg_outlook_has_news(const struct fg_outlook *outlook)
{
    return outlook->has_news;
}

bool fg_outlook_train(struct fg_outlook *outlook, fg_time now)
{
    outlook->has_news = false;
    if (!fg_forecast_train(outlook->forecast))
        return false;
    outlook->trained = now;
    return true;
}

/* --- what comes out --- */

/* Room for one kind, unless there is already. */
static float *told(struct fg_outlook *outlook, enum fg_told_rate kind)
{
    if (!outlook->told[kind])
        outlook->told[kind] = floats(outlook->days.n);
    return outlook->told[kind];
}

static void tell_average(struct fg_outlook *outlook, enum fg_told_rate kind,
                         enum fg_offer_history feature)
{
    float *rate = told(outlook, kind);
    for (size_t i = 0; i < outlook->days.n; i++)
        rate[i] = outlook->history[i * FG_OFFER_HISTORY + feature];
}

static void stand_in(struct fg_outlook *outlook, enum fg_told_rate model,
                     enum fg_told_rate by)
{
    if (outlook->told[by])
        memcpy(told(outlook, model), outlook->told[by],
               outlook->days.n * sizeof *outlook->told[by]);
}

static void tell_forecasts(struct fg_outlook *outlook)
{
    static const enum fg_told_rate kinds[FG_FORECAST_TASKS] = {
        [FG_FORECAST_CHANGE] = FG_TOLD_CHANGES_MODEL,
        [FG_FORECAST_CLICK] = FG_TOLD_CLICKS_MODEL,
        [FG_FORECAST_IMPRESSION] = FG_TOLD_IMPRESSIONS_MODEL};
    stand_in(outlook, FG_TOLD_CLICKS_MODEL, FG_TOLD_CLICKS_SMOOTH);
    stand_in(outlook, FG_TOLD_IMPRESSIONS_MODEL, FG_TOLD_IMPRESSIONS_HISTORY);
    struct fg_offer_day day = {.n = outlook->days.n,
                               .day = outlook->today,
                               .offer = outlook->days.id,
                               .history = outlook->history,
                               .ids = outlook->days.fields};
    for (enum fg_forecast_task task = 0; task < FG_FORECAST_TASKS; task++) {
        if (!fg_forecast_can(outlook->forecast, task, FG_FORECAST_BOTH))
            continue;
        float *rates = told(outlook, kinds[task]);
        fg_forecast_rates(outlook->forecast, task, FG_FORECAST_BOTH, &day, rates);
    }
}

void fg_outlook_rates(struct fg_outlook *outlook)
{
    fg_offer_log_history(&outlook->log, 0, outlook->days.n, outlook->history);
    tell_average(outlook, FG_TOLD_CHANGES_HISTORY, FG_HISTORY_CHANGES);
    if (outlook->has_clicks) {
        tell_average(outlook, FG_TOLD_CLICKS_HISTORY, FG_HISTORY_CLICKS_30);
        fg_popular_rates(&outlook->popular, outlook->days.host, outlook->days.n_hosts,
                         told(outlook, FG_TOLD_CLICKS_SMOOTH));
    }
    if (outlook->has_counts)
        tell_average(outlook, FG_TOLD_IMPRESSIONS_HISTORY, FG_HISTORY_IMPRESSIONS_30);
    tell_forecasts(outlook);
}

const float *fg_outlook_told(const struct fg_outlook *outlook, enum fg_told_rate kind)
{
    return outlook->told[kind];
}

const uint64_t *fg_outlook_ids(const struct fg_outlook *outlook, size_t *n)
{
    *n = outlook->days.n;
    return outlook->days.id;
}

int64_t fg_outlook_learnt(const struct fg_outlook *outlook)
{
    return outlook->learnt > outlook->counted ? outlook->learnt : outlook->counted;
}

const struct fg_forecast *fg_outlook_forecast(const struct fg_outlook *outlook,
                                              fg_time *trained)
{
    *trained = outlook->trained;
    return outlook->forecast;
}
