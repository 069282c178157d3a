#include "crawl/documents/outlook_days.h"

#include "base/memory.h"
#include "base/vec.h"
#include "learn/change_rate.h"

#include <stdlib.h>

enum { UNKNOWN = UINT8_MAX, MOST_CHANGES = UINT8_MAX - 1, BLOCK = 256 };

/* Visits added to what was seen of a document, changed and unchanged each. */
static const double pseudo_visits = 0.5;

static int64_t day_of(fg_time time)
{
    return time / FG_DAY - (time % FG_DAY < 0);
}

/* The row of a document; SIZE_MAX if it is none of ours. */
static size_t find(const struct outlook_days *days, uint64_t id)
{
    size_t low = 0, high = days->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (days->id[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < days->n && days->id[low] == id ? low : SIZE_MAX;
}

/* --- what they are --- */

static void set_hosts(struct outlook_days *days)
{
    days->hosts = fg_zeroed(days->n + 1, sizeof *days->hosts);
    for (size_t i = 0; i < days->n; i++) {
        fg_site_id site = (fg_site_id)(days->id[i] >> 32);
        if (!days->n_hosts || days->hosts[days->n_hosts - 1].site != site)
            days->hosts[days->n_hosts++].site = site;
        days->host[i] = (uint32_t)days->n_hosts - 1;
        /* Who sells, if the page does not say. */
        days->fields[i * FG_OFFER_IDS + FG_OFFER_MERCHANT] = site;
    }
}

static bool take_value(void *context, const struct fg_value_row *value)
{
    struct outlook_days *days = context;
    size_t row = find(days, (uint64_t)value->site << 32 | value->page);
    if (row == SIZE_MAX)
        return true;
    uint32_t *fields = days->fields + row * FG_OFFER_IDS;
    fields[FG_OFFER_BRAND] = fg_offer_id(value->brand);
    fields[FG_OFFER_CONDITION] = fg_offer_id(value->condition);
    fields[FG_OFFER_COUNTRY] = fg_offer_id(value->country);
    fields[FG_OFFER_LANGUAGE] = fg_offer_id(value->language);
    fields[FG_OFFER_CATEGORY] = fg_offer_id(value->category);
    if (value->seller.len)
        fields[FG_OFFER_MERCHANT] = fg_offer_id(value->seller);
    days->read++;
    return true;
}

static enum fg_status read_hosts(struct outlook_days *days, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < days->n_hosts; i++) {
        struct outlook_host *host = &days->hosts[i];
        st = fg_store_daily_span(days->store, host->site, &host->first, &host->end, err);
        if (!st)
            st = fg_store_values(days->store, host->site, take_value, days, err);
    }
    return st;
}

/* --- when they changed --- */

struct look {
    fg_time time;
    bool changed;
};

struct visit_reader {
    FG_VEC(struct look) looks;
};

static bool take_visit(void *context, const struct fg_visit_row *visit)
{
    struct visit_reader *reader = context;
    if (visit->status >= 200 && visit->status < 400)
        fg_vec_push(&reader->looks, (struct look){visit->time, visit->changed});
    return true;
}

/* The same number for a document and a day, whenever it is asked for. */
static double chance_of(uint64_t id, int64_t day)
{
    uint64_t key[2] = {id, (uint64_t)day};
    return (double)(fg_str_hash((struct fg_str){(const char *)key, sizeof key}) >> 11) *
           0x1p-53;
}

static double rate_of(const struct visit_reader *reader)
{
    struct fg_seen seen = {0};
    for (size_t i = 1; i < reader->looks.len; i++)
        fg_seen_add(&seen,
                    fg_days(reader->looks.at[i].time - reader->looks.at[i - 1].time),
                    reader->looks.at[i].changed);
    return fg_seen_rate(&seen, pseudo_visits, 1);
}

/* A change between two visits, on one day or another. */
static void note_interval(struct outlook_days *days, size_t row, struct look from,
                          struct look to, double rate)
{
    uint8_t *changes = days->changes + row * OUTLOOK_CHANGE_DAYS;
    int64_t oldest = days->today - OUTLOOK_CHANGE_DAYS;
    double all = -expm1(-rate * fg_days(to.time - from.time));
    for (int64_t day = day_of(from.time); day <= day_of(to.time); day++) {
        if (day < oldest || day >= days->today)
            continue;
        uint8_t *cell = &changes[day - oldest];
        *cell = *cell == UNKNOWN ? 0 : *cell;
        fg_time begin = from.time > day * FG_DAY ? from.time : day * FG_DAY;
        fg_time end = to.time < (day + 1) * FG_DAY ? to.time : (day + 1) * FG_DAY;
        double here = -expm1(-rate * fg_days(end - begin));
        bool is_whole = begin == from.time && end == to.time;
        bool is_here = is_whole || chance_of(days->id[row], day) * all < here;
        if (to.changed && is_here && *cell < MOST_CHANGES)
            ++*cell;
    }
}

/* Of the days of the first and of the last visit a part was not watched: that nothing was
 * seen then says little. */
static void forget_edge(struct outlook_days *days, size_t row, fg_time time)
{
    int64_t at = day_of(time) - (days->today - OUTLOOK_CHANGE_DAYS);
    if (at < 0 || at >= OUTLOOK_CHANGE_DAYS)
        return;
    uint8_t *cell = &days->changes[row * OUTLOOK_CHANGE_DAYS + (size_t)at];
    if (!*cell)
        *cell = UNKNOWN;
}

static void note_visits(struct outlook_days *days, size_t row,
                        const struct visit_reader *reader)
{
    double rate = rate_of(reader);
    size_t n = reader->looks.len;
    for (size_t i = 1; i < n; i++)
        note_interval(days, row, reader->looks.at[i - 1], reader->looks.at[i], rate);
    if (!n)
        return;
    forget_edge(days, row, reader->looks.at[0].time);
    forget_edge(days, row, reader->looks.at[n - 1].time);
}

static enum fg_status read_visits(struct outlook_days *days, const atomic_bool *stop,
                                  struct fg_err *err)
{
    struct visit_reader reader = {0};
    enum fg_status st = FG_OK;
    fg_time since = (days->today - OUTLOOK_CHANGE_DAYS) * FG_DAY;
    for (size_t i = 0; !st && i < days->n; i++) {
        if (i % BLOCK == 0 && stop && atomic_load(stop))
            st = fg_fail(err, FG_EIO, "it was stopped");
        reader.looks.len = 0;
        if (!st)
            st =
                fg_store_visits(days->store, (fg_site_id)(days->id[i] >> 32),
                                (fg_page_id)days->id[i], since, take_visit, &reader, err);
        if (!st)
            note_visits(days, i, &reader);
    }
    fg_vec_clear(&reader.looks);
    return st;
}

enum fg_status outlook_days_open(struct outlook_days *days, struct fg_store *store,
                                 const uint64_t *ids, size_t n, int64_t today,
                                 const atomic_bool *stop, struct fg_err *err)
{
    *days = (struct outlook_days){.store = store, .n = n, .today = today};
    days->id = fg_zeroed(n + 1, sizeof *days->id);
    days->host = fg_zeroed(n + 1, sizeof *days->host);
    days->fields = fg_zeroed(n * FG_OFFER_IDS + 1, sizeof *days->fields);
    days->changes = fg_zeroed(n * OUTLOOK_CHANGE_DAYS + 1, sizeof *days->changes);
    for (size_t i = 0; i < 3; i++)
        days->day[i] = fg_zeroed(n + 1, sizeof *days->day[i]);
    if (n)
        memcpy(days->id, ids, n * sizeof *ids);
    memset(days->changes, UNKNOWN, n * OUTLOOK_CHANGE_DAYS);
    set_hosts(days);
    enum fg_status st = read_hosts(days, err);
    return st ? st : read_visits(days, stop, err);
}

void outlook_days_clear(struct outlook_days *days)
{
    free(days->id);
    free(days->host);
    free(days->fields);
    free(days->hosts);
    free(days->changes);
    for (size_t i = 0; i < 3; i++)
        free(days->day[i]);
    *days = (struct outlook_days){0};
}

/* --- one day of all --- */

enum { CHANGES, CLICKS, IMPRESSIONS };

static bool read_changes(struct outlook_days *days, int64_t day)
{
    int64_t at = day - (days->today - OUTLOOK_CHANGE_DAYS);
    bool is_known = false;
    if (at < 0 || at >= OUTLOOK_CHANGE_DAYS)
        return false;
    for (size_t i = 0; i < days->n; i++) {
        uint8_t count = days->changes[i * OUTLOOK_CHANGE_DAYS + (size_t)at];
        days->day[CHANGES][i] = count == UNKNOWN ? NAN : count;
        is_known |= count != UNKNOWN;
    }
    return is_known;
}

struct count_reader {
    struct outlook_days *days;
    bool is_known[3];
};

static bool take_count(void *context, const struct fg_daily_row *row)
{
    struct count_reader *reader = context;
    size_t at = find(reader->days, (uint64_t)row->site << 32 | row->page);
    const uint32_t counts[3] = {[CLICKS] = row->clicks, [IMPRESSIONS] = row->impressions};
    for (int kind = CLICKS; kind <= IMPRESSIONS; kind++) {
        bool is_known = counts[kind] != FG_UNCOUNTED;
        reader->is_known[kind] |= is_known;
        if (at != SIZE_MAX)
            reader->days->day[kind][at] = is_known ? (float)counts[kind] : -1;
    }
    return true;
}

/* Who has no count on a day of which his site has some was not clicked. */
static void settle(struct outlook_days *days, const struct count_reader *reader,
                   size_t first, size_t end)
{
    for (int kind = CLICKS; kind <= IMPRESSIONS; kind++)
        for (size_t i = first; i < end; i++)
            if (!reader->is_known[kind] || days->day[kind][i] < 0)
                days->day[kind][i] = NAN;
}

enum fg_status outlook_days_read(struct outlook_days *days, int64_t day,
                                 struct fg_offer_counts *counts, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    bool is_known[3] = {read_changes(days, day)};
    for (size_t first = 0, end = 0; !st && first < days->n; first = end) {
        const struct outlook_host *host = &days->hosts[days->host[first]];
        struct count_reader reader = {.days = days};
        for (end = first; end < days->n && days->host[end] == days->host[first]; end++)
            days->day[CLICKS][end] = days->day[IMPRESSIONS][end] = 0;
        if (day >= host->first && day < host->end)
            st = fg_store_daily(days->store, host->site, day, day + 1, take_count,
                                &reader, err);
        settle(days, &reader, first, end);
        is_known[CLICKS] |= reader.is_known[CLICKS];
        is_known[IMPRESSIONS] |= reader.is_known[IMPRESSIONS];
    }
    *counts = (struct fg_offer_counts){
        .changes = is_known[CHANGES] ? days->day[CHANGES] : NULL,
        .clicks = is_known[CLICKS] ? days->day[CLICKS] : NULL,
        .impressions = is_known[IMPRESSIONS] ? days->day[IMPRESSIONS] : NULL,
    };
    return st;
}

int64_t outlook_days_counted(const struct outlook_days *days)
{
    int64_t end = INT64_MIN;
    for (size_t i = 0; i < days->n_hosts; i++)
        if (days->hosts[i].end > days->hosts[i].first && days->hosts[i].end > end)
            end = days->hosts[i].end;
    return end;
}

int64_t outlook_days_first(const struct outlook_days *days)
{
    int64_t first = days->today, oldest = days->today - FG_DAILY_KEPT;
    for (size_t i = 0; i < days->n_hosts; i++)
        if (days->hosts[i].end > days->hosts[i].first && days->hosts[i].first < first)
            first = days->hosts[i].first;
    for (int64_t at = 0; at < OUTLOOK_CHANGE_DAYS; at++)
        for (size_t i = 0; i < days->n; i++) {
            int64_t day = days->today - OUTLOOK_CHANGE_DAYS + at;
            if (days->changes[i * OUTLOOK_CHANGE_DAYS + (size_t)at] != UNKNOWN &&
                day < first)
                first = day;
        }
    return first > oldest ? first : oldest;
}
