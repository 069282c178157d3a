#include "net/archive/warc_index.h"

#include "net/url/surt.h"

#include <stdlib.h>

struct fg_str fg_path_name(struct fg_str path)
{
    for (size_t i = path.len; i-- > 0;)
        if (path.at[i] == '/')
            return fg_str_skip(path, i + 1);
    return path;
}

struct fg_str fg_warc_index_path(struct fg_arena *arena, struct fg_str path)
{
    static const char *const ends[] = {".open", ".gz", ".warc"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (fg_str_ends(path, fg_str_from(ends[i])))
            path.len -= strlen(ends[i]);
    return fg_arena_printf(arena, "%.*s.cdxj", FG_ARG(path));
}

void fg_warc_index_add(struct fg_warc_index *index, const struct fg_capture *capture)
{
    struct fg_buf line;
    fg_buf_init(&line, SIZE_MAX);
    fg_cdxj_add(&line, capture);
    struct fg_str kept = fg_arena_dup(index->arena, fg_buf_str(&line));
    fg_vec_push_in(index->arena, &index->lines, kept);
    fg_buf_clear(&line);
}

static int by_text(const void *a, const void *b)
{
    return fg_str_cmp(*(const struct fg_str *)a, *(const struct fg_str *)b);
}

void fg_warc_index_text(struct fg_warc_index *index, struct fg_buf *out)
{
    if (index->lines.len)
        qsort(index->lines.at, index->lines.len, sizeof *index->lines.at, by_text);
    for (size_t i = 0; i < index->lines.len; i++)
        fg_buf_add(out, index->lines.at[i]);
}

static bool is_capture(const struct fg_warc_record *record)
{
    return record->uri.len && record->date != FG_NEVER &&
           (fg_warc_is(record, "response") || fg_warc_is(record, "revisit") ||
            fg_warc_is(record, "resource") || fg_warc_is(record, "conversion"));
}

static struct fg_str digest_of(struct fg_arena *arena,
                               const struct fg_warc_record *record,
                               const struct fg_warc_content *content)
{
    char text[FG_SHA1_TEXT];
    struct fg_sha1 said;
    bool is_revisit = fg_warc_is(record, "revisit");
    if (fg_sha1_parse(&said, record->payload_digest))
        fg_sha1_format(text, &said);
    else if (record->payload_digest.len || is_revisit)
        return record->payload_digest; /* of another algorithm, or not known */
    else
        fg_sha1_format(text, &content->payload);
    return fg_arena_dup(arena, fg_str_skip(fg_str_from(text), strlen("sha1:")));
}

bool fg_capture_from(struct fg_capture *capture, struct fg_arena *arena,
                     const struct fg_warc_record *record,
                     const struct fg_warc_content *content, struct fg_str filename)
{
    if (!is_capture(record))
        return false;
    bool is_revisit = fg_warc_is(record, "revisit");
    *capture = (struct fg_capture){
        .key = fg_surt_from(arena, record->uri),
        .url = record->uri,
        .time = record->date,
        .mime = is_revisit ? FG_STR("warc/revisit") : content->mime,
        .status = content->status,
        .digest = digest_of(arena, record, content),
        .is_revisit = is_revisit,
        .has_place = true,
        .length = record->length,
        .offset = record->offset,
        .filename = filename,
    };
    return true;
}

enum fg_status fg_warc_index_file(struct fg_warc_index *index, const char *path,
                                  struct fg_err *err)
{
    struct fg_warc *warc;
    struct fg_arena arena = {0};
    struct fg_warc_record record;
    struct fg_warc_content content;
    struct fg_capture capture;
    struct fg_err damage = {0};
    struct fg_str filename =
        index->filename.len ? index->filename : fg_path_name(fg_str_from(path));
    enum fg_status st = fg_warc_open(&warc, path, err);
    if (st)
        return st;
    while (fg_warc_next_whole(warc, &arena, &record, &content, &damage)) {
        index->records++;
        if (fg_capture_from(&capture, &arena, &record, &content, filename)) {
            fg_warc_index_add(index, &capture);
            if (index->take)
                index->take(index->context, &capture);
        }
        fg_arena_reset(&arena);
    }
    index->good = fg_warc_good(warc);
    fg_arena_clear(&arena);
    fg_warc_close(warc);
    return damage.status ? fg_fail(err, damage.status, "'%s': %s", path, damage.text)
                         : FG_OK;
}
