/* The basic URL parser of https://url.spec.whatwg.org, part by part instead of letter by
 * letter. In every state of the standard's machine the first "#" ends what came before
 * and starts the fragment, and before it the first "?" starts the query, whatever the
 * scheme. So those two are cut off first, and what is left are scheme, authority and
 * path, written to the output in that order. */
#include "net/url/url.h"

#include "net/url/host.h"
#include "net/url/percent.h"
#include "net/url/url_fast.h"
#include "net/url/url_path.h"

struct parser {
    struct fg_url url; /* its offsets are into `out` */
    struct fg_buf out;
    const struct fg_url *base;
    struct fg_str rest; /* of the input: what stands before query and fragment */
    struct fg_str query, fragment; /* without "?" and "#"; at is NULL if there is none */
    const struct fg_url_encoder *encoder;
};

static const char *const special_schemes[] = {
    [FG_SCHEME_HTTP] = "http", [FG_SCHEME_HTTPS] = "https", [FG_SCHEME_WS] = "ws",
    [FG_SCHEME_WSS] = "wss",   [FG_SCHEME_FTP] = "ftp",     [FG_SCHEME_FILE] = "file",
};

static enum fg_scheme scheme_of(struct fg_str name)
{
    for (enum fg_scheme i = FG_SCHEME_HTTP; i <= FG_SCHEME_FILE; i++)
        if (fg_str_eq(name, fg_str_from(special_schemes[i])))
            return i;
    return FG_SCHEME_OTHER;
}

/* The input. */

static struct fg_str trim(struct fg_str s)
{
    while (s.len && (unsigned char)s.at[0] <= ' ')
        s = fg_str_skip(s, 1);
    while (s.len && (unsigned char)s.at[s.len - 1] <= ' ')
        s.len--;
    return s;
}

static bool is_dropped(char c)
{
    return c == '\t' || c == '\n' || c == '\r';
}

/* Tabs and line breaks inside a URL are skipped. Most inputs have none and are used where
 * they stand; otherwise the rest goes to `copy`. */
static struct fg_str without_breaks(struct fg_buf *copy, struct fg_str s)
{
    size_t n = 0;
    while (n < s.len && !is_dropped(s.at[n]))
        n++;
    if (n == s.len)
        return s;
    char *room = fg_buf_reserve(copy, s.len);
    for (size_t i = 0; room && i < s.len; i++)
        if (!is_dropped(s.at[i]))
            room[copy->len++] = s.at[i];
    return fg_buf_str(copy);
}

static void cut_query_and_fragment(struct parser *p, struct fg_str input)
{
    size_t hash = fg_str_chr(input, '#');
    if (hash != FG_NOT_FOUND) {
        p->fragment = fg_str_range(input.at + hash + 1, input.at + input.len);
        input.len = hash;
    }
    size_t mark = fg_str_chr(input, '?');
    if (mark != FG_NOT_FOUND) {
        p->query = fg_str_range(input.at + mark + 1, input.at + input.len);
        input.len = mark;
    }
    p->rest = input;
}

static bool take_slash(struct parser *p)
{
    if (p->rest.len == 0 || !fg_path_is_slash(p->rest.at[0], p->url.scheme))
        return false;
    p->rest = fg_str_skip(p->rest, 1);
    return true;
}

/* The path. */

static void shorten_path(struct parser *p)
{
    fg_path_shorten(&p->out, p->url.path_start, p->url.scheme);
}

/* Add the segments of `rest`, which starts behind the slash if there was one. */
static void add_path(struct parser *p)
{
    fg_path_add(&p->out, p->url.path_start, p->rest, p->url.scheme);
}

/* The path behind an authority. */
static void add_path_from_start(struct parser *p)
{
    p->url.path_start = (uint32_t)p->out.len;
    if (!take_slash(p) && !fg_url_is_special(&p->url))
        return;
    add_path(p);
}

/* A space may stand in an opaque path, but not at its end, where trimming would eat it
 * once the query and fragment are gone. */
static void add_opaque_path(struct parser *p)
{
    struct fg_str path = p->rest;
    bool ends_in_space = path.len && path.at[path.len - 1] == ' ';
    p->url.has_opaque_path = true;
    p->url.path_start = (uint32_t)p->out.len;
    fg_percent_encode(&p->out, fg_str_sub(path, 0, path.len - ends_in_space),
                      FG_PERCENT_CONTROL);
    if (ends_in_space)
        fg_percent_add(&p->out, ' ');
}

/* The authority. */

static void mark_no_host(struct parser *p)
{
    p->url.username_end = p->url.host_start = p->url.host_end = (uint32_t)p->out.len;
    p->url.path_start = (uint32_t)p->out.len;
}

static void start_authority(struct parser *p)
{
    p->url.has_host = true;
    fg_buf_add(&p->out, FG_STR("//"));
    p->url.username_end = p->url.host_start = (uint32_t)p->out.len;
}

static void add_userinfo(struct parser *p, struct fg_str userinfo)
{
    size_t colon = fg_str_chr(userinfo, ':');
    struct fg_str name = fg_str_sub(userinfo, 0, colon), password = {0};
    if (colon != FG_NOT_FOUND)
        password = fg_str_skip(userinfo, colon + 1);
    if (name.len == 0 && password.len == 0)
        return;
    fg_percent_encode(&p->out, name, FG_PERCENT_USERINFO);
    p->url.username_end = (uint32_t)p->out.len;
    if (password.len) {
        fg_buf_add_char(&p->out, ':');
        fg_percent_encode(&p->out, password, FG_PERCENT_USERINFO);
    }
    fg_buf_add_char(&p->out, '@');
    p->url.host_start = (uint32_t)p->out.len;
}

static bool add_port(struct parser *p, struct fg_str text)
{
    int32_t port = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (!fg_is_digit(text.at[i]))
            return false;
        port = port * 10 + (text.at[i] - '0');
        if (port > UINT16_MAX)
            return false;
    }
    if (text.len && port != fg_scheme_port(p->url.scheme)) {
        p->url.port = port;
        fg_buf_printf(&p->out, ":%d", port);
    }
    return true;
}

static bool add_host(struct parser *p, struct fg_str host)
{
    enum fg_host_kind kind = fg_url_is_special(&p->url) ? FG_HOST_DOMAIN : FG_HOST_OPAQUE;
    if (!fg_host_parse(&p->out, host, kind))
        return false;
    p->url.host_end = (uint32_t)p->out.len;
    return true;
}

/* The first colon outside of brackets. */
static size_t find_port(struct fg_str host)
{
    bool inside = false;
    for (size_t i = 0; i < host.len; i++) {
        if (host.at[i] == '[')
            inside = true;
        else if (host.at[i] == ']')
            inside = false;
        else if (host.at[i] == ':' && !inside)
            return i;
    }
    return FG_NOT_FOUND;
}

static bool add_host_and_port(struct parser *p, struct fg_str text)
{
    size_t colon = find_port(text);
    if (colon == 0 || (text.len == 0 && fg_url_is_special(&p->url)))
        return false;
    if (!add_host(p, fg_str_sub(text, 0, colon)))
        return false;
    return colon == FG_NOT_FOUND || add_port(p, fg_str_skip(text, colon + 1));
}

static struct fg_str take_authority(struct parser *p)
{
    size_t n = 0;
    while (n < p->rest.len && !fg_path_is_slash(p->rest.at[n], p->url.scheme))
        n++;
    struct fg_str authority = fg_str_sub(p->rest, 0, n);
    p->rest = fg_str_skip(p->rest, n);
    return authority;
}

static bool parse_authority(struct parser *p)
{
    struct fg_str authority = take_authority(p);
    const char *at = authority.len ? memrchr(authority.at, '@', authority.len) : NULL;
    start_authority(p);
    if (at) {
        size_t n = (size_t)(at - authority.at);
        add_userinfo(p, fg_str_sub(authority, 0, n));
        authority = fg_str_skip(authority, n + 1);
        if (authority.len == 0)
            return false;
    }
    if (!add_host_and_port(p, authority))
        return false;
    add_path_from_start(p);
    return true;
}

/* Browsers take any number of slashes, of either kind, before a host that must come. */
static bool parse_special_authority(struct parser *p)
{
    while (take_slash(p))
        continue;
    return parse_authority(p);
}

/* Relative to a base. */

static void copy_scheme(struct parser *p)
{
    p->url.scheme = p->base->scheme;
    p->url.scheme_end = p->base->scheme_end;
    fg_buf_add(&p->out, fg_url_protocol(p->base));
}

/* User, password, host and port. */
static void copy_authority(struct parser *p)
{
    const struct fg_url *b = p->base;
    if (!b->has_host) {
        mark_no_host(p);
        return;
    }
    p->url.has_host = true;
    p->url.username_end = b->username_end;
    p->url.host_start = b->host_start;
    p->url.host_end = b->host_end;
    p->url.port = b->port;
    fg_buf_add(&p->out, fg_str_sub(b->href, b->scheme_end + 1, b->path_start));
    p->url.path_start = (uint32_t)p->out.len;
}

/* A reference without scheme and without a slash at its start, so it keeps at least the
 * directory of the base. `keep` is false for a drive letter, which replaces all of it. */
static void add_to_base_path(struct parser *p, bool keep)
{
    const struct fg_url *b = p->base;
    if (keep)
        fg_buf_add(&p->out, fg_url_pathname(b));
    if (p->rest.len) {
        shorten_path(p);
        add_path(p);
    } else if (!p->query.at && b->query_start < b->fragment_start) {
        p->url.query_start = (uint32_t)p->out.len;
        fg_buf_add(&p->out, fg_str_sub(b->href, b->query_start, b->fragment_start));
    }
}

static bool parse_relative(struct parser *p)
{
    if (take_slash(p)) {
        if (take_slash(p))
            return fg_url_is_special(&p->url) ? parse_special_authority(p)
                                              : parse_authority(p);
        copy_authority(p);
        add_path(p);
        return true;
    }
    copy_authority(p);
    add_to_base_path(p, true);
    return true;
}

/* File. */

static void start_empty_host(struct parser *p)
{
    start_authority(p);
    p->url.host_end = p->url.path_start = (uint32_t)p->out.len;
}

/* Behind "file://". A drive letter here is the start of the path, not a host, and
 * "localhost" says no more than no host at all. */
static bool parse_file_host(struct parser *p)
{
    struct fg_str before = p->rest, host = take_authority(p);
    start_empty_host(p);
    if (fg_path_is_drive(host)) {
        p->rest = before;
        add_path(p);
        return true;
    }
    if (host.len && !add_host(p, host))
        return false;
    struct fg_str name = fg_str_skip(fg_buf_str(&p->out), p->url.host_start);
    if (fg_str_eq(name, FG_STR("localhost")))
        p->url.host_end = (uint32_t)(p->out.len = p->url.host_start);
    add_path_from_start(p);
    return true;
}

/* Behind "file:/": the host of the base, and its drive unless the input names one. */
static bool parse_file_slash(struct parser *p, bool has_base)
{
    if (!has_base) {
        start_empty_host(p);
        add_path(p);
        return true;
    }
    copy_authority(p);
    struct fg_str path = fg_url_pathname(p->base), drive = fg_str_sub(path, 1, 3);
    bool has_drive = fg_path_is_drive(drive) && drive.at[1] == ':' &&
                     (path.len == 3 || path.at[3] == '/');
    if (has_drive && !fg_path_starts_with_drive(p->rest))
        fg_buf_add(&p->out, fg_str_sub(path, 0, 3));
    add_path(p);
    return true;
}

/* Behind "file:", or without a scheme when the base is a file. */
static bool parse_file(struct parser *p)
{
    bool has_base = p->base && p->base->scheme == FG_SCHEME_FILE;
    if (take_slash(p))
        return take_slash(p) ? parse_file_host(p) : parse_file_slash(p, has_base);
    if (has_base) {
        copy_authority(p);
        add_to_base_path(p, !fg_path_starts_with_drive(p->rest));
        return true;
    }
    start_empty_host(p);
    add_path(p);
    return true;
}

/* All of it. */

/* "https:" off the front of the input, lower case, to the output. */
static bool take_scheme(struct parser *p)
{
    struct fg_str s = p->rest;
    size_t n = 0;
    if (s.len == 0 || !fg_is_alpha(s.at[0]))
        return false;
    while (n < s.len &&
           (fg_is_alnum(s.at[n]) || s.at[n] == '+' || s.at[n] == '-' || s.at[n] == '.'))
        n++;
    if (n == s.len || s.at[n] != ':')
        return false;
    for (size_t i = 0; i < n; i++)
        fg_buf_add_char(&p->out, fg_lower(s.at[i]));
    p->url.scheme = scheme_of(fg_buf_str(&p->out));
    p->url.scheme_end = (uint32_t)n;
    fg_buf_add_char(&p->out, ':');
    p->rest = fg_str_skip(s, n + 1);
    return true;
}

static bool parse_without_scheme(struct parser *p)
{
    if (!p->base)
        return false;
    copy_scheme(p);
    if (p->base->has_opaque_path) {
        if (p->rest.len || p->query.at || !p->fragment.at)
            return false;
        p->url.has_opaque_path = true;
        copy_authority(p);
        add_to_base_path(p, true);
        return true;
    }
    return p->url.scheme == FG_SCHEME_FILE ? parse_file(p) : parse_relative(p);
}

static bool parse_parts(struct parser *p)
{
    if (!take_scheme(p))
        return parse_without_scheme(p);
    if (p->url.scheme == FG_SCHEME_FILE)
        return parse_file(p);
    if (fg_url_is_special(&p->url)) {
        bool is_relative = p->base && p->base->scheme == p->url.scheme &&
                           !fg_str_starts(p->rest, FG_STR("//"));
        return is_relative ? parse_relative(p) : parse_special_authority(p);
    }
    if (fg_str_starts(p->rest, FG_STR("//"))) {
        p->rest = fg_str_skip(p->rest, 2);
        return parse_authority(p);
    }
    mark_no_host(p);
    if (take_slash(p))
        add_path(p);
    else
        add_opaque_path(p);
    return true;
}

/* Without a host, a path that starts with "//" would read as one: "/." goes before it. */
static void guard_path(struct parser *p)
{
    struct fg_str written = fg_str_skip(fg_buf_str(&p->out), p->url.path_start);
    if (p->url.has_host || !fg_str_starts(written, FG_STR("//")))
        return;
    char *room = fg_buf_reserve(&p->out, 2);
    if (!room)
        return;
    char *path = p->out.at + p->url.path_start;
    memmove(path + 2, path, p->out.len - p->url.path_start);
    path[0] = '/';
    path[1] = '.';
    p->out.len += 2;
    p->url.path_start += 2;
    p->url.query_start += p->url.query_start ? 2 : 0;
}

/* The legacy encodings are for http, https, ftp and file only. */
static void add_query(struct parser *p)
{
    enum fg_scheme scheme = p->url.scheme;
    bool legacy = p->encoder && scheme != FG_SCHEME_OTHER && scheme != FG_SCHEME_WS &&
                  scheme != FG_SCHEME_WSS;
    enum fg_percent_set set =
        fg_url_is_special(&p->url) ? FG_PERCENT_SPECIAL_QUERY : FG_PERCENT_QUERY;
    fg_buf_add_char(&p->out, '?');
    if (!legacy) {
        fg_percent_encode(&p->out, p->query, set);
        return;
    }
    struct fg_buf utf8, bytes;
    fg_buf_init(&utf8, 3 * FG_URL_MAX);
    fg_buf_init(&bytes, 16 * FG_URL_MAX);
    for (const char *at = p->query.at, *end = at + p->query.len; at < end;)
        fg_buf_add_utf8(&utf8, fg_utf8_take(&at, end));
    p->encoder->encode(&bytes, fg_buf_str(&utf8), p->encoder->context);
    fg_percent_encode_bytes(&p->out, fg_buf_str(&bytes), set);
    fg_buf_clear(&utf8);
    fg_buf_clear(&bytes);
}

void fg_url_add_missing(struct fg_buf *out, uint32_t code_point)
{
    fg_buf_printf(out, "%%26%%23%u%%3B", code_point);
}

static void add_query_and_fragment(struct parser *p)
{
    if (!p->url.query_start)
        p->url.query_start = (uint32_t)p->out.len;
    if (p->query.at)
        add_query(p);
    p->url.fragment_start = (uint32_t)p->out.len;
    if (p->fragment.at) {
        fg_buf_add_char(&p->out, '#');
        fg_percent_encode(&p->out, p->fragment, FG_PERCENT_FRAGMENT);
    }
}

static bool parse(struct fg_url *url, struct fg_arena *arena, struct fg_str input,
                  const struct fg_url *base, const struct fg_url_encoder *encoder)
{
    *url = (struct fg_url){0};
    if (input.len > FG_URL_MAX)
        return false;
    struct parser p = {.base = base, .encoder = encoder, .url.port = -1};
    struct fg_buf copy;
    fg_buf_init(&copy, FG_URL_MAX);
    /* Nine bytes for a broken one is the worst; dot segments may take some of it back. */
    fg_buf_init(&p.out, 16 * FG_URL_MAX);
    fg_buf_reserve(&p.out, (base ? base->href.len : 0) + 2 * input.len + 16);
    cut_query_and_fragment(&p, without_breaks(&copy, trim(input)));
    bool good = parse_parts(&p);
    if (good) {
        guard_path(&p);
        add_query_and_fragment(&p);
        good = !p.out.full && p.out.len <= FG_URL_MAX;
    }
    if (good) {
        *url = p.url;
        url->href = fg_arena_dup(arena, fg_buf_str(&p.out));
    }
    fg_buf_clear(&p.out);
    fg_buf_clear(&copy);
    return good;
}

bool fg_url_parse(struct fg_url *url, struct fg_arena *arena, struct fg_str input,
                  const struct fg_url *base)
{
    return fg_url_parse_fast(url, arena, input, base) ||
           parse(url, arena, input, base, NULL);
}

bool fg_url_parse_encoded(struct fg_url *url, struct fg_arena *arena, struct fg_str input,
                          const struct fg_url *base, const struct fg_url_encoder *encoder)
{
    if (!encoder || fg_str_chr(input, '?') == FG_NOT_FOUND)
        return fg_url_parse(url, arena, input, base);
    return parse(url, arena, input, base, encoder);
}

bool fg_url_parse_slowly(struct fg_url *url, struct fg_arena *arena, struct fg_str input,
                         const struct fg_url *base)
{
    return parse(url, arena, input, base, NULL);
}

/* --- the origin --- */

static struct fg_str tuple_origin(struct fg_arena *arena, const struct fg_url *url)
{
    if (url->host_start == url->scheme_end + 3)
        return fg_str_sub(url->href, 0, url->path_start);
    return fg_arena_printf(arena, "%.*s://%.*s", FG_ARG(fg_url_scheme(url)),
                           FG_ARG(fg_url_host(url)));
}

/* A blob's path is the URL of the page that made it. */
struct fg_str fg_url_origin(struct fg_arena *arena, const struct fg_url *url)
{
    struct fg_url inner;
    if (fg_url_is_special(url) && url->scheme != FG_SCHEME_FILE)
        return tuple_origin(arena, url);
    if (fg_str_eq(fg_url_scheme(url), FG_STR("blob")) &&
        fg_url_parse(&inner, arena, fg_url_pathname(url), NULL) && fg_url_is_http(&inner))
        return tuple_origin(arena, &inner);
    return FG_STR("null");
}
