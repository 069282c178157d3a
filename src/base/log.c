#include "base/log.h"

#include "base/file.h"
#include "base/json.h"
#include "base/plain.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const levels[] = {"error", "warn", "info", "debug", "trace", NULL};
static const char *const formats[] = {"text", "json", NULL};

const struct fg_opt fg_log_opts[] = {
    {"log.level", FG_ENUM(struct fg_log_settings, level, levels), "info",
     .help = "lowest level of the log lines that are written"},
    {"log.format", FG_ENUM(struct fg_log_settings, format, formats), "text",
     .help = "key=value lines, or a JSON object a line"},
    {"log.file", FG_STRING(struct fg_log_settings, file), .arg = "FILE",
     .help = "append log lines to this file instead of standard error"},
    {0},
};

/* Sanitised text grows at most sixfold ("\u001b"), so this holds any line whole. */
enum { LINE_MAX_BYTES = (FG_LOG_FIELDS_MAX + 4) * (6 * FG_LOG_VALUE_MAX + 128) };

static struct {
    pthread_mutex_t lock;
    atomic_int level;
    enum fg_log_format format;
    int fd;
    char *path; /* NULL for standard error */
    struct fg_buf line;
    uint64_t lost; /* lines that could not be written since the last that could */
    int why;       /* errno of that */
} the_log = {.lock = PTHREAD_MUTEX_INITIALIZER,
             .level = FG_LOG_WARN,
             .fd = STDERR_FILENO,
             .line = {.max = LINE_MAX_BYTES}};

static void add_number(struct fg_buf *out, const struct fg_log_field *field)
{
    struct fg_json json = fg_json_to(out);
    if (field->type == FG_FIELD_INT)
        fg_json_int(&json, field->i);
    else if (field->type == FG_FIELD_UINT)
        fg_json_uint(&json, field->u);
    else if (field->type == FG_FIELD_DOUBLE)
        fg_json_double(&json, field->d);
    else
        fg_json_bool(&json, field->u);
}

static bool is_bare(struct fg_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.at[i] <= ' ' || s.at[i] >= 0x7F || s.at[i] == '"' || s.at[i] == '\\' ||
            s.at[i] == '=')
            return false;
    return s.len > 0;
}

static void add_str(struct fg_buf *out, enum fg_log_format format, struct fg_str s)
{
    char cut[FG_LOG_VALUE_MAX + 4];
    if (s.len > FG_LOG_VALUE_MAX) {
        memcpy(cut, s.at, FG_LOG_VALUE_MAX);
        memcpy(cut + FG_LOG_VALUE_MAX, "...", 4);
        s = fg_str_from(cut);
        s.len = FG_LOG_VALUE_MAX + 3; /* a NUL may stand inside */
    }
    if (format == FG_LOG_TEXT && is_bare(s))
        fg_buf_add(out, s);
    else
        fg_plain_quote(out, s);
}

static void add_field(struct fg_buf *out, enum fg_log_format format,
                      const struct fg_log_field *field)
{
    if (format == FG_LOG_JSON)
        fg_buf_printf(out, ",\"%s\":", field->key);
    else
        fg_buf_printf(out, " %s=", field->key);
    if (field->type == FG_FIELD_STR)
        add_str(out, format, field->s);
    else
        add_number(out, field);
}

void fg_log_line(struct fg_buf *out, enum fg_log_format format, fg_time time,
                 enum fg_log_level level, const char *area, const char *message,
                 const struct fg_log_field *fields)
{
    char ts[FG_TIME_TEXT];
    fg_time_format(ts, time - time % FG_MILLISECOND);
    fg_buf_printf(out,
                  format == FG_LOG_JSON
                      ? "{\"ts\":\"%s\",\"level\":\"%s\",\"area\":\"%s\""
                      : "ts=%s level=%s area=%s",
                  ts, levels[level], area);
    struct fg_log_field msg = fg_field_cstr("msg", message);
    add_field(out, format, &msg);
    for (size_t i = 0; i < FG_LOG_FIELDS_MAX && fields[i].type; i++)
        add_field(out, format, &fields[i]);
    fg_buf_add(out, format == FG_LOG_JSON ? FG_STR("}\n") : FG_STR("\n"));
}

bool fg_log_wants(enum fg_log_level level)
{
    return (int)level <= atomic_load_explicit(&the_log.level, memory_order_relaxed);
}

/* A disk that was full and has room again: say how much is missing before going on. */
static void report_loss(fg_time now)
{
    const struct fg_log_field fields[] = {FG_F("lines", the_log.lost), {0}};
    fg_log_line(&the_log.line, the_log.format, now, FG_LOG_WARN, "log", "lines were lost",
                fields);
}

void fg_log_write(enum fg_log_level level, const char *area, const char *message,
                  const struct fg_log_field *fields)
{
    fg_time now = fg_time_now();
    int saved_errno = errno;
    pthread_mutex_lock(&the_log.lock);
    fg_buf_reset(&the_log.line);
    if (the_log.lost)
        report_loss(now);
    fg_log_line(&the_log.line, the_log.format, now, level, area, message, fields);
    if (fg_file_write_all(the_log.fd, fg_buf_str(&the_log.line))) {
        the_log.lost = 0;
    } else {
        the_log.lost++;
        the_log.why = errno;
    }
    pthread_mutex_unlock(&the_log.lock);
    errno = saved_errno;
}

static enum fg_status open_file(int *fd, const char *path, struct fg_err *err)
{
    *fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (*fd < 0)
        return fg_fail(err, FG_EIO, "cannot open the log file '%s': %s", path,
                       strerror(errno));
    return FG_OK;
}

static void replace_fd(int fd)
{
    if (the_log.fd != STDERR_FILENO)
        close(the_log.fd);
    the_log.fd = fd;
}

enum fg_status fg_log_open(const struct fg_log_settings *settings, struct fg_err *err)
{
    int fd = STDERR_FILENO;
    char *path = NULL;
    if (settings->file.len) {
        path = strndup(settings->file.at, settings->file.len);
        if (!path)
            fg_out_of_memory();
        enum fg_status st = open_file(&fd, path, err);
        if (st) {
            free(path);
            return st;
        }
    }
    pthread_mutex_lock(&the_log.lock);
    replace_fd(fd);
    free(the_log.path);
    the_log.path = path;
    the_log.format = (enum fg_log_format)settings->format;
    atomic_store_explicit(&the_log.level, settings->level, memory_order_relaxed);
    pthread_mutex_unlock(&the_log.lock);
    return FG_OK;
}

enum fg_status fg_log_reopen(struct fg_err *err)
{
    enum fg_status st = FG_OK;
    int fd;
    pthread_mutex_lock(&the_log.lock);
    if (the_log.path && !(st = open_file(&fd, the_log.path, err)))
        replace_fd(fd);
    pthread_mutex_unlock(&the_log.lock);
    return st;
}

static enum fg_status tell_loss(struct fg_err *err)
{
    if (!the_log.lost || !the_log.path)
        return FG_OK;
    bool full = the_log.why == ENOSPC || the_log.why == EDQUOT;
    return fg_fail(err, full ? FG_EFULL : FG_EIO,
                   "cannot write to the log file '%s': %s; lines lost: %" PRIu64,
                   the_log.path, strerror(the_log.why), the_log.lost);
}

enum fg_status fg_log_close(struct fg_err *err)
{
    pthread_mutex_lock(&the_log.lock);
    enum fg_status st = tell_loss(err);
    the_log.lost = 0;
    replace_fd(STDERR_FILENO);
    free(the_log.path);
    the_log.path = NULL;
    atomic_store_explicit(&the_log.level, FG_LOG_WARN, memory_order_relaxed);
    the_log.format = FG_LOG_TEXT;
    fg_buf_clear(&the_log.line);
    pthread_mutex_unlock(&the_log.lock);
    return st;
}
