/* Opening and closing the file, keeping other writers out, and telling the user in words
 * what SQLite reports in codes.
 *
 * The file itself is opened by SQLite only: closing any other descriptor of it would drop
 * the POSIX locks of every connection of this process. Our own lock is therefore a file
 * beside it, locked with flock, which the kernel releases however the process ends.
 *
 * synchronous=FULL: in WAL mode SQLite then syncs the journal at every commit, so what
 * has been committed survives a power cut. NORMAL would sync at checkpoints only, and
 * EXTRA adds nothing to FULL in WAL mode. Group commit makes the price one sync for all
 * the results of a tenth of a second. mmap stays off: with it a failing disk is a SIGBUS,
 * and the writer gained nothing measurable from it. */
#include "store/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    /* quick_check reads 150 to 300 MB a second: up to this size a start after a crash
     * pays for it, a larger file is left to fg_store_check. */
    CHECKED_BYTES = 256 << 20,
};

/* --- errors --- */

enum fg_status fg_sqlite_damaged(struct fg_err *err, const char *path, const char *how)
{
    return fg_fail(err, FG_EINPUT,
                   "'%s' is damaged (%s): restore a copy, or save what can be read with "
                   "sqlite3 .recover or .dump (see docs/store.md); nothing was changed",
                   path, how);
}

static bool is_disk_full(int code, int os)
{
    if ((code & 0xff) == SQLITE_FULL)
        return true;
    bool asked_the_os = (code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN;
    return asked_the_os && (os == ENOSPC || os == EDQUOT);
}

enum fg_status fg_sqlite_fail(struct fg_err *err, sqlite3 *db, const char *path,
                              const char *doing)
{
    int code = db ? sqlite3_extended_errcode(db) : SQLITE_NOMEM;
    int os = db ? sqlite3_system_errno(db) : ENOMEM;
    const char *words = db ? sqlite3_errmsg(db) : "out of memory";
    if (is_disk_full(code, os))
        return fg_fail(err, FG_EFULL,
                       "cannot %s '%s': the disk is full; what was acknowledged is safe, "
                       "free some space to go on",
                       doing, path);
    switch (code & 0xff) {
    case SQLITE_NOTADB:
        return fg_fail(err, FG_EINPUT,
                       "'%s' is not a database (or its first page is destroyed); nothing "
                       "was changed",
                       path);
    case SQLITE_CORRUPT:
        return fg_sqlite_damaged(err, path, words);
    case SQLITE_CONSTRAINT:
        return fg_fail(err, FG_EINPUT, "cannot %s '%s': %s; the file may be damaged",
                       doing, path, words);
    case SQLITE_TOOBIG:
        return fg_fail(err, FG_ELIMIT, "cannot %s '%s': a value is too large", doing,
                       path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return fg_fail(err, FG_EIO,
                       "cannot %s '%s': another program holds its lock (a transaction "
                       "left open in a sqlite3 shell?)",
                       doing, path);
    case SQLITE_READONLY:
        return fg_fail(err, FG_EIO, "cannot %s '%s': it is read-only", doing, path);
    default:
        return fg_fail(err, FG_EIO, "cannot %s '%s': %s%s%s", doing, path, words,
                       os ? ": " : "", os ? strerror(os) : "");
    }
}

enum fg_status fg_sqlite_exec(sqlite3 *db, const char *path, const char *doing,
                              const char *sql, struct fg_err *err)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return FG_OK;
    return fg_sqlite_fail(err, db, path, doing);
}

enum fg_status fg_sqlite_int(sqlite3 *db, const char *path, const char *sql,
                             int64_t *value, struct fg_err *err)
{
    *value = 0;
    sqlite3_stmt *stmt = NULL;
    enum fg_status st = FG_OK;
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK ||
        sqlite3_step(stmt) != SQLITE_ROW)
        st = fg_sqlite_fail(err, db, path, "read");
    else
        *value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return st;
}

enum fg_status fg_sqlite_check(sqlite3 *db, const char *path, struct fg_err *err)
{
    sqlite3_stmt *stmt = NULL;
    enum fg_status st = FG_OK;
    if (sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &stmt, NULL) != SQLITE_OK ||
        sqlite3_step(stmt) != SQLITE_ROW)
        st = fg_sqlite_fail(err, db, path, "check");
    else if (strcmp((const char *)sqlite3_column_text(stmt, 0), "ok") != 0)
        st = fg_sqlite_damaged(err, path, (const char *)sqlite3_column_text(stmt, 0));
    sqlite3_finalize(stmt);
    return st;
}

/* --- the file and its lock --- */

/* Absolute and with links resolved, so that two names of one file meet at one lock and a
 * later chdir changes nothing. The file itself need not exist. */
static char *resolve(const char *path)
{
    char *file = realpath(path, NULL);
    if (file)
        return file;
    const char *slash = strrchr(path, '/');
    char *folder = NULL, *real = NULL;
    if (asprintf(&folder, "%.*s", slash ? (int)(slash - path + 1) : 1,
                 slash ? path : ".") < 0)
        fg_out_of_memory();
    real = realpath(folder, NULL);
    if (asprintf(&file, "%s/%s", real ? real : folder, slash ? slash + 1 : path) < 0)
        fg_out_of_memory();
    free(folder);
    free(real);
    return file;
}

static int64_t size_of(const char *file, const char *suffix)
{
    char *name;
    struct stat info;
    if (asprintf(&name, "%s%s", file, suffix) < 0)
        fg_out_of_memory();
    int64_t bytes = stat(name, &info) == 0 ? (int64_t)info.st_size : -1;
    free(name);
    return bytes;
}

static int open_lock(const char *file, int flags)
{
    char *name;
    if (asprintf(&name, "%s.lock", file) < 0)
        fg_out_of_memory();
    int fd = open(name, flags | O_CLOEXEC, 0666);
    int why = errno;
    free(name);
    errno = why;
    return fd;
}

static int64_t read_holder(int fd)
{
    char text[32] = "";
    uint64_t pid = 0;
    ssize_t n = pread(fd, text, sizeof text - 1, 0);
    if (n > 0)
        fg_str_to_u64(fg_str_trim((struct fg_str){text, (size_t)n}), &pid);
    return (int64_t)pid;
}

int64_t fg_store_writer(const char *path)
{
    char *file = resolve(path);
    int fd = open_lock(file, O_RDONLY);
    free(file);
    if (fd < 0)
        return -1;
    bool is_held = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    int64_t pid = is_held ? read_holder(fd) : -1;
    close(fd);
    return pid;
}

/* Somebody may be asking fg_store_writer at this very moment: a lock that is only in
 * passing does not turn us away. */
static bool lock_file(int fd)
{
    enum { TRIES = 5 };
    for (int i = 0; flock(fd, LOCK_EX | LOCK_NB); i++) {
        if (errno != EWOULDBLOCK || i == TRIES)
            return false;
        usleep(10000);
    }
    return true;
}

static enum fg_status tell_holder(int fd, const char *path, struct fg_err *err)
{
    int64_t pid = read_holder(fd);
    if (pid)
        return fg_fail(err, FG_EIO, "'%s' is in use: process %lld writes to it", path,
                       (long long)pid);
    return fg_fail(err, FG_EIO, "'%s' is in use: another process writes to it", path);
}

/* A courtesy to whoever comes second: the lock holds without it. */
static void note_holder(int fd)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    bool noted = !ftruncate(fd, 0) && pwrite(fd, text, (size_t)n, 0) == n;
    (void)noted;
}

static enum fg_status take_lock(struct fg_store *store, struct fg_err *err)
{
    int fd = open_lock(store->file, O_RDWR | O_CREAT), why = errno;
    if (fd < 0)
        return fg_fail(err, why == ENOSPC || why == EDQUOT ? FG_EFULL : FG_EIO,
                       "cannot write to '%s': its lock file '%s.lock': %s", store->path,
                       store->path, strerror(why));
    if (!lock_file(fd)) {
        enum fg_status st = tell_holder(fd, store->path, err);
        close(fd);
        return st;
    }
    store->lock_fd = fd;
    note_holder(fd);
    return FG_OK;
}

/* --- opening --- */

static enum fg_status connect_writer(sqlite3 *db, const char *path, bool was_cut_short,
                                     int64_t file_bytes, struct fg_err *err)
{
    sqlite3_extended_result_codes(db, 1);
    sqlite3_busy_timeout(db, FG_BUSY_MS);
    enum fg_status st = fg_schema_check(db, path, false, err);
    if (!st && sqlite3_db_readonly(db, "main") == 1)
        st = fg_fail(err, FG_EIO, "cannot write to '%s': it is read-only", path);
    if (!st)
        st = fg_sqlite_exec(db, path, "prepare",
                            "PRAGMA auto_vacuum = NONE;"
                            "PRAGMA journal_mode = WAL;"
                            "PRAGMA synchronous = FULL;"
                            "PRAGMA wal_autocheckpoint = 0;"
                            "PRAGMA journal_size_limit = 67108864;"
                            "PRAGMA cache_size = -65536;"
                            "PRAGMA secure_delete = OFF;"
                            "PRAGMA temp_store = MEMORY;"
                            "PRAGMA trusted_schema = OFF;",
                            err);
    if (!st && was_cut_short && file_bytes <= CHECKED_BYTES)
        st = fg_sqlite_check(db, path, err);
    if (!st)
        st = fg_schema_migrate(db, path, fg_time_now(), err);
    return st;
}

static enum fg_status open_for_writing(struct fg_store *store, struct fg_err *err)
{
    enum fg_status st = take_lock(store, err);
    if (st)
        return st;
    /* The last one to close removes the journal: one that is still there was left by a
     * crash. SQLite replays it up to the last whole commit. */
    bool was_cut_short = size_of(store->file, "-wal") > 0;
    sqlite3 *db = NULL;
    if (sqlite3_open_v2(store->file, &db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK)
        st = fg_sqlite_fail(err, db, store->path, "open");
    else
        st =
            connect_writer(db, store->path, was_cut_short, size_of(store->file, ""), err);
    if (st) {
        sqlite3_close(db);
        return st;
    }
    st = fg_tables_new(&store->tables, db, store->path, &store->options, err);
    if (!st)
        st = fg_readers_start(store, err);
    if (!st)
        st = fg_writer_start(store, err);
    return st;
}

static struct fg_store *new_store(const char *path,
                                  const struct fg_store_options *options)
{
    struct fg_store *store = calloc(1, sizeof *store);
    char *name = strdup(path);
    if (!store || !name)
        fg_out_of_memory();
    store->options = options ? *options : (struct fg_store_options){0};
    if (!store->options.flush_every)
        store->options.flush_every = 100 * FG_MILLISECOND;
    if (!store->options.body_depth)
        store->options.body_depth = 1;
    if (!store->options.value_depth)
        store->options.value_depth = 100;
    store->path = name;
    store->file = resolve(path);
    store->lock_fd = store->wakeup_fd = -1;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&store->lock, NULL);
    pthread_cond_init(&store->work, &monotonic);
    pthread_cond_init(&store->done, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return store;
}

static void free_store(struct fg_store *store)
{
    fg_readers_clear(store);
    fg_tables_free(store->tables);
    while (store->spare) {
        struct fg_batch *batch = store->spare;
        store->spare = batch->next;
        fg_batch_free(batch);
    }
    if (store->wakeup_fd >= 0)
        close(store->wakeup_fd);
    if (store->lock_fd >= 0)
        close(store->lock_fd);
    pthread_cond_destroy(&store->work);
    pthread_cond_destroy(&store->done);
    pthread_mutex_destroy(&store->lock);
    free(store->path);
    free(store->file);
    free(store);
}

enum fg_status fg_store_open(struct fg_store **store, const char *path,
                             const struct fg_store_options *options, struct fg_err *err)
{
    *store = NULL;
    struct fg_store *opened = new_store(path, options);
    enum fg_status st;
    if (opened->options.read_only && size_of(opened->file, "") < 0)
        st = fg_fail(err, errno == ENOENT ? FG_ENOTFOUND : FG_EIO, "cannot open '%s': %s",
                     path, strerror(errno));
    else if (opened->options.read_only)
        st = fg_readers_start(opened, err);
    else
        st = open_for_writing(opened, err);
    if (st)
        free_store(opened);
    else
        *store = opened;
    return st;
}

enum fg_status fg_store_close(struct fg_store *store, struct fg_err *err)
{
    if (!store)
        return FG_OK;
    enum fg_status st = store->options.read_only ? FG_OK : fg_writer_stop(store, err);
    free_store(store);
    return st;
}
