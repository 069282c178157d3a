/* lag.h - how long the turns of an event loop last
 *
 *     fg_lag_note(&lag, took);                   by the thread that turns
 *     fg_lag_gather(&window, &lag, now);         by the one who tells
 *
 * While a turn lasts nothing else on its thread happens: no timer, no other host. */
#ifndef FG_BASE_LAG_H
#define FG_BASE_LAG_H

#include "base/time.h"

#include <stdatomic.h>
#include <stdint.h>

/* A turn longer than this is told of. */
#define FG_LAG_LATE (250 * FG_MILLISECOND)

struct fg_lag {
    atomic_llong longest; /* since it was gathered */
    atomic_ullong late;   /* turns longer than FG_LAG_LATE */
};

static inline void fg_lag_note(struct fg_lag *lag, fg_time took)
{
    long long longest = atomic_load_explicit(&lag->longest, memory_order_relaxed);
    while (took > longest && !atomic_compare_exchange_weak(&lag->longest, &longest, took))
        ;
    if (took > FG_LAG_LATE)
        atomic_fetch_add_explicit(&lag->late, 1, memory_order_relaxed);
}

/* The longest of the last minute, and of the one before that is not over yet. */
struct fg_lag_window {
    fg_time now, before, began;
};

static inline void fg_lag_gather(struct fg_lag_window *window, struct fg_lag *lag,
                                 fg_time now)
{
    fg_time longest = atomic_exchange(&lag->longest, 0);
    if (now - window->began >= FG_MINUTE)
        *window = (struct fg_lag_window){.before = window->now, .began = now};
    if (longest > window->now)
        window->now = longest;
}

static inline fg_time fg_lag_longest(const struct fg_lag_window *window)
{
    return window->now > window->before ? window->now : window->before;
}

#endif
