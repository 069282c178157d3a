/* html_parts.h - the parts of a report, each a file of its own; for them only */
#ifndef FG_LAB_HTML_PARTS_H
#define FG_LAB_HTML_PARTS_H

#include "lab/result.h"

/* A workload with a budget. */
struct fg_place {
    const char *workload, *budget;
};

struct fg_report {
    const struct fg_result *result;
    struct fg_buf *out;
    struct fg_arena scratch;
    struct fg_place *places; /* in the order of the rows */
    size_t n_places;
    const char **policies; /* the same */
    size_t n_policies;
};

/* html_tables.c: one table a workload. */
void fg_report_tables(const struct fg_report *report);
/* html_tables.c: one metric, a line a place and a column a policy. */
void fg_report_glance(const struct fg_report *report, size_t metric);
/* html_stated.c: what the text states, and whether it comes out. */
void fg_report_stated(const struct fg_report *report);
/* html_forest.c: every pairing as a dot with its interval. */
void fg_report_forests(const struct fg_report *report);
/* html_charts.c: the charts, group by group, with the figures behind them. */
void fg_report_charts(struct fg_report *report);

#endif
