/* guard.h - which URLs are worth knowing at all
 *
 *     if (fg_guard_check(&guard, url, depth, n_known) == FG_GUARD_OK) ...
 *
 * The web has places without end: folders that contain themselves, parameters that pile
 * up. The guard refuses a link by what its URL looks like; what came of fetching others
 * like it is pattern.h's to know. Include and exclude patterns are the user's. What is
 * refused is not remembered: the list of known pages cannot be flooded. */
#ifndef FG_CRAWL_GUARD_H
#define FG_CRAWL_GUARD_H

#include "base/glob.h"
#include "base/opt.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

struct fg_guard_rules {
    size_t max_url;        /* bytes, 2048 */
    unsigned max_depth;    /* links from a seed, 20 */
    unsigned max_segments; /* of a path, 20 */
    unsigned max_repeats;  /* of one segment in a path, 2 */
    unsigned max_params;   /* of a query, 12 */
    uint32_t max_pages;    /* known pages of a site, 1,000,000 */
    /* Globs over the whole URL: "*" any run of bytes, "?" one. Include: at least one must
     * match, unless there are none. Exclude: none may match. */
    struct fg_opt_list include, exclude;
};

struct fg_guard_rules fg_guard_defaults(void);

enum fg_guard_verdict {
    FG_GUARD_OK,
    FG_GUARD_LONG,
    FG_GUARD_DEEP,
    FG_GUARD_REPEATS,
    FG_GUARD_PARAMS,
    FG_GUARD_BINARY, /* its name says it is an image, an archive, a film */
    FG_GUARD_FULL,   /* the site has max_pages already */
    FG_GUARD_NOT_INCLUDED,
    FG_GUARD_EXCLUDED,
};
const char *fg_guard_verdict_name(enum fg_guard_verdict verdict);

struct fg_guard {
    struct fg_guard_rules rules;
};

void fg_guard_init(struct fg_guard *guard, const struct fg_guard_rules *rules);

enum fg_guard_verdict fg_guard_check(const struct fg_guard *guard, struct fg_str url,
                                     unsigned depth, uint32_t known);

#endif
