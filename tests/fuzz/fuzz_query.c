/* What somebody typed, on the first line, and a text it is looked for in: the query is
 * refused with a reason or within its bounds, and the snippet is of the text's words. */
#include "base/utf8.h"
#include "search/query.h"
#include "search/snippet.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(claim)  \
    do {              \
        if (!(claim)) \
            abort();  \
    } while (0)

static void check_query(const struct fg_query *query)
{
    CHECK(query->n && query->n <= FG_QUERY_GROUPS && query->n_wanted <= query->n);
    CHECK(query->n - query->n_wanted <= FG_QUERY_UNWANTED);
    for (size_t i = 0; i < query->n; i++)
        CHECK(query->words[i].len && query->times[i] >= 1);
}

static void check_snippet(const struct fg_marked *snippet)
{
    size_t last = 0;
    for (size_t i = 0; i < snippet->n_marks; i++) {
        CHECK(snippet->marks[i].from >= last);
        CHECK(snippet->marks[i].to > snippet->marks[i].from);
        last = snippet->marks[i].to;
    }
    CHECK(last <= snippet->text.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const codes[] = {"en", "de", ""};
    static struct fg_query query;
    struct fg_arena arena = {0};
    struct fg_err err = {0};
    struct fg_str all = {(const char *)data, size};
    struct fg_str typed, text = all;
    fg_str_cut(&text, '\n', &typed);
    if (fg_query_read(&query, &arena, typed, codes, 3, &err)) {
        CHECK(err.text[0]);
    } else {
        check_query(&query);
        struct fg_stemmer *stemmer = fg_stemmer_new(codes[size % 3]);
        struct fg_marked snippet =
            fg_snippet_of(&arena, text, stemmer, query.groups, query.n, 200);
        check_snippet(&snippet);
        CHECK(!fg_utf8_is_valid(text) || fg_utf8_is_valid(snippet.text));
        fg_stemmer_free(stemmer);
    }
    fg_arena_clear(&arena);
    return 0;
}
