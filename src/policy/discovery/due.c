#include "policy/discovery/due.h"

#include <math.h>

/* A third of a second: a wait is kept in single precision, and one that is over to the
 * minute must not be held back a whole tick by its last bit. */
static const double SLACK_H = 1e-4;

void fg_due_score(struct fg_brain *brain, fg_time now, size_t first, size_t n, float *out)
{
    const fg_time *last_try = brain->world->last_try + first;
    const float *wait = brain->f32[FG_DUE_WAIT] + first;
    bool fills = brain->knob[FG_DUE_FILL] != 0;
    for (size_t i = 0; i < n; i++) {
        if (last_try[i] == FG_NEVER) {
            out[i] = 1e9f;
            continue;
        }
        double overdue = fg_hours(now - last_try[i]) - (double)wait[i];
        out[i] = fills || overdue >= -SLACK_H ? (float)overdue : -INFINITY;
    }
}

void fg_due_explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    fg_time last_try = brain->world->last_try[page];
    double wait = (double)brain->f32[FG_DUE_WAIT][page];
    *reason = (struct fg_reason){
        .score = last_try == FG_NEVER ? 1e9 : fg_hours(now - last_try) - wait,
        .rate = wait,
        .low = wait,
        .high = wait,
        .rate_unit = "hours from one visit to the next",
    };
}
