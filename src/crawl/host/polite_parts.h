/* polite_parts.h - hosts and asks, as polite.c runs and polite_view.c shows them */
#ifndef FG_CRAWL_POLITE_PARTS_H
#define FG_CRAWL_POLITE_PARTS_H

#include "base/arena.h"
#include "base/heap.h"
#include "base/map.h"
#include "base/vec.h"
#include "crawl/host/outage.h"
#include "crawl/host/polite.h"
#include "crawl/host/robots_copy.h"
#include "crawl/host/shared_pace.h"
#include "net/url/url.h"

enum { MOST_HOPS = 32 };

struct ask {
    struct fg_exchange exchange; /* first: it is found by it; its arena has all texts */
    struct fg_ask ask;
    struct fg_polite *polite;
    struct host *host;
    struct fg_url url; /* of the hop at hand */
    struct fg_hop hops[MOST_HOPS];
    size_t n_hops;
    struct host *robots_of;     /* it is this host's robots.txt, or NULL */
    struct fg_address *address; /* that this request is counted at, or NULL */
    fg_time started;
    unsigned requests;
    enum fg_ask_end end;
    fg_time held_until;
};

struct host {
    struct fg_polite *polite;
    char *key;
    struct fg_lane lane, lookup; /* which is no request, and paces none */
    struct fg_pace pace;
    struct event *timer;
    char group[FG_SHARED_GROUP]; /* it shares an address with */
    fg_time turn;                /* at that address; FG_NEVER: not asked for yet */
    struct fg_address *entered;  /* for the request that begins next */
    bool has_address;            /* the group is one, or nothing */
    bool is_looked_up;           /* or that was of no use */
    bool is_being_looked_up;
    struct fg_heap queue; /* of asks */
    struct fg_outage_host outage;
    struct fg_pace_grudge before; /* since when nobody answers */
    struct fg_robots_copy robots;
    bool robots_asked;
    unsigned savings; /* on their way: requests wait until there are none */
    bool was_saved;
    bool is_lined_up; /* waits for a free place among the workers */
    uint64_t requests, not_modified, bytes;
};

struct fg_polite {
    struct fg_workers *workers;
    struct event_base *loop;
    struct fg_clock *clock;
    struct fg_polite_options options;
    struct fg_arena arena; /* keys of hosts */
    struct fg_names by_key;
    FG_VEC(struct host *) hosts;
    FG_VEC(struct host *) line; /* ready, but the workers are full: first come */
    FG_VEC(struct ask *) ended; /* answered at the next turn of the loop */
    FG_VEC(struct ask *) all, idle;
    struct event *deliverer;
    struct fg_names turns; /* of addresses */
    struct fg_outage outage;
    size_t waiting, in_flight;
    bool is_winding_down, is_paused;
};

/* --- polite_address.c --- */

/* By its name; and by what came. */
void polite_name_address(struct host *host);
void polite_note_address(struct host *host, const struct fg_response *response);
/* When a request may go to its address; that time is then taken. */
fg_time polite_turn_of(struct host *host, fg_time now);
/* No other process asks that address now: the next request counts there. False: it is
 * being seen to, and to be tried again at another turn. */
bool polite_enter(struct host *host);
void polite_tell_delay(struct fg_polite *polite);

/* --- polite_view.c --- */

/* NULL if nothing was asked of it. */
struct host *polite_find(const struct fg_polite *polite, struct fg_str key);

#endif
