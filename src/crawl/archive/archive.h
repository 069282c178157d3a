/* archive.h - every exchange of a crawl, kept in WARC files
 *
 *     struct fg_archive *archive;
 *     fg_archive_open(&archive, &options, now, err);
 *     fg_archive_put(archive, response, err);         (as the fetcher's `record`)
 *     fg_archive_close(archive, err);
 *
 * Files have names such as forage-20261116070000123-00001-HOST.warc.gz and end in ".open"
 * while they are written; a whole one has its index beside it, as .cdxj. What was put is
 * with the system when the call returns, so that a kill loses nothing; it is on disk when
 * the file is whole, or after fg_archive_sync. At the next start an open file is cut back
 * to its last whole record and gone on with.
 *
 * An answer whose payload is in the archive already becomes a revisit record. docs/
 * archive.md says what is in each record. */
#ifndef FG_CRAWL_ARCHIVE_H
#define FG_CRAWL_ARCHIVE_H

#include "base/err.h"
#include "net/http/fetch.h"

struct fg_archive;

struct fg_archive_options {
    const char *dir;    /* made if it is not there; NULL: */
    const char *file;   /* one file, which must not be there; packed if it ends in .gz */
    const char *prefix; /* of names; NULL: "forage" */
    size_t max_bytes;   /* of a file; 0: no limit */
    size_t remember;    /* payloads that revisits are told from */
    const char *user_agent, *operator; /* for the warcinfo record; may be NULL */
};

enum fg_status fg_archive_open(struct fg_archive **archive,
                               const struct fg_archive_options *options, fg_time now,
                               struct fg_err *err);
/* On failure nothing of it is in the archive. Requests that never went out are passed
 * over. With a `refusal`, words why its content is not to be kept, the head alone is. */
enum fg_status fg_archive_put(struct fg_archive *archive,
                              const struct fg_response *response, const char *refusal,
                              struct fg_err *err);
enum fg_status fg_archive_sync(struct fg_archive *archive, struct fg_err *err);
/* Frees it in any case. */
enum fg_status fg_archive_close(struct fg_archive *archive, struct fg_err *err);

struct fg_archive_counts {
    uint64_t responses, revisits, bytes, files;
    uint64_t cut_bytes; /* of files that were open when a run was killed */
};
struct fg_archive_counts fg_archive_count(const struct fg_archive *archive);

#endif
