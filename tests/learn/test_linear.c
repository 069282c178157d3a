/* The classifier against its own mathematics, and against data whose truth is known. */
#include "test.h"

#include "base/rng.h"
#include "learn/linear.h"

/* --- synthetic texts: words are numbers --- */

enum { VOCABULARY = 400, TOPIC = 20, TEXT = 60 };

struct texts {
    struct fg_bag *bags;
    struct fg_linear_sample *samples;
    size_t n;
};

static void write_text(struct fg_bag *bag, struct fg_rng *rng, unsigned topic,
                       double share, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        bool on_topic = fg_rng_unit(rng) < share;
        uint64_t word = on_topic ? 1000 + topic * 100 + fg_rng_below(rng, TOPIC)
                                 : fg_rng_below(rng, VOCABULARY);
        fg_bag_add(bag, word * 0x9E3779B97F4A7C15u, 1);
    }
    fg_bag_close(bag, 1);
}

/* `positives` texts of topic 1, then `negatives` of topic 2; each label is false with the
 * chance `noise`. */
static struct texts texts_new(uint64_t seed, size_t positives, size_t negatives,
                              double share, double noise)
{
    struct texts t = {.n = positives + negatives};
    struct fg_rng rng = fg_rng_from_seed(seed);
    t.bags = calloc(t.n, sizeof *t.bags);
    t.samples = calloc(t.n, sizeof *t.samples);
    for (size_t i = 0; i < t.n; i++) {
        bool is_positive = i < positives;
        write_text(&t.bags[i], &rng, is_positive ? 1 : 2, share, TEXT);
        bool is_false = fg_rng_unit(&rng) < noise;
        t.samples[i] = (struct fg_linear_sample){t.bags[i].features, t.bags[i].n,
                                                 is_positive != is_false};
    }
    return t;
}

static void texts_free(struct texts *t)
{
    for (size_t i = 0; i < t->n; i++)
        fg_bag_clear(&t->bags[i]);
    free(t->bags);
    free(t->samples);
}

static struct fg_linear train(const struct texts *t, struct fg_linear_report *report)
{
    struct fg_linear linear;
    struct fg_linear_report ignored;
    struct fg_linear_rules rules = fg_linear_defaults();
    assert_true(
        fg_linear_train(&linear, t->samples, t->n, &rules, report ? report : &ignored));
    return linear;
}

static double share_right(const struct fg_linear *linear, const struct texts *t,
                          bool of_class)
{
    size_t right = 0, n = 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct fg_linear_sample *s = &t->samples[i];
        if (s->is_positive != of_class)
            continue;
        n++;
        right += (fg_linear_probability(linear, s->features, s->n) >= 0.5) == of_class;
    }
    return (double)right / (double)n;
}

/* --- bags --- */

static void bag_counts_words_and_scales_them(void **state)
{
    (void)state;
    struct fg_bag bag = {0};
    fg_bag_add(&bag, 7, 1);
    fg_bag_add(&bag, 8, 1);
    fg_bag_add(&bag, 7, 1);
    fg_bag_add(&bag, 7, 1);
    fg_bag_close(&bag, 2);
    assert_int_equal(bag.n, 2);
    double seven = 1 + log(3), length = sqrt(seven * seven + 1);
    double a = (double)bag.features[0].value, b = (double)bag.features[1].value;
    assert_near(fmax(a, b), 2 * seven / length, 1e-6);
    assert_near(fmin(a, b), 2 / length, 1e-6);
    fg_bag_clear(&bag);
}

static void bag_does_not_see_the_order_of_words(void **state)
{
    (void)state;
    struct fg_bag one = {0}, two = {0};
    for (uint64_t i = 0; i < 500; i++) {
        fg_bag_add(&one, i * i, 1);
        fg_bag_add(&two, (499 - i) * (499 - i), 1);
    }
    fg_bag_close(&one, 1);
    fg_bag_close(&two, 1);
    assert_int_equal(one.n, two.n);
    assert_memory_equal(one.features, two.features, one.n * sizeof *one.features);
    fg_bag_clear(&one);
    fg_bag_clear(&two);
}

static void bag_pairs_depend_on_their_order(void **state)
{
    (void)state;
    assert_true(fg_bag_pair(1, 2) != fg_bag_pair(2, 1));
    assert_true(fg_bag_pair(1, 1) != fg_bag_pair(2, 2));
}

static void bag_has_an_end(void **state)
{
    (void)state;
    struct fg_bag bag = {0};
    for (uint64_t i = 0; i < 2 * FG_BAG_MOST; i++)
        fg_bag_add(&bag, i * 0x9E3779B97F4A7C15u, 1);
    fg_bag_close(&bag, 1);
    assert_true(bag.n <= FG_BAG_PLACES);
    for (size_t i = 0; i < bag.n; i++)
        assert_true(bag.features[i].place < FG_BAG_PLACES &&
                    isfinite(bag.features[i].value));
    fg_bag_close(&bag, 1); /* nothing was added since */
    fg_bag_empty(&bag);
    fg_bag_close(&bag, 1);
    assert_int_equal(bag.n, 0);
    fg_bag_clear(&bag);
}

/* --- mathematics --- */

/* J as the header has it, written down once more; and its gradient, the bias last. */
static double loss_of(const struct fg_linear *linear, const struct texts *t,
                      double freedom, double *gradient)
{
    double loss = 0, of_class[2] = {0};
    for (size_t j = 0; j < FG_BAG_PLACES; j++) {
        double w = (double)linear->weights[j];
        loss += w * w / (2 * freedom);
        gradient[j] = w / freedom;
    }
    gradient[FG_BAG_PLACES] = 0;
    for (size_t i = 0; i < t->n; i++)
        of_class[t->samples[i].is_positive]++;
    for (size_t i = 0; i < t->n; i++) {
        const struct fg_linear_sample *s = &t->samples[i];
        double y = s->is_positive ? 1 : -1, margin = (double)linear->bias;
        double cost = (double)t->n / (2 * of_class[s->is_positive]);
        for (size_t k = 0; k < s->n; k++)
            margin += (double)linear->weights[s->features[k].place] *
                      (double)s->features[k].value;
        loss += cost * log1p(exp(-y * margin));
        double pull = -y * cost / (1 + exp(y * margin));
        for (size_t k = 0; k < s->n; k++)
            gradient[s->features[k].place] += pull * (double)s->features[k].value;
        gradient[FG_BAG_PLACES] += pull;
    }
    return loss;
}

static void training_ends_near_the_minimum(void **state)
{
    (void)state;
    struct texts t = texts_new(11, 20, 30, 0.2, 0.1);
    struct fg_linear linear = train(&t, NULL);
    double *gradient = calloc(FG_BAG_PLACES + 1, sizeof *gradient);
    double freedom = fg_linear_defaults().freedom;
    double loss = loss_of(&linear, &t, freedom, gradient);
    double square = 0;
    for (size_t j = 0; j <= FG_BAG_PLACES; j++)
        square += gradient[j] * gradient[j];
    /* J is strongly convex in w with modulus 1/C: this bounds how far above its minimum
     * we are (and the bias, which has no penalty, is part of the gradient). */
    print_message("# loss %g, at most %g above the minimum\n", loss,
                  square * freedom / 2);
    assert_true(square * freedom / 2 < 0.01 * loss);
    free(gradient);
    fg_linear_clear(&linear);
    texts_free(&t);
}

/* --- what it learns --- */

static void two_topics_are_told_apart(void **state)
{
    (void)state;
    struct texts seen = texts_new(1, 10, 10, 0.3, 0),
                 unseen = texts_new(2, 500, 500, 0.3, 0);
    struct fg_linear_report report;
    struct fg_linear linear = train(&seen, &report);
    assert_int_equal(report.held_out, 20);
    assert_true(report.true_positives + report.true_negatives >= 18);
    assert_true(share_right(&linear, &seen, true) == 1);
    assert_true(share_right(&linear, &seen, false) == 1);
    assert_true(share_right(&linear, &unseen, true) > 0.95);
    assert_true(share_right(&linear, &unseen, false) > 0.95);
    fg_linear_clear(&linear);
    texts_free(&seen);
    texts_free(&unseen);
}

static void two_labels_of_each_kind_are_a_start(void **state)
{
    (void)state;
    struct texts unseen = texts_new(99, 300, 300, 0.5, 0);
    double right = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct texts seen = texts_new(seed, 2, 2, 0.5, 0);
        struct fg_linear linear = train(&seen, NULL);
        right +=
            share_right(&linear, &unseen, true) + share_right(&linear, &unseen, false);
        fg_linear_clear(&linear);
        texts_free(&seen);
    }
    print_message("# right with 2 + 2 labels: %.3f\n", right / 20);
    assert_true(right / 20 > 0.9);
    texts_free(&unseen);
}

static void one_label_of_each_kind_is_no_error(void **state)
{
    (void)state;
    struct texts seen = texts_new(3, 1, 1, 0.5, 0);
    struct fg_linear_report report;
    struct fg_linear linear = train(&seen, &report);
    assert_int_equal(report.held_out, 0);
    assert_true(share_right(&linear, &seen, true) == 1);
    assert_true(share_right(&linear, &seen, false) == 1);
    fg_linear_clear(&linear);
    texts_free(&seen);
}

static void one_kind_alone_teaches_nothing(void **state)
{
    (void)state;
    struct texts only = texts_new(3, 5, 0, 0.5, 0);
    struct fg_linear linear;
    struct fg_linear_report report;
    struct fg_linear_rules rules = fg_linear_defaults();
    assert_false(fg_linear_train(&linear, only.samples, only.n, &rules, &report));
    assert_null(linear.weights);
    assert_int_equal(report.positives, 5);
    assert_false(fg_linear_train(&linear, NULL, 0, &rules, &report));
    texts_free(&only);
}

static void rare_kind_counts_as_much_as_the_common_one(void **state)
{
    (void)state;
    struct texts seen = texts_new(4, 5, 200, 0.3, 0),
                 unseen = texts_new(5, 300, 300, 0.3, 0);
    struct fg_linear linear = train(&seen, NULL);
    assert_true(share_right(&linear, &unseen, true) > 0.85);
    assert_true(share_right(&linear, &unseen, false) > 0.85);
    fg_linear_clear(&linear);
    texts_free(&seen);
    texts_free(&unseen);
}

/* With every tenth label false, no text is positive with more than nine chances in ten.
 * In each fifth of the scale the mean probability is compared with the share that is
 * positive. The truth is a step with a floor and not a logistic curve, so some distance
 * is in the nature of the thing. */
static void probabilities_mean_what_they_say(void **state)
{
    (void)state;
    struct texts seen = texts_new(21, 150, 150, 0.15, 0.1),
                 unseen = texts_new(22, 3000, 3000, 0.15, 0.1);
    struct fg_linear linear = train(&seen, NULL);
    double said[5] = {0}, were[5] = {0}, n[5] = {0}, brier = 0, distance = 0;
    for (size_t i = 0; i < unseen.n; i++) {
        const struct fg_linear_sample *s = &unseen.samples[i];
        double p = fg_linear_probability(&linear, s->features, s->n);
        int fifth = p >= 1 ? 4 : (int)(p * 5);
        said[fifth] += p;
        were[fifth] += s->is_positive;
        n[fifth]++;
        brier += (p - s->is_positive) * (p - s->is_positive) / (double)unseen.n;
    }
    for (int i = 0; i < 5; i++)
        distance += fabs(said[i] - were[i]) / (double)unseen.n;
    print_message("# %.3f from the truth, squared error %.3f\n", distance, brier);
    assert_true(distance < 0.08);
    assert_true(brier <
                0.15); /* knowing the topic would give 0.09, knowing nothing 0.25 */
    fg_linear_clear(&linear);
    texts_free(&seen);
    texts_free(&unseen);
}

static void labels_at_random_make_nobody_sure(void **state)
{
    (void)state;
    struct texts seen = texts_new(31, 40, 40, 0.3, 0.5),
                 unseen = texts_new(32, 200, 200, 0.3, 0);
    struct fg_linear_report report;
    struct fg_linear linear = train(&seen, &report);
    size_t right = report.true_positives + report.true_negatives;
    assert_true(right > report.held_out / 4 && right < report.held_out * 3 / 4);
    double sure = 0;
    for (size_t i = 0; i < unseen.n; i++)
        sure += fabs(fg_linear_probability(&linear, unseen.samples[i].features,
                                           unseen.samples[i].n) -
                     0.5) /
                (double)unseen.n;
    print_message("# on average %.3f away from even\n", sure);
    assert_true(sure < 0.25);
    fg_linear_clear(&linear);
    texts_free(&seen);
    texts_free(&unseen);
}

/* --- hostile texts --- */

static void texts_without_words_are_no_error(void **state)
{
    (void)state;
    struct fg_feature word = {9, 1};
    struct fg_linear_sample samples[] = {
        {NULL, 0, true}, {NULL, 0, false}, {&word, 1, true}, {NULL, 0, false}};
    struct fg_linear linear;
    struct fg_linear_report report;
    struct fg_linear_rules rules = fg_linear_defaults();
    assert_true(fg_linear_train(&linear, samples, 4, &rules, &report));
    assert_true(isfinite(fg_linear_probability(&linear, NULL, 0)));
    assert_true(fg_linear_probability(&linear, &word, 1) >
                fg_linear_probability(&linear, NULL, 0));
    fg_linear_clear(&linear);
}

static void same_text_labelled_both_ways_is_undecided(void **state)
{
    (void)state;
    struct fg_feature words[] = {{9, 0.6f}, {10, 0.8f}};
    struct fg_linear_sample samples[] = {
        {words, 2, true}, {words, 2, false}, {words, 2, true}, {words, 2, false}};
    struct fg_linear linear;
    struct fg_linear_report report;
    struct fg_linear_rules rules = fg_linear_defaults();
    assert_true(fg_linear_train(&linear, samples, 4, &rules, &report));
    assert_near(fg_linear_probability(&linear, words, 2), 0.5, 0.1);
    fg_linear_clear(&linear);
}

/* --- keeping it --- */

static void same_samples_give_the_same_bytes(void **state)
{
    (void)state;
    struct texts t = texts_new(41, 12, 17, 0.3, 0.1);
    struct fg_buf one, two;
    fg_buf_init(&one, 1 << 24);
    fg_buf_init(&two, 1 << 24);
    struct fg_linear a = train(&t, NULL), b = train(&t, NULL);
    fg_linear_save(&a, 1, &one);
    fg_linear_save(&b, 1, &two);
    assert_true(fg_str_eq(fg_buf_str(&one), fg_buf_str(&two)));
    fg_linear_clear(&a);
    fg_linear_clear(&b);
    fg_buf_clear(&one);
    fg_buf_clear(&two);
    texts_free(&t);
}

static void saved_classifier_judges_alike(void **state)
{
    (void)state;
    struct texts t = texts_new(42, 12, 17, 0.3, 0.1);
    struct fg_linear linear = train(&t, NULL), again;
    struct fg_buf bytes;
    struct fg_err err;
    fg_buf_init(&bytes, 1 << 24);
    fg_linear_save(&linear, 77, &bytes);
    assert_int_equal(fg_linear_load(&again, 77, fg_buf_str(&bytes), &err), FG_OK);
    assert_memory_equal(again.weights, linear.weights, FG_BAG_PLACES * sizeof(float));
    for (size_t i = 0; i < t.n; i++)
        assert_true(
            fg_linear_probability(&linear, t.samples[i].features, t.samples[i].n) ==
            fg_linear_probability(&again, t.samples[i].features, t.samples[i].n));
    assert_int_equal(again.positives, linear.positives);
    fg_linear_clear(&again);
    assert_int_equal(fg_linear_load(&again, 78, fg_buf_str(&bytes), &err), FG_EINPUT);
    assert_non_null(strstr(err.text, "another version"));
    fg_linear_clear(&linear);
    fg_buf_clear(&bytes);
    texts_free(&t);
}

static void damaged_bytes_are_refused(void **state)
{
    (void)state;
    struct texts t = texts_new(43, 2, 2, 0.3, 0);
    struct fg_linear linear = train(&t, NULL), again;
    struct fg_buf bytes;
    fg_buf_init(&bytes, 1 << 24);
    fg_linear_save(&linear, 1, &bytes);
    for (size_t i = 0; i < bytes.len; i++) {
        bytes.at[i] ^= 0x10;
        assert_int_equal(fg_linear_load(&again, 1, fg_buf_str(&bytes), NULL), FG_EINPUT);
        assert_null(again.weights);
        bytes.at[i] ^= 0x10;
    }
    for (size_t n = 0; n < bytes.len; n++)
        assert_int_equal(fg_linear_load(&again, 1, (struct fg_str){bytes.at, n}, NULL),
                         FG_EINPUT);
    fg_linear_clear(&linear);
    fg_buf_clear(&bytes);
    texts_free(&t);
}

FG_TESTS(bag_counts_words_and_scales_them, bag_does_not_see_the_order_of_words,
         bag_pairs_depend_on_their_order, bag_has_an_end, training_ends_near_the_minimum,
         two_topics_are_told_apart, two_labels_of_each_kind_are_a_start,
         one_label_of_each_kind_is_no_error, one_kind_alone_teaches_nothing,
         rare_kind_counts_as_much_as_the_common_one, probabilities_mean_what_they_say,
         labels_at_random_make_nobody_sure, texts_without_words_are_no_error,
         same_text_labelled_both_ways_is_undecided, same_samples_give_the_same_bytes,
         saved_classifier_judges_alike, damaged_bytes_are_refused)
