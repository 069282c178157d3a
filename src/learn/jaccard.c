#include "learn/jaccard.h"

#include "base/err.h"
#include "base/map.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

double fg_jaccard(const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b)
{
    size_t i = 0, j = 0, common = 0;
    while (i < n_a && j < n_b) {
        common += a[i] == b[j];
        bool step_a = a[i] <= b[j], step_b = b[j] <= a[i];
        i += step_a;
        j += step_b;
    }
    size_t all = n_a + n_b - common;
    return all ? (double)common / (double)all : 0;
}

/* The sets that differ from each other, their items renumbered from 0 and sorted, and for
 * each item the different sets that hold it. */
struct overlap {
    uint32_t *kind;  /* by set: which of the different ones it is, UINT32_MAX if empty */
    uint32_t *first; /* by kind: the first set of that kind */
    size_t kinds;
    size_t *at; /* by kind, into items */
    uint32_t *items;
    size_t n_items;
    size_t *holder_at; /* by item, into holders */
    uint32_t *holders; /* kinds, ascending */
};

static int compare_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint64_t mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    return x;
}

static uint64_t hash_of(const uint32_t *items, size_t n)
{
    uint64_t hash = n;
    for (size_t i = 0; i < n; i++)
        hash = mix(hash ^ items[i]) + hash;
    return hash;
}

/* The kind of a set whose items stand, sorted, at the end of o->items; a new one keeps
 * them there. Kinds with equal hashes hang in a list. */
static uint32_t kind_of(struct overlap *o, struct fg_map *kinds, uint32_t *next, size_t n)
{
    const uint32_t *items = o->items + o->at[o->kinds];
    uint64_t *head = fg_map_put(kinds, hash_of(items, n));
    for (uint64_t k = *head; k; k = next[k - 1]) {
        size_t from = o->at[k - 1];
        if (o->at[k] - from == n &&
            memcmp(o->items + from, items, n * sizeof *items) == 0)
            return (uint32_t)(k - 1);
    }
    uint32_t kind = (uint32_t)o->kinds++;
    next[kind] = (uint32_t)*head;
    *head = kind + 1;
    o->at[o->kinds] = o->at[kind] + n;
    return kind;
}

static void find_kinds(struct overlap *o, const struct fg_sets *sets)
{
    struct fg_map numbers = {0}, kinds = {0};
    uint32_t *next = fg_zeroed(sets->n, sizeof *next);
    for (size_t s = 0; s < sets->n; s++) {
        size_t n = sets->at[s + 1] - sets->at[s];
        const uint64_t *items = sets->items + sets->at[s];
        uint32_t *out = o->items + o->at[o->kinds];
        for (size_t i = 0; i < n; i++) {
            uint64_t *number = fg_map_put(&numbers, items[i]);
            if (!*number)
                *number = ++o->n_items;
            out[i] = (uint32_t)(*number - 1);
        }
        if (n)
            qsort(out, n, sizeof *out, compare_u32);
        size_t known = o->kinds;
        o->kind[s] = n ? kind_of(o, &kinds, next, n) : UINT32_MAX;
        if (o->kinds > known)
            o->first[known] = (uint32_t)s;
    }
    free(next);
    fg_map_clear(&numbers);
    fg_map_clear(&kinds);
}

static void find_holders(struct overlap *o)
{
    size_t total = o->at[o->kinds];
    o->holder_at = fg_zeroed(o->n_items + 2, sizeof *o->holder_at);
    o->holders = fg_zeroed(total, sizeof *o->holders);
    for (size_t i = 0; i < total; i++)
        o->holder_at[o->items[i] + 2]++;
    for (size_t i = 2; i < o->n_items + 2; i++)
        o->holder_at[i] += o->holder_at[i - 1];
    for (size_t k = 0; k < o->kinds; k++)
        for (size_t i = o->at[k]; i < o->at[k + 1]; i++)
            o->holders[o->holder_at[o->items[i] + 1]++] = (uint32_t)k;
}

static struct overlap overlap_of(const struct fg_sets *sets)
{
    struct overlap o = {0};
    o.kind = fg_zeroed(sets->n, sizeof *o.kind);
    o.first = fg_zeroed(sets->n, sizeof *o.first);
    o.at = fg_zeroed(sets->n + 1, sizeof *o.at);
    o.items = fg_zeroed(sets->n ? sets->at[sets->n] - sets->at[0] : 0, sizeof *o.items);
    find_kinds(&o, sets);
    find_holders(&o);
    return o;
}

static void clear(struct overlap *o)
{
    void *arrays[] = {o->kind, o->first, o->at, o->items, o->holder_at, o->holders};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

/* Pairs of different kinds, the second the lower. */
static void kind_pairs(const struct overlap *o, double least,
                       void (*tell)(void *context, size_t i, size_t j, double overlap),
                       void *context)
{
    uint32_t *common = fg_zeroed(o->kinds, sizeof *common);
    uint32_t *met = fg_zeroed(o->kinds, sizeof *met);
    for (size_t k = 0; k < o->kinds; k++) {
        size_t n_met = 0, n = o->at[k + 1] - o->at[k];
        for (size_t i = o->at[k]; i < o->at[k + 1]; i++)
            for (size_t h = o->holder_at[o->items[i]]; o->holders[h] < k; h++) {
                if (!common[o->holders[h]]++)
                    met[n_met++] = o->holders[h];
            }
        for (size_t i = 0; i < n_met; i++) {
            uint32_t other = met[i];
            size_t all = n + (o->at[other + 1] - o->at[other]) - common[other];
            double overlap = (double)common[other] / (double)all;
            common[other] = 0;
            if (overlap >= least)
                tell(context, k, other, overlap);
        }
    }
    free(common);
    free(met);
}

/* --- pairs of sets --- */

struct spread {
    uint32_t *member_at, *members; /* sets by kind */
    void (*tell)(void *context, size_t i, size_t j, double overlap);
    void *context;
};

static void tell_members(void *context, size_t a, size_t b, double overlap)
{
    const struct spread *s = context;
    for (uint32_t i = s->member_at[a]; i < s->member_at[a + 1]; i++)
        for (uint32_t j = s->member_at[b]; j < s->member_at[b + 1]; j++) {
            uint32_t x = s->members[i], y = s->members[j];
            s->tell(s->context, x < y ? x : y, x < y ? y : x, overlap);
        }
}

static void tell_equals(const struct spread *s, size_t kind)
{
    for (uint32_t i = s->member_at[kind]; i < s->member_at[kind + 1]; i++)
        for (uint32_t j = i + 1; j < s->member_at[kind + 1]; j++)
            s->tell(s->context, s->members[i], s->members[j], 1);
}

void fg_jaccard_pairs(const struct fg_sets *sets, double least,
                      void (*tell)(void *context, size_t i, size_t j, double overlap),
                      void *context)
{
    struct overlap o = overlap_of(sets);
    struct spread s = {.tell = tell, .context = context};
    s.member_at = fg_zeroed(o.kinds + 2, sizeof *s.member_at);
    s.members = fg_zeroed(sets->n, sizeof *s.members);
    for (size_t i = 0; i < sets->n; i++)
        if (o.kind[i] != UINT32_MAX)
            s.member_at[o.kind[i] + 2]++;
    for (size_t k = 2; k < o.kinds + 2; k++)
        s.member_at[k] += s.member_at[k - 1];
    for (size_t i = 0; i < sets->n; i++)
        if (o.kind[i] != UINT32_MAX)
            s.members[s.member_at[o.kind[i] + 1]++] = (uint32_t)i;
    for (size_t k = 0; k < o.kinds && least <= 1; k++)
        tell_equals(&s, k);
    kind_pairs(&o, least, tell_members, &s);
    free(s.member_at);
    free(s.members);
    clear(&o);
}

/* --- clusters --- */

static uint32_t root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* The lower number is the root, so a cluster has the number of its first kind. */
static void join(void *context, size_t a, size_t b, double overlap)
{
    (void)overlap;
    uint32_t *parent = context;
    uint32_t x = root_of(parent, (uint32_t)a), y = root_of(parent, (uint32_t)b);
    parent[x > y ? x : y] = x > y ? y : x;
}

void fg_jaccard_clusters(const struct fg_sets *sets, double least, uint32_t *cluster)
{
    struct overlap o = overlap_of(sets);
    uint32_t *parent = fg_zeroed(o.kinds, sizeof *parent);
    for (size_t k = 0; k < o.kinds; k++)
        parent[k] = (uint32_t)k;
    kind_pairs(&o, least, join, parent);
    for (size_t i = 0; i < sets->n; i++)
        cluster[i] =
            o.kind[i] == UINT32_MAX ? (uint32_t)i : o.first[root_of(parent, o.kind[i])];
    free(parent);
    clear(&o);
}
