#include "policy/discovery/recrawl.h"

#include <string.h>

void fg_recrawl_init(struct fg_recrawl *recrawl, size_t column)
{
    *recrawl = (struct fg_recrawl){.column = column, .since = FG_NEVER};
}

void fg_recrawl_clear(struct fg_recrawl *recrawl)
{
    fg_vec_clear(&recrawl->links);
    fg_vec_clear(&recrawl->ends);
    fg_map_clear(&recrawl->found);
}

static void note(struct fg_recrawl *recrawl, uint64_t link, uint64_t *showed_by)
{
    if (*showed_by == recrawl->ends.len + 1)
        return;
    *showed_by = recrawl->ends.len + 1;
    fg_vec_push(&recrawl->links, link);
}

void fg_recrawl_observe(struct fg_recrawl *recrawl, struct fg_brain *brain,
                        const struct fg_visit *visit)
{
    uint32_t *run = &brain->u32[recrawl->column][visit->page];
    if (!recrawl->is_running || !visit->ok || *run)
        return;
    bool has_room =
        recrawl->links.len + visit->n_added + visit->n_fresh < (size_t)FG_RECRAWL_LINKS;
    for (size_t i = 0; visit->fresh && has_room && i < visit->n_fresh; i++)
        note(recrawl, visit->fresh[i], fg_map_put(&recrawl->found, visit->fresh[i]));
    for (size_t i = 0; visit->added && has_room && i < visit->n_added; i++) {
        uint64_t *showed_by = fg_map_get(&recrawl->found, visit->added[i]);
        if (showed_by)
            note(recrawl, visit->added[i], showed_by);
    }
    fg_vec_push(&recrawl->ends, recrawl->links.len);
    *run = (uint32_t)recrawl->ends.len;
}

static bool is_untried(const struct fg_recrawl *recrawl, const struct fg_world *world,
                       size_t page)
{
    return world->last_try[page] == FG_NEVER || world->last_try[page] < recrawl->since;
}

bool fg_recrawl_is_done(const struct fg_recrawl *recrawl, const struct fg_brain *brain)
{
    const struct fg_world *world = brain->world;
    if (!recrawl->is_running || !recrawl->ends.len)
        return false;
    for (size_t i = 0; i < world->n; i++)
        if (world->added[i] <= recrawl->since && !world->is_blocked[i] &&
            is_untried(recrawl, world, i))
            return false;
    return true;
}

static void forget(struct fg_recrawl *recrawl, struct fg_brain *brain)
{
    fg_recrawl_clear(recrawl);
    if (brain->world->n)
        memset(brain->u32[recrawl->column], 0, brain->world->n * sizeof(uint32_t));
    recrawl->is_running = false;
}

void fg_recrawl_go_on(struct fg_recrawl *recrawl, struct fg_brain *brain, fg_time now)
{
    bool is_own = recrawl->every_hours > 0;
    if (recrawl->is_running && (!is_own || fg_recrawl_is_done(recrawl, brain)))
        forget(recrawl, brain);
    if (recrawl->is_running)
        return;
    if (!is_own || recrawl->since == FG_NEVER ||
        ((double)now - (double)recrawl->since) / (double)FG_HOUR >=
            recrawl->every_hours) {
        recrawl->is_running = true;
        recrawl->since = now;
    }
}

bool fg_recrawl_wants(const struct fg_recrawl *recrawl, const struct fg_brain *brain,
                      size_t page)
{
    return recrawl->is_running && recrawl->every_hours > 0 &&
           is_untried(recrawl, brain->world, page);
}

size_t fg_recrawl_links(const struct fg_recrawl *recrawl, const struct fg_brain *brain,
                        size_t page, const uint64_t **links)
{
    uint32_t run = brain->u32[recrawl->column][page];
    *links = NULL;
    if (!run || run > recrawl->ends.len)
        return 0;
    uint64_t start = run > 1 ? recrawl->ends.at[run - 2] : 0;
    *links = recrawl->links.at + start;
    return (size_t)(recrawl->ends.at[run - 1] - start);
}

/* --- saving: what is plain, then the two arrays with their lengths --- */

struct plain {
    fg_time since;
    uint64_t is_running, links, ends;
};

void fg_recrawl_save(const struct fg_recrawl *recrawl, struct fg_buf *out)
{
    struct plain plain = {recrawl->since, recrawl->is_running, recrawl->links.len,
                          recrawl->ends.len};
    fg_buf_add(out, (struct fg_str){(const char *)&plain, sizeof plain});
    if (plain.links)
        fg_buf_add(out, (struct fg_str){(const char *)recrawl->links.at,
                                        plain.links * sizeof(uint64_t)});
    if (plain.ends)
        fg_buf_add(out, (struct fg_str){(const char *)recrawl->ends.at,
                                        plain.ends * sizeof(uint64_t)});
}

static uint64_t take_u64(struct fg_str *rest)
{
    uint64_t value;
    memcpy(&value, rest->at, sizeof value);
    *rest = fg_str_skip(*rest, sizeof value);
    return value;
}

/* A run is one page's, so that the links of all pages are no more than there are. */
static bool runs_differ(const struct fg_recrawl *recrawl, const struct fg_brain *brain)
{
    const uint32_t *run = brain->u32[recrawl->column];
    struct fg_map seen = {0};
    bool is_good = true;
    for (size_t i = 0; is_good && i < brain->world->n; i++) {
        is_good = run[i] <= recrawl->ends.len && (!run[i] || !fg_map_get(&seen, run[i]));
        if (run[i])
            *fg_map_put(&seen, run[i]) = 1;
    }
    fg_map_clear(&seen);
    return is_good;
}

static bool load(struct fg_recrawl *recrawl, const struct fg_brain *brain,
                 struct fg_str *rest)
{
    struct plain plain;
    if (rest->len < sizeof plain)
        return false;
    memcpy(&plain, rest->at, sizeof plain);
    *rest = fg_str_skip(*rest, sizeof plain);
    size_t words = rest->len / sizeof(uint64_t);
    if (plain.links > words || plain.ends > words - plain.links)
        return false;
    fg_recrawl_clear(recrawl);
    recrawl->since = plain.since;
    recrawl->is_running = plain.is_running != 0;
    for (uint64_t i = 0; i < plain.links; i++) {
        uint64_t link = take_u64(rest);
        fg_vec_push(&recrawl->links, link);
        fg_map_put(&recrawl->found, link);
    }
    for (uint64_t i = 0, last = 0; i < plain.ends; i++) {
        uint64_t end = take_u64(rest);
        if (end < last || end > plain.links)
            return false;
        fg_vec_push(&recrawl->ends, end);
        last = end;
    }
    return runs_differ(recrawl, brain);
}

bool fg_recrawl_load(struct fg_recrawl *recrawl, struct fg_brain *brain,
                     struct fg_str *rest)
{
    if (load(recrawl, brain, rest))
        return true;
    forget(recrawl, brain);
    return false;
}
