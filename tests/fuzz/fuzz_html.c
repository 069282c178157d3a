/* The first byte chooses the state to start in; the rest is the page. */
#include "base/utf8.h"
#include "net/html/html.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(claim)  \
    do {              \
        if (!(claim)) \
            abort();  \
    } while (0)

static bool is_within(struct fg_str part, struct fg_str whole)
{
    return part.at >= whole.at && part.at + part.len <= whole.at + whole.len;
}

/* Each attribute is the first of its name, and is found by that name. */
static void check_attrs(struct fg_arena *arena, const struct fg_html_token *token,
                        struct fg_str text, bool is_valid)
{
    struct fg_html_attr attr, *attrs;
    struct fg_str rest = token->attrs, value;
    size_t written = 0, n = fg_html_attrs(arena, token, &attrs);
    for (; fg_html_attr_next(&rest, &attr); written++) {
        CHECK(attr.name.len > 0);
        CHECK(is_within(attr.name, text) && is_within(attr.value, text));
    }
    CHECK(n <= written && (n > 0) == (written > 0));
    for (size_t i = 0; i < n; i++) {
        CHECK(!is_valid ||
              (fg_utf8_is_valid(attrs[i].name) && fg_utf8_is_valid(attrs[i].value)));
        /* a name with a NUL is written otherwise than it reads */
        if (fg_str_find(attrs[i].name, FG_STR("\xEF\xBF\xBD")) != FG_NOT_FOUND)
            continue;
        CHECK(fg_html_attr(token, attrs[i].name, &value));
        value = fg_html_decode(arena, value, FG_HTML_VALUE);
        CHECK(fg_str_eq(value, attrs[i].value));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    struct fg_str text = {(const char *)data + 1, size - 1};
    struct fg_arena arena = {0};
    struct fg_html html;
    struct fg_html_token token;
    bool is_valid = fg_utf8_is_valid(text);
    fg_html_init(&html, text);
    html.raw_name = data[0] & 64 ? FG_STR("script") : FG_STR("title");
    html.is_foreign = data[0] & 128;
    fg_html_enter(&html, (enum fg_html_state)((data[0] & 63) % (FG_HTML_CDATA + 1)));
    const char *before = html.at;
    while (fg_html_next(&html, &token)) {
        CHECK(html.at > before && html.at <= html.end);
        before = html.at;
        if (token.text.at)
            CHECK(is_within(token.text, text));
        struct fg_str decoded = fg_html_text(&arena, &token);
        CHECK(!is_valid || fg_utf8_is_valid(decoded));
        if (token.type == FG_HTML_START)
            check_attrs(&arena, &token, text, is_valid);
        fg_arena_reset(&arena);
    }
    CHECK(html.at == html.end);
    fg_arena_clear(&arena);
    return 0;
}
