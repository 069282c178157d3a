/* reading.h - what a fetched body says, in the crawl's own words
 *
 *     struct fg_reading reading;
 *     fg_reading_from(&reading, &arena, url, response, rules);
 *     for (size_t i = 0; i < reading.n_links; i++) ...
 *
 * HTML pages, feeds and sitemaps come out alike: a list of canonical links, each once, in
 * order of appearance, with what is known about the target. What kind a body is, its
 * bytes decide; the server's word is only a hint. Everything lives in the arena or in the
 * response. */
#ifndef FG_CRAWL_READING_H
#define FG_CRAWL_READING_H

#include "base/arena.h"
#include "base/str.h"
#include "base/time.h"
#include "net/facts/facts.h"
#include "net/facts/kind.h"
#include "net/html/value.h"
#include "net/http/fetch.h"
#include "net/robots/tdmrep.h"

#include <stdbool.h>
#include <stdint.h>

enum fg_reading_kind {
    FG_READ_NOTHING, /* binary, or empty */
    FG_READ_HTML,
    FG_READ_FEED,
    FG_READ_SITEMAP,
    FG_READ_SITEMAP_INDEX,
    FG_READ_TEXT,
};

struct fg_reading_link {
    struct fg_str url; /* canonical */
    uint64_t fingerprint;
    struct fg_str site; /* "https://example.org", a view of url */
    struct fg_str words;
    struct fg_str excerpt;        /* of a part */
    const struct fg_price *price; /* that the page shows beside it, or NULL */
    fg_time dated; /* published or modified, as the feed or sitemap says; or FG_NEVER */
    fg_time modified;         /* the later of the two, likewise */
    uint32_t region, section; /* of the page: see struct fg_link */
    uint32_t row;        /* of the page it leads to, once the crawl has looked it up */
    bool is_publication; /* `dated` says when it was published */
    bool is_local;       /* `dated` has a time of day and no zone */
    bool is_feed;        /* announced as one */
    bool nofollow;
    bool is_advertised; /* somebody pays for it */
    bool is_about;      /* the feed links to an action, such as a diff, on this page */
    bool is_part;       /* of a page, by its fragment; see fg_feed_places */
};

struct fg_reading {
    enum fg_reading_kind kind;
    struct fg_reading_link *links;
    size_t n_links;
    struct fg_str title, language, text;
    struct fg_str canonical; /* rel=canonical, resolved; empty if it is the page itself */
    struct fg_str leads_to;  /* by a meta refresh, of a page that has nothing else */
    struct fg_str hub, topic; /* who tells of its changes, and what it calls the page:
                                 net/feed/websub.h; empty if it does not say */
    fg_time published;
    struct fg_facts facts;          /* of an HTML page */
    struct fg_kind_verdict verdict; /* what kind of page it is */
    uint64_t identity; /* of title, main text and value: two pages that have it in common
                          are copies; 0 if there is nothing to compare */
    uint64_t content_hash; /* of what matters: the text and the links, noise left out */
    uint64_t simhash;      /* of the text; 0 if there is too little of it */
    bool noindex, nofollow;
    struct fg_tdm tdm; /* as its headers and itself say; see crawl/host/conduct.h */
    bool is_truncated;
    bool has_value; /* it was asked for */
    struct fg_value value;
};

struct fg_reading_rules {
    struct fg_str token; /* our robots product token */
    unsigned keep;       /* enum fg_canonical_keep: which addresses are one page */
    size_t max_url;      /* of a base that a page declares; 0: 2048 */
    const struct fg_value_rule *value; /* NULL: its value is not asked for */
    const struct fg_noise *noise;      /* what does not count as a change, or NULL */
};

void fg_reading_from(struct fg_reading *reading, struct fg_arena *arena,
                     struct fg_str url, const struct fg_response *response,
                     struct fg_reading_rules rules);

#endif
