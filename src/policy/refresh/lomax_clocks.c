#include "policy/refresh/lomax_clocks.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "policy/policy.h"
#include "policy/refresh/lomax_burst.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A floor of 1 for the speed, or less shrinkage, runs away: a few chance finds make a
 * group suspect, visits find more, and other groups starve. */
static const double slowest = 0.3, fastest = 30;
/* One bin in ten is a storm, in which the speed is Gamma(0.5, 0.05): 10 on average. */
static const double storm_odds = 1.0 / 9, storm_shape = 0.5, storm_rate = 0.05;
static const double hour_pseudo_changes = 20;
static const double hours_kept_a_day = 0.99424;                         /* 120 days */
static const double visits_kept_a_day = 0.97716, least_share = 1.0 / 8; /* 30 days */

enum { HOURS = 24, SATURDAY = 5, THURSDAY = 3 }; /* 1970 began on a Thursday */

static int64_t bin_at(const struct fg_lomax_clocks *clocks, fg_time time)
{
    /* by a constant: it is done for every page that is looked at */
    int64_t bin = clocks->bin == FG_DAY ? time / FG_DAY : time / FG_HOUR;
    return bin - (time < bin * clocks->bin);
}

static int64_t day_of_hour(int64_t hour)
{
    return hour >= 0 ? hour / HOURS : (hour - HOURS + 1) / HOURS;
}

/* Hours of weekdays, then of weekends. */
static size_t hour_kind(int64_t hour)
{
    int64_t day = day_of_hour(hour), weekday = ((day + THURSDAY) % 7 + 7) % 7;
    return (size_t)(hour - day * HOURS) + (weekday >= SATURDAY ? HOURS : 0);
}

static double profile_at(const struct fg_lomax_clocks *clocks, int64_t bin)
{
    return clocks->has_profile ? clocks->profile[hour_kind(bin)] : 1;
}

static size_t place(int64_t bin)
{
    int64_t at = bin % FG_CLOCK_BINS;
    return (size_t)(at < 0 ? at + FG_CLOCK_BINS : at);
}

/* log Gamma(x), x > 0, by Stirling's series from 4 on. */
static double log_gamma(double x)
{
    double below = 1;
    while (x < 4) {
        below *= x;
        x += 1;
    }
    double series = (1.0 / 12 - 1 / (360 * x * x)) / x;
    return (x - 0.5) * fg_log(x) - x + 0.9189385332046727 + series - fg_log(below);
}

/* The logarithm of how likely the finds of a bin are if the speed is Gamma(shape, rate),
 * but for what does not depend on that. */
static double log_evidence(double shape, double rate, double found, double expected)
{
    return log_gamma(shape + found) - log_gamma(shape) + shape * fg_log(rate) -
           (shape + found) * fg_log(rate + expected);
}

/* How fast the clock ran in a bin, the profile apart. */
static double speed_of(const struct fg_lomax_clocks *clocks, double found,
                       double expected)
{
    double calm = clocks->shrinkage, shape = storm_shape, rate = storm_rate;
    double usual = (calm + found) / (calm + expected);
    if (found <= expected) /* no storm, for sure: a calm bin, and most are */
        return fmax(usual, slowest);
    double against = log_evidence(calm, calm, found, expected) -
                     log_evidence(shape, rate, found, expected);
    double chance = storm_odds / (storm_odds + fg_exp(against));
    double speed = chance * (shape + found) / (rate + expected) + (1 - chance) * usual;
    return fmin(fmax(speed, slowest), fastest);
}

/* --- clocks come and go --- */

void fg_lomax_clocks_init(struct fg_lomax_clocks *clocks)
{
    *clocks = (struct fg_lomax_clocks){.bin = FG_DAY, .shrinkage = 30};
    for (size_t i = 0; i < FG_PROFILE_HOURS; i++)
        clocks->profile[i] = 1;
}

void fg_lomax_clocks_clear(struct fg_lomax_clocks *clocks)
{
    free(clocks->at);
    free(clocks->of_group);
    clocks->at = NULL;
    clocks->of_group = NULL;
    clocks->n = clocks->capacity = clocks->groups = 0;
}

void fg_lomax_clocks_restart(struct fg_lomax_clocks *clocks, fg_time bin)
{
    fg_lomax_clocks_clear(clocks);
    clocks->bin = bin;
    clocks->has_profile = bin == FG_HOUR;
}

struct fg_lomax_clock *fg_lomax_clocks_of(const struct fg_lomax_clocks *clocks,
                                          uint32_t group)
{
    uint32_t number = group < clocks->groups ? clocks->of_group[group] : 0;
    return number ? &clocks->at[number - 1] : NULL;
}

static void set_clock_of(struct fg_lomax_clocks *clocks, uint32_t group, size_t clock)
{
    if (group >= clocks->groups) {
        size_t wider = (size_t)group + group / 2 + 16;
        clocks->of_group = fg_resized(clocks->of_group, wider, sizeof(uint32_t));
        memset(clocks->of_group + clocks->groups, 0,
               (wider - clocks->groups) * sizeof(uint32_t));
        clocks->groups = wider;
    }
    clocks->of_group[group] = (uint32_t)clock + 1;
}

static struct fg_lomax_clock *new_clock(struct fg_lomax_clocks *clocks)
{
    if (clocks->n == clocks->capacity) {
        clocks->capacity = clocks->capacity ? clocks->capacity * 2 : 8;
        clocks->at = fg_resized(clocks->at, clocks->capacity, sizeof *clocks->at);
    }
    assert(clocks->at);
    struct fg_lomax_clock *clock = &clocks->at[clocks->n++];
    *clock = (struct fg_lomax_clock){0};
    return clock;
}

static struct fg_lomax_clock *clock_for(struct fg_lomax_clocks *clocks, uint32_t group,
                                        int64_t bin)
{
    struct fg_lomax_clock *clock = fg_lomax_clocks_of(clocks, group);
    if (clock || clocks->n >= clocks->most)
        return clock;
    clock = new_clock(clocks);
    clock->group = group;
    clock->ahead = NAN;
    clock->last = bin;
    clock->stale = bin - FG_CLOCK_BINS + 1;
    for (size_t i = 0; i < FG_CLOCK_BINS; i++)
        clock->bin[i].speed = 1;
    clock->shown = fg_days(clocks->now - bin * clocks->bin);
    set_clock_of(clocks, group, clocks->n - 1);
    return clock;
}

static void drop_idle(struct fg_lomax_clocks *clocks)
{
    double all = 0;
    for (size_t i = 0; i < clocks->n; i++)
        all += clocks->at[i].visits;
    double least = least_share * all / (double)clocks->n;
    size_t kept = 0;
    for (size_t i = 0; i < clocks->n; i++) {
        struct fg_lomax_clock *clock = &clocks->at[i];
        bool stays = clock->visits >= least;
        clocks->of_group[clock->group] = stays ? (uint32_t)kept + 1 : 0;
        if (stays && kept != i)
            clocks->at[kept] = *clock;
        kept += stays;
    }
    clocks->n = kept;
}

static void set_profile(struct fg_lomax_clocks *clocks)
{
    double all = 0;
    for (size_t i = 0; i < FG_PROFILE_HOURS; i++) {
        clocks->profile[i] = (hour_pseudo_changes + clocks->hour_found[i]) /
                             (hour_pseudo_changes + clocks->hour_expected[i]);
        all += clocks->profile[i] * (i < HOURS ? 5.0 / 7 : 2.0 / 7) / HOURS;
    }
    for (size_t i = 0; i < FG_PROFILE_HOURS; i++)
        clocks->profile[i] /= all;
}

void fg_lomax_clocks_fade(struct fg_lomax_clocks *clocks, size_t most)
{
    clocks->most = most;
    for (size_t i = 0; i < FG_PROFILE_HOURS; i++) {
        clocks->hour_found[i] *= hours_kept_a_day;
        clocks->hour_expected[i] *= hours_kept_a_day;
    }
    set_profile(clocks);
    for (size_t i = 0; i < clocks->n; i++)
        clocks->at[i].visits *= visits_kept_a_day;
    if (clocks->n >= most)
        drop_idle(clocks);
}

/* --- reading them --- */

static void add_bins(struct fg_lomax_clock *clock, int64_t bin, double days)
{
    double time = clock->bin[place(clock->last)].time +
                  days * (double)clock->bin[place(clock->last)].speed;
    int64_t first = clock->last + 1;
    first = first > bin - FG_CLOCK_BINS ? first : bin - FG_CLOCK_BINS + 1;
    for (int64_t i = first; i <= bin; i++) {
        clock->found[place(i)] = clock->expected[place(i)] = 0;
        clock->bin[place(i)].speed = 1;
        clock->bin[place(i)].time = time + days * (double)(i - clock->last - 1);
    }
    clock->stale = clock->stale < clock->last ? clock->stale : clock->last;
    clock->last = bin;
}

/* Sums up from the first bin whose speed has moved; the oldest bin starts anew at the
 * time that the one before it had. */
static void sum_up(const struct fg_lomax_clocks *clocks, struct fg_lomax_clock *clock)
{
    double days = fg_days(clocks->bin);
    int64_t oldest = clock->last - FG_CLOCK_BINS + 1;
    int64_t from = clock->stale > oldest ? clock->stale : oldest;
    double time = clock->bin[place(from)].time;
    for (int64_t i = from; i <= clock->last; i++) {
        size_t at = place(i);
        clock->bin[at].time = time;
        clock->bin[at].speed = (float)(speed_of(clocks, (double)clock->found[at],
                                                (double)clock->expected[at]) *
                                       profile_at(clocks, i));
        time += days * (double)clock->bin[at].speed;
    }
    clock->stale = INT64_MAX;
}

static double time_at(const struct fg_lomax_clocks *clocks,
                      const struct fg_lomax_clock *clock, fg_time when)
{
    int64_t bin = bin_at(clocks, when), oldest = clock->last - FG_CLOCK_BINS + 1;
    if (bin < oldest)
        return clock->bin[place(oldest)].time - fg_days(oldest * clocks->bin - when);
    bin = bin < clock->last ? bin : clock->last;
    return clock->bin[place(bin)].time +
           fg_days(when - bin * clocks->bin) * (double)clock->bin[place(bin)].speed;
}

void fg_lomax_clocks_update(struct fg_lomax_clocks *clocks, fg_time now)
{
    int64_t bin = bin_at(clocks, now);
    for (size_t i = 0; i < clocks->n; i++) {
        struct fg_lomax_clock *clock = &clocks->at[i];
        if (bin > clock->last)
            add_bins(clock, bin, fg_days(clocks->bin));
        if (clock->stale <= clock->last)
            sum_up(clocks, clock);
        clock->shown = time_at(clocks, clock, now);
    }
    clocks->now = now;
}

double fg_lomax_clocks_between(const struct fg_lomax_clocks *clocks, uint32_t group,
                               fg_time from, fg_time to)
{
    const struct fg_lomax_clock *clock = fg_lomax_clocks_of(clocks, group);
    if (!clock)
        return fg_days(to - from);
    double shown = to == clocks->now ? clock->shown : time_at(clocks, clock, to);
    return shown - time_at(clocks, clock, from);
}

void fg_lomax_clocks_fetch(const struct fg_lomax_clocks *clocks, uint32_t group,
                           fg_time from)
{
    const struct fg_lomax_clock *clock = fg_lomax_clocks_of(clocks, group);
    if (!clock || from == FG_NEVER)
        return;
    __builtin_prefetch(clock);
    __builtin_prefetch(&clock->bin[place(bin_at(clocks, from))]);
}

double fg_lomax_clock_ahead(const struct fg_lomax_clocks *clocks,
                            const struct fg_lomax_clock *clock, fg_time now)
{
    return time_at(clocks, clock, now) - fg_days(now);
}

/* --- learning --- */

/* Of the span from `from` to `to`, in days since the visit, the expected changes. */
static double hazard_of(struct fg_gamma_rate rate, double from, double to)
{
    double share = (to - from) / (rate.b + from);
    return rate.a * (share < 0.3 ? share / (1 + share / 2) : fg_log(1 + share));
}

struct span {
    int64_t first, last;
    double hazard[FG_CLOCK_BINS + 1], all;
};

static void cut_up(struct span *span, const struct fg_lomax_clocks *clocks,
                   const struct fg_lomax_clock *clock, struct fg_gamma_rate rate,
                   fg_time from, fg_time to)
{
    span->last = bin_at(clocks, to);
    span->first = bin_at(clocks, from);
    if (span->first <= span->last - FG_CLOCK_BINS)
        span->first = span->last - FG_CLOCK_BINS + 1;
    span->all = 0;
    for (int64_t i = span->first; i <= span->last; i++) {
        fg_time start = i * clocks->bin, end = start + clocks->bin;
        double since = start > from ? fg_days(start - from) : 0;
        double until = fg_days((end < to ? end : to) - from);
        size_t at = (size_t)(i - span->first);
        span->hazard[at] = until > since ? hazard_of(rate, since, until) : 0;
        span->all += span->hazard[at] * (double)clock->bin[place(i)].speed;
    }
}

void fg_lomax_clocks_learn(struct fg_lomax_clocks *clocks, uint32_t group,
                           struct fg_gamma_rate rate, fg_time from, fg_time to,
                           bool changed)
{
    int64_t bin = bin_at(clocks, to);
    struct fg_lomax_clock *clock = clock_for(clocks, group, bin);
    if (!clock || from >= to)
        return;
    if (bin > clock->last)
        add_bins(clock, bin, fg_days(clocks->bin));
    if (bin <= clock->last - FG_CLOCK_BINS)
        return; /* the wall's clock was set back by more than we remember */
    struct span span;
    cut_up(&span, clocks, clock, rate, from, to);
    double share = changed && span.all > 0 ? fg_at_least_one(span.all) / span.all : 0;
    for (int64_t i = span.first; i <= span.last; i++) {
        double hazard = span.hazard[i - span.first], profile = profile_at(clocks, i);
        double weighed = hazard * (double)clock->bin[place(i)].speed;
        clock->expected[place(i)] += (float)(hazard * profile);
        clock->found[place(i)] += (float)(share * weighed);
        if (clocks->has_profile) {
            clocks->hour_expected[hour_kind(i)] += weighed / profile;
            clocks->hour_found[hour_kind(i)] += share * weighed;
        }
    }
    clock->stale = clock->stale < span.first ? clock->stale : span.first;
    clock->visits++;
}

/* --- saving --- */

static void put(struct fg_buf *out, const void *at, size_t bytes)
{
    fg_buf_add(out, (struct fg_str){at, bytes});
}

void fg_lomax_clocks_save(const struct fg_lomax_clocks *clocks, struct fg_buf *out)
{
    uint64_t n = clocks->n;
    put(out, &clocks->bin, sizeof clocks->bin);
    put(out, clocks->hour_found, sizeof clocks->hour_found);
    put(out, clocks->hour_expected, sizeof clocks->hour_expected);
    put(out, clocks->profile, sizeof clocks->profile);
    put(out, &n, sizeof n);
}

void fg_lomax_clock_save(const struct fg_lomax_clocks *clocks, uint32_t group,
                         struct fg_buf *out)
{
    const struct fg_lomax_clock *clock = fg_lomax_clocks_of(clocks, group);
    if (!clock)
        return;
    uint32_t place_of = (uint32_t)(clock - clocks->at);
    struct fg_lomax_clock saved;
    memcpy(&saved, clock, sizeof saved); /* the gaps, too: same state, same bytes */
    saved.shown = 0;                     /* of the update at hand */
    put(out, &place_of, sizeof place_of);
    put(out, &saved, sizeof saved);
}

static bool is_sane(const struct fg_lomax_clocks *clocks,
                    const struct fg_lomax_clock *clock)
{
    int64_t most = FG_TIME_MOST / clocks->bin;
    return clock->last >= -most && clock->last <= most && clock->stale >= -most;
}

bool fg_lomax_clock_load(struct fg_lomax_clocks *clocks, struct fg_str *bytes)
{
    uint32_t at;
    struct fg_lomax_clock clock;
    if (!fg_str_take(bytes, &at, sizeof at) || !fg_str_take(bytes, &clock, sizeof clock))
        return false;
    if (at < clocks->n && is_sane(clocks, &clock))
        clocks->at[at] = clock;
    return true;
}

bool fg_lomax_clocks_load(struct fg_lomax_clocks *clocks, struct fg_str *bytes,
                          bool is_former, uint64_t most)
{
    fg_time bin;
    uint64_t n;
    if (!fg_str_take(bytes, &bin, sizeof bin) || (bin != FG_DAY && bin != FG_HOUR))
        return false;
    fg_lomax_clocks_restart(clocks, bin);
    if (!fg_str_take(bytes, clocks->hour_found, sizeof clocks->hour_found) ||
        !fg_str_take(bytes, clocks->hour_expected, sizeof clocks->hour_expected) ||
        !fg_str_take(bytes, clocks->profile, sizeof clocks->profile) ||
        !fg_str_take(bytes, &n, sizeof n) ||
        n > (is_former ? bytes->len / sizeof *clocks->at : most))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        struct fg_lomax_clock *clock = new_clock(clocks);
        clock->group = UINT32_MAX;
        if (is_former)
            fg_str_take(bytes, clock, sizeof *clock);
        if (!is_sane(clocks, clock))
            return false;
    }
    return true;
}

void fg_lomax_clocks_renumber(struct fg_lomax_clocks *clocks, const uint32_t *to,
                              size_t groups)
{
    size_t kept = 0;
    for (size_t i = 0; i < clocks->n; i++) {
        uint32_t from = clocks->at[i].group;
        uint32_t group = from < groups ? to[from] : UINT32_MAX;
        if (group == UINT32_MAX || fg_lomax_clocks_of(clocks, group))
            continue;
        clocks->at[kept] = clocks->at[i];
        clocks->at[kept].group = group;
        set_clock_of(clocks, group, kept++);
    }
    clocks->n = kept;
}
