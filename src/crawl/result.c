/* What one answer means: the page's row, the visit in the log, new pages and their
 * events, the links of a source, the body; all in one batch. Then the policy is told. */
#include "crawl/archive/captures.h"
#include "crawl/budget.h"
#include "crawl/cost.h"
#include "crawl/documents/appraising.h"
#include "crawl/documents/documents.h"
#include "crawl/judging/judging.h"
#include "crawl/people.h"
#include "crawl/reading/indexing.h"
#include "crawl/sites/lot.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/pattern.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"

#include "base/log.h"
#include "base/map.h"
#include "net/url/canonical.h"
#include "net/url/url.h"

#include <event2/event.h>
#include <math.h>

/* One answer being worked on. */
struct result {
    struct fg_crawl *crawl;
    struct visit *visit;
    const struct fg_answer *answer;
    const struct fg_reading *reading; /* of its body; NULL: not read */
    struct fg_batch *batch;
    struct site *site;
    uint32_t row; /* after redirects */
    fg_time now;
    struct fg_visit_row log;
    struct fg_page_row page;
    bool has_page;             /* `page` is to be written */
    size_t n_shown;            /* pages that are ours and it links to, itself aside */
    struct fg_conduct conduct; /* of what was read */
};

static void release(struct visit *visit)
{
    visit->next_idle = visit->crawl->budget.idle_visits;
    visit->crawl->budget.idle_visits = visit;
}

/* What the store had of the page, unless it turned out to be another one. */
static const struct fg_before *before_of(const struct result *r)
{
    return r->row == r->visit->row ? &r->visit->before : NULL;
}

/* What is known of a page without asking the store. */
static struct fg_page_row row_of(struct fg_crawl *crawl, uint32_t row)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    return (struct fg_page_row){
        .site = page->site,
        .page = page->page,
        .fingerprint = page->fingerprint,
        .url = fg_known_url(&crawl->known, row),
        .flags = page->flags,
        .first_seen = page->first_seen,
        .last_visit = FG_NEVER,
        .last_change = FG_NEVER,
        .next_visit = FG_NEVER,
        .published = FG_NEVER,
        .weight = 1,
        .depth = page->depth,
    };
}

static void put_flags(struct result *r, uint32_t row, uint32_t flags, uint32_t alias_of)
{
    struct fg_known_page *page = &r->crawl->known.at[row];
    page->flags |= flags;
    const struct fg_known_page *target =
        alias_of == FG_UNKNOWN ? NULL : &r->crawl->known.at[alias_of];
    fg_batch_page_flags(r->batch, page->site, page->page, page->flags,
                        target && target->site == page->site ? target->page : 0);
}

/* --- failures --- */

static struct fg_pattern *pattern_of(const struct result *r)
{
    return fg_patterns_find(r->site->patterns, fg_known_url(&r->crawl->known, r->row));
}

/* Nothing came of asking for it. */
static void learn_other(struct result *r)
{
    if (r->visit->purpose == FIRST_FETCH)
        judging_learn(r->crawl, r->row, FG_CAME_OTHER);
}

/* Of a page that was named, or announced, that it fails says nothing of others. */
static void learn_failure(struct result *r)
{
    if (!page_announces(&r->crawl->known.at[r->row]) && fg_answer_is_of_page(r->answer))
        learn_other(r);
}

/* Nothing ever came of pages like it. */
static bool is_hopeless(const struct result *r)
{
    enum { ENOUGH = 4 };
    const struct fg_pattern *pattern = pattern_of(r);
    return !page_announces(&r->crawl->known.at[r->row]) &&
           pattern->came[FG_CAME_OTHER] >= ENOUGH &&
           pattern->came[FG_CAME_OTHER] == fg_pattern_fetched(pattern);
}

static void again_later(struct result *r)
{
    struct fg_known_page *page = &r->crawl->known.at[r->row];
    if (r->visit->purpose != FIRST_FETCH ||
        health_asks_again(r->crawl, r->row, r->answer))
        return;
    if (page->failures < MOST_FAILURES && !is_hopeless(r))
        crawl_enqueue(r->crawl, r->site, r->row);
    else if (is_hopeless(r) || !judging_tries_later(r->crawl, r->row, r->answer))
        judging_give_up(r->crawl, r->batch, r->row, false, before_of(r), r->now);
}

static void tell_mind(struct result *r, struct fg_mind *mind, struct fg_visit *told)
{
    size_t at = fg_mind_row(mind, fg_known_id(&r->crawl->known, r->row));
    if (at == FG_NO_ROW)
        return;
    const struct fg_response *response = r->answer->response;
    told->page = at;
    told->now = r->now;
    told->bytes = r->log.bytes;
    told->cost =
        r->answer->requests ? (float)cost_of_answer(r->crawl, r->site, r->answer) : 1;
    told->modified = told->ok && response
                         ? document_modified(
                               fg_response_header(response, "Last-Modified", 0),
                               told->changed, fg_mind_world(mind)->last_visit[at], r->now)
                         : FG_NEVER;
    if (mind != r->crawl->minds.refresh ||
        !appraising_hold(r->crawl, fg_known_id(&r->crawl->known, r->row), told))
        fg_mind_observe(mind, told);
}

/* Whatever the visit was made for, it tells of the page as a source and as a document.
 */
static void tell_policies(struct result *r, struct fg_visit *told)
{
    document_count(r->crawl, r->row, told, r->now);
    tell_mind(r, r->crawl->minds.discovery, told);
    tell_mind(r, r->crawl->minds.refresh, told);
}

/* Before more of the stock is tried, what announces new pages shows how the host is. */
static void note_backoff(struct result *r)
{
    struct fg_host_view view;
    r->site->stock.wakes |=
        !r->crawl->options.run.once &&
        fg_polite_view(r->crawl->polite, fg_str_from(r->site->key), &view) &&
        view.backoff_until != FG_NEVER && view.backoff_until > r->now;
}

static void failed(struct result *r, uint8_t code)
{
    struct fg_known_page *page = &r->crawl->known.at[r->row];
    r->log.failure = code;
    r->crawl->counts.failures++;
    r->site->counts.failures++;
    if (page->failures < UINT8_MAX)
        page->failures++;
    learn_failure(r);
    again_later(r);
    note_backoff(r);
    tell_policies(r, &(struct fg_visit){.ok = false});
    /* A host that is down for an hour has its lists still. */
    if (page->failures >= 2 * MOST_FAILURES && fg_answer_is_of_page(r->answer))
        source_retire(r->crawl, r->batch, r->row);
}

/* That there is nothing any more is a value, too. What the user named is looked at again
 * all the same. */
static void value_is_gone(struct result *r)
{
    const struct fg_str text = FG_STR("gone");
    struct fg_value value = {.hash = fg_str_hash(text), .text = text};
    uint32_t flags = r->crawl->known.at[r->row].flags;
    bool is_change =
        r->visit->before.has_value && r->visit->before.value_hash != value.hash;
    r->log.changed = is_change;
    if (is_change) {
        change_report(r->crawl, r->batch, r->row, &r->visit->before, &value, FG_STR(""),
                      r->now);
        document_put_value(r->crawl, r->batch, r->row, &value, r->now);
        change_keep_text(r->crawl, r->batch, r->row, &value);
    }
    tell_policies(r, &(struct fg_visit){.ok = true, .changed = is_change});
    if (!(flags & FG_PAGE_SEED))
        document_retire(r->crawl, r->batch, r->row);
}

static void gone(struct result *r)
{
    if (r->visit->purpose == FIRST_FETCH && r->answer->response->status == 404 &&
        judging_waits(r->crawl, r->row))
        return;
    source_retire(r->crawl, r->batch, r->row);
    judging_give_up(r->crawl, r->batch, r->row, true, before_of(r), r->now);
    learn_other(r);
    put_flags(r, r->row, FG_PAGE_GONE, FG_UNKNOWN);
    if (r->crawl->known.at[r->row].flags & FG_PAGE_DOCUMENT)
        value_is_gone(r);
    else
        tell_policies(r, &(struct fg_visit){.ok = true});
}

/* --- one page under several addresses --- */

/* A seed that leads to another site ("http://a.example" to "https://www.a.example") means
 * that one. Of other pages it is a link away from what we were asked to watch. */
static struct site *site_of_seed(struct result *r, struct fg_str key)
{
    if (!(r->crawl->known.at[r->row].flags & FG_PAGE_SEED))
        return r->site->state == SITE_PAGES_ONLY
                   ? follow_to_host(r->crawl, r->batch, key, r->site->added)
                   : NULL;
    struct fg_seed seed = {.is_page_only = r->site->state == SITE_PAGES_ONLY,
                           .tags = fg_str_from(r->site->tags)};
    return crawl_watch_site(r->crawl, r->batch, key, &seed, r->now);
}

/* The row of an address that this page turned out to have; added if it is one of ours. */
static uint32_t row_at(struct result *r, struct fg_str address)
{
    struct fg_crawl *crawl = r->crawl;
    struct fg_url url;
    if (!fg_url_parse(&url, &crawl->scratch, address, NULL))
        return FG_UNKNOWN;
    struct fg_str text =
        fg_canonical_from(&crawl->scratch, &url, crawl->options.naming.keep);
    if (!fg_lot_has(&crawl->options.lot, text)) {
        follow_out_of_lot(crawl, r->row, text);
        return FG_UNKNOWN;
    }
    struct site *site = crawl_find_site(crawl, fg_canonical_site(text));
    if (!site)
        site = site_of_seed(r, fg_canonical_site(text));
    if (!site || site_is_removed(site))
        return FG_UNKNOWN;
    uint64_t fingerprint = fg_canonical_fingerprint(text);
    uint32_t row = fg_known_find(&crawl->known, site->id, fingerprint);
    unsigned depth = crawl->known.at[r->row].depth;
    if (row != FG_UNKNOWN ||
        fg_guard_check(&crawl->guard, text, depth, site->counts.known) != FG_GUARD_OK)
        return row;
    bool is_seed = crawl->known.at[r->row].flags & FG_PAGE_SEED;
    if (!is_seed && !site_allows(site, text))
        return FG_UNKNOWN;
    /* Not reported: it is the page that was reported under its other address. */
    return crawl_add_page(crawl, r->batch,
                          &(struct new_page){.site = site,
                                             .url = text,
                                             .fingerprint = fingerprint,
                                             .found_on = r->row,
                                             .depth = depth,
                                             .dated = FG_NEVER,
                                             .published = FG_NEVER},
                          r->now);
}

/* The page's row names pages of its own site only. */
static void put_target(struct result *r, uint32_t origin, uint32_t target,
                       struct fg_str address)
{
    const struct fg_known_page *page = &r->crawl->known.at[origin];
    if (target != FG_UNKNOWN && r->crawl->known.at[target].site == page->site)
        return;
    fg_batch_page_extra(r->batch, page->site, page->page, FG_EXTRA_LEADS_TO, address);
}

/* Go on with the page at `address`, which is `target`; false if that is not one of ours.
 */
static bool merge_into(struct result *r, uint32_t target, struct fg_str address)
{
    struct fg_crawl *crawl = r->crawl;
    uint32_t origin = r->row;
    if (target == origin)
        return true;
    /* Addresses of what was read already are not worth asking for. */
    if (target != FG_UNKNOWN && crawl->known.at[target].last_visit_s &&
        r->visit->purpose == FIRST_FETCH && !page_announces(&crawl->known.at[origin]))
        judging_learn(crawl, origin, FG_CAME_COPY);
    judging_move(crawl, r->batch, origin, target, before_of(r), r->now);
    bool was_source = source_find(crawl, origin) != NULL;
    uint32_t seed = crawl->known.at[origin].flags & FG_PAGE_SEED;
    source_retire(crawl, r->batch, origin);
    document_move(crawl, r->batch, origin, target, r->now);
    put_flags(r, origin, FG_PAGE_ALIAS, target);
    put_target(r, origin, target, address);
    if (target == FG_UNKNOWN)
        return false;
    crawl->known.at[origin].last_visit_s = (uint32_t)(r->now / FG_SECOND);
    crawl->known.at[target].flags |= seed;
    r->row = target;
    r->site = crawl_site_of(crawl, target);
    r->log.site = crawl->known.at[target].site;
    r->log.page = crawl->known.at[target].page;
    if (was_source)
        source_admit(crawl, r->batch, target, r->now);
    return true;
}

/* The same for the address that a page calls its own. Two may name each other: then the
 * one that was read second stays what it is. */
static bool follow_canonical(struct result *r, struct fg_str address)
{
    /* The page says itself that what its address has more makes no difference. */
    fg_patterns_compare(r->site->patterns, fg_known_url(&r->crawl->known, r->row),
                        address, true);
    uint32_t target = row_at(r, address);
    bool leads_on =
        target != FG_UNKNOWN && r->crawl->known.at[target].flags & FG_PAGE_ALIAS;
    return leads_on || merge_into(r, target, address);
}

/* --- a page that was read --- */

static void fill_page(struct result *r, const struct fg_reading *reading)
{
    const struct fg_response *response = r->answer->response;
    r->page = row_of(r->crawl, r->row);
    r->page.content_hash = reading->content_hash;
    r->page.simhash = reading->simhash;
    r->page.identity = reading->identity;
    r->page.title = reading->facts.title.len ? reading->facts.title : reading->title;
    r->page.language = reading->language;
    r->page.published = reading->published;
    r->page.etag = fg_response_header(response, "ETag", 0);
    r->page.last_modified = fg_response_header(response, "Last-Modified", 0);
    r->has_page = true;
}

static void note_nofollow(uint32_t *flags, const struct fg_reading *reading)
{
    *flags = reading->nofollow ? *flags | FG_PAGE_NOFOLLOW
                               : *flags & ~(uint32_t)FG_PAGE_NOFOLLOW;
}

static uint32_t kind_flag(enum fg_reading_kind kind)
{
    return kind == FG_READ_FEED                                       ? FG_PAGE_FEED
           : kind == FG_READ_SITEMAP || kind == FG_READ_SITEMAP_INDEX ? FG_PAGE_SITEMAP
                                                                      : 0;
}

/* A document's value is kept and, if it is another one, told. */
static void take_value(struct result *r, bool is_other)
{
    const struct fg_reading *reading = r->reading;
    if (is_other) {
        ++*fg_map_put(&r->crawl->documents.changes_seen, r->row);
        change_report(r->crawl, r->batch, r->row, &r->visit->before, &reading->value,
                      reading->title, r->now);
    }
    listed_read(r->crawl, r->batch, r->row, &reading->value.offer, r->now);
    document_put_value(r->crawl, r->batch, r->row, &reading->value, r->now);
    if ((is_other || !r->visit->before.has_value) && !r->conduct.refusal)
        change_keep_text(r->crawl, r->batch, r->row, &reading->value);
}

/* Of an archive, as it is kept. */
static struct fg_str capture_of(const struct result *r)
{
    const struct fg_before *before = before_of(r);
    struct fg_str bytes = {0};
    if (before && before->wants & FG_BEFORE_CAPTURE)
        return before->capture;
    fg_store_page_extra(r->crawl->store, &bytes, &r->crawl->scratch, r->log.site,
                        r->log.page, FG_EXTRA_CAPTURE, NULL);
    return bytes;
}

/* What counts as a change: of a document that of its value, else of text and links. Where
 * there is no value to compare with, they have to do for a document as well. */
static bool has_changed(struct result *r, const struct source *source)
{
    const struct fg_reading *reading = r->reading;
    bool is_document = r->crawl->known.at[r->row].flags & FG_PAGE_DOCUMENT;
    bool is_valued = is_document && reading->has_value;
    bool is_other = is_valued && r->visit->before.has_value &&
                    r->visit->before.value_hash != reading->value.hash;
    /* What counts stays what it was, or a page that changes slowly never would. */
    if (is_other &&
        document_is_small_change(r->crawl, r->row, &r->visit->before, &reading->value))
        return false;
    if (is_valued)
        take_value(r, is_other);
    if (is_other || (is_document && !r->visit->before.has_value))
        document_put_sketch(r->crawl, r->batch, r->row, &reading->value);
    if (r->visit->purpose == FIRST_FETCH && r->crawl->minds.has_captures &&
        fg_captures_has(capture_of(r), r->answer->response->body))
        return false; /* new to us, but an archive has seen it */
    if (is_valued && r->visit->before.has_value)
        return is_other;
    return reading->content_hash !=
           (source ? source->content_hash : r->visit->before.content_hash);
}

/* Has nobody read the page before, neither we nor an archive? That it is new to us is no
 * change of it. */
static bool is_first_look(const struct result *r, const struct source *source)
{
    return !(source ? source->content_hash : r->visit->before.content_hash) &&
           !r->visit->before.has_value &&
           !(r->crawl->minds.has_captures && fg_captures_any(capture_of(r)));
}

/* That its owner objects is noted in the page's row. */
static void note_conduct(struct result *r)
{
    uint32_t *flags = &r->crawl->known.at[r->row].flags;
    conduct_of(&r->conduct, r->crawl, r->site, fg_known_url(&r->crawl->known, r->row),
               r->reading->tdm);
    *flags = r->conduct.is_reserved ? *flags | FG_PAGE_RESERVED
                                    : *flags & ~(uint32_t)FG_PAGE_RESERVED;
}

static void keep_body(struct result *r, bool is_changed)
{
    const struct fg_reading *reading = r->reading;
    bool is_other = is_changed || r->visit->before.content_hash != reading->content_hash;
    if (r->crawl->options.keeping.bodies && is_other && !reading->noindex &&
        !r->conduct.refusal)
        fg_batch_body(r->batch, r->log.site, r->log.page, r->now,
                      r->answer->response->body);
}

/* Is it read for the first time, or to be judged? */
static bool is_first_reading(const struct result *r)
{
    return r->visit->purpose == FIRST_FETCH ||
           r->crawl->known.at[r->row].flags & FG_PAGE_AWAITED;
}

static void observe_source(struct result *r, struct source *source, struct fg_visit *told,
                           const struct seen_links *seen)
{
    crawl_keep_first_look(r->crawl, r->batch, source, seen);
    source_note_feed(r->crawl, source, seen);
    told->now = r->now;
    source->content_hash = r->reading->content_hash;
    source_count_visit(r->crawl, source);
    source_answer_signal(r->site, source, told->changed);
    source_observe(r->crawl, r->batch, source, told, seen->rows, seen->n);
    if (r->crawl->options.keeping.search_index)
        indexing_anchors(r->batch, &r->crawl->known, &r->log, r->reading, told);
    r->log.fresh = (uint32_t)told->n_fresh;
}

static void first_reading(struct result *r, const struct seen_links *seen,
                          struct relevance relevance)
{
    enum { WELL_KNOWN = 8 };
    struct fg_crawl *crawl = r->crawl;
    /* What is learnt of a pattern may make others worth a look. */
    if (fg_pattern_fetched(pattern_of(r)) < WELL_KNOWN)
        explore_reconsider(r->site);
    document_consider(crawl, r->batch, r->row, r->reading, r->now);
    judging_read(crawl, r->batch, r->row, r->reading, seen->is_idle, relevance,
                 before_of(r), r->now);
    uint32_t of = judging_copy_of(crawl, r->row, r->reading->identity);
    r->page.alias_of = of == FG_UNKNOWN ? 0 : crawl->known.at[of].page;
    if (r->reading->kind == FG_READ_HTML)
        source_count_shown(crawl, r->site, seen->rows, seen->n);
    if (r->site->state != SITE_PAGES_ONLY || crawl->known.at[r->row].flags & FG_PAGE_SEED)
        source_consider(crawl, r->batch, r->row, r->reading, seen, r->now);
    if (r->reading->kind == FG_READ_HTML && crawl->known.at[r->row].flags & FG_PAGE_LIST)
        explore_note_list(r->site, seen->is_idle);
}

/* Where the page leads to is to be read in its place. */
static bool follow_lead(struct result *r, struct fg_str address)
{
    struct fg_crawl *crawl = r->crawl;
    uint32_t origin = r->row, target = row_at(r, address);
    if (target == FG_UNKNOWN || target == origin ||
        crawl->known.at[target].flags & FG_PAGE_ALIAS)
        return false;
    struct result rest = *r;
    merge_into(&rest, target, address);
    if (!crawl->known.at[target].last_visit_s && !crawl->known.at[target].is_queued)
        crawl_enqueue(crawl, crawl_site_of(crawl, target), target);
    tell_policies(r, &(struct fg_visit){.ok = true});
    return true;
}

static void learn_validators(struct result *r)
{
    const struct visit *visit = r->visit;
    struct fg_validators *validators = &r->site->host.validators;
    bool is_same_tag = r->page.etag.len && fg_str_eq(r->page.etag, visit->before.etag);
    if (visit->conditional)
        validators->unmodified = 0;
    if (visit->wants_whole && r->log.changed && r->row == visit->row &&
        fg_validators_catch(validators, is_same_tag))
        fg_log_warn("crawl",
                    "a server said \"not modified\" of what had changed; its "
                    "pages are fetched whole from now on",
                    FG_F("site", r->site->key));
}

static void read_page(struct result *r)
{
    struct fg_crawl *crawl = r->crawl;
    const struct fg_reading *reading = r->reading;
    struct source *source = source_find(crawl, r->row);
    if (reading->leads_to.len && follow_lead(r, reading->leads_to))
        return;
    if (reading->canonical.len && !source && !follow_canonical(r, reading->canonical))
        return;
    crawl->known.at[r->row].flags |= kind_flag(reading->kind);
    crawl->known.at[r->row].flags &= ~(uint32_t)FG_PAGE_READ_SOON;
    note_nofollow(&crawl->known.at[r->row].flags, reading);
    follow_if_alone(crawl, r->batch, r->row, reading);
    struct relevance relevance = relevance_of_page(crawl, r->row, reading);
    struct seen_links seen =
        crawl_see_links(crawl, &r->batch, r->row, reading, before_of(r), r->now);
    fill_page(r, reading);
    if (is_first_reading(r))
        first_reading(r, &seen, relevance);
    note_conduct(r);
    source = source_find(crawl, r->row); /* pages were added: it may have moved */
    struct fg_visit told = {.ok = true,
                            .changed = has_changed(r, source),
                            .complete =
                                !reading->is_truncated && reading->n_links <= MOST_LINKS};
    r->log.changed = told.changed && !is_first_look(r, source);
    learn_validators(r);
    r->log.links = (uint32_t)seen.n;
    r->n_shown = seen.n - fg_rows_have(seen.rows, seen.n, r->row);
    if (source)
        observe_source(r, source, &told, &seen);
    r->page.flags = crawl->known.at[r->row].flags;
    tell_policies(r, &told);
    keep_body(r, told.changed);
}

static void not_modified(struct result *r)
{
    r->crawl->counts.not_modified++;
    fg_validators_unmodified(&r->site->host.validators);
    struct source *source = source_find(r->crawl, r->row);
    if (source) {
        source_count_visit(r->crawl, source);
        source->last_seen = r->now;
        source_answer_signal(r->site, source, false);
        crawl_seen_same(r->crawl, r->batch, r->row, before_of(r), r->now);
    }
    tell_policies(r, &(struct fg_visit){.ok = true});
}

/* A list or document that has been read leads elsewhere for the time being: to a login, a
 * consent page, a page about maintenance. Only if it goes on doing so has it moved. */
static bool leads_away_for_now(const struct result *r)
{
    enum { PASSING_MOST = 6 };
    const struct source *source = source_find(r->crawl, r->row);
    const struct fg_known_page *page = &r->crawl->known.at[r->row];
    unsigned status = r->answer->n_hops                ? r->answer->hops[0].status
                      : r->answer->end == FG_ASK_RULES ? r->answer->response->status
                                                       : 0;
    bool was_read = (source && source->links) ||
                    (page->flags & FG_PAGE_DOCUMENT && r->visit->before.has_value);
    return (status == 302 || status == 303 || status == 307) && was_read &&
           page->failures < PASSING_MOST;
}

static void answered(struct result *r)
{
    const struct fg_response *response = r->answer->response;
    r->log.bytes =
        response->wire_bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)response->wire_bytes;
    r->log.took_ms = (uint32_t)(response->took / FG_MILLISECOND);
    r->log.status = (uint16_t)response->status;
    r->crawl->counts.bytes += response->wire_bytes;
    if (response->outcome != FG_FETCHED) {
        failed(r, (uint8_t)response->outcome);
        return;
    }
    if (response->status == 404 || response->status == 410) {
        gone(r);
        return;
    }
    if (response->status == 304) {
        r->crawl->known.at[r->row].failures = 0;
        not_modified(r);
        return;
    }
    if (!fg_answer_has_page(r->answer)) {
        failed(r, 0);
        return;
    }
    if (leads_away_for_now(r)) {
        r->log.status = (uint16_t)r->answer->hops[0].status;
        failed(r, 0);
        return;
    }
    r->crawl->known.at[r->row].failures = 0;
    if (r->answer->n_hops && !merge_into(r, row_at(r, r->answer->url), r->answer->url))
        return;
    read_page(r);
}

/* Ends that made no request cost nothing. */
static void settle_budget(struct result *r)
{
    double cost = cost_of_answer(r->crawl, r->site, r->answer);
    double extra = cost - r->visit->cost;
    if (r->answer->requests && r->visit->purpose == FIRST_FETCH)
        cost_learn(r->crawl, r->site, cost);
    r->crawl->budget.all -= extra;
    r->site->budget.allowance -= extra;
    if (!r->answer->requests && r->visit->purpose == FIRST_FETCH)
        r->crawl->budget.first++, r->site->budget.first++;
    r->crawl->counts.fetches += r->answer->requests;
    r->site->counts.fetches += r->answer->requests;
}

/* A crawl that is to end does not wait for a host for ever, and not at all for one whose
 * address it may not connect to. */
static bool gives_up(struct result *r)
{
    struct fg_known_page *page = &r->crawl->known.at[r->row];
    struct fg_host_view view;
    if (!r->crawl->options.run.once)
        return false;
    if (page->failures < UINT8_MAX)
        page->failures++;
    return page->failures >= MOST_FAILURES ||
           (fg_polite_view(r->crawl->polite, fg_str_from(r->site->key), &view) &&
            view.robots_outcome == FG_FETCH_FORBIDDEN);
}

/* Its own host wants no requests for now: the site rests. Another host that a redirect
 * led to is that page's trouble only. */
static void held(struct result *r)
{
    struct fg_str host = fg_canonical_site(r->answer->url);
    if (!fg_str_eq(host, fg_str_from(r->site->key))) {
        failed(r, (uint8_t)(FAILED_ASK + r->answer->end));
        return;
    }
    r->site->host.rests_until = r->answer->held_until;
    r->site->stock.wakes = !r->crawl->options.run.once;
    if (r->visit->purpose == FIRST_FETCH && !gives_up(r))
        crawl_enqueue(r->crawl, r->site, r->row);
}

/* A redirect led to a host of another lot. Here the page is an alias, as one that led out
 * of what is watched is. */
static bool has_left_lot(struct result *r)
{
    struct fg_str next = r->answer->end == FG_ASK_RULES
                             ? crawl_next_hop(r->crawl, r->answer)
                             : (struct fg_str){0};
    if (!next.len || fg_lot_has(&r->crawl->options.lot, next) || leads_away_for_now(r))
        return false;
    r->log.status = (uint16_t)r->answer->response->status;
    r->crawl->known.at[r->row].failures = 0;
    merge_into(r, row_at(r, next), next);
    return true;
}

static void refused(struct result *r)
{
    switch (r->answer->end) {
    case FG_ASK_HELD:
        held(r);
        return;
    case FG_ASK_ROBOTS:
    case FG_ASK_RULES:
        if (has_left_lot(r))
            return;
        if (crawl_stopped_at_hop(r->crawl, r->answer)) {
            failed(r, (uint8_t)(FAILED_ASK + r->answer->end));
            return;
        }
        source_retire(r->crawl, r->batch, r->row);
        document_retire(r->crawl, r->batch, r->row);
        judging_give_up(r->crawl, r->batch, r->row, true, before_of(r), r->now);
        if (r->answer->requests) /* else nothing was learnt of what it shows */
            learn_other(r);
        put_flags(r, r->row, FG_PAGE_EXCLUDED, FG_UNKNOWN);
        return;
    default:
        failed(r, (uint8_t)(FAILED_ASK + r->answer->end));
    }
}

static void write_result(struct result *r)
{
    struct fg_known_page *page = &r->crawl->known.at[r->row];
    if (r->has_page)
        fg_batch_page_content(r->batch, &r->page);
    if (r->answer->requests) {
        page->last_visit_s = (uint32_t)(r->now / FG_SECOND);
        fg_batch_visit(r->batch, &r->log);
    }
    if (r->has_page && r->crawl->options.keeping.search_index)
        indexing_text(r->batch, &r->log, r->reading, r->page.title,
                      !r->reading->noindex && !r->conduct.refusal);
    fg_ledger_write(&r->crawl->ledger, r->batch);
    notices_keep(r->crawl, r->batch);
    uint64_t number = fg_store_submit(r->crawl->store, r->batch);
    if (r->crawl->documents.unsaved_number == UINT64_MAX)
        r->crawl->documents.unsaved_number = number;
    appraising_submitted(r->crawl, number);
}

static void finish(struct visit *visit, const struct fg_answer *answer,
                   const struct fg_reading *reading)
{
    struct fg_crawl *crawl = visit->crawl;
    struct fg_known_page *page = &crawl->known.at[visit->row];
    struct site *site = crawl_site_of(crawl, visit->row);
    fg_time now = fg_clock_now(crawl->clock);
    page->is_queued = 0;
    site->stock.open_asks--;
    crawl->budget.open_asks--;
    if (answer->end == FG_ASK_STOPPED || page_is_unwanted(crawl, visit->row)) {
        crawl_put_back(crawl, visit, answer);
        release(visit);
        crawl_after_answer(crawl, site);
        return;
    }
    struct result r = {
        .crawl = crawl,
        .visit = visit,
        .answer = answer,
        .reading = reading,
        .batch = fg_batch_new(crawl->store),
        .site = site,
        .row = visit->row,
        .now = now,
        /* The time of the answer, as the policies are told: what the log has after the
         * moment their state was saved is what that state does not know. */
        .log = {.site = page->site,
                .page = page->page,
                .time = now,
                .purpose = (uint8_t)visit->purpose,
                .conditional = visit->conditional,
                .score = visit->pick.score,
                .probability = visit->pick.probability,
                .explored = visit->pick.explored},
    };
    settle_budget(&r);
    if (page_announces(page) && answer->requests)
        site->stock.wakes = false;
    if (answer->end == FG_ASK_ANSWERED)
        answered(&r);
    else
        refused(&r);
    push_of_answer(crawl, site, visit->row, &r.log, now);
    health_of_answer(crawl, visit->row, r.row, answer, reading, r.n_shown, now);
    r.page.flags = crawl->known.at[r.row].flags;
    write_result(&r);
    release(visit);
    crawl_wake(crawl, site);
    crawl_after_answer(crawl, site);
    if (r.site != site) /* a redirect led to another of ours */
        crawl_after_answer(crawl, r.site);
}

/* A rule that was changed meanwhile holds: what was read by the other one would be taken
 * for a change the next time. */
static const struct fg_reading *read_anew(struct visit *visit,
                                          const struct fg_answer *answer)
{
    struct fg_arena *arena = &visit->crawl->scratch;
    const struct fg_value_rule *rule = visit->rule;
    const struct fg_noise *noise = visit->noise;
    struct fg_reading_rules rules;
    visit_rules(visit, &rules);
    if (rule == visit->rule && noise == visit->noise)
        return answer->reading;
    struct fg_reading *reading = FG_NEW(arena, struct fg_reading, 1);
    fg_reading_from(reading, arena, answer->url, answer->response, rules);
    return reading;
}

void crawl_on_answer(void *context, const struct fg_answer *answer)
{
    struct visit *visit = context;
    fg_arena_reset(&visit->crawl->scratch);
    finish(visit, answer, answer->reading ? read_anew(visit, answer) : NULL);
}
