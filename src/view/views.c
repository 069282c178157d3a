/* views.c - the table of views, in the order in which the help lists them */
#include "view/view.h"

#define VIEWS(V) \
    V(site)      \
    V(status)    \
    V(new)       \
    V(search)    \
    V(page)      \
    V(versions)  \
    V(why)       \
    V(explain)   \
    V(ledger)    \
    V(predict)   \
    V(rhythm)    \
    V(whatif)    \
    V(budget)    \
    V(leads)     \
    V(learning)  \
    V(webhooks)  \
    V(workers)

#define DECLARED(name) extern const struct fg_view fg_view_##name;
VIEWS(DECLARED)

#define LISTED(name) &fg_view_##name,
const struct fg_view *const fg_views[] = {VIEWS(LISTED) NULL};
