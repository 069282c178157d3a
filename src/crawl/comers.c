#include "crawl/comers.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void fg_comers_clear(struct fg_comers *comers)
{
    free(comers->order);
    *comers = (struct fg_comers){0};
}

/* --- places --- */

/* A link and where it stands. */
struct standing {
    uint64_t link;
    size_t at;
};

static int by_link(const void *a, const void *b)
{
    const struct standing *x = a, *y = b;
    return (x->link > y->link) - (x->link < y->link);
}

static struct standing *sorted(struct fg_arena *arena, const struct fg_comer *links,
                               size_t n)
{
    struct standing *out = FG_NEW(arena, struct standing, n + 1);
    for (size_t i = 0; i < n; i++)
        out[i] = (struct standing){links[i].link, i};
    qsort(out, n, sizeof *out, by_link);
    return out;
}

static const struct standing *find(const struct standing *in, size_t n, uint64_t link)
{
    struct standing wanted = {.link = link};
    return bsearch(&wanted, in, n, sizeof *in, by_link);
}

/* For each place of the last look, how many links up to it are gone. */
static size_t *count_gone(struct fg_arena *arena, const struct fg_comers *comers,
                          const struct fg_comer *links, size_t n)
{
    const struct standing *today = sorted(arena, links, n);
    size_t *gone = FG_NEW(arena, size_t, comers->n + 1);
    gone[0] = 0;
    for (size_t i = 0; i < comers->n; i++)
        gone[i + 1] = gone[i] + !find(today, n, comers->order[i].link);
    return gone;
}

/* Is something of a region gone that stood between two places? Of too many links all
 * count. */
static bool is_gone_between(const struct fg_comers *comers, const size_t *gone,
                            size_t left, size_t right, uint32_t region)
{
    enum { LOOKED_THROUGH = 1000 };
    if (gone[right] == gone[left] || right - left > LOOKED_THROUGH)
        return gone[right] != gone[left];
    for (size_t at = left; at < right; at++)
        if (gone[at + 1] > gone[at] && comers->order[at].region == region)
            return true;
    return false;
}

/* Those between two links between which nothing of their region stood that is gone. */
static void place_between(const struct fg_comers *comers, struct fg_comer *links,
                          size_t first, size_t end, size_t left, size_t right,
                          const size_t *gone)
{
    for (size_t i = first; i < end; i++)
        if (links[i].has_come)
            links[i].came = is_gone_between(comers, gone, left, right, links[i].region)
                                ? FG_CAME_INSTEAD
                                : FG_CAME_BETWEEN;
}

/* Marks the longest run of links that stand in the order of the last look; the others
 * have been moved, and nothing can be said of what stands beside them. `at` is where each
 * stood, NOWHERE of those that did not. */
#define NOWHERE SIZE_MAX

static bool *mark_unmoved(struct fg_arena *arena, const size_t *at, size_t n)
{
    bool *is_unmoved = FG_NEW(arena, bool, n + 1);
    size_t *ends = FG_NEW(arena, size_t, n + 1);   /* of the best run of each length */
    size_t *before = FG_NEW(arena, size_t, n + 1); /* of each link in its best run */
    size_t longest = 0;
    for (size_t i = 0; i < n; i++) {
        is_unmoved[i] = false;
        if (at[i] == NOWHERE)
            continue;
        size_t low = 0, high = longest;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (at[ends[middle]] < at[i])
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low ? ends[low - 1] : NOWHERE;
        ends[low] = i;
        longest += low == longest;
    }
    for (size_t i = longest ? ends[longest - 1] : NOWHERE; i != NOWHERE; i = before[i])
        is_unmoved[i] = true;
    return is_unmoved;
}

/* What is known of each link from the last look, and where it stood then. */
static size_t *recall_links(const struct fg_comers *comers, struct fg_arena *arena,
                            struct fg_comer *links, size_t n)
{
    const struct standing *before = sorted(arena, comers->order, comers->n);
    size_t *at = FG_NEW(arena, size_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        const struct standing *there = find(before, comers->n, links[i].link);
        at[i] = there ? there->at : NOWHERE;
        if (!there)
            continue;
        uint32_t region = links[i].region;
        links[i] = comers->order[there->at];
        links[i].region = region;
        links[i].has_come = false;
    }
    return at;
}

void fg_comers_place(const struct fg_comers *comers, struct fg_arena *arena,
                     struct fg_comer *links, size_t n, fg_time now)
{
    for (size_t i = 0; i < n; i++) {
        links[i].since = now;
        links[i].came = FG_CAME_UNPLACED;
        links[i].has_come = true;
    }
    if (!comers->order)
        return;
    const size_t *gone = count_gone(arena, comers, links, n);
    const size_t *at = recall_links(comers, arena, links, n);
    const bool *is_unmoved = mark_unmoved(arena, at, n);
    size_t first = 0, left = 0; /* of a run of comers, and what stood before it */
    for (size_t i = 0; i < n; i++) {
        if (!is_unmoved[i])
            continue;
        place_between(comers, links, first, i, left, at[i], gone);
        first = i + 1;
        left = at[i] + 1;
    }
    place_between(comers, links, first, n, left, comers->n, gone);
}

bool fg_comers_are_lacking(const struct fg_comers *comers, const struct fg_comer *links,
                           size_t n)
{
    enum { LEAST = 6 };
    size_t come = 0, last = n; /* the last link that was there before */
    for (size_t i = 0; i < n; i++) {
        come += links[i].has_come;
        last = links[i].has_come ? last : i;
    }
    size_t kept = n - come, gone = comers->n - (kept < comers->n ? kept : comers->n);
    bool goes_on = kept && n - 1 - last == come && come &&
                   links[last].region == links[last + 1].region;
    return comers->order && comers->n >= LEAST && gone * 2 >= comers->n &&
           (come * 4 <= gone || goes_on);
}

/* --- the record --- */

static unsigned place_of(enum fg_coming came)
{
    return came == FG_CAME_BETWEEN ? FG_CAME_BETWEEN : FG_CAME_INSTEAD;
}

static void fade(struct fg_comers *comers, unsigned place)
{
    enum { MEMORY = 64 };
    if (comers->brought_up[place] + comers->appeared[place] <= MEMORY)
        return;
    comers->brought_up[place] /= 2;
    comers->appeared[place] /= 2;
}

void fg_comers_count(struct fg_comers *comers, enum fg_coming came, bool was_old)
{
    unsigned place = place_of(came);
    comers->brought_up[place] += was_old;
    comers->appeared[place] += !was_old;
    fade(comers, place);
}

void fg_comers_count_brief(struct fg_comers *comers, enum fg_coming came)
{
    unsigned place = place_of(came);
    comers->brought_up[place]++;
    bool was_counted = came == FG_CAME_BETWEEN || came == FG_CAME_TO_STAY;
    comers->appeared[place] -= was_counted && comers->appeared[place] > 0;
    fade(comers, place);
}

enum { ENOUGH = 3 };

bool fg_comers_bring_up_old(const struct fg_comers *comers, enum fg_coming came)
{
    unsigned place = place_of(came);
    return comers->brought_up[place] >= ENOUGH &&
           comers->brought_up[place] * 2 >= comers->appeared[place];
}

bool fg_comers_are_new(const struct fg_comers *comers, enum fg_coming came)
{
    if (came == FG_CAME_BETWEEN || came == FG_CAME_AS_LIST)
        return !fg_comers_bring_up_old(comers, came);
    return came == FG_CAME_INSTEAD && comers->appeared[came] >= ENOUGH &&
           comers->brought_up[came] * 2 < comers->appeared[came];
}

bool fg_comers_are_proven(const struct fg_comers *comers)
{
    return comers->appeared[FG_CAME_BETWEEN] >= ENOUGH &&
           !comers->brought_up[FG_CAME_BETWEEN];
}

void fg_comers_keep(struct fg_comers *comers, const struct fg_comer *links, size_t n)
{
    comers->order = fg_resized(comers->order, n + 1, sizeof *comers->order);
    if (n)
        memcpy(comers->order, links, n * sizeof *links);
    comers->n = n;
}

/* --- in the store --- */

enum { VERSION = 2, HEAD = 20, ENTRY = 21 };

struct fg_str fg_comers_write(const struct fg_comers *comers, struct fg_arena *arena)
{
    size_t len = HEAD + comers->n * ENTRY;
    char *bytes = FG_NEW(arena, char, len), *at = bytes + HEAD;
    const uint32_t head[] = {VERSION, comers->brought_up[0], comers->brought_up[1],
                             comers->appeared[0], comers->appeared[1]};
    memcpy(bytes, head, HEAD);
    for (size_t i = 0; i < comers->n; i++, at += ENTRY) {
        memcpy(at, &comers->order[i].link, 8);
        memcpy(at + 8, &comers->order[i].since, 8);
        memcpy(at + 16, &comers->order[i].came, 1);
        memcpy(at + 17, &comers->order[i].region, 4);
    }
    return (struct fg_str){bytes, len};
}

bool fg_comers_read(struct fg_comers *comers, struct fg_str bytes)
{
    uint32_t head[HEAD / 4];
    if (bytes.len < HEAD || (bytes.len - HEAD) % ENTRY)
        return false;
    memcpy(head, bytes.at, HEAD);
    if (head[0] != VERSION)
        return false;
    size_t n = (bytes.len - HEAD) / ENTRY;
    const char *at = bytes.at + HEAD;
    comers->order = fg_resized(NULL, n + 1, sizeof *comers->order);
    comers->n = n;
    memcpy(comers->brought_up, head + 1, sizeof comers->brought_up);
    memcpy(comers->appeared, head + 3, sizeof comers->appeared);
    for (size_t i = 0; i < n; i++, at += ENTRY) {
        struct fg_comer *comer = &comers->order[i];
        *comer = (struct fg_comer){0};
        memcpy(&comer->link, at, 8);
        memcpy(&comer->since, at + 8, 8);
        memcpy(&comer->came, at + 16, 1);
        memcpy(&comer->region, at + 17, 4);
        if (comer->came > FG_CAME_AS_LIST)
            comer->came = FG_CAME_FIRST;
    }
    return true;
}
