#include "test.h"

#include "crawl/sources/views.h"

#define SITE "https://a.example"

static void meet(struct fg_patterns *patterns, const char *url, enum fg_came came)
{
    fg_patterns_meet(patterns, fg_str_from(url));
    if (came != FG_CAME_KINDS)
        fg_patterns_learn(patterns, fg_str_from(url), came, false);
}

static bool is_view(struct fg_patterns *patterns, const char *url)
{
    return fg_patterns_is_view(patterns, fg_str_from(url));
}

static void a_word_below_many_pages_of_content_is_a_view(void **state)
{
    (void)state;
    static const struct {
        const char *thing, *view;
        enum fg_came came; /* of the things */
        bool is_view;
    } cases[] = {
        {SITE "/dev/1234567%u.89@mail.example/", SITE "/dev/1234567%u.89@mail.example/T/",
         FG_CAME_PAGE, true},
        {SITE "/trunk/revision/%u", SITE "/trunk/revision/%u/files", FG_CAME_PAGE, true},
        {SITE "/p/%u/", SITE "/p/%u/reviews", FG_CAME_DOCUMENT, true},
        /* What stands before the word is a list: a forum and its topics. */
        {SITE "/forum/%u/", SITE "/forum/%u/welcome", FG_CAME_LIST, false},
        /* It is one of a kind: a part of a handbook, and what is below it. */
        {SITE "/guide/", SITE "/guide/install", FG_CAME_PAGE, false},
        /* Not a word, but one of many things itself: chapters, days. */
        {SITE "/tale/%u/", SITE "/tale/%u/%u", FG_CAME_PAGE, false},
        {SITE "/tale/%u/", SITE "/tale/%u/how-it-all-came-%u", FG_CAME_PAGE, false},
        {SITE "/item/%u", SITE "/item/%u/show?id=%u", FG_CAME_PAGE, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_patterns *patterns = fg_patterns_new();
        char url[120];
        for (unsigned n = 1; n <= 4; n++) {
            snprintf(url, sizeof url, cases[i].thing, n);
            meet(patterns, url, cases[i].came);
            snprintf(url, sizeof url, cases[i].view, n, n);
            meet(patterns, url, FG_CAME_KINDS);
        }
        snprintf(url, sizeof url, cases[i].view, 9, 9);
        if (is_view(patterns, url) != cases[i].is_view)
            fail_msg("%s", url);
        fg_patterns_free(patterns);
    }
}

static void a_single_word_proves_nothing(void **state)
{
    (void)state;
    struct fg_patterns *patterns = fg_patterns_new();
    for (unsigned n = 1; n <= 4; n++) {
        char url[80];
        snprintf(url, sizeof url, SITE "/p/%u", n);
        meet(patterns, url, FG_CAME_PAGE);
    }
    meet(patterns, SITE "/p/3/recall", FG_CAME_KINDS);
    meet(patterns, SITE "/p/4/recall", FG_CAME_KINDS);
    assert_false(is_view(patterns, SITE "/p/4/recall"));
    meet(patterns, SITE "/p/5/recall", FG_CAME_KINDS);
    assert_true(is_view(patterns, SITE "/p/4/recall"));
    assert_false(is_view(patterns, SITE "/p/4"));
    assert_false(is_view(patterns, SITE "/"));
    fg_patterns_free(patterns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_below_many_pages_of_content_is_a_view),
        cmocka_unit_test(a_single_word_proves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
