/* explore.h - is a page that was there before us worth a look?
 *
 *     if (fg_stock_worth(url, patterns, now) == FG_WORTH_TRYING) ...
 *
 * By its address and the records of its site's patterns alone. How the pages that are
 * worth trying compete, and how many of them are fetched, is in explore.c. */
#ifndef FG_CRAWL_EXPLORE_H
#define FG_CRAWL_EXPLORE_H

#include "crawl/sources/pattern.h"

enum fg_stock_worth {
    FG_WORTH_TRYING,
    FG_WORTH_ITS_CONTENT, /* most pages of its pattern are documents */
    FG_WORTH_FURTHER,     /* a further page of a list: only where pages are not dated */
    FG_WORTH_ACTION,      /* not, for its address is that of an action */
    FG_WORTH_TRAP,        /* not now, for nothing of use came of its pattern or family */
    FG_WORTH_SETTLED,     /* not, for its pattern has neither lists nor documents */
};

enum fg_stock_worth fg_stock_worth(struct fg_str url, struct fg_patterns *patterns,
                                   fg_time now);

#endif
