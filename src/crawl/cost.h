/* cost.h - what fetches cost, in units of a usual request
 *
 *     if (!fg_cost_of_site(options, key)) ...
 *     double cost = cost_of_answer(crawl, site, answer);
 *
 * A fetch costs its requests, hops of redirects included, and one more for each
 * `crawl.cost-bytes` of the body as it came, all times what `crawl.costs` says of its
 * site. The budgets are in this unit; with neither set, it is a request. Before a fetch
 * it costs what the policy has learnt of its page, or what fetches of late have cost. */
#ifndef FG_CRAWL_COST_H
#define FG_CRAWL_COST_H

#include "base/err.h"
#include "crawl/budget.h"

struct fg_crawl_options;
struct site;

/* Of an entry of crawl.costs: what is wrong with it, or NULL. */
const char *fg_cost_refuse(struct fg_str entry);
/* What a request to a site costs, by its key. */
double fg_cost_of_site(const struct fg_crawl_options *options, struct fg_str key);

double cost_of_answer(const struct fg_crawl *crawl, const struct site *site,
                      const struct fg_answer *answer);
double cost_expected(const struct fg_crawl *crawl, const struct site *site, uint32_t row,
                     enum purpose purpose);
/* A first fetch has cost so much. */
void cost_learn(struct fg_crawl *crawl, const struct site *site, double cost);

#endif
