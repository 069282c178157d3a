/* generate.h - synthetic sites whose every link is known
 *
 *     struct fg_generator_options options = fg_generator_defaults("news");
 *     for (options.number = 0; options.number < options.sites; options.number++) {
 *         struct fg_site *site = fg_generate_site(&options);
 *         ...replay it...
 *         fg_site_free(site);
 *     }
 *
 * A site is a function of the generator's name, the seed, its number and the steps: not
 * of other sites, nor of threads or order. One is made in a fraction of a second, so a
 * workload of any size is made and dropped site by site.
 *
 * The kinds:
 *   news         articles by hour of day and weekday, in sections, subsections, tags,
 *                authors, mirrors and pages that nobody tends; bursts, dying topics
 *   newsroom     the same shape, calibrated on what Schulam & Muslea (WWW 2023) state of
 *                their data and on recordings of real news sites: few sources with many
 *                links, many quiet ones, next to no mirrors, visits that fail
 *   classifieds  many new links, day and night alike
 *   reports      few new links, in working hours: a humanitarian organisation's pages
 *   volatile     news with short lists, more bursts, and topics that come and go
 *   mixed        one of the four, with some twenty parameters off by up to a factor of 2
 *   pham-trafficking, pham-politics, pham-humanitarian
 *                the three crawls of Pham et al. (WSDM 2018, Table 1), each as one replay
 *                over many web sites (fg_site.site_of)
 * generate_model.h has the parameters and generate_params.c their values.
 *
 * Every page shows the newest entries of a list that pushes out the oldest (its stream),
 * perhaps a short list of the whole site's news, links that surface for a while, and
 * links that never change. Step 0 is Monday 2022-11-14, 00:00 UTC, a step is an hour, and
 * lists have been filling for `history` hours by then. */
#ifndef FG_LAB_GENERATE_H
#define FG_LAB_GENERATE_H

#include "lab/site.h"

/* A parameter of the model and its new value, or both ends of its range. */
struct fg_generator_param {
    const char *name;
    double from, to;
};

struct fg_generator_options {
    const char *name; /* one of fg_generator_names */
    uint64_t seed;
    uint32_t number;       /* of the site, from 0 */
    size_t sites;          /* how many make the workload; fg_generate_site does not ask */
    size_t steps, history; /* hours shown, and lived through before */
    double relevant; /* share of targets that are relevant; 0: no target is marked */
    size_t budget,
        warm_up; /* visits a step and steps not judged, as published; likewise */
    const struct fg_generator_param *params; /* in place of the generator's own */
    size_t n_params;
};

/* All there are, ended by NULL. */
extern const char *const fg_generator_names[];

/* As published: 53 sites, 1176 steps, 672 of history, 168 of warm-up; the crawls of Pham
 * et al. one "site" of 632 to 741 steps. name is NULL if there is no such generator. */
struct fg_generator_options fg_generator_defaults(const char *name);

/* The name of the model's i-th parameter, NULL at the end; generate_model.h explains
 * them.
 */
const char *fg_generator_param_name(size_t i);
/* Whether the model has that parameter, and it takes a range if the value is one. */
bool fg_generator_takes(const struct fg_generator_param *value);
/* The least and the most it may be; false if the model has no such parameter. */
bool fg_generator_limits(const char *name, double *least, double *most);

/* What to expect of it, in a line. */
const char *fg_generator_summary(const char *name);

/* The caller frees it. */
struct fg_site *fg_generate_site(const struct fg_generator_options *options);

#endif
