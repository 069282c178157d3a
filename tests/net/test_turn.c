/* A thread that is kept by a socket that never falls silent, and one that watches. */
#include "net/http/turn.h"

#include "test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BODY = 1 << 20, IS_RECEIVER = -2 };

struct kept {
    struct fg_turn turn;
    int sender, receiver, known; /* known: what the turn is said to be for */
    int shut;
    bool sleeps, is_slow; /* slow: as where many want the processor */
    bool is_body;         /* what comes is worth something */
    atomic_bool is_over;
};

static void connect_both(struct kept *kept)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, len), 0);
    assert_int_equal(listen(listener, 1), 0);
    getsockname(listener, (struct sockaddr *)&address, &len);
    kept->receiver = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(kept->receiver, (struct sockaddr *)&address, len), 0);
    kept->sender = accept(listener, NULL, NULL);
    close(listener);
}

static void *send_without_end(void *context)
{
    struct kept *kept = context;
    static const char nothing[65536];
    while (!atomic_load(&kept->is_over) &&
           send(kept->sender, nothing, sizeof nothing, MSG_NOSIGNAL) > 0)
        ;
    return NULL;
}

/* As libcurl does: as long as something comes. */
static void *receive_without_end(void *context)
{
    struct kept *kept = context;
    char room[4096];
    fg_turn_begin(&kept->turn, kept->known);
    if (kept->sleeps)
        usleep(400000);
    ssize_t n;
    for (size_t all = 0; !kept->sleeps && (!kept->is_body || all < BODY) &&
                         (n = recv(kept->receiver, room, sizeof room, 0)) > 0;
         all += (size_t)n) {
        if (kept->is_slow)
            usleep(1000);
        if (kept->is_body)
            atomic_fetch_add(&kept->turn.content, (size_t)n);
    }
    kept->shut = fg_turn_end(&kept->turn);
    atomic_store(&kept->is_over, true);
    return NULL;
}

static unsigned watch_until_it_ends(struct kept *kept)
{
    struct fg_turn_watcher watcher = {0};
    pthread_t sender, receiver;
    unsigned shut = 0;
    fg_turn_init(&kept->turn);
    connect_both(kept);
    if (kept->known == IS_RECEIVER)
        kept->known = kept->receiver;
    fg_turn_opened(&kept->turn, kept->receiver);
    pthread_create(&sender, NULL, send_without_end, kept);
    pthread_create(&receiver, NULL, receive_without_end, kept);
    for (int i = 0; i < 400 && !atomic_load(&kept->is_over); i++) {
        usleep(50000);
        shut += fg_turn_watch(&kept->turn, &watcher);
    }
    assert_true(atomic_load(&kept->is_over));
    shutdown(kept->sender, SHUT_RDWR);
    pthread_join(receiver, NULL);
    pthread_join(sender, NULL);
    fg_turn_closing(&kept->turn, kept->receiver);
    close(kept->receiver);
    close(kept->sender);
    fg_turn_watcher_clear(&watcher);
    fg_turn_clear(&kept->turn);
    return shut;
}

static void who_keeps_a_thread_is_cut_off(void **state)
{
    (void)state;
    struct kept kept = {0};
    kept.known = -1; /* a timer's: found by what comes in */
    assert_int_equal(watch_until_it_ends(&kept), 1);
    assert_int_equal(kept.shut, kept.receiver);
}

static void who_feeds_nothing_is_cut_off_though_it_takes_no_time(void **state)
{
    (void)state;
    struct kept kept = {.is_slow = true};
    kept.known = IS_RECEIVER;
    assert_int_equal(watch_until_it_ends(&kept), 1);
    assert_int_equal(kept.shut, kept.receiver);
    kept = (struct kept){.is_slow = true, .is_body = true, .known = IS_RECEIVER};
    assert_int_equal(watch_until_it_ends(&kept), 0);
    assert_int_equal(kept.shut, -1);
}

static void a_thread_that_waits_is_not_kept(void **state)
{
    (void)state;
    struct kept kept = {.sleeps = true, .known = -1};
    assert_int_equal(watch_until_it_ends(&kept), 0);
    assert_int_equal(kept.shut, -1);
    assert_true(kept.turn.took >= 400 * FG_MILLISECOND);
    assert_int_equal(atomic_load(&kept.turn.lag.late), 1);
}

static void a_socket_that_was_closed_is_nobodys(void **state)
{
    (void)state;
    struct fg_turn turn;
    struct fg_turn_watcher watcher = {0};
    fg_turn_init(&turn);
    int fd = dup(2);
    fg_turn_opened(&turn, fd);
    fg_turn_begin(&turn, fd);
    assert_false(fg_turn_watch(&turn, &watcher));
    fg_turn_closing(&turn, fd);
    close(fd);
    fg_time until = fg_time_monotonic() + 150 * FG_MILLISECOND;
    while (fg_time_monotonic() < until)
        ;
    assert_false(fg_turn_watch(&turn, &watcher));
    assert_int_equal(fg_turn_end(&turn), -1);
    fg_turn_watcher_clear(&watcher);
    fg_turn_clear(&turn);
}

FG_TESTS(who_keeps_a_thread_is_cut_off,
         who_feeds_nothing_is_cut_off_though_it_takes_no_time,
         a_thread_that_waits_is_not_kept, a_socket_that_was_closed_is_nobodys)
