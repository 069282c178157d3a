#include "crawl/scheduling.h"

#include "base/memory.h"
#include "crawl/minds.h"
#include "net/url/canonical.h"
#include "store/shared_log.h"

#include <stdlib.h>

/* A snapshot is written when reading what was done since takes as long as reading it: by
 * the bytes, and by the entries, each of which takes as long as these bytes of it. */
enum { ENTRIES_LEAST = 200, ENTRY_BYTES = 16 << 10, BYTES_LEAST = 256 << 10 };

struct fg_scheduling {
    struct fg_shared_log *log;
    const struct fg_crawl_options *options;
    struct fg_clock clock;
    struct fg_scheduler *scheduler; /* NULL: to be read anew */
    uint64_t seen;                  /* the last entry that is in it */
    size_t entries, entry_bytes, snapshot_bytes;
};

enum fg_status fg_scheduling_open(struct fg_scheduling **made, const char *place,
                                  const struct fg_crawl_options *options,
                                  struct fg_err *err)
{
    struct fg_scheduling *s = fg_zeroed(1, sizeof *s);
    s->options = options;
    s->clock = options->clock;
    enum fg_status st = fg_shared_log_open(&s->log, place, "scheduler", err);
    if (st)
        fg_scheduling_close(s);
    *made = st ? NULL : s;
    return st;
}

void fg_scheduling_close(struct fg_scheduling *s)
{
    if (!s)
        return;
    fg_shared_log_close(s->log);
    fg_scheduler_free(s->scheduler);
    free(s);
}

/* --- catching up --- */

static void forget(struct fg_scheduling *s)
{
    fg_scheduler_free(s->scheduler);
    s->scheduler = NULL;
    s->seen = s->entries = s->entry_bytes = s->snapshot_bytes = 0;
}

static enum fg_status start(struct fg_scheduling *s, struct fg_str snapshot,
                            struct fg_err *err)
{
    struct fg_mind *mind;
    enum fg_status st = crawl_mind_for_others(&mind, s->options, err);
    if (st)
        return st;
    forget(s);
    if (!snapshot.at)
        s->scheduler = fg_scheduler_new(mind);
    else
        st = fg_scheduler_load(&s->scheduler, mind, snapshot, err);
    s->snapshot_bytes = snapshot.len;
    return st;
}

static enum fg_status take(void *context, uint64_t number, bool is_snapshot,
                           struct fg_str bytes, struct fg_err *err)
{
    struct fg_scheduling *s = context;
    enum fg_status st = is_snapshot ? start(s, bytes, err)
                                    : fg_scheduler_replay(s->scheduler, bytes, err);
    if (st)
        return st;
    s->seen = number;
    s->entries += !is_snapshot;
    s->entry_bytes += is_snapshot ? 0 : bytes.len;
    return FG_OK;
}

static enum fg_status catch_up(struct fg_scheduling *s, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    if (!s->scheduler)
        st = start(s, (struct fg_str){0}, err);
    if (!st)
        st = fg_shared_log_read(s->log, s->seen, take, s, err);
    if (st)
        forget(s);
    return st;
}

/* --- a turn --- */

static void heed_settings(struct fg_scheduling *s)
{
    const struct fg_crawl_options *o = s->options;
    fg_scheduler_rule(s->scheduler,
                      &(struct fg_scheduler_rules){
                          .delay = o->pace.delay,
                          .lease = o->scheduling.lease,
                          .explore = o->scheduling.explore,
                          .only_added = !o->scheduling.follows,
                          .whole_stock = o->scheduling.stock == FG_STOCK_ALL,
                      });
}

enum fg_status fg_scheduling_begin(struct fg_scheduling *s,
                                   struct fg_scheduling_turn *turn, struct fg_err *err)
{
    /* Most of the reading is done before others are held up. */
    enum fg_status st = catch_up(s, err);
    if (!st)
        st = fg_shared_log_begin(s->log, err);
    if (st)
        return st;
    st = catch_up(s, err);
    if (st)
        return fg_shared_log_end(s->log, st, err);
    fg_scheduler_keep_log(s->scheduler);
    heed_settings(s);
    *turn = (struct fg_scheduling_turn){s->scheduler, fg_clock_now(&s->clock)};
    return FG_OK;
}

/* One that is too large is left out: then what was done since goes on growing. */
static enum fg_status write_snapshot(struct fg_scheduling *s, struct fg_err *err)
{
    struct fg_buf bytes;
    fg_buf_init(&bytes, FG_SHARED_LOG_MOST);
    enum fg_status st = FG_OK;
    if (fg_scheduler_save(s->scheduler, &bytes))
        st = fg_shared_log_snapshot(s->log, fg_buf_str(&bytes), s->seen, err);
    s->entries = s->entry_bytes = 0;
    s->snapshot_bytes = bytes.len;
    fg_buf_clear(&bytes);
    return st;
}

static enum fg_status write_down(struct fg_scheduling *s, struct fg_err *err)
{
    struct fg_str log = fg_scheduler_log(s->scheduler);
    if (!log.len)
        return FG_OK;
    enum fg_status st = fg_shared_log_append(s->log, log, &s->seen, err);
    s->entries++;
    s->entry_bytes += log.len;
    bool is_due = s->entries > ENTRIES_LEAST + s->snapshot_bytes / ENTRY_BYTES ||
                  s->entry_bytes > BYTES_LEAST + s->snapshot_bytes / 2;
    return !st && is_due ? write_snapshot(s, err) : st;
}

enum fg_status fg_scheduling_end(struct fg_scheduling *s, enum fg_status st,
                                 struct fg_err *err)
{
    if (!st)
        st = write_down(s, err);
    st = fg_shared_log_end(s->log, st, err);
    if (st)
        forget(s); /* what it has in memory did not happen */
    return st;
}

/* --- names --- */

enum fg_status fg_scheduling_name(struct fg_str *name, struct fg_arena *arena,
                                  struct fg_str address, const struct fg_url *base,
                                  const struct fg_crawl_options *options,
                                  struct fg_err *err)
{
    struct fg_url url;
    if (!fg_url_parse(&url, arena, address, base))
        return fg_fail(err, FG_EINPUT, "'%.*s' is not an address: %s",
                       FG_ARG(fg_str_sub(address, 0, 200)),
                       fg_url_reason(arena, address, base));
    if (!fg_url_is_http(&url))
        return fg_fail(err, FG_EINPUT, "'%.*s' is not an http or https address",
                       FG_ARG(fg_str_sub(address, 0, 200)));
    *name = fg_canonical_from(arena, &url, options->naming.keep);
    if (name->len > FG_SCHEDULER_NAME)
        return fg_fail(err, FG_EINPUT, "an address is longer than %d bytes",
                       FG_SCHEDULER_NAME);
    return FG_OK;
}
