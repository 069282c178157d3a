/* visit.h - what a row of the log of visits says */
#ifndef FG_STORE_VISIT_H
#define FG_STORE_VISIT_H

#include "store/store.h"

/* It told nothing of the page: no answer, an error, or a redirect that was not followed
 * since it is only for the time being. */
static inline bool fg_visit_failed(const struct fg_visit_row *visit)
{
    return visit->failure ||
           ((visit->status < 200 || visit->status > 299) && visit->status != 304);
}

#endif
