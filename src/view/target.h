/* target.h - the sites and pages that somebody names, to pause, resume or remove them
 *
 *     struct fg_targets targets = {.kind = FG_CONTROL_PAUSE};
 *     fg_targets_wait(&targets, arena, place);
 *     ...open the look...
 *     targets.look = &look;
 *     st = fg_targets_find(&targets, FG_STR("news.example"), err);
 *     fg_targets_hand_over(&targets, err);
 *
 * A host name, or the address of a home page, stands for its site, and so does the one
 * address that was added of a site; any other address stands for its page. What lies in
 * the inbox of the workspace already counts as done. A name that is not known is refused
 * with those that are near. */
#ifndef FG_VIEW_TARGET_H
#define FG_VIEW_TARGET_H

#include "base/vec.h"
#include "crawl/intake/control.h"
#include "view/look.h"

struct fg_target {
    struct fg_site_row site;
    struct fg_page_row page; /* page.page 0: the site as a whole */
    bool changes;
};

struct fg_targets {
    const struct fg_look *look;
    bool takes_site, takes_page; /* whatever a name looks like */
    enum fg_control_kind kind;
    struct fg_control_waiting waiting; /* in the inbox, and what is added to it here */
    bool has_waiting;                  /* there was something before */
    FG_VEC(struct fg_target) found;    /* in the look's arena */
};

/* What waits in the inbox. Call it before the look is opened: what was there and is no
 * more is in the store by then. */
void fg_targets_wait(struct fg_targets *targets, struct fg_arena *arena,
                     const char *place);
enum fg_status fg_targets_find(struct fg_targets *targets, struct fg_str name,
                               struct fg_err *err);
bool fg_target_site_is_paused(const struct fg_targets *targets,
                              const struct fg_target *target);

/* What would change something, in the look's arena; its number. */
size_t fg_targets_wishes(const struct fg_targets *targets, struct fg_control **wishes);
/* Leave it for the crawl that runs, or the next. */
enum fg_status fg_targets_hand_over(const struct fg_targets *targets, struct fg_err *err);

#endif
