#include "test.h"

#include "net/text/shingle.h"

static uint64_t draw(uint64_t *seed)
{
    uint64_t x = *seed += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* The estimate for two random sets of which `common` of `all` elements are shared. */
static double estimate(uint64_t *seed, size_t common, size_t all)
{
    struct fg_sketch a, b;
    fg_sketch_init(&a);
    fg_sketch_init(&b);
    for (size_t i = 0; i < all; i++) {
        uint64_t hash = draw(seed);
        if (i < common || i % 2)
            fg_sketch_add(&a, hash);
        if (i < common || i % 2 == 0)
            fg_sketch_add(&b, hash);
    }
    fg_sketch_end(&a);
    fg_sketch_end(&b);
    return fg_sketch_resemblance(&a, &b);
}

/* Mean and deviation over many pairs of sets, against sqrt(r (1 - r) / k). Four standard
 * errors of the mean: one run in fifteen thousand would fail, and the seed is fixed. */
static void assert_estimator(size_t common, size_t all, double widest)
{
    enum { TRIALS = 1000 };
    uint64_t seed = common * 1000 + all;
    double r = (double)common / (double)all, sum = 0, squares = 0;
    for (int i = 0; i < TRIALS; i++) {
        double error = estimate(&seed, common, all) - r;
        sum += error;
        squares += error * error;
    }
    double theory = sqrt(r * (1 - r) / FG_SKETCH_SLOTS);
    double deviation = sqrt(squares / TRIALS);
    assert_near(sum / TRIALS, 0, 4 * deviation / sqrt(TRIALS));
    assert_true(deviation > 0.85 * theory && deviation < widest * theory);
}

static void sketch_is_unbiased_with_the_stated_error(void **state)
{
    (void)state;
    assert_estimator(200, 2000, 1.1);
    assert_estimator(1000, 2000, 1.1);
    assert_estimator(1800, 2000, 1.1);
    assert_estimator(200, 400, 1.2);
    assert_estimator(50, 100, 1.6); /* fewer shingles than slots */
    assert_estimator(5, 10, 4);
}

static void small_sets_behave(void **state)
{
    (void)state;
    struct fg_sketch empty, one, other;
    fg_sketch_init(&empty);
    fg_sketch_init(&one);
    fg_sketch_init(&other);
    fg_sketch_add(&one, UINT64_MAX);
    fg_sketch_add(&other, 12345);
    fg_sketch_end(&empty);
    fg_sketch_end(&one);
    fg_sketch_end(&other);
    assert_true(fg_sketch_resemblance(&empty, &empty) == 1);
    assert_true(fg_sketch_resemblance(&empty, &one) == 0);
    assert_true(fg_sketch_resemblance(&one, &one) == 1);
    assert_true(fg_sketch_resemblance(&one, &other) == 0);
}

static struct fg_print print_of(const char *text, unsigned w)
{
    static struct fg_shingler shingler;
    struct fg_print print;
    fg_shingler_init(&shingler, w);
    fg_shingler_add(&shingler, fg_str_from(text));
    fg_shingler_end(&shingler, &print);
    return print;
}

static void counts_shingles_of_each_kind(void **state)
{
    (void)state;
    struct fg_print print = print_of("one two three 44 four five x9y8z7w6", 3);
    assert_int_equal(print.n_words, 5);
    assert_int_equal(print.n_figures, 1);
    assert_int_equal(print.words.shingles, 3);
    assert_int_equal(print.all.shingles, 4);
    assert_int_equal(print.figures.shingles, 1);
    assert_int_equal(print_of("one two", 3).words.shingles, 1);
    assert_int_equal(print_of("", 3).words.shingles, 0);
}

static void the_same_words_give_the_same_print(void **state)
{
    (void)state;
    struct fg_print a = print_of("The cat sat -- on the MAT.", 4);
    struct fg_print b = print_of("the Cat; sat on the mat", 4);
    assert_memory_equal(&a, &b, sizeof a);
    struct fg_print c = print_of("the cat sat on the hat", 4);
    assert_true(a.words_hash != c.words_hash);
}

static void chunks_and_reuse_do_not_matter(void **state)
{
    (void)state;
    static struct fg_shingler shingler;
    const char *text = "Straße 12 und 你好, 3 days ago the end of it all";
    struct fg_str s = fg_str_from(text);
    struct fg_print whole = print_of(text, 4), print;
    fg_shingler_init(&shingler, 4);
    for (size_t cut = 0; cut <= s.len; cut++) {
        fg_shingler_add(&shingler, fg_str_sub(s, 0, cut));
        fg_shingler_add(&shingler, fg_str_skip(s, cut));
        fg_shingler_end(&shingler, &print);
        assert_memory_equal(&print, &whole, sizeof print);
    }
}

static void a_gist_is_part_of_the_print(void **state)
{
    (void)state;
    static const char text[] =
        "On 5 May 2026 the council met for the 12th time, as it had yesterday, and heard "
        "from x9y8z7w6 what Straßburg and 北京 had to say of the matter: nothing at all, "
        "but at some length and with a great many words that are here to fill the blocks";
    for (size_t len = 0; len < sizeof text; len++) {
        char cut[sizeof text];
        snprintf(cut, sizeof cut, "%.*s", (int)len, text);
        struct fg_print print = print_of(cut, 4);
        struct fg_gist gist = fg_gist_of(fg_str_from(cut));
        assert_true(gist.simhash == print.simhash);
        assert_true(gist.words_hash == print.words_hash);
        assert_int_equal(gist.n_words, print.n_words);
    }
}

/* Against the definition, on a text of numbered words. */
static void resemblance_is_that_of_the_shingles(void **state)
{
    (void)state;
    static char a[1 << 16], b[1 << 16];
    size_t n = 0, m = 0;
    for (int i = 0; i < 2000; i++) {
        n += (size_t)snprintf(a + n, sizeof a - n, "w%c%c%c ", 'g' + i % 17,
                              'g' + i / 17 % 17, 'g' + i / 289);
        m += (size_t)snprintf(b + m, sizeof b - m, "w%c%c%c ", 'g' + (i + 500) % 17,
                              'g' + (i + 500) / 17 % 17, 'g' + (i + 500) / 289);
    }
    struct fg_print x = print_of(a, 4), y = print_of(b, 4);
    /* 1997 shingles each, 1497 of them shared */
    double r = 1497.0 / 2497.0;
    assert_near(fg_sketch_resemblance(&x.all, &y.all), r, 4 * sqrt(r * (1 - r) / 128));
}

static void simhash_is_the_majority_of_pairs(void **state)
{
    (void)state;
    assert_int_equal(fg_simhash_distance(0, UINT64_MAX), 64);
    assert_true(print_of("", 4).simhash == 0);
    /* the same feature any number of times has its own bits as majority */
    struct fg_print once = print_of("dull", 4), same = print_of("dull", 4);
    assert_int_equal(fg_simhash_distance(once.simhash, same.simhash), 0);
    const char *long_text =
        "it was the best of times it was the worst of times it was the age "
        "of wisdom it was the age of foolishness it was the epoch of belief";
    const char *edited =
        "it was the best of times it was the worst of times it was the age "
        "of wisdom it was the age of silliness it was the epoch of belief";
    const char *unrelated =
        "call me ishmael some years ago never mind how long precisely having "
        "little or no money in my purse and nothing particular to interest me";
    uint64_t original = print_of(long_text, 4).simhash;
    assert_true(fg_simhash_distance(original, print_of(edited, 4).simhash) <= 12);
    assert_true(fg_simhash_distance(original, print_of(unrelated, 4).simhash) >= 20);
}

static void alike_texts_meet_in_a_band(void **state)
{
    (void)state;
    uint64_t seed = 5, a[FG_SKETCH_BANDS], b[FG_SKETCH_BANDS];
    struct fg_sketch x, y;
    int met = 0;
    for (int trial = 0; trial < 200; trial++) {
        fg_sketch_init(&x);
        fg_sketch_init(&y);
        for (int i = 0; i < 1000; i++) {
            uint64_t hash = draw(&seed);
            fg_sketch_add(&x, hash);
            fg_sketch_add(&y, i < 900 ? hash : draw(&seed)); /* r = 900 / 1100 */
        }
        fg_sketch_end(&x);
        fg_sketch_end(&y);
        fg_sketch_bands(&x, a);
        fg_sketch_bands(&y, b);
        bool share = false;
        for (int i = 0; i < FG_SKETCH_BANDS; i++)
            share |= a[i] == b[i];
        met += share;
    }
    /* 1 - (1 - r^8)^16 is 0.969; four standard errors below is 0.92 */
    assert_true(met >= 184);
}

static void lists_thin_out_fairly(void **state)
{
    (void)state;
    static uint64_t room[1000];
    static struct fg_shingler shingler;
    struct fg_shingle_list list = {.at = room, .max = 1000};
    struct fg_print print;
    fg_shingler_init(&shingler, 1);
    shingler.list_words = &list;
    char word[16];
    for (int i = 0; i < 100000; i++) {
        int n = snprintf(word, sizeof word, "w%c%c%c%c ", 'g' + i % 18, 'g' + i / 18 % 18,
                         'g' + i / 324 % 18, 'g' + i / 5832 % 18);
        fg_shingler_add(&shingler, (struct fg_str){word, (size_t)n});
    }
    fg_shingler_end(&shingler, &print);
    fg_shingle_list_pack(&list, list.mask);
    double share = 1.0 / (double)(list.mask + 1);
    /* all but a few of the 100000 words are different: 18^4 = 104976 */
    assert_near((double)list.len / 100000, share, 5 * sqrt(share / 100000));
    for (size_t i = 1; i < list.len; i++)
        assert_true(room[i - 1] < room[i]);
}

FG_TESTS(sketch_is_unbiased_with_the_stated_error, small_sets_behave,
         counts_shingles_of_each_kind, the_same_words_give_the_same_print,
         chunks_and_reuse_do_not_matter, resemblance_is_that_of_the_shingles,
         simhash_is_the_majority_of_pairs, alike_texts_meet_in_a_band,
         lists_thin_out_fairly, a_gist_is_part_of_the_print)
