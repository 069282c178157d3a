/* why.h - what the crawl thinks of a page, and what it competes with
 *
 *     struct fg_why why = {.look = &look, .page = page, .around = 3};
 *     st = fg_why_ask(&why, err);
 *     fg_why_print(&why);
 *     fg_why_clear(&why);
 *
 * The policy's knowledge is read back from the store, brought up to date with the visits
 * since it was saved, and asked about every page it chooses from. Where a score is drawn
 * at random, as in `thompson`, what is shown is its mean. A page that nobody chooses from
 * gets the reason why. */
#ifndef FG_CLI_WHY_H
#define FG_CLI_WHY_H

#include "cli/looking.h"
#include "policy/mind.h"

struct fg_rival {
    uint64_t id;
    double score;
};

/* What the visits of a page say of its rate, whatever the policy believes. */
struct fg_seen_changes {
    size_t visits, changed; /* that could tell: all answered ones but the first */
    double rate, low, high; /* changes a day: likeliest, and 95 %; INFINITY: no bound */
};

struct fg_why {
    const struct fg_look *look;
    struct fg_page_row page;
    size_t around; /* competitors shown before and behind it */
    bool is_source;
    struct fg_mind *mind; /* NULL: nobody chooses from this page */
    bool is_known;        /* to the policy */
    struct fg_reason reason;
    struct fg_seen_changes seen;  /* of a document */
    size_t rank, rivals;          /* among those of its site, from 1 */
    size_t rank_all, rivals_all;  /* among all */
    double picks;                 /* pages that a tick's budget is good for; 0: all */
    FG_VEC(struct fg_rival) site; /* best first */
    fg_time usual_gap;            /* between two visits lately, or FG_NEVER */
    fg_time expected;             /* the next visit, or FG_NEVER */
    fg_time promise;              /* longest time between two visits, or FG_NEVER */
    const char *promise_by;       /* whose it is */
    struct fg_str leads_to;       /* of an alias; empty if it is not known */
    struct fg_page_row target;    /* and the page there, if its site is not 0 */
    const char *cause;            /* why it is not chosen from: a word, and words */
    struct fg_str words;
};

/* FG_ENOTFOUND if a policy would choose from the page, but none has run yet. */
enum fg_status fg_why_ask(struct fg_why *why, struct fg_err *err);
void fg_why_clear(struct fg_why *why);

/* For people, without its address; and as members of an open object. */
void fg_why_print(struct fg_why *why);
void fg_why_json(struct fg_json *json, struct fg_why *why);

#endif
