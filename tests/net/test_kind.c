/* Addresses of programs that many sites run on, and small pages as they write them. */
#include "net/facts/kind.h"

#include "test.h"

static void check_addresses(enum fg_kind kind, const char *const *paths)
{
    for (; *paths; paths++) {
        struct fg_arena arena = {0};
        struct fg_str url = fg_arena_printf(&arena, "https://example.org%s", *paths);
        struct fg_kind_verdict verdict = fg_kind_of_address(url);
        if (verdict.kind != kind)
            print_error("%s is a %s: %s\n", *paths, fg_kind_name(verdict.kind),
                        verdict.reason);
        assert_int_equal(verdict.kind, kind);
        fg_arena_clear(&arena);
    }
}
#define ADDRESSES(kind, ...) \
    check_addresses((kind), (const char *const[]){__VA_ARGS__, NULL})

static void addresses_of_actions_are_known(void **state)
{
    (void)state;
    ADDRESSES(FG_KIND_ACTION, "/showthread.php?goto=newpost&t=12",
              "/wp-login.php?redirect_to=%2F", "/2026/11/16/slug/print/",
              "/2026/11/16/slug/?replytocom=12", "/slug/?share=mail&nb=1",
              "/doku.php?id=a:b&do=edit", "/doku.php?id=a:b&rev=1&do=diff",
              "/doku.php?id=a:b&do=", "/index.php?title=Foo&action=history",
              "/index.php?title=Foo&oldid=12", "/wiki/Foo?action=diff&version=3",
              "/tool.git/diff/?id=0123456789", "/tool.git/blame/src/a.c",
              "/tool.git/plain/src/a.c", "/tool.git/patch/?id=0123456789",
              "/tool.git/tree/src/a.c?id=0123456789abcdef", "/file/908eef436c38/README",
              "/?p=tool.git;a=blobdiff;h=1;hb=2", "/cart?add=12", "/warenkorb", "/panier",
              "/p/12/lamp?print=1", "/wiki/Special:WhatLinksHere/Foo",
              "/wiki/Spezial:Suche", "/posting.php?mode=reply&t=2",
              "/owner/repo/commit/0123456789.patch", "/compare?with=12",
              "/tool.git/commit/?h=master");
}

static void addresses_of_lists_are_known(void **state)
{
    (void)state;
    ADDRESSES(FG_KIND_LIST, "/", "/?s=word", "/tag/x/", "/category/news/page/2/",
              "/author/ann/", "/2026/11/", "/2026/", "/2026-November/thread.html",
              "/c/3?sort=price", "/c/3?page=2", "/search?q=", "/suche?q=lampe",
              "/recherche/lampe", "/buscar/x", "/kategorie/garten/", "/etiqueta/x/",
              "/auteur/ann", "/doku.php?id=a&do=recent", "/doku.php?id=start&idx=a",
              "/index.php?title=Special:RecentChanges", "/wiki/Spezial:AllPages",
              "/wiki/Category:Towns", "/tool.git/log/", "/tool.git/log/src/a.c?showmsg=1",
              "/tool.git/refs/", "/?p=t.git;a=shortlog", "/timeline?n=20", "/releases",
              "/feed/", "/index2.html", "/tree?type=flat", "/folder/?C=M;O=A",
              "/viewforum.php?f=2", "/maillist.html");
}

static void addresses_of_pages_are_left_alone(void **state)
{
    (void)state;
    ADDRESSES(FG_KIND_PAGE, "/2026/11/16/how-to-edit-history-in-print/",
              "/2026/11/16/history/", "/how-to-search-and-sort-tags.html",
              "/doku.php?id=wiki:edit", "/index.php?title=Log", "/wiki/History",
              "/wiki/Login", "/tool.git/commit/?id=0123456789abcdef", "/view.php?id=17",
              "/tool.git/tree/src/log/diff.c", "/tool.git/commit/src/edit?id=0123456789",
              "/owner/repo/releases/tag/v1.2", "/?p=tool.git;a=commit;h=0123456789",
              "/p/12/lamp?variant=red", "/viewtopic.php?t=12", "/show_bug.cgi?id=12",
              "/msg00123.html", "/t/a-topic/12", "/?p=1234", "/node/12",
              "/patch/a-dog-saves-the-town", "/research", "/page/about",
              "/info/06c1a0f7");
}

static void files_are_not_pages(void **state)
{
    (void)state;
    ADDRESSES(FG_KIND_EMPTY, "/a/b.jpg", "/x.tar.gz", "/song.mp3?x=1");
    ADDRESSES(FG_KIND_PAGE, "/report.pdf", "/wiki/File:A.jpg", "/rfc/rfc1.txt");
}

static void further_pages_of_lists_are_known(void **state)
{
    (void)state;
    static const char *const yes[] = {"/page/2/",
                                      "/tag/x/page/12/",
                                      "/c?page=3",
                                      "/c/?start=20",
                                      "/c?ofs=50",
                                      "/c?from=10",
                                      "/mail2.html",
                                      "/thrd3.html",
                                      "/index3.html",
                                      "/c?paged=2",
                                      "/c?p=2",
                                      "/seite/3",
                                      "/c?limitstart=5",
                                      "/c?pos=20",
                                      "/show.php?5550-A-title/page2",
                                      "/show.php?7-Name/page12&order=desc"};
    static const char *const no[] = {"/page/1/",
                                     "/page/about",
                                     "/c?page=1",
                                     "/c?start=0",
                                     "/?p=1234",
                                     "/mail.html",
                                     "/article2.html",
                                     "/c?page=Foo",
                                     "/job/x?pos=1",
                                     "/show.php?5550-A-title",
                                     "/show.php?5550-page2",
                                     "/show.php?page2",
                                     "/show.php?5550-A-title/page1"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(fg_address_is_continuation(fg_str_from(yes[i])));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(fg_address_is_continuation(fg_str_from(no[i])));
}

static void first_pages_of_lists_are_the_lists(void **state)
{
    (void)state;
    static const char *const yes[] = {"/c?page=1", "/c?start=0", "/c?sort=a&paged=1"};
    static const char *const no[] = {"/c?page=2", "/c?start=1", "/c?id=1", "/c/1", "/c"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(fg_address_is_first_page(fg_str_from(yes[i])));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(fg_address_is_first_page(fg_str_from(no[i])));
}

static void check_date(const char *url, int year, int month, int day, int days)
{
    fg_time span = 0, date = fg_address_date(fg_str_from(url), &span);
    assert_int_equal(date, fg_days_from_date(year, month, day) * FG_DAY);
    assert_int_equal(span, days * FG_DAY);
}

static void dates_of_addresses_are_read(void **state)
{
    (void)state;
    check_date("https://h/2026/11/16/slug", 2026, 11, 16, 1);
    check_date("https://h/news/2026-11-16-slug.html", 2026, 11, 16, 1);
    check_date("https://h/20261116/", 2026, 11, 16, 1);
    check_date("https://h/a/20261116-slug", 2026, 11, 16, 1);
    check_date("https://h/2026/nov/16/slug", 2026, 11, 16, 1);
    check_date("https://h/2026/11/16-slug", 2026, 11, 16, 1);
    check_date("https://h/2026/11/slug", 2026, 11, 1, 30);
    check_date("https://h/2024/02/slug", 2024, 2, 1, 29);
    check_date("https://h/pipermail/2026-November/000123.html", 2026, 11, 1, 30);
    static const char *const none[] = {"https://h/",           "https://h/2026/slug",
                                       "https://h/2026/13/x",  "https://h/12345678/",
                                       "https://h/20261131/x", "https://h/a?d=2026-11-16",
                                       "https://h/2026-slug",  "https://2026/11x"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(fg_address_date(fg_str_from(none[i]), NULL), FG_NEVER);
}

static void check_subject(const char *url, const char *expected)
{
    struct fg_arena arena = {0};
    assert_str(fg_address_subject(&arena, fg_str_from(url)), expected);
    fg_arena_clear(&arena);
}

static void actions_have_a_subject(void **state)
{
    (void)state;
    check_subject("http://h/doku.php?id=a:b&rev=1&do=diff", "http://h/doku.php?id=a:b");
    check_subject("http://h/index.php?title=Foo&diff=12&oldid=11",
                  "http://h/index.php?title=Foo");
    check_subject("http://h/slug/?replytocom=3#respond", "http://h/slug/");
    check_subject("http://h/projects/tool/wiki/A_page/3",
                  "http://h/projects/tool/wiki/A_page");
    check_subject("http://h/wiki/2026/3", "");
    check_subject("http://h/slug/?a=1&share=mail&nb=1&b=2", "http://h/slug/?a=1&b=2");
    check_subject("http://h/w?title=Foo&direction=next&oldid=1", "http://h/w?title=Foo");
    check_subject("http://h/doku.php?do=recent&id=a", "");
    check_subject("http://h/index.php?action=profile&u=1", "");
    check_subject("http://h/index.php?diff=12", "");
    check_subject("http://h/doku.php?id=a:b", "");
    check_subject("http://h/a", "");
}

static void views_of_a_page_are_known(void **state)
{
    (void)state;
    static const struct {
        const char *page, *link;
        bool is_view;
    } cases[] = {
        {"http://h/viewtopic.php?t=407", "http://h/viewtopic.php?t=407#p1", true},
        {"http://h/viewtopic.php?t=407", "http://h/viewtopic.php?t=407&view=print", true},
        {"http://h/viewtopic.php?t=407", "http://h/viewtopic.php?start=10&t=407", true},
        {"http://h/viewtopic.php?t=407", "http://h/posting.php?mode=reply&t=407", true},
        {"http://h/viewtopic.php?t=407", "http://h/report.php?topic=407", true},
        {"http://h/viewtopic.php?t=407", "http://h/viewtopic.php?t=408", false},
        {"http://h/viewtopic.php?t=407", "http://h/viewforum.php?f=2", false},
        {"http://h/viewtopic.php?t=407", "http://o/posting.php?mode=reply&t=407", false},
        {"http://h/slug/", "http://h/slug/?replytocom=3", true},
        {"http://h/slug", "http://h/slug/print", true},
        {"http://h/bug/12", "http://h/attach?bug=12", true},
        /* lists and what is on them */
        {"http://h/forum?f=2", "http://h/topic?f=2&t=12", false},
        {"http://h/index.php?board=3", "http://h/index.php?topic=12", false},
        {"http://h/index.php?board=3", "http://h/index.php?board=3&topic=12", false},
        {"http://h/shop?c=shoes", "http://h/shop?c=shoes&item=red", false},
        {"http://h/bugs", "http://h/bugs?id=12", false},
        {"http://h/c/12", "http://h/c/12/lamp", false},
        {"http://h/tag/2026", "http://h/2026/a-slug", false},
        {"http://h/", "http://h/?p=12", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool is_view =
            fg_address_is_view_of(fg_str_from(cases[i].link), fg_str_from(cases[i].page));
        if (is_view != cases[i].is_view)
            print_error("%s on %s\n", cases[i].link, cases[i].page);
        assert_int_equal(is_view, cases[i].is_view);
    }
}

/* --- pages --- */

#define PROSE                                                                            \
    "<p>Once upon a time somebody wrote a text of some length about a thing that had "   \
    "happened in the town, and other people read it with interest, although it was not " \
    "very long and did not say much that they had not known before it was printed.</p>"
#define ITEM "<li><a href='/2026/11/16/x/'>What happened in the town</a> by Ann</li>"

static struct fg_str at(const char *path)
{
    static char url[200];
    snprintf(url, sizeof url, "https://example.org%s", path);
    return fg_str_from(url);
}

static void check_page(const char *url, const char *html, enum fg_kind expected)
{
    struct fg_arena arena = {0};
    struct fg_page page;
    struct fg_facts facts;
    struct fg_facts_visit visit = {.url = fg_str_from(url), .now = FG_NEVER};
    fg_page_read(&page, &arena, fg_str_from(html), FG_PAGE_ALL);
    fg_facts_read(&facts, &arena, &page, fg_str_from(html), &visit);
    struct fg_kind_verdict verdict =
        fg_kind_of_page(&facts, fg_str_from(url), page.title);
    if (verdict.kind != expected)
        print_error("%s is a %s: %s\n", url, fg_kind_name(verdict.kind), verdict.reason);
    assert_int_equal(verdict.kind, expected);
    assert_true(verdict.certainty >= 0.5F && verdict.certainty <= 1);
    fg_arena_clear(&arena);
}

static void content_decides_what_an_ambiguous_address_is(void **state)
{
    (void)state;
    check_page("http://h/tag/x/", "<h1>x</h1><ul>" ITEM ITEM ITEM "</ul>", FG_KIND_LIST);
    check_page("http://h/tool/tag/?h=v1",
               "<table><tr><td>tag name</td><td>v1</td></tr></table><div>Version one, "
               "with a number of things that are better than before, and some that are "
               "worse.</div>",
               FG_KIND_PAGE);
    check_page("http://h/about/history/", "<h1>Our history</h1>" PROSE PROSE,
               FG_KIND_PAGE);
    check_page("http://h/wiki/A/history",
               "<h1>History</h1><ul>" ITEM ITEM ITEM ITEM "</ul>", FG_KIND_LIST);
}

static void lists_in_any_markup_are_lists(void **state)
{
    (void)state;
    check_page("http://h/a",
               "<h1>A</h1><p>All of it.</p><ul>" ITEM ITEM ITEM ITEM "</ul>",
               FG_KIND_LIST);
    check_page("http://h/b",
               "<table><tr><td>1 h<td><a href=1>fix the thing</a><td>Ann</tr>"
               "<tr><td>2 h<td><a href=2>mend another</a><td>Ann</tr>"
               "<tr><td>3 h<td><a href=3>tidy it up</a><td>Bo</tr>"
               "<tr><td>4 h<td><a href=4>begin</a><td>Bo</tr></table>",
               FG_KIND_LIST);
    check_page("http://h/c",
               "<article><h2><a href=/1>One</a></h2>" PROSE "</article>"
               "<article><h2><a href=/2>Two</a></h2>" PROSE "</article>"
               "<article><h2><a href=/3>Three</a></h2>" PROSE "</article>",
               FG_KIND_LIST);
    check_page("http://h/d",
               "<div><a href=/1>One of them</a> today</div><div><a href=/2>Two of "
               "them</a> today</div><div><a href=/3>Three of them</a> today</div>"
               "<div><a href=/4>Four of them</a> today</div>",
               FG_KIND_LIST);
}

/* What nearly all pages like it are may say otherwise. */
static void links_alone_do_not_settle_it(void **state)
{
    (void)state;
    struct fg_facts facts = {
        .published = FG_NEVER, .main.words = 20, .main.link_words = 60, .n_entries = 12};
    struct fg_kind_verdict verdict =
        fg_kind_of_page(&facts, FG_STR("http://h/a"), FG_STR("A"));
    assert_int_equal(verdict.kind, FG_KIND_LIST);
    assert_true(verdict.certainty > 0.7F && verdict.certainty < 0.8F);
}

static void lines_of_preformatted_text_are_entries(void **state)
{
    (void)state;
    check_page(
        "http://h/dev/",
        "<pre>* <a href=1>The first of many threads</a>\n  2026-11-16 12:00 UTC\n"
        "* <a href=2>The second of many threads</a>\n  2026-11-16 11:00 UTC\n"
        "* <a href=3>The third of many threads</a>\n  2026-11-16 10:00 UTC\n"
        "* <a href=4>The fourth of many threads</a>\n  2026-11-16 09:00 UTC\n</pre>",
        FG_KIND_LIST);
    check_page("http://h/dev/mail",
               "<pre>From: Ann\nI have applied all of them, and hope that it works.\n"
               "Please test it again on your machine before Monday.\n"
               "<a href=1>thread</a> <a href=2>reply</a>\n</pre>",
               FG_KIND_PAGE);
}

static void short_pages_are_pages(void **state)
{
    (void)state;
    check_page("http://h/t.git/commit/?id=0123456789",
               "<table><tr><th>author<td>Ann<td>2026-11-16</tr><tr><th>commit<td><a "
               "href=c>0123456789</a></tr><tr><th>parent<td><a href=p>1234</a></tr>"
               "<tr><th>tree<td><a href=t>12</a></tr></table><div>fix the parser</div>"
               "<div>It read one too many.</div><table><tr><td><a href=f>a.c</a><td>2"
               "</tr></table>",
               FG_KIND_PAGE);
    check_page(
        "http://h/msg00012.html",
        "<ul><li><a href=1>Prev</a><li><a href=2>Next</a><li><a href=3>Index</a>"
        "</ul><pre>Thanks, applied to the branch. Ann</pre><ul>" ITEM ITEM ITEM ITEM
        "</ul>",
        FG_KIND_PAGE);
    check_page("http://h/x", "<h1>Lamp</h1><p>12.50 EUR</p><p>In stock</p>",
               FG_KIND_PAGE);
    check_page("http://h/bug/12",
               "<title>404 when I open the second page</title><p>It "
               "says not found.</p>",
               FG_KIND_PAGE);
}

#define POST(n)                                                                          \
    "<div id=p" n "><h3><a href='./thread.cgi?p=" n "#p" n                               \
    "'>A topic</a></h3><ul><li><a "                                                      \
    "href='./post.cgi?mode=quote&amp;t=407'>Reply with quote</a></li><li><a "            \
    "href='./flag.cgi?t=407'>Report this post</a></li><li><a "                           \
    "href='./thread.cgi?p=" n "#p" n "'>Link to post</a></li></ul><p>It does not start " \
    "any more. What can I do?</p></div>"

static void links_to_itself_do_not_make_a_page_a_list(void **state)
{
    (void)state;
    check_page("http://h/b/thread.cgi?t=407",
               "<h2><a href='./thread.cgi?t=407'>A topic</a></h2>" POST("18")
                   POST("19") "<ul><li><a href='./thread.cgi?t=407&amp;view=print'>Print "
                              "view of it</a>"
                              "</li><li><a href='./post.cgi?mode=reply&amp;t=407'>Post a "
                              "reply here</a>"
                              "</li></ul>",
               FG_KIND_PAGE);
    /* posts of many topics, by the same program */
    check_page("http://h/b/thread.cgi?view=recent",
               "<ul><li><a href='?t=1#p8'>One topic of many</a></li><li><a "
               "href='?t=2#p7'>Two topics of many</a></li><li><a href='?t=3#p6'>Three "
               "topics of many</a></li><li><a href='?t=4#p5'>Four topics of many</a></li>"
               "</ul>",
               FG_KIND_LIST);
}

static void boxes_beside_an_article_do_not_matter(void **state)
{
    (void)state;
    check_page("http://h/a-slug",
               "<nav><ul>" ITEM ITEM ITEM "</ul></nav><main><article><h1>A</h1>" PROSE
               "</article><h3>Related</h3><ul>" ITEM ITEM ITEM
               "</ul></main><aside><ul>" ITEM ITEM ITEM ITEM ITEM ITEM "</ul></aside>",
               FG_KIND_PAGE);
    check_page("http://h/b-slug",
               "<div class='sidebar'><ul>" ITEM ITEM ITEM ITEM ITEM ITEM "</ul></div>"
               "<h1>A</h1>" PROSE,
               FG_KIND_PAGE);
}

static void forms_errors_and_empty_pages_are_told_apart(void **state)
{
    (void)state;
    check_page("http://h/x", "<h1>Welcome</h1><form><input type=password></form>",
               FG_KIND_ACTION);
    check_page("http://h/x",
               "<h1>Foo</h1><form><textarea name=wikitext rows=20></textarea><input "
               "type=submit name='do[save]'></form>",
               FG_KIND_ACTION);
    check_page("http://h/x",
               "<title>Page not found - Site</title><p>Sorry, nothing here.",
               FG_KIND_ERROR);
    check_page("http://h/x", "<title>Site</title><h1>404 Not Found</h1>", FG_KIND_ERROR);
    check_page("http://h/x",
               "<title>App</title><div id=root></div><script src=a></script>",
               FG_KIND_EMPTY);
}

static void claims_count(void **state)
{
    (void)state;
    check_page(
        "http://h/x",
        "<meta property=og:type content=article><h1>A</h1><p>Short.</p><ul>" ITEM ITEM
            ITEM ITEM ITEM "</ul>",
        FG_KIND_PAGE);
    check_page("http://h/tag/x",
               "<script type='application/ld+json'>{\"@type\":\"Product\",\"name\":"
               "\"Lamp\"}</script><h1>Lamp</h1><ul>" ITEM ITEM ITEM ITEM "</ul>",
               FG_KIND_PAGE);
    check_page("http://h/x",
               "<body class='archive category'><meta property=og:type content=article>"
               "<h1>A</h1><h2><a href=/1>One</a></h2><h2><a href=/2>Two</a></h2>",
               FG_KIND_LIST);
    /* an edit form is one, whatever the page says it is */
    check_page("http://h/x?do=edit",
               "<meta property=og:type content=article><h1>A</h1>" PROSE, FG_KIND_ACTION);
}

static bool is_family(const char *a, const char *b)
{
    return fg_address_family(fg_str_from(a)).words ==
           fg_address_family(fg_str_from(b)).words;
}

static void views_of_a_calendar_are_a_family(void **state)
{
    (void)state;
    assert_true(is_family("https://a.example/plan", "https://a.example/plan?m=3&y=2026"));
    assert_true(is_family("https://a.example/plan?y=2026&m=3",
                          "https://a.example/plan?d=5&m=4&y=2026"));
    assert_true(is_family("https://a.example/agenda/month/3",
                          "https://a.example/agenda/day/2026-03-14"));
    assert_true(is_family("https://a.example/news/", "https://a.example/news/1234"));
    assert_false(is_family("https://a.example/news/", "https://a.example/news/a-title"));
    assert_false(is_family("https://a.example/c/12", "https://a.example/p/12"));
    static const struct {
        const char *url;
        bool has_number, names_time;
    } cases[] = {
        {"https://a7.example/plan", false, false},
        {"https://a.example/plan/2026/11/30", true, true},
        {"https://a.example/plan?date=20261130", true, true},
        {"https://a.example/news/1234", true, false},
        {"https://a.example/news/12345678901234567890", true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_address_family family = fg_address_family(fg_str_from(cases[i].url));
        assert_int_equal(family.has_number, cases[i].has_number);
        assert_int_equal(family.names_time, cases[i].names_time);
    }
}

/* `n` blocks, each made of a head, a link to it, and a tail. */
static void check_blocks(const char *url, enum fg_kind expected, const char *around[2],
                         const char *head, const char *tail)
{
    struct fg_arena arena = {0};
    struct fg_str html =
        fg_arena_printf(&arena, "<title>News</title><h1>News</h1>%s", around[0]);
    for (int i = 0; i < 5; i++)
        html = fg_arena_printf(&arena, "%.*s%s<a href=/p/%d>%s</a>%s", FG_ARG(html), head,
                               i, strstr(head, "<h3>") ? "Read more" : "The town council",
                               tail);
    html = fg_arena_printf(&arena, "%.*s%s", FG_ARG(html), around[1]);
    check_page(url, fg_arena_cstr(&arena, html), expected);
    fg_arena_clear(&arena);
}

#define TWENTY                                                                           \
    "has decided on the new bridge after a debate that went on for all of the evening, " \
    "and will meet again. "

/* A link and some words of what it leads to, whatever the elements are. */
static void lists_with_excerpts_are_lists(void **state)
{
    (void)state;
    static const char *const blocks[][2] = {
        {"<li>", TWENTY "</li>"},
        {"<div>", "<p>" TWENTY "</p></div>"},
        {"<div><h3>The town council</h3><p>" TWENTY "</p>", "</div>"},
        {"<p>18.11.2026 ", "<br>" TWENTY "</p>"},
        {"<dt>", "</dt><dd>" TWENTY "</dd>"},
    };
    const char *none[2] = {"", ""},
               *long_text[2] = {"<p>" TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY,
                                "</p>"};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        check_blocks("https://example.org/news/", FG_KIND_LIST, none, blocks[i][0],
                     blocks[i][1]);
        check_blocks("https://example.org/what-we-did", FG_KIND_LIST, none, blocks[i][0],
                     blocks[i][1]);
    }
    /* What an article says of others does not make it a list, nor do links in prose. */
    check_blocks("https://example.org/2026/11/18/links-of-the-week", FG_KIND_PAGE, none,
                 "<li>", TWENTY "</li>");
    check_blocks("https://example.org/what-we-did", FG_KIND_PAGE, long_text, "<li>",
                 TWENTY "</li>");
    check_blocks("https://example.org/what-we-did", FG_KIND_PAGE, none,
                 "<p>It was said that ", TWENTY "</p>");
}

/* An archive of mails shows of each thread title, author and half of the first mail. */
static void threads_with_their_first_mail_are_a_list_where_the_address_says_so(
    void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_str html = FG_STR("<title>Users</title><h1>Users</h1>");
    for (int i = 0; i < 10; i++)
        html = fg_arena_printf(
            &arena,
            "%.*s<div><div><div><a href=thread/%d>The kernel halves its export</a>"
            "<br><span>by Bo Dahl</span></div></div><div><div><span>" TWENTY TWENTY TWENTY
                TWENTY TWENTY "</span></div></div></div>",
            FG_ARG(html), i);
    check_page("http://h/list/users/latest", fg_arena_cstr(&arena, html), FG_KIND_LIST);
    check_page("http://h/list/users/2026/11/", fg_arena_cstr(&arena, html), FG_KIND_LIST);
    check_page("http://h/list/a-text-on-kernels", fg_arena_cstr(&arena, html),
               FG_KIND_PAGE);
    fg_arena_clear(&arena);
}

static void archives_end_with_their_date(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        int year, month, day, days; /* year 0: none */
    } cases[] = {{"/pub/minutes/2026/", 2026, 1, 1, 365},
                 {"/pub/minutes/2026/11/", 2026, 11, 1, 30},
                 {"/2026/11/18/", 2026, 11, 18, 1},
                 {"/2026/11/18/a-long-title", 0, 0, 0, 0},
                 {"/minutes/", 0, 0, 0, 0},
                 {"/2026/?page=2", 0, 0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fg_time span = 0, day = fg_address_archive(at(cases[i].path), &span);
        if (!cases[i].year) {
            assert_int_equal(day, FG_NEVER);
            continue;
        }
        assert_int_equal(
            day, fg_days_from_date(cases[i].year, cases[i].month, cases[i].day) * FG_DAY);
        assert_int_equal(span, cases[i].days * FG_DAY);
    }
}

static void roots_of_languages_are_known(void **state)
{
    (void)state;
    static const char *const yes[] = {"/de/", "/pt-br", "/zh_CN/", "/fr.html"},
                             *const no[] = {"/",     "/xx/",     "/de/a",   "/tv/",
                                            "/de?a", "/deutsch", "/de-long"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(fg_address_is_language(at(yes[i])));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(fg_address_is_language(at(no[i])));
}

FG_TESTS(threads_with_their_first_mail_are_a_list_where_the_address_says_so,
         archives_end_with_their_date, roots_of_languages_are_known,
         lists_with_excerpts_are_lists, views_of_a_calendar_are_a_family,
         addresses_of_actions_are_known, addresses_of_lists_are_known,
         addresses_of_pages_are_left_alone, files_are_not_pages,
         further_pages_of_lists_are_known, first_pages_of_lists_are_the_lists,
         dates_of_addresses_are_read, actions_have_a_subject,
         content_decides_what_an_ambiguous_address_is, lists_in_any_markup_are_lists,
         links_alone_do_not_settle_it, lines_of_preformatted_text_are_entries,
         short_pages_are_pages, views_of_a_page_are_known,
         links_to_itself_do_not_make_a_page_a_list, boxes_beside_an_article_do_not_matter,
         forms_errors_and_empty_pages_are_told_apart, claims_count)
