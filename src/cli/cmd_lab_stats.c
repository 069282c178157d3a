/* cmd_lab_stats.c - forage lab stats: a workload in figures */
#include "cli/cli.h"
#include "cli/labs.h"
#include "lab/supply.h"

struct options {
    bool json;
    int64_t sites;
};

static const struct fg_opt options[] = {
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {"sites", FG_INT(struct options, sites), "3", .letter = 'n', .max = 10000,
     .help = "look at so many sites; 0: all"},
    {0},
};

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    (void)cli;
    (void)err;
    return FG_OK;
}

static const struct fg_example examples[] = {
    {"forage lab stats reports --sites 1", "what a generator makes"},
    {0},
};

const struct fg_command fg_cmd_lab_stats = {
    .name = "lab stats",
    .words = "WORKLOAD",
    .summary = "describe the sites of a workload in figures",
    .about = "WORKLOAD is a generator, a recording, a folder with one, or a workspace.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
