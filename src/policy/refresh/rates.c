#include "policy/refresh/rates.h"

#include "base/lanes.h"

#include <math.h>
#include <string.h>

/* Changes a day where nobody has seen anything yet: then all pages are alike, and it
 * hardly matters. */
static const double UNSEEN_RATE = 0.05;
static const double PSEUDO_VISITS = 0.5;
static const double HISTORY_DAYS = 30;

/* --- what own visits say --- */

/* The likeliest rate, if those that found a change were equally far apart and so many
 * more of each kind were made, at the mean distance of all. */
static double likeliest(double visits, double changes, double changed_days,
                        double unchanged_days)
{
    double extra_days = PSEUDO_VISITS * (changed_days + unchanged_days) / visits;
    changes += PSEUDO_VISITS;
    changed_days += extra_days;
    unchanged_days += extra_days;
    return changes / changed_days * log1p(changed_days / unchanged_days);
}

static void note_of_all(struct fg_rates_of_all *all, double days, bool has_changed)
{
    /* forget slowly: a sum that only grows would stop following the pages there are */
    const double memory = 1 - 1e-6;
    all->visits = all->visits * memory + 1;
    all->changes = all->changes * memory + has_changed;
    all->changed_days = all->changed_days * memory + (has_changed ? days : 0);
    all->unchanged_days = all->unchanged_days * memory + (has_changed ? 0 : days);
    all->rate =
        likeliest(all->visits, all->changes, all->changed_days, all->unchanged_days);
}

void fg_rates_observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    if (!visit->ok || visit->previous == FG_NEVER || visit->now <= visit->previous)
        return;
    size_t page = visit->page;
    double days = fg_days(visit->now - visit->previous);
    float *visits = &brain->f32[FG_RATES_VISITS][page];
    float *changes = &brain->f32[FG_RATES_CHANGES][page];
    float *changed = &brain->f32[FG_RATES_CHANGED_DAYS][page];
    float *unchanged = &brain->f32[FG_RATES_UNCHANGED_DAYS][page];
    *visits += 1;
    *changes += (float)visit->changed;
    *(visit->changed ? changed : unchanged) += (float)days;
    brain->f32[FG_RATES_SEEN][page] = (float)likeliest(
        (double)*visits, (double)*changes, (double)*changed, (double)*unchanged);
    note_of_all(brain->self, days, visit->changed);
}

/* --- rates and chances of many pages, eight at a time --- */

typedef float f32x8 __attribute__((vector_size(32)));
typedef int32_t i32x8 __attribute__((vector_size(32)));
enum { WIDTH = 8 };

/* As many as there are left; the others are 0. */
FG_INLINE f32x8 load_some(const float *at, size_t left)
{
    f32x8 v = {0};
    if (left >= WIDTH)
        memcpy(&v, at, sizeof v);
    else
        memcpy(&v, at, left * sizeof *at);
    return v;
}

FG_INLINE void store_some(float *at, f32x8 v, size_t left)
{
    if (left >= WIDTH)
        memcpy(at, &v, sizeof v);
    else
        memcpy(at, &v, left * sizeof *at);
}

FG_INLINE f32x8 choose(i32x8 mask, f32x8 v, f32x8 otherwise)
{
    return (f32x8)(((i32x8)v & mask) | ((i32x8)otherwise & ~mask));
}

/* A number from 0 up; not negative, not infinite, not NaN. Such floats have the order of
 * their bits. */
FG_INLINE i32x8 is_rate(f32x8 v)
{
    return ((i32x8)v < 0x7F800000) & ((i32x8)v >= 0);
}

/* 1 - exp(-x). With -x = n ln 2 + r it is 1 - 2^n - 2^n (exp(r) - 1), and no digits are
 * lost where x is small, since n is 0 there. */
FG_INLINE f32x8 chance_of(f32x8 x)
{
    const float log2_e = 1.44269504f, ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
    const float rounder = 0x1.8p23f;
    x = choose((i32x8)x < 0x42A00000, x, (f32x8){0} + 80);
    f32x8 n = (-x * log2_e + rounder) - rounder, r = (-x - n * ln2_high) - n * ln2_low;
    f32x8 q = 1.f / 720 + r * (1.f / 5040);
    q = 1.f / 24 + r * (1.f / 120 + r * q);
    q = r * (1 + r * (1.f / 2 + r * (1.f / 6 + r * q)));
    f32x8 power = (f32x8)((__builtin_convertvector(n, i32x8) + 127) << 23);
    return (1 - power) - power * q;
}

FG_INLINE void to_chances(float *x, size_t n)
{
    for (size_t i = 0; i < n; i += WIDTH)
        store_some(x + i, chance_of(load_some(x + i, n - i)), n - i);
}
FG_TWICE(to_chances, (float *x, size_t n), (x, n))

void fg_rates_to_chances(float *x, size_t n)
{
    to_chances_best(x, n);
}

/* What was seen, or what all others have. */
FG_INLINE void take_seen(const float *seen, float otherwise, float days, size_t n,
                         float *out)
{
    for (size_t i = 0; i < n; i += WIDTH) {
        f32x8 rate = load_some(seen + i, n - i);
        rate = choose((i32x8)rate == 0, (f32x8){0} + otherwise, rate);
        store_some(out + i, rate * days, n - i);
    }
}
FG_TWICE(take_seen,
         (const float *seen, float otherwise, float days, size_t n, float *out),
         (seen, otherwise, days, n, out))

struct telling {
    float more, days; /* added to what was told; the span that is asked for */
    bool is_chance;
};

/* The weights as they are, or with `mean` as what is told of a page of weight 1. */
FG_INLINE void take_weights(const float *weight, float mean, struct telling how, size_t n,
                            float *out)
{
    for (size_t i = 0; i < n; i += WIDTH) {
        f32x8 v = load_some(weight + i, n - i);
        v = choose(is_rate(v), v, (f32x8){0}) * mean * how.days;
        store_some(out + i, how.is_chance ? chance_of(v) : v, n - i);
    }
}
FG_TWICE(take_weights,
         (const float *weight, float mean, struct telling how, size_t n, float *out),
         (weight, mean, how, n, out))

/* What was told takes the place of what is there. */
FG_INLINE void take_told(const float *told, struct telling how, size_t n, float *out)
{
    for (size_t i = 0; i < n; i += WIDTH) {
        f32x8 rate = load_some(told + i, n - i);
        i32x8 mask = is_rate(rate);
        rate = (rate + how.more) * how.days;
        if (how.is_chance)
            rate = chance_of(rate);
        store_some(out + i, choose(mask, rate, load_some(out + i, n - i)), n - i);
    }
}
FG_TWICE(take_told, (const float *told, struct telling how, size_t n, float *out),
         (told, how, n, out))

static enum fg_told_rate told_kind(const struct fg_brain *brain,
                                   enum fg_told_rate history)
{
    size_t to_model = FG_TOLD_CHANGES_MODEL - FG_TOLD_CHANGES_HISTORY;
    return brain->knob[FG_RATES_MODEL] != 0 ? (enum fg_told_rate)(history + to_model)
                                            : history;
}

static struct telling telling_of(const struct fg_brain *brain, double days,
                                 bool is_chance)
{
    bool is_model = brain->knob[FG_RATES_MODEL] != 0;
    double more = is_model ? 0 : brain->knob[FG_RATES_SMOOTH] / HISTORY_DAYS;
    return (struct telling){(float)more, (float)days, is_chance};
}

static void prefer_told(const struct fg_brain *brain, enum fg_told_rate history,
                        double days, size_t first, size_t n, float *out)
{
    const float *told = brain->world->told[told_kind(brain, history)];
    if (told)
        take_told_best(told + first, telling_of(brain, days, false), n, out);
}

void fg_rates_changes(const struct fg_brain *brain, double days, size_t first, size_t n,
                      float *out)
{
    const struct fg_rates_of_all *all = brain->self;
    double otherwise = all->rate > 0 ? all->rate : UNSEEN_RATE;
    take_seen_best(brain->f32[FG_RATES_SEEN] + first, (float)otherwise, (float)days, n,
                   out);
    if (brain->knob[FG_RATES_OWN] == 0)
        prefer_told(brain, FG_TOLD_CHANGES_HISTORY, days, first, n, out);
}

void fg_rates_change_chances(const struct fg_brain *brain, double days, size_t first,
                             size_t n, float *out)
{
    fg_rates_changes(brain, days, first, n, out);
    fg_rates_to_chances(out, n);
}

void fg_rates_interest(const struct fg_brain *brain, enum fg_told_rate history,
                       size_t first, size_t n, float *out)
{
    const struct fg_world *world = brain->world;
    enum fg_told_rate kind = told_kind(brain, history);
    struct telling how = telling_of(brain, 1, brain->knob[FG_RATES_COUNT] == 0);
    if (!world->told_of[kind]) {
        take_weights_best(world->weight + first, 1, (struct telling){0, 1, false}, n,
                          out);
        return;
    }
    if (world->told_of[kind] < world->n)
        take_weights_best(world->weight + first, (float)world->told_mean[kind] + how.more,
                          how, n, out);
    take_told_best(world->told[kind] + first, how, n, out);
}

/* --- for a person --- */

/* Wilson and Hilferty: the cube root of a gamma variate is nearly normal. */
static double gamma_quantile(double mean, double shape, double z)
{
    double c = 1 / (9 * shape), root = 1 - c + z * sqrt(c);
    return root > 0 ? mean * root * root * root : 0;
}

void fg_rates_believe(struct fg_reason *reason, double mean, double shape)
{
    reason->rate = mean;
    reason->low = gamma_quantile(mean, shape, -1.96);
    reason->high = gamma_quantile(mean, shape, 1.96);
}

void fg_rates_explain(const struct fg_brain *brain, size_t page, struct fg_reason *reason)
{
    float rate;
    fg_rates_changes(brain, 1, page, 1, &rate);
    double changes = (double)brain->f32[FG_RATES_CHANGES][page];
    *reason = (struct fg_reason){.rate_unit = "changes a day", .observations = changes};
    fg_rates_believe(reason, (double)rate, changes + PSEUDO_VISITS);
}
