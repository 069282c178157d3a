/* link_types.c - look where the most kinds of links wait unseen
 *
 * TYPES2. Sources of a site overlap: the front page shows what the sections show, a
 * ticker shows everything for an hour. So rates belong not to sources but to types of
 * links: a type is a set of sources, and its links are those that were seen on exactly
 * these. A look at any source of a type shows all of its links, up to now. What is still
 * unknown of type m is then its rate times the phi-hours since the last look at any of
 * its sources, at most what the best of them retains (exposure_model.h has these words),
 * and what a set F of sources would show is
 *
 *     sum of value[m] over the types m that F meets
 *
 * a weighted coverage, monotone and submodular. The greedy choice, source by source with
 * the types already met taken out, is therefore within 1 - 1/e of the best set of its
 * size (Nemhauser, Wolsey, Fisher 1978), but for the factor that a burst puts on a source
 * and the private term below. Gains only fall while the set grows, so a heap of old
 * scores is enough: the top one, counted again, is the best if it is still the top.
 *
 * A link is of the type {u} when u is first to show it, and moves to a wider type each
 * time another source is seen to show it. Links that were there at the first look at a
 * source have no type: nobody knows when they came. Each source also has the private term
 * of exposure_model.h for what it alone may hold unseen. It is vital: without it the
 * policy never returns to sources it knows little of, and collapses.
 *
 * On recordings of news sites this finds 4 to 10 % more than `thompson` where the budget
 * is small, and nothing separates the two where half of the sources are visited each
 * hour. It costs some 100 us a tick for 70 sources. It is at its weakest where one source
 * shows nearly everything for days: there `thompson` wastes little. Masks are incomplete
 * by nature, since a link is seen only where we looked; learning from all pages would
 * gain a quarter of a point of regret at most.
 *
 * Where a look has a price (world->floor), a source is looked at only when the links that
 * wait on it are expected to have waited long enough, all together: rate * time^2 / 2
 * link-hours. That is the interval sqrt(2 * price / rate), which minimises delay and
 * looks together for links that come at random. What no find has told of yet counts with
 * a rate that falls with every hour watched in vain, times the weight of the source: a
 * front page or a feed is expected to show something, one list among many is not.
 *
 * The same with the exact index is the policy `forage`: the worth of a look is Whittle's
 * index (exposure_model.h), in units of one new page known at once, so that it can be
 * weighed against fetches of other kinds at one price (policy/price.h). There
 * what a look was foreseen to bring is set against what it brought: links that were lost
 * between looks are missing from the rates, and an index that is a fifth too low
 * everywhere ranks sources well but loses against documents.
 *
 * Tried and dropped: a buffer of the last 800 links in place of types that fade (bad on
 * busy sites), an upper confidence bound or a draw on the score (no difference), waiting
 * until masks are mature, the mean or least retention of a type's sources, raising rates
 * by the share of time that visits too far apart have missed (better on ranked lists,
 * worse on generated news). */
#include "policy/cost.h"
#include "policy/discovery/exact_index.h"
#include "policy/discovery/exposure_model.h"
#include "policy/discovery/type_table.h"

#include "base/err.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { SLOT = FG_EXPO_COLUMNS };
static const struct fg_column columns[] = {
    FG_EXPOSURE_COLUMNS,
    [SLOT] = {"slot", FG_U32, 0},
    {0},
};
static const struct fg_param params[] = {FG_EXPOSURE_WORTH, FG_EXPOSURE_PARAMS, {0}};

/* Of forage. Both fade by half each week. */
enum { BROUGHT = SLOT + 1, FORESEEN, COST };
static const struct fg_column forage_columns[] = {
    FG_EXPOSURE_COLUMNS,
    [SLOT] = {"slot", FG_U32, 0},
    [BROUGHT] = {"brought", FG_F32, 0, .is_passing = true},
    [FORESEEN] = {"foreseen", FG_F32, 0, .is_passing = true},
    [COST] = {"cost", FG_U8, 0},
    {0},
};
static const struct fg_param forage_params[] = {
    [FG_EXPO_KEEPS] = {"keeps", 0.8, 0, 1, "worth of a new page that is found late"},
    [FG_EXPO_LOSES] = {"loses", 24, 0.01, 1e6,
                       "hours in which the rest of its worth fades"},
    FG_EXPOSURE_PARAMS,
    {0},
};

struct candidate {
    float score;
    uint32_t page;
};

/* What the values of types are made of: side by side, since they are read for each source
 * of each type. */
struct moment {
    double phi, retained, missed; /* missed: the share of time that no look has covered */
};

struct self {
    struct fg_exposure model;
    struct fg_type_table *tables; /* by site */
    size_t n_tables;
    double *gain; /* by row: what the types not yet met are worth to it */
    struct candidate *heap;
    size_t room, n_heap;
    struct moment *moments; /* by slot, of the site at hand */
    size_t moments_room;
};

static struct fg_type_table *table_of(const struct fg_brain *brain, size_t page)
{
    const struct self *self = brain->self;
    return &self->tables[brain->world->site[page]];
}

/* --- sources come and go --- */

static void init(struct fg_brain *brain)
{
    struct self *self = brain->self;
    fg_exposure_init(&self->model);
}

static void init_exact(struct fg_brain *brain)
{
    struct self *self = brain->self;
    init(brain);
    self->model.is_exact = true;
}

static void clear_tables(struct self *self)
{
    for (size_t i = 0; i < self->n_tables; i++)
        fg_types_clear(&self->tables[i]);
    free(self->tables);
    self->tables = NULL;
    self->n_tables = 0;
}

static void clear(struct fg_brain *brain)
{
    struct self *self = brain->self;
    fg_exposure_clear(&self->model);
    clear_tables(self);
    free(self->gain);
    free(self->heap);
    free(self->moments);
}

static struct fg_type_table new_table(const struct fg_brain *brain)
{
    return (struct fg_type_table){.slow = brain->knob[FG_EXPO_SLOW],
                                  .fast = brain->knob[FG_EXPO_FAST]};
}

static void make_room(struct fg_brain *brain)
{
    struct self *self = brain->self;
    if (self->n_tables < self->model.n_sites) {
        self->tables =
            fg_resized(self->tables, self->model.n_sites, sizeof *self->tables);
        for (size_t i = self->n_tables; i < self->model.n_sites; i++)
            self->tables[i] = new_table(brain);
        self->n_tables = self->model.n_sites;
    }
    if (self->room < brain->world->n) {
        self->room = brain->world->n * 2;
        self->gain = fg_resized(self->gain, self->room, sizeof *self->gain);
        self->heap = fg_resized(self->heap, self->room, sizeof *self->heap);
    }
}

static void added(struct fg_brain *brain, size_t first)
{
    struct self *self = brain->self;
    fg_exposure_added(brain, &self->model, first);
    make_room(brain);
    for (size_t i = first; i < brain->world->n; i++)
        brain->u32[SLOT][i] = fg_types_open(table_of(brain, i), (uint32_t)i);
}

/* The sum of Phi over the sources of a type: not taken twice for the same moment. */
static double phi_sum(const struct fg_brain *brain, const struct fg_type_table *table,
                      struct fg_link_type *type, fg_time now)
{
    const struct self *self = brain->self;
    if (type->summed == fg_hours(now))
        return type->phi_now;
    type->summed = fg_hours(now);
    type->phi_now = 0;
    for (uint32_t i = 0; i < type->n; i++)
        type->phi_now +=
            fg_exposure_at(brain, &self->model,
                           table->slots.at[table->members.at[type->first + i]].row, now);
    return type->phi_now;
}

/* Mean phi-hours since a source of the type was looked at. */
static double unseen(const struct fg_brain *brain, const struct fg_type_table *table,
                     struct fg_link_type *type, fg_time now)
{
    return (phi_sum(brain, table, type, now) - type->phi_then) / type->n;
}

/* The links of a type go on without one of its sources: what was seen stays seen. */
static void narrow(struct fg_brain *brain, struct fg_type_table *table, uint32_t number,
                   uint32_t slot)
{
    const struct self *self = brain->self;
    bool made;
    fg_time now = self->model.clock;
    struct fg_link_type was = table->types.at[number];
    double waiting = unseen(brain, table, &was, now);
    uint32_t to = fg_types_without(table, number, slot, &made);
    if (to == FG_NO_TYPE)
        return;
    struct fg_link_type *type = &table->types.at[to];
    if (!made && type->looked >= was.looked)
        return;
    type->looked = was.looked;
    type->phi_then = phi_sum(brain, table, type, now) - waiting * type->n;
}

static void moved(struct fg_brain *brain, size_t from, size_t to)
{
    struct self *self = brain->self;
    struct fg_type_table *table = table_of(brain, to);
    uint32_t slot = brain->u32[SLOT][to];
    for (size_t i = 0; i < table->slots.at[slot].types.len; i++) {
        uint32_t type = table->slots.at[slot].types.at[i];
        if (table->types.at[type].became == type)
            narrow(brain, table, type, slot);
    }
    fg_types_close(table, slot);
    if (from != to)
        table_of(brain, from)->slots.at[brain->u32[SLOT][from]].row = (uint32_t)to;
    uint32_t site = brain->world->site[to];
    fg_exposure_removed(brain, &self->model, to);
    if (!self->model.sites[site])
        fg_types_clear(table);
}

/* --- a visit --- */

static void look_at(struct fg_brain *brain, struct fg_type_table *table, uint32_t number,
                    fg_time now)
{
    struct fg_link_type *type = &table->types.at[number];
    type->looked = fg_hours(now);
    type->phi_then = phi_sum(brain, table, type, now);
}

/* Every link of its types that came by now has been seen. Types with too few links to
 * count are passed over: they are looked at when a link joins them. */
static void look_at_types_of(struct fg_brain *brain, struct fg_type_table *table,
                             uint32_t slot, fg_time now)
{
    double factor = fg_types_slow_factor(table, fg_hours(now));
    double least = brain->knob[FG_EXPO_LEAST_WEIGHT] / factor;
    for (size_t i = 0; i < table->slots.at[slot].types.len; i++) {
        uint32_t type = table->slots.at[slot].types.at[i];
        if (table->types.at[type].slow >= least && table->types.at[type].became == type)
            look_at(brain, table, type, now);
    }
}

/* A link is of another type from now on, all of whose links have been seen by now. */
static void retype(struct fg_brain *brain, struct fg_type_table *table,
                   struct fg_recent_link *link, uint32_t to, fg_time now)
{
    if (table->types.at[to].looked != fg_hours(now))
        look_at(brain, table, to, now);
    if (link->type != FG_NO_TYPE)
        fg_types_credit(table, link->type, link->found, -1);
    fg_types_credit(table, to, link->found, 1);
    link->type = to;
}

/* How many links a look at the source was to be the first to show. */
static double foresee(struct fg_brain *brain, const struct fg_visit *visit)
{
    const struct self *self = brain->self;
    size_t page = visit->page;
    if (brain->i64[FG_EXPO_TAU][page] == FG_NEVER)
        return 0;
    struct fg_type_table *table = table_of(brain, page);
    const struct fg_exposure_site *site = self->model.sites[brain->world->site[page]];
    const struct fg_type_slot *slot = &table->slots.at[brain->u32[SLOT][page]];
    double now = fg_hours(visit->now), sum = 0;
    double slow = fg_types_slow_factor(table, now),
           fast = fg_types_fast_factor(table, now);
    double retained = (double)brain->f32[FG_EXPO_RETAINED][page];
    for (size_t i = 0; i < slot->types.len; i++) {
        struct fg_link_type *type = &table->types.at[slot->types.at[i]];
        double rate = fg_exposure_rate(brain, site, type->slow * slow, type->fast * fast);
        if (rate > 0 && type->looked < now)
            sum += fg_exact_seen(rate, unseen(brain, table, type, visit->now), retained);
    }
    double own = fg_exposure_at(brain, &self->model, page, visit->now) -
                 brain->f64[FG_EXPO_PHI_THEN][page];
    sum +=
        fg_exact_seen(fg_exposure_hidden_rate(brain, &self->model, page), own, retained);
    return sum * fg_exposure_burst(brain, page);
}

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    struct self *self = brain->self;
    double foreseen = self->model.is_exact ? foresee(brain, visit) : 0;
    if (self->model.is_exact && visit->ok)
        fg_cost_learn(&brain->u8[COST][visit->page], visit->cost);
    enum fg_told told = fg_exposure_observe(brain, &self->model, visit);
    if (told == FG_TOLD_NOTHING)
        return;
    if (self->model.is_exact && told == FG_TOLD_NEWS) {
        brain->f32[BROUGHT][visit->page] +=
            (float)(visit->fresh ? visit->n_first : visit->n_fresh);
        brain->f32[FORESEEN][visit->page] += (float)foreseen;
    }
    struct fg_type_table *table = table_of(brain, visit->page);
    struct fg_link_memory *links =
        &self->model.sites[brain->world->site[visit->page]]->links;
    uint32_t slot = brain->u32[SLOT][visit->page];
    look_at_types_of(brain, table, slot, visit->now);
    for (size_t i = 0; told == FG_TOLD_NEWS && visit->fresh && i < visit->n_first; i++) {
        struct fg_recent_link *link = fg_link_memory_find(links, visit->fresh[i]);
        if (link->type == FG_NO_TYPE)
            retype(brain, table, link, fg_types_single(table, slot), visit->now);
    }
    for (size_t i = 0; i < visit->n_added; i++) {
        struct fg_recent_link *link = fg_link_memory_find(links, visit->added[i]);
        if (!link)
            continue;
        link->type = fg_types_now(table, link->type);
        if (link->type == FG_NO_TYPE || fg_types_has(table, link->type, slot))
            continue;
        uint32_t wider = fg_types_with(table, link->type, slot);
        if (wider != link->type)
            retype(brain, table, link, wider, visit->now);
    }
}

/* --- what a type is worth --- */

static double value_of(const struct fg_brain *brain, const struct fg_link_type *type,
                       double rate, double retained, fg_time now)
{
    const struct self *self = brain->self;
    double waited = fg_hours(now) - type->looked;
    double seen = (type->phi_now - type->phi_then) / type->n;
    waited = waited > 0 ? waited : 0;
    return self->model.is_exact ? fg_exact_index(brain, rate, seen, retained, waited)
                                : fg_exposure_value(brain, rate, seen, retained, waited);
}

/* Looks have covered a part of the time: links of the rest were not seen to come. */
static double cover_of(const struct self *self, const struct fg_type_table *table,
                       const struct fg_link_type *type)
{
    static const double least_cover = 0.2;
    const uint32_t *members = table->members.at + type->first;
    double missed = 1;
    for (uint32_t i = 0; i < type->n && missed > 0; i++)
        missed *= self->moments[members[i]].missed;
    return missed < 1 - least_cover ? 1 - missed : least_cover;
}

/* Link-hours: each of its unseen links has waited half of the time on average. */
static double delay_of(const struct fg_link_type *type, double rate, double retained,
                       fg_time now)
{
    double waited = fg_hours(now) - type->looked;
    double seen = (type->phi_now - type->phi_then) / type->n;
    return waited > 0 ? rate * (seen < retained ? seen : retained) * waited / 2 : 0;
}

static void note_moments(struct fg_brain *brain, const struct fg_type_table *table,
                         const struct fg_exposure_site *site)
{
    struct self *self = brain->self;
    if (self->moments_room < table->slots.len) {
        self->moments_room = table->slots.len * 2;
        self->moments =
            fg_resized(self->moments, self->moments_room, sizeof *self->moments);
    }
    for (size_t i = 0; i < table->slots.len; i++) {
        uint32_t row = table->slots.at[i].row;
        if (row == UINT32_MAX)
            continue;
        double cover = (double)brain->f32[FG_EXPO_SEEN_SUM][row] / fmax(site->slow, 1);
        self->moments[i] = (struct moment){brain->f64[FG_EXPO_PHI][row],
                                           (double)brain->f32[FG_EXPO_RETAINED][row],
                                           cover < 1 ? 1 - cover : 0};
    }
}

/* Adds up the phi of a type's sources; returns how long the best of them retains. */
static double sum_moments(const struct self *self, const struct fg_type_table *table,
                          struct fg_link_type *type)
{
    const uint32_t *members = table->members.at + type->first;
    double phi = 0, retained = 0;
    for (uint32_t i = 0; i < type->n; i++) {
        struct moment moment = self->moments[members[i]];
        phi += moment.phi;
        retained = moment.retained > retained ? moment.retained : retained;
    }
    type->phi_now = phi;
    return retained;
}

static void add_gain(struct self *self, const struct fg_type_table *table,
                     const struct fg_link_type *type, double value)
{
    for (uint32_t i = 0; i < type->n; i++)
        self->gain[table->slots.at[table->members.at[type->first + i]].row] += value;
}

static void value_types(struct fg_brain *brain, size_t site_number, fg_time now)
{
    struct self *self = brain->self;
    struct fg_type_table *table = &self->tables[site_number];
    struct fg_exposure_site *site = self->model.sites[site_number];
    double slow = fg_types_slow_factor(table, fg_hours(now));
    double fast = fg_types_fast_factor(table, fg_hours(now));
    note_moments(brain, table, site);
    site->rate = 0;
    for (size_t i = 0; i < table->types.len; i++) {
        struct fg_link_type *type = &table->types.at[i];
        double rate = fg_exposure_rate(brain, site, type->slow * slow, type->fast * fast);
        type->value = 0;
        if (rate <= 0)
            continue;
        double retained = sum_moments(self, table, type);
        type->summed = fg_hours(now);
        if (self->model.is_exact)
            type->value =
                value_of(brain, type, rate / cover_of(self, table, type), retained, now) *
                site->brought / site->foreseen;
        else
            type->value = value_of(brain, type, rate, retained, now);
        type->delay = delay_of(type, rate, retained, now);
        add_gain(self, table, type, type->value);
        site->rate += rate;
    }
}

/* --- choosing --- */

static void forget_old_links(struct fg_brain *brain, size_t site, fg_time now)
{
    struct self *self = brain->self;
    struct fg_type_table *table = &self->tables[site];
    struct fg_recent_link left;
    double before = fg_hours(now) - brain->knob[FG_EXPO_MEMORY];
    while (fg_link_memory_expire(&self->model.sites[site]->links, before, &left)) {
        uint32_t type = fg_types_now(table, left.type);
        if (type != FG_NO_TYPE && left.found < before)
            fg_types_credit(table, type, left.found, -1);
        else if (type != FG_NO_TYPE)
            table->types.at[type].links--; /* too many links: its weight stays */
    }
    fg_types_tidy(table, fg_hours(now), &self->model.sites[site]->links);
}

static bool is_better(struct candidate a, struct candidate b)
{
    return a.score != b.score ? a.score > b.score : a.page < b.page;
}

static void sink(struct candidate *heap, size_t n, size_t at)
{
    struct candidate moving = heap[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && is_better(heap[child + 1], heap[child]))
            child++;
        if (!is_better(heap[child], moving))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moving;
}

static double cost(const struct fg_brain *brain, size_t page)
{
    return fg_from_octaves(brain->u8[COST][page]);
}

static double cost_of(const struct fg_brain *brain, size_t page)
{
    const struct self *self = brain->self;
    return self->model.is_exact ? cost(brain, page) : 1;
}

/* `hidden` is the private term, which the choice does not change. */
static float score_of(const struct fg_brain *brain, size_t page, fg_time now,
                      double hidden)
{
    const struct self *self = brain->self;
    double gain = self->gain[page] > 0 ? self->gain[page] : 0;
    return fg_exposure_score(brain, page, now,
                             fg_exposure_burst(brain, page) * (gain + hidden) /
                                 cost_of(brain, page));
}

static void fill_heap(struct fg_brain *brain, fg_time now)
{
    struct self *self = brain->self;
    self->n_heap = 0;
    for (size_t i = 0; i < brain->world->n; i++) {
        bool is_seen = brain->i64[FG_EXPO_TAU][i] != FG_NEVER;
        brain->scores[i] =
            is_seen ? (float)fg_exposure_hidden(brain, &self->model, i, now) : 0;
        if (fg_brain_may_take(brain, i))
            self->heap[self->n_heap++] = (struct candidate){
                score_of(brain, i, now, (double)brain->scores[i]), (uint32_t)i};
    }
    for (size_t i = self->n_heap / 2; i-- > 0;)
        sink(self->heap, self->n_heap, i);
}

/* The types that a source meets are worth nothing any more to the others. */
static void meet_types(struct fg_brain *brain, size_t page)
{
    struct self *self = brain->self;
    struct fg_type_table *table = table_of(brain, page);
    const struct fg_type_slot *slot = &table->slots.at[brain->u32[SLOT][page]];
    for (size_t i = 0; i < slot->types.len; i++) {
        struct fg_link_type *type = &table->types.at[slot->types.at[i]];
        if (type->value > 0)
            add_gain(self, table, type, -type->value);
        type->value = 0;
    }
}

/* The hours of delay that a look at the source would end, all its links together. */
static double delay_ended(struct fg_brain *brain, size_t page, fg_time now)
{
    /* An hour of a source that shows nothing new lowers what is expected of it as if this
     * many links an hour had been expected at first. */
    static const double first_rate = 6;
    const struct self *self = brain->self;
    const struct fg_type_table *table = table_of(brain, page);
    const struct fg_type_slot *slot = &table->slots.at[brain->u32[SLOT][page]];
    double a0 = brain->knob[FG_EXPO_A0], sum = 0;
    double seen = fg_exposure_at(brain, &self->model, page, now) -
                  brain->f64[FG_EXPO_PHI_THEN][page];
    fg_time tau = brain->i64[FG_EXPO_TAU][page];
    double waited = tau == FG_NEVER ? 0 : fg_hours(now - tau);
    for (size_t i = 0; i < slot->types.len; i++) {
        const struct fg_link_type *type = &table->types.at[slot->types.at[i]];
        sum += type->value > 0 ? type->delay : 0;
    }
    double hidden = a0 / (a0 / first_rate + (double)brain->f32[FG_EXPO_SEEN_SUM][page]) *
                    (double)brain->world->weight[page];
    double stays = (double)brain->f32[FG_EXPO_RETAINED][page];
    return waited > 0 ? sum + hidden * (seen < stays ? seen : stays) * waited / 2 : sum;
}

/* A list that shows nothing any more is looked at less and less, up to once an hour: what
 * is expected of it grows as if nobody had looked. */
static bool is_silent(const struct fg_brain *brain, size_t page, fg_time now)
{
    return fg_exposure_is_resting(brain, page, now, 1.0 / 8, 1);
}

static bool is_worth_it(struct fg_brain *brain, size_t page, fg_time now)
{
    double floor = brain->world->floor;
    return floor <= 0 ||
           (!is_silent(brain, page, now) && delay_ended(brain, page, now) >= floor);
}

static size_t take_greedily(struct fg_brain *brain, fg_time now, size_t budget,
                            struct fg_pick *out)
{
    struct self *self = brain->self;
    struct candidate *heap = self->heap;
    size_t n = 0;
    fill_heap(brain, now);
    while (n < budget && self->n_heap) {
        struct candidate best = heap[0];
        double hidden = (double)brain->scores[best.page];
        heap[0].score = score_of(brain, best.page, now, hidden);
        if (!(heap[0].score < best.score)) { /* it has not become worse: it is the best */
            if (is_worth_it(brain, best.page, now) && fg_brain_take(brain, best.page)) {
                out[n++] = (struct fg_pick){.page = best.page,
                                            .score = best.score,
                                            .probability = 1,
                                            .explored = hidden > self->gain[best.page]};
                meet_types(brain, best.page);
            }
            heap[0] = heap[--self->n_heap];
        }
        sink(heap, self->n_heap, 0);
    }
    return n;
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    struct self *self = brain->self;
    double hours = fg_exposure_advance(brain, &self->model, now);
    if (self->model.is_exact)
        fg_exact_calibrate(brain, &self->model, brain->f32[BROUGHT], brain->f32[FORESEEN],
                           fg_fade(hours, 168));
    memset(self->gain, 0, brain->world->n * sizeof *self->gain);
    for (size_t i = 0; i < self->model.n_sites; i++)
        if (self->model.sites[i]) {
            forget_old_links(brain, i, now);
            value_types(brain, i, now);
        }
    if (self->model.is_exact)
        fg_exact_guess_rates(brain, &self->model);
    size_t n = fg_exposure_take_unseen(brain, &self->model, now, budget, out);
    for (size_t i = 0; i < n; i++)
        meet_types(brain, out[i].page);
    return n + take_greedily(brain, now, budget - n, out + n);
}

/* --- telling, saving --- */

/* At any time since the last choice. */
static double value_now(const struct fg_brain *brain, const struct fg_type_table *table,
                        struct fg_link_type *type, double rate, fg_time now)
{
    double retained = 0;
    phi_sum(brain, table, type, now);
    for (uint32_t i = 0; i < type->n; i++) {
        uint32_t row = table->slots.at[table->members.at[type->first + i]].row;
        retained = fmax(retained, (double)brain->f32[FG_EXPO_RETAINED][row]);
    }
    return value_of(brain, type, rate, retained, now);
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    const struct self *self = brain->self;
    const struct fg_type_table *table = table_of(brain, page);
    const struct fg_exposure_site *site = self->model.sites[brain->world->site[page]];
    const struct fg_type_slot *slot = &table->slots.at[brain->u32[SLOT][page]];
    double slow = fg_types_slow_factor(table, fg_hours(now));
    double fast = fg_types_fast_factor(table, fg_hours(now));
    double total = 0, finds = 0, worth = 0;
    for (size_t i = 0; i < slot->types.len; i++) {
        struct fg_link_type type = table->types.at[slot->types.at[i]];
        double rate = fg_exposure_rate(brain, site, type.slow * slow, type.fast * fast);
        total += rate;
        finds += type.slow * slow;
        if (rate > 0)
            worth += value_now(brain, table, &type, rate, now);
    }
    bool is_seen = brain->i64[FG_EXPO_TAU][page] != FG_NEVER;
    double hidden = is_seen ? fg_exposure_hidden(brain, &self->model, page, now) : 0;
    *reason = (struct fg_reason){
        .score = fg_exposure_burst(brain, page) * (worth + hidden) / cost_of(brain, page),
        .rate_unit = "new links an hour that it shows, alone or with others",
        .observations = finds,
    };
    fg_exposure_interval(reason,
                         total + fg_exposure_hidden_rate(brain, &self->model, page),
                         finds + brain->knob[FG_EXPO_A0]);
}

static void save(struct fg_brain *brain, struct fg_buf *out)
{
    fg_exposure_save(&((const struct self *)brain->self)->model, out);
}

static void save_site(struct fg_brain *brain, const uint32_t *rows, size_t n,
                      struct fg_buf *learnt, struct fg_buf *passing)
{
    (void)n;
    uint32_t site = brain->world->site[rows[0]];
    const struct self *self = brain->self;
    fg_exposure_save_site(&self->model, site, learnt, passing);
    fg_types_save(&self->tables[site], learnt);
}

static bool links_name_types(const struct self *self, size_t site)
{
    const struct fg_link_memory *links = &self->model.sites[site]->links;
    for (size_t i = 0; i < fg_link_memory_len(links); i++) {
        uint32_t type = fg_link_memory_at(links, i)->type;
        if (type != FG_NO_TYPE && type >= self->tables[site].types.len)
            return false;
    }
    return true;
}

static bool load_types(struct fg_brain *brain, uint32_t site, size_t sources,
                       struct fg_str *bytes)
{
    struct self *self = brain->self;
    fg_types_clear(&self->tables[site]);
    self->tables[site] = new_table(brain);
    return fg_types_load(&self->tables[site], sources, bytes) &&
           links_name_types(self, site);
}

/* The columns are there: each source has the slot again that it had. */
static bool take_slot(struct fg_brain *brain, size_t row)
{
    return fg_types_take_slot(table_of(brain, row), brain->u32[SLOT][row], (uint32_t)row);
}

static bool start_over(struct fg_brain *brain)
{
    struct self *self = brain->self;
    clear_tables(self);
    fg_exposure_clear(&self->model);
    added(brain, 0);
    return false;
}

static size_t rows_of(const struct fg_world *world, uint32_t site)
{
    size_t n = 0;
    for (size_t i = 0; i < world->n; i++)
        n += world->site[i] == site;
    return n;
}

/* In a former state the types of all sites follow. */
static bool load(struct fg_brain *brain, struct fg_str bytes)
{
    struct self *self = brain->self;
    bool is_good = fg_exposure_load(&self->model, &bytes), is_former = bytes.len;
    for (uint32_t i = 0; is_good && is_former && i < self->model.n_sites; i++)
        is_good = !self->model.sites[i] ||
                  load_types(brain, i, rows_of(brain->world, i), &bytes);
    for (size_t i = 0; is_good && is_former && i < brain->world->n; i++)
        is_good = take_slot(brain, i);
    return (is_good && !bytes.len) || start_over(brain);
}

static bool load_site(struct fg_brain *brain, const uint32_t *rows, size_t n,
                      struct fg_str learnt, struct fg_str passing)
{
    struct self *self = brain->self;
    uint32_t site = brain->world->site[rows[0]];
    bool is_good = fg_exposure_load_site(&self->model, site, &learnt, &passing) &&
                   load_types(brain, site, n, &learnt) && !learnt.len;
    for (size_t i = 0; is_good && i < n; i++)
        is_good = take_slot(brain, rows[i]);
    return is_good || start_over(brain);
}

static double unit(const struct fg_brain *brain)
{
    (void)brain;
    return 1;
}

const struct fg_policy fg_policy_link_types = {
    .name = "link-types",
    .summary = "visit the sources with most expected unseen links, overlaps counted once",
    .paper = "docs/policies.md, section link-types",
    .tasks = FG_DISCOVERY,
    .params = params,
    .columns = columns,
    .self_size = sizeof(struct self),
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

const struct fg_policy fg_policy_forage = {
    .name = "forage",
    .summary = "link-types by Whittle's exact index, at one price with all other fetches",
    .paper = "docs/policies.md, section forage",
    .tasks = FG_DISCOVERY,
    .index.unit = unit,
    .index.cost = cost,
    .params = forage_params,
    .columns = forage_columns,
    .self_size = sizeof(struct self),
    .init = init_exact,
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
