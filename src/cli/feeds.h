/* feeds.h - discoveries as RSS 2.0 or Atom
 *
 * Titles and addresses come from the web: everything is escaped, and what XML cannot say
 * (most control characters, broken UTF-8) is replaced. An entry's id is the event's, so
 * that a reader shows it once however often the feed is made. */
#ifndef FG_CLI_FEEDS_H
#define FG_CLI_FEEDS_H

#include "base/buf.h"
#include "base/str.h"
#include "base/time.h"

struct fg_feed_entry {
    uint64_t id;
    struct fg_str url, title, found_on, site;
    fg_time found, dated; /* dated: as the page says, or FG_NEVER */
};

struct fg_feed_head {
    struct fg_str title, link; /* of the site, or of what is watched */
    uint64_t id;
    fg_time updated;
};

/* Head, then entries newest first, then end. */
void fg_rss_head(struct fg_buf *out, const struct fg_feed_head *head);
void fg_rss_entry(struct fg_buf *out, const struct fg_feed_entry *entry);
void fg_rss_end(struct fg_buf *out);
void fg_atom_head(struct fg_buf *out, const struct fg_feed_head *head);
void fg_atom_entry(struct fg_buf *out, const struct fg_feed_entry *entry);
void fg_atom_end(struct fg_buf *out);

/* Text for the inside of an element or a quoted attribute. */
void fg_xml_escape(struct fg_buf *out, struct fg_str text);
/* "Sun, 15 Nov 2026 21:02:18 +0000" */
#define FG_RFC822_TEXT 40
char *fg_rfc822_format(char out[static FG_RFC822_TEXT], fg_time time);

#endif
