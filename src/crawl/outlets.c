/* The outputs of a crawl: JSON lines, feeds, webhooks and digests, from beginning to end.
 */
#include "crawl/output/news.h"
#include "crawl/state.h"

#include <event2/event.h>

/* Without a list, new pages and alarms. */
static void leave_out_kinds(struct fg_crawl *crawl)
{
    const struct fg_opt_list *kinds = &crawl->options.outputs.kinds;
    bool wanted[FG_KINDS + 1] = {
        [FG_KIND_NEW] = !kinds->len, [FG_KIND_ALARM] = !kinds->len};
    static const struct {
        const char *name;
        enum fg_news_kind kind;
    } all[] = {
        {FG_NEWS_DISCOVERY, FG_KIND_NEW},
        {FG_NEWS_CHANGED, FG_KIND_CHANGED},
        {FG_NEWS_ALARM, FG_KIND_ALARM},
        {FG_NEWS_ALARM_CLEARED, FG_KIND_ALARM},
    };
    for (size_t i = 0; i < kinds->len; i++)
        wanted[fg_news_kind(kinds->at[i])] = true;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!wanted[all[i].kind])
            fg_outbox_leave_out(crawl->outbox, all[i].name);
}

static struct fg_str tags_of_site(void *context, fg_site_id id)
{
    const struct fg_crawl *crawl = context;
    const struct site *site =
        id && id <= crawl->sites.len ? crawl->sites.at[id - 1] : NULL;
    return site ? fg_str_from(site->tags) : FG_STR("");
}

enum fg_status crawl_open_outputs(struct fg_crawl *crawl, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    crawl->outbox = fg_outbox_new(crawl->store);
    leave_out_kinds(crawl);
    if (crawl->options.events_fd >= 0)
        st = fg_outbox_to_descriptor(crawl->outbox, "stdout", crawl->options.events_fd,
                                     false, err);
    if (!st && crawl->options.events_file)
        st = fg_outbox_to_file(crawl->outbox, crawl->options.events_file, err);
    if (!st)
        st = crawl_start_publishing(crawl, err);
    if (!st)
        st = crawl_start_digests(crawl, err);
    if (!st)
        st = fg_webhooks_new(
            &crawl->webhooks, crawl->store, crawl->loop,
            &(struct fg_webhooks_options){.settings = &crawl->options.outputs,
                                          .ca_file = crawl->options.fetch.ca_file,
                                          .http2 = crawl->options.fetch.http2,
                                          .tags = tags_of_site,
                                          .context = crawl},
            err);
    return st;
}

/* A crawl that comes to its end by itself hands on what it found, if that is taken at
 * once. One that is told to stop only waits for what is on its way. */
void crawl_finish_outputs(struct fg_crawl *crawl)
{
    static const fg_time most = 10 * FG_SECOND;
    fg_time until = fg_time_monotonic() + most;
    if (crawl->end == FG_CRAWL_INTERRUPTED)
        fg_webhooks_wind_down(crawl->webhooks);
    fg_webhooks_poke(crawl->webhooks);
    while ((fg_webhooks_is_busy(crawl->webhooks) || crawl_is_mailing(crawl)) &&
           fg_time_monotonic() < until && crawl->end != FG_CRAWL_FORCED &&
           crawl->end != FG_CRAWL_FAILED &&
           event_base_loop(crawl->loop, EVLOOP_ONCE) == 0)
        ;
}

/* Feeds need no position: they are made from what there is. */
uint64_t crawl_delivered(const struct fg_crawl *crawl)
{
    uint64_t numbers[] = {fg_outbox_delivered(crawl->outbox),
                          fg_webhooks_delivered(crawl->webhooks), crawl_digested(crawl)};
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        least = numbers[i] < least ? numbers[i] : least;
    return least;
}

void crawl_close_outputs(struct fg_crawl *crawl)
{
    fg_outbox_free(crawl->outbox);
    fg_webhooks_free(crawl->webhooks);
    crawl_end_publishing(crawl);
    crawl_end_digests(crawl);
}
