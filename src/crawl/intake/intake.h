/* intake.h - what other processes and users ask for while the crawl runs, and what waits
 * for pages that are not known yet */
#ifndef FG_CRAWL_INTAKE_H
#define FG_CRAWL_INTAKE_H

#include "base/map.h"
#include "base/vec.h"
#include "crawl/crawl.h"
#include "crawl/intake/notices.h"
#include "crawl/reading/reading.h"

/* A page that is not known yet, and of which there are counts. */
struct early_page {
    struct fg_str key; /* of its site */
    uint64_t fingerprint;
};

/* A command of another process was carried out by batch `number`; UINT64_MAX: it is under
 * way. */
struct taken {
    uint64_t command, number;
    bool is_counts;
};

struct crawl_intake {
    FG_VEC(struct taken) taken;        /* commands that are on their way to disk */
    FG_VEC(struct early_page) early;   /* pages that counts wait for */
    FG_VEC(struct fg_str) early_sites; /* keys of their sites; in the arena */
    struct fg_names early_keys;        /* index there + 1 */
    struct crawl_notices notices;      /* to other lots */
};

/* --- inbox.c --- */
void crawl_take_inbox(struct fg_crawl *crawl);
void crawl_clear_inbox(struct fg_crawl *crawl, uint64_t durable);

/* --- early.c: counts that came before their pages --- */
enum fg_status crawl_recall_early(struct fg_crawl *crawl, struct fg_err *err);
/* Counts wait for a page from now on. */
void crawl_note_early(struct fg_crawl *crawl, struct fg_str url);
/* Those of pages that have become known are theirs. */
void crawl_place_early(struct fg_crawl *crawl);
/* The page that counts of a row are for: of an alias the one that is fetched. */
fg_page_id crawl_counted_page(struct fg_crawl *crawl, uint32_t row);

/* --- session.c --- */
/* A list that is known shows nothing that is. If that is because every address names the
 * visit, that is forgotten of them all. */
void session_look(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                  const struct fg_reading *reading);

#endif
