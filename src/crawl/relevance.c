/* What a focus changes in a crawl
 *
 * A link that turns up is judged by what it says (focus.h). If that settles it, or if the
 * user lets links decide, it is reported or not, there and then. Otherwise the page is
 * awaited: it is fetched, the likely ones first, and reported if its content proves
 * relevant. Either way the page's flag says what we think of it now.
 *
 * Only relevant new pages count as the yield of a source, so the policy learns to look
 * where those appear. An awaited page is not known to be one when its source is observed.
 * It then counts with the share of the pages found on this source before that proved
 * relevant, shrunk towards the share of the whole crawl: of ten such links on a source
 * whose pages are relevant in three cases of ten, three count. */
#include "crawl/labels.h"
#include "crawl/state.h"

#include <math.h>

enum { FINDERS_MOST = 1 << 20 };
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
    return crawl->options.focus.when == FG_FOCUS_SEEN || !crawl->options.fetch_discovered;
}

/* --- a link that turned up --- */

void relevance_of_link(struct fg_crawl *crawl, struct new_page *page)
{
    if (!crawl->focus || (page->flags & (FG_PAGE_FEED | FG_PAGE_SITEMAP)))
        return;
    struct fg_verdict verdict = fg_focus_link(crawl->focus, page->url, page->words);
    if (verdict.is_relevant)
        page->flags |= FG_PAGE_RELEVANT;
    page->relevance = verdict.probability;
    if (!page->is_reported)
        return;
    page->is_reported = verdict.is_relevant && (verdict.is_final || link_decides(crawl));
    if (!verdict.is_final && !link_decides(crawl))
        page->flags |= FG_PAGE_AWAITED;
}

/* Who showed an awaited page first; the store knows it, but perhaps not yet. */
void relevance_await(struct fg_crawl *crawl, uint32_t row, uint32_t found_on)
{
    if ((crawl->known.at[row].flags & FG_PAGE_AWAITED) && found_on != FG_UNKNOWN &&
        fg_map_len(&crawl->finders) < FINDERS_MOST)
        *fg_map_put(&crawl->finders, row) = found_on;
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
    if (!crawl->focus || site->state != SITE_WATCHED)
        return false;
    if (link_decides(crawl))
        return !(crawl->known.at[row].flags & FG_PAGE_RELEVANT);
    return !fg_focus_admits(crawl->focus, fg_known_url(&crawl->known, row));
}

/* --- a page that was read --- */

static uint32_t take_finder(struct fg_crawl *crawl, uint32_t row)
{
    const uint64_t *finder = fg_map_get(&crawl->finders, row);
    uint32_t found_on = finder ? (uint32_t)*finder : FG_UNKNOWN;
    fg_map_remove(&crawl->finders, row);
    return found_on;
}

/* What was known of an awaited page before it was read. After a restart that is only what
 * the store has: it lacks the words of the link. */
struct past {
    uint32_t found_on;
    fg_time dated;
};

static struct past recall_past(struct fg_crawl *crawl, uint32_t row)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    struct past past = {.found_on = take_finder(crawl, row), .dated = FG_NEVER};
    struct fg_page_row stored, source;
    if (fg_store_page(crawl->store, &stored, &crawl->scratch, page->site, page->page,
                      NULL))
        return past;
    past.dated = stored.published;
    if (past.found_on == FG_UNKNOWN && stored.found_on &&
        !fg_store_page(crawl->store, &source, &crawl->scratch, page->site,
                       stored.found_on, NULL))
        past.found_on = fg_known_find(&crawl->known, page->site, source.fingerprint);
    return past;
}

static void credit(struct fg_crawl *crawl, uint32_t found_on, bool is_relevant)
{
    struct source *source = found_on == FG_UNKNOWN ? NULL : source_find(crawl, found_on);
    crawl->judged++;
    crawl->proved += is_relevant;
    if (source) {
        source->judged++;
        source->proved += is_relevant;
    }
}

void relevance_of_page(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                       const struct fg_reading *reading, fg_time now)
{
    if (!crawl->focus)
        return;
    struct fg_known_page *page = &crawl->known.at[row];
    bool was_awaited = page->flags & FG_PAGE_AWAITED;
    page->flags &= ~(uint32_t)(FG_PAGE_AWAITED | FG_PAGE_RELEVANT);
    if (reading->kind != FG_READ_HTML && reading->kind != FG_READ_TEXT)
        return;
    struct fg_verdict verdict = fg_focus_page(
        crawl->focus, &(struct fg_looks){.url = fg_known_url(&crawl->known, row),
                                         .title = reading->title,
                                         .text = reading->text});
    if (verdict.is_relevant)
        page->flags |= FG_PAGE_RELEVANT;
    if (!was_awaited)
        return;
    struct past past = recall_past(crawl, row);
    credit(crawl, past.found_on, verdict.is_relevant);
    if (verdict.is_relevant)
        crawl_report(crawl, batch, row,
                     &(struct new_page){.site = crawl_site_of(crawl, row),
                                        .url = fg_known_url(&crawl->known, row),
                                        .title = reading->title,
                                        .fingerprint = page->fingerprint,
                                        .found_on = past.found_on,
                                        .dated = reading->published != FG_NEVER
                                                     ? reading->published
                                                     : past.dated,
                                        .relevance = verdict.probability},
                     now);
}

/* The page that was awaited has another address. If that one is new, it is awaited in its
 * place; if we knew it, it was dealt with under that name. */
void relevance_moves(struct fg_crawl *crawl, uint32_t from, uint32_t to, fg_time now)
{
    if (!(crawl->known.at[from].flags & FG_PAGE_AWAITED))
        return;
    crawl->known.at[from].flags &= ~(uint32_t)FG_PAGE_AWAITED;
    uint32_t found_on = take_finder(crawl, from);
    if (to == FG_UNKNOWN || crawl->known.at[to].first_seen != now)
        return;
    crawl->known.at[to].flags |= FG_PAGE_AWAITED;
    relevance_await(crawl, to, found_on);
}

/* --- the yield of a source --- */

bool relevance_counts(struct fg_crawl *crawl, struct source *source, uint32_t row)
{
    uint32_t flags = crawl->known.at[row].flags;
    if (!crawl->focus)
        return true;
    if (!(flags & FG_PAGE_AWAITED))
        return flags & FG_PAGE_RELEVANT;
    double usual = ((double)crawl->proved + 1) / ((double)crawl->judged + 2);
    double share = ((double)source->proved + prior_pages * usual) /
                   ((double)source->judged + prior_pages);
    source->owed += (float)share;
    if (source->owed < 1)
        return false;
    source->owed -= 1;
    return true;
}
