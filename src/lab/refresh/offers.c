/* The days pass once. Before a day, what is known by then is told; then it happens; then
 * it goes into the log, and into the forecasts' examples while they are to be trained. */
#include "lab/refresh/offers.h"

#include "base/memory.h"
#include "lab/refresh/offers_model.h"
#include "learn/auc.h"
#include "learn/popular.h"

#include <stdlib.h>
#include <string.h>

enum {
    TRAINED_FROM = 30, /* a month of history is there by then */
    TOLD_DAYS = FG_OFFERS_CRAWLED_DAYS,
    PARTS = FG_SKILL_PARTS,
    TEST_ROWS = 200000,  /* of all crawled days together, at most */
    POOL_MOST = 3000000, /* examples: 30 days of 100,000 offers */
};

/* Streams of the seed, beside those of offers_world.c. */
enum { FOR_TEST = 100, FOR_COLD };

static const double cold_share = .15;

static const enum fg_told_rate model_rate[FG_FORECAST_TASKS] = {
    [FG_FORECAST_CHANGE] = FG_TOLD_CHANGES_MODEL,
    [FG_FORECAST_CLICK] = FG_TOLD_CLICKS_MODEL,
    [FG_FORECAST_IMPRESSION] = FG_TOLD_IMPRESSIONS_MODEL,
};

/* Chances and what came, of rows that were drawn for the test. */
struct test {
    float *chance[FG_FORECAST_TASKS][FG_FORECAST_MODELS];
    bool *came[FG_FORECAST_TASKS];
    size_t n, room;
};

struct making {
    const struct fg_offers_options *options;
    struct offers_world *world;
    struct fg_timeline *timeline;
    struct fg_offer_log log;
    struct fg_popular popular;
    struct fg_forecast *forecast;
    uint64_t *offer; /* their numbers */
    uint32_t *ids;   /* n x FG_OFFER_IDS */
    float *history;  /* n x FG_OFFER_HISTORY */
    float *label[FG_FORECAST_TASKS];
    struct test *test; /* NULL: none */
    offers_changes changes;
};

struct fg_offers_options fg_offers_defaults(void)
{
    return (struct fg_offers_options){
        .pages = 20000, .seed = 1, .forecast = fg_forecast_defaults()};
}

/* --- what is known of an offer --- */

/* Ten countries speak six languages. */
static uint32_t language_of(uint32_t country)
{
    static const uint8_t language[OFFERS_COUNTRIES] = {1, 1, 2, 3, 4, 1, 2, 5, 4, 6};
    return language[country];
}

static void describe_offers(struct making *m)
{
    for (size_t i = 0; i < m->world->n; i++) {
        const struct offers_offer *offer = &m->world->offers[i];
        uint32_t country = m->world->merchants[offer->merchant].country;
        uint32_t *ids = m->ids + i * FG_OFFER_IDS;
        ids[FG_OFFER_BRAND] = offer->brand + 1U;
        ids[FG_OFFER_CONDITION] = offer->condition + 1U;
        ids[FG_OFFER_COUNTRY] = country + 1;
        ids[FG_OFFER_LANGUAGE] = language_of(country);
        ids[FG_OFFER_MERCHANT] = offer->merchant + 1U;
        ids[FG_OFFER_CATEGORY] = offer->category + 1U;
        m->timeline->site[i] = offer->merchant;
        m->offer[i] = i;
    }
}

static struct fg_offer_day day_of(const struct making *m, size_t day)
{
    return (struct fg_offer_day){
        .n = m->world->n,
        .day = OFFERS_FIRST_DATE + (int64_t)day,
        .offer = m->offer,
        .history = m->history,
        .ids = m->ids,
        .label = {m->label[0], m->label[1], m->label[2]},
    };
}

static void label_offers(struct making *m)
{
    const float *counts[FG_FORECAST_TASKS] = {
        [FG_FORECAST_CHANGE] = m->world->changes,
        [FG_FORECAST_CLICK] = m->world->clicks,
        [FG_FORECAST_IMPRESSION] = m->world->impressions,
    };
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++)
        for (size_t i = 0; i < m->world->n; i++)
            m->label[task][i] = counts[task][i] > 0 ? 1 : 0;
}

/* --- what is told --- */

static float *told_on(const struct making *m, enum fg_told_rate kind, size_t day)
{
    return m->timeline->offers.told[kind] + (day - OFFERS_CRAWLED_FROM) * m->timeline->n;
}

static void tell_history(struct making *m, enum fg_told_rate kind,
                         enum fg_offer_history feature, size_t day)
{
    float *told = told_on(m, kind, day);
    for (size_t i = 0; i < m->world->n; i++)
        told[i] = m->history[i * FG_OFFER_HISTORY + feature];
}

/* Of some offers nothing was ever logged, at the first crawled day. */
static void forget_some(struct making *m)
{
    struct fg_rng seed = fg_rng_from_seed(m->options->seed);
    struct fg_rng rng = fg_rng_split(&seed, FOR_COLD);
    for (size_t i = 0; i < m->world->n; i++)
        if (fg_rng_unit(&rng) < cold_share)
            for (size_t k = 0; k < FG_OFFER_HISTORY; k++)
                m->history[i * FG_OFFER_HISTORY + k] = NAN;
}

static void tell_changes(struct making *m, size_t day)
{
    struct fg_offer_day today = day_of(m, day);
    tell_history(m, FG_TOLD_CHANGES_HISTORY, FG_HISTORY_CHANGES, day);
    fg_forecast_rates(m->forecast, FG_FORECAST_CHANGE, FG_FORECAST_BOTH, &today,
                      told_on(m, FG_TOLD_CHANGES_MODEL, day));
}

static void tell_changes_as_before(struct making *m, size_t day)
{
    size_t bytes = m->timeline->n * sizeof(float);
    memcpy(told_on(m, FG_TOLD_CHANGES_HISTORY, day),
           told_on(m, FG_TOLD_CHANGES_HISTORY, day - 1), bytes);
    memcpy(told_on(m, FG_TOLD_CHANGES_MODEL, day),
           told_on(m, FG_TOLD_CHANGES_MODEL, day - 1), bytes);
}

static void tell(struct making *m, size_t day)
{
    struct fg_offer_day today = day_of(m, day);
    tell_history(m, FG_TOLD_CLICKS_HISTORY, FG_HISTORY_CLICKS_30, day);
    tell_history(m, FG_TOLD_IMPRESSIONS_HISTORY, FG_HISTORY_IMPRESSIONS_30, day);
    for (enum fg_forecast_task task = FG_FORECAST_CLICK; task < FG_FORECAST_TASKS; task++)
        fg_forecast_rates(m->forecast, task, FG_FORECAST_BOTH, &today,
                          told_on(m, model_rate[task], day));
    fg_popular_rates(&m->popular, m->timeline->site, OFFERS_MERCHANTS,
                     told_on(m, FG_TOLD_CLICKS_SMOOTH, day));
    if (m->options->is_own && day > OFFERS_CRAWLED_FROM) {
        tell_changes_as_before(m, day);
        return;
    }
    if (m->options->is_own)
        forget_some(m);
    tell_changes(m, day);
    fg_offer_log_history(&m->log, 0, m->world->n, m->history);
}

/* --- how good the forecasts are --- */

static struct test *test_new(size_t offers)
{
    struct test *test = fg_zeroed(1, sizeof *test);
    size_t all = offers * TOLD_DAYS;
    test->room = all < TEST_ROWS ? all : TEST_ROWS;
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++) {
        test->came[task] = fg_zeroed(test->room, sizeof(bool));
        for (size_t model = 0; model < FG_FORECAST_MODELS; model++)
            test->chance[task][model] = fg_zeroed(test->room, sizeof(float));
    }
    return test;
}

static void test_free(struct test *test)
{
    for (size_t task = 0; test && task < FG_FORECAST_TASKS; task++) {
        free(test->came[task]);
        for (size_t model = 0; model < FG_FORECAST_MODELS; model++)
            free(test->chance[task][model]);
    }
    free(test);
}

/* A random part of the offers, laid out as a day of its own; `day` is it as a whole. */
static struct fg_offer_day test_rows(const struct making *m, struct fg_offer_day day,
                                     size_t n, float *history, uint32_t *ids,
                                     uint64_t *rows)
{
    struct fg_rng seed = fg_rng_from_seed(m->options->seed);
    struct fg_rng test = fg_rng_split(&seed, FOR_TEST);
    struct fg_rng rng = fg_rng_split(&test, (uint64_t)day.day);
    fg_rng_sample(&rng, day.n, n, rows);
    for (size_t i = 0; i < n; i++) {
        memcpy(history + i * FG_OFFER_HISTORY, day.history + rows[i] * FG_OFFER_HISTORY,
               FG_OFFER_HISTORY * sizeof *history);
        memcpy(ids + i * FG_OFFER_IDS, day.ids + rows[i] * FG_OFFER_IDS,
               FG_OFFER_IDS * sizeof *ids);
    }
    return (struct fg_offer_day){.n = n, .day = day.day, .history = history, .ids = ids};
}

static void test_day(struct making *m, size_t day)
{
    struct test *test = m->test;
    size_t n = test->room / TOLD_DAYS;
    float *history = fg_zeroed(n, FG_OFFER_HISTORY * sizeof *history);
    uint32_t *ids = fg_zeroed(n, FG_OFFER_IDS * sizeof *ids);
    uint64_t *rows = fg_zeroed(n, sizeof *rows);
    struct fg_offer_day drawn = test_rows(m, day_of(m, day), n, history, ids, rows);
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++) {
        for (size_t model = 0; model < FG_FORECAST_MODELS; model++)
            fg_forecast_chances(m->forecast, (enum fg_forecast_task)task,
                                (enum fg_forecast_model)model, &drawn,
                                test->chance[task][model] + test->n);
        for (size_t i = 0; i < n; i++)
            test->came[task][test->n + i] = m->label[task][rows[i]] > 0;
    }
    test->n += n;
    free(history);
    free(ids);
    free(rows);
}

/* Row i is of part i % PARTS: rows of a day are in the order of offers, which is none. */
static struct fg_offers_skill skill_of(const struct test *test, size_t task, size_t model,
                                       float auc[PARTS])
{
    size_t n = test->n / PARTS;
    float *chance = fg_zeroed(n, sizeof *chance);
    bool *came = fg_zeroed(n, sizeof *came);
    double mean = 0, squares = 0;
    for (size_t part = 0; part < PARTS; part++) {
        for (size_t i = 0; i < n; i++) {
            chance[i] = test->chance[task][model][i * PARTS + part];
            came[i] = test->came[task][i * PARTS + part];
        }
        auc[part] = (float)fg_auc(chance, came, n);
        mean += (double)auc[part] / PARTS;
    }
    for (size_t part = 0; part < PARTS; part++)
        squares += ((double)auc[part] - mean) * ((double)auc[part] - mean);
    free(chance);
    free(came);
    return (struct fg_offers_skill){mean, sqrt(squares / (PARTS - 1))};
}

static void report_on(struct fg_offers_report *report, const struct test *test,
                      float *skill)
{
    *report = (struct fg_offers_report){0};
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++) {
        for (size_t model = 0; model < FG_FORECAST_MODELS; model++)
            report->skill[task][model] = skill_of(
                test, task, model, skill + (task * FG_FORECAST_MODELS + model) * PARTS);
        for (size_t i = 0; i < test->n; i++) {
            double n = (double)test->n;
            report->share[task] += test->came[task][i] / n;
            report->foreseen[task] += (double)test->chance[task][FG_FORECAST_BOTH][i] / n;
        }
    }
}

/* --- the timeline --- */

static struct fg_timeline *timeline_new(size_t n)
{
    struct fg_timeline *timeline = fg_zeroed(1, sizeof *timeline);
    fg_time from = OFFERS_FIRST_DATE * FG_DAY;
    timeline->name = strdup("offers");
    if (!timeline->name)
        fg_out_of_memory();
    timeline->n = n;
    timeline->from = from;
    timeline->to = from + OFFERS_DAYS * FG_DAY;
    timeline->step = FG_DAY / OFFERS_STEPS;
    timeline->crawled_from = from + OFFERS_CRAWLED_FROM * FG_DAY;
    timeline->judged_from = from + OFFERS_JUDGED_FROM * FG_DAY;
    timeline->site = fg_zeroed(n, sizeof *timeline->site);
    timeline->offers.click_profile = offers_click_profile;
    timeline->offers.first_day = OFFERS_CRAWLED_FROM;
    timeline->offers.days = TOLD_DAYS;
    timeline->offers.clicks = fg_zeroed(n * TOLD_DAYS, sizeof *timeline->offers.clicks);
    for (size_t kind = 0; kind < FG_TOLD_KINDS; kind++)
        timeline->offers.told[kind] = fg_zeroed(n * TOLD_DAYS, sizeof(float));
    return timeline;
}

static void pass_day(struct making *m, size_t day)
{
    bool is_crawled = day >= OFFERS_CRAWLED_FROM;
    if (day >= TRAINED_FROM)
        fg_offer_log_history(&m->log, 0, m->world->n, m->history);
    if (is_crawled)
        tell(m, day);
    offers_world_pass(m->world, day, &m->changes);
    label_offers(m);
    if (is_crawled) {
        memcpy(m->timeline->offers.clicks + (day - OFFERS_CRAWLED_FROM) * m->world->n,
               m->world->click_rate, m->world->n * sizeof(float));
        if (m->test)
            test_day(m, day);
    } else if (day >= TRAINED_FROM) {
        struct fg_offer_day today = day_of(m, day);
        fg_forecast_add(m->forecast, &today);
    }
    if (day + 1 == OFFERS_CRAWLED_FROM)
        fg_forecast_train(m->forecast);
    struct fg_offer_counts counts = {m->world->changes, m->world->clicks,
                                     m->world->impressions};
    fg_offer_log_add(&m->log, &counts);
    fg_popular_add(&m->popular, m->world->clicks, m->world->impressions);
}

static void making_init(struct making *m, const struct fg_offers_options *options)
{
    size_t n = options->pages, days = OFFERS_CRAWLED_FROM - TRAINED_FROM;
    struct fg_forecast_rules rules = options->forecast;
    rules.pool = n * days < POOL_MOST ? n * days : POOL_MOST;
    *m = (struct making){.options = options};
    m->world = offers_world_new(n, options->seed);
    m->timeline = timeline_new(n);
    m->forecast = fg_forecast_new(&rules);
    m->offer = fg_zeroed(n, sizeof *m->offer);
    m->ids = fg_zeroed(n, FG_OFFER_IDS * sizeof *m->ids);
    m->history = fg_zeroed(n, FG_OFFER_HISTORY * sizeof *m->history);
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++)
        m->label[task] = fg_zeroed(n, sizeof *m->label[task]);
    fg_offer_log_resize(&m->log, n);
    fg_popular_resize(&m->popular, n);
    describe_offers(m);
}

static void making_clear(struct making *m)
{
    offers_world_free(m->world);
    fg_forecast_free(m->forecast);
    fg_offer_log_clear(&m->log);
    fg_popular_clear(&m->popular);
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++)
        free(m->label[task]);
    free(m->history);
    free(m->ids);
    free(m->offer);
    test_free(m->test);
}

struct fg_timeline *fg_offers_make(const struct fg_offers_options *options,
                                   struct fg_offers_report *report)
{
    struct making m;
    struct fg_offers_report unasked;
    making_init(&m, options);
    struct fg_timeline *timeline = m.timeline;
    timeline->failures = options->failures;
    if (options->n_steady) {
        timeline->is_lost = fg_zeroed(options->pages, sizeof *timeline->is_lost);
        offers_world_steady(m.world, options->steady, options->n_steady,
                            timeline->is_lost);
    }
    if (report || !options->is_own)
        m.test = test_new(options->pages);
    for (size_t day = 0; day < OFFERS_DAYS; day++)
        pass_day(&m, day);
    if (m.test) {
        timeline->offers.skill = fg_zeroed(FG_FORECAST_TASKS * FG_FORECAST_MODELS * PARTS,
                                           sizeof *timeline->offers.skill);
        report_on(report ? report : &unasked, m.test, timeline->offers.skill);
    }
    timeline->changes = m.changes.at;
    timeline->n_changes = m.changes.len;
    making_clear(&m);
    return timeline;
}
