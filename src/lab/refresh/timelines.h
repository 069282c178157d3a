/* timelines.h - from the names of refresh workloads to timelines
 *
 *     fg_timelines_add(&supply, &workload, 0, err);
 *     fg_supply_take(&supply, 0, &made, err);      made is a struct fg_timeline
 *     fg_timeline_free(made);
 *
 * A timeline is generated, or read from a folder. A pattern is fitted to the names of
 * histories in the folder of data; where none fits, to those of recordings of links,
 * whose sources are then pages that change fast. A word with a slash is the folder
 * itself. A group is a history, or runs of a generator with different seeds; a family is
 * the groups of one workload with one kind of weights. */
#ifndef FG_LAB_REFRESH_TIMELINES_H
#define FG_LAB_REFRESH_TIMELINES_H

#include "lab/refresh/timeline.h"
#include "lab/supply.h"

/* Adds the workload's groups: at most `most` histories, or runs; 0 for all. */
enum fg_status fg_timelines_add(struct fg_supply *supply,
                                const struct fg_workload *workload, size_t most,
                                struct fg_err *err);

/* The generators of timelines, with a line about each; ended by an empty name. */
struct fg_timeline_generator {
    const char *name, *summary;
};
extern const struct fg_timeline_generator fg_timeline_generators[];

/* Names of the histories in a folder, sorted, in the arena. */
size_t fg_histories_in(const char ***names, struct fg_arena *arena, const char *folder);

/* The workload that a word on the command line means; false if it is none to refresh: a
 * generator, a folder with a history, or a history in the folder of data. */
bool fg_timelines_named(struct fg_workload *workload, struct fg_arena *arena,
                        const char *word, const char *data);

#endif
