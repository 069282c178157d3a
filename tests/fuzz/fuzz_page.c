/* A page as it comes from the charset layer: valid UTF-8. */
#include "base/utf8.h"
#include "net/html/page.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(claim)  \
    do {              \
        if (!(claim)) \
            abort();  \
    } while (0)

/* Collapsed: no white space at either end, and never two in a row. */
static void check_prose(struct fg_str s)
{
    CHECK(fg_utf8_is_valid(s));
    for (size_t i = 0; i < s.len; i++)
        if (fg_is_space(s.at[i])) {
            CHECK(s.at[i] == ' ' || s.at[i] == '\n');
            CHECK(i > 0 && i + 1 < s.len && !fg_is_space(s.at[i - 1]));
        }
}

static void check_link(const struct fg_link *link)
{
    CHECK(fg_utf8_is_valid(link->href));
    CHECK(fg_utf8_is_valid(link->type) && fg_utf8_is_valid(link->hreflang));
    CHECK(!link->href.len || !fg_is_space(link->href.at[0]));
    CHECK(link->words.len <= FG_PAGE_WORDS_MAX);
    check_prose(link->words);
    fg_link_is_feed(link);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_arena arena = {0}, other = {0};
    struct fg_str bytes = {(const char *)data, size};
    struct fg_str html = fg_utf8_clean(&arena, bytes);
    struct fg_page page, links;
    fg_page_read(&page, &arena, html, FG_PAGE_ALL);
    CHECK(page.n_links <= FG_PAGE_LINKS_MAX && page.n_metas <= FG_PAGE_METAS_MAX);
    CHECK(page.title.len <= FG_PAGE_TITLE_MAX && page.text.len <= FG_PAGE_TEXT_MAX);
    check_prose(page.text);
    check_prose(page.title);
    CHECK(fg_utf8_is_valid(page.base) && fg_utf8_is_valid(page.language));
    for (size_t i = 0; i < page.n_metas; i++)
        CHECK(fg_utf8_is_valid(page.metas[i].name) &&
              fg_utf8_is_valid(page.metas[i].content));

    /* the same links whatever else is asked for */
    fg_page_read(&links, &other, html, FG_PAGE_LINKS);
    CHECK(page.n_links == links.n_links);
    for (size_t i = 0; i < page.n_links; i++) {
        check_link(&page.links[i]);
        CHECK(fg_str_eq(page.links[i].href, links.links[i].href));
    }
    CHECK(fg_str_eq(page.base, links.base));
    fg_arena_clear(&arena);
    fg_arena_clear(&other);
    return 0;
}
