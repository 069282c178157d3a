/* The feeds of a running crawl: a thread of their own writes them, because a file is
 * synced before it takes the place of the old one, and the loop must not wait for that.
 * The loop only says that there is something new; the thread reads the store. What goes
 * wrong (a full disk, a folder that is gone) is tried again at the next time. */
#include "crawl/output/feeds.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "net/url/url.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- settings --- */

static enum fg_status check_query(struct fg_str text, struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_query query;
    enum fg_status st = fg_query_parse(&query, &arena, text, err);
    fg_arena_clear(&arena);
    return st;
}

static const char *refuse_base(struct fg_str text)
{
    struct fg_arena arena = {0};
    struct fg_url url;
    bool ok = fg_url_parse(&url, &arena, text, NULL) && fg_url_is_http(&url);
    fg_arena_clear(&arena);
    return ok || !text.len ? NULL : "is not an http or https address";
}

/* What cannot be made is named before a crawl fails over it. */
static enum fg_status check_folder(const char *dir, struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct stat info;
    bool is_there = stat(dir, &info) == 0;
    enum fg_status st =
        fg_folder_check(is_there ? dir : fg_file_folder(&arena, dir), err);
    fg_arena_clear(&arena);
    return st ? fg_err_within(err, FG_ECONFIG, "feeds.dir") : FG_OK;
}

static enum fg_status check(const void *settings, struct fg_err *err)
{
    const struct fg_feeds_settings *own = settings;
    struct fg_arena arena = {0};
    struct fg_query *queries;
    enum fg_status st = fg_queries_parse(&queries, &arena, &own->queries, err);
    fg_arena_clear(&arena);
    return !st && own->dir.len ? check_folder(own->dir.at, err) : st;
}

#define ROW(type, member) type(struct fg_feeds_settings, member)

static const struct fg_opt opts[] = {
    {"feeds.dir", ROW(FG_STRING, dir), .arg = "DIR", .is_live = true,
     .help = "keep feeds of sites, tags, queries and documents in this folder"},
    {"feeds.url", ROW(FG_STRING, url), .arg = "URL", .refuse = refuse_base,
     .is_live = true,
     .help = "where readers find that folder; feeds then say their own address"},
    {"feeds.items", ROW(FG_INT, items), "100", .min = 1, .max = 100000, .is_live = true,
     .help = "newest entries in one feed"},
    {"feeds.every", ROW(FG_SPAN, every), "1m", .min = (double)FG_MILLISECOND,
     .max = (double)FG_DAY, .is_live = true,
     .help = "minimum time between two writings of the feeds"},
    {"feeds.queries", ROW(FG_LIST, queries), .arg = "QUERY,...", .check = check_query,
     .is_live = true,
     .help = "further feeds: NAME and conditions, such as 'cheap tag=shop kind=changed'"},
    {0},
};

/* --- the thread --- */

struct publisher {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool has_news, is_ending, is_over; /* under the lock */
    struct fg_feeds *feeds;            /* the thread's */
    fg_time every;
    struct fg_err err; /* under the lock: of the last writing */
};

static struct fg_err write_feeds(struct publisher *publisher)
{
    struct fg_err err = {0};
    err.status = fg_feeds_update(publisher->feeds, &err);
    if (!err.status)
        err.status = fg_feeds_write(publisher->feeds, &err);
    return err;
}

/* Until `every` has passed since the last writing, or the end has come. */
static void rest(struct publisher *publisher)
{
    fg_time until = fg_time_monotonic() + publisher->every;
    struct timespec at = {until / FG_SECOND, until % FG_SECOND * 1000};
    while (!publisher->is_ending &&
           pthread_cond_timedwait(&publisher->changed, &publisher->lock, &at) == 0)
        ;
}

static void *run(void *context)
{
    struct publisher *publisher = context;
    pthread_mutex_lock(&publisher->lock);
    for (;;) {
        while (!publisher->has_news && !publisher->is_ending)
            pthread_cond_wait(&publisher->changed, &publisher->lock);
        if (!publisher->has_news)
            break;
        publisher->has_news = false;
        pthread_mutex_unlock(&publisher->lock);
        struct fg_err err = write_feeds(publisher);
        pthread_mutex_lock(&publisher->lock);
        publisher->err = err;
        rest(publisher);
    }
    publisher->is_over = true;
    pthread_mutex_unlock(&publisher->lock);
    return NULL;
}

/* --- as an output --- */

static enum fg_status open_feeds(void **output, const struct fg_output_env *env,
                                 const void *settings, struct fg_err *err)
{
    const struct fg_feeds_settings *own = settings;
    struct fg_feeds *feeds;
    if (!own || !own->dir.len)
        return FG_OK;
    enum fg_status st = fg_feeds_new(&feeds, env->store, own, own->dir.at, err);
    if (st)
        return st;
    struct publisher *publisher = fg_zeroed(1, sizeof *publisher);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&publisher->lock, NULL);
    pthread_cond_init(&publisher->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    publisher->feeds = feeds;
    publisher->every = own->every;
    publisher->has_news = true; /* perhaps of the last run */
    int code = pthread_create(&publisher->thread, NULL, run, publisher);
    if (!code) {
        *output = publisher;
        return FG_OK;
    }
    fg_feeds_free(feeds);
    pthread_cond_destroy(&publisher->changed);
    pthread_mutex_destroy(&publisher->lock);
    free(publisher);
    return fg_fail(err, FG_EIO, "cannot start a thread for feeds: %s", strerror(code));
}

/* How the last writing went, and that there may be something new. */
static enum fg_status poke(void *output, struct fg_err *err)
{
    struct publisher *publisher = output;
    pthread_mutex_lock(&publisher->lock);
    publisher->has_news = true;
    *err = publisher->err;
    pthread_cond_signal(&publisher->changed);
    pthread_mutex_unlock(&publisher->lock);
    return err->status;
}

/* They are written once more. */
static void drain(void *output, bool hands_on)
{
    (void)hands_on;
    struct publisher *publisher = output;
    pthread_mutex_lock(&publisher->lock);
    publisher->has_news |= !publisher->is_ending;
    publisher->is_ending = true;
    pthread_cond_signal(&publisher->changed);
    pthread_mutex_unlock(&publisher->lock);
}

static bool is_busy(const void *output)
{
    struct publisher *publisher = (struct publisher *)output;
    pthread_mutex_lock(&publisher->lock);
    bool is_writing = publisher->is_ending && !publisher->is_over;
    pthread_mutex_unlock(&publisher->lock);
    return is_writing;
}

static void close_feeds(void *output)
{
    struct publisher *publisher = output;
    drain(publisher, true);
    pthread_join(publisher->thread, NULL);
    if (publisher->err.status)
        fg_log_warn("feeds", "not written", FG_F("why", publisher->err.text));
    fg_feeds_free(publisher->feeds);
    pthread_cond_destroy(&publisher->changed);
    pthread_mutex_destroy(&publisher->lock);
    free(publisher);
}

const struct fg_output_kind fg_output_feeds = {
    .name = "feeds",
    .opts = opts,
    .settings_size = sizeof(struct fg_feeds_settings),
    .check = check,
    .open = open_feeds,
    .poke = poke,
    .drain = drain,
    .busy = is_busy,
    .close = close_feeds,
};
