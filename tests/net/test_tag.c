#include "net/html/tag.h"

#include "test.h"

static enum fg_tag find(const char *name)
{
    return fg_tag_find(fg_tag_key(fg_str_from(name)), fg_str_from(name));
}

static void names_are_found_in_any_case(void **state)
{
    (void)state;
    assert_int_equal(find("a"), FG_TAG_A);
    assert_int_equal(find("ScRiPt"), FG_TAG_SCRIPT);
    assert_int_equal(find("h6"), FG_TAG_H6);
    assert_int_equal(find("foreignObject"), FG_TAG_FOREIGNOBJECT);
    assert_int_equal(find("annotation-xml"), FG_TAG_ANNOTATION_XML);
}

static void other_names_are_other(void **state)
{
    (void)state;
    assert_int_equal(find(""), FG_TAG_OTHER);
    assert_int_equal(find("aa"), FG_TAG_OTHER);
    assert_int_equal(find("my-element"), FG_TAG_OTHER);
    assert_int_equal(find("blockquotes"), FG_TAG_OTHER);
    assert_int_equal(find("divdivdiv"), FG_TAG_OTHER);
}

static void keys_tell_other_names_apart(void **state)
{
    (void)state;
    assert_true(fg_tag_key(FG_STR("g")) != fg_tag_key(FG_STR("path")));
    assert_true(fg_tag_key(FG_STR("x-element-one")) !=
                fg_tag_key(FG_STR("x-element-two")));
    assert_true(fg_tag_key(FG_STR("X-Element-One")) ==
                fg_tag_key(FG_STR("x-element-one")));
}

static void traits_follow_the_standard(void **state)
{
    (void)state;
    assert_true(fg_tag_traits[FG_TAG_BR] & FG_TRAIT_VOID);
    assert_true(fg_tag_traits[FG_TAG_DIV] & FG_TRAIT_CLOSES_P);
    assert_false(fg_tag_traits[FG_TAG_SPAN] & FG_TRAIT_CLOSES_P);
    assert_true(fg_tag_traits[FG_TAG_TD] & FG_TRAIT_SCOPE);
    assert_true(fg_tag_traits[FG_TAG_TITLE] & FG_TRAIT_RCDATA);
    assert_int_equal(fg_tag_traits[FG_TAG_OTHER], 0);
}

FG_TESTS(names_are_found_in_any_case, other_names_are_other, keys_tell_other_names_apart,
         traits_follow_the_standard)
