#include "lab/twin/looked.h"

#include "base/memory.h"
#include "lab/twin/trial.h"

#include <stdlib.h>

void fg_looked_init(struct fg_looked *looked, size_t sources, fg_time from, fg_time to)
{
    *looked = (struct fg_looked){.from = from, .to = to, .n_sources = sources};
    looked->sources = fg_zeroed(sources, sizeof *looked->sources);
}

void fg_looked_clear(struct fg_looked *looked)
{
    for (size_t i = 0; i < looked->n_sources; i++)
        fg_vec_clear(&looked->sources[i].looks);
    free(looked->sources);
    fg_vec_clear(&looked->sights);
    *looked = (struct fg_looked){0};
}

void fg_looked_look(struct fg_looked *looked, size_t source, fg_time time)
{
    if (time >= looked->from && time < looked->to)
        fg_vec_push(&looked->sources[source].looks, time);
}

void fg_looked_sight(struct fg_looked *looked, size_t source, size_t target,
                     fg_time first, fg_time last)
{
    struct fg_sight sight = {.source = (uint32_t)source,
                             .target = (uint32_t)target,
                             .first = first,
                             .last = last};
    fg_vec_push(&looked->sights, sight);
    if (target >= looked->n_targets)
        looked->n_targets = target + 1;
}

/* --- putting in order --- */

static int by_time(const void *a, const void *b)
{
    const fg_time *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int by_target(const void *a, const void *b)
{
    const struct fg_sight *x = a, *y = b;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* How many looks there were before that time. */
static size_t looks_before(const struct fg_looked_source *source, fg_time time)
{
    size_t low = 0, high = source->looks.len;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (source->looks.at[mid] < time)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

fg_time fg_looked_next(const struct fg_looked *looked, size_t source, fg_time time)
{
    const struct fg_looked_source *s = &looked->sources[source];
    size_t i = looks_before(s, time);
    return i < s->looks.len ? s->looks.at[i] : FG_NEVER;
}

/* Cuts a sight to the looks that showed it; false if there is none. */
static bool fit(const struct fg_looked *looked, struct fg_sight *sight)
{
    const struct fg_looked_source *source = &looked->sources[sight->source];
    size_t first = looks_before(source, sight->first),
           end = looks_before(source, sight->last + 1);
    if (first >= end)
        return false;
    sight->first = source->looks.at[first];
    sight->last = source->looks.at[end - 1];
    sight->before = first ? source->looks.at[first - 1] : FG_NEVER;
    sight->after = end < source->looks.len ? source->looks.at[end] : FG_NEVER;
    return true;
}

void fg_looked_done(struct fg_looked *looked)
{
    size_t n = 0;
    for (size_t i = 0; i < looked->n_sources; i++) {
        struct fg_looked_source *source = &looked->sources[i];
        size_t kept = 0;
        if (source->looks.len)
            qsort(source->looks.at, source->looks.len, sizeof *source->looks.at, by_time);
        for (size_t j = 0; j < source->looks.len; j++)
            if (!kept || source->looks.at[kept - 1] < source->looks.at[j])
                source->looks.at[kept++] = source->looks.at[j];
        source->looks.len = kept;
    }
    for (size_t i = 0; i < looked->sights.len; i++) {
        struct fg_sight sight = looked->sights.at[i];
        if (fit(looked, &sight))
            looked->sights.at[n++] = sight;
    }
    looked->sights.len = n;
    if (n)
        qsort(looked->sights.at, n, sizeof *looked->sights.at, by_target);
}

uint64_t fg_looked_count(const struct fg_looked *looked)
{
    uint64_t n = 0;
    for (size_t i = 0; i < looked->n_sources; i++)
        n += looked->sources[i].looks.len;
    return n;
}

/* --- of a replay --- */

struct watching {
    struct fg_looked *looked;
    const struct fg_site *site;
};

static void note_look(void *context, size_t source, size_t step)
{
    struct watching *w = context;
    const struct fg_site_facts *facts = &w->site->facts;
    if (!w->site->is_missing || !w->site->is_missing[step * facts->sources + source])
        fg_looked_look(w->looked, source, facts->start + (fg_time)step * facts->step);
}

/* Stays that no look came between are one sight. */
static void note_sights(struct fg_looked *looked, const struct fg_site *site)
{
    size_t n;
    struct fg_stay *stays = fg_site_stays(site, &n);
    const struct fg_site_facts *facts = &site->facts;
    for (size_t i = 0; i < n; i++) {
        const struct fg_stay *stay = &stays[i];
        const struct fg_looked_source *source = &looked->sources[stay->source];
        fg_time first = facts->start + (fg_time)stay->first * facts->step,
                last = facts->start + (fg_time)stay->last * facts->step;
        while (i + 1 < n && stays[i + 1].source == stay->source &&
               stays[i + 1].target == stay->target) {
            fg_time again = facts->start + (fg_time)stays[i + 1].first * facts->step;
            if (looks_before(source, again) != looks_before(source, last + 1))
                break;
            last = facts->start + (fg_time)stays[++i].last * facts->step;
        }
        fg_looked_sight(looked, stay->source, stay->target, first, last);
    }
    free(stays);
}

enum fg_status fg_looked_replay(struct fg_looked *looked, const struct fg_site *site,
                                const struct fg_policy *policy, double a_step,
                                uint64_t seed, struct fg_err *err)
{
    const struct fg_site_facts *facts = &site->facts;
    struct watching watching = {looked, site};
    struct fg_trial_rules rules = {.policy = policy,
                                   .a_step = a_step,
                                   .seed = seed,
                                   .look = note_look,
                                   .context = &watching};
    struct fg_trial trial;
    fg_looked_init(looked, facts->sources, facts->start,
                   facts->start + (fg_time)facts->steps * facts->step);
    for (size_t i = 0; site->site_of && i < facts->sources; i++)
        looked->sources[i].site = site->site_of[i];
    enum fg_status st = fg_trial_run(&trial, site, &rules, err);
    if (st)
        return st;
    for (size_t i = 0; i < facts->sources; i++) {
        struct fg_looked_source *source = &looked->sources[i];
        if (source->looks.len)
            qsort(source->looks.at, source->looks.len, sizeof *source->looks.at, by_time);
    }
    note_sights(looked, site);
    fg_looked_done(looked);
    return FG_OK;
}
