/* pricing.h - one price for looks at sources, documents and the stock (crawl.worth)
 *
 *     crawl->budget.all = pricing_open(crawl, now);       at the start of a tick
 *     ...what must be asked for...
 *     pricing_offer(crawl, mind, most, sure, may, now);   of both minds
 *     pricing_offer_stock(crawl, site, index);
 *     n = pricing_choose(crawl, fits);
 *     for each of n: pricing_taken(crawl, i)
 *
 * What a fetch gains now and not later, in new pages that are known at once
 * (policy/joint.h), and one price, at which the budget of a day is spent
 * (policy/price.h). The crawl says what may cost nothing less than being made at once:
 * pages taken to be new, looks that are due, promises, and what nobody takes from
 * documents. That is paid for before. The price is kept in the store, as the state
 * "price".
 *
 * A policy whose scores are not an index (fg_policy.index) has no part in this: looks,
 * documents and the stock then have fixed shares, as crawl.worth says with `shares`. */
#ifndef FG_CRAWL_PRICING_H
#define FG_CRAWL_PRICING_H

#include "policy/joint.h"
#include "policy/mind.h"

struct fg_crawl;
struct fg_batch;
struct fg_crawl_options;

struct crawl_pricing {
    struct fg_pricing price;
    struct fg_joint joint;
    struct fg_wants wants;
    struct fg_pick *picks[2]; /* looks and documents, as offered */
    FG_VEC(uint32_t) stock;   /* sites, one for each page of their stock, as offered */
    double given;             /* to the tick that is open */
};

/* The words of crawl.worth; the first stands for shares. */
extern const char *const fg_worth_names[];
/* False where fetches have shares: that is said, or a policy's scores are no index. */
bool pricing_wants(const struct fg_crawl_options *options, struct fg_wants *wants);
/* What a score of 1 is worth, in new pages that are known at once. */
double pricing_unit(const struct fg_wants *wants, const struct fg_mind *mind,
                    bool is_look);
/* Of a fetch with that score; NaN where fetches have shares. */
double pricing_worth(const struct fg_crawl_options *options, const struct fg_mind *mind,
                     bool is_look, double score);
bool pricing_is_on(const struct fg_crawl *crawl);

void pricing_recall(struct fg_crawl *crawl);
void pricing_save(struct fg_crawl *crawl, struct fg_batch *batch);
void pricing_clear(struct fg_crawl *crawl);

/* What the tick before has spent is paid; returns what this one may. */
double pricing_open(struct fg_crawl *crawl, fg_time now);
/* What a mind chooses, at most so much, may be asked for: only what `may` allows. The
 * first `sure` of these go whatever the price is. */
typedef bool pricing_may(struct fg_crawl *crawl, const struct fg_pick *pick, fg_time now);
void pricing_offer(struct fg_crawl *crawl, struct fg_mind *mind, size_t most, size_t sure,
                   pricing_may *may, fg_time now);
/* A page of the stock of a site, by its place among all. Of those that are worth the same
 * what is offered first comes first. */
void pricing_offer_stock(struct fg_crawl *crawl, size_t site, double index);

/* A fetch that was offered: of a page that a mind chose; or, without one, of the stock.
 */
struct priced {
    struct fg_mind *mind;
    const struct fg_pick *pick;
    size_t site;
};
struct priced pricing_see(const struct fg_crawl *crawl, const struct fg_contender *offer);
/* How many of those that fit, which are asked with the crawl, are worth their price; and
 * these, the best first. */
size_t pricing_choose(struct fg_crawl *crawl, fg_joint_fits *fits);
struct priced pricing_taken(const struct fg_crawl *crawl, size_t i);

#endif
