/* warc_content.h - what is in the block of a WARC record
 *
 *     struct fg_warc_content content;
 *     fg_warc_content_init(&content, &arena, &record);
 *     while (fg_warc_read(warc, &piece, err))
 *         fg_warc_content_add(&content, piece);
 *     fg_warc_content_end(&content);
 *
 * An HTTP message has a head and a payload; what is no HTTP message is all payload. The
 * sums of the block and of the payload are made on the way. Of a payload that was sent in
 * chunks there are two sums, as writers of archives do not agree which one to write. */
#ifndef FG_NET_WARC_CONTENT_H
#define FG_NET_WARC_CONTENT_H

#include "base/buf.h"
#include "net/archive/chunked.h"
#include "net/archive/digest.h"
#include "net/archive/warc.h"

enum { FG_WARC_HEAD_MAX = 256 << 10 }; /* of an HTTP message; the rest is payload */

struct fg_warc_content {
    bool is_http;
    struct fg_str head; /* of the message, with its empty line; lives in the arena */
    unsigned status;    /* of a response; 0: none */
    struct fg_str mime; /* lower case, without parameters; of the record if not HTTP */
    struct fg_str encoding; /* Content-Encoding of the message, lower case */
    bool is_chunked;
    uint64_t payload_bytes; /* without the framing of chunks */
    struct fg_sha1 block, payload,
        framed; /* after the end; framed: chunks as they were */
    /* Set this to get the payload, without the framing of chunks, as it passes. */
    void (*take)(void *context, struct fg_str payload);
    void *context;

    /* private */
    struct fg_arena *arena;
    struct fg_buf collected;
    struct fg_chunked chunked;
    struct fg_digest *block_digest, *payload_digest, *framed_digest;
    bool has_head;
};

/* The record's texts must hold until the end. */
void fg_warc_content_init(struct fg_warc_content *content, struct fg_arena *arena,
                          const struct fg_warc_record *record);
void fg_warc_content_add(struct fg_warc_content *content, struct fg_str piece);
void fg_warc_content_end(struct fg_warc_content *content);

/* The next record of a file, read to its end: all of the above. False at the end of
 * the file and, with `err` set, at damage. */
bool fg_warc_next_whole(struct fg_warc *warc, struct fg_arena *arena,
                        struct fg_warc_record *record, struct fg_warc_content *content,
                        struct fg_err *err);

/* "text/html" of "Text/HTML; charset=utf-8". */
struct fg_str fg_warc_mime(struct fg_arena *arena, struct fg_str content_type);

/* Which of the sums that the record names are not those of the content. A sum of another
 * algorithm is not judged, nor is the payload of a revisit, which is not there. */
struct fg_warc_verdict {
    bool has_block, block_is_wrong, has_payload, payload_is_wrong;
};
struct fg_warc_verdict fg_warc_judge(const struct fg_warc_record *record,
                                     const struct fg_warc_content *content);

#endif
