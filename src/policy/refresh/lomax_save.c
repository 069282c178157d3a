/* What lomax knows, as bytes. The columns are saved by the frame; here is the rest.
 *
 * Numbers of groups do not outlive the program: they are told anew after a load. So the
 * group that each page had is saved by the frame, and the first choice after a load, by
 * which time they have been told, gives the groups their new numbers. */
#include "base/memory.h"
#include "policy/refresh/lomax.h"

#include <stdlib.h>
#include <string.h>

struct kept_queue {
    fg_time start, tick; /* of the calendar, whose dues are a column; 0: there is none */
    double price, steady_price, correction, prior_time;
    int64_t day;
    uint64_t chosen, chosen_before, chosen_then, barred, sites;
};

struct kept {
    uint64_t size; /* of this, which tells states of other versions */
    struct fg_lomax_prior prior, told_prior;
    struct fg_lomax_burst burst;
    int64_t day;
    double mean_importance, alpha, least_weight, mean_budget, visits_a_day;
    struct kept_queue queue;
    uint64_t most_clocks, sites, groups, pages;
    /* In a former state so many prices and signals of sites and groups of pages follow,
     * which the frame has by now: 0. */
};

static void put(struct fg_buf *out, const void *at, size_t bytes)
{
    fg_buf_add(out, (struct fg_str){at, bytes});
}

static struct kept_queue keep_queue(const struct fg_lomax_queue *queue)
{
    return (struct kept_queue){
        .start = queue->start,
        .tick = queue->is_on ? queue->tick : 0,
        .price = queue->price,
        .steady_price = queue->steady_price,
        .correction = queue->correction,
        .prior_time = queue->prior_time,
        .day = queue->day,
        .chosen = queue->chosen,
        .chosen_before = queue->chosen_before,
        .chosen_then = queue->chosen_then,
        .barred = queue->barred,
    };
}

static void recall_queue(struct fg_lomax_queue *queue, const struct kept_queue *kept)
{
    queue->is_on = kept->tick > 0;
    queue->start = kept->start;
    queue->tick = kept->tick;
    queue->price = kept->price;
    queue->steady_price = kept->steady_price;
    queue->correction = kept->correction;
    queue->prior_time = kept->prior_time;
    queue->day = kept->day;
    queue->chosen = kept->chosen;
    queue->chosen_before = kept->chosen_before;
    queue->chosen_then = kept->chosen_then;
    queue->barred = kept->barred;
}

void fg_lomax_save(struct fg_brain *brain, struct fg_buf *out)
{
    const struct fg_lomax *self = brain->self;
    struct kept kept;
    fg_lomax_renumber(brain); /* the frame saves the groups of pages as they are now */
    memset(&kept, 0, sizeof kept); /* the gaps, too: same state, same bytes */
    kept.size = sizeof kept;
    kept.prior = self->prior;
    kept.told_prior = self->told_prior;
    kept.burst = self->burst;
    kept.day = self->day;
    kept.mean_importance = self->mean_importance;
    kept.alpha = self->alpha;
    kept.least_weight = self->least_weight;
    kept.mean_budget = self->mean_budget;
    kept.visits_a_day = self->visits_a_day;
    kept.queue = keep_queue(&self->queue);
    kept.most_clocks = self->clocks.most;
    kept.groups = self->groups;
    put(out, &kept, sizeof kept);
    put(out, self->group, kept.groups * sizeof *self->group);
    fg_lomax_clocks_save(&self->clocks, out);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Each clock of the groups that these pages are in, once. */
static void save_clocks(struct fg_brain *brain, const uint32_t *rows, size_t n,
                        struct fg_buf *out)
{
    const struct fg_lomax_clocks *clocks = &((struct fg_lomax *)brain->self)->clocks;
    uint32_t *groups = fg_resized(NULL, n, sizeof *groups);
    for (size_t i = 0; i < n; i++)
        groups[i] = brain->world->group[rows[i]];
    qsort(groups, n, sizeof *groups, by_number);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || groups[i] != groups[i - 1])
            fg_lomax_clock_save(clocks, groups[i], out);
    free(groups);
}

void fg_lomax_save_site(struct fg_brain *brain, const uint32_t *rows, size_t n,
                        struct fg_buf *learnt, struct fg_buf *passing)
{
    const struct fg_lomax *self = brain->self;
    uint32_t site = brain->world->site[rows[0]];
    float price = site < self->queue.sites ? self->queue.site_price[site] : 1;
    if (site < self->signals.n)
        put(learnt, &self->signals.at[site], sizeof *self->signals.at);
    put(passing, &price, sizeof price);
    save_clocks(brain, rows, n, passing);
}

bool fg_lomax_load_site(struct fg_brain *brain, const uint32_t *rows, size_t n,
                        struct fg_str learnt, struct fg_str passing)
{
    struct fg_lomax *self = brain->self;
    uint32_t site = brain->world->site[rows[0]];
    float price = 1;
    (void)n; /* the columns have what is known of the rows */
    if (learnt.len) {
        fg_lomax_signals_saw(&self->signals, site);
        fg_str_take(&learnt, &self->signals.at[site], sizeof *self->signals.at);
    }
    if (fg_str_take(&passing, &price, sizeof price) && price > 1) {
        fg_lomax_queue_sites(&self->queue, brain->world->sites);
        self->queue.site_price[site] = price;
    }
    while (passing.len && fg_lomax_clock_load(&self->clocks, &passing))
        ;
    return true;
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

static bool take_arrays(struct fg_lomax *self, const struct fg_world *world,
                        const struct kept *kept, struct fg_str *bytes)
{
    struct fg_lomax_queue *queue = &self->queue;
    queue->site_price = take(bytes, kept->queue.sites, sizeof *queue->site_price);
    queue->sites = queue->site_price ? kept->queue.sites : 0;
    self->signals.at = take(bytes, kept->sites, sizeof *self->signals.at);
    self->signals.n = self->signals.at ? kept->sites : 0;
    self->group = take(bytes, kept->groups, sizeof *self->group);
    self->groups = self->group ? kept->groups : 0;
    struct fg_str groups = {(const char *)world->group, world->n * sizeof(uint32_t)};
    self->groups_then =
        take(kept->pages ? bytes : &groups, world->n, sizeof *self->groups_then);
    self->pages_then = self->groups_then ? world->n : 0;
    return queue->site_price && self->signals.at && self->group && self->groups_then &&
           fg_lomax_clocks_load(&self->clocks, bytes, kept->pages > 0, kept->groups);
}

bool fg_lomax_load(struct fg_brain *brain, struct fg_str bytes)
{
    struct fg_lomax *self = brain->self;
    struct kept kept;
    if (bytes.len < sizeof kept)
        return false;
    memcpy(&kept, bytes.at, sizeof kept);
    bytes = fg_str_skip(bytes, sizeof kept);
    if (kept.size != sizeof kept || kept.queue.sites > brain->world->sites ||
        (kept.pages && kept.pages != brain->world->n))
        return false;
    brain->policy->clear(brain);
    self->prior = kept.prior;
    self->told_prior = kept.told_prior;
    self->burst = kept.burst;
    self->day = kept.day;
    self->mean_importance = kept.mean_importance;
    self->alpha = kept.alpha;
    self->least_weight = kept.least_weight;
    self->mean_budget = kept.mean_budget;
    self->mean_weight = kept.least_weight * 1e6; /* least_share of lomax.c */
    self->visits_a_day = kept.visits_a_day;
    recall_queue(&self->queue, &kept.queue);
    self->clocks.most = kept.most_clocks;
    if (take_arrays(self, brain->world, &kept, &bytes))
        return true;
    brain->policy->clear(brain);
    brain->policy->init(brain);
    return false;
}

/* --- groups --- */

void fg_lomax_grow_groups(struct fg_lomax *self, size_t groups)
{
    if (groups <= self->groups)
        return;
    self->group = fg_resized(self->group, groups, sizeof *self->group);
    for (size_t i = self->groups; i < groups; i++)
        self->group[i] = (struct fg_lomax_group){.rate = 1};
    self->groups = groups;
}

/* A row may have been another page's before. */
void fg_lomax_groups_added(struct fg_lomax *self, size_t first)
{
    for (size_t page = first; page < self->pages_then; page++)
        self->groups_then[page] = UINT32_MAX;
}

void fg_lomax_groups_moved(struct fg_lomax *self, size_t from, size_t to)
{
    if (to < self->pages_then)
        self->groups_then[to] =
            from < self->pages_then ? self->groups_then[from] : UINT32_MAX;
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
    for (size_t page = 0; page < world->n && page < self->pages_then; page++) {
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
    self->pages_then = 0;
}
