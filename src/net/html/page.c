/* One loop over the tokens. The nest says whether a tag makes an element and what
 * surrounds it; here we only pick up what is of use. Attributes are looked at for a dozen
 * element names only, and text is touched only where somebody wants it. */
#include "net/html/page.h"

#include "base/vec.h"
#include "net/charset/charset.h"
#include "net/html/html.h"
#include "net/html/nest.h"
#include "net/text/prose.h"

#include <stddef.h>

/* Whose text comes next. */
enum capture { NOTHING, TITLE, JSON_LD };

struct reader {
    struct fg_page *page;
    struct fg_arena *arena;
    unsigned parts;
    struct fg_html html;
    struct fg_html_token token;
    enum capture capture;
    struct fg_prose text, words;
    bool in_link;        /* the last link's element is open: its words are gathered */
    size_t link_depth;   /* where in the nest it is */
    bool is_link_unseen; /* ... although it is not shown */
    bool has_frameset, has_html_lang;
    struct {
        uint32_t region, n; /* how many lists it has had */
    } listed[16];
    size_t n_listed;
    size_t heading_depth,
        heading_links;     /* of an open heading, 0: none; links before it */
    uint64_t heading_text; /* its hash */
    bool is_heading_linked;
    struct fg_str alt; /* source of the first alt text within the link */
    FG_VEC(struct fg_link) links;
    FG_VEC(struct fg_meta) metas;
    FG_VEC(struct fg_str) json_ld;
    struct fg_nest nest;          /* from here on it is large and need not be cleared */
    uint32_t region[FG_NEST_MAX]; /* of each open element: itself and what it is in */
    struct section {
        uint32_t name;
        bool is_own;  /* the heading stands in this element */
        size_t links; /* before it */
    } section[FG_NEST_MAX];
};

/* Values of the attributes named; the first of each counts. at is NULL where absent. */
static void read_attrs(struct reader *r, const struct fg_str *names,
                       struct fg_str *values, size_t n)
{
    struct fg_str rest = r->token.attrs;
    memset(values, 0, n * sizeof *values);
    for (struct fg_html_attr attr; fg_html_attr_next(&rest, &attr);)
        for (size_t i = 0; i < n; i++)
            if (!values[i].at && fg_str_eq_nocase(attr.name, names[i]))
                values[i] = attr.value;
}

static struct fg_str decode(struct reader *r, struct fg_str source)
{
    return fg_html_decode(r->arena, source, FG_HTML_VALUE);
}

/* Collapsed, in the arena. Uses `words`, so not while a link gathers its own. */
static struct fg_str collapse(struct reader *r, struct fg_str source)
{
    fg_prose_reset(&r->words);
    fg_prose_add(&r->words, source);
    return fg_arena_dup(r->arena, fg_prose_str(&r->words));
}

static void end_link(struct reader *r)
{
    if (!r->in_link)
        return;
    r->in_link = false;
    struct fg_link *link = &r->links.at[r->links.len - 1];
    link->text_end = r->text.len;
    if (r->words.len)
        link->words = fg_arena_dup(r->arena, fg_prose_str(&r->words));
    else if (r->alt.len)
        link->words = collapse(r, r->alt);
}

/* The end of a table's cell ends the links opened in it. Other ends do not: after
 * "<p><a>one</p>" the standard opens the link again for what follows. */
static void end_link_of_cell(struct reader *r)
{
    if (r->nest.depth < r->link_depth)
        end_link(r);
}

static struct fg_link *add_link(struct reader *r, enum fg_link_from from,
                                struct fg_str href)
{
    end_link(r);
    if (r->links.len == FG_PAGE_LINKS_MAX) {
        r->page->cut |= FG_PAGE_LINKS;
        return NULL;
    }
    struct fg_link link = {.from = from,
                           .href = fg_str_trim(decode(r, href)),
                           .text_at = r->text.len,
                           .text_end = r->text.len,
                           .region = r->region[r->nest.depth],
                           .section = r->section[r->nest.depth].name};
    fg_vec_push_in(r->arena, &r->links, link);
    return &r->links.at[r->links.len - 1];
}

/* --- regions --- */

/* Of a class the first word that tells lists apart, its number aside: "post-17". */
static uint64_t hash_of_class(struct fg_str value)
{
    static const char *const of_items[] = {"odd",    "even",    "first", "last",
                                           "active", "current", "alt",   "sticky"};
    size_t end = 0;
    for (size_t at = 0; at < value.len; at = end + 1) {
        for (end = at; end < value.len && !fg_is_space(value.at[end]);)
            end++;
        struct fg_str word = fg_str_sub(value, at, end);
        while (word.len && fg_is_digit(word.at[word.len - 1]))
            word.len--;
        bool is_of_item = !word.len;
        for (size_t i = 0; i < sizeof of_items / sizeof *of_items; i++)
            is_of_item |= fg_str_eq_nocase(word, fg_str_from(of_items[i]));
        if (!is_of_item)
            return fg_str_hash(word);
    }
    return 0;
}

/* How many lists a region has had before the one just opened. Lists within lists are not
 * told apart: those of an item would be others whenever an item comes before it. */
static uint32_t lists_before(struct reader *r, uint32_t region)
{
    const uint16_t *open = r->nest.open;
    enum fg_tag tag = r->token.tag;
    bool is_list = tag == FG_TAG_UL || tag == FG_TAG_OL || tag == FG_TAG_TABLE;
    if (!is_list || open[FG_TAG_UL] + open[FG_TAG_OL] + open[FG_TAG_TABLE] > 1)
        return 0;
    size_t i = 0;
    while (i < r->n_listed && r->listed[i].region != region)
        i++;
    if (i == sizeof r->listed / sizeof *r->listed)
        return 0;
    if (i == r->n_listed) {
        r->listed[i].region = region;
        r->listed[i].n = 0;
        r->n_listed++;
    }
    return r->listed[i].n++;
}

static uint32_t mix_region(uint32_t around, uint64_t what)
{
    return (uint32_t)((around ^ what) * 0x9E3779B97F4A7C15u >> 32);
}

/* The element just opened is a region of its own if it holds others: by its name, and if
 * it may hold a list, by its class, and by how many such lists came before it. What marks
 * words is none. */
static void enter_region(struct reader *r)
{
    static const uint8_t holds[FG_TAG_COUNT] = {
        [FG_TAG_DIV] = 2,  [FG_TAG_SECTION] = 2, [FG_TAG_ASIDE] = 2,  [FG_TAG_NAV] = 2,
        [FG_TAG_MAIN] = 2, [FG_TAG_HEADER] = 2,  [FG_TAG_FOOTER] = 2, [FG_TAG_UL] = 2,
        [FG_TAG_OL] = 2,   [FG_TAG_DL] = 2,      [FG_TAG_TABLE] = 2,  [FG_TAG_FORM] = 2,
        [FG_TAG_LI] = 1,   [FG_TAG_ARTICLE] = 1, [FG_TAG_TR] = 1,     [FG_TAG_TD] = 1,
        [FG_TAG_TH] = 1,   [FG_TAG_P] = 1,       [FG_TAG_DT] = 1,     [FG_TAG_DD] = 1,
        [FG_TAG_H1] = 1,   [FG_TAG_H2] = 1,      [FG_TAG_H3] = 1,     [FG_TAG_H4] = 1,
        [FG_TAG_H5] = 1,   [FG_TAG_H6] = 1,
    };
    size_t depth = r->nest.depth;
    uint32_t around = depth ? r->region[depth - 1] : 0;
    enum fg_tag tag = r->token.tag;
    r->region[depth] = around;
    if (!depth || !holds[tag])
        return;
    struct fg_str name = FG_STR("class"), value = {0};
    if (holds[tag] == 2 && fg_html_may_have(&r->token, name))
        read_attrs(r, &name, &value, 1);
    uint32_t region = mix_region(around, (uint64_t)tag ^ hash_of_class(value));
    uint32_t before = lists_before(r, region);
    r->region[depth] = before ? mix_region(region, before) : region;
}

/* --- sections --- */

/* What stands below a heading without a link is its section, up to the next one or to the
 * end of the element that the heading is in. Headings with links are items. */
static void enter_section(struct reader *r)
{
    size_t depth = r->nest.depth;
    enum fg_tag tag = r->token.tag;
    if (!depth)
        return;
    r->section[depth] = (struct section){.name = r->section[depth - 1].name};
    if (r->heading_depth || !(fg_tag_traits[tag] & FG_TRAIT_HEADING))
        return;
    r->heading_depth = depth;
    r->heading_links = r->links.len;
    r->heading_text = 0;
    r->is_heading_linked = r->nest.open[FG_TAG_A] != 0;
}

static void end_heading(struct reader *r)
{
    size_t around = r->heading_depth - 1;
    r->heading_depth = 0;
    if (r->heading_text && !r->is_heading_linked && r->links.len == r->heading_links)
        r->section[around] =
            (struct section){(uint32_t)(r->heading_text >> 32) | 1u, true, r->links.len};
}

/* Elements were closed. One that held a heading and no links is the head of what it is
 * in. */
static void leave_sections(struct reader *r, size_t depth_before)
{
    if (r->heading_depth && r->nest.depth < r->heading_depth)
        end_heading(r);
    for (size_t depth = depth_before; depth > r->nest.depth; depth--) {
        const struct section *section = &r->section[depth];
        if (section->is_own && section->links == r->links.len)
            r->section[depth - 1] = *section;
    }
}

static void add_to_heading(struct reader *r)
{
    struct fg_str text = fg_str_trim(r->token.text);
    if (text.len)
        r->heading_text = (r->heading_text ^ fg_str_hash(text)) * 0x9E3779B97F4A7C15u;
}

static void gather_words(struct reader *r)
{
    if (!(r->parts & FG_PAGE_WORDS))
        return;
    r->in_link = true;
    r->link_depth = r->nest.depth;
    r->is_link_unseen = r->nest.made & FG_NEST_UNSEEN;
    r->alt = (struct fg_str){0};
    fg_prose_reset(&r->words);
}

static void on_anchor(struct reader *r, enum fg_link_from from)
{
    enum { HREF, REL, TYPE, HREFLANG, ALT, XLINK, N };
    static const struct fg_str names[N] = {{"href", 4}, {"rel", 3},
                                           {"type", 4}, {"hreflang", 8},
                                           {"alt", 3},  {"xlink:href", 10}};
    struct fg_str values[N];
    end_link(r);
    if (!fg_html_may_have(&r->token, names[HREF]) &&
        !fg_html_may_have(&r->token, names[XLINK]))
        return;
    read_attrs(r, names, values, N);
    if (from == FG_FROM_SVG_A && !values[HREF].at)
        values[HREF] = values[XLINK];
    if (!values[HREF].at)
        return;
    struct fg_link *link = add_link(r, from, values[HREF]);
    if (!link)
        return;
    link->rel = fg_rel_parse(decode(r, values[REL]));
    link->type = decode(r, values[TYPE]);
    link->hreflang = decode(r, values[HREFLANG]);
    gather_words(r);
    r->alt = values[ALT];
    if (from == FG_FROM_AREA)
        end_link(r);
}

static void on_frame(struct reader *r, enum fg_link_from from)
{
    struct fg_str source;
    if (fg_html_attr(&r->token, FG_STR("src"), &source))
        add_link(r, from, source);
}

static void on_link(struct reader *r)
{
    enum { HREF, REL, TYPE, HREFLANG, NAME, N };
    static const struct fg_str names[N] = {
        {"href", 4}, {"rel", 3}, {"type", 4}, {"hreflang", 8}, {"title", 5}};
    struct fg_str values[N];
    read_attrs(r, names, values, N);
    if (!values[HREF].at)
        return;
    unsigned rel = fg_rel_parse(decode(r, values[REL]));
    if (rel & FG_REL_CANONICAL && r->parts & FG_PAGE_HEAD && !r->page->canonical.at)
        r->page->canonical = fg_str_trim(decode(r, values[HREF]));
    if (!(r->parts & FG_PAGE_LINKS))
        return;
    struct fg_link *link = add_link(r, FG_FROM_LINK, values[HREF]);
    if (!link)
        return;
    link->rel = rel;
    link->type = decode(r, values[TYPE]);
    link->hreflang = decode(r, values[HREFLANG]);
    if (r->parts & FG_PAGE_WORDS && values[NAME].at)
        link->words = collapse(r, values[NAME]);
}

static void on_refresh(struct reader *r, struct fg_str content)
{
    struct fg_page *page = r->page;
    if (page->has_refresh || !fg_refresh_parse(&page->refresh, r->arena, content))
        return;
    page->has_refresh = true;
    if (page->refresh.url.at && r->parts & FG_PAGE_LINKS) {
        struct fg_link *link = add_link(r, FG_FROM_REFRESH, FG_STR(""));
        if (link)
            link->href = page->refresh.url;
    }
}

static void on_charset(struct reader *r, const struct fg_encoding *encoding)
{
    if (encoding && !r->page->charset.at)
        r->page->charset = fg_str_from(fg_encoding_name(encoding));
}

static void on_pragma(struct reader *r, struct fg_str pragma, struct fg_str content)
{
    struct fg_page *page = r->page;
    if (fg_str_eq_nocase(pragma, FG_STR("refresh")))
        on_refresh(r, content);
    else if (fg_str_eq_nocase(pragma, FG_STR("content-type")))
        on_charset(r, fg_encoding_in_meta(content));
    else if (fg_str_eq_nocase(pragma, FG_STR("content-language")) && !page->language.at)
        page->language = fg_str_trim(content);
}

static void on_meta(struct reader *r)
{
    enum { NAME, PROPERTY, PRAGMA, CONTENT, CHARSET, N };
    static const struct fg_str names[N] = {
        {"name", 4}, {"property", 8}, {"http-equiv", 10}, {"content", 7}, {"charset", 7}};
    struct fg_str values[N];
    read_attrs(r, names, values, N);
    if (values[CHARSET].at)
        on_charset(r, fg_encoding_find(decode(r, values[CHARSET])));
    if (!values[CONTENT].at)
        return;
    struct fg_str content = decode(r, values[CONTENT]);
    if (values[PRAGMA].at)
        on_pragma(r, decode(r, values[PRAGMA]), content);
    struct fg_str name = values[NAME].at ? values[NAME] : values[PROPERTY];
    if (!name.len || !(r->parts & FG_PAGE_HEAD))
        return;
    if (r->metas.len == FG_PAGE_METAS_MAX) {
        r->page->cut |= FG_PAGE_HEAD;
        return;
    }
    struct fg_meta meta = {decode(r, name), content};
    fg_vec_push_in(r->arena, &r->metas, meta);
}

/* The language of the first html tag that has one; it wins over that of a meta. */
static void on_html(struct reader *r)
{
    struct fg_str value;
    if (!r->has_html_lang && fg_html_attr(&r->token, FG_STR("lang"), &value)) {
        r->has_html_lang = true;
        r->page->language = decode(r, value);
    }
}

static void on_base(struct reader *r)
{
    struct fg_str value;
    if (!r->page->base.at && fg_html_attr(&r->token, FG_STR("href"), &value))
        r->page->base = fg_str_trim(decode(r, value));
}

static void on_script(struct reader *r)
{
    struct fg_str type;
    if (fg_html_attr(&r->token, FG_STR("type"), &type) &&
        fg_str_eq_nocase(fg_str_trim(decode(r, type)), FG_STR("application/ld+json")))
        r->capture = JSON_LD;
}

static void on_image(struct reader *r)
{
    if (r->in_link && !r->alt.len)
        fg_html_attr(&r->token, FG_STR("alt"), &r->alt);
}

/* A frameset takes the place of the body, and its links are gone. */
static void on_frameset(struct reader *r)
{
    size_t n = 0;
    if (r->has_frameset)
        return;
    r->has_frameset = true;
    end_link(r);
    for (size_t i = 0; i < r->links.len; i++)
        if (r->links.at[i].from == FG_FROM_LINK || r->links.at[i].from == FG_FROM_REFRESH)
            r->links.at[n++] = r->links.at[i];
    r->links.len = n;
}

static void on_link_element(struct reader *r)
{
    switch (r->token.tag) {
    case FG_TAG_A:
        on_anchor(r, FG_FROM_A);
        break;
    case FG_TAG_AREA:
        on_anchor(r, FG_FROM_AREA);
        break;
    case FG_TAG_IFRAME:
        on_frame(r, FG_FROM_IFRAME);
        break;
    case FG_TAG_FRAME:
        on_frame(r, FG_FROM_FRAME);
        break;
    case FG_TAG_FRAMESET:
        on_frameset(r);
        break;
    case FG_TAG_BASE:
        on_base(r);
        break;
    case FG_TAG_IMG:
        on_image(r);
        break;
    case FG_TAG_TD:
    case FG_TAG_TH:
        end_link_of_cell(r);
        break;
    default:
        break;
    }
}

static void on_html_element(struct reader *r)
{
    if (r->parts & FG_PAGE_LINKS)
        on_link_element(r);
    if (r->token.tag == FG_TAG_LINK)
        on_link(r);
    else if (r->token.tag == FG_TAG_META)
        on_meta(r);
    else if (r->token.tag == FG_TAG_SCRIPT && r->parts & FG_PAGE_JSON_LD)
        on_script(r);
    if (!(r->parts & FG_PAGE_HEAD))
        return;
    if (r->token.tag == FG_TAG_HTML)
        on_html(r);
    else if (r->token.tag == FG_TAG_TITLE && !r->page->title.at) {
        r->page->title = FG_STR("");
        r->capture = TITLE;
    }
}

static bool is_hidden(const struct fg_html_token *token)
{
    struct fg_str value;
    return fg_html_attr(token, FG_STR("hidden"), &value) ||
           (token->tag == FG_TAG_DIALOG && !fg_html_attr(token, FG_STR("open"), &value));
}

static void break_text(struct reader *r)
{
    enum fg_tag tag = r->token.tag;
    if (fg_tag_traits[tag] & FG_TRAIT_BLOCK)
        fg_prose_break(&r->text, FG_PROSE_LINE);
    else if (tag == FG_TAG_TD || tag == FG_TAG_TH)
        fg_prose_break(&r->text, FG_PROSE_BLANK);
}

static void on_start(struct reader *r)
{
    enum fg_nest_made made = fg_nest_start(&r->nest, &r->html, &r->token);
    r->page->may_have_items |= fg_html_may_have(&r->token, FG_STR("itemprop"));
    if (made == FG_NEST_OPEN && r->parts & FG_PAGE_LINKS)
        enter_region(r);
    if (made == FG_NEST_OPEN)
        enter_section(r);
    if (made == FG_NEST_IGNORED || r->nest.made & FG_NEST_TEMPLATE)
        return;
    if (!(r->nest.made & FG_NEST_FOREIGN))
        on_html_element(r);
    else if (r->nest.made & FG_NEST_SVG && r->token.tag == FG_TAG_A &&
             r->parts & FG_PAGE_LINKS)
        on_anchor(r, FG_FROM_SVG_A);
    if (!(r->parts & FG_PAGE_TEXT))
        return;
    if (made == FG_NEST_OPEN && is_hidden(&r->token))
        fg_nest_hide(&r->nest);
    break_text(r);
}

static void on_end(struct reader *r)
{
    size_t depth = r->nest.depth;
    r->capture = NOTHING;
    fg_nest_end(&r->nest, &r->html, &r->token);
    leave_sections(r, depth);
    if (r->parts & FG_PAGE_TEXT)
        break_text(r);
    enum fg_tag tag = r->token.tag;
    if (tag == FG_TAG_A)
        end_link(r);
    else if (tag == FG_TAG_TD || tag == FG_TAG_TH || tag == FG_TAG_TABLE)
        end_link_of_cell(r);
}

static void on_title(struct reader *r)
{
    struct fg_prose title;
    fg_prose_init(&title, FG_PAGE_TITLE_MAX);
    fg_prose_add(&title, r->token.text);
    r->page->title = fg_arena_dup(r->arena, fg_prose_str(&title));
    if (title.is_cut)
        r->page->cut |= FG_PAGE_HEAD;
    fg_prose_clear(&title);
}

static void on_json_ld(struct reader *r)
{
    if (r->json_ld.len == FG_PAGE_JSON_LD_MAX)
        r->page->cut |= FG_PAGE_JSON_LD;
    else
        fg_vec_push_in(r->arena, &r->json_ld, r->token.text);
}

static void on_text(struct reader *r)
{
    if (r->capture == TITLE)
        on_title(r);
    else if (r->capture == JSON_LD)
        on_json_ld(r);
    unsigned flags = fg_nest_top(&r->nest);
    bool is_seen = !(flags & FG_NEST_HANDED_DOWN);
    if (r->heading_depth && is_seen)
        add_to_heading(r);
    if (!r->nest.has_content)
        fg_nest_text(&r->nest, r->token.text);
    if (is_seen && r->parts & FG_PAGE_TEXT && !r->nest.has_frameset) {
        if (r->token.text_rules & FG_HTML_REFS)
            fg_prose_add(&r->text, r->token.text);
        else
            fg_prose_add_plain(&r->text, r->token.text);
    }
    if (r->in_link && (is_seen || r->is_link_unseen))
        fg_prose_add(&r->words, r->token.text);
}

static void finish(struct reader *r)
{
    struct fg_page *page = r->page;
    end_link(r);
    if (r->parts & FG_PAGE_TEXT)
        page->text = fg_arena_dup(r->arena, fg_prose_str(&r->text));
    if (r->text.is_cut)
        page->cut |= FG_PAGE_TEXT;
    page->links = r->links.at;
    page->n_links = r->links.len;
    page->metas = r->metas.at;
    page->n_metas = r->metas.len;
    page->json_ld = r->json_ld.at;
    page->n_json_ld = r->json_ld.len;
    fg_prose_clear(&r->text);
    fg_prose_clear(&r->words);
}

void fg_page_read(struct fg_page *page, struct fg_arena *arena, struct fg_str html,
                  unsigned parts)
{
    struct reader r;
    memset(&r, 0, offsetof(struct reader, nest));
    r.page = page;
    r.arena = arena;
    r.parts = parts;
    fg_prose_init(&r.text, FG_PAGE_TEXT_MAX);
    fg_prose_init(&r.words, FG_PAGE_WORDS_MAX);
    if (parts & FG_PAGE_TEXT)
        fg_prose_reserve(&r.text, html.len); /* mostly enough: markup goes */
    *page = (struct fg_page){0};
    fg_html_init(&r.html, html);
    fg_nest_init(&r.nest);
    r.region[0] = 0;
    r.section[0] = (struct section){0};
    while (fg_html_next(&r.html, &r.token)) {
        if (r.token.type == FG_HTML_TEXT)
            on_text(&r);
        else if (r.token.type == FG_HTML_START)
            on_start(&r);
        else if (r.token.type == FG_HTML_END)
            on_end(&r);
    }
    finish(&r);
}

struct fg_str fg_page_meta(const struct fg_page *page, struct fg_str name)
{
    for (size_t i = 0; i < page->n_metas; i++)
        if (fg_str_eq_nocase(page->metas[i].name, name))
            return page->metas[i].content;
    return (struct fg_str){0};
}
