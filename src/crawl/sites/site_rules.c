#include "crawl/sites/site_rules.h"

#include "base/glob.h"
#include "base/json.h"
#include "net/url/canonical.h"
#include "net/url/domain.h"
#include "net/url/url.h"

#include <jansson.h>

static const char *const scopes[] = {
    [FG_SCOPE_UNSET] = "host", [FG_SCOPE_HOST] = "host",     [FG_SCOPE_PREFIX] = "prefix",
    [FG_SCOPE_PAGE] = "page",  [FG_SCOPE_DOMAIN] = "domain",
};

const char *fg_scope_name(enum fg_scope scope)
{
    return scopes[scope];
}

bool fg_scope_parse(struct fg_str name, enum fg_scope *scope)
{
    for (unsigned i = FG_SCOPE_HOST; i <= FG_SCOPE_DOMAIN; i++)
        if (fg_str_eq(name, fg_str_from(scopes[i]))) {
            *scope = (enum fg_scope)i;
            return true;
        }
    return false;
}

void fg_rule_list_add(struct fg_arena *arena, struct fg_rule_list *list,
                      struct fg_str rule)
{
    for (size_t i = 0; i < list->len; i++)
        if (fg_str_eq(list->at[i], rule))
            return;
    fg_vec_push_in(arena, list, fg_arena_dup(arena, rule));
}

/* --- as JSON --- */

static struct fg_str text_in(struct fg_arena *arena, const json_t *root, const char *key)
{
    const json_t *value = json_object_get(root, key);
    return json_is_string(value)
               ? fg_arena_dup(arena, (struct fg_str){json_string_value(value),
                                                     json_string_length(value)})
               : (struct fg_str){0};
}

static void read_list(struct fg_arena *arena, struct fg_rule_list *list,
                      const json_t *root, const char *key)
{
    size_t i;
    const json_t *value;
    json_array_foreach(json_object_get(root, key), i, value) if (json_is_string(value))
        fg_rule_list_add(
            arena, list,
            (struct fg_str){json_string_value(value), json_string_length(value)});
}

void fg_site_rules_read(struct fg_site_rules *rules, struct fg_arena *arena,
                        struct fg_str json)
{
    *rules = (struct fg_site_rules){0};
    if (!json.len)
        return;
    json_t *root = json_loadb(json.at, json.len, 0, NULL);
    rules->value = text_in(arena, root, "value");
    rules->value_since = json_integer_value(json_object_get(root, "value_since"));
    rules->budget_per_hour = json_number_value(json_object_get(root, "budget"));
    fg_scope_parse(text_in(arena, root, "scope"), &rules->scope);
    read_list(arena, &rules->prefixes, root, "prefixes");
    read_list(arena, &rules->include, root, "include");
    read_list(arena, &rules->exclude, root, "exclude");
    read_list(arena, &rules->ignore, root, "ignore");
    rules->least_change = json_number_value(json_object_get(root, "least_change"));
    rules->ignore_since = json_integer_value(json_object_get(root, "ignore_since"));
    rules->at_least = json_integer_value(json_object_get(root, "at_least"));
    rules->is_paused = json_is_true(json_object_get(root, "paused"));
    rules->is_removed = json_is_true(json_object_get(root, "removed"));
    rules->is_forgotten = json_is_true(json_object_get(root, "forgotten"));
    rules->is_by_feed = json_is_true(json_object_get(root, "by_feed"));
    rules->resumed = json_integer_value(json_object_get(root, "resumed"));
    json_decref(root);
}

static void write_list(struct fg_json *json, const char *key,
                       const struct fg_rule_list *list)
{
    if (!list->len)
        return;
    fg_json_key(json, key);
    fg_json_array(json);
    for (size_t i = 0; i < list->len; i++)
        fg_json_str(json, list->at[i]);
    fg_json_end(json);
}

static void write_number(struct fg_json *json, const char *key, double value)
{
    if (value <= 0)
        return;
    fg_json_pair_double(json, key, value);
}

static void write_time(struct fg_json *json, const char *key, fg_time time)
{
    if (time <= 0)
        return;
    fg_json_pair_int(json, key, time);
}

static void write_mark(struct fg_json *json, const char *key, bool is_set)
{
    if (!is_set)
        return;
    fg_json_pair_bool(json, key, true);
}

struct fg_str fg_site_rules_write(struct fg_arena *arena,
                                  const struct fg_site_rules *rules)
{
    struct fg_buf text;
    fg_buf_init(&text, 1 << 20);
    struct fg_json json = fg_json_to(&text);
    fg_json_object(&json);
    if (rules->value.len) {
        fg_json_key(&json, "value");
        fg_json_str(&json, rules->value);
    }
    write_time(&json, "value_since", rules->value_since);
    write_number(&json, "budget", rules->budget_per_hour);
    if (rules->scope != FG_SCOPE_UNSET) {
        fg_json_pair_cstr(&json, "scope", fg_scope_name(rules->scope));
    }
    write_list(&json, "prefixes", &rules->prefixes);
    write_list(&json, "include", &rules->include);
    write_list(&json, "exclude", &rules->exclude);
    write_list(&json, "ignore", &rules->ignore);
    write_number(&json, "least_change", rules->least_change);
    write_time(&json, "ignore_since", rules->ignore_since);
    write_time(&json, "at_least", rules->at_least);
    write_mark(&json, "paused", rules->is_paused);
    write_mark(&json, "removed", rules->is_removed);
    write_mark(&json, "forgotten", rules->is_forgotten);
    write_time(&json, "resumed", rules->resumed);
    write_mark(&json, "by_feed", rules->is_by_feed);
    fg_json_end(&json);
    bool is_empty = text.len <= 2;
    struct fg_str kept =
        is_empty ? (struct fg_str){0} : fg_arena_dup(arena, fg_buf_str(&text));
    fg_buf_clear(&text);
    return kept;
}

/* --- judging --- */

const char *fg_site_verdict_name(enum fg_site_verdict verdict)
{
    static const char *const names[] = {
        [FG_SITE_OK] = "ok",
        [FG_SITE_PAGE_ONLY] = "pages-only",
        [FG_SITE_OUTSIDE] = "outside-prefix",
        [FG_SITE_NOT_INCLUDED] = "not-included",
        [FG_SITE_EXCLUDED] = "excluded",
    };
    return names[verdict];
}

static struct fg_str match(const struct fg_rule_list *globs, struct fg_str url)
{
    for (size_t i = 0; i < globs->len; i++)
        if (fg_glob_matches(globs->at[i], url))
            return globs->at[i];
    return (struct fg_str){0};
}

static struct fg_str match_prefix(const struct fg_rule_list *prefixes, struct fg_str url)
{
    for (size_t i = 0; i < prefixes->len; i++)
        if (fg_str_starts(url, prefixes->at[i]))
            return prefixes->at[i];
    return (struct fg_str){0};
}

enum fg_site_verdict fg_site_rules_judge(const struct fg_site_rules *rules,
                                         struct fg_str url, struct fg_str *by)
{
    struct fg_str unused;
    by = by ? by : &unused;
    *by = (struct fg_str){0};
    if (rules->scope == FG_SCOPE_PAGE)
        return FG_SITE_PAGE_ONLY;
    if (rules->scope == FG_SCOPE_PREFIX &&
        !(*by = match_prefix(&rules->prefixes, url)).len)
        return FG_SITE_OUTSIDE;
    if (rules->include.len && !(*by = match(&rules->include, url)).len)
        return FG_SITE_NOT_INCLUDED;
    struct fg_str excluded = match(&rules->exclude, url);
    if (!excluded.len)
        return FG_SITE_OK;
    *by = excluded;
    return FG_SITE_EXCLUDED;
}

struct fg_str fg_scope_prefix(struct fg_str url)
{
    size_t end = fg_canonical_site(url).len;
    for (size_t i = end; i < url.len && url.at[i] != '?'; i++)
        if (url.at[i] == '/')
            end = i + 1;
    return fg_str_sub(url, 0, end);
}

bool fg_scope_same_domain(struct fg_arena *arena, struct fg_str a, struct fg_str b)
{
    struct fg_url one, other;
    if (!fg_url_parse(&one, arena, a, NULL) || !fg_url_parse(&other, arena, b, NULL))
        return false;
    struct fg_str host = fg_url_hostname(&one), there = fg_url_hostname(&other);
    struct fg_str domain = fg_domain_registrable(host);
    return fg_str_eq(host, there) ||
           (domain.len && fg_str_eq(domain, fg_domain_registrable(there)));
}
