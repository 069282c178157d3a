/* warc.h - reading WARC files (ISO 28500), plain or gzipped, record by record
 *
 *     struct fg_warc *warc;
 *     fg_warc_open(&warc, "crawl.warc.gz", err);
 *     struct fg_warc_record record;
 *     struct fg_str piece;
 *     while (fg_warc_next(warc, &record, err)) {
 *         while (fg_warc_read(warc, &piece, err)) ...of its block...
 *         fg_warc_end(warc, &record, err);            (now its length is known)
 *     }
 *     if (err->status) ...the file is damaged: the message says where...
 *     fg_warc_close(warc);
 *
 * Versions 0.17 to 1.1 are read, lines may end in LF alone, headers may be folded, and
 * files where gzip members and records do not go together are read as well; the record
 * says so. Memory is bounded whatever the file holds: blocks come in pieces, and headers
 * beyond FG_WARC_HEADERS_MAX are damage. After damage nothing more is read. */
#ifndef FG_NET_WARC_H
#define FG_NET_WARC_H

#include "base/err.h"
#include "base/str.h"
#include "base/time.h"

enum { FG_WARC_HEADERS_MAX = 256 << 10 };

struct fg_warc; /* private to warc.c */

struct fg_warc_record {
    uint64_t offset; /* in the file; of a gzipped one, that of the member it starts in */
    uint64_t length; /* bytes of the file that it takes; after fg_warc_end */
    uint64_t content_length;
    struct fg_str version; /* "WARC/1.1" */
    struct fg_str headers; /* lines "Name: value\n", unfolded */
    /* Of these headers; `at` is NULL if there is none. */
    struct fg_str type, id, uri, date_text, content_type, block_digest, payload_digest,
        truncated, profile, refers_to_uri, refers_to_date;
    fg_time date;      /* FG_NEVER: not given, or it makes no sense */
    bool is_member;    /* it fills one gzip member, or the file is plain; after the end */
    bool is_truncated; /* the file ends within it: what came before is good */
};

enum fg_status fg_warc_open(struct fg_warc **warc, const char *path, struct fg_err *err);
/* The same for bytes in memory, which must stay there. */
struct fg_warc *fg_warc_over(struct fg_str bytes);
void fg_warc_close(struct fg_warc *warc);

/* Go on at a record that is known to start there. */
enum fg_status fg_warc_seek(struct fg_warc *warc, uint64_t offset, struct fg_err *err);

/* The next record. False at the end of the file, and with `err` set where the file is
 * damaged. Texts hold until the next call. */
bool fg_warc_next(struct fg_warc *warc, struct fg_warc_record *record,
                  struct fg_err *err);
/* The next piece of its block; false at the end of it or, with `err` set, at damage. */
bool fg_warc_read(struct fg_warc *warc, struct fg_str *piece, struct fg_err *err);
/* Passes over what was not read. False, with `err` set, if the record is not whole. */
bool fg_warc_end(struct fg_warc *warc, struct fg_warc_record *record, struct fg_err *err);

bool fg_warc_is_gzip(const struct fg_warc *warc);
/* Bytes from the start of the file to the end of the last whole record. */
uint64_t fg_warc_good(const struct fg_warc *warc);

/* The value of a header, trimmed; `at` is NULL if it is not there. */
struct fg_str fg_warc_header(const struct fg_warc_record *record, const char *name);
bool fg_warc_is(const struct fg_warc_record *record, const char *type);

#endif
