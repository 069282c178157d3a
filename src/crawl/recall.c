/* From the store back into memory, and the policies' knowledge to the store and back.
 *
 * The clock may have been set back since: no time that is read here lies in the future
 * when it is used, or pages would count as new, and sources as just visited, until the
 * clock has caught up. What politeness keeps is checked where it is used. */
#include "crawl/budget.h"
#include "crawl/documents/appraising.h"
#include "crawl/documents/documents.h"
#include "crawl/documents/told.h"
#include "crawl/intake/intake.h"
#include "crawl/keeping.h"
#include "crawl/minds.h"
#include "crawl/sites/lot.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/moved.h"
#include "crawl/sources/pattern.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"
#include "net/facts/kind.h"
#include "store/visit.h"

#include <stdio.h>
#include <stdlib.h>

struct recalling {
    struct fg_crawl *crawl;
    fg_time now;
    enum fg_status status;
    struct fg_err *err;
    struct fg_map weights; /* of documents, by id: bits of a float */
};

static fg_time not_after(fg_time now, fg_time time)
{
    return time > now ? now : time;
}

static bool is_nonsense(struct recalling *recalling, const char *what, uint32_t site,
                        uint32_t page)
{
    recalling->status = fg_fail(recalling->err, FG_EINPUT,
                                "the store is damaged: %s %u/%u makes no sense; restore "
                                "a copy of it, nothing was changed",
                                what, site, page);
    return false;
}

static void recall_patterns(struct fg_crawl *crawl, struct site *site)
{
    struct fg_arena arena = {0};
    struct fg_str bytes;
    if (!fg_store_state(crawl->store, &bytes, &arena, site->id, FG_PATTERNS_STATE,
                        NULL)) {
        fg_patterns_free(site->patterns);
        fg_patterns_load(&site->patterns, bytes);
    }
    fg_arena_clear(&arena);
}

static bool take_site(void *context, const struct fg_site_row *row)
{
    struct recalling *recalling = context;
    struct fg_crawl *crawl = recalling->crawl;
    struct fg_host_state host;
    if (!row->site || crawl_site_with(crawl, row->site) || row->state < SITE_EXPLORING ||
        row->state > SITE_HOST_ONLY || !host_from_row(&host, row))
        return is_nonsense(recalling, "site", row->site, 0);
    enum site_state state = fg_lot_has(&crawl->options.lot, row->key)
                                ? (enum site_state)row->state
                                : SITE_HOST_ONLY;
    struct site *site = crawl_add_site(crawl, row->site, row->key, row->tags, state,
                                       not_after(recalling->now, row->added));
    site_recall_settings(crawl, site, row->settings);
    recall_patterns(crawl, site);
    crawl_set_host(site, &host);
    fg_polite_recall(crawl->polite, &host);
    return true;
}

static void keep_weight(struct fg_map *weights, uint64_t id, float weight)
{
    memcpy(fg_map_put(weights, id), &weight, sizeof weight);
}

static float kept_weight(const struct fg_map *weights, uint64_t id)
{
    float weight = 0;
    const uint64_t *bits = fg_map_get(weights, id);
    if (bits)
        memcpy(&weight, bits, sizeof weight);
    return weight;
}

/* Never tried, or tried a few times in vain; or to be read again, to be judged. */
static bool wants_first_fetch(const struct fg_page_row *row)
{
    if (row->flags & (FG_PAGE_ALIAS | FG_PAGE_EXCLUDED | FG_PAGE_GONE))
        return false;
    if (row->flags & (FG_PAGE_AWAITED | FG_PAGE_READ_SOON))
        return true;
    bool was_read = row->content_hash || row->last_change != FG_NEVER;
    return row->visits == 0 ||
           (!was_read && row->failures && row->failures < MOST_FAILURES);
}

static bool take_page(void *context, const struct fg_page_row *row)
{
    struct recalling *recalling = context;
    struct fg_crawl *crawl = recalling->crawl;
    struct site *site = crawl_site_with(crawl, row->site);
    if (!site || !row->page)
        return is_nonsense(recalling, "page", row->site, row->page);
    if (site_is_removed(site))
        return true; /* for the user; the crawl has no use for it */
    fg_time first_seen = not_after(recalling->now, row->first_seen);
    uint32_t at = fg_known_add(&crawl->known, row->site, row->page, row->fingerprint,
                               row->url, first_seen);
    struct fg_known_page *page = &crawl->known.at[at];
    site->lists.has_archive_entries |= fg_address_is_archive_entry(row->url);
    page->flags = row->flags;
    page->depth = row->depth < UINT8_MAX ? (uint8_t)row->depth : UINT8_MAX;
    page->failures = row->failures < UINT8_MAX ? (uint8_t)row->failures : UINT8_MAX;
    if (row->last_visit != FG_NEVER)
        page->last_visit_s = (uint32_t)(row->last_visit / FG_SECOND);
    site->counts.known++;
    crawl->counts.known++;
    if (wants_first_fetch(row) && site_wants(site, row->flags))
        crawl_enqueue(crawl, site, at);
    if (site->state == SITE_EXPLORING && row->visits)
        site->stock.explored++;
    if (row->identity) {
        *fg_map_put(&crawl->judging.identity_by_row, at) = row->identity;
        if (!(row->flags & FG_PAGE_DUPLICATE))
            *fg_map_put(&crawl->judging.row_by_identity, row->identity) =
                at + (uint64_t)1;
        if (!(row->flags & (FG_PAGE_LIST | FG_PAGE_OTHER_KIND)))
            fg_moved_note(&site->judging.numbered, row->url, at);
    }
    if (row->flags & (FG_PAGE_AWAITED | FG_PAGE_REPORTED) && fg_address_token(row->url))
        *fg_map_put(&site->judging.tokens, fg_address_token(row->url)) = at + (uint64_t)1;
    if (row->flags & FG_PAGE_REPORTED && first_seen > site->counts.last_discovery)
        site->counts.last_discovery = first_seen;
    if (row->flags & FG_PAGE_SOURCE) {
        struct source *source = source_admit(crawl, NULL, at, first_seen);
        source->content_hash = row->content_hash;
        /* It was seen whole: what is new to it now is new. */
        source->visits = row->content_hash ? row->visits : 0;
        if (row->last_change != FG_NEVER)
            source->last_found = not_after(recalling->now, row->last_change);
        if (row->last_visit != FG_NEVER)
            source->last_seen = not_after(recalling->now, row->last_visit);
    } else if (row->flags & FG_PAGE_CANDIDATE) {
        fg_vec_push(&site->lists.candidates, at);
    }
    if (row->flags & FG_PAGE_DOCUMENT) {
        document_recall(crawl, at, first_seen);
        keep_weight(&recalling->weights, fg_known_id(&crawl->known, at), row->weight);
    }
    return true;
}

/* --- the links that sources showed when we last looked --- */

struct link_reader {
    const struct fg_known *known;
    FG_VEC(uint32_t) links;
};

static int by_row(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool take_link(void *context, const struct fg_link_row *link)
{
    struct link_reader *reader = context;
    if (link->gone != FG_NEVER)
        return true;
    uint32_t row = fg_known_row_with(reader->known, link->target_site, link->target);
    if (row != FG_UNKNOWN)
        fg_vec_push(&reader->links, row);
    return true;
}

static void keep_links(struct fg_crawl *crawl, struct source *source,
                       const uint32_t *links, size_t n)
{
    /* A source that showed none may have been admitted, and not looked at since. */
    if (!n) {
        source->visits = 0;
        return;
    }
    source->n_links = n;
    source->links = malloc(n * sizeof *links);
    if (!source->links)
        fg_out_of_memory();
    memcpy(source->links, links, n * sizeof *links);
    qsort(source->links, n, sizeof *links, by_row);
    source_note_archives(crawl, source);
    /* Of the pages read, the lists are those whose links we kept. */
    if (!(crawl->known.at[source->row].flags & (FG_PAGE_FEED | FG_PAGE_SITEMAP)))
        source_count_shown(crawl, crawl_site_of(crawl, source->row), source->links, n);
}

static bool take_last_look(void *last, const struct fg_visit_row *visit)
{
    if (!fg_visit_failed(visit))
        *(fg_time *)last = visit->time;
    return true;
}

/* A visit that failed showed no links: what came since the last that did is new to it. */
static enum fg_status recall_last_look(struct fg_crawl *crawl, struct source *source,
                                       struct fg_err *err)
{
    const struct fg_known_page *page = &crawl->known.at[source->row];
    if (!page->failures)
        return FG_OK;
    fg_time last =
        source->last_found > page->first_seen ? source->last_found : page->first_seen;
    enum fg_status st = fg_store_visits(crawl->store, page->site, page->page, FG_NEVER,
                                        take_last_look, &last, err);
    if (last < source->last_seen)
        source->last_seen = last;
    return st;
}

static enum fg_status recall_links(struct fg_crawl *crawl, struct fg_err *err)
{
    struct link_reader reader = {.known = &crawl->known};
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < crawl->sources.all.len; i++) {
        struct source *source = &crawl->sources.all.at[i];
        const struct fg_known_page *page = &crawl->known.at[source->row];
        if ((st = recall_last_look(crawl, source, err)))
            break;
        reader.links.len = 0;
        st =
            fg_store_links(crawl->store, page->site, page->page, take_link, &reader, err);
        keep_links(crawl, source, reader.links.at, reader.links.len);
    }
    fg_vec_clear(&reader.links);
    return st;
}

/* --- policies --- */

static const char discovery_state[] = DISCOVERY_STATE, refresh_state[] = REFRESH_STATE;
enum { MOST_STATE = 1 << 30, STATE_NAME = 64 };

/* Of site 0 `name` has what the policy knows of no site in particular; the other parts
 * have an end to it. */
static void name_part(char out[static STATE_NAME], const char *name,
                      enum fg_mind_part part)
{
    static const char *const ends[FG_MIND_PARTS] = {
        [FG_MIND_SHARED] = "",
        [FG_MIND_ORDER] = ":order",
        [FG_MIND_LEARNT] = ":learnt",
        [FG_MIND_PASSING] = ":passing",
    };
    snprintf(out, STATE_NAME, "%s%s", name, ends[part]);
}

/* A hash of what the store has under a name; 0: nothing. */
static uint64_t *hash_of_stored(struct fg_map *stored, fg_site_id site, const char *name)
{
    return fg_map_put(stored, fg_str_hash(fg_str_from(name)) ^ (uint64_t)site << 32);
}

static void put_state(struct fg_crawl *crawl, struct fg_batch *batch, fg_site_id site,
                      const char *name, struct fg_str bytes)
{
    uint64_t *stored = hash_of_stored(&crawl->minds.stored, site, name),
             hash = bytes.len ? fg_str_hash(bytes) : 0;
    if (*stored == hash)
        return;
    *stored = hash;
    fg_batch_state(batch, site, name, bytes.len ? bytes : (struct fg_str){0});
}

struct mind_writer {
    struct fg_crawl *crawl;
    struct fg_batch *batch;
    const char *name;
};

static void put_part(void *context, uint32_t site, enum fg_mind_part part,
                     struct fg_str bytes)
{
    struct mind_writer *writer = context;
    char name[STATE_NAME];
    name_part(name, writer->name, part);
    put_state(writer->crawl, writer->batch, site, name, bytes);
}

static void put_patterns(struct fg_crawl *crawl, struct fg_batch *batch)
{
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        const struct site *site = crawl->sites.all.at[i];
        struct fg_buf bytes;
        if (site->state == SITE_HOST_ONLY)
            continue;
        fg_buf_init(&bytes, MOST_STATE);
        fg_patterns_save(site->patterns, &bytes);
        put_state(crawl, batch, site->id, FG_PATTERNS_STATE, fg_buf_str(&bytes));
        fg_buf_clear(&bytes);
    }
}

/* Only what has changed since it was last written, or read. */
static void put_arms(struct fg_crawl *crawl, struct fg_batch *batch, fg_time now)
{
    const struct fg_mind *const minds[] = {crawl->minds.discovery, crawl->minds.refresh};
    static const enum fg_task tasks[] = {FG_DISCOVERY, FG_REFRESH};
    struct fg_arm arm[FG_ARMS_MAX];
    struct fg_buf text;
    bool has_news = false;
    for (size_t i = 0; i < 2; i++)
        has_news |= fg_arms_note(&crawl->minds.arms, now, tasks[i], arm,
                                 minds[i] ? fg_mind_arms(minds[i], arm) : 0);
    if (!has_news)
        return;
    fg_buf_init(&text, 1 << 20);
    fg_arms_write(&text, &crawl->minds.arms);
    fg_batch_state(batch, 0, FG_ARMS_STATE, fg_buf_str(&text));
    fg_buf_clear(&text);
}

static void recall_arms(struct fg_crawl *crawl)
{
    struct fg_arena arena = {0};
    struct fg_str text;
    if (!fg_store_state(crawl->store, &text, &arena, 0, FG_ARMS_STATE, NULL))
        fg_arms_read(&crawl->minds.arms, text);
    fg_arena_clear(&arena);
}

void crawl_save_minds(struct fg_crawl *crawl)
{
    /* A visit that is half dealt with is of a moment that would count as known. */
    if (fg_workers_has_paused(crawl->workers))
        return;
    struct fg_batch *batch = fg_batch_new(crawl->store);
    fg_time now = fg_clock_now(crawl->clock), began = fg_time_monotonic();
    crawl->minds.written = now;
    crawl->minds.wants_saving = false;
    put_patterns(crawl, batch);
    fg_mind_save_parts(crawl->minds.discovery, put_part,
                       &(struct mind_writer){crawl, batch, discovery_state});
    fg_mind_save_parts(crawl->minds.refresh, put_part,
                       &(struct mind_writer){crawl, batch, refresh_state});
    /* Visits after this moment are read from the log when we start again. It never goes
     * back, lest after a clock was set back visits be told twice. */
    if (now > crawl->minds.saved)
        crawl->minds.saved = now;
    appraising_save(crawl, batch);
    put_arms(crawl, batch, now);
    pricing_save(crawl, batch);
    strangers_save(crawl, batch);
    fg_batch_state(
        batch, 0, "policy:saved",
        (struct fg_str){(const char *)&crawl->minds.saved, sizeof crawl->minds.saved});
    fg_store_submit(crawl->store, batch);
    crawl->minds.ended = fg_time_monotonic();
    crawl->minds.took = crawl->minds.ended - began;
}

struct mind_reader {
    struct fg_store *store;
    struct fg_arena arena;
    const char *name;
    struct fg_map *stored; /* NULL: for those who only look */
    FG_VEC(uint32_t) sites;
};

static struct fg_str get_part(void *context, uint32_t site, enum fg_mind_part part)
{
    struct mind_reader *reader = context;
    struct fg_str bytes = {0};
    char name[STATE_NAME];
    name_part(name, reader->name, part);
    if (fg_store_state(reader->store, &bytes, &reader->arena, site, name, NULL))
        return (struct fg_str){0};
    if (reader->stored)
        *hash_of_stored(reader->stored, site, name) = bytes.len ? fg_str_hash(bytes) : 0;
    return bytes;
}

static bool list_site(void *context, const struct fg_site_row *row)
{
    struct mind_reader *reader = context;
    if (row->state != SITE_HOST_ONLY)
        fg_vec_push(&reader->sites, row->site);
    return true;
}

static enum fg_status load_mind(struct fg_mind *mind, struct fg_store *store,
                                const char *name, struct fg_map *stored,
                                struct fg_err *err)
{
    struct mind_reader reader = {.store = store, .name = name, .stored = stored};
    enum fg_status st = fg_store_sites(store, list_site, &reader, err);
    if (!st)
        st = fg_mind_load_parts(mind, reader.sites.at, reader.sites.len, get_part,
                                &reader, err);
    fg_vec_clear(&reader.sites);
    fg_arena_clear(&reader.arena);
    return st;
}

enum fg_status fg_crawl_load_mind(struct fg_mind *mind, struct fg_store *store,
                                  bool is_discovery, struct fg_err *err)
{
    return load_mind(mind, store, is_discovery ? discovery_state : refresh_state, NULL,
                     err);
}

/* --- visits that the saved state does not know of ---
 *
 * The log lies in the order of pages. So the visits of each page that a policy knows are
 * asked for, from the moment on at which its state was saved: a start costs one look-up
 * for each of these pages, however long the log has become. */

/* What a policy without a past is told: enough for any of them, and bounded. */
static const fg_time learning_span = 60 * FG_DAY;

struct visit_reader {
    fg_time latest; /* of the visits */
    FG_VEC(struct fg_visit_row) visits;
};

static bool take_visit(void *context, const struct fg_visit_row *visit)
{
    struct visit_reader *reader = context;
    if (visit->time > reader->latest)
        reader->latest = visit->time;
    fg_vec_push(&reader->visits, *visit);
    return true;
}

static enum fg_status read_visits(struct fg_store *store, struct visit_reader *reader,
                                  const struct fg_mind *mind, fg_time since,
                                  struct fg_err *err)
{
    const struct fg_world *world = fg_mind_world(mind);
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < world->n; i++)
        st = fg_store_visits(store, (fg_site_id)(world->id[i] >> 32),
                             (fg_page_id)world->id[i], since, take_visit, reader, err);
    return st;
}

static int by_time(const void *a, const void *b)
{
    const struct fg_visit_row *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    return (x->page > y->page) - (x->page < y->page);
}

/* The log has the number of new links, not their names; that is what a policy gets. */
static void tell_visits(struct visit_reader *reader, struct fg_store *store,
                        struct fg_mind *mind, fg_time now)
{
    if (reader->visits.len)
        qsort(reader->visits.at, reader->visits.len, sizeof *reader->visits.at, by_time);
    for (size_t i = 0; i < reader->visits.len; i++) {
        const struct fg_visit_row *visit = &reader->visits.at[i];
        size_t row = fg_mind_row(mind, (uint64_t)visit->site << 32 | visit->page);
        struct fg_visit told = {.page = row,
                                .now = not_after(now, visit->time),
                                .ok = visit->status >= 200 && visit->status < 400,
                                .changed = visit->changed,
                                .modified = FG_NEVER,
                                .n_fresh = visit->fresh,
                                .bytes = visit->bytes,
                                .cost = 1};
        if (fg_mind_policy(mind)->measures)
            appraising_recall_worth(&told, store, visit);
        fg_mind_observe(mind, &told);
    }
}

static fg_time time_in(struct fg_store *store, const char *name)
{
    struct fg_arena arena = {0};
    struct fg_str bytes;
    fg_time time = FG_NEVER;
    if (!fg_store_state(store, &bytes, &arena, 0, name, NULL) && bytes.len == sizeof time)
        memcpy(&time, bytes.at, sizeof time);
    fg_arena_clear(&arena);
    return time;
}

/* From when on a policy that knows nothing learns: of captures, from the first. */
static fg_time start_of_lessons(struct fg_store *store, fg_time since)
{
    fg_time captured = time_in(store, CAPTURES_STATE);
    since -= learning_span;
    return captured != FG_NEVER && captured < since ? captured : since;
}

/* What a mind has not seen since its state was saved; if it has none, it `learns` from
 * the log of some time. `latest` becomes the time of the last visit, if that is later. */
static enum fg_status recall_visits(struct fg_store *store, struct fg_mind *mind,
                                    bool learns, fg_time now, fg_time *latest,
                                    struct fg_err *err)
{
    fg_time saved = time_in(store, "policy:saved"),
            since = saved == FG_NEVER ? saved : saved + 1;
    struct visit_reader reader = {.latest = saved};
    if (learns && since != FG_NEVER)
        since = start_of_lessons(store, since);
    enum fg_status st = read_visits(store, &reader, mind, since, err);
    if (!st && !learns)
        appraising_recall(mind, store);
    if (!st)
        tell_visits(&reader, store, mind, now);
    if (reader.latest > *latest)
        *latest = reader.latest;
    fg_vec_clear(&reader.visits);
    return st;
}

/* Whatever the saved state says, the policy knows exactly the pages it is to choose from.
 */
static void align_mind(struct fg_crawl *crawl, struct fg_mind *mind, uint32_t flag)
{
    const struct fg_world *world = fg_mind_world(mind);
    for (size_t i = world->n; i-- > 0;)
        if (crawl_row_of(crawl, world->id[i]) == FG_UNKNOWN)
            fg_mind_remove(mind, world->id[i]);
    size_t cursor = 0;
    uint64_t id, row;
    while (fg_map_next(&crawl->minds.row_by_id, &cursor, &id, &row)) {
        const struct fg_known_page *page = &crawl->known.at[row - 1];
        if (page->flags & flag)
            fg_mind_add(mind, id, page->site, page->first_seen);
        else
            fg_mind_remove(mind, id);
    }
}

/* The saved state has the weights of its day; the user may have set others since. */
static void weigh_documents(struct fg_crawl *crawl, const struct fg_map *weights)
{
    const struct fg_world *world = fg_mind_world(crawl->minds.refresh);
    for (size_t i = 0; i < world->n; i++) {
        float weight = kept_weight(weights, world->id[i]);
        if (weight > 0)
            fg_mind_weigh(crawl->minds.refresh, i, weight);
    }
}

static enum fg_status recall_mind_and_visits(struct fg_crawl *crawl, const char *name,
                                             struct fg_mind *mind, uint32_t flag,
                                             fg_time now, struct fg_err *err)
{
    /* The state of another policy, or a damaged one, is not fatal: the policy starts
     * afresh, and the log of visits is still there. */
    bool is_known = !load_mind(mind, crawl->store, name, &crawl->minds.stored, NULL);
    align_mind(crawl, mind, flag);
    if (mind == crawl->minds.refresh)
        fg_told_recall(mind, crawl->store);
    fg_mind_not_after(mind, now);
    return recall_visits(crawl->store, mind, !is_known, now, &crawl->minds.saved, err);
}

static bool take_rule(void *context, const struct fg_value_row *value)
{
    struct fg_crawl *crawl = context;
    uint32_t row = fg_known_row_with(&crawl->known, value->site, value->page);
    if (row != FG_UNKNOWN)
        document_recall_rule(crawl, row, value->rule);
    return true;
}

static enum fg_status recall_pages(struct recalling *recalling, struct fg_err *err)
{
    struct fg_store *store = recalling->crawl->store;
    fg_site_id site = 0;
    enum fg_status st = fg_store_site_of_pages(store, 0, &site, err);
    while (!st && site) {
        st = fg_store_pages(store, site, take_page, recalling, err);
        if (!st)
            st = recalling->status;
        if (!st)
            st = fg_store_site_of_pages(store, site, &site, err);
    }
    return st;
}

static enum fg_status recall_all(struct fg_crawl *crawl, struct recalling *recalling,
                                 struct fg_err *err)
{
    enum fg_status st = fg_store_sites(crawl->store, take_site, recalling, err);
    if (!st)
        st = recalling->status ? recalling->status : recall_pages(recalling, err);
    if (!st)
        st = recall_links(crawl, err);
    for (size_t i = 0; !st && i < crawl->sites.all.len; i++) {
        fg_site_id site = crawl->sites.all.at[i]->id;
        st = fg_store_value_rules(crawl->store, site, take_rule, crawl, err);
        if (!st)
            st = crawl_recall_promises(crawl, site, err);
    }
    if (!st)
        st = crawl_recall_early(crawl, err);
    crawl->minds.saved = FG_NEVER;
    crawl->minds.has_captures = time_in(crawl->store, CAPTURES_STATE) != FG_NEVER;
    if (!st)
        st = recall_mind_and_visits(crawl, discovery_state, crawl->minds.discovery,
                                    FG_PAGE_SOURCE, recalling->now, err);
    if (!st)
        st = recall_mind_and_visits(crawl, refresh_state, crawl->minds.refresh,
                                    FG_PAGE_DOCUMENT, recalling->now, err);
    weigh_documents(crawl, &recalling->weights);
    return st;
}

/* A restart hands out nothing: what was not spent before the last request is gone, and
 * what has come since is that of the time passed. */
static void recall_budget(struct fg_crawl *crawl, fg_time now)
{
    fg_time last = now - MOST_TICKS * crawl->options.budget.tick;
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        struct site *site = crawl->sites.all.at[i];
        fg_time asked = not_after(now, site->host.state.memory.last_request);
        if (asked == FG_NEVER)
            continue;
        site->budget.allowance = site_budget(crawl, site) > 0
                                     ? site_budget(crawl, site) * fg_hours(now - asked)
                                     : site->budget.allowance;
        last = asked > last ? asked : last;
    }
    crawl->budget.tick_started = last;
}

enum fg_status crawl_recall(struct fg_crawl *crawl, struct fg_err *err)
{
    struct recalling recalling = {crawl, fg_clock_now(crawl->clock), FG_OK, err, {0}};
    enum fg_status st = recall_all(crawl, &recalling, err);
    if (!st)
        recall_budget(crawl, recalling.now);
    recall_arms(crawl);
    strangers_recall(crawl);
    fg_map_clear(&recalling.weights);
    return st;
}

/* --- for those who only look --- */

/* What is told to the refresh policy and not saved with it. */
struct telling {
    struct fg_mind *mind;
    struct fg_siblings siblings;
    bool is_counted; /* all documents are: now each is put into its group */
};

static bool tell_document(void *context, const struct fg_page_row *page)
{
    struct telling *telling = context;
    if (!(page->flags & FG_PAGE_DOCUMENT))
        return true;
    size_t row = fg_mind_row(telling->mind, (uint64_t)page->site << 32 | page->page);
    if (!telling->is_counted) {
        fg_siblings_count(&telling->siblings, page->url);
    } else if (row != FG_NO_ROW) {
        fg_mind_weigh(telling->mind, row, page->weight);
        fg_mind_group(telling->mind, row,
                      fg_siblings_group(&telling->siblings, page->url));
    }
    return true;
}

static enum fg_status tell_documents(struct fg_mind *mind, struct fg_store *store,
                                     const struct fg_crawl_options *options,
                                     struct fg_err *err)
{
    struct telling telling = {.mind = mind};
    fg_mind_budget(mind, options->budget.per_hour * fg_hours(options->budget.tick) *
                             FG_DOCUMENTS_FOR_SURE);
    enum fg_status st = fg_store_pages(store, 0, tell_document, &telling, err);
    telling.is_counted = true;
    if (!st)
        st = fg_store_pages(store, 0, tell_document, &telling, err);
    fg_siblings_clear(&telling.siblings);
    return st;
}

/* By the policy that saved it, whichever is wanted now. */
static enum fg_status load_saved(struct fg_mind **mind, struct fg_store *store,
                                 const struct fg_crawl_options *options,
                                 enum fg_task task, struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_str shared = {0};
    enum fg_status st =
        fg_store_state(store, &shared, &arena, 0,
                       task == FG_DISCOVERY ? discovery_state : refresh_state, err);
    if (!st && !shared.len) /* an import has emptied it */
        st = fg_fail(err, FG_ENOTFOUND, "no policy has left its state");
    const struct fg_policy *policy = st ? NULL : fg_mind_policy_of(shared, task);
    fg_arena_clear(&arena);
    if (!st && (!policy || crawl_mind_new(mind, policy, options, task, NULL) ||
                fg_crawl_load_mind(*mind, store, task == FG_DISCOVERY, NULL))) {
        fg_mind_free(*mind);
        *mind = NULL;
        st = fg_fail(err, FG_EINPUT, "no policy here can read what was saved");
    }
    return st;
}

struct beginning {
    struct fg_mind *mind;
    uint32_t flag;
};

static bool add_to_mind(void *context, const struct fg_page_row *page)
{
    const struct beginning *beginning = context;
    if (page->flags & beginning->flag)
        fg_mind_add(beginning->mind, (uint64_t)page->site << 32 | page->page, page->site,
                    page->first_seen);
    return true;
}

static enum fg_status begin_afresh(struct fg_mind **mind, struct fg_store *store,
                                   const struct fg_crawl_options *options,
                                   const struct fg_policy *policy, enum fg_task task,
                                   struct fg_err *err)
{
    enum fg_status st = crawl_mind_new(mind, policy, options, task, err);
    struct beginning beginning = {*mind, task == FG_DISCOVERY ? FG_PAGE_SOURCE
                                                              : FG_PAGE_DOCUMENT};
    return st ? st : fg_store_pages(store, 0, add_to_mind, &beginning, err);
}

enum fg_status fg_crawl_recall_mind(struct fg_mind **mind, struct fg_store *store,
                                    const struct fg_crawl_options *options,
                                    bool is_discovery, struct fg_err *err)
{
    *mind = NULL;
    enum fg_task task = is_discovery ? FG_DISCOVERY : FG_REFRESH;
    const struct fg_policy *wanted =
        fg_policy_find(fg_str_from(is_discovery ? options->policies.discovery
                                                : options->policies.refresh),
                       task);
    enum fg_status st = load_saved(mind, store, options, task, err);
    bool learns =
        st == FG_ENOTFOUND && wanted && time_in(store, CAPTURES_STATE) != FG_NEVER;
    if (learns)
        st = begin_afresh(mind, store, options, wanted, task, err);
    fg_time latest = FG_NEVER;
    if (!st && !is_discovery)
        st = tell_documents(*mind, store, options, err);
    if (!st && !is_discovery)
        fg_told_recall(*mind, store);
    return st ? st : recall_visits(store, *mind, learns, INT64_MAX, &latest, err);
}
