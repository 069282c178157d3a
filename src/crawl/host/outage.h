/* outage.h - is a host gone, or are we?
 *
 *     if (fg_outage_fails(&outage, &host, now)) ...nobody answers: not this host's fault
 *     if (fg_outage_answers(&outage, &host)) ...it is over: forgive whom it covered
 *
 * When our own network is gone, or the name server, every host seems to be. What tells
 * the two apart is who answered before: an outage is when three hosts that used to answer
 * cannot be reached, or all if there are only two, and nobody has answered anything in
 * the meantime. It ends with the first answer of anybody.
 *
 * A host is evidence once: to be it again it must have answered since. So hosts that go
 * for good while others stay make at most one short outage, and are then held to account
 * like any other. Of a single host nobody can tell, so it is taken to be the host.
 *
 * Decisions only; polite.c acts on them. */
#ifndef FG_CRAWL_OUTAGE_H
#define FG_CRAWL_OUTAGE_H

#include "base/time.h"
#include "net/http/fetch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fg_outage {
    uint64_t window;  /* counts the times without any answer, this one too */
    size_t answering; /* hosts that answered last time */
    size_t silent;    /* hosts that did, and not in this window */
    bool is_on;
    fg_time since;
};

struct fg_outage_host {
    bool answers;    /* it did last time */
    uint64_t window; /* in which it failed last */
};

/* Nothing came from where the host should be. What breaks off later is its own doing. */
bool fg_outage_is_silence(const struct fg_response *response);

/* It cannot be reached. True: nor can anybody. */
bool fg_outage_fails(struct fg_outage *outage, struct fg_outage_host *host, fg_time now);
/* It answers, or did in an earlier run. True: that ends an outage; see covered. */
bool fg_outage_answers(struct fg_outage *outage, struct fg_outage_host *host);
/* Did it fail in the outage that has just ended? */
bool fg_outage_covered(const struct fg_outage *outage, const struct fg_outage_host *host);
/* Has it failed since anybody answered? */
bool fg_outage_covers(const struct fg_outage *outage, const struct fg_outage_host *host);

#endif
