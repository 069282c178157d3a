/* Feeds are valid XML whatever the web put into them. */
#include "cli/feeds.h"
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
    fg_rss_entry(&buf, &entry);
    assert_str(fg_buf_str(&buf),
               "    <item>\n"
               "      <title>https://a.example/?x=1&amp;y=2</title>\n"
               "      <link>https://a.example/?x=1&amp;y=2</link>\n"
               "      <guid isPermaLink=\"false\">urn:forage:0000000000000abc</guid>\n"
               "      <pubDate>Thu, 01 Jan 1970 00:00:00 +0000</pubDate>\n"
               "    </item>\n");
    fg_buf_clear(&buf);
}

FG_TESTS(xml_escape_leaves_no_markup, xml_escape_replaces_what_xml_cannot_say,
         rfc822_dates_are_right_in_all_centuries, an_entry_has_a_title_and_a_stable_id)
