/* Link extraction from the real pages: our one pass against gumbo's tree, and against the
 * speed at which memchr can look at the same bytes. */
#include "bench.h"

#include "base/arena.h"
#include "base/vec.h"
#include "net/html/page.h"

#include <dirent.h>
#include <gumbo.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

struct pages {
    FG_VEC(struct fg_str) list;
    size_t bytes;
    unsigned parts;
    size_t links;
};

static void add_page(struct pages *pages, const char *path)
{
    gzFile z = gzopen(path, "rb");
    size_t n = 0, capacity = 1 << 22;
    char *text = malloc(capacity);
    for (int got; z && text && (got = gzread(z, text + n, (unsigned)(capacity - n))) > 0;)
        n += (size_t)got;
    if (z)
        gzclose(z);
    struct fg_str page = {realloc(text, n + 1), n};
    fg_vec_push(&pages->list, page);
    pages->bytes += n;
}

static void add_folder(struct pages *pages, const char *root, const char *name)
{
    char folder[1024], path[2048];
    snprintf(folder, sizeof folder, "%s/pages/%s", root, name);
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (strstr(e->d_name, ".html.gz")) {
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
            add_page(pages, path);
        }
    if (dir)
        closedir(dir);
}

static void ours(void *context)
{
    struct pages *pages = context;
    struct fg_arena arena = {0};
    struct fg_page page;
    pages->links = 0;
    for (size_t i = 0; i < pages->list.len; i++) {
        fg_page_read(&page, &arena, pages->list.at[i], pages->parts);
        for (size_t k = 0; k < page.n_links; k++)
            pages->links += page.links[k].from == FG_FROM_A;
        bench_use(page.text.len);
        fg_arena_reset(&arena);
    }
    fg_arena_clear(&arena);
}

static size_t walk(const GumboNode *node)
{
    if (node->type != GUMBO_NODE_ELEMENT)
        return 0;
    const GumboElement *element = &node->v.element;
    size_t n = element->tag == GUMBO_TAG_A &&
               gumbo_get_attribute(&element->attributes, "href") != NULL;
    for (unsigned i = 0; i < element->children.length; i++)
        n += walk(element->children.data[i]);
    return n;
}

static void gumbos(void *context)
{
    struct pages *pages = context;
    pages->links = 0;
    for (size_t i = 0; i < pages->list.len; i++) {
        struct fg_str page = pages->list.at[i];
        GumboOutput *output =
            gumbo_parse_with_options(&kGumboDefaultOptions, page.at, page.len);
        pages->links += walk(output->root);
        gumbo_destroy_output(&kGumboDefaultOptions, output);
    }
}

/* For a byte that is not there: the speed of looking. */
static void looking(void *context)
{
    struct pages *pages = context;
    for (size_t i = 0; i < pages->list.len; i++)
        bench_use((uintptr_t)memchr(pages->list.at[i].at, 0x01, pages->list.at[i].len));
}

int main(void)
{
    const char *root = getenv("FORAGE_CONFORMANCE");
    struct pages pages = {0};
    root = root && *root ? root : "../shared/conformance";
    add_folder(&pages, root, "aeb");
    add_folder(&pages, root, "readability");
    add_folder(&pages, root, "trafilatura");
    if (!pages.list.len) {
        printf("no pages in %s/pages, not measured\n", root);
        return 0;
    }
    double mebibytes = (double)pages.bytes / (1 << 20);
    printf("%zu pages, %.1f MiB\n", pages.list.len, mebibytes);

    pages.parts = FG_PAGE_LINKS;
    double links_only = bench_seconds(ours, &pages);
    size_t our_links = pages.links;
    pages.parts = FG_PAGE_ALL;
    double all = bench_seconds(ours, &pages);
    double gumbo = bench_seconds(gumbos, &pages), memory = bench_seconds(looking, &pages);

    bench_rate("html: links only", (double)pages.bytes / links_only, "B");
    bench_rate("html: links, words, head, text, JSON-LD", (double)pages.bytes / all, "B");
    bench_rate("html: gumbo, tree and walk", (double)pages.bytes / gumbo, "B");
    bench_rate("html: memchr", (double)pages.bytes / memory, "B");
    printf("links: ours %zu, gumbo %zu\n", our_links, pages.links);
    bench_ratio("html: links only", "gumbo", gumbo / links_only, 8);
    bench_ratio("html: everything", "gumbo", gumbo / all, 8);
    bench_ratio("html: links only", "memchr", memory / links_only, 0);
    bench_ratio("html: everything", "memchr", memory / all, 0);
    for (size_t i = 0; i < pages.list.len; i++)
        free((void *)(uintptr_t)pages.list.at[i].at);
    fg_vec_clear(&pages.list);
    return 0;
}
