/* lambda.h - how often to fetch each page so that copies are fresh: LambdaCrawl, solved
 *
 *     struct fg_lambda lambda = {.model = FG_LAMBDA_POISSON, .most = 1};
 *     fg_lambda_solve(&lambda, &pages, budget);
 *     for each page: rate = fg_lambda_rate(&lambda, weight[i], change[i], site);
 *     fg_lambda_clear(&lambda);
 *
 * Maximise the sum of w_i F(r_i, l_i) over r_i in [0, most] with sum r_i = budget, F
 * being the share of time that a copy is fresh:
 *
 *     Bernoulli  F = p / (p + D - D p)       p, D: chance of a visit, a change in a step
 *     Poisson    F = r / (r + l)             r, l: visits and changes a step
 *     periodic   F = r / l (1 - exp(-l/r))   visits at even distances
 *
 * Azar et al. (PNAS 2018) give the closed form that the first two have where no bound
 * binds. Most of the time one does: it must be solved on the active set. There is one
 * price v, with w_i F'(r_i) = v wherever 0 < r_i < most; see lambda.c. */
#ifndef FG_LEARN_LAMBDA_H
#define FG_LEARN_LAMBDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fg_lambda_model { FG_LAMBDA_BERNOULLI, FG_LAMBDA_POISSON, FG_LAMBDA_PERIODIC };

/* Flat arrays with one entry a page; values that are negative or not finite count as 0.
 */
struct fg_lambda_pages {
    size_t n;
    const float *weight, *change; /* change: a step; above 1 - 1e-4 it counts as that in
                                     the Bernoulli model */
    const uint32_t *site;         /* NULL: no caps */
    const double *cap;            /* visits a step by site; INFINITY: none */
    size_t sites;
};

struct fg_lambda {
    enum fg_lambda_model model;
    double most;   /* visits of a page a step, above 0; 1 for Bernoulli */
    double price;  /* solved; kept from call to call it saves passes. 0: unknown */
    size_t passes; /* over the pages, that the last solving took */

    /* Private to lambda.c; freed by _clear. A site's price is that of all, or higher. */
    double *site_price, *site_mix, *site_drive; /* by site; NULL without caps */
    size_t sites;
    double mix;
    bool is_mixed;
};

/* Visits that could not be given (pages all at `most`, of no worth, or capped) stay. The
 * sum of the rates is the result, the budget to 1e-9 if it can be met. At most 20 passes,
 * whatever the pages and caps are (a site of up to 32,768 pages counts as read once when
 * it is solved by itself): mostly 2 for the first two models and 6 for the periodic one,
 * 8 to 12 with caps. */
double fg_lambda_solve(struct fg_lambda *lambda, const struct fg_lambda_pages *pages,
                       double budget);
void fg_lambda_clear(struct fg_lambda *lambda);
/* Prices found before, as a caller kept them: that of a site, of `sites`. */
void fg_lambda_set_site(struct fg_lambda *lambda, size_t sites, uint32_t site,
                        double price, double mix);

/* Of a page of this site at the price(s) found; a site that had none has that of all. */
double fg_lambda_rate(const struct fg_lambda *lambda, double weight, double change,
                      uint32_t site);
/* n of them, as fast as the machine can; `out` may be `pages->weight`. */
void fg_lambda_rates(const struct fg_lambda *lambda, const struct fg_lambda_pages *pages,
                     size_t first, size_t n, float *out);

/* The closed form as printed in Table 2 of Han et al. (WWW 2020), unclipped: for showing
 * what becomes of it. Their root is over both terms, a misprint: only with the second
 * outside is it where the derivative of the freshness is the price. */
void fg_lambda_printed(const struct fg_lambda_pages *pages, double budget, double *out);

#endif
