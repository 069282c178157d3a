/* plans.h - everything that is done to rows, as data; private to src/store
 *
 * An edit puts, changes or drops one row. Its words say what becomes of each column, with
 * a mark behind the name:
 *
 *     title=    takes the value of the row that is given
 *     alias_of? takes it if it says something: is not 0, not NULL, not empty
 *     visits+   adds it
 *     failures~ adds it, or becomes 0 if it is 0
 *     url-      stays
 *     hash!     must be the same, or nothing happens at all
 *     *=        all other columns, the key apart
 *
 * A query finds rows of one kind: by the first columns of their key, by further
 * conditions
 * ("time>="), in an order ("site -time": the latest first), and says which columns are
 * read (NULL: all of them). The same conditions choose rows to be dropped.
 *
 * A back end makes of a plan what it needs: SQL text, prepared once (sqlite/), or a loop
 * (tests/support/memory_store.c). */
#ifndef FG_STORE_PLANS_H
#define FG_STORE_PLANS_H

#include "store/rows.h"

enum fg_edit {
    FG_PUT_SITE,
    FG_PUT_PAGE,
    FG_RENAME_PAGE,
    FG_PUT_CONTENT,
    FG_PUT_CONTENT_OF_VISIT,
    FG_PUT_FLAGS,
    FG_PUT_WEIGHT,
    FG_COUNT_VISIT,
    FG_PUT_VISIT,
    FG_PUT_CAPTURE,
    FG_PUT_LINK,
    FG_PUT_BODY,
    FG_PUT_EVENT,
    FG_PUT_DELIVERY,
    FG_PUT_WAITING,
    FG_DROP_WAITING,
    FG_PUT_STATE,
    FG_DROP_STATE,
    FG_PUT_LABEL,
    FG_DROP_LABEL,
    FG_PUT_DAILY,
    FG_PLACE_DAILY,
    FG_PUT_VALUE,
    FG_PUT_SAME_VALUE,
    FG_PUT_VALUE_RULE,
    FG_PUT_VALUE_CHANGE,
    FG_PUT_REQUEST,
    FG_PUT_NOTE,
    FG_PUT_PROMISE,
    FG_DROP_PROMISE,
    FG_PUT_EARLY,
    FG_PUT_COMMAND,
    FG_DROP_COMMAND,
    FG_PUT_PAGE_EXTRA,
    FG_DROP_PAGE_EXTRA,
    FG_PUT_TEXT,
    FG_PUT_ANCHOR,
    FG_DROP_ANCHOR,
    FG_COUNT_SEARCH,
    FG_COUNT_FEEDBACK,
    FG_PUT_MARK,
    FG_KEEP_STATE,
    FG_EDITS,
};

struct fg_edit_plan {
    enum fg_row_kind rows;
    enum fg_edit_how {
        FG_REPLACE, /* the row of the same key, if there is one */
        FG_IGNORE,  /* the new row, if one of the same key is there, or not unique */
        FG_MERGE,   /* into that row by the words, or add it */
        FG_UPDATE,  /* that row by the words, if there is one */
        FG_DROP,    /* that row */
    } how;
    const char *words;
};

enum fg_row_query {
    FG_LAST_SITE,
    FG_PAGE_BY_FINGERPRINT,
    FG_PAGES_AFTER,
    FG_PAGE_ROWS_AFTER,
    FG_NEXT_SITE_OF_PAGES,
    FG_LAST_PAGE,
    FG_PAGE_FIGURES,
    FG_LINKS_GONE,
    FG_LINKS_TO_SITE,
    FG_ALL_VISITS,
    FG_SITE_VISITS,
    FG_PAGE_VISITS,
    FG_VISITS_BEFORE,
    FG_OLD_VISITS,
    FG_VISIT_FIGURES,
    FG_ALL_EVENTS,
    FG_SITE_EVENTS,
    FG_EVENTS_SINCE,
    FG_EVENT_NUMBERS,
    FG_SITE_EVENT_NUMBERS,
    FG_LAST_EVENT,
    FG_EVENT_FIGURES,
    FG_DAYS,
    FG_LAST_DAY,
    FG_VALUE_RULES,
    FG_VALUE_CHANGES_BEFORE,
    FG_ALL_VALUE_CHANGES,
    FG_SITE_VALUE_CHANGES,
    FG_SITE_LETTERS,
    FG_REQUESTS_SINCE,
    FG_OLD_REQUESTS,
    FG_LAST_EARLY,
    FG_EARLY_UNTIL,
    FG_BODY_AT,
    FG_BODIES_BEFORE,
    FG_COMMAND_KINDS,
    FG_PAGE_STANDING,
    FG_TEXT_BY_NUMBER,
    FG_TEXT_PAGES,
    FG_LAST_TEXT,
    FG_ANCHORS_FROM_SITE,
    FG_INLINKS,
    FG_OLD_SEARCHES,
    FG_OLD_MARKS,
    FG_BY_KEY, /* see below */
    FG_QUERIES = FG_BY_KEY + FG_ROW_KINDS * (FG_KEYS_MOST + 1),
};

/* Rows of a kind by the first `n` columns of their key, in the order of the others: with
 * n 0 all of them, with the whole key one. */
#define FG_KEYED(kind, n) \
    ((enum fg_row_query)(FG_BY_KEY + (kind) * (FG_KEYS_MOST + 1) + (n)))

struct fg_query_plan {
    enum fg_row_kind rows;
    size_t keys;                         /* so many columns of the key are given */
    const char *where, *order, *columns; /* order NULL: that of the key */
};

extern const struct fg_edit_plan fg_edit_plans[FG_EDITS];

struct fg_query_plan fg_query_plan(enum fg_row_query query);
/* The columns that a query compares, in the order of its arguments; `marks` gets how. */
size_t fg_query_conditions(const struct fg_query_plan *plan, uint8_t columns[static 8],
                           struct fg_str marks[static 8]);
/* Do rows of this kind hang on a site and go with it as they are? */
bool fg_row_hangs_on_site(enum fg_row_kind kind);

/* The next word of a plan: the column, and the mark behind it ("-" before it counts as
 * well). False after the last one; column n_columns is "*". */
struct fg_plan_word {
    size_t column;
    struct fg_str mark;
};
bool fg_plan_next(struct fg_plan_word *word, const struct fg_row_type *type,
                  struct fg_str *rest);

/* What an edit does to a column: '=', '?', '+', '~', '!', and '-' for nothing. */
char fg_edit_mark(const struct fg_edit_plan *plan, size_t column);

#endif
