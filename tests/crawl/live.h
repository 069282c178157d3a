/* live.h - the real program, crawling a made web that this process serves
 *
 *     struct live live;
 *     live_start(&live, &(struct live_options){.sites = 3, .speed = 3600});
 *     pid_t pid = live_spawn(&live, "watch", (const char *[]){"--once", NULL});
 *     assert_int_equal(live_wait(pid), 0);
 *     live_stop(&live);
 *
 * Everything is in one folder: the workspace "ws", what the program wrote ("stdout",
 * "stderr", both appended to), "events.jsonl" (its --output-file, if asked for) and the
 * server's own log "requests". */
#ifndef FG_TESTS_CRAWL_LIVE_H
#define FG_TESTS_CRAWL_LIVE_H

#include "base/time.h"
#include "sim/web_server.h"
#include "test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <sqlite3.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIVE_PATH = 256, LIVE_ARGS = 64 };

struct live_options {
    unsigned sites;
    double speed;
    const char *delay;  /* --fetch-delay, in crawl time */
    double trouble;     /* share of answers that are 503 */
    double drops;       /* share of requests of which the connection is closed */
    const char *folder; /* NULL: one of its own */
};

struct live {
    struct live_options options;
    char folder[LIVE_PATH], program[LIVE_PATH];
    fg_time anchor;
    struct fg_web *web;
    struct fg_web_server *server;
};

static inline const char *live_path(const struct live *live, const char *name)
{
    static char paths[8][2 * LIVE_PATH];
    static unsigned at;
    char *path = paths[at++ % 8];
    snprintf(path, sizeof *paths, "%s/%s", live->folder, name);
    return path;
}

/* The program of this build: next to the folder of tests that this test is in. */
static inline void live_find_program(struct live *live)
{
    char self[LIVE_PATH];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(n > 0);
    self[n] = '\0';
    for (int up = 0; up < 3; up++)
        *strrchr(self, '/') = '\0';
    snprintf(live->program, sizeof live->program, "%.200s/forage", self);
    if (access(live->program, X_OK) != 0) /* the release build's is one higher */
        snprintf(live->program, sizeof live->program, "%.200s/../forage", self);
    if (access(live->program, X_OK) != 0)
        fail_msg("there is no program at %s", live->program);
}

static inline void live_start(struct live *live, const struct live_options *options)
{
    *live = (struct live){.options = *options};
    signal(SIGPIPE, SIG_IGN); /* a client that was killed is the server's daily bread */
    live_find_program(live);
    if (options->folder) {
        snprintf(live->folder, sizeof live->folder, "%s", options->folder);
    } else {
        snprintf(live->folder, sizeof live->folder, "/tmp/forage-live-XXXXXX");
        assert_non_null(mkdtemp(live->folder));
    }
    live->anchor = fg_time_now() / FG_SECOND * FG_SECOND;
    struct fg_web_options web = fg_web_defaults();
    web.sites = options->sites;
    web.from = live->anchor;
    web.to = live->anchor + (fg_time)(600 * FG_SECOND * options->speed);
    if (web.to > web.from + 200 * FG_DAY)
        web.to = web.from + 200 * FG_DAY;
    web.article_bytes = 1500;
    web.tags = 10;
    web.authors = 5;
    live->web = fg_web_new(&web);
    struct fg_err err = {0};
    if (fg_web_server_start(&live->server, live->web,
                            &(struct fg_web_server_options){
                                .clock = fg_clock_simulated(live->anchor, options->speed),
                                .log = live_path(live, "requests"),
                                .trouble = options->trouble,
                                .drops = options->drops},
                            &err))
        fail_msg("%s", err.text);
}

static inline int live_remove(const char *path, const struct stat *info, int type,
                              struct FTW *where)
{
    (void)info, (void)type, (void)where;
    return remove(path);
}

static inline void live_stop(struct live *live)
{
    fg_web_server_stop(live->server);
    fg_web_free(live->web);
    if (getenv("FORAGE_KEEP"))
        print_message("kept: %s\n", live->folder);
    else
        nftw(live->folder, live_remove, 16, FTW_DEPTH | FTW_PHYS);
}

static inline void live_show_stderr(const struct live *live)
{
    FILE *f = fopen(live_path(live, "stderr"), "r");
    char line[1024];
    while (f && fgets(line, sizeof line, f))
        print_error("    %s", line);
    if (f)
        fclose(f);
}

/* Start `forage COMMAND` with the common flags, those in `more` (ends with NULL), and,
 * for watch, the addresses of all sites. stdout_fd < 0: append to "stdout". */
static inline pid_t live_spawn_to(const struct live *live, const char *command,
                                  const char *const *more, int stdout_fd)
{
    char texts[8][2 * LIVE_PATH], urls[16][64], anchor[FG_TIME_TEXT];
    const char *args[LIVE_ARGS];
    size_t n = 0, t = 0;
    fg_time_format(anchor, live->anchor);
    args[n++] = "forage";
    args[n++] = command;
    snprintf(texts[t], sizeof *texts, "--workspace=%s", live_path(live, "ws"));
    args[n++] = texts[t++];
    if (live->options.speed != 1) {
        snprintf(texts[t], sizeof *texts, "--clock-speed=%g", live->options.speed);
        args[n++] = texts[t++];
        snprintf(texts[t], sizeof *texts, "--clock-anchor=%s", anchor);
        args[n++] = texts[t++];
    }
    args[n++] = "--net-allow-private=loopback";
    args[n++] = "--no-fetch-http2";
    snprintf(texts[t], sizeof *texts, "--fetch-delay=%s",
             live->options.delay ? live->options.delay : "0");
    args[n++] = texts[t++];
    for (size_t i = 0; more && more[i]; i++)
        args[n++] = more[i];
    for (unsigned i = 0; strcmp(command, "watch") == 0 && i < live->options.sites; i++) {
        snprintf(urls[i], sizeof *urls, "%s/", fg_web_server_origin(live->server, i));
        args[n++] = urls[i];
    }
    args[n] = NULL;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    int append = O_WRONLY | O_CREAT | O_APPEND;
    if (stdout_fd >= 0)
        posix_spawn_file_actions_adddup2(&actions, stdout_fd, 1);
    else
        posix_spawn_file_actions_addopen(&actions, 1, live_path(live, "stdout"), append,
                                         0666);
    posix_spawn_file_actions_addopen(&actions, 2, live_path(live, "stderr"), append,
                                     0666);
    /* Nothing of ours: variables that start with FORAGE_ are settings. */
    char home[2 * LIVE_PATH];
    snprintf(home, sizeof home, "HOME=%s", live->folder);
    char *environment[] = {home, "ASAN_OPTIONS=exitcode=99", "LSAN_OPTIONS=exitcode=98",
                           "UBSAN_OPTIONS=exitcode=97", NULL};
    pid_t pid;
    int code =
        posix_spawn(&pid, live->program, &actions, NULL, (char **)args, environment);
    posix_spawn_file_actions_destroy(&actions);
    if (code)
        fail_msg("cannot start %s: %s", live->program, strerror(code));
    return pid;
}

static inline pid_t live_spawn(const struct live *live, const char *command,
                               const char *const *more)
{
    return live_spawn_to(live, command, more, -1);
}

/* Its exit code, or 1000 + the signal that ended it; 2000 if it had not ended after a
 * minute (and was killed then). */
static inline int live_wait(pid_t pid)
{
    int status = 0;
    for (int i = 0; i < 6000; i++) {
        if (waitpid(pid, &status, WNOHANG) == pid)
            return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
        usleep(10000);
    }
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    return 2000;
}

static inline void live_expect(const struct live *live, pid_t pid, int code)
{
    int got = live_wait(pid);
    if (got == code)
        return;
    live_show_stderr(live);
    fail_msg("exit code %d instead of %d", got, code);
}

/* One request of our own, without a user agent. When its answer is here, the server has
 * seen all that was sent to it before. */
static inline void live_probe(const struct live *live)
{
    for (int twice = 0; twice < 2; twice++) {
        const char *colon = strrchr(fg_web_server_origin(live->server, 0), ':');
        struct sockaddr_in to = {.sin_family = AF_INET,
                                 .sin_port = htons((uint16_t)strtol(colon + 1, NULL, 10)),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){30, 0},
                   sizeof(struct timeval));
        assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
        static const char ask[] = "GET /robots.txt HTTP/1.0\r\n\r\n";
        assert_int_equal(write(fd, ask, sizeof ask - 1), sizeof ask - 1);
        char bytes[512];
        while (read(fd, bytes, sizeof bytes) > 0)
            ;
        close(fd);
    }
}

/* Wait until `path` in the folder has at least `bytes` bytes. */
static inline void live_wait_for(const struct live *live, const char *path, off_t bytes)
{
    struct stat info;
    for (int i = 0; i < 3000; i++) {
        if (stat(live_path(live, path), &info) == 0 && info.st_size >= bytes)
            return;
        usleep(10000);
    }
    live_show_stderr(live);
    fail_msg("'%s' does not grow to %ld bytes", path, (long)bytes);
}

static inline bool live_said(const struct live *live, const char *path, const char *words)
{
    FILE *f = fopen(live_path(live, path), "r");
    char line[4096];
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f))
        found = strstr(line, words) != NULL;
    if (f)
        fclose(f);
    return found;
}

/* --- asking the store with SQL, from outside --- */

static inline sqlite3 *live_open_store(const struct live *live)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 5000);
    char sql[2 * LIVE_PATH + 64];
    snprintf(sql, sizeof sql, "ATTACH 'file:%s?mode=ro' AS s",
             live_path(live, "ws/forage.db"));
    sqlite3_close(db);
    assert_int_equal(
        sqlite3_open_v2(":memory:", &db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI,
                        NULL),
        SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    return db;
}

static inline void live_sql(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
}

static inline int64_t live_int(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *stmt;
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    int code = sqlite3_step(stmt);
    int64_t value = code == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : -1;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_finalize(stmt);
    return value;
}

/* The query finds nothing; what it finds is shown, up to ten rows. False if it does. */
static inline bool live_none(sqlite3 *db, const char *claim, const char *sql)
{
    sqlite3_stmt *stmt;
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    int rows = 0;
    while (sqlite3_step(stmt) == SQLITE_ROW && rows < 10) {
        if (!rows++)
            print_error("not so: %s\n", claim);
        for (int i = 0; i < sqlite3_column_count(stmt); i++)
            print_error("    %s", (const char *)sqlite3_column_text(stmt, i));
        print_error("\n");
    }
    sqlite3_finalize(stmt);
    return rows == 0;
}

/* What must hold of any store at any time; the attached one is `s`. */
static inline bool live_is_sound(sqlite3 *db)
{
    static const char *const claims[][2] = {
        {"the file is whole",
         "SELECT integrity_check FROM pragma_integrity_check(10, 's')"
         " WHERE integrity_check <> 'ok'"},
        {"an address is one page",
         "SELECT url, count(*) FROM s.pages GROUP BY url HAVING count(*) > 1"},
        {"pages belong to sites",
         "SELECT url FROM s.pages WHERE site NOT IN (SELECT site FROM s.sites)"},
        {"page numbers have no gaps",
         "SELECT site, count(*), max(page) FROM s.pages GROUP BY site"
         " HAVING count(*) <> max(page)"},
        {"links come from pages",
         "SELECT l.* FROM s.links l LEFT JOIN s.pages p"
         " ON p.site = l.site AND p.page = l.source WHERE p.page IS NULL"},
        {"links lead to pages",
         "SELECT l.* FROM s.links l LEFT JOIN s.pages p"
         " ON p.site = l.target_site AND p.page = l.target WHERE p.page IS NULL"},
        {"links were seen first, then last, then gone",
         "SELECT * FROM s.links WHERE first_seen IS NULL OR first_seen > last_seen"
         " OR last_seen > ifnull(gone, last_seen)"},
        {"visits are of pages",
         "SELECT v.* FROM s.visits v LEFT JOIN s.pages p USING(site, page)"
         " WHERE p.page IS NULL"},
        {"pages count their visits",
         "SELECT p.url, p.visits, count(v.time) FROM s.pages p LEFT JOIN s.visits v"
         " USING(site, page) GROUP BY p.site, p.page HAVING p.visits <> count(v.time)"},
        {"aliases lead to pages", "SELECT a.url FROM s.pages a LEFT JOIN s.pages p"
                                  " ON p.site = a.site AND p.page = a.alias_of"
                                  " WHERE a.alias_of <> 0 AND p.page IS NULL"},
        {"events have their id",
         "SELECT json FROM s.outbox"
         " WHERE json_extract(json, '$.event') IS NOT printf('%016x', id)"},
        {"events are of pages, under their address and its fingerprint",
         "SELECT o.json FROM s.outbox o LEFT JOIN s.pages p USING(site, page)"
         " WHERE o.kind NOT LIKE 'alarm%' AND (p.page IS NULL OR p.fingerprint <> o.id"
         " OR json_extract(o.json, '$.url') <> p.url)"},
        {"a page is one event",
         "SELECT site, page FROM s.outbox WHERE kind NOT LIKE 'alarm%'"
         " GROUP BY site, page HAVING count(*) > 1"},
        {"alarms are of sites and give a reason",
         "SELECT o.json FROM s.outbox o LEFT JOIN s.sites t USING(site)"
         " WHERE o.kind LIKE 'alarm%' AND (o.page <> 0 OR t.site IS NULL"
         " OR json_extract(o.json, '$.site') IS NOT t.key"
         " OR json_extract(o.json, '$.reason') IS NULL)"},
        {"events are numbered without gaps",
         "SELECT count(*), max(number) FROM s.outbox HAVING count(*) <> max(number)"},
        {"nothing was delivered that is not there",
         "SELECT * FROM s.deliveries"
         " WHERE number > (SELECT ifnull(max(number), 0) FROM s.outbox)"},
        {"a page is marked as told if and only if there is an event of it",
         "SELECT p.url, p.flags, o.number FROM s.pages p LEFT JOIN s.outbox o"
         " USING(site, page) WHERE (o.number IS NULL) <> ((p.flags & 16384) = 0)"},
        {"what was told or is older than the watch is not awaited any more",
         "SELECT url, flags FROM s.pages WHERE flags & 4096 AND flags & (16384 | 32768)"},
        {"what was told was read",
         "SELECT url, flags FROM s.pages WHERE flags & 16384 AND content_hash = 0"},
        {"a page that is gone, an alias or forbidden is no source",
         "SELECT url, flags FROM s.pages WHERE flags & 2 AND flags & (128 | 256 | 512)"},
        {"a page is a source, or was one, or may become one",
         "SELECT url, flags FROM s.pages WHERE (flags & 2) AND (flags & (8 | 16))"},
    };
    bool is_sound = true;
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
        is_sound &= live_none(db, claims[i][0], claims[i][1]);
    return is_sound;
}

#endif
