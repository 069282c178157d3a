/* site.c - the rules of one site, and what stands in their place where it has none */
#include "view/site.h"

#include "crawl/signals/push_state.h"

#include <math.h>

#define S struct fg_signal_row
static const struct fg_field signal_fields[] = {
    {"kind", "told by", FG_AS_WORD(S, kind),
     .help = "dates (of feeds and sitemaps), websub or indexnow"},
    {"state", "state", FG_AS_WORD(S, state), .help = "of a subscription or a key"},
    {"page", "page", FG_AS_URL(S, page), .help = "that a hub tells of",
     .is_null_if_empty = true},
    {"hub", NULL, FG_AS_URL(S, hub), .is_null_if_empty = true},
    {"told", "told", FG_AS_NUMBER(S, told), .help = "checked; old ones fade"},
    {"proved", "true", FG_AS_NUMBER(S, proved), .help = "of them, those that were true"},
    {"missed", "missed", FG_AS_NUMBER(S, missed), .help = "changes that were not told"},
    {"honesty", "honesty", FG_AS_SHARE(S, share), .help = "share that was true"},
    {"pushes", NULL, FG_AS_COUNT(S, pushes), .help = "taken, of all time"},
    {"rest_s", "polling rests", FG_AS_SPAN(S, rest), .unit = "s",
     .help = "longest time between two looks, because it is told; 0: none"},
    {"until", NULL, FG_AS_TIME(S, until), .help = "when the lease ends"},
    {0},
};
#undef S

#define A struct fg_site_answer
static const struct fg_field fields[] = {
    {"site", "", FG_AS_TEXT(A, site), .is_title = true, .help = "scheme, host and port"},
    {"state", "state", FG_AS_WORD(A, state), .help = "exploring, watched, paused ..."},
    {"tags", NULL, FG_AS_TEXT(A, tags), .help = "the user's, with commas between"},
    {NULL, "tags", FG_AS_TEXT(A, tags_words)},
    {"scope", "scope", FG_AS_WORD(A, scope), .help = "which pages are its own"},
    {"prefixes", "prefix", FG_AS_TEXTS(A, prefixes), .help = "of scope prefix"},
    {"budget", NULL, FG_AS_NUMBER(A, budget), .unit = "page requests an hour",
     .help = "0: crawl.site-budget"},
    {NULL, "budget", FG_AS_TEXT(A, budget_words)},
    {"at_least_s", NULL, FG_AS_SPAN(A, at_least), .unit = "s",
     .help = "longest time between two visits; 0: crawl.at-least"},
    {NULL, "at least", FG_AS_TEXT(A, at_least_words)},
    {"include", "include", FG_AS_TEXTS(A, include), .help = "addresses that count"},
    {"exclude", "exclude", FG_AS_TEXTS(A, exclude), .help = "addresses that do not"},
    {"value", NULL, FG_AS_TEXT(A, value), .help = "what of its documents counts"},
    {NULL, "value", FG_AS_TEXT(A, value_words)},
    {"ignore", "ignore", FG_AS_TEXTS(A, ignore), .help = "parts that are not changes"},
    {"least_change", NULL, FG_AS_SHARE(A, least_change),
     .help = "of a document's words; 0: documents.least-change"},
    {NULL, "least change", FG_AS_TEXT(A, least_change_words)},
    {"signals", "signals", FG_AS_ROWS(A, signals, signal_fields),
     .help = "who tells of its changes, and how honestly"},
    {"changed", NULL, FG_AS_YES(A, is_changed), .help = "by this command"},
    {"handed_over", NULL, FG_AS_YES(A, is_handed_over), .help = "to the crawl that runs"},
    {NULL, "", FG_AS_TEXT(A, note), .is_title = true},
    {0},
};
#undef A

static struct fg_texts texts_of(const struct fg_rule_list *list)
{
    return (struct fg_texts){list->at, list->len};
}

static struct fg_str number_words(struct fg_arena *arena, double own, double all,
                                  const char *key, const char *unit)
{
    if (own > 0)
        return fg_arena_printf(arena, "%g%s", own, unit);
    if (all > 0)
        return fg_arena_printf(arena, "%g%s, by %s", all, unit, key);
    return FG_STR("any");
}

/* --- who tells of changes --- */

static struct fg_signal_row signal_row(const char *kind, const char *state,
                                       const struct fg_honesty *h)
{
    return (struct fg_signal_row){.kind = kind,
                                  .state = state,
                                  .page = FG_STR(""),
                                  .hub = FG_STR(""),
                                  .told = h->told,
                                  .proved = h->proved,
                                  .missed = h->missed,
                                  .share =
                                      h->told > 0 ? h->proved / h->told : (double)NAN,
                                  .until = FG_NEVER};
}

static struct fg_rows signals_of(const struct fg_look *look, fg_site_id site)
{
    struct fg_arena *arena = look->texts;
    fg_time most = look->place.settings->push.rest;
    struct fg_push push;
    size_t n = 0;
    if (!look->store || fg_push_load(&push, arena, look->store, site, NULL))
        return (struct fg_rows){0};
    struct fg_signal_row *rows = FG_NEW(arena, struct fg_signal_row, push.n_subs + 2);
    const struct fg_indexnow *indexnow = &push.indexnow;
    for (size_t i = 0; i < push.n_subs; i++) {
        const struct fg_subscription *sub = &push.subs[i];
        bool rests =
            sub->state == FG_SUB_ACTIVE && !sub->failures && sub->unconfirmed == FG_NEVER;
        rows[n] = signal_row("websub", fg_subscription_name(sub->state), &sub->honesty);
        rows[n].page = fg_look_url(look, arena, site, sub->page);
        rows[n].hub = sub->hub;
        rows[n].pushes = sub->pushes;
        rows[n].until = sub->until;
        rows[n++].rest = rests ? fg_honesty_rest(&sub->honesty, most) : 0;
    }
    if (indexnow->key.len || indexnow->refused.len) {
        bool rests = indexnow->key.len && indexnow->unconfirmed == FG_NEVER;
        rows[n] = signal_row("indexnow", indexnow->key.len ? "active" : "refused",
                             &indexnow->honesty);
        rows[n].pushes = indexnow->urls;
        rows[n++].rest = rests ? fg_honesty_rest(&indexnow->honesty, most) : 0;
    }
    if (push.dates.told > 0)
        rows[n++] = signal_row("dates", "active", &push.dates);
    return (struct fg_rows){.at = rows, .len = n, .size = sizeof *rows};
}

void fg_site_answer_fill(struct fg_site_answer *answer, const struct fg_look *look,
                         const struct fg_site_row *site,
                         const struct fg_site_rules *rules)
{
    struct fg_arena *arena = look->texts;
    const struct fg_crawl_options *all = look->place.settings;
    fg_time at_least = rules->at_least ? rules->at_least : all->budget.at_least;
    char span[FG_SPAN_TEXT];
    *answer = (struct fg_site_answer){
        .site = site->key,
        .state = fg_site_shown_state(site),
        .tags = site->tags.len ? site->tags : FG_STR(""),
        .tags_words = site->tags.len ? site->tags : FG_STR("none"),
        .scope = fg_scope_name(rules->scope),
        .prefixes = texts_of(&rules->prefixes),
        .budget = rules->budget_per_hour,
        .at_least = rules->at_least,
        .include = texts_of(&rules->include),
        .exclude = texts_of(&rules->exclude),
        .value = rules->value,
        .ignore = texts_of(&rules->ignore),
        .signals = signals_of(look, site->site),
        .least_change = rules->least_change,
        .budget_words =
            number_words(arena, rules->budget_per_hour, all->budget.site_per_hour,
                         "crawl.site-budget", " page requests an hour"),
        .value_words = rules->value.len
                           ? rules->value
                           : fg_arena_printf(arena, "%.*s, by documents.value",
                                             FG_ARG(all->documents.value_rule)),
        .least_change_words =
            number_words(arena, rules->least_change, all->documents.least_change,
                         "documents.least-change", " of the words"),
    };
    if (at_least)
        answer->at_least_words =
            fg_arena_printf(arena, "every %s%s", fg_span_format(span, at_least),
                            rules->at_least ? "" : ", by crawl.at-least");
}

static enum fg_status ask(const void **answer, const struct fg_asking *ask,
                          struct fg_err *err)
{
    fg_site_id id = 0;
    struct fg_site_rules rules;
    struct fg_site_answer *made = FG_NEW(ask->look->texts, struct fg_site_answer, 1);
    enum fg_status st = fg_look_find_site(ask->look, ask->subject, &id, err);
    if (st)
        return st;
    const struct fg_site_row *site = fg_look_site(ask->look, id);
    fg_site_rules_read(&rules, ask->look->texts, site->settings);
    fg_site_answer_fill(made, ask->look, site, &rules);
    *answer = made;
    return FG_OK;
}

const struct fg_view fg_view_site = {
    .name = "site",
    .subject = "SITE",
    .summary = "show and set what holds for one site: tags, scope, budget, visits, noise",
    .about =
        "Shows the rules of a site (its host name or any address of it), after setting "
        "those that are given. Lists replace what was there. Scope says which pages are "
        "its own: host, all of them; prefix, those below a --prefix; page, only those "
        "that were named; domain, also other hosts of its domain, which become sites "
        "with the same rules once a page links to them. What the user named is fetched "
        "in any case; robots.txt holds above all. A crawl that runs applies the rules "
        "within seconds; else they hold from the next start on. docs/rules.md describes "
        "them in full. --forget takes the site out of the store: pages, links, visits, "
        "bodies, values, requests and events, except events that an output has not "
        "received yet. It cannot be undone.",
    .settings = "workspace crawl.site-budget crawl.at-least documents",
    .answer = FG_RECORD_OF(fields),
    .ask = ask,
};
