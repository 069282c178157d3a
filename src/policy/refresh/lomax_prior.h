/* lomax_prior.h - how often pages change that we know nothing of, learnt from the others
 *
 *     fg_lomax_prior_start(&prior, 1.0 / 20);
 *     once a day:
 *         struct fg_lomax_sum sum = {0};
 *         for each page visited twice: fg_lomax_sum_add(&sum, &prior, changes, exposure,
 *                                                       scale);
 *         fg_lomax_prior_learn(&prior, &sum);
 *
 * Empirical Bayes. The rate of a page, divided by what is expected of it (its scale), is
 * a gamma variate with a shape and a mean that all pages share. A call to learn is one
 * step of expectation maximisation: fit the gamma to the posteriors of the pages seen. */
#ifndef FG_POLICY_REFRESH_LOMAX_PRIOR_H
#define FG_POLICY_REFRESH_LOMAX_PRIOR_H

#include "learn/change_rate.h"

struct fg_lomax_prior {
    double shape, mean;
    double start; /* mean of the pseudo-pages, which have shape 1 */
};

/* Posterior means over pages. */
struct fg_lomax_sum {
    double pages, rate, log_rate;
};

void fg_lomax_prior_start(struct fg_lomax_prior *prior, double mean);

/* `changes` over an `exposure` in days is what a page has been seen to do, made up for
 * what visits cannot see. */
void fg_lomax_sum_add(struct fg_lomax_sum *sum, const struct fg_lomax_prior *prior,
                      double changes, double exposure, double scale);
void fg_lomax_prior_learn(struct fg_lomax_prior *prior, const struct fg_lomax_sum *sum);

/* Pages of a group are alike. How much more often than others they change is estimated
 * from what was seen of them, each page weighing as much as its own visits say beyond the
 * prior (Buhlmann and Straub, 1970): 1 if nothing was seen, and shrunk towards it. */
struct fg_lomax_group {
    float found, expected, rate; /* rate: the factor */
};
void fg_lomax_group_add(struct fg_lomax_group *group, const struct fg_lomax_prior *prior,
                        double changes, double exposure);
void fg_lomax_group_learn(struct fg_lomax_group *group,
                          const struct fg_lomax_prior *prior, double shrinkage);

/* What is believed of a page. */
static inline struct fg_gamma_rate fg_lomax_belief(const struct fg_lomax_prior *prior,
                                                   double changes, double exposure,
                                                   double scale)
{
    return (struct fg_gamma_rate){
        prior->shape + changes,
        prior->shape / (prior->mean * scale) + exposure,
    };
}

/* The derivative of log Gamma, and its own; x > 0. */
double fg_digamma(double x);
double fg_trigamma(double x);

#endif
