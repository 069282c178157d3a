/* Constants are for ticks of an hour, and are divided by the
 * ticks in one.
 *
 * Tried and dropped: a price from a learnt curve of demand (it spends the right amount,
 * but a third of it in its first three hours), a budget that rolls on instead of days
 * (days are 4 to 7 % off), a stronger pull to the plan or a plan that moves faster (both
 * oscillate). */
#include "policy/price.h"

#include <math.h>
#include <string.h>

static const double pull = 2, near = 0.1, far_gain = 0.5, far_other = 0.15,
                    small_step = 0.1, large_step = 0.3, large_error = 0.15;
static const double day_gain = 0.3, wanted_gain = 0.2, plan_gain = 0.05, other_day = 0.3,
                    day_step = 0.2, least_plan = 0.05;
static const double most_of_plan = 3, most_of_mean = 4, last_hours = 3, most_ahead = 0.15;
static const double most_level = 60;

static double clip(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static int64_t day_of(fg_time now)
{
    return (now - (now % FG_DAY + FG_DAY) % FG_DAY) / FG_DAY;
}

/* 1970 began on a Thursday. */
static size_t is_weekend(int64_t day)
{
    int64_t weekday = ((day + 3) % 7 + 7) % 7;
    return weekday >= 5;
}

static double ticks_an_hour(const struct fg_pricing *price)
{
    return price->tick > 0 ? fmax((double)FG_HOUR / (double)price->tick, 1) : 1;
}

/* Of the day, this tick included. */
static double ticks_left(const struct fg_pricing *price)
{
    fg_time left = (price->day + 1) * FG_DAY - price->now;
    return fmax(ceil((double)left / (double)(price->tick > 0 ? price->tick : FG_HOUR)),
                1);
}

void fg_price_start(struct fg_pricing *price)
{
    *price = (struct fg_pricing){.began = FG_NEVER};
    for (size_t w = 0; w < 2; w++)
        for (size_t i = 0; i < FG_PRICE_CELLS; i++)
            price->plan[w][i] = 1.0 / FG_PRICE_CELLS;
}

/* --- a day is over --- */

static double mean_level(const struct fg_pricing *price)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < FG_PRICE_CELLS; i++) {
        sum += price->sum[i];
        n += price->ticks[i];
    }
    return n > 0 ? sum / n : price->level;
}

static void move_plan(double plan[FG_PRICE_CELLS], const struct fg_pricing *price,
                      double mean, double gain)
{
    double total = 0;
    for (size_t i = 0; i < FG_PRICE_CELLS; i++) {
        if (price->ticks[i] > 0)
            plan[i] *= exp(plan_gain * gain *
                           clip(price->sum[i] / price->ticks[i] - mean, -1, 1));
        plan[i] = fmax(plan[i], least_plan / FG_PRICE_CELLS);
        total += plan[i];
    }
    for (size_t i = 0; i < FG_PRICE_CELLS; i++)
        plan[i] /= total;
}

static void learn_from_day(struct fg_pricing *price)
{
    size_t w = is_weekend(price->day);
    double mean = mean_level(price);
    double more = clip(log((price->wanted + 1) / (price->budget + 1)), -1, 1);
    for (size_t v = 0; v < 2; v++) {
        double gain = v == w ? 1 : other_day;
        price->day_level[v] +=
            gain * (day_gain * (mean - price->day_level[v]) + wanted_gain * more);
        move_plan(price->plan[v], price, mean, gain);
    }
}

static void open_day(struct fg_pricing *price, int64_t day)
{
    bool was_known = price->is_known;
    if (was_known)
        learn_from_day(price);
    price->days += price->began != FG_NEVER && day > price->day;
    if (!was_known && price->days >= FG_PRICE_EVEN_DAYS && price->first_ticks > 0) {
        price->level = price->first_sum / price->first_ticks;
        price->day_level[0] = price->day_level[1] = price->level;
        price->is_known = true;
    }
    price->day = day;
    price->spent = price->planned = price->wanted = price->in_cell = 0;
    memset(price->sum, 0, sizeof price->sum);
    memset(price->ticks, 0, sizeof price->ticks);
    if (was_known)
        price->level +=
            clip(price->day_level[is_weekend(day)] - price->level, -day_step, day_step);
}

/* --- a tick --- */

void fg_price_tick(struct fg_pricing *price, fg_time now, fg_time tick, double a_day)
{
    if (price->began != FG_NEVER && now < price->now)
        now = price->now; /* a clock that was set back */
    int64_t day = day_of(now);
    unsigned cell = (unsigned)fg_hour_of_day(now);
    price->budget = fmax(a_day, 0);
    price->tick = tick;
    if (price->began == FG_NEVER || day != price->day)
        open_day(price, day);
    if (price->began == FG_NEVER)
        price->began = now;
    if (cell != price->cell)
        price->in_cell = 0;
    price->now = now;
    price->cell = cell;
    price->must = price->taken = price->held = 0;
    price->was_dry = false;
}

/* What the first days may have spent by the end of this tick. */
static double even_share(const struct fg_pricing *price)
{
    fg_time begin =
        day_of(price->began) == price->day ? price->began : price->day * FG_DAY;
    fg_time end = price->now + price->tick, midnight = (price->day + 1) * FG_DAY;
    double so_far = (double)((end < midnight ? end : midnight) - begin);
    return price->budget * so_far / (double)FG_DAY;
}

static size_t afford(const struct fg_bid *bids, size_t n, double money)
{
    double sum = 0;
    size_t taken = 0;
    while (taken < n && sum + (double)bids[taken].cost <= money + 1e-6)
        sum += (double)bids[taken++].cost;
    return taken;
}

static double cost_of(const struct fg_bid *bids, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)bids[i].cost;
    return sum;
}

static void note_first_left(struct fg_pricing *price, const struct fg_bid *bids, size_t n,
                            size_t taken)
{
    while (taken < n && isinf(bids[taken].index)) /* what goes whatever the price is */
        taken++;
    if (!price->days || taken >= n || !(bids[taken].index > 0))
        return;
    price->first_sum += log((double)bids[taken].index);
    price->first_ticks++;
}

static double even_now(const struct fg_pricing *price)
{
    double share = even_share(price) - price->spent;
    return day_of(price->began) == price->day
               ? share
               : fmax(share, (price->budget - price->spent) / ticks_left(price));
}

/* What these lead to cannot wait for the next tick: it has a part, and what it leaves is
 * there in the next, if there is one today. */
static size_t take_evenly(struct fg_pricing *price, const struct fg_bid *bids, size_t n)
{
    double part = ticks_left(price) > 1 ? 0.75 : 1;
    size_t taken = afford(bids, n, fmax(part * (even_now(price) - price->must), 0));
    note_first_left(price, bids, n, taken);
    return taken;
}

static double plan_of_hour(const struct fg_pricing *price)
{
    return price->budget * price->plan[is_weekend(price->day)][price->cell];
}

/* The share of the day's budget that should be spent when this tick is over. */
static double planned_after(const struct fg_pricing *price)
{
    const double *plan = price->plan[is_weekend(price->day)];
    double ticks = ticks_an_hour(price), rest = 0;
    fg_time hour_end = price->now - price->now % FG_HOUR + FG_HOUR;
    double here = clip((double)(hour_end - price->now) / (double)price->tick, 1, ticks);
    for (size_t i = price->cell + 1; i < FG_PRICE_CELLS; i++)
        rest += plan[i];
    rest += plan[price->cell] * here / ticks;
    return price->planned + plan[price->cell] / ticks * (1 - price->planned) / rest;
}

double fg_price_most(const struct fg_pricing *price)
{
    double most = most_of_mean * price->budget / FG_PRICE_CELLS,
           rest = price->is_known ? price->budget - price->spent : even_now(price);
    if (price->is_known)
        most = fmin(most, most_of_plan * plan_of_hour(price));
    return fmax(fmin(fmax(most, 1) - price->in_cell, rest), 0);
}

/* What may be spent on bids before the day has run too far ahead of its plan: a price
 * that is far off takes hours to come back. */
static double before_ahead(const struct fg_pricing *price)
{
    return price->budget * (planned_after(price) + most_ahead) - price->spent -
           price->must;
}

void fg_price_commit(struct fg_pricing *price, double cost)
{
    price->must = price->taken = fmax(cost, 0);
}

size_t fg_price_take(struct fg_pricing *price, const struct fg_bid *bids, size_t n)
{
    if (!price->is_known)
        return take_evenly(price, bids, n);
    double least = exp(price->level), rest = price->budget - price->spent - price->must;
    size_t above = 0;
    while (above < n && (double)bids[above].index >= least)
        above++;
    size_t most = afford(bids, above, fmax(fg_price_most(price) - price->must, 0));
    size_t taken = afford(bids, most, fmax(before_ahead(price), 0));
    price->was_dry = above == n && taken == above;
    price->held = cost_of(bids, most) - cost_of(bids, taken);
    double tick_plan = plan_of_hour(price) / ticks_an_hour(price);
    double wish = price->must + cost_of(bids, above);
    price->wanted +=
        price->was_dry ? tick_plan : fmin(wish, most_of_plan * tick_plan + 1);
    double left = ticks_left(price);
    if (left <= last_hours * ticks_an_hour(price)) {
        size_t due = afford(bids, n, fmin(ceil(rest / left - 0.5), rest));
        taken = taken > due ? taken : due;
    }
    price->taken += cost_of(bids, taken);
    return taken;
}

void fg_price_pay(struct fg_pricing *price, double spent)
{
    price->spent += spent;
    price->in_cell += spent;
    if (!price->is_known || !(price->budget > 0))
        return;
    size_t w = is_weekend(price->day);
    double ticks = ticks_an_hour(price);
    /* What was found in this tick could not wait either. */
    price->wanted += price->was_dry ? 0 : fmax(spent - price->taken, 0);
    price->planned = price->was_dry ? price->spent / price->budget : planned_after(price);
    price->sum[price->cell] += price->was_dry ? price->day_level[w] : price->level;
    price->ticks[price->cell]++;
    /* As if what was held back had been spent: it is the price that is wrong. */
    double error = (price->spent + price->held) / price->budget - price->planned;
    double beyond = error - clip(error, -near, near);
    double step = (fabs(error) > large_error ? large_step : small_step) / ticks;
    price->day_level[w] += far_gain / ticks * beyond;
    price->day_level[!w] += far_other / ticks * beyond;
    for (size_t v = 0; v < 2; v++)
        price->day_level[v] = clip(price->day_level[v], -most_level, most_level);
    double wanted = price->day_level[w] + pull * error;
    price->level = clip(price->level + clip(wanted - price->level, -step, step),
                        -most_level, most_level);
}

double fg_price_now(const struct fg_pricing *price)
{
    return price->is_known ? exp(price->level) : 0;
}

static bool is_number(double x, double least, double most)
{
    return x >= least && x <= most; /* false for NaN */
}

bool fg_price_is_sound(const struct fg_pricing *price)
{
    static const double most = 1e15;
    bool sound = is_number(price->budget, 0, most) && is_number(price->spent, 0, most) &&
                 is_number(price->level, -most_level, most_level) &&
                 is_number(price->planned, 0, most) &&
                 is_number(price->wanted, 0, most) &&
                 is_number(price->in_cell, 0, most) && is_number(price->must, 0, most) &&
                 is_number(price->taken, 0, most) && is_number(price->held, 0, most) &&
                 is_number(price->first_sum, -most, most) &&
                 is_number(price->first_ticks, 0, most) && price->cell < FG_PRICE_CELLS &&
                 price->tick >= 0 && price->tick <= 366 * FG_DAY;
    for (size_t v = 0; v < 2; v++) {
        sound = sound && is_number(price->day_level[v], -most_level, most_level);
        for (size_t i = 0; i < FG_PRICE_CELLS; i++)
            sound = sound && is_number(price->plan[v][i], 0, 1) &&
                    is_number(price->sum[i], -most, most) &&
                    is_number(price->ticks[i], 0, most);
    }
    return sound;
}
