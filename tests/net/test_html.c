#include "net/html/html.h"

#include "base/buf.h"
#include "test.h"

/* All tokens as one line of text: <name attr=value|attr=value/> </name> "text" <!--x-->
 * <!name public system quirky>. */
static const char *tokens_of(struct fg_html *html)
{
    static char text[4096];
    struct fg_arena arena = {0};
    struct fg_buf out;
    struct fg_html_token token;
    fg_buf_init(&out, sizeof text - 1);
    while (fg_html_next(html, &token)) {
        struct fg_str s = fg_html_text(&arena, &token);
        struct fg_html_attr *attrs;
        if (out.len)
            fg_buf_add_char(&out, ' ');
        switch (token.type) {
        case FG_HTML_TEXT:
            fg_buf_printf(&out, "\"%.*s\"", FG_ARG(s));
            break;
        case FG_HTML_START:
            fg_buf_printf(&out, "<%.*s", FG_ARG(s));
            for (size_t i = 0, n = fg_html_attrs(&arena, &token, &attrs); i < n; i++)
                fg_buf_printf(&out, "%c%.*s=%.*s", i ? '|' : ' ', FG_ARG(attrs[i].name),
                              FG_ARG(attrs[i].value));
            fg_buf_printf(&out, token.is_self_closing ? "/>" : ">");
            break;
        case FG_HTML_END:
            fg_buf_printf(&out, "</%.*s>", FG_ARG(s));
            break;
        case FG_HTML_COMMENT:
            fg_buf_printf(&out, "<!--%.*s-->", FG_ARG(s));
            break;
        case FG_HTML_DOCTYPE:
            fg_buf_printf(&out, "<!%.*s %.*s %.*s%s>", FG_ARG(s), FG_ARG(token.public_id),
                          FG_ARG(token.system_id), token.is_quirky ? " quirky" : "");
            break;
        }
    }
    snprintf(text, sizeof text, "%.*s", FG_ARG(fg_buf_str(&out)));
    fg_buf_clear(&out);
    fg_arena_clear(&arena);
    return text;
}

static void check(const char *source, const char *expected)
{
    struct fg_html html;
    fg_html_init(&html, fg_str_from(source));
    assert_string_equal(tokens_of(&html), expected);
}

static void check_raw(enum fg_html_state state, const char *name, const char *source,
                      const char *expected)
{
    struct fg_html html;
    fg_html_init(&html, fg_str_from(source));
    html.raw_name = fg_str_from(name);
    fg_html_enter(&html, state);
    assert_string_equal(tokens_of(&html), expected);
}

static void tags_and_text_are_told_apart(void **state)
{
    (void)state;
    check("", "");
    check("a<B>c</b >d", "\"a\" <b> \"c\" </b> \"d\"");
    check("1 < 2 <3 <", "\"1 < 2 <3 <\"");
    check("a</", "\"a</\"");
    check("a</>b", "\"a\" \"b\"");
    check("</ x>b", "<!-- x--> \"b\"");
    check("<br/><hr / >", "<br/> <hr>");
}

static void a_tag_the_text_ends_in_is_no_tag(void **state)
{
    (void)state;
    check("a<b", "\"a\"");
    check("a<b c='>", "\"a\"");
    check("a<b c=", "\"a\"");
    check("a<b c /", "\"a\"");
}

static void attributes_are_read_as_written(void **state)
{
    (void)state;
    check("<a b c=d e='f g' h=\"i>j\" k = l>", "<a b=|c=d|e=f g|h=i>j|k=l>");
    check("<a =b c\"d=e <f>", "<a =b=|c\"d=e|<f=>");
    check("<a b=c/>", "<a b=c/>");
    check("<a b='c'/>", "<a b=c/>");
    check("<a b='c'd>", "<a b=c|d=>");
    check("<a b=>", "<a b=>");
    check("<a B=1 b=2 C=3>", "<a b=1|c=3>");
}

static void only_a_slash_before_the_end_closes(void **state)
{
    (void)state;
    struct fg_html html;
    struct fg_html_token token;
    fg_html_init(&html, FG_STR("<a b=c/><a b='c'/><a/b>"));
    assert_true(fg_html_next(&html, &token));
    assert_false(token.is_self_closing);
    assert_true(fg_html_next(&html, &token));
    assert_true(token.is_self_closing);
    assert_true(fg_html_next(&html, &token));
    assert_false(token.is_self_closing);
}

static void values_are_decoded_when_asked(void **state)
{
    (void)state;
    check("<a b='x&amp;y&copy=1'>", "<a b=x&y&copy=1>");
    check("a&lt;b&copyc", "\"a<b\u00a9c\"");
    check("a\r\nb\rc", "\"a\nb\nc\"");
}

static void text_that_means_itself_is_not_copied(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_str plain = FG_STR("plain text"), other = FG_STR("a &amp; b");
    assert_ptr_equal(fg_html_decode(&arena, plain, FG_HTML_VALUE).at, plain.at);
    assert_int_equal(arena.used_bytes, 0);
    assert_str(fg_html_decode(&arena, other, FG_HTML_VALUE), "a & b");
    assert_str(fg_html_decode(&arena, other, FG_HTML_REPLACE_NUL), "a &amp; b");
    fg_arena_clear(&arena);
}

static void nuls_are_replaced_where_the_standard_says(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_html html;
    struct fg_html_token token;
    struct fg_str value;
    fg_html_init(&html, FG_STR("\0<a\0 b='\0'><!--\0-->"));
    assert_true(fg_html_next(&html, &token));
    assert_int_equal(fg_html_text(&arena, &token).at[0], '\0');
    assert_true(fg_html_next(&html, &token));
    assert_str(fg_html_text(&arena, &token), "a\ufffd");
    assert_int_equal(token.tag, FG_TAG_OTHER);
    assert_true(fg_html_attr(&token, FG_STR("b"), &value));
    assert_str(fg_html_decode(&arena, value, FG_HTML_VALUE), "\ufffd");
    assert_true(fg_html_next(&html, &token));
    assert_str(fg_html_text(&arena, &token), "\ufffd");
    fg_arena_clear(&arena);
}

static void comments_end_in_many_ways(void **state)
{
    (void)state;
    check("<!--a-->b", "<!--a--> \"b\"");
    check("<!-->b", "<!----> \"b\"");
    check("<!--->b", "<!----> \"b\"");
    check("<!--a--!>b", "<!--a--> \"b\"");
    check("<!---!>b-->c", "<!---!>b--> \"c\"");
    check("<!--a->b-->c", "<!--a->b--> \"c\"");
    check("<!--a--", "<!--a-->");
    check("<!--a--!", "<!--a-->");
    check("<!a>b", "<!--a--> \"b\"");
    check("<?a?>b", "<!--?a?--> \"b\"");
}

static void doctypes_have_identifiers(void **state)
{
    (void)state;
    check("<!doctype HTML>", "<!html  >");
    check("<!DOCTYPE html PUBLIC 'a' \"b\">", "<!html a b>");
    check("<!DOCTYPE html SYSTEM 'b' c>d", "<!html  b> \"d\"");
    check("<!DOCTYPE html PUBLIC 'a>b", "<!html a  quirky> \"b\"");
    check("<!DOCTYPE>", "<!   quirky>");
    check("<!DOCTYPE html x>", "<!html   quirky>");
}

static void sections_count_only_in_foreign_content(void **state)
{
    (void)state;
    check("<![CDATA[a]]>b", "<!--[CDATA[a]]--> \"b\"");
    struct fg_html html;
    fg_html_init(&html, FG_STR("<![CDATA[<a>]]]>b<![CDATA[]]>c"));
    html.is_foreign = true;
    assert_string_equal(tokens_of(&html), "\"<a>]\" \"b\" \"c\"");
}

static void raw_text_ends_at_its_own_end_tag(void **state)
{
    (void)state;
    check_raw(FG_HTML_RCDATA, "title", "a<b>&amp;</titles></TITLE\t>c",
              "\"a<b>&</titles>\" </title> \"c\"");
    check_raw(FG_HTML_RAWTEXT, "style", "a</b>&amp;</style>", "\"a</b>&amp;\" </style>");
    check_raw(FG_HTML_PLAINTEXT, "plaintext", "a</plaintext>", "\"a</plaintext>\"");
    check_raw(FG_HTML_RAWTEXT, "xmp", "</xmp", "\"</xmp\"");
}

static void scripts_hide_their_end_in_comments(void **state)
{
    (void)state;
    check_raw(FG_HTML_SCRIPT, "script", "a<b</script>c", "\"a<b\" </script> \"c\"");
    check_raw(FG_HTML_SCRIPT, "script", "<!--</script>c", "\"<!--\" </script> \"c\"");
    check_raw(FG_HTML_SCRIPT, "script", "<!--<script></script></script>c",
              "\"<!--<script></script>\" </script> \"c\"");
    check_raw(FG_HTML_SCRIPT, "script", "<!--<script>--></script>c",
              "\"<!--<script>-->\" </script> \"c\"");
    check_raw(FG_HTML_SCRIPT, "script", "<!--><script></script>c",
              "\"<!--><script>\" </script> \"c\"");
    check_raw(FG_HTML_SCRIPT, "script", "<!--<scripts></script>c",
              "\"<!--<scripts>\" </script> \"c\"");
}

static void a_million_attributes_are_walked_once(void **state)
{
    (void)state;
    enum { N = 1000000 };
    struct fg_arena arena = {0};
    struct fg_buf buf;
    fg_buf_init(&buf, 32 << 20);
    fg_buf_add(&buf, FG_STR("<a x=first"));
    for (int i = 0; i < N; i++)
        fg_buf_printf(&buf, " x%d=1", i % 70000);
    fg_buf_add(&buf, FG_STR(" x=last>"));
    struct fg_html html;
    struct fg_html_token token;
    struct fg_html_attr *attrs;
    struct fg_str value;
    fg_html_init(&html, fg_buf_str(&buf));
    assert_true(fg_html_next(&html, &token));
    assert_true(fg_html_attr(&token, FG_STR("x"), &value));
    assert_str(value, "first");
    assert_int_equal(fg_html_attrs(&arena, &token, &attrs), FG_HTML_ATTRS_MAX);
    fg_buf_clear(&buf);
    fg_arena_clear(&arena);
}

FG_TESTS(tags_and_text_are_told_apart, a_tag_the_text_ends_in_is_no_tag,
         attributes_are_read_as_written, only_a_slash_before_the_end_closes,
         values_are_decoded_when_asked, text_that_means_itself_is_not_copied,
         nuls_are_replaced_where_the_standard_says, comments_end_in_many_ways,
         doctypes_have_identifiers, sections_count_only_in_foreign_content,
         raw_text_ends_at_its_own_end_tag, scripts_hide_their_end_in_comments,
         a_million_attributes_are_walked_once)
