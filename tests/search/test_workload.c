/* What people search for: the log of the store as frequencies. */
#include "base/rng.h"
#include "search/stakes.h"
#include "search/workload.h"
#include "store/store.h"
#include "test.h"

#include <unistd.h>

static struct fg_asked_queries load(struct fg_arena *arena, const char *place,
                                    int32_t today)
{
    struct fg_err err;
    struct fg_store *store;
    struct fg_asked_queries asked;
    if (fg_store_open(&store, place, &(struct fg_store_options){0}, &err) ||
        fg_asked_load(&asked, arena, store, today, &err) || fg_store_close(store, &err))
        fail_msg("%s", err.text);
    return asked;
}

/* 4 today and 8 thirty days ago weigh 4 + 4; another 2 of 60 days ago .5: 8/8.5. */
static void searches_fade_and_sum_up_to_one(void **state)
{
    (void)state;
    char place[] = "/tmp/forage-workload-XXXXXX";
    struct fg_arena arena = {0};
    struct fg_err err;
    assert_non_null(mkdtemp(place));
    assert_int_equal(load(&arena, place, 1000).n, 0);
    const struct fg_query_row rows[] = {
        {1000, FG_STR("wild mushrooms"), 4}, {970, FG_STR("mushrooms wild -oil"), 8},
        {940, FG_STR("\"porcini\""), 2},     {1000, FG_STR("-oil"), 100},
        {1000, FG_STR("!?"), 100},
    };
    assert_int_equal(fg_store_note_queries(place, rows, 5, &err), FG_OK);
    struct fg_asked_queries asked = load(&arena, place, 1000);
    assert_int_equal(asked.n, 2);
    assert_near(asked.at[0].frequency, 8 / 8.5, 1e-12);
    assert_int_equal(asked.at[0].n, 2);
    assert_str(asked.at[0].terms[0], "mushrooms");
    assert_str(asked.at[0].terms[1], "wild");
    assert_near(asked.at[1].frequency, 0.5 / 8.5, 1e-12);
    assert_str(asked.at[1].terms[0], "porcini");
    /* single terms have the frequencies of all queries that hold them */
    struct fg_asked_queries single = fg_asked_single(&asked, &arena);
    assert_int_equal(single.n, 3);
    assert_near(single.at[0].frequency, 8 / 8.5, 1e-12);
    assert_near(single.at[1].frequency, 8 / 8.5, 1e-12);
    assert_str(single.at[2].terms[0], "porcini");
    fg_arena_clear(&arena);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", place);
    assert_int_equal(system(command), 0);
}

/* --- stakes --- */

static const struct fg_text_terms *terms_of(struct fg_text_terms *terms,
                                            struct fg_str text)
{
    *terms = (struct fg_text_terms){.fields = {[FG_IN_TEXT] = text}};
    return terms;
}
#define TERMS(text) terms_of(&(struct fg_text_terms){0}, fg_str_from(text))

/* Four texts, two queries; N = 4, "wild" in 3 of them and "oak" in 1: idf 1 + ln(4/4) = 1
 * and 1 + ln(4/2). Up to 5 results every bucket is one result, so gains are exact. */
static void gains_are_those_of_the_lists(void **state)
{
    (void)state;
    static const char *const texts[] = {"wild wild wild wild", "wild oak tree x",
                                        "wild a b c d e f g h", "nothing here"};
    struct fg_asked_query queries[] = {
        {.terms = {FG_STR("wild")}, .n = 1, .frequency = 0.75},
        {.terms = {FG_STR("oak"), FG_STR("wild")}, .n = 2, .frequency = 0.25}};
    struct fg_stakes *stakes =
        fg_stakes_new(&(struct fg_asked_queries){.at = queries, .n = 2},
                      &(struct fg_stakes_rules){.kind = FG_SCORE_TFIDF});
    for (int i = 0; i < 4; i++)
        fg_stakes_count(stakes, TERMS(texts[i]));
    for (int i = 0; i < 4; i++)
        fg_stakes_rank(stakes, TERMS(texts[i]));
    fg_stakes_ready(stakes);
    /* Words as an index counts them: 4 are 2^(19/8) - 1 = 4.187, 9 are 2^(27/8) - 1 =
     * 9.375. wild: 2/sqrt(4.187) = .97738, .48869, 1/sqrt(9.375) = .32660 */
    double four = 1 / sqrt(exp2(19 / 8.0) - 1), nine = 1 / sqrt(exp2(27 / 8.0) - 1);
    assert_near(four, 0.48869, 1e-5);
    assert_near(nine, 0.32660, 1e-5);
    double oak = 1 + log(2), both = (oak * oak + 1) / sqrt(oak * oak + 1) * four;
    double distance;
    assert_near(fg_stakes_exposure(stakes, TERMS(texts[0])), 0.75 * 2 * four, 1e-6);
    assert_near(fg_stakes_exposure(stakes, TERMS(texts[1])),
                0.75 * pow(2, -1.5) * four + 0.25 * both, 1e-6);
    assert_near(fg_stakes_exposure(stakes, TERMS("other words")), 0, 0);
    assert_near(fg_stakes_gain(stakes, TERMS(texts[0]), TERMS(texts[0]), &distance), 0,
                0);
    assert_near(distance, 0, 0);
    /* The first loses the word: the others move up. */
    assert_near(fg_stakes_gain(stakes, TERMS(texts[0]), TERMS("quite other"), &distance),
                0.75 * ((1 - pow(2, -1.5)) * four + (pow(2, -1.5) - pow(3, -1.5)) * nine),
                1e-6);
    assert_near(distance, 1, 0);
    /* One comes that is the only one for "wild oak" beside the second, and above it. */
    assert_true(fg_stakes_gain(stakes, NULL, TERMS("oak oak wild wild"), NULL) >
                0.25 * 0.5);
    fg_stakes_free(stakes);
}

/* A title counts three times, the words of a link twice; links alone with inlinks. */
static void fields_and_links_count(void **state)
{
    (void)state;
    struct fg_asked_query query = {.terms = {FG_STR("wild")}, .n = 1, .frequency = 1};
    struct fg_asked_queries asked = {.at = &query, .n = 1};
    struct fg_text_terms text = {
        .fields = {FG_STR("wild "), FG_STR("wild a b c "), FG_STR("wild ")},
        .inlinks = 4};
    struct fg_stakes *stakes =
        fg_stakes_new(&asked, &(struct fg_stakes_rules){.kind = FG_SCORE_TFIDF});
    fg_stakes_texts(stakes, 1);
    fg_stakes_with_term(stakes, FG_STR("wild"), 1); /* idf 1 + ln(1/2) */
    float score =
        fg_stakes_score(stakes, &query, 0, (const double[]){6}, fg_index_words(4), 4);
    assert_near((double)score, sqrt(6) * (1 - log(2)) * 0.48869, 1e-4);
    fg_stakes_results(stakes, 0, &score, 1);
    assert_near(fg_stakes_exposure(stakes, &text), (double)score, 1e-6);
    /* It goes: nothing is left that could be worth something. */
    assert_near(fg_stakes_gain(stakes, &text, NULL, NULL), 0, 1e-6);
    assert_near(fg_stakes_gain(stakes, NULL, &text, NULL), (double)score, 1e-6);
    fg_stakes_free(stakes);
    stakes = fg_stakes_new(&asked, &(struct fg_stakes_rules){.kind = FG_SCORE_INLINKS});
    fg_stakes_texts(stakes, 1);
    fg_stakes_results(stakes, 0, NULL, 0);
    assert_near(fg_stakes_gain(stakes, NULL, &text, NULL), 5, 1e-6);
    fg_stakes_free(stakes);
}

/* Shingles of four: of 400 terms one in the middle is another, so 4 of 400 are, and 4
 * new: 8/404. A block that was moved leaves most of them. Half of the text: 2/3. */
static void distance_is_the_share_of_shingles(void **state)
{
    (void)state;
    struct fg_asked_query query = {.terms = {FG_STR("nothing")}, .n = 1, .frequency = 1};
    struct fg_stakes *stakes =
        fg_stakes_new(&(struct fg_asked_queries){.at = &query, .n = 1},
                      &(struct fg_stakes_rules){.kind = FG_SCORE_TFIDF});
    static char was[200000], one[200000], half[200000], longer[200000];
    for (size_t words = 400; words <= 16000; words *= 40) {
        size_t a = 0, b = 0, c = 0, d = 0;
        for (size_t i = 0; i < words; i++) {
            a += (size_t)sprintf(was + a, "w%zu ", i * 7919);
            b += (size_t)sprintf(one + b, i == words / 2 ? "x%zu " : "w%zu ", i * 7919);
            c += (size_t)sprintf(half + c, i < words / 2 ? "x%zu " : "w%zu ", i * 7919);
            if (i == words / 2)
                d += (size_t)sprintf(longer + d, "a term or two in between ");
            d += (size_t)sprintf(longer + d, "w%zu ", i * 7919);
        }
        double distance;
        fg_stakes_gain(stakes, TERMS(was), TERMS(one), &distance);
        assert_near(distance, 8.0 / (double)(words + 4), 0.02);
        fg_stakes_gain(stakes, TERMS(was), TERMS(half), &distance);
        assert_near(distance, 2.0 / 3, 0.05);
        fg_stakes_gain(stakes, TERMS(was), TERMS(longer), &distance);
        assert_near(distance, 12.0 / (double)words, 0.02);
    }
    fg_stakes_free(stakes);
}

enum { ASKED = 150, VOCABULARY = 300, WORDS = 250 };

static struct fg_stakes *random_stakes(char words[VOCABULARY][8], uint64_t seed)
{
    static struct fg_asked_query queries[ASKED];
    static float scores[40];
    struct fg_rng rng = fg_rng_from_seed(seed);
    for (size_t q = 0; q < ASKED; q++) {
        queries[q] = (struct fg_asked_query){.frequency = fg_rng_unit(&rng),
                                             .n = 1 + (size_t)fg_rng_below(&rng, 3)};
        size_t first = (size_t)fg_rng_below(&rng, VOCABULARY);
        for (size_t i = 0; i < queries[q].n; i++)
            queries[q].terms[i] = fg_str_from(words[(first + i * 7) % VOCABULARY]);
    }
    struct fg_asked_spelling spelling = {queries[0].terms[0], FG_STR("also")};
    struct fg_stakes *stakes = fg_stakes_new(
        &(struct fg_asked_queries){
            .at = queries, .n = ASKED, .spellings = &spelling, .n_spellings = 1},
        &(struct fg_stakes_rules){.kind = FG_SCORE_TFIDF});
    fg_stakes_texts(stakes, 1000);
    for (size_t q = 0; q < ASKED; q++)
        for (size_t i = 0; i < queries[q].n; i++)
            fg_stakes_with_term(stakes, queries[q].terms[i], (double)(10 + q));
    for (size_t i = 0; i < 40; i++)
        scores[i] = (float)(40 - i) / 10;
    for (size_t q = 0; q < ASKED; q++)
        fg_stakes_results(stakes, q, scores, 40);
    return stakes;
}

static struct fg_str text_of(char out[static 4000], char words[VOCABULARY][8],
                             const size_t *at)
{
    size_t n = 0;
    for (size_t i = 0; i < WORDS; i++)
        n += (size_t)sprintf(out + n, "%s ", words[at[i]]);
    return (struct fg_str){out, n};
}

/* Scores know no places: the same old text in another order, of which nothing is shared
 * word by word, is worth the same. */
static void what_texts_share_is_passed_over_rightly(void **state)
{
    (void)state;
    static char words[VOCABULARY][8], a[4000], b[4000], c[4000];
    struct fg_rng rng = fg_rng_from_seed(3);
    for (size_t i = 0; i < VOCABULARY; i++)
        snprintf(words[i], sizeof *words, i % 50 ? "w%zu" : "also", i);
    size_t some = 0;
    for (uint64_t round = 0; round < 200; round++) {
        struct fg_stakes *one = random_stakes(words, round),
                         *other = random_stakes(words, round);
        size_t was[WORDS], is[WORDS];
        for (size_t i = 0; i < WORDS; i++)
            was[i] = is[i] = (size_t)fg_rng_below(&rng, VOCABULARY);
        for (size_t i = 0; i < round % 20; i++)
            is[fg_rng_below(&rng, WORDS)] = (size_t)fg_rng_below(&rng, VOCABULARY);
        if (round % 4 == 1) { /* a part has moved, so that they lose each other */
            memmove(is + 50, is + 70, (WORDS - 70) * sizeof *is);
            memcpy(is + WORDS - 20, was + 50, 20 * sizeof *is);
        }
        struct fg_text_terms old = {.fields = {FG_STR("w3 "), text_of(a, words, was)}},
                             fresh = {
                                 .fields = {round % 3 ? FG_STR("w3 ") : FG_STR("w4 "),
                                            text_of(b, words, is)}};
        double gain = fg_stakes_gain(one, &old, &fresh, NULL);
        fg_rng_shuffle(&rng, was, WORDS, sizeof *was);
        old.fields[FG_IN_TEXT] = text_of(c, words, was);
        assert_near(fg_stakes_gain(other, &old, &fresh, NULL), gain, 1e-6);
        some += gain > 1e-3;
        fg_stakes_free(one);
        fg_stakes_free(other);
    }
    assert_true(some > 50);
}

FG_TESTS(searches_fade_and_sum_up_to_one, gains_are_those_of_the_lists,
         fields_and_links_count, distance_is_the_share_of_shingles,
         what_texts_share_is_passed_over_rightly)
