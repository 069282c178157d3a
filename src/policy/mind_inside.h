/* mind_inside.h - what a mind is made of; for mind.c and mind_save.c only */
#ifndef FG_POLICY_MIND_INSIDE_H
#define FG_POLICY_MIND_INSIDE_H

#include "base/map.h"
#include "base/vec.h"
#include "policy/mind.h"

struct fg_mind {
    struct fg_brain brain;
    struct fg_world world;
    /* The world's arrays, writable; all have `capacity` entries. */
    uint64_t *id;
    uint32_t *site, *group;
    float *weight, *told[FG_TOLD_KINDS]; /* told: NULL until something is */
    int64_t told_sum[FG_TOLD_KINDS];     /* of rates in units that add up in any order */
    fg_time *added, *last_visit, *last_try;
    fg_time latest; /* the time of the last choice, or FG_NEVER */
    fg_time ahead;  /* how much later than the clock's the policy's time is */
    uint8_t *is_blocked;
    size_t capacity;
    /* Sites by the numbers that they have here, which are dense. */
    FG_VEC(uint32_t) sites;     /* the outside's numbers */
    struct fg_map site_numbers; /* the outside's to ours + 1 */
    uint32_t *site_limit;
    size_t site_capacity;
    bool has_limits;
    struct fg_map rows; /* id to row + 1 */
    struct fg_rng seed; /* never drawn from; every tick splits a stream off it */
    uint64_t ticks;
};

/* A column is so many arrays of one entry a page, of so many bytes. */
size_t fg_column_planes(const struct fg_column *column);
size_t fg_column_entry(const struct fg_column *column);

/* The number that a site has here; it gets one if it has none. */
uint32_t fg_mind_site_number(struct fg_mind *mind, uint32_t site);
void fg_mind_set_group(struct fg_mind *mind, size_t row, uint32_t group);

#endif
