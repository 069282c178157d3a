#include "policy/refresh/optimum.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pages are weighed in blocks that stay in the cache between the passes over them. */
enum { BLOCK = 4096 };

static void weigh_some(struct fg_brain *brain, enum fg_lambda_model form,
                       enum fg_told_rate interest, size_t first, size_t n, float *weight,
                       float *change)
{
    double days = fg_days(brain->world->tick);
    fg_rates_interest(brain, interest, first, n, weight);
    if (form == FG_LAMBDA_BERNOULLI)
        fg_rates_change_chances(brain, days, first, n, change);
    else
        fg_rates_changes(brain, days, first, n, change);
}

void fg_optimum_weigh(struct fg_brain *brain, enum fg_lambda_model form,
                      enum fg_told_rate interest)
{
    for (size_t first = 0; first < brain->world->n; first += BLOCK) {
        size_t left = brain->world->n - first;
        weigh_some(brain, form, interest, first, left < BLOCK ? left : BLOCK,
                   brain->f32[FG_OPTIMUM_WEIGHT] + first,
                   brain->f32[FG_OPTIMUM_CHANGE] + first);
    }
}

/* A site may have so many picks in a tick, and no more visits on average. */
static void set_caps(struct fg_optimum *optimum, const struct fg_world *world)
{
    optimum->cap = fg_resized(optimum->cap, world->sites, sizeof *optimum->cap);
    for (size_t s = 0; s < world->sites; s++)
        optimum->cap[s] =
            world->site_limit[s] == UINT32_MAX ? INFINITY : (double)world->site_limit[s];
}

static struct fg_lambda_pages pages_of(struct fg_brain *brain)
{
    struct fg_optimum *optimum = brain->self;
    const struct fg_world *world = brain->world;
    struct fg_lambda_pages pages = {.n = world->n,
                                    .weight = brain->f32[FG_OPTIMUM_WEIGHT],
                                    .change = brain->f32[FG_OPTIMUM_CHANGE]};
    if (world->site_limit) {
        set_caps(optimum, world);
        pages.site = world->site;
        pages.cap = optimum->cap;
        pages.sites = world->sites;
    }
    return pages;
}

static double long_run(const struct fg_brain *brain, size_t budget)
{
    return brain->world->budget > 0 ? brain->world->budget : (double)budget;
}

/* In the first ticks what is believed of all unseen pages may leap, and the last price be
 * one at which none of them is worth a visit: a guess is nearer then. */
static void forget_old_price(struct fg_optimum *optimum)
{
    double was = optimum->solved_rate, is = optimum->all.rate;
    if (is > was * 1.1 || is < was * 0.9)
        optimum->lambda.price = 0;
    optimum->solved_rate = is;
}

void fg_optimum_rates(struct fg_brain *brain, enum fg_lambda_model form, size_t budget,
                      float *out)
{
    struct fg_optimum *optimum = brain->self;
    struct fg_lambda_pages pages = pages_of(brain);
    if (form != optimum->lambda.model)
        optimum->lambda.price = 0;
    forget_old_price(optimum);
    optimum->lambda.model = form;
    optimum->lambda.most = 1;
    fg_lambda_solve(&optimum->lambda, &pages, long_run(brain, budget));
    fg_lambda_rates(&optimum->lambda, &pages, 0, pages.n, out);
}

double fg_optimum_rate_of(struct fg_brain *brain, enum fg_lambda_model form,
                          enum fg_told_rate interest, size_t page)
{
    const struct fg_optimum *optimum = brain->self;
    float weight, change;
    if (!(optimum->lambda.price > 0))
        return 0;
    weigh_some(brain, form, interest, page, 1, &weight, &change);
    return fg_lambda_rate(&optimum->lambda, (double)weight, (double)change,
                          brain->world->site[page]);
}

void fg_optimum_printed(struct fg_brain *brain, size_t budget, float *out)
{
    struct fg_lambda_pages pages = {.n = brain->world->n,
                                    .weight = brain->f32[FG_OPTIMUM_WEIGHT],
                                    .change = brain->f32[FG_OPTIMUM_CHANGE]};
    double *printed = fg_zeroed(pages.n, sizeof *printed);
    fg_lambda_printed(&pages, long_run(brain, budget), printed);
    for (size_t i = 0; i < pages.n; i++)
        out[i] = printed[i] > 0 ? (float)fmin(printed[i], 1) : 0;
    free(printed);
}

struct saved {
    struct fg_rates_of_all all;
    double price, solved_rate;
};

void fg_optimum_save(struct fg_brain *brain, struct fg_buf *out)
{
    const struct fg_optimum *optimum = brain->self;
    struct saved saved = {optimum->all, optimum->lambda.price, optimum->solved_rate};
    fg_buf_add(out, (struct fg_str){(const char *)&saved, sizeof saved});
}

bool fg_optimum_load(struct fg_brain *brain, struct fg_str bytes)
{
    struct fg_optimum *optimum = brain->self;
    struct saved saved;
    if (bytes.len != sizeof saved)
        return false;
    memcpy(&saved, bytes.at, sizeof saved);
    optimum->all = saved.all;
    optimum->lambda.price = saved.price;
    optimum->solved_rate = saved.solved_rate;
    return true;
}

void fg_optimum_clear(struct fg_brain *brain)
{
    struct fg_optimum *optimum = brain->self;
    fg_lambda_clear(&optimum->lambda);
    free(optimum->cap);
    optimum->cap = NULL;
}
