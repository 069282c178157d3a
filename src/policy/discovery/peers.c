/* peers.c - how Apache Nutch and StormCrawler decide when to fetch a page again
 *
 * `nutch-adaptive` is Nutch's AdaptiveFetchSchedule. A page that has changed is visited
 * sooner next time, I := I (1 - dec), one that has not later, I := I (1 + inc). It also
 * tries to fall into step with the changes: with d the time since the last change seen,
 * I is raised to d where it is less, and the next visit is drawn forward by sync d. Rates
 * are those of nutch-default.xml (.4, .2, .3; the Java code falls back to .2 each). A
 * first visit can compare with nothing and leaves I as it is, at 30 days: in a month of
 * hourly links a page is seen once or twice, so set `initial` when that is not the point.
 * We follow the documented rule. Current Nutch has a branch for d over the maximum that
 * means to draw forward by sync times the maximum, but divides integers and so draws by
 * nothing; here it does what was meant.
 *
 * `stormcrawler-adaptive` is StormCrawler's AdaptiveScheduler, which shrinks towards the
 * minimum instead, I := (1 - dec) I + dec min, and forgets a page's interval when a fetch
 * fails. `fixed` is what both do by default, and most others always: Nutch every 30 days,
 * StormCrawler every day, changedetection.io every 3 hours, Miniflux every hour.
 *
 * `lastmod` is Norconex's: a page whose sitemap says that it was modified since the last
 * visit is fetched, any other only after its interval. Here any signal that the outside
 * gives counts as such. It believes what sites say, and few say it rightly.
 *
 * After a failed fetch Nutch waits a day and StormCrawler two hours. What breaks them all
 * is said in due.h: nobody asks what a visit is worth. */
#include "policy/discovery/due.h"

#include <math.h>

enum { WAIT = FG_DUE_WAIT, INTERVAL, CHANGED };

static double interval_of(const struct fg_brain *brain, size_t page, double initial)
{
    float interval = brain->f32[INTERVAL][page];
    return interval > 0 ? (double)interval : initial;
}

static void set_interval(struct fg_brain *brain, size_t page, double interval)
{
    brain->f32[INTERVAL][page] = (float)interval;
    brain->f32[WAIT][page] = (float)interval;
}

/* nutch-adaptive */

enum { N_INITIAL = FG_DUE_KNOBS, N_INC, N_DEC, N_SYNC, N_MIN, N_MAX, N_RETRY };
static const struct fg_param nutch_params[] = {
    FG_DUE_PARAM,
    [N_INITIAL] = {"initial", 720, 1.0 / 60, 87600, "hours between the first visits"},
    [N_INC] = {"inc", 0.4, 0, 10, "share by which no change makes the interval longer"},
    [N_DEC] = {"dec", 0.2, 0, 0.99, "share by which a change makes it shorter"},
    [N_SYNC] = {"sync", 0.3, 0, 1, "share of the age of the last change to come sooner"},
    [N_MIN] = {"min", 1.0 / 60, 1e-3, 87600, "least hours between visits"},
    [N_MAX] = {"max", 8760, 1e-3, 87600, "most hours between visits"},
    [N_RETRY] = {"retry", 24, 1e-3, 87600, "hours to wait after a failure"},
    {0},
};
static const struct fg_column nutch_columns[] = {
    FG_DUE_COLUMN,
    [INTERVAL] = {"interval", FG_F32, 0},
    [CHANGED] = {"changed", FG_I64,
                 .holds = FG_TIMES}, /* when the last change was seen */
    {0},
};

static void nutch_observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    size_t page = visit->page;
    const double *knob = brain->knob;
    if (!visit->ok) {
        brain->f32[WAIT][page] = (float)knob[N_RETRY];
        return;
    }
    bool is_first = brain->f32[INTERVAL][page] == 0;
    bool has_changed = fg_due_changed(visit);
    double interval = interval_of(brain, page, knob[N_INITIAL]);
    if (!is_first)
        interval *= has_changed ? 1 - knob[N_DEC] : 1 + knob[N_INC];
    if (is_first || has_changed || brain->i64[CHANGED][page] == FG_NEVER)
        brain->i64[CHANGED][page] = visit->now;
    double age = fmax(0, fg_hours(visit->now - brain->i64[CHANGED][page]));
    interval = fg_due_clamp(fmax(interval, age), knob[N_MIN], knob[N_MAX]);
    set_interval(brain, page, interval);
    brain->f32[WAIT][page] -= (float)(knob[N_SYNC] * fmin(age, knob[N_MAX]));
}

const struct fg_policy fg_policy_nutch_adaptive = {
    .name = "nutch-adaptive",
    .summary = "Nutch's schedule: sooner after a change, later after none",
    .tasks = FG_DISCOVERY | FG_REFRESH,
    .params = nutch_params,
    .columns = nutch_columns,
    .observe = nutch_observe,
    .score = fg_due_score,
    .explain = fg_due_explain,
};

/* stormcrawler-adaptive */

enum { S_INITIAL = FG_DUE_KNOBS, S_INC, S_DEC, S_MIN, S_MAX, S_RETRY };
static const struct fg_param storm_params[] = {
    FG_DUE_PARAM,
    [S_INITIAL] = {"initial", 24, 1.0 / 60, 87600, "hours between the first visits"},
    [S_INC] = {"inc", 0.5, 0, 10, "share by which no change makes the interval longer"},
    [S_DEC] = {"dec", 0.5, 0, 1, "share of the way to the minimum that a change takes"},
    [S_MIN] = {"min", 1, 1e-3, 87600, "hours between visits that changes lead to"},
    [S_MAX] = {"max", 336, 1e-3, 87600, "most hours between visits"},
    [S_RETRY] = {"retry", 2, 1e-3, 87600, "hours to wait after a failure"},
    {0},
};
static const struct fg_column storm_columns[] = {
    FG_DUE_COLUMN,
    [INTERVAL] = {"interval", FG_F32, 0},
    {0},
};

static void storm_observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    size_t page = visit->page;
    const double *knob = brain->knob;
    if (!visit->ok) {
        set_interval(brain, page, 0);
        brain->f32[WAIT][page] = (float)knob[S_RETRY];
        return;
    }
    double interval = interval_of(brain, page, knob[S_INITIAL]);
    if (brain->f32[INTERVAL][page] == 0)
        set_interval(brain, page, interval);
    else if (fg_due_changed(visit))
        set_interval(brain, page,
                     (1 - knob[S_DEC]) * interval + knob[S_DEC] * knob[S_MIN]);
    else
        set_interval(brain, page, fmin(interval * (1 + knob[S_INC]), knob[S_MAX]));
}

const struct fg_policy fg_policy_stormcrawler_adaptive = {
    .name = "stormcrawler-adaptive",
    .summary = "StormCrawler's schedule: towards the minimum after a change",
    .tasks = FG_DISCOVERY | FG_REFRESH,
    .params = storm_params,
    .columns = storm_columns,
    .observe = storm_observe,
    .score = fg_due_score,
    .explain = fg_due_explain,
};

/* fixed */

enum { F_INTERVAL = FG_DUE_KNOBS };
static const struct fg_param fixed_params[] = {
    FG_DUE_PARAM,
    [F_INTERVAL] = {"interval", 24, 1.0 / 60, 87600, "hours between visits"},
    {0},
};
static const struct fg_column fixed_columns[] = {FG_DUE_COLUMN, {0}};

static void fixed_observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    brain->f32[WAIT][visit->page] = (float)brain->knob[F_INTERVAL];
}

const struct fg_policy fg_policy_fixed = {
    .name = "fixed",
    .summary = "every page after the same number of hours",
    .tasks = FG_DISCOVERY | FG_REFRESH,
    .params = fixed_params,
    .columns = fixed_columns,
    .observe = fixed_observe,
    .score = fg_due_score,
    .explain = fg_due_explain,
};

/* lastmod */

enum { L_INTERVAL = FG_DUE_KNOBS };
static const struct fg_param lastmod_params[] = {
    FG_DUE_PARAM,
    [L_INTERVAL] = {"interval", 720, 1.0 / 60, 87600,
                    "hours between visits without a signal"},
    {0},
};

static void lastmod_observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    brain->f32[WAIT][visit->page] = (float)brain->knob[L_INTERVAL];
}

static void lastmod_signal(struct fg_brain *brain, size_t page, fg_time now)
{
    (void)now;
    brain->f32[WAIT][page] = 0;
}

const struct fg_policy fg_policy_lastmod = {
    .name = "lastmod",
    .summary = "Norconex's schedule: what its site says was modified, the rest seldom",
    .tasks = FG_REFRESH,
    .params = lastmod_params,
    .columns = fixed_columns,
    .observe = lastmod_observe,
    .signal = lastmod_signal,
    .score = fg_due_score,
    .explain = fg_due_explain,
};
