/* The input is a robots.txt; its last line serves as the path and its first word as our
 * name. Beyond staying in bounds: /robots.txt is always allowed, normal forms are stable,
 * and a path and its escaped twin get the same verdict. */
#include "net/robots/robots.h"
#include "net/robots/robots_tag.h"
#include "net/robots/rules.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static struct fg_str last_line(struct fg_str text)
{
    size_t n = text.len;
    while (n && text.at[n - 1] != '\n')
        n--;
    return fg_str_skip(text, n);
}

static struct fg_str escape_letters(struct fg_arena *arena, struct fg_str path)
{
    char *out = fg_arena_bytes(arena, path.len * 3);
    size_t n = 0;
    for (size_t i = 0; i < path.len; i++) {
        if (i && fg_is_alpha(path.at[i]) && (i < 2 || path.at[i - 2] != '%') &&
            path.at[i - 1] != '%') {
            out[n++] = '%';
            out[n++] = "0123456789abcdef"[path.at[i] >> 4];
            out[n++] = "0123456789abcdef"[path.at[i] & 15];
        } else
            out[n++] = path.at[i];
    }
    return (struct fg_str){out, n};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_arena arena = {0};
    struct fg_str text = {(const char *)data, size}, path = last_line(text);
    struct fg_str names = fg_str_sub(text, 0, fg_str_chr(text, '\n'));
    const struct fg_robots *robots = fg_robots_parse(&arena, text, names);
    require(fg_robots_allows(robots, FG_STR("/robots.txt")));
    bool verdict = fg_robots_allows(robots, path);
    if (size < 4096 && !fg_str_eq(path, FG_STR("/robots.txt")))
        require(fg_robots_allows(robots, escape_letters(&arena, path)) == verdict);

    fg_time delay = fg_robots_delay(robots);
    require(delay == FG_NEVER || (delay >= 0 && delay <= FG_ROBOTS_DELAY_MAX));
    size_t n;
    const struct fg_str *sitemaps = fg_robots_sitemaps(robots, &n);
    for (size_t i = 0; i < n; i++)
        require(sitemaps[i].len > 0 && sitemaps[i].len <= FG_ROBOTS_LINE_MAX);
    fg_robots_signal(robots, FG_STR("search"));

    struct fg_str once = fg_rule_normalise(&arena, path);
    require(fg_str_eq(once, fg_rule_normalise(&arena, once)));
    struct fg_str rest = fg_robots_path(path);
    require(rest.len <= path.len);

    struct fg_robots_tags tags = {0};
    fg_robots_tags_add_header(&tags, text, names);
    fg_robots_tags_add_meta(&tags, FG_STR("robots"), path, names);
    require(tags.unavailable_after.len <= size);
    fg_arena_clear(&arena);
    return 0;
}
