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
#include "crawl/output/cursor.h"
#include "net/text/date.h"

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
    struct fg_cursor cursor; /* all up to there are cared for */
    uint64_t read;           /* the last event that was read */
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
    struct fg_output_env env;
    const struct fg_webhooks_settings *settings;
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
    if (position == hook->cursor.number)
        return;
    hook->cursor.number = position;
    fg_cursor_put(&hook->cursor, batch);
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
    const struct fg_output_env *env = &hook->all->env;
    struct fg_str tags = env->tags ? env->tags(env->context, event->site) : FG_STR("");
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
    struct intake intake = {.hook = hook, .batch = fg_batch_new(hook->all->env.store)};
    while (hook->n_letters < FG_WEBHOOK_WINDOW &&
           count_sendable(hook) < hook->all->concurrency) {
        intake.n = 0;
        if (fg_store_events(hook->all->env.store, 0, hook->read, FG_NEVER, READ_AT_ONCE,
                            take_event, &intake, &err)) {
            fg_log_warn("webhooks", "the outbox cannot be read", FG_F("why", err.text));
            break;
        }
        if (intake.n < READ_AT_ONCE)
            break; /* that was all there is */
    }
    uint64_t before = hook->cursor.number;
    note_position(hook, intake.batch);
    if (hook->cursor.number != before || intake.has_rows)
        fg_store_submit(hook->all->env.store, intake.batch);
    else
        fg_batch_drop(intake.batch);
}

/* --- answers --- */

/* Full jitter: any time up to the limit is as likely, so that those who failed together
 * do not come back together. */
static fg_time back_off(struct fg_webhooks *all, uint32_t attempts, fg_time asked)
{
    const struct fg_webhooks_settings *s = all->settings;
    double limit =
        fmin((double)s->max_delay, ldexp((double)s->delay, (int)fmin(attempts - 1, 60)));
    fg_time wait = (fg_time)(fg_rng_unit(&all->rng) * limit);
    fg_time heeded = asked < s->max_delay ? asked : s->max_delay;
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
    if (letter->attempts >= (uint64_t)all->settings->attempts) {
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
    struct fg_batch *batch = fg_batch_new(hook->all->env.store);
    if (is_taken(response))
        delivered(hook, queue, batch);
    else
        failed(hook, queue, batch, response);
    note_position(hook, batch);
    fg_store_submit(hook->all->env.store, batch);
    fg_webhooks_poke(hook->all);
}

/* --- sending --- */

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
    struct fg_batch *batch = fg_batch_new(hook->all->env.store);
    delivered(hook, queue, batch);
    note_position(hook, batch);
    fg_store_submit(hook->all->env.store, batch);
}

static void send_first(struct hook *hook, struct queue *queue, struct slot *slot)
{
    struct fg_err err = {0};
    slot->site = queue->site;
    slot->number = queue->letters.at[0].number;
    if (fg_store_events(hook->all->env.store, 0, slot->number - 1, FG_NEVER, 1,
                        write_letter, slot, &err)) {
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
    fg_time latest = now + all->settings->max_delay;
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
    if (wait > all->settings->max_delay)
        wait = all->settings->max_delay;
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

static void on_timer(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    fg_webhooks_poke(context);
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

bool fg_webhook_revive(struct fg_batch *batch, const struct fg_waiting_row *row)
{
    struct fg_waiting_row alive = *row;
    alive.is_dead = false;
    alive.attempts = 0;
    alive.next = FG_NEVER;
    if (row->is_dead)
        fg_batch_waiting(batch, &alive);
    return row->is_dead;
}

static bool revive(void *context, const struct fg_waiting_row *row)
{
    struct revival *revival = context;
    if (!fg_webhook_revive(revival->batch, row))
        return true;
    struct waiting letter = {.number = row->number, .is_stored = true};
    put_in_order(revival->hook, queue_of(revival->hook, row->site), letter);
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
        struct revival revival = {all, hook, fg_batch_new(all->env.store), 0};
        if (fg_store_waiting(all->env.store, hook->hook.name.at, revive, &revival, &err))
            fg_log_warn("webhooks", "dead letters cannot be read", FG_F("why", err.text));
        fg_store_submit(all->env.store, revival.batch);
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
    const struct fg_webhooks_settings *settings, const char *ca_file, bool http2)
{
    struct fg_fetch_options fetch = fg_fetch_defaults();
    fetch.user_agent = "Forage/" FG_VERSION;
    fetch.timeout = settings->timeout;
    if (fetch.connect_timeout > fetch.timeout)
        fetch.connect_timeout = fetch.timeout;
    fetch.max_body = 64 << 10; /* what is said to a delivery interests nobody */
    fetch.max_connections =
        (unsigned)(settings->concurrency * (int64_t)settings->to.len + 1);
    fetch.reach = FG_REACH_ANY; /* the user has named it: it is where it is */
    fetch.ca_file = ca_file;
    fetch.http2 = http2;
    return fetch;
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
    hook->all = all;
    hook->hook = *parsed;
    hook->cursor = (struct fg_cursor){.store = all->env.store,
                                      .name = fg_hook_output(&all->arena, parsed->name)};
    hook->slots = fg_zeroed(all->concurrency, sizeof *hook->slots);
    for (size_t i = 0; i < all->concurrency; i++) {
        hook->slots[i].hook = hook;
        fg_letter_init(&hook->slots[i].letter);
    }
    enum fg_status st = fg_hook_load_secret(&hook->hook, err);
    if (st)
        return st;
    st = fg_cursor_recall(&hook->cursor, err);
    if (st == FG_ENOTFOUND)
        st = fg_cursor_begin_now(&hook->cursor, err);
    hook->read = hook->cursor.number;
    return st ? st
              : fg_store_waiting(all->env.store, hook->hook.name.at, recall, hook, err);
}

enum fg_status fg_webhooks_new(struct fg_webhooks **result,
                               const struct fg_output_env *env,
                               const struct fg_webhooks_settings *settings,
                               struct fg_err *err)
{
    *result = NULL;
    if (!settings->to.len)
        return FG_OK;
    struct fg_webhooks *all = fg_zeroed(1, sizeof *all);
    struct fg_hook *parsed;
    all->env = *env;
    all->settings = settings;
    all->concurrency = (size_t)settings->concurrency;
    all->rng = fg_rng_from_seed((uint64_t)fg_time_now() ^ (uint64_t)getpid() << 40);
    all->timer = evtimer_new(env->loop, on_timer, all);
    struct fg_fetch_options fetch =
        fg_webhooks_fetch_options(settings, env->ca_file, env->http2);
    enum fg_status st = fg_fetcher_new(&all->fetcher, env->loop, &fetch, err);
    if (!st)
        st = fg_webhooks_parse(&parsed, &all->arena, &settings->to, err);
    if (!st)
        all->hooks = fg_zeroed(settings->to.len, sizeof *all->hooks);
    for (size_t i = 0; !st && i < settings->to.len; i++) {
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

/* --- as an output --- */

static enum fg_status check_hook(struct fg_str text, struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_hook hook;
    enum fg_status st = fg_hook_parse(&hook, &arena, text, err);
    fg_arena_clear(&arena);
    return st;
}

/* One in the environment must not be empty, which reads as if nothing were signed. */
static enum fg_status check_secret(struct fg_hook *hook, struct fg_err *err)
{
    struct fg_arena arena = {0};
    bool is_env = fg_str_starts(hook->secret, FG_STR("env:"));
    const char *name = fg_arena_cstr(&arena, fg_str_skip(hook->secret, 4));
    const char *value = is_env ? getenv(name) : "";
    enum fg_status st =
        is_env && (!value || !*value)
            ? fg_fail(err, FG_ECONFIG,
                      "the secret of '%.*s' is empty: set the variable %s, or write "
                      "secret=file:PATH",
                      FG_ARG(hook->name), name)
            : fg_hook_load_secret(hook, err);
    fg_arena_clear(&arena);
    return st ? fg_err_within(err, st, "webhooks.to") : FG_OK;
}

static enum fg_status check(const void *settings, struct fg_err *err)
{
    const struct fg_webhooks_settings *own = settings;
    struct fg_arena arena = {0};
    struct fg_hook *hooks;
    enum fg_status st = fg_webhooks_parse(&hooks, &arena, &own->to, err);
    for (size_t i = 0; !st && i < own->to.len; i++)
        st = check_secret(&hooks[i], err);
    fg_arena_clear(&arena);
    return st;
}

static enum fg_status open_webhooks(void **output, const struct fg_output_env *env,
                                    const void *settings, struct fg_err *err)
{
    const struct fg_webhooks_settings *own = settings;
    struct fg_webhooks *all = NULL;
    enum fg_status st = own ? fg_webhooks_new(&all, env, own, err) : FG_OK;
    *output = all;
    return st;
}

static enum fg_status poke(void *output, struct fg_err *err)
{
    (void)err; /* what is not taken is tried again, each by itself */
    fg_webhooks_poke(output);
    return FG_OK;
}

static void drain(void *output, bool hands_on)
{
    struct fg_webhooks *all = output;
    all->is_ending |= !hands_on;
}

static bool is_busy(const void *output)
{
    const struct fg_webhooks *all = output;
    for (size_t i = 0; i < all->n_hooks; i++)
        if (all->hooks[i].n_open)
            return true;
    return next_due(all) <= fg_time_now();
}

/* Up to here every webhook has had each event, or the store has it waiting or dead. */
static uint64_t position(const void *output)
{
    const struct fg_webhooks *all = output;
    uint64_t number = UINT64_MAX;
    for (size_t i = 0; i < all->n_hooks; i++)
        if (all->hooks[i].cursor.number < number)
            number = all->hooks[i].cursor.number;
    return number;
}

static void close_webhooks(void *output)
{
    fg_webhooks_free(output);
}

#define ROW(type, member) type(struct fg_webhooks_settings, member)

static const struct fg_opt opts[] = {
    {"webhooks.to", ROW(FG_LIST, to), .arg = "HOOK,...", .check = check_hook,
     .is_live = true,
     .help = "where to post events: NAME URL, conditions, secret=file:PATH or env:NAME"},
    {"webhooks.timeout", ROW(FG_SPAN, timeout), "10s", .min = (double)FG_MILLISECOND,
     .max = (double)FG_HOUR, .is_live = true,
     .help = "time limit for a receiver to answer"},
    {"webhooks.delay", ROW(FG_SPAN, delay), "5s", .min = (double)FG_MILLISECOND,
     .max = (double)FG_DAY, .is_live = true,
     .help = "longest pause before the second attempt; doubled for each further one"},
    {"webhooks.max-delay", ROW(FG_SPAN, max_delay), "1h", .min = (double)FG_MILLISECOND,
     .max = (double)(30 * FG_DAY), .is_live = true,
     .help = "longest pause between two attempts"},
    {"webhooks.attempts", ROW(FG_INT, attempts), "30", .min = 1, .max = 1000,
     .is_live = true, .help = "attempts before an event becomes a dead letter"},
    {"webhooks.concurrency", ROW(FG_INT, concurrency), "4", .min = 1, .max = 100,
     .is_live = true,
     .help = "maximum number of open requests to one webhook, each for another site"},
    {0},
};

const struct fg_output_kind fg_output_webhooks = {
    .name = "webhooks",
    .opts = opts,
    .settings_size = sizeof(struct fg_webhooks_settings),
    .check = check,
    .open = open_webhooks,
    .poke = poke,
    .drain = drain,
    .busy = is_busy,
    .delivered = position,
    .close = close_webhooks,
};
