#include "policy/discovery/exposure_model.h"

#include "policy/discovery/exact_index.h"

#include "base/elementary.h"
#include "base/err.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WEEK (7 * FG_DAY)

enum {
    SATURDAY = 5 * FG_HOURS_OF_DAY, /* its first hour in a week */
    THURSDAY = 3 * FG_HOURS_OF_DAY, /* 1970 began on one */
    WEEKS_OF_PAUSE = 4,             /* what came before is as good as faded */
};

/* Of the rhythm of a site: links assumed for each hour of the day and for each kind of
 * day, links to see before believing in any of it, and what a day leaves of the counts.
 */
static const double hour_prior = 8, weekend_prior = 20, least_came = 20,
                    kept_a_day = 0.98;
static const double week_half_life = 168, least_retained = 2, most_rest_hours = 24;

double fg_fade(double hours, double half_life)
{
    return fg_exp(-0.6931471805599453 * hours / half_life);
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

static struct fg_exposure_site *site_of(const struct fg_brain *brain,
                                        const struct fg_exposure *model, size_t page)
{
    return model->sites[brain->world->site[page]];
}

/* --- sources come and go --- */

void fg_exposure_init(struct fg_exposure *model)
{
    model->clock = FG_NEVER;
}

static void free_site(struct fg_exposure *model, size_t number)
{
    if (!model->sites[number])
        return;
    fg_link_memory_clear(&model->sites[number]->links);
    free(model->sites[number]);
    model->sites[number] = NULL;
}

void fg_exposure_clear(struct fg_exposure *model)
{
    for (size_t i = 0; i < model->n_sites; i++)
        free_site(model, i);
    free(model->sites);
    free(model->unseen);
    *model = (struct fg_exposure){.clock = FG_NEVER, .is_exact = model->is_exact};
}

static struct fg_exposure_site *open_site(struct fg_exposure *model, uint32_t number)
{
    if (number >= model->n_sites) {
        size_t wider = (size_t)number + number / 2 + 1;
        model->sites = fg_resized(model->sites, wider, sizeof *model->sites);
        for (size_t i = model->n_sites; i < wider; i++)
            model->sites[i] = NULL;
        model->n_sites = wider;
    }
    struct fg_exposure_site **site = &model->sites[number];
    if (*site)
        return *site;
    *site = calloc(1, sizeof **site);
    if (!*site)
        fg_out_of_memory();
    for (size_t i = 0; i < FG_HOURS_OF_WEEK; i++)
        (*site)->phi[i] = 1;
    for (size_t i = 0; i < FG_HOURS_OF_DAY; i++)
        (*site)->day[i] = 7;
    (*site)->brought = (*site)->foreseen = 1;
    return *site;
}

void fg_exposure_added(struct fg_brain *brain, struct fg_exposure *model, size_t first)
{
    const struct fg_world *world = brain->world;
    for (size_t i = first; i < world->n; i++) {
        open_site(model, world->site[i])->sources++;
        brain->i64[FG_EXPO_TAU][i] = FG_NEVER;
        brain->f32[FG_EXPO_SCALE][i] = 1;
        brain->f32[FG_EXPO_RETAINED][i] = (float)brain->knob[FG_EXPO_STAY];
    }
    if (world->n > model->unseen_room) {
        model->unseen_room = world->n * 2;
        model->unseen =
            fg_resized(model->unseen, model->unseen_room, sizeof *model->unseen);
    }
}

void fg_exposure_removed(struct fg_brain *brain, struct fg_exposure *model, size_t page)
{
    if (!--site_of(brain, model, page)->sources)
        free_site(model, brain->world->site[page]);
}

/* --- time passes --- */

/* A part of an hour, and where in the week it lies. */
struct piece {
    size_t cell;
    double hours;
};

static bool next_piece(fg_time *from, fg_time to, struct piece *piece)
{
    if (*from >= to)
        return false;
    fg_time in_hour = (*from % FG_HOUR + FG_HOUR) % FG_HOUR, start = *from - in_hour;
    fg_time end = start + FG_HOUR < to ? start + FG_HOUR : to;
    fg_time cell = (start / FG_HOUR + THURSDAY) % FG_HOURS_OF_WEEK;
    piece->cell = (size_t)(cell < 0 ? cell + FG_HOURS_OF_WEEK : cell);
    piece->hours = fg_hours(end - *from);
    *from = end;
    return true;
}

/* How busy the source's own hour of day is against the site's. */
static double own_hour(const struct fg_brain *brain, size_t page, size_t hour)
{
    size_t at = page * FG_HOURS_OF_DAY + hour;
    double prior = brain->knob[FG_EXPO_DAY_PRIOR];
    return ((double)brain->f32[FG_EXPO_DAY_CAME][at] + prior) /
           ((double)brain->f32[FG_EXPO_DAY_DUE][at] + prior);
}

static double rhythm(const struct fg_brain *brain, const struct fg_exposure_site *site,
                     size_t page, size_t cell)
{
    return (double)site->phi[cell] * own_hour(brain, page, cell % FG_HOURS_OF_DAY) *
           (double)brain->f32[FG_EXPO_SCALE][page];
}

/* Whole weeks have a mean of 1, whatever the rhythm. */
static fg_time skip_weeks(fg_time from, fg_time to, double *phi)
{
    fg_time weeks = (to - from) / WEEK;
    *phi = (double)weeks * FG_HOURS_OF_WEEK;
    return from + weeks * WEEK;
}

double fg_exposure_at(const struct fg_brain *brain, const struct fg_exposure *model,
                      size_t page, fg_time now)
{
    double phi = brain->f64[FG_EXPO_PHI][page];
    if (model->clock == FG_NEVER || now <= model->clock)
        return phi;
    double whole;
    fg_time from = skip_weeks(model->clock, now, &whole);
    struct piece piece;
    phi += whole;
    while (next_piece(&from, now, &piece))
        phi += piece.hours * rhythm(brain, site_of(brain, model, page), page, piece.cell);
    return phi;
}

static void pass_time(struct fg_brain *brain, struct fg_exposure *model, fg_time now)
{
    double whole, *phi = brain->f64[FG_EXPO_PHI];
    fg_time from = skip_weeks(model->clock, now, &whole);
    struct piece piece;
    for (size_t i = 0; whole > 0 && i < brain->world->n; i++)
        phi[i] += whole;
    while (next_piece(&from, now, &piece))
        for (size_t i = 0; i < brain->world->n; i++)
            phi[i] +=
                piece.hours * rhythm(brain, site_of(brain, model, i), i, piece.cell);
}

/* A phi-hour that ends now counts in full, as a link found now does. */
static void pass_site_time(const struct fg_brain *brain, struct fg_exposure_site *site,
                           fg_time from, fg_time now)
{
    double slow = brain->knob[FG_EXPO_SLOW], fast = brain->knob[FG_EXPO_FAST];
    if (now - from > WEEKS_OF_PAUSE * WEEK) {
        double skipped = fg_hours(now - from) - WEEKS_OF_PAUSE * FG_HOURS_OF_WEEK;
        site->slow *= fg_fade(skipped, slow);
        site->fast *= fg_fade(skipped, fast);
        from = now - WEEKS_OF_PAUSE * WEEK;
    }
    struct piece piece;
    while (next_piece(&from, now, &piece)) {
        double phi = piece.hours * (double)site->phi[piece.cell];
        site->slow = site->slow * fg_fade(piece.hours, slow) + phi;
        site->fast = site->fast * fg_fade(piece.hours, fast) + phi;
    }
}

static void scale_by(float *at, size_t n, double factor)
{
    float f = (float)factor;
    for (size_t i = 0; i < n; i++)
        at[i] = at[i] * f < 1e-30F ? 0 : at[i] * f; /* tiny floats are slow ones */
}

static void fade_counts(struct fg_brain *brain, double hours)
{
    static const int weekly[] = {FG_EXPO_SEEN_SUM, FG_EXPO_CAME_SUM, FG_EXPO_TIME_SUM,
                                 FG_EXPO_LEFT_SUM, FG_EXPO_RISK_SUM};
    size_t n = brain->world->n;
    for (size_t i = 0; i < sizeof weekly / sizeof *weekly; i++)
        scale_by(brain->f32[weekly[i]], n, fg_fade(hours, week_half_life));
    double burst = fg_fade(hours, brain->knob[FG_EXPO_BURST]);
    scale_by(brain->f32[FG_EXPO_NOW_CAME], n, burst);
    scale_by(brain->f32[FG_EXPO_NOW_DUE], n, burst);
}

static void fade_rhythms(struct fg_brain *brain, struct fg_exposure *model, fg_time days)
{
    double kept = fg_exp(fg_log(kept_a_day) * (double)days);
    size_t n = brain->world->n * FG_HOURS_OF_DAY;
    scale_by(brain->f32[FG_EXPO_DAY_CAME], n, kept);
    scale_by(brain->f32[FG_EXPO_DAY_DUE], n, kept);
    for (size_t i = 0; i < model->n_sites; i++)
        if (model->sites[i]) {
            scale_by(model->sites[i]->came, FG_HOURS_OF_WEEK, kept);
            scale_by(model->sites[i]->due, FG_HOURS_OF_WEEK, kept);
        }
}

/* --- the rhythm of a site: a factor for the hour of day, one for the weekend --- */

static void hour_factors(const struct fg_exposure_site *site, double mean, double *factor)
{
    for (size_t hour = 0; hour < FG_HOURS_OF_DAY; hour++) {
        double came = 0, due = 0;
        for (size_t cell = hour; cell < FG_HOURS_OF_WEEK; cell += FG_HOURS_OF_DAY) {
            came += (double)site->came[cell];
            due += (double)site->due[cell];
        }
        factor[hour] = (came + hour_prior) / (due * mean + hour_prior);
    }
}

static double day_factor(const struct fg_exposure_site *site, double mean,
                         const double *hour, size_t first, size_t end)
{
    double came = 0, due = 0;
    for (size_t cell = first; cell < end; cell++) {
        came += (double)site->came[cell];
        due += (double)site->due[cell] * mean * hour[cell % FG_HOURS_OF_DAY];
    }
    return (came + weekend_prior) / (due + weekend_prior);
}

static void learn_rhythm(struct fg_exposure_site *site)
{
    double came = 0, due = 0, hour[FG_HOURS_OF_DAY], phi[FG_HOURS_OF_WEEK], sum = 0;
    for (size_t cell = 0; cell < FG_HOURS_OF_WEEK; cell++) {
        came += (double)site->came[cell];
        due += (double)site->due[cell];
    }
    if (came < least_came || due <= 0)
        return;
    double mean = came / due;
    hour_factors(site, mean, hour);
    double weekday = day_factor(site, mean, hour, 0, SATURDAY);
    double weekend = day_factor(site, mean, hour, SATURDAY, FG_HOURS_OF_WEEK);
    for (size_t cell = 0; cell < FG_HOURS_OF_WEEK; cell++) {
        phi[cell] = hour[cell % FG_HOURS_OF_DAY] * (cell < SATURDAY ? weekday : weekend);
        sum += phi[cell];
    }
    memset(site->day, 0, sizeof site->day);
    for (size_t cell = 0; cell < FG_HOURS_OF_WEEK; cell++) {
        site->phi[cell] = (float)(phi[cell] * FG_HOURS_OF_WEEK / sum);
        site->day[cell % FG_HOURS_OF_DAY] += site->phi[cell];
    }
}

static void learn_scale(struct fg_brain *brain, const struct fg_exposure_site *site,
                        size_t page)
{
    const float *came = brain->f32[FG_EXPO_DAY_CAME] + page * FG_HOURS_OF_DAY;
    const float *due = brain->f32[FG_EXPO_DAY_DUE] + page * FG_HOURS_OF_DAY;
    float prior = (float)brain->knob[FG_EXPO_DAY_PRIOR], sum = 0;
    for (size_t hour = 0; hour < FG_HOURS_OF_DAY; hour++)
        sum += site->day[hour] * ((came[hour] + prior) / (due[hour] + prior));
    brain->f32[FG_EXPO_SCALE][page] = FG_HOURS_OF_WEEK / sum;
}

static fg_time floor_to(fg_time time, fg_time unit)
{
    fg_time rest = time % unit;
    return (time - (rest < 0 ? rest + unit : rest)) / unit;
}

double fg_exposure_advance(struct fg_brain *brain, struct fg_exposure *model, fg_time now)
{
    if (model->clock == FG_NEVER)
        model->clock = now;
    if (now <= model->clock)
        return 0;
    fg_time before = model->clock;
    double hours = fg_hours(now - before);
    fade_counts(brain, hours);
    pass_time(brain, model, now);
    for (size_t i = 0; i < model->n_sites; i++)
        if (model->sites[i])
            pass_site_time(brain, model->sites[i], before, now);
    model->clock = now;
    if (model->is_exact)
        fg_exact_learn_stays(brain, model);
    if (floor_to(now, FG_HOUR) == floor_to(before, FG_HOUR))
        return hours;
    fg_time days = floor_to(now, FG_DAY) - floor_to(before, FG_DAY);
    if (days)
        fade_rhythms(brain, model, days);
    for (size_t i = 0; i < model->n_sites; i++)
        if (model->sites[i])
            learn_rhythm(model->sites[i]);
    for (size_t i = 0; i < brain->world->n; i++)
        learn_scale(brain, site_of(brain, model, i), i);
    return hours;
}

/* --- a visit --- */

/* The upper half of a product depends on all bits of the link's number. */
static uint64_t scramble(uint64_t link)
{
    uint64_t x = (link ^ link >> 32) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 29) * 0xBF58476D1CE4E5B9u;
    return x ^ x >> 32;
}

enum { STOCK_BITS = FG_STOCK_WORDS * 32, STOCK_PROBES = 4 };

static void put_in_stock(uint32_t *stock, uint64_t link)
{
    uint64_t hash = scramble(link);
    for (int i = 0; i < STOCK_PROBES; i++, hash >>= 16)
        stock[hash % STOCK_BITS / 32] |= UINT32_C(1) << hash % 32;
}

static bool is_in_stock(const uint32_t *stock, uint64_t link)
{
    uint64_t hash = scramble(link);
    for (int i = 0; i < STOCK_PROBES; i++, hash >>= 16)
        if (!(stock[hash % STOCK_BITS / 32] >> hash % 32 & 1))
            return false;
    return true;
}

/* 0 marks an empty cell. */
static uint16_t fingerprint(uint64_t hash)
{
    return (uint16_t)(hash >> 48 | 1);
}

static bool has_departed(const uint16_t *departed, uint64_t link)
{
    uint64_t hash = scramble(link);
    return departed[hash % FG_DEPARTED_CELLS] == fingerprint(hash);
}

static void put_departed(uint16_t *departed, uint64_t link)
{
    uint64_t hash = scramble(link);
    departed[hash % FG_DEPARTED_CELLS] = fingerprint(hash);
}

/* How a page has changed. */
struct turnover {
    double came; /* links that count and were never seen on this page before */
    double left; /* of those that were not there at the first visit */
};

static struct turnover turn_over(struct fg_brain *brain,
                                 const struct fg_exposure_site *site,
                                 const struct fg_visit *visit)
{
    struct turnover turnover = {0};
    const uint32_t *stock = brain->u32[FG_EXPO_STOCK] + visit->page * FG_STOCK_WORDS;
    uint16_t *departed = brain->u16[FG_EXPO_DEPARTED] + visit->page * FG_DEPARTED_CELLS;
    double stayed = 0;
    for (size_t i = 0; i < visit->n_added; i++) {
        uint64_t link = visit->added[i];
        if (is_in_stock(stock, link))
            continue;
        stayed++;
        turnover.came +=
            !has_departed(departed, link) && fg_link_memory_find(&site->links, link);
    }
    for (size_t i = 0; i < visit->n_gone; i++)
        if (!is_in_stock(stock, visit->gone[i])) {
            put_departed(departed, visit->gone[i]);
            turnover.left++;
        }
    if (!visit->n_seen)
        turnover.came = (double)visit->n_fresh; /* all that the log has kept */
    float *shown = &brain->f32[FG_EXPO_SHOWN][visit->page];
    *shown = (float)most(0, (double)*shown + stayed - turnover.left);
    return turnover;
}

/* Spread the links that came over the time since the last visit, as the rhythm has it,
 * beside those that were to be expected. */
static void learn_hours(struct fg_brain *brain, struct fg_exposure_site *site,
                        const struct fg_visit *visit, double came, double rate)
{
    size_t page = visit->page;
    float *own_came = brain->f32[FG_EXPO_DAY_CAME] + page * FG_HOURS_OF_DAY;
    float *own_due = brain->f32[FG_EXPO_DAY_DUE] + page * FG_HOURS_OF_DAY;
    fg_time tau = brain->i64[FG_EXPO_TAU][page];
    if (fg_hours(visit->now - tau) > brain->knob[FG_EXPO_DAY_GAP])
        return;
    struct piece piece;
    double total = 0;
    for (fg_time from = tau; next_piece(&from, visit->now, &piece);)
        total += piece.hours * rhythm(brain, site, page, piece.cell);
    if (total <= 0)
        return;
    for (fg_time from = tau; next_piece(&from, visit->now, &piece);) {
        size_t hour = piece.cell % FG_HOURS_OF_DAY;
        double due = rate * piece.hours;
        double share = came * piece.hours * rhythm(brain, site, page, piece.cell) / total;
        site->came[piece.cell] += (float)share;
        site->due[piece.cell] += (float)due;
        own_came[hour] += (float)share;
        own_due[hour] += (float)(due * (double)site->phi[piece.cell]);
    }
}

static void learn_news(struct fg_brain *brain, const struct fg_exposure *model,
                       struct fg_exposure_site *site, const struct fg_visit *visit,
                       double seen)
{
    size_t page = visit->page;
    float *came = &brain->f32[FG_EXPO_CAME_SUM][page];
    float *time = &brain->f32[FG_EXPO_TIME_SUM][page];
    float *left = &brain->f32[FG_EXPO_LEFT_SUM][page];
    float *risk = &brain->f32[FG_EXPO_RISK_SUM][page];
    float *retained = &brain->f32[FG_EXPO_RETAINED][page];
    double shown = (double)brain->f32[FG_EXPO_SHOWN][page];
    struct turnover turnover = turn_over(brain, site, visit);

    brain->f32[FG_EXPO_SEEN_SUM][page] +=
        (float)(model->is_exact ? fg_exact_seen(1, seen, (double)*retained)
                                : least(seen, (double)*retained));
    brain->f32[FG_EXPO_NOW_DUE][page] +=
        (float)(seen * ((double)*came + 0.1) / ((double)*time + 1));
    brain->f32[FG_EXPO_NOW_CAME][page] += (float)turnover.came;
    *came += (float)turnover.came;
    *time += (float)seen;
    if (visit->n_seen || !visit->changed) {
        *risk += (float)((shown - brain->knob[FG_EXPO_GONE_FOR] * turnover.left) * seen);
        *left += (float)turnover.left;
    }
    double prior = brain->knob[FG_EXPO_STAY_PRIOR];
    double stay = site->stay > 0 ? site->stay : brain->knob[FG_EXPO_STAY];
    double floor = model->is_exact ? 1 : least_retained;
    *retained =
        (float)most(floor, ((double)*risk + prior * stay) / ((double)*left + prior));
    learn_hours(brain, site, visit, turnover.came,
                ((double)*came + 0.1) / ((double)*time + 1));
}

static void take_stock(struct fg_brain *brain, const struct fg_visit *visit)
{
    uint32_t *stock = brain->u32[FG_EXPO_STOCK] + visit->page * FG_STOCK_WORDS;
    for (size_t i = 0; i < visit->n_seen; i++)
        put_in_stock(stock, visit->seen[i]);
}

/* A page without links tells nothing if it was read as a whole; otherwise it is known to
 * be as it was, or its links were not told. */
static bool tells(const struct fg_visit *visit)
{
    return visit->ok && (visit->n_seen || !visit->complete);
}

enum fg_told fg_exposure_observe(struct fg_brain *brain, struct fg_exposure *model,
                                 const struct fg_visit *visit)
{
    size_t page = visit->page;
    uint8_t *fails = &brain->u8[FG_EXPO_FAILS][page];
    if (!tells(visit)) {
        *fails = (uint8_t)(*fails + (*fails < UINT8_MAX));
        return FG_TOLD_NOTHING;
    }
    *fails = 0;
    if (model->clock == FG_NEVER)
        model->clock = visit->now;
    struct fg_exposure_site *site = site_of(brain, model, page);
    for (size_t i = 0; visit->fresh && i < visit->n_fresh; i++)
        fg_link_memory_add(&site->links, visit->fresh[i], fg_hours(visit->now));
    double phi = fg_exposure_at(brain, model, page, visit->now);
    bool is_first = brain->i64[FG_EXPO_TAU][page] == FG_NEVER;
    if (is_first)
        take_stock(brain, visit);
    else
        learn_news(brain, model, site, visit, phi - brain->f64[FG_EXPO_PHI_THEN][page]);
    brain->f64[FG_EXPO_PHI_THEN][page] = phi;
    brain->i64[FG_EXPO_TAU][page] = visit->now;
    return is_first ? FG_TOLD_STOCK : FG_TOLD_NEWS;
}

/* --- what a visit is worth --- */

double fg_exposure_rate(const struct fg_brain *brain, const struct fg_exposure_site *site,
                        double slow, double fast)
{
    double share = brain->knob[FG_EXPO_FAST_SHARE];
    if (slow < brain->knob[FG_EXPO_LEAST_WEIGHT])
        return 0;
    return (1 - share) * slow / most(site->slow, 1) + share * fast / most(site->fast, 1);
}

double fg_exposure_value(const struct fg_brain *brain, double rate, double seen,
                         double retained, double waited)
{
    return rate * least(seen, retained) *
           (1 + brain->knob[FG_EXPO_KAPPA] * waited / 2 +
            brain->knob[FG_EXPO_MU] * least(1, seen / retained));
}

double fg_exposure_hidden_rate(const struct fg_brain *brain,
                               const struct fg_exposure *model, size_t page)
{
    const struct fg_exposure_site *site = site_of(brain, model, page);
    double a0 = brain->knob[FG_EXPO_A0];
    double usual = most(brain->knob[FG_EXPO_LEAST_RATE],
                        site->usual > 0 ? site->usual : site->rate / site->sources);
    return a0 / (a0 / usual + (double)brain->f32[FG_EXPO_SEEN_SUM][page]);
}

double fg_exposure_hidden(const struct fg_brain *brain, const struct fg_exposure *model,
                          size_t page, fg_time now)
{
    double seen =
        fg_exposure_at(brain, model, page, now) - brain->f64[FG_EXPO_PHI_THEN][page];
    double waited = fg_hours(now - brain->i64[FG_EXPO_TAU][page]);
    if (model->is_exact)
        return fg_exact_index(brain, fg_exposure_hidden_rate(brain, model, page), seen,
                              (double)brain->f32[FG_EXPO_RETAINED][page], waited);
    return fg_exposure_hidden_rate(brain, model, page) *
           least(seen, (double)brain->f32[FG_EXPO_RETAINED][page]) *
           (1 + brain->knob[FG_EXPO_KAPPA] * waited / 2);
}

double fg_exposure_burst(const struct fg_brain *brain, size_t page)
{
    double prior = brain->knob[FG_EXPO_BURST_PRIOR];
    return ((double)brain->f32[FG_EXPO_NOW_CAME][page] + prior) /
           ((double)brain->f32[FG_EXPO_NOW_DUE][page] + prior);
}

/* --- choosing --- */

bool fg_exposure_is_resting(const struct fg_brain *brain, size_t page, fg_time now,
                            double first, double longest)
{
    int fails = brain->u8[FG_EXPO_FAILS][page];
    if (!fails || brain->world->last_try[page] == FG_NEVER)
        return false;
    return fg_hours(now - brain->world->last_try[page]) <
           least(ldexp(first, fails - 1), longest);
}

static bool is_resting(const struct fg_brain *brain, size_t page, fg_time now)
{
    return fg_exposure_is_resting(brain, page, now, 1, most_rest_hours);
}

float fg_exposure_score(const struct fg_brain *brain, size_t page, fg_time now,
                        double value)
{
    return is_resting(brain, page, now) ? (float)(-1 / (1 + value)) : (float)value;
}

size_t fg_exposure_take_unseen(struct fg_brain *brain, struct fg_exposure *model,
                               fg_time now, size_t budget, struct fg_pick *out)
{
    size_t n = 0, taken = 0;
    for (size_t i = 0; i < brain->world->n; i++)
        if (brain->i64[FG_EXPO_TAU][i] == FG_NEVER && !is_resting(brain, i, now))
            model->unseen[n++] = (uint32_t)i;
    fg_rng_shuffle(&brain->rng, model->unseen, n, sizeof *model->unseen);
    for (size_t i = 0; i < n && taken < budget; i++)
        if (fg_brain_take(brain, model->unseen[i]))
            out[taken++] = (struct fg_pick){
                .page = model->unseen[i], .probability = 0, .explored = true};
    return taken;
}

/* Wilson and Hilferty: the cube root of a gamma variate is nearly normal. */
void fg_exposure_interval(struct fg_reason *reason, double rate, double shape)
{
    double c = 1 / (9 * shape), low = 1 - c - 1.96 * sqrt(c),
           high = 1 - c + 1.96 * sqrt(c);
    reason->rate = rate;
    reason->low = low > 0 ? rate * low * low * low : 0;
    reason->high = rate * high * high * high;
}

/* --- saving --- */

void fg_exposure_save(const struct fg_exposure *model, struct fg_buf *out)
{
    fg_buf_add(out, (struct fg_str){(const char *)&model->clock, sizeof model->clock});
}

/* Of a site its first numbers change in every tick, its rhythm in every hour, and what it
 * is learnt from with visits only. */
enum {
    COUNTS = offsetof(struct fg_exposure_site, came),
    RHYTHM = offsetof(struct fg_exposure_site, phi),
    LINKS = offsetof(struct fg_exposure_site, links),
};

static void put_fields(struct fg_buf *out, const struct fg_exposure_site *site,
                       size_t first, size_t end)
{
    fg_buf_add(out, (struct fg_str){(const char *)site + first, end - first});
}

void fg_exposure_save_site(const struct fg_exposure *model, uint32_t number,
                           struct fg_buf *learnt, struct fg_buf *passing)
{
    const struct fg_exposure_site *site = model->sites[number];
    put_fields(passing, site, 0, COUNTS);
    put_fields(learnt, site, COUNTS, RHYTHM);
    put_fields(passing, site, RHYTHM, LINKS);
    fg_link_memory_save(&site->links, learnt);
}

bool fg_exposure_load_site(struct fg_exposure *model, uint32_t number,
                           struct fg_str *learnt, struct fg_str *passing)
{
    struct fg_exposure_site *site = model->sites[number];
    char *at = (char *)site;
    uint32_t sources = site->sources;
    return fg_str_take(passing, at, COUNTS) && site->sources == sources &&
           fg_str_take(learnt, at + COUNTS, RHYTHM - COUNTS) &&
           fg_str_take(passing, at + RHYTHM, LINKS - RHYTHM) &&
           fg_link_memory_load(&site->links, learnt);
}

/* The sites that have sources are the same as when it was saved: they come in order. */
bool fg_exposure_load(struct fg_exposure *model, struct fg_str *bytes)
{
    if (!fg_str_take(bytes, &model->clock, sizeof model->clock))
        return false;
    for (uint32_t i = 0; bytes->len && i < model->n_sites; i++)
        if (model->sites[i] && !fg_exposure_load_site(model, i, bytes, bytes))
            return false;
    return true;
}
