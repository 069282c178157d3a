#include "net/url/url_path.h"

#include "net/url/percent.h"

static bool take_dot(struct fg_str *s)
{
    size_t n = 0;
    if (s->len && s->at[0] == '.')
        n = 1;
    else if (fg_str_starts_nocase(*s, FG_STR("%2e")))
        n = 3;
    *s = fg_str_skip(*s, n);
    return n > 0;
}

/* How many dots a segment consists of, in any spelling; 0 if it is anything else. */
static int count_dots(struct fg_str segment)
{
    int n = 0;
    while (n < 3 && take_dot(&segment))
        n++;
    return n < 3 && segment.len == 0 ? n : 0;
}

bool fg_path_is_drive(struct fg_str s)
{
    return s.len == 2 && fg_is_alpha(s.at[0]) && (s.at[1] == ':' || s.at[1] == '|');
}

bool fg_path_starts_with_drive(struct fg_str s)
{
    return fg_path_is_drive(fg_str_sub(s, 0, 2)) &&
           (s.len == 2 || s.at[2] == '/' || s.at[2] == '\\');
}

/* What is dropped was written once, so the search backwards costs no more in all than the
 * writing did. */
void fg_path_shorten(struct fg_buf *out, size_t path_start, enum fg_scheme scheme)
{
    struct fg_str path = fg_str_skip(fg_buf_str(out), path_start);
    if (scheme == FG_SCHEME_FILE && path.len == 3 && path.at[2] == ':' &&
        fg_path_is_drive(fg_str_skip(path, 1)))
        return;
    while (out->len > path_start && out->at[--out->len] != '/')
        continue;
}

static void add_segment(struct fg_buf *out, size_t path_start, struct fg_str segment,
                        enum fg_scheme scheme)
{
    bool is_drive =
        scheme == FG_SCHEME_FILE && out->len == path_start && fg_path_is_drive(segment);
    fg_buf_add_char(out, '/');
    if (is_drive) {
        fg_buf_add_char(out, segment.at[0]);
        fg_buf_add_char(out, ':');
        return;
    }
    fg_percent_encode(out, segment, FG_PERCENT_PATH);
}

void fg_path_add(struct fg_buf *out, size_t path_start, struct fg_str text,
                 enum fg_scheme scheme)
{
    for (bool more = true; more;) {
        size_t n = 0;
        while (n < text.len && !fg_path_is_slash(text.at[n], scheme))
            n++;
        struct fg_str segment = fg_str_sub(text, 0, n);
        more = n < text.len;
        text = fg_str_skip(text, n + 1);
        int dots = count_dots(segment);
        if (dots == 2)
            fg_path_shorten(out, path_start, scheme);
        if (dots == 0)
            add_segment(out, path_start, segment, scheme);
        else if (!more)
            fg_buf_add_char(out, '/');
    }
}
