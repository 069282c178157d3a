/* Sitemaps: every entry is a URL of the web within its limits, pieces do not matter, and
 * the counts add up. */
#include "base/utf8.h"
#include "net/feed/sitemap.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
    size_t n;
    uint64_t hash;
};

static void take(void *context, const struct fg_sitemap_entry *entry)
{
    struct seen *seen = context;
    seen->n++;
    seen->hash = seen->hash * 31 + fg_str_hash(entry->url->href);
    if (!fg_url_is_http(entry->url) || entry->loc.len > FG_SITEMAP_LOC_MAX ||
        !fg_utf8_is_valid(entry->loc) || !fg_utf8_is_valid(entry->url->href) ||
        !fg_utf8_is_valid(entry->news_title) || !fg_utf8_is_valid(entry->lastmod_text) ||
        !(entry->priority == -1 || (entry->priority >= 0 && entry->priority <= 1)))
        abort();
}

static struct seen read_pieces(struct fg_str bytes, size_t piece)
{
    enum { URLS = 100, BYTES = 1 << 20 };
    struct fg_sitemap_options options = {.url = FG_STR("https://example.org/a/map.xml"),
                                         .max_urls = URLS,
                                         .max_bytes = BYTES};
    struct seen seen = {0};
    struct fg_sitemap *map = fg_sitemap_new(&options, take, &seen);
    for (; bytes.len; bytes = fg_str_skip(bytes, piece))
        fg_sitemap_feed(map, fg_str_sub(bytes, 0, piece));
    const struct fg_sitemap_result *result = fg_sitemap_finish(map);
    if (result->n_urls != seen.n || seen.n > URLS || result->unpacked_bytes > BYTES ||
        (result->kind == FG_SITEMAP_NONE) !=
            (result->issues[FG_SITEMAP_UNRECOGNISED].count > 0))
        abort();
    fg_sitemap_free(map);
    return seen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_str bytes = {(const char *)data, size};
    struct seen whole = read_pieces(bytes, size + 1);
    /* Large enough for the encoding to be found from the same bytes. */
    struct seen pieces = read_pieces(bytes, size < 1024 ? 5 : 2048);
    if (whole.n != pieces.n || whole.hash != pieces.hash)
        abort();
    return 0;
}
