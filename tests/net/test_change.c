#include "test.h"

#include "net/text/change.h"

static struct fg_shingler shingler;

static struct fg_change between(const char *before, const char *after)
{
    fg_shingler_init(&shingler, FG_SHINGLE_WORDS);
    return fg_change_between(&shingler, fg_str_from(before), fg_str_from(after),
                             FG_CHANGE_THRESHOLD);
}

static void noise_is_no_change(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"Updated 2 days ago. The museum is open.",
         "Updated 3 hours ago. The museum is open."},
        {"Updated yesterday. The museum is open.", "Updated 12 May. The museum is open."},
        {"It is 10:41:07 now. News follow.", "It is 9:05 pm. News follow."},
        {"1,204 views of this page", "98 views of this page"},
        {"Monday, 3 March 2025: no news", "Tuesday, 4 November 2025: no news"},
        {"session 9f8e7d6c5b4a end", "session 0a1b2c3d4e5f end"},
        {"request 550e8400-e29b-41d4-a716-446655440000",
         "request 67e55044-10b1-426f-9247-bb680e5fe0c8"},
        {"vor 3 Stunden veröffentlicht", "vor 2 Tagen veröffentlicht"},
        {"publié il y a 3 heures", "publié il y a 2 jours"},
        {"3天前 新闻", "5小时前 新闻"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct fg_change change = between(pairs[i][0], pairs[i][1]);
        if (change.text > 0)
            print_error("%s\n%s\n", pairs[i][0], pairs[i][1]);
        assert_true(change.text <= 0);
        assert_false(change.changed);
    }
}

static void numbers_have_a_signal_of_their_own(void **state)
{
    (void)state;
    struct fg_change change = between("shoes cost 49 euros", "shoes cost 39 euros");
    assert_true(change.text <= 0 && change.figures >= 1);
    assert_true(change.figures_only);
    change = between("a 1 b 2 c 3 d 4", "a 1 b 2 c 3 d 5");
    assert_near(change.figures, 0.4, 1e-12); /* 3 of 5 pairs are shared */
    change = between("shoes cost 49 euros", "boots cost 39 euros");
    assert_false(change.figures_only);
}

static void a_changed_word_costs_w_shingles(void **state)
{
    (void)state;
    struct fg_change change =
        between("alpha beta gamma delta epsilon zeta eta theta iota kappa",
                "alpha beta gamma delta epsilon OTHER eta theta iota kappa");
    /* 7 shingles each; 4 have the sixth word; 3 are shared out of 11 */
    assert_int_equal(change.added, 4);
    assert_int_equal(change.removed, 4);
    assert_near(change.text, 8.0 / 11, 1e-12);
    assert_true(change.changed);
}

static void bounds_are_reached(void **state)
{
    (void)state;
    assert_true(between("", "").text <= 0);
    assert_true(between("", "something new here").text >= 1);
    assert_true(between("one two three four", "five six seven eight").text >= 1);
    assert_true(between("one two three", "one two three").text <= 0);
}

/* Past the limit a sample is compared, and gives nearly the same share. */
static void long_texts_are_sampled(void **state)
{
    (void)state;
    enum { WORDS = 600000, BYTES = WORDS * 6 };
    char *a = malloc(BYTES + 1), *b = malloc(BYTES + 1);
    for (int i = 0; i < WORDS; i++) {
        snprintf(a + i * 6, 7, "w%c%c%c%c ", 'g' + i % 19, 'g' + i / 19 % 19,
                 'g' + i / 361 % 19, 'g' + i / 6859 % 19);
        /* every hundredth word of b is another: 4 shingles of 100 on each side */
        snprintf(b + i * 6, 7, "%c%c%c%c%c ", i % 100 ? 'w' : 'v', 'g' + i % 19,
                 'g' + i / 19 % 19, 'g' + i / 361 % 19, 'g' + i / 6859 % 19);
    }
    /* 19^4 words make a cycle, so each text has 130321 shingles; b has more */
    struct fg_change change = between(a, b);
    assert_true(change.text > 0.02 && change.text < 0.4);
    assert_true(change.added <= FG_CHANGE_SHINGLES_MAX);
    assert_true(between(a, a).text <= 0);
    free(a);
    free(b);
}

FG_TESTS(noise_is_no_change, numbers_have_a_signal_of_their_own,
         a_changed_word_costs_w_shingles, bounds_are_reached, long_texts_are_sampled)
