/* result.h - what an experiment found, ready to be told
 *
 * An experiment (experiment.h) makes one of these; table.c, json.c and html.c tell it to
 * a person at a terminal, to a program and to a person with a browser. Everything lives
 * in the result's arena and is read-only once made. Texts are plain UTF-8; whoever prints
 * them escapes them. */
#ifndef FG_LAB_RESULT_H
#define FG_LAB_RESULT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#include <stdbool.h>

/* A mean with its 95 % interval (1,000 bootstrap resamples over sites, unless the
 * result's wording says otherwise), or what else the metric takes in place of a mean. NaN
 * where there is no such figure; lo = hi = mean where there is one site only. */
struct fg_figure {
    double mean, lo, hi;
};

/* What the figures are of, where that is not sites. */
struct fg_wording {
    const char *figures;      /* "Means over sites" */
    const char *interval;     /* "95 % bootstrap interval" */
    const char *unit, *units; /* what figures are over: "site", "sites" */
    const char *pairs;        /* what pairs are of: "sites" */
    const char *made;         /* how the intervals are made, in a few words */
};

struct fg_metric_info {
    const char *name;  /* the JSON key: "htd_p90" */
    const char *label; /* for people: "hours to discovery, 90 %" */
    const char *unit;  /* "%", "h", "" */
    double scale;      /* what a value is multiplied by to be shown in that unit */
    int digits;        /* behind the point, as shown */
    bool less_is_better;
    const char *statistic; /* "median", in place of a mean; NULL: "mean" */
    const char *none;      /* why a policy may have no such figure; NULL: never said */
};

/* Sites, or days, below which no interval is worth its name: with four or fewer pairs the
 * smallest p of a signed-rank test is 1/8, and a bootstrap draws the same few again. */
enum { FG_SITES_ENOUGH = 5 };
/* Days, judged, below which a remark says so: a week has all days of the week once. */
enum { FG_DAYS_ENOUGH = 7 };

/* One policy on one workload with one budget. */
struct fg_row {
    const char *workload, *budget, *policy; /* budget as it was asked: "5", "10 %" */
    size_t sites;                           /* behind the figures */
    struct fg_figure *at;                   /* one a metric */
    double *published;                      /* one a metric, NaN where nothing was */
};

/* One policy against another on the same sites, as in Figure 4 of Schulam & Muslea: mean
 * over sites of the ratio, or of the difference. */
struct fg_pairing {
    const char *workload, *budget, *policy, *reference;
    size_t metric;
    bool is_ratio;
    struct fg_figure figure;
    double published;   /* NaN where nothing was */
    size_t sites, wins; /* sites on which the policy did better than the reference; 0
                           sites if they were not compared one by one */
    bool has_p;
    double p;           /* of the signed-rank test */
    const char *chosen; /* the policy that the reference stands for here; NULL: itself */
};

/* What came of something that the text states. */
enum fg_judged {
    FG_COMES_OUT, /* of a value: it lies in our interval, or within a tenth without one */
    FG_SMALLER,   /* the order comes out, the size does not */
    FG_UNDECIDED, /* the interval holds both */
    FG_FAILS,
    FG_FEW_FOR,     /* fewer than FG_SITES_ENOUGH sites, which show what is stated */
    FG_FEW_AGAINST, /* ... which do not */
    FG_JUDGED
};
extern const char *const fg_judged_words[FG_JUDGED];

/* A value or an order that the text states, and ours; in words, with units. */
struct fg_stated {
    const char *where;             /* in the text: "Table 5" */
    const char *workload, *budget; /* that it was held against; budget "" : of all */
    const char *what;              /* "coverage of pham", "pham is better than ..." */
    const char *published, *ours;  /* published "" : an order without a number */
    bool is_order;
    enum fg_judged is;
};

/* How many came out how. */
struct fg_stated_count {
    size_t values[FG_JUDGED], orders[FG_JUDGED];
};

struct fg_series {
    const char *name;
    size_t n;
    const double *x, *y;
    const double *low, *high; /* a band around y, or NULL */
};

struct fg_chart {
    const char *title, *x_label, *y_label;
    const char *group;   /* charts of one group stand together: the workload and budget */
    const char *caption; /* what to see in it; may be NULL */
    const char *figure;  /* of the text that it is: "Figure 3"; NULL: of none */
    enum fg_chart_kind { FG_CHART_LINES, FG_CHART_STEPS, FG_CHART_BARS } kind;
    bool log_x;
    struct fg_series *series;
    size_t n_series;
};

struct fg_result {
    struct fg_arena arena;
    const char *name, *title, *paper; /* paper may be NULL */
    const char **remarks;             /* what the reader must know to judge the figures */
    size_t n_remarks;
    struct fg_stated *stated; /* by the text, and whether it comes out */
    size_t n_stated;
    const char **judgments; /* the same in sentences */
    size_t n_judgments;
    const struct fg_metric_info *metrics;
    size_t n_metrics;
    size_t n_main; /* those that lead a table; 0: as many as is usual */
    struct fg_row *rows;
    size_t n_rows;
    struct fg_pairing *pairings;
    size_t n_pairings;
    struct fg_chart *charts;
    size_t n_charts;
    const char *command;       /* that made it, to make it again */
    double seconds;            /* it took */
    size_t runs;               /* replays behind it */
    struct fg_wording wording; /* empty: of sites */
    bool
        has_own_figures; /* rows have figures of their own kind, not those of discovery */
};

void fg_result_free(struct fg_result *result); /* NULL is fine */

struct fg_stated_count fg_result_count_stated(const struct fg_result *result);
/* "Of 15 published values 9 lie in our intervals. Of 6 stated orders 3 come out, ..., 1
 * does not; 2 rest on too few sites to decide." Nothing where nothing is stated. */
void fg_stated_say(const struct fg_stated_count *count, struct fg_buf *out);

/* The wording to use. */
struct fg_wording fg_result_wording(const struct fg_result *result);

/* A terminal table; `width` columns at most where that is possible. */
void fg_result_table(const struct fg_result *result, size_t width, struct fg_buf *out);
/* {"name": ..., "stated": [...], "rows": [{"workload", "budget", "policy", "sites",
 * "coverage": {"mean", "lo", "hi"}, ...}], "pairings": [...]}; the keys are those of the
 * metrics. */
void fg_result_json(const struct fg_result *result, struct fg_buf *out);
/* One file with everything in it: no script, style or picture from elsewhere. */
void fg_result_html(const struct fg_result *result, struct fg_buf *out);

#endif
