/* export.h - what the store has, row by row
 *
 * Each kind of row is a view; they share a question. They are no commands of their own:
 * `forage export --what NAME` asks them. */
#ifndef FG_VIEW_EXPORT_H
#define FG_VIEW_EXPORT_H

#include "view/view.h"

struct fg_export_question {
    struct fg_str site, tag, since; /* empty: any */
    /* For who asks part by part: the rows behind the place `after`, empty for the first
     * ones, at most `limit` of them, 0 for all. `next`, if it is not NULL, gets the place
     * of the last one while the rows are walked, and stays empty if there are no more;
     * it lives in the look's arena. A place holds when rows come and go. */
    struct fg_str after;
    size_t limit;
    struct fg_str *next;
};

/* Its options, as a member of another struct. */
#define FG_EXPORT_OPTIONS(s, m)                                                    \
    {"site", FG_STRING(s, m.site), .arg = "SITE",                                  \
     .help = "of this site only: its host name or address"},                       \
        {"tag", FG_STRING(s, m.tag), .letter = 't', .arg = "TAG",                  \
         .help = "only of sites, and of pages, that have this tag"},               \
    {                                                                              \
        "since", FG_STRING(s, m.since),                                            \
            .letter = 's', .arg = "SPAN|DATE",                                     \
            .help = "pages and links first seen, visits, events and changes that " \
                    "happened, values that hold and counts since then"             \
    }

extern const struct fg_view fg_exports[]; /* ends with a NULL name */

#endif
