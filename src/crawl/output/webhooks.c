/* How the position moves: every event that was read is "recent" until it is delivered,
 * refused by the conditions, or stands in the store as one that waits; the position is
 * the last event before the first recent one. An event gets a row of its own in the store
 * only when something fails, so that a healthy webhook costs one small write a delivery,
 * and one that is down for a site does not stop the position. */
#include "crawl/output/webhooks.h"

#include "base/log.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/vec.h"
#include "net/date.h"

#include <event2/event.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { READ_AT_ONCE = 64 };

/* An event that is to be sent. */
struct waiting {
    uint64_t number;
    uint32_t attempts;
    bool is_stored; /* as a row of its own */
    fg_time next;   /* on the wall; 0: at once */
};

/* What waits for one site, in order. */
struct queue {
    fg_site_id site;
    bool is_open; /* its first letter is on its way */
    FG_VEC(struct waiting) letters;
};

struct recent {
    uint64_t number;
    bool is_settled;
};

struct hook {
    struct fg_webhooks *all;
    struct fg_hook hook;
    const char *output;      /* its name in the store */
    uint64_t read, position; /* the last event read; all up to here are cared for */
    struct fg_map by_site;   /* index of its queue + 1 */
    FG_VEC(struct queue) queues;
    FG_VEC(struct recent) recent;
    size_t first_recent;
    size_t n_letters, n_open, turn;
    struct slot *slots; /* as many as may be open */
};

/* A request on its way. */
struct slot {
    struct hook *hook;
    fg_site_id site;
    uint64_t number;
    struct fg_letter letter;
    bool is_open;
};

struct fg_webhooks {
    struct fg_store *store;
    struct fg_webhooks_options options;
    size_t concurrency;
    struct fg_fetcher *fetcher;
    struct event *timer;
    struct fg_arena arena;
    struct fg_rng rng;
    struct hook *hooks;
    size_t n_hooks;
    bool is_ending; /* nothing more is sent */
};

/* --- the position --- */

static struct recent *find_recent(struct hook *hook, uint64_t number)
{
    size_t low = hook->first_recent, high = hook->recent.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (hook->recent.at[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < hook->recent.len && hook->recent.at[low].number == number
               ? &hook->recent.at[low]
               : NULL;
}

static void settle(struct hook *hook, uint64_t number)
{
    struct recent *recent = find_recent(hook, number);
    if (recent)
        recent->is_settled = true;
    while (hook->first_recent < hook->recent.len &&
           hook->recent.at[hook->first_recent].is_settled)
        hook->first_recent++;
    if (hook->first_recent * 2 < hook->recent.len)
        return;
    hook->recent.len -= hook->first_recent;
    if (hook->recent.len)
        memmove(hook->recent.at, hook->recent.at + hook->first_recent,
                hook->recent.len * sizeof *hook->recent.at);
    hook->first_recent = 0;
}

static void note_position(struct hook *hook, struct fg_batch *batch)
{
    uint64_t position = hook->first_recent < hook->recent.len
                            ? hook->recent.at[hook->first_recent].number - 1
                            : hook->read;
    if (position == hook->position)
        return;
    hook->position = position;
    fg_batch_delivered(batch, hook->output, position, 0);
}

/* --- queues --- */

static struct queue *queue_of(struct hook *hook, fg_site_id site)
{
    uint64_t *index = fg_map_put(&hook->by_site, site);
    if (!*index) {
        fg_vec_push(&hook->queues, (struct queue){.site = site});
        *index = hook->queues.len;
    }
    return &hook->queues.at[*index - 1];
}

static void drop_first(struct hook *hook, struct queue *queue)
{
    queue->letters.len--;
    memmove(queue->letters.at, queue->letters.at + 1,
            queue->letters.len * sizeof *queue->letters.at);
    hook->n_letters--;
    if (!queue->letters.len)
        fg_vec_clear(&queue->letters);
}

static bool has_failed(const struct queue *queue)
{
    return queue->letters.len && queue->letters.at[0].attempts > 0;
}

static void store_letter(struct hook *hook, struct fg_batch *batch, fg_site_id site,
                         struct waiting *letter, unsigned status, const char *why)
{
    fg_batch_waiting(batch, &(struct fg_waiting_row){
                                .hook = hook->hook.name,
                                .number = letter->number,
                                .site = site,
                                .attempts = letter->attempts,
                                .next = letter->next ? letter->next : FG_NEVER,
                                .tried = letter->attempts ? fg_time_now() : FG_NEVER,
                                .status = (uint16_t)status,
                                .why = fg_str_from(why),
                            });
    letter->is_stored = true;
    settle(hook, letter->number);
}

/* --- reading the outbox --- */

struct intake {
    struct hook *hook;
    struct fg_batch *batch;
    size_t n;
    bool has_rows; /* the batch must not be lost */
};

static bool take_event(void *context, const struct fg_event_row *event)
{
    struct intake *intake = context;
    struct hook *hook = intake->hook;
    const struct fg_webhooks_options *o = &hook->all->options;
    struct fg_str tags = o->tags ? o->tags(o->context, event->site) : FG_STR("");
    struct fg_news news;
    fg_news_read(&news, event);
    bool is_wanted = fg_filter_takes(&hook->hook.filter, &news, tags, FG_STR(""));
    fg_news_clear(&news);
    intake->n++;
    hook->read = event->number;
    fg_vec_push(&hook->recent, (struct recent){event->number, !is_wanted});
    if (!is_wanted) {
        settle(hook, event->number);
        return true;
    }
    struct queue *queue = queue_of(hook, event->site);
    fg_vec_push(&queue->letters, (struct waiting){.number = event->number});
    hook->n_letters++;
    if (has_failed(queue)) {
        store_letter(hook, intake->batch, event->site,
                     &queue->letters.at[queue->letters.len - 1], 0, "");
        intake->has_rows = true;
    }
    return true;
}

static size_t count_sendable(const struct hook *hook)
{
    size_t n = 0;
    for (size_t i = 0; i < hook->queues.len && n < hook->all->concurrency; i++)
        n += hook->queues.at[i].letters.len > 0 && !has_failed(&hook->queues.at[i]);
    return n;
}

/* Until there is enough to do, or nothing more. */
static void read_events(struct hook *hook)
{
    struct fg_err err = {0};
    struct intake intake = {.hook = hook, .batch = fg_batch_new(hook->all->store)};
    while (hook->n_letters < FG_WEBHOOK_WINDOW &&
           count_sendable(hook) < hook->all->concurrency) {
        intake.n = 0;
        if (fg_store_events(hook->all->store, 0, hook->read, FG_NEVER, READ_AT_ONCE,
                            take_event, &intake, &err)) {
            fg_log_warn("webhooks", "the outbox cannot be read", FG_F("why", err.text));
            break;
        }
        if (intake.n < READ_AT_ONCE)
            break; /* that was all there is */
    }
    uint64_t before = hook->position;
    note_position(hook, intake.batch);
    if (hook->position != before || intake.has_rows)
        fg_store_submit(hook->all->store, intake.batch);
    else
        fg_batch_drop(intake.batch);
}

/* --- answers --- */

/* Full jitter: any time up to the limit is as likely, so that those who failed together
 * do not come back together. */
static fg_time back_off(struct fg_webhooks *all, uint32_t attempts, fg_time asked)
{
    const struct fg_output_settings *s = all->options.settings;
    double limit = fmin((double)s->webhooks_max_delay,
                        ldexp((double)s->webhooks_delay, (int)fmin(attempts - 1, 60)));
    fg_time wait = (fg_time)(fg_rng_unit(&all->rng) * limit);
    fg_time heeded = asked < s->webhooks_max_delay ? asked : s->webhooks_max_delay;
    return wait > heeded ? wait : heeded;
}

static fg_time retry_after(const struct fg_response *response)
{
    struct fg_str text = fg_response_header(response, "Retry-After", 0);
    uint64_t seconds;
    if (!text.len)
        return 0;
    if (fg_str_to_u64(text, &seconds))
        return seconds < INT32_MAX ? (fg_time)seconds * FG_SECOND : INT32_MAX * FG_SECOND;
    fg_time at = fg_date_parse_http(text), now = fg_time_now();
    return at == FG_NEVER || at < now ? 0 : at - now;
}

static bool is_taken(const struct fg_response *response)
{
    return response->outcome == FG_FETCHED && response->status >= 200 &&
           response->status <= 299;
}

static void delivered(struct hook *hook, struct queue *queue, struct fg_batch *batch)
{
    struct waiting *letter = &queue->letters.at[0];
    uint64_t number = letter->number;
    if (letter->is_stored)
        fg_batch_not_waiting(batch, hook->hook.name, number);
    drop_first(hook, queue);
    settle(hook, number);
}

static void bury(struct hook *hook, struct queue *queue, struct fg_batch *batch,
                 unsigned status, const char *why)
{
    struct waiting *letter = &queue->letters.at[0];
    uint64_t number = letter->number;
    fg_log_warn("webhooks", "given up", FG_F("hook", hook->hook.name),
                FG_F("event", number), FG_F("attempts", letter->attempts),
                FG_F("status", status), FG_F("why", why));
    fg_batch_waiting(batch, &(struct fg_waiting_row){.hook = hook->hook.name,
                                                     .number = number,
                                                     .site = queue->site,
                                                     .attempts = letter->attempts,
                                                     .next = FG_NEVER,
                                                     .tried = fg_time_now(),
                                                     .status = (uint16_t)status,
                                                     .is_dead = true,
                                                     .why = fg_str_from(why)});
    drop_first(hook, queue);
    settle(hook, number);
}

static void failed(struct hook *hook, struct queue *queue, struct fg_batch *batch,
                   const struct fg_response *response)
{
    struct fg_webhooks *all = hook->all;
    struct waiting *letter = &queue->letters.at[0];
    const char *why = response->outcome == FG_FETCHED ? "" : response->why;
    letter->attempts++;
    if (letter->attempts >= (uint64_t)all->options.settings->webhooks_attempts) {
        bury(hook, queue, batch, response->status, why);
        return;
    }
    letter->next = fg_time_now() + back_off(all, letter->attempts, retry_after(response));
    fg_log_debug("webhooks", "not taken", FG_F("hook", hook->hook.name),
                 FG_F("event", letter->number), FG_F("attempts", letter->attempts),
                 FG_F("status", response->status), FG_F("why", why));
    store_letter(hook, batch, queue->site, letter, response->status, why);
    for (size_t i = 1; i < queue->letters.len; i++)
        if (!queue->letters.at[i].is_stored)
            store_letter(hook, batch, queue->site, &queue->letters.at[i], 0, "");
}

static void on_answer(void *context, const struct fg_response *response)
{
    struct slot *slot = context;
    struct hook *hook = slot->hook;
    struct queue *queue = queue_of(hook, slot->site);
    slot->is_open = queue->is_open = false;
    hook->n_open--;
    if (response->outcome == FG_FETCH_STOPPED)
        return;
    struct fg_batch *batch = fg_batch_new(hook->all->store);
    if (is_taken(response))
        delivered(hook, queue, batch);
    else
        failed(hook, queue, batch, response);
    note_position(hook, batch);
    fg_store_submit(hook->all->store, batch);
    fg_webhooks_poke(hook->all);
}

/* --- sending --- */

void fg_letter_init(struct fg_letter *letter)
{
    *letter = (struct fg_letter){0};
    fg_buf_init(&letter->body, 16 << 20);
    for (size_t i = 0; i < sizeof letter->lines / sizeof *letter->lines; i++)
        fg_buf_init(&letter->lines[i], 4096);
}

void fg_letter_clear(struct fg_letter *letter)
{
    fg_buf_clear(&letter->body);
    for (size_t i = 0; i < sizeof letter->lines / sizeof *letter->lines; i++)
        fg_buf_clear(&letter->lines[i]);
}

void fg_letter_write(struct fg_letter *letter, const struct fg_hook *hook,
                     struct fg_str id, int64_t timestamp, struct fg_str body)
{
    char signature[FG_HOOK_SIGNATURE];
    size_t n = 0;
    fg_buf_reset(&letter->body);
    fg_buf_add(&letter->body, body);
    for (size_t i = 0; i < sizeof letter->lines / sizeof *letter->lines; i++)
        fg_buf_reset(&letter->lines[i]);
    letter->headers[n++] = "Content-Type: application/json";
    letter->headers[n++] = "Expect:"; /* no round trip before a small body */
    fg_buf_printf(&letter->lines[0], "webhook-id: %.*s", FG_ARG(id));
    fg_buf_printf(&letter->lines[1], "webhook-timestamp: %lld", (long long)timestamp);
    letter->headers[n++] = letter->lines[0].at;
    letter->headers[n++] = letter->lines[1].at;
    if (hook->key_len) {
        fg_hook_sign(signature, hook, id, timestamp, body);
        fg_buf_printf(&letter->lines[2], "webhook-signature: %s", signature);
        letter->headers[n++] = letter->lines[2].at;
    }
    letter->headers[n] = NULL;
}

static bool write_letter(void *context, const struct fg_event_row *event)
{
    struct slot *slot = context;
    char id[40];
    snprintf(id, sizeof id, "evt_%016llx", (unsigned long long)event->id);
    fg_letter_write(&slot->letter, &slot->hook->hook, fg_str_from(id),
                    fg_time_now() / FG_SECOND, event->json);
    slot->is_open = event->number == slot->number;
    return false;
}

static struct slot *free_slot(struct hook *hook)
{
    for (size_t i = 0; i < hook->all->concurrency; i++)
        if (!hook->slots[i].is_open)
            return &hook->slots[i];
    return NULL;
}

/* An event that is no longer there (its site was forgotten) needs no delivery. */
static void forget_first(struct hook *hook, struct queue *queue)
{
    struct fg_batch *batch = fg_batch_new(hook->all->store);
    delivered(hook, queue, batch);
    note_position(hook, batch);
    fg_store_submit(hook->all->store, batch);
}

static void send_first(struct hook *hook, struct queue *queue, struct slot *slot)
{
    struct fg_err err = {0};
    slot->site = queue->site;
    slot->number = queue->letters.at[0].number;
    if (fg_store_events(hook->all->store, 0, slot->number - 1, FG_NEVER, 1, write_letter,
                        slot, &err)) {
        fg_log_warn("webhooks", "the outbox cannot be read", FG_F("why", err.text));
        slot->is_open = false;
        queue->letters.at[0].next = fg_time_now() + FG_SECOND;
        return;
    }
    if (!slot->is_open) {
        forget_first(hook, queue);
        return;
    }
    queue->is_open = true;
    hook->n_open++;
    fg_fetcher_start(hook->all->fetcher,
                     &(struct fg_request){.url = hook->hook.url,
                                          .accept = "*/*",
                                          .body = fg_buf_str(&slot->letter.body),
                                          .headers = slot->letter.headers,
                                          .done = on_answer,
                                          .context = slot});
}

/* A wall clock that stepped back must not make a wait longer than it may be. */
static bool is_due(struct fg_webhooks *all, struct waiting *letter, fg_time now)
{
    fg_time latest = now + all->options.settings->webhooks_max_delay;
    if (letter->next > latest)
        letter->next = latest;
    return letter->next <= now;
}

static void send_due(struct hook *hook)
{
    fg_time now = fg_time_now();
    size_t n = hook->queues.len;
    for (size_t i = 0; i < n && hook->n_open < hook->all->concurrency; i++) {
        struct queue *queue = &hook->queues.at[(hook->turn + i) % n];
        if (queue->is_open || !queue->letters.len ||
            !is_due(hook->all, &queue->letters.at[0], now))
            continue;
        send_first(hook, queue, free_slot(hook));
        hook->turn = (hook->turn + i + 1) % n;
        i = (size_t)-1; /* from there on, all of them again */
    }
}

/* When the first of those that wait is to be tried again; INT64_MAX: none waits, or not
 * for its time alone. */
static fg_time next_due(const struct fg_webhooks *all)
{
    fg_time next = INT64_MAX;
    for (size_t h = 0; h < all->n_hooks && !all->is_ending; h++) {
        const struct hook *hook = &all->hooks[h];
        bool is_full = hook->n_open >= all->concurrency;
        for (size_t i = 0; i < hook->queues.len && !is_full; i++) {
            const struct queue *queue = &hook->queues.at[i];
            if (!queue->is_open && queue->letters.len && queue->letters.at[0].next < next)
                next = queue->letters.at[0].next;
        }
    }
    return next;
}

static void set_timer(struct fg_webhooks *all)
{
    static const fg_time at_least = 5 * FG_MILLISECOND;
    fg_time next = next_due(all), now = fg_time_now();
    event_del(all->timer);
    if (next == INT64_MAX)
        return;
    fg_time wait = next - now > at_least ? next - now : at_least;
    if (wait > all->options.settings->webhooks_max_delay)
        wait = all->options.settings->webhooks_max_delay;
    struct timeval real = {wait / FG_SECOND, wait % FG_SECOND};
    event_add(all->timer, &real);
}

void fg_webhooks_poke(struct fg_webhooks *all)
{
    if (!all || all->is_ending)
        return;
    for (size_t i = 0; i < all->n_hooks; i++) {
        read_events(&all->hooks[i]);
        send_due(&all->hooks[i]);
    }
    set_timer(all);
}

void fg_webhooks_wind_down(struct fg_webhooks *all)
{
    if (all)
        all->is_ending = true;
}

static void on_timer(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    fg_webhooks_poke(context);
}

bool fg_webhooks_is_busy(const struct fg_webhooks *all)
{
    fg_time now = fg_time_now();
    for (size_t i = 0; all && i < all->n_hooks; i++)
        if (all->hooks[i].n_open)
            return true;
    return all && next_due(all) <= now;
}

/* --- dead letters --- */

struct revival {
    struct fg_webhooks *all;
    struct hook *hook;
    struct fg_batch *batch;
    size_t n;
};

/* In its place by number, but not before one that is on its way. */
static void put_in_order(struct hook *hook, struct queue *queue, struct waiting letter)
{
    fg_vec_push(&queue->letters, letter);
    struct waiting *at = queue->letters.at;
    size_t i = queue->letters.len - 1, first = queue->is_open;
    for (; i > first && at[i - 1].number > letter.number; i--)
        at[i] = at[i - 1];
    at[i] = letter;
    hook->n_letters++;
}

static bool revive(void *context, const struct fg_waiting_row *row)
{
    struct revival *revival = context;
    if (!row->is_dead)
        return true;
    struct waiting letter = {.number = row->number, .is_stored = true};
    put_in_order(revival->hook, queue_of(revival->hook, row->site), letter);
    struct fg_waiting_row alive = *row;
    alive.is_dead = false;
    alive.attempts = 0;
    alive.next = FG_NEVER;
    fg_batch_waiting(revival->batch, &alive);
    revival->n++;
    return true;
}

size_t fg_webhooks_retry(struct fg_webhooks *all, struct fg_str name)
{
    struct fg_err err = {0};
    size_t n = 0;
    for (size_t i = 0; all && i < all->n_hooks; i++) {
        struct hook *hook = &all->hooks[i];
        if (name.len && !fg_str_eq(hook->hook.name, name))
            continue;
        struct revival revival = {all, hook, fg_batch_new(all->store), 0};
        if (fg_store_waiting(all->store, hook->hook.name.at, revive, &revival, &err))
            fg_log_warn("webhooks", "dead letters cannot be read", FG_F("why", err.text));
        fg_store_submit(all->store, revival.batch);
        n += revival.n;
    }
    fg_webhooks_poke(all);
    return n;
}

/* --- life --- */

enum fg_status fg_webhooks_parse(struct fg_hook **hooks, struct fg_arena *arena,
                                 const struct fg_opt_list *list, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    *hooks = FG_NEW(arena, struct fg_hook, list->len + 1);
    for (size_t i = 0; !st && i < list->len; i++) {
        st = fg_hook_parse(&(*hooks)[i], arena, list->at[i], err);
        for (size_t k = 0; !st && k < i; k++)
            if (fg_str_eq((*hooks)[k].name, (*hooks)[i].name))
                st = fg_fail(err, FG_ECONFIG, "webhooks.to: two are named '%.*s'",
                             FG_ARG((*hooks)[i].name));
    }
    return st;
}

struct fg_fetch_options fg_webhooks_fetch_options(
    const struct fg_output_settings *settings, const char *ca_file, bool http2)
{
    struct fg_fetch_options fetch = fg_fetch_defaults();
    fetch.user_agent = "Forage/" FG_VERSION;
    fetch.timeout = settings->webhooks_timeout;
    if (fetch.connect_timeout > fetch.timeout)
        fetch.connect_timeout = fetch.timeout;
    fetch.max_body = 64 << 10; /* what is said to a delivery interests nobody */
    fetch.max_connections =
        (unsigned)(settings->webhooks_concurrency * (int64_t)settings->webhooks.len + 1);
    fetch.reach = FG_REACH_ANY; /* the user has named it: it is where it is */
    fetch.ca_file = ca_file;
    fetch.http2 = http2;
    return fetch;
}

static bool take_number(void *context, const struct fg_event_row *event)
{
    *(uint64_t *)context = event->number;
    return true;
}

/* A new one begins with what comes from now on, and that must be known for good before
 * anything comes. */
static enum fg_status begin_now(struct hook *hook, struct fg_err *err)
{
    struct fg_store *store = hook->all->store;
    enum fg_status st =
        fg_store_events(store, 0, 0, FG_NEVER, SIZE_MAX, take_number, &hook->read, err);
    if (st)
        return st;
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_delivered(batch, hook->output, hook->read, 0);
    return fg_store_flush(store, fg_store_submit(store, batch), err);
}

static bool recall(void *context, const struct fg_waiting_row *row)
{
    struct hook *hook = context;
    if (row->is_dead)
        return true;
    struct queue *queue = queue_of(hook, row->site);
    fg_vec_push(&queue->letters,
                (struct waiting){.number = row->number,
                                 .attempts = row->attempts,
                                 .is_stored = true,
                                 .next = row->next == FG_NEVER ? 0 : row->next});
    hook->n_letters++;
    return true;
}

static enum fg_status start_hook(struct hook *hook, struct fg_webhooks *all,
                                 const struct fg_hook *parsed, struct fg_err *err)
{
    uint64_t unused;
    hook->all = all;
    hook->hook = *parsed;
    hook->output = fg_hook_output(&all->arena, parsed->name);
    hook->slots = fg_zeroed(all->concurrency, sizeof *hook->slots);
    for (size_t i = 0; i < all->concurrency; i++) {
        hook->slots[i].hook = hook;
        fg_letter_init(&hook->slots[i].letter);
    }
    enum fg_status st = fg_hook_load_secret(&hook->hook, err);
    if (st)
        return st;
    st = fg_store_delivered(all->store, hook->output, &hook->read, &unused, err);
    if (st == FG_ENOTFOUND)
        st = begin_now(hook, err);
    hook->position = hook->read;
    return st ? st : fg_store_waiting(all->store, hook->hook.name.at, recall, hook, err);
}

enum fg_status fg_webhooks_new(struct fg_webhooks **result, struct fg_store *store,
                               struct event_base *loop,
                               const struct fg_webhooks_options *options,
                               struct fg_err *err)
{
    *result = NULL;
    const struct fg_output_settings *settings = options->settings;
    if (!settings->webhooks.len)
        return FG_OK;
    struct fg_webhooks *all = fg_zeroed(1, sizeof *all);
    struct fg_hook *parsed;
    all->store = store;
    all->options = *options;
    all->concurrency = (size_t)settings->webhooks_concurrency;
    all->rng = fg_rng_from_seed((uint64_t)fg_time_now() ^ (uint64_t)getpid() << 40);
    all->timer = evtimer_new(loop, on_timer, all);
    struct fg_fetch_options fetch =
        fg_webhooks_fetch_options(settings, options->ca_file, options->http2);
    enum fg_status st = fg_fetcher_new(&all->fetcher, loop, &fetch, err);
    if (!st)
        st = fg_webhooks_parse(&parsed, &all->arena, &settings->webhooks, err);
    if (!st)
        all->hooks = fg_zeroed(settings->webhooks.len, sizeof *all->hooks);
    for (size_t i = 0; !st && i < settings->webhooks.len; i++) {
        all->n_hooks = i + 1;
        st = start_hook(&all->hooks[i], all, &parsed[i], err);
    }
    if (st) {
        fg_webhooks_free(all);
        return st;
    }
    *result = all;
    return FG_OK;
}

uint64_t fg_webhooks_delivered(const struct fg_webhooks *all)
{
    uint64_t number = UINT64_MAX;
    for (size_t i = 0; all && i < all->n_hooks; i++)
        if (all->hooks[i].position < number)
            number = all->hooks[i].position;
    return number;
}

static void clear_hook(struct hook *hook, size_t concurrency)
{
    for (size_t i = 0; hook->slots && i < concurrency; i++)
        fg_letter_clear(&hook->slots[i].letter);
    free(hook->slots);
    for (size_t i = 0; i < hook->queues.len; i++)
        fg_vec_clear(&hook->queues.at[i].letters);
    fg_vec_clear(&hook->queues);
    fg_vec_clear(&hook->recent);
    fg_map_clear(&hook->by_site);
}

void fg_webhooks_free(struct fg_webhooks *all)
{
    if (!all)
        return;
    fg_fetcher_free(all->fetcher);
    if (all->timer)
        event_free(all->timer);
    for (size_t i = 0; i < all->n_hooks; i++)
        clear_hook(&all->hooks[i], all->concurrency);
    free(all->hooks);
    fg_arena_clear(&all->arena);
    free(all);
}
