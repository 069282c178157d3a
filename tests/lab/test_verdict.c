/* Verdicts: who is best, and whether that may be chance. */
#include "lab/report/verdict.h"
#include "test.h"

#define NB "\u00A0" /* does not break */

static const struct fg_metric_info metrics[] = {
    {"coverage", "coverage", "%", 100, 1, false, NULL, NULL},
    {"htd_p90", "hours to discovery", "h", 1, 1, true, NULL, NULL},
};

static struct fg_figure coverage[] = {{0.99, 0.98, 1.0},  /* oracle */
                                      {0.60, 0.58, 0.62}, /* round-robin */
                                      {0.70, 0.69, 0.71}, /* new */
                                      {0.695, 0.68, 0.705} /* old */};
static struct fg_row rows[] = {
    {"news", "5", "oracle", 9, &coverage[0], NULL},
    {"news", "5", "round-robin", 9, &coverage[1], NULL},
    {"news", "5", "new", 9, &coverage[2], NULL},
    {"news", "5", "old", 9, &coverage[3], NULL},
};

static struct fg_result without_pairings(void)
{
    return (struct fg_result){.metrics = metrics,
                              .n_metrics = 1,
                              .rows = rows,
                              .n_rows = sizeof rows / sizeof *rows};
}

static void assert_said(const struct fg_result *result, const char *budget,
                        const char *expected)
{
    struct fg_verdict verdict = fg_verdict_of(result, "news", budget);
    struct fg_buf out;
    fg_buf_init(&out, 1 << 12);
    fg_verdict_say(result, &verdict, &out);
    assert_str(fg_buf_str(&out), expected);
    fg_buf_clear(&out);
}

static void oracles_do_not_compete(void **state)
{
    (void)state;
    struct fg_result result = without_pairings();
    struct fg_verdict verdict = fg_verdict_of(&result, "news", "5");
    assert_ptr_equal(verdict.best, &rows[2]);
    assert_ptr_equal(verdict.next, &rows[3]);
    assert_ptr_equal(verdict.reference, &rows[1]);
}

static void overlapping_intervals_are_called_so(void **state)
{
    (void)state;
    struct fg_result result = without_pairings();
    assert_said(&result, "5",
                "new is best: coverage 70.0" NB "% [69.0," NB "71.0].\n"
                "Against round-robin (60.0" NB "% [58.0," NB "62.0]): +10.0" NB
                "points; the intervals do not overlap.\n"
                "Against old (69.5" NB "% [68.0," NB "70.5]): +0.5" NB
                "points; the intervals overlap, so it may be chance.");
}

static void pairs_decide_where_there_are_any(void **state)
{
    (void)state;
    struct fg_pairing pairings[] = {
        {"news",
         "5",
         "old",
         "round-robin",
         0,
         true,
         {1.15, 1.1, 1.2},
         NAN,
         9,
         8,
         false,
         NAN,
         NULL},
        {"news",
         "5",
         "new",
         "round-robin",
         0,
         true,
         {1.17, 0.99, 1.4},
         NAN,
         9,
         7,
         false,
         NAN,
         NULL},
        {"news",
         "5",
         "new",
         "old",
         0,
         false,
         {0.005, 0.001, 0.009},
         NAN,
         9,
         6,
         true,
         0.031,
         NULL},
    };
    struct fg_result result = without_pairings();
    result.pairings = pairings;
    result.n_pairings = 3;
    struct fg_verdict verdict = fg_verdict_of(&result, "news", "5");
    assert_ptr_equal(verdict.to_reference, &pairings[1]);
    assert_false(fg_verdict_is_clear(&verdict));
    assert_said(&result, "5",
                "new is best: coverage 70.0" NB "% [69.0," NB "71.0].\n"
                "Against round-robin (60.0" NB "% [58.0," NB
                "62.0]): ratio 1.170 [0.990," NB
                "1.400] over the same sites, better on 7 of 9; the interval does not "
                "exclude that there is no difference.\n"
                "Against old (69.5" NB "% [68.0," NB "70.5]): +0.5" NB "points [+0.1," NB
                "+0.9] over the same sites, better on 6 of 9, p = 0.031.");
    pairings[1].figure.lo = 1.01;
    assert_true(fg_verdict_is_clear(&verdict));
}

static void a_reference_may_win(void **state)
{
    (void)state;
    struct fg_pairing pairing = {"news", "5", "old", "new", 0,   true, {0.99, 0.97, 1},
                                 NAN,    9,   2,     false, NAN, NULL};
    struct fg_result result = without_pairings();
    result.pairings = &pairing;
    result.n_pairings = 1;
    assert_said(&result, "5",
                "Nobody beats the reference, new: coverage 70.0" NB "% [69.0," NB
                "71.0].\nAgainst old (69.5" NB "% [68.0," NB "70.5]): +0.5" NB
                "points; the intervals overlap, so it may be chance.");
    struct fg_verdict verdict = fg_verdict_of(&result, "news", "5");
    assert_false(fg_verdict_is_clear(&verdict));
}

static void less_may_be_better(void **state)
{
    (void)state;
    struct fg_figure slow[] = {{0.6, 0.6, 0.6}, {8, 8, 8}};
    struct fg_figure fast[] = {{0.5, 0.5, 0.5}, {6.5, 6.5, 6.5}};
    struct fg_row two[] = {{"news", "5", "slow", 1, slow, NULL},
                           {"news", "5", "fast", 1, fast, NULL}};
    struct fg_pairing pairing = {"news", "5", "slow", "slow", 1,   true, {1, 1, 1},
                                 NAN,    1,   0,      false,  NAN, NULL};
    struct fg_result result = {.metrics = metrics,
                               .n_metrics = 2,
                               .rows = two,
                               .n_rows = 2,
                               .pairings = &pairing,
                               .n_pairings = 1};
    assert_said(&result, "5",
                "fast is best: hours to discovery 6.5" NB "h.\nAgainst slow (8.0" NB
                "h): −1.5" NB
                "h; there is no interval to say if that is more than chance.");
}

static void nothing_to_say_is_said(void **state)
{
    (void)state;
    struct fg_result result = without_pairings();
    assert_said(&result, "10", "No policy has a figure for coverage.");
}

FG_TESTS(oracles_do_not_compete, overlapping_intervals_are_called_so,
         pairs_decide_where_there_are_any, a_reference_may_win, less_may_be_better,
         nothing_to_say_is_said)
