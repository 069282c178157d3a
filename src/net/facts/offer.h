/* offer.h - what a shop's page offers: price, availability, and what the thing is
 *
 *     struct fg_offer offer;
 *     if (fg_offer_read(&offer, arena, &page, html) && offer.price.amount[0]) ...
 *
 * Three kinds of markup are read and trusted in this order, each completing what those
 * before it left open: JSON-LD, microdata (both in the words of schema.org), and the meta
 * elements of Open Graph. The page must have been read with FG_PAGE_HEAD and
 * FG_PAGE_JSON_LD.
 *
 * A page that lists many products offers none of them: where the markup names several,
 * the one counts that says it is the page's main entity, or has its canonical address, or
 * its title. Of several offers for one product (variants, sellers) the price is the
 * lowest of those that can be had, `high` the highest, and the availability is the best.
 */
#ifndef FG_NET_OFFER_H
#define FG_NET_OFFER_H

#include "base/arena.h"
#include "net/html/page.h"
#include "net/text/price.h"

/* ItemAvailability of schema.org, best first. */
enum fg_availability {
    FG_AVAILABILITY_UNKNOWN,
    FG_IN_STOCK,
    FG_LIMITED_AVAILABILITY,
    FG_ONLINE_ONLY,
    FG_IN_STORE_ONLY,
    FG_PRE_ORDER,
    FG_PRE_SALE,
    FG_BACK_ORDER,
    FG_MADE_TO_ORDER,
    FG_RESERVED,
    FG_SOLD_OUT,
    FG_OUT_OF_STOCK,
    FG_DISCONTINUED,
};

enum fg_condition {
    FG_CONDITION_UNKNOWN,
    FG_CONDITION_NEW,
    FG_CONDITION_REFURBISHED,
    FG_CONDITION_USED,
    FG_CONDITION_DAMAGED,
};

enum { FG_OFFER_TEXT_MAX = 200 }; /* bytes of each text */

struct fg_offer {
    struct fg_price price;
    char high[FG_PRICE_AMOUNT]; /* in the same currency; empty unless above the price */
    enum fg_availability availability;
    enum fg_condition condition;
    struct fg_str name, brand, category, seller; /* in the arena; empty if not said */
    struct fg_str country;  /* "DE", where it is offered; or as it is written */
    struct fg_str language; /* "de" */
};

/* False if the markup says nothing of price or availability; the texts that it has are
 * there all the same. */
bool fg_offer_read(struct fg_offer *offer, struct fg_arena *arena,
                   const struct fg_page *page, struct fg_str html);

/* "InStock", "new"; "" for what is unknown. */
const char *fg_availability_name(enum fg_availability availability);
const char *fg_condition_name(enum fg_condition condition);

/* "https://schema.org/InStock", "in stock", "instock": in any case, with any blanks. */
enum fg_availability fg_availability_parse(struct fg_str text);
enum fg_condition fg_condition_parse(struct fg_str text);

/* Can it be had, now or later? What is unknown can. */
bool fg_availability_is_open(enum fg_availability availability);

#endif
