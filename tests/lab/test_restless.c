#include "lab/refresh/restless.h"
#include "test.h"

/* The share of slots in which a page of each group changed. */
static void shares(const struct fg_timeline *t, double out[FG_RESTLESS_GROUPS])
{
    double pages[FG_RESTLESS_GROUPS] = {0};
    int64_t *last = calloc(t->n, sizeof *last);
    memset(out, 0, FG_RESTLESS_GROUPS * sizeof *out);
    for (size_t i = 0; i < t->n; i++) {
        pages[t->group[i]]++;
        last[i] = -1;
    }
    for (size_t i = 0; i < t->n_changes; i++) {
        const struct fg_change *change = &t->changes[i];
        out[t->group[change->page]] += change->at / FG_DAY != last[change->page];
        last[change->page] = change->at / FG_DAY;
    }
    for (size_t g = 0; g < FG_RESTLESS_GROUPS; g++)
        out[g] /= pages[g] * (double)(t->to / FG_DAY);
    free(last);
}

static void restless_pages_are_as_published(void **state)
{
    (void)state;
    static const size_t pages[2] = {4, 100};
    for (unsigned s = 1; s <= 2; s++) {
        struct fg_timeline *t =
            fg_restless_make(&(struct fg_restless_options){.setting = s, .seed = 3});
        assert_int_equal(t->n, pages[s - 1]);
        assert_int_equal(t->to, 5000 * FG_DAY);
        assert_int_equal(t->step, FG_DAY);
        assert_near((double)t->weight[0], 5, 0);
        assert_near((double)t->weight[t->n - 1], 0.5, 0);
        assert_near(t->rate[0], s == 1 ? 0.6 : 0.1, 0);
        assert_int_equal(t->group[t->n - 1], 3);
        assert_true(t->is_seen_first && t->is_told_reward);
        fg_timeline_free(t);
    }
}

/* With a tolerance of four standard deviations. */
static void restless_pages_change_at_their_rates(void **state)
{
    (void)state;
    static const double rates[2][4] = {{.6, .08, .01, .3}, {.1, .002, .005, .05}};
    static const double pages[2][4] = {{1, 1, 1, 1}, {5, 80, 10, 5}};
    for (unsigned s = 0; s < 2; s++)
        for (int is_probability = 0; is_probability < 2; is_probability++) {
            struct fg_restless_options options = {
                .setting = s + 1, .is_probability = is_probability, .seed = 7};
            struct fg_timeline *t = fg_restless_make(&options);
            double share[4];
            shares(t, share);
            for (size_t g = 0; g < 4; g++) {
                double p = is_probability ? rates[s][g] : 1 - exp(-rates[s][g]);
                assert_near(share[g], p, 4 * sqrt(p * (1 - p) / (5000 * pages[s][g])));
            }
            assert_near(t->rate[0], is_probability ? -log(1 - rates[s][0]) : rates[s][0],
                        1e-12);
            fg_timeline_free(t);
        }
}

FG_TESTS(restless_pages_are_as_published, restless_pages_change_at_their_rates)
