#include "crawl/sources/guard.h"

static const char *const binary_endings[] = {
    ".jpg", ".jpeg", ".png",   ".gif", ".webp", ".svg",  ".ico", ".bmp", ".avif", ".mp3",
    ".mp4", ".m4a",  ".m4v",   ".avi", ".mov",  ".webm", ".ogg", ".wav", ".zip",  ".gz",
    ".tgz", ".bz2",  ".xz",    ".7z",  ".rar",  ".exe",  ".dmg", ".iso", ".apk",  ".css",
    ".js",  ".woff", ".woff2", ".ttf", ".eot",  ".swf",  ".deb", ".rpm", ".msi",  ".bin",
};

struct fg_guard_rules fg_guard_defaults(void)
{
    return (struct fg_guard_rules){
        .max_url = 2048,
        .max_depth = 20,
        .max_segments = 20,
        .max_repeats = 2,
        .max_params = 12,
        .max_pages = 1000000,
    };
}

const char *fg_guard_verdict_name(enum fg_guard_verdict verdict)
{
    static const char *const names[] = {
        [FG_GUARD_OK] = "ok",
        [FG_GUARD_LONG] = "too-long",
        [FG_GUARD_DEEP] = "too-deep",
        [FG_GUARD_REPEATS] = "repeats",
        [FG_GUARD_PARAMS] = "too-many-parameters",
        [FG_GUARD_BINARY] = "binary",
        [FG_GUARD_FULL] = "site-full",
        [FG_GUARD_NOT_INCLUDED] = "not-included",
        [FG_GUARD_EXCLUDED] = "excluded",
    };
    return names[verdict];
}

void fg_guard_init(struct fg_guard *guard, const struct fg_guard_rules *rules)
{
    *guard = (struct fg_guard){.rules = *rules};
}

/* Path and query of an absolute URL. */
static void split(struct fg_str url, struct fg_str *path, struct fg_str *query)
{
    size_t scheme = fg_str_find(url, FG_STR("://"));
    struct fg_str rest = fg_str_skip(url, scheme == FG_NOT_FOUND ? 0 : scheme + 3);
    size_t slash = fg_str_chr(rest, '/');
    rest = slash == FG_NOT_FOUND ? fg_str_skip(rest, rest.len) : fg_str_skip(rest, slash);
    size_t mark = fg_str_chr(rest, '?');
    *path = mark == FG_NOT_FOUND ? rest : fg_str_sub(rest, 0, mark);
    *query = mark == FG_NOT_FOUND ? (struct fg_str){0} : fg_str_skip(rest, mark + 1);
}

static bool is_binary(struct fg_str path)
{
    size_t dot = path.len;
    while (dot > 0 && path.len - dot < 6 && path.at[dot - 1] != '.' &&
           path.at[dot - 1] != '/')
        dot--;
    if (dot == 0 || path.at[dot - 1] != '.')
        return false;
    if (path.len > 7 &&
        fg_str_eq_nocase(fg_str_skip(path, path.len - 7), FG_STR(".xml.gz")))
        return false; /* a sitemap */
    struct fg_str ending = fg_str_skip(path, dot - 1);
    for (size_t i = 0; i < sizeof binary_endings / sizeof *binary_endings; i++)
        if (fg_str_eq_nocase(ending, fg_str_from(binary_endings[i])))
            return true;
    return false;
}

static enum fg_guard_verdict check_path(const struct fg_guard_rules *rules,
                                        struct fg_str path)
{
    enum { MOST = 64 };
    struct fg_str seen[MOST], rest = fg_str_skip(path, 1), segment;
    unsigned n = 0;
    while (fg_str_cut(&rest, '/', &segment)) {
        if (n >= rules->max_segments || n == MOST)
            return FG_GUARD_REPEATS;
        unsigned same = 1;
        for (unsigned i = 0; i < n && segment.len; i++)
            same += fg_str_eq(seen[i], segment);
        if (same > rules->max_repeats)
            return FG_GUARD_REPEATS;
        seen[n++] = segment;
    }
    return FG_GUARD_OK;
}

static bool any_matches(const struct fg_opt_list *patterns, struct fg_str url)
{
    for (size_t i = 0; i < patterns->len; i++)
        if (fg_glob_matches(patterns->at[i], url))
            return true;
    return false;
}

enum fg_guard_verdict fg_guard_check(const struct fg_guard *guard, struct fg_str url,
                                     unsigned depth, uint32_t known)
{
    const struct fg_guard_rules *rules = &guard->rules;
    struct fg_str path, query, part;
    if (url.len > rules->max_url)
        return FG_GUARD_LONG;
    if (depth > rules->max_depth)
        return FG_GUARD_DEEP;
    if (known >= rules->max_pages)
        return FG_GUARD_FULL;
    split(url, &path, &query);
    if (is_binary(path))
        return FG_GUARD_BINARY;
    enum fg_guard_verdict verdict = check_path(rules, path);
    if (verdict)
        return verdict;
    for (unsigned n = 0; fg_str_cut(&query, '&', &part);)
        if (++n > rules->max_params)
            return FG_GUARD_PARAMS;
    if (rules->include.len && !any_matches(&rules->include, url))
        return FG_GUARD_NOT_INCLUDED;
    if (any_matches(&rules->exclude, url))
        return FG_GUARD_EXCLUDED;
    return FG_GUARD_OK;
}
