/* Feeds are valid XML whatever the web put into them. */
#include "net/feed/feed.h"
#include "net/feed/feed_write.h"
#include "test.h"

static void escape(struct fg_buf *buf, const char *text, size_t n)
{
    fg_buf_init(buf, 1 << 16);
    fg_xml_escape(buf, (struct fg_str){text, n});
}

static void xml_escape_leaves_no_markup(void **state)
{
    (void)state;
    struct fg_buf buf;
    escape(&buf, "a<b>&\"]]>'", 10);
    assert_str(fg_buf_str(&buf), "a&lt;b&gt;&amp;&quot;]]&gt;'");
    fg_buf_clear(&buf);
}

static void xml_escape_replaces_what_xml_cannot_say(void **state)
{
    (void)state;
    struct fg_buf buf;
    static const char text[] = "\0\x01\x1b\t\n\r\xff\xef\xbf\xbf\xf0\x9f\x8c\xb1";
    escape(&buf, text, sizeof text - 1);
    assert_str(fg_buf_str(&buf), "\uFFFD\uFFFD\uFFFD\t\n&#13;\uFFFD\uFFFD\U0001F331");
    fg_buf_clear(&buf);
}

static void rfc822_dates_are_right_in_all_centuries(void **state)
{
    (void)state;
    static const struct {
        int64_t seconds;
        const char *text;
    } cases[] = {
        {0, "Thu, 01 Jan 1970 00:00:00 +0000"},
        {1794776538, "Sun, 15 Nov 2026 21:02:18 +0000"},
        {951782399, "Mon, 28 Feb 2000 23:59:59 +0000"},
        {951782400, "Tue, 29 Feb 2000 00:00:00 +0000"},
        {-1, "Wed, 31 Dec 1969 23:59:59 +0000"},
    };
    char out[FG_RFC822_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(fg_rfc822_format(out, cases[i].seconds * FG_SECOND),
                            cases[i].text);
    assert_string_equal(fg_rfc822_format(out, -1), cases[4].text);
}

static void an_entry_has_a_title_and_a_stable_id(void **state)
{
    (void)state;
    struct fg_feed_entry entry = {.id = 0xabc,
                                  .url = FG_STR("https://a.example/?x=1&y=2"),
                                  .found = 0,
                                  .dated = FG_NEVER};
    struct fg_buf buf;
    fg_buf_init(&buf, 1 << 16);
    struct fg_feed_writer writer = {.out = &buf, .form = FG_WRITE_RSS};
    fg_feed_add(&writer, &entry);
    assert_str(fg_buf_str(&buf),
               "    <item>\n"
               "      <title>https://a.example/?x=1&amp;y=2</title>\n"
               "      <link>https://a.example/?x=1&amp;y=2</link>\n"
               "      <guid isPermaLink=\"false\">urn:forage:0000000000000abc</guid>\n"
               "      <pubDate>Thu, 01 Jan 1970 00:00:00 +0000</pubDate>\n"
               "    </item>\n");
    fg_buf_clear(&buf);
}

/* What the worst of pages put into a feed comes out of our own reader as it went in, and
 * the checker has nothing to say. */
static void every_form_reads_back_without_problems(void **state)
{
    (void)state;
    struct fg_feed_entry entries[] = {
        {.id = 1,
         .url = FG_STR("https://a.example/{x}|\\^`?q=\"<>&'"),
         .title = FG_STR("<b>&amp; \x01\xff ]]> \U0001F331"),
         .found_on = FG_STR("https://a.example/a b"),
         .site = FG_STR("https://a.example"),
         .text = FG_STR("one & <two>\nthree"),
         .summary = FG_STR("one & <two>"),
         .language = FG_STR("en"),
         .found = 1000 * FG_SECOND,
         .dated = FG_NEVER},
        {.id = 2,
         .url = FG_STR("https://a.example/2"),
         .found = 2000 * FG_SECOND,
         .dated = 500 * FG_SECOND},
    };
    struct fg_feed_head head = {.title = FG_STR("New & <old>"),
                                .link = FG_STR("https://a.example/"),
                                .self = FG_STR("https://b.example/f.rss"),
                                .id = 7};
    for (int form = 0; form < FG_FEED_FORMS; form++) {
        struct fg_arena arena = {0};
        struct fg_buf buf;
        fg_buf_init(&buf, 1 << 16);
        struct fg_feed_writer writer =
            fg_feed_begin(&buf, (enum fg_feed_form)form, &head);
        fg_feed_add(&writer, &entries[0]);
        fg_feed_add(&writer, &entries[1]);
        fg_feed_finish(&writer);
        struct fg_feed_options how = {.url = FG_STR("https://b.example/f.rss"),
                                      .now = fg_time_now()};
        const struct fg_feed *feed = fg_feed_parse(&arena, fg_buf_str(&buf), &how);
        if (feed->n_problems)
            print_error("%s\n", fg_feed_problem_text(feed->problems[0].kind));
        assert_int_equal(feed->n_problems, 0);
        assert_true(feed->well_formed);
        assert_int_equal(feed->n_entries, 2);
        assert_str(feed->self, "https://b.example/f.rss");
        assert_str(feed->about.texts[FG_FEED_TITLE].value, "New & <old>");
        assert_str(feed->entries[0].id, "urn:forage:0000000000000001");
        assert_str(feed->entries[0].link,
                   "https://a.example/%7Bx%7D%7C%5C%5E%60?q=%22%3C%3E&'");
        assert_str(feed->entries[1].texts[FG_FEED_TITLE].value, "https://a.example/2");
        assert_true(feed->entries[1].dates[FG_FEED_PUBLISHED].time == 500 * FG_SECOND);
        fg_buf_clear(&buf);
        fg_arena_clear(&arena);
    }
}

FG_TESTS(xml_escape_leaves_no_markup, xml_escape_replaces_what_xml_cannot_say,
         rfc822_dates_are_right_in_all_centuries, an_entry_has_a_title_and_a_stable_id,
         every_form_reads_back_without_problems)
