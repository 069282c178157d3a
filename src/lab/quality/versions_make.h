/* versions_make.h - made-up sites whose pages change, with what people ask
 *
 * As the thesis describes what it met (4.7.3): pages with a site's navigation and a text
 * on one of its topics, of which
 *   some hardly ever change,
 *   some carry advertisements, which are replaced often and which nobody searches for,
 *   some announce seminars, whose words people do search for,
 *   some are edited now and then, at rates that differ widely,
 *   and few are written anew each week.
 * Queries are one to three words of a topic, with frequencies that fall as 1/rank. Two
 * logs: `heads` asks for what pages are about, `log` for words at large. Weeks are 105,
 * as in the recorded set. The same options make the same versions. */
#ifndef FG_LAB_QUALITY_VERSIONS_MAKE_H
#define FG_LAB_QUALITY_VERSIONS_MAKE_H

#include "lab/quality/versions.h"

struct fg_versions_options {
    size_t pages, sites, weeks; /* 0: 1000, 10, 105 */
    uint64_t seed;
};

enum { FG_VERSIONS_LEAST = 20, FG_VERSIONS_MOST = 100000 };

struct fg_versions *fg_versions_make(const struct fg_versions_options *options);

#endif
