#include "policy/refresh/optimum.h"

#include "base/memory.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Pages are weighed in blocks that stay in the cache between the passes over them. */
enum { BLOCK = 4096 };

/* Of what the rates are. */
static double days_of(const struct fg_brain *brain, bool is_daily)
{
    return is_daily ? 1 : fg_days(brain->world->tick);
}

static void weigh_some(struct fg_brain *brain, const struct fg_optimum_form *form,
                       size_t first, size_t n, float *weight, float *change)
{
    double days = days_of(brain, form->is_daily);
    /* numbers for chances, as the history's rows of the paper have it: then they are
     * taken for what they are, and above 1 count as nearly 1 */
    bool is_count = form->is_daily && brain->knob[FG_RATES_COUNT] != 0;
    fg_rates_interest(brain, form->interest, first, n, weight);
    if (form->model == FG_LAMBDA_BERNOULLI && !is_count)
        fg_rates_change_chances(brain, days, first, n, change);
    else
        fg_rates_changes(brain, days, first, n, change);
}

void fg_optimum_weigh(struct fg_brain *brain, const struct fg_optimum_form *form)
{
    for (size_t first = 0; first < brain->world->n; first += BLOCK) {
        size_t left = brain->world->n - first;
        weigh_some(brain, form, first, left < BLOCK ? left : BLOCK,
                   brain->f32[FG_OPTIMUM_WEIGHT] + first,
                   brain->f32[FG_OPTIMUM_CHANGE] + first);
    }
}

/* A site may have so many picks in a tick, and no more visits on average. */
static void set_caps(struct fg_optimum *optimum, const struct fg_world *world,
                     double ticks)
{
    optimum->cap = fg_resized(optimum->cap, world->sites, sizeof *optimum->cap);
    for (size_t s = 0; s < world->sites; s++)
        optimum->cap[s] = world->site_limit[s] == UINT32_MAX
                              ? INFINITY
                              : (double)world->site_limit[s] * ticks;
}

/* In one of the steps that the rates are of. */
static double ticks_of(const struct fg_brain *brain, bool is_daily)
{
    return days_of(brain, is_daily) / fg_days(brain->world->tick);
}

static struct fg_lambda_pages pages_of(struct fg_brain *brain, bool is_daily)
{
    struct fg_optimum *optimum = brain->self;
    const struct fg_world *world = brain->world;
    struct fg_lambda_pages pages = {.n = world->n,
                                    .weight = brain->f32[FG_OPTIMUM_WEIGHT],
                                    .change = brain->f32[FG_OPTIMUM_CHANGE]};
    if (world->site_limit) {
        set_caps(optimum, world, ticks_of(brain, is_daily));
        pages.site = world->site;
        pages.cap = optimum->cap;
        pages.sites = world->sites;
    }
    return pages;
}

static double long_run(const struct fg_brain *brain, size_t budget, bool is_daily)
{
    double picks = brain->world->budget > 0 ? brain->world->budget : (double)budget;
    return picks * ticks_of(brain, is_daily);
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

void fg_optimum_rates(struct fg_brain *brain, const struct fg_optimum_form *form,
                      size_t budget, float *out)
{
    struct fg_optimum *optimum = brain->self;
    struct fg_lambda_pages pages = pages_of(brain, form->is_daily);
    if (form->model != optimum->lambda.model || form->is_daily != optimum->is_daily)
        optimum->lambda.price = 0;
    forget_old_price(optimum);
    optimum->is_daily = form->is_daily;
    optimum->lambda.model = form->model;
    optimum->lambda.most = 1;
    fg_lambda_solve(&optimum->lambda, &pages, long_run(brain, budget, form->is_daily));
    fg_lambda_rates(&optimum->lambda, &pages, 0, pages.n, out);
}

double fg_optimum_rate_of(struct fg_brain *brain, const struct fg_optimum_form *form,
                          size_t page)
{
    struct fg_lambda lambda = ((const struct fg_optimum *)brain->self)->lambda;
    float weight, change;
    uint32_t site = brain->world->site[page];
    if (!(lambda.price > 0) && !(site < lambda.sites && lambda.site_price[site] > 0))
        return 0; /* nothing was solved for yet */
    lambda.model = form->model;
    lambda.most = 1; /* a state that was read has prices and no bound */
    weigh_some(brain, form, page, 1, &weight, &change);
    return fg_lambda_rate(&lambda, (double)weight, (double)change, site);
}

void fg_optimum_printed(struct fg_brain *brain, const struct fg_optimum_form *form,
                        size_t budget, float *out)
{
    struct fg_lambda_pages pages = {.n = brain->world->n,
                                    .weight = brain->f32[FG_OPTIMUM_WEIGHT],
                                    .change = brain->f32[FG_OPTIMUM_CHANGE]};
    double *printed = fg_zeroed(pages.n, sizeof *printed);
    fg_lambda_printed(&pages, long_run(brain, budget, form->is_daily), printed);
    for (size_t i = 0; i < pages.n; i++)
        out[i] = printed[i] > 0 ? (float)fmin(printed[i], 1) : 0;
    free(printed);
}

/* From `mix` on came later: a state without them is read, too. */
struct saved {
    struct fg_rates_of_all all;
    double price, solved_rate;
    double mix;
    uint32_t model, is_daily;
};

void fg_optimum_save(struct fg_brain *brain, struct fg_buf *out)
{
    const struct fg_optimum *optimum = brain->self;
    const struct fg_lambda *lambda = &optimum->lambda;
    struct saved saved = {optimum->all, lambda->price, optimum->solved_rate,
                          lambda->mix,  lambda->model, optimum->is_daily};
    fg_buf_add(out, (struct fg_str){(const char *)&saved, sizeof saved});
}

bool fg_optimum_load(struct fg_brain *brain, struct fg_str bytes)
{
    struct fg_optimum *optimum = brain->self;
    struct fg_lambda *lambda = &optimum->lambda;
    struct saved saved = {0};
    if (bytes.len != sizeof saved && bytes.len != offsetof(struct saved, mix))
        return false;
    memcpy(&saved, bytes.at, bytes.len);
    optimum->all = saved.all;
    optimum->solved_rate = saved.solved_rate;
    optimum->is_daily = saved.is_daily != 0;
    lambda->price = saved.price;
    lambda->mix = saved.mix > 0 && saved.mix <= 1 ? saved.mix : 0;
    lambda->model = saved.model <= FG_LAMBDA_PERIODIC ? (enum fg_lambda_model)saved.model
                                                      : FG_LAMBDA_BERNOULLI;
    return true;
}

struct saved_site {
    double price, mix;
};

void fg_optimum_save_site(struct fg_brain *brain, const uint32_t *rows, size_t n,
                          struct fg_buf *learnt, struct fg_buf *passing)
{
    (void)learnt;
    const struct fg_lambda *lambda = &((const struct fg_optimum *)brain->self)->lambda;
    uint32_t site = n ? brain->world->site[rows[0]] : UINT32_MAX;
    if (site >= lambda->sites)
        return;
    struct saved_site saved = {lambda->site_price[site], lambda->site_mix[site]};
    fg_buf_add(passing, (struct fg_str){(const char *)&saved, sizeof saved});
}

bool fg_optimum_load_site(struct fg_brain *brain, const uint32_t *rows, size_t n,
                          struct fg_str learnt, struct fg_str passing)
{
    (void)learnt;
    struct fg_lambda *lambda = &((struct fg_optimum *)brain->self)->lambda;
    struct saved_site saved;
    if (!n || passing.len != sizeof saved)
        return !passing.len;
    memcpy(&saved, passing.at, sizeof saved);
    if (saved.price > 0 && saved.mix >= 0 && saved.mix <= 1)
        fg_lambda_set_site(lambda, brain->world->sites, brain->world->site[rows[0]],
                           saved.price, saved.mix);
    return true;
}

void fg_optimum_clear(struct fg_brain *brain)
{
    struct fg_optimum *optimum = brain->self;
    fg_lambda_clear(&optimum->lambda);
    free(optimum->cap);
    optimum->cap = NULL;
}
