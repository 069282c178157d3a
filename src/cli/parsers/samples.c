/* samples.c - each parser on a few bytes whose answer is known
 *
 * Not a test of the parsers, which have their own: it finds a build or a library that is
 * broken on this machine. */
#include "cli/parsers/samples.h"

#include "net/charset/charset.h"
#include "net/feed/feed.h"
#include "net/feed/sitemap.h"
#include "net/html/page.h"
#include "net/robots/robots.h"
#include "net/text/change.h"
#include "net/url/canonical.h"
#include "net/url/domain.h"
#include "net/url/url.h"

static bool url_works(struct fg_arena *arena)
{
    struct fg_url base, url;
    return fg_url_parse(&base, arena,
                        FG_STR("HTTP://B\xC3\xBC"
                               "cher.example/a/b"),
                        NULL) &&
           fg_url_parse(&url, arena, FG_STR("../c?utm_source=x&d=1#e"), &base) &&
           fg_str_eq(fg_canonical_from(arena, &url, FG_CANONICAL_DEFAULT),
                     FG_STR("http://xn--bcher-kva.example/c?d=1"));
}

static bool domain_works(struct fg_arena *arena)
{
    (void)arena;
    return fg_str_eq(fg_domain_registrable(FG_STR("news.example.co.uk")),
                     FG_STR("example.co.uk"));
}

static bool html_works(struct fg_arena *arena)
{
    struct fg_page page;
    fg_page_read(&page, arena,
                 FG_STR("<title>A &amp; B</title><!-- <a href=no> --><a href='/x'>y</a>"),
                 FG_PAGE_ALL);
    return page.n_links == 1 && fg_str_eq(page.links[0].href, FG_STR("/x")) &&
           fg_str_eq(page.title, FG_STR("A & B"));
}

static bool robots_works(struct fg_arena *arena)
{
    const struct fg_robots *robots = fg_robots_parse(
        arena, FG_STR("User-agent: *\nDisallow: /a\nAllow: /a/b$\n"), FG_STR("forage"));
    return !fg_robots_allows(robots, FG_STR("/a/b/c")) &&
           fg_robots_allows(robots, FG_STR("/a/b"));
}

static bool charset_works(struct fg_arena *arena)
{
    struct fg_str bytes = FG_STR("<meta charset=windows-1251>\xCF\xF0\xE8");
    struct fg_charset charset = fg_charset_of_html(bytes, (struct fg_str){0});
    return fg_str_ends(fg_charset_decode(arena, charset, bytes),
                       FG_STR("\xD0\x9F\xD1\x80\xD0\xB8"));
}

static bool feed_works(struct fg_arena *arena)
{
    const struct fg_feed *feed = fg_feed_parse(
        arena,
        FG_STR("<rss version='2.0'><channel><item><link>http://a.example/</link>"
               "<pubDate>Sun, 15 Nov 2026 21:02:18 GMT</pubDate></item></channel></rss>"),
        NULL);
    return feed->n_entries == 1 &&
           fg_str_eq(feed->entries[0].link, FG_STR("http://a.example/")) &&
           feed->entries[0].dates[FG_FEED_PUBLISHED].time ==
               fg_days_from_date(2026, 11, 15) * FG_DAY + 75738 * FG_SECOND;
}

static void count_entry(void *n, const struct fg_sitemap_entry *entry)
{
    *(size_t *)n += fg_str_eq(entry->url->href, FG_STR("http://a.example/x?b&c")) &&
                    entry->lastmod == fg_days_from_date(2026, 11, 15) * FG_DAY;
}

static bool sitemap_works(struct fg_arena *arena)
{
    (void)arena;
    size_t n = 0;
    struct fg_sitemap_options how = {.url = FG_STR("http://a.example/sitemap.xml")};
    struct fg_sitemap *map = fg_sitemap_new(&how, count_entry, &n);
    fg_sitemap_feed(map, FG_STR("<urlset><url><loc>http://a.example/x?b&amp;c</loc>"
                                "<lastmod>2026-11-15</lastmod></url></urlset>"));
    fg_sitemap_finish(map);
    fg_sitemap_free(map);
    return n == 1;
}

static bool shingle_works(struct fg_arena *arena)
{
    (void)arena;
    struct fg_shingler shingler;
    fg_shingler_init(&shingler, FG_SHINGLE_WORDS);
    struct fg_change same = fg_change_between(
        &shingler, FG_STR("the clock shows 10:15 and the town sleeps on"),
        FG_STR("the clock shows 11:42 and the town sleeps on"), FG_CHANGE_THRESHOLD);
    struct fg_change other = fg_change_between(
        &shingler, FG_STR("the clock shows 10:15 and the town sleeps on"),
        FG_STR("something else was written here this morning"), FG_CHANGE_THRESHOLD);
    return !same.changed && same.figures_only && other.changed;
}

const struct fg_sample fg_samples[] = {
    {"url", url_works},         {"domain", domain_works},   {"html", html_works},
    {"robots", robots_works},   {"charset", charset_works}, {"feed", feed_works},
    {"sitemap", sitemap_works}, {"shingle", shingle_works}, {0},
};
