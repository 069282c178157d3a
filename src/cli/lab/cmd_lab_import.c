/* cmd_lab_import.c - forage lab import: a log of links as a recording */
#include "cli/lab/labs.h"
#include "lab/import.h"

#include <string.h>

struct options {
    struct fg_str output, columns;
    fg_time fill;
};

static const struct fg_opt options[] = {
    {"output", FG_STRING(struct options, output), .letter = 'o', .arg = "FOLDER",
     .help = "where to write it"},
    {"columns", FG_STRING(struct options, columns), .letter = 'c', .arg = "NAMES",
     .help = "what the columns of a file are, if not source,target,first,last; others "
             "are passed over"},
    {"fill", FG_SPAN(struct options, fill), "1d", .max = (double)(365 * FG_DAY),
     .help = "take a page as unchanged for so long after a crawl looked at it; 0: for "
             "the three hours that any recording has"},
    {0},
};

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    const char *path = cli->words[0];
    if (!o->output.len)
        return fg_fail(err, FG_ECONFIG, "-o FOLDER says where to write it");
    struct fg_linklog *log = fg_linklog_new();
    enum fg_status st = fg_import(log, path, o->columns.len ? o->columns.at : NULL, err);
    if (!st && fg_import_is_workspace(path))
        fg_linklog_fill(log, o->fill / FG_SECOND);
    if (!st)
        st = fg_lab_write(cli, log, o->output.at, err);
    fg_linklog_free(log);
    return st;
}

static const struct fg_example examples[] = {
    {"forage lab import links.tsv -o mine", "a log of one's own"},
    {"tail -n 3 links.tsv | forage lab import - -c source,target,first,last -o mine",
     "from another program, with its columns named"},
    {"forage lab import . -o lived", "what the crawl of this workspace has seen"},
    {0},
};

const struct fg_command fg_cmd_lab_import = {
    .name = "lab import",
    .words = "FILE | FOLDER | WORKSPACE",
    .summary = "take in a log of links, or a crawl, as a recording",
    .about = "A FILE has a row for each time a link stayed on a page, tab-separated: "
             "source, target, when it was first and when it was last seen there. Sources "
             "and targets are URLs, numbers or other names; times are Unix times or "
             "2026-11-15T21:02:18Z. With a first row of names there may be commas or "
             "semicolons in place of tabs, and rows may be what a look showed: time, "
             "page, link. '-' is standard "
             "input; gzipped files are read as "
             "they are. A FOLDER has such a file, intervals.tsv, and perhaps "
             "sources.tsv, snapshots.tsv and relevant.tsv. Of a WORKSPACE the links that "
             "the live crawl saw are taken.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
