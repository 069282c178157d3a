#include "lab/refresh/history.h"
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/forage-history-XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void remove_all(void)
{
    static const char *const names[] = {"pages.tsv",      "changes.tsv", "pages.tsv.gz",
                                        "changes.tsv.gz", "sources.tsv", "intervals.tsv",
                                        "snapshots.tsv"};
    char path[256];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
    strcpy(folder, "/tmp/forage-history-XXXXXX");
}

static struct fg_timeline *load(const struct fg_history_options *options)
{
    struct fg_timeline *timeline;
    struct fg_err err = {0};
    enum fg_status st = fg_history_load(&timeline, folder, options, &err);
    if (st)
        print_error("%s\n", err.text);
    assert_int_equal(st, FG_OK);
    return timeline;
}

/* Page 7 is there for nine days, page 3 for the last three. */
static void history_reads_pages_and_changes(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    write_file("pages.tsv", "# a comment\n"
                            "7\t864000\t1641600\t2\ta/b.html\t1.5\n"
                            "3\t1382400\t1641600\t1\ta/c.html\t0.5\n");
    write_file("changes.tsv", "7\t900000\n"
                              "3\t1500000\n"
                              "7\t950000\n"
                              "7\t900000\n"    /* twice */
                              "3\t1382400\n"   /* the first version */
                              "7\t9000000\n"); /* nobody watched */
    struct fg_timeline *t = load(&(struct fg_history_options){.weights = FG_WEIGHTS_OWN});
    assert_int_equal(t->n, 2);
    assert_int_equal(t->n_changes, 3);
    assert_int_equal(t->from, 864000 * FG_SECOND);
    assert_int_equal(t->to, 1641600 * FG_SECOND);
    assert_int_equal(t->judged_from, (864000 + 3 * 86400) * FG_SECOND);
    assert_int_equal(t->crawled_from, t->from);
    assert_int_equal(t->first[1], 1382400 * FG_SECOND);
    assert_int_equal(t->changes[0].page, 0);
    assert_int_equal(t->changes[1].value, 2);
    assert_int_equal(t->changes[2].page, 1);
    assert_int_equal(t->changes[2].at, 1500000 * FG_SECOND);
    assert_near((double)t->weight[0], 1.5, 1e-6);
    assert_near((double)t->weight[1], 0.5, 1e-6);
    assert_int_equal(t->group[0], t->group[1]);
    assert_string_equal(t->names[1], "a/c.html");
    assert_int_equal(t->step, 2 * FG_HOUR);
    assert_true(t->is_seen_first);
    assert_true(fg_history_is_in(folder));
    assert_true(fg_history_has_weights(folder));
    fg_timeline_free(t);
    remove_all();
}

static void history_draws_ranks_from_the_seed(void **state)
{
    (void)state;
    enum { PAGES = 50 };
    char text[PAGES * 40];
    size_t len = 0;
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < PAGES; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%d\t0\t8640000\t0\tp%d\n",
                                i, i);
    write_file("pages.tsv", text);
    write_file("changes.tsv", "");
    double harmonic = 0;
    for (int i = 1; i <= PAGES; i++)
        harmonic += 1.0 / i;
    float first[2] = {0};
    for (uint64_t seed = 0; seed < 2; seed++) {
        struct fg_timeline *t =
            load(&(struct fg_history_options){.weights = FG_WEIGHTS_ZIPF, .seed = seed});
        double sum = 0, most = 0;
        for (size_t i = 0; i < PAGES; i++) {
            sum += (double)t->weight[i];
            most = fmax(most, (double)t->weight[i]);
        }
        assert_near(sum, PAGES, 1e-4);
        assert_near(most, PAGES / harmonic, 1e-4);
        first[seed] = t->weight[0];
        fg_timeline_free(t);
    }
    assert_true(first[0] != first[1]);
    assert_false(fg_history_has_weights(folder));
    remove_all();
}

static void history_chooses_its_step(void **state)
{
    (void)state;
    /* days, step in minutes: 12,500 steps of 2 h are 1,041.7 days; of 4 h 2,083 */
    static const long cases[][2] = {{1041, 120}, {1050, 240}, {2083, 240}, {2090, 1440}};
    for (size_t i = 0; i < 4; i++) {
        char text[64];
        assert_non_null(mkdtemp(folder));
        snprintf(text, sizeof text, "0\t0\t%ld\t0\tp\n", cases[i][0] * 86400);
        write_file("pages.tsv", text);
        write_file("changes.tsv", "");
        struct fg_timeline *t = load(&(struct fg_history_options){0});
        assert_int_equal(t->step, cases[i][1] * FG_MINUTE);
        fg_timeline_free(t);
        t = load(&(struct fg_history_options){.step = FG_HOUR});
        assert_int_equal(t->step, FG_HOUR);
        fg_timeline_free(t);
        remove_all();
    }
}

/* Source 0 gains 12 at 200 and loses 10 and 12 at 400; source 1 never changes. */
static void recordings_are_histories_of_their_sources(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    write_file("sources.tsv", "0\tnews.example/a\n1\tnews.example/b\n");
    write_file("snapshots.tsv", "100\t*\n200\t*\n300\t*\n400\t*\n500\t0\n");
    write_file("intervals.tsv", "0\t10\t100\t300\n0\t11\t100\t500\n0\t12\t200\t300\n"
                                "1\t13\t100\t400\n");
    struct fg_timeline *t = load(&(struct fg_history_options){0});
    assert_int_equal(t->n, 2);
    assert_int_equal(t->n_changes, 2);
    assert_int_equal(t->changes[0].at, 200 * FG_SECOND);
    assert_int_equal(t->changes[1].at, 400 * FG_SECOND);
    assert_int_equal(t->changes[1].page, 0);
    assert_int_equal(t->last[1], 400 * FG_SECOND);
    assert_int_equal(t->to, 500 * FG_SECOND);
    assert_int_equal(t->step, 30 * FG_MINUTE);
    assert_string_equal(t->names[0], "news.example/a");
    fg_timeline_free(t);
    remove_all();
}

static void history_says_what_is_wrong_and_where(void **state)
{
    (void)state;
    static const struct {
        const char *pages, *changes, *says;
        enum fg_weights weights;
    } cases[] = {
        {"0\t5\t9\t0\tp\n", "0\tx\n", "changes.tsv', line 1: expected a page, a tab", 0},
        {"0\t5\t9\t0\tp\n", "\n1\t7\n", "line 2: expected a page that pages.tsv names",
         0},
        {"0\t9\t5\t0\tp\n", "", "pages.tsv', line 1: expected page, first observed", 0},
        {"0\t5\t9\t0\tp\n0\t5\t9\t0\tq\n", "", "line 2: expected another page", 0},
        {"0\t5\t9\t0\tp\t-1\n", "", "line 1: expected page", 0},
        {"0\t5\t9\t0\tp\n", "", "line 1: expected a weight", FG_WEIGHTS_OWN},
        {"# none\n", "", "pages.tsv' names no page", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_timeline *t;
        struct fg_err err = {0};
        assert_non_null(mkdtemp(folder));
        write_file("pages.tsv", cases[i].pages);
        write_file("changes.tsv", cases[i].changes);
        struct fg_history_options options = {.weights = cases[i].weights};
        assert_int_equal(fg_history_load(&t, folder, &options, &err), FG_EINPUT);
        assert_null(t);
        if (!strstr(err.text, cases[i].says))
            print_error("\"%s\" does not say \"%s\"\n", err.text, cases[i].says);
        assert_non_null(strstr(err.text, cases[i].says));
        remove_all();
    }
}

static void histories_are_read_as_they_were_written(void **state)
{
    (void)state;
    struct fg_change changes[] = {{2 * FG_HOUR, 1, 1}, {3 * FG_HOUR, 0, 1}};
    fg_time first[] = {0, FG_HOUR}, last[] = {9 * FG_DAY, 6 * FG_DAY};
    float weight[] = {0.5F, 1.5F};
    struct fg_timeline made = {.n = 2,
                               .to = 9 * FG_DAY,
                               .first = first,
                               .last = last,
                               .weight = weight,
                               .changes = changes,
                               .n_changes = 2};
    assert_non_null(mkdtemp(folder));
    assert_int_equal(fg_history_write(&made, folder, NULL), FG_OK);
    struct fg_timeline *t = load(&(struct fg_history_options){.weights = FG_WEIGHTS_OWN});
    assert_int_equal(t->n, 2);
    assert_int_equal(t->n_changes, 2);
    assert_memory_equal(t->changes, changes, sizeof changes);
    assert_memory_equal(t->first, first, sizeof first);
    assert_memory_equal(t->last, last, sizeof last);
    assert_near((double)t->weight[1], 1.5, 1e-6);
    assert_string_equal(t->names[1], "group-0/page-1");
    fg_timeline_free(t);
    remove_all();
}

/* Steps as one would choose them by hand, derived by the rule. */
static void real_histories_have_sensible_steps(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t pages, changes;
        long minutes;
    } known[] = {{"mdn_docs", 17623, 34974, 1440},   {"obsidian_a", 882, 4119, 120},
                 {"ota_contrib", 877, 30471, 240},   {"scoop_extras", 2240, 14015, 120},
                 {"telegram_web", 4358, 49137, 240}, {"denews24", 67, 60802, 30}};
    if (access("../shared/data/mdn_docs", R_OK) != 0)
        skip();
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char path[256];
        struct fg_timeline *t;
        struct fg_history_options options = {0};
        snprintf(path, sizeof path, "../shared/data/%s", known[i].name);
        assert_int_equal(fg_history_load(&t, path, &options, NULL), FG_OK);
        assert_int_equal(t->n, known[i].pages);
        assert_int_equal(t->n_changes, known[i].changes);
        assert_int_equal(t->step, known[i].minutes * FG_MINUTE);
        fg_timeline_free(t);
    }
}

FG_TESTS(history_reads_pages_and_changes, history_draws_ranks_from_the_seed,
         history_chooses_its_step, recordings_are_histories_of_their_sources,
         history_says_what_is_wrong_and_where, histories_are_read_as_they_were_written,
         real_histories_have_sensible_steps)
