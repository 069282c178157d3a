/* rows.h - what the store keeps, described once; private to src/store
 *
 *     const struct fg_row_type *pages = &fg_row_types[FG_PAGES];
 *     for (size_t i = 0; i < pages->n_columns; i++) ...pages->columns[i].name...
 *
 * One table of columns for each kind of row: name, type, where the field lies in the
 * struct of store.h, and a word for the documentation. The key comes first. Tables,
 * views, statements, binding and reading are made from it, and so is the list in
 * docs/store.md. A new column is one line in rows.c and one field in a struct. */
#ifndef FG_STORE_ROWS_H
#define FG_STORE_ROWS_H

#include "store/index.h"
#include "store/store.h"

enum fg_cell {
    FG_CELL_NUMBER, /* unsigned, of 1 to 8 bytes */
    FG_CELL_HASH,   /* the same, shown as hexadecimal */
    FG_CELL_FLAGS,  /* enum fg_page_flag, shown as words */
    FG_CELL_BOOL,
    FG_CELL_DAY,    /* int32_t, since 1970-01-01 */
    FG_CELL_COUNT,  /* uint32_t; FG_UNCOUNTED is NULL */
    FG_CELL_MOMENT, /* fg_time that is always known */
    FG_CELL_TIME,   /* fg_time; FG_NEVER is NULL */
    FG_CELL_SPAN,   /* fg_time, a duration */
    FG_CELL_REAL,   /* float; not a number is 0 */
    FG_CELL_TEXT,   /* struct fg_str */
    FG_CELL_BYTES,  /* struct fg_str, not for people */
};

struct fg_row_column {
    const char *name, *help; /* help: NULL where the name says it all */
    enum fg_cell cell;
    uint16_t offset, bytes; /* of the field */
};

enum fg_row_kind {
    FG_SITES,
    FG_PAGES,
    FG_VISITS,
    FG_LINKS,
    FG_BODIES,
    FG_EVENTS,
    FG_DELIVERIES,
    FG_WAITING,
    FG_STATE,
    FG_LABELS,
    FG_DAILY,
    FG_VALUES,
    FG_VALUE_CHANGES,
    FG_REQUESTS,
    FG_NOTES,
    FG_PROMISES,
    FG_EARLY,
    FG_COMMANDS,
    FG_PAGE_EXTRAS,
    FG_TEXTS,
    FG_ANCHORS,
    FG_SEARCHES,
    FG_FEEDBACK,
    FG_MARKS,
    FG_ROW_KINDS,
};

struct fg_row_type {
    const char *table, *what; /* its name, and what one row is */
    const char *unique;       /* columns that no two rows share, besides the key */
    /* For people: what is selected from where; "*" stands for all columns as they are
     * shown, `t` for the table. NULL: no view. */
    const char *view;
    const struct fg_row_column *columns;
    size_t n_columns, n_keys, bytes;
};

extern const struct fg_row_type fg_row_types[FG_ROW_KINDS];

enum { FG_COLUMNS_MOST = 32, FG_KEYS_MOST = 4 };

/* The words for the bits of `flags`, from the lowest. */
extern const char *const fg_page_flag_names[];
extern const size_t fg_page_flag_count;
extern const char *const fg_page_extra_names[]; /* of enum fg_page_extra */

/* Where the column is, or n_columns. */
size_t fg_row_column(const struct fg_row_type *type, struct fg_str name);
bool fg_cell_is_text(enum fg_cell cell);
bool fg_cell_is_nullable(enum fg_cell cell);
/* The number that stands for a field which is not text and not real; false: NULL. */
bool fg_cell_number(const struct fg_row_column *column, const void *row, int64_t *number);
/* `number` NULL: as that of a NULL. */
void fg_cell_set(const struct fg_row_column *column, void *row, const int64_t *number);
struct fg_str *fg_cell_text(const struct fg_row_column *column, const void *row);
/* Texts move into the arena, empty ones become "". */
void fg_row_keep(const struct fg_row_type *type, void *row, struct fg_arena *arena);

/* --- rows that store.h has no struct for --- */

struct fg_body_row {
    fg_site_id site;
    fg_page_id page;
    fg_time time;
    uint64_t bytes, hash;
    struct fg_str zstd; /* packed; in a batch still as it came */
};

struct fg_delivery_row {
    struct fg_str output;
    uint64_t number, position;
};

struct fg_state_row {
    fg_site_id site;
    struct fg_str name, bytes;
};

struct fg_page_extra_row {
    fg_site_id site;
    fg_page_id page;
    struct fg_str kind, bytes;
};

struct fg_label_row {
    fg_site_id site;
    fg_page_id page;
    bool relevant;
};

struct fg_promise_row {
    fg_site_id site;
    fg_page_id page;
    fg_time at_least;
};

/* That something was taken; it is not taken again. */
struct fg_mark_row {
    uint64_t mark;
    fg_time until; /* from then on it would be refused anyway */
};

struct fg_unplaced_row {
    struct fg_str key;
    struct fg_early_row count;
};

#endif
