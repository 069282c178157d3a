/* facts.c - one walk over a page, taking down what tells articles from lists
 *
 * The main part is what is neither marked as something else (nav, aside, header, footer,
 * or by a class that says so) nor outside the main element where there is one. Classes
 * are believed only as long as enough is left: "with-sidebar" is a class of whole pages.
 *
 * An entry is a row, list item or article that holds a link and little else; what stands
 * between headings that link elsewhere counts as listed too. What is left of the words of
 * the main part is text of the page's own. */
#include "net/facts/facts.h"

#include "net/facts/facts_entry.h"
#include "net/facts/facts_parts.h"
#include "net/html/main_text.h"
#include "net/text/date.h"
#include "net/text/prose.h"
#include "net/text/word_list.h"

enum {
    OPEN_ENTRIES_MAX = 32,
    FEW_WORDS = 10,     /* that a main element must have */
    TEASER_WORDS = 150, /* below a heading that links elsewhere */
    LOOSE_WORDS = 30,   /* of a paragraph that is an entry */
    HEADER_WORDS = 60,  /* words between a heading and the date below it */
    TEXT_MAX = 400,     /* bytes of a heading or a date that we keep */
    CLASS_MAX = 1024,   /* bytes of a class attribute that we look at */
    SHELL_WORDS = 25,   /* of a page that a script fills */
};

/* What holds for an element and all that is in it. */
enum region {
    ASIDE = 1,       /* marked by its element or role */
    ASIDE_CLASS = 2, /* marked by its class or id */
    MAIN = 4,
    LINKED = 8,
    HEADING = 16,
    ARTICLE = 32,
    PRE = 64,
    SECTION = 128,
    OWN = 256, /* a link to a view of the page itself: of no weight */
};

/* Counted four times: all but ASIDE, without ASIDE_CLASS, and of these in articles and in
 * the main element. */
enum scope { SCOPE_ALL, SCOPE_CLASS, SCOPE_ARTICLE, SCOPE_MAIN, SCOPES };
struct tally {
    unsigned words, link_words, links, listed, entries, headings, linked_headings;
    unsigned pre_words, pre_links, excerpts, excerpt_words;
};

/* Of preformatted text. */
struct line {
    unsigned words, link_words, links;
};

/* A text being taken down until its element closes. */
struct capture {
    size_t depth; /* 0: none */
    unsigned words, link_words;
    bool links_elsewhere, links_home;
    enum fg_tag tag;
    struct fg_prose text;
};

struct reader {
    struct fg_facts *facts;
    struct fg_arena *arena;
    const struct fg_page *page;
    struct tally tally[SCOPES];
    uint16_t region[FG_NEST_MAX];
    struct fg_facts_entry entries[OPEN_ENTRIES_MAX];
    size_t n_entries;
    size_t article_depth; /* of the outermost that is open; 0: none */
    struct capture heading, named, date;
    bool date_is_modified;
    unsigned teaser_words;
    struct line line;
    bool after_listed_dt, after_listed_line;
    bool after_linked_heading; /* what comes is an excerpt of something else */
    unsigned n_things[FG_CLAIM_OTHER + 1], n_hentries;
    enum fg_claim item_claim; /* of the item that the h1 is in */
    size_t item_depth;        /* of the outermost article or product that is open */
    enum fg_claim open_claim, body_claim;
    unsigned header_words; /* since the heading */
    bool in_header;        /* behind the first heading, before the text */
    fg_time time_published, time_modified, item_published, item_modified;
    enum fg_grain time_grain, item_grain;
    bool happens;
    struct fg_facts_titles titles;
    struct fg_form form;
    struct fg_marks marks;
    struct fg_dateline dateline;
    struct fg_timed timed;
    struct fg_own_links own;
    fg_time now;
    unsigned scripts, all_words;
    bool has_app_root, has_consent, has_pager_class;
};

const struct fg_facts fg_facts_none = {.published = FG_NEVER,
                                       .published_from = FG_NEVER,
                                       .published_until = FG_NEVER,
                                       .modified = FG_NEVER};

/* --- attributes --- */

static bool attr(const struct fg_walk *walk, struct fg_str name, struct fg_str *value)
{
    return fg_html_may_have(&walk->token, name) &&
           fg_html_attr(&walk->token, name, value);
}

static unsigned marks_of_element(struct reader *r, const struct fg_walk *walk)
{
    struct fg_str value;
    unsigned marks = 0;
    if (attr(walk, FG_STR("class"), &value))
        marks |= fg_marks_of(&r->marks, value) & ~(unsigned)FG_MARK_APP;
    if (attr(walk, FG_STR("id"), &value)) {
        marks |= fg_marks_of(&r->marks, value);
        fg_own_links_add_anchor(&r->own, value);
    }
    return marks;
}

/* --- regions --- */

static unsigned region_of_role(const struct fg_walk *walk)
{
    struct fg_str role;
    if (!attr(walk, FG_STR("role"), &role))
        return 0;
    role = fg_str_trim(role);
    if (fg_word_in(role, "navigation banner contentinfo complementary search menu "
                         "menubar toolbar dialog alertdialog"))
        return ASIDE;
    return fg_word_in(role, "main") ? MAIN : 0;
}

/* A header or footer is that of the page, unless an article or section is around it. */
static unsigned region_of_tag(enum fg_tag tag, unsigned outer)
{
    switch (tag) {
    case FG_TAG_NAV:
    case FG_TAG_ASIDE:
    case FG_TAG_BUTTON:
    case FG_TAG_SELECT:
    case FG_TAG_MENU:
    case FG_TAG_DIALOG:
        return ASIDE;
    case FG_TAG_HEADER:
    case FG_TAG_FOOTER:
        return outer & (MAIN | ARTICLE | SECTION) ? 0 : ASIDE;
    case FG_TAG_SECTION:
        return SECTION;
    case FG_TAG_A:
        return LINKED;
    case FG_TAG_MAIN:
        return MAIN;
    case FG_TAG_ARTICLE:
        return ARTICLE;
    case FG_TAG_PRE:
        return PRE;
    default:
        return fg_tag_traits[tag] & FG_TRAIT_HEADING ? HEADING : 0;
    }
}

static bool is_counted(unsigned region, enum scope scope)
{
    static const unsigned without[SCOPES] = {ASIDE, ASIDE | ASIDE_CLASS,
                                             ASIDE | ASIDE_CLASS, ASIDE | ASIDE_CLASS};
    static const unsigned within[SCOPES] = {0, 0, ARTICLE, MAIN};
    return !(region & (without[scope] | OWN)) &&
           (region & within[scope]) == within[scope];
}

static unsigned region_now(const struct reader *r, const struct fg_walk *walk)
{
    return r->region[walk->depth];
}

/* --- counting --- */

/* Those that are loose are left to the heading above them. */
static bool in_entry(const struct reader *r)
{
    for (size_t i = 0; i < r->n_entries; i++)
        if (r->entries[i].tag != FG_TAG_DIV && r->entries[i].tag != FG_TAG_P)
            return true;
    return false;
}

static struct fg_facts_entry *innermost(struct reader *r)
{
    return r->n_entries ? &r->entries[r->n_entries - 1] : NULL;
}

static void add_words(struct reader *r, unsigned region, struct fg_str text, unsigned n)
{
    for (enum scope scope = 0; scope < SCOPES; scope++) {
        if (!is_counted(region, scope))
            continue;
        struct tally *tally = &r->tally[scope];
        *(region & LINKED ? &tally->link_words : &tally->words) += n;
        tally->pre_words += region & PRE && !(region & LINKED) ? n : 0;
        if (r->after_linked_heading && !(region & LINKED) && !in_entry(r))
            tally->listed += n;
    }
    r->teaser_words += n;
    r->after_linked_heading &= r->teaser_words < TEASER_WORDS;
    if (r->n_entries && !(region & OWN))
        fg_entry_add_text(innermost(r), text, n, region & LINKED);
}

/* The end of a line of preformatted text: an entry if it is mostly a link, and so is a
 * short line below it. */
static void end_line(struct reader *r, unsigned region)
{
    struct line *line = &r->line;
    unsigned words = line->words + line->link_words;
    bool is_entry_line =
        line->links && words <= LOOSE_WORDS && line->link_words * 3 >= words;
    bool is_below = r->after_listed_line && !line->links && words <= LOOSE_WORDS / 2;
    for (enum scope scope = 0; scope < SCOPES; scope++)
        if (is_counted(region, scope) && (is_entry_line || is_below)) {
            r->tally[scope].listed += line->words;
            r->tally[scope].entries += is_entry_line;
        }
    r->after_listed_line = is_entry_line;
    *line = (struct line){0};
}

static void add_lines(struct reader *r, unsigned region, struct fg_str text)
{
    struct fg_str part;
    while (fg_str_cut(&text, '\n', &part)) {
        *(region & LINKED ? &r->line.link_words : &r->line.words) += fg_count_words(part);
        if (text.at) /* there was a line feed */
            end_line(r, region);
    }
}

static void open_entry(struct reader *r, const struct fg_walk *walk)
{
    if (r->n_entries < OPEN_ENTRIES_MAX)
        r->entries[r->n_entries++] =
            (struct fg_facts_entry){.depth = walk->depth,
                                    .region = r->region[walk->depth],
                                    .tag = walk->token.tag};
}

static void close_entry(struct reader *r)
{
    const struct fg_facts_entry *entry = &r->entries[--r->n_entries];
    struct fg_facts_entry *outer = innermost(r);
    bool counts = fg_entry_is_listed(entry, r->after_listed_dt);
    bool is_excerpt = !counts && fg_entry_is_excerpt(entry);
    if (entry->tag == FG_TAG_DT)
        r->after_listed_dt = counts;
    if (!counts && outer) {
        fg_entry_join(outer, entry);
        outer->holds_excerpts |= is_excerpt;
    }
    for (enum scope scope = 0; scope < SCOPES; scope++) {
        struct tally *tally = &r->tally[scope];
        if (!is_counted(entry->region, scope))
            continue;
        tally->listed += counts ? entry->words : 0;
        tally->entries += counts;
        tally->excerpts += is_excerpt;
        tally->excerpt_words += is_excerpt ? entry->words : 0;
    }
}

/* --- dates --- */

static void keep_item_date(struct reader *r, struct fg_str text, bool is_modified)
{
    fg_time *kept = is_modified ? &r->item_modified : &r->item_published;
    if (*kept == FG_NEVER)
        *kept = fg_facts_date(text, is_modified ? NULL : &r->item_grain);
}

static void keep_time(struct reader *r, struct fg_str text, bool is_modified)
{
    fg_time *kept = is_modified ? &r->time_modified : &r->time_published;
    if (*kept == FG_NEVER)
        *kept = fg_facts_date(text, is_modified ? NULL : &r->time_grain);
}

/* In an entry that is not the page's only article. */
static bool in_list(const struct reader *r)
{
    for (size_t i = 0; i < r->n_entries; i++)
        if (!fg_entry_is_loose(r->entries[i].tag) &&
            r->entries[i].depth != r->article_depth)
            return true;
    return false;
}

/* Is it where an article's own date stands? Behind its heading and before its text, or
 * before the heading in the header that holds both; not in an entry of a list. */
static bool is_in_header(const struct reader *r, const struct fg_walk *walk)
{
    unsigned region = region_now(r, walk);
    if (region & ASIDE || in_list(r) || r->after_linked_heading)
        return false;
    return r->in_header ||
           (!r->titles.n_h1 && region & ARTICLE && r->facts->n_articles == 1);
}

static void start_capture(struct capture *capture, size_t depth)
{
    fg_prose_reset(&capture->text);
    *capture = (struct capture){.depth = depth, .text = capture->text};
}

static void on_time(struct reader *r, const struct fg_walk *walk, unsigned marks,
                    bool is_open)
{
    struct fg_str value;
    bool is_modified = marks & FG_MARK_UPDATED && !(marks & FG_MARK_PUBLISHED);
    bool is_abbr = fg_str_eq_nocase(walk->token.text, FG_STR("abbr"));
    if (!is_in_header(r, walk))
        return;
    if (attr(walk, FG_STR("datetime"), &value) ||
        (is_abbr && attr(walk, FG_STR("title"), &value))) {
        keep_time(r, fg_html_decode(r->arena, value, FG_HTML_VALUE), is_modified);
    } else if (is_open && !r->date.depth) {
        start_capture(&r->date, walk->depth);
        r->date_is_modified = is_modified;
    }
}

static void on_item_date(struct reader *r, const struct fg_walk *walk)
{
    struct fg_str names, value;
    if (!attr(walk, FG_STR("itemprop"), &names))
        return;
    bool is_published =
        fg_word_in(fg_str_trim(names), "datepublished datecreated uploaddate");
    bool is_modified = fg_word_in(fg_str_trim(names), "datemodified");
    r->happens |= fg_word_in(fg_str_trim(names), "startdate");
    /* Those of the articles of a list are within items that the h1 is not in. */
    if ((!is_published && !is_modified) ||
        (r->n_things[FG_CLAIM_ARTICLE] > 1 && r->item_claim == FG_CLAIM_NONE))
        return;
    if (attr(walk, FG_STR("content"), &value) || attr(walk, FG_STR("datetime"), &value))
        keep_item_date(r, fg_html_decode(r->arena, value, FG_HTML_VALUE), is_modified);
}

/* --- elements --- */

static void on_item(struct reader *r, const struct fg_walk *walk, bool is_open)
{
    struct fg_str type;
    if (r->item_depth || !attr(walk, FG_STR("itemtype"), &type))
        return;
    enum fg_claim claim = fg_claim_of_type(fg_str_sub(type, 0, CLASS_MAX));
    if (claim != FG_CLAIM_ARTICLE && claim != FG_CLAIM_PRODUCT)
        return;
    r->n_things[claim]++;
    if (is_open) {
        r->item_depth = walk->depth;
        r->open_claim = claim;
    }
}

static bool is_elsewhere(const struct reader *r, struct fg_str href)
{
    struct fg_str canonical = r->page->canonical;
    href = fg_str_trim(href);
    if (!href.len || href.at[0] == '#')
        return false;
    return !canonical.len || !fg_str_ends(canonical, href);
}

static void on_link(struct reader *r, const struct fg_walk *walk, bool is_open)
{
    struct fg_str href;
    if (!attr(walk, FG_STR("href"), &href))
        return;
    if (is_open && fg_own_links_has(&r->own, href)) {
        r->region[walk->depth] |= OWN;
        return;
    }
    unsigned region = region_now(r, walk);
    for (enum scope scope = 0; scope < SCOPES; scope++) {
        r->tally[scope].links += is_counted(region, scope);
        r->tally[scope].pre_links += region & PRE && is_counted(region, scope);
    }
    r->line.links += region & PRE && href.len && href.at[0] != '#';
    if (r->n_entries && href.len && href.at[0] != '#')
        r->entries[r->n_entries - 1].links++;
    if (r->heading.depth && is_elsewhere(r, href))
        r->heading.links_elsewhere = true;
    if (r->heading.depth && fg_href_is_home(href))
        r->heading.links_home = true;
}

static void on_body(struct reader *r, const struct fg_walk *walk)
{
    struct fg_str value;
    if (attr(walk, FG_STR("class"), &value))
        r->body_claim = fg_claim_of_body(fg_str_sub(value, 0, CLASS_MAX));
}

static void open_heading(struct reader *r, const struct fg_walk *walk)
{
    if (r->heading.depth)
        return;
    start_capture(&r->heading, walk->depth);
    r->heading.tag = walk->token.tag;
    if (region_now(r, walk) & LINKED)
        r->heading.links_elsewhere = true;
    if (walk->token.tag == FG_TAG_H1 && r->item_depth)
        r->item_claim = r->open_claim;
}

/* JSON-LD and other data in a script element need no browser. */
static bool is_code(const struct fg_walk *walk)
{
    struct fg_str type;
    return !attr(walk, FG_STR("type"), &type) ||
           fg_str_find(type, FG_STR("json")) == FG_NOT_FOUND;
}

/* What an element means by its name. */
static void on_tag(struct reader *r, const struct fg_walk *walk, bool is_open)
{
    switch (walk->token.tag) {
    case FG_TAG_A:
        on_link(r, walk, is_open);
        break;
    case FG_TAG_INPUT:
    case FG_TAG_BUTTON:
    case FG_TAG_TEXTAREA:
        fg_form_field(&r->form, walk);
        break;
    case FG_TAG_SCRIPT:
        r->scripts += is_code(walk);
        break;
    case FG_TAG_BODY:
        on_body(r, walk);
        break;
    case FG_TAG_ARTICLE:
        r->facts->n_articles += !r->article_depth;
        if (is_open && !r->article_depth) {
            r->article_depth = walk->depth;
            r->after_linked_heading = false;
        }
        break;
    default:
        if (is_open && fg_tag_traits[walk->token.tag] & FG_TRAIT_HEADING)
            open_heading(r, walk);
    }
}

static void on_marks(struct reader *r, const struct fg_walk *walk, unsigned marks,
                     bool is_open)
{
    r->has_consent |= (marks & FG_MARK_CONSENT) != 0;
    r->has_pager_class |= (marks & FG_MARK_PAGER) != 0;
    r->has_app_root |= (marks & FG_MARK_APP) != 0;
    r->n_hentries += (marks & FG_MARK_HENTRY) && walk->token.tag != FG_TAG_ARTICLE;
    bool is_time = fg_str_eq_nocase(walk->token.text, FG_STR("time"));
    if (is_time || marks & (FG_MARK_PUBLISHED | FG_MARK_UPDATED))
        on_time(r, walk, marks | r->timed.marks, is_open);
    if (marks & FG_MARK_TITLE && is_open && !r->named.depth && !r->titles.named.len &&
        !(fg_tag_traits[walk->token.tag] & FG_TRAIT_HEADING) && !in_list(r))
        start_capture(&r->named, walk->depth);
}

static void on_element(struct reader *r, const struct fg_walk *walk, bool is_open)
{
    enum fg_tag tag = walk->token.tag;
    size_t outer = is_open ? walk->depth - 1 : walk->depth;
    unsigned region = r->region[outer], marks = 0;
    if (walk->token.attr_marks) {
        marks = marks_of_element(r, walk);
        region |= region_of_role(walk);
    }
    if (marks & FG_MARK_ASIDE && tag != FG_TAG_BODY && tag != FG_TAG_ARTICLE &&
        tag != FG_TAG_MAIN && tag != FG_TAG_HTML)
        region |= ASIDE_CLASS;
    if (is_open) {
        region |= region_of_tag(tag, region);
        r->region[walk->depth] = (uint16_t)region;
        if (fg_entry_starts(tag, innermost(r)))
            open_entry(r, walk);
    }
    on_item(r, walk, is_open);
    on_tag(r, walk, is_open);
    on_marks(r, walk, marks, is_open);
    on_item_date(r, walk);
}

static struct fg_str kept_text(struct reader *r, struct capture *capture)
{
    capture->depth = 0;
    return fg_arena_dup(r->arena, fg_prose_str(&capture->text));
}

static void count_heading(struct reader *r, unsigned region, bool is_linked)
{
    for (enum scope scope = 0; scope < SCOPES; scope++)
        if (is_counted(region, scope)) {
            r->tally[scope].headings++;
            r->tally[scope].linked_headings += is_linked;
        }
    r->after_linked_heading = is_linked;
    r->teaser_words = 0;
    struct fg_facts_entry *entry = innermost(r);
    if (entry)
        entry->is_headed = true;
    if (entry && !fg_entry_is_loose(entry->tag) && !entry->headings++)
        entry->is_teaser = is_linked;
}

static void close_heading(struct reader *r, const struct fg_walk *walk)
{
    struct capture *heading = &r->heading;
    struct fg_str text = fg_prose_str(&heading->text);
    unsigned region = region_now(r, walk);
    heading->depth = 0;
    if (heading->links_home && !r->titles.site.len)
        r->titles.site = fg_arena_dup(r->arena, text);
    if (heading->links_home || region & ASIDE || !text.len)
        return;
    /* Blogs link the title of an article to itself. */
    bool is_own = text.len > 3 && fg_str_find(r->page->title, text) != FG_NOT_FOUND;
    bool is_linked = heading->links_elsewhere && !is_own &&
                     heading->link_words * 2 > heading->words + heading->link_words;
    count_heading(r, region, is_linked);
    if (is_own && text.len > r->titles.own_heading.len)
        r->titles.own_heading = fg_arena_dup(r->arena, text);
    bool is_h1 = heading->tag == FG_TAG_H1;
    bool is_of_article = is_h1 || is_own || (!r->titles.n_h1 && region & ARTICLE);
    r->in_header = !is_linked && (is_of_article || r->in_header);
    if (is_of_article)
        r->header_words = 0;
    if (is_h1 && !r->titles.n_h1++)
        r->titles.h1 = fg_arena_dup(r->arena, text);
}

static void on_close(struct reader *r, const struct fg_walk *walk)
{
    size_t depth = walk->depth;
    while (r->n_entries && r->entries[r->n_entries - 1].depth >= depth)
        close_entry(r);
    if (r->heading.depth == depth)
        close_heading(r, walk);
    if (r->named.depth == depth)
        r->titles.named = kept_text(r, &r->named);
    if (r->date.depth == depth)
        keep_time(r, kept_text(r, &r->date), r->date_is_modified);
    if (r->article_depth == depth) {
        r->article_depth = 0;
        r->after_linked_heading = false;
    }
    if (r->item_depth == depth)
        r->item_depth = 0;
}

static void on_text(struct reader *r, const struct fg_walk *walk)
{
    if (!fg_walk_is_seen(walk))
        return;
    unsigned region = region_now(r, walk), n = fg_count_words(walk->token.text);
    r->all_words += n;
    if (r->heading.depth) {
        fg_walk_add_text(walk, &r->heading.text);
        *(region & LINKED ? &r->heading.link_words : &r->heading.words) += n;
    } else if (n && r->in_header && !(region & LINKED) && !(region & ASIDE)) {
        r->header_words += n;
        r->in_header = r->header_words <= HEADER_WORDS;
    }
    /* Labels behind a title are links. */
    if (r->named.depth && !(region & LINKED && r->named.text.len))
        fg_walk_add_text(walk, &r->named.text);
    if (r->date.depth)
        fg_walk_add_text(walk, &r->date.text);
    if (region & PRE)
        add_lines(r, region, walk->token.text);
    if (n)
        add_words(r, region, walk->token.text, n);
}

/* A date in a line counts unless the line is in an entry of a list, behind its link. */
static void see_dateline(struct reader *r, const struct fg_walk *walk,
                         enum fg_walk_step step)
{
    unsigned region = region_now(r, walk);
    struct fg_dateline_place place = {
        .depth = walk->depth,
        .is_outside = region & (ASIDE | ASIDE_CLASS) || r->after_linked_heading,
        .is_linked = region & LINKED,
        .is_pre = region & PRE,
        .is_entry = in_list(r),
        .is_headed = r->in_header,
        .is_above = !r->in_header && !r->titles.n_h1 && region & (MAIN | ARTICLE)};
    for (size_t i = 0; i < r->n_entries; i++) {
        enum fg_tag tag = r->entries[i].tag;
        if (fg_entry_is_loose(tag) || r->entries[i].depth == r->article_depth)
            continue;
        place.is_row = tag == FG_TAG_TR || tag == FG_TAG_DT || tag == FG_TAG_DD;
        place.is_listed = r->entries[i].links > 0;
    }
    fg_dateline_see(&r->dateline, walk, step, &place);
}

static void see(void *context, const struct fg_walk *walk, enum fg_walk_step step)
{
    struct reader *r = context;
    if (!fg_dateline_is_done(&r->dateline))
        see_dateline(r, walk, step);
    if (!(region_now(r, walk) & (ASIDE | ASIDE_CLASS)) && !in_list(r))
        fg_timed_see(&r->timed, r->arena, walk, step);
    if (step == FG_WALK_OPEN || step == FG_WALK_EMPTY)
        on_element(r, walk, step == FG_WALK_OPEN);
    else if (step == FG_WALK_CLOSE)
        on_close(r, walk);
    else
        on_text(r, walk);
}

/* --- what is made of it --- */

static unsigned words_of(const struct tally *tally)
{
    return tally->words + tally->link_words;
}

/* The main element, unless it holds next to nothing of what there is. */
static const struct tally *choose_scope(const struct reader *r)
{
    const struct tally *all = &r->tally[SCOPE_ALL], *class = &r->tally[SCOPE_CLASS];
    const struct tally *main = &r->tally[SCOPE_MAIN];
    const struct tally *article = &r->tally[SCOPE_ARTICLE];
    if (words_of(main) >= FEW_WORDS && main->words * 8 > class->words)
        return main;
    if (r->facts->n_articles == 1 && article->words >= FEW_WORDS &&
        article->words * 4 > class->words)
        return article;
    return words_of(class) * 10 < words_of(all) ? all : class;
}

static void read_counts(struct reader *r)
{
    struct fg_facts *facts = r->facts;
    const struct tally *chosen = choose_scope(r);
    facts->main.words = chosen->words;
    facts->main.link_words = chosen->link_words;
    facts->main.links = chosen->links;
    facts->main.listed_words =
        chosen->listed < chosen->words ? chosen->listed : chosen->words;
    facts->main.pre_words = chosen->pre_words;
    facts->main.pre_links = chosen->pre_links;
    facts->n_entries = chosen->entries;
    facts->n_headings = chosen->headings;
    facts->n_linked_headings = chosen->linked_headings;
    facts->n_excerpts = chosen->excerpts;
    facts->excerpt_words = chosen->excerpt_words;
}

/* --- dates --- */

static void read_dates(struct reader *r, const struct fg_facts_thing *thing,
                       struct fg_str html)
{
    struct fg_facts *facts = r->facts;
    enum fg_grain grain = FG_GRAIN_MOMENT;
    struct fg_str published = fg_facts_published(r->page);
    struct fg_str modified = fg_facts_modified(r->page);
    /* In the text of a list are the dates of others, in that of an event when it is. */
    bool is_mute =
        (facts->n_articles > 1 && !r->titles.n_h1) || thing->happens || r->happens;
    facts->published = fg_facts_date(thing->published, &grain);
    if (facts->published == FG_NEVER)
        facts->published = fg_facts_date(published, &grain);
    if (facts->published == FG_NEVER && r->item_published != FG_NEVER) {
        facts->published = r->item_published;
        grain = r->item_grain;
    }
    if (facts->published == FG_NEVER && !is_mute)
        facts->published = fg_timed_date(&r->timed, r->now, &grain);
    bool is_to_come = r->now != FG_NEVER &&
                      r->time_published > r->now + fg_facts_most_ahead(r->time_grain);
    if (facts->published == FG_NEVER && !is_mute && !is_to_come) {
        facts->published = r->time_published;
        grain = r->time_grain;
    }
    if (facts->published == FG_NEVER && !is_mute)
        facts->published = fg_dateline_date(&r->dateline, html, &grain);
    fg_facts_set_span(facts, grain, is_mute ? NULL : fg_dateline_seen(&r->dateline));
    facts->modified = fg_facts_date(thing->modified, NULL);
    if (facts->modified == FG_NEVER)
        facts->modified = fg_facts_date(modified, NULL);
    if (facts->modified == FG_NEVER)
        facts->modified = r->item_modified;
    if (facts->modified == FG_NEVER && !is_mute)
        facts->modified = r->time_modified;
}

/* --- claim --- */

static void read_claim(struct reader *r, const struct fg_facts_thing *thing)
{
    enum fg_claim of_metas = fg_claim_of_metas(r->page);
    enum fg_claim of_items =
        r->item_claim ? r->item_claim : fg_claim_of_items(r->n_things);
    enum fg_claim claim = r->body_claim;
    if (claim == FG_CLAIM_NONE || thing->claim == FG_CLAIM_PRODUCT)
        claim = thing->claim != FG_CLAIM_OTHER ? thing->claim : FG_CLAIM_NONE;
    if (claim == FG_CLAIM_NONE)
        claim = of_items;
    r->facts->claims_strongly = claim != FG_CLAIM_NONE;
    if (claim == FG_CLAIM_NONE)
        claim = of_metas;
    if (claim == FG_CLAIM_NONE)
        claim = thing->claim;
    r->facts->claim = claim;
}

/* --- what the page is for --- */

static void read_purpose(struct reader *r)
{
    struct fg_facts *facts = r->facts;
    facts->has_password = r->form.has_password;
    facts->has_editor = r->form.has_textarea && r->form.has_save;
    facts->has_pager = r->has_pager_class || fg_page_has_pager(r->page);
    facts->needs_script = r->scripts && r->all_words < SHELL_WORDS &&
                          (r->has_app_root || r->all_words < SHELL_WORDS / 3) &&
                          facts->main.links < 5;
    facts->has_consent_wall =
        r->has_consent && facts->main.words - facts->main.listed_words < 60;
}

static void set_up(struct reader *r)
{
    r->time_published = r->time_modified = r->timed.found = FG_NEVER;
    r->item_published = r->item_modified = FG_NEVER;
    fg_marks_init(&r->marks);
    fg_dateline_init(&r->dateline, r->now, r->page->language);
    fg_prose_init(&r->heading.text, TEXT_MAX);
    fg_prose_init(&r->named.text, TEXT_MAX);
    fg_prose_init(&r->date.text, FG_DATE_MAX);
}

static void tear_down(struct reader *r)
{
    fg_own_links_clear(&r->own);
    fg_prose_clear(&r->heading.text);
    fg_prose_clear(&r->named.text);
    fg_prose_clear(&r->date.text);
    fg_dateline_clear(&r->dateline);
}

void fg_facts_read(struct fg_facts *facts, struct fg_arena *arena,
                   const struct fg_page *page, struct fg_str html,
                   const struct fg_facts_visit *visit)
{
    struct fg_main_text main;
    struct fg_facts_thing thing;
    struct reader *r = FG_NEW(arena, struct reader, 1);
    *facts = fg_facts_none;
    r->facts = facts;
    r->arena = arena;
    r->page = page;
    r->now = visit->now;
    fg_own_links_init(&r->own, arena, visit->url, page->base);
    set_up(r);
    fg_main_text_read_watched(&main, arena, html, &(struct fg_main_text_watcher){see, r});
    fg_facts_from_graph(&thing, arena, page);
    facts->main_hash = main.hash;
    facts->main_text = main.text;
    read_counts(r);
    r->titles.thing = thing.name;
    facts->h1 = r->titles.h1;
    facts->title = fg_facts_title(arena, page, &r->titles);
    facts->excerpt = fg_facts_excerpt(arena, page, main.text, facts->title);
    read_dates(r, &thing, html);
    read_claim(r, &thing);
    read_purpose(r);
    tear_down(r);
}
