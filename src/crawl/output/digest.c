/* The digests of a running crawl: looked after every few seconds. The message is made in
 * the loop, which takes milliseconds; the command that takes it runs beside it. */
#include "crawl/state.h"

#include "base/log.h"
#include "base/memory.h"
#include "crawl/output/email.h"

#include <event2/event.h>
#include <stdlib.h>

static const fg_time most_before_retry = 10 * FG_MINUTE;
static const fg_time look_every = 100 * FG_MILLISECOND;

struct digester {
    struct fg_mailer mailer;
    struct event *timer; /* while the command runs */
    uint64_t number;     /* the last event that a digest had */
    uint64_t sending;    /* the same of the one on its way */
    fg_time due;         /* by the crawl's clock */
};

static uint64_t note(struct fg_crawl *crawl, uint64_t number, fg_time now)
{
    struct digester *digester = crawl->digester;
    struct fg_batch *batch = fg_batch_new(crawl->store);
    fg_batch_delivered(batch, FG_DIGEST_OUTPUT, number, (uint64_t)now);
    digester->number = number;
    digester->due = now + crawl->options.outputs.digest_every;
    return fg_store_submit(crawl->store, batch);
}

static void failed(struct fg_crawl *crawl, const char *why)
{
    fg_time every = crawl->options.outputs.digest_every;
    fg_time wait = every / 4 < most_before_retry ? every / 4 : most_before_retry;
    crawl->digester->due = fg_clock_now(crawl->clock) + wait;
    fg_log_warn("digest", "not sent", FG_F("why", why));
}

static void on_timer(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct fg_crawl *crawl = context;
    struct digester *digester = crawl->digester;
    enum fg_mailer_state state = fg_mailer_state(&digester->mailer);
    struct timeval again = {0, look_every};
    if (state == FG_MAILER_RUNS) {
        event_add(digester->timer, &again);
        return;
    }
    if (state == FG_MAILER_FAILED) {
        failed(crawl, digester->mailer.why);
        return;
    }
    note(crawl, digester->sending, fg_clock_now(crawl->clock));
    fg_log_info("digest", "sent", FG_F("up_to", digester->sending));
}

static void send_digest(struct fg_crawl *crawl, const struct fg_email *digest)
{
    struct digester *digester = crawl->digester;
    const struct fg_output_settings *settings = &crawl->options.outputs;
    struct fg_buf message;
    struct fg_err err = {0};
    struct timeval soon = {0, look_every};
    fg_buf_init(&message, SIZE_MAX);
    fg_email_write(&message, digest, settings, fg_clock_now(crawl->clock));
    digester->sending = digest->last;
    if (fg_mailer_start(&digester->mailer, settings->digest_command,
                        settings->digest_timeout, fg_buf_str(&message), &err))
        failed(crawl, err.text);
    else
        event_add(digester->timer, &soon);
    fg_buf_clear(&message);
}

void crawl_digest(struct fg_crawl *crawl)
{
    struct digester *digester = crawl->digester;
    fg_time now = fg_clock_now(crawl->clock);
    if (!digester || digester->mailer.pid || now < digester->due || crawl->is_stopping)
        return;
    struct fg_email digest;
    struct fg_err err = {0};
    fg_email_init(&digest);
    if (fg_email_gather(&digest, crawl->store, digester->number, FG_NEVER,
                        (size_t)crawl->options.outputs.digest_items, &err))
        failed(crawl, err.text);
    else if (digest.n_new + digest.n_changed + digest.n_alarms)
        send_digest(crawl, &digest);
    else
        note(crawl, digest.last, now);
    fg_email_clear(&digest);
}

static bool take_number(void *context, const struct fg_event_row *event)
{
    *(uint64_t *)context = event->number;
    return true;
}

/* The first digest has what is found from now on; that must be known for good before
 * anything is. */
static enum fg_status begin_now(struct fg_crawl *crawl, struct fg_err *err)
{
    uint64_t number = 0;
    enum fg_status st = fg_store_events(crawl->store, 0, 0, FG_NEVER, SIZE_MAX,
                                        take_number, &number, err);
    return st ? st
              : fg_store_flush(crawl->store,
                               note(crawl, number, fg_clock_now(crawl->clock)), err);
}

enum fg_status crawl_start_digests(struct fg_crawl *crawl, struct fg_err *err)
{
    uint64_t sent;
    if (!crawl->options.outputs.digest_to.len)
        return FG_OK;
    struct digester *digester = fg_zeroed(1, sizeof *digester);
    digester->timer = evtimer_new(crawl->loop, on_timer, crawl);
    crawl->digester = digester;
    enum fg_status st =
        fg_store_delivered(crawl->store, FG_DIGEST_OUTPUT, &digester->number, &sent, err);
    digester->due = (fg_time)sent + crawl->options.outputs.digest_every;
    return st == FG_ENOTFOUND ? begin_now(crawl, err) : st;
}

bool crawl_is_mailing(const struct fg_crawl *crawl)
{
    return crawl->digester && crawl->digester->mailer.pid;
}

uint64_t crawl_digested(const struct fg_crawl *crawl)
{
    return crawl->digester ? crawl->digester->number : UINT64_MAX;
}

void crawl_end_digests(struct fg_crawl *crawl)
{
    struct digester *digester = crawl->digester;
    crawl->digester = NULL;
    if (!digester)
        return;
    fg_mailer_kill(&digester->mailer);
    event_free(digester->timer);
    free(digester);
}
