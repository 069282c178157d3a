/* The report: well-formed whatever it is about, true to the figures, small enough. */
#include "base/rng.h"
#include "lab/report/markup.h"
#include "lab/result.h"
#include "sample_result.h"
#include "test.h"

#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

static struct fg_buf render(const struct fg_result *result)
{
    struct fg_buf out;
    fg_buf_init(&out, 64 << 20);
    fg_result_html(result, &out);
    assert_false(out.full);
    return out;
}

/* The page read as XML, and questions to it; h: is HTML, s: is SVG. */
struct page {
    struct fg_buf text;
    xmlDoc *doc;
    xmlXPathContext *xpath;
};

static struct page read_page(const struct fg_result *result)
{
    struct page page = {.text = render(result)};
    page.doc = xmlReadMemory(page.text.at, (int)page.text.len, "report.html", NULL,
                             XML_PARSE_NONET | XML_PARSE_HUGE);
    assert_non_null(page.doc);
    page.xpath = xmlXPathNewContext(page.doc);
    xmlXPathRegisterNs(page.xpath, BAD_CAST "h", BAD_CAST "http://www.w3.org/1999/xhtml");
    xmlXPathRegisterNs(page.xpath, BAD_CAST "s", BAD_CAST "http://www.w3.org/2000/svg");
    return page;
}

static void close_page(struct page *page)
{
    xmlXPathFreeContext(page->xpath);
    xmlFreeDoc(page->doc);
    fg_buf_clear(&page->text);
}

static int count(const struct page *page, const char *what)
{
    xmlXPathObject *found = xmlXPathEvalExpression(BAD_CAST what, page->xpath);
    assert_non_null(found);
    int n = found->nodesetval ? found->nodesetval->nodeNr : 0;
    xmlXPathFreeObject(found);
    return n;
}

static void assert_text(const struct page *page, const char *where, const char *expected)
{
    xmlXPathObject *found = xmlXPathEvalExpression(BAD_CAST where, page->xpath);
    assert_non_null(found);
    xmlChar *text = xmlXPathCastToString(found);
    assert_str(fg_str_from((const char *)text), expected);
    xmlFree(text);
    xmlXPathFreeObject(found);
}

static bool has(const struct page *page, const char *text)
{
    return fg_str_find(fg_buf_str(&page->text), fg_str_from(text)) != FG_NOT_FOUND;
}

static void a_report_is_well_formed_and_complete(void **state)
{
    (void)state;
    struct fg_result result = sample_result(500);
    struct page page = read_page(&result);
    assert_int_equal(count(&page, "//h:section"), 5);
    assert_int_equal(count(&page, "//s:svg[@class='chart'][s:title][s:desc]"), 6);
    assert_int_equal(count(&page, "//h:figure/h:details//h:table"), 6);
    assert_int_equal(count(&page, "//h:ul[@class='verdicts']/h:li"), 6);
    assert_text(&page, "//h:h1", result.title);
    assert_text(&page, "//h:section[@id='made']//h:code", result.command);
    assert_true(has(&page, "5,724") && has(&page, "4 min 12 s") &&
                has(&page, "Forage " FG_VERSION));
    close_page(&page);
    fg_arena_clear(&result.arena);
}

/* Nothing is asked of another place, and nothing runs. */
static void a_report_stands_alone(void **state)
{
    (void)state;
    struct fg_result result = sample_result(50);
    struct page page = read_page(&result);
    assert_int_equal(count(&page, "//@src | //h:link | //h:script | //h:iframe"), 0);
    assert_int_equal(count(&page, "//@href[not(starts-with(., '#'))]"), 0);
    assert_false(has(&page, "url(") || has(&page, "@import"));
    struct fg_buf again = render(&result);
    assert_true(fg_str_eq(fg_buf_str(&page.text), fg_buf_str(&again)));
    fg_buf_clear(&again);
    close_page(&page);
    fg_arena_clear(&result.arena);
}

#define HOSTILE(where) "\"'><script>" where "</script><!--]]>&lt;"

static void every_text_is_escaped(void **state)
{
    (void)state;
    const char *remarks[] = {HOSTILE("remark")};
    const struct fg_metric_info metric = {
        HOSTILE("metric"), HOSTILE("label"), HOSTILE("unit"), 1, 1, false, NULL, NULL};
    struct fg_figure figures[] = {{1, 0.9, 1.1}, {2, 1.5, 2.5}};
    double published[] = {1, NAN};
    struct fg_row rows[] = {
        {HOSTILE("workload"), HOSTILE("budget"), HOSTILE("policy"), 3, &figures[0],
         published},
        {HOSTILE("workload"), HOSTILE("other"), HOSTILE("second"), 3, &figures[1],
         &published[1]},
    };
    struct fg_pairing pairings[] = {
        {HOSTILE("workload"),
         HOSTILE("budget"),
         HOSTILE("paired"),
         HOSTILE("reference"),
         0,
         false,
         {1, 0.5, 1.5},
         NAN,
         3,
         2,
         true,
         0.01,
         HOSTILE("chosen")},
        {HOSTILE("workload"),
         HOSTILE("budget2"),
         HOSTILE("paired2"),
         HOSTILE("reference"),
         0,
         false,
         {1, 0.5, 1.5},
         2,
         3,
         2,
         false,
         NAN,
         NULL},
    };
    double x[] = {1, 2}, y[] = {1, 2};
    struct fg_series series = {HOSTILE("series"), 2, x, y, NULL, NULL};
    struct fg_chart chart = {HOSTILE("chart"),
                             HOSTILE("x"),
                             HOSTILE("y"),
                             HOSTILE("group"),
                             HOSTILE("caption"),
                             HOSTILE("figure"),
                             FG_CHART_LINES,
                             false,
                             &series,
                             1};
    struct fg_stated stated[] = {{.where = HOSTILE("where"),
                                  .workload = HOSTILE("stated workload"),
                                  .budget = HOSTILE("stated budget"),
                                  .what = HOSTILE("value"),
                                  .published = HOSTILE("published"),
                                  .ours = HOSTILE("ours"),
                                  .is = FG_FAILS},
                                 {.where = "",
                                  .workload = "",
                                  .budget = "",
                                  .what = HOSTILE("order"),
                                  .published = "",
                                  .ours = "",
                                  .is_order = true}};
    struct fg_result result = {.name = HOSTILE("name"),
                               .stated = stated,
                               .n_stated = 2,
                               .title = HOSTILE("title"),
                               .paper = HOSTILE("paper"),
                               .remarks = remarks,
                               .n_remarks = 1,
                               .metrics = &metric,
                               .n_metrics = 1,
                               .rows = rows,
                               .n_rows = 2,
                               .pairings = pairings,
                               .n_pairings = 2,
                               .charts = &chart,
                               .n_charts = 1,
                               .command = HOSTILE("command")};
    struct page page = read_page(&result);
    assert_int_equal(count(&page, "//h:script | //comment()"), 0);
    assert_false(has(&page, "<script"));
    static const char *const places[] = {
        "remark",        "label",  "unit",      "workload",  "budget",  "policy",
        "other",         "second", "paired",    "reference", "budget2", "paired2",
        "series",        "chart",  "x",         "y",         "group",   "caption",
        "name",          "title",  "paper",     "command",   "where",   "stated workload",
        "stated budget", "value",  "published", "ours",      "order"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char query[128];
        snprintf(query, sizeof query, "//text()[contains(., '<script>%s</script>')]",
                 places[i]);
        assert_true(count(&page, query) > 0);
    }
    close_page(&page);
}

/* Orders and values of the text are counted, and stand in tables with what came of them.
 */
static void what_is_stated_is_judged(void **state)
{
    (void)state;
    struct fg_result result = sample_result(3);
    struct fg_stated stated[] = {
        {"Table 5", "news", "5", "coverage of pham", "60.0 %", "58.1 [57, 61] %", false,
         FG_COMES_OUT},
        {"Table 5", "news", "10", "coverage of pham", "70.0 %", "58.1 [57, 61] %", false,
         FG_FAILS},
        {"3.6.6", "news", "5", "pham is better than round-robin", "", "ratio 1.1", true,
         FG_SMALLER},
        {"5.3", "one web", "5", "pham is better than od-win", "", "ratio 1.1", true,
         FG_FEW_FOR},
        {"5.3", "one web", "5", "ltr is better than od-win", "", "ratio 0.9", true,
         FG_FEW_AGAINST},
    };
    result.stated = stated;
    result.n_stated = 5;
    struct page page = read_page(&result);
    assert_int_equal(count(&page, "//h:section[@id='stated']//h:table"), 2);
    assert_int_equal(count(&page, "//h:table[@class='stated']/h:tbody/h:tr"), 5);
    assert_int_equal(count(&page, "//h:td[@class='fails']"), 4);
    assert_true(has(&page, "Of 2 published values 1 lies in our intervals"));
    assert_true(has(&page, "Of 3 stated orders 0 come out, 1 in order but not in size, 0 "
                           "cannot be decided, 0 do not; 2 rest on too few sites to "
                           "decide, which show 1 of them and 1 not."));
    assert_int_equal(count(&page, "//h:td[.='the order comes out, the size does not']"),
                     1);
    close_page(&page);
    result.n_stated = 0;
    page = read_page(&result);
    assert_int_equal(count(&page, "//h:section[@id='stated']"), 0);
    close_page(&page);
    fg_arena_clear(&result.arena);
}

static void unfit_characters_become_marks(void **state)
{
    (void)state;
    struct fg_buf out;
    fg_buf_init(&out, 1 << 12);
    fg_markup_text(&out, "a\x01\x7F\xFF\u202E\uFFFEb\u00E9\n");
    assert_str(fg_buf_str(&out), "a\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDb\u00E9\n");
    fg_buf_clear(&out);
}

static void numbers_are_shown_as_people_write_them(void **state)
{
    (void)state;
    static const struct {
        double value;
        int digits;
        const char *shown, *with_sign;
    } cases[] = {
        {1234567.89, 1, "1,234,567.9", "+1,234,567.9"},
        {-0.04, 1, "0.0", "0.0"},
        {-0.06, 1, "−0.1", "−0.1"},
        {999.6, 0, "1,000", "+1,000"},
        {NAN, 2, "–", "–"},
        {INFINITY, 2, "∞", "+∞"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_buf out;
        fg_buf_init(&out, 1 << 12);
        fg_markup_number(&out, cases[i].value, cases[i].digits);
        assert_str(fg_buf_str(&out), cases[i].shown);
        fg_buf_reset(&out);
        fg_markup_signed(&out, cases[i].value, cases[i].digits);
        assert_str(fg_buf_str(&out), cases[i].with_sign);
        fg_buf_clear(&out);
    }
    static const struct {
        double value;
        const char *shown;
    } shorts[] = {{0, "0"},   {12345.6, "12,346"}, {12.3, "12.3"}, {0.0123456, "0.01235"},
                  {-5, "−5"}, {99.999, "100"}};
    for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++) {
        struct fg_buf out;
        fg_buf_init(&out, 1 << 12);
        fg_markup_short(&out, shorts[i].value);
        assert_str(fg_buf_str(&out), shorts[i].shown);
        fg_buf_clear(&out);
    }
}

/* Every figure of every row stands in its cell, with its interval. */
static void tables_show_the_figures(void **state)
{
    (void)state;
    struct fg_result result = sample_result(2);
    struct page page = read_page(&result);
    for (size_t r = 0; r < SAMPLE_BUDGETS * SAMPLE_POLICIES; r++)
        for (size_t m = 0; m < 4; m++) {
            const struct fg_metric_info *metric = &result.metrics[m];
            struct fg_figure at = result.rows[r].at[m];
            char query[256], shown[64];
            snprintf(query, sizeof query,
                     "(//h:section[@id='figures']//h:table)[1]/h:tbody[%zu]"
                     "/h:tr[%zu]/h:td[%zu]//text()[1]",
                     r / SAMPLE_POLICIES + 1, r % SAMPLE_POLICIES + 2, m + 2);
            snprintf(shown, sizeof shown, "%.*f", metric->digits,
                     at.mean * metric->scale);
            assert_text(&page, query, shown);
            strcpy(strstr(query, "//text()"), "/h:small[1]");
            snprintf(shown, sizeof shown, "[%.*f, %.*f]", metric->digits,
                     at.lo * metric->scale, metric->digits, at.hi * metric->scale);
            assert_text(&page, query, shown);
        }
    close_page(&page);
    fg_arena_clear(&result.arena);
}

static void tables_mark_the_best_and_compare_with_print(void **state)
{
    (void)state;
    struct fg_result result = sample_result(2);
    struct page page = read_page(&result);
    /* exposure, in each of 5 metrics, 3 budgets, 2 workloads; and once a place above. */
    assert_int_equal(count(&page, "//h:section[@id='figures']//h:td/h:b"), 30);
    assert_int_equal(count(&page, "//h:tr[h:th='exposure']/h:td/h:b"), 30);
    assert_int_equal(count(&page, "//h:section[@id='headline']//h:td/h:b"), 6);
    assert_int_equal(count(&page, "//h:tr[@class='oracle']//h:b"), 0);
    /* thompson at 5: 0.655 (1 - 0.07) = 60.9 %, against 65.0 in print. */
    assert_text(&page, "//h:small[@class='pub'][1]", "published 65.0ours −4.1");
    close_page(&page);
    fg_arena_clear(&result.arena);
}

static void forests_show_pairings(void **state)
{
    (void)state;
    struct fg_result result = sample_result(2);
    struct page page = read_page(&result);
    assert_int_equal(count(&page, "//h:table[@class='forest']"), 4);
    /* All but the reference and the oracle, three budgets each. */
    assert_int_equal(count(&page, "//h:td[@class='at']//s:circle"), 4 * 12);
    /* exposure to round-robin at 5: (1 - 0.012) / (1 - 0.21) = 1.2506. */
    assert_text(&page, "(//h:table[@class='forest'])[1]/h:tbody/h:tr[1]/h:td[2]",
                "1.251 [1.221,\u00A01.278]");
    assert_text(&page, "(//h:table[@class='forest'])[1]/h:tbody/h:tr[1]/h:td[3]",
                "48 of 53");
    assert_int_equal(count(&page, "//h:td[@class='at']//s:path[@class='published']"), 2);
    /* pham at 20, 0.982 [0.952, 1.009], may be no difference. */
    assert_int_equal(count(&page, "(//h:table[@class='forest'])[1]//h:tr[12]"
                                  "//s:circle[@class='mean open']"),
                     1);
    close_page(&page);
    fg_arena_clear(&result.arena);
}

static void assert_drawn(enum fg_chart_kind kind, bool log_x, struct fg_series *series,
                         size_t n_series, const char *dots_or_bars, int expected)
{
    struct fg_chart chart = {.title = "odd",
                             .x_label = "x",
                             .y_label = "y",
                             .group = "",
                             .kind = kind,
                             .log_x = log_x,
                             .series = series,
                             .n_series = n_series};
    struct fg_result result = {.charts = &chart, .n_charts = 1, .seconds = NAN};
    struct page page = read_page(&result);
    assert_int_equal(count(&page, "//@*[contains(., 'nan') or contains(., 'inf')]"), 0);
    assert_int_equal(count(&page, dots_or_bars), expected);
    close_page(&page);
}

static const char *const all_dots = "//s:path[@class='dot'][contains(@d, 'h0')]";

static void odd_series_are_drawn_or_left_out(void **state)
{
    (void)state;
    double up[] = {0, 1, 2, 3}, same[] = {5, 5, 5, 5}, holes[] = {1, NAN, 3, INFINITY};
    double minus[] = {-4, -3, -2, -1}, none[] = {NAN, NAN, NAN, NAN}, zero[] = {0, 0};
    for (enum fg_chart_kind kind = FG_CHART_LINES; kind <= FG_CHART_BARS; kind++)
        for (int is_log = 0; is_log < 2; is_log++) {
            bool log_x = is_log;
            struct fg_series odd[] = {{"empty", 0, NULL, NULL, NULL, NULL},
                                      {"flat", 4, up, same, minus, up},
                                      {"holes", 4, up, holes, holes, up},
                                      {"minus", 4, up, minus, none, none},
                                      {"none", 4, up, none, NULL, NULL},
                                      {"one", 1, up, same, NULL, NULL},
                                      {"left", 4, minus, up, NULL, NULL},
                                      {"upright", 4, same, up, NULL, NULL},
                                      {"zero", 2, zero, zero, zero, zero}};
            size_t n = sizeof odd / sizeof *odd;
            const char *what = "//s:svg[@class='data']";
            assert_drawn(kind, log_x, odd, n, what, 1);
            for (size_t i = 0; i < n; i++)
                assert_drawn(kind, log_x, &odd[i], 1, what,
                             i != 0 && i != 4 && !(i == 6 && log_x));
        }
    struct fg_series alone[] = {{"one", 1, up, same, NULL, NULL}};
    assert_drawn(FG_CHART_LINES, false, alone, 1, all_dots, 1);
    assert_drawn(FG_CHART_LINES, false, NULL, 0, "//s:text[.='no data']", 1);
}

/* By hand: 600 by 240 units; x from 0 to 2, y from 0 to 10 with ticks to both ends. */
static void what_is_empty_says_so(void **state)
{
    (void)state;
    double at[] = {1, 2}, none[] = {NAN, NAN};
    struct fg_series series[] = {{"seen", 2, at, at, NULL, NULL},
                                 {"never", 2, at, none, NULL, NULL}};
    const char *partly =
        "//h:p[contains(., 'Not drawn, since no run has a value: never.')]";
    const char *wholly = "//h:p[contains(., 'Empty: no run of any policy has a value of')"
                         " and contains(., 'y')]";
    assert_drawn(FG_CHART_LINES, false, series, 2, partly, 1);
    assert_drawn(FG_CHART_LINES, false, series, 1, partly, 0);
    assert_drawn(FG_CHART_LINES, false, series, 1, wholly, 0);
    assert_drawn(FG_CHART_LINES, false, &series[1], 1, wholly, 1);
    assert_drawn(FG_CHART_LINES, false, NULL, 0,
                 "//h:p[.='Empty: no policy has such a chart here.']", 1);
}

static void curves_go_through_their_points(void **state)
{
    (void)state;
    double x[] = {0, 1, 2}, y[] = {0, 10, 5}, low[] = {0, 8, 4}, high[] = {2, 10, 6};
    struct fg_series series[] = {{"a", 3, x, y, low, high}};
    assert_drawn(FG_CHART_LINES, false, series, 1,
                 "//s:path[@class='line'][@d='M0 240l300-240l300 120']", 1);
    assert_drawn(FG_CHART_LINES, false, series, 1,
                 "//s:path[@class='band']"
                 "[@d='M0 192l300-192l300 96v48l-300-96l-300 192z']",
                 1);
    assert_drawn(FG_CHART_STEPS, false, series, 1,
                 "//s:path[@class='line'][@d='M0 240h300v-240h300v120']", 1);
    /* Three bars share the width, each of 200 units and four fifths of it wide. */
    assert_drawn(FG_CHART_BARS, false, series, 1,
                 "//s:path[@class='bar'][@d='M20.0 240.0V240.0h160.0V240.0z"
                 "M220.0 240.0V0.0h160.0V240.0zM420.0 240.0V120.0h160.0V240.0z']",
                 1);
}

static void policies_look_the_same_everywhere(void **state)
{
    (void)state;
    struct fg_result result = sample_result(10);
    struct page page = read_page(&result);
    assert_int_equal(count(&page, "//s:g[@class='series c2 d2'][s:title='thompson']"), 5);
    assert_int_equal(count(&page, "//s:g[@class='series c7 d7'][s:title='oracle']"), 5);
    close_page(&page);
    fg_arena_clear(&result.arena);
}

/* 20 charts with 6 series of 500 points that never repeat, each with a band. */
static void a_large_report_stays_small(void **state)
{
    (void)state;
    enum { CHARTS = 20, SERIES = 6, POINTS = 500 };
    struct fg_result result = {.name = "large"};
    struct fg_rng rng = fg_rng_from_seed(3);
    result.charts = FG_NEW(&result.arena, struct fg_chart, CHARTS);
    result.n_charts = CHARTS;
    for (size_t c = 0; c < CHARTS; c++) {
        struct fg_chart *chart = &result.charts[c];
        *chart = (struct fg_chart){.title = "noise",
                                   .x_label = "hours",
                                   .y_label = "y",
                                   .group = "all",
                                   .n_series = SERIES};
        chart->series = FG_NEW(&result.arena, struct fg_series, SERIES);
        for (size_t s = 0; s < SERIES; s++) {
            double *of = FG_NEW(&result.arena, double, 4 * POINTS);
            for (size_t i = 0; i < POINTS; i++) {
                of[i] = 2.352 * (double)i;
                of[POINTS + i] = 40 + 20 * fg_rng_unit(&rng);
                of[2 * POINTS + i] = of[POINTS + i] - 20 * fg_rng_unit(&rng);
                of[3 * POINTS + i] = of[POINTS + i] + 20 * fg_rng_unit(&rng);
            }
            chart->series[s] = (struct fg_series){
                "a policy", POINTS, of, of + POINTS, of + 2 * POINTS, of + 3 * POINTS};
        }
    }
    struct fg_buf out = render(&result);
    print_message("%zu bytes\n", out.len);
    assert_true(out.len < 1500000);
    fg_buf_clear(&out);
    fg_arena_clear(&result.arena);
}

static void an_empty_result_is_a_page(void **state)
{
    (void)state;
    struct fg_result result = {0};
    struct page page = read_page(&result);
    assert_int_equal(count(&page, "//h:section"), 1);
    close_page(&page);
}

FG_TESTS(a_report_is_well_formed_and_complete, a_report_stands_alone,
         every_text_is_escaped, what_is_stated_is_judged, unfit_characters_become_marks,
         numbers_are_shown_as_people_write_them, tables_show_the_figures,
         tables_mark_the_best_and_compare_with_print, forests_show_pairings,
         odd_series_are_drawn_or_left_out, what_is_empty_says_so,
         curves_go_through_their_points, policies_look_the_same_everywhere,
         a_large_report_stays_small, an_empty_result_is_a_page)
