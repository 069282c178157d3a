/* Cells of CSV: RFC 4180, and nothing that a spreadsheet would run. */
#include "cli/sheet.h"
#include "test.h"

static void check_cell(const char *text, size_t n, const char *expected, bool is_raw)
{
    struct fg_out out;
    fg_out_open_file(&out, -1, "nowhere");
    struct fg_sheet sheet = {.out = &out, .is_csv = true, .is_raw = is_raw};
    fg_sheet_begin(&sheet);
    fg_sheet_text(&sheet, "x", (struct fg_str){text, n});
    assert_str(fg_buf_str(&out.buf), expected);
    fg_buf_clear(&out.buf);
}
#define CELL(text, expected) check_cell(text, sizeof text - 1, expected, false)

static void csv_quotes_where_it_must(void **state)
{
    (void)state;
    CELL("plain", "plain");
    CELL("", "");
    CELL("a,b", "\"a,b\"");
    CELL("say \"x\"", "\"say \"\"x\"\"\"");
    CELL("two\nlines", "\"two\nlines\"");
    CELL(" edge", "\" edge\"");
    CELL("bad \xff byte\0", "bad \uFFFD byte\uFFFD");
}

static void csv_disarms_formulas(void **state)
{
    (void)state;
    CELL("=1+1", "'=1+1");
    CELL("+1", "'+1");
    CELL("-1", "'-1");
    CELL("@x", "'@x");
    CELL("\tx", "'\tx");
    CELL("\r=x", "\"'\r=x\"");
    CELL("=a,\"b\"", "\"'=a,\"\"b\"\"\"");
    CELL("1=1", "1=1");
    check_cell("=1", 2, "=1", true);
}

static void one_function_writes_head_and_rows(void **state)
{
    (void)state;
    struct fg_out out;
    fg_out_open_file(&out, -1, "nowhere");
    struct fg_sheet sheet = {.out = &out, .is_csv = true};
    for (int i = 0; i < 2; i++) {
        sheet.is_head = i == 0;
        fg_sheet_begin(&sheet);
        fg_sheet_text(&sheet, "url", FG_STR("u"));
        fg_sheet_uint(&sheet, "n", 3);
        fg_sheet_time(&sheet, "when", FG_NEVER);
        fg_sheet_time(&sheet, "then", 0);
        fg_sheet_double(&sheet, "score", 0.5);
        fg_sheet_bool(&sheet, "changed", true);
        fg_sheet_flags(&sheet, "flags", 3);
        fg_sheet_end(&sheet);
    }
    assert_str(fg_buf_str(&out.buf),
               "url,n,when,then,score,changed,flags\r\n"
               "u,3,,1970-01-01T00:00:00Z,0.5,true,seed source\r\n");
    fg_buf_reset(&out.buf);
    sheet.is_csv = false;
    fg_sheet_begin(&sheet);
    fg_sheet_text(&sheet, "url", FG_STR("=u"));
    fg_sheet_time(&sheet, "when", FG_NEVER);
    fg_sheet_flags(&sheet, "flags", 0);
    fg_sheet_end(&sheet);
    assert_str(fg_buf_str(&out.buf), "{\"url\":\"=u\",\"when\":null,\"flags\":[]}\n");
    fg_buf_clear(&out.buf);
}

FG_TESTS(csv_quotes_where_it_must, csv_disarms_formulas,
         one_function_writes_head_and_rows)
