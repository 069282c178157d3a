/* lot.h - the part of a crawl that this process works on
 *
 * Of a crawl in lots (store/lots.h) a process watches the sites of one. It asks no host
 * outside of it, since another process may; what it meets there is told to the one whose
 * it is (intake/notices.h). */
#ifndef FG_CRAWL_LOT_H
#define FG_CRAWL_LOT_H

#include "crawl/crawl.h"

/* Is a site ours, by its key or any address of it? Always, unless there are lots. */
bool fg_lot_has(const struct fg_lot_options *lot, struct fg_str url);
/* Whose is it? 0, unless there are lots. */
unsigned fg_lot_whose(const struct fg_lot_options *lot, struct fg_str url);

/* How many requests an hour could be used: what was `spent`, and some more; or, if there
 * were not enough, what all sites together may be asked. With a `price`, at which the lot
 * spends what it `has`, a bid. */
double fg_lot_asks(double spent, bool was_short, double all_sites, double has,
                   double price);

#endif
