/* A file is written exactly once a line, by four rules. Where our lines begin is on disk
 * before the first of them is written; lines are on disk before the store hears that they
 * were delivered; at the start whatever stands behind the known end and reads like the
 * lines to come is cut off, to come again; and lines that could not be written or synced
 * to their end are taken back at once. Lines of somebody else are left alone. What cannot
 * be taken back, from a descriptor, is gone on with at the byte where it stopped. */
#include "crawl/output/lines.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "crawl/output/cursor.h"
#include "crawl/output/news.h"
#include "crawl/output/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { AT_ONCE = 512, MOST_TEXT = 64 << 20 };
static const uint64_t not_noted = UINT64_MAX;

struct fg_lines {
    struct fg_cursor cursor; /* its position is where the file ends */
    char *name;              /* of a file: its full path */
    int fd;
    bool is_file;   /* has a position, and is ours to close */
    bool is_closed; /* a pipe whose reader has gone */
    bool is_terminal;
    const struct fg_opt_list *kinds; /* or NULL; the settings' */
    struct fg_buf text;              /* lines on their way, */
    size_t written;                  /* so much of them is there, */
    uint64_t last;                   /* and they end with this event */
    void (*on_closed)(void *context);
    void *context;
};

static struct fg_lines *new_lines(struct fg_store *store, const char *name, int fd,
                                  const struct fg_opt_list *kinds)
{
    struct fg_lines *lines = fg_zeroed(1, sizeof *lines);
    lines->name = strdup(name);
    if (!lines->name)
        fg_out_of_memory();
    lines->cursor = (struct fg_cursor){.store = store, .name = lines->name};
    lines->fd = fd;
    fg_buf_init(&lines->text, MOST_TEXT);
    lines->kinds = kinds;
    return lines;
}

void fg_lines_free(struct fg_lines *lines)
{
    if (!lines)
        return;
    if (lines->is_file && lines->fd >= 0)
        close(lines->fd);
    free(lines->name);
    fg_buf_clear(&lines->text);
    free(lines);
}

static bool wants(const struct fg_lines *lines, const struct fg_event_row *event)
{
    enum fg_news_kind kind = fg_news_kind(event->kind);
    if (kind == FG_KINDS) /* of an older or newer program: not ours to judge */
        return true;
    if (!lines->kinds || !lines->kinds->len)
        return kind == FG_KIND_NEW || kind == FG_KIND_ALARM;
    for (size_t i = 0; i < lines->kinds->len; i++)
        if (fg_news_kind(lines->kinds->at[i]) == kind)
            return true;
    return false;
}

/* --- writing --- */

static enum fg_status failed_to_write(const struct fg_lines *lines, struct fg_err *err)
{
    bool is_full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
    return fg_fail(err, is_full ? FG_EFULL : FG_EIO, "cannot write to '%s': %s",
                   lines->name, strerror(errno));
}

/* Adds to `done` what was written, also if it fails. */
static enum fg_status write_from(struct fg_lines *lines, struct fg_str text, size_t *done,
                                 struct fg_err *err)
{
    while (*done < text.len) {
        ssize_t n = write(lines->fd, text.at + *done, text.len - *done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN) {
            poll(&(struct pollfd){.fd = lines->fd, .events = POLLOUT}, 1, -1);
            continue;
        }
        if (n < 0 && errno == EPIPE) {
            lines->is_closed = true;
            return FG_OK;
        }
        if (n < 0)
            return failed_to_write(lines, err);
        lines->cursor.position += (uint64_t)n;
        *done += (size_t)n;
    }
    return FG_OK;
}

/* A line that was cut off by a crash, or by an editor, must not swallow our first one. */
static enum fg_status end_last_line(struct fg_lines *lines, int readable, uint64_t size,
                                    struct fg_err *err)
{
    char last;
    size_t done = 0;
    if (!size || pread(readable, &last, 1, (off_t)size - 1) != 1 || last == '\n')
        return FG_OK;
    return write_from(lines, FG_STR("\n"), &done, err);
}

/* --- files --- */

struct comparison {
    const struct fg_lines *lines;
    uint64_t at, end;
    bool is_same;
};

static bool compare_line(void *context, const struct fg_event_row *event)
{
    struct comparison *c = context;
    char there[4096];
    if (!wants(c->lines, event))
        return true;
    for (size_t done = 0; done <= event->json.len && c->at < c->end && c->is_same;) {
        struct fg_str rest = fg_str_skip(event->json, done);
        struct fg_str piece = rest.len ? rest : FG_STR("\n");
        uint64_t n = piece.len < sizeof there ? piece.len : sizeof there;
        n = n < c->end - c->at ? n : c->end - c->at;
        c->is_same = pread(c->lines->fd, there, n, (off_t)c->at) == (ssize_t)n &&
                     memcmp(there, piece.at, n) == 0;
        c->at += n;
        done += n;
    }
    return c->at < c->end && c->is_same;
}

/* Is all that stands behind the position the beginning of what we are about to write? */
static bool is_our_tail(const struct fg_lines *lines, uint64_t size)
{
    struct comparison c = {lines, lines->cursor.position, size, true};
    return !fg_cursor_read(&lines->cursor, SIZE_MAX, compare_line, &c, NULL) &&
           c.is_same && c.at == c.end;
}

static enum fg_status open_file(struct fg_lines *lines, struct fg_err *err)
{
    lines->fd = open(lines->name, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    return lines->fd < 0 ? failed_to_write(lines, err) : FG_OK;
}

static enum fg_status look_at(const struct fg_lines *lines, struct stat *info,
                              struct fg_err *err)
{
    if (fstat(lines->fd, info) == 0)
        return FG_OK;
    return fg_fail(err, FG_EIO, "cannot look at '%s': %s", lines->name, strerror(errno));
}

/* Before lines are written: if the file was rotated away, or somebody cut or lengthened
 * it, go on at the end of what is there now, and have that on disk first. */
static enum fg_status make_ready(struct fg_lines *lines, struct fg_err *err)
{
    struct stat held = {0}, named;
    enum fg_status st = FG_OK;
    if (lines->fd >= 0)
        st = look_at(lines, &held, err);
    if (st || (lines->fd >= 0 && !S_ISREG(held.st_mode)))
        return st;
    if (lines->fd < 0 || stat(lines->name, &named) || named.st_ino != held.st_ino ||
        named.st_dev != held.st_dev) {
        if (lines->fd >= 0)
            close(lines->fd);
        st = open_file(lines, err);
        lines->cursor.position = not_noted;
        if (!st)
            st = look_at(lines, &held, err);
    }
    if (st)
        return st;
    uint64_t size = (uint64_t)held.st_size;
    if (lines->cursor.position == size)
        return FG_OK;
    lines->cursor.position = size;
    st = end_last_line(lines, lines->fd, size, err);
    if (!st)
        st = fg_cursor_sync(&lines->cursor, err);
    if (st)
        lines->cursor.position = not_noted;
    return st;
}

/* Two paths to one file are one output. */
static void use_full_path(struct fg_lines *lines)
{
    char *full = realpath(lines->name, NULL);
    if (!full)
        return;
    free(lines->name);
    lines->cursor.name = lines->name = full;
}

/* Cut off what a delivery left behind that the store never heard of. */
static enum fg_status cut_back(struct fg_lines *lines, struct fg_err *err)
{
    struct stat info;
    enum fg_status st = look_at(lines, &info, err);
    if (st || (uint64_t)info.st_size <= lines->cursor.position ||
        !is_our_tail(lines, (uint64_t)info.st_size) ||
        ftruncate(lines->fd, (off_t)lines->cursor.position) == 0)
        return st;
    return fg_fail(err, FG_EIO, "cannot cut '%s': %s", lines->name, strerror(errno));
}

static enum fg_status begin_file(struct fg_lines *lines, struct fg_err *err)
{
    enum fg_status st = open_file(lines, err);
    if (st)
        return st;
    use_full_path(lines);
    st = fg_cursor_recall(&lines->cursor, err);
    if (!st)
        st = cut_back(lines, err);
    else if (st == FG_ENOTFOUND) {
        lines->cursor.position = not_noted;
        st = FG_OK;
    }
    return st ? st : make_ready(lines, err);
}

enum fg_status fg_lines_to_file(struct fg_lines **result, struct fg_store *store,
                                const char *path, const struct fg_opt_list *kinds,
                                struct fg_err *err)
{
    *result = NULL;
    struct fg_lines *lines = new_lines(store, path, -1, kinds);
    lines->is_file = true;
    enum fg_status st = begin_file(lines, err);
    if (st)
        fg_lines_free(lines);
    else
        *result = lines;
    return st;
}

/* --- descriptors --- */

/* What a shell opened with >> may end in a line that a kill cut in two. */
static enum fg_status end_line_of_descriptor(struct fg_lines *lines, struct fg_err *err)
{
    struct stat info;
    if (fstat(lines->fd, &info) || !S_ISREG(info.st_mode) ||
        !(fcntl(lines->fd, F_GETFL) & O_APPEND))
        return FG_OK;
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", lines->fd);
    int readable = open(path, O_RDONLY | O_CLOEXEC);
    enum fg_status st = end_last_line(lines, readable, (uint64_t)info.st_size, err);
    if (readable >= 0)
        close(readable);
    return st;
}

enum fg_status fg_lines_to_descriptor(struct fg_lines **result, struct fg_store *store,
                                      const char *name, int fd,
                                      const struct fg_opt_list *kinds, struct fg_err *err)
{
    *result = NULL;
    struct fg_lines *lines = new_lines(store, name, fd, kinds);
    lines->is_terminal = isatty(fd);
    enum fg_status st = fg_cursor_recall(&lines->cursor, err);
    if (!st || st == FG_ENOTFOUND)
        st = end_line_of_descriptor(lines, err);
    if (st)
        fg_lines_free(lines);
    else
        *result = lines;
    return st;
}

/* --- delivering --- */

static bool take_line(void *context, const struct fg_event_row *event)
{
    struct fg_lines *lines = context;
    lines->last = event->number;
    if (!wants(lines, event))
        return true;
    if (lines->is_terminal) /* an older store may have what acts on it */
        fg_plain_pass(&lines->text, event->json);
    else
        fg_buf_add(&lines->text, event->json);
    fg_buf_add_char(&lines->text, '\n');
    return true;
}

static bool is_underway(const struct fg_lines *lines)
{
    return lines->last > lines->cursor.number;
}

static void set_text_aside(struct fg_lines *lines)
{
    lines->last = lines->cursor.number;
    lines->written = 0;
    fg_buf_reset(&lines->text);
}

/* A file is as it was, unless somebody else has written to it meanwhile: then the rest is
 * to follow, as to what is no file. */
static void take_back(struct fg_lines *lines)
{
    struct stat info;
    uint64_t before = lines->cursor.position - lines->written;
    if (!lines->is_file || lines->cursor.position == not_noted ||
        fstat(lines->fd, &info) || !S_ISREG(info.st_mode) ||
        (uint64_t)info.st_size != lines->cursor.position ||
        ftruncate(lines->fd, (off_t)before))
        return;
    lines->cursor.position = before;
    set_text_aside(lines);
}

static enum fg_status write_text(struct fg_lines *lines, struct fg_err *err)
{
    enum fg_status st =
        lines->is_file && !lines->written ? make_ready(lines, err) : FG_OK;
    if (!st)
        st = write_from(lines, fg_buf_str(&lines->text), &lines->written, err);
    /* A pipe cannot be synced (EINVAL), and need not be. */
    if (!st && lines->is_file && !lines->is_closed && fdatasync(lines->fd) != 0 &&
        errno != EINVAL)
        st = failed_to_write(lines, err);
    if (st)
        take_back(lines);
    return st;
}

/* In order, and the store hears of it when it is done; but it does not wait for that. */
enum fg_status fg_lines_deliver(struct fg_lines *lines, struct fg_err *err)
{
    while (!lines->is_closed) {
        enum fg_status st = FG_OK;
        if (!is_underway(lines)) {
            set_text_aside(lines);
            st = fg_cursor_read(&lines->cursor, AT_ONCE, take_line, lines, err);
        }
        if (st || !is_underway(lines))
            return st;
        st = write_text(lines, err);
        if (st || lines->is_closed)
            return st;
        lines->cursor.number = lines->last;
        fg_cursor_save(&lines->cursor);
    }
    return FG_OK;
}

bool fg_lines_are_closed(const struct fg_lines *lines)
{
    return lines->is_closed;
}

/* --- as outputs --- */

struct stdout_settings {
    struct fg_opt_list kinds;
};

struct file_settings {
    struct fg_str path;
};

/* Standard output and the file share output.kinds. */
static const struct fg_opt_list *kinds_of(const struct fg_output_env *env)
{
    const struct stdout_settings *own =
        fg_output_settings_of(env->settings, &fg_output_stdout);
    return own ? &own->kinds : NULL;
}

static enum fg_status open_stdout(void **output, const struct fg_output_env *env,
                                  const void *settings, struct fg_err *err)
{
    (void)settings;
    if (env->events_fd < 0)
        return FG_OK;
    struct fg_lines *lines;
    enum fg_status st = fg_lines_to_descriptor(&lines, env->store, "stdout",
                                               env->events_fd, kinds_of(env), err);
    if (st)
        return st;
    lines->on_closed = env->on_closed;
    lines->context = env->context;
    *output = lines;
    return FG_OK;
}

static enum fg_status open_events_file(void **output, const struct fg_output_env *env,
                                       const void *settings, struct fg_err *err)
{
    const struct file_settings *own = settings;
    if (!own || !own->path.len)
        return FG_OK;
    struct fg_lines *lines;
    enum fg_status st =
        fg_lines_to_file(&lines, env->store, own->path.at, kinds_of(env), err);
    *output = lines;
    return st;
}

static enum fg_status poke(void *output, struct fg_err *err)
{
    struct fg_lines *lines = output;
    bool was_closed = lines->is_closed;
    enum fg_status st = fg_lines_deliver(lines, err);
    if (lines->is_closed && !was_closed && lines->on_closed)
        lines->on_closed(lines->context);
    return st;
}

static uint64_t delivered(const void *output)
{
    return ((const struct fg_lines *)output)->cursor.number;
}

static void close_lines(void *output)
{
    fg_lines_free(output);
}

static const struct fg_opt stdout_opts[] = {
    {"output.kinds", FG_LIST(struct stdout_settings, kinds), "new,alarm",
     .arg = "KIND,...", .refuse = fg_news_refuse_kind, .is_live = true,
     .help =
         "events written as JSON lines: new pages, changed documents, alarms of sites"},
    {0},
};

const struct fg_output_kind fg_output_stdout = {
    .name = "standard output",
    .opts = stdout_opts,
    .settings_size = sizeof(struct stdout_settings),
    .rereads = true,
    .open = open_stdout,
    .poke = poke,
    .delivered = delivered,
    .close = close_lines,
};

static const struct fg_opt file_opts[] = {
    {"output.file", FG_STRING(struct file_settings, path), .arg = "FILE", .is_live = true,
     .help = "append discoveries to this file as JSON lines"},
    {0},
};

static enum fg_status check_file(const void *settings, struct fg_err *err)
{
    const struct file_settings *own = settings;
    enum fg_status st = own->path.len ? fg_file_check(own->path.at, err) : FG_OK;
    return st ? fg_err_within(err, FG_ECONFIG, "output.file") : FG_OK;
}

const struct fg_output_kind fg_output_file = {
    .name = "output.file",
    .opts = file_opts,
    .settings_size = sizeof(struct file_settings),
    .check = check_file,
    .open = open_events_file,
    .poke = poke,
    .delivered = delivered,
    .close = close_lines,
};
