/* What was published is kept here, beside what we make of our sites. */
#include "lab/thesis/thesis.h"

#include "base/vec.h"
#include "lab/bootstrap.h"

#include <math.h>

enum {
    COVERAGE,
    OVERHEAD,
    OVERHEAD_AVG,
    DEPTH,
    COVER_SIZE,
    REGRET,
    HTD_P50,
    HTD_P90,
    METRICS
};

static const struct fg_metric_info metrics[METRICS] = {
    [COVERAGE] = {"coverage", "coverage", "%", 100, 1, false},
    [OVERHEAD] = {"overhead", "overhead: downloads a new page, of all together", "%", 100,
                  1, true},
    [OVERHEAD_AVG] = {"overhead_avg", "overhead: 1 by the mean yield, as in Table 3.2",
                      "%", 100, 1, true},
    [DEPTH] = {"depth", "depth: mean place of a pick, from 0", "", 1, 2, true},
    [COVER_SIZE] = {"cover_size", "pages picked for a site and week", "", 1, 1, true},
    [REGRET] = {"regret", "regret against greedy", "%", 1, 1, true},
    [HTD_P50] = {"htd_p50", "hours to discovery, median", "h", 1, 1, true},
    [HTD_P90] = {"htd_p90", "hours to discovery, 90 %", "h", 1, 1, true},
};

static const char *const names[FG_THESIS_ENTRANTS] = {
    [FG_THESIS_CLIQ_WIN] = "cliq-win", [FG_THESIS_COV] = "cov",
    [FG_THESIS_OD_WIN] = "od-win",     [FG_THESIS_OD_1] = "od-1",
    [FG_THESIS_OPTIMAL] = "greedy",    [FG_THESIS_OD_ALL] = "od-all",
    [FG_THESIS_CLIQ_1] = "cliq-1",     [FG_THESIS_BANDIT] = "od-bandit",
};

/* --- Table 3.2 --- */

enum { TABLE_BUDGETS = 5 };
static const size_t table_budgets[TABLE_BUDGETS] = {1, 10, 100, 1000, 10000};

static const struct published {
    double depth, overhead, coverage; /* the last two in per cent */
} table[FG_THESIS_ENTRANTS][TABLE_BUDGETS] = {
    [FG_THESIS_CLIQ_WIN] = {{0.00, 14.77, 8},
                            {4.34, 49.75, 19},
                            {37.09, 100.2, 37},
                            {218.34, 153.8, 52},
                            {647.63, 156.3, 69}},
    [FG_THESIS_COV] = {{0.00, 13.40, 9},
                       {2.91, 37.04, 23},
                       {9.36, 13.89, 37},
                       {11.80, 13.89, 37},
                       {13.40, 13.89, 37}},
    [FG_THESIS_OD_WIN] = {{0.00, 14.73, 8},
                          {4.35, 51.81, 18},
                          {37.30, 120.5, 35},
                          {218.07, 151.5, 53},
                          {649.17, 153.8, 69}},
    [FG_THESIS_OD_1] = {{0.00, 13.48, 9},
                        {3.65, 45.25, 21},
                        {21.82, 106.4, 28},
                        {67.49, 109.9, 43},
                        {181.77, 109.9, 44}},
    [FG_THESIS_OPTIMAL] = {{0.00, 2.22, 56},
                           {3.03, 12.79, 81},
                           {9.65, 26.39, 95},
                           {11.96, 26.74, 98},
                           {13.56, 26.74, 100}},
    [FG_THESIS_OD_ALL] = {{0.00, 7.79, 16},
                          {4.49, 42.37, 24},
                          {40.09, 121.9, 36},
                          {249.05, 161.3, 55},
                          {870.83, 163.9, 74}},
};

struct teller {
    struct fg_result *result;
    struct fg_arena *arena;
    const struct fg_thesis *thesis;
    struct fg_bootstrap *boot;
    double *a, *b; /* one a site */
    const char *workload;
    FG_VEC(struct fg_row) rows;
    FG_VEC(struct fg_chart) charts;
    FG_VEC(const char *) remarks;
};

static void add(struct fg_weekly_tally *sum, const struct fg_weekly_tally *tally)
{
    sum->weeks += tally->weeks;
    sum->there += tally->there;
    sum->found += tally->found;
    sum->visits += tally->visits;
    sum->positions += tally->positions;
    sum->yields += tally->yields;
    sum->yielding += tally->yielding;
}

/* Recrawls every `first` to `last` weeks, taken together. */
static struct fg_weekly_tally over_deltas(const struct fg_thesis_site *site,
                                          size_t entrant, size_t first, size_t last,
                                          size_t budget)
{
    struct fg_weekly_tally sum = {0};
    for (size_t delta = first; delta <= last; delta++)
        add(&sum, &site->at[entrant][delta - 1][budget]);
    return sum;
}

static double above(const struct fg_weekly_tally *t, size_t metric)
{
    switch (metric) {
    case COVERAGE:
        return (double)t->found;
    case OVERHEAD_AVG:
        return (double)t->yielding;
    case DEPTH:
        return t->positions;
    default:
        return (double)t->visits;
    }
}

static double below(const struct fg_weekly_tally *t, size_t metric)
{
    switch (metric) {
    case COVERAGE:
        return (double)t->there;
    case OVERHEAD:
        return (double)t->found;
    case OVERHEAD_AVG:
        return t->yields;
    default:
        return (double)t->weeks;
    }
}

static struct fg_figure figure_of(struct teller *teller,
                                  const struct fg_weekly_tally *tallies, size_t metric)
{
    for (size_t i = 0; i < teller->thesis->n_sites; i++) {
        teller->a[i] = above(&tallies[i], metric);
        teller->b[i] = below(&tallies[i], metric);
    }
    return fg_bootstrap_pooled(teller->boot, teller->a, teller->b);
}

/* What greedy would have found in the weeks that were judged, by its coverage of the
 * site; what is missing to it. */
static struct fg_figure regret_of(struct teller *teller,
                                  const struct fg_weekly_tally *tallies, size_t budget)
{
    for (size_t i = 0; i < teller->thesis->n_sites; i++) {
        const struct fg_weekly_tally *best =
            &teller->thesis->sites[i].at[FG_THESIS_OPTIMAL][0][budget];
        double share = best->there ? (double)best->found / (double)best->there : 0;
        teller->b[i] = share * (double)tallies[i].there;
        teller->a[i] = 100 * (teller->b[i] - (double)tallies[i].found);
    }
    return fg_bootstrap_pooled(teller->boot, teller->a, teller->b);
}

static struct fg_row *add_row(struct teller *teller, const char *workload,
                              const char *budget, const char *policy,
                              const struct fg_weekly_tally *tallies)
{
    struct fg_row row = {.workload = workload,
                         .budget = budget,
                         .policy = policy,
                         .sites = teller->thesis->n_sites};
    row.at = FG_NEW(teller->arena, struct fg_figure, METRICS);
    row.published = FG_NEW(teller->arena, double, METRICS);
    for (size_t m = 0; m < METRICS; m++) {
        row.published[m] = NAN;
        row.at[m] = m <= COVER_SIZE ? figure_of(teller, tallies, m)
                                    : (struct fg_figure){NAN, NAN, NAN};
    }
    fg_vec_push_in(teller->arena, &teller->rows, row);
    return &teller->rows.at[teller->rows.len - 1];
}

static size_t place_of(size_t budget)
{
    size_t b = 0;
    while (fg_thesis_budgets[b] != budget)
        b++;
    return b;
}

/* As Table 3.2 has it: those that depend on recrawls are averaged over one in 2 to 6
 * weeks. */
static bool is_averaged(size_t entrant)
{
    return entrant != FG_THESIS_OPTIMAL && entrant != FG_THESIS_OD_ALL &&
           entrant != FG_THESIS_BANDIT;
}

static void add_table(struct teller *teller)
{
    size_t n = teller->thesis->n_sites;
    struct fg_weekly_tally *tallies = FG_NEW(teller->arena, struct fg_weekly_tally, n);
    for (size_t k = 0; k < TABLE_BUDGETS; k++)
        for (size_t e = 0; e < FG_THESIS_ENTRANTS; e++) {
            size_t b = place_of(table_budgets[k]), first = is_averaged(e) ? 2 : 1;
            for (size_t i = 0; i < n; i++)
                tallies[i] = over_deltas(&teller->thesis->sites[i], e, first,
                                         is_averaged(e) ? FG_THESIS_DELTAS : 1, b);
            struct fg_str budget =
                fg_arena_printf(teller->arena, "%zu", table_budgets[k]);
            struct fg_row *row =
                add_row(teller, teller->workload, fg_arena_cstr(teller->arena, budget),
                        names[e], tallies);
            row->at[REGRET] = regret_of(teller, tallies, b);
            if (table[e][k].coverage > 0) {
                row->published[COVERAGE] = table[e][k].coverage / 100;
                row->published[OVERHEAD_AVG] = table[e][k].overhead / 100;
                row->published[DEPTH] = table[e][k].depth;
            }
        }
}

/* 3.6.5: every page that ever led to a new one, by how often one looks at all of them. */
static void add_bounds(struct teller *teller)
{
    static const struct {
        size_t delta;
        const char *budget;
        double published;
    } bounds[] = {{1, "a recrawl every week", 0.74},
                  {2, "a recrawl every 2 weeks", 0.64},
                  {4, "a recrawl every 4 weeks", 0.59}};
    size_t n = teller->thesis->n_sites;
    struct fg_weekly_tally *tallies = FG_NEW(teller->arena, struct fg_weekly_tally, n);
    for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++) {
        for (size_t i = 0; i < n; i++)
            tallies[i] =
                teller->thesis->sites[i]
                    .at[FG_THESIS_OD_WIN][bounds[k].delta - 1][FG_THESIS_BUDGETS - 1];
        struct fg_row *row =
            add_row(teller, "every page that ever led to a new one (3.6.5)",
                    bounds[k].budget, names[FG_THESIS_OD_WIN], tallies);
        row->published[COVERAGE] = bounds[k].published;
    }
}

/* 3.5.3: what foresight can do. */
static void add_covers(struct teller *teller)
{
    static const struct {
        size_t budget, share; /* one of the two */
        const char *name;
        double coverage, overhead;
    } covers[] = {{83, 0, "at most 83 pages", 0.90, NAN},
                  {200, 0, "at most 200 pages", 0.973, NAN},
                  {0, 9, "90 % of what is new", 0.90, 0.03},
                  {0, 10, "all that is new", 1.00, 0.09}};
    size_t n = teller->thesis->n_sites;
    struct fg_weekly_tally *tallies = FG_NEW(teller->arena, struct fg_weekly_tally, n);
    for (size_t k = 0; k < sizeof covers / sizeof *covers; k++) {
        for (size_t i = 0; i < n; i++) {
            const struct fg_thesis_site *site = &teller->thesis->sites[i];
            tallies[i] = covers[k].share
                             ? site->share[covers[k].share - 1]
                             : site->at[FG_THESIS_OPTIMAL][0][place_of(covers[k].budget)];
        }
        struct fg_row *row = add_row(teller, "covers by foresight (3.5.3)",
                                     covers[k].name, names[FG_THESIS_OPTIMAL], tallies);
        row->published[COVERAGE] = covers[k].coverage;
        row->published[OVERHEAD] = covers[k].overhead;
    }
}

/* --- figures --- */

static struct fg_weekly_tally over_sites(const struct fg_thesis *thesis, size_t entrant,
                                         size_t delta, size_t budget)
{
    struct fg_weekly_tally sum = {0};
    for (size_t i = 0; i < thesis->n_sites; i++)
        add(&sum, &thesis->sites[i].at[entrant][delta - 1][budget]);
    return sum;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static struct fg_chart *add_chart(struct teller *teller, const char *title,
                                  const char *x_label, const char *y_label,
                                  size_t n_series)
{
    struct fg_chart chart = {.title = title,
                             .x_label = x_label,
                             .y_label = y_label,
                             .group = "figures of the chapter",
                             .n_series = n_series};
    chart.series = FG_NEW(teller->arena, struct fg_series, n_series);
    fg_vec_push_in(teller->arena, &teller->charts, chart);
    return &teller->charts.at[teller->charts.len - 1];
}

struct points {
    double *x, *y;
    size_t n;
};

static struct points points_new(struct teller *teller, size_t most)
{
    return (struct points){FG_NEW(teller->arena, double, most),
                           FG_NEW(teller->arena, double, most), 0};
}

static void add_point(struct points *points, double x, double y)
{
    points->x[points->n] = x;
    points->y[points->n++] = y;
}

static struct fg_series series_of(const char *name, struct points points)
{
    return (struct fg_series){.name = name, .n = points.n, .x = points.x, .y = points.y};
}

/* Figure 3.2: what covers of at most k pages do, k up to 600. */
static void draw_budgets(struct teller *teller)
{
    struct points found = points_new(teller, FG_THESIS_BUDGETS);
    struct points overhead = points_new(teller, FG_THESIS_BUDGETS);
    struct points share = points_new(teller, FG_THESIS_BUDGETS);
    for (size_t b = 0; fg_thesis_budgets[b] <= 600; b++) {
        struct fg_weekly_tally t = over_sites(teller->thesis, FG_THESIS_OPTIMAL, 1, b);
        double k = (double)fg_thesis_budgets[b];
        add_point(&found, k, ratio((double)t.found, (double)t.weeks));
        add_point(&overhead, k, 100 * ratio((double)t.visits, (double)t.found));
        add_point(&share, k, 100 * ratio((double)t.found, (double)t.there));
    }
    struct fg_chart *chart =
        add_chart(teller, "Figure 3.2 (a): new pages covered",
                  "at most so many old pages", "new pages a site and week", 1);
    chart->series[0] = series_of("greedy", found);
    chart->caption = "Published: levels off at about 300.";
    chart = add_chart(teller, "Figure 3.2 (a): overhead", "at most so many old pages",
                      "downloads for 100 new pages", 1);
    chart->series[0] = series_of("greedy", overhead);
    chart->caption = "Published: never above 9 %.";
    chart = add_chart(teller, "Figure 3.2 (b): share of the new pages covered",
                      "at most so many old pages", "%", 1);
    chart->series[0] = series_of("greedy", share);
    chart->caption = "Published: 90 % at 83 pages, 97.3 % at 200.";
}

static void draw_overlaps(struct teller *teller)
{
    struct points points = points_new(teller, FG_THESIS_OVERLAPS);
    double bins[FG_THESIS_OVERLAPS] = {0}, all = 0;
    for (size_t i = 0; i < teller->thesis->n_sites; i++)
        for (size_t k = 0; k < FG_THESIS_OVERLAPS; k++) {
            bins[k] += teller->thesis->sites[i].overlaps[k];
            all += teller->thesis->sites[i].overlaps[k];
        }
    for (size_t k = 0; k < FG_THESIS_OVERLAPS; k++)
        add_point(&points, ((double)k + 0.5) / FG_THESIS_OVERLAPS,
                  100 * ratio(bins[k], all));
    struct fg_chart *chart =
        add_chart(teller, "Figure 3.3: how pairs of old pages overlap",
                  "Jaccard coefficient of what they lead to", "% of pairs", 1);
    chart->kind = FG_CHART_BARS;
    chart->series[0] = series_of("pairs", points);
    chart->caption = "Published: most are close to 0 (over 20 %) or to 1 (over 40 %).";
}

static void draw_shares(struct teller *teller)
{
    struct points points = points_new(teller, FG_THESIS_SHARES);
    for (size_t k = 0; k < FG_THESIS_SHARES; k++) {
        struct fg_weekly_tally sum = {0};
        for (size_t i = 0; i < teller->thesis->n_sites; i++)
            add(&sum, &teller->thesis->sites[i].share[k]);
        add_point(&points, 100 * (double)(k + 1) / FG_THESIS_SHARES,
                  100 * ratio((double)sum.visits, (double)sum.found));
    }
    struct fg_chart *chart = add_chart(
        teller, "Figure 3.4: overhead of covering a share of what is new",
        "% of the new pages of a site and week", "downloads for 100 new pages", 1);
    chart->series[0] = series_of("greedy", points);
    chart->caption = "Published: 3 % for 90 % covers, 9 % for full ones.";
}

static void draw_depths(struct teller *teller, const char *title, size_t delta,
                        const char *caption)
{
    static const size_t drawn[] = {FG_THESIS_OPTIMAL,  FG_THESIS_COV,  FG_THESIS_CLIQ_1,
                                   FG_THESIS_CLIQ_WIN, FG_THESIS_OD_1, FG_THESIS_OD_WIN};
    enum { DRAWN = sizeof drawn / sizeof *drawn };
    struct fg_chart *chart = add_chart(teller, title, "pages picked for a site and week",
                                       "coverage, %", DRAWN);
    chart->log_x = true;
    chart->caption = caption;
    for (size_t i = 0; i < DRAWN; i++) {
        struct points points = points_new(teller, FG_THESIS_BUDGETS);
        size_t of = drawn[i] == FG_THESIS_OPTIMAL ? 1 : delta;
        for (size_t b = 0; b < FG_THESIS_BUDGETS; b++) {
            struct fg_weekly_tally t = over_sites(teller->thesis, drawn[i], of, b);
            add_point(&points, ratio((double)t.visits, (double)t.weeks),
                      100 * ratio((double)t.found, (double)t.there));
        }
        chart->series[i] = series_of(names[drawn[i]], points);
    }
}

/* --- remarks --- */

static void add_remark(struct teller *teller, struct fg_str text)
{
    fg_vec_push_in(teller->arena, &teller->remarks, fg_arena_cstr(teller->arena, text));
}

static void describe_sites(struct teller *teller)
{
    const struct fg_thesis *thesis = teller->thesis;
    uint64_t pages = 0, there = 0, direct = 0, weeks = 0;
    for (size_t i = 0; i < thesis->n_sites; i++) {
        pages += thesis->sites[i].pages;
        there += thesis->sites[i].there;
        direct += thesis->sites[i].direct;
        weeks += thesis->sites[i].weeks;
    }
    add_remark(teller,
               fg_arena_printf(
                   teller->arena,
                   "The crawls of the thesis cannot be had. These sites are "
                   "made so that what it tells of them holds: %zu sites, %llu "
                   "pages at first (640,489), %llu new ones in 22 weeks "
                   "(223,435), %.0f %% of them linked by an old page (40), "
                   "%.0f in a week that has any (300).",
                   thesis->n_sites, (unsigned long long)pages, (unsigned long long)there,
                   100 * ratio((double)direct, (double)there),
                   ratio((double)there, (double)weeks)));
}

static void explain_figures(struct teller *teller)
{
    static const char *const texts[] = {
        "Table 3.2 averages all but Optimal and OD-ALL over recrawls every 2 to 6 weeks. "
        "The weeks of a recrawl are not judged; nor are weeks without anything new.",
        "Depth is printed as 0.00 for one page and 4.49 for ten, so it is the mean place "
        "of "
        "a pick counted from 0, about half of the average cover size that the text calls "
        "it. Both are here.",
        "The overheads printed in Table 3.2 are reciprocals of numbers with two decimals "
        "(153.8 % is 1 / 0.65): means of new pages a download, turned over. That is "
        "overhead_avg; it weighs a small site like a large one. At one page it should "
        "follow from coverage and does not, by a factor of 3, for every algorithm alike. "
        "The 3 and 9 % of the text are of all downloads together: overhead. Our "
        "overhead_avg is lower than the table's by a factor of 2 to 5, in the same order "
        "of algorithms but for COV, whose printed 13.89 at 100 pages and more may stand "
        "for 138.9, 1 / 0.72: it falls from 37.04 while more pages are visited.",
        "The thesis contradicts itself where OD-WIN finds 69 % with recrawls every 2 to "
        "6 "
        "weeks and every page that ever led to a new one finds 64 and 59 % with recrawls "
        "every 2 and 4. Our sites follow the second.",
        "Published coverages of Optimal rise from 81 % at 10 pages to 90 % at 83 and 98 "
        "% "
        "at 1000; ours rise faster, for our sites have fewer weeks in which hundreds of "
        "pages each lead to one new page. For the same reason a cover of 90 % costs more "
        "here than the published 3 %, and a full one as much.",
        "Chapter 7.1 reports up to 64 % for a bandit from early experiments, without "
        "saying of what size. od-bandit pays for all it learns, so it stays low until "
        "the budget lets it try most pages of a site within the 22 weeks.",
    };
    describe_sites(teller);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add_remark(teller, fg_str_from(texts[i]));
}

void fg_thesis_tell(struct fg_result *result, const struct fg_thesis *thesis)
{
    struct teller teller = {.result = result, .arena = &result->arena, .thesis = thesis};
    teller.boot = fg_bootstrap_new(thesis->n_sites);
    teller.a = FG_NEW(teller.arena, double, thesis->n_sites);
    teller.b = FG_NEW(teller.arena, double, thesis->n_sites);
    struct fg_str name =
        fg_arena_printf(teller.arena, "%zu sites, 22 weeks (Table 3.2)", thesis->n_sites);
    teller.workload = fg_arena_cstr(teller.arena, name);
    add_table(&teller);
    add_bounds(&teller);
    add_covers(&teller);
    draw_budgets(&teller);
    draw_overlaps(&teller);
    draw_shares(&teller);
    draw_depths(
        &teller, "Figure 3.5: coverage and cover size, recrawls every week", 1,
        "Published: COV is ahead up to 32 % and then finds no more; CLIQ and OD go "
        "together and furthest.");
    draw_depths(&teller, "Figure 3.6: coverage and cover size, recrawls every 4 weeks", 4,
                "Published: the same order, ending at 59 %.");
    explain_figures(&teller);
    fg_bootstrap_free(teller.boot);
    result->name = "thesis-discovery";
    result->title = "Discoverability of the web: Table 3.2, Figures 3.2 to 3.6";
    result->paper = "Pandey's thesis, chapter 3; Dasgupta et al., WWW 2007";
    result->metrics = metrics;
    result->n_metrics = METRICS;
    result->rows = teller.rows.at;
    result->n_rows = teller.rows.len;
    result->charts = teller.charts.at;
    result->n_charts = teller.charts.len;
    result->remarks = teller.remarks.at;
    result->n_remarks = teller.remarks.len;
    result->runs = thesis->runs;
}
