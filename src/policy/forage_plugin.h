/* forage_plugin.h - a policy of your own, for Forage's lab and for libforage
 *
 *     #include <forage_plugin.h>
 *     static void score(void *self, const struct forage_world *w, int64_t now,
 *                       float *out)
 *     {
 *         for (size_t i = 0; i < w->n; i++)
 *             out[i] = w->weight[i] * ((float)now - (float)w->last_try[i]);
 *     }
 *     static const struct forage_plugin mine = {
 *         .abi = FORAGE_PLUGIN_ABI, .size = sizeof mine, .name = "oldest",
 *         .summary = "what has waited longest",
 *         .tasks = FORAGE_DISCOVERY | FORAGE_REFRESH, .score = score};
 *     const struct forage_plugin *forage_plugin(void) { return &mine; }
 *
 *     cc -shared -fPIC -o oldest.so oldest.c      from a source tree: with -Isrc/policy
 *     forage lab run quick --plugin oldest.so
 *
 * It takes part in experiments of its tasks, whether or not their YAML names it; one that
 * does may set its knobs. The lab runs it as it runs its own: on recordings and synthetic
 * webs, beside any other, on several threads, one `self` for each run. It knows no more
 * than this header tells: pages are rows of flat arrays, it observes visits, and gives
 * each page a score; the frame takes the highest that the budget and the sites' limits
 * allow.
 *
 * The interface is C, so any language that can make functions for C can implement it:
 * examples/policy.py has one in Python, handed to libforage with forage_add_policy.
 *
 * Versions: FORAGE_PLUGIN_ABI grows when something changes its meaning, and a plugin of
 * another is refused. Members are only added at the end of the structs; `size` of the
 * plugin says how much of its own it has. */
#ifndef FORAGE_PLUGIN_H
#define FORAGE_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FORAGE_PLUGIN_ABI 1

/* Times are microseconds since 1970; this is none. */
#define FORAGE_PLUGIN_NEVER INT64_MIN

enum forage_task {
    FORAGE_DISCOVERY =
        1,             /* which sources to look at, so that new pages are found early */
    FORAGE_REFRESH = 2 /* which documents, so that copies stay fresh */
};

/* What may be told of a page beside its visits: events a day, NaN where nothing is known;
 * of the last 30 days, as a model predicts for the next day, clicks smoothed. */
enum forage_told {
    FORAGE_CHANGES_HISTORY,
    FORAGE_CLICKS_HISTORY,
    FORAGE_IMPRESSIONS_HISTORY,
    FORAGE_CHANGES_MODEL,
    FORAGE_CLICKS_MODEL,
    FORAGE_IMPRESSIONS_MODEL,
    FORAGE_CLICKS_SMOOTH,
    FORAGE_TOLD_KINDS
};

/* One entry a page in each array; they are valid during a call. */
struct forage_world {
    size_t n;
    const uint64_t *id;        /* never used again for another page */
    const uint32_t *site;      /* from 0 on; pages of a site share its limits */
    const uint32_t *group;     /* siblings, whose changes may come together */
    const float *weight;       /* importance; 1 unless told */
    const int64_t *added;      /* when it became known */
    const int64_t *last_visit; /* successful, or FORAGE_PLUGIN_NEVER */
    const int64_t *last_try;   /* of any outcome, or FORAGE_PLUGIN_NEVER */
    const uint8_t *is_blocked; /* not to be picked now, whatever its score */
    const float *told[FORAGE_TOLD_KINDS]; /* NULL: nothing of that kind */
    int64_t tick;                         /* length of a time step */
    double budget;                        /* picks a tick in the long run; 0: not said */
    uint64_t random; /* another number each tick, the same in each run of the same seed */
};

struct forage_seen {
    size_t page;           /* its row */
    int64_t now, previous; /* previous successful visit, or FORAGE_PLUGIN_NEVER */
    int32_t ok;       /* 0: it failed, and tells of the site rather than of the page */
    int32_t changed;  /* since the visit before */
    int32_t complete; /* all its links are listed */
    int32_t unused;
    const uint64_t *links; /* it shows; NULL if they have no names */
    const uint64_t *fresh; /* those of them that nobody had shown before this tick */
    size_t n_links, n_fresh;
};

/* A number that may be set: `{policy: NAME, LABEL: 2}` in an experiment. */
struct forage_knob {
    const char *name; /* NULL ends the list */
    double initial, least, most;
    const char *help;
};

struct forage_plugin {
    uint32_t abi, tasks;                /* FORAGE_PLUGIN_ABI; of enum forage_task */
    size_t size;                        /* of this struct, as you have it */
    const char *name, *summary, *paper; /* paper may be NULL */
    const struct forage_knob *knobs;    /* at most 24, or NULL */
    /* A run begins and ends; `knobs` are values in the order of the list. Each may be
     * NULL; without `begin` self is NULL. */
    void *(*begin)(const double *knobs, uint64_t seed);
    void (*end)(void *self);
    /* Rows from `first` on are new. */
    void (*added)(void *self, const struct forage_world *world, size_t first);
    /* A page is gone; row `last`, the last, takes its place. */
    void (*removed)(void *self, size_t row, size_t last);
    void (*observe)(void *self, const struct forage_world *world,
                    const struct forage_seen *seen);
    /* One score a page; NaN or -INFINITY: not now. Required. */
    void (*score)(void *self, const struct forage_world *world, int64_t now, float *out);
};

/* What a shared object for --plugin has: by this name, valid while the program runs. */
const struct forage_plugin *forage_plugin(void);

#ifdef __cplusplus
}
#endif

#endif
