/* What a body says, whatever kind it is: canonical links, each where it stands; what a
 * page calls itself; and a hash that noise does not change. */
#include "base/buf.h"
#include "crawl/reading/reading.h"
#include "net/url/canonical.h"
#include "test.h"

static struct fg_arena arena;

static struct fg_reading read_as(const char *type, struct fg_str body)
{
    struct fg_str headers = fg_arena_printf(&arena, "Content-Type: %s\r\n", type);
    struct fg_response response = {.status = 200, .headers = headers, .body = body};
    struct fg_reading reading;
    fg_reading_from(&reading, &arena, FG_STR("https://site.example/news/"), &response,
                    (struct fg_reading_rules){.token = FG_STR("forage"),
                                              .keep = FG_CANONICAL_DEFAULT});
    return reading;
}

static struct fg_reading read_html(const char *html)
{
    return read_as("text/html; charset=utf-8", fg_str_from(html));
}

static void what_is_one_page_can_be_chosen(void **state)
{
    (void)state;
    struct fg_response response = {.status = 200,
                                   .headers = FG_STR("Content-Type: text/html\r\n"),
                                   .body =
                                       FG_STR("<a href='/x?utm_source=q&b=2&a=1'>x</a>")};
    static const struct {
        unsigned keep;
        const char *url;
    } cases[] = {
        {FG_CANONICAL_DEFAULT, "https://site.example/x?a=1&b=2"},
        {FG_CANONICAL_KEEP_ORDER, "https://site.example/x?b=2&a=1"},
        {FG_CANONICAL_KEEP_TRACKING, "https://site.example/x?a=1&b=2&utm_source=q"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_reading r;
        fg_reading_from(
            &r, &arena, FG_STR("https://site.example/"), &response,
            (struct fg_reading_rules){.token = FG_STR("forage"), .keep = cases[i].keep});
        assert_int_equal(r.n_links, 1);
        assert_str(r.links[0].url, cases[i].url);
    }
    fg_arena_reset(&arena);
}

/* A program behind a proxy that was not told its name. */
static void who_calls_itself_localhost_means_itself(void **state)
{
    (void)state;
    struct fg_reading r = read_html("<a href='http://localhost:8080/a?b=1'>a</a>"
                                    "<a href='http://127.0.0.1/c'>c</a>"
                                    "<a href='http://localhost.example/d'>d</a>");
    assert_int_equal(r.n_links, 3);
    assert_str(r.links[0].url, "https://site.example/a?b=1");
    assert_str(r.links[1].url, "https://site.example/c");
    assert_str(r.links[2].url, "http://localhost.example/d");
    /* On this machine another port is another program. */
    struct fg_response response = {
        .status = 200,
        .headers = FG_STR("Content-Type: application/rss+xml\r\n"),
        .body =
            FG_STR("<rss version='2.0'><channel><item><link>http://localhost:81/x</link>"
                   "</item><item><link>http://localhost:80/y</link></item></channel>"
                   "</rss>")};
    fg_reading_from(&r, &arena, FG_STR("http://127.0.0.1:81/feed"), &response,
                    (struct fg_reading_rules){.token = FG_STR("forage"),
                                              .keep = FG_CANONICAL_DEFAULT});
    assert_int_equal(r.n_links, 2);
    assert_str(r.links[0].url, "http://127.0.0.1:81/x");
    assert_str(r.links[1].url, "http://localhost/y");
    fg_arena_reset(&arena);
}

static void links_are_canonical_and_resolved(void **state)
{
    (void)state;
    struct fg_reading r =
        read_html("<base href='/b/'><a href='x?utm_source=q&b=2&a=1#top'> An "
                  " <b>x</b></a><a href='mailto:a@b.c'>m</a><a href='#n'>n</a>"
                  "<a rel=nofollow href='//other.example/y'>y</a>");
    assert_int_equal(r.kind, FG_READ_HTML);
    assert_int_equal(r.n_links, 2);
    assert_str(r.links[0].url, "https://site.example/b/x?a=1&b=2");
    assert_str(r.links[0].site, "https://site.example");
    assert_str(r.links[0].words, "An x");
    assert_false(r.links[0].nofollow);
    assert_str(r.links[1].url, "https://other.example/y");
    assert_true(r.links[1].nofollow);
    fg_arena_reset(&arena);
}

static void announced_feeds_are_links_and_icons_are_not(void **state)
{
    (void)state;
    struct fg_reading r =
        read_html("<link rel=alternate type='application/rss+xml' href='/feed'><link "
                  "rel=icon href='/i.ico'>"
                  "<link rel=stylesheet href=/s><link rel=next href='/news/?page=2'>");
    assert_int_equal(r.n_links, 2);
    assert_true(r.links[0].is_feed);
    assert_str(r.links[1].url, "https://site.example/news/?page=2");
    fg_arena_reset(&arena);
}

static void a_canonical_address_counts_only_within_the_site(void **state)
{
    (void)state;
    assert_str(read_html("<link rel=canonical href='/story'>").canonical,
               "https://site.example/story");
    assert_str(
        read_html("<link rel=canonical href='https://site.example/news/'>").canonical,
        "");
    assert_str(
        read_html("<link rel=canonical href='https://evil.example/story'>").canonical,
        "");
    assert_str(read_html("<link rel=canonical href='/'>").canonical, "");
    fg_arena_reset(&arena);
}

static void robots_tags_of_page_and_header_are_heeded(void **state)
{
    (void)state;
    struct fg_reading r = read_html("<meta name=robots content='noindex, nofollow'>");
    assert_true(r.noindex && r.nofollow);
    r = read_html("<meta name=otherbot content=nofollow>");
    assert_false(r.noindex || r.nofollow);
    r = read_as("text/html\r\nX-Robots-Tag: nofollow", FG_STR("<a href=x>"));
    assert_true(r.nofollow);
    fg_arena_reset(&arena);
}

static void noise_does_not_change_the_hash_and_news_does(void **state)
{
    (void)state;
    const char *page =
        "<p>It is %s. %s readers are online now.</p><ul><li><a href='/%s'>the "
        "council debates the budget of the harbour</a></ul>";
    struct fg_str a = fg_arena_printf(&arena, page, "09:15", "812", "one");
    struct fg_str b = fg_arena_printf(&arena, page, "10:42", "97", "one");
    struct fg_str c = fg_arena_printf(&arena, page, "09:15", "812", "two");
    uint64_t hash = read_as("text/html", a).content_hash;
    assert_true(hash == read_as("text/html", b).content_hash);
    assert_true(hash != read_as("text/html", c).content_hash);
    fg_arena_reset(&arena);
}

static void files_are_no_pages(void **state)
{
    (void)state;
    static const struct {
        const char *type, *body;
        enum fg_reading_kind kind;
    } cases[] = {
        {"text/plain", "A file of words.", FG_READ_TEXT},
        {"text/csv", "a,b", FG_READ_TEXT},
        {"application/json", "{}", FG_READ_TEXT},
        {"text/html\r\nContent-Disposition: attachment; filename=a.html", "<p>a",
         FG_READ_TEXT},
        {"text/html\r\nContent-Disposition: inline", "<p>a", FG_READ_HTML},
        {"text/plain", "\n<!doctype html><p>by mistake", FG_READ_HTML},
        {"", "words", FG_READ_HTML},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(read_as(cases[i].type, fg_str_from(cases[i].body)).kind,
                         cases[i].kind);
        fg_arena_reset(&arena);
    }
}

static void feeds_and_sitemaps_are_told_by_their_bytes(void **state)
{
    (void)state;
    struct fg_reading r =
        read_as("text/html",
                FG_STR("<?xml version='1.0'?><rss version='2.0'><channel><item><title>T"
                       "</title><link>https://site.example/a</link><pubDate>Sun, 15 "
                       "Nov 2026 10:00:00 GMT</pubDate></item></channel></rss>"));
    assert_int_equal(r.kind, FG_READ_FEED);
    assert_int_equal(r.n_links, 1);
    assert_str(r.links[0].words, "T");
    assert_int_equal(r.links[0].dated / FG_SECOND, 1794736800);
    r = read_as(
        "application/xml",
        FG_STR("<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/"
               "sitemap/0.9'><url><loc>https://site.example/b#x</loc></url></urlset>"));
    assert_int_equal(r.kind, FG_READ_SITEMAP);
    assert_str(r.links[0].url, "https://site.example/b");
    r = read_as("text/xml",
                FG_STR("<sitemapindex><sitemap><loc>https://site.example/m.xml</loc>"
                       "</sitemap></sitemapindex>"));
    assert_int_equal(r.kind, FG_READ_SITEMAP_INDEX);
    fg_arena_reset(&arena);
}

/* A wiki's feed links to what was done to a page. If it was made, that is its date. */
static void feeds_of_changes_are_about_pages(void **state)
{
    (void)state;
    struct fg_reading r = read_as(
        "text/xml",
        FG_STR(
            "<?xml version='1.0'?><rss version='2.0'><channel><item><title>A</title>"
            "<link>https://site.example/w/index.php?title=A&amp;diff=9&amp;oldid=7</link>"
            "<pubDate>Sun, 15 Nov 2026 10:00:00 GMT</pubDate></item><item><title>B"
            "</title><link>https://site.example/w/index.php?title=B&amp;diff=8&amp;"
            "oldid=0</link><pubDate>Sun, 15 Nov 2026 10:00:00 GMT</pubDate></item>"
            "</channel></rss>"));
    assert_int_equal(r.n_links, 2);
    assert_str(r.links[0].url, "https://site.example/w/index.php?title=A");
    assert_true(r.links[0].is_about);
    assert_false(r.links[0].is_publication);
    assert_str(r.links[1].url, "https://site.example/w/index.php?title=B");
    assert_false(r.links[1].is_about);
    assert_true(r.links[1].is_publication);
    fg_arena_reset(&arena);
}

#define ENTRY(title, link)                                          \
    "<item><title>" title "</title><link>https://site.example" link \
    "</link><pubDate>Sun, 15 Nov 2026 10:00:00 GMT</pubDate></item>"
#define FEED(title, entries)                                                            \
    "<?xml version='1.0'?><rss version='2.0'><channel><title>" title "</title>" entries \
    "</channel></rss>"

/* `expected` has a c for a comment and a p for a page. */
/* Other wikis link to the page itself and say beside it what was done to it. */
static void feeds_say_which_version_of_a_page_came(void **state)
{
    (void)state;
    struct fg_reading r = read_as(
        "text/xml",
        FG_STR("<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
               "xmlns='http://purl.org/rss/1.0/' "
               "xmlns:dc='http://purl.org/dc/elements/1.1/' "
               "xmlns:wiki='http://purl.org/rss/1.0/modules/wiki/'>"
               "<item><link>https://site.example/wiki.pl?Made</link>"
               "<dc:date>2026-11-19T10:00:00+00:00</dc:date>"
               "<wiki:status>new</wiki:status><wiki:version>1</wiki:version></item>"
               "<item><link>https://site.example/wiki.pl?Changed</link>"
               "<dc:date>2026-11-19T10:00:00+00:00</dc:date>"
               "<wiki:version>7</wiki:version><wiki:status>updated</wiki:status></item>"
               "<item><link>https://site.example/wiki.pl?First</link>"
               "<dc:date>2026-11-19T10:00:00+00:00</dc:date>"
               "<wiki:version>1</wiki:version></item></rdf:RDF>"));
    assert_int_equal(r.n_links, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(r.links[i].is_publication, i != 1);
        assert_int_equal(r.links[i].is_about, i == 1);
    }
    fg_arena_reset(&arena);
}

static void check_comments(const char *feed, const char *expected)
{
    struct fg_reading r = read_as("text/xml", fg_str_from(feed));
    assert_int_equal(r.n_links, strlen(expected));
    for (size_t i = 0; i < r.n_links; i++) {
        if (r.links[i].is_about != (expected[i] == 'c'))
            print_error("%.*s\n", FG_ARG(r.links[i].url));
        assert_int_equal(r.links[i].is_about, expected[i] == 'c');
        assert_int_equal(r.links[i].is_publication, expected[i] == 'p');
    }
    fg_arena_reset(&arena);
}

static void comments_are_about_pages(void **state)
{
    (void)state;
    /* as WordPress writes them: of the site, of one post, each of another post */
    check_comments(FEED("Comments for The Site",
                        ENTRY("Comment on One by Ann", "/2026/11/one/#comment-17")
                            ENTRY("Comment on One by Bo", "/2026/11/one/#comment-16")),
                   "cc");
    check_comments(FEED("Comments on: One", ENTRY("By: Ann", "/2026/11/one/#comment-17")),
                   "c");
    check_comments(FEED("The Site", ENTRY("Ann on One", "/2026/11/one/#comment-17")
                                        ENTRY("Bo on Two", "/2026/11/two/#comment-16")),
                   "cc");
    check_comments(FEED("The Site", ENTRY("Comment on One by Ann", "/one/#x7")
                                        ENTRY("By: Bo", "/two/#x8")),
                   "cc");
    check_comments(
        FEED("Kommentare zu The Site", ENTRY("Ann", "/one/#k7") ENTRY("Bo", "/two/#k8")),
        "cc");
    /* of trackers and blogs, whose addresses may name the comment as well */
    check_comments(FEED("T", ENTRY("A", "/browse/T-1?focusedCommentId=17#comment-17")),
                   "c");
    check_comments(FEED("T", ENTRY("A", "/issues/12#note-3")
                                 ENTRY("B", "/one.html?showComment=99#c1")),
                   "cc");
    /* by what the entries share */
    check_comments(FEED("F", ENTRY("A", "/topic/12#post34") ENTRY("B", "/topic/12#post35")
                                 ENTRY("C", "/topic/13#post30")),
                   "ccp");
    check_comments(FEED("F", ENTRY("A", "/topic/12") ENTRY("B", "/topic/12#post35")),
                   "pc");
    check_comments("<feed xmlns='http://www.w3.org/2005/Atom' "
                   "xmlns:thr='http://purl.org/syndication/thread/1.0'><title>x</title>"
                   "<entry><title>A</title><published>2026-11-15T10:00:00Z</published>"
                   "<thr:in-reply-to ref='x' href='https://site.example/one'/><link "
                   "href='https://site.example/one#x'/></entry></feed>",
                   "c");
}

#define EPISODE(title, id)                                                             \
    "<item><title>" title                                                              \
    "</title><link>https://site.example/</link><guid isPermaLink='false'>" id          \
    "</guid><description>&lt;p&gt;About &lt;b&gt;" title "&lt;/b&gt;, in eight words " \
    "or more of them.&lt;/p&gt;</description></item>"

static void entries_with_a_page_in_common_are_its_parts(void **state)
{
    (void)state;
    struct fg_reading r =
        read_as("text/xml",
                FG_STR(FEED("Changes", ENTRY("3.12", "/changes#v3-12")
                                           ENTRY("3.11", "/changes#v3-11")
                                               ENTRY("A word on 3.12", "/blog/3-12"))));
    assert_int_equal(r.n_links, 3);
    assert_str(r.links[0].url, "https://site.example/changes#v3-12");
    assert_str(r.links[0].site, "https://site.example");
    assert_true(r.links[0].is_part && r.links[0].is_publication && !r.links[0].is_about);
    assert_str(r.links[2].url, "https://site.example/blog/3-12");
    assert_false(r.links[2].is_part);
    fg_arena_reset(&arena);
    r = read_as("text/xml", FG_STR(FEED("Show", EPISODE("One", "a b#1") EPISODE(
                                                    "Two", "2") EPISODE("Three", "3"))));
    assert_int_equal(r.n_links, 3);
    assert_str(r.links[0].url, "https://site.example/#a%20b%231");
    assert_str(r.links[1].url, "https://site.example/#2");
    assert_str(r.links[1].excerpt, "About Two, in eight words or more of them.");
    fg_arena_reset(&arena);
    /* the same page told of again and again, and two only */
    r = read_as("text/xml",
                FG_STR(FEED("Changes", EPISODE("Home", "1") EPISODE("Home", "2")
                                           EPISODE("Home", "3"))));
    assert_str(r.links[0].url, "https://site.example/");
    fg_arena_reset(&arena);
    r = read_as("text/xml",
                FG_STR(FEED("Show", EPISODE("One", "1") EPISODE("Two", "2"))));
    assert_str(r.links[0].url, "https://site.example/");
    fg_arena_reset(&arena);
}

/* Weblogs whose entries have no page of their own, but a day or month. */
static void entries_in_archives_are_parts_of_them(void **state)
{
    (void)state;
    static const char *const urls[] = {"https://site.example/2026/11/20#a_title",
                                       "https://site.example/2026/11/19#another",
                                       "https://site.example/2026/11/19#p01"};
    struct fg_reading r =
        read_as("text/xml", FG_STR(FEED("Notes", ENTRY("A", "/2026/11/20#a_title")
                                                     ENTRY("B", "/2026/11/19#another")
                                                         ENTRY("C", "/2026/11/19#p01"))));
    assert_int_equal(r.n_links, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_str(r.links[i].url, urls[i]);
        assert_true(r.links[i].is_part && r.links[i].is_publication);
    }
    fg_arena_reset(&arena);
    /* comments on a day are not; nor is the feed one of parts that leads to a page */
    check_comments(FEED("N", ENTRY("A", "/2026/11/19#c01")), "c");
    r = read_as("text/xml", FG_STR(FEED("Notes", ENTRY("A", "/2026/11/20#a_title")
                                                     ENTRY("B", "/2026/a-page"))));
    assert_str(r.links[0].url, "https://site.example/2026/11/20");
    fg_arena_reset(&arena);
}

static void addresses_that_name_their_place_are_pages(void **state)
{
    (void)state;
    check_comments(FEED("The board",
                        ENTRY("News \u2022 A topic", "/viewtopic.php?p=1800#p1800") ENTRY(
                            "News \u2022 Re: Another", "/viewtopic.php?p=1799#p1799")
                            ENTRY("A third", "/viewtopic.php?t=4&amp;p=1798#p1798")),
                   "pcp");
    check_comments(FEED("The board", ENTRY("A", "/index.php?topic=12.msg45#msg45")
                                         ENTRY("B", "/index.php/topic,13.msg46.html"
                                                    "#msg46")),
                   "pp");
    check_comments(FEED("B", ENTRY("A", "/post-17#p1") ENTRY("B", "/post-17#p7")), "cc");
    /* what is said to whoever counts visits */
    check_comments(FEED("News", ENTRY("A", "/one#xtor=RSS-3")
                                    ENTRY("B", "/two#xtor=RSS-3") ENTRY("C", "/three#")),
                   "ppp");
}

/* A price belongs to the link it follows, up to the next that leads elsewhere; a number
 * without a currency is none. */
static void prices_stand_behind_their_links(void **state)
{
    (void)state;
    static const struct fg_value_rule rule = {.kind = FG_VALUE_OFFER};
    struct fg_response response = {
        .status = 200,
        .headers = FG_STR("Content-Type: text/html\r\n"),
        .body = FG_STR("<ul><li><a href='/p/1'><img></a><a href='/p/1'>Lamp 7</a> <span "
                       "class=price>12.00 EUR</span> <a href='/cart'>Buy</a></li><li><a "
                       "href='/p/2'>Lamp <b>1.299,50 \xe2\x82\xac</b></a></li><li><a "
                       "href='/p/3'>Lamp 9</a> 5 left</li></ul>")};
    struct fg_reading r;
    fg_reading_from(&r, &arena, FG_STR("https://site.example/"), &response,
                    (struct fg_reading_rules){.token = FG_STR("forage"),
                                              .keep = FG_CANONICAL_DEFAULT,
                                              .value = &rule});
    static const char *const amounts[] = {NULL, "12.00", NULL, "1299.50", NULL};
    assert_int_equal(r.n_links, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(r.links[i].price != NULL, amounts[i] != NULL);
        if (amounts[i]) {
            assert_string_equal(r.links[i].price->amount, amounts[i]);
            assert_string_equal(r.links[i].price->currency, "EUR");
        }
    }
    fg_arena_reset(&arena);
}

static void binary_bodies_say_nothing(void **state)
{
    (void)state;
    static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR<a href='/x'>";
    struct fg_reading r = read_as("text/html", (struct fg_str){png, sizeof png - 1});
    assert_int_equal(r.kind, FG_READ_NOTHING);
    assert_int_equal(r.n_links, 0);
    r = read_as("text/html", (struct fg_str){0});
    assert_int_equal(r.kind, FG_READ_NOTHING);
    fg_arena_clear(&arena);
}

/* Each link of a page is resolved against its base: two kilobytes of page, packed, would
 * make gigabytes of addresses. */
static void a_long_base_makes_no_flood(void **state)
{
    (void)state;
    enum { LINKS = 50000, HUGE_BASE = 1 << 20, LONG_BASE = 2000 };
    for (int i = 0; i < 2; i++) {
        struct fg_buf html;
        fg_buf_init(&html, SIZE_MAX);
        fg_buf_add(&html, FG_STR("<base href='https://site.example/"));
        for (int n = 0; n < (i ? LONG_BASE : HUGE_BASE); n++)
            fg_buf_add_char(&html, 'b');
        fg_buf_add(&html, FG_STR("/'>"));
        for (int n = 0; n < LINKS; n++)
            fg_buf_add(&html, FG_STR("<a href=a><a href='?a'>"));
        struct fg_reading r = read_as("text/html", fg_buf_str(&html));
        assert_true(arena.used_bytes < 128 << 20);
        assert_true(r.n_links > 1000);
        assert_int_equal(r.is_truncated, i);
        if (!i)
            assert_str(r.links[0].url, "https://site.example/news/a");
        fg_buf_clear(&html);
        fg_arena_clear(&arena);
    }
}

static void a_base_that_is_no_web_address_is_none(void **state)
{
    (void)state;
    static const char *const bases[] = {"javascript:alert(1)", "data:text/html,x",
                                        "mailto:a@b.example", "http://["};
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        struct fg_buf html;
        fg_buf_init(&html, SIZE_MAX);
        fg_buf_printf(&html, "<base href='%s'><a href=a>the first page</a>", bases[i]);
        struct fg_reading r = read_as("text/html", fg_buf_str(&html));
        assert_int_equal(r.n_links, 1);
        assert_str(r.links[0].url, "https://site.example/news/a");
        fg_buf_clear(&html);
        fg_arena_clear(&arena);
    }
}

FG_TESTS(who_calls_itself_localhost_means_itself, what_is_one_page_can_be_chosen,
         links_are_canonical_and_resolved, announced_feeds_are_links_and_icons_are_not,
         a_canonical_address_counts_only_within_the_site,
         robots_tags_of_page_and_header_are_heeded,
         noise_does_not_change_the_hash_and_news_does, files_are_no_pages,
         feeds_and_sitemaps_are_told_by_their_bytes, feeds_of_changes_are_about_pages,
         feeds_say_which_version_of_a_page_came, comments_are_about_pages,
         entries_with_a_page_in_common_are_its_parts,
         entries_in_archives_are_parts_of_them, addresses_that_name_their_place_are_pages,
         prices_stand_behind_their_links, binary_bodies_say_nothing,
         a_long_base_makes_no_flood, a_base_that_is_no_web_address_is_none)
