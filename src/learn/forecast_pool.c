/* The pool of examples: what was seen of offers, a row each, the oldest overwritten. */
#include "base/memory.h"
#include "learn/forecast_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Days that averages are over. */
static const float window[FG_OFFER_HISTORY] = {30, 1, 1, 7, 14, 30, 1, 7, 14, 30};

static uint32_t weekday(int64_t day)
{
    int64_t from_monday = (day + 3) % 7; /* 1970-01-01 was a Thursday */
    return (uint32_t)(from_monday < 0 ? from_monday + 7 : from_monday);
}

void forecast_prepare(const struct fg_offer_day *day, const uint64_t *picked,
                      size_t first, size_t n, float *dense, uint32_t *fields)
{
    for (size_t i = 0; i < n; i++) {
        size_t row = picked ? (size_t)picked[first + i] : first + i;
        const float *history =
            day->history ? day->history + row * FG_OFFER_HISTORY : NULL;
        const uint32_t *ids = day->ids ? day->ids + row * FG_OFFER_IDS : NULL;
        for (size_t k = 0; k < FG_OFFER_HISTORY; k++)
            *dense++ = history ? log1pf(history[k] * window[k]) : NAN;
        for (size_t k = 0; k < FG_OFFER_IDS; k++)
            *fields++ = ids && ids[k] ? ids[k] : FG_MLP_NONE;
        *fields++ = weekday(day->day);
    }
}

static void pool_grow(struct forecast_pool *pool, size_t wanted)
{
    size_t room = pool->room * 2 > wanted ? pool->room * 2 : wanted;
    room = room > pool->most ? pool->most : room;
    pool->dense = fg_resized(pool->dense, room * FG_OFFER_HISTORY, sizeof *pool->dense);
    pool->fields = fg_resized(pool->fields, room * FORECAST_FIELDS, sizeof *pool->fields);
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++)
        pool->label[task] =
            fg_resized(pool->label[task], room, sizeof *pool->label[task]);
    pool->day = fg_resized(pool->day, room, sizeof *pool->day);
    pool->is_held_out = fg_resized(pool->is_held_out, room, sizeof *pool->is_held_out);
    pool->room = room;
}

static bool is_held_out(const struct fg_offer_day *day, size_t row, double share)
{
    if (!day->offer)
        return false;
    struct fg_str name = {(const char *)&day->offer[row], sizeof *day->offer};
    return (double)fg_str_hash(name) < share * 0x1p64;
}

void forecast_pool_add(struct forecast_pool *pool, const struct fg_offer_day *day,
                       const uint64_t *picked, size_t n, double held_out)
{
    if (pool->n + n > pool->room && pool->room < pool->most)
        pool_grow(pool, pool->n + n);
    for (size_t i = 0; i < n; i++) {
        size_t row = picked ? (size_t)picked[i] : i, to = pool->next;
        pool->next = to + 1 < pool->most ? to + 1 : 0;
        pool->n = pool->n > to ? pool->n : to + 1;
        forecast_prepare(day, picked, i, 1, pool->dense + to * FG_OFFER_HISTORY,
                         pool->fields + to * FORECAST_FIELDS);
        for (size_t task = 0; task < FG_FORECAST_TASKS; task++)
            pool->label[task][to] = day->label[task] ? day->label[task][row] : NAN;
        pool->day[to] = day->day;
        pool->is_held_out[to] = is_held_out(day, row, held_out);
    }
}

void forecast_pool_clear(struct forecast_pool *pool)
{
    free(pool->dense);
    free(pool->fields);
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++)
        free(pool->label[task]);
    free(pool->day);
    free(pool->is_held_out);
    *pool = (struct forecast_pool){.most = pool->most};
}
