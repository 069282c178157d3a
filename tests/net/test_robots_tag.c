#include "test.h"

#include "net/robots/robots_tag.h"

static struct fg_robots_tags header(const char *value)
{
    struct fg_robots_tags tags = {0};
    fg_robots_tags_add_header(&tags, fg_str_from(value), FG_STR("mybot/1.0, mynews"));
    return tags;
}

static struct fg_robots_tags meta(const char *name, const char *content)
{
    struct fg_robots_tags tags = {0};
    fg_robots_tags_add_meta(&tags, fg_str_from(name), fg_str_from(content),
                            FG_STR("mybot, mynews"));
    return tags;
}

static void words_become_flags(void **state)
{
    (void)state;
    assert_int_equal(header("noindex, NOFOLLOW").flags, FG_NOINDEX | FG_NOFOLLOW);
    assert_int_equal(header("none").flags, FG_NOINDEX | FG_NOFOLLOW);
    assert_int_equal(header("all, index, follow").flags, 0);
    assert_int_equal(header("noai,noimageai").flags, FG_NOAI | FG_NOIMAGEAI);
    assert_int_equal(header("nocache noodp; nosnippet").flags,
                     FG_NOARCHIVE | FG_NOODP | FG_NOSNIPPET);
    assert_int_equal(header("max-snippet:0, max-image-preview: large").flags,
                     FG_NOSNIPPET);
    assert_int_equal(header("max-snippet:-1, nofollow").flags, FG_NOFOLLOW);
    assert_int_equal(header("").flags, 0);
    assert_int_equal(header(" , :,,: ; noindexed").flags, 0);
}

static void values_for_other_robots_are_left_out(void **state)
{
    (void)state;
    assert_int_equal(header("otherbot: noindex, nofollow").flags, 0);
    assert_int_equal(header("MyBot: noindex").flags, FG_NOINDEX);
    assert_int_equal(header("mynews : nofollow").flags, FG_NOFOLLOW);
    assert_int_equal(header("noarchive, otherbot: noindex, mybot: nofollow").flags,
                     FG_NOARCHIVE | FG_NOFOLLOW);
    assert_int_equal(header("*: noindex").flags, FG_NOINDEX);
}

static void dates_keep_their_commas(void **state)
{
    (void)state;
    struct fg_robots_tags tags =
        header("unavailable_after: Wed, 03 Jan 2029 13:00:00 GMT, noindex");
    assert_str(tags.unavailable_after, "Wed, 03 Jan 2029 13:00:00 GMT");
    assert_int_equal(tags.flags, FG_NOINDEX);
    assert_str(header("unavailable_after: 25 Jun 2010 15:00:00 PST").unavailable_after,
               "25 Jun 2010 15:00:00 PST");
    assert_true(header("otherbot: unavailable_after: 2030-01-01").unavailable_after.len ==
                0);
    assert_str(header("mybot: unavailable_after:2030-01-01").unavailable_after,
               "2030-01-01");
}

static void meta_is_for_robots_or_for_us(void **state)
{
    (void)state;
    assert_int_equal(meta("robots", "noindex,nofollow").flags, FG_NOINDEX | FG_NOFOLLOW);
    assert_int_equal(meta(" MYBOT ", "noindex").flags, FG_NOINDEX);
    assert_int_equal(meta("googlebot", "noindex").flags, 0);
    assert_int_equal(meta("robots", "googlebot: noindex").flags, FG_NOINDEX);
}

static void what_is_forbidden_adds_up(void **state)
{
    (void)state;
    struct fg_robots_tags tags = header("noindex");
    fg_robots_tags_add_header(&tags, FG_STR("all"), FG_STR("mybot"));
    fg_robots_tags_add_meta(&tags, FG_STR("mybot"), FG_STR("nofollow"), FG_STR("mybot"));
    assert_int_equal(tags.flags, FG_NOINDEX | FG_NOFOLLOW);
}

FG_TESTS(words_become_flags, values_for_other_robots_are_left_out,
         dates_keep_their_commas, meta_is_for_robots_or_for_us, what_is_forbidden_adds_up)
