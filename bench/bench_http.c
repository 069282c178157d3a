/* The HTTP under the server: libmicrohttpd, which it is made with, beside libevent's own,
 * each giving the same four kilobytes to clients that keep their connections. What counts
 * is processor time a request, which other programs do not change. */
#include "bench.h"

#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BODY = 4096, CLIENTS = 32, REQUESTS = 60000 };
static char body[BODY];
static const char question[] = "GET /api/v1/status HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                               "Accept: application/json\r\n\r\n";
static const char *const heads[][2] = {
    {"Content-Type", "application/json"},
    {"Content-Security-Policy", "default-src 'none'; script-src 'self'"},
    {"X-Content-Type-Options", "nosniff"},
    {"ETag", "\"0123456789abcdef\""},
};
enum { HEADS = sizeof heads / sizeof *heads };

/* --- the two --- */

static enum MHD_Result answer_mhd(void *context, struct MHD_Connection *connection,
                                  const char *path, const char *method,
                                  const char *version, const char *upload,
                                  size_t *upload_bytes, void **memory)
{
    (void)context, (void)path, (void)method, (void)version;
    (void)upload, (void)upload_bytes;
    if (!*memory) { /* the head is there; the end of the request is another call */
        *memory = body;
        return MHD_YES;
    }
    struct MHD_Response *response =
        MHD_create_response_from_buffer(BODY, body, MHD_RESPMEM_PERSISTENT);
    for (size_t i = 0; i < HEADS; i++)
        MHD_add_response_header(response, heads[i][0], heads[i][1]);
    enum MHD_Result done = MHD_queue_response(connection, 200, response);
    MHD_destroy_response(response);
    return done;
}

static void answer_event(struct evhttp_request *request, void *context)
{
    (void)context;
    struct evbuffer *out = evbuffer_new();
    evbuffer_add_reference(out, body, BODY, NULL, NULL);
    for (size_t i = 0; i < HEADS; i++)
        evhttp_add_header(evhttp_request_get_output_headers(request), heads[i][0],
                          heads[i][1]);
    evhttp_send_reply(request, 200, "OK", out);
    evbuffer_free(out);
}

static atomic_bool is_over;

static void look_whether_over(evutil_socket_t fd, short what, void *base)
{
    (void)fd, (void)what;
    if (is_over)
        event_base_loopbreak(base);
}

static void *run_event(void *base)
{
    struct event *now_and_then = event_new(base, -1, EV_PERSIST, look_whether_over, base);
    event_add(now_and_then, &(struct timeval){.tv_usec = 50000});
    event_base_dispatch(base);
    event_free(now_and_then);
    return NULL;
}

/* --- clients: one thread, all connections --- */

static int connect_to(uint16_t port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || connect(fd, (struct sockaddr *)&at, sizeof at)) {
        perror("connect");
        exit(1);
    }
    return fd;
}

static void send_question(int fd)
{
    if (write(fd, question, sizeof question - 1) != (ssize_t)sizeof question - 1) {
        perror("write");
        exit(1);
    }
}

/* Bytes of an answer: all are as long as the first. */
static size_t length_of(int fd)
{
    char text[16 << 10];
    size_t n = 0, all = sizeof text;
    send_question(fd);
    while (n < all) {
        ssize_t got = read(fd, text + n, sizeof text - 1 - n);
        if (got <= 0)
            exit(1);
        text[n += (size_t)got] = '\0';
        const char *end = strstr(text, "\r\n\r\n");
        if (end)
            all = (size_t)(end + 4 - text) + BODY;
    }
    return all;
}

static double process_cpu(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* Seconds of processor time a request, without what the clients take. */
static double ask_all(uint16_t port)
{
    struct pollfd fds[CLIENTS];
    size_t got[CLIENTS] = {0}, done = 0, sent = 0;
    static char text[64 << 10];
    for (size_t i = 0; i < CLIENTS; i++)
        fds[i] = (struct pollfd){connect_to(port), POLLIN, 0};
    size_t each = length_of(fds[0].fd);
    double before = process_cpu() - bench_cpu_seconds();
    for (size_t i = 0; i < CLIENTS; i++, sent++)
        send_question(fds[i].fd);
    while (done < REQUESTS && poll(fds, CLIENTS, 10000) > 0)
        for (size_t i = 0; i < CLIENTS; i++) {
            if (!(fds[i].revents & (POLLIN | POLLHUP)))
                continue;
            ssize_t n = read(fds[i].fd, text, sizeof text);
            if (n <= 0)
                exit(1);
            got[i] += (size_t)n;
            if (got[i] < each)
                continue;
            got[i] = 0;
            done++;
            if (sent < REQUESTS) {
                send_question(fds[i].fd);
                sent++;
            }
        }
    double taken = process_cpu() - bench_cpu_seconds() - before;
    for (size_t i = 0; i < CLIENTS; i++)
        close(fds[i].fd);
    return taken / REQUESTS;
}

static double of_mhd(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, 0, NULL,
        NULL, answer_mhd, NULL, MHD_OPTION_THREAD_POOL_SIZE, 2U,
        MHD_OPTION_CONNECTION_LIMIT, 2000U, MHD_OPTION_SOCK_ADDR, &at, MHD_OPTION_END);
    if (!daemon)
        exit(1);
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    double each = ask_all(info->port);
    MHD_stop_daemon(daemon);
    return each;
}

static double of_event(void)
{
    struct event_base *base = event_base_new();
    struct evhttp *http = evhttp_new(base);
    pthread_t thread;
    struct sockaddr_in at;
    socklen_t length = sizeof at;
    evhttp_set_gencb(http, answer_event, NULL);
    struct evhttp_bound_socket *bound =
        evhttp_bind_socket_with_handle(http, "127.0.0.1", 0);
    if (!bound ||
        getsockname(evhttp_bound_socket_get_fd(bound), (struct sockaddr *)&at, &length))
        exit(1);
    is_over = false;
    pthread_create(&thread, NULL, run_event, base);
    double each = ask_all(ntohs(at.sin_port));
    is_over = true;
    pthread_join(thread, NULL);
    evhttp_free(http);
    event_base_free(base);
    return each;
}

int main(void)
{
    double mhd = 1, event = 1; /* seconds: the best of three */
    memset(body, 'x', sizeof body);
    for (int round = 0; round < 3; round++) {
        double a = of_mhd(), b = of_event();
        mhd = a < mhd ? a : mhd;
        event = b < event ? b : event;
    }
    printf("http: a request takes %.1f us of the server's processor time, by libevent "
           "%.1f us\n",
           1e6 * mhd, 1e6 * event);
    bench_ratio("http requests for the same processor time", "libevent", event / mhd, 0);
    return 0;
}
