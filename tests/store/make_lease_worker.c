/* make_lease_worker PLACE LOT LENGTH_MS LACKS HOST:PORT PAUSE: one that wants a lot,
 * takes it when it is free, and then asks the judge there for a page every 100 ms, under
 * its lease; what came is an event of the lot's store, and the judge is told when that is
 * durable. In PAUSE of a thousand cases it stops itself between the check and the
 * connection. Its host is at an address, which two lots with odd numbers share, and is
 * asked only when that is the lot's. Ends when it has lost the lot. See
 * tests/faults/leases.py. */
#include "base/memory.h"
#include "store/addresses.h"
#include "store/lots.h"
#include "store/sharing.h"
#include "store/store.h"

#include <arpa/inet.h>
#include <libpq-fe.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    NO_WATCH = 4
}; /* besides enum fg_lease_lack: the server's clock is asked instead */

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

/* How long ago the server wrote the lot's row, by its own clock: for who trusts that. The
 * server has to keep track of commits. */
static bool is_over_there(const struct fg_lease_wish *wish)
{
    static PGconn *db;
    char sql[300], address[300];
    const char *schema = strrchr(wish->place, '#') + 1;
    snprintf(address, sizeof address, "%.*s", (int)(schema - 1 - wish->place),
             wish->place);
    snprintf(sql, sizeof sql,
             "SELECT 1 FROM %s.lots WHERE lot = %u AND now() -"
             " pg_xact_commit_timestamp(xmin) > interval '%lld us'",
             schema, wish->lot, (long long)wish->length);
    if (db && PQstatus(db) != CONNECTION_OK) {
        PQfinish(db);
        db = NULL;
    }
    if (!db)
        db = PQconnectdb(address);
    PGresult *result = PQexec(db, sql);
    bool is_over = PQntuples(result) == 1;
    PQclear(result);
    return is_over;
}

static struct fg_lease *take(struct fg_lease_wish *wish, unsigned *lots_in_all)
{
    struct fg_arena arena = {0};
    struct fg_watch watch = {0};
    struct fg_lots *lots = NULL;
    struct fg_lease *lease = NULL;
    while (!lease) {
        struct fg_lots_state state;
        usleep(50000);
        fg_arena_reset(&arena);
        if ((!lots && fg_lots_open(&lots, wish->place, NULL)) ||
            fg_lots_read(lots, &state, &arena, NULL))
            continue;
        const struct fg_lot_row *row = &state.lots.at[wish->lot];
        *lots_in_all = (unsigned)state.lots.len;
        fg_time now = fg_lease_now();
        fg_watch_see(&watch, state.timeline, row->epoch, row->beat, now);
        if (wish->lacks & NO_WATCH
                ? row->owner.len && !is_over_there(wish)
                : !fg_lot_is_free(&state, wish->lot, &watch, now, wish->length))
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
    struct fg_addresses *addresses = NULL;
    char address[32];
    snprintf(address, sizeof address, "192.0.2.%u",
             wish.lot % 2 ? wish.lot % 4 : 100 + wish.lot);
    if (fg_addresses_open(&addresses, wish.place, wish.lot, lease, &err))
        return 1;
    fg_addresses_set_delay(addresses, delay);
    usleep((useconds_t)delay);
    /* That a store finds its last transaction gone is another line of defence, which
     * would cover what the server's clock cannot tell. */
    bool is_bold = wish.lacks & NO_WATCH;
    for (uint64_t n = 1;
         !fg_lease_is_lost(lease) && (is_bold || !fg_store_health(store, NULL));) {
        char path[160];
        uint64_t id = (uint64_t)epoch << 32 | (uint64_t)getpid() << 16 | n;
        /* Addresses have a wait of their own after a failover, which would cover, too. */
        struct fg_address *entered =
            wish.lacks ? NULL : fg_addresses_enter(addresses, address);
        if ((!entered && !wish.lacks) || !fg_lease_enter(lease, limit)) {
            fg_addresses_leave(entered);
            usleep(20000);
            continue;
        }
        if (random() % 1000 < pause)
            raise(SIGSTOP);
        snprintf(path, sizeof path, "/page?lot=%u&epoch=%lld&pid=%ld", wish.lot, epoch,
                 (long)getpid());
        bool is_well = tell_judge(judge, path);
        fg_lease_leave(lease);
        fg_addresses_leave(entered);
        if (is_well) {
            write_event(store, 8, id, judge, wish.lot);
            n++;
        }
        usleep((useconds_t)delay);
    }
    /* As a crawl that fails: what was not written is lost with it. */
    _exit(0);
}
