/* ranked.h - the results of one query in their order, and what a change of one is worth
 *
 *     struct fg_ranked list = {0};
 *     fg_ranked_move(&list, page, 0, score, score);        it enters
 *     double num = fg_ranked_quality(&list);               num_q of quality.h
 *     fg_ranked_see(&list, page, score, now);              the page itself is another
 *     double gain = fg_ranked_gain(&list, page, score, now, FG_RANKED_LIVE);
 *     fg_ranked_move(&list, page, score, now, now);        it is fetched
 *     fg_ranked_clear(&list);
 *
 * By the score of the copies, descending; equal ones by page, the lower first. This is
 * exact, for the lab and for small repositories: it costs the length of the moves. */
#ifndef FG_SEARCH_RANKED_H
#define FG_SEARCH_RANKED_H

#include <stddef.h>
#include <stdint.h>

struct fg_ranked_page {
    float copy, live; /* scores; of the copy, above 0 */
    uint32_t page;
};

struct fg_ranked {
    struct fg_ranked_page *at;
    size_t len, capacity;
};

/* Whose scores tell what a place is worth to others: the pages', which only the lab
 * knows, or the copies'. */
enum fg_ranked_scores { FG_RANKED_LIVE, FG_RANKED_COPIES };

void fg_ranked_clear(struct fg_ranked *list);

void fg_ranked_copy(struct fg_ranked *into, const struct fg_ranked *list);

/* For many that enter at once, in any order: then sort. */
void fg_ranked_add(struct fg_ranked *list, uint32_t page, float score);
void fg_ranked_sort(struct fg_ranked *list);

/* The copy's score goes from `was` to `is` (0: not among the results), and the page's own
 * is `live` from now on. */
void fg_ranked_move(struct fg_ranked *list, uint32_t page, float was, float is,
                    float live);
/* The page, whose copy has the score `copy`, has the score `live` now. */
void fg_ranked_see(struct fg_ranked *list, uint32_t page, float copy, float live);

/* The rank of a page whose copy has this score, from 1. */
size_t fg_ranked_place(const struct fg_ranked *list, uint32_t page, float copy);
double fg_ranked_quality(const struct fg_ranked *list);
/* What fg_ranked_move(list, page, was, is, is) adds to the quality, if the page's own
 * score is `is` already. */
double fg_ranked_gain(const struct fg_ranked *list, uint32_t page, float was, float is,
                      enum fg_ranked_scores of_others);

#endif
