/* ledger.h - every request made, on its way to the store
 *
 *     fg_ledger_note(&ledger, site, made);        (from politeness, for each request)
 *     fg_ledger_write(&ledger, batch);            (with the next batch that is written)
 *
 * A request is noted when it has ended, in an answer or in a failure, and written with
 * the batch of the result it belongs to or with one before that. So after a kill the
 * ledger lacks those that were open, and those of results that are lost as well. Whoever
 * shows it finds its words here. */
#ifndef FG_CRAWL_LEDGER_H
#define FG_CRAWL_LEDGER_H

#include "base/vec.h"
#include "crawl/host/polite.h"
#include "store/store.h"

/* Purposes of requests beyond those of visits. */
enum { FG_REQUEST_ROBOTS = 10, FG_REQUEST_ERRAND = 11, FG_REQUEST_TDMREP = 12 };

struct fg_ledger {
    struct fg_arena arena;
    FG_VEC(struct fg_request_row) rows;
    uint32_t number;
};

void fg_ledger_clear(struct fg_ledger *ledger);

void fg_ledger_note(struct fg_ledger *ledger, fg_site_id site,
                    const struct fg_made *made);
/* All that was noted since; then it is empty. */
void fg_ledger_write(struct fg_ledger *ledger, struct fg_batch *batch);

/* "robots", "first", "source", "document", "errand". */
const char *fg_request_purpose_name(unsigned purpose);

#endif
