/* push.h - sites that tell us of their changes, while a crawl runs
 *
 * A push is a hint and no more: what it names is looked at soon, politely, within the
 * budget; what is there then decides. So a hub or a site that lies costs a request, not a
 * false report, and how often it was right is learnt (honesty.h). Pushed texts are not
 * read: they may be a part of a feed or nothing at all, a look at the feed is one
 * conditional request, and only its owner's server is known to speak for it.
 *
 * The server (server/push.c) answers hubs and owners by what the store has
 * (push_state.h), and leaves what they said in the inbox. Here it is taken up: websub.c
 * keeps subscriptions, indexnow.c keys; tick.c asks for what was named; result.c tells
 * what came of it. */
#ifndef FG_CRAWL_PUSH_H
#define FG_CRAWL_PUSH_H

#include "base/vec.h"
#include "crawl/crawl.h"
#include "crawl/reading/reading.h"
#include "crawl/signals/push_state.h"
#include "crawl/sites/site.h"

struct fg_crawl;

/* For people: since the start. */
struct crawl_push {
    uint64_t pushes, proved, refuted, missed;
    size_t active; /* subscriptions, as of the last review */
};

enum push_way { BY_WEBSUB, BY_INDEXNOW };

/* A page that is to be looked at because of a push. */
struct nudge {
    uint32_t row;
    fg_time since;
    enum push_way way;
    bool was_known, is_sent;
    bool again; /* another push has come since it was sent */
};

/* A hub or a site that is asked something. */
struct push_ask {
    struct fg_crawl *crawl;
    struct site *site;
    size_t number; /* of the subscription */
    bool is_open;
};

/* What of a subscription is not kept. */
struct sub_work {
    struct push_ask ask;
    fg_time changed; /* when its hub was */
    fg_time looked;  /* at its page; FG_NEVER: not yet */
};

struct site_push {
    struct fg_push kept;
    struct sub_work *work; /* of the subscriptions; as many */
    struct fg_arena arena; /* of all texts */
    FG_VEC(struct nudge) nudges;
    FG_VEC(char *) urls, held;        /* to be taken; to be taken if the key is good */
    char *asked_key, *asked_location; /* of a key that is being checked, or NULL */
    struct push_ask key_ask;
    double allowance; /* of addresses, as of `refilled` */
    fg_time refilled;
    bool is_changed; /* it is to be written */
    uint64_t number; /* of the batch that has it */
};

/* --- push.c --- */
/* What there is of a site, made if need be. */
struct site_push *push_of(struct site *site);
void push_free(struct site *site);
void push_nudge(struct site *site, uint32_t row, enum push_way way, bool was_known,
                fg_time now);
/* Has a push led to the look at this page that is under way? */
bool push_is_behind(const struct site *site, uint32_t row);
/* What came of asking for a page, whatever for. */
void push_of_answer(struct fg_crawl *crawl, struct site *site, uint32_t row,
                    const struct fg_visit_row *log, fg_time now);
/* A source was looked at because a feed or sitemap says that it has changed. */
void push_of_dates(struct site *site, bool has_changed);
/* A page is reported. */
void push_of_news(struct site *site, uint32_t flags, fg_time now);
/* How long a source may go without a look, because what comes is pushed; 0: nothing is.
 */
fg_time push_rest(const struct fg_crawl *crawl, const struct site *site, uint32_t row);
/* Every few seconds: what was never told is a miss; write what has changed. */
void push_review(struct fg_crawl *crawl);
/* Room for its subscriptions. */
void push_make_room(struct site_push *push);
/* Is what was decided so far on disk? */
bool push_is_saved(const struct fg_crawl *crawl, const struct site_push *push);

/* --- websub.c --- */
void websub_recall(struct fg_crawl *crawl); /* when all pages are known */
/* A page that was read names a hub, or no longer does. */
void websub_discover(struct fg_crawl *crawl, struct site *site, uint32_t row,
                     const struct fg_reading *reading, fg_time now);
/* Subscribe, renew, leave. */
void websub_review(struct fg_crawl *crawl);

/* --- indexnow.c --- */
void indexnow_take(struct fg_crawl *crawl, struct site *site, struct fg_str key,
                   struct fg_str location, struct fg_str urls);

/* --- inbox.c --- */
/* Addresses whose keys are good become pages to look at. */
void crawl_take_pushed(struct fg_crawl *crawl);
/* --- tick.c --- */
void crawl_look_at_pushed(struct fg_crawl *crawl);

/* A command of the inbox: "verified", "denied", "left" or "content" with a site and a
 * page, or "urls" with a site, a key and its address, and lines of addresses. */
void push_take(struct fg_crawl *crawl, struct fg_str text);

#endif
