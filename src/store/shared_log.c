#include "store/shared_log.h"

#include "base/memory.h"
#include "store/direct.h"

#include <stdlib.h>
#include <string.h>

enum { SNAPSHOT, ENTRIES, LAST, APPEND, PUT_SNAPSHOT, DROP, QUESTIONS };
static const char *const questions[QUESTIONS] = {
    [SNAPSHOT] = "SELECT number, bytes FROM shared_logs WHERE name = ?1 AND number > ?2",
    [ENTRIES] = "SELECT number, bytes FROM shared_log_entries"
                " WHERE name = ?1 AND number > ?2 ORDER BY number",
    [LAST] = "SELECT coalesce(max(number), 0) FROM (SELECT max(number) AS number FROM"
             " shared_log_entries WHERE name = ?1 UNION ALL SELECT number FROM"
             " shared_logs WHERE name = ?1) t",
    [APPEND] = "INSERT INTO shared_log_entries VALUES(?1, ?2, ?3)",
    [PUT_SNAPSHOT] = "INSERT INTO shared_logs VALUES(?1, ?2, ?3) ON CONFLICT(name) DO"
                     " UPDATE SET number = excluded.number, bytes = excluded.bytes",
    [DROP] = "DELETE FROM shared_log_entries WHERE name = ?1 AND number <= ?2",
};

struct fg_shared_log {
    struct fg_direct *direct;
    char *name;
};

enum fg_status fg_shared_log_open(struct fg_shared_log **made, const char *place,
                                  const char *name, struct fg_err *err)
{
    struct fg_shared_log *log = fg_zeroed(1, sizeof *log);
    log->name = strdup(name);
    if (!log->name)
        fg_out_of_memory();
    enum fg_status st = fg_direct_open(&log->direct, place, questions, QUESTIONS, err);
    if (st)
        fg_shared_log_close(log);
    *made = st ? NULL : log;
    return st;
}

void fg_shared_log_close(struct fg_shared_log *log)
{
    if (!log)
        return;
    fg_direct_close(log->direct);
    free(log->name);
    free(log);
}

enum fg_status fg_shared_log_begin(struct fg_shared_log *log, struct fg_err *err)
{
    return fg_direct_begin(log->direct, false, err);
}

enum fg_status fg_shared_log_end(struct fg_shared_log *log, enum fg_status st,
                                 struct fg_err *err)
{
    return fg_direct_end(log->direct, st, err);
}

/* --- reading --- */

struct telling {
    fg_take_entry *take; /* NULL: only whether there are any is asked */
    void *context;
    struct fg_err *err;
    enum fg_status status;
    uint64_t seen;
    bool is_snapshot, is_any;
};

static bool tell(void *context, const struct fg_ads_cell *row, size_t n)
{
    struct telling *telling = context;
    (void)n;
    telling->is_any = true;
    if (!telling->take)
        return false;
    telling->seen = (uint64_t)row[0].number;
    telling->status = telling->take(telling->context, telling->seen, telling->is_snapshot,
                                    row[1].text, telling->err);
    return !telling->status;
}

static enum fg_status ask(struct fg_shared_log *log, size_t question,
                          struct telling *telling, struct fg_err *err)
{
    enum fg_status st = fg_direct_ask(log->direct, question,
                                      FG_CELLS(FG_CELL_TEXT(fg_str_from(log->name)),
                                               FG_CELL_INT((int64_t)telling->seen)),
                                      tell, telling, err);
    return st ? st : telling->status;
}

enum fg_status fg_shared_log_read(struct fg_shared_log *log, uint64_t seen,
                                  fg_take_entry *take, void *context, struct fg_err *err)
{
    struct telling gap = {.seen = seen};
    struct telling telling = {.take = take, .context = context, .err = err, .seen = seen};
    /* If no entry has gone that was not seen, the snapshot has nothing new: it is passed
     * over. */
    enum fg_status st = ask(log, SNAPSHOT, &gap, err);
    telling.is_snapshot = true;
    if (!st && gap.is_any)
        st = ask(log, SNAPSHOT, &telling, err);
    telling.is_snapshot = false;
    return st ? st : ask(log, ENTRIES, &telling, err);
}

/* --- writing --- */

static enum fg_status write(struct fg_shared_log *log, size_t question, uint64_t number,
                            struct fg_str bytes, struct fg_err *err)
{
    return fg_direct_ask(log->direct, question,
                         FG_CELLS(FG_CELL_TEXT(fg_str_from(log->name)),
                                  FG_CELL_INT((int64_t)number), FG_CELL_BLOB(bytes)),
                         NULL, NULL, err);
}

static enum fg_status check_size(const struct fg_shared_log *log, struct fg_str bytes,
                                 struct fg_err *err)
{
    return bytes.len <= FG_SHARED_LOG_MOST
               ? FG_OK
               : fg_fail(err, FG_ELIMIT, "the state '%s' is larger than %d bytes",
                         log->name, FG_SHARED_LOG_MOST);
}

static bool take_last(void *context, const struct fg_ads_cell *row, size_t n)
{
    uint64_t *last = context;
    (void)n;
    *last = (uint64_t)row[0].number;
    return true;
}

enum fg_status fg_shared_log_append(struct fg_shared_log *log, struct fg_str bytes,
                                    uint64_t *number, struct fg_err *err)
{
    uint64_t last = 0;
    enum fg_status st = check_size(log, bytes, err);
    if (!st)
        st = fg_direct_ask(log->direct, LAST,
                           FG_CELLS(FG_CELL_TEXT(fg_str_from(log->name))), take_last,
                           &last, err);
    if (!st)
        *number = last + 1;
    return st ? st : write(log, APPEND, *number, bytes, err);
}

enum fg_status fg_shared_log_snapshot(struct fg_shared_log *log, struct fg_str bytes,
                                      uint64_t number, struct fg_err *err)
{
    enum fg_status st = check_size(log, bytes, err);
    if (!st)
        st = write(log, PUT_SNAPSHOT, number, bytes, err);
    return st ? st
              : fg_direct_ask(log->direct, DROP,
                              FG_CELLS(FG_CELL_TEXT(fg_str_from(log->name)),
                                       FG_CELL_INT((int64_t)number)),
                              NULL, NULL, err);
}
