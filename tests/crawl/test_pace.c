#include "test.h"

#include "crawl/host/pace.h"
#include "net/text/date.h"

static const fg_time start = 1700000000 * FG_SECOND;

static struct fg_pace_rules plain(void)
{
    struct fg_pace_rules rules = fg_pace_defaults();
    rules.backoff_jitter = 0;
    return rules;
}

static bool answered(struct fg_pace *pace, fg_time now, unsigned status, fg_time retry)
{
    fg_pace_started(pace, now);
    return fg_pace_finished(pace, now,
                            &(struct fg_pace_answer){.status = status,
                                                     .took = FG_SECOND,
                                                     .retry_after = retry});
}

static bool failed(struct fg_pace *pace, fg_time now)
{
    fg_pace_started(pace, now);
    return fg_pace_finished(
        pace, now, &(struct fg_pace_answer){.failed = true, .retry_after = FG_NEVER});
}

static void a_new_host_may_be_asked_at_once(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    fg_pace_init(&pace, &rules, NULL, start, 1);
    assert_int_equal(fg_pace_ready(&pace, start), start);
}

static void the_delay_is_kept_between_requests(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    fg_pace_init(&pace, &rules, NULL, start, 1);
    answered(&pace, start, 200, FG_NEVER);
    assert_int_equal(fg_pace_ready(&pace, start), start + 5 * FG_SECOND);
    assert_int_equal(fg_pace_ready(&pace, start + FG_SECOND), start + 5 * FG_SECOND);
    assert_int_equal(fg_pace_ready(&pace, start + FG_MINUTE), start + FG_MINUTE);
}

/* Were it counted from the start, a request that was long on its way and one that was not
 * would reach the host close together. */
static void with_one_request_at_a_time_the_delay_counts_from_its_end(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    struct fg_pace_answer ok = {.status = 200, .took = 1000, .retry_after = FG_NEVER};
    fg_pace_init(&pace, &rules, NULL, start, 1);
    fg_pace_started(&pace, start);
    assert_int_equal(fg_pace_ready(&pace, start + FG_MINUTE), INT64_MAX);
    fg_pace_finished(&pace, start + FG_MINUTE, &ok);
    assert_int_equal(fg_pace_ready(&pace, start + FG_MINUTE),
                     start + FG_MINUTE + 5 * FG_SECOND);
}

static void several_requests_may_be_open_but_start_apart(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    rules.concurrency = 2;
    struct fg_pace pace;
    fg_pace_init(&pace, &rules, NULL, start, 1);
    fg_pace_started(&pace, start);
    assert_int_equal(fg_pace_ready(&pace, start), start + 5 * FG_SECOND);
    fg_pace_started(&pace, start + 5 * FG_SECOND);
    assert_int_equal(fg_pace_ready(&pace, start + FG_HOUR), INT64_MAX);
}

static void crawl_delay_counts_if_it_is_longer(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    fg_pace_init(&pace, &rules, NULL, start, 1);
    pace.memory.crawl_delay = FG_SECOND;
    assert_int_equal(fg_pace_delay(&pace), 5 * FG_SECOND);
    pace.memory.crawl_delay = 20 * FG_SECOND;
    assert_int_equal(fg_pace_delay(&pace), 20 * FG_SECOND);
    pace.memory.crawl_delay = 3 * FG_HOUR; /* absurd, and theirs to ask for */
    assert_int_equal(fg_pace_delay(&pace), 3 * FG_HOUR);
}

static void take(struct fg_pace *pace, fg_time took, int times)
{
    for (int i = 0; i < times; i++) {
        fg_pace_started(pace, start);
        fg_pace_finished(pace, start,
                         &(struct fg_pace_answer){
                             .status = 200, .took = took, .retry_after = FG_NEVER});
    }
}

static void a_host_that_slows_is_asked_more_slowly(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    fg_pace_init(&pace, &rules, NULL, start, 1);
    take(&pace, 100 * FG_MILLISECOND, 20);
    assert_int_equal(fg_pace_delay(&pace), 5 * FG_SECOND);
    take(&pace, 150 * FG_MILLISECOND, 20); /* that is within what hosts do */
    assert_int_equal(fg_pace_delay(&pace), 5 * FG_SECOND);
    take(&pace, FG_SECOND, 5);
    fg_time slow = fg_pace_delay(&pace);
    assert_in_range(slow, 15 * FG_SECOND, 50 * FG_SECOND);
    take(&pace, 60 * FG_SECOND, 20);
    assert_in_range(fg_pace_delay(&pace), 25 * FG_SECOND, 50 * FG_SECOND); /* ten times */
    take(&pace, 100 * FG_MILLISECOND, 60);
    assert_int_equal(fg_pace_delay(&pace), 5 * FG_SECOND);
}

static void a_host_that_stays_slow_is_not_punished_for_ever(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    fg_pace_init(&pace, &rules, NULL, start, 1);
    take(&pace, 200 * FG_MILLISECOND, 20);
    take(&pace, 2 * FG_SECOND, 20);
    assert_true(fg_pace_delay(&pace) > 10 * FG_SECOND);
    take(&pace, 2 * FG_SECOND, 200);
    assert_int_equal(fg_pace_delay(&pace), 5 * FG_SECOND);
}

static void slowness_on_a_fast_network_is_no_slowness(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    fg_pace_init(&pace, &rules, NULL, start, 1);
    take(&pace, 200, 20);
    take(&pace, 20 * FG_MILLISECOND, 20); /* a hundred times slower, and still fast */
    assert_int_equal(fg_pace_delay(&pace), 5 * FG_SECOND);
}

static void without_a_delay_slowness_makes_one(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    rules.delay = 0;
    struct fg_pace pace;
    fg_pace_init(&pace, &rules, NULL, start, 1);
    take(&pace, 100 * FG_MILLISECOND, 20);
    assert_int_equal(fg_pace_delay(&pace), 0);
    take(&pace, 4 * FG_SECOND, 20);
    assert_in_range(fg_pace_delay(&pace), FG_SECOND, 4 * FG_SECOND);
}

static void slowness_never_shortens_a_long_crawl_delay(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    fg_pace_init(&pace, &rules, NULL, start, 1);
    pace.memory.crawl_delay = FG_HOUR;
    take(&pace, 100 * FG_MILLISECOND, 20);
    take(&pace, 60 * FG_SECOND, 20);
    assert_int_equal(fg_pace_delay(&pace), FG_HOUR);
}

static void backoff_doubles_from_a_minute_to_a_day(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    fg_time now = start;
    fg_pace_init(&pace, &rules, NULL, now, 1);
    /* 1, 2, 4 ... 1024 min, then 1440 for ever */
    for (int step = 0; step < 40; step++) {
        fg_time minutes = step > 10 ? 1440 : (fg_time)1 << step;
        assert_true(answered(&pace, now, step % 2 ? 429 : 503, FG_NEVER));
        assert_int_equal(pace.memory.backoff_until, now + minutes * FG_MINUTE);
        assert_int_equal(fg_pace_ready(&pace, now), now + minutes * FG_MINUTE);
        now = pace.memory.backoff_until;
        assert_int_equal(fg_pace_ready(&pace, now), now);
    }
}

static void jitter_is_a_tenth_either_way(void **state)
{
    (void)state;
    struct fg_pace_rules rules = fg_pace_defaults();
    fg_time least = INT64_MAX, most = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct fg_pace pace;
        fg_pace_init(&pace, &rules, NULL, start, seed);
        answered(&pace, start, 503, FG_NEVER);
        fg_time wait = pace.memory.backoff_until - start;
        least = wait < least ? wait : least;
        most = wait > most ? wait : most;
    }
    assert_in_range(least, 54 * FG_SECOND, 55 * FG_SECOND);
    assert_in_range(most, 65 * FG_SECOND, 66 * FG_SECOND);
}

static void three_failures_in_a_row_make_it_back_off(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    fg_pace_init(&pace, &rules, NULL, start, 1);
    assert_false(failed(&pace, start));
    assert_false(failed(&pace, start));
    answered(&pace, start, 404, FG_NEVER); /* an answer, if not a welcome one */
    assert_false(failed(&pace, start));
    assert_false(answered(&pace, start, 500, FG_NEVER));
    assert_int_equal(pace.memory.backoff_until, FG_NEVER);
    assert_true(failed(&pace, start));
    assert_int_equal(pace.memory.backoff_until, start + FG_MINUTE);
}

/* What we refuse ourselves (a private address, a stop) says nothing about the host. */
static void our_own_refusals_teach_nothing(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    struct fg_pace_answer ours = {.retry_after = FG_NEVER};
    fg_pace_init(&pace, &rules, NULL, start, 1);
    take(&pace, FG_SECOND, 5);
    failed(&pace, start);
    failed(&pace, start);
    for (int i = 0; i < 20; i++) {
        fg_pace_started(&pace, start);
        assert_false(fg_pace_finished(&pace, start, &ours));
    }
    take(&pace, FG_SECOND, 0);
    assert_int_equal(fg_pace_delay(&pace), 5 * FG_SECOND);
    assert_true(failed(&pace, start)); /* still the third in a row */
}

static void backoff_is_forgiven_after_thirty_quiet_minutes(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    fg_pace_init(&pace, &rules, NULL, start, 1);
    answered(&pace, start, 503, FG_NEVER);
    answered(&pace, pace.memory.backoff_until, 503, FG_NEVER);
    fg_time end = pace.memory.backoff_until;
    assert_int_equal(pace.memory.backoff_step, 2);
    assert_false(answered(&pace, end + 29 * FG_MINUTE, 200, FG_NEVER));
    assert_int_equal(pace.memory.backoff_step, 2);
    assert_true(answered(&pace, end + 30 * FG_MINUTE, 200, FG_NEVER));
    assert_int_equal(pace.memory.backoff_step, 0);
    assert_int_equal(pace.memory.backoff_until, FG_NEVER);
    answered(&pace, end + 31 * FG_MINUTE, 503, FG_NEVER);
    assert_int_equal(pace.memory.backoff_until, end + 32 * FG_MINUTE);
}

static void trouble_soon_after_goes_on_doubling(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    fg_pace_init(&pace, &rules, NULL, start, 1);
    answered(&pace, start, 503, FG_NEVER);
    answered(&pace, start + 5 * FG_MINUTE, 200, FG_NEVER);
    answered(&pace, start + 20 * FG_MINUTE, 503, FG_NEVER);
    assert_int_equal(pace.memory.backoff_until, start + 22 * FG_MINUTE);
}

/* It was well in between, if only once and early. */
static void quiet_time_counts_when_trouble_comes_back(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    fg_pace_init(&pace, &rules, NULL, start, 1);
    answered(&pace, start, 503, FG_NEVER);
    answered(&pace, start + 10 * FG_MINUTE, 200, FG_NEVER);
    answered(&pace, start + 2 * FG_HOUR, 503, FG_NEVER);
    assert_int_equal(pace.memory.backoff_until, start + 2 * FG_HOUR + FG_MINUTE);
    /* But silence alone is no good answer. */
    answered(&pace, start + 4 * FG_HOUR, 503, FG_NEVER);
    assert_int_equal(pace.memory.backoff_until, start + 4 * FG_HOUR + 2 * FG_MINUTE);
}

static bool shown(struct fg_pace *pace, fg_time now)
{
    fg_pace_started(pace, now);
    return fg_pace_finished(pace, now,
                            &(struct fg_pace_answer){.status = 200,
                                                     .took = FG_SECOND,
                                                     .retry_after = FG_NEVER,
                                                     .announces = true});
}

/* Some pages fail, the ones that matter do not. */
static void a_good_answer_of_what_announces_pages_forgives(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    fg_time now = start;
    fg_pace_init(&pace, &rules, NULL, now, 1);
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 3; i++)
            failed(&pace, now);
        assert_int_equal(pace.memory.backoff_until, now + FG_MINUTE);
        assert_false(shown(&pace, now)); /* it was on its way */
        now += FG_MINUTE;
        assert_true(shown(&pace, now));
        assert_int_equal(pace.memory.backoff_step, 0);
    }
}

static void what_the_host_asked_for_is_not_forgiven_so_soon(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    fg_pace_init(&pace, &rules, NULL, start, 1);
    answered(&pace, start, 503, FG_NEVER);
    assert_false(shown(&pace, start + FG_MINUTE));
    assert_int_equal(pace.memory.backoff_step, 1);
    /* Nor is what an earlier run has left: who knows why. */
    struct fg_pace_memory memory = pace.memory;
    fg_pace_init(&pace, &rules, &memory, start + FG_MINUTE, 1);
    assert_false(shown(&pace, start + 2 * FG_MINUTE));
    assert_int_equal(pace.memory.backoff_step, 1);
}

static void errors_among_good_answers_are_a_pause_only(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    fg_time now = start;
    fg_pace_init(&pace, &rules, NULL, now, 1);
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 3; i++)
            answered(&pace, now, 500, FG_NEVER);
        assert_int_equal(pace.memory.backoff_until, now + FG_MINUTE);
        now += 2 * FG_MINUTE;
        answered(&pace, now, 200, FG_NEVER);
    }
    now += 2 * FG_MINUTE; /* without one it goes on doubling */
    for (int i = 0; i < 3; i++)
        answered(&pace, now, 500, FG_NEVER);
    answered(&pace, now + FG_MINUTE, 500, FG_NEVER);
    assert_int_equal(pace.memory.backoff_until, now + 3 * FG_MINUTE);
}

static void requests_that_were_open_do_not_double_it(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    rules.concurrency = 8;
    struct fg_pace pace;
    struct fg_pace_answer busy = {.status = 503, .retry_after = FG_NEVER};
    fg_pace_init(&pace, &rules, NULL, start, 1);
    for (int i = 0; i < 8; i++)
        fg_pace_started(&pace, start);
    for (int i = 0; i < 8; i++)
        fg_pace_finished(&pace, start + i, &busy);
    assert_int_equal(pace.memory.backoff_step, 1);
    assert_int_equal(pace.memory.backoff_until, start + FG_MINUTE);
}

static void retry_after_is_the_least_wait(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    fg_pace_init(&pace, &rules, NULL, start, 1);
    answered(&pace, start, 429, 10 * FG_SECOND);
    assert_int_equal(pace.memory.backoff_until, start + FG_MINUTE);
    fg_time now = start + FG_MINUTE;
    answered(&pace, now, 429, FG_HOUR);
    assert_int_equal(pace.memory.backoff_until, now + FG_HOUR);
    now += FG_HOUR;
    answered(&pace, now, 503, 3 * FG_DAY); /* longer than our own longest */
    assert_int_equal(pace.memory.backoff_until, now + 3 * FG_DAY);
    now += 3 * FG_DAY;
    answered(&pace, now, 503, 365 * FG_DAY);
    assert_int_equal(pace.memory.backoff_until, now + 30 * FG_DAY);
}

static void retry_after_is_heeded_on_other_refusals_too(void **state)
{
    (void)state;
    static const struct {
        unsigned status;
        bool heeded;
    } cases[] = {{403, true}, {500, true}, {502, true}, {404, false}, {200, false}};
    struct fg_pace_rules rules = plain();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_pace pace;
        fg_pace_init(&pace, &rules, NULL, start, 1);
        answered(&pace, start, cases[i].status, FG_HOUR);
        assert_int_equal(pace.memory.backoff_until,
                         cases[i].heeded ? start + FG_HOUR : FG_NEVER);
    }
}

static void a_restart_counts_as_a_request_just_made(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    struct fg_pace_memory memory = {.last_request = start - FG_HOUR,
                                    .crawl_delay = 20 * FG_SECOND,
                                    .backoff_until = FG_NEVER};
    fg_pace_init(&pace, &rules, &memory, start, 1);
    assert_int_equal(fg_pace_ready(&pace, start), start + 20 * FG_SECOND);
}

static void backoff_goes_on_after_a_restart(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace before, after;
    fg_pace_init(&before, &rules, NULL, start, 1);
    answered(&before, start, 503, FG_NEVER);
    answered(&before, start + FG_MINUTE, 503, 10 * FG_DAY);
    fg_pace_init(&after, &rules, &before.memory, start + FG_HOUR, 2);
    assert_int_equal(fg_pace_ready(&after, start + FG_HOUR),
                     start + FG_MINUTE + 10 * FG_DAY);
    fg_time now = after.memory.backoff_until;
    answered(&after, now, 503, FG_NEVER);
    assert_int_equal(after.memory.backoff_until, now + 4 * FG_MINUTE);
}

static void a_clock_set_back_does_not_stretch_it(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace before, after;
    fg_pace_init(&before, &rules, NULL, start, 1);
    answered(&before, start, 503, FG_NEVER);
    fg_time earlier = start - 365 * FG_DAY;
    fg_pace_init(&after, &rules, &before.memory, earlier, 1);
    assert_int_equal(fg_pace_ready(&after, earlier), earlier + FG_MINUTE);
    /* Not even where the time of the last request is lost. */
    before.memory.last_request = FG_NEVER;
    fg_pace_init(&after, &rules, &before.memory, earlier, 1);
    assert_int_equal(fg_pace_ready(&after, earlier), earlier + 30 * FG_DAY);
}

static void retry_after_is_seconds_or_a_date(void **state)
{
    (void)state;
    fg_time now = fg_date_parse(FG_STR("2026-01-01T00:00:00Z"));
    static const struct {
        const char *text;
        fg_time span;
    } cases[] = {
        {"120", 120 * FG_SECOND},
        {"0", 0},
        {" 7\t", 7 * FG_SECOND},
        {"Thu, 01 Jan 2026 00:02:00 GMT", 2 * FG_MINUTE},
        {"Thursday, 01-Jan-26 00:02:00 GMT", 2 * FG_MINUTE},
        {"Thu Jan  1 00:02:00 2026", 2 * FG_MINUTE},
        {"Fri, 31 Dec 1999 23:59:59 GMT", 0},
        {"99999999999999999999", 365 * FG_DAY},
        {"31536001", 365 * FG_DAY},
        {"Fri, 31 Dec 9999 23:59:59 GMT", 365 * FG_DAY},
        {"", FG_NEVER},
        {"-5", FG_NEVER},
        {"1.5", FG_NEVER},
        {"120s", FG_NEVER},
        {"soon", FG_NEVER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fg_time got = fg_retry_after_parse(fg_str_from(cases[i].text), now);
        if (got != cases[i].span)
            fail_msg("'%s' is %lld", cases[i].text, (long long)got);
    }
    assert_int_equal(fg_retry_after_parse((struct fg_str){0}, now), FG_NEVER);
}

/* One request in five is refused, for ever: that is a way to say "less", not "go". */
static fg_time longest_wait(fg_time retry)
{
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    fg_time now = start, longest = 0;
    fg_pace_init(&pace, &rules, NULL, now, 1);
    for (int i = 0; i < 200; i++) {
        answered(&pace, now, i % 5 == 4 ? 429 : 200, i % 5 == 4 ? retry : FG_NEVER);
        fg_time wait = fg_pace_ready(&pace, now) - now;
        longest = wait > longest ? wait : longest;
        now += wait;
    }
    return longest;
}

static void a_host_that_refuses_now_and_then_is_not_given_up(void **state)
{
    (void)state;
    assert_int_equal(longest_wait(FG_NEVER), 2 * FG_MINUTE);
    assert_int_equal(longest_wait(3 * FG_MINUTE), 3 * FG_MINUTE);
}

static void a_host_that_only_refuses_is_left_alone_longer_each_time(void **state)
{
    (void)state;
    struct fg_pace_rules rules = plain();
    struct fg_pace pace;
    fg_time now = start;
    fg_pace_init(&pace, &rules, NULL, now, 1);
    answered(&pace, now, 200, FG_NEVER);
    for (int i = 0; i < 6; i++) {
        answered(&pace, now, 429, 2 * FG_MINUTE);
        fg_time wait = fg_pace_ready(&pace, now) - now;
        assert_int_equal(wait, i < 2 ? 2 * FG_MINUTE : FG_MINUTE << i);
        now += wait;
    }
}

FG_TESTS(a_host_that_refuses_now_and_then_is_not_given_up,
         a_host_that_only_refuses_is_left_alone_longer_each_time,
         a_good_answer_of_what_announces_pages_forgives,
         what_the_host_asked_for_is_not_forgiven_so_soon,
         errors_among_good_answers_are_a_pause_only, a_new_host_may_be_asked_at_once,
         the_delay_is_kept_between_requests,
         with_one_request_at_a_time_the_delay_counts_from_its_end,
         several_requests_may_be_open_but_start_apart, crawl_delay_counts_if_it_is_longer,
         a_host_that_slows_is_asked_more_slowly,
         a_host_that_stays_slow_is_not_punished_for_ever,
         slowness_on_a_fast_network_is_no_slowness, without_a_delay_slowness_makes_one,
         slowness_never_shortens_a_long_crawl_delay,
         backoff_doubles_from_a_minute_to_a_day, jitter_is_a_tenth_either_way,
         three_failures_in_a_row_make_it_back_off, our_own_refusals_teach_nothing,
         backoff_is_forgiven_after_thirty_quiet_minutes,
         trouble_soon_after_goes_on_doubling, quiet_time_counts_when_trouble_comes_back,
         requests_that_were_open_do_not_double_it, retry_after_is_the_least_wait,
         retry_after_is_heeded_on_other_refusals_too,
         a_restart_counts_as_a_request_just_made, backoff_goes_on_after_a_restart,
         a_clock_set_back_does_not_stretch_it, retry_after_is_seconds_or_a_date)
