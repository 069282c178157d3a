/* why.h - what the crawl thinks of a page, and what it competes with
 *
 *     const struct fg_why *why;
 *     st = fg_why_read(&why, look, &page, 3, err);
 *     ...render it with fg_why_fields...
 *
 * The policy's knowledge is read back from the store, brought up to date with the visits
 * since it was saved, and asked about every page it chooses from. Where a score is drawn
 * at random, as in `thompson`, what is shown is its mean. A page that nobody chooses from
 * gets the reason why. */
#ifndef FG_VIEW_WHY_H
#define FG_VIEW_WHY_H

#include "view/field.h"
#include "view/look.h"

struct fg_why {
    struct fg_page_row page;
    const char *is, *is_words;
    struct fg_str promise_words, last_visit;
    fg_time promise;   /* longest time between two visits, or FG_NEVER */
    const char *cause; /* why it is not chosen from: a word, and words */
    struct fg_str words;
    struct fg_str leads_to;    /* of an alias; empty if it is not known */
    struct fg_page_row target; /* and the page there, if its site is not 0 */
    const void *policy;        /* what it thinks; NULL: nobody chooses from this page */
};
extern const struct fg_field fg_why_fields[];

/* It lives in the look's arena; `around`: competitors shown before and behind it.
 * FG_ENOTFOUND if a policy would choose from the page, but none has run yet. */
enum fg_status fg_why_read(const struct fg_why **why, const struct fg_look *look,
                           const struct fg_page_row *page, size_t around,
                           struct fg_err *err);

#endif
