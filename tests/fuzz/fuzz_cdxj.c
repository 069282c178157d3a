/* Lines of CDXJ and CDX: each is read, passed over or refused with words; what was read
 * is written as one line that says the same. */
#include "crawl/archive/captures.h"
#include "net/archive/cdxj.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void complain(void *context, size_t line, const char *why)
{
    if (!line || !*why)
        abort();
    ++*(size_t *)context;
}

static void read_lines(struct fg_str text)
{
    struct fg_arena arena = {0};
    struct fg_cdx cdx = {0};
    struct fg_capture capture, again;
    struct fg_str line;
    struct fg_buf out;
    fg_buf_init(&out, SIZE_MAX);
    while (text.len && fg_str_cut(&text, '\n', &line)) {
        struct fg_err err = {0};
        if (fg_cdx_read(&cdx, &capture, &arena, line, &err)) {
            if (!err.text[0] || capture.url.len)
                abort();
        } else if (capture.url.len) {
            struct fg_cdx none = {0};
            fg_buf_reset(&out);
            capture.key = FG_STR("k"); /* theirs may look like a comment */
            fg_cdxj_add(&out, &capture);
            struct fg_str written = fg_buf_str(&out);
            if (fg_str_chr(written, '\n') != written.len - 1 ||
                fg_cdx_read(&none, &again, &arena, written, &err) ||
                again.status != capture.status || again.has_place != capture.has_place ||
                (capture.has_place && again.offset != capture.offset))
                abort();
        }
        fg_arena_reset(&arena);
    }
    fg_buf_clear(&out);
    fg_arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_str text = {(const char *)data, size};
    struct fg_arena arena = {0};
    struct fg_captures captures = {.arena = &arena, .now = INT64_MAX};
    size_t complaints = 0;
    read_lines(text);
    if (!fg_captures_read(&captures, text, complain, &complaints, NULL)) {
        if (complaints != captures.wrong)
            abort();
        fg_captures_name(&captures, 0);
        for (size_t i = 1; i < captures.rows.len; i++)
            if (captures.rows.at[i].url == captures.rows.at[i - 1].url &&
                captures.rows.at[i].time <= captures.rows.at[i - 1].time)
                abort();
    }
    fg_arena_clear(&arena);
    return 0;
}
