/* Which pages are told
 *
 * A page that is taken to be new (newness.h) is awaited: it is fetched before all else
 * and judged by what it is. It is told if it is content of its own (net/facts/kind.h),
 * under the address it has in the end, is not a copy of a page we know, is not dated
 * before the watch began, and counts in a focused crawl. A page of the stock that is read
 * for another reason is told as well if it says itself that it was published since.
 *
 * One page alone may be misread; the pattern of its address (pattern.h) has seen many. If
 * nearly all pages of a pattern are content, or lists, a doubtful verdict gives way.
 *
 * What is not told stays known, with flags that say why (`forage explain`). */
#include "crawl/judging/judging.h"
#include "crawl/budget.h"
#include "crawl/judging/judge.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/moved.h"
#include "crawl/sources/pattern.h"
#include "crawl/sources/sources.h"
#include "crawl/sources/views.h"
#include "crawl/state.h"

#include "base/log.h"
#include "base/memory.h"
#include "net/facts/kind.h"
#include "net/url/canonical.h"

#include <stdlib.h>

/* --- what the link said --- */

enum { AWAITED_MOST = 1 << 20, WORDS_MOST = 512 };

struct waiting {
    uint32_t found_on;
    fg_time dated;
    uint32_t origin; /* what the feed named, if that led here; or FG_UNKNOWN */
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
    struct waiting waiting = {.found_on = page->found_on,
                              .dated = page->dated,
                              .origin = FG_UNKNOWN,
                              .is_in_feed = page->is_in_feed};
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
static struct waiting recall_waiting(struct fg_crawl *crawl, uint32_t row,
                                     const struct fg_before *before)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    struct waiting waiting = {
        .found_on = FG_UNKNOWN, .dated = FG_NEVER, .origin = FG_UNKNOWN};
    struct fg_page_row stored, source;
    const uint64_t *lately = fg_map_get(&crawl->sources.found_lately, row);
    if (lately)
        waiting.found_on = (uint32_t)*lately - 1;
    if (before && before->has_link) {
        waiting.dated = before->dated;
        if (!lately && before->found_on)
            waiting.found_on = fg_known_find(&crawl->known, page->site, before->found_on);
        return waiting;
    }
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

static struct waiting *find_waiting(const struct fg_crawl *crawl, uint32_t row)
{
    struct awaited *awaited = crawl->judging.awaited;
    const uint64_t *at = awaited ? fg_map_get(&awaited->by_row, row) : NULL;
    return at ? &awaited->all.at[*at - 1] : NULL;
}

bool judging_is_in_maze(struct fg_crawl *crawl, uint32_t row, fg_time now)
{
    struct fg_patterns *patterns = crawl_site_of(crawl, row)->patterns;
    struct fg_str url = fg_known_url(&crawl->known, row);
    const struct waiting *waiting = find_waiting(crawl, row);
    return !(waiting && waiting->is_in_feed) && fg_patterns_in_maze(patterns, url) &&
           !fg_patterns_may_ask(patterns, url, now);
}

bool judging_remembers(const struct fg_crawl *crawl, uint32_t row)
{
    return find_waiting(crawl, row) != NULL;
}

static bool is_vouched(const struct site *site, const struct waiting *waiting)
{
    return waiting->is_in_feed && waiting->dated != FG_NEVER &&
           waiting->dated >= site->added;
}

/* The words are then the caller's to free. */
static struct waiting take_waiting(struct fg_crawl *crawl, uint32_t row,
                                   const struct fg_before *before)
{
    struct awaited *awaited = crawl->judging.awaited;
    struct waiting *found = find_waiting(crawl, row);
    if (!found) {
        struct waiting kept = recall_waiting(crawl, row, before);
        kept.is_in_feed = kept.found_on != FG_UNKNOWN &&
                          crawl->known.at[kept.found_on].flags & FG_PAGE_FEED;
        return kept;
    }
    struct waiting waiting = *found;
    if (is_vouched(crawl_site_of(crawl, row), &waiting)) /* that has been heard */
        *fg_map_put(&awaited->promoted, row) = 1;
    *found = (struct waiting){0};
    fg_vec_push(&awaited->free, (uint32_t)(found - awaited->all.at));
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

/* What a page is known as that shows a wall: a login, a question of consent, a browser's
 * work undone. */
enum { WALL = FG_PAGE_OTHER_KIND | FG_PAGE_DUPLICATE };

static bool is_settled_but_for_wall(uint32_t flags)
{
    return flags & fg_judge_settled & ~(uint32_t)WALL;
}

void judging_promote(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                     const struct new_page *page, fg_time now)
{
    struct fg_known_page *known = &crawl->known.at[row];
    uint32_t unproven = page->flags & FG_PAGE_UNPROVEN;
    /* A list showed it first, and it was a wall. */
    uint32_t walls = page->is_vouched ? FG_PAGE_ALIAS | WALL : 0;
    uint32_t stock =
        page->flags & FG_PAGE_STOCK; /* it is, if it does not say otherwise */
    bool is_awaited = (known->flags & FG_PAGE_AWAITED) &&
                      (unproven || !(known->flags & FG_PAGE_UNPROVEN));
    if (known->flags & fg_judge_settled & ~(walls | stock) || is_awaited ||
        (crawl->judging.awaited && fg_map_get(&crawl->judging.awaited->promoted, row)))
        return;
    known->flags &= ~(FG_PAGE_UNPROVEN | walls);
    known->flags |= FG_PAGE_AWAITED | unproven;
    known->failures = 0;
    if (!unproven)
        known->first_seen = now; /* as a new page */
    put_flags(crawl, batch, row);
    judging_await(crawl, row, page);
    if (!unproven)
        *fg_map_put(&crawl->judging.awaited->promoted, row) = 1;
    queue_push(&crawl_site_of(crawl, row)->stock.awaited, row);
    crawl_stir(crawl, crawl_site_of(crawl, row));
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
    if (!page.title.len && waiting->is_in_feed)
        page.title = page.words;
    crawl->known.at[row].flags |= FG_PAGE_REPORTED;
    site->judging.undated_told += page.published == FG_NEVER;
    fg_patterns_find(site->patterns, page.url)->reported++;
    crawl_report(crawl, batch, row, &page, now);
}

/* It is none to tell of itself, or shows what one shows that is not. */
static bool is_wall(const struct fg_crawl *crawl, uint32_t row)
{
    uint32_t flags = row == FG_UNKNOWN ? 0 : crawl->known.at[row].flags;
    const uint64_t *identity = flags & FG_PAGE_DUPLICATE
                                   ? fg_map_get(&crawl->judging.identity_by_row, row)
                                   : NULL;
    uint32_t of = identity ? judging_copy_of(crawl, row, *identity) : FG_UNKNOWN;
    if (of != FG_UNKNOWN)
        flags = crawl->known.at[of].flags | FG_PAGE_OTHER_KIND;
    return flags & FG_PAGE_OTHER_KIND && !is_settled_but_for_wall(flags);
}

/* If the page at the other address was dealt with, so is this one; unless that is a wall
 * to which all lead, and a feed has told of this one. */
void judging_move(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t from,
                  uint32_t to, const struct fg_before *before, fg_time now)
{
    uint32_t waits = crawl->known.at[from].flags & (FG_PAGE_AWAITED | FG_PAGE_UNPROVEN);
    if (!(waits & FG_PAGE_AWAITED))
        return;
    crawl->known.at[from].flags &= ~(uint32_t)(FG_PAGE_AWAITED | FG_PAGE_UNPROVEN);
    struct waiting waiting = take_waiting(crawl, from, before);
    uint32_t there = to == FG_UNKNOWN ? 0 : crawl->known.at[to].flags;
    /* A feed that dates it proves more than the list on which it stood first. */
    bool is_proven = waiting.dated != FG_NEVER && !(waits & FG_PAGE_UNPROVEN);
    uint32_t against =
        is_proven ? fg_judge_settled & ~(uint32_t)FG_PAGE_STOCK : fg_judge_settled;
    if (to != FG_UNKNOWN && !(there & against)) {
        crawl->known.at[to].flags &= ~(uint32_t)FG_PAGE_STOCK;
        crawl->known.at[to].flags |= waits;
        judging_await(crawl, to,
                      &(struct new_page){.found_on = waiting.found_on,
                                         .dated = waiting.dated,
                                         .is_in_feed = waiting.is_in_feed,
                                         .words = {waiting.words, waiting.words_len}});
        struct waiting *moved = find_waiting(crawl, to);
        if (moved)
            moved->origin = waiting.origin == FG_UNKNOWN ? from : waiting.origin;
    } else if (is_proven && waiting.is_in_feed && !crawl->focus && is_wall(crawl, to)) {
        report(crawl, batch, from, &waiting, NULL, 0, now);
    }
    free(waiting.words);
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

/* What is known of it that counts when it is judged. */
static struct fg_candidate candidate_of(struct fg_crawl *crawl, const struct site *site,
                                        uint32_t row, const struct fg_reading *reading,
                                        const struct waiting *waiting)
{
    struct fg_str url = fg_known_url(&crawl->known, row);
    return (struct fg_candidate){
        .flags = crawl->known.at[row].flags,
        .since = site->added,
        .pattern = fg_patterns_find(site->patterns, url),
        .dated = site->judging.dated,
        .undated_told = site->judging.undated_told,
        .report_kinds = crawl->options.report.kinds,
        .is_in_feed = waiting && waiting->is_in_feed,
        .is_vouched = waiting && is_vouched(site, waiting),
        .is_moved = waiting && waiting->origin != FG_UNKNOWN,
        .is_continuation = crawl_is_continuation(crawl, site, url),
        .is_archive = site->lists.has_archive_entries &&
                      fg_address_archive(url, &(fg_time){0}) != FG_NEVER,
        .is_further =
            is_further_page(crawl, site, url) || fg_patterns_is_view(site->patterns, url),
        .has_old_title =
            has_old_title(crawl, site, row, reading, waiting && waiting->is_in_feed)};
}

void judging_learn(struct fg_crawl *crawl, uint32_t row, enum fg_came came)
{
    fg_patterns_learn(crawl_site_of(crawl, row)->patterns,
                      fg_known_url(&crawl->known, row), came, false);
}

static void learn_of(struct fg_crawl *crawl, struct site *site, uint32_t row,
                     const struct fg_judgement *judgement, bool is_idle)
{
    struct fg_str url = fg_known_url(&crawl->known, row);
    fg_patterns_learn(site->patterns, url, judgement->came,
                      is_idle && judgement->came == FG_CAME_LIST);
    if (!judgement->counts_date)
        return;
    site->judging.dated += judgement->is_dated;
    site->judging.undated += !judgement->has_day;
    site->judging.dated_to_day += judgement->has_day && !judgement->is_dated;
    fg_patterns_find(site->patterns, url)->dated += judgement->has_day;
}

/* What a page is, unlike its age, others of its pattern will be as well. */
static void turn_down(struct fg_crawl *crawl, uint32_t row, enum not_told why)
{
    struct site *site = crawl_site_of(crawl, row);
    bool is_for_kind = why == NOT_COPY || why == NOT_LIST || why == NOT_ACTION ||
                       why == NOT_EMPTY || why == NOT_NOINDEX;
    site->judging.turned_down[why]++;
    if (is_for_kind)
        fg_pattern_note_vain(
            fg_patterns_find(site->patterns, fg_known_url(&crawl->known, row)));
}

static void apply(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                  const struct fg_reading *reading, const struct fg_judgement *judgement,
                  struct relevance relevance, const struct fg_before *before, fg_time now)
{
    struct fg_known_page *page = &crawl->known.at[row];
    page->flags &= ~judgement->clear;
    page->flags |= judgement->set;
    if (!judgement->is_decided)
        return;
    struct waiting waiting = take_waiting(crawl, row, before);
    if (judgement->is_worth)
        relevance_credit(crawl, waiting.found_on, relevance.counts);
    bool is_elsewhere = judgement->by_feed && waiting.origin != FG_UNKNOWN;
    if (judgement->is_told)
        report(crawl, batch, is_elsewhere ? waiting.origin : row, &waiting,
               is_elsewhere ? NULL : reading, relevance.chance, now);
    else
        turn_down(crawl, row, judgement->turned_down);
    if (!judgement->is_worth)
        fg_log_debug("crawl", "not told", FG_F("url", fg_known_url(&crawl->known, row)),
                     FG_F("kind", fg_kind_name(judgement->verdict.kind)),
                     FG_F("why", judgement->verdict.reason),
                     FG_F("newness", (int)judgement->newness),
                     FG_F("copy", judgement->came == FG_CAME_COPY),
                     FG_F("noindex", reading->noindex));
    free(waiting.words);
}

/* Where both stand on one list they are two. */
static bool shows(struct fg_crawl *crawl, uint32_t list, uint32_t row)
{
    const struct source *source = list == FG_UNKNOWN ? NULL : source_find(crawl, list);
    for (size_t i = 0; source && source->comers.order && i < source->comers.n; i++)
        if (source->comers.order[i].link == crawl->known.at[row].fingerprint)
            return true;
    return false;
}

/* The page that this one was, under another address; FG_UNKNOWN if it is itself. */
static uint32_t moved_from(struct fg_crawl *crawl, const struct site *site, uint32_t row,
                           const struct fg_reading *reading)
{
    const struct waiting *waiting = find_waiting(crawl, row);
    uint32_t found_on = waiting ? waiting->found_on : FG_UNKNOWN;
    uint32_t before =
        fg_moved_find(&site->judging.numbered, fg_known_url(&crawl->known, row));
    struct fg_page_row stored;
    if (before == FG_UNKNOWN || before == row || shows(crawl, found_on, before) ||
        fg_store_page(crawl->store, &stored, &crawl->scratch, site->id,
                      crawl->known.at[before].page, NULL))
        return FG_UNKNOWN;
    return fg_moved_is_same(&stored, reading) ? before : FG_UNKNOWN;
}

/* What was told under another address, or was there before, is dealt with. */
static void hold_if_moved(struct fg_judgement *judgement, struct fg_crawl *crawl,
                          const struct site *site, uint32_t row,
                          const struct fg_reading *reading)
{
    const uint32_t settled = FG_PAGE_REPORTED | FG_PAGE_OLD | FG_PAGE_STOCK;
    uint32_t before =
        judgement->is_told ? moved_from(crawl, site, row, reading) : FG_UNKNOWN;
    if (before == FG_UNKNOWN)
        return;
    uint32_t dealt_with = crawl->known.at[before].flags & settled;
    judgement->is_told = judgement->is_worth = false;
    judgement->turned_down = NOT_COPY;
    judgement->set |= dealt_with ? dealt_with : FG_PAGE_STOCK;
}

void judging_read(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                  const struct fg_reading *reading, bool is_idle,
                  struct relevance relevance, const struct fg_before *before, fg_time now)
{
    struct site *site = crawl_site_of(crawl, row);
    struct fg_judgement judgement;
    uint32_t of = note_identity(crawl, site, row, reading->identity);
    struct fg_candidate candidate =
        candidate_of(crawl, site, row, reading, find_waiting(crawl, row));
    candidate.now = now;
    candidate.is_copy = of != FG_UNKNOWN;
    candidate.is_copy_of_wall =
        of != FG_UNKNOWN && !is_settled_but_for_wall(crawl->known.at[of].flags);
    candidate.is_relevant = relevance.counts;
    fg_judge(&judgement, &candidate, reading);
    hold_if_moved(&judgement, crawl, site, row, reading);
    if (judgement.verdict.kind == FG_KIND_PAGE)
        fg_moved_note(&site->judging.numbered, fg_known_url(&crawl->known, row), row);
    learn_of(crawl, site, row, &judgement, is_idle);
    apply(crawl, batch, row, reading, &judgement, relevance, before, now);
}

bool judging_waits(struct fg_crawl *crawl, uint32_t row)
{
    struct fg_known_page *page = &crawl->known.at[row];
    /* What was only pushed to us may be a lie, and is worth one request. */
    if (!(page->flags & FG_PAGE_AWAITED) || page->flags & FG_PAGE_PUSHED ||
        page->failures || crawl->options.run.once)
        return false;
    page->failures++;
    queue_push(&crawl_site_of(crawl, row)->stock.missing, row);
    return true;
}

/* Nobody answers there. */
static bool is_of_host(const struct fg_answer *answer)
{
    enum fg_outcome outcome = answer->response->outcome;
    return outcome == FG_FETCH_DNS || outcome == FG_FETCH_CONNECT ||
           outcome == FG_FETCH_TLS;
}

/* A refusal (4xx) stands; a server that falters will be well again. */
static bool may_pass(const struct fg_answer *answer)
{
    return answer->end == FG_ASK_ANSWERED &&
           (answer->response->outcome != FG_FETCHED || answer->response->status >= 500);
}

bool judging_tries_later(struct fg_crawl *crawl, uint32_t row,
                         const struct fg_answer *answer)
{
    enum { TRIES = 2 * MOST_FAILURES, TRIES_OF_HOST = 48 };
    const struct fg_known_page *page = &crawl->known.at[row];
    const struct waiting *waiting = find_waiting(crawl, row);
    bool is_told_unread =
        waiting &&
        fg_judge_unread(page->flags, false, waiting->is_in_feed, crawl->focus != NULL);
    if (!may_pass(answer) || !(page->flags & FG_PAGE_AWAITED) ||
        page->flags & FG_PAGE_PUSHED ||
        page->failures >= (is_of_host(answer) ? TRIES_OF_HOST : TRIES) ||
        crawl->options.run.once || is_told_unread)
        return false;
    queue_push(&crawl_site_of(crawl, row)->stock.missing, row);
    return true;
}

void judging_give_up(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                     bool is_gone, const struct fg_before *before, fg_time now)
{
    struct fg_known_page *page = &crawl->known.at[row];
    if (!(page->flags & FG_PAGE_AWAITED))
        return;
    struct waiting waiting = take_waiting(crawl, row, before);
    bool is_told =
        fg_judge_unread(page->flags, is_gone, waiting.is_in_feed, crawl->focus != NULL);
    page->flags &= ~(uint32_t)(FG_PAGE_AWAITED | FG_PAGE_UNPROVEN);
    if (is_told)
        report(crawl, batch, row, &waiting, NULL, 0, now);
    else
        crawl_site_of(crawl, row)->judging.turned_down[NOT_ERROR]++;
    put_flags(crawl, batch, row);
    free(waiting.words);
}
