#include "server/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static enum fg_status wrong(struct fg_str text, struct fg_err *err)
{
    return fg_fail(
        err, FG_ECONFIG,
        "'%.*s' is not an address to listen on, such as 127.0.0.1:%d, [::1]:%d "
        "or 0.0.0.0:%d",
        FG_ARG(fg_str_sub(text, 0, 100)), FG_LISTEN_PORT, FG_LISTEN_PORT, FG_LISTEN_PORT);
}

/* Host and port; "[...]" around the host goes. */
static bool split(struct fg_str text, struct fg_str *host, struct fg_str *port)
{
    size_t end = fg_str_chr(text, ']');
    if (fg_str_starts(text, FG_STR("[")) && end != FG_NOT_FOUND) {
        *host = fg_str_sub(text, 1, end);
        *port = fg_str_skip(text, end + 1);
        return !port->len || port->at[0] == ':';
    }
    size_t colon = fg_str_chr(text, ':');
    *host = fg_str_sub(text, 0, colon);
    *port = colon == FG_NOT_FOUND ? FG_STR("") : fg_str_skip(text, colon);
    return true;
}

enum fg_status fg_listen_parse(struct fg_listen *at, struct fg_str text,
                               struct fg_err *err)
{
    struct fg_str host, port;
    uint64_t number = FG_LISTEN_PORT;
    char name[INET6_ADDRSTRLEN];
    *at = (struct fg_listen){0};
    if (!text.len || !split(text, &host, &port) || host.len >= sizeof name)
        return wrong(text, err);
    if (port.len && (!fg_str_to_u64(fg_str_skip(port, 1), &number) || number > 65535))
        return wrong(text, err);
    if (!host.len || fg_str_eq(host, FG_STR("localhost")))
        host = FG_STR("127.0.0.1");
    memcpy(name, host.at, host.len);
    name[host.len] = '\0';
    if (inet_pton(AF_INET, name, &at->v4.sin_addr) == 1) {
        at->v4.sin_family = AF_INET;
        at->v4.sin_port = htons((uint16_t)number);
        at->len = sizeof at->v4;
        at->is_loopback = ntohl(at->v4.sin_addr.s_addr) >> 24 == 127;
        return FG_OK;
    }
    *at = (struct fg_listen){0};
    if (inet_pton(AF_INET6, name, &at->v6.sin6_addr) != 1)
        return wrong(text, err);
    at->v6.sin6_family = AF_INET6;
    at->v6.sin6_port = htons((uint16_t)number);
    at->len = sizeof at->v6;
    at->is_loopback = IN6_IS_ADDR_LOOPBACK(&at->v6.sin6_addr);
    return FG_OK;
}

unsigned fg_listen_port(const struct fg_listen *at)
{
    return ntohs(at->any.sa_family == AF_INET ? at->v4.sin_port : at->v6.sin6_port);
}

static void set_port(struct fg_listen *at, unsigned port)
{
    if (at->any.sa_family == AF_INET)
        at->v4.sin_port = htons((uint16_t)port);
    else
        at->v6.sin6_port = htons((uint16_t)port);
}

/* -1 with errno. */
static int try_port(struct fg_listen *at, unsigned port)
{
    enum { BACKLOG = 512 };
    int fd = socket(at->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int yes = 1;
    if (fd < 0)
        return -1;
    set_port(at, port);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (at->any.sa_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
    if (bind(fd, &at->any, at->len) == 0 && listen(fd, BACKLOG) == 0) {
        getsockname(fd, &at->any, &at->len);
        return fd;
    }
    int code = errno;
    close(fd);
    errno = code;
    return -1;
}

int fg_listen_open(struct fg_listen *at, struct fg_err *err)
{
    unsigned wanted = fg_listen_port(at);
    int fd = try_port(at, wanted);
    for (unsigned i = 1; fd < 0 && errno == EADDRINUSE && i <= FG_LISTEN_NEXT; i++)
        fd = try_port(at, wanted + i < 65536 ? wanted + i : 0);
    if (fd < 0 && errno == EADDRINUSE)
        fd = try_port(at, 0);
    if (fd < 0) {
        char text[FG_LISTEN_TEXT];
        int code = errno;
        set_port(at, wanted);
        fg_fail(err, FG_EIO, "cannot listen on %s: %s", fg_listen_format(text, at),
                strerror(code));
    }
    return fd;
}

const char *fg_listen_format(char out[static FG_LISTEN_TEXT], const struct fg_listen *at)
{
    char host[INET6_ADDRSTRLEN] = "";
    bool is_v4 = at->any.sa_family == AF_INET;
    if (is_v4)
        inet_ntop(AF_INET, &at->v4.sin_addr, host, sizeof host);
    else
        inet_ntop(AF_INET6, &at->v6.sin6_addr, host, sizeof host);
    snprintf(out, FG_LISTEN_TEXT, is_v4 ? "%s:%u" : "[%s]:%u", host, fg_listen_port(at));
    return out;
}
