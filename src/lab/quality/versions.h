/* versions.h - pages with all the versions they had, by word counts, and what people ask
 *
 *     struct fg_versions *versions;
 *     fg_versions_load(&versions, "data/versions23", err);
 *     ...
 *     fg_versions_free(versions);
 *
 * The folder has files of tab-separated rows, gzipped (.gz) or plain; numbers of pages
 * and terms are line numbers from 0:
 *   pages.tsv      page, site, inlinks, number of versions, name
 *   terms.tsv      term, pages that have it in week 0
 *   versions.tsv   page, week, words, changes of the counts; by page, then week, each
 *                  page from week 0 on. Changes are `gap` or `gap:count` with blanks
 *                  between: add the gap to the running term (-1 at first); the count is
 *                  the new one, 1 unless said
 *   queries_NAME.tsv   frequency, terms by number with blanks between, the words
 *   sketches.bin.gz    84 bytes for each row of versions.tsv: min-wise minima of its
 *                      shingles, 8 bits of each
 *
 * versions_make.h makes such pages. All arrays belong to the versions. */
#ifndef FG_LAB_QUALITY_VERSIONS_H
#define FG_LAB_QUALITY_VERSIONS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FG_VERSION_SKETCH = 84 };

struct fg_word_count {
    uint32_t term, count; /* count: from this version on */
};

struct fg_version {
    uint32_t week, words;
    size_t first; /* of its changes among `counts`; they end where the next one's begin */
    uint8_t sketch[FG_VERSION_SKETCH];
};

/* Queries as sets of terms; frequencies sum up to 1. */
struct fg_query_log {
    char name[32];
    size_t n;
    double *frequency;
    size_t *at; /* query q has terms[at[q]] .. terms[at[q + 1]] */
    uint32_t *terms;
};

enum { FG_QUERY_LOGS = 4 };

struct fg_versions {
    size_t pages, sites, weeks, terms;
    uint32_t *site, *inlinks; /* by page */
    size_t *first;            /* of a page's versions; `pages` + 1 of them */
    struct fg_version *version;
    size_t n_versions;
    struct fg_word_count *counts;
    size_t n_counts;
    uint32_t *with_term; /* pages that have it in week 0 */
    struct fg_query_log logs[FG_QUERY_LOGS];
    size_t n_logs;
};

enum fg_status fg_versions_load(struct fg_versions **versions, const char *folder,
                                struct fg_err *err);
void fg_versions_free(struct fg_versions *versions); /* NULL is fine */

/* By name, or NULL. */
const struct fg_query_log *fg_versions_log(const struct fg_versions *versions,
                                           const char *name);

/* It has versions.tsv. */
bool fg_versions_is_in(const char *folder);

/* The share of shingles that differ, from 0 to 1, as two sketches tell it. */
double fg_sketch_distance(const uint8_t *a, const uint8_t *b);

#endif
