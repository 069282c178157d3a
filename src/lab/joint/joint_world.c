#include "lab/joint/joint_world.h"

#include "base/memory.h"
#include "lab/recording.h"
#include "lab/refresh/history.h"

#include <stdlib.h>
#include <string.h>

#define WEEK (7 * FG_DAY)

static const fg_time before = 60 * FG_DAY, warm_up = 21 * FG_DAY;

static fg_time midnight_after(fg_time time)
{
    return (time + FG_DAY - 1) / FG_DAY * FG_DAY;
}

static enum fg_status load_site(struct fg_joint_world *world, const char *folder,
                                struct fg_err *err)
{
    struct fg_recording *recording;
    enum fg_status st = fg_recording_load(&recording, folder, err);
    if (st)
        return st;
    for (size_t i = 0; i < fg_recording_sites(recording) && !world->site; i++)
        if (fg_recording_is_whole(recording, i))
            world->site = fg_recording_site(recording, i);
    if (!world->site)
        world->site = fg_recording_site(recording, 0);
    fg_recording_free(recording);
    return FG_OK;
}

/* Whole weeks by which a history ends with the recording, or later if it can. */
static fg_time shift_of(const struct fg_timeline *history, fg_time from, fg_time to)
{
    if (history->from <= from && history->to >= to)
        return 0;
    fg_time late = to - history->to; /* its end would be that of the recording */
    fg_time weeks = late >= 0 ? (late + WEEK - 1) / WEEK : -(-late / WEEK);
    return weeks * WEEK;
}

static void append(struct fg_timeline *all, const struct fg_timeline *one, fg_time shift,
                   uint32_t sites, uint32_t groups)
{
    size_t n = all->n;
    for (size_t i = 0; i < one->n; i++) {
        all->first[n + i] = (one->first ? one->first[i] : one->from) + shift;
        all->last[n + i] = (one->last ? one->last[i] : one->to) + shift;
        all->site[n + i] = sites;
        all->group[n + i] = groups + (one->group ? one->group[i] : 0);
        all->weight[n + i] = one->weight ? one->weight[i] : 1;
    }
    for (size_t i = 0; i < one->n_changes; i++) {
        struct fg_change change = one->changes[i];
        change.at += shift;
        change.page += (uint32_t)n;
        all->changes[all->n_changes++] = change;
    }
    all->n += one->n;
}

static int by_time(const void *a, const void *b)
{
    const struct fg_change *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->page < y->page ? -1 : x->page > y->page;
}

static uint32_t groups_of(const struct fg_timeline *t)
{
    uint32_t most = 0;
    for (size_t i = 0; t->group && i < t->n; i++)
        most = t->group[i] > most ? t->group[i] : most;
    return most + 1;
}

static struct fg_timeline *merge(struct fg_timeline **one, size_t n, fg_time from,
                                 fg_time to)
{
    struct fg_timeline *all = fg_zeroed(1, sizeof *all);
    size_t pages = 0, changes = 0;
    for (size_t i = 0; i < n; i++) {
        pages += one[i]->n;
        changes += one[i]->n_changes;
    }
    all->first = fg_zeroed(pages, sizeof *all->first);
    all->last = fg_zeroed(pages, sizeof *all->last);
    all->site = fg_zeroed(pages, sizeof *all->site);
    all->group = fg_zeroed(pages, sizeof *all->group);
    all->weight = fg_zeroed(pages, sizeof *all->weight);
    all->changes = fg_zeroed(changes, sizeof *all->changes);
    all->from = all->crawled_from = from;
    all->to = to;
    all->step = FG_HOUR;
    all->is_seen_first = true;
    uint32_t groups = 0;
    for (size_t i = 0; i < n; i++) {
        append(all, one[i], shift_of(one[i], from, to), (uint32_t)i, groups);
        groups += groups_of(one[i]);
    }
    if (all->n_changes)
        qsort(all->changes, all->n_changes, sizeof *all->changes, by_time);
    double sum = 0;
    for (size_t i = 0; i < pages; i++)
        sum += (double)all->weight[i];
    for (size_t i = 0; sum > 0 && i < pages; i++)
        all->weight[i] = (float)((double)all->weight[i] * (double)pages / sum);
    return all;
}

static enum fg_status load_documents(struct fg_joint_world *world,
                                     const struct fg_joint_spec *spec, struct fg_err *err)
{
    const struct fg_site_facts *facts = &world->site->facts;
    fg_time to = facts->start + (fg_time)facts->steps * facts->step;
    fg_time from = midnight_after(facts->start) - FG_DAY - before;
    struct fg_timeline **one = fg_zeroed(spec->n_histories, sizeof(struct fg_timeline *));
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < spec->n_histories; i++) {
        struct fg_history_options options = {
            .weights = fg_history_has_weights(spec->histories[i]) ? FG_WEIGHTS_OWN
                                                                  : FG_WEIGHTS_ZIPF,
            .seed = spec->seed};
        st = fg_history_load(&one[i], spec->histories[i], &options, err);
    }
    if (!st) {
        world->timeline = merge(one, spec->n_histories, from, to);
        world->timeline->judged_from = world->judged_from;
    }
    for (size_t i = 0; i < spec->n_histories; i++)
        fg_timeline_free(one[i]);
    free(one);
    return st;
}

enum fg_status fg_joint_world_load(struct fg_joint_world **made,
                                   const struct fg_joint_spec *spec, struct fg_err *err)
{
    struct fg_joint_world *world = fg_zeroed(1, sizeof *world);
    world->wants = spec->wants;
    enum fg_status st = load_site(world, spec->recording, err);
    if (!st) {
        world->judged_from = midnight_after(world->site->facts.start + warm_up);
        if (spec->n_histories)
            st = load_documents(world, spec, err);
    }
    *made = st ? NULL : world;
    if (st)
        fg_joint_world_free(world);
    return st;
}

void fg_joint_world_free(struct fg_joint_world *world)
{
    if (!world)
        return;
    fg_site_free(world->site);
    fg_timeline_free(world->timeline);
    free(world);
}
