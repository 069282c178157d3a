/* joint.c - experiments about one budget for sources, first fetches and documents
 *
 * The question is what one price gains over fixed shares, also over the shares that turn
 * out best: every policy is run on the same crawl, and what it had is compared week by
 * week, a week being what is drawn again for the intervals. */
#include "lab/findings.h"
#include "lab/joint/joint_run.h"
#include "lab/replay.h"

#include <math.h>
#include <string.h>

enum {
    WORTH,
    FOUND,
    DELAY,
    FRESH,
    SOURCES,
    FIRSTS,
    WORST_DAY,
    DAYS_OFF,
    BUSIEST,
    METRICS,
};

static const struct fg_metric_info infos[METRICS] = {
    [WORTH] = {"worth", "of all worth there was", "%", 100, 2, false, NULL},
    [FOUND] = {"found", "new pages found", "%", 100, 2, false, NULL},
    [DELAY] = {"htd_p90", "hours to discovery, 90 %", "h", 1, 1, true, NULL},
    [FRESH] = {"fresh", "weighted freshness", "%", 100, 2, false, NULL},
    [SOURCES] = {"sources", "fetches of sources", "%", 100, 1, false, NULL},
    [FIRSTS] = {"firsts", "first fetches", "%", 100, 1, false, NULL},
    [WORST_DAY] = {"worst_day", "largest error of a day's spending", "%", 100, 2, true,
                   NULL},
    [DAYS_OFF] = {"days_off", "days over 1 % off", "", 1, 0, true, NULL},
    [BUSIEST] = {"busiest", "busiest tick, in mean ticks", "", 1, 1, true, NULL},
};

static const struct fg_wording wording = {
    .figures = "Sums over weeks",
    .interval = "95 % bootstrap interval over weeks",
    .unit = "week",
    .units = "weeks",
    .pairs = "weeks",
    .made = "weeks drawn again, 1,000 times",
};

/* --- policies --- */

static const struct {
    const char *name, *discovery;
    bool is_priced;
} players[] = {
    {"forage", "forage", true},
    {"split", "forage", false},
    {"split-link-types", "link-types", false},
    {"split-thompson", "thompson", false},
    {"split-round-robin", "round-robin", false},
};
enum { PLAYERS = sizeof players / sizeof *players };

/* Shares as they were fixed until now. */
static const double usual_sources = 0.8, usual_first = 0.4;

static enum fg_status rules_of(struct fg_joint_rules *rules,
                               const struct fg_entrant *entrant, struct fg_err *err)
{
    size_t p = 0;
    while (p < PLAYERS && strcmp(players[p].name, entrant->policy) != 0)
        p++;
    if (p == PLAYERS)
        return fg_fail(err, FG_ECONFIG,
                       "no policy '%s' of a whole budget; there are: forage, split, "
                       "split-link-types, split-thompson, split-round-robin",
                       entrant->policy);
    *rules = (struct fg_joint_rules){
        .discovery = fg_policy_find(fg_str_from(players[p].discovery), FG_DISCOVERY),
        .refresh = fg_policy_find(FG_STR("lomax"), FG_REFRESH),
        .is_priced = players[p].is_priced,
        .sources = usual_sources,
        .first = usual_first};
    for (size_t i = 0; i < entrant->n_knobs; i++) {
        const struct fg_knob *knob = &entrant->knobs[i];
        bool is_sources = strcmp(knob->name, "sources") == 0;
        if (rules->is_priced || !(is_sources || strcmp(knob->name, "first") == 0) ||
            !(knob->value >= 0 && knob->value <= 1))
            return fg_fail(err, FG_ECONFIG,
                           "policy '%s' has no parameter '%s' of %g; a split has sources "
                           "and first, from 0 to 1",
                           entrant->policy, knob->name, knob->value);
        *(is_sources ? &rules->sources : &rules->first) = knob->value;
    }
    return FG_OK;
}

static enum fg_status check(const struct fg_entrant *entrant, struct fg_err *err)
{
    struct fg_joint_rules rules;
    return rules_of(&rules, entrant, err);
}

/* --- crawls --- */

static enum fg_status make(const struct fg_item *item, void **made, struct fg_err *err)
{
    struct fg_joint_world *world = NULL;
    enum fg_status st = fg_joint_world_load(&world, item->spec, err);
    *made = world;
    return st;
}

static void free_world(void *world)
{
    fg_joint_world_free(world);
}

static const char *folder_of(struct fg_supply *supply, const char *name)
{
    if (strchr(name, '/') || !supply->data)
        return name;
    return fg_arena_printf(&supply->arena, "%s/%s", supply->data, name).at;
}

static uint64_t stamp_of(const struct fg_joint_spec *spec)
{
    uint64_t stamp = fg_stamp_mix(spec->seed, &spec->wants, sizeof spec->wants);
    stamp = fg_stamp_files(stamp, spec->recording);
    for (size_t i = 0; i < spec->n_histories; i++)
        stamp = fg_stamp_files(stamp, spec->histories[i]);
    return stamp;
}

static enum fg_status add(struct fg_supply *supply, const struct fg_workload *workload,
                          size_t most, struct fg_err *err)
{
    if (workload->n_from != 1)
        return fg_fail(err, FG_ECONFIG, "a crawl has one recording");
    struct fg_joint_spec *spec = FG_NEW(&supply->arena, struct fg_joint_spec, 1);
    spec->recording = folder_of(supply, workload->from[0]);
    spec->n_histories = workload->joint.n_documents;
    spec->histories =
        FG_NEW(&supply->arena, const char *, workload->joint.n_documents + 1);
    for (size_t i = 0; i < workload->joint.n_documents; i++)
        spec->histories[i] = folder_of(supply, workload->joint.documents[i]);
    spec->seed = workload->seed;
    spec->wants = (struct fg_wants){
        .keeps = workload->joint.keeps > 0 ? workload->joint.keeps : 0.8,
        .loses = workload->joint.loses > 0 ? workload->joint.loses : 6,
        .content = workload->joint.content,
        .fresh = workload->joint.fresh};
    struct fg_group group = {.name = workload->name ? workload->name : workload->from[0],
                             .workload = workload};
    fg_supply_put(
        supply, &group, most,
        &(struct fg_item){
            .name = group.name, .spec = spec, .stamp = stamp_of(spec), .make = make});
    fg_vec_push_in(&supply->arena, &supply->groups, group);
    return FG_OK;
}

static enum fg_status run(void *into, const struct fg_job *job, struct fg_err *err)
{
    struct fg_joint_rules rules;
    enum fg_status st = rules_of(&rules, job->entrant, err);
    rules.budget = job->budget->value;
    rules.seed = job->seed;
    if (!st && job->budget->is_share)
        st = fg_fail(err, FG_ECONFIG, "a budget is a number of fetches a day");
    return st ? st : fg_joint_run(into, job->item, &rules, err);
}

/* --- figures --- */

static const struct fg_joint_run *run_of(const struct fg_findings *f, size_t entrant)
{
    return fg_findings_run(f, 0, entrant, 0);
}

/* Worth by week, of all kinds. */
static void sum_weeks(const struct fg_joint_run *run, double *had, double *there)
{
    for (size_t w = 0; w < FG_JOINT_WEEKS; w++) {
        had[w] = run->links.had[w] + run->content.had[w] + run->documents.had[w];
        there[w] = run->links.there[w] + run->content.there[w] + run->documents.there[w];
    }
}

static struct fg_figure pooled(struct fg_findings *f, const struct fg_joint_run *run,
                               const double *had, const double *there)
{
    return fg_bootstrap_pooled(fg_findings_boot(f, (size_t)run->weeks), had, there);
}

static struct fg_figure figure(struct fg_findings *f, size_t entrant, size_t metric)
{
    const struct fg_joint_run *run = run_of(f, entrant);
    double had[FG_JOINT_WEEKS], there[FG_JOINT_WEEKS];
    if (!run)
        return (struct fg_figure){NAN, NAN, NAN};
    double all = run->looks + run->firsts + run->visits, value = NAN;
    if (metric == WORTH) {
        sum_weeks(run, had, there);
        return pooled(f, run, had, there);
    }
    if (metric == FOUND)
        return pooled(f, run, run->found.had, run->found.there);
    if (metric == FRESH)
        return pooled(f, run, run->fresh.had, run->fresh.there);
    switch (metric) {
    case DELAY:
        value = run->delay_p90;
        break;
    case SOURCES:
        value = run->looks / all;
        break;
    case FIRSTS:
        value = run->firsts / all;
        break;
    case WORST_DAY:
        value = run->worst_day;
        break;
    case DAYS_OFF:
        value = run->days_off;
        break;
    default:
        value = run->busiest;
    }
    return (struct fg_figure){value, value, value};
}

static size_t count_weeks(const struct fg_findings *f, size_t entrant)
{
    const struct fg_joint_run *run = run_of(f, entrant);
    return run ? (size_t)run->weeks : 0;
}

static bool compare_runs(struct fg_findings *f, struct fg_pairing *pair,
                         const struct fg_joint_run *ours,
                         const struct fg_joint_run *theirs)
{
    double a[FG_JOINT_WEEKS], b[FG_JOINT_WEEKS], all[FG_JOINT_WEEKS];
    if (!ours || !theirs)
        return false;
    sum_weeks(ours, a, all);
    sum_weeks(theirs, b, all);
    pair->is_ratio = true;
    pair->figure = pooled(f, ours, a, b);
    pair->sites = (size_t)ours->weeks;
    for (size_t w = 0; w < pair->sites; w++)
        pair->wins += a[w] > b[w];
    return !isnan(pair->figure.mean);
}

static bool compare(struct fg_findings *f, struct fg_pairing *pair, size_t a, size_t b)
{
    return pair->metric == WORTH && compare_runs(f, pair, run_of(f, a), run_of(f, b));
}

/* --- the best split, picked with hindsight --- */

static double worth_of(struct fg_findings *f, size_t entrant)
{
    return figure(f, entrant, WORTH).mean;
}

static void tell_cell(struct fg_findings *f)
{
    size_t best = SIZE_MAX, splits = 0;
    for (size_t e = 0; e < f->entrants->n; e++) {
        if (strcmp(f->entrants->at[e].policy, "split") != 0 || !run_of(f, e))
            continue;
        splits++;
        best = best == SIZE_MAX || worth_of(f, e) > worth_of(f, best) ? e : best;
    }
    for (size_t e = 0; e < f->entrants->n && splits > 1; e++) {
        struct fg_pairing pair = {.workload = f->name,
                                  .budget = f->budget_text,
                                  .policy = fg_findings_keep(f, f->entrants->at[e].label),
                                  .reference = "best split",
                                  .metric = WORTH,
                                  .published = NAN,
                                  .chosen =
                                      fg_findings_keep(f, f->entrants->at[best].label)};
        if (strcmp(f->entrants->at[e].policy, "forage") == 0 &&
            compare_runs(f, &pair, run_of(f, e), run_of(f, best)))
            fg_vec_push_in(f->arena, &f->pairings, pair);
    }
}

/* Over all workloads and budgets: the gains of one price over each that it is compared
 * with. */
static void tell_end(struct fg_findings *f)
{
    static const char *const references[] = {"best split", "split"};
    for (size_t r = 0; r < 2; r++) {
        double sum = 0, least = INFINITY, most = -INFINITY, n = 0;
        for (size_t i = 0; i < f->pairings.len; i++) {
            const struct fg_pairing *pair = &f->pairings.at[i];
            if (strcmp(pair->policy, "forage") != 0 ||
                strcmp(pair->reference, references[r]) != 0)
                continue;
            double gain = 100 * (pair->figure.mean - 1);
            sum += gain;
            least = fmin(least, gain);
            most = fmax(most, gain);
            n++;
        }
        if (n > 1)
            fg_findings_remark(f,
                               "One price against %s: %+.2f %% worth on the mean of %g "
                               "cells, %+.2f to %+.2f %%.",
                               references[r], sum / n, n, least, most);
    }
}

/* --- the kind --- */

static const size_t compared[] = {WORTH};
static const char *const charts[] = {NULL};

const struct fg_experiment_kind fg_experiment_joint = {
    .name = "joint",
    .check = check,
    .workload_keys = fg_workload_joint_keys,
    .source = "a workload has one of data and recording",
    .budget = "a budget is fetches a day, such as 400",
    .most_percent = 100,
    FG_COMPARED(compared),
    .charts = charts,
    .record = "recording",
    .records = "recordings",
    .add = add,
    .free_item = free_world,
    .runs.bytes = sizeof(struct fg_joint_run),
    .runs.run = run,
    .metrics.info = infos,
    .metrics.n = METRICS,
    .metrics.n_main = 8,
    .wording = &wording,
    .findings.count = count_weeks,
    .findings.figure = figure,
    .findings.compare = compare,
    .findings.tell_cell = tell_cell,
    .findings.tell_end = tell_end,
};
