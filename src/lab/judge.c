/* judge.c - what the text states, held against what was found: values of rows, of pairs
 * and of curves, and orders. Each becomes a line of a table, and what does not come out a
 * sentence as well. */
#include "lab/findings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- words --- */

static const char *number(struct fg_findings *f, const struct fg_metric_info *info,
                          bool is_ratio, double value)
{
    if (is_ratio)
        return fg_arena_printf(f->arena, "%.4g", value).at;
    return fg_arena_printf(f->arena, "%.*f%s%s", info->digits, value * info->scale,
                           *info->unit ? " " : "", info->unit)
        .at;
}

/* "69.6 [67.4, 71.9] %" */
static const char *figure(struct fg_findings *f, const struct fg_metric_info *info,
                          bool is_ratio, struct fg_figure at)
{
    if (isnan(at.mean) || !(at.hi > at.lo))
        return isnan(at.mean) ? "-" : number(f, info, is_ratio, at.mean);
    if (is_ratio)
        return fg_arena_printf(f->arena, "%.4g [%.4g, %.4g]", at.mean, at.lo, at.hi).at;
    double scale = info->scale;
    int digits = info->digits;
    return fg_arena_printf(f->arena, "%.*f [%.*f, %.*f]%s%s", digits, at.mean * scale,
                           digits, at.lo * scale, digits, at.hi * scale,
                           *info->unit ? " " : "", info->unit)
        .at;
}

static struct fg_stated stated_here(const struct fg_findings *f, const char *where)
{
    return (struct fg_stated){.where = where ? where : "",
                              .workload = f->name,
                              .budget = f->budget_text,
                              .published = ""};
}

/* "1.26 [1.16, 1.37]", or the mean alone where nothing is drawn again. */
static const char *spread(struct fg_findings *f, const struct fg_figure *at)
{
    if (!(at->hi > at->lo))
        return fg_arena_printf(f->arena, "%.3g", at->mean).at;
    return fg_arena_printf(f->arena, "%.3g [%.3g, %.3g]", at->mean, at->lo, at->hi).at;
}

/* What so few sites can say of it: not whether it comes out. What is over days, runs or
 * markets has intervals of another kind. */
static enum fg_judged with_sites(const struct fg_findings *f, size_t sites,
                                 enum fg_judged is, bool is_shown)
{
    const struct fg_wording *words = f->experiment->kind->wording;
    if ((words && strcmp(words->unit, "site") != 0) || !sites || sites >= FG_SITES_ENOUGH)
        return is;
    return is_shown ? FG_FEW_FOR : FG_FEW_AGAINST;
}

/* --- values --- */

/* Outside our interval; without one (a single site, a pool) a tenth away. */
static bool is_elsewhere(const struct fg_figure *ours, double published)
{
    if (ours->hi > ours->lo)
        return published < ours->lo || published > ours->hi;
    return fabs(ours->mean - published) > 0.1 * fabs(published);
}

static enum fg_judged outcome_of_value(const struct fg_findings *f,
                                       const struct fg_figure *ours, double published,
                                       size_t sites)
{
    bool is_there = !is_elsewhere(ours, published);
    return with_sites(f, sites, is_there ? FG_COMES_OUT : FG_FAILS, is_there);
}

static const char *when_few(enum fg_judged is)
{
    return is == FG_FEW_FOR || is == FG_FEW_AGAINST ? "; too few sites to decide" : "";
}

static void state_value(struct fg_findings *f, const struct fg_published *p,
                        const struct fg_row *row, size_t metric)
{
    const struct fg_metric_info *info = &f->experiment->kind->metrics.info[metric];
    struct fg_stated stated = stated_here(f, p ? p->where : NULL);
    double value = row->published[metric];
    stated.what = fg_arena_printf(f->arena, "%s of %s", info->name, row->policy).at;
    stated.published = number(f, info, false, value);
    stated.ours = figure(f, info, false, row->at[metric]);
    stated.is = outcome_of_value(f, &row->at[metric], value, row->sites);
    fg_findings_state(f, &stated);
}

/* All of one metric; those that are not ours in one sentence. */
static void judge_metric(struct fg_findings *f, size_t first, size_t m)
{
    const struct fg_metric_info *info = &f->experiment->kind->metrics.info[m];
    struct fg_buf list;
    size_t known = 0, elsewhere = 0;
    fg_buf_init(&list, 1 << 14);
    for (size_t i = first; i < f->rows.len; i++) {
        const struct fg_row *row = &f->rows.at[i];
        if (isnan(row->published[m]) || isnan(row->at[m].mean))
            continue;
        known++;
        state_value(f, fg_findings_published(f, row->policy, NULL, m), row, m);
        if (is_elsewhere(&row->at[m], row->published[m]))
            fg_buf_printf(&list, "%s%s %.*f (published %.*f)", elsewhere++ ? ", " : "",
                          row->policy, info->digits, row->at[m].mean * info->scale,
                          info->digits, row->published[m] * info->scale);
    }
    if (elsewhere)
        fg_findings_judgment(
            f,
            "%s on %s at budget %s: %zu of %zu published values are "
            "not ours: %.*s%s.",
            info->name, f->name, f->budget_text, elsewhere, known,
            FG_ARG(fg_buf_str(&list)),
            when_few(with_sites(f, f->rows.at[first].sites, FG_FAILS, false)));
    fg_buf_clear(&list);
}

void fg_findings_judge_point(struct fg_findings *f, const struct fg_published *p,
                             struct fg_figure ours)
{
    struct fg_metric_info info = f->experiment->kind->metrics.info[p->metric];
    struct fg_stated stated = stated_here(f, p->where);
    info.scale = 1; /* curves are in the unit that is shown */
    stated.what =
        fg_arena_printf(f->arena, "%s of %s at %g hours", info.name, p->policy, p->at).at;
    stated.published = number(f, &info, false, p->value);
    stated.ours = figure(f, &info, false, ours);
    stated.is = outcome_of_value(f, &ours, p->value, f->items);
    fg_findings_state(f, &stated);
    fg_findings_judgment(
        f,
        "Published %s of %s at %g hours, %s: %g; here, on %s at budget %s, "
        "%s%s.",
        info.name, p->policy, p->at, stated.where, p->value, f->name, f->budget_text,
        stated.ours, when_few(stated.is));
}

/* --- pairs --- */

static enum fg_judged outcome_of_pair(const struct fg_pairing *pair)
{
    const struct fg_figure *ours = &pair->figure;
    double even = pair->is_ratio ? 1 : 0;
    bool is_above = pair->published > even;
    if (!is_elsewhere(ours, pair->published))
        return FG_COMES_OUT;
    if (is_above ? ours->lo > even : ours->hi < even)
        return FG_SMALLER;
    return (pair->published > even) == (ours->mean > even) ? FG_UNDECIDED : FG_FAILS;
}

/* A published number that our interval does not hold is said, not hidden. */
static void judge_pair(struct fg_findings *f, const struct fg_pairing *pair)
{
    static const char *const words[FG_JUDGED] = {
        [FG_SMALLER] = "The direction is the same, the size is not.",
        [FG_UNDECIDED] = "Not even the direction is decided by these runs.",
        [FG_FAILS] = "The published order does not come out on this workload.",
        [FG_FEW_AGAINST] = "On so few sites that cannot be decided."};
    const struct fg_metric_info *info = &f->experiment->kind->metrics.info[pair->metric];
    const struct fg_figure *ours = &pair->figure;
    const struct fg_published *p =
        fg_findings_published(f, pair->policy, pair->reference, pair->metric);
    if (!p || isnan(ours->mean))
        return;
    const char *kind = pair->is_ratio ? "ratio" : "difference";
    struct fg_stated stated = stated_here(f, p->where);
    stated.what = fg_arena_printf(f->arena, "%s of %s to %s in %s", kind, pair->policy,
                                  pair->reference, info->name)
                      .at;
    stated.published = number(f, info, pair->is_ratio, pair->published);
    stated.ours = figure(f, info, pair->is_ratio, *ours);
    stated.is = outcome_of_pair(pair);
    stated.is = with_sites(f, pair->sites, stated.is, stated.is == FG_COMES_OUT);
    fg_findings_state(f, &stated);
    if (stated.is != FG_COMES_OUT && stated.is != FG_FEW_FOR)
        fg_findings_judgment(
            f,
            "Published %s of %s to %s in %s at budget %s%s%s: %.3g; here, "
            "on %s, %s. %s",
            kind, pair->policy, pair->reference, info->name, pair->budget,
            p->where ? ", " : "", stated.where, pair->published, pair->workload,
            spread(f, ours), words[stated.is]);
}

/* --- orders --- */

static enum fg_judged outcome_of_claim(const struct fg_pairing *pair, double by,
                                       bool less_is_better)
{
    const struct fg_figure *figure = &pair->figure;
    double low = figure->lo, high = figure->hi, even = pair->is_ratio ? 1 : 0;
    double wanted = isnan(by) ? even : by;
    if (less_is_better) {
        low = pair->is_ratio ? 1 / figure->hi : -figure->hi;
        high = pair->is_ratio ? 1 / figure->lo : -figure->lo;
    }
    return low > wanted    ? FG_COMES_OUT
           : high > wanted ? FG_UNDECIDED
           : low > even    ? FG_SMALLER
                           : FG_FAILS;
}

/* The mean alone. */
static bool is_shown(const struct fg_pairing *pair, double by, bool less_is_better)
{
    double even = pair->is_ratio ? 1 : 0, ours = pair->figure.mean;
    if (less_is_better)
        ours = pair->is_ratio ? 1 / ours : -ours;
    return ours > (isnan(by) ? even : by);
}

static void judge_claim(struct fg_findings *f, const struct fg_claim *claim,
                        const char *other)
{
    static const char *const words[FG_JUDGED] = {
        [FG_COMES_OUT] = "It comes out.",
        [FG_SMALLER] = "The order comes out, the size does not.",
        [FG_UNDECIDED] = "Not decided by these runs.",
        [FG_FAILS] = "It does not come out.",
        [FG_FEW_FOR] = "It is so here, but too few sites decide nothing.",
        [FG_FEW_AGAINST] = "It is not so here, but too few sites decide nothing."};
    size_t a = fg_entrants_named(f->entrants, claim->policy);
    size_t b = fg_entrants_named(f->entrants, other);
    const struct fg_metric_info *info = &f->experiment->kind->metrics.info[claim->metric];
    struct fg_pairing pair = {.workload = f->name,
                              .budget = f->budget_text,
                              .policy = claim->policy,
                              .reference = other,
                              .metric = claim->metric,
                              .published = NAN};
    char by[48] = "";
    if (!fg_findings_wants(f, a) || !fg_findings_wants(f, b) ||
        !f->experiment->kind->findings.compare(f, &pair, a, b) || isnan(pair.figure.mean))
        return;
    if (!isnan(claim->by))
        snprintf(by, sizeof by, " by %s%g", pair.is_ratio ? "a factor of " : "",
                 claim->by);
    const char *kind = pair.is_ratio ? "ratio" : "difference";
    struct fg_stated stated = stated_here(f, claim->where);
    stated.is_order = true;
    stated.what = fg_arena_printf(f->arena, "%s is better than %s%s in %s", claim->policy,
                                  other, by, info->name)
                      .at;
    stated.ours = fg_arena_printf(f->arena, "%s %s", kind,
                                  figure(f, info, pair.is_ratio, pair.figure))
                      .at;
    stated.is = with_sites(f, pair.sites,
                           outcome_of_claim(&pair, claim->by, info->less_is_better),
                           is_shown(&pair, claim->by, info->less_is_better));
    fg_findings_state(f, &stated);
    fg_findings_judgment(f,
                         "Stated in %s: %s. Here, on %s at budget %s, the %s is %s. %s",
                         stated.where, stated.what, f->name, f->budget_text, kind,
                         spread(f, &pair.figure), words[stated.is]);
}

static bool is_among(const char **names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return !n;
}

void fg_findings_judge(struct fg_findings *f, size_t first_row, size_t first_pair)
{
    const struct fg_experiment *e = f->experiment;
    for (size_t m = 0; m < e->kind->metrics.n; m++)
        judge_metric(f, first_row, m);
    for (size_t i = first_pair; i < f->pairings.len; i++)
        if (!isnan(f->pairings.at[i].published))
            judge_pair(f, &f->pairings.at[i]);
    for (size_t i = 0; i < e->n_claims; i++) {
        const struct fg_claim *claim = &e->claims[i];
        bool is_here = is_among(claim->workloads, claim->n_workloads, f->name) &&
                       is_among(claim->budgets, claim->n_budgets, f->budget_text);
        for (size_t k = 0; is_here && k < claim->n_over; k++)
            judge_claim(f, claim, claim->over[k]);
    }
}
