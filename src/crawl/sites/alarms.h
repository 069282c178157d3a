/* alarms.h - when nothing can come from a site, and why
 *
 *     enum fg_alarm reason = fg_alarm_of_answer(status, outcome);
 *     if (fg_trouble_is_ripe(&trouble, now)) ...
 *     enum fg_alarm alarm = fg_alarm_decide(&evidence, now);
 *     fg_alarm_text(&buf, alarm, &facts);      "https://a.example/ answers 403"
 *     fg_alarm_advice(alarm);                  what to do about it
 *
 * Decisions only: nothing here keeps state, reads a clock or tells anybody. The evidence
 * is gathered, and the verdict applied, by health.c.
 *
 * One answer is weather. A page that refuses us counts when it has done so for ten
 * minutes, a host that cannot be reached after fifteen, a robots.txt that cannot be had
 * after an hour. What a page or a robots.txt says of itself (a login form, nofollow,
 * Disallow) counts at once: it would say the same again. */
#ifndef FG_CRAWL_ALARMS_H
#define FG_CRAWL_ALARMS_H

#include "base/buf.h"
#include "base/str.h"
#include "base/time.h"
#include "net/facts/facts.h"
#include "net/http/fetch.h"
#include "net/robots/robots.h"

#include <stdbool.h>
#include <stdint.h>

/* Of several that hold the first is told: a host that cannot be reached explains the
 * rest. The names of these stand in events and in the store: see fg_alarm_name. */
enum fg_alarm {
    FG_ALARM_NONE,
    FG_ALARM_ADDRESS,      /* private, and net.allow-private does not allow it */
    FG_ALARM_DNS,          /* the name does not resolve */
    FG_ALARM_TLS,          /* no secure connection */
    FG_ALARM_CONNECT,      /* no connection, or no answer in time */
    FG_ALARM_ROBOTS_HELD,  /* robots.txt cannot be had, so nothing is asked */
    FG_ALARM_ROBOTS_SITE,  /* robots.txt forbids everything */
    FG_ALARM_ROBOTS_SEED,  /* robots.txt forbids the seed */
    FG_ALARM_LOGIN,        /* the seed wants a password */
    FG_ALARM_CONSENT,      /* the seed shows a consent wall only */
    FG_ALARM_SCRIPT,       /* the seed is empty without a browser */
    FG_ALARM_REFUSED,      /* the seed answers 403 or another 4xx */
    FG_ALARM_LIMITED,      /* 429: we ask too often for it */
    FG_ALARM_NOT_FOUND,    /* 404 */
    FG_ALARM_GONE,         /* 410 */
    FG_ALARM_SERVER_ERROR, /* 5xx */
    FG_ALARM_SET_ASIDE,    /* reading the seed ends who does: see marks.h */
    FG_ALARM_REDIRECT,     /* the seed leads to a host that is not watched, or gives no
                              answer */
    FG_ALARM_LOOP,         /* the seed redirects, and never to a page */
    FG_ALARM_NOFOLLOW,     /* the seed, or the only hubs, may not be followed */
    FG_ALARM_NO_FEED,      /* the seed was added as a feed, and is a page */
    FG_ALARM_NO_LINKS,     /* the seed shows no pages */
    FG_ALARM_SOURCES,      /* all sources fail */
    FG_ALARM_SILENT,       /* it used to give pages, and stopped */
    FG_ALARMS,
};

/* "refused", "robots-site": for events, the store and scripts. */
const char *fg_alarm_name(enum fg_alarm alarm);
/* FG_ALARM_NONE if there is none of that name. */
enum fg_alarm fg_alarm_named(struct fg_str name);

/* --- what one answer says --- */

/* Of a status, or of how a request ended without one; FG_ALARM_NONE: all is well. */
enum fg_alarm fg_alarm_of_answer(unsigned status, enum fg_outcome outcome);

/* Of a page that was read as a seed. A page with many links is no wall, whatever form it
 * carries: a login box in the margin keeps nobody out. */
enum fg_alarm fg_alarm_of_page(const struct fg_facts *facts, size_t n_links);

/* Of a robots.txt that forbids a seed: the seed only, or everything? */
enum fg_alarm fg_alarm_of_robots(const struct fg_robots *robots);

/* --- a page in trouble --- */

struct fg_trouble {
    enum fg_alarm why;
    unsigned times;      /* in a row */
    fg_time since, last; /* first and last time of them */
};

/* Is it what the page showed when it was read, not how asking for it went? */
bool fg_alarm_is_of_content(enum fg_alarm alarm);
/* Is it more than a hiccup? */
bool fg_trouble_is_ripe(const struct fg_trouble *trouble);
/* When to ask again: after as long as it has lasted, ten minutes at least and a day at
 * most. What robots.txt forbids is looked at once a day, as robots.txt itself is. */
fg_time fg_trouble_pause(const struct fg_trouble *trouble);

/* --- a site that has become silent --- */

/* How often a site gave something, and for how long it gives nothing now. Time in which
 * nobody looked is not in it. */
struct fg_rhythm {
    unsigned occasions; /* news within an hour of the last are one occasion */
    fg_time watched;    /* up to the last of them */
    fg_time quiet;      /* since then */
    fg_time occasion;   /* since the last occasion began */
};

/* So much time has passed, and there was news in it or not. */
void fg_rhythm_pass(struct fg_rhythm *rhythm, fg_time passed, bool has_news);

/* The chance of so long a silence if the site goes on as before. Its rate is not known
 * but estimated, from few occasions badly: with a gamma belief that is
 * (1 + quiet / watched) ^ -occasions. */
double fg_rhythm_chance(const struct fg_rhythm *rhythm);
/* Silent for three days, for twenty times the mean gap, and by chance once in a thousand.
 */
bool fg_rhythm_is_broken(const struct fg_rhythm *rhythm);

/* --- the verdict --- */

struct fg_alarm_evidence {
    fg_time down_since; /* the host cannot be reached; FG_NEVER: it can */
    enum fg_outcome down_by;
    unsigned down_times;
    fg_time held_since;  /* its robots.txt cannot be had; FG_NEVER: it can */
    enum fg_alarm seeds; /* why none of the seeds gives anything; FG_ALARM_NONE: one does
                          */
    bool hubs_nofollow;  /* pages that list others say nofollow */
    bool has_source;     /* one that was read when it was last looked at */
    fg_time sources_bad; /* since when all of them fail; FG_NEVER: not */
    bool is_explored;    /* it is known which sources there are */
    struct fg_rhythm rhythm;
};
enum fg_alarm fg_alarm_decide(const struct fg_alarm_evidence *evidence, fg_time now);

/* --- words --- */

struct fg_alarm_facts {
    struct fg_str site, url; /* url: the seed or hub that it is about; may be empty */
    unsigned status;         /* HTTP, or 0 */
    struct fg_str detail;    /* where a redirect leads; how robots.txt failed; what a page
                                is that shows no links; or empty */
    fg_time quiet;           /* of a silence */
};
/* One line, without a full stop. */
void fg_alarm_text(struct fg_buf *out, enum fg_alarm alarm,
                   const struct fg_alarm_facts *facts);
const char *fg_alarm_advice(enum fg_alarm alarm);

#endif
