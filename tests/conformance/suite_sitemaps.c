/* Sitemaps: crawler-commons' and trafilatura's files, and the path rule. */
#include "base/vec.h"
#include "conformance/suite.h"
#include "net/feed/sitemap.h"

struct seen {
    struct fg_arena *arena;
    FG_VEC(struct fg_sitemap_entry) entries;
};

static void take(void *context, const struct fg_sitemap_entry *entry)
{
    struct seen *seen = context;
    struct fg_sitemap_entry copy = *entry;
    copy.loc = fg_arena_dup(seen->arena, entry->loc);
    copy.lastmod_text = fg_arena_dup(seen->arena, entry->lastmod_text);
    struct fg_url *url = FG_NEW(seen->arena, struct fg_url, 1);
    *url = *entry->url;
    url->href = fg_arena_dup(seen->arena, url->href);
    copy.url = url;
    fg_vec_push_in(seen->arena, &seen->entries, copy);
}

static struct fg_sitemap_result read_map(struct seen *seen, const json_t *c,
                                         struct fg_str bytes, size_t piece)
{
    struct fg_sitemap_options options = {.url = suite_str(c, "url")};
    struct fg_sitemap *map = fg_sitemap_new(&options, take, seen);
    for (struct fg_str rest = bytes; rest.len; rest = fg_str_skip(rest, piece))
        fg_sitemap_feed(map, fg_str_sub(rest, 0, piece));
    struct fg_sitemap_result result = *fg_sitemap_finish(map);
    fg_sitemap_free(map);
    return result;
}

/* As it was written, or, for the relative ones, as it was resolved. */
static bool is_url(const struct fg_sitemap_entry *entry, const json_t *expected)
{
    struct fg_str url = fg_str_from(json_string_value(expected));
    return fg_str_eq(entry->loc, url) || fg_str_eq(entry->url->href, url);
}

static bool urls_equal(const struct seen *seen, const json_t *urls)
{
    bool ok = seen->entries.len == json_array_size(urls);
    for (size_t i = 0; ok && i < seen->entries.len; i++)
        ok = is_url(&seen->entries.at[i], json_array_get(urls, i));
    return ok;
}

static bool kind_is(const struct fg_sitemap_result *result, struct fg_str kind)
{
    const char *ours = fg_sitemap_kind_name(result->kind);
    return fg_str_eq(kind, FG_STR("error")) ? result->kind == FG_SITEMAP_NONE
                                            : fg_str_eq(kind, fg_str_from(ours));
}

static bool entry_agrees(const struct fg_sitemap_entry *entry, const json_t *expected)
{
    static const char *const names[] = {"",       "always",  "hourly", "daily",
                                        "weekly", "monthly", "yearly", "never"};
    struct fg_str lastmod = suite_str(expected, "lastmod"),
                  freq = suite_str(expected, "changefreq"),
                  priority = suite_str(expected, "priority");
    double number = -1;
    if (priority.at)
        fg_str_to_double(priority, &number);
    return is_url(entry, json_object_get(expected, "loc")) &&
           (!lastmod.at ||
            (fg_str_eq(entry->lastmod_text, lastmod) && entry->lastmod != FG_NEVER)) &&
           (!freq.at || fg_str_eq_nocase(freq, fg_str_from(names[entry->changefreq]))) &&
           entry->priority == number;
}

static bool lastmod_agrees(const struct fg_sitemap_entry *entry, const json_t *expected)
{
    const json_t *ms = json_object_get(expected, "lastmod_epoch_ms");
    if (!ms)
        return true;
    return json_is_null(ms) ? entry->lastmod == FG_NEVER
                            : entry->lastmod == json_integer_value(ms) * FG_MILLISECOND;
}

static void check_entries(struct suite *suite, struct fg_str file,
                          const struct seen *seen, const json_t *expected)
{
    size_t n = json_array_size(expected);
    if (!n)
        return;
    bool ok = n == seen->entries.len, dates = ok;
    for (size_t i = 0; i < n && ok; i++) {
        const json_t *e = json_array_get(expected, i);
        ok &= entry_agrees(&seen->entries.at[i], e);
        dates &= lastmod_agrees(&seen->entries.at[i], e);
    }
    suite_case(suite, ok, "%.*s/entries", FG_ARG(file));
    suite_case(suite, dates, "%.*s/lastmod", FG_ARG(file));
}

static void run_case(struct suite *suite, const json_t *c, struct fg_str bytes)
{
    struct fg_str file = suite_str(c, "file");
    struct seen seen = {.arena = &suite->arena}, again = {.arena = &suite->arena};
    struct fg_sitemap_result result = read_map(&seen, c, bytes, 4096);
    read_map(&again, c, bytes, 1);
    const json_t *urls = json_object_get(c, "urls"), *count = json_object_get(c, "count");
    const json_t *lenient = json_object_get(c, "lenient_urls");
    bool ok =
        kind_is(&result, suite_str(c, "kind")) && seen.entries.len == again.entries.len;
    if (urls)
        ok &= urls_equal(&seen, urls);
    else if (count)
        ok &= seen.entries.len == (size_t)json_integer_value(count);
    if (!ok && lenient) /* where others refuse, a lenient reader may find these */
        ok = urls_equal(&seen, lenient);
    suite_case(suite, ok, "%.*s", FG_ARG(file));
    if (!ok) {
        suite_detail(suite, "kind %s, %zu urls", fg_sitemap_kind_name(result.kind),
                     seen.entries.len);
        for (size_t i = 0; i < seen.entries.len && i < 5; i++)
            suite_detail(suite, "%.*s", FG_ARG(seen.entries.at[i].loc));
    }
    check_entries(suite, file, &seen, json_object_get(c, "entries"));
}

static void run(struct suite *suite)
{
    size_t i;
    const json_t *c;
    json_t *cases = suite_json(suite, "expect.json");
    suite_part(suite, "expect");
    json_array_foreach(cases, i, c)
    {
        struct fg_str file = suite_str(c, "file"), bytes;
        if (suite_read(suite,
                       fg_arena_printf(&suite->arena, "files/%.*s", FG_ARG(file)).at,
                       &bytes))
            run_case(suite, c, bytes);
    }
    json_decref(cases);

    cases = suite_json(suite, "location-scope.json");
    if (!cases)
        return;
    suite_part(suite, "scope");
    json_array_foreach(cases, i, c)
    {
        struct fg_url map, url;
        struct fg_str text = suite_str(c, "url");
        bool ok = fg_url_parse(&map, &suite->arena, suite_str(c, "sitemap"), NULL) &&
                  fg_url_parse(&url, &suite->arena, text, NULL) &&
                  fg_sitemap_in_scope(&map, &url) ==
                      json_is_true(json_object_get(c, "in_scope"));
        suite_case(suite, ok, "%.*s", FG_ARG(text));
    }
    json_decref(cases);
}

int main(void)
{
    return suite_main("sitemaps", run);
}
