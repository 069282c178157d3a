/* explain.c - all that decides about one address, in one answer
 *
 * The address is taken through the same steps as a link that a crawl finds: its normal
 * form, the settings, the site and its rules, the stored robots.txt; then what is known
 * of the page and of addresses like this one, and what the policy thinks of it. Nothing
 * is fetched. What a site has learnt of its addresses is in the store as it was when the
 * crawl last saved it. */
#include "crawl/host/conduct.h"
#include "crawl/intake/control.h"
#include "crawl/reading/cut.h"
#include "crawl/sites/site_rules.h"
#include "crawl/sources/guard.h"
#include "net/robots/robots.h"
#include "net/robots/rules.h"
#include "net/url/canonical.h"
#include "net/url/url.h"
#include "view/ago.h"
#include "view/standing.h"
#include "view/view.h"
#include "view/why.h"

struct robots_answer {
    bool is_known, allows, holds;
    bool lets_in; /* both */
    struct fg_rule by;
    unsigned line;
    fg_time fetched, expires;
};

struct asked {
    struct fg_look *look;
    struct fg_str given;
    struct fg_url url;
    struct fg_str canonical;
    FG_VEC(struct fg_str) changes;  /* that made it so */
    const struct fg_site_row *site; /* NULL: not known */
    bool is_watched, is_of_domain;
    struct fg_site_rules rules;
    enum fg_guard_verdict guard;
    struct fg_str guard_by;
    uint64_t n_cut; /* pages of its site of which links were left out */
    enum fg_site_verdict ruled;
    struct fg_str ruled_by;
    struct robots_answer robots;
    struct fg_conduct conduct;
    bool has_page;
    struct fg_page_row page;
    struct fg_note_row note;
    struct fg_str value_rule; /* of the page's own, or empty */
    struct fg_standing standing;
    const struct fg_why *why;
    const char *why_not; /* asked in vain, or NULL */
    const char *verdict; /* a word */
    struct fg_str because;
    /* as shown: */
    bool crawled;
    const char *kept, *scope;
    struct fg_texts change_words, ignored;
    struct site_shown *site_shown;
    struct page_shown *page_shown;
    struct fg_standing_shown standing_shown;
    struct fg_str crawled_words, not_crawled_words, site_words, tags, budget, backoff,
        settings_words, rules_words, robots_words, least_change, value, known, found_on,
        leads_to, copy_of;
};

/* --- the address --- */

static void note_change(struct asked *v, struct fg_str words)
{
    fg_vec_push_in(v->look->texts, &v->changes, words);
}

static void compare_query(struct asked *v)
{
    struct fg_str query = fg_str_skip(fg_url_search(&v->url), 1), part;
    struct fg_arena *arena = v->look->texts;
    struct fg_str left = {0};
    while (query.len && fg_str_cut(&query, '&', &part)) {
        size_t equals = fg_str_chr(part, '=');
        struct fg_str name = fg_str_sub(part, 0, equals);
        struct fg_str value =
            equals == FG_NOT_FOUND ? FG_STR("") : fg_str_skip(part, equals + 1);
        bool tracks = !(v->look->keep & FG_CANONICAL_KEEP_TRACKING) &&
                      fg_canonical_drops(name, value);
        if (tracks || !name.len)
            note_change(v, fg_arena_printf(arena, "parameter '%.*s' dropped",
                                           FG_ARG(fg_str_sub(name, 0, 100))));
        else
            left = fg_arena_printf(arena, "%.*s%s%.*s", FG_ARG(left), left.len ? "&" : "",
                                   FG_ARG(part));
    }
    size_t mark = fg_str_chr(v->canonical, '?');
    struct fg_str kept =
        mark == FG_NOT_FOUND ? FG_STR("") : fg_str_skip(v->canonical, mark + 1);
    if (left.len && !fg_str_eq(left, kept))
        note_change(v, FG_STR("parameters sorted and written in one way"));
}

static void compare(struct asked *v, struct fg_str given)
{
    const struct fg_url *url = &v->url;
    struct fg_str path = fg_url_pathname(url), site = fg_canonical_site(v->canonical);
    struct fg_str rest = fg_str_skip(v->canonical, site.len);
    if (!fg_str_eq(fg_str_trim(given), url->href))
        note_change(v, FG_STR("written as the URL standard has it"));
    if (fg_url_hash(url).len)
        note_change(v, FG_STR("fragment dropped"));
    if (fg_url_username(url).len || fg_url_password(url).len)
        note_change(v, FG_STR("name and password dropped"));
    if (fg_str_ends(fg_url_hostname(url), FG_STR(".")))
        note_change(v, FG_STR("dot behind the host dropped"));
    if (!fg_str_eq(path, fg_str_sub(rest, 0, fg_str_chr(rest, '?'))))
        note_change(v, FG_STR("path without a session, and escaped in one way"));
    compare_query(v);
}

static enum fg_status read_address(struct asked *v, struct fg_err *err)
{
    struct fg_str given = v->given;
    enum fg_status st = fg_look_address(v->look, given, &v->url, err);
    if (st)
        return st;
    if (!fg_url_is_http(&v->url))
        return fg_fail(err, FG_ECONFIG, "'%.*s' is not an http or https address",
                       FG_ARG(fg_str_sub(given, 0, 200)));
    v->canonical = fg_canonical_from(v->look->texts, &v->url, v->look->keep);
    compare(v, given);
    return FG_OK;
}

/* --- the rules --- */

static void read_site(struct asked *v)
{
    fg_site_id id = 0;
    struct fg_str key = fg_canonical_site(v->canonical);
    for (size_t i = 0; i < v->look->n_sites; i++) {
        const struct fg_site_row *site = &v->look->sites[i];
        bool is_host = strcmp(fg_site_state_name(site->state), "host") == 0;
        struct fg_site_rules rules;
        if (fg_str_eq(site->key, key)) {
            id = site->site;
            v->is_watched = !is_host;
        } else if (!is_host && site->key.len) {
            fg_site_rules_read(&rules, v->look->texts, site->settings);
            v->is_of_domain |= rules.scope == FG_SCOPE_DOMAIN &&
                               fg_scope_same_domain(v->look->texts, site->key, key);
        }
    }
    v->site = id ? fg_look_site(v->look, id) : NULL;
    if (v->site)
        fg_site_rules_read(&v->rules, v->look->texts, v->site->settings);
}

static struct fg_str match(const struct fg_str *globs, size_t n, struct fg_str url)
{
    for (size_t i = 0; i < n; i++)
        if (fg_glob_matches(globs[i], url))
            return globs[i];
    return (struct fg_str){0};
}

static void judge(struct asked *v)
{
    const struct fg_guard_rules *rules = &v->look->place.settings->guard;
    struct fg_guard guard;
    fg_guard_init(&guard, rules);
    v->guard = fg_guard_check(&guard, v->canonical, v->has_page ? v->page.depth : 1, 0);
    if (v->guard == FG_GUARD_EXCLUDED)
        v->guard_by = match(rules->exclude.at, rules->exclude.len, v->canonical);
    else if (v->guard == FG_GUARD_OK && rules->include.len)
        v->guard_by = match(rules->include.at, rules->include.len, v->canonical);
    v->ruled = fg_site_rules_judge(&v->rules, v->canonical, &v->ruled_by);
    bool is_single = v->site && strcmp(fg_site_state_name(v->site->state), "pages") == 0;
    if (is_single && !v->has_page) /* what is known was named, or a feed listed it */
        v->ruled = FG_SITE_PAGE_ONLY;
}

static void read_robots(struct asked *v)
{
    const struct fg_site_row *site = v->site;
    struct robots_answer *robots = &v->robots;
    struct fg_str names = v->look->place.settings->robots_token;
    robots->allows = true;
    robots->is_known = site && site->robots_fetched != FG_NEVER;
    robots->holds = site && fg_site_is_held(site);
    if (!robots->is_known || !site->robots.len)
        return;
    const struct fg_robots *parsed = fg_robots_parse(v->look->texts, site->robots, names);
    robots->allows = fg_robots_explain(&robots->by, v->look->texts, parsed,
                                       fg_robots_path(v->canonical));
    robots->line = fg_robots_rule_line(site->robots, names, &robots->by);
}

/* What its owner says about keeping it. */
static enum fg_status read_conduct(struct asked *v, struct fg_err *err)
{
    struct fg_page_row page = {.url = v->canonical};
    if (!v->site)
        return FG_OK;
    return fg_conduct_recall(&v->conduct, v->look->texts, v->look->store,
                             &v->look->place.settings->conduct,
                             v->look->place.settings->robots_token, v->site,
                             v->has_page ? &v->page : &page, err);
}

/* --- the page, and the policy --- */

static enum fg_status read_page(struct asked *v, struct fg_err *err)
{
    struct fg_value_row value;
    struct fg_arena *arena = v->look->texts;
    if (!v->site)
        return FG_OK;
    enum fg_status st =
        fg_store_page_by_fingerprint(v->look->store, &v->page, arena, v->site->site,
                                     fg_canonical_fingerprint(v->canonical), err);
    v->has_page = !st;
    if (st)
        return st == FG_ENOTFOUND ? FG_OK : st;
    fg_store_note(v->look->store, &v->note, arena, v->page.site, v->page.page, NULL);
    if (!fg_store_value(v->look->store, &value, arena, v->page.site, v->page.page, NULL))
        v->value_rule = value.rule;
    return FG_OK;
}

/* A crawl takes parameters without effect off a link before it looks whether the page is
 * known. One that was known before they were learnt keeps its address. */
static enum fg_status read_standing(struct asked *v, struct fg_err *err)
{
    struct fg_standing *standing = &v->standing;
    enum fg_status st = FG_OK;
    fg_standing_read(standing, v->look, v->site, v->canonical, NULL);
    if (!v->has_page && standing->dropped.len) {
        v->canonical = standing->reduced;
        st = read_page(v, err);
    }
    if (v->has_page) {
        struct fg_standing there;
        fg_standing_read(&there, v->look, v->site, v->page.url, &v->page);
        there.dropped = standing->dropped;
        *standing = there;
    }
    return st;
}

static enum fg_status ask_policy(struct asked *v, struct fg_err *err)
{
    if (!v->has_page)
        return FG_OK;
    enum fg_status st = fg_why_read(&v->why, v->look, &v->page, 1, err);
    if (st == FG_ENOTFOUND)
        v->why_not = "no policy has run on this workspace yet";
    return st == FG_ENOTFOUND ? FG_OK : st;
}

/* --- the verdict --- */

static void decide(struct asked *v, const char *verdict, struct fg_str because)
{
    v->verdict = verdict;
    v->because = because;
}

static struct fg_str guard_words(const struct asked *v)
{
    struct fg_arena *arena = v->look->texts;
    switch (v->guard) {
    case FG_GUARD_EXCLUDED:
        return fg_arena_printf(arena, "crawl.exclude: %.*s", FG_ARG(v->guard_by));
    case FG_GUARD_NOT_INCLUDED:
        return FG_STR("crawl.include: it matches none of the patterns");
    case FG_GUARD_LONG:
        return FG_STR("fetch.max-url: its address is longer");
    case FG_GUARD_DEEP:
        return FG_STR("crawl.max-depth: it is further from a seed");
    case FG_GUARD_BINARY:
        return FG_STR("its name is that of an image, a film, an archive or a program");
    case FG_GUARD_REPEATS:
        return FG_STR("its path repeats itself, as those of traps do");
    case FG_GUARD_PARAMS:
        return FG_STR("it has more parameters than pages have");
    default:
        return fg_str_from(fg_guard_verdict_name(v->guard));
    }
}

static struct fg_str rule_words(const struct asked *v)
{
    struct fg_arena *arena = v->look->texts;
    switch (v->ruled) {
    case FG_SITE_PAGE_ONLY:
        return FG_STR("scope page: of its site only named pages are fetched");
    case FG_SITE_OUTSIDE:
        return FG_STR("scope prefix: it is below none of the prefixes of its site");
    case FG_SITE_NOT_INCLUDED:
        return FG_STR("it matches none of the include patterns of its site");
    case FG_SITE_EXCLUDED:
        return fg_arena_printf(arena, "exclude of its site: %.*s", FG_ARG(v->ruled_by));
    case FG_SITE_OK:
        break;
    }
    return v->ruled_by.len
               ? fg_arena_printf(arena, "allowed by %.*s", FG_ARG(v->ruled_by))
               : FG_STR("nothing is against it");
}

/* "robots.txt" goes before them. */
static struct fg_str robots_words(const struct asked *v)
{
    struct fg_arena *arena = v->look->texts;
    const struct robots_answer *robots = &v->robots;
    if (robots->holds)
        return FG_STR(
            "could not be fetched, so no page of the host is requested for now");
    if (!robots->is_known)
        return FG_STR("not known yet: it is fetched before the first page");
    if (!robots->by.pattern.len)
        return FG_STR("allows it: no rule matches");
    return fg_arena_printf(arena, "%s it: \"%s: %.*s\" on line %u",
                           robots->allows ? "allows" : "forbids",
                           robots->allows ? "Allow" : "Disallow",
                           FG_ARG(fg_str_sub(robots->by.pattern, 0, 200)), robots->line);
}

static void decide_by_robots(struct asked *v, const char *verdict)
{
    decide(v, verdict,
           fg_arena_printf(v->look->texts, "robots.txt %.*s", FG_ARG(robots_words(v))));
}

static bool take_cut(void *context, const struct fg_site_summary *site)
{
    struct asked *v = context;
    if (site->site == v->site->site)
        v->n_cut = site->cut;
    return true;
}

/* A link that was left out may lead to it. */
static struct fg_str unlinked_words(struct asked *v)
{
    fg_store_summaries(v->look->store, v->look->now, v->look->now, take_cut, v, NULL);
    if (!v->n_cut)
        return FG_STR(
            "no page that was read links to it yet; it is crawled when one does");
    return fg_arena_printf(v->look->texts,
                           "no link that was looked at leads to it; of %llu page%s links "
                           "were left out, for there were more than %d or they were "
                           "longer than fetch.max-url ('forage export --what pages' has "
                           "the flag 'cut')",
                           (unsigned long long)v->n_cut, v->n_cut == 1 ? "" : "s",
                           FG_LINKS_MOST);
}

static struct fg_str fetched_words(const struct asked *v)
{
    struct fg_cut cut;
    if (!(v->page.flags & FG_PAGE_CUT) ||
        !fg_cut_read(&cut, v->look->store, v->page.site, v->page.page))
        return FG_STR(
            "it was fetched once; only sources and documents are visited again");
    return fg_arena_printf(
        v->look->texts,
        "it was fetched once; only sources and documents are visited again; links of it "
        "are left out: %.*s",
        FG_ARG(fg_cut_words(v->look->texts, cut)));
}

/* Then a link to it is neither news nor worth a fetch. */
static bool is_action(const struct asked *v)
{
    static const float sure = 0.8F; /* as crawl/result.c has it */
    const struct fg_kind_verdict *kind = &v->standing.kind;
    return kind->kind == FG_KIND_ACTION && kind->certainty >= sure &&
           !v->look->place.settings->exploring.backfill;
}

/* The first that decides, in the order in which a crawl asks. */
static void reach_verdict(struct asked *v)
{
    bool is_named = v->has_page && v->page.flags & FG_PAGE_SEED;
    if (!v->is_watched && v->is_of_domain)
        decide(v, "if-linked",
               FG_STR("its host becomes a site when a page of its domain links to it"));
    else if (!v->is_watched)
        decide(v, "not-watched",
               FG_STR("its site is not watched; 'forage add' changes that"));
    else if (fg_site_is_removed(v->site) ||
             (v->has_page && v->page.flags & FG_PAGE_REMOVED))
        decide(v, "removed", FG_STR("it was removed; 'forage add' changes that"));
    else if (fg_site_is_paused(v->site) ||
             (v->has_page && v->page.flags & FG_PAGE_PAUSED))
        decide(v, "paused", FG_STR("it is paused; 'forage resume' changes that"));
    else if (!v->robots.allows)
        decide_by_robots(v, "robots");
    else if (!is_named && v->guard)
        decide(v, fg_guard_verdict_name(v->guard), guard_words(v));
    else if (!is_named && v->ruled)
        decide(v, fg_site_verdict_name(v->ruled), rule_words(v));
    else if (v->robots.holds)
        decide_by_robots(v, "held");
    else if (!v->has_page && is_action(v))
        decide(v, "action",
               fg_arena_printf(
                   v->look->texts,
                   "its address is that of an action (edit, reply, print ...): %s",
                   v->standing.kind.reason));
    else if (!v->has_page)
        decide(v, "if-linked", unlinked_words(v));
    else if (v->page.flags & FG_PAGE_ALIAS)
        decide(v, "alias", FG_STR("it leads to another page"));
    else if (v->page.flags & FG_PAGE_GONE)
        decide(v, "gone", FG_STR("it is gone"));
    else if (v->page.flags & FG_PAGE_SOURCE)
        decide(v, "source", FG_STR("it is visited for links to new pages"));
    else if (v->page.flags & FG_PAGE_DOCUMENT)
        decide(v, "document", FG_STR("it is kept fresh for its own sake"));
    else if (v->standing.unfetched.word)
        decide(v, v->standing.unfetched.word, v->standing.unfetched.words);
    else
        decide(v, "fetched", fetched_words(v));
}

static bool is_crawled(const struct asked *v)
{
    static const char *const good[] = {"if-linked", "source", "document", "fetched",
                                       "waiting"};
    if (v->standing.unfetched.word && v->because.at == v->standing.unfetched.words.at)
        return v->standing.is_to_be_fetched;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (strcmp(v->verdict, good[i]) == 0)
            return true;
    return false;
}

/* --- fields --- */

struct site_shown {
    struct fg_site_row row;
    const char *state, *scope;
    double budget, least_change;
    struct fg_texts ignore;
};

#define S struct site_shown
static const struct fg_field site_fields[] = {
    {"key", NULL, FG_AS_TEXT(S, row.key), .help = "scheme, host and port"},
    {"state", NULL, FG_AS_WORD(S, state), .help = "exploring, watched, paused ..."},
    {"tags", NULL, FG_AS_TEXT(S, row.tags), .help = "the user's, with commas between"},
    {"scope", NULL, FG_AS_WORD(S, scope), .help = "which pages are its own"},
    {"budget", NULL, FG_AS_NUMBER(S, budget), .unit = "page requests an hour",
     .help = "0: no limit of its own"},
    {"ignore", NULL, FG_AS_TEXTS(S, ignore), .help = "parts that are not changes"},
    {"least_change", NULL, FG_AS_SHARE(S, least_change),
     .help = "share of a document's words that must differ"},
    {"backoff_until", NULL, FG_AS_TIME(S, row.backoff_until),
     .help = "when its host may be asked again"},
    {0},
};
#undef S

#define R struct robots_answer
static const struct fg_field robots_fields[] = {
    {"known", NULL, FG_AS_YES(R, is_known), .help = "it was asked for"},
    {"allows", NULL, FG_AS_YES(R, lets_in), .help = "the address may be fetched"},
    {"holds", NULL, FG_AS_YES(R, holds), .help = "it could not be fetched"},
    {"rule", NULL, FG_AS_TEXT(R, by.pattern), .help = "the rule that decides"},
    {"line", NULL, FG_AS_COUNT(R, line), .help = "where it stands; 0: nowhere"},
    {"fetched", NULL, FG_AS_TIME(R, fetched), .help = "the copy that is stored"},
    {"expires", NULL, FG_AS_TIME(R, expires), .help = "when it is asked for again"},
    {0},
};
#undef R

struct page_shown {
    struct fg_page_row row;
    struct fg_note_row note;
    struct fg_str value, found_on, alias_of;
};

#define P struct page_shown
static const struct fg_field page_fields[] = {
    {"flags", NULL, FG_AS_FLAGS(P, row.flags, fg_flag_word), .help = "what it is"},
    {"first_seen", NULL, FG_AS_TIME(P, row.first_seen)},
    {"last_visit", NULL, FG_AS_TIME(P, row.last_visit)},
    {"visits", NULL, FG_AS_COUNT(P, row.visits), .help = "so far"},
    {"changes", NULL, FG_AS_COUNT(P, row.changes), .help = "visits that found one"},
    {"name", NULL, FG_AS_TEXT(P, note.name), .help = "what the user calls it"},
    {"tags", NULL, FG_AS_TEXT(P, note.tags), .help = "its own"},
    {"meta", NULL, FG_AS_TEXT(P, note.meta), .help = "what else came with it"},
    {"value", NULL, FG_AS_TEXT(P, value), .help = "how its value is read"},
    {"found_on", NULL, FG_AS_URL(P, found_on), .help = "the page that first showed it"},
    {"alias_of", NULL, FG_AS_URL(P, alias_of), .help = "what it leads to or copies"},
    {0},
};
#undef P

#define A struct asked
static const struct fg_field fields[] = {
    {"url", "", FG_AS_URL(A, given), .is_title = true, .help = "as it was given"},
    {NULL, "crawled", FG_AS_TEXT(A, crawled_words)},
    {NULL, "not crawled", FG_AS_TEXT(A, not_crawled_words)},
    {"normalised", "normalised", FG_AS_URL(A, canonical), .help = "as a crawl has it"},
    {"changes", "", FG_AS_TEXTS(A, change_words), .help = "what made it so"},
    {"crawled", NULL, FG_AS_YES(A, crawled), .help = "it is, or would be, crawled"},
    {"verdict", NULL, FG_AS_WORD(A, verdict), .help = "what decides, in a word"},
    {"because", NULL, FG_AS_TEXT(A, because), .help = "the same in words"},
    {"settings", NULL, FG_AS_NAME(A, guard, fg_guard_verdict_name),
     .help = "what the settings say"},
    {"settings_by", NULL, FG_AS_TEXT(A, guard_by), .help = "the pattern that matched"},
    {"rules", NULL, FG_AS_NAME(A, ruled, fg_site_verdict_name),
     .help = "what the rules of its site say"},
    {"rules_by", NULL, FG_AS_TEXT(A, ruled_by), .help = "the pattern that matched"},
    {"site", NULL, FG_AS_RECORD_AT(A, site_shown, site_fields),
     .help = "null: not known"},
    {NULL, "site", FG_AS_TEXT(A, site_words)},
    {NULL, "tags", FG_AS_TEXT(A, tags)},
    {NULL, "scope", FG_AS_WORD(A, scope)},
    {NULL, "budget", FG_AS_TEXT(A, budget)},
    {NULL, "back-off", FG_AS_TEXT(A, backoff)},
    {NULL, "settings", FG_AS_TEXT(A, settings_words)},
    {NULL, "rules", FG_AS_TEXT(A, rules_words)},
    {"robots", NULL, FG_AS_RECORD(A, robots, robots_fields), .help = "robots.txt"},
    {NULL, "robots.txt", FG_AS_TEXT(A, robots_words)},
    {"reserved", NULL, FG_AS_YES(A, conduct.is_reserved),
     .help = "its owner objects to keeping it"},
    {"not_kept", "not kept", FG_AS_WORD(A, conduct.refusal), .help = "why, if it is not"},
    {NULL, "kept", FG_AS_WORD(A, kept)},
    {NULL, "ignored", FG_AS_TEXTS(A, ignored)},
    {NULL, "least change", FG_AS_TEXT(A, least_change)},
    {NULL, "value", FG_AS_TEXT(A, value)},
    {"page", NULL, FG_AS_RECORD_AT(A, page_shown, page_fields),
     .help = "null: not known"},
    {NULL, "known", FG_AS_TEXT(A, known)},
    {NULL, "called", FG_AS_TEXT(A, note.name)},
    {NULL, "noted", FG_AS_TEXT(A, note.meta)},
    {NULL, "found on", FG_AS_URL(A, found_on)},
    {NULL, "leads to", FG_AS_URL(A, leads_to)},
    {NULL, "copy of", FG_AS_URL(A, copy_of)},
    {NULL, "", FG_AS_RECORD(A, standing_shown, fg_standing_fields)},
    {NULL, "policy", FG_AS_WORD(A, why_not)},
    {"why", "", FG_AS_RECORD_AT(A, why, fg_why_fields), .help = "as 'forage why' has it"},
    {0},
};
#undef A

/* --- words --- */

static void show_site(struct asked *v)
{
    struct fg_arena *arena = v->look->texts;
    const struct fg_site_row *site = v->site;
    if (!site)
        return;
    const struct fg_crawl_options *all = v->look->place.settings;
    const struct fg_site_rules *rules = &v->rules;
    char ago[FG_AGO_TEXT];
    v->site_shown = FG_NEW(arena, struct site_shown, 1);
    *v->site_shown = (struct site_shown){
        .row = *site,
        .state = fg_site_shown_state(site),
        .scope = fg_scope_name(rules->scope),
        .budget = rules->budget_per_hour > 0 ? rules->budget_per_hour
                                             : all->budget.site_per_hour,
        .least_change =
            rules->least_change > 0 ? rules->least_change : all->documents.least_change,
        .ignore = {rules->ignore.at, rules->ignore.len}};
    v->site_words =
        fg_arena_printf(arena, "%.*s, %s", FG_ARG(site->key), v->site_shown->state);
    v->tags = v->note.tags.len ? v->note.tags : site->tags;
    v->scope = v->site_shown->scope;
    v->budget = v->site_shown->budget > 0
                    ? fg_arena_printf(arena, "%g page requests an hour to its site",
                                      v->site_shown->budget)
                    : FG_STR("no limit of its site's own");
    if (site->backoff_until != FG_NEVER && site->backoff_until > v->look->now)
        v->backoff = fg_arena_printf(arena, "its host is backing off; next request %s",
                                     fg_ago(ago, v->look->now, site->backoff_until));
    v->rules_words = rule_words(v);
}

static void show_noise(struct asked *v)
{
    const struct fg_crawl_options *all = v->look->place.settings;
    struct fg_arena *arena = v->look->texts;
    double least =
        v->rules.least_change > 0 ? v->rules.least_change : all->documents.least_change;
    FG_VEC(struct fg_str) ignored = {0};
    for (size_t i = 0; i < v->rules.ignore.len; i++)
        fg_vec_push_in(arena, &ignored, v->rules.ignore.at[i]);
    for (size_t i = 0; i < all->documents.ignore.len; i++)
        fg_vec_push_in(arena, &ignored,
                       fg_arena_printf(arena, "%.*s, by documents.ignore",
                                       FG_ARG(all->documents.ignore.at[i])));
    v->ignored = (struct fg_texts){ignored.at, ignored.len};
    if (least > 0)
        v->least_change = fg_arena_printf(arena, "%g of the words", least);
    v->value = v->value_rule.len ? v->value_rule : v->rules.value;
}

static void show_page(struct asked *v)
{
    struct fg_arena *arena = v->look->texts;
    const struct fg_page_row *page = &v->page;
    char ago[FG_AGO_TEXT];
    if (!v->has_page)
        return;
    struct fg_str flags = {0}, other = fg_look_alias(v->look, arena, page);
    const char *word;
    for (unsigned i = 0; (word = fg_flag_word(page->flags, i)); i++)
        flags = fg_arena_printf(arena, "%.*s%s%s", FG_ARG(flags), i ? " " : "", word);
    v->found_on = fg_look_url(v->look, arena, page->site, page->found_on);
    v->page_shown = FG_NEW(arena, struct page_shown, 1);
    *v->page_shown = (struct page_shown){.row = *page,
                                         .note = v->note,
                                         .value = v->value_rule,
                                         .found_on = v->found_on,
                                         .alias_of = other};
    v->known = fg_arena_printf(arena, "%s, %u visit%s, %u change%s%s%.*s",
                               fg_ago(ago, v->look->now, page->first_seen), page->visits,
                               page->visits == 1 ? "" : "s", page->changes,
                               page->changes == 1 ? "" : "s", flags.len ? "; " : "",
                               FG_ARG(flags));
    *(page->flags & FG_PAGE_ALIAS ? &v->leads_to : &v->copy_of) = other;
}

static void show(struct asked *v)
{
    struct fg_arena *arena = v->look->texts;
    v->crawled = is_crawled(v);
    v->change_words = (struct fg_texts){v->changes.at, v->changes.len};
    v->settings_words = v->guard ? guard_words(v)
                        : v->guard_by.len
                            ? fg_arena_printf(arena, "allowed by crawl.include: %.*s",
                                              FG_ARG(v->guard_by))
                            : FG_STR("nothing is against it");
    v->robots_words = robots_words(v);
    v->robots.lets_in = v->robots.allows && !v->robots.holds;
    v->robots.fetched = v->site ? v->site->robots_fetched : FG_NEVER;
    v->robots.expires = v->site ? v->site->robots_expires : FG_NEVER;
    bool is_good = v->crawled && strcmp(v->verdict, "if-linked") != 0;
    *(is_good ? &v->crawled_words : &v->not_crawled_words) = v->because;
    if (!v->conduct.refusal && v->conduct.is_reserved)
        v->kept = "though its owner objects: conduct.*";
    show_site(v);
    show_noise(v);
    show_page(v);
    fg_standing_show(&v->standing_shown, &v->standing, v->look);
}

/* --- the view --- */

static enum fg_status find_out(struct asked *v, struct fg_err *err)
{
    enum fg_status st = read_address(v, err);
    if (st)
        return st;
    read_site(v);
    st = read_page(v, err);
    if (!st)
        st = read_standing(v, err);
    if (!st) {
        judge(v);
        st = ask_policy(v, err);
    }
    if (!st)
        st = read_conduct(v, err);
    if (st)
        return st;
    read_robots(v);
    reach_verdict(v);
    return FG_OK;
}

static enum fg_status ask(const void **answer, const struct fg_asking *ask,
                          struct fg_err *err)
{
    struct asked *v = FG_NEW(ask->look->texts, struct asked, 1);
    v->look = ask->look;
    v->given = ask->subject;
    enum fg_status st = find_out(v, err);
    if (!st)
        show(v);
    *answer = v;
    return st;
}

static const struct fg_view_example examples[] = {
    {"'https://news.example/private/x?utm_source=mail#top'",
     "which rule decides, and what the address becomes"},
    {"https://news.example/ --json", "all of it for a script"},
    {0},
};

const struct fg_view fg_view_explain = {
    .name = "explain",
    .subject = "URL",
    .summary =
        "show all that decides about an address: rules, robots.txt, patterns, policy",
    .about =
        "Tells whether an address is, or would be, crawled, and what decides that: its "
        "normal form and what made it so, the settings, the site with its scope, tags, "
        "budget and rules, the stored robots.txt with the rule and its line, what is "
        "noise, what is known of the page, where it leads or what it is a copy of, the "
        "pattern and family of its address and what came of fetching pages of those, "
        "parameters that proved to be without effect, why the page was or was not "
        "reported, why it was or was not fetched, what "
        "the policy thinks of it and when it is visited next. Works for addresses that "
        "nobody has seen, while a crawl runs, and without the network. Patterns are as "
        "the crawl last saved them, minutes ago at most.",
    .settings = "workspace operator.token crawl documents fetch.max-url canonical policy",
    .main_settings = "workspace policy.refresh policy.discovery net.allow-private",
    .examples = examples,
    .answer = FG_RECORD_OF(fields),
    .goes_without_store = true,
    .ask = ask,
};
