/* Subscriptions: asked for when a page names a hub, kept while it does, renewed when two
 * thirds of the lease are over, left when the page is no longer looked at. The hub is
 * asked over the same polite queue as any host, when what it will ask us in return is on
 * disk for the server to see. */
#include "crawl/signals/push.h"

#include "base/log.h"
#include "crawl/state.h"

#include <stdio.h>

static const fg_time first_retry = 10 * FG_MINUTE, last_retry = FG_DAY,
                     verified_within = 10 * FG_MINUTE, hub_stays = FG_HOUR,
                     leaves_within = FG_DAY;

static bool is_on(const struct fg_crawl *crawl)
{
    return crawl->options.push.public_url.len && crawl->options.push.websub;
}

static struct fg_subscription *find(const struct site *site, fg_page_id page)
{
    for (size_t i = 0; site->push && i < site->push->kept.n_subs; i++)
        if (site->push->kept.subs[i].page == page)
            return &site->push->kept.subs[i];
    return NULL;
}

static uint32_t row_of(const struct fg_crawl *crawl, const struct site *site,
                       fg_page_id page)
{
    const uint64_t *row =
        fg_map_get(&crawl->minds.row_by_id, (uint64_t)site->id << 32 | page);
    return row ? (uint32_t)(*row - 1) : FG_UNKNOWN;
}

/* --- beginning --- */

static struct fg_str keep(struct site_push *push, struct fg_str text)
{
    return fg_arena_dup(&push->arena, text);
}

static struct fg_str new_secret(struct site_push *push)
{
    char text[FG_WEBSUB_SECRET];
    fg_websub_secret(text);
    return keep(push, fg_str_from(text));
}

static void want(struct fg_subscription *sub, fg_time now)
{
    sub->state = FG_SUB_WANTED;
    sub->next = now;
    sub->asked = FG_NEVER;
}

static void leave(struct site_push *push, struct fg_subscription *sub)
{
    if (sub->state == FG_SUB_LEAVING)
        return;
    sub->state = FG_SUB_LEAVING;
    sub->asked = FG_NEVER;
    fg_honesty_silence(&sub->honesty);
    push->is_changed = true;
}

static void add(struct site *site, fg_page_id page, struct fg_str hub,
                struct fg_str topic, fg_time now)
{
    struct site_push *push = push_of(site);
    if (push->kept.n_subs == FG_SUBSCRIPTIONS_MOST)
        return;
    push_make_room(push);
    size_t i = push->kept.n_subs++;
    push->work[i].changed = now;
    push->work[i].looked = FG_NEVER;
    push->kept.subs[i] = (struct fg_subscription){.page = page,
                                                  .hub = keep(push, hub),
                                                  .topic = keep(push, topic),
                                                  .token = new_secret(push),
                                                  .secret = new_secret(push),
                                                  .since = FG_NEVER,
                                                  .until = FG_NEVER,
                                                  .renew = FG_NEVER,
                                                  .unconfirmed = FG_NEVER};
    want(&push->kept.subs[i], now);
    push->is_changed = true;
}

/* A page that names another hub at every look would have us ask them all. */
static void move(struct site_push *push, struct fg_subscription *sub, struct fg_str hub,
                 struct fg_str topic, fg_time now)
{
    size_t i = (size_t)(sub - push->kept.subs);
    if (now - push->work[i].changed < hub_stays || push->work[i].ask.is_open)
        return;
    push->work[i].changed = now;
    sub->hub = keep(push, hub);
    sub->topic = keep(push, topic);
    sub->secret = new_secret(push);
    sub->failures = 0;
    sub->honesty = (struct fg_honesty){0};
    want(sub, now);
    push->is_changed = true;
}

void websub_discover(struct fg_crawl *crawl, struct site *site, uint32_t row,
                     const struct fg_reading *reading, fg_time now)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    struct fg_subscription *sub = find(site, page->page);
    struct fg_str hub = reading->hub;
    struct fg_str topic =
        reading->topic.len ? reading->topic : fg_known_url(&crawl->known, row);
    if (!is_on(crawl) || hub.len > FG_PUSH_URL_MOST || topic.len > FG_PUSH_URL_MOST ||
        !(page->flags & (FG_PAGE_FEED | FG_PAGE_SEED | FG_PAGE_SOURCE)))
        return;
    if (!sub) {
        if (hub.len)
            add(site, page->page, hub, topic, now);
    } else if (!hub.len) {
        leave(site->push, sub);
    } else if (!fg_str_eq(sub->hub, hub) || !fg_str_eq(sub->topic, topic)) {
        move(site->push, sub, hub, topic, now);
    } else if (sub->state == FG_SUB_LEAVING) {
        want(sub, now);
        site->push->is_changed = true;
    }
}

/* --- asking the hub --- */

static void fail(struct site_push *push, struct fg_subscription *sub, const char *why,
                 fg_time now)
{
    fg_time wait = first_retry;
    for (uint32_t i = 0; i < sub->failures && wait < last_retry; i++)
        wait *= 2;
    sub->failures++;
    sub->next = now + (wait < last_retry ? wait : last_retry);
    fg_honesty_silence(&sub->honesty); /* polling is back */
    if (sub->state != FG_SUB_ACTIVE)
        sub->state = FG_SUB_FAILED;
    push->is_changed = true;
    fg_log_warn("push", "a hub does not take a subscription", FG_F("hub", sub->hub),
                FG_F("topic", sub->topic), FG_F("why", why));
}

static void on_hub(void *context, const struct fg_answer *answer)
{
    struct push_ask *ask = context;
    struct fg_crawl *crawl = ask->crawl;
    struct site_push *push = ask->site->push;
    struct fg_subscription *sub = &push->kept.subs[ask->number];
    const struct fg_response *response = answer->response;
    ask->is_open = false;
    if (answer->end == FG_ASK_STOPPED) {
        sub->asked = FG_NEVER;
        return;
    }
    crawl->budget.all -= answer->requests;
    crawl->counts.fetches += answer->requests;
    bool is_taken = answer->end == FG_ASK_ANSWERED && response->outcome == FG_FETCHED &&
                    response->status >= 200 && response->status < 300;
    if (is_taken || sub->state == FG_SUB_LEAVING)
        return; /* it will ask whether we meant it */
    fg_time now = fg_clock_now(crawl->clock);
    char status[32];
    snprintf(status, sizeof status, "status %u", response ? response->status : 0);
    fail(push, sub,
         answer->end != FG_ASK_ANSWERED    ? fg_ask_end_name(answer->end)
         : response->outcome != FG_FETCHED ? fg_outcome_name(response->outcome)
                                           : status,
         now);
    if (answer->end == FG_ASK_HELD && answer->held_until > sub->next)
        sub->next = answer->held_until;
}

static void ask_hub(struct fg_crawl *crawl, struct site *site,
                    struct fg_subscription *sub, fg_time now)
{
    struct site_push *push = site->push;
    struct push_ask *ask = &push->work[sub - push->kept.subs].ask;
    struct fg_str base = crawl->options.push.public_url;
    struct fg_arena arena = {0};
    while (base.len && base.at[base.len - 1] == '/')
        base.len--;
    struct fg_str form = fg_websub_form(
        &arena,
        &(struct fg_websub_request){
            .is_leaving = sub->state == FG_SUB_LEAVING,
            .callback = fg_arena_printf(&arena, "%.*s/websub/%u.%u.%.*s", FG_ARG(base),
                                        site->id, sub->page, FG_ARG(sub->token)),
            .topic = sub->topic,
            .secret = sub->secret,
            .lease_s = crawl->options.push.lease / FG_SECOND});
    *ask = (struct push_ask){.crawl = crawl,
                             .site = site,
                             .number = (size_t)(sub - push->kept.subs),
                             .is_open = true};
    sub->asked = now;
    fg_polite_ask(crawl->polite, &(struct fg_ask){.url = sub->hub,
                                                  .form = form,
                                                  .accept = "*/*",
                                                  .max_body = 4096,
                                                  .purpose = FG_REQUEST_ERRAND,
                                                  .done = on_hub,
                                                  .context = ask});
    fg_arena_clear(&arena);
}

/* --- what hubs say, as the server has left it --- */

static void verified(struct fg_crawl *crawl, struct site_push *push,
                     struct fg_subscription *sub, struct fg_str words, fg_time now)
{
    static const int64_t least = 60, most = 90 * 86400;
    int64_t lease = 0;
    if (sub->state == FG_SUB_LEAVING)
        return;
    if (!fg_str_to_i64(words, &lease) || lease <= 0)
        lease = crawl->options.push.lease / FG_SECOND;
    lease = lease < least ? least : lease > most ? most : lease;
    if (sub->state != FG_SUB_ACTIVE)
        sub->since = now;
    sub->state = FG_SUB_ACTIVE;
    sub->until = now + lease * FG_SECOND;
    sub->renew = sub->until - lease * FG_SECOND / 3;
    sub->next = now;
    sub->failures = 0;
    push->is_changed = true;
    fg_log_info("push", "subscribed", FG_F("topic", sub->topic), FG_F("hub", sub->hub),
                FG_F("lease_s", lease));
}

/* Polling may have seen it a moment before. */
static void pushed(struct fg_crawl *crawl, struct site *site, struct fg_subscription *sub,
                   fg_time now)
{
    uint32_t row = row_of(crawl, site, sub->page);
    if (sub->state != FG_SUB_ACTIVE || row == FG_UNKNOWN)
        return;
    sub->pushes++;
    crawl->push.pushes++;
    site->push->is_changed = true;
    if (sub->unconfirmed != FG_NEVER) {
        sub->unconfirmed = FG_NEVER;
        fg_honesty_check(&sub->honesty, true);
        crawl->push.proved++;
    } else if (fg_honesty_heeds(&sub->honesty, now)) {
        push_nudge(site, row, BY_WEBSUB, true, now);
    }
}

static void drop(struct site_push *push, struct fg_subscription *sub)
{
    size_t i = (size_t)(sub - push->kept.subs), last = push->kept.n_subs - 1;
    for (size_t j = 0; j <= last; j++)
        if (push->work[j].ask.is_open)
            return; /* the answer is about to come to it; another time */
    push->kept.subs[i] = push->kept.subs[last];
    push->work[i].changed = push->work[last].changed;
    push->work[i].looked = push->work[last].looked;
    push->kept.n_subs--;
    push->is_changed = true;
}

void push_take(struct fg_crawl *crawl, struct fg_str text)
{
    struct fg_str line, word, number, rest = {0};
    uint64_t site_id = 0, page = 0;
    if (!fg_str_cut(&text, '\n', &line) || !fg_str_cut(&line, '\t', &word) ||
        !fg_str_cut(&line, '\t', &number) || !fg_str_to_u64(number, &site_id))
        return;
    struct site *site = crawl_site_with(crawl, (fg_site_id)site_id);
    if (!site)
        return;
    fg_str_cut(&line, '\t', &rest);
    if (fg_str_eq(word, FG_STR("urls"))) {
        indexnow_take(crawl, site, rest, line, text);
        return;
    }
    fg_time now = fg_clock_now(crawl->clock);
    struct fg_subscription *sub =
        fg_str_to_u64(rest, &page) ? find(site, (fg_page_id)page) : NULL;
    if (!sub)
        return;
    if (fg_str_eq(word, FG_STR("verified")))
        verified(crawl, site->push, sub, line, now);
    else if (fg_str_eq(word, FG_STR("denied")))
        fail(site->push, sub, "denied", now);
    else if (fg_str_eq(word, FG_STR("left")) && sub->state == FG_SUB_LEAVING)
        drop(site->push, sub);
    else if (fg_str_eq(word, FG_STR("content")))
        pushed(crawl, site, sub, now);
}

/* --- now and then --- */

static bool is_wanted(const struct fg_crawl *crawl, const struct site *site,
                      const struct fg_subscription *sub)
{
    uint32_t row = row_of(crawl, site, sub->page);
    return row != FG_UNKNOWN && !(site->rules && site->rules->is_removed) &&
           !(crawl->known.at[row].flags & (FG_PAGE_REMOVED | FG_PAGE_GONE)) &&
           crawl->known.at[row].flags & (FG_PAGE_SOURCE | FG_PAGE_SEED | FG_PAGE_FEED);
}

static void review(struct fg_crawl *crawl, struct site *site, struct fg_subscription *sub,
                   fg_time now)
{
    struct site_push *push = site->push;
    bool is_open = push->work[sub - push->kept.subs].ask.is_open;
    bool may_ask = !is_open && push_is_saved(crawl, push);
    switch (sub->state) {
    case FG_SUB_WANTED:
    case FG_SUB_FAILED:
        if (now < sub->next || is_open)
            return;
        sub->state = FG_SUB_ASKED;
        sub->asked = FG_NEVER;
        push->is_changed = true;
        return;
    case FG_SUB_ASKED:
        if (sub->asked == FG_NEVER && may_ask)
            ask_hub(crawl, site, sub, now);
        else if (sub->asked != FG_NEVER && !is_open && now - sub->asked > verified_within)
            fail(push, sub, "it has not asked back", now);
        return;
    case FG_SUB_ACTIVE:
        if (now >= sub->until) {
            fg_honesty_silence(&sub->honesty);
            want(sub, sub->next > now ? sub->next : now);
            push->is_changed = true;
            fg_log_warn("push", "a subscription has ended", FG_F("topic", sub->topic),
                        FG_F("hub", sub->hub));
        } else if (now >= sub->renew && now >= sub->next && may_ask) {
            sub->next = now + first_retry;
            ask_hub(crawl, site, sub, now);
        }
        return;
    default:
        if (sub->asked == FG_NEVER && may_ask && sub->until != FG_NEVER)
            ask_hub(crawl, site, sub, now);
        else if (sub->until == FG_NEVER || now >= sub->until ||
                 (sub->asked != FG_NEVER && now - sub->asked > leaves_within))
            drop(push, sub);
    }
}

void websub_review(struct fg_crawl *crawl)
{
    fg_time now = fg_clock_now(crawl->clock);
    if (!is_on(crawl) || crawl->run.is_stopping)
        return;
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        struct site *site = crawl->sites.all.at[i];
        for (size_t j = site->push ? site->push->kept.n_subs : 0; j-- > 0;) {
            struct fg_subscription *sub = &site->push->kept.subs[j];
            if (!is_wanted(crawl, site, sub))
                leave(site->push, sub);
            review(crawl, site, sub, now);
        }
    }
}

/* Hubs know us by the address that we had. */
static void recall_site(struct fg_crawl *crawl, struct site *site, fg_time now)
{
    struct fg_arena arena = {0};
    struct fg_push kept;
    if (!fg_push_load(&kept, &arena, crawl->store, site->id, NULL) &&
        (kept.n_subs || kept.indexnow.key.len || kept.indexnow.refused.len ||
         kept.dates.told > 0)) {
        struct site_push *push = push_of(site);
        fg_arena_clear(&push->arena);
        push->arena = arena;
        push->kept = kept;
        push->work = NULL;
        push_make_room(push);
        bool has_moved = !fg_str_eq(kept.public_url, crawl->options.push.public_url);
        for (size_t i = 0; i < kept.n_subs; i++) {
            struct fg_subscription *sub = &push->kept.subs[i];
            push->work[i].changed = now;
            push->work[i].looked = FG_NEVER;
            if (has_moved && sub->state != FG_SUB_LEAVING)
                want(sub, now);
            else if (sub->state == FG_SUB_ASKED)
                sub->asked = FG_NEVER; /* nobody waits for that answer any more */
        }
        push->kept.public_url = crawl->options.push.public_url;
        push->is_changed |= has_moved;
        return;
    }
    fg_arena_clear(&arena);
}

void websub_recall(struct fg_crawl *crawl)
{
    fg_time now = fg_clock_now(crawl->clock);
    for (size_t i = 0; i < crawl->sites.all.len; i++)
        recall_site(crawl, crawl->sites.all.at[i], now);
}
