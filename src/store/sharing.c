#include "store/sharing.h"

#include <math.h>

/* --- lots --- */

double fg_lot_weight(const struct fg_lots_state *state, size_t lot)
{
    double n = (double)state->lots.len, load = 0;
    for (size_t i = 0; i < state->lots.len; i++)
        load += state->lots.at[i].load;
    return load > 0 ? 0.5 / n + 0.5 * state->lots.at[lot].load / load : 1 / n;
}

double fg_worker_weight(const struct fg_lots_state *state, struct fg_str worker)
{
    double weight = 0;
    for (size_t i = 0; i < state->lots.len; i++)
        if (fg_str_eq(state->lots.at[i].worker, worker))
            weight += fg_lot_weight(state, i);
    return weight;
}

size_t fg_least_worker(const struct fg_lots_state *state, const bool *is_alive)
{
    static const double rounding = 1e-9;
    size_t least = FG_NOBODY;
    double least_weight = INFINITY;
    for (size_t i = 0; i < state->workers.len; i++) {
        double weight = fg_worker_weight(state, state->workers.at[i].name);
        if (!is_alive[i] || weight >= least_weight - rounding)
            continue;
        least = i;
        least_weight = weight;
    }
    return least;
}

static size_t give_by_weight(const struct fg_lots_state *state, const bool *is_alive,
                             struct fg_str worker)
{
    static const double worth_it = 0.75;
    size_t least = fg_least_worker(state, is_alive), lot = FG_NOBODY;
    if (least == FG_NOBODY || fg_str_eq(state->workers.at[least].name, worker))
        return FG_NOBODY;
    /* Only what makes the two more even by something worth the stop. */
    double best = worth_it * (fg_worker_weight(state, worker) -
                              fg_worker_weight(state, state->workers.at[least].name));
    for (size_t i = 0; i < state->lots.len; i++)
        if (fg_str_eq(state->lots.at[i].worker, worker) &&
            fg_lot_weight(state, i) < best) {
            best = fg_lot_weight(state, i);
            lot = i;
        }
    return lot;
}

size_t fg_lot_to_give(const struct fg_lots_state *state, const bool *is_alive,
                      struct fg_str worker, bool by_load)
{
    struct fg_arena arena = {0};
    struct fg_lots_state all = *state;
    all.lots.at = FG_NEW(&arena, struct fg_lot_row, state->lots.len + 1);
    for (size_t i = 0; i < state->lots.len; i++) {
        all.lots.at[i] = state->lots.at[i];
        if (!by_load)
            all.lots.at[i].load = 0;
    }
    size_t lot = give_by_weight(&all, is_alive, worker);
    fg_arena_clear(&arena);
    return lot;
}

/* One that was given back may be taken at once, unless the server is not the first of its
 * kind: a standby that took over may not know yet that somebody has taken it since. */
bool fg_lot_is_free(const struct fg_lots_state *state, size_t lot,
                    const struct fg_watch *watch, fg_time now, fg_time length)
{
    bool is_first = (uint32_t)state->timeline == 1;
    return (!state->lots.at[lot].owner.len && is_first) ||
           fg_watch_is_over(watch, now, length);
}

/* --- the budget --- */

/* Until it is seen to make do with less. */
static double held(const struct fg_lot_row *lot)
{
    return fmax(lot->granted, lot->applied);
}

static double target_of(const struct fg_lots_state *state, const struct fg_lot_row *lot,
                        double budget, double asked, double owned)
{
    static const double evenly = 0.03;
    if (!lot->owner.len)
        return 0;
    double rest = (1 - evenly) * budget, bought = asked / state->price;
    double scale = bought > rest ? rest / bought : 1, left = rest - bought * scale;
    return (evenly * budget + left) / owned + lot->asked / state->price * scale;
}

void fg_lots_share(struct fg_lots_state *state, double budget)
{
    double asked = 0, owned = 0, all_held = 0, wanted = 0;
    for (size_t i = 0; i < state->lots.len; i++) {
        struct fg_lot_row *lot = &state->lots.at[i];
        bool is_owned = lot->owner.len > 0;
        owned += is_owned;
        asked += is_owned ? lot->asked : 0;
        all_held += held(lot);
    }
    state->budget = budget;
    state->price =
        budget > 0 ? fmax(state->price * sqrt(asked / state->price / budget), 1) : 1;
    for (size_t i = 0; i < state->lots.len; i++)
        wanted += fmax(target_of(state, &state->lots.at[i], budget, asked, owned) -
                           held(&state->lots.at[i]),
                       0);
    double room = fmax(budget - all_held, 0);
    double part = wanted > room ? room / wanted : 1;
    for (size_t i = 0; i < state->lots.len; i++) {
        struct fg_lot_row *lot = &state->lots.at[i];
        double target = target_of(state, lot, budget, asked, owned), has = held(lot);
        lot->granted = target > has ? has + part * (target - has) : target;
    }
}
