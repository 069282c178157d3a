#include "base/file.h"
#include "base/opt.h"
#include "lab/experiment_kind.h"
#include "lab/generate/generate.h"
#include "lab/metric.h"
#include "lab/refresh/offers.h"
#include "lab/replay.h"
#include "test.h"

#include <dirent.h>

static struct fg_arena arena;
static struct fg_experiment experiment;
static struct fg_err err;

static enum fg_status read_text(const char *text)
{
    fg_arena_clear(&arena);
    err = (struct fg_err){0};
    return fg_experiment_read(&experiment, &arena, fg_str_from(text), "x.yaml", &err);
}

static void assert_refused(const char *text, const char *message)
{
    assert_int_equal(read_text(text), FG_ECONFIG);
    assert_string_equal(err.text, message);
}

#define LEAST                \
    "name: a\n"              \
    "workloads:\n"           \
    "  - {generate: news}\n" \
    "policies: [round-robin]\n"

static void claims_points_of_curves_and_parameters_are_read(void **state)
{
    (void)state;
    assert_int_equal(
        read_text("name: a\n"
                  "workloads:\n"
                  "  - {generate: news, params: {articles: 3.5, mirrors: [0, .1]}}\n"
                  "budgets: [5]\n"
                  "policies: [thompson, pham]\n"
                  "published:\n"
                  "  - {policy: pham, metric: regret, value: 10, at: 75}\n"
                  "claims:\n"
                  "  - {policy: thompson, over: pham, metric: coverage, by: 1.2,\n"
                  "     where: Figure 4}\n"),
        FG_OK);
    const struct fg_workload *w = &experiment.workloads[0];
    assert_int_equal(w->making.n_params, 2);
    assert_string_equal(w->making.params[0].name, "articles");
    assert_near(w->making.params[0].from, 3.5, 0);
    assert_near(w->making.params[1].to, .1, 0);
    assert_near(experiment.published[0].at, 75, 0);
    assert_int_equal(experiment.n_claims, 1);
    assert_string_equal(experiment.claims[0].over[0], "pham");
    assert_near(experiment.claims[0].by, 1.2, 0);
    assert_refused(
        "name: a\nworkloads:\n  - {generate: news, params: {artikles: 3}}\n",
        "x.yaml:3: artikles: no such parameter of a generator, or no value of its kind; "
        "docs/lab.md has them");
    static const char *const beyond[][2] = {
        {"articles: -3", "articles: a number from 0 to 1000 is expected"},
        {"articles: 1e30", "articles: a number from 0 to 1000 is expected"},
        {"missing: 5", "missing: a number from 0 to 1 is expected"},
        {"home_share: 7", "home_share: a number from 0 to 1 is expected"},
        {"section_shows: [-5, -1]",
         "section_shows: a number from 1 to 10000 is expected"},
        {"articles_spread: -1", "articles_spread: a number from 0 to 3 is expected"}};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        char text[200], message[200];
        snprintf(text, sizeof text,
                 "name: a\nworkloads:\n  - {generate: news, params: {%s}}\n",
                 beyond[i][0]);
        snprintf(message, sizeof message, "x.yaml:3: %s", beyond[i][1]);
        assert_refused(text, message);
    }
    assert_refused(
        "name: a\nkind: refresh\nworkloads:\n  - {generate: restless, runs: 0}\n",
        "x.yaml:4: runs: a whole number from 1 on is expected");
    assert_refused(LEAST "budgets: [5]\nclaims: [{policy: round-robin, over: pham, "
                         "where: here}]\n",
                   "x.yaml:6: 'pham' is not among the policies");
}

static void everything_that_can_be_said_is_read(void **state)
{
    (void)state;
    assert_int_equal(
        read_text("name: all\n"
                  "title: All there is\n"
                  "paper: Somebody\n"
                  "kind: replay\n"
                  "workloads:\n"
                  "  - {name: n, generate: news, sites: 3, hours: 200, history: 9,\n"
                  "     seed: 7, relevant: 40 %, focused: true, budgets: [1],\n"
                  "     policies: [bold]}\n"
                  "  - {data: [a, 'b*'], part: wholes}\n"
                  "  - {store: ws}\n"
                  "budgets: [5, 10 %, 2.5%]\n"
                  "policies:\n"
                  "  - thompson\n"
                  "  - {policy: thompson, label: bold, alpha: 5, seeds: 3}\n"
                  "warm_up: 24\n"
                  "seeds: 2\n"
                  "compare:\n"
                  "  - {policy: bold, with: [thompson], metrics: [found], fewer: 0.1 %}\n"
                  "  - {policy: bold, with: oracle}\n"
                  "published:\n"
                  "  - {workload: n, budget: 1, policy: bold, metric: regret,\n"
                  "     value: -1.5, where: Figure 1}\n"
                  "remarks: [one, two]\n"
                  "charts: [regret, choices]\n"),
        FG_OK);
    const struct fg_workload *w = experiment.workloads;
    assert_string_equal(experiment.title, "All there is");
    assert_int_equal(experiment.n_workloads, 3);
    assert_int_equal(w[0].kind, FG_WORK_GENERATE);
    assert_int_equal(w[0].sites * 1000000 + w[0].hours * 1000 + w[0].history * 10 +
                         w[0].seed,
                     3200097);
    assert_near(w[0].making.relevant, 0.4, 1e-12);
    assert_true(w[0].focused && w[0].n_budgets == 1 && w[0].n_policies == 1);
    assert_true(w[1].kind == FG_WORK_DATA && w[1].n_from == 2 &&
                w[1].part == FG_PART_WHOLES);
    assert_string_equal(w[1].from[1], "b*");
    assert_int_equal(w[2].kind, FG_WORK_STORE);
    assert_int_equal(experiment.n_entrants, 2);
    assert_string_equal(experiment.entrants[1].label, "bold");
    assert_int_equal(experiment.entrants[1].seeds, 3);
    assert_string_equal(experiment.entrants[1].knobs[0].name, "alpha");
    assert_near(experiment.entrants[1].knobs[0].value, 5, 0);
    assert_true(experiment.warm_up == 24 && experiment.seeds == 2);
    assert_int_equal(experiment.comparisons[0].metrics[0], FG_FOUND);
    assert_near(experiment.comparisons[0].fewer, 0.001, 1e-12);
    assert_int_equal(experiment.comparisons[1].n_metrics, 4);
    assert_true(isnan(experiment.comparisons[1].fewer));
    assert_near(experiment.published[0].value, -1.5, 0);
    assert_string_equal(experiment.remarks[1], "two");
    assert_int_equal(experiment.drawing.charts, FG_CHART_OF_REGRET | FG_CHART_OF_CHOICES);
}

static void what_is_not_said_has_a_default(void **state)
{
    (void)state;
    assert_int_equal(read_text(LEAST "budgets: [5]\n"), FG_OK);
    assert_true(experiment.warm_up == 168 && experiment.seeds == 1);
    assert_string_equal(experiment.title, "a");
    assert_int_equal(experiment.workloads[0].seed, 1);
    assert_int_equal(experiment.workloads[0].part, FG_PART_SITES);
    assert_int_equal(experiment.drawing.charts & 15, 15);
    uint64_t hash = experiment.read.hash;
    assert_int_equal(read_text(LEAST "budgets: [6]\n"), FG_OK);
    assert_true(experiment.read.hash != hash);
}

static void mistakes_are_named_with_their_line(void **state)
{
    (void)state;
    assert_refused(
        LEAST "budgetz: [5]\n",
        "x.yaml:5: unknown key 'budgetz'; there are: name, title, paper, kind, "
        "workloads, budgets, policies, warm_up, seeds, short, compare, published, "
        "claims, figures, best_of, arms_at, drawn, remarks, charts");
    assert_refused("name: a\nworkloads:\n  - {generate: news, size: 3}\n",
                   "x.yaml:3: unknown key 'size'; there are: name, generate, recording, "
                   "data, store, part, sites, hours, history, seed, params, prepare, "
                   "relevant, scale, "
                   "focused, budgets, policies, long");
    assert_refused(LEAST
                   "compare:\n  - {policy: round-robin, with: [x], metrics: [speed]}",
                   "x.yaml:6: unknown metric 'speed'; there are: coverage, overhead, "
                   "htd_p50, htd_p90, regret, coverage_all, coverage_late, regret_late, "
                   "found, overhead_new");
    assert_refused(LEAST "kind: dream\n",
                   "x.yaml:5: unknown kind 'dream'; there are: "
                   "replay, cover, refresh, joint, what-if, quality, ads, rank");
    assert_refused("name: a\nname: b\n",
                   "x.yaml:2: 'name' is given twice; the first is on line 1");
    assert_refused("name: [a\n", "x.yaml:2: not YAML: did not find expected ',' or ']'");
    assert_refused("a: *b\n",
                   "x.yaml:1: anchors (&), aliases (*) and tags (!) are not understood "
                   "here; a text that starts so wants quotes");
    assert_refused("", "x.yaml:1: the file is empty");
    assert_refused("- a\n", "x.yaml:1: keys and values are expected");
}

static void values_are_checked(void **state)
{
    (void)state;
    assert_refused(LEAST "budgets: [0]\n",
                   "x.yaml:5: a budget is visits an hour, such as 5, or a share of the "
                   "sources, such as 10 %");
    assert_refused(LEAST "budgets: [1.5]\n",
                   "x.yaml:5: a budget is visits an hour, such as 5, or a share of the "
                   "sources, such as 10 %");
    assert_refused(LEAST "budgets: 5\n", "x.yaml:5: budgets: a list is expected");
    assert_refused(LEAST "warm_up: soon\n",
                   "x.yaml:5: warm_up: a whole number is expected");
    assert_refused("name: a\nworkloads: [{generate: news, focused: perhaps}]\n",
                   "x.yaml:2: focused: 'true' or 'false' is expected");
    assert_refused("name: a\nworkloads: [{sites: 4}]\npolicies: [b]\n",
                   "x.yaml:2: a workload has one of generate, recording, data and store");
    assert_refused("name: a\nkind: cover\nworkloads: [{generate: news}]\n",
                   "x.yaml:3: covers are of weekly snapshots: sites, seed and scale");
    assert_refused("name: a\nworkloads: [{generate: news, data: x}]\n",
                   "x.yaml:2: data: a workload has one of generate, recording, data and "
                   "store");
    assert_refused("name: a\nworkloads: [{generate: news}]\npolicies: [{alpha: 1}]\n",
                   "x.yaml:3: a policy is a name, or {policy: NAME, knobs...}");
}

#define FRESH                                                         \
    "workloads:\n"                                                    \
    "  - {generate: restless, setting: 2, runs: 3, budgets: [1]}\n"   \
    "  - {changes: [a*, b], weights: [equal, weighted], step: 30m}\n" \
    "policies: [uniform, {policy: kab5, label: kab}]\n"               \
    "budgets: [0.1 %, 2400 %]\n"

static void experiments_may_be_about_refreshing(void **state)
{
    (void)state;
    assert_int_equal(
        read_text(FRESH
                  "compare: [{policy: kab, with: uniform}]\n"
                  "published: [{policy: kab, metric: click_freshness, value: 0.9}]\n"
                  "best_of: {name: best published, policies: [uniform], of: [kab]}\n"
                  "arms_at: [0.1 %]\ndrawn: [kab]\ncharts: [arms, reward]\n"
                  "name: a\nkind: refresh\n"), /* wherever the kind stands */
        FG_OK);
    const struct fg_workload *w = experiment.workloads;
    assert_ptr_equal(experiment.kind, &fg_experiment_refresh);
    assert_true(w[0].refresh.setting == 2 && w[0].refresh.runs == 3 &&
                w[0].kind == FG_WORK_GENERATE);
    assert_true(w[1].kind == FG_WORK_CHANGES && w[1].n_from == 2 &&
                w[1].refresh.n_weights == 2);
    assert_int_equal(w[1].refresh.weights[1], FG_WISH_WEIGHTED);
    assert_int_equal(w[1].refresh.step, 30 * FG_MINUTE);
    assert_near(experiment.budgets[1].value, 24, 1e-12);
    assert_int_equal(experiment.comparisons[0].n_metrics, 2);
    assert_int_equal(experiment.comparisons[0].metrics[1], FG_PAGE_FRESHNESS);
    assert_int_equal(experiment.published[0].metric, FG_CLICK_FRESHNESS);
    assert_string_equal(experiment.drawing.best_of.name, "best published");
    assert_string_equal(experiment.drawing.best_of.of[0], "kab");
    assert_string_equal(experiment.drawing.arms_at[0], "0.1 %");
    assert_true(experiment.drawing.n_policies == 1 &&
                strcmp(experiment.drawing.policies[0], "kab") == 0);
    assert_int_equal(experiment.drawing.charts, FG_CHART_OF_ARMS | FG_CHART_OF_REWARD);
}

static void an_experiment_may_be_shortened(void **state)
{
    (void)state;
    static const char text[] =
        "name: a\n"
        "kind: refresh\n"
        "workloads:\n"
        "  - {generate: offers, pages: 20000}\n"
        "  - {generate: offers, failures: 5 %, steady: {0.01: 80 %, 0.2: 0.1}}\n"
        "  - {generate: restless, long: true}\n"
        "budgets: [1 %, 5 %, 10 %]\n"
        "policies: [uniform, {policy: kab5, label: often, seeds: 7}]\n"
        "seeds: 3\n"
        "short: {sites: 4, pages: 500, fewer_seeds: 3, budgets: [10 %]}\n";
    assert_int_equal(read_text(text), FG_OK);
    const struct fg_workload *steady = &experiment.workloads[1];
    assert_near(steady->refresh.failures, .05, 1e-12);
    assert_int_equal(steady->refresh.n_steady, 2);
    assert_near(steady->refresh.steady[0].rate, .01, 1e-12);
    assert_near(steady->refresh.steady[1].share, .1, 1e-12);
    uint64_t whole = experiment.read.hash;
    fg_experiment_shorten(&experiment);
    assert_true(experiment.shortening.is_on);
    assert_true(experiment.read.hash != whole); /* no journal of the one is the other's */
    assert_int_equal(experiment.n_workloads, 2);
    assert_int_equal(experiment.workloads[0].refresh.pages, 500);
    assert_int_equal(experiment.workloads[1].refresh.pages, 500);
    assert_int_equal(experiment.n_budgets, 1);
    assert_string_equal(experiment.budgets[0].text, "10 %");
    assert_int_equal(experiment.seeds, 1);
    assert_int_equal(experiment.entrants[0].seeds, 0);
    assert_int_equal(experiment.entrants[1].seeds, 3);
    assert_int_equal(experiment.shortening.sites, 4);
    assert_int_equal(read_text(text), FG_OK);
    assert_int_equal(fg_experiment_only(&experiment, "restless", &err), FG_OK);
    fg_experiment_shorten(&experiment);
    assert_int_equal(experiment.n_workloads, 1); /* long, but asked for */
    assert_int_equal(fg_experiment_only(&experiment, "x", &err), FG_ECONFIG);
    assert_string_equal(err.text, "no workload 'x' in 'a'; there are: 'restless'");
    assert_int_equal(read_text(LEAST "budgets: [5]\n"), FG_OK);
    whole = experiment.read.hash;
    fg_experiment_shorten(&experiment); /* nothing may be cut */
    assert_false(experiment.shortening.is_on);
}

static void refreshing_has_mistakes_of_its_own(void **state)
{
    (void)state;
    assert_refused("name: a\nkind: refresh\nworkloads:\n"
                   "  - {generate: offers, steady: {0.1: 60 %, 0.2: 50 %}}\n",
                   "x.yaml:4: steady: the shares add up to more than 1");
    assert_refused("name: a\nkind: refresh\nworkloads:\n"
                   "  - {generate: offers, steady: {often: 60 %}}\n",
                   "x.yaml:4: often: changes a day are a number from 0 to 100");
    static const char *const fresh = "name: a\nkind: refresh\n";
    char text[1024];
    snprintf(text, sizeof text, "%sworkloads: [{data: x}]\n", fresh);
    assert_refused(text,
                   "x.yaml:3: unknown key 'data'; there are: name, generate, changes, "
                   "pages, own, failures, steady, setting, rates, runs, seed, weights, "
                   "step, budgets, policies, long");
    snprintf(text, sizeof text, "%sworkloads: [{seed: 1}]\npolicies: [b]\n", fresh);
    assert_refused(text, "x.yaml:3: a workload has one of generate and changes");
    snprintf(text, sizeof text, "%sworkloads: [{changes: x, weights: heavy}]\n", fresh);
    assert_refused(
        text, "x.yaml:3: unknown weights 'heavy'; there are: equal, own, zipf, weighted");
    snprintf(text, sizeof text, "%sworkloads: [{changes: x, step: 3}]\n", fresh);
    assert_refused(text, "x.yaml:3: step: a span of time is expected, such as 30m or 2h");
    snprintf(text, sizeof text, "%s%sbest_of: [other]\n", fresh, FRESH);
    assert_refused(text, "x.yaml:8: 'other' is not among the policies");
    snprintf(text, sizeof text, "%s%sdrawn: [uniform, other]\n", fresh, FRESH);
    assert_refused(text, "x.yaml:8: 'other' is not among the policies");
    assert_refused(LEAST "budgets: [5]\ndrawn: [round-robin]\n",
                   "x.yaml:6: drawn: only for kind: refresh");
    snprintf(text, sizeof text, "%s%scharts: [regrets]\n", fresh, FRESH);
    assert_refused(text, "x.yaml:8: unknown chart 'regrets'; there are: freshness, gain, "
                         "arms, reward, regret");
    assert_refused(LEAST "budgets: [5]\nbest_of: [round-robin]\n",
                   "x.yaml:6: 'best_of' is for kind: refresh");
}

static void names_must_agree(void **state)
{
    (void)state;
    assert_refused("title: a\n", "x.yaml: 'name' is missing");
    assert_refused("name: a\n", "x.yaml: 'workloads' is missing");
    assert_refused("name: a\nworkloads: [{generate: news}]\n",
                   "x.yaml: 'policies' is missing");
    assert_refused(LEAST, "x.yaml:3: a workload without budgets");
    assert_refused(LEAST
                   "budgets: [1]\ncompare:\n  - {policy: pham, with: [round-robin]}\n",
                   "x.yaml:7: 'pham' is not among the policies");
    assert_refused(LEAST "budgets: [1]\npublished:\n  - {policy: pham, value: 1}\n",
                   "x.yaml:7: 'pham' is not among the policies");
    assert_refused("name: a\nworkloads: [{generate: news}]\nbudgets: [1]\n"
                   "policies: [a, {policy: a, alpha: 2}]\n",
                   "x.yaml:4: two policies are called 'a'; give one a label");
}

static void a_share_is_rounded_and_at_least_one(void **state)
{
    (void)state;
    struct fg_budget budget;
    assert_true(fg_budget_read(&budget, &arena, FG_STR("5%")));
    assert_string_equal(budget.text, "5 %");
    assert_int_equal(fg_budget_visits(&budget, 7), 1);
    assert_int_equal(fg_budget_visits(&budget, 67), 3);
    assert_true(fg_budget_read(&budget, &arena, FG_STR("10 %")));
    assert_int_equal(fg_budget_visits(&budget, 15), 2);
    assert_int_equal(fg_budget_visits(&budget, 67), 7);
    assert_true(fg_budget_read(&budget, &arena, FG_STR("20")));
    assert_int_equal(fg_budget_visits(&budget, 7), 20);
    assert_false(fg_budget_read(&budget, &arena, FG_STR("-1")));
    assert_false(fg_budget_read(&budget, &arena, FG_STR("101 %")));
    assert_false(fg_budget_read(&budget, &arena, FG_STR("many")));
    fg_arena_clear(&arena);
}

static void experiments_that_come_with_it_are_good(void **state)
{
    (void)state;
    DIR *dir = opendir("experiments");
    assert_non_null(dir);
    size_t n = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        struct fg_str text, name = fg_str_from(entry->d_name);
        char path[512];
        if (!fg_str_ends(name, FG_STR(".yaml")))
            continue;
        snprintf(path, sizeof path, "experiments/%s", entry->d_name);
        fg_arena_clear(&arena);
        assert_int_equal(fg_file_read(&text, &arena, path, FG_YAML_MAX, &err), FG_OK);
        if (fg_experiment_read(&experiment, &arena, text, path, &err))
            fail_msg("%s", err.text);
        assert_str(fg_str_sub(name, 0, name.len - 5), experiment.name);
        n++;
    }
    closedir(dir);
    assert_true(n >= 6);
    fg_arena_clear(&arena);
}

FG_TESTS(claims_points_of_curves_and_parameters_are_read,
         everything_that_can_be_said_is_read, what_is_not_said_has_a_default,
         mistakes_are_named_with_their_line, values_are_checked,
         experiments_may_be_about_refreshing, an_experiment_may_be_shortened,
         refreshing_has_mistakes_of_its_own, names_must_agree,
         a_share_is_rounded_and_at_least_one, experiments_that_come_with_it_are_good)
