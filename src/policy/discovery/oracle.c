/* oracle.c - the sources that will show the most unknown links, seen in advance
 *
 * What every other policy is measured against: the GREEDY cover of Dasgupta et al. (WWW
 * 2007; chapter 3 of Pandey's thesis), given perfect knowledge of what each source shows
 * now, as Schulam & Muslea (WWW 2023) use it. It takes the source with the most links
 * that are unknown and not shown by a source already taken, and so on; the result is
 * within 1 - 1/e of the best set. When nothing is left to find, the rest of the budget
 * goes to the sources that waited longest, since the paper's oracle spends k visits a
 * step like everybody else; greedy.c is the one that stops.
 *
 * It looks no further than this step: a policy that saves a source for the moment just
 * before its links leave can find more over weeks. */
#include "policy/policy.h"

#include "learn/cover.h"

struct self {
    struct fg_cover cover;
};

static size_t fill_up(struct fg_brain *brain, fg_time now, size_t budget,
                      struct fg_pick *out)
{
    for (size_t i = 0; i < brain->world->n; i++)
        brain->scores[i] = fg_world_waited(brain->world, i, now);
    size_t n = fg_brain_take_best(brain, brain->scores, budget, out);
    for (size_t i = 0; i < n; i++)
        out[i].score = 0;
    return n;
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    struct self *self = brain->self;
    size_t n = 0, page, links;
    fg_cover_start(&self->cover, &(struct fg_cover_sets){brain->foresight->context,
                                                         brain->foresight->unknown, 0});
    for (size_t i = 0; i < brain->world->n; i++)
        if (fg_brain_may_take(brain, i))
            fg_cover_offer(&self->cover, i);
    while (n < budget && fg_cover_next(&self->cover, &page, &links)) {
        if (!fg_brain_take(brain, page))
            continue; /* its site has had its share */
        fg_cover_take(&self->cover, page);
        out[n++] = (struct fg_pick){
            .page = (uint32_t)page, .score = (float)links, .probability = 1};
    }
    return n + fill_up(brain, now, budget - n, out + n);
}

static void clear(struct fg_brain *brain)
{
    struct self *self = brain->self;
    fg_cover_clear(&self->cover);
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
