#include "cli/lab/labs.h"

#include "base/file.h"
#include "base/vec.h"
#include "policy/plugin.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_folder(const char *path)
{
    struct stat is;
    return stat(path, &is) == 0 && S_ISDIR(is.st_mode);
}

const char *fg_lab_data(void)
{
    const char *named = getenv("FORAGE_DATA");
    if (named && *named)
        return named;
    return is_folder("../shared/data") ? "../shared/data" : NULL;
}

/* The folder the program is in, or NULL. */
static const char *own_folder(struct fg_cli *cli)
{
    char path[4096];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    if (len <= 0)
        return NULL;
    path[len] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash)
        return NULL;
    *slash = '\0';
    return fg_arena_cstr(cli->arena, fg_str_from(path));
}

/* Folders that may hold experiments, the nearest first; ended by NULL. */
static const char **lab_folders(struct fg_cli *cli)
{
    /* Installed, built, and built for tests. */
    static const char *const places[] = {"/../share/forage/experiments",
                                         "/../experiments", "/../../experiments"};
    enum { PLACES = sizeof places / sizeof *places };
    const char **folders = FG_NEW(cli->arena, const char *, PLACES + 2);
    const char *own = own_folder(cli);
    size_t n = 0;
    folders[n++] = "experiments";
    for (size_t i = 0; own && i < PLACES; i++) {
        const char *path = fg_arena_printf(cli->arena, "%s%s", own, places[i]).at;
        if (is_folder(path))
            folders[n++] = path;
    }
    return folders;
}

struct files {
    FG_VEC(struct fg_lab_file) at;
};

static void add_file(struct fg_cli *cli, struct files *files, const char *folder,
                     const char *file)
{
    struct fg_str text = fg_str_from(file);
    if (!fg_str_ends(text, FG_STR(".yaml")) || file[0] == '.')
        return;
    struct fg_lab_file row = {
        .name = fg_arena_cstr(cli->arena, fg_str_sub(text, 0, text.len - 5)),
        .path = fg_arena_printf(cli->arena, "%s/%s", folder, file).at};
    for (size_t i = 0; i < files->at.len; i++)
        if (strcmp(files->at.at[i].name, row.name) == 0)
            return; /* the nearest folder wins */
    fg_vec_push_in(cli->arena, &files->at, row);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct fg_lab_file *)a)->name,
                  ((const struct fg_lab_file *)b)->name);
}

const struct fg_lab_file *fg_lab_experiments(struct fg_cli *cli)
{
    struct files files = {0};
    const char **folders = lab_folders(cli);
    for (size_t i = 0; folders[i]; i++) {
        DIR *dir = opendir(folders[i]);
        for (struct dirent *entry; dir && (entry = readdir(dir));)
            add_file(cli, &files, folders[i], entry->d_name);
        if (dir)
            closedir(dir);
    }
    if (files.at.len)
        qsort(files.at.at, files.at.len, sizeof *files.at.at, by_name);
    fg_vec_push_in(cli->arena, &files.at, (struct fg_lab_file){0});
    return files.at.at;
}

static const char *find(struct fg_cli *cli, const char *word)
{
    if (strcmp(word, "-") == 0 || access(word, R_OK) == 0)
        return is_folder(word) ? NULL : word;
    const char **folders = lab_folders(cli);
    for (size_t i = 0; folders[i] && !strchr(word, '/'); i++) {
        bool has_end = fg_str_ends(fg_str_from(word), FG_STR(".yaml"));
        const char *path = fg_arena_printf(cli->arena, "%s/%s%s", folders[i], word,
                                           has_end ? "" : ".yaml")
                               .at;
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

static enum fg_status no_experiment(struct fg_cli *cli, const char *word,
                                    struct fg_err *err)
{
    struct fg_nearest nearest = {.word = fg_str_from(word)};
    for (const struct fg_lab_file *file = fg_lab_experiments(cli); file->name; file++)
        fg_nearest_try(&nearest, file->name);
    if (nearest.name)
        return fg_fail(err, FG_ENOTFOUND, "no experiment '%s'; did you mean '%s'?", word,
                       nearest.name);
    return fg_fail(err, FG_ENOTFOUND,
                   "no experiment '%s'; 'forage lab list' shows those there are", word);
}

/* Data in place of an experiment: by its name, or larger than one can be. */
static bool is_log(const char *path)
{
    static const char *const ends[] = {".csv", ".tsv", ".gz"};
    struct stat is;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (fg_str_ends(fg_str_from(path), fg_str_from(ends[i])))
            return true;
    return stat(path, &is) == 0 && is.st_size > (off_t)FG_YAML_MAX;
}

enum fg_status fg_lab_experiment(struct fg_cli *cli, const char *word,
                                 struct fg_experiment *experiment, struct fg_err *err)
{
    const char *path = find(cli, word);
    struct fg_str text;
    if (!path)
        return no_experiment(cli, word, err);
    if (is_log(path))
        return fg_fail(err, FG_EINPUT,
                       "'%s' is not an experiment; 'forage lab import' takes in a log of "
                       "links, as a recording that one can name",
                       word);
    enum fg_status st = fg_file_read(&text, cli->arena, path, FG_YAML_MAX, err);
    if (!st)
        st = fg_experiment_read(experiment, cli->arena, text, fg_file_name(path), err);
    return st;
}

enum fg_status fg_lab_write(struct fg_cli *cli, struct fg_linklog *log,
                            const char *folder, struct fg_err *err)
{
    enum fg_status st = fg_linklog_write(log, folder, err);
    if (!st)
        fg_out_printf(&cli->out, "%s: %zu sources, %zu targets, %zu intervals\n", folder,
                      fg_linklog_sources(log), fg_linklog_targets(log),
                      fg_linklog_stays(log));
    return st;
}

uint64_t fg_lab_stamp(const char *path)
{
    enum { MOST = 1 << 30 };
    struct fg_arena arena = {0};
    struct fg_err err = {0};
    struct fg_str bytes = {0};
    uint64_t stamp =
        fg_file_read(&bytes, &arena, path, MOST, &err) ? 0 : fg_str_hash(bytes);
    fg_arena_clear(&arena);
    return stamp;
}

const struct fg_policy *fg_lab_plugin(const char *path, struct fg_err *err)
{
    const struct forage_plugin *(*tell)(void) = NULL;
    char here[4096];
    /* The loader looks for a bare name among the system's libraries only. */
    bool is_here = !strchr(path, '/') && access(path, R_OK) == 0;
    snprintf(here, sizeof here, "%s%s", is_here ? "./" : "", path);
    void *object = dlopen(here, RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        fg_fail(err, FG_EINPUT, "cannot load the policy: %s", dlerror());
        return NULL;
    }
    *(void **)&tell = dlsym(object, "forage_plugin");
    if (!tell) {
        fg_fail(err, FG_EINPUT, "'%s' has no function forage_plugin", path);
        dlclose(object);
        return NULL;
    }
    const struct fg_policy *policy = fg_plugin_add(tell(), err);
    if (!policy)
        dlclose(object);
    return policy;
}
