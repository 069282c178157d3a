/* What the user has said about sites, at work: which links are theirs, what they may
 * cost, and what of their pages is noise. Rules are never changed in place: pages that
 * are read on the other core still use the old ones. */
#include "crawl/documents/documents.h"
#include "crawl/intake/seeds.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/newness.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"

#include "base/log.h"

/* --- noise --- */

static const struct fg_noise *noise_from(struct fg_crawl *crawl,
                                         const struct fg_str *rules, size_t n,
                                         double least_change, const struct fg_noise *also)
{
    if (!n && least_change <= 0)
        return also;
    struct fg_noise *noise = FG_NEW(&crawl->arena, struct fg_noise, 1);
    noise->also = also;
    noise->least_change = least_change;
    for (size_t i = 0; i < n; i++) {
        struct fg_err err = {0};
        if (fg_noise_add(noise, &crawl->arena, rules[i], &err))
            fg_log_warn("crawl", "a rule of noise makes no sense", FG_F("rule", rules[i]),
                        FG_F("why", err.text));
    }
    return noise;
}

static void set_site_noise(struct fg_crawl *crawl, struct site *site)
{
    const struct fg_site_rules *rules = site->rules;
    site->noise = rules ? noise_from(crawl, rules->ignore.at, rules->ignore.len,
                                     rules->least_change, crawl->documents.noise)
                        : crawl->documents.noise;
}

/* One text for all of it, to tell whether another run had the same. */
static struct fg_str noise_text(struct fg_arena *arena,
                                const struct fg_crawl_options *options)
{
    struct fg_str text = fg_arena_printf(arena, "%g", options->documents.least_change);
    for (size_t i = 0; i < options->documents.ignore.len; i++)
        text = fg_arena_printf(arena, "%.*s\n%.*s", FG_ARG(text),
                               FG_ARG(options->documents.ignore.at[i]));
    return text;
}

void crawl_set_noise(struct fg_crawl *crawl, const struct fg_crawl_options *options)
{
    struct fg_arena arena = {0};
    crawl->documents.noise =
        noise_from(crawl, options->documents.ignore.at, options->documents.ignore.len,
                   options->documents.least_change, NULL);
    for (size_t i = 0; i < crawl->sites.all.len; i++)
        set_site_noise(crawl, crawl->sites.all.at[i]);
    crawl->documents.noise_since =
        crawl_note_rule(crawl, "crawl:noise", noise_text(&arena, options));
    fg_arena_clear(&arena);
}

/* --- the rules of a site --- */

void site_recall_settings(struct fg_crawl *crawl, struct site *site, struct fg_str json)
{
    struct fg_site_rules *rules = FG_NEW(&crawl->arena, struct fg_site_rules, 1);
    fg_site_rules_read(rules, &crawl->arena, json);
    site->settings = fg_arena_dup(&crawl->arena, json);
    site->rules = json.len ? rules : NULL;
    site->value_rule =
        rules->value.len ? document_keep_rule(crawl, rules->value, NULL) : NULL;
    set_site_noise(crawl, site);
}

/* What was admitted before and is none of its site's any more. */
static void put_away(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    const struct site *site = crawl_site_of(crawl, row);
    bool is_admitted = page->flags & (FG_PAGE_SOURCE | FG_PAGE_DOCUMENT);
    if (!site->rules || !is_admitted || page->flags & FG_PAGE_SEED ||
        site_allows(site, fg_known_url(&crawl->known, row)))
        return;
    source_retire(crawl, batch, row);
    document_retire(crawl, batch, row);
}

void crawl_set_site_rules(struct fg_crawl *crawl, struct fg_batch *batch,
                          struct site *site, struct fg_str tags, struct fg_str json)
{
    site_recall_settings(crawl, site, json);
    crawl_promises_changed(crawl);
    site->tags = fg_arena_cstr(&crawl->arena, tags);
    crawl_put_site(batch, site);
    for (uint32_t row = 0; row < crawl->known.len; row++)
        if (crawl->known.at[row].site == site->id)
            put_away(crawl, batch, row);
}

void crawl_apply_site_rules(struct fg_crawl *crawl)
{
    struct fg_batch *batch = fg_batch_new(crawl->store);
    for (uint32_t row = 0; row < crawl->known.len; row++)
        put_away(crawl, batch, row);
    fg_store_submit(crawl->store, batch);
}

/* The ceiling that is there by default is for watching: who crawls once, or wants no
 * limit at all, is held back by politeness alone. */
static double usual_budget(const struct fg_crawl_options *options)
{
    bool is_default = options->budget.site_per_hour == FG_SITE_BUDGET;
    bool is_unlimited = options->run.once || options->budget.per_hour <= 0;
    return is_default && is_unlimited ? 0 : options->budget.site_per_hour;
}

double site_budget(const struct fg_crawl *crawl, const struct site *site)
{
    return site->rules && site->rules->budget_per_hour > 0
               ? site->rules->budget_per_hour
               : usual_budget(&crawl->options);
}

/* --- seeds --- */

static bool promises_for_site(const struct fg_seed *seed)
{
    return seed->at_least > 0 && !seed->is_document && !seed->is_source;
}

bool fg_seed_sets_rules(const struct fg_seed *seed)
{
    return (seed->value.len && !seed->is_document) || seed->budget > 0 || seed->scope ||
           promises_for_site(seed);
}

struct fg_str fg_seed_rules(struct fg_arena *arena, struct fg_str settings,
                            struct fg_str url, const struct fg_seed *seed, fg_time now)
{
    struct fg_site_rules rules;
    fg_site_rules_read(&rules, arena, settings);
    if (seed->value.len && !seed->is_document && !fg_str_eq(seed->value, rules.value)) {
        rules.value = seed->value;
        rules.value_since = now;
    }
    if (seed->budget > 0)
        rules.budget_per_hour = seed->budget;
    if (promises_for_site(seed))
        rules.at_least = seed->at_least;
    if (seed->scope)
        rules.scope = seed->scope;
    if (seed->scope == FG_SCOPE_PREFIX)
        fg_rule_list_add(arena, &rules.prefixes, fg_scope_prefix(url));
    return fg_site_rules_write(arena, &rules);
}
