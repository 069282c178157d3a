#include "base/sections.h"

#include <string.h>

static void put_u64(struct fg_buf *out, uint64_t value)
{
    fg_buf_add(out, (struct fg_str){(const char *)&value, sizeof value});
}

size_t fg_sections_begin(struct fg_buf *out, const char *kind)
{
    size_t start = out->len;
    fg_buf_add(out, (struct fg_str){kind, FG_SECTIONS_KIND});
    return start;
}

char *fg_sections_room(struct fg_buf *out, const char *name, size_t bytes)
{
    struct fg_str text = fg_str_from(name);
    put_u64(out, text.len);
    fg_buf_add(out, text);
    put_u64(out, bytes);
    char *room = out->full ? NULL : fg_buf_reserve(out, bytes);
    if (room)
        out->len += bytes;
    return room;
}

void fg_sections_put(struct fg_buf *out, const char *name, const void *at, size_t bytes)
{
    char *room = fg_sections_room(out, name, bytes);
    if (room && bytes)
        memcpy(room, at, bytes);
}

void fg_sections_end(struct fg_buf *out, size_t start)
{
    put_u64(out, fg_str_hash((struct fg_str){out->at + start, out->len - start}));
}

enum fg_status fg_sections_open(struct fg_str *all, struct fg_str bytes, const char *kind,
                                const char *what, struct fg_err *err)
{
    uint64_t checksum;
    *all = (struct fg_str){0};
    if (bytes.len < FG_SECTIONS_KIND + sizeof checksum ||
        memcmp(bytes.at, kind, FG_SECTIONS_KIND) != 0)
        return fg_fail(err, FG_EINPUT, "not a saved state of %s", what);
    size_t body = bytes.len - sizeof checksum;
    memcpy(&checksum, bytes.at + body, sizeof checksum);
    if (checksum != fg_str_hash(fg_str_sub(bytes, 0, body)))
        return fg_fail(err, FG_EINPUT, "the saved state of %s is damaged", what);
    *all = fg_str_sub(bytes, FG_SECTIONS_KIND, body);
    return FG_OK;
}

static bool take_bytes(struct fg_str *rest, struct fg_str *bytes)
{
    uint64_t len;
    if (!fg_str_take(rest, &len, sizeof len) || len > rest->len)
        return false;
    *bytes = fg_str_sub(*rest, 0, (size_t)len);
    *rest = fg_str_skip(*rest, (size_t)len);
    return true;
}

struct fg_str fg_sections_find(struct fg_str all, const char *name)
{
    struct fg_str found, bytes, wanted = fg_str_from(name);
    while (take_bytes(&all, &found) && take_bytes(&all, &bytes))
        if (fg_str_eq(found, wanted))
            return bytes;
    return (struct fg_str){0};
}

bool fg_sections_copy(struct fg_str all, const char *name, void *to, size_t bytes)
{
    struct fg_str found = fg_sections_find(all, name);
    if (found.len != bytes)
        return false;
    if (bytes)
        memcpy(to, found.at, bytes);
    return true;
}
