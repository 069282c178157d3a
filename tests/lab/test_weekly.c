/* Weekly covers: what leads to what, the arithmetic of a table, the weeks that are
 * judged, and sites that are as the thesis tells. */
#include "lab/jobs.h"
#include "lab/thesis/snapshots.h"
#include "lab/thesis/weekly.h"
#include "policy/mind.h"
#include "test.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static struct fg_arena arena;
static struct fg_experiment experiment;

static void clear(struct fg_weekly_site *site)
{
    fg_weekly_site_clear(site);
}

static size_t set_of(const struct fg_week *week, uint32_t page, const uint64_t **set)
{
    for (size_t i = 0; i < week->n_linking; i++)
        if (week->linking[i] == page) {
            *set = week->covered + week->set_at[week->set_of[i]];
            return week->set_at[week->set_of[i] + 1] - week->set_at[week->set_of[i]];
        }
    return 0;
}

static void check_set(const struct fg_week *week, uint32_t page, const char *expected)
{
    const uint64_t *set = NULL;
    size_t n = set_of(week, page, &set);
    char shown[16] = {0};
    for (uint64_t y = 0; y < 10; y++)
        for (size_t i = 0; i < n; i++)
            if (set[i] == y)
                shown[strlen(shown)] = (char)('0' + y);
    assert_string_equal(shown, expected);
    assert_int_equal(n, strlen(expected)); /* none twice */
}

/* As in Figure 3.1, counted from 0: old 0, 1, 2; new 3 to 6. 0 links to 3 and 4, 2 to 4;
 * 5 and 6 are reached over 3 only. */
static void new_pages_lead_to_new_pages(void **state)
{
    (void)state;
    struct fg_week_link links[] = {{3, 6}, {0, 4}, {3, 5}, {0, 3},
                                   {2, 4}, {0, 1}, {0, 4}};
    struct fg_week *week = fg_week_new(3, 4, links, sizeof links / sizeof *links);
    check_set(week, 0, "3456");
    check_set(week, 1, "");
    check_set(week, 2, "4");
    assert_int_equal(week->there, 4);
    assert_int_equal(week->direct, 2);
    fg_week_free(week);
}

/* New pages 2 and 3 link to each other, 4 is linked by nobody old: an orphan. */
static void circles_end_and_orphans_do_not_count(void **state)
{
    (void)state;
    struct fg_week_link links[] = {{0, 2}, {2, 3}, {3, 2}, {4, 3}, {1, 3}};
    struct fg_week *week = fg_week_new(2, 3, links, sizeof links / sizeof *links);
    check_set(week, 0, "23");
    check_set(week, 1, "23");
    assert_int_equal(week->there, 2);
    assert_int_equal(week->direct, 2);
    fg_week_free(week);
}

static void pages_with_the_same_links_share_a_set(void **state)
{
    (void)state;
    struct fg_week_link links[] = {{0, 4}, {0, 5}, {1, 5}, {1, 4}, {2, 4}, {3, 4}};
    struct fg_week *week = fg_week_new(4, 2, links, sizeof links / sizeof *links);
    assert_int_equal(week->sets, 2);
    check_set(week, 0, "45");
    check_set(week, 1, "45");
    check_set(week, 2, "4");
    check_set(week, 3, "4");
    fg_week_free(week);
}

/* --- a site of three weeks, by hand --- */

/* Old pages 0 to 3. Week 0: 0 leads to 2 new pages, 1 to one of them and another. Week 1:
 * 0 leads to 1, 1 to 3, 2 to 4. Week 2: 0 and 1 lead to the same 2, 3 to 1. */
static struct fg_weekly_site small_site(void)
{
    struct fg_week_link first[] = {{0, 4}, {0, 5}, {1, 5}, {1, 6}};
    struct fg_week_link second[] = {{0, 7},  {1, 8},  {1, 9},  {1, 10},
                                    {2, 11}, {2, 12}, {2, 13}, {2, 14}};
    struct fg_week_link third[] = {{0, 15}, {0, 16}, {1, 15}, {1, 16}, {3, 17}};
    struct fg_weekly_site site = {.name = "small", .weeks = 3};
    site.week = calloc(3, sizeof(struct fg_week *));
    site.week[0] = fg_week_new(4, 3, first, 4);
    site.week[1] = fg_week_new(7, 8, second, 8);
    site.week[2] = fg_week_new(15, 3, third, 5);
    return site;
}

static void run(struct fg_weekly_tally *tallies, const struct fg_weekly_site *site,
                const char *policy, struct fg_weekly_rules rules)
{
    struct fg_err err;
    if (fg_weekly_run(tallies, site, fg_policy_find(fg_str_from(policy), FG_DISCOVERY),
                      &rules, &err))
        fail_msg("%s", err.text);
}

static const struct fg_knob od_knobs[] = {{"share", 1}, {"untried", 0}};

/* od-win, a recrawl every week. Week 1 from week 0: p0 = p1 = 2/3, both are picked, page
 * 0 first: with k = 1 it finds 1 of 8, with k = 10 both find 1 + 3. Week 2: p0 = (2/3 +
 * 1/8) / 2 = 0.396, p1 = (2/3 + 3/8) / 2 = 0.521, p2 = (0 + 4/8) / 2 = 0.25. k = 1 is
 * page 1 and finds 2 of 3; k = 10 are all three and find 2. */
static void a_table_by_hand(void **state)
{
    (void)state;
    struct fg_weekly_site site = small_site();
    const size_t budgets[] = {1, 10};
    struct fg_weekly_tally t[2] = {0};
    run(t, &site, "od-win",
        (struct fg_weekly_rules){.budgets = budgets,
                                 .n_budgets = 2,
                                 .every = 1,
                                 .knobs = od_knobs,
                                 .n_knobs = 2});
    assert_int_equal(t[0].weeks, 2);
    assert_int_equal(t[0].there, 8 + 3);
    assert_int_equal(t[0].found, 1 + 2);
    assert_int_equal(t[0].visits, 2);
    assert_near(t[0].positions, 0, 0);
    assert_near(t[0].yields, 1 + 2, 0);
    assert_int_equal(t[1].found, 4 + 2);
    assert_int_equal(t[1].visits, 2 + 3);
    assert_near(t[1].positions, 0.5 + 1, 0);
    assert_near(t[1].yields, 4.0 / 2 + 2.0 / 3, 1e-12);
    assert_int_equal(t[1].yielding, 2);
    clear(&site);
}

/* A recrawl every second week: weeks 0 and 2 show the site, week 1 alone is judged. */
static void weeks_of_a_recrawl_are_not_judged(void **state)
{
    (void)state;
    struct fg_weekly_site site = small_site();
    const size_t budget = 10;
    struct fg_weekly_tally two = {0}, three = {0};
    struct fg_weekly_rules rules = {
        .budgets = &budget, .n_budgets = 1, .every = 2, .knobs = od_knobs, .n_knobs = 2};
    run(&two, &site, "od-win", rules);
    assert_int_equal(two.weeks, 1);
    assert_int_equal(two.found, 4);
    /* Every third: weeks 1 and 2 know of week 0 only. */
    rules.every = 3;
    run(&three, &site, "od-win", rules);
    assert_int_equal(three.weeks, 2);
    assert_int_equal(three.found, 4 + 2);
    assert_int_equal(three.visits, 2 + 2);
    clear(&site);
}

/* Foresight is judged in all three weeks: 0 and 1 cover week 0 (2 + 1), 2, 1 and 0 week 1
 * (4 + 3 + 1), 0 and 3 week 2 (2 + 1). With rho = 0.9 the last page of week 1 is not
 * needed: 7 of 8 is below 7.2, so it is; with 0.8 it is not. */
static void greedy_stops_when_it_has_enough(void **state)
{
    (void)state;
    struct fg_weekly_site site = small_site();
    const size_t budgets[] = {1, 2, SIZE_MAX};
    struct fg_weekly_tally t[3] = {0}, part = {0};
    run(t, &site, "greedy", (struct fg_weekly_rules){.budgets = budgets, .n_budgets = 3});
    assert_int_equal(t[0].found, 2 + 4 + 2);
    assert_int_equal(t[1].found, 3 + 7 + 3);
    assert_int_equal(t[2].found, t[2].there);
    assert_int_equal(t[2].visits, 2 + 3 + 2);
    const struct fg_knob rho = {"rho", 0.8};
    run(&part, &site, "greedy",
        (struct fg_weekly_rules){
            .budgets = budgets + 2, .n_budgets = 1, .knobs = &rho, .n_knobs = 1});
    assert_int_equal(part.visits, 2 + 2 + 2);
    assert_int_equal(part.found, 3 + 7 + 3);
    clear(&site);
}

/* COV after week 0: page 0 (2), then 1 (1 more). CLIQ: 0 and 1 overlap by 1/3, which is
 * near, so page 0 stands for both. */
static void covers_and_clusters_of_a_week(void **state)
{
    (void)state;
    struct fg_weekly_site site = small_site();
    const size_t budget = 10;
    const struct fg_knob every = {"every", 0};
    struct fg_weekly_tally cov = {0}, cliq = {0};
    struct fg_weekly_rules rules = {
        .budgets = &budget, .n_budgets = 1, .every = 2, .knobs = &every, .n_knobs = 1};
    run(&cov, &site, "cov", rules);
    assert_int_equal(cov.visits, 2);
    assert_int_equal(cov.found, 4);
    run(&cliq, &site, "cliq-1", rules);
    assert_int_equal(cliq.visits, 1);
    assert_int_equal(cliq.found, 1);
    clear(&site);
}

/* Told only of its own picks, the bandit tries pages one after the other, the new ones of
 * each week as well; week 0 is its first and is not judged. */
static void a_policy_may_learn_from_its_own_picks(void **state)
{
    (void)state;
    struct fg_weekly_site site = small_site();
    const size_t budget = 2;
    struct fg_weekly_tally t = {0};
    run(&t, &site, "od-bandit",
        (struct fg_weekly_rules){
            .budgets = &budget, .n_budgets = 1, .tells_picks = true});
    /* Week 0: 0 and 1. Week 1: 2 and 3, never tried: 4 of 8. Week 2: 4 and 5: nothing. */
    assert_int_equal(t.weeks, 2);
    assert_int_equal(t.visits, 4);
    assert_int_equal(t.found, 4);
    clear(&site);
}

/* --- the sites of the thesis --- */

static void made_sites_are_as_the_thesis_tells(void **state)
{
    (void)state;
    const struct fg_snapshots_options options = {.sites = 42, .seed = 1, .scale = 1};
    uint64_t pages = 0, there = 0, direct = 0;
    for (size_t i = 0; i < options.sites; i++) {
        struct fg_weekly_site site;
        fg_snapshots_make(&site, &options, i);
        assert_int_equal(site.weeks, 22);
        assert_in_range(site.week[0]->n_old, 100, 200000);
        pages += site.week[0]->n_old;
        for (size_t t = 0; t < site.weeks; t++) {
            const struct fg_week *week = site.week[t];
            if (t)
                assert_int_equal(week->n_old,
                                 site.week[t - 1]->n_old + site.week[t - 1]->n_new);
            there += week->there;
            direct += week->direct;
        }
        clear(&site);
    }
    assert_near((double)pages, 640489, 0.05 * 640489);
    assert_near((double)there, 223435, 0.10 * 223435);
    assert_near((double)direct / (double)there, 0.40, 0.02);
}

static void a_site_is_the_same_whoever_makes_it(void **state)
{
    (void)state;
    const struct fg_snapshots_options options = {.sites = 42, .seed = 3, .scale = 0.1};
    struct fg_weekly_site a, b;
    fg_snapshots_make(&a, &options, 9);
    fg_snapshots_make(&b, &options, 10);
    clear(&b);
    fg_snapshots_make(&b, &options, 9);
    for (size_t t = 0; t < a.weeks; t++) {
        assert_int_equal(a.week[t]->n_new, b.week[t]->n_new);
        assert_int_equal(a.week[t]->n_linking, b.week[t]->n_linking);
        if (a.week[t]->n_linking)
            assert_memory_equal(a.week[t]->linking, b.week[t]->linking,
                                a.week[t]->n_linking * sizeof(uint32_t));
    }
    clear(&a);
    clear(&b);
}

static const struct fg_row *row_of(const struct fg_result *result, const char *budget,
                                   const char *policy)
{
    for (size_t i = 0; i < result->n_rows; i++)
        if (strcmp(result->rows[i].budget, budget) == 0 &&
            strcmp(result->rows[i].policy, policy) == 0)
            return &result->rows[i];
    fail_msg("no row for %s at %s", policy, budget);
    return NULL;
}

static double coverage(const struct fg_result *result, const char *budget,
                       const char *policy)
{
    return row_of(result, budget, policy)->at[0].mean;
}

/* A small web of the kind. */
static struct fg_jobs *plan(const struct fg_jobs_options *options)
{
    static const char text[] = "name: small\nkind: cover\n"
                               "workloads: [{sites: 12, seed: 2, scale: 0.1}]\n"
                               "remarks: [Small.]\n";
    struct fg_jobs *jobs;
    struct fg_err err = {0};
    if (fg_experiment_read(&experiment, &arena, FG_STR(text), "x.yaml", &err) ||
        fg_jobs_new(&jobs, &experiment, options, &err))
        fail_msg("%s", err.text);
    return jobs;
}

static void run_all(struct fg_jobs *jobs)
{
    struct fg_err err = {0};
    if (fg_jobs_run(jobs, &err))
        fail_msg("%s", err.text);
    assert_int_equal(fg_jobs_count(jobs).left, 0);
}

static void json_of(const struct fg_jobs *jobs, struct fg_buf *out)
{
    struct fg_result *result = fg_jobs_result(jobs);
    fg_buf_init(out, 1 << 24);
    fg_result_json(result, out);
    fg_result_free(result);
}

/* The order of the algorithms is the published one. */
static void the_experiment_comes_out_in_order(void **state)
{
    (void)state;
    struct fg_jobs *jobs = plan(&(struct fg_jobs_options){.threads = 2, .seeds = 3});
    assert_int_equal(fg_jobs_count(jobs).total,
                     12 * 64); /* whatever seeds are asked for */
    run_all(jobs);
    struct fg_result *result = fg_jobs_result(jobs);
    assert_string_equal(result->metrics[0].name, "coverage");
    assert_near(coverage(result, "10000", "greedy"), 1, 1e-12);
    assert_true(coverage(result, "10", "greedy") > coverage(result, "10", "od-win"));
    assert_true(coverage(result, "10000", "od-all") >
                coverage(result, "10000", "od-win"));
    assert_true(coverage(result, "10000", "od-win") > coverage(result, "10000", "od-1"));
    assert_true(coverage(result, "10000", "od-1") >= coverage(result, "10000", "cov"));
    double weekly = coverage(result, "a recrawl every week", "od-win");
    double monthly = coverage(result, "a recrawl every 4 weeks", "od-win");
    assert_true(weekly > monthly);
    assert_near(row_of(result, "1000", "cov")->published[0], 0.37, 0);
    assert_int_equal(result->n_charts, 7);
    assert_true(result->n_remarks > 3);
    assert_string_equal(result->remarks[0], "Small.");
    fg_result_free(result);
    fg_jobs_free(jobs);
}

/* Dies as it stands, in the middle of whatever the threads do. */
static bool die_at_hundred(void *context, size_t done, size_t total, double seconds)
{
    (void)context, (void)total, (void)seconds;
    if (done >= 100)
        kill(getpid(), SIGKILL);
    return true;
}

static void covers_are_resumed_and_the_same_on_any_threads(void **state)
{
    (void)state;
    char journal[] = "/tmp/forage-weekly-XXXXXX";
    int fd = mkstemp(journal), how;
    assert_true(fd >= 0);
    close(fd);
    pid_t child = fork();
    if (child == 0) {
        run_all(plan(&(struct fg_jobs_options){
            .threads = 2, .journal = journal, .progress = die_at_hundred}));
        _exit(0); /* too fast to be killed: then all is there */
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    struct fg_buf whole, resumed;
    struct fg_jobs *jobs = plan(&(struct fg_jobs_options){.threads = 1});
    run_all(jobs);
    json_of(jobs, &whole);
    fg_jobs_free(jobs);
    jobs =
        plan(&(struct fg_jobs_options){.threads = 2, .journal = journal, .resume = true});
    assert_true(fg_jobs_count(jobs).resumed > 0 && !fg_jobs_count(jobs).is_refused);
    run_all(jobs);
    json_of(jobs, &resumed);
    fg_jobs_finish(jobs);
    fg_jobs_free(jobs);
    assert_int_equal(access(journal, F_OK), -1);
    assert_int_equal(whole.len, resumed.len);
    assert_memory_equal(whole.at, resumed.at, whole.len);
    fg_buf_clear(&whole);
    fg_buf_clear(&resumed);
    fg_arena_clear(&arena);
}

FG_TESTS(new_pages_lead_to_new_pages, circles_end_and_orphans_do_not_count,
         pages_with_the_same_links_share_a_set, a_table_by_hand,
         weeks_of_a_recrawl_are_not_judged, greedy_stops_when_it_has_enough,
         covers_and_clusters_of_a_week, a_policy_may_learn_from_its_own_picks,
         made_sites_are_as_the_thesis_tells, a_site_is_the_same_whoever_makes_it,
         the_experiment_comes_out_in_order,
         covers_are_resumed_and_the_same_on_any_threads)
