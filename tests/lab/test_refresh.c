/* Small experiments about refreshing, from the YAML to the figures. */
#include "lab/jobs.h"
#include "lab/metric.h"
#include "lab/refresh/history.h"
#include "lab/refresh/replay.h"
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

enum { PAGES = 120, DAYS = 30 };

static char data[] = "/tmp/forage-trials-XXXXXX";
static struct fg_arena arena;
static struct fg_experiment experiment;

static FILE *open_in(const char *set, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", data, set);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/%s", data, set, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    return f;
}

/* Page i of the set changes every `period` + i % 7 hours. */
static void write_set(const char *set, long period)
{
    FILE *pages = open_in(set, "pages.tsv"), *changes = open_in(set, "changes.tsv");
    for (long i = 0; i < PAGES; i++) {
        fprintf(pages, "%ld\t0\t%d\t0\td%ld/p%ld\t%ld\n", i, DAYS * 86400, i % 3, i, i);
        for (long t = (period + i % 7) * 3600 + i; t < DAYS * 86400L;
             t += (period + i % 7) * 3600)
            fprintf(changes, "%ld\t%ld\n", i, t);
    }
    fclose(pages);
    fclose(changes);
}

static void make_data(void)
{
    assert_non_null(mkdtemp(data));
    write_set("brisk", 24);
    write_set("calm", 100);
}

static void drop_data(void)
{
    static const char *const names[] = {"brisk/pages.tsv", "brisk/changes.tsv",
                                        "calm/pages.tsv", "calm/changes.tsv"};
    char path[256];
    for (size_t i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", data, names[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/brisk", data);
    rmdir(path);
    snprintf(path, sizeof path, "%s/calm", data);
    rmdir(path);
    rmdir(data);
    strcpy(data, "/tmp/forage-trials-XXXXXX");
    fg_arena_clear(&arena);
}

static const char text[] = "name: small\n"
                           "kind: refresh\n"
                           "workloads:\n"
                           "  - {changes: ['*'], weights: [equal, own]}\n"
                           "  - {generate: restless, runs: 3, budgets: [1]}\n"
                           "policies: [round-robin, uniform, random]\n"
                           "budgets: [50 %, 200 %]\n"
                           "seeds: 2\n"
                           "compare:\n"
                           "  - {policy: round-robin, with: [random],\n"
                           "     metrics: [click_freshness, stale, reward]}\n"
                           "best_of: {name: best, policies: [uniform, random]}\n"
                           "published:\n"
                           "  - {policy: uniform, workload: calm own, budget: 50 %,\n"
                           "     metric: page_freshness, value: 0.5}\n";

static struct fg_jobs *plan(const struct fg_jobs_options *options)
{
    struct fg_jobs *trials;
    struct fg_err err = {0};
    struct fg_jobs_options with_data = *options;
    with_data.data = data;
    enum fg_status st =
        fg_experiment_read(&experiment, &arena, FG_STR(text), "x.yaml", &err);
    if (!st)
        st = fg_jobs_new(&trials, &experiment, &with_data, &err);
    if (st)
        print_error("%s\n", err.text);
    assert_int_equal(st, FG_OK);
    return trials;
}

static struct fg_result *run(const struct fg_jobs_options *options)
{
    struct fg_jobs *trials = plan(options);
    struct fg_err err = {0};
    assert_int_equal(fg_jobs_run(trials, &err), FG_OK);
    assert_int_equal(fg_jobs_count(trials).left, 0);
    struct fg_result *result = fg_jobs_result(trials);
    fg_jobs_finish(trials);
    fg_jobs_free(trials);
    return result;
}

static const struct fg_row *row_of(const struct fg_result *result, const char *workload,
                                   const char *budget, const char *policy)
{
    for (size_t i = 0; i < result->n_rows; i++)
        if (strcmp(result->rows[i].workload, workload) == 0 &&
            strcmp(result->rows[i].budget, budget) == 0 &&
            strcmp(result->rows[i].policy, policy) == 0)
            return &result->rows[i];
    return NULL;
}

static const struct fg_pairing *pair_of(const struct fg_result *result,
                                        const char *workload, const char *budget,
                                        const char *reference, size_t metric)
{
    for (size_t i = 0; i < result->n_pairings; i++) {
        const struct fg_pairing *pair = &result->pairings[i];
        if (strcmp(pair->workload, workload) == 0 && strcmp(pair->budget, budget) == 0 &&
            strcmp(pair->reference, reference) == 0 && pair->metric == metric)
            return pair;
    }
    return NULL;
}

/* The figure of a replay made apart. */
static double stale_alone(const char *set, enum fg_weights weights, double budget,
                          uint64_t seed, const char *policy)
{
    char folder[256];
    struct fg_timeline *timeline;
    struct fg_refresh_outcome outcome;
    struct fg_history_options options = {.weights = weights, .seed = 1};
    struct fg_refresh_rules rules = {.budget = budget, .is_share = true, .seed = seed};
    snprintf(folder, sizeof folder, "%s/%s", data, set);
    assert_int_equal(fg_history_load(&timeline, folder, &options, NULL), FG_OK);
    fg_refresh_replay(&outcome, timeline, fg_policy_find(fg_str_from(policy), FG_REFRESH),
                      &rules, NULL);
    double stale = fg_refresh_stale(&outcome, timeline->weight);
    fg_refresh_outcome_clear(&outcome);
    fg_timeline_free(timeline);
    return stale;
}

static void trials_tell_what_replays_do(void **state)
{
    (void)state;
    make_data();
    struct fg_result *result = run(&(struct fg_jobs_options){.threads = 2});
    /* 2 sets x 2 weights x 2 budgets, and the bandit; round-robin has one seed */
    assert_int_equal(result->n_rows, (2 * 2 * 2 + 1) * 3);
    assert_int_equal(result->runs, (2 * 2 * 2 + 3) * 5);
    const struct fg_row *row = row_of(result, "calm own", "200 %", "round-robin");
    assert_near(row->at[FG_STALE].mean,
                stale_alone("calm", FG_WEIGHTS_OWN, 2, 1, "round-robin"), 1e-12);
    assert_true(row->at[FG_STALE].lo < row->at[FG_STALE].mean &&
                row->at[FG_STALE].mean < row->at[FG_STALE].hi);
    assert_true(isnan(row->at[FG_REWARD].mean));
    assert_int_equal(row->sites, 20);
    row = row_of(result, "brisk equal", "50 %", "uniform");
    assert_near(row->at[FG_STALE].mean,
                (stale_alone("brisk", FG_WEIGHTS_EQUAL, 0.5, 1, "uniform") +
                 stale_alone("brisk", FG_WEIGHTS_EQUAL, 0.5, 2, "uniform")) /
                    2,
                1e-12);
    row = row_of(result, "restless-1", "1", "uniform");
    assert_true(row->at[FG_REWARD].lo < row->at[FG_REWARD].mean &&
                row->at[FG_REWARD].mean < row->at[FG_REWARD].hi);
    assert_near(row->at[FG_REWARD].mean, 1.05, 0.1);
    row = row_of(result, "calm own", "50 %", "uniform");
    assert_near(row->published[FG_PAGE_FRESHNESS], 0.5, 0);
    fg_result_free(result);
    drop_data();
}

static void trials_pair_and_take_the_best(void **state)
{
    (void)state;
    make_data();
    struct fg_result *result = run(&(struct fg_jobs_options){.threads = 1});
    double logs = 0;
    static const char *const sets[] = {"brisk equal", "calm equal"};
    for (size_t i = 0; i < 2; i++) {
        double ours = row_of(result, sets[i], "50 %", "round-robin")->at[FG_STALE].mean;
        const struct fg_row *a = row_of(result, sets[i], "50 %", "uniform");
        const struct fg_row *b = row_of(result, sets[i], "50 %", "random");
        double best = fmin(a->at[FG_STALE].mean, b->at[FG_STALE].mean);
        const struct fg_pairing *pair =
            pair_of(result, sets[i], "50 %", "best", FG_STALE);
        assert_near(pair->figure.mean, ours / best, 1e-9);
        assert_true(pair->figure.lo < ours / best && ours / best < pair->figure.hi);
        assert_string_equal(pair->chosen,
                            best == a->at[FG_STALE].mean ? "uniform" : "random");
        logs += log(ours / best);
    }
    const struct fg_pairing *mean =
        pair_of(result, "equal weights: geometric mean of 2", "50 %", "best", FG_STALE);
    assert_near(mean->figure.mean, exp(logs / 2), 1e-9);
    assert_true(mean->figure.lo < mean->figure.mean &&
                mean->figure.mean < mean->figure.hi);
    const struct fg_pairing *days =
        pair_of(result, "brisk equal", "200 %", "random", FG_CLICK_FRESHNESS);
    assert_int_equal(days->sites, 20);
    assert_true(days->has_p && days->p > 0 && days->p <= 1);
    const struct fg_pairing *runs =
        pair_of(result, "restless-1", "1", "random", FG_REWARD);
    assert_int_equal(runs->sites, 3);
    assert_null(pair_of(result, "brisk equal", "50 %", "random", FG_REWARD));
    fg_result_free(result);
    drop_data();
}

static void json_of(const struct fg_result *result, struct fg_buf *out)
{
    fg_buf_init(out, 1 << 24);
    fg_result_json(result, out);
    fg_result_free((struct fg_result *)(uintptr_t)result);
}

static void trials_are_the_same_on_any_number_of_threads(void **state)
{
    (void)state;
    make_data();
    struct fg_buf one, three;
    json_of(run(&(struct fg_jobs_options){.threads = 1}), &one);
    json_of(run(&(struct fg_jobs_options){.threads = 3}), &three);
    assert_true(fg_str_eq(fg_buf_str(&one), fg_buf_str(&three)));
    fg_buf_clear(&one);
    fg_buf_clear(&three);
    drop_data();
}

static bool stop_soon(void *context, size_t done, size_t total, double seconds)
{
    (void)context;
    (void)total;
    (void)seconds;
    return done < 5;
}

static void trials_go_on_where_they_were_stopped(void **state)
{
    (void)state;
    make_data();
    char journal[] = "/tmp/forage-trials-journal-XXXXXX";
    struct fg_buf whole, resumed;
    int fd = mkstemp(journal);
    assert_true(fd >= 0);
    close(fd);
    struct fg_jobs *trials = plan(&(struct fg_jobs_options){
        .threads = 1, .journal = journal, .progress = stop_soon});
    assert_int_equal(fg_jobs_run(trials, NULL), FG_OK);
    size_t done = fg_jobs_count(trials).total - fg_jobs_count(trials).left;
    assert_true(done >= 5);
    fg_jobs_free(trials);
    trials = plan(&(struct fg_jobs_options){.journal = journal, .resume = true});
    assert_int_equal(fg_jobs_count(trials).resumed, done);
    assert_int_equal(fg_jobs_run(trials, NULL), FG_OK);
    json_of(fg_jobs_result(trials), &resumed);
    fg_jobs_finish(trials);
    fg_jobs_free(trials);
    assert_int_not_equal(access(journal, F_OK), 0);
    json_of(run(&(struct fg_jobs_options){.threads = 2}), &whole);
    assert_true(fg_str_eq(fg_buf_str(&whole), fg_buf_str(&resumed)));
    fg_buf_clear(&whole);
    fg_buf_clear(&resumed);
    drop_data();
}

static void trials_say_what_is_missing(void **state)
{
    (void)state;
    make_data();
    static const char lost[] = "name: a\nkind: refresh\nbudgets: [1 %]\n"
                               "policies: [round-robin]\nworkloads: [{changes: [no*]}]\n";
    struct fg_jobs *trials;
    struct fg_err err = {0};
    struct fg_jobs_options options = {.data = data};
    fg_experiment_read(&experiment, &arena, FG_STR(lost), "x.yaml", &err);
    assert_int_equal(fg_jobs_new(&trials, &experiment, &options, &err), FG_ENOTFOUND);
    assert_string_equal(err.text, "x.yaml: none of its histories is here; FORAGE_DATA "
                                  "names the folder they are in");
    static const char wrong[] =
        "name: a\nkind: refresh\nbudgets: [1]\n"
        "policies: [thompson]\nworkloads: [{generate: restless}]\n";
    fg_experiment_read(&experiment, &arena, FG_STR(wrong), "x.yaml", &err);
    assert_int_equal(fg_jobs_new(&trials, &experiment, &options, &err), FG_ECONFIG);
    assert_non_null(strstr(err.text, "x.yaml:4: no policy 'thompson'; there are: "));
    drop_data();
}

FG_TESTS(trials_tell_what_replays_do, trials_pair_and_take_the_best,
         trials_are_the_same_on_any_number_of_threads,
         trials_go_on_where_they_were_stopped, trials_say_what_is_missing)
