/* How a map is read: a table has one row a key, with the function that takes its value.
 * The same table makes the message when a key is not in it. */
#include "lab/experiment.h"

#include "base/buf.h"
#include "lab/replay.h"
#include "lab/yaml_tree.h"

#include <math.h>
#include <stdlib.h>

enum { LIST_MOST = 1000 };

struct reader {
    struct fg_arena *arena;
    const char *file;
    struct fg_experiment *experiment;
    struct fg_err *err;
};

struct key {
    const char *name;
    enum fg_status (*take)(struct reader *r, const struct fg_yaml *node, void *into);
    size_t offset; /* of the member that `take` writes */
};

static enum fg_status refuse(const struct reader *r, const struct fg_yaml *node,
                             const char *what)
{
    return fg_fail(r->err, FG_ECONFIG, "%s:%zu: %.*s%s%s", r->file, node->line,
                   FG_ARG(node->key), node->key.len ? ": " : "", what);
}

/* "'xs' is not a key here; there are 'name', 'title', ..." */
static enum fg_status unknown(const struct reader *r, const struct fg_yaml *node,
                              const char *what, struct fg_str word,
                              const char *(*name)(const void *table, size_t i),
                              const void *table)
{
    struct fg_buf list;
    fg_buf_init(&list, 400);
    for (size_t i = 0; name(table, i); i++)
        fg_buf_printf(&list, "%s%s", i ? ", " : "", name(table, i));
    enum fg_status st = fg_fail(
        r->err, FG_ECONFIG, "%s:%zu: unknown %s '%.*s'; there are: %.*s", r->file,
        node->line, what, FG_ARG(fg_str_sub(word, 0, 40)), FG_ARG(fg_buf_str(&list)));
    fg_buf_clear(&list);
    return st;
}

static const char *key_name(const void *table, size_t i)
{
    return ((const struct key *)table)[i].name;
}

static const char *word_name(const void *table, size_t i)
{
    return ((const char *const *)table)[i];
}

static enum fg_status take_map(struct reader *r, const struct fg_yaml *node,
                               const struct key *keys, void *into)
{
    if (node->kind != FG_YAML_MAP)
        return refuse(r, node, "keys and values are expected");
    enum fg_status st = FG_OK;
    for (const struct fg_yaml *child = node->child; !st && child; child = child->next) {
        size_t i = 0;
        while (keys[i].name && !fg_str_eq(child->key, fg_str_from(keys[i].name)))
            i++;
        if (!keys[i].name)
            return unknown(r, child, "key", child->key, key_name, keys);
        st = keys[i].take(r, child, (char *)into + keys[i].offset);
    }
    return st;
}

/* --- values --- */

static enum fg_status take_text(struct reader *r, const struct fg_yaml *node, void *into)
{
    if (node->kind != FG_YAML_TEXT || !node->text.len)
        return refuse(r, node, "a text is expected");
    *(const char **)into = node->text.at;
    return FG_OK;
}

static enum fg_status take_count(struct reader *r, const struct fg_yaml *node, void *into)
{
    uint64_t value = 0;
    if (node->kind != FG_YAML_TEXT || !fg_str_to_u64(node->text, &value) ||
        value > 1000000000)
        return refuse(r, node, "a whole number is expected");
    *(size_t *)into = (size_t)value;
    return FG_OK;
}

static enum fg_status take_seed(struct reader *r, const struct fg_yaml *node, void *into)
{
    if (node->kind != FG_YAML_TEXT || !fg_str_to_u64(node->text, into))
        return refuse(r, node, "a whole number is expected");
    return FG_OK;
}

static enum fg_status take_number(struct reader *r, const struct fg_yaml *node,
                                  void *into)
{
    if (node->kind != FG_YAML_TEXT || !fg_str_to_double(node->text, into))
        return refuse(r, node, "a number is expected");
    return FG_OK;
}

/* "0.1 %" is 0.001. */
static enum fg_status take_share(struct reader *r, const struct fg_yaml *node, void *into)
{
    struct fg_str text = node->text;
    bool is_percent = node->kind == FG_YAML_TEXT && fg_str_ends(text, FG_STR("%"));
    if (is_percent)
        text = fg_str_trim(fg_str_sub(text, 0, text.len - 1));
    double *share = into;
    if (node->kind != FG_YAML_TEXT || !fg_str_to_double(text, share) || *share < 0)
        return refuse(r, node, "a share is expected, such as 0.05 or 5 %");
    *share /= is_percent ? 100 : 1;
    return *share <= 1 ? FG_OK : refuse(r, node, "a share is at most 1, or 100 %");
}

static enum fg_status take_switch(struct reader *r, const struct fg_yaml *node,
                                  void *into)
{
    bool is_true = fg_str_eq(node->text, FG_STR("true"));
    if (node->kind != FG_YAML_TEXT ||
        (!is_true && !fg_str_eq(node->text, FG_STR("false"))))
        return refuse(r, node, "'true' or 'false' is expected");
    *(bool *)into = is_true;
    return FG_OK;
}

static enum fg_status take_word(struct reader *r, const struct fg_yaml *node,
                                const char *what, const char *const *words,
                                unsigned *number)
{
    for (unsigned i = 0; node->kind == FG_YAML_TEXT && words[i]; i++)
        if (fg_str_eq(node->text, fg_str_from(words[i]))) {
            *number = i;
            return FG_OK;
        }
    return unknown(r, node, what, node->text, word_name, words);
}

/* One text, or a list of them. */
struct texts {
    const char **at;
    size_t n;
};

static enum fg_status take_texts(struct reader *r, const struct fg_yaml *node,
                                 struct texts *texts)
{
    bool is_list = node->kind == FG_YAML_LIST;
    size_t n = is_list ? node->n : 1;
    if (!n || n > LIST_MOST)
        return refuse(r, node, "a text or a list of texts is expected");
    texts->at = FG_NEW(r->arena, const char *, n);
    const struct fg_yaml *item = is_list ? node->child : node;
    enum fg_status st = FG_OK;
    for (texts->n = 0; !st && texts->n < n; item = item->next)
        st = take_text(r, item, &texts->at[texts->n++]);
    return st;
}

/* A list of maps or of what `take` understands, each `bytes` long. */
static enum fg_status take_list(struct reader *r, const struct fg_yaml *node,
                                size_t bytes, void **at, size_t *n,
                                enum fg_status (*take)(struct reader *,
                                                       const struct fg_yaml *, void *))
{
    if (node->kind != FG_YAML_LIST || !node->n || node->n > LIST_MOST)
        return refuse(r, node, "a list is expected");
    char *items = fg_arena_array(r->arena, bytes, node->n);
    enum fg_status st = FG_OK;
    size_t i = 0;
    for (const struct fg_yaml *item = node->child; !st && item; item = item->next)
        st = take(r, item, items + bytes * i++);
    *at = items;
    *n = node->n;
    return st;
}

/* --- budgets --- */

bool fg_budget_read(struct fg_budget *budget, struct fg_arena *arena, struct fg_str text)
{
    struct fg_str number = fg_str_trim(text);
    *budget = (struct fg_budget){.is_share = fg_str_ends(number, FG_STR("%"))};
    if (budget->is_share)
        number = fg_str_trim(fg_str_sub(number, 0, number.len - 1));
    if (!fg_str_to_double(number, &budget->value) || !(budget->value > 0))
        return false;
    if (budget->is_share ? budget->value > 100
                         : budget->value > 1e6 || budget->value != floor(budget->value))
        return false;
    budget->text =
        fg_arena_printf(arena, "%g%s", budget->value, budget->is_share ? " %" : "").at;
    budget->value /= budget->is_share ? 100 : 1;
    return true;
}

size_t fg_budget_visits(const struct fg_budget *budget, size_t sources)
{
    double visits =
        budget->is_share ? round(budget->value * (double)sources) : budget->value;
    return visits < 1 ? 1 : (size_t)visits;
}

static enum fg_status take_budget(struct reader *r, const struct fg_yaml *node,
                                  void *into)
{
    if (node->kind != FG_YAML_TEXT || !fg_budget_read(into, r->arena, node->text))
        return refuse(r, node,
                      "a budget is visits an hour, such as 5, or a share of the "
                      "sources, such as 10 %");
    return FG_OK;
}

static enum fg_status take_budgets(struct reader *r, const struct fg_yaml *node,
                                   void *into)
{
    struct fg_experiment *e = into;
    return take_list(r, node, sizeof *e->budgets, (void **)&e->budgets, &e->n_budgets,
                     take_budget);
}

/* --- workloads --- */

static enum fg_status take_from(struct reader *r, const struct fg_yaml *node,
                                struct fg_workload *workload, enum fg_workload_kind kind)
{
    if (workload->n_from)
        return refuse(r, node,
                      "a workload has one of generate, recording, data and store");
    struct texts texts;
    enum fg_status st = take_texts(r, node, &texts);
    if (!st && texts.n > 1 && (kind == FG_WORK_GENERATE || kind == FG_WORK_STORE))
        return refuse(r, node, "one text is expected");
    if (st)
        return st;
    workload->kind = kind;
    workload->from = texts.at;
    workload->n_from = texts.n;
    return FG_OK;
}

static enum fg_status take_generate(struct reader *r, const struct fg_yaml *node,
                                    void *into)
{
    return take_from(r, node, into, FG_WORK_GENERATE);
}

static enum fg_status take_recording(struct reader *r, const struct fg_yaml *node,
                                     void *into)
{
    return take_from(r, node, into, FG_WORK_RECORDING);
}

static enum fg_status take_data(struct reader *r, const struct fg_yaml *node, void *into)
{
    return take_from(r, node, into, FG_WORK_DATA);
}

static enum fg_status take_store(struct reader *r, const struct fg_yaml *node, void *into)
{
    return take_from(r, node, into, FG_WORK_STORE);
}

static enum fg_status take_part(struct reader *r, const struct fg_yaml *node, void *into)
{
    static const char *const parts[] = {"sites", "wholes", "all", NULL};
    unsigned number = 0;
    enum fg_status st = take_word(r, node, "part", parts, &number);
    *(enum fg_part *)into = (enum fg_part)number;
    return st;
}

static enum fg_status take_own_budgets(struct reader *r, const struct fg_yaml *node,
                                       void *into)
{
    struct fg_workload *workload = into;
    return take_list(r, node, sizeof *workload->budgets, (void **)&workload->budgets,
                     &workload->n_budgets, take_budget);
}

static enum fg_status take_own_policies(struct reader *r, const struct fg_yaml *node,
                                        void *into)
{
    struct fg_workload *workload = into;
    struct texts texts = {0};
    enum fg_status st = take_texts(r, node, &texts);
    workload->policies = texts.at;
    workload->n_policies = texts.n;
    return st;
}

static enum fg_status take_workload(struct reader *r, const struct fg_yaml *node,
                                    void *into)
{
    typedef struct fg_workload w;
    static const struct key keys[] = {
        {"name", take_text, offsetof(w, name)},
        {"generate", take_generate, 0},
        {"recording", take_recording, 0},
        {"data", take_data, 0},
        {"store", take_store, 0},
        {"part", take_part, offsetof(w, part)},
        {"sites", take_count, offsetof(w, sites)},
        {"hours", take_count, offsetof(w, hours)},
        {"history", take_count, offsetof(w, history)},
        {"seed", take_seed, offsetof(w, seed)},
        {"relevant", take_share, offsetof(w, relevant)},
        {"scale", take_share, offsetof(w, scale)},
        {"focused", take_switch, offsetof(w, focused)},
        {"budgets", take_own_budgets, 0},
        {"policies", take_own_policies, 0},
        {0},
    };
    struct fg_workload *workload = into;
    *workload = (struct fg_workload){.seed = 1, .line = node->line};
    return take_map(r, node, keys, workload);
}

static enum fg_status take_workloads(struct reader *r, const struct fg_yaml *node,
                                     void *into)
{
    struct fg_experiment *e = into;
    return take_list(r, node, sizeof *e->workloads, (void **)&e->workloads,
                     &e->n_workloads, take_workload);
}

/* --- policies --- */

static enum fg_status take_knob(struct reader *r, const struct fg_yaml *node,
                                struct fg_entrant *entrant)
{
    struct fg_knob *knob = &entrant->knobs[entrant->n_knobs];
    knob->name = node->key.at;
    enum fg_status st = take_number(r, node, &knob->value);
    entrant->n_knobs += !st;
    return st;
}

static enum fg_status take_entrant(struct reader *r, const struct fg_yaml *node,
                                   void *into)
{
    struct fg_entrant *entrant = into;
    entrant->line = node->line;
    if (node->kind == FG_YAML_TEXT) {
        entrant->policy = entrant->label = node->text.at;
        return FG_OK;
    }
    if (node->kind != FG_YAML_MAP)
        return refuse(r, node, "a policy is a name, or {policy: NAME, knobs...}");
    entrant->knobs = FG_NEW(r->arena, struct fg_knob, node->n);
    enum fg_status st = FG_OK;
    for (const struct fg_yaml *child = node->child; !st && child; child = child->next) {
        if (fg_str_eq(child->key, FG_STR("policy")))
            st = take_text(r, child, &entrant->policy);
        else if (fg_str_eq(child->key, FG_STR("label")))
            st = take_text(r, child, &entrant->label);
        else if (fg_str_eq(child->key, FG_STR("seeds")))
            st = take_count(r, child, &entrant->seeds);
        else
            st = take_knob(r, child, entrant);
    }
    if (!st && !entrant->policy)
        return refuse(r, node, "a policy is a name, or {policy: NAME, knobs...}");
    if (!entrant->label)
        entrant->label = entrant->policy;
    return st;
}

static enum fg_status take_entrants(struct reader *r, const struct fg_yaml *node,
                                    void *into)
{
    struct fg_experiment *e = into;
    enum fg_status st = take_list(r, node, sizeof *e->entrants, (void **)&e->entrants,
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

static enum fg_status take_metric(struct reader *r, const struct fg_yaml *node,
                                  void *into)
{
    const char *words[FG_METRICS + 1] = {0};
    for (size_t i = 0; i < FG_METRICS; i++)
        words[i] = fg_metric_names[i];
    unsigned number = 0;
    enum fg_status st = take_word(r, node, "metric", words, &number);
    *(enum fg_metric *)into = (enum fg_metric)number;
    return st;
}

static enum fg_status take_metrics(struct reader *r, const struct fg_yaml *node,
                                   void *into)
{
    struct fg_comparison *comparison = into;
    if (node->kind != FG_YAML_LIST || !node->n || node->n > FG_METRICS)
        return refuse(r, node, "a list of metrics is expected");
    enum fg_status st = FG_OK;
    comparison->n_metrics = 0;
    for (const struct fg_yaml *item = node->child; !st && item; item = item->next)
        st = take_metric(r, item, &comparison->metrics[comparison->n_metrics++]);
    return st;
}

static enum fg_status take_with(struct reader *r, const struct fg_yaml *node, void *into)
{
    struct fg_comparison *comparison = into;
    struct texts texts = {0};
    enum fg_status st = take_texts(r, node, &texts);
    comparison->with = texts.at;
    comparison->n_with = texts.n;
    return st;
}

static enum fg_status take_comparison(struct reader *r, const struct fg_yaml *node,
                                      void *into)
{
    static const struct key keys[] = {
        {"policy", take_text, offsetof(struct fg_comparison, policy)},
        {"with", take_with, 0},
        {"metrics", take_metrics, 0},
        {"fewer", take_share, offsetof(struct fg_comparison, fewer)},
        {0},
    };
    struct fg_comparison *comparison = into;
    *comparison = (struct fg_comparison){
        .metrics = {FG_COVERAGE, FG_OVERHEAD, FG_HTD_P90, FG_REGRET},
        .n_metrics = 4,
        .fewer = NAN,
        .line = node->line};
    enum fg_status st = take_map(r, node, keys, comparison);
    if (!st && (!comparison->policy || !comparison->n_with))
        return refuse(r, node, "a comparison names a 'policy' and those it is 'with'");
    return st;
}

static enum fg_status take_comparisons(struct reader *r, const struct fg_yaml *node,
                                       void *into)
{
    struct fg_experiment *e = into;
    return take_list(r, node, sizeof *e->comparisons, (void **)&e->comparisons,
                     &e->n_comparisons, take_comparison);
}

/* A budget is compared as text, so it is brought to the form the others have. */
static enum fg_status take_budget_text(struct reader *r, const struct fg_yaml *node,
                                       void *into)
{
    struct fg_budget budget = {0};
    enum fg_status st = take_budget(r, node, &budget);
    if (!st)
        *(const char **)into = budget.text;
    return st;
}

static enum fg_status take_published_row(struct reader *r, const struct fg_yaml *node,
                                         void *into)
{
    typedef struct fg_published p;
    static const struct key keys[] = {
        {"workload", take_text, offsetof(p, workload)},
        {"budget", take_budget_text, offsetof(p, budget)},
        {"policy", take_text, offsetof(p, policy)},
        {"against", take_text, offsetof(p, against)},
        {"metric", take_metric, offsetof(p, metric)},
        {"value", take_number, offsetof(p, value)},
        {"where", take_text, offsetof(p, where)},
        {0},
    };
    struct fg_published *row = into;
    *row = (struct fg_published){.value = NAN, .line = node->line};
    enum fg_status st = take_map(r, node, keys, row);
    if (!st && (!row->policy || isnan(row->value)))
        return refuse(r, node, "a published number has a 'policy' and a 'value'");
    return st;
}

static enum fg_status take_published(struct reader *r, const struct fg_yaml *node,
                                     void *into)
{
    struct fg_experiment *e = into;
    return take_list(r, node, sizeof *e->published, (void **)&e->published,
                     &e->n_published, take_published_row);
}

/* --- the rest --- */

static enum fg_status take_kind(struct reader *r, const struct fg_yaml *node, void *into)
{
    static const char *const kinds[] = {"replay", "cover", NULL};
    unsigned number = 0;
    enum fg_status st = take_word(r, node, "kind", kinds, &number);
    *(enum fg_experiment_kind *)into = (enum fg_experiment_kind)number;
    return st;
}

static enum fg_status take_remarks(struct reader *r, const struct fg_yaml *node,
                                   void *into)
{
    struct fg_experiment *e = into;
    struct texts texts = {0};
    enum fg_status st = take_texts(r, node, &texts);
    e->remarks = texts.at;
    e->n_remarks = texts.n;
    return st;
}

static enum fg_status take_charts(struct reader *r, const struct fg_yaml *node,
                                  void *into)
{
    static const char *const words[] = {"coverage", "regret", "delay", "choices", NULL};
    unsigned *charts = into, number = 0;
    *charts = 0;
    if (node->kind == FG_YAML_TEXT && fg_str_eq(node->text, FG_STR("none")))
        return FG_OK;
    if (node->kind != FG_YAML_LIST)
        return refuse(r, node, "a list of charts, or 'none', is expected");
    enum fg_status st = FG_OK;
    for (const struct fg_yaml *item = node->child; !st && item; item = item->next) {
        st = take_word(r, item, "chart", words, &number);
        *charts |= 1U << number;
    }
    return st;
}

static const struct key experiment_keys[] = {
    {"name", take_text, offsetof(struct fg_experiment, name)},
    {"title", take_text, offsetof(struct fg_experiment, title)},
    {"paper", take_text, offsetof(struct fg_experiment, paper)},
    {"kind", take_kind, offsetof(struct fg_experiment, kind)},
    {"workloads", take_workloads, 0},
    {"budgets", take_budgets, 0},
    {"policies", take_entrants, 0},
    {"warm_up", take_count, offsetof(struct fg_experiment, warm_up)},
    {"seeds", take_count, offsetof(struct fg_experiment, seeds)},
    {"compare", take_comparisons, 0},
    {"published", take_published, 0},
    {"remarks", take_remarks, 0},
    {"charts", take_charts, offsetof(struct fg_experiment, charts)},
    {0},
};

static bool is_entrant(const struct fg_experiment *e, const char *label)
{
    for (size_t i = 0; i < e->n_entrants; i++)
        if (strcmp(e->entrants[i].label, label) == 0)
            return true;
    return strcmp(label, "oracle") == 0;
}

static enum fg_status stranger(const struct reader *r, size_t line, const char *label)
{
    return fg_fail(r->err, FG_ECONFIG, "%s:%zu: '%s' is not among the policies", r->file,
                   line, label);
}

/* Names that stand in several places must agree. */
static enum fg_status check_names(const struct reader *r)
{
    const struct fg_experiment *e = r->experiment;
    for (size_t i = 0; i < e->n_comparisons; i++) {
        const struct fg_comparison *c = &e->comparisons[i];
        if (!is_entrant(e, c->policy))
            return stranger(r, c->line, c->policy);
        for (size_t j = 0; j < c->n_with; j++)
            if (!is_entrant(e, c->with[j]))
                return stranger(r, c->line, c->with[j]);
    }
    for (size_t i = 0; i < e->n_published; i++)
        if (!is_entrant(e, e->published[i].policy))
            return stranger(r, e->published[i].line, e->published[i].policy);
    for (size_t i = 0; i < e->n_workloads; i++)
        for (size_t j = 0; j < e->workloads[i].n_policies; j++)
            if (!is_entrant(e, e->workloads[i].policies[j]))
                return stranger(r, e->workloads[i].line, e->workloads[i].policies[j]);
    return FG_OK;
}

static enum fg_status check(const struct reader *r)
{
    const struct fg_experiment *e = r->experiment;
    const char *missing = !e->name ? "name" : NULL;
    if (e->kind == FG_KIND_REPLAY && !missing)
        missing = !e->n_workloads ? "workloads" : !e->n_entrants ? "policies" : NULL;
    if (missing)
        return fg_fail(r->err, FG_ECONFIG, "%s: '%s' is missing", r->file, missing);
    for (size_t i = 0; i < e->n_workloads; i++)
        if (!e->workloads[i].n_from != (e->kind == FG_KIND_COVER))
            return fg_fail(r->err, FG_ECONFIG, "%s:%zu: %s", r->file,
                           e->workloads[i].line,
                           e->kind == FG_KIND_COVER
                               ? "covers are of weekly snapshots: sites, seed and scale"
                               : "a workload has one of generate, recording, data and "
                                 "store");
    for (size_t i = 0; e->kind == FG_KIND_REPLAY && i < e->n_workloads; i++)
        if (!e->n_budgets && !e->workloads[i].n_budgets)
            return fg_fail(r->err, FG_ECONFIG, "%s:%zu: a workload without budgets",
                           r->file, e->workloads[i].line);
    return check_names(r);
}

enum fg_status fg_experiment_read(struct fg_experiment *experiment,
                                  struct fg_arena *arena, struct fg_str text,
                                  const char *file, struct fg_err *err)
{
    struct reader r = {
        .arena = arena, .file = file, .experiment = experiment, .err = err};
    struct fg_yaml *root;
    *experiment = (struct fg_experiment){.warm_up = 168,
                                         .seeds = 1,
                                         .charts = ~0U,
                                         .file = file,
                                         .hash = fg_str_hash(text)};
    enum fg_status st = fg_yaml_read(&root, arena, text, file, err);
    if (!st)
        st = take_map(&r, root, experiment_keys, experiment);
    if (!st)
        st = check(&r);
    if (!st && !experiment->title)
        experiment->title = experiment->name;
    if (!st && !experiment->seeds)
        experiment->seeds = 1;
    return st;
}
