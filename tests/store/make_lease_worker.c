/* make_lease_worker PLACE LOT LENGTH_MS LACKS HOST:PORT PAUSE: one that wants a lot,
 * takes it when it is free, and then asks the judge there for a page every 100 ms, under
 * its lease; what came is an event of the lot's store, and the judge is told when that is
 * durable. In PAUSE of a thousand cases it stops itself between the check and the
 * connection. Ends when it has lost the lot. See tests/faults/leases.py. */
#include "base/memory.h"
#include "store/lots.h"
#include "store/sharing.h"
#include "store/store.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const fg_time delay = 100 * FG_MILLISECOND, limit = 250 * FG_MILLISECOND;

/* One request, which is over after the limit whatever comes. */
static bool tell_judge(const char *judge, const char *path)
{
    char request[300], answer[200], host[64];
    const char *colon = strchr(judge, ':');
    long port = colon ? strtol(colon + 1, NULL, 10) : 0;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct timeval most = {0, (suseconds_t)(limit - 20 * FG_MILLISECOND)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(host, sizeof host, "%.*s", colon ? (int)(colon - judge) : 0, judge);
    inet_pton(AF_INET, host, &to.sin_addr);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
    int n = snprintf(request, sizeof request, "GET %s HTTP/1.0\r\n\r\n", path);
    bool is_well = connect(fd, (struct sockaddr *)&to, sizeof to) == 0 &&
                   write(fd, request, (size_t)n) == n &&
                   read(fd, answer, sizeof answer) > 0;
    close(fd);
    return is_well;
}

/* When a count was first seen to be like this: for who does not mind that the server went
 * back in time. */
static fg_time first_seen(int64_t epoch, int64_t beat, fg_time now)
{
    enum { MOST = 1024 };
    static struct fg_watch seen[MOST];
    static size_t n;
    for (size_t i = 0; i < n && i < MOST; i++)
        if (seen[i].epoch == epoch && seen[i].beat == beat)
            return seen[i].since;
    seen[n++ % MOST] = (struct fg_watch){0, epoch, beat, now};
    return now;
}

static struct fg_lease *take(struct fg_lease_wish *wish, unsigned *lots_in_all)
{
    struct fg_arena arena = {0};
    struct fg_watch watch = {0};
    struct fg_lots *lots = NULL;
    struct fg_lease *lease = NULL;
    uint64_t first = 0;
    while (!lease) {
        struct fg_lots_state state;
        usleep(50000);
        fg_arena_reset(&arena);
        if ((!lots && fg_lots_open(&lots, wish->place, NULL)) ||
            fg_lots_read(lots, &state, &arena, NULL))
            continue;
        if (wish->lacks & FG_LEASE_NO_WATCH)
            state.timeline = first = first ? first : state.timeline;
        const struct fg_lot_row *row = &state.lots.at[wish->lot];
        *lots_in_all = (unsigned)state.lots.len;
        fg_time now = fg_lease_now();
        fg_watch_see(&watch, state.timeline, row->epoch, row->beat, now);
        if (wish->lacks & FG_LEASE_NO_WATCH)
            watch.since = first_seen(row->epoch, row->beat, now);
        if (!fg_lot_is_free(&state, wish->lot, &watch, now, wish->length))
            continue;
        wish->epoch = row->epoch;
        wish->beat = row->beat;
        if (fg_lease_take(&lease, wish, NULL))
            usleep(50000);
    }
    fg_lots_close(lots);
    fg_arena_clear(&arena);
    return lease;
}

static void write_event(struct fg_store *store, fg_site_id site, uint64_t id,
                        const char *judge, unsigned lot)
{
    char path[100];
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_event(batch, &(struct fg_event_row){.site = site,
                                                 .page = 1,
                                                 .id = id,
                                                 .time = 1,
                                                 .kind = FG_STR("changed"),
                                                 .json = FG_STR("{}")});
    uint64_t number = fg_store_submit(store, batch);
    fg_store_hurry(store, number);
    for (int i = 0; i < 200 && fg_store_durable(store) < number; i++)
        usleep(5000);
    snprintf(path, sizeof path, "/ack?lot=%u&id=%llu", lot, (unsigned long long)id);
    if (fg_store_durable(store) >= number)
        tell_judge(judge, path);
}

int main(int argc, char **argv)
{
    if (argc != 7)
        return 2;
    char worker[32];
    unsigned lots = 0;
    struct fg_arena arena = {0};
    struct fg_lease_wish wish = {.place = argv[1],
                                 .lot = (unsigned)strtoul(argv[2], NULL, 10),
                                 .length = strtol(argv[3], NULL, 10) * FG_MILLISECOND,
                                 .lacks = (unsigned)strtoul(argv[4], NULL, 10),
                                 .worker = worker};
    const char *judge = argv[5];
    long pause = strtol(argv[6], NULL, 10);
    signal(SIGPIPE, SIG_IGN);
    snprintf(worker, sizeof worker, "w%ld", (long)getpid());
    srandom((unsigned)getpid());
    struct fg_lease *lease = take(&wish, &lots);
    long long epoch = fg_lease_epoch(lease);
    struct fg_store *store = NULL;
    struct fg_store_options options = {
        .fence = epoch, .lots = lots, .lot = wish.lot, .flush_every = 5 * FG_MILLISECOND};
    struct fg_err err = {0};
    while (fg_store_open(&store, fg_lots_place(&arena, wish.place, wish.lot), &options,
                         &err)) {
        if (fg_lease_is_lost(lease) || strstr(err.text, "later owner"))
            return 0;
        usleep(100000);
    }
    usleep((useconds_t)delay);
    for (uint64_t n = 1; !fg_lease_is_lost(lease) && !fg_store_health(store, NULL);) {
        char path[160];
        uint64_t id = (uint64_t)epoch << 32 | (uint64_t)getpid() << 16 | n;
        if (!fg_lease_enter(lease, limit)) {
            usleep(20000);
            continue;
        }
        if (random() % 1000 < pause)
            raise(SIGSTOP);
        snprintf(path, sizeof path, "/page?lot=%u&epoch=%lld&pid=%ld", wish.lot, epoch,
                 (long)getpid());
        bool is_well = tell_judge(judge, path);
        fg_lease_leave(lease);
        if (is_well) {
            write_event(store, 8, id, judge, wish.lot);
            n++;
        }
        usleep((useconds_t)delay);
    }
    /* As a crawl that fails: what was not written is lost with it. */
    _exit(0);
}
