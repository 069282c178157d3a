/* predict.c - what is expected of documents, and how well that works
 *
 * The forecasts are trained by the crawl (crawl/documents/outlook.h); here they are only
 * read. */
#include "crawl/documents/outlook.h"
#include "view/ago.h"
#include "view/view.h"

#include <math.h>

struct asked {
    const struct fg_look *look;
    struct fg_outlook *outlook;
    const struct fg_forecast *forecast;
    fg_time trained;
    FG_VEC(uint64_t) ids; /* documents */
    int64_t counted_days; /* of the site that has most */
};

static bool take_page(void *context, const struct fg_page_row *page)
{
    struct asked *v = context;
    if (page->flags & FG_PAGE_DOCUMENT)
        fg_vec_push(&v->ids, (uint64_t)page->site << 32 | page->page);
    return true;
}

/* --- how well they do --- */

struct skill {
    double auc, deviation;
    size_t days, examples, positives;
    bool is_trained;
    struct fg_str words;
};

#define S struct skill
static const struct fg_field skill_fields[] = {
    {"auc", NULL, FG_AS_NUMBER(S, auc), .help = "mean area under the ROC curve"},
    {"deviation", NULL, FG_AS_NUMBER(S, deviation), .help = "of the days' AUC"},
    {"days", NULL, FG_AS_COUNT(S, days), .help = "that were not trained on"},
    {"examples", NULL, FG_AS_COUNT(S, examples), .help = "on these days"},
    {"positives", NULL, FG_AS_COUNT(S, positives), .help = "of the examples"},
    {"is_trained", NULL, FG_AS_YES(S, is_trained), .help = "there is a model"},
    {0},
};
#undef S

struct task {
    const char *name;
    struct skill by[FG_FORECAST_MODELS];
};

#define T struct task
static const struct fg_field task_fields[] = {
    {"metadata", NULL, FG_AS_RECORD(T, by[FG_FORECAST_METADATA], skill_fields)},
    {"history", NULL, FG_AS_RECORD(T, by[FG_FORECAST_HISTORY], skill_fields)},
    {"both", NULL, FG_AS_RECORD(T, by[FG_FORECAST_BOTH], skill_fields)},
    {NULL, "AUC", FG_AS_WORD(T, name)},
    {NULL, "metadata", FG_AS_TEXT(T, by[FG_FORECAST_METADATA].words)},
    {NULL, "history", FG_AS_TEXT(T, by[FG_FORECAST_HISTORY].words)},
    {NULL, "both", FG_AS_TEXT(T, by[FG_FORECAST_BOTH].words)},
    {NULL, "days", FG_AS_COUNT(T, by[FG_FORECAST_METADATA].days)},
    {NULL, "examples", FG_AS_COUNT(T, by[FG_FORECAST_METADATA].examples)},
    {NULL, "positives", FG_AS_COUNT(T, by[FG_FORECAST_METADATA].positives)},
    {0},
};
#undef T

struct stats {
    fg_time trained, learnt;
    size_t documents, days;
    struct task tasks[FG_FORECAST_TASKS];
    struct fg_rows table;
    struct fg_str words, more;
};

#define S struct stats
static const struct fg_field stats_fields[] = {
    {"trained", NULL, FG_AS_TIME(S, trained), .help = "the last time"},
    {"learnt_until", NULL, FG_AS_TIME(S, learnt), .help = "the last day learnt from"},
    {"documents", NULL, FG_AS_COUNT(S, documents), .help = "that are kept fresh"},
    {"days_of_counts", NULL, FG_AS_COUNT(S, days), .help = "of the site that has most"},
    {NULL, "", FG_AS_TEXT(S, words), .is_title = true},
    {"change", NULL, FG_AS_RECORD(S, tasks[FG_FORECAST_CHANGE], task_fields)},
    {"click", NULL, FG_AS_RECORD(S, tasks[FG_FORECAST_CLICK], task_fields)},
    {"impression", NULL, FG_AS_RECORD(S, tasks[FG_FORECAST_IMPRESSION], task_fields)},
    {NULL, "", FG_AS_ROWS(S, table, task_fields)},
    {NULL, "", FG_AS_LINES(S, more)},
    {0},
};
#undef S

static enum fg_status count_days(struct asked *v, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < v->look->n_sites; i++) {
        int64_t first, end;
        st = fg_store_daily_span(v->look->store, v->look->sites[i].site, &first, &end,
                                 err);
        if (!st && end - first > v->counted_days)
            v->counted_days = end - first;
    }
    return st;
}

static struct skill skill_of(const struct asked *v, enum fg_forecast_task task,
                             enum fg_forecast_model model)
{
    struct fg_forecast_skill skill = fg_forecast_skill(v->forecast, task, model);
    struct fg_arena *arena = v->look->texts;
    return (struct skill){.auc = skill.mean,
                          .deviation = skill.deviation,
                          .days = skill.days,
                          .examples = skill.positives + skill.negatives,
                          .positives = skill.positives,
                          .is_trained = fg_forecast_can(v->forecast, task, model),
                          .words = !skill.days ? FG_STR("-")
                                   : skill.days < 2
                                       ? fg_arena_printf(arena, "%.3f", skill.mean)
                                       : fg_arena_printf(arena, "%.3f +- %.3f",
                                                         skill.mean, skill.deviation)};
}

static void say(struct stats *stats, const struct asked *v)
{
    struct fg_arena *arena = v->look->texts;
    char ago[FG_AGO_TEXT], last[FG_TIME_TEXT];
    if (v->trained == FG_NEVER) {
        stats->words = fg_arena_printf(arena,
                                       "nothing has been learnt yet: there are %zu "
                                       "documents and %lld days of counts",
                                       v->ids.len, (long long)v->counted_days);
        stats->more =
            FG_STR("A crawl learns from a day when the day after it is over, once it "
                   "has seen 20\ndocuments that changed and 20 that did not. Clicks and "
                   "impressions come from\n'forage import counts'.");
        return;
    }
    stats->words =
        fg_arena_printf(arena, "trained %s, on days up to %.10s, of %zu documents",
                        fg_ago(ago, v->look->now, v->trained),
                        fg_time_format(last, stats->learnt), v->ids.len);
    stats->table = (struct fg_rows){
        .at = stats->tasks, .len = FG_FORECAST_TASKS, .size = sizeof *stats->tasks};
    stats->more =
        FG_STR("\non days that were not trained on, the last 31; 0.5 is chance, 1 "
               "is certainty");
}

static enum fg_status find_stats(struct stats **made, struct asked *v, struct fg_err *err)
{
    enum fg_status st = fg_store_pages(v->look->store, 0, take_page, v, err);
    if (!st)
        st = count_days(v, err);
    struct stats *stats = *made = FG_NEW(v->look->texts, struct stats, 1);
    int64_t learnt = fg_outlook_learnt(v->outlook);
    stats->trained = v->trained;
    stats->learnt = learnt == INT64_MIN ? FG_NEVER : learnt * FG_DAY;
    stats->documents = v->ids.len;
    stats->days = (size_t)v->counted_days;
    for (enum fg_forecast_task task = 0; task < FG_FORECAST_TASKS; task++) {
        stats->tasks[task].name = fg_forecast_task_names[task];
        for (enum fg_forecast_model model = 0; model < FG_FORECAST_MODELS; model++)
            stats->tasks[task].by[model] = skill_of(v, task, model);
    }
    say(stats, v);
    return st;
}

/* --- one page --- */

struct expected {
    const char *name;
    double average, expected, chance;
};

#define E struct expected
static const struct fg_field expected_fields[] = {
    {NULL, "a day", FG_AS_WORD(E, name)},
    {"average", "last 30 days", FG_AS_NUMBER(E, average), .unit = "a day"},
    {"expected", "expected", FG_AS_NUMBER(E, expected), .unit = "a day",
     .help = "as the chance has it; where that is next to 1 and says no more, the "
             "average of the last 30 days if it is higher"},
    {"chance", "chance of any", FG_AS_SHARE(E, chance), .help = "on the next day"},
    {0},
};
#undef E

enum { CHANGES, CLICKS, IMPRESSIONS, QUESTIONS };
static const struct {
    const char *name;
    enum fg_told_rate history, model;
} questions[QUESTIONS] = {
    {"changes", FG_TOLD_CHANGES_HISTORY, FG_TOLD_CHANGES_MODEL},
    {"clicks", FG_TOLD_CLICKS_HISTORY, FG_TOLD_CLICKS_MODEL},
    {"impressions", FG_TOLD_IMPRESSIONS_HISTORY, FG_TOLD_IMPRESSIONS_MODEL},
};

struct page {
    struct fg_str url;
    struct expected of[QUESTIONS];
    struct fg_rows table;
    double smoothed;
};

#define P struct page
static const struct fg_field page_fields[] = {
    {"url", "", FG_AS_URL(P, url), .is_title = true},
    {"changes", NULL, FG_AS_RECORD(P, of[CHANGES], expected_fields)},
    {"clicks", NULL, FG_AS_RECORD(P, of[CLICKS], expected_fields)},
    {"impressions", NULL, FG_AS_RECORD(P, of[IMPRESSIONS], expected_fields)},
    {"smoothed_clicks", NULL, FG_AS_NUMBER(P, smoothed), .unit = "a day",
     .help = "as the refresh policy is told"},
    {NULL, "", FG_AS_ROWS(P, table, expected_fields)},
    {0},
};
#undef P

/* A chance of nearly 1 is that of three a day and of three hundred: it comes from a
 * network that was asked whether there is any. */
static struct expected expectation(const char *name, double average, double rate)
{
    static const double surely = 3;
    return (struct expected){
        name, average, rate > surely && average > rate ? average : rate, -expm1(-rate)};
}

static double told(const struct asked *v, enum fg_told_rate kind, size_t row)
{
    const float *rates = fg_outlook_told(v->outlook, kind);
    return rates ? (double)rates[row] : NAN;
}

static enum fg_status play(struct asked *v, struct fg_err *err)
{
    enum fg_outlook_step step;
    enum fg_status st =
        fg_outlook_begin(v->outlook, v->ids.at, v->ids.len, v->look->now, err);
    if (st)
        return st;
    do
        step = fg_outlook_step(v->outlook, err);
    while (step < FG_OUTLOOK_DONE);
    if (step == FG_OUTLOOK_FAILED)
        return err->status;
    fg_outlook_rates(v->outlook);
    return FG_OK;
}

/* All documents of the site are looked at, since each is compared with the others. */
static enum fg_status find_page(struct page **made, struct asked *v, struct fg_str text,
                                struct fg_err *err)
{
    struct fg_page_row found;
    enum fg_status st = fg_look_find_page(v->look, text, &found, err);
    if (!st && !(found.flags & FG_PAGE_DOCUMENT))
        st = fg_fail(
            err, FG_EINPUT,
            "'%.*s' is not kept fresh, and nothing is expected of it; 'forage add "
            "--document' changes that",
            FG_ARG(fg_str_sub(found.url, 0, 200)));
    if (!st)
        st = fg_store_pages(v->look->store, found.site, take_page, v, err);
    if (!st)
        st = play(v, err);
    if (st)
        return st;
    struct page *page = *made = FG_NEW(v->look->texts, struct page, 1);
    size_t row = 0;
    while (row + 1 < v->ids.len && (fg_page_id)v->ids.at[row] != found.page)
        row++;
    page->url = found.url;
    page->smoothed = told(v, FG_TOLD_CLICKS_SMOOTH, row);
    for (size_t i = 0; i < QUESTIONS; i++)
        page->of[i] = expectation(questions[i].name, told(v, questions[i].history, row),
                                  told(v, questions[i].model, row));
    page->table =
        (struct fg_rows){.at = page->of, .len = QUESTIONS, .size = sizeof *page->of};
    return FG_OK;
}

/* --- the view --- */

struct answer {
    struct stats *stats; /* one of them */
    struct page *page;
};

static const struct fg_field fields[] = {
    {NULL, "", FG_AS_RECORD_AT(struct answer, stats, stats_fields)},
    {NULL, "", FG_AS_RECORD_AT(struct answer, page, page_fields)},
    {0},
};

static enum fg_status ask(const void **answer, const struct fg_asking *ask,
                          struct fg_err *err)
{
    struct answer *made = FG_NEW(ask->look->texts, struct answer, 1);
    struct asked v = {.look = ask->look, .trained = FG_NEVER};
    struct fg_forecast_rules rules = fg_outlook_rules();
    v.outlook = fg_outlook_new(ask->look->store, &rules);
    v.forecast = fg_outlook_forecast(v.outlook, &v.trained);
    enum fg_status st = fg_str_eq(ask->subject, FG_STR("stats"))
                            ? find_stats(&made->stats, &v, err)
                            : find_page(&made->page, &v, ask->subject, err);
    fg_outlook_free(v.outlook);
    fg_vec_clear(&v.ids);
    *answer = made;
    return st;
}

static const struct fg_view_example examples[] = {
    {"stats", "how well changes, clicks and impressions are foreseen"},
    {"stats --json", "the same for a script"},
    {0},
};

const struct fg_view fg_view_predict = {
    .name = "predict",
    .subject = "stats | URL",
    .summary = "what is expected of documents tomorrow, and how well that works",
    .about = "A crawl learns from its visits and from imported counts which documents "
             "will change, be clicked and be shown on the next day, and tells its "
             "refresh policy. 'stats' shows how well it does: the area under the ROC "
             "curve on days that it had not been trained on, from metadata alone (brand, "
             "condition, country, language, seller, category), from history alone, and "
             "from both. With a URL, shows what is expected of that document.",
    .settings = "workspace",
    .examples = examples,
    .answer = FG_RECORD_OF(fields),
    .ask = ask,
};
