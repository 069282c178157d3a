/* What lomax knows, as bytes. The columns are saved by the frame; here is the rest.
 *
 * Numbers of groups do not outlive the program: they are told anew after a load. So the
 * group that each page had is saved as well, and the first choice after a load, by which
 * time they have been told, gives the groups their new numbers. */
#include "base/memory.h"
#include "policy/refresh/lomax.h"

#include <stdlib.h>
#include <string.h>

struct kept {
    struct fg_lomax_prior prior, told_prior;
    struct fg_lomax_burst burst;
    int64_t day;
    double mean_importance, alpha, mean_budget, visits_a_day;
    double price, steady_price, correction;
    int64_t priced_day;
    fg_time start, tick; /* of the calendar, whose dues are a column; 0: there is none */
    uint64_t sites, groups, pages;
};

static void put(struct fg_buf *out, const void *at, size_t bytes)
{
    fg_buf_add(out, (struct fg_str){at, bytes});
}

void fg_lomax_save(struct fg_brain *brain, struct fg_buf *out)
{
    const struct fg_lomax *self = brain->self;
    struct kept kept;
    memset(&kept, 0, sizeof kept); /* the gaps, too: same state, same bytes */
    kept.prior = self->prior;
    kept.told_prior = self->told_prior;
    kept.burst = self->burst;
    kept.day = self->day;
    kept.mean_importance = self->mean_importance;
    kept.alpha = self->alpha;
    kept.mean_budget = self->mean_budget;
    kept.visits_a_day = self->visits_a_day;
    kept.price = self->queue.price;
    kept.steady_price = self->queue.steady_price;
    kept.correction = self->queue.correction;
    kept.priced_day = self->queue.day;
    kept.start = self->queue.start;
    kept.tick = self->queue.is_on ? self->queue.tick : 0;
    kept.sites = self->signals.n;
    kept.groups = self->groups;
    kept.pages = brain->world->n;
    put(out, &kept, sizeof kept);
    put(out, self->signals.at, kept.sites * sizeof *self->signals.at);
    put(out, self->group, kept.groups * sizeof *self->group);
    put(out, self->groups_then ? self->groups_then : brain->world->group,
        kept.pages * sizeof *self->groups_then);
    fg_lomax_clocks_save(&self->clocks, out);
}

/* `n` things of `size` bytes, or NULL if there are not as many. */
static void *take(struct fg_str *bytes, uint64_t n, size_t size)
{
    if (n > bytes->len / size)
        return NULL;
    void *taken = fg_resized(NULL, n, size);
    if (n)
        memcpy(taken, bytes->at, n * size);
    *bytes = fg_str_skip(*bytes, n * size);
    return taken;
}

bool fg_lomax_load(struct fg_brain *brain, struct fg_str bytes)
{
    struct fg_lomax *self = brain->self;
    struct kept kept;
    if (bytes.len < sizeof kept)
        return false;
    memcpy(&kept, bytes.at, sizeof kept);
    bytes = fg_str_skip(bytes, sizeof kept);
    brain->policy->clear(brain);
    self->prior = kept.prior;
    self->told_prior = kept.told_prior;
    self->burst = kept.burst;
    self->day = kept.day;
    self->mean_importance = kept.mean_importance;
    self->alpha = kept.alpha;
    self->mean_budget = kept.mean_budget;
    self->visits_a_day = kept.visits_a_day;
    self->queue.is_on = kept.tick > 0;
    self->queue.price = kept.price;
    self->queue.steady_price = kept.steady_price;
    self->queue.correction = kept.correction;
    self->queue.day = kept.priced_day;
    self->queue.start = kept.start;
    self->queue.tick = kept.tick;
    self->signals.at = take(&bytes, kept.sites, sizeof *self->signals.at);
    self->signals.n = self->signals.at ? kept.sites : 0;
    self->group = take(&bytes, kept.groups, sizeof *self->group);
    self->groups = self->group ? kept.groups : 0;
    self->groups_then = take(&bytes, kept.pages, sizeof *self->groups_then);
    return self->signals.at && self->group && self->groups_then &&
           kept.pages == brain->world->n && fg_lomax_clocks_load(&self->clocks, &bytes);
}

void fg_lomax_renumber(struct fg_brain *brain)
{
    struct fg_lomax *self = brain->self;
    const struct fg_world *world = brain->world;
    if (!self->groups_then)
        return;
    size_t then = self->groups;
    struct fg_lomax_group *group = self->group;
    uint32_t *to = fg_resized(NULL, then, sizeof *to);
    memset(to, 0xFF, then * sizeof *to);
    self->group = NULL;
    self->groups = 0;
    fg_lomax_grow_groups(self, world->groups);
    for (size_t page = 0; page < world->n; page++) {
        uint32_t from = self->groups_then[page];
        if (from >= then || to[from] != UINT32_MAX)
            continue;
        to[from] = world->group[page];
        self->group[to[from]] = group[from];
    }
    fg_lomax_clocks_renumber(&self->clocks, to, then);
    free(to);
    free(group);
    free(self->groups_then);
    self->groups_then = NULL;
}
