/* cmd_export.c - forage export: what the store has, for other programs */
#include "base/file.h"
#include "cli/data/opml.h"
#include "cli/showing.h"
#include "view/export.h"

/* The views of view/export.h by name, and a format of its own. */
static const char *const whats[] = {
    "pages",   "visits", "observations", "links",   "events", "discoveries", "values",
    "changes", "counts", "sources",      "retired", "opml",   NULL};
enum { OPML = sizeof whats / sizeof *whats - 2 };
enum format { JSONL, CSV };
static const char *const formats[] = {[JSONL] = "jsonl", [CSV] = "csv", NULL};

struct options {
    int what, format;
    bool jsonl, csv, spreadsheet;
    struct fg_export_question question;
    struct fg_str output;
};

static const struct fg_opt options[] = {
    {"what", FG_ENUM(struct options, what, whats), "pages", .help = "the rows wanted"},
    {"jsonl", FG_BOOL(struct options, jsonl), .letter = 'j',
     .help = "as JSON lines, which is the default"},
    {"csv", FG_BOOL(struct options, csv), .letter = 'c', .help = "as CSV with a head"},
    {"format", FG_ENUM(struct options, format, formats), "jsonl", .letter = 'f',
     .help = "the same by name"},
    {"spreadsheet", FG_BOOL(struct options, spreadsheet),
     .help =
         "in CSV, an apostrophe before texts that a spreadsheet would run as formulas;"
         " without it the data are as they are"},
    FG_EXPORT_OPTIONS(struct options, question),
    {"output", FG_STRING(struct options, output), .letter = 'o', .arg = "FILE",
     .help = "write to this file; it appears when it is complete"},
    {0},
};

static enum fg_status put_rows(struct fg_look *look, struct fg_out *out,
                               const struct options *o, struct fg_err *err)
{
    const struct fg_form form = {.json = !o->csv && o->format != CSV,
                                 .csv = o->csv || o->format == CSV,
                                 .spreadsheet = o->spreadsheet};
    if (o->what != OPML)
        return fg_cli_ask(out, look, &fg_exports[o->what], &o->question, &form,
                          FG_STR(""), err);
    fg_site_id site = 0;
    enum fg_status st = o->question.site.len
                            ? fg_look_find_site(look, o->question.site, &site, err)
                            : FG_OK;
    if (!st && (form.csv || o->question.since.len))
        st = fg_fail(err, FG_ECONFIG,
                     "OPML is a format of its own, and of the present: "
                     "it goes without --csv and --since");
    return st ? st : fg_opml_write(out, look, site, o->question.tag, err);
}

static enum fg_status put_file(struct fg_look *look, const struct options *o,
                               struct fg_err *err)
{
    struct fg_replacement file;
    struct fg_out out;
    enum fg_status st = fg_replacement_open(&file, o->output.at, err);
    if (st)
        return st;
    fg_out_open_file(&out, file.fd, o->output.at);
    st = put_rows(look, &out, o, err);
    enum fg_status closed = fg_out_close(&out, st ? NULL : err);
    st = st ? st : closed;
    if (!st)
        return fg_replacement_finish(&file, err);
    fg_replacement_drop(&file);
    return st;
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_look look;
    if (o->jsonl && (o->csv || o->format == CSV))
        return fg_fail(err, FG_ECONFIG, "--jsonl and --csv cannot be combined");
    enum fg_status st = fg_cli_look(cli, &look, err);
    if (!st)
        st = o->output.len ? put_file(&look, o, err) : put_rows(&look, &cli->out, o, err);
    fg_cli_look_close(&look);
    return st;
}

static const struct fg_example examples[] = {
    {"forage export | head -n 3", "all pages, a line of JSON each"},
    {"forage export --what visits --csv --since 2w --site news.example",
     "what was fetched of a site, for a spreadsheet"},
    {"forage export --what links -o links.jsonl && head -n 1 links.jsonl",
     "which source showed which page, and when"},
    {"forage export --what opml | tail -n 1", "feeds and sites, for a feed reader"},
    {"forage export --what discoveries --format csv --tag press",
     "what was found, by tag"},
    {"forage export --what changes --csv --since 1d",
     "prices that moved since yesterday"},
    {0},
};

const struct fg_command fg_cmd_export = {
    .name = "export",
    .words = "",
    .summary = "write pages, visits, links, events, values or counts as JSON lines or "
               "CSV, or OPML",
    .about =
        "Writes what the store has, a row each, with times in ISO 8601, UTC. CSV is that "
        "of RFC 4180: UTF-8, lines end in CR LF, the first names the columns. Data are "
        "written as they are; for a spreadsheet, which would run texts such as =1+1, use "
        "--spreadsheet. 'observations' are the visits and 'discoveries' the events of "
        "new pages; a change has the value before and after, and of offers the parts of "
        "both; the first value of a page is not a change. OPML has the feeds and sites "
        "that are watched, with tags as folders, as 'forage import opml' reads it. Works "
        "while a crawl runs, and shows the store as it was at the start.",
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace",
    .examples = examples,
    .only_looks = true,
    .run = run,
};
