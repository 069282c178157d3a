/* The outputs of a crawl: what they are given of it, and how they end with it. */
#include "crawl/keeping.h"
#include "crawl/output/output.h"
#include "crawl/sites/site.h"
#include "crawl/state.h"

#include <event2/event.h>

static struct fg_str tags_of_site(void *context, fg_site_id id)
{
    const struct fg_crawl *crawl = context;
    const struct site *site = crawl_site_with(crawl, id);
    return site ? fg_str_from(site->tags) : FG_STR("");
}

enum fg_status crawl_open_outputs(struct fg_crawl *crawl,
                                  void (*on_closed)(void *context), struct fg_err *err)
{
    return fg_outputs_open(
        &crawl->keeping.outputs,
        &(struct fg_output_env){.store = crawl->store,
                                .loop = crawl->run.loop,
                                .clock = crawl->clock,
                                .events_fd = crawl->options.run.events_fd,
                                .ca_file = crawl->options.fetch.ca_file,
                                .http2 = crawl->options.fetch.http2,
                                .tags = tags_of_site,
                                .on_closed = on_closed,
                                .context = crawl},
        &crawl->options.outputs, err);
}

/* A crawl that comes to its end by itself hands on what it found, if that is taken at
 * once. One that is told to stop only waits for what is on its way. */
enum fg_status crawl_finish_outputs(struct fg_crawl *crawl, struct fg_err *err)
{
    static const fg_time most = 10 * FG_SECOND;
    fg_time until = fg_time_monotonic() + most;
    fg_outputs_drain(crawl->keeping.outputs, crawl->run.end != FG_CRAWL_INTERRUPTED);
    enum fg_status st = fg_outputs_flush(crawl->keeping.outputs, err);
    while (!st && fg_outputs_are_busy(crawl->keeping.outputs) &&
           fg_time_monotonic() < until && crawl->run.end != FG_CRAWL_FORCED &&
           crawl->run.end != FG_CRAWL_FAILED &&
           event_base_loop(crawl->run.loop, EVLOOP_ONCE) == 0)
        ;
    return st;
}
