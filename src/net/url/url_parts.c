/* The parts of a parsed URL: arithmetic on its offsets. */
#include "net/url/url.h"

static struct fg_str part(const struct fg_url *url, uint32_t first, uint32_t end)
{
    return (struct fg_str){url->href.at + first, end - first};
}

struct fg_str fg_url_scheme(const struct fg_url *url)
{
    return part(url, 0, url->scheme_end);
}

struct fg_str fg_url_protocol(const struct fg_url *url)
{
    return part(url, 0, url->scheme_end + 1);
}

struct fg_str fg_url_username(const struct fg_url *url)
{
    uint32_t first = url->scheme_end + (url->has_host ? 3 : 1);
    return part(url, first, url->username_end);
}

struct fg_str fg_url_password(const struct fg_url *url)
{
    uint32_t first = url->username_end + 1;
    if (first >= url->host_start)
        return (struct fg_str){"", 0};
    return part(url, first, url->host_start - 1);
}

struct fg_str fg_url_host(const struct fg_url *url)
{
    /* path_start would count the "/." that guards a path without host */
    return part(url, url->host_start, url->has_host ? url->path_start : url->host_end);
}

struct fg_str fg_url_hostname(const struct fg_url *url)
{
    return part(url, url->host_start, url->host_end);
}

struct fg_str fg_url_port_text(const struct fg_url *url)
{
    if (url->port < 0)
        return (struct fg_str){"", 0};
    return part(url, url->host_end + 1, url->path_start);
}

struct fg_str fg_url_pathname(const struct fg_url *url)
{
    return part(url, url->path_start, url->query_start);
}

/* Its first character alone says nothing, so then the part counts as empty. */
static struct fg_str unless_alone(struct fg_str s)
{
    return s.len == 1 ? fg_str_skip(s, 1) : s;
}

struct fg_str fg_url_search(const struct fg_url *url)
{
    return unless_alone(part(url, url->query_start, url->fragment_start));
}

struct fg_str fg_url_hash(const struct fg_url *url)
{
    return unless_alone(part(url, url->fragment_start, (uint32_t)url->href.len));
}

struct fg_str fg_url_target(const struct fg_url *url)
{
    return part(url, url->path_start, url->fragment_start);
}

int32_t fg_scheme_port(enum fg_scheme scheme)
{
    switch (scheme) {
    case FG_SCHEME_HTTP:
    case FG_SCHEME_WS:
        return 80;
    case FG_SCHEME_HTTPS:
    case FG_SCHEME_WSS:
        return 443;
    case FG_SCHEME_FTP:
        return 21;
    case FG_SCHEME_OTHER:
    case FG_SCHEME_FILE:
        break;
    }
    return -1;
}

int32_t fg_url_port(const struct fg_url *url)
{
    return url->port >= 0 ? url->port : fg_scheme_port(url->scheme);
}
