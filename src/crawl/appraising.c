#include "crawl/appraising.h"

#include "base/log.h"
#include "base/memory.h"
#include "crawl/state.h"
#include "crawl/told.h"
#include "search/appraisal.h"

#include <event2/event.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

enum { A_TURN = 20000, NICE = 10, PAUSES = 100 };
static const fg_time least_pause = 5 * FG_SECOND;

/* A visit that waits. */
struct held {
    uint64_t id, number; /* number: of its batch; UINT64_MAX until it has one */
    struct fg_visit visit;
};

struct appraiser {
    pthread_mutex_t lock;
    struct fg_appraisal *appraisal; /* under the lock, as the next two */
    struct fg_told *fresh;          /* published and not yet taken */
    bool is_done;                   /* the thread has come to its end */
    atomic_bool stop;
    int wakeup; /* eventfd */

    pthread_t thread; /* what follows is the thread's while it runs */
    struct fg_store *store;
    struct fg_appraisal_rules rules;
    uint64_t *id;
    size_t n;
    fg_time took; /* monotonic, as `ended` */

    struct event *event; /* the loop's, as is the rest */
    struct fg_told *telling;
    bool is_running, is_watching;
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

static void wake(struct appraiser *a)
{
    uint64_t one = 1;
    ssize_t put = write(a->wakeup, &one, sizeof one);
    (void)put;
}

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
    for (size_t i = 0; i < told->n && !atomic_load(&a->stop); i++) {
        fg_site_id site = (fg_site_id)(told->id[i] >> 32);
        fg_page_id page = (fg_page_id)told->id[i];
        stakes[i].exposure = fg_appraisal_exposure(appraisal, site, page);
        told->rate[FG_TOLD_EXPOSURE][i] = (float)stakes[i].exposure;
        size_t n = fg_store_worths(a->store, site, page, worths);
        for (size_t k = 0; k < n; k++)
            fg_stake_add(&stakes[i], &worths[k].worth);
    }
    fg_stakes_missed(told->rate[FG_TOLD_MISSED], stakes, told->n);
    free(stakes);
    return told;
}

static void publish(struct appraiser *a, struct fg_appraisal *made, struct fg_told *told)
{
    pthread_mutex_lock(&a->lock);
    struct fg_appraisal *old = a->appraisal;
    struct fg_told *untold = a->fresh;
    a->appraisal = made;
    a->fresh = told;
    pthread_mutex_unlock(&a->lock);
    fg_appraisal_free(old);
    fg_told_free(untold);
}

static void *run(void *context)
{
    struct appraiser *a = context;
    struct fg_appraisal *made;
    struct fg_err err = {0};
    fg_time from = fg_time_monotonic();
    setpriority(PRIO_PROCESS, (id_t)gettid(), NICE); /* of this thread, in Linux */
    enum fg_status st = fg_appraisal_make(&made, a->store, &a->rules, &err);
    if (st && !atomic_load(&a->stop))
        fg_log_warn("crawl", "cannot tell what searchers would miss",
                    FG_F("why", err.text));
    if (!st)
        publish(a, made, made ? told_of(a, made) : NULL);
    a->took = fg_time_monotonic() - from;
    pthread_mutex_lock(&a->lock);
    a->is_done = true;
    pthread_mutex_unlock(&a->lock);
    wake(a);
    return NULL;
}

/* --- in the loop --- */

static void tell_some(struct fg_crawl *crawl)
{
    struct appraiser *a = crawl->minds.appraiser;
    if (!a->telling)
        return;
    if (fg_told_to_mind(a->telling, crawl->minds.refresh, A_TURN)) {
        event_active(a->event, EV_TIMEOUT, 1);
        return;
    }
    fg_told_free(a->telling);
    a->telling = NULL;
}

static void watch(struct fg_crawl *crawl, bool is_wanted)
{
    struct appraiser *a = crawl->minds.appraiser;
    struct fg_index_watch watch = {
        .context = a,
        .measure = measure,
        .wants_inlinks = a->rules.kind == FG_SCORE_INLINKS,
    };
    if (is_wanted == a->is_watching)
        return;
    fg_store_watch_index(crawl->store, is_wanted ? &watch : NULL);
    a->is_watching = is_wanted;
}

static void on_news(evutil_socket_t fd, short what, void *context)
{
    struct fg_crawl *crawl = context;
    struct appraiser *a = crawl->minds.appraiser;
    uint64_t count;
    if (what & EV_READ) {
        ssize_t got = read(fd, &count, sizeof count);
        (void)got;
    }
    pthread_mutex_lock(&a->lock);
    if (a->fresh) {
        fg_told_free(a->telling);
        a->telling = a->fresh;
        a->fresh = NULL;
    }
    bool is_done = a->is_done, is_there = a->appraisal;
    size_t queries = is_there ? fg_appraisal_queries(a->appraisal) : 0;
    pthread_mutex_unlock(&a->lock);
    if (is_done && a->is_running) {
        pthread_join(a->thread, NULL);
        a->is_running = false;
        a->ended = fg_time_monotonic();
        if (is_there && !a->is_watching)
            fg_log_info("crawl", "what searchers would miss is measured",
                        FG_F("queries", queries));
        watch(crawl, is_there);
    }
    tell_some(crawl);
}

static struct appraiser *appraiser_new(struct fg_crawl *crawl)
{
    struct appraiser *a = fg_zeroed(1, sizeof *a);
    pthread_mutex_init(&a->lock, NULL);
    a->wakeup = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    a->store = crawl->store;
    a->rules = (struct fg_appraisal_rules){
        .kind = crawl->options.keeping.worth == FG_WORTH_INLINKS ? FG_SCORE_INLINKS
                                                                 : FG_SCORE_TFIDF,
        .measures_terms = fg_mind_policy(crawl->minds.refresh)->measures_terms,
        .stop = &a->stop,
    };
    a->event =
        event_new(crawl->run.loop, a->wakeup, EV_READ | EV_PERSIST, on_news, crawl);
    event_add(a->event, NULL);
    return a;
}

static void begin(struct fg_crawl *crawl)
{
    struct appraiser *a = crawl->minds.appraiser;
    const struct fg_world *world = fg_mind_world(crawl->minds.refresh);
    a->n = world->n;
    a->id = fg_resized(a->id, a->n, sizeof *a->id);
    memcpy(a->id, world->id, a->n * sizeof *a->id);
    a->rules.today = (int32_t)(fg_clock_now(crawl->clock) / FG_DAY);
    a->is_done = false;
    a->is_running = pthread_create(&a->thread, NULL, run, a) == 0;
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
    if (a->is_running) /* what it took is the thread's to write until then */
        return;
    fg_time pause = a->took > least_pause / PAUSES ? PAUSES * a->took : least_pause;
    if (!a->ended || fg_time_monotonic() - a->ended >= pause)
        begin(crawl);
}

void appraising_end(struct fg_crawl *crawl)
{
    struct appraiser *a = crawl->minds.appraiser;
    if (!a)
        return;
    watch(crawl, false);
    crawl->minds.appraiser = NULL;
    event_free(a->event);
    atomic_store(&a->stop, true);
    if (a->is_running)
        pthread_join(a->thread, NULL);
    fg_appraisal_free(a->appraisal);
    fg_told_free(a->fresh);
    fg_told_free(a->telling);
    fg_vec_clear(&a->held);
    free(a->id);
    pthread_mutex_destroy(&a->lock);
    close(a->wakeup);
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
