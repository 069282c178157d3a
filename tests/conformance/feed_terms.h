/* feed_terms.h - our feeds in the words of feedparser
 *
 * Its expectations are paths into a tree of its own ("entries", 0, "links", 1, "href")
 * and small expressions over such paths. This finds what stands at a path in ours. */
#ifndef FG_TESTS_CONFORMANCE_FEED_TERMS_H
#define FG_TESTS_CONFORMANCE_FEED_TERMS_H

#include "net/feed/feed.h"

#include <jansson.h>

/* A string, array, object, boolean or null; the caller owns it. */
json_t *feed_value(const struct fg_feed *feed, const json_t *path);

/* "not bozo and entries[0]['link'] == 'x'"; false also if it is beyond us. */
bool feed_holds(const struct fg_feed *feed, struct fg_str expression);

/* Broken, or served as something it is not. */
bool feed_is_bozo(const struct fg_feed *feed);

#endif
