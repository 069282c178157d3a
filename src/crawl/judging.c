/* Which pages are told
 *
 * A page that is taken to be new (newness.h) is awaited: it is fetched before all else
 * and judged by what it is. It is told if it is content of its own (net/kind.h), under
 * the address it has in the end, is not a copy of a page we know, is not dated before the
 * watch began, and counts in a focused crawl. A page of the stock that is read for
 * another reason is told as well if it says itself that it was published since.
 *
 * One page alone may be misread; the pattern of its address (pattern.h) has seen many. If
 * nearly all pages of a pattern are content, or lists, a doubtful verdict gives way.
 *
 * What is not told stays known, with flags that say why (`forage explain`). */
#include "crawl/judging.h"
#include "crawl/newness.h"
#include "crawl/pages.h"
#include "crawl/pattern.h"
#include "crawl/site.h"
#include "crawl/sources.h"
#include "crawl/state.h"

#include "base/log.h"
#include "base/memory.h"
#include "net/canonical.h"

#include <stdlib.h>

/* --- what the link said --- */

enum { AWAITED_MOST = 1 << 20, WORDS_MOST = 512 };

struct waiting {
    uint32_t found_on;
    fg_time dated;
    bool is_in_feed;
    char *words;
    size_t words_len;
};

struct awaited {
    struct fg_map by_row;   /* index + 1 */
    struct fg_map promoted; /* rows that turned out to be new after all: once, whatever
                               they are then judged to be */
    FG_VEC(struct waiting) all;
    FG_VEC(uint32_t) free;
};

static void keep_words(struct waiting *waiting, struct fg_str words)
{
    waiting->words_len = words.len < WORDS_MOST ? words.len : WORDS_MOST;
    waiting->words = malloc(waiting->words_len + 1);
    if (!waiting->words)
        fg_out_of_memory();
    if (waiting->words_len)
        memcpy(waiting->words, words.at, waiting->words_len);
}

/* Views of one thing have its name in common: the first one stands for all. */
static void note_token(struct fg_crawl *crawl, uint32_t row)
{
    uint64_t token = fg_address_token(fg_known_url(&crawl->known, row));
    if (token)
        *fg_map_put(&crawl_site_of(crawl, row)->judging.tokens, token) =
            row + (uint64_t)1;
}

void judging_await(struct fg_crawl *crawl, uint32_t row, const struct new_page *page)
{
    note_token(crawl, row);
    if (!crawl->judging.awaited)
        crawl->judging.awaited = fg_zeroed(1, sizeof *crawl->judging.awaited);
    struct awaited *awaited = crawl->judging.awaited;
    if (fg_map_get(&awaited->by_row, row) || fg_map_len(&awaited->by_row) >= AWAITED_MOST)
        return;
    struct waiting waiting = {
        .found_on = page->found_on, .dated = page->dated, .is_in_feed = page->is_in_feed};
    keep_words(&waiting, page->words);
    uint32_t at = (uint32_t)awaited->all.len;
    if (awaited->free.len)
        at = awaited->free.at[--awaited->free.len];
    else
        fg_vec_push(&awaited->all, waiting);
    awaited->all.at[at] = waiting;
    *fg_map_put(&awaited->by_row, row) = at + (uint64_t)1;
}

/* After a restart it is what the store has: the words of the link are lost. */
static struct waiting recall_waiting(struct fg_crawl *crawl, uint32_t row)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    struct waiting waiting = {.found_on = FG_UNKNOWN, .dated = FG_NEVER};
    struct fg_page_row stored, source;
    const uint64_t *lately = fg_map_get(&crawl->sources.found_lately, row);
    if (lately)
        waiting.found_on = (uint32_t)*lately - 1;
    if (fg_store_page(crawl->store, &stored, &crawl->scratch, page->site, page->page,
                      NULL))
        return waiting;
    waiting.dated = stored.published;
    if (!lately && stored.found_on &&
        !fg_store_page(crawl->store, &source, &crawl->scratch, page->site,
                       stored.found_on, NULL))
        waiting.found_on = fg_known_find(&crawl->known, page->site, source.fingerprint);
    return waiting;
}

/* The words are then the caller's to free. */
static struct waiting take_waiting(struct fg_crawl *crawl, uint32_t row)
{
    struct awaited *awaited = crawl->judging.awaited;
    const uint64_t *at = awaited ? fg_map_get(&awaited->by_row, row) : NULL;
    if (!at)
        return recall_waiting(crawl, row);
    uint32_t index = (uint32_t)*at - 1;
    struct waiting waiting = awaited->all.at[index];
    awaited->all.at[index] = (struct waiting){0};
    fg_vec_push(&awaited->free, index);
    fg_map_remove(&awaited->by_row, row);
    return waiting;
}

void judging_clear(struct fg_crawl *crawl)
{
    struct awaited *awaited = crawl->judging.awaited;
    if (!awaited)
        return;
    for (size_t i = 0; i < awaited->all.len; i++)
        free(awaited->all.at[i].words);
    fg_vec_clear(&awaited->all);
    fg_vec_clear(&awaited->free);
    fg_map_clear(&awaited->by_row);
    fg_map_clear(&awaited->promoted);
    free(awaited);
}

static void put_flags(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    fg_batch_page_flags(batch, page->site, page->page, page->flags, 0);
}

/* What was dealt with, or is none to be told of by its nature. */
static const uint32_t settled =
    FG_PAGE_REPORTED | FG_PAGE_OLD | FG_PAGE_SOURCE | FG_PAGE_FEED | FG_PAGE_SITEMAP |
    FG_PAGE_ALIAS | FG_PAGE_EXCLUDED | FG_PAGE_GONE | FG_PAGE_OTHER_KIND | FG_PAGE_LIST |
    FG_PAGE_DUPLICATE | FG_PAGE_SEED | FG_PAGE_STOCK;

void judging_promote(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                     const struct new_page *page, fg_time now)
{
    struct fg_known_page *known = &crawl->known.at[row];
    uint32_t unproven = page->flags & FG_PAGE_UNPROVEN;
    bool is_awaited = (known->flags & FG_PAGE_AWAITED) &&
                      (unproven || !(known->flags & FG_PAGE_UNPROVEN));
    if (known->flags & settled || is_awaited ||
        (crawl->judging.awaited && fg_map_get(&crawl->judging.awaited->promoted, row)))
        return;
    known->flags &= ~(uint32_t)FG_PAGE_UNPROVEN;
    known->flags |= FG_PAGE_AWAITED | unproven;
    known->failures = 0;
    if (!unproven)
        known->first_seen = now; /* as a new page */
    put_flags(crawl, batch, row);
    judging_await(crawl, row, page);
    if (!unproven)
        *fg_map_put(&crawl->judging.awaited->promoted, row) = 1;
    queue_push(&crawl_site_of(crawl, row)->stock.awaited, row);
}

/* If the page at the other address was dealt with, so is this one. */
void judging_move(struct fg_crawl *crawl, uint32_t from, uint32_t to)
{
    uint32_t waits = crawl->known.at[from].flags & (FG_PAGE_AWAITED | FG_PAGE_UNPROVEN);
    if (!(waits & FG_PAGE_AWAITED))
        return;
    crawl->known.at[from].flags &= ~(uint32_t)(FG_PAGE_AWAITED | FG_PAGE_UNPROVEN);
    struct waiting waiting = take_waiting(crawl, from);
    /* A feed that dates it proves more than the list on which it stood first. */
    bool is_proven = waiting.dated != FG_NEVER && !(waits & FG_PAGE_UNPROVEN);
    uint32_t against = is_proven ? settled & ~(uint32_t)FG_PAGE_STOCK : settled;
    if (to != FG_UNKNOWN && !(crawl->known.at[to].flags & against)) {
        crawl->known.at[to].flags &= ~(uint32_t)FG_PAGE_STOCK;
        crawl->known.at[to].flags |= waits;
        judging_await(crawl, to,
                      &(struct new_page){.found_on = waiting.found_on,
                                         .dated = waiting.dated,
                                         .is_in_feed = waiting.is_in_feed,
                                         .words = {waiting.words, waiting.words_len}});
    }
    free(waiting.words);
}

/* --- what a page is --- */

uint32_t judging_copy_of(const struct fg_crawl *crawl, uint32_t row, uint64_t identity)
{
    const uint64_t *first = fg_map_get(&crawl->judging.row_by_identity, identity);
    uint32_t of = first ? (uint32_t)*first - 1 : FG_UNKNOWN;
    bool is_copy = identity && of != FG_UNKNOWN && of != row &&
                   crawl->known.at[of].site == crawl->known.at[row].site;
    return is_copy ? of : FG_UNKNOWN;
}

static void learn_params(struct fg_crawl *crawl, struct site *site, uint32_t row,
                         uint64_t identity, uint32_t copy_of)
{
    struct fg_str url = fg_known_url(&crawl->known, row);
    if (copy_of != FG_UNKNOWN)
        fg_patterns_compare(site->patterns, url, fg_known_url(&crawl->known, copy_of),
                            true);
    unsigned param = 0;
    for (uint32_t there;
         (there = crawl_known_without(crawl, site, url, &param)) != FG_UNKNOWN;) {
        const uint64_t *theirs = fg_map_get(&crawl->judging.identity_by_row, there);
        if (theirs && there != copy_of)
            fg_patterns_compare(site->patterns, url, fg_known_url(&crawl->known, there),
                                *theirs == identity);
    }
}

/* The first page that has this identity is the one. A page that was a copy of it and now
 * shows something else is itself again. */
static uint32_t note_identity(struct fg_crawl *crawl, struct site *site, uint32_t row,
                              uint64_t identity)
{
    if (!identity)
        return FG_UNKNOWN;
    uint32_t of = judging_copy_of(crawl, row, identity);
    learn_params(crawl, site, row, identity, of);
    *fg_map_put(&crawl->judging.identity_by_row, row) = identity;
    if (of == FG_UNKNOWN)
        *fg_map_put(&crawl->judging.row_by_identity, identity) = row + (uint64_t)1;
    return of;
}

/* A doubtful verdict gives way to what nearly all pages of the pattern are. */
static struct fg_kind_verdict lean_on_pattern(struct fg_kind_verdict verdict,
                                              const struct fg_pattern *pattern)
{
    enum { ENOUGH = 8 };
    static const float doubtful = 0.8F;
    uint32_t fetched = fg_pattern_fetched(pattern);
    uint32_t pages = pattern->came[FG_CAME_PAGE] + pattern->came[FG_CAME_DOCUMENT];
    if (verdict.certainty > doubtful || fetched < ENOUGH)
        return verdict;
    if (verdict.kind != FG_KIND_PAGE && pages * 10 >= fetched * 9)
        return (struct fg_kind_verdict){FG_KIND_PAGE, doubtful, "as its pattern is"};
    if (verdict.kind == FG_KIND_PAGE && pattern->came[FG_CAME_LIST] * 10 >= fetched * 9)
        return (struct fg_kind_verdict){FG_KIND_LIST, doubtful, "as its pattern is"};
    return verdict;
}

static struct fg_kind_verdict verdict_of(const struct fg_reading *reading,
                                         const struct fg_pattern *pattern)
{
    if (reading->kind == FG_READ_FEED || reading->kind == FG_READ_SITEMAP ||
        reading->kind == FG_READ_SITEMAP_INDEX)
        return (struct fg_kind_verdict){FG_KIND_LIST, 1, "a feed or sitemap"};
    if (reading->kind != FG_READ_HTML)
        return (struct fg_kind_verdict){FG_KIND_EMPTY, 1, "not an HTML page"};
    return lean_on_pattern(reading->verdict, pattern);
}

static enum fg_came came_of(struct fg_kind_verdict verdict, bool is_copy,
                            bool is_document, bool noindex)
{
    if (is_copy)
        return FG_CAME_COPY;
    if (verdict.kind == FG_KIND_LIST)
        return FG_CAME_LIST;
    if (verdict.kind != FG_KIND_PAGE || noindex)
        return FG_CAME_OTHER;
    return is_document ? FG_CAME_DOCUMENT : FG_CAME_PAGE;
}

static void count_dates(struct site *site, struct fg_pattern *pattern,
                        const struct fg_reading *reading)
{
    bool is_dated =
        reading->facts.published != FG_NEVER && !reading->facts.published_is_day;
    site->judging.dated += is_dated;
    site->judging.undated += !is_dated;
    pattern->dated += reading->facts.published != FG_NEVER;
}

/* --- to tell or not --- */

static void report(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                   const struct waiting *waiting, const struct fg_reading *reading,
                   float chance, fg_time now)
{
    struct site *site = crawl_site_of(crawl, row);
    struct new_page page = {.site = site,
                            .url = fg_known_url(&crawl->known, row),
                            .words = {waiting->words, waiting->words_len},
                            .fingerprint = crawl->known.at[row].fingerprint,
                            .found_on = waiting->found_on,
                            .dated = waiting->dated,
                            .published = FG_NEVER,
                            .relevance = chance};
    if (reading) {
        page.title = reading->facts.title.len ? reading->facts.title : reading->title;
        page.excerpt = reading->facts.excerpt;
        page.language = reading->language;
        page.published = reading->facts.published;
        if (page.dated == FG_NEVER)
            page.dated = reading->facts.published;
    }
    crawl->known.at[row].flags |= FG_PAGE_REPORTED;
    site->judging.undated_told += page.published == FG_NEVER;
    fg_patterns_find(site->patterns, page.url)->reported++;
    crawl_report(crawl, batch, row, &page, now);
}

static enum fg_newness newness_so_far(uint32_t flags)
{
    return flags & FG_PAGE_OLD          ? FG_OLD
           : !(flags & FG_PAGE_AWAITED) ? FG_STOCK
           : flags & FG_PAGE_UNPROVEN   ? FG_UNPROVEN
                                        : FG_NEW;
}

/* A topic of a forum has many addresses, and comes up again under another whenever
 * somebody replies. What bears the title that a link to the stock had is no news. */
enum { TITLE_LEAST = 12, TITLES_MOST = 1 << 20 };

void judging_note_title(struct fg_crawl *crawl, uint32_t row, struct fg_str words)
{
    struct fg_map *titles = &crawl_site_of(crawl, row)->judging.titles;
    words = fg_str_trim(words);
    if (words.len < TITLE_LEAST || fg_map_len(titles) >= TITLES_MOST)
        return;
    uint64_t *first = fg_map_put(titles, fg_str_hash(words));
    if (!*first)
        *first = row + (uint64_t)1;
}

/* Replies to a mail have its title as well: only addresses that differ in parameters
 * alone are taken for one thing. */
static bool is_same_program(struct fg_str a, struct fg_str b)
{
    size_t end = fg_str_chr(a, '?');
    return end != FG_NOT_FOUND && fg_str_chr(b, '?') == end &&
           fg_str_eq(fg_str_sub(a, 0, end), fg_str_sub(b, 0, end));
}

static bool has_old_title(const struct fg_crawl *crawl, const struct site *site,
                          uint32_t row, const struct fg_reading *reading, bool is_in_feed)
{
    struct fg_str title = fg_str_trim(reading->facts.title);
    if (reading->facts.published != FG_NEVER || is_in_feed || title.len < TITLE_LEAST)
        return false;
    const uint64_t *of = fg_map_get(&site->judging.titles, fg_str_hash(title));
    uint32_t other = of ? (uint32_t)*of - 1 : row;
    return other != row &&
           is_same_program(fg_known_url(&crawl->known, other),
                           fg_known_url(&crawl->known, row)) &&
           crawl->known.at[other].first_seen < crawl->known.at[row].first_seen;
}

/* Where pages carry dates, one that has none is not news: a page about the site, an
 * advertisement. Unless it is of a kind that has none, as tags beside commits. Offers are
 * not dated anywhere. */
static bool lacks_date(const struct site *site, const struct fg_pattern *pattern,
                       const struct fg_reading *reading, bool is_in_feed)
{
    enum { ENOUGH = 3 };
    return reading->facts.published == FG_NEVER && !is_in_feed &&
           !fg_pattern_is_undated(pattern) && reading->facts.claim != FG_CLAIM_PRODUCT &&
           !reading->value.has_offer && site->judging.dated >= ENOUGH &&
           site->judging.dated > 3 * site->judging.undated_told;
}

/* What a feed lists is content even if it looks like a list, as long as it does not look
 * too much like one. */
static bool is_content(const struct fg_crawl *crawl, struct fg_kind_verdict verdict,
                       bool is_in_feed)
{
    static const float sure = 0.95F;
    if (is_in_feed && verdict.kind == FG_KIND_LIST && verdict.certainty < sure)
        verdict.kind = FG_KIND_PAGE;
    return judging_tells(crawl, verdict.kind);
}

bool judging_tells(const struct fg_crawl *crawl, enum fg_kind kind)
{
    static const unsigned reports[] = {[FG_KIND_PAGE] = FG_REPORT_PAGES,
                                       [FG_KIND_LIST] = FG_REPORT_LISTS,
                                       [FG_KIND_ACTION] = FG_REPORT_ACTIONS,
                                       [FG_KIND_ERROR] = FG_REPORT_OTHERS,
                                       [FG_KIND_EMPTY] = FG_REPORT_OTHERS};
    return crawl->options.report.kinds & reports[kind];
}

/* The first that decides. A source or feed is a list, whatever it looks like. */
static enum not_told reason_of(enum fg_newness newness, bool is_copy, bool noindex,
                               bool is_unwanted, enum fg_kind kind)
{
    static const enum not_told by_kind[] = {[FG_KIND_PAGE] = NOT_LIST,
                                            [FG_KIND_LIST] = NOT_LIST,
                                            [FG_KIND_ACTION] = NOT_ACTION,
                                            [FG_KIND_ERROR] = NOT_ERROR,
                                            [FG_KIND_EMPTY] = NOT_EMPTY};
    return is_copy                  ? NOT_COPY
           : noindex                ? NOT_NOINDEX
           : is_unwanted            ? by_kind[kind]
           : newness == FG_OLD      ? NOT_OLD
           : newness == FG_UNPROVEN ? NOT_UNPROVEN
                                    : NOT_IRRELEVANT;
}

/* The second page of a topic, the address of which is known without its number, however
 * much text it has. */
static bool is_further_page(struct fg_crawl *crawl, const struct site *site,
                            struct fg_str url)
{
    if (!fg_address_is_continuation(url))
        return false;
    unsigned param = 0;
    for (uint32_t first;
         (first = crawl_known_without(crawl, site, url, &param)) != FG_UNKNOWN;)
        if (!fg_address_is_continuation(fg_known_url(&crawl->known, first)))
            return true;
    return false;
}

static void decide(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                   const struct fg_reading *reading, struct fg_kind_verdict verdict,
                   bool is_copy, struct relevance relevance, fg_time now)
{
    struct site *site = crawl_site_of(crawl, row);
    uint32_t *flags = &crawl->known.at[row].flags;
    bool was_awaited = *flags & FG_PAGE_AWAITED;
    struct fg_str url = fg_known_url(&crawl->known, row);
    const struct fg_pattern *pattern = fg_patterns_find(site->patterns, url);
    enum fg_newness before = newness_so_far(*flags),
                    newness = fg_newness_by_date(before, site->added, now,
                                                 reading->facts.published,
                                                 reading->facts.published_is_day);
    /* The second page of a topic bears the date of its first reply. */
    if (newness == FG_NEW && before != FG_NEW && crawl_is_continuation(crawl, site, url))
        newness = before;
    if (!was_awaited && newness != FG_NEW) {
        *flags |= newness == FG_OLD ? FG_PAGE_OLD : 0u;
        return;
    }
    struct waiting waiting = take_waiting(crawl, row);
    if (newness == FG_NEW && verdict.kind == FG_KIND_PAGE &&
        lacks_date(site, pattern, reading, waiting.is_in_feed))
        newness = FG_UNPROVEN;
    if (newness == FG_NEW && has_old_title(crawl, site, row, reading, waiting.is_in_feed))
        newness = FG_STOCK;
    bool is_unwanted =
        !is_content(crawl, verdict, waiting.is_in_feed) ||
        (is_further_page(crawl, site, url) && !judging_tells(crawl, FG_KIND_LIST)) ||
        *flags & settled & ~(uint32_t)FG_PAGE_STOCK;
    bool is_worth = newness == FG_NEW && !is_unwanted && !is_copy && !reading->noindex;
    *flags &= ~(uint32_t)(FG_PAGE_AWAITED | FG_PAGE_UNPROVEN);
    *flags |= newness == FG_OLD        ? FG_PAGE_OLD
              : newness == FG_UNPROVEN ? FG_PAGE_UNPROVEN
                                       : 0u;
    if (is_worth)
        relevance_credit(crawl, waiting.found_on, relevance.counts);
    if (is_worth && relevance.counts)
        report(crawl, batch, row, &waiting, reading, relevance.chance, now);
    else
        site->judging.turned_down[reason_of(newness, is_copy, reading->noindex,
                                            is_unwanted, verdict.kind)]++;
    if (!is_worth)
        fg_log_debug("crawl", "not told", FG_F("url", fg_known_url(&crawl->known, row)),
                     FG_F("kind", fg_kind_name(verdict.kind)),
                     FG_F("why", verdict.reason), FG_F("newness", (int)newness),
                     FG_F("copy", is_copy), FG_F("noindex", reading->noindex));
    free(waiting.words);
}

void judging_read(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                  const struct fg_reading *reading, struct relevance relevance,
                  fg_time now)
{
    struct site *site = crawl_site_of(crawl, row);
    struct fg_known_page *page = &crawl->known.at[row];
    struct fg_str url = fg_known_url(&crawl->known, row);
    uint32_t of = note_identity(crawl, site, row, reading->identity);
    struct fg_pattern *pattern = fg_patterns_find(site->patterns, url);
    struct fg_kind_verdict verdict = verdict_of(reading, pattern);
    bool is_copy = of != FG_UNKNOWN, is_list = verdict.kind == FG_KIND_LIST;
    fg_pattern_learn(pattern, came_of(verdict, is_copy, page->flags & FG_PAGE_DOCUMENT,
                                      reading->noindex));
    if (verdict.kind == FG_KIND_PAGE && !is_copy)
        count_dates(site, pattern, reading);
    page->flags |= is_copy ? FG_PAGE_DUPLICATE : 0u;
    page->flags |= reading->noindex ? FG_PAGE_NOINDEX : 0u;
    decide(crawl, batch, row, reading, verdict, is_copy, relevance, now);
    page->flags |= is_list                        ? FG_PAGE_LIST
                   : verdict.kind != FG_KIND_PAGE ? FG_PAGE_OTHER_KIND
                                                  : 0u;
}

void judging_give_up(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                     bool is_gone, fg_time now)
{
    struct fg_known_page *page = &crawl->known.at[row];
    if (!(page->flags & FG_PAGE_AWAITED))
        return;
    struct waiting waiting = take_waiting(crawl, row);
    bool is_told = !is_gone && waiting.is_in_feed && !(page->flags & FG_PAGE_UNPROVEN) &&
                   !(page->flags & settled) && !crawl->focus;
    page->flags &= ~(uint32_t)(FG_PAGE_AWAITED | FG_PAGE_UNPROVEN);
    if (is_told)
        report(crawl, batch, row, &waiting, NULL, 0, now);
    else
        crawl_site_of(crawl, row)->judging.turned_down[NOT_ERROR]++;
    put_flags(crawl, batch, row);
    free(waiting.words);
}
