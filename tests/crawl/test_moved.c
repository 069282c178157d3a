#include "test.h"

#include "crawl/sources/moved.h"

static uint64_t key(const char *path)
{
    char url[256];
    snprintf(url, sizeof url, "https://example.org%s", path);
    return fg_address_without_words(fg_str_from(url));
}

static void words_beside_a_number_may_change(void **state)
{
    (void)state;
    static const char *const same[][2] = {
        {"/world/2026/nov/18/rain-in-the-north-65000010",
         "/world/2026/nov/18/floods-65000010"},
        {"/news/10432-a-first-title", "/news/10432-another"},
        {"/news/10432-a-first-title.html", "/news/10432-another.html"},
        {"/a-title,10432.html", "/other,10432.html"},
        {"/questions/77120/how-to-do", "/questions/77120/how-not-to"},
        {"/ads/d/a-small-flat/7712345678.html", "/ads/d/a-big-flat/7712345678.html"},
        {"/s/x7f3ka/a_title", "/s/x7f3ka/an_other_title"},
        {"/showthread.php?5550-A-title", "/showthread.php?5550-Another"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_true(key(same[i][0]));
        if (key(same[i][0]) != key(same[i][1]))
            fail_msg("%s and %s", same[i][0], same[i][1]);
    }
}

static void everything_else_tells_pages_apart(void **state)
{
    (void)state;
    static const char *const different[][2] = {
        {"/news/a-title-10432", "/news/a-title-10433"},
        {"/news/a-title-10432", "/sport/a-title-10432"},
        {"/news/10432-a-title/page2", "/news/10432-a-title"},
        {"/news/10432-a-title/photo-1", "/news/10432-a-title/photo-2"},
        {"/a-title-10432.html", "/a-title-10432.pdf"},
        {"/questions/77120/how-to-do", "/questions/77121/how-to-do"},
        {"/showthread.php?5550-A-title", "/showthread.php?5550-A-title&p=4"},
    };
    for (size_t i = 0; i < sizeof different / sizeof *different; i++)
        if (key(different[i][0]) == key(different[i][1]))
            fail_msg("%s and %s", different[i][0], different[i][1]);
}

static void a_date_is_no_number(void **state)
{
    (void)state;
    static const char *const paths[] = {"/",
                                        "/2026/11/18/a-title",
                                        "/2026-11-18-a-title",
                                        "/20261118-a-title",
                                        "/news/a-title-2026",
                                        "/a-title-7",
                                        "/news/10432",
                                        "/show?id=10432",
                                        "/a-title-of-seven-words"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (key(paths[i]))
            fail_msg("%s", paths[i]);
}

static struct fg_reading reading(fg_time published, const char *title, uint64_t simhash)
{
    struct fg_reading r = {.title = fg_str_from(title), .simhash = simhash};
    r.facts.published = r.facts.published_from = r.facts.published_until = published;
    return r;
}

static void it_is_the_same_if_what_it_says_agrees(void **state)
{
    (void)state;
    const fg_time then = 20000 * FG_DAY;
    struct fg_page_row before = {
        .published = then, .title = FG_STR("First words"), .simhash = 0xFF00};
    struct fg_reading now = reading(then, "Other words", 0xF0F0F0F0F0F0);
    assert_true(fg_moved_is_same(&before, &now));
    /* What was published at another moment is another, however alike. */
    now = reading(then + FG_MINUTE, "First words", 0xFF00);
    assert_false(fg_moved_is_same(&before, &now));
    /* Without a date title or text decide: six bits may differ. */
    now = reading(FG_NEVER, "First words", 0);
    assert_true(fg_moved_is_same(&before, &now));
    now = reading(FG_NEVER, "Other words", 0xFF3F);
    assert_true(fg_moved_is_same(&before, &now));
    now = reading(FG_NEVER, "Other words", 0xFF7F);
    assert_false(fg_moved_is_same(&before, &now));
    before = (struct fg_page_row){.published = FG_NEVER};
    now = reading(FG_NEVER, "", 0);
    assert_false(fg_moved_is_same(&before, &now));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_beside_a_number_may_change),
        cmocka_unit_test(everything_else_tells_pages_apart),
        cmocka_unit_test(a_date_is_no_number),
        cmocka_unit_test(it_is_the_same_if_what_it_says_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
