/* Sitemaps and feeds: bytes a second, against libxml2 alone with handlers that do
 * nothing. That is the limit: we cannot be faster than the parser we stand on. */
#include "base/buf.h"
#include "bench.h"
#include "net/feed/feed.h"
#include "net/feed/sitemap.h"
#include "net/text/date.h"

#include <libxml/parser.h>

enum { URLS = 50000, ENTRIES = 5000, CHUNK = 16 << 10 };

static void make_sitemap(struct fg_buf *out)
{
    fg_buf_printf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset "
                       "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
    for (int i = 0; i < URLS; i++)
        fg_buf_printf(
            out,
            "  <url>\n    <loc>https://www.example.org/news/%d/article-%07d?"
            "ref=map&amp;page=%d</loc>\n    <lastmod>20%02d-%02d-%02dT12:%02d:00+01:00"
            "</lastmod>\n    <changefreq>daily</changefreq>\n"
            "    <priority>0.%d</priority>\n  </url>\n",
            i % 97, i, i % 7, i % 25, i % 12 + 1, i % 28 + 1, i % 60, i % 10);
    fg_buf_printf(out, "</urlset>\n");
}

static void make_feed(struct fg_buf *out)
{
    fg_buf_printf(
        out, "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><title>T</title>"
             "<link>https://www.example.org/</link>\n");
    for (int i = 0; i < ENTRIES; i++)
        fg_buf_printf(
            out,
            "<item><title>Story number %d</title>\n<link>https://www.example.org/%d"
            "</link>\n<guid isPermaLink=\"false\">urn:story:%d</guid>\n<pubDate>"
            "Tue, %02d Dec 2002 14:20:20 GMT</pubDate>\n<description>&lt;p&gt;Some "
            "words &lt;a href=\"/x%d\"&gt;and a link&lt;/a&gt; and more of the "
            "same, as feeds have them.&lt;/p&gt;</description></item>\n",
            i, i, i, i % 28 + 1, i);
    fg_buf_printf(out, "</channel></rss>\n");
}

/* --- libxml2 alone --- */

static void no_start(void *context, const xmlChar *name, const xmlChar *prefix,
                     const xmlChar *uri, int n_ns, const xmlChar **ns, int n,
                     int n_default, const xmlChar **attributes)
{
    (void)context, (void)name, (void)prefix, (void)uri, (void)n_ns, (void)ns, (void)n,
        (void)n_default, (void)attributes;
}
static void no_end(void *context, const xmlChar *name, const xmlChar *prefix,
                   const xmlChar *uri)
{
    (void)context, (void)name, (void)prefix, (void)uri;
}
static void no_text(void *context, const xmlChar *text, int len)
{
    (void)context, (void)text, (void)len;
}

static void parse_alone(void *context)
{
    const struct fg_buf *text = context;
    xmlSAXHandler sax = {.initialized = XML_SAX2_MAGIC,
                         .startElementNs = no_start,
                         .endElementNs = no_end,
                         .characters = no_text,
                         .ignorableWhitespace = no_text,
                         .cdataBlock = no_text};
    xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&sax, NULL, NULL, 0, NULL);
    for (struct fg_str rest = fg_buf_str(text); rest.len;
         rest = fg_str_skip(rest, CHUNK)) {
        struct fg_str chunk = fg_str_sub(rest, 0, CHUNK);
        xmlParseChunk(parser, chunk.at, (int)chunk.len, 0);
    }
    xmlParseChunk(parser, NULL, 0, 1);
    bench_use((uint64_t)parser->wellFormed);
    xmlFreeParserCtxt(parser);
}

/* --- ours --- */

static void count(void *context, const struct fg_sitemap_entry *entry)
{
    *(uint64_t *)context += entry->url->href.len + (entry->lastmod != FG_NEVER);
}

static void read_sitemap(void *context)
{
    const struct fg_buf *text = context;
    uint64_t sum = 0;
    struct fg_sitemap_options options = {.url =
                                             FG_STR("https://www.example.org/map.xml")};
    struct fg_sitemap *map = fg_sitemap_new(&options, count, &sum);
    for (struct fg_str rest = fg_buf_str(text); rest.len; rest = fg_str_skip(rest, CHUNK))
        fg_sitemap_feed(map, fg_str_sub(rest, 0, CHUNK));
    bench_use(fg_sitemap_finish(map)->n_urls + sum);
    fg_sitemap_free(map);
}

static void read_feed(void *context)
{
    const struct fg_buf *text = context;
    struct fg_arena arena = {0};
    struct fg_feed_options options = {.url = FG_STR("https://www.example.org/feed")};
    bench_use(fg_feed_parse(&arena, fg_buf_str(text), &options)->n_entries);
    fg_arena_clear(&arena);
}

static void read_dates(void *context)
{
    (void)context;
    uint64_t sum = 0;
    for (int i = 0; i < 1000; i++) {
        sum += (uint64_t)fg_date_parse(FG_STR("2024-02-29T12:34:56+01:00"));
        sum += (uint64_t)fg_date_parse(FG_STR("Thu, 29 Feb 2024 12:34:56 GMT"));
    }
    bench_use(sum);
}

static void compare(const char *what, struct fg_buf *text, void (*ours)(void *))
{
    double limit = bench_seconds(parse_alone, text), seconds = bench_seconds(ours, text);
    bench_rate(what, (double)text->len / seconds, "B");
    bench_ratio(what, "libxml2 with empty handlers", limit / seconds, 0);
}

int main(void)
{
    struct fg_buf text;
    fg_buf_init(&text, 64 << 20);
    make_sitemap(&text);
    compare("sitemap of 50,000 urls", &text, read_sitemap);
    fg_buf_reset(&text);
    make_feed(&text);
    compare("feed of 5,000 entries", &text, read_feed);
    fg_buf_clear(&text);
    bench_rate("dates", 2000 / bench_seconds(read_dates, NULL), "dates");
    return 0;
}
