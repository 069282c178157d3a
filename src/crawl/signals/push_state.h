/* push_state.h - what is pushed to us of a site, as the store keeps it
 *
 *     struct fg_push push;
 *     fg_push_load(&push, &arena, store, site);      (nothing but zeros if there is none)
 *     fg_push_put(batch, site, &push);
 *
 * The crawl writes it; the server, which answers hubs on threads of its own, and whoever
 * looks only read it. Texts live in the arena. */
#ifndef FG_CRAWL_PUSH_STATE_H
#define FG_CRAWL_PUSH_STATE_H

#include "base/arena.h"
#include "base/opt.h"
#include "crawl/signals/honesty.h"
#include "net/feed/websub.h"
#include "store/store.h"

struct fg_push_options {
    struct fg_str public_url; /* of our server, as others reach it; empty: no push */
    bool websub, indexnow;
    fg_time lease, rest; /* asked for; the longest between two looks at what pushes */
};
/* push.public-url and the like. */
extern const struct fg_opt fg_push_opts[];

enum fg_subscription_state {
    FG_SUB_WANTED,
    FG_SUB_ASKED,   /* the hub was, or is about to be */
    FG_SUB_ACTIVE,  /* it has verified that we want it */
    FG_SUB_FAILED,  /* tried again at `next` */
    FG_SUB_LEAVING, /* we want it no more */
    FG_SUB_STATES
};
const char *fg_subscription_name(enum fg_subscription_state state);

/* One page whose hub tells us of its changes (WebSub). */
struct fg_subscription {
    fg_page_id page;
    enum fg_subscription_state state;
    struct fg_str topic, hub; /* the page as the hub calls it */
    struct fg_str token;      /* makes the callback's address one that nobody can guess */
    struct fg_str secret;     /* for signatures */
    fg_time asked, next; /* the hub was asked; may be asked again. FG_NEVER: not yet */
    fg_time since, until, renew; /* of the lease */
    uint32_t failures;           /* of the hub, in a row */
    uint64_t pushes;             /* signed ones, of all time */
    fg_time unconfirmed; /* polling has found what no push has told yet; FG_NEVER */
    struct fg_honesty honesty;
};

/* Whoever has put a key at the site may tell us of its pages (IndexNow). */
struct fg_indexnow {
    struct fg_str key, location; /* that was found there; empty: none */
    struct fg_str refused;       /* the last that was not */
    fg_time checked, refused_at; /* FG_NEVER: never */
    fg_time next_check;          /* of another key, not before then */
    uint32_t failures;
    uint64_t urls; /* taken, of all time */
    fg_time unconfirmed;
    struct fg_honesty honesty;
};

enum { FG_SUBSCRIPTIONS_MOST = 16, FG_PUSH_URL_MOST = 2048 };

struct fg_push {
    struct fg_str public_url;     /* that hubs know */
    struct fg_subscription *subs; /* room for FG_SUBSCRIPTIONS_MOST, or NULL */
    size_t n_subs;
    struct fg_indexnow indexnow;
    struct fg_honesty dates; /* of its feeds and sitemaps: they say what has changed */
};

enum fg_status fg_push_load(struct fg_push *push, struct fg_arena *arena,
                            struct fg_store *store, fg_site_id site, struct fg_err *err);
void fg_push_put(struct fg_batch *batch, fg_site_id site, const struct fg_push *push);

/* Is a key of IndexNow one: 8 to 128 letters, digits and dashes? */
bool fg_indexnow_is_key(struct fg_str key);
/* Does a key at this address speak for the page? Both are of one site; at the root it
 * speaks for all, else for what is below its folder. */
bool fg_indexnow_covers(struct fg_str location, struct fg_str url);

#endif
