/* cmd_lab_run.c - forage lab run: an experiment, its table and its reports */
#include "base/file.h"
#include "cli/lab/labs.h"
#include "cli/lab/papers.h"
#include "cli/stop.h"
#include "lab/experiment_kind.h"
#include "lab/jobs.h"
#include "policy/policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REPORT_MOST = 1 << 30 };

struct options {
    struct fg_str json, html, part, only;
    struct fg_opt_list plugins;
    int64_t seeds, threads, sites;
    bool resume, is_short, is_full;
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
    {"only", FG_STRING(struct options, only), .arg = "WORKLOAD",
     .help = "run only the workload of that name"},
    {"short", FG_BOOL(struct options, is_short),
     .help = "cut each experiment as its 'short' says; 'papers' is short anyway"},
    {"full", FG_BOOL(struct options, is_full), .help = "do not cut those of 'papers'"},
    {"threads", FG_INT(struct options, threads), "0", .max = 256,
     .help = "run so many jobs at once; 0: one a core"},
    {"plugin", FG_LIST(struct options, plugins), .arg = "FILE,...",
     .help = "run the policies of these shared objects as well (forage_plugin.h)"},
    {"part", FG_STRING(struct options, part), .arg = "I/N",
     .help = "run the I-th of N parts and leave its journal for 'forage lab merge'"},
    {"resume", FG_BOOL(struct options, resume),
     .help = "go on with a run that was stopped"},
    {0},
};

/* --- while it runs --- */

struct show {
    const char *name;
    bool is_on, is_line; /* a line now and then, where there is no terminal */
    fg_time told;
    struct fg_paper_state *state; /* of a paper's experiment; or NULL */
    const char *part, *journal;   /* where it is a part */
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

static void add_word(struct fg_buf *out, const char *flag, struct fg_str value)
{
    if (value.len)
        fg_buf_printf(out, " %s %.*s", flag, FG_ARG(value));
}

static void add_number(struct fg_buf *out, const char *flag, int64_t value)
{
    if (value)
        fg_buf_printf(out, " %s %lld", flag, (long long)value);
}

/* What gives these figures again: threads and whether it was resumed make no difference.
 */
static const char *command_of(struct fg_cli *cli, const char *word,
                              struct fg_arena *arena)
{
    const struct options *o = cli->options;
    struct fg_buf text;
    fg_buf_init(&text, 1 << 16);
    fg_buf_printf(&text, "forage lab run %s", word);
    bool is_papers = strcmp(word, FG_PAPERS) == 0;
    if (is_papers ? o->is_full : o->is_short)
        fg_buf_printf(&text, " %s", is_papers ? "--full" : "--short");
    if (o->only.len)
        fg_buf_printf(&text, " --only '%.*s'", FG_ARG(o->only));
    add_number(&text, "--seeds", o->seeds);
    add_number(&text, "--sites", o->sites);
    for (size_t i = 0; i < o->plugins.len; i++)
        add_word(&text, "--plugin", o->plugins.at[i]);
    add_word(&text, "--json", o->json);
    add_word(&text, "--html", o->html);
    const char *command = fg_arena_cstr(arena, fg_buf_str(&text));
    fg_buf_clear(&text);
    return command;
}

static enum fg_status tell(struct fg_cli *cli, const char *word, struct fg_result *result,
                           struct fg_err *err)
{
    const struct options *o = cli->options;
    result->command = command_of(cli, word, &result->arena);
    print(cli, result);
    const char *json = report_path(cli, o->json, result->name, ".json");
    const char *html = report_path(cli, o->html, result->name, ".html");
    enum fg_status st = write_report(result, json, fg_result_json, err);
    return st ? st : write_report(result, html, fg_result_html, err);
}

/* "2/3"; no parts for no text. */
static bool read_part(struct fg_str text, size_t *part, size_t *parts)
{
    struct fg_str first;
    uint64_t i = 0, n = 0;
    bool is_good =
        !text.len || (fg_str_cut(&text, '/', &first) && fg_str_to_u64(first, &i) &&
                      fg_str_to_u64(text, &n) && i >= 1 && i <= n && n <= 10000);
    *part = (size_t)i;
    *parts = (size_t)n;
    return is_good;
}

/* Beside the report that will be written, or else where we stand. */
static const char *journal_path(struct fg_cli *cli, const char *name)
{
    const struct options *o = cli->options;
    const char *beside = report_path(cli, o->json, name, ".json");
    if (!beside)
        beside = report_path(cli, o->html, name, ".html");
    size_t part, parts;
    if (read_part(o->part, &part, &parts) && parts)
        return fg_arena_printf(cli->arena, "%s-%zu-of-%zu.journal",
                               beside ? beside : name, part, parts)
            .at;
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
            return fg_fail(
                err, FG_ECONFIG,
                "'%s' must be a folder, since it gets a file for each experiment",
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
                               struct show *show, const char *word, struct fg_err *err)
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
    if (count.elsewhere || show->journal) {
        fg_out_printf(&cli->out, "%s: part %s is done, %zu of %zu jobs, in %s\n",
                      show->name, show->part, count.total - count.elsewhere, count.total,
                      show->journal);
        return FG_OK;
    }
    struct fg_result *result = fg_jobs_result(jobs);
    result->seconds = fg_seconds(fg_time_monotonic() - began);
    st = tell(cli, word, result, err);
    if (!st && show->state)
        *show->state = fg_paper_state_of(result, cli->arena);
    fg_result_free(result);
    if (!st && !show->state) /* papers keep theirs until all are done */
        fg_jobs_finish(jobs);
    return st;
}

static uint64_t stamp_of(struct fg_cli *cli)
{
    const struct options *o = cli->options;
    uint64_t stamp = fg_lab_stamp("/proc/self/exe");
    for (size_t i = 0; i < o->plugins.len; i++)
        stamp = stamp * 31 + fg_lab_stamp(fg_arena_cstr(cli->arena, o->plugins.at[i]));
    return stamp;
}

static struct fg_jobs_options job_options(struct fg_cli *cli, struct show *show,
                                          const struct fg_experiment *experiment)
{
    const struct options *o = cli->options;
    size_t most = experiment->shortening.is_on ? experiment->shortening.sites : 0;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t part, parts;
    read_part(o->part, &part, &parts);
    return (struct fg_jobs_options){
        .part = part,
        .parts = parts,
        .data = fg_lab_data(),
        .threads = o->threads  ? (size_t)o->threads
                   : cores > 0 ? (size_t)cores
                               : 1,
        .seeds = (size_t)o->seeds,
        .sites = o->sites ? (size_t)o->sites : most,
        .journal = journal_path(cli, show->name),
        .resume = o->resume,
        .stamp = stamp_of(cli),
        .progress = on_progress,
        .context = show,
    };
}

/* A paper's experiment has a state; others have none. */
static enum fg_status run_one(struct fg_cli *cli, const char *word,
                              const struct fg_experiment *experiment,
                              struct fg_paper_state *state, struct fg_err *err)
{
    struct show show = {.name = experiment->name,
                        .is_on = !cli->common.quiet,
                        .is_line = !isatty(STDERR_FILENO),
                        .state = state,
                        .told = fg_time_monotonic()};
    struct fg_jobs_options wanted = job_options(cli, &show, experiment);
    struct fg_jobs *jobs;
    enum fg_status st = fg_jobs_new(&jobs, experiment, &wanted, err);
    if (st)
        return st;
    if (wanted.parts) {
        show.part = ((const struct options *)cli->options)->part.at;
        show.journal = wanted.journal;
    }
    if (!cli->common.quiet)
        say_resumed(show.name, wanted.journal, jobs);
    st = run_jobs(cli, jobs, &show, word, err);
    fg_jobs_free(jobs);
    return st;
}

/* --- the experiments of all papers --- */

/* In place of the one word that stands for them; where nothing is said their reports go
 * to a folder of that name. True if it was said. */
static bool expand_papers(struct fg_cli *cli, struct options *o, struct fg_err *err)
{
    size_t n = 0;
    if (cli->n_words != 1 || strcmp(cli->words[0], FG_PAPERS) != 0)
        return false;
    if (!o->html.len)
        o->html = o->json.len ? o->json : FG_STR(FG_PAPERS);
    if (!o->json.len)
        o->json = o->html;
    if (fg_str_eq(o->html, FG_STR("-")) || fg_str_eq(o->json, FG_STR("-")))
        fg_fail(err, FG_ECONFIG, "the reports of the papers go to folders");
    while (fg_paper_experiments[n].name)
        n++;
    cli->words = FG_NEW(cli->arena, const char *, n);
    cli->n_words = n;
    for (size_t i = 0; i < n; i++)
        cli->words[i] = fg_paper_experiments[i].name;
    o->is_short = !o->is_full;
    return true;
}

static enum fg_status tell_papers(struct fg_cli *cli, const struct fg_paper_state *states,
                                  struct fg_err *err)
{
    const struct options *o = cli->options;
    bool is_beside = fg_str_eq(o->json, o->html);
    char *figures = is_beside ? NULL : realpath(o->json.at, NULL);
    enum fg_status st = fg_papers_page(o->html.at, figures ? figures : ".", states,
                                       command_of(cli, FG_PAPERS, cli->arena), err);
    free(figures);
    return st;
}

/* One that cannot be run holds up none of the others; its trouble is the last word. */
static enum fg_status run_papers(struct fg_cli *cli, const struct fg_experiment *each,
                                 struct fg_err *err)
{
    struct fg_paper_state *states =
        FG_NEW(cli->arena, struct fg_paper_state, cli->n_words);
    struct fg_err trouble = {0};
    enum fg_status st = tell_papers(cli, states, err);
    for (size_t i = 0; !st && !fg_stop_is_wanted() && i < cli->n_words; i++) {
        struct fg_err own = {0};
        if (!cli->common.quiet)
            fprintf(stderr, "%s: experiment %zu of %zu\n", each[i].name, i + 1,
                    cli->n_words);
        fg_out_puts(&cli->out, i ? "\n" : "");
        if (run_one(cli, cli->words[i], &each[i], &states[i], &own)) {
            states[i].is = FG_PAPER_FAILED;
            states[i].trouble = fg_arena_cstr(cli->arena, fg_str_from(own.text));
            fprintf(stderr, "%s: %s\n", each[i].name, own.text);
            trouble = own;
        }
        st = tell_papers(cli, states, err);
    }
    for (size_t i = 0; !st && !trouble.status && i < cli->n_words; i++)
        if (states[i].is != FG_PAPER_DONE)
            return FG_OK; /* stopped: the journals are wanted again */
    if (!st && trouble.status)
        return fg_fail(err, trouble.status, "%s", trouble.text);
    for (size_t i = 0; !st && i < cli->n_words; i++)
        unlink(journal_path(cli, each[i].name));
    return st;
}

static bool takes_part(const struct fg_experiment *experiment, const char *policy)
{
    for (size_t i = 0; i < experiment->n_entrants; i++)
        if (strcmp(experiment->entrants[i].policy, policy) == 0)
            return true;
    return false;
}

static void add_label(struct fg_cli *cli, struct fg_workload *workload, const char *label)
{
    size_t n = workload->n_policies;
    const char **labels = FG_NEW(cli->arena, const char *, n + 1);
    memcpy(labels, workload->policies, n * sizeof *labels);
    labels[n] = label;
    workload->policies = labels;
    workload->n_policies = n + 1;
}

static const char *task_text(unsigned tasks)
{
    return tasks & FG_DISCOVERY ? "FORAGE_DISCOVERY (new pages found early)"
                                : "FORAGE_REFRESH (copies kept fresh)";
}

/* Why a policy from outside cannot take part in an experiment; NULL if it can. */
static const char *why_not(struct fg_cli *cli, const struct fg_experiment *experiment,
                           const struct fg_policy *policy)
{
    unsigned task = experiment->kind->task;
    if (experiment->kind->check || !(task & (FG_DISCOVERY | FG_REFRESH)))
        return fg_arena_printf(cli->arena,
                               "policy '%s' takes no part in '%s': experiments of kind "
                               "'%s' run no plugins",
                               policy->name, experiment->name, experiment->kind->name)
            .at;
    if (policy->tasks & task)
        return NULL;
    return fg_arena_printf(cli->arena,
                           "policy '%s' takes no part in '%s': its task is %s, that of "
                           "the experiment is %s",
                           policy->name, experiment->name, task_text(policy->tasks),
                           task_text(task))
        .at;
}

/* A policy from outside takes part in every experiment of its task, named there or not.
 */
static void add_entrant(struct fg_cli *cli, struct fg_experiment *experiment,
                        const struct fg_policy *policy)
{
    size_t n = experiment->n_entrants;
    if (takes_part(experiment, policy->name))
        return;
    struct fg_entrant *entrants = FG_NEW(cli->arena, struct fg_entrant, n + 1);
    memcpy(entrants, experiment->entrants, n * sizeof *entrants);
    entrants[n] = (struct fg_entrant){.policy = policy->name, .label = policy->name};
    experiment->entrants = entrants;
    experiment->n_entrants = n + 1;
    for (size_t i = 0; i < experiment->n_workloads; i++)
        if (experiment->workloads[i].n_policies)
            add_label(cli, &experiment->workloads[i], policy->name);
}

static enum fg_status load_plugins(struct fg_cli *cli, const struct fg_policy **policies,
                                   struct fg_err *err)
{
    const struct options *o = cli->options;
    for (size_t i = 0; i < o->plugins.len; i++) {
        policies[i] = fg_lab_plugin(fg_arena_cstr(cli->arena, o->plugins.at[i]), err);
        if (!policies[i])
            return err->status;
    }
    return FG_OK;
}

/* Into all experiments it fits. It is a mistake if there is none, and is said of those it
 * does not fit otherwise. */
static enum fg_status add_plugin(struct fg_cli *cli, struct fg_experiment *experiments,
                                 const struct fg_policy *policy, struct fg_err *err)
{
    const char **why = FG_NEW(cli->arena, const char *, cli->n_words);
    size_t fits = 0;
    for (size_t i = 0; i < cli->n_words; i++) {
        why[i] = why_not(cli, &experiments[i], policy);
        fits += !why[i];
        if (!why[i])
            add_entrant(cli, &experiments[i], policy);
    }
    if (!fits)
        return fg_fail(err, FG_ECONFIG, "%s", why[0]);
    for (size_t i = 0; i < cli->n_words && !cli->common.quiet; i++)
        if (why[i])
            fprintf(stderr, "%s\n", why[i]);
    return FG_OK;
}

/* All mistakes are found before any work. */
static enum fg_status read_all(struct fg_cli *cli, struct fg_experiment *experiments,
                               struct fg_err *err)
{
    const struct options *o = cli->options;
    const struct fg_policy **plugins =
        FG_NEW(cli->arena, const struct fg_policy *, o->plugins.len + 1);
    enum fg_status st = make_report_folders(cli, err);
    if (!st)
        st = load_plugins(cli, plugins, err);
    for (size_t i = 0; !st && i < cli->n_words; i++)
        st = fg_lab_experiment(cli, cli->words[i], &experiments[i], err);
    for (size_t i = 0; !st && o->only.len && i < cli->n_words; i++)
        st = fg_experiment_only(&experiments[i], o->only.at, err);
    for (size_t i = 0; !st && o->is_short && i < cli->n_words; i++)
        fg_experiment_shorten(&experiments[i]);
    for (size_t i = 0; !st && i < o->plugins.len; i++)
        st = add_plugin(cli, experiments, plugins[i], err);
    return st;
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    struct options o = *(const struct options *)cli->options;
    cli->options = &o;
    bool is_papers = expand_papers(cli, &o, err);
    struct fg_experiment *experiments =
        FG_NEW(cli->arena, struct fg_experiment, cli->n_words);
    size_t part, parts;
    if (!err->status && !read_part(o.part, &part, &parts))
        fg_fail(err, FG_ECONFIG, "--part is I/N, such as 1/3, not '%s'", o.part.at);
    if (!err->status && o.is_full && !is_papers)
        fg_fail(err, FG_ECONFIG, "--full is for 'papers'; others are run in full anyway");
    if (!err->status && is_papers && o.only.len)
        fg_fail(err, FG_ECONFIG, "--only is for one experiment, not for all papers");
    if (!err->status && is_papers && parts)
        fg_fail(err, FG_ECONFIG, "parts are of one experiment, not of all papers");
    enum fg_status st = err->status ? err->status : read_all(cli, experiments, err);
    fg_stop_on_signals();
    if (is_papers)
        return st ? st : run_papers(cli, experiments, err);
    for (size_t i = 0; !st && !fg_stop_is_wanted() && i < cli->n_words; i++) {
        fg_out_puts(&cli->out, i ? "\n" : "");
        st = run_one(cli, cli->words[i], &experiments[i], NULL, err);
    }
    return st;
}

static const struct fg_example examples[] = {
    {"forage lab run quick", "a small experiment, in seconds"},
    {"forage lab run quick --json quick.json --html quick.html",
     "with figures for programs and a page with charts"},
    {"forage lab run kab-readings --only 'offers of two rates'",
     "one workload: the uniform row of a published table"},
    {"forage lab run quick --sites 2 --seeds 3 --json -", "fewer sites, more runs"},
    {0},
};

const struct fg_command fg_cmd_lab_run = {
    .name = "lab run",
    .words = "EXPERIMENT...",
    .summary = "run experiments and show what came of them",
    .about =
        "EXPERIMENT is a file in YAML, or the name of one that 'forage lab list' "
        "shows; the word 'papers' stands for those of all papers, each in a short form "
        "unless --full is given, with a page that leads to their reports. Prints a table "
        "with 95 % intervals and the published numbers beside ours. With several "
        "experiments, --json and --html name folders. What is "
        "done is kept in a journal beside the report until all is done: a run that "
        "was stopped, or killed, goes on with --resume.",
    .min_words = 1,
    .max_words = 100,
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
