/* slot_price.c - by expected quality and the value of one more vote
 *
 * A page is ranked by what one more visit to it is worth: its expected quality, and what
 * the vote of the visitor may teach. A lesson is worth something only if the page can
 * rise by it, so it is reckoned against the prices of the places, the keys that now stand
 * there (prices.h). There is no coin, no start and no degree, and no prior to be set: the
 * two moments of the law of qualities are learnt from first votes, and from second votes
 * after a first that was a like. Equal keys, above all those of unseen pages, change
 * places from query to query.
 *
 * Where only clicks are told, who looked is estimated from the places that a page had
 * (whoever keeps the tally does that), and a like is a click.
 *
 * Where quality itself is told, one report says all; then there is one key for all unseen
 * pages, against the law of what was reported so far.
 *
 * Tried and dropped: one step of look-ahead instead of the whole table (as good with a
 * tenth of people watched, 6 % of quality per click lost with all), Thompson sampling,
 * and posterior means with promotion, which need two knobs for each community. */
#include "base/variate.h"
#include "search/rank/prices.h"
#include "search/rank/rank.h"

#include <math.h>
#include <stdlib.h>

enum { CLASSES = 256 };
static const double LEAST_QUALITY = 1e-6;
/* Reports that the prior counts as, until there are some. */
static const double PRIOR_REPORTS = 100;

/* First votes, and second votes after a like: how many, and how many likes. */
struct moments {
    double first, first_liked, second, second_liked;
};

struct self {
    struct moments moments;
    struct fg_prices prices;
    struct fg_lessons lessons;
    /* where quality itself is told: by class of its logarithm */
    double reports[CLASSES], qualities[CLASSES];
    double mean, unseen_key;
};

static const struct fg_param params[] = {{0}};

/* --- what is learnt --- */

static void set_prior(struct self *self)
{
    const struct moments *m = &self->moments;
    double first = m->first_liked / m->first, second = m->second_liked / m->second;
    double weight = second > first ? (1 - first) / (second - first) - 1 : 1000;
    weight = fmin(fmax(weight, 0.5), 1000);
    self->lessons.alpha = weight * first;
    self->lessons.beta = weight * (1 - first);
}

static size_t class_of(double quality)
{
    double at = 1 - log(fmax(quality, LEAST_QUALITY)) / log(LEAST_QUALITY);
    return (size_t)fmin(fmax(at * CLASSES, 0), CLASSES - 1);
}

static void note_quality(struct self *self, double quality, double weight)
{
    self->reports[class_of(quality)] += weight;
    self->qualities[class_of(quality)] += weight * quality;
}

static void learn(struct fg_ranker *ranker, const struct fg_rank_tally *before,
                  double seen, double liked)
{
    struct self *self = ranker->self;
    double n = before->seen, s = before->liked;
    if (ranker->setting.feedback == FG_FEEDBACK_EXACT) {
        if (n == 0 && seen > 0)
            note_quality(self, liked / seen, 1);
        return;
    }
    n = round(fmax(n, s));
    if (n == 0 && s == 0) {
        self->moments.first += seen;
        self->moments.first_liked += liked;
    } else if (n == 1 && s == 1) {
        self->moments.second += seen;
        self->moments.second_liked += liked;
    }
}

/* --- keys --- */

static void solve_exact(struct fg_ranker *ranker)
{
    struct self *self = ranker->self;
    const struct fg_lessons *l = &self->lessons;
    double reports = 0, qualities = 0, gains = 0;
    for (size_t c = 0; c < CLASSES; c++) {
        if (!(self->reports[c] > 0))
            continue;
        reports += self->reports[c];
        qualities += self->qualities[c];
        gains += self->reports[c] *
                 fg_prices_gain(&self->prices, self->qualities[c] / self->reports[c]);
    }
    self->mean = qualities / reports;
    self->unseen_key =
        fg_prices_worth(&self->prices, l->life, self->mean,
                        l->watched_share * l->patience, l->life * gains / reports)
            .key;
}

static void solve(struct fg_ranker *ranker)
{
    struct self *self = ranker->self;
    fg_prices_settle(&self->prices);
    if (ranker->setting.feedback == FG_FEEDBACK_EXACT) {
        solve_exact(ranker);
        return;
    }
    set_prior(self);
    fg_lessons_solve(&self->lessons, &self->prices);
}

static int falling(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

/* Until there are keys to go by, prices are what pages drawn from the prior would have:
 * the stream is fixed, so that every start is the same. */
static void set_first_prices(struct fg_ranker *ranker)
{
    struct self *self = ranker->self;
    struct fg_rng rng = fg_rng_from_seed(1);
    for (size_t x = 0; x < self->prices.n; x++)
        self->prices.at[x] = fg_rng_beta(&rng, self->lessons.alpha, self->lessons.beta);
    qsort(self->prices.at, self->prices.n, sizeof *self->prices.at, falling);
    for (size_t x = 0; x < self->prices.n; x++)
        note_quality(self, self->prices.at[x], PRIOR_REPORTS / (double)self->prices.n);
}

static void init(struct fg_ranker *ranker)
{
    const struct fg_rank_setting *setting = &ranker->setting;
    struct self *self = ranker->self = FG_NEW(&ranker->arena, struct self, 1);
    size_t n = setting->pages;
    self->moments = (struct moments){2000, 2, 40, 4};
    self->prices = (struct fg_prices){.n = n,
                                      .share = setting->share,
                                      .at = FG_NEW(&ranker->arena, double, n),
                                      .surplus = FG_NEW(&ranker->arena, double, n)};
    struct fg_lessons *l = &self->lessons;
    l->life = setting->visits * setting->life_days;
    l->watched = fmax(setting->watched, 1);
    l->watched_share = l->watched / setting->users;
    l->patience = exp(-setting->delay_days / setting->life_days);
    l->n = (size_t)fmin(l->watched, FG_LESSONS_MOST);
    l->key = FG_NEW(&ranker->arena, double, l->n *(l->n + 1) / 2);
    l->worth = FG_NEW(&ranker->arena, double, (l->n + 1) * (l->n + 2) / 2);
    set_prior(self);
    set_first_prices(ranker);
    solve(ranker);
}

static double key_exact(const struct self *self, const struct fg_rank_tally *tally)
{
    if (tally->seen > 0)
        return tally->liked / tally->seen;
    return tally->waiting > 0 ? self->mean : self->unseen_key;
}

static double key(const struct fg_ranker *ranker, const struct fg_rank_tally *tally)
{
    const struct self *self = ranker->self;
    const struct fg_lessons *l = &self->lessons;
    if (ranker->setting.feedback == FG_FEEDBACK_EXACT)
        return key_exact(self, tally);
    double s = tally->liked, seen = round(fmax(tally->seen, s));
    double mean = fg_lessons_mean(l, seen, s);
    double n = seen + tally->waiting; /* those lessons are on their way already */
    if (n >= (double)l->n)
        return mean;
    double of_state = l->key[(size_t)(n * (n + 1) / 2 + s)];
    return tally->waiting > 0 ? of_state - fg_lessons_mean(l, n, s) + mean : of_state;
}

static void renew(struct fg_ranker *ranker, const double *keys)
{
    struct self *self = ranker->self;
    for (size_t x = 0; x < self->prices.n; x++)
        self->prices.at[x] += 0.3 * (keys[x] - self->prices.at[x]);
    solve(ranker);
}

const struct fg_rank_policy fg_rank_slot_price = {
    .about = {.name = "slot-price",
              .summary = "expected quality and the value of one more vote, against the "
                         "prices of the places",
              .tasks = FG_RANKING,
              .params = params,
              .columns = fg_rank_no_columns},
    .pool = FG_POOL_NONE,
    .shuffles_equals = true,
    .init = init,
    .key = key,
    .learn = learn,
    .renew = renew,
};
