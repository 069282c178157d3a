/* minds.h - the policies of a crawl: made, saved, recalled, told what is known */
#ifndef FG_CRAWL_MINDS_H
#define FG_CRAWL_MINDS_H

#include "base/map.h"
#include "crawl/arms.h"
#include "crawl/crawl.h"
#include "policy/mind.h"

struct teller;
struct appraiser;

struct crawl_minds {
    struct fg_mind *discovery, *refresh;
    struct fg_map row_by_id;     /* of pages that a policy knows: row + 1 */
    fg_time saved;               /* visits up to then are in the policies' saved state */
    fg_time written;             /* when that was written */
    fg_time took, ended;         /* the saving, monotonic: how long, and until when */
    bool wants_saving;           /* before it is due: much has been learnt at once */
    struct teller *teller;       /* of telling.c; NULL: not needed yet */
    struct appraiser *appraiser; /* of appraising.c; NULL: not needed yet */
    fg_time told_day;            /* of the last crawl_tell; 0: none yet */
    bool has_captures;           /* of pages were imported: captures.h */
    struct fg_arms arms;         /* of both, as they were */
    struct fg_map stored; /* hashes of what was saved, by site and name: recall.c */
};

/* --- minds.c --- */
enum fg_status crawl_set_up_minds(struct fg_crawl *crawl, struct fg_err *err);
enum fg_status crawl_mind_new(struct fg_mind **mind, const struct fg_policy *policy,
                              const struct fg_crawl_options *options, enum fg_task task,
                              struct fg_err *err);

/* The one that chooses for fetchers of others. */
enum fg_status crawl_mind_for_others(struct fg_mind **mind,
                                     const struct fg_crawl_options *options,
                                     struct fg_err *err);

/* Where policies keep what they know, in the store's states of each site and of site 0.
 */
#define DISCOVERY_STATE "policy:discovery"
#define REFRESH_STATE   "policy:refresh"
/* The time of the first capture that was imported, if any was. */
#define CAPTURES_STATE "captures:first"

/* --- recall.c --- */
enum fg_status crawl_recall(struct fg_crawl *crawl, struct fg_err *err);
void crawl_save_minds(struct fg_crawl *crawl);

/* --- telling.c --- */
/* At the first tick of a day (UTC) and of a crawl: tell the refresh policy what is known
 * of all documents besides their visits. */
void crawl_tell(struct fg_crawl *crawl);
void crawl_end_telling(struct fg_crawl *crawl);

#endif
