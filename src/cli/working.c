#include "cli/working.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "cli/stop.h"
#include "store/lots.h"
#include "store/sharing.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A lot, as a worker sees it. */
struct post {
    struct fg_watch watch;
    pid_t process;   /* ours, that works on it, or is about to take it; 0: none */
    fg_time not_yet; /* one that ended badly is not started again at once */
    bool is_ending;
};

struct colleague {
    struct fg_str name;
    struct fg_watch watch;
};

struct working {
    struct fg_cli *cli;
    struct fg_lots *lots;
    struct fg_str place, name, host;
    fg_time length;
    struct post posts[FG_LOTS_MOST];
    FG_VEC(struct colleague) colleagues;
    struct fg_arena arena; /* of one look */
    bool is_blind;         /* the database does not answer */
    fg_time changed;       /* a lot of ours was begun or ended */
};

/* --- the processes --- */

enum { MOST_ARGS = 4096 };

/* Our own command line, for one lot. */
static char **words_for(struct fg_arena *arena, const char *lot)
{
    struct fg_str all, word;
    size_t n = 0;
    char **words = FG_NEW(arena, char *, MOST_ARGS + 4);
    if (fg_file_read(&all, arena, "/proc/self/cmdline", 1 << 20, NULL))
        return NULL;
    while (n < MOST_ARGS && all.len && fg_str_cut(&all, '\0', &word))
        if (!fg_str_eq(word, FG_STR("--worker")))
            words[n++] = fg_arena_cstr(arena, word);
    words[n++] = fg_arena_cstr(arena, FG_STR("--lot"));
    words[n++] = fg_arena_cstr(arena, fg_str_from(lot));
    words[n] = NULL;
    return words;
}

static pid_t start(struct working *w, const struct fg_lot_row *row)
{
    char lot[200];
    snprintf(lot, sizeof lot, "%u:%lld:%lld:%.*s", row->lot, (long long)row->epoch,
             (long long)row->beat, FG_ARG(w->name));
    char **words = words_for(&w->arena, lot);
    sigset_t term, before;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    /* Until its handlers are its own, a signal for the child would be taken by ours. */
    sigprocmask(SIG_BLOCK, &term, &before);
    pid_t us = getpid(), process = words ? fork() : -1;
    if (process) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        return process;
    }
    /* Without us nobody would hand its lot over: it ends, too, and gives it back. */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_IGN); /* a terminal sends it to all; we pass it on as SIGTERM */
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (getppid() == us)
        execv("/proc/self/exe", words);
    _exit(FG_EXIT_ERROR);
}

static void note_end(struct working *w, size_t lot, int status)
{
    struct post *post = &w->posts[lot];
    bool is_well = WIFEXITED(status) && (WEXITSTATUS(status) == FG_EXIT_OK ||
                                         WEXITSTATUS(status) == FG_EXIT_INTERRUPTED);
    if (!is_well && !post->is_ending)
        fg_log_warn("worker", "the process of a lot has ended", FG_F("lot", lot),
                    FG_F("code", WIFEXITED(status) ? WEXITSTATUS(status) : 0),
                    FG_F("signal", WIFSIGNALED(status) ? WTERMSIG(status) : 0));
    w->changed = fg_lease_now();
    *post = (struct post){.watch = post->watch,
                          .not_yet = fg_lease_now() + (is_well ? 0 : w->length / 4)};
}

static size_t reap(struct working *w)
{
    size_t left = 0;
    for (size_t i = 0; i < FG_LOTS_MOST; i++) {
        int status;
        if (w->posts[i].process &&
            waitpid(w->posts[i].process, &status, WNOHANG) == w->posts[i].process)
            note_end(w, i, status);
        left += w->posts[i].process != 0;
    }
    return left;
}

static void end_post(struct post *post)
{
    if (!post->is_ending && post->process)
        kill(post->process, SIGTERM);
    post->is_ending = true;
}

/* --- who is there --- */

static struct fg_watch *watch_of(struct working *w, struct fg_str name)
{
    for (size_t i = 0; i < w->colleagues.len; i++)
        if (fg_str_eq(w->colleagues.at[i].name, name))
            return &w->colleagues.at[i].watch;
    struct colleague made = {.name = fg_arena_dup(w->cli->arena, name)};
    fg_vec_push(&w->colleagues, made);
    return &w->colleagues.at[w->colleagues.len - 1].watch;
}

static bool *who_is_alive(struct working *w, const struct fg_lots_state *state,
                          fg_time now)
{
    bool *is_alive = FG_NEW(&w->arena, bool, state->workers.len + 1);
    for (size_t i = 0; i < state->workers.len; i++) {
        const struct fg_worker_row *row = &state->workers.at[i];
        struct fg_watch *watch = watch_of(w, row->name);
        fg_watch_see(watch, state->timeline, row->pid, row->beat, now);
        is_alive[i] =
            fg_str_eq(row->name, w->name) || !fg_watch_is_over(watch, now, w->length);
        if (!is_alive[i])
            fg_lots_leave(w->lots, row->name,
                          NULL); /* it comes back with its next beat */
    }
    return is_alive;
}

/* What we have begun counts as ours, also before it shows. */
static void count_own(struct working *w, struct fg_lots_state *state)
{
    for (size_t i = 0; i < state->lots.len; i++)
        if (w->posts[i].process)
            state->lots.at[i].worker = w->name;
}

/* --- a turn --- */

static bool may_take(struct working *w, const struct fg_lots_state *state,
                     const bool *is_alive, size_t lot, fg_time now)
{
    struct post *post = &w->posts[lot];
    size_t least = fg_least_worker(state, is_alive);
    return !post->process && now >= post->not_yet && least != FG_NOBODY &&
           fg_str_eq(state->workers.at[least].name, w->name) &&
           fg_lot_is_free(state, lot, &post->watch, now, w->length);
}

static void take_some(struct working *w, struct fg_lots_state *state,
                      const bool *is_alive, fg_time now)
{
    for (size_t i = 0; i < state->lots.len; i++) {
        /* Whoever had it is gone, and weighs no more on anybody. */
        if (!w->posts[i].process &&
            fg_lot_is_free(state, i, &w->posts[i].watch, now, w->length))
            state->lots.at[i].worker = (struct fg_str){0};
    }
    for (size_t i = 0; i < state->lots.len; i++) {
        if (!may_take(w, state, is_alive, i, now))
            continue;
        pid_t process = start(w, &state->lots.at[i]);
        if (process > 0) {
            w->posts[i].process = process;
            w->changed = now;
            state->lots.at[i].worker = w->name;
        }
    }
}

/* One at a time, and none while another one changes hands. */
static void give_one(struct working *w, const struct fg_lots_state *state,
                     const bool *is_alive)
{
    for (size_t i = 0; i < state->lots.len; i++)
        if (w->posts[i].is_ending || !state->lots.at[i].worker.len)
            return;
    /* What a lot costs shows when it has been worked on for a while. */
    bool by_load = fg_lease_now() - w->changed > 10 * w->length;
    size_t lot = fg_lot_to_give(state, is_alive, w->name, by_load);
    if (lot == FG_NOBODY || !w->posts[lot].process)
        return;
    fg_log_info("worker", "handing a lot over", FG_F("lot", lot));
    end_post(&w->posts[lot]);
}

static enum fg_status look(struct working *w, struct fg_err *err)
{
    struct fg_lots_state state;
    struct fg_worker_row us = {.name = w->name, .host = w->host, .pid = getpid()};
    double budget = w->cli->settings.crawl.budget.per_hour;
    enum fg_status st = fg_lots_beat(w->lots, &us, err);
    if (!st)
        st = fg_lots_read(w->lots, &state, &w->arena, err);
    if (st)
        return st;
    /* Seen no later than now. */
    fg_time now = fg_lease_now();
    for (size_t i = 0; i < state.lots.len && i < FG_LOTS_MOST; i++)
        fg_watch_see(&w->posts[i].watch, state.timeline, state.lots.at[i].epoch,
                     state.lots.at[i].beat, now);
    const bool *is_alive = who_is_alive(w, &state, now);
    bool is_chair = state.lots.len && fg_str_eq(state.lots.at[0].worker, w->name);
    if (is_chair && budget > 0) {
        fg_lots_share(&state, budget);
        st = fg_lots_grant(w->lots, &state, err);
    }
    count_own(w, &state);
    take_some(w, &state, is_alive, now);
    give_one(w, &state, is_alive);
    return st;
}

static void turn(struct working *w)
{
    struct fg_err err = {0};
    bool was_blind = w->is_blind;
    fg_arena_reset(&w->arena);
    w->is_blind = look(w, &err) != FG_OK;
    if (w->is_blind && !was_blind)
        fg_log_warn("worker", "waiting for the database", FG_F("why", err.text));
    else if (was_blind && !w->is_blind)
        fg_log_info("worker", "the database answers again");
}

/* --- the whole --- */

static void wind_up(struct working *w)
{
    for (size_t i = 0; i < FG_LOTS_MOST; i++)
        end_post(&w->posts[i]);
    while (reap(w))
        usleep(20000);
    fg_lots_leave(w->lots, w->name, NULL);
}

static enum fg_status check(struct fg_cli *cli, const struct fg_run_options *options,
                            struct fg_err *err)
{
    if (!fg_store_is_database(fg_cli_store_path(cli)))
        return fg_fail(err, FG_ECONFIG,
                       "--worker needs a database that all workers reach: set "
                       "store.place");
    if (options->once || options->fetch_limit || options->size_limit)
        return fg_fail(err, FG_ECONFIG,
                       "--once, --fetch-limit and --size-limit are for a crawl in one "
                       "process");
    return FG_OK;
}

static bool has_time(fg_time began, fg_time limit)
{
    return !limit || fg_lease_now() - began < limit;
}

enum fg_status fg_cli_work(struct fg_cli *cli, const struct fg_run_options *options,
                           struct fg_err *err)
{
    struct working *w = fg_zeroed(1, sizeof *w);
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    w->cli = cli;
    w->place = fg_str_from(fg_cli_store_path(cli));
    w->length = cli->settings.lease;
    w->host = fg_arena_dup(cli->arena, fg_str_from(host));
    w->name = cli->settings.worker.len
                  ? cli->settings.worker
                  : fg_arena_printf(cli->arena, "%s-%ld", host, (long)getpid());
    enum fg_status st = check(cli, options, err);
    if (!st)
        st = fg_lots_make(w->place.at,
                          fg_opts_find(&cli->opts, FG_STR("store.lots"))->origin.layer ==
                                  FG_LAYER_DEFAULT
                              ? 0
                              : cli->settings.lots,
                          err);
    if (!st)
        st = fg_lots_open(&w->lots, w->place.at, err);
    if (!st) {
        fg_stop_on_signals();
        struct fg_server *server =
            fg_serving_start(cli, cli->settings.workspace, &options->serving);
        fg_log_info("worker", "started", FG_F("name", w->name));
        fg_time began = fg_lease_now(), every = w->length / 8, next = 0;
        while (!fg_stop_is_wanted() && has_time(began, options->time_limit)) {
            reap(w);
            if (fg_lease_now() >= next) {
                turn(w);
                next = fg_lease_now() + every;
            }
            usleep(20000);
        }
        fg_log_info("worker", "stopping");
        wind_up(w);
        fg_server_stop(server);
        cli->exit = fg_stop_is_wanted() ? FG_EXIT_INTERRUPTED : FG_EXIT_OK;
    }
    fg_lots_close(w->lots);
    fg_vec_clear(&w->colleagues);
    fg_arena_clear(&w->arena);
    free(w);
    return st;
}

/* --- one lot --- */

static enum fg_status parse_lot(struct fg_lease_wish *wish, struct fg_arena *arena,
                                struct fg_str text, struct fg_err *err)
{
    struct fg_str part[3];
    uint64_t lot, epoch, beat;
    bool is_whole = true;
    for (size_t i = 0; i < 3; i++)
        is_whole = is_whole && fg_str_cut(&text, ':', &part[i]);
    if (!is_whole || !fg_str_to_u64(part[0], &lot) || !fg_str_to_u64(part[1], &epoch) ||
        !fg_str_to_u64(part[2], &beat) || lot >= FG_LOTS_MOST)
        return fg_fail(err, FG_ECONFIG, "--lot is for processes that --worker starts");
    wish->lot = (unsigned)lot;
    wish->epoch = (int64_t)epoch;
    wish->beat = (int64_t)beat;
    wish->worker = fg_arena_cstr(arena, text);
    return FG_OK;
}

/* Files that a process keeps are its own. */
static enum fg_status set_apart(struct fg_cli *cli, const char *key, const char *between,
                                unsigned lot, struct fg_err *err)
{
    struct fg_setting *setting = fg_opts_find(&cli->opts, fg_str_from(key));
    struct fg_str text = fg_setting_text(cli->arena, setting);
    struct fg_origin origin = {.layer = FG_LAYER_FLAG, .name = FG_STR("--lot")};
    if (!text.len)
        return FG_OK;
    return fg_opts_set(
        &cli->opts, setting,
        fg_arena_printf(cli->arena, "%.*s%slot%04u", FG_ARG(text), between, lot), origin,
        err);
}

/* The workspace of a lot, for what is beside the store. */
static enum fg_status make_folder(struct fg_cli *cli, const char *name,
                                  struct fg_err *err)
{
    struct fg_str folder =
        fg_arena_printf(cli->arena, "%s%s", cli->settings.workspace.at, name);
    if (mkdir(folder.at, 0777) != 0 && errno != EEXIST)
        return fg_fail(err, FG_EIO, "cannot make '%s': %s", folder.at, strerror(errno));
    return FG_OK;
}

static enum fg_status settle(struct fg_cli *cli, const struct fg_lease_wish *wish,
                             struct fg_err *err)
{
    struct fg_crawl_options *crawl = &cli->settings.crawl;
    enum fg_status st = make_folder(cli, "", err);
    if (!st)
        st = make_folder(cli, "/lots", err);
    if (!st)
        st = set_apart(cli, "output.file", ".", wish->lot, err);
    if (!st)
        st = set_apart(cli, "feeds.dir", "/", wish->lot, err);
    if (!st)
        st = set_apart(cli, "archive.dir", "/", wish->lot, err);
    if (crawl->fetch.timeout > wish->length / 2)
        crawl->fetch.timeout = wish->length / 2;
    return st;
}

static enum fg_status crawl_it(struct fg_cli *cli, struct fg_lease *lease,
                               const struct fg_lease_wish *wish, unsigned lots,
                               const struct fg_run_options *limits, struct fg_err *err)
{
    struct fg_run_options options = {.archive = limits->archive};
    struct fg_crawl_options *settings = &cli->settings.crawl;
    const char *place = fg_lots_place(cli->arena, wish->place, wish->lot);
    struct fg_store *store = NULL;
    struct fg_crawl *crawl = NULL;
    settings->lot = (struct fg_lot_options){.lots = lots,
                                            .lot = wish->lot,
                                            .lease = lease,
                                            .whole = wish->place,
                                            .budget = settings->budget.per_hour};
    cli->settings.store = fg_str_from(place);
    enum fg_status st = fg_cli_store(cli, false, &store, err);
    if (!st)
        st = fg_cli_crawl(cli, store, -1, &options, &crawl, err);
    if (!st)
        st = fg_cli_run(cli, crawl, &options, err);
    fg_crawl_free(crawl);
    enum fg_status closed = store ? fg_store_close(store, st ? NULL : err) : FG_OK;
    return st ? st : closed;
}

enum fg_status fg_cli_work_on(struct fg_cli *cli, struct fg_str lot,
                              const struct fg_run_options *options, struct fg_err *err)
{
    struct fg_lease_wish wish = {.place = fg_cli_store_path(cli),
                                 .length = cli->settings.lease};
    struct fg_lease *lease = NULL;
    unsigned lots = fg_lots_at(wish.place);
    enum fg_status st = parse_lot(&wish, cli->arena, lot, err);
    if (!st)
        st = settle(cli, &wish, err);
    if (!st)
        st = fg_lease_take(&lease, &wish, err);
    if (st == FG_ENOTFOUND) { /* another worker was faster */
        cli->exit = FG_EXIT_OK;
        return FG_OK;
    }
    if (!st)
        st = crawl_it(cli, lease, &wish, lots, options, err);
    fg_lease_release(lease);
    return st;
}
