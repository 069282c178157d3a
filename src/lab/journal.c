#include "lab/journal.h"

#include "base/arena.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MOST = 1 << 18 };

/* --- values --- */

bool fg_journal_u64(struct fg_str *rest, uint64_t *value)
{
    struct fg_str word;
    return fg_str_cut(rest, ' ', &word) && fg_str_to_u64(word, value);
}

void fg_journal_put(struct fg_buf *out, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, (const char *)bytes + i, sizeof word);
        fg_buf_printf(out, " %llu", (unsigned long long)word);
    }
}

bool fg_journal_take(struct fg_str *rest, void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i += sizeof(uint64_t)) {
        uint64_t word;
        if (!fg_journal_u64(rest, &word))
            return false;
        memcpy((char *)bytes + i, &word, sizeof word);
    }
    return true;
}

/* --- lines --- */

static enum fg_status write_line(const struct fg_journal *journal, struct fg_buf *body,
                                 struct fg_err *err)
{
    struct fg_buf line;
    fg_buf_init(&line, LINE_MOST);
    fg_buf_printf(&line, "%016llx ", (unsigned long long)fg_str_hash(fg_buf_str(body)));
    fg_buf_add(&line, fg_buf_str(body));
    fg_buf_add_char(&line, '\n');
    ssize_t written = write(journal->fd, line.at, line.len);
    bool is_whole = written == (ssize_t)line.len;
    fg_buf_clear(&line);
    if (is_whole)
        return FG_OK;
    return fg_fail(err, written >= 0 || errno == ENOSPC ? FG_EFULL : FG_EIO,
                   "cannot write the journal: %s",
                   written >= 0 ? "the disk is full" : strerror(errno));
}

enum fg_status fg_journal_add(const struct fg_journal *journal, const char *what,
                              size_t number, struct fg_str values, struct fg_err *err)
{
    if (journal->fd < 0)
        return FG_OK;
    struct fg_buf body;
    fg_buf_init(&body, LINE_MOST);
    fg_buf_printf(&body, "%016llx %s %zu", (unsigned long long)journal->key, what,
                  number);
    fg_buf_add(&body, values);
    enum fg_status st = body.full ? fg_fail(err, FG_ELIMIT, "too long for the journal")
                                  : write_line(journal, &body, err);
    fg_buf_clear(&body);
    return st;
}

static bool take_hash(struct fg_str *rest, uint64_t *value)
{
    struct fg_str word;
    *value = 0;
    if (!fg_str_cut(rest, ' ', &word) || word.len != 16)
        return false;
    for (size_t i = 0; i < 16; i++) {
        if (fg_hex(word.at[i]) < 0)
            return false;
        *value = *value << 4 | (uint64_t)fg_hex(word.at[i]);
    }
    return true;
}

static void take_line(struct fg_str line, uint64_t key,
                      const struct fg_journal_taker *taker)
{
    uint64_t sum, own, number;
    struct fg_str what;
    if (take_hash(&line, &sum) && sum == fg_str_hash(line) && take_hash(&line, &own) &&
        own == key && fg_str_cut(&line, ' ', &what) && fg_journal_u64(&line, &number))
        taker->take(taker->context, what, (size_t)number, line);
}

enum fg_status fg_journal_read(const char *path, uint64_t key,
                               const struct fg_journal_taker *taker, struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_err trouble = {0};
    struct fg_str line;
    FILE *f = fopen(path, "r");
    if (!f)
        return errno == ENOENT
                   ? FG_OK
                   : fg_fail(err, FG_EIO, "cannot open '%s': %s", path, strerror(errno));
    while (fg_line_next(f, &arena, LINE_MOST, &line, &trouble)) {
        take_line(line, key, taker);
        fg_arena_reset(&arena);
    }
    fclose(f);
    fg_arena_clear(&arena);
    return trouble.status ? fg_fail(err, trouble.status, "cannot take up '%s': %s", path,
                                    trouble.text)
                          : FG_OK;
}

static enum fg_status merge_line(int into, const char *path, struct fg_str line,
                                 uint64_t *key, size_t *runs, struct fg_err *err)
{
    struct fg_str rest = line;
    uint64_t sum, own;
    if (!take_hash(&rest, &sum) || sum != fg_str_hash(rest) || !take_hash(&rest, &own))
        return FG_OK; /* cut short */
    if (*key && own != *key)
        return fg_fail(err, FG_EINPUT,
                       "'%s' is of another experiment, other data or another build than "
                       "the journals before it",
                       path);
    *key = own;
    *runs += fg_str_starts(rest, FG_STR("run "));
    return fg_file_write_all(into, line) && fg_file_write_all(into, FG_STR("\n"))
               ? FG_OK
               : fg_fail(err, errno == ENOSPC ? FG_EFULL : FG_EIO,
                         "cannot write the journal: %s", strerror(errno));
}

enum fg_status fg_journal_merge(int into, const char *path, uint64_t *key, size_t *runs,
                                struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_err trouble = {0};
    struct fg_str line;
    enum fg_status st = FG_OK;
    size_t before = *runs;
    FILE *f = fopen(path, "r");
    if (!f)
        return fg_fail(err, FG_EIO, "cannot open '%s': %s", path, strerror(errno));
    while (!st && fg_line_next(f, &arena, LINE_MOST, &line, &trouble)) {
        st = merge_line(into, path, line, key, runs, err);
        fg_arena_reset(&arena);
    }
    fclose(f);
    fg_arena_clear(&arena);
    if (!st && trouble.status)
        st = fg_fail(err, trouble.status, "cannot take up '%s': %s", path, trouble.text);
    return !st && *runs == before
               ? fg_fail(err, FG_EINPUT, "'%s' has no finished job in it", path)
               : st;
}

enum fg_status fg_journal_open(struct fg_journal *journal, const char *path, uint64_t key,
                               bool append, struct fg_err *err)
{
    *journal = (struct fg_journal){.fd = -1, .key = key};
    if (!path)
        return FG_OK;
    journal->fd = open(
        path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (append ? 0 : O_TRUNC), 0666);
    if (journal->fd < 0)
        return fg_fail(err, FG_EIO, "cannot write '%s': %s", path, strerror(errno));
    /* What a crash cut short ends here, and cannot spoil the next line. */
    if (append && lseek(journal->fd, 0, SEEK_END) > 0 && write(journal->fd, "\n", 1) != 1)
        return fg_fail(err, FG_EFULL, "cannot write '%s': %s", path, strerror(errno));
    return FG_OK;
}

void fg_journal_close(struct fg_journal *journal)
{
    if (journal->fd >= 0)
        close(journal->fd);
    journal->fd = -1;
}
