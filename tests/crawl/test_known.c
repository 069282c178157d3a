#include "test.h"

#include "crawl/sites/known.h"

enum { MANY = 100000 };

static uint64_t mixed(uint64_t i)
{
    return (i + 1) * UINT64_C(0x9E3779B97F4A7C15) ^ i >> 7;
}

static struct fg_str url_of(char room[static 96], uint32_t i)
{
    int n = snprintf(room, 96, "https://news.example.org/2026/%02u/some-section/story-%u",
                     i % 12 + 1, i);
    return (struct fg_str){room, (size_t)n};
}

static void nothing_is_known_at_first(void **state)
{
    (void)state;
    struct fg_known known = {0};
    assert_true(fg_known_find(&known, 1, 7) == FG_UNKNOWN);
    fg_known_look(&known, 1, 7);
    fg_known_look_closer(&known, 1, 7);
    assert_int_equal(fg_known_bytes(&known), 0);
    fg_known_clear(&known);
}

static void what_was_added_is_found(void **state)
{
    (void)state;
    struct fg_known known = {0};
    uint32_t row =
        fg_known_add(&known, 3, 0, 99, FG_STR("https://example.org/a"), 1000000);
    assert_int_equal(fg_known_find(&known, 3, 99), row);
    assert_true(fg_known_find(&known, 3, 98) == FG_UNKNOWN);
    assert_str(fg_known_url(&known, row), "https://example.org/a");
    const struct fg_known_page *page = &known.at[row];
    assert_true(page->site == 3 && page->page == 1 && page->first_seen == 1000000);
    assert_true(!page->flags && !page->last_visit_s && !page->shown_by && !page->depth &&
                !page->failures && !page->is_queued);
    assert_true(fg_known_id(&known, row) == (UINT64_C(3) << 32 | 1));
    fg_known_clear(&known);
}

static void two_sites_may_share_a_fingerprint(void **state)
{
    (void)state;
    struct fg_known known = {0};
    uint32_t rows[100];
    for (uint32_t site = 1; site <= 100; site++)
        rows[site - 1] = fg_known_add(&known, site, 0, 42, FG_STR("https://x/"), 0);
    for (uint32_t site = 1; site <= 100; site++)
        assert_int_equal(fg_known_find(&known, site, 42), rows[site - 1]);
    assert_true(fg_known_find(&known, 101, 42) == FG_UNKNOWN);
    fg_known_clear(&known);
}

/* Fingerprints of one site that differ in their upper bits only want the same slot. */
static void fingerprints_that_collide_are_told_apart(void **state)
{
    (void)state;
    struct fg_known known = {0};
    uint32_t rows[300];
    for (uint64_t i = 0; i < 300; i++)
        rows[i] = fg_known_add(&known, 1, 0, i << 40 | 5, FG_STR("https://x/"), 0);
    for (uint64_t i = 0; i < 300; i++)
        assert_int_equal(fg_known_find(&known, 1, i << 40 | 5), rows[i]);
    assert_true(fg_known_find(&known, 1, UINT64_C(300) << 40 | 5) == FG_UNKNOWN);
    fg_known_clear(&known);
}

static void pages_are_numbered_within_their_site(void **state)
{
    (void)state;
    struct fg_known known = {0};
    struct fg_str url = FG_STR("https://example.org/");
    uint32_t a = fg_known_add(&known, 1, 0, 1, url, 0);
    uint32_t b = fg_known_add(&known, 2, 0, 1, url, 0);
    uint32_t c = fg_known_add(&known, 1, 0, 2, url, 0);
    assert_int_equal(known.at[a].page, 1);
    assert_int_equal(known.at[b].page, 1);
    assert_int_equal(known.at[c].page, 2);
    /* from the store, with a gap; the next new one comes after all of them */
    uint32_t d = fg_known_add(&known, 1, 10, 3, url, 0);
    uint32_t e = fg_known_add(&known, 1, 7, 4, url, 0);
    uint32_t f = fg_known_add(&known, 1, 0, 5, url, 0);
    assert_int_equal(known.at[d].page, 10);
    assert_int_equal(known.at[e].page, 7);
    assert_int_equal(known.at[f].page, 11);
    /* a site far beyond those seen */
    uint32_t g = fg_known_add(&known, 5000, 0, 1, url, 0);
    assert_int_equal(known.at[g].page, 1);
    fg_known_clear(&known);
}

static void growing_loses_nothing(void **state)
{
    (void)state;
    struct fg_known known = {0};
    char room[96];
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(
            fg_known_add(&known, i % 50 + 1, 0, mixed(i), url_of(room, i), i), i);
    assert_int_equal(known.len, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        fg_known_look(&known, i % 50 + 1, mixed(i));
        fg_known_look_closer(&known, i % 50 + 1, mixed(i));
        assert_int_equal(fg_known_find(&known, i % 50 + 1, mixed(i)), i);
        assert_true(fg_str_eq(fg_known_url(&known, i), url_of(room, i)));
        assert_true(known.at[i].first_seen == i && known.at[i].page == i / 50 + 1);
        assert_true(fg_known_find(&known, i % 50 + 2, mixed(i)) == FG_UNKNOWN);
    }
    fg_known_clear(&known);
}

/* 250 bytes a URL are promised for all of a crawl; bench_known measures that. */
static void a_page_takes_less_than_promised(void **state)
{
    (void)state;
    struct fg_known known = {0};
    char room[96];
    size_t text = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        struct fg_str url = url_of(room, i);
        fg_known_add(&known, 1, 0, mixed(i), url, 0);
        text += url.len;
    }
    assert_true(fg_known_bytes(&known) > text);
    assert_true(fg_known_bytes(&known) - text < (size_t)MANY * 100);
    fg_known_clear(&known);
}

static void a_long_url_is_cut(void **state)
{
    (void)state;
    struct fg_known known = {0};
    enum { LONG = 70000, MOST = 65535 };
    char *text = malloc(LONG);
    memset(text, 'x', LONG);
    uint32_t whole = fg_known_add(&known, 1, 0, 1, (struct fg_str){text, MOST}, 0);
    uint32_t cut = fg_known_add(&known, 1, 0, 2, (struct fg_str){text, LONG}, 0);
    uint32_t none = fg_known_add(&known, 1, 0, 3, (struct fg_str){0}, 0);
    assert_int_equal(fg_known_url(&known, whole).len, MOST);
    assert_int_equal(fg_known_url(&known, cut).len, MOST);
    assert_int_equal(fg_known_url(&known, none).len, 0);
    /* chunks are left with an end too short for the next: nothing overlaps */
    for (uint64_t i = 10; i < 60; i++) {
        text[0] = (char)i;
        fg_known_add(&known, 1, 0, i, (struct fg_str){text, MOST}, 0);
    }
    for (uint64_t i = 10; i < 60; i++)
        assert_int_equal(fg_known_url(&known, fg_known_find(&known, 1, i)).at[0], i);
    free(text);
    fg_known_clear(&known);
}

static void after_clear_it_starts_over(void **state)
{
    (void)state;
    struct fg_known known = {0};
    for (int round = 0; round < 3; round++) {
        for (uint64_t i = 0; i < 2000; i++)
            fg_known_add(&known, 1, 0, i, FG_STR("https://example.org/"), 0);
        assert_int_equal(known.at[known.len - 1].page, 2000);
        fg_known_clear(&known);
        assert_int_equal(known.len, 0);
        assert_true(fg_known_find(&known, 1, 5) == FG_UNKNOWN);
    }
}

static void rows_are_sorted_and_stand_once(void **state)
{
    (void)state;
    uint32_t rows[] = {7, 2, 7, 9, 2};
    assert_int_equal(fg_rows_unique(rows, 5), 3);
    assert_int_equal(rows[0], 2);
    assert_int_equal(rows[1], 7);
    assert_int_equal(rows[2], 9);
    assert_true(fg_rows_have(rows, 3, 7));
    assert_false(fg_rows_have(rows, 3, 8));
    assert_int_equal(fg_rows_unique(rows, 0), 0);
    assert_false(fg_rows_have(NULL, 0, 7));
}

FG_TESTS(rows_are_sorted_and_stand_once, nothing_is_known_at_first,
         what_was_added_is_found, two_sites_may_share_a_fingerprint,
         fingerprints_that_collide_are_told_apart, pages_are_numbered_within_their_site,
         growing_loses_nothing, a_page_takes_less_than_promised, a_long_url_is_cut,
         after_clear_it_starts_over)
