/* The descriptions of rows and plans are sound, and docs/store.md follows them. */
#include "test.h"

#include "base/buf.h"
#include "base/file.h"
#include "store/plans.h"
#include "store/sqlite/sqlite.h"

static void row_types_fit_their_structs(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < FG_ROW_KINDS; kind++) {
        const struct fg_row_type *type = &fg_row_types[kind];
        assert_non_null(type->table);
        assert_in_range(type->n_columns, type->n_keys + (kind != 0), FG_COLUMNS_MOST);
        assert_in_range(type->n_keys, 1, FG_KEYS_MOST);
        for (size_t i = 0; i < type->n_columns; i++) {
            const struct fg_row_column *column = &type->columns[i];
            size_t bytes = column->bytes;
            assert_true(column->offset + bytes <= type->bytes);
            assert_int_equal(fg_row_column(type, fg_str_from(column->name)), i);
            if (fg_cell_is_text(column->cell))
                assert_int_equal(bytes, sizeof(struct fg_str));
            else if (column->cell == FG_CELL_MOMENT || column->cell == FG_CELL_TIME ||
                     column->cell == FG_CELL_SPAN || column->cell == FG_CELL_HASH)
                assert_int_equal(bytes, 8);
            else if (column->cell == FG_CELL_REAL || column->cell == FG_CELL_DAY ||
                     column->cell == FG_CELL_COUNT || column->cell == FG_CELL_FLAGS)
                assert_int_equal(bytes, 4);
            else
                assert_true(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
        }
    }
}

static void check_words(const struct fg_row_type *type, const char *words,
                        bool may_be_all)
{
    struct fg_str rest = fg_str_from(words);
    struct fg_plan_word word;
    while (fg_plan_next(&word, type, &rest))
        assert_true(word.column < type->n_columns || may_be_all);
}

static void plans_name_columns_that_there_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < FG_EDITS; i++)
        check_words(&fg_row_types[fg_edit_plans[i].rows], fg_edit_plans[i].words, true);
    for (unsigned i = 0; i < FG_BY_KEY; i++) {
        struct fg_query_plan plan = fg_query_plan((enum fg_row_query)i);
        check_words(&fg_row_types[plan.rows], plan.where, false);
        check_words(&fg_row_types[plan.rows], plan.order, false);
        check_words(&fg_row_types[plan.rows], plan.columns, false);
    }
}

static void fields_of_every_width_keep_their_number(void **state)
{
    (void)state;
    const struct fg_row_type *pages = &fg_row_types[FG_PAGES];
    struct fg_page_row page = {0};
    int64_t number;
    for (size_t i = 0; i < pages->n_columns; i++) {
        const struct fg_row_column *column = &pages->columns[i];
        if (fg_cell_is_text(column->cell) || column->cell == FG_CELL_REAL)
            continue;
        int64_t most = column->bytes == 8 ? -1 : (1LL << 8 * column->bytes) - 1;
        fg_cell_set(column, &page, &most);
        assert_true(fg_cell_number(column, &page, &number));
        assert_int_equal(number, most);
        fg_cell_set(column, &page, NULL);
        assert_int_equal(fg_cell_number(column, &page, &number),
                         column->cell != FG_CELL_TIME);
    }
    struct fg_daily_row day = {0};
    const struct fg_row_column *column =
        &fg_row_types[FG_DAILY]
             .columns[fg_row_column(&fg_row_types[FG_DAILY], FG_STR("day"))];
    fg_cell_set(column, &day, &(int64_t){-7});
    assert_int_equal(day.day, -7);
    assert_true(fg_cell_number(column, &day, &number));
    assert_int_equal(number, -7);
}

/* | `table` | key | what | `column` (help), ... | */
static void add_line(struct fg_buf *out, const struct fg_row_type *type)
{
    fg_buf_printf(out, "| `%s` | ", type->table);
    for (size_t i = 0; i < type->n_keys; i++)
        fg_buf_printf(out, "%s%s", i ? ", " : "", type->columns[i].name);
    fg_buf_printf(out, " | %s | ", type->what);
    for (size_t i = type->n_keys; i < type->n_columns; i++) {
        fg_buf_printf(out, "%s`%s`", i > type->n_keys ? ", " : "", type->columns[i].name);
        if (type->columns[i].help)
            fg_buf_printf(out, " (%s)", type->columns[i].help);
    }
    fg_buf_printf(out, " |\n");
}

static void docs_list_every_column_and_the_schema(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_str docs;
    struct fg_buf line;
    bool is_listed = true;
    assert_int_equal(fg_file_read(&docs, &arena, "docs/store.md", 1 << 20, NULL), FG_OK);
    fg_buf_init(&line, 1 << 16);
    for (size_t kind = 0; kind < FG_ROW_KINDS; kind++) {
        fg_buf_reset(&line);
        add_line(&line, &fg_row_types[kind]);
        if (fg_str_find(docs, fg_buf_str(&line)) == FG_NOT_FOUND) {
            print_error("docs/store.md lacks:\n%.*s", FG_ARG(fg_buf_str(&line)));
            is_listed = false;
        }
    }
    assert_true(is_listed);
    /* Who repairs a file goes by it. */
    fg_buf_reset(&line);
    fg_buf_printf(&line, "Version %d: ", FG_SCHEMA_VERSION);
    assert_true(fg_str_find(docs, fg_buf_str(&line)) != FG_NOT_FOUND);
    fg_buf_clear(&line);
    fg_arena_clear(&arena);
}

FG_TESTS(row_types_fit_their_structs, plans_name_columns_that_there_are,
         fields_of_every_width_keep_their_number, docs_list_every_column_and_the_schema)
