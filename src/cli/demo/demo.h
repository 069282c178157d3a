/* demo.h - what the demo consists of: crawls of one simulated web, and its truth
 *
 * cmd_demo.c has the command, demo_crawls.c starts and ends the crawls, demo_readers.c
 * searches what they found, demo_truth.c holds what they stored against what was true. */
#ifndef FG_CLI_DEMO_H
#define FG_CLI_DEMO_H

#include "base/rng.h"
#include "cli/crawling.h"
#include "policy/joint.h"
#include "policy/metrics.h"
#include "sim/web_server.h"
#include "sim/web_shop.h"
#include "sim/web_truth.h"

#include <sys/types.h>

enum { FG_DEMO_CRAWLS = 8, FG_DEMO_DAYS = 64 };

/* One crawl, a process of its own. */
struct fg_demo_crawl {
    const char *name;                /* of its workspace */
    const char *discovery, *refresh; /* policies */
    const char *worth;               /* crawl.worth; NULL: as it is usual */
    const char *workspace;
    pid_t pid; /* 0: it has ended */
    struct fg_store *store;
    struct fg_discovery_score score; /* articles it knows; the delays are not used */
    struct fg_web_score told;        /* what it reported */
    double
        worth_by_day[FG_DEMO_DAYS]; /* of what it reported, by the day it was published */
    double click_freshness, page_freshness; /* of the shop; from 0 to 1 */
    uint64_t fetches, shop_fetches;
};

struct fg_demo {
    struct fg_cli *cli;
    fg_time real, tick; /* how long it runs; the crawls' step */
    double speed, budget, shop_budget;
    const char *folder;
    struct fg_web *web;
    const struct fg_shop *shop; /* of the web, or NULL */
    struct fg_web_server *server;
    struct fg_clock clock;
    const char **origins;               /* of the sites */
    fg_time anchor, began, from, until; /* before `from` is warm-up */
    const struct fg_wants *wants;       /* what a page that is told late is worth */
    int64_t counted;                    /* days before this one have been imported */
    struct fg_demo_crawl crawls[FG_DEMO_CRAWLS];
    size_t n;
    struct fg_server *dashboard; /* of the first crawl; NULL: not yet, or none */
    bool has_dashboard;          /* it was tried */
    struct fg_rng readers;
};

const char *fg_demo_shop_origin(const struct fg_demo *demo);

/* --- demo_crawls.c --- */
/* Make the workspaces, with the counts of the shop's last month in each; then start all
 * crawls, which end at `until`. */
enum fg_status fg_demo_prepare(struct fg_demo *demo, struct fg_err *err);
enum fg_status fg_demo_start(struct fg_demo *demo, struct fg_err *err);
/* The dashboard shows the first crawl: from now on our settings are that one's. */
void fg_demo_settle(struct fg_demo *demo);
/* Has it ended? Fails if it did not end well. */
enum fg_status fg_demo_check(struct fg_demo_crawl *crawl, bool was_stopped,
                             struct fg_err *err);
void fg_demo_stop(struct fg_demo *demo);
/* At the end of each simulated day: hand its counts to all crawls. */
enum fg_status fg_demo_count(struct fg_demo *demo, fg_time now, struct fg_err *err);
/* Ends what still runs, closes and removes everything but the folder if it is kept. */
void fg_demo_clean_up(struct fg_demo *demo, bool keep);

/* --- demo_readers.c --- */
/* Ads on the words of the news, in the workspace of the first crawl, which has a store.
 */
void fg_demo_advertise(struct fg_demo *demo);
/* Somebody searches it, and perhaps chooses a result. */
void fg_demo_read(struct fg_demo *demo);

/* --- demo_truth.c --- */
/* Days that are judged, the last one perhaps not whole. */
size_t fg_demo_days(const struct fg_demo *demo);
/* Whether there is a store to look at, which is then open. */
bool fg_demo_has_begun(struct fg_demo_crawl *crawl);
/* How the crawl does, as of `now`; nothing if it has not begun. */
enum fg_status fg_demo_judge(struct fg_demo *demo, struct fg_demo_crawl *crawl,
                             fg_time now, struct fg_err *err);

#endif
