#include "crawl/sources/views.h"

/* The last segment of a path, where it begins and where it ends. */
static bool last_segment(struct fg_str path, size_t *first, size_t *end)
{
    *end = path.len - (path.len && path.at[path.len - 1] == '/');
    *first = *end;
    while (*first && path.at[*first - 1] != '/')
        --*first;
    return *first < *end;
}

static bool is_one_of_many(const struct fg_pattern *pattern)
{
    struct fg_str text = fg_str_from(pattern->text);
    size_t first, end;
    if (!last_segment(text, &first, &end))
        return false;
    text = fg_str_sub(text, first, end);
    return fg_str_chr(text, '*') != FG_NOT_FOUND || fg_str_chr(text, '#') != FG_NOT_FOUND;
}

bool fg_patterns_is_view(struct fg_patterns *patterns, struct fg_str url)
{
    enum { ENOUGH = 3 };
    size_t first, end;
    if (fg_str_chr(url, '?') != FG_NOT_FOUND || !last_segment(url, &first, &end))
        return false;
    const struct fg_pattern *own = fg_patterns_find(patterns, url);
    if (own->known < ENOUGH || is_one_of_many(own))
        return false;
    /* As the address of the view ends, with a slash or without, so may that of the
     * thing, or not. */
    for (unsigned has_slash = 0; has_slash < 2; has_slash++) {
        const struct fg_pattern *thing =
            fg_patterns_find(patterns, fg_str_sub(url, 0, first - !has_slash));
        if (is_one_of_many(thing) && fg_pattern_is_content(thing))
            return true;
    }
    return false;
}
