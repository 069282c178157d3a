#include "crawl/judging/judge.h"

#include "crawl/crawl.h"

const uint32_t fg_judge_settled =
    FG_PAGE_REPORTED | FG_PAGE_OLD | FG_PAGE_SOURCE | FG_PAGE_FEED | FG_PAGE_SITEMAP |
    FG_PAGE_ALIAS | FG_PAGE_EXCLUDED | FG_PAGE_GONE | FG_PAGE_OTHER_KIND | FG_PAGE_LIST |
    FG_PAGE_DUPLICATE | FG_PAGE_SEED | FG_PAGE_STOCK;

/* --- what it is --- */

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
    /* What a number stands for is one thing or the other, whatever there is of it yet. */
    size_t len = strlen(pattern->text);
    bool is_numbered = len && pattern->text[len - 1] == '#';
    if (verdict.kind != FG_KIND_PAGE &&
        (pages * 10 >= fetched * 9 || (is_numbered && pages * 4 >= fetched * 3)))
        return (struct fg_kind_verdict){FG_KIND_PAGE, doubtful, "as its pattern is"};
    if (verdict.kind == FG_KIND_PAGE && pattern->came[FG_CAME_LIST] * 10 >= fetched * 9)
        return (struct fg_kind_verdict){FG_KIND_LIST, doubtful, "as its pattern is"};
    return verdict;
}

static struct fg_kind_verdict verdict_of(const struct fg_reading *reading,
                                         const struct fg_candidate *c)
{
    if (reading->kind == FG_READ_FEED || reading->kind == FG_READ_SITEMAP ||
        reading->kind == FG_READ_SITEMAP_INDEX)
        return (struct fg_kind_verdict){FG_KIND_LIST, 1, "a feed or sitemap"};
    if (reading->kind != FG_READ_HTML)
        return (struct fg_kind_verdict){FG_KIND_EMPTY, 1, "not an HTML page"};
    if (c->is_archive)
        return (struct fg_kind_verdict){FG_KIND_LIST, 1, "an archive of entries"};
    /* What a feed brings as news is not told apart by its address. */
    bool is_address =
        reading->verdict.kind == FG_KIND_LIST || reading->verdict.kind == FG_KIND_ACTION;
    if (c->is_vouched && is_address)
        return fg_kind_of_content(&reading->facts, reading->title);
    return lean_on_pattern(reading->verdict, c->pattern);
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

/* --- is it new? --- */

static enum fg_newness newness_so_far(uint32_t flags)
{
    return flags & FG_PAGE_OLD          ? FG_OLD
           : !(flags & FG_PAGE_AWAITED) ? FG_STOCK
           : flags & FG_PAGE_UNPROVEN   ? FG_UNPROVEN
                                        : FG_NEW;
}

/* Where pages carry dates, one that has none is not news: a page about the site, an
 * advertisement. Unless it is of a kind that has none, as tags beside commits. Offers are
 * not dated anywhere. */
static bool lacks_date(const struct fg_candidate *c, const struct fg_judgement *j,
                       const struct fg_reading *reading)
{
    enum { ENOUGH = 3 };
    /* The page itself has been counted by then. */
    struct fg_pattern pattern = *c->pattern;
    fg_pattern_learn(&pattern, j->came);
    pattern.dated += j->counts_date && j->has_day;
    uint32_t dated = c->dated + (j->counts_date && j->is_dated);
    return reading->facts.published_from == FG_NEVER && !c->is_in_feed &&
           !fg_pattern_is_undated(&pattern) && reading->facts.claim != FG_CLAIM_PRODUCT &&
           !reading->value.has_offer && dated >= ENOUGH && dated > 3 * c->undated_told;
}

static enum fg_newness newness_of(const struct fg_candidate *c,
                                  const struct fg_judgement *j,
                                  const struct fg_reading *reading)
{
    enum fg_newness before = newness_so_far(c->flags | j->set);
    enum fg_newness newness = fg_newness_by_date(
        before, &(struct fg_dating){.since = c->since,
                                    .now = c->now,
                                    .from = reading->facts.published_from,
                                    .until = reading->facts.published_until,
                                    .is_local = reading->facts.published_is_local});
    /* The second page of a topic bears the date of its first reply. */
    if (newness == FG_NEW && before != FG_NEW && c->is_continuation)
        newness = before;
    return newness;
}

/* --- to tell or not --- */

bool fg_judge_wants(unsigned report_kinds, enum fg_kind kind)
{
    static const unsigned reports[] = {[FG_KIND_PAGE] = FG_REPORT_PAGES,
                                       [FG_KIND_LIST] = FG_REPORT_LISTS,
                                       [FG_KIND_ACTION] = FG_REPORT_ACTIONS,
                                       [FG_KIND_ERROR] = FG_REPORT_OTHERS,
                                       [FG_KIND_EMPTY] = FG_REPORT_OTHERS};
    return report_kinds & reports[kind];
}

/* What a feed lists is content even if it looks like a list, as long as it does not look
 * too much like one. */
static bool is_content(const struct fg_candidate *c, struct fg_kind_verdict verdict)
{
    static const float sure = 0.95F;
    if (c->is_in_feed && verdict.kind == FG_KIND_LIST && verdict.certainty < sure)
        verdict.kind = FG_KIND_PAGE;
    return fg_judge_wants(c->report_kinds, verdict.kind);
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

/* A browser, a login or consent is needed to read what the feed tells of. */
static bool is_walled(const struct fg_judgement *j, const struct fg_candidate *c,
                      const struct fg_reading *reading)
{
    return c->is_vouched && j->newness == FG_NEW && reading->kind == FG_READ_HTML &&
           (j->verdict.kind == FG_KIND_EMPTY || (c->is_moved && c->is_copy_of_wall) ||
            (j->verdict.kind == FG_KIND_ACTION && reading->facts.has_password));
}

/* What comes of a candidate. */
static void decide(struct fg_judgement *j, const struct fg_candidate *c,
                   const struct fg_reading *reading)
{
    j->is_decided = true;
    if (j->newness == FG_NEW && j->verdict.kind == FG_KIND_PAGE &&
        lacks_date(c, j, reading))
        j->newness = FG_UNPROVEN;
    if (j->newness == FG_NEW && c->has_old_title)
        j->newness = FG_STOCK;
    bool by_feed = is_walled(j, c, reading);
    bool is_unwanted =
        !by_feed && (!is_content(c, j->verdict) ||
                     (c->is_further && !c->is_vouched &&
                      !fg_judge_wants(c->report_kinds, FG_KIND_LIST)) ||
                     (c->flags | j->set) & fg_judge_settled & ~(uint32_t)FG_PAGE_STOCK);
    bool is_copy = c->is_copy && !by_feed; /* all walls are alike */
    bool noindex = reading->noindex && !(by_feed && c->is_moved);
    j->is_worth = j->newness == FG_NEW && !is_unwanted && !is_copy && !noindex;
    j->is_told = j->is_worth && c->is_relevant;
    j->by_feed = by_feed;
    if (!j->is_told)
        j->turned_down =
            reason_of(j->newness, is_copy, noindex, is_unwanted, j->verdict.kind);
    j->clear |= FG_PAGE_AWAITED | FG_PAGE_UNPROVEN;
    j->set |= j->newness == FG_UNPROVEN ? FG_PAGE_UNPROVEN : 0u;
}

void fg_judge(struct fg_judgement *judgement, const struct fg_candidate *candidate,
              const struct fg_reading *reading)
{
    struct fg_judgement *j = judgement;
    const struct fg_candidate *c = candidate;
    *j =
        (struct fg_judgement){.verdict = verdict_of(reading, c), .turned_down = NOT_TOLD};
    j->came =
        came_of(j->verdict, c->is_copy, c->flags & FG_PAGE_DOCUMENT, reading->noindex);
    j->counts_date = j->verdict.kind == FG_KIND_PAGE && !c->is_copy;
    j->has_day = reading->facts.published_from != FG_NEVER;
    j->is_dated =
        j->has_day && (reading->facts.published_is_local ||
                       reading->facts.published_from == reading->facts.published_until);
    j->set =
        (c->is_copy ? FG_PAGE_DUPLICATE : 0u) | (reading->noindex ? FG_PAGE_NOINDEX : 0u);
    j->newness = newness_of(c, j, reading);
    if (c->flags & FG_PAGE_AWAITED || j->newness == FG_NEW)
        decide(j, c, reading);
    j->set |= j->newness == FG_OLD ? FG_PAGE_OLD : 0u;
    j->set |= j->verdict.kind == FG_KIND_LIST   ? FG_PAGE_LIST
              : j->verdict.kind != FG_KIND_PAGE ? FG_PAGE_OTHER_KIND
                                                : 0u;
}

bool fg_judge_unread(uint32_t flags, bool is_gone, bool is_in_feed, bool is_focused)
{
    return !is_gone && is_in_feed && !(flags & FG_PAGE_UNPROVEN) &&
           !(flags & fg_judge_settled) && !is_focused;
}
