/* tsv.h - rows of tab-separated fields, from and to files that may be gzipped
 *
 *     struct fg_tsv tsv;
 *     enum fg_status st = fg_tsv_open(&tsv, "folder/intervals.tsv", err);
 *     while (!st && fg_tsv_next(&tsv, &row, &st, err))
 *         while (fg_str_cut(&row, '\t', &field)) ...
 *     fg_tsv_close(&tsv);
 *
 * Empty lines and those that start with # are passed over. A row holds until the next
 * call. Lines have less than a megabyte. */
#ifndef FG_LAB_TSV_H
#define FG_LAB_TSV_H

#include "base/err.h"
#include "base/str.h"

struct fg_tsv {
    void *file; /* private, as is `line` */
    char *line;
    char path[4096]; /* for messages */
    size_t number;   /* of the line at hand */
};

/* Opens `path`.gz, or `path` if there is no such file; "-" is standard input. Closing is
 * due in any case. */
enum fg_status fg_tsv_open(struct fg_tsv *tsv, const char *path, struct fg_err *err);
void fg_tsv_close(struct fg_tsv *tsv);

/* False at the end, and on failure with `st` set. */
bool fg_tsv_next(struct fg_tsv *tsv, struct fg_str *row, enum fg_status *st,
                 struct fg_err *err);

/* "'path', line 7: expected ..." */
enum fg_status fg_tsv_bad(const struct fg_tsv *tsv, const char *wanted,
                          struct fg_err *err);

/* A new file in a folder, zipped if its name ends in .gz. What goes wrong while rows are
 * put into it is told at the end; finishing is due unless creating failed. */
struct fg_tsv_out {
    void *file; /* private */
    char path[4096];
};
enum fg_status fg_tsv_create(struct fg_tsv_out *out, const char *folder, const char *name,
                             struct fg_err *err);
void fg_tsv_put(struct fg_tsv_out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
enum fg_status fg_tsv_finish(struct fg_tsv_out *out, struct fg_err *err);

/* It is there, gzipped or plain. */
bool fg_tsv_exists(const char *path);

#endif
