/* cmd_warc.c - forage warc: look into web archives, check them, index them */
#include "cli/cli.h"

extern const struct fg_command fg_cmd_warc_list, fg_cmd_warc_check, fg_cmd_warc_index,
    fg_cmd_warc_get;

static const struct fg_command *const parts[] = {
    &fg_cmd_warc_list, &fg_cmd_warc_check, &fg_cmd_warc_index, &fg_cmd_warc_get, NULL,
};

static const struct fg_example examples[] = {
    {"forage warc list crawl.warc.gz", "the records of a file, one a line"},
    {"forage warc get crawl.warc.gz http://example.org/", "a page out of it"},
    {"forage warc check --help", "the flags of an action"},
    {0},
};

const struct fg_command fg_cmd_warc = {
    .name = "warc",
    .words = "ACTION ...",
    .summary = "look into web archives (WARC), check them and index them (CDXJ)",
    .about =
        "Reads WARC files of version 1.1 and before, plain or gzipped, whoever wrote "
        "them. A crawl writes them where archive.dir says, 'forage fetch --warc' "
        "writes one for a single page; docs/archive.md has the details.",
    .examples = examples,
    .parts = parts,
};
