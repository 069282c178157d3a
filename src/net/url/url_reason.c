/* url_reason.c - why a text is not a URL, in words
 *
 * The parser says yes or no and is fast. A person who typed the text wants to know why,
 * so after a no the text is gone through once more, in the order of the parser, up to the
 * first part that cannot be. */
#include "net/url/url.h"

#include "net/url/host.h"
#include "net/url/percent.h"

struct suspect {
    struct fg_arena *arena;
    enum fg_scheme scheme;
    struct fg_str rest; /* from behind the scheme on */
};

/* Without what the parser drops: blanks around it, tabs and line breaks anywhere. */
static struct fg_str cleaned(struct fg_arena *arena, struct fg_str s)
{
    char *out = fg_arena_bytes(arena, s.len + 1);
    size_t n = 0;
    while (s.len && (unsigned char)s.at[0] <= ' ')
        s = fg_str_skip(s, 1);
    while (s.len && (unsigned char)s.at[s.len - 1] <= ' ')
        s.len--;
    for (size_t i = 0; i < s.len; i++)
        if (s.at[i] != '\t' && s.at[i] != '\n' && s.at[i] != '\r')
            out[n++] = s.at[i];
    return (struct fg_str){out, n};
}

/* Take "https:" off the front; false if there is none. */
static bool take_scheme(struct suspect *t)
{
    struct fg_str s = t->rest;
    size_t n = 0;
    while (n < s.len &&
           (fg_is_alnum(s.at[n]) || s.at[n] == '+' || s.at[n] == '-' || s.at[n] == '.'))
        n++;
    if (n == 0 || n == s.len || s.at[n] != ':' || !fg_is_alpha(s.at[0]))
        return false;
    struct fg_str sample =
        fg_arena_printf(t->arena, "%.*s://a", FG_ARG(fg_str_sub(s, 0, n)));
    struct fg_url url;
    if (fg_url_parse(&url, t->arena, sample, NULL))
        t->scheme = url.scheme;
    t->rest = fg_str_skip(s, n + 1);
    return true;
}

static bool is_slash(const struct suspect *t, size_t i)
{
    return i < t->rest.len && (t->rest.at[i] == '/' ||
                               (t->rest.at[i] == '\\' && t->scheme != FG_SCHEME_OTHER));
}

/* "user@host:80" without the user; false if the text has no such part. */
static bool take_host_and_port(struct suspect *t, struct fg_str *out)
{
    bool must = t->scheme != FG_SCHEME_OTHER && t->scheme != FG_SCHEME_FILE;
    size_t first = 0, end;
    while (is_slash(t, first) && (must || first < 2))
        first++;
    if (!must && first < 2)
        return false;
    for (end = first; end < t->rest.len && !is_slash(t, end); end++)
        if (t->rest.at[end] == '?' || t->rest.at[end] == '#')
            break;
    for (size_t i = end; i > first && t->scheme != FG_SCHEME_FILE; i--)
        if (t->rest.at[i - 1] == '@') {
            first = i;
            break;
        }
    *out = fg_str_sub(t->rest, first, end);
    return true;
}

static const char *reason_of_port(struct fg_str port)
{
    uint64_t number = 0;
    for (size_t i = 0; i < port.len; i++) {
        if (!fg_is_digit(port.at[i]))
            return "its port is not a number";
        if (number <= UINT16_MAX)
            number = number * 10 + (uint64_t)(port.at[i] - '0');
    }
    return number > UINT16_MAX ? "its port is above 65535" : NULL;
}

static const char *reason_of_bracket(struct fg_str host)
{
    size_t end = fg_str_chr(host, ']');
    return end == FG_NOT_FOUND  ? "the bracket of its host is not closed"
           : end + 1 < host.len ? "something stands behind the bracket of its host"
                                : "its IPv6 address is malformed";
}

static const char *reason_of_name(struct suspect *t, struct fg_str host,
                                  enum fg_host_kind kind)
{
    struct fg_buf decoded;
    fg_buf_init(&decoded, host.len);
    if (kind == FG_HOST_DOMAIN) {
        fg_percent_decode(&decoded, host);
        host = fg_arena_dup(t->arena, fg_buf_str(&decoded));
    }
    fg_buf_clear(&decoded);
    size_t at = fg_host_forbidden(host, kind);
    if (at != FG_NOT_FOUND && (unsigned char)host.at[at] < ' ')
        return "a control character stands in its host";
    if (at != FG_NOT_FOUND)
        return fg_arena_printf(t->arena, "'%c' may not stand in its host", host.at[at])
            .at;
    return fg_host_ends_in_number(host) ? "its IPv4 address is malformed"
                                        : "its host is not a domain name";
}

static const char *reason_of_host(struct suspect *t, struct fg_str host)
{
    enum fg_host_kind kind =
        t->scheme == FG_SCHEME_OTHER ? FG_HOST_OPAQUE : FG_HOST_DOMAIN;
    struct fg_buf out;
    fg_buf_init(&out, 16 * FG_URL_MAX);
    bool good = fg_host_parse(&out, host, kind);
    fg_buf_clear(&out);
    if (good)
        return NULL;
    return host.at[0] == '[' ? reason_of_bracket(host) : reason_of_name(t, host, kind);
}

/* The colon before the port is the first outside of brackets. */
static const char *reason_of_authority(struct suspect *t, struct fg_str text)
{
    if (t->scheme == FG_SCHEME_FILE)
        return text.len ? reason_of_host(t, text) : NULL;
    size_t n = 0;
    for (bool inside = false; n < text.len && (inside || text.at[n] != ':'); n++)
        inside = text.at[n] == '[' || (inside && text.at[n] != ']');
    if (n == 0)
        return "it has no host";
    const char *why = reason_of_host(t, fg_str_sub(text, 0, n));
    return why ? why : reason_of_port(fg_str_skip(text, n + 1));
}

const char *fg_url_reason(struct fg_arena *arena, struct fg_str input,
                          const struct fg_url *base)
{
    struct fg_str authority;
    if (input.len > FG_URL_MAX)
        return "it is longer than 1 MiB";
    struct suspect t = {.arena = arena, .rest = cleaned(arena, input)};
    if (!t.rest.len && !base)
        return "it is empty";
    if (!take_scheme(&t)) {
        if (!base)
            return "it has no scheme, such as 'https:'";
        if (base->has_opaque_path)
            return "nothing can be relative to this base";
        t.scheme = base->scheme;
        if (!is_slash(&t, 0) || !is_slash(&t, 1))
            return "it is too long once it is resolved";
    }
    const char *why =
        take_host_and_port(&t, &authority) ? reason_of_authority(&t, authority) : NULL;
    return why ? why : "it is too long once its characters are escaped";
}
