#include "lab/refresh/digest.h"

#include "base/memory.h"
#include "base/rng.h"
#include "lab/interval.h"
#include "lab/journal.h"
#include "learn/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_PAGES = 100, RESAMPLING_SEED = 2020 };

/* --- parts --- */

/* One block of memory, cut into parts. */
/* A multiple of eight, for the journal. */
static size_t value_bytes(const struct fg_digest *digest)
{
    size_t n = 0;
    for (size_t i = 0; i < FG_DIGEST_PARTS; i++)
        n += digest->n[i];
    return (n + 1) / 2 * 2 * sizeof *digest->values;
}

static void make_room(struct fg_digest *digest)
{
    digest->values = fg_zeroed(value_bytes(digest), 1);
    float *next = digest->values;
    for (size_t i = 0; i < FG_DIGEST_PARTS; next += digest->n[i++])
        digest->part[i] = next;
}

void fg_digest_clear(struct fg_digest *digest)
{
    free(digest->values);
    *digest = (struct fg_digest){0};
}

size_t fg_digest_step(size_t steps, size_t points, size_t point)
{
    return (point + 1) * steps / points;
}

/* --- days --- */

static double median(const float *values, size_t n)
{
    double *copy = fg_zeroed(n, sizeof *copy);
    for (size_t i = 0; i < n; i++)
        copy[i] = (double)values[i];
    double middle = fg_median_interval(copy, n).mean;
    free(copy);
    return middle;
}

/* Days on which nothing was there have no freshness: NaN. */
static void take_days(struct fg_digest *digest, const struct fg_refresh_outcome *o)
{
    size_t n = digest->n[FG_DIGEST_CLICK];
    for (size_t i = 0; i < n; i++) {
        struct fg_refresh_day sum = {0};
        for (size_t d = i * o->n_days / n; d < (i + 1) * o->n_days / n; d++) {
            sum.weight += o->days[d].weight;
            sum.stale += o->days[d].stale;
            sum.there += o->days[d].there;
            sum.fresh += o->days[d].fresh;
        }
        digest->part[FG_DIGEST_CLICK][i] =
            sum.weight > 0 ? (float)(1 - sum.stale / sum.weight) : NAN;
        digest->part[FG_DIGEST_PAGE][i] =
            sum.there ? (float)((double)sum.fresh / (double)sum.there) : NAN;
    }
    digest->at[FG_CLICK_FRESHNESS] = median(digest->part[FG_DIGEST_CLICK], n);
    digest->at[FG_PAGE_FRESHNESS] = median(digest->part[FG_DIGEST_PAGE], n);
}

static double stale_clicks(const struct fg_refresh_outcome *o)
{
    double stale = 0, all = 0;
    for (size_t i = 0; i < o->n_days; i++) {
        stale += o->days[i].stale;
        all += o->days[i].weight;
    }
    return all > 0 ? stale / all : NAN;
}

/* --- curves --- */

static double mean_reward(const struct fg_refresh_outcome *o, size_t first, size_t end)
{
    double sum = 0;
    for (size_t i = first; i < end; i++)
        sum += (double)o->reward[i];
    return end > first ? sum / (double)(end - first) : NAN;
}

static void take_reward(struct fg_digest *digest, const struct fg_refresh_outcome *o)
{
    size_t points = digest->n[FG_DIGEST_RUNNING], done = 0;
    double sum = 0;
    for (size_t i = 0; i < points; i++) {
        size_t end = fg_digest_step(o->steps, points, i);
        while (done < end)
            sum += (double)o->reward[done++];
        digest->part[FG_DIGEST_RUNNING][i] = (float)(sum / (double)end);
        digest->part[FG_DIGEST_MOVING][i] = (float)mean_reward(
            o, end > FG_DIGEST_WINDOW ? end - FG_DIGEST_WINDOW : 0, end);
    }
    digest->at[FG_REWARD] = mean_reward(o, o->judged_step, o->steps);
    digest->at[FG_REWARD_END] = mean_reward(o, o->steps - o->steps / 5, o->steps);
}

static void take_arms(struct fg_digest *digest, const struct fg_refresh_outcome *o)
{
    size_t points = digest->n_arms ? digest->n[FG_DIGEST_ARMS] / digest->n_arms : 0;
    for (size_t i = 0; i < points; i++) {
        size_t step = fg_digest_step(o->steps, points, i) - 1;
        for (size_t a = 0; a < o->n_arms; a++)
            digest->part[FG_DIGEST_ARMS][i * o->n_arms + a] =
                o->arm_chances[step * o->n_arms + a];
    }
    for (size_t a = 0; a < o->n_arms; a++) {
        char *name = digest->arm_names[a];
        struct fg_str from =
            fg_str_sub(fg_str_from(o->arm_names[a]), 0, FG_DIGEST_NAME - 1);
        memcpy(name, from.at, from.len);
        for (size_t i = 0; i < from.len; i++)
            name[i] = name[i] == ' ' ? '-' : name[i]; /* it is a word in the journal */
    }
}

/* --- had the pages been others --- */

/* Pairs of what was stale and what was there: one a page, or one a block of days. Clicks
 * differ from day to day, and are few on most pages. */
struct units {
    size_t n;
    double (*at)[2];
};

static struct units units_of(const struct fg_refresh_outcome *o,
                             const struct fg_timeline *timeline)
{
    bool is_by_page = !timeline->offers.clicks && o->pages >= FEW_PAGES;
    size_t most = timeline->offers.clicks ? FG_DIGEST_DAYS : FG_DIGEST_BLOCKS;
    struct units units = {.n = is_by_page         ? o->pages
                               : o->n_days < most ? o->n_days
                                                  : most};
    units.at = fg_zeroed(units.n, sizeof *units.at);
    for (size_t i = 0; !is_by_page && i < o->n_days; i++) {
        double *unit = units.at[i * units.n / o->n_days];
        unit[0] += o->days[i].stale;
        unit[1] += o->days[i].weight;
    }
    for (size_t i = 0; is_by_page && i < o->pages; i++) {
        double weight = timeline->weight ? (double)timeline->weight[i] : 1;
        units.at[i][0] = weight * fg_days(o->stale[i]);
        units.at[i][1] = weight * fg_days(o->there[i]);
    }
    return units;
}

/* What the best arm would have got, were it always the same, less what the chances at
 * each step promised. */
static void take_regret(struct fg_digest *digest, const struct fg_refresh_outcome *o)
{
    double sums[FG_ARMS_MAX] = {0}, got = 0;
    size_t points = digest->n[FG_DIGEST_REGRET], done = 0;
    for (size_t i = 0; i < points; i++) {
        double best = 0;
        for (size_t end = fg_digest_step(o->steps, points, i); done < end; done++) {
            got += (double)o->drawn_reward[done];
            for (size_t a = 0; a < o->n_arms; a++)
                sums[a] += (double)o->arm_rewards[done * o->n_arms + a];
        }
        for (size_t a = 0; a < o->n_arms; a++)
            best = fmax(best, sums[a]);
        digest->part[FG_DIGEST_REGRET][i] = best > 0 ? (float)((best - got) / best) : 0;
    }
    if (points)
        digest->at[FG_ARM_REGRET] = (double)digest->part[FG_DIGEST_REGRET][points - 1];
}

/* Two draws of each random number; a bias of n / 2^32 does not show. */
static void resample(struct fg_digest *digest, const struct fg_refresh_outcome *o,
                     const struct fg_timeline *timeline)
{
    struct units units = units_of(o, timeline);
    struct fg_rng rng = fg_rng_from_seed(RESAMPLING_SEED);
    for (size_t r = 0; r < digest->n[FG_DIGEST_RESAMPLED]; r++) {
        double stale = 0, there = 0;
        for (size_t i = 0; i < units.n; i += 2) {
            uint64_t bits = fg_rng_next(&rng);
            const double *one = units.at[(bits >> 32) * units.n >> 32];
            const double *other = units.at[(bits & UINT32_MAX) * units.n >> 32];
            stale += one[0] + (i + 1 < units.n ? other[0] : 0);
            there += one[1] + (i + 1 < units.n ? other[1] : 0);
        }
        digest->part[FG_DIGEST_RESAMPLED][r] = there > 0 ? (float)(stale / there) : NAN;
    }
    free(units.at);
}

/* --- the whole --- */

static void size_up(struct fg_digest *digest, const struct fg_refresh_outcome *o,
                    const struct fg_timeline *timeline)
{
    size_t days = o->n_days, merged = (days + FG_DIGEST_DAYS - 1) / FG_DIGEST_DAYS;
    size_t points = o->steps < FG_DIGEST_POINTS ? o->steps : FG_DIGEST_POINTS;
    size_t arms = o->steps < FG_DIGEST_ARM_POINTS ? o->steps : FG_DIGEST_ARM_POINTS;
    digest->n_arms = o->n_arms;
    digest->n[FG_DIGEST_CLICK] = digest->n[FG_DIGEST_PAGE] = days ? days / merged : 0;
    digest->n[FG_DIGEST_ARMS] = arms * o->n_arms;
    digest->n[FG_DIGEST_REGRET] = o->arm_rewards ? arms : 0;
    if (timeline->is_told_reward)
        digest->n[FG_DIGEST_RUNNING] = digest->n[FG_DIGEST_MOVING] = points;
    else if (days > 1)
        digest->n[FG_DIGEST_RESAMPLED] = FG_DIGEST_RESAMPLES;
    if (timeline->offers.skill)
        digest->n[FG_DIGEST_SKILL] =
            (size_t)FG_FORECAST_TASKS * FG_FORECAST_MODELS * FG_SKILL_PARTS;
}

void fg_digest_make(struct fg_digest *digest, const struct fg_refresh_outcome *outcome,
                    const struct fg_timeline *timeline)
{
    *digest = (struct fg_digest){.steps = outcome->steps,
                                 .visits_late = outcome->visits_late,
                                 .found_late = outcome->found_late};
    for (size_t m = 0; m < FG_REFRESH_METRICS; m++)
        digest->at[m] = NAN;
    size_up(digest, outcome, timeline);
    make_room(digest);
    digest->at[FG_STALE] = timeline->offers.clicks
                               ? stale_clicks(outcome)
                               : fg_refresh_stale(outcome, timeline->weight);
    digest->at[FG_STALE_EQUAL] = fg_refresh_stale(outcome, NULL);
    digest->at[FG_AGE] = timeline->offers.clicks
                             ? fg_refresh_age_of_clicks(outcome)
                             : fg_refresh_age(outcome, timeline->weight);
    digest->at[FG_AGE_EQUAL] = fg_refresh_age(outcome, NULL);
    if (digest->n[FG_DIGEST_CLICK])
        take_days(digest, outcome);
    if (timeline->is_told_reward)
        take_reward(digest, outcome);
    take_arms(digest, outcome);
    take_regret(digest, outcome);
    for (size_t i = 0; i < digest->n[FG_DIGEST_SKILL]; i++)
        digest->part[FG_DIGEST_SKILL][i] = timeline->offers.skill[i];
    if (digest->n[FG_DIGEST_RESAMPLED])
        resample(digest, outcome, timeline);
}

/* --- as text --- */

void fg_digest_write(const struct fg_digest *digest, struct fg_buf *out)
{
    fg_journal_put(out, digest, sizeof *digest);
    fg_journal_put(out, digest->values, value_bytes(digest));
}

bool fg_digest_read(struct fg_digest *digest, struct fg_str text)
{
    bool is_good = fg_journal_take(&text, digest, sizeof *digest);
    digest->values = NULL; /* pointers are of the program that wrote it */
    is_good = is_good && digest->n_arms <= FG_ARMS_MAX;
    for (size_t i = 0; i < FG_DIGEST_PARTS; i++)
        is_good = is_good && digest->n[i] <= FG_DIGEST_ARM_POINTS * FG_ARMS_MAX;
    if (!is_good)
        return false;
    for (size_t i = 0; i < FG_ARMS_MAX; i++)
        digest->arm_names[i][FG_DIGEST_NAME - 1] = 0;
    make_room(digest);
    return fg_journal_take(&text, digest->values, value_bytes(digest)) && !text.len;
}
