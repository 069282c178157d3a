/* scheduler.h - a policy as a scheduler: pages by name, leases, politeness, links
 *
 *     struct fg_scheduler *s = fg_scheduler_new(fg_mind_new(policy, seed));
 *     fg_scheduler_add(s, FG_STR("https://news.example/"), site, now);
 *     struct fg_lease leases[100];
 *     size_t n = fg_scheduler_next(s, now, 100, 0, key, leases);
 *     ...somebody fetches the pages and tells what each showed...
 *     fg_scheduler_report(s, now, &(struct fg_lease_report){.lease = leases[0].number,
 *                         .links = links, .n_links = n_links}, &told);
 *
 * For crawlers that bring their own fetcher. Which page is new is decided here: a link is
 * new if nobody has named it before. A page that is handed out is leased; if nothing is
 * heard of it until the deadline, it may be handed out again, and then only the later
 * lease counts. A report counts once.
 *
 * What is handed out, in this order: pages that were added and never visited; pages that
 * a visit of a known page was first to show, the newest first; and for the rest of the
 * number, pages that the policy expects something of, beside a share (`explore`) of
 * samples from the stock: pages that stood on a page at its first visit, of which a few
 * of each pattern of names are tried, to learn which patterns lead to new pages. With a
 * policy for the refresh of documents there is no stock: every page is wanted.
 *
 * No clock, no disk, no thread: `now` is an argument and never goes back by more than the
 * policies bear (mind.h). Everything can be saved as bytes; and each change is also
 * written down (fg_scheduler_log), so that whoever keeps the bytes on a disk need not
 * write all of them each time. */
#ifndef FG_POLICY_SCHEDULER_H
#define FG_POLICY_SCHEDULER_H

#include "policy/mind.h"

struct fg_scheduler;

/* What holds for all sites; may be changed at any time, and is saved. */
struct fg_scheduler_rules {
    fg_time delay;   /* from one page of a site to the next */
    fg_time lease;   /* how long a fetcher has for a page */
    double explore;  /* share of what is handed out that is sampled from the stock */
    bool only_added; /* links that are found are told, but not handed out by themselves */
    bool whole_stock; /* all of the stock is wanted, not samples of it alone */
};
struct fg_scheduler_rules fg_scheduler_defaults(void);

enum {
    FG_SCHEDULER_NAME = 8192,      /* bytes of a name, at most */
    FG_SCHEDULER_LINKS = 20000,    /* links of a report; more are passed over */
    FG_SCHEDULER_NEXT = 10000,     /* pages of one call */
    FG_SCHEDULER_PAGES = 3000000,  /* that are known; more are not taken up, */
    FG_SCHEDULER_NAMES = 400 << 20 /* nor are names of more bytes in all */
};
#define FG_SCHEDULER_AHEAD FG_HOUR /* at most */

/* It takes the mind, which has its parameters and no pages. */
struct fg_scheduler *fg_scheduler_new(struct fg_mind *mind);
void fg_scheduler_free(struct fg_scheduler *s); /* NULL is fine */

const struct fg_policy *fg_scheduler_policy(const struct fg_scheduler *s);
void fg_scheduler_rule(struct fg_scheduler *s, const struct fg_scheduler_rules *rules);
const struct fg_scheduler_rules *fg_scheduler_ruled(const struct fg_scheduler *s);

/* What shares a delay if the caller does not say it: of an URL scheme, host and port; of
 * any other name nothing. A view of its front. */
struct fg_str fg_scheduler_site_of(struct fg_str name);

/* True if it was not to be handed out before. One that is dead is tried again; one that
 * is blocked stays so. FG_ELIMIT if there are too many pages, or the name is too long. */
enum fg_status fg_scheduler_add(struct fg_scheduler *s, struct fg_str name,
                                struct fg_str site, fg_time now, bool *is_new,
                                struct fg_err *err);
/* Never handed out again, or from now on again; false if nobody knows it. */
bool fg_scheduler_block(struct fg_scheduler *s, struct fg_str name, bool is_blocked);
bool fg_scheduler_block_site(struct fg_scheduler *s, struct fg_str site, bool is_blocked);
/* A delay of its own; negative: that of all. False if nobody knows the site. */
bool fg_scheduler_delay_site(struct fg_scheduler *s, struct fg_str site, fg_time delay);

enum fg_lease_why {
    FG_LEASE_ADDED,   /* it was added, and never visited */
    FG_LEASE_NEW,     /* it is new, and never visited */
    FG_LEASE_SAMPLE,  /* of the stock, to learn what pages like it are */
    FG_LEASE_REVISIT, /* the policy expects something */
};
extern const char *const fg_lease_whys[];

struct fg_lease {
    uint64_t number;          /* from 1; never given twice */
    struct fg_str name, site; /* until the next change; a NUL stands behind each */
    fg_time not_before;       /* when the site may be asked */
    fg_time deadline;
    enum fg_lease_why why;
    float score, probability; /* of a revisit: struct fg_pick */
    bool explored;
};

/* At most `n` pages. Of a site with a delay only as many as may be fetched up to `ahead`
 * from now. With a key other than 0, a second call with the same key gives what is still
 * open of what the first gave. */
size_t fg_scheduler_next(struct fg_scheduler *s, fg_time now, size_t n, fg_time ahead,
                         uint64_t key, struct fg_lease *out);
/* When there may be something to hand out again: `now` if there is, FG_NEVER if there
 * will not be without a report or a page added. */
fg_time fg_scheduler_wait(const struct fg_scheduler *s, fg_time now);

enum fg_report_outcome {
    FG_REPORT_OK,
    FG_REPORT_UNCHANGED, /* it shows what it did before, links included */
    FG_REPORT_FAILED,    /* try again later */
    FG_REPORT_DEAD,      /* never try again */
};
extern const char *const fg_report_outcomes[];

struct fg_lease_report {
    uint64_t lease;
    enum fg_report_outcome outcome;
    bool changed;     /* since the last visit; also if `content` differs from then */
    uint64_t content; /* a hash of what counts of it; 0: not told */
    bool is_partial;  /* not all of its links are told */
    const struct fg_str *links;
    size_t n_links;
};

enum fg_report_fate {
    FG_REPORT_COUNTED,
    FG_REPORT_OLD,    /* it counted before, or the page was handed out again since */
    FG_REPORT_UNKNOWN /* there was no such lease */
};
extern const char *const fg_report_fates[];

struct fg_told {
    enum fg_report_fate fate;
    size_t n_new; /* links that are pages nobody had named before */
    bool changed;
    uint8_t *is_new; /* set by the caller, or NULL: gets one for each link */
};
void fg_scheduler_report(struct fg_scheduler *s, fg_time now,
                         const struct fg_lease_report *report, struct fg_told *told);

/* The page of a lease that is open; empty if there is none. Views as in a lease. */
struct fg_str fg_scheduler_leased(const struct fg_scheduler *s, uint64_t lease);

struct fg_scheduler_counts {
    uint64_t pages, sites, waiting, sources, leases, dead, blocked;
    uint64_t handed_out, reports, failures, found; /* since it was made */
};
struct fg_scheduler_counts fg_scheduler_count(const struct fg_scheduler *s);

/* --- scheduler_save.c --- */

/* All of it; false if it does not fit into the buffer. */
bool fg_scheduler_save(struct fg_scheduler *s, struct fg_buf *out);
/* Likewise; the mind is freed if it fails. Damaged bytes are refused. What another policy
 * had learnt is lost, what is known of pages is not. */
enum fg_status fg_scheduler_load(struct fg_scheduler **s, struct fg_mind *mind,
                                 struct fg_str bytes, struct fg_err *err);

/* What has been changed since fg_scheduler_keep_log, or since it was last called: to be
 * replayed by another that was in the same state. It holds until the next change. */
void fg_scheduler_keep_log(struct fg_scheduler *s);
struct fg_str fg_scheduler_log(const struct fg_scheduler *s);
enum fg_status fg_scheduler_replay(struct fg_scheduler *s, struct fg_str log,
                                   struct fg_err *err);

#endif
