#include "lab/quality/searched.h"

#include "base/memory.h"
#include "lab/quality/foresee.h"
#include "lab/quality/versions_make.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS = 3, SEEDS_APART = 1000 };

const struct fg_searched_generator fg_searched_generators[] = {
    {"searched", "sites whose pages are searched: navigation, advertisements that change "
                 "without matter, announcements that matter, 105 weeks, two query logs"},
    {0},
};

/* How to make a corpus. */
struct spec {
    const char *folder; /* NULL: it is generated */
    struct fg_versions_options made;
    struct fg_corpus_options corpus;
    bool is_known;
};

void fg_searched_free(struct fg_searched *searched)
{
    if (searched)
        fg_corpus_free(searched->corpus);
    free(searched);
}

static enum fg_status make(const struct fg_item *item, void **made, struct fg_err *err)
{
    const struct spec *spec = item->spec;
    struct fg_versions *versions = NULL;
    struct fg_searched *searched = fg_zeroed(1, sizeof *searched);
    enum fg_status st = FG_OK;
    if (spec->folder)
        st = fg_versions_load(&versions, spec->folder, err);
    else
        versions = fg_versions_make(&spec->made);
    if (!st)
        st = fg_corpus_make(&searched->corpus, versions, &spec->corpus, err);
    fg_versions_free(versions);
    if (!st)
        fg_corpus_foresee(searched->corpus, spec->is_known);
    searched->has_study = !st && spec->is_known && !spec->corpus.half;
    if (searched->has_study)
        fg_study_make(&searched->study, searched->corpus);
    if (st) {
        fg_searched_free(searched);
        searched = NULL;
    }
    *made = searched;
    return st;
}

static uint64_t stamp_of(const struct spec *spec)
{
    uint64_t facts[] = {spec->made.pages, spec->made.seed, spec->corpus.scoring,
                        spec->corpus.half, spec->is_known};
    uint64_t stamp = fg_stamp_mix(0, facts, sizeof facts);
    stamp = fg_stamp_mix(stamp, spec->corpus.log, strlen(spec->corpus.log));
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

static struct fg_group group_of(struct fg_supply *supply,
                                const struct fg_workload *workload, const char *from,
                                const struct spec *spec)
{
    const char *scoring = workload->quality.is_inlinks ? "inlinks" : "tfidf";
    struct fg_group group = {.workload = workload, .name = workload->name};
    if (!group.name)
        group.name =
            fg_arena_printf(&supply->arena, "%s, %s, %s", from, spec->corpus.log, scoring)
                .at;
    return group;
}

static enum fg_status add_generated(struct fg_supply *supply,
                                    const struct fg_workload *workload, struct spec *spec,
                                    size_t most, struct fg_err *err)
{
    if (strcmp(workload->from[0], fg_searched_generators[0].name) != 0)
        return fg_fail(err, FG_ECONFIG,
                       "no generator '%s' of pages that are searched; 'forage lab list' "
                       "shows those there are",
                       workload->from[0]);
    if (workload->refresh.pages && (workload->refresh.pages < FG_VERSIONS_LEAST ||
                                    workload->refresh.pages > FG_VERSIONS_MOST))
        return fg_fail(err, FG_ECONFIG, "'searched' has from %d to %d pages",
                       FG_VERSIONS_LEAST, FG_VERSIONS_MOST);
    struct fg_group group = group_of(supply, workload, workload->from[0], spec);
    size_t runs = workload->refresh.runs ? workload->refresh.runs : RUNS;
    spec->made.pages = workload->refresh.pages;
    for (size_t i = 0; i < runs && (!most || i < most); i++) {
        spec->made.seed = workload->seed + i;
        put(supply, &group, spec);
    }
    fg_vec_push_in(&supply->arena, &supply->groups, group);
    return FG_OK;
}

static void add_folder(struct fg_supply *supply, const struct fg_workload *workload,
                       struct spec *spec, size_t most)
{
    const char *slash = strrchr(spec->folder, '/');
    struct fg_group group =
        group_of(supply, workload, slash ? slash + 1 : spec->folder, spec);
    for (size_t half = 0; half <= workload->quality.halves && (!most || half < most);
         half++) {
        spec->corpus.half = half;
        put(supply, &group, spec);
    }
    fg_vec_push_in(&supply->arena, &supply->groups, group);
}

enum fg_status fg_searched_add(struct fg_supply *supply,
                               const struct fg_workload *workload, size_t most,
                               struct fg_err *err)
{
    struct spec spec = {
        .corpus = {.log = workload->quality.queries ? workload->quality.queries : "heads",
                   .scoring = workload->quality.is_inlinks ? FG_SCORING_INLINKS
                                                           : FG_SCORING_TFIDF},
        .is_known = workload->quality.is_known};
    if (workload->kind == FG_WORK_GENERATE)
        return add_generated(supply, workload, &spec, most, err);
    const char **names = NULL;
    size_t n = supply->data ? fg_versions_in(&names, &supply->arena, supply->data) : 0;
    fg_folders folders = {0};
    for (size_t i = 0; i < workload->n_from; i++) {
        const char *pattern = workload->from[i];
        if (strchr(pattern, '/'))
            fg_vec_push_in(&supply->arena, &folders, pattern);
        else if (!fg_supply_fit(supply, &folders, pattern, names, n))
            fg_vec_push_in(&supply->arena, &supply->missing, pattern);
    }
    for (size_t i = 0; i < folders.len; i++) {
        spec.folder = folders.at[i];
        add_folder(supply, workload, &spec, most);
    }
    return FG_OK;
}

size_t fg_versions_in(const char ***names, struct fg_arena *arena, const char *folder)
{
    return fg_folders_in(names, arena, folder, fg_versions_is_in);
}
