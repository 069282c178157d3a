/* lots.h - a crawl in lots, and who owns them
 *
 *     fg_lots_make("postgresql://db.example/web#news", 16, err);
 *     ...
 *     struct fg_lease *lease;
 *     st = fg_lease_take(&lease, &wish, err);      (FG_ENOTFOUND: somebody else has it)
 *     options.fence = fg_lease_epoch(lease);
 *     fg_store_open(&store, "postgresql://db.example/web#news/3", &options, err);
 *     ...
 *     if (fg_lease_enter(lease, hard_limit)) {
 *         ...one request, which has ended after hard_limit at the latest...
 *         fg_lease_leave(lease);
 *     }
 *     fg_lease_release(lease);                     (when the store is closed)
 *
 * A crawl that several processes work on is kept in lots, each a store of its own with
 * one writer: the schema news_lot0003 is lot 3 of the crawl `news`. All sites of a
 * registrable domain are in one lot, which follows from the name and the number of lots
 * alone, and never changes. The schema `news` itself says which lots there are, who has
 * them, and shows all of them as one store that can be read (postgres/lots.c).
 *
 * A lot belongs to a process by lease. The owner adds to a count, the beat, every quarter
 * of the lease's length; who wants the lot watches whether the count stands still, on
 * its own clock. No two clocks are compared. An owner that cannot reach the database
 * begins no request that might outlast its lease, has none open when it ends, and waits;
 * one that was stopped is killed by a timer of the kernel before anybody may take the
 * lot. A write carries the epoch of the lease, so that what a former owner sent is not
 * written. docs/scale-out.md has the faults that were tried. */
#ifndef FG_STORE_LOTS_H
#define FG_STORE_LOTS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/time.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { FG_LOTS_MOST = 1024 };

/* --- which lots there are --- */

/* A crawl in `n` lots at this place, unless there is one; FG_ECONFIG if that is in one
 * piece, or in another number of lots (n 0: any will do). Brings older ones up to date.
 */
enum fg_status fg_lots_make(const char *place, unsigned n, struct fg_err *err);
/* How many there are; 0: the crawl is in one piece, or there is none. */
unsigned fg_lots_at(const char *place);
/* The place of one of them; lives in the arena. */
const char *fg_lots_place(struct fg_arena *arena, const char *place, unsigned lot);
/* Of a site, by its registrable domain; or its host, if it has none. */
unsigned fg_lot_of(struct fg_str domain, unsigned lots);

/* --- where they are --- */

struct fg_lot_move {
    const char *place; /* of the whole */
    unsigned lot;
    const char *to;   /* the address of a database, without schema */
    const char *role; /* as which the copy is made there; NULL: as `to` says */
    const char *from; /* how that server reaches the one that has the lot now; NULL: by
                         the address we know */
    bool gives_up;    /* what an earlier move to there has left is taken away instead */
};

struct fg_lot_moved {
    uint64_t tables, rows, bytes;
    fg_time copying; /* until all was there, and kept up with */
    fg_time still;   /* so long nothing could be written */
};

/* Moves a lot to another server while it is crawled: its tables are copied and kept the
 * same by the server's own replication; then its writer is held back until the last of
 * it has arrived, and goes on there. What both have is compared; then what was left
 * behind goes, and the whole shows the lot from afar. One that was broken off is taken
 * up again when it is called again. */
enum fg_status fg_lot_move(const struct fg_lot_move *move, struct fg_lot_moved *moved,
                           struct fg_err *err);

/* --- who owns them --- */

struct fg_lot_row {
    unsigned lot;
    int64_t epoch, beat;
    struct fg_str owner;  /* the process, a word of its own each time it starts; empty:
                             nobody */
    struct fg_str worker; /* whose process that is */
    int64_t pid;          /* on the worker's machine */
    double load;          /* requests an hour */
    double asked, granted, applied; /* of the budget; requests an hour */
    struct fg_str home; /* the address of the server that has it; empty: that of all */
};

struct fg_worker_row {
    struct fg_str name, host;
    int64_t pid, beat;
};

struct fg_lots_state {
    uint64_t timeline; /* of the server: another one, and what was seen counts no more */
    FG_VEC(struct fg_lot_row) lots;       /* by number */
    FG_VEC(struct fg_worker_row) workers; /* by name; some may be gone */
    double budget, price;
    int64_t turn; /* how often it was shared out */
};

/* A connection to see and change who owns what. One thread. */
struct fg_lots;
enum fg_status fg_lots_open(struct fg_lots **lots, const char *place, struct fg_err *err);
void fg_lots_close(struct fg_lots *lots); /* NULL is fine */
/* In the arena. Connects anew if it has to; `timeline` differs then. */
enum fg_status fg_lots_read(struct fg_lots *lots, struct fg_lots_state *state,
                            struct fg_arena *arena, struct fg_err *err);
/* One more beat of a worker, which is made if need be; or the end of it. */
enum fg_status fg_lots_beat(struct fg_lots *lots, const struct fg_worker_row *worker,
                            struct fg_err *err);
enum fg_status fg_lots_leave(struct fg_lots *lots, struct fg_str worker,
                             struct fg_err *err);
/* How the budget is shared out: `granted` of all lots, and the price. */
enum fg_status fg_lots_grant(struct fg_lots *lots, const struct fg_lots_state *state,
                             struct fg_err *err);

/* What was seen of a count that its owner raises, and for how long it has stood still. */
struct fg_watch {
    uint64_t timeline;
    int64_t epoch, beat;
    fg_time since; /* on our clock; 0: nothing was seen yet */
};
/* It was seen like this, at a moment `now` at the latest. */
void fg_watch_see(struct fg_watch *watch, uint64_t timeline, int64_t epoch, int64_t beat,
                  fg_time now);
/* Has it stood still so long that its owner has certainly let go? */
bool fg_watch_is_over(const struct fg_watch *watch, fg_time now, fg_time length);

/* --- one lease --- */

/* A time that goes on while the machine sleeps. */
fg_time fg_lease_now(void);

/* Which part of the protocol is left out: for tests that show what it is there for. */
enum fg_lease_lack {
    FG_LEASE_NO_TIMER = 1,    /* nothing ends a process that was stopped */
    FG_LEASE_NO_DEADLINE = 2, /* requests are begun as long as nobody says otherwise */
};

struct fg_lease_wish {
    const char *place; /* of the whole */
    unsigned lot;
    int64_t epoch, beat; /* as seen last, when it had been free for long enough */
    const char *worker;
    fg_time length;
    unsigned lacks;
};

struct fg_lease;

/* Takes the lot if nothing has changed since it was seen, and keeps the lease from then
 * on, on a thread and a connection of its own. */
enum fg_status fg_lease_take(struct fg_lease **lease, const struct fg_lease_wish *wish,
                             struct fg_err *err);
int64_t fg_lease_epoch(const struct fg_lease *lease);
/* May a request begin that ends after `limit` at the latest? If so it counts as open
 * until fg_lease_leave. Any thread. */
bool fg_lease_enter(struct fg_lease *lease, fg_time limit);
void fg_lease_leave(struct fg_lease *lease);
/* The same question, without beginning one. */
bool fg_lease_allows(struct fg_lease *lease, fg_time limit);
/* Is the server still on this timeline, as of the last beat, and has it been for so long
 * that whoever had anything by an older one has let go of it? */
bool fg_lease_is_settled(const struct fg_lease *lease, uint32_t timeline);
/* Somebody else has the lot, or may have it: nothing of it may be used any more. */
bool fg_lease_is_lost(const struct fg_lease *lease);
/* What the owner wants known, with the next beat; and what it was granted. */
void fg_lease_tell(struct fg_lease *lease, double load, double asked, double applied);
double fg_lease_granted(const struct fg_lease *lease);
/* Gives the lot back, for others to take at once. */
void fg_lease_release(struct fg_lease *lease);

#endif
