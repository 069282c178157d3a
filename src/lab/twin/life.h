/* life.h - how long links stay on a page, by their age
 *
 *     struct fg_life life = {0};
 *     fg_life_add(&life, known_from, until, has_left);     ages, in hours
 *     fg_life_done(&life, usual);
 *     hours = fg_life_draw(&life, &rng, age, most);
 *
 * The chance of leaving in an hour is taken to be the same within each of five spans of
 * age. A link that is seen at an age was there all the while before, which says nothing
 * of those that left: it counts from the age at which it was first seen. */
#ifndef FG_LAB_TWIN_LIFE_H
#define FG_LAB_TWIN_LIFE_H

#include "base/rng.h"

#include <stdbool.h>

enum { FG_LIFE_AGES = 5 };

struct fg_life {
    double hours[FG_LIFE_AGES], left[FG_LIFE_AGES]; /* seen; departures */
    double rate[FG_LIFE_AGES];                      /* set by fg_life_done */
};

void fg_life_add(struct fg_life *life, double known_from, double until, bool has_left);
/* Hours a link stays, mean, drawn to that of others by three departures. */
double fg_life_mean(const struct fg_life *life, double usual);
void fg_life_done(struct fg_life *life, double usual);

double fg_life_left_after(const struct fg_life *life,
                          double age); /* chance: still there */
/* Hours of the next `span` that a link which has just come is there, mean. */
double fg_life_within(const struct fg_life *life, double span);
/* An age at which it leaves, given that it was there at `age` and leaves before `most`;
 * INFINITY: no such limit. */
double fg_life_draw(const struct fg_life *life, struct fg_rng *rng, double age,
                    double most);

#endif
