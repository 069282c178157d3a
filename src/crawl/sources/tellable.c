/* Could a link lead to a page to tell of, as far as its address, the record of its
 * pattern and the feed that shows it say? What it is when it has been read is
 * judging.c's. */
#include "crawl/judging/judge.h"
#include "crawl/sites/site.h"
#include "crawl/sources/pattern.h"
#include "crawl/sources/sighting.h"
#include "crawl/sources/views.h"

/* Is another view of the same thing told, or about to be? `row` is its own, if known. */
static bool is_told_already(const struct fg_crawl *crawl, const struct site *site,
                            struct fg_str url, uint32_t row)
{
    const uint64_t *first = fg_map_get(&site->judging.tokens, fg_address_token(url));
    uint32_t of = first ? (uint32_t)*first - 1 : row;
    return of != row && crawl->known.at[of].flags & (FG_PAGE_AWAITED | FG_PAGE_REPORTED);
}

/* Does a feed say that it was published since the watch began? Then a path may look like
 * anything, and nothing may have come of others like it: they may be behind a wall. What
 * stands in parameters is how a page is looked at, as the differences of a wiki are. */
bool sight_is_vouched(const struct sight *s, const struct site *site,
                      const struct fg_reading_link *link)
{
    size_t end = fg_str_chr(link->url, '?');
    enum fg_kind kind = fg_kind_of_address(link->url).kind;
    bool is_by_path = kind == FG_KIND_PAGE || end == FG_NOT_FOUND ||
                      fg_kind_of_address(fg_str_sub(link->url, 0, end)).kind == kind;
    return s->reading->kind == FG_READ_FEED && link->is_publication &&
           fg_newness_is_placed(link->dated, link->is_local, s->now) &&
           link->dated >= site->added && is_by_path;
}

/* Could it be a page to tell of, going by its address and the record of its pattern? */
bool sight_may_be_told(const struct sight *s, const struct site *site, uint32_t row,
                       const struct fg_reading_link *link,
                       const struct fg_pattern *pattern, bool is_further)
{
    static const float sure = 0.8F, hardly = 0.1F;
    struct fg_crawl *crawl = s->crawl;
    if (is_told_already(crawl, site, link->url, row))
        return false;
    if (sight_is_vouched(s, site, link) && !link->is_advertised && !link->is_feed)
        return true;
    struct fg_kind_verdict verdict = fg_kind_of_address(link->url);
    if (link->is_advertised || link->is_feed ||
        fg_patterns_is_view(site->patterns, link->url) ||
        (verdict.certainty >= sure &&
         !fg_judge_wants(crawl->options.report.kinds, verdict.kind)) ||
        (is_further && !fg_pattern_is_content(pattern) &&
         !fg_judge_wants(crawl->options.report.kinds, FG_KIND_LIST)))
        return false;
    return crawl->options.report.kinds != FG_REPORT_PAGES ||
           (fg_pattern_page_chance(pattern) > (double)hardly &&
            fg_pattern_may_ask(pattern, s->now) &&
            !fg_pattern_is_in_vain(pattern, s->now) &&
            (s->look.is_listing || !fg_patterns_in_maze(site->patterns, link->url)));
}
