/* thompson.c - draw a plausible yield for each source, visit the highest draws
 *
 * Schulam & Muslea, "Improving the Exploration/Exploitation Trade-Off in Web Content
 * Discovery" (WWW 2023 Companion). The number of new links a visit of source u finds at
 * hour of day h is taken as Poisson with rate lambda(u,h), and each rate has a gamma
 * prior. The posterior is gamma again: shape alpha + links found, rate beta + visits
 * made, over the visits at that hour. A draw from it is the score. A source seldom
 * visited at this hour has a wide posterior and now and then draws high: that is the
 * exploration.
 *
 * The cells know nothing of how long a source has waited, so a source visited an hour ago
 * and one visited yesterday are drawn alike; and a link shown by two sources is credited
 * to both when they are visited in the same tick, as the paper defines yield.
 * `thompson-week` has a cell for each hour of the week, the finer partition that the
 * paper mentions. With `refresh` hours given, all sources are visited once in each such
 * period, the "occasional full refresh" of section 3.4: those not yet seen in it come
 * first. `exposure` and `link-types` cure both. The first visit of a source finds its
 * whole stock of links and pollutes its cell: the paper's algorithm does so, and so do
 * we. */
#include "policy/discovery/calendar.h"
#include "policy/policy.h"

#include "base/fill.h"

#include <math.h>

enum { HOURS = 24, WEEK = 168, BLOCK = 256 };

/* Planar, because a tick looks at one hour of all sources, and memory is what a tick over
 * millions of sources waits for. */
enum { FOUND, VISITS };
static const struct fg_column columns[] = {
    [FOUND] = {"found", FG_F32, HOURS, .is_planar = true},
    [VISITS] = {"visits", FG_F32, HOURS, .is_planar = true},
    {0},
};
static const struct fg_column week_columns[] = {
    [FOUND] = {"found", FG_F32, WEEK, .is_planar = true},
    [VISITS] = {"visits", FG_F32, WEEK, .is_planar = true},
    {0},
};

enum { ALPHA, BETA, REFRESH };
static const struct fg_param params[] = {
    [ALPHA] = {"alpha", 1.0, 1e-3, 1e3,
               "new links assumed before the first visit of a cell"},
    [BETA] = {"beta", 1.0, 1e-3, 1e3, "visits over which they are assumed"},
    [REFRESH] = {"refresh", 0, 0, 87600,
                 "hours in which every source is visited once; 0: never mind"},
    {0},
};

static size_t cell_of(const struct fg_brain *brain, size_t page, fg_time now)
{
    bool is_weekly = brain->policy->columns == week_columns;
    return ((size_t)is_weekly * 24 * fg_day_of_week(now) + fg_hour_of_day(now)) *
               brain->room +
           page;
}

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    if (!visit->ok)
        return;
    size_t cell = cell_of(brain, visit->page, visit->now);
    brain->f32[FOUND][cell] += (float)visit->n_fresh;
    brain->f32[VISITS][cell] += 1;
}

static double shape_of(const struct fg_brain *brain, size_t cell)
{
    return brain->knob[ALPHA] + (double)brain->f32[FOUND][cell];
}

static double rate_of(const struct fg_brain *brain, size_t cell)
{
    return brain->knob[BETA] + (double)brain->f32[VISITS][cell];
}

/* Periods are counted from 1970, so that nothing need be remembered. */
static void put_due_first(const struct fg_brain *brain, fg_time now, size_t first,
                          size_t n, float *out)
{
    const float ahead = 1e6f; /* of any draw, and hours count beside it */
    fg_time period = (fg_time)(brain->knob[REFRESH] * (double)FG_HOUR);
    fg_time since = now - (now % period + period) % period;
    for (size_t i = 0; i < n; i++) {
        fg_time last = brain->world->last_try[first + i];
        if (last == FG_NEVER || last < since)
            out[i] = ahead + fminf(fg_world_waited(brain->world, first + i, now), ahead);
    }
}

static void score(struct fg_brain *brain, fg_time now, size_t first, size_t n, float *out)
{
    double shape[BLOCK], rate[BLOCK], drawn[BLOCK];
    for (size_t done = 0; done < n; done += BLOCK) {
        size_t some = n - done < BLOCK ? n - done : BLOCK;
        size_t cell = cell_of(brain, first + done, now);
        for (size_t i = 0; i < some; i++) {
            shape[i] = shape_of(brain, cell + i);
            rate[i] = rate_of(brain, cell + i);
        }
        fg_gamma_fill(&brain->rng, first + done, some, shape, rate, drawn);
        for (size_t i = 0; i < some; i++)
            out[done + i] = (float)drawn[i];
    }
    if (brain->knob[REFRESH] > 0)
        put_due_first(brain, now, first, n, out);
}

/* Wilson and Hilferty: the cube root of a gamma variate is nearly normal. Good to a few
 * per cent for shapes of 1 and more, which is all a person reading it needs. */
static double gamma_quantile(double shape, double rate, double z)
{
    double c = 1.0 / (9.0 * shape), root = 1.0 - c + z * sqrt(c);
    return root > 0 ? shape * root * root * root / rate : 0;
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    size_t cell = cell_of(brain, page, now);
    double shape = shape_of(brain, cell), rate = rate_of(brain, cell);
    *reason = (struct fg_reason){
        .score = shape / rate,
        .rate = shape / rate,
        .low = gamma_quantile(shape, rate, -1.96),
        .high = gamma_quantile(shape, rate, 1.96),
        .rate_unit = "new links a visit at this hour",
        .observations = (double)brain->f32[VISITS][cell],
    };
}

const struct fg_policy fg_policy_thompson = {
    .name = "thompson",
    .summary = "a draw from what is believed of each source at this hour of day",
    .paper = "Schulam & Muslea, WWW 2023 Companion",
    .tasks = FG_DISCOVERY,
    .params = params,
    .columns = columns,
    .observe = observe,
    .score = score,
    .explain = explain,
};

const struct fg_policy fg_policy_thompson_week = {
    .name = "thompson-week",
    .summary = "thompson with an hour of the week in place of one of the day",
    .paper = "Schulam & Muslea, WWW 2023 Companion, section 2.4",
    .tasks = FG_DISCOVERY,
    .params = params,
    .columns = week_columns,
    .observe = observe,
    .score = score,
    .explain = explain,
};
