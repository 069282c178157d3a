/* web.h - a synthetic web whose truth is known
 *
 *     struct fg_web *web = fg_web_new(&options);
 *     fg_web_render(web, site, path, now, &page);      (what a server would answer)
 *     fg_web_articles(web, from, to, take, context);   (what was really published)
 *
 * Several news sites, each with a home page, sections, tags, authors, a ticker, old and
 * static pages, perhaps a feed and a sitemap. Articles come as a Poisson process whose
 * rate follows the hour of day and the weekday by section; lists show the newest few and
 * forget the rest, so a link that nobody fetched in time is gone from view. There may be
 * a shop as well, the last of the sites: see web_shop.h. Everything follows from the
 * seed: two webs with the same options are the same web, at any time, in any process.
 *
 * An ugly web has what surrounds articles on real sites; web_ugly.c tells what. */
#ifndef FG_SIM_WEB_H
#define FG_SIM_WEB_H

#include "base/buf.h"
#include "base/str.h"
#include "base/time.h"

#include <stdbool.h>
#include <stdint.h>

struct fg_web;

struct fg_web_options {
    uint64_t seed;
    unsigned sites;   /* 4, of news; may be 0 if there is a shop */
    fg_time from, to; /* when articles are published; lists are full at `from` */
    double
        articles_per_day;   /* of the median site; others differ by a factor of up to 3 */
    unsigned tags, authors; /* of a site */
    size_t article_bytes;   /* about how long an article's page is */
    unsigned offers;        /* of the shop; 0, the default: there is none */
    bool has_noise; /* pages carry a clock, a counter and a rotating advertisement */
    bool is_ugly;
    unsigned stock; /* articles of an ugly site that are older than a week at `from` */
};

struct fg_web_options fg_web_defaults(void);

struct fg_web *fg_web_new(const struct fg_web_options *options);
void fg_web_free(struct fg_web *web);

unsigned fg_web_sites(const struct fg_web *web); /* the shop included */

/* The shop, or NULL. Its site is the last one. */
struct fg_shop;
const struct fg_shop *fg_web_shop(const struct fg_web *web);

struct fg_web_page {
    unsigned status;
    const char *content_type;
    uint64_t version; /* changes when the content, noise aside, changes; 0: no ETag */
    fg_time last_modified; /* FG_NEVER: not told */
    char location[256];    /* of a redirect: path and query; else "" */
};

/* What `path` (with its query) shows at `now`; the body is appended to `body`. `origin`
 * is what stands before the path in absolute URLs ("http://127.0.0.1:8001"). */
struct fg_web_page fg_web_render(const struct fg_web *web, unsigned site,
                                 struct fg_str path, struct fg_str origin, fg_time now,
                                 struct fg_buf *body);

/* Articles published in [from, to), in order of time within a site. Return false to stop.
 */
struct fg_web_article {
    unsigned site;
    struct fg_str path; /* the canonical one; holds until `take` returns */
    fg_time published;
};
void fg_web_articles(const struct fg_web *web, fg_time from, fg_time to,
                     bool (*take)(void *context, const struct fg_web_article *article),
                     void *context);

/* What an address of a news site leads to, whenever that is. */
enum fg_web_form {
    FG_WEB_ARTICLE, /* the page of an article, perhaps with parameters */
    FG_WEB_COPY,    /* another form of it: to print, share or reply; a session's */
    FG_WEB_LIST,    /* of articles or comments: for people, or as a feed or sitemap */
    FG_WEB_OTHER    /* a page of another kind, or none */
};
enum fg_web_form fg_web_form_of(const struct fg_web *web, unsigned site,
                                struct fg_str path);

#endif
