/* Covers of the last recrawl and of all that is remembered, by hand. */
#include "links.h"

/* Page 0 shows abcd, 1 cdef, 2 abx, 3 ef, 4 nothing. Greedy takes 0 (4), then 1 (ef), 2
 * (x); 3 adds nothing. */
static void show_site(struct fg_mind *mind, fg_time now)
{
    static const char *const links[] = {"abcd", "cdef", "abx", "ef", ""};
    for (size_t i = 0; i < 5; i++)
        show(mind, i, now, links[i]);
}

static void the_cover_of_the_last_recrawl_is_taken(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("cov", 5);
    set(mind, "every", 0);
    assert_string_equal(choose(mind, 0, 5), ""); /* nothing is known yet */
    show_site(mind, 0);
    assert_string_equal(choose(mind, FG_HOUR, 5), "012");
    assert_string_equal(choose(mind, 2 * FG_HOUR, 2), "01");
    /* A round that left pages out is no recrawl, whatever it shows. */
    show(mind, 3, 2 * FG_HOUR, "ghijklmn");
    assert_string_equal(choose(mind, 3 * FG_HOUR, 5), "012");
    /* The next one replaces the cover. */
    for (size_t i = 0; i < 5; i++)
        show(mind, i, 3 * FG_HOUR, i == 4 ? "pqr" : i == 2 ? "q" : "");
    assert_string_equal(choose(mind, 4 * FG_HOUR, 5), "4");
    fg_mind_free(mind);
}

/* Two visits an hour for five pages: the recrawl takes three hours, and then the cover is
 * used until a day has gone by. */
static void recrawls_are_paid_from_the_budget(void **state)
{
    (void)state;
    static const char *const links[] = {"abcd", "cdef", "abx", "ef", ""};
    struct fg_mind *mind = mind_of("cov", 5);
    size_t full = 0;
    set(mind, "every", 24);
    for (int hour = 0; hour < 48; hour++) {
        struct fg_pick picks[2];
        size_t n = fg_mind_choose(mind, hour * FG_HOUR, 2, picks);
        bool is_recrawl = n > 0 && picks[0].explored;
        full += is_recrawl;
        assert_int_equal(is_recrawl, hour % 24 < 3);
        if (!is_recrawl) {
            assert_int_equal(picks[0].page, 0);
            assert_int_equal(picks[1].page, 1);
        }
        for (size_t i = 0; i < n; i++)
            show(mind, picks[i].page, hour * FG_HOUR,
                 is_recrawl ? links[picks[i].page] : "");
    }
    assert_int_equal(full, 6);
    fg_mind_free(mind);
}

/* New in one round: a by pages 0 and 1. Later page 1 alone shows b and c. The links of
 * all visits together: 0 {a}, 1 {abc}, 2 {xy}: 1, then 2; then the one that waited
 * longest. */
static void cov_star_covers_what_all_visits_found(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("cov*", 3);
    assert_string_equal(choose(mind, 0, 3), "012"); /* never tried */
    show(mind, 0, 0, "a");
    show(mind, 1, 0, "a");
    show(mind, 2, FG_HOUR, "xy");
    choose(mind, FG_HOUR, 1);
    show(mind, 1, FG_HOUR, "bc");
    assert_string_equal(choose(mind, 2 * FG_HOUR, 2), "12");
    assert_string_equal(choose(mind, 3 * FG_HOUR, 3), "120");
    /* Without page 1, page 2 comes to its row and 0 is worth a look again. */
    fg_mind_remove(mind, 1);
    assert_string_equal(choose(mind, 4 * FG_HOUR, 1), "1");
    assert_string_equal(choose(mind, 5 * FG_HOUR, 2), "10");
    fg_mind_free(mind);
}

FG_TESTS(the_cover_of_the_last_recrawl_is_taken, recrawls_are_paid_from_the_budget,
         cov_star_covers_what_all_visits_found)
