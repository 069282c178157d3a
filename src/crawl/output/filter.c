#include "crawl/output/filter.h"

#include "base/glob.h"
#include "crawl/sites/site_row.h"
#include "net/url/canonical.h"

static const char *const keys[FG_FILTER_KEYS] = {
    [FG_FILTER_SITE] = "site", [FG_FILTER_TAG] = "tag",     [FG_FILTER_PATH] = "path",
    [FG_FILTER_URL] = "url",   [FG_FILTER_TITLE] = "title", [FG_FILTER_KIND] = "kind",
};

/* --- reading --- */

bool fg_filter_word(struct fg_str *rest, struct fg_arena *arena, struct fg_str *word)
{
    *rest = fg_str_trim(*rest);
    if (!rest->len)
        return false;
    char *out = fg_arena_bytes(arena, rest->len + 1);
    size_t i = 0, n = 0;
    bool is_quoted = false;
    for (; i < rest->len && (is_quoted || !fg_is_space(rest->at[i])); i++) {
        if (rest->at[i] == '"')
            is_quoted = !is_quoted;
        else
            out[n++] = rest->at[i];
    }
    out[n] = '\0';
    *word = (struct fg_str){out, n};
    *rest = fg_str_skip(*rest, i);
    return true;
}

bool fg_filter_is_name(struct fg_str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!fg_is_alnum(name.at[i]) && name.at[i] != '-' && name.at[i] != '_')
            return false;
    return name.len > 0 && name.len <= 64;
}

enum fg_status fg_filter_add(struct fg_filter *filter, struct fg_arena *arena,
                             struct fg_str word, struct fg_err *err)
{
    size_t equals = fg_str_chr(word, '='), key = 0;
    struct fg_str name = fg_str_sub(word, 0, equals == FG_NOT_FOUND ? 0 : equals);
    struct fg_str value = fg_str_skip(word, name.len + 1);
    while (key < FG_FILTER_KEYS && !fg_str_eq(name, fg_str_from(keys[key])))
        key++;
    if (key == FG_FILTER_KEYS || !value.len)
        return fg_fail(err, FG_ECONFIG,
                       "'%.*s' is not a condition: site=, tag=, path=, url=, title= or "
                       "kind= and a value",
                       FG_ARG(word));
    const char *why = key == FG_FILTER_KIND ? fg_news_refuse_kind(value) : NULL;
    if (why)
        return fg_fail(err, FG_ECONFIG, "'%.*s' %s", FG_ARG(value), why);
    filter->at =
        fg_arena_grow(arena, filter->at, sizeof *filter->at, filter->n, filter->n + 1);
    filter->at[filter->n++] =
        (struct fg_filter_condition){(enum fg_filter_key)key, value};
    return FG_OK;
}

enum fg_status fg_filter_parse(struct fg_filter *filter, struct fg_arena *arena,
                               struct fg_str text, struct fg_err *err)
{
    *filter = (struct fg_filter){0};
    struct fg_str word;
    enum fg_status st = FG_OK;
    while (!st && fg_filter_word(&text, arena, &word))
        st = fg_filter_add(filter, arena, word, err);
    return st;
}

/* --- asking --- */

bool fg_site_is_named(struct fg_str key, struct fg_str name)
{
    size_t scheme = fg_str_find(key, FG_STR("://"));
    if (name.len && name.at[name.len - 1] == '/')
        name.len--;
    if (scheme == FG_NOT_FOUND || fg_str_eq_nocase(key, name))
        return scheme != FG_NOT_FOUND;
    struct fg_str host = fg_str_skip(key, scheme + 3);
    size_t port = host.len;
    while (port && fg_is_digit(host.at[port - 1]))
        port--;
    bool has_port = port > 1 && port < host.len && host.at[port - 1] == ':';
    return fg_str_eq_nocase(host, name) ||
           (has_port && fg_str_eq_nocase(fg_str_sub(host, 0, port - 1), name));
}

/* Somewhere in the text, whatever the case of its ASCII letters. */
static bool contains(struct fg_str text, struct fg_str words)
{
    for (size_t i = 0; i + words.len <= text.len; i++)
        if (fg_str_eq_nocase(fg_str_sub(text, i, i + words.len), words))
            return true;
    return false;
}

static bool path_matches(struct fg_str glob, struct fg_str url)
{
    struct fg_str path = fg_str_skip(url, fg_canonical_site(url).len);
    return fg_str_chr(glob, '*') == FG_NOT_FOUND ? fg_str_starts(path, glob)
                                                 : fg_glob_matches(glob, path);
}

static bool holds(const struct fg_filter_condition *condition, const struct fg_news *news,
                  struct fg_str tags, struct fg_str page_title)
{
    struct fg_str value = condition->value;
    switch (condition->key) {
    case FG_FILTER_SITE:
        return fg_site_is_named(news->site, value);
    case FG_FILTER_TAG:
        return fg_tags_have(tags, value);
    case FG_FILTER_PATH:
        return path_matches(value, news->url);
    case FG_FILTER_URL:
        return fg_glob_matches(value, news->url);
    case FG_FILTER_TITLE:
        return contains(page_title, value) || contains(news->title, value) ||
               contains(news->words, value);
    case FG_FILTER_KIND:
        return fg_news_kind(value) == news->kind;
    default:
        return false;
    }
}

bool fg_filter_takes(const struct fg_filter *filter, const struct fg_news *news,
                     struct fg_str tags, struct fg_str page_title)
{
    unsigned asked = 0, held = 0;
    for (size_t i = 0; i < filter->n; i++) {
        asked |= 1u << filter->at[i].key;
        if (holds(&filter->at[i], news, tags, page_title))
            held |= 1u << filter->at[i].key;
    }
    return asked == held;
}
