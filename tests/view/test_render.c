/* One answer as JSON, CSV and text: what is escaped, aligned, quoted and left out. */
#include "base/buf.h"
#include "test.h"
#include "view/render.h"

#include <math.h>

struct visit {
    fg_time time;
    struct fg_str title;
    uint32_t bytes;
    double score;
    bool changed;
    uint8_t kind;
};

static const char *kind_name(unsigned kind)
{
    return kind == 1 ? "source" : kind == 2 ? "document" : NULL;
}

static const char *flag_name(uint32_t flags, unsigned nth)
{
    static const char *const names[] = {"seed", "feed"};
    for (unsigned i = 0; i < 2; i++)
        if ((flags >> i & 1) && nth-- == 0)
            return names[i];
    return NULL;
}

#define V struct visit
static const struct fg_field visit_fields[] = {
    {"time", "time", FG_AS_TIME(V, time)},
    {"title", "title", FG_AS_TEXT(V, title)},
    {"bytes", "bytes", FG_AS_COUNT(V, bytes)},
    {"score", NULL, FG_AS_NUMBER(V, score)},
    {"changed", NULL, FG_AS_YES(V, changed)},
    {"kind", "kind", FG_AS_NAME(V, kind, kind_name)},
    {0},
};

struct part {
    uint64_t n;
    struct fg_str maybe;
};
static const struct fg_field part_fields[] = {
    {"n", "n", FG_AS_COUNT(struct part, n), .unit = "bytes"},
    {"maybe", "maybe", FG_AS_TEXT(struct part, maybe), .is_optional = true},
    {0},
};

struct page {
    struct fg_str url, words;
    uint32_t flags;
    uint64_t hash;
    fg_time seen, gap;
    struct fg_texts tags;
    struct fg_pairs counts;
    struct part inner;
    const struct part *none;
    struct fg_rows visits;
};
#define P struct page
static const struct fg_field page_fields[] = {
    {"url", "", FG_AS_URL(P, url), .is_title = true},
    {NULL, "in words", FG_AS_TEXT(P, words)},
    {"flags", "is", FG_AS_FLAGS(P, flags, flag_name)},
    {"hash", NULL, FG_AS_HASH(P, hash)},
    {"seen", "seen", FG_AS_TIME(P, seen)},
    {"gap_s", "gap", FG_AS_SPAN(P, gap)},
    {"tags", "tags", FG_AS_TEXTS(P, tags)},
    {"counts", "counts", FG_AS_PAIRS(P, counts)},
    {"inner", "", FG_AS_RECORD(P, inner, part_fields)},
    {"none", "", FG_AS_RECORD_AT(P, none, part_fields)},
    {"visits", "visits", FG_AS_ROWS(P, visits, visit_fields), .is_sheet = true},
    {0},
};
static const struct fg_field page_answer = FG_RECORD_OF(page_fields);
static const struct fg_field lines_answer = {FG_ROWS_OF(visit_fields), .is_lines = true};
static const struct fg_field array_answer = {FG_ROWS_OF(visit_fields)};

static const struct visit visits[] = {
    {0, {"one, \"two\"", 10}, 5, 0.5, true, 1},
    {FG_NEVER, {"\xe6\x97\xa5\xe6\x9c\xac", 6}, 12345, NAN, false, 0},
    {FG_SECOND, {"a\x1b[2J\nb", 7}, 0, 1, false, 2},
};
static const struct fg_rows all = {.at = visits, .len = 3, .size = sizeof *visits};

static struct page page_of(void)
{
    static const struct fg_str tags[] = {{"press", 5}, {"law", 3}};
    static const struct fg_pair counts[] = {{"200", {0}, 3}, {"end", {"late", 4}, 0}};
    return (struct page){.url = FG_STR("https://a.example/<b>"),
                         .words = FG_STR("for people"),
                         .flags = 3,
                         .hash = 0,
                         .seen = FG_DAY,
                         .gap = FG_NEVER,
                         .tags = {tags, 2},
                         .counts = {counts, 2},
                         .inner = {.n = 7},
                         .visits = all};
}

enum form { JSON, CSV, SHEET, TEXT };

static void check(enum form form, const struct fg_field *answer, const void *value,
                  const char *expected)
{
    struct fg_buf buf;
    struct fg_sink sink = {.buf = &buf};
    struct fg_text_style style = {.now = 2 * FG_DAY};
    struct fg_err err = {0};
    fg_buf_init(&buf, 1 << 20);
    assert_int_equal(form == JSON ? fg_render_json(&sink, answer, value, &err)
                     : form == TEXT
                         ? fg_render_text(&sink, answer, value, &style, &err)
                         : fg_render_csv(&sink, answer, value, form == CSV, &err),
                     FG_OK);
    assert_str(fg_buf_str(&buf), expected);
    fg_buf_clear(&buf);
}

static void json_has_keys_and_null_for_nothing(void **state)
{
    (void)state;
    struct page page = page_of();
    page.visits.len = 1;
    check(JSON, &page_answer, &page,
          "{\"url\":\"https://a.example/\\u003cb\\u003e\",\"flags\":[\"seed\",\"feed\"],"
          "\"hash\":null,\"seen\":\"1970-01-02T00:00:00Z\",\"gap_s\":null,"
          "\"tags\":[\"press\",\"law\"],\"counts\":{\"200\":3,\"end\":\"late\"},"
          "\"inner\":{\"n\":7},\"none\":null,"
          "\"visits\":[{\"time\":\"1970-01-01T00:00:00Z\",\"title\":\"one, \\\"two\\\"\","
          "\"bytes\":5,\"score\":0.5,\"changed\":true,\"kind\":\"source\"}]}\n");
    check(JSON, &lines_answer, &(struct fg_rows){.at = visits + 1, .len = 1, .size = 1},
          "{\"time\":null,\"title\":\"\u65e5\u672c\",\"bytes\":12345,\"score\":null,"
          "\"changed\":false,\"kind\":null}\n");
    check(JSON, &array_answer, &(struct fg_rows){0}, "[]\n");
    check(JSON, &lines_answer, &(struct fg_rows){0}, "");
}

static void csv_quotes_and_names_its_columns(void **state)
{
    (void)state;
    struct page page = page_of();
    const char *expected =
        "time,title,bytes,score,changed,kind\r\n"
        "1970-01-01T00:00:00Z,\"one, \"\"two\"\"\",5,0.5,true,source\r\n"
        ",\u65e5\u672c,12345,,false,\r\n"
        "1970-01-01T00:00:01Z,\"a\x1b[2J\nb\",0,1,false,document\r\n";
    check(CSV, &page_answer, &page, expected);
    check(CSV, &array_answer, &all, expected);
    check(CSV, &array_answer, &(struct fg_rows){0},
          "time,title,bytes,score,changed,kind\r\n");
}

static void csv_of_a_record_is_one_row(void **state)
{
    (void)state;
    static const struct fg_field fields[] = {
        {"inner", "", FG_AS_RECORD(P, inner, part_fields)},
        {"none", "", FG_AS_RECORD_AT(P, none, part_fields)},
        {"tags", "tags", FG_AS_TEXTS(P, tags)},
        {"flags", "is", FG_AS_FLAGS(P, flags, flag_name)},
        {"counts", NULL, FG_AS_PAIRS(P, counts)},
        {0},
    };
    static const struct fg_field answer = FG_RECORD_OF(fields);
    struct page page = page_of();
    assert_false(fg_render_has_sheet(&answer));
    assert_true(fg_render_has_sheet(&page_answer));
    check(CSV, &answer, &page,
          "inner.n,inner.maybe,none.n,none.maybe,tags,flags,counts\r\n"
          "7,,,,press law,seed feed,200=3 end=late\r\n");
}

static void check_cell(const char *text, size_t n, const char *expected, enum form form)
{
    static const struct fg_field fields[] = {{"x", "", FG_AS_TEXT(V, title)}, {0}};
    static const struct fg_field answer = FG_RECORD_OF(fields);
    char line[200];
    snprintf(line, sizeof line, "x\r\n%s\r\n", expected);
    check(form, &answer, &(struct visit){.title = {text, n}}, line);
}
#define CELL(text, expected) check_cell(text, sizeof text - 1, expected, SHEET)

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
    check_cell("=1", 2, "=1", CSV);
}

static void text_aligns_and_escapes(void **state)
{
    (void)state;
    struct page page = page_of();
    check(TEXT, &page_answer, &page,
          "https://a.example/<b>\n"
          "in words       for people\n"
          "is             seed, feed\n"
          "seen           1970-01-02T00:00:00Z (1d ago)\n"
          "tags           press\n"
          "               law\n"
          "counts         200: 3, end: late\n"
          "n              7 bytes\n"
          "\n"
          "visits\n"
          "  time                  title          bytes  kind\n"
          "  1970-01-01T00:00:00Z  one, \"two\"         5  source\n"
          "                        \u65e5\u672c           12345\n"
          "  1970-01-01T00:00:01Z  a\\u001b[2J\\nb      0  document\n");
}

static void text_leaves_out_what_is_not_there(void **state)
{
    (void)state;
    struct page page = {.seen = FG_NEVER, .gap = 90 * FG_SECOND, .inner.n = 0};
    check(TEXT, &page_answer, &page, "gap            1m30s\nn              0 bytes\n");
    check(TEXT, &array_answer, &(struct fg_rows){0}, "");
    page = page_of();
    page.visits.skip = 1;
    page.visits.most = 1;
    page.visits.heading = FG_STR("3 visits");
    static const struct fg_field fields[] = {
        {"visits", "visits", FG_AS_ROWS(P, visits, visit_fields), .style = FG_ROWS_LINES},
        {0},
    };
    static const struct fg_field answer = FG_RECORD_OF(fields);
    check(TEXT, &answer, &page, "3 visits\n  \u65e5\u672c  12345\n  and 1 more\n");
}

static void width_knows_wide_and_combining(void **state)
{
    (void)state;
    assert_int_equal(fg_text_width(FG_STR("abc")), 3);
    assert_int_equal(fg_text_width(FG_STR("")), 0);
    assert_int_equal(fg_text_width(FG_STR("\u65e5\u672c")), 4);
    assert_int_equal(fg_text_width(FG_STR("e\u0301")), 1);
    assert_int_equal(fg_text_width(FG_STR("\u00e9")), 1);
    assert_int_equal(fg_text_width(FG_STR("\xff")), 1);
}

/* Rows that flow, and a reader that has had enough. */
struct flow {
    struct fg_buf *buf;
    size_t most_bytes, rows, wanted;
};

static bool take(void *context)
{
    struct flow *flow = context;
    if (flow->buf->len > flow->most_bytes)
        flow->most_bytes = flow->buf->len;
    fg_buf_reset(flow->buf);
    return flow->rows < flow->wanted;
}

static enum fg_status walk(void *context, struct fg_put *put, struct fg_err *err)
{
    struct flow *flow = context;
    for (flow->rows = 0; flow->rows < 100000; flow->rows++)
        if (!fg_put_row(put, &visits[flow->rows % 3]))
            return FG_OK;
    return fg_fail(err, FG_EIO, "the disk is gone");
}

static void rows_flow_and_end_early(void **state)
{
    (void)state;
    struct fg_buf buf;
    struct fg_text_style style = {0};
    for (enum form form = JSON; form <= TEXT; form++) {
        fg_buf_init(&buf, 1 << 20);
        struct flow flow = {.buf = &buf, .wanted = SIZE_MAX};
        struct fg_sink sink = {.buf = &buf, .flow = take, .context = &flow};
        struct fg_rows rows = {.walk = walk, .context = &flow};
        struct fg_err err = {0};
        for (int i = 0; i < 2; i++) {
            enum fg_status st =
                form == JSON   ? fg_render_json(&sink, &array_answer, &rows, &err)
                : form == TEXT ? fg_render_text(&sink, &array_answer, &rows, &style, &err)
                               : fg_render_csv(&sink, &array_answer, &rows, true, &err);
            assert_int_equal(st, i ? FG_OK : FG_EIO);
            flow.wanted = 1000;
        }
        assert_in_range(flow.rows, 1000, 1001);
        assert_in_range(flow.most_bytes, 10, 100000);
        fg_buf_clear(&buf);
    }
}

static void wide_columns_are_cut_to_the_terminal(void **state)
{
    (void)state;
    struct fg_buf buf;
    struct fg_sink sink = {.buf = &buf};
    struct fg_text_style style = {.columns = 76, .is_colored = true};
    struct visit visit = {
        0, FG_STR("https://a-very-long.example/of/which/not/all/fits"), 1, 1, true, 1};
    fg_buf_init(&buf, 1 << 20);
    struct fg_rows rows = {.at = &visit, .len = 1, .size = sizeof visit};
    assert_int_equal(fg_render_text(&sink, &array_answer, &rows, &style, NULL), FG_OK);
    assert_str(
        fg_buf_str(&buf),
        "\033[1mtime                  title                                    bytes  "
        "kind\033[0m\n"
        "1970-01-01T00:00:00Z  https://a-very-long.example/of/which/no      1  source\n");
    fg_buf_clear(&buf);
}

FG_TESTS(json_has_keys_and_null_for_nothing, csv_quotes_and_names_its_columns,
         csv_of_a_record_is_one_row, csv_quotes_where_it_must, csv_disarms_formulas,
         text_aligns_and_escapes, text_leaves_out_what_is_not_there,
         width_knows_wide_and_combining, rows_flow_and_end_early,
         wide_columns_are_cut_to_the_terminal)
