/* people.h - what people are told: status, milestones, alarms */
#ifndef FG_CRAWL_PEOPLE_H
#define FG_CRAWL_PEOPLE_H

#include "crawl/crawl.h"
#include "crawl/host/polite.h"
#include "crawl/reading/reading.h"
#include "crawl/sites/alarms.h"
#include "crawl/sites/health.h"
#include "crawl/sites/site.h"

/* Who wants to be told what. */
struct crawl_people {
    struct fg_crawl_counts told; /* as in the last status */
    fg_time told_at;             /* monotonic */
    void (*reload)(void *context);
    void *reload_context;
    void (*progress)(void *context, const struct fg_crawl *crawl);
    void *progress_context;
    fg_time progress_every;
    void (*say)(void *context, const char *text, bool is_logged);
    void *say_context;
    size_t n_spoken; /* sites that have lines of their own */
    fg_time summed_up;
};

/* --- status.c --- */
/* `ended` says why the crawl is over, or is NULL. */
void crawl_tell_status(struct fg_crawl *crawl, const char *ended);

/* --- milestones.c: for people, as it happens --- */
/* Once, when it starts: what it goes on with. */
void milestones_begin(struct fg_crawl *crawl);
/* Every few seconds: what sites have come to. */
void milestones_tell(struct fg_crawl *crawl);
void milestone_seed_fails(struct fg_crawl *crawl, struct site *site, uint32_t row,
                          enum fg_alarm why, unsigned status, struct fg_str detail);
/* A seed leads to a page of another site, which is watched instead. */
void milestone_moved(struct fg_crawl *crawl, struct site *site, uint32_t to);
/* The alarm of a site was raised, or is over. */
void milestone_alarm(struct fg_crawl *crawl, const struct site *site, bool is_over);
void milestone_nofollow(struct fg_crawl *crawl, struct site *site, uint32_t row);

/* --- health.c --- */
/* What an answer says of a site: call it when the answer was worked on. `row` is the page
 * that the one asked for turned out to be; `reading` is NULL if nothing was read; it
 * shows so many pages that are ours, itself not counted. */
void health_of_answer(struct fg_crawl *crawl, uint32_t asked, uint32_t row,
                      const struct fg_answer *answer, const struct fg_reading *reading,
                      size_t n_shown, fg_time now);
/* Will a seed that failed like this be asked for again by health_review? */
bool health_asks_again(struct fg_crawl *crawl, uint32_t row,
                       const struct fg_answer *answer);
/* site->host.state is up to date. */
void health_of_robots(struct fg_crawl *crawl, struct site *site);
void health_recall(struct fg_crawl *crawl); /* all pages are known */
/* Now and then: raise and clear alarms, ask for seeds again, keep it in the store. */
void health_review(struct fg_crawl *crawl);
fg_time health_watching(const struct site *site); /* since when; FG_NEVER: not yet */
/* In words, and since when; NULL: none. */
const char *health_alarm(const struct site *site, fg_time *since);
void health_free(struct site *site);

#endif
