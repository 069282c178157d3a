/* overlap.h - which sources show the same new links, learnt from visits we make anyway
 *
 *     fg_overlap_note(&overlap, visit);                  each visit of a round
 *     fg_overlap_settle(&overlap, world, 0.7);           before the next choice
 *     fg_overlap_take_best(&overlap, brain, scores, budget, picks);
 *
 * Pham et al. (WSDM 2018, section 4.1): two pages of the same web site that were visited
 * in the same round are alike if the Jaccard coefficient of the new links they showed is
 * above a threshold; of pages that are alike only the best is worth a visit. A pair keeps
 * what its last common round said. A round in which neither page showed anything new says
 * nothing about the pair.
 *
 * Pages are rows of the brain's world; fg_overlap_moved keeps up with them. Only pairs
 * that are alike take memory, up to a million of them; beyond that no more are learnt. */
#ifndef FG_POLICY_DISCOVERY_OVERLAP_H
#define FG_POLICY_DISCOVERY_OVERLAP_H

#include "base/buf.h"
#include "base/vec.h"
#include "policy/policy.h"

/* Two pages that are alike, in the lists of both. */
struct fg_overlap_pair {
    uint32_t page[2];
    uint32_t next[2]; /* number + 1 of the next pair in the list of page[0], page[1] */
};

/* The new links of one visit: links[first] .. links[first + n], ascending. */
struct fg_overlap_visit {
    uint32_t page, site;
    size_t first, n;
};

/* Starts as zero. */
struct fg_overlap {
    FG_VEC(struct fg_overlap_pair) pairs;
    uint32_t spare;  /* number + 1 of the first unused pair */
    uint32_t *head;  /* by page: number + 1 of its first pair */
    uint32_t *place; /* by page: scratch, 0 between calls */
    size_t rooms;    /* pages there is room for in both */
    FG_VEC(struct fg_overlap_visit) round;
    FG_VEC(uint64_t) links;
};

void fg_overlap_clear(struct fg_overlap *overlap);

/* A successful visit, with its new links. */
void fg_overlap_note(struct fg_overlap *overlap, const struct fg_visit *visit);

/* The round is over: compare its pages, site by site. */
void fg_overlap_settle(struct fg_overlap *overlap, const struct fg_world *world,
                       double threshold);

bool fg_overlap_is_alike(const struct fg_overlap *overlap, size_t page, size_t other);

/* As fg_brain_take_best, but a page that is like one taken before it stands back: Select
 * of Algorithm 2. When there are no others left before the budget is spent, those that
 * stood back are taken after all, best first. */
size_t fg_overlap_take_best(struct fg_overlap *overlap, struct fg_brain *brain,
                            float *scores, size_t budget, struct fg_pick *out);

/* As fg_policy.moved. */
void fg_overlap_moved(struct fg_overlap *overlap, size_t from, size_t to);

void fg_overlap_save(const struct fg_overlap *overlap, struct fg_buf *out);
/* Takes what was saved off the front of `bytes`; false, and nothing is known, if it is
 * not a state over `pages` pages. */
bool fg_overlap_load(struct fg_overlap *overlap, struct fg_str *bytes, size_t pages);

#endif
