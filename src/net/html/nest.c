/* Each end tag is looked up in a stack of at most FG_NEST_MAX entries, so hostile pages
 * cost a bounded amount per tag; `open` spares ordinary pages most of the look-ups. */
#include "net/html/nest.h"

#include <string.h>

enum { NONE = 0 }; /* no entry: the body itself is never looked for */

void fg_nest_init(struct fg_nest *nest)
{
    nest->depth = 0;
    nest->tag[0] = FG_TAG_BODY;
    nest->flags[0] = 0;
    nest->key[0] = 0;
    memset(nest->open, 0, sizeof nest->open);
    nest->framesets = 0;
    nest->has_frameset = nest->has_content = false;
}

static bool is_html(const struct fg_nest *nest, size_t i)
{
    return !(nest->flags[i] & FG_NEST_FOREIGN);
}

static bool is_html_tag(const struct fg_nest *nest, size_t i, enum fg_tag tag)
{
    return nest->tag[i] == tag && is_html(nest, i);
}

/* What is known of an element before it is opened. */
static void make(struct fg_nest *nest, unsigned flags)
{
    nest->made = flags | (fg_nest_top(nest) & FG_NEST_HANDED_DOWN);
}

static void push(struct fg_nest *nest, const struct fg_html_token *token)
{
    unsigned flags = nest->made;
    if (token->tag == FG_TAG_TEMPLATE && !(flags & FG_NEST_FOREIGN))
        flags |= FG_NEST_TEMPLATE;
    if (fg_tag_traits[token->tag] & FG_TRAIT_UNSEEN)
        flags |= FG_NEST_UNSEEN;
    if (nest->depth + 1 < FG_NEST_MAX)
        nest->depth++;
    else if (is_html(nest, nest->depth))
        nest->open[nest->tag[nest->depth]]--;
    nest->tag[nest->depth] = (uint8_t)token->tag;
    nest->flags[nest->depth] = (uint8_t)flags;
    nest->key[nest->depth] = token->key;
    if (!(flags & FG_NEST_FOREIGN))
        nest->open[token->tag]++;
}

/* Close the entries from `first` on, which is not NONE. */
static void close_from(struct fg_nest *nest, size_t first)
{
    for (; nest->depth >= first; nest->depth--)
        if (is_html(nest, nest->depth))
            nest->open[nest->tag[nest->depth]]--;
}

static void close_if_found(struct fg_nest *nest, size_t at)
{
    if (at != NONE)
        close_from(nest, at);
}

static bool bounds_scope(const struct fg_nest *nest, size_t i)
{
    return is_html(nest, i) ? fg_tag_traits[nest->tag[i]] & FG_TRAIT_SCOPE
                            : nest->flags[i] & FG_NEST_DOOR;
}

/* A p is also kept in by a button, a list item by its list. */
static bool fences(enum fg_tag outer, enum fg_tag tag)
{
    return (tag == FG_TAG_P && outer == FG_TAG_BUTTON) ||
           (tag == FG_TAG_LI && (outer == FG_TAG_OL || outer == FG_TAG_UL));
}

/* The innermost element of a name, if it is "in scope". */
static size_t find_in_scope(const struct fg_nest *nest, enum fg_tag tag)
{
    if (!nest->open[tag])
        return NONE;
    for (size_t i = nest->depth; i > 0; i--) {
        if (is_html_tag(nest, i, tag))
            return i;
        if (bounds_scope(nest, i) || (is_html(nest, i) && fences(nest->tag[i], tag)))
            return NONE;
    }
    return NONE;
}

static size_t find_in_table_scope(const struct fg_nest *nest, enum fg_tag tag)
{
    if (!nest->open[tag])
        return NONE;
    for (size_t i = nest->depth; i > 0; i--) {
        if (is_html_tag(nest, i, tag))
            return i;
        if (is_html_tag(nest, i, FG_TAG_TABLE) || is_html_tag(nest, i, FG_TAG_TEMPLATE))
            return NONE;
    }
    return NONE;
}

/* A list item ends the one before it, unless there is something more in between. */
static void close_items(struct fg_nest *nest, enum fg_tag tag, enum fg_tag other)
{
    if (!nest->open[tag] && !nest->open[other])
        return;
    for (size_t i = nest->depth; i > 0; i--) {
        enum fg_tag t = nest->tag[i];
        if (is_html(nest, i) && (t == tag || t == other)) {
            close_from(nest, i);
            return;
        }
        bool transparent = t == FG_TAG_ADDRESS || t == FG_TAG_DIV || t == FG_TAG_P;
        if (fg_tag_traits[t] & FG_TRAIT_SPECIAL && !transparent)
            return;
    }
}

/* The end of a formatting element, or a form. With a block still open inside it, only the
 * element itself goes: "<b><p></b>" leaves the p open. That is the adoption agency
 * without its clones. */
static void close_formatting(struct fg_nest *nest, enum fg_tag tag)
{
    size_t at = find_in_scope(nest, tag);
    if (at == NONE)
        return;
    bool holds_block = false;
    for (size_t i = at + 1; i <= nest->depth; i++)
        holds_block |= (fg_tag_traits[nest->tag[i]] & FG_TRAIT_SPECIAL) != 0;
    if (!holds_block) {
        close_from(nest, at);
        return;
    }
    size_t n = nest->depth - at;
    memmove(nest->tag + at, nest->tag + at + 1, n * sizeof *nest->tag);
    memmove(nest->flags + at, nest->flags + at + 1, n * sizeof *nest->flags);
    memmove(nest->key + at, nest->key + at + 1, n * sizeof *nest->key);
    nest->depth--;
    nest->open[tag]--;
}

static bool is_section(enum fg_tag tag)
{
    return tag == FG_TAG_TBODY || tag == FG_TAG_THEAD || tag == FG_TAG_TFOOT;
}

/* Whether a part of a table may stand directly within an element. */
static bool takes_part(enum fg_tag outer, enum fg_tag part)
{
    if (outer == FG_TAG_TABLE || outer == FG_TAG_TEMPLATE)
        return true;
    if (outer == FG_TAG_COLGROUP)
        return part == FG_TAG_COL;
    if (is_section(outer))
        return part == FG_TAG_TR || part == FG_TAG_TD || part == FG_TAG_TH;
    return outer == FG_TAG_TR && (part == FG_TAG_TD || part == FG_TAG_TH);
}

/* A part of a table ends all that cannot hold it. Outside of tables it is ignored. */
static bool start_table_part(struct fg_nest *nest, enum fg_tag tag)
{
    if (!nest->open[FG_TAG_TABLE] && !nest->open[FG_TAG_TEMPLATE])
        return false;
    for (size_t i = nest->depth; i > 0; i--)
        if (is_html(nest, i) && takes_part(nest->tag[i], tag)) {
            if (i < nest->depth)
                close_from(nest, i + 1);
            return true;
        }
    return false;
}

/* A table directly in a table, rather than in one of its cells, ends the outer one. */
static void start_table(struct fg_nest *nest)
{
    for (size_t i = nest->depth; i > 0 && nest->open[FG_TAG_TABLE]; i--) {
        if (!is_html(nest, i))
            continue;
        if (nest->tag[i] == FG_TAG_TABLE)
            close_from(nest, i);
        else if (!(fg_tag_traits[nest->tag[i]] & FG_TRAIT_SCOPE))
            continue;
        return;
    }
}

static void close_top_if(struct fg_nest *nest, enum fg_tag a, enum fg_tag b)
{
    if (nest->depth && is_html(nest, nest->depth) &&
        (nest->tag[nest->depth] == a || nest->tag[nest->depth] == b))
        close_from(nest, nest->depth);
}

/* What a start tag ends before it begins. False if it makes no element at all. */
static bool make_way(struct fg_nest *nest, enum fg_tag tag)
{
    switch (tag) {
    case FG_TAG_FRAME:
        return false;
    case FG_TAG_LI:
        close_items(nest, FG_TAG_LI, FG_TAG_LI);
        break;
    case FG_TAG_DD:
    case FG_TAG_DT:
        close_items(nest, FG_TAG_DD, FG_TAG_DT);
        break;
    case FG_TAG_A:
    case FG_TAG_NOBR:
        close_formatting(nest, tag);
        break;
    case FG_TAG_BUTTON:
        close_if_found(nest, find_in_scope(nest, tag));
        break;
    case FG_TAG_SELECT: {
        size_t outer = find_in_scope(nest, tag);
        close_if_found(nest, outer);
        return outer == NONE;
    }
    case FG_TAG_INPUT:
        close_if_found(nest, find_in_scope(nest, FG_TAG_SELECT));
        break;
    case FG_TAG_OPTION:
        close_top_if(nest, FG_TAG_OPTION, FG_TAG_OPTION);
        break;
    case FG_TAG_OPTGROUP:
        close_top_if(nest, FG_TAG_OPTION, FG_TAG_OPTION);
        close_top_if(nest, FG_TAG_OPTGROUP, FG_TAG_OPTGROUP);
        break;
    case FG_TAG_RP:
    case FG_TAG_RT:
        close_top_if(nest, FG_TAG_RP, FG_TAG_RT);
        break;
    case FG_TAG_FORM:
        if (nest->open[FG_TAG_FORM] && !nest->open[FG_TAG_TEMPLATE])
            return false;
        break;
    case FG_TAG_TABLE:
        start_table(nest);
        break;
    default:
        if (fg_tag_traits[tag] & FG_TRAIT_TABLE_PART)
            return start_table_part(nest, tag);
        break;
    }
    return true;
}

static void enter_raw(struct fg_html *html, enum fg_tag tag)
{
    unsigned traits = fg_tag_traits[tag];
    if (traits & FG_TRAIT_RCDATA)
        fg_html_enter(html, FG_HTML_RCDATA);
    else if (traits & FG_TRAIT_RAWTEXT)
        fg_html_enter(html, FG_HTML_RAWTEXT);
    else if (tag == FG_TAG_SCRIPT)
        fg_html_enter(html, FG_HTML_SCRIPT);
    else if (tag == FG_TAG_PLAINTEXT)
        fg_html_enter(html, FG_HTML_PLAINTEXT);
}

static unsigned flags_of_html(enum fg_tag tag)
{
    switch (tag) {
    case FG_TAG_SVG:
        return FG_NEST_SVG;
    case FG_TAG_MATH:
        return FG_NEST_MATH;
    default:
        return 0;
    }
}

static bool is_hidden_input(const struct fg_html_token *token)
{
    struct fg_str type;
    return token->tag == FG_TAG_INPUT && fg_html_attr(token, FG_STR("type"), &type) &&
           fg_str_eq_nocase(type, FG_STR("hidden"));
}

static enum fg_nest_made start_frameset(struct fg_nest *nest)
{
    if (nest->has_content || nest->open[FG_TAG_TEMPLATE])
        return FG_NEST_IGNORED;
    close_from(nest, 1);
    nest->has_frameset = true;
    nest->framesets = 1;
    return FG_NEST_EMPTY;
}

/* Once there is a frameset, the page holds nothing but frames. */
static enum fg_nest_made start_in_frameset(struct fg_nest *nest, struct fg_html *html,
                                           const struct fg_html_token *token)
{
    switch (token->tag) {
    case FG_TAG_HTML:
        return FG_NEST_EMPTY;
    case FG_TAG_FRAMESET:
        if (!nest->framesets)
            return FG_NEST_IGNORED;
        nest->framesets++;
        return FG_NEST_EMPTY;
    case FG_TAG_FRAME:
        return nest->framesets ? FG_NEST_EMPTY : FG_NEST_IGNORED;
    case FG_TAG_NOFRAMES:
        push(nest, token);
        enter_raw(html, token->tag);
        return FG_NEST_OPEN;
    default:
        return FG_NEST_IGNORED;
    }
}

static enum fg_nest_made start_in_html(struct fg_nest *nest, struct fg_html *html,
                                       const struct fg_html_token *token)
{
    enum fg_tag tag = token->tag;
    unsigned traits = fg_tag_traits[tag];
    if (tag == FG_TAG_FRAMESET)
        return start_frameset(nest);
    if (traits & FG_TRAIT_NO_FRAMESET && !nest->has_content)
        nest->has_content = !is_hidden_input(token);
    if (tag == FG_TAG_HTML || tag == FG_TAG_HEAD || tag == FG_TAG_BODY)
        return nest->open[FG_TAG_TEMPLATE] ? FG_NEST_IGNORED : FG_NEST_EMPTY;
    if (traits & FG_TRAIT_CLOSES_P && nest->open[FG_TAG_P])
        close_if_found(nest, find_in_scope(nest, FG_TAG_P));
    if (traits & FG_TRAIT_HEADING && nest->depth && is_html(nest, nest->depth) &&
        fg_tag_traits[nest->tag[nest->depth]] & FG_TRAIT_HEADING)
        close_from(nest, nest->depth);
    if (!make_way(nest, tag))
        return FG_NEST_IGNORED;
    make(nest, flags_of_html(tag));
    if (traits & FG_TRAIT_VOID ||
        (nest->made & FG_NEST_FOREIGN && token->is_self_closing))
        return FG_NEST_EMPTY;
    push(nest, token);
    enter_raw(html, tag);
    return FG_NEST_OPEN;
}

static bool is_math_text(enum fg_tag tag)
{
    return tag == FG_TAG_MI || tag == FG_TAG_MO || tag == FG_TAG_MN || tag == FG_TAG_MS ||
           tag == FG_TAG_MTEXT;
}

/* annotation-xml holds HTML only if it says so. */
static bool says_html(const struct fg_html_token *token)
{
    struct fg_str value;
    return fg_html_attr(token, FG_STR("encoding"), &value) &&
           (fg_str_eq_nocase(value, FG_STR("text/html")) ||
            fg_str_eq_nocase(value, FG_STR("application/xhtml+xml")));
}

static unsigned flags_of_foreign(const struct fg_nest *nest,
                                 const struct fg_html_token *token)
{
    unsigned in = fg_nest_top(nest) & FG_NEST_FOREIGN;
    enum fg_tag tag = token->tag;
    bool door =
        in == FG_NEST_SVG
            ? tag == FG_TAG_FOREIGNOBJECT || tag == FG_TAG_DESC || tag == FG_TAG_TITLE
            : is_math_text(tag) || (tag == FG_TAG_ANNOTATION_XML && says_html(token));
    return in | (door ? FG_NEST_DOOR : 0);
}

/* Whether a start tag within a foreign element follows the rules of HTML. */
static bool is_through_door(const struct fg_nest *nest, const struct fg_html_token *token)
{
    enum fg_tag top = nest->tag[nest->depth];
    if (fg_nest_top(nest) & FG_NEST_DOOR)
        return !(fg_nest_top(nest) & FG_NEST_MATH && is_math_text(top) &&
                 (token->tag == FG_TAG_MGLYPH || token->tag == FG_TAG_MALIGNMARK));
    return fg_nest_top(nest) & FG_NEST_MATH && top == FG_TAG_ANNOTATION_XML &&
           token->tag == FG_TAG_SVG;
}

static bool breaks_out(const struct fg_html_token *token)
{
    struct fg_str value;
    if (token->tag == FG_TAG_FONT)
        return fg_html_attr(token, FG_STR("color"), &value) ||
               fg_html_attr(token, FG_STR("face"), &value) ||
               fg_html_attr(token, FG_STR("size"), &value);
    return fg_tag_traits[token->tag] & FG_TRAIT_BREAKOUT;
}

static void leave_foreign(struct fg_nest *nest)
{
    while (fg_nest_top(nest) & FG_NEST_FOREIGN && !(fg_nest_top(nest) & FG_NEST_DOOR))
        close_from(nest, nest->depth);
}

/* What a script, a style or a title holds is not text of the body; what is merely hidden
 * from the reader is. */
void fg_nest_text(struct fg_nest *nest, struct fg_str source)
{
    enum fg_tag tag = (enum fg_tag)nest->tag[nest->depth];
    bool is_raw = tag == FG_TAG_SCRIPT ||
                  (fg_tag_traits[tag] & (FG_TRAIT_RAWTEXT | FG_TRAIT_RCDATA));
    if (fg_nest_top(nest) & FG_NEST_TEMPLATE || (nest->depth > 0 && is_raw))
        return;
    for (size_t i = 0; i < source.len && !nest->has_content; i++)
        nest->has_content = !fg_is_space(source.at[i]) && source.at[i] != '\0';
}

enum fg_nest_made fg_nest_start(struct fg_nest *nest, struct fg_html *html,
                                const struct fg_html_token *token)
{
    enum fg_nest_made made;
    make(nest, 0);
    if (nest->has_frameset)
        return start_in_frameset(nest, html, token);
    if (!(fg_nest_top(nest) & FG_NEST_FOREIGN) || is_through_door(nest, token)) {
        made = start_in_html(nest, html, token);
    } else if (breaks_out(token)) {
        leave_foreign(nest);
        made = start_in_html(nest, html, token);
    } else {
        make(nest, flags_of_foreign(nest, token));
        made = token->is_self_closing ? FG_NEST_EMPTY : FG_NEST_OPEN;
        if (made == FG_NEST_OPEN)
            push(nest, token);
    }
    html->is_foreign = (fg_nest_top(nest) & FG_NEST_FOREIGN) != 0;
    return made;
}

static void end_heading(struct fg_nest *nest)
{
    for (size_t i = nest->depth; i > 0 && !bounds_scope(nest, i); i--)
        if (is_html(nest, i) && fg_tag_traits[nest->tag[i]] & FG_TRAIT_HEADING) {
            close_from(nest, i);
            return;
        }
}

/* An end tag that nothing special is said about: its element must be found before any
 * special one. */
static void end_plain(struct fg_nest *nest, uint64_t key)
{
    for (size_t i = nest->depth; i > 0; i--) {
        if (nest->key[i] == key && is_html(nest, i)) {
            close_from(nest, i);
            return;
        }
        if (is_html(nest, i) ? fg_tag_traits[nest->tag[i]] & FG_TRAIT_SPECIAL
                             : nest->flags[i] & FG_NEST_DOOR)
            return;
    }
}

static void close_template(struct fg_nest *nest)
{
    size_t i = nest->depth;
    while (i > 0 && !is_html_tag(nest, i, FG_TAG_TEMPLATE))
        i--;
    close_if_found(nest, i);
}

static void end_in_html(struct fg_nest *nest, const struct fg_html_token *token)
{
    enum fg_tag tag = token->tag;
    unsigned traits = fg_tag_traits[tag];
    if (traits & FG_TRAIT_HEADING)
        end_heading(nest);
    else if (!nest->open[tag])
        return;
    else if (traits & FG_TRAIT_FORMATTING || tag == FG_TAG_FORM)
        close_formatting(nest, tag);
    else if (traits & FG_TRAIT_SCOPED_END || tag == FG_TAG_P || tag == FG_TAG_LI)
        close_if_found(nest, find_in_scope(nest, tag));
    else if (traits & FG_TRAIT_TABLE_PART || tag == FG_TAG_TABLE)
        close_if_found(nest, find_in_table_scope(nest, tag));
    else if (tag == FG_TAG_TEMPLATE)
        close_template(nest);
    else
        end_plain(nest, token->key);
}

static void end_in_foreign(struct fg_nest *nest, const struct fg_html_token *token)
{
    if (token->tag == FG_TAG_P || token->tag == FG_TAG_BR) {
        leave_foreign(nest);
        end_in_html(nest, token);
        return;
    }
    for (size_t i = nest->depth; i > 0 && !is_html(nest, i); i--)
        if (nest->key[i] == token->key) {
            close_from(nest, i);
            return;
        }
    end_in_html(nest, token);
}

void fg_nest_end(struct fg_nest *nest, struct fg_html *html,
                 const struct fg_html_token *token)
{
    if (nest->has_frameset && token->tag == FG_TAG_FRAMESET)
        nest->framesets -= nest->framesets > 0;
    else if (fg_nest_top(nest) & FG_NEST_FOREIGN)
        end_in_foreign(nest, token);
    else
        end_in_html(nest, token);
    html->is_foreign = (fg_nest_top(nest) & FG_NEST_FOREIGN) != 0;
}
