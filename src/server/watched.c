#include "server/watched.h"

#include "base/map.h"
#include "base/memory.h"
#include "crawl/sites/site_row.h"
#include "server/ask.h"
#include "server/inside.h"

#include <pthread.h>
#include <stdlib.h>

static const fg_time good_for = FG_SECOND;

struct fg_watched {
    pthread_mutex_t lock;
    struct fg_arena arena;
    struct fg_names by_key;
    fg_time read_at,
        now; /* by a clock that only goes on; FG_NEVER: not yet; the crawl's */
};

struct fg_watched *fg_watched_new(void)
{
    struct fg_watched *watched = fg_zeroed(1, sizeof *watched);
    pthread_mutex_init(&watched->lock, NULL);
    watched->read_at = FG_NEVER;
    return watched;
}

void fg_watched_free(struct fg_watched *watched)
{
    if (!watched)
        return;
    fg_arena_clear(&watched->arena);
    pthread_mutex_destroy(&watched->lock);
    free(watched);
}

static bool is_watched(const struct fg_site_row *site)
{
    return (site->state == SITE_EXPLORING || site->state == SITE_WATCHED) &&
           !fg_site_is_removed(site);
}

static enum fg_status read_all(struct fg_watched *watched,
                               struct fg_http_request *request, struct fg_err *err)
{
    struct fg_look look;
    enum fg_status st = fg_ask_open(&look, request, err);
    if (st)
        return st;
    fg_arena_clear(&watched->arena);
    watched->by_key = (struct fg_names){.arena = &watched->arena};
    for (size_t i = 0; i < look.n_sites; i++)
        if (is_watched(&look.sites[i]))
            *fg_names_put(&watched->by_key, look.sites[i].key) = look.sites[i].site;
    watched->now = look.now;
    watched->read_at = fg_time_monotonic();
    fg_look_close(&look);
    return FG_OK;
}

enum fg_status fg_watched_find(fg_site_id *site, fg_time *now,
                               struct fg_http_request *request, struct fg_str key,
                               struct fg_err *err)
{
    struct fg_watched *watched = request->server->watched;
    enum fg_status st = FG_OK;
    *site = 0;
    pthread_mutex_lock(&watched->lock);
    if (watched->read_at == FG_NEVER ||
        fg_time_monotonic() - watched->read_at >= good_for)
        st = read_all(watched, request, err);
    if (!st) {
        const uint64_t *found = fg_names_get(&watched->by_key, key);
        double speed = request->server->place.crawl->clock.speed;
        fg_time passed = fg_time_monotonic() - watched->read_at;
        *site = found ? (fg_site_id)*found : 0;
        *now = watched->now + (fg_time)((double)passed * speed);
    }
    pthread_mutex_unlock(&watched->lock);
    return st;
}
