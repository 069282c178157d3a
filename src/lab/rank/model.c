#include "lab/rank/model.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 80, ROUNDS_MOST = 1000 };
static const double STEP = 0.3, STILL = 1e-6;

struct group { /* pages of nearly one quality */
    double quality, pages;
};

struct model {
    const struct fg_rank_model_of *of;
    size_t n, m;
    double visits, deaths;
    struct group *groups;
    size_t n_groups;
    double log_x[POINTS], log_f[POINTS], f_unseen; /* F, and F(0) */
    double *rates, *f;                             /* by awareness, for one group */
    double *known_by_more; /* by group and awareness i: share of pages above i */
    double unseen;
    double *visits_at; /* F2, by place from 1; some places more than there are pages */
    size_t n_places;
    double *share_up_to; /* sums of shares, by place from 0 */
};

/* --- pieces --- */

void fg_rank_awareness(double *f, const double *rates, size_t m, double deaths_a_day)
{
    f[0] = deaths_a_day / (deaths_a_day + rates[0]);
    for (size_t i = 1; i <= m; i++) {
        double before = 1 - (double)(i - 1) / (double)m, left = 1 - (double)i / (double)m;
        f[i] = f[i - 1] * rates[i - 1] * before / (deaths_a_day + rates[i] * left);
    }
}

double fg_rank_pushed_down(double place, double degree, size_t start, double unseen)
{
    if (place < (double)start)
        return place;
    double pushed =
        degree < 1 ? degree * (place - (double)start + 1) / (1 - degree) : unseen;
    return place + fmin(pushed, unseen);
}

double fg_rank_days_to_top(const double *rates, size_t m, double deaths_a_day)
{
    double days = 0;
    for (size_t i = 0; (double)i <= 0.99 * (double)m; i++)
        days += 1 / (deaths_a_day + rates[i] * (1 - (double)i / (double)m));
    return days;
}

/* --- F --- */

static double visits_of(const struct model *model, double x)
{
    double at = (log(x) - model->log_x[0]) / (model->log_x[1] - model->log_x[0]);
    at = fmin(fmax(at, 0), POINTS - 1);
    size_t i = (size_t)fmin(at, POINTS - 2);
    double part = at - (double)i;
    return exp(model->log_f[i] * (1 - part) + model->log_f[i + 1] * part);
}

static void set_rates(struct model *model, double quality)
{
    model->rates[0] = model->f_unseen;
    for (size_t i = 1; i <= model->m; i++)
        model->rates[i] = visits_of(model, quality * (double)i / (double)model->m);
}

static void set_awareness(struct model *model)
{
    model->unseen = 0;
    for (size_t g = 0; g < model->n_groups; g++) {
        double *above = model->known_by_more + g * (model->m + 1), sum = 0;
        set_rates(model, model->groups[g].quality);
        fg_rank_awareness(model->f, model->rates, model->m, model->deaths);
        for (size_t i = model->m + 1; i--;) {
            above[i] = sum;
            sum += model->f[i];
        }
        model->unseen += model->groups[g].pages * model->f[0];
    }
}

/* F1. Without the small number a page would count itself where m x / Q is whole. */
static double place_of(const struct model *model, double x)
{
    double place = 1;
    for (size_t g = 0; g < model->n_groups; g++) {
        double i = floor((double)model->m * x / model->groups[g].quality + 1e-9);
        if (i < (double)model->m)
            place += model->groups[g].pages *
                     model->known_by_more[g * (model->m + 1) + (size_t)i];
    }
    return place;
}

/* F2 over a place that is spread as 1 + Poisson(mean). */
static double visits_around(const struct model *model, double mean)
{
    double width = 9 * sqrt(mean) + 9;
    size_t first = mean > width ? (size_t)(mean - width) : 0;
    size_t end = (size_t)(mean + width);
    double chance =
        exp((double)first * log(fmax(mean, 1e-300)) - mean - lgamma((double)first + 1));
    double sum = 0, chances = 0;
    for (size_t i = first; i < end && i < model->n_places; i++) {
        sum += chance * model->visits_at[i];
        chances += chance;
        chance *= mean / (double)(i + 1);
    }
    return chances > 0 ? sum / chances : model->visits_at[model->n - 1];
}

static double visits_at_place(const struct model *model, double place)
{
    if (!model->of->is_fitted)
        return visits_around(model, place - 1);
    return model->visits_at[0] * pow(place, -1.5);
}

/* The shares of places in [from, to), from 0 and in parts. */
static double share_between(const struct model *model, double from, double to)
{
    double at[2] = {fmin(from, (double)model->n), fmin(to, (double)model->n)};
    for (size_t i = 0; i < 2; i++) {
        size_t whole = (size_t)at[i];
        double part = at[i] - (double)whole;
        at[i] = model->share_up_to[whole];
        if (part > 0)
            at[i] += part * (model->share_up_to[whole + 1] - at[i]);
    }
    return fmax(0, at[1] - at[0]);
}

static double unseen_last(const struct model *model)
{
    double n = (double)model->n, z = fmin(model->unseen, n);
    return 2 * model->visits_at[0] * (pow(n - z + 0.5, -0.5) - pow(n + 0.5, -0.5)) / z;
}

/* The pool shares the places that are given to it; what is left of it when the others
 * have come to their end has all places behind them. */
static double unseen_promoted(const struct model *model)
{
    double n = (double)model->n, z = model->unseen, r = model->of->how.degree;
    double k = (double)model->of->how.start, others = n - z - k + 1;
    double end = k - 1 + z / r, given;
    if (model->of->is_rough) {
        given = r * share_between(model, k - 1, floor(fmin(n, end))) * model->visits;
        double left = fmax(0, z - r * (n - k + 1));
        return (given + left * model->visits_at[0] * pow(0.8 * n, -1.5)) / z;
    }
    double last = r < 1 ? k - 1 + fmax(0, others) / (1 - r) : end;
    given = r * share_between(model, k - 1, fmin(end, last));
    if (last < end)
        given += share_between(model, last, n);
    return given * model->visits / z;
}

static double next_unseen(const struct model *model)
{
    const struct fg_promotion *how = &model->of->how;
    double r = how->degree;
    if (!fg_promotion_is_on(how))
        return unseen_last(model);
    if (how->pool == FG_POOL_UNSEEN)
        return unseen_promoted(model);
    double any = model->visits *
                 share_between(model, (double)how->start - 1, (double)model->n) /
                 (double)model->n;
    return (1 - r) * unseen_last(model) + r * any;
}

static double next_visits(const struct model *model, double x)
{
    const struct fg_promotion *how = &model->of->how;
    double place = place_of(model, x), r = how->degree, k = (double)how->start;
    if (!fg_promotion_is_on(how))
        return visits_at_place(model, place);
    if (how->pool == FG_POOL_UNSEEN)
        return visits_at_place(model,
                               fg_rank_pushed_down(place, r, how->start, model->unseen));
    double among = 1 + (1 - r) * (place - 1);
    double pushed = among < k ? among : among + r * (among - k + 1) / (1 - r);
    return (1 - r) * visits_at_place(model, pushed) +
           r * model->visits * share_between(model, k - 1, (double)model->n) /
               (double)model->n;
}

/* log F = a (log x)^2 + b log x + c: through both ends, to which the thesis fits its
 * curve "especially carefully", and by least squares in between, where only a is left
 * free. */
static void fit(const double *x, double *y)
{
    double first = x[0], last = x[POINTS - 1], above = 0, below = 0;
    double slope = (y[POINTS - 1] - y[0]) / (last - first), start = y[0];
    for (size_t p = 0; p < POINTS; p++) {
        double bend = (x[p] - first) * (x[p] - last);
        above += bend * (y[p] - start - slope * (x[p] - first));
        below += bend * bend;
    }
    for (size_t p = 0; p < POINTS; p++)
        y[p] = start + slope * (x[p] - first) +
               above / below * (x[p] - first) * (x[p] - last);
}

/* One round of the circle; how far it is from standing still. */
static double go_round(struct model *model)
{
    double next[POINTS], moved;
    set_awareness(model);
    for (size_t p = 0; p < POINTS; p++)
        next[p] = log(next_visits(model, exp(model->log_x[p])));
    if (model->of->is_fitted)
        fit(model->log_x, next);
    double by = log(next_unseen(model)) - log(model->f_unseen);
    model->f_unseen *= exp(STEP * by);
    moved = fabs(by);
    for (size_t p = 0; p < POINTS; p++) {
        moved = fmax(moved, fabs(next[p] - model->log_f[p]));
        model->log_f[p] += STEP * (next[p] - model->log_f[p]);
    }
    return moved;
}

/* --- the whole --- */

static void group_pages(struct model *model, const double *quality)
{
    model->groups = fg_zeroed(model->n, sizeof *model->groups);
    for (size_t i = 0, end; i < model->n; i = end) {
        struct group *group = &model->groups[model->n_groups++];
        end = (size_t)fmax((double)i + 1, ceil(1.02 * (double)i));
        end = end < model->n ? end : model->n;
        for (size_t p = i; p < end; p++)
            group->quality += quality[p] / (double)(end - i);
        group->pages = (double)(end - i);
    }
}

static void begin(struct model *model, const struct fg_rank_model_of *of)
{
    const struct fg_community_world *world = of->world;
    *model =
        (struct model){.of = of,
                       .n = world->is.pages,
                       .m = (size_t)fg_community_watched(world, of->watched_share),
                       .visits = fg_community_watched_visits(world, of->watched_share),
                       .deaths = 1 / world->is.life_days};
    group_pages(model, world->quality);
    model->n_places = model->n + (size_t)(10 * sqrt((double)model->n)) + 20;
    model->visits_at = fg_zeroed(model->n_places, sizeof(double));
    model->share_up_to = fg_zeroed(model->n + 2, sizeof(double));
    model->rates = fg_zeroed(model->m + 1, sizeof(double));
    model->f = fg_zeroed(model->m + 1, sizeof(double));
    model->known_by_more = fg_zeroed(model->n_groups * (model->m + 1), sizeof(double));
    for (size_t i = 0; i < model->n_places; i++)
        model->visits_at[i] =
            model->visits * world->share[0] * pow((double)(i + 1), -1.5);
    for (size_t i = 0; i <= model->n; i++)
        model->share_up_to[i + 1] =
            model->share_up_to[i] + (i < model->n ? world->share[i] : 0);
    double least = log(world->quality[model->n - 1] / (double)model->m);
    double most = log(world->quality[0]);
    for (size_t p = 0; p < POINTS; p++) {
        model->log_x[p] = least + (most - least) * (double)p / (POINTS - 1);
        model->log_f[p] = log(model->visits) + model->log_x[p];
    }
    model->f_unseen = exp(model->log_f[0]);
}

static void tell_best(struct model *model, struct fg_rank_model *out)
{
    size_t m = model->m, last = FG_AWARENESS_CLASSES - 1;
    double days = 0;
    set_rates(model, model->of->world->quality[0]);
    fg_rank_awareness(model->f, model->rates, m, model->deaths);
    out->days_to_top = fg_rank_days_to_top(model->rates, m, 0);
    out->days_if = fg_rank_days_to_top(model->rates, m, model->deaths);
    for (size_t c = 0; c <= last; c++)
        out->reach[c] = NAN;
    for (size_t i = 0; i <= m; i++) {
        size_t class = (size_t)((double)i / (double)m * (double)last + 1e-9);
        if (isnan(out->reach[class]))
            out->reach[class] = days;
        out->share[class] += model->f[i];
        if (i < m)
            days += 1 / (model->rates[i] * (1 - (double)i / (double)m));
    }
}

static double mean_quality(struct model *model)
{
    double visits = 0, qualities = 0;
    for (size_t g = 0; g < model->n_groups; g++) {
        const struct group *group = &model->groups[g];
        double of_page = 0;
        set_rates(model, group->quality);
        fg_rank_awareness(model->f, model->rates, model->m, model->deaths);
        for (size_t i = 0; i <= model->m; i++)
            of_page += model->f[i] * model->rates[i];
        visits += group->pages * of_page;
        qualities += group->pages * of_page * group->quality;
    }
    return qualities / visits;
}

void fg_rank_model_solve(struct fg_rank_model *out, const struct fg_rank_model_of *of)
{
    struct model model;
    *out = (struct fg_rank_model){0};
    begin(&model, of);
    while (out->rounds < ROUNDS_MOST) {
        out->rounds++;
        if (go_round(&model) < STILL)
            break;
    }
    set_awareness(&model);
    out->unseen = model.unseen;
    out->quality = mean_quality(&model);
    tell_best(&model, out);
    free(model.groups);
    free(model.visits_at);
    free(model.share_up_to);
    free(model.rates);
    free(model.f);
    free(model.known_by_more);
}
