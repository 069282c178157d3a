/* places.h - which pages of a store addresses are, for those who bring them from outside
 */
#ifndef FG_CRAWL_PLACES_H
#define FG_CRAWL_PLACES_H

#include "store/store.h"

struct fg_place {
    fg_site_id site;
    fg_page_id page; /* 0: not known */
    bool is_document, is_source;
};

/* One place for each of n canonical addresses, in the arena. One page under several
 * addresses is at the one that is fetched. */
enum fg_status fg_places_find(struct fg_place **places, struct fg_store *store,
                              struct fg_arena *arena, const struct fg_str *urls, size_t n,
                              struct fg_err *err);

#endif
