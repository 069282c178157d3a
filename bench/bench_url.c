/* URL parsing and resolving against libcurl's URL API, over the links of real pages: the
 * absolute ones as the reference found them, and every href="..." as it stands in the
 * page, to be resolved against the page's address. curl gets its base parsed beforehand,
 * as we do, and both write the result out. */
#include "bench.h"

#include "base/arena.h"
#include "base/vec.h"
#include "net/url/canonical.h"
#include "net/url/domain.h"
#include "net/url/url.h"

#include <curl/curl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

struct page {
    struct fg_url base;
    CURLU *curl_base;
    FG_VEC(const char *) links, hrefs; /* absolute, and as written */
};

struct pages {
    struct fg_arena arena, scratch;
    FG_VEC(struct page) list;
    size_t n_links, n_hrefs;
};

static struct fg_str read_gz(struct fg_arena *arena, const char *path)
{
    FG_VEC(char) text = {0};
    gzFile f = gzopen(path, "rb");
    char chunk[1 << 16];
    for (int n; f && (n = gzread(f, chunk, sizeof chunk)) > 0;)
        for (int i = 0; i < n; i++)
            fg_vec_push(&text, chunk[i]);
    if (f)
        gzclose(f);
    struct fg_str copy = fg_arena_dup(arena, (struct fg_str){text.at, text.len});
    fg_vec_clear(&text);
    return copy;
}

/* A copy with "&amp;" decoded, by far the most frequent reference in addresses. */
static const char *decode(struct fg_arena *arena, struct fg_str href)
{
    char *out = fg_arena_cstr(arena, href), *to = out;
    for (size_t i = 0; i < href.len; i++) {
        *to++ = href.at[i];
        if (fg_str_starts(fg_str_skip(href, i), FG_STR("&amp;")))
            i += 4;
    }
    *to = '\0';
    return out;
}

static void find_hrefs(struct pages *pages, struct page *page, struct fg_str html)
{
    for (size_t at; (at = fg_str_find(html, FG_STR("href=\""))) != FG_NOT_FOUND;) {
        html = fg_str_skip(html, at + 6);
        size_t end = fg_str_chr(html, '"');
        if (end == FG_NOT_FOUND)
            return;
        if (end < 2000 && !memchr(html.at, '\0', end)) {
            const char *href = decode(&pages->arena, fg_str_sub(html, 0, end));
            fg_vec_push(&page->hrefs, href);
            pages->n_hrefs++;
        }
    }
}

static void add_page(struct pages *pages, const char *root, const json_t *record)
{
    struct page page = {0};
    const char *address = json_string_value(json_object_get(record, "url"));
    const char *id = json_string_value(json_object_get(record, "id"));
    struct fg_str base = fg_arena_dup(&pages->arena, fg_str_from(address));
    if (!fg_url_parse(&page.base, &pages->arena, base, NULL))
        return;
    page.curl_base = curl_url();
    if (curl_url_set(page.curl_base, CURLUPART_URL, address, 0))
        return;
    json_t *link, *links = json_object_get(record, "links");
    size_t i;
    json_array_foreach(links, i, link)
    {
        const char *text = json_string_value(json_array_get(link, 1));
        text = fg_arena_cstr(&pages->arena, fg_str_from(text));
        fg_vec_push(&page.links, text);
        pages->n_links++;
    }
    struct fg_str path = fg_arena_printf(&pages->arena, "%s/pages/%s.html.gz", root, id);
    struct fg_arena html = {0};
    find_hrefs(pages, &page, read_gz(&html, path.at));
    fg_arena_clear(&html);
    fg_vec_push(&pages->list, page);
}

static void load(struct pages *pages, const char *root)
{
    struct fg_str path = fg_arena_printf(&pages->arena, "%s/pages/links.jsonl.gz", root);
    struct fg_str text = read_gz(&pages->arena, path.at), line;
    while (fg_str_cut(&text, '\n', &line)) {
        json_t *record = json_loadb(line.at, line.len, 0, NULL);
        if (record)
            add_page(pages, root, record);
        json_decref(record);
    }
}

static void parse_ours(void *context)
{
    struct pages *pages = context;
    for (size_t i = 0; i < pages->list.len; i++) {
        struct page *page = &pages->list.at[i];
        fg_arena_reset(&pages->scratch);
        for (size_t j = 0; j < page->links.len; j++) {
            struct fg_url url;
            if (fg_url_parse(&url, &pages->scratch, fg_str_from(page->links.at[j]), NULL))
                bench_use(url.href.len);
        }
    }
}

static void resolve_ours(void *context)
{
    struct pages *pages = context;
    for (size_t i = 0; i < pages->list.len; i++) {
        struct page *page = &pages->list.at[i];
        fg_arena_reset(&pages->scratch);
        for (size_t j = 0; j < page->hrefs.len; j++) {
            struct fg_url url;
            if (fg_url_parse(&url, &pages->scratch, fg_str_from(page->hrefs.at[j]),
                             &page->base))
                bench_use(url.href.len);
        }
    }
}

static void resolve_slowly(void *context)
{
    struct pages *pages = context;
    for (size_t i = 0; i < pages->list.len; i++) {
        struct page *page = &pages->list.at[i];
        fg_arena_reset(&pages->scratch);
        for (size_t j = 0; j < page->hrefs.len; j++) {
            struct fg_url url;
            if (fg_url_parse_slowly(&url, &pages->scratch, fg_str_from(page->hrefs.at[j]),
                                    &page->base))
                bench_use(url.href.len);
        }
    }
}

static void canonicalise(void *context)
{
    struct pages *pages = context;
    for (size_t i = 0; i < pages->list.len; i++) {
        struct page *page = &pages->list.at[i];
        fg_arena_reset(&pages->scratch);
        for (size_t j = 0; j < page->hrefs.len; j++) {
            struct fg_url url;
            struct fg_str href = fg_str_from(page->hrefs.at[j]);
            if (fg_url_parse(&url, &pages->scratch, href, &page->base))
                bench_use(fg_canonical_fingerprint(
                    fg_canonical_from(&pages->scratch, &url, FG_CANONICAL_DEFAULT)));
        }
    }
}

static void find_domains(void *context)
{
    struct pages *pages = context;
    for (size_t i = 0; i < pages->list.len; i++) {
        struct page *page = &pages->list.at[i];
        for (size_t j = 0; j < page->links.len; j++)
            bench_use(fg_domain_registrable(fg_url_hostname(&page->base)).len);
    }
}

/* The flags make curl take what is written in pages: unknown schemes, blanks, UTF-8. */
enum { CURL_FLAGS = CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE };

static void set_and_get(CURLU *handle, const char *text)
{
    char *out;
    if (!curl_url_set(handle, CURLUPART_URL, text, CURL_FLAGS) &&
        !curl_url_get(handle, CURLUPART_URL, &out, 0)) {
        bench_use((uint64_t)out[0]);
        curl_free(out);
    }
    curl_url_cleanup(handle);
}

static void parse_curl(void *context)
{
    struct pages *pages = context;
    for (size_t i = 0; i < pages->list.len; i++)
        for (size_t j = 0; j < pages->list.at[i].links.len; j++)
            set_and_get(curl_url(), pages->list.at[i].links.at[j]);
}

static void resolve_curl(void *context)
{
    struct pages *pages = context;
    for (size_t i = 0; i < pages->list.len; i++) {
        struct page *page = &pages->list.at[i];
        for (size_t j = 0; j < page->hrefs.len; j++)
            set_and_get(curl_url_dup(page->curl_base), page->hrefs.at[j]);
    }
}

static void copy_only(void *context)
{
    struct pages *pages = context;
    for (size_t i = 0; i < pages->list.len; i++) {
        struct page *page = &pages->list.at[i];
        fg_arena_reset(&pages->scratch);
        for (size_t j = 0; j < page->links.len; j++)
            bench_use((uintptr_t)fg_arena_cstr(&pages->scratch,
                                               fg_str_from(page->links.at[j])));
    }
}

static void measure(struct pages *pages)
{
    double links = (double)pages->n_links, hrefs = (double)pages->n_hrefs;
    printf("%zu pages, %zu absolute links, %zu href attributes\n", pages->list.len,
           pages->n_links, pages->n_hrefs);
    double parse = bench_seconds(parse_ours, pages);
    double resolve = bench_seconds(resolve_ours, pages);
    bench_rate("parse an absolute link", links / parse, "URLs");
    bench_ratio("parse an absolute link", "curl_url_set/get",
                bench_seconds(parse_curl, pages) / parse, 2);
    bench_ratio("parse an absolute link", "strlen and memcpy",
                bench_seconds(copy_only, pages) / parse, 0);
    bench_rate("resolve an href", hrefs / resolve, "URLs");
    bench_ratio("resolve an href", "curl_url_set/get",
                bench_seconds(resolve_curl, pages) / resolve, 2);
    bench_rate("resolve an href, the long way only",
               hrefs / bench_seconds(resolve_slowly, pages), "URLs");
    bench_rate("resolve, canonical form, fingerprint",
               hrefs / bench_seconds(canonicalise, pages), "URLs");
    bench_rate("registrable domain", links / bench_seconds(find_domains, pages), "hosts");
}

int main(void)
{
    const char *root = getenv("FORAGE_CONFORMANCE");
    struct pages pages = {0};
    load(&pages, root && *root ? root : "../shared/conformance");
    if (pages.n_links)
        measure(&pages);
    else
        printf("no pages in the conformance folder, not run\n");
    for (size_t i = 0; i < pages.list.len; i++) {
        curl_url_cleanup(pages.list.at[i].curl_base);
        fg_vec_clear(&pages.list.at[i].links);
        fg_vec_clear(&pages.list.at[i].hrefs);
    }
    fg_vec_clear(&pages.list);
    fg_arena_clear(&pages.arena);
    fg_arena_clear(&pages.scratch);
    return 0;
}
