#include "view/standing.h"

#include "crawl/judging/labels.h"
#include "view/ago.h"

/* First fetches that may fail before a page is given up, as in crawl/state.h. */
enum { MOST_FAILURES = 3 };

static const float sure = 0.8F; /* as crawl/result.c has it */

/* What the causes are found from. */
struct facts {
    const struct fg_look *look;
    const struct fg_site_row *site;
    const struct fg_page_row *page;
    struct fg_str url;
    struct fg_standing *standing;
};

static struct fg_cause cause(const char *word, struct fg_str words)
{
    return (struct fg_cause){word, words};
}

#define CAUSE(word, ...) cause(word, fg_arena_printf(f->look->texts, __VA_ARGS__))

/* --- what the site has learnt --- */

static void read_dropped(struct fg_standing *standing, struct fg_arena *arena,
                         struct fg_patterns *patterns, struct fg_str url)
{
    size_t mark = fg_str_chr(url, '?');
    struct fg_str query = mark == FG_NOT_FOUND ? FG_STR("") : fg_str_skip(url, mark + 1);
    while (query.len) {
        size_t end = 0;
        while (end < query.len && query.at[end] != '&' && query.at[end] != ';')
            end++;
        struct fg_str part = fg_str_sub(query, 0, end);
        struct fg_str key = fg_str_sub(part, 0, fg_str_chr(part, '='));
        if (fg_patterns_drops(patterns, url, key))
            fg_vec_push_in(arena, &standing->dropped, key);
        query = fg_str_skip(query, end < query.len ? end + 1 : end);
    }
    standing->reduced = fg_patterns_reduce(patterns, arena, url);
}

static void read_pattern(struct fg_standing *standing, const struct fg_look *look,
                         const struct fg_site_row *site, struct fg_str url)
{
    struct fg_patterns *patterns;
    struct fg_str bytes;
    struct fg_arena *arena = look->texts;
    bool is_stored = site && !fg_store_state(look->store, &bytes, arena, site->site,
                                             FG_PATTERNS_STATE, NULL);
    standing->has_pattern =
        fg_patterns_load(&patterns, is_stored ? bytes : FG_STR("")) && is_stored;
    read_dropped(standing, arena, patterns, url);
    standing->worth = fg_stock_worth(standing->reduced, patterns, look->now);
    standing->is_in_maze = fg_patterns_in_maze(patterns, standing->reduced);
    const struct fg_pattern *family = fg_patterns_family(patterns, standing->reduced);
    if (family)
        standing->family = *family;
    standing->pattern = *fg_patterns_find(patterns, standing->reduced);
    fg_patterns_free(patterns);
}

static struct fg_focus *focus_of(const struct fg_look *look)
{
    struct fg_linear classifier;
    fg_labels_classifier(&classifier, look->store);
    return fg_focus_new(&look->place.settings->focus, &classifier);
}

bool fg_standing_is_focused(const struct fg_look *look)
{
    struct fg_focus *focus = focus_of(look);
    bool is_focused = focus != NULL;
    fg_focus_free(focus);
    return is_focused;
}

/* --- told or not --- */

/* By the address alone: what may_be_told of crawl/result.c refuses. */
static struct fg_cause refused_by_address(const struct facts *f)
{
    const struct fg_standing *standing = f->standing;
    struct fg_kind_verdict kind = standing->kind;
    if (kind.kind != FG_KIND_PAGE && kind.certainty >= sure)
        return CAUSE(fg_kind_name(kind.kind), "its address is that of %s: %s",
                     kind.kind == FG_KIND_LIST ? "a list" : "an action", kind.reason);
    if (fg_pattern_is_trap(&standing->pattern))
        return CAUSE("trap", "nothing to report came of the pages of its pattern");
    if (standing->is_in_maze)
        return CAUSE("trap", "the pages of its family (%s) show what others show",
                     standing->family.text);
    if (fg_address_is_continuation(f->url) && !fg_pattern_is_content(&standing->pattern))
        return CAUSE("list", "its address is that of a further page of a list");
    return (struct fg_cause){0};
}

static struct fg_cause why_old(const struct facts *f)
{
    char published[FG_TIME_TEXT], since[FG_TIME_TEXT];
    fg_time_format(since, f->site->added / FG_SECOND * FG_SECOND);
    if (f->page->published == FG_NEVER)
        return CAUSE("old", "it is dated before the watch of its site began on %s",
                     since);
    fg_time_format(published, f->page->published / FG_SECOND * FG_SECOND);
    return CAUSE("old", "it is dated %s, and its site is watched since %s", published,
                 since);
}

static struct fg_cause why_copy(const struct facts *f)
{
    struct fg_str other = fg_look_alias(f->look, f->look->texts, f->page);
    return CAUSE("copy", "it shows what %.*s shows",
                 FG_ARG(other.len ? other : FG_STR("another page")));
}

/* What the page is. */
static struct fg_cause not_told_by_nature(const struct facts *f)
{
    uint32_t flags = f->page->flags;
    if (flags & FG_PAGE_ALIAS)
        return CAUSE("alias", "it leads to another page, which is judged by itself");
    if (flags & FG_PAGE_SEED)
        return CAUSE("named", "it was added by the user, not found");
    if (flags & FG_PAGE_EXCLUDED)
        return CAUSE("excluded", "robots.txt or a rule excludes it");
    if (flags & FG_PAGE_GONE)
        return CAUSE("gone", "it is not there");
    if (flags & FG_PAGE_DUPLICATE)
        return why_copy(f);
    if (flags & FG_PAGE_NOINDEX)
        return CAUSE("noindex", "it asks not to be indexed (noindex)");
    if (flags & (FG_PAGE_LIST | FG_PAGE_FEED | FG_PAGE_SITEMAP | FG_PAGE_SOURCE))
        return CAUSE("list", "it is a list of pages; crawl.report-kinds can change that");
    if (flags & FG_PAGE_OTHER_KIND)
        return CAUSE("other-kind",
                     "it is not a page to read: %s; crawl.report-kinds can "
                     "change that",
                     f->standing->kind.kind != FG_KIND_PAGE
                         ? f->standing->kind.reason
                         : "an action, an error or a page without text of its own");
    return (struct fg_cause){0};
}

/* Whether it is new. */
static struct fg_cause not_told_by_age(const struct facts *f)
{
    uint32_t flags = f->page->flags;
    if (flags & FG_PAGE_OLD)
        return why_old(f);
    if (flags & FG_PAGE_UNPROVEN && f->page->published != FG_NEVER)
        return CAUSE(
            "unproven",
            "nothing shows that it is new: its date may be from before the watch "
            "of its site began, and the list that shows it brings up old pages");
    if (flags & FG_PAGE_UNPROVEN)
        return CAUSE("unproven",
                     "nothing shows that it is new: it has no date of its own, and other "
                     "pages of its site have, or the list that shows it brings up old "
                     "pages");
    if (flags & FG_PAGE_STOCK)
        return CAUSE("stock", "it stood on a list or in a feed when that was first read");
    return (struct fg_cause){0};
}

static struct fg_cause not_told_else(const struct facts *f)
{
    struct fg_focus *focus = focus_of(f->look);
    bool is_irrelevant = focus && !(f->page->flags & FG_PAGE_RELEVANT);
    fg_focus_free(focus);
    if (f->page->failures)
        return CAUSE("failing", "it could not be fetched");
    if (is_irrelevant)
        return CAUSE("irrelevant", "it does not count in this focused crawl");
    struct fg_cause refused = refused_by_address(f);
    if (refused.word)
        return refused;
    if (f->page->visits)
        return CAUSE(
            "stock",
            "no list that was known before showed it as new, and it is not dated "
            "since the watch began");
    return CAUSE("stock",
                 "it was found on a page that was read for the first time, so it "
                 "may be of any age");
}

static struct fg_cause told_of(const struct facts *f)
{
    uint32_t flags = f->page->flags;
    if (flags & FG_PAGE_REPORTED)
        return CAUSE("reported", "it was reported as new");
    if (flags & FG_PAGE_AWAITED)
        return CAUSE("awaited",
                     flags & FG_PAGE_UNPROVEN
                         ? "it may be new: its own date decides when it is read"
                         : "it is taken to be new, and judged when it is read");
    struct fg_cause found = not_told_by_nature(f);
    if (!found.word)
        found = not_told_by_age(f);
    return found.word ? found : not_told_else(f);
}

/* --- fetched or not --- */

static struct fg_cause unfetched_for_good(const struct facts *f)
{
    const struct fg_crawl_options *settings = f->look->place.settings;
    struct fg_focus *focus = focus_of(f->look);
    bool is_watched = strcmp(fg_site_state_name(f->site->state), "watched") == 0;
    bool is_ruled_out = focus && is_watched && !fg_focus_admits(focus, f->url);
    fg_focus_free(focus);
    if (f->page->failures >= MOST_FAILURES)
        return CAUSE("failing", "it could not be fetched %u times in a row%s",
                     (unsigned)f->page->failures,
                     f->page->flags & FG_PAGE_SEED
                         ? "; as a seed it is tried again, at least once a day"
                         : ", and is not tried again");
    if (f->page->flags & FG_PAGE_AWAITED && !settings->exploring.fetch_discovered)
        return CAUSE("not-fetched", "crawl.fetch-discovered is 'no'");
    if (is_ruled_out)
        return CAUSE("irrelevant", "its address cannot be one of this focused crawl");
    return (struct fg_cause){0};
}

static struct fg_cause will_be_fetched(const struct facts *f)
{
    uint32_t flags = f->page->flags;
    if (f->page->failures)
        return CAUSE("waiting", "it could not be fetched %u %s; it is tried again",
                     (unsigned)f->page->failures,
                     f->page->failures == 1 ? "time" : "times");
    if (flags & FG_PAGE_AWAITED)
        return CAUSE("waiting", "it is taken to be new, and fetched before all else");
    if (flags & (FG_PAGE_SEED | FG_PAGE_FEED | FG_PAGE_SITEMAP))
        return CAUSE("waiting", "it waits for its first fetch, before all old pages");
    if (f->look->place.settings->exploring.backfill)
        return CAUSE("waiting", "it waits for its turn among the old pages "
                                "(crawl.backfill)");
    return (struct fg_cause){0};
}

static struct fg_cause trap_words(const struct facts *f)
{
    bool is_maze = f->standing->is_in_maze;
    const struct fg_pattern *pattern =
        is_maze ? &f->standing->family : &f->standing->pattern;
    char when[FG_AGO_TEXT];
    return CAUSE("trap",
                 "of %u pages of its %s %u were copies%s and %u of no use: one a day is "
                 "tried, the next %s",
                 fg_pattern_fetched(pattern), is_maze ? "family" : "pattern",
                 pattern->came[FG_CAME_COPY], is_maze ? " or lists of what is known" : "",
                 pattern->came[FG_CAME_OTHER],
                 fg_until(when, f->look->now, pattern->last_ask + FG_DAY));
}

/* An old page: crawl/sources/explore.c. */
static struct fg_cause unfetched_stock(struct facts *f)
{
    const struct fg_pattern *pattern = &f->standing->pattern;
    const char *state = fg_site_state_name(f->site->state);
    if (strcmp(state, "pages") == 0)
        return CAUSE("pages-only", "of its site only pages that were added, and new "
                                   "entries of feeds, are fetched");
    switch (f->standing->worth) {
    case FG_WORTH_ACTION:
        return CAUSE("action",
                     "its address is that of an action (edit, reply, print ...): %s",
                     f->standing->kind.reason);
    case FG_WORTH_TRAP:
        return trap_words(f);
    case FG_WORTH_SETTLED:
        return CAUSE(
            "settled",
            "an old page: of %u of its pattern none was a list or a document, so "
            "no more are fetched; crawl.backfill fetches all",
            fg_pattern_fetched(pattern));
    case FG_WORTH_FURTHER:
        return CAUSE("further-page",
                     "a further page of a list: those are read only where "
                     "pages do not say when they were published");
    case FG_WORTH_ITS_CONTENT:
        f->standing->is_to_be_fetched = true;
        return CAUSE("waiting", "it waits for its first fetch: pages of its pattern are "
                                "documents");
    case FG_WORTH_TRYING:
        break;
    }
    f->standing->is_to_be_fetched = strcmp(state, "exploring") == 0;
    if (f->standing->is_to_be_fetched)
        return CAUSE("waiting", "an old page that waits for its turn: those that may be "
                                "lists or documents go first");
    return CAUSE("stock",
                 "an old page: its site is explored, and one more is tried every "
                 "four hours at most; crawl.backfill fetches all");
}

static struct fg_cause unfetched(struct facts *f)
{
    struct fg_cause found = unfetched_for_good(f);
    if (found.word) {
        f->standing->is_to_be_fetched = /* seeds are tried again */
            f->page->flags & FG_PAGE_SEED && strcmp(found.word, "failing") == 0;
        return found;
    }
    found = will_be_fetched(f);
    f->standing->is_to_be_fetched = found.word != NULL;
    return found.word ? found : unfetched_stock(f);
}

/* Nothing was ever had of it. */
static bool is_unfetched(const struct fg_page_row *page)
{
    const uint32_t dealt_with = FG_PAGE_ALIAS | FG_PAGE_GONE | FG_PAGE_EXCLUDED |
                                FG_PAGE_SOURCE | FG_PAGE_DOCUMENT;
    return !(page->flags & dealt_with) &&
           (!page->visits || (page->failures && !page->content_hash));
}

void fg_standing_read(struct fg_standing *standing, const struct fg_look *look,
                      const struct fg_site_row *site, struct fg_str url,
                      const struct fg_page_row *page)
{
    *standing = (struct fg_standing){.kind = fg_kind_of_address(url)};
    read_pattern(standing, look, site, url);
    if (!site || !page)
        return;
    struct facts f = {look, site, page, url, standing};
    standing->told = told_of(&f);
    if (is_unfetched(page))
        standing->unfetched = unfetched(&f);
}

/* --- showing --- */

static struct fg_str record_words(const struct fg_pattern *p, bool is_trap,
                                  const struct fg_look *look)
{
    struct fg_arena *arena = look->texts;
    char ago[FG_AGO_TEXT];
    uint32_t fetched = fg_pattern_fetched(p);
    if (!fetched)
        return fg_arena_printf(arena, "%u known, none fetched yet", p->known);
    return fg_arena_printf(arena,
                           "%u known, %u fetched (pages %u, lists %u, documents %u, "
                           "copies %u, others %u), %u "
                           "reported%s%s%s",
                           p->known, fetched, p->came[FG_CAME_PAGE],
                           p->came[FG_CAME_LIST], p->came[FG_CAME_DOCUMENT],
                           p->came[FG_CAME_COPY], p->came[FG_CAME_OTHER], p->reported,
                           p->last_ask ? "; last asked " : "",
                           p->last_ask ? fg_ago(ago, look->now, p->last_ask) : "",
                           is_trap ? "; a trap: one request a day" : "");
}

/* --- fields --- */

static const struct fg_field kind_fields[] = {
    {"kind", NULL, FG_AS_NAME(struct fg_kind_verdict, kind, fg_kind_name),
     .help = "page, list or action"},
    {"certainty", NULL, FG_AS_FLOAT(struct fg_kind_verdict, certainty), .help = "0 to 1"},
    {"because", NULL, FG_AS_WORD(struct fg_kind_verdict, reason),
     .help = "what in the address says so"},
    {0},
};

#define CAME(as) FG_AS_COUNT(struct fg_pattern, came[as])
static const struct fg_field pattern_counts[] = {
    {"pages", NULL, CAME(FG_CAME_PAGE), .help = "of those fetched"},
    {"lists", NULL, CAME(FG_CAME_LIST), .help = "of those fetched"},
    {"documents", NULL, CAME(FG_CAME_DOCUMENT), .help = "of those fetched"},
    {"copies", NULL, CAME(FG_CAME_COPY), .help = "of those fetched"},
    {"others", NULL, CAME(FG_CAME_OTHER), .help = "of those fetched: of no use"},
    {"reported", NULL, FG_AS_COUNT(struct fg_pattern, reported), .help = "as new"},
    {0},
};

#define P struct fg_pattern_shown
static const struct fg_field pattern_fields[] = {
    {"text", "pattern", FG_AS_TEXT(P, text), .help = "the pattern of its address"},
    {"known", NULL, FG_AS_COUNT(P, pattern.known), .help = "pages of that pattern"},
    {"fetched", NULL, FG_AS_COUNT(P, fetched), .help = "of them"},
    {NULL, "", FG_AS_RECORD(P, pattern, pattern_counts)},
    {"is_trap", NULL, FG_AS_YES(P, is_trap), .help = "tried once a day only"},
    {"last_asked", NULL, FG_AS_TIME(P, last_asked), .help = "the last fetch of one"},
    {NULL, "", FG_AS_TEXT(P, words)},
    {0},
};

static const struct fg_field family_fields[] = {
    {"text", "family", FG_AS_TEXT(P, text),
     .help = "one path with any parameters, or one folder"},
    {"known", NULL, FG_AS_COUNT(P, pattern.known), .help = "pages of that family"},
    {"fetched", NULL, FG_AS_COUNT(P, fetched), .help = "of them"},
    {NULL, "", FG_AS_RECORD(P, pattern, pattern_counts)},
    {"is_trap", NULL, FG_AS_YES(P, is_trap), .help = "tried once a day only"},
    {"last_asked", NULL, FG_AS_TIME(P, last_asked), .help = "the last fetch of one"},
    {NULL, "", FG_AS_TEXT(P, words)},
    {0},
};
#undef P

static const struct fg_field cause_fields[] = {
    {"cause", NULL, FG_AS_WORD(struct fg_cause, word), .help = "in a word"},
    {"because", NULL, FG_AS_TEXT(struct fg_cause, words), .help = "in words"},
    {0},
};

#define S struct fg_standing_shown
const struct fg_field fg_standing_fields[] = {
    {"looks_like", NULL, FG_AS_RECORD(S, kind, kind_fields),
     .help = "what its address looks like"},
    {NULL, "looks like", FG_AS_TEXT(S, looks_like)},
    {"pattern", "", FG_AS_RECORD_AT(S, pattern, pattern_fields),
     .help = "what came of addresses like it"},
    {"family", "", FG_AS_RECORD_AT(S, family, family_fields),
     .help = "what came of addresses of the same program or folder"},
    {"without_effect", NULL, FG_AS_TEXTS(S, dropped),
     .help = "parameters that are taken off"},
    {NULL, "no effect", FG_AS_TEXTS(S, dropped_words)},
    {"told", NULL, FG_AS_RECORD_AT(S, told, cause_fields),
     .help = "why it was or was not reported"},
    {"not_fetched", NULL, FG_AS_RECORD_AT(S, unfetched, cause_fields),
     .help = "why it was never fetched"},
    {NULL, "reported", FG_AS_TEXT(S, reported)},
    {NULL, "not reported", FG_AS_TEXT(S, not_reported)},
    {NULL, "not fetched", FG_AS_TEXT(S, not_fetched)},
    {0},
};
#undef S

static struct fg_pattern_shown *pattern_shown(const struct fg_pattern *p, bool is_trap,
                                              const struct fg_look *look)
{
    struct fg_pattern_shown *shown = FG_NEW(look->texts, struct fg_pattern_shown, 1);
    *shown = (struct fg_pattern_shown){.pattern = *p,
                                       .fetched = fg_pattern_fetched(p),
                                       .is_trap = is_trap,
                                       .last_asked = p->last_ask ? p->last_ask : FG_NEVER,
                                       .words = record_words(p, is_trap, look)};
    shown->text = fg_str_from(shown->pattern.text);
    return shown;
}

static struct fg_texts dropped_words(const struct fg_standing *standing,
                                     struct fg_arena *arena)
{
    struct fg_str *words = FG_NEW(arena, struct fg_str, standing->dropped.len);
    for (size_t i = 0; i < standing->dropped.len; i++)
        words[i] = fg_arena_printf(arena,
                                   "parameter '%.*s' is taken off: pages were the same "
                                   "whatever it was",
                                   FG_ARG(fg_str_sub(standing->dropped.at[i], 0, 100)));
    return (struct fg_texts){words, standing->dropped.len};
}

void fg_standing_show(struct fg_standing_shown *shown, const struct fg_standing *standing,
                      const struct fg_look *look)
{
    struct fg_kind_verdict kind = standing->kind;
    const struct fg_cause *told = &standing->told;
    const struct fg_pattern *pattern = &standing->pattern, *family = &standing->family;
    bool is_trap = fg_pattern_is_trap(pattern), is_maze = fg_family_is_trap(family);
    bool is_told = told->word && strcmp(told->word, "reported") == 0;
    *shown = (struct fg_standing_shown){
        .kind = kind,
        .looks_like = kind.kind == FG_KIND_PAGE
                          ? FG_STR("a page")
                          : fg_arena_printf(look->texts, "%s, by its address: %s",
                                            fg_kind_name(kind.kind), kind.reason),
        .pattern = standing->has_pattern ? pattern_shown(pattern, is_trap, look) : NULL,
        .family = family->text[0] ? pattern_shown(family, is_maze, look) : NULL,
        .dropped = {standing->dropped.at, standing->dropped.len},
        .dropped_words = dropped_words(standing, look->texts),
        .told = told->word ? told : NULL,
        .unfetched = standing->unfetched.word ? &standing->unfetched : NULL,
        .not_fetched = standing->unfetched.words,
    };
    *(is_told ? &shown->reported : &shown->not_reported) = told->words;
}
