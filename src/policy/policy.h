/* policy.h - what a scheduling policy is, and what it may know
 *
 * A policy sees only observations and answers only with pages. It knows nothing of HTTP,
 * SQL or the clock on the wall; `now` is always an argument, memory and randomness are
 * given to it. So the same file runs live and in the lab.
 *
 * A policy is a name, its knobs, its columns and two functions: `observe`, and either
 * `score` (single pages: the frame takes the highest scores that the budget and the caps
 * allow) or `select` (sets of pages, splits of the budget, sampling at given rates).
 * discovery/thompson.c is a whole one. A new policy is one new file and one line in
 * policy.c. The frame around a policy is mind.h.
 *
 * Widely included: crawl, lab and search run the same policies, and this is all that they
 * and a policy know of each other. */
#ifndef FG_POLICY_POLICY_H
#define FG_POLICY_POLICY_H

#include "base/buf.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/time.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fg_brain;

enum { FG_PARAMS_MAX = 24, FG_COLUMNS_MAX = 24 };

/* What a policy can be asked for. */
enum fg_task {
    FG_DISCOVERY = 1, /* which sources to look at, so that new pages are found early */
    FG_REFRESH = 2,   /* which documents, so that copies stay fresh */
    FG_RANKING = 4,   /* which results come first: the policies of search/rank */
};

/* A knob: the command line, the configuration and the lab all read this row. */
struct fg_param {
    const char *name;
    double initial, least, most;
    const char *help;
};

enum fg_type { FG_F32, FG_F64, FG_U8, FG_U16, FG_U32, FG_I64 };

/* What a number stands for, where it is more than a number: so that one out of bounds is
 * found when a saved state is read, and becomes 0. */
enum fg_holds {
    FG_NUMBERS,
    FG_ROWS,  /* of FG_U32: a row + 1, or 0 for none */
    FG_TIMES, /* of FG_I64: a time within FG_TIME_MOST of 1970, or FG_NEVER */
};
#define FG_TIME_MOST (365000 * FG_DAY)

/* State with `width` entries a page (0 means 1), starting as zero. The entries of a page
 * lie side by side, entry e of page p at p * width + e; or, if the column is planar, the
 * same entry of all pages does, at e * brain->room + p: for ticks that look at one entry
 * of every page. */
struct fg_column {
    const char *name;
    enum fg_type type;
    unsigned width;
    bool is_planar;
    bool is_passing; /* the passing of time changes it, too: it is saved apart */
    enum fg_holds holds;
};

/* What the outside may tell about a page besides its visits: rates a day, as expected for
 * the next day. Told anew when the outside knows better; NaN where it knows nothing. */
enum fg_told_rate {
    FG_TOLD_CHANGES_HISTORY, /* changes seen a day, over the last 30 days */
    FG_TOLD_CLICKS_HISTORY,
    FG_TOLD_IMPRESSIONS_HISTORY,
    FG_TOLD_CHANGES_MODEL, /* -ln(1 - P), P being the predicted chance of any in a day */
    FG_TOLD_CLICKS_MODEL,
    FG_TOLD_IMPRESSIONS_MODEL,
    FG_TOLD_CLICKS_SMOOTH, /* discounted counts, shrunk towards siblings: learn/popular.h
                            */
    FG_TOLD_EXPOSURE, /* what its copy gives to those who search now: sum of f I(rank)
                         score over queries (docs/quality.md); no rate */
    FG_TOLD_MISSED,   /* what searchers would miss if its text had turned over; the mean
                         of all documents is 1 */
    FG_TOLD_KINDS
};

/* The world as a policy sees it: flat arrays with one entry a page. The frame owns them.
 */
struct fg_world {
    size_t n;
    const uint64_t *id;        /* the outside's name for the page; never reused */
    const uint32_t *site;      /* pages with the same number share a politeness limit; the
                                  frame's own numbers, dense and in order of coming */
    const uint32_t *group;     /* siblings, whose changes may come together; as the site
                                  unless told */
    const float *weight;       /* clicks, impressions, importance; 1 by default */
    const fg_time *added;      /* when it became known to the policy */
    const fg_time *last_visit; /* last successful visit, or FG_NEVER */
    const fg_time *last_try;   /* last visit of any outcome, or FG_NEVER */
    const uint8_t
        *is_blocked; /* not to be picked now: in flight, or its host is resting */
    const uint32_t
        *site_limit; /* most picks in a tick by site number; NULL for no limit */
    size_t sites;    /* site numbers are below this */
    size_t groups;   /* group numbers are below this */
    const float *told[FG_TOLD_KINDS]; /* NULL for a kind of which nothing was told */
    size_t told_of[FG_TOLD_KINDS];    /* pages of which it was told a rate ... */
    double
        told_mean[FG_TOLD_KINDS]; /* ... and their mean, to 2^-16; 0 if there are none */
    fg_time tick;                 /* the time step */
    double budget; /* picks a tick in the long run, perhaps below 1; 0: not said */
    double floor;  /* hours of delay, over all new links, that a look must be expected to
                      end; 0: the budget is there to be spent */
};

/* What was told of a page, or NaN. */
static inline float fg_world_told(const struct fg_world *world, enum fg_told_rate kind,
                                  size_t page)
{
    return world->told[kind] ? world->told[kind][page] : NAN;
}

/* Clicks, impressions: what was told of a page; where it was told of others only, the
 * mean of those times the page's weight, for a weight of 1 is that of a usual page; where
 * nothing was told at all, the weight. */
static inline double fg_world_interest(const struct fg_world *world,
                                       enum fg_told_rate kind, size_t page)
{
    double told = (double)fg_world_told(world, kind, page), weight = world->weight[page];
    if (told >= 0 && !isinf(told))
        return told;
    return world->told_of[kind] ? weight * world->told_mean[kind] : weight;
}

/* Hours since the page was last tried; more than any, if it never was. They keep a
 * float's 24 bits exact to a second over two years. */
static inline float fg_world_waited(const struct fg_world *world, size_t page,
                                    fg_time now)
{
    fg_time since = world->last_try[page];
    return since == FG_NEVER ? 1e9f : (float)fg_hours(now - since);
}

/* What one visit told. Links are the outside's numbers for targets. A visit that a crawl
 * knows only from its log has the number of fresh links but not their names: the lists
 * are NULL then. */
struct fg_visit {
    size_t page;
    fg_time now, previous; /* previous successful visit, or FG_NEVER */
    bool ok;               /* a failed fetch tells about the site, not about the page */
    bool changed;
    fg_time modified; /* of its last change as the server dates it, or FG_NEVER */
    bool complete;    /* all links are listed (not an unchanged answer, not truncated) */
    const uint64_t *seen;  /* links it shows */
    const uint64_t *added; /* those of them that its previous visit did not show */
    const uint64_t *fresh; /* those that nobody had shown before this tick, ... */
    size_t n_first;        /* ... led by those that no visit in this tick showed either */
    const uint64_t *gone;  /* shown by its previous visit and no longer */
    size_t n_seen, n_added, n_fresh, n_gone;
    uint32_t bytes;
    float cost; /* of the fetch; 1 by default */
    /* Of a visit that found a change, if old and new text were compared: the share of
     * the text that is another, and what the new copy is worth to those who search (dQ
     * of docs/quality.md), measured by queries and by their single terms as the thesis
     * prints it. */
    bool is_measured;
    float distance, gain, gain_printed;
};

/* A page chosen, and why: `forage why`, the log, and estimates of what another policy
 * would have done depend on the last three. */
struct fg_pick {
    uint32_t page;
    float score;
    float probability; /* with which it was chosen; 1 if there was no chance in it, 0
                          unknown */
    bool explored;     /* chosen to learn rather than to gain */
};

/* What a policy can say about one page to a person. */
struct fg_reason {
    double score;           /* what it would be worth now; the mean where it is drawn */
    double rate, low, high; /* new links (or changes) per visit or hour; 95 % interval */
    const char *rate_unit;  /* "new links a visit at this hour" */
    double observations;    /* how much evidence the rate stands on */
};

/* One of several ways to choose, between which a policy chooses by chance. */
struct fg_arm {
    const char *name; /* lives as long as the policy's table does */
    double chance;
};
enum { FG_ARMS_MAX = 16 };

/* What the whole history says of a page, for policies of papers that take it as known. */
enum fg_foreknown {
    FG_KNOWN_GAIN,      /* dQ a tick as the thesis prints it: sum of dQ over all time */
    FG_KNOWN_GAIN_MEAN, /* ... mean of dQ over the time of each */
    FG_KNOWN_GAIN_QUERIES, /* as the first, but measured by queries */
    FG_KNOWN_CHANGES,      /* a tick, of more than tau of the text: -ln(1 - share) */
    FG_KNOWN_RUINED,       /* share of changes that replaced tau of the text, or more */
    FG_KNOWN_INSPECTED,    /* sum of f I(rank) over queries */
};

/* What only the lab can know: given to a policy that asks for it, never in life. A
 * function is NULL where the lab has no such truth. */
struct fg_foresight {
    void *context;
    /* The links that a visit of the page now would be the first to show. They live until
     * the next call. */
    size_t (*unknown)(void *context, size_t page, const uint64_t **links);
    bool (*is_stale)(void *context, size_t page);
    double (*rate)(void *context, size_t page); /* true changes a day, over all times */
    double (*known)(void *context, size_t page, enum fg_foreknown what, double tau);
};

struct fg_policy_arms {
    /* Its arms as they stand, at most FG_ARMS_MAX; for who watches it learn. */
    size_t (*list)(const struct fg_brain *brain, struct fg_arm *out);
    /* For who measures what it missed (equation 1 of Han et al.): the rates of one of its
     * arms, one a page, and what a page counts in a reward. */
    void (*rates)(struct fg_brain *brain, size_t arm, size_t budget, float *out);
    float (*interest)(const struct fg_brain *brain, size_t page);
};

struct fg_policy_site {
    /* Loaded after the rest, when its `rows` are there. `passing` is for what changes
     * with time alone. */
    void (*save)(struct fg_brain *brain, const uint32_t *rows, size_t n,
                 struct fg_buf *learnt, struct fg_buf *passing);
    bool (*load)(struct fg_brain *brain, const uint32_t *rows, size_t n,
                 struct fg_str learnt, struct fg_str passing);
};

/* Of a policy whose scores are an index: what a visit gains now and not later. */
struct fg_policy_index {
    /* What a score of 1 is worth, in new pages known at once, or in hours for which a
     * copy of mean weight is fresh. NULL: the scores are not an index. */
    double (*unit)(const struct fg_brain *brain);
    /* What a visit is expected to cost, by which its score is divided. NULL: 1. */
    double (*cost)(const struct fg_brain *brain, size_t page);
};

struct fg_policy {
    const char *name, *summary, *paper;
    unsigned tasks;       /* of enum fg_task */
    bool needs_foresight; /* an oracle: for the lab only */
    bool is_steady;       /* no chance in it: one run of the lab tells all */
    struct fg_policy_index index;
    bool measures;                   /* wants visits' distance and gain */
    bool measures_terms;             /* ... and gain_printed */
    const struct fg_param *params;   /* ended by {0} */
    const struct fg_column *columns; /* ended by {0} */
    size_t self_size; /* state of the policy as a whole, starting as zero; saved as it
                         stands unless there is `save` */

    void (*init)(struct fg_brain *brain);
    /* Pages have come: rows first .. n of the world are new. */
    void (*added)(struct fg_brain *brain, size_t first);
    void (*observe)(struct fg_brain *brain, const struct fg_visit *visit);
    /* Somebody says that the page has changed: a feed, a sitemap's lastmod, a push. */
    void (*signal)(struct fg_brain *brain, size_t page, fg_time now);
    /* Called for blocks of pages, perhaps on several threads: write only `out`, and draw
     * only with base/fill.h, at the pages' own places. */
    void (*score)(struct fg_brain *brain, fg_time now, size_t first, size_t n,
                  float *out);
    /* Not called in a tick without a budget. */
    size_t (*select)(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out);
    void (*explain)(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason);
    struct fg_policy_arms arms; /* all NULL: it has none */

    /* For a self that holds pointers: what it knows, written to and read from the frame's
     * buffer. The rows and columns are there again when `load` is called. `clear` frees
     * what `init`, `observe` or `load` took. */
    void (*save)(struct fg_brain *brain, struct fg_buf *out);
    bool (*load)(struct fg_brain *brain, struct fg_str bytes);
    void (*clear)(struct fg_brain *brain);
    struct fg_policy_site site; /* the same for what it knows of one site */
    /* Row `to` takes the place of row `from`, which is going: for state that names rows.
     */
    void (*moved)(struct fg_brain *brain, size_t from, size_t to);
};

struct fg_brain {
    const struct fg_policy *policy;
    const struct fg_world *world;
    double knob[FG_PARAMS_MAX];
    /* Columns, reached by the number they have in the policy's table and their type. */
    union {
        float *f32[FG_COLUMNS_MAX];
        double *f64[FG_COLUMNS_MAX];
        uint8_t *u8[FG_COLUMNS_MAX];
        uint16_t *u16[FG_COLUMNS_MAX];
        uint32_t *u32[FG_COLUMNS_MAX];
        int64_t *i64[FG_COLUMNS_MAX];
        void *column[FG_COLUMNS_MAX];
    };
    size_t room; /* from one entry of a planar column to the next */
    void *self;
    struct fg_rng rng;
    const struct fg_foresight *foresight; /* NULL in life */
    float *scores;                        /* room for one a page, for `select` to use */
    uint32_t *taken, *used, turn;         /* behind fg_brain_take */
};

/* For `select`: take a page into this tick's picks. False, and nothing happens, if it is
 * blocked, taken already, or its site has all the picks its limit allows. */
bool fg_brain_take(struct fg_brain *brain, size_t page);
bool fg_brain_may_take(const struct fg_brain *brain, size_t page);

/* Take the best of one score a page, at most `budget` and best first, as fg_brain_take
 * allows; returns how many. A score of -INFINITY or NaN is never taken. The scores of
 * pages that may not be taken are overwritten. */
size_t fg_brain_take_best(struct fg_brain *brain, float *scores, size_t budget,
                          struct fg_pick *out);

/* The table: every policy there is, ended by NULL. */
extern const struct fg_policy *const *const fg_policies;
/* One from outside (plugin.h), before there are threads; false if there is no room. */
bool fg_policy_add(const struct fg_policy *policy);

/* By name, for a task; NULL if there is none. */
const struct fg_policy *fg_policy_find(struct fg_str name, enum fg_task task);

#endif
