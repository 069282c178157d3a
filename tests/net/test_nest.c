#include "net/html/nest.h"

#include "base/buf.h"
#include "test.h"

/* Feed a page to the nest. What each start tag made is written as its name, with svg: or
 * math: in front, "!" behind what is not shown and "@" behind what is in a template; tags
 * that make nothing are left out. The stack at the end follows behind a bar. */
static const char *nest_of(const char *source)
{
    static char text[4096];
    struct fg_buf out;
    struct fg_html html;
    struct fg_html_token token;
    struct fg_nest nest;
    fg_buf_init(&out, sizeof text - 1);
    fg_html_init(&html, fg_str_from(source));
    fg_nest_init(&nest);
    while (fg_html_next(&html, &token)) {
        if (token.type == FG_HTML_TEXT)
            fg_nest_text(&nest, token.text);
        if (token.type == FG_HTML_END)
            fg_nest_end(&nest, &html, &token);
        if (token.type != FG_HTML_START ||
            fg_nest_start(&nest, &html, &token) == FG_NEST_IGNORED)
            continue;
        fg_buf_printf(&out, "%s%.*s%s%s ",
                      nest.made & FG_NEST_SVG    ? "svg:"
                      : nest.made & FG_NEST_MATH ? "math:"
                                                 : "",
                      FG_ARG(token.text), nest.made & FG_NEST_UNSEEN ? "!" : "",
                      nest.made & FG_NEST_TEMPLATE ? "@" : "");
    }
    fg_buf_printf(&out, "| %zu", nest.depth);
    snprintf(text, sizeof text, "%.*s", FG_ARG(fg_buf_str(&out)));
    fg_buf_clear(&out);
    return text;
}

#define check(source, expected) assert_string_equal(nest_of(source), expected)

static void end_tags_close_what_they_name(void **state)
{
    (void)state;
    check("<div><span>", "div span | 2");
    check("<div><span></div>", "div span | 0");
    check("<div><span></p></em></ul>", "div span | 2");
    check("<div><x-y></x-y></div>", "div x-y | 0");
    check("<img><br><link></div>", "img br link | 0");
}

static void start_tags_close_what_they_end(void **state)
{
    (void)state;
    check("<p>a<p>b", "p p | 1");
    check("<p><b><div>", "p b div | 1");
    check("<ul><li>a<li>b", "ul li li | 2");
    check("<ul><li><ul><li>", "ul li ul li | 4");
    check("<dl><dt>a<dd>b<dt>c", "dl dt dd dt | 2");
    check("<h1>a<h2>b", "h1 h2 | 1");
    check("<select><option>a<option>b", "select option! option! | 2");
    check("<p><button><p>", "p button p | 3");
}

static void formatting_closes_around_blocks(void **state)
{
    (void)state;
    check("<b><p></b>", "b p | 1");
    check("<b><i></b>", "b i | 0");
    check("<a><p><a>", "a p a | 2");
    check("<a><table><td><a>", "a table td a | 4");
}

static void table_parts_find_their_place(void **state)
{
    (void)state;
    check("<td>a<tr>b", "| 0");
    check("<table><tr><td>a<td>b<tr>", "table tr td td tr | 2");
    check("<table><tbody><tr><td><div><tbody>", "table tbody tr td div tbody | 2");
    check("<table><tr><td></table>", "table tr td | 0");
    check("<div><table><td></div>", "div table td | 3");
    check("<table><table>", "table table | 1");
    check("<table><td><table>", "table td table | 3");
}

static void foreign_content_has_ways_in_and_out(void **state)
{
    (void)state;
    check("<svg><a><g/><title><b></b></title><a>",
          "svg:svg svg:a svg:g svg:title b! svg:a | 3");
    check("<svg><g><p>", "svg:svg svg:g p | 1");
    check("<div><svg><g></div><a>", "div svg:svg svg:g a | 1");
    check("<svg><style><a>", "svg:svg svg:style svg:a! | 3");
    check("<style><a></style><a>", "style a | 1");
    check("<math><mi><a></a><mglyph><b>", "math:math math:mi a math:mglyph b | 3");
    check("<math><annotation-xml><svg>", "math:math math:annotation-xml svg:svg! | 3");
    check("<math><annotation-xml encoding=TEXT/html><p>",
          "math:math math:annotation-xml p! | 3");
    check("<svg/><a>", "svg:svg a | 1");
    check("<svg><font><font size=1>", "svg:svg svg:font font | 1");
}

static void templates_keep_to_themselves(void **state)
{
    (void)state;
    check("<template><a></template><a>", "template a!@ a | 1");
    check("<template><div><template></template><b></template><i>",
          "template div!@ template!@ b!@ i | 1");
    check("<template><td><a>", "template td!@ a!@ | 3");
    check("<div></template><a>", "div a | 2");
    check("<template></body></html><a>", "template a!@ | 2");
}

static void framesets_replace_the_body(void **state)
{
    (void)state;
    check("<frameset><frame><a></frameset><frame><noframes><a></noframes>",
          "frameset frame noframes | 0");
    check("text<frameset><frame><a>", "a | 1");
    check(" <a><frameset><frame>", "a frameset frame | 0");
    check("<input type=hidden><frameset>", "input frameset | 0");
    check("<body><frameset>", "body | 0");
}

static void raw_text_is_no_markup(void **state)
{
    (void)state;
    check("<title><a></title><a>", "title a | 1");
    check("<textarea><a></textarea>", "textarea | 0");
    check("<iframe><a></iframe><noembed><a></noembed>", "iframe noembed | 0");
    check("<script><!--<script><a></script><a></script><a>", "script a | 1");
    check("<plaintext></plaintext><a>", "plaintext | 1");
    check("<noscript><a>", "noscript a! | 2");
}

static void depth_is_bounded(void **state)
{
    (void)state;
    struct fg_buf page;
    struct fg_html html;
    struct fg_html_token token;
    struct fg_nest nest;
    fg_buf_init(&page, 1 << 20);
    for (int i = 0; i < 2000; i++)
        fg_buf_add(&page, i == 1000 ? FG_STR("<template>") : FG_STR("<div>"));
    for (int i = 0; i < 2000; i++)
        fg_buf_add(&page, FG_STR("</div>"));
    fg_html_init(&html, fg_buf_str(&page));
    fg_nest_init(&nest);
    while (fg_html_next(&html, &token)) {
        if (token.type == FG_HTML_START)
            fg_nest_start(&nest, &html, &token);
        else
            fg_nest_end(&nest, &html, &token);
        assert_true(nest.depth < FG_NEST_MAX);
    }
    assert_int_equal(nest.depth, 0);
    for (size_t i = 0; i < FG_TAG_COUNT; i++)
        assert_int_equal(nest.open[i], 0);
    fg_buf_clear(&page);
}

FG_TESTS(end_tags_close_what_they_name, start_tags_close_what_they_end,
         formatting_closes_around_blocks, table_parts_find_their_place,
         foreign_content_has_ways_in_and_out, templates_keep_to_themselves,
         framesets_replace_the_body, raw_text_is_no_markup, depth_is_bounded)
