/* status.h - the crawl at a glance: see view/view.h for how it is asked */
#ifndef FG_VIEW_STATUS_H
#define FG_VIEW_STATUS_H

#include "view/record.h"
#include "view/view.h"

/* How it did lately changes slowly, and costs a walk over all pages: who asks again and
 * again keeps it for a minute. All zero at first; fg_records_clear at the end. */
struct fg_status_memo {
    struct fg_records records;
    fg_time found; /* monotonic; 0: not yet */
};

struct fg_status_question {
    bool all;                    /* also removed sites and mere hosts */
    struct fg_status_memo *memo; /* NULL: none */
};

extern const struct fg_view fg_view_status;

#endif
