#include "crawl/documents/counts.h"

#include "base/csv.h"
#include "crawl/intake/places.h"
#include "crawl/intake/seeds.h"
#include "crawl/sources/naming.h"
#include "net/text/date.h"
#include "net/url/canonical.h"

#include <inttypes.h>
#include <stdlib.h>

enum column { URL, DAY, CLICKS, IMPRESSIONS, N_COLUMNS };
static const char *const names[N_COLUMNS] = {"url", "day", "clicks", "impressions"};

/* --- reading --- */

struct reader {
    struct fg_counts *counts;
    size_t at[N_COLUMNS]; /* of the fields; SIZE_MAX: there is no such column */
    void (*complain)(void *context, size_t line, const char *why);
    void *context;
};

static enum fg_status read_header(struct reader *reader, const struct fg_str *fields,
                                  size_t n, struct fg_err *err)
{
    for (int c = 0; c < N_COLUMNS; c++) {
        reader->at[c] = SIZE_MAX;
        for (size_t i = n; i-- > 0;)
            if (fg_str_eq_nocase(fg_str_trim(fields[i]), fg_str_from(names[c])))
                reader->at[c] = i;
    }
    for (int c = URL; c <= DAY; c++)
        if (reader->at[c] == SIZE_MAX)
            return fg_fail(err, FG_EINPUT,
                           "line 1 names no column '%s'; there must be url, day, and "
                           "clicks or impressions",
                           names[c]);
    if (reader->at[CLICKS] == SIZE_MAX && reader->at[IMPRESSIONS] == SIZE_MAX)
        return fg_fail(err, FG_EINPUT,
                       "line 1 names neither a column 'clicks' nor 'impressions'");
    return FG_OK;
}

static bool read_day(struct fg_str text, int32_t *day)
{
    fg_time time = fg_date_parse(text);
    if (time == FG_NEVER)
        return false;
    *day = (int32_t)(time / FG_DAY - (time % FG_DAY < 0));
    return true;
}

static enum fg_status read_count(const struct reader *reader, enum column column,
                                 const struct fg_str *fields, uint32_t *count,
                                 struct fg_err *err)
{
    uint64_t value;
    *count = FG_UNCOUNTED;
    if (reader->at[column] == SIZE_MAX)
        return FG_OK;
    struct fg_str text = fg_str_trim(fields[reader->at[column]]);
    if (!fg_str_to_u64(text, &value) || value >= FG_UNCOUNTED)
        return fg_fail(err, FG_EINPUT,
                       "%s is '%.*s'; it must be a whole number below 4294967295",
                       names[column], FG_ARG(fg_str_sub(text, 0, 60)));
    *count = (uint32_t)value;
    return FG_OK;
}

/* Its place in `urls`; most rows have an address that was checked before. */
static enum fg_status read_url(struct fg_counts *counts, struct fg_str text,
                               uint32_t *url, struct fg_err *err)
{
    const uint64_t *slot = fg_names_get(&counts->by_url, text);
    enum fg_status st = slot ? FG_OK : fg_seed_check_url(text, err);
    if (st)
        return st;
    if (!slot) {
        fg_vec_push_in(counts->arena, &counts->urls, text);
        *fg_names_put(&counts->by_url, text) = counts->urls.len;
    }
    *url = (uint32_t)(slot ? *slot - 1 : counts->urls.len - 1);
    return FG_OK;
}

static enum fg_status read_row(struct reader *reader, const struct fg_str *fields,
                               size_t n, struct fg_err *err)
{
    struct fg_count row;
    for (int c = 0; c < N_COLUMNS; c++)
        if (reader->at[c] != SIZE_MAX && reader->at[c] >= n)
            return fg_fail(err, FG_EINPUT, "there is no %s: it has %zu %s", names[c], n,
                           n == 1 ? "field" : "fields");
    struct fg_str day = fg_str_trim(fields[reader->at[DAY]]);
    if (!read_day(day, &row.day))
        return fg_fail(err, FG_EINPUT,
                       "day is '%.*s'; it must be a date such as 2026-11-15",
                       FG_ARG(fg_str_sub(day, 0, 60)));
    if (reader->counts->last_day && row.day > reader->counts->last_day)
        return fg_fail(err, FG_EINPUT, "day is '%.*s', which has not come yet",
                       FG_ARG(day));
    enum fg_status st =
        read_url(reader->counts, fg_str_trim(fields[reader->at[URL]]), &row.url, err);
    if (!st)
        st = read_count(reader, CLICKS, fields, &row.clicks, err);
    if (!st)
        st = read_count(reader, IMPRESSIONS, fields, &row.impressions, err);
    if (!st)
        fg_vec_push_in(reader->counts->arena, &reader->counts->rows, row);
    return st;
}

enum fg_status fg_counts_read(struct fg_counts *counts, struct fg_str text,
                              void (*complain)(void *context, size_t line,
                                               const char *why),
                              void *context, struct fg_err *err)
{
    struct reader reader = {.counts = counts, .complain = complain, .context = context};
    struct fg_csv csv = fg_csv_from(text);
    struct fg_str fields[FG_CSV_FIELDS];
    size_t n;
    counts->by_url.arena = counts->arena;
    if (!fg_csv_next(&csv, counts->arena, fields, &n))
        return fg_fail(err, FG_EINPUT, "it is empty");
    enum fg_status st = read_header(&reader, fields, n, err);
    while (!st && fg_csv_next(&csv, counts->arena, fields, &n)) {
        struct fg_err wrong = {0};
        if (!read_row(&reader, fields, n, &wrong))
            continue;
        counts->wrong++;
        complain(context, csv.line, wrong.text);
    }
    if (!st && csv.is_broken)
        st = fg_fail(err, FG_EINPUT, "line %zu: a quote is never closed", csv.line);
    return st;
}

/* --- naming --- */

static int by_url_and_day(const void *a, const void *b)
{
    const struct fg_count *x = a, *y = b;
    if (x->url != y->url)
        return x->url < y->url ? -1 : 1;
    return (x->day > y->day) - (x->day < y->day);
}

static uint32_t sum(uint32_t a, uint32_t b)
{
    if (a == FG_UNCOUNTED || b == FG_UNCOUNTED)
        return a == FG_UNCOUNTED ? b : a;
    return (uint64_t)a + b < FG_UNCOUNTED ? a + b : FG_UNCOUNTED - 1;
}

static void add_up(struct fg_counts *counts)
{
    size_t kept = 0;
    if (counts->rows.len)
        qsort(counts->rows.at, counts->rows.len, sizeof *counts->rows.at, by_url_and_day);
    for (size_t i = 0; i < counts->rows.len; i++) {
        struct fg_count row = counts->rows.at[i];
        struct fg_count *last = kept ? &counts->rows.at[kept - 1] : NULL;
        if (!last || last->url != row.url || last->day != row.day) {
            counts->rows.at[kept++] = row;
            continue;
        }
        last->clicks = sum(last->clicks, row.clicks);
        last->impressions = sum(last->impressions, row.impressions);
    }
    counts->rows.len = kept;
}

void fg_counts_name(struct fg_counts *counts, unsigned keep)
{
    const uint32_t *renamed = fg_naming_rename(&counts->by_url, counts->arena,
                                               counts->urls.at, &counts->urls.len, keep);
    for (size_t i = 0; i < counts->rows.len; i++)
        counts->rows.at[i].url = renamed[counts->rows.at[i].url];
    add_up(counts);
}

/* --- who they are in the store --- */

static enum fg_status find_places(struct fg_place **places, struct fg_store *store,
                                  const struct fg_counts *counts, struct fg_err *err)
{
    return fg_places_find(places, store, counts->arena, counts->urls.at, counts->urls.len,
                          err);
}

static struct fg_counts_outcome outcome_of(const struct fg_counts *counts,
                                           const struct fg_place *places)
{
    struct fg_counts_outcome out = {.first_day = INT32_MAX, .last_day = INT32_MIN};
    for (size_t i = 0; i < counts->urls.len; i++) {
        out.pages += places[i].page != 0;
        out.not_documents += places[i].page && !places[i].is_document;
        if (!places[i].page && !out.unknown++)
            out.an_unknown_one = counts->urls.at[i];
    }
    for (size_t i = 0; i < counts->rows.len; i++) {
        const struct fg_count *row = &counts->rows.at[i];
        if (!places[row->url].page)
            continue;
        out.rows++;
        out.first_day = row->day < out.first_day ? row->day : out.first_day;
        out.last_day = row->day > out.last_day ? row->day : out.last_day;
    }
    return out;
}

static int by_place(const void *a, const void *b)
{
    const struct fg_daily_row *x = a, *y = b;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    if (x->day != y->day)
        return x->day < y->day ? -1 : 1;
    return (x->page > y->page) - (x->page < y->page);
}

size_t fg_daily_merge(struct fg_daily_row *rows, size_t n)
{
    size_t kept = 0;
    if (n)
        qsort(rows, n, sizeof *rows, by_place);
    for (size_t i = 0; i < n; i++) {
        struct fg_daily_row *last = kept ? &rows[kept - 1] : NULL;
        if (!last || by_place(last, &rows[i]) != 0) {
            rows[kept++] = rows[i];
            continue;
        }
        last->clicks = sum(last->clicks, rows[i].clicks);
        last->impressions = sum(last->impressions, rows[i].impressions);
    }
    return kept;
}

/* --- those that come too early --- */

struct early {
    struct fg_str key;
    struct fg_early_row row;
};

static int by_key(const void *a, const void *b)
{
    const struct early *x = a, *y = b;
    return fg_str_cmp(x->key, y->key);
}

void fg_counts_put_early(struct fg_batch *batch, struct fg_arena *arena,
                         const struct fg_early_count *counts, size_t n)
{
    struct early *all = FG_NEW(arena, struct early, n + 1);
    struct fg_early_row *rows = FG_NEW(arena, struct fg_early_row, n + 1);
    for (size_t i = 0; i < n; i++)
        all[i] = (struct early){fg_canonical_site(counts[i].url),
                                {fg_canonical_fingerprint(counts[i].url), counts[i].day,
                                 counts[i].clicks, counts[i].impressions}};
    if (n)
        qsort(all, n, sizeof *all, by_key);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first; end < n && fg_str_eq(all[end].key, all[first].key); end++)
            rows[end] = all[end].row;
        fg_batch_early(batch, all[first].key, rows + first, end - first);
    }
}

static void put_unknown(struct fg_batch *batch, const struct fg_counts *counts,
                        const struct fg_place *places)
{
    struct fg_early_count *early =
        FG_NEW(counts->arena, struct fg_early_count, counts->rows.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < counts->rows.len; i++) {
        const struct fg_count *row = &counts->rows.at[i];
        if (!places[row->url].page)
            early[n++] = (struct fg_early_count){counts->urls.at[row->url], row->day,
                                                 row->clicks, row->impressions};
    }
    fg_counts_put_early(batch, counts->arena, early, n);
}

static enum fg_status write_rows(struct fg_store *store, const struct fg_counts *counts,
                                 const struct fg_place *places, struct fg_err *err)
{
    struct fg_daily_row *rows =
        FG_NEW(counts->arena, struct fg_daily_row, counts->rows.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < counts->rows.len; i++) {
        const struct fg_count *row = &counts->rows.at[i];
        const struct fg_place *place = &places[row->url];
        if (place->page)
            rows[n++] = (struct fg_daily_row){place->site, place->page, row->day,
                                              row->clicks, row->impressions};
    }
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_daily(batch, rows, fg_daily_merge(rows, n));
    put_unknown(batch, counts, places);
    return fg_store_flush(store, fg_store_submit(store, batch), err);
}

enum fg_status fg_counts_put(struct fg_counts_outcome *outcome, struct fg_store *store,
                             const struct fg_counts *counts, struct fg_err *err)
{
    struct fg_place *places;
    enum fg_status st = find_places(&places, store, counts, err);
    if (st)
        return st;
    *outcome = outcome_of(counts, places);
    return write_rows(store, counts, places, err);
}

enum fg_status fg_counts_look(struct fg_counts_outcome *outcome, struct fg_store *store,
                              const struct fg_counts *counts, struct fg_err *err)
{
    struct fg_place *places;
    enum fg_status st = find_places(&places, store, counts, err);
    if (!st)
        *outcome = outcome_of(counts, places);
    return st;
}

enum fg_status fg_counts_missing(struct fg_store *store, const struct fg_counts *counts,
                                 void (*take)(void *context, struct fg_str url),
                                 void *context, struct fg_err *err)
{
    struct fg_place *places;
    enum fg_status st = find_places(&places, store, counts, err);
    for (size_t i = 0; !st && i < counts->urls.len; i++)
        if (!places[i].page || !places[i].is_document)
            take(context, counts->urls.at[i]);
    return st;
}

/* --- through the inbox --- */

static bool format_count(struct fg_buf *out, uint32_t count, char end)
{
    if (count != FG_UNCOUNTED)
        fg_buf_printf(out, "%" PRIu32, count);
    return fg_buf_add_char(out, end);
}

size_t fg_counts_format(struct fg_buf *out, const struct fg_counts *counts, size_t first)
{
    for (size_t i = first; i < counts->rows.len; i++) {
        const struct fg_count *row = &counts->rows.at[i];
        size_t whole = out->len;
        fg_buf_add(out, counts->urls.at[row->url]);
        fg_buf_printf(out, "\t%" PRId32 "\t", row->day);
        format_count(out, row->clicks, '\t');
        if (!format_count(out, row->impressions, '\n') || out->full) {
            out->len = whole;
            return i;
        }
    }
    return counts->rows.len;
}

static bool parse_count(struct fg_str *line, uint32_t *count)
{
    struct fg_str text;
    uint64_t value = FG_UNCOUNTED;
    if (!fg_str_cut(line, '\t', &text) ||
        (text.len && (!fg_str_to_u64(text, &value) || value >= FG_UNCOUNTED)))
        return false;
    *count = (uint32_t)value;
    return true;
}

bool fg_count_parse(struct fg_str *url, struct fg_daily_row *row, struct fg_str line)
{
    struct fg_str day;
    int64_t number;
    *row = (struct fg_daily_row){0};
    if (!fg_str_cut(&line, '\t', url) || !url->len || !fg_str_cut(&line, '\t', &day) ||
        !fg_str_to_i64(day, &number) || number < INT32_MIN || number > INT32_MAX)
        return false;
    row->day = (int32_t)number;
    return parse_count(&line, &row->clicks) && parse_count(&line, &row->impressions) &&
           !line.at;
}
