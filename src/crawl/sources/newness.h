/* newness.h - is what a link leads to new, going by where and when the link was seen?
 *
 *     enum fg_newness n = fg_newness_of(&(struct fg_sighting){.since = site->added,
 * ...});
 *
 * New means new to a list that had been seen whole before, or dated after the watch
 * began. A link on a page looked at for the first time is stock, whenever that is; what
 * anything dates before the watch is old, whatever else speaks for it. A time of day
 * without a zone is that of some place, up to 14 hours ahead of UTC or 12 behind it: it
 * proves what it proves wherever that is. Where the list is
 * known to bring up old things (boxes that turn over, topics that come up again when
 * somebody replies) a link that is new to it proves nothing: the page must carry a date,
 * or a number above those of all that was there, once all of that has been read. What
 * stands in a volume that was not
 * there before, and comes to a list of volumes that was seen whole, is new as well. */
#ifndef FG_CRAWL_NEWNESS_H
#define FG_CRAWL_NEWNESS_H

#include "base/time.h"

#include <stdbool.h>

enum fg_newness {
    FG_STOCK,    /* it may be of any age */
    FG_OLD,      /* it is dated, and older than the watch */
    FG_UNPROVEN, /* new if it says so itself */
    FG_NEW,
};

/* What is known of a link when it turns up; times are FG_NEVER where nothing says one. */
struct fg_sighting {
    fg_time since, now;   /* the site is watched since; the time of the sighting */
    fg_time published;    /* as a feed or news sitemap says */
    fg_time modified;     /* as a feed or sitemap says */
    bool is_local;        /* these have a time of day and no zone */
    fg_time day, span;    /* of a dated address, and how long it lasts */
    bool was_seen_whole;  /* the list it stands on, before */
    bool brings_up_old;   /* that list */
    bool is_continuation; /* that list is a further page of another */
    bool list_is_proven;  /* several things came to it, and all were new */
    bool list_is_new;     /* that list appeared after the watch began */
    bool list_is_volume;  /* and is the next of those that are counted up */
    bool list_goes_on;    /* on it, from a page of it that was seen whole */
    bool is_old_serial;   /* its number is below those of the stock */
    bool is_new_serial;   /* its number is above all of them, which are many */
    bool stock_waits;     /* further pages of lists are not read yet: there may be more */
};

enum fg_newness fg_newness_of(const struct fg_sighting *sighting);

/* Is it only that the stock waits that keeps the number from proving it? */
bool fg_newness_is_held(const struct fg_sighting *sighting);

/* Does a date say more than that it is of a place east of here? FG_NEVER does not. */
bool fg_newness_is_placed(fg_time time, bool is_local, fg_time now);

/* What a page says of the time when it was published: at a moment, or `from` that moment
 * on and before `until`, as on a day. */
struct fg_dating {
    fg_time since, now;  /* as above */
    fg_time from, until; /* FG_NEVER if it says nothing */
    bool is_local;       /* a time of day without a zone */
};

/* The same when the page has been read. */
enum fg_newness fg_newness_by_date(enum fg_newness before,
                                   const struct fg_dating *dating);

#endif
