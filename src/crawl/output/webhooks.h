/* webhooks.h - events posted to other programs, at least once, in order per site
 *
 *     struct fg_webhooks *webhooks;
 *     fg_webhooks_new(&webhooks, store, loop, &options, err);
 *     fg_webhooks_poke(webhooks);        (when the store has become durable)
 *     ...
 *     fg_webhooks_free(webhooks);
 *
 * A webhook gets each event of the outbox that its conditions take, from the moment on
 * when it was first configured: one event a request, the body being the line of JSON that
 * the other outputs write. 2xx is a success; anything else, silence included, is not, and
 * the event is tried again after a random time of up to delay, 2 delay, 4 delay ... but
 * never more than max_delay ("full jitter"; Retry-After is heeded up to that limit). It
 * holds back the later events of its site, and no other site's. After `attempts` it is a
 * dead letter: kept, listed, and not tried again unless somebody asks for it.
 *
 * What is delivered, waits or is dead stands in the store before it matters: after a kill
 * an event may be posted again, with the same id, and none is lost. Times are real ones,
 * whatever clock the crawl lives by. Nothing here waits. */
#ifndef FG_CRAWL_OUTPUT_WEBHOOKS_H
#define FG_CRAWL_OUTPUT_WEBHOOKS_H

#include "base/err.h"
#include "crawl/output/hook.h"
#include "crawl/output/outputs.h"
#include "net/fetch.h"
#include "store/store.h"

struct event_base;
struct fg_webhooks;

/* Letters of one webhook that may be held in memory. If so many are held back, nothing
 * further is read from the outbox for it. */
enum { FG_WEBHOOK_WINDOW = 10000 };

struct fg_webhooks_options {
    const struct fg_output_settings *settings;
    const char *ca_file; /* or NULL */
    bool http2;
    /* The tags of a site; NULL: sites have none. */
    struct fg_str (*tags)(void *context, fg_site_id site);
    void *context;
};

/* NULL if there are none. Secrets are read here; one that cannot be is an error. */
enum fg_status fg_webhooks_new(struct fg_webhooks **webhooks, struct fg_store *store,
                               struct event_base *loop,
                               const struct fg_webhooks_options *options,
                               struct fg_err *err);
void fg_webhooks_free(struct fg_webhooks *webhooks); /* NULL is fine */

/* Send what can be sent. NULL is fine here as well. */
void fg_webhooks_poke(struct fg_webhooks *webhooks);
/* Is something on its way, or could it be sent at once? */
bool fg_webhooks_is_busy(const struct fg_webhooks *webhooks);
/* Up to here every webhook has had each event, or the store has it waiting or dead;
 * UINT64_MAX: there are no webhooks. */
uint64_t fg_webhooks_delivered(const struct fg_webhooks *webhooks);
/* Start nothing more; what is on its way may still come in. */
void fg_webhooks_wind_down(struct fg_webhooks *webhooks);
/* Try the dead letters of a webhook again, "" for all; how many there were. */
size_t fg_webhooks_retry(struct fg_webhooks *webhooks, struct fg_str name);

/* All webhooks of the settings, without their secrets. Two of one name are an error. */
enum fg_status fg_webhooks_parse(struct fg_hook **hooks, struct fg_arena *arena,
                                 const struct fg_opt_list *list, struct fg_err *err);
struct fg_fetch_options fg_webhooks_fetch_options(
    const struct fg_output_settings *settings, const char *ca_file, bool http2);

/* One request: what is sent and its headers. The memory is the letter's own. */
struct fg_letter {
    struct fg_buf body;
    struct fg_buf lines[3];
    const char *headers[6];
};
void fg_letter_init(struct fg_letter *letter);
void fg_letter_clear(struct fg_letter *letter);
void fg_letter_write(struct fg_letter *letter, const struct fg_hook *hook,
                     struct fg_str id, int64_t timestamp, struct fg_str body);

#endif
