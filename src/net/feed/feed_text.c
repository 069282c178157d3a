/* feed_text.c - text, markup, addresses and people, as feeds write them */
#include "net/feed/feed_parts.h"

/* --- addresses --- */

bool fg_feed_has_scheme(struct fg_str s)
{
    size_t n = 0;
    while (n < s.len &&
           (fg_is_alnum(s.at[n]) || s.at[n] == '+' || s.at[n] == '-' || s.at[n] == '.'))
        n++;
    return n > 0 && n < s.len && s.at[n] == ':' && fg_is_alpha(s.at[0]);
}

struct fg_str fg_feed_resolve(struct fg_arena *arena, struct fg_str reference,
                              const struct fg_url *base)
{
    struct fg_str s = fg_str_trim(reference);
    if (s.len > FG_FEED_URL_MAX)
        return (struct fg_str){0};
    struct fg_url url;
    if (!s.len || fg_feed_has_scheme(s) || !base || !fg_url_parse(&url, arena, s, base))
        return fg_arena_dup(arena, s);
    return url.href.len > FG_FEED_URL_MAX ? (struct fg_str){0} : url.href;
}

/* --- markup --- */

static bool is_address(struct fg_str name)
{
    static const char *const names[] = {"href",    "src",        "cite",     "action",
                                        "data",    "poster",     "longdesc", "usemap",
                                        "profile", "background", "codebase"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fg_str_eq_nocase(fg_str_from(names[i]), name))
            return true;
    return false;
}

struct attribute {
    struct fg_str name;
    const char *from, *to; /* the value with its quotes, if it has any */
    struct fg_str value;
};

/* The next attribute of a tag, which ends at ">"; false if there is none. */
static bool take_attribute(const char **at, const char *end, struct attribute *a)
{
    const char *p = *at;
    while (p < end && *p != '>' &&
           (fg_is_space(*p) || *p == '/' || *p == '"' || *p == '\''))
        p++;
    const char *name = p;
    while (p < end && *p != '>' && *p != '=' && *p != '/' && !fg_is_space(*p))
        p++;
    *a = (struct attribute){.name = fg_str_range(name, p), .from = p, .to = p};
    while (p < end && fg_is_space(*p))
        p++;
    if (p < end && *p == '=') {
        p++;
        while (p < end && fg_is_space(*p))
            p++;
        a->from = p;
        char quote = p < end && (*p == '"' || *p == '\'') ? *p++ : '\0';
        const char *value = p;
        while (p < end && (quote ? *p != quote : !fg_is_space(*p) && *p != '>'))
            p++;
        a->value = fg_str_range(value, p);
        p += quote && p < end;
        a->to = p;
    }
    *at = p;
    return a->name.len || a->value.len;
}

static struct fg_str unescape_ampersands(struct fg_arena *arena, struct fg_str s)
{
    if (fg_str_chr(s, '&') == FG_NOT_FOUND)
        return s;
    char *out = fg_arena_bytes(arena, s.len);
    size_t n = 0;
    while (s.len) {
        out[n++] = s.at[0];
        s = fg_str_skip(s, fg_str_starts(s, FG_STR("&amp;")) ? 5 : 1);
    }
    return (struct fg_str){out, n};
}

static void add_address(struct fg_buf *out, struct fg_str url)
{
    fg_buf_add_char(out, '"');
    for (size_t i = 0; i < url.len; i++) {
        if (url.at[i] == '&')
            fg_buf_add(out, FG_STR("&amp;"));
        else if (url.at[i] == '"')
            fg_buf_add(out, FG_STR("&quot;"));
        else
            fg_buf_add_char(out, url.at[i]);
    }
    fg_buf_add_char(out, '"');
}

struct fg_str fg_feed_markup(struct fg_arena *arena, struct fg_str html,
                             const struct fg_url *base)
{
    if (!html.len)
        return html;
    struct fg_buf out;
    fg_buf_init(&out, FG_FEED_TEXT_MAX);
    const char *end = html.at + html.len, *copied = html.at, *at = html.at;
    while (at < end && !out.full && (at = memchr(at, '<', (size_t)(end - at)))) {
        at++;
        if (at == end || !fg_is_alpha(*at))
            continue;
        while (at < end && fg_is_alnum(*at))
            at++;
        struct attribute a;
        while (!out.full && take_attribute(&at, end, &a)) {
            struct fg_str value = fg_str_trim(a.value);
            if (!value.len || value.at[0] == '#' || fg_feed_has_scheme(value) ||
                !is_address(a.name))
                continue;
            fg_buf_add(&out, fg_str_range(copied, a.from));
            add_address(&out,
                        fg_feed_resolve(arena, unescape_ampersands(arena, value), base));
            copied = a.to;
        }
    }
    struct fg_str result = html;
    if (copied != html.at && fg_buf_add(&out, fg_str_range(copied, end)) && !out.full)
        result = fg_arena_dup(arena, fg_buf_str(&out));
    fg_buf_clear(&out);
    return result;
}

/* --- base64 --- */

static int base64_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (fg_is_digit(c))
        return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

struct fg_str fg_feed_base64(struct fg_arena *arena, struct fg_str text)
{
    char *out = fg_arena_bytes(arena, text.len);
    size_t n = 0, digits = 0, i = 0;
    uint32_t bits = 0;
    for (; i < text.len && text.at[i] != '='; i++) {
        if (fg_is_space(text.at[i]))
            continue;
        int value = base64_value(text.at[i]);
        if (value < 0)
            return text;
        bits = bits << 6 | (uint32_t)value;
        if (++digits % 4 != 1)
            out[n++] = (char)(bits >> (6 - 2 * ((digits - 1) % 4)));
    }
    for (; i < text.len; i++)
        if (text.at[i] != '=' && !fg_is_space(text.at[i]))
            return text;
    struct fg_str decoded = fg_str_trim((struct fg_str){out, n});
    return fg_utf8_is_valid(decoded) ? decoded : text;
}

/* --- people --- */

/* "before (inside)" or "before <inside>"; false if it is not of that shape. */
static bool split_brackets(struct fg_str s, struct fg_str *before, struct fg_str *inside)
{
    char last = s.len ? s.at[s.len - 1] : '\0';
    size_t open = fg_str_chr(s, last == ')' ? '(' : '<');
    if ((last != ')' && last != '>') || open == FG_NOT_FOUND)
        return false;
    *before = fg_str_trim(fg_str_sub(s, 0, open));
    *inside = fg_str_trim(fg_str_sub(s, open + 1, s.len - 1));
    return true;
}

static bool is_email(struct fg_str s)
{
    return fg_str_chr(s, '@') != FG_NOT_FOUND && fg_str_chr(s, ' ') == FG_NOT_FOUND;
}

void fg_feed_read_person(struct fg_feed_person *person, struct fg_str text)
{
    struct fg_str before = fg_str_trim(text), inside = {0};
    if (fg_str_starts_nocase(before, FG_STR("mailto:")))
        before = fg_str_skip(before, 7);
    split_brackets(before, &before, &inside);
    bool is_reversed = is_email(before);
    if (!is_reversed && inside.len && !is_email(inside)) { /* "Name (of something)" */
        person->name = fg_str_trim(text);
        return;
    }
    person->name = is_reversed ? inside : before;
    person->email = is_reversed ? before : inside;
}
