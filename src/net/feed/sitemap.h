/* sitemap.h - sitemaps and indexes of them, as they arrive (sitemaps.org)
 *
 *     struct fg_sitemap_options options = {.url =
 * FG_STR("https://example.org/map.xml.gz")}; struct fg_sitemap *map =
 * fg_sitemap_new(&options, take_entry, context); while (...) fg_sitemap_feed(map, chunk);
 *     const struct fg_sitemap_result *result = fg_sitemap_finish(map);
 *     fg_sitemap_free(map);
 *
 * Read are XML sitemaps and indexes, plain text with a URL on each line, RSS and Atom,
 * each also packed with gzip, twice if need be; which it is the bytes tell, not the media
 * type. Entries go to the callback one by one, so memory stays flat however large the
 * file is. News titles and dates are kept; images, videos and alternates are passed over.
 *
 * Nothing stops at an error: what is wrong is counted, with the line where it first
 * occurred, and the rest is read. */
#ifndef FG_NET_SITEMAP_H
#define FG_NET_SITEMAP_H

#include "base/str.h"
#include "base/time.h"
#include "net/feed/xml_tidy.h"
#include "net/url/url.h"

/* The limits of sitemaps.org. */
#define FG_SITEMAP_URLS_MAX  50000
#define FG_SITEMAP_BYTES_MAX (50 << 20) /* when unpacked */
#define FG_SITEMAP_LOC_MAX   2048

enum fg_sitemap_kind {
    FG_SITEMAP_NONE, /* not a sitemap, as far as we can see */
    FG_SITEMAP_URLS,
    FG_SITEMAP_INDEX, /* its entries are sitemaps */
    FG_SITEMAP_TEXT,
    FG_SITEMAP_RSS, /* any RSS, RDF too */
    FG_SITEMAP_ATOM
};

enum fg_changefreq {
    FG_CHANGE_UNKNOWN,
    FG_CHANGE_ALWAYS,
    FG_CHANGE_HOURLY,
    FG_CHANGE_DAILY,
    FG_CHANGE_WEEKLY,
    FG_CHANGE_MONTHLY,
    FG_CHANGE_YEARLY,
    FG_CHANGE_NEVER
};

struct fg_sitemap_entry {
    struct fg_str loc;        /* as it was written, without blanks around it */
    const struct fg_url *url; /* the same, resolved; http or https */
    fg_time lastmod;          /* FG_NEVER if not given or not a date */
    struct fg_str lastmod_text;
    enum fg_changefreq changefreq;
    double priority; /* 0 to 1; -1 if not given */
    struct fg_str news_title;
    fg_time news_date;
    bool is_local; /* a date of it has a time of day and no zone */
    unsigned line;
};

enum fg_sitemap_issue {
    FG_SITEMAP_BAD_LOC,  /* no URL of http or https: left out */
    FG_SITEMAP_LONG_LOC, /* left out */
    FG_SITEMAP_NO_LOC,
    FG_SITEMAP_BAD_LASTMOD,
    FG_SITEMAP_BAD_CHANGEFREQ,
    FG_SITEMAP_BAD_PRIORITY,
    FG_SITEMAP_OUT_OF_SCOPE,  /* left out, if that was asked for */
    FG_SITEMAP_TOO_MANY_URLS, /* the rest is cut off; also the next two */
    FG_SITEMAP_TOO_LARGE,
    FG_SITEMAP_BOMB, /* packed too well to be true */
    FG_SITEMAP_BROKEN_GZIP,
    FG_SITEMAP_CUT_GZIP,     /* what came out before the end was read */
    FG_SITEMAP_UNRECOGNISED, /* neither of the kinds above */
    FG_SITEMAP_ISSUES
};

struct fg_sitemap_result {
    enum fg_sitemap_kind kind;
    size_t n_urls; /* given to the callback */
    size_t unpacked_bytes;
    struct {
        size_t count;
        unsigned line; /* of the first; 0 if it is of no line */
    } issues[FG_SITEMAP_ISSUES];
    struct fg_xml_problems xml; /* where the markup was mended */
    bool well_formed;
};

struct fg_sitemap_options {
    struct fg_str url;     /* where it is served from: relative locs resolve against it */
    struct fg_str charset; /* of the Content-Type, or empty */
    bool in_scope_only;    /* leave out what the path rule does not allow */
    size_t max_urls, max_bytes; /* 0 for the limits above */
};

struct fg_sitemap; /* private to sitemap.c */

/* What an entry points to holds until `take` returns. The options are copied. */
struct fg_sitemap *fg_sitemap_new(const struct fg_sitemap_options *options,
                                  void (*take)(void *context,
                                               const struct fg_sitemap_entry *entry),
                                  void *context);

/* False once nothing more is wanted, because a limit was met. */
bool fg_sitemap_feed(struct fg_sitemap *map, struct fg_str bytes);

/* Once, at the end. Holds until free. */
const struct fg_sitemap_result *fg_sitemap_finish(struct fg_sitemap *map);
void fg_sitemap_free(struct fg_sitemap *map);

/* The path rule of sitemaps.org: the same scheme, host and port, and not above the folder
 * that the sitemap lies in. */
bool fg_sitemap_in_scope(const struct fg_url *sitemap, const struct fg_url *url);

const char *fg_sitemap_kind_name(enum fg_sitemap_kind kind);
const char *fg_sitemap_issue_text(enum fg_sitemap_issue issue);

#endif
