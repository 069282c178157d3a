/* scheduling.h - a workspace as the scheduler of somebody else's fetcher
 *
 *     struct fg_scheduling *scheduling;
 *     fg_scheduling_open(&scheduling, place, &options, err);
 *     st = fg_scheduling_begin(scheduling, &turn, err);
 *     ...fg_scheduler_add, _next, _report on turn.scheduler, at turn.now...
 *     st = fg_scheduling_end(scheduling, st, err);           durable, or nothing happened
 *     fg_scheduling_close(scheduling);
 *
 * What policy/scheduler.h decides, kept in the log "scheduler" of the store, so that
 * any number of processes may hand out and report at the same time: servers, commands.
 * What one has done, the others replay before they go on. The pages here and those that
 * the crawl of the workspace watches know nothing of each other; settings, policies and
 * the clock are the same. One thread at a time. */
#ifndef FG_CRAWL_SCHEDULING_H
#define FG_CRAWL_SCHEDULING_H

#include "crawl/crawl.h"
#include "net/url/url.h"
#include "policy/scheduler.h"

struct fg_scheduling;

/* The store must be there. The options must outlive it. */
enum fg_status fg_scheduling_open(struct fg_scheduling **scheduling, const char *place,
                                  const struct fg_crawl_options *options,
                                  struct fg_err *err);
void fg_scheduling_close(struct fg_scheduling *scheduling); /* NULL is fine */

struct fg_scheduling_turn {
    struct fg_scheduler *scheduler;
    fg_time now; /* by the crawl's clock */
};
/* Others wait until the end; after a failure there is none to be called. */
enum fg_status fg_scheduling_begin(struct fg_scheduling *scheduling,
                                   struct fg_scheduling_turn *turn, struct fg_err *err);
/* If st is a failure, all of the turn is taken back. */
enum fg_status fg_scheduling_end(struct fg_scheduling *scheduling, enum fg_status st,
                                 struct fg_err *err);

/* The name of a page: its canonical address as the crawl has it, which must be http or
 * https. `base` may be NULL. */
enum fg_status fg_scheduling_name(struct fg_str *name, struct fg_arena *arena,
                                  struct fg_str address, const struct fg_url *base,
                                  const struct fg_crawl_options *options,
                                  struct fg_err *err);

#endif
