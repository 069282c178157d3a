/* Where the file is, and keeping other writers out.
 *
 * The file itself is opened by SQLite only: closing any other descriptor of it would drop
 * the POSIX locks of every connection of this process. Our own lock is therefore a file
 * beside it, locked with flock, which the kernel releases however the process ends. */
#include "store/sqlite/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Absolute and with links resolved, so that two names of one file meet at one lock and a
 * later chdir changes nothing. The file itself need not exist. */
char *fg_sqlite_resolve(const char *path)
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

static bool look_at(const char *file, const char *suffix, struct stat *info)
{
    char *name;
    if (asprintf(&name, "%s%s", file, suffix) < 0)
        fg_out_of_memory();
    bool is_there = stat(name, info) == 0;
    free(name);
    return is_there;
}

int64_t fg_sqlite_size(const char *file, const char *suffix)
{
    struct stat info;
    return look_at(file, suffix, &info) ? (int64_t)info.st_size : -1;
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

char *fg_sqlite_path(const char *place)
{
    char *path;
    struct stat info;
    bool is_file = stat(place, &info) == 0
                       ? !S_ISDIR(info.st_mode)
                       : fg_str_ends(fg_str_from(place), FG_STR(".db"));
    if (asprintf(&path, "%s%s", place, is_file ? "" : "/forage.db") < 0)
        fg_out_of_memory();
    return path;
}

bool fg_sqlite_exists(const char *place)
{
    char *path = fg_sqlite_path(place);
    bool exists = fg_sqlite_size(path, "") >= 0;
    free(path);
    return exists;
}

int64_t fg_sqlite_writer(const char *place)
{
    char *path = fg_sqlite_path(place), *file = fg_sqlite_resolve(path);
    int fd = open_lock(file, O_RDONLY);
    free(path);
    free(file);
    if (fd < 0)
        return -1;
    bool is_held = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    int64_t pid = is_held ? read_holder(fd) : -1;
    close(fd);
    return pid;
}

/* Somebody may be asking fg_sqlite_writer at this very moment: a lock that is only in
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

enum fg_status fg_sqlite_lock(int *held, const char *file, const char *path,
                              struct fg_err *err)
{
    int fd = open_lock(file, O_RDWR | O_CREAT), why = errno;
    *held = -1;
    if (fd < 0)
        return fg_fail(err, why == ENOSPC || why == EDQUOT ? FG_EFULL : FG_EIO,
                       "cannot write to '%s': its lock file '%s.lock': %s", path, path,
                       strerror(why));
    if (!lock_file(fd)) {
        enum fg_status st = tell_holder(fd, path, err);
        close(fd);
        return st;
    }
    *held = fd;
    note_holder(fd);
    return FG_OK;
}

uint64_t fg_sqlite_inode(const char *file)
{
    struct stat info;
    return look_at(file, "", &info) ? (uint64_t)info.st_ino : 0;
}

enum fg_status fg_sqlite_still_ours(int *fd, const char *file, const char *path,
                                    uint64_t inode, struct fg_err *err)
{
    if (fg_sqlite_inode(file) != inode)
        return fg_fail(
            err, FG_EIO,
            "'%s' was deleted or replaced while a crawl wrote to it; start the "
            "crawl again, with a copy of the file if there is one",
            path);
    struct stat held, named;
    if (look_at(file, ".lock", &named) && fstat(*fd, &held) == 0 &&
        held.st_ino == named.st_ino && held.st_dev == named.st_dev)
        return FG_OK;
    int again = -1;
    enum fg_status st = fg_sqlite_lock(&again, file, path, err);
    if (st)
        return st;
    close(*fd);
    *fd = again;
    return FG_OK;
}
