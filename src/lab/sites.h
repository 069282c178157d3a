/* sites.h - from the names of workloads to sites: generated, recorded, or crawled
 *
 *     fg_sites_add(&supply, &workload, 0, err);
 *     fg_supply_take(&supply, 0, &made, err);      made is a struct fg_site
 *     fg_site_free(made);
 *
 * A recording is loaded when its workload is added, and freed when the last of its sites
 * is dropped. */
#ifndef FG_LAB_SITES_H
#define FG_LAB_SITES_H

#include "lab/site.h"
#include "lab/supply.h"

/* Adds the workload's groups; at most `most` sites each, 0 for all. A pattern that no
 * recording fits adds nothing but itself to supply->missing. */
enum fg_status fg_sites_add(struct fg_supply *supply, const struct fg_workload *workload,
                            size_t most, struct fg_err *err);

/* The workload that a word on the command line means: a generator, a folder with a
 * recording, a workspace, or a recording in the folder of data. */
enum fg_status fg_workload_named(struct fg_workload *workload, struct fg_arena *arena,
                                 const char *word, const char *data, struct fg_err *err);

/* Names of the folders in a folder that have a recording, sorted, in the arena. */
size_t fg_recordings_in(const char ***names, struct fg_arena *arena, const char *folder);

#endif
