#include "net/html/page.h"

#include "base/buf.h"
#include "base/time.h"
#include "test.h"

static struct fg_arena arena;

static struct fg_page read_page(const char *html)
{
    struct fg_page page;
    fg_page_read(&page, &arena, fg_str_from(html), FG_PAGE_ALL);
    return page;
}

static void assert_link(const struct fg_page *page, size_t i, enum fg_link_from from,
                        const char *href, const char *words)
{
    assert_true(i < page->n_links);
    assert_int_equal(page->links[i].from, from);
    assert_str(page->links[i].href, href);
    assert_str(page->links[i].words, words);
}

static void every_kind_of_link_is_seen(void **state)
{
    (void)state;
    struct fg_page page = read_page(
        "<link rel=next href=n title='More  news'><a href=' a?b&amp;c '>A <b>b</b></a>"
        "<map><area href=r alt=Map></map><iframe src=i></iframe>"
        "<meta http-equiv=Refresh content='5; url=later'>"
        "<svg><a xlink:href=s>S</a></svg><a name=x>no link</a>");
    assert_int_equal(page.n_links, 6);
    assert_link(&page, 0, FG_FROM_LINK, "n", "More news");
    assert_int_equal(page.links[0].rel, FG_REL_NEXT);
    assert_link(&page, 1, FG_FROM_A, "a?b&c", "A b");
    assert_link(&page, 2, FG_FROM_AREA, "r", "Map");
    assert_link(&page, 3, FG_FROM_IFRAME, "i", "");
    assert_link(&page, 4, FG_FROM_REFRESH, "later", "");
    assert_link(&page, 5, FG_FROM_SVG_A, "s", "S");
    assert_true(page.has_refresh);
    assert_int_equal(page.refresh.seconds, 5);
    fg_arena_clear(&arena);
}

static void frames_count_only_in_framesets(void **state)
{
    (void)state;
    struct fg_page page = read_page("<link href=l><a href=a></a><frameset><frame src=f>"
                                    "<a href=b></a></frameset>");
    assert_int_equal(page.n_links, 2);
    assert_link(&page, 0, FG_FROM_LINK, "l", "");
    assert_link(&page, 1, FG_FROM_FRAME, "f", "");
    page = read_page("text<frame src=f>");
    assert_int_equal(page.n_links, 0);
    fg_arena_clear(&arena);
}

static void what_is_no_markup_has_no_links(void **state)
{
    (void)state;
    struct fg_page page =
        read_page("<title><a href=1></title><script>'<a href=2>'</script><!-- <a href=3> "
                  "--><template><a href=4></a></template><textarea><a href=5></textarea>"
                  "<noscript><a href=yes>N</a></noscript><iframe><a href=6></iframe>"
                  "<math><a href=7></a></math><style><a href=8></style>");
    assert_int_equal(page.n_links, 1);
    assert_link(&page, 0, FG_FROM_A, "yes", "N");
    fg_arena_clear(&arena);
}

static void words_end_with_the_link(void **state)
{
    (void)state;
    struct fg_page page = read_page(
        "<a href=1>one<a href=2>two</a>out<table><td><a href=3>three<td>not</table>"
        "<a href=4><img alt=' a  picture '><img alt=second></a><a href=5><img alt=x>5</a>"
        "<a href=6> six<a href=7><table><td>in a <td>table</table> 7</a>");
    assert_int_equal(page.n_links, 7);
    assert_link(&page, 0, FG_FROM_A, "1", "one");
    assert_link(&page, 1, FG_FROM_A, "2", "two");
    assert_link(&page, 2, FG_FROM_A, "3", "three");
    assert_link(&page, 3, FG_FROM_A, "4", "a picture");
    assert_link(&page, 4, FG_FROM_A, "5", "5");
    assert_link(&page, 5, FG_FROM_A, "6", "six");
    assert_link(&page, 6, FG_FROM_A, "7", "in a table 7");
    fg_arena_clear(&arena);
}

static void rel_words_are_marked(void **state)
{
    (void)state;
    assert_int_equal(fg_rel_parse(FG_STR(" NoFollow\tugc x-y\nsponsored ")),
                     FG_REL_NOFOLLOW | FG_REL_UGC | FG_REL_SPONSORED);
    assert_int_equal(fg_rel_parse(FG_STR("shortcut icon")), FG_REL_ICON);
    assert_int_equal(fg_rel_parse(FG_STR("")), 0);
    struct fg_page page = read_page("<a rel='nofollow' href=x>");
    assert_int_equal(page.links[0].rel, FG_REL_NOFOLLOW);
    fg_arena_clear(&arena);
}

static void the_head_is_read(void **state)
{
    (void)state;
    struct fg_page page = read_page(
        "<html lang=de><html lang=fr><meta http-equiv=content-language content=en>"
        "<meta http-equiv=Content-Type content='text/html; charset=latin1'>"
        "<meta charset=utf-8><title>\n Fish &amp;\n chips </title><title>no</title>"
        "<base target=x><base href=' /b '><base href=/c>"
        "<link rel='x canonical' href=can><link rel=canonical href=not>"
        "<meta name=Robots content='noindex, nofollow'>"
        "<meta name=googlebot content=none><meta property=og:title content='O &lt; G'>");
    assert_str(page.language, "de");
    assert_str(page.charset, "windows-1252");
    assert_str(page.title, "Fish & chips");
    assert_str(page.base, "/b");
    assert_str(page.canonical, "can");
    assert_int_equal(page.n_metas, 3);
    assert_str(fg_page_meta(&page, FG_STR("robots")), "noindex, nofollow");
    assert_str(fg_page_meta(&page, FG_STR("googlebot")), "none");
    assert_str(fg_page_meta(&page, FG_STR("OG:title")), "O < G");
    assert_null(fg_page_meta(&page, FG_STR("description")).at);
    page = read_page("<meta http-equiv=content-language content=en><p>x");
    assert_str(page.language, "en");
    assert_null(page.title.at);
    assert_null(page.base.at);
    fg_arena_clear(&arena);
}

static void titles_within_svg_are_not_the_page_s(void **state)
{
    (void)state;
    struct fg_page page = read_page("<svg><title>icon</title></svg><title>page</title>");
    assert_str(page.title, "page");
    fg_arena_clear(&arena);
}

static void text_is_what_a_reader_sees(void **state)
{
    (void)state;
    struct fg_page page = read_page(
        "<head><title>T</title><style>s{}</style></head><body><h1>Head\nline</h1>"
        "<p>One <b>two</b>&nbsp;three.<p>Four<br>five<script>x</script>"
        "<noscript>no</noscript><template>no</template><div hidden>no<p>no</div>"
        "<ul><li>a<li>b</ul><table><tr><td>c<td>d<tr><td>e</table>"
        "<select><option>no</select><dialog>no</dialog><dialog open>yes</dialog>"
        "<svg><title>no</title><text>label</text></svg>");
    assert_str(page.text,
               "Head line\nOne two\u00a0three.\nFour\nfive\na\nb\nc d\ne\nyes\n"
               "label");
    fg_arena_clear(&arena);
}

static void hidden_ends_with_its_element(void **state)
{
    (void)state;
    assert_str(read_page("<p hidden>no<p>yes").text, "yes");
    assert_str(read_page("<div hidden><span>no</span></div>yes").text, "yes");
    assert_str(read_page("<ul><li hidden>no<li>yes</ul>").text, "yes");
    assert_str(read_page("<input hidden>yes<br hidden>yes").text, "yes\nyes");
    fg_arena_clear(&arena);
}

static void json_ld_is_kept_as_it_is(void **state)
{
    (void)state;
    struct fg_page page =
        read_page("<script type='Application/LD+JSON'>{\"a\": \"&amp;\"}</script>"
                  "<script type=text/javascript>x</script>"
                  "<script type=application/ld+json></script>");
    assert_int_equal(page.n_json_ld, 1);
    assert_str(page.json_ld[0], "{\"a\": \"&amp;\"}");
    fg_arena_clear(&arena);
}

static void only_what_is_asked_for_is_read(void **state)
{
    (void)state;
    struct fg_page page;
    struct fg_str html =
        FG_STR("<title>t</title><link rel=canonical href=c><a href=x>w</a>"
               "<script type=application/ld+json>{}</script>");
    fg_page_read(&page, &arena, html, FG_PAGE_LINKS);
    assert_int_equal(page.n_links, 2);
    assert_str(page.links[1].words, "");
    assert_null(page.title.at);
    assert_null(page.text.at);
    assert_int_equal(page.n_json_ld, 0);
    fg_page_read(&page, &arena, html, FG_PAGE_TEXT);
    assert_int_equal(page.n_links, 0);
    assert_str(page.text, "w");
    fg_page_read(&page, &arena, html, FG_PAGE_HEAD);
    assert_int_equal(page.n_links, 0);
    assert_str(page.canonical, "c");
    fg_arena_clear(&arena);
}

static bool is_feed(const char *html)
{
    struct fg_page page = read_page(html);
    return page.n_links && fg_link_is_feed(&page.links[0]);
}

static void feeds_are_announced_by_type(void **state)
{
    (void)state;
    assert_true(is_feed("<link rel=ALTERNATE type='Application/RSS+xml; x=y' href=f>"));
    assert_true(is_feed("<link rel=alternate type=application/feed+json href=f>"));
    assert_true(is_feed("<link rel=feed href=f>"));
    assert_false(is_feed("<link rel=alternate type=application/json href=f>"));
    assert_false(is_feed("<link rel=alternate href=f>"));
    assert_false(is_feed("<link rel=alternate type=application/rss+xml href=' '>"));
    assert_false(is_feed("<a rel=alternate type=application/rss+xml href=f>"));
    fg_arena_clear(&arena);
}

static void refresh_values_are_parsed_as_the_standard_says(void **state)
{
    (void)state;
    struct fg_refresh refresh;
    assert_true(fg_refresh_parse(&refresh, &arena, FG_STR(" 10 ; URL = 'a b' c")));
    assert_int_equal(refresh.seconds, 10);
    assert_str(refresh.url, "a b");
    assert_true(fg_refresh_parse(&refresh, &arena, FG_STR(".5")));
    assert_int_equal(refresh.seconds, 0);
    assert_null(refresh.url.at);
    assert_true(fg_refresh_parse(&refresh, &arena, FG_STR("99999999999999999999999")));
    assert_true(refresh.seconds == UINT32_MAX);
    assert_false(fg_refresh_parse(&refresh, &arena, FG_STR("url=x")));
    assert_false(fg_refresh_parse(&refresh, &arena, FG_STR("")));
    fg_arena_clear(&arena);
}

static struct fg_buf repeat(const char *first, const char *piece, size_t bytes)
{
    struct fg_buf buf;
    fg_buf_init(&buf, 64 << 20);
    fg_buf_add(&buf, fg_str_from(first));
    while (buf.len < bytes)
        fg_buf_add(&buf, fg_str_from(piece));
    return buf;
}

static void limits_cut_and_say_so(void **state)
{
    (void)state;
    struct fg_page page;
    struct fg_buf html = repeat("<title>", "t", 5000);
    fg_buf_add(&html, FG_STR("</title>"));
    while (html.len < 6 << 20)
        fg_buf_add(&html, FG_STR("<a href=x>a few words more</a><meta name=n content=c>"
                                 "<script type=application/ld+json>1</script><p>"
                                 "text and again text, and again text, and again text"));
    fg_page_read(&page, &arena, fg_buf_str(&html), FG_PAGE_ALL);
    assert_int_equal(page.n_metas, FG_PAGE_METAS_MAX);
    assert_int_equal(page.n_json_ld, FG_PAGE_JSON_LD_MAX);
    assert_int_equal(page.title.len, FG_PAGE_TITLE_MAX);
    assert_true(page.cut == (FG_PAGE_HEAD | FG_PAGE_JSON_LD));
    fg_buf_clear(&html);
    html = repeat("", "<a href=x>", 1200000);
    fg_page_read(&page, &arena, fg_buf_str(&html), FG_PAGE_ALL);
    assert_int_equal(page.n_links, FG_PAGE_LINKS_MAX);
    assert_true(page.cut == FG_PAGE_LINKS);
    fg_buf_clear(&html);
    html = repeat("<a href=x>", "words ", 5 << 20);
    fg_page_read(&page, &arena, fg_buf_str(&html), FG_PAGE_ALL);
    assert_true(page.text.len <= FG_PAGE_TEXT_MAX &&
                page.text.len > FG_PAGE_TEXT_MAX - 9);
    assert_true(page.links[0].words.len <= FG_PAGE_WORDS_MAX);
    assert_true(page.cut == FG_PAGE_TEXT);
    fg_buf_clear(&html);
    fg_arena_clear(&arena);
}

static double seconds_for(const char *first, const char *piece, size_t bytes)
{
    struct fg_buf html = repeat(first, piece, bytes);
    double best = 1e9;
    for (int i = 0; i < 3; i++) {
        struct fg_page page;
        fg_time start = fg_time_worked();
        fg_page_read(&page, &arena, fg_buf_str(&html), FG_PAGE_ALL);
        double took = fg_seconds(fg_time_worked() - start);
        best = took < best ? took : best;
        fg_arena_clear(&arena);
    }
    fg_buf_clear(&html);
    return best;
}

/* Eight times the page may take about eight times as long; sixty-four would be
 * quadratic. */
static void hostile_pages_take_linear_time(void **state)
{
    (void)state;
    static const char *const pages[][2] = {
        {"", "<"},
        {"", "</"},
        {"", "<a "},
        {"<a ", "b=c "},
        {"<a ", "href=c "},
        {"<a href='", "&"},
        {"", "&#"},
        {"", "&CounterClockwiseContourIntegra"},
        {"", "<!--"},
        {"<!--", "--!"},
        {"", "<!DOCTYPE "},
        {"<svg>", "<![CDATA["},
        {"<script>", "<!--<script>"},
        {"<script>", "</scrip"},
        {"<title>", "</titl "},
        {"", "<div>"},
        {"", "</div>"},
        {"", "<div></span>"},
        {"", "<b><p></b>"},
        {"<div><table>", "<b></div>"},
        {"", "<a href=x><p>"},
        {"", "<svg><a href=x>"},
        {"", "<table><td>"},
        {"", "<template>"},
        {"", "<template></template>"},
        {"", "<select><option>"},
        {"<frameset>", "<frameset><frame src=x>"},
        {"", "<p hidden>x"},
        {"<meta http-equiv=content-type content='", "charset "},
        {"<meta http-equiv=refresh content='1;", "\t\n"},
        {"<a rel='", "nofollow "},
        {"", " \n"},
        {"", "\r\n"},
    };
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        double once = seconds_for(pages[i][0], pages[i][1], 1 << 16);
        double again = seconds_for(pages[i][0], pages[i][1], 1 << 19);
        if (again > 24 * once + 0.02)
            print_error("%s%s: %g s, then %g s\n", pages[i][0], pages[i][1], once, again);
        assert_true(again <= 24 * once + 0.02);
    }
}

static void items_of_one_list_are_in_one_region(void **state)
{
    (void)state;
    struct fg_page page = read_page(
        "<ul class='posts odd'><li class=post-1><b><a href=1>1</a></b><li><a href=2>2</a>"
        "</ul><aside><ul class=posts><li><a href=3>3</a></ul></aside>"
        "<ul class=box><li><a href=4>4</a></ul>"
        "<div class=card-7><h3><a href=5>5</a></h3><p><a href=6>6</a></div>"
        "<div class='odd card-8'><h3><a href=7>7</a></h3></div>"
        "<ul class=box><li><a href=8>8</a><ul><li><a href=9>9</a></ul>"
        "<li>10<ul><li><a href=11>11</a></ul></ul>");
    assert_int_equal(page.n_links, 10);
    uint32_t regions[10];
    for (size_t i = 0; i < 10; i++)
        regions[i] = page.links[i].region;
    assert_int_equal(regions[0], regions[1]);     /* a list */
    assert_int_not_equal(regions[0], regions[2]); /* elsewhere */
    assert_int_not_equal(regions[0], regions[3]); /* of another class */
    assert_int_equal(regions[4], regions[6]);     /* cards, whatever their number */
    assert_int_not_equal(regions[4], regions[5]); /* heading and text of one */
    assert_int_not_equal(regions[3], regions[7]); /* two lists side by side */
    assert_int_equal(regions[8], regions[9]);     /* lists of two items of one list */
    fg_arena_clear(&arena);
}

static void sections_go_by_the_heading_above(void **state)
{
    (void)state;
    struct fg_page page = read_page(
        "<a href=0>0</a><h1>Paper</h1><section><div><h3><a href=1>1</a></h3></div>"
        "<a href=2><h3>2</h3></a></section>"
        "<section><div class=head><h2>From the archive</h2></div><a href=3>3</a>"
        "<div><h3><a href=4>4</a></h3></div></section><a href=5>5</a>"
        "<h2>From <b>abroad</b></h2><p><a href=6>6</a>");
    static const int section_of[] = {0, 1, 1, 2, 2, 1, 3};
    uint32_t sections[4] = {page.links[0].section, page.links[1].section,
                            page.links[3].section, page.links[6].section};
    assert_int_equal(page.n_links, 7);
    for (size_t i = 0; i < page.n_links; i++)
        assert_int_equal(page.links[i].section, sections[section_of[i]]);
    assert_int_equal(sections[0], 0);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++)
            assert_int_not_equal(sections[i], sections[k]);
    fg_arena_clear(&arena);
}

FG_TESTS(every_kind_of_link_is_seen, items_of_one_list_are_in_one_region,
         sections_go_by_the_heading_above, frames_count_only_in_framesets,
         what_is_no_markup_has_no_links, words_end_with_the_link, rel_words_are_marked,
         the_head_is_read, titles_within_svg_are_not_the_page_s,
         text_is_what_a_reader_sees, hidden_ends_with_its_element,
         json_ld_is_kept_as_it_is, only_what_is_asked_for_is_read,
         feeds_are_announced_by_type, refresh_values_are_parsed_as_the_standard_says,
         limits_cut_and_say_so, hostile_pages_take_linear_time)
