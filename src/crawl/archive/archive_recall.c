/* What earlier runs left: files that were open when one was killed, and indexes that say
 * which payloads are stored. */
#include "crawl/archive/archive_parts.h"

#include "base/file.h"
#include "base/log.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* --- open files --- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The files of the folder that end so, in order of their names. */
static enum fg_status list(struct fg_archive *archive, struct fg_arena *arena,
                           const char *suffix, const char ***found, size_t *n,
                           struct fg_err *err)
{
    FG_VEC(const char *) all = {0};
    DIR *dir = opendir(archive->dir);
    if (!dir)
        return fg_fail(err, FG_EIO, "cannot open the archive '%s': %s", archive->dir,
                       strerror(errno));
    for (struct dirent *entry; (entry = readdir(dir));)
        if (fg_str_ends(fg_str_from(entry->d_name), fg_str_from(suffix)))
            fg_vec_push_in(
                arena, &all,
                fg_arena_printf(arena, "%s/%s", archive->dir, entry->d_name).at);
    closedir(dir);
    if (all.len)
        qsort(all.at, all.len, sizeof *all.at, by_name);
    *found = all.at;
    *n = all.len;
    return FG_OK;
}

/* Gone on with are files of this crawl that have room; one that has none is finished. */
static enum fg_status mend_one(struct fg_archive *archive, const char *path,
                               struct fg_err *err)
{
    struct fg_archive_file file;
    uint64_t cut;
    enum fg_status st = fg_archive_file_mend(&file, path, &cut, err);
    if (st)
        return st;
    archive->counts.cut_bytes += cut;
    if (cut)
        fg_log_warn("archive", "a file that was open is cut back to its last record",
                    FG_F("file", path), FG_F("bytes", cut));
    if (file.fd < 0)
        return FG_OK;
    size_t most = archive->options.max_bytes;
    if (archive->file.fd >= 0 || (most && file.bytes >= most))
        return fg_archive_file_finish(&file, err);
    archive->file = file;
    archive->file.index.arena = &archive->file.arena;
    return FG_OK;
}

static enum fg_status mend(struct fg_archive *archive, struct fg_err *err)
{
    struct fg_arena arena = {0};
    const char **paths;
    size_t n = 0;
    enum fg_status st = list(archive, &arena, ".warc.gz.open", &paths, &n, err);
    for (size_t i = 0; !st && i < n; i++)
        st = mend_one(archive, paths[i], err);
    fg_arena_clear(&arena);
    return st;
}

/* --- payloads --- */

static void recall_line(struct fg_archive *archive, struct fg_arena *arena,
                        struct fg_str line, bool wants_revisits)
{
    struct fg_revisits *revisits = &archive->revisits;
    struct fg_cdx cdx = {0};
    struct fg_capture capture;
    struct fg_sha1 sum;
    if (fg_cdx_read(&cdx, &capture, arena, line, NULL) || !capture.url.len ||
        capture.is_revisit != wants_revisits || !fg_sha1_parse(&sum, capture.digest))
        return;
    const struct fg_original *known = fg_revisits_by_payload(revisits, &sum);
    if (!known && !wants_revisits)
        fg_revisits_add(revisits, capture.url, &sum, capture.time);
    else if (known && !fg_revisits_by_url(revisits, capture.url))
        fg_revisits_link(revisits, capture.url, known);
}

static void recall_index(struct fg_archive *archive, const char *path,
                         bool wants_revisits)
{
    FILE *f = fopen(path, "re");
    struct fg_arena arena = {0};
    struct fg_str line;
    while (f && fg_line_next(f, &arena, FG_CDX_LINE_MAX, &line, NULL)) {
        recall_line(archive, &arena, line, wants_revisits);
        fg_arena_reset(&arena);
    }
    fg_arena_clear(&arena);
    if (f)
        fclose(f);
}

/* As many of the latest indexes as may hold what is remembered. */
static size_t first_of(const struct fg_archive *archive, const char **paths, size_t n)
{
    enum { LINE_BYTES = 200 };
    uint64_t lines = 0;
    struct stat about;
    while (n > 0 && lines < archive->options.remember)
        if (stat(paths[--n], &about) == 0)
            lines += (uint64_t)about.st_size / LINE_BYTES;
    return n;
}

static enum fg_status recall_revisits(struct fg_archive *archive, struct fg_err *err)
{
    struct fg_arena arena = {0};
    const char **paths = NULL;
    size_t n = 0;
    enum fg_status st = list(archive, &arena, ".cdxj", &paths, &n, err);
    size_t first = first_of(archive, paths, n);
    const struct fg_warc_index *open = &archive->file.index;
    for (int pass = 0; !st && pass < 2; pass++) {
        for (size_t i = first; i < n; i++)
            recall_index(archive, paths[i], pass == 1);
        for (size_t i = 0; archive->file.fd >= 0 && i < open->lines.len; i++)
            recall_line(archive, &arena, open->lines.at[i], pass == 1);
    }
    fg_arena_clear(&arena);
    return st;
}

enum fg_status archive_recall(struct fg_archive *archive, struct fg_err *err)
{
    enum fg_status st = mend(archive, err);
    return st ? st : recall_revisits(archive, err);
}
