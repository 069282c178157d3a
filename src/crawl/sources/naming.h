/* naming.h - which addresses a workspace takes for one page
 *
 *     fg_naming_settle(&keep, store, wanted, err);
 *     fg_canonical_from(arena, &url, keep);
 *
 * Pages are known by their canonical address. Under other rules the same page would have
 * another address, and all would be found again as new. So the rules that a store was
 * begun with are kept in it (state "crawl:canonical" of site 0) and stay in force,
 * whatever the settings say later. */
#ifndef FG_CRAWL_NAMING_H
#define FG_CRAWL_NAMING_H

#include "base/err.h"
#include "base/map.h"
#include "store/store.h"

/* The rules of a store, as enum fg_canonical_keep; `wanted` if it has no site yet. */
enum fg_status fg_naming_read(unsigned *keep, struct fg_store *store, unsigned wanted,
                              struct fg_err *err);
/* The same, and from now on they are kept; logs a warning if they are not those wanted.
 */
enum fg_status fg_naming_settle(unsigned *keep, struct fg_store *store, unsigned wanted,
                                struct fg_err *err);

/* Give addresses the names that pages have, each once: `urls` is shortened to those, and
 * `by_url` has where each stands, plus 1. Returns where each of the old ones went. */
uint32_t *fg_naming_rename(struct fg_names *by_url, struct fg_arena *arena,
                           struct fg_str *urls, size_t *n, unsigned keep);

/* The warning, if the two differ. */
void fg_naming_warn(unsigned kept, unsigned wanted);

/* "sort-query=yes drop-tracking=no" */
#define FG_NAMING_TEXT 48
void fg_naming_format(char out[static FG_NAMING_TEXT], unsigned keep);

#endif
