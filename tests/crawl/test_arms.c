/* Chances of arms as they are noted, kept and thinned out. */
#include "test.h"

#include "crawl/arms.h"

static const fg_time start = 1794787200 * FG_SECOND;

static void noted_once_an_hour_for_each_task(void **state)
{
    (void)state;
    struct fg_arms arms = {0};
    const struct fg_arm two[] = {{"click", .75}, {"uniform", .25}}, one[] = {{"all", 1}};
    assert_true(fg_arms_note(&arms, start, FG_REFRESH, two, 2));
    assert_false(fg_arms_note(&arms, start + FG_HOUR - 1, FG_REFRESH, two, 2));
    assert_true(fg_arms_note(&arms, start + FG_MINUTE, FG_DISCOVERY, one, 1));
    assert_true(fg_arms_note(&arms, start + FG_HOUR, FG_REFRESH, two, 2));
    assert_false(fg_arms_note(&arms, start + FG_DAY, FG_DISCOVERY, NULL, 0));
    assert_int_equal(arms.rows.len, 5);
    fg_arms_clear(&arms);
}

static void read_as_they_were_written(void **state)
{
    (void)state;
    struct fg_arms arms = {0}, again = {0};
    const struct fg_arm two[] = {{"click", .75}, {"uniform", .25}}, one[] = {{"all", 1}};
    struct fg_buf text;
    fg_arms_note(&arms, start, FG_REFRESH, two, 2);
    fg_arms_note(&arms, start + 5, FG_DISCOVERY, one, 1);
    fg_buf_init(&text, 1 << 20);
    fg_arms_write(&text, &arms);
    fg_buf_add(&text,
               FG_STR("damaged\n-1\trefresh\tx\t1\n12\trefresh\t\t1\n\t\t\t\n12\t"));
    fg_arms_read(&again, fg_buf_str(&text));
    assert_int_equal(again.rows.len, 3);
    assert_string_equal(again.rows.at[1].name, "uniform");
    assert_near(again.rows.at[1].chance, .25, 1e-9);
    assert_int_equal(again.rows.at[1].time, start);
    assert_int_equal(again.rows.at[2].task, FG_DISCOVERY);
    fg_buf_clear(&text);
    fg_arms_clear(&arms);
    fg_arms_clear(&again);
}

/* Years of notes stay few, the first and the newest among them, each note whole. */
static void do_not_grow_without_bound(void **state)
{
    (void)state;
    struct fg_arms arms = {0};
    for (int hour = 0; hour < 20000; hour++) {
        const struct fg_arm two[] = {{"a", .5}, {"b", .5}};
        assert_true(fg_arms_note(&arms, start + hour * FG_HOUR, FG_REFRESH, two, 2));
    }
    assert_true(arms.rows.len <= 4002 && arms.rows.len > 1900);
    assert_int_equal(arms.rows.at[0].time, start);
    assert_int_equal(arms.rows.at[arms.rows.len - 1].time, start + 19999 * FG_HOUR);
    for (size_t i = 0; i < arms.rows.len; i += 2) {
        assert_int_equal(arms.rows.at[i].time, arms.rows.at[i + 1].time);
        assert_int_equal(arms.rows.at[i].name[0], 'a');
        assert_true(!i || arms.rows.at[i].time > arms.rows.at[i - 1].time);
    }
    fg_arms_clear(&arms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noted_once_an_hour_for_each_task),
        cmocka_unit_test(read_as_they_were_written),
        cmocka_unit_test(do_not_grow_without_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
