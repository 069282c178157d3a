#include "test.h"

#include "base/buf.h"
#include "net/feed/feed.h"

static struct fg_arena arena;

static const struct fg_feed *parse_at(const char *text, const char *url)
{
    struct fg_feed_options options = {.url = fg_str_from(url)};
    return fg_feed_parse(&arena, fg_str_from(text), &options);
}

static const struct fg_feed *parse(const char *text)
{
    return parse_at(text, NULL);
}

static struct fg_str text_of(const struct fg_feed_item *item, enum fg_feed_text_kind kind)
{
    return item->texts[kind].value;
}

static void done(void)
{
    fg_arena_clear(&arena);
}

static void rss_is_read(void **state)
{
    (void)state;
    const struct fg_feed *feed = parse(
        "<?xml version='1.0'?><rss version='2.0' "
        "xmlns:atom='http://www.w3.org/2005/Atom' "
        "xmlns:sy='http://purl.org/rss/1.0/modules/syndication/'><channel><title>T</"
        "title>"
        "<link>http://a.org/</link><description>D</description><ttl>60</ttl>"
        "<atom:link rel='self' href='http://a.org/feed'/><atom:link rel='hub' "
        "href='http://hub.org/'/><skipHours><hour>0</hour><hour>23</hour></skipHours>"
        "<skipDays><day>Sunday</day></skipDays><sy:updatePeriod>daily</sy:updatePeriod>"
        "<sy:updateFrequency>4</sy:updateFrequency><language>de</language>"
        "<item><title>One &amp; only</title><link>http://a.org/1</link>"
        "<guid isPermaLink='false'>id1</guid><pubDate>Thu, 01 Jan 2004 19:48:21 "
        "GMT</pubDate>"
        "<enclosure url='http://a.org/1.mp3' length='10' type='audio/mpeg'/>"
        "<author>me@a.org (Me Myself)</author></item>"
        "<item><guid>http://a.org/2</guid></item></channel></rss>");
    assert_int_equal(feed->kind, FG_FEED_RSS);
    assert_true(feed->well_formed);
    assert_int_equal(feed->n_problems, 0);
    assert_str(feed->about.link, "http://a.org/");
    assert_str(feed->self, "http://a.org/feed");
    assert_str(feed->hub, "http://hub.org/");
    assert_str(feed->about.language, "de");
    assert_int_equal(feed->ttl_minutes, 60);
    assert_int_equal(feed->skip_hours, 1 | 1 << 23);
    assert_int_equal(feed->skip_days, 1 << 6);
    assert_true(feed->update_period == 6 * FG_HOUR);
    assert_int_equal(feed->n_entries, 2);
    const struct fg_feed_item *entry = &feed->entries[0];
    assert_str(text_of(entry, FG_FEED_TITLE), "One & only");
    assert_str(entry->link, "http://a.org/1");
    assert_str(entry->id, "id1");
    assert_true(entry->dates[FG_FEED_PUBLISHED].time == INT64_C(1072986501) * FG_SECOND);
    assert_str(entry->links[1].rel, "enclosure");
    assert_str(entry->links[1].length, "10");
    assert_str(entry->people[0].name, "Me Myself");
    assert_str(entry->people[0].email, "me@a.org");
    assert_str(feed->entries[1].link, "http://a.org/2");
    assert_true(feed->entries[1].id_is_link);
    done();
}

static void atom_is_read(void **state)
{
    (void)state;
    const struct fg_feed *feed = parse_at(
        "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='/blog/'><title type='xhtml'>"
        "<div xmlns='http://www.w3.org/1999/xhtml'>A <b>title</b><br/></div></title>"
        "<id>urn:x:1</id><updated>2003-12-13T18:30:02Z</updated>"
        "<entry xml:base='2003/'><link href='1'/><link rel='related' href='/r' "
        "type='text/html'/>"
        "<id>urn:x:2</id><updated>2003-12-13T18:30:02.5+01:00</updated><author><name>N</"
        "name>"
        "<uri>me</uri></author><content type='html'>&lt;a "
        "href='x?a&amp;amp;b'&gt;l&lt;/a&gt;"
        "</content><source><title>S</title><link "
        "href='http://s.org/'/></source></entry></feed>",
        "http://a.org/feed");
    assert_int_equal(feed->kind, FG_FEED_ATOM);
    assert_str(text_of(&feed->about, FG_FEED_TITLE), "A <b>title</b><br />");
    assert_true(feed->about.texts[FG_FEED_TITLE].is_markup);
    assert_str(feed->about.id, "urn:x:1");
    const struct fg_feed_item *entry = &feed->entries[0];
    assert_str(entry->link, "http://a.org/blog/2003/1");
    assert_str(entry->links[0].written, "1");
    assert_str(entry->links[1].href, "http://a.org/r");
    assert_true(entry->dates[FG_FEED_UPDATED].time ==
                INT64_C(1071336602) * FG_SECOND + 500 * FG_MILLISECOND);
    assert_str(entry->people[0].href, "http://a.org/blog/2003/me");
    assert_str(text_of(entry, FG_FEED_CONTENT),
               "<a href=\"http://a.org/blog/2003/x?a&amp;b\">l</a>");
    assert_str(entry->texts[FG_FEED_CONTENT].base, "http://a.org/blog/2003/");
    assert_str(entry->source->link, "http://s.org/");
    assert_str(text_of(entry->source, FG_FEED_TITLE), "S");
    assert_str(text_of(entry, FG_FEED_TITLE), "");
    done();
}

static void rdf_and_cdf_are_read(void **state)
{
    (void)state;
    const struct fg_feed *feed = parse(
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
        "xmlns='http://purl.org/rss/1.0/' xmlns:dc='http://purl.org/dc/elements/1.1/'>"
        "<channel rdf:about='http://a.org/c'><link>http://a.org/</link></channel>"
        "<item rdf:about='http://a.org/1'><link>http://a.org/1</link>"
        "<dc:date>2003-12-31</dc:date><dc:creator>Me</dc:creator></item></rdf:RDF>");
    assert_int_equal(feed->kind, FG_FEED_RDF);
    assert_str(feed->about.link, "http://a.org/");
    assert_str(feed->entries[0].id, "http://a.org/1");
    assert_true(feed->entries[0].dates[FG_FEED_UPDATED].time == INT64_C(12417) * FG_DAY);
    assert_str(feed->entries[0].people[0].name, "Me");
    feed = parse("<CHANNEL HREF='http://a.org/'><ITEM HREF='http://a.org/1' "
                 "LASTMOD='2003-12-31'><TITLE>T</TITLE></ITEM></CHANNEL>");
    assert_int_equal(feed->kind, FG_FEED_CDF);
    assert_str(feed->entries[0].link, "http://a.org/1");
    assert_str(text_of(&feed->entries[0], FG_FEED_TITLE), "T");
    done();
}

static void json_is_read(void **state)
{
    (void)state;
    const struct fg_feed *feed = parse_at(
        "{\"version\": \"https://jsonfeed.org/version/1.1\", \"title\": \"T\", "
        "\"home_page_url\": \"/\", \"feed_url\": \"http://a.org/feed.json\", "
        "\"hubs\": [{\"type\": \"WebSub\", \"url\": \"http://hub.org/\"}], "
        "\"items\": [{\"id\": 7, \"url\": \"/1\", \"content_html\": \"<img "
        "src='i.png'>\", "
        "\"date_published\": \"2003-12-13T18:30:02Z\", \"authors\": [{\"name\": \"A\"}], "
        "\"attachments\": [{\"url\": \"/1.mp3\", \"mime_type\": \"audio/mpeg\", "
        "\"size_in_bytes\": 5}]}, \"junk\"]}",
        "http://a.org/feed.json");
    assert_int_equal(feed->kind, FG_FEED_JSON);
    assert_true(feed->well_formed);
    assert_str(feed->about.link, "http://a.org/");
    assert_str(feed->hub, "http://hub.org/");
    assert_int_equal(feed->n_entries, 1);
    const struct fg_feed_item *entry = &feed->entries[0];
    assert_str(entry->id, "7");
    assert_str(entry->link, "http://a.org/1");
    assert_str(text_of(entry, FG_FEED_CONTENT), "<img src=\"http://a.org/i.png\">");
    assert_true(entry->dates[FG_FEED_PUBLISHED].time == INT64_C(1071340202) * FG_SECOND);
    assert_str(entry->links[1].href, "http://a.org/1.mp3");
    assert_str(entry->links[1].length, "5");
    struct fg_feed_options options = {.content_type = FG_STR("application/feed+json")};
    feed = fg_feed_parse(&arena, FG_STR("{\"items\": [{\"id\": \"a\"}]}"), &options);
    assert_int_equal(feed->n_entries, 1);
    assert_null(feed->json.words.at);
    done();
}

static void broken_json_is_told_with_its_line(void **state)
{
    (void)state;
    const struct fg_feed *feed =
        parse("{\"version\": \"https://jsonfeed.org/version/1\",\n\"items\": [\n");
    assert_int_equal(feed->kind, FG_FEED_JSON);
    assert_false(feed->well_formed);
    assert_int_equal(feed->n_entries, 0);
    assert_int_equal(feed->json.line, 3);
    assert_true(fg_str_ends(feed->json.words, FG_STR("near end of file")));
    done();
}

static void broken_feeds_are_read_on(void **state)
{
    (void)state;
    const struct fg_feed *feed = parse(
        "<rss><channel><title>A & B &nbsp; C</title><item><link>http://a.org/?a=1&b=2"
        "</link><title>x<br>y</title></item><item><title>z</item><item><link>http://");
    assert_false(feed->well_formed);
    assert_str(text_of(&feed->about, FG_FEED_TITLE), "A & B \u00A0 C");
    assert_int_equal(feed->n_entries, 3);
    assert_str(feed->entries[0].link, "http://a.org/?a=1&b=2");
    assert_str(text_of(&feed->entries[1], FG_FEED_TITLE), "z");
    done();
}

/* Whatever is missing, no date is made up. */
static void without_a_date_there_is_none(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"version\": \"https://jsonfeed.org/version/1\", \"items\": [{\"id\": 1},",
        "{\"version\": \"https://jsonfeed.org/version/1\", \"items\": [{\"id\": 1}]}",
        "<rss><channel><item><guid>1</guid></item>",
        "<feed><entry><source/></entry></feed>",
        "",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct fg_feed *feed = parse(texts[i]);
        for (int k = 0; k < FG_FEED_DATES; k++) {
            assert_true(feed->about.dates[k].time == FG_NEVER);
            for (size_t j = 0; j < feed->n_entries; j++)
                assert_true(feed->entries[j].dates[k].time == FG_NEVER);
        }
        done();
    }
}

static void sniffing_looks_at_the_root(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum fg_feed_kind kind;
    } cases[] = {
        {"<?xml version='1.0'?><!-- <feed> --><rss version='2.0'>", FG_FEED_RSS},
        {"<!DOCTYPE rss><rss/>", FG_FEED_RSS},
        {" \n<rdf:RDF xmlns:rdf='x'>", FG_FEED_RDF},
        {"\xEF\xBB\xBF<atom:feed>", FG_FEED_ATOM},
        {"<entry>", FG_FEED_ATOM},
        {"<CHANNEL HREF='x'>", FG_FEED_CDF},
        {"{\"version\":\"https:\\/\\/jsonfeed.org\\/version\\/1\"}", FG_FEED_JSON},
        {"{\"a\": 1}", FG_FEED_NONE},
        {"<html><head>", FG_FEED_NONE},
        {"<urlset>", FG_FEED_NONE},
        {"plain text", FG_FEED_NONE},
        {"", FG_FEED_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(fg_feed_kind_name(fg_feed_sniff(fg_str_from(cases[i].text))),
                            fg_feed_kind_name(cases[i].kind));
    assert_int_equal(fg_feed_sniff(FG_STR("\xFF\xFE<\0r\0s\0s\0>\0")), FG_FEED_RSS);
}

static bool has_problem(const struct fg_feed *feed, enum fg_feed_problem_kind kind)
{
    for (size_t i = 0; i < feed->n_problems; i++)
        if (feed->problems[i].kind == kind)
            return true;
    return false;
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum fg_feed_problem_kind kind;
    } cases[] = {
        {"<rss><pubDate>2003-12-31</pubDate></rss>", FG_FEED_BAD_DATE},
        {"<rss><pubDate>31 Dec 02 14:20:20 GMT</pubDate></rss>", FG_FEED_OLD_DATE},
        {"<rss><link>example.org</link></rss>", FG_FEED_RELATIVE_LINK},
        {"<feed><link href='a b'/></feed>", FG_FEED_BAD_LINK},
        {"<rss><item><guid>tag:a.org,2005:1</guid></item></rss>", FG_FEED_BAD_ID},
        {"<rss><item><guid/></item></rss>", FG_FEED_BLANK_ID},
        {"<feed><id>/1</id></feed>", FG_FEED_RELATIVE_ID},
        {"<feed><id>http://A.org/1</id></feed>", FG_FEED_UNUSUAL_ID},
        {"<feed><id>http://a.org/%7e</id></feed>", FG_FEED_UNUSUAL_ID},
        {"<feed><entry><id>x:1</id></entry><entry><id>x:1</id></entry></feed>",
         FG_FEED_DUPLICATE_ID},
        {"<feed><link href='x:1'/><link href='x:2'/></feed>", FG_FEED_DUPLICATE_LINK},
        {"<rss><ttl>-1</ttl></rss>", FG_FEED_BAD_TTL},
        {"<rss><skipHours><hour>24</hour></skipHours></rss>", FG_FEED_BAD_SKIP_HOUR},
        {"<rss><skipDays><day>Someday</day></skipDays></rss>", FG_FEED_BAD_SKIP_DAY},
        {"<rss><item><enclosure url='http://a.org/' length='1'/></item></rss>",
         FG_FEED_BAD_ENCLOSURE},
        {"<rss><title/></rss>", FG_FEED_BLANK_TITLE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!has_problem(parse(cases[i].text), cases[i].kind))
            fail_msg("%s: no word about %s", cases[i].text,
                     fg_feed_problem_text(cases[i].kind));
    struct fg_feed_options options = {.now = INT64_C(1700000000) * FG_SECOND};
    const struct fg_feed *feed = fg_feed_parse(
        &arena, FG_STR("<feed>\n<updated>2103-12-13T18:30:02Z</updated></feed>"),
        &options);
    assert_true(has_problem(feed, FG_FEED_IMPLAUSIBLE_DATE));
    assert_int_equal(feed->problems[0].line, 2);
    done();
}

/* `n` times `unit` between `head` and `tail`, parsed as if from a site with a long name.
 */
static const struct fg_feed *parse_many(const char *head, const char *unit, size_t n,
                                        const char *tail)
{
    struct fg_buf text;
    fg_buf_init(&text, 64 << 20);
    fg_buf_add(&text, fg_str_from(head));
    for (size_t i = 0; i < n; i++)
        fg_buf_add(&text, fg_str_from(unit));
    fg_buf_add(&text, fg_str_from(tail));
    struct fg_feed_options options = {.url = FG_STR("http://example.org/a/b/c")};
    const struct fg_feed *feed = fg_feed_parse(&arena, fg_buf_str(&text), &options);
    fg_buf_clear(&text);
    return feed;
}

static void limits_hold(void **state)
{
    (void)state;
    const struct fg_feed *feed =
        parse_many("<rss>", "<item/>", FG_FEED_ENTRIES_MAX + 5, "</rss>");
    assert_int_equal(feed->n_entries, FG_FEED_ENTRIES_MAX);
    assert_true(feed->cut);
    done();
    feed = parse_many("<feed><entry>", "<link href='a'/>", 1000, "</entry></feed>");
    assert_int_equal(feed->entries[0].n_links, FG_FEED_LINKS_MAX);
    done();
    feed = parse_many("<rss><title>", "\u20AC", FG_FEED_TEXT_MAX, "</title></rss>");
    assert_int_equal(text_of(&feed->about, FG_FEED_TITLE).len, FG_FEED_TEXT_MAX / 3 * 3);
    assert_true(feed->cut);
    done();
    feed = parse_many("<rss>", "<ttl/>", 1000, "</rss>");
    assert_int_equal(feed->n_problems, FG_FEED_PROBLEMS_MAX);
    done();
    feed = parse_many("{\"v\": \"jsonfeed.org/version/1\", \"x\": ", "[", 100000, "");
    assert_true(feed->about.dates[FG_FEED_PUBLISHED].time == FG_NEVER);
    assert_true(feed->cut);
    done();
    feed = parse_many("<rss>", "<item><description>&lt;a href=b&gt;</description></item>",
                      200000, "</rss>");
    assert_true(feed->cut);
    assert_true(arena.used_bytes < 2 * (size_t)FG_FEED_MEMORY_MAX);
    done();
}

/* A base of several kilobytes for links of one letter: memory has an end. */
static void long_bases_do_not_multiply(void **state)
{
    (void)state;
    struct fg_buf head;
    fg_buf_init(&head, 1 << 20);
    fg_buf_printf(&head, "<feed xml:base='http://a.org/%0*d/'>", 8000, 0);
    fg_buf_add_char(&head, '\0');
    const struct fg_feed *feed =
        parse_many(head.at, "<entry><link href='a'/></entry>", 100000, "</feed>");
    assert_true(feed->cut);
    assert_true(feed->n_entries > 100);
    assert_true(arena.used_bytes < 2 * (size_t)FG_FEED_MEMORY_MAX);
    done();
    head.len--;
    fg_buf_printf(&head, "<title type='html'>");
    fg_buf_add_char(&head, '\0');
    feed = parse_many(head.at, "&lt;a href=b>", 80000, "</title></feed>");
    assert_true(arena.used_bytes < (size_t)FG_FEED_MEMORY_MAX / 4);
    assert_true(text_of(&feed->about, FG_FEED_TITLE).len <= FG_FEED_TEXT_MAX);
    fg_buf_clear(&head);
    done();
}

FG_TESTS(rss_is_read, atom_is_read, rdf_and_cdf_are_read, json_is_read,
         broken_json_is_told_with_its_line, broken_feeds_are_read_on,
         without_a_date_there_is_none, sniffing_looks_at_the_root, what_is_wrong_is_told,
         limits_hold, long_bases_do_not_multiply)
