#include "test.h"

#include "net/url/percent.h"

/* The sets as the standard spells them out, one built on the other. */
static void sets_are_the_standards(void **state)
{
    (void)state;
    static const struct {
        enum fg_percent_set set;
        const char *more;
    } sets[] = {
        {FG_PERCENT_CONTROL, ""},         {FG_PERCENT_FRAGMENT, " \"<>`"},
        {FG_PERCENT_QUERY, " \"#<>"},     {FG_PERCENT_SPECIAL_QUERY, " \"#<>'"},
        {FG_PERCENT_PATH, " \"#<>?^`{}"}, {FG_PERCENT_USERINFO, " \"#<>?^`{}/:;=@[\\]|"},
    };
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        for (int c = 0; c < 256; c++) {
            bool expected = c < 0x20 || c > 0x7E || strchr(sets[i].more, c);
            assert_true(expected == !!(fg_percent_sets[c] & sets[i].set));
        }
}

static void encoding_is_upper_case_and_replaces_broken_bytes(void **state)
{
    (void)state;
    struct fg_buf out;
    fg_buf_init(&out, 1000);
    fg_percent_encode(&out, FG_STR("a b\xC3\xBC\xFFz%"), FG_PERCENT_PATH);
    assert_str(fg_buf_str(&out), "a%20b%C3%BC%EF%BF%BDz%");
    fg_buf_reset(&out);
    fg_percent_encode_bytes(&out, FG_STR("\xFF'?"), FG_PERCENT_SPECIAL_QUERY);
    assert_str(fg_buf_str(&out), "%FF%27?");
    fg_buf_clear(&out);
}

static void decoding_leaves_what_is_not_encoded(void **state)
{
    (void)state;
    struct fg_buf out;
    fg_buf_init(&out, 1000);
    fg_percent_decode(&out, FG_STR("%41%zz%4%e4%%42%"));
    assert_str(fg_buf_str(&out), "A%zz%4\xE4%B%");
    fg_buf_clear(&out);
    assert_int_equal(fg_percent_byte(FG_STR("%2e")), '.');
    assert_int_equal(fg_percent_byte(FG_STR("%2")), -1);
}

FG_TESTS(sets_are_the_standards, encoding_is_upper_case_and_replaces_broken_bytes,
         decoding_leaves_what_is_not_encoded)
