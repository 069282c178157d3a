/* documents.h - pages whose own content is kept fresh: their rules, values, prices and
 * promises */
#ifndef FG_CRAWL_DOCUMENTS_H
#define FG_CRAWL_DOCUMENTS_H

#include "base/map.h"
#include "base/vec.h"
#include "crawl/crawl.h"
#include "crawl/reading/before.h"
#include "crawl/reading/reading.h"
#include "crawl/sites/site.h"
#include "net/html/value.h"
#include "policy/siblings.h"

struct fg_visit;

/* What of one page counts, as the user said. */
struct own_rule {
    const struct fg_value_rule *rule;
    struct fg_str text;
};

/* What is said by who is believed, or to see whether it is true now. */
enum signal { SIGNAL_BELIEVED = 1, SIGNAL_TRIED };

struct crawl_documents {
    struct fg_str rule_text;
    const struct fg_value_rule *rule; /* of documents that have no other */
    fg_time rule_since;               /* what was read before was read by another */
    const struct fg_noise *noise;     /* of all sites, or NULL */
    fg_time noise_since;              /* as of the rule */
    struct fg_map page_rules;         /* by row: index of its own rule */
    FG_VEC(struct own_rule) own_rules;
    struct fg_map dated;        /* by row: the latest date a feed or sitemap gave it */
    struct fg_map signalled;    /* that are said to have changed, by row: enum signal */
    struct fg_map changes_seen; /* by row: since the start */
    struct fg_map unsaved;   /* by row: hashes of values that are on their way to disk */
    uint64_t unsaved_number; /* of the batch that the last of them is in */
    struct fg_siblings siblings;
    size_t n_grouped;      /* that there were when groups were last made */
    struct listed *listed; /* prices that were shown of offers: listed.c */
};

struct crawl_promises {
    struct fg_map by_row; /* + 1: the longest time between two visits */
    fg_time next;         /* none is due before; FG_NEVER: look */
    fg_time told;         /* that one cannot be kept; FG_NEVER: not yet */
};

/* --- document.c --- */
/* The rule of the settings; a bad one is an error and changes nothing. */
enum fg_status document_set_rule(struct fg_crawl *crawl, struct fg_str text,
                                 struct fg_err *err);
/* A rule of a page's own, and those of a site (JSON), as the store has them. */
void document_recall_rule(struct fg_crawl *crawl, uint32_t row, struct fg_str text);
const struct fg_value_rule *document_keep_rule(struct fg_crawl *crawl, struct fg_str text,
                                               struct fg_err *err);
/* Since when a rule is in force, by a state of that name; FG_NEVER: it is the first. */
fg_time crawl_note_rule(struct fg_crawl *crawl, const char *name, struct fg_str rule);
/* By which the page is to be read; NULL: it neither is nor may become a document. */
const struct fg_value_rule *document_reading_rule(const struct fg_crawl *crawl,
                                                  uint32_t row);
/* One that an earlier run knew. */
void document_recall(struct fg_crawl *crawl, uint32_t row, fg_time added);
/* Weight 0: 1, or as it was. */
void document_admit(struct fg_crawl *crawl, uint32_t row, float weight, fg_time now);
/* Without a batch the store is left as it is. */
void document_retire(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row);
/* It turned out to be the page `to`, or one that is not ours (FG_UNKNOWN). */
void document_move(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t from,
                   uint32_t to, fg_time now);
/* A visit, before the policy is told: what one document shows others of its site will be
 * like, and whether what was said of it was true. */
void document_count(struct fg_crawl *crawl, uint32_t row, const struct fg_visit *told,
                    fg_time now);
/* A crawl that is made once looks at each once, or it would not end: was it looked at? */
bool document_is_done(const struct fg_crawl *crawl, uint32_t row);
/* After a page was read: is it one to keep fresh? */
void document_consider(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                       const struct fg_reading *reading, fg_time now);
void document_put_value(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                        const struct fg_value *value, fg_time now);
/* What a look at it needs to know of its last value; nothing if that was read by another
 * rule. */
void document_wants(struct fg_before *before, struct fg_crawl *crawl, uint32_t row);
/* Where small changes do not count: the value differs from the one that counts by less
 * than that; and the one that counts from now on. */
bool document_is_small_change(struct fg_crawl *crawl, uint32_t row,
                              const struct fg_before *before,
                              const struct fg_value *value);
void document_put_sketch(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                         const struct fg_value *value);
/* What was submitted up to this batch is on disk. */
void document_saved(struct fg_crawl *crawl, uint64_t durable);
/* At each tick: who changes together, once there are a tenth more. */
void document_regroup(struct fg_crawl *crawl);
/* A feed or sitemap dates a page. */
void document_signal(struct fg_crawl *crawl, uint32_t row, fg_time dated, fg_time now);
/* What Last-Modified says of a value that has changed or not since `previous`. */
fg_time document_modified(struct fg_str header, bool is_changed, fg_time previous,
                          fg_time now);

/* --- changes.c --- */
/* The value of a document is another one now: tell the world. Of what was `before`, the
 * value has no text if the store did not have it yet. */
void change_report(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                   const struct fg_before *before, const struct fg_value *after,
                   struct fg_str title, fg_time now);
/* Keep what the next change will be compared with. */
void change_keep_text(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                      const struct fg_value *value);

/* --- listed.c --- */
/* A page shows what the offer at `row` costs. */
void listed_see(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                const struct fg_price *price, fg_time now);
/* The offer says itself what it costs. */
void listed_read(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                 const struct fg_offer *offer, fg_time now);
void listed_clear(struct fg_crawl *crawl);

/* --- promise.c --- */
/* Ask for those that would be overdue otherwise. */
void crawl_keep_promises(struct fg_crawl *crawl, fg_time now);
/* There may be one that is due sooner. */
void crawl_promises_changed(struct fg_crawl *crawl);
/* Of one page, from now on; 0: none. */
void crawl_promise_page(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                        fg_time at_least);
enum fg_status crawl_recall_promises(struct fg_crawl *crawl, fg_site_id site,
                                     struct fg_err *err);

#endif
