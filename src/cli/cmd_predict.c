/* cmd_predict.c - forage predict: what is expected of documents, and how well that works
 *
 * The forecasts are trained by the crawl (crawl/outlook.h); here they are only read. */
#include "cli/looking.h"
#include "crawl/outlook.h"

#include <math.h>
#include <stdlib.h>

struct options {
    bool json;
};

static const struct fg_opt options[] = {
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

struct view {
    struct fg_look look;
    struct fg_outlook *outlook;
    const struct fg_forecast *forecast;
    fg_time trained;
    FG_VEC(uint64_t) ids; /* documents */
    int64_t counted_days; /* of the site that has most */
};

static bool take_page(void *context, const struct fg_page_row *page)
{
    struct view *v = context;
    if (page->flags & FG_PAGE_DOCUMENT)
        fg_vec_push(&v->ids, (uint64_t)page->site << 32 | page->page);
    return true;
}

/* --- how well they do --- */

static enum fg_status count_days(struct view *v, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (fg_site_id id = 1; !st && id <= v->look.n_sites; id++) {
        int64_t first, end;
        st = fg_store_daily_span(v->look.store, id, &first, &end, err);
        if (!st && end - first > v->counted_days)
            v->counted_days = end - first;
    }
    return st;
}

static void json_skill(struct fg_json *json, const struct view *v,
                       enum fg_forecast_task task, enum fg_forecast_model model)
{
    struct fg_forecast_skill skill = fg_forecast_skill(v->forecast, task, model);
    fg_json_key(json, fg_forecast_model_names[model]);
    fg_json_object(json);
    fg_json_pair_double(json, "auc", skill.mean); /* null if there is none */
    fg_json_pair_double(json, "deviation", skill.deviation);
    fg_json_pair_uint(json, "days", skill.days);
    fg_json_pair_uint(json, "examples", skill.positives + skill.negatives);
    fg_json_pair_uint(json, "positives", skill.positives);
    fg_json_pair_bool(json, "is_trained", fg_forecast_can(v->forecast, task, model));
    fg_json_end(json);
}

static void print_stats_json(struct view *v)
{
    int64_t learnt = fg_outlook_learnt(v->outlook);
    struct fg_json json = fg_json_to(&v->look.cli->out.buf);
    fg_json_object(&json);
    fg_json_pair_time(&json, "trained", v->trained);
    fg_json_pair_time(&json, "learnt_until",
                      learnt == INT64_MIN ? FG_NEVER : learnt * FG_DAY);
    fg_json_pair_uint(&json, "documents", v->ids.len);
    fg_json_pair_uint(&json, "days_of_counts", (uint64_t)v->counted_days);
    for (enum fg_forecast_task task = 0; task < FG_FORECAST_TASKS; task++) {
        fg_json_key(&json, fg_forecast_task_names[task]);
        fg_json_object(&json);
        for (enum fg_forecast_model model = 0; model < FG_FORECAST_MODELS; model++)
            json_skill(&json, v, task, model);
        fg_json_end(&json);
    }
    fg_json_end(&json);
    fg_out_puts(&v->look.cli->out, "\n");
}

static void print_too_little(struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    fg_out_printf(out,
                  "nothing has been learnt yet: there are %zu documents and %lld days of "
                  "counts\n",
                  v->ids.len, (long long)v->counted_days);
    fg_out_puts(out,
                "A crawl learns from a day when the day after it is over, once it "
                "has seen 20\ndocuments that changed and 20 that did not. Clicks and "
                "impressions come from\n'forage import counts'.\n");
}

static void print_cell(struct fg_out *out, struct fg_forecast_skill skill)
{
    if (!skill.days)
        fg_out_printf(out, "  %13s", "-");
    else if (skill.days == 1)
        fg_out_printf(out, "  %13.3f", skill.mean);
    else
        fg_out_printf(out, "  %.3f +- %.3f", skill.mean, skill.deviation);
}

static void print_stats(struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    char ago[FG_AGO_TEXT], last[FG_TIME_TEXT];
    if (v->trained == FG_NEVER) {
        print_too_little(v);
        return;
    }
    fg_out_printf(out, "trained %s, on days up to %.10s, of %zu documents\n\n",
                  fg_ago(ago, v->look.now, v->trained),
                  fg_time_format(last, fg_outlook_learnt(v->outlook) * FG_DAY),
                  v->ids.len);
    fg_out_printf(out, "%-10s  %13s  %13s  %13s %5s %9s %10s\n", "AUC", "metadata",
                  "history", "both", "days", "examples", "positives");
    for (enum fg_forecast_task task = 0; task < FG_FORECAST_TASKS; task++) {
        fg_out_printf(out, "%-10s", fg_forecast_task_names[task]);
        for (enum fg_forecast_model model = 0; model < FG_FORECAST_MODELS; model++)
            print_cell(out, fg_forecast_skill(v->forecast, task, model));
        struct fg_forecast_skill skill =
            fg_forecast_skill(v->forecast, task, FG_FORECAST_METADATA);
        fg_out_printf(out, " %5zu %9zu %10zu\n", skill.days,
                      skill.positives + skill.negatives, skill.positives);
    }
    fg_out_puts(out,
                "\non days that were not trained on, the last 31; 0.5 is chance, 1 is "
                "certainty\n");
}

static enum fg_status stats(struct view *v, struct fg_err *err)
{
    const struct options *o = v->look.cli->options;
    enum fg_status st = fg_store_pages(v->look.store, 0, take_page, v, err);
    if (!st)
        st = count_days(v, err);
    if (!st && o->json)
        print_stats_json(v);
    else if (!st)
        print_stats(v);
    return st;
}

/* --- one page --- */

struct expected {
    const char *name;
    enum fg_told_rate history, model;
};
static const struct expected questions[] = {
    {"changes", FG_TOLD_CHANGES_HISTORY, FG_TOLD_CHANGES_MODEL},
    {"clicks", FG_TOLD_CLICKS_HISTORY, FG_TOLD_CLICKS_MODEL},
    {"impressions", FG_TOLD_IMPRESSIONS_HISTORY, FG_TOLD_IMPRESSIONS_MODEL},
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

static double told(const struct view *v, enum fg_told_rate kind, size_t row)
{
    const float *rates = fg_outlook_told(v->outlook, kind);
    return rates ? (double)rates[row] : NAN;
}

static void print_page_json(struct view *v, struct fg_str url, size_t row)
{
    struct fg_json json = fg_json_to(&v->look.cli->out.buf);
    fg_json_object(&json);
    fg_json_pair(&json, "url", url);
    for (size_t i = 0; i < QUESTIONS; i++) {
        double model = told(v, questions[i].model, row);
        fg_json_key(&json, questions[i].name);
        fg_json_object(&json);
        fg_json_pair_double(&json, "average", told(v, questions[i].history, row));
        fg_json_pair_double(&json, "expected", model);
        fg_json_pair_double(&json, "chance", -expm1(-model));
        fg_json_end(&json);
    }
    fg_json_pair_double(&json, "smoothed_clicks", told(v, FG_TOLD_CLICKS_SMOOTH, row));
    fg_json_end(&json);
    fg_out_puts(&v->look.cli->out, "\n");
}

static void print_number(struct fg_out *out, double value, const char *unit)
{
    if (isnan(value))
        fg_out_printf(out, " %15s", "-");
    else
        fg_out_printf(out, " %14.3g%s", value, unit);
}

static void print_page(struct view *v, struct fg_str url, size_t row)
{
    struct fg_out *out = &v->look.cli->out;
    fg_out_text(out, url);
    fg_out_printf(out, "\n\n%-12s %15s %15s %15s\n", "a day", "last 30 days", "expected",
                  "chance of any");
    for (size_t i = 0; i < QUESTIONS; i++) {
        double model = told(v, questions[i].model, row);
        fg_out_printf(out, "%-12s", questions[i].name);
        print_number(out, told(v, questions[i].history, row), " ");
        print_number(out, model, " ");
        print_number(out, -100 * expm1(-model), "%");
        fg_out_puts(out, "\n");
    }
}

static enum fg_status play(struct view *v, struct fg_err *err)
{
    enum fg_outlook_step step;
    enum fg_status st =
        fg_outlook_begin(v->outlook, v->ids.at, v->ids.len, v->look.now, err);
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
static enum fg_status page(struct view *v, const char *text, struct fg_err *err)
{
    const struct options *o = v->look.cli->options;
    struct fg_page_row found;
    enum fg_status st = fg_look_find_page(&v->look, fg_str_from(text), &found, err);
    if (!st && !(found.flags & FG_PAGE_DOCUMENT))
        st = fg_fail(
            err, FG_EINPUT,
            "'%.*s' is not kept fresh, and nothing is expected of it; 'forage add "
            "--document' changes that",
            FG_ARG(fg_str_sub(found.url, 0, 200)));
    if (!st)
        st = fg_store_pages(v->look.store, found.site, take_page, v, err);
    if (!st)
        st = play(v, err);
    for (size_t row = 0; !st && row < v->ids.len; row++) {
        if ((fg_page_id)v->ids.at[row] != found.page)
            continue;
        if (o->json)
            print_page_json(v, found.url, row);
        else
            print_page(v, found.url, row);
    }
    return st;
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    struct view v = {.trained = FG_NEVER};
    struct fg_forecast_rules rules = fg_outlook_rules();
    enum fg_status st = fg_cli_look(cli, &v.look, err);
    if (!st) {
        v.outlook = fg_outlook_new(v.look.store, &rules);
        v.forecast = fg_outlook_forecast(v.outlook, &v.trained);
        bool wants_stats = strcmp(cli->words[0], "stats") == 0;
        st = wants_stats ? stats(&v, err) : page(&v, cli->words[0], err);
        fg_outlook_free(v.outlook);
    }
    fg_vec_clear(&v.ids);
    fg_cli_look_close(&v.look);
    return st;
}

static const struct fg_example examples[] = {
    {"forage predict stats", "how well changes, clicks and impressions are foreseen"},
    {"forage predict stats --json", "the same for a script"},
    {0},
};

const struct fg_command fg_cmd_predict = {
    .name = "predict",
    .words = "stats | URL",
    .summary = "what is expected of documents tomorrow, and how well that works",
    .about =
        "A crawl learns from its visits and from imported counts which documents "
        "will change, be clicked and be shown on the next day, and tells its refresh "
        "policy. 'stats' shows how well it does: the area under the ROC curve on "
        "days that it had not been trained on, from metadata alone (brand, "
        "condition, country, language, seller, category), from history alone, and "
        "from both. With a URL: what is expected of that document.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace",
    .examples = examples,
    .run = run,
};
