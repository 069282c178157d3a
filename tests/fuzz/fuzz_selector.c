/* The first line is a selector or an XPath, the rest a page. What is taken keeps to its
 * bounds, is the same each time, and what is cut out is not there afterwards. */
#include "base/err.h"
#include "base/utf8.h"
#include "net/html/selector.h"
#include "net/html/xpath.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1000 };

static void check(struct fg_arena *arena, const struct fg_selector *selector,
                  struct fg_str html)
{
    struct fg_selected taken, again, lines;
    fg_selector_take(&taken, arena, selector, html, MOST_BYTES);
    fg_selector_take(&again, arena, selector, html, MOST_BYTES);
    fg_selector_take_lines(&lines, arena, selector, html, MOST_BYTES);
    if (taken.text.len > MOST_BYTES || taken.n > FG_SELECTOR_MATCHES ||
        !fg_str_eq(taken.text, again.text) || lines.text.len > MOST_BYTES ||
        lines.n != taken.n)
        abort();
    if (fg_utf8_is_valid(html) && !fg_utf8_is_valid(taken.text))
        abort();
    struct fg_str cut = fg_selector_cut(arena, selector, html);
    if (cut.len > html.len + taken.n)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_str html = {(const char *)data, size}, line, translated;
    struct fg_arena arena = {0};
    const struct fg_selector *selector;
    struct fg_err err = {0};
    if (!fg_str_cut(&html, '\n', &line))
        return 0;
    if (fg_selector_parse(&selector, &arena, line, &err) == FG_OK)
        check(&arena, selector, html);
    else if (!err.text[0])
        abort();
    if (fg_xpath_to_selector(&translated, &arena, line) &&
        fg_selector_parse(&selector, &arena, translated, NULL) == FG_OK)
        check(&arena, selector, html);
    fg_arena_clear(&arena);
    return 0;
}
