#include "lab/twin/life.h"

#include <math.h>

static const double begins[FG_LIFE_AGES + 1] = {0, 2, 6, 24, 96, INFINITY};
static const double prior = 2, prior_mean = 3;

void fg_life_add(struct fg_life *life, double known_from, double until, bool has_left)
{
    for (size_t i = 0; i < FG_LIFE_AGES; i++) {
        double from = fmax(known_from, begins[i]), to = fmin(until, begins[i + 1]);
        life->hours[i] += to > from ? to - from : 0;
        life->left[i] += has_left && until > begins[i] && until <= begins[i + 1];
    }
}

double fg_life_mean(const struct fg_life *life, double usual)
{
    double hours = prior_mean * usual, left = prior_mean;
    for (size_t i = 0; i < FG_LIFE_AGES; i++) {
        hours += life->hours[i];
        left += life->left[i];
    }
    return hours / left;
}

void fg_life_done(struct fg_life *life, double usual)
{
    double mean = fg_life_mean(life, usual);
    for (size_t i = 0; i < FG_LIFE_AGES; i++)
        life->rate[i] = (life->left[i] + prior) / (life->hours[i] + prior * mean);
}

/* Departures to be expected up to that age. */
static double hazard(const struct fg_life *life, double age)
{
    double sum = 0;
    for (size_t i = 0; i < FG_LIFE_AGES && age > begins[i]; i++)
        sum += life->rate[i] * (fmin(age, begins[i + 1]) - begins[i]);
    return sum;
}

static double age_of(const struct fg_life *life, double hazard)
{
    size_t i = 0;
    for (; i + 1 < FG_LIFE_AGES; i++) {
        double span = life->rate[i] * (begins[i + 1] - begins[i]);
        if (hazard < span)
            break;
        hazard -= span;
    }
    return begins[i] + hazard / life->rate[i];
}

double fg_life_left_after(const struct fg_life *life, double age)
{
    return exp(-hazard(life, fmax(age, 0)));
}

double fg_life_within(const struct fg_life *life, double span)
{
    double sum = 0, there = 1;
    for (size_t i = 0; i < FG_LIFE_AGES && span > begins[i]; i++) {
        double hours = fmin(span, begins[i + 1]) - begins[i],
               stays = exp(-life->rate[i] * hours);
        sum += there * (1 - stays) / life->rate[i];
        there *= stays;
    }
    return sum;
}

double fg_life_draw(const struct fg_life *life, struct fg_rng *rng, double age,
                    double most)
{
    double from = hazard(life, age);
    double span = isinf(most) ? INFINITY : hazard(life, most) - from;
    double leaves = -log1p(-fg_rng_open(rng) * -expm1(-span));
    double drawn = age_of(life, from + leaves);
    return drawn < most ? drawn : most;
}
