/* Tables of counts: every row is read or complained about, and what was read says the
 * same as lines for a crawl. */
#include "crawl/documents/counts.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void complain(void *context, size_t line, const char *why)
{
    if (!line || !*why)
        abort();
    ++*(size_t *)context;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_arena arena = {0};
    struct fg_counts counts = {.arena = &arena};
    size_t complaints = 0;
    struct fg_str text = {(const char *)data, size}, line, url;
    if (!fg_counts_read(&counts, text, complain, &complaints, NULL)) {
        if (complaints != counts.wrong)
            abort();
        fg_counts_name(&counts, 0);
        struct fg_buf out;
        fg_buf_init(&out, (size_t)1 << 30);
        if (fg_counts_format(&out, &counts, 0) != counts.rows.len)
            abort();
        struct fg_str rest = fg_buf_str(&out);
        for (size_t i = 0; i < counts.rows.len; i++) {
            struct fg_daily_row row;
            const struct fg_count *count = &counts.rows.at[i];
            if (!fg_str_cut(&rest, '\n', &line) || !fg_count_parse(&url, &row, line) ||
                !fg_str_eq(url, counts.urls.at[count->url]) || row.day != count->day ||
                row.clicks != count->clicks || row.impressions != count->impressions)
                abort();
        }
        fg_buf_clear(&out);
    }
    fg_arena_clear(&arena);
    return 0;
}
