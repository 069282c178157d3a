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

#endif
