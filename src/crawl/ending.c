/* How a crawl ends, and what makes it pause: failures, limits, a disk that cannot keep
 * up. */
#include "crawl/budget.h"
#include "crawl/people.h"
#include "crawl/sites/pages.h"
#include "crawl/state.h"

#include <event2/event.h>

void crawl_fail(struct fg_crawl *crawl, const struct fg_err *err)
{
    if (crawl->run.end == FG_CRAWL_FAILED)
        return;
    if (crawl->run.err)
        *crawl->run.err = *err;
    crawl->run.end = FG_CRAWL_FAILED;
    crawl->run.is_stopping = true;
    event_base_loopbreak(crawl->run.loop);
}

bool crawl_is_over(const struct fg_crawl *crawl)
{
    return crawl->run.end == FG_CRAWL_FAILED || crawl->run.end == FG_CRAWL_FORCED ||
           (crawl->run.is_stopping && !crawl->budget.open_asks &&
            !fg_polite_in_flight(crawl->polite));
}

void crawl_show_progress(const struct fg_crawl *crawl)
{
    if (crawl->people.progress)
        crawl->people.progress(crawl->people.progress_context, crawl);
}

void crawl_wind_down(struct fg_crawl *crawl, enum fg_crawl_end end)
{
    if (crawl->run.is_stopping)
        return;
    crawl->run.is_stopping = true;
    crawl->run.end = end;
    fg_polite_wind_down(crawl->polite);
    crawl_show_progress(crawl);
}

static void heed_limits(struct fg_crawl *crawl)
{
    const struct fg_crawl_options *o = &crawl->options;
    if (o->run.size_limit_bytes && crawl->counts.bytes >= o->run.size_limit_bytes)
        crawl_wind_down(crawl, FG_CRAWL_SIZE_LIMIT);
    if (o->run.fetch_limit && crawl->counts.fetches >= o->run.fetch_limit)
        crawl_wind_down(crawl, FG_CRAWL_FETCH_LIMIT);
}

/* When the disk cannot keep up, results pile up in memory: no requests until it has
 * caught up with most of them. */
void crawl_wait_for_disk(struct fg_crawl *crawl)
{
    size_t most = crawl->options.run.most_unwritten,
           backlog = fg_store_backlog(crawl->store);
    if (crawl->run.is_disk_full || crawl->run.is_held || (most && backlog >= most))
        fg_polite_pause(crawl->polite);
    else if (backlog <= most / 4)
        fg_polite_resume(crawl->polite);
}

void crawl_after_answer(struct fg_crawl *crawl, struct site *site)
{
    crawl_wait_for_disk(crawl);
    heed_limits(crawl);
    if (crawl->run.is_stopping)
        return;
    crawl_stir(crawl, site);
}

const char *crawl_end_name(enum fg_crawl_end end)
{
    static const char *const names[] = {
        [FG_CRAWL_DONE] = "done",
        [FG_CRAWL_INTERRUPTED] = "interrupted",
        [FG_CRAWL_FORCED] = "forced",
        [FG_CRAWL_TIME_LIMIT] = "time limit",
        [FG_CRAWL_SIZE_LIMIT] = "size limit",
        [FG_CRAWL_FETCH_LIMIT] = "fetch limit",
        [FG_CRAWL_UNHEARD] = "output closed",
        [FG_CRAWL_FAILED] = "failed",
    };
    return names[end];
}
