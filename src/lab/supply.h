/* supply.h - what the policies of an experiment are run on, by name and made when needed
 *
 *     struct fg_supply supply;
 *     fg_supply_init(&supply, "data");
 *     fg_sites_add(&supply, &workload, 0, err);              (sites.h)
 *     for each group, for each of its items:
 *         fg_supply_take(&supply, group->items[i], &made, err);
 *         ...
 *         fg_supply_drop(&supply, group->items[i]);      it will not be asked for again
 *     fg_supply_clear(&supply);
 *
 * An item is a site, a timeline of changes, or what else a kind of experiment has. Two
 * workloads that name the same item share its number. Taking may be done from any thread;
 * dropping from one at a time. Everything lives in the supply's arena, and is read-only
 * to all but those that add to it. */
#ifndef FG_LAB_SUPPLY_H
#define FG_LAB_SUPPLY_H

#include "base/vec.h"
#include "lab/experiment.h"

struct fg_item {
    const char *name;
    const void *spec; /* what its maker goes by */
    uint64_t stamp; /* differs between items that differ, as far as can be told cheaply */
    uint64_t luck;  /* added to the seeds of policies that are run on it */
    enum fg_status (*make)(const struct fg_item *item, void **made, struct fg_err *err);
    void (*drop)(const struct fg_item *item); /* NULL: nothing is to be done */
};

/* A workload as it is reported: items under one name. */
struct fg_group {
    const char *name;
    const struct fg_workload *workload;
    size_t *items; /* numbers in the supply */
    size_t n;
    size_t family; /* groups of one family are averaged, where the kind does that */
};

struct fg_supply {
    struct fg_arena arena;
    const char *data; /* the folder of recordings and histories, or NULL */
    FG_VEC(struct fg_item) items;
    FG_VEC(struct fg_group) groups;
    FG_VEC(const char *) families;
    FG_VEC(const char *) missing; /* patterns that fitted nothing */
};

void fg_supply_init(struct fg_supply *supply, const char *data);
void fg_supply_clear(struct fg_supply *supply);

enum fg_status fg_supply_take(const struct fg_supply *supply, size_t item, void **made,
                              struct fg_err *err);
void fg_supply_drop(struct fg_supply *supply, size_t item);
/* Differs between supplies whose items differ. */
uint64_t fg_supply_stamp(const struct fg_supply *supply);

/* --- for those who add --- */

/* Unless the group has `most` items already; 0 is no limit. */
void fg_supply_put(struct fg_supply *supply, struct fg_group *group, size_t most,
                   const struct fg_item *item);
/* The folders of data whose names fit, one of `names` each; how many there were. */
typedef FG_VEC(const char *) fg_folders;
size_t fg_supply_fit(struct fg_supply *supply, fg_folders *folders, const char *pattern,
                     const char **names, size_t n);
/* A hash with more in it: bytes, or the sizes and times of a folder's data files. */
uint64_t fg_stamp_mix(uint64_t stamp, const void *bytes, size_t n);
uint64_t fg_stamp_files(uint64_t stamp, const char *folder);

/* Names of the folders in a folder that are wanted, sorted, in the arena. */
size_t fg_folders_in(const char ***names, struct fg_arena *arena, const char *folder,
                     bool (*is_wanted)(const char *path));

#endif
