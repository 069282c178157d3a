/* cmd_watch.c - forage watch: add sites and report their new pages as they are found */
#include "cli/crawling.h"

#include <unistd.h>

struct options {
    struct fg_run_options limits;
    struct fg_str seeds;
    bool feed;
};

static const struct fg_opt options[] = {
    FG_RUN_OPTIONS(struct options, limits),
    {"seeds", FG_STRING(struct options, seeds), .arg = "FILE",
     .help = "add the addresses in this file, too; - is standard input"},
    {"feed", FG_BOOL(struct options, feed), .letter = 'f',
     .help = "follow these feeds alone: ask for them and their entries, nothing else"},
    {0},
};

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_store *store;
    struct fg_crawl *crawl = NULL;
    struct fg_seeds seeds = {0};
    if (o->feed)
        fg_seed_set_type(&seeds.preset, FG_STR("feed"));
    enum fg_status st = fg_cli_seeds(cli, &seeds, o->seeds, false, err);
    if (!st && !seeds.lines.len)
        st = fg_fail(err, FG_ECONFIG,
                     "nothing to watch: give at least one address; 'forage run --events' "
                     "goes on with the sites of the workspace");
    if (st)
        return st;
    st = fg_cli_store(cli, false, &store, err);
    if (!st)
        st = fg_cli_crawl(cli, store, STDOUT_FILENO, &o->limits, &crawl, err);
    if (!st)
        st = fg_cli_add(crawl, &seeds, err);
    if (!st)
        st = fg_cli_run(cli, crawl, &o->limits, err);
    fg_crawl_free(crawl);
    enum fg_status closed = store ? fg_store_close(store, st ? NULL : err) : FG_OK;
    return st ? st : closed;
}

static const struct fg_example examples[] = {
    {"forage watch -w local --time-limit 1s http://127.0.0.1:9/",
     "a second's watch of a site on this machine"},
    {"forage watch -w local --crawl-exclude '*/tag/*' --time-limit 1s "
     "http://127.0.0.1:9/",
     "the same without its tag pages"},
    {"forage watch -w local --feeds-dir feeds --time-limit 1s http://127.0.0.1:9/",
     "and feeds of what is found"},
    {0},
};

const struct fg_command fg_cmd_watch = {
    .name = "watch",
    .words = "[URL|-]...",
    .summary = "watch sites and report new pages as JSON lines",
    .about =
        "Adds the sites of the addresses given to this workspace, explores them, finds "
        "out which of their pages lead to new ones, and looks at those again whenever "
        "that is worth it. Every new page is one line of JSON on standard output, "
        "written once it is safely stored. Sites that were added before are watched, "
        "too; 'forage run --events' goes on with them alone. A line is written once, but "
        "after a crash the last ones may come again, with the same event id. A crawl "
        "beyond this machine needs an operator: set operator.contact or operator.name.",
    .max_words = 10000,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "operator fetch net policy crawl canonical conduct focus store archive "
                "output feeds webhooks digest clock server",
    .main_settings = "workspace operator.contact fetch.delay net.allow-private "
                     "crawl.budget crawl.include crawl.exclude output.file feeds.dir "
                     "webhooks.to digest.to",
    .examples = examples,
    .run = run,
};
