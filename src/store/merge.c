#include "store/merge.h"

#include <string.h>

int fg_cell_compare(const struct fg_row_column *column, const void *a, const void *b)
{
    if (fg_cell_is_text(column->cell))
        return fg_str_cmp(*fg_cell_text(column, a), *fg_cell_text(column, b));
    int64_t x, y;
    bool has_x = fg_cell_number(column, a, &x), has_y = fg_cell_number(column, b, &y);
    if (!has_x || !has_y)
        return has_x - has_y;
    return (x > y) - (x < y);
}

int fg_row_compare_keys(const struct fg_row_type *type, const void *a, const void *b)
{
    int order = 0;
    for (size_t i = 0; !order && i < type->n_keys; i++)
        order = fg_cell_compare(&type->columns[i], a, b);
    return order;
}

uint64_t fg_row_hash_key(const struct fg_row_type *type, const void *row)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < type->n_keys; i++) {
        int64_t number = 0;
        uint64_t part;
        if (fg_cell_is_text(type->columns[i].cell)) {
            part = fg_str_hash(*fg_cell_text(&type->columns[i], row));
        } else {
            fg_cell_number(&type->columns[i], row, &number);
            part = (uint64_t)number;
        }
        hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    return hash;
}

size_t fg_row_bytes(const struct fg_row_type *type, const void *row)
{
    size_t bytes = type->bytes;
    for (size_t i = 0; i < type->n_columns; i++)
        if (fg_cell_is_text(type->columns[i].cell))
            bytes += fg_cell_text(&type->columns[i], row)->len;
    return bytes;
}

void fg_row_copy(const struct fg_row_type *type, void *to, const void *row)
{
    char *at = (char *)to + type->bytes;
    memcpy(to, row, type->bytes);
    for (size_t i = 0; i < type->n_columns; i++) {
        if (!fg_cell_is_text(type->columns[i].cell))
            continue;
        struct fg_str *text = fg_cell_text(&type->columns[i], to);
        if (text->len)
            memcpy(at, text->at, text->len);
        text->at = at;
        at += text->len;
    }
}

static bool says_something(const struct fg_row_column *column, const void *row)
{
    int64_t number;
    if (fg_cell_is_text(column->cell))
        return fg_cell_text(column, row)->len > 0;
    bool is_known = fg_cell_number(column, row, &number);
    return is_known && (fg_cell_is_nullable(column->cell) || number);
}

bool fg_edit_is_blind(const struct fg_edit_plan *plan, const void *given)
{
    const struct fg_row_type *type = &fg_row_types[plan->rows];
    if (plan->how == FG_REPLACE)
        return true;
    if (plan->how != FG_MERGE)
        return false;
    for (size_t i = type->n_keys; i < type->n_columns; i++) {
        char mark = fg_edit_mark(plan, i);
        if (mark != '=' && !(mark == '?' && says_something(&type->columns[i], given)))
            return false;
    }
    return true;
}

/* What becomes of one column of `row`, which is a copy of what is stored. */
static void merge_cell(const struct fg_row_column *column, char mark, char *row,
                       const char *given)
{
    int64_t now, more;
    if (mark == '=' || (mark == '?' && says_something(column, given))) {
        memcpy(row + column->offset, given + column->offset, column->bytes);
    } else if (mark == '+' || mark == '~') {
        fg_cell_number(column, row, &now);
        fg_cell_number(column, given, &more);
        now = mark == '~' && !more ? 0 : now + more;
        fg_cell_set(column, row, &now);
    }
}

enum fg_edit_outcome fg_row_edit(const struct fg_edit_plan *plan, const void *stored,
                                 const void *given, void *made)
{
    const struct fg_row_type *type = &fg_row_types[plan->rows];
    if (stored ? plan->how == FG_IGNORE : plan->how == FG_UPDATE || plan->how == FG_DROP)
        return FG_STAYS;
    if (plan->how == FG_DROP)
        return FG_GOES;
    bool merges = stored && (plan->how == FG_MERGE || plan->how == FG_UPDATE);
    memcpy(made, merges ? stored : given, type->bytes);
    for (size_t i = 0; merges && i < type->n_columns; i++) {
        char mark = fg_edit_mark(plan, i);
        if (mark == '!' && fg_cell_compare(&type->columns[i], stored, given))
            return FG_STAYS;
        merge_cell(&type->columns[i], mark, made, given);
    }
    return FG_BECOMES;
}
