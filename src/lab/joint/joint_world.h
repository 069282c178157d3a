/* joint_world.h - a recording of links beside histories of documents, as one crawl
 *
 * The histories are put side by side and moved by whole weeks, so that they cover the
 * recording and the two months before it, as far as they go: weekdays stay what they
 * are. Weights have a mean of 1 over all documents. */
#ifndef FG_LAB_JOINT_JOINT_WORLD_H
#define FG_LAB_JOINT_JOINT_WORLD_H

#include "base/err.h"
#include "lab/refresh/timeline.h"
#include "lab/site.h"
#include "policy/joint.h"

struct fg_joint_world {
    struct fg_site *site;
    struct fg_timeline *timeline; /* NULL: no documents */
    fg_time judged_from;          /* a midnight, three weeks after the recording begins */
    struct fg_wants wants;
};

struct fg_joint_spec {
    const char *recording;
    const char **histories;
    size_t n_histories;
    struct fg_wants wants;
    uint64_t seed; /* of the documents' ranks */
};

enum fg_status fg_joint_world_load(struct fg_joint_world **world,
                                   const struct fg_joint_spec *spec, struct fg_err *err);
void fg_joint_world_free(struct fg_joint_world *world); /* NULL is fine */

#endif
