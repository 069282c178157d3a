/* whatif.c - experiments about estimates: what a crawl's log says that another policy or
 * another number of looks would have found, against what it does find
 *
 * On each site a crawl by link-types with one look an hour for seventeen sources, at
 * least two, leaves a log. Of its twins (estimate.h) it is asked what the policy at hand
 * finds with so many times as many looks; the site itself knows. The same of the half of
 * the log for the other half of the site's time: how soon new links will be found, and
 * how many looks it takes to find enough of them within three hours. */
#include "lab/findings.h"
#include "lab/sites.h"
#include "lab/twin/estimate.h"

#include <math.h>

enum {
    BIAS,
    RMS,
    HELD,
    WIDTH,
    SOON_SAID,
    SOON_CAME,
    SOON_OFF,
    SOON_HELD,
    NEED,
    NEED_RMS,
    METRICS,
};

static const struct fg_metric_info infos[METRICS] = {
    [BIAS] = {"bias", "finds, said against came", "%", 100, 2},
    [RMS] = {"rms", "finds, error (rms)", "%", 100, 2, true, .statistic = "rms"},
    [HELD] = {"held", "finds within what was said", "%", 100, 1},
    [WIDTH] = {"width", "width of what was said", "%", 100, 1, true},
    [SOON_SAID] = {"soon_said", "found within 3 h, said of the next weeks", "%", 100, 1},
    [SOON_CAME] = {"soon_came", "found within 3 h, came", "%", 100, 1},
    [SOON_OFF] = {"soon_off", "the same, mean error", "%", 100, 2, true},
    [SOON_HELD] = {"soon_held", "shares within what was said", "%", 100, 1},
    [NEED] = {"need", "looks that a level takes, said against needed", "", 1, 3,
              .statistic = "geometric mean"},
    [NEED_RMS] = {"need_rms", "the same, error (rms)", "%", 100, 1, true,
                  .statistic = "rms"},
};

/* At all, within an hour, three, six. */
enum { SHARES = 4, SOON = 2, GOALS = 2 };
static const fg_time levels[FG_TRIAL_LEVELS] = {0, FG_HOUR, 3 * FG_HOUR, 6 * FG_HOUR};
static const double goals[GOALS] = {0.8, 0.9};

struct whatif_run {
    double said, low, high, came;                  /* finds in the same weeks */
    double share_said[SHARES], share_came[SHARES]; /* of the next */
    double need[GOALS];                            /* logarithm of said / needed; NaN */
};

/* --- a run --- */

static double log_looks(const struct fg_site *site)
{
    double looks = round((double)site->facts.sources / 17);
    return looks > 2 ? looks : 2;
}

static enum fg_status make_twins(struct fg_twins *twins, const struct fg_site *site,
                                 uint64_t seed, struct fg_err *err)
{
    struct fg_looked looked;
    const struct fg_policy *policy = fg_policy_find(FG_STR("link-types"), FG_DISCOVERY);
    enum fg_status st =
        fg_looked_replay(&looked, site, policy, log_looks(site), seed, err);
    if (!st)
        fg_twins_make(twins, &looked, site->facts.step, seed);
    fg_looked_clear(&looked);
    return st;
}

static enum fg_status judge_past(struct whatif_run *run, const struct fg_site *site,
                                 const struct fg_trial_rules *rules, struct fg_err *err)
{
    struct fg_twins twins;
    struct fg_estimate estimate;
    struct fg_trial truth;
    enum fg_status st = make_twins(&twins, site, rules->seed + 1, err);
    if (st)
        return st;
    st = fg_twins_try(&estimate, &twins, rules, err);
    fg_twins_clear(&twins);
    if (!st)
        st = fg_trial_run(&truth, site, rules, err);
    if (st)
        return st;
    run->said = estimate.found.mean;
    run->low = estimate.found.low;
    run->high = estimate.found.high;
    run->came = truth.found;
    return FG_OK;
}

static double share_of(const struct fg_trial *trial, size_t i)
{
    return i ? trial->within[i] : trial->found / trial->there;
}

static enum fg_status judge_need(struct whatif_run *run, const struct fg_twins *twins,
                                 const struct fg_site *site,
                                 const struct fg_trial_rules *rules, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    struct fg_trial_rules own = *rules;
    double most = (double)site->facts.sources;
    own.level[0] = levels[SOON];
    for (size_t g = 0; !st && g < GOALS; g++) {
        double said, needed;
        st = fg_twins_need(&said, twins, &own, goals[g], 0.05, most, err);
        if (!st)
            st = fg_trial_need(&needed, &site, 1, &own, goals[g], 0.05, most, err);
        run->need[g] = st || isinf(said) || isinf(needed) ? NAN : log(said / needed);
    }
    return st;
}

static enum fg_status judge_future(struct whatif_run *run, const struct fg_site *site,
                                   const struct fg_trial_rules *rules, bool wants_need,
                                   struct fg_err *err)
{
    size_t half = site->facts.steps / 2;
    struct fg_site *before = fg_site_part(site, 0, half),
                   *after = fg_site_part(site, half, site->facts.steps - half);
    struct fg_twins twins;
    struct fg_estimate estimate;
    struct fg_trial truth;
    enum fg_status st = make_twins(&twins, before, rules->seed + 2, err);
    if (!st) {
        st = fg_twins_try(&estimate, &twins, rules, err);
        if (!st)
            st = fg_trial_run(&truth, after, rules, err);
        for (size_t i = 0; !st && i < SHARES; i++) {
            run->share_said[i] = share_of(&estimate.trial, i);
            run->share_came[i] = share_of(&truth, i);
        }
        if (!st && wants_need)
            st = judge_need(run, &twins, after, rules, err);
        fg_twins_clear(&twins);
    }
    fg_site_free(before);
    fg_site_free(after);
    return st;
}

static enum fg_status run(void *into, const struct fg_job *job, struct fg_err *err)
{
    struct whatif_run *run = into;
    const struct fg_site *site = job->item;
    *run = (struct whatif_run){.need = {NAN, NAN}};
    if (!job->budget->is_share)
        return fg_fail(err, FG_ECONFIG,
                       "a budget is a share of the looks of the log, such as 200 %%");
    struct fg_trial_rules rules = {.policy = job->policy,
                                   .knobs = job->entrant->knobs,
                                   .n_knobs = job->entrant->n_knobs,
                                   .a_step = job->budget->value * log_looks(site),
                                   .warm_up = job->experiment->warm_up,
                                   .seed = job->seed};
    for (size_t i = 0; i < FG_TRIAL_LEVELS; i++)
        rules.level[i] = levels[i];
    enum fg_status st = judge_past(run, site, &rules, err);
    return st ? st : judge_future(run, site, &rules, job->budget->value == 1, err);
}

/* --- figures --- */

static double mean_of(const double *values, size_t n)
{
    double sum = 0, counted = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i])) {
            sum += values[i];
            counted++;
        }
    return counted > 0 ? sum / counted : NAN;
}

static double held_share(const struct whatif_run *run)
{
    double held = 0;
    for (size_t i = 0; i < SHARES; i++) {
        struct fg_range range = fg_share_range(run->share_said[i]);
        held += run->share_came[i] >= range.low && run->share_came[i] <= range.high;
    }
    return held / SHARES;
}

static double need_of(const struct whatif_run *run, bool is_square)
{
    double values[GOALS];
    for (size_t g = 0; g < GOALS; g++)
        values[g] = is_square ? run->need[g] * run->need[g] : run->need[g];
    return mean_of(values, GOALS);
}

/* Of one run: what is averaged over sites. */
static double value_of(const struct whatif_run *run, size_t metric)
{
    double error = log(run->said / run->came);
    switch (metric) {
    case BIAS:
        return error;
    case RMS:
        return error * error;
    case HELD:
        return run->came >= run->low && run->came <= run->high;
    case WIDTH:
        return (run->high - run->low) / run->said;
    case SOON_SAID:
        return run->share_said[SOON];
    case SOON_CAME:
        return run->share_came[SOON];
    case SOON_OFF:
        return fabs(run->share_said[SOON] - run->share_came[SOON]);
    case SOON_HELD:
        return held_share(run);
    default:
        return need_of(run, metric == NEED_RMS);
    }
}

/* Seeds are averaged for each site first. */
static struct fg_figure figure(struct fg_findings *f, size_t entrant, size_t metric)
{
    size_t seeds = f->entrants->seeds[entrant];
    double *sites = FG_NEW(&f->scratch, double, f->items + 1);
    double *values = FG_NEW(&f->scratch, double, seeds + 1);
    for (size_t i = 0; i < f->items; i++) {
        for (size_t s = 0; s < seeds; s++) {
            const struct whatif_run *at = fg_findings_run(f, i, entrant, s);
            values[s] = at && at->came > 0 ? value_of(at, metric) : NAN;
        }
        sites[i] = mean_of(values, seeds);
    }
    struct fg_figure mean = fg_bootstrap_mean(fg_findings_boot(f, f->items), sites);
    if (metric == RMS || metric == NEED_RMS)
        return (struct fg_figure){sqrt(mean.mean), sqrt(mean.lo), sqrt(mean.hi)};
    if (metric == NEED)
        return (struct fg_figure){exp(mean.mean), exp(mean.lo), exp(mean.hi)};
    return mean;
}

static size_t count_sites(const struct fg_findings *f, size_t entrant)
{
    (void)entrant;
    return f->items;
}

static bool compare(struct fg_findings *f, struct fg_pairing *pair, size_t a, size_t b)
{
    (void)f;
    (void)pair;
    (void)a;
    (void)b;
    return false; /* estimates are held against what came, not against each other */
}

static void free_site(void *site)
{
    fg_site_free(site);
}

/* --- the kind --- */

static const size_t compared[] = {BIAS};
static const char *const charts[] = {NULL};

const struct fg_experiment_kind fg_experiment_whatif = {
    .name = "what-if",
    .task = FG_DISCOVERY,
    .workload_keys = fg_workload_site_keys,
    .source = "a workload has one of generate, data, recording and store",
    .budget = "a budget is a share of the looks of the log, such as 200 %",
    .most_percent = 1600,
    FG_COMPARED(compared),
    .charts = charts,
    .record = "recording",
    .records = "recordings",
    .add = fg_sites_add,
    .free_item = free_site,
    .runs.bytes = sizeof(struct whatif_run),
    .runs.run = run,
    .metrics.info = infos,
    .metrics.n = METRICS,
    .metrics.n_main = METRICS,
    .findings.count = count_sites,
    .findings.figure = figure,
    .findings.compare = compare,
};
