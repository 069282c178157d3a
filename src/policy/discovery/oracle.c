/* oracle.c - the sources that will show the most unknown links, seen in advance
 *
 * What every other policy is measured against: the GREEDY cover of Dasgupta et al. (WWW
 * 2007; chapter 3 of Pandey's thesis), given perfect knowledge of what each source shows
 * now, as Schulam & Muslea (WWW 2023) use it. It takes the source with the most links
 * that are unknown and not shown by a source already taken, and so on; the result is
 * within 1 - 1/e of the best set. When nothing is left to find, the rest of the budget
 * goes to the sources that waited longest, since the paper's oracle spends k visits a
 * step like everybody else.
 *
 * It looks no further than this step: a policy that saves a source for the moment just
 * before its links leave can find more over weeks.
 *
 * Gains only fall while the set grows, so a source whose old gain, counted again, is
 * still the highest need not be compared with the rest (lazy evaluation). */
#include "policy/policy.h"

#include "base/err.h"
#include "base/map.h"

#include <math.h>
#include <stdlib.h>

struct gain {
    uint32_t page, links;
};

struct self {
    struct fg_map covered; /* links shown by the sources taken in this step */
    struct gain *heap;     /* by links, the most first */
    size_t n, room;
};

static bool is_better(struct gain a, struct gain b)
{
    return a.links != b.links ? a.links > b.links : a.page < b.page;
}

static void sink(struct gain *heap, size_t n, size_t at)
{
    struct gain gain = heap[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && is_better(heap[child + 1], heap[child]))
            child++;
        if (!is_better(heap[child], gain))
            break;
        heap[at] = heap[child];
    }
    heap[at] = gain;
}

static uint32_t count_uncovered(struct fg_brain *brain, const struct self *self,
                                size_t page)
{
    const uint64_t *links;
    const struct fg_foresight *f = brain->foresight;
    size_t n = f->unknown(f->context, page, &links);
    uint32_t uncovered = 0;
    for (size_t i = 0; i < n; i++)
        uncovered += !fg_map_get(&self->covered, links[i]);
    return uncovered;
}

static void cover(struct fg_brain *brain, struct self *self, size_t page)
{
    const uint64_t *links;
    const struct fg_foresight *f = brain->foresight;
    size_t n = f->unknown(f->context, page, &links);
    for (size_t i = 0; i < n; i++)
        fg_map_put(&self->covered, links[i]);
}

static void fill_heap(struct fg_brain *brain, struct self *self)
{
    size_t n = brain->world->n;
    if (n > self->room) {
        self->heap = reallocarray(self->heap, n, sizeof *self->heap);
        if (!self->heap)
            fg_out_of_memory();
        self->room = n;
    }
    self->n = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t links =
            fg_brain_may_take(brain, i) ? count_uncovered(brain, self, i) : 0;
        if (links)
            self->heap[self->n++] = (struct gain){(uint32_t)i, links};
    }
    for (size_t i = self->n / 2; i-- > 0;)
        sink(self->heap, self->n, i);
}

static size_t fill_up(struct fg_brain *brain, fg_time now, size_t budget,
                      struct fg_pick *out)
{
    const struct fg_world *world = brain->world;
    for (size_t i = 0; i < world->n; i++)
        brain->scores[i] = world->last_try[i] == FG_NEVER
                               ? 1e9f
                               : (float)fg_hours(now - world->last_try[i]);
    size_t n = fg_brain_take_best(brain, brain->scores, budget, out);
    for (size_t i = 0; i < n; i++)
        out[i].score = 0;
    return n;
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    struct self *self = brain->self;
    size_t n = 0;
    fg_map_clear(&self->covered);
    fill_heap(brain, self);
    while (n < budget && self->n) {
        struct gain best = self->heap[0];
        uint32_t links = count_uncovered(brain, self, best.page);
        self->heap[0].links = links;
        if (!links || !fg_brain_may_take(brain, best.page))
            self->heap[0] = self->heap[--self->n];
        else if (links == best.links) {
            fg_brain_take(brain, best.page);
            cover(brain, self, best.page);
            out[n++] = (struct fg_pick){
                .page = best.page, .score = (float)links, .probability = 1};
            self->heap[0] = self->heap[--self->n];
        }
        sink(self->heap, self->n, 0);
    }
    return n + fill_up(brain, now, budget - n, out + n);
}

static void clear(struct fg_brain *brain)
{
    struct self *self = brain->self;
    fg_map_clear(&self->covered);
    free(self->heap);
}

static const struct fg_param params[] = {{0}};
static const struct fg_column columns[] = {{0}};

const struct fg_policy fg_policy_oracle = {
    .name = "oracle",
    .summary = "the sources that will show the most unknown links, seen in advance",
    .paper = "Schulam & Muslea, WWW 2023 Companion; GREEDY of Dasgupta et al., WWW 2007",
    .tasks = FG_DISCOVERY,
    .needs_foresight = true,
    .is_steady = true,
    .params = params,
    .columns = columns,
    .self_size = sizeof(struct self),
    .select = choose,
    .clear = clear,
};
