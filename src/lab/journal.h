/* journal.h - the finished runs of an experiment, line by line, so that none is lost
 *
 *     fg_journal_read(path, key, &taker, err);
 *     fg_journal_open(&journal, path, key, resume, err);
 *     fg_journal_add(&journal, "run", job, values, err);
 *     fg_journal_close(&journal);
 *
 * A line is a checksum, the key of the experiment it belongs to, what it is about, a
 * number and values. A line that was cut short by a crash, or belongs to another
 * experiment, is passed over. Whatever a line says was written after the work was done:
 * killed at any moment, a run has lost at most the jobs that were under way. */
#ifndef FG_LAB_JOURNAL_H
#define FG_LAB_JOURNAL_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

struct fg_journal {
    int fd; /* -1: nothing is written */
    uint64_t key;
};

struct fg_journal_taker {
    void *context;
    void (*take)(void *context, struct fg_str what, size_t number, struct fg_str values);
};

/* A file that is not there has no lines. */
enum fg_status fg_journal_read(const char *path, uint64_t key,
                               const struct fg_journal_taker *taker, struct fg_err *err);

/* Appends to what is there, or starts anew. */
enum fg_status fg_journal_open(struct fg_journal *journal, const char *path, uint64_t key,
                               bool append, struct fg_err *err);
void fg_journal_close(struct fg_journal *journal);

/* `what` is a word; `values` has none but words, each with a blank before it. Lines may
 * be added from any thread. */
enum fg_status fg_journal_add(const struct fg_journal *journal, const char *what,
                              size_t number, struct fg_str values, struct fg_err *err);

/* Appends the whole lines of one journal to another's file, `into`, and counts the runs.
 * `*key` is that of all so far, 0 at first: of another experiment, other data or another
 * build there may be none. */
enum fg_status fg_journal_merge(int into, const char *path, uint64_t *key, size_t *runs,
                                struct fg_err *err);

/* For who takes values: the next of them as a number; false if it is none. */
bool fg_journal_u64(struct fg_str *rest, uint64_t *value);

/* Values as they stand in memory, `n` bytes, a multiple of eight: each eight are a
 * number. What is read is what was written, by the same build of the program. */
void fg_journal_put(struct fg_buf *out, const void *bytes, size_t n);
bool fg_journal_take(struct fg_str *rest, void *bytes, size_t n);

#endif
