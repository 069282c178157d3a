#include "server/gate.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

/* Without its port; of "[::1]:80" what is between the brackets. */
static struct fg_str without_port(struct fg_str host, bool *is_bracketed)
{
    size_t end = fg_str_chr(host, ']');
    *is_bracketed = fg_str_starts(host, FG_STR("[")) && end != FG_NOT_FOUND;
    return *is_bracketed ? fg_str_sub(host, 1, end)
                         : fg_str_sub(host, 0, fg_str_chr(host, ':'));
}

static bool has_good_port(struct fg_str host, struct fg_str name, bool is_bracketed)
{
    struct fg_str rest = fg_str_skip(host, name.len + (is_bracketed ? 2 : 0));
    uint64_t port;
    return !rest.len || (rest.at[0] == ':' &&
                         fg_str_to_u64(fg_str_skip(rest, 1), &port) && port < 65536);
}

static bool is_number(struct fg_str name, int family)
{
    char text[INET6_ADDRSTRLEN], address[16];
    if (name.len >= sizeof text)
        return false;
    memcpy(text, name.at, name.len);
    text[name.len] = '\0';
    return inet_pton(family, text, address) == 1;
}

bool fg_gate_knows_host(struct fg_str host, const struct fg_opt_list *names)
{
    bool is_bracketed;
    struct fg_str name = without_port(host, &is_bracketed);
    if (!name.len || !has_good_port(host, name, is_bracketed))
        return false;
    if (is_bracketed)
        return is_number(name, AF_INET6);
    if (fg_str_eq_nocase(name, FG_STR("localhost")) || is_number(name, AF_INET))
        return true;
    for (size_t i = 0; i < names->len; i++)
        if (fg_str_eq_nocase(name, names->at[i]))
            return true;
    return false;
}

/* "https://name:port" is from where we are called by that name. */
static bool is_same_place(struct fg_str origin, struct fg_str host)
{
    size_t slashes = fg_str_find(origin, FG_STR("://"));
    return slashes != FG_NOT_FOUND &&
           (fg_str_starts(origin, FG_STR("http://")) ||
            fg_str_starts(origin, FG_STR("https://"))) &&
           fg_str_eq_nocase(fg_str_skip(origin, slashes + 3), host);
}

static bool is_json(struct fg_str type)
{
    struct fg_str word = {0}; /* there may be no such header */
    fg_str_cut(&type, ';', &word);
    return fg_str_eq_nocase(fg_str_trim(word), FG_STR("application/json"));
}

const char *fg_gate_refuses(const struct fg_gate_request *r,
                            const struct fg_opt_list *names)
{
    if (!fg_gate_knows_host(r->host, names))
        return "the Host of this request is not a name of this server; see server.hosts";
    if (r->origin.len && !is_same_place(r->origin, r->host))
        return "this request comes from a page of another site (Origin)";
    bool is_own = !r->fetch_site.len || fg_str_eq(r->fetch_site, FG_STR("same-origin")) ||
                  fg_str_eq(r->fetch_site, FG_STR("none"));
    if (r->is_changing && !is_own)
        return "this request comes from a page of another site (Sec-Fetch-Site)";
    if (r->is_changing && r->has_body && !is_json(r->content_type))
        return "a request that changes something must be of Content-Type "
               "application/json";
    return NULL;
}

/* --- the token --- */

static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static struct fg_str decoded(struct fg_str text, char *out, size_t room)
{
    size_t n = 0;
    unsigned bits = 0, value = 0;
    for (size_t i = 0; i < text.len && text.at[i] != '=' && n < room; i++) {
        int digit = base64_digit(text.at[i]);
        if (digit < 0)
            return FG_STR("");
        value = (value << 6 | (unsigned)digit) & 0xffffff;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out[n++] = (char)(value >> bits & 255);
        }
    }
    return (struct fg_str){out, n};
}

static struct fg_str of_cookie(struct fg_str cookies)
{
    struct fg_str part;
    while (cookies.len && fg_str_cut(&cookies, ';', &part)) {
        part = fg_str_trim(part);
        if (fg_str_starts(part, FG_STR("forage=")))
            return fg_str_skip(part, 7);
    }
    return FG_STR("");
}

struct fg_str fg_gate_token(const struct fg_gate_request *r, char *out, size_t room)
{
    if (fg_str_starts_nocase(r->authorization, FG_STR("bearer ")))
        return fg_str_trim(fg_str_skip(r->authorization, 7));
    if (fg_str_starts_nocase(r->authorization, FG_STR("basic "))) {
        struct fg_str pair =
            decoded(fg_str_trim(fg_str_skip(r->authorization, 6)), out, room);
        size_t colon = fg_str_chr(pair, ':');
        return colon == FG_NOT_FOUND ? FG_STR("") : fg_str_skip(pair, colon + 1);
    }
    return of_cookie(r->cookie);
}

/* --- who asks --- */

static uint64_t of_v4(struct in_addr address)
{
    return 1 + (uint64_t)address.s_addr;
}

static uint64_t of_v6(const struct in6_addr *address)
{
    struct in_addr v4;
    if (!IN6_IS_ADDR_V4MAPPED(address))
        return fg_str_hash((struct fg_str){(const char *)address, 8}) | 1;
    memcpy(&v4, address->s6_addr + 12, sizeof v4);
    return of_v4(v4);
}

static bool is_here(const struct sockaddr *peer)
{
    if (peer->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)peer)->sin_addr.s_addr) >> 24 == 127;
    return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)peer)->sin6_addr);
}

/* 0: the last entry is no address. Some proxies write its port as well. */
static uint64_t last_of(struct fg_str forwarded)
{
    char text[INET6_ADDRSTRLEN];
    struct fg_str entry = FG_STR("");
    struct in_addr v4;
    struct in6_addr v6;
    bool is_bracketed;
    while (forwarded.len)
        fg_str_cut(&forwarded, ',', &entry);
    entry = fg_str_trim(entry);
    if (fg_str_starts(entry, FG_STR("[")) || fg_str_chr(entry, '.') != FG_NOT_FOUND)
        entry = without_port(entry, &is_bracketed);
    if (!entry.len || entry.len >= sizeof text)
        return 0;
    memcpy(text, entry.at, entry.len);
    text[entry.len] = '\0';
    return inet_pton(AF_INET, text, &v4) == 1    ? of_v4(v4)
           : inet_pton(AF_INET6, text, &v6) == 1 ? of_v6(&v6)
                                                 : 0;
}

uint64_t fg_gate_client(const struct sockaddr *peer, bool is_behind_proxy,
                        struct fg_str forwarded)
{
    uint64_t last = 0;
    if (!peer)
        return 1;
    if (is_behind_proxy && forwarded.len && is_here(peer))
        last = last_of(forwarded);
    if (last)
        return last;
    return peer->sa_family == AF_INET
               ? of_v4(((const struct sockaddr_in *)peer)->sin_addr)
               : of_v6(&((const struct sockaddr_in6 *)peer)->sin6_addr);
}
