/* web_address.h - what an address of an ugly web leads to
 *
 *     struct web_address a = web_address_read(site, target, now);
 *     if (a.what == WEB_AT_MONTH) ...a.year, a.month and a.page say which...
 *
 * Read once, the target is then rendered (web_ugly.c) or, for the truth, only named. */
#ifndef FG_SIM_WEB_ADDRESS_H
#define FG_SIM_WEB_ADDRESS_H

#include "sim/web_model.h"

enum { WEB_OFFERS = 20 }; /* of a site's partners */

enum web_place {
    WEB_AT_NOTHING,
    WEB_AT_LIST,
    WEB_AT_ARTICLE,
    WEB_AT_REPLY,
    WEB_AT_SHARE,
    WEB_AT_PRINT,
    WEB_AT_TALK, /* the feed of an article's comments */
    WEB_AT_ARCHIVES,
    WEB_AT_MONTH,
    WEB_AT_CALENDAR,
    WEB_AT_DAY,
    WEB_AT_TOPICS,
    WEB_AT_FEED,
    WEB_AT_COMMENT_FEED,
    WEB_AT_SITEMAP,
    WEB_AT_SITEMAP_OF_LISTS,
    WEB_AT_SITEMAP_OF_ARTICLES,
    WEB_AT_ROBOTS,
    WEB_AT_STATIC,
    WEB_AT_OFFER,
    WEB_AT_GO,
    WEB_AT_SHORT, /* "/?p=12" */
    WEB_AT_LOGIN
};

struct web_address {
    enum web_place what;
    const struct web_list *list;
    uint32_t number; /* of an article, a part of the sitemap, an offer */
    uint64_t page;   /* of a list, from 1 */
    int64_t year;
    int month, day;
    struct fg_str path;    /* without query and page */
    struct fg_str session; /* as it came, or "" */
};

/* `target` is path and query; articles are there once they are published. The result
 * points into it. */
struct web_address web_address_read(const struct web_site *site, struct fg_str target,
                                    fg_time now);

#endif
