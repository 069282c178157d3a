/* new.h - what was found lately: see view/view.h for how it is asked
 *
 * For people and scripts the newest comes last, as in a log. Only the last `limit` events
 * are held in memory. */
#ifndef FG_VIEW_NEW_H
#define FG_VIEW_NEW_H

#include "view/view.h"

/* The first three are those of crawl/output/news.h. */
enum fg_new_kind { FG_NEW_NEW, FG_NEW_CHANGED, FG_NEW_ALARM, FG_NEW_ALL };

struct fg_new_question {
    struct fg_str since, site, tag, page, query;
    int kind;
    int64_t limit;
};

struct fg_new_answer {
    struct fg_rows rows;
    const struct fg_look *look;
    struct fg_event_row *events; /* the newest last */
    size_t n_events;
    fg_site_id site;
    fg_time since;
};

extern const struct fg_view fg_view_new;

#endif
