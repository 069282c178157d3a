#include "test.h"

#include "cli/cli.h"

struct world {
    struct fg_arena arena;
    struct fg_settings settings;
    struct fg_opts opts;
};

static struct world *world_new(void)
{
    struct world *w = calloc(1, sizeof *w);
    w->opts.arena = &w->arena;
    fg_settings_init(&w->settings, &w->opts);
    return w;
}

static void world_free(struct world *w)
{
    fg_arena_clear(&w->arena);
    free(w);
}

static void every_row_is_complete(void **state)
{
    (void)state;
    struct world *w = world_new();
    assert_true(w->opts.rows.len > 5);
    for (size_t i = 0; i < w->opts.rows.len; i++) {
        const struct fg_opt *opt = w->opts.rows.at[i].opt;
        struct fg_str help = fg_str_from(opt->help), name = fg_str_from(opt->name);
        assert_true(help.len > 10 && help.len <= 90);
        assert_false(fg_str_ends(help, FG_STR(".")));
        for (size_t j = 0; j < name.len; j++)
            assert_true((name.at[j] >= 'a' && name.at[j] <= 'z') ||
                        fg_is_digit(name.at[j]) || name.at[j] == '.' ||
                        name.at[j] == '-');
    }
    world_free(w);
}

/* In a variable dots and dashes look the same, so keys may not differ in those alone. */
static void no_two_keys_share_a_flag_or_a_variable(void **state)
{
    (void)state;
    struct world *w = world_new();
    for (size_t i = 0; i < w->opts.rows.len; i++)
        for (size_t j = 0; j < i; j++) {
            const struct fg_opt *a = w->opts.rows.at[i].opt, *b = w->opts.rows.at[j].opt;
            assert_false(
                fg_str_eq(fg_opt_variable(&w->arena, a), fg_opt_variable(&w->arena, b)));
            assert_true(!a->letter || a->letter != b->letter);
        }
    for (const struct fg_opt *opt = fg_common_opts; opt->name; opt++) {
        assert_null(fg_opts_find(&w->opts, fg_str_from(opt->name)));
        for (size_t i = 0; i < w->opts.rows.len; i++)
            assert_true(w->opts.rows.at[i].opt->letter != opt->letter);
    }
    world_free(w);
}

static void every_status_has_an_exit_code_of_the_table(void **state)
{
    (void)state;
    for (int status = FG_OK; status <= FG_ENOTFOUND; status++) {
        enum fg_exit code = fg_exit_from((enum fg_status)status);
        bool found = false;
        for (const struct fg_exit_row *row = fg_exit_table; row->name; row++)
            found |= row->code == code;
        assert_true(found);
        assert_true((status == FG_OK) == (code == FG_EXIT_OK));
    }
    assert_int_equal(fg_exit_from(FG_EFULL), 3);
    assert_int_equal(fg_exit_from(FG_ECONFIG), 4);
    assert_int_equal(fg_exit_from(FG_ELIMIT), 14);
    assert_int_equal(fg_exit_from(FG_ENOTFOUND), 1);
}

static void only_test_variables_are_exempt(void **state)
{
    (void)state;
    struct world *w = world_new();
    struct fg_err err = {0};
    char *fine[] = {(char *)"FORAGE_CONFORMANCE=x", (char *)"FORAGE_BENCH_SECONDS=1",
                    (char *)"FORAGE_BUILD=b", (char *)"FORAGE_DATA=d", NULL};
    char *wrong[] = {(char *)"FORAGE_TYPO=x", NULL};
    assert_int_equal(fg_opts_read_env(&w->opts, fine, fg_variables_exempt, &err), FG_OK);
    assert_int_equal(fg_opts_read_env(&w->opts, wrong, fg_variables_exempt, &err),
                     FG_ECONFIG);
    world_free(w);
}

FG_TESTS(every_row_is_complete, no_two_keys_share_a_flag_or_a_variable,
         every_status_has_an_exit_code_of_the_table, only_test_variables_are_exempt)
