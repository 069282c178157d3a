#include "crawl/sites/lot.h"

#include "net/url/domain.h"
#include "net/url/url.h"
#include "store/lots.h"

#include <math.h>

unsigned fg_lot_whose(const struct fg_lot_options *lot, struct fg_str text)
{
    struct fg_arena arena = {0};
    struct fg_url url;
    unsigned whose = lot->lot;
    if (lot->lots && fg_url_parse(&url, &arena, text, NULL)) {
        struct fg_str host = fg_url_hostname(&url), domain = fg_domain_registrable(host);
        whose = fg_lot_of(domain.len ? domain : host, lot->lots);
    }
    fg_arena_clear(&arena);
    return whose;
}

bool fg_lot_has(const struct fg_lot_options *lot, struct fg_str url)
{
    return fg_lot_whose(lot, url) == lot->lot;
}

/* Where fetches have a price, a lot bids what it has by the root of what its last request
 * gained. The budget is shared out in proportion, so that it goes to where it gains more,
 * until it gains the same everywhere. The unit is of no matter, as all bid in it; it is
 * about that of a lot without a price that ran short. */
double fg_lot_asks(double spent, bool was_short, double all_sites, double has,
                   double price)
{
    enum { UNIT = 100 };
    if (price > 0)
        return UNIT * (was_short ? has : fmin(has, 1.25 * spent)) * sqrt(price);
    return was_short ? fmax(2 * spent, all_sites) : 1.25 * spent;
}
