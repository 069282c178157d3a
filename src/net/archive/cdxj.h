/* cdxj.h - lines of the index of an archive: CDXJ, and the CDX files before it
 *
 *     org,example)/a 20261116070000 {"url":"https://example.org/a","mime":"text/html",
 *         "status":"200","digest":"B2LT...","length":"612","offset":"4711",
 *         "filename":"forage-....warc.gz"}                       (all on one line)
 *
 *     struct fg_cdx cdx = {0};
 *     struct fg_capture capture;
 *     fg_cdx_read(&cdx, &capture, arena, line, err);
 *     if (capture.url.len) ...else the line was a header, a comment or empty...
 *
 * A file may also have the columns of CDX, named by letters in its first line, or the
 * seven, nine or eleven usual ones without such a line, as public archives hand them
 * out. */
#ifndef FG_NET_CDXJ_H
#define FG_NET_CDXJ_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/time.h"

enum { FG_CDX_LINE_MAX = 1 << 20, FG_CDX_COLUMNS = 32 };

struct fg_capture {
    struct fg_str key; /* SURT; made from the address if there is none */
    struct fg_str url;
    fg_time time;
    struct fg_str mime;
    unsigned status;      /* 0: not said */
    struct fg_str digest; /* of the payload, without "sha1:"; empty: not said */
    bool is_revisit;      /* the digest is that of an earlier capture */
    bool has_place;       /* these are given: */
    uint64_t length, offset;
    struct fg_str filename;
};

/* What is known of a file's columns; starts as zero. */
struct fg_cdx {
    char columns[FG_CDX_COLUMNS];
    size_t n_columns;
};

/* One line. What it holds is part of the line or lives in the arena. Fails with words
 * that do not say which line it is. */
enum fg_status fg_cdx_read(struct fg_cdx *cdx, struct fg_capture *capture,
                           struct fg_arena *arena, struct fg_str line,
                           struct fg_err *err);

/* The line in CDXJ, with its end. */
void fg_cdxj_add(struct fg_buf *out, const struct fg_capture *capture);

/* 14 digits; returns `out`. */
enum { FG_CDX_TIME = 32 };
char *fg_cdx_time(char out[static FG_CDX_TIME], fg_time time);

#endif
