#include "lab/refresh/portrait.h"

#include "base/map.h"
#include "base/memory.h"
#include "lab/interval.h"
#include "policy/metrics.h"

#include <math.h>
#include <stdlib.h>

enum { HOURS = 24, ENOUGH_CHANGES = 9 };

const struct fg_stat_info fg_portrait_info[FG_PORTRAIT] = {
    [FG_PORTRAIT_PAGES] = {"pages", "pages", "", 1, 0},
    [FG_PORTRAIT_GROUPS] = {"groups", "groups of siblings", "", 1, 0},
    [FG_PORTRAIT_DAYS] = {"days", "days", "", 1, 1},
    [FG_PORTRAIT_STEP] = {"step", "step", "h", 1, 1},
    [FG_PORTRAIT_JUDGED] = {"judged", "of them judged", "", 1, 1},
    [FG_PORTRAIT_CHANGES] = {"changes", "changes", "", 1, 0},
    [FG_PORTRAIT_RATE] = {"rate", "changes a page and day", "", 1, 4},
    [FG_PORTRAIT_RATE_P10] = {"rate_p10", "by page, 10 %", "", 1, 4},
    [FG_PORTRAIT_RATE_P50] = {"rate_p50", "by page, median", "", 1, 4},
    [FG_PORTRAIT_RATE_P90] = {"rate_p90", "by page, 90 %", "", 1, 4},
    [FG_PORTRAIT_RATE_P99] = {"rate_p99", "by page, 99 %", "", 1, 4},
    [FG_PORTRAIT_NEVER] = {"never", "pages that never change", "%", 100, 1},
    [FG_PORTRAIT_TOP] = {"top", "changes on the busiest 1 %", "%", 100, 1},
    [FG_PORTRAIT_BACK] = {"back", "changes back to what was", "%", 100, 1},
    [FG_PORTRAIT_INTERVAL_CV] = {"interval_cv", "variation of intervals", "", 1, 2},
    [FG_PORTRAIT_HOUR_CV] = {"hour_cv", "hour-of-day variation", "", 1, 2},
    [FG_PORTRAIT_TOGETHER] = {"together", "changes with a sibling's", "%", 100, 1},
};

static double days_of(const struct fg_timeline *t, size_t page)
{
    return fg_days((t->last ? t->last[page] : t->to) -
                   (t->first ? t->first[page] : t->from));
}

static size_t count_groups(const struct fg_timeline *t)
{
    struct fg_map seen = {0};
    for (size_t i = 0; i < t->n; i++)
        *fg_map_put(&seen, t->group ? t->group[i] : t->site ? t->site[i] : 0) = 1;
    size_t n = fg_map_len(&seen);
    fg_map_clear(&seen);
    return n;
}

/* --- rates --- */

static void take_rates(struct fg_portrait *portrait, const struct fg_timeline *t,
                       const double *changes)
{
    double *rates = fg_zeroed(t->n, sizeof *rates),
           *sorted = fg_zeroed(t->n, sizeof *sorted);
    double page_days = 0, never = 0, top = 0;
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        double days = days_of(t, i);
        sorted[i] = changes[i];
        page_days += days;
        never += changes[i] == 0;
        if (days > 0)
            rates[n++] = changes[i] / days;
    }
    fg_sort_doubles(sorted, t->n);
    fg_sort_doubles(rates, n);
    for (size_t i = t->n - (t->n + 99) / 100; i < t->n; i++)
        top += sorted[i];
    portrait->at[FG_PORTRAIT_RATE] =
        page_days > 0 ? (double)t->n_changes / page_days : NAN;
    portrait->at[FG_PORTRAIT_NEVER] = t->n ? never / (double)t->n : NAN;
    portrait->at[FG_PORTRAIT_TOP] = t->n_changes ? top / (double)t->n_changes : NAN;
    static const double shares[] = {0.1, 0.5, 0.9, 0.99};
    for (size_t i = 0; i < 4; i++)
        portrait->at[FG_PORTRAIT_RATE_P10 + i] =
            n ? fg_quantile(rates, n, shares[i]) : NAN;
    free(rates);
    free(sorted);
}

/* --- intervals --- */

struct intervals {
    fg_time last;
    double n, sum, squares; /* days */
};

static double variation(const struct intervals *i)
{
    double mean = i->sum / i->n;
    return mean > 0 ? sqrt(fmax(i->squares / i->n - mean * mean, 0)) / mean : NAN;
}

static double median_variation(const struct fg_timeline *t)
{
    struct intervals *all = fg_zeroed(t->n, sizeof *all);
    double *values = fg_zeroed(t->n, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        all[i].last = FG_NEVER;
    for (size_t i = 0; i < t->n_changes; i++) {
        struct intervals *of = &all[t->changes[i].page];
        double days = of->last == FG_NEVER ? 0 : fg_days(t->changes[i].at - of->last);
        of->n += of->last != FG_NEVER;
        of->sum += days;
        of->squares += days * days;
        of->last = t->changes[i].at;
    }
    for (size_t i = 0; i < t->n; i++)
        if (all[i].n + 1 >= ENOUGH_CHANGES)
            values[n++] = variation(&all[i]);
    fg_sort_doubles(values, n);
    double median = n ? fg_quantile(values, n, 0.5) : NAN;
    free(all);
    free(values);
    return median;
}

/* --- patterns --- */

static double hour_variation(const struct fg_timeline *t)
{
    double counts[HOURS] = {0}, squares = 0, mean = (double)t->n_changes / HOURS;
    for (size_t i = 0; i < t->n_changes; i++)
        counts[fg_hour_of_day(t->changes[i].at)]++;
    for (size_t h = 0; h < HOURS; h++)
        squares += (counts[h] - mean) * (counts[h] - mean) / HOURS;
    return mean > 0 ? sqrt(squares) / mean : NAN;
}

/* The change before it in the group is another page's and at most an hour older, or the
 * one after it at most an hour younger. */
static double share_together(const struct fg_timeline *t)
{
    struct fg_map last = {0}; /* group to change + 1 */
    bool *is_joint = fg_zeroed(t->n_changes, sizeof *is_joint);
    double joint = 0;
    for (size_t i = 0; i < t->n_changes; i++) {
        const struct fg_change *change = &t->changes[i];
        uint32_t page = change->page;
        uint64_t *before = fg_map_put(&last, t->group  ? t->group[page]
                                             : t->site ? t->site[page]
                                                       : 0);
        const struct fg_change *other = *before ? &t->changes[*before - 1] : NULL;
        if (other && other->page != page && change->at - other->at <= FG_HOUR)
            is_joint[i] = is_joint[*before - 1] = true;
        *before = i + 1;
    }
    for (size_t i = 0; i < t->n_changes; i++)
        joint += is_joint[i];
    fg_map_clear(&last);
    free(is_joint);
    return t->n_changes ? joint / (double)t->n_changes : NAN;
}

/* Values are numbered as they appear, so one that is not above all before has been. */
static double share_back(const struct fg_timeline *t)
{
    uint32_t *most = fg_zeroed(t->n, sizeof *most);
    double back = 0;
    for (size_t i = 0; i < t->n_changes; i++) {
        uint32_t *of = &most[t->changes[i].page], value = t->changes[i].value;
        back += value <= *of;
        *of = value > *of ? value : *of;
    }
    free(most);
    return t->n_changes ? back / (double)t->n_changes : NAN;
}

struct fg_portrait fg_portrait_of(const struct fg_timeline *timeline)
{
    struct fg_portrait portrait;
    double *changes = fg_zeroed(timeline->n, sizeof *changes);
    for (size_t i = 0; i < timeline->n_changes; i++)
        changes[timeline->changes[i].page]++;
    take_rates(&portrait, timeline, changes);
    portrait.at[FG_PORTRAIT_PAGES] = (double)timeline->n;
    portrait.at[FG_PORTRAIT_GROUPS] = (double)count_groups(timeline);
    portrait.at[FG_PORTRAIT_DAYS] = fg_days(timeline->to - timeline->from);
    portrait.at[FG_PORTRAIT_STEP] = fg_hours(timeline->step);
    portrait.at[FG_PORTRAIT_JUDGED] = fg_days(timeline->to - timeline->judged_from);
    portrait.at[FG_PORTRAIT_CHANGES] = (double)timeline->n_changes;
    portrait.at[FG_PORTRAIT_BACK] = share_back(timeline);
    portrait.at[FG_PORTRAIT_INTERVAL_CV] = median_variation(timeline);
    portrait.at[FG_PORTRAIT_HOUR_CV] = hour_variation(timeline);
    portrait.at[FG_PORTRAIT_TOGETHER] = share_together(timeline);
    free(changes);
    return portrait;
}
