/* Plans as SQL, and rows in PostgreSQL's binary formats: texts are bytea, so that NUL and
 * broken UTF-8 come back as they went.
 *
 * Rows are written, looked up and taken out many at a time, a column an array (unnest),
 * and the statements of a transaction go out in one pipeline. A statement touches one
 * table by its key and calls nothing volatile, so that it may be spread by schema. */
#include "store/postgres/postgres.h"

#include <arpa/inet.h>
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PART = 2000,
};

/* --- cells --- */

struct form {
    const char *name;
    uint32_t oid, bytes; /* bytes 0: as many as there are */
};

static struct form form_of(const struct fg_row_column *column)
{
    if (fg_cell_is_text(column->cell))
        return (struct form){"bytea", 17, 0};
    if (column->cell == FG_CELL_REAL)
        return (struct form){"float4", 700, 4};
    if (column->bytes == 1)
        return (struct form){"int2", 21, 2};
    if (column->bytes == 2 || column->cell == FG_CELL_DAY)
        return (struct form){"int4", 23, 4};
    return (struct form){"int8", 20, 8};
}

static void add_u32(struct fg_buf *out, uint32_t value)
{
    uint32_t big = htonl(value);
    memcpy(fg_buf_reserve(out, 4), &big, 4);
    out->len += 4;
}

static void add_number(struct fg_buf *out, int64_t number, uint32_t bytes)
{
    uint64_t big = htobe64((uint64_t)number);
    memcpy(fg_buf_reserve(out, bytes), (const char *)&big + 8 - bytes, bytes);
    out->len += bytes;
}

static int64_t number_at(const char *at, int bytes)
{
    uint64_t big = 0;
    memcpy((char *)&big + 8 - bytes, at, (size_t)bytes);
    uint64_t value = be64toh(big);
    return bytes == 2 ? (int16_t)value : bytes == 4 ? (int32_t)value : (int64_t)value;
}

static void add_cell(struct fg_buf *out, const struct fg_row_column *column,
                     const void *row)
{
    struct form form = form_of(column);
    int64_t number;
    if (fg_cell_is_text(column->cell)) {
        struct fg_str text = *fg_cell_text(column, row);
        add_u32(out, (uint32_t)text.len);
        fg_buf_add(out, text);
    } else if (column->cell == FG_CELL_REAL) {
        float value;
        uint32_t bits;
        memcpy(&value, (const char *)row + column->offset, sizeof value);
        value = value == value ? value : 0; /* as SQLite keeps it */
        memcpy(&bits, &value, sizeof bits);
        add_u32(out, 4);
        add_u32(out, bits);
    } else if (fg_cell_number(column, row, &number)) {
        add_u32(out, form.bytes);
        add_number(out, number, form.bytes);
    } else {
        add_u32(out, UINT32_MAX); /* NULL */
    }
}

static void read_cell(const struct fg_row_column *column, const PGresult *result, int at,
                      int field, void *row)
{
    const char *value = PQgetvalue(result, at, field);
    int bytes = PQgetlength(result, at, field);
    bool is_null = PQgetisnull(result, at, field);
    if (fg_cell_is_text(column->cell)) {
        *fg_cell_text(column, row) =
            bytes ? (struct fg_str){value, (size_t)bytes} : FG_STR("");
    } else if (column->cell == FG_CELL_REAL) {
        uint32_t bits = (uint32_t)number_at(value, 4);
        memcpy((char *)row + column->offset, &bits, sizeof bits);
    } else {
        int64_t number = is_null ? 0 : number_at(value, bytes);
        fg_cell_set(column, row, is_null ? NULL : &number);
    }
}

void fg_pg_read_row(const struct fg_row_type *type, const uint8_t *columns, size_t n,
                    const PGresult *result, int at, void *row)
{
    for (size_t i = 0; i < n; i++)
        read_cell(&type->columns[columns ? columns[i] : i], result, at, (int)i, row);
}

/* --- arrays --- */

void fg_pg_arrays_start(struct fg_pg_arrays *arrays, const struct fg_row_type *type,
                        const uint8_t *columns, size_t n)
{
    arrays->n = 0;
    arrays->n_columns = (uint8_t)n;
    for (size_t i = 0; i < n; i++) {
        struct fg_buf *out = &arrays->columns[i];
        arrays->at[i] = columns ? columns[i] : (uint8_t)i;
        if (!out->max)
            fg_buf_init(out, SIZE_MAX);
        fg_buf_reset(out);
        add_u32(out, 1); /* dimension */
        add_u32(out, 1); /* there may be NULL */
        add_u32(out, form_of(&type->columns[arrays->at[i]]).oid);
        add_u32(out, 0); /* elements, known in the end */
        add_u32(out, 1); /* the first one's number */
    }
}

void fg_pg_arrays_add(struct fg_pg_arrays *arrays, const struct fg_row_type *type,
                      const void *row)
{
    for (size_t i = 0; i < arrays->n_columns; i++)
        add_cell(&arrays->columns[i], &type->columns[arrays->at[i]], row);
    arrays->n++;
}

size_t fg_pg_arrays_bytes(const struct fg_pg_arrays *arrays)
{
    size_t bytes = 0;
    for (size_t i = 0; i < arrays->n_columns; i++)
        bytes += arrays->columns[i].len;
    return bytes;
}

void fg_pg_arrays_clear(struct fg_pg_arrays *arrays)
{
    for (size_t i = 0; i < FG_COLUMNS_MOST; i++)
        if (arrays->columns[i].max)
            fg_buf_clear(&arrays->columns[i]);
}

/* --- the text --- */

static void add_names(struct fg_buf *sql, const struct fg_row_type *type,
                      const char *before, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fg_buf_printf(sql, "%s%s\"%s\"", i ? ", " : "", before, type->columns[i].name);
}

/* "unnest($1::int8[], ...) AS k(c0, ...)" */
static void add_unnest(struct fg_buf *sql, const struct fg_row_type *type,
                       const uint8_t *columns, size_t n)
{
    fg_buf_printf(sql, "unnest(");
    for (size_t i = 0; i < n; i++)
        fg_buf_printf(sql, "%s$%zu::%s[]", i ? ", " : "", i + 1,
                      form_of(&type->columns[columns[i]]).name);
    fg_buf_printf(sql, ") AS k(");
    for (size_t i = 0; i < n; i++)
        fg_buf_printf(sql, "%sc%zu", i ? ", " : "", i);
    fg_buf_printf(sql, ")");
}

static void add_match(struct fg_buf *sql, const struct fg_row_type *type,
                      const uint8_t *columns, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fg_buf_printf(sql, "%st.\"%s\" = k.c%zu", i ? " AND " : "",
                      type->columns[columns[i]].name, i);
}

static void spell_bulk(struct fg_buf *sql, enum fg_pg_bulk what,
                       const struct fg_row_type *type, const uint8_t *columns, size_t n)
{
    switch (what) {
    case FG_PG_PUT:
        fg_buf_printf(sql, "INSERT INTO %s(", type->table);
        add_names(sql, type, "", type->n_columns);
        fg_buf_printf(sql, ") SELECT * FROM ");
        add_unnest(sql, type, columns, n);
        fg_buf_printf(sql, " ON CONFLICT(");
        add_names(sql, type, "", type->n_keys);
        fg_buf_printf(sql, ") DO UPDATE SET ");
        for (size_t i = type->n_keys; i < n; i++)
            fg_buf_printf(sql, "%s\"%s\" = excluded.\"%s\"", i > type->n_keys ? ", " : "",
                          type->columns[i].name, type->columns[i].name);
        return;
    case FG_PG_TAKE_OUT:
        fg_buf_printf(sql, "DELETE FROM %s t USING ", type->table);
        add_unnest(sql, type, columns, n);
        fg_buf_printf(sql, " WHERE ");
        break;
    case FG_PG_FIND:
    case FG_PG_TAKEN:
        fg_buf_printf(sql, "SELECT ");
        add_names(sql, type, "t.", type->n_columns);
        fg_buf_printf(sql, " FROM ");
        add_unnest(sql, type, columns, n);
        fg_buf_printf(sql, " JOIN %s t ON ", type->table);
        break;
    }
    add_match(sql, type, columns, n);
}

static void add_conditions(struct fg_buf *sql, const struct fg_query_plan *plan)
{
    const struct fg_row_type *type = &fg_row_types[plan->rows];
    uint8_t columns[8];
    struct fg_str marks[8];
    size_t n = fg_query_conditions(plan, columns, marks);
    fg_buf_printf(sql, " FROM %s", type->table);
    for (size_t i = 0; i < n; i++)
        fg_buf_printf(sql, "%s \"%s\" %.*s $%zu::%s", i ? " AND" : " WHERE",
                      type->columns[columns[i]].name, FG_ARG(marks[i]), i + 1,
                      fg_cell_is_text(type->columns[columns[i]].cell) ? "bytea" : "int8");
}

static void add_order(struct fg_buf *sql, const struct fg_query_plan *plan)
{
    const struct fg_row_type *type = &fg_row_types[plan->rows];
    struct fg_str rest = fg_str_from(plan->order);
    struct fg_plan_word word;
    const char *comma = " ORDER BY";
    for (size_t i = plan->keys; !plan->order && i < type->n_keys; i++, comma = ",")
        fg_buf_printf(sql, "%s \"%s\"", comma, type->columns[i].name);
    for (; fg_plan_next(&word, type, &rest); comma = ",")
        fg_buf_printf(sql, "%s \"%s\"%s", comma, type->columns[word.column].name,
                      word.mark.len ? " DESC" : "");
}

static void spell_walk(struct fg_buf *sql, struct fg_pg_rows *rows,
                       const struct fg_query_plan *plan)
{
    struct fg_str rest = fg_str_from(plan->columns);
    struct fg_plan_word word;
    while (fg_plan_next(&word, rows->type, &rest))
        rows->columns[rows->n_columns++] = (uint8_t)word.column;
    for (size_t i = 0; !plan->columns && i < rows->type->n_columns; i++)
        rows->columns[rows->n_columns++] = (uint8_t)i;
    for (size_t i = 0; i < rows->n_columns; i++)
        fg_buf_printf(sql, "%s \"%s\"", i ? "," : "SELECT",
                      rows->type->columns[rows->columns[i]].name);
    add_conditions(sql, plan);
    add_order(sql, plan);
}

static void spell_drop(struct fg_buf *sql, const struct fg_query_plan *plan,
                       bool is_limited)
{
    const struct fg_row_type *type = &fg_row_types[plan->rows];
    fg_buf_printf(sql, "DELETE");
    if (is_limited) {
        fg_buf_printf(sql, " FROM %s WHERE (", type->table);
        add_names(sql, type, "", type->n_keys);
        fg_buf_printf(sql, ") IN (SELECT ");
        add_names(sql, type, "", type->n_keys);
    }
    add_conditions(sql, plan);
}

/* --- pipelines --- */

enum fg_status fg_pg_begin_pipeline(struct fg_pg_link *link, struct fg_err *err)
{
    return PQenterPipelineMode(link->db) ? FG_OK : fg_pg_fail(err, link, NULL, "write");
}

static enum fg_status sent(struct fg_pg_link *link, int is_sent, struct fg_err *err)
{
    link->statements++;
    return is_sent ? FG_OK : fg_pg_fail(err, link, NULL, "write");
}

enum fg_status fg_pg_send_text(struct fg_pg_link *link, const char *sql,
                               struct fg_err *err)
{
    return sent(link, PQsendQueryParams(link->db, sql, 0, NULL, NULL, NULL, NULL, 1),
                err);
}

enum fg_status fg_pg_send_params(struct fg_pg_link *link, const char *sql, int n,
                                 const char *const *values, const int *lengths,
                                 struct fg_err *err)
{
    int formats[16];
    for (int i = 0; i < n; i++)
        formats[i] = 1;
    return sent(link,
                PQsendQueryParams(link->db, sql, n, NULL, values, lengths, formats, 1),
                err);
}

static void name_statement(char name[static 48], const struct fg_pg_link *link,
                           size_t number)
{
    snprintf(name, 48, "f%zu_%u", number, link->generation);
}

/* Prepared when it is first needed, in the same pipeline. */
enum fg_status fg_pg_send(struct fg_pg_link *link, enum fg_pg_bulk what,
                          enum fg_row_kind kind, struct fg_pg_arrays *arrays,
                          struct fg_err *err)
{
    size_t number = 2 * FG_QUERIES + 4 * (size_t)kind + what;
    const char *values[FG_COLUMNS_MOST];
    int lengths[FG_COLUMNS_MOST], formats[FG_COLUMNS_MOST];
    char name[48];
    name_statement(name, link, number);
    if (!link->is_prepared[number]) {
        struct fg_buf sql;
        fg_buf_init(&sql, SIZE_MAX);
        spell_bulk(&sql, what, &fg_row_types[kind], arrays->at, arrays->n_columns);
        fg_buf_add_char(&sql, '\0');
        int is_sent = PQsendPrepare(link->db, name, sql.at, 0, NULL);
        fg_buf_clear(&sql);
        if (!is_sent)
            return fg_pg_fail(err, link, NULL, "write");
        link->is_prepared[number] = true;
    }
    for (size_t i = 0; i < arrays->n_columns; i++) {
        uint32_t n = htonl((uint32_t)arrays->n);
        memcpy(arrays->columns[i].at + 12, &n, sizeof n);
        values[i] = arrays->columns[i].at;
        lengths[i] = (int)arrays->columns[i].len;
        formats[i] = 1;
    }
    return sent(link,
                PQsendQueryPrepared(link->db, name, arrays->n_columns, values, lengths,
                                    formats, 1),
                err);
}

PGresult *fg_pg_next_result(struct fg_pg_link *link, enum fg_status *st,
                            struct fg_err *err)
{
    int nothing = 0; /* one NULL ends each statement; two of them, that all is said */
    for (;;) {
        if (fg_pg_is_lost(link)) {
            if (!*st)
                *st = fg_pg_fail(err, link, NULL, "write");
            return NULL;
        }
        PGresult *result = PQgetResult(link->db);
        ExecStatusType status = PQresultStatus(result);
        if (!result && ++nothing > 1)
            return NULL;
        if (!result)
            continue;
        nothing = 0;
        if (status == PGRES_TUPLES_OK)
            return result;
        if (status == PGRES_PIPELINE_SYNC) {
            PQclear(result);
            PQexitPipelineMode(link->db);
            return NULL;
        }
        if (status != PGRES_COMMAND_OK && status != PGRES_PIPELINE_ABORTED && !*st)
            *st = fg_pg_fail(err, link, result, "write");
        else
            PQclear(result);
    }
}

enum fg_status fg_pg_end_pipeline(struct fg_pg_link *link, const char *doing,
                                  struct fg_err *err)
{
    enum fg_status st = FG_OK;
    if (!PQpipelineSync(link->db))
        st = fg_pg_fail(err, link, NULL, doing);
    for (PGresult *result; (result = fg_pg_next_result(link, &st, err));)
        PQclear(result);
    if (st) { /* which statements are prepared is not known: they get other names */
        memset(link->is_prepared, 0, sizeof link->is_prepared);
        link->generation++;
    }
    return st;
}

/* --- COPY --- */

enum { COPY_BYTES = 256 << 10 };

enum fg_status fg_pg_copy_start(struct fg_pg_link *link, enum fg_row_kind kind,
                                struct fg_buf *out, struct fg_err *err)
{
    struct fg_buf sql;
    fg_buf_init(&sql, SIZE_MAX);
    fg_buf_printf(&sql, "COPY %s(", fg_row_types[kind].table);
    add_names(&sql, &fg_row_types[kind], "", fg_row_types[kind].n_columns);
    fg_buf_printf(&sql, ") FROM STDIN BINARY");
    fg_buf_add_char(&sql, '\0');
    PGresult *result = PQexec(link->db, sql.at);
    fg_buf_clear(&sql);
    link->statements++;
    if (PQresultStatus(result) != PGRES_COPY_IN)
        return fg_pg_fail(err, link, result, "write");
    PQclear(result);
    if (!out->max)
        fg_buf_init(out, SIZE_MAX);
    fg_buf_reset(out);
    fg_buf_add(out, (struct fg_str){"PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19});
    return FG_OK;
}

static enum fg_status put_copy(struct fg_pg_link *link, struct fg_buf *out,
                               struct fg_err *err)
{
    int is_put = PQputCopyData(link->db, out->at, (int)out->len);
    fg_buf_reset(out);
    return is_put == 1 ? FG_OK : fg_pg_fail(err, link, NULL, "write");
}

enum fg_status fg_pg_copy_row(struct fg_pg_link *link, enum fg_row_kind kind,
                              struct fg_buf *out, const void *row, struct fg_err *err)
{
    const struct fg_row_type *type = &fg_row_types[kind];
    add_number(out, (int64_t)type->n_columns, 2);
    for (size_t i = 0; i < type->n_columns; i++)
        add_cell(out, &type->columns[i], row);
    return out->len < COPY_BYTES ? FG_OK : put_copy(link, out, err);
}

enum fg_status fg_pg_copy_end(struct fg_pg_link *link, struct fg_buf *out,
                              struct fg_err *err)
{
    add_number(out, -1, 2);
    enum fg_status st = put_copy(link, out, err);
    if (!st && PQputCopyEnd(link->db, NULL) != 1)
        st = fg_pg_fail(err, link, NULL, "write");
    for (PGresult *result; !st && (result = PQgetResult(link->db));) {
        if (PQresultStatus(result) != PGRES_COMMAND_OK)
            st = fg_pg_fail(err, link, result, "write");
        else
            PQclear(result);
    }
    for (PGresult *result; st && (result = PQgetResult(link->db));)
        PQclear(result);
    return st;
}

/* --- queries --- */

struct bound {
    const char *values[8];
    int64_t numbers[8];
    int lengths[8], formats[8], n;
};

static void bind_args(struct bound *bound, const struct fg_query_plan *plan,
                      const struct fg_arg *args)
{
    uint8_t columns[8];
    struct fg_str marks[8];
    bound->n = (int)fg_query_conditions(plan, columns, marks);
    for (int i = 0; i < bound->n; i++) {
        bool is_text = fg_cell_is_text(fg_row_types[plan->rows].columns[columns[i]].cell);
        bound->numbers[i] = (int64_t)htobe64((uint64_t)args[i].number);
        bound->values[i] = is_text ? (args[i].text.at ? args[i].text.at : "")
                                   : (const char *)&bound->numbers[i];
        bound->lengths[i] = is_text ? (int)args[i].text.len : 8;
        bound->formats[i] = 1;
    }
}

static PGresult *ask(struct fg_pg_link *link, size_t number, const char *sql,
                     const struct bound *bound)
{
    char name[48];
    name_statement(name, link, number);
    if (!link->is_prepared[number]) {
        PGresult *result = PQprepare(link->db, name, sql, 0, NULL);
        if (PQresultStatus(result) != PGRES_COMMAND_OK)
            return result;
        PQclear(result);
        link->is_prepared[number] = true;
    }
    link->statements++;
    return PQexecPrepared(link->db, name, bound->n, bound->values, bound->lengths,
                          bound->formats, 1);
}

static enum fg_status open_cursor(struct fg_pg_rows *rows, struct fg_buf *sql,
                                  const struct bound *bound, struct fg_err *err)
{
    struct fg_pg_link *link = rows->link;
    struct fg_buf declare;
    enum fg_status st = FG_OK;
    if (!link->is_in_transaction) {
        st = fg_pg_exec(link, "read", "BEGIN READ ONLY", err);
        rows->is_own = link->is_in_transaction = !st;
    }
    if (st)
        return st;
    rows->cursor = ++link->cursors;
    fg_buf_init(&declare, SIZE_MAX);
    fg_buf_printf(&declare, "DECLARE c%u BINARY NO SCROLL CURSOR FOR %s", rows->cursor,
                  sql->at);
    fg_buf_add_char(&declare, '\0');
    link->statements++;
    PGresult *result = PQexecParams(link->db, declare.at, bound->n, NULL, bound->values,
                                    bound->lengths, bound->formats, 1);
    fg_buf_clear(&declare);
    if (PQresultStatus(result) != PGRES_COMMAND_OK)
        return fg_pg_fail(err, link, result, "read");
    PQclear(result);
    return FG_OK;
}

/* Asked for while the part before is read, if nobody else uses the link. */
static bool fetch_ahead(struct fg_pg_rows *rows)
{
    char sql[64];
    snprintf(sql, sizeof sql, "FETCH %d FROM c%u", PART, rows->cursor);
    rows->link->statements++;
    rows->is_ahead = PQsendQueryParams(rows->link->db, sql, 0, NULL, NULL, NULL, NULL, 1);
    return rows->is_ahead;
}

static PGresult *take_fetched(struct fg_pg_rows *rows)
{
    PGresult *result = NULL;
    for (PGresult *next; rows->is_ahead && (next = PQgetResult(rows->link->db));) {
        PQclear(result);
        result = next;
    }
    rows->is_ahead = false;
    return result;
}

static enum fg_status fetch(struct fg_pg_rows *rows, struct fg_err *err)
{
    PQclear(rows->result);
    rows->at = 0;
    if (!rows->is_ahead)
        fetch_ahead(rows);
    rows->result = take_fetched(rows);
    if (PQresultStatus(rows->result) == PGRES_TUPLES_OK) {
        if (rows->is_own && PQntuples(rows->result) == PART)
            fetch_ahead(rows);
        return FG_OK;
    }
    PGresult *failed = rows->result;
    rows->result = NULL;
    return fg_pg_fail(err, rows->link, failed, "read");
}

enum fg_status fg_pg_walk(struct fg_pg_rows *rows, struct fg_pg_link *link,
                          enum fg_row_query query, const struct fg_arg *args, size_t most,
                          struct fg_err *err)
{
    struct fg_query_plan plan = fg_query_plan(query);
    struct bound bound;
    struct fg_buf sql;
    enum fg_status st = FG_OK;
    *rows = (struct fg_pg_rows){.link = link, .type = &fg_row_types[plan.rows]};
    fg_buf_init(&sql, SIZE_MAX);
    spell_walk(&sql, rows, &plan);
    bind_args(&bound, &plan, args);
    if (most > FG_PG_AT_ONCE) {
        if (most < INT64_MAX)
            fg_buf_printf(&sql, " LIMIT %zu", most);
        fg_buf_add_char(&sql, '\0');
        st = open_cursor(rows, &sql, &bound, err);
        if (!st)
            st = fetch(rows, err);
    } else {
        fg_buf_printf(&sql, " LIMIT $%d::int8", bound.n + 1);
        fg_buf_add_char(&sql, '\0');
        bound.numbers[bound.n] = (int64_t)htobe64((uint64_t)most);
        bound.values[bound.n] = (const char *)&bound.numbers[bound.n];
        bound.lengths[bound.n] = 8;
        bound.formats[bound.n++] = 1;
        rows->result = ask(link, query, sql.at, &bound);
        if (PQresultStatus(rows->result) != PGRES_TUPLES_OK) {
            st = fg_pg_fail(err, link, rows->result, "read");
            rows->result = NULL;
        }
    }
    fg_buf_clear(&sql);
    return st;
}

bool fg_pg_walk_next(struct fg_pg_rows *rows, void *row, enum fg_status *st,
                     struct fg_err *err)
{
    if (rows->only) {
        for (size_t i = 0; i < rows->n_columns; i++) {
            const struct fg_row_column *column = &rows->type->columns[rows->columns[i]];
            memcpy((char *)row + column->offset, rows->only + column->offset,
                   column->bytes);
        }
        rows->only = NULL;
        return true;
    }
    if (!rows->result)
        return false;
    if (rows->cursor && rows->at == PART && (*st = fetch(rows, err)))
        return false;
    if (rows->at == PQntuples(rows->result))
        return false;
    fg_pg_read_row(rows->type, rows->columns, rows->n_columns, rows->result, rows->at++,
                   row);
    return true;
}

void fg_pg_walk_end(struct fg_pg_rows *rows)
{
    char sql[32];
    PQclear(rows->result);
    rows->result = NULL;
    PQclear(take_fetched(rows));
    if (!rows->cursor || fg_pg_is_lost(rows->link))
        return;
    snprintf(sql, sizeof sql, "CLOSE c%u", rows->cursor);
    if (!rows->is_own && PQtransactionStatus(rows->link->db) == PQTRANS_INTRANS)
        fg_pg_exec(rows->link, "read", sql, NULL);
    if (rows->is_own) {
        fg_pg_exec(rows->link, "read", "COMMIT", NULL);
        rows->link->is_in_transaction = false;
    }
}

enum fg_status fg_pg_drop(struct fg_pg_link *link, enum fg_row_query query,
                          const struct fg_arg *args, size_t most, size_t *dropped,
                          struct fg_err *err)
{
    struct fg_query_plan plan = fg_query_plan(query);
    bool is_limited = most < INT64_MAX;
    struct bound bound;
    struct fg_buf sql;
    fg_buf_init(&sql, SIZE_MAX);
    spell_drop(&sql, &plan, is_limited);
    bind_args(&bound, &plan, args);
    if (is_limited)
        fg_buf_printf(&sql, " LIMIT %zu)", most);
    fg_buf_add_char(&sql, '\0');
    link->statements++;
    /* Not prepared: the number of rows is part of the text, and it is seldom asked. */
    PGresult *result = PQexecParams(link->db, sql.at, bound.n, NULL, bound.values,
                                    bound.lengths, bound.formats, 1);
    fg_buf_clear(&sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK)
        return fg_pg_fail(err, link, result, "write");
    if (dropped)
        *dropped = (size_t)strtoull(PQcmdTuples(result), NULL, 10);
    PQclear(result);
    return FG_OK;
}

/* Does the query name one row by its key? Then `key` gets it. Events are known by what
 * else is unique (held.c). */
bool fg_pg_names_row(enum fg_row_query query, const struct fg_arg *args, void *key)
{
    struct fg_query_plan plan = fg_query_plan(query);
    const struct fg_row_type *type = &fg_row_types[plan.rows];
    if (plan.where || plan.keys != type->n_keys || plan.rows == FG_EVENTS)
        return false;
    memset(key, 0, type->bytes);
    for (size_t i = 0; i < type->n_keys; i++)
        if (fg_cell_is_text(type->columns[i].cell))
            *fg_cell_text(&type->columns[i], key) = args[i].text;
        else
            fg_cell_set(&type->columns[i], key, &args[i].number);
    return true;
}
