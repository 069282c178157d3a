#include "policy/refresh/lomax_prior.h"

#include "base/elementary.h"

#include <math.h>

/* Pseudo-pages keep the first days sane, when few have been seen. */
static const double pseudo_pages = 2, least_shape = 0.05, most_shape = 20;
static const double least_factor = 0.02, most_factor = 50;

/* The asymptotic series errs by less than 1e-10 from 6 on; below, the recurrences. */
double fg_digamma(double x)
{
    double below = 0;
    if (!(x > 0))
        return NAN;
    while (x < 6) {
        below -= 1 / x;
        x += 1;
    }
    double y = 1 / (x * x);
    double series = y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240))));
    return below + fg_log(x) - 0.5 / x - series;
}

double fg_trigamma(double x)
{
    double below = 0;
    if (!(x > 0))
        return NAN;
    while (x < 6) {
        below += 1 / (x * x);
        x += 1;
    }
    double y = 1 / (x * x);
    double series = 1.0 / 6 - y * (1.0 / 30 - y * (1.0 / 42 - y * (1.0 / 30)));
    return below + 1 / x + y / 2 + y / x * series;
}

void fg_lomax_prior_start(struct fg_lomax_prior *prior, double mean)
{
    *prior = (struct fg_lomax_prior){.shape = 1, .mean = mean, .start = mean};
}

void fg_lomax_sum_add(struct fg_lomax_sum *sum, const struct fg_lomax_prior *prior,
                      double changes, double exposure, double scale)
{
    struct fg_gamma_rate page = fg_lomax_belief(prior, changes, exposure, scale);
    sum->pages++;
    sum->rate += page.a / page.b / scale;
    sum->log_rate += fg_digamma(page.a) - fg_log(page.b * scale);
}

/* The shape of a gamma variate x with log(mean x) - mean(log x) = gap: Minka's start,
 * then Newton's steps. */
static double shape_of(double gap)
{
    double shape = (3 - gap + sqrt((gap - 3) * (gap - 3) + 24 * gap)) / (12 * gap);
    for (int i = 0; i < 3; i++) {
        double error = fg_log(shape) - fg_digamma(shape) - gap;
        double next = shape - error / (1 / shape - fg_trigamma(shape));
        shape = next > 0 ? next : shape / 2;
    }
    return fmin(fmax(shape, least_shape), most_shape);
}

void fg_lomax_prior_learn(struct fg_lomax_prior *prior, const struct fg_lomax_sum *sum)
{
    double pages = sum->pages + pseudo_pages;
    double mean = (sum->rate + pseudo_pages * prior->start) / pages;
    double pseudo_log = fg_digamma(1) + fg_log(prior->start);
    double mean_log = (sum->log_rate + pseudo_pages * pseudo_log) / pages;
    prior->shape = shape_of(fmax(fg_log(mean) - mean_log, 1e-6));
    prior->mean = mean;
}

void fg_lomax_group_add(struct fg_lomax_group *group, const struct fg_lomax_prior *prior,
                        double changes, double exposure)
{
    double prior_days = prior->shape / prior->mean, all = prior_days + exposure;
    group->found += (float)(changes / (all * prior->mean));
    group->expected += (float)(exposure / all);
}

/* The rates of pages spread by 1 / shape about the group's: a heavy tail tells little. */
void fg_lomax_group_learn(struct fg_lomax_group *group,
                          const struct fg_lomax_prior *prior, double shrinkage)
{
    double rate = (shrinkage + prior->shape * (double)group->found) /
                  (shrinkage + prior->shape * (double)group->expected);
    group->rate = (float)fmin(fmax(rate, least_factor), most_factor);
}
