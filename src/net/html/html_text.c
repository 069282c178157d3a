/* From source to text. Most text is what it says: only where a character asks for it is a
 * copy made. */
#include "base/buf.h"
#include "net/html/entity.h"
#include "net/html/html.h"
#include "net/html/html_scan.h"

static bool asks(char c, unsigned rules)
{
    return c == '\r' || (c == '&' && rules & FG_HTML_REFS) ||
           (c == '\0' && rules & FG_HTML_REPLACE_NUL) ||
           (c >= 'A' && c <= 'Z' && rules & FG_HTML_LOWER);
}

/* The next character that does not mean itself. */
static const char *find_asking(const char *p, const char *end, unsigned rules)
{
    if (!(rules & FG_HTML_LOWER))
        p = html_find_special(p, end);
    while (p < end && !asks(*p, rules))
        p++;
    return p;
}

/* A reference grows by one byte at most and takes at least five when it does ("&nGt;"); a
 * NUL grows by two. */
static size_t most_bytes(struct fg_str source, unsigned rules)
{
    size_t n = source.len + source.len / 4 + FG_ENTITY_MAX;
    if (rules & FG_HTML_REPLACE_NUL)
        for (size_t i = 0; i < source.len; i++)
            n += source.at[i] == '\0' ? 2 : 0;
    return n;
}

/* Write what the character at `p` means and return where the next one is. */
static const char *decode_one(char **out, const char *p, const char *end, unsigned rules)
{
    if (*p == '\r') {
        *(*out)++ = '\n';
        return p + 1 + (p + 1 < end && p[1] == '\n');
    }
    if (*p == '\0') {
        *out += fg_utf8_put(*out, 0xFFFD);
        return p + 1;
    }
    if (*p == '&') {
        size_t n, used = fg_entity_take(p + 1, end,
                                        rules & FG_HTML_IN_ATTR ? FG_ENTITY_ATTRIBUTE
                                                                : FG_ENTITY_TEXT,
                                        *out, &n);
        if (used) {
            *out += n;
            return p + 1 + used;
        }
    }
    *(*out)++ = fg_lower(*p);
    return p + 1;
}

struct fg_str fg_html_decode(struct fg_arena *arena, struct fg_str source, unsigned rules)
{
    if (!source.len)
        return source;
    const char *p = source.at, *end = source.at + source.len;
    const char *next = find_asking(p, end, rules);
    if (next == end)
        return source;
    char *first = fg_arena_bytes(arena, most_bytes(source, rules)), *out = first;
    for (;;) {
        memcpy(out, p, (size_t)(next - p));
        out += next - p;
        if (next == end)
            return fg_str_range(first, out);
        p = decode_one(&out, next, end, rules);
        next = find_asking(p, end, rules);
    }
}

struct fg_str fg_html_text(struct fg_arena *arena, const struct fg_html_token *token)
{
    return fg_html_decode(arena, token->text, token->text_rules);
}
