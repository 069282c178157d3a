/* Ghosts and what is put elsewhere come in time to be seen by nobody: what the log says
 * was seen stays as it was seen. Each target, source and gap has a stream of random
 * numbers of its own.
 *
 * Tried and dropped: to count what is seen of a link from its arrival on, as if those
 * that left before a look had been seen as well. It is nearer to what few looks find, and
 * says too little of what many would (docs/policies.md). */
#include "lab/twin/twin.h"

#include "base/memory.h"
#include "base/variate.h"
#include "lab/twin/life.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DAY = 24, KINDS_OF_DAY = 2, SLOTS = 64, PARTNERS = 48 };
enum { OF_TARGET, OF_GAP, STREAMS };
static const double usual_stay = 72;

/* What is thought of a source besides its looks. */
struct source {
    struct fg_life life, alone; /* of all its links; of those seen nowhere else */
    double came, hours;         /* within gaps that are short enough to tell the hour */
    size_t n_partners;
    struct partner {
        uint32_t source;
        double seen, due; /* links that were seen there; that would have been */
    } partners[PARTNERS];
};

struct twin {
    const struct fg_looked *looked;
    const struct fg_twin_rules *rules;
    struct fg_rng streams[STREAMS];
    struct source *sources;
    double pace[KINDS_OF_DAY][DAY]; /* how much comes, against the mean hour */
    fg_time *came;                  /* by sight */
    FG_VEC(struct fg_stay) stays;
    size_t n_targets, steps;
};

/* The sights of one target. */
struct group {
    const struct fg_sight *at;
    size_t n, first; /* number of the first */
};

static struct group group_at(const struct fg_looked *looked, size_t first)
{
    const struct fg_sight *at = looked->sights.at + first;
    size_t n = 1;
    while (first + n < looked->sights.len && at[n].target == at->target)
        n++;
    return (struct group){at, n, first};
}

static bool is_on_one_source(const struct group *group)
{
    return group->at[0].source == group->at[group->n - 1].source;
}

static double age_at(fg_time came, fg_time time)
{
    return fg_hours(time - came);
}

/* --- 1: stays --- */

static void add_life(struct fg_life *life, const struct fg_looked *looked,
                     const struct fg_sight *sight)
{
    fg_time came = sight->before + (sight->first - sight->before) / 2;
    const struct fg_looked_source *source = &looked->sources[sight->source];
    fg_time last = source->looks.at[source->looks.len - 1];
    fg_time end =
        sight->after == FG_NEVER ? last : sight->last + (sight->after - sight->last) / 2;
    fg_life_add(life, age_at(came, sight->first), age_at(came, end),
                sight->after != FG_NEVER);
}

static void learn_lives(struct twin *t)
{
    const struct fg_looked *looked = t->looked;
    struct fg_life all = {0};
    for (size_t i = 0; i < looked->sights.len;) {
        struct group group = group_at(looked, i);
        for (size_t k = 0; k < group.n; k++) {
            const struct fg_sight *sight = &group.at[k];
            if (sight->before == FG_NEVER)
                continue;
            add_life(&all, looked, sight);
            add_life(&t->sources[sight->source].life, looked, sight);
            if (is_on_one_source(&group))
                add_life(&t->sources[sight->source].alone, looked, sight);
        }
        i += group.n;
    }
    double usual = fg_life_mean(&all, usual_stay);
    for (size_t u = 0; u < looked->n_sources; u++) {
        struct source *source = &t->sources[u];
        double mean = fg_life_mean(&source->life, usual);
        fg_life_done(&source->life, usual);
        fg_life_done(&source->alone, mean);
    }
}

/* --- 2: arrivals and departures --- */

static double *cell_of(double cells[KINDS_OF_DAY][DAY], fg_time time)
{
    fg_time day = time / FG_DAY;
    size_t weekday = (size_t)((day % 7 + 7 + 3) % 7); /* 1970 began on a Thursday */
    return &cells[weekday >= 5][fg_hour_of_day(time)];
}

static void spread(double cells[KINDS_OF_DAY][DAY], fg_time from, fg_time to, double sum)
{
    double hours = fg_hours(to - from);
    for (fg_time at = from, next; at < to; at = next) {
        next = at - at % FG_HOUR + FG_HOUR;
        next = next < to ? next : to;
        *cell_of(cells, at) += sum * fg_hours(next - at) / hours;
    }
}

static const fg_time telling_gap = 6 * FG_HOUR;

static bool tells_hour(const struct fg_sight *sight)
{
    return sight->before != FG_NEVER && sight->first - sight->before <= telling_gap;
}

static void learn_pace(struct twin *t)
{
    static const double prior = 10;
    const struct fg_looked *looked = t->looked;
    double came[KINDS_OF_DAY][DAY] = {{0}}, due[KINDS_OF_DAY][DAY] = {{0}};
    for (size_t i = 0; i < looked->sights.len; i++) {
        const struct fg_sight *sight = &looked->sights.at[i];
        if (!tells_hour(sight))
            continue;
        t->sources[sight->source].came++;
        spread(came, sight->before, sight->first, 1);
    }
    for (size_t u = 0; u < looked->n_sources; u++) {
        const struct fg_looked_source *source = &looked->sources[u];
        for (size_t i = 1; i < source->looks.len; i++) {
            fg_time gap = source->looks.at[i] - source->looks.at[i - 1];
            t->sources[u].hours += gap <= telling_gap ? fg_hours(gap) : 0;
        }
        double rate =
            t->sources[u].hours > 0 ? t->sources[u].came / t->sources[u].hours : 0;
        for (size_t i = 1; i < source->looks.len; i++) {
            fg_time from = source->looks.at[i - 1], to = source->looks.at[i];
            if (to - from <= telling_gap)
                spread(due, from, to, rate * fg_hours(to - from));
        }
    }
    for (size_t w = 0; w < KINDS_OF_DAY; w++)
        for (size_t h = 0; h < DAY; h++)
            t->pace[w][h] = (came[w][h] + prior) / (due[w][h] + prior);
}

/* A time after `from` and up to `to`, at which a link came that was there at `to`; life
 * NULL: whether it was there or not. */
static fg_time draw_arrival(struct twin *t, struct fg_rng *rng,
                            const struct fg_life *life, fg_time from, fg_time to)
{
    double weight[SLOTS], sum = 0;
    fg_time span = to - from;
    size_t n = (size_t)((span + t->rules->step - 1) / t->rules->step);
    n = n < 1 ? 1 : n > SLOTS ? SLOTS : n;
    for (size_t i = 0; i < n; i++) {
        fg_time at = from + (fg_time)((double)span * ((double)i + 0.5) / (double)n);
        weight[i] =
            *cell_of(t->pace, at) * (life ? fg_life_left_after(life, age_at(at, to)) : 1);
        sum += weight[i];
    }
    double left = fg_rng_unit(rng) * sum;
    size_t slot = 0;
    while (slot + 1 < n && left >= weight[slot])
        left -= weight[slot++];
    double within = fg_rng_open(rng);
    fg_time at = from + (fg_time)((double)span * ((double)slot + within) / (double)n);
    return at < from + 1 ? from + 1 : at > to ? to : at;
}

static uint32_t step_at(const struct twin *t, fg_time time)
{
    fg_time since = time - t->looked->from, step = t->rules->step;
    return since <= 0 ? 0 : (uint32_t)((since + step - 1) / step);
}

/* From the first step at or after it came to the last before it left. */
static void put_stay(struct twin *t, size_t source, size_t target, fg_time came,
                     fg_time left)
{
    uint32_t first = step_at(t, came), end = step_at(t, left);
    if (end > first && first < t->steps)
        fg_vec_push(&t->stays,
                    (struct fg_stay){(uint32_t)source, (uint32_t)target, first, end - 1});
}

static fg_time after_hours(fg_time time, double hours)
{
    return time + (fg_time)(fmin(hours, 1e6) * (double)FG_HOUR);
}

static fg_time draw_end(struct twin *t, struct fg_rng *rng, const struct fg_sight *sight,
                        fg_time came)
{
    if (sight->after == FG_NEVER)
        return t->looked->to + t->rules->step;
    double age = fg_life_draw(&t->sources[sight->source].life, rng,
                              age_at(came, sight->last), age_at(came, sight->after));
    fg_time end = after_hours(came, age);
    return end <= sight->last ? sight->last + 1 : end > sight->after ? sight->after : end;
}

/* Where it was seen first, and the span that all looks leave open for its coming;
 * *from FG_NEVER: it is stock. */
static const struct fg_sight *first_of(const struct group *group, fg_time *from)
{
    const struct fg_sight *first = group->at;
    *from = FG_NEVER;
    for (size_t k = 1; k < group->n; k++)
        first = group->at[k].first < first->first ? &group->at[k] : first;
    for (size_t k = 0; k < group->n; k++) {
        fg_time before = group->at[k].before;
        if (before != FG_NEVER && before < first->first &&
            (*from == FG_NEVER || before > *from))
            *from = before;
    }
    return first;
}

static void put_seen(struct twin *t, const struct group *group, struct fg_rng *rng)
{
    fg_time from;
    const struct fg_sight *first = first_of(group, &from);
    fg_time began = t->looked->sources[first->source].began;
    bool is_stock = from == FG_NEVER;
    fg_time came = is_stock ? (began > t->looked->from ? began : t->looked->from)
                            : draw_arrival(t, rng, &t->sources[first->source].life, from,
                                           first->first);
    for (size_t k = 0; k < group->n; k++) {
        const struct fg_sight *sight = &group->at[k];
        bool was_before = sight->before != FG_NEVER && came <= sight->before;
        fg_time here = was_before ? draw_arrival(t, rng, &t->sources[sight->source].life,
                                                 sight->before, sight->first)
                       : came <= sight->first ? came
                                              : sight->first;
        t->came[group->first + k] = here;
        put_stay(t, sight->source, sight->target, here, draw_end(t, rng, sight, here));
    }
}

/* --- 3: where else it was --- */

static fg_time came_first(const struct twin *t, const struct group *group,
                          uint32_t *source)
{
    size_t best = 0;
    for (size_t k = 1; k < group->n; k++)
        best = group->at[k].first < group->at[best].first ? k : best;
    *source = group->at[best].source;
    return t->came[group->first + best];
}

static bool is_seen_on(const struct group *group, uint32_t source)
{
    for (size_t k = 0; k < group->n; k++)
        if (group->at[k].source == source)
            return true;
    return false;
}

static struct partner *partner_of(struct source *source, uint32_t other)
{
    for (size_t i = 0; i < source->n_partners; i++)
        if (source->partners[i].source == other)
            return &source->partners[i];
    if (source->n_partners == PARTNERS)
        return NULL;
    source->partners[source->n_partners] = (struct partner){.source = other};
    return &source->partners[source->n_partners++];
}

/* The chance that the next look at w still shows what came then. */
static double seen_chance(const struct twin *t, uint32_t w, fg_time came, fg_time *look)
{
    *look = fg_looked_next(t->looked, w, came);
    return *look == FG_NEVER
               ? 0
               : fg_life_left_after(&t->sources[w].life, age_at(came, *look));
}

static bool is_stock(const struct group *group)
{
    fg_time from;
    first_of(group, &from);
    return from == FG_NEVER;
}

static void count_partners(struct twin *t, bool of_seen)
{
    for (size_t i = 0; i < t->looked->sights.len;) {
        struct group group = group_at(t->looked, i);
        i += group.n;
        if (is_stock(&group))
            continue;
        uint32_t u;
        fg_time look, came = came_first(t, &group, &u);
        struct source *source = &t->sources[u];
        if (of_seen) {
            for (size_t k = 0; k < group.n; k++) {
                bool is_again = k && group.at[k].source == group.at[k - 1].source;
                struct partner *partner = group.at[k].source != u && !is_again
                                              ? partner_of(source, group.at[k].source)
                                              : NULL;
                if (partner)
                    partner->seen++;
            }
            continue;
        }
        for (size_t k = 0; k < source->n_partners; k++)
            source->partners[k].due +=
                seen_chance(t, source->partners[k].source, came, &look);
    }
}

static void put_elsewhere(struct twin *t, const struct group *group, struct fg_rng *rng)
{
    uint32_t u;
    fg_time look, came = came_first(t, group, &u);
    const struct source *source = &t->sources[u];
    for (size_t k = 0; k < source->n_partners; k++) {
        const struct partner *partner = &source->partners[k];
        uint32_t w = partner->source;
        if (is_seen_on(group, w))
            continue;
        double share = partner->due > partner->seen ? partner->seen / partner->due : 1;
        double seen = seen_chance(t, w, came, &look);
        double unseen = share * (1 - seen) / (1 - share * seen);
        if (!(fg_rng_unit(rng) < unseen))
            continue;
        double most = look == FG_NEVER ? INFINITY : age_at(came, look);
        put_stay(t, w, group->at->target, came,
                 after_hours(came, fg_life_draw(&t->sources[w].life, rng, 0, most)));
    }
}

static void put_all(struct twin *t)
{
    for (size_t i = 0; i < t->looked->sights.len;) {
        struct group group = group_at(t->looked, i);
        struct fg_rng rng = fg_rng_split(&t->streams[OF_TARGET], group.at->target);
        put_seen(t, &group, &rng);
        i += group.n;
    }
    count_partners(t, true);
    count_partners(t, false);
    for (size_t i = 0; i < t->looked->sights.len;) {
        struct group group = group_at(t->looked, i);
        struct fg_rng rng = fg_rng_split(&t->streams[OF_TARGET], ~group.at->target);
        if (!is_stock(&group))
            put_elsewhere(t, &group, &rng);
        i += group.n;
    }
}

/* --- 4: ghosts --- */

/* By source, for each gap between looks: links that came then and are seen nowhere else.
 */
static void count_alone(const struct twin *t, uint32_t **alone)
{
    for (size_t i = 0; i < t->looked->sights.len;) {
        struct group group = group_at(t->looked, i);
        i += group.n;
        const struct fg_sight *sight = group.at;
        if (!is_on_one_source(&group) || sight->before == FG_NEVER)
            continue;
        const struct fg_looked_source *source = &t->looked->sources[sight->source];
        size_t low = 0, high = source->looks.len;
        while (low < high) {
            size_t mid = low + (high - low) / 2;
            if (source->looks.at[mid] < sight->first)
                low = mid + 1;
            else
                high = mid;
        }
        alone[sight->source][low]++;
    }
}

static void put_ghosts_of(struct twin *t, size_t u, const uint32_t *alone)
{
    static const fg_time about = 7 * FG_DAY;
    static const double prior_links = 0.5, prior_hours = 5;
    const struct fg_looked_source *source = &t->looked->sources[u];
    const fg_time *look = source->looks.at;
    struct fg_rng of_source = fg_rng_split(&t->streams[OF_GAP], u);
    double links = prior_links, hours = prior_hours;
    size_t n = source->looks.len, first = 1, end = 1;
    const struct fg_life *life = &t->sources[u].alone;
    for (size_t i = 1; i < n; i++) {
        for (; end < n && look[end] <= look[i] + about; end++) {
            links += alone[end];
            hours += fg_life_within(life, fg_hours(look[end] - look[end - 1]));
        }
        for (; look[first] < look[i] - about; first++) {
            links -= alone[first];
            hours -= fg_life_within(life, fg_hours(look[first] - look[first - 1]));
        }
        struct fg_rng rng = fg_rng_split(&of_source, i);
        double came = links / fmax(hours, prior_hours) * fg_hours(look[i] - look[i - 1]);
        for (uint64_t k = fg_rng_poisson(&rng, came); k; k--) {
            fg_time at = draw_arrival(t, &rng, NULL, look[i - 1], look[i]);
            fg_time left = after_hours(at, fg_life_draw(life, &rng, 0, INFINITY));
            if (left <= look[i])
                put_stay(t, u, t->n_targets++, at, left);
        }
    }
}

static void put_ghosts(struct twin *t)
{
    size_t n = t->looked->n_sources;
    uint32_t **alone = fg_zeroed(n, sizeof *alone);
    for (size_t u = 0; u < n; u++)
        alone[u] = fg_zeroed(t->looked->sources[u].looks.len + 1, sizeof **alone);
    count_alone(t, alone);
    for (size_t u = 0; u < n; u++) {
        put_ghosts_of(t, u, alone[u]);
        free(alone[u]);
    }
    free(alone);
}

/* --- the whole --- */

struct fg_site *fg_twin_new(const struct fg_looked *looked,
                            const struct fg_twin_rules *rules)
{
    struct twin t = {.looked = looked, .rules = rules, .n_targets = looked->n_targets};
    struct fg_rng rng = fg_rng_from_seed(rules->seed);
    fg_time span = looked->to - looked->from;
    t.steps = (size_t)((span + rules->step - 1) / rules->step);
    for (size_t i = 0; i < STREAMS; i++)
        t.streams[i] = fg_rng_split(&rng, i);
    t.sources = fg_zeroed(looked->n_sources, sizeof *t.sources);
    t.came = fg_zeroed(looked->sights.len + 1, sizeof *t.came);
    learn_lives(&t);
    learn_pace(&t);
    put_all(&t);
    if (rules->has_ghosts)
        put_ghosts(&t);
    struct fg_site_facts facts = {.sources = looked->n_sources,
                                  .steps = t.steps,
                                  .start = looked->from,
                                  .step = rules->step};
    struct fg_site *site = fg_site_new(&facts, t.stays.at, t.stays.len);
    for (size_t u = 0; u < looked->n_sources; u++)
        fg_site_belongs(site, u, looked->sources[u].site);
    free(t.sources);
    free(t.came);
    fg_vec_clear(&t.stays);
    return site;
}
