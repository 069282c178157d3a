/* Where on a list a link has come, and what that says of its age. Lists are written as
 * letters, a link each. */
#include "crawl/comers.h"
#include "test.h"

static struct fg_arena arena;

static size_t links_of(uint64_t *out, const char *letters)
{
    size_t n = 0;
    for (; letters[n]; n++)
        out[n] = (uint64_t)letters[n];
    return n;
}

static void look(struct fg_comers *comers, const char *letters)
{
    uint64_t links[64];
    fg_comers_keep(comers, links, links_of(links, letters));
}

/* "." was there, "b" has come between, "i" instead of something. */
static void expect_places(const char *before, const char *now, const char *places)
{
    struct fg_comers comers = {0};
    uint64_t links[64];
    look(&comers, before);
    size_t n = links_of(links, now);
    const uint8_t *got = fg_comers_place(&comers, &arena, links, n);
    for (size_t i = 0; i < n; i++)
        if ("bi."[got[i]] != places[i])
            fail_msg("%s to %s: place %zu is %c, not %c", before, now, i, "bi."[got[i]],
                     places[i]);
    fg_comers_clear(&comers);
    fg_arena_reset(&arena);
}

static void what_grows_and_what_turns_over_are_told_apart(void **state)
{
    (void)state;
    /* Two links of navigation, a list of four. */
    expect_places("NMabcd", "NMxabcd", "..b....");
    /* It has a fixed length: what falls off does so at its end, behind which stands M. */
    expect_places("NabcdM", "NxyabM", ".bb...");
    /* A box of three after the list turns over. */
    expect_places("NabcdMpqr", "NabcdMstu", "......iii");
    /* Both at once, and a box that loses one of three. */
    expect_places("NabcdMpqr", "NxabcMsqr",
                  ".b...."
                  "i..");
    /* At the end of a list that grows there. */
    expect_places("Nabcd", "Nabcdx", ".....b");
    /* In another order nothing is certain. */
    expect_places("abcd", "cxba", ".i..");
    /* All is replaced. */
    expect_places("abcd", "wxyz", "iiii");
    expect_places("", "ab", "bb");
    expect_places("ab", "", "");
}

static void the_first_look_has_nothing_to_compare_with(void **state)
{
    (void)state;
    struct fg_comers comers = {0};
    uint64_t links[2] = {1, 2};
    const uint8_t *places = fg_comers_place(&comers, &arena, links, 2);
    assert_int_equal(places[0], FG_CAME_INSTEAD);
    assert_int_equal(places[1], FG_CAME_INSTEAD);
    fg_arena_reset(&arena);
}

static void each_sort_has_its_own_record(void **state)
{
    (void)state;
    struct fg_comers comers = {0};
    for (int i = 0; i < 3; i++) {
        assert_false(fg_comers_bring_up_old(&comers, FG_CAME_INSTEAD));
        fg_comers_count(&comers, FG_CAME_INSTEAD, true);
        fg_comers_count(&comers, FG_CAME_BETWEEN, false);
    }
    assert_true(fg_comers_bring_up_old(&comers, FG_CAME_INSTEAD));
    assert_false(fg_comers_bring_up_old(&comers, FG_CAME_BETWEEN));
    /* Seven that were not known outweigh three that were. */
    for (int i = 0; i < 7; i++)
        fg_comers_count(&comers, FG_CAME_INSTEAD, false);
    assert_false(fg_comers_bring_up_old(&comers, FG_CAME_INSTEAD));
    /* Unless they leave as soon as they came. */
    for (int i = 0; i < 2; i++)
        fg_comers_count_brief(&comers);
    assert_true(fg_comers_bring_up_old(&comers, FG_CAME_INSTEAD));
    fg_comers_clear(&comers);
    fg_arena_clear(&arena);
}

FG_TESTS(what_grows_and_what_turns_over_are_told_apart,
         the_first_look_has_nothing_to_compare_with, each_sort_has_its_own_record)
