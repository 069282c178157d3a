/* Matching without a tree: each open element keeps, as bits, which compounds it ends a
 * match of ("matched"), and which any element around it does ("around"). For a new
 * element, compound i matches if its own tests hold and the compound before it is among
 * the bits that its combinator looks at. So an element costs one look at each compound,
 * however deep it is. */
#include "net/html/selector_parts.h"

#include "base/vec.h"
#include "net/html/walk.h"
#include "net/text/prose.h"

/* Levels: nothing, html, head or body, then the elements of the walk from depth 1 on. */
enum { ROOT, HTML, BODY, LEVELS = FG_NEST_MAX + BODY };

struct level {
    uint64_t matched, around; /* around: of it and of those it is in */
    /* Of the elements directly in it, so far. */
    uint64_t last_matched, earlier_matched;
    unsigned children, of_type[TYPES_MAX];
};

/* Stretches of the page that are to go, in order. */
struct cut {
    FG_VEC(struct fg_str) parts;
    const char *from; /* of the element that is open */
    uint64_t key;     /* its tag's */
};

struct matcher {
    const struct fg_selector *selector;
    struct fg_arena *arena;
    struct fg_selected *out;
    struct fg_prose text;
    size_t taking;     /* the level whose text is taken; 0: none */
    bool takes_unseen; /* it is not shown itself */
    enum { OUTSIDE, IN_HTML, IN_HEAD, IN_BODY } stage;
    uint64_t done;             /* alternatives that have their first match */
    struct cut *cut;           /* NULL: text is taken */
    enum fg_prose_gap between; /* blocks of one match */
    struct fg_walk walk;
    struct level level[LEVELS + 1];
};

/* --- one element --- */

static struct fg_str decoded(struct matcher *m, struct fg_str source)
{
    return fg_html_decode(m->arena, source, FG_HTML_VALUE);
}

static bool is_same(struct fg_str a, struct fg_str b, bool ignores_case)
{
    return ignores_case ? fg_str_eq_nocase(a, b) : fg_str_eq(a, b);
}

static bool has_word(struct fg_str words, struct fg_str word, bool ignores_case)
{
    for (size_t i = 0; i < words.len;) {
        size_t end = i;
        while (end < words.len && !fg_is_space(words.at[end]))
            end++;
        if (end > i && is_same(fg_str_sub(words, i, end), word, ignores_case))
            return true;
        i = end + 1;
    }
    return false;
}

static bool contains(struct fg_str text, struct fg_str part, bool ignores_case)
{
    for (size_t i = 0; i + part.len <= text.len; i++)
        if (is_same(fg_str_sub(text, i, i + part.len), part, ignores_case))
            return true;
    return false;
}

static bool passes(const struct attr *attr, struct fg_str value)
{
    struct fg_str wanted = attr->value;
    bool nocase = attr->ignores_case;
    switch (attr->test) {
    case HAS:
        return true;
    case EQUALS:
        return is_same(value, wanted, nocase);
    case STARTS:
        return wanted.len && is_same(fg_str_sub(value, 0, wanted.len), wanted, nocase);
    case ENDS:
        return wanted.len && value.len >= wanted.len &&
               is_same(fg_str_skip(value, value.len - wanted.len), wanted, nocase);
    case CONTAINS:
        return wanted.len && contains(value, wanted, nocase);
    case HAS_WORD:
        return has_word(value, wanted, nocase);
    case HAS_LANGUAGE:
        return is_same(fg_str_sub(value, 0, wanted.len), wanted, nocase) &&
               (value.len == wanted.len || value.at[wanted.len] == '-');
    }
    return false;
}

static bool is_simple_match(struct matcher *m, const struct compound *compound,
                            const struct fg_html_token *token)
{
    struct fg_str source;
    if (compound->tag && compound->tag != token->key)
        return false;
    for (size_t i = 0; i < compound->n_attrs; i++)
        if (!fg_html_may_have(token, compound->attrs[i].name) ||
            !fg_html_attr(token, compound->attrs[i].name, &source) ||
            !passes(&compound->attrs[i], decoded(m, source)))
            return false;
    for (size_t i = 0; i < compound->n_nots; i++)
        if (is_simple_match(m, &compound->nots[i], token))
            return false;
    return true;
}

static bool is_nth(struct nth nth, unsigned number)
{
    int behind = (int)(number < 1000000 ? number : 1000000) - nth.b;
    if (!nth.is_asked)
        return true;
    return nth.a ? behind % nth.a == 0 && behind / nth.a >= 0 : behind == 0;
}

/* The bits that the compound before must be among. */
static uint64_t seen_from(const struct level *parent, enum combinator by)
{
    switch (by) {
    case WITHIN:
        return parent->around;
    case CHILD:
        return parent->matched;
    case NEXT:
        return parent->last_matched;
    case BEHIND:
        return parent->earlier_matched;
    }
    return 0;
}

/* Bit i: the element ends a match of compound i and of all before it. */
static uint64_t match_element(struct matcher *m, struct level *parent,
                              const struct fg_html_token *token)
{
    const struct fg_selector *selector = m->selector;
    uint64_t matched = 0;
    parent->children++;
    for (size_t i = 0; i < selector->n_compounds; i++) {
        const struct compound *compound = &selector->compounds[i];
        if (compound->type.is_asked && compound->tag == token->key)
            parent->of_type[compound->type_slot]++;
    }
    for (size_t a = 0; a < selector->n_alternatives; a++) {
        const struct alternative *alternative = &selector->alternatives[a];
        for (size_t i = alternative->first; i < alternative->first + alternative->n;
             i++) {
            const struct compound *compound = &selector->compounds[i];
            bool follows = i == alternative->first ||
                           (seen_from(parent, compound->by) & UINT64_C(1) << (i - 1));
            if (follows && is_nth(compound->child, parent->children) &&
                is_nth(compound->type, parent->of_type[compound->type_slot]) &&
                is_simple_match(m, compound, token))
                matched |= UINT64_C(1) << i;
        }
    }
    parent->last_matched = matched;
    parent->earlier_matched |= matched;
    return matched;
}

/* --- what is taken --- */

static bool may_take(struct matcher *m, size_t alternative)
{
    if (m->done & UINT64_C(1) << alternative)
        return false;
    if (m->out->n == FG_SELECTOR_MATCHES) {
        m->out->is_cut = true;
        return false;
    }
    if (m->selector->alternatives[alternative].takes_first)
        m->done |= UINT64_C(1) << alternative;
    return true;
}

static void take_attr(struct matcher *m, struct fg_str name,
                      const struct fg_html_token *token)
{
    struct fg_str source;
    if (!fg_html_attr(token, name, &source))
        return;
    m->out->n++;
    fg_prose_break(&m->text, FG_PROSE_LINE);
    fg_prose_add_plain(&m->text, decoded(m, source));
    fg_prose_break(&m->text, FG_PROSE_LINE);
}

static void cut_from(struct matcher *m, bool is_open, const struct fg_html_token *token)
{
    struct cut *cut = m->cut;
    if (!token->text.at) /* html or body, which the page does not name */
        return;
    cut->from = token->text.at - 1; /* the "<" */
    cut->key = token->key;
    m->out->n = 0;
    if (is_open)
        return;
    fg_vec_push_in(m->arena, &cut->parts, fg_str_range(cut->from, m->walk.html.at));
    cut->from = NULL;
}

/* An element ends behind its own end tag, and before any other tag that ends it. */
static void cut_to_here(struct matcher *m)
{
    struct cut *cut = m->cut;
    const struct fg_html *html = &m->walk.html;
    const struct fg_html_token *token = &m->walk.token;
    bool is_end = token->type == FG_HTML_END;
    const char *to = html->at;
    bool is_own = is_end && token->key == cut->key;
    if (!is_own && html->at < html->end && (is_end || token->type == FG_HTML_START))
        to = token->text.at - (is_end ? 2 : 1);
    if (cut->from && to > cut->from)
        fg_vec_push_in(m->arena, &cut->parts, fg_str_range(cut->from, to));
    cut->from = NULL;
}

static void take_text(struct matcher *m, size_t level, bool is_open,
                      const struct fg_html_token *token)
{
    m->out->n++;
    if (m->cut)
        cut_from(m, is_open, token);
    if (!is_open)
        return;
    m->taking = level;
    m->takes_unseen = level > BODY && !fg_walk_is_seen(&m->walk);
    fg_prose_break(&m->text, FG_PROSE_LINE);
}

/* An attribute that is not there is no match. */
static void take_matches(struct matcher *m, size_t level, uint64_t matched, bool is_open,
                         const struct fg_html_token *token)
{
    struct fg_str source;
    for (size_t a = 0; a < m->selector->n_alternatives; a++) {
        const struct alternative *alternative = &m->selector->alternatives[a];
        size_t last = alternative->first + alternative->n - 1;
        bool is_text = !alternative->attr.len;
        if (!(matched & UINT64_C(1) << last) ||
            (is_text ? m->taking > 0 : m->cut != NULL) ||
            (!is_text && !fg_html_attr(token, alternative->attr, &source)) ||
            !may_take(m, a))
            continue;
        if (is_text)
            take_text(m, level, is_open, token);
        else
            take_attr(m, alternative->attr, token);
    }
}

/* --- levels --- */

static void open_level(struct matcher *m, size_t level, const struct fg_html_token *token,
                       bool is_open)
{
    struct level *parent = &m->level[level - 1];
    uint64_t matched = match_element(m, parent, token);
    take_matches(m, level, matched, is_open, token);
    if (is_open)
        m->level[level] =
            (struct level){.matched = matched, .around = parent->around | matched};
}

static void close_level(struct matcher *m, size_t level)
{
    if (m->taking != level)
        return;
    m->taking = 0;
    if (m->cut)
        cut_to_here(m);
    fg_prose_break(&m->text, FG_PROSE_LINE);
}

/* --- html, head and body, which are there with or without their tags --- */

static void open_frame(struct matcher *m, size_t level, struct fg_str name,
                       const struct fg_html_token *token)
{
    struct fg_html_token bare = {.type = FG_HTML_START, .key = fg_tag_key(name)};
    close_level(m, level);
    open_level(m, level, token ? token : &bare, true);
}

/* `token` is the tag of the last of them that is needed, or NULL. */
static void need_html(struct matcher *m, const struct fg_html_token *token)
{
    if (m->stage == OUTSIDE)
        open_frame(m, HTML, FG_STR("html"), token);
    if (m->stage == OUTSIDE)
        m->stage = IN_HTML;
}

static void need_head(struct matcher *m, const struct fg_html_token *token)
{
    need_html(m, NULL);
    if (m->stage == IN_HTML)
        open_frame(m, BODY, FG_STR("head"), token);
    if (m->stage == IN_HTML)
        m->stage = IN_HEAD;
}

static void need_body(struct matcher *m, const struct fg_html_token *token)
{
    need_head(m, NULL);
    if (m->stage == IN_HEAD)
        open_frame(m, BODY, FG_STR("body"), token);
    m->stage = IN_BODY;
}

static bool belongs_in_head(enum fg_tag tag)
{
    switch (tag) {
    case FG_TAG_TITLE:
    case FG_TAG_META:
    case FG_TAG_LINK:
    case FG_TAG_BASE:
    case FG_TAG_STYLE:
    case FG_TAG_SCRIPT:
    case FG_TAG_NOSCRIPT:
        return true;
    default:
        return false;
    }
}

static bool on_frame_tag(struct matcher *m)
{
    const struct fg_html_token *token = &m->walk.token;
    switch (token->tag) {
    case FG_TAG_HTML:
        need_html(m, token);
        return true;
    case FG_TAG_HEAD:
        need_head(m, token);
        return true;
    case FG_TAG_BODY:
        need_body(m, token);
        return true;
    default:
        return false;
    }
}

/* --- the walk --- */

/* At a close the token is its end tag, or the start tag that ended it: a block as well.
 */
static void break_text(struct matcher *m)
{
    unsigned traits = fg_tag_traits[m->walk.token.tag];
    bool parts = traits & FG_TRAIT_BLOCK || m->walk.token.tag == FG_TAG_TD ||
                 m->walk.token.tag == FG_TAG_TH || m->walk.token.tag == FG_TAG_BR;
    if (parts)
        fg_prose_break(&m->text, m->between);
}

static void on_element(struct matcher *m, bool is_open)
{
    const struct fg_walk *walk = &m->walk;
    if (!is_open && on_frame_tag(m))
        return;
    size_t depth = is_open ? walk->depth : walk->depth + 1;
    if (depth == 1 && belongs_in_head(walk->token.tag))
        need_head(m, NULL);
    else
        need_body(m, NULL);
    if (is_open && fg_walk_is_hidden(walk))
        fg_walk_hide(&m->walk);
    break_text(m);
    open_level(m, depth + BODY, &walk->token, is_open);
}

static bool is_blank(struct fg_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!fg_is_space(text.at[i]))
            return false;
    return true;
}

static void on_text(struct matcher *m)
{
    const struct fg_walk *walk = &m->walk;
    if (!walk->depth && m->stage != IN_BODY && !is_blank(walk->token.text))
        need_body(m, NULL);
    if (m->taking && (fg_walk_is_seen(walk) || m->takes_unseen))
        fg_walk_add_text(walk, &m->text);
}

static void walk_page(struct matcher *m)
{
    for (enum fg_walk_step step; (step = fg_walk_next(&m->walk));)
        switch (step) {
        case FG_WALK_OPEN:
        case FG_WALK_EMPTY:
            on_element(m, step == FG_WALK_OPEN);
            break;
        case FG_WALK_CLOSE:
            close_level(m, m->walk.depth + BODY);
            break_text(m);
            break;
        case FG_WALK_TEXT:
            on_text(m);
            break;
        case FG_WALK_END:
            break;
        }
}

static void take(struct fg_selected *selected, struct fg_arena *arena,
                 const struct fg_selector *selector, struct fg_str html, size_t max_bytes,
                 enum fg_prose_gap between)
{
    struct matcher *m = FG_NEW(arena, struct matcher, 1);
    *selected = (struct fg_selected){0};
    m->selector = selector;
    m->arena = arena;
    m->out = selected;
    m->between = between;
    fg_prose_init(&m->text, max_bytes);
    fg_walk_init(&m->walk, html);
    walk_page(m);
    selected->text = fg_arena_dup(arena, fg_prose_str(&m->text));
    selected->is_cut |= m->text.is_cut;
    fg_prose_clear(&m->text);
}

void fg_selector_take(struct fg_selected *selected, struct fg_arena *arena,
                      const struct fg_selector *selector, struct fg_str html,
                      size_t max_bytes)
{
    take(selected, arena, selector, html, max_bytes, FG_PROSE_BLANK);
}

void fg_selector_take_lines(struct fg_selected *selected, struct fg_arena *arena,
                            const struct fg_selector *selector, struct fg_str html,
                            size_t max_bytes)
{
    take(selected, arena, selector, html, max_bytes, FG_PROSE_LINE);
}

static struct fg_str left_of(struct fg_arena *arena, const struct cut *cut,
                             struct fg_str html)
{
    char *out = fg_arena_bytes(arena, html.len + 1);
    const char *at = html.at;
    size_t n = 0;
    for (size_t i = 0; i < cut->parts.len; i++) {
        struct fg_str part = cut->parts.at[i];
        if (part.at < at) /* it is within one that has gone */
            continue;
        memcpy(out + n, at, (size_t)(part.at - at));
        n += (size_t)(part.at - at);
        out[n++] = ' ';
        at = part.at + part.len;
    }
    memcpy(out + n, at, (size_t)(html.at + html.len - at));
    n += (size_t)(html.at + html.len - at);
    return (struct fg_str){out, n};
}

struct fg_str fg_selector_cut(struct fg_arena *arena, const struct fg_selector *selector,
                              struct fg_str html)
{
    struct matcher *m = FG_NEW(arena, struct matcher, 1);
    struct fg_selected selected = {0};
    struct cut cut = {0};
    m->selector = selector;
    m->arena = arena;
    m->out = &selected;
    m->cut = &cut;
    fg_prose_init(&m->text, 0);
    fg_walk_init(&m->walk, html);
    walk_page(m);
    if (cut.from) /* never closed */
        fg_vec_push_in(arena, &cut.parts, fg_str_range(cut.from, html.at + html.len));
    fg_prose_clear(&m->text);
    return cut.parts.len ? left_of(arena, &cut, html) : html;
}
