#include "support/server.h"

#include "base/vec.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_REQUEST = 1 << 16, MOST_CONNECTIONS = 20000 };

struct server {
    const struct route *routes;
    void *context;
    int listener, stop_pipe[2];
    unsigned port;
    char origin[40];
    pthread_t acceptor;
    pthread_mutex_t lock;
    FG_VEC(pthread_t) threads;
    FG_VEC(struct hit) hits;
    atomic_size_t connections;
    atomic_bool is_stopping;
};

struct connection {
    struct server *server;
    int fd;
};

static void must(bool is_so, const char *what)
{
    if (is_so)
        return;
    fprintf(stderr, "test server: %s: %s\n", what, strerror(errno));
    abort();
}

/* Ready for reading or writing; false if the server stops first or time runs out. */
static bool wait_for(struct server *server, int fd, short events, int timeout_ms)
{
    struct pollfd fds[] = {{.fd = server->stop_pipe[0], .events = POLLIN},
                           {.fd = fd, .events = events}};
    int n = poll(fds, fd < 0 ? 1 : 2, timeout_ms);
    return n > 0 && !fds[0].revents;
}

bool client_send(struct client *client, struct fg_str bytes)
{
    while (bytes.len) {
        if (!wait_for(client->server, client->fd, POLLOUT, -1))
            return false;
        ssize_t n = send(client->fd, bytes.at, bytes.len, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (n <= 0)
            return false;
        bytes = fg_str_skip(bytes, (size_t)n);
    }
    return true;
}

bool client_puts(struct client *client, const char *text)
{
    return client_send(client, fg_str_from(text));
}

bool client_printf(struct client *client, const char *format, ...)
{
    char *text;
    va_list list;
    va_start(list, format);
    int n = vasprintf(&text, format, list);
    va_end(list);
    must(n >= 0, "vasprintf");
    bool sent = client_send(client, (struct fg_str){text, (size_t)n});
    free(text);
    return sent;
}

bool client_wait(struct client *client, fg_time span)
{
    wait_for(client->server, -1, 0, (int)(span / FG_MILLISECOND));
    return !atomic_load(&client->server->is_stopping);
}

bool client_page(struct client *client, const char *type, struct fg_str body)
{
    return client_printf(client,
                         "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: "
                         "%zu\r\n\r\n",
                         type, body.len) &&
           client_send(client, body);
}

static void copy_host(char *out, size_t room, const char *head)
{
    const char *line = strcasestr(head, "\r\nHost:");
    *out = '\0';
    if (!line)
        return;
    line += 7;
    line += strspn(line, " ");
    snprintf(out, room, "%.*s", (int)strcspn(line, "\r"), line);
}

static unsigned log_hit(struct server *server, const char *path, const char *host,
                        const char *head)
{
    struct hit hit = {.at = fg_time_monotonic()};
    snprintf(hit.path, sizeof hit.path, "%s", path);
    snprintf(hit.host, sizeof hit.host, "%s", host);
    snprintf(hit.head, sizeof hit.head, "%s", head);
    pthread_mutex_lock(&server->lock);
    fg_vec_push(&server->hits, hit);
    unsigned number = (unsigned)server->hits.len - 1;
    pthread_mutex_unlock(&server->lock);
    return number;
}

static const struct route *route_of(const struct server *server, const char *path)
{
    for (const struct route *route = server->routes; route->path; route++) {
        size_t len = strlen(route->path);
        bool is_prefix = len && route->path[len - 1] == '*';
        if (is_prefix ? strncmp(route->path, path, len - 1) == 0
                      : strcmp(route->path, path) == 0)
            return route;
    }
    return NULL;
}

static bool answer(struct client *client, char *head)
{
    char path[MOST_REQUEST], host[64];
    const char *space = strchr(head, ' ');
    size_t len = space ? strcspn(space + 1, " \r\n") : 0;
    snprintf(path, sizeof path, "%.*s", (int)len, space ? space + 1 : "");
    copy_host(host, sizeof host, head);
    client->path = path;
    client->head = head;
    client->host = host;
    client->number = log_hit(client->server, path, host, head);
    const struct route *route = route_of(client->server, path);
    if (!route)
        return client_puts(client, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    return route->serve ? route->serve(client) : client_puts(client, route->raw);
}

/* One request head; false at the end of the connection. */
static bool read_head(struct client *client, char *head, size_t room)
{
    size_t len = 0;
    while (len + 1 < room) {
        if (!wait_for(client->server, client->fd, POLLIN, -1))
            return false;
        ssize_t n = recv(client->fd, head + len, 1, 0);
        if (n <= 0)
            return false;
        head[++len] = '\0';
        if (len >= 4 && memcmp(head + len - 4, "\r\n\r\n", 4) == 0)
            return true;
    }
    return false;
}

static void *converse(void *context)
{
    struct connection connection = *(struct connection *)context;
    free(context);
    struct client client = {.server = connection.server,
                            .fd = connection.fd,
                            .context = connection.server->context};
    char *head = malloc(MOST_REQUEST);
    must(head, "malloc");
    while (read_head(&client, head, MOST_REQUEST) && answer(&client, head))
        ;
    free(head);
    close(connection.fd);
    return NULL;
}

static void *accept_all(void *context)
{
    struct server *server = context;
    while (wait_for(server, server->listener, POLLIN, -1)) {
        int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0)
            continue;
        must(atomic_fetch_add(&server->connections, 1) < MOST_CONNECTIONS,
             "too many connections");
        int yes = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        struct connection *connection = malloc(sizeof *connection);
        must(connection, "malloc");
        *connection = (struct connection){server, fd};
        pthread_t thread;
        must(pthread_create(&thread, NULL, converse, connection) == 0, "thread");
        fg_vec_push(&server->threads, thread);
    }
    return NULL;
}

struct server *server_start(const struct route *routes, void *context)
{
    return server_start_at(0, routes, context);
}

struct server *server_start_at(unsigned port, const struct route *routes, void *context)
{
    struct server *server = calloc(1, sizeof *server);
    must(server, "calloc");
    server->routes = routes;
    server->context = context;
    pthread_mutex_init(&server->lock, NULL);
    must(pipe(server->stop_pipe) == 0, "pipe");
    server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    setsockopt(server->listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    must(bind(server->listener, (struct sockaddr *)&address, len) == 0, "bind");
    must(listen(server->listener, 128) == 0, "listen");
    getsockname(server->listener, (struct sockaddr *)&address, &len);
    server->port = ntohs(address.sin_port);
    snprintf(server->origin, sizeof server->origin, "http://127.0.0.1:%u", server->port);
    must(pthread_create(&server->acceptor, NULL, accept_all, server) == 0, "thread");
    return server;
}

void server_stop(struct server *server)
{
    if (!server)
        return;
    atomic_store(&server->is_stopping, true);
    close(server->stop_pipe[1]);
    pthread_join(server->acceptor, NULL);
    for (size_t i = 0; i < server->threads.len; i++)
        pthread_join(server->threads.at[i], NULL);
    close(server->stop_pipe[0]);
    close(server->listener);
    fg_vec_clear(&server->threads);
    fg_vec_clear(&server->hits);
    pthread_mutex_destroy(&server->lock);
    free(server);
}

unsigned server_port(const struct server *server)
{
    return server->port;
}

const char *server_origin(const struct server *server)
{
    return server->origin;
}

const char *server_url(const struct server *server, const char *path)
{
    static char texts[16][512];
    static unsigned next;
    char *text = texts[next++ % 16];
    snprintf(text, sizeof *texts, "%s%s", server->origin, path);
    return text;
}

size_t server_hits(struct server *server)
{
    pthread_mutex_lock(&server->lock);
    size_t n = server->hits.len;
    pthread_mutex_unlock(&server->lock);
    return n;
}

struct hit server_hit(struct server *server, size_t i)
{
    pthread_mutex_lock(&server->lock);
    must(i < server->hits.len, "no such hit");
    struct hit hit = server->hits.at[i];
    pthread_mutex_unlock(&server->lock);
    return hit;
}

size_t server_count(struct server *server, const char *path)
{
    size_t count = 0;
    pthread_mutex_lock(&server->lock);
    for (size_t i = 0; i < server->hits.len; i++)
        count += strcmp(server->hits.at[i].path, path) == 0;
    pthread_mutex_unlock(&server->lock);
    return count;
}

size_t server_connections(struct server *server)
{
    return atomic_load(&server->connections);
}

fg_time server_least_gap(struct server *server)
{
    fg_time least = INT64_MAX;
    pthread_mutex_lock(&server->lock);
    for (size_t i = 1; i < server->hits.len; i++) {
        fg_time gap = server->hits.at[i].at - server->hits.at[i - 1].at;
        least = gap < least ? gap : least;
    }
    pthread_mutex_unlock(&server->lock);
    return least;
}
