#include "cli/crawling.h"

#include "base/file.h"
#include "base/log.h"
#include "cli/progress.h"
#include "cli/service.h"
#include "store/lots.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *fg_cli_store_path(struct fg_cli *cli)
{
    return cli->settings.store.len ? cli->settings.store.at : cli->settings.workspace.at;
}

const char *fg_cli_inbox(struct fg_cli *cli)
{
    return fg_cli_store_path(cli);
}

enum fg_status fg_cli_store(struct fg_cli *cli, bool read_only, struct fg_store **store,
                            struct fg_err *err)
{
    const char *path = fg_cli_store_path(cli), *workspace = cli->settings.workspace.at;
    *store = NULL;
    if (read_only && !fg_store_exists(path))
        return fg_fail(
            err, FG_ENOTFOUND,
            "there is no crawl in '%s' yet; 'forage watch URL' starts one, and "
            "--workspace names another folder",
            workspace);
    if (!read_only && mkdir(workspace, 0777) != 0 && errno != EEXIST)
        return fg_fail(err, FG_EIO, "cannot make the workspace '%s': %s", workspace,
                       strerror(errno));
    struct fg_store_options options = {
        .read_only = read_only,
        .keep_bodies = cli->settings.crawl.keeping.bodies,
        .body_depth = cli->settings.crawl.keeping.body_depth,
        .value_depth = cli->settings.crawl.documents.depth,
        /* A simulated hour may be a fraction of a second. */
        .lots = cli->settings.crawl.lot.lots,
        .lot = cli->settings.crawl.lot.lot,
        .fence = cli->settings.crawl.lot.lease
                     ? fg_lease_epoch(cli->settings.crawl.lot.lease)
                     : 0,
        .flush_every = cli->settings.crawl.clock_from.speed > 1 ? 10 * FG_MILLISECOND : 0,
    };
    return fg_store_open(store, path, &options, err);
}

/* --- seeds --- */

static enum fg_status parse_line(struct fg_seed_line *made, struct fg_cli *cli,
                                 const struct fg_seeds *seeds, struct fg_str line,
                                 struct fg_err *err)
{
    *made = (struct fg_seed_line){.seed = seeds->preset};
    enum fg_status st = fg_seed_parse(&made->url, &made->seed, line, err);
    made->url = fg_seed_address(cli->arena, made->url);
    if (!st)
        st = fg_seed_check_promise(&made->seed, err);
    return st ? st : fg_seed_check_url(made->url, err);
}

static bool has_scheme(struct fg_str word)
{
    return fg_str_find(word, FG_STR(":")) != FG_NOT_FOUND;
}

static enum fg_status add_word(struct fg_seeds *seeds, struct fg_cli *cli,
                               const struct fg_crawl_options *options, struct fg_str word,
                               struct fg_err *err)
{
    struct fg_seed_line made;
    enum fg_status st = parse_line(&made, cli, seeds, word, err);
    if (st && !has_scheme(word))
        st = fg_fail(err, FG_ECONFIG,
                     "'%.*s' is neither an address, such as news.example or "
                     "https://news.example/, nor a file of addresses",
                     FG_ARG(fg_str_sub(word, 0, 200)));
    if (!st)
        st = fg_seed_check(options, made.url, err);
    if (!st)
        fg_vec_push_in(cli->arena, &seeds->lines, made);
    return st;
}

/* Somebody has to answer for the crawl: that is no fault of one line. */
static enum fg_status read_line(struct fg_seeds *seeds, struct fg_cli *cli,
                                const struct fg_crawl_options *options, const char *path,
                                size_t number, struct fg_str line, struct fg_err *err)
{
    enum { MOST_COMPLAINTS = 20 };
    struct fg_err wrong = {0};
    struct fg_seed_line made;
    if (fg_seed_is_blank(line))
        return FG_OK;
    if (parse_line(&made, cli, seeds, line, &wrong)) {
        if (seeds->wrong++ < MOST_COMPLAINTS)
            fg_cli_complain(cli, path, number, wrong.text);
        return FG_OK;
    }
    enum fg_status st = fg_seed_check(options, made.url, &wrong);
    if (st)
        return fg_fail(err, st, "%s:%zu: %s", path, number, wrong.text);
    fg_vec_push_in(cli->arena, &seeds->lines, made);
    return FG_OK;
}

static enum fg_status read_file(struct fg_seeds *seeds, struct fg_cli *cli,
                                const struct fg_crawl_options *options, const char *path,
                                struct fg_err *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    const char *name = is_stdin ? "standard input" : path;
    FILE *f = is_stdin ? stdin : fopen(path, "re");
    if (!f)
        return fg_fail(err, FG_EIO, "cannot open '%s': %s", path, strerror(errno));
    enum fg_status st = FG_OK;
    struct fg_str line;
    struct fg_err broken = {0};
    size_t number = 0;
    while (!st && fg_line_next(f, cli->arena, FG_SEED_LINE_MAX, &line, &broken))
        st = read_line(seeds, cli, options, name, ++number, line, err);
    if (!st && broken.status)
        st = fg_fail(err, broken.status, "%s:%zu: %s", name, number + 1, broken.text);
    if (!st && ferror(f))
        st = fg_fail(err, FG_EIO, "cannot read '%s': %s", name, strerror(errno));
    if (!is_stdin)
        fclose(f);
    return st;
}

/* "-" is standard input, and what names a file is one. */
static bool is_file(const char *word)
{
    struct stat info;
    return strcmp(word, "-") == 0 ||
           (!strstr(word, "://") && stat(word, &info) == 0 && S_ISREG(info.st_mode));
}

enum fg_status fg_cli_seeds(struct fg_cli *cli, struct fg_seeds *seeds,
                            struct fg_str file, bool skip_bad, struct fg_err *err)
{
    const struct fg_crawl_options *options = &cli->settings.crawl;
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < cli->n_words; i++)
        st = is_file(cli->words[i])
                 ? read_file(seeds, cli, options, cli->words[i], err)
                 : add_word(seeds, cli, options, fg_str_from(cli->words[i]), err);
    if (!st && file.len)
        st = read_file(seeds, cli, options, file.at, err);
    if (!st && seeds->wrong && !skip_bad)
        st = fg_fail(err, FG_ECONFIG, "%zu %s wrong; nothing was added", seeds->wrong,
                     seeds->wrong == 1 ? "line is" : "lines are");
    return st;
}

enum fg_status fg_cli_add(struct fg_crawl *crawl, const struct fg_seeds *seeds,
                          struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < seeds->lines.len; i++)
        st = fg_crawl_add(crawl, seeds->lines.at[i].url, &seeds->lines.at[i].seed, err);
    return st;
}

/* --- running --- */

/* What a running crawl is asked about by signals, people and the manager. */
struct running {
    struct fg_cli *cli;
    struct fg_crawl *crawl;
    struct fg_service service;
    struct fg_progress progress;
};

static void on_progress(void *context, const struct fg_crawl *crawl)
{
    struct running *running = context;
    fg_progress_beat(&running->progress, crawl);
    fg_service_beat(&running->service, crawl);
}

/* Beside the store, which may be a folder or a file. */
static const char *marks_path(struct fg_cli *cli)
{
    const char *place = cli->settings.workspace.at;
    struct stat st;
    bool is_folder = stat(place, &st) == 0 && S_ISDIR(st.st_mode);
    const struct fg_lot_options *lot = &cli->settings.crawl.lot;
    if (lot->lots)
        return fg_arena_printf(cli->arena, "%s/lots/%u.reading", place, lot->lot).at;
    return fg_arena_printf(cli->arena, "%s%s", place,
                           is_folder ? "/forage.reading" : ".reading")
        .at;
}

enum fg_status fg_cli_crawl(struct fg_cli *cli, struct fg_store *store, int events_fd,
                            const struct fg_run_options *limits, struct fg_crawl **crawl,
                            struct fg_err *err)
{
    struct fg_crawl_options options = cli->settings.crawl;
    options.run.events_fd = events_fd;
    options.keeping.marks = marks_path(cli);
    if (limits) {
        options.run.time_limit = limits->time_limit;
        options.run.size_limit_bytes = limits->size_limit;
        options.run.fetch_limit = (uint64_t)limits->fetch_limit;
        options.run.once = limits->once;
        if (limits->archive.len)
            options.archive.dir = limits->archive.at;
    }
    return fg_crawl_new(crawl, store, &options, err);
}

/* A mistake in the files changes nothing and is logged. */
static void read_again(struct running *r)
{
    struct fg_settings settings = {0};
    struct fg_opts opts = {.arena = r->cli->arena};
    struct fg_config_files files = {0};
    struct fg_err err = {0};
    fg_settings_init(&settings, &opts);
    fg_settings_copy_flags(&opts, &r->cli->opts);
    if (fg_settings_load(&settings, &opts, &files, environ, &err)) {
        fg_log_warn("config", "not reloaded", FG_F("why", err.text));
        return;
    }
    fg_crawl_retune(r->crawl, &settings.crawl);
    fg_log_info("config", "reloaded");
}

/* SIGHUP: the log was moved away perhaps, and the files have changed perhaps. */
static void reload(void *context)
{
    struct running *running = context;
    struct fg_err err = {0};
    fg_service_reloading(&running->service);
    if (fg_log_reopen(&err))
        fg_log_warn("log", "not opened anew", FG_F("why", err.text));
    read_again(running);
    fg_service_reloaded(&running->service);
}

static enum fg_exit exit_of(enum fg_crawl_end end)
{
    switch (end) {
    case FG_CRAWL_INTERRUPTED:
        return FG_EXIT_INTERRUPTED;
    case FG_CRAWL_FORCED:
        return FG_EXIT_FORCED;
    case FG_CRAWL_SIZE_LIMIT:
    case FG_CRAWL_FETCH_LIMIT:
        return FG_EXIT_SIZE_LIMIT;
    default: /* also when its time is over: that is how long it was to run */
        return FG_EXIT_OK;
    }
}

enum fg_status fg_cli_run(struct fg_cli *cli, struct fg_crawl *crawl,
                          const struct fg_run_options *options, struct fg_err *err)
{
    struct running running = {.cli = cli, .crawl = crawl};
    fg_service_start(&running.service);
    fg_progress_start(&running.progress, cli, crawl);
    fg_crawl_on_reload(crawl, reload, &running);
    if (!cli->common.quiet || fg_service_is_asked(&running.service))
        fg_crawl_on_progress(crawl, running.service.every, on_progress, &running);
    struct fg_crawl_counts before = fg_crawl_count(crawl);
    struct fg_server *server =
        fg_serving_start(cli, cli->settings.workspace, &options->serving);
    fg_log_info("crawl", "started", FG_F("sites", before.sites),
                FG_F("known", before.known), FG_F("sources", before.sources));
    enum fg_crawl_end end = fg_crawl_run(crawl, err);
    fg_server_stop(server);
    fg_service_stop(&running.service);
    struct fg_crawl_counts c = fg_crawl_count(crawl);
    fg_progress_end(&running.progress, crawl);
    fg_log_info("crawl", "stopped", FG_F("fetches", c.fetches), FG_F("new", c.discovered),
                FG_F("known", c.known), FG_F("failures", c.failures));
    cli->exit = exit_of(end);
    return end == FG_CRAWL_FAILED ? err->status : FG_OK;
}
