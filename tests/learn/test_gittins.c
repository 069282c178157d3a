/* The approximation against exact indices by dynamic programming. */
#include "learn/gittins.h"
#include "test.h"

enum { HORIZON = 200 };

/* Whether playing on is worth more than `sure` a step for ever, from beta(a, b). After
 * HORIZON steps the mean is taken for known. */
static bool is_worth(double a, double b, double discount, double sure)
{
    static double value[HORIZON + 2];
    double lasting = 1 / (1 - discount);
    for (int n = HORIZON; n >= 0; n--)
        for (int won = 0; won <= n; won++) {
            double mean = (a + won) / (a + b + n);
            double on = n == HORIZON ? mean * lasting
                                     : mean * (1 + discount * value[won + 1]) +
                                           (1 - mean) * discount * value[won];
            if (n == 0)
                return on > sure * lasting;
            value[won] = fmax(on, sure * lasting);
        }
    return false;
}

static double exact(double a, double b, double discount)
{
    double low = 0, high = 1;
    for (int i = 0; i < 30; i++) {
        double middle = (low + high) / 2;
        if (is_worth(a, b, discount, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Gittins' own tables have 0.7029 for one success and one failure at a discount of 0.9.
 */
static void dynamic_programming_gives_the_published_table(void **state)
{
    (void)state;
    assert_near(exact(1, 1, 0.9), 0.7029, 0.0005);
}

static void the_approximation_is_near_the_exact_index(void **state)
{
    (void)state;
    static const double counts[][2] = {{5, 5}, {10, 10}, {2, 18}, {20, 5}, {1, 1}};
    static const double within[] = {0.035, 0.015, 0.015, 0.01, 0.11};
    for (size_t i = 0; i < 5; i++)
        for (int far = 0; far < 2; far++) {
            double discount = far ? 0.95 : 0.9;
            double a = counts[i][0], b = counts[i][1];
            assert_near(fg_gittins(a, b, discount), exact(a, b, discount), within[i]);
        }
}

static void the_index_falls_to_the_mean(void **state)
{
    (void)state;
    assert_near(fg_gittins(3e6, 7e6, 0.99), 0.3, 1e-3);
    assert_true(fg_gittins(1, 1, 0.99) > fg_gittins(1, 1, 0.9));
    assert_true(fg_gittins(10, 10, 0.9) > fg_gittins(100, 100, 0.9));
}

FG_TESTS(dynamic_programming_gives_the_published_table,
         the_approximation_is_near_the_exact_index, the_index_falls_to_the_mean)
