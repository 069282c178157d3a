/* log.h - what happened, a line each
 *
 *     fg_log_info("fetch", "page fetched", FG_F("host", host), FG_F("status", 200));
 *
 *     ts=2026-11-15T21:02:18.042Z level=info area=fetch msg="page fetched" host=a.example
 * status=200
 *
 * The message is a literal, so that it can be found in the source; the facts are fields.
 * FG_F takes text, numbers and booleans and picks the form by their type, so there is no
 * format to get wrong. A value is written bare if it is plain, and as a JSON string
 * otherwise: foreign text can neither forge a line nor reach the terminal. With
 * log.format json a line is a JSON object.
 *
 * The log is the one mutable global of the program. Lines are written whole, from any
 * thread. It is used by crawl, server and cli only; folders below return what they know.
 */
#ifndef FG_BASE_LOG_H
#define FG_BASE_LOG_H

#include "base/buf.h"
#include "base/err.h"
#include "base/opt.h"
#include "base/str.h"
#include "base/time.h"

enum fg_log_level { FG_LOG_ERROR, FG_LOG_WARN, FG_LOG_INFO, FG_LOG_DEBUG, FG_LOG_TRACE };
enum fg_log_format { FG_LOG_TEXT, FG_LOG_JSON };

/* log.level, log.format and log.file: the rows are fg_log_opts. */
struct fg_log_settings {
    int level, format;
    struct fg_str file; /* empty for standard error */
};
extern const struct fg_opt fg_log_opts[];

#define fg_log_error(area, message, ...) \
    FG_LOG_AT(FG_LOG_ERROR, area, message, __VA_ARGS__)
#define fg_log_warn(area, message, ...) FG_LOG_AT(FG_LOG_WARN, area, message, __VA_ARGS__)
#define fg_log_info(area, message, ...) FG_LOG_AT(FG_LOG_INFO, area, message, __VA_ARGS__)
#define fg_log_debug(area, message, ...) \
    FG_LOG_AT(FG_LOG_DEBUG, area, message, __VA_ARGS__)
#define fg_log_trace(area, message, ...) \
    FG_LOG_AT(FG_LOG_TRACE, area, message, __VA_ARGS__)

/* Before the first open, warnings and errors go to standard error as text. Opening again
 * changes all three settings, or none if the file cannot be opened. */
enum fg_status fg_log_open(const struct fg_log_settings *settings, struct fg_err *err);

/* Open the file anew by its name, after it has been moved away to rotate it. Until that
 * succeeds the old one stays in use. */
enum fg_status fg_log_reopen(struct fg_err *err);
/* Fails if the last lines could not be written to the file: FG_EFULL or FG_EIO. */
enum fg_status fg_log_close(struct fg_err *err);

/* A fact, made by FG_F. */
struct fg_log_field {
    const char *key;
    enum {
        FG_FIELD_NONE, /* ends a list of fields */
        FG_FIELD_STR,
        FG_FIELD_INT,
        FG_FIELD_UINT,
        FG_FIELD_DOUBLE,
        FG_FIELD_BOOL
    } type;
    union {
        struct fg_str s;
        int64_t i;
        uint64_t u;
        double d;
    };
};

/* Everything below is what the macros above stand on, and what tests look at. */

bool fg_log_wants(enum fg_log_level level);
void fg_log_write(enum fg_log_level level, const char *area, const char *message,
                  const struct fg_log_field *fields);

/* One line with its newline, as fg_log_write would write it. A value longer than
 * FG_LOG_VALUE_MAX bytes is cut there and ends in "..."; of more than FG_LOG_FIELDS_MAX
 * fields the rest is left out. */
#define FG_LOG_VALUE_MAX  1024
#define FG_LOG_FIELDS_MAX 32
void fg_log_line(struct fg_buf *out, enum fg_log_format format, fg_time time,
                 enum fg_log_level level, const char *area, const char *message,
                 const struct fg_log_field *fields);

/* The empty string in front lets only a literal through. */
#define FG_LOG_AT(level, area, message, ...)                                            \
    do {                                                                                \
        if (fg_log_wants(level))                                                        \
            fg_log_write((level), "" area, "" message,                                  \
                         (const struct fg_log_field[]){__VA_ARGS__ __VA_OPT__(, ){0}}); \
    } while (0)

#define FG_F(name, value) \
    _Generic((value),                    \
        struct fg_str: fg_field_str,     \
        char *: fg_field_cstr,           \
        const char *: fg_field_cstr,     \
        bool: fg_field_bool,             \
        int: fg_field_int,               \
        long: fg_field_int,              \
        long long: fg_field_int,         \
        unsigned: fg_field_uint,         \
        unsigned long: fg_field_uint,    \
        unsigned long long: fg_field_uint, \
        float: fg_field_double,          \
        double: fg_field_double)((name), (value))

static inline struct fg_log_field fg_field_str(const char *key, struct fg_str value)
{
    return (struct fg_log_field){.key = key, .type = FG_FIELD_STR, .s = value};
}
static inline struct fg_log_field fg_field_cstr(const char *key, const char *value)
{
    return fg_field_str(key, fg_str_from(value));
}
static inline struct fg_log_field fg_field_bool(const char *key, bool value)
{
    return (struct fg_log_field){.key = key, .type = FG_FIELD_BOOL, .u = value};
}
static inline struct fg_log_field fg_field_int(const char *key, int64_t value)
{
    return (struct fg_log_field){.key = key, .type = FG_FIELD_INT, .i = value};
}
static inline struct fg_log_field fg_field_uint(const char *key, uint64_t value)
{
    return (struct fg_log_field){.key = key, .type = FG_FIELD_UINT, .u = value};
}
static inline struct fg_log_field fg_field_double(const char *key, double value)
{
    return (struct fg_log_field){.key = key, .type = FG_FIELD_DOUBLE, .d = value};
}

#endif
