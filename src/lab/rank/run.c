/* run.c - the days of a community: see community.h */
#include "base/memory.h"
#include "base/variate.h"
#include "base/vec.h"
#include "lab/rank/community.h"
#include "lab/rank/listing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNWATCHED_VISITS = 200 };
static const double TELEPORT = 0.15; /* c of 5.9 */

struct report {
    uint32_t page;
    int32_t birth; /* of the page it is about: one that died since is another */
    float liked;
};
typedef FG_VEC(struct report) reports;

struct run {
    const struct fg_community_world *world;
    struct fg_ranker *ranker;
    struct fg_arena arena;
    struct fg_rng deaths, visits;
    struct fg_listing list;
    double watched, visits_a_day;
    double carried; /* a part of a visit that is still to come */
    int32_t day;
    /* by page */
    uint32_t *known; /* watched people who know it */
    struct fg_rank_tally *tally;
    int32_t *birth;
    double *key;
    uint32_t *clicks; /* since the day began, where only these are told */
    /* */
    reports *due;         /* by day modulo the delay + 1 */
    double *popular;      /* sums of popularity, to surf by */
    double *share_before; /* sums of the shares of places, where clicks are told */
    double *keys_by_place;
    /* of the best page: days at each level of awareness, and passages upwards */
    double *days_at, *passed, arrivals, age_sum;
    struct fg_community_outcome *out;
};

/* --- the list --- */

static bool is_pooled(const void *context, uint32_t page)
{
    const struct run *run = context;
    return floor(run->tally[page].seen) <= run->ranker->promotion.few;
}

static void renew_list(struct run *run)
{
    for (size_t i = 0; i < run->list.n_touched; i++) {
        uint32_t page = run->list.touched[i];
        run->key[page] = fg_ranker_key(run->ranker, &run->tally[page]);
    }
    bool has_pool = run->ranker->promotion.pool == FG_POOL_UNSEEN;
    fg_listing_renew(&run->list, run->key, run->birth, has_pool ? is_pooled : NULL, run);
}

/* Keys in order, with all pages in the list. */
static void renew_ranker(struct run *run)
{
    if (!run->ranker->policy->renew)
        return;
    for (size_t i = 0; i < run->list.n_listed; i++)
        run->keys_by_place[i] = run->list.at[i].key;
    if (fg_ranker_renew(run->ranker, run->keys_by_place)) {
        fg_listing_touch_all(&run->list);
        renew_list(run);
    }
}

static uint32_t page_at(struct run *run, size_t place, struct fg_rng *rng)
{
    const struct fg_listing *list = &run->list;
    const struct fg_promotion *how = &run->ranker->promotion;
    size_t first, end;
    if (how->pool != FG_POOL_NONE) {
        int64_t at = fg_promotion_draw(how, place + 1, list->n_listed, list->n_pool, rng);
        if (at >= 0)
            return list->at[at].page;
        return how->pool == FG_POOL_UNIFORM ? (uint32_t)fg_rng_below(rng, list->n)
                                            : list->pool[fg_rng_below(rng, list->n_pool)];
    }
    if (!run->ranker->policy->shuffles_equals)
        return list->at[place].page;
    fg_listing_equals(list, place, &first, &end);
    if (end - first > 1)
        place = first + fg_rng_below(rng, end - first);
    return list->at[place].page;
}

/* --- surfing --- */

static void sum_popularity(struct run *run)
{
    double sum = 0;
    for (size_t i = 0; i < run->list.n; i++)
        run->popular[i] = sum += run->tally[i].liked;
}

static uint32_t surf(struct run *run, struct fg_rng *rng)
{
    size_t n = run->list.n, from = 0, to = n - 1;
    if (fg_rng_unit(rng) < TELEPORT || !(run->popular[n - 1] > 0))
        return (uint32_t)fg_rng_below(rng, n);
    double wanted = fg_rng_unit(rng) * run->popular[n - 1];
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (run->popular[middle] > wanted)
            to = middle;
        else
            from = middle + 1;
    }
    return (uint32_t)from;
}

static uint32_t visit(struct run *run)
{
    struct fg_rng *rng = &run->visits;
    if (run->popular && fg_rng_unit(rng) < run->world->is.surfing)
        return surf(run, rng);
    return page_at(run, fg_alias_draw(&run->world->places, rng), rng);
}

/* --- reports --- */

static void take_report(struct run *run, const struct report *report)
{
    if (run->birth[report->page] != report->birth)
        return;
    struct fg_rank_tally *tally = &run->tally[report->page];
    fg_ranker_learn(run->ranker, tally, 1, report->liked);
    tally->seen += 1;
    tally->liked += report->liked;
    if (run->world->is.delay_days)
        tally->waiting -= 1;
    fg_listing_touch(&run->list, report->page);
}

static void send_report(struct run *run, uint32_t page)
{
    const struct fg_community *c = &run->world->is;
    double quality = run->world->quality[page], liked = quality;
    if (c->feedback != FG_FEEDBACK_EXACT)
        liked = fg_rng_unit(&run->visits) < quality;
    if (run->day >= (int32_t)c->warm_up) {
        run->out->reports += 1;
        run->out->liked_share += liked;
    }
    if (c->lost > 0 && fg_rng_unit(&run->visits) < c->lost)
        return;
    if (c->feedback == FG_FEEDBACK_CLICKS) {
        run->clicks[page] += liked > 0;
        return;
    }
    struct report report = {page, run->birth[page], (float)liked};
    if (!c->delay_days) {
        take_report(run, &report);
        return;
    }
    run->tally[page].waiting += 1;
    fg_listing_touch(&run->list, page);
    fg_vec_push(&run->due[((size_t)run->day + c->delay_days) % (c->delay_days + 1)],
                report);
}

static void take_due(struct run *run)
{
    size_t delay = run->world->is.delay_days;
    if (!delay)
        return;
    reports *due = &run->due[(size_t)run->day % (delay + 1)];
    for (size_t i = 0; i < due->len; i++)
        take_report(run, &due->at[i]);
    due->len = 0;
}

/* So many are expected to have looked at each of some pages. */
static void note_looks(struct run *run, uint32_t page, double looks)
{
    struct fg_rank_tally *tally = &run->tally[page], before = *tally;
    double seen = looks * (1 - fmin(1, tally->seen / run->watched));
    double liked = run->clicks[page];
    fg_ranker_learn(run->ranker, &before, seen, liked);
    tally->liked += liked;
    tally->seen = fmax(tally->seen + seen, tally->liked);
    run->clicks[page] = 0;
    /* as long as the rounded numbers stay, so does the key */
    if (liked > 0 || (size_t)(tally->seen + 0.5) != (size_t)(before.seen + 0.5))
        fg_listing_touch(&run->list, page);
}

/* Where nobody says who looked, the places of the day say how many are to be expected:
 * pages of equal keys share theirs, and so do those of the pool what is given to it. A
 * click is a like of somebody who looked. */
static void estimate_looks(struct run *run)
{
    const struct fg_listing *list = &run->list;
    const struct fg_promotion *how = &run->ranker->promotion;
    bool has_pool = how->pool == FG_POOL_UNSEEN && list->n_pool;
    for (size_t i = 0; has_pool && i < list->n_pool; i++)
        note_looks(run, list->pool[i],
                   run->visits_a_day * how->degree *
                       (1 - run->share_before[how->start - 1]) / (double)list->n_pool);
    for (size_t first = 0, end; first < list->n_listed; first = end) {
        end = first + 1;
        while (run->ranker->policy->shuffles_equals && end < list->n_listed &&
               list->at[end].key == list->at[first].key)
            end++;
        double looks = run->visits_a_day *
                       (run->share_before[end] - run->share_before[first]) /
                       (double)(end - first);
        for (size_t i = first; i < end; i++)
            note_looks(run, list->at[i].page, looks);
    }
}

/* --- a day --- */

static void bury(struct run *run, uint32_t page)
{
    run->known[page] = 0;
    run->tally[page] = (struct fg_rank_tally){0};
    run->birth[page] = run->day;
    fg_listing_touch(&run->list, page);
}

static void let_die(struct run *run)
{
    const struct fg_community *c = &run->world->is;
    if (c->is_study) {
        for (uint32_t page = 0; page < c->pages; page++)
            if (run->day - run->birth[page] >= (int32_t)c->life_days)
                bury(run, page);
        return;
    }
    double chance = -expm1(-1 / c->life_days);
    uint64_t page = fg_rng_geometric(&run->deaths, chance);
    while (page < c->pages) {
        bury(run, (uint32_t)page);
        page += 1 + fg_rng_geometric(&run->deaths, chance);
    }
}

static void look(struct run *run, bool is_judged)
{
    uint32_t page = visit(run);
    if (is_judged) {
        run->out->quality += run->world->quality[page];
        run->out->visits += 1;
    }
    /* the visitor is anybody of those watched */
    if (fg_rng_unit(&run->visits) * run->watched < (double)run->known[page])
        return;
    run->known[page]++;
    send_report(run, page);
}

static void note_best(struct run *run, uint32_t before)
{
    uint32_t after = run->known[0];
    double enough = 0.99 * run->watched;
    run->days_at[before] += 1;
    for (uint32_t level = before; level < after; level++)
        run->passed[level] += 1;
    if ((double)before <= enough && (double)after > enough) {
        run->arrivals += 1;
        run->age_sum += run->day - run->birth[0];
    }
}

static void live_a_day(struct run *run)
{
    const struct fg_community *c = &run->world->is;
    bool is_judged = run->day >= (int32_t)c->warm_up;
    let_die(run);
    take_due(run);
    renew_list(run);
    if (run->day % FG_RANK_RENEW_DAYS == FG_RANK_RENEW_DAYS - 1)
        renew_ranker(run);
    if (run->popular)
        sum_popularity(run);
    uint32_t before = run->known[0];
    run->carried += run->visits_a_day;
    for (; run->carried >= 1; run->carried -= 1) {
        look(run, is_judged);
        if (c->is_study) /* votes counted at once there */
            renew_list(run);
    }
    for (size_t i = 0; is_judged && i < UNWATCHED_VISITS; i++)
        run->out->quality += run->world->quality[visit(run)];
    if (is_judged) {
        run->out->visits += UNWATCHED_VISITS;
        note_best(run, before);
    }
    if (c->feedback == FG_FEEDBACK_CLICKS)
        estimate_looks(run);
}

/* --- the whole --- */

static void begin(struct run *run, uint64_t seed)
{
    const struct fg_community *c = &run->world->is;
    struct fg_rng rng = fg_rng_from_seed(seed);
    struct fg_rng ages = fg_rng_split(&rng, 2);
    size_t n = c->pages, levels = (size_t)run->watched + 1;
    run->deaths = fg_rng_split(&rng, 0);
    run->visits = fg_rng_split(&rng, 1);
    fg_listing_init(&run->list, &run->arena, n);
    run->known = FG_NEW(&run->arena, uint32_t, n);
    run->tally = FG_NEW(&run->arena, struct fg_rank_tally, n);
    run->birth = FG_NEW(&run->arena, int32_t, n);
    run->key = FG_NEW(&run->arena, double, n);
    run->clicks = FG_NEW(&run->arena, uint32_t, n);
    run->keys_by_place = FG_NEW(&run->arena, double, n);
    run->days_at = FG_NEW(&run->arena, double, levels);
    run->passed = FG_NEW(&run->arena, double, levels);
    run->due = FG_NEW(&run->arena, reports, c->delay_days + 1);
    if (c->surfing > 0)
        run->popular = FG_NEW(&run->arena, double, n);
    run->share_before = FG_NEW(&run->arena, double, n + 1);
    for (size_t i = 0; i < n; i++)
        run->share_before[i + 1] = run->share_before[i] + run->world->share[i];
    for (size_t i = 0; i < n; i++)
        run->birth[i] = c->is_study
                            ? -(int32_t)fg_rng_below(&ages, (uint64_t)c->life_days)
                            : -(int32_t)(fg_rng_unit(&ages) * c->life_days);
}

/* The sum over levels of the days there by the passages upwards is the time of a page
 * that does not die; a level that was never left upwards has no such time. */
static void judge_best(struct run *run)
{
    struct fg_community_outcome *out = run->out;
    size_t last = FG_AWARENESS_CLASSES - 1, levels = (size_t)run->watched + 1;
    double days = 0, all = 0;
    for (size_t c = 0; c <= last; c++)
        out->reach[c] = NAN;
    for (size_t level = 0; level < levels; level++) {
        double share = (double)level / run->watched;
        size_t class = (size_t)(share * (double)last + 1e-9);
        if (isnan(out->reach[class]))
            out->reach[class] = days;
        out->share[class] += run->days_at[level];
        all += run->days_at[level];
        if (share > 0.99)
            continue;
        days += run->passed[level] > 0    ? run->days_at[level] / run->passed[level]
                : run->days_at[level] > 0 ? NAN
                                          : 0;
    }
    for (size_t c = 0; c <= last; c++)
        out->share[c] /= all;
    out->days_to_top = run->arrivals > 0 ? days : NAN;
    out->days_if = run->arrivals > 0 ? run->age_sum / run->arrivals : NAN;
}

void fg_community_run(struct fg_community_outcome *outcome,
                      const struct fg_community_world *world, double watched_share,
                      struct fg_ranker *ranker, uint64_t seed)
{
    struct run *run = fg_zeroed(1, sizeof *run);
    *outcome = (struct fg_community_outcome){0};
    run->world = world;
    run->ranker = ranker;
    run->out = outcome;
    run->watched = fg_community_watched(world, watched_share);
    run->visits_a_day = fg_community_watched_visits(world, watched_share);
    begin(run, seed);
    int32_t days = (int32_t)(world->is.warm_up + world->is.days);
    for (run->day = 0; run->day < days; run->day++)
        live_a_day(run);
    outcome->quality /= outcome->visits;
    outcome->liked_share /= outcome->reports;
    judge_best(run);
    for (size_t i = 0; i <= world->is.delay_days; i++)
        fg_vec_clear(&run->due[i]);
    fg_arena_clear(&run->arena);
    free(run);
}
