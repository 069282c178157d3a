/* Lists of other programs, by the first byte one of four kinds: nothing of them crashes a
 * reader, every trouble is told, and what comes out are seeds that say the same after
 * being written to a line and read again. */
#include "crawl/intake/imports.h"
#include "crawl/intake/seeds.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void tell(void *context, enum fg_import_trouble what, size_t line,
                 const char *words)
{
    (void)line;
    if (!*words)
        abort();
    ((size_t *)context)[what]++;
}

static void check_line(const struct fg_seed_line *line)
{
    struct fg_buf out;
    struct fg_str url;
    struct fg_seed seed = {0};
    fg_buf_init(&out, 1 << 20);
    fg_seed_format(&out, line->url, &line->seed);
    struct fg_str text = fg_buf_str(&out);
    if (fg_str_chr(text, '\n') != text.len - 1)
        abort();
    if (fg_seed_parse(&url, &seed, fg_str_sub(text, 0, text.len - 1), NULL) ||
        !fg_str_eq(url, line->url) ||
        !fg_str_eq(seed.value, fg_str_trim(line->seed.value)) ||
        !fg_str_eq(seed.page_tags, line->seed.page_tags))
        abort();
    fg_buf_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static enum fg_status (*const readers[])(struct fg_import * import,
                                             struct fg_str text, struct fg_err * err) = {
        fg_import_opml, fg_import_changedetection, fg_import_urlwatch, fg_import_seeds};
    struct fg_arena arena = {0};
    size_t told[3] = {0};
    struct fg_import import = {.arena = &arena, .tell = tell, .context = told};
    if (!size)
        return 0;
    struct fg_str text = {(const char *)data + 1, size - 1};
    struct fg_err err = {0};
    if (!readers[data[0] % 4](&import, text, &err)) {
        if (told[FG_IMPORT_WRONG] != import.wrong ||
            told[FG_IMPORT_LOST] != import.lost ||
            told[FG_IMPORT_SKIPPED] != import.skipped)
            abort();
        for (size_t i = 0; i < import.lines.len; i++)
            check_line(&import.lines.at[i]);
    } else if (!err.text[0]) {
        abort();
    }
    fg_arena_clear(&arena);
    return 0;
}
