#include "policy/discovery/yield_model.h"

#include "policy/discovery/calendar.h"

#include "base/err.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VISITS_MOST = 1 << 20, NO_PAGE = -1 };

/* Whole numbers, so that what was added can be taken away without a trace. */
enum { VISITS, FOUND, SQUARES, AVG, STD, NEWEST };
const struct fg_column fg_yield_columns[] = {
    [VISITS] = {"visits", FG_U32},
    [FOUND] = {"found", FG_F64},
    [SQUARES] = {"squares", FG_F64},
    [AVG] = {"avg", FG_F32},
    [STD] = {"std", FG_F32},
    [NEWEST] = {"newest", FG_I64},
    {0},
};

static struct fg_yield_visit *visit_at(const struct fg_yield_model *model,
                                       uint64_t number)
{
    return &model->ring[number & (model->room - 1)];
}

const struct fg_yield_visit *fg_yield_visit(const struct fg_yield_model *model,
                                            uint64_t number)
{
    return visit_at(model, number);
}

void fg_yield_init(struct fg_brain *brain)
{
    struct fg_yield_model *model = brain->self;
    model->known = (struct fg_yield_known){.started = FG_NEVER, .trained = FG_NEVER};
    model->known.sums.features = FG_YIELD_FEATURES;
}

void fg_yield_clear(struct fg_brain *brain)
{
    struct fg_yield_model *model = brain->self;
    fg_overlap_clear(&model->overlap);
    free(model->ring);
    model->ring = NULL;
    model->room = 0;
}

static fg_time before(fg_time now, double hours)
{
    return now - (fg_time)(hours * (double)FG_HOUR);
}

/* --- examples --- */

void fg_yield_features(const struct fg_yield_visit *visit, double *x)
{
    memset(x, 0, FG_YIELD_FEATURES * sizeof *x);
    x[FG_YIELD_AVG] = (double)visit->avg;
    x[FG_YIELD_STD] = (double)visit->std;
    x[FG_YIELD_AGE] = (double)visit->age;
    x[FG_YIELD_AA] = (double)visit->avg * (double)visit->age;
    x[FG_YIELD_TOD + visit->hour] = 1;
    x[FG_YIELD_DOW + visit->day] = 1;
}

static void sum_anew(struct fg_yield_model *model)
{
    struct fg_yield_known *known = &model->known;
    double x[FG_YIELD_FEATURES];
    fg_least_squares_reset(&known->sums);
    for (uint64_t i = known->in_history; i < known->next; i++) {
        fg_yield_features(visit_at(model, i), x);
        fg_least_squares_add(&known->sums, x, (double)visit_at(model, i)->found);
    }
    known->gone = 0;
}

static void leave_history(struct fg_yield_model *model)
{
    struct fg_yield_known *known = &model->known;
    const struct fg_yield_visit *visit = visit_at(model, known->in_history++);
    double x[FG_YIELD_FEATURES];
    fg_yield_features(visit, x);
    fg_least_squares_remove(&known->sums, x, (double)visit->found);
    /* Rounding adds up; once a window is through, start from zero again. */
    if (++known->gone > known->next - known->in_history + 1000)
        sum_anew(model);
}

static void count(struct fg_brain *brain, size_t page, double found, int times)
{
    uint32_t n = brain->u32[VISITS][page] += (uint32_t)times;
    double sum = brain->f64[FOUND][page] += times * found;
    double squares = brain->f64[SQUARES][page] += times * found * found;
    double mean = n ? sum / n : 0, variance = n ? squares / n - mean * mean : 0;
    brain->f32[AVG][page] = (float)mean;
    brain->f32[STD][page] = (float)(variance > 0 ? sqrt(variance) : 0);
}

static void leave_window(struct fg_brain *brain)
{
    struct fg_yield_model *model = brain->self;
    const struct fg_yield_visit *visit = visit_at(model, model->known.in_window++);
    if (visit->page != (uint32_t)NO_PAGE)
        count(brain, visit->page, (double)visit->found, -1);
}

static void let_go(struct fg_brain *brain, fg_time now)
{
    struct fg_yield_model *model = brain->self;
    struct fg_yield_known *known = &model->known;
    fg_time window = before(now, brain->knob[FG_YIELD_WINDOW]);
    fg_time history = before(now, brain->knob[FG_YIELD_HISTORY]);
    while (known->in_window < known->next &&
           visit_at(model, known->in_window)->when < window)
        leave_window(brain);
    while (known->in_history < known->next &&
           visit_at(model, known->in_history)->when < history)
        leave_history(model);
}

static uint64_t oldest(const struct fg_yield_known *known)
{
    return known->in_window < known->in_history ? known->in_window : known->in_history;
}

/* A place for one more visit: a wider ring, or, at its limit, the oldest one's. */
static void make_place(struct fg_brain *brain)
{
    struct fg_yield_model *model = brain->self;
    struct fg_yield_known *known = &model->known;
    uint64_t first = oldest(known);
    if (known->next - first < model->room)
        return;
    if (model->room == VISITS_MOST) {
        if (known->in_window == first)
            leave_window(brain);
        if (known->in_history == first)
            leave_history(model);
        return;
    }
    size_t wider = model->room ? model->room * 2 : 256;
    struct fg_yield_visit *ring = fg_resized(NULL, wider, sizeof *ring);
    for (uint64_t i = first; i < known->next; i++)
        ring[i & (wider - 1)] = *visit_at(model, i);
    free(model->ring);
    model->ring = ring;
    model->room = wider;
}

static float age_in_hours(fg_time now, fg_time since)
{
    return now > since ? (float)fg_hours(now - since) : 0;
}

/* As a feature. */
static float capped_age(const struct fg_brain *brain, fg_time now, fg_time since)
{
    float age = age_in_hours(now, since), most = (float)brain->knob[FG_YIELD_AGE_CAP];
    return age < most ? age : most;
}

void fg_yield_observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    struct fg_yield_model *model = brain->self;
    struct fg_yield_known *known = &model->known;
    if (!visit->ok)
        return;
    let_go(brain, visit->now);
    make_place(brain);
    bool is_first = visit->previous == FG_NEVER;
    struct fg_yield_visit seen = {
        .when = visit->now,
        .older = (uint64_t)brain->i64[NEWEST][visit->page],
        .page = (uint32_t)visit->page,
        .round = known->rounds,
        .avg = brain->f32[AVG][visit->page],
        .std = brain->f32[STD][visit->page],
        .age = capped_age(brain, visit->now,
                          is_first ? brain->world->added[visit->page] : visit->previous),
        .found = (float)visit->n_fresh,
        .hour = (uint8_t)fg_hour_of_day(visit->now),
        .day = (uint8_t)fg_day_of_week(visit->now),
    };
    double x[FG_YIELD_FEATURES];
    fg_yield_features(&seen, x);
    fg_least_squares_add(&known->sums, x, (double)seen.found);
    count(brain, visit->page, (double)seen.found, 1);
    brain->i64[NEWEST][visit->page] = (int64_t)known->next + 1;
    *visit_at(model, known->next++) = seen;
    known->round.visits++;
    known->round.found += (double)visit->n_first;
    if (brain->knob[FG_YIELD_OVERLAP] < 1)
        fg_overlap_note(&model->overlap, visit);
}

static void rename_visits(struct fg_brain *brain, size_t page, uint32_t name)
{
    struct fg_yield_model *model = brain->self;
    uint64_t first = oldest(&model->known), at = (uint64_t)brain->i64[NEWEST][page];
    while (at > first) { /* numbers + 1: those from `first` on are in the ring */
        struct fg_yield_visit *visit = visit_at(model, at - 1);
        visit->page = name;
        at = visit->older;
    }
}

/* The visits of a page that goes remain examples. */
void fg_yield_moved(struct fg_brain *brain, size_t from, size_t to)
{
    struct fg_yield_model *model = brain->self;
    rename_visits(brain, to, (uint32_t)NO_PAGE);
    if (from != to)
        rename_visits(brain, from, (uint32_t)to);
    fg_overlap_moved(&model->overlap, from, to);
}

/* --- turns --- */

struct fg_yield_round fg_yield_turn(struct fg_brain *brain, fg_time now)
{
    struct fg_yield_model *model = brain->self;
    struct fg_yield_round round = model->known.round;
    model->known.round = (struct fg_yield_round){0};
    model->known.rounds++;
    if (model->known.started == FG_NEVER)
        model->known.started = now;
    let_go(brain, now);
    if (model->overlap.round.len)
        fg_overlap_settle(&model->overlap, brain->world, brain->knob[FG_YIELD_OVERLAP]);
    return round;
}

bool fg_yield_is_starting(const struct fg_brain *brain, fg_time now)
{
    const struct fg_yield_model *model = brain->self;
    fg_time started = model->known.started;
    return started == FG_NEVER || started > before(now, brain->knob[FG_YIELD_START]) ||
           model->known.in_history == model->known.next;
}

bool fg_yield_is_due(const struct fg_brain *brain, fg_time now)
{
    fg_time trained = ((const struct fg_yield_model *)brain->self)->known.trained;
    return trained == FG_NEVER || now < trained ||
           trained <= before(now, brain->knob[FG_YIELD_RETRAIN]);
}

void fg_yield_fit(struct fg_brain *brain, fg_time now)
{
    struct fg_yield_known *known = &((struct fg_yield_model *)brain->self)->known;
    fg_least_squares_solve(&known->sums, known->weights);
    known->trained = now;
}

/* --- choosing --- */

static fg_time waiting_since(const struct fg_world *world, size_t page)
{
    return world->last_try[page] == FG_NEVER ? world->added[page] : world->last_try[page];
}

/* What the model expects of every source, into `scores`. */
static void predict(const struct fg_brain *brain, fg_time now, float *scores)
{
    const double *w = ((const struct fg_yield_model *)brain->self)->known.weights;
    const float *avg = brain->f32[AVG], *std = brain->f32[STD];
    double everywhere = w[FG_YIELD_FEATURES] + w[FG_YIELD_TOD + fg_hour_of_day(now)] +
                        w[FG_YIELD_DOW + fg_day_of_week(now)];
    for (size_t i = 0; i < brain->world->n; i++) {
        double age = (double)capped_age(brain, now, waiting_since(brain->world, i));
        scores[i] = (float)(everywhere + w[FG_YIELD_AVG] * (double)avg[i] +
                            w[FG_YIELD_STD] * (double)std[i] +
                            age * (w[FG_YIELD_AGE] + w[FG_YIELD_AA] * (double)avg[i]));
    }
}

static size_t take_turns(struct fg_brain *brain, fg_time now, size_t budget,
                         struct fg_pick *out)
{
    const struct fg_world *world = brain->world;
    if (!budget)
        return 0;
    for (size_t i = 0; i < world->n; i++)
        brain->scores[i] =
            world->last_try[i] == FG_NEVER ? 1e9f : age_in_hours(now, world->last_try[i]);
    size_t n = fg_brain_take_best(brain, brain->scores, budget, out);
    for (size_t i = 0; i < n; i++) {
        out[i].probability = 1;
        out[i].explored = true;
    }
    return n;
}

size_t fg_yield_take_average(struct fg_brain *brain, size_t budget, struct fg_pick *out)
{
    const struct fg_world *world = brain->world;
    for (size_t i = 0; i < world->n; i++)
        brain->scores[i] = world->last_try[i] == FG_NEVER ? 1e9f : brain->f32[AVG][i];
    size_t n = fg_brain_take_best(brain, brain->scores, budget, out);
    for (size_t i = 0; i < n; i++) {
        out[i].probability = 1;
        out[i].explored = world->last_try[out[i].page] == FG_NEVER;
    }
    return n;
}

struct fg_yield_visit fg_yield_as_if(const struct fg_brain *brain, fg_time now,
                                     size_t page)
{
    return (struct fg_yield_visit){
        .when = now,
        .page = (uint32_t)page,
        .avg = brain->f32[AVG][page],
        .std = brain->f32[STD][page],
        .age = capped_age(brain, now, waiting_since(brain->world, page)),
        .hour = (uint8_t)fg_hour_of_day(now),
        .day = (uint8_t)fg_day_of_week(now),
    };
}

size_t fg_yield_take(struct fg_brain *brain, fg_time now, double ratio, size_t budget,
                     struct fg_pick *out)
{
    predict(brain, now, brain->scores);
    return fg_yield_take_scored(brain, now, ratio, budget, out);
}

size_t fg_yield_take_scored(struct fg_brain *brain, fg_time now, double ratio,
                            size_t budget, struct fg_pick *out)
{
    struct fg_yield_model *model = brain->self;
    bool rounds_down = brain->knob[FG_YIELD_ROUND_DOWN] > 0.5;
    double share = ratio * (double)budget;
    /* a ratio such as 0.6 of 5 is a hair off the whole number it stands for */
    size_t led = (size_t)(rounds_down ? floor(share + 1e-9) : round(share));
    for (size_t i = 0; brain->knob[FG_YIELD_UNTRIED] > 0.5 && i < brain->world->n; i++)
        if (brain->world->last_try[i] == FG_NEVER)
            brain->scores[i] = 1e9f;
    size_t n = fg_overlap_take_best(&model->overlap, brain, brain->scores, led, out);
    for (size_t i = 0; i < n; i++)
        out[i].probability = 1;
    return n + take_turns(brain, now, budget - n, out + n);
}

void fg_yield_explain(struct fg_brain *brain, fg_time now, size_t page,
                      struct fg_reason *reason)
{
    double n = brain->u32[VISITS][page], avg = (double)brain->f32[AVG][page];
    double error = n > 0 ? 1.96 * (double)brain->f32[STD][page] / sqrt(n) : 0;
    predict(brain, now, brain->scores);
    *reason = (struct fg_reason){
        .score = fg_yield_is_starting(brain, now) ? avg : (double)brain->scores[page],
        .rate = avg,
        .low = avg > error ? avg - error : 0,
        .high = avg + error,
        .rate_unit = "new links a visit of late",
        .observations = n,
    };
}

/* --- saving: what is known, the visits in the ring, the overlap --- */

void fg_yield_save(struct fg_brain *brain, struct fg_buf *out)
{
    const struct fg_yield_model *model = brain->self;
    fg_buf_add(out, (struct fg_str){(const char *)&model->known, sizeof model->known});
    for (uint64_t i = oldest(&model->known); i < model->known.next; i++)
        fg_buf_add(out, (struct fg_str){(const char *)visit_at(model, i),
                                        sizeof(struct fg_yield_visit)});
    fg_overlap_save(&model->overlap, out);
}

static bool is_sound(const struct fg_yield_known *known)
{
    return known->in_window <= known->next && known->in_history <= known->next &&
           known->next - oldest(known) <= VISITS_MOST &&
           known->sums.features == FG_YIELD_FEATURES;
}

static bool load_visits(struct fg_yield_model *model, struct fg_str *bytes, size_t pages)
{
    uint64_t first = oldest(&model->known), n = model->known.next - first;
    for (model->room = 256; model->room < n; model->room *= 2)
        ;
    if (bytes->len / sizeof *model->ring < n)
        return false;
    model->ring = fg_resized(NULL, model->room, sizeof *model->ring);
    for (uint64_t i = first; i < model->known.next; i++) {
        struct fg_yield_visit *visit = visit_at(model, i);
        fg_str_take(bytes, visit, sizeof *visit);
        if ((visit->page >= pages && visit->page != (uint32_t)NO_PAGE) ||
            visit->older > i || visit->hour >= 24 || visit->day >= 7)
            return false;
    }
    return true;
}

/* Sums without the visits they were made of would never shrink again. */
static void forget_pages(struct fg_brain *brain)
{
    size_t n = brain->world->n;
    for (size_t i = 0; i < n; i++) {
        brain->u32[VISITS][i] = 0;
        brain->f64[FOUND][i] = brain->f64[SQUARES][i] = 0;
        brain->f32[AVG][i] = brain->f32[STD][i] = 0;
        brain->i64[NEWEST][i] = 0;
    }
}

bool fg_yield_load(struct fg_brain *brain, struct fg_str bytes)
{
    struct fg_yield_model *model = brain->self;
    fg_yield_clear(brain);
    if (bytes.len >= sizeof model->known) {
        memcpy(&model->known, bytes.at, sizeof model->known);
        bytes = fg_str_skip(bytes, sizeof model->known);
        if (is_sound(&model->known) && load_visits(model, &bytes, brain->world->n) &&
            fg_overlap_load(&model->overlap, &bytes, brain->world->n))
            return true;
    }
    fg_yield_clear(brain);
    fg_yield_init(brain);
    forget_pages(brain);
    return false;
}
