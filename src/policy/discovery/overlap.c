/* Comparing all pairs of a round is affordable: rounds are small against the number of
 * pages, and only pages of one site are compared. With the visits of a site in order of
 * size a pair is left out as soon as one list is too short for the other, since the
 * coefficient is at most the ratio of the lengths. */
#include "policy/discovery/overlap.h"

#include "base/err.h"
#include "base/memory.h"
#include "base/topk.h"
#include "learn/jaccard.h"

#include <string.h>

enum { PAIRS_MOST = 1 << 20, NO_PAGE = -1 };

void fg_overlap_clear(struct fg_overlap *overlap)
{
    fg_vec_clear(&overlap->pairs);
    fg_vec_clear(&overlap->round);
    fg_vec_clear(&overlap->links);
    free(overlap->head);
    free(overlap->place);
    *overlap = (struct fg_overlap){0};
}

/* --- pairs --- */

static void make_room(struct fg_overlap *overlap, size_t pages)
{
    if (pages <= overlap->rooms)
        return;
    size_t rooms = overlap->rooms * 2 > pages ? overlap->rooms * 2 : pages;
    uint32_t **arrays[] = {&overlap->head, &overlap->place};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        uint32_t *moved = fg_resized(*arrays[i], rooms, sizeof *moved);
        memset(moved + overlap->rooms, 0, (rooms - overlap->rooms) * sizeof *moved);
        *arrays[i] = moved;
    }
    overlap->rooms = rooms;
}

/* Which end of a pair a page is. */
static int end_of(const struct fg_overlap_pair *pair, size_t page)
{
    return pair->page[1] == page;
}

static uint32_t head_of(const struct fg_overlap *overlap, size_t page)
{
    return page < overlap->rooms ? overlap->head[page] : 0;
}

static uint32_t next_of(const struct fg_overlap *overlap, uint32_t number, size_t page)
{
    const struct fg_overlap_pair *pair = &overlap->pairs.at[number - 1];
    return pair->next[end_of(pair, page)];
}

static uint32_t partner_of(const struct fg_overlap *overlap, uint32_t number, size_t page)
{
    const struct fg_overlap_pair *pair = &overlap->pairs.at[number - 1];
    return pair->page[!end_of(pair, page)];
}

static void join(struct fg_overlap *overlap, uint32_t page, uint32_t other)
{
    uint32_t number = overlap->spare;
    if (number) {
        overlap->spare = overlap->pairs.at[number - 1].next[0];
    } else {
        if (overlap->pairs.len == PAIRS_MOST)
            return;
        fg_vec_push(&overlap->pairs, (struct fg_overlap_pair){0});
        number = (uint32_t)overlap->pairs.len;
    }
    overlap->pairs.at[number - 1] = (struct fg_overlap_pair){
        .page = {page, other}, .next = {overlap->head[page], overlap->head[other]}};
    overlap->head[page] = overlap->head[other] = number;
}

static void unlink_from(struct fg_overlap *overlap, uint32_t number, size_t page)
{
    uint32_t *at = &overlap->head[page];
    while (*at != number) {
        struct fg_overlap_pair *pair = &overlap->pairs.at[*at - 1];
        at = &pair->next[end_of(pair, page)];
    }
    *at = next_of(overlap, number, page);
}

static void part(struct fg_overlap *overlap, uint32_t number)
{
    struct fg_overlap_pair *pair = &overlap->pairs.at[number - 1];
    unlink_from(overlap, number, pair->page[0]);
    unlink_from(overlap, number, pair->page[1]);
    *pair = (struct fg_overlap_pair){.page = {(uint32_t)NO_PAGE, (uint32_t)NO_PAGE},
                                     .next = {overlap->spare, 0}};
    overlap->spare = number;
}

bool fg_overlap_is_alike(const struct fg_overlap *overlap, size_t page, size_t other)
{
    for (uint32_t i = head_of(overlap, page); i; i = next_of(overlap, i, page))
        if (partner_of(overlap, i, page) == other)
            return true;
    return false;
}

void fg_overlap_moved(struct fg_overlap *overlap, size_t from, size_t to)
{
    while (head_of(overlap, to))
        part(overlap, overlap->head[to]);
    for (size_t i = 0; i < overlap->round.len; i++) {
        struct fg_overlap_visit *visit = &overlap->round.at[i];
        if (visit->page == to)
            visit->page = (uint32_t)NO_PAGE;
        if (visit->page == from)
            visit->page = (uint32_t)to;
    }
    if (from == to || !head_of(overlap, from))
        return;
    for (uint32_t i = overlap->head[from]; i;) {
        struct fg_overlap_pair *pair = &overlap->pairs.at[i - 1];
        int end = end_of(pair, from);
        pair->page[end] = (uint32_t)to;
        i = pair->next[end];
    }
    overlap->head[to] = overlap->head[from];
    overlap->head[from] = 0;
}

/* --- a round --- */

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void fg_overlap_note(struct fg_overlap *overlap, const struct fg_visit *visit)
{
    size_t first = overlap->links.len;
    if (visit->n_fresh && !visit->fresh)
        return; /* known by their number only: no telling whose they are too */
    for (size_t i = 0; i < visit->n_fresh; i++)
        fg_vec_push(&overlap->links, visit->fresh[i]);
    if (visit->n_fresh)
        qsort(overlap->links.at + first, visit->n_fresh, sizeof(uint64_t), by_number);
    fg_vec_push(&overlap->round, (struct fg_overlap_visit){.page = (uint32_t)visit->page,
                                                           .first = first,
                                                           .n = visit->n_fresh});
}

static int by_site_and_size(const void *a, const void *b)
{
    const struct fg_overlap_visit *x = a, *y = b;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    return (x->page > y->page) - (x->page < y->page);
}

/* The visits whose pages are still there, in order; `place` gets their number + 1. */
static void sort_round(struct fg_overlap *overlap, const struct fg_world *world)
{
    size_t kept = 0;
    for (size_t i = 0; i < overlap->round.len; i++) {
        struct fg_overlap_visit visit = overlap->round.at[i];
        if (visit.page == (uint32_t)NO_PAGE)
            continue;
        visit.site = world->site[visit.page];
        overlap->round.at[kept++] = visit;
    }
    overlap->round.len = kept;
    if (kept)
        qsort(overlap->round.at, kept, sizeof *overlap->round.at, by_site_and_size);
    for (size_t i = 0; i < kept; i++)
        overlap->place[overlap->round.at[i].page] = (uint32_t)i + 1;
}

/* What was known of pairs that this round tells about is forgotten. */
static void forget_pairs_of_round(struct fg_overlap *overlap)
{
    for (size_t i = 0; i < overlap->round.len; i++) {
        struct fg_overlap_visit visit = overlap->round.at[i];
        for (uint32_t number = overlap->head[visit.page], next; number; number = next) {
            next = next_of(overlap, number, visit.page);
            uint32_t place = overlap->place[partner_of(overlap, number, visit.page)];
            if (place && (visit.n || overlap->round.at[place - 1].n))
                part(overlap, number);
        }
    }
}

static double overlap_of(const struct fg_overlap *overlap,
                         const struct fg_overlap_visit *a,
                         const struct fg_overlap_visit *b)
{
    return fg_jaccard(overlap->links.at + a->first, a->n, overlap->links.at + b->first,
                      b->n);
}

void fg_overlap_settle(struct fg_overlap *overlap, const struct fg_world *world,
                       double threshold)
{
    make_room(overlap, world->n);
    sort_round(overlap, world);
    forget_pairs_of_round(overlap);
    for (size_t i = 0; i < overlap->round.len; i++) {
        const struct fg_overlap_visit *a = &overlap->round.at[i];
        for (size_t j = i + 1; j < overlap->round.len; j++) {
            const struct fg_overlap_visit *b = &overlap->round.at[j];
            if (b->site != a->site || (double)a->n <= threshold * (double)b->n)
                break;
            if (a->page != b->page && overlap_of(overlap, a, b) > threshold)
                join(overlap, a->page, b->page);
        }
    }
    for (size_t i = 0; i < overlap->round.len; i++)
        overlap->place[overlap->round.at[i].page] = 0;
    overlap->round.len = overlap->links.len = 0;
}

/* --- choosing --- */

static void bar_partners(struct fg_overlap *overlap, size_t page, uint32_t is_barred)
{
    for (uint32_t i = head_of(overlap, page); i; i = next_of(overlap, i, page))
        overlap->place[partner_of(overlap, i, page)] = is_barred;
}

/* Take from `items`, those that stood back or the others. */
static size_t take_from(struct fg_overlap *overlap, struct fg_brain *brain,
                        const struct fg_top *items, size_t n, bool is_barred,
                        size_t budget, struct fg_pick *out)
{
    size_t taken = 0;
    for (size_t i = 0; i < n && taken < budget; i++) {
        uint32_t page = items[i].id;
        if ((overlap->place[page] != 0) != is_barred || !fg_brain_take(brain, page))
            continue;
        out[taken++] = (struct fg_pick){.page = page, .score = items[i].score};
        if (!is_barred)
            bar_partners(overlap, page, 1);
    }
    return taken;
}

/* How many stand back, or cannot be taken, is not known beforehand: twice as many of the
 * best are asked for until there are enough. */
size_t fg_overlap_take_best(struct fg_overlap *overlap, struct fg_brain *brain,
                            float *scores, size_t budget, struct fg_pick *out)
{
    size_t n = brain->world->n, taken = 0, looked_at = 0, offered = 0;
    if (overlap->pairs.len == 0 || !budget)
        return fg_brain_take_best(brain, scores, budget, out);
    make_room(overlap, n);
    struct fg_topk best;
    fg_topk_init(&best, 0);
    for (size_t k = budget * 2; taken < budget; k *= 2) {
        k = k < n ? k : n;
        fg_topk_clear(&best);
        fg_topk_init(&best, k);
        fg_topk_add(&best, 0, scores, n);
        const struct fg_top *items = fg_topk_take(&best, &offered);
        taken += take_from(overlap, brain, items + looked_at, offered - looked_at, false,
                           budget - taken, out + taken);
        looked_at = offered;
        if (offered < k || k == n) {
            taken += take_from(overlap, brain, items, offered, true, budget - taken,
                               out + taken);
            break;
        }
    }
    fg_topk_clear(&best);
    for (size_t i = 0; i < taken; i++)
        bar_partners(overlap, out[i].page, 0);
    return taken;
}

/* --- saving: how many of each, the pairs, the round, its links --- */

static void put(struct fg_buf *out, const void *at, size_t n, size_t size_bytes)
{
    fg_buf_add(out, (struct fg_str){at, n * size_bytes});
}

void fg_overlap_save(const struct fg_overlap *overlap, struct fg_buf *out)
{
    uint64_t counts[] = {0, overlap->round.len, overlap->links.len};
    for (size_t i = 0; i < overlap->pairs.len; i++)
        counts[0] += overlap->pairs.at[i].page[0] != (uint32_t)NO_PAGE;
    put(out, counts, 1, sizeof counts);
    for (size_t i = 0; i < overlap->pairs.len; i++)
        if (overlap->pairs.at[i].page[0] != (uint32_t)NO_PAGE)
            put(out, overlap->pairs.at[i].page, 1, sizeof overlap->pairs.at[i].page);
    put(out, overlap->round.at, overlap->round.len, sizeof *overlap->round.at);
    put(out, overlap->links.at, overlap->links.len, sizeof *overlap->links.at);
}

static bool load_pairs(struct fg_overlap *overlap, struct fg_str *bytes, uint64_t n,
                       size_t pages)
{
    for (uint64_t i = 0; i < n; i++) {
        uint32_t page[2];
        if (!fg_str_take(bytes, page, sizeof page) || page[0] >= pages ||
            page[1] >= pages || page[0] == page[1])
            return false;
        join(overlap, page[0], page[1]);
    }
    return true;
}

static bool load_round(struct fg_overlap *overlap, struct fg_str *bytes,
                       const uint64_t *counts, size_t pages)
{
    for (uint64_t i = 0; i < counts[1]; i++) {
        struct fg_overlap_visit visit;
        if (!fg_str_take(bytes, &visit, sizeof visit) || visit.first > counts[2] ||
            visit.n > counts[2] - visit.first ||
            (visit.page >= pages && visit.page != (uint32_t)NO_PAGE))
            return false;
        fg_vec_push(&overlap->round, visit);
    }
    for (uint64_t i = 0; i < counts[2]; i++) {
        uint64_t link;
        if (!fg_str_take(bytes, &link, sizeof link))
            return false;
        fg_vec_push(&overlap->links, link);
    }
    return true;
}

bool fg_overlap_load(struct fg_overlap *overlap, struct fg_str *bytes, size_t pages)
{
    struct fg_overlap loaded = {0};
    uint64_t counts[3];
    make_room(&loaded, pages);
    bool is_sound = fg_str_take(bytes, counts, sizeof counts) &&
                    load_pairs(&loaded, bytes, counts[0], pages) &&
                    load_round(&loaded, bytes, counts, pages);
    if (!is_sound)
        fg_overlap_clear(&loaded);
    fg_overlap_clear(overlap);
    *overlap = loaded;
    return is_sound;
}
