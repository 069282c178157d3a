#include "policy/mind_inside.h"

#include "base/memory.h"
#include "base/topk.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Scores are made in blocks of this many pages, which fit the cache. */
enum { BLOCK = 4096 };

static const size_t type_bytes[] = {
    [FG_F32] = 4, [FG_F64] = 8, [FG_U8] = 1, [FG_U16] = 2, [FG_U32] = 4, [FG_I64] = 8,
};

static size_t column_bytes(const struct fg_column *column)
{
    return type_bytes[column->type] * (column->width ? column->width : 1);
}

size_t fg_column_planes(const struct fg_column *column)
{
    return column->is_planar && column->width ? column->width : 1;
}

size_t fg_column_entry(const struct fg_column *column)
{
    return column_bytes(column) / fg_column_planes(column);
}

struct fg_mind *fg_mind_new(const struct fg_policy *policy, uint64_t seed)
{
    struct fg_mind *mind = fg_zeroed(1, sizeof *mind);
    mind->brain.policy = policy;
    mind->brain.world = &mind->world;
    mind->world.tick = FG_HOUR;
    mind->latest = FG_NEVER;
    for (size_t i = 0; policy->params[i].name; i++)
        mind->brain.knob[i] = policy->params[i].initial;
    if (policy->self_size) {
        mind->brain.self = fg_zeroed(1, policy->self_size);
    }
    mind->seed = fg_rng_from_seed(seed);
    mind->brain.rng = fg_rng_split(&mind->seed, 0);
    if (policy->init)
        policy->init(&mind->brain);
    return mind;
}

void fg_mind_free(struct fg_mind *mind)
{
    if (!mind)
        return;
    const struct fg_policy *policy = mind->brain.policy;
    if (policy->clear)
        policy->clear(&mind->brain);
    for (size_t i = 0; policy->columns[i].name; i++)
        free(mind->brain.column[i]);
    void *arrays[] = {mind->id,         mind->site,        mind->weight,
                      mind->added,      mind->last_try,    mind->is_blocked,
                      mind->last_visit, mind->site_limit,  mind->brain.scores,
                      mind->brain.self, mind->brain.taken, mind->brain.used,
                      mind->group};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    for (size_t kind = 0; kind < FG_TOLD_KINDS; kind++)
        free(mind->told[kind]);
    fg_map_clear(&mind->rows);
    fg_map_clear(&mind->site_numbers);
    fg_vec_clear(&mind->sites);
    free(mind);
}

enum fg_status fg_mind_set(struct fg_mind *mind, struct fg_str name, double value,
                           struct fg_err *err)
{
    const struct fg_policy *policy = mind->brain.policy;
    struct fg_buf known;
    fg_buf_init(&known, 512);
    for (size_t i = 0; policy->params[i].name; i++) {
        const struct fg_param *param = &policy->params[i];
        if (!fg_str_eq(name, fg_str_from(param->name))) {
            fg_buf_printf(&known, "%s%s", known.len ? ", " : "", param->name);
            continue;
        }
        fg_buf_clear(&known);
        if (!(value >= param->least && value <= param->most))
            return fg_fail(err, FG_ECONFIG,
                           "%s of policy '%s' must be from %g to %g, not %g", param->name,
                           policy->name, param->least, param->most, value);
        mind->brain.knob[i] = value;
        return FG_OK;
    }
    enum fg_status st =
        fg_fail(err, FG_ECONFIG, "policy '%s' has no parameter '%.*s' (it has: %.*s)",
                policy->name, FG_ARG(name), (int)known.len, known.len ? known.at : "");
    fg_buf_clear(&known);
    return st;
}

const struct fg_policy *fg_mind_policy(const struct fg_mind *mind)
{
    return mind->brain.policy;
}

const struct fg_world *fg_mind_world(const struct fg_mind *mind)
{
    return &mind->world;
}

static void publish_arrays(struct fg_mind *mind)
{
    mind->world.id = mind->id;
    mind->world.site = mind->site;
    mind->world.group = mind->group;
    mind->world.weight = mind->weight;
    for (size_t kind = 0; kind < FG_TOLD_KINDS; kind++)
        mind->world.told[kind] = mind->told[kind];
    mind->world.added = mind->added;
    mind->world.last_visit = mind->last_visit;
    mind->world.last_try = mind->last_try;
    mind->world.is_blocked = mind->is_blocked;
    mind->world.site_limit = mind->has_limits ? mind->site_limit : NULL;
}

static void grow_rows(struct fg_mind *mind)
{
    size_t wider = mind->capacity ? mind->capacity * 2 : 64;
    const struct fg_column *columns = mind->brain.policy->columns;
    for (size_t i = 0; columns[i].name; i++) {
        size_t planes = fg_column_planes(&columns[i]),
               bytes = fg_column_entry(&columns[i]);
        char *moved = fg_resized(mind->brain.column[i], wider, planes * bytes);
        for (size_t plane = planes; plane-- > 0;) { /* the last first: they move up */
            char *to = moved + plane * wider * bytes;
            memmove(to, moved + plane * mind->capacity * bytes, mind->capacity * bytes);
            memset(to + mind->capacity * bytes, 0, (wider - mind->capacity) * bytes);
        }
        mind->brain.column[i] = moved;
    }
    mind->id = fg_resized(mind->id, wider, sizeof *mind->id);
    mind->site = fg_resized(mind->site, wider, sizeof *mind->site);
    mind->group = fg_resized(mind->group, wider, sizeof *mind->group);
    mind->weight = fg_resized(mind->weight, wider, sizeof *mind->weight);
    for (size_t kind = 0; kind < FG_TOLD_KINDS; kind++)
        if (mind->told[kind])
            mind->told[kind] = fg_resized(mind->told[kind], wider, sizeof(float));
    mind->added = fg_resized(mind->added, wider, sizeof *mind->added);
    mind->last_visit = fg_resized(mind->last_visit, wider, sizeof *mind->last_visit);
    mind->last_try = fg_resized(mind->last_try, wider, sizeof *mind->last_try);
    mind->is_blocked = fg_resized(mind->is_blocked, wider, sizeof *mind->is_blocked);
    mind->brain.scores = fg_resized(mind->brain.scores, wider, sizeof(float));
    mind->brain.taken = fg_resized(mind->brain.taken, wider, sizeof(uint32_t));
    memset(mind->brain.taken + mind->capacity, 0,
           (wider - mind->capacity) * sizeof(uint32_t));
    mind->capacity = mind->brain.room = wider;
    publish_arrays(mind);
}

uint32_t fg_mind_site_number(struct fg_mind *mind, uint32_t site)
{
    uint64_t *number = fg_map_put(&mind->site_numbers, site);
    if (*number)
        return (uint32_t)*number - 1;
    if (mind->sites.len == mind->site_capacity) {
        size_t wider = mind->site_capacity * 2 + 16;
        mind->site_limit = fg_resized(mind->site_limit, wider, sizeof *mind->site_limit);
        mind->brain.used = fg_resized(mind->brain.used, wider, sizeof(uint32_t));
        mind->site_capacity = wider;
        publish_arrays(mind);
    }
    mind->site_limit[mind->sites.len] = UINT32_MAX;
    fg_vec_push(&mind->sites, site);
    mind->world.sites = mind->sites.len;
    *number = mind->sites.len;
    return (uint32_t)mind->sites.len - 1;
}

void fg_mind_set_group(struct fg_mind *mind, size_t row, uint32_t group)
{
    mind->group[row] = group;
    if (group >= mind->world.groups)
        mind->world.groups = (size_t)group + 1;
}

size_t fg_mind_add(struct fg_mind *mind, uint64_t id, uint32_t site, fg_time now)
{
    uint64_t *row = fg_map_put(&mind->rows, id);
    if (*row)
        return *row - 1;
    if (mind->world.n == mind->capacity)
        grow_rows(mind);
    size_t i = mind->world.n++;
    *row = i + 1;
    mind->id[i] = id;
    mind->site[i] = fg_mind_site_number(mind, site);
    fg_mind_set_group(mind, i, mind->site[i]);
    mind->weight[i] = 1;
    for (size_t kind = 0; kind < FG_TOLD_KINDS; kind++)
        if (mind->told[kind])
            mind->told[kind][i] = NAN;
    mind->added[i] = now == FG_NEVER ? now : now + mind->ahead;
    mind->last_visit[i] = mind->last_try[i] = FG_NEVER;
    mind->is_blocked[i] = 0;
    if (mind->brain.policy->added)
        mind->brain.policy->added(&mind->brain, i);
    return i;
}

/* Whole units, so that the sum is the same whatever the order they are told in. */
static void count_told(struct fg_mind *mind, enum fg_told_rate kind, float rate,
                       bool is_told)
{
    static const double unit = 0x1p-16, most = 1e5;
    if (isnan(rate) || isinf(rate) || signbit(rate))
        return;
    int64_t units = llround(fmin((double)rate, most) / unit);
    size_t *n = &mind->world.told_of[kind];
    mind->told_sum[kind] += is_told ? units : -units;
    *n += is_told ? 1 : (size_t)-1;
    mind->world.told_mean[kind] =
        *n ? (double)mind->told_sum[kind] * unit / (double)*n : 0;
}

static void copy_row(struct fg_mind *mind, size_t from, size_t to)
{
    mind->id[to] = mind->id[from];
    mind->site[to] = mind->site[from];
    mind->group[to] = mind->group[from];
    mind->weight[to] = mind->weight[from];
    for (size_t kind = 0; kind < FG_TOLD_KINDS; kind++)
        if (mind->told[kind])
            mind->told[kind][to] = mind->told[kind][from];
    mind->added[to] = mind->added[from];
    mind->last_visit[to] = mind->last_visit[from];
    mind->last_try[to] = mind->last_try[from];
    mind->is_blocked[to] = mind->is_blocked[from];
}

static void move_entries(struct fg_mind *mind, size_t column, size_t from, size_t to)
{
    const struct fg_column *is = &mind->brain.policy->columns[column];
    size_t bytes = fg_column_entry(is);
    for (size_t plane = 0; plane < fg_column_planes(is); plane++) {
        char *at = (char *)mind->brain.column[column] + plane * mind->capacity * bytes;
        memmove(at + to * bytes, at + from * bytes, bytes);
        memset(at + from * bytes, 0, bytes); /* the next page to come starts as zero */
    }
}

void fg_mind_remove(struct fg_mind *mind, uint64_t id)
{
    size_t to = fg_mind_row(mind, id);
    if (to == FG_NO_ROW)
        return;
    const struct fg_policy *policy = mind->brain.policy;
    size_t last = --mind->world.n;
    for (size_t kind = 0; kind < FG_TOLD_KINDS; kind++)
        if (mind->told[kind])
            count_told(mind, (enum fg_told_rate)kind, mind->told[kind][to], false);
    if (policy->moved)
        policy->moved(&mind->brain, last, to);
    for (size_t i = 0; policy->columns[i].name; i++)
        move_entries(mind, i, last, to);
    fg_map_remove(&mind->rows, id);
    if (to != last) {
        copy_row(mind, last, to);
        *fg_map_put(&mind->rows, mind->id[to]) = to + 1;
    }
}

size_t fg_mind_row(const struct fg_mind *mind, uint64_t id)
{
    const uint64_t *row = fg_map_get(&mind->rows, id);
    return row ? (size_t)*row - 1 : FG_NO_ROW;
}

void fg_mind_weigh(struct fg_mind *mind, size_t row, float weight)
{
    mind->weight[row] = weight;
}

void fg_mind_group(struct fg_mind *mind, size_t row, uint32_t group)
{
    assert(row < mind->world.n);
    fg_mind_set_group(mind, row, group);
}

void fg_mind_tell(struct fg_mind *mind, size_t row, enum fg_told_rate kind, float rate)
{
    assert(row < mind->world.n);
    if (!mind->told[kind]) {
        mind->told[kind] = fg_resized(NULL, mind->capacity, sizeof(float));
        for (size_t i = 0; i < mind->world.n; i++)
            mind->told[kind][i] = NAN;
        publish_arrays(mind);
    }
    count_told(mind, kind, mind->told[kind][row], false);
    mind->told[kind][row] = rate;
    count_told(mind, kind, rate, true);
}

void fg_mind_block(struct fg_mind *mind, size_t row, bool is_blocked)
{
    mind->is_blocked[row] = is_blocked;
}

void fg_mind_limit(struct fg_mind *mind, uint32_t site, uint32_t most)
{
    uint32_t number = fg_mind_site_number(mind, site); /* it may move the array */
    mind->site_limit[number] = most;
    mind->has_limits = true;
    publish_arrays(mind);
}

void fg_mind_tick(struct fg_mind *mind, fg_time tick)
{
    mind->world.tick = tick;
}

void fg_mind_budget(struct fg_mind *mind, double picks)
{
    mind->world.budget = picks;
}

void fg_mind_floor(struct fg_mind *mind, double hours)
{
    mind->world.floor = hours;
}

/* --- time ---
 *
 * A policy lives in a time that never goes back: ages would become negative, what fades
 * would grow beyond all bounds, and a choice among NaNs need not end. If the clock is set
 * back by little, time stands still until it has caught up; else it is put forward by
 * whole weeks, so that hours and weekdays stay what they are. */

static fg_time time_of(const struct fg_mind *mind, fg_time now, fg_time *ahead)
{
    static const fg_time catches_up = 3 * FG_HOUR, week = 7 * FG_DAY;
    fg_time own = now + mind->ahead;
    *ahead = mind->ahead;
    if (own >= mind->latest)
        return own;
    fg_time behind = mind->latest - own;
    if (behind <= catches_up)
        return mind->latest;
    *ahead += (behind + week - 1) / week * week;
    return now + *ahead;
}

static fg_time pass_time(struct fg_mind *mind, fg_time now)
{
    mind->latest = time_of(mind, now, &mind->ahead);
    return mind->latest;
}

void fg_mind_not_after(struct fg_mind *mind, fg_time now)
{
    const fg_time *times[] = {mind->added, mind->last_visit, mind->last_try};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        for (size_t row = 0; row < mind->world.n; row++)
            if (times[i][row] > mind->latest)
                mind->latest = times[i][row];
    pass_time(mind, now);
}

void fg_mind_foresee(struct fg_mind *mind, const struct fg_foresight *foresight)
{
    mind->brain.foresight = foresight;
}

/* --- choosing --- */

bool fg_brain_may_take(const struct fg_brain *brain, size_t page)
{
    const struct fg_world *world = brain->world;
    uint32_t site = world->site[page];
    return !world->is_blocked[page] && brain->taken[page] != brain->turn &&
           !(world->site_limit && brain->used[site] >= world->site_limit[site]);
}

bool fg_brain_take(struct fg_brain *brain, size_t page)
{
    if (!fg_brain_may_take(brain, page))
        return false;
    brain->taken[page] = brain->turn;
    brain->used[brain->world->site[page]]++;
    return true;
}

/* Those of the best `k` that may still be taken. */
static size_t take_some(struct fg_brain *brain, const float *scores, size_t k,
                        size_t budget, struct fg_pick *out, size_t *offered)
{
    struct fg_topk best;
    fg_topk_init(&best, k);
    fg_topk_add(&best, 0, scores, brain->world->n);
    const struct fg_top *items = fg_topk_take(&best, offered);
    size_t taken = 0;
    for (size_t i = 0; i < *offered && taken < budget; i++)
        if (fg_brain_take(brain, items[i].id))
            out[taken++] = (struct fg_pick){.page = items[i].id, .score = items[i].score};
    fg_topk_clear(&best);
    return taken;
}

static void bar_untakeable(const struct fg_brain *brain, float *scores)
{
    const struct fg_world *world = brain->world;
    for (size_t i = 0; i < world->n; i++)
        if (world->is_blocked[i] | (brain->taken[i] == brain->turn))
            scores[i] = -INFINITY;
    for (size_t i = 0; world->site_limit && i < world->n; i++)
        if (!fg_brain_may_take(brain, i))
            scores[i] = -INFINITY;
}

/* With limits, the best may come from too few sites: pages that can no longer be taken
 * leave, and twice as many are asked for until there are enough. */
size_t fg_brain_take_best(struct fg_brain *brain, float *scores, size_t budget,
                          struct fg_pick *out)
{
    size_t taken = 0, n = brain->world->n;
    budget = budget < n ? budget : n;
    for (size_t k = budget; taken < budget; k = k < n / 2 ? k * 2 : n) {
        bar_untakeable(brain, scores);
        size_t offered = 0;
        taken += take_some(brain, scores, k, budget - taken, out + taken, &offered);
        if (offered < k || !brain->world->site_limit)
            break;
    }
    return taken;
}

static void score_all(struct fg_mind *mind, fg_time now)
{
    for (size_t first = 0; first < mind->world.n; first += BLOCK) {
        size_t n = mind->world.n - first < BLOCK ? mind->world.n - first : BLOCK;
        mind->brain.policy->score(&mind->brain, now, first, n,
                                  mind->brain.scores + first);
    }
}

size_t fg_mind_choose(struct fg_mind *mind, fg_time now, size_t budget,
                      struct fg_pick *picks)
{
    struct fg_brain *brain = &mind->brain;
    now = pass_time(mind, now);
    mind->ticks++;
    if (budget > mind->world.n)
        budget = mind->world.n;
    if (!budget)
        return 0;
    brain->rng = fg_rng_split(&mind->seed, mind->ticks);
    brain->turn++;
    memset(brain->used, 0, mind->world.sites * sizeof *brain->used);
    if (brain->policy->select)
        return brain->policy->select(brain, now, budget, picks);
    score_all(mind, now);
    return fg_brain_take_best(brain, brain->scores, budget, picks);
}

double fg_mind_unit(const struct fg_mind *mind)
{
    const struct fg_policy *policy = mind->brain.policy;
    return policy->index.unit ? policy->index.unit(&mind->brain) : 0;
}

double fg_mind_cost(const struct fg_mind *mind, size_t row)
{
    const struct fg_policy *policy = mind->brain.policy;
    return policy->index.cost ? policy->index.cost(&mind->brain, row) : 1;
}

fg_time fg_mind_await(struct fg_mind *mind, const struct fg_visit *visit)
{
    assert(visit->page < mind->world.n);
    fg_time previous = mind->last_visit[visit->page], now = visit->now + mind->ahead;
    mind->last_try[visit->page] = now;
    if (visit->ok)
        mind->last_visit[visit->page] = now;
    return previous;
}

void fg_mind_observe_late(struct fg_mind *mind, const struct fg_visit *visit)
{
    struct fg_visit told = *visit;
    assert(visit->page < mind->world.n);
    told.now += mind->ahead;
    if (told.modified != FG_NEVER)
        told.modified += mind->ahead;
    if (mind->brain.policy->observe)
        mind->brain.policy->observe(&mind->brain, &told);
}

void fg_mind_observe(struct fg_mind *mind, const struct fg_visit *visit)
{
    struct fg_visit told = *visit;
    assert(visit->page < mind->world.n);
    told.previous = mind->last_visit[visit->page];
    fg_mind_observe_late(mind, &told);
    fg_mind_await(mind, visit);
}

void fg_mind_signal(struct fg_mind *mind, size_t row, fg_time now)
{
    assert(row < mind->world.n);
    if (mind->brain.policy->signal)
        mind->brain.policy->signal(&mind->brain, row, now + mind->ahead);
}

bool fg_mind_explain(struct fg_mind *mind, fg_time now, size_t row,
                     struct fg_reason *reason)
{
    if (!mind->brain.policy->explain || row >= mind->world.n)
        return false;
    fg_time ahead;
    mind->brain.policy->explain(&mind->brain, time_of(mind, now, &ahead), row, reason);
    return true;
}

size_t fg_mind_arms(const struct fg_mind *mind, struct fg_arm *out)
{
    const struct fg_policy *policy = mind->brain.policy;
    return policy->arms.list ? policy->arms.list(&mind->brain, out) : 0;
}

bool fg_mind_arm_rates(struct fg_mind *mind, size_t arm, size_t budget, float *out)
{
    const struct fg_policy *policy = mind->brain.policy;
    if (policy->arms.rates)
        policy->arms.rates(&mind->brain, arm, budget, out);
    return policy->arms.rates != NULL;
}

float fg_mind_arm_interest(const struct fg_mind *mind, size_t row)
{
    return mind->brain.policy->arms.interest(&mind->brain, row);
}
