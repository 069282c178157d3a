#include "lab/refresh/timelines.h"

#include "lab/refresh/history.h"
#include "lab/refresh/offers.h"
#include "lab/refresh/restless.h"
#include "lab/sites.h"

#include <string.h>

enum { RESTLESS_RUNS = 10 /* as published */, SEEDS_APART = 1000 };

const struct fg_timeline_generator fg_timeline_generators[] = {
    {"offers",
     "shop offers with clicks and impressions, calibrated to Han et al. (2020): "
     "151 days, what is told of them, 31 days judged"},
    {"restless", "the restless bandit of Avrachenkov, Borkar and Patil (2021): four "
                 "groups of pages, one visit a slot"},
    {0},
};

/* --- generated --- */

static enum fg_status make_offers(const struct fg_item *item, void **made,
                                  struct fg_err *err)
{
    (void)err;
    *made = fg_offers_make(item->spec, NULL);
    return FG_OK;
}

static enum fg_status make_restless(const struct fg_item *item, void **made,
                                    struct fg_err *err)
{
    (void)err;
    *made = fg_restless_make(item->spec);
    return FG_OK;
}

/* Runs of a generator differ in their timelines; the policy's luck differs as well. */
static void put_run(struct fg_supply *supply, struct fg_group *group,
                    const struct fg_item *like, uint64_t seed)
{
    struct fg_item item = *like;
    item.name = group->name;
    item.luck = SEEDS_APART * (uint64_t)group->n;
    item.stamp = fg_stamp_mix(item.stamp, &seed, sizeof seed);
    fg_supply_put(supply, group, 0, &item);
}

static void put_group(struct fg_supply *supply, const struct fg_group *group)
{
    fg_vec_push_in(&supply->arena, &supply->groups, *group);
    fg_vec_push_in(&supply->arena, &supply->families, group->name);
}

static enum fg_status add_offers(struct fg_supply *supply,
                                 const struct fg_workload *workload, size_t most,
                                 struct fg_err *err)
{
    struct fg_offers_options o = fg_offers_defaults();
    size_t runs = workload->runs ? workload->runs : 1;
    if (workload->pages)
        o.pages = workload->pages;
    o.is_own = workload->is_own;
    if (o.pages < FG_OFFERS_LEAST || o.pages > FG_OFFERS_MOST)
        return fg_fail(err, FG_ECONFIG, "'offers' has from %d to %d pages",
                       FG_OFFERS_LEAST, FG_OFFERS_MOST);
    struct fg_group group = {.workload = workload, .family = supply->families.len};
    group.name = workload->name     ? workload->name
                 : workload->is_own ? "offers, own observations"
                                    : "offers";
    uint64_t facts[] = {o.pages, o.is_own};
    for (size_t i = 0; i < runs && (!most || i < most); i++) {
        struct fg_offers_options *spec =
            FG_NEW(&supply->arena, struct fg_offers_options, 1);
        o.seed = workload->seed + i;
        *spec = o;
        put_run(supply, &group,
                &(struct fg_item){.spec = spec,
                                  .stamp = fg_stamp_mix(0, facts, sizeof facts),
                                  .make = make_offers},
                o.seed);
    }
    put_group(supply, &group);
    return FG_OK;
}

static enum fg_status add_restless(struct fg_supply *supply,
                                   const struct fg_workload *workload, size_t most,
                                   struct fg_err *err)
{
    size_t setting = workload->setting ? workload->setting : 1;
    size_t runs = workload->runs ? workload->runs : RESTLESS_RUNS;
    if (setting > 2)
        return fg_fail(err, FG_ECONFIG, "'restless' has the settings 1 and 2");
    struct fg_restless_options o = {.setting = (unsigned)setting,
                                    .is_probability = workload->is_probability};
    struct fg_group group = {.workload = workload, .family = supply->families.len};
    group.name = workload->name
                     ? workload->name
                     : fg_arena_printf(&supply->arena, "restless-%zu", setting).at;
    uint64_t facts[] = {o.setting, o.is_probability};
    for (size_t i = 0; i < runs && (!most || i < most); i++) {
        struct fg_restless_options *spec =
            FG_NEW(&supply->arena, struct fg_restless_options, 1);
        o.seed = workload->seed + i;
        *spec = o;
        put_run(supply, &group,
                &(struct fg_item){.spec = spec,
                                  .stamp = fg_stamp_mix(0, facts, sizeof facts),
                                  .make = make_restless},
                o.seed);
    }
    put_group(supply, &group);
    return FG_OK;
}

static enum fg_status add_generated(struct fg_supply *supply,
                                    const struct fg_workload *workload, size_t most,
                                    struct fg_err *err)
{
    if (strcmp(workload->from[0], "offers") == 0)
        return add_offers(supply, workload, most, err);
    if (strcmp(workload->from[0], "restless") == 0)
        return add_restless(supply, workload, most, err);
    return fg_fail(err, FG_ECONFIG,
                   "no generator '%s' of pages to refresh; 'forage lab list' shows those "
                   "there are",
                   workload->from[0]);
}

/* --- histories --- */

struct record {
    const char *folder;
    struct fg_history_options options;
};

static enum fg_status load(const struct fg_item *item, void **made, struct fg_err *err)
{
    const struct record *record = item->spec;
    struct fg_timeline *timeline = NULL;
    enum fg_status st = fg_history_load(&timeline, record->folder, &record->options, err);
    *made = timeline;
    return st;
}

static void add_history(struct fg_supply *supply, const struct fg_workload *workload,
                        const char *folder, unsigned wish, size_t family)
{
    struct record *record = FG_NEW(&supply->arena, struct record, 1);
    record->folder = folder;
    record->options.step = workload->step;
    record->options.seed = workload->seed;
    record->options.weights = wish == FG_WISH_OWN    ? FG_WEIGHTS_OWN
                              : wish == FG_WISH_ZIPF ? FG_WEIGHTS_ZIPF
                                                     : FG_WEIGHTS_EQUAL;
    if (wish == FG_WISH_WEIGHTED)
        record->options.weights =
            fg_history_has_weights(folder) ? FG_WEIGHTS_OWN : FG_WEIGHTS_ZIPF;
    uint64_t facts[] = {(uint64_t)workload->step, workload->seed,
                        record->options.weights};
    uint64_t stamp = fg_stamp_files(fg_str_hash(fg_str_from(folder)), folder);
    const char *slash = strrchr(folder, '/');
    struct fg_group group = {.workload = workload, .family = family};
    group.name =
        fg_arena_printf(&supply->arena, "%s %s", slash && slash[1] ? slash + 1 : folder,
                        fg_weights_names[record->options.weights])
            .at;
    fg_supply_put(supply, &group, 0,
                  &(struct fg_item){.name = group.name,
                                    .spec = record,
                                    .stamp = fg_stamp_mix(stamp, facts, sizeof facts),
                                    .make = load});
    fg_vec_push_in(&supply->arena, &supply->groups, group);
}

static void find_folders(struct fg_supply *supply, fg_folders *folders,
                         const struct fg_workload *workload)
{
    const char **histories = NULL, **recordings = NULL;
    size_t n = 0, m = 0;
    if (supply->data) {
        n = fg_histories_in(&histories, &supply->arena, supply->data);
        m = fg_recordings_in(&recordings, &supply->arena, supply->data);
    }
    for (size_t i = 0; i < workload->n_from; i++) {
        const char *pattern = workload->from[i];
        if (strchr(pattern, '/'))
            fg_vec_push_in(&supply->arena, folders, pattern);
        else if (!fg_supply_fit(supply, folders, pattern, histories, n) &&
                 !fg_supply_fit(supply, folders, pattern, recordings, m))
            fg_vec_push_in(&supply->arena, &supply->missing, pattern);
    }
}

static void add_changes(struct fg_supply *supply, const struct fg_workload *workload,
                        size_t most)
{
    static const unsigned equal[] = {FG_WISH_EQUAL};
    static const char *const words[] = {"equal weights", "own weights", "Zipf weights",
                                        "weighted"};
    const unsigned *wishes = workload->n_weights ? workload->weights : equal;
    size_t n = workload->n_weights ? workload->n_weights : 1;
    fg_folders folders = {0};
    find_folders(supply, &folders, workload);
    for (size_t w = 0; folders.len && w < n; w++) {
        const char *name = words[wishes[w]];
        if (workload->name)
            name = fg_arena_printf(&supply->arena, "%s, %s", workload->name, name).at;
        for (size_t i = 0; i < folders.len && (!most || i < most); i++)
            add_history(supply, workload, folders.at[i], wishes[w], supply->families.len);
        fg_vec_push_in(&supply->arena, &supply->families, name);
    }
}

enum fg_status fg_timelines_add(struct fg_supply *supply,
                                const struct fg_workload *workload, size_t most,
                                struct fg_err *err)
{
    if (workload->kind == FG_WORK_GENERATE)
        return add_generated(supply, workload, most, err);
    add_changes(supply, workload, most);
    return FG_OK;
}

/* --- names --- */

size_t fg_histories_in(const char ***names, struct fg_arena *arena, const char *folder)
{
    return fg_folders_in(names, arena, folder, fg_history_is_in);
}

bool fg_timelines_named(struct fg_workload *workload, struct fg_arena *arena,
                        const char *word, const char *data)
{
    *workload =
        (struct fg_workload){.kind = FG_WORK_CHANGES, .seed = 1, .runs = 1, .n_from = 1};
    workload->from = FG_NEW(arena, const char *, 1);
    workload->from[0] = word;
    for (size_t i = 0; fg_timeline_generators[i].name; i++)
        if (strcmp(word, fg_timeline_generators[i].name) == 0) {
            workload->kind = FG_WORK_GENERATE;
            return true;
        }
    if (fg_history_is_in(word)) {
        workload->from[0] = fg_arena_printf(arena, "./%s", word).at;
        if (word[0] == '/')
            workload->from[0] = word;
        return true;
    }
    return data && fg_history_is_in(fg_arena_printf(arena, "%s/%s", data, word).at);
}
