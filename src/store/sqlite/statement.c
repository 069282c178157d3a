/* Plans as SQL. A statement is prepared when it is first needed and kept for the life of
 * its connection; texts are bound in place, without a copy, because they outlive the
 * step. */
#include "store/sqlite/sqlite.h"

#include <stdio.h>
#include <stdlib.h>

/* --- the text --- */

static void add_keys(struct fg_buf *sql, const struct fg_row_type *type)
{
    for (size_t i = 0; i < type->n_keys; i++)
        fg_buf_printf(sql, "%s%s", i ? ", " : "", type->columns[i].name);
}

static void bind_column(struct fg_statement *statement, size_t column)
{
    statement->columns[statement->n_columns++] = (uint8_t)column;
}

/* "c = ..." of a column, where `given` is the value of the row that is given. */
static void add_change(struct fg_buf *sql, const struct fg_row_column *column, char mark,
                       const char *given)
{
    const char *name = column->name;
    fg_buf_printf(sql, "%s = ", name);
    if (mark == '+')
        fg_buf_printf(sql, "%s + %s", name, given);
    else if (mark == '~')
        fg_buf_printf(sql, "iif(%s, %s + %s, 0)", given, name, given);
    else if (mark == '?' && fg_cell_is_nullable(column->cell))
        fg_buf_printf(sql, "ifnull(%s, %s)", given, name);
    else if (mark == '?')
        fg_buf_printf(sql,
                      fg_cell_is_text(column->cell) ? "iif(%s != '', %s, %s)"
                                                    : "iif(%s, %s, %s)",
                      given, given, name);
    else
        fg_buf_printf(sql, "%s", given);
}

static void add_insert(struct fg_buf *sql, struct fg_statement *statement,
                       const char *verb)
{
    const struct fg_row_type *type = statement->type;
    fg_buf_printf(sql, "%s INTO %s(", verb, type->table);
    for (size_t i = 0; i < type->n_columns; i++) {
        fg_buf_printf(sql, "%s%s", i ? ", " : "", type->columns[i].name);
        bind_column(statement, i);
    }
    fg_buf_printf(sql, ") VALUES(");
    for (size_t i = 0; i < type->n_columns; i++)
        fg_buf_printf(sql, "%s?%zu", i ? ", " : "", i + 1);
    fg_buf_printf(sql, ")");
}

/* The changes of an edit, with the values from what was to be inserted. */
static void add_merge(struct fg_buf *sql, struct fg_statement *statement,
                      const struct fg_edit_plan *plan)
{
    const struct fg_row_type *type = statement->type;
    const char *same = NULL, *separator = "";
    add_insert(sql, statement, "INSERT");
    fg_buf_printf(sql, " ON CONFLICT(");
    add_keys(sql, type);
    fg_buf_printf(sql, ") DO UPDATE SET ");
    for (size_t i = type->n_keys; i < type->n_columns; i++) {
        char given[64], mark = fg_edit_mark(plan, i);
        if (mark == '!')
            same = type->columns[i].name;
        if (mark == '!' || mark == '-')
            continue;
        snprintf(given, sizeof given, "excluded.%s", type->columns[i].name);
        fg_buf_printf(sql, "%s", separator);
        add_change(sql, &type->columns[i], mark, given);
        separator = ", ";
    }
    if (same)
        fg_buf_printf(sql, " WHERE %s = excluded.%s", same, same);
}

static void add_update(struct fg_buf *sql, struct fg_statement *statement,
                       const struct fg_edit_plan *plan)
{
    const struct fg_row_type *type = statement->type;
    const char *separator = "";
    fg_buf_printf(sql, "UPDATE %s SET ", type->table);
    for (size_t i = type->n_keys; i < type->n_columns; i++) {
        char given[8], mark = fg_edit_mark(plan, i);
        if (mark == '-')
            continue;
        snprintf(given, sizeof given, "?%zu", i + 1);
        fg_buf_printf(sql, "%s", separator);
        add_change(sql, &type->columns[i], mark, given);
        bind_column(statement, i);
        separator = ", ";
    }
}

static void add_key_condition(struct fg_buf *sql, struct fg_statement *statement)
{
    for (size_t i = 0; i < statement->type->n_keys; i++) {
        fg_buf_printf(sql, "%s %s = ?%zu", i ? " AND" : " WHERE",
                      statement->type->columns[i].name, i + 1);
        bind_column(statement, i);
    }
}

static void spell_edit(struct fg_buf *sql, struct fg_statement *statement,
                       const struct fg_edit_plan *plan)
{
    statement->type = &fg_row_types[plan->rows];
    switch (plan->how) {
    case FG_REPLACE:
        add_insert(sql, statement, "INSERT OR REPLACE");
        break;
    case FG_IGNORE:
        add_insert(sql, statement, "INSERT OR IGNORE");
        break;
    case FG_MERGE:
        add_merge(sql, statement, plan);
        break;
    case FG_UPDATE:
        add_update(sql, statement, plan);
        add_key_condition(sql, statement);
        break;
    case FG_DROP:
        fg_buf_printf(sql, "DELETE FROM %s", statement->type->table);
        add_key_condition(sql, statement);
        break;
    }
}

static void add_order(struct fg_buf *sql, const struct fg_query_plan *plan)
{
    const struct fg_row_type *type = &fg_row_types[plan->rows];
    struct fg_str rest = fg_str_from(plan->order);
    struct fg_plan_word word;
    const char *comma = " ORDER BY";
    for (size_t i = plan->keys; !plan->order && i < type->n_keys; i++, comma = ",")
        fg_buf_printf(sql, "%s %s", comma, type->columns[i].name);
    for (; fg_plan_next(&word, type, &rest); comma = ",")
        fg_buf_printf(sql, "%s %s%s", comma, type->columns[word.column].name,
                      word.mark.len ? " DESC" : "");
}

static void add_conditions(struct fg_buf *sql, struct fg_statement *statement,
                           const struct fg_query_plan *plan)
{
    struct fg_str marks[8];
    size_t n = fg_query_conditions(plan, statement->args, marks);
    statement->n_args = (uint8_t)n;
    fg_buf_printf(sql, " FROM %s", statement->type->table);
    for (size_t i = 0; i < n; i++)
        fg_buf_printf(sql, "%s %s %.*s ?", i ? " AND" : " WHERE",
                      statement->type->columns[statement->args[i]].name,
                      FG_ARG(marks[i]));
}

static void spell_walk(struct fg_buf *sql, struct fg_statement *statement,
                       const struct fg_query_plan *plan)
{
    const struct fg_row_type *type = statement->type = &fg_row_types[plan->rows];
    struct fg_str rest = fg_str_from(plan->columns);
    struct fg_plan_word word;
    while (fg_plan_next(&word, type, &rest))
        bind_column(statement, word.column);
    for (size_t i = 0; !plan->columns && i < type->n_columns; i++)
        bind_column(statement, i);
    for (size_t i = 0; i < statement->n_columns; i++)
        fg_buf_printf(sql, "%s %s", i ? "," : "SELECT",
                      type->columns[statement->columns[i]].name);
    add_conditions(sql, statement, plan);
    add_order(sql, plan);
    fg_buf_printf(sql, " LIMIT ?");
}

static void spell_drop(struct fg_buf *sql, struct fg_statement *statement,
                       const struct fg_query_plan *plan)
{
    const struct fg_row_type *type = statement->type = &fg_row_types[plan->rows];
    fg_buf_printf(sql, "DELETE FROM %s WHERE (", type->table);
    add_keys(sql, type);
    fg_buf_printf(sql, ") IN (SELECT ");
    add_keys(sql, type);
    add_conditions(sql, statement, plan);
    fg_buf_printf(sql, " LIMIT ?)");
}

static enum fg_status prepare(struct fg_connection *connection,
                              struct fg_statement *statement, struct fg_buf *sql,
                              struct fg_err *err)
{
    fg_buf_add_char(sql, '\0');
    enum fg_status st = FG_OK;
    if (sqlite3_prepare_v3(connection->db, sql->at, -1, SQLITE_PREPARE_PERSISTENT,
                           &statement->stmt, NULL) != SQLITE_OK) {
        st = fg_sqlite_fail(err, connection->db, connection->path, "prepare");
        *statement = (struct fg_statement){0};
    }
    fg_buf_clear(sql);
    return st;
}

/* --- rows in --- */

static void bind_text(sqlite3_stmt *stmt, int at, enum fg_cell cell, struct fg_str text)
{
    const char *bytes = text.at ? text.at : "";
    if (cell == FG_CELL_BYTES)
        sqlite3_bind_blob64(stmt, at, bytes, text.len, SQLITE_STATIC);
    else
        sqlite3_bind_text64(stmt, at, bytes, text.len, SQLITE_STATIC, SQLITE_UTF8);
}

static void bind_cell(sqlite3_stmt *stmt, int at, const struct fg_row_column *column,
                      const void *row)
{
    int64_t number;
    if (fg_cell_is_text(column->cell)) {
        bind_text(stmt, at, column->cell, *fg_cell_text(column, row));
    } else if (column->cell == FG_CELL_REAL) {
        float value;
        memcpy(&value, (const char *)row + column->offset, sizeof value);
        /* SQLite turns a NaN into NULL, which the column would refuse. */
        sqlite3_bind_double(stmt, at, value == value ? (double)value : 0);
    } else if (fg_cell_number(column, row, &number)) {
        sqlite3_bind_int64(stmt, at, number);
    } else {
        sqlite3_bind_null(stmt, at);
    }
}

static enum fg_status run(struct fg_connection *connection, sqlite3_stmt *stmt,
                          size_t *changed, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    if (sqlite3_step(stmt) != SQLITE_DONE)
        st = fg_sqlite_fail(err, connection->db, connection->path, "write");
    else if (changed)
        *changed = (size_t)sqlite3_changes(connection->db);
    sqlite3_reset(stmt);
    return st;
}

enum fg_status fg_connection_edit(struct fg_connection *connection, enum fg_edit edit,
                                  const void *row, size_t *changed, struct fg_err *err)
{
    struct fg_statement *statement = &connection->edits[edit];
    if (!statement->stmt) {
        struct fg_buf sql;
        fg_buf_init(&sql, SIZE_MAX);
        spell_edit(&sql, statement, &fg_edit_plans[edit]);
        enum fg_status st = prepare(connection, statement, &sql, err);
        if (st)
            return st;
    }
    for (size_t i = 0; i < statement->n_columns; i++) {
        uint8_t column = statement->columns[i];
        bind_cell(statement->stmt, column + 1, &statement->type->columns[column], row);
    }
    return run(connection, statement->stmt, changed, err);
}

/* --- queries --- */

static enum fg_status ask(struct fg_connection *connection,
                          struct fg_statement *statement, enum fg_row_query query,
                          void (*spell)(struct fg_buf *, struct fg_statement *,
                                        const struct fg_query_plan *),
                          const struct fg_arg *args, size_t most, struct fg_err *err)
{
    if (!statement->stmt) {
        struct fg_query_plan plan = fg_query_plan(query);
        struct fg_buf sql;
        fg_buf_init(&sql, SIZE_MAX);
        spell(&sql, statement, &plan);
        enum fg_status st = prepare(connection, statement, &sql, err);
        if (st)
            return st;
    }
    int at = 0;
    for (; at < statement->n_args; at++) {
        enum fg_cell cell = statement->type->columns[statement->args[at]].cell;
        if (fg_cell_is_text(cell))
            bind_text(statement->stmt, at + 1, cell, args[at].text);
        else
            sqlite3_bind_int64(statement->stmt, at + 1, args[at].number);
    }
    sqlite3_bind_int64(statement->stmt, at + 1,
                       most > INT64_MAX ? -1 : (sqlite3_int64)most);
    return FG_OK;
}

enum fg_status fg_connection_drop(struct fg_connection *connection,
                                  enum fg_row_query query, const struct fg_arg *args,
                                  size_t most, size_t *dropped, struct fg_err *err)
{
    struct fg_statement *statement = &connection->drops[query];
    enum fg_status st = ask(connection, statement, query, spell_drop, args, most, err);
    return st ? st : run(connection, statement->stmt, dropped, err);
}

enum fg_status fg_connection_walk(struct fg_connection *connection,
                                  enum fg_row_query query, const struct fg_arg *args,
                                  size_t most, struct fg_statement **statement,
                                  struct fg_err *err)
{
    *statement = &connection->walks[query];
    return ask(connection, *statement, query, spell_walk, args, most, err);
}

/* As a blob: text may hold any byte, and SQLite then has nothing to convert. */
static void read_cell(sqlite3_stmt *stmt, int at, const struct fg_row_column *column,
                      void *row)
{
    if (fg_cell_is_text(column->cell)) {
        const char *text = sqlite3_column_blob(stmt, at);
        *fg_cell_text(column, row) =
            text ? (struct fg_str){text, (size_t)sqlite3_column_bytes(stmt, at)}
                 : FG_STR("");
    } else if (column->cell == FG_CELL_REAL) {
        float value = (float)sqlite3_column_double(stmt, at);
        memcpy((char *)row + column->offset, &value, sizeof value);
    } else {
        int64_t number = sqlite3_column_int64(stmt, at);
        bool is_null = fg_cell_is_nullable(column->cell) &&
                       sqlite3_column_type(stmt, at) == SQLITE_NULL;
        fg_cell_set(column, row, is_null ? NULL : &number);
    }
}

bool fg_statement_next(struct fg_statement *statement, struct fg_connection *connection,
                       void *row, enum fg_status *status, struct fg_err *err)
{
    int code = sqlite3_step(statement->stmt);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        *status = fg_sqlite_fail(err, connection->db, connection->path, "read");
    if (code != SQLITE_ROW)
        return false;
    for (size_t i = 0; i < statement->n_columns; i++)
        read_cell(statement->stmt, (int)i,
                  &statement->type->columns[statement->columns[i]], row);
    return true;
}

void fg_connection_free(struct fg_connection *connection)
{
    if (!connection)
        return;
    for (size_t i = 0; i < FG_EDITS; i++)
        sqlite3_finalize(connection->edits[i].stmt);
    for (size_t i = 0; i < FG_QUERIES; i++) {
        sqlite3_finalize(connection->walks[i].stmt);
        sqlite3_finalize(connection->drops[i].stmt);
    }
    fg_fulltext_free(connection->fulltext);
    sqlite3_close(connection->db);
    free(connection);
}
