/* Where on a list a link has come, and what that says of its age. Lists are written as
 * letters, a link each. */
#include "crawl/sources/comers.h"
#include "test.h"

static struct fg_arena arena;

enum { MOST = 64 };

static size_t links_of(struct fg_comer *out, const char *letters)
{
    size_t n = 0;
    for (; letters[n]; n++)
        out[n] = (struct fg_comer){.link = (uint64_t)letters[n]};
    return n;
}

/* What the next look at the list finds, which is the last one from then on. */
static size_t look(struct fg_comers *comers, const char *letters, struct fg_comer *links,
                   fg_time now)
{
    size_t n = links_of(links, letters);
    fg_comers_place(comers, &arena, links, n, now);
    fg_comers_keep(comers, links, n);
    fg_arena_reset(&arena);
    return n;
}

/* "." was there, "b" has come between, "i" instead of something. */
static void expect_places(const char *before, const char *now, const char *places)
{
    struct fg_comers comers = {0};
    struct fg_comer links[MOST];
    look(&comers, before, links, 1);
    size_t n = look(&comers, now, links, 2);
    for (size_t i = 0; i < n; i++) {
        char got = links[i].has_come ? "bi"[links[i].came] : '.';
        if (got != places[i])
            fail_msg("%s to %s: place %zu is %c, not %c", before, now, i, got, places[i]);
        assert_int_equal(links[i].since, links[i].has_come ? 2 : 1);
    }
    fg_comers_clear(&comers);
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
    /* A topic was moved up by a reply, before or behind a new one. */
    expect_places("Nabcd", "Nxcabd", ".b....");
    expect_places("Nabcd", "Ncxabd", "..b...");
    /* A box turns over whose things bear links (x, y) that stand elsewhere on the page.
     */
    expect_places("NpqMaxbyc", "NrxsyMabc", ".i.i.....");
    /* All is in another order: what is gone may have stood there. */
    expect_places("abcd", "dxcb", ".i..");
    /* All is replaced. */
    expect_places("abcd", "wxyz", "iiii");
    expect_places("", "ab", "bb");
    expect_places("ab", "", "");
}

static void the_first_look_has_nothing_to_compare_with(void **state)
{
    (void)state;
    struct fg_comers comers = {0};
    struct fg_comer links[MOST];
    look(&comers, "ab", links, 1);
    assert_int_equal(links[0].came, FG_CAME_UNPLACED);
    assert_int_equal(links[1].came, FG_CAME_UNPLACED);
    assert_false(fg_comers_are_new(&comers, FG_PART_ALL, FG_CAME_UNPLACED));
    fg_comers_clear(&comers);
}

static void how_a_link_came_is_remembered(void **state)
{
    (void)state;
    struct fg_comers comers = {0};
    struct fg_comer links[MOST];
    look(&comers, "NabMp", links, 1);
    look(&comers, "NxabMq", links, 2);
    look(&comers, "NyxabMq", links, 3);
    const char *came = "ubbuuui"; /* unplaced, between, instead */
    for (size_t i = 0; i < comers.n; i++)
        assert_int_equal("biu"[comers.order[i].came], came[i]);
    assert_int_equal(comers.order[2].since, 2);
    assert_int_equal(comers.order[6].since, 2);
    fg_comers_clear(&comers);
}

/* A box stands right before the list, and turns over while the list grows. */
static void a_box_beside_a_list_is_another_region(void **state)
{
    (void)state;
    struct fg_comers comers = {0};
    struct fg_comer links[MOST];
    size_t n = links_of(links, "Npqabc");
    links[1].region = links[2].region = 7;
    fg_comers_keep(&comers, links, n);
    n = links_of(links, "Nrsxabc");
    links[1].region = links[2].region = 7;
    fg_comers_place(&comers, &arena, links, n, 2);
    assert_int_equal(links[1].came, FG_CAME_INSTEAD);
    assert_int_equal(links[2].came, FG_CAME_INSTEAD);
    assert_int_equal(links[3].came, FG_CAME_BETWEEN);
    fg_comers_clear(&comers);
    fg_arena_reset(&arena);
}

/* Both are of one region, and the box has a heading of its own. */
static void a_box_below_its_heading_is_another_part(void **state)
{
    (void)state;
    struct fg_comers comers = {0};
    struct fg_comer links[MOST];
    size_t n = links_of(links, "Nabcdpqr");
    for (size_t i = 5; i < n; i++)
        links[i].section = 7;
    fg_comers_keep(&comers, links, n);
    n = links_of(links, "Nxabcstu");
    for (size_t i = 5; i < n; i++)
        links[i].section = 7;
    fg_comers_place(&comers, &arena, links, n, 2);
    assert_int_equal(links[1].came, FG_CAME_BETWEEN);
    for (size_t i = 5; i < n; i++)
        assert_int_equal(links[i].came, FG_CAME_INSTEAD);
    assert_true(fg_comer_part(&links[1]) != fg_comer_part(&links[5]));
    /* A heading that comes with its link may be that of a single thing. */
    n = links_of(links, "Nabcdsqr");
    for (size_t i = 5; i < n; i++)
        links[i].section = i == 5 ? 8 : 7;
    fg_comers_place(&comers, &arena, links, n, 2);
    assert_int_equal(links[5].section, 0);
    assert_int_equal(links[5].came, FG_CAME_INSTEAD);
    fg_comers_clear(&comers);
    fg_arena_reset(&arena);
}

static void each_part_has_a_record_of_its_own(void **state)
{
    (void)state;
    enum { LIST = 3, BOX = 5, OTHER = 7 };
    struct fg_comers comers = {0};
    for (int i = 0; i < 3; i++)
        fg_comers_count(&comers, BOX, FG_CAME_BETWEEN, true);
    /* Of the list nothing is known yet: the page speaks for it. */
    assert_false(fg_comers_are_new(&comers, LIST, FG_CAME_BETWEEN));
    for (int i = 0; i < 3; i++)
        fg_comers_count(&comers, LIST, FG_CAME_BETWEEN, false);
    assert_true(fg_comers_are_new(&comers, LIST, FG_CAME_BETWEEN));
    assert_true(fg_comers_are_proven(&comers, LIST));
    assert_false(fg_comers_have_brought_up(&comers, LIST));
    assert_false(fg_comers_are_new(&comers, BOX, FG_CAME_BETWEEN));
    assert_false(fg_comers_are_new(&comers, OTHER, FG_CAME_BETWEEN));
    /* Of more parts than are kept the last have none. */
    for (uint32_t part = 100; part < 200; part++)
        fg_comers_count(&comers, part, FG_CAME_BETWEEN, false);
    assert_int_equal(comers.n_parts, FG_COMERS_PARTS);
    assert_false(fg_comers_are_new(&comers, BOX, FG_CAME_BETWEEN));
}

static void it_is_kept_over_a_restart(void **state)
{
    (void)state;
    struct fg_comers comers = {0}, again = {0};
    struct fg_comer links[MOST];
    look(&comers, "NabMp", links, 1);
    look(&comers, "NxabMq", links, 2);
    fg_comers_count(&comers, 3, FG_CAME_BETWEEN, false);
    fg_comers_count_brief(&comers, 5, FG_CAME_INSTEAD);
    comers.order[1].section = 9;
    struct fg_str bytes = fg_comers_write(&comers, &arena);
    assert_true(fg_comers_read(&again, bytes));
    assert_int_equal(again.n, comers.n);
    assert_int_equal(again.whole.appeared[FG_CAME_BETWEEN], 1);
    assert_int_equal(again.whole.brought_up[FG_CAME_INSTEAD], 1);
    assert_int_equal(again.n_parts, 2);
    assert_int_equal(again.part[1].part, 5);
    assert_int_equal(again.part[1].brought_up[FG_CAME_INSTEAD], 1);
    assert_int_equal(again.order[1].section, 9);
    for (size_t i = 0; i < comers.n; i++) {
        assert_int_equal(again.order[i].link, comers.order[i].link);
        assert_int_equal(again.order[i].since, comers.order[i].since);
        assert_int_equal(again.order[i].came, comers.order[i].came);
    }
    fg_comers_clear(&again);
    assert_false(fg_comers_read(&again, fg_str_sub(bytes, 0, bytes.len - 1)));
    assert_false(fg_comers_read(&again, FG_STR("short")));
    fg_comers_clear(&comers);
    fg_arena_reset(&arena);
}

static void what_comes_between_is_new_until_it_turns_out_old(void **state)
{
    (void)state;
    struct fg_comers comers = {0};
    assert_true(fg_comers_are_new(&comers, FG_PART_ALL, FG_CAME_BETWEEN));
    for (int i = 0; i < 3; i++)
        fg_comers_count(&comers, FG_PART_ALL, FG_CAME_BETWEEN, true);
    assert_false(fg_comers_are_new(&comers, FG_PART_ALL, FG_CAME_BETWEEN));
    /* Seven that were not known outweigh three that were. */
    for (int i = 0; i < 7; i++)
        fg_comers_count(&comers, FG_PART_ALL, FG_CAME_BETWEEN, false);
    assert_true(fg_comers_are_new(&comers, FG_PART_ALL, FG_CAME_BETWEEN));
    /* Unless they leave before what stood there already. */
    for (int i = 0; i < 2; i++)
        fg_comers_count_brief(&comers, FG_PART_ALL, FG_CAME_BETWEEN);
    assert_false(fg_comers_are_new(&comers, FG_PART_ALL, FG_CAME_BETWEEN));
    /* The other sort has a record of its own. */
    assert_false(fg_comers_bring_up_old(&comers, FG_PART_ALL, FG_CAME_INSTEAD));
}

static void what_takes_a_place_is_new_once_others_have_stayed(void **state)
{
    (void)state;
    struct fg_comers comers = {0};
    for (int i = 0; i < 3; i++) {
        assert_false(fg_comers_are_new(&comers, FG_PART_ALL, FG_CAME_INSTEAD));
        fg_comers_count(&comers, FG_PART_ALL, FG_CAME_TO_STAY, false);
    }
    assert_true(fg_comers_are_new(&comers, FG_PART_ALL, FG_CAME_INSTEAD));
    assert_true(fg_comers_are_new(&(struct fg_comers){0}, FG_PART_ALL, FG_CAME_AS_LIST));
    /* One that never stayed does not count as one that did when it leaves. */
    fg_comers_count_brief(&comers, FG_PART_ALL, FG_CAME_INSTEAD);
    assert_true(fg_comers_are_new(&comers, FG_PART_ALL, FG_CAME_INSTEAD));
    fg_comers_count_brief(&comers, FG_PART_ALL, FG_CAME_TO_STAY);
    assert_false(fg_comers_are_new(&comers, FG_PART_ALL, FG_CAME_INSTEAD));
    fg_arena_clear(&arena);
}

static void expect_lacking(const char *before, const char *now, bool is_lacking)
{
    struct fg_comers comers = {0};
    struct fg_comer links[MOST];
    look(&comers, before, links, 1);
    size_t n = links_of(links, now);
    fg_comers_place(&comers, &arena, links, n, 2);
    if (fg_comers_are_lacking(&comers, links, n) != is_lacking)
        fail_msg("%s to %s is %slacking", before, now, is_lacking ? "not " : "");
    fg_arena_clear(&arena);
    fg_comers_clear(&comers);
}

static void a_page_that_is_short_of_links_is_known(void **state)
{
    (void)state;
    expect_lacking("abcdefgh", "", true);
    expect_lacking("abcdefgh", "xy", true); /* a page about cookies */
    expect_lacking("abcdefgh", "abc", true);
    expect_lacking("abcdefgh", "fghpqrst", true);  /* the second page of the list */
    expect_lacking("abcdefgh", "pqrstabc", false); /* a list that turns over fast */
    expect_lacking("abcdefgh", "abpqrstu", false); /* behind navigation: all of it has */
    expect_lacking("abcdefgh", "pqrstuvw", false); /* another list */
    expect_lacking("abcdefgh", "bcdefghi", false); /* it moves on by one */
    expect_lacking("abcd", "", false);             /* too few to say */
    expect_lacking("abcdefgh", "xabcdefgh", false);
}

static void a_list_is_proven_by_what_came_to_it(void **state)
{
    (void)state;
    struct fg_comers comers = {0};
    for (int i = 0; i < 3; i++) {
        assert_false(fg_comers_are_proven(&comers, FG_PART_ALL));
        fg_comers_count(&comers, FG_PART_ALL, FG_CAME_BETWEEN, false);
    }
    assert_true(fg_comers_are_proven(&comers, FG_PART_ALL));
    fg_comers_count(&comers, FG_PART_ALL, FG_CAME_BETWEEN, true);
    assert_false(fg_comers_are_proven(&comers, FG_PART_ALL));
}

FG_TESTS(a_page_that_is_short_of_links_is_known, a_list_is_proven_by_what_came_to_it,
         what_grows_and_what_turns_over_are_told_apart,
         the_first_look_has_nothing_to_compare_with, how_a_link_came_is_remembered,
         a_box_beside_a_list_is_another_region, a_box_below_its_heading_is_another_part,
         each_part_has_a_record_of_its_own, it_is_kept_over_a_restart,
         what_comes_between_is_new_until_it_turns_out_old,
         what_takes_a_place_is_new_once_others_have_stayed)
