#include "test.h"

#include "base/arena.h"
#include "net/robots/robots.h"
#include "net/robots/tdmrep.h"

static enum fg_tdm_reservation at(const struct fg_tdmrep *file, const char *path)
{
    return fg_tdmrep_at(file, fg_str_from(path)).reservation;
}

/* The example of the report, 4.2.2. */
static void the_reports_example_is_read_as_it_says(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    const char *problem;
    const struct fg_tdmrep *file = fg_tdmrep_parse(
        &arena,
        FG_STR("[{\"location\":\"/directory-a/\",\"tdm-reservation\":1},"
               "{\"location\":\"/directory-b/html/\",\"tdm-reservation\":1,"
               "\"tdm-policy\":\"https://provider.com/policies/policy.json\"},"
               "{\"location\":\"/directory-b/images/*.jpg\",\"tdm-reservation\":0}]"),
        &problem);
    assert_non_null(file);
    assert_null(problem);
    assert_int_equal(at(file, "/directory-a/x.pdf"), FG_TDM_RESERVED);
    assert_int_equal(at(file, "/directory-b/images/a/b.jpg"), FG_TDM_FREE);
    assert_int_equal(at(file, "/directory-b/images/b.png"), FG_TDM_UNSET);
    assert_int_equal(at(file, "/Directory-a/x.pdf"), FG_TDM_UNSET); /* case matters */
    struct fg_tdm tdm = fg_tdmrep_at(file, FG_STR("/directory-b/html/1?q=2"));
    assert_int_equal(tdm.reservation, FG_TDM_RESERVED);
    assert_int_equal(tdm.from, FG_TDM_FILE);
    assert_str(tdm.policy, "https://provider.com/policies/policy.json");
    fg_arena_clear(&arena);
}

static void the_first_rule_that_matches_decides(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    const char *problem;
    const struct fg_tdmrep *file = fg_tdmrep_parse(
        &arena,
        FG_STR("\xEF\xBB\xBF[{\"location\":\"/open/\",\"tdm-reservation\":0},"
               "{\"location\":\"/open/but/\",\"tdm-reservation\":1},"
               "{\"location\":\"/end$\",\"tdm-reservation\":\"0\"},"
               "{\"location\":\"/foo-%24\",\"tdm-reservation\":0},"
               "{\"location\":\"/\",\"tdm-reservation\":1}]"),
        &problem);
    assert_int_equal(at(file, "/open/but/x"), FG_TDM_FREE);
    assert_int_equal(at(file, "/end"), FG_TDM_FREE);
    assert_int_equal(at(file, "/ending"), FG_TDM_RESERVED);
    assert_int_equal(at(file, "/foo-$"), FG_TDM_FREE);
    assert_int_equal(at(file, "/%6Fpen/x"), FG_TDM_FREE); /* unencoded before */
    assert_int_equal(at(file, "/x"), FG_TDM_RESERVED);
    assert_int_equal(at(NULL, "/x"), FG_TDM_UNSET);
    fg_arena_clear(&arena);
}

static void rules_that_make_no_sense_are_left_out(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    const char *problem;
    const struct fg_tdmrep *file = fg_tdmrep_parse(
        &arena,
        FG_STR("[{\"location\":\"/a\",\"tdm-reservation\":2},{\"location\":\"/a\"},"
               "{\"tdm-reservation\":1},{\"location\":7,\"tdm-reservation\":1},"
               "{\"location\":\"\",\"tdm-reservation\":1},{\"location\":\"/a\","
               "\"tdm-reservation\":true},3,null,[],"
               "{\"location\":\"/b\",\"tdm-reservation\":1,\"tdm-policy\":{}}]"),
        &problem);
    assert_int_equal(at(file, "/a"), FG_TDM_UNSET);
    assert_int_equal(at(file, "/b"), FG_TDM_RESERVED);
    static const struct {
        const char *text, *problem;
    } bad[] = {
        {"", "it is not JSON"},
        {"<html>", "it is not JSON"},
        {"[", "it is not JSON"},
        {"{\"location\":\"/\",\"tdm-reservation\":1}", "it is not an array of rules"},
        {"[[[[[[[[[[[[[[]]]]]]]]]]]]]]", "it is too large"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(fg_tdmrep_parse(&arena, fg_str_from(bad[i].text), &problem));
        assert_string_equal(problem, bad[i].problem);
    }
    fg_arena_clear(&arena);
}

static void headers_override_the_file_and_metas_the_headers(void **state)
{
    (void)state;
    struct fg_tdm tdm = {FG_TDM_RESERVED, FG_TDM_FILE, FG_STR("a")};
    fg_tdm_add_header(&tdm, FG_STR("2"), FG_STR("b")); /* a protocol error: nothing */
    assert_int_equal(tdm.from, FG_TDM_FILE);
    fg_tdm_add_header(&tdm, FG_STR(" 0 "), FG_STR(""));
    assert_int_equal(tdm.reservation, FG_TDM_FREE);
    assert_int_equal(tdm.from, FG_TDM_HEADER);
    assert_str(tdm.policy, "");
    fg_tdm_add_meta(&tdm, FG_STR("TDM-Policy"), FG_STR(" https://a.example/p "));
    fg_tdm_add_meta(&tdm, FG_STR("tdm-reservation"), FG_STR("1"));
    fg_tdm_add_meta(&tdm, FG_STR("robots"), FG_STR("0"));
    fg_tdm_add_meta(&tdm, FG_STR("tdm-reservation"), FG_STR("yes"));
    assert_int_equal(tdm.reservation, FG_TDM_RESERVED);
    assert_string_equal(fg_tdm_from_name(tdm.from), "meta");
    assert_str(tdm.policy, "https://a.example/p");
}

static enum fg_robots_answer signal_at(const char *text, const char *purpose,
                                       const char *path)
{
    struct fg_arena arena = {0};
    const struct fg_robots *robots =
        fg_robots_parse(&arena, fg_str_from(text), FG_STR("mybot"));
    enum fg_robots_answer answer =
        fg_robots_signal_at(robots, fg_str_from(purpose), fg_str_from(path));
    fg_arena_clear(&arena);
    return answer;
}

static void signals_hold_for_their_group_and_path(void **state)
{
    (void)state;
    const char *text = "User-agent: *\n"
                       "Content-Signal: search=yes, ai-train=no\n"
                       "Content-Signal: /news/ search=no\n"
                       "Content-Signal: /news/open/ search=yes\n"
                       "Content-Signal: /*.pdf$ ai-train=yes\n"
                       "Content-Usage: search=no\n"
                       "Allow: /\n";
    assert_int_equal(signal_at(text, "search", "/"), FG_ROBOTS_YES);
    assert_int_equal(signal_at(text, "search", "/news/1"), FG_ROBOTS_NO);
    assert_int_equal(signal_at(text, "search", "/news/open/1"), FG_ROBOTS_YES);
    assert_int_equal(signal_at(text, "ai-train", "/news/1"), FG_ROBOTS_NO);
    assert_int_equal(signal_at(text, "ai-train", "/a.pdf"), FG_ROBOTS_YES);
    assert_int_equal(signal_at(text, "ai-train", "/a.pdf?x"), FG_ROBOTS_NO);
    assert_int_equal(signal_at(text, "ai-input", "/"), FG_ROBOTS_SILENT);
    /* A group of our own counts alone; of two that contradict each other, no. */
    assert_int_equal(signal_at("User-agent: mybot\nContent-Signal: ai-input=yes\n"
                               "User-agent: *\nContent-Signal: search=no\n",
                               "search", "/"),
                     FG_ROBOTS_SILENT);
    assert_int_equal(signal_at("Content-Signal: search=no\nContent-Signal: search=yes\n",
                               "search", "/"),
                     FG_ROBOTS_NO);
    assert_int_equal(signal_at("Content-Signal: search=yes\nContent-Signal: search=no\n",
                               "search", "/"),
                     FG_ROBOTS_NO);
}

FG_TESTS(the_reports_example_is_read_as_it_says, the_first_rule_that_matches_decides,
         rules_that_make_no_sense_are_left_out,
         headers_override_the_file_and_metas_the_headers,
         signals_hold_for_their_group_and_path)
