#include "net/html/xpath.h"

#include "base/buf.h"

enum { LONGEST = 4096 };

struct scan {
    struct fg_str rest;
    struct fg_buf out;
};

static bool eat(struct scan *s, const char *text)
{
    struct fg_str wanted = fg_str_from(text);
    if (!fg_str_starts(s->rest, wanted))
        return false;
    s->rest = fg_str_skip(s->rest, wanted.len);
    return true;
}

static void skip_blanks(struct scan *s)
{
    while (s->rest.len && fg_is_space(s->rest.at[0]))
        s->rest = fg_str_skip(s->rest, 1);
}

static bool take_name(struct scan *s, struct fg_str *name)
{
    size_t n = 0;
    while (n < s->rest.len &&
           (fg_is_alnum(s->rest.at[n]) || s->rest.at[n] == '-' || s->rest.at[n] == '_'))
        n++;
    *name = fg_str_sub(s->rest, 0, n);
    s->rest = fg_str_skip(s->rest, n);
    return n && !fg_is_digit(name->at[0]);
}

/* 'v' or "v"; one that a selector cannot quote is refused. */
static bool take_quoted(struct scan *s, struct fg_str *value)
{
    skip_blanks(s);
    char quote = s->rest.len ? s->rest.at[0] : 0;
    if (quote != '\'' && quote != '"')
        return false;
    struct fg_str rest = fg_str_skip(s->rest, 1);
    size_t end = fg_str_chr(rest, quote);
    if (end == FG_NOT_FOUND)
        return false;
    *value = fg_str_sub(rest, 0, end);
    s->rest = fg_str_skip(rest, end + 1);
    return fg_str_chr(*value, '"') == FG_NOT_FOUND &&
           fg_str_chr(*value, '\\') == FG_NOT_FOUND;
}

static bool take_function(struct scan *s, const char *test)
{
    struct fg_str name, value;
    skip_blanks(s);
    if (!eat(s, "@") || !take_name(s, &name))
        return false;
    skip_blanks(s);
    if (!eat(s, ",") || !take_quoted(s, &value))
        return false;
    skip_blanks(s);
    if (!eat(s, ")"))
        return false;
    fg_buf_printf(&s->out, "[%.*s%s\"%.*s\"]", FG_ARG(name), test, FG_ARG(value));
    return true;
}

static bool take_attribute(struct scan *s)
{
    struct fg_str name, value;
    if (!take_name(s, &name))
        return false;
    skip_blanks(s);
    if (!eat(s, "=")) {
        fg_buf_printf(&s->out, "[%.*s]", FG_ARG(name));
        return true;
    }
    if (!take_quoted(s, &value))
        return false;
    fg_buf_printf(&s->out, "[%.*s=\"%.*s\"]", FG_ARG(name), FG_ARG(value));
    return true;
}

static bool take_number(struct scan *s, bool has_name)
{
    size_t n = 0;
    while (n < s->rest.len && fg_is_digit(s->rest.at[n]))
        n++;
    if (!n || n > 6)
        return false;
    /* Counted among elements of its name, or, without one, among all. */
    fg_buf_printf(&s->out, ":nth-%s(%.*s)", has_name ? "of-type" : "child", (int)n,
                  s->rest.at);
    s->rest = fg_str_skip(s->rest, n);
    return true;
}

static bool take_predicates(struct scan *s, bool has_name)
{
    for (unsigned n = 0; eat(s, "["); n++) {
        skip_blanks(s);
        bool is_number = s->rest.len && fg_is_digit(s->rest.at[0]);
        bool is_good = is_number                ? !n && take_number(s, has_name)
                       : eat(s, "@")            ? take_attribute(s)
                       : eat(s, "contains(")    ? take_function(s, "*=")
                       : eat(s, "starts-with(") ? take_function(s, "^=")
                                                : false;
        skip_blanks(s);
        if (!is_good || !eat(s, "]"))
            return false;
        if (is_number && fg_str_starts(s->rest, FG_STR("[")))
            return false;
    }
    return true;
}

/* One step with what leads to it. */
static bool take_step(struct scan *s, bool is_first, bool *is_last)
{
    struct fg_str name = {0};
    bool is_deep = eat(s, "//");
    if (!is_deep && !eat(s, "/"))
        return false;
    if (!is_first && eat(s, "text()")) {
        *is_last = true;
        return true;
    }
    if (!is_first && eat(s, "@")) {
        *is_last = true;
        bool is_good = !is_deep && take_name(s, &name);
        fg_buf_printf(&s->out, "@%.*s", FG_ARG(name));
        return is_good;
    }
    bool is_any = eat(s, "*");
    if (!is_any && !take_name(s, &name))
        return false;
    if (!is_first)
        fg_buf_add(&s->out, is_deep ? FG_STR(" ") : FG_STR(" > "));
    bool is_bare = is_any && !fg_str_starts(s->rest, FG_STR("["));
    fg_buf_add(&s->out, is_bare ? FG_STR("*") : name);
    return take_predicates(s, !is_any);
}

static bool take_path(struct scan *s)
{
    bool is_last = false, is_grouped;
    skip_blanks(s);
    is_grouped = eat(s, "(");
    eat(s, "."); /* ".//div": from where one stands, which is the page */
    for (bool is_first = true; !is_last && fg_str_starts(s->rest, FG_STR("/"));
         is_first = false)
        if (!take_step(s, is_first, &is_last))
            return false;
    if (!s->out.len)
        return false;
    if (is_grouped && !eat(s, ")"))
        return false;
    if (is_grouped && !eat(s, "[1]") && !eat(s, "[position()=1]"))
        return false;
    if (is_grouped)
        fg_buf_add(&s->out, FG_STR(":first"));
    skip_blanks(s);
    return true;
}

bool fg_xpath_to_selector(struct fg_str *selector, struct fg_arena *arena,
                          struct fg_str xpath)
{
    struct scan s = {.rest = fg_str_trim(xpath)};
    bool is_good = s.rest.len <= LONGEST;
    fg_buf_init(&s.out, (size_t)4 * LONGEST);
    do {
        if (s.out.len)
            fg_buf_add(&s.out, FG_STR(", "));
        is_good = is_good && take_path(&s);
    } while (is_good && eat(&s, "|"));
    is_good = is_good && !s.rest.len && !s.out.full;
    *selector = is_good ? fg_arena_dup(arena, fg_buf_str(&s.out)) : (struct fg_str){0};
    fg_buf_clear(&s.out);
    return is_good;
}
