/* How lomax chooses without looking at every page.
 *
 * At any time there is a price: a visit is made if it is worth that much. It is found
 * once a day from a sample of the pages, and corrected by what the least worthy visits of
 * the last ticks were worth. After a visit we solve for the moment when the next will be
 * worth that, and put the page into the calendar for then. A tick looks only at what the
 * calendar has for it and at what the last tick left over, in the order in which they
 * stand in memory; those not worth the price yet go back, by the slope of their worth. If
 * what is left is too few, the next ticks' pages are looked at ahead of time. Pages that
 * are never worth the price, for they change too often, and pages never visited, whose
 * worth does not move, wait on shelves until the price falls.
 *
 * The moments are reckoned with clocks that run plainly. When a group's clock has run
 * ahead by a tenth of the time between visits, or a page's weight or told rate has moved,
 * pages are put anew: that is found out by streaming through the columns whenever an
 * eighth of all pages has been visited. So are all when the prior has moved by a tenth,
 * at most every time that a quarter has been visited.
 *
 * Where a site's limit binds, its pages have a higher price of their own: it rises with
 * each page that has to wait, and falls when the site has visits to spare. */
#include "base/elementary.h"
#include "base/memory.h"
#include "policy/refresh/lomax.h"
#include "policy/refresh/lomax_index.h"

#include <stdlib.h>
#include <string.h>

enum { NOWHERE, CARRIED, PICKED }; /* what `due` says of pages not in the calendar */
enum { AHEAD = 8, SAMPLE = 4096, LARGE_SAMPLE = 32768, PAGES_A_SAMPLE = 256 };
/* Steps, eight an octave, by which what is at stake must rise or fall for a page to be
 * put anew. A page that is put too early loses little: it is looked at, and put again. */
enum { STAKE_UP = 1, STAKE_DOWN = 4 };
#define NO_DAY INT64_MIN

/* More than what is wanted is looked at ahead of time: some cannot be visited. */
enum { SPARE_SHARE = 50, SPARE_LEAST = 64 };
/* The correction moves by a tenth of the way at most, a quarter being as far as it sees,
 * and by a factor of 1.6 while all pages are visited once. */
static const double most_gain = 0.1, turn_gain = 2, far = 0.25;
/* Further from its price than this a page's moment is solved for. */
static const double most_ahead = 1.25, least_power = 0.3;
static const double smoothed = 0.25, jump = 0.2;
static const double shock = 0.1, outdated = 0.1, postponed = 1.0 / 32;
static const float refused = 1.05F, spare = 0.98F;

static struct fg_lomax_queue *queue_of(const struct fg_brain *brain)
{
    struct fg_lomax *self = brain->self;
    return &self->queue;
}

static uint32_t tick_of(const struct fg_lomax_queue *queue, fg_time now)
{
    return FG_CALENDAR_FIRST + (uint32_t)((now - queue->start) / queue->tick);
}

static double price_for(const struct fg_brain *brain, size_t page)
{
    const struct fg_lomax_queue *queue = queue_of(brain);
    uint32_t site = brain->world->site[page];
    return queue->price * (site < queue->sites ? (double)queue->site_price[site] : 1);
}

/* --- putting pages where they belong --- */

static void carry(struct fg_brain *brain, uint32_t page)
{
    brain->u32[LOMAX_DUE][page] = CARRIED;
    fg_vec_push(&queue_of(brain)->carried, page);
}

static void put_after(struct fg_brain *brain, uint32_t page, fg_time now, double days)
{
    struct fg_lomax_queue *queue = queue_of(brain);
    double ticks = ceil(days / fg_days(queue->tick));
    double tick = fmax(tick_of(queue, now) + ticks, (double)queue->calendar.now + 1);
    fg_calendar_put(&queue->calendar, brain->u32[LOMAX_DUE], page,
                    (uint32_t)fmin(tick, FG_CALENDAR_LAST - 1));
}

/* What pages were put for, where it can move without a visit: their weight, and a rate
 * that is told. */
static uint8_t stake_of(const struct fg_brain *brain, size_t row)
{
    double stake = fg_lomax_weight(brain, row);
    const float *told = brain->world->told[FG_TOLD_CHANGES_MODEL];
    if (told && told[row] > 0 &&
        (brain->knob[LOMAX_OWN] <= 0 || brain->world->last_visit[row] == FG_NEVER))
        stake *= (double)told[row];
    return fg_octaves(stake);
}

/* Nothing is told: they follow from the weights alone. */
static bool has_plain_stakes(const struct fg_brain *brain)
{
    const struct fg_lomax *self = brain->self;
    bool is_plain = self->alpha <= 0;
    for (size_t i = 0; i < FG_TOLD_KINDS; i++)
        is_plain &= !brain->world->told[i];
    return is_plain;
}

/* For when it will be worth the price. */
static void put(struct fg_brain *brain, uint32_t row, const struct fg_lomax_page *page,
                fg_time now)
{
    struct fg_lomax_queue *queue = queue_of(brain);
    brain->u8[LOMAX_STAKE][row] = stake_of(brain, row);
    double wait = INFINITY;
    if (page->visited != FG_NEVER && page->value > 0)
        wait = fg_lomax_wait(brain, page, now, price_for(brain, row));
    if (isinf(wait))
        fg_calendar_shelve(&queue->calendar, brain->u32[LOMAX_DUE], row,
                           fg_lomax_most_worth(brain, page));
    else
        put_after(brain, row, now, wait);
}

/* The same of a page that is nearly worth the price, for when it will be. */
static void put_again(struct fg_brain *brain, uint32_t row,
                      const struct fg_lomax_page *page,
                      const struct fg_lomax_standing *standing, fg_time now)
{
    double ratio = price_for(brain, row) / standing->worth;
    if (!(ratio < most_ahead && standing->power > least_power)) {
        put(brain, row, page, now);
        return;
    }
    brain->u8[LOMAX_STAKE][row] = stake_of(brain, row);
    double high = 2 * (ratio - 1) / (ratio + 1) / standing->power; /* nearly its log */
    put_after(brain, row, now, standing->passed * (high + high * high / 2));
}

static void put_row(struct fg_brain *brain, uint32_t row, fg_time now)
{
    struct fg_lomax_page page = fg_lomax_page(brain, row);
    queue_of(brain)->touched++;
    put(brain, row, &page, now);
}

static void put_fresh(struct fg_brain *brain, fg_time now)
{
    struct fg_lomax_queue *queue = queue_of(brain);
    for (size_t i = 0; i < queue->fresh.len; i++) {
        uint32_t row = queue->fresh.at[i];
        if (row < brain->world->n && brain->u32[LOMAX_DUE][row] == NOWHERE)
            put_row(brain, row, now);
    }
    queue->fresh.len = 0;
}

/* --- the price --- */

struct sample {
    struct fg_gamma_rate *rate;
    double *value, least_days; /* no page is visited twice in a tick */
    size_t n;
};

static double visits_a_day(const struct sample *sample, double price)
{
    double visits = 0;
    for (size_t i = 0; i < sample->n; i++)
        if (sample->value[i] > 0) {
            double days = fg_lomax_crossing(sample->rate[i], price / sample->value[i], 0);
            visits += 1 / fmax(days, sample->least_days);
        }
    return visits;
}

/* A few pages may weigh much, so of many pages many are asked: as long as that takes no
 * time beside their visits. */
static struct sample sample_of(const struct fg_brain *brain)
{
    const struct fg_lomax *self = brain->self;
    size_t n = brain->world->n, size = n / PAGES_A_SAMPLE;
    size = size < SAMPLE ? SAMPLE : size > LARGE_SAMPLE ? LARGE_SAMPLE : size;
    size_t stride = n / size + 1;
    struct sample sample = {.least_days = fg_days(brain->world->tick)};
    sample.rate = fg_zeroed(n / stride + 1, sizeof *sample.rate);
    sample.value = fg_zeroed(n / stride + 1, sizeof *sample.value);
    for (size_t row = (size_t)self->day % stride; row < n; row += stride) {
        sample.rate[sample.n] = fg_lomax_rate(brain, row);
        sample.value[sample.n++] = fg_lomax_value(brain, row);
    }
    return sample;
}

/* The price at which pages would be visited as often as the budget allows, if all went on
 * as it is believed to. */
static double steady_price(const struct fg_brain *brain)
{
    const struct fg_lomax *self = brain->self;
    struct sample sample = sample_of(brain);
    double wanted = self->visits_a_day * (double)sample.n, low = -69, high = 69;
    for (int i = 0; i < 20; i++) {
        double middle = (low + high) / 2;
        *(visits_a_day(&sample, fg_exp(middle)) > wanted ? &low : &high) = middle;
    }
    free(sample.rate);
    free(sample.value);
    return fg_exp((low + high) / 2);
}

/* What this leaves out is learnt: the price is corrected towards what the last one taken
 * was worth. Slowly, or else pages put at different prices could not be told apart by
 * when they are due: in the first days, when none is, it would fall to nothing. */
static void move_price(struct fg_brain *brain, const struct fg_pick *picks, size_t n)
{
    struct fg_lomax_queue *queue = queue_of(brain);
    if (brain->world->last_visit[picks[n - 1].page] == FG_NEVER)
        return; /* as long as there are such pages, it is not the budget that counts */
    double turn = (double)n / (double)brain->world->n;
    double least = fmax((double)picks[n - 1].score, 1e-30);
    double apart = fmin(fmax(fg_log(least / queue->price), -far), far);
    queue->correction *= fg_exp(fmin(turn_gain * turn, most_gain) * apart);
    queue->correction = fmin(fmax(queue->correction, 1.0 / 4), 4);
    queue->price = queue->steady_price * queue->correction;
}

static void move_site_prices(const struct fg_brain *brain)
{
    struct fg_lomax_queue *queue = queue_of(brain);
    const struct fg_world *world = brain->world;
    for (uint32_t site = 0; world->site_limit && site < queue->sites; site++)
        if (brain->used[site] < world->site_limit[site] && queue->site_price[site] > 1)
            queue->site_price[site] = fmaxf(queue->site_price[site] * spare, 1);
}

/* --- starting --- */

void fg_lomax_queue_stop(struct fg_lomax_queue *queue)
{
    fg_calendar_clear(&queue->calendar);
    free(queue->site_price);
    free(queue->is_shocked);
    fg_vec_clear(&queue->fresh);
    fg_vec_clear(&queue->carried);
    fg_vec_clear(&queue->picked);
    fg_vec_clear(&queue->ready);
    *queue = (struct fg_lomax_queue){0};
}

/* Put all that are not in the calendar there. */
static void put_rest(struct fg_brain *brain, fg_time now)
{
    struct fg_lomax_queue *queue = queue_of(brain);
    queue->fresh.len = queue->carried.len = queue->picked.len = 0;
    for (uint32_t row = 0; row < brain->world->n; row++)
        if (brain->u32[LOMAX_DUE][row] < FG_CALENDAR_FIRST)
            put_row(brain, row, now);
}

static void start(struct fg_brain *brain, fg_time now)
{
    struct fg_lomax_queue *queue = queue_of(brain);
    queue->start = now;
    queue->tick = brain->world->tick;
    queue->correction = 1;
    queue->day = NO_DAY;
    queue->is_on = true;
    queue->is_packed = false;
    for (size_t row = 0; row < brain->world->n; row++)
        brain->u32[LOMAX_DUE][row] = NOWHERE;
}

static bool is_out_of_range(const struct fg_lomax_queue *queue, fg_time now)
{
    return now < queue->start ||
           (now - queue->start) / queue->tick > FG_CALENDAR_LAST / 2;
}

/* The sample is another one each day, and a few pages may weigh much in it: a price that
 * jumped with it would have pages looked at in vain. */
static void find_price(struct fg_brain *brain)
{
    const struct fg_lomax *self = brain->self;
    struct fg_lomax_queue *queue = queue_of(brain);
    if (queue->day == self->day)
        return;
    double price = steady_price(brain), before = queue->steady_price;
    double moved = before > 0 ? fg_log(price / before) : INFINITY;
    bool is_small = brain->world->n < 16 * (size_t)SAMPLE;
    if (!is_small && fabs(moved) < jump && queue->day != NO_DAY)
        price = before * fg_exp(smoothed * moved);
    queue->day = self->day;
    queue->steady_price = price;
    queue->price = queue->steady_price * queue->correction;
}

void fg_lomax_queue_sites(struct fg_lomax_queue *queue, size_t sites)
{
    if (queue->sites >= sites)
        return;
    queue->site_price = fg_resized(queue->site_price, sites, sizeof(float));
    while (queue->sites < sites)
        queue->site_price[queue->sites++] = 1;
}

static void make_ready(struct fg_brain *brain, fg_time now)
{
    struct fg_lomax_queue *queue = queue_of(brain);
    const struct fg_world *world = brain->world;
    if (!queue->is_on || queue->tick != world->tick || is_out_of_range(queue, now))
        start(brain, now);
    find_price(brain);
    if (world->site_limit)
        fg_lomax_queue_sites(queue, world->sites);
    size_t entries = queue->calendar.in_wheel + queue->calendar.shelved;
    bool was_packed = queue->is_packed;
    /* From the tick before this one, so that what is put next can be due in this. */
    if (!was_packed || entries > world->n + world->n / 2 + 4096)
        fg_calendar_pack(&queue->calendar, tick_of(queue, now) - 1, brain->u32[LOMAX_DUE],
                         world->n);
    queue->is_packed = true;
    if (!was_packed)
        put_rest(brain, now);
}

/* --- what to look at in this tick --- */

static void add_ready(struct fg_lomax_queue *queue, uint32_t page)
{
    fg_vec_push(&queue->ready, (struct fg_top){.id = page});
}

static void add_left(struct fg_brain *brain, const uint32_t *pages, size_t n, uint32_t as)
{
    uint32_t *due = brain->u32[LOMAX_DUE];
    for (size_t i = 0; i < n; i++)
        if (pages[i] < brain->world->n && due[pages[i]] == as) {
            due[pages[i]] = NOWHERE;
            add_ready(queue_of(brain), pages[i]);
        }
}

static void gather(struct fg_brain *brain, uint32_t tick, size_t budget)
{
    struct fg_lomax_queue *queue = queue_of(brain);
    uint32_t *due = brain->u32[LOMAX_DUE], page;
    queue->ready.len = 0;
    add_left(brain, queue->picked.at, queue->picked.len, PICKED);
    add_left(brain, queue->carried.at, queue->carried.len, CARRIED);
    queue->picked.len = queue->carried.len = 0;
    while (fg_calendar_take(&queue->calendar, due, tick, &page))
        add_ready(queue, page);
    size_t most = queue->ready.len + budget;
    while (queue->ready.len < most &&
           fg_calendar_unshelve(&queue->calendar, due, queue->price, &page))
        add_ready(queue, page);
    /* Too few: some of what is due soon, whole ticks of it, and then of what hardly pays.
     */
    size_t wanted = budget + queue->barred;
    uint32_t last = queue->ready.len < wanted ? UINT32_MAX : 0;
    while (fg_calendar_take_ahead(&queue->calendar, due, last, &page)) {
        add_ready(queue, page);
        if (queue->ready.len >= wanted + wanted / SPARE_SHARE + SPARE_LEAST)
            last = queue->calendar.ahead;
    }
    while (queue->ready.len < wanted &&
           fg_calendar_unshelve(&queue->calendar, due, 0, &page))
        add_ready(queue, page);
}

/* By number, that what is known of them is read from one end of memory to the other. */
static void sort_ready(struct fg_lomax_queue *queue, size_t pages)
{
    enum { BITS = 11, DIGITS = 1 << BITS };
    size_t n = queue->ready.len;
    struct fg_top *from = queue->ready.at, *other = fg_resized(NULL, n, sizeof *other),
                  *to = other;
    for (unsigned shift = 0; pages >> shift; shift += BITS) {
        size_t place[DIGITS] = {0}, before = 0;
        for (size_t i = 0; i < n; i++)
            place[from[i].id >> shift & (DIGITS - 1)]++;
        for (size_t digit = 0; digit < DIGITS; digit++) {
            size_t count = place[digit];
            place[digit] = before;
            before += count;
        }
        for (size_t i = 0; i < n; i++)
            to[place[from[i].id >> shift & (DIGITS - 1)]++] = from[i];
        struct fg_top *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != queue->ready.at && n)
        memcpy(queue->ready.at, from, n * sizeof *from);
    free(other);
}

static void fetch_ahead(const struct fg_brain *brain, size_t page)
{
    const struct fg_lomax *self = brain->self;
    const struct fg_world *world = brain->world;
    __builtin_prefetch(&brain->f32[LOMAX_CHANGES][page]);
    __builtin_prefetch(&brain->f32[LOMAX_EXPOSURE][page]);
    __builtin_prefetch(&brain->u32[LOMAX_LAST_CHANGE][page]);
    __builtin_prefetch(&brain->f32[LOMAX_TOLD][page]);
    __builtin_prefetch(&brain->u8[LOMAX_SIGNALS][page]);
    __builtin_prefetch(&brain->u8[LOMAX_COST][page]);
    __builtin_prefetch(&world->last_visit[page]);
    __builtin_prefetch(&world->last_try[page]);
    __builtin_prefetch(&world->group[page]);
    if (world->site_limit || self->signals.n)
        __builtin_prefetch(&world->site[page]);
    __builtin_prefetch(&world->weight[page]);
    __builtin_prefetch(&world->is_blocked[page]);
}

/* Those that cannot be visited now wait for a while. Of the others the worth; if it is
 * not enough yet they are put back at once, while they are at hand, and count as nowhere
 * else only if they are taken after all. */
static void judge_row(struct fg_brain *brain, uint32_t row, fg_time now)
{
    struct fg_lomax_queue *queue = queue_of(brain);
    struct fg_lomax_page page = fg_lomax_page(brain, row);
    bool is_new = page.visited == FG_NEVER;
    double rest = fg_lomax_rest(brain->world, row, now);
    if (rest > 0 || brain->world->is_blocked[row]) {
        double waited = is_new ? 0 : fg_days(now - page.visited);
        put_after(brain, row, now, fmax(rest, postponed * waited));
        return;
    }
    struct fg_lomax_standing standing = {.worth = INFINITY};
    if (is_new) {
        standing.worth = fg_lomax_most_worth(brain, &page);
        put(brain, row, &page, now);
    } else {
        standing = fg_lomax_stand(brain, &page, now);
        if (standing.worth < price_for(brain, row))
            put_again(brain, row, &page, &standing, now);
    }
    queue->ready.at[queue->ready.len++] = (struct fg_top){(float)standing.worth, row};
}

static void judge(struct fg_brain *brain, fg_time now)
{
    const struct fg_lomax *self = brain->self;
    struct fg_lomax_queue *queue = queue_of(brain);
    size_t n = queue->ready.len;
    queue->touched += n;
    queue->ready.len = 0;
    for (size_t i = 0; i < n; i++) {
        if (i + 2 * AHEAD < n)
            fetch_ahead(brain, queue->ready.at[i + 2 * AHEAD].id);
        if (i + AHEAD < n) {
            uint32_t row = queue->ready.at[i + AHEAD].id;
            fg_lomax_clocks_fetch(&self->clocks, brain->world->group[row],
                                  brain->world->last_visit[row]);
        }
        judge_row(brain, queue->ready.at[i].id, now);
    }
    size_t barred = n - queue->ready.len, before = queue->barred / 2;
    queue->barred = barred > before ? barred : before;
}

/* --- choosing among them --- */

static void fetch_to_take(const struct fg_brain *brain, size_t page)
{
    __builtin_prefetch(&brain->u32[LOMAX_DUE][page], 1);
    __builtin_prefetch(&brain->taken[page], 1);
    __builtin_prefetch(&brain->world->site[page]);
    __builtin_prefetch(&brain->world->is_blocked[page]);
}

static size_t take_best(struct fg_brain *brain, size_t budget, struct fg_pick *out)
{
    struct fg_lomax_queue *queue = queue_of(brain);
    struct fg_topk topk;
    fg_topk_init(&topk, brain->world->site_limit ? 2 * budget : budget);
    for (size_t i = 0; i < queue->ready.len; i++)
        fg_topk_add_one(&topk, queue->ready.at[i].id, queue->ready.at[i].score);
    size_t n, taken = 0;
    const struct fg_top *best = fg_topk_take(&topk, &n);
    for (size_t i = 0; i < n && taken < budget; i++) {
        if (i + 2 * AHEAD < n)
            fetch_to_take(brain, best[i + 2 * AHEAD].id);
        uint32_t page = best[i].id, site = brain->world->site[page];
        if (fg_brain_take(brain, page)) {
            brain->u32[LOMAX_DUE][page] = PICKED;
            fg_vec_push(&queue->picked, page);
            out[taken++] =
                (struct fg_pick){.page = page, .score = best[i].score, .probability = 1};
        } else if (site < queue->sites) {
            queue->site_price[site] *= refused;
        }
    }
    fg_topk_clear(&topk);
    return taken;
}

/* Anything, but the same for the same page and tick. */
static uint64_t lot(uint32_t row, uint32_t tick)
{
    uint64_t mixed = ((uint64_t)tick << 32 | row) * UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return mixed >> 32;
}

/* Those worth the price that were not taken are looked at again in the next tick, as far
 * as it can have use for them; the rest, by lot, over as many ticks as it takes. */
static void put_back(struct fg_brain *brain, fg_time now, size_t budget)
{
    struct fg_lomax_queue *queue = queue_of(brain);
    size_t left = 0, useful = 2 * budget;
    for (size_t i = 0; i < queue->ready.len; i++) {
        uint32_t row = queue->ready.at[i].id;
        if (brain->u32[LOMAX_DUE][row] == NOWHERE)
            queue->ready.at[left++].id = row;
    }
    size_t ticks = useful ? left / useful + 1 : 1;
    for (size_t i = 0; i < left; i++) {
        uint32_t row = queue->ready.at[i].id;
        uint64_t delay = lot(row, queue->calendar.now) % ticks;
        if (delay)
            put_after(brain, row, now, fg_days(queue->tick) * (double)delay);
        else
            carry(brain, row);
    }
}

/* --- what moves pages nearer that are far from due --- */

/* Groups whose clock has run ahead: of the pages in them the moments are wrong. */
static bool find_shocks(struct fg_lomax *self, size_t groups, fg_time now)
{
    struct fg_lomax_queue *queue = &self->queue;
    bool any = false;
    if (queue->groups < groups)
        queue->is_shocked = fg_resized(queue->is_shocked, groups, 1);
    queue->groups = queue->groups < groups ? groups : queue->groups;
    memset(queue->is_shocked, 0, queue->groups);
    for (size_t i = 0; i < self->clocks.n; i++) {
        struct fg_lomax_clock *clock = &self->clocks.at[i];
        double ahead = fg_lomax_clock_ahead(&self->clocks, clock, now);
        bool is_shocked = ahead - clock->ahead > shock / self->visits_a_day;
        if (is_shocked || !(ahead > clock->ahead))
            clock->ahead = ahead;
        if (is_shocked && clock->group < queue->groups)
            any = queue->is_shocked[clock->group] = true;
    }
    return any;
}

/* The prior has moved: what is little known is worth something else than when it was put
 * there. In the first weeks; later it hardly ever does. */
static bool is_outdated(struct fg_brain *brain)
{
    const struct fg_lomax *self = brain->self;
    struct fg_lomax_queue *queue = queue_of(brain);
    double time = fg_lomax_fresh_time(fg_lomax_belief(&self->prior, 0, 0, 1),
                                      brain->knob[LOMAX_HORIZON]);
    bool is_new = !(queue->prior_time > 0);
    if (!is_new && (fabs(fg_log(time / queue->prior_time)) < outdated ||
                    queue->chosen - queue->chosen_then < brain->world->n / 4))
        return false;
    queue->prior_time = time;
    queue->chosen_then = queue->chosen;
    return !is_new;
}

static void look_through(struct fg_brain *brain, fg_time now)
{
    struct fg_lomax *self = brain->self;
    struct fg_lomax_queue *queue = &self->queue;
    const struct fg_world *world = brain->world;
    if (queue->chosen - queue->chosen_before < world->n / 8)
        return;
    queue->chosen_before = queue->chosen;
    bool all = is_outdated(brain), any = find_shocks(self, world->groups, now);
    if (all)
        fg_calendar_pack(&queue->calendar, queue->calendar.now, NULL, 0);
    queue->streamed += world->n;
    const uint32_t *due = brain->u32[LOMAX_DUE];
    const uint8_t *stake = brain->u8[LOMAX_STAKE];
    bool is_plain = has_plain_stakes(brain);
    for (uint32_t row = 0; row < world->n; row++) {
        if (due[row] < FG_CALENDAR_FIRST)
            continue;
        uint8_t now_at =
            is_plain ? fg_octaves(fmax((double)world->weight[row], self->least_weight))
                     : stake_of(brain, row);
        int grown = now_at - stake[row];
        if (all || grown > STAKE_UP || grown < -STAKE_DOWN ||
            (any && queue->is_shocked[world->group[row]]))
            put_row(brain, row, now);
    }
}

/* --- the policy's side --- */

size_t fg_lomax_queue_select(struct fg_brain *brain, fg_time now, size_t budget,
                             struct fg_pick *out)
{
    struct fg_lomax_queue *queue = queue_of(brain);
    make_ready(brain, now);
    put_fresh(brain, now);
    look_through(brain, now);
    gather(brain, tick_of(queue, now), budget);
    sort_ready(queue, brain->world->n);
    judge(brain, now);
    size_t n = take_best(brain, budget, out);
    if (n)
        move_price(brain, out, n);
    move_site_prices(brain);
    put_back(brain, now, budget);
    queue->chosen += n;
    return n;
}

/* Whatever happens to a page before the first choice, by then it must be put anew. */
static bool is_asleep(struct fg_brain *brain, size_t row, fg_time now)
{
    const struct fg_lomax_queue *queue = queue_of(brain);
    if (!queue->is_packed)
        brain->u32[LOMAX_DUE][row] = NOWHERE;
    return !queue->is_packed || now < queue->start;
}

void fg_lomax_queue_observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    uint32_t row = (uint32_t)visit->page;
    if (is_asleep(brain, row, visit->now))
        return;
    struct fg_lomax_page page = fg_lomax_page(brain, row);
    if (visit->ok) {
        page.visited = visit->now;
        page.since_change = fg_lomax_since_change(brain, row, visit->now);
    }
    put(brain, row, &page, visit->now);
}

void fg_lomax_queue_signal(struct fg_brain *brain, size_t page, fg_time now)
{
    if (!is_asleep(brain, page, now) && brain->u32[LOMAX_DUE][page] >= FG_CALENDAR_FIRST)
        put_row(brain, (uint32_t)page, now);
}

void fg_lomax_queue_added(struct fg_brain *brain, size_t first)
{
    struct fg_lomax_queue *queue = queue_of(brain);
    for (size_t row = first; queue->is_packed && row < brain->world->n; row++)
        fg_vec_push(&queue->fresh, (uint32_t)row);
}

void fg_lomax_queue_moved(struct fg_brain *brain, size_t from, size_t to)
{
    struct fg_lomax_queue *queue = queue_of(brain);
    if (!queue->is_packed || from == to)
        return;
    uint32_t at = brain->u32[LOMAX_DUE][from], row = (uint32_t)to;
    if (at >= FG_CALENDAR_FIRST)
        fg_calendar_rename(&queue->calendar, brain->u32[LOMAX_DUE], (uint32_t)from, row);
    else if (at == CARRIED)
        fg_vec_push(&queue->carried, row);
    else if (at == PICKED)
        fg_vec_push(&queue->picked, row);
    else
        fg_vec_push(&queue->fresh, row);
}
