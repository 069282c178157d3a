/* field.h - what an answer consists of: named, typed fields of a struct
 *
 *     struct visit { fg_time time; uint32_t bytes; struct fg_str url; };
 *     static const struct fg_field fields[] = {
 *         {"time", "time", FG_AS_TIME(struct visit, time), .help = "when it began"},
 *         {"bytes", "size", FG_AS_COUNT(struct visit, bytes), .unit = "bytes"},
 *         {"url", "url", FG_AS_URL(struct visit, url)},
 *         {0},
 *     };
 *     static const struct fg_field answer = FG_RECORD_OF(fields);
 *
 * A row of such a table is all that a renderer knows of a value: its key in JSON and CSV,
 * its label on a terminal, its type, unit and meaning. A field without a key is for
 * people only (a sentence), one without a label for programs only. Fields may be records
 * and rows of their own. Rows are an array, or flow from a walk, one at a time. */
#ifndef FG_VIEW_FIELD_H
#define FG_VIEW_FIELD_H

#include "base/buf.h"
#include "base/err.h"
#include "base/plain.h"
#include "base/str.h"
#include "base/time.h"

#include <stddef.h>

enum fg_field_type {
    FG_FIELD_TEXT = 1, /* struct fg_str; without a start: none */
    FG_FIELD_URL,      /* the same, and an address */
    FG_FIELD_WORD,     /* const char *, or NULL */
    FG_FIELD_COUNT,    /* an unsigned integer of any size */
    FG_FIELD_NUMBER,   /* a double, NaN: none */
    FG_FIELD_FLOAT,
    FG_FIELD_SHARE,     /* a double from 0 to 1 */
    FG_FIELD_YES,       /* bool */
    FG_FIELD_TIME,      /* fg_time, FG_NEVER: none */
    FG_FIELD_SPAN,      /* fg_time; seconds in JSON and CSV, where its key ends in _s */
    FG_FIELD_HASH,      /* uint64_t, in hexadecimal; 0: none */
    FG_FIELD_NAME,      /* an unsigned integer, shown as `name` says */
    FG_FIELD_FLAGS,     /* uint32_t, shown as the names that `flag` has for it */
    FG_FIELD_TEXTS,     /* struct fg_texts */
    FG_FIELD_PAIRS,     /* struct fg_pairs: names that are not known beforehand */
    FG_FIELD_MARKED,    /* struct fg_marked, shown below its row */
    FG_FIELD_LINES,     /* a text of several lines, shown below its row */
    FG_FIELD_JSON,      /* struct fg_str: in JSON the row is this text, as it stands */
    FG_FIELD_RECORD,    /* a struct with the fields `of` */
    FG_FIELD_RECORD_AT, /* a pointer to one, or NULL */
    FG_FIELD_ROWS       /* struct fg_rows, each with the fields `of` */
};

/* How rows look on a terminal. */
enum fg_rows_style {
    FG_ROWS_TABLE,  /* columns below a head */
    FG_ROWS_LINES,  /* cells one behind the other, without a head */
    FG_ROWS_RECORDS /* a record each */
};

struct fg_field {
    const char *key, *label;
    enum fg_field_type type;
    size_t offset, size;
    const char *unit, *help;
    const struct fg_field *of; /* of a record or of rows; a NULL type ends it */
    const char *(*name)(unsigned value);
    const char *(*flag)(uint32_t flags, unsigned nth);
    enum fg_rows_style style;
    bool is_title;         /* shown alone on its line */
    bool is_optional;      /* not in JSON where it would be null */
    bool is_sheet;         /* these rows are what CSV has of the record around them */
    bool is_lines;         /* rows of an answer: JSON lines rather than an array */
    bool is_null_if_empty; /* an empty text, or no pairs, is null in JSON */
    bool shows_zero;       /* a hash is shown even if it is 0 */
};

struct fg_texts {
    const struct fg_str *at;
    size_t len;
};

struct fg_pair {
    const char *name;
    struct fg_str text; /* without a start: the number */
    double number;
};

struct fg_pairs {
    const struct fg_pair *at;
    size_t len;
};

struct fg_put;

/* Rows that lie in memory, or that `walk` hands to fg_put_row one after the other. */
struct fg_rows {
    enum fg_status (*walk)(void *context, struct fg_put *put, struct fg_err *err);
    void *context;
    const void *at;
    size_t len, size;
    /* Of which people see only these: without the first `skip`, and at most `most`. */
    size_t skip, most;     /* most 0: all */
    struct fg_str heading; /* for people, instead of the label */
};
#define FG_ROWS_FROM(vec) \
    ((struct fg_rows){.at = (vec).at, .len = (vec).len, .size = sizeof *(vec).at})

/* What renders rows. False: no more are wanted. */
struct fg_put {
    bool (*row)(struct fg_put *put, const void *row);
    bool is_json; /* so that nothing need be prepared that JSON does not show */
};
static inline bool fg_put_row(struct fg_put *put, const void *row)
{
    return put->row(put, row);
}
enum fg_status fg_rows_walk(const struct fg_rows *rows, struct fg_put *put,
                            struct fg_err *err);

#define FG_AS_TEXT(s, m)         FG_AS_OF(FG_FIELD_TEXT, struct fg_str, s, m)
#define FG_AS_URL(s, m)          FG_AS_OF(FG_FIELD_URL, struct fg_str, s, m)
#define FG_AS_LINES(s, m)        FG_AS_OF(FG_FIELD_LINES, struct fg_str, s, m)
#define FG_AS_MARKED(s, m)       FG_AS_OF(FG_FIELD_MARKED, struct fg_marked, s, m)
#define FG_AS_JSON(s, m)         FG_AS_OF(FG_FIELD_JSON, struct fg_str, s, m)
#define FG_AS_WORD(s, m)         FG_AS_OF(FG_FIELD_WORD, const char *, s, m)
#define FG_AS_NUMBER(s, m)       FG_AS_OF(FG_FIELD_NUMBER, double, s, m)
#define FG_AS_FLOAT(s, m)        FG_AS_OF(FG_FIELD_FLOAT, float, s, m)
#define FG_AS_SHARE(s, m)        FG_AS_OF(FG_FIELD_SHARE, double, s, m)
#define FG_AS_YES(s, m)          FG_AS_OF(FG_FIELD_YES, bool, s, m)
#define FG_AS_TIME(s, m)         FG_AS_OF(FG_FIELD_TIME, fg_time, s, m)
#define FG_AS_SPAN(s, m)         FG_AS_OF(FG_FIELD_SPAN, fg_time, s, m)
#define FG_AS_HASH(s, m)         FG_AS_OF(FG_FIELD_HASH, uint64_t, s, m)
#define FG_AS_TEXTS(s, m)        FG_AS_OF(FG_FIELD_TEXTS, struct fg_texts, s, m)
#define FG_AS_PAIRS(s, m)        FG_AS_OF(FG_FIELD_PAIRS, struct fg_pairs, s, m)
#define FG_AS_COUNT(s, m)        FG_AS_UNSIGNED(FG_FIELD_COUNT, s, m)
#define FG_AS_NAME(s, m, names)  .name = (names), FG_AS_UNSIGNED(FG_FIELD_NAME, s, m)
#define FG_AS_FLAGS(s, m, names) .flag = (names), FG_AS_OF(FG_FIELD_FLAGS, uint32_t, s, m)
#define FG_AS_ROWS(s, m, fields) \
    .of = (fields), FG_AS_OF(FG_FIELD_ROWS, struct fg_rows, s, m)
#define FG_AS_RECORD(s, m, fields) \
    .of = (fields), .type = FG_FIELD_RECORD, .offset = offsetof(s, m)
#define FG_AS_RECORD_AT(s, m, fields) \
    .of = (fields), .type = FG_FIELD_RECORD_AT, .offset = offsetof(s, m)

/* The whole of an answer. */
#define FG_RECORD_OF(fields)                    \
    {                                           \
        .type = FG_FIELD_RECORD, .of = (fields) \
    }
#define FG_ROWS_OF(fields) .type = FG_FIELD_ROWS, .of = (fields)

/* Checked against the member's C type, so that a row cannot read past its member. */
#define FG_AS_OF(kind, ctype, s, m)                                                     \
    .type = (kind), .size = sizeof(ctype),                                              \
    .offset = offsetof(s, m) + 0 * sizeof(char[_Generic(((s *)0)->m, ctype : 1, default \
                                                        : -1)])
#define FG_AS_UNSIGNED(kind, s, m)                                                     \
    .type = (kind), .size = sizeof(((s *)0)->m),                                       \
    .offset =                                                                          \
        offsetof(s, m) +                                                               \
        0 * sizeof(char[_Generic(((s *)0)->m, uint8_t : 1, uint16_t : 1, uint32_t : 1, \
                                 unsigned long : 1, unsigned long long : 1, default    \
                                 : -1)])

/* --- for renderers --- */

static inline const void *fg_field_at(const struct fg_field *field, const void *record)
{
    return (const char *)record + field->offset;
}
static inline bool fg_field_is_record(const struct fg_field *field)
{
    return field->type == FG_FIELD_RECORD || field->type == FG_FIELD_RECORD_AT;
}
uint64_t fg_field_unsigned(const struct fg_field *field, const void *record);
double fg_field_number(const struct fg_field *field, const void *record);
/* What a field of type record or record-at leads to; NULL: none. */
const void *fg_field_record(const struct fg_field *field, const void *record);
/* Flags, texts or pairs one behind the other; texts through `add`. */
void fg_field_add_list(struct fg_buf *out, const struct fg_field *field,
                       const void *record, const char *between, const char *is,
                       void (*add)(struct fg_buf *out, struct fg_str text));
/* There is no value: an empty text, a time that never was, a list without entries. */
bool fg_field_is_empty(const struct fg_field *field, const void *record);

#endif
