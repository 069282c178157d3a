#include "net/archive/wire.h"

#include "net/archive/chunked.h"

enum { MOST_REQUEST = 1 << 20, MOST_STATUS = 4096, KEPT = 1 << 20 };

void fg_wire_init(struct fg_wire *wire)
{
    *wire = (struct fg_wire){0};
    fg_buf_init(&wire->sent, MOST_REQUEST);
    fg_buf_init(&wire->status, MOST_STATUS);
    fg_buf_init(&wire->came, SIZE_MAX);
    fg_buf_init(&wire->content, SIZE_MAX);
}

void fg_wire_clear(struct fg_wire *wire)
{
    fg_buf_clear(&wire->sent);
    fg_buf_clear(&wire->status);
    fg_buf_clear(&wire->came);
    fg_buf_clear(&wire->content);
}

/* One huge answer must not stay with us. */
static void empty(struct fg_buf *buf, size_t most)
{
    if (buf->capacity > KEPT)
        fg_buf_clear(buf);
    fg_buf_reset(buf);
    buf->max = most;
}

void fg_wire_begin(struct fg_wire *wire, size_t most)
{
    wire->most = most;
    empty(&wire->sent, MOST_REQUEST);
    empty(&wire->status, MOST_STATUS);
    empty(&wire->came, most);
    empty(&wire->content, most);
}

void fg_wire_sent(struct fg_wire *wire, struct fg_str bytes)
{
    if (fg_str_ends(fg_buf_str(&wire->sent), FG_STR("\r\n\r\n")))
        fg_buf_reset(&wire->sent);
    fg_buf_add(&wire->sent, bytes);
}

void fg_wire_status(struct fg_wire *wire, struct fg_str line)
{
    fg_buf_reset(&wire->status);
    fg_buf_add(&wire->status, fg_str_trim(line));
    fg_buf_reset(&wire->came);
}

void fg_wire_came(struct fg_wire *wire, struct fg_str bytes)
{
    size_t room = wire->most - wire->came.len;
    fg_buf_add(&wire->came, fg_str_sub(bytes, 0, room));
    wire->came.full |= bytes.len > room;
}

struct fg_str fg_header_in(struct fg_str headers, const char *name, unsigned nth)
{
    struct fg_str line, wanted = fg_str_from(name);
    while (fg_str_cut(&headers, '\n', &line)) {
        size_t colon = fg_str_chr(line, ':');
        if (colon == FG_NOT_FOUND ||
            !fg_str_eq_nocase(fg_str_sub(line, 0, colon), wanted))
            continue;
        if (nth-- == 0)
            return fg_str_trim(fg_str_skip(line, colon + 1));
    }
    return (struct fg_str){0};
}

bool fg_wire_needs(struct fg_str headers)
{
    struct fg_str coding = fg_header_in(headers, "Content-Encoding", 0);
    return coding.len && !fg_str_eq_nocase(coding, FG_STR("identity"));
}

/* Whether chunks come with their framing or without depends on the version of HTTP and of
 * libcurl. What was never framed is most unlikely to look as if it were. */
static struct fg_str unframe(struct fg_wire *wire)
{
    struct fg_chunked chunked = {0};
    struct fg_str rest = fg_buf_str(&wire->came), data;
    while (fg_chunked_next(&chunked, &rest, &data))
        fg_buf_add(&wire->content, data);
    return chunked.state == FG_CHUNKED_BROKEN ? fg_buf_str(&wire->came)
                                              : fg_buf_str(&wire->content);
}

/* Between us and the proxy, and not for whoever reads the record. */
static void drop_secrets(struct fg_buf *sent)
{
    const char *value;
    while ((value = fg_header_in(fg_buf_str(sent), "Proxy-Authorization", 0).at)) {
        size_t start = (size_t)(value - sent->at), end = start;
        while (start && sent->at[start - 1] != '\n')
            start--;
        while (end < sent->len && sent->at[end++] != '\n')
            ;
        memmove(sent->at + start, sent->at + end, sent->len - end);
        sent->len -= end - start;
    }
}

struct fg_wire_copy fg_wire_end(struct fg_wire *wire, struct fg_str headers,
                                struct fg_str body)
{
    drop_secrets(&wire->sent);
    struct fg_wire_copy seen = {
        .request = fg_buf_str(&wire->sent),
        .status = fg_buf_str(&wire->status),
        .content = body,
    };
    if (!fg_wire_needs(headers))
        return seen;
    uint64_t length;
    seen.content = fg_buf_str(&wire->came);
    seen.is_cut = wire->came.full;
    if (fg_header_in(headers, "Transfer-Encoding", 0).len)
        seen.content = unframe(wire);
    else if (fg_str_to_u64(fg_header_in(headers, "Content-Length", 0), &length))
        seen.content = fg_str_sub(seen.content, 0, length); /* the next answer's bytes */
    return seen;
}
