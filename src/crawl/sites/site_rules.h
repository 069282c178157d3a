/* site_rules.h - what the user has said about one site
 *
 *     struct fg_site_rules rules;
 *     fg_site_rules_read(&rules, arena, row->settings);
 *     if (fg_site_rules_judge(&rules, url, &by) == FG_SITE_OK) ...
 *     row->settings = fg_site_rules_write(arena, &rules);
 *
 * They are kept as JSON in the site's row. Scope says which pages of the site, or of its
 * domain, are its own:
 *
 *     host     all of the site, which is scheme, host and port (the default)
 *     prefix   those whose address starts with one of the prefixes
 *     page     those that were named; links are not followed
 *     domain   all of the site, and other hosts of its registrable domain become sites of
 *              their own with these rules when a page links to them; of a host without
 *              such a domain, its other ports and schemes
 *
 * Include and exclude are globs over whole addresses, as crawl.include and crawl.exclude,
 * and hold beside those. What the user named is fetched in any case. */
#ifndef FG_CRAWL_SITE_RULES_H
#define FG_CRAWL_SITE_RULES_H

#include "base/arena.h"
#include "base/err.h"
#include "base/time.h"
#include "base/vec.h"

#include <stdbool.h>

enum fg_scope {
    FG_SCOPE_UNSET,
    FG_SCOPE_HOST,
    FG_SCOPE_PREFIX,
    FG_SCOPE_PAGE,
    FG_SCOPE_DOMAIN
};
const char *fg_scope_name(enum fg_scope scope);
/* False if it is none of the four. */
bool fg_scope_parse(struct fg_str name, enum fg_scope *scope);

struct fg_rule_list {
    struct fg_str *at;
    size_t len, capacity;
};

struct fg_site_rules {
    double budget_per_hour; /* page requests; 0: as crawl.site-budget says */
    enum fg_scope scope;    /* FG_SCOPE_UNSET: host */
    struct fg_rule_list prefixes, include, exclude;
    struct fg_str value; /* what of its documents counts; empty: as documents.value */
    fg_time value_since; /* values read before were read by another rule; 0: none was */
    struct fg_rule_list ignore; /* noise (net/html/noise.h), beside documents.ignore */
    double least_change;        /* 0: as documents.least-change */
    fg_time ignore_since;
    fg_time at_least; /* its seeds, feeds and documents are visited so often; 0: as
                         crawl.at-least says */
    bool is_paused, is_removed, is_forgotten; /* control.h */
    fg_time resumed;                          /* 0: it never was */
    bool is_by_feed; /* nobody named it: entries of a feed lie there */
};

/* Never fails: what makes no sense says nothing. Texts live in the arena. */
void fg_site_rules_read(struct fg_site_rules *rules, struct fg_arena *arena,
                        struct fg_str json);
/* Empty if nothing is said. */
struct fg_str fg_site_rules_write(struct fg_arena *arena,
                                  const struct fg_site_rules *rules);

enum fg_site_verdict {
    FG_SITE_OK,
    FG_SITE_PAGE_ONLY, /* links are not followed */
    FG_SITE_OUTSIDE,   /* under none of the prefixes */
    FG_SITE_NOT_INCLUDED,
    FG_SITE_EXCLUDED,
};
const char *fg_site_verdict_name(enum fg_site_verdict verdict);
/* May a page that somebody links to be fetched? `by` is the pattern that decided, empty
 * if none did; it may be NULL. */
enum fg_site_verdict fg_site_rules_judge(const struct fg_site_rules *rules,
                                         struct fg_str url, struct fg_str *by);

/* "https://example.org/a/" of "https://example.org/a/b?c": what scope=prefix makes of a
 * seed. A view. */
struct fg_str fg_scope_prefix(struct fg_str url);
/* Are two hosts, as keys of sites, one domain? */
bool fg_scope_same_domain(struct fg_arena *arena, struct fg_str a, struct fg_str b);

/* Add to a list what it lacks. */
void fg_rule_list_add(struct fg_arena *arena, struct fg_rule_list *list,
                      struct fg_str rule);

#endif
