/* Its file is {"watching": {UUID: watch, ...}, "settings": {"application": {"tags":
 * {UUID:
 * {"title": ...}}}}}; its API answers {UUID: watch, ...}, or one watch. A watch has some
 * sixty members; those that say what to watch are carried over, and those that would
 * change what is seen are told when they are set. */
#include "crawl/intake/imports.h"

#include "base/map.h"
#include "net/text/json_tree.h"

static const struct fg_json_limits limits = {
    .depth = 32, .containers = 2000000, .values = 8000000};

struct reader {
    struct fg_import *import;
    struct fg_str text;
    struct fg_names lines; /* of words in quotes */
    const json_t *tags;    /* names by UUID, or NULL */
    size_t line;           /* of the watch at hand, or 0 */
};

static struct fg_str text_of(const json_t *value)
{
    return json_is_string(value)
               ? (struct fg_str){json_string_value(value), json_string_length(value)}
               : FG_STR("");
}

static struct fg_str member(const json_t *watch, const char *key)
{
    return fg_str_trim(text_of(json_object_get(watch, key)));
}

enum { SHORTEST_UUID = 8, LONGEST_UUID = 64 };

/* jansson forgets lines, but a UUID stands in the file once before its watch. All are
 * looked for at once: one by one would be quadratic. */
static void note_lines(struct reader *r)
{
    struct fg_str text = r->text;
    size_t line = 1;
    for (size_t i = 0; i < text.len; i++) {
        line += text.at[i] == '\n';
        if (text.at[i] != '"')
            continue;
        size_t start = ++i;
        while (i < text.len && text.at[i] != '"')
            i += text.at[i] == '\\' ? 2 : 1;
        if (i >= text.len || i - start < SHORTEST_UUID || i - start > LONGEST_UUID)
            continue;
        uint64_t *found = fg_names_put(&r->lines, fg_str_sub(text, start, i));
        if (!*found)
            *found = line;
    }
}

static size_t line_of(const struct reader *r, const char *uuid)
{
    const uint64_t *line = uuid ? fg_names_get(&r->lines, fg_str_from(uuid)) : NULL;
    return line ? (size_t)*line : 0;
}

/* --- what counts --- */

static bool is_xpath(struct fg_str *filter)
{
    static const char *const marks[] = {"xpath:", "xpath1:"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (fg_str_starts_nocase(*filter, fg_str_from(marks[i]))) {
            *filter = fg_str_trim(fg_str_skip(*filter, strlen(marks[i])));
            return true;
        }
    return fg_str_starts(*filter, FG_STR("/"));
}

static bool is_json_filter(struct fg_str filter)
{
    return fg_str_starts_nocase(filter, FG_STR("json:")) ||
           fg_str_starts_nocase(filter, FG_STR("jq:")) ||
           fg_str_starts_nocase(filter, FG_STR("jqraw:"));
}

static void take_filters(struct reader *r, struct fg_import_rule *rule,
                         const json_t *filters)
{
    size_t i;
    const json_t *value;
    json_array_foreach(filters, i, value)
    {
        struct fg_str filter = fg_str_trim(text_of(value));
        if (is_json_filter(filter)) {
            fg_import_tell(r->import, FG_IMPORT_LOST, r->line,
                           "the filter '%.*s' is for JSON, of which all counts here",
                           FG_ARG(fg_str_sub(filter, 0, 200)));
        } else if (filter.len) {
            bool is_path = is_xpath(&filter);
            fg_import_takes(r->import, rule, r->line, filter, is_path);
        }
    }
}

static void take_ignored(struct reader *r, struct fg_import_rule *rule,
                         const json_t *watch)
{
    size_t i;
    const json_t *value;
    json_array_foreach(json_object_get(watch, "subtractive_selectors"), i, value)
    {
        struct fg_str filter = fg_str_trim(text_of(value));
        bool is_path = is_xpath(&filter);
        if (filter.len)
            fg_import_without(r->import, rule, r->line, filter, is_path);
    }
    json_array_foreach(json_object_get(watch, "ignore_text"), i, value)
    {
        struct fg_str text = fg_str_trim(text_of(value));
        bool is_regex = text.len > 1 && text.at[0] == '/';
        if (is_regex)
            fg_import_tell(r->import, FG_IMPORT_LOST, r->line,
                           "the regular expression to ignore '%.*s'",
                           FG_ARG(fg_str_sub(text, 0, 200)));
        else if (text.len)
            fg_import_without_text(r->import, rule, r->line, text);
    }
}

static struct fg_str rule_of(struct reader *r, const json_t *watch)
{
    struct fg_import_rule rule = {0};
    struct fg_str processor = member(watch, "processor");
    if (fg_str_eq(processor, FG_STR("restock_diff")))
        rule.base = FG_STR("offer");
    else if (processor.len && !fg_str_eq(processor, FG_STR("text_json_diff")))
        fg_import_tell(r->import, FG_IMPORT_LOST, r->line, "the processor '%.*s'",
                       FG_ARG(fg_str_sub(processor, 0, 60)));
    take_filters(r, &rule, json_object_get(watch, "include_filters"));
    take_ignored(r, &rule, watch);
    return fg_import_rule_text(r->import, &rule);
}

/* --- what is lost --- */

static bool is_set(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return json_object_size(value) > 0;
    case JSON_ARRAY:
        return json_array_size(value) > 0;
    case JSON_STRING:
        return json_string_length(value) > 0;
    case JSON_INTEGER:
    case JSON_REAL:
        return json_number_value(value) > 0;
    case JSON_TRUE:
        return true;
    default:
        return false;
    }
}

static void tell_lost(struct reader *r, const json_t *watch)
{
    static const struct {
        const char *key, *words;
    } lost[] = {
        {"headers", "headers of its own are not sent"},
        {"proxy", "a proxy of its own; the environment's is used"},
        {"browser_steps", "steps in a browser"},
        {"webdriver_js_execute_code", "a script in a browser"},
        {"extract_text", "extracting text by regular expressions"},
        {"trigger_text", "waiting for a text"},
        {"text_should_not_be_present", "a text that must not be there"},
        {"conditions", "conditions"},
        {"check_unique_lines", "comparing with all lines ever seen"},
        {"price_change_threshold_percent", "a threshold for prices; each change counts"},
        {"notification_urls", "notifications of its own"},
    };
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        const json_t *value = json_object_get(watch, lost[i].key);
        if (value && is_set(value))
            fg_import_tell(r->import, FG_IMPORT_LOST, r->line, "%s: %s", lost[i].key,
                           lost[i].words);
    }
    struct fg_str backend = member(watch, "fetch_backend");
    if (fg_str_find(backend, FG_STR("webdriver")) != FG_NOT_FOUND ||
        fg_str_find(backend, FG_STR("browser")) != FG_NOT_FOUND)
        fg_import_tell(r->import, FG_IMPORT_LOST, r->line,
                       "a browser; the page is read as its server sends it");
    if (json_is_true(
            json_object_get(json_object_get(watch, "time_schedule_limit"), "enabled")))
        fg_import_tell(r->import, FG_IMPORT_LOST, r->line,
                       "hours at which it is checked");
}

/* Every watch has one; only those that differ from the default were chosen. */
static void tell_interval(struct reader *r, const json_t *watch)
{
    static const char *const units[] = {"weeks", "days", "hours", "minutes", "seconds"};
    static const double seconds[] = {604800, 86400, 3600, 60, 1};
    const json_t *every = json_object_get(watch, "time_between_check");
    double span_s = 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        span_s += seconds[i] * json_number_value(json_object_get(every, units[i]));
    if (span_s > 0 &&
        !json_is_true(json_object_get(watch, "time_between_check_use_default")))
        fg_import_tell(r->import, FG_IMPORT_LOST, r->line,
                       "checked every %.0f s; here the policy chooses when", span_s);
}

/* --- one watch --- */

static struct fg_str tags_of(struct reader *r, const json_t *watch)
{
    struct fg_str tags = {0}, old = member(watch, "tag"), part;
    size_t i;
    const json_t *value;
    while (old.len && fg_str_cut(&old, ',', &part))
        tags = fg_import_tag(r->import, tags, part);
    json_array_foreach(json_object_get(watch, "tags"), i, value)
    {
        struct fg_str tag = text_of(value);
        const json_t *known = tag.len ? json_object_get(r->tags, tag.at) : NULL;
        bool is_uuid = tag.len == 36 && tag.at[8] == '-' && tag.at[23] == '-';
        if (known)
            tags = fg_import_tag(r->import, tags, member(known, "title"));
        else if (is_uuid)
            fg_import_tell(r->import, FG_IMPORT_LOST, r->line,
                           "the tag %.*s has no name in this file", FG_ARG(tag));
        else
            tags = fg_import_tag(r->import, tags, tag);
    }
    return tags;
}

/* Why it is none for us; NULL if it is one. */
static const char *why_not(const json_t *watch)
{
    struct fg_str method = member(watch, "method"), url = member(watch, "url");
    if (json_is_true(json_object_get(watch, "paused")))
        return "it is paused";
    if (method.len && !fg_str_eq_nocase(method, FG_STR("GET")))
        return "it is asked for with another method than GET";
    if (fg_str_find(url, FG_STR("{%")) != FG_NOT_FOUND ||
        fg_str_find(url, FG_STR("{{")) != FG_NOT_FOUND)
        return "its address is a template";
    return NULL;
}

static void take_watch(struct reader *r, const char *uuid, const json_t *watch)
{
    struct fg_import *import = r->import;
    struct fg_str url = member(watch, "url");
    import->entries++;
    r->line = line_of(r, uuid);
    const char *reason = why_not(watch);
    if (reason) {
        fg_import_tell(import, FG_IMPORT_SKIPPED, r->line, "'%.*s': %s",
                       FG_ARG(fg_str_sub(url, 0, 200)), reason);
        return;
    }
    struct fg_str source = FG_STR("source:"); /* its mark for "as the server sends it" */
    if (fg_str_starts(url, source))
        url = fg_str_skip(url, source.len);
    struct fg_seed seed = {.is_document = true,
                           .is_page_only = true,
                           .name = fg_import_name(import, member(watch, "title")),
                           .page_tags = tags_of(r, watch),
                           .value = rule_of(r, watch)};
    seed.value = fg_arena_dup(import->arena, seed.value);
    if (!fg_import_add(import, r->line, fg_arena_dup(import->arena, url), &seed))
        return;
    tell_lost(r, watch);
    tell_interval(r, watch);
}

static bool is_watch(const json_t *value)
{
    return json_is_string(json_object_get(value, "url"));
}

static enum fg_status take_watches(struct reader *r, json_t *root, struct fg_err *err)
{
    json_t *all = json_object_get(root, "watching");
    const char *uuid;
    json_t *watch;
    size_t i;
    if (is_watch(root)) {
        take_watch(r, member(root, "uuid").at, root);
        return FG_OK;
    }
    json_array_foreach(root, i, watch)
    {
        if (!is_watch(watch))
            return fg_fail(err, FG_EINPUT, "number %zu of its list is not a watch",
                           i + 1);
        take_watch(r, member(watch, "uuid").at, watch);
    }
    if (json_is_array(root))
        return FG_OK;
    if (!json_is_object(all ? all : root))
        return fg_fail(err, FG_EINPUT,
                       "not what changedetection.io writes: it has no "
                       "watches");
    json_object_foreach(all ? all : root, uuid, watch)
    {
        if (is_watch(watch))
            take_watch(r, uuid, watch);
        else if (all)
            fg_import_tell(r->import, FG_IMPORT_WRONG, line_of(r, uuid),
                           "the watch '%.100s' has no url", uuid);
        else
            return fg_fail(err, FG_EINPUT,
                           "not what changedetection.io writes: '%.60s' is not a watch",
                           uuid);
    }
    return FG_OK;
}

enum fg_status fg_import_changedetection(struct fg_import *import, struct fg_str text,
                                         struct fg_err *err)
{
    json_error_t where;
    if (!fg_json_tree_is_affordable(text, &limits))
        return fg_fail(err, FG_EINPUT, "not JSON, or nested too deeply or too large");
    json_t *root = json_loadb(text.at ? text.at : "", text.len, 0, &where);
    if (!root)
        return fg_fail(err, FG_EINPUT, "not JSON: line %d: %s", where.line, where.text);
    const json_t *application =
        json_object_get(json_object_get(root, "settings"), "application");
    struct reader r = {.import = import,
                       .text = text,
                       .lines = {.arena = import->arena},
                       .tags = json_object_get(application, "tags")};
    note_lines(&r);
    enum fg_status st = take_watches(&r, root, err);
    json_decref(root);
    return st;
}
