/* How lomax chooses: the calendar against looking at every page, where both can run, and
 * by itself at 100 million pages.
 *
 * Pages change at rates of shape 1/2 and mean 0.03 a day, and weigh as clicks do: a few
 * much, most little. A page's rate and weight follow from its number, so the world takes
 * no memory; whether a visit finds a change is drawn when it is made. Sites are groups,
 * the k-th has n / 10 k pages, up to a million of them. CPU time is that of choosing;
 * what learning from a visit takes is told beside it. Pages touched are those whose worth
 * or moment was worked out.
 *
 * 100 million pages take 6 GB, of which lomax has a half; with less memory than that to
 * spare there are fewer of them. */
#include "bench.h"

#include "base/memory.h"
#include "base/rng.h"
#include "base/variate.h"
#include "policy/refresh/lomax.h"
#include "policy/refresh/lomax_index.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern const struct fg_policy fg_policy_lomax;

/* What the frame has, without names for pages. */
struct frame {
    struct fg_brain brain;
    struct fg_world world;
    uint32_t *site;
    float *weight;
    fg_time *visited;
    uint8_t *blocked;
    size_t column_bytes;
};

static double unit_of(uint64_t number)
{
    number = (number + 1) * UINT64_C(0x9E3779B97F4A7C15);
    number ^= number >> 32;
    number *= UINT64_C(0xD6E8FEB86659FD93);
    number ^= number >> 32;
    return ((double)(number >> 11) + 0.5) * 0x1p-53;
}

/* The square of a normal variate has shape 1/2. */
static double rate_of(size_t page)
{
    double normal = sqrt(-2 * log(unit_of(2 * page))) * cos(M_PI * unit_of(2 * page + 1));
    return 0.03 * normal * normal;
}

static double weight_of(size_t page)
{
    return fmin(0.3 / pow(unit_of(~page), 0.7), 1e4);
}

static uint32_t site_of(size_t page, size_t n)
{
    double rank = exp(unit_of(page ^ UINT64_C(0x5555555555)) * log((double)n / 100 + 1));
    return (uint32_t)rank - 1;
}

static struct frame *make_frame(size_t n, double exact)
{
    struct frame *frame = fg_zeroed(1, sizeof *frame);
    struct fg_brain *brain = &frame->brain;
    brain->policy = &fg_policy_lomax;
    brain->world = &frame->world;
    brain->room = n;
    brain->self = fg_zeroed(1, fg_policy_lomax.self_size);
    for (size_t i = 0; fg_policy_lomax.params[i].name; i++)
        brain->knob[i] = fg_policy_lomax.params[i].initial;
    brain->knob[LOMAX_EXACT] = exact;
    for (size_t i = 0; fg_policy_lomax.columns[i].name; i++) {
        size_t bytes = fg_policy_lomax.columns[i].type == FG_U8 ? 1 : 4;
        brain->column[i] = fg_zeroed(n, bytes);
        frame->column_bytes += bytes;
    }
    frame->site = fg_zeroed(n, sizeof *frame->site);
    frame->weight = fg_zeroed(n, sizeof *frame->weight);
    frame->visited = fg_zeroed(n, sizeof *frame->visited);
    frame->blocked = fg_zeroed(n, 1);
    brain->taken = fg_zeroed(n, sizeof *brain->taken);
    brain->scores = exact > 0 ? fg_zeroed(n, sizeof *brain->scores) : NULL;
    brain->used = fg_zeroed(n / 100 + 2, sizeof *brain->used);
    size_t sites = n / 100 + 2;
    for (size_t page = 0; page < n; page++) {
        frame->site[page] = site_of(page, n);
        frame->weight[page] = (float)weight_of(page);
        frame->visited[page] = FG_NEVER;
    }
    frame->world = (struct fg_world){.n = n,
                                     .site = frame->site,
                                     .group = frame->site,
                                     .weight = frame->weight,
                                     .last_visit = frame->visited,
                                     .last_try = frame->visited,
                                     .added = frame->visited,
                                     .is_blocked = frame->blocked,
                                     .sites = sites,
                                     .groups = sites};
    brain->policy->init(brain);
    return frame;
}

static void free_frame(struct frame *frame)
{
    struct fg_brain *brain = &frame->brain;
    brain->policy->clear(brain);
    for (size_t i = 0; fg_policy_lomax.columns[i].name; i++)
        free(brain->column[i]);
    void *arrays[] = {brain->self,  frame->site,    frame->weight, frame->visited,
                      brain->taken, frame->blocked, brain->scores, brain->used};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(frame);
}

/* Watched for this long, at rates of this kind. */
static const double watched_days = 300;
static const struct fg_lomax_prior truth = {.shape = 0.5, .mean = 0.03, .start = 0.05};

static double interval_of(const struct frame *frame, size_t page, double price)
{
    const struct fg_brain *brain = &frame->brain;
    struct fg_gamma_rate rate =
        fg_lomax_belief(&truth, (double)brain->f32[LOMAX_CHANGES][page], watched_days, 1);
    return fg_lomax_crossing(rate, price / (double)frame->weight[page], 0);
}

/* At which the share of the pages, a sample says, would be visited each day. */
static double price_for(const struct frame *frame, double share, double least_days)
{
    size_t stride = frame->world.n / 5000 + 1;
    double low = -30, high = 30;
    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2, visits = 0, pages = 0;
        for (size_t page = 0; page < frame->world.n; page += stride, pages++)
            visits += 1 / fmax(interval_of(frame, page, exp(middle)), least_days);
        *(visits > share * pages ? &low : &high) = middle;
    }
    return exp((low + high) / 2);
}

/* As if it had gone on for long: every page has been visited in time, and the last visit
 * was at a random moment of its interval. */
static void age(struct frame *frame, double share, double tick_days, struct fg_rng *rng,
                fg_time now)
{
    struct fg_brain *brain = &frame->brain;
    struct fg_lomax *self = brain->self;
    self->prior = truth;
    for (size_t page = 0; page < frame->world.n; page++) {
        brain->f32[LOMAX_EXPOSURE][page] = (float)watched_days;
        brain->f32[LOMAX_CHANGES][page] =
            (float)fg_rng_poisson(rng, rate_of(page) * watched_days);
    }
    double price = price_for(frame, share, tick_days);
    for (size_t page = 0; page < frame->world.n; page++) {
        double days = fmin(interval_of(frame, page, price), watched_days);
        double since = fmax(days, tick_days) * fg_rng_unit(rng);
        frame->visited[page] = now - (fg_time)(since * (double)FG_DAY);
        since = fg_rng_exponential(rng) / rate_of(page);
        brain->u32[LOMAX_LAST_CHANGE][page] =
            (uint32_t)((frame->visited[page] / FG_SECOND) -
                       (fg_time)(86400 * fmin(since, watched_days)));
    }
}

struct outcome {
    double fresh, choose_seconds, learn_seconds, touched, first_seconds;
    uint64_t fetches, streamed;
};

/* A run: what was judged of it so far. */
struct tally {
    fg_time from;
    double weight, fresh;
};

/* Copies count from `from` on, up to their visit at `now` or the end. */
static bool judge(const struct frame *frame, struct tally *tally, size_t page,
                  fg_time now, struct fg_rng *rng)
{
    fg_time last = frame->visited[page];
    if (last == FG_NEVER)
        return true;
    double days = fg_days(now - last), weight = (double)frame->weight[page];
    double until = fg_rng_exponential(rng) / rate_of(page);
    double in = fmin(days, fg_days(now - tally->from)), bad = fmax(days - until, 0);
    if (in > 0) {
        tally->weight += weight * in;
        tally->fresh += weight * fmax(in - bad, 0);
    }
    return until < days;
}

static double visit_all(struct frame *frame, const struct fg_pick *picks, size_t n,
                        const bool *changed, fg_time now)
{
    double before = bench_cpu_seconds();
    for (size_t i = 0; i < n; i++) {
        struct fg_visit visit = {.page = picks[i].page,
                                 .now = now,
                                 .previous = frame->visited[picks[i].page],
                                 .ok = true,
                                 .changed = changed[i],
                                 .modified = FG_NEVER,
                                 .cost = 1};
        frame->brain.policy->observe(&frame->brain, &visit);
        frame->visited[visit.page] = now;
    }
    return bench_cpu_seconds() - before;
}

static void run(struct frame *frame, double share, int ticks_a_day, int ticks, int judged,
                fg_time start, struct outcome *outcome)
{
    struct fg_brain *brain = &frame->brain;
    const struct fg_lomax *self = brain->self;
    size_t n = frame->world.n;
    double each = (double)n * share / ticks_a_day, credit = 0;
    struct fg_rng rng = fg_rng_from_seed(7);
    struct fg_pick *picks = fg_zeroed((size_t)each + 2, sizeof *picks);
    bool *changed = fg_zeroed((size_t)each + 2, sizeof *changed);
    frame->world.tick = FG_DAY / ticks_a_day;
    frame->world.budget = each;
    struct tally tally = {.from = start + judged * frame->world.tick};
    fg_time now = start;
    for (int tick = 0; tick < ticks; tick++, now += frame->world.tick) {
        credit += each;
        size_t budget = (size_t)credit;
        credit -= (double)budget;
        brain->turn++;
        uint64_t touched = self->queue.touched, streamed = self->queue.streamed;
        double before = bench_cpu_seconds();
        size_t chosen = brain->policy->select(brain, now, budget, picks);
        double choosing = bench_cpu_seconds() - before;
        for (size_t i = 0; i < chosen; i++)
            changed[i] = judge(frame, &tally, picks[i].page, now, &rng);
        double learning = visit_all(frame, picks, chosen, changed, now);
        if (tick == 0)
            outcome->first_seconds = choosing;
        if (tick == 0 || now < tally.from)
            continue;
        outcome->choose_seconds += choosing;
        outcome->learn_seconds += learning;
        outcome->fetches += chosen;
        outcome->touched += (double)(self->queue.touched - touched);
        outcome->streamed += self->queue.streamed - streamed;
    }
    for (size_t page = 0; page < n; page++)
        judge(frame, &tally, page, now, &rng);
    outcome->fresh = tally.fresh / tally.weight;
    free(picks);
    free(changed);
}

static void compare(size_t n, double share, int ticks_a_day, int days)
{
    struct outcome by[2] = {{0}};
    int ticks = days * ticks_a_day;
    for (int exact = 0; exact < 2; exact++) {
        struct frame *frame = make_frame(n, exact);
        run(frame, share, ticks_a_day, ticks, ticks / 2, 400 * FG_DAY, &by[exact]);
        free_frame(frame);
    }
    char what[64];
    snprintf(what, sizeof what, "a fetch of %zu pages, %g %% a day", n, 100 * share);
    double calendar = by[0].choose_seconds / (double)by[0].fetches;
    double scan = by[1].choose_seconds / (double)by[1].fetches;
    bench_ratio(what, "looking at all pages", scan / calendar, 0);
    printf("    %.0f ns against %.0f; pages touched %.2f; fresh %.5f against %.5f: %s\n",
           1e9 * calendar, 1e9 * scan, by[0].touched / (double)by[0].fetches, by[0].fresh,
           by[1].fresh,
           by[0].fresh >= by[1].fresh - 0.0015 ? "within 0.0015" : "NOT within 0.0015");
}

static double bytes_a_page(const struct frame *frame)
{
    const struct fg_lomax *self = frame->brain.self;
    const struct fg_lomax_queue *queue = &self->queue;
    size_t bytes =
        fg_calendar_bytes(&queue->calendar) + self->clocks.n * sizeof *self->clocks.at +
        self->clocks.groups * sizeof *self->clocks.of_group +
        self->groups * sizeof *self->group +
        (queue->fresh.capacity + queue->carried.capacity + queue->picked.capacity) *
            sizeof(uint32_t) +
        queue->ready.capacity * sizeof *queue->ready.at;
    return (double)frame->column_bytes + (double)bytes / (double)frame->world.n;
}

static size_t pages_that_fit(void)
{
    double bytes = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    double pages = 1e8;
    while (pages > 1e6 && pages * 66 + 1e9 > bytes)
        pages /= 2;
    return (size_t)pages;
}

static void alone(size_t n, double share)
{
    enum { TICKS_A_DAY = 12, TICKS = 60, SETTLING = 42 };
    struct fg_rng rng = fg_rng_from_seed(3);
    struct outcome outcome = {0};
    fg_time start = 20000 * FG_DAY;
    struct frame *frame = make_frame(n, 0);
    age(frame, share, 1.0 / TICKS_A_DAY, &rng, start);
    run(frame, share, TICKS_A_DAY, TICKS, SETTLING, start, &outcome);
    double each = outcome.choose_seconds / (double)outcome.fetches;
    double learning = outcome.learn_seconds / (double)outcome.fetches;
    double touched = outcome.touched / (double)outcome.fetches;
    printf("%zu million pages, %g %% a day: %.0f ns a fetch, and %.0f to learn from it, "
           "touched %.2f, streamed %.1f, %.1f bytes a page; %.1f s to begin\n",
           n / 1000000, 100 * share, 1e9 * each, 1e9 * learning, touched,
           (double)outcome.streamed / (double)outcome.fetches, bytes_a_page(frame),
           outcome.first_seconds);
    bench_ratio("CPU time to choose a fetch", "1 us, the other way round", 1e-6 / each,
                1);
    bench_ratio("pages touched for a fetch", "10, likewise", 10 / touched, 1);
    bench_ratio("state of a page", "32 bytes, likewise", 32 / bytes_a_page(frame), 1);
    free_frame(frame);
}

/* With a number of pages, only by itself with so many. */
int main(int argc, char **argv)
{
    if (argc > 1) {
        alone(strtoull(argv[1], NULL, 10), 0.1);
        return 0;
    }
    compare(300000, 0.1, 12, 30);
    compare(300000, 0.01, 4, 250);
    alone(pages_that_fit(), 0.1);
    return 0;
}
