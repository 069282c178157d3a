/* greedy.c - a near-perfect cover of what is new, by foresight, and not one visit more
 *
 * Algorithm GREEDY of chapter 3.5 of Pandey's thesis (Dasgupta et al., WWW 2007), the
 * upper bound there. Two problems, one order: the k-budgeted cover stops after k sources,
 * the rho-partial cover as soon as a share rho of the links that can be found now is
 * covered. The budget is k; `rho` is a knob, and at 1 a cover of everything ends early
 * only because nothing is left. So it visits no more than it must and shows the least
 * overhead; oracle.c, which other policies are held against, spends its whole budget.
 *
 * Not strictly an upper bound: both problems are NP-hard, and the greedy order is within
 * 1 - 1/e, or a factor of ln n, of the best. */
#include "policy/policy.h"

#include "learn/cover.h"

enum { RHO };
static const struct fg_param params[] = {
    [RHO] = {"rho", 1.0, 0, 1, "share of the links there are that is enough"},
    {0},
};
static const struct fg_column columns[] = {{0}};

struct self {
    struct fg_cover cover;
};

/* All links that some page would be the first to show; what rho is a share of. */
static size_t count_all(struct fg_brain *brain, struct fg_cover *cover)
{
    for (size_t i = 0; i < brain->world->n; i++)
        fg_cover_take(cover, i);
    return cover->size;
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    (void)now;
    struct fg_cover *cover = &((struct self *)brain->self)->cover;
    const struct fg_cover_sets sets = {brain->foresight->context,
                                       brain->foresight->unknown, 0};
    size_t n = 0, page, links;
    fg_cover_start(cover, &sets);
    double enough = brain->knob[RHO] * (double)count_all(brain, cover);
    fg_cover_start(cover, &sets);
    for (size_t i = 0; i < brain->world->n; i++)
        if (fg_brain_may_take(brain, i))
            fg_cover_offer(cover, i);
    while (n < budget && (double)cover->size < enough &&
           fg_cover_next(cover, &page, &links)) {
        if (!fg_brain_take(brain, page))
            continue;
        fg_cover_take(cover, page);
        out[n++] = (struct fg_pick){
            .page = (uint32_t)page, .score = (float)links, .probability = 1};
    }
    return n;
}

static void clear(struct fg_brain *brain)
{
    fg_cover_clear(&((struct self *)brain->self)->cover);
}

const struct fg_policy fg_policy_greedy = {
    .name = "greedy",
    .summary = "a near-perfect cover of what is new, by foresight, and no visit more",
    .paper = "GREEDY: Pandey's thesis, chapter 3.5; Dasgupta et al., WWW 2007",
    .tasks = FG_DISCOVERY,
    .needs_foresight = true,
    .params = params,
    .columns = columns,
    .self_size = sizeof(struct self),
    .select = choose,
    .clear = clear,
};
