/* The scheduler: who is waiting, who may go, and what a report says.
 *
 * A call of next is one pass over all pages and one choice of the policy. What is known
 * of pages that are not sources is little: the form of their names. The stock of a site
 * may be millions of pages; of each form SAMPLES are visited and looked at again, and
 * only a form of which LOOKS such looks have shown something new now and then is worth
 * more. A page that showed nothing new in BARREN looks is a source no longer, unless it
 * was added. The live crawl does the same with more knowledge (crawl/sources/explore.c).
 */
#include "policy/scheduler_inside.h"

#include "base/memory.h"

#include <stdlib.h>

enum { SAMPLES = 4, LOOKS = 8, NEWS_IN = 20, BARREN = 6, LINKS_KEPT = 2000 };
static const fg_time retry_first = FG_MINUTE, retry_most = FG_DAY;

const char *const fg_lease_whys[] = {"added", "new", "sample", "revisit", NULL};
const char *const fg_report_outcomes[] = {"ok", "unchanged", "failed", "dead", NULL};
const char *const fg_report_fates[] = {"counted", "old", "unknown", NULL};

struct fg_scheduler_rules fg_scheduler_defaults(void)
{
    return (struct fg_scheduler_rules){
        .delay = FG_SECOND, .lease = 10 * FG_MINUTE, .explore = 0.2};
}

struct fg_scheduler *fg_scheduler_new(struct fg_mind *mind)
{
    struct fg_scheduler *s = fg_zeroed(1, sizeof *s);
    s->mind = mind;
    s->rules = fg_scheduler_defaults();
    s->is_refresh = !(fg_mind_policy(mind)->tasks & FG_DISCOVERY);
    fg_buf_init(&s->names, SIZE_MAX / 2);
    fg_buf_init(&s->log, SIZE_MAX / 2);
    return s;
}

void fg_scheduler_free(struct fg_scheduler *s)
{
    if (!s)
        return;
    fg_mind_free(s->mind);
    fg_vec_clear(&s->pages);
    fg_vec_clear(&s->sites);
    fg_vec_clear(&s->groups);
    fg_vec_clear(&s->links);
    struct fg_map *maps[] = {&s->page_of, &s->site_of, &s->group_of, &s->lease_of};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        fg_map_clear(maps[i]);
    fg_buf_clear(&s->names);
    fg_buf_clear(&s->log);
    free(s);
}

const struct fg_policy *fg_scheduler_policy(const struct fg_scheduler *s)
{
    return fg_mind_policy(s->mind);
}

void fg_scheduler_rule(struct fg_scheduler *s, const struct fg_scheduler_rules *rules)
{
    const struct fg_scheduler_rules *old = &s->rules;
    if (old->delay == rules->delay && old->lease == rules->lease &&
        old->explore == rules->explore && old->only_added == rules->only_added &&
        old->whole_stock == rules->whole_stock)
        return;
    uint64_t share;
    memcpy(&share, &rules->explore, sizeof share);
    fg_sched_log(s, RECORD_RULES,
                 (uint64_t[]){(uint64_t)rules->delay, (uint64_t)rules->lease, share,
                              rules->only_added, rules->whole_stock},
                 5);
    s->rules = *rules;
}

const struct fg_scheduler_rules *fg_scheduler_ruled(const struct fg_scheduler *s)
{
    return &s->rules;
}

/* --- pages come --- */

enum fg_status fg_scheduler_add(struct fg_scheduler *s, struct fg_str name,
                                struct fg_str site, fg_time now, bool *is_new,
                                struct fg_err *err)
{
    uint32_t index;
    *is_new = false;
    if (!name.len || name.len > FG_SCHEDULER_NAME || site.len > FG_SCHEDULER_NAME)
        return fg_fail(err, FG_ELIMIT, "the name of a page has from 1 to %d bytes",
                       FG_SCHEDULER_NAME);
    uint64_t hash = fg_str_hash(name);
    bool is_known = fg_sched_find(&s->page_of, hash, &index);
    if (is_known && s->pages.at[index].state != PAGE_SEEN &&
        s->pages.at[index].state != PAGE_DEAD &&
        s->pages.at[index].origin == ORIGIN_ADDED)
        return FG_OK;
    if (!is_known && fg_sched_is_full(s))
        return fg_fail(err, FG_ELIMIT,
                       "there are too many pages already (%d, or %d MiB of names)",
                       FG_SCHEDULER_PAGES, FG_SCHEDULER_NAMES >> 20);
    fg_sched_log(s, RECORD_ADD, (uint64_t[]){(uint64_t)now}, 1);
    fg_sched_log_text(s, name);
    fg_sched_log_text(s, site);
    uint32_t number = fg_sched_open_site(s, site);
    struct sched_page *page =
        is_known ? &s->pages.at[index] : fg_sched_make_page(s, name, hash, number, now);
    *is_new = !is_known || page->state == PAGE_SEEN || page->state == PAGE_DEAD;
    page->origin = ORIGIN_ADDED;
    if (*is_new) {
        page->state = PAGE_WAITING;
        page->failures = 0;
        page->not_before = FG_NEVER;
    }
    return FG_OK;
}

bool fg_scheduler_block(struct fg_scheduler *s, struct fg_str name, bool is_blocked)
{
    uint32_t index;
    if (!fg_sched_find(&s->page_of, fg_str_hash(name), &index))
        return false;
    fg_sched_log(s, RECORD_BLOCK, (uint64_t[]){is_blocked}, 1);
    fg_sched_log_text(s, name);
    s->pages.at[index].is_blocked = is_blocked;
    return true;
}

bool fg_scheduler_block_site(struct fg_scheduler *s, struct fg_str name, bool is_blocked)
{
    uint32_t index;
    if (!fg_sched_find(&s->site_of, fg_str_hash(name), &index))
        return false;
    fg_sched_log(s, RECORD_BLOCK_SITE, (uint64_t[]){is_blocked}, 1);
    fg_sched_log_text(s, name);
    s->sites.at[index].is_blocked = is_blocked;
    return true;
}

bool fg_scheduler_delay_site(struct fg_scheduler *s, struct fg_str name, fg_time delay)
{
    uint32_t index;
    if (!fg_sched_find(&s->site_of, fg_str_hash(name), &index))
        return false;
    fg_sched_log(s, RECORD_DELAY_SITE, (uint64_t[]){(uint64_t)delay}, 1);
    fg_sched_log_text(s, name);
    s->sites.at[index].delay = delay < 0 ? -1 : delay;
    return true;
}

/* --- who may go --- */

static fg_time delay_of(const struct fg_scheduler *s, const struct sched_site *site)
{
    return site->delay >= 0 ? site->delay : s->rules.delay;
}

/* When the site may be asked. A clock that was set back does not hold it up. */
static fg_time free_at(const struct fg_scheduler *s, const struct sched_site *site,
                       fg_time now)
{
    bool is_odd = site->free_at > now + FG_SCHEDULER_AHEAD + delay_of(s, site);
    return site->free_at < now || is_odd ? now : site->free_at;
}

static size_t room_of(const struct fg_scheduler *s, const struct sched_site *site,
                      fg_time now, fg_time ahead)
{
    fg_time delay = delay_of(s, site), start = free_at(s, site, now);
    if (site->is_blocked || start > now + ahead)
        return 0;
    return delay ? (size_t)((now + ahead - start) / delay) + 1 : UINT32_MAX;
}

/* When the page may be handed out, its site aside; FG_NEVER: not. */
static fg_time ready_at(const struct fg_scheduler *s, const struct sched_page *page)
{
    if (page->is_blocked || s->sites.at[page->site].is_blocked)
        return FG_NEVER;
    fg_time at = page->not_before == FG_NEVER ? 0 : page->not_before;
    return page->is_leased && page->deadline > at ? page->deadline : at;
}

static bool is_ready(const struct fg_scheduler *s, const struct sched_page *page,
                     fg_time now)
{
    fg_time at = ready_at(s, page);
    return at != FG_NEVER && at <= now;
}

static bool is_good(const struct sched_group *group)
{
    return group->looks >= LOOKS &&
           (uint64_t)group->news * NEWS_IN >= (uint64_t)group->looks;
}

/* How many more of its pages are worth a look. */
static uint32_t wanted_of(const struct sched_group *group)
{
    if (is_good(group))
        return SAMPLES;
    return group->looks < LOOKS && group->sampled < SAMPLES ? SAMPLES - group->sampled
                                                            : 0;
}

static void enlist(struct fg_scheduler *s, size_t index, fg_time now)
{
    struct sched_page *page = &s->pages.at[index];
    fg_mind_add(s->mind, index + 1, page->site + 1, now);
    page->is_source = 1;
    s->groups.at[page->group].sources++;
}

static void retire(struct fg_scheduler *s, size_t index)
{
    struct sched_page *page = &s->pages.at[index];
    if (!page->is_source)
        return;
    fg_mind_remove(s->mind, index + 1);
    page->is_source = 0;
    page->was_source = 1;
    s->links_used -= page->n_links;
    page->n_links = 0;
    s->groups.at[page->group].sources--;
}

/* --- handing out --- */

struct sched_choice {
    uint32_t page;
    double value;
};

struct sched_turn {
    fg_time now, ahead;
    size_t n, given;
    struct fg_lease *out;
    FG_VEC(struct sched_choice) fresh, samples, stock;
    uint32_t *listed; /* samples by group */
};

static int by_value(const void *a, const void *b)
{
    const struct sched_choice *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return (x->page > y->page) - (x->page < y->page);
}

void fg_sched_turn(struct fg_scheduler *s, fg_time now)
{
    fg_mind_choose(s->mind, now, 0, NULL);
}

void fg_sched_give(struct fg_scheduler *s, size_t index, fg_time now, fg_time not_before,
                   fg_time deadline, enum fg_lease_why why)
{
    struct sched_page *page = &s->pages.at[index];
    struct sched_site *site = &s->sites.at[page->site];
    fg_sched_log(
        s, RECORD_LEASE,
        (uint64_t[]){index, (uint64_t)now, (uint64_t)not_before, (uint64_t)deadline, why},
        5);
    bool is_again = page->is_leased;
    if (is_again)
        fg_map_remove(&s->lease_of, page->lease);
    page->lease = ++s->last_lease;
    page->is_leased = 1;
    page->deadline = deadline;
    *fg_map_put(&s->lease_of, page->lease) = index + 1;
    site->free_at = not_before + delay_of(s, site);
    s->handed_out++;
    if (why == FG_LEASE_SAMPLE && !is_again)
        s->groups.at[page->group].sampled++;
}

void fg_sched_call(struct fg_scheduler *s, uint64_t key, uint64_t first, uint64_t n)
{
    fg_sched_log(s, RECORD_CALL, (uint64_t[]){key, first, n}, 3);
    s->calls[s->n_calls++ % CALLS_KEPT] = (struct sched_call){key, first, n};
}

static struct fg_lease lease_of(const struct fg_scheduler *s, size_t index,
                                fg_time not_before, enum fg_lease_why why)
{
    const struct sched_page *page = &s->pages.at[index];
    return (struct fg_lease){.number = page->lease,
                             .name = fg_sched_name(s, page),
                             .site = fg_sched_site_name(s, page->site),
                             .not_before = not_before,
                             .deadline = page->deadline,
                             .why = why,
                             .probability = 1};
}

/* False if its site has no room. */
static bool give(struct fg_scheduler *s, struct sched_turn *turn, size_t index,
                 enum fg_lease_why why)
{
    const struct sched_site *site = &s->sites.at[s->pages.at[index].site];
    if (!room_of(s, site, turn->now, turn->ahead))
        return false;
    fg_time not_before = free_at(s, site, turn->now);
    fg_sched_give(s, index, turn->now, not_before, not_before + s->rules.lease, why);
    turn->out[turn->given++] = lease_of(s, index, not_before, why);
    return true;
}

/* Who waits, by kind; and sources that may not go are barred. */
static void look_through(struct fg_scheduler *s, struct sched_turn *turn)
{
    for (size_t i = 0; i < s->pages.len; i++) {
        const struct sched_page *page = &s->pages.at[i];
        const struct sched_group *group = &s->groups.at[page->group];
        bool goes = is_ready(s, page, turn->now);
        if (page->is_source) {
            fg_mind_block(s->mind, fg_mind_row(s->mind, i + 1), !goes);
        } else if (page->state == PAGE_VISITED && goes &&
                   (s->is_refresh || (is_good(group) && !page->was_source))) {
            enlist(s, i, turn->now);
        } else if (page->state != PAGE_WAITING || !goes) {
            continue;
        } else if (page->origin != ORIGIN_STOCK) {
            /* Those that were added as they came, then the newest of the new. */
            double value = page->origin == ORIGIN_ADDED ? 1e18 - (double)page->found
                                                        : -1e18 + (double)page->found;
            fg_vec_push(&turn->fresh, (struct sched_choice){(uint32_t)i, value});
        } else if (page->is_leased || turn->listed[page->group] < wanted_of(group)) {
            /* Whose lease ran out comes again: its group counts it as sampled. */
            double so_far = group->sampled + turn->listed[page->group];
            turn->listed[page->group] += !page->is_leased;
            fg_vec_push(&turn->samples,
                        (struct sched_choice){(uint32_t)i, (group->news + 1.0) /
                                                               (group->looks + 2.0) /
                                                               (1 + so_far)});
        } else if (s->rules.whole_stock) {
            fg_vec_push(&turn->stock, (struct sched_choice){(uint32_t)i, 0});
        }
    }
}

/* From `*at` on, at most `most`; returns how many. */
static size_t give_some(struct fg_scheduler *s, struct sched_turn *turn,
                        const struct sched_choice *choices, size_t n, size_t *at,
                        size_t most, enum fg_lease_why why)
{
    size_t before = turn->given;
    for (; *at < n && turn->given < turn->n && turn->given - before < most; ++*at) {
        size_t page = choices[*at].page;
        bool is_added = s->pages.at[page].origin == ORIGIN_ADDED;
        give(s, turn, page, why == FG_LEASE_NEW && is_added ? FG_LEASE_ADDED : why);
    }
    return turn->given - before;
}

static void revisit(struct fg_scheduler *s, struct sched_turn *turn)
{
    size_t most = turn->n - turn->given;
    struct fg_pick *picks = fg_resized(NULL, most + 1, sizeof *picks);
    for (size_t i = 0; i < s->sites.len; i++) {
        size_t room = room_of(s, &s->sites.at[i], turn->now, turn->ahead);
        fg_mind_limit(s->mind, (uint32_t)i + 1,
                      room < UINT32_MAX ? (uint32_t)room : UINT32_MAX);
    }
    fg_sched_log(s, RECORD_TURN, (uint64_t[]){(uint64_t)turn->now}, 1);
    size_t n = fg_mind_choose(s->mind, turn->now, most, picks);
    for (size_t i = 0; i < n; i++) {
        size_t page = (size_t)fg_mind_world(s->mind)->id[picks[i].page] - 1;
        if (!give(s, turn, page, FG_LEASE_REVISIT))
            continue;
        struct fg_lease *lease = &turn->out[turn->given - 1];
        lease->score = picks[i].score;
        lease->probability = picks[i].probability;
        lease->explored = picks[i].explored;
    }
    free(picks);
}

static size_t give_again(struct fg_scheduler *s, const struct sched_call *call, size_t n,
                         struct fg_lease *out)
{
    size_t given = 0;
    uint32_t page;
    for (uint64_t i = 0; i < call->n && given < n; i++)
        if (fg_sched_find(&s->lease_of, call->first + i, &page))
            out[given++] =
                lease_of(s, page, s->pages.at[page].deadline - s->rules.lease,
                         s->pages.at[page].visits                   ? FG_LEASE_REVISIT
                         : s->pages.at[page].origin == ORIGIN_ADDED ? FG_LEASE_ADDED
                         : s->pages.at[page].origin == ORIGIN_NEW   ? FG_LEASE_NEW
                                                                    : FG_LEASE_SAMPLE);
    return given;
}

size_t fg_scheduler_next(struct fg_scheduler *s, fg_time now, size_t n, fg_time ahead,
                         uint64_t key, struct fg_lease *out)
{
    for (size_t i = 0; key && i < CALLS_KEPT; i++)
        if (s->calls[i].key == key)
            return give_again(s, &s->calls[i], n, out);
    struct sched_turn turn = {
        .now = now,
        .ahead = ahead < 0                    ? 0
                 : ahead > FG_SCHEDULER_AHEAD ? FG_SCHEDULER_AHEAD
                                              : ahead,
        .n = n < FG_SCHEDULER_NEXT ? n : FG_SCHEDULER_NEXT,
        .out = out,
        .listed = fg_zeroed(s->groups.len + 1, sizeof(uint32_t)),
    };
    uint64_t first = s->last_lease + 1;
    look_through(s, &turn);
    if (turn.fresh.len)
        qsort(turn.fresh.at, turn.fresh.len, sizeof *turn.fresh.at, by_value);
    if (turn.samples.len)
        qsort(turn.samples.at, turn.samples.len, sizeof *turn.samples.at, by_value);
    size_t fresh_at = 0, samples_at = 0, stock_at = 0;
    give_some(s, &turn, turn.fresh.at, turn.fresh.len, &fresh_at, SIZE_MAX, FG_LEASE_NEW);

    s->credit += (double)(turn.n - turn.given) * s->rules.explore;
    size_t due = (size_t)s->credit;
    s->credit -= (double)give_some(s, &turn, turn.samples.at, turn.samples.len,
                                   &samples_at, due, FG_LEASE_SAMPLE);
    if (s->credit > 1)
        s->credit = 1; /* there was nothing to spend it on */
    revisit(s, &turn);
    give_some(s, &turn, turn.samples.at, turn.samples.len, &samples_at, SIZE_MAX,
              FG_LEASE_SAMPLE);
    give_some(s, &turn, turn.stock.at, turn.stock.len, &stock_at, SIZE_MAX,
              FG_LEASE_SAMPLE);
    if (key)
        fg_sched_call(s, key, first, turn.given);
    fg_vec_clear(&turn.fresh);
    fg_vec_clear(&turn.samples);
    fg_vec_clear(&turn.stock);
    free(turn.listed);
    return turn.given;
}

fg_time fg_scheduler_wait(const struct fg_scheduler *s, fg_time now)
{
    fg_time soonest = FG_NEVER;
    for (size_t i = 0; i < s->pages.len; i++) {
        const struct sched_page *page = &s->pages.at[i];
        bool is_wanted = page->is_source ||
                         (page->state == PAGE_WAITING &&
                          (page->origin != ORIGIN_STOCK || s->rules.whole_stock ||
                           page->is_leased || wanted_of(&s->groups.at[page->group])));
        fg_time at = ready_at(s, page), free = free_at(s, &s->sites.at[page->site], now);
        if (!is_wanted || at == FG_NEVER)
            continue;
        at = at > free ? at : free;
        if (soonest == FG_NEVER || at < soonest)
            soonest = at;
    }
    return soonest != FG_NEVER && soonest < now ? now : soonest;
}

/* --- reports --- */

typedef FG_VEC(uint64_t) fg_hashes;

/* The links of a report: each once, those of sites that nobody added aside. */
struct sched_links {
    fg_hashes seen, fresh, added, gone;
    bool is_first; /* visit of the page */
};

static void take_link(struct fg_scheduler *s, struct sched_links *links,
                      struct fg_map *once, struct fg_str name, fg_time now,
                      uint8_t *is_new)
{
    uint32_t site, index;
    if (!name.len || name.len > FG_SCHEDULER_NAME ||
        !fg_sched_find(&s->site_of, fg_str_hash(fg_scheduler_site_of(name)), &site))
        return;
    uint64_t hash = fg_str_hash(name), *mark = fg_map_put(once, hash);
    if (*mark)
        return;
    *mark = 1;
    fg_vec_push(&links->seen, hash);
    if (fg_sched_find(&s->page_of, hash, &index) || fg_sched_is_full(s))
        return;
    struct sched_page *page = fg_sched_make_page(s, name, hash, site, now);
    page->state = s->rules.only_added ? PAGE_SEEN : PAGE_WAITING;
    page->origin = links->is_first && !s->is_refresh ? ORIGIN_STOCK : ORIGIN_NEW;
    fg_vec_push(&links->fresh, hash);
    if (is_new)
        *is_new = 1;
}

/* What is shown that was not before, and the other way round. */
static void compare_links(struct fg_scheduler *s, const struct sched_page *page,
                          struct sched_links *links, const struct fg_map *now_shown)
{
    struct fg_map before = {0};
    for (size_t i = 0; i < page->n_links; i++) {
        uint64_t hash = s->links.at[page->links + i];
        *fg_map_put(&before, hash) = 1;
        if (!fg_map_get(now_shown, hash))
            fg_vec_push(&links->gone, hash);
    }
    for (size_t i = 0; i < links->seen.len; i++)
        if (!fg_map_get(&before, links->seen.at[i]))
            fg_vec_push(&links->added, links->seen.at[i]);
    fg_map_clear(&before);
}

/* Close the gaps once they are more than what is used. */
static void compact_links(struct fg_scheduler *s)
{
    uint64_t *kept = fg_resized(NULL, s->links_used + 1, sizeof *kept);
    size_t at = 0;
    for (size_t i = 0; i < s->pages.len; i++) {
        struct sched_page *page = &s->pages.at[i];
        if (page->n_links)
            memcpy(kept + at, s->links.at + page->links, page->n_links * sizeof *kept);
        page->links = at;
        at += page->n_links;
    }
    free(s->links.at);
    s->links.at = kept;
    s->links.len = s->links_used = at;
    s->links.capacity = s->links_used + 1;
}

static void keep_links(struct fg_scheduler *s, size_t index, const fg_hashes *seen)
{
    struct sched_page *page = &s->pages.at[index];
    size_t n = seen->len < LINKS_KEPT ? seen->len : LINKS_KEPT;
    page->links = s->links.len;
    for (size_t i = 0; i < n; i++)
        fg_vec_push(&s->links, seen->at[i]);
    s->links_used = s->links_used - page->n_links + n;
    page->n_links = (uint32_t)n;
    if (s->links.len > 2 * s->links_used + 4096)
        compact_links(s);
}

static void tell_policy(struct fg_scheduler *s, size_t index, fg_time now,
                        const struct fg_lease_report *report,
                        const struct sched_links *links, bool changed)
{
    bool shows_all = report->outcome == FG_REPORT_OK && !report->is_partial;
    struct fg_visit visit = {
        .page = fg_mind_row(s->mind, index + 1),
        .now = now,
        .ok = report->outcome <= FG_REPORT_UNCHANGED,
        .changed = changed,
        .modified = FG_NEVER,
        .complete = shows_all,
        .seen = links->seen.at,
        .n_seen = links->seen.len,
        .added = links->added.at,
        .n_added = links->added.len,
        .fresh = links->fresh.at,
        .n_fresh = links->fresh.len,
        .n_first = links->fresh.len,
        .gone = shows_all ? links->gone.at : NULL,
        .n_gone = shows_all ? links->gone.len : 0,
        .cost = 1,
    };
    fg_mind_observe(s->mind, &visit);
}

static void count_look(struct fg_scheduler *s, size_t index, bool has_news)
{
    struct sched_page *page = &s->pages.at[index];
    struct sched_group *group = &s->groups.at[page->group];
    page->looks++;
    group->looks++;
    page->news += has_news;
    group->news += has_news;
}

/* Does a page that was visited for the first time lead to others, perhaps? */
static bool may_lead(const struct fg_scheduler *s, const struct sched_page *page,
                     const struct sched_links *links)
{
    const struct sched_group *group = &s->groups.at[page->group];
    return s->is_refresh || page->origin == ORIGIN_ADDED ||
           (links->seen.len &&
            (is_good(group) || (group->looks < LOOKS && group->sources < SAMPLES)));
}

static void take_visit(struct fg_scheduler *s, size_t index, fg_time now,
                       const struct fg_lease_report *report, struct fg_told *told)
{
    struct sched_links links = {.is_first = !s->pages.at[index].visits};
    struct fg_map once = {0};
    size_t n =
        report->n_links < FG_SCHEDULER_LINKS ? report->n_links : FG_SCHEDULER_LINKS;
    for (size_t i = 0; i < n; i++)
        take_link(s, &links, &once, report->links[i], now,
                  told->is_new ? told->is_new + i : NULL);
    struct sched_page *page = &s->pages.at[index]; /* pages may have moved */
    bool differs = report->content && page->content && report->content != page->content;
    told->n_new = links.fresh.len;
    told->changed = !links.is_first && report->outcome == FG_REPORT_OK &&
                    (report->changed || differs);
    if (report->content)
        page->content = report->content;
    page->failures = 0;
    page->not_before = FG_NEVER;
    page->state = PAGE_VISITED;
    page->visits++;
    if (links.is_first && !page->is_source && may_lead(s, page, &links))
        enlist(s, index, now);
    if (!links.is_first) {
        count_look(s, index, links.fresh.len > 0);
        s->found += links.fresh.len;
    }
    if (page->is_source) {
        if (report->outcome == FG_REPORT_OK)
            compare_links(s, page, &links, &once);
        tell_policy(s, index, now, report, &links, told->changed);
        if (report->outcome == FG_REPORT_OK && !report->is_partial)
            keep_links(s, index, &links.seen);
        if (!s->is_refresh && page->origin != ORIGIN_ADDED && page->looks >= BARREN &&
            !page->news)
            retire(s, index);
    }
    fg_map_clear(&once);
    fg_vec_clear(&links.seen);
    fg_vec_clear(&links.fresh);
    fg_vec_clear(&links.added);
    fg_vec_clear(&links.gone);
}

static void take_failure(struct fg_scheduler *s, size_t index, fg_time now,
                         const struct fg_lease_report *report)
{
    struct sched_page *page = &s->pages.at[index];
    uint32_t step = page->failures < 20 ? page->failures : 20;
    fg_time pause = retry_first << step;
    s->failures++;
    page->failures++;
    if (page->is_source)
        tell_policy(s, index, now, report, &(struct sched_links){0}, false);
    page->not_before = now + (pause < retry_most ? pause : retry_most);
    if (report->outcome == FG_REPORT_DEAD) {
        retire(s, index);
        page->state = PAGE_DEAD;
    }
}

static void log_report(struct fg_scheduler *s, fg_time now,
                       const struct fg_lease_report *report)
{
    size_t n =
        report->n_links < FG_SCHEDULER_LINKS ? report->n_links : FG_SCHEDULER_LINKS;
    fg_sched_log(s, RECORD_REPORT,
                 (uint64_t[]){report->lease, (uint64_t)now, report->outcome,
                              report->changed, report->content, report->is_partial, n},
                 7);
    for (size_t i = 0; i < n; i++)
        fg_sched_log_text(s, report->links[i]);
}

void fg_scheduler_report(struct fg_scheduler *s, fg_time now,
                         const struct fg_lease_report *report, struct fg_told *told)
{
    uint32_t index;
    told->n_new = 0;
    told->changed = false;
    for (size_t i = 0; told->is_new && i < report->n_links; i++)
        told->is_new[i] = 0;
    if (!fg_sched_find(&s->lease_of, report->lease, &index)) {
        bool was_there = report->lease && report->lease <= s->last_lease;
        told->fate = was_there ? FG_REPORT_OLD : FG_REPORT_UNKNOWN;
        return;
    }
    told->fate = FG_REPORT_COUNTED;
    log_report(s, now, report);
    fg_map_remove(&s->lease_of, report->lease);
    s->pages.at[index].is_leased = 0;
    s->reports++;
    if (report->outcome <= FG_REPORT_UNCHANGED)
        take_visit(s, index, now, report, told);
    else
        take_failure(s, index, now, report);
}

struct fg_str fg_scheduler_leased(const struct fg_scheduler *s, uint64_t lease)
{
    uint32_t index;
    bool is_open = fg_sched_find(&s->lease_of, lease, &index);
    return is_open ? fg_sched_name(s, &s->pages.at[index]) : (struct fg_str){0};
}

struct fg_scheduler_counts fg_scheduler_count(const struct fg_scheduler *s)
{
    struct fg_scheduler_counts counts = {.pages = s->pages.len,
                                         .sites = s->sites.len,
                                         .sources = fg_mind_world(s->mind)->n,
                                         .leases = fg_map_len(&s->lease_of),
                                         .handed_out = s->handed_out,
                                         .reports = s->reports,
                                         .failures = s->failures,
                                         .found = s->found};
    for (size_t i = 0; i < s->pages.len; i++) {
        const struct sched_page *page = &s->pages.at[i];
        counts.waiting += page->state == PAGE_WAITING;
        counts.dead += page->state == PAGE_DEAD;
        counts.blocked += page->is_blocked || s->sites.at[page->site].is_blocked;
    }
    return counts;
}
