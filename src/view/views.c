/* views.c - the table of views, in the order in which the help lists them */
#include "view/view.h"

extern const struct fg_view fg_view_page, fg_view_why, fg_view_explain, fg_view_ledger;

const struct fg_view *const fg_views[] = {
    &fg_view_page, &fg_view_why, &fg_view_explain, &fg_view_ledger, NULL,
};
