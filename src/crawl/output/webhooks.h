/* webhooks.h - events posted to other programs, at least once, in order per site
 *
 *     struct fg_webhooks *webhooks;
 *     fg_webhooks_new(&webhooks, &env, &settings, err);
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
#include "base/opt.h"
#include "crawl/output/hook.h"
#include "crawl/output/output.h"
#include "net/http/fetch.h"
#include "store/store.h"

struct event_base;
struct fg_webhooks;

/* Letters of one webhook that may be held in memory. If so many are held back, nothing
 * further is read from the outbox for it. */
enum { FG_WEBHOOK_WINDOW = 10000 };

struct fg_webhooks_settings {
    struct fg_opt_list to;
    fg_time timeout, delay, max_delay;
    int64_t attempts, concurrency;
};

extern const struct fg_output_kind fg_output_webhooks; /* with these settings */

/* NULL if there are none. Secrets are read here; one that cannot be is an error. */
enum fg_status fg_webhooks_new(struct fg_webhooks **webhooks,
                               const struct fg_output_env *env,
                               const struct fg_webhooks_settings *settings,
                               struct fg_err *err);
void fg_webhooks_free(struct fg_webhooks *webhooks); /* NULL is fine */

/* Send what can be sent. NULL is fine here as well. */
void fg_webhooks_poke(struct fg_webhooks *webhooks);
/* Try the dead letters of a webhook again, "" for all; how many there were. */
size_t fg_webhooks_retry(struct fg_webhooks *webhooks, struct fg_str name);
/* If it is a dead letter, it waits again as if it were new; was it one? */
bool fg_webhook_revive(struct fg_batch *batch, const struct fg_waiting_row *row);

/* All webhooks of the settings, without their secrets. Two of one name are an error. */
enum fg_status fg_webhooks_parse(struct fg_hook **hooks, struct fg_arena *arena,
                                 const struct fg_opt_list *list, struct fg_err *err);
struct fg_fetch_options fg_webhooks_fetch_options(
    const struct fg_webhooks_settings *settings, const char *ca_file, bool http2);

#endif
