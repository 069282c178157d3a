#include "net/text/json_tree.h"

#include "base/utf8.h"
#include "net/html/html.h"

enum { MENDED_BYTES_MAX = 1 << 20 };

bool fg_json_tree_is_affordable(struct fg_str s, const struct fg_json_limits *limits)
{
    size_t depth = 0, containers = 0, values = 0;
    bool in_string = false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.at[i];
        if (in_string) {
            if (c == '\\')
                i++;
            else if (c == '"')
                in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            containers++;
            if (++depth > limits->depth)
                return false;
        } else if (c == '}' || c == ']') {
            depth -= depth > 0;
        } else if (c == ',') {
            values++;
        }
    }
    return containers <= limits->containers && values <= limits->values;
}

/* --- mending --- */

struct mender {
    struct fg_str rest;
    char *out;
    size_t n;
};

static void put(struct mender *m, char c)
{
    m->out[m->n++] = c;
}

/* Behind the opening quote, up to and with the closing one. */
static void mend_string(struct mender *m)
{
    while (m->rest.len) {
        char c = m->rest.at[0], next = m->rest.len > 1 ? m->rest.at[1] : '\0';
        m->rest = fg_str_skip(m->rest, 1);
        if (c == '\\' && next && strchr("\"\\/bfnrtu", next)) {
            put(m, c);
            put(m, next);
            m->rest = fg_str_skip(m->rest, 1);
        } else if (c != '\\') {
            put(m, (unsigned char)c < 0x20 ? ' ' : c);
        }
        if (c == '"')
            return;
    }
}

/* Blanks and comments; where they end. */
static struct fg_str skip_idle(struct fg_str s)
{
    for (;;) {
        struct fg_str before = s;
        while (s.len && fg_is_space(s.at[0]))
            s = fg_str_skip(s, 1);
        struct fg_str close = {0};
        if (fg_str_starts(s, FG_STR("/*")))
            close = FG_STR("*/");
        else if (fg_str_starts(s, FG_STR("//")))
            close = FG_STR("\n");
        if (close.len) {
            size_t end = fg_str_find(s, close);
            s = fg_str_skip(s, end == FG_NOT_FOUND ? s.len : end + close.len);
        }
        if (s.len == before.len)
            return s;
    }
}

static struct fg_str mend(struct fg_arena *arena, struct fg_str text)
{
    struct mender m = {.rest = text, .out = fg_arena_bytes(arena, text.len + 1)};
    while ((m.rest = skip_idle(m.rest)).len) {
        char c = m.rest.at[0];
        m.rest = fg_str_skip(m.rest, 1);
        struct fg_str next = skip_idle(m.rest);
        bool is_idle_comma =
            c == ',' && next.len && (next.at[0] == '}' || next.at[0] == ']');
        if (!is_idle_comma)
            put(&m, c);
        if (c == '"')
            mend_string(&m);
    }
    return (struct fg_str){m.out, m.n};
}

static struct fg_str from_first_bracket(struct fg_str text)
{
    size_t i = 0;
    while (i < text.len && text.at[i] != '{' && text.at[i] != '[')
        i++;
    return fg_str_skip(text, i);
}

/* In "<![CDATA[" the first bracket is not the JSON's. */
static struct fg_str skip_cdata(struct fg_str text)
{
    struct fg_str start = fg_str_sub(text, 0, 100), cdata = FG_STR("<![CDATA[");
    size_t at = fg_str_find(start, cdata);
    return at == FG_NOT_FOUND ? text : fg_str_skip(text, at + cdata.len);
}

static json_t *load(struct fg_str text)
{
    static const struct fg_json_limits limits = {
        .depth = 64, .containers = 20000, .values = 100000};
    if (!text.len || !fg_json_tree_is_affordable(text, &limits))
        return NULL;
    return json_loadb(text.at, text.len, JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL, NULL);
}

json_t *fg_json_tree_mended(struct fg_arena *arena, struct fg_str text)
{
    if (text.len > MENDED_BYTES_MAX)
        return NULL;
    text = fg_utf8_clean(arena, text);
    if (fg_str_chr(text, '"') == FG_NOT_FOUND)
        text = fg_html_decode(arena, text, FG_HTML_REFS);
    text = from_first_bracket(skip_cdata(text));
    json_t *root = load(text);
    return root ? root : load(mend(arena, text));
}
