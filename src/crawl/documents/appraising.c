#include "crawl/documents/appraising.h"

#include "base/log.h"
#include "base/memory.h"
#include "crawl/documents/aside.h"
#include "crawl/state.h"
#include "search/appraisal.h"

#include <pthread.h>
#include <stdlib.h>

enum { PAUSES = 100 };
static const fg_time least_pause = 5 * FG_SECOND;

/* A visit that waits. */
struct held {
    uint64_t id, number; /* number: of its batch; UINT64_MAX until it has one */
    struct fg_visit visit;
};

struct appraiser {
    struct fg_crawl *crawl;
    struct aside *aside;
    pthread_mutex_t lock;
    struct fg_appraisal *appraisal; /* under the lock */

    struct fg_appraisal_rules
        rules; /* the thread's while it runs, as are the next three */
    uint64_t *id;
    size_t n;
    fg_time took; /* monotonic, as `ended` */

    bool is_watching; /* the loop's, as is the rest */
    fg_time ended;
    FG_VEC(struct held) held;
};

/* --- in the thread that writes --- */

static void measure(void *context, const struct fg_text_terms *was,
                    const struct fg_text_terms *is, struct fg_worth *worth)
{
    struct appraiser *a = context;
    pthread_mutex_lock(&a->lock);
    if (a->appraisal)
        fg_appraisal_measure(a->appraisal, was, is, worth);
    pthread_mutex_unlock(&a->lock);
}

/* --- in the thread that reads --- */

/* What is known of all documents. */
static struct fg_told *told_of(struct appraiser *a, const struct fg_appraisal *appraisal)
{
    struct fg_told *told = fg_zeroed(1, sizeof *told);
    struct fg_stake *stakes = fg_zeroed(a->n + 1, sizeof *stakes);
    struct fg_kept_worth worths[FG_WORTHS_KEPT];
    told->n = a->n;
    told->id = a->id;
    a->id = NULL;
    told->rate[FG_TOLD_EXPOSURE] = fg_zeroed(told->n + 1, sizeof(float));
    told->rate[FG_TOLD_MISSED] = fg_zeroed(told->n + 1, sizeof(float));
    for (size_t i = 0; i < told->n && !atomic_load(a->rules.stop); i++) {
        fg_site_id site = (fg_site_id)(told->id[i] >> 32);
        fg_page_id page = (fg_page_id)told->id[i];
        stakes[i].exposure = fg_appraisal_exposure(appraisal, site, page);
        told->rate[FG_TOLD_EXPOSURE][i] = (float)stakes[i].exposure;
        size_t n = fg_store_worths(a->crawl->store, site, page, worths);
        for (size_t k = 0; k < n; k++)
            fg_stake_add(&stakes[i], &worths[k].worth);
    }
    fg_stakes_missed(told->rate[FG_TOLD_MISSED], stakes, told->n);
    free(stakes);
    return told;
}

static void appraise(void *context)
{
    struct appraiser *a = context;
    struct fg_appraisal *made;
    struct fg_err err = {0};
    fg_time from = fg_time_monotonic();
    enum fg_status st = fg_appraisal_make(&made, a->crawl->store, &a->rules, &err);
    if (st && !atomic_load(a->rules.stop))
        fg_log_warn("crawl", "cannot tell what searchers would miss",
                    FG_F("why", err.text));
    if (!st) {
        struct fg_told *told = made ? told_of(a, made) : NULL;
        pthread_mutex_lock(&a->lock);
        struct fg_appraisal *old = a->appraisal;
        a->appraisal = made;
        pthread_mutex_unlock(&a->lock);
        fg_appraisal_free(old);
        aside_publish(a->aside, told);
    }
    a->took = fg_time_monotonic() - from;
}

/* --- in the loop --- */

static void watch(struct appraiser *a, bool is_wanted)
{
    struct fg_index_watch watch = {
        .context = a,
        .measure = measure,
        .wants_inlinks = a->rules.kind == FG_SCORE_INLINKS,
    };
    if (is_wanted == a->is_watching)
        return;
    fg_store_watch_index(a->crawl->store, is_wanted ? &watch : NULL);
    a->is_watching = is_wanted;
}

static void ended(void *context)
{
    struct appraiser *a = context;
    bool is_there = a->appraisal;
    a->ended = fg_time_monotonic();
    if (is_there && !a->is_watching)
        fg_log_info("crawl", "what searchers would miss is measured",
                    FG_F("queries", fg_appraisal_queries(a->appraisal)));
    watch(a, is_there);
}

static struct appraiser *appraiser_new(struct fg_crawl *crawl)
{
    struct appraiser *a = fg_zeroed(1, sizeof *a);
    a->crawl = crawl;
    a->aside =
        aside_new(crawl, &(struct aside_calls){.work = appraise, .ended = ended}, a);
    pthread_mutex_init(&a->lock, NULL);
    a->rules = (struct fg_appraisal_rules){
        .kind = crawl->options.keeping.worth == FG_WORTH_INLINKS ? FG_SCORE_INLINKS
                                                                 : FG_SCORE_TFIDF,
        .measures_terms = fg_mind_policy(crawl->minds.refresh)->measures_terms,
        .stop = aside_stop(a->aside),
    };
    return a;
}

static void begin(struct appraiser *a)
{
    a->n = aside_documents(a->crawl, &a->id);
    a->rules.today = (int32_t)(fg_clock_now(a->crawl->clock) / FG_DAY);
    aside_begin(a->aside);
    a->ended = fg_time_monotonic();
}

void appraising_tick(struct fg_crawl *crawl)
{
    const struct fg_crawl_options *o = &crawl->options;
    struct appraiser *a = crawl->minds.appraiser;
    if (!o->keeping.search_index || o->keeping.worth == FG_WORTH_NONE || o->run.once ||
        !fg_mind_world(crawl->minds.refresh)->n)
        return;
    if (!a)
        a = crawl->minds.appraiser = appraiser_new(crawl);
    if (aside_is_running(a->aside)) /* what it took is the thread's to write until then */
        return;
    fg_time pause = a->took > least_pause / PAUSES ? PAUSES * a->took : least_pause;
    if (!a->ended || fg_time_monotonic() - a->ended >= pause)
        begin(a);
}

void appraising_end(struct fg_crawl *crawl)
{
    struct appraiser *a = crawl->minds.appraiser;
    if (!a)
        return;
    watch(a, false);
    crawl->minds.appraiser = NULL;
    aside_free(a->aside);
    fg_appraisal_free(a->appraisal);
    fg_vec_clear(&a->held);
    free(a->id);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

/* --- visits that wait --- */

bool appraising_hold(struct fg_crawl *crawl, uint64_t id, const struct fg_visit *visit)
{
    struct appraiser *a = crawl->minds.appraiser;
    if (!a || !a->is_watching || !visit->ok || !visit->changed ||
        !fg_mind_policy(crawl->minds.refresh)->measures)
        return false;
    struct held held = {.id = id, .number = UINT64_MAX, .visit = *visit};
    held.visit.previous = fg_mind_await(crawl->minds.refresh, visit);
    /* The links are gone by then; no policy that measures texts looks at them. */
    held.visit.seen = held.visit.added = held.visit.fresh = held.visit.gone = NULL;
    held.visit.n_seen = held.visit.n_added = held.visit.n_gone = held.visit.n_first = 0;
    fg_vec_push(&a->held, held);
    return true;
}

void appraising_submitted(struct fg_crawl *crawl, uint64_t number)
{
    struct appraiser *a = crawl->minds.appraiser;
    for (size_t i = a ? a->held.len : 0; i-- > 0 && a->held.at[i].number == UINT64_MAX;)
        a->held.at[i].number = number;
}

static void add_worth(struct fg_visit *visit, const struct fg_worth *worth)
{
    visit->is_measured = true;
    visit->distance = worth->distance;
    visit->gain = worth->gain;
    visit->gain_printed = worth->gain_printed;
}

void appraising_durable(struct fg_crawl *crawl, uint64_t durable)
{
    struct appraiser *a = crawl->minds.appraiser;
    size_t n, kept = 0;
    if (!a)
        return;
    struct fg_measured *measured = fg_store_take_measured(crawl->store, &n);
    for (size_t i = 0; i < a->held.len; i++) {
        struct held held = a->held.at[i];
        for (size_t k = 0; k < n; k++)
            if (((uint64_t)measured[k].site << 32 | measured[k].page) == held.id &&
                measured[k].time == held.visit.now)
                add_worth(&held.visit, &measured[k].worth);
        if (held.number > durable) {
            a->held.at[kept++] = held;
            continue;
        }
        held.visit.page = fg_mind_row(crawl->minds.refresh, held.id);
        if (held.visit.page != FG_NO_ROW)
            fg_mind_observe_late(crawl->minds.refresh, &held.visit);
    }
    a->held.len = kept;
    free(measured);
}

/* --- over a restart --- */

struct awaited {
    uint64_t id;
    fg_time time, previous;
};

void appraising_save(const struct fg_crawl *crawl, struct fg_batch *batch)
{
    const struct appraiser *a = crawl->minds.appraiser;
    FG_VEC(struct awaited) all = {0};
    if (!a)
        return;
    for (size_t i = 0; i < a->held.len; i++)
        fg_vec_push(&all, (struct awaited){a->held.at[i].id, a->held.at[i].visit.now,
                                           a->held.at[i].visit.previous});
    struct fg_str bytes = {(const char *)all.at, all.len * sizeof *all.at};
    fg_batch_state(batch, 0, APPRAISING_STATE, all.len ? bytes : FG_STR(""));
    fg_vec_clear(&all);
}

void appraising_recall_worth(struct fg_visit *visit, struct fg_store *store,
                             const struct fg_visit_row *row)
{
    struct fg_kept_worth worths[FG_WORTHS_KEPT];
    size_t n = row->changed ? fg_store_worths(store, row->site, row->page, worths) : 0;
    for (size_t i = 0; i < n; i++)
        if (worths[i].time == row->time)
            add_worth(visit, &worths[i].worth);
}

struct search_for {
    fg_time time;
    struct fg_visit_row row;
    bool is_found;
};

static bool take_visit(void *context, const struct fg_visit_row *row)
{
    struct search_for *wanted = context;
    if (row->time == wanted->time) {
        wanted->row = *row;
        wanted->is_found = true;
    }
    return false;
}

static void recall_one(struct fg_mind *mind, struct fg_store *store,
                       const struct awaited *awaited)
{
    struct search_for wanted = {.time = awaited->time};
    struct fg_visit visit = {.page = fg_mind_row(mind, awaited->id),
                             .now = awaited->time,
                             .previous = awaited->previous,
                             .ok = true,
                             .changed = true,
                             .modified = FG_NEVER,
                             .cost = 1};
    if (visit.page == FG_NO_ROW ||
        fg_store_visits(store, (fg_site_id)(awaited->id >> 32), (fg_page_id)awaited->id,
                        awaited->time, take_visit, &wanted, NULL) ||
        !wanted.is_found)
        return;
    appraising_recall_worth(&visit, store, &wanted.row);
    fg_mind_observe_late(mind, &visit);
}

void appraising_recall(struct fg_mind *mind, struct fg_store *store)
{
    struct fg_arena arena = {0};
    struct fg_str bytes = {0};
    if (fg_mind_policy(mind)->measures &&
        !fg_store_state(store, &bytes, &arena, 0, APPRAISING_STATE, NULL))
        for (size_t at = 0; at + sizeof(struct awaited) <= bytes.len;
             at += sizeof(struct awaited)) {
            struct awaited awaited;
            memcpy(&awaited, bytes.at + at, sizeof awaited);
            recall_one(mind, store, &awaited);
        }
    fg_arena_clear(&arena);
}
