/* Memory that is large enough to ask for huge pages is like any other. */
#include "base/memory.h"
#include "test.h"

enum { LARGE = 40 << 20 };

static void large_memory_is_zeroed_and_keeps_what_it_has(void **state)
{
    (void)state;
    uint32_t *at = fg_zeroed(LARGE / 4, sizeof *at);
    for (size_t i = 0; i < LARGE / 4; i += 1000)
        assert_int_equal(at[i], 0);
    for (size_t i = 0; i < LARGE / 4; i += 1000)
        at[i] = (uint32_t)i;
    at = fg_resized(at, LARGE / 2, sizeof *at);
    at[LARGE / 2 - 1] = 7;
    for (size_t i = 0; i < LARGE / 4; i += 1000)
        assert_int_equal(at[i], i);
    at = fg_resized(at, 10, sizeof *at);
    assert_int_equal(at[0], 0);
    free(at);
}

static void nothing_is_something(void **state)
{
    (void)state;
    void *none = fg_zeroed(0, 8), *resized = fg_resized(NULL, 0, 8);
    assert_non_null(none);
    assert_non_null(resized);
    free(none);
    free(resized);
}

FG_TESTS(large_memory_is_zeroed_and_keeps_what_it_has, nothing_is_something)
