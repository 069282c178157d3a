/* yield_model.h - how many new links a visit of a source would find, by what is known of
 * its visits so far: the features and the training window of Pham et al. (WSDM 2018)
 *
 * For the policies `reg`, `reg-rr`, `ltr`, `bandit` and `pham`, whose self begins with a
 * struct fg_yield_model and whose columns are fg_yield_columns. Each turn they do
 *
 *     struct fg_yield_round last = fg_yield_turn(brain, now);
 *     if (fg_yield_is_starting(brain, now))
 *         return fg_yield_take_average(brain, budget, picks);
 *     if (fg_yield_is_due(brain, now))
 *         fg_yield_fit(brain, now);
 *     return fg_yield_take(brain, now, ratio, budget, picks);
 *
 * and between turns fg_yield_observe. One model serves all sites of a brain.
 *
 * A source u at time t is described by
 *     avg   mean number of new links over its visits in the last `window` hours
 *     std   the standard deviation of that number (over n, not n - 1)
 *     age   hours since its last visit
 *     aa    avg * age
 *     tod   hour of day, one of 24 (UTC)
 *     dow   day of week, one of 7 (Monday first)
 * A visit is an example: these at the time of the visit, and how many new links it found.
 * The papers leave some things open, and knobs have the other readings: ages may be
 * capped (`age-cap`), the led share of the visits rounded down (`round-down`), and
 * sources never tried may always come first (`untried`). A source without a visit in the
 * window has avg and std 0. One that was never visited has the age since it became known.
 * The age of a source whose last visit failed counts from that try, in choosing, lest a
 * page that always fails should stay on top for ever; an example has the age since the
 * last visit that went well. A failed visit is no example.
 *
 * Visits stand in a ring in the order they came. Those that grow older than `window`
 * leave the sums of their source, those older than `history` the sums of the regression:
 * a visit costs the same however long the windows are, and a choice a few multiplications
 * a source. The ring holds at most a million visits; where more come in a week, the
 * windows are shorter. */
#ifndef FG_POLICY_DISCOVERY_YIELD_MODEL_H
#define FG_POLICY_DISCOVERY_YIELD_MODEL_H

#include "learn/least_squares.h"
#include "policy/discovery/overlap.h"
#include "policy/policy.h"

enum {
    FG_YIELD_AVG,
    FG_YIELD_STD,
    FG_YIELD_AGE,
    FG_YIELD_AA,
    FG_YIELD_TOD,
    FG_YIELD_DOW = FG_YIELD_TOD + 24,
    FG_YIELD_FEATURES = FG_YIELD_DOW + 7
};

extern const struct fg_column fg_yield_columns[];

/* The first knobs of all these policies; `window` and `overlap` differ. */
enum {
    FG_YIELD_WINDOW,
    FG_YIELD_HISTORY,
    FG_YIELD_RETRAIN,
    FG_YIELD_START,
    FG_YIELD_OVERLAP,
    FG_YIELD_AGE_CAP,
    FG_YIELD_ROUND_DOWN,
    FG_YIELD_UNTRIED,
    FG_YIELD_KNOBS
};
#define FG_YIELD_PARAMS(window, overlap)                                             \
    [FG_YIELD_WINDOW] = {"window", (window), 1, 8760,                                \
                         "hours of visits behind a source's average"},               \
    [FG_YIELD_HISTORY] = {"history", 168, 1, 8760, "hours of visits to learn from"}, \
    [FG_YIELD_RETRAIN] = {"retrain", 3, 0, 8760, "hours between two trainings"},     \
    [FG_YIELD_START] = {"start", 10, 0, 8760,                                        \
                        "hours at the start led by the averages alone"},             \
    [FG_YIELD_OVERLAP] = {"overlap", (overlap), 0, 1,                                \
                          "similarity of new links above which one page of two is "  \
                          "enough; 1 to ignore overlap"},                            \
    [FG_YIELD_AGE_CAP] = {"age-cap", 87600, 1, 87600,                                \
                          "hours of waiting from which on age counts no more"},      \
    [FG_YIELD_ROUND_DOWN] = {"round-down", 0, 0, 1,                                  \
                             "0: the led visits are rounded to the nearest number; " \
                             "1: down"},                                             \
    [FG_YIELD_UNTRIED] = {"untried", 0, 0, 1,                                        \
                          "1: sources never tried come before any prediction; 0: "   \
                          "their age speaks for them"}

/* One visit, and what was known of its source just before. */
struct fg_yield_visit {
    fg_time when;
    uint64_t older;       /* number + 1 of the source's visit before; 0 for none */
    uint32_t page, round; /* rounds are counted by fg_yield_turn */
    float avg, std, age, found;
    uint8_t hour, day;
};

/* What the visits since the last turn found. */
struct fg_yield_round {
    uint32_t visits; /* successful ones */
    double found;    /* new links, each counted once */
};

struct fg_yield_model {
    struct fg_yield_known {
        fg_time started, trained; /* FG_NEVER for not yet */
        uint64_t next;            /* number of the next visit */
        uint64_t in_window;       /* number of the first visit within `window`, ... */
        uint64_t in_history;      /* ... and of the first within `history` */
        uint64_t gone;            /* examples removed since the sums were made anew */
        uint32_t rounds;
        struct fg_yield_round round;
        struct fg_least_squares sums;
        double weights[FG_YIELD_FEATURES + 1];
    } known;
    struct fg_yield_visit *ring;
    size_t room; /* a power of two, or 0 */
    struct fg_overlap overlap;
};

/* As in fg_policy. */
void fg_yield_init(struct fg_brain *brain);
void fg_yield_clear(struct fg_brain *brain);
void fg_yield_observe(struct fg_brain *brain, const struct fg_visit *visit);
void fg_yield_moved(struct fg_brain *brain, size_t from, size_t to);
void fg_yield_save(struct fg_brain *brain, struct fg_buf *out);
bool fg_yield_load(struct fg_brain *brain, struct fg_str bytes);
void fg_yield_explain(struct fg_brain *brain, fg_time now, size_t page,
                      struct fg_reason *reason);

/* A choice begins: close the round of the last one, and let go of what is too old. */
struct fg_yield_round fg_yield_turn(struct fg_brain *brain, fg_time now);

/* In the first hours, and until there is an example. */
bool fg_yield_is_starting(const struct fg_brain *brain, fg_time now);
/* The OD-WIN strategy: sources never tried, then the highest averages. */
size_t fg_yield_take_average(struct fg_brain *brain, size_t budget, struct fg_pick *out);

bool fg_yield_is_due(const struct fg_brain *brain, fg_time now);
/* Fit the weights to the examples by least squares. A policy that learns them otherwise
 * sets known.weights and known.trained itself. */
void fg_yield_fit(struct fg_brain *brain, fg_time now);

/* `ratio` of the budget, rounded to whole pages, for the highest expectations less
 * overlap; the rest for the sources that have waited longest. */
size_t fg_yield_take(struct fg_brain *brain, fg_time now, double ratio, size_t budget,
                     struct fg_pick *out);

/* The same with the expectations already in brain->scores. */
size_t fg_yield_take_scored(struct fg_brain *brain, fg_time now, double ratio,
                            size_t budget, struct fg_pick *out);
/* What would be known of a page just before a visit now. */
struct fg_yield_visit fg_yield_as_if(const struct fg_brain *brain, fg_time now,
                                     size_t page);

/* The visit of a number from known.in_history to known.next - 1, and its features. */
const struct fg_yield_visit *fg_yield_visit(const struct fg_yield_model *model,
                                            uint64_t number);
void fg_yield_features(const struct fg_yield_visit *visit, double *x);

/* What all policies around this model have in common, for their fg_policy. Those with a
 * self of their own save more than the model. */
#define FG_YIELD_POLICY_WITH(explains)                                           \
    .tasks = FG_DISCOVERY, .columns = fg_yield_columns, .init = fg_yield_init,   \
    .observe = fg_yield_observe, .explain = (explains), .clear = fg_yield_clear, \
    .moved = fg_yield_moved
#define FG_YIELD_POLICY FG_YIELD_POLICY_WITH(fg_yield_explain)

#endif
