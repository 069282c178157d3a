#include "lab/stats.h"

#include "base/err.h"
#include "base/memory.h"
#include "lab/interval.h"
#include "policy/metrics.h"

#include <math.h>
#include <stdlib.h>

enum { HOURS = 24, DAYS = 7, JACCARD_SOURCES_MOST = 2000 };

const struct fg_stat_info fg_stat_info[FG_STATS] = {
    [FG_STAT_SOURCES] = {"sources", "sources", "", 1, 0},
    [FG_STAT_WEB_SITES] = {"web_sites", "web sites they are of", "", 1, 0},
    [FG_STAT_HOURS] = {"hours", "hours", "", 1, 0},
    [FG_STAT_TARGETS] = {"targets", "targets", "", 1, 0},
    [FG_STAT_RELEVANT] = {"relevant", "relevant targets", "%", 100, 1},
    [FG_STAT_PAIRS] = {"pairs", "pairs of source and target", "", 1, 0},
    [FG_STAT_OBSERVATIONS] = {"observations", "link observations", "", 1, 0},
    [FG_STAT_MISSING] = {"missing", "visits that would fail", "%", 100, 2},
    [FG_STAT_LINKS] = {"links", "links on a page", "", 1, 1},
    [FG_STAT_NEW] = {"new", "new targets an hour", "", 1, 2},
    [FG_STAT_NEW_SOURCE] = {"new_source", "new links an hour and source", "", 1, 3},
    [FG_STAT_NEW_LEAST] = {"new_least", "... on the quietest source", "", 1, 3},
    [FG_STAT_NEW_P10] = {"new_p10", "... 10 %", "", 1, 3},
    [FG_STAT_NEW_P50] = {"new_p50", "... 50 %", "", 1, 3},
    [FG_STAT_NEW_P90] = {"new_p90", "... 90 %", "", 1, 3},
    [FG_STAT_NEW_MOST] = {"new_most", "... on the busiest source", "", 1, 3},
    [FG_STAT_SHARED] = {"shared", "targets on more than one source", "%", 100, 1},
    [FG_STAT_DEGREE] = {"degree", "sources a target", "", 1, 2},
    [FG_STAT_ONCE] = {"once", "new links there at one hour only", "%", 100, 1},
    [FG_STAT_LIFE_P10] = {"life_p10", "lifetime of a link, 10 %", "h", 1, 1},
    [FG_STAT_LIFE_P50] = {"life_p50", "lifetime of a link, 50 %", "h", 1, 1},
    [FG_STAT_LIFE_P90] = {"life_p90", "lifetime of a link, 90 %", "h", 1, 1},
    [FG_STAT_HOUR_CV] = {"hour_cv", "hour-of-day variation", "", 1, 2},
    [FG_STAT_HOUR_RATIO] = {"hour_ratio", "busiest hour over quietest", "", 1, 1},
    [FG_STAT_HOUR_PEAK] = {"hour_peak", "busiest hour of day, UTC", "", 1, 0},
    [FG_STAT_HOUR_TROUGH] = {"hour_trough", "quietest hour of day, UTC", "", 1, 0},
    [FG_STAT_DAY_RATIO] = {"day_ratio", "busiest weekday over quietest", "", 1, 2},
    [FG_STAT_JACCARD_P50] = {"jaccard_p50", "Jaccard of two sources, median", "", 1, 2},
    [FG_STAT_JACCARD_LOW] = {"jaccard_low", "... below 0.05", "%", 100, 1},
    [FG_STAT_JACCARD_HIGH] = {"jaccard_high", "... above 0.7", "%", 100, 1},
};

/* What one pass over a site's events leaves for the figures. */
struct survey {
    const struct fg_site *site;
    double hours;     /* from the first step to the last */
    uint32_t *first;  /* by pair: when it came first ... */
    uint32_t *last;   /* ... and was last there */
    uint32_t *seen;   /* by source: the first step that can be seen */
    uint32_t *new_of; /* by source: new pairs */
    uint8_t *is_new;  /* by pair */
    uint64_t new_pairs;
    struct fg_site_stats stats;
};

static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

/* --- gathering --- */

static bool is_missing(const struct fg_site *site, size_t step, size_t source)
{
    return site->is_missing && site->is_missing[step * site->facts.sources + source];
}

static void gather(struct survey *s)
{
    const struct fg_site *site = s->site;
    s->first = fg_zeroed(site->pairs, sizeof *s->first);
    s->last = fg_zeroed(site->pairs, sizeof *s->last);
    s->seen = fg_zeroed(site->facts.sources, sizeof *s->seen);
    s->new_of = fg_zeroed(site->facts.sources, sizeof *s->new_of);
    s->is_new = fg_zeroed(site->pairs, 1);
    for (size_t p = 0; p < site->pairs; p++)
        s->first[p] = FG_SITE_NO_STEP;
    for (uint32_t step = 0; step <= site->facts.steps; step++)
        for (size_t i = site->event_at[step]; i < site->event_at[step + 1]; i++) {
            uint32_t pair = site->event[i] >> 1;
            if (!(site->event[i] & 1))
                s->last[pair] = step - 1;
            else if (s->first[pair] == FG_SITE_NO_STEP)
                s->first[pair] = step;
        }
    for (size_t u = 0; u < site->facts.sources; u++)
        while (s->seen[u] + 1 < site->facts.steps && is_missing(site, s->seen[u], u))
            s->seen[u]++;
    for (size_t p = 0; p < site->pairs; p++) {
        uint32_t source = site->pair_source[p];
        s->is_new[p] = s->first[p] > s->seen[source];
        s->new_of[source] += s->is_new[p];
        s->new_pairs += s->is_new[p];
    }
}

/* --- sizes --- */

static void count_sizes(struct survey *s)
{
    const struct fg_site *site = s->site;
    double *at = s->stats.at;
    double visits = (double)site->facts.steps * (double)site->facts.sources;
    uint64_t missing = 0, relevant = 0, shown = 0;
    uint32_t web_sites = 0;
    for (size_t i = 0; site->is_missing && i < site->facts.steps * site->facts.sources;
         i++)
        missing += site->is_missing[i];
    for (size_t v = 0; v < site->targets; v++) {
        if (site->appeared[v] == FG_SITE_NO_STEP)
            continue;
        shown++;
        relevant += !site->is_relevant || site->is_relevant[v];
    }
    for (size_t u = 0; site->site_of && u < site->facts.sources; u++)
        web_sites = site->site_of[u] > web_sites ? site->site_of[u] : web_sites;
    at[FG_STAT_SOURCES] = (double)site->facts.sources;
    at[FG_STAT_WEB_SITES] = web_sites + 1.0;
    at[FG_STAT_HOURS] = (double)site->facts.steps * fg_hours(site->facts.step);
    at[FG_STAT_TARGETS] = (double)shown;
    at[FG_STAT_RELEVANT] = ratio((double)relevant, (double)shown);
    at[FG_STAT_PAIRS] = (double)site->pairs;
    at[FG_STAT_OBSERVATIONS] = (double)site->observations;
    at[FG_STAT_MISSING] = ratio((double)missing, visits);
    at[FG_STAT_LINKS] = ratio((double)site->observations, visits);
    at[FG_STAT_DEGREE] = ratio((double)site->pairs, (double)shown);
}

/* --- new links --- */

static void rate_sources(struct survey *s)
{
    static const struct {
        enum fg_stat stat;
        double share;
    } points[] = {{FG_STAT_NEW_LEAST, 0},
                  {FG_STAT_NEW_P10, .1},
                  {FG_STAT_NEW_P50, .5},
                  {FG_STAT_NEW_P90, .9},
                  {FG_STAT_NEW_MOST, 1}};
    size_t n = s->site->facts.sources;
    double *rate = fg_zeroed(n, sizeof *rate);
    for (size_t u = 0; u < n; u++)
        rate[u] = ratio(s->new_of[u], s->hours);
    fg_sort_doubles(rate, n);
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        s->stats.at[points[i].stat] = n ? fg_quantile(rate, n, points[i].share) : NAN;
    s->stats.at[FG_STAT_NEW_SOURCE] = ratio((double)s->new_pairs, s->hours * (double)n);
    free(rate);
}

static void measure_lives(struct survey *s)
{
    size_t steps = s->site->facts.steps;
    double hours = fg_hours(s->site->facts.step);
    uint32_t *lives = fg_zeroed(steps, sizeof *lives);
    for (size_t p = 0; p < s->site->pairs; p++)
        if (s->is_new[p])
            lives[s->last[p] - s->first[p]]++;
    double *at = s->stats.at;
    at[FG_STAT_ONCE] = steps ? ratio(lives[0], (double)s->new_pairs) : NAN;
    at[FG_STAT_LIFE_P10] = hours * fg_quantile_of_counts(lives, steps, .1);
    at[FG_STAT_LIFE_P50] = hours * fg_quantile_of_counts(lives, steps, .5);
    at[FG_STAT_LIFE_P90] = hours * fg_quantile_of_counts(lives, steps, .9);
    free(lives);
}

static void share_targets(struct survey *s)
{
    const struct fg_site *site = s->site;
    uint32_t *degree = fg_zeroed(site->targets, sizeof *degree);
    uint64_t shared = 0;
    for (size_t p = 0; p < site->pairs; p++)
        shared += ++degree[site->pair_target[p]] == 2;
    s->stats.at[FG_STAT_SHARED] = ratio((double)shared, s->stats.at[FG_STAT_TARGETS]);
    free(degree);
}

/* --- hours and days --- */

struct cycle {
    size_t n, busiest, quietest;
    double mean, deviation;
    uint64_t count[HOURS];
};

static void judge_cycle(struct cycle *cycle)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < cycle->n; i++) {
        sum += (double)cycle->count[i];
        if (cycle->count[i] > cycle->count[cycle->busiest])
            cycle->busiest = i;
        if (cycle->count[i] < cycle->count[cycle->quietest])
            cycle->quietest = i;
    }
    cycle->mean = sum / (double)cycle->n;
    for (size_t i = 0; i < cycle->n; i++)
        squares += pow((double)cycle->count[i] - cycle->mean, 2);
    cycle->deviation = sqrt(squares / (double)cycle->n);
}

static double swing(const struct cycle *cycle)
{
    return ratio((double)cycle->count[cycle->busiest],
                 (double)cycle->count[cycle->quietest]);
}

static void find_cycles(struct survey *s)
{
    const struct fg_site *site = s->site;
    struct cycle day = {.n = HOURS}, week = {.n = DAYS};
    uint64_t fresh = 0;
    for (size_t v = 0; v < site->targets; v++) {
        if (site->appeared[v] == FG_SITE_NO_STEP || !site->appeared[v])
            continue;
        fg_time t = site->facts.start + (fg_time)site->appeared[v] * site->facts.step;
        day.count[(size_t)(t / FG_HOUR) % HOURS]++;
        week.count[(size_t)(t / FG_DAY + 3) % DAYS]++; /* 1970 began on a Thursday */
        fresh++;
    }
    judge_cycle(&day);
    judge_cycle(&week);
    double *at = s->stats.at;
    at[FG_STAT_NEW] = ratio((double)fresh, s->hours);
    at[FG_STAT_HOUR_CV] = ratio(day.deviation, day.mean);
    at[FG_STAT_HOUR_RATIO] = swing(&day);
    at[FG_STAT_HOUR_PEAK] = fresh ? (double)day.busiest : NAN;
    at[FG_STAT_HOUR_TROUGH] = fresh ? (double)day.quietest : NAN;
    at[FG_STAT_DAY_RATIO] = swing(&week);
}

/* --- overlap --- */

/* Sources are numbered within their web site; two of them have a counter of what they
 * share, the web sites' triangles of counters one behind the other. */
struct overlap {
    const struct fg_site *site;
    uint32_t *place;   /* by source */
    size_t *triangle;  /* by web site: where its counters start */
    size_t two;        /* pairs of sources there are */
    uint32_t *shared;  /* by pair of sources */
    uint32_t *size;    /* by source: new targets */
    uint32_t *sources; /* by target, those of target v from at[v] on */
    size_t *at;
};

static uint32_t web_site_of(const struct fg_site *site, size_t source)
{
    return site->site_of ? site->site_of[source] : 0;
}

static bool is_new_target(const struct fg_site *site, uint32_t target)
{
    return site->appeared[target] > 0;
}

static void place_sources(struct overlap *o, size_t web_sites)
{
    uint32_t *n = fg_zeroed(web_sites, sizeof *n);
    o->place = fg_zeroed(o->site->facts.sources, sizeof *o->place);
    o->triangle = fg_zeroed(web_sites, sizeof *o->triangle);
    for (size_t u = 0; u < o->site->facts.sources; u++)
        o->place[u] = n[web_site_of(o->site, u)]++;
    for (size_t i = 0; i < web_sites; i++) {
        size_t most = n[i] < JACCARD_SOURCES_MOST ? n[i] : JACCARD_SOURCES_MOST;
        o->triangle[i] = o->two;
        o->two += most ? most * (most - 1) / 2 : 0;
    }
    o->shared = fg_zeroed(o->two, sizeof *o->shared);
    free(n);
}

/* The sources of each new target, in order. */
static void list_sources(struct overlap *o)
{
    const struct fg_site *site = o->site;
    o->size = fg_zeroed(site->facts.sources, sizeof *o->size);
    o->at = fg_zeroed(site->targets + 2, sizeof *o->at);
    for (size_t p = 0; p < site->pairs; p++)
        if (is_new_target(site, site->pair_target[p])) {
            o->size[site->pair_source[p]]++;
            o->at[site->pair_target[p] + 2]++;
        }
    for (size_t v = 2; v < site->targets + 2; v++)
        o->at[v] += o->at[v - 1];
    o->sources = fg_zeroed(o->at[site->targets + 1], sizeof *o->sources);
    for (size_t p = 0; p < site->pairs; p++)
        if (is_new_target(site, site->pair_target[p]))
            o->sources[o->at[site->pair_target[p] + 1]++] = site->pair_source[p];
}

static bool are_compared(const struct overlap *o, size_t a, size_t b)
{
    return web_site_of(o->site, a) == web_site_of(o->site, b) &&
           o->place[a] < JACCARD_SOURCES_MOST && o->place[b] < JACCARD_SOURCES_MOST;
}

/* The counter of two sources that are compared, a after b. */
static size_t counter_of(const struct overlap *o, size_t a, size_t b)
{
    size_t row = o->place[a];
    return o->triangle[web_site_of(o->site, a)] + row * (row - 1) / 2 + o->place[b];
}

static void count_shared(struct overlap *o)
{
    for (size_t v = 0; v < o->site->targets; v++)
        for (size_t i = o->at[v]; i < o->at[v + 1]; i++)
            for (size_t j = o->at[v]; j < i; j++)
                if (are_compared(o, o->sources[i], o->sources[j]))
                    o->shared[counter_of(o, o->sources[i], o->sources[j])]++;
}

static void tell_jaccard(struct survey *s, double *jaccard, size_t n)
{
    uint64_t low = 0, high = 0;
    for (size_t i = 0; i < n; i++) {
        size_t bin = (size_t)(jaccard[i] * FG_JACCARD_BINS);
        s->stats.jaccard[bin < FG_JACCARD_BINS ? bin : FG_JACCARD_BINS - 1]++;
        low += jaccard[i] < .05;
        high += jaccard[i] > .7;
    }
    fg_sort_doubles(jaccard, n);
    s->stats.at[FG_STAT_JACCARD_P50] = n ? fg_quantile(jaccard, n, .5) : NAN;
    s->stats.at[FG_STAT_JACCARD_LOW] = ratio((double)low, (double)n);
    s->stats.at[FG_STAT_JACCARD_HIGH] = ratio((double)high, (double)n);
}

static void compare_sources(struct survey *s)
{
    struct overlap o = {.site = s->site};
    place_sources(&o, (size_t)s->stats.at[FG_STAT_WEB_SITES]);
    list_sources(&o);
    count_shared(&o);
    double *jaccard = fg_zeroed(o.two, sizeof *jaccard);
    size_t n = 0, sources = s->site->facts.sources;
    /* A web site's sources stand together or nearly so; the inner loop ends with it. */
    for (size_t a = 0; a < sources; a++)
        for (size_t b = a, left = o.place[a]; left && b-- > 0;) {
            if (web_site_of(s->site, a) != web_site_of(s->site, b))
                continue;
            left--;
            if (!are_compared(&o, a, b) || !(o.size[a] + o.size[b]))
                continue;
            double both = o.shared[counter_of(&o, a, b)];
            jaccard[n++] = both / (o.size[a] + o.size[b] - both);
        }
    tell_jaccard(s, jaccard, n);
    free(jaccard);
    free(o.place);
    free(o.triangle);
    free(o.shared);
    free(o.size);
    free(o.sources);
    free(o.at);
}

/* --- the whole --- */

struct fg_site_stats fg_site_stats(const struct fg_site *site)
{
    struct survey s = {.site = site};
    if (site->facts.steps)
        s.hours = (double)(site->facts.steps - 1) * fg_hours(site->facts.step);
    gather(&s);
    count_sizes(&s);
    rate_sources(&s);
    measure_lives(&s);
    share_targets(&s);
    find_cycles(&s);
    compare_sources(&s);
    free(s.first);
    free(s.last);
    free(s.seen);
    free(s.new_of);
    free(s.is_new);
    return s.stats;
}
