#include "test.h"

#include "base/buf.h"
#include "net/feed/xml.h"

#include <libxml/parser.h>
#include <time.h>

/* A document as one line: "(name" for a start tag, ")" for an end tag, text as it is. */
struct log {
    struct fg_buf out;
    struct fg_xml *xml;
    unsigned last_line;
};

static void on_start(void *context, const struct fg_xml_tag *tag)
{
    struct log *log = context;
    struct fg_arena arena = {0};
    fg_buf_printf(&log->out, "(%.*s", FG_ARG(tag->name));
    struct fg_str name, value;
    for (int i = 0; fg_xml_attribute_at(tag, &arena, i, &name, &value); i++)
        fg_buf_printf(&log->out, " %.*s=[%.*s]", FG_ARG(name), FG_ARG(value));
    fg_buf_add_char(&log->out, ' ');
    log->last_line = fg_xml_line(log->xml);
    fg_arena_clear(&arena);
}

static void on_end(void *context)
{
    fg_buf_add_char(&((struct log *)context)->out, ')');
}

static void on_text(void *context, struct fg_str text)
{
    fg_buf_add(&((struct log *)context)->out, text);
}

static const struct fg_xml_handler handler = {on_start, on_end, on_text};

static void feed_in_pieces(struct log *log, struct fg_str bytes, size_t piece)
{
    fg_buf_init(&log->out, 1 << 20);
    log->xml = fg_xml_new(&handler, log, (struct fg_str){0});
    for (struct fg_str rest = bytes; rest.len; rest = fg_str_skip(rest, piece)) {
        /* On the heap and no larger than it is, so that a byte too far is seen. */
        struct fg_str part = fg_str_sub(rest, 0, piece);
        char *copy = malloc(part.len);
        memcpy(copy, part.at, part.len);
        fg_xml_feed(log->xml, (struct fg_str){copy, part.len});
        free(copy);
    }
    fg_xml_finish(log->xml);
}

static void log_clear(struct log *log)
{
    fg_xml_free(log->xml);
    fg_buf_clear(&log->out);
}

/* However it is cut into pieces, it gives the same events. */
static void assert_events(const char *text, const char *expected, bool well_formed)
{
    struct fg_str bytes = fg_str_from(text);
    for (size_t piece = 1; piece <= bytes.len + 1; piece += 1 + piece / 4) {
        struct log log;
        feed_in_pieces(&log, bytes, piece);
        assert_str(fg_buf_str(&log.out), expected);
        if (fg_xml_is_well_formed(log.xml) != well_formed)
            fail_msg("%s: well_formed is not %d", text, well_formed);
        log_clear(&log);
    }
}

static unsigned problem_line(const char *text, enum fg_xml_problem problem)
{
    struct log log;
    feed_in_pieces(&log, fg_str_from(text), 7);
    unsigned line = fg_xml_problems(log.xml)->line[problem];
    log_clear(&log);
    return line;
}

static void sound_documents_pass(void **state)
{
    (void)state;
    assert_events("<?xml version=\"1.0\"?><a b='1' c=\"x&amp;y&lt;\">t&amp;<b/>u</a>",
                  "(a b=[1] c=[x&y<] t&(b )u)", true);
    assert_events("<a><![CDATA[x<y]]&z]]></a>\n", "(a x<y]]&z)", true);
    assert_events("<a>x<!-- <b> -- -->y<?p <c> ?>z]</a>", "(a xyz])", true);
    assert_events("\xEF\xBB\xBF<p:a xmlns:p='u'>\xC3\xA9&#x20AC;</p:a>", "(a \xC3\xA9€)",
                  true);
    assert_events("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&eacute;</a>", "(a é)", true);
}

static void broken_markup_is_mended(void **state)
{
    (void)state;
    assert_events("<a>x & y &b=2 &nbsp;&foo; < 3</a>", "(a x & y &b=2 \u00A0&foo; < 3)",
                  false);
    assert_events("<a><b>1<c>2</b>3</a>", "(a (b 1(c 2))3)", false);
    assert_events("<a><b>1</b></b></c>2</a>", "(a (b 1)2)", false);
    assert_events("<a><T>1</t>2</a>", "(a (T 1)2)", false);
    assert_events("<a b=1 c d='2' b=3 e=\"<&\"/>", "(a b=[1] c=[] d=[2] e=[<&] )", false);
    assert_events("<a>1</a><b>2</b>", "(a 1(b 2))", false);
    assert_events("junk<a>1</a>junk", "(a 1)", false);
    assert_events("<a>1<b", "(a 1)", false);
    assert_events("<a><b>1 &am", "(a (b 1 &am))", false);
    assert_events("<a><![CDATA[1", "(a 1)", false);
    assert_events("<a>1]]>2</a>", "(a 1]]>2)", true);
    assert_events("<a>\x01x\x02&#1;&#xD800;</a>", "(a x\uFFFD\uFFFD)", false);
    assert_events("<?xml version='1.0' encoding='utf-8'?><a>\xFFx\xC3</a>",
                  "(a \uFFFDx\uFFFD)", false);
    assert_events("<a b='1'c='2'>x</a>", "(a b=[1] c=[2] x)", false);
    assert_events("<a <b>x</b></a>", "(a (b x))", false);
    assert_events("<a><u:b u:c='1'>x</u:b></a>", "(a (b c=[1] x))", false);
    assert_events(" <?xml version='1.0'><a>x</a>", "(a x)", false);
    assert_events("", "", false);
    assert_events("no markup at all", "", false);
}

static void other_encodings_are_read(void **state)
{
    (void)state;
    assert_events("<?xml version='1.0' encoding='iso-8859-1'?><a>\xE9\x80</a>", "(a é€)",
                  true);
    assert_events("<?xml version='1.0' encoding='bogus'?><a>b</a>", "(a b)", false);
    struct log log;
    feed_in_pieces(&log, FG_STR("\xFF\xFE<\0a\0>\0\xAC\x20<\0/\0a\0>\0"), 3);
    assert_str(fg_buf_str(&log.out), "(a €)");
    assert_string_equal(fg_xml_encoding(log.xml), "UTF-16LE");
    assert_true(fg_xml_is_well_formed(log.xml));
    log_clear(&log);
}

static void windows_1252_in_disguise_is_seen_through(void **state)
{
    (void)state;
    assert_events("<a>don&#146;t don\xC2\x92t</a>", "(a don’t don’t)", true);
}

static void entities_are_never_expanded(void **state)
{
    (void)state;
    assert_events("<!DOCTYPE a [<!ENTITY b 'xxxxxxxxxx'><!ENTITY c '&b;&b;&b;&b;'>"
                  "<!ENTITY d SYSTEM 'file:///etc/passwd'>]><a e='&c;'>&c;&d;</a>",
                  "(a e=[&c;] &c;&d;)", false);
    assert_events("<!DOCTYPE a SYSTEM 'http://127.0.0.1/x.dtd'><a>%x;</a>", "(a %x;)",
                  true);
}

static void problems_say_where(void **state)
{
    (void)state;
    assert_int_equal(problem_line("<a>\n\n & \n</a>", FG_XML_BAD_REFERENCE), 3);
    assert_int_equal(problem_line("<a>\n<b>\n</a>", FG_XML_BAD_NESTING), 3);
    assert_int_equal(problem_line("<a>\n<b>\n", FG_XML_TRUNCATED), 3);
    assert_int_equal(problem_line("<?xml version='1.0' encoding='utf-8'?><a>\n\xFF</a>",
                                  FG_XML_BAD_ENCODING),
                     2);
    assert_int_equal(problem_line("<a>\n<!--\n\n-->\n<u:b/></a>", FG_XML_BAD_NAMESPACE),
                     5);
    assert_int_equal(problem_line("<a></a>", FG_XML_BAD_TAG), 0);
}

static void lines_survive_what_is_left_out(void **state)
{
    (void)state;
    struct log log;
    feed_in_pieces(&log,
                   FG_STR("<?xml version='1.0'\n?>\n<!--\n\n--><a\nb=1\n>\n<?x\n?><c/>"),
                   1000);
    assert_int_equal(log.last_line, 9);
    log_clear(&log);
}

/* `n` times `unit` between `head` and `tail`. */
static struct fg_buf repeat(const char *head, const char *unit, size_t n,
                            const char *tail)
{
    struct fg_buf buf;
    fg_buf_init(&buf, 64 << 20);
    fg_buf_add(&buf, fg_str_from(head));
    for (size_t i = 0; i < n; i++)
        fg_buf_add(&buf, fg_str_from(unit));
    fg_buf_add(&buf, fg_str_from(tail));
    return buf;
}

static void limits_cut_but_do_not_break(void **state)
{
    (void)state;
    static const struct {
        const char *head, *unit, *tail;
        size_t n;
    } cases[] = {
        {"", "<a>", "", 300000},
        {"<a>", "</b>", "</a>", 300000},
        {"<a", " b='1'", "></a>", 100000},
        {"<a b='", "x", "'></a>", 1000000},
        {"<", "a", "></a>", 200000},
        {"<a>", "&", "</a>", 500000},
        {"<a>", "&lt;", "</a>", 500000},
        {"<a>", "<", "</a>", 500000},
        {"<a><![CDATA[", "]", "]]></a>", 500000},
        {"<a><![CDATA[", "x", "]]></a>", 12000000},
        {"<!--", "-", "--><a/>", 500000},
        {"<!DOCTYPE a [", "<!ENTITY b 'c'>", "", 100000},
        {"<?x ", "?", "?><a/>", 500000},
        {"<a>", "\n", "</a>", 12000000},
        {"<!--", "\n", "--><a><b/></a>", 2000000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_buf text =
            repeat(cases[i].head, cases[i].unit, cases[i].n, cases[i].tail);
        struct log log;
        feed_in_pieces(&log, fg_buf_str(&text), 100000);
        size_t opened = 0, closed = 0;
        for (size_t k = 0; k < log.out.len; k++) {
            opened += log.out.at[k] == '(';
            closed += log.out.at[k] == ')';
        }
        assert_int_equal(opened, closed);
        assert_true(opened <= FG_XML_DEPTH_MAX);
        log_clear(&log);
        fg_buf_clear(&text);
    }
}

static double seconds_for(const char *head, const char *unit, size_t n)
{
    struct fg_buf text = repeat(head, unit, n, "");
    double best = 1e9;
    for (int i = 0; i < 3; i++) {
        struct log log;
        clock_t start = clock();
        feed_in_pieces(&log, fg_buf_str(&text), 1000);
        double took = (double)(clock() - start) / CLOCKS_PER_SEC;
        best = took < best ? took : best;
        log_clear(&log);
    }
    fg_buf_clear(&text);
    return best;
}

/* Twice the input may take twice the time; five times would be another law. */
static void time_grows_with_the_input(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"<a>", "<b>"},  {"<a>", "</b>"},       {"<a ", "b='1' "},
        {"<a>", "&"},    {"<a><![CDATA[", "]"}, {"<a>", "<"},
        {"<a b='", "x"}, {"<a>", "<!-- -->"},   {"<a><![CDATA[", "x"},
        {"<a>", "]]>"},  {"<!--", "-"},         {"<!DOCTYPE a [", "'"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = 100000;
        double once = seconds_for(cases[i][0], cases[i][1], n);
        double twice = seconds_for(cases[i][0], cases[i][1], 2 * n);
        if (twice > 5 * once + 0.02)
            fail_msg("%s%s...: %g s, then %g s", cases[i][0], cases[i][1], once, twice);
    }
}

/* Strict libxml2, fed with what the tidier makes. */
static void to_strict_parser(void *context, struct fg_str xml)
{
    xmlParseChunk(context, xml.at, (int)xml.len, 0);
}

static void tidied_markup_is_well_formed(void **state)
{
    (void)state;
    const char *texts[] = {"<a b=1 b=2 \x80=3>&x;<b><c></a>",
                           "<a :b='' c:='' d:1='' e:f:g=''/>",
                           "<a>]]></a><b>]]&gt;</b>",
                           "<a b=\"'\" c='\"' d=\"&quot;\"></a>",
                           "<!><![if x]><a><!b></a>",
                           "<a/></a></a><a></b>text",
                           "<a><é x='1'>y</é></a>"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        xmlSAXHandler sax = {.initialized = XML_SAX2_MAGIC};
        xmlParserCtxtPtr strict = xmlCreatePushParserCtxt(&sax, NULL, NULL, 0, NULL);
        struct fg_xml_tidy tidy;
        fg_xml_tidy_init(&tidy, to_strict_parser, strict);
        fg_xml_tidy_feed(&tidy, fg_str_from(texts[i]));
        fg_xml_tidy_finish(&tidy);
        xmlParseChunk(strict, NULL, 0, 1);
        if (!strict->wellFormed)
            fail_msg("\"%s\" does not become well-formed", texts[i]);
        xmlFreeParserCtxt(strict);
        fg_xml_tidy_clear(&tidy);
    }
}

FG_TESTS(sound_documents_pass, broken_markup_is_mended, other_encodings_are_read,
         windows_1252_in_disguise_is_seen_through, entities_are_never_expanded,
         problems_say_where, lines_survive_what_is_left_out, limits_cut_but_do_not_break,
         time_grows_with_the_input, tidied_markup_is_well_formed)
