/* cliq.c - one page of each group that shows the same new links
 *
 * Algorithm CLIQ of chapter 3.6.2 of Pandey's thesis (Dasgupta et al., WWW 2007). Most
 * pairs of pages lead to nearly the same new pages or to nearly none in common, so pages
 * fall into clusters, and one page of a cluster is enough: the one with the most. A page
 * belongs to a cluster if its Jaccard coefficient with any page in it is at least 1 -
 * epsilon (single linkage). The thesis uses epsilon = 0.8.
 *
 *   cliq-1    clusters and degrees from the last complete recrawl alone; it takes the
 *             representatives of the k clusters with the highest degree, and fewer
 *             than k if there are fewer.
 *   cliq-win  to these clusters, one more is added for every page that ever led to a new
 *             one, with its mean degree (degree.h) for a rank. So a mirror of a page
 *             already taken comes back by this door, and in Table 3.2 it fares like
 *             od-win. That is how it is published.
 *   cliq-win* as Pham et al. (WSDM 2018) changed it for crawls that are never complete:
 *             overlaps are those of pages visited in the same tick on the same site,
 *             and of each group of overlapping pages only one is taken. Overlaps age:
 *             the next tick that sees both pages together decides anew. Each page keeps
 *             the NEAR pages it was last seen to overlap with.
 *
 * The first two make complete recrawls from the budget every so many hours (recrawl.h).
 * The degree of a page in a recrawl is |N(i)|, what it showed in that recrawl, whatever
 * it has shown since. Pages are alike for cliq-win* from a Jaccard coefficient of 0.7 on,
 * the xi of section 4 of Pham et al., which they apply to all their policies. Where Pham
 * et al. are silent: cliq-win* tries pages never tried first, and gives what is left of
 * the budget, when every group has been served, to the pages with the highest means. */
#include "learn/jaccard.h"
#include "policy/discovery/degree.h"
#include "policy/discovery/recrawl.h"

#include "base/err.h"
#include "base/memory.h"
#include "base/topk.h"

#include <math.h>
#include <string.h>

enum { EPSILON, SHARE, ALPHA, PERIOD, EVERY };
#define COMMON_PARAMS(near)                                                         \
    [EPSILON] = {"epsilon", (near), 0, 0.99,                                        \
                 "pages that overlap by 1 - epsilon or more are of one cluster"},   \
    [SHARE] = {"share", 0, 0, 1,                                                    \
               "1: count new links as a share of all that the same round found"},   \
    [ALPHA] = {"alpha", 1, 0.01, 1, "weight of a look against one a period later"}, \
    [PERIOD] = {"period", 168, 0.01, 87600, "hours in such a period"}

static struct fg_degree_rules rules_of(const struct fg_brain *brain)
{
    return (struct fg_degree_rules){
        .alpha = brain->knob[ALPHA],
        .period_hours = brain->knob[PERIOD],
        .is_share = brain->knob[SHARE] > 0.5,
    };
}

/* --- cliq-1 and cliq-win --- */

static const struct fg_param params[] = {
    COMMON_PARAMS(0.8),
    [EVERY] = {"every", 168, 0, 87600,
               "hours from one complete recrawl to the next; 0: only those it is given"},
    {0},
};

enum { RUN = FG_DEGREE_COLUMN_COUNT, LEADS };
static const struct fg_column columns[] = {
    FG_DEGREE_COLUMNS,
    [RUN] = {"run", FG_U32, 1},
    [LEADS] = {"leads", FG_F32, 1}, /* its degree if it represents a cluster */
    {0},
};

struct self {
    struct fg_degree_round round;
    struct fg_recrawl recrawl;
};

extern const struct fg_policy fg_policy_cliq_win;

static void init(struct fg_brain *brain)
{
    fg_recrawl_init(&((struct self *)brain->self)->recrawl, RUN);
}

static void clear(struct fg_brain *brain)
{
    fg_recrawl_clear(&((struct self *)brain->self)->recrawl);
}

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    struct self *self = brain->self;
    struct fg_degree_rules rules = rules_of(brain);
    fg_degree_observe(brain, &self->round, &rules, visit);
    fg_recrawl_observe(&self->recrawl, brain, visit);
}

/* The pages that showed something new in the recrawl, as sets. */
struct gathered {
    uint32_t *page, *cluster;
    size_t *at;
    uint64_t *links;
    size_t n;
};

static struct gathered gather(const struct fg_brain *brain)
{
    const struct self *self = brain->self;
    size_t pages = brain->world->n, total = 0;
    const uint64_t *links;
    struct gathered g = {.page = fg_zeroed(pages, sizeof *g.page),
                         .cluster = fg_zeroed(pages, sizeof *g.cluster),
                         .at = fg_zeroed(pages + 1, sizeof *g.at),
                         .links = fg_zeroed(self->recrawl.links.len, sizeof *g.links)};
    for (size_t i = 0; i < pages; i++) {
        size_t n = fg_recrawl_links(&self->recrawl, brain, i, &links);
        if (!n)
            continue;
        memcpy(g.links + total, links, n * sizeof *links);
        total += n;
        g.page[g.n++] = (uint32_t)i;
        g.at[g.n] = total;
    }
    return g;
}

static void release(struct gathered *g)
{
    free(g->page);
    free(g->cluster);
    free(g->at);
    free(g->links);
}

/* |N(i)| of the recrawl, or its share of all that the recrawl found. */
static float degree_of(const struct fg_brain *brain, const struct gathered *g, size_t i)
{
    const struct self *self = brain->self;
    double n = (double)(g->at[i + 1] - g->at[i]);
    bool is_share = brain->knob[SHARE] > 0.5;
    return (float)(is_share ? n / (double)fg_map_len(&self->recrawl.found) : n);
}

static void find_clusters(struct fg_brain *brain)
{
    struct gathered g = gather(brain);
    size_t *best = fg_zeroed(g.n, sizeof *best); /* by cluster: its first page so far */
    float *leads = brain->f32[LEADS];
    memset(leads, 0, brain->world->n * sizeof *leads);
    fg_jaccard_clusters(&(struct fg_sets){g.n, g.at, g.links}, 1 - brain->knob[EPSILON],
                        g.cluster);
    for (size_t i = 0; i < g.n; i++) {
        uint32_t c = g.cluster[i];
        if (c == i || degree_of(brain, &g, i) > degree_of(brain, &g, best[c]))
            best[c] = i;
    }
    for (size_t i = 0; i < g.n; i++)
        if (g.cluster[i] == i)
            leads[g.page[best[i]]] = degree_of(brain, &g, best[i]);
    free(best);
    release(&g);
}

static double worth(const struct fg_brain *brain, size_t page)
{
    double leads = (double)brain->f32[LEADS][page];
    return brain->policy == &fg_policy_cliq_win ? fmax(leads, fg_degree_mean(brain, page))
                                                : leads;
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    struct self *self = brain->self;
    struct fg_degree_rules rules = rules_of(brain);
    self->recrawl.every_hours = brain->knob[EVERY];
    fg_degree_close(brain, &self->round, &rules);
    if (fg_recrawl_is_done(&self->recrawl, brain))
        find_clusters(brain);
    fg_recrawl_go_on(&self->recrawl, brain, now);
    for (size_t i = 0; i < brain->world->n; i++) {
        float score = (float)worth(brain, i);
        brain->scores[i] = score > 0 ? score : -INFINITY;
        if (fg_recrawl_wants(&self->recrawl, brain, i))
            brain->scores[i] = INFINITY;
    }
    size_t n = fg_brain_take_best(brain, brain->scores, budget, out);
    fg_degree_account(brain, out, n, worth);
    return n;
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    (void)now;
    fg_degree_explain(brain, page, reason);
    reason->score = worth(brain, page);
}

static void save(struct fg_brain *brain, struct fg_buf *out)
{
    const struct self *self = brain->self;
    fg_buf_add(out, (struct fg_str){(const char *)&self->round, sizeof self->round});
    fg_recrawl_save(&self->recrawl, out);
}

static bool load(struct fg_brain *brain, struct fg_str bytes)
{
    struct self *self = brain->self;
    if (bytes.len < sizeof self->round)
        return false;
    memcpy(&self->round, bytes.at, sizeof self->round);
    bytes = fg_str_skip(bytes, sizeof self->round);
    return fg_recrawl_load(&self->recrawl, brain, &bytes);
}

#define CLIQ(id, called, of, says)                                               \
    const struct fg_policy fg_policy_##id = {                                    \
        .name = called,                                                          \
        .summary = says,                                                         \
        .paper = of ": Pandey's thesis, chapter 3.6; Dasgupta et al., WWW 2007", \
        .tasks = FG_DISCOVERY,                                                   \
        .params = params,                                                        \
        .columns = columns,                                                      \
        .self_size = sizeof(struct self),                                        \
        .init = init,                                                            \
        .observe = observe,                                                      \
        .select = choose,                                                        \
        .explain = explain,                                                      \
        .save = save,                                                            \
        .load = load,                                                            \
        .clear = clear,                                                          \
    }

CLIQ(cliq_1, "cliq-1", "CLIQ-1",
     "one page of each group that showed the same new links in the last recrawl");
CLIQ(cliq_win, "cliq-win", "CLIQ-WIN",
     "such groups, and every page that ever showed new links, by its mean");

/* --- cliq-win* --- */

static const struct fg_param star_params[] = {COMMON_PARAMS(0.3), {0}};

enum { NEARBY = 8 };
enum { NEAR = RUN + 1 };
static const struct fg_column star_columns[] = {
    FG_DEGREE_COLUMNS,
    [RUN] = {"run", FG_U32, 1},
    /* Rows + 1 of the pages it overlaps with, 0 for none; the latest first. Kept on both
     * sides. */
    [NEAR] = {"near", FG_U32, NEARBY, .holds = FG_ROWS},
    {0},
};

static uint32_t *near_of(struct fg_brain *brain, size_t page)
{
    return brain->u32[NEAR] + page * NEARBY;
}

static void drop(struct fg_brain *brain, size_t page, size_t other)
{
    uint32_t *near = near_of(brain, page);
    size_t kept = 0;
    for (size_t i = 0; i < NEARBY; i++)
        if (near[i] && near[i] != other + 1)
            near[kept++] = near[i];
    while (kept < NEARBY)
        near[kept++] = 0;
}

static void part(struct fg_brain *brain, size_t a, size_t b)
{
    drop(brain, a, b);
    drop(brain, b, a);
}

static void put_first(struct fg_brain *brain, size_t page, size_t other)
{
    uint32_t *near = near_of(brain, page);
    if (near[NEARBY - 1])
        part(brain, page, near[NEARBY - 1] - 1);
    memmove(near + 1, near, (NEARBY - 1) * sizeof *near);
    near[0] = (uint32_t)other + 1;
}

/* What was known of pairs that were now seen together is replaced. Pages of one cluster
 * are joined one to the next: more would not make the group any larger. */
static void compare_round(struct fg_brain *brain)
{
    struct gathered g = gather(brain);
    uint32_t *last = fg_zeroed(g.n, sizeof *last); /* of each cluster, its last page */
    for (size_t i = 0; i < g.n; i++) {
        const uint32_t *near = near_of(brain, g.page[i]);
        for (size_t k = NEARBY; k-- > 0;)
            if (near[k] && brain->u32[FG_DEGREE_OPEN][near[k] - 1] > 1)
                part(brain, g.page[i], near[k] - 1);
    }
    fg_jaccard_clusters(&(struct fg_sets){g.n, g.at, g.links}, 1 - brain->knob[EPSILON],
                        g.cluster);
    for (size_t i = 0; i < g.n; i++) {
        uint32_t c = g.cluster[i], page = g.page[i];
        if (c != i && brain->world->site[page] == brain->world->site[last[c]]) {
            put_first(brain, page, last[c]);
            put_first(brain, last[c], page);
        }
        last[c] = page;
    }
    free(last);
    release(&g);
}

/* All pages that overlap with this one, directly or through others, are served. */
static void serve(struct fg_brain *brain, size_t page, uint8_t *is_served,
                  uint32_t *stack)
{
    size_t depth = 0;
    is_served[page] = 1;
    for (stack[depth++] = (uint32_t)page; depth;) {
        const uint32_t *near = near_of(brain, stack[--depth]);
        for (size_t k = 0; k < NEARBY; k++)
            if (near[k] && !is_served[near[k] - 1]) {
                is_served[near[k] - 1] = 1;
                stack[depth++] = near[k] - 1;
            }
    }
}

/* The best page of every group. */
static size_t take_leaders(struct fg_brain *brain, size_t budget, struct fg_pick *out)
{
    size_t n = 0, pages = brain->world->n, offered;
    uint8_t *is_served = fg_zeroed(pages, 1);
    uint32_t *stack = fg_zeroed(pages, sizeof *stack);
    struct fg_topk order;
    fg_topk_init(&order, pages);
    fg_topk_add(&order, 0, brain->scores, pages);
    const struct fg_top *best = fg_topk_take(&order, &offered);
    for (size_t i = 0; i < offered && n < budget; i++)
        if (!is_served[best[i].id] && fg_brain_take(brain, best[i].id)) {
            out[n++] = (struct fg_pick){.page = best[i].id, .score = best[i].score};
            serve(brain, best[i].id, is_served, stack);
        }
    fg_topk_clear(&order);
    free(is_served);
    free(stack);
    return n;
}

static size_t star_choose(struct fg_brain *brain, fg_time now, size_t budget,
                          struct fg_pick *out)
{
    struct self *self = brain->self;
    struct fg_degree_rules rules = rules_of(brain);
    compare_round(brain);
    fg_degree_close(brain, &self->round, &rules);
    fg_recrawl_go_on(&self->recrawl, brain, now); /* it records one round at a time */
    for (size_t i = 0; i < brain->world->n; i++)
        brain->scores[i] = brain->world->last_try[i] == FG_NEVER
                               ? INFINITY
                               : (float)fg_degree_mean(brain, i);
    size_t n = take_leaders(brain, budget, out);
    n += fg_brain_take_best(brain, brain->scores, budget - n, out + n);
    fg_degree_account(brain, out, n, fg_degree_mean);
    return n;
}

static void star_explain(struct fg_brain *brain, fg_time now, size_t page,
                         struct fg_reason *reason)
{
    (void)now;
    fg_degree_explain(brain, page, reason);
}

/* Whoever is near the page that goes loses it; whoever is near the one that moves gets
 * its new number. */
static void star_moved(struct fg_brain *brain, size_t from, size_t to)
{
    while (near_of(brain, to)[0])
        part(brain, to, near_of(brain, to)[0] - 1);
    for (size_t k = 0; from != to && k < NEARBY; k++) {
        uint32_t other = near_of(brain, from)[k];
        for (size_t i = 0; other && i < NEARBY; i++)
            if (near_of(brain, other - 1)[i] == from + 1)
                near_of(brain, other - 1)[i] = (uint32_t)to + 1;
    }
}

static bool is_near(struct fg_brain *brain, size_t page, size_t other)
{
    const uint32_t *near = near_of(brain, page);
    for (size_t k = 0; k < NEARBY; k++)
        if (near[k] == other + 1)
            return true;
    return false;
}

/* Of pages that name each other on one side only, one would stay behind when the other
 * goes. */
static bool star_load(struct fg_brain *brain, struct fg_str bytes)
{
    for (size_t i = 0; i < brain->world->n; i++)
        for (size_t k = NEARBY; k-- > 0;) {
            uint32_t other = near_of(brain, i)[k];
            if (!other || !is_near(brain, other - 1, i))
                drop(brain, i, other - 1);
        }
    return load(brain, bytes);
}

const struct fg_policy fg_policy_cliq_win_star = {
    .name = "cliq-win*",
    .summary = "one page of each group seen to overlap, by its mean of new links",
    .paper = "CLIQ-WIN*: Pham et al., WSDM 2018, section 5.3",
    .tasks = FG_DISCOVERY,
    .params = star_params,
    .columns = star_columns,
    .self_size = sizeof(struct self),
    .init = init,
    .observe = observe,
    .select = star_choose,
    .explain = star_explain,
    .save = save,
    .load = star_load,
    .clear = clear,
    .moved = star_moved,
};
