/* feed_write.h - discoveries and changes as RSS 2.0, Atom or JSON Feed 1.1
 *
 *     struct fg_feed_writer writer = fg_feed_begin(&buf, FG_WRITE_ATOM, &head);
 *     fg_feed_add(&writer, &entry);            (newest first)
 *     fg_feed_finish(&writer);
 *
 * Titles and addresses come from the web: everything is escaped, and what XML cannot say
 * (most control characters, broken UTF-8) is replaced. An entry's id is the event's, so
 * that a reader shows it once however often the feed is made. net/feed/feed.h reads
 * feeds. */
#ifndef FG_NET_FEED_WRITE_H
#define FG_NET_FEED_WRITE_H

#include "base/json.h"
#include "base/str.h"
#include "base/time.h"

enum fg_feed_form { FG_WRITE_RSS, FG_WRITE_ATOM, FG_WRITE_JSON, FG_FEED_FORMS };
/* "rss", "atom", "json": also how a file's name ends. */
const char *fg_feed_form_name(enum fg_feed_form form);

struct fg_feed_head {
    struct fg_str title, link; /* of the site, or of what is watched */
    struct fg_str about;       /* a sentence; empty: of new pages */
    struct fg_str self;        /* the feed's own address, or empty */
    uint64_t id;
    fg_time updated;
};

struct fg_feed_entry {
    uint64_t id;
    struct fg_str url, title, found_on, site;
    struct fg_str text;     /* what it says, a paragraph a line; or empty */
    struct fg_str summary;  /* the beginning of what it says, or empty */
    struct fg_str language; /* "en", or empty */
    fg_time found, dated;   /* dated: as the page says, or FG_NEVER */
};

struct fg_feed_writer {
    struct fg_buf *out;
    enum fg_feed_form form;
    struct fg_json json; /* private */
};

struct fg_feed_writer fg_feed_begin(struct fg_buf *out, enum fg_feed_form form,
                                    const struct fg_feed_head *head);
void fg_feed_add(struct fg_feed_writer *writer, const struct fg_feed_entry *entry);
void fg_feed_finish(struct fg_feed_writer *writer);

/* Text for the inside of an element or a quoted attribute. */
void fg_xml_escape(struct fg_buf *out, struct fg_str text);
/* "Sun, 15 Nov 2026 21:02:18 +0000" */
#define FG_RFC822_TEXT 40
char *fg_rfc822_format(char out[static FG_RFC822_TEXT], fg_time time);

#endif
