/* webhooks.h - how deliveries go: see view/view.h for how it is asked */
#ifndef FG_VIEW_WEBHOOKS_H
#define FG_VIEW_WEBHOOKS_H

#include "crawl/output/webhooks.h"
#include "view/view.h"

struct fg_webhooks_question {
    struct fg_str hook; /* its name; empty: all */
};

extern const struct fg_view fg_view_webhooks;

/* Those that are configured, in the arena; FG_ENOTFOUND if the one named is not. */
enum fg_status fg_webhooks_find(struct fg_hook **hooks, size_t *n, struct fg_arena *arena,
                                const struct fg_crawl_options *settings,
                                struct fg_str name, struct fg_err *err);

#endif
