/* cmd_import.c - forage import counts: what people do with the pages
 *
 * The whole table is read and checked before anything is written, so that a mistake in a
 * long file changes nothing. If a crawl is running, it alone may write to the store: then
 * the counts are left in the inbox of the workspace, where it finds them within seconds.
 */
#include "base/file.h"
#include "cli/crawling.h"
#include "crawl/documents/counts.h"
#include "crawl/sources/naming.h"

#include <stdio.h>
#include <unistd.h>

struct options {
    bool add, json;
};

static const struct fg_opt options[] = {
    {"add", FG_BOOL(struct options, add), .letter = 'a',
     .help = "keep all these pages fresh, also those that were not known yet"},
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

struct job {
    struct fg_cli *cli;
    const struct options *o;
    const char *path;
    struct fg_crawl_options options;
    struct fg_counts counts;
    struct fg_counts_outcome outcome;
    size_t added;
    int64_t crawl; /* the process that was given them, or -1 */
};

/* --- reading --- */

static void complain(void *context, size_t line, const char *why)
{
    enum { MOST_COMPLAINTS = 20 };
    const struct job *job = context;
    if (job->counts.wrong <= MOST_COMPLAINTS)
        fg_cli_complain(job->cli, fg_file_name(job->path), line, why);
}

static enum fg_status read_table(struct job *job, struct fg_err *err)
{
    struct fg_str text;
    struct fg_cli *cli = job->cli;
    job->options = cli->settings.crawl;
    enum fg_status st = fg_cli_unpacked(cli, job->path, &text, err);
    if (st)
        return st;
    /* Somewhere it is tomorrow. */
    job->counts.last_day = (int32_t)(fg_clock_now(&job->options.clock) / FG_DAY) + 1;
    struct fg_err why = {0};
    st = fg_counts_read(&job->counts, text, complain, job, &why);
    if (st)
        return fg_fail(err, st, "'%s': %s", fg_file_name(job->path), why.text);
    if (job->counts.wrong)
        return fg_fail(err, FG_EINPUT, "%zu %s wrong; nothing was imported",
                       job->counts.wrong, job->counts.wrong == 1 ? "row is" : "rows are");
    return FG_OK;
}

/* --- what is not kept fresh yet --- */

static void add_document(void *context, struct fg_str url)
{
    struct fg_seeds *seeds = context;
    fg_vec_push(&seeds->lines, (struct fg_seed_line){.url = url, .seed = seeds->preset});
}

static enum fg_status add_here(struct job *job, struct fg_store *store,
                               const struct fg_seeds *seeds, struct fg_err *err)
{
    struct fg_enlisted made;
    return fg_enlist(&made, store, &job->options, seeds->lines.at, seeds->lines.len, err);
}

static enum fg_status hand_over_seeds(struct job *job, const struct fg_seeds *seeds,
                                      struct fg_err *err)
{
    struct fg_buf text;
    fg_buf_init(&text, 64 << 20);
    for (size_t i = 0; i < seeds->lines.len; i++)
        fg_seed_format(&text, seeds->lines.at[i].url, &seeds->lines.at[i].seed);
    enum fg_status st =
        text.full ? fg_fail(err, FG_ELIMIT,
                            "more addresses than a running crawl can be given at once; "
                            "stop it first")
                  : fg_inbox_put(fg_cli_inbox(job->cli), FG_INBOX_SEEDS,
                                 fg_buf_str(&text), err);
    fg_buf_clear(&text);
    return st;
}

static enum fg_status add_missing(struct job *job, struct fg_store *store,
                                  struct fg_err *err)
{
    struct fg_seeds seeds = {.preset = {.is_document = true, .is_page_only = true}};
    if (!job->o->add)
        return FG_OK;
    enum fg_status st = fg_counts_missing(store, &job->counts, add_document, &seeds, err);
    job->added = seeds.lines.len;
    if (!st && seeds.lines.len)
        st = job->crawl >= 0 ? hand_over_seeds(job, &seeds, err)
                             : add_here(job, store, &seeds, err);
    fg_vec_clear(&seeds.lines);
    return st;
}

/* --- writing --- */

static enum fg_status hand_over(struct job *job, struct fg_err *err)
{
    struct fg_buf text;
    enum fg_status st = FG_OK;
    fg_buf_init(&text, FG_INBOX_COUNTS_MAX);
    for (size_t next = 0; !st && next < job->counts.rows.len;) {
        fg_buf_reset(&text);
        next = fg_counts_format(&text, &job->counts, next);
        st =
            fg_inbox_put(fg_cli_inbox(job->cli), FG_INBOX_COUNTS, fg_buf_str(&text), err);
    }
    fg_buf_clear(&text);
    return st;
}

static enum fg_status import(struct job *job, struct fg_store *store, struct fg_err *err)
{
    unsigned keep = job->cli->settings.crawl.naming.keep;
    enum fg_status st = job->crawl >= 0 ? fg_naming_read(&keep, store, keep, err)
                                        : fg_naming_settle(&keep, store, keep, err);
    if (st)
        return st;
    fg_counts_name(&job->counts, keep);
    st = add_missing(job, store, err);
    if (!st && job->crawl < 0)
        return fg_counts_put(&job->outcome, store, &job->counts, err);
    if (!st)
        st = fg_counts_look(&job->outcome, store, &job->counts, err);
    return st ? st : hand_over(job, err);
}

static void tell_json(const struct job *job)
{
    const struct fg_counts_outcome *made = &job->outcome;
    struct fg_json json = fg_json_to(&job->cli->out.buf);
    fg_json_object(&json);
    fg_json_pair_uint(&json, "rows", made->rows);
    fg_json_pair_uint(&json, "pages", made->pages);
    fg_json_pair_uint(&json, "added", job->added);
    fg_json_pair_uint(&json, "unknown", made->unknown);
    fg_json_pair_uint(&json, "not_documents", made->not_documents);
    fg_json_pair_time(&json, "first_day",
                      made->rows ? made->first_day * FG_DAY : FG_NEVER);
    fg_json_pair_time(&json, "last_day", made->rows ? made->last_day * FG_DAY : FG_NEVER);
    fg_json_pair_bool(&json, "handed_over", job->crawl >= 0);
    fg_json_end(&json);
    fg_out_puts(&job->cli->out, "\n");
}

static void tell(const struct job *job)
{
    struct fg_out *out = &job->cli->out;
    const struct fg_counts_outcome *made = &job->outcome;
    char first[FG_TIME_TEXT], last[FG_TIME_TEXT];
    if (made->rows)
        fg_out_printf(out, "%zu %s of %zu %s, from %.10s to %.10s%s\n", made->rows,
                      made->rows == 1 ? "count" : "counts", made->pages,
                      made->pages == 1 ? "page" : "pages",
                      fg_time_format(first, made->first_day * FG_DAY),
                      fg_time_format(last, made->last_day * FG_DAY),
                      job->crawl >= 0
                          ? ", for the crawl that is running; it takes them up within "
                            "seconds"
                          : "");
    size_t waiting = job->counts.rows.len - made->rows;
    if (waiting)
        fg_out_printf(out, "%zu %s kept for pages that are not known here yet\n", waiting,
                      waiting == 1 ? "count is" : "counts are");
    if (job->added)
        fg_out_printf(out, "%zu %s now kept fresh\n", job->added,
                      job->added == 1 ? "more page is" : "more pages are");
    if (made->unknown) {
        fg_out_printf(out, "%zu %s not known here yet, such as ", made->unknown,
                      made->unknown == 1 ? "page is" : "pages are");
        fg_out_text(out, made->an_unknown_one);
        fg_out_puts(out, made->unknown == 1
                             ? "; its counts are used when a crawl finds it, or at once "
                               "with --add\n"
                             : "; their counts are used when a crawl finds them, or at "
                               "once with --add\n");
    }
    if (made->not_documents)
        fg_out_printf(out, "%zu %s not kept fresh; --add changes that\n",
                      made->not_documents,
                      made->not_documents == 1 ? "page is" : "pages are");
}

/* What was handed over with --add is known as soon as the crawl has taken it. */
static void count_added_as_known(struct job *job)
{
    if (job->crawl < 0 || !job->o->add)
        return;
    job->outcome.rows = job->counts.rows.len;
    job->outcome.pages = job->counts.urls.len;
    job->outcome.unknown = job->outcome.not_documents = 0;
    for (size_t i = 0; i < job->counts.rows.len; i++) {
        int32_t day = job->counts.rows.at[i].day;
        if (day < job->outcome.first_day)
            job->outcome.first_day = day;
        if (day > job->outcome.last_day)
            job->outcome.last_day = day;
    }
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    struct job job = {.cli = cli, .o = cli->options, .path = cli->words[0]};
    job.counts.arena = cli->arena;
    enum fg_status st = read_table(&job, err);
    if (st)
        return st;
    job.crawl = fg_store_writer(fg_cli_store_path(cli));
    struct fg_store *store;
    /* Counts may be the first thing that is put into a workspace. */
    st = fg_cli_store(cli, job.crawl >= 0, &store, err);
    if (st)
        return st;
    st = import(&job, store, err);
    enum fg_status closed = fg_store_close(store, st ? NULL : err);
    st = st ? st : closed;
    count_added_as_known(&job);
    if (!st && job.o->json)
        tell_json(&job);
    else if (!st)
        tell(&job);
    return st;
}

static const struct fg_example counts_examples[] = {
    {"printf 'url,day,clicks,impressions\\nhttps://shop.example/1,2026-11-15,3,120\\n' "
     "| forage import counts - --add",
     "one page, kept fresh from now on"},
    {"printf 'day;url;clicks\\n2026-11-15;https://shop.example/1;4\\n' | forage import "
     "counts - --json",
     "clicks alone, for a script"},
    {0},
};

static const struct fg_command counts_command = {
    .name = "import counts",
    .words = "FILE",
    .summary = "clicks and impressions of pages by day, which say how much each matters",
    .about =
        "Reads a CSV file (or a gzipped one; - is standard input) whose first line "
        "names its columns: url, day (such as 2026-11-15), and clicks or "
        "impressions or both; others are ignored. Later counts of a page and day "
        "replace earlier ones. If a row is wrong, each such row is named and nothing "
        "is imported. A workspace that is not there is made. Counts of addresses that "
        "are not known here wait until a crawl finds them, unless --add is given, "
        "which adds them. While a crawl runs on the workspace the counts "
        "are handed to it. The last 60 days are kept; refresh policies weigh pages "
        "by them, and forecasts are trained from them (forage predict stats).",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace operator.contact operator.name canonical",
    .examples = counts_examples,
    .run = run,
};

extern const struct fg_command fg_cmd_import_opml, fg_cmd_import_changedetection,
    fg_cmd_import_urlwatch, fg_cmd_import_seeds, fg_cmd_import_queries,
    fg_cmd_import_captures, fg_cmd_import_feedback;

static const struct fg_command *const parts[] = {
    &fg_cmd_import_opml,
    &fg_cmd_import_changedetection,
    &fg_cmd_import_urlwatch,
    &fg_cmd_import_seeds,
    &counts_command,
    &fg_cmd_import_queries,
    &fg_cmd_import_captures,
    &fg_cmd_import_feedback,
    NULL,
};

static const struct fg_example examples[] = {
    {"forage import opml --help", "the feeds of a feed reader"},
    {"forage import counts --help", "clicks and impressions"},
    {"forage import queries --help", "what people search for"},
    {"forage import captures --help", "what archives saw"},
    {0},
};

const struct fg_command fg_cmd_import = {
    .name = "import",
    .words = "WHAT ...",
    .summary = "take in what other programs watch, and what others know of the pages",
    .about = "Takes in lists of what other programs watch: OPML of feed readers, the "
             "watches of changedetection.io, the jobs of urlwatch, seeds of Nutch; and "
             "what is known of pages elsewhere: 'counts' is how often people saw and "
             "clicked each page on each day, 'queries' what they search for, 'captures' "
             "when archives saw a page and whether it had changed.",
    .examples = examples,
    .parts = parts,
};
