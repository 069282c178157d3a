/* The first line is a base, the rest a reference to it. Whatever comes out must be ASCII,
 * have its parts in order, parse to itself, and be the same by the short and the long
 * way; what fails must leave nothing behind. */
#include "base/arena.h"
#include "net/url/host.h"
#include "net/url/url.h"
#include "net/url/url_fast.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool claim)
{
    if (!claim)
        abort();
}

static bool is_same(const struct fg_url *a, const struct fg_url *b)
{
    return fg_str_eq(a->href, b->href) && a->scheme_end == b->scheme_end &&
           a->username_end == b->username_end && a->host_start == b->host_start &&
           a->host_end == b->host_end && a->path_start == b->path_start &&
           a->query_start == b->query_start && a->fragment_start == b->fragment_start &&
           a->port == b->port && a->scheme == b->scheme && a->has_host == b->has_host &&
           a->has_opaque_path == b->has_opaque_path;
}

static void check_parts(const struct fg_url *u)
{
    require(u->scheme_end < u->username_end && u->username_end <= u->host_start);
    require(u->host_start <= u->host_end && u->host_end <= u->path_start);
    require(u->path_start <= u->query_start && u->query_start <= u->fragment_start);
    require(u->fragment_start <= u->href.len && u->href.at[u->href.len] == '\0');
    require(u->href.at[u->scheme_end] == ':');
    require(u->query_start == u->fragment_start || u->href.at[u->query_start] == '?');
    require(u->fragment_start == u->href.len || u->href.at[u->fragment_start] == '#');
    require(!fg_url_is_special(u) || u->has_host);
    for (size_t i = 0; i < u->href.len; i++)
        require(u->href.at[i] >= ' ' && u->href.at[i] <= '~');
    struct fg_str parts[] = {fg_url_username(u),  fg_url_password(u), fg_url_host(u),
                             fg_url_port_text(u), fg_url_search(u),   fg_url_hash(u)};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        require(parts[i].len <= u->href.len);
}

static bool parse(struct fg_url *url, struct fg_arena *arena, struct fg_str input,
                  const struct fg_url *base)
{
    struct fg_url slow, again;
    size_t before = arena->used_bytes;
    bool good = fg_url_parse(url, arena, input, base);
    if (!good)
        require(arena->used_bytes == before && fg_url_reason(arena, input, base));
    require(fg_url_parse_slowly(&slow, arena, input, base) == good);
    if (!good)
        return false;
    require(is_same(url, &slow));
    check_parts(url);
    require(fg_url_parse(&again, arena, url->href, NULL) && is_same(url, &again));
    fg_url_origin(arena, url);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_arena arena = {0};
    struct fg_str input = {(const char *)data, size}, line = {0};
    struct fg_url base, url;
    fg_str_cut(&input, '\n', &line);
    bool has_base = parse(&base, &arena, line, NULL);
    parse(&url, &arena, input, has_base ? &base : NULL);
    fg_arena_clear(&arena);
    return 0;
}
