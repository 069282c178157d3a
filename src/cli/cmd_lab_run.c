/* cmd_lab_run.c - forage lab run: an experiment, its table and its reports */
#include "base/file.h"
#include "cli/labs.h"
#include "cli/stop.h"
#include "lab/jobs.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REPORT_MOST = 1 << 30 };

struct options {
    struct fg_str json, html;
    int64_t seeds, threads, sites;
    bool resume;
};

static const struct fg_opt options[] = {
    {"json", FG_STRING(struct options, json), .letter = 'j', .arg = "FILE",
     .help = "write the figures there; '-' prints them in place of the table"},
    {"html", FG_STRING(struct options, html), .arg = "FILE",
     .help = "write a report with charts there, in one file"},
    {"seeds", FG_INT(struct options, seeds), "0", .max = 1000,
     .help = "runs of each policy on each site that are averaged; 0: as the "
             "experiment says"},
    {"sites", FG_INT(struct options, sites), "0", .max = 1e6,
     .help = "use only so many sites of each workload; 0: all"},
    {"threads", FG_INT(struct options, threads), "0", .max = 256,
     .help = "run so many jobs at once; 0: one a core"},
    {"resume", FG_BOOL(struct options, resume),
     .help = "go on with a run that was stopped"},
    {0},
};

/* --- while it runs --- */

struct show {
    const char *name;
    bool is_on, is_line; /* a line now and then, where there is no terminal */
    fg_time told;
};

static bool on_progress(void *context, size_t done, size_t total, double seconds)
{
    struct show *show = context;
    fg_time now = fg_time_monotonic();
    char left[FG_SPAN_TEXT];
    if (show->is_on &&
        now - show->told > (show->is_line ? 10 * FG_SECOND : FG_SECOND / 4)) {
        show->told = now;
        fprintf(stderr, "%s%s: %zu of %zu jobs", show->is_line ? "" : "\r\033[K",
                show->name, done, total);
        if (seconds >= 0)
            fprintf(stderr, ", %s left",
                    fg_span_format(left, (fg_time)(seconds + 1) * FG_SECOND));
        if (show->is_line)
            fputc('\n', stderr);
    }
    return !fg_stop_is_wanted();
}

/* --- what comes of it --- */

static size_t terminal_width(void)
{
    struct winsize size = {0};
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
        size.ws_col >= 60)
        return size.ws_col;
    return 120;
}

/* With several experiments, or a folder in place of a file, each has a file there. */
static const char *report_path(struct fg_cli *cli, struct fg_str given, const char *name,
                               const char *end)
{
    struct stat is;
    if (!given.len || fg_str_eq(given, FG_STR("-")))
        return NULL;
    bool is_folder = stat(given.at, &is) == 0 && S_ISDIR(is.st_mode);
    if (!is_folder && cli->n_words == 1)
        return given.at;
    return fg_arena_printf(cli->arena, "%s/%s%s", given.at, name, end).at;
}

static enum fg_status write_report(const struct fg_result *result, const char *path,
                                   void (*tell)(const struct fg_result *,
                                                struct fg_buf *),
                                   struct fg_err *err)
{
    struct fg_buf text;
    if (!path)
        return FG_OK;
    fg_buf_init(&text, REPORT_MOST);
    tell(result, &text);
    enum fg_status st =
        text.full ? fg_fail(err, FG_ELIMIT, "'%s' would be over a gigabyte", path)
                  : fg_file_replace(path, fg_buf_str(&text), err);
    fg_buf_clear(&text);
    return st;
}

static void print(struct fg_cli *cli, const struct fg_result *result)
{
    const struct options *o = cli->options;
    struct fg_buf text;
    fg_buf_init(&text, REPORT_MOST);
    if (fg_str_eq(o->json, FG_STR("-")))
        fg_result_json(result, &text);
    else
        fg_result_table(result, terminal_width(), &text);
    for (size_t at = 0; at < text.len; at += 1 << 16) {
        fg_buf_add(&cli->out.buf, fg_str_sub(fg_buf_str(&text), at, at + (1 << 16)));
        fg_out_flush(&cli->out);
    }
    fg_buf_clear(&text);
}

static enum fg_status tell(struct fg_cli *cli, struct fg_result *result,
                           struct fg_err *err)
{
    const struct options *o = cli->options;
    result->command =
        fg_arena_printf(&result->arena, "forage lab run %s", result->name).at;
    print(cli, result);
    const char *json = report_path(cli, o->json, result->name, ".json");
    const char *html = report_path(cli, o->html, result->name, ".html");
    enum fg_status st = write_report(result, json, fg_result_json, err);
    return st ? st : write_report(result, html, fg_result_html, err);
}

/* Beside the report that will be written, or else where we stand. */
static const char *journal_path(struct fg_cli *cli, const char *name)
{
    const struct options *o = cli->options;
    const char *beside = report_path(cli, o->json, name, ".json");
    if (!beside)
        beside = report_path(cli, o->html, name, ".html");
    return fg_arena_printf(cli->arena, "%s.journal", beside ? beside : name).at;
}

static enum fg_status make_report_folders(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_str given[] = {o->json, o->html};
    for (size_t i = 0; cli->n_words > 1 && i < 2; i++) {
        struct stat is;
        bool is_file = given[i].len && !fg_str_eq(given[i], FG_STR("-"));
        if (is_file && (stat(given[i].at, &is) == 0 ? !S_ISDIR(is.st_mode)
                                                    : mkdir(given[i].at, 0777) != 0))
            return fg_fail(err, FG_ECONFIG,
                           "'%s' is to hold a file for each experiment, and is no folder",
                           given[i].at);
    }
    return FG_OK;
}

/* --- running --- */

static void say_resumed(const char *name, const char *journal, const struct fg_jobs *jobs)
{
    struct fg_jobs_count count = fg_jobs_count(jobs);
    if (count.resumed)
        fprintf(stderr, "%s: %zu of %zu jobs were done before\n", name, count.resumed,
                count.total);
    else if (count.is_refused)
        fprintf(stderr,
                "%s: cannot resume: '%s' is of another experiment, other data or another "
                "build of forage; all jobs are run\n",
                name, journal);
}

static enum fg_status run_jobs(struct fg_cli *cli, struct fg_jobs *jobs,
                               struct show *show, struct fg_err *err)
{
    fg_time began = fg_time_monotonic();
    enum fg_status st = fg_jobs_run(jobs, err);
    struct fg_jobs_count count = fg_jobs_count(jobs);
    if (show->is_on && !show->is_line)
        fprintf(stderr, "\r\033[K");
    if (!st && count.left) {
        fprintf(stderr, "%s: stopped with %zu of %zu jobs to do; --resume goes on\n",
                show->name, count.left, count.total);
        cli->exit = FG_EXIT_INTERRUPTED;
        return FG_OK;
    }
    if (st)
        return st;
    struct fg_result *result = fg_jobs_result(jobs);
    result->seconds = fg_seconds(fg_time_monotonic() - began);
    st = tell(cli, result, err);
    fg_result_free(result);
    if (!st)
        fg_jobs_finish(jobs);
    return st;
}

static struct fg_jobs_options job_options(struct fg_cli *cli, struct show *show)
{
    const struct options *o = cli->options;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return (struct fg_jobs_options){
        .data = fg_lab_data(),
        .threads = o->threads  ? (size_t)o->threads
                   : cores > 0 ? (size_t)cores
                               : 1,
        .seeds = (size_t)o->seeds,
        .sites = (size_t)o->sites,
        .journal = journal_path(cli, show->name),
        .resume = o->resume,
        .stamp = fg_lab_stamp(),
        .progress = on_progress,
        .context = show,
    };
}

static enum fg_status run_one(struct fg_cli *cli, const struct fg_experiment *experiment,
                              struct fg_err *err)
{
    struct show show = {.name = experiment->name,
                        .is_on = !cli->common.quiet,
                        .is_line = !isatty(STDERR_FILENO),
                        .told = fg_time_monotonic()};
    struct fg_jobs_options wanted = job_options(cli, &show);
    struct fg_jobs *jobs;
    enum fg_status st = fg_jobs_new(&jobs, experiment, &wanted, err);
    if (st)
        return st;
    if (!cli->common.quiet)
        say_resumed(show.name, wanted.journal, jobs);
    st = run_jobs(cli, jobs, &show, err);
    fg_jobs_free(jobs);
    return st;
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    struct fg_experiment *experiments =
        FG_NEW(cli->arena, struct fg_experiment, cli->n_words);
    enum fg_status st = make_report_folders(cli, err);
    for (size_t i = 0; !st && i < cli->n_words; i++) /* all mistakes before any work */
        st = fg_lab_experiment(cli, cli->words[i], &experiments[i], err);
    fg_stop_on_signals();
    for (size_t i = 0; !st && !fg_stop_is_wanted() && i < cli->n_words; i++) {
        fg_out_puts(&cli->out, i ? "\n" : "");
        st = run_one(cli, &experiments[i], err);
    }
    return st;
}

static const struct fg_example examples[] = {
    {"forage lab run quick", "a small experiment, in seconds"},
    {"forage lab run quick --json quick.json --html quick.html",
     "with figures for programs and a page with charts"},
    {"forage lab run quick --sites 2 --seeds 3 --json -", "fewer sites, more runs"},
    {0},
};

const struct fg_command fg_cmd_lab_run = {
    .name = "lab run",
    .words = "EXPERIMENT...",
    .summary = "run experiments and show what came of them",
    .about = "EXPERIMENT is a file in YAML, or the name of one that 'forage lab list' "
             "shows. Prints a table with 95 % intervals and the published numbers beside "
             "ours. With several experiments, --json and --html name folders. What is "
             "done is kept in a journal beside the report until all is done: a run that "
             "was stopped, or killed, goes on with --resume.",
    .min_words = 1,
    .max_words = 100,
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
