/* A file of jobs, a YAML document each. A job watches a page (url), drives a browser
 * (navigate) or runs a command; only the first is one for us. Its filters are a chain, of
 * which the one that chooses a part of the page, and those that remove parts, become what
 * counts; filters that only make text of a page are what we do anyway. */
#include "base/yaml_tree.h"
#include "crawl/intake/imports.h"

struct job {
    struct fg_import *import;
    const struct fg_yaml *node;
    struct fg_import_rule rule;
    bool has_part; /* a filter has chosen a part of the page */
};

static const struct fg_yaml *member(const struct fg_yaml *map, const char *key)
{
    for (const struct fg_yaml *node = map->child; map->kind == FG_YAML_MAP && node;
         node = node->next)
        if (fg_str_eq(node->key, fg_str_from(key)))
            return node;
    return NULL;
}

static struct fg_str text_in(const struct fg_yaml *map, const char *key)
{
    const struct fg_yaml *node = member(map, key);
    return node && node->kind == FG_YAML_TEXT ? node->text : FG_STR("");
}

/* --- filters --- */

static void lose(struct job *job, size_t line, struct fg_str name, const char *why)
{
    fg_import_tell(job->import, FG_IMPORT_LOST, line, "the filter '%.*s'%s",
                   FG_ARG(fg_str_sub(name, 0, 60)), why);
}

/* css and xpath are a text, or a map with further wishes. */
static void choose(struct job *job, const struct fg_yaml *filter, struct fg_str name,
                   bool is_xpath)
{
    struct fg_import *import = job->import;
    struct fg_str what = filter->kind == FG_YAML_TEXT
                             ? filter->text
                             : text_in(filter, is_xpath ? "path" : "selector");
    struct fg_str exclude = text_in(filter, "exclude"),
                  most = text_in(filter, "maxitems");
    struct fg_str skip = text_in(filter, "skip"), method = text_in(filter, "method");
    if (job->has_part) {
        lose(job, filter->line, name, " works on what another has chosen");
        return;
    }
    if (fg_str_eq(method, FG_STR("xml")) || member(filter, "namespaces"))
        lose(job, filter->line, name, " is for XML; it is used as for HTML");
    if (fg_str_eq(most, FG_STR("1")) && !is_xpath)
        what = fg_arena_printf(import->arena, "%.*s:first", FG_ARG(what));
    else if (most.len)
        lose(job, filter->line, name, " chooses how many; all are taken");
    if (skip.len && !fg_str_eq(skip, FG_STR("0")))
        lose(job, filter->line, name, " skips the first; none is skipped");
    job->has_part = fg_import_takes(import, &job->rule, filter->line, what, is_xpath);
    if (job->has_part && exclude.len)
        fg_import_without(import, &job->rule, filter->line, exclude, is_xpath);
}

static void choose_by(struct job *job, const struct fg_yaml *filter, struct fg_str name,
                      const char *format)
{
    struct fg_yaml css = {.kind = FG_YAML_TEXT, .line = filter->line};
    struct fg_str value = filter->kind == FG_YAML_TEXT ? filter->text : FG_STR("");
    for (size_t i = 0; i < value.len; i++)
        if (value.at[i] == '"' || value.at[i] == '\\')
            value = FG_STR("");
    const char *percent = strchr(format, '%');
    css.text = fg_arena_printf(job->import->arena, "%.*s%.*s%s", (int)(percent - format),
                               format, FG_ARG(value), percent + 1);
    choose(job, &css, name, false);
}

static bool is_plain(struct fg_str pattern)
{
    for (size_t i = 0; i < pattern.len; i++)
        if (strchr(".^$*+?{}[]\\|()", pattern.at[i]))
            return false;
    return pattern.len > 0;
}

static void take_filter(struct job *job, struct fg_str name, const struct fg_yaml *filter)
{
    static const char *const nothing[] = {"html2text", "strip",      "striplines",
                                          "beautify",  "pretty-xml", "format-json"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        if (fg_str_eq(name, fg_str_from(nothing[i])))
            return;
    if (fg_str_eq(name, FG_STR("css")))
        choose(job, filter, name, false);
    else if (fg_str_eq(name, FG_STR("xpath")))
        choose(job, filter, name, true);
    else if (fg_str_eq(name, FG_STR("element-by-id")))
        choose_by(job, filter, name, "[id=\"%\"]");
    else if (fg_str_eq(name, FG_STR("element-by-class")))
        choose_by(job, filter, name, "[class~=\"%\"]");
    else if (fg_str_eq(name, FG_STR("element-by-style")))
        choose_by(job, filter, name, "[style=\"%\"]");
    else if (fg_str_eq(name, FG_STR("element-by-tag")))
        choose_by(job, filter, name, "%");
    else if (fg_str_eq(name, FG_STR("grepi")) && is_plain(filter->text))
        fg_import_without_text(job->import, &job->rule, filter->line, filter->text);
    else
        lose(job, filter->line, name, " is not one of ours");
}

/* "css:#a,html2text", as older versions write it, or a list of names and maps. */
static void take_filters(struct job *job, const struct fg_yaml *filters)
{
    if (filters->kind == FG_YAML_TEXT) {
        struct fg_str rest = filters->text, part;
        while (rest.len && fg_str_cut(&rest, ',', &part)) {
            size_t colon = fg_str_chr(part, ':');
            struct fg_yaml filter = {.line = filters->line};
            if (colon != FG_NOT_FOUND)
                filter.text = fg_str_skip(part, colon + 1);
            take_filter(job, fg_str_trim(fg_str_sub(part, 0, colon)), &filter);
        }
        return;
    }
    for (const struct fg_yaml *item = filters->child; item; item = item->next) {
        const struct fg_yaml *inner = item->kind == FG_YAML_MAP ? item->child : NULL;
        if (inner)
            take_filter(job, inner->key, inner);
        else if (filters->kind == FG_YAML_MAP)
            take_filter(job, item->key, item);
        else if (item->kind == FG_YAML_TEXT)
            take_filter(job, item->text,
                        &(struct fg_yaml){.kind = FG_YAML_TEXT,
                                          .line = item->line,
                                          .text = FG_STR("")});
    }
}

/* --- jobs --- */

static const char *why_not(const struct fg_yaml *job)
{
    struct fg_str kind = text_in(job, "kind"), method = text_in(job, "method");
    struct fg_str enabled = text_in(job, "enabled");
    if (member(job, "command") || fg_str_eq(kind, FG_STR("shell")))
        return "it runs a command";
    if (member(job, "navigate") || fg_str_eq(kind, FG_STR("browser")))
        return "it needs a browser";
    if (member(job, "data") || (method.len && !fg_str_eq_nocase(method, FG_STR("GET"))))
        return "it is asked for with another method than GET";
    if (fg_str_eq_nocase(enabled, FG_STR("false")) ||
        fg_str_eq_nocase(enabled, FG_STR("no")))
        return "it is not enabled";
    return NULL;
}

static struct fg_str tags_of(struct fg_import *import, const struct fg_yaml *job)
{
    const struct fg_yaml *node = member(job, "tags");
    struct fg_str tags = {0}, rest = text_in(job, "tags"), part;
    while (rest.len && fg_str_cut(&rest, ',', &part))
        tags = fg_import_tag(import, tags, part);
    for (const struct fg_yaml *item = node ? node->child : NULL; item; item = item->next)
        tags = fg_import_tag(import, tags, item->text);
    return tags;
}

static void tell_lost(struct job *job)
{
    static const char *const known[] = {"name", "url",       "kind",   "tags",   "filter",
                                        "note", "max_tries", "method", "enabled"};
    for (const struct fg_yaml *node = job->node->child; node; node = node->next) {
        bool is_known = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            is_known |= fg_str_eq(node->key, fg_str_from(known[i]));
        if (!is_known)
            fg_import_tell(job->import, FG_IMPORT_LOST, node->line, "'%.*s'",
                           FG_ARG(fg_str_sub(node->key, 0, 60)));
    }
}

static void take_job(struct fg_import *import, const struct fg_yaml *node)
{
    struct job job = {.import = import, .node = node};
    struct fg_str url = text_in(node, "url"), name = text_in(node, "name");
    const struct fg_yaml *filters = member(node, "filter");
    import->entries++;
    if (node->kind != FG_YAML_MAP) {
        fg_import_tell(import, FG_IMPORT_WRONG, node->line,
                       "a job is keys and values, such as url: https://...");
        return;
    }
    const char *reason = why_not(node);
    if (reason) {
        fg_import_tell(import, FG_IMPORT_SKIPPED, node->line, "'%.*s': %s",
                       FG_ARG(fg_str_sub(name.len ? name : url, 0, 200)), reason);
        return;
    }
    if (!url.len) {
        fg_import_tell(import, FG_IMPORT_WRONG, node->line, "a job without a url");
        return;
    }
    if (filters)
        take_filters(&job, filters);
    struct fg_seed seed = {.is_document = true,
                           .is_page_only = true,
                           .name = fg_import_name(import, name),
                           .page_tags = tags_of(import, node),
                           .value = fg_import_rule_text(import, &job.rule)};
    struct fg_str note = text_in(node, "note");
    if (note.len)
        seed.meta = fg_import_name(
            import, fg_arena_printf(import->arena, "note=%.*s", FG_ARG(note)));
    if (fg_import_add(import, node->line, url, &seed))
        tell_lost(&job);
}

enum fg_status fg_import_urlwatch(struct fg_import *import, struct fg_str text,
                                  struct fg_err *err)
{
    struct fg_yaml *jobs;
    enum fg_status st = fg_yaml_read_all(&jobs, import->arena, text, "line", err);
    if (st)
        return FG_EINPUT;
    for (const struct fg_yaml *job = jobs->child; job; job = job->next)
        take_job(import, job);
    return FG_OK;
}
