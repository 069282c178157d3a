/* cmd_store.c - forage store: the store as a whole */
#include "cli/cli.h"
#include "store/copy.h"

#include <inttypes.h>

static enum fg_status run_copy(struct fg_cli *cli, struct fg_err *err)
{
    struct fg_store_copied copied;
    if (!fg_store_exists(cli->words[0]))
        return fg_fail(err, FG_ENOTFOUND, "there is no store at '%s'", cli->words[0]);
    enum fg_status st = fg_store_copy(cli->words[0], cli->words[1], &copied, err);
    if (!st)
        fg_out_printf(&cli->out,
                      "copied %" PRIu64 " rows: %" PRIu64 " pages, %" PRIu64
                      " visits, %" PRIu64 " events\n",
                      copied.rows, copied.pages, copied.visits, copied.events);
    return st;
}

static const struct fg_example copy_examples[] = {
    {"forage store copy . copy.db", "the store of this workspace, as a second file"},
    {0},
};

static const struct fg_command copy = {
    .name = "store copy",
    .words = "FROM TO",
    .summary = "copy a store to another place, of whatever kind",
    .about =
        "Copies all rows of a store, byte for byte and in one transaction, and makes the "
        "index of texts anew. A place is a workspace, a file *.db, or the address of a "
        "schema in a PostgreSQL, postgresql://user@host/database#schema. The new place "
        "must be empty, and no crawl may run on either. Advertisements are not copied. "
        "docs/scale-out.md tells more.",
    .min_words = 2,
    .max_words = 2,
    .examples = copy_examples,
    .run = run_copy,
};

static const struct fg_command *const parts[] = {&copy, NULL};

static const struct fg_example examples[] = {
    {"forage store copy --help", "between a file and a PostgreSQL"},
    {0},
};

const struct fg_command fg_cmd_store = {
    .name = "store",
    .words = "ACTION ...",
    .summary = "copy what a crawl has stored to another place",
    .about =
        "What a crawl knows is in its store: a file of the workspace, or a schema of "
        "a PostgreSQL (docs/scale-out.md).",
    .examples = examples,
    .parts = parts,
};
