/* cmd_serve.c - forage serve: a workspace over HTTP, without crawling */
#include "cli/crawling.h"
#include "cli/serving.h"
#include "cli/stop.h"
#include "server/token.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

struct options {
    struct fg_str listen;
    bool new_token;
    fg_time time_limit;
};

static const struct fg_opt options[] = {
    {"listen", FG_STRING(struct options, listen), .arg = "ADDRESS:PORT",
     .help = "where, instead of server.listen"},
    {"new-token", FG_BOOL(struct options, new_token),
     .help = "make a token, show it once, keep its hash, and end; the token before holds "
             "no more"},
    {"time-limit", FG_SPAN(struct options, time_limit), .help = "stop after this time"},
    {0},
};

static enum fg_status make_token(struct fg_cli *cli, struct fg_err *err)
{
    char token[FG_TOKEN_TEXT];
    enum fg_status st = fg_token_make(token, cli->settings.workspace.at, err);
    if (!st)
        fg_out_printf(&cli->out, "%s\n", token);
    return st;
}

/* A folder that 'forage init' made is meant to be one: its first site may be added over
 * HTTP. Any other folder without a crawl is likely a mistake. */
static bool is_to_begin(struct fg_cli *cli)
{
    const char *file =
        fg_arena_cstr(cli->arena, fg_arena_printf(cli->arena, "%s/forage.yaml",
                                                  cli->settings.workspace.at));
    return !fg_store_exists(fg_cli_store_path(cli)) && access(file, F_OK) == 0;
}

static enum fg_status check_store(struct fg_cli *cli, struct fg_err *err)
{
    struct fg_store *store;
    enum fg_status st = fg_cli_store(cli, !is_to_begin(cli), &store, err);
    return st ? st : fg_store_close(store, err);
}

static void wait_for_end(fg_time limit)
{
    fg_time began = fg_time_monotonic();
    struct timespec beat = {0, 100000000};
    while (!fg_stop_is_wanted() && (!limit || fg_time_monotonic() - began < limit))
        nanosleep(&beat, NULL);
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_server *server;
    if (o->new_token)
        return make_token(cli, err);
    enum fg_status st = check_store(cli, err);
    if (st)
        return st;
    struct fg_server_place place =
        fg_serving_place(cli, cli->settings.workspace, o->listen);
    if (!fg_server_is_wanted(place.settings))
        return fg_fail(err, FG_ECONFIG,
                       "server.listen is none; --listen 127.0.0.1:6724 says where");
    fg_stop_on_signals();
    st = fg_server_start(&server, &place, err);
    if (st)
        return st;
    if (!cli->common.quiet)
        fprintf(stderr, "dashboard: %s%s\n", fg_server_address(server),
                fg_server_asks_token(server) ? " (asks for its token)" : "");
    wait_for_end(o->time_limit);
    fg_server_stop(server);
    return FG_OK;
}

static const struct fg_example examples[] = {
    {"forage serve --time-limit 1s", "show this workspace for a second"},
    {"forage serve --listen 127.0.0.1:0 --time-limit 1s", "on any port that is free"},
    {"forage serve --new-token", "for listening beyond this machine"},
    {0},
};

const struct fg_command fg_cmd_serve = {
    .name = "serve",
    .words = "",
    .summary = "show a workspace in the browser, without crawling",
    .about = "Serves the dashboard, the API, events, feeds and metrics of this workspace "
             "until it is stopped; 'forage run', 'watch' and 'demo' do so beside their "
             "crawl. It listens on this machine only; any other address needs a token, "
             "which --new-token makes. If the port is taken, the next one is used. What "
             "is changed over it is left for the crawl that runs, or the next. "
             "docs/server.md and docs/api.md describe it in full.",
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace server",
    .examples = examples,
    .run = run,
};
