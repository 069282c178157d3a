#include "test.h"

#include "crawl/judging/labels.h"

static struct fg_label_wish there_and_back(const struct fg_label_wish *wish,
                                           struct fg_buf *text)
{
    struct fg_label_wish back;
    fg_buf_reset(text);
    fg_label_format(text, wish);
    assert_true(fg_label_parse(&back, fg_buf_str(text)));
    assert_int_equal(back.kind, wish->kind);
    assert_int_equal(back.has_looks, wish->has_looks);
    return back;
}

static void a_wish_survives_its_text(void **state)
{
    (void)state;
    struct fg_buf text;
    fg_buf_init(&text, 1 << 24);
    struct fg_label_wish wish = {.kind = FG_LABEL_RELEVANT,
                                 .looks = {FG_STR("https://a.example/x"),
                                           FG_STR("two\nlines"), FG_STR("a\n\nb\n")},
                                 .has_looks = true};
    struct fg_label_wish back = there_and_back(&wish, &text);
    assert_str(back.looks.url, "https://a.example/x");
    assert_str(back.looks.title, "two lines");
    assert_str(back.looks.text, "a\n\nb\n");
    wish = (struct fg_label_wish){.kind = FG_LABEL_REMOVED, .looks.url = wish.looks.url};
    back = there_and_back(&wish, &text);
    assert_str(back.looks.url, "https://a.example/x");
    /* A page without a word is not one that is still to be fetched. */
    wish = (struct fg_label_wish){.looks.url = wish.looks.url, .has_looks = true};
    back = there_and_back(&wish, &text);
    assert_int_equal(back.looks.text.len, 0);
    fg_buf_clear(&text);
}

static void nonsense_is_no_wish(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "relevant", "relevant\n\n",
                                        "perhaps\nhttps://a.example/\n", "\n\n\n"};
    struct fg_label_wish wish;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(fg_label_parse(&wish, fg_str_from(texts[i])));
}

FG_TESTS(a_wish_survives_its_text, nonsense_is_no_wish)
