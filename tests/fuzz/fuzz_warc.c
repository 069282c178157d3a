/* WARC files: every record is read to its end or the damage is named; what a record says
 * of its place is true, and reading it there again gives the same. */
#include "net/archive/warc_index.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct walk {
    uint64_t records, bytes;
    struct fg_sha1 first;
    uint64_t first_offset;
    bool has_first;
};

static void walk(struct walk *walk, struct fg_warc *warc, uint64_t most)
{
    struct fg_arena arena = {0};
    struct fg_warc_record record;
    struct fg_warc_content content;
    struct fg_capture capture;
    struct fg_err err = {0};
    struct fg_buf line;
    fg_buf_init(&line, SIZE_MAX);
    while (walk->records < most &&
           fg_warc_next_whole(warc, &arena, &record, &content, &err)) {
        if (record.content_length < content.payload_bytes || content.status > 999)
            abort();
        if (!walk->has_first && record.is_member) {
            walk->has_first = true;
            walk->first = content.block;
            walk->first_offset = record.offset;
        }
        walk->records++;
        walk->bytes += record.content_length;
        fg_warc_judge(&record, &content);
        fg_buf_reset(&line);
        if (fg_capture_from(&capture, &arena, &record, &content, FG_STR("f"))) {
            struct fg_cdx cdx = {0};
            struct fg_capture again;
            fg_cdxj_add(&line, &capture);
            struct fg_str text = fg_buf_str(&line);
            if (fg_str_chr(text, '\n') != text.len - 1 ||
                fg_cdx_read(&cdx, &again, &arena, text, &err) ||
                again.offset != capture.offset)
                abort();
        }
        fg_arena_reset(&arena);
    }
    fg_buf_clear(&line);
    fg_arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_str bytes = {(const char *)data, size};
    struct fg_warc *warc = fg_warc_over(bytes);
    struct walk whole = {0}, again = {0};
    walk(&whole, warc, UINT64_MAX);
    if (fg_warc_good(warc) > size)
        abort();
    if (whole.has_first) {
        if (fg_warc_seek(warc, whole.first_offset, NULL))
            abort();
        walk(&again, warc, 1);
        if (!again.has_first ||
            memcmp(&again.first, &whole.first, sizeof again.first) != 0)
            abort();
    }
    fg_warc_close(warc);
    return 0;
}
