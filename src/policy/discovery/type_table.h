/* type_table.h - links of a site grouped by the set of sources that show them
 *
 *     uint32_t slot = fg_types_open(&table, row);             a source comes
 *     uint32_t type = fg_types_single(&table, slot);          links only it shows
 *     fg_types_credit(&table, type, found, 1);                one more of them
 *     type = fg_types_with(&table, type, other_slot);         now another shows it too
 *
 * A type is a set of sources. It carries the links that have exactly this set, as two
 * weights that fade with time, and what is known of when its sources were last looked at.
 * Sets are interned: two links with equal sets have the same type. Inside, sources are
 * named by slots, which stay as they are while rows are renumbered.
 *
 * Weights are kept relative to an hour that moves on every ten days, so that nothing
 * overflows in years: 2^((found - origin) / half-life) is at most about 2^10.
 *
 * Bounded: a set has at most FG_TYPE_MEMBERS sources and there are at most FG_TYPES_MAX
 * types beside those of one source. A link that goes past either keeps the type it has,
 * so its further sources are not credited with it; nothing else happens. Types without
 * links go when the table is swept. Starts as zero, with the half-lives set. */
#ifndef FG_POLICY_DISCOVERY_TYPE_TABLE_H
#define FG_POLICY_DISCOVERY_TYPE_TABLE_H

#include "base/vec.h"
#include "policy/discovery/link_memory.h"

enum { FG_TYPE_MEMBERS = 128, FG_TYPES_MAX = 1 << 15 };

struct fg_link_type {
    uint64_t key;      /* of the set: the scrambled slots, xored */
    double slow, fast; /* weights, relative to the table's origin */
    double looked;     /* hour of the last look at any of its sources (T) */
    double phi_then;   /* the sum of their Phi at that time */
    double summed;     /* hour at which the sum was taken last, ... */
    double phi_now;    /* ... and what it was */
    double value;      /* for the choice at hand: what its unseen links are worth, */
    double delay;      /* and for how many hours all of them together have waited */
    uint32_t first, n; /* its sources: members[first] .. members[first + n - 1] */
    uint32_t links;    /* in the site's memory */
    uint32_t became;   /* itself; or what it became when a source left; or none */
};

static const uint32_t FG_SLOT_FREE = UINT32_MAX, FG_SLOT_WAITS = UINT32_MAX - 1;

struct fg_type_slot {
    uint32_t row;           /* or FG_SLOT_FREE; or, while loading, FG_SLOT_WAITS */
    FG_VEC(uint32_t) types; /* that have it; some may have become others */
};

struct fg_type_table {
    double slow, fast; /* half-lives in hours */
    double origin;
    FG_VEC(struct fg_link_type) types;
    FG_VEC(uint32_t) members; /* slots */
    FG_VEC(struct fg_type_slot) slots;
    FG_VEC(uint32_t) free;
    struct fg_map by_key; /* to number + 1 */
    uint64_t sweep_at;    /* types */
};

void fg_types_clear(struct fg_type_table *table);

uint32_t fg_types_open(struct fg_type_table *table, uint32_t row);
/* Types that have the slot must have become others before (fg_types_without). */
void fg_types_close(struct fg_type_table *table, uint32_t slot);

bool fg_types_has(const struct fg_type_table *table, uint32_t type, uint32_t slot);
uint32_t fg_types_single(struct fg_type_table *table, uint32_t slot);
/* The type with one source more; the same if there is no room. */
uint32_t fg_types_with(struct fg_type_table *table, uint32_t type, uint32_t slot);
/* Move what a type has to the one with a source less, or to none. *made says whether that
 * one is new; its times are then the caller's to set. */
uint32_t fg_types_without(struct fg_type_table *table, uint32_t type, uint32_t slot,
                          bool *made);
/* What a type that was noted earlier is now. */
uint32_t fg_types_now(const struct fg_type_table *table, uint32_t type);

/* Add (or, with -1, take away) a link found at that hour. */
void fg_types_credit(struct fg_type_table *table, uint32_t type, double found, int sign);
/* By what a weight is to be multiplied at that hour. */
double fg_types_slow_factor(const struct fg_type_table *table, double hour);
double fg_types_fast_factor(const struct fg_type_table *table, double hour);

/* Move the origin if it is time to, and drop the types without links if there are many:
 * those that stay get new numbers, in the memory too. */
void fg_types_tidy(struct fg_type_table *table, double hour,
                   struct fg_link_memory *links);

void fg_types_save(const struct fg_type_table *table, struct fg_buf *out);
/* False if the bytes are not a table of so many sources. Their slots wait for the rows:
 * fg_types_take_slot gives each its own, and says no if there is none to give. */
bool fg_types_load(struct fg_type_table *table, size_t sources, struct fg_str *bytes);
bool fg_types_take_slot(struct fg_type_table *table, uint32_t slot, uint32_t row);

#endif
