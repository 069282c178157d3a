/* cmd_site.c - forage site: what holds for one site, shown and set
 *
 * The new rules are made from those in the store. If a crawl is running, it alone may
 * write to the store, so it is given them in the inbox and applies them within seconds;
 * else they are written at once and hold from the next start on. */
#include "cli/crawling.h"
#include "cli/showing.h"
#include "crawl/control.h"
#include "crawl/output/feeds.h"
#include "crawl/site_rules.h"
#include "net/canonical.h"
#include "net/noise.h"
#include "net/url.h"
#include "view/site.h"

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

static const char *const scopes[] = {"as-is", "host", "prefix", "page", "domain", NULL};

struct options {
    struct fg_opt_list tags, untag, prefix, include, exclude, ignore, reset;
    int scope;
    double budget, least_change;
    fg_time at_least;
    struct fg_str value;
    bool forget;
};

static const char *refuse_key(struct fg_str key)
{
    for (size_t i = 0; i < N_KEYS; i++)
        if (fg_str_eq(key, fg_str_from(keys[i])))
            return NULL;
    return "is not tags, scope, budget, include, exclude, value, ignore, least-change or "
           "at-least";
}

static const struct fg_opt options[] = {
    {"tag", FG_LIST(struct options, tags), .letter = 't', .arg = "WORD,...",
     .help = "give it these tags, too"},
    {"untag", FG_LIST(struct options, untag), .arg = "WORD,...",
     .help = "take these tags away"},
    {"scope", FG_ENUM(struct options, scope, scopes), "as-is",
     .help = "which pages are its own"},
    {"prefix", FG_LIST(struct options, prefix), .arg = "URL,...",
     .help = "only pages whose address starts so; implies --scope prefix"},
    {"budget", FG_DOUBLE(struct options, budget), .min = 0, .max = 1e9,
     .help = "page requests an hour, instead of crawl.site-budget"},
    {"at-least", FG_SPAN(struct options, at_least), .max = 366 * (double)FG_DAY,
     .help = "longest time between two visits of its seeds, feeds and documents, instead "
             "of crawl.at-least"},
    {"include", FG_LIST(struct options, include), .arg = "GLOB,...",
     .help = "only addresses that match one of these, beside crawl.include"},
    {"exclude", FG_LIST(struct options, exclude), .arg = "GLOB,...",
     .help = "no addresses that match one of these, beside crawl.exclude"},
    {"value", FG_STRING(struct options, value), .arg = "RULE",
     .check = fg_seed_check_value,
     .help = "what of its documents counts, instead of documents.value"},
    {"ignore", FG_LIST(struct options, ignore), .arg = "RULE,...",
     .refuse = fg_noise_refuse,
     .help = "parts that do not count as changes, beside documents.ignore: selectors, or "
             "text:GLOB over a line"},
    {"least-change", FG_DOUBLE(struct options, least_change), .min = 0, .max = 1,
     .help = "share of a document's words that must differ, instead of "
             "documents.least-change"},
    {"reset", FG_LIST(struct options, reset), .arg = "WHAT,...", .refuse = refuse_key,
     .help = "forget what was set: tags, scope, budget, include, exclude, value, ignore, "
             "least-change, at-least"},
    {"forget", FG_BOOL(struct options, forget),
     .help = "take it out of the store, with all that is known of it"},
    {0},
};

struct view {
    struct fg_cli *cli;
    struct fg_look look;
    const struct options *o;
    const struct fg_form *form;
    struct fg_site_row site;
    struct fg_site_rules rules;
    bool is_changed, is_handed_over;
    bool has_events; /* it is forgotten, but for these */
};

/* --- setting --- */

static bool is_reset(const struct view *v, enum key key)
{
    for (size_t i = 0; i < v->o->reset.len; i++)
        if (fg_str_eq(v->o->reset.at[i], fg_str_from(keys[key])))
            return true;
    return false;
}

static void reset(struct view *v)
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

static struct fg_str without_tags(struct view *v, struct fg_str tags)
{
    struct fg_str left = {0}, tag;
    while (tags.len && fg_str_cut(&tags, ',', &tag)) {
        bool goes = false;
        for (size_t i = 0; i < v->o->untag.len; i++)
            goes |= fg_str_eq(fg_str_trim(tag), v->o->untag.at[i]);
        if (!goes)
            left = fg_tags_join(v->cli->arena, left, tag);
    }
    return left;
}

static enum fg_status set_tags(struct view *v, struct fg_err *err)
{
    for (size_t i = 0; i < v->o->tags.len; i++) {
        struct fg_str tag = v->o->tags.at[i];
        if (fg_str_chr(tag, '\n') != FG_NOT_FOUND ||
            fg_str_chr(tag, '\t') != FG_NOT_FOUND)
            return fg_fail(err, FG_ECONFIG,
                           "--tag: a tag must not contain tabs or newlines");
        v->site.tags = fg_tags_join(v->cli->arena, v->site.tags, tag);
    }
    if (v->o->untag.len)
        v->site.tags = without_tags(v, v->site.tags);
    return FG_OK;
}

static void set_list(struct view *v, struct fg_rule_list *list,
                     const struct fg_opt_list *given)
{
    if (!given->len)
        return;
    *list = (struct fg_rule_list){0};
    for (size_t i = 0; i < given->len; i++)
        fg_rule_list_add(v->cli->arena, list, given->at[i]);
}

/* A path, or an address of this site. */
static enum fg_status set_prefixes(struct view *v, struct fg_err *err)
{
    struct fg_arena *arena = v->cli->arena;
    if (v->o->prefix.len && v->o->scope && v->o->scope != FG_SCOPE_PREFIX)
        return fg_fail(err, FG_ECONFIG, "--prefix and --scope %s cannot be combined",
                       scopes[v->o->scope]);
    if (v->o->prefix.len)
        v->rules.prefixes = (struct fg_rule_list){0};
    for (size_t i = 0; i < v->o->prefix.len; i++) {
        struct fg_str given = v->o->prefix.at[i];
        struct fg_url base, url;
        fg_url_parse(&base, arena, v->site.key, NULL);
        if (!fg_url_parse(&url, arena, given, &base) ||
            !fg_str_eq(fg_canonical_site(fg_canonical_from(arena, &url, v->look.keep)),
                       v->site.key))
            return fg_fail(err, FG_ECONFIG, "--prefix: '%.*s' is not an address of %.*s",
                           FG_ARG(fg_str_sub(given, 0, 200)), FG_ARG(v->site.key));
        fg_rule_list_add(arena, &v->rules.prefixes,
                         fg_canonical_from(arena, &url, v->look.keep));
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
static void note_since(struct view *v, const struct fg_site_rules *before)
{
    struct fg_site_rules *rules = &v->rules;
    if (!fg_str_eq(rules->value, before->value))
        rules->value_since = v->look.now;
    if (!is_same_list(&rules->ignore, &before->ignore) ||
        rules->least_change != before->least_change)
        rules->ignore_since = v->look.now;
}

static enum fg_status set(struct view *v, struct fg_err *err)
{
    const struct options *o = v->o;
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
    v->site.settings = fg_site_rules_write(v->cli->arena, &v->rules);
    v->is_changed =
        !fg_str_eq(tags, v->site.tags) || !fg_str_eq(settings, v->site.settings);
    return st;
}

static enum fg_status write_rules(struct view *v, struct fg_err *err)
{
    struct fg_store *store;
    struct fg_cli *cli = v->cli;
    if (v->look.writer >= 0) {
        struct fg_str text =
            fg_arena_printf(cli->arena, "%.*s\n%.*s\n%.*s\n", FG_ARG(v->site.key),
                            FG_ARG(v->site.tags), FG_ARG(v->site.settings));
        return fg_inbox_put(fg_cli_inbox(cli), FG_INBOX_SITE, text, err);
    }
    enum fg_status st = fg_cli_store(cli, false, &store, err);
    if (st)
        return st;
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_site(batch, &v->site);
    st = fg_store_flush(store, fg_store_submit(store, batch), err);
    enum fg_status closed = fg_store_close(store, st ? NULL : err);
    return st ? st : closed;
}

/* --- forgetting --- */

/* The feeds of a removed site go when feeds are written; of a forgotten one nobody knows
 * their names. */
static enum fg_status drop_feeds(struct view *v, struct fg_store *store,
                                 struct fg_err *err)
{
    const struct fg_feeds_settings *settings =
        fg_output_settings_of(&v->cli->settings.crawl.outputs, &fg_output_feeds);
    struct fg_control wish = {FG_CONTROL_REMOVE, v->site.key, {0}};
    struct fg_feeds *feeds = NULL;
    if (!settings->dir.len)
        return FG_OK;
    enum fg_status st = fg_control_put(store, &wish, 1, v->look.now, err);
    if (!st)
        st = fg_feeds_new(&feeds, store, settings, settings->dir.at, err);
    if (!st)
        st = fg_feeds_update(feeds, err);
    if (!st)
        st = fg_feeds_write(feeds, err);
    fg_feeds_free(feeds);
    return st;
}

static bool note_event(void *context, const struct fg_event_row *event)
{
    (void)event;
    *(bool *)context = true;
    return false;
}

static enum fg_status forget_now(struct view *v, const struct fg_control *wish,
                                 struct fg_err *err)
{
    struct fg_store *store;
    enum fg_status st = fg_cli_store(v->cli, false, &store, err);
    if (st)
        return st;
    st = drop_feeds(v, store, err);
    if (!st)
        st = fg_control_put(store, wish, 1, v->look.now, err);
    if (!st)
        st = fg_store_events(store, v->site.site, 0, FG_NEVER, 1, note_event,
                             &v->has_events, err);
    enum fg_status closed = fg_store_close(store, st ? NULL : err);
    return st ? st : closed;
}

/* As 'forage remove' does it. */
static enum fg_status forget(struct view *v, struct fg_err *err)
{
    struct fg_cli *cli = v->cli;
    struct fg_control wish = {FG_CONTROL_FORGET, v->site.key, {0}};
    struct fg_control_waiting waiting;
    fg_control_waiting(&waiting, cli->arena, fg_cli_inbox(cli));
    v->is_handed_over =
        v->look.writer >= 0 || waiting.wishes.len > 0 || waiting.has_seeds;
    if (!v->is_handed_over)
        return forget_now(v, &wish, err);
    struct fg_buf text;
    fg_buf_init(&text, 1 << 20);
    fg_control_format(&text, &wish, 1);
    enum fg_status st =
        fg_inbox_put(fg_cli_inbox(cli), FG_INBOX_CONTROL, fg_buf_str(&text), err);
    fg_buf_clear(&text);
    return st;
}

/* --- what was forgotten --- */

struct forgotten {
    struct fg_str site, words, kept, handed;
    bool is_forgotten, has_events, is_handed_over;
};

#define F struct forgotten
static const struct fg_field forgotten_fields[] = {
    {"site", NULL, FG_AS_TEXT(F, site)},
    {NULL, "", FG_AS_TEXT(F, words), .is_title = true},
    {"forgotten", NULL, FG_AS_YES(F, is_forgotten)},
    {"has_undelivered_events", NULL, FG_AS_YES(F, has_events)},
    {NULL, "", FG_AS_TEXT(F, kept), .is_title = true},
    {"handed_over", NULL, FG_AS_YES(F, is_handed_over)},
    {NULL, "", FG_AS_TEXT(F, handed), .is_title = true},
    {0},
};
#undef F
static const struct fg_field forgotten = FG_RECORD_OF(forgotten_fields);

static enum fg_status tell_forgotten(struct view *v, struct fg_err *err)
{
    struct fg_arena *arena = v->cli->arena;
    struct forgotten answer = {
        .site = v->site.key,
        .words = fg_arena_printf(arena, "%.*s  site forgotten", FG_ARG(v->site.key)),
        .kept = v->has_events
                    ? FG_STR("events that some output has not had are kept for it")
                    : FG_STR(""),
        .is_forgotten = !v->is_handed_over,
        .has_events = v->has_events,
        .is_handed_over = v->is_handed_over};
    if (v->is_handed_over && v->look.writer >= 0)
        answer.handed = fg_arena_printf(arena,
                                        "given to the crawl that is running (process "
                                        "%lld); it heeds it within seconds",
                                        (long long)v->look.writer);
    else if (v->is_handed_over)
        answer.handed =
            FG_STR("left for the next crawl, behind what waits for it already");
    return fg_cli_render(&v->cli->out, &forgotten, &answer, v->form, v->look.now, err);
}

/* --- the command --- */

static enum fg_status show(struct view *v, struct fg_err *err)
{
    struct fg_site_answer answer;
    bool is_running = v->look.writer >= 0;
    fg_site_answer_fill(&answer, &v->look, &v->site, &v->rules);
    answer.is_changed = v->is_changed;
    answer.is_handed_over = v->is_changed && is_running;
    if (v->is_changed)
        answer.note = is_running
                          ? FG_STR("given to the crawl that is running; it takes them up "
                                   "within seconds")
                          : FG_STR("these hold from the next start on");
    return fg_cli_render(&v->cli->out, &fg_view_site.answer, &answer, v->form,
                         v->look.now, err);
}

static enum fg_status answer(struct view *v, struct fg_err *err)
{
    fg_site_id id = 0;
    enum fg_status st =
        fg_look_find_site(&v->look, fg_str_from(v->cli->words[0]), &id, err);
    if (st)
        return st;
    v->site = *fg_look_site(&v->look, id);
    fg_site_rules_read(&v->rules, v->cli->arena, v->site.settings);
    st = set(v, err);
    if (!st && v->o->forget) {
        st = v->is_changed
                 ? fg_fail(err, FG_ECONFIG, "--forget and settings cannot be combined")
                 : forget(v, err);
        return st ? st : tell_forgotten(v, err);
    }
    if (!st && v->is_changed)
        st = write_rules(v, err);
    return st ? st : show(v, err);
}

static enum fg_status run(struct fg_cli *cli, const void *own, const void *question,
                          const struct fg_form *form, struct fg_err *err)
{
    struct view v = {.cli = cli, .o = own, .form = form};
    (void)question;
    enum fg_status st = fg_cli_look(cli, &v.look, err);
    if (!st)
        st = answer(&v, err);
    fg_cli_look_close(&v.look);
    return st;
}

static const struct fg_example examples[] = {
    {"forage site news.example", "what holds for a site"},
    {"forage site news.example --budget 20 --tag press --exclude '*/print/*'",
     "20 page requests an hour at most, and no print versions"},
    {"forage site news.example --prefix /politics/ --ignore '.ads,text:*readers online*'",
     "a part of the site, and noise on its pages"},
    {"forage site news.example --at-least 1h", "no more than an hour between two visits"},
    {"forage site news.example --reset scope,budget --json", "forget what was set"},
    {"forage site shop.example --forget", "take a site out of the store"},
    {0},
};

const struct fg_showing fg_show_site = {
    .view = &fg_view_site,
    .options = options,
    .options_size = sizeof(struct options),
    .writes = true,
    .examples = examples,
    .run = run,
};
