#include "net/archive/warc_content.h"

static struct fg_str lowered(struct fg_arena *arena, struct fg_str text)
{
    char *out = fg_arena_bytes(arena, text.len + 1);
    for (size_t i = 0; i < text.len; i++)
        out[i] = fg_lower(text.at[i]);
    return (struct fg_str){out, text.len};
}

struct fg_str fg_warc_mime(struct fg_arena *arena, struct fg_str type)
{
    size_t end = fg_str_chr(type, ';');
    struct fg_str mime = fg_str_trim(fg_str_sub(type, 0, end));
    for (size_t i = 0; i < mime.len; i++)
        if (mime.at[i] <= ' ' || mime.at[i] == 0x7F) /* two of them, or nonsense */
            mime.len = i;
    return lowered(arena, mime);
}

void fg_warc_content_init(struct fg_warc_content *content, struct fg_arena *arena,
                          const struct fg_warc_record *record)
{
    *content = (struct fg_warc_content){.arena = arena};
    content->is_http =
        fg_str_starts_nocase(record->content_type, FG_STR("application/http")) &&
        (fg_warc_is(record, "response") || fg_warc_is(record, "request") ||
         fg_warc_is(record, "revisit"));
    content->has_head = !content->is_http;
    if (!content->is_http)
        content->mime = fg_warc_mime(arena, record->content_type);
    content->block_digest = fg_digest_new();
    content->payload_digest = fg_digest_new();
    content->framed_digest = fg_digest_new();
    fg_buf_init(&content->collected, FG_WARC_HEAD_MAX);
}

/* Trimmed; `at` is NULL if there is none. */
static struct fg_str header_of(const struct fg_warc_content *content, const char *name)
{
    struct fg_str rest = content->head, line, wanted = fg_str_from(name);
    while (rest.len && fg_str_cut(&rest, '\n', &line)) {
        size_t colon = fg_str_chr(line, ':');
        if (colon != FG_NOT_FOUND &&
            fg_str_eq_nocase(fg_str_trim(fg_str_sub(line, 0, colon)), wanted))
            return fg_str_trim(fg_str_skip(line, colon + 1));
    }
    return (struct fg_str){0};
}

static void add_payload(struct fg_warc_content *content, struct fg_str bytes)
{
    content->payload_bytes += bytes.len;
    fg_digest_add(content->payload_digest, bytes);
    if (content->take && bytes.len)
        content->take(content->context, bytes);
}

/* What says it is chunked and is not was stored without the framing by some writers. */
static void add_body(struct fg_warc_content *content, struct fg_str bytes)
{
    struct fg_str data;
    fg_digest_add(content->framed_digest, bytes);
    if (!content->is_chunked) {
        add_payload(content, bytes);
        return;
    }
    while (fg_chunked_next(&content->chunked, &bytes, &data))
        add_payload(content, data);
    if (content->chunked.state == FG_CHUNKED_BROKEN && !content->payload_bytes) {
        content->is_chunked = false;
        add_payload(content, bytes);
    }
}

static unsigned status_of(struct fg_str head)
{
    size_t blank = fg_str_chr(head, ' ');
    uint64_t status;
    if (!fg_str_starts(head, FG_STR("HTTP/")) || blank == FG_NOT_FOUND ||
        !fg_str_to_u64(fg_str_sub(head, blank + 1, blank + 4), &status))
        return 0;
    return (unsigned)status;
}

/* Where the empty line ends, or FG_NOT_FOUND. */
static size_t head_end(struct fg_str text, size_t from)
{
    for (size_t i = from; i < text.len; i++) {
        if (text.at[i] != '\n')
            continue;
        if (i + 1 < text.len && text.at[i + 1] == '\n')
            return i + 2;
        if (i + 2 < text.len && text.at[i + 1] == '\r' && text.at[i + 2] == '\n')
            return i + 3;
    }
    return FG_NOT_FOUND;
}

static void understand_head(struct fg_warc_content *content, size_t end)
{
    content->has_head = true;
    content->head =
        fg_arena_dup(content->arena, fg_str_sub(fg_buf_str(&content->collected), 0, end));
    content->status = status_of(content->head);
    content->mime = fg_warc_mime(content->arena, header_of(content, "Content-Type"));
    content->encoding = lowered(content->arena, header_of(content, "Content-Encoding"));
    content->is_chunked =
        fg_str_eq_nocase(header_of(content, "Transfer-Encoding"), FG_STR("chunked"));
}

void fg_warc_content_add(struct fg_warc_content *content, struct fg_str piece)
{
    fg_digest_add(content->block_digest, piece);
    if (content->has_head) {
        add_body(content, piece);
        return;
    }
    size_t seen = content->collected.len;
    size_t room = FG_WARC_HEAD_MAX - seen, n = piece.len < room ? piece.len : room;
    fg_buf_add(&content->collected, fg_str_sub(piece, 0, n));
    struct fg_str collected = fg_buf_str(&content->collected);
    size_t end = head_end(collected, seen > 2 ? seen - 3 : 0);
    if (end == FG_NOT_FOUND && collected.len < FG_WARC_HEAD_MAX)
        return;
    if (end == FG_NOT_FOUND)
        end = collected.len;
    understand_head(content, end);
    add_body(content, fg_str_skip(collected, end));
    add_body(content, fg_str_skip(piece, n));
}

void fg_warc_content_end(struct fg_warc_content *content)
{
    if (!content->has_head)
        understand_head(content, content->collected.len);
    content->block = fg_digest_take(content->block_digest);
    content->payload = fg_digest_take(content->payload_digest);
    content->framed = fg_digest_take(content->framed_digest);
    fg_digest_free(content->block_digest);
    fg_digest_free(content->payload_digest);
    fg_digest_free(content->framed_digest);
    fg_buf_clear(&content->collected);
}

bool fg_warc_next_whole(struct fg_warc *warc, struct fg_arena *arena,
                        struct fg_warc_record *record, struct fg_warc_content *content,
                        struct fg_err *err)
{
    struct fg_str piece;
    if (!fg_warc_next(warc, record, err))
        return false;
    fg_warc_content_init(content, arena, record);
    while (fg_warc_read(warc, &piece, err))
        fg_warc_content_add(content, piece);
    fg_warc_content_end(content);
    return fg_warc_end(warc, record, err);
}

static bool is_same(const struct fg_sha1 *a, const struct fg_sha1 *b)
{
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

/* Says it is SHA-1: then it is judged, even if no sum is ever written so. */
static bool is_sha1(struct fg_str digest)
{
    struct fg_sha1 sum;
    return fg_str_starts_nocase(digest, FG_STR("sha1:")) || fg_sha1_parse(&sum, digest);
}

static bool is_sum_of(struct fg_str digest, const struct fg_sha1 *sum)
{
    struct fg_sha1 said;
    return fg_sha1_parse(&said, digest) && is_same(&said, sum);
}

struct fg_warc_verdict fg_warc_judge(const struct fg_warc_record *record,
                                     const struct fg_warc_content *content)
{
    struct fg_str block = record->block_digest, payload = record->payload_digest;
    struct fg_warc_verdict verdict = {
        .has_block = is_sha1(block),
        .has_payload = is_sha1(payload) && !fg_warc_is(record, "revisit"),
    };
    verdict.block_is_wrong = verdict.has_block && !is_sum_of(block, &content->block);
    verdict.payload_is_wrong = verdict.has_payload &&
                               !is_sum_of(payload, &content->payload) &&
                               !is_sum_of(payload, &content->framed);
    return verdict;
}
