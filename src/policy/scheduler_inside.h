/* scheduler_inside.h - what a scheduler is made of; for scheduler.c and scheduler_save.c
 */
#ifndef FG_POLICY_SCHEDULER_INSIDE_H
#define FG_POLICY_SCHEDULER_INSIDE_H

#include "base/map.h"
#include "base/vec.h"
#include "policy/scheduler.h"

enum page_state {
    PAGE_SEEN,    /* named by a link, and not to be handed out */
    PAGE_WAITING, /* never visited */
    PAGE_VISITED,
    PAGE_DEAD
};
enum page_origin { ORIGIN_ADDED, ORIGIN_NEW, ORIGIN_STOCK };

/* Saved as they stand: no pointers. */
struct sched_page {
    uint64_t hash, lease, content;
    uint64_t name, links; /* where they start in `names` and `links` */
    fg_time found, deadline, not_before;
    uint32_t name_len, n_links, site, group;
    uint32_t visits, failures; /* failures in a row */
    uint32_t looks, news;      /* visits after the first, and those that showed news */
    uint8_t state, origin;
    uint8_t is_leased, is_blocked, is_source, was_source;
};

struct sched_site {
    uint64_t hash, name;
    fg_time free_at, delay; /* delay: negative is that of all */
    uint32_t name_len;
    uint32_t is_blocked;
};

/* Pages whose names have the same form. */
struct sched_group {
    uint64_t hash;
    uint32_t sampled, sources;
    uint32_t looks, news;
};

/* A call of next that came with a key. */
struct sched_call {
    uint64_t key, first, n;
};
enum { CALLS_KEPT = 256 };

struct fg_scheduler {
    struct fg_mind *mind;
    struct fg_scheduler_rules rules;
    bool is_refresh;
    FG_VEC(struct sched_page) pages;
    FG_VEC(struct sched_site) sites;
    FG_VEC(struct sched_group) groups;
    FG_VEC(uint64_t) links; /* of sources, by page; with gaps */
    size_t links_used;      /* without them */
    struct fg_buf names;
    struct fg_map page_of, site_of, group_of,
        lease_of; /* a hash or number to index + 1 */
    struct sched_call calls[CALLS_KEPT];
    uint64_t n_calls, last_lease;
    double credit; /* of samples, in picks */
    uint64_t handed_out, reports, failures, found;
    struct fg_buf log;
    bool keeps_log, is_replaying;
};

/* --- scheduler_pages.c --- */
struct fg_str fg_sched_name(const struct fg_scheduler *s, const struct sched_page *page);
struct fg_str fg_sched_site_name(const struct fg_scheduler *s, uint32_t site);
bool fg_sched_is_full(const struct fg_scheduler *s);
bool fg_sched_find(const struct fg_map *map, uint64_t hash, uint32_t *index);
uint32_t fg_sched_open_site(struct fg_scheduler *s, struct fg_str name);
struct sched_page *fg_sched_make_page(struct fg_scheduler *s, struct fg_str name,
                                      uint64_t hash, uint32_t site, fg_time now);

/* --- scheduler_log.c --- */
/* A record of the log: its kind, then numbers and texts. */
enum sched_record {
    RECORD_ADD = 'a',
    RECORD_BLOCK = 'b',
    RECORD_BLOCK_SITE = 's',
    RECORD_DELAY_SITE = 'd',
    RECORD_RULES = 'c',
    RECORD_TURN = 't',
    RECORD_LEASE = 'l',
    RECORD_CALL = 'k',
    RECORD_REPORT = 'r',
};
void fg_sched_log(struct fg_scheduler *s, enum sched_record kind, const uint64_t *numbers,
                  size_t n);
void fg_sched_log_text(struct fg_scheduler *s, struct fg_str text);

/* --- scheduler.c, for replay --- */
/* The pages that have been chosen, as the log tells it. */
void fg_sched_turn(struct fg_scheduler *s, fg_time now);
void fg_sched_give(struct fg_scheduler *s, size_t page, fg_time now, fg_time not_before,
                   fg_time deadline, enum fg_lease_why why);
void fg_sched_call(struct fg_scheduler *s, uint64_t key, uint64_t first, uint64_t n);

#endif
