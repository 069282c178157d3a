/* allowance.h - what a tick brings of a budget by the hour */
#ifndef FG_CRAWL_ALLOWANCE_H
#define FG_CRAWL_ALLOWANCE_H

#include "base/time.h"

#include <stdbool.h>
#include <stddef.h>

struct fg_crawl;
struct site;

bool allowance_is_limited(const struct fg_crawl *crawl);
double allowance_a_tick(const struct fg_crawl *crawl, double per_hour);
/* Of a tick that comes late: a machine may be busy, and where time is simulated a tick is
 * a fraction of a second. */
double allowance_ticks_passed(const struct fg_crawl *crawl, fg_time now);
/* What was not used is kept for one more tick, no longer: a crawl that slept must not
 * make up for it in a burst. */
double allowance_refill(const struct fg_crawl *crawl, double left, double fresh);

size_t allowance_whole(double allowance); /* of requests */
double allowance_share(double allowance, double share);
/* A site that has had nothing to tell for a day costs its owner little. */
bool allowance_is_quiet(const struct site *site, fg_time now);

/* Their share of a tick is theirs, however much there is to find. What a tick brings may
 * be less than one; it is kept until it is. */
double allowance_of_documents(struct fg_crawl *crawl);
/* Requests that a host lets us make in a tick, at its present pace. */
double allowance_of_host(const struct fg_crawl *crawl, const struct site *site);

#endif
