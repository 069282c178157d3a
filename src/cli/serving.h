/* serving.h - the server beside a crawl: what `run`, `watch` and `demo` share
 *
 *     struct fg_server *server = fg_serving_start(cli, workspace, &options->serving);
 *     ...
 *     fg_server_stop(server); */
#ifndef FG_CLI_SERVING_H
#define FG_CLI_SERVING_H

#include "cli/cli.h"
#include "server/server.h"

struct fg_serving {
    bool is_wanted;
    struct fg_str listen; /* empty: as server.listen says */
};
#define FG_SERVING_OPTIONS(s, m)                                            \
    {"listen", FG_STRING(s, m.listen), .arg = "ADDRESS:PORT",               \
     .help = "where the dashboard is, instead of server.listen"},           \
    {                                                                       \
        "server", FG_BOOL(s, m.is_wanted), "yes",                           \
            .help = "show the dashboard while it runs; --no-server: do not" \
    }

/* Says its address on standard error, unless --quiet. NULL if it is not wanted, or cannot
 * be had: that is logged, and nothing else comes of it. */
struct fg_server *fg_serving_start(struct fg_cli *cli, struct fg_str workspace,
                                   const struct fg_serving *serving);

/* What a server is given; texts live in the command's arena. */
struct fg_server_place fg_serving_place(struct fg_cli *cli, struct fg_str workspace,
                                        struct fg_str listen);

#endif
