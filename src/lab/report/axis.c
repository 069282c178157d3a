#include "lab/report/axis.h"

#include "lab/report/markup.h"

#include <math.h>

static const double ZERO_GUTTER = 0.06;

bool fg_is_drawable(double value)
{
    return fabs(value) < 1e300;
}

void fg_range_add(struct fg_range *range, double value)
{
    if (!fg_is_drawable(value))
        return;
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
    if (value > 0)
        range->low_positive = fmin(range->low_positive, value);
}

/* A range of one value has no width to divide by; neither has one so far from zero that
 * its ticks could not be told apart. */
static struct fg_range with_width(struct fg_range range)
{
    if (range.low > range.high)
        return (struct fg_range){0, 1, 1};
    double size = fmax(fabs(range.low), fabs(range.high));
    if (size == 0)
        return (struct fg_range){0, 1, 1};
    if (range.high - range.low > 1e-9 * size)
        return range;
    return (struct fg_range){range.low - size / 2, range.high + size / 2,
                             range.low_positive};
}

static double ticks_between(double low, double high, double step)
{
    /* A hair's breadth of tolerance: 0.6 / 0.2 is not quite 3. */
    return floor(high / step + 1e-9) - ceil(low / step - 1e-9) + 1;
}

static double decimal_step(double low, double high, double most)
{
    static const double leads[] = {1, 2, 5, 10, 20, 50};
    double power = pow(10, floor(log10((high - low) / most)));
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
        if (ticks_between(low, high, leads[i] * power) <= most)
            return leads[i] * power;
    return 100 * power;
}

static double hour_step(double low, double high, double most)
{
    static const double steps[] = {1, 2, 3, 6, 12, 24, 48, 72, 168, 336};
    if (high - low < most / 2)
        return decimal_step(low, high, most);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (ticks_between(low, high, steps[i]) <= most)
            return steps[i];
    return 168 * fmax(1, decimal_step(low / 168, high / 168, most));
}

static int digits_of(double step)
{
    int digits = 0;
    while (digits < 12 && fabs(step - nearbyint(step)) > 1e-6 * step) {
        step *= 10;
        digits++;
    }
    return digits;
}

/* Ticks at the multiples of `step` that lie on the axis. */
static void set_ticks(struct fg_axis *axis, double step)
{
    double first = ceil(axis->from / step - 1e-9);
    size_t n = (size_t)fmax(0, ticks_between(axis->from, axis->to, step));
    for (size_t i = 0; i < n && axis->n_ticks < FG_TICKS_MAX; i++)
        axis->ticks[axis->n_ticks++] = (first + (double)i) * step;
    axis->digits = digits_of(step);
}

/* Powers of ten; every other, every third, ... if they are too many; with 2 and 5 between
 * them if they are few. */
static void set_log_ticks(struct fg_axis *axis, size_t most)
{
    static const double leads[] = {1, 2, 5};
    double low = log10(axis->from), high = log10(axis->to);
    int first = (int)floor(low + 1e-9), last = (int)floor(high + 1e-9);
    int powers = last - (int)ceil(low - 1e-9) + 1;
    size_t per_decade = powers < 3 && 3 * powers <= (int)most ? 3 : 1;
    int stride = powers > (int)most ? (powers + (int)most - 1) / (int)most : 1;
    for (int power = first; power <= last; power += stride)
        for (size_t i = 0; i < per_decade; i++) {
            double tick = leads[i] * pow(10, power);
            if (tick < axis->from * (1 - 1e-9) || tick > axis->to * (1 + 1e-9))
                continue;
            if (axis->n_ticks < FG_TICKS_MAX)
                axis->ticks[axis->n_ticks++] = tick;
        }
}

static struct fg_axis log_axis(struct fg_range range, size_t most)
{
    struct fg_axis axis = {.kind = FG_AXIS_LOG, .from = range.low_positive};
    axis.to = range.high;
    if (!isfinite(axis.from)) {
        axis.from = 1; /* nothing positive: an empty axis, perhaps with its zero */
        axis.to = 10;
    } else if (axis.to <= axis.from * (1 + 1e-9)) {
        axis.from /= 2;
        axis.to *= 2;
    }
    if (range.low <= 0 && range.high >= 0) {
        axis.gutter = ZERO_GUTTER;
        axis.ticks[axis.n_ticks++] = 0;
    }
    size_t named = axis.n_ticks;
    set_log_ticks(&axis, most);
    if (axis.n_ticks < named + 2) { /* less than a decade has ticks like any axis */
        axis.n_ticks = named;
        set_ticks(&axis, decimal_step(axis.from, axis.to, (double)most));
    }
    return axis;
}

struct fg_axis fg_axis_within(enum fg_axis_kind kind, struct fg_range range, size_t most)
{
    if (kind == FG_AXIS_LOG)
        return log_axis(range, most);
    range = with_width(range);
    struct fg_axis axis = {.kind = kind, .from = range.low, .to = range.high};
    double n = (double)most;
    set_ticks(&axis, kind == FG_AXIS_HOURS ? hour_step(range.low, range.high, n)
                                           : decimal_step(range.low, range.high, n));
    return axis;
}

/* Where an axis ends that has to reach `value`, going up for a positive step and down for
 * a negative one: at the next tick, unless much would stay empty. */
static double end_beyond(double value, double step, double room)
{
    double tick = ceil(value / step - 1e-9) * step;
    return fabs(tick - value) <= 0.4 * fabs(step) ? tick : value + copysign(room, step);
}

struct fg_axis fg_axis_around(struct fg_range range, size_t most)
{
    range = with_width(range);
    double room = 0.04 * (range.high - range.low);
    /* The ends may take in a tick each. */
    double step = decimal_step(range.low, range.high, (double)most - 1);
    struct fg_axis axis = {.kind = FG_AXIS_PLAIN};
    axis.from = end_beyond(range.low, -step, room);
    axis.to = end_beyond(range.high, step, room);
    set_ticks(&axis, step);
    return axis;
}

struct fg_axis fg_axis_at(enum fg_axis_kind kind, const double *values, size_t n)
{
    struct fg_range range = FG_RANGE_EMPTY;
    for (size_t i = 0; i < n; i++)
        fg_range_add(&range, values[i]);
    struct fg_axis axis = fg_axis_within(kind, range, 2);
    axis.n_ticks = 0;
    axis.digits = 0;
    for (size_t i = 0; i < n && i < FG_TICKS_MAX; i++) {
        int digits = values[i] == 0 ? 0 : digits_of(fabs(values[i]));
        axis.ticks[axis.n_ticks++] = values[i];
        axis.digits = digits > axis.digits ? digits : axis.digits;
    }
    axis.digits = axis.digits > 4 ? 4 : axis.digits;
    return axis;
}

double fg_axis_place(const struct fg_axis *axis, double value)
{
    if (!fg_is_drawable(value))
        return NAN;
    if (axis->kind != FG_AXIS_LOG)
        return (value - axis->from) / (axis->to - axis->from);
    if (value == 0 && axis->gutter > 0)
        return 0;
    if (value <= 0)
        return NAN;
    return axis->gutter +
           (1 - axis->gutter) * log(value / axis->from) / log(axis->to / axis->from);
}

void fg_axis_label(const struct fg_axis *axis, size_t tick, struct fg_buf *out)
{
    double value = axis->ticks[tick];
    if (axis->kind == FG_AXIS_LOG) {
        fg_markup_short(out, value);
        return;
    }
    double largest = fmax(fabs(axis->from), fabs(axis->to));
    if (largest >= 1e12 || axis->digits > 6) {
        fg_markup_short(out, value);
    } else if (largest >= 1e6 && value != 0) {
        fg_markup_short(out, value / 1e6);
        fg_markup_put(out, " M");
    } else {
        fg_markup_number(out, value, axis->digits);
    }
}
