/* What people search for: the log of the store as frequencies. */
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

FG_TESTS(searches_fade_and_sum_up_to_one)
