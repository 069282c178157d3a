/* journal.h - the finished runs of an experiment, line by line, so that none is lost
 *
 *     fg_journal_read(path, key, take, context);
 *     fg_journal_open(&journal, path, key, resume, err);
 *     fg_journal_run(&journal, job, &run);
 *     fg_journal_close(&journal);
 *
 * A line is a checksum, the key of the experiment it belongs to, and numbers. A line that
 * was cut short by a crash, or belongs to another experiment, is passed over. Whatever a
 * line says was written after the work was done: killed at any moment, a run has lost at
 * most the jobs that were under way. */
#ifndef FG_LAB_JOURNAL_H
#define FG_LAB_JOURNAL_H

#include "base/err.h"
#include "lab/run.h"

struct fg_journal {
    int fd; /* -1: nothing is written */
    uint64_t key;
};

struct fg_journal_taker {
    void *context;
    void (*site)(void *context, size_t site, size_t sources);
    void (*run)(void *context, size_t job, const struct fg_run *run);
};

/* A file that is not there has no lines. */
enum fg_status fg_journal_read(const char *path, uint64_t key,
                               const struct fg_journal_taker *taker, struct fg_err *err);

/* Appends to what is there, or starts anew. */
enum fg_status fg_journal_open(struct fg_journal *journal, const char *path, uint64_t key,
                               bool append, struct fg_err *err);
void fg_journal_close(struct fg_journal *journal);

enum fg_status fg_journal_site(const struct fg_journal *journal, size_t site,
                               size_t sources, struct fg_err *err);
enum fg_status fg_journal_run(const struct fg_journal *journal, size_t job,
                              const struct fg_run *run, struct fg_err *err);

#endif
