/* health_parts.h - the inside of a site's health, shared by health.c and health_state.c
 */
#ifndef FG_CRAWL_HEALTH_PARTS_H
#define FG_CRAWL_HEALTH_PARTS_H

#include "crawl/sites/health.h"
#include "crawl/sites/site.h"
#include "crawl/state.h"

enum { MOST_STATE = 1 << 20, MOST_TROUBLES = 1000 };

/* A seed that gives nothing. */
struct seed_trouble {
    uint32_t row;
    unsigned status;
    struct fg_trouble trouble;
    fg_time retry;
    struct fg_str detail; /* in the crawl's arena */
};

/* A seed that leads to another page, which is watched in its place: "/" to "/en/" for
 * good, or to "/maintenance.html" for an hour. */
struct moved_seed {
    uint32_t row;
    unsigned times; /* that it was asked and led away */
    fg_time next;   /* when it is asked again */
};

/* What keeps news from coming, if anything does. */
struct standing_alarm {
    enum fg_alarm which;
    fg_time since, logged;
    struct fg_str text, url; /* in the crawl's arena */
    bool is_told;            /* as an event */
};

struct health {
    FG_VEC(struct seed_trouble) troubles;
    FG_VEC(struct moved_seed) moved;
    size_t shown; /* of the troubles, the one to tell */
    fg_time down_since, held_since, sources_bad;
    struct fg_rhythm rhythm;
    fg_time reviewed, rhythm_saved;
    uint64_t discovered;
    fg_time watching;
    fg_time told[FG_ALARMS];
    struct standing_alarm alarm;
    enum fg_alarm seeds;
    uint32_t seeds_known; /* pages of the site when `seeds` was decided */
    enum fg_outcome down_by;
    unsigned down_times;
    uint32_t nofollow_hub;
    char trouble[100]; /* of the host, in words */
    bool is_undecided; /* troubles have changed since */
    bool had_sources, is_dirty;
};

/* Made if there is none yet. */
struct health *health_of(struct site *site);
/* NULL: the page is well. */
struct seed_trouble *health_trouble_of(struct health *h, uint32_t row);
/* How the host fails, in words; NULL: it does not. */
void health_set_trouble(struct health *h, const char *why);

/* --- health_state.c --- */
void health_put(struct fg_batch *batch, const struct fg_crawl *crawl,
                const struct site *site);

#endif
