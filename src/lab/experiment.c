#include "lab/experiment.h"

#include "base/buf.h"
#include "lab/experiment_kind.h"
#include "lab/generate/generate.h"
#include "lab/recording.h"
#include "lab/refresh/offers.h"
#include "lab/replay.h"
#include "lab/yaml_read.h"

#include <assert.h>
#include <math.h>
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
    const struct fg_experiment_kind *kind =
        ((const struct fg_experiment *)r->whole)->kind;
    if (node->kind == FG_YAML_TEXT &&
        read_budget(into, r->arena, node->text, kind->most_percent))
        return FG_OK;
    return fg_refuse(r, node, kind->budget);
}

/* --- workloads --- */

/* What it is made from: the key says of what kind that is. */
static enum fg_status take_from(struct fg_reader *r, const struct fg_yaml *node,
                                void *into)
{
    static const char *const names[] = {
        [FG_WORK_GENERATE] = "generate", [FG_WORK_RECORDING] = "recording",
        [FG_WORK_DATA] = "data",         [FG_WORK_STORE] = "store",
        [FG_WORK_CHANGES] = "changes",   [FG_WORK_VERSIONS] = "versions"};
    static const struct fg_key texts =
        FG_KEY_LIST("", struct fg_workload, from, n_from, fg_take_text, true);
    struct fg_workload *workload = into;
    if (workload->n_from)
        return fg_refuse(r, node, ((const struct fg_experiment *)r->whole)->kind->source);
    while (!fg_str_eq(node->key, fg_str_from(names[workload->kind])))
        workload->kind++;
    enum fg_status st = fg_take_list(r, node, &texts, workload);
    bool is_one = workload->kind == FG_WORK_GENERATE || workload->kind == FG_WORK_STORE;
    return !st && is_one && workload->n_from > 1
               ? fg_refuse(r, node, "one text is expected")
               : st;
}

static enum fg_status take_weight(struct fg_reader *r, const struct fg_yaml *node,
                                  void *into)
{
    static const char *const words[] = {"equal", "own", "zipf", "weighted", NULL};
    return fg_take_word(r, node, "weights", words, into);
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

/* {0.015: 80 %, 0.24: 12 %}: rates a day, and what share of the offers has each. */
static enum fg_status take_steady(struct fg_reader *r, const struct fg_yaml *node,
                                  void *into)
{
    struct fg_workload *workload = into;
    if (node->kind != FG_YAML_MAP || !node->n)
        return fg_refuse(r, node, "steady rates are {CHANGES A DAY: SHARE, ...}");
    struct fg_steady_rate *rates = FG_NEW(r->arena, struct fg_steady_rate, node->n);
    double all = 0;
    enum fg_status st = FG_OK;
    for (const struct fg_yaml *child = node->child; !st && child; child = child->next) {
        struct fg_steady_rate *rate = &rates[workload->refresh.n_steady++];
        if (!fg_str_to_double(child->key, &rate->rate) || !(rate->rate >= 0) ||
            rate->rate > 100)
            return fg_refuse(r, child, "changes a day are a number from 0 to 100");
        st = fg_take_share(r, child, &rate->share);
        all += rate->share;
    }
    if (!st && all > 1 + 1e-9)
        return fg_refuse(r, node, "the shares add up to more than 1");
    workload->refresh.steady = rates;
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

/* Shorter steps than any page is worth a visit in, and more of them than memory holds. */
static enum fg_status take_step(struct fg_reader *r, const struct fg_yaml *node,
                                void *into)
{
    enum fg_status st = fg_take_span(r, node, into);
    return !st && *(fg_time *)into < FG_MINUTE
               ? fg_refuse(r, node, "a step is a minute or longer")
               : st;
}

#define OWN(name, member, take) FG_KEY(name, struct fg_workload, member, take)
#define NAME_AND_SOURCE                       \
    OWN("name", name, fg_take_text),          \
    {                                         \
        .name = "generate", .take = take_from \
    }
#define OWN_LISTS                                                                       \
    FG_KEY_LIST("budgets", struct fg_workload, budgets, n_budgets, take_budget, false), \
        FG_KEY_LIST("policies", struct fg_workload, policies, n_policies, fg_take_text, \
                    true),                                                              \
        OWN("long", is_long, fg_take_switch)

/* Of its kind, and within what a site can be made from. */
static enum fg_status check_param(struct fg_reader *r, const struct fg_yaml *node,
                                  const struct fg_generator_param *param)
{
    double least, most;
    if (!fg_generator_limits(param->name, &least, &most) || !fg_generator_takes(param) ||
        param->to < param->from)
        return fg_refuse(r, node,
                         "no such parameter of a generator, or no value of its kind; "
                         "docs/lab.md has them");
    if (param->from >= least && param->to <= most)
        return FG_OK;
    return fg_refuse(
        r, node,
        fg_arena_printf(r->arena, "a number from %g to %g is expected", least, most).at);
}

/* {articles: 8, section_shows: [15, 60]} */
static enum fg_status take_params(struct fg_reader *r, const struct fg_yaml *node,
                                  void *into)
{
    struct fg_workload *workload = into;
    if (node->kind != FG_YAML_MAP)
        return fg_refuse(r, node, "parameters are {NAME: NUMBER or [LEAST, MOST], ...}");
    struct fg_generator_param *params =
        FG_NEW(r->arena, struct fg_generator_param, node->n);
    enum fg_status st = FG_OK;
    for (const struct fg_yaml *child = node->child; !st && child; child = child->next) {
        struct fg_generator_param *param = &params[workload->making.n_params];
        bool is_range = child->kind == FG_YAML_LIST && child->n == 2;
        const struct fg_yaml *first = is_range ? child->child : child;
        param->name = child->key.at;
        st = fg_take_number(r, first, &param->from);
        param->to = param->from;
        if (!st && is_range)
            st = fg_take_number(r, first->next, &param->to);
        if (!st)
            st = check_param(r, child, param);
        workload->making.n_params += !st;
    }
    workload->making.params = params;
    return st;
}

static enum fg_status take_preparation(struct fg_reader *r, const struct fg_yaml *node,
                                       void *into)
{
    static const struct fg_key keys[] = {
        FG_KEY("density", struct fg_preparation, density, fg_take_share),
        FG_KEY("top", struct fg_preparation, top, fg_take_count),
        FG_KEY("least", struct fg_preparation, least, fg_take_count),
        FG_KEY("seed", struct fg_preparation, seed, fg_take_seed),
        {0},
    };
    struct fg_preparation *preparation = FG_NEW(r->arena, struct fg_preparation, 1);
    *preparation =
        (struct fg_preparation){.density = .9, .top = 100, .least = 40, .seed = 1};
    *(const struct fg_preparation **)into = preparation;
    return fg_take_map(r, node, keys, preparation);
}

const struct fg_key fg_workload_site_keys[] = {
    NAME_AND_SOURCE,
    {.name = "recording", .take = take_from},
    {.name = "data", .take = take_from},
    {.name = "store", .take = take_from},
    OWN("part", part, take_part),
    OWN("sites", sites, fg_take_some),
    OWN("hours", hours, fg_take_some),
    OWN("history", history, fg_take_count),
    OWN("seed", seed, fg_take_seed),
    {.name = "params", .take = take_params},
    OWN("prepare", preparation, take_preparation),
    OWN("relevant", making.relevant, fg_take_share),
    OWN("scale", making.scale, fg_take_share),
    OWN("focused", focused, fg_take_switch),
    OWN_LISTS,
    {0},
};

static enum fg_status take_feedback(struct fg_reader *r, const struct fg_yaml *node,
                                    void *into)
{
    static const char *const words[] = {"exact", "votes", "clicks", NULL};
    return fg_take_word(r, node, "feedback", words, into);
}

#define COMMUNITY(name, member, take) \
    FG_KEY(name, struct fg_workload, community.member, take)

const struct fg_key fg_workload_community_keys[] = {
    NAME_AND_SOURCE,
    COMMUNITY("pages", pages, fg_take_count),
    COMMUNITY("users", users, fg_take_count),
    COMMUNITY("visits", visits, fg_take_number),
    COMMUNITY("life", life_days, fg_take_number),
    COMMUNITY("top", top, fg_take_share),
    COMMUNITY("surfing", surfing, fg_take_share),
    COMMUNITY("delay", delay_days, fg_take_count),
    COMMUNITY("lost", lost, fg_take_share),
    COMMUNITY("feedback", feedback, take_feedback),
    COMMUNITY("days", days, fg_take_count),
    COMMUNITY("warm_up", warm_up, fg_take_count),
    COMMUNITY("study", is_study, fg_take_switch),
    COMMUNITY("model", has_model, fg_take_switch),
    FG_KEY_LIST("sweeps", struct fg_workload, community.sweeps, community.n_sweeps,
                fg_take_text, true),
    OWN("seed", seed, fg_take_seed),
    OWN("seeds", seeds, fg_take_count),
    OWN_LISTS,
    {0},
};

const struct fg_key fg_workload_joint_keys[] = {
    OWN("name", name, fg_take_text),
    {.name = "data", .take = take_from},
    {.name = "recording", .take = take_from},
    FG_KEY_LIST("documents", struct fg_workload, joint.documents, joint.n_documents,
                fg_take_text, true),
    OWN("keeps", joint.keeps, fg_take_share),
    OWN("loses", joint.loses, fg_take_number),
    OWN("content", joint.content, fg_take_number),
    OWN("fresh", joint.fresh, fg_take_number),
    OWN("seed", seed, fg_take_seed),
    OWN_LISTS,
    {0},
};

const struct fg_key fg_workload_timeline_keys[] = {
    NAME_AND_SOURCE,
    {.name = "changes", .take = take_from},
    OWN("pages", refresh.pages, fg_take_some),
    OWN("own", refresh.is_own, fg_take_switch),
    OWN("failures", refresh.failures, fg_take_share),
    {.name = "steady", .take = take_steady},
    OWN("setting", refresh.setting, fg_take_count),
    OWN("rates", refresh.is_probability, take_rates),
    OWN("runs", refresh.runs, fg_take_some),
    OWN("seed", seed, fg_take_seed),
    FG_KEY_LIST("weights", struct fg_workload, refresh.weights, refresh.n_weights,
                take_weight, true),
    OWN("step", refresh.step, take_step),
    OWN_LISTS,
    {0},
};

#define MARKET(name, member, take) FG_KEY(name, struct fg_workload, ads.member, take)

const struct fg_key fg_workload_market_keys[] = {
    NAME_AND_SOURCE,
    OWN("markets", sites, fg_take_some),
    OWN("seed", seed, fg_take_seed),
    MARKET("scale", scale, fg_take_share),
    MARKET("days", days, fg_take_count),
    MARKET("first_day", first_day, fg_take_count),
    MARKET("zipf", zipf, fg_take_number),
    MARKET("ads", ads, fg_take_number),
    MARKET("budgeted", budgeted, fg_take_share),
    MARKET("budget_size", budget_size, fg_take_number),
    MARKET("budget_floor", budget_floor, fg_take_number),
    MARKET("related", related, fg_take_share),
    MARKET("prior_share", prior_share, fg_take_share),
    MARKET("prior_quality", prior_quality, fg_take_share),
    MARKET("lifetime", lifetime, fg_take_number),
    MARKET("broad", is_broad, fg_take_switch),
    MARKET("block", is_block, fg_take_switch),
    MARKET("queries", queries, fg_take_count),
    OWN_LISTS,
    {0},
};

static enum fg_status take_scoring(struct fg_reader *r, const struct fg_yaml *node,
                                   void *into)
{
    static const char *const words[] = {"tfidf", "inlinks", NULL};
    unsigned number = 0;
    enum fg_status st = fg_take_word(r, node, "scoring", words, &number);
    *(bool *)into = number == 1;
    return st;
}

const struct fg_key fg_workload_searched_keys[] = {
    NAME_AND_SOURCE,
    {.name = "versions", .take = take_from},
    OWN("queries", quality.queries, fg_take_text),
    OWN("scoring", quality.is_inlinks, take_scoring),
    OWN("halves", quality.halves, fg_take_count),
    OWN("known", quality.is_known, fg_take_switch),
    OWN("pages", refresh.pages, fg_take_some),
    OWN("runs", refresh.runs, fg_take_some),
    OWN("seed", seed, fg_take_seed),
    OWN_LISTS,
    {0},
};

static enum fg_status take_workload(struct fg_reader *r, const struct fg_yaml *node,
                                    void *into)
{
    const struct fg_experiment *e = r->whole;
    struct fg_workload *workload = into;
    *workload = (struct fg_workload){
        .seed = 1, .ads = fg_ads_options_default(), .line = node->line};
    return fg_take_map(r, node, e->kind->workload_keys, workload);
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

/* --- comparisons and published numbers --- */

static enum fg_status take_metric(struct fg_reader *r, const struct fg_yaml *node,
                                  void *into)
{
    const struct fg_experiment_kind *kind =
        ((const struct fg_experiment *)r->whole)->kind;
    const char **names = FG_NEW(r->arena, const char *, kind->metrics.n + 1);
    unsigned number = 0;
    for (size_t i = 0; i < kind->metrics.n; i++)
        names[i] = kind->metrics.info[i].name;
    enum fg_status st = fg_take_word(r, node, "metric", names, &number);
    *(size_t *)into = number;
    return st;
}

static enum fg_status take_comparison(struct fg_reader *r, const struct fg_yaml *node,
                                      void *into)
{
    static const struct fg_key keys[] = {
        FG_KEY("policy", struct fg_comparison, policy, fg_take_text),
        FG_KEY_LIST("with", struct fg_comparison, with, n_with, fg_take_text, true),
        FG_KEY_LIST("metrics", struct fg_comparison, metrics, n_metrics, take_metric,
                    false),
        FG_KEY("fewer", struct fg_comparison, fewer, fg_take_share),
        {0},
    };
    const struct fg_experiment *e = r->whole;
    struct fg_comparison *comparison = into;
    *comparison = (struct fg_comparison){.metrics = e->kind->compared,
                                         .n_metrics = e->kind->n_compared,
                                         .fewer = NAN,
                                         .line = node->line};
    enum fg_status st = fg_take_map(r, node, keys, comparison);
    if (!st && (!comparison->policy || !comparison->n_with))
        return fg_refuse(r, node, "a comparison names a 'policy' and those it is 'with'");
    return st;
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
    static const struct fg_key keys[] = {
        FG_KEY("workload", struct fg_published, workload, fg_take_text),
        FG_KEY("budget", struct fg_published, budget, take_budget_text),
        FG_KEY("policy", struct fg_published, policy, fg_take_text),
        FG_KEY("against", struct fg_published, against, fg_take_text),
        FG_KEY("metric", struct fg_published, metric, take_metric),
        FG_KEY("value", struct fg_published, value, fg_take_number),
        FG_KEY("at", struct fg_published, at, fg_take_number),
        FG_KEY("where", struct fg_published, where, fg_take_text),
        {0},
    };
    struct fg_published *row = into;
    *row = (struct fg_published){.value = NAN, .at = NAN, .line = node->line};
    enum fg_status st = fg_take_map(r, node, keys, row);
    if (!st && (!row->policy || isnan(row->value)))
        return fg_refuse(r, node, "a published number has a 'policy' and a 'value'");
    return st;
}

static enum fg_status take_claim(struct fg_reader *r, const struct fg_yaml *node,
                                 void *into)
{
    static const struct fg_key keys[] = {
        FG_KEY_LIST("workload", struct fg_claim, workloads, n_workloads, fg_take_text,
                    true),
        FG_KEY_LIST("budget", struct fg_claim, budgets, n_budgets, take_budget_text,
                    true),
        FG_KEY("policy", struct fg_claim, policy, fg_take_text),
        FG_KEY_LIST("over", struct fg_claim, over, n_over, fg_take_text, true),
        FG_KEY("metric", struct fg_claim, metric, take_metric),
        FG_KEY("by", struct fg_claim, by, fg_take_number),
        FG_KEY("where", struct fg_claim, where, fg_take_text),
        {0},
    };
    struct fg_claim *claim = into;
    *claim = (struct fg_claim){.by = NAN, .line = node->line};
    enum fg_status st = fg_take_map(r, node, keys, claim);
    if (!st && (!claim->policy || !claim->n_over || !claim->where))
        return fg_refuse(r, node,
                         "a claim has a 'policy', those it is 'over', and 'where' it is "
                         "made");
    return st;
}

static enum fg_status take_figure(struct fg_reader *r, const struct fg_yaml *node,
                                  void *into)
{
    static const struct fg_key keys[] = {
        FG_KEY("is", struct fg_figure_name, is, fg_take_text),
        FG_KEY("chart", struct fg_figure_name, chart, fg_take_text),
        FG_KEY("group", struct fg_figure_name, group, fg_take_text),
        {0},
    };
    struct fg_figure_name *figure = into;
    enum fg_status st = fg_take_map(r, node, keys, figure);
    if (!st && (!figure->is || !figure->chart))
        return fg_refuse(r, node, "a figure says what it 'is' and of which 'chart'");
    return st;
}

/* --- the best of some --- */

static enum fg_status take_best_of(struct fg_reader *r, const struct fg_yaml *node,
                                   void *into)
{
    static const struct fg_key keys[] = {
        FG_KEY("name", struct fg_best_of, name, fg_take_text),
        FG_KEY_LIST("policies", struct fg_best_of, policies, n_policies, fg_take_text,
                    true),
        FG_KEY_LIST("of", struct fg_best_of, of, n_of, fg_take_text, true),
        {0},
    };
    struct fg_best_of *best = into;
    best->line = node->line;
    enum fg_status st = node->kind == FG_YAML_LIST ? fg_take_list(r, node, &keys[1], best)
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
    enum { MOST_KINDS = 32 };
    const char *names[MOST_KINDS + 1] = {0};
    unsigned number = 0;
    for (size_t i = 0; fg_experiment_kinds[i]; i++) {
        assert(i < MOST_KINDS);
        names[i] = fg_experiment_kinds[i]->name;
    }
    enum fg_status st = fg_take_word(r, node, "kind", names, &number);
    *(const struct fg_experiment_kind **)into = fg_experiment_kinds[number];
    return st;
}

static enum fg_status take_charts(struct fg_reader *r, const struct fg_yaml *node,
                                  void *into)
{
    const struct fg_experiment *e = r->whole;
    unsigned *charts = into, number = 0;
    *charts = 0;
    if (node->kind == FG_YAML_TEXT && fg_str_eq(node->text, FG_STR("none")))
        return FG_OK;
    if (node->kind != FG_YAML_LIST)
        return fg_refuse(r, node, "a list of charts, or 'none', is expected");
    enum fg_status st = FG_OK;
    for (const struct fg_yaml *item = node->child; !st && item; item = item->next) {
        st = fg_take_word(r, item, "chart", e->kind->charts, &number);
        *charts |= 1U << number;
    }
    return st;
}

static enum fg_status take_drawn(struct fg_reader *r, const struct fg_yaml *node,
                                 void *into)
{
    static const struct fg_key texts =
        FG_KEY_LIST("", struct fg_experiment, drawing.policies, drawing.n_policies,
                    fg_take_text, true);
    struct fg_experiment *e = into;
    e->drawing.line = node->line;
    return e->kind->has_best ? fg_take_list(r, node, &texts, e)
                             : fg_refuse(r, node, "only for kind: refresh");
}

static enum fg_status take_shortening(struct fg_reader *r, const struct fg_yaml *node,
                                      void *into)
{
    static const struct fg_key keys[] = {
        FG_KEY("sites", struct fg_shortening, sites, fg_take_count),
        FG_KEY("pages", struct fg_shortening, pages, fg_take_count),
        FG_KEY("hours", struct fg_shortening, hours, fg_take_count),
        FG_KEY("fewer_seeds", struct fg_shortening, fewer_seeds, fg_take_count),
        FG_KEY_LIST("budgets", struct fg_shortening, budgets, n_budgets, take_budget,
                    false),
        {0},
    };
    return fg_take_map(r, node, keys, into);
}

static const struct fg_key experiment_keys[] = {
    FG_KEY("name", struct fg_experiment, name, fg_take_text),
    FG_KEY("title", struct fg_experiment, title, fg_take_text),
    FG_KEY("paper", struct fg_experiment, paper, fg_take_text),
    FG_KEY("kind", struct fg_experiment, kind, take_kind),
    FG_KEY_LIST("workloads", struct fg_experiment, workloads, n_workloads, take_workload,
                false),
    FG_KEY_LIST("budgets", struct fg_experiment, budgets, n_budgets, take_budget, false),
    FG_KEY_LIST("policies", struct fg_experiment, entrants, n_entrants, take_entrant,
                false),
    FG_KEY("warm_up", struct fg_experiment, warm_up, fg_take_count),
    FG_KEY("seeds", struct fg_experiment, seeds, fg_take_count),
    FG_KEY("short", struct fg_experiment, shortening, take_shortening),
    FG_KEY_LIST("compare", struct fg_experiment, comparisons, n_comparisons,
                take_comparison, false),
    FG_KEY_LIST("published", struct fg_experiment, published, n_published,
                take_published_row, false),
    FG_KEY_LIST("claims", struct fg_experiment, claims, n_claims, take_claim, false),
    FG_KEY_LIST("figures", struct fg_experiment, figures, n_figures, take_figure, false),
    FG_KEY("best_of", struct fg_experiment, drawing.best_of, take_best_of),
    FG_KEY_LIST("arms_at", struct fg_experiment, drawing.arms_at, drawing.n_arms_at,
                take_budget_text, false),
    {.name = "drawn", .take = take_drawn},
    FG_KEY_LIST("remarks", struct fg_experiment, remarks, n_remarks, fg_take_text, true),
    FG_KEY("charts", struct fg_experiment, drawing.charts, take_charts),
    {0},
};

static bool is_entrant(const struct fg_experiment *e, const char *label)
{
    for (size_t i = 0; i < e->n_entrants; i++)
        if (strcmp(e->entrants[i].label, label) == 0)
            return true;
    return e->kind->reference && strcmp(label, e->kind->reference) == 0;
}

static enum fg_status stranger(const struct fg_reader *r, size_t line, const char *label)
{
    return fg_fail(r->err, FG_ECONFIG, "%s:%zu: '%s' is not among the policies", r->file,
                   line, label);
}

/* Names that stand in several places must agree. */
static enum fg_status check_all(const struct fg_reader *r, size_t line,
                                const char *const *labels, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!is_entrant(r->whole, labels[i]))
            return stranger(r, line, labels[i]);
    return FG_OK;
}

static enum fg_status check_names(const struct fg_reader *r)
{
    const struct fg_experiment *e = r->whole;
    const struct fg_best_of *best = &e->drawing.best_of;
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < e->n_comparisons; i++) {
        const struct fg_comparison *c = &e->comparisons[i];
        st = check_all(r, c->line, &c->policy, 1);
        if (!st)
            st = check_all(r, c->line, c->with, c->n_with);
    }
    for (size_t i = 0; !st && i < e->n_claims; i++) {
        const struct fg_claim *c = &e->claims[i];
        st = check_all(r, c->line, &c->policy, 1);
        if (!st)
            st = check_all(r, c->line, c->over, c->n_over);
    }
    if (!st)
        st = check_all(r, best->line, best->policies, best->n_policies);
    if (!st)
        st = check_all(r, best->line, best->of, best->n_of);
    if (!st)
        st = check_all(r, e->drawing.line, e->drawing.policies, e->drawing.n_policies);
    for (size_t i = 0; !st && i < e->n_published; i++)
        if (!(e->kind->metrics.of_workload >> e->published[i].metric & 1))
            st = check_all(r, e->published[i].line, &e->published[i].policy, 1);
    for (size_t i = 0; !st && i < e->n_workloads; i++)
        st = check_all(r, e->workloads[i].line, e->workloads[i].policies,
                       e->workloads[i].n_policies);
    return st;
}

static enum fg_status check_labels(const struct fg_reader *r)
{
    const struct fg_experiment *e = r->whole;
    for (size_t i = 0; i < e->n_entrants; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(e->entrants[i].label, e->entrants[j].label) == 0)
                return fg_fail(r->err, FG_ECONFIG,
                               "%s:%zu: two policies are called '%s'; give one a label",
                               r->file, e->entrants[i].line, e->entrants[i].label);
    return FG_OK;
}

static enum fg_status check(const struct fg_reader *r)
{
    const struct fg_experiment *e = r->whole;
    bool is_given = !e->kind->complete; /* by the file: what there is to run */
    const char *missing = !e->name                      ? "name"
                          : is_given && !e->n_workloads ? "workloads"
                          : is_given && !e->n_entrants  ? "policies"
                                                        : NULL;
    if (missing)
        return fg_fail(r->err, FG_ECONFIG, "%s: '%s' is missing", r->file, missing);
    if (e->drawing.best_of.name && !e->kind->has_best)
        return fg_fail(r->err, FG_ECONFIG, "%s:%zu: 'best_of' is for kind: refresh",
                       r->file, e->drawing.best_of.line);
    for (size_t i = 0; i < e->n_workloads; i++) {
        const struct fg_workload *w = &e->workloads[i];
        const char *wrong = is_given != (w->n_from > 0) ? e->kind->source : NULL;
        if (!wrong && is_given && !e->n_budgets && !w->n_budgets)
            wrong = "a workload without budgets";
        if (wrong)
            return fg_fail(r->err, FG_ECONFIG, "%s:%zu: %s", r->file, w->line, wrong);
    }
    enum fg_status st = check_labels(r);
    return st ? st : check_names(r);
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
                                         .kind = fg_experiment_kinds[0],
                                         .drawing.charts = ~0U,
                                         .read.file = file,
                                         .read.hash = fg_str_hash(text)};
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
    if (!st && experiment->kind->complete)
        experiment->kind->complete(experiment, arena);
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
