#include "net/http/mime.h"

#include "base/buf.h"

/* HTTP whitespace: unlike elsewhere, a form feed is none. */
static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static struct fg_str trim_end(struct fg_str s)
{
    while (s.len && is_space(s.at[s.len - 1]))
        s.len--;
    return s;
}

static struct fg_str trim(struct fg_str s)
{
    while (s.len && is_space(s.at[0]))
        s = fg_str_skip(s, 1);
    return trim_end(s);
}

static bool is_token(struct fg_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!fg_is_alnum(s.at[i]) && (!s.at[i] || !strchr("!#$%&'*+-.^_`|~", s.at[i])))
            return false;
    return true;
}

/* What a quoted string may hold: a tab, and anything but control characters. */
static bool is_quotable(struct fg_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.at[i];
        if ((c < ' ' && c != '\t') || c == 0x7F)
            return false;
    }
    return true;
}

static struct fg_str lowered(struct fg_arena *arena, struct fg_str s)
{
    char *copy = fg_arena_bytes(arena, s.len);
    for (size_t i = 0; i < s.len; i++)
        copy[i] = fg_lower(s.at[i]);
    return (struct fg_str){copy, s.len};
}

/* Up to the first of two bytes, or all of it. */
static struct fg_str take_until(struct fg_str *rest, char a, char b)
{
    size_t n = 0;
    while (n < rest->len && rest->at[n] != a && rest->at[n] != b)
        n++;
    struct fg_str taken = fg_str_sub(*rest, 0, n);
    *rest = fg_str_skip(*rest, n);
    return taken;
}

/* From a quotation mark to behind its partner, both included; to the end if it has none.
 */
static struct fg_str take_quoted(struct fg_str *rest)
{
    size_t n = 1;
    while (n < rest->len && rest->at[n] != '"')
        n += rest->at[n] == '\\' ? 2 : 1;
    struct fg_str taken = fg_str_sub(*rest, 0, n + 1);
    *rest = fg_str_skip(*rest, n + 1);
    return taken;
}

/* What a quoted string says: without the marks, and each "\x" as "x". */
static struct fg_str unquoted(struct fg_arena *arena, struct fg_str quoted)
{
    char *text = fg_arena_bytes(arena, quoted.len);
    size_t len = 0;
    for (size_t i = 1; i < quoted.len && quoted.at[i] != '"'; i++) {
        if (quoted.at[i] == '\\' && i + 1 < quoted.len)
            i++;
        text[len++] = quoted.at[i];
    }
    return (struct fg_str){text, len};
}

struct fg_str fg_mime_parameter(const struct fg_mime *mime, struct fg_str name)
{
    for (size_t i = 0; i < mime->n_parameters; i++)
        if (fg_str_eq(mime->parameters[i].name, name))
            return mime->parameters[i].value;
    return (struct fg_str){0};
}

struct fg_str fg_mime_charset(const struct fg_mime *mime)
{
    return fg_mime_parameter(mime, FG_STR("charset"));
}

static void add_parameter(struct fg_mime *mime, struct fg_arena *arena,
                          struct fg_str name, struct fg_str value)
{
    if (mime->n_parameters == FG_MIME_PARAMETERS_MAX)
        return;
    if (mime->n_parameters % 8 == 0) /* full, or nothing there yet */
        mime->parameters =
            fg_arena_grow(arena, mime->parameters, sizeof *mime->parameters,
                          mime->n_parameters, mime->n_parameters + 8);
    mime->parameters[mime->n_parameters++] = (struct fg_mime_parameter){name, value};
}

/* One parameter behind its ";". What is wrong with it costs the parameter, not the type.
 */
static void take_parameter(struct fg_mime *mime, struct fg_arena *arena,
                           struct fg_str *rest)
{
    while (rest->len && is_space(rest->at[0]))
        *rest = fg_str_skip(*rest, 1);
    struct fg_str name = take_until(rest, ';', '='), value;
    if (!rest->len || rest->at[0] == ';')
        return;
    *rest = fg_str_skip(*rest, 1);
    if (!rest->len)
        return;
    if (rest->at[0] == '"') {
        value = unquoted(arena, take_quoted(rest));
        take_until(rest, ';', ';');
    } else {
        value = trim_end(take_until(rest, ';', ';'));
        if (!value.len)
            return;
    }
    if (!name.len || !is_token(name) || !is_quotable(value))
        return;
    name = lowered(arena, name);
    if (!fg_mime_parameter(mime, name).at)
        add_parameter(mime, arena, name, value);
}

bool fg_mime_parse(struct fg_mime *mime, struct fg_arena *arena, struct fg_str text)
{
    *mime = (struct fg_mime){0};
    struct fg_str rest = trim(text), all = rest;
    struct fg_str type = take_until(&rest, '/', '/');
    if (!type.len || !is_token(type) || !rest.len)
        return false;
    rest = fg_str_skip(rest, 1);
    struct fg_str subtype = trim_end(take_until(&rest, ';', ';'));
    if (!subtype.len || !is_token(subtype))
        return false;
    mime->essence = lowered(arena, fg_str_sub(all, 0, type.len + 1 + subtype.len));
    mime->type = fg_str_sub(mime->essence, 0, type.len);
    mime->subtype = fg_str_skip(mime->essence, type.len + 1);
    while (rest.len) {
        rest = fg_str_skip(rest, 1); /* the ";" */
        take_parameter(mime, arena, &rest);
    }
    return true;
}

/* The next of several values that are joined by commas; commas in quotes do not count. */
static bool next_value(struct fg_str *rest, struct fg_str *value)
{
    if (!rest->at)
        return false;
    const char *first = rest->at;
    for (;;) {
        take_until(rest, '"', ',');
        if (!rest->len || rest->at[0] == ',')
            break;
        take_quoted(rest);
    }
    *value = trim(fg_str_range(first, rest->at));
    *rest = rest->len ? fg_str_skip(*rest, 1) : (struct fg_str){0};
    return true;
}

bool fg_mime_extract(struct fg_mime *mime, struct fg_arena *arena, struct fg_str header)
{
    struct fg_mime next;
    struct fg_str rest = header, value, charset = {0};
    *mime = (struct fg_mime){0};
    while (next_value(&rest, &value)) {
        if (!fg_mime_parse(&next, arena, value) || fg_str_eq(next.essence, FG_STR("*/*")))
            continue;
        struct fg_str own = fg_mime_charset(&next);
        if (!fg_str_eq(next.essence, mime->essence))
            charset = own;
        else if (!own.at && charset.at) /* a repetition of the type keeps its charset */
            add_parameter(&next, arena, FG_STR("charset"), charset);
        *mime = next;
    }
    return mime->essence.len;
}

struct fg_str fg_mime_format(struct fg_arena *arena, const struct fg_mime *mime)
{
    size_t most = mime->essence.len;
    for (size_t i = 0; i < mime->n_parameters; i++)
        most += mime->parameters[i].name.len + 2 * mime->parameters[i].value.len + 4;
    struct fg_buf out;
    fg_buf_init(&out, most);
    fg_buf_add(&out, mime->essence);
    for (size_t i = 0; i < mime->n_parameters; i++) {
        struct fg_str value = mime->parameters[i].value;
        fg_buf_add_char(&out, ';');
        fg_buf_add(&out, mime->parameters[i].name);
        fg_buf_add_char(&out, '=');
        if (value.len && is_token(value)) {
            fg_buf_add(&out, value);
            continue;
        }
        fg_buf_add_char(&out, '"');
        for (size_t j = 0; j < value.len; j++) {
            if (value.at[j] == '"' || value.at[j] == '\\')
                fg_buf_add_char(&out, '\\');
            fg_buf_add_char(&out, value.at[j]);
        }
        fg_buf_add_char(&out, '"');
    }
    struct fg_str text = fg_arena_dup(arena, fg_buf_str(&out));
    fg_buf_clear(&out);
    return text;
}

bool fg_mime_is_xml(const struct fg_mime *mime)
{
    return fg_str_ends(mime->subtype, FG_STR("+xml")) ||
           fg_str_eq(mime->essence, FG_STR("text/xml")) ||
           fg_str_eq(mime->essence, FG_STR("application/xml"));
}

bool fg_mime_is_json(const struct fg_mime *mime)
{
    return fg_str_ends(mime->subtype, FG_STR("+json")) ||
           fg_str_eq(mime->essence, FG_STR("application/json")) ||
           fg_str_eq(mime->essence, FG_STR("text/json"));
}
