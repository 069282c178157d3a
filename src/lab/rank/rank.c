/* rank.c - experiments about the order of results: chapter 5 of Pandey's thesis
 *
 * A workload is a community, a budget the share of its people that are watched, a run the
 * life of a community under one policy with one seed. */
#include "lab/rank/rank.h"

#include "lab/interval.h"

#include <math.h>
#include <string.h>

static const struct fg_metric_info infos[FG_RANK_METRICS] = {
    [FG_QPC] = {"qpc", "quality per click, of the ideal order's", "", 1, 3, false, NULL},
    [FG_QPC_ABSOLUTE] = {"qpc_absolute", "quality per click", "", 1, 4, false, NULL},
    [FG_TBP] = {"tbp", "time to become popular", "d", 1, 0, true, NULL},
    [FG_TBP_IF] = {"tbp_if", "time to become popular, if it does", "d", 1, 0, true, NULL},
    [FG_LOW] = {"low", "time of the best page below 5 % awareness", "%", 100, 1, true,
                NULL},
    [FG_FULL] = {"full", "time of the best page at 100 % awareness", "%", 100, 1, false,
                 NULL},
    [FG_LIKED] = {"liked", "votes that are likes", "%", 100, 2, false, NULL},
};

static const struct fg_wording wording = {
    .figures = "Means over runs",
    .interval = "95 % interval",
    .unit = "run",
    .units = "runs",
    .pairs = "runs",
    .made = "95 %: of means over runs, Student's; of ratios of means, 1,000 draws of the "
            "runs",
};

/* --- planning --- */

static enum fg_status check(const struct fg_entrant *entrant, struct fg_err *err)
{
    const struct fg_rank_policy *policy;
    double knob[FG_PARAMS_MAX];
    return fg_rank_entrant(&policy, knob, entrant, err);
}

static enum fg_status make_world(const struct fg_item *item, void **made,
                                 struct fg_err *err)
{
    (void)err;
    *made = fg_community_new(item->spec);
    return FG_OK;
}

static void free_world(void *world)
{
    fg_community_free(world);
}

/* What is too large to be meant, or too small to be played. */
static const char *wrong_with(const struct fg_community *c)
{
    if (c->pages == 1 || c->pages > 1000000)
        return "a community has from 2 to 1,000,000 pages";
    if (c->users > 10000000)
        return "a community has at most 10,000,000 users";
    if (c->visits < 0 || c->visits > 1e7)
        return "visits are from 1 to 10,000,000 a day";
    if (c->life_days != 0 && !(c->life_days >= 1 && c->life_days <= 1e5))
        return "the life of a page is from 1 to 100,000 days";
    if (c->days > 1000000 || c->warm_up > 1000000 || c->delay_days > 10000)
        return "days and warm_up are at most 1,000,000, a delay at most 10,000 days";
    return NULL;
}

static const char *const sweeps[] = {"pages", "life", "visits", "users", "surfing", NULL};

static enum fg_status add_community(struct fg_supply *supply,
                                    const struct fg_workload *workload, size_t most,
                                    struct fg_err *err)
{
    (void)most;
    const struct fg_community *c = &workload->community;
    if (strcmp(workload->from[0], "community") != 0)
        return fg_fail(err, FG_ECONFIG, "no generator '%s' here; 'community' is the one",
                       workload->from[0]);
    if (wrong_with(c))
        return fg_fail(err, FG_ECONFIG, "%s", wrong_with(c));
    for (size_t i = 0; i < c->n_sweeps; i++)
        if (!fg_label_is_in(sweeps, sizeof sweeps / sizeof *sweeps - 1, c->sweeps[i]))
            return fg_fail(err, FG_ECONFIG,
                           "no sweep '%s'; there are: pages, life, visits, users, "
                           "surfing",
                           c->sweeps[i]);
    double facts[] = {(double)c->pages,
                      (double)c->users,
                      c->visits,
                      c->life_days,
                      c->top,
                      c->surfing,
                      (double)c->delay_days,
                      c->lost,
                      (double)c->feedback,
                      (double)c->days,
                      (double)c->warm_up,
                      (double)c->is_study};
    struct fg_group group = {.name = workload->name ? workload->name : "community",
                             .workload = workload};
    struct fg_item item = {.name = group.name,
                           .spec = c,
                           .stamp = fg_stamp_mix(0, facts, sizeof facts),
                           .luck = workload->seed - 1,
                           .make = make_world};
    fg_supply_put(supply, &group, 0, &item);
    fg_vec_push_in(&supply->arena, &supply->groups, group);
    return FG_OK;
}

/* --- runs --- */

static enum fg_status run(void *into, const struct fg_job *job, struct fg_err *err)
{
    const struct fg_community_world *world = job->item;
    struct fg_rank_run *run = into;
    const struct fg_rank_policy *policy;
    struct fg_community_outcome o;
    double knob[FG_PARAMS_MAX], share = job->budget->value;
    if (!job->budget->is_share)
        return fg_fail(err, FG_ECONFIG, "%s: the budget '%s' is not a share",
                       job->experiment->read.file, job->budget->text);
    enum fg_status st = fg_rank_entrant(&policy, knob, job->entrant, err);
    if (st)
        return st;
    struct fg_rank_setting setting = fg_community_setting(world, share);
    struct fg_ranker *ranker = fg_ranker_new(policy, knob, &setting);
    fg_community_run(&o, world, share, ranker, job->seed);
    fg_ranker_free(ranker);
    *run = (struct fg_rank_run){
        .at = {[FG_QPC] = world->is.surfing > 0 ? NAN : o.quality / world->ideal,
               [FG_QPC_ABSOLUTE] = o.quality,
               [FG_TBP] = o.days_to_top,
               [FG_TBP_IF] = o.days_if,
               [FG_LOW] = o.share[0],
               [FG_FULL] = o.share[FG_AWARENESS_CLASSES - 1],
               [FG_LIKED] = world->is.is_study ? o.liked_share : NAN}};
    memcpy(run->share, o.share, sizeof run->share);
    memcpy(run->reach, o.reach, sizeof run->reach);
    return FG_OK;
}

/* --- figures --- */

/* A figure of each run of an entrant; how many. */
static size_t values_of(const struct fg_findings *f, size_t entrant, size_t metric,
                        double *values)
{
    size_t n = 0;
    for (size_t s = 0; s < f->entrants->seeds[entrant]; s++) {
        const struct fg_rank_run *run = fg_findings_run(f, 0, entrant, s);
        if (run)
            values[n++] = run->at[metric];
    }
    return n;
}

static size_t count_runs(const struct fg_findings *f, size_t entrant)
{
    size_t n = 0;
    while (n < f->entrants->seeds[entrant] && fg_findings_run(f, 0, entrant, n))
        n++;
    return n;
}

static struct fg_figure figure(struct fg_findings *f, size_t entrant, size_t metric)
{
    double *values = FG_NEW(&f->scratch, double, f->entrants->seeds[entrant] + 1);
    return fg_mean_interval(values, values_of(f, entrant, metric, values));
}

/* The ratio of the means, over seeds that both have a figure for. */
static bool compare(struct fg_findings *f, struct fg_pairing *pair, size_t a, size_t b)
{
    size_t most = f->entrants->seeds[a] + f->entrants->seeds[b], n = 0;
    double *ours = FG_NEW(&f->scratch, double, most + 1);
    double *theirs = FG_NEW(&f->scratch, double, most + 1);
    size_t n_ours = values_of(f, a, pair->metric, ours);
    size_t n_theirs = values_of(f, b, pair->metric, theirs);
    for (size_t i = 0; i < n_ours && i < n_theirs; i++) {
        if (isnan(ours[i]) || isnan(theirs[i]))
            continue;
        ours[n] = ours[i];
        theirs[n++] = theirs[i];
        pair->wins += infos[pair->metric].less_is_better ? ours[n - 1] < theirs[n - 1]
                                                         : ours[n - 1] > theirs[n - 1];
    }
    if (!n)
        return false;
    pair->is_ratio = true;
    pair->sites = n;
    pair->figure = fg_bootstrap_pooled(fg_findings_boot(f, n), ours, theirs);
    return !isnan(pair->figure.mean);
}

/* --- the model beside it --- */

/* Only of what it is about: orders by popularity, exactly measured, without surfing. */
static bool has_model(const struct fg_community *c, const struct fg_promotion *how,
                      const struct fg_rank_policy *policy)
{
    return c->has_model && c->feedback == FG_FEEDBACK_EXACT && !(c->surfing > 0) &&
           !c->is_study && !c->delay_days && !(c->lost > 0) &&
           policy->key == fg_rank_by_popularity && !(how->few > 0) && how->degree <= 0.5;
}

static void add_model(struct fg_findings *f, size_t entrant, double watched_share)
{
    const struct fg_community *c = &f->supply->groups.at[f->group].workload->community;
    const struct fg_rank_policy *policy;
    struct fg_rank_model model;
    double knob[FG_PARAMS_MAX];
    if (fg_rank_entrant(&policy, knob, &f->entrants->at[entrant], NULL))
        return;
    struct fg_community_world *world = fg_community_new(c);
    struct fg_rank_setting setting = fg_community_setting(world, watched_share);
    struct fg_ranker *ranker = fg_ranker_new(policy, knob, &setting);
    if (has_model(c, &ranker->promotion, policy)) {
        fg_rank_model_solve(&model,
                            &(struct fg_rank_model_of){.world = world,
                                                       .watched_share = watched_share,
                                                       .how = ranker->promotion});
        const double at[FG_RANK_METRICS] = {[FG_QPC] = model.quality / world->ideal,
                                            [FG_QPC_ABSOLUTE] = model.quality,
                                            [FG_TBP] = model.days_to_top,
                                            [FG_TBP_IF] = model.days_if,
                                            [FG_LOW] = model.share[0],
                                            [FG_FULL] =
                                                model.share[FG_AWARENESS_CLASSES - 1],
                                            [FG_LIKED] = NAN};
        struct fg_row *row = fg_findings_row(
            f, fg_arena_printf(f->arena, "%s, model", f->entrants->at[entrant].label).at,
            1);
        for (size_t m = 0; m < FG_RANK_METRICS; m++)
            row->at[m] = (struct fg_figure){at[m], at[m], at[m]};
    }
    fg_ranker_free(ranker);
    fg_community_free(world);
}

static void tell_cell(struct fg_findings *f)
{
    const struct fg_budget *budgets;
    fg_jobs_budgets(f->jobs, f->group, &budgets);
    for (size_t e = 0; e < f->entrants->n; e++)
        if (fg_findings_wants(f, e))
            add_model(f, e, budgets[f->budget].value);
    fg_rank_draw_cell(f);
}

/* --- what to say of orders --- */

struct order {
    size_t cases, better, surely_better, surely_worse;
    double least; /* the least ratio in its favour */
    const char *least_at;
    struct fg_buf worse;
};

static void add_to_order(struct order *order, const struct fg_pairing *pair)
{
    bool less = infos[pair->metric].less_is_better;
    double favour = less ? 1 / pair->figure.mean : pair->figure.mean;
    bool is_sure = pair->figure.lo > 1 || pair->figure.hi < 1;
    order->cases++;
    order->better += favour >= 1;
    order->surely_better += favour > 1 && is_sure;
    order->surely_worse += favour < 1 && is_sure;
    if (order->cases == 1 || favour < order->least) {
        order->least = favour;
        order->least_at = pair->workload;
    }
    if (favour < 1)
        fg_buf_printf(&order->worse, "%s%s, %s%s", order->worse.len ? "; " : "",
                      pair->workload, pair->budget, is_sure ? "" : " (may be chance)");
}

static void say_order(struct fg_findings *f, const char *policy, const char *reference,
                      size_t metric)
{
    struct order order = {0};
    fg_buf_init(&order.worse, 1 << 12);
    for (size_t i = 0; i < f->pairings.len; i++) {
        const struct fg_pairing *pair = &f->pairings.at[i];
        if (pair->metric == metric && strcmp(pair->policy, policy) == 0 &&
            strcmp(pair->reference, reference) == 0)
            add_to_order(&order, pair);
    }
    if (order.cases > 1)
        fg_findings_remark(f,
                           "In %s, %s is level with %s or better in %zu of %zu "
                           "communities, better for certain (95 %%) in %zu; least ratio "
                           "in its favour %.3f (%s)%s%.*s.",
                           infos[metric].name, policy, reference, order.better,
                           order.cases, order.surely_better, order.least, order.least_at,
                           order.worse.len ? "; worse: " : "",
                           FG_ARG(fg_buf_str(&order.worse)));
    fg_buf_clear(&order.worse);
}

static void tell_end(struct fg_findings *f)
{
    const struct fg_experiment *e = f->experiment;
    for (size_t i = 0; i < e->n_comparisons; i++) {
        const struct fg_comparison *c = &e->comparisons[i];
        for (size_t j = 0; j < c->n_with * c->n_metrics; j++)
            say_order(f, c->policy, c->with[j / c->n_metrics],
                      c->metrics[j % c->n_metrics]);
    }
    fg_rank_draw_sweeps(f);
}

/* --- the kind --- */

static const size_t compared[] = {FG_QPC_ABSOLUTE};
static const char *const charts[] = {"awareness", "popularity", "degree", "sweep", NULL};

const struct fg_experiment_kind fg_experiment_rank = {
    .name = "rank",
    .task = FG_RANKING,
    .check = check,
    .workload_keys = fg_workload_community_keys,
    .source = "a workload is 'generate: community'",
    .budget = "a budget is the share of people that are watched, such as 10 %",
    .most_percent = 100,
    FG_COMPARED(compared),
    .charts = charts,
    .record = "community",
    .records = "communities",
    .add = add_community,
    .free_item = free_world,
    .runs.bytes = sizeof(struct fg_rank_run),
    .runs.run = run,
    .metrics.info = infos,
    .metrics.n = FG_RANK_METRICS,
    .wording = &wording,
    .findings.count = count_runs,
    .findings.figure = figure,
    .findings.compare = compare,
    .findings.tell_cell = tell_cell,
    .findings.tell_end = tell_end,
};
