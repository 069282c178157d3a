/* The penalty |w|^2 / (2 C) is dense and the samples are sparse. A step on one sample
 * touches only its own places, so each pays its share of the penalty there: w_j / (C d_j)
 * if d_j samples have place j. Over an epoch that adds up to the whole gradient.
 *
 * Adagrad divides each step by the root of the squares of the steps so far; we start that
 * sum at `start_squares`, because from zero the first step would have full length along
 * every place at once, and a page has a thousand of them. */
#include "learn/linear.h"

#include "base/memory.h"
#include "base/rng.h"

#include <endian.h>
#include <math.h>
#include <stdlib.h>

static const double rate = 0.8, start_squares = 0.25;
static const double cooling = 0.1; /* the rate is that over 1 + cooling x epoch */
static const double steepest = 5;  /* slope of the curve: no margin is worth more */
static const double settled =
    1e-4; /* an epoch that moves no weight further is the last */
enum {
    FOLDS_MOST = 5,
    LEAVE_ONE_OUT_MOST = 10, /* samples; beyond that, FOLDS_MOST folds */
    WORK_MOST = 20000000,    /* features looked at in one training, about */
    EPOCHS_LEAST = 10,
    NOT_HELD_OUT = -1,
};

struct fg_linear_rules fg_linear_defaults(void)
{
    return (struct fg_linear_rules){.freedom = 10, .epochs = 80, .seed = 1};
}

static void *zeroed(size_t n, size_t bytes)
{
    void *at = fg_zeroed(n, bytes);
    return at;
}

static double sigmoid(double x)
{
    return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
}

/* log(1 + exp(x)) that neither overflows nor loses its digits */
static double softplus(double x)
{
    return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

static double margin_of(const struct fg_linear *linear, const struct fg_feature *features,
                        size_t n)
{
    double sum = (double)linear->bias;
    for (size_t i = 0; i < n; i++)
        sum += (double)linear->weights[features[i].place] * (double)features[i].value;
    return sum;
}

double fg_linear_probability(const struct fg_linear *linear,
                             const struct fg_feature *features, size_t n)
{
    double margin = margin_of(linear, features, n);
    return sigmoid((double)linear->slope * margin + (double)linear->shift);
}

void fg_linear_clear(struct fg_linear *linear)
{
    free(linear->weights);
    *linear = (struct fg_linear){0};
}

/* --- what is made small --- */

struct costs {
    double positive, negative; /* c_i of either class */
};

static struct costs costs_of(size_t positives, size_t negatives)
{
    double n = (double)(positives + negatives);
    return (struct costs){positives ? n / (2 * (double)positives) : 0,
                          negatives ? n / (2 * (double)negatives) : 0};
}

static size_t count_positives(const struct fg_linear_sample *samples, size_t n)
{
    size_t positives = 0;
    for (size_t i = 0; i < n; i++)
        positives += samples[i].is_positive;
    return positives;
}

/* --- Adagrad --- */

struct trainer {
    const struct fg_linear_sample *samples;
    size_t n;
    const struct fg_linear_rules *rules;
    int *fold; /* of each sample */
    size_t *order;
    float *squares;   /* by place */
    uint32_t *owners; /* by place: samples that have it */
    double bias, bias_squares, rate;
    struct costs costs;
    int n_folds;
};

static double step_on(struct trainer *t, struct fg_linear *linear,
                      const struct fg_linear_sample *s)
{
    double cost = s->is_positive ? t->costs.positive : t->costs.negative;
    linear->bias = (float)t->bias;
    double margin = margin_of(linear, s->features, s->n);
    double pull = cost * (sigmoid(margin) - s->is_positive), longest = 0;
    for (size_t k = 0; k < s->n; k++) {
        uint32_t j = s->features[k].place;
        double w = (double)linear->weights[j];
        double g = pull * (double)s->features[k].value +
                   w / (t->rules->freedom * (double)t->owners[j]);
        t->squares[j] += (float)(g * g);
        double step = t->rate * g / sqrt((double)t->squares[j]);
        linear->weights[j] = (float)(w - step);
        longest = fmax(longest, fabs(step));
    }
    t->bias_squares += pull * pull;
    double step = t->rate * pull / sqrt(t->bias_squares);
    t->bias -= step;
    return fmax(longest, fabs(step));
}

/* The samples to learn from, and what is counted over them. */
static size_t line_up(struct trainer *t, int held_out)
{
    size_t n = 0, positives = 0;
    memset(t->owners, 0, FG_BAG_PLACES * sizeof *t->owners);
    for (size_t i = 0; i < t->n; i++) {
        if (t->fold[i] == held_out)
            continue;
        t->order[n++] = i;
        positives += t->samples[i].is_positive;
        for (size_t k = 0; k < t->samples[i].n; k++)
            t->owners[t->samples[i].features[k].place]++;
    }
    t->costs = costs_of(positives, n - positives);
    return positives && positives < n ? n : 0;
}

static unsigned epochs_for(const struct trainer *t)
{
    double work = 1;
    for (size_t i = 0; i < t->n; i++)
        work += (double)t->samples[i].n;
    double most = WORK_MOST / work;
    if (most < EPOCHS_LEAST)
        most = EPOCHS_LEAST;
    return t->rules->epochs < most ? t->rules->epochs : (unsigned)most;
}

/* False if one class is missing from what is left. */
static bool fit(struct trainer *t, struct fg_linear *linear, int held_out)
{
    size_t n = line_up(t, held_out);
    if (!n)
        return false;
    memset(linear->weights, 0, FG_BAG_PLACES * sizeof *linear->weights);
    for (size_t j = 0; j < FG_BAG_PLACES; j++)
        t->squares[j] = (float)start_squares;
    t->bias = 0;
    t->bias_squares = start_squares;
    struct fg_rng rng = fg_rng_from_seed(t->rules->seed);
    unsigned epochs = epochs_for(t);
    for (unsigned e = 0; e < epochs; e++) {
        double longest = 0;
        t->rate = rate / (1 + cooling * e);
        fg_rng_shuffle(&rng, t->order, n, sizeof *t->order);
        for (size_t i = 0; i < n; i++)
            longest = fmax(longest, step_on(t, linear, &t->samples[t->order[i]]));
        if (longest < settled)
            break;
    }
    linear->bias = (float)t->bias;
    return true;
}

/* --- from margins to probabilities --- */

struct curve {
    double slope, shift;
};

struct held_out {
    double margin;
    bool is_positive;
};

struct platt {
    const struct held_out *at;
    size_t n;
    struct costs costs;
    double high, low; /* smoothed targets */
};

static double curve_loss(const struct platt *p, struct curve c)
{
    double loss = 0;
    for (size_t i = 0; i < p->n; i++) {
        double z = c.slope * p->at[i].margin + c.shift;
        double target = p->at[i].is_positive ? p->high : p->low;
        double cost = p->at[i].is_positive ? p->costs.positive : p->costs.negative;
        loss += cost * (target * softplus(-z) + (1 - target) * softplus(z));
    }
    return loss;
}

static struct curve newton_step(const struct platt *p, struct curve c)
{
    double ss = 1e-9, st = 0, tt = 1e-9, gs = 0, gt = 0;
    for (size_t i = 0; i < p->n; i++) {
        double m = p->at[i].margin, q = sigmoid(c.slope * m + c.shift);
        double target = p->at[i].is_positive ? p->high : p->low;
        double cost = p->at[i].is_positive ? p->costs.positive : p->costs.negative;
        double curvature = cost * q * (1 - q), pull = cost * (q - target);
        ss += curvature * m * m;
        st += curvature * m;
        tt += curvature;
        gs += pull * m;
        gt += pull;
    }
    double det = ss * tt - st * st;
    return (struct curve){-(tt * gs - st * gt) / det, -(ss * gt - st * gs) / det};
}

static struct curve fit_curve(const struct held_out *at, size_t n, size_t positives)
{
    struct platt p = {.at = at, .n = n, .costs = costs_of(positives, n - positives)};
    p.high = ((double)positives + 1) / ((double)positives + 2);
    p.low = 1 / ((double)(n - positives) + 2);
    struct curve c = {0, 0};
    double loss = curve_loss(&p, c);
    for (int i = 0; i < 100; i++) {
        struct curve step = newton_step(&p, c), next = c;
        double length = 1, better = loss;
        for (int halvings = 0; halvings < 34;
             halvings++, length /= 2) { /* down to 1e-10 */
            next = (struct curve){c.slope + length * step.slope,
                                  c.shift + length * step.shift};
            better = curve_loss(&p, next);
            if (better < loss)
                break;
        }
        if (!(better < loss - 1e-10))
            break;
        c = next;
        loss = better;
    }
    return c;
}

static void count(struct fg_linear_report *report, bool is_positive, bool taken_for)
{
    report->held_out++;
    report->true_positives += is_positive && taken_for;
    report->false_negatives += is_positive && !taken_for;
    report->false_positives += !is_positive && taken_for;
    report->true_negatives += !is_positive && !taken_for;
}

/* Folds take turns within each class, so that each has its share of both. */
static void deal_folds(struct trainer *t)
{
    int next[2] = {0, 0};
    t->n_folds = t->n <= LEAVE_ONE_OUT_MOST ? (int)t->n : FOLDS_MOST;
    if (t->n_folds == (int)t->n) {
        for (size_t i = 0; i < t->n; i++)
            t->fold[i] = (int)i;
        return;
    }
    for (size_t i = 0; i < t->n; i++) {
        int *turn = &next[t->samples[i].is_positive];
        t->fold[i] = *turn;
        *turn = (*turn + 1) % t->n_folds;
    }
}

/* A curve that falls means that held-out samples were judged worse than by chance: with
 * a few samples that happens, and turning the classifier round would be no better. */
static void calibrate(struct trainer *t, struct fg_linear *linear,
                      struct fg_linear_report *report)
{
    linear->slope = 1;
    linear->shift = 0;
    if (report->positives < 2 || report->negatives < 2)
        return;
    struct held_out *held = zeroed(t->n, sizeof *held);
    size_t n = 0, positives = 0;
    deal_folds(t);
    for (int f = 0; f < t->n_folds; f++) {
        bool is_fitted = fit(t, linear, f);
        for (size_t i = 0; is_fitted && i < t->n; i++) {
            const struct fg_linear_sample *s = &t->samples[i];
            if (t->fold[i] != f)
                continue;
            held[n++] =
                (struct held_out){margin_of(linear, s->features, s->n), s->is_positive};
            positives += s->is_positive;
        }
    }
    struct curve c = fit_curve(held, n, positives);
    if (c.slope > 0 && isfinite(c.slope) && isfinite(c.shift)) {
        double flatter = c.slope > steepest ? steepest / c.slope : 1;
        linear->slope = (float)(c.slope * flatter);
        linear->shift = (float)(c.shift * flatter);
    }
    for (size_t i = 0; i < n; i++)
        count(report, held[i].is_positive,
              (double)linear->slope * held[i].margin + (double)linear->shift >= 0);
    free(held);
}

bool fg_linear_train(struct fg_linear *linear, const struct fg_linear_sample *samples,
                     size_t n, const struct fg_linear_rules *rules,
                     struct fg_linear_report *report)
{
    size_t positives = count_positives(samples, n);
    *linear = (struct fg_linear){0};
    *report =
        (struct fg_linear_report){.positives = positives, .negatives = n - positives};
    if (!positives || positives == n)
        return false;
    struct trainer t = {.samples = samples, .n = n, .rules = rules};
    t.fold = zeroed(n, sizeof *t.fold);
    t.order = zeroed(n, sizeof *t.order);
    t.squares = zeroed(FG_BAG_PLACES, sizeof *t.squares);
    t.owners = zeroed(FG_BAG_PLACES, sizeof *t.owners);
    linear->weights = zeroed(FG_BAG_PLACES, sizeof *linear->weights);
    linear->positives = (uint32_t)positives;
    linear->negatives = (uint32_t)(n - positives);
    calibrate(&t, linear, report);
    fit(&t, linear, NOT_HELD_OUT);
    free(t.fold);
    free(t.order);
    free(t.squares);
    free(t.owners);
    return true;
}

/* --- as bytes: a head, the weights that are not zero, a checksum; little-endian --- */

static const char magic[8] = "fglin 1";

struct head {
    char magic[8];
    uint64_t scheme;
    uint32_t bias, slope, shift, positives, negatives, n;
};

struct entry {
    uint32_t place, weight;
};

static uint32_t float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return htole32(bits);
}

static float bits_float(uint32_t bits)
{
    float x;
    bits = le32toh(bits);
    memcpy(&x, &bits, sizeof x);
    return x;
}

static struct fg_str bytes_of(const void *at, size_t n)
{
    return (struct fg_str){at, n};
}

void fg_linear_save(const struct fg_linear *linear, uint64_t scheme, struct fg_buf *out)
{
    uint32_t n = 0;
    for (uint32_t j = 0; linear->weights && j < FG_BAG_PLACES; j++)
        n += linear->weights[j] != 0;
    struct head head = {.scheme = htole64(scheme),
                        .bias = float_bits(linear->bias),
                        .slope = float_bits(linear->slope),
                        .shift = float_bits(linear->shift),
                        .positives = htole32(linear->positives),
                        .negatives = htole32(linear->negatives),
                        .n = htole32(n)};
    memcpy(head.magic, magic, sizeof magic);
    size_t start = out->len;
    fg_buf_add(out, bytes_of(&head, sizeof head));
    for (uint32_t j = 0; n && j < FG_BAG_PLACES; j++) {
        struct entry entry = {htole32(j), float_bits(linear->weights[j])};
        if (linear->weights[j] != 0)
            fg_buf_add(out, bytes_of(&entry, sizeof entry));
    }
    uint64_t sum = htole64(fg_str_hash(bytes_of(out->at + start, out->len - start)));
    fg_buf_add(out, bytes_of(&sum, sizeof sum));
}

static enum fg_status damaged(struct fg_err *err)
{
    return fg_fail(err, FG_EINPUT, "the saved classifier is damaged");
}

/* The weights of a head that was checked; false if an entry makes no sense. */
static bool read_entries(struct fg_linear *linear, const char *at, uint32_t n)
{
    uint32_t least = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct entry entry;
        memcpy(&entry, at + i * sizeof entry, sizeof entry);
        uint32_t place = le32toh(entry.place);
        float weight = bits_float(entry.weight);
        if (place < least || place >= FG_BAG_PLACES || !isfinite(weight))
            return false;
        linear->weights[place] = weight;
        least = place + 1;
    }
    return true;
}

enum fg_status fg_linear_load(struct fg_linear *linear, uint64_t scheme,
                              struct fg_str bytes, struct fg_err *err)
{
    struct head head;
    uint64_t sum;
    *linear = (struct fg_linear){0};
    if (bytes.len < sizeof head + sizeof sum)
        return damaged(err);
    memcpy(&head, bytes.at, sizeof head);
    memcpy(&sum, bytes.at + bytes.len - sizeof sum, sizeof sum);
    uint32_t n = le32toh(head.n);
    if (memcmp(head.magic, magic, sizeof magic) != 0 || n > FG_BAG_PLACES ||
        bytes.len != sizeof head + n * sizeof(struct entry) + sizeof sum ||
        fg_str_hash(fg_str_sub(bytes, 0, bytes.len - sizeof sum)) != le64toh(sum))
        return damaged(err);
    if (le64toh(head.scheme) != scheme)
        return fg_fail(err, FG_EINPUT, "the saved classifier is of another version");
    linear->bias = bits_float(head.bias);
    linear->slope = bits_float(head.slope);
    linear->shift = bits_float(head.shift);
    linear->positives = le32toh(head.positives);
    linear->negatives = le32toh(head.negatives);
    linear->weights = zeroed(FG_BAG_PLACES, sizeof *linear->weights);
    if (isfinite(linear->bias) && isfinite(linear->slope) && isfinite(linear->shift) &&
        read_entries(linear, bytes.at + sizeof head, n))
        return FG_OK;
    fg_linear_clear(linear);
    return damaged(err);
}
