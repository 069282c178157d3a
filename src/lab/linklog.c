#include "lab/linklog.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/vec.h"
#include "lab/site.h"
#include "lab/tsv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HOUR = 3600 };

struct stay {
    uint32_t source;
    uint64_t target;
    int64_t first, last;
};

struct look {
    int64_t time;
    uint32_t source;
};

struct fg_linklog {
    struct fg_arena arena;
    struct fg_names source_numbers, target_numbers; /* the number plus one */
    FG_VEC(struct fg_str) sources;
    FG_VEC(struct stay) stays;
    FG_VEC(struct look) looks;
    FG_VEC(uint64_t) relevant;
    size_t targets;
};

struct fg_linklog *fg_linklog_new(void)
{
    struct fg_linklog *log = fg_zeroed(1, sizeof *log);
    log->source_numbers.arena = log->target_numbers.arena = &log->arena;
    return log;
}

void fg_linklog_free(struct fg_linklog *log)
{
    if (!log)
        return;
    fg_vec_clear(&log->sources);
    fg_vec_clear(&log->stays);
    fg_vec_clear(&log->looks);
    fg_vec_clear(&log->relevant);
    fg_arena_clear(&log->arena);
    free(log);
}

uint32_t fg_linklog_source(struct fg_linklog *log, struct fg_str name)
{
    uint64_t *number = fg_names_put(&log->source_numbers, name);
    if (!*number) {
        fg_vec_push(&log->sources, fg_arena_dup(&log->arena, name));
        *number = log->sources.len;
    }
    return (uint32_t)(*number - 1);
}

uint64_t fg_linklog_target(struct fg_linklog *log, struct fg_str name)
{
    uint64_t *number = fg_names_put(&log->target_numbers, name);
    if (!*number)
        *number = ++log->targets;
    return *number - 1;
}

void fg_linklog_stay(struct fg_linklog *log, uint32_t source, uint64_t target,
                     int64_t first, int64_t last)
{
    fg_vec_push(&log->stays, (struct stay){source, target, first, last});
}

void fg_linklog_look(struct fg_linklog *log, uint32_t source, int64_t time)
{
    fg_vec_push(&log->looks, (struct look){time, source});
}

void fg_linklog_relevant(struct fg_linklog *log, uint64_t target)
{
    fg_vec_push(&log->relevant, target);
}

size_t fg_linklog_sources(const struct fg_linklog *log)
{
    return log->sources.len;
}

size_t fg_linklog_targets(const struct fg_linklog *log)
{
    return log->targets;
}

size_t fg_linklog_stays(const struct fg_linklog *log)
{
    return log->stays.len;
}

/* --- a site --- */

/* The stays of a site, from its arrivals and departures. */
static void add_stays(struct fg_linklog *log, const struct fg_site *site, uint32_t source,
                      uint64_t target)
{
    int64_t start = site->facts.start / FG_SECOND, step = site->facts.step / FG_SECOND;
    uint32_t *since = fg_zeroed(site->pairs ? site->pairs : 1, sizeof *since);
    for (size_t t = 0; t <= site->facts.steps; t++)
        for (size_t i = site->event_at[t]; i < site->event_at[t + 1]; i++) {
            uint32_t pair = site->event[i] >> 1;
            if (site->event[i] & 1)
                since[pair] = (uint32_t)t;
            else
                fg_linklog_stay(log, source + site->pair_source[pair],
                                target + site->pair_target[pair],
                                start + since[pair] * step,
                                start + ((int64_t)t - 1) * step);
        }
    free(since);
}

void fg_linklog_site(struct fg_linklog *log, const struct fg_site *site, const char *name)
{
    const struct fg_site_facts *facts = &site->facts;
    uint32_t source = (uint32_t)log->sources.len;
    uint64_t target = log->targets;
    char text[256];
    for (size_t u = 0; u < facts->sources; u++) {
        if (site->site_of)
            snprintf(text, sizeof text, "s%u-%s/%zu", site->site_of[u], name, u);
        else
            snprintf(text, sizeof text, "%s/%zu", name, u);
        fg_linklog_source(log, fg_str_from(text));
    }
    log->targets += site->targets;
    add_stays(log, site, source, target);
    for (size_t t = 0; t < facts->steps; t++)
        for (size_t u = 0; u < facts->sources; u++)
            if (!site->is_missing || !site->is_missing[t * facts->sources + u])
                fg_linklog_look(log, source + (uint32_t)u,
                                (facts->start + (fg_time)t * facts->step) / FG_SECOND);
    for (size_t v = 0; site->is_relevant && v < site->targets; v++)
        if (site->is_relevant[v])
            fg_linklog_relevant(log, target + v);
}

/* --- filling --- */

static int by_source(const void *a, const void *b)
{
    const struct look *x = a, *y = b;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return x->time < y->time ? -1 : x->time > y->time;
}

static int by_time(const void *a, const void *b)
{
    const struct look *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->source < y->source ? -1 : x->source > y->source;
}

/* How many looks, sorted by source, are at or before that one. */
static size_t count_until(const struct look *looks, size_t n, struct look wanted)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_source(&looks[middle], &wanted) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Hours after look `i` at which the source still counts as looked at. */
static int64_t hours_after(const struct look *looks, size_t n, size_t i, int64_t seconds)
{
    bool has_next = i + 1 < n && looks[i + 1].source == looks[i].source;
    int64_t until = looks[i].time + seconds;
    if (has_next && looks[i + 1].time <= until)
        until = looks[i + 1].time - 1;
    return until > looks[i].time ? (until - looks[i].time) / HOUR : 0;
}

void fg_linklog_fill(struct fg_linklog *log, int64_t seconds)
{
    size_t n = log->looks.len;
    if (!n)
        return;
    qsort(log->looks.at, n, sizeof *log->looks.at, by_source);
    for (size_t i = 0; i < log->stays.len; i++) {
        struct stay *stay = &log->stays.at[i];
        size_t seen =
            count_until(log->looks.at, n, (struct look){stay->last, stay->source});
        if (!seen || log->looks.at[seen - 1].source != stay->source)
            continue;
        int64_t still = log->looks.at[seen - 1].time +
                        HOUR * hours_after(log->looks.at, n, seen - 1, seconds);
        stay->last = still > stay->last ? still : stay->last;
    }
    for (size_t i = 0; i < n; i++) {
        int64_t hours = hours_after(log->looks.at, n, i, seconds);
        for (int64_t hour = 1; hour <= hours; hour++)
            fg_vec_push(&log->looks, (struct look){log->looks.at[i].time + hour * HOUR,
                                                   log->looks.at[i].source});
    }
}

/* --- writing --- */

static enum fg_status write_sources(struct fg_linklog *log, const char *folder,
                                    struct fg_err *err)
{
    struct fg_tsv_out out;
    enum fg_status st = fg_tsv_create(&out, folder, "sources.tsv", err);
    for (size_t i = 0; !st && i < log->sources.len; i++)
        fg_tsv_put(&out, "%zu\t%.*s\n", i,
                   FG_ARG(fg_str_sub(log->sources.at[i], 0, 4000)));
    return st ? st : fg_tsv_finish(&out, err);
}

static int by_first(const void *a, const void *b)
{
    const struct stay *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return x->target < y->target ? -1 : x->target > y->target;
}

static enum fg_status write_stays(struct fg_linklog *log, const char *folder,
                                  struct fg_err *err)
{
    struct fg_tsv_out out;
    enum fg_status st = fg_tsv_create(&out, folder, "intervals.tsv.gz", err);
    if (log->stays.len)
        qsort(log->stays.at, log->stays.len, sizeof *log->stays.at, by_first);
    for (size_t i = 0; !st && i < log->stays.len; i++) {
        const struct stay *stay = &log->stays.at[i];
        fg_tsv_put(&out, "%u\t%llu\t%lld\t%lld\n", stay->source,
                   (unsigned long long)stay->target, (long long)stay->first,
                   (long long)stay->last);
    }
    return st ? st : fg_tsv_finish(&out, err);
}

/* By time, each once. */
static void sort_looks(struct fg_linklog *log)
{
    struct look *looks = log->looks.at;
    size_t kept = 0;
    qsort(looks, log->looks.len, sizeof *looks, by_time);
    for (size_t i = 0; i < log->looks.len; i++)
        if (!kept || by_time(&looks[i], &looks[kept - 1]) != 0)
            looks[kept++] = looks[i];
    log->looks.len = kept;
}

static enum fg_status write_looks(struct fg_linklog *log, const char *folder,
                                  struct fg_err *err)
{
    struct fg_tsv_out out;
    if (!log->looks.len)
        return FG_OK;
    enum fg_status st = fg_tsv_create(&out, folder, "snapshots.tsv.gz", err);
    sort_looks(log);
    const struct look *looks = log->looks.at;
    for (size_t i = 0, end; !st && i < log->looks.len; i = end) {
        end = i;
        while (end < log->looks.len && looks[end].time == looks[i].time)
            end++;
        fg_tsv_put(&out, "%lld\t", (long long)looks[i].time);
        if (end - i == log->sources.len)
            fg_tsv_put(&out, "*");
        for (size_t j = i; end - i != log->sources.len && j < end; j++)
            fg_tsv_put(&out, "%s%u", j > i ? "," : "", looks[j].source);
        fg_tsv_put(&out, "\n");
    }
    return st ? st : fg_tsv_finish(&out, err);
}

static enum fg_status write_relevant(struct fg_linklog *log, const char *folder,
                                     struct fg_err *err)
{
    struct fg_tsv_out out;
    if (!log->relevant.len)
        return FG_OK;
    enum fg_status st = fg_tsv_create(&out, folder, "relevant.tsv.gz", err);
    for (size_t i = 0; !st && i < log->relevant.len; i++)
        fg_tsv_put(&out, "%llu\n", (unsigned long long)log->relevant.at[i]);
    return st ? st : fg_tsv_finish(&out, err);
}

/* What an earlier recording left here would be read together with this one. */
static void remove_old(const char *folder)
{
    static const char *const names[] = {
        "sources.tsv",   "sources.tsv.gz",   "intervals.tsv", "intervals.tsv.gz",
        "snapshots.tsv", "snapshots.tsv.gz", "relevant.tsv",  "relevant.tsv.gz"};
    char path[4096];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
}

enum fg_status fg_linklog_write(struct fg_linklog *log, const char *folder,
                                struct fg_err *err)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fg_fail(err, FG_EIO, "cannot make the folder '%s': %s", folder,
                       strerror(errno));
    remove_old(folder);
    enum fg_status st = write_sources(log, folder, err);
    if (!st)
        st = write_stays(log, folder, err);
    if (!st)
        st = write_looks(log, folder, err);
    if (!st)
        st = write_relevant(log, folder, err);
    return st;
}
