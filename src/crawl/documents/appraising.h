/* appraising.h - what searchers would miss, measured while a crawl runs
 *
 * A thread of its own reads the log of searches and the index every few seconds, for at
 * most a hundredth of the time of a core, and makes histograms of all queries
 * (search/appraisal.h). From then on the thread that writes texts into the index measures
 * each change as it is written, within the same transaction. Policies are told what a
 * visit was worth when that is durable: until then the visit waits here. The mind knows
 * at once that the page was visited. A crawl that nobody searches does none of this.
 *
 * Nothing is lost by a kill: worths are kept in the store with their pages, and what
 * waits is saved beside the policies' state. */
#ifndef FG_CRAWL_APPRAISING_H
#define FG_CRAWL_APPRAISING_H

#include "policy/mind.h"
#include "store/index.h"

struct fg_crawl;

/* At every tick. */
void appraising_tick(struct fg_crawl *crawl);
/* The refresh policy is told of this visit when it has been measured. False: that is not
 * done, and the caller tells it. */
bool appraising_hold(struct fg_crawl *crawl, uint64_t id, const struct fg_visit *visit);
/* The batch that holds the results of visits that were held has this number. */
void appraising_submitted(struct fg_crawl *crawl, uint64_t number);
void appraising_durable(struct fg_crawl *crawl, uint64_t durable);
void appraising_end(struct fg_crawl *crawl);

/* --- over a restart --- */

#define APPRAISING_STATE "policy:awaited"
/* The visits that wait; to be saved with the state of the mind. */
void appraising_save(const struct fg_crawl *crawl, struct fg_batch *batch);
/* Tell a mind, which was loaded, of those that waited. */
void appraising_recall(struct fg_mind *mind, struct fg_store *store);
/* Of a visit in the log. */
void appraising_recall_worth(struct fg_visit *visit, struct fg_store *store,
                             const struct fg_visit_row *row);

#endif
