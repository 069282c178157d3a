#include "test.h"

#include "net/robots/robots_fetch.h"

static struct fg_robots_outcome judge(int status)
{
    struct fg_robots_fetch fetch = {.status = status,
                                    .max_age = FG_NEVER,
                                    .retry_after = FG_NEVER,
                                    .copy_age = FG_NEVER};
    return fg_robots_judge(&fetch);
}

static void an_error_is_never_permission(void **state)
{
    (void)state;
    static const struct {
        int status;
        enum fg_robots_use use;
    } cases[] = {
        {200, FG_ROBOTS_FILE},  {204, FG_ROBOTS_FILE},  {301, FG_ROBOTS_HOLD},
        {304, FG_ROBOTS_HOLD},  {401, FG_ROBOTS_ALLOW}, {404, FG_ROBOTS_ALLOW},
        {410, FG_ROBOTS_ALLOW}, {429, FG_ROBOTS_HOLD},  {451, FG_ROBOTS_ALLOW},
        {500, FG_ROBOTS_HOLD},  {503, FG_ROBOTS_HOLD},  {0, FG_ROBOTS_HOLD},
        {100, FG_ROBOTS_HOLD},  {999, FG_ROBOTS_HOLD},  {-1, FG_ROBOTS_HOLD},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(judge(cases[i].status).use, cases[i].use);
    struct fg_robots_fetch broken = {.status = 200, .broken = true, .copy_age = FG_NEVER};
    assert_int_equal(fg_robots_judge(&broken).use, FG_ROBOTS_HOLD);
    broken.copy_age = FG_HOUR;
    assert_int_equal(fg_robots_judge(&broken).use, FG_ROBOTS_COPY);
    struct fg_robots_fetch unchanged = {
        .status = 304, .copy_age = 2 * FG_DAY, .max_age = FG_NEVER};
    assert_int_equal(fg_robots_judge(&unchanged).use, FG_ROBOTS_COPY);
    assert_int_equal(fg_robots_judge(&unchanged).again, FG_DAY);
    broken.copy_age = FG_DAY;
    assert_int_equal(fg_robots_judge(&broken).use, FG_ROBOTS_HOLD);
}

static void waits_are_bounded(void **state)
{
    (void)state;
    struct fg_robots_fetch fetch = {.status = 503,
                                    .max_age = FG_NEVER,
                                    .retry_after = FG_NEVER,
                                    .copy_age = FG_NEVER};
    assert_int_equal(fg_robots_judge(&fetch).again, FG_MINUTE);
    fetch.failures = 3;
    assert_int_equal(fg_robots_judge(&fetch).again, 8 * FG_MINUTE);
    fetch.retry_after = FG_HOUR;
    assert_int_equal(fg_robots_judge(&fetch).again, FG_HOUR);
    fetch.retry_after = 1000 * FG_DAY;
    assert_int_equal(fg_robots_judge(&fetch).again, FG_DAY);
    fetch.failures = UINT32_MAX;
    assert_int_equal(fg_robots_judge(&fetch).again, FG_DAY);
    fetch.status = 200;
    assert_int_equal(fg_robots_judge(&fetch).again, FG_DAY);
    fetch.max_age = 0;
    assert_int_equal(fg_robots_judge(&fetch).again, 5 * FG_MINUTE);
    fetch.max_age = 30 * FG_DAY;
    assert_int_equal(fg_robots_judge(&fetch).again, FG_DAY);
    fetch.is_html = true;
    assert_int_equal(fg_robots_judge(&fetch).again, FG_HOUR);
}

FG_TESTS(an_error_is_never_permission, waits_are_bounded)
