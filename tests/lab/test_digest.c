#include "base/memory.h"
#include "lab/refresh/digest.h"
#include "lab/refresh/restless.h"
#include "test.h"

static const struct fg_policy *policy_named(const char *name)
{
    const struct fg_policy *policy = fg_policy_find(fg_str_from(name), FG_REFRESH);
    assert_non_null(policy);
    return policy;
}

/* An outcome of so many days; on day d a share (d + 1) / (n + 1) is stale, and one page
 * of four more is fresh every day. */
static struct fg_refresh_outcome outcome_of(size_t days)
{
    struct fg_refresh_outcome o = {.steps = days, .n_days = days};
    o.days = fg_zeroed(days, sizeof *o.days);
    o.reward = fg_zeroed(days, sizeof *o.reward);
    for (size_t d = 0; d < days; d++) {
        o.days[d] =
            (struct fg_refresh_day){.weight = 2,
                                    .stale = 2 * (double)(d + 1) / (double)(days + 1),
                                    .there = 4,
                                    .fresh = d % 4};
        o.reward[d] = (float)d;
    }
    return o;
}

static void digests_have_days_and_their_median(void **state)
{
    (void)state;
    struct fg_timeline timeline = {0};
    struct fg_refresh_outcome o = outcome_of(31);
    struct fg_digest digest;
    fg_digest_make(&digest, &o, &timeline);
    assert_int_equal(digest.n[FG_DIGEST_CLICK], 31);
    assert_near((double)digest.part[FG_DIGEST_CLICK][0], 1 - 1.0 / 32, 1e-6);
    assert_near(digest.at[FG_CLICK_FRESHNESS], 0.5, 1e-6);
    assert_near(digest.at[FG_PAGE_FRESHNESS], 0.25, 1e-6);
    assert_true(isnan(digest.at[FG_REWARD]));
    assert_int_equal(digest.n[FG_DIGEST_RUNNING], 0);
    fg_digest_clear(&digest);
    fg_refresh_outcome_clear(&o);
}

/* 2,500 days become 833 values of three days or four. */
static void digests_of_many_days_merge_them(void **state)
{
    (void)state;
    struct fg_timeline timeline = {0};
    struct fg_refresh_outcome o = outcome_of(2500);
    struct fg_digest digest;
    fg_digest_make(&digest, &o, &timeline);
    assert_int_equal(digest.n[FG_DIGEST_CLICK], 833);
    assert_near((double)digest.part[FG_DIGEST_CLICK][0], 1 - 2.0 / 2501, 1e-6);
    assert_near(digest.at[FG_CLICK_FRESHNESS], 0.5, 1e-3);
    fg_digest_clear(&digest);
    fg_refresh_outcome_clear(&o);
}

/* Rewards 0, 1, 2, ... 999: up to step e the mean is (e - 1) / 2, of the last 200 it is
 * e - 100.5. */
static void digests_average_rewards(void **state)
{
    (void)state;
    struct fg_timeline timeline = {.is_told_reward = true};
    struct fg_refresh_outcome o = outcome_of(1000);
    struct fg_digest digest;
    fg_digest_make(&digest, &o, &timeline);
    assert_int_equal(digest.n[FG_DIGEST_RUNNING], FG_DIGEST_POINTS);
    for (size_t i = 0; i < FG_DIGEST_POINTS; i++) {
        size_t end = 4 * (i + 1);
        assert_int_equal(fg_digest_step(1000, FG_DIGEST_POINTS, i), end);
        assert_near((double)digest.part[FG_DIGEST_RUNNING][i], ((double)end - 1) / 2,
                    1e-3);
        assert_near((double)digest.part[FG_DIGEST_MOVING][i],
                    end > 200 ? (double)end - 100.5 : ((double)end - 1) / 2, 1e-3);
    }
    assert_near(digest.at[FG_REWARD], 499.5, 1e-9);
    assert_near(digest.at[FG_REWARD_END], 899.5, 1e-9);
    assert_int_equal(digest.n[FG_DIGEST_RESAMPLED], 0);
    fg_digest_clear(&digest);
    fg_refresh_outcome_clear(&o);
}

enum { PAGES = 400 };

/* Page i is stale for i of 400 days and weighs 1, or 3 if i is odd. */
static void fill_pages(struct fg_refresh_outcome *o, struct fg_timeline *timeline)
{
    *o = outcome_of(31);
    o->pages = timeline->n = PAGES;
    o->there = fg_zeroed(PAGES, sizeof *o->there);
    o->stale = fg_zeroed(PAGES, sizeof *o->stale);
    o->age = fg_zeroed(PAGES, sizeof *o->age);
    timeline->weight = fg_zeroed(PAGES, sizeof *timeline->weight);
    for (size_t i = 0; i < PAGES; i++) {
        o->there[i] = PAGES * FG_DAY;
        o->stale[i] = (fg_time)i * FG_DAY;
        timeline->weight[i] = i % 2 ? 3 : 1;
    }
}

/* The spread over draws of pages, against that of a ratio of means: with r the share,
 * s_i and w_i what is stale and there of page i, sqrt(sum (s_i - r w_i)^2) / sum w_i. */
static void digests_draw_the_pages_again(void **state)
{
    (void)state;
    struct fg_timeline timeline = {0};
    struct fg_refresh_outcome o;
    struct fg_digest digest;
    fill_pages(&o, &timeline);
    double stale = 0, there = 0, squares = 0, sum = 0, spread = 0;
    for (size_t i = 0; i < PAGES; i++) {
        stale += (double)timeline.weight[i] * (double)i / PAGES;
        there += (double)timeline.weight[i];
    }
    for (size_t i = 0; i < PAGES; i++)
        squares +=
            pow((double)timeline.weight[i] * ((double)i / PAGES - stale / there), 2);
    fg_digest_make(&digest, &o, &timeline);
    assert_near(digest.at[FG_STALE], stale / there, 1e-9);
    assert_int_equal(digest.n[FG_DIGEST_RESAMPLED], FG_DIGEST_RESAMPLES);
    const float *drawn = digest.part[FG_DIGEST_RESAMPLED];
    for (size_t r = 0; r < FG_DIGEST_RESAMPLES; r++)
        sum += (double)drawn[r] / FG_DIGEST_RESAMPLES;
    for (size_t r = 0; r < FG_DIGEST_RESAMPLES; r++)
        spread += pow((double)drawn[r] - sum, 2) / FG_DIGEST_RESAMPLES;
    assert_near(sum, stale / there, 4 * sqrt(squares / 1000) / there);
    assert_near(sqrt(spread) / (sqrt(squares) / there), 1, 0.1);
    fg_digest_clear(&digest);
    fg_refresh_outcome_clear(&o);
    free(timeline.weight);
}

static void assert_same(const struct fg_digest *a, const struct fg_digest *b)
{
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->n_arms, b->n_arms);
    for (size_t i = 0; i < a->n_arms; i++)
        assert_string_equal(a->arm_names[i], b->arm_names[i]);
    for (size_t m = 0; m < FG_REFRESH_METRICS; m++)
        assert_true(a->at[m] == b->at[m] || (isnan(a->at[m]) && isnan(b->at[m])));
    for (size_t i = 0; i < FG_DIGEST_PARTS; i++) {
        assert_int_equal(a->n[i], b->n[i]);
        assert_memory_equal(a->part[i], b->part[i], a->n[i] * sizeof(float));
    }
}

static void digests_are_read_as_they_were_written(void **state)
{
    (void)state;
    struct fg_timeline *timeline = fg_restless_make(
        &(struct fg_restless_options){.setting = 2, .slots = 400, .seed = 5});
    struct fg_refresh_rules rules = {.budget = 1, .seed = 1};
    struct fg_refresh_outcome outcome;
    fg_refresh_replay(&outcome, timeline, policy_named("kab5"), &rules, NULL);
    struct fg_digest digest, read;
    struct fg_buf text;
    fg_digest_make(&digest, &outcome, timeline);
    assert_int_equal(digest.n_arms, 5);
    fg_buf_init(&text, 1 << 20);
    fg_digest_write(&digest, &text);
    fg_buf_add_char(&text, '\0');
    struct fg_str body = fg_str_skip(fg_str_sub(fg_buf_str(&text), 0, text.len - 1), 1);
    assert_true(fg_digest_read(&read, body));
    assert_same(&digest, &read);
    fg_digest_clear(&read);
    assert_false(fg_digest_read(&read, fg_str_sub(body, 0, body.len / 2)));
    fg_digest_clear(&read);
    fg_buf_clear(&text);
    fg_digest_clear(&digest);
    fg_refresh_outcome_clear(&outcome);
    fg_timeline_free(timeline);
}

FG_TESTS(digests_have_days_and_their_median, digests_of_many_days_merge_them,
         digests_average_rewards, digests_draw_the_pages_again,
         digests_are_read_as_they_were_written)
