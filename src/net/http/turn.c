#include "net/http/turn.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* So long a turn, and of that so much work between two looks, is no accident. A read of
 * 128 KiB, decrypted and unpacked, takes a few milliseconds. */
static const fg_time too_long = 100 * FG_MILLISECOND;
/* A body that brings this much from one look to the next may take longer. */
enum { FULL_SPEED = 1 << 20 };
static const fg_time much_too_long = FG_SECOND;
static const fg_time too_busy = 25 * FG_MILLISECOND;

void fg_turn_init(struct fg_turn *turn)
{
    *turn = (struct fg_turn){.fd = -1, .shut = -1};
    pthread_mutex_init(&turn->lock, NULL);
}

void fg_turn_clear(struct fg_turn *turn)
{
    fg_vec_clear(&turn->open);
    pthread_mutex_destroy(&turn->lock);
}

void fg_turn_begin(struct fg_turn *turn, int fd)
{
    pthread_mutex_lock(&turn->lock);
    if (!turn->number++)
        pthread_getcpuclockid(pthread_self(), &turn->cpu);
    turn->is_on = true;
    turn->fd = fd;
    turn->shut = -1;
    turn->since = fg_time_monotonic();
    pthread_mutex_unlock(&turn->lock);
}

int fg_turn_end(struct fg_turn *turn)
{
    pthread_mutex_lock(&turn->lock);
    turn->is_on = false;
    turn->took = fg_time_monotonic() - turn->since;
    int shut = turn->shut;
    pthread_mutex_unlock(&turn->lock);
    fg_lag_note(&turn->lag, turn->took);
    return shut;
}

void fg_turn_opened(struct fg_turn *turn, int fd)
{
    pthread_mutex_lock(&turn->lock);
    fg_vec_push(&turn->open, fd);
    pthread_mutex_unlock(&turn->lock);
}

void fg_turn_closing(struct fg_turn *turn, int fd)
{
    pthread_mutex_lock(&turn->lock);
    for (size_t i = 0; i < turn->open.len; i++)
        if (turn->open.at[i] == fd)
            turn->open.at[i--] = turn->open.at[--turn->open.len];
    if (turn->fd == fd)
        turn->fd = -1;
    pthread_mutex_unlock(&turn->lock);
}

static fg_time worked(clockid_t cpu)
{
    struct timespec spent;
    if (clock_gettime(cpu, &spent))
        return 0;
    return spent.tv_sec * FG_SECOND + spent.tv_nsec / 1000;
}

static uint64_t came_in(int fd)
{
    struct tcp_info info = {0};
    socklen_t len = sizeof info;
    return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) ? 0
                                                              : info.tcpi_bytes_received;
}

/* What the thread has read of that. */
static uint64_t taken_from(int fd)
{
    int unread = 0;
    uint64_t came = fd < 0 ? 0 : came_in(fd);
    return fd < 0 || ioctl(fd, FIONREAD, &unread) || (uint64_t)unread > came
               ? 0
               : came - (uint64_t)unread;
}

static void note_all(const struct fg_turn *turn, struct fg_turn_watcher *watcher)
{
    watcher->came.len = 0;
    for (size_t i = 0; i < turn->open.len; i++)
        fg_vec_push(&watcher->came, came_in(turn->open.at[i]));
}

/* A socket that was opened or closed in between puts the list out of step: then it is the
 * next look that tells. */
static int most_talkative(const struct fg_turn *turn,
                          const struct fg_turn_watcher *watcher)
{
    uint64_t most = 0;
    int found = -1;
    if (turn->open.len != watcher->came.len)
        return -1;
    for (size_t i = 0; i < turn->open.len; i++) {
        uint64_t came = came_in(turn->open.at[i]);
        if (came > watcher->came.at[i] && came - watcher->came.at[i] > most) {
            most = came - watcher->came.at[i];
            found = turn->open.at[i];
        }
    }
    return found;
}

static bool is_open(const struct fg_turn *turn, int fd)
{
    for (size_t i = 0; i < turn->open.len; i++)
        if (turn->open.at[i] == fd)
            return true;
    return false;
}

static void shut_down(struct fg_turn *turn, const struct fg_turn_watcher *watcher)
{
    int fd = turn->fd >= 0 ? turn->fd : most_talkative(turn, watcher);
    if (fd < 0 || !is_open(turn, fd))
        return;
    shutdown(fd, SHUT_RDWR);
    turn->shut = fd;
}

/* Did it work all the time since the last look, for a turn that is long? */
static bool is_busy(const struct fg_turn *turn, const struct fg_turn_watcher *watcher,
                    fg_time cpu, uint64_t content)
{
    bool is_body = content - watcher->content >= FULL_SPEED;
    return cpu - watcher->cpu > too_busy &&
           fg_time_monotonic() - turn->since > (is_body ? much_too_long : too_long);
}

/* Where many want the processor a thread never works all the time: it is what it has had
 * of it that counts, and what came in for that. */
static bool has_toiled(const struct fg_turn_watcher *watcher, fg_time cpu,
                       uint64_t content)
{
    double work = (double)(cpu - watcher->first_cpu);
    double worth = (double)(content - watcher->first_content) / FULL_SPEED;
    return work > (double)too_long && worth * (double)too_long < work;
}

/* However little of the processor it had: it has read much, and nothing came of it. */
static bool was_fed_nothing(const struct fg_turn *turn,
                            const struct fg_turn_watcher *watcher, uint64_t content)
{
    enum { MUCH = 128 << 10, SHARE = 3 };
    uint64_t taken = taken_from(turn->fd), worth = content - watcher->first_content;
    return fg_time_monotonic() - turn->since > too_long &&
           taken >= watcher->first_taken + MUCH &&
           worth * SHARE < taken - watcher->first_taken;
}

bool fg_turn_watch(struct fg_turn *turn, struct fg_turn_watcher *watcher)
{
    pthread_mutex_lock(&turn->lock);
    bool is_same = turn->is_on && watcher->number == turn->number;
    fg_time cpu = turn->is_on ? worked(turn->cpu) : 0;
    uint64_t content = atomic_load(&turn->content);
    bool is_long =
        is_same && turn->shut < 0 &&
        (is_busy(turn, watcher, cpu, content) || has_toiled(watcher, cpu, content) ||
         was_fed_nothing(turn, watcher, content));
    if (is_long)
        shut_down(turn, watcher);
    bool has_shut = is_long && turn->shut >= 0;
    if (turn->is_on && !is_same) {
        watcher->first_cpu = cpu;
        watcher->first_content = content;
        watcher->first_taken = taken_from(turn->fd);
    }
    if (turn->is_on) {
        watcher->number = turn->number;
        watcher->cpu = cpu;
        watcher->content = content;
        if (turn->fd < 0)
            note_all(turn, watcher);
    }
    pthread_mutex_unlock(&turn->lock);
    return has_shut;
}

void fg_turn_watcher_clear(struct fg_turn_watcher *watcher)
{
    fg_vec_clear(&watcher->came);
}
