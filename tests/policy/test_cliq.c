/* Clusters and their representatives, by hand. */
#include "links.h"

/* 0 abcde, 1 abcdef, 2 abcdeg: overlaps 5/6, 5/6 and 5/7, one cluster, and of the two
 * with the most links page 1 comes first. 3 xy and 4 xyz: 2/3. 5 p alone, 6 nothing. */
static const char *const links[] = {"abcde", "abcdef", "abcdeg", "xy", "xyz", "p", ""};

static struct fg_mind *recrawled(const char *name)
{
    struct fg_mind *mind = mind_of(name, 7);
    set(mind, "every", 0);
    assert_string_equal(choose(mind, 0, 7), "");
    for (size_t i = 0; i < 7; i++)
        show(mind, i, 0, links[i]);
    return mind;
}

static void one_page_stands_for_each_cluster(void **state)
{
    (void)state;
    struct fg_mind *mind = recrawled("cliq-1");
    assert_string_equal(choose(mind, FG_HOUR, 7), "145");
    assert_string_equal(choose(mind, 2 * FG_HOUR, 2), "14");
    fg_mind_free(mind);
}

/* With epsilon 0.3 pages overlap by 0.7 or more: 3 and 4 part. With 0.2, 0 still links 1
 * and 2, though these overlap by 5/7 only. With 0.1 nobody is near anybody. */
static void epsilon_says_how_near_is_near(void **state)
{
    (void)state;
    static const struct {
        double epsilon;
        const char *picks;
    } cases[] = {{0.3, "1435"}, {0.2, "1435"}, {0.1, "120435"}};
    for (size_t i = 0; i < 3; i++) {
        struct fg_mind *mind = recrawled("cliq-1");
        set(mind, "epsilon", cases[i].epsilon);
        assert_string_equal(choose(mind, FG_HOUR, 7), cases[i].picks);
        fg_mind_free(mind);
    }
}

/* Every page that ever showed something new is a cluster of its own as well, by its mean:
 * representatives 1 (6), 4 (3) and 5 (1); alone 0 (5), 2 (6), 3 (2). */
static void cliq_win_adds_every_page_by_its_mean(void **state)
{
    (void)state;
    struct fg_mind *mind = recrawled("cliq-win");
    assert_string_equal(choose(mind, FG_HOUR, 7), "120435");
    /* A second recrawl shows only 3 something. It stands for itself with 4; the means of
     * the others have halved: 1 and 2 are 3, 0 is 2.5, 4 is 1.5, 5 is 0.5. */
    for (size_t i = 0; i < 7; i++)
        show(mind, i, FG_HOUR, i == 3 ? "mnop" : "");
    assert_string_equal(choose(mind, 2 * FG_HOUR, 7), "312045");
    fg_mind_free(mind);
}

/* Pages 0 and 1 were seen with the same links in one tick: only one of them is taken.
 * When they are seen together without common links, each stands for itself again. */
static void cliq_win_star_takes_one_of_those_seen_to_overlap(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("cliq-win*", 4);
    assert_string_equal(choose(mind, 0, 4), "0123"); /* never tried */
    show(mind, 0, 0, "abcdef");
    show(mind, 1, 0, "abcde");
    show(mind, 2, 0, "xy");
    show(mind, 3, 0, "z");
    assert_string_equal(choose(mind, FG_HOUR, 3), "023");
    /* What is left of the budget goes by the means. */
    assert_string_equal(choose(mind, 2 * FG_HOUR, 4), "0231");
    show(mind, 0, 2 * FG_HOUR, "ghijkl");
    show(mind, 1, 2 * FG_HOUR, "mnopq");
    assert_string_equal(choose(mind, 3 * FG_HOUR, 3), "012");
    fg_mind_free(mind);
}

/* The overlap of pages 0 and 3 survives page 1, whose row the last page takes. */
static void overlaps_follow_pages_that_move(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("cliq-win*", 4);
    choose(mind, 0, 4);
    show(mind, 0, 0, "abcd");
    show(mind, 1, 0, "mn");
    show(mind, 2, 0, "x");
    show(mind, 3, 0, "abc");
    assert_string_equal(choose(mind, FG_HOUR, 3), "012");
    fg_mind_remove(mind, 1); /* page 3 is row 1 now */
    assert_string_equal(choose(mind, 2 * FG_HOUR, 2), "02");
    fg_mind_remove(mind, 0); /* row 0 is page 2, and page 3 has nobody near */
    assert_string_equal(choose(mind, 3 * FG_HOUR, 2), "10");
    fg_mind_free(mind);
}

/* A recrawl over two ticks: page 0 showed four links in it, and one in the visit after
 * that; the recrawl's four count, before the three of page 1. */
static void degrees_are_those_of_the_recrawl(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("cliq-1", 2);
    set(mind, "every", 100);
    choose(mind, 0, 1);
    show(mind, 0, 0, "abcd");
    show(mind, 0, FG_MINUTE, "e");
    choose(mind, FG_HOUR, 1);
    show(mind, 1, FG_HOUR, "xyz");
    assert_string_equal(choose(mind, 2 * FG_HOUR, 2), "01");
    fg_mind_free(mind);
}

FG_TESTS(degrees_are_those_of_the_recrawl, one_page_stands_for_each_cluster,
         epsilon_says_how_near_is_near, cliq_win_adds_every_page_by_its_mean,
         cliq_win_star_takes_one_of_those_seen_to_overlap,
         overlaps_follow_pages_that_move)
