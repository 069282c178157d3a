/* cmd_lab.c - forage lab: experiments on sites whose every link is known */
#include "cli/cli.h"

extern const struct fg_command fg_cmd_lab_list, fg_cmd_lab_run, fg_cmd_lab_merge,
    fg_cmd_lab_gen, fg_cmd_lab_import, fg_cmd_lab_stats;

static const struct fg_command *const parts[] = {
    &fg_cmd_lab_list,
    &fg_cmd_lab_run,
    &fg_cmd_lab_merge,
    &fg_cmd_lab_gen,
    &fg_cmd_lab_import,
    &fg_cmd_lab_stats,
    NULL,
};

static const struct fg_example examples[] = {
    {"forage lab list", "experiments, generators, recordings and policies"},
    {"forage lab run quick", "a small experiment, in seconds"},
    {"forage lab run --help", "the flags of an action"},
    {0},
};

const struct fg_command fg_cmd_lab = {
    .name = "lab",
    .words = "ACTION ...",
    .summary = "compare policies on synthetic sites and on recordings of real ones",
    .about = "The lab replays sites whose every link is known, hour by hour, and shows "
             "each policy only what its own visits would have shown. Sites are made up "
             "by generators, read from recordings, or taken from a crawl. docs/lab.md "
             "tells how to read the figures, bring a log of one's own and write a "
             "policy.",
    .examples = examples,
    .parts = parts,
};
