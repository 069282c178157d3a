/* at_price.h - what a tick asks for at one price: looks at sources, documents, the stock
 *
 * Each has an index (pricing.h), and a ceiling of its site that it must stay below. The
 * best of all go, as far as the price of the day lets them. */
#ifndef FG_CRAWL_AT_PRICE_H
#define FG_CRAWL_AT_PRICE_H

#include "base/time.h"

struct fg_crawl;

/* Asks for looks and documents at once; of the stock it says how much of each site may be
 * asked for until the next tick (site->budget.first). */
void crawl_ask_at_price(struct fg_crawl *crawl, fg_time now);

#endif
