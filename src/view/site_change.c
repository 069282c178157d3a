#include "view/site_change.h"

#include "crawl/intake/seeds.h"
#include "net/html/noise.h"
#include "net/url/canonical.h"

enum key {
    TAGS,
    SCOPE,
    BUDGET,
    INCLUDE,
    EXCLUDE,
    VALUE,
    IGNORE,
    LEAST_CHANGE,
    AT_LEAST,
    N_KEYS
};
static const char *const keys[] = {
    [TAGS] = "tags",         [SCOPE] = "scope",
    [BUDGET] = "budget",     [INCLUDE] = "include",
    [EXCLUDE] = "exclude",   [VALUE] = "value",
    [IGNORE] = "ignore",     [LEAST_CHANGE] = "least-change",
    [AT_LEAST] = "at-least",
};

const char *const fg_site_change_scopes[] = {"as-is", "host",   "prefix",
                                             "page",  "domain", NULL};

const char *fg_site_change_refuse_reset(struct fg_str key)
{
    for (size_t i = 0; i < N_KEYS; i++)
        if (fg_str_eq(key, fg_str_from(keys[i])))
            return NULL;
    return "is not tags, scope, budget, include, exclude, value, ignore, least-change or "
           "at-least";
}

const char *fg_site_change_refuse_noise(struct fg_str rule)
{
    return fg_noise_refuse(rule);
}

enum fg_status fg_site_change_check_value(struct fg_str rule, struct fg_err *err)
{
    return fg_seed_check_value(rule, err);
}

struct job {
    const struct fg_look *look;
    const struct fg_site_change *o;
    struct fg_site_row site;
    struct fg_site_rules rules;
    bool is_changed;
};

static bool is_reset(const struct job *v, enum key key)
{
    for (size_t i = 0; i < v->o->reset.len; i++)
        if (fg_str_eq(v->o->reset.at[i], fg_str_from(keys[key])))
            return true;
    return false;
}

static void reset(struct job *v)
{
    struct fg_site_rules *rules = &v->rules;
    struct fg_rule_list none = {0};
    if (is_reset(v, TAGS))
        v->site.tags = (struct fg_str){0};
    if (is_reset(v, SCOPE)) {
        rules->scope = FG_SCOPE_UNSET;
        rules->prefixes = none;
    }
    if (is_reset(v, BUDGET))
        rules->budget_per_hour = 0;
    if (is_reset(v, INCLUDE))
        rules->include = none;
    if (is_reset(v, EXCLUDE))
        rules->exclude = none;
    if (is_reset(v, VALUE))
        rules->value = (struct fg_str){0};
    if (is_reset(v, IGNORE))
        rules->ignore = none;
    if (is_reset(v, LEAST_CHANGE))
        rules->least_change = 0;
    if (is_reset(v, AT_LEAST))
        rules->at_least = 0;
}

static struct fg_str without_tags(struct job *v, struct fg_str tags)
{
    struct fg_str left = {0}, tag;
    while (tags.len && fg_str_cut(&tags, ',', &tag)) {
        bool goes = false;
        for (size_t i = 0; i < v->o->untag.len; i++)
            goes |= fg_str_eq(fg_str_trim(tag), v->o->untag.at[i]);
        if (!goes)
            left = fg_tags_join(v->look->texts, left, tag);
    }
    return left;
}

static enum fg_status set_tags(struct job *v, struct fg_err *err)
{
    for (size_t i = 0; i < v->o->tags.len; i++) {
        struct fg_str tag = v->o->tags.at[i];
        if (fg_str_chr(tag, '\n') != FG_NOT_FOUND ||
            fg_str_chr(tag, '\t') != FG_NOT_FOUND)
            return fg_fail(err, FG_ECONFIG,
                           "--tag: a tag must not contain tabs or newlines");
        v->site.tags = fg_tags_join(v->look->texts, v->site.tags, tag);
    }
    if (v->o->untag.len)
        v->site.tags = without_tags(v, v->site.tags);
    return FG_OK;
}

static void set_list(struct job *v, struct fg_rule_list *list,
                     const struct fg_opt_list *given)
{
    if (!given->len)
        return;
    *list = (struct fg_rule_list){0};
    for (size_t i = 0; i < given->len; i++)
        fg_rule_list_add(v->look->texts, list, given->at[i]);
}

/* A path, or an address of this site. */
static enum fg_status set_prefixes(struct job *v, struct fg_err *err)
{
    struct fg_arena *arena = v->look->texts;
    if (v->o->prefix.len && v->o->scope && v->o->scope != FG_SCOPE_PREFIX)
        return fg_fail(err, FG_ECONFIG, "--prefix and --scope %s cannot be combined",
                       fg_site_change_scopes[v->o->scope]);
    if (v->o->prefix.len)
        v->rules.prefixes = (struct fg_rule_list){0};
    for (size_t i = 0; i < v->o->prefix.len; i++) {
        struct fg_str given = v->o->prefix.at[i];
        struct fg_url base, url;
        fg_url_parse(&base, arena, v->site.key, NULL);
        if (!fg_url_parse(&url, arena, given, &base) ||
            !fg_str_eq(fg_canonical_site(fg_canonical_from(arena, &url, v->look->keep)),
                       v->site.key))
            return fg_fail(err, FG_ECONFIG, "--prefix: '%.*s' is not an address of %.*s",
                           FG_ARG(fg_str_sub(given, 0, 200)), FG_ARG(v->site.key));
        fg_rule_list_add(arena, &v->rules.prefixes,
                         fg_canonical_from(arena, &url, v->look->keep));
        v->rules.scope = FG_SCOPE_PREFIX;
    }
    if (v->rules.scope == FG_SCOPE_PREFIX && !v->rules.prefixes.len)
        return fg_fail(err, FG_ECONFIG,
                       "--scope prefix needs a --prefix, such as "
                       "--prefix /news/");
    return FG_OK;
}

static bool is_same_list(const struct fg_rule_list *a, const struct fg_rule_list *b)
{
    bool same = a->len == b->len;
    for (size_t i = 0; same && i < a->len; i++)
        same = fg_str_eq(a->at[i], b->at[i]);
    return same;
}

/* Values that were read by other rules are nothing to compare with. */
static void note_since(struct job *v, const struct fg_site_rules *before)
{
    struct fg_site_rules *rules = &v->rules;
    if (!fg_str_eq(rules->value, before->value))
        rules->value_since = v->look->now;
    if (!is_same_list(&rules->ignore, &before->ignore) ||
        rules->least_change != before->least_change)
        rules->ignore_since = v->look->now;
}

static enum fg_status set(struct job *v, struct fg_err *err)
{
    const struct fg_site_change *o = v->o;
    struct fg_site_rules before = v->rules;
    struct fg_str tags = v->site.tags, settings = v->site.settings;
    reset(v);
    if (o->scope)
        v->rules.scope = (enum fg_scope)o->scope;
    if (o->budget > 0)
        v->rules.budget_per_hour = o->budget;
    if (o->least_change > 0)
        v->rules.least_change = o->least_change;
    if (o->at_least > 0)
        v->rules.at_least = o->at_least;
    if (o->value.len)
        v->rules.value = o->value;
    set_list(v, &v->rules.include, &o->include);
    set_list(v, &v->rules.exclude, &o->exclude);
    set_list(v, &v->rules.ignore, &o->ignore);
    enum fg_status st = set_tags(v, err);
    if (!st)
        st = set_prefixes(v, err);
    note_since(v, &before);
    v->site.settings = fg_site_rules_write(v->look->texts, &v->rules);
    v->is_changed =
        !fg_str_eq(tags, v->site.tags) || !fg_str_eq(settings, v->site.settings);
    return st;
}

enum fg_status fg_site_change_apply(struct fg_changed_site *changed, struct fg_look *look,
                                    struct fg_str name,
                                    const struct fg_site_change *change,
                                    struct fg_err *err)
{
    struct job job = {.look = look, .o = change};
    fg_site_id id = 0;
    *changed = (struct fg_changed_site){0};
    enum fg_status st = fg_look_find_site(look, name, &id, err);
    if (st)
        return st;
    job.site = *fg_look_site(look, id);
    fg_site_rules_read(&job.rules, look->texts, job.site.settings);
    st = set(&job, err);
    *changed = (struct fg_changed_site){job.site, job.rules, job.is_changed};
    return st;
}

struct fg_str fg_changed_site_text(struct fg_arena *arena,
                                   const struct fg_changed_site *changed)
{
    const struct fg_site_row *site = &changed->site;
    return fg_arena_printf(arena, "%.*s\n%.*s\n%.*s\n", FG_ARG(site->key),
                           FG_ARG(site->tags), FG_ARG(site->settings));
}
