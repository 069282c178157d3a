/* cmd_explain.c - forage explain: all that decides about one address, in one answer
 *
 * The address is taken through the same steps as a link that a crawl finds: its normal
 * form, the settings, the site and its rules, the stored robots.txt; then what is known
 * of the page and of addresses like this one, and what the policy thinks of it. Nothing
 * is fetched. What a site has learnt of its addresses is in the store as it was when the
 * crawl last saved it. */
#include "cli/standing.h"
#include "cli/why.h"
#include "crawl/conduct.h"
#include "crawl/control.h"
#include "crawl/cut.h"
#include "crawl/guard.h"
#include "crawl/site_rules.h"
#include "net/canonical.h"
#include "net/robots.h"
#include "net/rules.h"
#include "net/url.h"

#include <unistd.h>

struct options {
    bool json;
};

static const struct fg_opt options[] = {
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

struct robots_answer {
    bool is_known, allows, holds;
    struct fg_rule by;
    unsigned line;
};

struct view {
    struct fg_cli *cli;
    bool has_look; /* there is a store */
    struct fg_look look;
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
    struct fg_why why;
    const char *why_not; /* asked in vain, or NULL */
    const char *verdict; /* a word */
    struct fg_str because;
};

/* --- the address --- */

static void note_change(struct view *v, struct fg_str words)
{
    fg_vec_push_in(v->cli->arena, &v->changes, words);
}

static void compare_query(struct view *v)
{
    struct fg_str query = fg_str_skip(fg_url_search(&v->url), 1), part;
    struct fg_arena *arena = v->cli->arena;
    struct fg_str left = {0};
    while (query.len && fg_str_cut(&query, '&', &part)) {
        size_t equals = fg_str_chr(part, '=');
        struct fg_str name = fg_str_sub(part, 0, equals);
        struct fg_str value =
            equals == FG_NOT_FOUND ? FG_STR("") : fg_str_skip(part, equals + 1);
        bool tracks = !(v->look.keep & FG_CANONICAL_KEEP_TRACKING) &&
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

static void compare(struct view *v, struct fg_str given)
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

static enum fg_status read_address(struct view *v, struct fg_err *err)
{
    struct fg_str given = fg_str_from(v->cli->words[0]);
    enum fg_status st = fg_cli_url(v->cli, given, &v->url, err);
    if (st)
        return st;
    if (!fg_url_is_http(&v->url))
        return fg_fail(err, FG_ECONFIG, "'%.*s' is not an http or https address",
                       FG_ARG(fg_str_sub(given, 0, 200)));
    v->canonical = fg_canonical_from(v->cli->arena, &v->url, v->look.keep);
    compare(v, given);
    return FG_OK;
}

/* --- the rules --- */

static void read_site(struct view *v)
{
    fg_site_id id = 0;
    struct fg_str key = fg_canonical_site(v->canonical);
    for (size_t i = 0; v->has_look && i < v->look.n_sites; i++) {
        const struct fg_site_row *site = &v->look.sites[i];
        bool is_host = strcmp(fg_site_state_name(site->state), "host") == 0;
        struct fg_site_rules rules;
        if (fg_str_eq(site->key, key)) {
            id = site->site;
            v->is_watched = !is_host;
        } else if (!is_host && site->key.len) {
            fg_site_rules_read(&rules, v->cli->arena, site->settings);
            v->is_of_domain |= rules.scope == FG_SCOPE_DOMAIN &&
                               fg_scope_same_domain(v->cli->arena, site->key, key);
        }
    }
    v->site = id ? fg_look_site(&v->look, id) : NULL;
    if (v->site)
        fg_site_rules_read(&v->rules, v->cli->arena, v->site->settings);
}

static struct fg_str match(const struct fg_str *globs, size_t n, struct fg_str url)
{
    for (size_t i = 0; i < n; i++)
        if (fg_glob_matches(globs[i], url))
            return globs[i];
    return (struct fg_str){0};
}

static void judge(struct view *v)
{
    const struct fg_guard_rules *rules = &v->cli->settings.crawl.guard;
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

static void read_robots(struct view *v)
{
    const struct fg_site_row *site = v->site;
    struct robots_answer *robots = &v->robots;
    struct fg_str names = v->cli->settings.crawl.robots_token;
    robots->allows = true;
    robots->is_known = site && site->robots_fetched != FG_NEVER;
    robots->holds = site && fg_site_is_held(site);
    if (!robots->is_known || !site->robots.len)
        return;
    const struct fg_robots *parsed = fg_robots_parse(v->cli->arena, site->robots, names);
    robots->allows = fg_robots_explain(&robots->by, v->cli->arena, parsed,
                                       fg_robots_path(v->canonical));
    robots->line = fg_robots_rule_line(site->robots, names, &robots->by);
}

/* What its owner says about keeping it. */
static enum fg_status read_conduct(struct view *v, struct fg_err *err)
{
    struct fg_page_row page = {.url = v->canonical};
    if (!v->site)
        return FG_OK;
    return fg_conduct_recall(&v->conduct, v->cli->arena, v->look.store,
                             &v->cli->settings.crawl.conduct,
                             v->cli->settings.crawl.robots_token, v->site,
                             v->has_page ? &v->page : &page, err);
}

/* --- the page, and the policy --- */

static enum fg_status read_page(struct view *v, struct fg_err *err)
{
    struct fg_value_row value;
    struct fg_arena *arena = v->cli->arena;
    if (!v->site)
        return FG_OK;
    enum fg_status st =
        fg_store_page_by_fingerprint(v->look.store, &v->page, arena, v->site->site,
                                     fg_canonical_fingerprint(v->canonical), err);
    v->has_page = !st;
    if (st)
        return st == FG_ENOTFOUND ? FG_OK : st;
    fg_store_note(v->look.store, &v->note, arena, v->page.site, v->page.page, NULL);
    if (!fg_store_value(v->look.store, &value, arena, v->page.site, v->page.page, NULL))
        v->value_rule = value.rule;
    return FG_OK;
}

/* A crawl takes parameters without effect off a link before it looks whether the page is
 * known. One that was known before they were learnt keeps its address. */
static enum fg_status read_standing(struct view *v, struct fg_err *err)
{
    struct fg_standing *standing = &v->standing;
    enum fg_status st = FG_OK;
    fg_standing_read(standing, &v->look, v->site, v->canonical, NULL);
    if (!v->has_page && standing->dropped.len) {
        v->canonical = standing->reduced;
        st = read_page(v, err);
    }
    if (v->has_page) {
        struct fg_standing there;
        fg_standing_read(&there, &v->look, v->site, v->page.url, &v->page);
        there.dropped = standing->dropped;
        *standing = there;
    }
    return st;
}

static enum fg_status ask_policy(struct view *v, struct fg_err *err)
{
    if (!v->has_page)
        return FG_OK;
    v->why = (struct fg_why){.look = &v->look, .page = v->page, .around = 1};
    enum fg_status st = fg_why_ask(&v->why, err);
    if (st == FG_ENOTFOUND)
        v->why_not = "no policy has run on this workspace yet";
    return st == FG_ENOTFOUND ? FG_OK : st;
}

/* --- the verdict --- */

static void decide(struct view *v, const char *verdict, struct fg_str because)
{
    v->verdict = verdict;
    v->because = because;
}

static struct fg_str guard_words(const struct view *v)
{
    struct fg_arena *arena = v->cli->arena;
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

static struct fg_str rule_words(const struct view *v)
{
    struct fg_arena *arena = v->cli->arena;
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
static struct fg_str robots_words(const struct view *v)
{
    struct fg_arena *arena = v->cli->arena;
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

static void decide_by_robots(struct view *v, const char *verdict)
{
    decide(v, verdict,
           fg_arena_printf(v->cli->arena, "robots.txt %.*s", FG_ARG(robots_words(v))));
}

static bool take_cut(void *context, const struct fg_site_summary *site)
{
    struct view *v = context;
    if (site->site == v->site->site)
        v->n_cut = site->cut;
    return true;
}

/* A link that was left out may lead to it. */
static struct fg_str unlinked_words(struct view *v)
{
    fg_store_summaries(v->look.store, v->look.now, v->look.now, take_cut, v, NULL);
    if (!v->n_cut)
        return FG_STR(
            "no page that was read links to it yet; it is crawled when one does");
    return fg_arena_printf(v->cli->arena,
                           "no link that was looked at leads to it; of %llu page%s links "
                           "were left out, for there were more than %d or they were "
                           "longer than fetch.max-url ('forage export --what pages' has "
                           "the flag 'cut')",
                           (unsigned long long)v->n_cut, v->n_cut == 1 ? "" : "s",
                           FG_LINKS_MOST);
}

static struct fg_str fetched_words(const struct view *v)
{
    struct fg_cut cut;
    if (!(v->page.flags & FG_PAGE_CUT) ||
        !fg_cut_read(&cut, v->look.store, v->page.site, v->page.page))
        return FG_STR(
            "it was fetched once; only sources and documents are visited again");
    return fg_arena_printf(
        v->cli->arena,
        "it was fetched once; only sources and documents are visited again; links of it "
        "are left out: %.*s",
        FG_ARG(fg_cut_words(v->cli->arena, cut)));
}

/* Then a link to it is neither news nor worth a fetch. */
static bool is_action(const struct view *v)
{
    static const float sure = 0.8F; /* as crawl/result.c has it */
    const struct fg_kind_verdict *kind = &v->standing.kind;
    return kind->kind == FG_KIND_ACTION && kind->certainty >= sure &&
           !v->cli->settings.crawl.backfill;
}

/* The first that decides, in the order in which a crawl asks. */
static void reach_verdict(struct view *v)
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
                   v->cli->arena,
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

static bool is_crawled(const struct view *v)
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

/* --- for people --- */

static void field(struct view *v, const char *name, struct fg_str value)
{
    fg_out_printf(&v->cli->out, "%-14s ", name);
    fg_out_text(&v->cli->out, value);
    fg_out_puts(&v->cli->out, "\n");
}

static void standing_field(void *context, const char *name, struct fg_str value)
{
    field(context, name, value);
}

static void print_site(struct view *v)
{
    struct fg_arena *arena = v->cli->arena;
    const struct fg_site_row *site = v->site;
    if (!site)
        return;
    const struct fg_crawl_options *all = &v->cli->settings.crawl;
    struct fg_str tags = v->note.tags.len ? v->note.tags : site->tags;
    double budget = v->rules.budget_per_hour > 0 ? v->rules.budget_per_hour
                                                 : all->site_budget_per_hour;
    char ago[FG_AGO_TEXT];
    field(
        v, "site",
        fg_arena_printf(arena, "%.*s, %s", FG_ARG(site->key), fg_site_shown_state(site)));
    if (tags.len)
        field(v, "tags", tags);
    field(v, "scope", fg_str_from(fg_scope_name(v->rules.scope)));
    field(v, "budget",
          budget > 0
              ? fg_arena_printf(arena, "%g page requests an hour to its site", budget)
              : FG_STR("no limit of its site's own"));
    if (site->backoff_until != FG_NEVER && site->backoff_until > v->look.now)
        field(v, "back-off",
              fg_arena_printf(arena, "its host is backing off; next request %s",
                              fg_ago(ago, v->look.now, site->backoff_until)));
}

static void print_noise(struct view *v)
{
    const struct fg_opt_list *all = &v->cli->settings.crawl.ignore;
    struct fg_arena *arena = v->cli->arena;
    double least = v->rules.least_change > 0 ? v->rules.least_change
                                             : v->cli->settings.crawl.least_change;
    for (size_t i = 0; i < v->rules.ignore.len; i++)
        field(v, "ignored", v->rules.ignore.at[i]);
    for (size_t i = 0; i < all->len; i++)
        field(v, "ignored",
              fg_arena_printf(arena, "%.*s, by documents.ignore", FG_ARG(all->at[i])));
    if (least > 0)
        field(v, "least change", fg_arena_printf(arena, "%g of the words", least));
    if (v->value_rule.len)
        field(v, "value", v->value_rule);
    else if (v->rules.value.len)
        field(v, "value", v->rules.value);
}

static void print_page(struct view *v)
{
    struct fg_arena *arena = v->cli->arena;
    char a[FG_AGO_TEXT];
    if (!v->has_page)
        return;
    struct fg_str flags = {0}, other = fg_look_alias(&v->look, arena, &v->page);
    const char *word;
    for (unsigned i = 0; (word = fg_flag_word(v->page.flags, i)); i++)
        flags = fg_arena_printf(arena, "%.*s%s%s", FG_ARG(flags), i ? " " : "", word);
    field(v, "known",
          fg_arena_printf(arena, "%s, %u visit%s, %u change%s%s%.*s",
                          fg_ago(a, v->look.now, v->page.first_seen), v->page.visits,
                          v->page.visits == 1 ? "" : "s", v->page.changes,
                          v->page.changes == 1 ? "" : "s", flags.len ? "; " : "",
                          FG_ARG(flags)));
    if (v->note.name.len)
        field(v, "called", v->note.name);
    if (v->note.meta.len)
        field(v, "noted", v->note.meta);
    if (v->page.found_on)
        field(v, "found on",
              fg_look_url(&v->look, arena, v->page.site, v->page.found_on));
    if (other.len)
        field(v, v->page.flags & FG_PAGE_ALIAS ? "leads to" : "copy of", other);
}

static void print_text(struct view *v)
{
    struct fg_out *out = &v->cli->out;
    fg_out_text(out, fg_str_from(v->cli->words[0]));
    fg_out_puts(out, "\n");
    bool is_linked = strcmp(v->verdict, "if-linked") != 0;
    field(v, is_crawled(v) && is_linked ? "crawled" : "not crawled", v->because);
    field(v, "normalised", v->canonical);
    for (size_t i = 0; i < v->changes.len; i++)
        field(v, "", v->changes.at[i]);
    print_site(v);
    field(v, "settings",
          v->guard          ? guard_words(v)
          : v->guard_by.len ? fg_arena_printf(v->cli->arena,
                                              "allowed by crawl.include: "
                                              "%.*s",
                                              FG_ARG(v->guard_by))
                            : FG_STR("nothing is against it"));
    if (v->site)
        field(v, "rules", rule_words(v));
    field(v, "robots.txt", robots_words(v));
    if (v->conduct.refusal)
        field(v, "not kept", fg_str_from(v->conduct.refusal));
    else if (v->conduct.is_reserved)
        field(v, "kept", FG_STR("though its owner objects: conduct.*"));
    print_noise(v);
    print_page(v);
    fg_standing_print(&v->standing, &v->look, standing_field, v);
    if (v->why_not)
        field(v, "policy", fg_str_from(v->why_not));
    else if (v->has_page)
        fg_why_print(&v->why);
}

/* --- for programs --- */

static void json_list(struct fg_json *json, const char *key, const struct fg_str *texts,
                      size_t n)
{
    fg_json_key(json, key);
    fg_json_array(json);
    for (size_t i = 0; i < n; i++)
        fg_json_str(json, texts[i]);
    fg_json_end(json);
}

static void json_site(struct fg_json *json, const struct view *v)
{
    const struct fg_site_row *site = v->site;
    fg_json_key(json, "site");
    if (!site) {
        fg_json_null(json);
        return;
    }
    fg_json_object(json);
    fg_json_pair(json, "key", site->key);
    fg_json_pair_cstr(json, "state", fg_site_shown_state(site));
    fg_json_pair(json, "tags", site->tags);
    fg_json_pair_cstr(json, "scope", fg_scope_name(v->rules.scope));
    fg_json_pair_double(json, "budget",
                        v->rules.budget_per_hour > 0
                            ? v->rules.budget_per_hour
                            : v->cli->settings.crawl.site_budget_per_hour);
    json_list(json, "ignore", v->rules.ignore.at, v->rules.ignore.len);
    fg_json_pair_double(json, "least_change",
                        v->rules.least_change > 0 ? v->rules.least_change
                                                  : v->cli->settings.crawl.least_change);
    fg_json_pair_time(json, "backoff_until", site->backoff_until);
    fg_json_end(json);
}

static void json_robots(struct fg_json *json, const struct view *v)
{
    const struct robots_answer *robots = &v->robots;
    fg_json_key(json, "robots");
    fg_json_object(json);
    fg_json_pair_bool(json, "known", robots->is_known);
    fg_json_pair_bool(json, "allows", robots->allows && !robots->holds);
    fg_json_pair_bool(json, "holds", robots->holds);
    fg_json_pair(json, "rule", robots->by.pattern);
    fg_json_pair_uint(json, "line", robots->line);
    fg_json_pair_time(json, "fetched", v->site ? v->site->robots_fetched : FG_NEVER);
    fg_json_pair_time(json, "expires", v->site ? v->site->robots_expires : FG_NEVER);
    fg_json_end(json);
}

static void json_page(struct fg_json *json, struct view *v)
{
    struct fg_arena *arena = v->cli->arena;
    fg_json_key(json, "page");
    if (!v->has_page) {
        fg_json_null(json);
        return;
    }
    fg_json_object(json);
    fg_json_pair_flags(json, "flags", v->page.flags);
    fg_json_pair_time(json, "first_seen", v->page.first_seen);
    fg_json_pair_time(json, "last_visit", v->page.last_visit);
    fg_json_pair_uint(json, "visits", v->page.visits);
    fg_json_pair_uint(json, "changes", v->page.changes);
    fg_json_pair(json, "name", v->note.name);
    fg_json_pair(json, "tags", v->note.tags);
    fg_json_pair(json, "meta", v->note.meta);
    fg_json_pair(json, "value", v->value_rule);
    fg_json_pair(json, "found_on",
                 fg_look_url(&v->look, arena, v->page.site, v->page.found_on));
    fg_json_pair(json, "alias_of", fg_look_alias(&v->look, arena, &v->page));
    fg_json_end(json);
}

static void print_json(struct view *v)
{
    struct fg_json json = fg_json_to(&v->cli->out.buf);
    fg_json_object(&json);
    fg_json_pair_cstr(&json, "url", v->cli->words[0]);
    fg_json_pair(&json, "normalised", v->canonical);
    json_list(&json, "changes", v->changes.at, v->changes.len);
    fg_json_pair_bool(&json, "crawled", is_crawled(v));
    fg_json_pair_cstr(&json, "verdict", v->verdict);
    fg_json_pair(&json, "because", v->because);
    fg_json_pair_cstr(&json, "settings", fg_guard_verdict_name(v->guard));
    fg_json_pair(&json, "settings_by", v->guard_by);
    fg_json_pair_cstr(&json, "rules", fg_site_verdict_name(v->ruled));
    fg_json_pair(&json, "rules_by", v->ruled_by);
    json_site(&json, v);
    json_robots(&json, v);
    fg_json_pair_bool(&json, "reserved", v->conduct.is_reserved);
    fg_json_pair_cstr(&json, "not_kept", v->conduct.refusal);
    json_page(&json, v);
    fg_standing_json(&json, &v->standing);
    fg_json_key(&json, "why");
    if (v->has_page && !v->why_not) {
        fg_json_object(&json);
        fg_why_json(&json, &v->why);
        fg_json_end(&json);
    } else {
        fg_json_null(&json);
    }
    fg_json_end(&json);
    fg_out_puts(&v->cli->out, "\n");
}

/* --- the command --- */

static enum fg_status answer(struct view *v, struct fg_err *err)
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
    if (st)
        return st;
    st = read_conduct(v, err);
    if (st)
        return st;
    read_robots(v);
    reach_verdict(v);
    const struct options *o = v->cli->options;
    if (o->json)
        print_json(v);
    else
        print_text(v);
    return FG_OK;
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    struct view v = {.cli = cli, .look = {.cli = cli}};
    enum fg_status st = FG_OK;
    v.has_look = fg_store_exists(fg_cli_store_path(cli));
    if (v.has_look)
        st = fg_look_open(&v.look, cli, err);
    else
        v.look.keep = cli->settings.crawl.keep;
    if (!st)
        st = answer(&v, err);
    fg_why_clear(&v.why);
    if (v.has_look)
        fg_look_close(&v.look);
    return st;
}

static const struct fg_example examples[] = {
    {"forage explain 'https://news.example/private/x?utm_source=mail#top'",
     "which rule decides, and what the address becomes"},
    {"forage explain https://news.example/ --json", "all of it for a script"},
    {0},
};

const struct fg_command fg_cmd_explain = {
    .name = "explain",
    .words = "URL",
    .summary =
        "show all that decides about an address: rules, robots.txt, patterns, policy",
    .about =
        "Tells whether an address is, or would be, crawled, and what decides that: its "
        "normal form and what made it so, the settings, the site with its scope, tags, "
        "budget and rules, the stored robots.txt with the rule and its line, what is "
        "noise, what is known of the page, where it leads or what it is a copy of, the "
        "pattern of its address and what came of fetching pages of that pattern, "
        "parameters that proved to be without effect, why the page was or was not "
        "reported, why it was or was not fetched, what "
        "the policy thinks of it and when it is visited next. Works for addresses that "
        "nobody has seen, while a crawl runs, and without the network. Patterns are as "
        "the crawl last saved them, minutes ago at most.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace operator.token crawl documents fetch.max-url canonical policy",
    .main_settings = "workspace policy.refresh policy.discovery net.allow-private",
    .examples = examples,
    .only_looks = true,
    .run = run,
};
