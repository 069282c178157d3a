/* What a focus changes in a crawl
 *
 * A link that turns up is judged by what it says (focus.h). If that settles it, or if the
 * user lets links decide, the page is not awaited (judging.c) unless it is relevant.
 * Otherwise its content decides. Either way the page's flag says what we think of it now.
 *
 * Only relevant new pages count as the yield of a source, so the policy learns to look
 * where those appear. An awaited page is not known to be one when its source is observed.
 * It then counts with the share of the pages found on this source before that proved
 * relevant, shrunk towards the share of the whole crawl: of ten such links on a source
 * whose pages are relevant in three cases of ten, three count. */
#include "crawl/judging/judging.h"
#include "crawl/judging/labels.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"

static const double prior_pages = 4;

void crawl_set_focus(struct fg_crawl *crawl, const struct fg_focus_rules *rules)
{
    struct fg_linear classifier;
    fg_labels_classifier(&classifier, crawl->store);
    fg_focus_free(crawl->focus);
    crawl->options.focus = *rules;
    crawl->focus = fg_focus_new(rules, &classifier);
}

static bool link_decides(const struct fg_crawl *crawl)
{
    return crawl->options.focus.when == FG_FOCUS_SEEN ||
           !crawl->options.exploring.fetch_discovered;
}

/* --- a link that turned up --- */

bool relevance_by_link(const struct fg_crawl *crawl)
{
    return (crawl->focus && link_decides(crawl)) ||
           !crawl->options.exploring.fetch_discovered;
}

bool relevance_of_link(struct fg_crawl *crawl, struct new_page *page)
{
    if (!crawl->focus || (page->flags & (FG_PAGE_FEED | FG_PAGE_SITEMAP)))
        return true;
    struct fg_verdict verdict = fg_focus_link(crawl->focus, page->url, page->words);
    if (verdict.is_relevant)
        page->flags |= FG_PAGE_RELEVANT;
    page->relevance = verdict.probability;
    return verdict.is_relevant || !(verdict.is_final || link_decides(crawl));
}

bool relevance_is_likely(const struct fg_crawl *crawl, const struct site *site,
                         uint32_t row)
{
    return crawl->focus && site->state == SITE_WATCHED &&
           (crawl->known.at[row].flags & FG_PAGE_RELEVANT);
}

bool relevance_is_ruled_out(const struct fg_crawl *crawl, const struct site *site,
                            uint32_t row)
{
    /* While a site is explored, its stock may lead to lists. */
    bool is_stock = crawl->known.at[row].flags & FG_PAGE_STOCK;
    if (!crawl->focus || (site->state != SITE_WATCHED && is_stock))
        return false;
    if (link_decides(crawl))
        return !(crawl->known.at[row].flags & FG_PAGE_RELEVANT);
    return !fg_focus_admits(crawl->focus, fg_known_url(&crawl->known, row));
}

/* --- a page that was read --- */

void relevance_credit(struct fg_crawl *crawl, uint32_t found_on, bool is_relevant)
{
    struct source *source = found_on == FG_UNKNOWN ? NULL : source_find(crawl, found_on);
    crawl->judging.judged++;
    crawl->judging.proved += is_relevant;
    if (source) {
        source->judged++;
        source->proved += is_relevant;
    }
}

struct relevance relevance_of_page(struct fg_crawl *crawl, uint32_t row,
                                   const struct fg_reading *reading)
{
    if (!crawl->focus)
        return (struct relevance){.counts = true};
    struct fg_known_page *page = &crawl->known.at[row];
    page->flags &= ~(uint32_t)FG_PAGE_RELEVANT;
    if (reading->kind != FG_READ_HTML && reading->kind != FG_READ_TEXT)
        return (struct relevance){0};
    struct fg_verdict verdict = fg_focus_page(
        crawl->focus, &(struct fg_looks){.url = fg_known_url(&crawl->known, row),
                                         .title = reading->title,
                                         .text = reading->text});
    if (verdict.is_relevant)
        page->flags |= FG_PAGE_RELEVANT;
    return (struct relevance){verdict.is_relevant, verdict.probability};
}

/* --- the yield of a source --- */

bool relevance_counts(struct fg_crawl *crawl, struct source *source, uint32_t row)
{
    uint32_t flags = crawl->known.at[row].flags;
    /* Only what may be told is worth a look. A feed of changes has what it is about to
     * its credit: the list that proves it new is looked at because of the feed. */
    if (flags & FG_PAGE_UNPROVEN)
        return !(flags & FG_PAGE_AWAITED);
    if (!(flags & (FG_PAGE_AWAITED | FG_PAGE_REPORTED)))
        return false;
    if (!crawl->focus)
        return true;
    if (!(flags & FG_PAGE_AWAITED) || flags & FG_PAGE_RELEVANT)
        return flags & FG_PAGE_RELEVANT; /* going by its link, if it was not read */
    double usual =
        ((double)crawl->judging.proved + 1) / ((double)crawl->judging.judged + 2);
    double share = ((double)source->proved + prior_pages * usual) /
                   ((double)source->judged + prior_pages);
    source->owed += (float)share;
    if (source->owed < 1)
        return false;
    source->owed -= 1;
    return true;
}
