#include "crawl/guard.h"

enum { SHAPE_ROOM = 512, EVIDENCE = 40, MOST_SHAPES = 1 << 20, LEAST_TOKEN = 8 };

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
        [FG_GUARD_SHAPE] = "trap",
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

void fg_guard_clear(struct fg_guard *guard)
{
    fg_map_clear(&guard->shapes);
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

/* A run of letters and digits: a number, a token such as a session's, or a word. */
static size_t run_at(struct fg_str s, size_t first, bool *is_any)
{
    size_t end = first, digits = 0;
    while (end < s.len && fg_is_alnum(s.at[end]))
        digits += fg_is_digit(s.at[end++]);
    size_t len = end - first;
    *is_any = digits && (digits == len || len >= LEAST_TOKEN);
    return end;
}

static size_t add_path(char *out, size_t room, struct fg_str path)
{
    size_t n = 0, end;
    for (size_t i = 0; i < path.len && n < room; i = end) {
        bool is_any;
        end = run_at(path, i, &is_any);
        if (end == i) {
            out[n++] = path.at[end++];
        } else if (is_any) {
            out[n++] = '#';
        } else {
            /* digits within a word: "page7" is "page#" */
            for (; i < end && n < room; i++)
                if (!fg_is_digit(path.at[i]))
                    out[n++] = path.at[i];
                else if (!n || out[n - 1] != '#')
                    out[n++] = '#';
        }
    }
    return n;
}

struct fg_str fg_guard_shape(char *out, size_t room, struct fg_str url)
{
    struct fg_str path, query, part;
    split(url, &path, &query);
    size_t n = add_path(out, room, path);
    while (fg_str_cut(&query, '&', &part)) {
        size_t equals = fg_str_chr(part, '=');
        part = fg_str_sub(part, 0, equals == FG_NOT_FOUND ? part.len : equals);
        for (size_t i = 0; i <= part.len && n < room; i++)
            out[n++] = i ? part.at[i - 1] : '?';
    }
    return (struct fg_str){out, n};
}

static uint64_t shape_key(uint32_t site, struct fg_str url)
{
    char text[SHAPE_ROOM];
    return fg_str_hash(fg_guard_shape(text, sizeof text, url)) ^ (uint64_t)site << 32;
}

void fg_guard_learn(struct fg_guard *guard, uint32_t site, struct fg_str url,
                    bool is_copy)
{
    uint64_t key = shape_key(site, url);
    if (fg_map_len(&guard->shapes) >= MOST_SHAPES && !fg_map_get(&guard->shapes, key))
        return;
    uint64_t *counts = fg_map_put(&guard->shapes, key);
    uint32_t fetched = (uint32_t)*counts, copies = (uint32_t)(*counts >> 32);
    fetched++;
    copies += is_copy;
    if (fetched > 1000) { /* forget slowly: a shape may mend its ways */
        fetched /= 2;
        copies /= 2;
    }
    *counts = (uint64_t)copies << 32 | fetched;
}

static bool is_closed(const struct fg_guard *guard, uint32_t site, struct fg_str url)
{
    if (!fg_map_len(&guard->shapes))
        return false;
    const uint64_t *counts = fg_map_get(&guard->shapes, shape_key(site, url));
    if (!counts)
        return false;
    uint32_t fetched = (uint32_t)*counts, copies = (uint32_t)(*counts >> 32);
    return fetched >= EVIDENCE && (uint64_t)copies * 5 >= (uint64_t)fetched * 4;
}

static bool is_binary(struct fg_str path)
{
    size_t dot = path.len;
    while (dot > 0 && path.len - dot < 6 && path.at[dot - 1] != '.' &&
           path.at[dot - 1] != '/')
        dot--;
    if (dot == 0 || path.at[dot - 1] != '.')
        return false;
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

static bool any_matches(const struct fg_str *patterns, size_t n, struct fg_str url)
{
    for (size_t i = 0; i < n; i++)
        if (fg_glob_matches(patterns[i], url))
            return true;
    return false;
}

enum fg_guard_verdict fg_guard_check(const struct fg_guard *guard, uint32_t site,
                                     struct fg_str url, unsigned depth, uint32_t known)
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
    if (rules->n_include && !any_matches(rules->include, rules->n_include, url))
        return FG_GUARD_NOT_INCLUDED;
    if (any_matches(rules->exclude, rules->n_exclude, url))
        return FG_GUARD_EXCLUDED;
    return is_closed(guard, site, url) ? FG_GUARD_SHAPE : FG_GUARD_OK;
}
