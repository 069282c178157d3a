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

/* How to make a timeline. */
struct spec {
    const char *folder; /* of a history; NULL: it is generated */
    struct fg_history_options history;
    bool is_restless; /* or offers */
    struct fg_offers_options offers;
    struct fg_restless_options restless;
};

static enum fg_status make(const struct fg_item *item, void **made, struct fg_err *err)
{
    const struct spec *spec = item->spec;
    struct fg_timeline *timeline = NULL;
    enum fg_status st = FG_OK;
    if (spec->folder)
        st = fg_history_load(&timeline, spec->folder, &spec->history, err);
    else
        timeline = spec->is_restless ? fg_restless_make(&spec->restless)
                                     : fg_offers_make(&spec->offers, NULL);
    *made = timeline;
    return st;
}

static uint64_t stamp_of(const struct spec *spec)
{
    uint64_t facts[] = {spec->is_restless,
                        spec->history.weights,
                        spec->history.seed,
                        (uint64_t)spec->history.step,
                        spec->offers.pages,
                        spec->offers.seed,
                        spec->offers.is_own,
                        spec->restless.setting,
                        spec->restless.is_probability,
                        spec->restless.seed};
    const struct fg_offers_options *offers = &spec->offers;
    uint64_t stamp = fg_stamp_mix(0, facts, sizeof facts);
    stamp = fg_stamp_mix(stamp, &offers->failures, sizeof offers->failures);
    if (offers->n_steady)
        stamp = fg_stamp_mix(stamp, offers->steady,
                             offers->n_steady * sizeof *offers->steady);
    if (spec->folder)
        stamp = fg_stamp_files(fg_stamp_mix(stamp, spec->folder, strlen(spec->folder)),
                               spec->folder);
    return stamp;
}

static void put(struct fg_supply *supply, struct fg_group *group, const struct spec *like)
{
    struct spec *spec = FG_NEW(&supply->arena, struct spec, 1);
    *spec = *like;
    fg_supply_put(supply, group, 0,
                  &(struct fg_item){.name = group->name,
                                    .spec = spec,
                                    .stamp = stamp_of(spec),
                                    .luck = SEEDS_APART * (uint64_t)group->n,
                                    .make = make});
}

/* --- generated --- */

/* Runs of a generator differ in their timelines; the policy's luck differs as well. */
static void add_runs(struct fg_supply *supply, const struct fg_workload *workload,
                     const char *name, struct spec *spec, size_t runs)
{
    struct fg_group group = {.name = workload->name ? workload->name : name,
                             .workload = workload,
                             .family = supply->families.len};
    for (size_t i = 0; i < runs; i++) {
        spec->offers.seed = spec->restless.seed = workload->seed + i;
        put(supply, &group, spec);
    }
    fg_vec_push_in(&supply->arena, &supply->groups, group);
    fg_vec_push_in(&supply->arena, &supply->families, group.name);
}

static enum fg_status add_generated(struct fg_supply *supply,
                                    const struct fg_workload *workload, size_t most,
                                    struct fg_err *err)
{
    bool is_offers = strcmp(workload->from[0], "offers") == 0;
    if (!is_offers && strcmp(workload->from[0], "restless") != 0)
        return fg_fail(err, FG_ECONFIG,
                       "no generator '%s' of pages to refresh; 'forage lab list' shows "
                       "those there are",
                       workload->from[0]);
    struct spec spec = {.is_restless = !is_offers, .offers = fg_offers_defaults()};
    size_t runs = workload->refresh.runs ? workload->refresh.runs
                  : is_offers            ? 1
                                         : RESTLESS_RUNS;
    const char *name = workload->refresh.is_own ? "offers, own observations" : "offers";
    if (workload->refresh.pages)
        spec.offers.pages = workload->refresh.pages;
    spec.offers.is_own = workload->refresh.is_own;
    spec.offers.failures = workload->refresh.failures;
    spec.offers.steady = workload->refresh.steady;
    spec.offers.n_steady = workload->refresh.n_steady;
    spec.restless.setting =
        workload->refresh.setting ? (unsigned)workload->refresh.setting : 1;
    spec.restless.is_probability = workload->refresh.is_probability;
    if (is_offers &&
        (spec.offers.pages < FG_OFFERS_LEAST || spec.offers.pages > FG_OFFERS_MOST))
        return fg_fail(err, FG_ECONFIG, "'offers' has from %d to %d pages",
                       FG_OFFERS_LEAST, FG_OFFERS_MOST);
    if (!is_offers && (workload->refresh.failures > 0 || workload->refresh.n_steady))
        return fg_fail(err, FG_ECONFIG, "'failures' and 'steady' are of 'offers'");
    if (!is_offers && spec.restless.setting > 2)
        return fg_fail(err, FG_ECONFIG, "'restless' has the settings 1 and 2");
    if (!is_offers)
        name = fg_arena_printf(&supply->arena, "restless-%u", spec.restless.setting).at;
    add_runs(supply, workload, name, &spec, most && most < runs ? most : runs);
    return FG_OK;
}

/* --- histories --- */

static void add_history(struct fg_supply *supply, const struct fg_workload *workload,
                        const char *folder, unsigned wish)
{
    struct spec spec = {
        .folder = folder,
        .history = {.step = workload->refresh.step, .seed = workload->seed}};
    spec.history.weights = wish == FG_WISH_OWN    ? FG_WEIGHTS_OWN
                           : wish == FG_WISH_ZIPF ? FG_WEIGHTS_ZIPF
                                                  : FG_WEIGHTS_EQUAL;
    if (wish == FG_WISH_WEIGHTED)
        spec.history.weights =
            fg_history_has_weights(folder) ? FG_WEIGHTS_OWN : FG_WEIGHTS_ZIPF;
    const char *slash = strrchr(folder, '/');
    struct fg_group group = {.workload = workload, .family = supply->families.len};
    group.name =
        fg_arena_printf(&supply->arena, "%s %s", slash && slash[1] ? slash + 1 : folder,
                        fg_weights_names[spec.history.weights])
            .at;
    put(supply, &group, &spec);
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
    const unsigned *wishes =
        workload->refresh.n_weights ? workload->refresh.weights : equal;
    size_t n = workload->refresh.n_weights ? workload->refresh.n_weights : 1;
    fg_folders folders = {0};
    find_folders(supply, &folders, workload);
    for (size_t w = 0; folders.len && w < n; w++) {
        const char *name = words[wishes[w]];
        if (workload->name)
            name = fg_arena_printf(&supply->arena, "%s, %s", workload->name, name).at;
        for (size_t i = 0; i < folders.len && (!most || i < most); i++)
            add_history(supply, workload, folders.at[i], wishes[w]);
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
    *workload = (struct fg_workload){
        .kind = FG_WORK_CHANGES, .seed = 1, .refresh.runs = 1, .n_from = 1};
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
