/* text_change.h - which terms two versions of a text do not share
 *
 *     struct fg_text_change change = {0};
 *     fg_text_change_find(&change, old_terms, new_terms);
 *     for (size_t i = 0; i < change.hashes[0].len; i++) ...gone:
 * change.hashes[0].at[i]...
 *     ...change.distance...
 *     fg_text_change_clear(&change);
 *
 * An old and a new text are the same for the most part, and what is the same is passed
 * over eight bytes at a time: from the end, and side by side as long as a term stands in
 * the place of another. Where more than a dozen in a row differ they have lost each
 * other, and all terms are told up to where the common end begins: a term may be told on
 * both sides then. */
#ifndef FG_SEARCH_TEXT_CHANGE_H
#define FG_SEARCH_TEXT_CHANGE_H

#include "base/vec.h"
#include "search/words.h"

struct fg_text_hashes {
    uint64_t *at; /* words.h */
    size_t len, capacity;
};

struct fg_text_change {
    struct fg_text_hashes hashes[2]; /* of the old text, of the new one */
    size_t words[2];                 /* in all of each */
    /* The share of shingles of four terms that only one of them has, to within .05. */
    double distance;
};

/* What is in it is forgotten, its memory is used again. */
void fg_text_change_find(struct fg_text_change *change, struct fg_str was,
                         struct fg_str is);
void fg_text_change_clear(struct fg_text_change *change);

#endif
