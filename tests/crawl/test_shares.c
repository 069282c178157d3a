/* A budget shared out among lots by bids is worth what it is worth in one process. */
#include "test.h"

#include "base/rng.h"
#include "base/variate.h"
#include "crawl/sites/lot.h"
#include "store/sharing.h"

#include <math.h>

/* Lists to which new pages come at steady rates: a look each 1/f hours finds
 * 1 - exp(-rate/f) of a page that counts once, so that f looks an hour are worth
 * f (1 - exp(-rate/f)), and the last one 1 - exp(-x) (1 + x) with x = rate/f. What is
 * given is best spent where the last look is worth the same on all: x is then the same.
 */
enum { LOTS = 8, TICKS = 8, TURNS = 8 };

struct lists {
    double rates; /* of all together */
};

static double worth(const struct lists *lists, double looks)
{
    return looks > 0 ? looks * -expm1(-lists->rates / looks) : 0;
}

static double price(const struct lists *lists, double looks)
{
    double x = lists->rates / looks;
    return 1 - exp(-x) * (1 + x);
}

/* Lots of 3 to some hundred lists, whose rates are spread over orders of magnitude. */
static double draw(struct lists lots[LOTS], struct fg_rng rng)
{
    double all = 0;
    for (int i = 0; i < LOTS; i++) {
        int n = 3 + (int)(30 * exp(1.3 * fg_rng_normal(&rng)));
        lots[i].rates = 0;
        for (int k = 0; k < n; k++)
            lots[i].rates += exp(-4 + 1.8 * fg_rng_normal(&rng));
        all += lots[i].rates;
    }
    return all;
}

/* Everybody begins with the same; a lot changes its rate at its ticks, and the chair
 * shares out at every beat. Returns what the last tick was worth. */
static double share_out(const struct lists lots[LOTS], double budget)
{
    struct fg_lot_row rows[LOTS] = {0};
    struct fg_lots_state state = {.timeline = (1ULL << 32) | 1, .price = 1};
    state.lots.at = rows;
    state.lots.len = LOTS;
    for (int i = 0; i < LOTS; i++)
        rows[i] = (struct fg_lot_row){.lot = (unsigned)i,
                                      .owner = FG_STR("x"),
                                      .granted = budget / LOTS,
                                      .applied = budget / LOTS};
    double sum = 0;
    for (int tick = 0; tick <= TICKS; tick++) {
        double spent = 0;
        sum = 0;
        for (int i = 0; i < LOTS; i++) {
            double has = rows[i].applied = rows[i].granted;
            spent += has;
            sum += worth(&lots[i], has);
            rows[i].asked = fg_lot_asks(has, true, 600, has, price(&lots[i], has));
        }
        assert_true(spent <= budget + 1e-6);
        for (int turn = 0; turn < TURNS; turn++)
            fg_lots_share(&state, budget);
    }
    return sum;
}

static void bids_are_worth_what_one_process_gets_within_eight_ticks(void **ctx)
{
    (void)ctx;
    double least = 1;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct lists lots[LOTS], one = {0};
        one.rates = draw(lots, fg_rng_from_seed(seed));
        double budget = 0.8 * one.rates,
               part = share_out(lots, budget) / worth(&one, budget);
        least = fmin(least, part);
    }
    printf("worth %.4f of what it could be, or more\n", least);
    if (least < 0.99)
        fail_msg("after %d ticks one of 200 is worth %.4f of what it could be", TICKS,
                 least);
}

/* Who has no price yet asks as before; who did not spend what it has bids for less. */
static void a_bid_is_of_what_was_needed(void **ctx)
{
    (void)ctx;
    assert_true(fg_lot_asks(100, false, 600, 500, 0) == 125);
    assert_true(fg_lot_asks(100, true, 600, 100, 0) == 600);
    assert_true(fg_lot_asks(100, false, 600, 500, 0.25) == 100 * 125 * 0.5);
    assert_true(fg_lot_asks(500, true, 600, 500, 0.25) == 100 * 500 * 0.5);
}

FG_TESTS(bids_are_worth_what_one_process_gets_within_eight_ticks,
         a_bid_is_of_what_was_needed)
