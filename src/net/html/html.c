/* The standard writes the tokenizer as eighty states that look at one character at a
 * time. Here the states are places in the code, and each jumps to the next byte that can
 * matter: "<" in text, the closing quote in a value, "</" in a script. What the states
 * would do between is unchanged; the conformance suite holds us to it.
 *
 * A tag is scanned twice: once to find where it ends, and again by those who want its
 * attributes. Most tags are never asked, and the first scan stores nothing. */
#include "net/html/html.h"

#include "base/map.h"
#include "net/html/html_scan.h"

void fg_html_init(struct fg_html *html, struct fg_str text)
{
    if (!text.len)
        text = FG_STR("");
    *html = (struct fg_html){.at = text.at, .end = text.at + text.len};
}

void fg_html_enter(struct fg_html *html, enum fg_html_state state)
{
    html->state = state;
}

static bool at_word_nocase(const char *p, const char *end, struct fg_str word)
{
    return fg_str_starts_nocase(fg_str_range(p, end), word);
}

/* Behind the name of a tag: where its ">" is, or NULL if the text ends first. */
static const char *find_tag_end(const char *p, const char *end,
                                struct fg_html_token *token)
{
    uint64_t marks = 0;
    token->is_self_closing = false;
    for (;;) {
        while (p < end && (html_is(*p, HTML_SPACE) || *p == '/'))
            p++;
        if (p == end)
            return NULL;
        if (*p == '>') {
            token->is_self_closing = p[-1] == '/';
            break;
        }
        const char *name = p;
        p = html_skip_attr_name(p + 1, end);
        marks |= fg_html_attr_mark(*name, (size_t)(p - name));
        p = html_skip_space(p, end);
        if (p == end)
            return NULL;
        if (*p != '=')
            continue;
        p = html_skip_space(p + 1, end);
        if (p == end)
            return NULL;
        if (*p == '"' || *p == '\'') {
            p = html_find(p + 1, end, *p);
            if (p == end)
                return NULL;
            p++;
            continue;
        }
        p = html_skip_unquoted(p, end);
        if (p == end)
            return NULL;
        if (*p == '>')
            break;
    }
    token->attr_marks = marks;
    return p;
}

/* `p` stands on the first letter of the name. A tag that the text ends in is no tag. */
static bool take_tag(struct fg_html *html, struct fg_html_token *token, const char *p,
                     enum fg_html_type type)
{
    const char *name = p, *end = html->end;
    uint64_t key = 0;
    for (; p < end && !html_is(*p, HTML_ENDS_NAME); p++)
        key = fg_tag_key_add(key, (size_t)(p - name), (unsigned char)fg_lower(*p));
    const char *close = find_tag_end(p, end, token);
    if (!close) {
        html->at = end;
        return false;
    }
    token->type = type;
    token->key = key;
    token->text = fg_str_range(name, p);
    token->text_rules = FG_HTML_NAME;
    token->tag = fg_tag_find(key, token->text);
    token->attrs = fg_str_range(p, close);
    html->at = close + 1;
    html->state = FG_HTML_DATA;
    if (type == FG_HTML_START)
        html->raw_name = token->text;
    return true;
}

static bool take_text(struct fg_html *html, struct fg_html_token *token, const char *stop,
                      unsigned rules)
{
    token->type = FG_HTML_TEXT;
    token->text = fg_str_range(html->at, stop);
    token->text_rules = rules;
    html->at = stop;
    return true;
}

static bool take_comment(struct fg_html *html, struct fg_html_token *token,
                         const char *first, const char *stop, const char *next)
{
    token->type = FG_HTML_COMMENT;
    token->text = fg_str_range(first, stop);
    token->text_rules = FG_HTML_REPLACE_NUL;
    html->at = next;
    return true;
}

static bool take_bogus_comment(struct fg_html *html, struct fg_html_token *token,
                               const char *first)
{
    const char *stop = html_find(first, html->end, '>');
    return take_comment(html, token, first, stop, stop + (stop < html->end));
}

static bool ends_in(const char *first, const char *p, struct fg_str word)
{
    return fg_str_ends(fg_str_range(first, p), word);
}

/* Behind "<!--". A comment ends at "-->" or "--!>"; one that the text ends in loses the
 * beginning of such an end. */
static bool proper_comment(struct fg_html *html, struct fg_html_token *token,
                           const char *first)
{
    const char *end = html->end;
    for (const char *p = first; (p = html_find(p, end, '>')) < end; p++) {
        if (p == first || (p == first + 1 && *first == '-'))
            return take_comment(html, token, first, first, p + 1);
        if (ends_in(first, p, FG_STR("--")))
            return take_comment(html, token, first, p - 2, p + 1);
        if (ends_in(first, p, FG_STR("--!")))
            return take_comment(html, token, first, p - 3, p + 1);
    }
    const char *stop = end;
    if (ends_in(first, end, FG_STR("--!")))
        stop -= 3;
    else if (ends_in(first, end, FG_STR("--")))
        stop -= 2;
    else if (ends_in(first, end, FG_STR("-")))
        stop -= 1;
    return take_comment(html, token, first, stop, end);
}

/* A quoted identifier; `p` stands on its quote. A ">" inside ends the whole DOCTYPE and
 * is what `p` is left on. */
static const char *take_id(const char *p, const char *end, struct fg_str *id,
                           struct fg_html_token *token)
{
    char quote = *p++;
    const char *first = p;
    while (p < end && *p != quote && *p != '>')
        p++;
    *id = fg_str_range(first, p);
    if (p < end && *p == quote)
        return p + 1;
    token->is_quirky = true;
    return p;
}

/* Behind the name of a DOCTYPE: its identifiers. Returns where to look for the ">". */
static const char *take_ids(const char *p, const char *end, struct fg_html_token *token)
{
    bool is_public = at_word_nocase(p, end, FG_STR("public"));
    if (p == end || *p == '>') {
        token->is_quirky = p == end;
        return p;
    }
    token->is_quirky = true;
    if (!is_public && !at_word_nocase(p, end, FG_STR("system")))
        return p;
    p = html_skip_space(p + 6, end);
    if (p == end || (*p != '"' && *p != '\''))
        return p;
    token->is_quirky = false;
    p = take_id(p, end, is_public ? &token->public_id : &token->system_id, token);
    p = html_skip_space(p, end);
    if (is_public && p < end && (*p == '"' || *p == '\'')) {
        p = take_id(p, end, &token->system_id, token);
        p = html_skip_space(p, end);
    } else if (is_public && p < end && *p != '>') {
        token->is_quirky = true;
    }
    if (p == end)
        token->is_quirky = true;
    return p;
}

/* Behind "<!DOCTYPE". */
static bool take_doctype(struct fg_html *html, struct fg_html_token *token, const char *p)
{
    const char *end = html->end;
    p = html_skip_space(p, end);
    const char *name = p;
    while (p < end && !fg_is_space(*p) && *p != '>')
        p++;
    *token = (struct fg_html_token){
        .type = FG_HTML_DOCTYPE, .text_rules = FG_HTML_NAME, .is_quirky = true};
    if (p > name) {
        token->text = fg_str_range(name, p);
        p = take_ids(html_skip_space(p, end), end, token);
    }
    p = html_find(p, end, '>');
    html->at = p + (p < end);
    return true;
}

/* Behind "<!". False where no token comes of it: a CDATA section has begun. */
static bool take_declaration(struct fg_html *html, struct fg_html_token *token,
                             const char *p)
{
    struct fg_str rest = fg_str_range(p, html->end);
    if (fg_str_starts(rest, FG_STR("--")))
        return proper_comment(html, token, p + 2);
    if (fg_str_starts_nocase(rest, FG_STR("doctype")))
        return take_doctype(html, token, p + 7);
    if (html->is_foreign && fg_str_starts(rest, FG_STR("[CDATA["))) {
        html->at = p + 7;
        html->state = FG_HTML_CDATA;
        return false;
    }
    return take_bogus_comment(html, token, p);
}

/* A "<" that opens something, rather than standing in the text for itself. */
static bool opens_markup(const char *p, const char *end)
{
    if (end - p < 2)
        return false;
    return fg_is_alpha(p[1]) || p[1] == '!' || p[1] == '?' ||
           (p[1] == '/' && end - p > 2);
}

/* At such a "<". False where no token comes of it. */
static bool take_markup(struct fg_html *html, struct fg_html_token *token)
{
    const char *p = html->at;
    if (fg_is_alpha(p[1]))
        return take_tag(html, token, p + 1, FG_HTML_START);
    if (p[1] == '!')
        return take_declaration(html, token, p + 2);
    if (p[1] == '?')
        return take_bogus_comment(html, token, p + 1);
    if (fg_is_alpha(p[2]))
        return take_tag(html, token, p + 2, FG_HTML_END);
    if (p[2] != '>')
        return take_bogus_comment(html, token, p + 2);
    html->at = p + 3;
    return false;
}

static bool next_in_data(struct fg_html *html, struct fg_html_token *token)
{
    const char *end = html->end, *p = html_find(html->at, end, '<');
    while (p < end && !opens_markup(p, end))
        p = html_find(p + 1, end, '<');
    if (p > html->at)
        return take_text(html, token, p, FG_HTML_REFS);
    return take_markup(html, token);
}

static bool is_tag_of(const char *p, const char *end, struct fg_str name)
{
    return name.len > 0 && (size_t)(end - p) > name.len && at_word_nocase(p, end, name) &&
           html_is(p[name.len], HTML_ENDS_NAME);
}

/* Where "</name" with the name of the last start tag stands, or the end. */
static const char *find_end_tag(const struct fg_html *html)
{
    const char *p = html->at, *end = html->end;
    while ((p = html_find(p, end, '<')) < end) {
        if (end - p > 2 && p[1] == '/' && is_tag_of(p + 2, end, html->raw_name))
            return p;
        p++;
    }
    return end;
}

/* The end of a script, which "<!--" and then "<script" inside can put off: PLAIN ends at
 * the end tag, and so does ESCAPED, but not DOUBLY. "-->" leads back to PLAIN from both.
 * The two dashes of "<!--" may be those of "-->". */
static const char *find_script_end(const struct fg_html *html)
{
    enum { PLAIN, ESCAPED, DOUBLY } mode = PLAIN;
    const char *end = html->end, *since = NULL;
    struct fg_str script = FG_STR("script");
    for (const char *p = html->at; p < end; p++) {
        p = mode == PLAIN ? html_find(p, end, '<') : html_find_angle(p, end);
        if (p == end)
            break;
        if (*p == '>') {
            if (p - since >= 4 && p[-1] == '-' && p[-2] == '-')
                mode = PLAIN;
        } else if (end - p > 2 && p[1] == '/') {
            if (mode != DOUBLY && is_tag_of(p + 2, end, html->raw_name))
                return p;
            if (mode == DOUBLY && is_tag_of(p + 2, end, script))
                mode = ESCAPED;
        } else if (mode == PLAIN && end - p > 3 && memcmp(p, "<!--", 4) == 0) {
            mode = ESCAPED;
            since = p;
        } else if (mode == ESCAPED && is_tag_of(p + 1, end, script)) {
            mode = DOUBLY;
        }
    }
    return end;
}

/* Text up to `stop`, or the end tag that stands there. */
static bool next_in_raw(struct fg_html *html, struct fg_html_token *token,
                        const char *stop, unsigned rules)
{
    if (stop > html->at)
        return take_text(html, token, stop, rules);
    return take_tag(html, token, stop + 2, FG_HTML_END);
}

static bool next_in_cdata(struct fg_html *html, struct fg_html_token *token)
{
    const char *at = html->at, *end = html->end;
    size_t n = fg_str_find(fg_str_range(at, end), FG_STR("]]>"));
    if (n == FG_NOT_FOUND)
        return take_text(html, token, end, 0);
    html->state = FG_HTML_DATA;
    if (n > 0)
        take_text(html, token, at + n, 0);
    html->at = at + n + 3;
    return n > 0;
}

bool fg_html_next(struct fg_html *html, struct fg_html_token *token)
{
    while (html->at < html->end) {
        bool got = false;
        switch (html->state) {
        case FG_HTML_DATA:
            got = next_in_data(html, token);
            break;
        case FG_HTML_RCDATA:
            got = next_in_raw(html, token, find_end_tag(html),
                              FG_HTML_REFS | FG_HTML_REPLACE_NUL);
            break;
        case FG_HTML_RAWTEXT:
            got = next_in_raw(html, token, find_end_tag(html), FG_HTML_REPLACE_NUL);
            break;
        case FG_HTML_SCRIPT:
            got = next_in_raw(html, token, find_script_end(html), FG_HTML_REPLACE_NUL);
            break;
        case FG_HTML_PLAINTEXT:
            got = take_text(html, token, html->end, FG_HTML_REPLACE_NUL);
            break;
        case FG_HTML_CDATA:
            got = next_in_cdata(html, token);
            break;
        }
        if (got)
            return true;
    }
    return false;
}

/* What find_tag_end has walked over, once more: the end of `rest` is where ">" was. */
bool fg_html_attr_next(struct fg_str *rest, struct fg_html_attr *attr)
{
    if (!rest->len)
        return false;
    const char *p = rest->at, *end = rest->at + rest->len;
    while (p < end && (fg_is_space(*p) || *p == '/'))
        p++;
    if (p == end)
        return false;
    const char *name = p;
    p = html_skip_attr_name(p + 1, end);
    attr->name = fg_str_range(name, p);
    attr->value = (struct fg_str){p, 0};
    const char *equals = html_skip_space(p, end);
    if (equals < end && *equals == '=') {
        p = html_skip_space(equals + 1, end);
        bool quoted = p < end && (*p == '"' || *p == '\'');
        const char *stop =
            quoted ? html_find(p + 1, end, *p) : html_skip_unquoted(p, end);
        attr->value = fg_str_range(p + quoted, stop);
        p = stop + (quoted && stop < end);
    }
    *rest = fg_str_range(p, end);
    return true;
}

bool fg_html_attr(const struct fg_html_token *token, struct fg_str name,
                  struct fg_str *value)
{
    if (!fg_html_may_have(token, name))
        return false;
    struct fg_str rest = token->attrs;
    for (struct fg_html_attr attr; fg_html_attr_next(&rest, &attr);)
        if (fg_str_eq_nocase(attr.name, name)) {
            *value = attr.value;
            return true;
        }
    return false;
}

size_t fg_html_attrs(struct fg_arena *arena, const struct fg_html_token *token,
                     struct fg_html_attr **attrs)
{
    struct fg_names seen = {.arena = arena};
    struct fg_str rest = token->attrs;
    size_t n = 0, capacity = 0;
    *attrs = NULL;
    for (struct fg_html_attr attr;
         n < FG_HTML_ATTRS_MAX && fg_html_attr_next(&rest, &attr);) {
        attr.name = fg_html_decode(arena, attr.name, FG_HTML_NAME);
        if (fg_names_get(&seen, attr.name))
            continue;
        *fg_names_put(&seen, attr.name) = 1;
        attr.value = fg_html_decode(arena, attr.value, FG_HTML_VALUE);
        if (n == capacity) {
            *attrs = fg_arena_grow(arena, *attrs, sizeof **attrs, n, n ? 2 * n : 8);
            capacity = n ? 2 * n : 8;
        }
        (*attrs)[n++] = attr;
    }
    return n;
}
