/* The first line is an address, the rest a page as it comes from the charset layer. */
#include "base/utf8.h"
#include "net/facts/facts.h"
#include "net/facts/kind.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(claim)  \
    do {              \
        if (!(claim)) \
            abort();  \
    } while (0)

static void check_verdict(struct fg_kind_verdict verdict)
{
    CHECK(verdict.certainty >= 0.5F && verdict.certainty <= 1 && verdict.reason);
    CHECK(fg_kind_name(verdict.kind));
}

static void check_address(struct fg_arena *arena, struct fg_str url)
{
    fg_time span = 0;
    fg_time day = fg_address_date(url, &span);
    CHECK(day == FG_NEVER || (span >= FG_DAY && span <= 31 * FG_DAY));
    CHECK(fg_address_subject(arena, url).len < url.len || !url.len);
    check_verdict(fg_kind_of_address(url));
    CHECK(fg_address_is_view_of(url, url));
    CHECK(!fg_address_is_continuation(url) ||
          fg_kind_of_address(url).kind == FG_KIND_LIST);
}

static void check_facts(const struct fg_facts *facts)
{
    CHECK(facts->excerpt.len <= FG_EXCERPT_MAX && fg_utf8_is_valid(facts->excerpt));
    CHECK(fg_utf8_is_valid(facts->title) && fg_utf8_is_valid(facts->h1));
    CHECK(facts->main.listed_words <= facts->main.words);
    CHECK(facts->main.pre_words <= facts->main.words);
    CHECK(facts->n_linked_headings <= facts->n_headings);
    CHECK(!facts->published_is_day || facts->published != FG_NEVER);
    CHECK(facts->published == FG_NEVER || facts->published_from != FG_NEVER);
    CHECK(facts->published_from <= facts->published_until);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_arena arena = {0};
    struct fg_str html = {(const char *)data, size}, url;
    if (!fg_str_cut(&html, '\n', &url))
        return 0;
    check_address(&arena, url);
    html = fg_utf8_clean(&arena, html);
    struct fg_page page;
    struct fg_facts facts;
    struct fg_facts_visit visit = {.url = url, .now = FG_NEVER};
    fg_page_read(&page, &arena, html, FG_PAGE_ALL);
    fg_facts_read(&facts, &arena, &page, html, &visit);
    check_facts(&facts);
    check_verdict(fg_kind_of_page(&facts, url, page.title));
    fg_arena_clear(&arena);
    return 0;
}
