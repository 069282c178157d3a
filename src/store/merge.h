/* merge.h - what an edit makes of a row, worked out in memory; private to src/store
 *
 *     size_t changed = fg_row_edited(plan, stored, given, &arena, &made);
 *
 * For back ends that hold rows themselves before they write them (postgres/, and the one
 * in memory that the tests use). SQLite does the same in SQL. */
#ifndef FG_STORE_MERGE_H
#define FG_STORE_MERGE_H

#include "store/plans.h"

/* In the order of the database: numbers as they are stored, texts by their bytes, NULL
 * first. */
int fg_cell_compare(const struct fg_row_column *column, const void *a, const void *b);
int fg_row_compare_keys(const struct fg_row_type *type, const void *a, const void *b);
uint64_t fg_row_hash_key(const struct fg_row_type *type, const void *row);

/* The row with its texts behind it, `bytes` in all. */
size_t fg_row_bytes(const struct fg_row_type *type, const void *row);
/* Into so many bytes at `to`. */
void fg_row_copy(const struct fg_row_type *type, void *to, const void *row);

/* Can it be said without the stored row what becomes of it? */
bool fg_edit_is_blind(const struct fg_edit_plan *plan, const void *given);

/* What the edit makes of the stored row (NULL: there is none). */
enum fg_edit_outcome {
    FG_STAYS,   /* nothing happens */
    FG_BECOMES, /* it becomes `made`, a row as wide as the type, its texts as they were */
    FG_GOES,
} fg_row_edit(const struct fg_edit_plan *plan, const void *stored, const void *given,
              void *made);

#endif
