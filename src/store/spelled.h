/* spelled.h - a text as the terms that an index gets; private to src/store
 *
 *     int64_t row = fg_spell_text(&stemmers, fields, text);
 *
 * Whatever back end keeps the index: the same terms, the same numbers of words. */
#ifndef FG_STORE_SPELLED_H
#define FG_STORE_SPELLED_H

#include "base/buf.h"
#include "store/index.h"

enum {
    FG_SPELLED_ABOUT = FG_INDEX_FIELDS, /* what the text is, for filters */
    FG_SPELLED_FIELDS,
    FG_SPELLED_LENGTHS = 1 << 7 /* that are told apart */
};

/* Made when they are first needed. */
struct fg_stemmers {
    struct fg_stemmer *of[32];
};
void fg_stemmers_clear(struct fg_stemmers *stemmers);

/* The terms of each field, each followed by a blank. Returns the row by which an index
 * knows the text: its number, and as the lowest bits how long it is, the logarithm of its
 * words in steps of 9 %. */
int64_t fg_spell_text(struct fg_stemmers *stemmers,
                      struct fg_buf made[static FG_SPELLED_FIELDS],
                      const struct fg_indexed_text *text);
uint64_t fg_spelled_number(int64_t row);
int64_t fg_spelled_first(uint64_t number); /* the least row that a text of it may have */
unsigned fg_spelled_length(int64_t row);   /* below FG_SPELLED_LENGTHS */
double fg_spelled_words(int64_t row);      /* from the row, or from its length alone */
struct fg_text_terms fg_spelled_terms(const struct fg_buf made[static FG_SPELLED_FIELDS]);

/* Of a term at its place; and the sum over all of a text, added to what is there. */
uint64_t fg_spelled_hash(struct fg_str term, int64_t row, unsigned field, int64_t place);
void fg_spelled_sum(const struct fg_buf made[static FG_SPELLED_FIELDS], int64_t row,
                    uint64_t *terms, uint64_t *sum);

#endif
