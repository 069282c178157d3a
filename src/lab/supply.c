#include "lab/supply.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/vec.h"
#include "lab/generate/generate.h"
#include "lab/import.h"
#include "lab/recording.h"
#include "lab/tsv.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILL_SECONDS = 24 * 3600 }; /* of a live store: see linklog.h */

struct loaded {
    const char *path;
    struct fg_recording *recording;
    size_t uses; /* sites that may still be taken */
};

struct supplied {
    char name[FG_NAME_MAX];
    bool is_generated;
    struct fg_generator_options options; /* of a generated one */
    size_t loaded, number;               /* of a recorded one */
};

struct fg_supply {
    struct fg_arena arena;
    const char *data;
    FG_VEC(struct loaded) loaded;
    FG_VEC(struct supplied) sites;
    FG_VEC(struct fg_group) groups;
    FG_VEC(const char *) missing;
    pthread_mutex_t lock; /* of `uses` */
};

struct fg_supply *fg_supply_new(const char *data)
{
    struct fg_supply *supply = fg_zeroed(1, sizeof *supply);
    if (data)
        supply->data = fg_arena_cstr(&supply->arena, fg_str_from(data));
    pthread_mutex_init(&supply->lock, NULL);
    return supply;
}

void fg_supply_free(struct fg_supply *supply)
{
    if (!supply)
        return;
    for (size_t i = 0; i < supply->loaded.len; i++)
        fg_recording_free(supply->loaded.at[i].recording);
    fg_vec_clear(&supply->loaded);
    fg_vec_clear(&supply->sites);
    fg_vec_clear(&supply->groups);
    fg_vec_clear(&supply->missing);
    pthread_mutex_destroy(&supply->lock);
    fg_arena_clear(&supply->arena);
    free(supply);
}

size_t fg_supply_groups(const struct fg_supply *supply)
{
    return supply->groups.len;
}

const struct fg_group *fg_supply_group(const struct fg_supply *supply, size_t i)
{
    return &supply->groups.at[i];
}

size_t fg_supply_sites(const struct fg_supply *supply)
{
    return supply->sites.len;
}

const char *fg_supply_name(const struct fg_supply *supply, size_t site)
{
    return supply->sites.at[site].name;
}

const char *fg_supply_missing(const struct fg_supply *supply, size_t nth)
{
    return nth < supply->missing.len ? supply->missing.at[nth] : NULL;
}

/* --- groups --- */

/* A site that another workload named already keeps its number. */
static size_t number_of(struct fg_supply *supply, const struct supplied *site)
{
    for (size_t i = 0; i < supply->sites.len; i++) {
        const struct supplied *other = &supply->sites.at[i];
        if (other->is_generated != site->is_generated)
            continue;
        const struct fg_generator_options *a = &site->options, *b = &other->options;
        if (site->is_generated
                ? strcmp(a->name, b->name) == 0 && a->seed == b->seed &&
                      a->number == b->number && a->steps == b->steps &&
                      a->history == b->history && a->relevant == b->relevant
                : site->loaded == other->loaded && site->number == other->number)
            return i;
    }
    fg_vec_push(&supply->sites, *site);
    if (!site->is_generated)
        supply->loaded.at[site->loaded].uses++;
    return supply->sites.len - 1;
}

static void add_site(struct fg_supply *supply, struct fg_group *group, size_t most,
                     const struct supplied *site)
{
    if (most && group->n >= most)
        return;
    group->sites = fg_arena_grow(&supply->arena, group->sites, sizeof *group->sites,
                                 group->n, group->n + 1);
    group->sites[group->n++] = number_of(supply, site);
}

static enum fg_status add_generated(struct fg_supply *supply,
                                    const struct fg_workload *workload, size_t most,
                                    struct fg_err *err)
{
    struct supplied site = {.is_generated = true,
                            .options = fg_generator_defaults(workload->from[0])};
    struct fg_generator_options *options = &site.options;
    if (!options->name)
        return fg_fail(err, FG_ECONFIG,
                       "no generator '%s'; 'forage lab list' shows those there are",
                       workload->from[0]);
    struct fg_group group = {.name = workload->name ? workload->name : options->name,
                             .workload = workload};
    size_t sites = workload->sites ? workload->sites : options->sites;
    options->seed = workload->seed;
    options->steps = workload->hours ? workload->hours : options->steps;
    options->history = workload->history ? workload->history : options->history;
    options->relevant = workload->relevant > 0 ? workload->relevant : options->relevant;
    for (options->number = 0; options->number < sites; options->number++) {
        snprintf(site.name, sizeof site.name, "%s-%02u", options->name, options->number);
        add_site(supply, &group, most, &site);
    }
    fg_vec_push(&supply->groups, group);
    return FG_OK;
}

static enum fg_status add_loaded(struct fg_supply *supply, const char *path,
                                 const char *folder, size_t *number, struct fg_err *err)
{
    for (*number = 0; *number < supply->loaded.len; ++*number)
        if (strcmp(supply->loaded.at[*number].path, path) == 0)
            return FG_OK;
    struct loaded loaded = {.path = fg_arena_cstr(&supply->arena, fg_str_from(path))};
    enum fg_status st = fg_recording_load(&loaded.recording, folder, err);
    if (!st)
        fg_vec_push(&supply->loaded, loaded);
    return st;
}

/* The sites of a recording that a workload asks for; a whole is a group of its own. */
static void add_parts(struct fg_supply *supply, size_t loaded, struct fg_group *pool,
                      size_t most)
{
    const struct fg_recording *recording = supply->loaded.at[loaded].recording;
    enum fg_part part = pool->workload->part;
    size_t n = fg_recording_sites(recording);
    for (size_t i = 0; i < n; i++) {
        bool is_whole = fg_recording_is_whole(recording, i);
        struct supplied site = {.loaded = loaded, .number = i};
        snprintf(site.name, sizeof site.name, "%s", fg_recording_site_name(recording, i));
        if (part == FG_PART_WHOLES && is_whole) {
            struct fg_group whole = {.workload = pool->workload};
            const char *slash = strrchr(supply->loaded.at[loaded].path, '/');
            whole.name = pool->workload->name ? pool->workload->name
                         : slash              ? slash + 1
                                              : supply->loaded.at[loaded].path;
            add_site(supply, &whole, most, &site);
            fg_vec_push(&supply->groups, whole);
        } else if (part == FG_PART_ALL ||
                   (part == FG_PART_SITES && (!is_whole || n == 1))) {
            add_site(supply, pool, most, &site);
        }
    }
}

static enum fg_status add_folders(struct fg_supply *supply,
                                  const struct fg_workload *workload,
                                  const char *const *folders, size_t n, size_t most,
                                  struct fg_err *err)
{
    struct fg_group pool = {.name = workload->name ? workload->name : workload->from[0],
                            .workload = workload};
    most = workload->sites && (!most || workload->sites < most) ? workload->sites : most;
    for (size_t i = 0; i < n; i++) {
        size_t loaded;
        enum fg_status st = add_loaded(supply, folders[i], folders[i], &loaded, err);
        if (st)
            return st;
        add_parts(supply, loaded, &pool, most);
    }
    if (pool.n)
        fg_vec_push(&supply->groups, pool);
    return FG_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

size_t fg_folders_in(const char ***names, struct fg_arena *arena, const char *folder,
                     bool (*is_wanted)(const char *path))
{
    FG_VEC(const char *) found = {0};
    char path[4096];
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && is_wanted(path))
            fg_vec_push_in(arena, &found,
                           fg_arena_cstr(arena, fg_str_from(entry->d_name)));
    }
    if (dir)
        closedir(dir);
    if (found.len)
        qsort(found.at, found.len, sizeof *found.at, by_name);
    *names = found.at;
    return found.len;
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
    FG_VEC(const char *) folders = {0};
    size_t n = supply->data ? fg_recordings_in(&names, &supply->arena, supply->data) : 0;
    for (size_t p = 0; p < workload->n_from; p++) {
        size_t before = folders.len;
        for (size_t i = 0; i < n; i++)
            if (fnmatch(workload->from[p], names[i], 0) == 0)
                fg_vec_push_in(
                    &supply->arena, &folders,
                    fg_arena_printf(&supply->arena, "%s/%s", supply->data, names[i]).at);
        if (folders.len == before)
            fg_vec_push(&supply->missing, workload->from[p]);
    }
    return folders.len ? add_folders(supply, workload, folders.at, folders.len, most, err)
                       : FG_OK;
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
    struct fg_group pool = {.name = workload->name ? workload->name : workload->from[0],
                            .workload = workload};
    size_t loaded = 0;
    enum fg_status st = fg_import(log, workload->from[0], NULL, err);
    fg_linklog_fill(log, FILL_SECONDS);
    if (!st)
        st = fg_linklog_write(log, folder, err);
    if (!st)
        st = add_loaded(supply, workload->from[0], folder, &loaded, err);
    if (!st)
        add_parts(supply, loaded, &pool, most);
    if (pool.n)
        fg_vec_push(&supply->groups, pool);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(fg_arena_printf(&supply->arena, "%s/%s", folder, files[i]).at);
    rmdir(folder);
    fg_linklog_free(log);
    return st;
}

enum fg_status fg_supply_add(struct fg_supply *supply, const struct fg_workload *workload,
                             size_t most, struct fg_err *err)
{
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

/* --- sites --- */

enum fg_status fg_supply_take(struct fg_supply *supply, size_t site,
                              struct fg_site **taken, struct fg_err *err)
{
    const struct supplied *wanted = &supply->sites.at[site];
    if (wanted->is_generated) {
        *taken = fg_generate_site(&wanted->options);
        return FG_OK;
    }
    const struct loaded *loaded = &supply->loaded.at[wanted->loaded];
    *taken = NULL;
    if (!loaded->recording)
        return fg_fail(err, FG_ENOTFOUND, "'%s' was dropped", wanted->name);
    *taken = fg_recording_site(loaded->recording, wanted->number);
    return FG_OK;
}

void fg_supply_drop(struct fg_supply *supply, size_t site)
{
    const struct supplied *dropped = &supply->sites.at[site];
    if (dropped->is_generated)
        return;
    struct loaded *loaded = &supply->loaded.at[dropped->loaded];
    pthread_mutex_lock(&supply->lock);
    if (--loaded->uses == 0) {
        fg_recording_free(loaded->recording);
        loaded->recording = NULL;
    }
    pthread_mutex_unlock(&supply->lock);
}

/* --- stamps and names --- */

static uint64_t mix(uint64_t hash, const void *bytes, size_t n)
{
    uint64_t both[2] = {hash, fg_str_hash((struct fg_str){bytes, n})};
    return fg_str_hash((struct fg_str){(const char *)both, sizeof both});
}

static uint64_t stamp_of_files(const char *folder)
{
    static const char *const names[] = {"intervals.tsv.gz", "intervals.tsv",
                                        "snapshots.tsv.gz", "sources.tsv", "forage.db"};
    uint64_t hash = 0;
    char path[4096];
    struct stat is;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (stat(path, &is) != 0)
            continue;
        int64_t facts[] = {(int64_t)i, is.st_size, is.st_mtim.tv_sec, is.st_mtim.tv_nsec};
        hash = mix(hash, facts, sizeof facts);
    }
    return hash;
}

uint64_t fg_supply_stamp(const struct fg_supply *supply)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < supply->sites.len; i++) {
        const struct supplied *site = &supply->sites.at[i];
        const struct fg_generator_options *o = &site->options;
        uint64_t facts[] = {site->loaded, site->number, o->seed, o->number,
                            o->steps,     o->history,   0};
        memcpy(&facts[6], &o->relevant, sizeof facts[6]);
        hash = mix(hash, site->name, strlen(site->name));
        hash = mix(hash, facts, sizeof facts);
    }
    for (size_t i = 0; i < supply->loaded.len; i++) {
        uint64_t files = stamp_of_files(supply->loaded.at[i].path);
        hash = mix(hash, &files, sizeof files);
    }
    return hash;
}

static bool has_recording(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/intervals.tsv", folder);
    return fg_tsv_exists(path);
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
    else if (has_recording(word))
        workload->kind = FG_WORK_RECORDING;
    else if (data && has_recording(fg_arena_printf(arena, "%s/%s", data, word).at))
        workload->kind = FG_WORK_DATA;
    else
        return fg_fail(err, FG_ENOTFOUND,
                       "no workload '%s': it is neither a generator nor a folder with a "
                       "recording or a crawl; 'forage lab list' shows what there is",
                       word);
    return FG_OK;
}
