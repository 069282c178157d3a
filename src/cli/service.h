/* service.h - a crawl under a service manager: ready, alive, reloading, stopping
 *
 *     struct fg_service service;
 *     fg_service_start(&service);
 *     ...fg_service_beat(&service, crawl) every service.every, from the crawl's own
 * loop... fg_service_stop(&service);
 *
 * The watchdog is answered by the loop that crawls and by nothing else: if that is stuck,
 * the manager hears nothing and starts us anew. Without a manager nothing is said. */
#ifndef FG_CLI_SERVICE_H
#define FG_CLI_SERVICE_H

#include "base/notify.h"
#include "crawl/crawl.h"

struct fg_service {
    struct fg_notifier notifier;
    fg_time every;  /* of real time: half of the watchdog's patience, at most a second */
    fg_time status; /* when it was last told, monotonic */
    bool is_ready, is_stopping;
};

void fg_service_start(struct fg_service *service);
/* Ends with STOPPING=1 if that was not said yet. */
void fg_service_stop(struct fg_service *service);
bool fg_service_is_asked(const struct fg_service *service);

void fg_service_beat(struct fg_service *service, const struct fg_crawl *crawl);
void fg_service_reloading(struct fg_service *service);
void fg_service_reloaded(struct fg_service *service);

#endif
