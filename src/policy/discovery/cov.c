/* cov.c - the pages that covered what was new the last time
 *
 *   cov   Algorithm COV of chapter 3.6.3 of Pandey's thesis (Dasgupta et al., WWW 2007):
 *         run GREEDY on the most recent complete recrawl, and use its cover until the
 *         next. Very efficient for the first third of what is new, and then blind: a
 *         page that was not in the cover is not looked at, and where the cover is
 *         smaller than the budget the rest is not spent. Its recrawls are paid for from
 *         the budget, `every` hours (recrawl.h); 0 takes those it is given.
 *   cov*  as Pham et al. (WSDM 2018) changed it for crawls that are never complete: the
 *         new links found on a page in all its past crawls are merged, and GREEDY runs
 *         on that. They keep everything; we keep the last 262,144 new links, 4 MB: all
 *         of them on most sites, and about four days of the busiest of their three
 *         domains. Pages never tried come first, and when all remembered links are
 *         covered the rest of the budget goes to those that waited longest; the paper
 *         says nothing of either. A window for each page was tried and dropped: pages
 *         that fill theirs all look alike.
 *
 * Covers of several recrawls cannot be averaged, which the thesis holds against it. Where
 * pages show few new links at a time the union of the past is a poor guide: cov* was the
 * weakest in two of the three domains of Pham et al. */
#include "learn/cover.h"
#include "policy/discovery/recrawl.h"

#include "base/err.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* --- cov --- */

enum { RUN, RANK, GAIN };
static const struct fg_column columns[] = {
    [RUN] = {"run", FG_U32, 1},
    [RANK] = {"rank", FG_U32, 1}, /* place in the cover, from 1; 0: not in it */
    [GAIN] = {"gain", FG_F32, 1}, /* new links it added there */
    {0},
};

enum { EVERY };
static const struct fg_param params[] = {
    [EVERY] = {"every", 168, 0, 87600,
               "hours from one complete recrawl to the next; 0: only those it is given"},
    {0},
};

struct self {
    struct fg_recrawl recrawl;
};

static void init(struct fg_brain *brain)
{
    struct self *self = brain->self;
    fg_recrawl_init(&self->recrawl, RUN);
}

static void clear(struct fg_brain *brain)
{
    fg_recrawl_clear(&((struct self *)brain->self)->recrawl);
}

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    fg_recrawl_observe(&((struct self *)brain->self)->recrawl, brain, visit);
}

static size_t recrawled_links(void *context, size_t page, const uint64_t **links)
{
    const struct fg_brain *brain = context;
    const struct self *self = brain->self;
    return fg_recrawl_links(&self->recrawl, brain, page, links);
}

/* The whole cover: that of a smaller budget is its beginning. */
static void find_cover(struct fg_brain *brain)
{
    struct fg_cover cover = {0};
    size_t page, gain;
    uint32_t rank = 0;
    fg_cover_start(&cover, &(struct fg_cover_sets){brain, recrawled_links, 0});
    for (size_t i = 0; i < brain->world->n; i++) {
        brain->u32[RANK][i] = 0;
        brain->f32[GAIN][i] = 0;
        fg_cover_offer(&cover, i);
    }
    while (fg_cover_next(&cover, &page, &gain)) {
        fg_cover_take(&cover, page);
        brain->u32[RANK][page] = ++rank;
        brain->f32[GAIN][page] = (float)gain;
    }
    fg_cover_clear(&cover);
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    struct self *self = brain->self;
    self->recrawl.every_hours = brain->knob[EVERY];
    if (fg_recrawl_is_done(&self->recrawl, brain))
        find_cover(brain);
    fg_recrawl_go_on(&self->recrawl, brain, now);
    for (size_t i = 0; i < brain->world->n; i++) {
        uint32_t rank = brain->u32[RANK][i];
        brain->scores[i] = rank ? -(float)rank : -INFINITY;
        if (fg_recrawl_wants(&self->recrawl, brain, i))
            brain->scores[i] = 1;
    }
    size_t n = fg_brain_take_best(brain, brain->scores, budget, out);
    for (size_t i = 0; i < n; i++) {
        out[i].probability = 1;
        out[i].explored = out[i].score > 0;
        out[i].score = brain->f32[GAIN][out[i].page];
    }
    return n;
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    (void)now;
    double gain = (double)brain->f32[GAIN][page];
    *reason = (struct fg_reason){
        .score = gain,
        .rate = gain,
        .low = 0,
        .high = gain,
        .rate_unit = "new links that it added to the cover of the last recrawl",
        .observations = brain->u32[RANK][page] ? 1 : 0,
    };
}

static void save(struct fg_brain *brain, struct fg_buf *out)
{
    fg_recrawl_save(&((struct self *)brain->self)->recrawl, out);
}

static bool load(struct fg_brain *brain, struct fg_str bytes)
{
    return fg_recrawl_load(&((struct self *)brain->self)->recrawl, brain, &bytes);
}

const struct fg_policy fg_policy_cov = {
    .name = "cov",
    .summary = "the pages that covered what was new in the last complete recrawl",
    .paper = "COV: Pandey's thesis, chapter 3.6.3; Dasgupta et al., WWW 2007",
    .tasks = FG_DISCOVERY,
    .params = params,
    .columns = columns,
    .self_size = sizeof(struct self),
    .init = init,
    .observe = observe,
    .select = choose,
    .explain = explain,
    .save = save,
    .load = load,
    .clear = clear,
};

/* --- cov* --- */

enum { MEMORY = 1 << 18 };

static const struct fg_column star_columns[] = {{0}};
static const struct fg_param star_params[] = {{0}};

/* New links and the pages that showed them, the oldest overwritten when it is full. A
 * link's number is the place where it was first put down. It is new in one round only, so
 * places that share a number lie close together and are overwritten nearly at once. */
struct star {
    FG_VEC(uint64_t) link;
    FG_VEC(uint32_t) number;
    FG_VEC(uint32_t) page; /* UINT32_MAX: it has left */
    size_t next;           /* to be overwritten */
    struct fg_map numbers; /* of the open round's links, plus 1 */
    /* Of the choice at hand: the numbers of page i are sorted[at[i]] .. sorted[at[i +
     * 1]].
     */
    uint64_t *sorted;
    size_t *at;
};

static void star_clear(struct fg_brain *brain)
{
    struct star *star = brain->self;
    fg_vec_clear(&star->link);
    fg_vec_clear(&star->number);
    fg_vec_clear(&star->page);
    fg_map_clear(&star->numbers);
}

static void remember(struct star *star, uint64_t link, uint32_t page)
{
    size_t place = star->next;
    if (star->link.len < MEMORY) {
        place = star->link.len;
        fg_vec_push(&star->link, 0);
        fg_vec_push(&star->number, 0);
        fg_vec_push(&star->page, 0);
    } else {
        star->next = (star->next + 1) % MEMORY;
    }
    uint64_t *number = fg_map_put(&star->numbers, link);
    if (!*number)
        *number = place + 1;
    star->link.at[place] = link;
    star->number.at[place] = (uint32_t)(*number - 1);
    star->page.at[place] = page;
}

static void star_observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    for (size_t i = 0; visit->ok && visit->fresh && i < visit->n_fresh; i++)
        remember(brain->self, visit->fresh[i], (uint32_t)visit->page);
}

static void star_moved(struct fg_brain *brain, size_t from, size_t to)
{
    struct star *star = brain->self;
    for (size_t i = 0; i < star->page.len; i++) {
        if (star->page.at[i] == to)
            star->page.at[i] = UINT32_MAX;
        if (star->page.at[i] == from)
            star->page.at[i] = (uint32_t)to;
    }
}

static void sort_by_page(struct fg_brain *brain)
{
    struct star *star = brain->self;
    size_t n = star->link.len, pages = brain->world->n;
    star->sorted = fg_zeroed(n, sizeof *star->sorted);
    star->at = fg_zeroed(pages + 2, sizeof *star->at);
    for (size_t i = 0; i < n; i++)
        if (star->page.at[i] != UINT32_MAX)
            star->at[star->page.at[i] + 2]++;
    for (size_t i = 2; i < pages + 2; i++)
        star->at[i] += star->at[i - 1];
    for (size_t i = 0; i < n; i++)
        if (star->page.at[i] != UINT32_MAX)
            star->sorted[star->at[star->page.at[i] + 1]++] = star->number.at[i];
}

/* A link is new once, so no page has one twice. */
static size_t remembered_links(void *context, size_t page, const uint64_t **links)
{
    const struct star *star = context;
    *links = star->sorted + star->at[page];
    return star->at[page + 1] - star->at[page];
}

static size_t take_untried(struct fg_brain *brain, size_t budget, struct fg_pick *out)
{
    for (size_t i = 0; i < brain->world->n; i++)
        brain->scores[i] = brain->world->last_try[i] == FG_NEVER ? 1 : -INFINITY;
    size_t n = fg_brain_take_best(brain, brain->scores, budget, out);
    for (size_t i = 0; i < n; i++)
        out[i] =
            (struct fg_pick){.page = out[i].page, .probability = 1, .explored = true};
    return n;
}

static size_t take_waiting(struct fg_brain *brain, fg_time now, size_t budget,
                           struct fg_pick *out)
{
    const struct fg_world *world = brain->world;
    for (size_t i = 0; i < world->n; i++)
        brain->scores[i] =
            (float)fg_hours(now - (world->last_try[i] == FG_NEVER ? world->added[i]
                                                                  : world->last_try[i]));
    size_t n = fg_brain_take_best(brain, brain->scores, budget, out);
    for (size_t i = 0; i < n; i++)
        out[i] =
            (struct fg_pick){.page = out[i].page, .probability = 1, .explored = true};
    return n;
}

static size_t take_cover(struct fg_brain *brain, size_t budget, struct fg_pick *out)
{
    struct star *star = brain->self;
    struct fg_cover cover = {0};
    size_t page, gain, n = 0;
    sort_by_page(brain);
    fg_cover_start(&cover, &(struct fg_cover_sets){star, remembered_links, MEMORY});
    for (size_t i = 0; i < brain->world->n; i++)
        if (fg_brain_may_take(brain, i))
            fg_cover_offer(&cover, i);
    while (n < budget && fg_cover_next(&cover, &page, &gain)) {
        if (!fg_brain_take(brain, page))
            continue;
        fg_cover_take(&cover, page);
        out[n++] = (struct fg_pick){
            .page = (uint32_t)page, .score = (float)gain, .probability = 1};
    }
    fg_cover_clear(&cover);
    free(star->sorted);
    free(star->at);
    return n;
}

static size_t star_choose(struct fg_brain *brain, fg_time now, size_t budget,
                          struct fg_pick *out)
{
    struct star *star = brain->self;
    fg_map_clear(&star->numbers);
    size_t n = take_untried(brain, budget, out);
    if (n < budget)
        n += take_cover(brain, budget - n, out + n);
    return n + take_waiting(brain, now, budget - n, out + n);
}

static void star_explain(struct fg_brain *brain, fg_time now, size_t page,
                         struct fg_reason *reason)
{
    (void)now;
    const struct star *star = brain->self;
    double held = 0;
    for (size_t i = 0; i < star->page.len; i++)
        held += star->page.at[i] == page;
    *reason = (struct fg_reason){
        .score = held,
        .rate = held,
        .low = held,
        .high = held,
        .rate_unit = "new links remembered of it",
        .observations = held,
    };
}

static void star_save(struct fg_brain *brain, struct fg_buf *out)
{
    const struct star *star = brain->self;
    const uint64_t head[] = {star->link.len, star->next};
    fg_buf_add(out, (struct fg_str){(const char *)head, sizeof head});
    for (size_t i = 0; i < star->link.len; i++) {
        const uint64_t entry[] = {star->link.at[i],
                                  (uint64_t)star->number.at[i] << 32 | star->page.at[i]};
        fg_buf_add(out, (struct fg_str){(const char *)entry, sizeof entry});
    }
}

static bool star_load(struct fg_brain *brain, struct fg_str bytes)
{
    struct star *star = brain->self;
    uint64_t head[2], entry[2];
    if (bytes.len < sizeof head)
        return false;
    memcpy(head, bytes.at, sizeof head);
    bytes = fg_str_skip(bytes, sizeof head);
    if (head[0] > MEMORY || head[1] >= MEMORY || bytes.len != head[0] * sizeof entry)
        return false;
    star_clear(brain);
    for (; bytes.len; bytes = fg_str_skip(bytes, sizeof entry)) {
        memcpy(entry, bytes.at, sizeof entry);
        uint32_t number = (uint32_t)(entry[1] >> 32) % MEMORY;
        uint32_t page = (uint32_t)entry[1];
        fg_vec_push(&star->link, entry[0]);
        fg_vec_push(&star->number, number);
        fg_vec_push(&star->page, page < brain->world->n ? page : UINT32_MAX);
        /* The round may still be open; a link of an older one does not come again. */
        *fg_map_put(&star->numbers, entry[0]) = (uint64_t)number + 1;
    }
    star->next = (size_t)head[1];
    return true;
}

const struct fg_policy fg_policy_cov_star = {
    .name = "cov*",
    .summary = "the pages that together cover the new links remembered of all visits",
    .paper = "COV*: Pham et al., WSDM 2018, section 5.3",
    .tasks = FG_DISCOVERY,
    .params = star_params,
    .columns = star_columns,
    .self_size = sizeof(struct star),
    .observe = star_observe,
    .select = star_choose,
    .explain = star_explain,
    .save = star_save,
    .load = star_load,
    .clear = star_clear,
    .moved = star_moved,
};
