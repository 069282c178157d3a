/* The grammar of selectors, read from left to right; a mistake is told with its place. */
#include "net/html/selector_parts.h"

#include "base/utf8.h"
#include "base/vec.h"
#include "net/html/tag.h"

#include <limits.h>

struct parser {
    struct fg_selector *selector;
    struct fg_arena *arena;
    struct fg_str whole, rest;
    struct fg_err *err;
    enum fg_status status;
};

static void fail(struct parser *p, const char *words)
{
    if (p->status)
        return;
    size_t at = p->whole.len - p->rest.len;
    p->status =
        fg_fail(p->err, FG_ECONFIG, "selector '%.*s': %s at character %zu%s%.*s%s",
                FG_ARG(fg_str_sub(p->whole, 0, 200)), words, at + 1,
                p->rest.len ? ", before '" : ", its end",
                FG_ARG(fg_str_sub(p->rest, 0, 20)), p->rest.len ? "'" : "");
}

/* --- letters --- */

static bool is_at(const struct parser *p, char c)
{
    return p->rest.len && p->rest.at[0] == c;
}

static bool take(struct parser *p, char c)
{
    if (!is_at(p, c))
        return false;
    p->rest = fg_str_skip(p->rest, 1);
    return true;
}

static bool skip_space(struct parser *p)
{
    size_t before = p->rest.len;
    while (p->rest.len && fg_is_space(p->rest.at[0]))
        p->rest = fg_str_skip(p->rest, 1);
    return p->rest.len < before;
}

static bool is_name(char c)
{
    return fg_is_alnum(c) || c == '-' || c == '_' || (unsigned char)c >= 0x80;
}

/* Behind a backslash: a letter, or up to six hexadecimal digits and a blank. */
static size_t take_escape(struct parser *p, char *out)
{
    uint32_t code = 0;
    size_t n = 0;
    while (n < 6 && n < p->rest.len && fg_hex(p->rest.at[n]) >= 0)
        code = code * 16 + (uint32_t)fg_hex(p->rest.at[n++]);
    if (n) {
        p->rest = fg_str_skip(p->rest, n);
        if (p->rest.len && fg_is_space(p->rest.at[0]))
            p->rest = fg_str_skip(p->rest, 1);
        return fg_utf8_put(out, code);
    }
    if (!p->rest.len)
        return 0;
    *out = p->rest.at[0];
    p->rest = fg_str_skip(p->rest, 1);
    return 1;
}

/* A name, which may be empty. Escapes never make it longer than it is written, but for
 * "\0", which becomes U+FFFD. */
static struct fg_str take_letters(struct parser *p)
{
    char *out = fg_arena_bytes(p->arena, 2 * p->rest.len + 4);
    size_t n = 0;
    while (p->rest.len && (is_name(p->rest.at[0]) || is_at(p, '\\'))) {
        if (take(p, '\\')) {
            n += take_escape(p, out + n);
        } else {
            out[n++] = p->rest.at[0];
            p->rest = fg_str_skip(p->rest, 1);
        }
    }
    return (struct fg_str){out, n};
}

static struct fg_str take_name(struct parser *p, const char *what)
{
    struct fg_str name = take_letters(p);
    if (!name.len)
        fail(p, what);
    return name;
}

static struct fg_str take_lower_name(struct parser *p, const char *what)
{
    struct fg_str name = take_name(p, what);
    char *lower = fg_arena_bytes(p->arena, name.len + 1);
    for (size_t i = 0; i < name.len; i++)
        lower[i] = fg_lower(name.at[i]);
    return (struct fg_str){lower, name.len};
}

static struct fg_str take_value(struct parser *p)
{
    char quote = p->rest.len ? p->rest.at[0] : '\0';
    if (quote != '"' && quote != '\'')
        return take_name(p, "a value is missing");
    p->rest = fg_str_skip(p->rest, 1);
    size_t end = fg_str_chr(p->rest, quote);
    if (end == FG_NOT_FOUND) {
        fail(p, "the quote is not closed");
        return (struct fg_str){0};
    }
    struct fg_str value = fg_str_sub(p->rest, 0, end);
    p->rest = fg_str_skip(p->rest, end + 1);
    return value;
}

/* --- parts of a compound --- */

static void add_attr(struct parser *p, struct compound *compound, struct attr attr)
{
    struct attr *wider = FG_NEW(p->arena, struct attr, compound->n_attrs + 1);
    if (compound->n_attrs)
        memcpy(wider, compound->attrs, compound->n_attrs * sizeof *wider);
    wider[compound->n_attrs++] = attr;
    compound->attrs = wider;
}

static enum attr_test take_test(struct parser *p)
{
    static const struct {
        struct fg_str sign;
        enum attr_test test;
    } tests[] = {{{"=", 1}, EQUALS},    {{"^=", 2}, STARTS},   {{"$=", 2}, ENDS},
                 {{"*=", 2}, CONTAINS}, {{"~=", 2}, HAS_WORD}, {{"|=", 2}, HAS_LANGUAGE}};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (fg_str_starts(p->rest, tests[i].sign)) {
            p->rest = fg_str_skip(p->rest, tests[i].sign.len);
            return tests[i].test;
        }
    return HAS;
}

static void take_attr(struct parser *p, struct compound *compound)
{
    skip_space(p);
    struct attr attr = {.name = take_lower_name(p, "an attribute's name is missing")};
    skip_space(p);
    attr.test = take_test(p);
    if (attr.test != HAS) {
        skip_space(p);
        attr.value = take_value(p);
        skip_space(p);
        attr.ignores_case = take(p, 'i') || take(p, 'I');
        skip_space(p);
    }
    if (!p->status && !take(p, ']'))
        fail(p, "']' is missing");
    add_attr(p, compound, attr);
}

static bool take_int(struct parser *p, int *value)
{
    uint64_t digits = 0;
    size_t n = 0;
    for (; n < p->rest.len && n < 6 && fg_is_digit(p->rest.at[n]); n++)
        digits = digits * 10 + (uint64_t)(p->rest.at[n] - '0');
    *value = (int)digits;
    p->rest = fg_str_skip(p->rest, n);
    return n > 0;
}

static bool take_word(struct parser *p, struct fg_str word)
{
    if (!fg_str_starts_nocase(p->rest, word))
        return false;
    p->rest = fg_str_skip(p->rest, word.len);
    return true;
}

/* "odd", "even", "3", "2n", "2n+1", "-n+3" */
static struct nth take_formula(struct parser *p)
{
    struct nth nth = {.is_asked = true};
    skip_space(p);
    if (take_word(p, FG_STR("odd")))
        return (struct nth){true, 2, 1};
    if (take_word(p, FG_STR("even")))
        return (struct nth){true, 2, 0};
    int sign = take(p, '-') ? -1 : 1;
    int number;
    bool has_number = take_int(p, &number);
    if (!take(p, 'n') && !take(p, 'N')) {
        if (!has_number)
            fail(p, "a number such as 3 or 2n+1 is missing");
        nth.b = sign * number;
        return nth;
    }
    nth.a = sign * (has_number ? number : 1);
    skip_space(p);
    sign = is_at(p, '-') ? -1 : is_at(p, '+') ? 1 : 0;
    if (!sign)
        return nth;
    p->rest = fg_str_skip(p->rest, 1);
    skip_space(p);
    if (!take_int(p, &number))
        fail(p, "a number is missing");
    nth.b = sign * number;
    return nth;
}

static struct nth take_nth(struct parser *p)
{
    if (!take(p, '(')) {
        fail(p, "'(' is missing");
        return (struct nth){0};
    }
    struct nth nth = take_formula(p);
    skip_space(p);
    if (!p->status && !take(p, ')'))
        fail(p, "')' is missing");
    return nth;
}

static void set_type(struct parser *p, struct compound *compound, struct nth nth)
{
    if (!compound->tag)
        fail(p, "of-type needs a tag before it");
    else if (p->selector->n_types == TYPES_MAX)
        fail(p, "of-type is used too often");
    else
        compound->type_slot = (unsigned)p->selector->n_types++;
    compound->type = nth;
}

static void take_simple(struct parser *p, struct compound *compound);

static void take_not(struct parser *p, struct compound *compound)
{
    struct compound *nots = FG_NEW(p->arena, struct compound, compound->n_nots + 1);
    if (compound->n_nots)
        memcpy(nots, compound->nots, compound->n_nots * sizeof *nots);
    if (!take(p, '(')) {
        fail(p, "'(' is missing");
        return;
    }
    skip_space(p);
    take_simple(p, &nots[compound->n_nots++]);
    skip_space(p);
    if (!p->status && !take(p, ')'))
        fail(p, "':not' holds one tag with its attributes, and ')' is missing");
    compound->nots = nots;
}

/* False for ":first", which ends an alternative. */
static bool take_pseudo(struct parser *p, struct compound *compound)
{
    struct parser before = *p;
    static const struct nth first = {true, 0, 1};
    struct fg_str name = take_lower_name(p, "a name is missing behind ':'");
    if (fg_str_eq(name, FG_STR("first")))
        return false;
    if (fg_str_eq(name, FG_STR("not")))
        take_not(p, compound);
    else if (fg_str_eq(name, FG_STR("first-child")))
        compound->child = first;
    else if (fg_str_eq(name, FG_STR("nth-child")))
        compound->child = take_nth(p);
    else if (fg_str_eq(name, FG_STR("first-of-type")))
        set_type(p, compound, first);
    else if (fg_str_eq(name, FG_STR("nth-of-type")))
        set_type(p, compound, take_nth(p));
    else if (!p->status) {
        *p = before;
        fail(p, "after ':' there may stand first-child, nth-child(), first-of-type, "
                "nth-of-type(), not() or first,");
    }
    return true;
}

static struct attr id_test(struct parser *p)
{
    return (struct attr){FG_STR("id"), take_name(p, "a name is missing behind '#'"),
                         EQUALS, false};
}

static struct attr class_test(struct parser *p)
{
    return (struct attr){FG_STR("class"), take_name(p, "a name is missing behind '.'"),
                         HAS_WORD, false};
}

/* A tag and what is asked of it, pseudo-classes apart. */
static void take_simple(struct parser *p, struct compound *compound)
{
    size_t before = p->rest.len;
    if (!take(p, '*') && p->rest.len && (is_name(p->rest.at[0]) || is_at(p, '\\')))
        compound->tag = fg_tag_key(take_lower_name(p, "a tag is missing"));
    while (!p->status) {
        if (take(p, '#'))
            add_attr(p, compound, id_test(p));
        else if (take(p, '.'))
            add_attr(p, compound, class_test(p));
        else if (take(p, '['))
            take_attr(p, compound);
        else
            break;
    }
    if (!p->status && p->rest.len == before && !is_at(p, ':'))
        fail(p, "a tag, '#', '.', '[' or ':' is missing");
}

/* --- alternatives --- */

static void take_compound(struct parser *p, struct alternative *alternative,
                          enum combinator by)
{
    struct fg_selector *selector = p->selector;
    if (selector->n_compounds == COMPOUNDS_MAX) {
        fail(p, "it is too long");
        return;
    }
    struct compound *compound = &selector->compounds[selector->n_compounds++];
    alternative->n++;
    compound->by = by;
    do {
        take_simple(p, compound);
        while (!p->status && !alternative->takes_first && take(p, ':'))
            alternative->takes_first = !take_pseudo(p, compound);
        /* a class may stand behind a pseudo-class */
    } while (!p->status && (is_at(p, '.') || is_at(p, '[') || is_at(p, '#')));
}

/* False at the end of the alternative. */
static bool take_combinator(struct parser *p, enum combinator *by)
{
    bool has_space = skip_space(p);
    if (!p->rest.len || is_at(p, ',') || is_at(p, '@'))
        return false;
    if (take(p, '>'))
        *by = CHILD;
    else if (take(p, '+'))
        *by = NEXT;
    else if (take(p, '~'))
        *by = BEHIND;
    else if (has_space)
        *by = WITHIN;
    else
        fail(p, "a blank, ',', '>', '+', '~' or '@' is missing");
    skip_space(p);
    return !p->status;
}

static void take_alternative(struct parser *p)
{
    struct fg_selector *selector = p->selector;
    if (selector->n_alternatives == COMPOUNDS_MAX) {
        fail(p, "it is too long");
        return;
    }
    struct alternative *alternative = &selector->alternatives[selector->n_alternatives++];
    alternative->first = selector->n_compounds;
    enum combinator by = WITHIN;
    skip_space(p);
    do
        take_compound(p, alternative, by);
    while (!p->status && !alternative->takes_first && take_combinator(p, &by));
    skip_space(p);
    if (!p->status && take(p, '@'))
        alternative->attr = take_lower_name(p, "an attribute's name is missing");
    skip_space(p);
    if (!p->status && p->rest.len && !is_at(p, ','))
        fail(p, "',' is missing");
}

enum fg_status fg_selector_parse(const struct fg_selector **selector,
                                 struct fg_arena *arena, struct fg_str text,
                                 struct fg_err *err)
{
    struct parser p = {.arena = arena, .whole = text, .rest = text, .err = err};
    if (text.len > FG_SELECTOR_MAX)
        return fg_fail(err, FG_ECONFIG, "a selector has at most %d characters",
                       FG_SELECTOR_MAX);
    p.selector = FG_NEW(arena, struct fg_selector, 1);
    p.selector->text = fg_arena_dup(arena, text);
    do
        take_alternative(&p);
    while (!p.status && take(&p, ','));
    *selector = p.selector;
    return p.status;
}

struct fg_str fg_selector_text(const struct fg_selector *selector)
{
    return selector->text;
}
