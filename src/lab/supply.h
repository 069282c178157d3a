/* supply.h - from the names of workloads to sites, one at a time
 *
 *     struct fg_supply *supply = fg_supply_new("data");
 *     fg_supply_add(supply, &workload, 0, err);
 *     for each group, for each of its sites:
 *         fg_supply_take(supply, group->sites[i], &site, err);
 *         ...
 *         fg_site_free(site);
 *         fg_supply_drop(supply, group->sites[i]);      it will not be asked for again
 *
 * A site is named when it is added and made when it is taken: generated, or cut out of a
 * recording. Two workloads that name the same site share its number. Take and drop may be
 * called from any thread. */
#ifndef FG_LAB_SUPPLY_H
#define FG_LAB_SUPPLY_H

#include "lab/experiment.h"
#include "lab/site.h"

struct fg_supply;

/* A workload as it is told: sites under one name. */
struct fg_group {
    const char *name;
    const struct fg_workload *workload;
    size_t *sites; /* numbers in the supply */
    size_t n;
};

/* `data` is the folder of recordings, or NULL if there is none. */
struct fg_supply *fg_supply_new(const char *data);
void fg_supply_free(struct fg_supply *supply);

/* Adds the workload's groups; at most `most` sites each, 0 for all. A pattern that no
 * recording fits adds nothing: see fg_supply_missing. */
enum fg_status fg_supply_add(struct fg_supply *supply, const struct fg_workload *workload,
                             size_t most, struct fg_err *err);

size_t fg_supply_groups(const struct fg_supply *supply);
const struct fg_group *fg_supply_group(const struct fg_supply *supply, size_t i);
size_t fg_supply_sites(const struct fg_supply *supply);
const char *fg_supply_name(const struct fg_supply *supply, size_t site);
/* The nth pattern that fitted nothing, NULL at the end. */
const char *fg_supply_missing(const struct fg_supply *supply, size_t nth);
/* Differs between supplies whose sites differ, as far as that can be told cheaply. */
uint64_t fg_supply_stamp(const struct fg_supply *supply);

enum fg_status fg_supply_take(struct fg_supply *supply, size_t site,
                              struct fg_site **taken, struct fg_err *err);
void fg_supply_drop(struct fg_supply *supply, size_t site);

/* The workload that a word on the command line means: a generator, a folder with a
 * recording, a workspace, or a recording in the folder of data. */
enum fg_status fg_workload_named(struct fg_workload *workload, struct fg_arena *arena,
                                 const char *word, const char *data, struct fg_err *err);

/* Names of the folders in a folder that are wanted, sorted, in the arena. */
size_t fg_folders_in(const char ***names, struct fg_arena *arena, const char *folder,
                     bool (*is_wanted)(const char *path));
/* Of those with a recording. */
size_t fg_recordings_in(const char ***names, struct fg_arena *arena, const char *folder);

#endif
