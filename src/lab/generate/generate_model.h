/* generate_model.h - the inside of the generators, shared by generate*.c and their tests
 *
 * The model is that of a study whose parameters and results are known; in brackets the
 * names they have there. Where its text can be read in two ways, we read it so:
 *   - home page and site-wide widget show one stream: one draw and one lag an article
 *   - how long the widget is, and whether a page has it, is drawn for each page; how many
 *     navigation links there are, for the site
 *   - walk, ripple and regime start from rest when the history starts, for sections, tags
 *     and neglected pages alike; bursts strike sections only
 *   - orphans follow the site's own profile (its peak and sharpness, the mean weekend) as
 *     plain Poisson counts; the extra dispersion is for sections
 *   - the fixed hour of a section that publishes in batches is any of the 24
 *   - a mirror copies the stream only; surfacing and static links are its own
 *   - an old article that surfaces is any one published before
 *   - in `mixed` the lags have another factor between 2 and 3 */
#ifndef FG_LAB_GENERATE_MODEL_H
#define FG_LAB_GENERATE_MODEL_H

#include "base/arena.h"
#include "base/rng.h"
#include "base/vec.h"
#include "lab/generate/generate.h"

enum { GEN_WEEK = 168 };

struct gen_range {
    double from, to;
};

/* Kinds of pages, in proportion to the sections [fSub...]. */
struct gen_kind_shares {
    double subsections, tags, authors, page_twos, statics;
};

/* Where an article goes. */
struct gen_where {
    double to_subsection, subsection_only; /* [subProb, pSubOnly] */
    double tag_share, author_share;        /* [tagQ, authQ] */
    double orphans, orphan_spread;         /* [orphan, owSig] */
    double home_lag_hours, tag_lag_hours;
};

/* When articles come. */
struct gen_when {
    double trough;              /* of the day, its peak being 1 */
    struct gen_range sharpness; /* of the peak [kap0, kap1] */
    double weekend;             /* a weekend hour against one of the week */
    double batch_chance, peak_jitter;
    double bursts_per_day, burst_height, burst_decay_hours;
    double evenness; /* shape of the hourly gamma factor [disp] */
    double drift, regimes_per_week, hot;
};

struct gen_params {
    /* Articles an hour: median * exp(spread * N), N normal. */
    double articles, articles_spread; /* [lamMed, lamSig] */
    struct gen_range sections;        /* [secMin, secMax] */
    double section_spread;            /* of their weights [secSig] */
    /* Pages. */
    double home_share; /* of articles that go to the home page [pHome] */
    double latest_chance;
    struct gen_range home_shows, latest_shows; /* entries of the list [L] */
    struct gen_kind_shares kinds;
    struct gen_range mirrors; /* [fMir0, fMir1] */
    double mirror_top;        /* of mirrors that copy one of the busiest pages [mirTop] */
    struct gen_range section_shows, neglected_shows; /* [secL], [obsL] */
    struct gen_where where;
    struct gen_when when;
    /* Links that surface on one page for some hours. */
    double surfacing, surfacing_spread, surfacing_new; /* [ephRate, ephSig, ephNew] */
    struct gen_range surfacing_hours;                  /* [ephD0, ephD1] */
    double archive; /* old links a page has to surface; 0: never the same twice */
    /* The rest of a page. */
    double widget_chance;
    struct gen_range widget_shows;
    struct gen_range private_links, navigation_links; /* [stU], [nav] */
    double missing;                                   /* share of visits that fail */
};

/* False if there is no parameter of that name. */
bool gen_params_set(struct gen_params *params, const struct fg_generator_param *value);

/* Of a generator that has one set of them for all its sites; false for any other. */
bool gen_params_find(struct gen_params *params, const char *name);
/* What `mixed` makes of a site: one of the four, shaken. */
struct gen_params gen_params_mixed(struct fg_rng *rng);

/* --- rates --- */

/* Relative activity by hour of week, mean 1. `batch_hour` of the day gets 40 % of it,
 * none if negative. */
void gen_profile(double profile[GEN_WEEK], const struct gen_params *params, double peak,
                 double sharpness, double weekend, int batch_hour);

/* How a topic waxes and wanes, hour by hour. */
double *gen_multiplier(struct fg_arena *arena, const struct gen_params *params,
                       struct fg_rng rng, size_t hours, double regimes_per_week);

/* Bursts of all sections: factor[section * hours + hour], 1 at rest. */
double *gen_bursts(struct fg_arena *arena, const struct gen_params *params,
                   struct fg_rng rng, size_t sections, size_t hours);

/* --- pages --- */

enum gen_kind {
    GEN_HOME,
    GEN_LATEST,
    GEN_SECTION,
    GEN_SUBSECTION,
    GEN_TAG,
    GEN_AUTHOR,
    GEN_MIRROR,
    GEN_PAGE_TWO,
    GEN_STATIC,
    GEN_KINDS,
};

#define GEN_ALL_SECTIONS SIZE_MAX

struct gen_page {
    enum gen_kind kind;
    size_t section;      /* it belongs to, or GEN_ALL_SECTIONS */
    size_t stream;       /* it shows: the number of the page whose own that is */
    size_t skips, shows; /* entries passed over, and shown */
    size_t widget_shows; /* entries of the home page's stream; 0: no widget */
    double share;        /* weight among subsections, or chance to carry an article */
    double orphans;      /* weight among neglected pages; 0: not neglected */
    double *multiplier;  /* by hour; NULL where nothing depends on it */
    double relevance;    /* chance that a link of its own is relevant */
};

struct gen_section {
    double weight, home_share, profile[GEN_WEEK];
    double *multiplier;
    size_t subsections; /* that it has */
    double relevance;   /* chance that an article is relevant */
};

/* What came to the top of a list, and when. */
struct gen_entry {
    int32_t hour;
    uint32_t target;
};
typedef FG_VEC(struct gen_entry) gen_stream;

/* What all is put into; several web sites may share it. */
struct gen_output {
    size_t steps;
    FG_VEC(struct fg_stay) stays;
    FG_VEC(uint8_t) is_relevant; /* by target: its length is how many there are */
    FG_VEC(uint32_t) site_of;    /* by source: likewise */
};

/* One web site while it is made. Hours run from 0, the start of the history. */
struct gen_site {
    const struct gen_params *params;
    struct fg_rng rng; /* the parent of all the site's streams; never read */
    size_t history, hours;
    double rate;     /* articles an hour, orphans included */
    double relevant; /* share of targets */
    double peak, sharpness;
    size_t n_sections, n_pages;
    struct gen_section *sections;
    struct gen_page *pages;
    gen_stream *streams; /* by page */
    struct fg_arena arena;
    struct gen_output *out;
    uint32_t first_source;
};

/* What each of a site's random streams is for. */
enum gen_purpose {
    GEN_FOR_SIZE,
    GEN_FOR_PARAMS,
    GEN_FOR_SECTIONS,
    GEN_FOR_PAGES,
    GEN_FOR_SECTION_TOPICS,
    GEN_FOR_PAGE_TOPICS,
    GEN_FOR_BURSTS,
    GEN_FOR_ARTICLES,
    GEN_FOR_ORPHANS,
    GEN_FOR_SURFACING,
    GEN_FOR_FIXED,
    GEN_FOR_RELEVANCE,
    GEN_FOR_MISSING,
};

double gen_between(struct fg_rng *rng, struct gen_range range);
size_t gen_whole_between(struct fg_rng *rng, struct gen_range range);

/* Sections and pages; `params`, `rng`, `rate` and `n_pages` are given. */
void gen_plan(struct gen_site *site);
/* The stays of a page's list and widget, once the streams are complete. */
void gen_show_lists(struct gen_site *site);

/* --- links --- */

/* A new target's number. */
uint32_t gen_target(struct gen_output *out, bool is_relevant);
/* Shown from one hour until before another; what lies outside the steps is cut. */
void gen_show(struct gen_site *site, size_t page, uint32_t target, int64_t from,
              int64_t until);
/* Articles and orphans into the streams, and everything that is on no stream. */
void gen_publish(struct gen_site *site);

/* --- sites --- */

struct gen_order {
    const struct gen_params *params;
    struct fg_rng rng;
    size_t sources, history;
    double rate, relevant;
};

/* Make a web site of that many sources and add it to the output. */
void gen_add_site(struct gen_output *out, const struct gen_order *order);
/* Hand over what was put in; the output is empty afterwards. */
struct fg_site *gen_take_site(struct gen_output *out, const char *name,
                              bool has_relevant);

/* The crawls of Pham et al.; NULL if the name is none of them. */
struct fg_site *gen_pham_site(const struct fg_generator_options *options);
bool gen_pham_defaults(struct fg_generator_options *options);

#endif
