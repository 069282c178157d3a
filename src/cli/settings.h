/* settings.h - everything a user can set, for all commands
 *
 * The rows are in settings.c and beside the code they belong to (base/log.c). Where a
 * value may come from, lowest first: the default; /etc/forage/forage.yaml (in a service
 * $CONFIGURATION_DIRECTORY/forage.yaml); the user's $XDG_CONFIG_HOME/forage/forage.yaml
 * (or ~/.config/forage/forage.yaml); forage.yaml in the workspace; the environment;
 * flags. --config FILE replaces the three files.
 *
 * Where nothing names a workspace it is the current folder if that is one, that is, has a
 * forage.yaml or a forage.db; else the service's $STATE_DIRECTORY; else the user's
 * $XDG_STATE_HOME/forage (or ~/.local/state/forage) if it is there, which 'forage init
 * --user' makes; else the current folder all the same. */
#ifndef FG_CLI_SETTINGS_H
#define FG_CLI_SETTINGS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/log.h"
#include "base/opt.h"
#include "crawl/crawl.h"
#include "search/ads/live.h"
#include "server/server.h"

struct fg_settings {
    struct fg_str config, workspace;
    struct fg_str store;     /* an address; empty: in the workspace */
    unsigned lots;           /* of a crawl that several processes are to work on */
    fg_time lease;           /* by which each has its part */
    struct fg_str worker;    /* the name of this one; empty: by machine and process */
    bool workspace_is_found; /* nobody named it: see above */
    int color;               /* enum fg_color */
    struct fg_log_settings log;
    fg_time progress; /* between two lines of figures of a crawl; 0: none */
    struct fg_crawl_options crawl;
    struct fg_ads_settings ads;
    struct fg_server_settings server;
};

/* A configuration file that was looked for. */
struct fg_config_file {
    const char *path;
    bool found;
};

struct fg_config_files {
    struct fg_config_file at[3];
    size_t len;
    const char *passed_over[3]; /* of the caller: paths that are not to be read */
    size_t n_passed_over;
};

extern const char *const fg_variables_exempt[];

/* The user's own: "$XDG_CONFIG_HOME/forage/forage.yaml" and "$XDG_STATE_HOME/forage", or
 * where these are by default; empty if there is no home. */
struct fg_str fg_user_config(struct fg_arena *arena);
struct fg_str fg_user_state(struct fg_arena *arena);

/* Fill `opts` with all rows and `settings` with the defaults. */
void fg_settings_init(struct fg_settings *settings, struct fg_opts *opts);

/* Take over the values that flags set: for reading everything else again. */
void fg_settings_copy_flags(struct fg_opts *opts, const struct fg_opts *from);

/* Read the environment and the files; flags have been read before. If a file is to blame
 * for a failure, it is the last of `files`. */
enum fg_status fg_settings_load(struct fg_settings *settings, struct fg_opts *opts,
                                struct fg_config_files *files, char *const *environment,
                                struct fg_err *err);

/* The same, but files with a mistake in them are passed over, each after `warn`. For
 * commands that only look. */
enum fg_status fg_settings_load_what_can_be(
    struct fg_settings *settings, struct fg_opts *opts, struct fg_config_files *files,
    char *const *environment,
    void (*warn)(void *context, const char *path, const struct fg_err *err),
    void *context, struct fg_err *err);

/* One configuration file by itself; a failure of any kind is FG_ECONFIG. */
enum fg_status fg_settings_read_file(struct fg_opts *opts, const char *path,
                                     struct fg_err *err);

#endif
