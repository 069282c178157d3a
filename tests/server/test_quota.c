#include "server/quota.h"
#include "test.h"

static void a_client_is_heard_so_often_a_day(void **state)
{
    (void)state;
    struct fg_quota *quota = fg_quota_new();
    fg_time now = 20000 * FG_DAY;
    for (int i = 0; i < 3; i++)
        assert_true(fg_quota_take(quota, 7, 1, 3, now));
    assert_false(fg_quota_take(quota, 7, 1, 3, now + FG_DAY - 1));
    assert_true(fg_quota_take(quota, 8, 1, 3, now)); /* another client */
    assert_true(fg_quota_take(quota, 7, 2, 3, now)); /* another thing */
    assert_true(fg_quota_take(quota, 7, 1, 3, now + FG_DAY));
    fg_quota_free(quota);
}

static void memory_is_bounded(void **state)
{
    (void)state;
    struct fg_quota *quota = fg_quota_new();
    for (uint64_t client = 0; client < 300000; client++)
        assert_true(fg_quota_take(quota, client, 1, 1, FG_DAY));
    /* the last ones are still known */
    assert_false(fg_quota_take(quota, 299999, 1, 1, FG_DAY));
    fg_quota_free(quota);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_is_heard_so_often_a_day),
        cmocka_unit_test(memory_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
