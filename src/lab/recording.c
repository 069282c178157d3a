#include "lab/recording.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "lab/tsv.h"
#include "net/url/domain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HOUR = 3600,
    TOO_OLD = 3 * HOUR,
    LEAST_SOURCES = 3,
    SOURCES_MOST = 1000000,
};

struct interval {
    uint32_t source;
    uint64_t target;
    int64_t first, last;
};

typedef FG_VEC(int64_t) times_vec;

struct group {
    char name[FG_NAME_MAX];
    FG_VEC(uint32_t) sources;
    bool is_whole, is_site; /* both, where there is one site or none can be told */
};

struct fg_recording {
    char name[FG_NAME_MAX];
    struct fg_arena arena;
    FG_VEC(struct fg_str) names; /* by source */
    FG_VEC(struct interval) intervals;
    struct fg_map relevant; /* targets; empty: nothing is known of it */
    times_vec *snapshots;   /* by source, rising */
    FG_VEC(struct group) groups;
    bool is_prepared;
    size_t least_sources; /* of a domain that is a site of its own */
};

/* --- reading --- */

static struct fg_str next_field(struct fg_str *row, char end)
{
    size_t at = fg_str_chr(*row, end);
    struct fg_str field = fg_str_sub(*row, 0, at == FG_NOT_FOUND ? row->len : at);
    *row = fg_str_skip(*row, at == FG_NOT_FOUND ? row->len : at + 1);
    return field;
}

static bool take_number(struct fg_str *row, char end, uint64_t most, uint64_t *value)
{
    struct fg_str field = next_field(row, end);
    *value = 0;
    for (size_t i = 0; i < field.len; i++) {
        if (field.at[i] < '0' || field.at[i] > '9' || *value > most / 10)
            return false;
        *value = *value * 10 + (uint64_t)(field.at[i] - '0');
    }
    return field.len && *value <= most;
}

static bool is_source(const struct fg_recording *rec, uint64_t number)
{
    return number < rec->names.len && rec->names.at[number].len;
}

static enum fg_status read_sources(struct fg_recording *rec, struct fg_tsv *table,
                                   struct fg_err *err)
{
    enum fg_status st = FG_OK;
    struct fg_str row;
    while (!st && fg_tsv_next(table, &row, &st, err)) {
        uint64_t number;
        bool is_number = take_number(&row, '\t', SOURCES_MOST, &number);
        struct fg_str name = next_field(&row, '\t');
        if (!is_number || !name.len)
            return fg_tsv_bad(table, "a source's number, a tab and its name", err);
        while (rec->names.len <= number)
            fg_vec_push(&rec->names, FG_STR("")); /* a number that stands for nothing */
        rec->names.at[number] = fg_arena_dup(&rec->arena, name);
    }
    if (!st && !rec->names.len)
        st = fg_fail(err, FG_EINPUT, "'%s' names no source", table->path);
    return st;
}

static enum fg_status read_intervals(struct fg_recording *rec, struct fg_tsv *table,
                                     struct fg_err *err)
{
    enum fg_status st = FG_OK;
    struct fg_str row;
    while (!st && fg_tsv_next(table, &row, &st, err)) {
        uint64_t source, target, first, last;
        if (!take_number(&row, '\t', UINT32_MAX, &source) ||
            !take_number(&row, '\t', UINT64_MAX / 16, &target) ||
            !take_number(&row, '\t', INT64_MAX / 16, &first) ||
            !take_number(&row, '\t', INT64_MAX / 16, &last) || first > last)
            return fg_tsv_bad(
                table,
                "source, target, first seen and last seen, as whole numbers "
                "with tabs between, the last not before the first",
                err);
        if (!is_source(rec, source))
            return fg_tsv_bad(table, "a source that sources.tsv names", err);
        fg_vec_push(&rec->intervals, (struct interval){(uint32_t)source, target,
                                                       (int64_t)first, (int64_t)last});
    }
    return st;
}

static enum fg_status read_snapshots(struct fg_recording *rec, struct fg_tsv *table,
                                     struct fg_err *err)
{
    enum fg_status st = FG_OK;
    struct fg_str row;
    while (!st && fg_tsv_next(table, &row, &st, err)) {
        uint64_t time, source;
        if (!take_number(&row, '\t', INT64_MAX / 16, &time) || !row.len)
            return fg_tsv_bad(table, "a time, a tab and the sources looked at", err);
        if (fg_str_eq(row, FG_STR("*"))) {
            for (size_t u = 0; u < rec->names.len; u++)
                fg_vec_push(&rec->snapshots[u], (int64_t)time);
            continue;
        }
        while (row.len) {
            if (!take_number(&row, ',', UINT32_MAX, &source) || !is_source(rec, source))
                return fg_tsv_bad(table, "sources that sources.tsv names", err);
            fg_vec_push(&rec->snapshots[source], (int64_t)time);
        }
    }
    return st;
}

static enum fg_status read_relevant(struct fg_recording *rec, struct fg_tsv *table,
                                    struct fg_err *err)
{
    enum fg_status st = FG_OK;
    struct fg_str row;
    uint64_t target;
    while (!st && fg_tsv_next(table, &row, &st, err)) {
        if (!take_number(&row, '\t', UINT64_MAX / 16, &target))
            return fg_tsv_bad(table, "the number of a target", err);
        *fg_map_put(&rec->relevant, target) = 1;
    }
    return st;
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static void sort_times(times_vec *times)
{
    size_t kept = 0;
    if (times->len)
        qsort(times->at, times->len, sizeof *times->at, by_time);
    for (size_t i = 0; i < times->len; i++)
        if (!kept || times->at[i] != times->at[kept - 1])
            times->at[kept++] = times->at[i];
    times->len = kept;
}

/* Without a list of snapshots: whenever something is known to have been seen. */
static void guess_snapshots(struct fg_recording *rec)
{
    times_vec all = {0};
    for (size_t i = 0; i < rec->intervals.len; i++) {
        fg_vec_push(&all, rec->intervals.at[i].first);
        fg_vec_push(&all, rec->intervals.at[i].last);
    }
    sort_times(&all);
    for (size_t u = 0; u < rec->names.len; u++)
        for (size_t i = 0; i < all.len; i++)
            fg_vec_push(&rec->snapshots[u], all.at[i]);
    fg_vec_clear(&all);
}

/* --- sites --- */

static void domain_of(struct fg_str source, char *out)
{
    size_t slash = fg_str_chr(source, '/');
    struct fg_str host =
        fg_str_sub(source, 0, slash == FG_NOT_FOUND ? source.len : slash);
    size_t colon = fg_str_chr(host, ':');
    struct fg_str domain = fg_domain_registrable(
        fg_str_sub(host, 0, colon == FG_NOT_FOUND ? host.len : colon));
    if (!domain.len)
        domain = host; /* an address, or a name that is no host, stands for itself */
    snprintf(out, FG_NAME_MAX, "%.*s", FG_ARG(domain));
}

static struct group *group_of(struct fg_recording *rec, const char *name)
{
    for (size_t i = 0; i < rec->groups.len; i++)
        if (strcmp(rec->groups.at[i].name, name) == 0)
            return &rec->groups.at[i];
    struct group group = {0};
    snprintf(group.name, sizeof group.name, "%s", name);
    fg_vec_push(&rec->groups, group);
    return &rec->groups.at[rec->groups.len - 1];
}

static void group_by_domain(struct fg_recording *rec)
{
    size_t kept = 0;
    for (size_t u = 0; u < rec->names.len; u++) {
        char name[FG_NAME_MAX];
        if (!is_source(rec, u))
            continue;
        domain_of(rec->names.at[u], name);
        struct group *group = group_of(rec, name);
        fg_vec_push(&group->sources, (uint32_t)u);
    }
    for (size_t i = 0; i < rec->groups.len; i++) {
        rec->groups.at[i].is_site = true;
        if (rec->groups.at[i].sources.len >= rec->least_sources)
            rec->groups.at[kept++] = rec->groups.at[i];
        else
            fg_vec_clear(&rec->groups.at[i].sources);
    }
    rec->groups.len = kept;
}

static void make_groups(struct fg_recording *rec)
{
    struct group whole = {.is_whole = true};
    group_by_domain(rec);
    snprintf(whole.name, sizeof whole.name, "%s", rec->name);
    for (size_t u = 0; u < rec->names.len; u++)
        if (is_source(rec, u))
            fg_vec_push(&whole.sources, (uint32_t)u);
    if (rec->groups.len == 1 && rec->groups.at[0].sources.len == whole.sources.len) {
        rec->groups.at[0].is_whole = true;
        fg_vec_clear(&whole.sources);
        return;
    }
    if (rec->is_prepared && !whole.sources.len)
        return; /* no source was fetched often enough */
    whole.is_site = !rec->groups.len && !rec->is_prepared;
    fg_vec_push(&rec->groups, whole);
}

size_t fg_recording_sites(const struct fg_recording *recording)
{
    return recording->groups.len;
}

const char *fg_recording_site_name(const struct fg_recording *recording, size_t i)
{
    return recording->groups.at[i].name;
}

bool fg_recording_is_whole(const struct fg_recording *recording, size_t i)
{
    return recording->groups.at[i].is_whole;
}

bool fg_recording_is_site(const struct fg_recording *recording, size_t i)
{
    return recording->groups.at[i].is_site;
}

/* --- the grid of hours --- */

static int64_t hour_after(int64_t time)
{
    return (time + HOUR - 1) / HOUR * HOUR;
}

/* The first hour at which nine tenths of the sources had a snapshot, and the last. */
static void span_of(const struct fg_recording *rec, const struct group *group,
                    int64_t *start, int64_t *end)
{
    times_vec firsts = {0};
    *end = 0;
    for (size_t i = 0; i < group->sources.len; i++) {
        const times_vec *times = &rec->snapshots[group->sources.at[i]];
        if (!times->len)
            continue;
        fg_vec_push(&firsts, times->at[0]);
        if (times->at[times->len - 1] > *end)
            *end = times->at[times->len - 1];
    }
    *start = *end = *end / HOUR * HOUR;
    if (firsts.len) {
        qsort(firsts.at, firsts.len, sizeof *firsts.at, by_time);
        size_t enough = (group->sources.len * 9 + 9) / 10;
        enough = enough < firsts.len ? enough : firsts.len;
        *start = hour_after(firsts.at[enough - 1]);
    }
    if (*start > *end)
        *start = *end;
    fg_vec_clear(&firsts);
}

/* Of rising times, how many are at or before t. */
static size_t count_until(const times_vec *times, int64_t t)
{
    size_t low = 0, high = times->len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (times->at[middle] <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A prepared recording has one snapshot an hour, which is that hour's. */
static bool is_missing(const struct fg_recording *rec, const times_vec *times,
                       int64_t hour)
{
    size_t seen = count_until(times, hour);
    int64_t too_old = rec->is_prepared ? HOUR - 1 : TOO_OLD;
    return !seen || hour - times->at[seen - 1] > too_old;
}

/* The steps at which a visit shows an interval; false if there is none. */
static bool steps_of(const struct fg_recording *rec, const struct interval *interval,
                     int64_t start, int64_t end, struct fg_stay *stay)
{
    const times_vec *times = &rec->snapshots[interval->source];
    size_t next = count_until(times, interval->last);
    size_t before = count_until(times, interval->first - 1);
    if (rec->is_prepared && before == next)
        return false; /* the snapshots that showed it were not drawn */
    int64_t first = rec->is_prepared ? times->at[before] : interval->first;
    int64_t from = hour_after(first);
    int64_t until = next < times->len ? hour_after(times->at[next]) - HOUR : end;
    from = from < start ? start : from;
    while (from <= until && is_missing(rec, times, from))
        from += HOUR;
    if (from > until)
        return false;
    stay->first = (uint32_t)((from - start) / HOUR);
    stay->last = (uint32_t)((until - start) / HOUR);
    return true;
}

static void mark_missing(const struct fg_recording *rec, const struct group *group,
                         struct fg_site *site, int64_t start)
{
    for (size_t i = 0; i < group->sources.len; i++)
        for (size_t step = 0; step < site->facts.steps; step++)
            if (is_missing(rec, &rec->snapshots[group->sources.at[i]],
                           start + (int64_t)step * HOUR))
                fg_site_miss(site, i, step);
}

static void mark_relevant(const struct fg_recording *rec, const struct fg_map *number,
                          struct fg_site *site)
{
    size_t cursor = 0;
    uint64_t target, known;
    while (fg_map_len(&rec->relevant) && fg_map_next(number, &cursor, &target, &known))
        if (fg_map_get(&rec->relevant, target))
            fg_site_relevant(site, known - 1);
}

struct fg_site *fg_recording_site(const struct fg_recording *recording, size_t i)
{
    const struct group *group = &recording->groups.at[i];
    struct fg_map number = {0}, target = {0};
    FG_VEC(struct fg_stay) stays = {0};
    int64_t start, end;
    span_of(recording, group, &start, &end);
    for (size_t s = 0; s < group->sources.len; s++)
        *fg_map_put(&number, group->sources.at[s]) = s + 1;
    for (size_t n = 0; n < recording->intervals.len; n++) {
        const struct interval *interval = &recording->intervals.at[n];
        const uint64_t *source = fg_map_get(&number, interval->source);
        struct fg_stay stay;
        if (!source || !steps_of(recording, interval, start, end, &stay))
            continue;
        uint64_t *known = fg_map_put(&target, interval->target);
        if (!*known)
            *known = fg_map_len(&target);
        stay.source = (uint32_t)*source - 1;
        stay.target = (uint32_t)*known - 1;
        fg_vec_push(&stays, stay);
    }
    struct fg_site_facts facts = {.sources = group->sources.len,
                                  .steps = (size_t)((end - start) / HOUR) + 1,
                                  .start = start * FG_SECOND,
                                  .step = FG_HOUR};
    snprintf(facts.name, sizeof facts.name, "%s", group->name);
    struct fg_site *site = fg_site_new(&facts, stays.at, stays.len);
    mark_missing(recording, group, site, start);
    mark_relevant(recording, &target, site);
    fg_vec_clear(&stays);
    fg_map_clear(&number);
    fg_map_clear(&target);
    return site;
}

/* --- preparation --- */

/* Of each hour's snapshots one, each as likely as the next. */
static void draw_snapshots(times_vec *times, struct fg_rng *rng)
{
    size_t kept = 0;
    for (size_t i = 0, end; i < times->len; i = end) {
        for (end = i + 1;
             end < times->len && hour_after(times->at[end]) == hour_after(times->at[i]);)
            end++;
        times->at[kept++] = times->at[i + fg_rng_below(rng, end - i)];
    }
    times->len = kept;
}

static void forget_source(struct fg_recording *rec, uint32_t source)
{
    rec->names.at[source] = (struct fg_str){0};
}

/* The sources of a site but the most fetched. */
static void keep_top(struct fg_recording *rec, struct group *group, const size_t *n,
                     size_t top)
{
    while (group->sources.len > top) {
        size_t least = 0;
        for (size_t i = 1; i < group->sources.len; i++)
            if (n[group->sources.at[i]] <= n[group->sources.at[least]])
                least = i;
        forget_source(rec, group->sources.at[least]);
        group->sources.at[least] = group->sources.at[--group->sources.len];
    }
}

static void clear_groups(struct fg_recording *rec)
{
    for (size_t i = 0; i < rec->groups.len; i++)
        fg_vec_clear(&rec->groups.at[i].sources);
    rec->groups.len = 0;
}

void fg_recording_prepare(struct fg_recording *rec,
                          const struct fg_preparation *preparation)
{
    struct fg_rng seed = fg_rng_from_seed(preparation->seed);
    size_t *n = fg_zeroed(rec->names.len + 1, sizeof *n);
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (size_t u = 0; u < rec->names.len; u++) {
        times_vec *times = &rec->snapshots[u];
        struct fg_rng rng = fg_rng_split(&seed, u);
        n[u] = times->len;
        if (!times->len)
            continue;
        first = times->at[0] < first ? times->at[0] : first;
        last = times->at[times->len - 1] > last ? times->at[times->len - 1] : last;
        draw_snapshots(times, &rng);
    }
    for (size_t i = 0; preparation->top && i < rec->groups.len; i++)
        if (!rec->groups.at[i].is_whole || rec->groups.len == 1)
            keep_top(rec, &rec->groups.at[i], n, preparation->top);
    double hours = (double)(hour_after(last) - hour_after(first)) / HOUR + 1;
    for (size_t u = 0; u < rec->names.len; u++)
        if ((double)rec->snapshots[u].len < preparation->density * hours)
            forget_source(rec, (uint32_t)u);
    rec->is_prepared = true;
    rec->least_sources = preparation->least ? preparation->least : LEAST_SOURCES;
    clear_groups(rec);
    make_groups(rec);
    free(n);
}

/* --- sources as pages that change --- */

size_t fg_recording_sources(const struct fg_recording *recording)
{
    return recording->names.len;
}

struct fg_recorded_source fg_recording_source(const struct fg_recording *recording,
                                              size_t i)
{
    const times_vec *times = &recording->snapshots[i];
    return (struct fg_recorded_source){recording->names.at[i], times->at, times->len};
}

size_t fg_recording_changes(const struct fg_recording *recording, size_t source,
                            int64_t **times)
{
    const times_vec *snapshots = &recording->snapshots[source];
    times_vec changes = {0};
    for (size_t i = 0; i < recording->intervals.len; i++) {
        const struct interval *interval = &recording->intervals.at[i];
        if (interval->source != source || !snapshots->len)
            continue;
        size_t next = count_until(snapshots, interval->last);
        if (interval->first > snapshots->at[0])
            fg_vec_push(&changes, interval->first);
        if (next < snapshots->len)
            fg_vec_push(&changes, snapshots->at[next]);
    }
    sort_times(&changes);
    *times = changes.at;
    return changes.len;
}

/* --- the whole --- */

static enum fg_status read_table(struct fg_recording *rec, const char *folder,
                                 const char *name,
                                 enum fg_status (*read)(struct fg_recording *,
                                                        struct fg_tsv *, struct fg_err *),
                                 struct fg_err *err)
{
    struct fg_tsv table;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    enum fg_status st = fg_tsv_open(&table, path, err);
    if (!st)
        st = read(rec, &table, err);
    fg_tsv_close(&table);
    return st;
}

static bool has_table(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fg_tsv_exists(path);
}

static void name_after(struct fg_recording *rec, const char *folder)
{
    size_t end = strlen(folder);
    while (end > 1 && folder[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && folder[start - 1] != '/')
        start--;
    snprintf(rec->name, sizeof rec->name, "%.*s", (int)(end - start), folder + start);
}

enum fg_status fg_recording_load(struct fg_recording **recording, const char *folder,
                                 struct fg_err *err)
{
    struct fg_recording *rec = fg_zeroed(1, sizeof *rec);
    rec->least_sources = LEAST_SOURCES;
    name_after(rec, folder);
    enum fg_status st = read_table(rec, folder, "sources.tsv", read_sources, err);
    if (!st) {
        rec->snapshots = fg_zeroed(rec->names.len, sizeof *rec->snapshots);
        st = read_table(rec, folder, "intervals.tsv", read_intervals, err);
    }
    if (!st && has_table(folder, "snapshots.tsv"))
        st = read_table(rec, folder, "snapshots.tsv", read_snapshots, err);
    else if (!st)
        guess_snapshots(rec);
    if (!st && has_table(folder, "relevant.tsv"))
        st = read_table(rec, folder, "relevant.tsv", read_relevant, err);
    for (size_t u = 0; !st && u < rec->names.len; u++)
        sort_times(&rec->snapshots[u]);
    if (!st)
        make_groups(rec);
    *recording = rec;
    if (st) {
        fg_recording_free(rec);
        *recording = NULL;
    }
    return st;
}

void fg_recording_free(struct fg_recording *recording)
{
    if (!recording)
        return;
    for (size_t u = 0; recording->snapshots && u < recording->names.len; u++)
        fg_vec_clear(&recording->snapshots[u]);
    for (size_t i = 0; i < recording->groups.len; i++)
        fg_vec_clear(&recording->groups.at[i].sources);
    free(recording->snapshots);
    fg_map_clear(&recording->relevant);
    fg_vec_clear(&recording->names);
    fg_vec_clear(&recording->intervals);
    fg_vec_clear(&recording->groups);
    fg_arena_clear(&recording->arena);
    free(recording);
}
