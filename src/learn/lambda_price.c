/* Every page has a best rate at a given price of a visit (lambda_rate.c), and the sum of
 * the rates falls as the price rises. So solving is finding the one price at which the
 * sum is the budget. The closed form of Azar et al. is what Newton's first step would be
 * if no page were at a bound; pages that are not worth the price then come out negative
 * and lend their visits to others.
 *
 * In s = 1 / sqrt(price) the rates of two of the models are linear between their bounds.
 * So one pass at two prices, near one that was guessed on a sample or is the last found,
 * settles all pages but the few that meet a bound between them: the rest is a straight
 * line, and the price is found from it and the few. (Measured, 10 million pages, Poisson:
 * 3.4 ns a page from the last price, where Newton's three passes took 10.)
 *
 * Where that cannot be (the periodic model, caps, few pages) Newton's method in s needs
 * three to eight passes. Where steps do not lead on (a budget that falls among pages that
 * are all alike, rates that leap from 0 to the bound) a pass tries sixteen prices at once
 * and leaves a sixteenth of the interval: after ten of these it is as narrow as 1e-10,
 * whatever the pages are. Steps are made only while so many passes would be left. Where
 * fewer are (a big site at its cap, after a common price that was hard to find) a pass
 * tries more prices.
 *
 * Within such an interval [v, v (1 + 2^-33)] every page may have any rate between those
 * at its ends and still pay what its last visit is worth to 1e-10. A mix of both ends
 * makes the sum exact: needed where many pages share one w / l, for their rates at one
 * price or the next double are all or nothing. */
#include "learn/lambda_price.h"

#include "base/elementary.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "learn/lambda_rate.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PROBES = 16,        /* prices in a pass */
    MANY_PROBES = 64,   /* what a few steps in vain may cost */
    MOST_PROBES = 2048, /* if passes run out */
    FENCED_PASSES = 12, /* over a quarter of the pages, at most, between two prices */
    SAMPLE = 2048
};

#define LEAST_PRICE  0x1p-1000
#define MOST_PRICE   0x1p400
#define COLD_REACH   1.5 /* of a price guessed */
#define WARM_REACH   1.1 /* of one found before */
#define GOLDEN_RATIO 0.61803398874989485

static void widen_sites(struct fg_lambda_problem *problem, size_t width)
{
    size_t n = problem->pages.sites * width;
    if (width > problem->width)
        problem->site_sum = fg_resized(problem->site_sum, n, sizeof(double));
    problem->width = width;
    memset(problem->site_sum, 0, n * sizeof(double));
}

static bool is_price(double price)
{
    return price > LEAST_PRICE && price < MOST_PRICE;
}

/* What the sites may have of what they would. */
static double sum_of_sites(const struct fg_lambda_problem *problem, size_t probe,
                           double *slope)
{
    double sum = 0;
    for (size_t i = 0; i < problem->pages.sites; i++) {
        const double *of_site = problem->site_sum + i * problem->width;
        double cap = fg_lambda_cap(&problem->pages, i);
        sum += fmin(of_site[probe], cap);
        if (slope && of_site[0] < cap)
            *slope += of_site[1];
    }
    return sum;
}

static void add_to_sites(struct fg_lambda_problem *problem,
                         const struct fg_lambda_block *block, size_t first, size_t n,
                         size_t probe, bool has_slope)
{
    const uint32_t *site = problem->pages.site + first;
    size_t width = problem->width;
    for (size_t i = 0; i < n; i++) {
        assert(site[i] < problem->pages.sites);
        double *of_site = problem->site_sum + site[i] * width;
        of_site[probe] += block->rate[i];
        if (has_slope)
            of_site[1] += block->slope[i];
    }
}

/* The rates of one block into the sums of its sites. */
static void measure_sites(struct fg_lambda_problem *problem, const double *price,
                          size_t k, size_t at, size_t n)
{
    const struct fg_lambda_pages *pages = &problem->pages;
    struct fg_lambda_block block;
    for (size_t j = 0; j < k; j++) {
        for (size_t i = 0; i < LANES; i++)
            block.drive[i] = fg_lambda_drive(problem->model, price[j]);
        fg_lambda_block(&block, problem->model, problem->most, pages->weight + at,
                        pages->change + at, n, false);
        add_to_sites(problem, &block, at, n, j, k == 1);
    }
}

/* One pass: the sum of the rates at each of k prices, and of the slopes if k is 1. */
static void measure(struct fg_lambda_problem *problem, const double *price, size_t k,
                    double *sum, double *slope)
{
    const struct fg_lambda_pages *pages = &problem->pages;
    for (size_t j = 0; j < k; j++) {
        double s = fg_lambda_drive(FG_LAMBDA_POISSON, price[j]);
        sum[j] = problem->line.start + problem->line.gradient * s;
        *slope = problem->line.gradient * s;
    }
    if (pages->cap)
        widen_sites(problem, k > 1 ? k : 2);
    for (size_t at = 0, n; at < pages->n; at += n) {
        n = pages->n - at < FG_LAMBDA_BLOCK ? pages->n - at : FG_LAMBDA_BLOCK;
        if (pages->cap) {
            measure_sites(problem, price, k, at, n);
            continue;
        }
        for (size_t j = 0; j < k; j++) {
            struct fg_lambda_sums sums =
                fg_lambda_sum(problem->model, problem->most, price[j], pages->weight + at,
                              pages->change + at, n);
            sum[j] += sums.rate;
            *slope += sums.slope;
        }
    }
    for (size_t j = 0; pages->cap && j < k; j++)
        sum[j] = sum_of_sites(problem, j, k == 1 ? slope : NULL);
    problem->passes++;
}

/* Leaves the sums that the sites would have at the price found in their first places. */
static void settle_sites(struct fg_lambda_problem *problem, size_t probe, double mix)
{
    for (size_t i = 0; problem->pages.cap && i < problem->pages.sites; i++) {
        const double *sum = problem->site_sum + i * problem->width + probe;
        double next = probe + 1 < problem->width ? sum[1] : 0;
        problem->site_sum[i * problem->width] = sum[0] + mix * (next - sum[0]);
    }
}

/* The same on every machine, as pow is not. */
static double power_of(double base, double exponent)
{
    return fg_exp(exponent * fg_log(base));
}

/* Newton's step along a straight line; far away along it or along a power of s, whichever
 * is shorter: the line is right among pages that are alike, the power among rates of all
 * magnitudes, and each goes much too far where the other is right. */
static double newton_step(double price, double sum, double slope, double target)
{
    if (!(sum > 0) || !(slope > 0))
        return NAN;
    double grow = 1 + (target - sum) / slope, power = power_of(target / sum, sum / slope);
    if (sum > 2 * target)
        grow = fmax(grow, power);
    else if (sum < target / 2)
        grow = fmin(grow, power);
    return price / (grow * grow);
}

/* Where the price may be, and where to look first. */
struct search {
    double low, high, next;
    double miss;  /* how far from the target the sum was at the last step */
    bool is_near; /* `next` is as near as Newton gets */
    bool is_lost; /* Newton's steps do not lead on */
};

/* One pass at search->next. True if that is the price. */
static bool follow_slope(struct fg_lambda_problem *problem, struct search *search,
                         struct fg_lambda_found *found)
{
    double price = search->next, sum, slope;
    measure(problem, &price, 1, &sum, &slope);
    double miss = fabs(sum - problem->target);
    if (miss <= FG_LAMBDA_CLOSE * problem->target) {
        settle_sites(problem, 0, 0);
        *found = (struct fg_lambda_found){price, 0, sum};
        return true;
    }
    *(sum > problem->target ? &search->low : &search->high) = price;
    search->next = newton_step(price, sum, slope, problem->target);
    search->is_lost = !(search->next > search->low && search->next < search->high) ||
                      miss > search->miss / 4;
    search->is_near =
        search->is_lost && fabs(search->next / price - 1) < FG_LAMBDA_NEAR - 1;
    search->miss = miss;
    return false;
}

/* How much of the upper price makes the sum the target, measured at two prices. With caps
 * the way between them is no straight line, for sites reach theirs. */
static double mix_of(const struct fg_lambda_problem *problem, const double *sum,
                     size_t probe)
{
    if (!problem->pages.cap)
        return (sum[0] - problem->target) / (sum[0] - sum[1]);
    double least = 0, most = 1;
    for (int i = 0; i < 60; i++) {
        double mix = (least + most) / 2, total = 0;
        for (size_t j = 0; j < problem->pages.sites; j++) {
            const double *of_site = problem->site_sum + j * problem->width + probe;
            total += fmin(of_site[0] + mix * (of_site[1] - of_site[0]),
                          fg_lambda_cap(&problem->pages, j));
        }
        *(total > problem->target ? &least : &most) = mix;
    }
    return (least + most) / 2;
}

/* In logarithms, for the ratio may be more than a double can hold. */
static double width_of(const struct search *search)
{
    return fg_log(search->high) - fg_log(search->low);
}

/* So many prices, each next to the one before, fill it. */
static double close_width(size_t probes)
{
    return ((double)probes - 2) * (FG_LAMBDA_NEAR - 1);
}

static bool has_ends(const struct search *search)
{
    return search->low > LEAST_PRICE && search->high < MOST_PRICE;
}

/* Passes that it takes at most if no more steps are made. */
static size_t passes_left(const struct search *search, size_t probes)
{
    double width = width_of(search);
    size_t passes = has_ends(search) ? 1 : 2;
    for (; width > close_width(probes); passes++)
        width /= (double)probes;
    return passes;
}

/* Sums by site take room, and distances that double need few prices. */
static size_t most_probes(const struct fg_lambda_problem *problem,
                          const struct search *search, size_t most)
{
    return has_ends(search) && !problem->pages.cap ? most : PROBES;
}

/* The fewest prices a pass with which the passes left are enough. */
static size_t probes_for(const struct fg_lambda_problem *problem,
                         const struct search *search)
{
    size_t probes = PROBES, most = most_probes(problem, search, MOST_PROBES);
    while (probes < most &&
           problem->passes + passes_left(search, probes) > problem->allowed)
        probes *= 2;
    return probes;
}

/* Whether as many passes can be spent in vain. */
static bool can_spare(const struct fg_lambda_problem *problem,
                      const struct search *search, size_t passes)
{
    size_t probes = most_probes(problem, search, MANY_PROBES);
    return problem->passes + passes + passes_left(search, probes) <= problem->allowed;
}

/* Rising prices: as close as prices need be, around the one that seems right or in an
 * interval that is narrow already; at distances that double, from the one end that is
 * known; else at even ratios over the interval. True if they are close. */
static bool spread(const struct search *search, double *price, size_t probes)
{
    double width = width_of(search), steps = (double)probes;
    bool is_close = search->is_near || width <= close_width(probes);
    price[0] = search->low;
    if (search->is_near)
        price[0] =
            fmax(search->next * (1 - 0.5 * steps * (FG_LAMBDA_NEAR - 1)), search->low);
    for (size_t i = 1; i < probes; i++)
        if (is_close)
            price[i] = price[i - 1] * FG_LAMBDA_NEAR;
        else if (search->low <= LEAST_PRICE)
            price[i] = search->high * fg_exp(-width * fg_power_of_two(-(int)i));
        else if (search->high >= MOST_PRICE)
            price[i] = search->low * fg_exp(width * fg_power_of_two((int)i - PROBES));
        else
            price[i] = search->low * fg_exp(width * (double)i / steps);
    return is_close;
}

/* One pass over that many prices. True if the price was found, or there is none. */
static bool narrow(struct fg_lambda_problem *problem, struct search *search,
                   struct fg_lambda_found *found)
{
    double price[MOST_PROBES], sum[MOST_PROBES], slope;
    search->is_near = search->is_near && can_spare(problem, search, 1);
    size_t probes = probes_for(problem, search), over = 0;
    bool is_close = spread(search, price, probes);
    measure(problem, price, probes, sum, &slope);
    while (over < probes && /* at these prices too much is asked for */
           sum[over] >= problem->target)
        over++;
    if (over == 0 && price[0] <= LEAST_PRICE) {
        settle_sites(problem, 0, 0);
        *found = (struct fg_lambda_found){0, 0, sum[0]}; /* more cannot be given */
        return true;
    }
    search->is_near = search->is_lost = false;
    search->miss = INFINITY;
    search->low = over > 0 ? price[over - 1] : search->low;
    search->high = over < probes ? price[over] : search->high;
    search->next = sqrt(search->low) * sqrt(search->high);
    if (over == 0 || over == probes)
        return false;
    if (is_close) {
        double mix = mix_of(problem, sum + over - 1, over - 1);
        settle_sites(problem, over - 1, mix);
        *found = (struct fg_lambda_found){price[over - 1], mix, problem->target};
        return true;
    }
    double share = (sum[over - 1] - problem->target) / (sum[over - 1] - sum[over]);
    search->next = search->low * fg_exp(width_of(search) * share);
    return false;
}

static struct fg_lambda_found seek(struct fg_lambda_problem *problem,
                                   struct search *search)
{
    struct fg_lambda_found found = {0};
    bool is_found = false;
    while (!is_found)
        if (search->is_lost || !can_spare(problem, search, 1))
            is_found = narrow(problem, search, &found);
        else
            is_found = follow_slope(problem, search, &found);
    return found;
}

/* One pass that lists the pages whose rates are not linear between two prices; false if
 * there are too many. */
static bool list_pages(struct fg_lambda_problem *problem, struct fg_lambda_fence *fence)
{
    const struct fg_lambda_pages *pages = &problem->pages;
    size_t room = pages->n / 4 + FG_LAMBDA_BLOCK, at = 0;
    fence->weight = fg_resized(NULL, room, sizeof(float));
    fence->change = fg_resized(NULL, room, sizeof(float));
    for (size_t n; at < pages->n && fence->n + FG_LAMBDA_BLOCK <= room; at += n) {
        n = pages->n - at < FG_LAMBDA_BLOCK ? pages->n - at : FG_LAMBDA_BLOCK;
        fg_lambda_fence(fence, problem->model, problem->most, pages->weight + at,
                        pages->change + at, n);
    }
    problem->passes++;
    return at >= pages->n;
}

/* What is left to solve between the two prices: the pages listed, and a line. */
static struct fg_lambda_problem problem_within(const struct fg_lambda_problem *problem,
                                               const struct fg_lambda_fence *fence)
{
    double gradient =
        (fence->sum[1] - fence->sum[0]) / (fence->drive[1] - fence->drive[0]);
    return (struct fg_lambda_problem){
        .model = problem->model,
        .most = problem->most,
        .target = problem->target,
        .allowed = FENCED_PASSES,
        .pages = {.n = fence->n, .weight = fence->weight, .change = fence->change},
        .line = {fence->sum[0] - gradient * fence->drive[0], gradient},
    };
}

/* Where the price is, with respect to two prices measured. True if between them; else
 * `next` is a step away from the nearer. */
static bool is_within(struct search *search, double target, const double price[2],
                      const double sum[2], const double slope[2])
{
    if (sum[0] <= target)
        search->high = fmin(search->high, price[0]);
    if (sum[1] <= target)
        search->high = fmin(search->high, price[1]);
    if (sum[1] > target)
        search->low = fmax(search->low, price[1]);
    if (sum[0] > target)
        search->low = fmax(search->low, price[0]);
    if (sum[0] <= target && sum[1] > target)
        return true;
    size_t nearer = sum[0] > target ? 0 : 1;
    search->next = newton_step(price[nearer], sum[nearer], slope[nearer], target);
    return false;
}

/* Look between two prices around search->next. */
static bool fence_off(struct fg_lambda_problem *problem, struct search *search,
                      double reach, struct fg_lambda_found *found)
{
    double price[2] = {search->next * reach, search->next / reach}, sum[2], slope[2];
    struct fg_lambda_fence fence = {
        .drive = {fg_lambda_drive(problem->model, price[0]),
                  fg_lambda_drive(problem->model, price[1])},
    };
    bool is_found = false;
    if (list_pages(problem, &fence)) {
        struct fg_lambda_problem few = problem_within(problem, &fence);
        for (size_t i = 0; i < 2; i++)
            measure(&few, &price[i], 1, &sum[i], &slope[i]);
        is_found = is_within(search, problem->target, price, sum, slope);
        if (is_found)
            *found = seek(&few, search);
        problem->passes +=
            (few.passes * few.pages.n + problem->pages.n - 1) / problem->pages.n;
    }
    free(fence.weight);
    free(fence.change);
    return is_found;
}

/* Whether there are passes for a fence that holds, and for one that does not. */
static bool can_fence(const struct fg_lambda_problem *problem,
                      const struct search *search)
{
    return problem->passes + 2 + FENCED_PASSES / 4 <= problem->allowed &&
           can_spare(problem, search, 1);
}

/* `reach`: how far off, as a factor, the start may be. */
static struct fg_lambda_found find_from(struct fg_lambda_problem *problem, double start,
                                        double reach)
{
    struct search search = {
        .low = LEAST_PRICE, .high = MOST_PRICE, .next = start, .miss = INFINITY};
    if (problem->high > 0)
        search.high = problem->high;
    if (problem->low > LEAST_PRICE)
        search.low = problem->low;
    struct fg_lambda_found found = {0};
    bool has_lines = problem->model != FG_LAMBDA_PERIODIC && !problem->pages.cap;
    if (has_lines && problem->pages.n > FG_LAMBDA_IN_CACHE)
        for (int i = 0; i < 3 && is_price(search.next) && can_fence(problem, &search);
             i++)
            if (fence_off(problem, &search, reach, &found))
                return found;
    search.is_lost = !(search.next > search.low && search.next < search.high);
    return seek(problem, &search);
}

/* Some of the pages, and the price at which they would take their share of the target;
 * the closed form to start from. */
static double guess(const struct fg_lambda_problem *problem)
{
    float weight[SAMPLE], change[SAMPLE];
    size_t n = problem->pages.n, taken = n < SAMPLE ? n : SAMPLE;
    double roots_sum = 0, changes = 0;
    for (size_t i = 0; i < taken; i++) {
        /* multiples of the golden ratio: even, and in step with nothing */
        double place =
            n > SAMPLE ? fmod((double)i * GOLDEN_RATIO, 1) * (double)n : (double)i;
        double w = problem->pages.weight[(size_t)place];
        double l = problem->pages.change[(size_t)place];
        bool is_worth = w > 0 && l > 0 && isfinite(w) && isfinite(l);
        weight[i] = is_worth ? (float)w : 0;
        change[i] = is_worth ? (float)l : 0;
        roots_sum += is_worth ? sqrt(w * l) : 0;
        changes += is_worth ? l : 0;
    }
    double target = problem->target * (double)taken / (double)n;
    double root = roots_sum / (target + changes), price = root * root;
    price = is_price(price) ? price : 1;
    if (n <= 2 * SAMPLE)
        return price;
    struct fg_lambda_problem sample = {
        .model = problem->model,
        .most = problem->most,
        .target = target,
        .allowed = FG_LAMBDA_MOST_PASSES,
        .pages = {.n = taken, .weight = weight, .change = change}};
    struct fg_lambda_found found = find_from(&sample, price, COLD_REACH);
    return found.price > 0 ? found.price : price;
}

struct fg_lambda_found fg_lambda_find(struct fg_lambda_problem *problem, double last)
{
    double pages = (double)problem->pages.n, price = 0, sum, slope;
    if (problem->target < pages * problem->most)
        return is_price(last) ? find_from(problem, last, WARM_REACH)
                              : find_from(problem, guess(problem), COLD_REACH);
    measure(problem, &price, 1, &sum, &slope);
    return (struct fg_lambda_found){0, 0, sum};
}
