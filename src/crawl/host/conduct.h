/* conduct.h - what owners say about keeping and mining their pages, and whether we do
 *
 *     struct fg_conduct conduct;
 *     fg_conduct_judge(&conduct, &rules, robots, tdmrep, path, reading.tdm);
 *     if (conduct.refusal) ...the page may be visited, but its content is not kept...
 *
 * robots.txt says whether a page may be visited. TDMRep (net/robots/tdmrep.h) and
 * Content-Signal lines of robots.txt say what may be done with what was found there. A
 * switch for each says whether we obey, only take note, or do not look. Obeying means:
 * the page is visited for its links and watched for changes, but its body is neither
 * stored nor archived and its text is not indexed. Which of the content signals are about
 * us depends on what the operator does with the crawl: conduct.purposes. */
#ifndef FG_CRAWL_CONDUCT_H
#define FG_CRAWL_CONDUCT_H

#include "base/arena.h"
#include "base/opt.h"
#include "net/robots/robots.h"
#include "net/robots/tdmrep.h"
#include "store/store.h"

enum fg_heed { FG_HEED_OBEY, FG_HEED_NOTE, FG_HEED_IGNORE };

struct fg_conduct_rules {
    int tdmrep, content_signal;  /* enum fg_heed */
    struct fg_opt_list purposes; /* "search", "ai-input", "ai-train": what we do */
};
/* conduct.tdmrep, conduct.content-signal and conduct.purposes. */
extern const struct fg_opt fg_conduct_opts[];

enum { FG_SIGNAL_SEARCH, FG_SIGNAL_AI_INPUT, FG_SIGNAL_AI_TRAIN, FG_SIGNALS };
extern const char *const fg_signal_names[FG_SIGNALS + 1]; /* ends with NULL */

struct fg_conduct {
    struct fg_tdm tdm;
    enum fg_robots_answer signals[FG_SIGNALS];
    bool is_reserved;    /* somebody objects to what we do, obeyed or not */
    const char *refusal; /* why the content is not to be kept; NULL: it may be */
};

/* `robots` and `file` may be NULL: there is none. `own` is what headers and the page
 * itself say. A switch set to ignore is as if nothing had been said. */
void fg_conduct_judge(struct fg_conduct *conduct, const struct fg_conduct_rules *rules,
                      const struct fg_robots *robots, const struct fg_tdmrep *file,
                      struct fg_str path, struct fg_tdm own);

/* The same of a page of the store, for those who only look: robots.txt and tdmrep.json as
 * the crawl last had them, and whether the page was reserved when it was last read
 * (FG_PAGE_RESERVED). Texts live in the arena. */
enum fg_status fg_conduct_recall(struct fg_conduct *conduct, struct fg_arena *arena,
                                 struct fg_store *store,
                                 const struct fg_conduct_rules *rules,
                                 struct fg_str token, const struct fg_site_row *site,
                                 const struct fg_page_row *page, struct fg_err *err);

/* The tdmrep.json of a site as the store has it; `file` is NULL if the site has none, and
 * `asked` is FG_NEVER if it was never asked for one. */
enum fg_status fg_conduct_file(const struct fg_tdmrep **file, fg_time *asked,
                               struct fg_arena *arena, struct fg_store *store,
                               fg_site_id site, struct fg_err *err);

#endif
