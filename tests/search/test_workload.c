/* What people search for: the log of the store as frequencies. */
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

/* Four texts, two queries; N = 4, "wild" in 3 of them and "oak" in 1: idf 1 + ln(4/4) = 1
 * and 1 + ln(4/2). Up to 8 results every bucket is one result, so gains are exact. */
static void gains_are_those_of_the_lists(void **state)
{
    (void)state;
    static const char *const texts[] = {"wild wild wild wild", "wild oak tree x",
                                        "wild a b c d e f g h", "nothing here"};
    struct fg_asked_query queries[] = {
        {.terms = {FG_STR("wild")}, .n = 1, .frequency = 0.75},
        {.terms = {FG_STR("oak"), FG_STR("wild")}, .n = 2, .frequency = 0.25}};
    struct fg_stakes *stakes = fg_stakes_new(&(struct fg_asked_queries){queries, 2});
    for (int i = 0; i < 4; i++)
        fg_stakes_count(stakes, fg_str_from(texts[i]));
    for (int i = 0; i < 4; i++)
        fg_stakes_rank(stakes, fg_str_from(texts[i]));
    fg_stakes_ready(stakes);
    /* wild: 2/2 = 1, 1/2, 1/3 */
    double oak = 1 + log(2), both = (oak * oak + 1) / sqrt(oak * oak + 1) / 2;
    assert_near(fg_stakes_exposure(stakes, fg_str_from(texts[0])), 0.75, 1e-6);
    assert_near(fg_stakes_exposure(stakes, fg_str_from(texts[1])),
                0.75 * pow(2, -1.5) * 0.5 + 0.25 * both, 1e-6);
    assert_near(fg_stakes_exposure(stakes, FG_STR("other words")), 0, 0);
    assert_near(fg_stakes_gain(stakes, fg_str_from(texts[0]), fg_str_from(texts[0])), 0,
                0);
    /* The first loses the word: the others move up. */
    assert_near(fg_stakes_gain(stakes, fg_str_from(texts[0]), FG_STR("quite other")),
                0.75 * ((1 - pow(2, -1.5)) * 0.5 + (pow(2, -1.5) - pow(3, -1.5)) / 3),
                1e-6);
    /* One comes that is the only one for "wild oak" beside the second, and above it. */
    assert_true(fg_stakes_gain(stakes, FG_STR(""), FG_STR("oak oak wild wild")) >
                0.25 * 0.5);
    fg_stakes_free(stakes);
}

FG_TESTS(searches_fade_and_sum_up_to_one, gains_are_those_of_the_lists)
