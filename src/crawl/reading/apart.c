#include "crawl/reading/apart.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/spawn.h"
#include "crawl/reading/carry.h"
#include "net/charset/charset.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    TRIES = 2,
    LOOK_EVERY_MS = 1000,          /* at how much of the processor it has had */
    MOST_OF_A_READING = 256 << 20, /* links and texts; see MOST_BYTES of reading.c */
    MEMORY = 1 << 30, /* that a page may take, and so many times its bytes: */
    MEMORY_TIMES = 16,
    MAX_BODY = 10 << 20,
    MOST_OF_A_PAGE = 64 << 20, /* without its body */
};
/* By the clock on the wall, for one that waits for a processor. */
static const fg_time patience = 10 * FG_MINUTE;
/* What it says when it has given up everything, or cannot. */
static const uint64_t ready = 0x7265616479666721, unable = 0x756e61626c656621;

struct fg_apart {
    struct fg_apart_options options;
    pid_t pid; /* 0: there is none */
    int fd;
    struct fg_buf out;
    unsigned deaths;
    double seconds; /* of those that have ended */
};

/* --- how it is doing --- */

static fg_time processor_of(const struct fg_apart *apart)
{
    clockid_t clock;
    struct timespec had;
    if (clock_getcpuclockid(apart->pid, &clock) || clock_gettime(clock, &had))
        return 0;
    return had.tv_sec * FG_SECOND + had.tv_nsec / 1000;
}

double fg_apart_seconds(const struct fg_apart *apart)
{
    return apart->seconds +
           (apart->pid ? (double)processor_of(apart) / (double)FG_SECOND : 0);
}

unsigned fg_apart_deaths(const struct fg_apart *apart)
{
    return apart->deaths;
}

struct patience {
    fg_time processor, wall; /* when it began with this page */
};

static bool is_too_long(const struct fg_apart *apart, const struct patience *since)
{
    return processor_of(apart) - since->processor > apart->options.most_of_processor ||
           fg_time_monotonic() - since->wall > patience;
}

/* Until the socket can be read or written. False if that will not come. */
static bool wait_for(const struct fg_apart *apart, short what,
                     const struct patience *since)
{
    struct pollfd socket = {.fd = apart->fd, .events = what};
    for (;;) {
        int n = poll(&socket, 1, LOOK_EVERY_MS);
        if (n > 0)
            return true;
        if ((n < 0 && errno != EINTR) || is_too_long(apart, since))
            return false;
    }
}

static bool move_all(const struct fg_apart *apart, char *at, size_t n, short way,
                     const struct patience *since)
{
    while (n) {
        ssize_t moved = way == POLLOUT
                            ? send(apart->fd, at, n, MSG_DONTWAIT | MSG_NOSIGNAL)
                            : recv(apart->fd, at, n, MSG_DONTWAIT);
        if (moved > 0) {
            at += moved;
            n -= (size_t)moved;
        } else if (!moved || (errno != EAGAIN && errno != EINTR) ||
                   !wait_for(apart, way, since)) {
            return false;
        }
    }
    return true;
}

/* --- its life --- */

static void end(struct fg_apart *apart)
{
    if (!apart->pid)
        return;
    apart->seconds += (double)processor_of(apart) / (double)FG_SECOND;
    close(apart->fd);
    kill(apart->pid, SIGKILL);
    while (waitpid(apart->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    apart->pid = 0;
}

static int spawn(struct fg_apart *apart, int theirs)
{
    char memory[24];
    snprintf(memory, sizeof memory, "%zu",
             MEMORY + MEMORY_TIMES * apart->options.max_body);
    char name[] = "forage", command[] = FG_APART_COMMAND;
    char *words[] = {name, command, memory, NULL};
    /* A library that would start threads need not. */
    char one_thread[] = "OPENBLAS_NUM_THREADS=1";
    char *environment[] = {one_thread, NULL};
    return fg_spawn(&apart->pid, &(struct fg_spawn){.program = apart->options.program,
                                                    .words = words,
                                                    .environment = environment,
                                                    .input = theirs});
}

static enum fg_status begin(struct fg_apart *apart, struct fg_err *err)
{
    int ends[2];
    uint64_t said = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return fg_fail(err, FG_EIO, "cannot make a socket: %s", strerror(errno));
    int why = spawn(apart, ends[1]);
    close(ends[1]);
    apart->fd = ends[0];
    if (why) {
        close(ends[0]);
        apart->pid = 0;
        return fg_fail(err, FG_EIO, "cannot start the process that reads pages: %s",
                       strerror(why));
    }
    struct patience since = {0, fg_time_monotonic()};
    if (move_all(apart, (char *)&said, sizeof said, POLLIN, &since) && said == ready)
        return FG_OK;
    end(apart);
    return said == unable
               ? fg_fail(err, FG_EIO,
                         "the process that reads pages cannot be shut in: this needs "
                         "Linux with seccomp, on x86-64, arm64 or riscv64")
               : fg_fail(err, FG_EIO,
                         "the process that reads pages ended before it had begun");
}

/* Some try for ten seconds in all: that a process cannot be started is no fault of the
 * page, and passes. Meanwhile this thread asks for nothing that it could not read. */
static bool begin_anew(struct fg_apart *apart)
{
    enum { TIMES = 5 };
    struct fg_err err = {0};
    for (unsigned i = 0; i < TIMES; i++) {
        usleep(i * 1000000);
        if (begin(apart, &err) == FG_OK)
            return true;
        fg_log_warn("crawl", "pages cannot be read", FG_F("why", fg_str_from(err.text)));
    }
    return false;
}

enum fg_status fg_apart_new(struct fg_apart **result,
                            const struct fg_apart_options *options, struct fg_err *err)
{
    struct fg_apart *apart = fg_zeroed(1, sizeof *apart);
    *result = NULL;
    apart->options = *options;
    if (!apart->options.max_body)
        apart->options.max_body = MAX_BODY;
    if (!apart->options.most_of_processor)
        apart->options.most_of_processor = 30 * FG_SECOND;
    fg_buf_init(&apart->out, MOST_OF_A_PAGE + apart->options.max_body);
    enum fg_status st = begin(apart, err);
    if (st)
        fg_apart_free(apart);
    else
        *result = apart;
    return st;
}

void fg_apart_free(struct fg_apart *apart)
{
    if (!apart)
        return;
    end(apart);
    fg_buf_clear(&apart->out);
    free(apart);
}

/* --- a page --- */

/* There and back, once. */
static bool try_once(struct fg_apart *apart, struct fg_reading *reading,
                     struct fg_arena *arena)
{
    struct patience since = {processor_of(apart), fg_time_monotonic()};
    uint64_t n = apart->out.len;
    if (!move_all(apart, (char *)&n, sizeof n, POLLOUT, &since) ||
        !move_all(apart, apart->out.at, apart->out.len, POLLOUT, &since) ||
        !move_all(apart, (char *)&n, sizeof n, POLLIN, &since) || n > MOST_OF_A_READING)
        return false;
    char *back = fg_arena_bytes(arena, n);
    return move_all(apart, back, n, POLLIN, &since) &&
           fg_carried_reading(reading, arena, (struct fg_str){back, n});
}

enum fg_apart_end fg_apart_read(struct fg_apart *apart, struct fg_reading *reading,
                                struct fg_arena *arena, struct fg_str url,
                                const struct fg_response *response,
                                struct fg_reading_rules rules)
{
    fg_buf_reset(&apart->out);
    if (!fg_carry_page(&apart->out, url, response, rules))
        return FG_APART_NOBODY;
    for (int i = 0; i < TRIES; i++) {
        if (!apart->pid && !begin_anew(apart))
            return FG_APART_NOBODY;
        if (try_once(apart, reading, arena))
            return FG_APART_READ;
        fg_log_warn("crawl", "a page was the end of the process that read it",
                    FG_F("url", url), FG_F("tries", i + 1));
        apart->deaths++;
        end(apart);
    }
    return FG_APART_DEADLY;
}

/* --- the other side --- */

static bool take_all(int fd, char *at, size_t n)
{
    while (n) {
        ssize_t got = read(fd, at, n);
        if (got <= 0)
            return false;
        at += got;
        n -= (size_t)got;
    }
    return true;
}

static bool give_all(int fd, const char *at, size_t n)
{
    while (n) {
        ssize_t gone = write(fd, at, n);
        if (gone <= 0)
            return false;
        at += gone;
        n -= (size_t)gone;
    }
    return true;
}

static bool serve_one(int fd, struct fg_arena *arena, struct fg_buf *out)
{
    struct fg_carried page;
    struct fg_reading reading;
    uint64_t n;
    if (!take_all(fd, (char *)&n, sizeof n))
        return false;
    char *bytes = fg_arena_bytes(arena, n);
    if (!take_all(fd, bytes, n) ||
        !fg_carried_page(&page, arena, (struct fg_str){bytes, n}))
        return false;
    fg_reading_from(&reading, arena, page.url, &page.response, page.rules);
    fg_buf_reset(out);
    if (!fg_carry_reading(out, &reading))
        return false;
    n = out->len;
    return give_all(fd, (const char *)&n, sizeof n) && give_all(fd, out->at, out->len);
}

/* Tables are made at first use; those of old encodings come from files. */
static void warm_up(struct fg_arena *arena)
{
    static const char *const encodings[] = {"shift_jis", "euc-jp",  "iso-2022-jp",
                                            "euc-kr",    "gb18030", "big5"};
    struct fg_response response = {
        .outcome = FG_FETCHED,
        .status = 200,
        .body = FG_STR("<title>&eacute;</title><p>On 3 May 12.00 EUR. <a href=/x>x</a>")};
    struct fg_reading reading;
    fg_reading_from(&reading, arena, FG_STR("http://example.org/"), &response,
                    (struct fg_reading_rules){.token = FG_STR("forage")});
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++) {
        struct fg_charset charset = {.encoding =
                                         fg_encoding_find(fg_str_from(encodings[i]))};
        fg_charset_decode(arena, charset, FG_STR("\xb0\xa1 \x8f\xb0\xa1"));
    }
    fg_arena_reset(arena);
}

/* It ends when we do: who stops a crawl by a signal to all its processes does not mean
 * this one, which has a page to finish. Nothing is cleaned up, for nothing is ours. */
int fg_apart_serve(const char *bytes)
{
    static const int deaf_to[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct fg_arena arena = {0};
    struct fg_buf out;
    uint64_t memory;
    if (!fg_str_to_u64(fg_str_from(bytes), &memory))
        _exit(1);
    for (size_t i = 0; i < sizeof deaf_to / sizeof *deaf_to; i++)
        signal(deaf_to[i], SIG_IGN);
    prctl(PR_SET_DUMPABLE, 0);
    fg_buf_init(&out, MOST_OF_A_READING);
    warm_up(&arena);
    bool is_shut_in = fg_apart_lock_up(STDIN_FILENO, memory);
    if (!give_all(STDIN_FILENO, (const char *)(is_shut_in ? &ready : &unable),
                  sizeof ready) ||
        !is_shut_in)
        _exit(1);
    while (serve_one(STDIN_FILENO, &arena, &out))
        fg_arena_reset(&arena);
    _exit(0);
}
