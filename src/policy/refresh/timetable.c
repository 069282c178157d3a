#include "policy/refresh/timetable.h"

#include <math.h>

static const double least_rate = 1e-6;
static const fg_time solved_every = 28 * FG_DAY;

static double ticks_of(const struct fg_brain *brain, fg_time span)
{
    fg_time tick = brain->world->tick > 0 ? brain->world->tick : FG_HOUR;
    return (double)span / (double)tick;
}

bool fg_timetable_knows(const struct fg_brain *brain)
{
    return brain->knob[FG_TIMETABLE_KNOWN] > 0 && brain->foresight &&
           brain->foresight->known;
}

double fg_timetable_known(const struct fg_brain *brain, size_t page,
                          enum fg_foreknown what, double tau)
{
    return fg_timetable_knows(brain)
               ? brain->foresight->known(brain->foresight->context, page, what, tau)
               : 0;
}

/* --- rates --- */

bool fg_timetable_observe(struct fg_brain *brain, const struct fg_visit *visit,
                          bool counts)
{
    size_t page = visit->page;
    if (!visit->ok || visit->previous == FG_NEVER || visit->now <= visit->previous)
        return false;
    brain->u32[FG_TIMETABLE_VISITS][page]++;
    brain->u32[FG_TIMETABLE_CHANGES][page] += counts;
    brain->f32[FG_TIMETABLE_TICKS][page] +=
        (float)ticks_of(brain, visit->now - visit->previous);
    return true;
}

static double estimate(const struct fg_brain *brain, size_t page)
{
    double n = brain->u32[FG_TIMETABLE_VISITS][page];
    double x = brain->u32[FG_TIMETABLE_CHANGES][page];
    double apart = (double)brain->f32[FG_TIMETABLE_TICKS][page] / n;
    double pseudo = brain->knob[FG_TIMETABLE_PSEUDO];
    return fmax(-log((n - x + 0.5) / (n + pseudo)) / apart, 0);
}

void fg_timetable_rates(struct fg_brain *brain)
{
    float *rate = brain->f32[FG_TIMETABLE_RATE];
    const uint32_t *visits = brain->u32[FG_TIMETABLE_VISITS];
    double sum = 0, seen = 0;
    for (size_t page = 0; page < brain->world->n; page++) {
        if (!visits[page])
            continue;
        rate[page] = (float)estimate(brain, page);
        sum += (double)rate[page];
        seen++;
    }
    float mean = (float)fmax(seen > 0 ? sum / seen : 0, least_rate);
    for (size_t page = 0; page < brain->world->n; page++)
        if (!visits[page])
            rate[page] = mean;
}

/* --- frequencies --- */

static bool is_due(const struct fg_timetable *self, const struct fg_brain *brain,
                   fg_time now)
{
    bool is_grown = brain->world->n > self->pages + self->pages / 8;
    return !self->is_solved ||
           (double)now - (double)self->solved >= (double)solved_every || is_grown;
}

static void solve(struct fg_brain *brain, fg_time now, size_t budget)
{
    struct fg_timetable *self = brain->self;
    double picks = brain->world->budget > 0 ? brain->world->budget : (double)budget;
    struct fg_lambda lambda = {.model = FG_LAMBDA_PERIODIC, .most = 1};
    struct fg_lambda_pages pages = {.n = brain->world->n,
                                    .weight = brain->f32[FG_TIMETABLE_WEIGHT],
                                    .change = brain->f32[FG_TIMETABLE_RATE]};
    fg_lambda_solve(&lambda, &pages, picks);
    fg_lambda_rates(&lambda, &pages, 0, pages.n, brain->f32[FG_TIMETABLE_FREQUENCY]);
    self->price = lambda.price;
    self->solved = now;
    self->pages = brain->world->n;
    self->is_solved = true;
    fg_lambda_clear(&lambda);
}

/* --- picks --- */

/* Phases that spread the first fetches of pages evenly, whatever their number. */
static double phase_of(uint64_t id)
{
    double turns = (double)(id + 1) * 0.618034;
    return turns - floor(turns);
}

static float score_of(const struct fg_brain *brain, size_t page, fg_time now)
{
    double f = (double)brain->f32[FG_TIMETABLE_FREQUENCY][page];
    fg_time last = brain->world->last_visit[page];
    if (last == FG_NEVER)
        return INFINITY;
    double age = ticks_of(brain, now - last);
    if (fg_timetable_knows(brain))
        return f > 0 ? -(float)((phase_of(brain->world->id[page]) +
                                 brain->u32[FG_TIMETABLE_DONE][page]) /
                                f)
                     : -INFINITY;
    return f > 0 ? (float)(f * age) : -(float)(1 / (1 + age));
}

size_t fg_timetable_choose(struct fg_brain *brain, fg_time now, size_t budget,
                           struct fg_pick *out, void (*weigh)(struct fg_brain *))
{
    if (is_due(brain->self, brain, now)) {
        weigh(brain);
        solve(brain, now, budget);
    }
    for (size_t page = 0; page < brain->world->n; page++)
        brain->scores[page] = score_of(brain, page, now);
    size_t n = fg_brain_take_best(brain, brain->scores, budget, out);
    for (size_t i = 0; i < n; i++)
        brain->u32[FG_TIMETABLE_DONE][out[i].page]++;
    return n;
}

void fg_timetable_explain(struct fg_brain *brain, fg_time now, size_t page,
                          struct fg_reason *reason)
{
    double rate = (double)brain->f32[FG_TIMETABLE_RATE][page];
    *reason = (struct fg_reason){.score = (double)score_of(brain, page, now),
                                 .rate = rate,
                                 .low = rate,
                                 .high = rate,
                                 .rate_unit = "changes a tick",
                                 .observations = brain->u32[FG_TIMETABLE_VISITS][page]};
}
