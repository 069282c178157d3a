#include "cli/settings.h"

#include "base/file.h"
#include "cli/out.h"
#include "store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A shell expands "~" on the command line; in a file it would be a folder named "~". */
static const char *refuse_path(struct fg_str path)
{
    if (!path.len)
        return "is not a path";
    return fg_str_starts(path, FG_STR("~")) ? "starts with '~'; write the whole path"
                                            : NULL;
}

/* It would be shown with all other settings, and stand in files that are passed on. */
static enum fg_status check_store(struct fg_str place, struct fg_err *err)
{
    size_t scheme = fg_str_find(place, FG_STR("://"));
    struct fg_str rest = fg_str_skip(place, scheme == FG_NOT_FOUND ? 0 : scheme + 3);
    size_t at = fg_str_find(rest, FG_STR("@"));
    if (place.len && !fg_store_is_database(place.at))
        return fg_fail(err, FG_ECONFIG,
                       "is not an address such as postgresql://user@host/database");
    if ((at != FG_NOT_FOUND &&
         fg_str_find(fg_str_sub(rest, 0, at), FG_STR(":")) != FG_NOT_FOUND) ||
        fg_str_find(rest, FG_STR("password=")) != FG_NOT_FOUND)
        return fg_fail(err, FG_ECONFIG,
                       "has a password in it: put that into ~/.pgpass, or a file that "
                       "PGPASSFILE names, or a service (docs/scale-out.md)");
    return FG_OK;
}

static const char *const colors[] = {
    [FG_COLOR_AUTO] = "auto",
    [FG_COLOR_ALWAYS] = "always",
    [FG_COLOR_NEVER] = "never",
    NULL,
};

static const char *refuse_worker(struct fg_str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!fg_is_alnum(name.at[i]) && !strchr("-_.", name.at[i]))
            return "use letters, digits, '-', '_' and '.'";
    return name.len > 60 ? "use at most 60 characters" : NULL;
}

static const struct fg_opt rows[] = {
    {"config", FG_STRING(struct fg_settings, config), .arg = "FILE", .not_in_files = true,
     .refuse = refuse_path, .help = "read this configuration file and no other"},
    {"workspace", FG_STRING(struct fg_settings, workspace), ".", .arg = "DIR",
     .letter = 'w', .refuse = refuse_path,
     .help = "the folder of this crawl; its forage.yaml is read last and wins"},
    {"store.place", FG_STRING(struct fg_settings, store), "", .arg = "ADDRESS",
     .check = check_store,
     .help = "keep the crawl in PostgreSQL: postgresql://user@host/database#schema"},
    {"store.lots", FG_INT(struct fg_settings, lots), "16", .min = 1, .max = 256,
     .help = "parts of a crawl for several workers, fixed when it begins: about four a "
             "worker"},
    {"worker.lease", FG_SPAN(struct fg_settings, lease), "1m", .min = (double)FG_SECOND,
     .max = (double)FG_HOUR,
     .help =
         "how long a worker may go unheard before others take its lots; twice a request"},
    {"worker.name", FG_STRING(struct fg_settings, worker), "", .refuse = refuse_worker,
     .help = "name of this worker in 'forage workers'; empty: machine and process"},
    {"color", FG_ENUM(struct fg_settings, color, colors), "auto",
     .help = "colours in the output; auto means on a terminal, unless NO_COLOR is set"},
    {0},
};

static const struct fg_opt progress_rows[] = {
    {"log.progress", FG_SPAN(struct fg_settings, progress), "10m", .max = (double)FG_DAY,
     .help = "time between two progress lines while a crawl runs; 0: none"},
    {0},
};

/* Variables of the tests and benchmarks, which are not settings. */
const char *const fg_variables_exempt[] = {
    "FORAGE_CONFORMANCE", "FORAGE_DATA",      "FORAGE_BUILD", "FORAGE_BENCH*",
    "FORAGE_BROWSER",     "FORAGE_POSTGRES*", NULL,
};

void fg_settings_init(struct fg_settings *settings, struct fg_opts *opts)
{
    fg_opts_add(opts, rows, settings);
    fg_opts_add(opts, fg_log_opts, &settings->log);
    fg_opts_add(opts, progress_rows, settings);
    fg_crawl_add_opts(&settings->crawl, opts);
    fg_opts_add(opts, fg_ads_opts, &settings->ads);
    fg_opts_add(opts, fg_server_opts, &settings->server);
}

static void copy_flag(struct fg_opts *opts, const struct fg_setting *flag,
                      struct fg_str text)
{
    struct fg_setting *row = fg_opts_find(opts, fg_str_from(flag->opt->name));
    if (row && flag->origin.layer == FG_LAYER_FLAG)
        fg_opts_set(opts, row, text, flag->origin, NULL);
}

void fg_settings_copy_flags(struct fg_opts *opts, const struct fg_opts *from)
{
    for (size_t i = 0; i < from->rows.len; i++)
        copy_flag(opts, &from->rows.at[i],
                  fg_setting_text(opts->arena, &from->rows.at[i]));
}

enum fg_status fg_settings_read_file(struct fg_opts *opts, const char *path,
                                     struct fg_err *err)
{
    struct fg_str text;
    enum fg_status st = fg_file_read(&text, opts->arena, path, FG_YAML_MAX, err);
    if (st)
        return fg_err_within(err, FG_ECONFIG, "configuration");
    return fg_opts_read_yaml(opts, text, fg_file_name(path), err);
}

static bool is_passed_over(const struct fg_config_files *files, const char *path)
{
    for (size_t i = 0; i < files->n_passed_over; i++)
        if (strcmp(files->passed_over[i], path) == 0)
            return true;
    return false;
}

static enum fg_status read_if_there(struct fg_opts *opts, struct fg_config_files *files,
                                    struct fg_str path, struct fg_err *err)
{
    if (!path.len || is_passed_over(files, path.at))
        return FG_OK;
    bool found = access(path.at, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
    files->at[files->len++] = (struct fg_config_file){path.at, found};
    return found ? fg_settings_read_file(opts, path.at, err) : FG_OK;
}

/* The XDG specification tells us to ignore a relative path. */
static struct fg_str user_path(struct fg_arena *arena, const char *variable,
                               const char *below_home, const char *rest)
{
    const char *base = getenv(variable), *home = getenv("HOME");
    if (base && base[0] == '/')
        return fg_arena_printf(arena, "%s/%s", base, rest);
    if (home && home[0] == '/')
        return fg_arena_printf(arena, "%s/%s/%s", home, below_home, rest);
    return (struct fg_str){0};
}

struct fg_str fg_user_config(struct fg_arena *arena)
{
    return user_path(arena, "XDG_CONFIG_HOME", ".config", "forage/forage.yaml");
}

struct fg_str fg_user_state(struct fg_arena *arena)
{
    return user_path(arena, "XDG_STATE_HOME", ".local/state", "forage");
}

/* What a service manager names; of several folders the first. Empty if it names none. */
static struct fg_str service_folder(struct fg_arena *arena, const char *variable)
{
    const char *value = getenv(variable);
    struct fg_str rest = fg_str_from(value ? value : ""), first;
    if (!fg_str_starts(rest, FG_STR("/")) || !fg_str_cut(&rest, ':', &first))
        return (struct fg_str){0};
    return fg_str_from(fg_arena_cstr(arena, first));
}

static struct fg_str system_file(struct fg_arena *arena)
{
    struct fg_str folder = service_folder(arena, "CONFIGURATION_DIRECTORY");
    return folder.len ? fg_arena_printf(arena, "%s/forage.yaml", folder.at)
                      : FG_STR("/etc/forage/forage.yaml");
}

static void find_workspace(struct fg_settings *settings, struct fg_opts *opts)
{
    struct fg_setting *row = fg_opts_find(opts, FG_STR("workspace"));
    struct stat info;
    if (row->origin.layer != FG_LAYER_DEFAULT || access("forage.yaml", F_OK) == 0 ||
        fg_store_exists("."))
        return;
    const char *by = "STATE_DIRECTORY";
    struct fg_str folder = service_folder(opts->arena, by);
    if (!folder.len) {
        const char *state = getenv("XDG_STATE_HOME");
        by = state && state[0] == '/' ? "XDG_STATE_HOME" : "HOME";
        folder = fg_user_state(opts->arena);
        if (!folder.len || stat(folder.at, &info) != 0 || !S_ISDIR(info.st_mode))
            return;
    }
    settings->workspace = folder;
    settings->workspace_is_found = true;
    row->origin = (struct fg_origin){FG_LAYER_ENV, fg_str_from(by), 0};
}

/* A workspace cannot name another one, and not only where that would have an effect: for
 * the time of reading its file, no flag or variable stands above that file. */
static enum fg_status read_workspace(struct fg_settings *settings, struct fg_opts *opts,
                                     struct fg_config_files *files, struct fg_err *err)
{
    struct fg_str path =
        strcmp(settings->workspace.at, ".") == 0
            ? FG_STR("forage.yaml")
            : fg_arena_printf(opts->arena, "%s/forage.yaml", settings->workspace.at);
    struct fg_setting *workspace = fg_opts_find(opts, FG_STR("workspace"));
    struct fg_str value = settings->workspace;
    struct fg_origin origin = workspace->origin, in_file;
    workspace->origin = (struct fg_origin){0};
    enum fg_status st = read_if_there(opts, files, path, err);
    in_file = workspace->origin;
    workspace->origin = origin;
    settings->workspace = value;
    if (!st && in_file.layer == FG_LAYER_FILE)
        return fg_fail(err, FG_ECONFIG, "%s:%zu: a workspace cannot name another one",
                       path.at, in_file.line);
    return st;
}

static enum fg_status load(struct fg_settings *settings, struct fg_opts *opts,
                           struct fg_config_files *files, char *const *environment,
                           struct fg_err *err)
{
    files->len = 0;
    enum fg_status st = fg_opts_read_env(opts, environment, fg_variables_exempt, err);
    if (st)
        return st;
    if (settings->config.len && is_passed_over(files, settings->config.at)) {
        find_workspace(settings, opts);
        return FG_OK;
    }
    if (settings->config.len) {
        files->at[files->len++] = (struct fg_config_file){settings->config.at, true};
        st = fg_settings_read_file(opts, settings->config.at, err);
        find_workspace(settings, opts);
        return st;
    }
    st = read_if_there(opts, files, system_file(opts->arena), err);
    if (!st)
        st = read_if_there(opts, files, fg_user_config(opts->arena), err);
    find_workspace(settings, opts);
    if (!st)
        st = read_workspace(settings, opts, files, err);
    return st;
}

enum fg_status fg_settings_load(struct fg_settings *settings, struct fg_opts *opts,
                                struct fg_config_files *files, char *const *environment,
                                struct fg_err *err)
{
    enum fg_status st = load(settings, opts, files, environment, err);
    if (!st)
        fg_crawl_settle(&settings->crawl, opts->arena);
    return st;
}

/* Everything but flags is as it was at the start. */
static void start_anew(struct fg_settings *settings, struct fg_opts *opts)
{
    struct fg_opts flags = *opts, fresh = {.arena = opts->arena};
    struct fg_str *texts = FG_NEW(opts->arena, struct fg_str, flags.rows.len);
    for (size_t i = 0; i < flags.rows.len; i++)
        texts[i] = fg_setting_text(opts->arena, &flags.rows.at[i]);
    *settings = (struct fg_settings){0};
    fg_settings_init(settings, &fresh);
    for (size_t i = 0; i < flags.rows.len; i++)
        copy_flag(&fresh, &flags.rows.at[i], texts[i]);
    *opts = fresh;
}

enum fg_status fg_settings_load_what_can_be(
    struct fg_settings *settings, struct fg_opts *opts, struct fg_config_files *files,
    char *const *environment,
    void (*warn)(void *context, const char *path, const struct fg_err *err),
    void *context, struct fg_err *err)
{
    enum fg_status st;
    while ((st = fg_settings_load(settings, opts, files, environment, err))) {
        const char *path = files->len ? files->at[files->len - 1].path : NULL;
        if (!path || is_passed_over(files, path))
            return st; /* the environment */
        warn(context, path, err);
        files->passed_over[files->n_passed_over++] = path;
        start_anew(settings, opts);
    }
    return FG_OK;
}
