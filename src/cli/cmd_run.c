/* cmd_run.c - forage run: go on with the crawl of the workspace */
#include "cli/crawling.h"
#include "cli/working.h"

#include <unistd.h>

struct options {
    struct fg_run_options limits;
    bool events, wait, worker;
    struct fg_str lot;
};

static const struct fg_opt options[] = {
    FG_RUN_OPTIONS(struct options, limits),
    {"events", FG_BOOL(struct options, events), .letter = 'e',
     .help = "write discoveries to standard output as JSON lines"},
    {"worker", FG_BOOL(struct options, worker),
     .help = "be one of several workers on the crawl at store.place: docs/scale-out.md"},
    {"lot", FG_STRING(struct options, lot), .arg = "LOT",
     .help = "crawl one lot of it; only --worker says so, to the processes it starts"},
    {"wait", FG_BOOL(struct options, wait),
     .help = "if no site is watched yet, wait until one is added"},
    {0},
};

static bool see_seeds(void *context, const struct fg_command_row *command)
{
    bool *has_seeds = context;
    *has_seeds |= fg_str_eq(command->kind, FG_STR("seeds"));
    return !*has_seeds;
}

/* Over the dashboard they may have been added while no crawl ran: it takes them up. */
static bool has_sites(struct fg_store *store, const struct fg_crawl *crawl)
{
    bool has_seeds = false;
    return fg_crawl_count(crawl).sites ||
           (!fg_store_commands(store, see_seeds, &has_seeds, NULL) && has_seeds);
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_store *store;
    struct fg_crawl *crawl = NULL;
    if (o->events && o->worker)
        return fg_fail(err, FG_ECONFIG,
                       "--events cannot be combined with --worker: see output.file");
    if (o->lot.len)
        return fg_cli_work_on(cli, o->lot, &o->limits, err);
    if (o->worker)
        return fg_cli_work(cli, &o->limits, err);
    enum fg_status st = fg_cli_store(cli, false, &store, err);
    if (!st)
        st = fg_cli_crawl(cli, store, o->events ? STDOUT_FILENO : -1, &o->limits, &crawl,
                          err);
    if (!st && !o->wait && !has_sites(store, crawl))
        st = fg_fail(err, FG_ENOTFOUND,
                     "no site is watched in '%s'; 'forage add URL' adds one",
                     cli->settings.workspace.at);
    if (!st)
        st = fg_cli_run(cli, crawl, &o->limits, err);
    fg_crawl_free(crawl);
    enum fg_status closed = store ? fg_store_close(store, st ? NULL : err) : FG_OK;
    return st ? st : closed;
}

static const struct fg_example examples[] = {
    {"forage run -w local --time-limit 1s", "look for new pages for a second"},
    {"forage run -w local --once --crawl-budget 0 --time-limit 1s",
     "fetch everything there is, once, or what fits a second"},
    {0},
};

const struct fg_command fg_cmd_run = {
    .name = "run",
    .words = "",
    .summary = "go on with the crawl of this workspace",
    .about =
        "Watches the sites that were added, until it is stopped. The first interrupt "
        "(Ctrl-C) or SIGTERM finishes open requests, a second one stops at once; both "
        "are safe, as is a power failure. SIGHUP opens the log file anew, after it was "
        "moved away, and reads the configuration again. Under a service manager that "
        "asks for it (NOTIFY_SOCKET) it tells when it is ready and answers the watchdog.",
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "operator fetch net policy crawl canonical conduct focus store worker "
                "archive output feeds webhooks digest clock server",
    .main_settings = "workspace operator.contact fetch.delay net.allow-private "
                     "crawl.budget crawl.include crawl.exclude output.file feeds.dir "
                     "webhooks.to digest.to",
    .examples = examples,
    .run = run,
};
