/* site.h - a site as it truly was: which links each source showed, step by step
 *
 *     FG_VEC(struct fg_stay) stays = {0};
 *     fg_vec_push(&stays, (struct fg_stay){source, target, first, last});
 *     struct fg_site *site = fg_site_new(&facts, stays.at, stays.len);
 *     ...replay it (replay.h), as often as one likes, on any number of threads...
 *     fg_site_free(site);
 *
 * The full information behind every experiment. A stay says that a source showed a target
 * in each of the steps first .. last; what is visible at any time follows by walking the
 * arrivals and departures, so a site of half a billion link observations takes a few
 * bytes for each stay and none for each observation. Sources and targets are numbered
 * from 0. */
#ifndef FG_LAB_SITE_H
#define FG_LAB_SITE_H

#include "base/time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FG_NAME_MAX = 64 };

struct fg_stay {
    uint32_t source, target, first, last; /* steps, both included */
};

/* What a site is besides its links. */
struct fg_site_facts {
    char name[FG_NAME_MAX];
    size_t sources, steps;
    fg_time start, step; /* when step 0 is, and how long a step lasts */
};

struct fg_site {
    struct fg_site_facts facts;
    size_t targets;
    /* A pair is a source and a target it ever showed. */
    size_t pairs;
    uint32_t *pair_source, *pair_target;
    /* What happens at step t: event[event_at[t]] .. event[event_at[t + 1]], departures
     * first. An event is pair * 2, plus 1 if the link arrives. */
    uint32_t *event;
    size_t *event_at;
    uint32_t *appeared;    /* by target: the first step any source shows it */
    uint8_t *is_missing;   /* by step * sources + source: a visit fails; NULL: never */
    uint8_t *is_relevant;  /* by target; NULL: all are */
    uint32_t *site_of;     /* by source: the web site it is a page of; NULL: all of one */
    uint64_t observations; /* (step, source, target) triples there are to be seen */
};

#define FG_SITE_NO_STEP UINT32_MAX

/* Stays of the same pair may overlap or touch; they are merged. Those that lie outside
 * the steps are cut. The array is sorted in place. */
struct fg_site *fg_site_new(const struct fg_site_facts *facts, struct fg_stay *stays,
                            size_t n);
void fg_site_free(struct fg_site *site);

/* Its stays, by source, then target, then time; the caller frees them. */
struct fg_stay *fg_site_stays(const struct fg_site *site, size_t *n);
/* So many steps of it, from that one on; the targets keep their numbers. */
struct fg_site *fg_site_part(const struct fg_site *site, size_t from, size_t steps);

/* A visit of the source at that step fails: there is no telling what it showed. */
void fg_site_miss(struct fg_site *site, size_t source, size_t step);
/* Only relevant targets count in a focused crawl. The first call makes all others
 * irrelevant. */
void fg_site_relevant(struct fg_site *site, size_t target);
/* The source is a page of that web site, numbered from 0. Sources are of site 0 until
 * told otherwise: then several web sites are replayed as one, under one budget. */
void fg_site_belongs(struct fg_site *site, size_t source, uint32_t number);

#endif
