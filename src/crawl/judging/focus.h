/* focus.h - which pages a focused crawl is after
 *
 *     struct fg_focus *focus = fg_focus_new(&rules, &classifier);   (NULL: all pages)
 *     struct fg_verdict v = fg_focus_link(focus, url, words);
 *     if (v.is_relevant && v.is_final) ...
 *     v = fg_focus_page(focus, &looks);
 *
 * Up to three tests, and a page must pass those that are set: its address matches one of
 * the patterns; its words hold one of those asked for and none of those refused; the
 * classifier that was trained from the user's labels gives it at least the threshold.
 *
 * A link is judged by its address and its own words. That is final only if the patterns
 * refuse the address, or if there is nothing but patterns; otherwise it is a guess that
 * the page itself may prove wrong. What the crawl does with a guess is the user's choice
 * (focus.when) and is done in relevance.c. docs/focus.md has the whole story. */
#ifndef FG_CRAWL_FOCUS_H
#define FG_CRAWL_FOCUS_H

#include "base/opt.h"
#include "base/str.h"
#include "crawl/judging/features.h"
#include "learn/linear.h"

#include <stdbool.h>

enum fg_focus_when {
    FG_FOCUS_SEEN,    /* the link decides */
    FG_FOCUS_FETCHED, /* the page decides */
};

struct fg_focus_rules {
    struct fg_opt_list include; /* globs over the whole address */
    struct fg_opt_list words;   /* words, or phrases of up to eight; one must be there */
    struct fg_opt_list without; /* likewise; none may be there */
    double threshold;           /* of the classifier; 0: it is not asked */
    int when;                   /* enum fg_focus_when */
};

/* The rows of the above, for the settings. */
extern const struct fg_opt fg_focus_opts[];

struct fg_focus;

/* The classifier is taken over, trained or not. NULL if no test is set: then the crawl is
 * not focused. */
struct fg_focus *fg_focus_new(const struct fg_focus_rules *rules,
                              struct fg_linear *classifier);
void fg_focus_free(struct fg_focus *focus);

struct fg_verdict {
    bool is_relevant;
    bool is_final;     /* the page's content cannot change it */
    float probability; /* by the classifier; negative if it was not asked */
};

struct fg_verdict fg_focus_link(struct fg_focus *focus, struct fg_str url,
                                struct fg_str words);
struct fg_verdict fg_focus_page(struct fg_focus *focus, const struct fg_looks *looks);

/* Could a page at this address be relevant, whatever it says? */
bool fg_focus_admits(const struct fg_focus *focus, struct fg_str url);

#endif
