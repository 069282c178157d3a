/* The ugly web: a page of each kind, and that it stays true to its articles. */
#include "sim/web.h"
#include "test.h"

#include "base/arena.h"
#include "base/time.h"

enum { GAZETTE, LOG, PORTAL, STAR, SITES };
static const fg_time start = 20000 * FG_DAY, /* 2024-10-04 */
    now = 20000 * FG_DAY + 30 * FG_HOUR;

struct fixture {
    struct fg_web *web;
    struct fg_buf body;
    struct fg_arena arena;
    const char *path[SITES]; /* of an article of the first day, with comments */
    const char *old[SITES];  /* of the stock */
    fg_time published[SITES];
    size_t stock[SITES];
};

static struct fg_web *ugly_web(uint64_t seed)
{
    struct fg_web_options options = fg_web_defaults();
    options.seed = seed;
    options.from = start;
    options.to = start + 5 * FG_DAY;
    options.article_bytes = 500;
    options.is_ugly = true;
    return fg_web_new(&options);
}

static struct fg_web_page get(struct fixture *f, unsigned site, const char *path,
                              fg_time at)
{
    fg_buf_reset(&f->body);
    return fg_web_render(f->web, site, fg_str_from(path), FG_STR("http://h"), at,
                         &f->body);
}

static bool shows(const struct fixture *f, const char *text)
{
    return fg_str_find(fg_buf_str(&f->body), fg_str_from(text)) != FG_NOT_FOUND;
}

static bool shows_at(struct fixture *f, unsigned site, const char *path, const char *text)
{
    return get(f, site, path, now).status == 200 && shows(f, text);
}

static const char *join(struct fixture *f, const char *a, const char *b)
{
    return fg_arena_printf(&f->arena, "%s%s", a, b).at;
}

static bool choose(void *context, const struct fg_web_article *article)
{
    struct fixture *f = context;
    unsigned site = article->site;
    if (article->published < start - 7 * FG_DAY) {
        f->stock[site]++;
        if (!f->old[site])
            f->old[site] = fg_arena_cstr(&f->arena, article->path);
    }
    if (f->path[site] || article->published < start ||
        article->published > start + FG_DAY)
        return true;
    const char *path = fg_arena_cstr(&f->arena, article->path);
    if (shows_at(f, site, path, "replytocom") && shows(f, "/topic/") &&
        shows(f, "canonical")) {
        f->path[site] = path;
        f->published[site] = article->published;
    }
    return true;
}

/* Made once, for all tests. */
static struct fixture *the(void)
{
    static struct fixture f;
    if (f.web)
        return &f;
    f.web = ugly_web(1);
    fg_buf_init(&f.body, 1 << 20);
    fg_web_articles(f.web, FG_NEVER, INT64_MAX, choose, &f);
    for (int i = 0; i < SITES; i++)
        assert_non_null(f.path[i]);
    return &f;
}

static void lists_have_further_pages(void **state)
{
    (void)state;
    struct fixture *f = the();
    assert_true(shows_at(f, GAZETTE, "/", "href=\"/page/2/\""));
    assert_true(shows_at(f, GAZETTE, "/page/2/", "href=\"/page/3/\""));
    assert_true(shows_at(f, STAR, "/section/world", "/section/world/page/2/"));
    assert_true(shows_at(f, PORTAL, "/", "/?page=2"));
    assert_int_equal(get(f, PORTAL, "/?page=2", now).status, 200);
    assert_int_equal(get(f, GAZETTE, "/page/0/", now).status, 404);
    assert_int_equal(get(f, GAZETTE, "/page/100000/", now).status, 404);
    assert_int_equal(get(f, GAZETTE, "/page/18446744073709551615/", now).status, 404);
    assert_int_equal(get(f, GAZETTE, "/topic/topic-1", now).status, 200);
    assert_int_equal(get(f, GAZETTE, "/writer/writer-1", now).status, 200);
}

static void archives_and_calendar_show_the_day_of_an_article(void **state)
{
    (void)state;
    struct fixture *f = the();
    for (unsigned site = GAZETTE; site <= PORTAL; site++) {
        assert_true(shows_at(f, site, "/archive/", "/archive/2023/01/"));
        assert_true(shows_at(f, site, "/archive/2024/10/", ".html") ||
                    shows(f, "/2024/10/"));
        assert_true(shows_at(f, site, "/calendar/2024/10/", "/calendar/2024/10/31/"));
        assert_true(shows(f, "/calendar/2024/11/") && shows(f, "/calendar/2024/09/"));
        assert_true(shows_at(f, site, "/calendar/2024/10/04/", f->path[site]) ||
                    shows(f, "page=2") || shows(f, "page/2/"));
    }
    assert_true(shows_at(f, GAZETTE, "/calendar/9999/12/", "/calendar/9999/11/"));
    assert_false(shows(f, "10000"));
    assert_true(shows_at(f, GAZETTE, "/calendar/0001/01/", "/calendar/0001/02/"));
    assert_int_equal(get(f, GAZETTE, "/calendar/2024/13/", now).status, 404);
    assert_int_equal(get(f, STAR, "/calendar/2024/10/", now).status, 404);
}

static void articles_have_pages_to_print_share_and_reply(void **state)
{
    (void)state;
    struct fixture *f = the();
    for (unsigned site = 0; site < SITES; site++) {
        const char *path = f->path[site];
        bool is_file = site == GAZETTE || site == PORTAL;
        const char *print = is_file ? join(f, "/print", path) : join(f, path, "print/");
        assert_true(shows_at(f, site, path, print));
        assert_true(shows(f, join(f, path, "?share=mail")));
        assert_true(shows(f, join(f, path, "?replytocom=")));
        assert_true(shows(f, join(f, "rel=\"canonical\" href=\"http://h", path)));
        assert_int_equal(get(f, site, print, now).status, 200);
        assert_int_equal(get(f, site, join(f, path, "?share=mail&nb=1"), now).status,
                         200);
        assert_true(shows_at(f, site, join(f, path, "?replytocom=1"), "Leave a reply"));
        assert_int_equal(get(f, site, print, f->published[site] - 1).status, 404);
        struct fg_str forms[] = {fg_str_from(path), fg_str_from(print),
                                 fg_str_from(join(f, path, "?share=mail"))};
        assert_int_equal(fg_web_form_of(f->web, site, forms[0]), FG_WEB_ARTICLE);
        assert_int_equal(fg_web_form_of(f->web, site, forms[1]), FG_WEB_COPY);
        assert_int_equal(fg_web_form_of(f->web, site, forms[2]), FG_WEB_COPY);
    }
    assert_int_equal(fg_web_form_of(f->web, LOG, FG_STR("/archive/2024/10/page/2/")),
                     FG_WEB_LIST);
    assert_int_equal(fg_web_form_of(f->web, LOG, FG_STR("/feed.xml")), FG_WEB_LIST);
    assert_int_equal(fg_web_form_of(f->web, LOG, FG_STR("/about")), FG_WEB_OTHER);
    assert_int_equal(fg_web_form_of(f->web, LOG, FG_STR("/nothing")), FG_WEB_OTHER);
    assert_int_equal(fg_web_form_of(f->web, SITES, FG_STR("/")), FG_WEB_OTHER);
}

static void sessions_are_in_every_link_and_last_an_hour(void **state)
{
    (void)state;
    struct fixture *f = the();
    get(f, PORTAL, "/", now);
    struct fg_str body = fg_buf_str(&f->body), rest = body;
    size_t links = 0, with = 0, at;
    while ((at = fg_str_find(rest, FG_STR("<a href=\""))) != FG_NOT_FOUND) {
        rest = fg_str_skip(rest, at + 9);
        struct fg_str target = fg_str_sub(rest, 0, fg_str_chr(rest, '"'));
        links++;
        with += fg_str_find(target, FG_STR("visit=")) != FG_NOT_FOUND;
    }
    assert_true(links > 30);
    assert_int_equal(links, with);
    at = fg_str_find(body, FG_STR("visit="));
    char own[32];
    snprintf(own, sizeof own, "/?%.*s", 14, body.at + at);
    fg_time later = now / FG_HOUR * FG_HOUR + 50 * FG_MINUTE;
    get(f, PORTAL, own, later);
    assert_true(shows(f, own + 2));
    get(f, PORTAL, own, later + 20 * FG_MINUTE);
    assert_false(shows(f, own + 2));
    assert_int_equal(
        fg_web_form_of(f->web, PORTAL, fg_str_from(join(f, f->path[PORTAL], own + 1))),
        FG_WEB_COPY);
}

static void boxes_turn_over_by_the_hour_and_show_old_articles(void **state)
{
    (void)state;
    struct fixture *f = the();
    struct fg_buf one;
    fg_buf_init(&one, 1 << 20);
    for (int i = 0; i < 3; i++) {
        get(f, STAR, "/about", now + i * 20 * FG_MINUTE);
        size_t at = fg_str_find(fg_buf_str(&f->body), FG_STR("most-read\"><h3>"));
        struct fg_str box = fg_str_skip(fg_buf_str(&f->body), at);
        box = fg_str_sub(box, 0, fg_str_find(box, FG_STR("</ul>")));
        if (i == 0)
            fg_buf_add(&one, box);
        else if ((now + i * 20 * FG_MINUTE) / FG_HOUR == now / FG_HOUR)
            assert_true(fg_str_eq(box, fg_buf_str(&one)));
    }
    get(f, STAR, "/about", now + FG_HOUR);
    size_t at = fg_str_find(fg_buf_str(&f->body), FG_STR("most-read\"><h3>"));
    struct fg_str box = fg_str_skip(fg_buf_str(&f->body), at);
    assert_false(fg_str_starts(box, fg_buf_str(&one)));
    fg_buf_clear(&one);
    assert_true(shows_at(f, GAZETTE, "/", "href=\"/go/"));
    struct fg_web_page page = get(f, GAZETTE, "/go/17", now);
    assert_int_equal(page.status, 302);
    assert_string_equal(page.location, "/sponsored/offer-17?campaign=17");
    assert_int_equal(get(f, GAZETTE, page.location, now).status, 200);
    assert_int_equal(get(f, GAZETTE, "/sponsored/offer-20", now).status, 404);
}

static void the_feed_is_late_and_that_of_comments_is_about_the_past(void **state)
{
    (void)state;
    struct fixture *f = the();
    const char *path = f->path[LOG];
    fg_time out = f->published[LOG];
    assert_int_equal(get(f, LOG, "/feed.xml", out + 2 * FG_HOUR).status, 200);
    assert_false(shows(f, path));
    get(f, LOG, "/feed.xml", out + 3 * FG_HOUR);
    assert_true(shows(f, join(f, path, "?utm_source=rss")));
    assert_int_equal(get(f, GAZETTE, "/feed.xml", now).status, 404);
    assert_true(shows_at(f, GAZETTE, "/", "/comments.xml"));
    assert_true(shows_at(f, GAZETTE, "/comments.xml", "#comment-"));
    assert_true(shows_at(f, LOG, path, join(f, path, "feed/")));
    assert_true(shows_at(f, LOG, join(f, path, "feed/"), "#comment-"));
}

static void the_sitemap_has_parts_and_moves_with_edits(void **state)
{
    (void)state;
    struct fixture *f = the();
    assert_true(shows_at(f, PORTAL, "/robots.txt", "Sitemap: http://h/sitemap.xml"));
    assert_true(shows_at(f, PORTAL, "/sitemap.xml", "/sitemap-1.xml"));
    assert_true(shows(f, "/sitemap-3.xml") && shows(f, "/sitemap-lists.xml"));
    assert_true(shows_at(f, PORTAL, "/sitemap-lists.xml", "/section/world"));
    assert_true(shows_at(f, PORTAL, "/sitemap-1.xml", f->old[PORTAL]));
    assert_true(shows(f, "<lastmod>2022-"));     /* most are as they were */
    assert_true(shows(f, "<lastmod>2024-10-0")); /* some have been edited since */
    assert_int_equal(get(f, PORTAL, "/sitemap-0.xml", now).status, 404);
    assert_int_equal(get(f, PORTAL, "/sitemap-99.xml", now).status, 404);
}

static void dates_are_told_in_each_sites_way_and_on_one_not_at_all(void **state)
{
    (void)state;
    struct fixture *f = the();
    char when[FG_TIME_TEXT];
    static const char *const how[SITES] = {
        "\"datePublished\":\"", "published_time\" content=\"", "<time datetime=\"", NULL};
    for (unsigned site = 0; site < SITES; site++) {
        fg_time_format(when, f->published[site] / FG_SECOND * FG_SECOND);
        get(f, site, f->path[site], now);
        if (how[site])
            assert_true(shows(f, join(f, how[site], when)));
        else
            assert_false(shows(f, "datetime") || shows(f, "Published") ||
                         shows(f, "2024/"));
    }
}

static void one_hub_says_nofollow(void **state)
{
    (void)state;
    struct fixture *f = the();
    assert_true(shows_at(f, STAR, "/latest", "content=\"nofollow\""));
    assert_true(shows_at(f, STAR, "/", "href=\"/latest\""));
    assert_false(shows(f, "nofollow"));
}

struct survey {
    struct fixture *f;
    size_t n, with_canonical, edited;
};

static bool look_at(void *context, const struct fg_web_article *article)
{
    struct survey *survey = context;
    struct fixture *f = survey->f;
    if (survey->n++ % 7)
        return true;
    const char *path = fg_arena_cstr(&f->arena, article->path);
    fg_time at = article->published > now ? article->published : now;
    assert_int_equal(get(f, article->site, path, at).status, 200);
    survey->with_canonical += shows(f, "rel=\"canonical\"");
    get(f, article->site, path, start + 5 * FG_DAY);
    survey->edited += shows(f, "class=\"correction\"");
    return true;
}

static void most_articles_name_their_canonical_address_and_some_are_edited(void **state)
{
    (void)state;
    struct survey survey = {.f = the()};
    fg_web_articles(survey.f->web, FG_NEVER, INT64_MAX, look_at, &survey);
    double seen = (double)survey.n / 7;
    assert_near((double)survey.with_canonical / seen, 0.8, 0.05);
    assert_near((double)survey.edited / seen, 0.15, 0.05);
}

static void there_is_stock_and_it_is_in_the_truth(void **state)
{
    (void)state;
    struct fixture *f = the();
    for (unsigned site = 0; site < SITES; site++) {
        assert_in_range(f->stock[site], 500, 700);
        assert_int_equal(get(f, site, f->old[site], start).status, 200);
    }
}

/* Requests leave nothing behind, and no page is long. */
static void the_same_seed_is_the_same_web_and_its_pages_are_bounded(void **state)
{
    (void)state;
    struct fixture *f = the(), g = {.web = ugly_web(1)};
    fg_buf_init(&g.body, 1 << 20);
    static const char *const paths[] = {
        "/",           "/page/2/",      "/topics",         "/archive/2024/09/",
        "/feed.xml",   "/comments.xml", "/sitemap.xml",    "/sitemap-1.xml",
        "/robots.txt", "/login",        "/section/sport",  "/calendar/2031/07/",
        "/go/3",       "/?p=3",         "/calendar/1/1/1", "/private/desk",
    };
    for (fg_time at = start; at < start + 5 * FG_DAY; at += 29 * FG_HOUR)
        for (unsigned site = 0; site < SITES; site++)
            for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
                struct fg_web_page a = get(f, site, paths[i], at);
                struct fg_web_page b = get(&g, site, paths[i], at);
                assert_int_equal(a.status, b.status);
                assert_true(a.version == b.version);
                assert_true(fg_str_eq(fg_buf_str(&f->body), fg_buf_str(&g.body)));
                assert_in_range(f->body.len, 0, 100000);
            }
    fg_buf_clear(&g.body);
    fg_web_free(g.web);
}

static void short_links_lead_to_articles_that_are_out(void **state)
{
    (void)state;
    struct fixture *f = the();
    struct fg_web_page page = get(f, LOG, "/?p=0", now);
    assert_int_equal(page.status, 301);
    assert_string_equal(page.location, f->old[LOG]);
    assert_int_equal(get(f, LOG, "/?p=99999999", now).status, 200); /* the home page */
}

FG_TESTS(lists_have_further_pages, archives_and_calendar_show_the_day_of_an_article,
         articles_have_pages_to_print_share_and_reply,
         sessions_are_in_every_link_and_last_an_hour,
         boxes_turn_over_by_the_hour_and_show_old_articles,
         the_feed_is_late_and_that_of_comments_is_about_the_past,
         the_sitemap_has_parts_and_moves_with_edits,
         dates_are_told_in_each_sites_way_and_on_one_not_at_all, one_hub_says_nofollow,
         most_articles_name_their_canonical_address_and_some_are_edited,
         there_is_stock_and_it_is_in_the_truth,
         the_same_seed_is_the_same_web_and_its_pages_are_bounded,
         short_links_lead_to_articles_that_are_out)
