/* csv.h - rows of a table as text (RFC 4180)
 *
 *     struct fg_csv csv = fg_csv_from(text);
 *     struct fg_str fields[FG_CSV_FIELDS];
 *     size_t n;
 *     while (fg_csv_next(&csv, arena, fields, &n)) ...of the row in line csv.line...
 *     if (csv.is_broken) ...a quote that nothing closes...
 *
 * Fields are separated by commas, or by semicolons or tabs if the first line has one of
 * these first. A field may stand in quotes, and then hold anything, a quote as two; such
 * a field is copied to the arena if it has one, all others are parts of the text. Empty
 * lines are passed over, a byte order mark too. */
#ifndef FG_BASE_CSV_H
#define FG_BASE_CSV_H

#include "base/arena.h"
#include "base/str.h"

enum { FG_CSV_FIELDS = 64 }; /* of a row; more are dropped */

struct fg_csv {
    struct fg_str rest;
    char separator;
    size_t line;    /* in which the row at hand begins, from 1 */
    bool is_broken; /* the text ends within quotes */
    size_t lines;   /* private: those used up */
};

struct fg_csv fg_csv_from(struct fg_str text);

/* False at the end. */
bool fg_csv_next(struct fg_csv *csv, struct fg_arena *arena,
                 struct fg_str fields[static FG_CSV_FIELDS], size_t *n);

#endif
