/* stock.h - from the names of refresh workloads to timelines, one at a time
 *
 *     struct fg_stock *stock = fg_stock_new("data");
 *     fg_stock_add(stock, &workload, 0, err);
 *     for each group, for each of its lines:
 *         fg_stock_take(stock, group->lines[i], &timeline, err);
 *
 * A timeline is named when it is added and made when it is taken: generated, or read from
 * a folder. Taking may be done from any thread.
 *
 * A pattern is fitted to the names of histories in the folder of data; where none fits,
 * to those of recordings of links, whose sources are then pages that change fast. A word
 * with a slash is the folder itself. */
#ifndef FG_LAB_REFRESH_STOCK_H
#define FG_LAB_REFRESH_STOCK_H

#include "lab/experiment.h"
#include "lab/refresh/timeline.h"

struct fg_stock;

/* What is told under one name: a history, or runs of a generator with different seeds. */
struct fg_stock_group {
    const char *name;
    const struct fg_workload *workload;
    size_t *lines; /* numbers in the stock */
    size_t n;
    size_t family; /* groups of one workload with one kind of weights */
};

struct fg_stock *fg_stock_new(const char *data);
void fg_stock_free(struct fg_stock *stock);

/* Adds the workload's groups: at most `most` histories, or runs; 0 for all. */
enum fg_status fg_stock_add(struct fg_stock *stock, const struct fg_workload *workload,
                            size_t most, struct fg_err *err);

size_t fg_stock_groups(const struct fg_stock *stock);
const struct fg_stock_group *fg_stock_group(const struct fg_stock *stock, size_t i);
size_t fg_stock_families(const struct fg_stock *stock);
const char *fg_stock_family(const struct fg_stock *stock, size_t i);
size_t fg_stock_lines(const struct fg_stock *stock);
/* The nth pattern that fitted nothing, NULL at the end. */
const char *fg_stock_missing(const struct fg_stock *stock, size_t nth);
/* Differs between stocks that differ, as far as that can be told cheaply. */
uint64_t fg_stock_stamp(const struct fg_stock *stock);

enum fg_status fg_stock_take(const struct fg_stock *stock, size_t line,
                             struct fg_timeline **timeline, struct fg_err *err);

/* The generators of timelines, with a line about each; ended by an empty name. */
struct fg_stock_generator {
    const char *name, *summary;
};
extern const struct fg_stock_generator fg_stock_generators[];

/* Names of the histories in a folder, sorted, in the arena. */
size_t fg_histories_in(const char ***names, struct fg_arena *arena, const char *folder);

/* The workload that a word on the command line means; false if it is none to refresh: a
 * generator, a folder with a history, or a history in the folder of data. */
bool fg_stock_named(struct fg_workload *workload, struct fg_arena *arena,
                    const char *word, const char *data);

#endif
