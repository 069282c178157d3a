/* A day's budget is spent, and the price does not run away: on a market whose candidates
 * gain worth with every hour that they wait, more of it by day than by night. */
#include "base/rng.h"
#include "base/variate.h"
#include "policy/price.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 600, DAYS = 60, SITES = 10 };

struct market {
    struct fg_pricing price;
    fg_time now, tick;
    size_t n;
    double budget;
    size_t ceiling; /* fetches a day; a site and tick, 0 for none */
    double worth[MOST], waited[MOST];
    struct fg_rng rng;
    /* of the days so far */
    double spent[DAYS * 2], busiest[DAYS * 2], mean_level[DAYS * 2];
    size_t days, outage_left;
};

static void open_market(struct market *m, fg_time tick, size_t n, double budget)
{
    *m = (struct market){.tick = tick, .n = n, .budget = budget};
    m->rng = fg_rng_from_seed(7);
    m->now = 20000 * FG_DAY;
    for (size_t i = 0; i < MOST; i++)
        m->worth[i] = exp(1.5 * fg_rng_normal(&m->rng));
    fg_price_start(&m->price);
}

struct offer {
    double index;
    size_t who;
};

static int by_index(const void *a, const void *b)
{
    double x = ((const struct offer *)a)->index, y = ((const struct offer *)b)->index;
    return x > y ? -1 : x < y;
}

/* What is wanted of each rises to its worth as it waits: Whittle's index of a known rate,
 * busy by day. */
static double tick_of(struct market *m)
{
    static struct offer offers[MOST];
    static struct fg_bid bids[MOST];
    double hours = fg_hours(m->tick), bought = 0;
    double busy =
        1 + 0.9 * sin(6.283185307179586 * (double)(m->now % FG_DAY) / (double)FG_DAY);
    for (size_t i = 0; i < m->n; i++) {
        m->waited[i] += hours * busy;
        double x = m->waited[i] / 12;
        offers[i] = (struct offer){m->worth[i] * (1 - exp(-x) * (1 + x)), i};
    }
    qsort(offers, m->n, sizeof *offers, by_index);
    size_t there = m->outage_left ? 0 : m->n;
    m->outage_left -= m->outage_left > 0;
    size_t of_site[SITES] = {0}, n = 0;
    for (size_t i = 0; i < there; i++)
        if (!m->ceiling || of_site[offers[i].who % SITES]++ < m->ceiling) {
            offers[n] = offers[i];
            bids[n++] = (struct fg_bid){(float)offers[i].index, 1};
        }
    fg_price_tick(&m->price, m->now, m->tick, m->budget);
    size_t taken = fg_price_take(&m->price, bids, n);
    for (size_t i = 0; i < taken; i++, bought++)
        m->waited[offers[i].who] = 0;
    fg_price_pay(&m->price, bought);
    m->now += m->tick;
    return bought;
}

static void pass_day(struct market *m)
{
    double spent = 0, busiest = 0, level = 0, ticks = 0;
    for (fg_time end = (m->now / FG_DAY + 1) * FG_DAY; m->now < end; ticks++) {
        double bought = tick_of(m);
        spent += bought;
        busiest = fmax(busiest, bought);
        level += m->price.level;
    }
    m->spent[m->days] = spent;
    m->mean_level[m->days] = level / ticks;
    m->busiest[m->days++] = busiest / (m->budget / ticks);
}

static void pass_days(struct market *m, size_t days)
{
    while (days--)
        pass_day(m);
}

/* The largest error of a day from `first` on. */
static double worst_day(const struct market *m, size_t first, double budget)
{
    double worst = 0;
    for (size_t i = first; i < m->days; i++)
        worst = fmax(worst, fabs(m->spent[i] / budget - 1));
    return worst;
}

static void each_day_is_spent_to_one_percent(void **state)
{
    (void)state;
    static const fg_time ticks[] = {FG_HOUR, 15 * FG_MINUTE, 2 * FG_MINUTE};
    for (size_t i = 0; i < 3; i++) {
        struct market m;
        open_market(&m, ticks[i], 300, 400);
        pass_days(&m, 30);
        assert_true(worst_day(&m, 3, 400) <= 0.01);
    }
}

static void spending_is_uneven_and_the_price_is_not(void **state)
{
    (void)state;
    struct market m;
    open_market(&m, FG_HOUR, 300, 3000);
    pass_days(&m, DAYS);
    double day = 0, night = 0;
    for (size_t i = 0; i < 24; i++)
        *(i < 12 ? &day : &night) += m.price.plan[0][i];
    assert_true(day > 1.1 * night);
    for (size_t i = DAYS - 7; i < DAYS; i++) {
        assert_true(m.busiest[i] <= 4.5);
        assert_true(fabs(m.mean_level[i] - m.mean_level[DAYS - 8]) < 0.1);
    }
}

static void a_burst_a_death_and_a_double_world_are_taken(void **state)
{
    (void)state;
    struct market m;
    open_market(&m, FG_HOUR, 300, 400);
    pass_days(&m, 15);
    for (size_t i = 0; i < 100; i++)
        m.worth[i] *= 5;
    pass_days(&m, 2);
    for (size_t i = 0; i < 100; i++)
        m.worth[i] /= 5;
    pass_days(&m, 8);
    m.n = 200;
    pass_days(&m, 10);
    m.n = 600;
    pass_days(&m, 15);
    assert_true(worst_day(&m, 3, 400) <= 0.01);
}

static void another_budget_counts_at_once(void **state)
{
    (void)state;
    struct market m;
    open_market(&m, FG_HOUR, 300, 400);
    pass_days(&m, 10);
    m.budget = 200;
    pass_days(&m, 5);
    for (size_t i = 10; i < m.days; i++)
        assert_true(fabs(m.spent[i] / 200 - 1) <= 0.01);
    m.budget = 800;
    pass_days(&m, 5);
    for (size_t i = 15; i < m.days; i++)
        assert_true(fabs(m.spent[i] / 800 - 1) <= 0.01);
}

static void a_restart_changes_nothing(void **state)
{
    (void)state;
    struct market whole, cut;
    open_market(&whole, FG_HOUR, 300, 400);
    open_market(&cut, FG_HOUR, 300, 400);
    pass_days(&whole, 12);
    for (size_t tick = 0; tick < 12 * 24; tick++) {
        struct fg_pricing saved = cut.price;
        assert_true(fg_price_is_sound(&saved));
        memset(&cut.price, 0xA5, sizeof cut.price);
        cut.price = saved;
        tick_of(&cut);
    }
    assert_memory_equal(&whole.price.plan, &cut.price.plan, sizeof whole.price.plan);
    assert_true(whole.price.level == cut.price.level);
}

/* Nine hours away: the rest of the day has the rest of the budget. */
static void a_crawl_that_was_away_spends_what_is_left(void **state)
{
    (void)state;
    struct market m;
    open_market(&m, FG_HOUR, 300, 400);
    pass_days(&m, 10);
    double spent = 0;
    for (int hour = 0; hour < 5; hour++)
        spent += tick_of(&m);
    m.now += 9 * FG_HOUR;
    for (int hour = 14; hour < 24; hour++)
        spent += tick_of(&m);
    assert_true(fabs(spent / 400 - 1) <= 0.01);
}

static void an_outage_leaves_the_price_alone(void **state)
{
    (void)state;
    struct market m;
    open_market(&m, FG_HOUR, 300, 400);
    pass_days(&m, 20);
    double level = m.price.level;
    m.outage_left = 24;
    pass_days(&m, 1);
    assert_true(m.spent[m.days - 1] == 0);
    pass_days(&m, 1);
    assert_true(fabs(m.price.level - level) < 0.5);
    assert_true(fabs(m.spent[m.days - 1] / 400 - 1) <= 0.01);
}

/* There is more budget than web: all is bought, and not more than there is. */
static void what_cannot_be_spent_is_not(void **state)
{
    (void)state;
    struct market m;
    open_market(&m, FG_HOUR, 5, 400);
    pass_days(&m, 10);
    for (size_t i = 3; i < m.days; i++)
        assert_true(m.spent[i] <= 5 * 24);
    assert_true(fg_price_is_sound(&m.price));
}

/* Ten sites, three an hour of each: what is over its ceiling is not among the bids. */
static void ceilings_of_sites_leave_days_whole(void **state)
{
    (void)state;
    struct market m;
    open_market(&m, FG_HOUR, 300, 400);
    m.ceiling = 3;
    pass_days(&m, 20);
    assert_true(worst_day(&m, 4, 400) <= 0.01);
    for (size_t i = 0; i < m.days; i++)
        assert_true(m.busiest[i] * 400 / 24 <= 30.001);
}

/* What goes whatever the price is tells nothing of it. */
static void what_is_certain_makes_no_price(void **state)
{
    (void)state;
    struct fg_pricing price;
    struct fg_bid bids[8];
    for (size_t i = 0; i < 8; i++)
        bids[i] = (struct fg_bid){i < 6 ? INFINITY : 2, 1};
    fg_price_start(&price);
    for (fg_time now = 0; now < 6 * FG_DAY; now += FG_HOUR) {
        fg_price_tick(&price, 20000 * FG_DAY + now, FG_HOUR, 24.0 * 3);
        fg_price_pay(&price, (double)fg_price_take(&price, bids, 8));
    }
    assert_true(price.is_known && fg_price_is_sound(&price));
    assert_true(fg_price_now(&price) < 20);
}

/* The first day begins in the afternoon: it has an afternoon's budget. */
static void a_day_that_has_begun_has_its_rest(void **state)
{
    (void)state;
    struct market m;
    open_market(&m, FG_HOUR, 300, 240);
    m.now += 18 * FG_HOUR;
    pass_day(&m);
    assert_in_range((int)m.spent[0], 59, 61);
}

/* 12 units of money, of which three quarters are for bids, and bids of 4: two of them. */
static void what_a_fetch_costs_counts(void **state)
{
    (void)state;
    struct fg_pricing price;
    struct fg_bid bids[5];
    for (int i = 0; i < 5; i++)
        bids[i] = (struct fg_bid){1, 4};
    fg_price_start(&price);
    fg_price_tick(&price, 20000 * FG_DAY, FG_HOUR, 288);
    assert_int_equal(fg_price_take(&price, bids, 5), 2);
}

static void what_was_read_from_a_broken_disk_is_refused(void **state)
{
    (void)state;
    struct fg_pricing price;
    fg_price_start(&price);
    assert_true(fg_price_is_sound(&price));
    price.level = NAN;
    assert_false(fg_price_is_sound(&price));
    fg_price_start(&price);
    price.plan[1][3] = INFINITY;
    assert_false(fg_price_is_sound(&price));
}

/* Half of each day goes for what cannot wait, by day more than by night, and a part of it
 * is known only when the tick has been shared out. The rest is bought at a price that is
 * so much higher, days are whole, and no day is spent by the afternoon. */
static void what_cannot_wait_makes_the_rest_dearer(void **state)
{
    (void)state;
    enum { BUDGET = 720, BIDS = 200 };
    struct fg_pricing price;
    struct fg_bid bids[BIDS];
    fg_price_start(&price);
    for (size_t day = 0; day < 12; day++) {
        double spent = 0, morning = 0;
        for (size_t hour = 0; hour < 24; hour++) {
            fg_time now = (fg_time)(20000 + day) * FG_DAY + (fg_time)hour * FG_HOUR;
            fg_price_tick(&price, now, FG_HOUR, BUDGET);
            double most = fg_price_most(&price), must = hour < 12 ? 14 : 6;
            must = fmin(must, most);
            fg_price_commit(&price, must);
            for (size_t i = 0; i < BIDS; i++)
                bids[i] = (struct fg_bid){(float)exp(-(double)i / 20), 1};
            double bought = must + (double)fg_price_take(&price, bids, BIDS);
            bought += fmin(fmax(most - bought, 0), 5); /* found in this tick */
            fg_price_pay(&price, bought);
            spent += bought;
            morning += hour < 12 ? bought : 0;
        }
        if (day < 4)
            continue;
        assert_true(fabs(spent / BUDGET - 1) <= 0.01);
        assert_true(morning < 0.7 * BUDGET);
        /* Some 15 an hour are left for bids. */
        assert_true(fabs(log(fg_price_now(&price)) + 15.0 / 20) < 0.3);
    }
}

/* It is far too low, and all there is lies above it: that is no outage. The price comes
 * up, and a day is not spent in its first hours meanwhile. */
static void a_price_that_is_far_too_low_comes_up(void **state)
{
    (void)state;
    struct market m;
    open_market(&m, FG_HOUR, 300, 400);
    pass_days(&m, 10);
    double level = m.price.level;
    m.price.level = m.price.day_level[0] = m.price.day_level[1] = level - 4;
    double morning = 0;
    for (int hour = 0; hour < 12; hour++)
        morning += tick_of(&m);
    assert_true(morning < 0.8 * 400);
    pass_days(&m, 4);
    assert_true(fabs(m.price.level - level) < 1);
    assert_true(worst_day(&m, 11, 400) <= 0.01);
}

/* All that may be spent at once is, tick after tick, whatever it is for: never more than
 * four mean hours in one, nor than the budget in a day; and a crawl that had nothing to
 * do has no debt to work off. */
static void what_cannot_wait_stays_within_the_day(void **state)
{
    (void)state;
    static const fg_time ticks[] = {2 * FG_MINUTE, FG_HOUR};
    enum { BUDGET = 2400, IDLE_HOURS = 10 };
    for (size_t k = 0; k < 2; k++) {
        struct fg_pricing price;
        fg_price_start(&price);
        fg_time start = 20000 * FG_DAY;
        for (size_t day = 0; day < 8; day++) {
            double spent = 0, of_hour = 0;
            for (fg_time at = 0; at < FG_DAY; at += ticks[k]) {
                struct fg_bid bid = {1, 1};
                fg_price_tick(&price, start + (fg_time)day * FG_DAY + at, ticks[k],
                              BUDGET);
                double most = fg_price_most(&price);
                if (!day && at < IDLE_HOURS * FG_HOUR)
                    most = 0;
                of_hour = at % FG_HOUR ? of_hour + most : most;
                assert_true(most >= 0 && of_hour <= 4.0 * BUDGET / 24 + 1);
                fg_price_take(&price, &bid, 1);
                fg_price_pay(&price, most);
                spent += most;
            }
            assert_true(spent <= BUDGET + 1);
            assert_true(day == 0 || spent >= 0.9 * BUDGET);
        }
    }
}

FG_TESTS(what_cannot_wait_stays_within_the_day, what_cannot_wait_makes_the_rest_dearer,
         a_price_that_is_far_too_low_comes_up, each_day_is_spent_to_one_percent,
         spending_is_uneven_and_the_price_is_not,
         a_burst_a_death_and_a_double_world_are_taken, another_budget_counts_at_once,
         a_restart_changes_nothing, a_crawl_that_was_away_spends_what_is_left,
         an_outage_leaves_the_price_alone, what_cannot_be_spent_is_not,
         ceilings_of_sites_leave_days_whole, a_day_that_has_begun_has_its_rest,
         what_is_certain_makes_no_price, what_a_fetch_costs_counts,
         what_was_read_from_a_broken_disk_is_refused)
