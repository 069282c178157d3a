/* policy.c - a policy of one's own for Forage's lab, in a file of its own
 *
 *     cc -shared -fPIC -Isrc/policy examples/policy.c -o policy.so
 *     forage lab run quick --plugin policy.so
 *
 * in the source tree; where libforage is installed, -Isrc/policy is not needed.
 *
 * What it does: a source is worth its new links an hour, of late, times the hours waited.
 * It is called "waiting" in the table, beside the policies that the experiment names. */
#include <forage_plugin.h>

#include <math.h>
#include <stdlib.h>

struct waiting {
    double half_life; /* hours */
    size_t room;
    double *links, *hours; /* by row, faded */
};

enum { HALF_LIFE };
static const struct forage_knob knobs[] = {
    [HALF_LIFE] = {"half-life", 72, 1, 10000, "hours after which a find counts half"},
    {0},
};

static void *begin(const double *values, uint64_t seed)
{
    struct waiting *self = calloc(1, sizeof *self);
    (void)seed; /* nothing is left to chance */
    if (self)
        self->half_life = values[HALF_LIFE];
    return self;
}

static void end(void *of)
{
    struct waiting *self = of;
    free(self->links);
    free(self->hours);
    free(self);
}

static void added(void *of, const struct forage_world *world, size_t first)
{
    struct waiting *self = of;
    if (world->n > self->room) {
        self->room = 2 * world->n;
        self->links = realloc(self->links, self->room * sizeof *self->links);
        self->hours = realloc(self->hours, self->room * sizeof *self->hours);
    }
    for (size_t i = first; i < world->n; i++)
        self->links[i] = self->hours[i] = 0;
}

static void removed(void *of, size_t row, size_t last)
{
    struct waiting *self = of;
    self->links[row] = self->links[last];
    self->hours[row] = self->hours[last];
}

static double hours_between(int64_t from, int64_t to)
{
    return (double)(to - from) / 3600e6;
}

static void observe(void *of, const struct forage_world *world,
                    const struct forage_seen *seen)
{
    struct waiting *self = of;
    (void)world;
    if (!seen->ok || seen->previous == FORAGE_PLUGIN_NEVER)
        return;
    double hours = hours_between(seen->previous, seen->now);
    double fades = exp2(-hours / self->half_life);
    self->links[seen->page] = self->links[seen->page] * fades + (double)seen->n_fresh;
    self->hours[seen->page] = self->hours[seen->page] * fades + hours;
}

static void score(void *of, const struct forage_world *world, int64_t now, float *out)
{
    const struct waiting *self = of;
    for (size_t i = 0; i < world->n; i++) {
        if (world->last_try[i] == FORAGE_PLUGIN_NEVER) {
            out[i] = INFINITY; /* never seen: first of all */
            continue;
        }
        double rate = (self->links[i] + 0.1) / (self->hours[i] + 1);
        out[i] = (float)(rate * hours_between(world->last_try[i], now));
    }
}

static const struct forage_plugin waiting = {
    .abi = FORAGE_PLUGIN_ABI,
    .tasks = FORAGE_DISCOVERY,
    .size = sizeof waiting,
    .name = "waiting",
    .summary = "new links an hour of late, times the hours waited",
    .knobs = knobs,
    .begin = begin,
    .end = end,
    .added = added,
    .removed = removed,
    .observe = observe,
    .score = score,
};

const struct forage_plugin *forage_plugin(void)
{
    return &waiting;
}
