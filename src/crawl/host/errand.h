/* errand.h - one page, asked for politely, outside of a crawl
 *
 *     fg_errand_run(&(struct fg_errand){.store = store, .options = &options, .url = url,
 *                                       .take = take, .context = x}, err);
 *
 * robots.txt, delays and back-off hold as they do in a crawl. With a store they do so
 * from one errand to the next, too: what is known of hosts is read from it and written
 * back. If the options name a file for an archive, all that is asked goes there. Returns
 * when the answer has come and `take` has seen it. */
#ifndef FG_CRAWL_ERRAND_H
#define FG_CRAWL_ERRAND_H

#include "crawl/crawl.h"
#include "crawl/host/polite.h"

struct fg_errand {
    struct fg_store *store; /* NULL: nothing is known, and nothing is kept */
    const struct fg_crawl_options *options;
    struct fg_str url;
    /* `polite` knows the hosts that were asked. */
    void (*take)(void *context, const struct fg_polite *polite,
                 const struct fg_answer *answer);
    /* Called once if it takes longer than two seconds. NULL: nobody is waiting. */
    void (*wait)(void *context, const struct fg_polite *polite);
    void *context;
};

enum fg_status fg_errand_run(const struct fg_errand *errand, struct fg_err *err);

#endif
