/* site.h - what holds for one site: see view/view.h for how it is asked */
#ifndef FG_VIEW_SITE_H
#define FG_VIEW_SITE_H

#include "crawl/sites/site_rules.h"
#include "view/view.h"

extern const struct fg_view fg_view_site;

/* Who tells of changes of a site. */
struct fg_signal_row {
    const char *kind, *state;
    struct fg_str page, hub;
    double told, proved, missed, share;
    uint64_t pushes;
    fg_time rest, until;
};

/* The answer for a site as it is in the store, or as it shall be. */
struct fg_site_answer {
    struct fg_str site, tags, tags_words, value;
    const char *state, *scope;
    double budget, least_change;
    fg_time at_least;
    struct fg_texts prefixes, include, exclude, ignore;
    struct fg_rows signals; /* who tells of its changes, and how honestly */
    struct fg_str budget_words, at_least_words, value_words, least_change_words;
    /* For a command that has set something: */
    bool is_changed, is_handed_over;
    struct fg_str note;
};
void fg_site_answer_fill(struct fg_site_answer *answer, const struct fg_look *look,
                         const struct fg_site_row *site,
                         const struct fg_site_rules *rules);

#endif
