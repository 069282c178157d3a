/* offer_parts.h - what the readers of offers share; private to offer*.c and microdata.c
 */
#ifndef FG_NET_OFFER_PARTS_H
#define FG_NET_OFFER_PARTS_H

#include "net/facts/offer.h"
#include "net/text/json_tree.h"

/* White space collapsed, references replaced, cut to FG_OFFER_TEXT_MAX. */
struct fg_str fg_offer_text(struct fg_arena *arena, struct fg_str text);

/* What the page's main thing is offered for; `roots` is an array of JSON-LD documents. */
void fg_offer_from_graph(struct fg_offer *offer, struct fg_arena *arena,
                         const json_t *roots, const struct fg_page *page);

/* The items of a page in the shape of JSON-LD: an array of objects with "@type" and their
 * properties; the caller drops it. */
json_t *fg_microdata_read(struct fg_arena *arena, struct fg_str html);

#endif
