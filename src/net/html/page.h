/* page.h - what one pass over an HTML page tells a crawler
 *
 *     struct fg_page page;
 *     fg_page_read(&page, &arena, html, FG_PAGE_ALL);
 *     for (size_t i = 0; i < page.n_links; i++)
 *         ...resolve page.links[i].href against page.base, that against the page's URL...
 *
 * The text should be UTF-8 already (see charset.h). Which tags make links follows the
 * HTML standard's tree construction as far as net/html/nest.h does, with scripting
 * switched off: what is in a noscript counts, what is in a template does not.
 *
 * Everything found is a view into `html` or lives in the arena: both must outlive the
 * page. Nothing is resolved, and nothing fails: a broken page is read as the standard
 * says. What the arena is asked for is bounded by the limits below and by the length of
 * the page. */
#ifndef FG_NET_PAGE_H
#define FG_NET_PAGE_H

#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* What to look for; what is not asked for stays empty and costs little. */
enum fg_page_part {
    FG_PAGE_LINKS = 1, /* links, base, refresh */
    FG_PAGE_WORDS = 2, /* the words of each link */
    FG_PAGE_HEAD = 4,  /* title, language, charset, canonical, metas */
    FG_PAGE_TEXT = 8,  /* what a reader sees */
    FG_PAGE_JSON_LD = 16,
    FG_PAGE_ALL = 31
};

/* Where reading stops and `cut` says so. */
#define FG_PAGE_LINKS_MAX   100000
#define FG_PAGE_METAS_MAX   256
#define FG_PAGE_JSON_LD_MAX 64
#define FG_PAGE_TEXT_MAX    (4 << 20) /* bytes */
#define FG_PAGE_TITLE_MAX   1024      /* bytes */
#define FG_PAGE_WORDS_MAX   256       /* bytes for each link */

enum fg_link_from {
    FG_FROM_A,
    FG_FROM_AREA,
    FG_FROM_LINK,
    FG_FROM_IFRAME,
    FG_FROM_FRAME,
    FG_FROM_REFRESH, /* meta http-equiv=refresh with an address */
    FG_FROM_SVG_A
};

/* The words of a rel attribute that a crawler acts upon. */
enum fg_rel {
    FG_REL_NOFOLLOW = 1 << 0,
    FG_REL_UGC = 1 << 1,
    FG_REL_SPONSORED = 1 << 2,
    FG_REL_ALTERNATE = 1 << 3,
    FG_REL_CANONICAL = 1 << 4,
    FG_REL_NEXT = 1 << 5,
    FG_REL_PREV = 1 << 6, /* also "previous" */
    FG_REL_AMPHTML = 1 << 7,
    FG_REL_ICON = 1 << 8, /* also apple-touch-icon and mask-icon */
    FG_REL_STYLESHEET = 1 << 9,
    FG_REL_FEED = 1 << 10,
    FG_REL_HUB = 1 << 11, /* WebSub */
    FG_REL_SELF = 1 << 12,
    FG_REL_SHORTLINK = 1 << 13,
    FG_REL_TAG = 1 << 14,
    FG_REL_AUTHOR = 1 << 15,
    FG_REL_LICENSE = 1 << 16,
    FG_REL_HINT = 1 << 17 /* for browsers: preload, prefetch, preconnect, ... */
};

struct fg_link {
    enum fg_link_from from;
    unsigned rel;        /* of enum fg_rel */
    struct fg_str href;  /* decoded, white space around it dropped; may be empty */
    struct fg_str words; /* collapsed; the alt text of an image if there are none, and
                            the title attribute of a link element */
    struct fg_str type, hreflang; /* of link elements and a; empty if absent */
    size_t text_at, text_end;     /* where in the page's text its own stands */
    uint32_t region;  /* of the page: the same for links that are items of one list */
    uint32_t section; /* a hash of the heading that it stands below; 0: none */
};

struct fg_meta {
    struct fg_str name, content; /* decoded; the name is as written, in any case */
};

struct fg_refresh {
    uint32_t seconds;  /* UINT32_MAX if it says more */
    struct fg_str url; /* unresolved; at is NULL where the page itself is meant */
};

/* A field that was not found has at NULL. */
struct fg_page {
    struct fg_link *links; /* in document order */
    size_t n_links;
    struct fg_meta *metas; /* name or property, with content: robots, og:title, ... */
    size_t n_metas;
    struct fg_str *json_ld; /* source of each block */
    size_t n_json_ld;
    struct fg_str base;      /* of the first base element that has a href */
    struct fg_str title;     /* of the first title element, collapsed */
    struct fg_str canonical; /* href of the first link rel=canonical */
    struct fg_str language;  /* of the html element, else of a meta content-language */
    struct fg_str charset;   /* name of the encoding that the first such meta declares */
    struct fg_str text;
    struct fg_refresh refresh;
    bool has_refresh;
    bool may_have_items; /* microdata: false if there is none */
    unsigned cut;        /* of enum fg_page_part: what was not read to its end */
};

/* Visible text: scripts, styles, templates, noscript, form fields that hold text, media
 * fallbacks and elements with the hidden attribute are left out; CSS is not looked at.
 * White space is collapsed, also in pre; blocks stand on lines of their own. */
void fg_page_read(struct fg_page *page, struct fg_arena *arena, struct fg_str html,
                  unsigned parts);

/* The content of the first meta of a name, in any case; at is NULL if there is none. */
struct fg_str fg_page_meta(const struct fg_page *page, struct fg_str name);

/* Whether a link announces a feed: a link element with rel=alternate and the type of a
 * feed (or any XML), or with rel=feed. */
bool fg_link_is_feed(const struct fg_link *link);

/* A refresh value, of a meta element or a Refresh header: the shared declarative refresh
 * steps. False if it is none. */
bool fg_refresh_parse(struct fg_refresh *refresh, struct fg_arena *arena,
                      struct fg_str content);

/* The words of a rel attribute as enum fg_rel. */
unsigned fg_rel_parse(struct fg_str rel);

#endif
