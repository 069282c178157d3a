/* site_row.h - what the row of a site in the store says, for whoever reads the store
 *
 *     if (row->state == SITE_HOST_ONLY || fg_site_is_removed(row))
 *         return;
 *     if (fg_tags_have(row->tags, FG_STR("shop"))) ... */
#ifndef FG_CRAWL_SITE_ROW_H
#define FG_CRAWL_SITE_ROW_H

#include "base/arena.h"
#include "store/store.h"

#include <stdbool.h>

enum site_state {
    SITE_EXPLORING = 1,
    SITE_WATCHED = 2,
    SITE_PAGES_ONLY = 3, /* single pages of it, its links are not followed */
    SITE_HOST_ONLY = 4,  /* not ours; redirects led there */
};
/* "exploring", "watched", "pages", "host". */
const char *fg_site_state_name(unsigned state);

/* As the user has it: control.h. */
bool fg_site_is_removed(const struct fg_site_row *row);
bool fg_site_is_paused(const struct fg_site_row *row);
/* "removed", "paused", or the name of its state. */
const char *fg_site_shown_state(const struct fg_site_row *row);

/* Tags are words between commas. The first list, and what it lacks of the second. */
struct fg_str fg_tags_join(struct fg_arena *arena, struct fg_str tags,
                           struct fg_str more);
bool fg_tags_have(struct fg_str tags, struct fg_str tag);

#endif
