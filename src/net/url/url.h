/* url.h - the URL standard (WHATWG): parse, resolve against a base, serialise
 *
 *     struct fg_url base, url;
 *     fg_url_parse(&base, arena, FG_STR("https://Example.org/a/b?c"), NULL);
 *     if (fg_url_parse(&url, arena, FG_STR("../d e#f"), &base))
 *         url.href is "https://example.org/d%20e#f", fg_url_hostname(&url) "example.org"
 *
 * A URL is its serialisation and where each part of it ends, so a parsed one is a single
 * piece of text, every part is a view, and copying the struct copies the URL. The text
 * lives in the arena, with a NUL behind it that is not counted.
 *
 * Most links of real pages are in canonical form already, or a clean reference to a clean
 * base; for those url_fast.c finds the parts in one scan and copies the text. All else
 * goes the long way through url.c, which follows the standard. Both give the same.
 * Widely included: one parser for all addresses, from wherever. What the crawler takes
 * for the same page is another question: see canonical.h. */
#ifndef FG_NET_URL_H
#define FG_NET_URL_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* Neither the input nor the result may be longer, in bytes. */
#define FG_URL_MAX (1 << 20)

enum fg_scheme {
    FG_SCHEME_OTHER,
    FG_SCHEME_HTTP, /* from here on "special": they have a host, and "\" is "/" */
    FG_SCHEME_HTTPS,
    FG_SCHEME_WS,
    FG_SCHEME_WSS,
    FG_SCHEME_FTP,
    FG_SCHEME_FILE
};

/*     https://user:pass@example.org:8080/path?query#fragment
 *          |      |     |          |    |    |     |
 *          |      |     |          |    |    |     fragment_start
 *          |      |     |          |    |    query_start
 *          |      |     |          |    path_start
 *          |      |     host_start host_end
 *          |      username_end
 *          scheme_end
 *
 * A part that is missing is empty and lies where it would be: without a query,
 * query_start equals fragment_start; without a fragment, that is href.len. Without a
 * host, username_end, host_start and host_end equal scheme_end + 1. */
struct fg_url {
    struct fg_str href;
    uint32_t scheme_end, username_end, host_start, host_end;
    uint32_t path_start, query_start, fragment_start;
    int32_t port; /* -1 if none is written: the scheme's own is never written */
    enum fg_scheme scheme;
    bool has_host;        /* "file:///" has one, the empty one; "mailto:x" has none */
    bool has_opaque_path; /* "mailto:x": it cannot be a base for more than a fragment */
};

/* Parse `input` (UTF-8; broken bytes count as U+FFFD) against `base`, which may be NULL
 * but not `url` itself. False if the standard says failure, or a limit says so; then
 * `url` is all zero and nothing is left in the arena. */
bool fg_url_parse(struct fg_url *url, struct fg_arena *arena, struct fg_str input,
                  const struct fg_url *base);

/* After a false, for a person who asks why: "its port is above 65535". Words that fit
 * behind a colon, in the arena or constant. */
const char *fg_url_reason(struct fg_arena *arena, struct fg_str input,
                          const struct fg_url *base);

/* On a page in a legacy encoding the query of a link is written in that encoding.
 * `encode` adds the bytes of `query` (valid UTF-8) in the encoding; for what the encoding
 * lacks it calls fg_url_add_missing. Without an encoder this is fg_url_parse. */
struct fg_url_encoder {
    void (*encode)(struct fg_buf *out, struct fg_str query, void *context);
    void *context;
};
bool fg_url_parse_encoded(struct fg_url *url, struct fg_arena *arena, struct fg_str input,
                          const struct fg_url *base,
                          const struct fg_url_encoder *encoder);
void fg_url_add_missing(struct fg_buf *out, uint32_t code_point);

/* The long way only: for tests that compare it with the short one. */
bool fg_url_parse_slowly(struct fg_url *url, struct fg_arena *arena, struct fg_str input,
                         const struct fg_url *base);

/* Parts, named as in the standard's API. Views into href. */
struct fg_str fg_url_scheme(const struct fg_url *url);    /* "https" */
struct fg_str fg_url_protocol(const struct fg_url *url);  /* "https:" */
struct fg_str fg_url_username(const struct fg_url *url);  /* "user" */
struct fg_str fg_url_password(const struct fg_url *url);  /* "pass" */
struct fg_str fg_url_host(const struct fg_url *url);      /* "example.org:8080" */
struct fg_str fg_url_hostname(const struct fg_url *url);  /* "example.org" */
struct fg_str fg_url_port_text(const struct fg_url *url); /* "8080" */
struct fg_str fg_url_pathname(const struct fg_url *url);  /* "/path" */
struct fg_str fg_url_search(const struct fg_url *url);    /* "?query", "" for "?" alone */
struct fg_str fg_url_hash(const struct fg_url *url);      /* "#fragment", likewise */

/* What an HTTP request line asks for: path and query, "/path?query". */
struct fg_str fg_url_target(const struct fg_url *url);

/* "https://example.org:8080", or "null" where the standard has no better answer. A view
 * where it can be one, else in the arena. */
struct fg_str fg_url_origin(struct fg_arena *arena, const struct fg_url *url);

static inline bool fg_url_is_http(const struct fg_url *url)
{
    return url->scheme == FG_SCHEME_HTTP || url->scheme == FG_SCHEME_HTTPS;
}

static inline bool fg_url_is_special(const struct fg_url *url)
{
    return url->scheme != FG_SCHEME_OTHER;
}

/* The port to connect to: the one written, else the scheme's; -1 if neither is known. */
int32_t fg_url_port(const struct fg_url *url);
int32_t fg_scheme_port(enum fg_scheme scheme);

#endif
