#include "lab/experiment.h"

#include "base/buf.h"
#include "lab/replay.h"
#include "lab/yaml_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- budgets --- */

static bool read_budget(struct fg_budget *budget, struct fg_arena *arena,
                        struct fg_str text, double most_percent)
{
    struct fg_str number = fg_str_trim(text);
    *budget = (struct fg_budget){.is_share = fg_str_ends(number, FG_STR("%"))};
    if (budget->is_share)
        number = fg_str_trim(fg_str_sub(number, 0, number.len - 1));
    if (!fg_str_to_double(number, &budget->value) || !(budget->value > 0))
        return false;
    if (budget->is_share ? budget->value > most_percent
                         : budget->value > 1e6 || budget->value != floor(budget->value))
        return false;
    budget->text =
        fg_arena_printf(arena, "%g%s", budget->value, budget->is_share ? " %" : "").at;
    budget->value /= budget->is_share ? 100 : 1;
    return true;
}

bool fg_budget_read(struct fg_budget *budget, struct fg_arena *arena, struct fg_str text)
{
    return read_budget(budget, arena, text, 100);
}

size_t fg_budget_visits(const struct fg_budget *budget, size_t sources)
{
    double visits =
        budget->is_share ? round(budget->value * (double)sources) : budget->value;
    return visits < 1 ? 1 : (size_t)visits;
}

static enum fg_status take_budget(struct fg_reader *r, const struct fg_yaml *node,
                                  void *into)
{
    const struct fg_experiment *e = r->whole;
    bool is_refresh = e->kind == FG_KIND_REFRESH;
    if (node->kind == FG_YAML_TEXT &&
        read_budget(into, r->arena, node->text, is_refresh ? 1e5 : 100))
        return FG_OK;
    return fg_refuse(r, node,
                     is_refresh ? "a budget is visits a step, such as 5, or a share of "
                                  "the pages a day, such as 10 %"
                                : "a budget is visits an hour, such as 5, or a share of "
                                  "the sources, such as 10 %");
}

static enum fg_status take_budgets(struct fg_reader *r, const struct fg_yaml *node,
                                   void *into)
{
    struct fg_experiment *e = into;
    return fg_take_list(r, node, sizeof *e->budgets, (void **)&e->budgets, &e->n_budgets,
                        take_budget);
}

/* --- workloads --- */

static const char *one_source(const struct fg_experiment *e)
{
    return e->kind == FG_KIND_REFRESH
               ? "a workload has one of generate and changes"
               : "a workload has one of generate, recording, data and store";
}

static enum fg_status take_from(struct fg_reader *r, const struct fg_yaml *node,
                                struct fg_workload *workload, enum fg_workload_kind kind)
{
    if (workload->n_from)
        return fg_refuse(r, node, one_source(r->whole));
    struct fg_texts texts;
    enum fg_status st = fg_take_texts(r, node, &texts);
    if (!st && texts.n > 1 && (kind == FG_WORK_GENERATE || kind == FG_WORK_STORE))
        return fg_refuse(r, node, "one text is expected");
    if (st)
        return st;
    workload->kind = kind;
    workload->from = texts.at;
    workload->n_from = texts.n;
    return FG_OK;
}

static enum fg_status take_generate(struct fg_reader *r, const struct fg_yaml *node,
                                    void *into)
{
    return take_from(r, node, into, FG_WORK_GENERATE);
}

static enum fg_status take_recording(struct fg_reader *r, const struct fg_yaml *node,
                                     void *into)
{
    return take_from(r, node, into, FG_WORK_RECORDING);
}

static enum fg_status take_data(struct fg_reader *r, const struct fg_yaml *node,
                                void *into)
{
    return take_from(r, node, into, FG_WORK_DATA);
}

static enum fg_status take_store(struct fg_reader *r, const struct fg_yaml *node,
                                 void *into)
{
    return take_from(r, node, into, FG_WORK_STORE);
}

static enum fg_status take_changes(struct fg_reader *r, const struct fg_yaml *node,
                                   void *into)
{
    return take_from(r, node, into, FG_WORK_CHANGES);
}

static enum fg_status take_weight(struct fg_reader *r, const struct fg_yaml *node,
                                  void *into)
{
    static const char *const words[] = {"equal", "own", "zipf", "weighted", NULL};
    return fg_take_word(r, node, "weights", words, into);
}

static enum fg_status take_weights(struct fg_reader *r, const struct fg_yaml *node,
                                   void *into)
{
    struct fg_workload *workload = into;
    if (node->kind == FG_YAML_LIST)
        return fg_take_list(r, node, sizeof *workload->weights,
                            (void **)&workload->weights, &workload->n_weights,
                            take_weight);
    unsigned *one = FG_NEW(r->arena, unsigned, 1);
    workload->weights = one;
    workload->n_weights = 1;
    return take_weight(r, node, one);
}

static enum fg_status take_rates(struct fg_reader *r, const struct fg_yaml *node,
                                 void *into)
{
    static const char *const words[] = {"poisson", "probability", NULL};
    unsigned number = 0;
    enum fg_status st = fg_take_word(r, node, "reading of rates", words, &number);
    *(bool *)into = number == 1;
    return st;
}

static enum fg_status take_part(struct fg_reader *r, const struct fg_yaml *node,
                                void *into)
{
    static const char *const parts[] = {"sites", "wholes", "all", NULL};
    unsigned number = 0;
    enum fg_status st = fg_take_word(r, node, "part", parts, &number);
    *(enum fg_part *)into = (enum fg_part)number;
    return st;
}

static enum fg_status take_own_budgets(struct fg_reader *r, const struct fg_yaml *node,
                                       void *into)
{
    struct fg_workload *workload = into;
    return fg_take_list(r, node, sizeof *workload->budgets, (void **)&workload->budgets,
                        &workload->n_budgets, take_budget);
}

static enum fg_status take_own_policies(struct fg_reader *r, const struct fg_yaml *node,
                                        void *into)
{
    struct fg_workload *workload = into;
    struct fg_texts texts = {0};
    enum fg_status st = fg_take_texts(r, node, &texts);
    workload->policies = texts.at;
    workload->n_policies = texts.n;
    return st;
}

static enum fg_status take_workload(struct fg_reader *r, const struct fg_yaml *node,
                                    void *into)
{
    typedef struct fg_workload w;
    static const struct fg_key keys[] = {
        {"name", fg_take_text, offsetof(w, name)},
        {"generate", take_generate, 0},
        {"recording", take_recording, 0},
        {"data", take_data, 0},
        {"store", take_store, 0},
        {"part", take_part, offsetof(w, part)},
        {"sites", fg_take_count, offsetof(w, sites)},
        {"hours", fg_take_count, offsetof(w, hours)},
        {"history", fg_take_count, offsetof(w, history)},
        {"seed", fg_take_seed, offsetof(w, seed)},
        {"relevant", fg_take_share, offsetof(w, relevant)},
        {"scale", fg_take_share, offsetof(w, scale)},
        {"focused", fg_take_switch, offsetof(w, focused)},
        {"budgets", take_own_budgets, 0},
        {"policies", take_own_policies, 0},
        {0},
    };
    static const struct fg_key fresh[] = {
        {"name", fg_take_text, offsetof(w, name)},
        {"generate", take_generate, 0},
        {"changes", take_changes, 0},
        {"pages", fg_take_count, offsetof(w, pages)},
        {"own", fg_take_switch, offsetof(w, is_own)},
        {"setting", fg_take_count, offsetof(w, setting)},
        {"rates", take_rates, offsetof(w, is_probability)},
        {"runs", fg_take_count, offsetof(w, runs)},
        {"seed", fg_take_seed, offsetof(w, seed)},
        {"weights", take_weights, 0},
        {"step", fg_take_span, offsetof(w, step)},
        {"budgets", take_own_budgets, 0},
        {"policies", take_own_policies, 0},
        {0},
    };
    const struct fg_experiment *e = r->whole;
    struct fg_workload *workload = into;
    *workload = (struct fg_workload){.seed = 1, .line = node->line};
    return fg_take_map(r, node, e->kind == FG_KIND_REFRESH ? fresh : keys, workload);
}

static enum fg_status take_workloads(struct fg_reader *r, const struct fg_yaml *node,
                                     void *into)
{
    struct fg_experiment *e = into;
    return fg_take_list(r, node, sizeof *e->workloads, (void **)&e->workloads,
                        &e->n_workloads, take_workload);
}

/* --- policies --- */

static enum fg_status take_knob(struct fg_reader *r, const struct fg_yaml *node,
                                struct fg_entrant *entrant)
{
    struct fg_knob *knob = &entrant->knobs[entrant->n_knobs];
    knob->name = node->key.at;
    enum fg_status st = fg_take_number(r, node, &knob->value);
    entrant->n_knobs += !st;
    return st;
}

static enum fg_status take_entrant(struct fg_reader *r, const struct fg_yaml *node,
                                   void *into)
{
    struct fg_entrant *entrant = into;
    entrant->line = node->line;
    if (node->kind == FG_YAML_TEXT) {
        entrant->policy = entrant->label = node->text.at;
        return FG_OK;
    }
    if (node->kind != FG_YAML_MAP)
        return fg_refuse(r, node, "a policy is a name, or {policy: NAME, knobs...}");
    entrant->knobs = FG_NEW(r->arena, struct fg_knob, node->n);
    enum fg_status st = FG_OK;
    for (const struct fg_yaml *child = node->child; !st && child; child = child->next) {
        if (fg_str_eq(child->key, FG_STR("policy")))
            st = fg_take_text(r, child, &entrant->policy);
        else if (fg_str_eq(child->key, FG_STR("label")))
            st = fg_take_text(r, child, &entrant->label);
        else if (fg_str_eq(child->key, FG_STR("seeds")))
            st = fg_take_count(r, child, &entrant->seeds);
        else
            st = take_knob(r, child, entrant);
    }
    if (!st && !entrant->policy)
        return fg_refuse(r, node, "a policy is a name, or {policy: NAME, knobs...}");
    if (!entrant->label)
        entrant->label = entrant->policy;
    return st;
}

static enum fg_status take_entrants(struct fg_reader *r, const struct fg_yaml *node,
                                    void *into)
{
    struct fg_experiment *e = into;
    enum fg_status st = fg_take_list(r, node, sizeof *e->entrants, (void **)&e->entrants,
                                     &e->n_entrants, take_entrant);
    for (size_t i = 0; !st && i < e->n_entrants; i++)
        for (size_t j = 0; !st && j < i; j++)
            if (strcmp(e->entrants[i].label, e->entrants[j].label) == 0)
                st = fg_fail(r->err, FG_ECONFIG,
                             "%s:%zu: two policies are called '%s'; give one a label",
                             r->file, e->entrants[i].line, e->entrants[i].label);
    return st;
}

/* --- comparisons and published numbers --- */

static enum fg_status take_metric(struct fg_reader *r, const struct fg_yaml *node,
                                  void *into)
{
    const struct fg_experiment *e = r->whole;
    unsigned number = 0;
    enum fg_status st = fg_take_word(
        r, node, "metric",
        e->kind == FG_KIND_REFRESH ? fg_refresh_metric_names : fg_metric_names, &number);
    *(size_t *)into = number;
    return st;
}

static enum fg_status take_metrics(struct fg_reader *r, const struct fg_yaml *node,
                                   void *into)
{
    struct fg_comparison *comparison = into;
    if (node->kind != FG_YAML_LIST || !node->n || node->n > FG_METRICS_MOST)
        return fg_refuse(r, node, "a list of metrics is expected");
    enum fg_status st = FG_OK;
    comparison->n_metrics = 0;
    for (const struct fg_yaml *item = node->child; !st && item; item = item->next)
        st = take_metric(r, item, &comparison->metrics[comparison->n_metrics++]);
    return st;
}

static enum fg_status take_with(struct fg_reader *r, const struct fg_yaml *node,
                                void *into)
{
    struct fg_comparison *comparison = into;
    struct fg_texts texts = {0};
    enum fg_status st = fg_take_texts(r, node, &texts);
    comparison->with = texts.at;
    comparison->n_with = texts.n;
    return st;
}

static enum fg_status take_comparison(struct fg_reader *r, const struct fg_yaml *node,
                                      void *into)
{
    static const struct fg_key keys[] = {
        {"policy", fg_take_text, offsetof(struct fg_comparison, policy)},
        {"with", take_with, 0},
        {"metrics", take_metrics, 0},
        {"fewer", fg_take_share, offsetof(struct fg_comparison, fewer)},
        {0},
    };
    static const size_t usual[] = {FG_COVERAGE, FG_OVERHEAD, FG_HTD_P90, FG_REGRET};
    static const size_t fresh[] = {FG_CLICK_FRESHNESS, FG_PAGE_FRESHNESS};
    const struct fg_experiment *e = r->whole;
    struct fg_comparison *comparison = into;
    *comparison = (struct fg_comparison){.fewer = NAN, .line = node->line};
    bool is_refresh = e->kind == FG_KIND_REFRESH;
    comparison->n_metrics = is_refresh ? 2 : 4;
    memcpy(comparison->metrics, is_refresh ? fresh : usual,
           comparison->n_metrics * sizeof *usual);
    enum fg_status st = fg_take_map(r, node, keys, comparison);
    if (!st && (!comparison->policy || !comparison->n_with))
        return fg_refuse(r, node, "a comparison names a 'policy' and those it is 'with'");
    return st;
}

static enum fg_status take_comparisons(struct fg_reader *r, const struct fg_yaml *node,
                                       void *into)
{
    struct fg_experiment *e = into;
    return fg_take_list(r, node, sizeof *e->comparisons, (void **)&e->comparisons,
                        &e->n_comparisons, take_comparison);
}

/* A budget is compared as text, so it is brought to the form the others have. */
static enum fg_status take_budget_text(struct fg_reader *r, const struct fg_yaml *node,
                                       void *into)
{
    struct fg_budget budget = {0};
    enum fg_status st = take_budget(r, node, &budget);
    if (!st)
        *(const char **)into = budget.text;
    return st;
}

static enum fg_status take_published_row(struct fg_reader *r, const struct fg_yaml *node,
                                         void *into)
{
    typedef struct fg_published p;
    static const struct fg_key keys[] = {
        {"workload", fg_take_text, offsetof(p, workload)},
        {"budget", take_budget_text, offsetof(p, budget)},
        {"policy", fg_take_text, offsetof(p, policy)},
        {"against", fg_take_text, offsetof(p, against)},
        {"metric", take_metric, offsetof(p, metric)},
        {"value", fg_take_number, offsetof(p, value)},
        {"where", fg_take_text, offsetof(p, where)},
        {0},
    };
    struct fg_published *row = into;
    *row = (struct fg_published){.value = NAN, .line = node->line};
    enum fg_status st = fg_take_map(r, node, keys, row);
    if (!st && (!row->policy || isnan(row->value)))
        return fg_refuse(r, node, "a published number has a 'policy' and a 'value'");
    return st;
}

static enum fg_status take_published(struct fg_reader *r, const struct fg_yaml *node,
                                     void *into)
{
    struct fg_experiment *e = into;
    return fg_take_list(r, node, sizeof *e->published, (void **)&e->published,
                        &e->n_published, take_published_row);
}

/* --- the best of some --- */

static enum fg_status take_best_policies(struct fg_reader *r, const struct fg_yaml *node,
                                         void *into)
{
    struct fg_best_of *best = into;
    struct fg_texts texts = {0};
    enum fg_status st = fg_take_texts(r, node, &texts);
    best->policies = texts.at;
    best->n_policies = texts.n;
    return st;
}

static enum fg_status take_measured(struct fg_reader *r, const struct fg_yaml *node,
                                    void *into)
{
    struct fg_best_of *best = into;
    struct fg_texts texts = {0};
    enum fg_status st = fg_take_texts(r, node, &texts);
    best->of = texts.at;
    best->n_of = texts.n;
    return st;
}

static enum fg_status take_best_of(struct fg_reader *r, const struct fg_yaml *node,
                                   void *into)
{
    static const struct fg_key keys[] = {
        {"name", fg_take_text, offsetof(struct fg_best_of, name)},
        {"policies", take_best_policies, 0},
        {"of", take_measured, 0},
        {0},
    };
    struct fg_best_of *best = into;
    best->line = node->line;
    enum fg_status st = node->kind == FG_YAML_LIST ? take_best_policies(r, node, best)
                                                   : fg_take_map(r, node, keys, best);
    if (!st && !best->n_policies)
        return fg_refuse(r, node, "the best of which 'policies'?");
    if (!best->name)
        best->name = "the best of the others";
    return st;
}

/* --- the rest --- */

static enum fg_status take_kind(struct fg_reader *r, const struct fg_yaml *node,
                                void *into)
{
    static const char *const kinds[] = {"replay", "cover", "refresh", NULL};
    unsigned number = 0;
    enum fg_status st = fg_take_word(r, node, "kind", kinds, &number);
    *(enum fg_experiment_kind *)into = (enum fg_experiment_kind)number;
    return st;
}

static enum fg_status take_remarks(struct fg_reader *r, const struct fg_yaml *node,
                                   void *into)
{
    struct fg_experiment *e = into;
    struct fg_texts texts = {0};
    enum fg_status st = fg_take_texts(r, node, &texts);
    e->remarks = texts.at;
    e->n_remarks = texts.n;
    return st;
}

static enum fg_status take_charts(struct fg_reader *r, const struct fg_yaml *node,
                                  void *into)
{
    static const char *const usual[] = {"coverage", "regret", "delay", "choices", NULL};
    static const char *const fresh[] = {"freshness", "gain", "arms", "reward", NULL};
    const struct fg_experiment *e = r->whole;
    unsigned *charts = into, number = 0;
    *charts = 0;
    if (node->kind == FG_YAML_TEXT && fg_str_eq(node->text, FG_STR("none")))
        return FG_OK;
    if (node->kind != FG_YAML_LIST)
        return fg_refuse(r, node, "a list of charts, or 'none', is expected");
    enum fg_status st = FG_OK;
    for (const struct fg_yaml *item = node->child; !st && item; item = item->next) {
        st = fg_take_word(r, item, "chart", e->kind == FG_KIND_REFRESH ? fresh : usual,
                          &number);
        *charts |= 1U << number;
    }
    return st;
}

static enum fg_status take_arms_at(struct fg_reader *r, const struct fg_yaml *node,
                                   void *into)
{
    struct fg_experiment *e = into;
    return fg_take_list(r, node, sizeof *e->arms_at, (void **)&e->arms_at, &e->n_arms_at,
                        take_budget_text);
}

static enum fg_status take_drawn(struct fg_reader *r, const struct fg_yaml *node,
                                 void *into)
{
    struct fg_experiment *e = into;
    struct fg_texts texts = {0};
    enum fg_status st = fg_take_texts(r, node, &texts);
    e->drawn = texts.at;
    e->n_drawn = texts.n;
    e->drawn_line = node->line;
    if (!st && e->kind != FG_KIND_REFRESH)
        return fg_refuse(r, node, "only for kind: refresh");
    return st;
}

static const struct fg_key experiment_keys[] = {
    {"name", fg_take_text, offsetof(struct fg_experiment, name)},
    {"title", fg_take_text, offsetof(struct fg_experiment, title)},
    {"paper", fg_take_text, offsetof(struct fg_experiment, paper)},
    {"kind", take_kind, offsetof(struct fg_experiment, kind)},
    {"workloads", take_workloads, 0},
    {"budgets", take_budgets, 0},
    {"policies", take_entrants, 0},
    {"warm_up", fg_take_count, offsetof(struct fg_experiment, warm_up)},
    {"seeds", fg_take_count, offsetof(struct fg_experiment, seeds)},
    {"compare", take_comparisons, 0},
    {"published", take_published, 0},
    {"best_of", take_best_of, offsetof(struct fg_experiment, best_of)},
    {"arms_at", take_arms_at, 0},
    {"drawn", take_drawn, 0},
    {"remarks", take_remarks, 0},
    {"charts", take_charts, offsetof(struct fg_experiment, charts)},
    {0},
};

static bool is_entrant(const struct fg_experiment *e, const char *label)
{
    for (size_t i = 0; i < e->n_entrants; i++)
        if (strcmp(e->entrants[i].label, label) == 0)
            return true;
    return e->kind != FG_KIND_REFRESH && strcmp(label, "oracle") == 0;
}

static enum fg_status stranger(const struct fg_reader *r, size_t line, const char *label)
{
    return fg_fail(r->err, FG_ECONFIG, "%s:%zu: '%s' is not among the policies", r->file,
                   line, label);
}

/* A number of forecasts has no entrant for a policy. */
static bool is_of_forecasts(const struct fg_experiment *e,
                            const struct fg_published *published)
{
    return e->kind == FG_KIND_REFRESH && published->metric == FG_AUC;
}

/* Names that stand in several places must agree. */
static enum fg_status check_names(const struct fg_reader *r)
{
    const struct fg_experiment *e = r->whole;
    for (size_t i = 0; i < e->n_comparisons; i++) {
        const struct fg_comparison *c = &e->comparisons[i];
        if (!is_entrant(e, c->policy))
            return stranger(r, c->line, c->policy);
        for (size_t j = 0; j < c->n_with; j++)
            if (!is_entrant(e, c->with[j]))
                return stranger(r, c->line, c->with[j]);
    }
    for (size_t i = 0; i < e->best_of.n_policies; i++)
        if (!is_entrant(e, e->best_of.policies[i]))
            return stranger(r, e->best_of.line, e->best_of.policies[i]);
    for (size_t i = 0; i < e->best_of.n_of; i++)
        if (!is_entrant(e, e->best_of.of[i]))
            return stranger(r, e->best_of.line, e->best_of.of[i]);
    for (size_t i = 0; i < e->n_drawn; i++)
        if (!is_entrant(e, e->drawn[i]))
            return stranger(r, e->drawn_line, e->drawn[i]);
    for (size_t i = 0; i < e->n_published; i++)
        if (!is_of_forecasts(e, &e->published[i]) &&
            !is_entrant(e, e->published[i].policy))
            return stranger(r, e->published[i].line, e->published[i].policy);
    for (size_t i = 0; i < e->n_workloads; i++)
        for (size_t j = 0; j < e->workloads[i].n_policies; j++)
            if (!is_entrant(e, e->workloads[i].policies[j]))
                return stranger(r, e->workloads[i].line, e->workloads[i].policies[j]);
    return FG_OK;
}

/* What is wrong with what a workload is made from; NULL: nothing. */
static const char *wrong_source(const struct fg_experiment *e,
                                const struct fg_workload *w)
{
    if (e->kind == FG_KIND_COVER)
        return w->n_from ? "covers are of weekly snapshots: sites, seed and scale" : NULL;
    return w->n_from ? NULL : one_source(e);
}

static enum fg_status check(const struct fg_reader *r)
{
    const struct fg_experiment *e = r->whole;
    const char *missing = !e->name ? "name" : NULL;
    if (e->kind != FG_KIND_COVER && !missing)
        missing = !e->n_workloads ? "workloads" : !e->n_entrants ? "policies" : NULL;
    if (missing)
        return fg_fail(r->err, FG_ECONFIG, "%s: '%s' is missing", r->file, missing);
    if (e->best_of.name && e->kind != FG_KIND_REFRESH)
        return fg_fail(r->err, FG_ECONFIG, "%s:%zu: 'best_of' is for kind: refresh",
                       r->file, e->best_of.line);
    for (size_t i = 0; i < e->n_workloads; i++) {
        const struct fg_workload *w = &e->workloads[i];
        const char *wrong = wrong_source(e, w);
        if (!wrong && e->kind != FG_KIND_COVER && !e->n_budgets && !w->n_budgets)
            wrong = "a workload without budgets";
        if (wrong)
            return fg_fail(r->err, FG_ECONFIG, "%s:%zu: %s", r->file, w->line, wrong);
    }
    return check_names(r);
}

/* Budgets and metrics are read by it, wherever in the file it stands. */
static enum fg_status read_kind(struct fg_reader *r, const struct fg_yaml *root)
{
    struct fg_experiment *e = r->whole;
    for (const struct fg_yaml *child = root->child; child; child = child->next)
        if (fg_str_eq(child->key, FG_STR("kind")))
            return take_kind(r, child, &e->kind);
    return FG_OK;
}

enum fg_status fg_experiment_read(struct fg_experiment *experiment,
                                  struct fg_arena *arena, struct fg_str text,
                                  const char *file, struct fg_err *err)
{
    struct fg_reader r = {.arena = arena, .file = file, .whole = experiment, .err = err};
    struct fg_yaml *root;
    *experiment = (struct fg_experiment){.warm_up = 168,
                                         .seeds = 1,
                                         .charts = ~0U,
                                         .file = file,
                                         .hash = fg_str_hash(text)};
    enum fg_status st = fg_yaml_read(&root, arena, text, file, err);
    if (!st)
        st = read_kind(&r, root);
    if (!st)
        st = fg_take_map(&r, root, experiment_keys, experiment);
    if (!st)
        st = check(&r);
    if (!st && !experiment->title)
        experiment->title = experiment->name;
    if (!st && !experiment->seeds)
        experiment->seeds = 1;
    return st;
}

struct fg_str fg_experiment_sources(const struct fg_experiment *e, struct fg_arena *arena)
{
    struct fg_buf list;
    fg_buf_init(&list, 1 << 12);
    for (size_t i = 0; i < e->n_published; i++) {
        bool is_said = !e->published[i].where;
        for (size_t j = 0; !is_said && j < i; j++)
            is_said = e->published[j].where &&
                      strcmp(e->published[i].where, e->published[j].where) == 0;
        if (!is_said)
            fg_buf_printf(&list, "%s%s", list.len ? ", " : "", e->published[i].where);
    }
    struct fg_str text = {0};
    if (list.len)
        text =
            fg_arena_printf(arena, "Published numbers: %.*s.", FG_ARG(fg_buf_str(&list)));
    fg_buf_clear(&list);
    return text;
}
