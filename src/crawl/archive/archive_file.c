#include "crawl/archive/archive_file.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char open_suffix[] = ".open";

static enum fg_status failed(const struct fg_archive_file *file, const char *what,
                             struct fg_err *err)
{
    bool is_full = errno == ENOSPC || errno == EDQUOT;
    return fg_fail(err, is_full ? FG_EFULL : FG_EIO, "cannot %s the archive '%s': %s",
                   what, file->open_path, strerror(errno));
}

static void begin(struct fg_archive_file *file, struct fg_str path)
{
    *file = (struct fg_archive_file){.fd = -1};
    file->path = strndup(path.at, path.len);
    if (!file->path || asprintf(&file->open_path, "%s%s", file->path, open_suffix) < 0)
        fg_out_of_memory();
}

void fg_archive_file_drop(struct fg_archive_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    free(file->path);
    free(file->open_path);
    fg_arena_clear(&file->arena);
    *file = (struct fg_archive_file){.fd = -1};
}

/* The index is in the arena beside it, so it is set where the struct stays. */
static void begin_index(struct fg_archive_file *file)
{
    file->index = (struct fg_warc_index){.arena = &file->arena};
    file->index.filename = fg_path_name(fg_str_from(file->path));
}

enum fg_status fg_archive_file_new(struct fg_archive_file *file, const char *path,
                                   bool gzip, struct fg_err *err)
{
    begin(file, fg_str_from(path));
    begin_index(file);
    file->gzip = gzip;
    enum fg_status st = FG_OK;
    if (access(path, F_OK) == 0)
        st = fg_fail(err, FG_ECONFIG, "'%s' is there already", path);
    else
        file->fd = open(file->open_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (!st && file->fd < 0)
        st = errno == EEXIST ? fg_fail(err, FG_ECONFIG,
                                       "'%s' is there already: a run that "
                                       "was killed left it, or one that "
                                       "goes on writes it",
                                       file->open_path)
                             : failed(file, "make", err);
    if (!st && flock(file->fd, LOCK_EX | LOCK_NB) != 0)
        st = failed(file, "lock", err);
    if (st)
        fg_archive_file_drop(file);
    return st;
}

/* --- after a kill --- */

/* All records of a file name the warcinfo record at its head. */
static bool read_warcinfo(struct fg_archive_file *file)
{
    struct fg_warc *warc;
    struct fg_warc_record record;
    bool is_there = false;
    if (fg_warc_open(&warc, file->open_path, NULL))
        return false;
    file->gzip = fg_warc_is_gzip(warc);
    if (fg_warc_next(warc, &record, NULL) && fg_warc_is(&record, "warcinfo") &&
        record.id.len < FG_WARC_ID) {
        memcpy(file->warcinfo, record.id.at, record.id.len);
        is_there = true;
    }
    fg_warc_close(warc);
    return is_there;
}

static enum fg_status cut_back(struct fg_archive_file *file, uint64_t *cut_bytes,
                               struct fg_err *err)
{
    struct stat about;
    struct fg_err damage = {0};
    if (fstat(file->fd, &about) != 0)
        return failed(file, "look at", err);
    enum fg_status st = fg_warc_index_file(&file->index, file->open_path, &damage);
    if (st == FG_EIO)
        return fg_fail(err, st, "%s", damage.text);
    file->bytes = file->index.good;
    *cut_bytes = (uint64_t)about.st_size - file->bytes;
    if (*cut_bytes && ftruncate(file->fd, (off_t)file->bytes) != 0)
        return failed(file, "cut back", err);
    if (lseek(file->fd, 0, SEEK_END) < 0)
        return failed(file, "go on with", err);
    return FG_OK;
}

enum fg_status fg_archive_file_mend(struct fg_archive_file *file, const char *open_path,
                                    uint64_t *cut_bytes, struct fg_err *err)
{
    struct fg_str path = fg_str_from(open_path);
    *cut_bytes = 0;
    begin(file, fg_str_sub(path, 0, path.len - strlen(open_suffix)));
    begin_index(file);
    file->fd = open(file->open_path, O_RDWR | O_CLOEXEC);
    enum fg_status st = file->fd < 0 ? failed(file, "open", err) : FG_OK;
    if (!st && flock(file->fd, LOCK_EX | LOCK_NB) != 0) {
        fg_archive_file_drop(file);
        return FG_OK;
    }
    if (!st)
        st = cut_back(file, cut_bytes, err);
    if (!st && (!file->bytes || !read_warcinfo(file))) {
        if (!file->bytes && unlink(file->open_path) != 0)
            st = failed(file, "remove", err);
        fg_archive_file_drop(file);
        return st;
    }
    if (st)
        fg_archive_file_drop(file);
    return st;
}

/* --- writing --- */

enum fg_status fg_archive_file_add(struct fg_archive_file *file, struct fg_str bytes,
                                   struct fg_err *err)
{
    for (struct fg_str rest = bytes; rest.len;) {
        ssize_t n = write(file->fd, rest.at, rest.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            enum fg_status st = failed(file, "write to", err);
            if (ftruncate(file->fd, (off_t)file->bytes) == 0)
                lseek(file->fd, 0, SEEK_END);
            return st;
        }
        rest = fg_str_skip(rest, (size_t)n);
    }
    file->bytes += bytes.len;
    return FG_OK;
}

enum fg_status fg_archive_file_sync(struct fg_archive_file *file, struct fg_err *err)
{
    return file->fd >= 0 && fdatasync(file->fd) != 0 ? failed(file, "sync", err) : FG_OK;
}

static enum fg_status write_index(struct fg_archive_file *file, struct fg_err *err)
{
    struct fg_buf text;
    fg_buf_init(&text, SIZE_MAX);
    fg_warc_index_text(&file->index, &text);
    const char *path = fg_warc_index_path(&file->arena, fg_str_from(file->path)).at;
    enum fg_status st = fg_file_replace(path, fg_buf_str(&text), err);
    fg_buf_clear(&text);
    return st;
}

/* The index first: a file under its own name always has one. */
enum fg_status fg_archive_file_finish(struct fg_archive_file *file, struct fg_err *err)
{
    enum fg_status st = fg_archive_file_sync(file, err);
    if (!st)
        st = write_index(file, err);
    if (!st && rename(file->open_path, file->path) != 0)
        st = failed(file, "rename", err);
    fg_archive_file_drop(file);
    return st;
}
