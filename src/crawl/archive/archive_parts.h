/* archive_parts.h - the inside of an archive, shared by archive.c and archive_recall.c */
#ifndef FG_CRAWL_ARCHIVE_PARTS_H
#define FG_CRAWL_ARCHIVE_PARTS_H

#include "crawl/archive/archive.h"
#include "crawl/archive/archive_file.h"
#include "crawl/archive/revisits.h"

struct fg_archive {
    struct fg_archive_options options;
    char *dir, *prefix, *user_agent, *operator;
    struct fg_archive_file file;
    struct fg_revisits revisits;
    unsigned serial;
    struct fg_arena scratch; /* for one exchange */
    struct fg_buf out;
    struct fg_digest *digest;
    struct fg_archive_counts counts;
};

/* What earlier runs left in the folder: a file to go on with, and payloads to know again.
 */
enum fg_status archive_recall(struct fg_archive *archive, struct fg_err *err);

#endif
