/* Small pages in the shapes that blogs, shops, wikis and browsers of repositories write.
 */
#include "net/facts/facts.h"

#include "base/utf8.h"
#include "net/facts/facts_parts.h"
#include "net/html/main_text.h"

#include "test.h"

#define LD(x) "<script type='application/ld+json'>" x "</script>"
#define PROSE                                                                          \
    "<p>Once upon a time somebody wrote a text of some length about a thing that had " \
    "happened in the town, and other people read it with interest.</p>"

static struct fg_arena arena;

static struct fg_facts facts_of(const char *html)
{
    struct fg_page page;
    struct fg_facts facts;
    struct fg_facts_visit visit = {.now = fg_days_from_date(2026, 11, 19) * FG_DAY};
    fg_arena_reset(&arena);
    fg_page_read(&page, &arena, fg_str_from(html), FG_PAGE_ALL);
    fg_facts_read(&facts, &arena, &page, fg_str_from(html), &visit);
    return facts;
}

static int forget(void **state)
{
    (void)state;
    fg_arena_clear(&arena);
    return 0;
}

static fg_time moment(int year, int month, int day, int hour)
{
    return fg_days_from_date(year, month, day) * FG_DAY + hour * FG_HOUR;
}

static void check_published(const char *html, fg_time expected)
{
    assert_int_equal(facts_of(html).published, expected);
    forget(NULL);
}

static void check_title(const char *html, const char *expected)
{
    assert_str(facts_of(html).title, expected);
    forget(NULL);
}

static void check_claim(const char *html, enum fg_claim expected)
{
    assert_int_equal(facts_of(html).claim, expected);
    forget(NULL);
}

static void dates_for_machines_are_read(void **state)
{
    (void)state;
    fg_time noon = moment(2026, 11, 16, 12);
    check_published(LD("{\"@type\":\"NewsArticle\",\"headline\":\"A\",\"datePublished\":"
                       "\"2026-11-16T13:00:00+01:00\"}"),
                    noon);
    check_published(LD("{\"@graph\":[{\"@type\":\"WebSite\"},{\"@type\":\"WebPage\","
                       "\"datePublished\":\"2026-11-16T12:00:00Z\"}]}"),
                    noon);
    check_published(
        LD("{\"@type\":\"VideoObject\",\"uploadDate\":\"2026-11-16T12:00Z\"}"), noon);
    check_published("<meta property=article:published_time content=2026-11-16T12:00:00Z>",
                    noon);
    check_published("<meta name=DC.date content='2026-11-16 12:00'>", noon);
    check_published(
        "<div itemscope itemtype=https://schema.org/BlogPosting><meta "
        "itemprop=datePublished content=2026-11-16T12:00:00Z><h1>A</h1></div>",
        noon);
    check_published("<h1>A</h1>" PROSE, FG_NEVER);
}

static void date_of_the_header_is_the_articles(void **state)
{
    (void)state;
    fg_time day = moment(2026, 11, 16, 0);
    check_published(
        "<article><h1>A</h1><p>By Ann <time datetime=2026-11-16>x</time></p>" PROSE
        "</article>",
        day);
    check_published(
        "<article><time datetime=2026-11-16>x</time><h1>A</h1>" PROSE "</article>", day);
    check_published(
        "<title>Site - A thing</title><section><header><h2><a href=/a>A "
        "thing</a></h2></header><footer class=post-info><abbr class=published "
        "title=2026-11-16T00:00:00Z>Mon</abbr></footer>" PROSE "</section>",
        day);
    check_published("<h1>A</h1><span class=dt-published>16 November 2026</span>" PROSE,
                    day);
}

static void dates_of_others_are_not_its_own(void **state)
{
    (void)state;
    check_published("<h1>Latest</h1><ul><li><a href=/a>A</a> <time "
                    "datetime=2026-11-16>x</time></ul>",
                    FG_NEVER);
    check_published("<h1>Blog</h1><h2><a href=/a>A</a></h2><time "
                    "datetime=2026-11-16>x</time>",
                    FG_NEVER);
    check_published("<article><h2><a href=/a>A</a></h2><time "
                    "datetime=2026-11-16>x</time></article><article><h2><a "
                    "href=/b>B</a></h2></article>",
                    FG_NEVER);
    check_published("<h1>A</h1>" PROSE PROSE PROSE "<time datetime=2026-11-16>x</time>",
                    FG_NEVER);
    check_published("<h1>A</h1><aside><time datetime=2026-11-16>x</time></aside>" PROSE,
                    FG_NEVER);
    check_published("<h1>A</h1><time class=updated datetime=2026-11-16>x</time>" PROSE,
                    FG_NEVER);
}

static void when_it_happens_is_not_when_it_was_published(void **state)
{
    (void)state;
#define CONCERT "<h1>A</h1><time datetime=2026-11-15T20:00Z>tonight</time>" PROSE
    check_published(CONCERT, moment(2026, 11, 15, 20));
    check_published(LD("{\"@type\":\"MusicEvent\",\"name\":\"A\",\"startDate\":"
                       "\"2026-11-15T20:00Z\"}") CONCERT,
                    FG_NEVER);
    check_published(LD("{\"@type\":\"Event\",\"name\":\"A\",\"startDate\":\"2026-11-15\","
                       "\"datePublished\":\"2026-11-03T09:00Z\"}") CONCERT,
                    moment(2026, 11, 3, 9));
    check_published(
        "<h1>A</h1><time itemprop=startDate datetime=2026-11-15T20:00Z>tonight"
        "</time>" PROSE,
        FG_NEVER);
    /* What is to come needs nobody to say so. */
    check_published("<h1>A</h1><time datetime=2099-11-15T20:00Z>15 November</time>" PROSE,
                    FG_NEVER);
}

static void days_and_moments_are_told_apart(void **state)
{
    (void)state;
    assert_true(facts_of("<meta name=date content=2026-11-16>").published_is_day);
    assert_false(
        facts_of("<meta name=date content=2026-11-16T10:00:00Z>").published_is_day);
    assert_true(
        facts_of("<meta name=date content=2026-11-16T00:00:00.000Z>").published_is_day);
    assert_false(
        facts_of("<meta name=date content=2026-11-16T00:00:07Z>").published_is_day);
    assert_false(
        facts_of("<meta name=date content=2026-11-16T10:00:00Z>").published_is_day);
    assert_false(facts_of("<p>a").published_is_day);
    struct fg_facts local = facts_of("<meta name=date content=2026-11-16T10:00:00>");
    assert_true(local.published_is_local && !local.published_is_day);
    assert_int_equal(local.published_until - local.published_from, 12 * FG_HOUR);
    assert_true(
        facts_of("<meta name=date content='2026-11-16 10:00'>").published_is_local);
    assert_false(
        facts_of("<meta name=date content=2026-11-16T10:00+01:00>").published_is_local);
    struct fg_facts facts = facts_of("<meta property=article:modified_time "
                                     "content=2026-11-16T12:00:00Z>");
    assert_int_equal(facts.modified, moment(2026, 11, 16, 12));
    forget(NULL);
}

static void check_dateline(const char *html, fg_time expected, bool is_day)
{
    struct fg_facts facts = facts_of(html);
    if (facts.published != expected || facts.published_is_day != is_day)
        print_error("%s\n", html);
    assert_int_equal(facts.published, expected);
    assert_int_equal(facts.published_is_day, is_day);
    forget(NULL);
}

static void dates_of_mails_are_read(void **state)
{
    (void)state;
    fg_time day = moment(2026, 11, 17, 0);
    fg_time time = day + 22 * FG_HOUR + 25 * FG_MINUTE + 18 * FG_SECOND;
    /* MHonArc */
    check_dateline(
        "<h1>A mail</h1><ul><li><em>To</em>: list@h</li><li><em>Subject</em>: A"
        "</li><li><em>From</em>: Ann &lt;<a href='mailto:a@h'>a@h</a>&gt;</li>"
        "<li><em>Date</em>: Tue, 17 Nov 2026 22:25:18 +0200</li></ul><hr>"
        "<pre>Hello,\nhere it is.\nDate: Mon, 16 Nov 2026 10:00:00 +0200\n"
        "</pre>",
        time - 2 * FG_HOUR, false);
    check_dateline("<!-- MHonArc v2.6.19 -->\n<!--X-Subject: A -->\n<!--X-Date: Tue, 17 "
                   "Nov 2026 22:25:18 +0200 -->\n<!DOCTYPE html><h1>A</h1>" PROSE,
                   time - 2 * FG_HOUR, false);
    /* hypermail */
    check_dateline("<h1>A mail</h1><b>From:</b> Ann (<a href='mailto:a@h'><i>a@h</i></a>)"
                   "<br><b>Date:</b> Tue Nov 17 2026 - 22:25:18 EST<p><ul><li><b>Next "
                   "message:</b> <a href=1>Bo</a></ul>" PROSE,
                   moment(2026, 11, 18, 3) + 25 * FG_MINUTE + 18 * FG_SECOND, false);
    /* pipermail */
    check_dateline("<H1>[list] A mail</H1><B>Ann</B><A HREF='mailto:a'>a at h</A><BR>"
                   "<I>Tue Nov 17 22:25:18 UTC 2026</I><P><UL><LI>Previous message: <A "
                   "HREF=1>Other</A></LI></UL><HR><PRE>Hello</PRE>",
                   time, false);
    /* public-inbox */
    check_dateline("<pre><a href=./>inbox</a> search\n</pre><pre>From: Ann &lt;a@h&gt;\n"
                   "To: list@h\nSubject: A\nDate: Tue, 17 Nov 2026 22:25:18 +0000\t["
                   "<a href=#r>thread overview</a>]\nMessage-ID: &lt;1@h&gt;\n\nHello\n"
                   "</pre>",
                   time, false);
}

/* Wherever it stands; a list has many. */
static void a_time_element_is_what_the_word_before_it_says(void **state)
{
    (void)state;
    static const char posted[] = "<p>posted: <time datetime='2026-11-16T10:00:00+0000'>2 "
                                 "days ago</time></p>",
                      updated[] = "<p>updated: <time datetime='2026-11-17T12:00:00Z'>"
                                  "now</time></p>";
    char html[4096];
    fg_time time = moment(2026, 11, 16, 10);
    snprintf(html, sizeof html, "<h1>A flat</h1>" PROSE "%s%s", posted, updated);
    check_published(html, time);
    snprintf(html, sizeof html, "<h1>A flat</h1>" PROSE "%s%s", updated, posted);
    check_published(html, time);
    snprintf(html, sizeof html, "<h1>A flat</h1>" PROSE "%s", updated);
    check_published(html, FG_NEVER);
    snprintf(html, sizeof html,
             "<h1>A flat</h1>" PROSE PROSE PROSE "%s<p>Posted <time datetime=2026-11-15>",
             posted);
    check_published(html, FG_NEVER);
    snprintf(html, sizeof html,
             "<h1>Flats</h1>" PROSE PROSE PROSE "<ul><li><a href=1>A flat</a>%s</ul>",
             posted);
    check_published(html, FG_NEVER);
    snprintf(html, sizeof html, "<h1>A flat</h1>" PROSE PROSE PROSE "<aside>%s</aside>",
             posted);
    check_published(html, FG_NEVER);
    snprintf(html, sizeof html,
             "<h1>A flat</h1>" PROSE PROSE PROSE "<p>The one before was %s", posted + 3);
    check_published(html, FG_NEVER);
}

static void dates_of_programs_are_read(void **state)
{
    (void)state;
    fg_time day = moment(2026, 11, 17, 0);
    fg_time time = day + 22 * FG_HOUR + 25 * FG_MINUTE + 18 * FG_SECOND;
    /* hgweb, cgit, gitweb, fossil */
    check_dateline("<h3>changeset 12</h3><div>fix it</div><table><tr><th>author</th><td>"
                   "Ann</td></tr><tr><th>date</th><td class='date age'>Tue, 17 Nov 2026 "
                   "22:25:18 +0000</td></tr></table>",
                   time, false);
    check_dateline("<table><tr><th>author</th><td>Ann &lt;a@h&gt;</td><td>2026-11-17 "
                   "22:25:18 +0000</td></tr><tr><th>committer</th><td>Bo</td><td>"
                   "2026-11-17 23:00:00 +0000</td></tr><tr><th>commit</th><td><a "
                   "href=c>0123</a></td></tr></table><div>fix it</div>",
                   time, false);
    check_dateline(
        "<table><tr><td>author</td><td><a href=s>Ann</a> <a href=m>a@h</a></td>"
        "</tr><tr><td></td><td><span>Tue, 17 Nov 2026 22:25:18 +0000</span> "
        "(23:25 +0100)</td></tr><tr><td>committer</td><td>Bo</td></tr></table>",
        time, false);
    check_dateline("<table><tr><th>User &amp; Date:</th><td><a href=u>ann</a> on <a "
                   "href=t>2026-11-17 22:25:18</a></td></tr></table>",
                   day, true);
    /* trackers and forums */
    check_dateline("<h1>Bug 12</h1><table><tr><th>Status:</th><td>NEW</td></tr><tr><th>"
                   "Reported:</th><td>2026-11-17 22:25 UTC by Ann</td></tr></table>",
                   time - 18 * FG_SECOND, false);
    check_dateline("<p>Reported: 2026-11-17 22:25 UTC</p>" PROSE, time - 18 * FG_SECOND,
                   false);
    check_dateline(
        "<h2><a href=x>A topic</a></h2><h1>x</h1><span>Posted: Tue Nov 17, 2026 "
        "10:25 pm &nbsp; Post subject: A topic</span>" PROSE,
        day, true);
    check_dateline(
        "<title>A topic - Board</title><h2>A topic</h2><div><p class=author><a "
        "href='#p1'>Post</a> by <b><a href=u>Ann</a></b> &raquo; Tue Nov 17, "
        "2026 10:25 pm</p><div>Hello there</div></div><div><p class=author><a "
        "href='#p2'>Post</a> by <b><a href=u>Bo</a></b> &raquo; Wed Nov 18, "
        "2026 10:25 am</p><div>Hello</div></div>",
        day, true);
    check_dateline("<h1>A</h1><p>Posted by Ann on November 17, 2026</p>" PROSE, day,
                   true);
    check_dateline(
        "<h1>A</h1><p>Ver\u00f6ffentlicht am 17. November 2026 um 22:25 Uhr</p>" PROSE,
        day, true);
    check_dateline("<dl><dt>Submitted:</dt><dd>2026-11-17T22:25:18Z</dd></dl>" PROSE,
                   time, false);
    /* half the world away in one name */
    check_dateline("<p>Date: Tue, 17 Nov 2026 22:25:18 CST</p>" PROSE, day, true);
}

static void other_dates_in_lines_are_left_alone(void **state)
{
    (void)state;
    static const char *const none[] = {
        "<h1>A</h1><p>Last modified: Tue, 17 Nov 2026 22:25:18 +0000</p>" PROSE,
        "<h1>A</h1><p>Updated: 2026-11-17 22:25 UTC</p>" PROSE,
        "<h1>A</h1><p>Joined: Tue Nov 17, 2026 10:25 pm</p>" PROSE,
        "<h1>A</h1><p>Due date: 2026-11-17 22:25 UTC</p>" PROSE,
        "<h1>A</h1><p>Event date: 2026-11-17 22:25 UTC</p>" PROSE,
        "<h1>A</h1><p>Posted in News, last edited 2026-11-17 22:25 UTC</p>" PROSE,
        /* in the future */
        "<h1>A</h1><p>Date: Tue, 24 Nov 2026 22:25:18 +0000</p>" PROSE,
        /* the clock of the server */
        "<h1>A</h1><p>Thu, 19 Nov 2026 00:00:02 +0000</p>" PROSE,
        /* when something happens */
        "<h1>A</h1><p>Date: 17 Nov 2026 19:30</p><p>Venue: Town hall</p>" PROSE,
        "<h1>A</h1><table><tr><th>Date</th><td>4 July 2019</td></tr></table>" PROSE,
        "<h1>A bridge</h1><table><tr><th>Opened</th><td>3 March 1998</td></tr></table>",
        "<h1>A book</h1><table><tr><th>Published</th><td>3 March 1998</td></tr></table>",
        "<h1>A</h1><p>Opened on 3 March 1998 at 10:00 by the mayor of the town, the "
        "house "
        "has been open to all since.</p>" PROSE,
        /* not a day, or anybody's guess */
        "<h1>A</h1><p>Posted: 2026</p>" PROSE, "<h1>A</h1><p>Posted: 2026-11</p>" PROSE,
        "<h1>A</h1><p>Posted: 11/10/2026 10:00</p>" PROSE,
        "<h1>A</h1><p>Posted: 10-11-12</p>" PROSE,
        /* within the text, in navigation, in lists */
        "<h1>A</h1>" PROSE PROSE PROSE "<p>Date: Tue, 17 Nov 2026 22:25:18 +0000</p>",
        "<h1>A</h1><p>It was on Tue, 17 Nov 2026 22:25:18 +0000</p>" PROSE,
        "<h1>A</h1>" PROSE PROSE PROSE "<p>Tue, 17 Nov 2026 22:25:18 +0000</p>",
        "<nav>Date: Tue, 17 Nov 2026 22:25:18 +0000</nav><h1>A</h1>" PROSE,
        "<h1>A</h1><div class=sidebar>Posted: 17 Nov 2026</div>" PROSE,
        "<h1>F</h1><ul><li><a href=1>A topic</a><br>by Ann &raquo; Tue Nov 17, 2026 "
        "10:25 "
        "pm</li><li><a href=2>A topic</a><br>by Ann &raquo; Mon Nov 16, 2026 10:25 "
        "pm</ul>",
        "<h1>B</h1><h2><a href=/a>A</a></h2><p>Posted: 2026-11-17 22:25 UTC</p>",
        "<h1>B</h1><ul><li>Reported: 2026-11-17 22:25 UTC <a href=1>One</a></li><li>"
        "Reported: 2026-11-16 22:25 UTC <a href=2>Two</a></li></ul>",
        /* one of several, and not the first thing there is */
        "<h1>T</h1><p>One two three four five six seven eight nine ten eleven twelve.</p>"
        "<p>One two three four five six seven eight nine ten eleven "
        "twelve.</p><p>Posted: "
        "2026-11-17 22:25 UTC</p><p>Hello</p><p>Posted: 2026-11-18 22:25 UTC</p>"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        check_dateline(none[i], FG_NEVER, false);
}

static void dates_for_machines_come_before_those_for_people(void **state)
{
    (void)state;
    check_dateline("<meta name=date content=2026-11-16T12:00:00Z><h1>A</h1><p>Date: Tue, "
                   "17 Nov 2026 22:25:18 +0000</p>" PROSE,
                   moment(2026, 11, 16, 12), false);
    check_dateline("<h1>A</h1><p>Posted: 2026-11-17 22:25 UTC <time "
                   "datetime=2026-11-16T12:00:00Z>x</time></p>" PROSE,
                   moment(2026, 11, 16, 12), false);
}

static void best_title_is_chosen(void **state)
{
    (void)state;
    /* The only large heading is the name of the site. */
    check_title("<title>A topic of some length - The board</title><h1>The board</h1>"
                "<h2>A topic of some length</h2>" PROSE,
                "A topic of some length");
    check_title("<title>Short - The large board</title><h1><a href='/index.php?sid=77'>"
                "The large board</a></h1><h2>Short</h2>" PROSE,
                "Short");
    check_title("<title>A page - Wiki</title><h1><a href='/index.php?title=A_page'>A page"
                "</a></h1>" PROSE,
                "A page");
    check_title("<title>Tool: Check-in [1a2b3c]</title><div><h1>Tool</h1>Check-in</div>"
                "<div>Overview</div>" PROSE,
                "Check-in [1a2b3c]");
    check_title("<title>A thing | The Site</title>", "A thing");
    check_title("<title>A - B</title>", "A - B");
    check_title("<title>The Site - A thing</title><meta property=og:site_name "
                "content='The Site'>",
                "A thing");
    check_title("<title>x</title><meta property=og:title content='A &amp; B'>", "A & B");
    check_title("<title>x</title><h1>The <b>thing</b></h1>", "The thing");
    check_title("<title>x</title><h1>One</h1><h1>Two</h1>", "x");
    check_title("<title>x</title><h1>h</h1>" LD("{\"@type\":\"Article\",\"headline\":"
                                                "\"The headline\"}"),
                "The headline");
    check_title(
        "<title>Site - A thing</title><h1><a href=/>Site</a></h1><h2><a href=/a>A "
        "thing</a></h2>",
        "A thing");
    check_title("<title>tool.git - A tool for many things</title><div "
                "class=commit-subject>fix it<a href=/b>master</a></div>",
                "fix it");
}

static void excerpt_is_the_beginning_of_the_text(void **state)
{
    (void)state;
    struct fg_facts facts = facts_of("<h1>A</h1><p>By Ann</p>" PROSE PROSE PROSE PROSE);
    assert_true(fg_str_starts(facts.excerpt, FG_STR("Once upon a time")));
    assert_true(facts.excerpt.len <= FG_EXCERPT_MAX && facts.excerpt.len > 250);
    assert_true(fg_utf8_is_valid(facts.excerpt));
    facts = facts_of("<meta name=description content='What it is about'><p>Hi.</p>");
    assert_str(facts.excerpt, "What it is about");
    forget(NULL);
}

static void excerpt_without_blanks_ends_with_a_character(void **state)
{
    (void)state;
    char html[2000] = "<p>";
    for (int i = 0; i < 400; i++)
        memcpy(html + 3 + 3 * i, "日", 3);
    struct fg_facts facts = facts_of(html);
    assert_int_equal(facts.excerpt.len, 300);
    assert_true(fg_utf8_is_valid(facts.excerpt));
    forget(NULL);
}

static void claims_are_read(void **state)
{
    (void)state;
    check_claim("<p>a", FG_CLAIM_NONE);
    check_claim("<meta property=og:type content=article>", FG_CLAIM_ARTICLE);
    check_claim("<meta property=og:type content=website>", FG_CLAIM_OTHER);
    check_claim("<meta property=og:type content=article>" LD("{\"@type\":"
                                                             "\"CollectionPage\"}"),
                FG_CLAIM_LIST);
    check_claim(LD("{\"@type\":\"Product\",\"name\":\"A\"}"), FG_CLAIM_PRODUCT);
    check_claim(LD("[{\"@type\":\"Product\",\"name\":\"A\"},{\"@type\":\"Product\","
                   "\"name\":\"B\"}]"),
                FG_CLAIM_LIST);
    check_claim("<title>B | S</title>" LD("[{\"@type\":\"Product\",\"name\":\"Aaaa\"},{"
                                          "\"@type\":\"Product\",\"name\":\"B\"}]"),
                FG_CLAIM_LIST);
    check_claim("<title>Bbbb | S</title>" LD("[{\"@type\":\"Product\",\"name\":\"Aaaa\"},"
                                             "{\"@type\":\"Product\",\"name\":"
                                             "\"Bbbb\"}]"),
                FG_CLAIM_PRODUCT);
    check_claim("<body class='single single-post postid-1'>", FG_CLAIM_ARTICLE);
    check_claim("<body class='archive tag tag-x'>", FG_CLAIM_LIST);
    check_claim("<div itemscope itemtype=http://schema.org/Product><h1>A</h1></div><div "
                "itemscope itemtype=http://schema.org/Product></div><div itemscope "
                "itemtype=http://schema.org/Product></div>",
                FG_CLAIM_PRODUCT);
}

static void words_of_the_main_part_are_counted(void **state)
{
    (void)state;
    struct fg_facts facts =
        facts_of("<header>a b c</header><nav><a href=/>d</a></nav><main><h1>one two</h1>"
                 "<p>three four five six seven <a href=/x>eight nine</a></p></main>"
                 "<footer>e f</footer>");
    assert_int_equal(facts.main.words, 7);
    assert_int_equal(facts.main.link_words, 2);
    assert_int_equal(facts.main.links, 1);
    assert_int_equal(facts.main.listed_words, 0);
    facts = facts_of("<p>some words of its own here</p><ul><li><a href=1>one thing</a> "
                     "today<li><a href=2>two things</a> today</ul>");
    assert_int_equal(facts.n_entries, 2);
    assert_int_equal(facts.main.listed_words, 2);
    assert_int_equal(facts.main.words, 8);
    forget(NULL);
}

static void hash_is_that_of_the_main_text(void **state)
{
    (void)state;
    static const char html[] = "<h1>A</h1>" PROSE "<ul><li><a href=/>x</a></ul>";
    struct fg_main_text main;
    struct fg_facts facts = facts_of(html);
    fg_main_text_read(&main, &arena, FG_STR(html));
    assert_true(facts.main_hash == main.hash);
    forget(NULL);
}

static void purpose_is_seen(void **state)
{
    (void)state;
    assert_true(facts_of("<input type=password>").has_password);
    assert_true(facts_of("<textarea name=wpTextbox1></textarea><input type=submit "
                         "name=wpSave>")
                    .has_editor);
    assert_false(facts_of("<textarea name=comment rows=20></textarea><input type=submit "
                          "name=preview>")
                     .has_editor);
    assert_true(facts_of("<div id=app></div><script src=x></script>").needs_script);
    assert_false(facts_of(PROSE "<script src=x></script>").needs_script);
    assert_false(facts_of("<script type=application/ld+json>{}</script><p>Two words")
                     .needs_script);
    assert_true(facts_of("<a href=1>1</a><a href=2>2</a><a href=3>3</a>").has_pager);
    assert_true(facts_of("<a href=2>Older posts</a>").has_pager);
    assert_false(facts_of("<a href=2>Nextcloud</a>").has_pager);
    assert_true(
        facts_of("<div class=cmp-consent>We value your privacy</div>").has_consent_wall);
    assert_false(
        facts_of("<div class=cmp-consent>We</div>" PROSE PROSE PROSE).has_consent_wall);
    assert_int_equal(
        facts_of("<article><article></article></article><article></article>").n_articles,
        2);
    forget(NULL);
}

/* Whole pages that call themselves by what stands beside their text. */
static void classes_are_believed_only_while_something_is_left(void **state)
{
    (void)state;
    assert_true(facts_of("<div class='with-sidebar'>" PROSE "</div>").main.words > 20);
    assert_true(facts_of("<div id=menu>" PROSE "</div>").main.words > 20);
    assert_int_equal(facts_of("<div id=menu>a b</div><p>one two three").main.words, 3);
    forget(NULL);
}

/* Sixteen bytes at a time or one by one, wherever the words stand. */
static void words_are_counted_wherever_they_stand(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned words;
    } pieces[] = {{"one two", 2},      {"a1-b2", 2},    {"...", 0},    {"M\u00fcller", 1},
                  {"\u6c49\u5b57", 2}, {"x\u6c49y", 2}, {"@[`{/:", 0}, {"Z9z0", 1}};
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++)
        for (int before = 0; before < 40; before++)
            for (int behind = 0; behind < 20; behind++) {
                char text[128];
                snprintf(text, sizeof text, "%*s%s%*s", before, "", pieces[k].text,
                         behind, "");
                assert_int_equal(fg_count_words(fg_str_from(text)), pieces[k].words);
            }
    assert_int_equal(fg_count_words(FG_STR("abcdefghijklmnopqrstuvwxyz0123456789")), 1);
    assert_int_equal(fg_count_words((struct fg_str){0}), 0);
}

static void hostile_pages_are_survived(void **state)
{
    (void)state;
    size_t n = 200000;
    char *html = malloc(n + 1);
    static const char *const pieces[] = {"<li><a href=x>",  "<h1>",
                                         "<article>",       "<div class='a-b-c d_e_f'>",
                                         "<table><tr><td>", "<time class=published>"};
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        size_t len = strlen(pieces[k]);
        for (size_t i = 0; i < n; i++)
            html[i] = pieces[k][i % len];
        html[n] = '\0';
        facts_of(html);
    }
    free(html);
    forget(NULL);
}

FG_TESTS(dates_for_machines_are_read, date_of_the_header_is_the_articles,
         dates_of_others_are_not_its_own, when_it_happens_is_not_when_it_was_published,
         days_and_moments_are_told_apart, dates_of_mails_are_read,
         a_time_element_is_what_the_word_before_it_says, dates_of_programs_are_read,
         other_dates_in_lines_are_left_alone,
         dates_for_machines_come_before_those_for_people, best_title_is_chosen,
         excerpt_is_the_beginning_of_the_text,
         excerpt_without_blanks_ends_with_a_character, claims_are_read,
         words_of_the_main_part_are_counted, hash_is_that_of_the_main_text,
         purpose_is_seen, classes_are_believed_only_while_something_is_left,
         words_are_counted_wherever_they_stand, hostile_pages_are_survived)
