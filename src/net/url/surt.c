#include "net/url/surt.h"

#include "base/vec.h"
#include "net/url/percent.h"
#include "net/url/url.h"

#include <stdlib.h>

static struct fg_str lowered(struct fg_arena *arena, struct fg_str text)
{
    char *out = fg_arena_bytes(arena, text.len + 1);
    for (size_t i = 0; i < text.len; i++)
        out[i] = fg_lower(text.at[i]);
    return (struct fg_str){out, text.len};
}

/* "www.", "www2.": the same pages under another name, as a rule. */
static struct fg_str without_www(struct fg_str host)
{
    if (!fg_str_starts(host, FG_STR("www")))
        return host;
    size_t n = 3;
    while (n < host.len && fg_is_digit(host.at[n]))
        n++;
    return n + 1 < host.len && host.at[n] == '.' ? fg_str_skip(host, n + 1) : host;
}

static void add_host(struct fg_buf *out, struct fg_str host)
{
    if (host.len && host.at[0] == '[') { /* an IPv6 address has no labels */
        fg_buf_add(out, host);
        return;
    }
    for (size_t end = host.len, i = host.len; i-- > 0;) {
        if (host.at[i] != '.' && i > 0)
            continue;
        size_t start = host.at[i] == '.' ? i + 1 : i;
        if (end != host.len)
            fg_buf_add_char(out, ',');
        fg_buf_add(out, fg_str_sub(host, start, end));
        end = i;
    }
}

static int by_text(const void *a, const void *b)
{
    return fg_str_cmp(*(const struct fg_str *)a, *(const struct fg_str *)b);
}

static void add_query(struct fg_buf *out, struct fg_arena *arena, struct fg_str query)
{
    FG_VEC(struct fg_str) parts = {0};
    struct fg_str part;
    while (fg_str_cut(&query, '&', &part))
        fg_vec_push_in(arena, &parts, part);
    if (parts.len)
        qsort(parts.at, parts.len, sizeof *parts.at, by_text);
    for (size_t i = 0; i < parts.len; i++) {
        fg_buf_add_char(out, i ? '&' : '?');
        fg_buf_add(out, parts.at[i]);
    }
}

/* With '!', '#' or '@' a line of an index begins that is no capture. */
static bool begins_comment(char c)
{
    return c == '!' || c == '#' || c == '@';
}

static struct fg_str without_blanks(struct fg_arena *arena, struct fg_str text)
{
    struct fg_buf out;
    fg_buf_init(&out, SIZE_MAX);
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.at[i] <= ' ' || text.at[i] == 0x7F ||
            (i == 0 && begins_comment(text.at[i])))
            fg_percent_add(&out, (unsigned char)text.at[i]);
        else
            fg_buf_add_char(&out, text.at[i]);
    struct fg_str kept = fg_arena_dup(arena, fg_buf_str(&out));
    fg_buf_clear(&out);
    return kept;
}

struct fg_str fg_surt_from(struct fg_arena *arena, struct fg_str text)
{
    struct fg_url url;
    struct fg_buf out;
    if (!fg_url_parse(&url, arena, lowered(arena, text), NULL) || !fg_url_is_http(&url))
        return without_blanks(arena, text);
    fg_buf_init(&out, SIZE_MAX);
    add_host(&out, without_www(fg_url_hostname(&url)));
    if (fg_url_port_text(&url).len) {
        fg_buf_add_char(&out, ':');
        fg_buf_add(&out, fg_url_port_text(&url));
    }
    fg_buf_add_char(&out, ')');
    fg_buf_add(&out, fg_url_pathname(&url));
    if (fg_url_search(&url).len)
        add_query(&out, arena, fg_str_skip(fg_url_search(&url), 1));
    struct fg_str surt = without_blanks(arena, fg_buf_str(&out));
    fg_buf_clear(&out);
    return surt;
}
