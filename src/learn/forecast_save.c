#include "base/memory.h"
#include "base/sections.h"
#include "learn/forecast_model.h"

#include <stdio.h>
#include <string.h>

static const char kind[] = "FGFORE01";

enum { NAME = 32 };

/* What the bytes hold besides the networks and the pool. */
struct head {
    uint64_t layers[3];
    uint64_t days, trainings;
    uint64_t examples, next; /* in the pool */
};

static const char *name_of(char name[NAME], const char *what, size_t task, size_t model)
{
    snprintf(name, NAME, "%s:%zu:%zu", what, task, model);
    return name;
}

static void put_network(const struct forecast_network *network, size_t task, size_t model,
                        struct fg_buf *out)
{
    char name[NAME];
    struct forecast_network plain = *network;
    plain.mlp = NULL;
    fg_sections_put(out, name_of(name, "facts", task, model), &plain, sizeof plain);
    if (!network->mlp)
        return;
    struct fg_buf own;
    fg_buf_init(&own, out->max);
    fg_mlp_save(network->mlp, &own);
    fg_sections_put(out, name_of(name, "network", task, model), own.at, own.len);
    fg_buf_clear(&own);
}

static void put_pool(const struct forecast_pool *pool, struct fg_buf *out)
{
    size_t n = pool->n;
    fg_sections_put(out, "dense", pool->dense,
                    n * FG_OFFER_HISTORY * sizeof *pool->dense);
    fg_sections_put(out, "fields", pool->fields,
                    n * FORECAST_FIELDS * sizeof *pool->fields);
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++) {
        char name[NAME];
        fg_sections_put(out, name_of(name, "label", task, 0), pool->label[task],
                        n * sizeof *pool->label[task]);
    }
    fg_sections_put(out, "day", pool->day, n * sizeof *pool->day);
    fg_sections_put(out, "held-out", pool->is_held_out, n * sizeof *pool->is_held_out);
}

void fg_forecast_save(const struct fg_forecast *forecast, struct fg_buf *out)
{
    size_t start = fg_sections_begin(out, kind);
    struct head head = {.days = forecast->days,
                        .trainings = forecast->trainings,
                        .examples = forecast->pool.n,
                        .next = forecast->pool.next};
    for (size_t i = 0; i < 3; i++)
        head.layers[i] = forecast->rules.layers[i];
    fg_sections_put(out, "head", &head, sizeof head);
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++)
        for (size_t model = 0; model < FG_FORECAST_MODELS; model++)
            put_network(&forecast->network[task][model], task, model, out);
    put_pool(&forecast->pool, out);
    fg_sections_end(out, start);
}

static enum fg_status take_network(struct fg_forecast *forecast, struct fg_str all,
                                   enum fg_forecast_task task,
                                   enum fg_forecast_model model, struct fg_err *err)
{
    char name[NAME];
    struct forecast_network *network = &forecast->network[task][model];
    if (!fg_sections_copy(all, name_of(name, "facts", task, model), network,
                          sizeof *network))
        return fg_fail(err, FG_EINPUT, "the saved forecasts lack '%s'", name);
    network->mlp = NULL;
    struct fg_str bytes = fg_sections_find(all, name_of(name, "network", task, model));
    if (!bytes.len)
        return FG_OK;
    network->mlp = forecast_network_new(forecast, task, model);
    return fg_mlp_load(network->mlp, bytes, err);
}

/* Only 0 and 1 are what a bool may be. */
static bool are_bools(struct fg_str bytes)
{
    for (size_t i = 0; i < bytes.len; i++)
        if (bytes.at[i] != (bytes.at[i] == 1))
            return false;
    return true;
}

/* A pool that is larger than what may be kept now is left behind; days will fill it. One
 * that is not full goes on at its end. */
static enum fg_status take_pool(struct forecast_pool *pool, struct fg_str all,
                                const struct head *head, struct fg_err *err)
{
    size_t n = (size_t)head->examples;
    if (!n || n > pool->most)
        return FG_OK;
    pool->dense = fg_zeroed(n, FG_OFFER_HISTORY * sizeof *pool->dense);
    pool->fields = fg_zeroed(n, FORECAST_FIELDS * sizeof *pool->fields);
    pool->day = fg_zeroed(n, sizeof *pool->day);
    pool->is_held_out = fg_zeroed(n, sizeof *pool->is_held_out);
    bool is_whole = are_bools(fg_sections_find(all, "held-out")) &&
                    fg_sections_copy(all, "dense", pool->dense,
                                     n * FG_OFFER_HISTORY * sizeof *pool->dense) &&
                    fg_sections_copy(all, "fields", pool->fields,
                                     n * FORECAST_FIELDS * sizeof *pool->fields) &&
                    fg_sections_copy(all, "day", pool->day, n * sizeof *pool->day) &&
                    fg_sections_copy(all, "held-out", pool->is_held_out,
                                     n * sizeof *pool->is_held_out);
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++) {
        char name[NAME];
        pool->label[task] = fg_zeroed(n, sizeof *pool->label[task]);
        is_whole &= fg_sections_copy(all, name_of(name, "label", task, 0),
                                     pool->label[task], n * sizeof *pool->label[task]);
    }
    pool->n = pool->room = n;
    pool->next = n < pool->most ? n : (size_t)(head->next % n);
    return is_whole ? FG_OK
                    : fg_fail(err, FG_EINPUT, "the saved forecasts lack their examples");
}

static enum fg_status take_all(struct fg_forecast *forecast, struct fg_str all,
                               struct fg_err *err)
{
    struct head head;
    if (!fg_sections_copy(all, "head", &head, sizeof head))
        return fg_fail(err, FG_EINPUT, "the saved forecasts have no head");
    for (size_t i = 0; i < 3; i++)
        if (head.layers[i] != forecast->rules.layers[i])
            return fg_fail(err, FG_EINPUT,
                           "the saved forecasts have layers of %zu, %zu, "
                           "%zu units",
                           (size_t)head.layers[0], (size_t)head.layers[1],
                           (size_t)head.layers[2]);
    forecast->days = head.days;
    forecast->trainings = head.trainings;
    enum fg_status st = FG_OK;
    for (enum fg_forecast_task task = 0; !st && task < FG_FORECAST_TASKS; task++)
        for (enum fg_forecast_model model = 0; !st && model < FG_FORECAST_MODELS; model++)
            st = take_network(forecast, all, task, model, err);
    return st ? st : take_pool(&forecast->pool, all, &head, err);
}

enum fg_status fg_forecast_load(struct fg_forecast *forecast, struct fg_str bytes,
                                struct fg_err *err)
{
    struct fg_str all;
    enum fg_status st = fg_sections_open(&all, bytes, kind, "forecasts", err);
    if (st)
        return st;
    struct fg_forecast *read = fg_forecast_new(&forecast->rules);
    st = take_all(read, all, err);
    if (!st) {
        struct fg_forecast old = *forecast;
        *forecast = *read;
        *read = old;
    }
    fg_forecast_free(read);
    return st;
}
