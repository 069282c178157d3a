#include "test.h"

#include "base/opt.h"

struct settings {
    bool sort;
    int64_t hosts;
    double share;
    fg_time delay;
    size_t max_body;
    struct fg_str token;
    int level;
    struct fg_opt_list drop;
    struct fg_str config;
};

static const char *refuse_digits(struct fg_str text)
{
    return text.len && fg_is_digit(text.at[0]) ? "starts with a digit" : NULL;
}

static const char *const levels[] = {"low", "high", NULL};
static const struct fg_opt rows[] = {
    {"sort", FG_BOOL(struct settings, sort), "yes", .help = "sort", .letter = 's'},
    {"fetch.hosts", FG_INT(struct settings, hosts), "8", .min = 1, .max = 100,
     .help = "hosts", .letter = 'n'},
    {"fetch.share", FG_DOUBLE(struct settings, share), "0.5", .max = 1, .help = "share"},
    {"fetch.delay", FG_SPAN(struct settings, delay), "5s", .min = 1000, .max = 1 * FG_DAY,
     .help = "delay"},
    {"fetch.max-body", FG_SIZE(struct settings, max_body), "10MB", .help = "body"},
    {"operator.token", FG_STRING(struct settings, token), "forage", .max = 10,
     .refuse = refuse_digits, .help = "token"},
    {"level", FG_ENUM(struct settings, level, levels), "low", .help = "level"},
    {"url.drop", FG_LIST(struct settings, drop), "a,b", .max = 4, .refuse = refuse_digits,
     .help = "drop"},
    {"config", FG_STRING(struct settings, config), .not_in_files = true, .help = "file"},
    {0},
};

struct world {
    struct fg_arena arena;
    struct fg_opts opts;
    struct settings s;
    struct fg_err err;
};

static struct world *world_new(void)
{
    struct world *w = calloc(1, sizeof *w);
    w->opts.arena = &w->arena;
    fg_opts_add(&w->opts, rows, &w->s);
    return w;
}

static void world_free(struct world *w)
{
    fg_arena_clear(&w->arena);
    free(w);
}

static enum fg_status yaml(struct world *w, const char *text)
{
    return fg_opts_read_yaml(&w->opts, fg_str_from(text), "f.yaml", &w->err);
}

static enum fg_status env(struct world *w, const char *line)
{
    static const char *const exempt[] = {"FORAGE_DATA", "FORAGE_BENCH*", NULL};
    char *environment[] = {(char *)"HOME=/root", (char *)line, NULL};
    return fg_opts_read_env(&w->opts, environment, exempt, &w->err);
}

/* Words come back joined by blanks. */
static enum fg_status args(struct world *w, const char *line, char *words)
{
    char *text = fg_arena_cstr(&w->arena, fg_str_from(line)), *argv[16] = {0}, *word;
    size_t n = 0;
    while ((word = strsep(&text, " ")))
        argv[n++] = word;
    struct fg_args a = {.at = argv, .own = NULL, .shared = &w->opts};
    const char *found;
    enum fg_status st;
    *words = '\0';
    while (!(st = fg_args_next(&a, &found, &w->err)) && found)
        sprintf(words + strlen(words), "%s%s", *words ? " " : "", found);
    return st;
}

static void assert_text(struct world *w, const char *key, const char *text,
                        const char *origin)
{
    const struct fg_setting *setting = fg_opts_find(&w->opts, fg_str_from(key));
    assert_non_null(setting);
    assert_str(fg_setting_text(&w->arena, setting), text);
    assert_str(fg_origin_text(&w->arena, &setting->origin), origin);
}

static void defaults_are_set_from_their_rows(void **state)
{
    (void)state;
    struct world *w = world_new();
    assert_true(w->s.sort);
    assert_int_equal(w->s.hosts, 8);
    assert_true(w->s.share == 0.5);
    assert_int_equal(w->s.delay, 5 * FG_SECOND);
    assert_int_equal(w->s.max_body, 10000000);
    assert_str(w->s.token, "forage");
    assert_int_equal(w->s.level, 0);
    assert_int_equal(w->s.drop.len, 2);
    assert_str(w->s.drop.at[1], "b");
    assert_int_equal(w->s.config.len, 0);
    for (size_t i = 0; i < w->opts.rows.len; i++)
        assert_text(w, rows[i].name, rows[i].preset ? rows[i].preset : "", "default");
    world_free(w);
}

static void yaml_keys_may_be_nested_or_dotted(void **state)
{
    (void)state;
    struct world *w = world_new();
    assert_int_equal(yaml(w, "# a comment\n"
                             "fetch:\n"
                             "  delay: 1h30m\n"
                             "  hosts: '3'\n"
                             "fetch.max-body: 64KiB\n"
                             "sort: off\n"
                             "url: {drop: [x, \"y\"]}\n"),
                     FG_OK);
    assert_text(w, "fetch.delay", "1h30m", "f.yaml:3");
    assert_text(w, "fetch.hosts", "3", "f.yaml:4");
    assert_text(w, "fetch.max-body", "64KiB", "f.yaml:5");
    assert_text(w, "sort", "no", "f.yaml:6");
    assert_text(w, "url.drop", "x,y", "f.yaml:7");
    assert_int_equal(w->s.drop.len, 2);
    world_free(w);
}

static void files_that_say_nothing_are_fine(void **state)
{
    (void)state;
    static const char *const empty[] = {
        "",  "\n", "# only a comment\n",    "---\n",
        "~", "{}", "fetch:\n  # nothing\n", "url: {drop: []}"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        struct world *w = world_new();
        if (yaml(w, empty[i]))
            fail_msg("%s: %s", empty[i], w->err.text);
        world_free(w);
    }
}

struct mistake {
    const char *text, *message;
};

static void assert_refused(const struct mistake *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct world *w = world_new();
        assert_int_equal(yaml(w, cases[i].text), FG_ECONFIG);
        assert_string_equal(w->err.text, cases[i].message);
        world_free(w);
    }
}

static void unknown_keys_are_refused_with_the_nearest(void **state)
{
    (void)state;
    static const struct mistake cases[] = {
        {"fetch:\n  dealy: 5s\n",
         "f.yaml:2: unknown key 'fetch.dealy'; did you mean 'fetch.delay'?"},
        {"delay: 5s", "f.yaml:1: unknown key 'delay'; did you mean 'fetch.delay'?"},
        {"ftech: {delay: 5s}",
         "f.yaml:1: unknown key 'ftech.delay'; did you mean 'fetch.delay'?"},
        {"nothing.like.it: 1", "f.yaml:1: unknown key 'nothing.like.it'; 'forage help "
                               "settings' lists them all"},
        {"wild: {}",
         "f.yaml:1: unknown key 'wild'; 'forage help settings' lists them all"},
    };
    assert_refused(cases, sizeof cases / sizeof *cases);
}

static void wrong_values_are_refused_with_what_may_be_written(void **state)
{
    (void)state;
    static const struct mistake cases[] = {
        {"\nfetch.delay: 5\n", "f.yaml:2: fetch.delay: '5' has no unit; write a span of "
                               "time with its unit, such "
                               "as 250ms, 15m or 1h30m"},
        {"fetch.delay: soon",
         "f.yaml:1: fetch.delay: 'soon' is not a span of time with its "
         "unit, such as 250ms, 15m or 1h30m"},
        {"fetch.delay: 2d",
         "f.yaml:1: fetch.delay: '2d' is out of range; write 1ms to 1d"},
        {"fetch.max-body: 10M",
         "f.yaml:1: fetch.max-body: '10M' is not an amount of bytes "
         "with its unit, such as 64KiB or 10MB"},
        {"fetch.max-body: 10",
         "f.yaml:1: fetch.max-body: '10' has no unit; write an amount "
         "of bytes with its unit, such as 64KiB or 10MB"},
        {"fetch.hosts: 0", "f.yaml:1: fetch.hosts: '0' is out of range; write 1 to 100"},
        {"fetch.hosts: 1.5", "f.yaml:1: fetch.hosts: '1.5' is not a whole number"},
        {"fetch.share: 1.5",
         "f.yaml:1: fetch.share: '1.5' is out of range; write 0 to 1"},
        {"sort: maybe", "f.yaml:1: sort: 'maybe' is not yes or no"},
        {"level: Low", "f.yaml:1: level: 'Low' is not one of low, high"},
        {"operator.token: 9lives",
         "f.yaml:1: operator.token: '9lives' starts with a digit"},
        {"operator.token: abcdefghijk",
         "f.yaml:1: operator.token: 'abcdefghijk' is out of range; write 0 to 10 bytes"},
        {"operator.token: \"a\\0b\"",
         "f.yaml:1: operator.token: 'a\\u0000b' has a NUL in it"},
        {"level: \"low\\0\"", "f.yaml:1: level: 'low\\u0000' has a NUL in it"},
    };
    assert_refused(cases, sizeof cases / sizeof *cases);
}

static void wrong_lists_are_refused(void **state)
{
    (void)state;
    static const struct mistake cases[] = {
        {"url.drop: [a, 2]", "f.yaml:1: url.drop: '2' starts with a digit"},
        {"url.drop: [a, [b]]", "f.yaml:1: url.drop: a list of plain words is expected"},
        {"url.drop: ['a,b']", "f.yaml:1: url.drop: a comma in an entry of a list"},
        {"url.drop: [a, '']", "f.yaml:1: url.drop: an empty entry in a list"},
        {"url.drop: a,,b", "f.yaml:1: url.drop: 'a,,b' has an empty entry"},
        {"url.drop: a,b,c,d,e",
         "f.yaml:1: url.drop: 'a,b,c,d,e' is out of range; write 0 to 4 entries"},
    };
    assert_refused(cases, sizeof cases / sizeof *cases);
}

static void a_value_where_a_group_is_and_the_reverse_are_refused(void **state)
{
    (void)state;
    static const struct mistake cases[] = {
        {"level: [low]", "f.yaml:1: level: one value is expected, not a list"},
        {"level: {a: b}", "f.yaml:1: level: a value is expected, not further keys"},
        {"fetch: 5", "f.yaml:1: fetch: a group of settings, not a setting"},
        {"fetch: [5]", "f.yaml:1: fetch: a group of settings, not a list"},
        {"level:", "f.yaml:1: level: has no value"},
    };
    assert_refused(cases, sizeof cases / sizeof *cases);
}

static void keys_given_twice_or_out_of_place_are_refused(void **state)
{
    (void)state;
    static const struct mistake cases[] = {
        {"level: low\nsort: yes\nlevel: high",
         "f.yaml:3: level: given twice; the first is on line 1"},
        {"fetch: {hosts: 1}\nfetch.hosts: 1",
         "f.yaml:2: fetch.hosts: given twice; the first is on line 1"},
        {"fetch: {hosts: 1}\nfetch: {share: 1}",
         "f.yaml:2: fetch: given twice; the first is on line 1"},
        {"config: x",
         "f.yaml:1: config: can be set by a flag or in the environment only"},
    };
    assert_refused(cases, sizeof cases / sizeof *cases);
}

static void yaml_beyond_keys_and_values_is_refused(void **state)
{
    (void)state;
    static const struct mistake cases[] = {
        {"- a\n- b", "f.yaml:1: 'key: value' lines are expected"},
        {"just text", "f.yaml:1: 'key: value' lines are expected"},
        {"level: low\n---\nlevel: low\n",
         "f.yaml:2: a second document; one file holds one"},
        {"a: &x low",
         "f.yaml:1: anchors (&), aliases (*) and tags (!) are not understood "
         "here"},
        {"level: *x",
         "f.yaml:1: anchors (&), aliases (*) and tags (!) are not understood "
         "here"},
        {"level: !!str low",
         "f.yaml:1: anchors (&), aliases (*) and tags (!) are not understood here"},
        {"\"a\\0\": b", "f.yaml:1: a key with a NUL in it"},
        {"? [a]\n: b", "f.yaml:1: a key must be a plain word"},
        {"a: {b: {c: {d: {e: {f: {g: {h: {i: 1}}}}}}}}", "f.yaml:1: nested too deeply"},
    };
    assert_refused(cases, sizeof cases / sizeof *cases);
}

static void broken_yaml_is_refused_with_a_place(void **state)
{
    (void)state;
    static const char *const broken[] = {"a: 'b", "level: low: x", "}", "%%"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct world *w = world_new();
        assert_int_equal(yaml(w, broken[i]), FG_ECONFIG);
        if (!strstr(w->err.text, "f.yaml:1: not YAML: "))
            fail_msg("%s", w->err.text);
        world_free(w);
    }
    struct world *w = world_new();
    assert_int_equal(yaml(w, "\nurl.drop: [x,\ny"), FG_ECONFIG);
    assert_non_null(strstr(w->err.text, "while parsing a flow sequence from line 2 on"));
    assert_int_equal(yaml(w, "a: \xff\xff"), FG_ECONFIG);
    assert_string_equal(w->err.text,
                        "f.yaml:1: not YAML: invalid leading UTF-8 octet at byte 3");
    assert_int_equal(yaml(w, "\xEF\xBB\xBFsort: yes\n\nlevel: \x01\n"), FG_ECONFIG);
    assert_string_equal(
        w->err.text, "f.yaml:3: not YAML: control characters are not allowed at byte 21");
    world_free(w);
}

static void indentation_is_blamed_where_it_is(void **state)
{
    (void)state;
    static const struct mistake cases[] = {
        {"\ta: b", "f.yaml:1: tab used for indentation; use spaces"},
        {"fetch:\n  hosts: 3\n\tshare: 1",
         "f.yaml:3: tab used for indentation; use spaces"},
        {"fetch:\n    hosts: 3\n  share: 1",
         "f.yaml:3: indentation does not match line 2"},
        {"fetch:\n  share: 1\n    hosts: 3",
         "f.yaml:3: indentation does not match line 2"},
        {"  level: low\nsort: yes", "f.yaml:2: indentation does not match line 1"},
    };
    assert_refused(cases, sizeof cases / sizeof *cases);
    struct world *w = world_new();
    assert_int_equal(yaml(w, "url.drop: [x,\n    y\n  : z"), FG_ECONFIG);
    assert_null(strstr(w->err.text, "indentation"));
    world_free(w);
}

static void large_files_and_long_keys_are_refused(void **state)
{
    (void)state;
    struct world *w = world_new();
    char *text = malloc(FG_YAML_MAX + 2);
    memset(text, 'k', FG_YAML_MAX + 1);
    text[FG_YAML_MAX + 1] = '\0';
    assert_int_equal(yaml(w, text), FG_ECONFIG);
    assert_string_equal(w->err.text, "f.yaml: larger than 1048576 bytes");
    strcpy(text + 200, ": x");
    assert_int_equal(yaml(w, text), FG_ECONFIG);
    assert_string_equal(w->err.text, "f.yaml:1: a key of more than 128 bytes");
    memset(text, '[', 100000);
    text[100000] = '\0';
    assert_int_equal(yaml(w, text), FG_ECONFIG);
    free(text);
    world_free(w);
}

static void higher_layers_win_in_any_order_of_reading(void **state)
{
    (void)state;
    struct world *w = world_new();
    char words[200];
    assert_int_equal(args(w, "--fetch-hosts 4", words), FG_OK);
    assert_int_equal(env(w, "FORAGE_FETCH_HOSTS=3"), FG_OK);
    assert_int_equal(yaml(w, "fetch.hosts: 2\nlevel: high"), FG_OK);
    assert_text(w, "fetch.hosts", "4", "--fetch-hosts");
    assert_text(w, "level", "high", "f.yaml:2");
    assert_int_equal(env(w, "FORAGE_LEVEL=low"), FG_OK);
    assert_text(w, "level", "low", "FORAGE_LEVEL");
    world_free(w);
}

static void a_later_file_wins_over_an_earlier_one(void **state)
{
    (void)state;
    struct world *w = world_new();
    assert_int_equal(yaml(w, "level: high\nurl.drop: [x]"), FG_OK);
    assert_int_equal(fg_opts_read_yaml(&w->opts, FG_STR("\nlevel: low\nurl.drop: [y]"),
                                       "g.yaml", &w->err),
                     FG_OK);
    assert_text(w, "level", "low", "g.yaml:2");
    assert_text(w, "url.drop", "y", "g.yaml:3");
    world_free(w);
}

static void an_overridden_mistake_is_still_a_mistake(void **state)
{
    (void)state;
    struct world *w = world_new();
    char words[200];
    assert_int_equal(args(w, "--fetch-hosts=4", words), FG_OK);
    assert_int_equal(yaml(w, "fetch.hosts: many"), FG_ECONFIG);
    assert_int_equal(w->s.hosts, 4);
    world_free(w);
}

static void variables_are_read_and_unknown_ones_refused(void **state)
{
    (void)state;
    struct world *w = world_new();
    assert_int_equal(env(w, "FORAGE_FETCH_MAX_BODY=1MiB"), FG_OK);
    assert_text(w, "fetch.max-body", "1MiB", "FORAGE_FETCH_MAX_BODY");
    assert_int_equal(env(w, "FORAGE_CONFIG=/x"), FG_OK);
    assert_int_equal(env(w, "FORAGE_URL_DROP=x, y"), FG_OK);
    assert_text(w, "url.drop", "x,y", "FORAGE_URL_DROP");
    assert_int_equal(env(w, "FORAGE_DATA=x"), FG_OK);
    assert_int_equal(env(w, "FORAGE_BENCH_PAGES=x"), FG_OK);
    assert_int_equal(env(w, "FORAGER=x"), FG_OK);
    assert_int_equal(env(w, "FORAGE_FETCH_DELY=1s"), FG_ECONFIG);
    assert_string_equal(w->err.text,
                        "unknown environment variable FORAGE_FETCH_DELY; did "
                        "you mean FORAGE_FETCH_DELAY?");
    assert_int_equal(env(w, "FORAGE_COMPLETELY_DIFFERENT=1"), FG_ECONFIG);
    assert_int_equal(env(w, "FORAGE_FETCH_DELAY=1"), FG_ECONFIG);
    assert_string_equal(w->err.text,
                        "FORAGE_FETCH_DELAY: '1' has no unit; write a span of "
                        "time with its unit, such as 250ms, 15m or 1h30m");
    world_free(w);
}

static void flags_and_words_may_mix(void **state)
{
    (void)state;
    struct world *w = world_new();
    char words[200];
    assert_int_equal(args(w,
                          "one --fetch-delay 2s two --fetch.max-body=1kB --no-sort -n7 - "
                          "-- --three -n",
                          words),
                     FG_OK);
    assert_string_equal(words, "one two - --three -n");
    assert_text(w, "fetch.delay", "2s", "--fetch-delay");
    assert_text(w, "fetch.max-body", "1kB", "--fetch.max-body");
    assert_text(w, "sort", "no", "--no-sort");
    assert_text(w, "fetch.hosts", "7", "-n");
    assert_int_equal(args(w, "-sn 9 --sort=no", words), FG_OK);
    assert_text(w, "fetch.hosts", "9", "-n");
    assert_text(w, "sort", "no", "--sort");
    world_free(w);
}

static void a_list_flag_replaces_the_default_and_adds_when_repeated(void **state)
{
    (void)state;
    struct world *w = world_new();
    char words[200];
    assert_int_equal(args(w, "--url-drop x --url-drop y,z", words), FG_OK);
    assert_text(w, "url.drop", "x,y,z", "--url-drop");
    world_free(w);
}

static void wrong_flags_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"--fetch-dely 2s", "unknown flag '--fetch-dely'; did you mean '--fetch-delay'?"},
        {"--Fetch_Delay 2s",
         "unknown flag '--Fetch_Delay'; did you mean '--fetch-delay'?"},
        {"--unheard-of", "unknown flag '--unheard-of'"},
        {"--fetch-delay", "--fetch-delay needs a value: --fetch-delay SPAN"},
        {"--fetch-delay 2",
         "--fetch-delay: '2' has no unit; write a span of time with its "
         "unit, such as 250ms, 15m or 1h30m"},
        {"--no-sort=yes", "--no-sort takes no value"},
        {"--no-level", "unknown flag '--no-level'; did you mean '--level'?"},
        {"-x", "unknown flag '-x'"},
        {"-n", "-n needs a value: -n N"},
        {"-nx", "-n: 'x' is not a whole number"},
        {"--=x", "unknown flag '--'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world *w = world_new();
        char words[200];
        assert_int_equal(args(w, cases[i].line, words), FG_ECONFIG);
        assert_string_equal(w->err.text, cases[i].message);
        world_free(w);
    }
}

static void huge_values_are_quoted_in_part(void **state)
{
    (void)state;
    struct world *w = world_new();
    char words[200], line[5000] = "--level=";
    memset(line + 8, 'x', 4000);
    assert_int_equal(args(w, line, words), FG_ECONFIG);
    assert_true(strlen(w->err.text) < 120);
    assert_non_null(strstr(w->err.text, "is not one of low, high"));
    world_free(w);
}

static void texts_about_a_row_follow_from_it(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    assert_str(fg_opt_flag(&arena, &rows[4]), "--fetch-max-body");
    assert_str(fg_opt_variable(&arena, &rows[4]), "FORAGE_FETCH_MAX_BODY");
    assert_str(fg_opt_range(&arena, &rows[3]), "1ms to 1d");
    assert_str(fg_opt_range(&arena, &rows[6]), "low, high");
    assert_string_equal(fg_opt_arg(&rows[3]), "SPAN");
    assert_null(fg_opt_arg(&rows[0]));
    assert_true(fg_opt_under(&rows[3], FG_STR("fetch")));
    assert_true(fg_opt_under(&rows[3], FG_STR("fetch.delay")));
    assert_false(fg_opt_under(&rows[3], FG_STR("fet")));
    fg_arena_clear(&arena);
}

/* --- narrow numbers, plain texts, and what a running program takes over --- */

struct running {
    uint32_t narrow, guard;
    const char *plain;
    struct fg_opt_list list;
};

static const struct fg_opt running_rows[] = {
    {"narrow", FG_INT(struct running, narrow), "4000000000", .min = 1, .max = 4e9,
     .is_live = true, .help = "narrow"},
    {"plain", FG_STRING(struct running, plain), .is_live = true, .help = "plain"},
    {"list", FG_LIST(struct running, list), "a,b", .help = "list"},
    {0},
};

static void narrow_numbers_and_plain_texts_fit(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_opts opts = {.arena = &arena};
    struct running r = {.guard = 7};
    fg_opts_add(&opts, running_rows, &r);
    assert_int_equal(r.narrow, 4000000000);
    assert_int_equal(r.guard, 7);
    assert_null(r.plain);
    struct fg_err err = {0};
    assert_int_equal(
        fg_opts_read_yaml(&opts, FG_STR("narrow: 5\nplain: hello\n"), "f.yaml", &err),
        FG_OK);
    assert_int_equal(r.narrow, 5);
    assert_int_equal(r.guard, 7);
    assert_string_equal(r.plain, "hello");
    assert_int_equal(fg_setting_int(&opts.rows.at[0]), 5);
    assert_str(fg_setting_text(&arena, &opts.rows.at[0]), "5");
    assert_str(fg_setting_text(&arena, &opts.rows.at[1]), "hello");
    assert_int_equal(
        fg_opts_read_yaml(&opts, FG_STR("narrow: 5000000000"), "f.yaml", &err),
        FG_ECONFIG);
    fg_arena_clear(&arena);
}

static void add_name(void *context, const struct fg_opt *opt)
{
    strcat(strcat(context, opt->name), " ");
}

static void what_may_change_is_taken_over_and_the_rest_is_named(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_opts opts = {.arena = &arena}, fresh_opts = {.arena = &arena};
    struct running r = {0}, fresh = {0};
    char names[100] = "";
    fg_opts_add(&opts, running_rows, &r);
    fg_opts_add(&fresh_opts, running_rows, &fresh);
    fg_opts_update(running_rows, &r, &fresh, add_name, names);
    assert_string_equal(names, "");
    assert_int_equal(fg_opts_read_yaml(&fresh_opts,
                                       FG_STR("narrow: 9\nplain: x\nlist: [a, c]\n"),
                                       "f.yaml", NULL),
                     FG_OK);
    fg_opts_update(running_rows, &r, &fresh, add_name, names);
    assert_string_equal(names, "narrow plain list ");
    assert_int_equal(r.narrow, 9);
    assert_string_equal(r.plain, "x");
    assert_str(r.list.at[1], "b");
    fg_arena_clear(&arena);
}

FG_TESTS(narrow_numbers_and_plain_texts_fit,
         what_may_change_is_taken_over_and_the_rest_is_named,
         defaults_are_set_from_their_rows, yaml_keys_may_be_nested_or_dotted,
         files_that_say_nothing_are_fine, unknown_keys_are_refused_with_the_nearest,
         wrong_values_are_refused_with_what_may_be_written, wrong_lists_are_refused,
         a_value_where_a_group_is_and_the_reverse_are_refused,
         keys_given_twice_or_out_of_place_are_refused,
         yaml_beyond_keys_and_values_is_refused, broken_yaml_is_refused_with_a_place,
         indentation_is_blamed_where_it_is, large_files_and_long_keys_are_refused,
         higher_layers_win_in_any_order_of_reading, a_later_file_wins_over_an_earlier_one,
         an_overridden_mistake_is_still_a_mistake,
         variables_are_read_and_unknown_ones_refused, flags_and_words_may_mix,
         a_list_flag_replaces_the_default_and_adds_when_repeated, wrong_flags_are_named,
         huge_values_are_quoted_in_part, texts_about_a_row_follow_from_it)
