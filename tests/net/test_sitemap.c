#include "test.h"

#include "base/buf.h"
#include "net/feed/sitemap.h"
#include "net/http/gunzip.h"

#include <zlib.h>

/* The URLs that were read, each followed by a blank, and the last entry's fields. */
struct seen {
    struct fg_buf urls;
    struct fg_sitemap_result result;
    size_t n;
    fg_time lastmod, news_date;
    enum fg_changefreq changefreq;
    double priority;
    char title[64];
    unsigned line;
};

static void take(void *context, const struct fg_sitemap_entry *entry)
{
    struct seen *seen = context;
    if (seen->n++ < 1000) {
        fg_buf_add(&seen->urls, entry->url->href);
        fg_buf_add_char(&seen->urls, ' ');
    }
    seen->lastmod = entry->lastmod;
    seen->news_date = entry->news_date;
    seen->changefreq = entry->changefreq;
    seen->priority = entry->priority;
    seen->line = entry->line;
    snprintf(seen->title, sizeof seen->title, "%.*s", FG_ARG(entry->news_title));
}

static void read_pieces(struct seen *seen, const struct fg_sitemap_options *options,
                        struct fg_str bytes, size_t piece)
{
    *seen = (struct seen){0};
    fg_buf_init(&seen->urls, 1 << 20);
    struct fg_sitemap *map = fg_sitemap_new(options, take, seen);
    for (; bytes.len; bytes = fg_str_skip(bytes, piece)) {
        struct fg_str part = fg_str_sub(bytes, 0, piece);
        char *copy = malloc(part.len);
        memcpy(copy, part.at, part.len);
        fg_sitemap_feed(map, (struct fg_str){copy, part.len});
        free(copy);
    }
    seen->result = *fg_sitemap_finish(map);
    fg_sitemap_free(map);
}

static const struct fg_sitemap_options at_example = {
    .url = {"http://example.org/maps/map.xml", 31}};

/* Whatever the pieces, the same URLs; the caller clears `seen`. */
static void read_all(struct seen *seen, struct fg_str bytes)
{
    struct seen again;
    read_pieces(seen, &at_example, bytes, 1 << 20);
    for (size_t piece = 1; piece < 40; piece += 13) {
        read_pieces(&again, &at_example, bytes, piece);
        assert_true(fg_str_eq(fg_buf_str(&again.urls), fg_buf_str(&seen->urls)));
        assert_int_equal(again.result.kind, seen->result.kind);
        fg_buf_clear(&again.urls);
    }
}

static void assert_urls(struct fg_str bytes, enum fg_sitemap_kind kind, const char *urls)
{
    struct seen seen;
    read_all(&seen, bytes);
    assert_str(fg_buf_str(&seen.urls), urls);
    assert_string_equal(fg_sitemap_kind_name(seen.result.kind),
                        fg_sitemap_kind_name(kind));
    fg_buf_clear(&seen.urls);
}

#define URLSET "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"

static void fields_are_read(void **state)
{
    (void)state;
    struct seen seen;
    read_all(&seen,
             FG_STR("<?xml version='1.0'?>\n" URLSET
                    "\n<url>\n<loc> http://a.org/?b&amp;c"
                    " </loc><lastmod>2004-10-01T18:23:17+02:00</lastmod><priority>0.8"
                    "</priority><changefreq> Daily </changefreq></url></urlset>"));
    assert_str(fg_buf_str(&seen.urls), "http://a.org/?b&c ");
    assert_int_equal(seen.result.n_urls, 1);
    assert_true(seen.lastmod == INT64_C(1096647797) * FG_SECOND);
    assert_near(seen.priority, 0.8, 1e-12);
    assert_int_equal(seen.changefreq, FG_CHANGE_DAILY);
    assert_int_equal(seen.line, 3);
    assert_true(seen.result.well_formed);
    fg_buf_clear(&seen.urls);
}

static void extensions_are_passed_over(void **state)
{
    (void)state;
    struct seen seen;
    read_all(
        &seen,
        FG_STR("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' "
               "xmlns:i='http://www.google.com/schemas/sitemap-image/1.1' "
               "xmlns:n='http://www.google.com/schemas/sitemap-news/0.9'>"
               "<url><loc>http://a.org/1</loc><i:image><i:loc>http://a.org/i.png</i:loc>"
               "<i:title>no</i:title></i:image><n:news><n:publication_date>2020-01-02"
               "</n:publication_date><n:title>News &amp; more</n:title></n:news>"
               "<video:loc>http://a.org/v</video:loc></url></urlset>"));
    assert_str(fg_buf_str(&seen.urls), "http://a.org/1 ");
    assert_string_equal(seen.title, "News & more");
    assert_true(seen.news_date == INT64_C(18263) * FG_DAY);
    assert_true(seen.lastmod == FG_NEVER);
    assert_true(seen.priority == -1);
    fg_buf_clear(&seen.urls);
}

static void sloppy_maps_are_understood(void **state)
{
    (void)state;
    assert_urls(
        FG_STR("<sitemapindex><sitemap><loc>/a.xml</loc><loc>b.xml</loc></sitemap>"
               "<sitemap> http://c.org/c.xml </sitemap></sitemapindex>"),
        FG_SITEMAP_INDEX,
        "http://example.org/a.xml http://example.org/maps/b.xml http://c.org/c.xml ");
    assert_urls(FG_STR("<urlset><url><loc>www.a.org/1</loc><url><loc>example.org/2</loc>"
                       "<url><loc>//a.org/3</url></urlset>"),
                FG_SITEMAP_URLS,
                "http://www.a.org/1 http://example.org/2 http://a.org/3 ");
    assert_urls(FG_STR("<urlset><url><loc>http://a.org/1?a=1&b=2</loc></loc></url></url>"
                       "<url><loc><![CDATA[ http://a.org/2 ]]></loc></url></urlset>"),
                FG_SITEMAP_URLS, "http://a.org/1?a=1&b=2 http://a.org/2 ");
    assert_urls(
        FG_STR("<urlset><url><loc>http://a.org/1</loc></url><url><loc>http://a.o"),
        FG_SITEMAP_URLS, "http://a.org/1 ");
    assert_urls(FG_STR("<urlset><url><loc>http://a.org/1</lo"), FG_SITEMAP_URLS,
                "http://a.org/1 ");
    assert_urls(FG_STR("<other><url><loc>http://a.org/1</loc></url></other>"),
                FG_SITEMAP_URLS, "http://a.org/1 ");
}

static void text_and_feeds_are_sitemaps_too(void **state)
{
    (void)state;
    assert_urls(FG_STR("\xEF\xBB\xBFhttp://a.org/1\r\n\r\n  http://a.org/2  \nnonsense\n"
                       "ftp://a.org/3\nhttp://a.org/4"),
                FG_SITEMAP_TEXT, "http://a.org/1 http://a.org/2 http://a.org/4 ");
    assert_urls(
        FG_STR("<rss><channel><link>http://a.org/</link><item><link>http://a.org/1"
               "</link></item><item><guid>http://a.org/2</guid></item></channel></rss>"),
        FG_SITEMAP_RSS, "http://a.org/1 http://a.org/2 ");
    assert_urls(FG_STR("<feed xmlns='http://www.w3.org/2005/Atom'><link href='/'/><entry>"
                       "<link rel='self' href='/s'/><link href='/1'/></entry></feed>"),
                FG_SITEMAP_ATOM, "http://example.org/1 ");
}

static void other_things_are_not(void **state)
{
    (void)state;
    assert_urls(FG_STR(""), FG_SITEMAP_NONE, "");
    assert_urls(FG_STR("just words\nand more"), FG_SITEMAP_NONE, "");
    assert_urls(FG_STR("<html><body><a href='http://a.org/'>a</a></body></html>"),
                FG_SITEMAP_NONE, "");
    assert_urls(FG_STR("<sitemapinde"), FG_SITEMAP_NONE, "");
}

static void what_is_wrong_is_counted(void **state)
{
    (void)state;
    struct seen seen;
    read_all(&seen,
             FG_STR(URLSET "\n<url><loc>http://[</loc></url>\n<url><loc>mailto:a@b.org"
                           "</loc></url><url></url>\n<url><loc>http://a.org/</loc>"
                           "<lastmod>yesterday</lastmod><priority>2</priority>"
                           "<changefreq>often</changefreq></url></urlset>"));
    assert_int_equal(seen.result.issues[FG_SITEMAP_BAD_LOC].count, 2);
    assert_int_equal(seen.result.issues[FG_SITEMAP_BAD_LOC].line, 2);
    assert_int_equal(seen.result.issues[FG_SITEMAP_NO_LOC].count, 1);
    assert_int_equal(seen.result.issues[FG_SITEMAP_NO_LOC].line, 3);
    assert_int_equal(seen.result.issues[FG_SITEMAP_BAD_LASTMOD].line, 4);
    assert_int_equal(seen.result.issues[FG_SITEMAP_BAD_PRIORITY].line, 4);
    assert_int_equal(seen.result.issues[FG_SITEMAP_BAD_CHANGEFREQ].line, 4);
    assert_int_equal(seen.result.n_urls, 1);
    fg_buf_clear(&seen.urls);
}

static void limits_cut_and_are_told(void **state)
{
    (void)state;
    struct fg_sitemap_options options = at_example;
    struct seen seen;
    options.max_urls = 2;
    read_pieces(&seen, &options,
                FG_STR("http://a.org/1\nhttp://a.org/2\nhttp://a.org/3\n"), 5);
    assert_int_equal(seen.n, 2);
    assert_int_equal(seen.result.issues[FG_SITEMAP_TOO_MANY_URLS].count, 1);
    fg_buf_clear(&seen.urls);

    options = at_example;
    options.max_bytes = 110;
    read_pieces(&seen, &options,
                FG_STR(URLSET "<url><loc>http://a.org/1</loc></url>"
                              "<url><loc>http://a.org/2</loc></url></urlset>"),
                7);
    assert_str(fg_buf_str(&seen.urls), "http://a.org/1 ");
    assert_true(seen.result.issues[FG_SITEMAP_TOO_LARGE].count > 0);
    fg_buf_clear(&seen.urls);

    struct fg_buf text;
    fg_buf_init(&text, 1 << 20);
    fg_buf_printf(&text, "<urlset><url><loc>http://a.org/%0*d</loc></url>",
                  FG_SITEMAP_LOC_MAX, 0);
    fg_buf_printf(&text, "<url><loc>http://a.org/%0*d</loc></url>", 100000, 0);
    fg_buf_printf(&text, "<url><loc>http://a.org/1</loc></url></urlset>");
    read_pieces(&seen, &at_example, fg_buf_str(&text), 1000);
    assert_str(fg_buf_str(&seen.urls), "http://a.org/1 ");
    assert_int_equal(seen.result.issues[FG_SITEMAP_LONG_LOC].count, 2);
    fg_buf_clear(&seen.urls);
    fg_buf_clear(&text);
}

static void scope_is_the_folder(void **state)
{
    (void)state;
    struct fg_sitemap_options options = at_example;
    struct seen seen;
    options.in_scope_only = true;
    read_pieces(&seen, &options,
                FG_STR("http://example.org/maps/1\nhttp://example.org/2\n"
                       "https://example.org/maps/3\nhttp://example.org:81/maps/4\n"
                       "http://example.org/maps/../5\nhttp://other.org/maps/6\n"),
                1000);
    assert_str(fg_buf_str(&seen.urls), "http://example.org/maps/1 ");
    assert_int_equal(seen.result.issues[FG_SITEMAP_OUT_OF_SCOPE].count, 5);
    fg_buf_clear(&seen.urls);
}

/* --- gzip --- */

static struct fg_buf pack(struct fg_str bytes)
{
    struct fg_buf out;
    fg_buf_init(&out, 64 << 20);
    z_stream z = {0};
    deflateInit2(&z, 9, Z_DEFLATED, 16 + 15, 9, Z_DEFAULT_STRATEGY);
    size_t room = deflateBound(&z, bytes.len);
    z.next_in = (Bytef *)bytes.at;
    z.avail_in = (uInt)bytes.len;
    z.next_out = (Bytef *)fg_buf_reserve(&out, room);
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    out.len = room - z.avail_out;
    deflateEnd(&z);
    return out;
}

static void gzip_is_unpacked(void **state)
{
    (void)state;
    struct fg_buf once = pack(FG_STR("http://a.org/1\nhttp://a.org/2\n"));
    assert_urls(fg_buf_str(&once), FG_SITEMAP_TEXT, "http://a.org/1 http://a.org/2 ");
    struct fg_buf twice = pack(fg_buf_str(&once));
    assert_urls(fg_buf_str(&twice), FG_SITEMAP_TEXT, "http://a.org/1 http://a.org/2 ");
    /* Two members, one behind the other, and padding. */
    struct fg_buf more = pack(FG_STR("http://a.org/3\n"));
    fg_buf_add(&once, fg_buf_str(&more));
    fg_buf_add(&once, FG_STR("\0\0\0\0"));
    assert_urls(fg_buf_str(&once), FG_SITEMAP_TEXT,
                "http://a.org/1 http://a.org/2 http://a.org/3 ");
    fg_buf_clear(&once);
    fg_buf_clear(&twice);
    fg_buf_clear(&more);
}

static void broken_gzip_gives_what_it_has(void **state)
{
    (void)state;
    struct fg_buf packed = pack(FG_STR("http://a.org/1\nhttp://a.org/2"));
    struct seen seen;
    read_pieces(&seen, &at_example, fg_str_sub(fg_buf_str(&packed), 0, packed.len - 9),
                1000);
    assert_int_equal(seen.result.issues[FG_SITEMAP_CUT_GZIP].count, 1);
    assert_int_equal(seen.result.issues[FG_SITEMAP_BROKEN_GZIP].count, 0);
    assert_str(fg_buf_str(&seen.urls), "http://a.org/1 ");
    fg_buf_clear(&seen.urls);
    packed.at[12] ^= 0x55;
    read_pieces(&seen, &at_example, fg_buf_str(&packed), 1000);
    assert_int_equal(seen.result.issues[FG_SITEMAP_BROKEN_GZIP].count, 1);
    fg_buf_clear(&seen.urls);
    fg_buf_clear(&packed);
}

static void bombs_are_refused(void **state)
{
    (void)state;
    struct fg_buf blanks;
    fg_buf_init(&blanks, 64 << 20);
    size_t n = 32 << 20;
    memset(fg_buf_reserve(&blanks, n), ' ', n);
    blanks.len = n;
    struct fg_buf bomb = pack(fg_buf_str(&blanks));
    struct seen seen;
    read_pieces(&seen, &at_example, fg_buf_str(&bomb), 4096);
    assert_int_equal(seen.result.issues[FG_SITEMAP_BOMB].count, 1);
    assert_true(seen.result.unpacked_bytes < n / 4);
    fg_buf_clear(&seen.urls);
    /* A parcel in a parcel in a parcel. */
    struct fg_buf nested = pack(FG_STR("http://a.org/1\n"));
    for (int i = 0; i < 2; i++) {
        struct fg_buf outer = pack(fg_buf_str(&nested));
        fg_buf_clear(&nested);
        nested = outer;
    }
    read_pieces(&seen, &at_example, fg_buf_str(&nested), 4096);
    assert_int_equal(seen.result.issues[FG_SITEMAP_BOMB].count, 1);
    assert_int_equal(seen.n, 0);
    fg_buf_clear(&seen.urls);
    fg_buf_clear(&nested);
    fg_buf_clear(&bomb);
    fg_buf_clear(&blanks);
}

static void fifty_thousand_is_the_limit(void **state)
{
    (void)state;
    struct fg_buf text;
    fg_buf_init(&text, 64 << 20);
    for (int i = 0; i <= FG_SITEMAP_URLS_MAX; i++)
        fg_buf_printf(&text, "http://a.org/%d\n", i);
    struct seen seen;
    read_pieces(&seen, &at_example, fg_buf_str(&text), 8192);
    assert_int_equal(seen.n, FG_SITEMAP_URLS_MAX);
    assert_int_equal(seen.result.issues[FG_SITEMAP_TOO_MANY_URLS].count, 1);
    fg_buf_clear(&seen.urls);
    fg_buf_clear(&text);
}

FG_TESTS(fields_are_read, extensions_are_passed_over, sloppy_maps_are_understood,
         text_and_feeds_are_sitemaps_too, other_things_are_not, what_is_wrong_is_counted,
         limits_cut_and_are_told, scope_is_the_folder, gzip_is_unpacked,
         broken_gzip_gives_what_it_has, bombs_are_refused, fifty_thousand_is_the_limit)
