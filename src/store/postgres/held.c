/* Rows in hand.
 *
 * What a batch means is said row by row (store/apply.c), and much of it depends on what
 * is stored: a page that is there already is merged, an event that is there is not told
 * again. A round trip for each took 1.1 to 3.5 ms of a server's processor a result. So
 * the keys that a group of batches will touch are told beforehand and read at once, a
 * statement a table; what becomes of the rows is worked out here; and in the end those
 * that changed are written, again a statement a table. Rows are in an arena that goes
 * with the transaction. */
#include "store/postgres/postgres.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/memory.h"
#include "store/merge.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROWS_MOST = 5000,      /* of one statement */
    BYTES_MOST = 16 << 20, /* likewise, about */
};

enum { FREE = 1, TAKEN };

struct entry {
    char *row; /* its key at least */
    size_t next;
    bool is_there, is_changed;
};

struct kind {
    FG_VEC(struct entry) entries;
    struct fg_map by_key; /* hash of the key: the first entry, from 1 */
    FG_VEC(char *) expected;
    /* Where rows are ignored by what is unique: hash of that, and is it FREE or TAKEN? */
    struct fg_map uniques;
    bool is_changed;
};

/* Of whatever kind. */
union any_row {
    struct fg_page_row page;
    struct fg_value_row value;
    struct fg_site_row site;
    char bytes[1024];
};

struct fg_pg_held {
    struct fg_arena arena;
    struct kind kinds[FG_ROW_KINDS];
    struct fg_pg_arrays arrays;
};

struct fg_pg_held *fg_pg_held_new(void)
{
    return fg_zeroed(1, sizeof(struct fg_pg_held));
}

void fg_pg_forget(struct fg_pg_held *held, enum fg_row_kind which)
{
    struct kind *kind = &held->kinds[which];
    kind->entries.len = kind->expected.len = 0;
    kind->is_changed = false;
    fg_map_clear(&kind->by_key);
    fg_map_clear(&kind->uniques);
}

void fg_pg_held_reset(struct fg_pg_held *held)
{
    for (unsigned i = 0; i < FG_ROW_KINDS; i++)
        fg_pg_forget(held, (enum fg_row_kind)i);
    fg_arena_reset(&held->arena);
}

void fg_pg_held_free(struct fg_pg_held *held)
{
    if (!held)
        return;
    fg_pg_held_reset(held);
    for (size_t i = 0; i < FG_ROW_KINDS; i++) {
        fg_vec_clear(&held->kinds[i].entries);
        fg_vec_clear(&held->kinds[i].expected);
    }
    fg_pg_arrays_clear(&held->arrays);
    fg_arena_clear(&held->arena);
    free(held);
}

size_t fg_pg_held_bytes(const struct fg_pg_held *held)
{
    return held->arena.used_bytes;
}

bool fg_pg_is_changed(const struct fg_pg_held *held, enum fg_row_kind kind)
{
    return held->kinds[kind].is_changed;
}

static char *keep(struct fg_pg_held *held, const struct fg_row_type *type,
                  const void *row)
{
    char *made = fg_arena_alloc(&held->arena, fg_row_bytes(type, row));
    fg_row_copy(type, made, row);
    return made;
}

static struct entry *find(struct kind *kind, const struct fg_row_type *type,
                          const void *row)
{
    uint64_t *first = fg_map_get(&kind->by_key, fg_row_hash_key(type, row));
    for (size_t at = first ? *first : 0; at; at = kind->entries.at[at - 1].next)
        if (!fg_row_compare_keys(type, kind->entries.at[at - 1].row, row))
            return &kind->entries.at[at - 1];
    return NULL;
}

/* `row` is kept by the caller. */
static struct entry *add(struct kind *kind, const struct fg_row_type *type, char *row)
{
    uint64_t *first = fg_map_put(&kind->by_key, fg_row_hash_key(type, row));
    fg_vec_push(&kind->entries, (struct entry){.row = row, .next = *first});
    *first = kind->entries.len;
    return &kind->entries.at[kind->entries.len - 1];
}

/* --- what no two rows share --- */

/* Where a row is ignored if one shares its unique columns: events, by site and id. */
static size_t unique_columns(const struct fg_row_type *type, uint8_t columns[static 4])
{
    struct fg_str rest = fg_str_from(type->unique), part;
    size_t n = 0;
    while (type == &fg_row_types[FG_EVENTS] && rest.len && fg_str_cut(&rest, ',', &part))
        columns[n++] = (uint8_t)fg_row_column(type, fg_str_trim(part));
    return n;
}

static uint64_t hash_unique(const struct fg_row_type *type, const void *row)
{
    uint8_t columns[4];
    uint64_t hash = 0;
    size_t n = unique_columns(type, columns);
    for (size_t i = 0; i < n; i++) {
        int64_t number = 0;
        fg_cell_number(&type->columns[columns[i]], row, &number);
        hash = (hash ^ (uint64_t)number) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash;
}

/* --- reading --- */

static void copy_cell(char *to, const struct fg_row_column *column, const char *row)
{
    memcpy(to + column->offset, row + column->offset, column->bytes);
}

/* Of a row that is asked for nothing else need be said. */
static char *keep_key(struct fg_pg_held *held, const struct fg_row_type *type,
                      const void *row)
{
    uint8_t unique[4];
    char *made = fg_arena_alloc(&held->arena, type->bytes);
    memset(made, 0, type->bytes);
    for (size_t i = 0; i < type->n_keys; i++) {
        copy_cell(made, &type->columns[i], row);
        if (fg_cell_is_text(type->columns[i].cell)) {
            struct fg_str *text = fg_cell_text(&type->columns[i], made);
            *text = fg_arena_dup(&held->arena, *text);
        }
    }
    for (size_t i = unique_columns(type, unique); i-- > 0;)
        copy_cell(made, &type->columns[unique[i]], row);
    return made;
}

void fg_pg_expect(struct fg_pg_held *held, enum fg_row_kind which, const void *row)
{
    const struct fg_row_type *type = &fg_row_types[which];
    struct kind *kind = &held->kinds[which];
    uint8_t unique[4];
    bool is_unique = unique_columns(type, unique) > 0;
    uint64_t *is_known =
        is_unique ? fg_map_put(&kind->uniques, hash_unique(type, row)) : NULL;
    if (is_unique ? *is_known != 0 : find(kind, type, row) != NULL)
        return;
    char *copy = keep_key(held, type, row);
    if (is_unique)
        *is_known = FREE;
    else
        add(kind, type, copy);
    fg_vec_push(&kind->expected, copy);
}

static enum fg_status send_expected(struct fg_pg_held *held, struct fg_pg_link *link,
                                    enum fg_row_kind which, struct fg_err *err)
{
    const struct fg_row_type *type = &fg_row_types[which];
    struct kind *kind = &held->kinds[which];
    uint8_t columns[4];
    size_t n = unique_columns(type, columns);
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < kind->expected.len;) {
        fg_pg_arrays_start(&held->arrays, type, n ? columns : NULL, n ? n : type->n_keys);
        for (size_t j = 0; j < ROWS_MOST && i < kind->expected.len; j++, i++)
            fg_pg_arrays_add(&held->arrays, type, kind->expected.at[i]);
        st = fg_pg_send(link, n ? FG_PG_TAKEN : FG_PG_FIND, which, &held->arrays, err);
    }
    return st;
}

static void take_rows(struct fg_pg_held *held, enum fg_row_kind which,
                      const PGresult *result)
{
    const struct fg_row_type *type = &fg_row_types[which];
    struct kind *kind = &held->kinds[which];
    uint8_t columns[4];
    bool is_unique = unique_columns(type, columns) > 0;
    union any_row row;
    for (int i = 0; i < PQntuples(result); i++) {
        fg_pg_read_row(type, NULL, type->n_columns, result, i, &row);
        if (is_unique) {
            *fg_map_put(&kind->uniques, hash_unique(type, &row)) = TAKEN;
            continue;
        }
        struct entry *entry = find(kind, type, &row);
        if (!entry)
            entry = add(kind, type, keep(held, type, &row));
        else if (!entry->is_changed)
            entry->row = keep(held, type, &row);
        entry->is_there |= !entry->is_changed;
    }
}

/* All that is expected, in one pipeline. */
static enum fg_status read_expected(struct fg_pg_held *held, struct fg_pg_link *link,
                                    struct fg_err *err)
{
    enum fg_status st = fg_pg_begin_pipeline(link, err);
    if (st)
        return st;
    for (unsigned i = 0; !st && i < FG_ROW_KINDS; i++)
        st = send_expected(held, link, (enum fg_row_kind)i, err);
    if (!st && !PQpipelineSync(link->db))
        st = fg_pg_fail(err, link, NULL, "read");
    for (unsigned i = 0; i < FG_ROW_KINDS; i++) {
        struct kind *kind = &held->kinds[i];
        size_t results = (kind->expected.len + ROWS_MOST - 1) / ROWS_MOST;
        for (PGresult *result; !st && results--; PQclear(result)) {
            result = fg_pg_next_result(link, &st, err);
            if (result)
                take_rows(held, (enum fg_row_kind)i, result);
        }
        kind->expected.len = 0;
    }
    if (!st) { /* the end of the pipeline */
        PGresult *last = fg_pg_next_result(link, &st, err);
        PQclear(last);
    }
    if (st)
        fg_pg_end_pipeline(link, "read", NULL);
    return st;
}

/* The entry of that key, known. */
static enum fg_status know(struct fg_pg_held *held, struct fg_pg_link *link,
                           enum fg_row_kind which, const void *row, struct entry **entry,
                           struct fg_err *err)
{
    const struct fg_row_type *type = &fg_row_types[which];
    struct kind *kind = &held->kinds[which];
    enum fg_status st = FG_OK;
    if (!find(kind, type, row))
        fg_pg_expect(held, which, row);
    if (kind->expected.len)
        st = read_expected(held, link, err);
    *entry = find(kind, type, row);
    return st;
}

enum fg_status fg_pg_find(struct fg_pg_held *held, struct fg_pg_link *link,
                          enum fg_row_kind kind, const void *key, const char **found,
                          struct fg_err *err)
{
    struct entry *entry;
    enum fg_status st = know(held, link, kind, key, &entry, err);
    *found = !st && entry && entry->is_there ? entry->row : NULL;
    return st;
}

/* --- changing --- */

static void change(struct kind *kind, struct entry *entry, bool is_there)
{
    entry->is_there = is_there;
    entry->is_changed = kind->is_changed = true;
}

enum fg_status fg_pg_edit(struct fg_pg_held *held, struct fg_pg_link *link,
                          enum fg_edit edit, const void *row, size_t *changed,
                          struct fg_err *err)
{
    const struct fg_edit_plan *plan = &fg_edit_plans[edit];
    const struct fg_row_type *type = &fg_row_types[plan->rows];
    struct kind *kind = &held->kinds[plan->rows];
    struct entry *entry = find(kind, type, row);
    union any_row made;
    uint8_t columns[4];
    bool is_unique = plan->how == FG_IGNORE && unique_columns(type, columns);
    enum fg_status st = FG_OK;
    size_t n = 0;
    if (is_unique) { /* its key is a number that was never given */
        fg_pg_expect(held, plan->rows, row);
        if (kind->expected.len)
            st = read_expected(held, link, err);
    } else if (!fg_edit_is_blind(plan, row)) {
        st = know(held, link, plan->rows, row, &entry, err);
    }
    if (st)
        return st;
    bool is_taken =
        is_unique && *fg_map_put(&kind->uniques, hash_unique(type, row)) == TAKEN;
    enum fg_edit_outcome outcome =
        is_taken
            ? FG_STAYS
            : fg_row_edit(plan, entry && entry->is_there ? entry->row : NULL, row, &made);
    if (outcome == FG_BECOMES) {
        char *kept = keep(held, type, &made);
        if (!entry)
            entry = add(kind, type, kept);
        entry->row = kept;
        if (is_unique)
            *fg_map_put(&kind->uniques, hash_unique(type, row)) = TAKEN;
    }
    if (outcome != FG_STAYS) {
        change(kind, entry, outcome == FG_BECOMES);
        n = 1;
    }
    if (changed)
        *changed = n;
    return FG_OK;
}

enum fg_status fg_pg_take_out(struct fg_pg_held *held, struct fg_pg_link *link,
                              enum fg_row_kind kind, const void *key, bool *was_there,
                              struct fg_err *err)
{
    struct entry *entry;
    enum fg_status st = know(held, link, kind, key, &entry, err);
    *was_there = !st && entry && entry->is_there;
    if (*was_there)
        change(&held->kinds[kind], entry, false);
    return st;
}

/* --- writing --- */

static enum fg_status send_some(struct fg_pg_held *held, struct fg_pg_link *link,
                                enum fg_row_kind which, enum fg_pg_bulk what,
                                struct fg_err *err)
{
    const struct fg_row_type *type = &fg_row_types[which];
    struct kind *kind = &held->kinds[which];
    struct fg_pg_arrays *arrays = &held->arrays;
    bool puts = what == FG_PG_PUT;
    size_t n_columns = puts ? type->n_columns : type->n_keys;
    enum fg_status st = FG_OK;
    fg_pg_arrays_start(arrays, type, NULL, n_columns);
    for (size_t i = 0; !st && i < kind->entries.len; i++) {
        const struct entry *entry = &kind->entries.at[i];
        if (!entry->is_changed || entry->is_there != puts)
            continue;
        fg_pg_arrays_add(arrays, type, entry->row);
        if (arrays->n == ROWS_MOST || fg_pg_arrays_bytes(arrays) > BYTES_MOST) {
            st = fg_pg_send(link, what, which, arrays, err);
            fg_pg_arrays_start(arrays, type, NULL, n_columns);
        }
    }
    if (!st && arrays->n)
        st = fg_pg_send(link, what, which, arrays, err);
    return st;
}

static enum fg_status send_changes(struct fg_pg_held *held, struct fg_pg_link *link,
                                   enum fg_row_kind which, struct fg_err *err)
{
    struct kind *kind = &held->kinds[which];
    if (!kind->is_changed)
        return FG_OK;
    /* What goes goes first: what comes may be unique only without it. */
    enum fg_status st = send_some(held, link, which, FG_PG_TAKE_OUT, err);
    if (!st)
        st = send_some(held, link, which, FG_PG_PUT, err);
    for (size_t i = 0; i < kind->entries.len; i++)
        kind->entries.at[i].is_changed = false;
    kind->is_changed = false;
    return st;
}

enum fg_status fg_pg_send_changes(struct fg_pg_held *held, struct fg_pg_link *link,
                                  enum fg_row_kind kind, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    if (kind != FG_ROW_KINDS)
        return send_changes(held, link, kind, err);
    for (unsigned i = 0; !st && i < FG_ROW_KINDS; i++)
        st = send_changes(held, link, (enum fg_row_kind)i, err);
    return st;
}
