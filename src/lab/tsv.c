#include "lab/tsv.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { LINE_MAX_BYTES = 1 << 20 };

enum fg_status fg_tsv_open(struct fg_tsv *tsv, const char *path, struct fg_err *err)
{
    static const char *const ends[] = {".gz", ""};
    *tsv = (struct fg_tsv){0};
    bool is_input = strcmp(path, "-") == 0;
    if (is_input) {
        snprintf(tsv->path, sizeof tsv->path, "standard input");
        tsv->file = gzdopen(dup(STDIN_FILENO), "rb");
    }
    for (size_t i = 0; i < 2 && !tsv->file && !is_input; i++) {
        snprintf(tsv->path, sizeof tsv->path, "%s%s", path, ends[i]);
        if (access(tsv->path, R_OK) == 0)
            tsv->file = gzopen(tsv->path, "rb");
    }
    if (!tsv->file)
        return fg_fail(err, FG_EIO, "cannot open '%s' (or '%s.gz'): %s", tsv->path,
                       tsv->path, strerror(errno));
    gzbuffer(tsv->file, 1 << 17);
    tsv->line = malloc(LINE_MAX_BYTES);
    if (!tsv->line)
        fg_out_of_memory();
    return FG_OK;
}

void fg_tsv_close(struct fg_tsv *tsv)
{
    if (tsv->file)
        gzclose(tsv->file);
    free(tsv->line);
    *tsv = (struct fg_tsv){0};
}

enum fg_status fg_tsv_bad(const struct fg_tsv *tsv, const char *wanted,
                          struct fg_err *err)
{
    return fg_fail(err, FG_EINPUT, "'%s', line %zu: expected %s", tsv->path, tsv->number,
                   wanted);
}

bool fg_tsv_next(struct fg_tsv *tsv, struct fg_str *row, enum fg_status *st,
                 struct fg_err *err)
{
    while (gzgets(tsv->file, tsv->line, LINE_MAX_BYTES)) {
        tsv->number++;
        size_t len = strlen(tsv->line);
        if (len + 1 == LINE_MAX_BYTES && tsv->line[len - 1] != '\n') {
            *st = fg_tsv_bad(tsv, "a line of less than a megabyte", err);
            return false;
        }
        *row = fg_str_trim((struct fg_str){tsv->line, len});
        if (row->len && row->at[0] != '#')
            return true;
    }
    int code = Z_OK;
    const char *what = gzerror(tsv->file, &code);
    if (code != Z_OK && code != Z_STREAM_END)
        *st = fg_fail(err, FG_EINPUT, "cannot read '%s' after line %zu: %s", tsv->path,
                      tsv->number, what);
    return false;
}

enum fg_status fg_tsv_create(struct fg_tsv_out *out, const char *folder, const char *name,
                             struct fg_err *err)
{
    snprintf(out->path, sizeof out->path, "%s/%s", folder, name);
    bool is_zipped = fg_str_ends(fg_str_from(name), FG_STR(".gz"));
    out->file = gzopen(out->path, is_zipped ? "wb6" : "wbT");
    return out->file ? FG_OK
                     : fg_fail(err, FG_EIO, "cannot write '%s': %s", out->path,
                               strerror(errno));
}

void fg_tsv_put(struct fg_tsv_out *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    gzvprintf(out->file, format, args);
    va_end(args);
}

/* zlib keeps the first error, so asking at the end is enough. */
enum fg_status fg_tsv_finish(struct fg_tsv_out *out, struct fg_err *err)
{
    int code = Z_OK;
    gzerror(out->file, &code);
    int closed = gzclose(out->file);
    if (code == Z_OK && closed == Z_OK)
        return FG_OK;
    return fg_fail(err, errno == ENOSPC ? FG_EFULL : FG_EIO, "cannot write '%s': %s",
                   out->path, strerror(errno));
}

bool fg_tsv_exists(const char *path)
{
    char zipped[4096];
    snprintf(zipped, sizeof zipped, "%s.gz", path);
    return access(path, F_OK) == 0 || access(zipped, F_OK) == 0;
}
