/* exposure_model.h - what waits on a source: time unseen, weighted by the site's rhythm
 *
 *     fg_exposure_advance(brain, model, now);               before a choice
 *     enum fg_told told = fg_exposure_observe(brain, model, visit);
 *     double waiting = fg_exposure_at(brain, model, page, now) - phi_then;
 *
 * What the policies `exposure` and `link-types` share. Time is measured in phi-hours: an
 * hour in which a source is twice as busy as on average counts as two. Phi(u, t) is the
 * integral of the source's rhythm phi(u, .) up to t; it is never computed anew for time
 * that has passed. New links since the last visit tau are then Poisson with a mean of
 *
 *     rate * (Phi(u, t) - Phi(u, tau))
 *
 * and of those the page still shows at most what came in its last R phi-hours: R is its
 * retention. The model learns, for each site, how busy each hour of the week is; for each
 * source, how its own day differs, how long its links stay, and whether it is busier just
 * now than usual (burst).
 *
 * Retention is link-phi-hours over departures. A link that left between two visits was
 * there for half of the time, as in a life table; that is right where links leave at any
 * age, as on pages made by editors. Where each new link pushes out the oldest it is right
 * to count the time in full (gone-for 0): regret of `link-types` is then 0.03 to 0.08
 * points lower on generated sites and up to 0.1 on ranked lists, and 0.03 to 0.3 points
 * higher on recorded news.
 *
 * Per source it keeps columns of the brain, so they follow the rows; per site it keeps
 * struct fg_exposure_site. A visit that failed or showed an empty page changes no belief.
 * It only makes the source rest, for an hour and then twice as long each time, behind
 * those that answer. */
#ifndef FG_POLICY_DISCOVERY_EXPOSURE_MODEL_H
#define FG_POLICY_DISCOVERY_EXPOSURE_MODEL_H

#include "policy/discovery/link_memory.h"
#include "policy/policy.h"

enum {
    FG_HOURS_OF_DAY = 24,
    FG_HOURS_OF_WEEK = 168,
    FG_STOCK_WORDS = 128, /* of a Bloom filter: 0.03 % wrong at 150 links, 2 % at 500 */
    FG_DEPARTED_CELLS = 256,
};

/* The columns, of which a policy may have more. Those named _SUM fade by half each week,
 * NOW_ by half in six hours. */
enum {
    FG_EXPO_TAU,      /* last visit that told something, or FG_NEVER */
    FG_EXPO_PHI,      /* Phi at the model's clock */
    FG_EXPO_PHI_THEN, /* Phi at tau */
    FG_EXPO_SCALE,    /* makes the weekly mean of the source's rhythm 1 */
    FG_EXPO_SEEN_SUM, /* exposure looked at, up to the retention (B) */
    FG_EXPO_CAME_SUM, /* links that came (ins), ... */
    FG_EXPO_TIME_SUM, /* ... in so many phi-hours (insE) */
    FG_EXPO_LEFT_SUM, /* links that left (rem), ... */
    FG_EXPO_RISK_SUM, /* ... in so many link-phi-hours (risk) */
    FG_EXPO_NOW_CAME, /* links that came of late (I), ... */
    FG_EXPO_NOW_DUE,  /* ... and were to be expected (E) */
    FG_EXPO_RETAINED, /* phi-hours a link stays (R) */
    FG_EXPO_SHOWN,    /* links on the page that were not there at the first visit */
    FG_EXPO_DAY_CAME, /* by hour of day: links that came, ... */
    FG_EXPO_DAY_DUE,  /* ... and were to be expected by the site's rhythm */
    FG_EXPO_STOCK,    /* links of the first visit, as a Bloom filter */
    FG_EXPO_DEPARTED, /* fingerprints of links that left, the last for each cell */
    FG_EXPO_FAILS,    /* visits in a row that told nothing */
    FG_EXPO_COLUMNS
};

#define FG_EXPOSURE_COLUMNS                                           \
    [FG_EXPO_TAU] = {"tau", FG_I64, .holds = FG_TIMES},               \
    [FG_EXPO_PHI] = {"phi", FG_F64, 0, .is_passing = true},           \
    [FG_EXPO_PHI_THEN] = {"phi-then", FG_F64, 0},                     \
    [FG_EXPO_SCALE] = {"scale", FG_F32, 0, .is_passing = true},       \
    [FG_EXPO_SEEN_SUM] = {"seen", FG_F32, 0, .is_passing = true},     \
    [FG_EXPO_CAME_SUM] = {"came", FG_F32, 0, .is_passing = true},     \
    [FG_EXPO_TIME_SUM] = {"time", FG_F32, 0, .is_passing = true},     \
    [FG_EXPO_LEFT_SUM] = {"left", FG_F32, 0, .is_passing = true},     \
    [FG_EXPO_RISK_SUM] = {"risk", FG_F32, 0, .is_passing = true},     \
    [FG_EXPO_NOW_CAME] = {"now-came", FG_F32, 0, .is_passing = true}, \
    [FG_EXPO_NOW_DUE] = {"now-due", FG_F32, 0, .is_passing = true},   \
    [FG_EXPO_RETAINED] = {"retained", FG_F32, 0},                     \
    [FG_EXPO_SHOWN] = {"shown", FG_F32, 0},                           \
    [FG_EXPO_DAY_CAME] = {"day-came", FG_F32, FG_HOURS_OF_DAY},       \
    [FG_EXPO_DAY_DUE] = {"day-due", FG_F32, FG_HOURS_OF_DAY},         \
    [FG_EXPO_STOCK] = {"stock", FG_U32, FG_STOCK_WORDS},              \
    [FG_EXPO_DEPARTED] = {"departed", FG_U16, FG_DEPARTED_CELLS},     \
    [FG_EXPO_FAILS] = {"fails", FG_U8, 0}

/* The knobs. All policies of this model have these first. The first two say what a link
 * is worth that waits: to a policy that is exact, as `keeps` and `tau`. */
enum {
    FG_EXPO_KAPPA,
    FG_EXPO_MU,
    FG_EXPO_KEEPS = FG_EXPO_KAPPA,
    FG_EXPO_LOSES = FG_EXPO_MU,
    FG_EXPO_A0,
    FG_EXPO_LEAST_RATE,
    FG_EXPO_SLOW,
    FG_EXPO_FAST,
    FG_EXPO_FAST_SHARE,
    FG_EXPO_LEAST_WEIGHT,
    FG_EXPO_MEMORY,
    FG_EXPO_STAY,
    FG_EXPO_STAY_PRIOR,
    FG_EXPO_GONE_FOR,
    FG_EXPO_BURST,
    FG_EXPO_BURST_PRIOR,
    FG_EXPO_DAY_PRIOR,
    FG_EXPO_DAY_GAP,
    FG_EXPO_KNOBS /* a policy's own follow */
};

#define FG_EXPOSURE_WORTH                                                           \
    [FG_EXPO_KAPPA] = {"kappa", 0.2, 0, 100, "worth of an hour's delay, in links"}, \
    [FG_EXPO_MU] = {"mu", 24, 0, 1e4, "urgency of links about to leave the page"}

#define FG_EXPOSURE_PARAMS                                                              \
    [FG_EXPO_A0] = {"a0", 0.5, 1e-3, 1e3, "links assumed of what a source may hide"},   \
    [FG_EXPO_LEAST_RATE] = {"least-rate", 0.002, 1e-9, 1e3,                             \
                            "new links an hour a source is believed to have at least"}, \
    [FG_EXPO_SLOW] = {"slow", 168, 1, 1e5, "hours after which a find counts half"},     \
    [FG_EXPO_FAST] = {"fast", 24, 1, 1e5,                                               \
                      "half-life of the fast rate estimate, in hours"},                 \
    [FG_EXPO_FAST_SHARE] = {"fast-share", 0.3, 0, 1, "weight of what is new of late"},  \
    [FG_EXPO_LEAST_WEIGHT] = {"least-weight", 0.3, 0, 100,                              \
                              "finds, faded, from which on there is a rate"},           \
    [FG_EXPO_MEMORY] = {"memory", 672, 1, 1e5, "hours a link is remembered"},           \
    [FG_EXPO_STAY] = {"stay", 72, 1, 1e5, "hours a link is assumed to stay"},           \
    [FG_EXPO_STAY_PRIOR] = {"stay-prior", 5, 1e-3, 1e3,                                 \
                            "departures that assumption is worth"},                     \
    [FG_EXPO_GONE_FOR] = {"gone-for", 0.5, 0, 1,                                        \
                          "part of the time between visits that a lost link was gone"}, \
    [FG_EXPO_BURST] = {"burst", 6, 0.1, 1e5, "hours after which a burst is half over"}, \
    [FG_EXPO_BURST_PRIOR] = {"burst-prior", 5, 1e-3, 1e9,                               \
                             "links it takes to believe in a burst"},                   \
    [FG_EXPO_DAY_PRIOR] = {"day-prior", 10, 1e-3, 1e9,                                  \
                           "links an hour it takes to believe in a source's own day"},  \
    [FG_EXPO_DAY_GAP] = {"day-gap", 12, 0, 24,                                          \
                         "hours between visits up to which they tell the time of day"}

/* A site's rhythm and what it showed of late. Cell 0 of a week is Monday 0:00-1:00 UTC.
 */
struct fg_exposure_site {
    uint32_t sources;
    double slow, fast; /* phi-hours so far, faded as finds are (Z, Z') */
    double rate;       /* of new links, all sources together, as of the last choice */
    float came[FG_HOURS_OF_WEEK], due[FG_HOURS_OF_WEEK];
    float phi[FG_HOURS_OF_WEEK]; /* mean 1 */
    float day[FG_HOURS_OF_DAY];  /* phi summed over the days of a week */
    struct fg_link_memory links;
    /* Made anew before each choice, for those that are exact. */
    double stay, left; /* phi-hours that links of the site stay; departures behind it */
    double usual;      /* new links per phi-hour of a source of which nothing is known */
    double brought, foreseen; /* links that looks brought, and were to bring */
};

struct fg_exposure {
    bool is_exact;                   /* the index is Whittle's: exact_index.h */
    fg_time clock;                   /* up to which Phi is known; FG_NEVER at first */
    struct fg_exposure_site **sites; /* by number; NULL where there is no source */
    size_t n_sites;
    uint32_t *unseen; /* room for one a source: fg_exposure_take_unseen */
    size_t unseen_room;
};

/* What a policy's functions of the same name call first. */
void fg_exposure_init(struct fg_exposure *model);
void fg_exposure_clear(struct fg_exposure *model);
void fg_exposure_added(struct fg_brain *brain, struct fg_exposure *model, size_t first);
void fg_exposure_removed(struct fg_brain *brain, struct fg_exposure *model, size_t page);
void fg_exposure_save(const struct fg_exposure *model, struct fg_buf *out);
void fg_exposure_save_site(const struct fg_exposure *model, uint32_t number,
                           struct fg_buf *learnt, struct fg_buf *passing);
/* Takes its bytes off the front; in a former state, those of all sites follow. The rows
 * are there already. If it fails, the policy starts over: fg_exposure_clear, and all rows
 * added anew. */
bool fg_exposure_load(struct fg_exposure *model, struct fg_str *bytes);
bool fg_exposure_load_site(struct fg_exposure *model, uint32_t number,
                           struct fg_str *learnt, struct fg_str *passing);

/* Let time pass up to `now`; returns the hours that passed. What fades has then faded to
 * `now`. Links that have grown too old are for the policy to take out of the sites'
 * memories. */
double fg_exposure_advance(struct fg_brain *brain, struct fg_exposure *model,
                           fg_time now);

enum fg_told {
    FG_TOLD_NOTHING, /* failed, or empty: as if it had not been */
    FG_TOLD_STOCK,   /* the first look at a source: no telling when its links came */
    FG_TOLD_NEWS,
};

/* Learn from a visit. Fresh links are in the site's memory afterwards, with no type. */
enum fg_told fg_exposure_observe(struct fg_brain *brain, struct fg_exposure *model,
                                 const struct fg_visit *visit);

/* Phi(u, now), for any `now` since the clock. */
double fg_exposure_at(const struct fg_brain *brain, const struct fg_exposure *model,
                      size_t page, fg_time now);

/* New links per phi-hour, of finds that have faded to `slow` and `fast`; 0 for too few.
 */
double fg_exposure_rate(const struct fg_brain *brain, const struct fg_exposure_site *site,
                        double slow, double fast);

/* What a visit is worth that finds links of this rate after `seen` phi-hours and `waited`
 * hours, on pages that retain them for `retained`: links found, delay ended and loss
 * prevented. */
double fg_exposure_value(const struct fg_brain *brain, double rate, double seen,
                         double retained, double waited);

/* What a source may show that no find has told of yet: optimism for each phi-hour it was
 * not looked at. The prior is the mean rate of the site's sources. */
double fg_exposure_hidden(const struct fg_brain *brain, const struct fg_exposure *model,
                          size_t page, fg_time now);
/* The rate behind it: new links per phi-hour beyond the finds. */
double fg_exposure_hidden_rate(const struct fg_brain *brain,
                               const struct fg_exposure *model, size_t page);

/* By how much the source is busier than usual. */
double fg_exposure_burst(const struct fg_brain *brain, size_t page);

/* After visits that failed: for `first` hours, then twice as long each time, `longest` at
 * most. */
bool fg_exposure_is_resting(const struct fg_brain *brain, size_t page, fg_time now,
                            double first, double longest);

/* The score of a source whose visit is worth `value`: below all others' if it rests. */
float fg_exposure_score(const struct fg_brain *brain, size_t page, fg_time now,
                        double value);

/* Take the sources that were never seen, in random order; returns how many. */
size_t fg_exposure_take_unseen(struct fg_brain *brain, struct fg_exposure *model,
                               fg_time now, size_t budget, struct fg_pick *out);

/* `rate` with the 95 % interval of a gamma posterior of that shape around it. */
void fg_exposure_interval(struct fg_reason *reason, double rate, double shape);

/* 2^(-hours / half_life) */
double fg_fade(double hours, double half_life);

#endif
