/* How it is cheap: a page is looked at when something happens to it, and is then charged
 * for the time since it last was; at the end of a day all are. */
#include "lab/refresh/replay.h"

#include "base/memory.h"
#include "base/rng.h"
#include "lab/replay.h"
#include "policy/mind.h"

#include <math.h>
#include <stdlib.h>

enum { PROFILE_PARTS = 12 };
/* Of the seed, beside those of the policy's mind, which count from 0. */
static const uint64_t STREAM_OF_LUCK = UINT64_MAX;

struct fg_refreshing {
    const struct fg_timeline *timeline;
    const struct fg_refresh_rules *rules;
    struct fg_refresh_outcome *outcome;
    struct fg_mind *mind;
    /* by page */
    uint32_t *value, *copy;
    bool *has_copy, *is_there, *is_stale; /* stale: and there */
    fg_time *charged;                     /* up to when */
    fg_time *stale_since;
    uint32_t *counted; /* changes in all, for foresight */
    /* arrivals and departures by time: pages, and how many are over */
    uint32_t *coming, *going;
    size_t come, gone, changed, hinted;
    size_t fresh; /* copies, of pages that are there */
    fg_time now;
    /* the day at hand: its number, how it weighs a page, NULL unless it is judged */
    size_t day;
    struct fg_refresh_day *tally;
    const float *weight;               /* of clicks a day or of time; NULL: 1 */
    double profile[PROFILE_PARTS + 1]; /* share of a day's clicks up to each part */
    double credit;
    float *rates; /* room for those of an arm; NULL: regret is not asked for */
    size_t told_day;
    struct fg_foresight foresight;
    struct fg_rng luck; /* with visits that may fail */
};

/* --- charging --- */

static fg_time day_start(const struct fg_refreshing *r, size_t day)
{
    return r->timeline->from + (fg_time)day * FG_DAY;
}

/* The share of the clicks of the day at hand that come before `time`. */
static double clicks_until(const struct fg_refreshing *r, fg_time time)
{
    double parts = fg_days(time - day_start(r, r->day)) * PROFILE_PARTS;
    if (!r->timeline->offers.clicks || !r->timeline->offers.click_profile)
        return parts / PROFILE_PARTS;
    size_t part = (size_t)parts;
    if (part >= PROFILE_PARTS)
        return r->profile[PROFILE_PARTS];
    double within = parts - (double)part;
    return r->profile[part] + within * (r->profile[part + 1] - r->profile[part]);
}

/* Clicks on a stale copy times its age, the clicks of a part of the day being spread
 * evenly over it. */
static double age_of_clicks(const struct fg_refreshing *r, fg_time stale_since,
                            fg_time from, fg_time now)
{
    double sum = 0;
    fg_time part = FG_DAY / PROFILE_PARTS, start = day_start(r, r->day);
    while (from < now) {
        fg_time end = start + ((from - start) / part + 1) * part;
        end = end < now ? end : now;
        double age = fg_days(from - stale_since) + fg_days(end - from) / 2;
        sum += (clicks_until(r, end) - clicks_until(r, from)) * age;
        from = end;
    }
    return sum;
}

static void charge(struct fg_refreshing *r, size_t page, fg_time now)
{
    struct fg_refresh_outcome *o = r->outcome;
    fg_time from = r->charged[page];
    from = from < r->timeline->judged_from ? r->timeline->judged_from : from;
    r->charged[page] = now;
    if (!r->is_there[page] || now <= from)
        return;
    double clicks = 0;
    if (r->tally) {
        clicks = (r->weight ? (double)r->weight[page] : 1) *
                 (clicks_until(r, now) - clicks_until(r, from));
        r->tally->weight += clicks;
    }
    o->there[page] += now - from;
    if (!r->is_stale[page])
        return;
    double begin = fg_days(from - r->stale_since[page]);
    double end = fg_days(now - r->stale_since[page]);
    o->stale[page] += now - from;
    o->age[page] += (end * end - begin * begin) / 2;
    if (!r->tally)
        return;
    r->tally->stale += clicks;
    r->tally->age += (r->weight ? (double)r->weight[page] : 1) *
                     age_of_clicks(r, r->stale_since[page], from, now);
}

static void set_stale(struct fg_refreshing *r, size_t page, bool is_stale, fg_time now)
{
    if (is_stale == r->is_stale[page])
        return;
    charge(r, page, now);
    r->is_stale[page] = is_stale;
    r->stale_since[page] = now;
    r->fresh += is_stale ? (size_t)-1 : 1;
}

/* --- days --- */

static void open_day(struct fg_refreshing *r, fg_time now)
{
    const struct fg_timeline *t = r->timeline;
    struct fg_refresh_outcome *o = r->outcome;
    r->day = (size_t)((now - t->from) / FG_DAY);
    bool is_judged = r->day >= o->first_day && r->day < o->first_day + o->n_days;
    r->tally = is_judged ? &o->days[r->day - o->first_day] : NULL;
    r->weight = t->weight;
    if (t->offers.clicks) {
        bool has_clicks = r->day >= t->offers.first_day &&
                          r->day < t->offers.first_day + t->offers.days;
        r->weight =
            has_clicks ? t->offers.clicks + (r->day - t->offers.first_day) * t->n : NULL;
        r->tally = has_clicks ? r->tally : NULL;
    }
}

static void close_day(struct fg_refreshing *r, fg_time now)
{
    for (size_t page = 0; page < r->timeline->n; page++)
        charge(r, page, now);
    if (r->tally) {
        r->tally->there = fg_mind_world(r->mind)->n;
        r->tally->fresh = r->fresh;
    }
    open_day(r, now);
}

/* --- what the policy is told --- */

static void tell(struct fg_refreshing *r, size_t row, fg_time now)
{
    const struct fg_timeline *t = r->timeline;
    size_t page = fg_mind_world(r->mind)->id[row];
    size_t day = (size_t)((now - t->from) / FG_DAY);
    if (day < t->offers.first_day || day >= t->offers.first_day + t->offers.days)
        return;
    for (unsigned kind = 0; kind < FG_TOLD_KINDS; kind++)
        if (t->offers.told[kind])
            fg_mind_tell(r->mind, row, kind,
                         t->offers.told[kind][(day - t->offers.first_day) * t->n + page]);
}

static bool tells_anything(const struct fg_timeline *timeline)
{
    bool tells = false;
    for (size_t kind = 0; kind < FG_TOLD_KINDS; kind++)
        tells |= timeline->offers.told[kind] != NULL;
    return tells;
}

static void tell_all(struct fg_refreshing *r, fg_time now)
{
    for (size_t row = 0; row < fg_mind_world(r->mind)->n; row++)
        tell(r, row, now);
}

/* Visits to a page that is lost fail, and of the others so many as the timeline says. */
static double success_of(const struct fg_timeline *t, size_t page)
{
    return t->is_lost && t->is_lost[page] ? 0 : 1 - t->failures;
}

static bool fails(struct fg_refreshing *r, size_t page)
{
    double success = success_of(r->timeline, page);
    return success < 1 && !(fg_rng_unit(&r->luck) < success);
}

/* Whether it was answered: otherwise the copy stays as it is. */
static bool visit(struct fg_refreshing *r, size_t row, fg_time now)
{
    size_t page = fg_mind_world(r->mind)->id[row];
    bool ok = !fails(r, page);
    struct fg_visit visit = {.page = row,
                             .now = now,
                             .ok = ok,
                             .changed = ok && r->is_stale[page],
                             .modified = FG_NEVER,
                             .cost = 1};
    if (ok) {
        r->copy[page] = r->value[page];
        r->has_copy[page] = true;
        set_stale(r, page, false, now);
    }
    fg_mind_observe(r->mind, &visit);
    return ok;
}

/* --- what happens to pages --- */

static fg_time first_of(const struct fg_refreshing *r, size_t page)
{
    fg_time first = r->timeline->first ? r->timeline->first[page] : r->timeline->from;
    return first < r->timeline->crawled_from ? r->timeline->crawled_from : first;
}

static fg_time last_of(const struct fg_refreshing *r, size_t page)
{
    return r->timeline->last ? r->timeline->last[page] : r->timeline->to;
}

static void arrive(struct fg_refreshing *r, size_t page, fg_time now)
{
    const struct fg_timeline *t = r->timeline;
    if (last_of(r, page) <= now)
        return; /* gone before anybody could see it */
    size_t row = fg_mind_add(r->mind, page, t->site ? t->site[page] : 0, now);
    if (t->group)
        fg_mind_group(r->mind, row, t->group[page]);
    if (t->weight)
        fg_mind_weigh(r->mind, row, t->weight[page]);
    tell(r, row, now);
    r->is_there[page] = r->is_stale[page] = true;
    r->charged[page] = r->stale_since[page] = now;
    if (t->is_seen_first)
        visit(r, row, now);
}

static void depart(struct fg_refreshing *r, size_t page, fg_time now)
{
    if (!r->is_there[page])
        return;
    charge(r, page, now);
    r->fresh -= !r->is_stale[page];
    r->is_there[page] = r->is_stale[page] = false;
    fg_mind_remove(r->mind, page);
}

static void change(struct fg_refreshing *r, const struct fg_change *change)
{
    size_t page = change->page;
    r->value[page] = change->value;
    if (r->is_there[page] && r->has_copy[page])
        set_stale(r, page, r->copy[page] != r->value[page], change->at);
}

static void hint(struct fg_refreshing *r, const struct fg_hint *hint)
{
    size_t row = fg_mind_row(r->mind, hint->page);
    if (row != FG_NO_ROW)
        fg_mind_signal(r->mind, row, hint->at);
}

/* What is next before `until`; at one moment the day ends first, then pages go, come and
 * change. Those that come or go at `until` itself do so before the policy's step. */
static bool happen_next(struct fg_refreshing *r, fg_time until)
{
    const struct fg_timeline *t = r->timeline;
    fg_time midnight = day_start(r, r->day + 1), none = INT64_MAX;
    fg_time go = r->gone < t->n ? last_of(r, r->going[r->gone]) : none;
    fg_time come = r->come < t->n ? first_of(r, r->coming[r->come]) : none;
    fg_time change_at = r->changed < t->n_changes ? t->changes[r->changed].at : none;
    fg_time hint_at = r->hinted < t->n_hints ? t->hints[r->hinted].at : none;
    fg_time soon = go < come ? go : come;
    if (midnight <= until && midnight <= soon && midnight <= change_at)
        close_day(r, midnight);
    else if (go <= until && go <= come && go <= change_at)
        depart(r, r->going[r->gone++], go);
    else if (come <= until && come <= change_at)
        arrive(r, r->coming[r->come++], come);
    else if (change_at < until && change_at <= hint_at)
        change(r, &t->changes[r->changed++]);
    else if (hint_at <= until && hint_at <= change_at)
        hint(r, &t->hints[r->hinted++]);
    else
        return false;
    return true;
}

/* --- steps --- */

static size_t visits_now(struct fg_refreshing *r)
{
    double existing = (double)fg_mind_world(r->mind)->n;
    double visits = r->rules->budget;
    if (r->rules->is_share)
        visits *= existing * fg_days(r->timeline->step);
    fg_mind_budget(r->mind, visits);
    r->credit += visits;
    /* a hair above, for a credit that sums up to a whole but for rounding */
    double whole = floor(r->credit + 1e-9);
    r->credit -= whole;
    return (size_t)(whole < existing ? whole : existing);
}

/* How likely each arm is to be the next. */
static void note_arms(struct fg_refreshing *r, size_t number)
{
    struct fg_refresh_outcome *o = r->outcome;
    struct fg_arm arms[FG_ARMS_MAX];
    size_t n = fg_mind_arms(r->mind, arms);
    if (!o->arm_chances && n) {
        o->n_arms = n;
        o->arm_chances = fg_zeroed(o->steps * n, sizeof *o->arm_chances);
        for (size_t i = 0; i < n; i++)
            o->arm_names[i] = arms[i].name;
    }
    for (size_t i = 0; i < o->n_arms && i < n; i++)
        o->arm_chances[number * o->n_arms + i] = (float)arms[i].chance;
}

/* What each arm's visits would be worth now: equation (2) of Han et al., with the rates
 * as they are. */
static void note_rewards(struct fg_refreshing *r, size_t number, size_t visits,
                         float *rates)
{
    struct fg_refresh_outcome *o = r->outcome;
    const struct fg_world *world = fg_mind_world(r->mind);
    if (!o->n_arms || !fg_mind_arm_rates(r->mind, 0, visits, rates))
        return;
    if (!o->arm_rewards) {
        o->arm_rewards = fg_zeroed(o->steps * o->n_arms, sizeof *o->arm_rewards);
        o->drawn_reward = fg_zeroed(o->steps, sizeof *o->drawn_reward);
    }
    for (size_t arm = 0; arm < o->n_arms; arm++) {
        double all = 0, stale = 0;
        fg_mind_arm_rates(r->mind, arm, visits, rates);
        for (size_t i = 0; i < world->n; i++) {
            double clicks = (double)rates[i] * (double)fg_mind_arm_interest(r->mind, i);
            all += clicks;
            if (r->is_stale[world->id[i]])
                stale += clicks * success_of(r->timeline, world->id[i]);
        }
        double reward = all > 0 ? stale / all : 0;
        o->arm_rewards[number * o->n_arms + arm] = (float)reward;
        o->drawn_reward[number] +=
            (float)reward * o->arm_chances[number * o->n_arms + arm];
    }
}

static void step(struct fg_refreshing *r, size_t number, fg_time now,
                 struct fg_pick *picks)
{
    struct fg_refresh_outcome *o = r->outcome;
    bool is_late = number >= o->judged_step;
    double reward = 0;
    note_arms(r, number);
    size_t visits = visits_now(r);
    if (r->rates)
        note_rewards(r, number, visits, r->rates);
    size_t n = fg_mind_choose(r->mind, now, visits, picks);
    for (size_t i = 0; i < n; i++) {
        size_t page = fg_mind_world(r->mind)->id[picks[i].page];
        bool is_stale = r->is_stale[page];
        bool is_found = visit(r, picks[i].page, now) && is_stale;
        o->found += is_found;
        o->found_late += is_found && is_late;
        o->visits_of[page] += is_late;
        if (is_found)
            reward += r->timeline->weight ? (double)r->timeline->weight[page] : 1;
    }
    o->visits += n;
    o->visits_late += is_late ? n : 0;
    o->reward_late += is_late ? reward : 0;
    o->reward[number] = (float)reward;
}

static void begin(struct fg_refreshing *r)
{
    const struct fg_timeline *t = r->timeline;
    while (r->changed < t->n_changes && t->changes[r->changed].at < t->crawled_from) {
        r->value[t->changes[r->changed].page] = t->changes[r->changed].value;
        r->changed++;
    }
    while (r->hinted < t->n_hints && t->hints[r->hinted].at < t->crawled_from)
        r->hinted++;
    open_day(r, t->crawled_from);
}

void fg_refresh_pass(struct fg_refreshing *r, fg_time now)
{
    while (happen_next(r, now))
        continue;
    if (tells_anything(r->timeline) && r->day != r->told_day)
        tell_all(r, now);
    r->told_day = r->day;
}

void fg_refresh_finish(struct fg_refreshing *r)
{
    const struct fg_timeline *t = r->timeline;
    while (happen_next(r, t->to))
        continue;
    for (size_t page = 0; page < t->n; page++)
        charge(r, page, t->to);
}

static void run(struct fg_refreshing *r)
{
    const struct fg_timeline *t = r->timeline;
    struct fg_pick *picks = fg_zeroed(t->n, sizeof *picks);
    for (size_t number = 0; number < r->outcome->steps; number++) {
        fg_time now = t->crawled_from + (fg_time)number * t->step;
        fg_refresh_pass(r, now);
        step(r, number, now, picks);
    }
    fg_refresh_finish(r);
    free(picks);
}

/* --- foresight --- */

static bool foresee_stale(void *context, size_t row)
{
    const struct fg_refreshing *r = context;
    return r->is_stale[fg_mind_world(r->mind)->id[row]];
}

static double foresee_rate(void *context, size_t row)
{
    const struct fg_refreshing *r = context;
    const struct fg_timeline *t = r->timeline;
    size_t page = fg_mind_world(r->mind)->id[row];
    if (t->rate)
        return t->rate[page];
    fg_time first = t->first ? t->first[page] : t->from;
    double days = fg_days(last_of(r, page) - first);
    return days > 0 ? r->counted[page] / days : 0;
}

static void count_changes(struct fg_refreshing *r)
{
    const struct fg_timeline *t = r->timeline;
    r->counted = fg_zeroed(t->n, sizeof *r->counted);
    for (size_t i = 0; i < t->n_changes; i++)
        r->counted[t->changes[i].page]++;
}

/* --- the whole --- */

struct moment {
    fg_time at;
    uint32_t page;
};

static int by_time(const void *a, const void *b)
{
    const struct moment *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->page < y->page ? -1 : x->page > y->page;
}

static uint32_t *in_order(const struct fg_refreshing *r,
                          fg_time (*time)(const struct fg_refreshing *, size_t))
{
    size_t n = r->timeline->n;
    struct moment *moments = fg_zeroed(n, sizeof *moments);
    uint32_t *pages = fg_zeroed(n, sizeof *pages);
    for (size_t i = 0; i < n; i++)
        moments[i] = (struct moment){time(r, i), (uint32_t)i};
    if (n)
        qsort(moments, n, sizeof *moments, by_time);
    for (size_t i = 0; i < n; i++)
        pages[i] = moments[i].page;
    free(moments);
    return pages;
}

/* Steps and whole days are known beforehand. */
static void size_up(struct fg_refreshing *r)
{
    const struct fg_timeline *t = r->timeline;
    struct fg_refresh_outcome *o = r->outcome;
    fg_time span = t->to - t->crawled_from, early = t->judged_from - t->crawled_from;
    *o = (struct fg_refresh_outcome){.pages = t->n};
    o->steps = span > 0 ? (size_t)((span + t->step - 1) / t->step) : 0;
    o->judged_step = early > 0 ? (size_t)((early + t->step - 1) / t->step) : 0;
    fg_time from = early > 0 ? t->judged_from : t->crawled_from;
    o->first_day = (size_t)((from - t->from + FG_DAY - 1) / FG_DAY);
    size_t end = (size_t)((t->to - t->from) / FG_DAY);
    o->n_days = end > o->first_day ? end - o->first_day : 0;
}

static void set_up(struct fg_refreshing *r)
{
    const struct fg_timeline *t = r->timeline;
    struct fg_refresh_outcome *o = r->outcome;
    size_up(r);
    o->reward = fg_zeroed(o->steps, sizeof *o->reward);
    o->there = fg_zeroed(t->n, sizeof *o->there);
    o->stale = fg_zeroed(t->n, sizeof *o->stale);
    o->age = fg_zeroed(t->n, sizeof *o->age);
    o->visits_of = fg_zeroed(t->n, sizeof *o->visits_of);
    o->days = fg_zeroed(o->n_days, sizeof *o->days);
    r->value = fg_zeroed(t->n, sizeof *r->value);
    r->copy = fg_zeroed(t->n, sizeof *r->copy);
    r->has_copy = fg_zeroed(t->n, sizeof *r->has_copy);
    r->is_there = fg_zeroed(t->n, sizeof *r->is_there);
    r->is_stale = fg_zeroed(t->n, sizeof *r->is_stale);
    r->charged = fg_zeroed(t->n, sizeof *r->charged);
    r->stale_since = fg_zeroed(t->n, sizeof *r->stale_since);
    if (r->rules->wants_regret)
        r->rates = fg_zeroed(t->n, sizeof *r->rates);
    r->coming = in_order(r, first_of);
    r->going = in_order(r, last_of);
    for (size_t i = 0; t->offers.clicks && t->offers.click_profile && i < PROFILE_PARTS;
         i++)
        r->profile[i + 1] = r->profile[i] + t->offers.click_profile[i];
}

void fg_refresh_close(struct fg_refreshing *r)
{
    void *arrays[] = {r->value,   r->copy,        r->is_there, r->is_stale,
                      r->charged, r->stale_since, r->counted,  r->coming,
                      r->going,   r->has_copy,    r->rates};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    fg_mind_free(r->mind);
    free(r);
}

enum fg_status fg_refresh_open(struct fg_refreshing **refreshing,
                               struct fg_refresh_outcome *outcome,
                               const struct fg_timeline *timeline,
                               const struct fg_policy *policy,
                               const struct fg_refresh_rules *rules, struct fg_err *err)
{
    struct fg_refreshing *r = fg_zeroed(1, sizeof *r);
    *r = (struct fg_refreshing){
        .timeline = timeline, .rules = rules, .outcome = outcome, .told_day = SIZE_MAX};
    r->foresight =
        (struct fg_foresight){.context = r,
                              .is_stale = policy->needs_foresight ? foresee_stale : NULL,
                              .rate = foresee_rate};
    set_up(r);
    struct fg_rng seed = fg_rng_from_seed(rules->seed);
    r->luck = fg_rng_split(&seed, STREAM_OF_LUCK);
    r->mind = fg_mind_new(policy, rules->seed);
    fg_mind_tick(r->mind, timeline->step);
    count_changes(r);
    fg_mind_foresee(r->mind, &r->foresight); /* for whoever asks: some only by a knob */
    enum fg_status st = fg_knobs_set(r->mind, rules->knobs, rules->n_knobs, err);
    *refreshing = r;
    if (!st) {
        begin(r);
        return FG_OK;
    }
    fg_refresh_close(r);
    fg_refresh_outcome_clear(outcome);
    *refreshing = NULL;
    return st;
}

struct fg_mind *fg_refresh_mind(struct fg_refreshing *refreshing)
{
    return refreshing->mind;
}

void fg_refresh_visit(struct fg_refreshing *refreshing, size_t row, fg_time now)
{
    visit(refreshing, row, now);
}

enum fg_status fg_refresh_replay(struct fg_refresh_outcome *outcome,
                                 const struct fg_timeline *timeline,
                                 const struct fg_policy *policy,
                                 const struct fg_refresh_rules *rules, struct fg_err *err)
{
    struct fg_refreshing *r;
    enum fg_status st = fg_refresh_open(&r, outcome, timeline, policy, rules, err);
    if (st)
        return st;
    run(r);
    fg_refresh_close(r);
    return FG_OK;
}

void fg_refresh_outcome_clear(struct fg_refresh_outcome *outcome)
{
    void *arrays[] = {outcome->reward,      outcome->there,       outcome->stale,
                      outcome->age,         outcome->visits_of,   outcome->days,
                      outcome->arm_chances, outcome->arm_rewards, outcome->drawn_reward};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    *outcome = (struct fg_refresh_outcome){0};
}

double fg_refresh_stale(const struct fg_refresh_outcome *outcome, const float *weight)
{
    double stale = 0, there = 0;
    for (size_t i = 0; i < outcome->pages; i++) {
        double w = weight ? (double)weight[i] : 1;
        stale += w * fg_days(outcome->stale[i]);
        there += w * fg_days(outcome->there[i]);
    }
    return there > 0 ? stale / there : NAN;
}

double fg_refresh_age(const struct fg_refresh_outcome *outcome, const float *weight)
{
    double age = 0, there = 0;
    for (size_t i = 0; i < outcome->pages; i++) {
        double w = weight ? (double)weight[i] : 1;
        age += w * outcome->age[i];
        there += w * fg_days(outcome->there[i]);
    }
    return there > 0 ? age / there : NAN;
}

double fg_refresh_age_of_clicks(const struct fg_refresh_outcome *outcome)
{
    double age = 0, clicks = 0;
    for (size_t i = 0; i < outcome->n_days; i++) {
        age += outcome->days[i].age;
        clicks += outcome->days[i].weight;
    }
    return clicks > 0 ? age / clicks : NAN;
}
