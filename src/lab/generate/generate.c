#include "lab/generate/generate.h"

#include "base/elementary.h"
#include "base/err.h"
#include "base/variate.h"
#include "lab/generate/generate_model.h"

#include <stdio.h>
#include <string.h>

const char *const fg_generator_names[] = {
    "news",  "newsroom",         "classifieds",   "reports",           "volatile",
    "mixed", "pham-trafficking", "pham-politics", "pham-humanitarian", NULL,
};

static const char *const summaries[] = {
    "articles by hour and weekday, overlapping sections, bursts, dying topics",
    "news as Schulam & Muslea (2023) describe theirs and recordings show it",
    "many new links, day and night alike",
    "few new links, in working hours",
    "news with short lists, more bursts, and topics that come and go",
    "one of the four, with some twenty parameters off by up to a factor of 2",
    "2,215 sites of classified ads, steady, under one budget (Pham et al. 2018)",
    "3,524 sites of news and blogs, by day and week, under one budget (likewise)",
    "96 sites of aid organisations, sparse and uneven, under one budget (likewise)",
};

static size_t number_of(const char *name)
{
    size_t i = 0;
    while (fg_generator_names[i] && strcmp(fg_generator_names[i], name) != 0)
        i++;
    return i;
}

const char *fg_generator_summary(const char *name)
{
    size_t i = number_of(name);
    return fg_generator_names[i] ? summaries[i] : NULL;
}

struct fg_generator_options fg_generator_defaults(const char *name)
{
    struct fg_generator_options options = {
        .name = fg_generator_names[number_of(name)],
        .seed = 1,
        .sites = 53,
        .steps = 1176,
        .history = 672,
        .budget = 5,
        .warm_up = 168,
    };
    if (options.name)
        gen_pham_defaults(&options);
    return options;
}

bool fg_generator_takes(const struct fg_generator_param *value)
{
    struct gen_params scratch = {0};
    return gen_params_set(&scratch, value);
}

static void miss_visits(struct fg_site *site, double share, struct fg_rng rng)
{
    for (size_t t = 0; share > 0 && t < site->facts.steps; t++)
        for (size_t i = 0; i < site->facts.sources; i++)
            if (fg_rng_unit(&rng) < share)
                fg_site_miss(site, i, t);
}

static size_t draw_sources(struct fg_rng *rng)
{
    double u = fg_exp(fg_log(fg_rng_open(rng)) / 1.6);
    size_t n = 40 + (size_t)(61 * u);
    return n < 100 ? n : 100;
}

struct fg_site *fg_generate_site(const struct fg_generator_options *options)
{
    struct fg_site *pham = gen_pham_site(options);
    if (pham)
        return pham;
    struct gen_params params;
    struct fg_rng seed = fg_rng_from_seed(options->seed);
    struct fg_rng rng = fg_rng_split(&seed, options->number);
    struct fg_rng mix = fg_rng_split(&rng, GEN_FOR_PARAMS);
    if (!gen_params_find(&params, options->name))
        params = gen_params_mixed(&mix);
    for (size_t i = 0; i < options->n_params; i++)
        gen_params_set(&params, &options->params[i]);
    struct fg_rng size = fg_rng_split(&rng, GEN_FOR_SIZE);
    struct gen_output out = {.steps = options->steps};
    struct gen_order order = {.params = &params,
                              .rng = rng,
                              .sources = draw_sources(&size),
                              .history = options->history,
                              .relevant = options->relevant};
    order.rate = params.articles * fg_exp(params.articles_spread * fg_rng_normal(&size));
    char name[FG_NAME_MAX];
    snprintf(name, sizeof name, "%s-%02u", options->name, (unsigned)options->number);
    gen_add_site(&out, &order);
    struct fg_site *site = gen_take_site(&out, name, options->relevant > 0);
    miss_visits(site, params.missing, fg_rng_split(&rng, GEN_FOR_MISSING));
    return site;
}
