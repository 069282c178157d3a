#include "net/archive/cdxj.h"

#include "base/json.h"
#include "net/text/json_tree.h"
#include "net/url/surt.h"

#include <inttypes.h>
#include <stdio.h>

char *fg_cdx_time(char out[static FG_CDX_TIME], fg_time time)
{
    int64_t days = time / FG_DAY - (time % FG_DAY < 0), year;
    int64_t s = (time - days * FG_DAY) / FG_SECOND;
    int month, day;
    fg_date_from_days(days, &year, &month, &day);
    year = year < 0 ? 0 : year > 9999 ? 9999 : year;
    snprintf(out, FG_CDX_TIME, "%04d%02d%02d%02d%02d%02d", (int)year, month, day,
             (int)(s / 3600), (int)(s / 60 % 60), (int)(s % 60));
    return out;
}

/* --- writing --- */

static void put_number(struct fg_json *json, const char *key, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    fg_json_pair(json, key, fg_str_from(text));
}

/* Numbers are texts: so other tools write them, and expect them. */
void fg_cdxj_add(struct fg_buf *out, const struct fg_capture *capture)
{
    char time[FG_CDX_TIME];
    struct fg_json json = fg_json_to(out);
    fg_buf_add(out, capture->key);
    fg_buf_printf(out, " %s ", fg_cdx_time(time, capture->time));
    fg_json_object(&json);
    fg_json_pair(&json, "url", capture->url);
    if (capture->mime.len)
        fg_json_pair(&json, "mime", capture->mime);
    if (capture->status)
        put_number(&json, "status", capture->status);
    if (capture->digest.len)
        fg_json_pair(&json, "digest", capture->digest);
    if (capture->has_place) {
        put_number(&json, "length", capture->length);
        put_number(&json, "offset", capture->offset);
        fg_json_pair(&json, "filename", capture->filename);
    }
    fg_json_end(&json);
    fg_buf_add_char(out, '\n');
}

/* --- reading --- */

static bool read_digits(struct fg_str text, size_t first, size_t n, int *value)
{
    *value = 0;
    for (size_t i = first; i < first + n; i++) {
        if (!fg_is_digit(text.at[i]))
            return false;
        *value = *value * 10 + (text.at[i] - '0');
    }
    return true;
}

static int days_in(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && is_leap);
}

/* To the second, and perhaps to the millisecond. */
static bool read_time(struct fg_str text, fg_time *time)
{
    int year, month, day, hour, minute, second, ms = 0;
    if ((text.len != 14 && text.len != 17) || !read_digits(text, 0, 4, &year) ||
        !read_digits(text, 4, 2, &month) || !read_digits(text, 6, 2, &day) ||
        !read_digits(text, 8, 2, &hour) || !read_digits(text, 10, 2, &minute) ||
        !read_digits(text, 12, 2, &second) || !read_digits(text, 14, text.len - 14, &ms))
        return false;
    if (month < 1 || month > 12 || day < 1 || day > days_in(year, month) || hour > 23 ||
        minute > 59 || second > 60)
        return false;
    *time = fg_days_from_date(year, month, day) * FG_DAY + hour * FG_HOUR +
            minute * FG_MINUTE + second * FG_SECOND + ms * FG_MILLISECOND;
    return true;
}

static enum fg_status set_time(struct fg_capture *capture, struct fg_str text,
                               struct fg_err *err)
{
    if (read_time(text, &capture->time))
        return FG_OK;
    return fg_fail(err, FG_EINPUT,
                   "'%.*s' is not a time of 14 digits, such as 20261116070000",
                   FG_ARG(fg_str_sub(text, 0, 40)));
}

static struct fg_str given(struct fg_str value)
{
    return fg_str_eq(value, FG_STR("-")) ? (struct fg_str){0} : value;
}

static struct fg_str without_sha1(struct fg_str digest)
{
    return fg_str_starts_nocase(digest, FG_STR("sha1:")) ? fg_str_skip(digest, 5)
                                                         : digest;
}

static enum fg_status set_status(struct fg_capture *capture, struct fg_str text,
                                 struct fg_err *err)
{
    uint64_t status = 0;
    if (text.len && (!fg_str_to_u64(text, &status) || status > 999))
        return fg_fail(err, FG_EINPUT, "'%.*s' is not an HTTP status",
                       FG_ARG(fg_str_sub(text, 0, 40)));
    capture->status = (unsigned)status;
    return FG_OK;
}

static void set_place(struct fg_capture *capture, struct fg_str length,
                      struct fg_str offset)
{
    if (!fg_str_to_u64(length, &capture->length))
        capture->length = 0;
    capture->has_place = capture->filename.len && fg_str_to_u64(offset, &capture->offset);
}

/* --- CDXJ --- */

/* A member as text, whether it is written as one or as a number. */
static struct fg_str member(struct fg_arena *arena, const json_t *object,
                            const char *name)
{
    const json_t *value = json_object_get(object, name);
    if (json_is_string(value))
        return given(fg_arena_dup(
            arena, (struct fg_str){json_string_value(value), json_string_length(value)}));
    if (json_is_integer(value))
        return fg_arena_printf(arena, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    return (struct fg_str){0};
}

static enum fg_status from_object(struct fg_capture *capture, struct fg_arena *arena,
                                  const json_t *object, struct fg_err *err)
{
    capture->url = member(arena, object, "url");
    if (!capture->url.len)
        return fg_fail(err, FG_EINPUT, "the object has no \"url\"");
    capture->mime = member(arena, object, "mime");
    capture->digest = without_sha1(member(arena, object, "digest"));
    capture->filename = member(arena, object, "filename");
    set_place(capture, member(arena, object, "length"), member(arena, object, "offset"));
    return set_status(capture, member(arena, object, "status"), err);
}

static enum fg_status read_json(struct fg_capture *capture, struct fg_arena *arena,
                                struct fg_str text, struct fg_err *err)
{
    const struct fg_json_limits limits = {16, 1000, 10000};
    json_t *root = fg_json_tree_is_affordable(text, &limits)
                       ? json_loadb(text.at, text.len, JSON_ALLOW_NUL, NULL)
                       : NULL;
    enum fg_status st =
        json_is_object(root)
            ? from_object(capture, arena, root, err)
            : fg_fail(err, FG_EINPUT, "what follows the time is not a JSON object");
    json_decref(root);
    return st;
}

static enum fg_status read_cdxj(struct fg_capture *capture, struct fg_arena *arena,
                                struct fg_str line, struct fg_err *err)
{
    struct fg_str time = {0};
    fg_str_cut(&line, ' ', &capture->key);
    fg_str_cut(&line, ' ', &time);
    enum fg_status st = set_time(capture, time, err);
    return st ? st : read_json(capture, arena, fg_str_trim(line), err);
}

/* --- CDX --- */

static void learn_columns(struct fg_cdx *cdx, struct fg_str letters)
{
    struct fg_str letter;
    cdx->n_columns = 0;
    while (fg_str_cut(&letters, ' ', &letter) && cdx->n_columns < FG_CDX_COLUMNS)
        if (letter.len)
            cdx->columns[cdx->n_columns++] = letter.at[0];
}

static void assume_columns(struct fg_cdx *cdx, size_t n)
{
    learn_columns(cdx, n == 7    ? FG_STR("N b a m s k S")
                       : n == 9  ? FG_STR("N b a m s k r V g")
                       : n == 11 ? FG_STR("N b a m s k r M S V g")
                                 : FG_STR(""));
}

static struct fg_str column(const struct fg_cdx *cdx, const struct fg_str *fields,
                            size_t n, char letter)
{
    for (size_t i = 0; i < cdx->n_columns && i < n; i++)
        if (cdx->columns[i] == letter)
            return given(fields[i]);
    return (struct fg_str){0};
}

static size_t split(struct fg_str fields[static FG_CDX_COLUMNS], struct fg_str line)
{
    struct fg_str field;
    size_t n = 0;
    while (n < FG_CDX_COLUMNS && fg_str_cut(&line, ' ', &field))
        if (field.len)
            fields[n++] = field;
    return n;
}

static enum fg_status read_cdx(struct fg_cdx *cdx, struct fg_capture *capture,
                               struct fg_str line, struct fg_err *err)
{
    struct fg_str fields[FG_CDX_COLUMNS];
    size_t n = split(fields, line);
    if (!cdx->n_columns)
        assume_columns(cdx, n);
    if (!cdx->n_columns)
        return fg_fail(
            err, FG_EINPUT,
            "it is neither CDXJ nor CDX: it has %zu fields, and no line before "
            "it names them",
            n);
    if (n < cdx->n_columns)
        return fg_fail(err, FG_EINPUT, "it has %zu fields, not %zu", n, cdx->n_columns);
    capture->key = column(cdx, fields, n, 'N');
    capture->url = column(cdx, fields, n, 'a');
    if (!capture->url.len)
        return fg_fail(err, FG_EINPUT, "it has no address (column 'a')");
    capture->mime = column(cdx, fields, n, 'm');
    capture->digest = without_sha1(column(cdx, fields, n, 'k'));
    capture->filename = column(cdx, fields, n, 'g');
    set_place(capture, column(cdx, fields, n, 'S'), column(cdx, fields, n, 'V'));
    enum fg_status st = set_time(capture, column(cdx, fields, n, 'b'), err);
    return st ? st : set_status(capture, column(cdx, fields, n, 's'), err);
}

static bool is_cdxj(struct fg_str line)
{
    struct fg_str key, time;
    return fg_str_cut(&line, ' ', &key) && fg_str_cut(&line, ' ', &time) &&
           fg_str_starts(fg_str_trim(line), FG_STR("{"));
}

/* "CDX N b a ...": a key that is "CDX" is followed by a time, not by letters. */
static bool names_columns(struct fg_str line)
{
    line = fg_str_trim(line);
    return fg_str_starts(line, FG_STR("CDX ")) && (line.len < 6 || line.at[5] == ' ');
}

enum fg_status fg_cdx_read(struct fg_cdx *cdx, struct fg_capture *capture,
                           struct fg_arena *arena, struct fg_str line, struct fg_err *err)
{
    *capture = (struct fg_capture){.time = FG_NEVER};
    if (names_columns(line)) {
        learn_columns(cdx, fg_str_skip(fg_str_trim(line), 4));
        return FG_OK;
    }
    line = fg_str_trim(line);
    if (!line.len || line.at[0] == '!' || line.at[0] == '#' || line.at[0] == '@')
        return FG_OK;
    enum fg_status st = is_cdxj(line) ? read_cdxj(capture, arena, line, err)
                                      : read_cdx(cdx, capture, line, err);
    if (st) {
        capture->url = (struct fg_str){0};
        return st;
    }
    capture->is_revisit = fg_str_eq_nocase(capture->mime, FG_STR("warc/revisit"));
    if (!capture->key.len)
        capture->key = fg_surt_from(arena, capture->url);
    return FG_OK;
}
