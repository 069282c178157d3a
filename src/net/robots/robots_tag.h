/* robots_tag.h - what a single page asks of robots: X-Robots-Tag and meta robots
 *
 *     struct fg_robots_tags tags = {0};
 *     fg_robots_tags_add_header(&tags, header_value, FG_STR("mybot"));
 *     fg_robots_tags_add_meta(&tags, meta_name, meta_content, FG_STR("mybot"));
 *     if (tags.flags & FG_NOINDEX) ...
 *
 * Each header line and each meta element is added to the same struct. What they forbid
 * adds up: nothing that one of them says takes back what another said, "all" and "index"
 * included. Values for other robots are left out; names are given as to
 * fg_robots_parse. Words we do not know are skipped. */
#ifndef FG_NET_ROBOTS_TAG_H
#define FG_NET_ROBOTS_TAG_H

#include "base/str.h"

enum fg_robots_flag {
    FG_NOINDEX = 1 << 0,      /* do not show the page in results */
    FG_NOFOLLOW = 1 << 1,     /* do not go by its links; "none" is both */
    FG_NOARCHIVE = 1 << 2,    /* do not offer a copy; "nocache" is the same */
    FG_NOSNIPPET = 1 << 3,    /* do not quote; "max-snippet:0" is the same */
    FG_NOIMAGEINDEX = 1 << 4, /* do not list its images */
    FG_NOTRANSLATE = 1 << 5,
    FG_NOODP = 1 << 6,          /* no descriptions from directories; history */
    FG_NOAI = 1 << 7,           /* do not train on its text */
    FG_NOIMAGEAI = 1 << 8,      /* do not train on its images */
    FG_INDEXIFEMBEDDED = 1 << 9 /* noindex does not hold inside a frame */
};

struct fg_robots_tags {
    unsigned flags; /* of enum fg_robots_flag */
    /* The date after which not to show the page, as written, without its comma after the
     * day; a view of the value that was added. The last one counts. */
    struct fg_str unavailable_after;
};

/* One X-Robots-Tag line: "noindex, nofollow" or "otherbot: noindex, mybot: nofollow". A
 * name holds until the next name, so do not join several lines into one. */
void fg_robots_tags_add_header(struct fg_robots_tags *tags, struct fg_str value,
                               struct fg_str names);

/* One meta element, if its name is "robots" or one of ours. */
void fg_robots_tags_add_meta(struct fg_robots_tags *tags, struct fg_str name,
                             struct fg_str content, struct fg_str names);

#endif
