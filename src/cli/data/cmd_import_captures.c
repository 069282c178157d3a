/* cmd_import_captures.c - forage import captures: what archives saw of the pages
 *
 * The whole file is read and checked before anything is written. The policies learn anew
 * from the log, so that no crawl may run meanwhile. */
#include "base/file.h"
#include "cli/crawling.h"
#include "crawl/archive/captures.h"
#include "crawl/sources/naming.h"

#include <inttypes.h>
#include <stdio.h>

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
    struct fg_crawl_options crawl;
    struct fg_captures captures;
    struct fg_captures_outcome outcome;
    struct fg_guard guard;
    FG_VEC(struct fg_seed_line) missing;
    size_t out_of_scope;
};

static void complain(void *context, size_t line, const char *why)
{
    enum { MOST_COMPLAINTS = 20 };
    const struct job *job = context;
    if (job->captures.wrong <= MOST_COMPLAINTS)
        fg_cli_complain(job->cli, fg_file_name(job->path), line, why);
}

static enum fg_status read_captures(struct job *job, struct fg_err *err)
{
    struct fg_str text;
    enum fg_status st = fg_cli_unpacked(job->cli, job->path, &text, err);
    if (st)
        return st;
    struct fg_err why = {0};
    st = fg_captures_read(&job->captures, text, complain, job, &why);
    if (st)
        return fg_fail(err, st, "'%s': %s", fg_file_name(job->path), why.text);
    if (job->captures.wrong)
        return fg_fail(err, FG_EINPUT, "%zu %s wrong; nothing was imported",
                       job->captures.wrong,
                       job->captures.wrong == 1 ? "line is" : "lines are");
    return FG_OK;
}

/* --- pages to be kept fresh --- */

static void add_document(void *context, struct fg_str url)
{
    struct job *job = context;
    if (fg_guard_check(&job->guard, url, 0, 0) != FG_GUARD_OK) {
        job->out_of_scope++;
        return;
    }
    fg_vec_push_in(job->cli->arena, &job->missing,
                   (struct fg_seed_line){
                       .url = url, .seed = {.is_document = true, .is_page_only = true}});
}

static enum fg_status add_missing(struct job *job, struct fg_store *store,
                                  struct fg_err *err)
{
    struct fg_enlisted made;
    fg_guard_init(&job->guard, &job->crawl.guard);
    enum fg_status st =
        fg_captures_missing(store, &job->captures, add_document, job, err);
    if (!st && job->missing.len)
        st = fg_enlist(&made, store, &job->crawl, job->missing.at, job->missing.len, err);
    return st;
}

static enum fg_status import(struct job *job, struct fg_store *store, struct fg_err *err)
{
    unsigned keep = job->crawl.naming.keep;
    enum fg_status st = fg_naming_read(&keep, store, keep, err);
    if (st)
        return st;
    fg_captures_name(&job->captures, keep);
    if (job->o->add)
        st = add_missing(job, store, err);
    return st ? st : fg_captures_put(&job->outcome, store, &job->captures, err);
}

/* --- telling --- */

static void tell_json(const struct job *job)
{
    const struct fg_captures_outcome *made = &job->outcome;
    struct fg_json json = fg_json_to(&job->cli->out.buf);
    fg_json_object(&json);
    fg_json_pair_uint(&json, "captures", made->captures);
    fg_json_pair_uint(&json, "new", made->fresh);
    fg_json_pair_uint(&json, "changes", made->changes);
    fg_json_pair_uint(&json, "pages", made->pages);
    fg_json_pair_uint(&json, "added", job->missing.len);
    fg_json_pair_uint(&json, "unknown", made->unknown);
    fg_json_pair_uint(&json, "unlearned", made->unlearned);
    fg_json_pair_uint(&json, "out_of_scope", job->out_of_scope);
    fg_json_pair_uint(&json, "passed_over", job->captures.passed_over);
    fg_json_pair_time(&json, "first", made->captures ? made->first : FG_NEVER);
    fg_json_pair_time(&json, "last", made->captures ? made->last : FG_NEVER);
    fg_json_end(&json);
    fg_out_puts(&job->cli->out, "\n");
}

static void tell_rest(const struct job *job)
{
    struct fg_out *out = &job->cli->out;
    const struct fg_captures_outcome *made = &job->outcome;
    if (job->captures.passed_over)
        fg_out_printf(out,
                      "%zu %s passed over: redirects, no digest, or no web address\n",
                      job->captures.passed_over,
                      job->captures.passed_over == 1 ? "line was" : "lines were");
    if (job->out_of_scope)
        fg_out_printf(out, "%zu %s not added, by the rules of the crawl\n",
                      job->out_of_scope,
                      job->out_of_scope == 1 ? "address was" : "addresses were");
    if (made->unknown) {
        fg_out_printf(out, "%zu %s not known here and left out, such as ", made->unknown,
                      made->unknown == 1 ? "address is" : "addresses are");
        fg_out_text(out, made->an_unknown_one);
        fg_out_puts(out, job->o->add ? "\n" : "; --add keeps them fresh\n");
    }
    if (made->unlearned)
        fg_out_printf(out, "%zu %s neither a source nor kept fresh; --add changes that\n",
                      made->unlearned, made->unlearned == 1 ? "page is" : "pages are");
}

static void tell(const struct job *job)
{
    struct fg_out *out = &job->cli->out;
    const struct fg_captures_outcome *made = &job->outcome;
    char first[FG_TIME_TEXT], last[FG_TIME_TEXT];
    if (made->captures)
        fg_out_printf(out,
                      "%zu %s of %zu %s, from %.10s to %.10s: %zu found a change, %zu "
                      "were not known yet\n",
                      made->captures, made->captures == 1 ? "capture" : "captures",
                      made->pages, made->pages == 1 ? "page" : "pages",
                      fg_time_format(first, made->first),
                      fg_time_format(last, made->last), made->changes, made->fresh);
    else
        fg_out_puts(out, "no captures of pages that are known here\n");
    if (job->missing.len)
        fg_out_printf(out, "%zu %s now kept fresh\n", job->missing.len,
                      job->missing.len == 1 ? "more page is" : "more pages are");
    tell_rest(job);
}

static enum fg_status check_idle(struct job *job, struct fg_err *err)
{
    int64_t crawl = fg_store_writer(fg_cli_store_path(job->cli));
    if (crawl < 0)
        return FG_OK;
    return fg_fail(err, FG_ECONFIG,
                   "a crawl runs on this workspace (process %" PRId64
                   "); stop it first: policies learn from captures when they start",
                   crawl);
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    struct job job = {.cli = cli,
                      .o = cli->options,
                      .path = cli->words[0],
                      .crawl = cli->settings.crawl};
    struct fg_store *store;
    job.captures.arena = cli->arena;
    job.captures.now = fg_clock_now(&job.crawl.clock);
    enum fg_status st = read_captures(&job, err);
    if (!st)
        st = check_idle(&job, err);
    if (!st && !job.o->add) { /* there must be a store to write to */
        st = fg_cli_store(cli, true, &store, err);
        if (!st)
            fg_store_close(store, NULL);
    }
    if (!st)
        st = fg_cli_store(cli, false, &store, err);
    if (st)
        return st;
    st = import(&job, store, err);
    enum fg_status closed = fg_store_close(store, st ? NULL : err);
    st = st ? st : closed;
    if (!st && job.o->json)
        tell_json(&job);
    else if (!st)
        tell(&job);
    return st;
}

static const struct fg_example examples[] = {
    {"printf 'org,example)/ 20260101000000 {\"url\":\"https://example.org/\","
     "\"status\":\"200\",\"digest\":\"A\"}\\n' | forage import captures - --add",
     "one capture of a page, kept fresh from now on"},
    {"printf 'org,example)/ 20260102000000 https://example.org/ text/html 200 B 612\\n' "
     "| "
     "forage import captures - --json",
     "the columns that public archives hand out, for a script"},
    {0},
};

const struct fg_command fg_cmd_import_captures = {
    .name = "import captures",
    .words = "FILE",
    .summary = "what archives saw of pages and when, for the policies to start from",
    .about =
        "Reads the index of an archive, CDXJ or CDX (or a gzipped one; - is standard "
        "input). Each capture becomes a visit of its page at that time, which found a "
        "change if its digest is not that of the capture before it; of a source, a "
        "change counts as one new link. Redirects are passed over. When the crawl is "
        "next "
        "started, the policies forget what they knew and learn from all visits and "
        "captures, in order of time. Captures of addresses that are not known here are "
        "left out, and told, unless --add is given; then crawl.include and crawl.exclude "
        "hold. If a line is wrong, each such line is named and nothing is imported. "
        "Doing "
        "it again changes nothing.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace operator.contact operator.name canonical crawl.include "
                "crawl.exclude fetch.max-url clock",
    .examples = examples,
    .run = run,
};
