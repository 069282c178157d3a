#include "crawl/signals/push.h"

#include "base/memory.h"
#include "crawl/state.h"

#include <stdlib.h>

enum { MOST_NUDGES = 256, MOST_TRIES = 5 };
/* A push may come a little later than our own look; what none has told by then is
 * missing. */
static const fg_time grace = 5 * FG_MINUTE, nudge_lives = FG_HOUR;

struct site_push *push_of(struct site *site)
{
    if (site->push)
        return site->push;
    site->push = fg_zeroed(1, sizeof *site->push);
    struct fg_indexnow *now = &site->push->kept.indexnow;
    now->checked = now->refused_at = now->next_check = now->unconfirmed = FG_NEVER;
    return site->push;
}

void push_make_room(struct site_push *push)
{
    if (!push->kept.subs)
        push->kept.subs =
            FG_NEW(&push->arena, struct fg_subscription, FG_SUBSCRIPTIONS_MOST);
    if (!push->work)
        push->work = FG_NEW(&push->arena, struct sub_work, FG_SUBSCRIPTIONS_MOST);
}

void push_free(struct site *site)
{
    struct site_push *push = site->push;
    if (!push)
        return;
    for (size_t i = 0; i < push->urls.len; i++)
        free(push->urls.at[i]);
    for (size_t i = 0; i < push->held.len; i++)
        free(push->held.at[i]);
    fg_vec_clear(&push->urls);
    fg_vec_clear(&push->held);
    fg_vec_clear(&push->nudges);
    free(push->asked_key);
    free(push->asked_location);
    fg_arena_clear(&push->arena);
    free(push);
    site->push = NULL;
}

/* --- nudges --- */

static struct nudge *find_nudge(const struct site *site, uint32_t row)
{
    for (size_t i = 0; site->push && i < site->push->nudges.len; i++)
        if (site->push->nudges.at[i].row == row)
            return &site->push->nudges.at[i];
    return NULL;
}

static void drop_nudge(struct site *site, struct nudge *nudge)
{
    *nudge = site->push->nudges.at[--site->push->nudges.len];
}

void push_nudge(struct site *site, uint32_t row, enum push_way way, bool was_known,
                fg_time now)
{
    struct site_push *push = push_of(site);
    struct nudge *nudge = find_nudge(site, row);
    if (nudge)
        nudge->again |= nudge->is_sent;
    else if (push->nudges.len < MOST_NUDGES)
        fg_vec_push(&push->nudges, (struct nudge){.row = row,
                                                  .since = now,
                                                  .way = way,
                                                  .was_known = was_known,
                                                  .is_sent = !was_known});
}

bool push_is_behind(const struct site *site, uint32_t row)
{
    const struct nudge *nudge = find_nudge(site, row);
    return nudge && nudge->is_sent;
}

/* --- what came of it --- */

static size_t number_of(const struct fg_crawl *crawl, const struct site *site,
                        uint32_t row)
{
    const struct fg_push *push = &site->push->kept;
    size_t i = 0;
    while (i < push->n_subs && push->subs[i].page != crawl->known.at[row].page)
        i++;
    return i;
}

static void note_check(struct fg_crawl *crawl, struct site *site,
                       const struct nudge *nudge, bool is_true)
{
    struct fg_push *push = &site->push->kept;
    size_t i = number_of(crawl, site, nudge->row);
    if (nudge->way == BY_INDEXNOW)
        fg_honesty_check(&push->indexnow.honesty, is_true);
    else if (i < push->n_subs)
        fg_honesty_check(&push->subs[i].honesty, is_true);
    crawl->push.proved += is_true;
    crawl->push.refuted += !is_true;
    site->push->is_changed = true;
}

static bool is_no_answer(const struct fg_visit_row *log)
{
    return !log->status || log->status >= 500 || log->status == 429;
}

/* Was there what the push said: something changed, a page that was not known, or the end
 * of one that was? */
static bool is_borne_out(const struct nudge *nudge, const struct fg_visit_row *log)
{
    if (log->status == 404 || log->status == 410)
        return nudge->was_known;
    return log->changed || log->fresh || (!nudge->was_known && log->status < 300);
}

/* It has changed, and nobody has told us so far. */
static void note_untold(struct fg_crawl *crawl, struct site *site, uint32_t row,
                        const struct fg_visit_row *log, fg_time now)
{
    struct site_push *push = site->push;
    size_t i = number_of(crawl, site, row);
    if (i == push->kept.n_subs)
        return;
    struct fg_subscription *sub = &push->kept.subs[i];
    fg_time before = push->work[i].looked;
    push->work[i].looked = now;
    if (sub->state != FG_SUB_ACTIVE || !log->changed || before == FG_NEVER ||
        before < sub->since || sub->unconfirmed != FG_NEVER)
        return;
    sub->unconfirmed = now;
    push->is_changed = true;
}

void push_of_answer(struct fg_crawl *crawl, struct site *site, uint32_t row,
                    const struct fg_visit_row *log, fg_time now)
{
    struct nudge *nudge = find_nudge(site, row);
    if (!site->push)
        return;
    if (!nudge || !nudge->is_sent) {
        if (!is_no_answer(log))
            note_untold(crawl, site, row, log, now);
        return;
    }
    if (is_no_answer(log)) {
        nudge->is_sent = !nudge->was_known; /* those of the stock are asked for again */
        nudge->since -= nudge_lives / MOST_TRIES;
        return;
    }
    size_t i = number_of(crawl, site, row);
    if (i < site->push->kept.n_subs)
        site->push->work[i].looked = now;
    note_check(crawl, site, nudge, is_borne_out(nudge, log));
    if (nudge->again)
        *nudge = (struct nudge){
            .row = row, .since = now, .way = nudge->way, .was_known = true};
    else
        drop_nudge(site, nudge);
}

void push_of_dates(struct site *site, bool has_changed)
{
    struct site_push *push = push_of(site);
    fg_honesty_check(&push->kept.dates, has_changed);
    push->is_changed = true;
}

void push_of_news(struct site *site, uint32_t flags, fg_time now)
{
    struct fg_indexnow *indexnow = site->push ? &site->push->kept.indexnow : NULL;
    if (!indexnow || !indexnow->honesty.streak || flags & FG_PAGE_PUSHED ||
        indexnow->unconfirmed != FG_NEVER)
        return;
    indexnow->unconfirmed = now;
    site->push->is_changed = true;
}

/* --- polling --- */

fg_time push_rest(const struct fg_crawl *crawl, const struct site *site, uint32_t row)
{
    fg_time rest = 0, most = crawl->options.push.rest;
    if (!site->push || !most)
        return 0;
    const struct fg_push *push = &site->push->kept;
    const struct fg_indexnow *indexnow = &push->indexnow;
    size_t i = number_of(crawl, site, row);
    if (indexnow->key.len && indexnow->unconfirmed == FG_NEVER)
        rest = fg_honesty_rest(&indexnow->honesty, most);
    if (i == push->n_subs || push->subs[i].state != FG_SUB_ACTIVE ||
        push->subs[i].failures || push->subs[i].unconfirmed != FG_NEVER)
        return rest;
    fg_time of_hub = fg_honesty_rest(&push->subs[i].honesty, most);
    return of_hub > rest ? of_hub : rest;
}

/* --- now and then --- */

bool push_is_saved(const struct fg_crawl *crawl, const struct site_push *push)
{
    return !push->is_changed && push->number <= fg_store_durable(crawl->store);
}

static bool is_missing(fg_time unconfirmed, fg_time now)
{
    return unconfirmed != FG_NEVER && now - unconfirmed > grace;
}

static void count_missing(struct fg_crawl *crawl, struct site_push *push, fg_time now)
{
    struct fg_indexnow *indexnow = &push->kept.indexnow;
    for (size_t i = 0; i < push->kept.n_subs; i++) {
        struct fg_subscription *sub = &push->kept.subs[i];
        crawl->push.active += sub->state == FG_SUB_ACTIVE;
        if (!is_missing(sub->unconfirmed, now))
            continue;
        fg_honesty_miss(&sub->honesty);
        sub->unconfirmed = FG_NEVER;
        crawl->push.missed++;
        push->is_changed = true;
    }
    if (is_missing(indexnow->unconfirmed, now)) {
        fg_honesty_miss(&indexnow->honesty);
        indexnow->unconfirmed = FG_NEVER;
        crawl->push.missed++;
        push->is_changed = true;
    }
}

static void write(struct fg_crawl *crawl, struct site *site)
{
    struct site_push *push = site->push;
    push->is_changed = false;
    if ((site->rules && site->rules->is_forgotten) || !site->key[0])
        return; /* nothing of it is kept, or another has taken its place */
    push->kept.public_url = crawl->options.push.public_url;
    struct fg_batch *batch = fg_batch_new(crawl->store);
    fg_push_put(batch, site->id, &push->kept);
    push->number = fg_store_submit(crawl->store, batch);
    fg_store_hurry(crawl->store, push->number); /* a hub may be asked when it is there */
}

void push_review(struct fg_crawl *crawl)
{
    fg_time now = fg_clock_now(crawl->clock);
    crawl->push.active = 0;
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        struct site *site = crawl->sites.all.at[i];
        if (!site->push)
            continue;
        for (size_t j = site->push->nudges.len; j-- > 0;)
            if (now - site->push->nudges.at[j].since > nudge_lives)
                drop_nudge(site, &site->push->nudges.at[j]);
        count_missing(crawl, site->push, now);
        if (site->push->is_changed)
            write(crawl, site);
    }
}
