/* siblings.h - which pages are likely to change together: those of one directory
 *
 *     struct fg_siblings siblings = {0};
 *     for each page known: fg_siblings_count(&siblings, url);
 *     for each page: fg_mind_group(mind, row, fg_siblings_group(&siblings, url));
 *     fg_siblings_clear(&siblings);
 *
 * A page's group is the deepest directory above it that holds at least FG_SIBLINGS_LEAST
 * pages, those of its own directories included; if there is none, its site. Of an URL the
 * site is the host, whatever the scheme; query and fragment do not count. A name without
 * a scheme is a path, and all paths are of one site.
 *
 * Groups are numbered from 0 in the order they are first asked for, and a number stays
 * with its directory. Pages may be counted later, too: a directory that has become large
 * enough is the group of those asked for from then on. */
#ifndef FG_POLICY_SIBLINGS_H
#define FG_POLICY_SIBLINGS_H

#include "base/map.h"
#include "base/str.h"

#include <stdint.h>

enum { FG_SIBLINGS_LEAST = 5 };

struct fg_siblings {
    struct fg_map directories; /* private: by hash, pages << 32 | number + 1 */
    uint32_t groups;           /* there are so far */
};

void fg_siblings_count(struct fg_siblings *siblings, struct fg_str name);
uint32_t fg_siblings_group(struct fg_siblings *siblings, struct fg_str name);
void fg_siblings_clear(struct fg_siblings *siblings);

#endif
