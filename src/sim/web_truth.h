/* web_truth.h - what a crawl told, held against what the web published
 *
 *     struct fg_web_truth *truth = fg_web_truth_new(web, origins, began);
 *     fg_web_truth_hear(truth, url, told_at);              (for each event, in order)
 *     fg_web_truth_score(&score, truth, from, to);
 *     fg_web_truth_free(truth);
 *
 * An event is true if its address is the canonical one of an article that was published
 * after the crawl began, or differs from it by tracking parameters only; and if it is the
 * first of that article. All others are false. */
#ifndef FG_SIM_WEB_TRUTH_H
#define FG_SIM_WEB_TRUTH_H

#include "sim/web.h"

enum fg_web_verdict {
    FG_WEB_TRUE,
    FG_WEB_OLD,      /* an article from before the crawl */
    FG_WEB_REPEATED, /* an article that was told already */
    FG_WEB_VARIANT,  /* another address of an article, old or new */
    FG_WEB_LISTING,  /* a list, a feed, a sitemap */
    FG_WEB_STRANGER, /* anything else */
    FG_WEB_VERDICTS
};
extern const char *const fg_web_verdict_names[FG_WEB_VERDICTS];

struct fg_web_truth;

/* `origins` has one for each site ("http://127.0.0.1:8001"); they and the web are
 * borrowed for as long as the truth lives. */
struct fg_web_truth *fg_web_truth_new(const struct fg_web *web,
                                      const char *const *origins, fg_time began);
void fg_web_truth_free(struct fg_web_truth *truth);

enum fg_web_verdict fg_web_truth_hear(struct fg_web_truth *truth, struct fg_str url,
                                      fg_time told);

/* Articles of [from, to), in order of time within a site, and how long after it was
 * published each was told; FG_NEVER: it was not. */
typedef void fg_web_told(void *context, fg_time published, fg_time delay);
void fg_web_truth_articles(const struct fg_web_truth *truth, fg_time from, fg_time to,
                           fg_web_told *take, void *context);

struct fg_web_score {
    uint64_t events;                    /* all that were heard */
    uint64_t verdicts[FG_WEB_VERDICTS]; /* of these */
    double precision;                   /* true ones of them; NaN if there are none */
    size_t published, reported;         /* articles of [from, to) */
    double recall;                      /* reported of these; NaN if there are none */
    fg_time delay_p50, delay_p90;       /* of those reported; 0 if none is */
};
void fg_web_truth_score(struct fg_web_score *score, const struct fg_web_truth *truth,
                        fg_time from, fg_time to);

#endif
