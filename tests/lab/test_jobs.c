#include "base/file.h"
#include "lab/discovery/run.h"
#include "lab/jobs.h"
#include "lab/sites.h"
#include "test.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* On sites of 40 to 100 sources, 1 % is one visit a step, as is the budget of 1. */
static const char text[] =
    "name: small\n"
    "workloads:\n"
    "  - {name: a, generate: reports, sites: 4, hours: 96, history: 48, seed: 3}\n"
    "  - {name: b, generate: reports, sites: 2, hours: 96, history: 48, seed: 3}\n"
    "  - {name: c, generate: reports, sites: 1, hours: 96, history: 48, seed: 3,\n"
    "     relevant: 0.5, focused: true, budgets: [4], policies: [thompson]}\n"
    "budgets: [1, 1 %, 3]\n"
    "policies: [round-robin, thompson]\n"
    "warm_up: 24\n"
    "seeds: 2\n"
    "compare:\n"
    "  - {policy: thompson, with: [round-robin], metrics: [coverage, regret], fewer: 1 "
    "%}\n"
    "published:\n"
    "  - {workload: a, budget: 3, policy: thompson, metric: regret, value: 6}\n"
    "  - {budget: 3, policy: thompson, against: round-robin, metric: coverage, value: "
    "5}\n";

enum { ORACLE = 2 }; /* behind those that the file names */

static struct fg_arena arena;
static struct fg_experiment experiment;
static char journal[] = "/tmp/forage-jobs-XXXXXX";

static struct fg_jobs *plan(const struct fg_jobs_options *options)
{
    struct fg_err err = {0};
    struct fg_jobs *jobs;
    if (!experiment.name &&
        fg_experiment_read(&experiment, &arena, fg_str_from(text), "small.yaml", &err))
        fail_msg("%s", err.text);
    if (fg_jobs_new(&jobs, &experiment, options, &err))
        fail_msg("%s", err.text);
    return jobs;
}

static void run(struct fg_jobs *jobs)
{
    struct fg_err err = {0};
    if (fg_jobs_run(jobs, &err))
        fail_msg("%s", err.text);
}

static void tell(struct fg_jobs *jobs, struct fg_buf *out)
{
    struct fg_result *result = fg_jobs_result(jobs);
    fg_buf_init(out, 1 << 26);
    fg_result_json(result, out);
    fg_result_table(result, 100, out);
    fg_result_free(result);
}

static void run_on(size_t threads, struct fg_buf *out)
{
    struct fg_jobs *jobs = plan(&(struct fg_jobs_options){.threads = threads});
    run(jobs);
    assert_int_equal(fg_jobs_count(jobs).left, 0);
    tell(jobs, out);
    fg_jobs_free(jobs);
}

static void assert_same(struct fg_buf *a, struct fg_buf *b)
{
    assert_int_equal(a->len, b->len);
    assert_memory_equal(a->at, b->at, a->len);
}

static void threads_make_no_difference(void **state)
{
    (void)state;
    struct fg_buf one, other;
    run_on(1, &one);
    for (size_t threads = 2; threads <= 5; threads += 3) {
        run_on(threads, &other);
        assert_same(&one, &other);
        fg_buf_clear(&other);
    }
    fg_buf_clear(&one);
}

static void no_site_is_run_twice(void **state)
{
    (void)state;
    struct fg_jobs *jobs = plan(&(struct fg_jobs_options){.threads = 2});
    /* Four sites with three budgets each: round-robin and the oracle once, thompson
     * twice; and one site with one budget: the oracle once, thompson twice. */
    assert_int_equal(fg_jobs_count(jobs).total, 4 * 3 * 4 + 3);
    assert_int_equal(fg_jobs_supply(jobs)->items.len, 5);
    run(jobs);
    /* 1 % is one visit: the same run. The first two sites of a are those of b. */
    assert_ptr_equal(fg_jobs_at(jobs, 0, 0, 0, 1, 1), fg_jobs_at(jobs, 0, 0, 1, 1, 1));
    assert_ptr_equal(fg_jobs_at(jobs, 0, 1, 2, 1, 0), fg_jobs_at(jobs, 1, 1, 2, 1, 0));
    assert_int_equal(((const struct fg_run *)fg_jobs_at(jobs, 0, 1, 2, 1, 0))->visits,
                     3 * 96);
    /* Not asked for: round-robin on c, a third seed. */
    assert_null(fg_jobs_at(jobs, 2, 0, 0, 0, 0));
    assert_null(fg_jobs_at(jobs, 0, 0, 0, 1, 2));
    assert_false(fg_jobs_wants(jobs, 2, 0));
    assert_true(fg_jobs_wants(jobs, 2, ORACLE));
    fg_jobs_free(jobs);
}

/* What is kept of a run tells the same as the outcome it was made of. */
static void runs_keep_the_scores(void **state)
{
    (void)state;
    struct fg_err err;
    struct fg_jobs *jobs = plan(&(struct fg_jobs_options){.threads = 1});
    run(jobs);
    struct fg_supply supply;
    void *site;
    fg_supply_init(&supply, NULL);
    fg_sites_add(&supply, &experiment.workloads[0], 0, &err);
    fg_supply_take(&supply, 1, &site, &err);
    struct fg_replay_rules rules = {.budget = 3, .seed = 2, .warm_up = 24};
    struct fg_replay_outcome ours, best;
    fg_replay(&ours, site, fg_policy_find(FG_STR("thompson"), FG_DISCOVERY), &rules,
              &err);
    fg_replay(&best, site, fg_policy_find(FG_STR("oracle"), FG_DISCOVERY), &rules, &err);
    struct fg_run our_run = fg_run_of(&ours, 3), best_run = fg_run_of(&best, 3);
    struct fg_score expected = fg_run_score(&our_run, &best_run);
    const struct fg_run *run = fg_jobs_at(jobs, 0, 1, 2, 1, 1);
    const struct fg_run *oracle = fg_jobs_at(jobs, 0, 1, 2, ORACLE, 0);
    struct fg_score score = fg_run_score(run, oracle);
    for (size_t m = 0; m < FG_METRICS; m++)
        assert_near(score.at[m], expected.at[m], 0);
    assert_int_equal(run->found_by[FG_CURVE_POINTS - 1], ours.found);
    assert_int_equal(run->found_by[49], ours.found_by[47]);
    assert_int_equal(run->delayed[3],
                     ours.delay[0] + ours.delay[1] + ours.delay[2] + ours.delay[3]);
    assert_int_equal(run->delayed[FG_DELAY_POINTS - 1], ours.found_fresh);
    fg_replay_outcome_clear(&ours);
    fg_replay_outcome_clear(&best);
    fg_site_free(site);
    fg_supply_clear(&supply);
    fg_jobs_free(jobs);
}

/* --- stopping and going on --- */

static bool stop_at_ten(void *context, size_t done, size_t total, double seconds)
{
    (void)context, (void)total, (void)seconds;
    return done < 10;
}

/* Dies as it stands, in the middle of whatever the threads do. */
static bool die_at_ten(void *context, size_t done, size_t total, double seconds)
{
    (void)context, (void)total, (void)seconds;
    if (done >= 10)
        kill(getpid(), SIGKILL);
    return true;
}

static size_t file_bytes(const char *path)
{
    struct stat is;
    return stat(path, &is) == 0 ? (size_t)is.st_size : 0;
}

static void assert_goes_on(const char *path)
{
    struct fg_buf whole, resumed;
    run_on(1, &whole);
    struct fg_jobs *jobs =
        plan(&(struct fg_jobs_options){.threads = 2, .journal = path, .resume = true});
    assert_true(fg_jobs_count(jobs).resumed > 0);
    run(jobs);
    tell(jobs, &resumed);
    assert_same(&whole, &resumed);
    fg_jobs_finish(jobs);
    assert_int_equal(access(path, F_OK), -1);
    fg_jobs_free(jobs);
    fg_buf_clear(&whole);
    fg_buf_clear(&resumed);
}

static void a_run_that_was_killed_goes_on(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        struct fg_jobs *jobs = plan(&(struct fg_jobs_options){
            .threads = 3, .journal = journal, .progress = die_at_ten});
        struct fg_err err;
        fg_jobs_run(jobs, &err);
        _exit(0); /* too fast to be killed: then all is there */
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(file_bytes(journal) > 0);
    assert_goes_on(journal);
}

static void a_run_that_was_stopped_goes_on(void **state)
{
    (void)state;
    struct fg_jobs *jobs = plan(&(struct fg_jobs_options){
        .threads = 1, .journal = journal, .progress = stop_at_ten});
    run(jobs);
    fg_jobs_free(jobs);
    assert_goes_on(journal);
}

static void damaged_lines_are_run_again(void **state)
{
    (void)state;
    struct fg_jobs *jobs =
        plan(&(struct fg_jobs_options){.threads = 1, .journal = journal});
    run(jobs);
    size_t total = fg_jobs_count(jobs).total;
    fg_jobs_free(jobs);
    /* A digit is changed in one line, and the last one is cut. */
    struct fg_str old;
    struct fg_err err;
    struct fg_arena scratch = {0};
    fg_file_read(&old, &scratch, journal, 1 << 26, &err);
    char *copy = fg_arena_cstr(&scratch, old);
    char *line = strstr(copy, " run 3 ");
    assert_non_null(line);
    line[8] = (char)(line[8] == '1' ? '2' : '1');
    fg_file_replace(journal, (struct fg_str){copy, old.len - 40}, &err);
    fg_arena_clear(&scratch);
    jobs = plan(&(struct fg_jobs_options){.journal = journal, .resume = true});
    assert_int_equal(fg_jobs_count(jobs).left, 2);
    assert_int_equal(fg_jobs_count(jobs).resumed, total - 2);
    fg_jobs_free(jobs);
    assert_goes_on(journal);
}

static void another_experiments_journal_is_not_taken(void **state)
{
    (void)state;
    struct fg_jobs *jobs =
        plan(&(struct fg_jobs_options){.threads = 1, .journal = journal});
    run(jobs);
    fg_jobs_free(jobs);
    static const struct fg_jobs_options others[] = {
        {.journal = journal, .resume = true, .seeds = 3},
        {.journal = journal, .resume = true, .sites = 2},
        {.journal = journal, .resume = true, .stamp = 9}};
    char other[sizeof journal + 8];
    snprintf(other, sizeof other, "%s-other", journal);
    for (size_t i = 0; i < 3; i++) {
        struct fg_jobs_options options = others[i];
        options.journal = i ? journal : other;
        jobs = plan(&options);
        assert_int_equal(fg_jobs_count(jobs).resumed, 0);
        fg_jobs_free(jobs);
        /* It was started anew. */
        assert_int_equal(file_bytes(options.journal), 0);
        unlink(options.journal);
    }
}

/* --- what is told --- */

static void figures_are_told_beside_published_ones(void **state)
{
    (void)state;
    struct fg_jobs *jobs = plan(&(struct fg_jobs_options){.threads = 2});
    run(jobs);
    struct fg_result *result = fg_jobs_result(jobs);
    /* a and b have three budgets and three policies, c one budget and two. */
    assert_int_equal(result->n_rows, 2 * 3 * 3 + 2);
    assert_int_equal(result->n_pairings, 2 * 3 * 2);
    assert_int_equal(result->n_charts, 4 * 7 + 3); /* and what there is, once each */
    const struct fg_row *row = &result->rows[2 * 3 + 1];
    assert_string_equal(row->budget, "3");
    assert_string_equal(row->policy, "thompson");
    assert_near(row->published[FG_REGRET], 6, 0);
    assert_true(isnan(row->published[FG_COVERAGE]));
    double sum = 0;
    for (size_t s = 0; s < 4; s++)
        for (size_t seed = 0; seed < 2; seed++)
            sum += fg_run_score(fg_jobs_at(jobs, 0, s, 2, 1, seed), NULL).at[FG_COVERAGE];
    assert_near(row->at[FG_COVERAGE].mean, sum / 8, 1e-12);
    assert_true(row->at[FG_COVERAGE].lo <= row->at[FG_COVERAGE].mean);
    assert_true(row->at[FG_COVERAGE].hi >= row->at[FG_COVERAGE].mean);
    bool is_judged = false, counts_cells = false;
    for (size_t i = 0; i < result->n_remarks; i++)
        counts_cells |= strstr(result->remarks[i], " of 8 cells ") != NULL;
    for (size_t i = 0; i < result->n_judgments; i++)
        is_judged |= strstr(result->judgments[i], "Published ratio of thompson") != NULL;
    assert_true(is_judged && counts_cells);
    struct fg_stated_count stated = fg_result_count_stated(result);
    size_t values = 0;
    for (size_t i = 0; i < FG_JUDGED; i++)
        values += stated.values[i];
    assert_int_equal(values, result->n_stated);
    assert_true(values > stated.values[FG_COMES_OUT]);
    fg_result_free(result);
    fg_jobs_free(jobs);
}

static void mistakes_are_found_before_anything_is_run(void **state)
{
    (void)state;
    static const struct {
        const char *policies, *message;
    } cases[] = {
        {"[nobody]", "x.yaml:4: no policy 'nobody'; there are: "},
        {"[{policy: thompson, beta: -1}]", "x.yaml:4: thompson: "},
        {"[{policy: thompson, speed: 1}]", "x.yaml:4: thompson: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_arena scratch = {0};
        struct fg_experiment wrong;
        struct fg_err err = {0};
        struct fg_jobs *jobs;
        struct fg_str yaml = fg_arena_printf(
            &scratch,
            "name: x\nworkloads: [{generate: news}]\nbudgets: [1]\npolicies: %s\n",
            cases[i].policies);
        assert_int_equal(fg_experiment_read(&wrong, &scratch, yaml, "x.yaml", &err),
                         FG_OK);
        assert_int_equal(fg_jobs_new(&jobs, &wrong, &(struct fg_jobs_options){0}, &err),
                         FG_ECONFIG);
        if (!fg_str_starts(fg_str_from(err.text), fg_str_from(cases[i].message)))
            fail_msg("%s", err.text);
        fg_arena_clear(&scratch);
    }
}

static void make_journal_name(void)
{
    int fd = mkstemp(journal);
    if (fd >= 0)
        close(fd);
    unlink(journal);
}

static void is_set_up(void **state)
{
    (void)state;
    make_journal_name();
}

static void is_cleared(void **state)
{
    (void)state;
    unlink(journal);
    fg_arena_clear(&arena);
    experiment = (struct fg_experiment){0};
}

FG_TESTS(is_set_up, threads_make_no_difference, no_site_is_run_twice,
         runs_keep_the_scores, a_run_that_was_killed_goes_on,
         a_run_that_was_stopped_goes_on, damaged_lines_are_run_again,
         another_experiments_journal_is_not_taken, figures_are_told_beside_published_ones,
         mistakes_are_found_before_anything_is_run, is_cleared)
