#include "base/csv.h"
#include "test.h"

/* All rows as "a|b|c@line;". */
static void check(const char *text, const char *expected)
{
    struct fg_arena arena = {0};
    struct fg_csv csv = fg_csv_from(fg_str_from(text));
    struct fg_str fields[FG_CSV_FIELDS];
    char out[512] = "";
    size_t n, at = 0;
    while (fg_csv_next(&csv, &arena, fields, &n)) {
        for (size_t i = 0; i < n; i++)
            at += (size_t)snprintf(out + at, sizeof out - at, "%s%.*s", i ? "|" : "",
                                   FG_ARG(fields[i]));
        at += (size_t)snprintf(out + at, sizeof out - at, "@%zu;", csv.line);
    }
    if (csv.is_broken)
        snprintf(out + at, sizeof out - at, "broken");
    assert_str(fg_str_from(out), expected);
    fg_arena_clear(&arena);
}

static void rows_are_cut_at_separators_and_lines(void **state)
{
    (void)state;
    check("a,b\n1,2\n", "a|b@1;1|2@2;");
    check("a,b\r\n1,2\r\n", "a|b@1;1|2@2;");
    check("a,b\n1,2", "a|b@1;1|2@2;");
    check("a,,c\n,\n", "a||c@1;|@2;");
    check("", "");
    check("\n\r\na\n", "a@3;");
    check("\xef\xbb\xbf"
          "a,b\n",
          "a|b@1;");
}

static void the_first_line_says_what_separates(void **state)
{
    (void)state;
    check("a;b,c\n1;2,3\n", "a|b,c@1;1|2,3@2;");
    check("a\tb\n1\t2;\n", "a|b@1;1|2;@2;");
}

static void quotes_protect_what_they_hold(void **state)
{
    (void)state;
    check("\"a,b\",\"c\"\"d\"\n", "a,b|c\"d@1;");
    check("\"x\ny\",2\n3,4\n", "x\ny|2@1;3|4@3;");
    check("\"\",a\n", "|a@1;");
    check("\"a\"\r\n\"b\"\r\n", "a@1;b@2;");
    check("a,\"b", "a|b@1;broken");
    check("\"\"\"\"\n", "\"@1;");
}

static void fields_beyond_the_most_are_dropped(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    char text[300] = "";
    for (int i = 0; i < 100; i++)
        text[2 * i] = 'x', text[2 * i + 1] = ',';
    text[199] = '\n';
    struct fg_csv csv = fg_csv_from(fg_str_from(text));
    struct fg_str fields[FG_CSV_FIELDS];
    size_t n;
    assert_true(fg_csv_next(&csv, &arena, fields, &n));
    assert_int_equal(n, FG_CSV_FIELDS);
    assert_false(fg_csv_next(&csv, &arena, fields, &n));
    fg_arena_clear(&arena);
}

FG_TESTS(rows_are_cut_at_separators_and_lines, the_first_line_says_what_separates,
         quotes_protect_what_they_hold, fields_beyond_the_most_are_dropped)
