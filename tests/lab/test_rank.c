/* The model and the simulator of communities: pieces against values worked out by hand,
 * the whole against an independent program's figures, policies against golden files. To
 * write these anew after a change that is meant:
 *     FORAGE_GOLDEN=write build/asan/tests/lab/test_rank */
#include "test.h"

#include "base/rng.h"
#include "lab/jobs.h"
#include "lab/rank/community.h"
#include "lab/rank/listing.h"
#include "lab/rank/model.h"

/* --- the model --- */

static void awareness_is_that_of_the_proof(void **state)
{
    (void)state;
    const double rates[] = {0.1, 0.3, 0.5};
    double f[3];
    fg_rank_awareness(f, rates, 2, 0.1);
    assert_near(f[0], 0.5, 1e-12);
    assert_near(f[1], 0.2, 1e-12);
    assert_near(f[2], 0.3, 1e-12);
    assert_near(fg_rank_days_to_top(rates, 2, 0), 1 / 0.1 + 1 / (0.3 * 0.5), 1e-12);
    assert_near(fg_rank_days_to_top(rates, 2, 0.1), 9, 1e-12);
}

static void awareness_sums_to_1(void **state)
{
    (void)state;
    enum { M = 100 };
    struct fg_rng rng = fg_rng_from_seed(1);
    double rates[M + 1], f[M + 1];
    for (size_t round = 0; round < 500; round++) {
        double sum = 0;
        for (size_t i = 0; i <= M; i++)
            rates[i] = exp(20 * fg_rng_unit(&rng) - 14);
        fg_rank_awareness(f, rates, M, exp(6 * fg_rng_unit(&rng) - 9));
        for (size_t i = 0; i <= M; i++)
            sum += f[i];
        assert_near(sum, 1, 1e-9);
    }
}

static void promotion_pushes_down_as_printed(void **state)
{
    (void)state;
    assert_near(fg_rank_pushed_down(5, 0.1, 1, 100), 5.5556, 5e-5);
    assert_near(fg_rank_pushed_down(5, 0.1, 2, 100), 5.4444, 5e-5);
    assert_near(fg_rank_pushed_down(5, 0.1, 6, 100), 5, 0);
    assert_near(fg_rank_pushed_down(5, 0.1, 1, 0.3), 5.3, 1e-12);
    assert_near(fg_rank_pushed_down(5, 0, 1, 100), 5, 0);
}

static void communities_have_the_published_law(void **state)
{
    (void)state;
    struct fg_community_world *world = fg_community_new(&(struct fg_community){0});
    assert_int_equal(world->is.pages, 10000);
    assert_near(world->quality[1], 0.213008, 5e-7);
    assert_near(world->quality[9], 0.0493139, 5e-8);
    assert_near(world->quality[9999], 9.24052e-5, 5e-10);
    assert_near(world->ideal, 0.21282, 5e-6);
    fg_community_free(world);
    world = fg_community_new(&(struct fg_community){.pages = 2});
    assert_near(world->ideal, 0.351157, 5e-7);
    double swapped =
        world->share[0] * world->quality[1] + world->share[1] * world->quality[0];
    assert_near(swapped, 0.261851, 5e-7);
    assert_near(swapped / world->ideal, 0.74568, 5e-6);
    fg_community_free(world);
}

/* QPC and TBP of the default community, as a program of somebody else found them. */
static void model_agrees_with_another_program(void **state)
{
    (void)state;
    static const struct {
        struct fg_promotion how;
        bool is_rough;
        double qpc, tbp;
    } cases[] = {
        {{FG_POOL_NONE, 0, 1, 0}, false, 0.232, 5240},
        {{FG_POOL_UNSEEN, 0.05, 1, 0}, false, 0.469, 1274},
        {{FG_POOL_UNSEEN, 0.05, 1, 0}, true, 0.459, 1344},
        {{FG_POOL_UNSEEN, 0.1, 1, 0}, false, 0.637, 469},
        {{FG_POOL_UNSEEN, 0.1, 2, 0}, true, 0.528, 1031},
        {{FG_POOL_UNIFORM, 0.1, 1, 0}, false, 0.475, 962},
    };
    struct fg_community_world *world = fg_community_new(&(struct fg_community){0});
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_rank_model model;
        fg_rank_model_solve(&model,
                            &(struct fg_rank_model_of){.world = world,
                                                       .watched_share = 0.1,
                                                       .how = cases[i].how,
                                                       .is_rough = cases[i].is_rough});
        assert_near(model.quality / world->ideal, cases[i].qpc, 0.001);
        assert_near(model.days_to_top, cases[i].tbp, 1);
    }
    fg_community_free(world);
}

static void degree_0_of_the_model_is_no_promotion(void **state)
{
    (void)state;
    struct fg_community_world *world =
        fg_community_new(&(struct fg_community){.pages = 300, .users = 100});
    struct fg_rank_model none, zero;
    struct fg_rank_model_of of = {.world = world, .watched_share = 0.1};
    fg_rank_model_solve(&none, &of);
    of.how = (struct fg_promotion){FG_POOL_UNSEEN, 0, 1, 0};
    fg_rank_model_solve(&zero, &of);
    assert_memory_equal(&none, &zero, sizeof none);
    fg_community_free(world);
}

/* --- the list --- */

static bool is_odd(const void *context, uint32_t page)
{
    const bool *is_pool = context;
    return is_pool[page];
}

static void lists_stay_in_order(void **state)
{
    (void)state;
    enum { N = 60 };
    struct fg_arena arena = {0};
    struct fg_listing list;
    struct fg_rng rng = fg_rng_from_seed(4);
    double key[N] = {0};
    int32_t birth[N] = {0};
    bool is_pool[N] = {false};
    fg_listing_init(&list, &arena, N);
    for (size_t round = 0; round < 300; round++) {
        for (size_t i = 0; round && i < round % 20; i++) {
            uint32_t page = (uint32_t)fg_rng_below(&rng, N);
            key[page] = (double)fg_rng_below(&rng, 9);
            birth[page] = (int32_t)fg_rng_below(&rng, 4);
            is_pool[page] = fg_rng_unit(&rng) < 0.3;
            fg_listing_touch(&list, page);
        }
        fg_listing_renew(&list, key, birth, is_odd, is_pool);
        assert_int_equal(list.n_listed + list.n_pool, N);
        for (size_t i = 0; i < list.n_pool; i++)
            assert_true(is_pool[list.pool[i]]);
        for (size_t i = 0; i < list.n_listed; i++) {
            const struct fg_listed *at = &list.at[i];
            size_t first, end;
            assert_false(is_pool[at->page]);
            assert_true(at->key == key[at->page]);
            if (i)
                assert_true(at[-1].key > at->key ||
                            (at[-1].key == at->key && at[-1].birth <= at->birth));
            fg_listing_equals(&list, i, &first, &end);
            assert_true(first <= i && i < end);
            assert_true(list.at[first].key == at->key && list.at[end - 1].key == at->key);
            assert_true(first == 0 || list.at[first - 1].key > at->key);
            assert_true(end == list.n_listed || list.at[end].key < at->key);
        }
    }
    fg_arena_clear(&arena);
}

/* --- runs --- */

static const struct fg_community small = {
    .pages = 200, .users = 100, .life_days = 60, .days = 600, .warm_up = 120};

static struct fg_community_outcome run_of(const char *name, struct fg_community like,
                                          double degree, double share)
{
    const struct fg_rank_policy *policy = fg_rank_policy_find(fg_str_from(name));
    struct fg_community_world *world = fg_community_new(&like);
    struct fg_rank_setting setting = fg_community_setting(world, share);
    struct fg_community_outcome outcome;
    double knob[FG_PARAMS_MAX];
    fg_rank_knobs(knob, policy);
    if (degree >= 0)
        fg_rank_knob_set(knob, policy, FG_STR("degree"), degree);
    struct fg_ranker *ranker = fg_ranker_new(policy, knob, &setting);
    fg_community_run(&outcome, world, share, ranker, 1);
    fg_ranker_free(ranker);
    fg_community_free(world);
    return outcome;
}

static void degree_0_is_no_promotion_exactly(void **state)
{
    (void)state;
    for (unsigned feedback = 0; feedback < 2; feedback++) {
        struct fg_community like = small;
        like.feedback = feedback;
        struct fg_community_outcome none = run_of("deterministic", like, -1, 0.1);
        static const char *const names[] = {"selective", "uniform", "relaxed"};
        for (size_t i = 0; i < 3; i++) {
            struct fg_community_outcome zero = run_of(names[i], like, 0, 0.1);
            assert_memory_equal(&none, &zero, sizeof none);
            assert_true(run_of(names[i], like, 0.1, 0.1).quality != none.quality);
        }
    }
}

static void all_is_surfing_whatever_the_list(void **state)
{
    (void)state;
    struct fg_community like = small;
    like.surfing = 1;
    struct fg_community_outcome none = run_of("deterministic", like, -1, 0.1);
    struct fg_community_outcome promoted = run_of("selective", like, 0.2, 0.1);
    assert_near(none.quality, promoted.quality, 0.1 * none.quality);
}

static void what_never_comes_teaches_nothing(void **state)
{
    (void)state;
    struct fg_community like = small;
    like.feedback = FG_FEEDBACK_VOTES;
    double all = run_of("slot-price", like, -1, 1).quality;
    like.lost = 1;
    double nothing = run_of("slot-price", like, -1, 1).quality;
    double mean = 0;
    struct fg_community_world *world = fg_community_new(&like);
    for (size_t i = 0; i < world->is.pages; i++)
        mean += world->quality[i] / (double)world->is.pages;
    fg_community_free(world);
    assert_near(nothing, mean, 0.1 * mean); /* a random order */
    assert_true(all > 5 * mean);
    like.lost = 0;
    like.delay_days = 2000; /* longer than the run */
    assert_near(run_of("slot-price", like, -1, 1).quality, mean, 0.3 * mean);
}

static void votes_of_the_dead_do_not_count(void **state)
{
    (void)state;
    struct fg_community like = small;
    like.feedback = FG_FEEDBACK_VOTES;
    like.life_days = 2;
    like.delay_days = 30; /* nearly every page is dead when its reports come */
    double late = run_of("slot-price", like, -1, 1).quality;
    like.delay_days = 0;
    assert_true(late < run_of("slot-price", like, -1, 1).quality);
}

static void studies_have_fixed_lives(void **state)
{
    (void)state;
    struct fg_community like = {.is_study = true,
                                .pages = 300,
                                .users = 100,
                                .visits = 100,
                                .feedback = FG_FEEDBACK_VOTES};
    struct fg_community_outcome none = run_of("deterministic", like, -1, 1);
    assert_true(none.liked_share > 0 && none.liked_share < 0.4);
    assert_true(none.reports > 0 && none.reports <= 1500);
}

/* --- golden files --- */

static void figures_of(const char *policy, double *figures)
{
    static const struct {
        unsigned feedback;
        size_t delay;
        double surfing;
    } ways[] = {{FG_FEEDBACK_EXACT, 0, 0},
                {FG_FEEDBACK_VOTES, 0, 0},
                {FG_FEEDBACK_CLICKS, 0, 0},
                {FG_FEEDBACK_VOTES, 7, 0.2}};
    for (size_t i = 0; i < 4; i++) {
        struct fg_community like = small;
        like.feedback = ways[i].feedback;
        like.delay_days = ways[i].delay;
        like.surfing = ways[i].surfing;
        struct fg_community_outcome o = run_of(policy, like, -1, 0.2);
        figures[2 * i] = o.quality;
        figures[2 * i + 1] = o.days_to_top;
    }
}

static void every_policy_matches_its_golden_file(void **state)
{
    (void)state;
    const char *wish = getenv("FORAGE_GOLDEN");
    for (size_t p = 0; fg_rank_policies[p]; p++) {
        double figures[8];
        char path[200], line[100];
        figures_of(fg_rank_policies[p]->name, figures);
        snprintf(path, sizeof path, "tests/golden/rank/%s.txt",
                 fg_rank_policies[p]->name);
        bool is_writing = wish && strcmp(wish, "write") == 0;
        FILE *f = fopen(path, is_writing ? "w" : "r");
        if (!f)
            fail_msg("%s is missing: a policy needs its golden file", path);
        static const char *const names[] = {"exact", "votes", "clicks", "late"};
        for (size_t i = 0; i < 8; i++) {
            char expected[100];
            snprintf(expected, sizeof expected, "%s_%s %.6g\n", names[i / 2],
                     i % 2 ? "tbp" : "qpc", figures[i]);
            if (is_writing)
                fputs(expected, f);
            else {
                assert_non_null(fgets(line, sizeof line, f));
                assert_string_equal(line, expected);
            }
        }
        fclose(f);
    }
}

/* --- the experiment --- */

static const char quick[] =
    "name: ranks\n"
    "kind: rank\n"
    "workloads:\n"
    "  - {name: a, generate: community, pages: 200, users: 100, life: 60, days: 300, "
    "warm_up: 60, model: true, sweeps: [pages]}\n"
    "  - {name: b, generate: community, pages: 100, users: 100, life: 60, days: 300, "
    "warm_up: 60, feedback: votes, delay: 3, lost: 0.1, sweeps: [pages]}\n"
    "budgets: [10 %, 50 %]\n"
    "policies: [{policy: deterministic, label: none}, selective, {policy: selective, "
    "label: more, degree: 0.2}, relaxed, slot-price]\n"
    "seeds: 3\n"
    "compare: [{policy: slot-price, with: [none, selective]}]\n";

static struct fg_str report_on(size_t threads, struct fg_buf *json)
{
    struct fg_arena arena = {0};
    struct fg_experiment experiment;
    struct fg_err err = {0};
    struct fg_jobs *jobs;
    assert_int_equal(
        fg_experiment_read(&experiment, &arena, fg_str_from(quick), "q.yaml", &err),
        FG_OK);
    assert_int_equal(fg_jobs_new(&jobs, &experiment,
                                 &(struct fg_jobs_options){.threads = threads}, &err),
                     FG_OK);
    assert_int_equal(fg_jobs_run(jobs, &err), FG_OK);
    struct fg_result *result = fg_jobs_result(jobs);
    fg_buf_init(json, 1 << 20);
    fg_result_json(result, json);
    struct fg_buf html;
    fg_buf_init(&html, 1 << 22);
    fg_result_html(result, &html);
    assert_true(html.len > 1000 && !html.full);
    fg_buf_clear(&html);
    fg_result_free(result);
    fg_jobs_free(jobs);
    fg_arena_clear(&arena);
    return fg_buf_str(json);
}

static void results_do_not_depend_on_threads(void **state)
{
    (void)state;
    struct fg_buf one, three;
    struct fg_str a = report_on(1, &one), b = report_on(3, &three);
    assert_true(a.len > 1000);
    assert_true(fg_str_eq(a, b));
    assert_true(fg_str_find(a, FG_STR("selective, model")) < a.len);
    fg_buf_clear(&one);
    fg_buf_clear(&three);
}

static void refuses(const char *workload, const char *policy, const char *expected)
{
    char text[600];
    struct fg_arena arena = {0};
    struct fg_experiment experiment;
    struct fg_err err = {0};
    struct fg_jobs *jobs = NULL;
    snprintf(text, sizeof text,
             "name: x\nkind: rank\nworkloads: [{%s}]\nbudgets: [10 %%]\npolicies: [%s]\n",
             workload, policy);
    enum fg_status st =
        fg_experiment_read(&experiment, &arena, fg_str_from(text), "x.yaml", &err);
    if (!st)
        st = fg_jobs_new(&jobs, &experiment, &(struct fg_jobs_options){0}, &err);
    assert_int_equal(st, FG_ECONFIG);
    if (!strstr(err.text, expected))
        fail_msg("expected '%s' in '%s'", expected, err.text);
    fg_arena_clear(&arena);
}

static void bad_experiments_are_refused_with_words(void **state)
{
    (void)state;
    refuses("generate: community", "lomax", "no policy 'lomax' to rank with; there are");
    refuses("generate: community", "{policy: selective, degree: 2}",
            "no parameter 'degree' that may be 2");
    refuses("generate: news", "selective", "'community' is the one");
    refuses("generate: community, pages: 1", "selective", "2 to 1,000,000 pages");
    refuses("generate: community, feedback: smiles", "selective", "feedback");
    refuses("generate: community, sweeps: [moon]", "selective", "no sweep 'moon'");
    refuses("generate: community, lost: 2", "selective", "at most 1");
}

FG_TESTS(awareness_is_that_of_the_proof, awareness_sums_to_1,
         promotion_pushes_down_as_printed, communities_have_the_published_law,
         model_agrees_with_another_program, degree_0_of_the_model_is_no_promotion,
         lists_stay_in_order, degree_0_is_no_promotion_exactly,
         all_is_surfing_whatever_the_list, what_never_comes_teaches_nothing,
         votes_of_the_dead_do_not_count, studies_have_fixed_lives,
         every_policy_matches_its_golden_file, results_do_not_depend_on_threads,
         bad_experiments_are_refused_with_words)
