#include "lab/refresh/history.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/vec.h"
#include "lab/recording.h"
#include "lab/tsv.h"
#include "policy/siblings.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEPS_MOST = 12500, PAGE_STEPS_MOST = 20000000, PAGES_MOST = 100000000 };

const char *const fg_weights_names[] = {"equal", "own", "zipf", NULL};

struct page {
    fg_time first, last;
    double weight; /* negative: not told */
    char *name;
};

struct reader {
    FG_VEC(struct page) pages;
    FG_VEC(struct fg_change) changes;
    struct fg_map number; /* of a page as the files have it, to its place + 1 */
};

/* --- reading --- */

static bool take_seconds(struct fg_str text, fg_time *time)
{
    uint64_t seconds;
    if (!fg_str_to_u64(text, &seconds) || seconds > INT64_MAX / FG_SECOND)
        return false;
    *time = (fg_time)seconds * FG_SECOND;
    return true;
}

static bool take_page(struct fg_str row, uint64_t *number, struct page *page)
{
    struct fg_str id, first, last, changes, name, weight;
    *page = (struct page){.weight = -1};
    if (!fg_str_cut(&row, '\t', &id) || !fg_str_to_u64(id, number) ||
        !fg_str_cut(&row, '\t', &first) || !take_seconds(first, &page->first) ||
        !fg_str_cut(&row, '\t', &last) || !take_seconds(last, &page->last) ||
        !fg_str_cut(&row, '\t', &changes) || !fg_str_cut(&row, '\t', &name) ||
        page->first > page->last)
        return false;
    if (fg_str_cut(&row, '\t', &weight) &&
        (!fg_str_to_double(weight, &page->weight) || !(page->weight >= 0)))
        return false;
    page->name = strndup(name.at, name.len);
    if (!page->name)
        fg_out_of_memory();
    return true;
}

static enum fg_status read_pages(struct reader *r, struct fg_tsv *table,
                                 const struct fg_history_options *options,
                                 struct fg_err *err)
{
    enum fg_status st = FG_OK;
    struct fg_str row;
    while (!st && fg_tsv_next(table, &row, &st, err)) {
        uint64_t number;
        struct page page;
        if (!take_page(row, &number, &page))
            return fg_tsv_bad(table,
                              "page, first observed, last observed, number of changes, "
                              "name and perhaps weight, with tabs between",
                              err);
        fg_vec_push(&r->pages, page);
        uint64_t *place = fg_map_put(&r->number, number);
        if (*place)
            return fg_tsv_bad(table, "another page than in a line before", err);
        *place = r->pages.len;
        if (options->weights == FG_WEIGHTS_OWN && page.weight < 0)
            return fg_tsv_bad(table, "a weight in the sixth column", err);
        if (r->pages.len > PAGES_MOST)
            return fg_tsv_bad(table, "fewer pages", err);
    }
    if (!st && !r->pages.len)
        st = fg_fail(err, FG_EINPUT, "'%s' names no page", table->path);
    return st;
}

/* Changes when a page was not watched, and its first version, are passed over. */
static enum fg_status read_changes(struct reader *r, struct fg_tsv *table,
                                   const struct fg_history_options *options,
                                   struct fg_err *err)
{
    (void)options;
    enum fg_status st = FG_OK;
    struct fg_str row, id, time;
    while (!st && fg_tsv_next(table, &row, &st, err)) {
        uint64_t number;
        fg_time at;
        if (!fg_str_cut(&row, '\t', &id) || !fg_str_to_u64(id, &number) ||
            !fg_str_cut(&row, '\t', &time) || !take_seconds(time, &at))
            return fg_tsv_bad(table, "a page, a tab and the time of a change", err);
        const uint64_t *place = fg_map_get(&r->number, number);
        if (!place || *place - 1 >= r->pages.len)
            return fg_tsv_bad(table, "a page that pages.tsv names", err);
        const struct page *page = &r->pages.at[*place - 1];
        if (at > page->first && at < page->last)
            fg_vec_push(&r->changes, (struct fg_change){at, (uint32_t)*place - 1, 0});
    }
    return st;
}

static enum fg_status read_table(struct reader *r, const char *folder, const char *name,
                                 const struct fg_history_options *options,
                                 enum fg_status (*read)(struct reader *, struct fg_tsv *,
                                                        const struct fg_history_options *,
                                                        struct fg_err *),
                                 struct fg_err *err)
{
    struct fg_tsv table;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    enum fg_status st = fg_tsv_open(&table, path, err);
    if (!st)
        st = read(r, &table, options, err);
    fg_tsv_close(&table);
    return st;
}

static enum fg_status read_recording(struct reader *r, const char *folder,
                                     struct fg_err *err)
{
    struct fg_recording *recording;
    enum fg_status st = fg_recording_load(&recording, folder, err);
    for (size_t i = 0; !st && i < fg_recording_sources(recording); i++) {
        struct fg_recorded_source source = fg_recording_source(recording, i);
        if (!source.name.len || !source.n_snapshots)
            continue;
        struct page page = {.first = source.snapshots[0] * FG_SECOND,
                            .last = source.snapshots[source.n_snapshots - 1] * FG_SECOND,
                            .weight = -1,
                            .name = strndup(source.name.at, source.name.len)};
        if (!page.name)
            fg_out_of_memory();
        fg_vec_push(&r->pages, page);
        int64_t *times;
        size_t n = fg_recording_changes(recording, i, &times);
        for (size_t k = 0; k < n; k++)
            fg_vec_push(&r->changes, (struct fg_change){times[k] * FG_SECOND,
                                                        (uint32_t)r->pages.len - 1, 0});
        free(times);
    }
    if (!st && !r->pages.len)
        st = fg_fail(err, FG_EINPUT, "'%s' has no snapshot", folder);
    fg_recording_free(recording);
    return st;
}

/* --- making the timeline --- */

static int by_time(const void *a, const void *b)
{
    const struct fg_change *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->page < y->page ? -1 : x->page > y->page;
}

/* A history tells that something is new, not that something is as before: every change
 * has a value of its own. */
static void number_changes(struct reader *r)
{
    uint32_t *value = fg_zeroed(r->pages.len, sizeof *value);
    size_t kept = 0;
    if (r->changes.len)
        qsort(r->changes.at, r->changes.len, sizeof *r->changes.at, by_time);
    for (size_t i = 0; i < r->changes.len; i++) {
        struct fg_change *change = &r->changes.at[i];
        if (kept && !by_time(change, &r->changes.at[kept - 1]))
            continue;
        change->value = ++value[change->page];
        r->changes.at[kept++] = *change;
    }
    r->changes.len = kept;
    free(value);
}

static fg_time choose_step(const struct reader *r, fg_time span)
{
    static const fg_time steps[] = {30 * FG_MINUTE, 2 * FG_HOUR, 4 * FG_HOUR, FG_DAY};
    double page_days = 0;
    for (size_t i = 0; i < r->pages.len; i++)
        page_days += fg_days(r->pages.at[i].last - r->pages.at[i].first);
    size_t i = (double)r->changes.len >= page_days ? 0 : 1;
    while (i < 3 && (span / steps[i] > STEPS_MOST ||
                     page_days / fg_days(steps[i]) > PAGE_STEPS_MOST))
        i++;
    return steps[i];
}

static void weigh(const struct reader *r, struct fg_timeline *timeline,
                  const struct fg_history_options *options)
{
    size_t n = timeline->n;
    double sum = 0;
    double *weight = fg_zeroed(n, sizeof *weight);
    uint32_t *order = fg_zeroed(n, sizeof *order);
    struct fg_rng rng = fg_rng_from_seed(options->seed);
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    fg_rng_shuffle(&rng, order, n, sizeof *order);
    for (size_t i = 0; i < n; i++) {
        bool is_zipf = options->weights == FG_WEIGHTS_ZIPF;
        weight[order[i]] = is_zipf ? 1 / (double)(i + 1) : r->pages.at[order[i]].weight;
        sum += weight[order[i]];
    }
    timeline->weight = fg_zeroed(n, sizeof *timeline->weight);
    for (size_t i = 0; i < n; i++)
        timeline->weight[i] = (float)(sum > 0 ? weight[i] * (double)n / sum : 1);
    free(weight);
    free(order);
}

static void group(struct fg_timeline *timeline)
{
    struct fg_siblings siblings = {0};
    timeline->group = fg_zeroed(timeline->n, sizeof *timeline->group);
    for (size_t i = 0; i < timeline->n; i++)
        fg_siblings_count(&siblings, fg_str_from(timeline->names[i]));
    for (size_t i = 0; i < timeline->n; i++)
        timeline->group[i] =
            fg_siblings_group(&siblings, fg_str_from(timeline->names[i]));
    fg_siblings_clear(&siblings);
}

static char *name_of(const char *folder)
{
    size_t end = strlen(folder);
    while (end > 1 && folder[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && folder[start - 1] != '/')
        start--;
    char *name = strndup(folder + start, end - start);
    if (!name)
        fg_out_of_memory();
    return name;
}

static struct fg_timeline *make(struct reader *r, const char *folder,
                                const struct fg_history_options *options)
{
    struct fg_timeline *t = fg_zeroed(1, sizeof *t);
    t->name = name_of(folder);
    t->n = r->pages.len;
    t->first = fg_zeroed(t->n, sizeof *t->first);
    t->last = fg_zeroed(t->n, sizeof *t->last);
    t->names = fg_zeroed(t->n, sizeof *t->names);
    assert(r->pages.at); /* the readers refuse a history without pages */
    t->from = t->to = r->pages.at[0].first;
    for (size_t i = 0; i < t->n; i++) {
        struct page *page = &r->pages.at[i];
        t->first[i] = page->first;
        t->last[i] = page->last;
        t->names[i] = page->name;
        page->name = NULL; /* the timeline's now */
        t->from = page->first < t->from ? page->first : t->from;
        t->to = page->last > t->to ? page->last : t->to;
    }
    number_changes(r);
    t->changes = r->changes.at;
    t->n_changes = r->changes.len;
    r->changes.at = NULL;
    t->step = options->step ? options->step : choose_step(r, t->to - t->from);
    t->crawled_from = t->from;
    t->judged_from = t->from + (t->to - t->from) / 3;
    t->is_seen_first = true;
    if (options->weights != FG_WEIGHTS_EQUAL)
        weigh(r, t, options);
    group(t);
    return t;
}

static void clear(struct reader *r)
{
    for (size_t i = 0; i < r->pages.len; i++)
        free(r->pages.at[i].name);
    fg_vec_clear(&r->pages);
    fg_vec_clear(&r->changes);
    fg_map_clear(&r->number);
}

enum fg_status fg_history_load(struct fg_timeline **timeline, const char *folder,
                               const struct fg_history_options *options,
                               struct fg_err *err)
{
    struct reader r = {0};
    enum fg_status st = FG_OK;
    *timeline = NULL;
    if (!fg_history_is_in(folder)) {
        st = read_recording(&r, folder, err);
        if (!st && options->weights == FG_WEIGHTS_OWN)
            st = fg_fail(err, FG_EINPUT, "the sources of '%s' have no weights", folder);
    } else {
        st = read_table(&r, folder, "pages.tsv", options, read_pages, err);
        if (!st)
            st = read_table(&r, folder, "changes.tsv", options, read_changes, err);
    }
    if (!st)
        *timeline = make(&r, folder, options);
    clear(&r);
    return st;
}

bool fg_history_is_in(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/changes.tsv", folder);
    return fg_tsv_exists(path);
}

bool fg_history_has_weights(const char *folder)
{
    struct fg_tsv table;
    char path[4096];
    struct fg_str row = {0};
    uint64_t number;
    struct page page = {.weight = -1};
    enum fg_status st = FG_OK;
    snprintf(path, sizeof path, "%s/pages.tsv", folder);
    if (!fg_tsv_open(&table, path, NULL) && fg_tsv_next(&table, &row, &st, NULL))
        take_page(row, &number, &page);
    fg_tsv_close(&table);
    free(page.name);
    return page.weight >= 0;
}

/* --- writing --- */

static double weight_of(const struct fg_timeline *t, size_t page)
{
    if (t->weight)
        return (double)t->weight[page];
    double clicks = 0;
    for (size_t day = 0; t->offers.clicks && day < t->offers.days; day++)
        clicks += (double)t->offers.clicks[day * t->n + page];
    return t->offers.days ? clicks / (double)t->offers.days : 0;
}

static enum fg_status write_pages(const struct fg_timeline *t, const char *folder,
                                  struct fg_err *err)
{
    struct fg_tsv_out out;
    enum fg_status st = fg_tsv_create(&out, folder, "pages.tsv.gz", err);
    uint32_t *changes = fg_zeroed(t->n, sizeof *changes);
    for (size_t i = 0; i < t->n_changes; i++)
        changes[t->changes[i].page]++;
    for (size_t i = 0; !st && i < t->n; i++) {
        fg_time first = t->first ? t->first[i] : t->from;
        fg_time last = t->last ? t->last[i] : t->to;
        fg_tsv_put(&out, "%zu\t%lld\t%lld\t%u\t", i, (long long)(first / FG_SECOND),
                   (long long)(last / FG_SECOND), changes[i]);
        if (t->names)
            fg_tsv_put(&out, "%s", t->names[i]);
        else
            fg_tsv_put(&out, "group-%u/page-%zu", t->group ? t->group[i] : 0, i);
        if (t->weight || t->offers.clicks)
            fg_tsv_put(&out, "\t%.9g", weight_of(t, i));
        fg_tsv_put(&out, "\n");
    }
    free(changes);
    return st ? st : fg_tsv_finish(&out, err);
}

static enum fg_status write_changes(const struct fg_timeline *t, const char *folder,
                                    struct fg_err *err)
{
    struct fg_tsv_out out;
    enum fg_status st = fg_tsv_create(&out, folder, "changes.tsv.gz", err);
    for (size_t i = 0; !st && i < t->n_changes; i++)
        fg_tsv_put(&out, "%u\t%lld\n", t->changes[i].page,
                   (long long)(t->changes[i].at / FG_SECOND));
    return st ? st : fg_tsv_finish(&out, err);
}

enum fg_status fg_history_write(const struct fg_timeline *timeline, const char *folder,
                                struct fg_err *err)
{
    static const char *const plain[] = {"pages.tsv", "changes.tsv"};
    char path[4096];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fg_fail(err, FG_EIO, "cannot make the folder '%s': %s", folder,
                       strerror(errno));
    for (size_t i = 0; i < 2; i++) { /* what was there before is not a part of it */
        snprintf(path, sizeof path, "%s/%s", folder, plain[i]);
        unlink(path);
    }
    enum fg_status st = write_pages(timeline, folder, err);
    return st ? st : write_changes(timeline, folder, err);
}
