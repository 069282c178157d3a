/* health.h - how a site is doing, as the store keeps it
 *
 *     struct fg_site_health health;
 *     fg_site_health_read(&health, &arena, store, site);
 *     if (health.alarm) ...
 *
 * Kept as the state "health" of the site, by health.c of the crawl that runs; here for
 * those who only look. */
#ifndef FG_CRAWL_HEALTH_H
#define FG_CRAWL_HEALTH_H

#include "base/arena.h"
#include "crawl/sites/alarms.h"
#include "store/store.h"

#define FG_HEALTH_STATE "health"

struct fg_site_health {
    fg_time watching; /* since when new pages are reported; FG_NEVER: not yet */
    enum fg_alarm alarm;
    fg_time since;           /* of the alarm */
    struct fg_str text, url; /* of the alarm; in the arena */
};

/* A site of which nothing is kept is well, and not watched yet. */
void fg_site_health_read(struct fg_site_health *health, struct fg_arena *arena,
                         struct fg_store *store, fg_site_id site);

#endif
