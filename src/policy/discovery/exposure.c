/* exposure.c - look where most is likely to wait unseen
 *
 * EXPO-R. A source gathers new links at a rate of its own, in the rhythm of its site
 * (exposure_model.h has the maths). The rate is estimated from its finds: those that no
 * other source had shown before, faded by half each week, with a faster memory beside it.
 * What waits on it is the rate times the phi-hours since the last visit, but never more
 * than the page retains. Three things make a visit worth more than the links that wait:
 * the delay it ends, the loss it prevents (a page about to push links out is urgent), and
 * a burst going on. What a source may hold beyond its finds is met with optimism for each
 * phi-hour unseen; without that the policy locks in on what it knows and collapses.
 *
 * It differs from `thompson` in that it knows how long a source has waited. Drawing from
 * the posterior or adding a confidence bound gains nothing here: waiting itself brings
 * every source back. Sources that show the same links are not told apart: each is
 * credited with what it was first to show, and several may be visited for the same links.
 * That is what `link-types` is for, at a few times the cost; where sources hardly overlap
 * this is as good. It breaks where links appear and leave between two steps, unseen by
 * anyone.
 *
 * Tried and dropped: the older form with a gamma draw and no retention (EXPO+delay), 168
 * cells for the hour of week, a survival curve for each source, calibrating each source
 * by its predictions. */
#include "policy/discovery/exposure_model.h"

enum { SLOW = FG_EXPO_COLUMNS, FAST };
static const struct fg_column columns[] = {
    FG_EXPOSURE_COLUMNS,
    [SLOW] = {"finds", FG_F32, 0, .is_passing = true},
    [FAST] = {"late-finds", FG_F32, 0, .is_passing = true},
    {0},
};
static const struct fg_param params[] = {FG_EXPOSURE_WORTH, FG_EXPOSURE_PARAMS, {0}};

static void init(struct fg_brain *brain)
{
    fg_exposure_init(brain->self);
}

static void clear(struct fg_brain *brain)
{
    fg_exposure_clear(brain->self);
}

static void added(struct fg_brain *brain, size_t first)
{
    fg_exposure_added(brain, brain->self, first);
}

static void moved(struct fg_brain *brain, size_t from, size_t to)
{
    (void)from; /* the columns follow the rows */
    fg_exposure_removed(brain, brain->self, to);
}

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    if (fg_exposure_observe(brain, brain->self, visit) != FG_TOLD_NEWS)
        return;
    brain->f32[SLOW][visit->page] += (float)visit->n_first;
    brain->f32[FAST][visit->page] += (float)visit->n_first;
}

static double rate_of(const struct fg_brain *brain, size_t page)
{
    const struct fg_exposure *model = brain->self;
    return fg_exposure_rate(brain, model->sites[brain->world->site[page]],
                            (double)brain->f32[SLOW][page],
                            (double)brain->f32[FAST][page]);
}

static double worth(struct fg_brain *brain, size_t page, fg_time now)
{
    const struct fg_exposure *model = brain->self;
    if (brain->i64[FG_EXPO_TAU][page] == FG_NEVER)
        return 0;
    double seen =
        fg_exposure_at(brain, model, page, now) - brain->f64[FG_EXPO_PHI_THEN][page];
    double known = fg_exposure_value(brain, rate_of(brain, page), seen,
                                     (double)brain->f32[FG_EXPO_RETAINED][page],
                                     fg_hours(now - brain->i64[FG_EXPO_TAU][page]));
    return fg_exposure_burst(brain, page) *
           (known + fg_exposure_hidden(brain, model, page, now));
}

static void let_time_pass(struct fg_brain *brain, fg_time now)
{
    struct fg_exposure *model = brain->self;
    double hours = fg_exposure_advance(brain, model, now);
    double slow = fg_fade(hours, brain->knob[FG_EXPO_SLOW]);
    double fast = fg_fade(hours, brain->knob[FG_EXPO_FAST]);
    double before = fg_hours(now) - brain->knob[FG_EXPO_MEMORY];
    for (size_t i = 0; i < model->n_sites; i++) {
        struct fg_recent_link left;
        struct fg_exposure_site *site = model->sites[i];
        while (site && fg_link_memory_expire(&site->links, before, &left))
            ;
        if (site)
            site->rate = 0;
    }
    for (size_t i = 0; i < brain->world->n; i++) {
        brain->f32[SLOW][i] *= (float)slow;
        brain->f32[FAST][i] *= (float)fast;
        model->sites[brain->world->site[i]]->rate += rate_of(brain, i);
    }
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    let_time_pass(brain, now);
    size_t n = fg_exposure_take_unseen(brain, brain->self, now, budget, out);
    for (size_t i = 0; i < brain->world->n; i++)
        brain->scores[i] = fg_exposure_score(brain, i, now, worth(brain, i, now));
    return n + fg_brain_take_best(brain, brain->scores, budget - n, out + n);
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    double rate =
        rate_of(brain, page) + fg_exposure_hidden_rate(brain, brain->self, page);
    double finds = (double)brain->f32[SLOW][page];
    *reason = (struct fg_reason){
        .score = worth(brain, page, now),
        .rate_unit = "new links an hour that no other source has shown before",
        .observations = finds,
    };
    fg_exposure_interval(reason, rate, finds + brain->knob[FG_EXPO_A0]);
}

static void save(struct fg_brain *brain, struct fg_buf *out)
{
    fg_exposure_save(brain->self, out);
}

static void save_site(struct fg_brain *brain, const uint32_t *rows, size_t n,
                      struct fg_buf *learnt, struct fg_buf *passing)
{
    (void)n;
    uint32_t site = brain->world->site[rows[0]];
    fg_exposure_save_site(brain->self, site, learnt, passing);
}

static bool start_over(struct fg_brain *brain)
{
    fg_exposure_clear(brain->self);
    fg_exposure_added(brain, brain->self, 0);
    return false;
}

static bool load(struct fg_brain *brain, struct fg_str bytes)
{
    return (fg_exposure_load(brain->self, &bytes) && !bytes.len) || start_over(brain);
}

static bool load_site(struct fg_brain *brain, const uint32_t *rows, size_t n,
                      struct fg_str learnt, struct fg_str passing)
{
    (void)n; /* the columns have what is known of the rows */
    uint32_t site = brain->world->site[rows[0]];
    return (fg_exposure_load_site(brain->self, site, &learnt, &passing) && !learnt.len) ||
           start_over(brain);
}

const struct fg_policy fg_policy_exposure = {
    .name = "exposure",
    .summary = "visit the sources with most expected unseen links, by rate, daily rhythm "
               "and time unseen",
    .paper = "docs/policies.md, section exposure",
    .tasks = FG_DISCOVERY,
    .params = params,
    .columns = columns,
    .self_size = sizeof(struct fg_exposure),
    .init = init,
    .added = added,
    .observe = observe,
    .select = choose,
    .explain = explain,
    .save = save,
    .load = load,
    .site.save = save_site,
    .site.load = load_site,
    .clear = clear,
    .moved = moved,
};
