/* archive_file.h - one WARC file while it is written; shared by archive.c and
 * archive_file.c */
#ifndef FG_CRAWL_ARCHIVE_FILE_H
#define FG_CRAWL_ARCHIVE_FILE_H

#include "net/archive/warc_index.h"
#include "net/archive/warc_write.h"

struct fg_archive_file {
    int fd; /* -1: none is open */
    char *path, *open_path;
    bool gzip;
    uint64_t bytes;
    char warcinfo[FG_WARC_ID];
    struct fg_arena arena; /* of the index */
    struct fg_warc_index index;
};

/* A new file. FG_ECONFIG if one of that name is there. */
enum fg_status fg_archive_file_new(struct fg_archive_file *file, const char *path,
                                   bool gzip, struct fg_err *err);

/* One that a killed run left open, by its name with ".open": cut back to its last whole
 * record. `file->fd` stays -1 if another process writes to it, or if nothing of it was
 * whole, in which case it is gone. */
enum fg_status fg_archive_file_mend(struct fg_archive_file *file, const char *open_path,
                                    uint64_t *cut_bytes, struct fg_err *err);

/* All of it or, on failure, nothing. */
enum fg_status fg_archive_file_add(struct fg_archive_file *file, struct fg_str bytes,
                                   struct fg_err *err);
enum fg_status fg_archive_file_sync(struct fg_archive_file *file, struct fg_err *err);
/* To disk, with its index, under its own name. */
enum fg_status fg_archive_file_finish(struct fg_archive_file *file, struct fg_err *err);
/* Leaves it as it is. */
void fg_archive_file_drop(struct fg_archive_file *file);

#endif
