#include "base/file.h"

#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

const char *fg_file_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static enum fg_status read_stream(FILE *f, struct fg_buf *buf, const char *path,
                                  struct fg_err *err)
{
    enum { CHUNK = 1 << 16 };
    static const char too_long[] = "'%s' is larger than %zu bytes";
    char chunk[CHUNK];
    size_t n;
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
        if (!fg_buf_add(buf, (struct fg_str){chunk, n}))
            return fg_fail(err, FG_ELIMIT, too_long, fg_file_name(path), buf->max);
    if (ferror(f))
        return fg_fail(err, FG_EIO, "cannot read '%s': %s", fg_file_name(path),
                       strerror(errno));
    return FG_OK;
}

enum fg_status fg_file_read(struct fg_str *text, struct fg_arena *arena, const char *path,
                            size_t max_bytes, struct fg_err *err)
{
    *text = (struct fg_str){0};
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *f = is_stdin ? stdin : fopen(path, "rbe");
    if (!f)
        return fg_fail(err, errno == ENOENT ? FG_ENOTFOUND : FG_EIO,
                       "cannot open '%s': %s", path, strerror(errno));
    struct fg_buf buf;
    fg_buf_init(&buf, max_bytes);
    enum fg_status st = read_stream(f, &buf, path, err);
    if (!st)
        *text = fg_arena_dup(arena, fg_buf_str(&buf));
    fg_buf_clear(&buf);
    if (!is_stdin)
        fclose(f);
    return st;
}

static enum fg_status io_failure(struct fg_err *err, const char *what, const char *path)
{
    bool full = errno == ENOSPC || errno == EDQUOT;
    return fg_fail(err, full ? FG_EFULL : FG_EIO, "cannot %s '%s': %s", what, path,
                   strerror(errno));
}

bool fg_file_write_all(int fd, struct fg_str text)
{
    while (text.len) {
        ssize_t n = write(fd, text.at, text.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text = fg_str_skip(text, (size_t)n);
    }
    return true;
}

const char *fg_file_folder(struct fg_arena *arena, const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    while (n && path[n - 1] != '/')
        n--;
    while (n > 1 && path[n - 1] == '/')
        n--;
    return n ? fg_arena_cstr(arena, (struct fg_str){path, n}) : ".";
}

/* The rename is durable only once the directory is synced too. */
static bool sync_directory(struct fg_arena *arena, const char *path)
{
    int fd = open(fg_file_folder(arena, path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok =
        fsync(fd) == 0 || errno == EINVAL; /* some file systems cannot, and need not */
    close(fd);
    return ok;
}

enum fg_status fg_file_replace(const char *path, struct fg_str text, struct fg_err *err)
{
    struct fg_replacement file;
    enum fg_status st = fg_replacement_open(&file, path, err);
    if (st)
        return st;
    if (fg_file_write_all(file.fd, text))
        return fg_replacement_finish(&file, err);
    st = io_failure(err, "write", path);
    fg_replacement_drop(&file);
    return st;
}

/* Where a link leads, so that it stays one. */
static char *end_of_links(const char *path)
{
    struct stat info;
    bool is_link = lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
    char *end = is_link ? realpath(path, NULL) : NULL;
    end = end ? end : strdup(path);
    if (!end)
        fg_out_of_memory();
    return end;
}

/* Pipes, terminals and other devices are written to; nothing else could take their place.
 */
static bool is_device(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

/* Who may not read what is there may not read what comes in its place. A file or a link
 * that somebody put there is not written through: it goes, or it is an error. */
static int create(const char *beside, const char *target)
{
    struct stat info;
    bool replaces = stat(target, &info) == 0 && S_ISREG(info.st_mode);
    mode_t mode = replaces ? info.st_mode & 0777 : 0666;
    unlink(beside);
    int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd >= 0 && replaces)
        fchmod(fd, mode); /* past the umask; if not, it stays narrower */
    return fd;
}

enum fg_status fg_replacement_open(struct fg_replacement *file, const char *path,
                                   struct fg_err *err)
{
    char *target = end_of_links(path), *beside = NULL;
    bool is_direct = is_device(target);
    /* The process id keeps two writers from sharing one half-written file. */
    if (!is_direct && asprintf(&beside, "%s.%ld.tmp", target, (long)getpid()) < 0)
        fg_out_of_memory();
    int fd = is_direct ? open(target, O_WRONLY | O_CLOEXEC) : create(beside, target);
    *file = (struct fg_replacement){fd, target, beside};
    if (file->fd >= 0)
        return FG_OK;
    enum fg_status st = io_failure(err, is_direct ? "open" : "create",
                                   is_direct ? file->path : file->beside);
    fg_replacement_drop(file);
    return st;
}

void fg_replacement_drop(struct fg_replacement *file)
{
    if (file->fd >= 0) {
        close(file->fd);
        if (file->beside)
            unlink(file->beside);
    }
    free(file->path);
    free(file->beside);
    *file = (struct fg_replacement){.fd = -1};
}

enum fg_status fg_replacement_finish(struct fg_replacement *file, struct fg_err *err)
{
    struct fg_arena arena = {0};
    enum fg_status st = FG_OK;
    /* What is no file, such as a terminal, cannot be synced and need not. */
    if (fsync(file->fd) != 0 && errno != EINVAL && errno != EROFS)
        st = io_failure(err, "write", file->path);
    else if (file->beside && rename(file->beside, file->path) != 0)
        st = io_failure(err, "replace", file->path);
    else if (file->beside && !sync_directory(&arena, file->path))
        st = io_failure(err, "sync the directory of", file->path);
    fg_arena_clear(&arena);
    if (!st) {
        close(file->fd);
        file->fd = -1;
    }
    fg_replacement_drop(file);
    return st;
}

enum fg_status fg_folder_check(const char *folder, struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct stat info;
    enum fg_status st = FG_OK;
    if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode))
        return fg_fail(err, FG_EIO, "there is no folder '%s': make it, or name another",
                       folder);
    char *trial = (char *)fg_arena_printf(&arena, "%s/.forage-XXXXXX", folder).at;
    if (!mkdtemp(trial))
        st = fg_fail(err, FG_EIO, "cannot write to the folder '%s': %s", folder,
                     strerror(errno));
    else
        rmdir(trial);
    fg_arena_clear(&arena);
    return st;
}

enum fg_status fg_file_check(const char *path, struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct stat info;
    enum fg_status st = FG_OK;
    if (stat(path, &info) != 0 && errno == ENOENT)
        st = fg_folder_check(fg_file_folder(&arena, path), err);
    else { /* a pipe that nobody reads yet is fine */
        int fd = open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0)
            close(fd);
        else if (errno != ENXIO)
            st = fg_fail(err, FG_EIO, "cannot write to '%s': %s", path, strerror(errno));
    }
    fg_arena_clear(&arena);
    return st;
}

uint64_t fg_files_allow(uint64_t wanted)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit))
        return 0;
    rlim_t before = limit.rlim_cur;
    if (before >= wanted)
        return before;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    return setrlimit(RLIMIT_NOFILE, &limit) ? before : limit.rlim_cur;
}

bool fg_line_next(FILE *f, struct fg_arena *arena, size_t max_bytes, struct fg_str *line,
                  struct fg_err *err)
{
    struct fg_buf buf;
    fg_buf_init(&buf, max_bytes < SIZE_MAX ? max_bytes + 1 : max_bytes); /* for a "\r" */
    int c;
    bool any = false;
    while ((c = getc_unlocked(f)) != EOF) {
        any = true;
        if (c == '\n' || !fg_buf_add_char(&buf, (char)c))
            break;
    }
    if (buf.len && buf.at[buf.len - 1] == '\r')
        buf.len--;
    if (buf.full || buf.len > max_bytes) {
        fg_fail(err, FG_ELIMIT, "a line is longer than %zu bytes", max_bytes);
        any = false;
    } else if (c == EOF && ferror(f)) { /* what came before may be half a line */
        fg_fail(err, FG_EIO, "cannot read: %s", strerror(errno));
        any = false;
    } else if (any) {
        *line = fg_arena_dup(arena, fg_buf_str(&buf));
    }
    fg_buf_clear(&buf);
    return any;
}
