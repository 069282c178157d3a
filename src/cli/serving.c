#include "cli/serving.h"

#include "base/file.h"
#include "base/log.h"
#include "cli/lab/labs.h"

#include <stdio.h>

/* Those that can be read, with their titles. */
static const struct fg_server_experiment *experiments(struct fg_cli *cli)
{
    const struct fg_lab_file *file = fg_lab_experiments(cli);
    FG_VEC(struct fg_server_experiment) found = {0};
    for (; file->name; file++) {
        struct fg_experiment experiment;
        struct fg_str text;
        if (!fg_file_read(&text, cli->arena, file->path, FG_YAML_MAX, NULL) &&
            !fg_experiment_read(&experiment, cli->arena, text, file->name, NULL))
            fg_vec_push_in(
                cli->arena, &found,
                (struct fg_server_experiment){file->name, experiment.title, file->path});
    }
    fg_vec_push_in(cli->arena, &found, (struct fg_server_experiment){0});
    return found.at;
}

struct fg_server_place fg_serving_place(struct fg_cli *cli, struct fg_str workspace,
                                        struct fg_str listen)
{
    struct fg_server_settings *settings =
        FG_NEW(cli->arena, struct fg_server_settings, 1);
    bool is_own = fg_str_eq(workspace, cli->settings.workspace);
    *settings = cli->settings.server;
    if (listen.len)
        settings->listen = listen;
    return (struct fg_server_place){
        .workspace = workspace,
        .store = is_own && cli->settings.store.len ? cli->settings.store.at : NULL,
        .settings = settings,
        .crawl = &cli->settings.crawl,
        .ads = &cli->settings.ads,
        /* Those of another process are not known. */
        .opts = is_own ? &cli->opts : NULL,
        .experiments = experiments(cli)};
}

struct fg_server *fg_serving_start(struct fg_cli *cli, struct fg_str workspace,
                                   const struct fg_serving *serving)
{
    struct fg_server *server = NULL;
    struct fg_err err = {0};
    if (!serving->is_wanted)
        return NULL;
    struct fg_server_place place = fg_serving_place(cli, workspace, serving->listen);
    if (!fg_server_is_wanted(place.settings))
        return NULL;
    if (fg_server_start(&server, &place, &err)) {
        fg_log_warn("server", "not started", FG_F("why", err.text));
        return NULL;
    }
    bool is_json = cli->settings.log.format == FG_LOG_JSON && !cli->settings.log.file.len;
    if (is_json)
        fg_log_info("server", "started", FG_F("address", fg_server_address(server)));
    else if (!cli->common.quiet)
        fprintf(stderr, "dashboard: %s%s\n", fg_server_address(server),
                fg_server_asks_token(server) ? " (asks for its token)" : "");
    return server;
}
