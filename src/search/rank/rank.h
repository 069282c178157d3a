/* rank.h - in which order results are shown, by what is known of their quality
 *
 *     struct fg_ranker *ranker = fg_ranker_new(policy, knobs, &setting);
 *     key = fg_ranker_key(ranker, &tally);       the higher, the nearer to the top
 *     fg_ranker_learn(ranker, &tally, liked);    a report, before the tally has it
 *     fg_ranker_renew(ranker, keys);             now and then; then all keys anew
 *     fg_ranker_free(ranker);
 *
 * A page has a quality that nobody knows: the share of people who like it once they have
 * seen it. Some people are watched; what they saw and liked is the tally of a page. A
 * policy makes a key of a tally, and says how the list by keys is changed by chance, so
 * that pages that nobody knows are seen as well: by promotion (promote.h), or by putting
 * equal keys in random order for each query.
 *
 * A policy is a row of fg_rank_policies and one file beside this one. It keeps no clock,
 * and sees no page but by its tally, so the same file runs live and in the lab. */
#ifndef FG_SEARCH_RANK_RANK_H
#define FG_SEARCH_RANK_RANK_H

#include "base/arena.h"
#include "policy/policy.h"
#include "search/rank/promote.h"

/* What is told of people who look at a page for the first time. */
enum fg_feedback {
    FG_FEEDBACK_EXACT,  /* the quality itself, as if popularity could be measured */
    FG_FEEDBACK_VOTES,  /* whether they like it */
    FG_FEEDBACK_CLICKS, /* only that they like it; who looked is estimated from places */
};

/* What a policy may know of those it ranks for. */
struct fg_rank_setting {
    size_t pages;
    double users, watched; /* people, and how many of them are watched */
    double visits;         /* a day, of all of them */
    double life_days;      /* of a page, in the mean */
    double delay_days;     /* until a report is in */
    enum fg_feedback feedback;
    const double *share; /* of visits, by place from 0; their sum is 1 */
};

struct fg_rank_tally {
    double seen;    /* watched people who saw it, as reported */
    double liked;   /* of them, or the sum of the qualities that were reported */
    double waiting; /* who saw it, and whose report is still out */
};

struct fg_ranker;

struct fg_rank_policy {
    struct fg_policy about; /* first: name, summary, paper and params */
    enum fg_pool pool;
    bool shuffles_equals; /* pages of equal keys change places from query to query */
    void (*init)(struct fg_ranker *ranker); /* NULL: nothing is to be done, here... */
    double (*key)(const struct fg_ranker *ranker, const struct fg_rank_tally *tally);
    void (*learn)(struct fg_ranker *ranker, const struct fg_rank_tally *before,
                  double seen, double liked);                    /* ...here... */
    void (*renew)(struct fg_ranker *ranker, const double *keys); /* ...and here */
};

/* Days between two calls of fg_ranker_renew. */
enum { FG_RANK_RENEW_DAYS = 50 };

struct fg_ranker {
    const struct fg_rank_policy *policy;
    double knob[FG_PARAMS_MAX];
    struct fg_promotion promotion;
    struct fg_rank_setting setting;
    struct fg_arena arena;
    void *self; /* the policy's, in the arena */
};

/* The table, ended by NULL; the first is what is used unless another is asked for. The
 * rows are struct fg_rank_policy. */
extern const struct fg_policy *const fg_rank_policies[];
const struct fg_rank_policy *fg_rank_policy_find(struct fg_str name);

/* The knobs as they are unless they are set, into FG_PARAMS_MAX places; and one by name,
 * false if there is none of it or the value is out of its limits. */
void fg_rank_knobs(double *knob, const struct fg_rank_policy *policy);
bool fg_rank_knob_set(double *knob, const struct fg_rank_policy *policy,
                      struct fg_str name, double value);

/* The shares of the setting are borrowed for as long as the ranker lives. */
struct fg_ranker *fg_ranker_new(const struct fg_rank_policy *policy, const double *knob,
                                const struct fg_rank_setting *setting);
void fg_ranker_free(struct fg_ranker *ranker); /* NULL is fine */

static inline double fg_ranker_key(const struct fg_ranker *ranker,
                                   const struct fg_rank_tally *tally)
{
    return ranker->policy->key(ranker, tally);
}

/* So many saw a page, in parts where that is estimated, and so many of them liked it. */
static inline void fg_ranker_learn(struct fg_ranker *ranker,
                                   const struct fg_rank_tally *before, double seen,
                                   double liked)
{
    if (ranker->policy->learn)
        ranker->policy->learn(ranker, before, seen, liked);
}

/* `keys` are those of all pages, highest first. True if keys must be made anew. */
static inline bool fg_ranker_renew(struct fg_ranker *ranker, const double *keys)
{
    if (ranker->policy->renew)
        ranker->policy->renew(ranker, keys);
    return ranker->policy->renew != NULL;
}

/* --- for policies --- */

/* The popularity of the thesis: by how many it is liked. */
double fg_rank_by_popularity(const struct fg_ranker *ranker,
                             const struct fg_rank_tally *tally);
extern const struct fg_column fg_rank_no_columns[];

/* Knobs that policies with promotion have, in this order and first. */
enum { FG_KNOB_DEGREE, FG_KNOB_START, FG_KNOB_FEW };
#define FG_RANK_DEGREE                                                             \
    {                                                                              \
        "degree", 0.1, 0, 1, "chance that a place is given to a promoted page (r)" \
    }
#define FG_RANK_START                                                           \
    {                                                                           \
        "start", 2, 1, 1000, "first place that may be given to one, from 1 (k)" \
    }

/* Places of pages that people look at: shares go with place^-exponent, as measured in
 * the logs of AltaVista (5.5); n of them. */
void fg_rank_shares(double *share, size_t n, double exponent);

#endif
