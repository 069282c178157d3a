#include "cli/service.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MESSAGE = 512 };
static const fg_time status_every = 5 * FG_SECOND;

bool fg_service_is_asked(const struct fg_service *service)
{
    return service->notifier.fd >= 0;
}

void fg_service_start(struct fg_service *service)
{
    *service = (struct fg_service){.every = FG_SECOND};
    fg_notifier_open(&service->notifier, getenv("NOTIFY_SOCKET"), getenv("WATCHDOG_USEC"),
                     getenv("WATCHDOG_PID"));
    fg_time half = service->notifier.watchdog / 2;
    if (half && half < service->every)
        service->every = half;
}

void fg_service_stop(struct fg_service *service)
{
    if (!service->is_stopping)
        fg_notify(&service->notifier, FG_STR("STOPPING=1"));
    fg_notifier_close(&service->notifier);
}

static void add(char text[static MESSAGE], size_t *n, const char *more)
{
    int written = snprintf(text + *n, MESSAGE - *n, "%s", more);
    *n += written > 0 && (size_t)written < MESSAGE - *n ? (size_t)written : 0;
}

static void add_status(char text[static MESSAGE], size_t *n, const struct fg_crawl *crawl)
{
    struct fg_crawl_counts c = fg_crawl_count(crawl);
    char line[MESSAGE / 2];
    snprintf(line, sizeof line,
             "STATUS=%s %zu %s: %llu fetched, %llu new, %llu waiting, %llu failed\n",
             c.is_stopping ? "finishing open requests of" : "watching", c.sites,
             c.sites == 1 ? "site" : "sites", (unsigned long long)c.fetches,
             (unsigned long long)c.discovered, (unsigned long long)c.waiting,
             (unsigned long long)c.failures);
    add(text, n, line);
}

void fg_service_beat(struct fg_service *service, const struct fg_crawl *crawl)
{
    char text[MESSAGE];
    size_t n = 0;
    if (!fg_service_is_asked(service))
        return;
    bool is_stopping = fg_crawl_count(crawl).is_stopping && !service->is_stopping;
    fg_time now = fg_time_monotonic();
    if (!service->is_ready)
        add(text, &n, "READY=1\n");
    if (is_stopping)
        add(text, &n, "STOPPING=1\n");
    if (!service->is_ready || is_stopping || now - service->status >= status_every) {
        add_status(text, &n, crawl);
        service->status = now;
    }
    if (service->notifier.watchdog)
        add(text, &n, "WATCHDOG=1\n");
    service->is_ready = true;
    service->is_stopping |= is_stopping;
    if (n)
        fg_notify(&service->notifier, (struct fg_str){text, n});
}

/* The time is asked for by Type=notify-reload; it must be that of CLOCK_MONOTONIC. */
void fg_service_reloading(struct fg_service *service)
{
    char text[MESSAGE];
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    snprintf(text, sizeof text, "RELOADING=1\nMONOTONIC_USEC=%lld\n",
             (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000);
    fg_notify(&service->notifier, fg_str_from(text));
}

void fg_service_reloaded(struct fg_service *service)
{
    fg_notify(&service->notifier, FG_STR("READY=1\n"));
}
