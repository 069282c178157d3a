/* Events of the span are kept in the order of site and page, as pages are walked, so that
 * both are brought together in one pass. A date without a time of day says nothing about
 * minutes and is left out of the delays. */
#include "view/record.h"

#include "base/memory.h"
#include "base/vec.h"
#include "crawl/output/news.h"
#include "net/facts/kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const fg_time late_after = FG_HOUR;

struct told {
    fg_site_id site;
    fg_page_id page;
    fg_time found, dated;
};

struct gathering {
    struct fg_records *records;
    const struct fg_record_scope *scope;
    struct fg_guard guard;
    FG_VEC(struct told) told;
    size_t next; /* of the told, while pages are walked */
};

double fg_record_precision(const struct fg_record *r)
{
    return r->told ? 1 - (double)r->wrong / (double)r->told : (double)NAN;
}

double fg_record_recall(const struct fg_record *r)
{
    return r->published ? (double)r->published_told / (double)r->published : (double)NAN;
}

double fg_record_requests_each(const struct fg_record *r)
{
    return r->told ? (double)r->requests / (double)r->told : (double)NAN;
}

const char *fg_not_told_name(enum fg_not_told reason)
{
    static const char *const names[] = {
        [FG_NOT_OLD] = "old",
        [FG_NOT_UNPROVEN] = "unproven",
        [FG_NOT_COPY] = "copy",
        [FG_NOT_NOINDEX] = "noindex",
        [FG_NOT_LIST] = "list",
        [FG_NOT_ACTION] = "action",
        [FG_NOT_ERROR] = "error",
        [FG_NOT_EMPTY] = "empty",
        [FG_NOT_IRRELEVANT] = "irrelevant",
    };
    return reason < FG_NOT_TOLD ? names[reason] : "";
}

/* --- what was told --- */

static bool take_event(void *context, const struct fg_event_row *event)
{
    struct gathering *g = context;
    struct fg_news news;
    if (fg_news_kind(event->kind) != FG_KIND_NEW ||
        !fg_records_find(g->records, event->site))
        return true;
    fg_news_read(&news, event);
    fg_vec_push(&g->told,
                (struct told){event->site, event->page, news.found, news.dated});
    fg_news_clear(&news);
    return true;
}

static int by_page(const void *a, const void *b)
{
    const struct told *x = a, *y = b;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    return (x->page > y->page) - (x->page < y->page);
}

/* --- what became of it --- */

static const struct fg_record_site *site_of(const struct gathering *g,
                                            const struct fg_page_row *page)
{
    const struct fg_record *record = fg_records_find(g->records, page->site);
    return &g->scope->sites[record - g->records->sites];
}

/* Not before the span, nor before its site was watched. */
static bool is_of_this_span(const struct gathering *g, const struct fg_page_row *page,
                            fg_time time)
{
    fg_time watching = site_of(g, page)->watching;
    return time != FG_NEVER && watching != FG_NEVER && time >= g->scope->since &&
           time >= watching;
}

/* Rules may have been made after it was found. */
static bool is_ruled_out(const struct gathering *g, const struct fg_page_row *page)
{
    const struct fg_site_rules *rules = site_of(g, page)->rules;
    return fg_guard_check(&g->guard, page->url, page->depth, 0) ||
           (rules && rules->scope != FG_SCOPE_PAGE &&
            fg_site_rules_judge(rules, page->url, NULL));
}

/* The first that speaks against it, in the order of crawl/judging/judging.c; FG_NOT_TOLD:
 * nothing does. */
static enum fg_not_told reason_of(const struct gathering *g,
                                  const struct fg_page_row *page)
{
    const uint32_t lists = FG_PAGE_LIST | FG_PAGE_FEED | FG_PAGE_SITEMAP | FG_PAGE_SOURCE;
    uint32_t flags = page->flags;
    if (flags & FG_PAGE_GONE || (page->failures && !page->content_hash))
        return FG_NOT_ERROR;
    if (flags & FG_PAGE_DUPLICATE)
        return FG_NOT_COPY;
    if (flags & FG_PAGE_NOINDEX)
        return FG_NOT_NOINDEX;
    if (flags & lists)
        return FG_NOT_LIST;
    if (flags & FG_PAGE_OTHER_KIND)
        return fg_kind_of_address(page->url).kind == FG_KIND_ACTION ? FG_NOT_ACTION
                                                                    : FG_NOT_EMPTY;
    if (flags & FG_PAGE_OLD)
        return FG_NOT_OLD;
    if (flags & FG_PAGE_UNPROVEN)
        return FG_NOT_UNPROVEN;
    return g->scope->is_focused && !(flags & FG_PAGE_RELEVANT) ? FG_NOT_IRRELEVANT
                                                               : FG_NOT_TOLD;
}

/* What nobody expects to be told of: it was named, is judged elsewhere or kept out. */
static bool is_no_candidate(const struct gathering *g, const struct fg_page_row *page)
{
    const uint32_t others =
        FG_PAGE_ALIAS | FG_PAGE_EXCLUDED | FG_PAGE_SEED | FG_PAGE_REMOVED;
    return page->flags & others || is_ruled_out(g, page);
}

static void count_untold(struct fg_record *record, const struct fg_page_row *page,
                         enum fg_not_told reason)
{
    const uint32_t undecided = FG_PAGE_REPORTED | FG_PAGE_AWAITED | FG_PAGE_STOCK;
    if (reason != FG_NOT_TOLD && page->visits && !(page->flags & undecided))
        record->not_told[reason]++;
}

static bool take_page(void *context, const struct fg_page_row *page)
{
    struct gathering *g = context;
    struct fg_record *record = fg_records_find(g->records, page->site);
    if (!record)
        return true;
    struct told key = {.site = page->site, .page = page->page};
    while (g->next < g->told.len && by_page(&g->told.at[g->next], &key) < 0)
        g->next++;
    bool is_told = g->next < g->told.len && by_page(&g->told.at[g->next], &key) == 0;
    bool is_wrong = page->flags &
                    (FG_PAGE_GONE | FG_PAGE_ALIAS | FG_PAGE_EXCLUDED | FG_PAGE_DUPLICATE);
    record->told += is_told;
    record->wrong += is_told && is_wrong;
    if (is_told && g->told.at[g->next].dated == FG_NEVER)
        g->told.at[g->next].dated = page->published;
    bool is_dated = is_of_this_span(g, page, page->published);
    if ((!is_dated && !is_of_this_span(g, page, page->first_seen)) ||
        is_no_candidate(g, page))
        return true;
    enum fg_not_told reason = reason_of(g, page);
    bool is_to_be_told = reason == FG_NOT_TOLD || reason == FG_NOT_OLD ||
                         reason == FG_NOT_UNPROVEN ||
                         (reason == FG_NOT_ERROR && !is_wrong);
    if (is_to_be_told && is_dated) {
        record->published++;
        record->published_told += is_told;
    }
    if (!is_told)
        count_untold(record, page, reason);
    return true;
}

/* --- delays --- */

static int by_length(const void *a, const void *b)
{
    fg_time x = *(const fg_time *)a, y = *(const fg_time *)b;
    return (x > y) - (x < y);
}

/* Shares by nearest rank: the least delay that so many are within. */
static void note_delays(struct fg_record *record, const struct told *told, size_t n)
{
    fg_time *delays = fg_zeroed(n + 1, sizeof *delays);
    size_t len = 0;
    for (size_t i = 0; i < n; i++)
        if (told[i].dated != FG_NEVER && told[i].dated % FG_DAY != 0)
            delays[len++] =
                told[i].found > told[i].dated ? told[i].found - told[i].dated : 0;
    record->delay_p50 = record->delay_p90 = FG_NEVER;
    record->dated = len;
    if (len) {
        qsort(delays, len, sizeof *delays, by_length);
        record->delay_p50 = delays[(len - 1) / 2];
        record->delay_p90 = delays[(len * 9 + 9) / 10 - 1];
    }
    for (size_t i = 0; i < len; i++)
        record->late += delays[i] > late_after;
    free(delays);
}

/* --- requests --- */

static bool take_request(void *context, const struct fg_request_row *request)
{
    (void)request;
    ++*(uint64_t *)context;
    return true;
}

static enum fg_status note_site(struct gathering *g, struct fg_store *store,
                                struct fg_record *record, size_t *first,
                                struct fg_err *err)
{
    struct fg_record *all = &g->records->all;
    fg_site_id site = record->site;
    size_t end = *first;
    while (end < g->told.len && g->told.at[end].site == site)
        end++;
    note_delays(record, end > *first ? &g->told.at[*first] : NULL, end - *first);
    *first = end;
    enum fg_status st = fg_store_requests(store, site, g->scope->since, take_request,
                                          &record->requests, err);
    all->told += record->told;
    all->wrong += record->wrong;
    all->published += record->published;
    all->published_told += record->published_told;
    all->requests += record->requests;
    for (int reason = 0; reason < FG_NOT_TOLD; reason++)
        all->not_told[reason] += record->not_told[reason];
    return st;
}

enum fg_status fg_records_gather(struct fg_records *records, struct fg_store *store,
                                 const struct fg_record_scope *scope, struct fg_err *err)
{
    fg_records_clear(records);
    records->sites = fg_zeroed(scope->n_sites + 1, sizeof *records->sites);
    records->n_sites = scope->n_sites;
    for (size_t i = 0; i < scope->n_sites; i++)
        records->sites[i].site = scope->sites[i].site;
    struct gathering g = {.records = records, .scope = scope};
    fg_guard_init(&g.guard, &scope->guard);
    enum fg_status st =
        fg_store_events(store, 0, 0, scope->since, SIZE_MAX, take_event, &g, err);
    if (g.told.len)
        qsort(g.told.at, g.told.len, sizeof *g.told.at, by_page);
    if (!st)
        st = fg_store_pages(store, 0, take_page, &g, err);
    size_t first = 0;
    for (size_t i = 0; !st && i < scope->n_sites; i++)
        st = note_site(&g, store, &records->sites[i], &first, err);
    note_delays(&records->all, g.told.at, g.told.len);
    fg_vec_clear(&g.told);
    return st;
}

struct fg_record *fg_records_find(const struct fg_records *records, fg_site_id site)
{
    size_t low = 0, high = records->n_sites;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (records->sites[middle].site < site)
            low = middle + 1;
        else
            high = middle;
    }
    return low < records->n_sites && records->sites[low].site == site
               ? &records->sites[low]
               : NULL;
}

void fg_records_clear(struct fg_records *records)
{
    free(records->sites);
    *records = (struct fg_records){0};
}
