#include "lab/sites.h"

#include "lab/generate/generate.h"
#include "lab/import.h"
#include "lab/recording.h"
#include "lab/tsv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILL_SECONDS = 24 * 3600 }; /* of a live store: see linklog.h */

struct loaded {
    const char *path;
    const struct fg_preparation *preparation;
    struct fg_recording *recording;
    size_t uses; /* sites that may still be taken */
};

/* A site of a recording. */
struct part {
    struct loaded *loaded;
    size_t number;
};

/* --- generated --- */

static enum fg_status generate(const struct fg_item *item, void **made,
                               struct fg_err *err)
{
    (void)err;
    *made = fg_generate_site(item->spec);
    return FG_OK;
}

static uint64_t stamp_of(const struct fg_generator_options *o)
{
    uint64_t facts[] = {o->seed, o->number, o->steps, o->history, 0};
    memcpy(&facts[4], &o->relevant, sizeof facts[4]);
    uint64_t stamp = fg_str_hash(fg_str_from(o->name));
    for (size_t i = 0; i < o->n_params; i++) {
        double ends[] = {o->params[i].from, o->params[i].to};
        stamp = fg_stamp_mix(stamp ^ fg_str_hash(fg_str_from(o->params[i].name)), ends,
                             sizeof ends);
    }
    return fg_stamp_mix(stamp, facts, sizeof facts);
}

static enum fg_status add_generated(struct fg_supply *supply,
                                    const struct fg_workload *workload, size_t most,
                                    struct fg_err *err)
{
    struct fg_generator_options o = fg_generator_defaults(workload->from[0]);
    if (!o.name)
        return fg_fail(err, FG_ECONFIG,
                       "no generator '%s'; 'forage lab list' shows those there are",
                       workload->from[0]);
    struct fg_group group = {.name = workload->name ? workload->name : o.name,
                             .workload = workload};
    size_t sites = workload->sites ? workload->sites : o.sites;
    o.seed = workload->seed;
    o.steps = workload->hours ? workload->hours : o.steps;
    o.history = workload->history ? workload->history : o.history;
    o.params = workload->making.params;
    o.n_params = workload->making.n_params;
    o.relevant = workload->making.relevant > 0 ? workload->making.relevant : o.relevant;
    for (o.number = 0; o.number < sites && (!most || o.number < most); o.number++) {
        struct fg_generator_options *spec =
            FG_NEW(&supply->arena, struct fg_generator_options, 1);
        *spec = o;
        struct fg_item item = {
            .name = fg_arena_printf(&supply->arena, "%s-%02u", o.name, o.number).at,
            .spec = spec,
            .stamp = stamp_of(spec),
            .make = generate};
        fg_supply_put(supply, &group, most, &item);
    }
    fg_vec_push_in(&supply->arena, &supply->groups, group);
    return FG_OK;
}

/* --- recorded --- */

static enum fg_status cut_out(const struct fg_item *item, void **made, struct fg_err *err)
{
    const struct part *part = item->spec;
    if (!part->loaded->recording)
        return fg_fail(err, FG_ENOTFOUND, "'%s' was dropped", item->name);
    *made = fg_recording_site(part->loaded->recording, part->number);
    return FG_OK;
}

static void drop(const struct fg_item *item)
{
    struct loaded *loaded = ((const struct part *)item->spec)->loaded;
    if (--loaded->uses)
        return;
    fg_recording_free(loaded->recording);
    loaded->recording = NULL;
}

static struct loaded *find_loaded(const struct fg_supply *supply, const char *path,
                                  const struct fg_preparation *preparation)
{
    for (size_t i = 0; i < supply->items.len; i++) {
        const struct fg_item *item = &supply->items.at[i];
        if (item->make != cut_out)
            continue;
        struct loaded *loaded = ((const struct part *)item->spec)->loaded;
        if (strcmp(loaded->path, path) == 0 && loaded->preparation == preparation)
            return loaded;
    }
    return NULL;
}

static void put_part(struct fg_supply *supply, struct fg_group *group, size_t most,
                     struct loaded *loaded, size_t number)
{
    struct part *part = FG_NEW(&supply->arena, struct part, 1);
    size_t before = supply->items.len;
    *part = (struct part){loaded, number};
    uint64_t stamp = fg_stamp_files(fg_str_hash(fg_str_from(loaded->path)), loaded->path);
    const struct fg_preparation *p = loaded->preparation;
    uint64_t prepared[] = {p ? p->seed : 0, p ? p->top : 0, p ? p->least : 0, 0};
    if (p) {
        memcpy(&prepared[3], &p->density, sizeof p->density);
        stamp = fg_stamp_mix(stamp, prepared, sizeof prepared);
    }
    struct fg_str name = fg_str_from(fg_recording_site_name(loaded->recording, number));
    struct fg_item item = {.name = fg_arena_cstr(&supply->arena, name),
                           .spec = part,
                           .stamp = fg_stamp_mix(stamp, &number, sizeof number),
                           .make = cut_out,
                           .drop = drop};
    fg_supply_put(supply, group, most, &item);
    loaded->uses += supply->items.len - before;
}

/* The sites of a recording that a workload asks for; a whole is a group of its own. */
static void put_parts(struct fg_supply *supply, struct fg_group *pool, size_t most,
                      struct loaded *loaded)
{
    enum fg_part wanted = pool->workload->part;
    size_t n = fg_recording_sites(loaded->recording);
    for (size_t i = 0; i < n; i++) {
        bool is_whole = fg_recording_is_whole(loaded->recording, i);
        if (wanted == FG_PART_WHOLES && is_whole) {
            struct fg_group whole = {.workload = pool->workload};
            const char *slash = strrchr(loaded->path, '/');
            whole.name = pool->workload->name ? pool->workload->name
                         : slash              ? slash + 1
                                              : loaded->path;
            put_part(supply, &whole, most, loaded, i);
            fg_vec_push_in(&supply->arena, &supply->groups, whole);
        } else if (wanted == FG_PART_ALL ||
                   (wanted == FG_PART_SITES &&
                    fg_recording_is_site(loaded->recording, i))) {
            put_part(supply, pool, most, loaded, i);
        }
    }
}

/* The recording in `folder`, which is known as `path`. */
static enum fg_status add_recording(struct fg_supply *supply, struct fg_group *pool,
                                    size_t most, const char *path, const char *folder,
                                    struct fg_err *err)
{
    const struct fg_preparation *preparation = pool->workload->preparation;
    struct loaded *loaded = find_loaded(supply, path, preparation);
    if (!loaded) {
        loaded = FG_NEW(&supply->arena, struct loaded, 1);
        loaded->path = fg_arena_cstr(&supply->arena, fg_str_from(path));
        enum fg_status st = fg_recording_load(&loaded->recording, folder, err);
        if (st)
            return st;
        loaded->preparation = preparation;
        if (preparation)
            fg_recording_prepare(loaded->recording, preparation);
    }
    put_parts(supply, pool, most, loaded);
    if (!loaded->uses) /* nothing of it is wanted */
        fg_recording_free(loaded->recording);
    return FG_OK;
}

/* A preparation may leave no site of any of the recordings. */
static enum fg_status check_prepared(const struct fg_supply *supply,
                                     const struct fg_group *pool, size_t groups,
                                     struct fg_err *err)
{
    const struct fg_preparation *p = pool->workload->preparation;
    if (!p || pool->n || supply->groups.len > groups)
        return FG_OK;
    return fg_fail(err, FG_ECONFIG,
                   "'prepare' leaves no site of '%s': none has %zu sources that were "
                   "fetched in %g %% of the hours",
                   pool->name, p->least ? p->least : 3, 100 * p->density);
}

static enum fg_status add_folders(struct fg_supply *supply,
                                  const struct fg_workload *workload,
                                  const char *const *folders, size_t n, size_t most,
                                  struct fg_err *err)
{
    struct fg_group pool = {.name = workload->name ? workload->name : workload->from[0],
                            .workload = workload};
    enum fg_status st = FG_OK;
    size_t groups = supply->groups.len;
    most = workload->sites && (!most || workload->sites < most) ? workload->sites : most;
    for (size_t i = 0; !st && i < n; i++)
        st = add_recording(supply, &pool, most, folders[i], folders[i], err);
    if (!st && n)
        st = check_prepared(supply, &pool, groups, err);
    if (!st && pool.n)
        fg_vec_push_in(&supply->arena, &supply->groups, pool);
    return st;
}

static bool is_recording(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/intervals.tsv", folder);
    return fg_tsv_exists(path);
}

size_t fg_recordings_in(const char ***names, struct fg_arena *arena, const char *folder)
{
    return fg_folders_in(names, arena, folder, is_recording);
}

static enum fg_status add_data(struct fg_supply *supply,
                               const struct fg_workload *workload, size_t most,
                               struct fg_err *err)
{
    const char **names = NULL;
    fg_folders folders = {0};
    size_t n = supply->data ? fg_recordings_in(&names, &supply->arena, supply->data) : 0;
    for (size_t p = 0; p < workload->n_from; p++)
        if (!fg_supply_fit(supply, &folders, workload->from[p], names, n))
            fg_vec_push_in(&supply->arena, &supply->missing, workload->from[p]);
    return add_folders(supply, workload, folders.at, folders.len, most, err);
}

/* Through a folder of its own, so that there is one way to read a recording. */
static enum fg_status add_store(struct fg_supply *supply,
                                const struct fg_workload *workload, size_t most,
                                struct fg_err *err)
{
    static const char *const files[] = {"sources.tsv", "intervals.tsv.gz",
                                        "snapshots.tsv.gz", "relevant.tsv.gz"};
    const char *place = getenv("TMPDIR");
    char *folder = fg_arena_cstr(
        &supply->arena,
        fg_arena_printf(&supply->arena, "%s/forage-lab-XXXXXX", place ? place : "/tmp"));
    if (!mkdtemp(folder))
        return fg_fail(err, FG_EIO, "cannot make a folder in '%s': %s",
                       place ? place : "/tmp", strerror(errno));
    struct fg_linklog *log = fg_linklog_new();
    size_t groups = supply->groups.len;
    struct fg_group pool = {.name = workload->name ? workload->name : workload->from[0],
                            .workload = workload};
    enum fg_status st = fg_import(log, workload->from[0], NULL, err);
    fg_linklog_fill(log, FILL_SECONDS);
    if (!st)
        st = fg_linklog_write(log, folder, err);
    if (!st)
        st = add_recording(supply, &pool, most, workload->from[0], folder, err);
    if (!st)
        st = check_prepared(supply, &pool, groups, err);
    if (pool.n)
        fg_vec_push_in(&supply->arena, &supply->groups, pool);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(fg_arena_printf(&supply->arena, "%s/%s", folder, files[i]).at);
    rmdir(folder);
    fg_linklog_free(log);
    return st;
}

enum fg_status fg_sites_add(struct fg_supply *supply, const struct fg_workload *workload,
                            size_t most, struct fg_err *err)
{
    if (workload->kind == FG_WORK_GENERATE && workload->preparation)
        return fg_fail(err, FG_ECONFIG, "'prepare' is for recordings");
    if (workload->kind == FG_WORK_GENERATE)
        return add_generated(supply, workload, most, err);
    if (workload->hours)
        return fg_fail(err, FG_ECONFIG, "'hours' is for workloads that are generated");
    if (workload->kind == FG_WORK_DATA)
        return add_data(supply, workload, most, err);
    if (workload->kind == FG_WORK_STORE)
        return add_store(supply, workload, most, err);
    return add_folders(supply, workload, workload->from, workload->n_from, most, err);
}

enum fg_status fg_workload_named(struct fg_workload *workload, struct fg_arena *arena,
                                 const char *word, const char *data, struct fg_err *err)
{
    *workload = (struct fg_workload){.part = FG_PART_ALL, .seed = 1, .n_from = 1};
    workload->from = FG_NEW(arena, const char *, 1);
    workload->from[0] = word;
    if (fg_generator_defaults(word).name)
        workload->kind = FG_WORK_GENERATE;
    else if (fg_import_is_workspace(word))
        workload->kind = FG_WORK_STORE;
    else if (is_recording(word))
        workload->kind = FG_WORK_RECORDING;
    else if (data && is_recording(fg_arena_printf(arena, "%s/%s", data, word).at))
        workload->kind = FG_WORK_DATA;
    else
        return fg_fail(err, FG_ENOTFOUND,
                       "no workload '%s': it is neither a generator nor a folder with a "
                       "recording or a crawl; 'forage lab list' shows what there is",
                       word);
    return FG_OK;
}
