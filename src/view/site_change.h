/* site_change.h - what is to be set of a site: tags, scope, budget, noise
 *
 *     struct fg_site_change change;           (filled by FG_SITE_CHANGE_OPTIONS)
 *     struct fg_changed_site changed;
 *     st = fg_site_change_apply(&changed, &look, name, &change, err);
 *     if (changed.is_changed)
 *         ...changed.site as it is to be: fg_changed_site_text for the crawl that runs...
 *
 * The new rules are made from those in the store. */
#ifndef FG_VIEW_SITE_CHANGE_H
#define FG_VIEW_SITE_CHANGE_H

#include "base/opt.h"
#include "crawl/sites/site_rules.h"
#include "view/look.h"

struct fg_site_change {
    struct fg_opt_list tags, untag, prefix, include, exclude, ignore, reset;
    int scope;
    double budget, least_change;
    fg_time at_least;
    struct fg_str value;
};

const char *fg_site_change_refuse_reset(struct fg_str key);
const char *fg_site_change_refuse_noise(struct fg_str rule);
enum fg_status fg_site_change_check_value(struct fg_str rule, struct fg_err *err);
extern const char *const fg_site_change_scopes[];

/* Its options, as a member of another struct. */
#define FG_SITE_CHANGE_OPTIONS(s, m)                                                   \
    {"tag", FG_LIST(s, m.tags), .letter = 't', .arg = "WORD,...",                      \
     .help = "give it these tags, too"},                                               \
        {"untag", FG_LIST(s, m.untag), .arg = "WORD,...",                              \
         .help = "take these tags away"},                                              \
        {"scope", FG_ENUM(s, m.scope, fg_site_change_scopes), "as-is",                 \
         .help = "which pages are its own"},                                           \
        {"prefix", FG_LIST(s, m.prefix), .arg = "URL,...",                             \
         .help = "only pages whose address starts so; implies --scope prefix"},        \
        {"budget", FG_DOUBLE(s, m.budget), .min = 0, .max = 1e9,                       \
         .help = "page requests an hour, instead of crawl.site-budget"},               \
        {"at-least", FG_SPAN(s, m.at_least), .max = 366 * (double)FG_DAY,              \
         .help = "longest time between two visits of its seeds, feeds and documents, " \
                 "instead "                                                            \
                 "of crawl.at-least"},                                                 \
        {"include", FG_LIST(s, m.include), .arg = "GLOB,...",                          \
         .help = "only addresses that match one of these, beside crawl.include"},      \
        {"exclude", FG_LIST(s, m.exclude), .arg = "GLOB,...",                          \
         .help = "no addresses that match one of these, beside crawl.exclude"},        \
        {"value", FG_STRING(s, m.value), .arg = "RULE",                                \
         .check = fg_site_change_check_value,                                          \
         .help = "what of its documents counts, instead of documents.value"},          \
        {"ignore", FG_LIST(s, m.ignore), .arg = "RULE,...",                            \
         .refuse = fg_site_change_refuse_noise,                                        \
         .help = "parts that do not count as changes, beside documents.ignore: "       \
                 "selectors, or "                                                      \
                 "text:GLOB over a line"},                                             \
        {"least-change", FG_DOUBLE(s, m.least_change), .min = 0, .max = 1,             \
         .help = "share of a document's words that must differ, instead of "           \
                 "documents.least-change"},                                            \
    {                                                                                  \
        "reset", FG_LIST(s, m.reset),                                                  \
            .arg = "WHAT,...", .refuse = fg_site_change_refuse_reset,                  \
            .help = "forget what was set: tags, scope, budget, include, exclude, "     \
                    "value, ignore, "                                                  \
                    "least-change, at-least"                                           \
    }

struct fg_changed_site {
    struct fg_site_row site; /* with its new tags and settings; in the look's arena */
    struct fg_site_rules rules;
    bool is_changed;
};
/* The site is named as in fg_look_find_site. */
enum fg_status fg_site_change_apply(struct fg_changed_site *changed, struct fg_look *look,
                                    struct fg_str name,
                                    const struct fg_site_change *change,
                                    struct fg_err *err);
/* For its inbox: FG_INBOX_SITE. */
struct fg_str fg_changed_site_text(struct fg_arena *arena,
                                   const struct fg_changed_site *changed);

#endif
