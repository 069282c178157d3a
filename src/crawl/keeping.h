/* keeping.h - what leaves the crawl, what is archived, and what is forgotten */
#ifndef FG_CRAWL_KEEPING_H
#define FG_CRAWL_KEEPING_H

#include "crawl/crawl.h"
#include "crawl/sites/site.h"

struct crawl_keeping {
    struct fg_outputs *outputs;
    struct fg_archive *archive;  /* while it runs; NULL: nothing is archived */
    struct retention *retention; /* of retention.c */
    struct fg_marks *marks;
};

/* --- outlets.c --- */
enum fg_status crawl_open_outputs(struct fg_crawl *crawl,
                                  void (*on_closed)(void *context), struct fg_err *err);
/* At the end: all is handed on that can be at once, and what is on its way may arrive.
 * Fails if one of them cannot take what it should have. */
enum fg_status crawl_finish_outputs(struct fg_crawl *crawl, struct fg_err *err);

/* --- archiving.c: without an archive, nothing --- */
/* False if it fails, and so does the crawl. */
bool crawl_open_archive(struct fg_crawl *crawl);
void crawl_close_archive(struct fg_crawl *crawl);
void crawl_sync_archive(struct fg_crawl *crawl);
/* What politeness has recorded; the context is the crawl. */
bool crawl_archive(void *context, const struct fg_response *response);

/* --- retention.c --- */
void retention_begin(struct fg_crawl *crawl);
void retention_end(struct fg_crawl *crawl);
/* Now and then: prune if that is due, forget what is to be forgotten. */
void retention_review(struct fg_crawl *crawl);
/* Batches up to `durable` are on disk. */
void retention_go_on(struct fg_crawl *crawl, uint64_t durable);
/* The site was removed and carries the mark. */
void retention_forget(struct fg_crawl *crawl, const struct site *site);

#endif
