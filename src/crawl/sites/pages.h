/* pages.h - making sites and pages known */
#ifndef FG_CRAWL_PAGES_H
#define FG_CRAWL_PAGES_H

#include "crawl/sites/known.h"
#include "crawl/sites/site.h"

/* --- finding.c --- */
struct site *crawl_site_of(const struct fg_crawl *crawl, uint32_t row);
/* The next page that is known by the address without one of its parameters, from the one
 * numbered *param on: FG_UNKNOWN when there is none. */
uint32_t crawl_known_without(struct fg_crawl *crawl, const struct site *site,
                             struct fg_str url, unsigned *param);
/* The row of a page that a policy knows, by the id it has there. */
uint32_t crawl_row_of(const struct fg_crawl *crawl, uint64_t id);
struct site *crawl_find_site(struct fg_crawl *crawl, struct fg_str key);
struct site *crawl_find_host(struct fg_crawl *crawl,
                             struct fg_str key); /* watched or not */
/* Nobody has its number any more; its key is free. */
void crawl_drop_key(struct fg_crawl *crawl, struct site *site);

/* --- pages.c --- */
struct site *crawl_add_site(struct fg_crawl *crawl, fg_site_id id, struct fg_str key,
                            struct fg_str tags, enum site_state state, fg_time added);
/* With a number of its own. */
struct site *crawl_new_site(struct fg_crawl *crawl, struct fg_str key, struct fg_str tags,
                            enum site_state state, fg_time now);
void crawl_put_site(struct fg_batch *batch, const struct site *site);
void crawl_set_host(struct site *site, const struct fg_host_state *state);
/* What politeness knows of a host, to its site's row and back; texts are borrowed. */
void host_to_row(struct fg_site_row *row, const struct fg_host_state *host);
/* False if the row makes no sense. */
bool host_from_row(struct fg_host_state *host, const struct fg_site_row *row);
void crawl_enqueue(struct fg_crawl *crawl, struct site *site, uint32_t row);
struct new_page {
    struct site *site;
    struct fg_str url, words;
    struct fg_str title; /* if it was read */
    uint64_t fingerprint;
    uint32_t found_on; /* row, or FG_UNKNOWN */
    unsigned depth;
    uint32_t flags;
    float weight; /* 0 means 1 */
    fg_time dated;
    struct fg_str excerpt, language; /* if it was read */
    fg_time published;               /* by its own word, or FG_NEVER */
    float relevance;                 /* by the classifier; 0 or less: not known */
    bool is_reported;                /* as a discovery, at once */
    bool is_in_feed;
    bool is_vouched; /* which says that it was published since the watch began */
    bool is_eager;   /* fetched before others of the stock */
};
uint32_t crawl_add_page(struct fg_crawl *crawl, struct fg_batch *batch,
                        const struct new_page *page, fg_time now);

/* --- discovery.c --- */
/* Tell the world of a page. */
void crawl_report(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                  const struct new_page *page, fg_time now);

/* --- stock.c --- */
void queue_push(struct row_queue *queue, uint32_t row);
void queue_push_front(struct row_queue *queue, uint32_t row); /* before all others */
bool queue_pop(struct row_queue *queue, uint32_t *row);
/* Something has changed for this site: it is fed in the next turn of the loop. */
void crawl_stir(struct fg_crawl *crawl, struct site *site);

#endif
