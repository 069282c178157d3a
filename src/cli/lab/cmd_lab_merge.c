/* cmd_lab_merge.c - forage lab merge: the journals of parts as one */
#include "base/file.h"
#include "cli/cli.h"
#include "lab/journal.h"

struct options {
    struct fg_str output;
};

static const struct fg_opt options[] = {
    {"output", FG_STRING(struct options, output), .letter = 'o', .arg = "FILE",
     .help = "the journal to write: that of the report that is to be made"},
    {0},
};

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_replacement file;
    uint64_t key = 0;
    size_t runs = 0;
    if (!o->output.len)
        return fg_fail(err, FG_ECONFIG, "-o FILE says where to write it");
    enum fg_status st = fg_replacement_open(&file, o->output.at, err);
    if (st)
        return st;
    for (size_t i = 0; !st && i < cli->n_words; i++)
        st = fg_journal_merge(file.fd, cli->words[i], &key, &runs, err);
    if (st) {
        fg_replacement_drop(&file);
        return st;
    }
    st = fg_replacement_finish(&file, err);
    if (!st)
        fg_out_printf(&cli->out, "%s: %zu finished jobs of %zu journals\n", o->output.at,
                      runs, cli->n_words);
    return st;
}

static const struct fg_example examples[] = {
    {"forage lab run quick --part 1/1 && forage lab merge quick-1-of-1.journal -o "
     "quick.journal && forage lab run quick --resume",
     "all parts, here one, and the report of the whole"},
    {0},
};

const struct fg_command fg_cmd_lab_merge = {
    .name = "lab merge",
    .words = "JOURNAL...",
    .summary = "put together what the parts of an experiment found",
    .about =
        "JOURNALs are those that 'forage lab run --part' left. The merged one stands "
        "where that of a run that was stopped would: 'forage lab run --resume' takes "
        "it up, runs what is missing, and makes the report.",
    .min_words = 1,
    .max_words = 1000,
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
