/* views.h - other ways to look at a page that has an address of its own
 *
 *     if (fg_patterns_is_view(patterns, url)) ...what it shows is told by that page...
 *
 * A mail is shown by itself, with its thread, and as it came; a commit with its files.
 * Programs put a word of theirs below the name of the thing: "/mail/<name>/thread". Where
 * many addresses end in that word, and what stands before it is one of many pages of
 * content, the page to tell of is that one. */
#ifndef FG_CRAWL_VIEWS_H
#define FG_CRAWL_VIEWS_H

#include "crawl/sources/pattern.h"

bool fg_patterns_is_view(struct fg_patterns *patterns, struct fg_str url);

#endif
