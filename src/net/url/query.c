#include "net/url/query.h"

#include <string.h>

struct fg_str fg_query_of(struct fg_str url)
{
    size_t mark = fg_str_chr(url, '?');
    return fg_str_skip(url, mark == FG_NOT_FOUND ? url.len : mark + 1);
}

bool fg_query_next(struct fg_str *rest, struct fg_str *part)
{
    if (!rest->len)
        return false;
    size_t end = 0;
    while (end < rest->len && rest->at[end] != '&' && rest->at[end] != ';')
        end++;
    *part = fg_str_sub(*rest, 0, end);
    *rest = fg_str_skip(*rest, end < rest->len ? end + 1 : end);
    return true;
}

struct fg_str fg_query_key(struct fg_str part)
{
    size_t equals = fg_str_chr(part, '=');
    return fg_str_sub(part, 0, equals == FG_NOT_FOUND ? part.len : equals);
}

bool fg_query_has(struct fg_str query, struct fg_str part)
{
    struct fg_str other;
    while (fg_query_next(&query, &other))
        if (fg_str_eq(other, part))
            return true;
    return false;
}

struct fg_str fg_query_filter(struct fg_arena *arena, struct fg_str url,
                              fg_query_keeps *keeps, void *context)
{
    size_t start = fg_str_chr(url, '?'), n = start;
    if (start == FG_NOT_FOUND)
        return url;
    struct fg_str part, rest = fg_query_of(url);
    char *out = fg_arena_bytes(arena, url.len + 1);
    memcpy(out, url.at, n);
    while (fg_query_next(&rest, &part)) {
        if (!keeps(context, part))
            continue;
        out[n] = n == start ? '?' : part.at[-1];
        memcpy(out + n + 1, part.at, part.len);
        n += part.len + 1;
    }
    return (struct fg_str){out, n};
}

static bool is_of_other_name(void *key, struct fg_str part)
{
    return !fg_str_eq(fg_query_key(part), *(const struct fg_str *)key);
}

struct fg_str fg_query_without(struct fg_arena *arena, struct fg_str url,
                               struct fg_str key)
{
    return fg_query_filter(arena, url, is_of_other_name, &key);
}
