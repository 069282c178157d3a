/* Which pages of the stock are worth a look
 *
 * A site that is new to us has a stock of pages, from dozens to millions. They are not
 * news, and most need never be fetched. Some do: lists, because new pages will be found
 * on them; documents, because they are to be kept fresh; and a few of every pattern of
 * addresses (pattern.h), to learn which are which. So each page waiting has a value that
 * follows the record of its pattern, and the best one goes first:
 *
 *     chance that it is a list, more if many pages link to it (navigation)
 *   + chance that it is a document, which is worth fetching for its own sake
 *
 * Patterns that are known to be neither, traps and actions have none. The number of pages
 * fetched like this is bounded (crawl.explore, twice as many with samples), documents
 * aside; afterwards one in four hours may be tried, since sites change. Where pages do
 * not say when they were published, the further pages of lists are read as well: a list
 * is known whole when all of its pages are, and only then is a page that comes up on it
 * new. */
#include "crawl/sources/explore.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/pattern.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"

#include "net/robots/robots.h"
#include "net/url/canonical.h"
#include "net/url/query.h"

enum {
    LOOKED_THROUGH = 3000, /* pages waiting that are compared for one choice */
    SAMPLES = 4,           /* pages of a pattern that tell what it is */
    CONTINUED_MOST = 60,   /* further pages of lists */
    ENDED = 2,             /* of one list that show nothing unknown */
};
static const double least_value = 0.12, worth_a_sample = 1, worth_a_price_list = 1.5;
static const fg_time pause_after = 4 * FG_HOUR, look_again_most = FG_HOUR;

/* Do its pages carry dates? Until some were read, say so. */
bool site_is_undated(const struct site *site)
{
    const struct site_judging *judging = &site->judging;
    return judging->undated >= 3 &&
           judging->undated > 2 * (judging->dated + judging->dated_to_day);
}

bool site_knows_stock(const struct site *site)
{
    static const float nearly_always = 0.9F;
    return site->stock.familiar > nearly_always &&
           site->stock.further_read >= site->stock.further;
}

bool explore_stock_waits(const struct site *site)
{
    return site->stock.further_read < site->stock.further &&
           site->stock.continued < CONTINUED_MOST;
}

/* What was compared, and is not to be read, lies aside. */
bool explore_stock_is_done(const struct site *site)
{
    const struct site_stock *stock = &site->stock;
    return !explore_stock_waits(site) ||
           (stock->nothing_until && !stock->patient.len && !stock->reconsiders);
}

/* Pages of one list go on from each other. */
static uint64_t list_of_page(const struct site *site, struct fg_str url)
{
    return fg_str_hash(fg_str_from(fg_patterns_find(site->patterns, url)->text));
}

static bool is_ended(const struct site *site, struct fg_str url)
{
    const uint64_t *n = fg_map_get(&site->stock.ended, list_of_page(site, url));
    return n && *n >= ENDED;
}

/* Its pages that are not read: a pager may have no end. */
static unsigned left_of_list(const struct site *site, struct fg_str url)
{
    const struct fg_pattern *pattern = fg_patterns_find(site->patterns, url);
    uint32_t read = fg_pattern_fetched(pattern) + 1; /* this one counts already */
    return pattern->known > read ? pattern->known - read : 0;
}

void explore_note_further(struct fg_crawl *crawl, struct site *site, struct fg_str url)
{
    site->stock.further +=
        crawl_is_continuation(crawl, site, url) && !is_ended(site, url);
}

void explore_note_page(struct fg_crawl *crawl, struct site *site, struct fg_str url,
                       bool is_familiar)
{
    static const float memory = 0.9F;
    bool is_further = crawl_is_continuation(crawl, site, url);
    site->stock.further_read += is_further;
    if (is_further && is_familiar &&
        ++*fg_map_put(&site->stock.ended, list_of_page(site, url)) == ENDED)
        site->stock.further_read += left_of_list(site, url);
    site->stock.familiar = memory * site->stock.familiar + (is_familiar ? 1 - memory : 0);
}

/* "travel3.html" is the third page of "travel.html", if that is one of ours. */
bool crawl_is_continuation(struct fg_crawl *crawl, const struct site *site,
                           struct fg_str url)
{
    if (fg_address_is_continuation(url))
        return true;
    size_t end = url.len;
    while (end && url.at[end - 1] != '.' && url.at[end - 1] != '/' && url.len - end < 6)
        end--;
    end = end && url.at[end - 1] == '.' ? end - 1 : url.len;
    size_t first = end;
    while (first && fg_is_digit(url.at[first - 1]))
        first--;
    bool is_numbered = first < end && end - first <= 3 && first > 1 &&
                       (fg_is_alnum(url.at[first - 1]) || url.at[first - 1] == '-');
    if (!is_numbered || fg_str_chr(url, '?') != FG_NOT_FOUND)
        return false;
    size_t base = url.at[first - 1] == '-' ? first - 1 : first;
    struct fg_str of = fg_arena_printf(&crawl->scratch, "%.*s%.*s", (int)base, url.at,
                                       FG_ARG(fg_str_skip(url, end)));
    uint32_t row = fg_known_find(&crawl->known, site->id, fg_canonical_fingerprint(of));
    return row != FG_UNKNOWN && !(crawl->known.at[row].flags & FG_PAGE_OTHER_KIND) &&
           (crawl->known.at[row].flags & FG_PAGE_LIST ||
            !crawl->known.at[row].last_visit_s);
}

/* The page with the next number in its address, or the one before; FG_UNKNOWN if it is
 * not known. False if its address has no number that could be that of a page. */
static bool find_page_beside(struct fg_crawl *crawl, const struct site *site,
                             struct fg_str url, int step, uint32_t *row)
{
    size_t end = url.len, least = fg_canonical_site(url).len;
    while (end > least && !fg_is_digit(url.at[end - 1]))
        end--;
    size_t first = end;
    while (first > least && fg_is_digit(url.at[first - 1]))
        first--;
    uint64_t number;
    if (end == first || !fg_str_to_u64(fg_str_sub(url, first, end), &number) ||
        number > 10000)
        return false;
    struct fg_str other =
        fg_arena_printf(&crawl->scratch, "%.*s%lld%.*s", (int)first, url.at,
                        (long long)number + step, FG_ARG(fg_str_skip(url, end)));
    *row = fg_known_find(&crawl->known, site->id, fg_canonical_fingerprint(other));
    return true;
}

/* Is there no page of the list behind this one? Where the oldest come first, it is where
 * new pages are found. */
bool crawl_is_last_page(struct fg_crawl *crawl, const struct site *site,
                        struct fg_str url)
{
    uint32_t next;
    return find_page_beside(crawl, site, url, 1, &next) && next == FG_UNKNOWN;
}

/* The second page of a list comes after one that often has no number. */
uint32_t crawl_page_before(struct fg_crawl *crawl, const struct site *site, uint32_t row)
{
    struct fg_str url = fg_known_url(&crawl->known, row);
    uint32_t before = FG_UNKNOWN;
    if (!crawl_is_continuation(crawl, site, url) ||
        !find_page_beside(crawl, site, url, -1, &before))
        return FG_UNKNOWN;
    if (before != FG_UNKNOWN && crawl->known.at[before].flags & FG_PAGE_DUPLICATE)
        before = FG_UNKNOWN; /* "?page=1" */
    unsigned param = 0;
    while (before == FG_UNKNOWN &&
           (before = crawl_known_without(crawl, site, url, &param)) != FG_UNKNOWN)
        if (fg_address_is_continuation(fg_known_url(&crawl->known, before)))
            before = FG_UNKNOWN; /* "?page=9" is not the one before "?page=9&sort=a" */
    return before;
}

/* A folder may well be a list. Of what every page leads to, others with such an address
 * say little: a section of a site may look like an advertisement of it. */
static double list_chance(const struct fg_pattern *pattern, struct fg_str url,
                          struct fg_kind_verdict says, bool is_navigated)
{
    double prior = says.kind == FG_KIND_LIST               ? 0.7
                   : url.len && url.at[url.len - 1] == '/' ? 0.45
                                                           : 0.3;
    double chance =
        (pattern->came[FG_CAME_LIST] + prior) / (fg_pattern_fetched(pattern) + 1.0);
    return is_navigated && chance < prior ? prior : chance;
}

/* Where pages carry no dates, lists are read to their ends, so that what a box brings up
 * is known; and where a page is held until they have been. */
static bool may_continue(const struct site *site)
{
    return (site_is_undated(site) || fg_map_len(&site->stock.held)) &&
           site->stock.continued < CONTINUED_MOST;
}

/* Do its lists show what its offers cost? Then a change of one that was not read yet is
 * known when it is, if its list was. */
static bool shows_prices(const struct site *site)
{
    enum { ENOUGH = 2, TIMES = 4 };
    const struct site_judging *judging = &site->judging;
    return judging->listed_same >= ENOUGH &&
           judging->listed_same > TIMES * judging->listed_other;
}

/* Of a filtered list the whole list shows all. */
static double continuation_value(const struct site *site, struct fg_str url)
{
    bool is_filtered = fg_str_chr(fg_query_of(url), '&') != FG_NOT_FOUND;
    if (shows_prices(site) && !is_filtered && site->stock.continued < CONTINUED_MOST)
        return worth_a_price_list;
    return !may_continue(site) || is_ended(site, url) ? 0 : is_filtered ? 0.3 : 0.5;
}

enum fg_stock_worth fg_stock_worth(struct fg_str url, struct fg_patterns *patterns,
                                   fg_time now)
{
    const struct fg_pattern *pattern = fg_patterns_find(patterns, url);
    static const float sure = 0.8F;
    struct fg_kind_verdict says = fg_kind_of_address(url);
    /* A pattern may throw sections together with articles: it takes more of those to say
     * that an address which says to be a list is none. */
    bool says_list = fg_kind_is_likely_list(says) && fg_str_chr(url, '?') == FG_NOT_FOUND;
    uint32_t fetched = fg_pattern_fetched(pattern);
    uint32_t documents = pattern->came[FG_CAME_DOCUMENT];
    if (says.kind == FG_KIND_ACTION && says.certainty >= sure)
        return FG_WORTH_ACTION;
    if (!fg_patterns_may_ask(patterns, url, now))
        return FG_WORTH_TRAP;
    if (fg_address_is_continuation(url) && fetched >= SAMPLES)
        return pattern->came[FG_CAME_LIST] ? FG_WORTH_FURTHER : FG_WORTH_SETTLED;
    if (fetched >= (says_list ? 4 * SAMPLES : SAMPLES) && !pattern->came[FG_CAME_LIST] &&
        !documents)
        return FG_WORTH_SETTLED;
    return documents && documents * 2 >= fetched ? FG_WORTH_ITS_CONTENT : FG_WORTH_TRYING;
}

/* Of the orders of a list this one shows what is new. */
static bool is_newest_first(struct fg_str url)
{
    static const char *const orders[] = {"date", "newest", "latest", "recent",
                                         "new",  "added",  "created"};
    struct fg_str rest = fg_query_of(url), part;
    while (fg_query_next(&rest, &part))
        for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
            if (fg_str_eq(fg_str_skip(part, fg_query_key(part).len + 1),
                          fg_str_from(orders[i])))
                return true;
    return false;
}

static unsigned segments_of(struct fg_str url)
{
    unsigned n = 0;
    for (size_t i = fg_canonical_site(url).len + 1; i < url.len && url.at[i] != '?'; i++)
        n += url.at[i] != '/' &&
             (i + 1 == url.len || url.at[i + 1] == '/' || url.at[i + 1] == '?');
    return n;
}

/* One page shows what many others are like. Of those with parameters three do: they show
 * whether a parameter has an effect. So do the first ones of a site: they show whether
 * its pages carry dates. When it has been explored one will do, and none of another view
 * of what is known. */
static bool is_untried(struct fg_crawl *crawl, const struct site *site,
                       const struct fg_pattern *pattern, struct fg_str url)
{
    enum { SOME = 3 };
    bool was_explored = site->state == SITE_WATCHED;
    bool is_one_enough =
        was_explored ||
        (fg_str_chr(url, '?') == FG_NOT_FOUND &&
         site->judging.dated + site->judging.dated_to_day + site->judging.undated >=
             SOME);
    unsigned trials = is_one_enough ? 1 : SOME, param = 0;
    return fg_pattern_fetched(pattern) < trials && pattern->known >= SAMPLES * 2 &&
           !(was_explored && crawl_known_without(crawl, site, url, &param) != FG_UNKNOWN);
}

/* The list of a board in another order, or filtered by two things: without one of its
 * parameters it is a list that was read. */
static bool is_view_of_list(struct fg_crawl *crawl, const struct site *site,
                            struct fg_str url)
{
    struct fg_str query = fg_query_of(url);
    if (fg_str_chr(query, '&') == FG_NOT_FOUND)
        return false;
    unsigned param = 0;
    for (uint32_t row;
         (row = crawl_known_without(crawl, site, url, &param)) != FG_UNKNOWN;)
        if (crawl->known.at[row].last_visit_s &&
            crawl->known.at[row].flags & FG_PAGE_LIST)
            return true;
    return false;
}

/* "/log/src", where "/log/" is a list that was read: likely a part of it. */
static bool is_below_list(const struct fg_crawl *crawl, const struct site *site,
                          struct fg_str url)
{
    size_t least = fg_canonical_site(url).len + 1, end = url.len;
    if (fg_str_chr(url, '?') != FG_NOT_FOUND)
        return false;
    while (end > least && url.at[end - 1] != '/')
        end--;
    uint32_t row = end > least
                       ? fg_known_find(&crawl->known, site->id,
                                       fg_canonical_fingerprint(fg_str_sub(url, 0, end)))
                       : FG_UNKNOWN;
    return row != FG_UNKNOWN && crawl->known.at[row].last_visit_s &&
           crawl->known.at[row].flags & FG_PAGE_LIST;
}

/* Does every other page lead to it, as the user's page does? */
static bool is_navigation(const struct site *site, const struct fg_known_page *page)
{
    enum { ENOUGH = 10 };
    return page->depth <= 1 && site->lists.pages_read >= ENOUGH &&
           (uint64_t)page->shown_by * 2 >= site->lists.pages_read;
}

static double value_of(struct fg_crawl *crawl, struct site *site,
                       const struct crawl_sections *sections, uint32_t row, fg_time now)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    struct fg_str url = fg_known_url(&crawl->known, row);
    struct fg_kind_verdict says = fg_kind_of_address(url);
    const struct fg_pattern *pattern = fg_patterns_find(site->patterns, url);
    enum fg_stock_worth worth = fg_stock_worth(url, site->patterns, now);
    if (!fg_address_is_continuation(url) && crawl_is_continuation(crawl, site, url))
        worth = FG_WORTH_FURTHER;
    unsigned param = 0;
    if (fg_address_is_first_page(url) &&
        crawl_known_without(crawl, site, url, &param) != FG_UNKNOWN)
        return 0;
    if (worth == FG_WORTH_TRYING && fg_address_is_continuation(url) &&
        (pattern->came[FG_CAME_LIST] || shows_prices(site)))
        worth = FG_WORTH_FURTHER; /* one shows what all are */
    if (worth == FG_WORTH_FURTHER)
        return continuation_value(site, url);
    bool is_navigated = is_navigation(site, page);
    bool is_section = crawl_is_section(sections, url);
    if (worth == FG_WORTH_SETTLED && (is_navigated || is_section))
        worth = FG_WORTH_TRYING; /* whatever the pages of its pattern are */
    if (worth > FG_WORTH_FURTHER)
        return 0;
    double documents =
        pattern->came[FG_CAME_DOCUMENT] / (fg_pattern_fetched(pattern) + 1.0);
    double shown = site->lists.pages_read
                       ? (double)page->shown_by / (double)site->lists.pages_read
                       : 0;
    double nearness = 1 / (1.0 + page->depth + segments_of(url) / 2.0);
    /* What is named by a hash never changes, and the tenth list of a kind tells less. */
    if (fg_address_token(url))
        return documents / 3;
    if (is_section || is_untried(crawl, site, pattern, url))
        return worth_a_sample;
    /* What is put into archives is put into that of today. */
    fg_time span = 0, day = fg_address_archive(url, &span);
    if (day != FG_NEVER && !site->lists.has_feed && day <= now && now < day + span)
        return worth_a_sample;
    bool is_past = day != FG_NEVER && day + 2 * span < now;
    bool is_variant = says.kind == FG_KIND_LIST && fg_address_is_variant(url);
    double other = is_newest_first(url)                ? 1
                   : is_view_of_list(crawl, site, url) ? 0.2
                   : is_variant || is_past             ? 0.4
                   : is_below_list(crawl, site, url)   ? 0.4
                                                       : 1;
    double novelty = 1 / (1 + fg_pattern_fetched(pattern) / 4.0);
    double chance = list_chance(pattern, url, says, is_navigated);
    /* The user's page leads to the lists that its owner thinks most of. */
    if (page->depth <= 1 && chance >= 0.5 && novelty < 0.7)
        novelty = 0.7;
    double lists =
        novelty * chance * (0.4 + 2 * (shown < 1 ? shown : 1)) * (0.5 + nearness) * other;
    /* Lists first: what comes on them meanwhile is not seen otherwise. */
    return lists + documents / 3;
}

/* The value of what is fetched for its own sake does not end with exploration. */
static bool is_document_like(const struct fg_pattern *pattern)
{
    return pattern->came[FG_CAME_DOCUMENT] * 2 >= fg_pattern_fetched(pattern) &&
           pattern->came[FG_CAME_DOCUMENT];
}

static bool is_waiting(struct fg_crawl *crawl, const struct site *site, uint32_t row)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    return !page->is_queued && (!page->last_visit_s || page->failures) &&
           page_is_asked(crawl, row) &&
           site_allows(site, fg_known_url(&crawl->known, row));
}

/* A site that announces its new pages in a feed need not be searched for lists. One whose
 * sections each have a list of their own is searched on while one page in so many leads
 * to another. */
static unsigned explored_most(const struct fg_crawl *crawl, const struct site *site)
{
    enum { WITH_FEED = 16, PAGES_A_LIST = 8, TIMES_MOST = 10 };
    unsigned most = crawl->options.exploring.pages;
    if (site->lists.has_feed)
        return most > WITH_FEED ? WITH_FEED : most;
    size_t paid = site->lists.sources.len * PAGES_A_LIST;
    return paid <= most                       ? most
           : paid < (size_t)most * TIMES_MOST ? (unsigned)paid
                                              : most * TIMES_MOST;
}

/* Lists that were read one after the other and had nothing of their own to show: what is
 * left are views of what is known. What every page leads to is tried nevertheless. */
enum { IDLE_LISTS_MOST = 8 };

static bool is_explored(const struct fg_crawl *crawl, const struct site *site)
{
    return site->stock.explored >= explored_most(crawl, site) ||
           site->stock.idle_lists >= IDLE_LISTS_MOST;
}

static bool may_explore(const struct fg_crawl *crawl, const struct site *site,
                        fg_time now)
{
    return !is_explored(crawl, site) || now - site->stock.last_explored >= pause_after;
}

void explore_note_list(struct site *site, bool is_idle)
{
    site->stock.idle_lists = is_idle ? site->stock.idle_lists + 1 : 0;
}

/* By robots.txt. It is not asked for, takes nobody's place, and says nothing of others
 * whose addresses look like it. */
static bool is_forbidden(const struct fg_crawl *crawl, struct fg_str url)
{
    const struct fg_robots *rules =
        fg_polite_rules(crawl->polite, fg_canonical_site(url));
    return rules && !fg_robots_allows(rules, fg_robots_path(url));
}

/* The best of those that have waited longest goes; others that are worth a look go to the
 * end, so that all have their turn, and the rest is put aside: it is most of the stock,
 * and would have to be gone through for each choice. */
static bool take_best(struct fg_crawl *crawl, struct site *site, uint32_t *best,
                      fg_time now)
{
    unsigned enough = explored_most(crawl, site);
    bool may_all = may_explore(crawl, site, now),
         may_navigate = site->stock.explored < enough,
         may_sample = !site->lists.has_feed && site->stock.explored < 2 * enough,
         may_further = (!site->lists.has_feed || fg_map_len(&site->stock.held)) &&
                       may_continue(site);
    size_t n = site->stock.patient.len < LOOKED_THROUGH ? site->stock.patient.len
                                                        : LOOKED_THROUGH;
    struct crawl_sections sections;
    double most = least_value;
    bool is_found = false;
    crawl_find_sections(&sections, crawl, site);
    for (size_t i = 0; i < n; i++) {
        uint32_t row;
        queue_pop(&site->stock.patient, &row);
        if (!is_waiting(crawl, site, row))
            continue;
        struct fg_str url = fg_known_url(&crawl->known, row);
        const struct fg_pattern *pattern = fg_patterns_find(site->patterns, url);
        bool may = may_all || is_document_like(pattern) ||
                   (may_navigate && is_navigation(site, &crawl->known.at[row])) ||
                   (may_sample && is_untried(crawl, site, pattern, url)) ||
                   (may_further && crawl_is_continuation(crawl, site, url));
        double value = may ? value_of(crawl, site, &sections, row, now) : 0;
        if (value > most && is_forbidden(crawl, url))
            value = 0;
        if (value <= least_value) {
            queue_push(&site->stock.aside, row);
        } else if (value <= most) {
            queue_push(&site->stock.patient, row);
        } else {
            if (is_found)
                queue_push(&site->stock.patient, *best);
            most = value;
            *best = row;
            is_found = true;
        }
    }
    site->stock.value = is_found ? (float)most : 0;
    return is_found;
}

static void take_from_aside(struct site *site)
{
    uint32_t row;
    site->stock.reconsiders = false;
    while (queue_pop(&site->stock.aside, &row))
        queue_push(&site->stock.patient, row);
}

/* All of the stock is wanted, one after the other. A trap stays one: what it leads to is
 * left for another day, or for good if there will be none. */
static bool next_of_all(struct fg_crawl *crawl, struct site *site, uint32_t *row,
                        fg_time now)
{
    for (size_t n = site->stock.patient.len; n && queue_pop(&site->stock.patient, row);
         n--) {
        if (!is_waiting(crawl, site, *row))
            continue;
        struct fg_str url = fg_known_url(&crawl->known, *row);
        if (fg_patterns_may_ask(site->patterns, url, now)) {
            fg_patterns_note_ask(site->patterns, url, now);
            return true;
        }
        if (!crawl->options.run.once)
            queue_push(&site->stock.patient, *row);
    }
    return false;
}

void explore_reconsider(struct site *site)
{
    site->stock.nothing_until = site->stock.nothing_span = 0;
    site->stock.reconsiders = true;
}

/* To compare thousands of pages takes its time. Where nothing was found it is done again
 * after a tick, two, four; those that have come are looked at after a tick. */
static void note_nothing(struct fg_crawl *crawl, struct site *site, fg_time now)
{
    fg_time twice = 2 * site->stock.nothing_span, tick = crawl->options.budget.tick;
    fg_time most = look_again_most > tick ? look_again_most : tick;
    site->stock.nothing_span = twice < tick ? tick : twice > most ? most : twice;
    site->stock.nothing_until = now + site->stock.nothing_span;
}

bool explore_may_look(const struct fg_crawl *crawl, const struct site *site, fg_time now)
{
    if (!site->stock.nothing_until)
        return site->stock.patient.len ||
               (site->stock.reconsiders && site->stock.aside.len);
    fg_time last = site->stock.nothing_until - site->stock.nothing_span;
    return (site->stock.patient.len && now >= last + crawl->options.budget.tick) ||
           (site->stock.aside.len && now >= site->stock.nothing_until);
}

bool explore_next(struct fg_crawl *crawl, struct site *site, uint32_t *row, fg_time now)
{
    if (!explore_may_look(crawl, site, now))
        return false;
    bool is_all = crawl->options.run.once || crawl->options.exploring.backfill;
    bool is_time = site->stock.nothing_until && now >= site->stock.nothing_until;
    if (is_all || is_time || site->stock.reconsiders)
        take_from_aside(site);
    bool is_found =
        is_all ? next_of_all(crawl, site, row, now) : take_best(crawl, site, row, now);
    bool is_all_seen = is_all || !site->stock.patient.len;
    if (!is_found && is_all_seen && !crawl->options.run.once)
        note_nothing(crawl, site, now);
    else
        site->stock.nothing_until = site->stock.nothing_span = 0;
    if (!is_found || is_all)
        return is_found;
    struct fg_str url = fg_known_url(&crawl->known, *row);
    fg_patterns_note_ask(site->patterns, url, now);
    bool is_further = crawl_is_continuation(crawl, site, url);
    site->stock.continued += is_further;
    if (!is_further && !is_document_like(fg_patterns_find(site->patterns, url))) {
        site->stock.last_explored = now;
        site->stock.explored++;
    }
    return true;
}

bool explore_is_over(const struct fg_crawl *crawl, const struct site *site)
{
    if (site->stock.open_asks || site->stock.eager.len || site->stock.awaited.len)
        return false;
    return !site->stock.patient.len || site->stock.nothing_until > 0 ||
           (!crawl->options.run.once && !crawl->options.exploring.backfill &&
            is_explored(crawl, site));
}
