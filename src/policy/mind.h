/* mind.h - the frame around a policy: its world, its memory, its picks
 *
 *     struct fg_mind *mind = fg_mind_new(policy, seed);
 *     fg_mind_set(mind, "alpha", 0.5, err);
 *     size_t row = fg_mind_add(mind, id, site, now);
 *     size_t n = fg_mind_choose(mind, now, budget, picks);
 *     ...visit the pages, then for each...
 *     fg_mind_observe(mind, &visit);
 *     fg_mind_save_parts(mind, put, context);
 *
 * The mind owns the columns: it grows them when pages come, closes the gaps when pages
 * leave, saves them and reads them back. Pages are known outside by ids; inside they are
 * rows 0 .. n-1, and a row may change its number when another page leaves.
 *
 * Picks depend on the seed, the policy's state and the number of the tick, and on nothing
 * else: every tick has a random stream of its own, and base/fill.h ties each draw to the
 * page it is for. */
#ifndef FG_POLICY_MIND_H
#define FG_POLICY_MIND_H

#include "base/buf.h"
#include "base/err.h"
#include "policy/policy.h"

struct fg_mind;

struct fg_mind *fg_mind_new(const struct fg_policy *policy, uint64_t seed);
void fg_mind_free(struct fg_mind *mind);

/* Set a knob by its name; an unknown one, or a value out of its range, is an error that
 * says what there is. Before the first page is added. */
enum fg_status fg_mind_set(struct fg_mind *mind, struct fg_str name, double value,
                           struct fg_err *err);

const struct fg_policy *fg_mind_policy(const struct fg_mind *mind);
const struct fg_world *fg_mind_world(const struct fg_mind *mind);

#define FG_NO_ROW SIZE_MAX

/* Add a page; the row it has. Adding an id that is there already gives its row. */
size_t fg_mind_add(struct fg_mind *mind, uint64_t id, uint32_t site, fg_time now);
void fg_mind_remove(struct fg_mind *mind, uint64_t id);
size_t fg_mind_row(const struct fg_mind *mind, uint64_t id); /* FG_NO_ROW if not there */

void fg_mind_weigh(struct fg_mind *mind, size_t row, float weight);
/* Its siblings, by a number of the outside's that counts from 0; told anew after a load.
 */
void fg_mind_group(struct fg_mind *mind, size_t row, uint32_t group);
/* A rate a day, or NaN; not saved with the mind. */
void fg_mind_tell(struct fg_mind *mind, size_t row, enum fg_told_rate kind, float rate);
void fg_mind_block(struct fg_mind *mind, size_t row, bool is_blocked);
/* The most picks in a tick from a site; UINT32_MAX for no limit. */
void fg_mind_limit(struct fg_mind *mind, uint32_t site, uint32_t most);
void fg_mind_tick(struct fg_mind *mind, fg_time tick);
/* Picks a tick to be expected in the long run. */
void fg_mind_budget(struct fg_mind *mind, double picks);
/* What a look must be worth; for policies that can tell (policy.h, struct fg_world). */
void fg_mind_floor(struct fg_mind *mind, double hours);
/* It is `now`, whatever the times in the state say: for state that was saved before the
 * clock was set back. Policies never see that: their time goes on, put forward by whole
 * weeks, and so are the times of their world. */
void fg_mind_not_after(struct fg_mind *mind, fg_time now);

/* Let a policy that needs it see ahead; the lab's to call, before the first tick. */
void fg_mind_foresee(struct fg_mind *mind, const struct fg_foresight *foresight);

/* Pick at most `budget` pages, best first; returns how many. Blocked pages and pages over
 * their site's limit are never among them. */
size_t fg_mind_choose(struct fg_mind *mind, fg_time now, size_t budget,
                      struct fg_pick *picks);

/* What a score of 1 is worth (policy.h); 0 if its scores are not an index. */
double fg_mind_unit(const struct fg_mind *mind);
/* What a visit is expected to cost, in usual requests. */
double fg_mind_cost(const struct fg_mind *mind, size_t row);

/* visit->page is a row; `previous` is filled in by the frame. */
void fg_mind_observe(struct fg_mind *mind, const struct fg_visit *visit);

/* The same in two steps, for a visit whose worth is known later: that it took place, from
 * which `previous` follows; and what it told, with that. */
fg_time fg_mind_await(struct fg_mind *mind, const struct fg_visit *visit);
void fg_mind_observe_late(struct fg_mind *mind, const struct fg_visit *visit);

/* Something other than a visit says that the page has changed. */
void fg_mind_signal(struct fg_mind *mind, size_t row, fg_time now);

/* What the policy has to say about a page; false if it has nothing. */
bool fg_mind_explain(struct fg_mind *mind, fg_time now, size_t row,
                     struct fg_reason *reason);

/* The arms of a policy that has some, at most FG_ARMS_MAX; returns how many. */
size_t fg_mind_arms(const struct fg_mind *mind, struct fg_arm *out);
/* The rates of one of them, one a page in any unit; false if the policy does not tell
 * them. And what a page counts in its rewards. */
bool fg_mind_arm_rates(struct fg_mind *mind, size_t arm, size_t budget, float *out);
float fg_mind_arm_interest(const struct fg_mind *mind, size_t row);

/* Everything the policy knows, in a form that carries names and a checksum: columns that
 * the reading policy does not have are skipped, those it misses start as zero. It comes
 * in parts, so that only those need be written that have changed. */
enum fg_mind_part {
    FG_MIND_SHARED,  /* what is known of no site in particular; of site 0 */
    FG_MIND_ORDER,   /* which row a page has; of site 0 */
    FG_MIND_LEARNT,  /* what visits told of the pages of a site */
    FG_MIND_PASSING, /* and what the mere passing of time changes as well */
    FG_MIND_PARTS
};
/* Called once for each part of each site; empty: the mind has no pages of that site. */
typedef void fg_put_part(void *context, uint32_t site, enum fg_mind_part part,
                         struct fg_str bytes);
void fg_mind_save_parts(struct fg_mind *mind, fg_put_part *put, void *context);
/* What `put` was given, or nothing. The bytes hold until the load is done. */
typedef struct fg_str fg_get_part(void *context, uint32_t site, enum fg_mind_part part);
/* Of these sites. Loading replaces what was there; state of another policy, or damaged,
 * is refused and changes nothing. It takes no more memory than a multiple of the bytes
 * that are read. A shared part may also be the whole state as former versions wrote it.
 */
enum fg_status fg_mind_load_parts(struct fg_mind *mind, const uint32_t *sites, size_t n,
                                  fg_get_part *get, void *context, struct fg_err *err);
/* The policy of which this is the shared part; NULL if there is none. */
const struct fg_policy *fg_mind_policy_of(struct fg_str shared, enum fg_task task);

#endif
