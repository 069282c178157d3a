/* warc_index.h - the CDXJ index of a WARC file
 *
 *     struct fg_warc_index index = {.arena = &arena};
 *     fg_warc_index_file(&index, "crawl.warc.gz", err);
 *     fg_warc_index_text(&index, &out);             (sorted as LC_ALL=C sort would)
 *
 * Responses, revisits, resources and conversions are captures; requests, metadata and
 * warcinfo are not. One who writes a file adds its captures as they come instead. */
#ifndef FG_NET_WARC_INDEX_H
#define FG_NET_WARC_INDEX_H

#include "base/vec.h"
#include "net/archive/cdxj.h"
#include "net/archive/warc_content.h"

struct fg_warc_index {
    struct fg_arena *arena; /* set this; all the rest lives there */
    struct fg_str filename; /* what lines call the file; empty: its own name */
    FG_VEC(struct fg_str) lines;
    uint64_t records; /* of all types */
    uint64_t good;    /* bytes of the file up to the end of the last whole record */
    /* If set, called with each capture of a file as it is found. */
    void (*take)(void *context, const struct fg_capture *capture);
    void *context;
};

/* Read all of a file. Damage is a failure, and what came before it is in the index. */
enum fg_status fg_warc_index_file(struct fg_warc_index *index, const char *path,
                                  struct fg_err *err);

/* False if a record of this kind is no capture. Texts are those of the record and the
 * content, or live in the arena. */
bool fg_capture_from(struct fg_capture *capture, struct fg_arena *arena,
                     const struct fg_warc_record *record,
                     const struct fg_warc_content *content, struct fg_str filename);

void fg_warc_index_add(struct fg_warc_index *index, const struct fg_capture *capture);
void fg_warc_index_text(struct fg_warc_index *index, struct fg_buf *out);

/* "dir/crawl.warc.gz" has its index in "dir/crawl.cdxj". */
struct fg_str fg_warc_index_path(struct fg_arena *arena, struct fg_str warc_path);
struct fg_str fg_path_name(struct fg_str path);

#endif
