/* What a crawl does when the disk is full, read-only or damaged, and when the clock was
 * set back: it says so and stops, or goes on; it never crashes, and what was reported
 * stays. Small file systems are mounted for it, so most of this needs root. */
#include "live.h"

#include "base/rng.h"

#include <sched.h>
#include <sys/mount.h>

/* Time runs 3600 times faster; nothing waits. */
static const char *const flags[] = {
    "--quiet", "--crawl-tick=15m", "--crawl-budget=0", "--crawl-explore=8", NULL,
};

static const char *const *with(const char *a, const char *b)
{
    static const char *all[16];
    size_t n = 0;
    for (; flags[n]; n++)
        all[n] = flags[n];
    all[n++] = a;
    all[n++] = a ? b : NULL;
    all[n] = NULL;
    return all;
}

static void start(struct live *live)
{
    live_start(live, &(struct live_options){.sites = 2, .speed = 3600});
}

static void crawl_for(const struct live *live, const char *limit)
{
    live_expect(live, live_spawn(live, "watch", with(limit, NULL)), 0);
}

/* Mounts that nobody else sees and that end with this process; before anything else. */
static void need_mounts(void)
{
    static bool have;
    have = have || (unshare(CLONE_NEWNS) == 0 &&
                    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0);
    if (!have) {
        print_message("no file system can be mounted here: %s\n", strerror(errno));
        skip();
    }
}

static void mount_small(const char *path, const char *options)
{
    mkdir(path, 0777);
    assert_int_equal(mount("tmpfs", path, "tmpfs", 0, options), 0);
}

/* The events that were ever told are in the store, which is whole; and the other way. */
static void check_told(const struct live *live, bool wants_all)
{
    sqlite3 *db = live_open_store(live);
    bool is_sound = live_is_sound(db);
    live_sql(db, "CREATE TABLE ids(id TEXT PRIMARY KEY)");
    live_sql(db, "INSERT INTO ids SELECT printf('%016x', id) FROM s.outbox");
    FILE *f = fopen(live_path(live, "stdout"), "r");
    char line[8192], sql[128];
    live_sql(db, "CREATE TABLE told(id TEXT PRIMARY KEY)");
    while (f && fgets(line, sizeof line, f)) {
        assert_memory_equal(line, "{\"event\":\"", 10);
        snprintf(sql, sizeof sql, "SELECT count(*) FROM ids WHERE id = '%.16s'",
                 line + 10);
        if (live_int(db, sql) != 1)
            fail_msg("told, and not in the store: %s", line);
        snprintf(sql, sizeof sql, "INSERT OR IGNORE INTO told VALUES('%.16s')",
                 line + 10);
        live_sql(db, sql);
    }
    if (f)
        fclose(f);
    bool is_all_told = !wants_all || live_none(db, "what is in the store was told",
                                               "SELECT id FROM ids WHERE id NOT IN told");
    sqlite3_close(db);
    assert_true(is_sound);
    assert_true(is_all_told);
}

/* What came last before the disk was full may not have been told yet. */
static void check_nothing_is_false(const struct live *live)
{
    check_told(live, false);
}

/* It ended well. */
static void check_nothing_is_lost(const struct live *live)
{
    check_told(live, true);
}

static int64_t count(const struct live *live, const char *sql)
{
    sqlite3 *db = live_open_store(live);
    int64_t n = live_int(db, sql);
    sqlite3_close(db);
    return n;
}

static void wait_until_said(const struct live *live, const char *words)
{
    for (int i = 0; i < 300 && !live_said(live, "stderr", words); i++)
        usleep(100000);
    if (!live_said(live, "stderr", words))
        live_show_stderr(live);
    assert_true(live_said(live, "stderr", words));
}

/* --- the disk --- */

/* Until there is room the crawl asks for nothing and ends only if it is told to, with
 * words and a code of its own; then it goes on, without a restart. */
static void full_disk_is_waited_for(void **state)
{
    (void)state;
    need_mounts();
    struct live live;
    start(&live);
    char path[2 * LIVE_PATH];
    snprintf(path, sizeof path, "%s", live_path(&live, "ws"));
    mount_small(path, "size=1000k");
    pid_t crawl = live_spawn(&live, "watch", with(NULL, NULL));
    wait_until_said(&live, "waiting for room");
    kill(crawl, SIGTERM);
    live_expect(&live, crawl, 3);
    assert_true(live_said(&live, "stderr", "disk is full"));
    check_nothing_is_false(&live);
    int64_t before = count(&live, "SELECT count(*) FROM s.visits");

    unlink(live_path(&live, "stderr"));
    crawl = live_spawn(&live, "watch", with("--log-level=info", NULL));
    wait_until_said(&live, "waiting for room");
    assert_int_equal(mount("tmpfs", path, "tmpfs", MS_REMOUNT, "size=64m"), 0);
    wait_until_said(&live, "there is room again");
    int64_t then = count(&live, "SELECT count(*) FROM s.visits");
    assert_true(then > before);
    for (int i = 0; i < 300 && count(&live, "SELECT count(*) FROM s.visits") <= then; i++)
        usleep(100000);
    assert_true(count(&live, "SELECT count(*) FROM s.visits") > then);
    kill(crawl, SIGTERM);
    live_expect(&live, crawl, 11);
    check_nothing_is_lost(&live);
    umount2(path, MNT_DETACH);
    live_stop(&live);
}

static const char says_it_waits[] =
    "SELECT count(*) FROM s.state WHERE name = 'crawl:status' AND "
    "instr(CAST(bytes AS TEXT), '\"outputs_waiting\":[{\"output\":\"output.file\"')";

/* It is said, in the log and by `forage status`; the crawl goes on, and so does the file
 * when there is room, without a restart. Told to stop before, it says so again. */
static void full_disk_under_the_output_doubles_nothing(void **state)
{
    (void)state;
    need_mounts();
    struct live live;
    start(&live);
    char path[2 * LIVE_PATH], file[2 * LIVE_PATH + 32];
    snprintf(path, sizeof path, "%s", live_path(&live, "out"));
    snprintf(file, sizeof file, "--output-file=%s/events.jsonl", path);
    mount_small(path, "size=16k");
    pid_t crawl = live_spawn(&live, "watch", with(file, NULL));
    wait_until_said(&live, "No space left");
    kill(crawl, SIGTERM);
    live_expect(&live, crawl, 3);

    unlink(live_path(&live, "stderr"));
    crawl = live_spawn(&live, "watch", with(file, "--log-level=info"));
    wait_until_said(&live, "No space left");
    int64_t before = count(&live, "SELECT count(*) FROM s.visits");
    for (int i = 0; i < 300 && count(&live, "SELECT count(*) FROM s.visits") <= before;
         i++)
        usleep(100000);
    assert_true(count(&live, "SELECT count(*) FROM s.visits") > before);
    for (int i = 0; i < 100 && !count(&live, says_it_waits); i++)
        usleep(100000);
    assert_int_equal(count(&live, says_it_waits), 1);
    assert_int_equal(mount("tmpfs", path, "tmpfs", MS_REMOUNT, "size=64m"), 0);
    wait_until_said(&live, "goes on");
    kill(crawl, SIGTERM);
    live_expect(&live, crawl, 11);
    check_nothing_is_lost(&live);
    FILE *f = fopen(live_path(&live, "out/events.jsonl"), "r");
    char line[8192];
    int64_t lines = 0;
    while (fgets(line, sizeof line, f)) {
        assert_memory_equal(line, "{\"event\":\"", 10);
        assert_non_null(strstr(line, "}\n"));
        lines++;
    }
    fclose(f);
    assert_int_equal(lines, count(&live, "SELECT count(*) FROM s.outbox"));
    umount2(path, MNT_DETACH);
    live_stop(&live);
}

static void read_only_folder_is_refused_with_words(void **state)
{
    (void)state;
    need_mounts();
    struct live live;
    start(&live);
    char path[2 * LIVE_PATH];
    snprintf(path, sizeof path, "%s", live_path(&live, "ws"));
    mount_small(path, "size=64m");
    crawl_for(&live, "--time-limit=1s");
    assert_int_equal(mount("tmpfs", path, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL), 0);
    live_expect(&live, live_spawn(&live, "watch", with(NULL, NULL)), 1);
    assert_true(live_said(&live, "stderr", "Read-only file system"));
    assert_int_equal(mount("tmpfs", path, "tmpfs", MS_REMOUNT, NULL), 0);
    crawl_for(&live, "--time-limit=1s");
    check_nothing_is_lost(&live);
    umount2(path, MNT_DETACH);
    live_stop(&live);
}

static void read_only_file_is_refused_with_words(void **state)
{
    (void)state;
    bool is_root = geteuid() == 0;
    if (is_root)
        need_mounts();
    struct live live;
    start(&live);
    crawl_for(&live, "--time-limit=1s");
    char path[2 * LIVE_PATH];
    snprintf(path, sizeof path, "%s", live_path(&live, "ws/forage.db"));
    /* Root writes to anything; but not through a mount that is read-only. */
    if (is_root) {
        assert_int_equal(mount(path, path, NULL, MS_BIND, NULL), 0);
        assert_int_equal(mount(NULL, path, NULL, MS_BIND | MS_REMOUNT | MS_RDONLY, NULL),
                         0);
    }
    if (!is_root)
        chmod(path, 0444);
    live_expect(&live, live_spawn(&live, "watch", with(NULL, NULL)), 1);
    assert_true(live_said(&live, "stderr", "read-only"));
    if (is_root)
        umount2(path, MNT_DETACH);
    else
        chmod(path, 0644);
    crawl_for(&live, "--time-limit=1s");
    check_nothing_is_lost(&live);
    live_stop(&live);
}

/* Somebody has the file open in a shell and forgets a transaction. */
static void lock_of_another_program_is_waited_for(void **state)
{
    (void)state;
    struct live live;
    start(&live);
    crawl_for(&live, "--time-limit=500ms");
    sqlite3 *db;
    assert_int_equal(sqlite3_open(live_path(&live, "ws/forage.db"), &db), SQLITE_OK);
    int64_t before = live_int(db, "SELECT count(*) FROM visits");
    pid_t pid = live_spawn(&live, "watch", with("--time-limit=5s", NULL));
    uint64_t requests = fg_web_server_requests(live.server);
    for (int i = 0; i < 1000 && fg_web_server_requests(live.server) == requests; i++)
        usleep(10000);
    sqlite3_busy_timeout(db, 5000);
    live_sql(db, "BEGIN IMMEDIATE");
    usleep(3000000); /* longer than a commit waits */
    live_sql(db, "COMMIT");
    sqlite3_close(db);
    live_expect(&live, pid, 0);
    assert_true(count(&live, "SELECT count(*) FROM s.visits") > before);
    check_nothing_is_lost(&live);
    live_stop(&live);
}

/* --- damage --- */

static int rounds(int usual)
{
    const char *is_long = getenv("FORAGE_LONG");
    return is_long && *is_long ? 50 * usual : usual;
}

static struct fg_rng dice(uint64_t seed)
{
    return fg_rng_from_seed(rounds(1) == 1 ? seed : (uint64_t)fg_time_now());
}

static void copy(const struct live *live, const char *from, const char *to)
{
    int in = open(live_path(live, from), O_RDONLY),
        out = open(live_path(live, to), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    char bytes[65536];
    ssize_t n;
    while (in >= 0 && (n = read(in, bytes, sizeof bytes)) > 0)
        assert_int_equal(write(out, bytes, (size_t)n), n);
    close(in);
    close(out);
}

/* Leave the store as a kill leaves it, with its journal. */
static void crawl_and_kill(const struct live *live)
{
    pid_t pid = live_spawn(live, "watch", with(NULL, NULL));
    live_wait_for(live, "stdout", 2000);
    usleep(200000);
    kill(pid, SIGKILL);
    assert_int_equal(live_wait(pid), 1000 + SIGKILL);
    copy(live, "ws/forage.db", "db");
    copy(live, "ws/forage.db-wal", "wal");
}

static off_t size_of(const struct live *live, const char *name)
{
    struct stat info;
    assert_int_equal(stat(live_path(live, name), &info), 0);
    return info.st_size;
}

static void restore(const struct live *live)
{
    copy(live, "db", "ws/forage.db");
    copy(live, "wal", "ws/forage.db-wal");
    unlink(live_path(live, "ws/forage.db-shm"));
}

/* It went on, or refused with words about damage. */
static bool goes_on(const struct live *live)
{
    truncate(live_path(live, "stderr"), 0);
    int code = live_wait(live_spawn(live, "watch", with("--time-limit=50ms", NULL)));
    bool refused = code == 1 && (live_said(live, "stderr", "damaged") ||
                                 live_said(live, "stderr", "not a database") ||
                                 live_said(live, "stderr", "not a store of forage"));
    if (code != 0 && !refused) {
        live_show_stderr(live);
        fail_msg("exit code %d", code);
    }
    return code == 0;
}

static void flip(const struct live *live, const char *name, struct fg_rng *rng)
{
    int fd = open(live_path(live, name), O_RDWR);
    off_t at = (off_t)fg_rng_below(rng, (uint64_t)size_of(live, name));
    unsigned char bytes[16];
    ssize_t n = pread(fd, bytes, sizeof bytes, at);
    for (ssize_t i = 0; i < n; i++)
        bytes[i] ^= (unsigned char)(1 + fg_rng_below(rng, 255));
    assert_int_equal(pwrite(fd, bytes, (size_t)n, at), n);
    close(fd);
}

static void damaged_journal_gives_an_earlier_state(void **state)
{
    (void)state;
    struct live live;
    start(&live);
    crawl_and_kill(&live);
    struct fg_rng rng = dice(7);
    for (int i = 0; i < rounds(6); i++) {
        restore(&live);
        if (i % 3 == 0)
            assert_int_equal(
                truncate(live_path(&live, "ws/forage.db-wal"),
                         (off_t)fg_rng_below(&rng, (uint64_t)size_of(&live, "wal"))),
                0);
        else
            flip(&live, "ws/forage.db-wal", &rng);
        assert_true(goes_on(&live));
        sqlite3 *db = live_open_store(&live);
        bool is_sound = live_is_sound(db);
        sqlite3_close(db);
        assert_true(is_sound);
    }
    live_stop(&live);
}

static void damaged_file_never_crashes_it(void **state)
{
    (void)state;
    struct live live;
    start(&live);
    crawl_and_kill(&live);
    restore(&live);
    crawl_for(&live, "--time-limit=100ms"); /* all of it into the file, no journal */
    copy(&live, "ws/forage.db", "db");
    truncate(live_path(&live, "wal"), 0);
    struct fg_rng rng = dice(8);
    int refused = 0;
    for (int i = 0; i < rounds(12); i++) {
        restore(&live);
        if (i % 4 == 0)
            assert_int_equal(truncate(live_path(&live, "ws/forage.db"),
                                      size_of(&live, "db") - 4096 * (1 + i % 32)),
                             0);
        else
            flip(&live, "ws/forage.db", &rng);
        refused += !goes_on(&live);
    }
    assert_true(refused >= 3); /* at least whenever the tail was missing */
    restore(&live);
    assert_true(goes_on(&live));
    live_stop(&live);
}

/* Rows that no program of ours writes. */
static void nonsense_in_the_store_is_refused_with_words(void **state)
{
    (void)state;
    struct live live;
    start(&live);
    crawl_for(&live, "--time-limit=500ms");
    copy(&live, "ws/forage.db", "db");
    static const char *const nonsense[] = {
        "UPDATE pages SET site = 77 WHERE page = 3 AND site = 1",
        "UPDATE sites SET state = 9 WHERE site = 1",
        "UPDATE sites SET robots_verdict = 9 WHERE site = 1",
        "UPDATE sites SET site = 4000000000 WHERE site = 2",
        "UPDATE sites SET site = 0 WHERE site = 1",
        "UPDATE pages SET page = 0 WHERE page = 3",
    };
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        copy(&live, "db", "ws/forage.db");
        sqlite3 *db;
        assert_int_equal(sqlite3_open(live_path(&live, "ws/forage.db"), &db), SQLITE_OK);
        live_sql(db, nonsense[i]);
        sqlite3_close(db);
        truncate(live_path(&live, "stderr"), 0);
        live_expect(&live, live_spawn(&live, "watch", with("--time-limit=50ms", NULL)),
                    1);
        assert_true(live_said(&live, "stderr", "damaged"));
    }
    live_stop(&live);
}

static void site_taken_out_leaves_a_gap_and_no_more(void **state)
{
    (void)state;
    struct live live;
    start(&live);
    crawl_for(&live, "--time-limit=500ms");
    sqlite3 *db;
    assert_int_equal(sqlite3_open(live_path(&live, "ws/forage.db"), &db), SQLITE_OK);
    live_sql(db, "DELETE FROM sites WHERE site = 1; DELETE FROM pages WHERE site = 1;"
                 "DELETE FROM visits WHERE site = 1; DELETE FROM links WHERE site = 1 OR "
                 "target_site = 1; DELETE FROM outbox WHERE site = 1");
    sqlite3_close(db);
    live_expect(&live, live_spawn(&live, "run", with("--time-limit=500ms", NULL)), 0);
    assert_int_equal(count(&live, "SELECT count(*) FROM s.sites"), 1);
    crawl_for(&live, "--time-limit=500ms");
    assert_int_equal(count(&live, "SELECT count(*) FROM s.sites"), 2);
    assert_int_equal(count(&live, "SELECT max(site) FROM s.sites"), 3);
    live_stop(&live);
}

/* --- the clock --- */

/* All that is stored lies a year in the future: the clock was wrong, and was set back.
 * One host was backing off. */
static void clock_set_back_since_does_not_stop_it(void **state)
{
    (void)state;
    struct live live;
    enum { SPEED = 36000, DELAY_S = 1200 };
    live_start(&live,
               &(struct live_options){.sites = 2, .speed = SPEED, .delay = "1200s"});
    crawl_for(&live, "--time-limit=2s");
    sqlite3 *db;
    char sql[1024];
    assert_int_equal(sqlite3_open(live_path(&live, "ws/forage.db"), &db), SQLITE_OK);
    snprintf(sql, sizeof sql,
             "UPDATE sites SET added = added + %1$lld, last_request = last_request +"
             " %1$lld, robots_fetched = robots_fetched + %1$lld, robots_expires ="
             " robots_expires + %1$lld;"
             "UPDATE sites SET backoff_until = last_request, backoff_step = 3"
             " WHERE site = 2;"
             "UPDATE pages SET first_seen = first_seen + %1$lld, last_visit = last_visit"
             " + %1$lld, last_change = last_change + %1$lld;"
             "UPDATE links SET first_seen = first_seen + %1$lld, last_seen = last_seen +"
             " %1$lld, gone = gone + %1$lld;"
             "UPDATE visits SET time = time + %1$lld;"
             "UPDATE outbox SET time = time + %1$lld",
             (long long)(365 * FG_DAY));
    live_sql(db, sql);
    int64_t before = live_int(db, "SELECT count(*) FROM visits"),
            future = live_int(db, "SELECT min(time) FROM visits");
    assert_true(before > 0);
    sqlite3_close(db);
    crawl_for(&live, "--time-limit=5s"); /* two days of the crawl's */

    db = live_open_store(&live);
    snprintf(sql, sizeof sql,
             "SELECT count(DISTINCT site) FROM s.visits WHERE time < %lld",
             (long long)future);
    assert_int_equal(live_int(db, sql), 2); /* the one that backed off, too, by now */
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM s.visits WHERE time < %lld AND purpose = 2",
             (long long)future);
    assert_true(live_int(db, sql) > 10); /* sources are not taken as just visited */
    /* Nor is all they show taken as new: only links that were not there before are. */
    snprintf(sql, sizeof sql,
             "SELECT sum(fresh) <= (SELECT count(*) FROM s.links WHERE first_seen <"
             " %1$lld) FROM s.visits WHERE time < %1$lld AND purpose = 2",
             (long long)future);
    assert_int_equal(live_int(db, sql), 1);
    sqlite3_close(db);

    FILE *f = fopen(live_path(&live, "requests"), "r");
    char line[4096];
    int64_t last[2] = {0, 0};
    while (fgets(line, sizeof line, f)) {
        char *end;
        int64_t at = strtoll(line, &end, 10);
        long site = strtol(end, NULL, 10);
        assert_true(at - last[site] >= DELAY_S * FG_SECOND / SPEED);
        last[site] = at;
    }
    fclose(f);
    live_stop(&live);
}

FG_TESTS(full_disk_is_waited_for, full_disk_under_the_output_doubles_nothing,
         read_only_folder_is_refused_with_words, read_only_file_is_refused_with_words,
         lock_of_another_program_is_waited_for, damaged_journal_gives_an_earlier_state,
         damaged_file_never_crashes_it, nonsense_in_the_store_is_refused_with_words,
         site_taken_out_leaves_a_gap_and_no_more, clock_set_back_since_does_not_stop_it)
