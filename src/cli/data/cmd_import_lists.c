/* cmd_import_lists.c - forage import opml, changedetection, urlwatch, seeds
 *
 * What other programs watch becomes seeds: the file is read and checked whole, then all
 * of it is added in one batch, or handed to the crawl that runs. So a mistake in a long
 * file changes nothing, and importing it twice is as good as once. */
#include "base/file.h"
#include "cli/crawling.h"
#include "crawl/intake/imports.h"

#include <stdio.h>
#include <unistd.h>

enum { MOST_BYTES = 64 << 20, MOST_COMPLAINTS = 200 };

struct options {
    bool dry_run, strict, json, sites;
    struct fg_opt_list tags;
};

/* Of OPML all of them, of the others those after the first. */
static const struct fg_opt opml_options[] = {
    {"sites", FG_BOOL(struct options, sites), .letter = 's',
     .help = "watch the sites of the feeds as well"},
    {"tag", FG_LIST(struct options, tags), .letter = 't', .arg = "WORD,...",
     .help = "tags for all of them, beside those in the file"},
    {"dry-run", FG_BOOL(struct options, dry_run), .letter = 'n',
     .help = "say what would be added and what not, and change nothing"},
    {"strict", FG_BOOL(struct options, strict),
     .help = "import nothing if something cannot be carried over"},
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

struct job {
    struct fg_cli *cli;
    const struct options *o;
    const char *path;
    struct fg_import import;
    size_t told;
    struct fg_enlisted made;
    int64_t crawl; /* the process that was given them, or -1 */
};

typedef enum fg_status reader(struct fg_import *import, struct fg_str text,
                              struct fg_err *err);

/* --- reading --- */

static void tell(void *context, enum fg_import_trouble what, size_t line,
                 const char *words)
{
    static const char *const heads[] = {[FG_IMPORT_WRONG] = "",
                                        [FG_IMPORT_SKIPPED] = "left out: ",
                                        [FG_IMPORT_LOST] = "not carried over: "};
    struct job *job = context;
    if (job->told++ >= MOST_COMPLAINTS)
        return;
    struct fg_str text = fg_arena_printf(job->cli->arena, "%s%s", heads[what], words);
    fg_cli_complain(job->cli, fg_file_name(job->path), line, text.at);
}

static void add_tags(struct job *job)
{
    for (size_t i = 0; i < job->import.lines.len; i++)
        for (size_t k = 0; k < job->o->tags.len; k++) {
            struct fg_seed *seed = &job->import.lines.at[i].seed;
            seed->page_tags =
                fg_import_tag(&job->import, seed->page_tags, job->o->tags.at[k]);
        }
}

static enum fg_status read_list(struct job *job, reader *read, struct fg_err *err)
{
    struct fg_str text;
    struct fg_err why = {0};
    const struct fg_import *import = &job->import;
    enum fg_status st = fg_file_read(&text, job->cli->arena, job->path, MOST_BYTES, err);
    if (st)
        return st;
    st = read(&job->import, text, &why);
    if (job->told > MOST_COMPLAINTS)
        fprintf(stderr, "forage %s: and %zu more\n", job->cli->command->name,
                job->told - MOST_COMPLAINTS);
    if (st)
        return fg_fail(err, FG_EINPUT, "'%s': %s; nothing was imported",
                       fg_file_name(job->path), why.text);
    if (import->wrong)
        return fg_fail(err, FG_EINPUT, "%zu %s wrong; nothing was imported",
                       import->wrong, import->wrong == 1 ? "entry is" : "entries are");
    if (job->o->strict && (import->lost || import->skipped))
        return fg_fail(err, FG_EINPUT,
                       "%zu cannot be carried over, and --strict is given; nothing was "
                       "imported",
                       import->lost + import->skipped);
    add_tags(job);
    return FG_OK;
}

/* Somebody has to answer for the crawl. */
static enum fg_status check_all(const struct job *job,
                                const struct fg_crawl_options *crawl, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < job->import.lines.len; i++)
        st = fg_seed_check(crawl, job->import.lines.at[i].url, err);
    return st;
}

/* --- writing --- */

static enum fg_status hand_over(struct job *job, struct fg_err *err)
{
    struct fg_buf text;
    fg_buf_init(&text, MOST_BYTES);
    for (size_t i = 0; i < job->import.lines.len; i++)
        fg_seed_format(&text, job->import.lines.at[i].url, &job->import.lines.at[i].seed);
    enum fg_status st =
        text.full
            ? fg_fail(err, FG_ELIMIT,
                      "more than a running crawl can be given at once; stop it first")
            : fg_inbox_put(fg_cli_inbox(job->cli), FG_INBOX_SEEDS, fg_buf_str(&text),
                           err);
    fg_buf_clear(&text);
    return st;
}

/* What would be new; a workspace that is not there yet is an empty one. */
static enum fg_status count(struct job *job, struct fg_err *err)
{
    struct fg_store *store = NULL;
    enum fg_status st = FG_OK;
    if (fg_store_exists(fg_cli_store_path(job->cli)))
        st = fg_cli_store(job->cli, true, &store, err);
    if (!st)
        st = fg_enlist_count(&job->made, store, job->cli->settings.crawl.naming.keep,
                             job->import.lines.at, job->import.lines.len, err);
    if (store)
        fg_store_close(store, NULL);
    return st;
}

static enum fg_status add(struct job *job, const struct fg_crawl_options *crawl,
                          struct fg_err *err)
{
    struct fg_store *store;
    enum fg_status st = fg_cli_store(job->cli, false, &store, err);
    if (st)
        return st;
    st = fg_enlist(&job->made, store, crawl, job->import.lines.at, job->import.lines.len,
                   err);
    enum fg_status closed = fg_store_close(store, st ? NULL : err);
    return st ? st : closed;
}

/* --- telling --- */

static void tell_json(const struct job *job)
{
    struct fg_json json = fg_json_to(&job->cli->out.buf);
    const struct fg_import *import = &job->import;
    fg_json_object(&json);
    fg_json_pair_uint(&json, "entries", import->entries);
    fg_json_pair_uint(&json, "addresses", import->lines.len);
    fg_json_pair_uint(&json, "new_pages", job->made.new_pages);
    fg_json_pair_uint(&json, "new_sites", job->made.new_sites);
    fg_json_pair_uint(&json, "left_out", import->skipped);
    fg_json_pair_uint(&json, "not_carried_over", import->lost);
    fg_json_pair_bool(&json, "dry_run", job->o->dry_run);
    fg_json_pair_bool(&json, "handed_over", !job->o->dry_run && job->crawl >= 0);
    fg_json_end(&json);
    fg_out_puts(&job->cli->out, "\n");
}

static void tell_people(const struct job *job)
{
    struct fg_out *out = &job->cli->out;
    const struct fg_import *import = &job->import;
    fg_out_printf(out, "%zu %s: %zu %s, %llu of them new, on %llu new %s%s\n",
                  import->entries, import->entries == 1 ? "entry" : "entries",
                  import->lines.len, import->lines.len == 1 ? "address" : "addresses",
                  (unsigned long long)job->made.new_pages,
                  (unsigned long long)job->made.new_sites,
                  job->made.new_sites == 1 ? "site" : "sites",
                  job->o->dry_run   ? "; nothing was changed"
                  : job->crawl >= 0 ? ", for the crawl that is running; it takes them up "
                                      "within seconds"
                                    : "");
    if (import->skipped)
        fg_out_printf(out, "%zu left out\n", import->skipped);
    if (import->lost)
        fg_out_printf(out, "%zu %s of theirs not carried over\n", import->lost,
                      import->lost == 1 ? "thing" : "things");
}

static enum fg_status import_with(struct fg_cli *cli, reader *read, struct fg_err *err)
{
    struct job job = {.cli = cli, .o = cli->options, .path = cli->words[0]};
    const struct fg_crawl_options *crawl = &cli->settings.crawl;
    job.import = (struct fg_import){
        .arena = cli->arena, .tell = tell, .context = &job, .with_sites = job.o->sites};
    enum fg_status st = read_list(&job, read, err);
    if (!st)
        st = check_all(&job, crawl, err);
    if (st)
        return st;
    job.crawl = fg_store_writer(fg_cli_store_path(cli));
    if (job.o->dry_run || job.crawl >= 0)
        st = count(&job, err);
    if (!st && !job.o->dry_run)
        st = job.crawl >= 0 ? hand_over(&job, err) : add(&job, crawl, err);
    if (!st && job.o->json)
        tell_json(&job);
    else if (!st)
        tell_people(&job);
    return st;
}

/* --- the commands --- */

static enum fg_status run_opml(struct fg_cli *cli, struct fg_err *err)
{
    return import_with(cli, fg_import_opml, err);
}

static enum fg_status run_changedetection(struct fg_cli *cli, struct fg_err *err)
{
    return import_with(cli, fg_import_changedetection, err);
}

static enum fg_status run_urlwatch(struct fg_cli *cli, struct fg_err *err)
{
    return import_with(cli, fg_import_urlwatch, err);
}

static enum fg_status run_seeds(struct fg_cli *cli, struct fg_err *err)
{
    return import_with(cli, fg_import_seeds, err);
}

#define A_LIST                                       \
    .words = "FILE", .min_words = 1, .max_words = 1, \
    .options_size = sizeof(struct options),          \
    .settings = "workspace operator.contact operator.name canonical"
#define WHOLE                                                                         \
    " The file (- is standard input) is read whole: if an entry is wrong, each such " \
    "is named and nothing is imported. Importing it again changes nothing. While a "  \
    "crawl runs on the workspace the addresses are handed to it."

static const struct fg_example opml_examples[] = {
    {"printf '<opml version=\"2.0\"><body><outline text=\"Tech\"><outline text=\"A\" "
     "xmlUrl=\"https://a.example/feed\"/></outline></body></opml>' | forage import opml "
     "-",
     "a feed, with a tag"},
    {0},
};
const struct fg_command fg_cmd_import_opml = {
    .name = "import opml",
    .summary = "the feeds and sites of a feed reader, with its folders as tags",
    .about =
        "Reads OPML, as feed readers write it: feeds (xmlUrl) are followed alone, as "
        "by 'forage add --feed'; with --sites their pages (htmlUrl) become sites as "
        "well. An outline with a page and no feed is a site. The folders around "
        "them and their categories become tags. 'forage export --what opml' "
        "writes them back." WHOLE,
    A_LIST,
    .options = opml_options,
    .examples = opml_examples,
    .run = run_opml,
};

static const struct fg_example changedetection_examples[] = {
    {"printf '{\"watching\":{\"0\":{\"url\":\"https://a.example/\","
     "\"include_filters\":[\"#price\"]}}}' | forage import changedetection - --dry-run",
     "what would become of a watch"},
    {0},
};
const struct fg_command fg_cmd_import_changedetection = {
    .name = "import changedetection",
    .summary = "the watches of changedetection.io, as documents to keep fresh",
    .about =
        "Reads url-watches.json of a backup of changedetection.io, or what its API "
        "answers at /api/v1/watch. Watches become documents; their filters, selectors "
        "and simple XPath expressions become what of the page counts (see "
        "documents.value), as do the parts and texts to ignore. Paused watches are left "
        "out; that and what cannot be carried over is named." WHOLE,
    A_LIST,
    .options = opml_options + 1,
    .examples = changedetection_examples,
    .run = run_changedetection,
};

static const struct fg_example urlwatch_examples[] = {
    {"printf 'url: https://a.example/\\nfilter:\\n  - css: \"#price\"\\n' | forage "
     "import "
     "urlwatch - --json",
     "a job of urlwatch"},
    {0},
};
const struct fg_command fg_cmd_import_urlwatch = {
    .name = "import urlwatch",
    .summary = "the jobs of urlwatch, as documents to keep fresh",
    .about =
        "Reads urls.yaml of urlwatch. Jobs with a url become documents; the filter that "
        "chooses a part of the page (css, xpath, element-by-...) and what it excludes "
        "become what of the page counts (see documents.value). Jobs that run commands or "
        "a browser are left out; that and what cannot be carried over is named." WHOLE,
    A_LIST,
    .options = opml_options + 1,
    .examples = urlwatch_examples,
    .run = run_urlwatch,
};

static const struct fg_example seeds_examples[] = {
    {"printf 'https://a.example/\\tnutch.score=2\\tuserType=open\\n' | forage import "
     "seeds "
     "-",
     "a seed of Nutch"},
    {0},
};
const struct fg_command fg_cmd_import_seeds = {
    .name = "import seeds",
    .summary = "a file of addresses with key=value behind each, as Nutch has it",
    .about =
        "Reads a file of seeds as 'forage add --seeds' does: one address a line, then, "
        "after tabs, key=value; lines that start with # are comments. nutch.score is the "
        "weight of a page. Keys that are not known are kept with the page, as is "
        "nutch.fetchInterval, for here the policy chooses when." WHOLE,
    A_LIST,
    .options = opml_options + 1,
    .examples = seeds_examples,
    .run = run_seeds,
};
