/* errand.h - one page, asked for politely, outside of a crawl
 *
 *     fg_errand_run(store, &options, url, take, context, err);
 *
 * robots.txt, delays and back-off hold as they do in a crawl, also from one errand to the
 * next: what is known of hosts is read from the store and written back to it. Returns
 * when the answer has come and `take` has seen it. */
#ifndef FG_CRAWL_ERRAND_H
#define FG_CRAWL_ERRAND_H

#include "crawl/crawl.h"
#include "crawl/polite.h"

enum fg_status fg_errand_run(struct fg_store *store,
                             const struct fg_crawl_options *options, struct fg_str url,
                             void (*take)(void *context, const struct fg_answer *answer),
                             void *context, struct fg_err *err);

#endif
