/* cut.h - links of a page that were left out, and how many
 *
 *     fg_cut_put(batch, site, page, cut);
 *     if (page.flags & FG_PAGE_CUT && fg_cut_read(&cut, store, site, page)) ...
 *
 * A page may show more links than are looked at, or links longer than fetch.max-url. What
 * is left out is not known, so it is counted here, as a state of the site, and the page
 * has the flag FG_PAGE_CUT. */
#ifndef FG_CRAWL_CUT_H
#define FG_CRAWL_CUT_H

#include "base/arena.h"
#include "store/store.h"

/* Links of one page that are looked at. */
enum { FG_LINKS_MOST = 50000 };

struct fg_cut {
    uint32_t too_long; /* for fetch.max-url */
    uint32_t too_many; /* beyond FG_LINKS_MOST */
};

/* As it was at the last reading; all 0: nothing is left out any more. */
void fg_cut_put(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                struct fg_cut cut);
/* False, and all 0, if nothing was left out. */
bool fg_cut_read(struct fg_cut *cut, struct fg_store *store, fg_site_id site,
                 fg_page_id page);
/* "3 links longer than fetch.max-url, 120 links beyond the first 50000" */
struct fg_str fg_cut_words(struct fg_arena *arena, struct fg_cut cut);

#endif
