#include "test.h"

#include "net/robots/rules.h"

#include "base/vec.h"

/* "+/a -/b*c" are the rules Allow: /a and Disallow: /b*c. */
static const struct fg_rules *rules_from(struct fg_arena *arena, const char *text)
{
    FG_VEC(struct fg_rule) list = {0};
    struct fg_str rest = fg_str_from(text), word;
    while (fg_str_cut(&rest, ' ', &word)) {
        struct fg_rule rule = {fg_str_skip(word, 1), word.at[0] == '+'};
        fg_vec_push_in(arena, &list, rule);
    }
    return fg_rules_index(arena, list.at, list.len);
}

static void assert_verdict(const char *rules, const char *path, bool allowed)
{
    struct fg_arena arena = {0};
    bool verdict = fg_rules_allow(rules_from(&arena, rules), fg_str_from(path));
    if (verdict != allowed)
        print_error("rules %s, path %s\n", rules, path);
    assert_int_equal(verdict, allowed);
    fg_arena_clear(&arena);
}

static void longest_rule_decides_and_allow_wins_ties(void **state)
{
    (void)state;
    assert_verdict("-/ +/a", "/abc", true);
    assert_verdict("-/ +/a", "/b", false);
    assert_verdict("-/a +/a", "/a", true);
    assert_verdict("+/a -/ab", "/abc", false);
    assert_verdict("+/ -/*", "/x", false); /* a wildcard is an octet as well */
    assert_verdict("+/page -/*.htm", "/page.htm", false);
    assert_verdict("-/a", "/A", true);
    assert_verdict("-/a", "", true);
    assert_verdict("-/", "", false);
    assert_verdict("-/?q", "?q=1", false);
}

static void wildcards_and_anchor_match_anywhere(void **state)
{
    (void)state;
    assert_verdict("-/*.gif$", "/a/b.gif", false);
    assert_verdict("-/*.gif$", "/a/b.gif?x", true);
    assert_verdict("-/a$", "/a", false);
    assert_verdict("-/a$", "/ab", true);
    assert_verdict("-/a*b*c$", "/axbxbyc", false);
    assert_verdict("-/a*b*c$", "/axbxbycd", true);
    assert_verdict("-*x", "/aax", false);
    assert_verdict("-/a**b", "/ab", false);
    assert_verdict("-/a*", "/a", false);
    assert_verdict("-/*ab$", "/aab", false);
    assert_verdict("-/ab*b$", "/ab", true); /* one b cannot serve twice */
    assert_verdict("-x", "/x", true);       /* not from the start */
    assert_verdict("-$", "/", true);
    assert_verdict("-*$", "/", false);
    assert_verdict("-/a$b", "/a$b", false); /* a dollar sign within is itself */
}

static void both_sides_are_normalised(void **state)
{
    (void)state;
    assert_verdict("-/%62%61%7a", "/baz", false);
    assert_verdict("-/baz", "/%62%61%7A", false);
    assert_verdict("-/%e3%83%84", "/\xe3\x83\x84", false);
    assert_verdict("-/\xe3\x83\x84", "/%E3%83%84", false);
    assert_verdict("-/a%2fb", "/a%2Fb", false);
    assert_verdict("-/a%2Fb", "/a/b", true);
    assert_verdict("-/a/b", "/a%2Fb", true);
    assert_verdict("-/a%3cb", "/a<b", false);
    assert_verdict("-/a{b", "/a%7Bb", false);
    assert_verdict("-/%2a", "/*", false);
    assert_verdict("-/%2A", "/x", true);
    assert_verdict("-/x%24", "/x$y", false);
    assert_verdict("-/x%24", "/x", true);
    assert_verdict("-/a%zzb", "/a%zzb", false);
    assert_verdict("-/a%2", "/a%2", false);
    assert_verdict("-/*to=%", "/go?to=%2F", false);
    assert_verdict("-/a#b", "/a", true); /* the parser cuts comments, a path has none */
}

static void query_equates_reserved_characters_with_their_escapes(void **state)
{
    (void)state;
    assert_verdict("-/f?u=https://h.example", "/f?u=https%3A%2F%2Fh.example", false);
    assert_verdict("-/f?u=https%3A%2F%2Fh.example", "/f?u=https://h.example", false);
    assert_verdict("-/*%2F", "/f?u=%2F", false);
    assert_verdict("-/*https:", "/f?u=https%3a", false);
    /* the opened form counts the octets of the rule as it stands: 11 against 10 */
    assert_verdict("+/f?u=/abcd -/f?u=%2Fab", "/f?u=%2Fabc", false);
}

static void patterns_have_one_normal_form(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    static const char *const cases[][2] = {
        {"/a b", "/a%20b"},   {"/%7Euser", "/~user"},
        {"/*$", "/*$"},       {"/a$b$", "/a%24b$"},
        {"/%aa", "/%AA"},     {"/%", "/%"},
        {"\x01", "%01"},      {"/\xff", "/%FF"},
        {"/%8%66", "/%8%66"}, {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_str once = fg_rule_normalise(&arena, fg_str_from(cases[i][0]));
        assert_str(once, cases[i][1]);
        assert_str(fg_rule_normalise(&arena, once), cases[i][1]);
    }
    fg_arena_clear(&arena);
}

static void duplicates_and_empty_rules_vanish(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    assert_int_equal(fg_rules_count(rules_from(&arena, "-/a -/a +/a - + -/%61")), 2);
    assert_int_equal(fg_rules_count(fg_rules_index(&arena, NULL, 0)), 0);
    fg_arena_clear(&arena);
}

/* The definition, tried backwards and forwards: exponential, but true. */
static bool plainly_matches(struct fg_str pattern, struct fg_str path)
{
    if (!pattern.len)
        return true;
    if (pattern.at[0] == '$' && pattern.len == 1)
        return !path.len;
    if (pattern.at[0] == '*') {
        for (size_t i = 0; i <= path.len; i++)
            if (plainly_matches(fg_str_skip(pattern, 1), fg_str_skip(path, i)))
                return true;
        return false;
    }
    return path.len && pattern.at[0] == path.at[0] &&
           plainly_matches(fg_str_skip(pattern, 1), fg_str_skip(path, 1));
}

static bool plainly_allowed(const struct fg_rule *rules, size_t n, struct fg_str path)
{
    size_t octets = 0;
    bool allow = true;
    for (size_t i = 0; i < n; i++) {
        struct fg_str pattern = rules[i].pattern;
        if (!pattern.len || pattern.len < octets || !plainly_matches(pattern, path))
            continue;
        allow = rules[i].allow || (allow && octets == pattern.len);
        octets = pattern.len;
    }
    return allow;
}

static uint32_t draw(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 8) % below;
}

static struct fg_str draw_text(struct fg_arena *arena, uint32_t *seed,
                               const char *letters, uint32_t most)
{
    size_t n = draw(seed, most);
    char *at = fg_arena_bytes(arena, n + 1);
    at[0] = '/';
    for (size_t i = 1; i <= n; i++)
        at[i] = letters[draw(seed, (uint32_t)strlen(letters))];
    return (struct fg_str){at, n + 1};
}

static void index_agrees_with_the_definition(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (int round = 0; round < 3000; round++) {
        struct fg_arena arena = {0};
        struct fg_rule rules[40];
        size_t n = draw(&seed, 40);
        for (size_t i = 0; i < n; i++) {
            struct fg_str pattern = draw_text(&arena, &seed, "aab/**", 7);
            if (draw(&seed, 5) == 0)
                pattern = fg_arena_printf(&arena, "%.*s$", FG_ARG(pattern));
            rules[i] = (struct fg_rule){pattern, draw(&seed, 2)};
        }
        const struct fg_rules *index = fg_rules_index(&arena, rules, n);
        for (int i = 0; i < 10; i++) {
            struct fg_str path = draw_text(&arena, &seed, "ab/", 9);
            assert_int_equal(fg_rules_allow(index, path),
                             plainly_allowed(rules, n, path));
        }
        fg_arena_clear(&arena);
    }
}

static void too_long_a_path_is_refused(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    const struct fg_rules *rules = rules_from(&arena, "-/x");
    size_t n = FG_RULES_PATH_MAX + 1;
    char *path = fg_arena_bytes(&arena, n);
    memset(path, '/', n);
    assert_false(fg_rules_allow(rules, (struct fg_str){path, n}));
    assert_true(fg_rules_allow(rules, (struct fg_str){path, n - 1}));
    memset(path, ' ', n);
    assert_false(fg_rules_allow(rules, (struct fg_str){path, n / 2}));
    assert_true(fg_rules_allow(rules, (struct fg_str){path, n / 4}));
    assert_true(fg_rules_allow(rules_from(&arena, "-"), (struct fg_str){path, n}));
    fg_arena_clear(&arena);
}

/* Thousands of rules that pass the filter, look through all of a long path and fail at
 * its end: past the stated amount of work the answer is no. */
static void work_without_end_is_refused(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    enum { RULES = 1 << 12, LENGTH = 8000 };
    struct fg_rule *list = FG_NEW(&arena, struct fg_rule, RULES);
    for (int i = 0; i < RULES; i++) {
        struct fg_str pattern = FG_STR("/*aaa");
        for (int bit = 0; bit < 12; bit++)
            pattern = fg_arena_printf(&arena, "%.*s*%s", FG_ARG(pattern),
                                      i >> bit & 1 ? "aa" : "a");
        list[i].pattern = fg_arena_printf(&arena, "%.*s$", FG_ARG(pattern));
    }
    const struct fg_rules *rules = fg_rules_index(&arena, list, RULES);
    char *path = fg_arena_bytes(&arena, LENGTH);
    memset(path, 'a', LENGTH);
    path[0] = '/';
    path[LENGTH - 1] = 'b';
    assert_int_equal(fg_rules_count(rules), RULES);
    assert_true((size_t)RULES * LENGTH > FG_RULES_WORK_MAX);
    assert_false(fg_rules_allow(rules, (struct fg_str){path, LENGTH}));
    path[999] = 'b';
    assert_true(fg_rules_allow(rules, (struct fg_str){path, 1000}));
    fg_arena_clear(&arena);
}

FG_TESTS(longest_rule_decides_and_allow_wins_ties, wildcards_and_anchor_match_anywhere,
         both_sides_are_normalised, query_equates_reserved_characters_with_their_escapes,
         patterns_have_one_normal_form, duplicates_and_empty_rules_vanish,
         index_agrees_with_the_definition, too_long_a_path_is_refused,
         work_without_end_is_refused)
