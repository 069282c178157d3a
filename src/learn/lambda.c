/* A site whose pages would get more than its cap gets exactly its cap at a higher price
 * of its own, whatever the common one is. So the sum to find the common price with is
 * that of min(site's sum, cap) (lambda_price.c), and when it is found each site above its
 * cap is solved by itself, its pages copied side by side. */
#include "learn/lambda.h"

#include "base/lanes.h"
#include "base/memory.h"
#include "learn/lambda_price.h"
#include "learn/lambda_rate.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { GATHERING = 2 };   /* passes */
#define HIGH_ENOUGH 1.001 /* change rates of nearly 1 count as a little less */

/* The pages of the sites that are above their caps, site after site. */
struct capped {
    bool *is_over; /* by site */
    float *weight, *change;
    size_t *end;     /* by site; the site before has the start */
    double *nothing; /* by site: the price at which none of its pages is worth a visit */
};

static void capped_clear(struct capped *capped)
{
    free(capped->is_over);
    free(capped->weight);
    free(capped->change);
    free(capped->end);
    free(capped->nothing);
}

/* How many sites are over their caps. */
static size_t find_capped(struct capped *capped, const struct fg_lambda_problem *problem)
{
    size_t over = 0;
    capped->is_over = fg_zeroed(problem->pages.sites, sizeof(bool));
    for (size_t i = 0; problem->site_sum && i < problem->pages.sites; i++) {
        double cap = fg_lambda_cap(&problem->pages, i);
        capped->is_over[i] =
            problem->site_sum[i * problem->width] > cap * (1 + FG_LAMBDA_CLOSE);
        over += capped->is_over[i];
    }
    return over;
}

/* The price from which on a page is not visited. */
static double most_worth(const struct fg_lambda_problem *problem, double weight,
                         double change)
{
    if (!(weight > 0) || !(change > 0) || !isfinite(weight) || !isfinite(change))
        return 0;
    return weight / (problem->model == FG_LAMBDA_BERNOULLI ? fmin(change, 1) : change);
}

static void gather(struct capped *capped, struct fg_lambda_problem *problem)
{
    const struct fg_lambda_pages *pages = &problem->pages;
    size_t *end = capped->end = fg_zeroed(pages->sites + 1, sizeof(size_t));
    for (size_t i = 0; i < pages->n; i++)
        end[pages->site[i] + 1] += capped->is_over[pages->site[i]];
    for (size_t i = 0; i < pages->sites; i++)
        end[i + 1] += end[i];
    capped->weight = fg_resized(NULL, end[pages->sites], sizeof(float));
    capped->change = fg_resized(NULL, end[pages->sites], sizeof(float));
    capped->nothing = fg_zeroed(pages->sites, sizeof(double));
    for (size_t i = 0; i < pages->n; i++)
        if (capped->is_over[pages->site[i]]) {
            size_t at = end[pages->site[i]]++;
            capped->weight[at] = pages->weight[i];
            capped->change[at] = pages->change[i];
            double *nothing = &capped->nothing[pages->site[i]];
            *nothing =
                fmax(*nothing, most_worth(problem, pages->weight[i], pages->change[i]));
        }
    problem->passes += GATHERING;
}

/* Solve a site by itself; the pages read for it. Few pages are read once, for they stay
 * in the cache. Its price is above the common one, at which it would have too much. */
static size_t solve_site(struct fg_lambda *lambda, const struct fg_lambda_problem *whole,
                         const struct capped *capped, size_t site)
{
    size_t first = site ? capped->end[site - 1] : 0, n = capped->end[site] - first;
    bool is_small = n <= FG_LAMBDA_IN_CACHE;
    double last = lambda->site_price[site];
    struct fg_lambda_problem problem = {
        .model = whole->model,
        .most = whole->most,
        .target = fg_lambda_cap(&whole->pages, site),
        .low = lambda->price,
        .high = capped->nothing[site] * HIGH_ENOUGH,
        .allowed = FG_LAMBDA_MOST_PASSES - (is_small ? 0 : whole->passes),
        .pages = {
            .n = n, .weight = capped->weight + first, .change = capped->change + first}};
    struct fg_lambda_found found = {INFINITY, 0, 0};
    if (problem.target > 0)
        found = fg_lambda_find(&problem, last > lambda->price ? last : 0);
    lambda->site_price[site] = found.price;
    lambda->site_mix[site] = found.mix;
    return is_small ? n : n * problem.passes;
}

/* The prices of all sites; `problem` has their sums, unless there was nothing to give. */
static void solve_sites(struct fg_lambda *lambda, struct fg_lambda_problem *problem)
{
    struct capped capped = {0};
    size_t read = 0;
    if (find_capped(&capped, problem) > 0)
        gather(&capped, problem);
    for (size_t i = 0; i < lambda->sites; i++) {
        if (capped.end && capped.is_over[i]) {
            read += solve_site(lambda, problem, &capped, i);
        } else {
            lambda->site_price[i] = lambda->price;
            lambda->site_mix[i] = lambda->mix;
        }
        lambda->site_drive[i] = fg_lambda_drive(lambda->model, lambda->site_price[i]);
        lambda->is_mixed |= lambda->site_mix[i] > 0;
    }
    if (read)
        problem->passes += (read + problem->pages.n - 1) / problem->pages.n;
    capped_clear(&capped);
}

static void clear_sites(struct fg_lambda *lambda)
{
    free(lambda->site_price);
    free(lambda->site_mix);
    free(lambda->site_drive);
    lambda->site_price = lambda->site_mix = lambda->site_drive = NULL;
    lambda->sites = 0;
}

void fg_lambda_clear(struct fg_lambda *lambda)
{
    clear_sites(lambda);
    *lambda = (struct fg_lambda){.model = lambda->model, .most = lambda->most};
}

static double *resized(double *of_site, size_t from, size_t to)
{
    of_site = fg_resized(of_site, to, sizeof *of_site);
    for (size_t i = from; i < to; i++)
        of_site[i] = 0;
    return of_site;
}

/* Sites come and go; prices of those that were there stay, to start from. */
static void reserve_sites(struct fg_lambda *lambda, size_t sites)
{
    if (sites > 0 && sites != lambda->sites) {
        lambda->site_price = resized(lambda->site_price, lambda->sites, sites);
        lambda->site_mix = resized(lambda->site_mix, lambda->sites, sites);
        lambda->site_drive = resized(lambda->site_drive, lambda->sites, sites);
        lambda->sites = sites;
    } else if (sites == 0) {
        clear_sites(lambda);
    }
}

void fg_lambda_set_site(struct fg_lambda *lambda, size_t sites, uint32_t site,
                        double price, double mix)
{
    assert(site < sites);
    reserve_sites(lambda, sites);
    lambda->site_price[site] = price;
    lambda->site_mix[site] = mix;
}

static double bound_of(const struct fg_lambda *lambda)
{
    return lambda->model == FG_LAMBDA_BERNOULLI ? fmin(lambda->most, 1) : lambda->most;
}

double fg_lambda_solve(struct fg_lambda *lambda, const struct fg_lambda_pages *pages,
                       double budget)
{
    assert(lambda->most > 0);
    reserve_sites(lambda, pages->site && pages->cap ? pages->sites : 0);
    struct fg_lambda_problem problem = {.model = lambda->model,
                                        .most = bound_of(lambda),
                                        .target = budget,
                                        .allowed = FG_LAMBDA_MOST_PASSES,
                                        .pages = *pages};
    if (lambda->sites == 0)
        problem.pages.cap = NULL;
    else
        problem.allowed -= GATHERING + FG_LAMBDA_LEAST_PASSES;
    struct fg_lambda_found found = {INFINITY, 0, 0};
    if (budget > 0 && pages->n > 0)
        found = fg_lambda_find(&problem, lambda->price);
    lambda->price = found.price;
    lambda->mix = found.mix;
    lambda->is_mixed = found.mix > 0;
    if (lambda->site_price)
        solve_sites(lambda, &problem);
    lambda->passes = problem.passes;
    free(problem.site_sum);
    return found.sum;
}

/* Of n pages. */
static void block_rates(struct fg_lambda_block *block, const struct fg_lambda *lambda,
                        const struct fg_lambda_pages *pages, size_t first, size_t n)
{
    const double *site_drive = lambda->site_drive;
    if (site_drive)
        for (size_t i = 0; i < n; i++)
            block->drive[i] = site_drive[pages->site[first + i]];
    else
        for (size_t i = 0; i < LANES; i++)
            block->drive[i] = fg_lambda_drive(lambda->model, lambda->price);
    fg_lambda_block(block, lambda->model, bound_of(lambda), pages->weight + first,
                    pages->change + first, n, site_drive);
}

/* Goes the part of the way to the rates at the next higher price that is to be gone. */
static void mix_rates(struct fg_lambda_block *block, const struct fg_lambda *lambda,
                      const struct fg_lambda_pages *pages, size_t first, size_t n)
{
    struct fg_lambda_block above;
    for (size_t i = 0; i < n; i++) {
        double price = lambda->site_price ? lambda->site_price[pages->site[first + i]]
                                          : lambda->price;
        above.drive[i] = fg_lambda_drive(lambda->model, price * FG_LAMBDA_NEAR);
    }
    fg_lambda_block(&above, lambda->model, bound_of(lambda), pages->weight + first,
                    pages->change + first, n, true);
    for (size_t i = 0; i < n; i++) {
        double mix =
            lambda->site_mix ? lambda->site_mix[pages->site[first + i]] : lambda->mix;
        block->rate[i] += mix * (above.rate[i] - block->rate[i]);
    }
}

void fg_lambda_rates(const struct fg_lambda *lambda, const struct fg_lambda_pages *pages,
                     size_t first, size_t n, float *out)
{
    struct fg_lambda_block block;
    for (size_t done = 0, part; done < n; done += part) {
        part = n - done < FG_LAMBDA_BLOCK ? n - done : FG_LAMBDA_BLOCK;
        block_rates(&block, lambda, pages, first + done, part);
        if (lambda->is_mixed)
            mix_rates(&block, lambda, pages, first + done, part);
        for (size_t i = 0; i < part; i++)
            out[done + i] = (float)block.rate[i];
    }
}

double fg_lambda_rate(const struct fg_lambda *lambda, double weight, double change,
                      uint32_t site)
{
    bool is_capped = site < lambda->sites && lambda->site_price[site] > 0;
    double price = is_capped ? lambda->site_price[site] : lambda->price;
    double mix = is_capped ? lambda->site_mix[site] : lambda->mix;
    double most = bound_of(lambda);
    double rate = fg_lambda_one(lambda->model, most, price, weight, change);
    if (mix > 0)
        rate += mix * (fg_lambda_one(lambda->model, most, price * FG_LAMBDA_NEAR, weight,
                                     change) -
                       rate);
    return rate;
}

/* At 1 the printed form divides by nothing. */
static double printed_change(const struct fg_lambda_pages *pages, size_t i)
{
    static const double most = 1 - 1e-4;
    return fmin((double)pages->change[i], most);
}

void fg_lambda_printed(const struct fg_lambda_pages *pages, double budget, double *out)
{
    double above = 0, below = budget;
    for (size_t i = 0; i < pages->n; i++) {
        double weight = pages->weight[i], change = printed_change(pages, i);
        above += sqrt(weight * change) / (1 - change);
        below += change / (1 - change);
    }
    double price = pow(above / below, 2);
    for (size_t i = 0; i < pages->n; i++) {
        double weight = pages->weight[i], change = printed_change(pages, i);
        out[i] = (sqrt(weight * change / price) - change) / (1 - change);
    }
}
