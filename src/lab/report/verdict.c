#include "lab/report/verdict.h"

#include "lab/report/markup.h"
#include "policy/policy.h"
#include "search/ads/market.h"

#include <math.h>

bool fg_row_is_at(const struct fg_row *row, const char *workload, const char *budget)
{
    return fg_same(row->workload, workload) && fg_same(row->budget, budget);
}

bool fg_policy_is_oracle(const char *name)
{
    const struct fg_policy *policy = fg_policy_find(fg_str_from(name), FG_DISCOVERY);
    if (!policy)
        policy = fg_policy_find(fg_str_from(name), FG_REFRESH);
    const struct fg_ads_policy *ads = fg_ads_policy_find(fg_str_from(name));
    return (policy && policy->needs_foresight) || (!policy && ads && ads->needs_ctr);
}

bool fg_metric_prefers(const struct fg_metric_info *metric, double a, double b)
{
    if (isnan(a) || isnan(b))
        return !isnan(a);
    return metric->less_is_better ? a < b : a > b;
}

bool fg_figure_is_bare(struct fg_figure figure)
{
    return !(figure.hi > figure.lo);
}

bool fg_figures_overlap(struct fg_figure a, struct fg_figure b)
{
    return a.lo <= b.hi && b.lo <= a.hi;
}

bool fg_pairing_is_open(const struct fg_pairing *pairing)
{
    double neutral = pairing->is_ratio ? 1 : 0;
    return fg_figure_is_bare(pairing->figure) ||
           (pairing->figure.lo <= neutral && neutral <= pairing->figure.hi);
}

/* A ratio if there is one, else a difference, else NULL. */
static const struct fg_pairing *find_pairing(const struct fg_result *result,
                                             size_t metric, const struct fg_row *row,
                                             const struct fg_row *reference)
{
    const struct fg_pairing *found = NULL;
    for (size_t i = 0; i < result->n_pairings; i++) {
        const struct fg_pairing *pairing = &result->pairings[i];
        if (pairing->metric == metric && fg_same(pairing->workload, row->workload) &&
            fg_same(pairing->budget, row->budget) &&
            fg_same(pairing->policy, row->policy) &&
            fg_same(pairing->reference, reference->policy) &&
            !isnan(pairing->figure.mean) && (!found || pairing->is_ratio))
            found = pairing;
    }
    return found;
}

/* The reference that this workload and budget were paired with, or any were. */
static const char *reference_name(const struct fg_result *result, const char *workload,
                                  const char *budget)
{
    for (size_t i = 0; i < result->n_pairings; i++)
        if (fg_same(result->pairings[i].workload, workload) &&
            fg_same(result->pairings[i].budget, budget))
            return result->pairings[i].reference;
    return result->n_pairings ? result->pairings[0].reference : NULL;
}

struct fg_verdict fg_verdict_of(const struct fg_result *result, const char *workload,
                                const char *budget)
{
    struct fg_verdict verdict = {.metric =
                                     result->n_pairings ? result->pairings[0].metric : 0};
    const char *wanted = reference_name(result, workload, budget);
    const struct fg_metric_info *metric = &result->metrics[verdict.metric];
    for (size_t i = 0; i < result->n_rows; i++) {
        const struct fg_row *row = &result->rows[i];
        double mean = row->at[verdict.metric].mean;
        if (!fg_row_is_at(row, workload, budget) || isnan(mean))
            continue;
        if (wanted && fg_same(row->policy, wanted))
            verdict.reference = row;
        if (fg_policy_is_oracle(row->policy))
            continue;
        if (!wanted && !verdict.reference)
            verdict.reference = row;
        if (!verdict.best ||
            fg_metric_prefers(metric, mean, verdict.best->at[verdict.metric].mean)) {
            verdict.next = verdict.best;
            verdict.best = row;
        } else if (!verdict.next ||
                   fg_metric_prefers(metric, mean,
                                     verdict.next->at[verdict.metric].mean)) {
            verdict.next = row;
        }
    }
    if (!verdict.best)
        return (struct fg_verdict){.metric = verdict.metric};
    if (verdict.next)
        verdict.to_next =
            find_pairing(result, verdict.metric, verdict.best, verdict.next);
    if (verdict.reference)
        verdict.to_reference =
            find_pairing(result, verdict.metric, verdict.best, verdict.reference);
    return verdict;
}

/* 0: nobody counted. */
static bool are_few(size_t sites)
{
    return sites > 0 && sites < FG_SITES_ENOUGH;
}

bool fg_verdict_is_clear(const struct fg_verdict *verdict)
{
    if (!verdict->best || !verdict->reference || verdict->best == verdict->reference)
        return false;
    if (are_few(verdict->best->sites))
        return false;
    if (verdict->to_reference)
        return !fg_pairing_is_open(verdict->to_reference);
    struct fg_figure ours = verdict->best->at[verdict->metric];
    struct fg_figure theirs = verdict->reference->at[verdict->metric];
    return !fg_figure_is_bare(ours) && !fg_figure_is_bare(theirs) &&
           !fg_figures_overlap(ours, theirs);
}

/* Numbers do not part from their units nor intervals from themselves at the end of a
 * line. */
#define NO_BREAK "\u00A0"

typedef void say_number(struct fg_buf *out, double value, int digits);

static void say_interval(double lo, double hi, int digits, say_number *number,
                         struct fg_buf *out)
{
    fg_markup_put(out, " [");
    number(out, lo, digits);
    fg_markup_put(out, "," NO_BREAK);
    number(out, hi, digits);
    fg_markup_put(out, "]");
}

static void say_unit(const char *unit, struct fg_buf *out)
{
    if (unit[0])
        fg_buf_printf(out, NO_BREAK "%s", unit);
}

void fg_figure_say(struct fg_figure figure, const struct fg_metric_info *metric,
                   struct fg_buf *out)
{
    fg_markup_number(out, figure.mean * metric->scale, metric->digits);
    say_unit(metric->unit, out);
    if (!fg_figure_is_bare(figure))
        say_interval(figure.lo * metric->scale, figure.hi * metric->scale, metric->digits,
                     fg_markup_number, out);
}

const char *fg_difference_unit(const struct fg_metric_info *metric)
{
    return fg_same(metric->unit, "%") ? "points" : metric->unit;
}

void fg_pairing_say(const struct fg_pairing *pairing, const struct fg_metric_info *metric,
                    struct fg_buf *out)
{
    struct fg_figure figure = pairing->figure;
    double scale = pairing->is_ratio ? 1 : metric->scale;
    int digits = pairing->is_ratio ? FG_RATIO_DIGITS : metric->digits;
    say_number *number = pairing->is_ratio ? fg_markup_number : fg_markup_signed;
    number(out, figure.mean * scale, digits);
    if (!pairing->is_ratio)
        say_unit(fg_difference_unit(metric), out);
    if (!fg_figure_is_bare(figure))
        say_interval(figure.lo * scale, figure.hi * scale, digits, number, out);
}

static void say_paired(const struct fg_result *result, const struct fg_pairing *pairing,
                       const struct fg_metric_info *metric, struct fg_buf *out)
{
    struct fg_wording words = fg_result_wording(result);
    fg_markup_put(out, pairing->is_ratio ? "ratio " : "");
    fg_pairing_say(pairing, metric, out);
    if (pairing->sites)
        fg_buf_printf(out, " over the same %s, better on %zu of %zu", words.pairs,
                      pairing->wins, pairing->sites);
    if (pairing->has_p)
        fg_buf_printf(out, ", p = %.2g", pairing->p);
    if (fg_figure_is_bare(pairing->figure))
        fg_buf_printf(out, "; too few %s for an interval", words.pairs);
    else if (are_few(pairing->sites))
        fg_buf_printf(out, "; too few %s to tell from chance", words.pairs);
    else if (fg_pairing_is_open(pairing))
        fg_markup_put(out, "; the interval does not exclude that there is no difference");
}

static void say_unpaired(struct fg_figure ours, struct fg_figure theirs, size_t sites,
                         const struct fg_metric_info *metric, struct fg_buf *out)
{
    struct fg_pairing apart = {.figure = {ours.mean - theirs.mean, NAN, NAN}};
    fg_pairing_say(&apart, metric, out);
    if (fg_figure_is_bare(ours) || fg_figure_is_bare(theirs))
        fg_markup_put(out, "; there is no interval to say if that is more than chance");
    else if (fg_figures_overlap(ours, theirs) || are_few(sites))
        fg_markup_put(out, are_few(sites)
                               ? "; of so few it may be chance"
                               : "; the intervals overlap, so it may be chance");
    else
        fg_markup_put(out, "; the intervals do not overlap");
}

/* "Against NAME (59.8 % [57.9, 61.9]): ratio ..." */
static void say_against(const struct fg_result *result, const struct fg_verdict *verdict,
                        const struct fg_row *other, const struct fg_pairing *pairing,
                        struct fg_buf *out)
{
    const struct fg_metric_info *metric = &result->metrics[verdict->metric];
    struct fg_figure theirs = other->at[verdict->metric];
    fg_buf_printf(out, "\nAgainst %s (", other->policy);
    fg_figure_say(theirs, metric, out);
    fg_markup_put(out, "): ");
    if (pairing)
        say_paired(result, pairing, metric, out);
    else
        say_unpaired(verdict->best->at[verdict->metric], theirs, verdict->best->sites,
                     metric, out);
    fg_markup_put(out, ".");
}

void fg_verdict_say(const struct fg_result *result, const struct fg_verdict *verdict,
                    struct fg_buf *out)
{
    const struct fg_metric_info *metric = &result->metrics[verdict->metric];
    if (!verdict->best) {
        fg_buf_printf(out, "No policy has a figure for %s.", metric->label);
        return;
    }
    bool is_reference = verdict->best == verdict->reference;
    fg_markup_put(out, is_reference ? "Nobody beats the reference, " : "");
    fg_markup_put(out, verdict->best->policy);
    fg_buf_printf(out, is_reference ? ": %s " : " is best: %s ", metric->label);
    fg_figure_say(verdict->best->at[verdict->metric], metric, out);
    fg_markup_put(out, ".");
    if (verdict->reference && !is_reference)
        say_against(result, verdict, verdict->reference, verdict->to_reference, out);
    if (verdict->next && verdict->next != verdict->reference)
        say_against(result, verdict, verdict->next, verdict->to_next, out);
}
