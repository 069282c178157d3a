/* Rows of a kind lie in one array in the order of their keys, each in one piece of memory
 * with its texts behind it. A transaction holds the lock from its beginning to its end
 * and remembers what it replaced; a walk takes a copy of what it finds. Simple, and slow
 * where a database has an index. */
#include "support/memory_store.h"

#include "base/memory.h"
#include "base/vec.h"
#include "store/merge.h"

#include <stdlib.h>

/* One row that was replaced (fresh and old), added (fresh) or dropped (old). */
struct change {
    enum fg_row_kind kind;
    char *fresh, *old;
};

struct memory {
    struct fg_backend backend;
    struct memory *next;
    char *place;
    pthread_mutex_t lock;
    FG_VEC(char *) rows[FG_ROW_KINDS];
    FG_VEC(struct change) changes; /* of the open transaction */
};

static struct memory *kept; /* by place; tests open from one thread */

static struct memory *of(struct fg_backend *backend)
{
    return (struct memory *)backend;
}

/* --- rows --- */

static char *copy_of(const struct fg_row_type *type, const void *row)
{
    char *made = fg_zeroed(1, fg_row_bytes(type, row));
    fg_row_copy(type, made, row);
    return made;
}

/* Where the row of that key is, or would be. */
static size_t place_of(struct memory *memory, enum fg_row_kind kind, const void *row,
                       bool *exists)
{
    size_t low = 0, high = memory->rows[kind].len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (fg_row_compare_keys(&fg_row_types[kind], memory->rows[kind].at[middle], row) <
            0)
            low = middle + 1;
        else
            high = middle;
    }
    *exists = low < memory->rows[kind].len &&
              !fg_row_compare_keys(&fg_row_types[kind], memory->rows[kind].at[low], row);
    return low;
}

/* Put `fresh` in the place of the row of its key; NULL takes that of `like` out. Returns
 * the row that was there. */
static char *swap(struct memory *memory, enum fg_row_kind kind, char *fresh,
                  const void *like)
{
    bool exists;
    size_t at = place_of(memory, kind, fresh ? fresh : like, &exists), len;
    char *old = exists ? memory->rows[kind].at[at] : NULL;
    if (exists && fresh) {
        memory->rows[kind].at[at] = fresh;
    } else if (fresh) {
        fg_vec_push(&memory->rows[kind], fresh);
        len = memory->rows[kind].len;
        memmove(&memory->rows[kind].at[at + 1], &memory->rows[kind].at[at],
                (len - 1 - at) * sizeof fresh);
        memory->rows[kind].at[at] = fresh;
    } else if (exists) {
        len = --memory->rows[kind].len;
        memmove(&memory->rows[kind].at[at], &memory->rows[kind].at[at + 1],
                (len - at) * sizeof fresh);
    }
    return old;
}

static void change(struct memory *memory, enum fg_row_kind kind, char *fresh,
                   const void *like)
{
    char *old = swap(memory, kind, fresh, like);
    fg_vec_push(&memory->changes, (struct change){kind, fresh, old});
}

/* --- opening and transactions --- */

static void begin_lock(struct memory *memory)
{
    pthread_mutex_lock(&memory->lock);
}

static enum fg_status begin(struct fg_backend *backend, struct fg_err *err)
{
    (void)err;
    begin_lock(of(backend));
    return FG_OK;
}

static enum fg_status commit(struct fg_backend *backend, struct fg_err *err)
{
    (void)err;
    struct memory *memory = of(backend);
    for (size_t i = 0; i < memory->changes.len; i++)
        free(memory->changes.at[i].old);
    memory->changes.len = 0;
    pthread_mutex_unlock(&memory->lock);
    return FG_OK;
}

static void rollback(struct fg_backend *backend)
{
    struct memory *memory = of(backend);
    while (memory->changes.len) {
        struct change undo = memory->changes.at[--memory->changes.len];
        swap(memory, undo.kind, undo.old, undo.fresh);
        free(undo.fresh);
    }
    pthread_mutex_unlock(&memory->lock);
}

static enum fg_status open_memory(struct fg_backend **backend, const char *place,
                                  const struct fg_store_options *options,
                                  struct fg_err *err)
{
    struct memory *memory = kept;
    while (memory && strcmp(memory->place, place) != 0)
        memory = memory->next;
    if (!memory && options->read_only)
        return fg_fail(err, FG_ENOTFOUND, "no store '%s'", place);
    if (!memory) {
        memory = fg_zeroed(1, sizeof *memory);
        memory->backend.ops = &memory_store_ops;
        memory->place = strdup(place);
        pthread_mutex_init(&memory->lock, NULL);
        memory->next = kept;
        kept = memory;
    }
    *backend = &memory->backend;
    return FG_OK;
}

static void close_memory(struct fg_backend *backend, bool is_clean)
{
    (void)backend;
    (void)is_clean;
}

void memory_store_forget(const char *place)
{
    struct memory **at = &kept;
    while (*at && strcmp((*at)->place, place) != 0)
        at = &(*at)->next;
    struct memory *memory = *at;
    if (!memory)
        return;
    *at = memory->next;
    for (size_t kind = 0; kind < FG_ROW_KINDS; kind++) {
        for (size_t i = 0; i < memory->rows[kind].len; i++)
            free(memory->rows[kind].at[i]);
        fg_vec_clear(&memory->rows[kind]);
    }
    fg_vec_clear(&memory->changes);
    pthread_mutex_destroy(&memory->lock);
    free(memory->place);
    free(memory);
}

static int64_t writer(const char *place)
{
    (void)place;
    return -1;
}

static bool exists(const char *place)
{
    struct memory *memory = kept;
    while (memory && strcmp(memory->place, place) != 0)
        memory = memory->next;
    return memory != NULL;
}

static enum fg_status post(const char *place, const struct fg_command_row *command,
                           struct fg_err *err)
{
    struct fg_backend *backend = NULL;
    struct fg_command_row row = *command;
    open_memory(&backend, place, &(struct fg_store_options){0}, err);
    begin_lock(of(backend));
    size_t n = of(backend)->rows[FG_COMMANDS].len;
    row.number = 1;
    if (n)
        row.number +=
            ((struct fg_command_row *)(void *)of(backend)->rows[FG_COMMANDS].at[n - 1])
                ->number;
    change(of(backend), FG_COMMANDS, copy_of(&fg_row_types[FG_COMMANDS], &row), &row);
    return commit(backend, err);
}

static bool is_busy(struct fg_backend *backend)
{
    (void)backend;
    return false;
}

static void tidy(struct fg_backend *backend, bool is_idle, struct fg_store_effort *effort)
{
    (void)backend;
    (void)is_idle;
    (void)effort;
}

/* --- edits --- */

/* Is there another row that shares what is to be unique? */
static bool is_taken(struct memory *memory, enum fg_row_kind kind, const void *row,
                     struct fg_str *column)
{
    const struct fg_row_type *type = &fg_row_types[kind];
    struct fg_str rest = fg_str_from(type->unique), part;
    size_t columns[4], n = 0;
    while (rest.len && fg_str_cut(&rest, ',', &part)) {
        *column = fg_str_trim(part);
        columns[n++] = fg_row_column(type, *column);
    }
    for (size_t i = 0; n && i < memory->rows[kind].len; i++) {
        const char *other = memory->rows[kind].at[i];
        bool same = true;
        for (size_t c = n; same && c-- > 0;)
            same = !fg_cell_compare(&type->columns[columns[c]], other, row);
        if (same && fg_row_compare_keys(type, other, row) != 0)
            return true;
    }
    return false;
}

static enum fg_status edit(struct fg_backend *backend, enum fg_edit which,
                           const void *row, size_t *changed, struct fg_err *err)
{
    struct memory *memory = of(backend);
    const struct fg_edit_plan *plan = &fg_edit_plans[which];
    const struct fg_row_type *type = &fg_row_types[plan->rows];
    bool is_there;
    size_t at = place_of(memory, plan->rows, row, &is_there);
    struct fg_str column;
    if (changed)
        *changed = 0;
    char *whole = fg_zeroed(1, type->bytes), *made = NULL;
    enum fg_edit_outcome outcome =
        fg_row_edit(plan, is_there ? memory->rows[plan->rows].at[at] : NULL, row, whole);
    if (outcome == FG_BECOMES)
        made = copy_of(type, whole);
    free(whole);
    if (outcome == FG_STAYS)
        return FG_OK;
    if (made && is_taken(memory, plan->rows, made, &column)) {
        free(made);
        return plan->how == FG_IGNORE ? FG_OK
                                      : fg_fail(err, FG_EINPUT, "not unique: %s.%.*s",
                                                type->table, FG_ARG(column));
    }
    change(memory, plan->rows, made, row);
    if (changed)
        *changed = 1;
    return FG_OK;
}

/* --- queries --- */

static bool matches(const struct fg_row_column *column, struct fg_str mark,
                    const void *row, const struct fg_arg *arg)
{
    int64_t number;
    int order;
    if (fg_cell_is_text(column->cell)) {
        order = fg_str_cmp(*fg_cell_text(column, row), arg->text);
    } else {
        if (!fg_cell_number(column, row, &number))
            return false;
        order = (number > arg->number) - (number < arg->number);
    }
    bool allows_same = mark.at[mark.len - 1] == '=' && mark.at[0] != '!';
    if (!order)
        return allows_same;
    return mark.at[0] == '!' || mark.at[0] == (order < 0 ? '<' : '>');
}

struct order {
    const struct fg_row_type *type;
    struct fg_str words;
};

static int compare_in_order(const void *a, const void *b, void *context)
{
    const struct order *order = context;
    struct fg_str rest = order->words;
    struct fg_plan_word word;
    int found = 0;
    while (!found && fg_plan_next(&word, order->type, &rest)) {
        found = fg_cell_compare(&order->type->columns[word.column],
                                *(const char *const *)a, *(const char *const *)b);
        found = word.mark.len ? -found : found;
    }
    return found;
}

struct found {
    const struct fg_row_type *type;
    FG_VEC(char *) rows;
};

static struct found find(struct memory *memory, enum fg_row_query query,
                         const struct fg_arg *args, size_t most)
{
    struct fg_query_plan plan = fg_query_plan(query);
    struct found found = {.type = &fg_row_types[plan.rows]};
    uint8_t columns[8];
    struct fg_str marks[8];
    size_t n = fg_query_conditions(&plan, columns, marks);
    for (size_t i = 0; i < memory->rows[plan.rows].len; i++) {
        char *row = memory->rows[plan.rows].at[i];
        bool is_one = true;
        for (size_t c = 0; is_one && c < n; c++)
            is_one = matches(&found.type->columns[columns[c]], marks[c], row, &args[c]);
        if (is_one)
            fg_vec_push(&found.rows, row);
    }
    struct order order = {found.type, fg_str_from(plan.order)};
    if (order.words.len && found.rows.len)
        qsort_r(found.rows.at, found.rows.len, sizeof *found.rows.at, compare_in_order,
                &order);
    if (found.rows.len > most)
        found.rows.len = most;
    return found;
}

static enum fg_status drop(struct fg_backend *backend, enum fg_row_query query,
                           const struct fg_arg *args, size_t most, size_t *dropped,
                           struct fg_err *err)
{
    (void)err;
    struct found found = find(of(backend), query, args, most);
    for (size_t i = 0; i < found.rows.len; i++)
        change(of(backend), fg_query_plan(query).rows, NULL, found.rows.at[i]);
    if (dropped)
        *dropped = found.rows.len;
    fg_vec_clear(&found.rows);
    return FG_OK;
}

static void walk(struct fg_row_walk *walk, enum fg_row_query query,
                 const struct fg_arg *args, size_t most, bool is_writer,
                 struct fg_err *err)
{
    (void)err;
    struct memory *memory = of(walk->backend);
    struct found *found = fg_zeroed(1, sizeof *found);
    if (!is_writer)
        begin_lock(memory);
    *found = find(memory, query, args, most);
    for (size_t i = 0; i < found->rows.len; i++)
        found->rows.at[i] = copy_of(found->type, found->rows.at[i]);
    if (!is_writer)
        pthread_mutex_unlock(&memory->lock);
    walk->rows = found;
}

static bool next(struct fg_row_walk *walk, void *row, struct fg_err *err)
{
    (void)err;
    const struct found *found = walk->rows;
    if (walk->at == found->rows.len)
        return false;
    const char *from = found->rows.at[walk->at++];
    for (size_t i = 0; i < found->type->n_columns; i++)
        memcpy((char *)row + found->type->columns[i].offset,
               from + found->type->columns[i].offset, found->type->columns[i].bytes);
    return true;
}

static void end(struct fg_row_walk *walk)
{
    struct found *found = walk->rows;
    for (size_t i = 0; i < found->rows.len; i++)
        free(found->rows.at[i]);
    fg_vec_clear(&found->rows);
    free(found);
}

/* --- the whole --- */

static enum fg_status count(struct fg_backend *backend, enum fg_row_kind rows,
                            uint64_t *n, struct fg_err *err)
{
    (void)err;
    begin_lock(of(backend));
    *n = of(backend)->rows[rows].len;
    pthread_mutex_unlock(&of(backend)->lock);
    return FG_OK;
}

static uint64_t bytes(struct fg_backend *backend)
{
    uint64_t total = 0, n;
    for (size_t kind = 0; kind < FG_ROW_KINDS; kind++) {
        count(backend, (enum fg_row_kind)kind, &n, NULL);
        total += n * fg_row_types[kind].bytes;
    }
    return total;
}

static enum fg_status check(struct fg_backend *backend, struct fg_err *err)
{
    (void)backend;
    (void)err;
    return FG_OK;
}

const struct fg_backend_ops memory_store_ops = {
    .open = open_memory,
    .close = close_memory,
    .writer = writer,
    .exists = exists,
    .beside.post = post,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .is_busy = is_busy,
    .tidy = tidy,
    .edit = edit,
    .drop = drop,
    .walk = walk,
    .next = next,
    .end = end,
    .count = count,
    .bytes = bytes,
    .check = check,
};
