/* at_price.h - what a tick asks for at one price: looks at sources, documents, the stock
 *
 * Each has an index (pricing.h), and a ceiling of its site that it must stay below. The
 * best of all go, as far as the price of the day lets them. */
#ifndef FG_CRAWL_AT_PRICE_H
#define FG_CRAWL_AT_PRICE_H

#include "base/time.h"
#include "policy/mind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fg_crawl;
struct site;

/* Asks for looks and documents at once; of the stock it says how much of each site may be
 * asked for until the next tick (site->budget.first). */
void crawl_ask_at_price(struct fg_crawl *crawl, fg_time now);

/* --- tick.c --- */
/* Pages of sites that rest, are full, or spared. */
void tick_block(struct fg_crawl *crawl, struct fg_mind *mind, fg_time now);
/* What each site and all together can take of documents in this tick. */
void tick_limit_documents(struct fg_crawl *crawl);
bool tick_document_is_due(struct fg_crawl *crawl, size_t at, uint32_t row, fg_time now);
/* Of this site the stock may be looked through. */
bool tick_stock_waits(const struct fg_crawl *crawl, const struct site *site, fg_time now);

#endif
