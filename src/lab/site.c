#include "lab/site.h"

#include "base/err.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int by_pair(const void *a, const void *b)
{
    const struct fg_stay *x = a, *y = b;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Cut to the steps, sort, merge; returns how many are left. */
static size_t tidy(const struct fg_site_facts *facts, struct fg_stay *stays, size_t n)
{
    size_t kept = 0, merged = 0;
    for (size_t i = 0; i < n; i++) {
        struct fg_stay stay = stays[i];
        assert(stay.source < facts->sources);
        if (stay.last >= facts->steps)
            stay.last = (uint32_t)facts->steps - 1;
        if (facts->steps && stay.first <= stay.last)
            stays[kept++] = stay;
    }
    if (kept)
        qsort(stays, kept, sizeof *stays, by_pair);
    for (size_t i = 0; i < kept; i++) {
        struct fg_stay *last = merged ? &stays[merged - 1] : NULL;
        if (last && last->source == stays[i].source && last->target == stays[i].target &&
            stays[i].first <= last->last + 1) {
            if (stays[i].last > last->last)
                last->last = stays[i].last;
        } else {
            stays[merged++] = stays[i];
        }
    }
    return merged;
}

static bool starts_pair(const struct fg_stay *stays, size_t i)
{
    return i == 0 || stays[i].source != stays[i - 1].source ||
           stays[i].target != stays[i - 1].target;
}

static void note_pairs(struct fg_site *site, const struct fg_stay *stays, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        site->pairs += starts_pair(stays, i);
        if (stays[i].target >= site->targets)
            site->targets = (size_t)stays[i].target + 1;
        site->observations += stays[i].last - stays[i].first + 1;
    }
    site->pair_source = fg_zeroed(site->pairs, sizeof *site->pair_source);
    site->pair_target = fg_zeroed(site->pairs, sizeof *site->pair_target);
    site->appeared = fg_zeroed(site->targets, sizeof *site->appeared);
    memset(site->appeared, 0xff, site->targets * sizeof *site->appeared);
    size_t pair = 0;
    for (size_t i = 0; i < n; i++) {
        if (starts_pair(stays, i)) {
            site->pair_source[pair] = stays[i].source;
            site->pair_target[pair++] = stays[i].target;
        }
        uint32_t *appeared = &site->appeared[stays[i].target];
        if (stays[i].first < *appeared)
            *appeared = stays[i].first;
    }
}

/* A counting sort by step. Two counters a step keep departures before arrivals. */
static void sort_events(struct fg_site *site, const struct fg_stay *stays, size_t n)
{
    size_t steps = site->facts.steps;
    site->event = fg_zeroed(2 * n, sizeof *site->event);
    site->event_at = fg_zeroed(steps + 2, sizeof *site->event_at);
    size_t *next = fg_zeroed(2 * (steps + 1) + 1, sizeof *next);
    for (size_t i = 0; i < n; i++) {
        next[2 * (size_t)stays[i].first + 1 + 1]++;
        next[2 * ((size_t)stays[i].last + 1) + 1]++;
    }
    for (size_t i = 1; i < 2 * (steps + 1) + 1; i++)
        next[i] += next[i - 1];
    for (size_t step = 0; step <= steps; step++)
        site->event_at[step] = next[2 * step];
    site->event_at[steps + 1] = 2 * n;
    uint32_t pair = 0;
    for (size_t i = 0; i < n; i++) {
        pair += i && starts_pair(stays, i);
        site->event[next[2 * (size_t)stays[i].first + 1]++] = pair * 2 + 1;
        site->event[next[2 * ((size_t)stays[i].last + 1)]++] = pair * 2;
    }
    free(next);
}

struct fg_site *fg_site_new(const struct fg_site_facts *facts, struct fg_stay *stays,
                            size_t n)
{
    struct fg_site *site = fg_zeroed(1, sizeof *site);
    site->facts = *facts;
    n = tidy(facts, stays, n);
    note_pairs(site, stays, n);
    sort_events(site, stays, n);
    return site;
}

void fg_site_free(struct fg_site *site)
{
    if (!site)
        return;
    void *arrays[] = {site->pair_source, site->pair_target, site->event,
                      site->event_at,    site->appeared,    site->is_missing,
                      site->is_relevant, site->site_of};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(site);
}

struct fg_stay *fg_site_stays(const struct fg_site *site, size_t *n)
{
    size_t steps = site->facts.steps, events = steps ? site->event_at[steps + 1] : 0;
    struct fg_stay *stays = fg_zeroed(events / 2 + 1, sizeof *stays);
    uint32_t *since = fg_zeroed(site->pairs + 1, sizeof *since);
    *n = 0;
    for (size_t step = 0; events && step <= steps; step++)
        for (size_t i = site->event_at[step]; i < site->event_at[step + 1]; i++) {
            uint32_t pair = site->event[i] >> 1;
            if (site->event[i] & 1)
                since[pair] = (uint32_t)step;
            else
                stays[(*n)++] =
                    (struct fg_stay){site->pair_source[pair], site->pair_target[pair],
                                     since[pair], (uint32_t)step - 1};
        }
    free(since);
    if (*n)
        qsort(stays, *n, sizeof *stays, by_pair);
    return stays;
}

struct fg_site *fg_site_part(const struct fg_site *site, size_t from, size_t steps)
{
    struct fg_site_facts facts = site->facts;
    size_t n, kept = 0;
    struct fg_stay *stays = fg_site_stays(site, &n);
    facts.start += (fg_time)from * facts.step;
    facts.steps = steps;
    for (size_t i = 0; i < n; i++) {
        if (stays[i].last < from || stays[i].first >= from + steps)
            continue;
        stays[kept] = stays[i];
        stays[kept].first -= stays[i].first < from ? stays[i].first : (uint32_t)from;
        stays[kept++].last -= (uint32_t)from;
    }
    struct fg_site *part = fg_site_new(&facts, stays, kept);
    free(stays);
    for (size_t step = 0; site->is_missing && step < steps; step++)
        for (size_t u = 0; u < facts.sources; u++)
            if (site->is_missing[(from + step) * facts.sources + u])
                fg_site_miss(part, u, step);
    for (size_t v = 0; site->is_relevant && v < part->targets; v++)
        if (site->is_relevant[v])
            fg_site_relevant(part, v);
    for (size_t u = 0; site->site_of && u < facts.sources; u++)
        fg_site_belongs(part, u, site->site_of[u]);
    return part;
}

void fg_site_miss(struct fg_site *site, size_t source, size_t step)
{
    if (!site->is_missing)
        site->is_missing = fg_zeroed(site->facts.steps * site->facts.sources, 1);
    site->is_missing[step * site->facts.sources + source] = 1;
}

void fg_site_relevant(struct fg_site *site, size_t target)
{
    if (!site->is_relevant)
        site->is_relevant = fg_zeroed(site->targets, 1);
    site->is_relevant[target] = 1;
}

void fg_site_belongs(struct fg_site *site, size_t source, uint32_t number)
{
    if (!site->site_of)
        site->site_of = fg_zeroed(site->facts.sources, sizeof *site->site_of);
    site->site_of[source] = number;
}
