/* What the links of a page say: which are known, which are new, which are to be told
 *
 * A link that nobody has shown before makes a page known. Whether that page is new
 * depends on how the list that shows it was known before (newness.h), on what a feed or
 * sitemap says of it, and on the record of addresses like its own (pattern.h). A page
 * that was known may turn out to be new to a list as well. What may be told is awaited:
 * judging.c has the last word when it has been read. */
#include "crawl/sources/sighting.h"
#include "crawl/documents/documents.h"
#include "crawl/intake/intake.h"
#include "crawl/judging/judging.h"
#include "crawl/reading/cut.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/comers.h"
#include "crawl/sources/newness.h"
#include "crawl/sources/pattern.h"
#include "crawl/sources/sources.h"

#include "base/log.h"
#include "net/facts/kind.h"
#include "net/url/canonical.h"

enum {
    LOOK_AHEAD = 64,
    OWN_LEAST = 3, /* links that no page had shown, of a list that is worth its look */
};
/* By then what was there when the watch began is known, as far as it will be. */
static const fg_time explored_by = 30 * FG_MINUTE;

/* What is long is done in slices (workers.h). Whoever has a turn meanwhile finds it as if
 * the answer had not come yet, but for pages that were added, which the store gets before
 * anything that is built on them. Should the crawl end here the page was not visited: its
 * row and the visit are in the last batch. */
static void pause_if_due(struct sight *s)
{
    struct fg_crawl *crawl = s->crawl;
    if (!fg_workers_is_due(crawl->workers))
        return;
    struct fg_arena scratch = crawl->scratch;
    bool was_queued = crawl->known.at[s->row].is_queued;
    crawl->scratch = (struct fg_arena){0};
    crawl->known.at[s->row].is_queued = 1;
    s->site->stock.open_asks++;
    crawl->budget.open_asks++;
    notices_keep(crawl, s->batch);
    fg_store_submit(crawl->store, s->batch);
    fg_workers_pause(crawl->workers);
    s->batch = fg_batch_new(crawl->store);
    crawl->budget.open_asks--;
    s->site->stock.open_asks--;
    if (!was_queued) /* else it is somebody else's, who may have come back */
        crawl->known.at[s->row].is_queued = 0;
    fg_arena_clear(&crawl->scratch);
    crawl->scratch = scratch;
}

static void put_old(struct sight *s, uint32_t row)
{
    struct fg_known_page *page = &s->crawl->known.at[row];
    page->flags |= FG_PAGE_OLD;
    fg_batch_page_flags(s->batch, page->site, page->page, page->flags, 0);
}

/* Has the page come since the last page of a list was watched, to hold what has no room
 * on that one? A list that ever brought up something old is not one to go by. */
static bool goes_on(const struct sight *s)
{
    uint32_t before = crawl_page_before(s->crawl, s->site, s->row);
    const struct source *source =
        before == FG_UNKNOWN ? NULL : source_find(s->crawl, before);
    return source && source->visits > 1 && site_is_undated(s->site) &&
           s->crawl->known.at[s->row].first_seen > source->admitted &&
           !source->comers.whole.brought_up[FG_CAME_BETWEEN] &&
           !source->comers.whole.brought_up[FG_CAME_INSTEAD];
}

/* "/v012/", "/2026/11/": one more of a kind of lists, the next in number or in time; and
 * the one before it, if there is one. */
static bool is_volume(const struct sight *s, struct fg_str url,
                      const struct fg_pattern *pattern, fg_time turned_up,
                      uint32_t *before)
{
    *before = FG_UNKNOWN;
    return fg_pattern_is_list(pattern) &&
           (fg_address_date(url, NULL) != FG_NEVER ||
            crawl_is_next_volume(s->crawl, s->site, url, turned_up, before));
}

static struct look look_at(const struct sight *s, const struct source *source)
{
    const struct fg_known_page *page = &s->crawl->known.at[s->row];
    const struct fg_reading *reading = s->reading;
    bool is_known = source && source->visits && source->links;
    struct fg_str url = fg_known_url(&s->crawl->known, s->row);
    bool is_new = page->flags & FG_PAGE_AWAITED && reading->verdict.kind == FG_KIND_LIST;
    uint32_t before;
    return (struct look){
        .was_seen_whole = is_known,
        .is_continuation = !is_known && crawl_is_continuation(s->crawl, s->site, url),
        .is_new = is_new,
        .is_volume = is_new && !is_known && !(page->flags & FG_PAGE_UNPROVEN) &&
                     is_volume(s, url, fg_patterns_find(s->site->patterns, url),
                               page->first_seen, &before),
        .goes_on = !is_known && !page->last_visit_s && goes_on(s),
        .is_listing = reading->kind == FG_READ_FEED || reading->kind == FG_READ_SITEMAP ||
                      reading->kind == FG_READ_SITEMAP_INDEX,
        .last = !is_known               ? FG_NEVER
                : source->lacking_looks ? source->last_whole
                                        : source->last_seen,
    };
}

/* A feed or sitemap that is made once a night, say, has not got what has come when it was
 * made, but what had come before. */
static bool lags(const struct sight *s, const struct source *source)
{
    const struct fg_known *known = &s->crawl->known;
    for (size_t i = 0; i < s->reading->n_links && i < MOST_LINKS; i++) {
        uint32_t row =
            fg_known_find(known, s->site->id, s->reading->links[i].fingerprint);
        if (row != FG_UNKNOWN && known->at[row].first_seen < s->look.last &&
            !fg_rows_have(source->links, source->n_links, row))
            return true;
    }
    return false;
}

static const struct fg_comer *comer_of(const struct sight *s,
                                       const struct fg_reading_link *link)
{
    uint32_t number = s->number ? s->number[link - s->reading->links] : MOST_LINKS;
    return number < s->n_order ? &s->order[number] : NULL;
}

static bool has_come_between(const struct sight *s, const struct fg_reading_link *link)
{
    const struct fg_comer *comer = comer_of(s, link);
    return comer && comer->has_come && comer->came == FG_CAME_BETWEEN;
}

/* Between others, or all of the list has. */
static bool has_come_in_list(const struct sight *s, const struct fg_reading_link *link)
{
    const struct fg_comer *comer = comer_of(s, link);
    return comer && comer->has_come &&
           (comer->came == FG_CAME_BETWEEN || comer->came == FG_CAME_AS_LIST);
}

/* A feed or sitemap is all of one part. */
static uint32_t part_of(const struct sight *s, const struct fg_reading_link *link)
{
    const struct fg_comer *comer = comer_of(s, link);
    return comer && !s->look.is_listing ? fg_comer_part(comer) : FG_PART_ALL;
}

/* Does a link that is new to the list prove nothing? A feed or sitemap has no boxes. */
static bool may_be_brought_up(const struct sight *s, const struct fg_reading_link *link)
{
    const struct fg_comer *comer = comer_of(s, link);
    if (site_knows_stock(s->site) && (s->look.is_listing || has_come_between(s, link)))
        return false;
    enum fg_coming came = comer ? comer->came : FG_CAME_UNPLACED;
    return s->look.is_listing ? fg_comers_bring_up_old(&s->comers, FG_PART_ALL, came)
                              : !fg_comers_are_new(&s->comers, part_of(s, link), came);
}

static enum fg_newness newness_of(struct sight *s, const struct fg_reading_link *link,
                                  const struct site *site,
                                  const struct fg_pattern *pattern)
{
    fg_time span = 0, day = fg_address_date(link->url, &span);
    struct fg_sighting sighting = {
        .since = site->added,
        .now = s->now,
        .published = link->is_publication ? link->dated : FG_NEVER,
        .modified = link->modified,
        .is_local = link->is_local,
        .day = day,
        .span = span,
        .was_seen_whole = s->look.was_seen_whole && !link->is_about,
        .brings_up_old = may_be_brought_up(s, link),
        .is_continuation = s->look.is_continuation,
        .list_is_proven = fg_comers_are_proven(&s->comers, part_of(s, link)),
        .list_is_new = s->look.is_new,
        .list_is_volume = s->look.is_volume && !link->is_about,
        .list_goes_on = s->look.goes_on,
        .is_old_serial = fg_pattern_is_old_serial(pattern, link->url),
        .is_new_serial = fg_pattern_is_new_serial(pattern, link->url),
        .stock_waits = explore_stock_waits(site)};
    s->is_held = fg_newness_is_held(&sighting);
    return fg_newness_of(&sighting);
}

/* A list of volumes shows the one before as well. A further page of a list is another
 * matter, and so is what a box brings up. */
static bool is_next_volume(const struct sight *s, const struct fg_reading_link *link,
                           const struct fg_pattern *pattern)
{
    uint32_t before;
    return has_come_between(s, link) &&
           is_volume(s, link->url, pattern, s->now, &before) &&
           (before == FG_UNKNOWN ||
            fg_map_get(&s->shown, s->crawl->known.at[before].fingerprint)) &&
           !crawl_is_continuation(s->crawl, s->site, link->url) &&
           !fg_address_is_variant(link->url);
}

/* Archives by day or month, and whatever else has got another address for its newest end:
 * a list that has come, where lists like it are known to be lists. */
static bool is_new_list(const struct sight *s, const struct fg_reading_link *link,
                        const struct fg_pattern *pattern)
{
    enum { ENOUGH = 3 };
    bool is_archive = fg_kind_is_likely_list(fg_kind_of_address(link->url)) &&
                      fg_address_date(link->url, NULL) != FG_NEVER &&
                      pattern->came[FG_CAME_LIST] >= ENOUGH;
    return s->look.was_seen_whole && !link->is_about &&
           (is_archive || is_next_volume(s, link, pattern)) &&
           fg_patterns_may_ask(s->site->patterns, link->url, s->now);
}

/* Is it, without one of its parameters, an address that was known before, and if so
 * asked, that of a page of content that is not told? A box may say by them where a
 * visitor came from. Programs whose pages are told apart by a parameter have no pages of
 * content without it. */
static bool is_known_otherwise(const struct sight *s, const struct site *site,
                               struct fg_str url, bool is_content)
{
    const uint32_t told = FG_PAGE_AWAITED | FG_PAGE_REPORTED;
    const struct fg_known *known = &s->crawl->known;
    unsigned param = 0;
    for (uint32_t row;
         (row = crawl_known_without(s->crawl, site, url, &param)) != FG_UNKNOWN;) {
        struct fg_str other = fg_known_url(known, row);
        if (known->at[row].first_seen < s->now &&
            (!is_content ||
             (!(known->at[row].flags & told) &&
              fg_pattern_is_content(fg_patterns_find(site->patterns, other)))))
            return true;
    }
    return false;
}

/* The pages of a list that it showed when it was first looked at are its stock. */
static uint32_t flags_of(const struct sight *s, enum fg_newness newness, bool is_awaited)
{
    bool is_list = s->look.is_listing || s->reading->verdict.kind == FG_KIND_LIST;
    if (newness == FG_OLD)
        return FG_PAGE_OLD;
    if (newness == FG_STOCK)
        return is_list ? FG_PAGE_STOCK : 0;
    if (!is_awaited)
        return 0;
    return FG_PAGE_AWAITED | (newness == FG_UNPROVEN ? FG_PAGE_UNPROVEN : 0u);
}

/* It was met soon after the last look at this list, and long before this one: rather than
 * come in that short time it has been put here since, as pages are into other categories.
 */
static bool was_put_here(const struct sight *s, const struct fg_known_page *page)
{
    fg_time known = s->now - page->first_seen;
    return known > explored_by && page->first_seen - s->look.last < known / 4;
}

/* What another list showed at its first look may have come since, once the site has been
 * explored, if this one has never brought up anything old. On a feed or a sitemap all
 * that was not there has come, and nobody puts things into other ones; some are made
 * long after the pages that they list. */
static bool has_come_to_list(const struct sight *s, const struct fg_reading_link *link,
                             const struct fg_known_page *page)
{
    return (s->look.is_listing || has_come_in_list(s, link)) &&
           !fg_comers_have_brought_up(&s->comers, part_of(s, link)) &&
           s->now - s->site->added > explored_by &&
           ((s->look.is_listing && !s->look.lags) || !was_put_here(s, page));
}

/* It was asked for, and was not there: what a list shows of it now has come since. A page
 * that was read before it went is another matter. */
static bool was_missing(const struct fg_crawl *crawl, uint32_t row)
{
    return crawl->known.at[row].flags & FG_PAGE_GONE &&
           !fg_map_get(&crawl->judging.identity_by_row, row);
}

/* Pages lead to what is not there yet ("Next"), and what they lead to is known from then
 * on. What nobody has read, and no list has shown, is as good as unknown if it was met
 * when the site had been explored. */
static bool is_hearsay(const struct sight *s, const struct fg_known_page *page)
{
    return !page->last_visit_s && !(page->flags & FG_PAGE_STOCK) &&
           page->first_seen - s->site->added > explored_by;
}

/* Has it come to the list since the last look, although it was known before that look? */
static bool comes_late(const struct sight *s, const struct fg_reading_link *link,
                       uint32_t row)
{
    const struct fg_comer *comer = comer_of(s, link);
    return comer && comer->has_come && comer->came != FG_CAME_UNPLACED &&
           (was_missing(s->crawl, row) || is_hearsay(s, &s->crawl->known.at[row]));
}

/* A page that we know stands on this list. A feed may date it, and it may be new to a
 * list that was seen whole before we first heard of it. */
static void meet_again(struct sight *s, const struct fg_reading_link *link, uint32_t row)
{
    struct fg_crawl *crawl = s->crawl;
    struct fg_known_page *page = &crawl->known.at[row];
    struct site *site = crawl_site_of(crawl, row);
    if (s->look.is_listing) {
        document_signal(crawl, row, link->modified, s->now);
        source_signal(crawl, row, link->modified, s->now);
    }
    const uint32_t settled = FG_PAGE_REPORTED | FG_PAGE_OLD | FG_PAGE_LIST;
    held_drop(s, row);
    bool is_later = s->look.was_seen_whole && page->first_seen < s->now &&
                    (page->first_seen > s->look.last || comes_late(s, link, row));
    bool says_when = link->is_publication && link->dated != FG_NEVER;
    bool is_dated = says_when && (is_later || link->dated >= site->added) &&
                    fg_newness_is_placed(link->dated, link->is_local, s->now);
    if (page->flags & settled || (!is_later && !says_when))
        return;
    const struct fg_pattern *pattern = fg_patterns_find(site->patterns, link->url);
    enum fg_newness newness = newness_of(s, link, site, pattern);
    if (newness == FG_OLD && !(page->flags & FG_PAGE_AWAITED)) {
        put_old(s, row);
        return;
    }
    if (!is_later && !is_dated)
        return;
    if (s->is_held && !(page->flags & FG_PAGE_STOCK))
        held_add(s, site, row);
    bool was_away = is_later && was_missing(crawl, row);
    if (was_away)
        newness = FG_NEW;
    uint32_t stock = page->flags & FG_PAGE_STOCK;
    if (newness == FG_NEW && (is_dated || was_away || has_come_to_list(s, link, page)))
        stock = 0;
    /* It may have come or been put here: unless its own date says that it is new, it
     * stays what it was. */
    if (newness == FG_NEW && stock)
        newness = FG_UNPROVEN;
    else if (newness == FG_UNPROVEN && stock)
        return;
    /* What no date and no list has told of yet is asked itself, as if it came now. */
    bool is_open = newness == FG_UNPROVEN && is_later && !page->last_visit_s;
    if ((newness != FG_NEW && !is_open) ||
        !sight_may_be_told(s, site, row, link, pattern,
                           crawl_is_continuation(crawl, site, link->url)))
        return;
    page->flags = (page->flags & ~(uint32_t)FG_PAGE_STOCK) | stock;
    page->flags &= was_away ? ~(uint32_t)FG_PAGE_GONE : UINT32_MAX;
    page->flags |= s->pushed;
    judging_promote(crawl, s->batch, row,
                    &(struct new_page){.words = link->words,
                                       .found_on = s->row,
                                       .dated = link->dated,
                                       .flags = is_open ? FG_PAGE_UNPROVEN | stock : 0,
                                       .is_in_feed = s->reading->kind == FG_READ_FEED,
                                       .is_vouched = sight_is_vouched(s, site, link)},
                    s->now);
}

static struct site *site_of_link(struct sight *s, const struct fg_reading_link *link)
{
    struct site *site = fg_str_eq(link->site, fg_str_from(s->site->key))
                            ? s->site
                            : crawl_find_site(s->crawl, link->site);
    if (!site)
        site = site_of_domain(s->crawl, s->batch, s->site, link->site, s->now);
    if (site && site->state != SITE_PAGES_ONLY)
        return site;
    if (!s->leads_out)
        return NULL;
    return site ? site : follow_to_host(s->crawl, s->batch, link->site, s->site->added);
}

/* A site whose every article announces a feed of its comments has no end of them. */
static bool is_feed_too_many(const struct sight *s, const struct site *site,
                             const struct fg_reading_link *link)
{
    enum { FEEDS_MOST = 20 };
    const struct fg_known_page *page = &s->crawl->known.at[s->row];
    unsigned deepest = site->lists.has_feed ? 1 : 2;
    /* What the front page leads to may be the overview of a part of the site, with much
     * to read on it, and a feed of its own below it. */
    const struct fg_facts *facts = &s->reading->facts;
    bool is_overview = page->depth <= 1 &&
                       fg_str_starts(link->url, fg_known_url(&s->crawl->known, s->row)) &&
                       facts->published_from == FG_NEVER &&
                       facts->claim != FG_CLAIM_ARTICLE &&
                       facts->claim != FG_CLAIM_PRODUCT;
    bool is_hub = page->flags & FG_PAGE_SEED || is_overview ||
                  (s->reading->verdict.kind == FG_KIND_LIST && page->depth <= deepest);
    return link->is_feed && site->lists.n_feeds &&
           (!is_hub || site->lists.n_feeds >= FEEDS_MOST);
}

static struct new_page page_of(struct sight *s, const struct fg_reading_link *link,
                               struct site *site, unsigned depth)
{
    uint32_t flags = link->is_feed                               ? FG_PAGE_FEED
                     : s->reading->kind == FG_READ_SITEMAP_INDEX ? FG_PAGE_SITEMAP
                                                                 : 0;
    return (struct new_page){
        .site = site,
        .url = link->url,
        .words = link->words,
        .fingerprint = link->fingerprint,
        .found_on = s->row,
        .depth = depth,
        .flags = flags,
        /* When a sitemap says it was modified is another matter. */
        .dated = link->is_publication || s->reading->kind == FG_READ_FEED ? link->dated
                                                                          : FG_NEVER,
        .published = FG_NEVER,
        .is_in_feed = s->reading->kind == FG_READ_FEED};
}

/* Is what this page shows what was there when the watch began? Later its articles, and
 * those that have come at any time, may lead to others that have come since, before a
 * list does. */
static bool is_from_start(const struct sight *s, const struct site *site)
{
    static const fg_time beginning = 15 * FG_MINUTE;
    uint32_t flags = s->crawl->known.at[s->row].flags;
    return (s->now - site->added <= beginning && !(flags & FG_PAGE_AWAITED)) ||
           (flags & FG_PAGE_SEED && !s->look.was_seen_whole);
}

/* An article or offer leads to another of which no list has told us. Where pages do not
 * say how old they are, only a list can. */
static bool is_stranger(const struct sight *s, const struct site *site,
                        const struct fg_reading_link *link,
                        const struct fg_pattern *pattern)
{
    return !s->look.was_seen_whole && s->reading->kind == FG_READ_HTML &&
           s->reading->verdict.kind == FG_KIND_PAGE && site_is_undated(site) &&
           !is_from_start(s, site) && fg_pattern_is_content(pattern) &&
           !fg_pattern_is_old_serial(pattern, link->url);
}

/* The front page in another language, as the one that was named tells. */
static bool is_other_language(const struct sight *s, const struct site *site,
                              const struct fg_reading_link *link)
{
    return s->crawl->known.at[s->row].flags & FG_PAGE_SEED && site == s->site &&
           s->reading->kind == FG_READ_HTML && !link->is_feed &&
           fg_address_is_language(link->url);
}

/* Here it is a link of its list, which has it to its credit, and nothing else. */
static void tell_owner(struct sight *s, struct new_page *page)
{
    bool is_new = page->is_reported ||
                  (page->flags & FG_PAGE_AWAITED && !(page->flags & FG_PAGE_UNPROVEN));
    notices_write(s->crawl, &(struct fg_notice){.kind = FG_NOTICE_PAGE,
                                                .url = page->url,
                                                .words = page->words,
                                                .flags = page->flags | s->pushed,
                                                .depth = page->depth,
                                                .dated = page->dated,
                                                .since = s->site->added,
                                                .is_reported = page->is_reported,
                                                .is_in_feed = page->is_in_feed});
    page->flags = (page->flags & (FG_PAGE_STOCK | FG_PAGE_OLD)) | FG_PAGE_EXCLUDED |
                  (is_new ? FG_PAGE_REPORTED : 0u);
    page->is_reported = page->is_eager = false;
}

static uint32_t add_link(struct sight *s, const struct fg_reading_link *link,
                         struct site *site)
{
    struct fg_crawl *crawl = s->crawl;
    /* What a feed or sitemap lists is as deep as the list, or a site whose every page
     * announces another feed would have no end. */
    unsigned depth = crawl->known.at[s->row].depth;
    bool is_home = is_other_language(s, site, link);
    if ((!s->look.is_listing || !depth) && !is_home)
        depth++;
    enum fg_guard_verdict guarded =
        fg_guard_check(&crawl->guard, link->url, depth, site->counts.known);
    s->too_long += guarded == FG_GUARD_LONG;
    if (!site_is_asked(site) || guarded != FG_GUARD_OK || !site_allows(site, link->url) ||
        is_feed_too_many(s, site, link))
        return FG_UNKNOWN;
    struct new_page page = page_of(s, link, site, depth);
    s->is_held = false;
    struct fg_pattern *pattern = fg_patterns_meet(site->patterns, link->url);
    bool is_stock = false;
    if (!page.flags) {
        enum fg_newness newness = newness_of(s, link, site, pattern);
        if (newness == FG_NEW && is_known_otherwise(s, site, link->url, true))
            newness = FG_UNPROVEN;
        bool may_tell =
            sight_may_be_told(s, site, FG_UNKNOWN, link, pattern,
                              crawl_is_continuation(crawl, site, link->url)) &&
            relevance_of_link(crawl, &page);
        bool is_awaited =
            may_tell || (newness == FG_NEW && is_new_list(s, link, pattern));
        page.flags |= link->is_about && newness != FG_OLD
                          ? (uint32_t)FG_PAGE_UNPROVEN
                          : flags_of(s, newness, is_awaited);
        is_stock = newness == FG_STOCK || newness == FG_OLD;
        if (is_stock)
            fg_pattern_note_serial(pattern, link->url,
                                   newness == FG_OLD || is_from_start(s, site) ||
                                       s->look.is_continuation);
        page.is_reported =
            newness == FG_NEW && may_tell && (relevance_by_link(crawl) || link->is_part);
        if (link->is_part) { /* there is nothing to be fetched */
            site->lists.has_archive_entries |= fg_address_is_archive_entry(link->url);
            page.title = link->words;
            page.excerpt = link->excerpt;
        }
    }
    /* A list has got another page: it may be the one where new pages are found. */
    page.is_eager =
        is_home || (s->look.was_seen_whole && !page.flags && site_is_undated(site) &&
                    crawl_is_continuation(crawl, site, link->url));
    if (site_is_elsewhere(crawl, site))
        tell_owner(s, &page);
    site->lists.n_feeds += (page.flags & FG_PAGE_FEED) != 0;
    explore_note_further(crawl, site, link->url);
    page.flags |= s->pushed;
    uint32_t row = crawl_add_page(crawl, s->batch, &page, s->now);
    if (s->is_held && page.flags & FG_PAGE_UNPROVEN)
        held_add(s, site, row);
    if (is_stock)
        judging_note_title(crawl, row, link->words);
    if (is_stranger(s, site, link, pattern))
        source_hint(crawl, site, s->now);
    return row;
}

/* Takes off the parameters that make no difference on its site. */
static void reduce(struct sight *s, struct fg_reading_link *link, const struct site *site)
{
    struct fg_str reduced =
        fg_patterns_reduce(site->patterns, &s->crawl->scratch, link->url);
    if (reduced.len == link->url.len)
        return;
    link->url = reduced;
    link->fingerprint = fg_canonical_fingerprint(reduced);
}

static bool is_here(const struct sight *s, const struct fg_reading_link *link)
{
    return fg_str_eq(link->site, fg_str_from(s->site->key));
}

static void reduce_own(struct sight *s)
{
    for (size_t i = 0; i < s->reading->n_links && i < MOST_LINKS; i++)
        if (is_here(s, &s->reading->links[i]))
            reduce(s, &s->reading->links[i], s->site);
}

static bool may_be_content(struct fg_str url)
{
    static const float sure = 0.8F;
    struct fg_kind_verdict verdict = fg_kind_of_address(url);
    return verdict.kind == FG_KIND_PAGE || verdict.certainty < sure;
}

/* The row of a link, known or new; FG_UNKNOWN if it is none of ours. */
static uint32_t resolve(struct sight *s, struct fg_reading_link *link)
{
    struct fg_crawl *crawl = s->crawl;
    struct site *site = site_of_link(s, link);
    if (!site)
        strangers_see(crawl, s->row, link->site, s->now);
    if (!site)
        return FG_UNKNOWN;
    if (site != s->site)
        reduce(s, link, site);
    uint32_t row = fg_known_find(&crawl->known, site->id, link->fingerprint);
    if (row == FG_UNKNOWN) {
        row = add_link(s, link, site);
        bool is_own = row != FG_UNKNOWN && site == s->site &&
                      s->reading->kind == FG_READ_HTML &&
                      !is_known_otherwise(s, site, link->url, false);
        s->n_own += is_own;
        s->n_strange += is_own && may_be_content(link->url);
    } else if (!site_is_elsewhere(crawl, site)) {
        meet_again(s, link, row);
    }
    if (link->price && row != FG_UNKNOWN && row != s->row)
        listed_see(crawl, s->batch, row, link->price, s->now);
    return row;
}

/* Is it a feed with dates of publication? */
static bool dates_entries(const struct fg_reading *reading)
{
    size_t dated = 0;
    for (size_t i = 0; i < reading->n_links; i++)
        dated += reading->links[i].is_publication;
    return reading->kind == FG_READ_FEED && dated > 0 && dated * 2 > reading->n_links;
}

/* Most links are known and of this site: have their rows at hand before they are asked
 * for. With a million pages known each look-up is two waits for memory otherwise. */
static void look_at_links(const struct sight *s, const struct fg_reading_link *links,
                          size_t n)
{
    for (size_t i = 0; i < n; i++)
        fg_known_look(&s->crawl->known, s->site->id, links[i].fingerprint);
    for (size_t i = 0; i < n; i++)
        fg_known_look_closer(&s->crawl->known, s->site->id, links[i].fingerprint);
}

/* Rows of all links, sorted and unique. */
static size_t resolve_all(struct sight *s, const struct fg_reading *reading,
                          uint32_t **rows)
{
    struct fg_crawl *crawl = s->crawl;
    size_t n = 0, most = reading->n_links < MOST_LINKS ? reading->n_links : MOST_LINKS;
    *rows = FG_NEW(&crawl->scratch, uint32_t, most + 1);
    for (size_t i = 0; i < most; i++) {
        if (i % LOOK_AHEAD == 0) {
            pause_if_due(s);
            look_at_links(s, reading->links + i,
                          most - i < LOOK_AHEAD ? most - i : LOOK_AHEAD);
        }
        reading->links[i].row = FG_UNKNOWN;
        if (sight_is_not_followed(reading, &reading->links[i]))
            continue;
        uint32_t row = resolve(s, &reading->links[i]);
        reading->links[i].row = row;
        if (row != FG_UNKNOWN && row != s->row)
            (*rows)[n++] = row;
        if (reading->links[i].is_feed && s->feed == FG_UNKNOWN)
            s->feed = row;
        if (s->number && s->number[i] < s->n_order)
            s->rows[s->number[i]] = row;
    }
    return fg_rows_unique(*rows, n);
}

/* The share of links of this site that nobody has shown; 0 where there are few. */
static double unknown_share(struct sight *s)
{
    enum { ENOUGH = 12 };
    size_t n = 0, unknown = 0;
    for (size_t i = 0; i < s->reading->n_links && i < MOST_LINKS; i++) {
        const struct fg_reading_link *link = &s->reading->links[i];
        if (!is_here(s, link))
            continue;
        n++;
        unknown +=
            fg_known_find(&s->crawl->known, s->site->id, link->fingerprint) == FG_UNKNOWN;
    }
    bool is_enough = n >= ENOUGH && s->reading->kind == FG_READ_HTML;
    return is_enough ? (double)unknown / (double)n : 0;
}

static bool is_likely_list(const struct sight *s)
{
    return s->look.was_seen_whole || s->look.is_listing ||
           s->reading->verdict.kind == FG_KIND_LIST ||
           s->crawl->known.at[s->row].flags & (FG_PAGE_SEED | FG_PAGE_SOURCE);
}

/* --- what has come since the last look --- */

static void promote(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t list,
                    struct confirmed *confirmed, fg_time now)
{
    for (size_t i = 0; i < confirmed->len; i++)
        judging_promote(crawl, batch, confirmed->at[i],
                        &(struct new_page){.found_on = list, .dated = FG_NEVER}, now);
    fg_vec_clear(confirmed);
}

static void learn_of_comers(struct sight *s)
{
    struct confirmed confirmed = {0};
    struct source *source = source_find(s->crawl, s->row);
    if (!source || !s->look.was_seen_whole)
        return;
    bool is_changed = placing_learn(&confirmed, s, source);
    promote(s->crawl, s->batch, s->row, &confirmed, s->now);
    if (is_changed)
        placing_save(s->crawl, s->batch, source);
}

void crawl_keep_first_look(struct fg_crawl *crawl, struct fg_batch *batch,
                           struct source *source, const struct seen_links *seen)
{
    if (source->comers.order || !seen->order)
        return;
    fg_comers_keep(&source->comers, seen->order, seen->n_order);
    placing_save(crawl, batch, source);
}

void crawl_seen_same(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                     const struct fg_before *before, fg_time now)
{
    struct confirmed confirmed = {0};
    struct source *source = source_find(crawl, row);
    if (!source || !placing_is_kept(crawl, row))
        return;
    placing_recall(crawl, source, before);
    placing_confirm(&confirmed, crawl, crawl_site_of(crawl, row), source, now);
    promote(crawl, batch, row, &confirmed, now);
}

/* Nobody finds what was left out, so whoever looks for it has to be told. */
static void note_cut(struct sight *s)
{
    struct fg_known_page *page = &s->crawl->known.at[s->row];
    size_t n = s->reading->n_links;
    struct fg_cut cut = {.too_long = s->too_long,
                         .too_many = n > MOST_LINKS ? (uint32_t)(n - MOST_LINKS) : 0};
    bool was_cut = page->flags & FG_PAGE_CUT, is_cut = cut.too_long || cut.too_many;
    if (!was_cut && !is_cut)
        return;
    uint64_t *kept = fg_map_put(&s->crawl->sources.cuts, s->row),
             both = (uint64_t)cut.too_long << 32 | cut.too_many;
    if (*kept != both || !is_cut)
        fg_cut_put(s->batch, page->site, page->page, cut);
    *kept = both;
    page->flags =
        is_cut ? page->flags | FG_PAGE_CUT : page->flags & ~(uint32_t)FG_PAGE_CUT;
    if (is_cut && !was_cut)
        fg_log_warn("crawl", "links of a page are left out",
                    FG_F("page", fg_known_url(&s->crawl->known, s->row)),
                    FG_F("too_long", cut.too_long), FG_F("too_many", cut.too_many));
}

struct seen_links crawl_see_links(struct fg_crawl *crawl, struct fg_batch **batch,
                                  uint32_t row, const struct fg_reading *reading,
                                  const struct fg_before *before, fg_time now)
{
    static const double much = 0.3, nearly_all = 0.8;
    struct seen_links seen = {.feed = FG_UNKNOWN};
    struct sight s = {.crawl = crawl,
                      .batch = *batch,
                      .reading = reading,
                      .site = crawl_site_of(crawl, row),
                      .row = row,
                      .now = now,
                      .feed = FG_UNKNOWN,
                      .leads_out = follow_leads_out(crawl, row, reading)};
    s.look = look_at(&s, source_find(crawl, row));
    bool is_of_stock = !s.look.was_seen_whole &&
                       !(crawl->known.at[row].flags & FG_PAGE_AWAITED) &&
                       !crawl->known.at[row].last_visit_s;
    seen.dates_entries = dates_entries(reading);
    s.pushed = push_is_behind(s.site, row) ? FG_PAGE_PUSHED : 0;
    websub_discover(crawl, s.site, row, reading, now);
    s.site->lists.has_feed |= seen.dates_entries && crawl->known.at[row].depth <= 1;
    reduce_own(&s);
    /* The addresses of a list may be made anew for each visit. One of which nothing is
     * left tells nothing then. */
    struct source *source = source_find(crawl, row);
    if (source && s.look.was_seen_whole)
        placing_recall(crawl, source, before);
    if (s.look.was_seen_whole && unknown_share(&s) >= much) {
        session_look(crawl, s.batch, row, reading);
        reduce_own(&s);
        source = source_find(crawl, row);
        s.look.was_seen_whole =
            unknown_share(&s) < nearly_all ||
            (source && fg_comers_have_lasted(&source->comers, source->last_seen));
    }
    pause_if_due(&s);
    source = source_find(crawl, row); /* others had a turn */
    if (source)
        s.comers = source->comers;
    s.look.lags = s.look.is_listing && s.look.was_seen_whole && lags(&s, source);
    if (is_likely_list(&s))
        placing_of_links(&s);
    pause_if_due(&s);
    seen.n = resolve_all(&s, reading, &seen.rows);
    seen.feed = s.feed;
    seen.is_idle = reading->kind == FG_READ_HTML && s.n_own < OWN_LEAST;
    if (is_of_stock && reading->kind == FG_READ_HTML)
        explore_note_page(crawl, s.site, fg_known_url(&crawl->known, row), !s.n_strange);
    seen.is_volume = s.look.is_volume;
    if (s.number && !reading->is_truncated && reading->n_links <= MOST_LINKS) {
        learn_of_comers(&s);
        seen.order = s.order;
        seen.n_order = s.n_order;
    }
    note_cut(&s);
    held_judge(&s);
    fg_map_clear(&s.shown);
    pause_if_due(&s);
    *batch = s.batch;
    return seen;
}
