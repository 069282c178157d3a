/* Each row of the settings: its default stands in the options, and a running crawl takes
 * over another value if, and only if, the row says so. */
#include "test.h"

#include "crawl/crawl.h"

struct pair {
    struct fg_arena arena;
    struct fg_crawl_options running, fresh;
    struct fg_opts running_opts, fresh_opts;
    const struct fg_opt *differs;
    int n_differs;
};

static void pair_init(struct pair *pair)
{
    *pair = (struct pair){0};
    pair->running_opts.arena = pair->fresh_opts.arena = &pair->arena;
    fg_crawl_add_opts(&pair->running, &pair->running_opts);
    fg_crawl_add_opts(&pair->fresh, &pair->fresh_opts);
    fg_crawl_settle(&pair->running, &pair->arena);
}

static void note(void *context, const struct fg_opt *opt)
{
    struct pair *pair = context;
    pair->differs = opt;
    pair->n_differs++;
}

static void set(struct pair *pair, struct fg_setting *row, const char *text)
{
    struct fg_err err = {0};
    if (fg_opts_set(&pair->fresh_opts, row, fg_str_from(text),
                    (struct fg_origin){FG_LAYER_FILE, FG_STR("test"), 1}, &err))
        fail_msg("%s: %s", row->opt->name, err.text);
}

/* A value that is not the default. */
static const char *another(struct pair *pair, const struct fg_setting *row)
{
    static const struct {
        const char *name, *text;
    } some[] = {
        {"operator.contact", "me@example.org"},
        {"operator.page", "https://example.org/bot"},
        {"policy.params", "alpha=0.5"},
        {"documents.value", "text"},
        {"documents.ignore", ".ad"},
        {"crawl.report-kinds", "page,list"},
        {"crawl.costs", "shop.example=5"},
        {"conduct.purposes", "ai-train"},
        {"push.public-url", "https://forage.example/crawl"},
        {"clock.anchor", "2026-11-16T09:00:00Z"},
    };
    const struct fg_opt *opt = row->opt;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        if (strcmp(opt->name, some[i].name) == 0)
            return some[i].text;
    struct fg_str now = fg_setting_text(&pair->arena, row);
    switch (opt->type) {
    case FG_OPT_BOOL:
        return fg_str_eq(now, FG_STR("yes")) ? "no" : "yes";
    case FG_OPT_ENUM:
        return fg_str_eq(now, fg_str_from(opt->choices[0])) ? opt->choices[1]
                                                            : opt->choices[0];
    case FG_OPT_INT:
        return fg_arena_printf(&pair->arena, "%lld",
                               (long long)(fg_setting_int(row) == (int64_t)opt->min
                                               ? opt->min + 1
                                               : opt->min))
            .at;
    case FG_OPT_DOUBLE:
        return fg_arena_printf(&pair->arena, "%g", opt->max / 4).at;
    case FG_OPT_SPAN:
        return fg_str_eq(now, FG_STR("1s")) ? "2s" : "1s";
    case FG_OPT_SIZE:
        return fg_str_eq(now, FG_STR("20KB")) ? "30KB" : "20KB";
    default:
        return "another";
    }
}

static bool is_of_an_output(const struct fg_opt *opt)
{
    static const char *const groups[] = {"output", "feeds", "webhooks", "digest"};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (fg_opt_under(opt, fg_str_from(groups[i])))
            return true;
    return false;
}

static void a_row_is_taken_over_if_it_says_so(void **state)
{
    (void)state;
    struct pair pair;
    pair_init(&pair);
    size_t n_live = 0, n_fixed = 0;
    for (size_t i = 0; i < pair.fresh_opts.rows.len; i++) {
        struct fg_setting *row = &pair.fresh_opts.rows.at[i];
        const struct fg_setting *running = &pair.running_opts.rows.at[i];
        if (is_of_an_output(row->opt)) { /* test_outputs.c */
            assert_true(row->opt->is_live);
            continue;
        }
        struct fg_str before = fg_setting_text(&pair.arena, running);
        set(&pair, row, another(&pair, row));
        struct fg_str wanted = fg_setting_text(&pair.arena, row);
        if (fg_str_eq(wanted, before))
            fail_msg("%s is still %.*s", row->opt->name, FG_ARG(before));
        pair.n_differs = 0;
        fg_crawl_update(&pair.running, &pair.fresh, note, &pair);
        assert_int_equal(pair.n_differs, 1);
        assert_ptr_equal(pair.differs, row->opt);
        struct fg_str got = fg_setting_text(&pair.arena, running);
        if (!fg_str_eq(got, row->opt->is_live ? wanted : before))
            fail_msg("%s: %.*s was %s", row->opt->name, FG_ARG(wanted),
                     row->opt->is_live ? "not taken over" : "taken over");
        n_live += row->opt->is_live;
        n_fixed += !row->opt->is_live;
        memcpy(row->value, running->value, row->opt->size); /* and so on to the next */
    }
    assert_true(n_live >= 35 && n_fixed >= 25);
    fg_arena_clear(&pair.arena);
}

/* What users rely on, as docs/operations.md has it. */
static void budgets_and_rules_change_at_run_time_and_policies_do_not(void **state)
{
    (void)state;
    static const char *const live[] = {
        "crawl.budget", "crawl.tick",        "crawl.exclude",   "fetch.delay",
        "focus.words",  "store.keep-visits", "documents.value", "conduct.tdmrep",
        "output.file",  "output.kinds",      "feeds.dir",       "webhooks.to",
        "digest.to",
    };
    static const char *const fixed[] = {"policy.discovery", "policy.seed",
                                        "operator.token",   "fetch.max-body",
                                        "archive.dir",      "clock.speed"};
    struct pair pair;
    pair_init(&pair);
    for (size_t i = 0; i < sizeof live / sizeof *live; i++)
        assert_true(fg_opts_find(&pair.fresh_opts, fg_str_from(live[i]))->opt->is_live);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        assert_false(fg_opts_find(&pair.fresh_opts, fg_str_from(fixed[i]))->opt->is_live);
    fg_arena_clear(&pair.arena);
}

static void what_follows_from_settings_is_set_with_them(void **state)
{
    (void)state;
    struct pair pair;
    pair_init(&pair);
    struct fg_crawl_options *o = &pair.fresh;
    assert_null(o->archive.dir);
    fg_crawl_settle(o, &pair.arena);
    assert_false(o->who.is_given);
    assert_null(o->fetch.from);
    assert_int_equal(o->report.kinds, FG_REPORT_PAGES);
    assert_int_equal(o->naming.keep, 0);
    assert_string_equal(o->policies.refresh, "lomax");
    static const char *const rows[][2] = {{"operator.contact", "me@example.org"},
                                          {"operator.token", "finder"},
                                          {"crawl.report-kinds", "page,action"},
                                          {"canonical.sort-query", "no"},
                                          {"archive.dir", "warc"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        set(&pair, fg_opts_find(&pair.fresh_opts, fg_str_from(rows[i][0])), rows[i][1]);
    fg_crawl_settle(o, &pair.arena);
    assert_true(o->who.is_given);
    assert_string_equal(o->fetch.from, "me@example.org");
    assert_non_null(strstr(o->fetch.user_agent, "finder; me@example.org;"));
    assert_int_equal(o->report.kinds, FG_REPORT_PAGES | FG_REPORT_ACTIONS);
    assert_true(o->naming.keep != 0);
    assert_string_equal(o->archive.dir, "warc");
    set(&pair, fg_opts_find(&pair.fresh_opts, FG_STR("archive.dir")), "");
    assert_null(o->archive.dir);
    fg_arena_clear(&pair.arena);
}

FG_TESTS(a_row_is_taken_over_if_it_says_so,
         budgets_and_rules_change_at_run_time_and_policies_do_not,
         what_follows_from_settings_is_set_with_them)
