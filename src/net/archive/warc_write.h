/* warc_write.h - writing WARC 1.1 records
 *
 *     struct fg_buf out;
 *     fg_buf_init(&out, SIZE_MAX);
 *     fg_warc_add(&out, &(struct fg_warc_new){.type = "response", .uri = url, ...},
 * true);
 *
 * A record becomes bytes in memory: a gzip member of its own, or plain text. Files, and
 * what goes into them, are somebody else's business (crawl/archive/archive.h). The sums
 * of the block and, if it has one, of the payload are made here. */
#ifndef FG_NET_WARC_WRITE_H
#define FG_NET_WARC_WRITE_H

#include "base/buf.h"
#include "base/time.h"
#include "net/archive/digest.h"

#define FG_WARC_SAME_PAYLOAD \
    "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
#define FG_WARC_NOT_MODIFIED "http://netpreserve.org/warc/1.1/revisit/server-not-modified"

enum { FG_WARC_ID = 48 };

/* What is empty, NULL or FG_NEVER is not written. */
struct fg_warc_new {
    const char *type;
    const char *id; /* "urn:uuid:..." */
    fg_time date;
    struct fg_str uri;
    const char *content_type;
    const char *warcinfo, *concurrent_to; /* ids */
    const char *ip, *truncated, *profile;
    struct fg_str refers_to_uri;
    fg_time refers_to_date;
    struct fg_str filename;
    const struct fg_sha1 *payload; /* its sum; NULL: it has none */
    struct fg_str head, body;      /* the block, in two parts */
};

/* A name of its own, from the system's random numbers. */
char *fg_warc_id(char out[static FG_WARC_ID]);

/* A moment as records have it: to the second, as indexes do, so that what refers to a
 * record by its date finds it. */
fg_time fg_warc_moment(fg_time time);

/* Adds the record to `out`. False if it does not fit. */
bool fg_warc_add(struct fg_buf *out, const struct fg_warc_new *record, bool gzip);

#endif
