/* history.h - change histories of real pages, read from a folder
 *
 *     struct fg_history_options options = {.weights = FG_WEIGHTS_ZIPF, .seed = 1};
 *     struct fg_timeline *timeline;
 *     fg_history_load(&timeline, "data/scoop_extras", &options, err);
 *     ...
 *     fg_timeline_free(timeline);
 *
 * The folder has files of tab-separated rows, gzipped (.gz) or plain; lines that start
 * with # are passed over:
 *   pages.tsv      page, first observed, last observed, number of changes, name and, if
 *                  known, weight. The page is there from the first to the last
 *   changes.tsv    page, time of a change (Unix seconds). The first version of a page is
 *                  no change
 * or, instead, a recording of links (lab/recording.h): its sources are the pages, and a
 * page changes at a snapshot whose set of links differs from the one before.
 *
 * The step is the shortest of 2, 4 and 24 hours (30 minutes for pages that change daily
 * on average) which makes at most 12,500 steps and 20 million page-steps. Policies are
 * judged after the first third of the time. Every page is seen once, free, when it first
 * is there. Siblings are told by the pages' names (policy/siblings.h). */
#ifndef FG_LAB_REFRESH_HISTORY_H
#define FG_LAB_REFRESH_HISTORY_H

#include "base/err.h"
#include "lab/refresh/timeline.h"

/* How much a page counts; the mean is 1 in any case. */
enum fg_weights {
    FG_WEIGHTS_EQUAL,
    FG_WEIGHTS_OWN,  /* the weights of pages.tsv; those without are an error */
    FG_WEIGHTS_ZIPF, /* 1/rank, in an order drawn from the seed */
};

extern const char *const fg_weights_names[]; /* by enum fg_weights, ended by NULL */

struct fg_history_options {
    enum fg_weights weights;
    uint64_t seed; /* of the order of ranks */
    fg_time step;  /* 0: by the rule above */
};

enum fg_status fg_history_load(struct fg_timeline **timeline, const char *folder,
                               const struct fg_history_options *options,
                               struct fg_err *err);

/* Writes such a folder, making it if need be; pages that have no names are numbered.
 * What a history cannot say is lost: what was told, clicks (their mean becomes the
 * weight), and that a page has gone back to an earlier value. */
enum fg_status fg_history_write(const struct fg_timeline *timeline, const char *folder,
                                struct fg_err *err);

/* It has changes.tsv. */
bool fg_history_is_in(const char *folder);
/* pages.tsv has a column of weights (judged by its first row). */
bool fg_history_has_weights(const char *folder);

#endif
