/* json.c - a result for programs. Nothing in it depends on when or how fast it was made,
 * so two runs of one experiment can be compared byte by byte. */
#include "base/json.h"
#include "lab/result.h"

#include <math.h>

static void put_figure(struct fg_json *json, const char *statistic,
                       const struct fg_figure *figure, double published)
{
    fg_json_pair_double(json, statistic ? statistic : "mean", figure->mean);
    fg_json_pair_double(json, "lo", figure->lo);
    fg_json_pair_double(json, "hi", figure->hi);
    if (!isnan(published))
        fg_json_pair_double(json, "published", published);
}

static bool has_metric(const struct fg_result *result, const char *name)
{
    for (size_t m = 0; m < result->n_metrics; m++)
        if (strcmp(result->metrics[m].name, name) == 0)
            return true;
    return false;
}

/* Every row of an experiment about discovery has these, null where there is no such
 * figure. */
static void put_promised(struct fg_json *json, const struct fg_result *result)
{
    static const char *const names[] = {"coverage", "overhead", "htd_p50", "htd_p90",
                                        "regret"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!has_metric(result, names[i])) {
            fg_json_key(json, names[i]);
            fg_json_object(json);
            put_figure(json, NULL, &(struct fg_figure){NAN, NAN, NAN}, NAN);
            fg_json_end(json);
        }
}

static void put_row(struct fg_json *json, const struct fg_result *result,
                    const struct fg_row *row)
{
    fg_json_object(json);
    fg_json_pair_cstr(json, "workload", row->workload);
    fg_json_pair_cstr(json, "budget", row->budget);
    fg_json_pair_cstr(json, "policy", row->policy);
    fg_json_pair_uint(json, fg_result_wording(result).units, row->sites);
    for (size_t m = 0; m < result->n_metrics; m++) {
        fg_json_key(json, result->metrics[m].name);
        fg_json_object(json);
        put_figure(json, result->metrics[m].statistic, &row->at[m],
                   row->published ? row->published[m] : NAN);
        fg_json_end(json);
    }
    if (!result->has_own_figures)
        put_promised(json, result);
    fg_json_end(json);
}

static void put_pairing(struct fg_json *json, const struct fg_result *result,
                        const struct fg_pairing *pair)
{
    fg_json_object(json);
    fg_json_pair_cstr(json, "workload", pair->workload);
    fg_json_pair_cstr(json, "budget", pair->budget);
    fg_json_pair_cstr(json, "policy", pair->policy);
    fg_json_pair_cstr(json, "reference", pair->reference);
    fg_json_pair_cstr(json, "metric", result->metrics[pair->metric].name);
    fg_json_pair_cstr(json, "kind", pair->is_ratio ? "ratio" : "difference");
    put_figure(json, result->metrics[pair->metric].statistic, &pair->figure,
               pair->published);
    fg_json_pair_uint(json, result->has_own_figures ? "n" : "sites", pair->sites);
    fg_json_pair_uint(json, "wins", pair->wins);
    if (pair->has_p)
        fg_json_pair_double(json, "p", pair->p);
    if (pair->chosen)
        fg_json_pair_cstr(json, "chosen", pair->chosen);
    fg_json_end(json);
}

static void put_values(struct fg_json *json, const char *key, const double *values,
                       size_t n)
{
    fg_json_key(json, key);
    fg_json_array(json);
    for (size_t i = 0; i < n; i++)
        fg_json_double(json, values[i]);
    fg_json_end(json);
}

static void put_chart(struct fg_json *json, const struct fg_chart *chart)
{
    fg_json_object(json);
    fg_json_pair_cstr(json, "title", chart->title);
    fg_json_pair_cstr(json, "group", chart->group);
    if (chart->figure)
        fg_json_pair_cstr(json, "figure", chart->figure);
    fg_json_pair_cstr(json, "x_label", chart->x_label);
    fg_json_pair_cstr(json, "y_label", chart->y_label);
    fg_json_key(json, "series");
    fg_json_array(json);
    for (size_t i = 0; i < chart->n_series; i++) {
        const struct fg_series *series = &chart->series[i];
        fg_json_object(json);
        fg_json_pair_cstr(json, "name", series->name);
        put_values(json, "x", series->x, series->n);
        put_values(json, "y", series->y, series->n);
        if (series->low) {
            put_values(json, "low", series->low, series->n);
            put_values(json, "high", series->high, series->n);
        }
        fg_json_end(json);
    }
    fg_json_end(json);
    fg_json_end(json);
}

static void put_metrics(struct fg_json *json, const struct fg_result *result)
{
    fg_json_key(json, "metrics");
    fg_json_object(json);
    for (size_t m = 0; m < result->n_metrics; m++) {
        const struct fg_metric_info *info = &result->metrics[m];
        fg_json_key(json, info->name);
        fg_json_object(json);
        fg_json_pair_cstr(json, "label", info->label);
        fg_json_pair_cstr(json, "unit", info->unit);
        fg_json_pair_double(json, "scale", info->scale);
        fg_json_pair_bool(json, "less_is_better", info->less_is_better);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void put_stated(struct fg_json *json, const struct fg_stated *stated)
{
    fg_json_object(json);
    fg_json_pair_cstr(json, "where", stated->where);
    fg_json_pair_cstr(json, "workload", stated->workload);
    fg_json_pair_cstr(json, "budget", stated->budget);
    fg_json_pair_cstr(json, "what", stated->what);
    fg_json_pair_cstr(json, "kind", stated->is_order ? "order" : "value");
    fg_json_pair_cstr(json, "published", stated->published);
    fg_json_pair_cstr(json, "ours", stated->ours);
    fg_json_pair_cstr(json, "outcome", fg_judged_words[stated->is]);
    fg_json_end(json);
}

static void put_all_stated(struct fg_json *json, const struct fg_result *result)
{
    fg_json_key(json, "stated");
    fg_json_array(json);
    for (size_t i = 0; i < result->n_stated; i++)
        put_stated(json, &result->stated[i]);
    fg_json_end(json);
}

void fg_result_json(const struct fg_result *result, struct fg_buf *out)
{
    struct fg_json json = fg_json_to(out);
    fg_json_object(&json);
    fg_json_pair_cstr(&json, "name", result->name);
    fg_json_pair_cstr(&json, "title", result->title);
    fg_json_pair_cstr(&json, "paper", result->paper);
    fg_json_pair_uint(&json, "runs", result->runs);
    fg_json_key(&json, "remarks");
    fg_json_array(&json);
    for (size_t i = 0; i < result->n_remarks; i++)
        fg_json_cstr(&json, result->remarks[i]);
    fg_json_end(&json);
    put_all_stated(&json, result);
    put_metrics(&json, result);
    fg_json_key(&json, "rows");
    fg_json_array(&json);
    for (size_t i = 0; i < result->n_rows; i++)
        put_row(&json, result, &result->rows[i]);
    fg_json_end(&json);
    fg_json_key(&json, "pairings");
    fg_json_array(&json);
    for (size_t i = 0; i < result->n_pairings; i++)
        put_pairing(&json, result, &result->pairings[i]);
    fg_json_end(&json);
    fg_json_key(&json, "charts");
    fg_json_array(&json);
    for (size_t i = 0; i < result->n_charts; i++)
        put_chart(&json, &result->charts[i]);
    fg_json_end(&json);
    fg_json_end(&json);
    fg_buf_add_char(out, '\n');
}
