/* searched.h - pages that are searched, as what policies are run on
 *
 * A workload is a folder of versions (versions.h), or made up (versions_make.h), with one
 * log of queries and one way to score. Behind the whole set there may be halves of it, on
 * which intervals stand; made-up ones have runs instead. */
#ifndef FG_LAB_QUALITY_SEARCHED_H
#define FG_LAB_QUALITY_SEARCHED_H

#include "lab/quality/corpus.h"
#include "lab/quality/study.h"
#include "lab/supply.h"

struct fg_searched {
    struct fg_corpus *corpus;
    bool has_study;
    struct fg_study study;
};

void fg_searched_free(struct fg_searched *searched); /* NULL is fine */

enum fg_status fg_searched_add(struct fg_supply *supply,
                               const struct fg_workload *workload, size_t most,
                               struct fg_err *err);

/* The generators there are, ended by a name of NULL. */
struct fg_searched_generator {
    const char *name, *summary;
};
extern const struct fg_searched_generator fg_searched_generators[];

/* Names of folders in a folder that have versions. */
size_t fg_versions_in(const char ***names, struct fg_arena *arena, const char *folder);

#endif
