#include "cli/demo/demo.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const int64_t counted_before = 30; /* days */

typedef FG_VEC(char *) arguments;

__attribute__((format(printf, 3, 4))) static void add_argument(struct fg_arena *arena,
                                                               arguments *args,
                                                               const char *format, ...)
{
    char text[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    fg_vec_push_in(arena, args, fg_arena_cstr(arena, fg_str_from(text)));
}

static enum fg_status spawn(pid_t *pid, struct fg_arena *arena, arguments *args,
                            struct fg_err *err)
{
    fg_vec_push_in(arena, args, NULL);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1 /* write */,
                                     0);
    int code = posix_spawn(pid, "/proc/self/exe", &actions, NULL, args->at, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code ? fg_fail(err, FG_EIO, "cannot start a process: %s", strerror(code))
                : FG_OK;
}

/* --- counts --- */

static const char *write_counts(struct fg_demo *demo, int64_t first, int64_t end,
                                struct fg_err *err)
{
    struct fg_buf csv;
    const char *path =
        fg_arena_printf(demo->cli->arena, "%s/counts.csv", demo->folder).at;
    fg_buf_init(&csv, (size_t)1 << 30);
    fg_shop_csv(demo->shop, fg_str_from(fg_demo_shop_origin(demo)), first, end, &csv);
    enum fg_status st = fg_file_replace(path, fg_buf_str(&csv), err);
    fg_buf_clear(&csv);
    return st ? NULL : path;
}

static void add_clock(const struct fg_demo *demo, arguments *args)
{
    char anchor[FG_TIME_TEXT];
    struct fg_arena *arena = demo->cli->arena;
    add_argument(arena, args, "--clock-speed=%.17g", demo->speed);
    add_argument(arena, args, "--clock-anchor=%s", fg_time_format(anchor, demo->anchor));
}

static bool await(pid_t pid)
{
    int status = -1;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Waits for its end. On a machine that is busy with other things a crawl may keep its
 * store for longer than an import waits, so it is tried more than once: who gives a
 * number twice gives the same. */
static enum fg_status import_counts(struct fg_demo *demo,
                                    const struct fg_demo_crawl *crawl, const char *path,
                                    struct fg_err *err)
{
    enum { TRIES = 4 };
    struct fg_arena *arena = demo->cli->arena;
    arguments args = {0};
    pid_t pid;
    add_argument(arena, &args, "forage");
    add_argument(arena, &args, "import");
    add_argument(arena, &args, "counts");
    add_argument(arena, &args, "--quiet");
    add_argument(arena, &args, "--add");
    add_clock(demo, &args);
    add_argument(arena, &args, "--workspace=%s", crawl->workspace);
    add_argument(arena, &args, "%s", path);
    for (unsigned tried = 0; tried < TRIES; tried++) {
        enum fg_status st = spawn(&pid, arena, &args, err);
        if (st || await(pid))
            return st;
    }
    return fg_fail(err, FG_EIO, "counts cannot be imported");
}

enum fg_status fg_demo_count(struct fg_demo *demo, fg_time now, struct fg_err *err)
{
    int64_t today = now / FG_DAY;
    if (!demo->shop || today <= demo->counted)
        return FG_OK;
    const char *path = write_counts(demo, demo->counted, today, err);
    enum fg_status st = path ? FG_OK : err->status;
    for (size_t i = 0; !st && i < demo->n; i++)
        if (demo->crawls[i].pid > 0)
            st = import_counts(demo, &demo->crawls[i], path, err);
    demo->counted = today;
    return st;
}

/* --- crawls --- */

/* Policies to which nothing need be told. */
static bool is_deaf(const char *refresh)
{
    static const char *const names[] = {"round-robin", "uniform", "random", "fixed"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(refresh, names[i]) == 0)
            return true;
    return false;
}

/* What holds for a crawl; its dashboard is told the same. */
static void add_settings(struct fg_demo *demo, const struct fg_demo_crawl *crawl,
                         arguments *args)
{
    struct fg_arena *arena = demo->cli->arena;
    static const char *const fixed[] = {
        "--no-fetch-http2",   "--net-allow-private=loopback",
        "--fetch-delay=0",    "--fetch-concurrency=4",
        "--crawl-explore=80", "--documents-history=100000",
    };
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        add_argument(arena, args, "%s", fixed[i]);
    bool is_shop_alone = fg_web_sites(demo->web) == 1 && demo->shop;
    double news = is_shop_alone ? 0 : demo->budget;
    double shop = demo->shop ? demo->shop_budget : 0;
    char tick[FG_SPAN_TEXT];
    add_argument(arena, args, "--crawl-tick=%s", fg_span_format(tick, demo->tick));
    add_argument(arena, args, "--policy-discovery=%s", crawl->discovery);
    add_argument(arena, args, "--policy-refresh=%s", crawl->refresh);
    if (is_deaf(crawl->refresh))
        add_argument(arena, args, "--no-policy-forecast");
    add_argument(arena, args, "--crawl-budget=%g", news + shop);
    if (crawl->worth)
        add_argument(arena, args, "--crawl-worth=%s", crawl->worth);
}

void fg_demo_settle(struct fg_demo *demo)
{
    arguments args = {0};
    const char *word;
    add_settings(demo, &demo->crawls[0], &args);
    fg_vec_push_in(demo->cli->arena, &args, NULL);
    struct fg_args flags = {.at = args.at, .shared = &demo->cli->opts};
    while (!fg_args_next(&flags, &word, NULL) && word)
        ;
    fg_crawl_settle(&demo->cli->settings.crawl, demo->cli->arena);
}

/* The shop's pages are known from the counts; the news are to be explored. */
static unsigned news_sites(const struct fg_demo *demo)
{
    return fg_web_sites(demo->web) - (demo->shop != NULL);
}

enum fg_status fg_demo_prepare(struct fg_demo *demo, struct fg_err *err)
{
    int64_t today = demo->anchor / FG_DAY;
    enum fg_status st = FG_OK;
    demo->counted = today;
    const char *path =
        demo->shop ? write_counts(demo, today - counted_before, today, err) : NULL;
    if (demo->shop && !path)
        return err->status;
    for (size_t i = 0; !st && i < demo->n; i++) {
        struct fg_demo_crawl *crawl = &demo->crawls[i];
        crawl->workspace =
            fg_arena_printf(demo->cli->arena, "%s/%s", demo->folder, crawl->name).at;
        if (demo->shop)
            st = import_counts(demo, crawl, path, err);
    }
    return st;
}

static enum fg_status start(struct fg_demo *demo, struct fg_demo_crawl *crawl,
                            struct fg_err *err)
{
    struct fg_arena *arena = demo->cli->arena;
    arguments args = {0};
    unsigned news = news_sites(demo);
    add_argument(arena, &args, "forage");
    add_argument(arena, &args, news ? "watch" : "run");
    add_argument(arena, &args, "--quiet");
    add_argument(arena, &args, "--no-server");
    add_argument(arena, &args, "--workspace=%s", crawl->workspace);
    add_settings(demo, crawl, &args);
    add_clock(demo, &args);
    struct timeval left =
        fg_clock_real(&demo->clock, demo->until - fg_clock_now(&demo->clock));
    add_argument(arena, &args, "--time-limit=%lldms",
                 (long long)left.tv_sec * 1000 + left.tv_usec / 1000 + 1);
    for (unsigned i = 0; i < news; i++)
        add_argument(arena, &args, "%s/", fg_web_server_origin(demo->server, i));
    return spawn(&crawl->pid, arena, &args, err);
}

enum fg_status fg_demo_start(struct fg_demo *demo, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    demo->began = fg_clock_now(&demo->clock);
    if (demo->from < demo->began)
        demo->from = demo->began;
    for (size_t i = 0; !st && i < demo->n; i++)
        st = start(demo, &demo->crawls[i], err);
    return st;
}

enum fg_status fg_demo_check(struct fg_demo_crawl *crawl, bool was_stopped,
                             struct fg_err *err)
{
    int status;
    if (crawl->pid <= 0 || waitpid(crawl->pid, &status, WNOHANG) != crawl->pid)
        return FG_OK;
    crawl->pid = 0;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    bool is_fine = code == FG_EXIT_OK || (was_stopped && code == FG_EXIT_INTERRUPTED);
    return is_fine ? FG_OK
                   : fg_fail(err, FG_EIO, "the crawl by %s and %s ended with code %d",
                             crawl->discovery, crawl->refresh, code);
}

void fg_demo_stop(struct fg_demo *demo)
{
    for (size_t i = 0; i < demo->n; i++)
        if (demo->crawls[i].pid > 0)
            kill(demo->crawls[i].pid, SIGTERM);
}

/* --- the end --- */

static void remove_folder(struct fg_demo *demo, const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        unlink(fg_arena_printf(demo->cli->arena, "%s/%s", path, entry->d_name).at);
    if (folder)
        closedir(folder);
    rmdir(path);
}

void fg_demo_clean_up(struct fg_demo *demo, bool keep)
{
    for (size_t i = 0; i < demo->n; i++) {
        struct fg_demo_crawl *crawl = &demo->crawls[i];
        if (crawl->pid > 0) {
            kill(crawl->pid, SIGKILL);
            waitpid(crawl->pid, NULL, 0);
        }
        if (crawl->store)
            fg_store_close(crawl->store, NULL);
        if (keep)
            continue;
        remove_folder(demo, crawl->workspace);
    }
    fg_web_server_stop(demo->server);
    fg_web_free(demo->web);
    if (keep) {
        fprintf(stderr, "kept: %s\n", demo->folder);
        return;
    }
    unlink(fg_arena_printf(demo->cli->arena, "%s/counts.csv", demo->folder).at);
    rmdir(demo->folder);
}
