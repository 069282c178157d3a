#include "net/archive/warc_write.h"

#include "base/err.h"

#include <stdio.h>
#include <sys/random.h>
#include <zlib.h>

char *fg_warc_id(char out[static FG_WARC_ID])
{
    uint8_t b[16] = {0};
    ssize_t n = getrandom(b, sizeof b, 0); /* 16 bytes are never cut short */
    (void)n;
    b[6] = (uint8_t)((b[6] & 0x0F) | 0x40); /* version 4, RFC 9562 */
    b[8] = (uint8_t)((b[8] & 0x3F) | 0x80);
    snprintf(out, FG_WARC_ID,
             "urn:uuid:%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
             "%02x%02x%02x%02x%02x%02x",
             b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11],
             b[12], b[13], b[14], b[15]);
    return out;
}

fg_time fg_warc_moment(fg_time time)
{
    return time - (time % FG_SECOND + FG_SECOND) % FG_SECOND;
}

/* A value must not end its line: addresses come from outside. */
static void add_field(struct fg_buf *out, const char *name, struct fg_str value)
{
    if (!value.len)
        return;
    fg_buf_printf(out, "%s: ", name);
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.at[i];
        if (c < 0x20 || c == 0x7F)
            fg_buf_printf(out, "%%%02X", c);
        else
            fg_buf_add_char(out, (char)c);
    }
    fg_buf_add(out, FG_STR("\r\n"));
}

static void add_id(struct fg_buf *out, const char *name, const char *id)
{
    if (id)
        fg_buf_printf(out, "%s: <%s>\r\n", name, id);
}

static void add_date(struct fg_buf *out, const char *name, fg_time time)
{
    char text[FG_TIME_TEXT];
    if (time != FG_NEVER)
        add_field(out, name, fg_str_from(fg_time_format(text, fg_warc_moment(time))));
}

static void add_sum(struct fg_buf *out, const char *name, const struct fg_sha1 *sum)
{
    char text[FG_SHA1_TEXT];
    if (sum)
        add_field(out, name, fg_str_from(fg_sha1_format(text, sum)));
}

static struct fg_sha1 block_sum(const struct fg_warc_new *record)
{
    struct fg_digest *digest = fg_digest_new();
    fg_digest_add(digest, record->head);
    fg_digest_add(digest, record->body);
    struct fg_sha1 sum = fg_digest_take(digest);
    fg_digest_free(digest);
    return sum;
}

static void add_headers(struct fg_buf *out, const struct fg_warc_new *r)
{
    struct fg_sha1 block = block_sum(r);
    fg_buf_add(out, FG_STR("WARC/1.1\r\n"));
    add_field(out, "WARC-Type", fg_str_from(r->type));
    add_id(out, "WARC-Record-ID", r->id);
    add_date(out, "WARC-Date", r->date);
    add_field(out, "WARC-Filename", r->filename);
    add_field(out, "WARC-Target-URI", r->uri);
    add_id(out, "WARC-Warcinfo-ID", r->warcinfo);
    add_id(out, "WARC-Concurrent-To", r->concurrent_to);
    add_field(out, "WARC-IP-Address", fg_str_from(r->ip));
    add_field(out, "WARC-Profile", fg_str_from(r->profile));
    add_field(out, "WARC-Refers-To-Target-URI", r->refers_to_uri);
    if (r->refers_to_uri.len)
        add_date(out, "WARC-Refers-To-Date", r->refers_to_date);
    add_field(out, "WARC-Truncated", fg_str_from(r->truncated));
    add_sum(out, "WARC-Payload-Digest", r->payload);
    add_sum(out, "WARC-Block-Digest", &block);
    add_field(out, "Content-Type", fg_str_from(r->content_type));
    fg_buf_printf(out, "Content-Length: %zu\r\n\r\n", r->head.len + r->body.len);
}

/* --- gzip --- */

static void deflate_part(struct fg_buf *out, z_stream *z, struct fg_str part, int flush)
{
    enum { STEP = 16 << 10 };
    z->next_in = (Bytef *)part.at;
    z->avail_in = (uInt)part.len;
    do {
        char *room = fg_buf_reserve(out, STEP);
        if (!room)
            return; /* out->full says so */
        z->next_out = (Bytef *)room;
        z->avail_out = STEP;
        deflate(z, flush);
        out->len += STEP - z->avail_out;
    } while (z->avail_out == 0);
}

static void add_member(struct fg_buf *out, const struct fg_str *parts, size_t n)
{
    enum { GZIP_ONLY = 16, WINDOW = 15, MEMORY = 8 };
    z_stream z = {0};
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_ONLY + WINDOW, MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        fg_out_of_memory();
    for (size_t i = 0; i < n; i++)
        deflate_part(out, &z, parts[i], i + 1 < n ? Z_NO_FLUSH : Z_FINISH);
    deflateEnd(&z);
}

bool fg_warc_add(struct fg_buf *out, const struct fg_warc_new *record, bool gzip)
{
    struct fg_buf headers;
    fg_buf_init(&headers, SIZE_MAX);
    add_headers(&headers, record);
    struct fg_str parts[] = {fg_buf_str(&headers), record->head, record->body,
                             FG_STR("\r\n\r\n")};
    if (gzip)
        add_member(out, parts, sizeof parts / sizeof *parts);
    else
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            fg_buf_add(out, parts[i]);
    fg_buf_clear(&headers);
    return !out->full;
}
