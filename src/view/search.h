/* search.h - what was searched for, and how it is shown: see view/view.h */
#ifndef FG_VIEW_SEARCH_H
#define FG_VIEW_SEARCH_H

#include "search/ads/live.h"
#include "search/search.h"
#include "view/view.h"

struct fg_search_ask {
    struct fg_str site, since, tag, language, after;
    int sort, score;
    int64_t limit;
    const struct fg_ads_shown *sponsored; /* shown beside the results; NULL: none */
};

struct fg_search_shown {
    size_t n; /* results */
};

extern const struct fg_view fg_view_search;

/* --- beside the first results of a search; nothing with further ones --- */

/* The advertisements; `ads` may be NULL. A store that cannot be written to has none to
 * show, which is no reason not to search. */
struct fg_ads_shown fg_search_ads(struct fg_ads *ads, struct fg_arena *arena,
                                  struct fg_str words, const struct fg_search_ask *ask);
/* Counts what was searched for, without who asked, if `search.log` is set. */
void fg_search_count(struct fg_arena *arena, const char *place,
                     const struct fg_crawl_options *settings, struct fg_str words,
                     const struct fg_search_ask *ask);

#endif
