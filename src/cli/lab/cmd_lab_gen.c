/* cmd_lab_gen.c - forage lab gen: synthetic sites as a recording */
#include "cli/lab/labs.h"
#include "lab/generate/generate.h"
#include "lab/refresh/history.h"
#include "lab/refresh/timelines.h"

#include <stdio.h>

struct options {
    int64_t sites, hours, seed, pages, setting;
    double relevant;
    struct fg_str output;
};

static const struct fg_opt options[] = {
    {"output", FG_STRING(struct options, output), .letter = 'o', .arg = "FOLDER",
     .help = "where to write it"},
    {"sites", FG_INT(struct options, sites), "1", .letter = 'n', .min = 1, .max = 10000,
     .help = "how many sites"},
    {"hours", FG_INT(struct options, hours), "336", .min = 24, .max = 100000,
     .help = "how long each is watched"},
    {"seed", FG_INT(struct options, seed), "1", .max = 1e15,
     .help = "another seed, other sites"},
    {"relevant", FG_DOUBLE(struct options, relevant), "0", .max = 1,
     .help = "share of targets that are relevant to a focused crawl; 0: as the generator "
             "has it"},
    {"pages", FG_INT(struct options, pages), "0", .max = 2e6,
     .help = "how many offers; 0: 20,000"},
    {"setting", FG_INT(struct options, setting), "1", .min = 1, .max = 2,
     .help = "which setting of the restless bandit"},
    {0},
};

/* Pages to refresh: a history. */
static enum fg_status write_history(struct fg_cli *cli,
                                    const struct fg_workload *workload,
                                    struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_supply supply;
    void *made = NULL;
    fg_supply_init(&supply, NULL);
    enum fg_status st = fg_timelines_add(&supply, workload, 1, err);
    if (!st)
        st = fg_supply_take(&supply, 0, &made, err);
    struct fg_timeline *timeline = made;
    if (!st)
        st = fg_history_write(timeline, o->output.at, err);
    if (!st)
        fg_out_printf(&cli->out, "%s: %zu pages, %zu changes\n", o->output.at,
                      timeline->n, timeline->n_changes);
    fg_timeline_free(timeline);
    fg_supply_clear(&supply);
    return st;
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_workload workload;
    bool is_history = fg_timelines_named(&workload, cli->arena, cli->words[0], NULL) &&
                      workload.kind == FG_WORK_GENERATE;
    struct fg_generator_options wanted = fg_generator_defaults(cli->words[0]);
    if (!wanted.name && !is_history)
        return fg_fail(err, FG_ECONFIG,
                       "no generator '%s'; 'forage lab list' shows those there are",
                       cli->words[0]);
    if (!o->output.len)
        return fg_fail(err, FG_ECONFIG, "-o FOLDER says where to write it");
    if (is_history) {
        workload.seed = (uint64_t)o->seed;
        workload.refresh.pages = (size_t)o->pages;
        workload.refresh.setting = (size_t)o->setting;
        return write_history(cli, &workload, err);
    }
    struct fg_linklog *log = fg_linklog_new();
    wanted.seed = (uint64_t)o->seed;
    wanted.steps = (size_t)o->hours;
    wanted.relevant = o->relevant > 0 ? o->relevant : wanted.relevant;
    for (wanted.number = 0; wanted.number < o->sites; wanted.number++) {
        char name[64];
        snprintf(name, sizeof name, "%s-%02u.example", wanted.name, wanted.number);
        struct fg_site *site = fg_generate_site(&wanted);
        fg_linklog_site(log, site, name);
        fg_site_free(site);
    }
    enum fg_status st = fg_lab_write(cli, log, o->output.at, err);
    fg_linklog_free(log);
    return st;
}

static const struct fg_example examples[] = {
    {"forage lab gen news --sites 2 --hours 48 -o made", "two news sites over two days"},
    {"forage lab gen reports --relevant 0.4 --hours 48 -o focused",
     "with a truth of what is relevant"},
    {"forage lab gen restless --setting 2 -o slots", "pages to refresh, as a history"},
    {0},
};

const struct fg_command fg_cmd_lab_gen = {
    .name = "lab gen",
    .words = "NAME",
    .summary = "write synthetic sites as a recording, or pages as a history",
    .about = "NAME is a generator that 'forage lab list' shows. The folder has the form "
             "that recordings of real sites have, so that other programs can be given "
             "the same sites: sources.tsv, intervals.tsv.gz, snapshots.tsv.gz and, if "
             "targets differ in relevance, relevant.tsv.gz. Generators of pages to "
             "refresh write the form of change histories, pages.tsv.gz and "
             "changes.tsv.gz.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
