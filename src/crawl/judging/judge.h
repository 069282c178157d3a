/* judge.h - what follows from what is known of a page and what was read of it
 *
 *     struct fg_judgement judgement;
 *     fg_judge(&judgement, &(struct fg_candidate){.flags = ..., .pattern = ...},
 * reading); if (judgement.is_told) ...report it...
 *
 * Pure: nothing is asked and nothing is changed. judging.c gathers what is known, and
 * carries out what follows. */
#ifndef FG_CRAWL_JUDGE_H
#define FG_CRAWL_JUDGE_H

#include "crawl/reading/reading.h"
#include "crawl/sources/newness.h"
#include "crawl/sources/pattern.h"

/* What was dealt with, or is none to be told of by its nature: flags of pages. */
extern const uint32_t fg_judge_settled;

/* Why a page that was taken to be new is not told of. */
enum not_told {
    NOT_OLD,      /* dated before the watch */
    NOT_UNPROVEN, /* nothing shows that it is new */
    NOT_COPY,
    NOT_NOINDEX,
    NOT_LIST,
    NOT_ACTION,
    NOT_ERROR, /* an error page, or it could not be had */
    NOT_EMPTY,
    NOT_IRRELEVANT, /* in a focused crawl */
    NOT_TOLD
};

/* What is known of a page before it is judged. */
struct fg_candidate {
    uint32_t flags;     /* of the page */
    fg_time since, now; /* its site is watched since */
    const struct fg_pattern *pattern;
    uint32_t dated, undated_told; /* pages of its site, as site->judging has them */
    unsigned report_kinds;        /* enum fg_report: what the user wants */
    bool is_in_feed;
    bool is_vouched; /* a feed says when it was published, since the watch began */
    bool is_moved;   /* what the feed named leads to it */
    bool is_copy, is_copy_of_wall; /* of a page that is none to tell of itself */
    bool is_continuation; /* its address goes on another, as that of a list does */
    bool is_archive;      /* of a day, say, whose entries are told as parts of it */
    bool is_further;    /* the page whose address it goes on is known, or a view of one */
    bool has_old_title; /* that of a page of the stock, of the same program */
    bool is_relevant;   /* it counts in a focused crawl */
};

/* What follows. */
struct fg_judgement {
    struct fg_kind_verdict verdict;
    enum fg_newness newness;
    enum fg_came came; /* for its pattern to learn */
    bool counts_date;  /* it is one of the pages that say when they were published, */
    bool is_dated, has_day; /* to the minute; or at all */
    bool is_decided;        /* it was a candidate; what its link said is needed no more */
    bool is_worth; /* telling, if it counts: the page it was found on is credited */
    bool is_told;
    bool by_feed; /* told for what the feed says: the page shows a wall, or nothing */
    enum not_told turned_down; /* why not, if it was a candidate; else NOT_TOLD */
    uint32_t set, clear;       /* flags of the page */
};
void fg_judge(struct fg_judgement *judgement, const struct fg_candidate *candidate,
              const struct fg_reading *reading);

/* Is a page told that cannot be had, for what a feed said of it? */
bool fg_judge_unread(uint32_t flags, bool is_gone, bool is_in_feed, bool is_focused);

/* Does the user want pages of that kind? */
bool fg_judge_wants(unsigned report_kinds, enum fg_kind kind);

#endif
