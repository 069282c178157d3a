/* Every page has a best rate at a given price of a visit (lambda_rate.c), and the sum of
 * the rates falls as the price rises. So solving is finding the one price at which the
 * sum is the budget. The closed form of Azar et al. is what Newton's first step would be
 * if no page were at a bound; pages that are not worth the price then come out negative
 * and lend their visits to others.
 *
 * In s = 1 / sqrt(price) two of the models have rates that are linear between their
 * bounds, and the third nearly so. Newton's method in s therefore ends exactly, and in a
 * few passes over the pages: about five from a price guessed on a sample of them, three
 * or four from the last one found. Where it does not (a budget that falls among pages
 * that are all alike, rates that leap from 0 to the bound) each further pass tries
 * sixteen prices at once and leaves a sixteenth of the interval: after ten of these it is
 * as narrow as 1e-10, whatever the pages are.
 *
 * Within such an interval [v, v (1 + 2^-33)] every page may have any rate between those
 * at its ends and still pay what its last visit is worth to 1e-10. A mix of both ends
 * makes the sum exact: needed where many pages share one w / l, for their rates at one
 * price or the next double are all or nothing.
 *
 * A site whose pages would get more than its cap gets exactly its cap at a higher price
 * of its own, whatever the common one is. So the sum to find the price with is that of
 * min(site's sum, cap), and when it is found each site above its cap is solved by
 * itself, its pages copied side by side. */
#include "learn/lambda.h"

#include "base/lanes.h"
#include "base/memory.h"
#include "learn/lambda_rate.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PROBES = 16, MOST_PASSES = 20, PASSES_FOR_CAPS = 4 };
enum { SAMPLE = 2048, IN_CACHE = 32768 };

#define NEAR         (1 + 0x1p-33) /* prices this close are the same */
#define LEAST_PRICE  0x1p-1000
#define MOST_PRICE   0x1p400
#define GOLDEN_RATIO 0.61803398874989485
#define CLOSE        1e-11 /* to the budget, relative */

/* Pages, and what their rates should sum up to. */
struct problem {
    enum fg_lambda_model model;
    double most, target;
    struct fg_lambda_pages pages; /* `cap` NULL: none */
    size_t passes;
    double *site_sum; /* [site * width + probe] of the last measurement; owned */
    size_t width;     /* of one probe: 2, the second being the slope */
};

/* A price; mixed with the price next above. */
struct found {
    double price, mix, sum;
};

static double sum_of(const double *v, size_t n)
{
    f64x4 a = {0}, b = {0};
    size_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        a += load(v + i);
        b += load(v + i + LANES);
    }
    for (; i < n; i += LANES) /* blocks are filled up with zeros */
        a += load(v + i);
    a += b;
    return (a[0] + a[1]) + (a[2] + a[3]);
}

static void widen_sites(struct problem *problem, size_t width)
{
    size_t n = problem->pages.sites * width;
    if (width > problem->width)
        problem->site_sum = fg_resized(problem->site_sum, n, sizeof(double));
    problem->width = width;
    memset(problem->site_sum, 0, n * sizeof(double));
}

/* What the sites may have of what they would. */
static double sum_of_sites(const struct problem *problem, size_t probe, double *slope)
{
    double sum = 0;
    for (size_t i = 0; i < problem->pages.sites; i++) {
        const double *of_site = problem->site_sum + i * problem->width;
        double cap = problem->pages.cap[i] > 0 ? problem->pages.cap[i] : 0;
        sum += fmin(of_site[probe], cap);
        if (slope && of_site[0] < cap)
            *slope += of_site[1];
    }
    return sum;
}

static void add_to_sites(struct problem *problem, const struct fg_lambda_block *block,
                         size_t first, size_t n, size_t probe, bool has_slope)
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

/* One pass: the sum of the rates at each of k prices, and of the slopes (not NULL only if
 * k is 1). */
static void measure(struct problem *problem, const double *price, size_t k, double *sum,
                    double *slope)
{
    const struct fg_lambda_pages *pages = &problem->pages;
    struct fg_lambda_block block;
    memset(sum, 0, k * sizeof *sum);
    if (slope)
        *slope = 0;
    if (pages->cap)
        widen_sites(problem, slope ? 2 : k);
    for (size_t at = 0, n; at < pages->n; at += n) {
        n = pages->n - at < FG_LAMBDA_BLOCK ? pages->n - at : FG_LAMBDA_BLOCK;
        for (size_t j = 0; j < k; j++) {
            for (size_t i = 0; i < LANES; i++)
                block.drive[i] = fg_lambda_drive(problem->model, price[j]);
            fg_lambda_block(&block, problem->model, problem->most, pages->weight + at,
                            pages->change + at, n, false);
            if (pages->cap) {
                add_to_sites(problem, &block, at, n, j, slope);
                continue;
            }
            sum[j] += sum_of(block.rate, n);
            if (slope)
                *slope += sum_of(block.slope, n);
        }
    }
    for (size_t j = 0; pages->cap && j < k; j++)
        sum[j] = sum_of_sites(problem, j, slope);
    problem->passes++;
}

/* Leaves the sums that the sites would have at the price found in their first places. */
static void settle_sites(struct problem *problem, size_t probe, double mix)
{
    for (size_t i = 0; problem->pages.cap && i < problem->pages.sites; i++) {
        const double *sum = problem->site_sum + i * problem->width + probe;
        double next = probe + 1 < problem->width ? sum[1] : 0;
        problem->site_sum[i * problem->width] = sum[0] + mix * (next - sum[0]);
    }
}

/* Newton's step along a straight line; far away along it or along a power of s, whichever
 * is shorter: the line is right among pages that are alike, the power among rates of all
 * magnitudes, and each goes much too far where the other is right. */
static double newton_step(double price, double sum, double slope, double target)
{
    if (!(sum > 0) || !(slope > 0))
        return NAN;
    double grow = 1 + (target - sum) / slope, power = pow(target / sum, sum / slope);
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
static bool follow_slope(struct problem *problem, struct search *search,
                         struct found *found)
{
    double price = search->next, sum, slope;
    measure(problem, &price, 1, &sum, &slope);
    double miss = fabs(sum - problem->target);
    if (miss <= CLOSE * problem->target) {
        settle_sites(problem, 0, 0);
        *found = (struct found){price, 0, sum};
        return true;
    }
    *(sum > problem->target ? &search->low : &search->high) = price;
    search->next = newton_step(price, sum, slope, problem->target);
    search->is_lost = !(search->next > search->low && search->next < search->high) ||
                      miss > search->miss / 4;
    search->is_near = search->is_lost && fabs(search->next / price - 1) < NEAR - 1;
    search->miss = miss;
    return false;
}

/* How much of the upper price makes the sum the target, measured at two prices. */
static double mix_of(const struct problem *problem, const double *sum, size_t probe)
{
    if (!problem->pages.cap)
        return (sum[0] - problem->target) / (sum[0] - sum[1]);
    double least = 0, most = 1;
    for (int i = 0; i < 60;
         i++) { /* sites reach their caps on the way: no straight line */
        double mix = (least + most) / 2, total = 0;
        for (size_t j = 0; j < problem->pages.sites; j++) {
            const double *of_site = problem->site_sum + j * problem->width + probe;
            double cap = problem->pages.cap[j] > 0 ? problem->pages.cap[j] : 0;
            total += fmin(of_site[0] + mix * (of_site[1] - of_site[0]), cap);
        }
        *(total > problem->target ? &least : &most) = mix;
    }
    return (least + most) / 2;
}

/* Sixteen rising prices: as close as prices need be, around the one that seems right or
 * in an interval that is narrow already; at distances that double, from the one end that
 * is known; else at even ratios over the interval. True if they are close. */
static bool spread(const struct search *search, double price[PROBES])
{
    double octaves = log2(search->high / search->low);
    bool is_close = search->is_near || octaves <= 14 * log2(NEAR);
    price[0] = search->low;
    if (search->is_near)
        price[0] = fmax(search->next * (1 - PROBES / 2 * (NEAR - 1)), search->low);
    for (int i = 1; i < PROBES; i++)
        if (is_close)
            price[i] = price[i - 1] * NEAR;
        else if (search->low <= LEAST_PRICE)
            price[i] = search->high * exp2(-octaves * exp2(-i));
        else if (search->high >= MOST_PRICE)
            price[i] = search->low * exp2(octaves * exp2(i - PROBES));
        else
            price[i] = search->low * exp2(octaves * i / PROBES);
    return is_close;
}

/* One pass over that many prices. True if the price was found, or there is none. */
static bool narrow(struct problem *problem, struct search *search, struct found *found)
{
    double price[PROBES], sum[PROBES];
    bool is_close = spread(search, price);
    measure(problem, price, PROBES, sum, NULL);
    size_t over = 0; /* prices at which too much is asked for */
    while (over < PROBES && sum[over] >= problem->target)
        over++;
    if (over == 0 && price[0] <= LEAST_PRICE) {
        settle_sites(problem, 0, 0);
        *found = (struct found){0, 0, sum[0]}; /* more cannot be given */
        return true;
    }
    search->is_near = search->is_lost = false;
    search->miss = INFINITY;
    search->low = over > 0 ? price[over - 1] : search->low;
    search->high = over < PROBES ? price[over] : search->high;
    search->next = sqrt(search->low * search->high);
    if (over == 0 || over == PROBES)
        return false;
    if (is_close) {
        double mix = mix_of(problem, sum + over - 1, over - 1);
        settle_sites(problem, over - 1, mix);
        *found = (struct found){price[over - 1], mix, problem->target};
        return true;
    }
    double share = (sum[over - 1] - problem->target) / (sum[over - 1] - sum[over]);
    search->next = search->low * pow(search->high / search->low, share);
    return false;
}

/* Passes that it takes at most if no more steps are made. */
static size_t passes_left(const struct search *search)
{
    double octaves = log2(search->high / search->low), close = 14 * log2(NEAR);
    bool has_ends = search->low > LEAST_PRICE && search->high < MOST_PRICE;
    return (has_ends ? 1 : 2) +
           (size_t)ceil(fmax(log2(octaves / close) / log2(PROBES), 0));
}

static struct found solve(struct problem *problem, double start)
{
    struct search search = {
        .low = LEAST_PRICE, .high = MOST_PRICE, .next = start, .miss = INFINITY};
    struct found found = {0};
    size_t most = MOST_PASSES - (problem->pages.cap ? PASSES_FOR_CAPS : 0);
    bool is_found = false;
    while (!is_found)
        if (search.is_lost || problem->passes + passes_left(&search) >= most)
            is_found = narrow(problem, &search, &found);
        else
            is_found = follow_slope(problem, &search, &found);
    return found;
}

/* Some of the pages, and the price at which they would take their share of the target;
 * the closed form to start from. */
static double guess(const struct problem *problem)
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
    double price = pow(roots_sum / (target + changes), 2);
    price = price > LEAST_PRICE && price < MOST_PRICE ? price : 1;
    if (n <= 2 * SAMPLE)
        return price;
    struct problem sample = {.model = problem->model,
                             .most = problem->most,
                             .target = target,
                             .pages = {.n = taken, .weight = weight, .change = change}};
    struct found found = solve(&sample, price);
    return found.price > 0 ? found.price : price;
}

static bool is_price(double price)
{
    return price > LEAST_PRICE && price < MOST_PRICE;
}

/* The pages of the sites that are above their caps, site after site. */
struct capped {
    float *weight, *change;
    size_t *end; /* by site; the site before has the start */
};

static bool is_over(const struct problem *problem, size_t site)
{
    double cap = problem->pages.cap[site] > 0 ? problem->pages.cap[site] : 0;
    return problem->site_sum[site * problem->width] > cap * (1 + CLOSE);
}

static struct capped gather(struct problem *problem)
{
    const struct fg_lambda_pages *pages = &problem->pages;
    struct capped capped = {.end = fg_zeroed(pages->sites + 1, sizeof(size_t))};
    for (size_t i = 0; i < pages->n; i++)
        capped.end[pages->site[i] + 1] += is_over(problem, pages->site[i]);
    for (size_t i = 0; i < pages->sites; i++)
        capped.end[i + 1] += capped.end[i];
    size_t n = capped.end[pages->sites];
    capped.weight = fg_zeroed(n, sizeof(float));
    capped.change = fg_zeroed(n, sizeof(float));
    for (size_t i = 0; i < pages->n; i++)
        if (is_over(problem, pages->site[i])) {
            size_t at = capped.end[pages->site[i]]++;
            capped.weight[at] = pages->weight[i];
            capped.change[at] = pages->change[i];
        }
    problem->passes += 2;
    return capped;
}

/* Solve a site by itself; the pages read for it. Few pages are read once, for they stay
 * in the cache. */
static size_t solve_site(struct fg_lambda *lambda, const struct problem *whole,
                         const struct capped *capped, size_t site, double start)
{
    size_t first = site ? capped->end[site - 1] : 0, n = capped->end[site] - first;
    double cap = whole->pages.cap[site];
    if (!(cap > 0)) {
        lambda->site_price[site] = INFINITY;
        return 0;
    }
    struct problem problem = {.model = whole->model,
                              .most = whole->most,
                              .target = cap,
                              .pages = {.n = n,
                                        .weight = capped->weight + first,
                                        .change = capped->change + first}};
    struct found found = solve(&problem, start);
    lambda->site_price[site] = found.price;
    lambda->site_mix[site] = found.mix;
    return n <= IN_CACHE ? n : n * problem.passes;
}

static void solve_sites(struct fg_lambda *lambda, struct problem *problem)
{
    size_t sites = problem->pages.sites, over = 0, read = 0;
    for (size_t i = 0; i < sites; i++)
        over += is_over(problem, i);
    struct capped capped = {0};
    if (over)
        capped = gather(problem);
    for (size_t i = 0; i < sites; i++) {
        double last = lambda->site_price[i];
        lambda->site_price[i] = lambda->price;
        lambda->site_mix[i] = lambda->mix;
        if (!is_over(problem, i))
            continue;
        double start = last > lambda->price && is_price(last) ? last : lambda->price;
        read += solve_site(lambda, problem, &capped, i, is_price(start) ? start : 1);
    }
    problem->passes += (read + problem->pages.n - 1) / problem->pages.n;
    free(capped.weight);
    free(capped.change);
    free(capped.end);
}

static void reserve_sites(struct fg_lambda *lambda, const struct fg_lambda_pages *pages)
{
    size_t sites = pages->site && pages->cap ? pages->sites : 0;
    if (sites == lambda->sites)
        return;
    free(lambda->site_price);
    free(lambda->site_mix);
    lambda->site_price = sites ? fg_zeroed(sites, sizeof(double)) : NULL;
    lambda->site_mix = sites ? fg_zeroed(sites, sizeof(double)) : NULL;
    lambda->sites = sites;
}

static struct found solve_whole(const struct fg_lambda *lambda, struct problem *problem)
{
    double pages = (double)problem->pages.n, price = 0, sum, slope;
    if (problem->target < pages * problem->most)
        return solve(problem, is_price(lambda->price) ? lambda->price : guess(problem));
    measure(problem, &price, 1, &sum, &slope);
    return (struct found){0, 0, sum};
}

static double bound_of(const struct fg_lambda *lambda)
{
    return lambda->model == FG_LAMBDA_BERNOULLI ? fmin(lambda->most, 1) : lambda->most;
}

double fg_lambda_solve(struct fg_lambda *lambda, const struct fg_lambda_pages *pages,
                       double budget)
{
    assert(lambda->most > 0);
    reserve_sites(lambda, pages);
    struct problem problem = {.model = lambda->model,
                              .most = bound_of(lambda),
                              .target = budget,
                              .pages = *pages};
    if (lambda->sites == 0)
        problem.pages.cap = NULL;
    struct found found = {INFINITY, 0, 0};
    if (budget > 0 && pages->n > 0)
        found = solve_whole(lambda, &problem);
    lambda->price = found.price;
    lambda->mix = found.mix;
    if (lambda->sites && problem.site_sum)
        solve_sites(lambda, &problem);
    else
        for (size_t i = 0; i < lambda->sites; i++)
            lambda->site_price[i] = found.price, lambda->site_mix[i] = 0;
    lambda->is_mixed = found.mix > 0;
    for (size_t i = 0; i < lambda->sites; i++)
        lambda->is_mixed |= lambda->site_mix[i] > 0;
    lambda->passes = problem.passes;
    free(problem.site_sum);
    return found.sum;
}

void fg_lambda_clear(struct fg_lambda *lambda)
{
    free(lambda->site_price);
    free(lambda->site_mix);
    *lambda = (struct fg_lambda){.model = lambda->model, .most = lambda->most};
}

/* Of n pages at the prices times `factor`. */
static void block_rates(struct fg_lambda_block *block, const struct fg_lambda *lambda,
                        const struct fg_lambda_pages *pages, size_t first, size_t n,
                        double factor)
{
    bool has_sites = lambda->site_price;
    for (size_t i = 0; i < (has_sites ? n : LANES); i++) {
        double price =
            has_sites ? lambda->site_price[pages->site[first + i]] : lambda->price;
        block->drive[i] = fg_lambda_drive(lambda->model, price * factor);
    }
    fg_lambda_block(block, lambda->model, bound_of(lambda), pages->weight + first,
                    pages->change + first, n, has_sites);
}

void fg_lambda_rates(const struct fg_lambda *lambda, const struct fg_lambda_pages *pages,
                     size_t first, size_t n, float *out)
{
    struct fg_lambda_block block, above;
    for (size_t done = 0, part; done < n; done += part) {
        part = n - done < FG_LAMBDA_BLOCK ? n - done : FG_LAMBDA_BLOCK;
        size_t at = first + done;
        block_rates(&block, lambda, pages, at, part, 1);
        if (lambda->is_mixed) {
            block_rates(&above, lambda, pages, at, part, NEAR);
            for (size_t i = 0; i < part; i++) {
                double mix = lambda->site_mix ? lambda->site_mix[pages->site[at + i]]
                                              : lambda->mix;
                block.rate[i] += mix * (above.rate[i] - block.rate[i]);
            }
        }
        for (size_t i = 0; i < part; i++)
            out[done + i] = (float)block.rate[i];
    }
}

double fg_lambda_rate(const struct fg_lambda *lambda, double weight, double change,
                      uint32_t site)
{
    double price = lambda->site_price ? lambda->site_price[site] : lambda->price;
    double mix = lambda->site_mix ? lambda->site_mix[site] : lambda->mix;
    double most = bound_of(lambda);
    double rate = fg_lambda_one(lambda->model, most, price, weight, change);
    if (mix > 0)
        rate += mix *
                (fg_lambda_one(lambda->model, most, price * NEAR, weight, change) - rate);
    return rate;
}

void fg_lambda_printed(const struct fg_lambda_pages *pages, double budget, double *out)
{
    double above = 0, below = budget;
    for (size_t i = 0; i < pages->n; i++) {
        double weight = pages->weight[i], change = pages->change[i];
        above += sqrt(weight * change) / (1 - change);
        below += change / (1 - change);
    }
    double price = pow(above / below, 2);
    for (size_t i = 0; i < pages->n; i++) {
        double weight = pages->weight[i], change = pages->change[i];
        out[i] = (sqrt(weight * change / price) - change) / (1 - change);
    }
}
