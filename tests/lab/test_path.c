/* Paths: thinned without losing a peak, and written without losing a tenth. */
#include "base/rng.h"
#include "lab/report/path.h"
#include "test.h"

typedef void write_path(struct fg_buf *, const struct fg_point *, size_t);

static void assert_path(write_path *write, const struct fg_point *points, size_t n,
                        const char *expected)
{
    struct fg_buf out;
    fg_buf_init(&out, 1 << 12);
    write(&out, points, n);
    assert_str(fg_buf_str(&out), expected);
    fg_buf_clear(&out);
}

static void points_are_written_as_distances(void **state)
{
    (void)state;
    const struct fg_point points[] = {{0, 0}, {1, 0.5}, {3, 0.5}, {3, 0}, {2.96, -1}};
    assert_path(fg_path_lines, points, 1, "M0 0");
    assert_path(fg_path_lines, points, 5, "M0 0l1 .5h2v-.5v-1");
    assert_path(fg_path_lines, points, 0, "");
    /* Thirds round to 0.3, 0.7, 1.0: the errors do not add up. */
    const struct fg_point thirds[] = {{0, 0}, {1 / 3.0, 1}, {2 / 3.0, 0}, {1, 1}};
    assert_path(fg_path_lines, thirds, 4, "M0 0l.3 1l.4-1l.3 1");
}

static void steps_go_along_then_up(void **state)
{
    (void)state;
    const struct fg_point points[] = {{0, 0}, {1, 1}, {2, 1}, {3, 2}};
    assert_path(fg_path_steps, points, 4, "M0 0h1v1h2v1");
}

static void a_band_is_closed(void **state)
{
    (void)state;
    const struct fg_point upper[] = {{0, 1}, {1, 1}}, lower[] = {{0, 0}, {1, 0}};
    struct fg_buf out;
    fg_buf_init(&out, 1 << 12);
    fg_path_band(&out, upper, 2, lower, 2);
    assert_str(fg_buf_str(&out), "M0 1h1v-1h-1z");
    fg_buf_clear(&out);
}

static void thinning_keeps_the_extremes_of_a_column(void **state)
{
    (void)state;
    struct fg_point points[] = {{0, 5},  {1, 1},  {2, 9},  {3, 4},   /* column 0 */
                                {10, 7}, {11, 7}, {12, 7},           /* column 1, flat */
                                {20, 3}, {21, 8}, {22, 2}, {23, 4}}; /* column 2 */
    size_t n = fg_path_thin(points, 11, 10);
    const double expected[] = {5, 1, 9, 7, 8, 2, 4};
    assert_int_equal(n, 7);
    for (size_t i = 0; i < n; i++)
        assert_near(points[i].y, expected[i], 0);
}

static void thinning_bounds_the_number_of_points(void **state)
{
    (void)state;
    enum { N = 10000 };
    struct fg_point *points = calloc(N, sizeof *points);
    struct fg_rng rng = fg_rng_from_seed(5);
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < N; i++) {
        points[i] = (struct fg_point){600.0 * (double)i / N, 100 * fg_rng_unit(&rng)};
        low = fmin(low, points[i].y);
        high = fmax(high, points[i].y);
    }
    struct fg_point last = points[N - 1];
    size_t n = fg_path_thin(points, N, 2.4);
    assert_true(n <= 2 * 250 + 2);
    double kept_low = INFINITY, kept_high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        kept_low = fmin(kept_low, points[i].y);
        kept_high = fmax(kept_high, points[i].y);
    }
    assert_near(kept_low, low, 0);
    assert_near(kept_high, high, 0);
    assert_near(points[n - 1].x, last.x, 0);
    free(points);
}

static void a_straight_line_needs_two_points(void **state)
{
    (void)state;
    struct fg_point points[100];
    for (int i = 0; i < 100; i++)
        points[i] = (struct fg_point){i, 2.0 * i};
    assert_int_equal(fg_path_straighten(points, 100, 0.1), 2);
    assert_near(points[1].y, 198, 0);
}

/* Whatever was dropped lies within the tolerance of the line that is left. */
static void straightening_moves_nothing_far(void **state)
{
    (void)state;
    enum { N = 500 };
    struct fg_point all[N], left[N];
    struct fg_rng rng = fg_rng_from_seed(7);
    double y = 0;
    for (size_t i = 0; i < N; i++) {
        y += fg_rng_unit(&rng) - 0.5;
        all[i] = left[i] = (struct fg_point){(double)i * 1.2, y};
    }
    size_t n = fg_path_straighten(left, N, 0.5), at = 0;
    assert_true(n < N / 2);
    for (size_t i = 0; i < N; i++) {
        while (at + 2 < n && left[at + 1].x < all[i].x)
            at++;
        double share = (all[i].x - left[at].x) / (left[at + 1].x - left[at].x);
        assert_near(left[at].y + share * (left[at + 1].y - left[at].y), all[i].y,
                    0.5 + 1e-9);
    }
}

FG_TESTS(points_are_written_as_distances, steps_go_along_then_up, a_band_is_closed,
         thinning_keeps_the_extremes_of_a_column, thinning_bounds_the_number_of_points,
         a_straight_line_needs_two_points, straightening_moves_nothing_far)
